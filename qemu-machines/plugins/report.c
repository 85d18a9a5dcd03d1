/*
 * The counting plugin's result as JSON: see report.h.
 *
 * Written by hand: names are C identifiers and numbers are integers, so that
 * the plugin needs no library but QEMU's own GLib.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "report.h"

static void add_string(GString *s, const char *text)
{
    g_string_append_c(s, '"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') {
            g_string_append_c(s, '\\');
        }
        g_string_append_c(s, (unsigned char)*text < ' ' ? '?' : *text);
    }
    g_string_append_c(s, '"');
}

static bool add_columns(GString *s, const uint64_t *row)
{
    bool any = false;
    unsigned c;

    for (c = 0; c < COUNT_COLUMNS; c++) {
        if (row[c]) {
            g_string_append_printf(s, ", \"%s\": %" PRIu64, counter_names[c],
                                   row[c]);
            any = true;
        }
    }
    return any;
}

static void add_symbol(GString *s, const SymbolTable *symbols, unsigned window,
                       unsigned i, const uint64_t *row)
{
    const CallExtremes *e = callstack_extremes(window, i);
    const Symbol *sym = symbols_at(symbols, i);
    gsize before = s->len;

    g_string_append(s, s->str[s->len - 1] == '}' ? ",\n" : "\n");
    g_string_append(s, "   { \"name\": ");
    add_string(s, sym->name);
    g_string_append_printf(s, ", \"start\": \"0x%" PRIx64 "\"", sym->start);
    if (!add_columns(s, row)) {
        g_string_truncate(s, before);
        return;
    }
    if (e->max) {
        g_string_append_printf(s, ", \"min\": %" PRIu64 ", \"max\": %" PRIu64,
                               e->min, e->max);
    }
    g_string_append(s, " }");
}

static void add_total(GString *s, uint64_t (*rows)[COUNT_COLUMNS], unsigned n)
{
    uint64_t total[COUNT_COLUMNS] = { 0 };
    unsigned i, c;

    for (i = 0; i < n; i++) {
        for (c = 0; c < COUNT_COLUMNS; c++) {
            total[c] += rows[i][c];
        }
    }
    g_string_append(s, "  \"total\": { \"name\": \"[all]\"");
    add_columns(s, total);
    g_string_append(s, " }");
}

static void add_window(GString *s, const SymbolTable *symbols, unsigned w)
{
    g_autofree uint64_t (*rows)[COUNT_COLUMNS] = counters_rows(w);
    unsigned i, n = symbols_count(symbols);

    g_string_append(s, s->str[s->len - 1] == '}' ? ",\n" : "\n");
    g_string_append_printf(s, "  { \"window\": %u, \"opened\": %" PRIu64 ",\n",
                           w, counters_opened(w));
    add_total(s, rows, n);
    g_string_append(s, ",\n  \"symbols\": [");
    for (i = 0; i < n; i++) {
        add_symbol(s, symbols, w, i, rows[i]);
    }
    g_string_append(s, " ] }");
}

static void add_header(GString *s, const ReportInfo *info)
{
    g_string_append(s, "{ \"version\": 1, \"target\": ");
    add_string(s, info->target);
    g_string_append(s, ", \"core\": ");
    if (info->core) {
        add_string(s, info->core);
    } else {
        g_string_append(s, "null");
    }
    g_string_append_printf(s, ", \"predictor\": %s,\n  \"open_at_exit\": %s, "
                           "\"lost_frames\": %" PRIu64 ", \"undecoded\": %"
                           PRIu64 ",\n", info->predictor ? "true" : "false",
                           info->open_at_exit ? "true" : "false",
                           callstack_lost(), info->undecoded);
}

char *report_write(const char *path, const ReportInfo *info,
                   const SymbolTable *symbols)
{
    g_autoptr(GString) s = g_string_new(NULL);
    g_autoptr(GError) err = NULL;
    unsigned w;

    add_header(s, info);
    g_string_append(s, "  \"windows\": [");
    for (w = 0; w < COUNTER_WINDOWS; w++) {
        if (counters_opened(w)) {
            add_window(s, symbols, w);
        }
    }
    g_string_append(s, " ] }\n");
    if (!g_file_set_contents(path, s->str, s->len, &err)) {
        return g_strdup(err->message);
    }
    return NULL;
}
