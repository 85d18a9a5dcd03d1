/*
 * The symbol list of the counting plugin: see symbols.h for the format.
 *
 * Kept as one sorted array; a lookup is a binary search, done once for each
 * instruction that is translated and never while the guest runs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <string.h>

#include "symbols.h"

struct SymbolTable {
    GArray *symbols;
};

static const struct {
    char letter;
    SymbolFlags flag;
} flag_letters[] = {
    { 'w', SYMBOL_WATCHED },
    { 'o', SYMBOL_WINDOW },
    { 'e', SYMBOL_EXCEPTION },
    { 'i', SYMBOL_INTERRUPT },
    { 'v', SYMBOL_VECTORS },
    { 's', SYMBOL_SWITCH },
};

static void clear_symbol(void *p)
{
    g_free(((Symbol *)p)->name);
}

static SymbolTable *new_table(void)
{
    SymbolTable *table = g_new0(SymbolTable, 1);
    Symbol lower = { .name = g_strdup("[lower half]") };
    Symbol upper = { .name = g_strdup("[upper half]") };

    table->symbols = g_array_new(FALSE, TRUE, sizeof(Symbol));
    g_array_set_clear_func(table->symbols, clear_symbol);
    g_array_append_val(table->symbols, lower);
    g_array_append_val(table->symbols, upper);
    return table;
}

static bool parse_flags(const char *text, unsigned *flags)
{
    size_t i;

    *flags = 0;
    if (!strcmp(text, "-")) {
        return true;
    }
    for (; *text; text++) {
        for (i = 0; i < G_N_ELEMENTS(flag_letters); i++) {
            if (flag_letters[i].letter == *text) {
                break;
            }
        }
        if (i == G_N_ELEMENTS(flag_letters)) {
            return false;
        }
        *flags |= flag_letters[i].flag;
    }
    return true;
}

static bool parse_address(const char *text, uint64_t *addr)
{
    char *end;

    errno = 0;
    *addr = g_ascii_strtoull(text, &end, 16);
    return !errno && end != text && !*end;
}

/* NULL, or what was expected of @line. */
static const char *parse_line(char *line, Symbol *sym)
{
    g_auto(GStrv) words = NULL;

    *sym = (Symbol){ 0 };
    line[strcspn(line, "#\n")] = '\0';
    g_strstrip(line);
    if (!*line) {
        return NULL;
    }
    words = g_strsplit_set(line, " \t", 4);
    if (g_strv_length(words) != 4) {
        return "START END FLAGS NAME";
    }
    if (!parse_address(words[0], &sym->start) ||
        !parse_address(words[1], &sym->end)) {
        return "two hexadecimal addresses";
    }
    if (sym->end <= sym->start) {
        return "an end behind the start";
    }
    if (!parse_flags(words[2], &sym->flags)) {
        return "flags out of w, o, e, i, v, s, or -";
    }
    sym->name = g_strdup(words[3]);
    return NULL;
}

static int by_start(const void *a, const void *b)
{
    const Symbol *x = a, *y = b;

    return x->start < y->start ? -1 : x->start > y->start;
}

static char *find_overlap(const SymbolTable *table, const char *path)
{
    unsigned i;

    for (i = SYMBOL_FIRST + 1; i < table->symbols->len; i++) {
        const Symbol *a = symbols_at(table, i - 1), *b = symbols_at(table, i);

        if (b->start < a->end) {
            return g_strdup_printf("%s: %s and %s overlap at %" PRIx64, path,
                                   a->name, b->name, b->start);
        }
    }
    return NULL;
}

static void sort(SymbolTable *table)
{
    Symbol *s = (Symbol *)table->symbols->data;

    qsort(s + SYMBOL_FIRST, table->symbols->len - SYMBOL_FIRST, sizeof(*s),
          by_start);
}

static char *parse(SymbolTable *table, const char *path, char *text)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    const char *expected;
    unsigned i;

    for (i = 0; lines[i]; i++) {
        g_autofree char *line = g_strdup(lines[i]);
        Symbol sym;

        expected = parse_line(line, &sym);
        if (expected) {
            return g_strdup_printf("%s:%u: expected %s, found \"%s\"", path,
                                   i + 1, expected, lines[i]);
        }
        if (sym.name) {
            g_array_append_val(table->symbols, sym);
        }
    }
    sort(table);
    return find_overlap(table, path);
}

SymbolTable *symbols_load(const char *path, char **why)
{
    g_autofree char *text = NULL;
    g_autoptr(GError) err = NULL;
    SymbolTable *table;

    if (!g_file_get_contents(path, &text, NULL, &err)) {
        *why = g_strdup(err->message);
        return NULL;
    }
    table = new_table();
    *why = parse(table, path, text);
    if (*why) {
        symbols_free(table);
        return NULL;
    }
    return table;
}

void symbols_free(SymbolTable *table)
{
    g_array_free(table->symbols, TRUE);
    g_free(table);
}

unsigned symbols_count(const SymbolTable *table)
{
    return table->symbols->len;
}

const Symbol *symbols_at(const SymbolTable *table, unsigned index)
{
    return &g_array_index(table->symbols, Symbol, index);
}

unsigned symbols_find(const SymbolTable *table, uint64_t addr)
{
    unsigned lo = SYMBOL_FIRST, hi = table->symbols->len;

    while (lo < hi) {
        unsigned mid = lo + (hi - lo) / 2;
        const Symbol *s = symbols_at(table, mid);

        if (addr < s->start) {
            hi = mid;
        } else if (addr >= s->end) {
            lo = mid + 1;
        } else {
            return mid;
        }
    }
    return addr >> 63 ? SYMBOL_UPPER_HALF : SYMBOL_LOWER_HALF;
}
