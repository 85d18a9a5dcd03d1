/*
 * Counters and windows of the counting plugin: see counters.h.
 *
 * Slots live in chunks, because translated code holds the addresses of those
 * that exist and QEMU's scoreboards cannot grow.  One vCPU only (the plugin
 * refuses more): a scoreboard's first element is the number.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "counters.h"

#define CHUNK_SLOTS 32768

typedef struct Chunk {
    struct qemu_plugin_scoreboard *board;
    uint64_t *values;
} Chunk;

static GArray *chunks;
static GArray *effects;                 /* CounterEffect, by slot */
static unsigned symbol_count;
static unsigned (*simple)[COUNT_COLUMNS];       /* slot + 1, or 0 */

static struct {
    GArray *sums;                       /* uint64_t, by slot */
    uint64_t opened;
} windows[COUNTER_WINDOWS];

static int open_window = -1;
static uint64_t epoch;

#define COUNTER_NAME(id, name) name,
const char *const counter_names[COUNT_COLUMNS] = {
    COUNTER_COLUMNS(COUNTER_NAME)
};
#undef COUNTER_NAME

void counters_init(unsigned symbols)
{
    unsigned w;

    symbol_count = symbols;
    chunks = g_array_new(FALSE, TRUE, sizeof(Chunk));
    effects = g_array_new(FALSE, TRUE, sizeof(CounterEffect));
    simple = g_malloc0_n(symbols, sizeof(*simple));
    for (w = 0; w < COUNTER_WINDOWS; w++) {
        windows[w].sums = g_array_new(FALSE, TRUE, sizeof(uint64_t));
    }
}

static void add_chunk(void)
{
    Chunk chunk;

    chunk.board = qemu_plugin_scoreboard_new(CHUNK_SLOTS * sizeof(uint64_t));
    chunk.values = qemu_plugin_scoreboard_find(chunk.board, 0);
    g_array_append_val(chunks, chunk);
}

unsigned counters_slot(const CounterEffect *effect)
{
    if (effects->len % CHUNK_SLOTS == 0) {
        add_chunk();
    }
    g_array_append_vals(effects, effect, 1);
    return effects->len - 1;
}

unsigned counters_simple_slot(unsigned symbol, CounterColumn column)
{
    CounterEffect effect = { .symbol = symbol };
    unsigned *slot = &simple[symbol][column];

    if (!*slot) {
        effect.column[column] = 1;
        *slot = counters_slot(&effect) + 1;
    }
    return *slot - 1;
}

static Chunk *chunk_of(unsigned slot)
{
    return &g_array_index(chunks, Chunk, slot / CHUNK_SLOTS);
}

qemu_plugin_u64 counters_entry(unsigned slot)
{
    return (qemu_plugin_u64) {
        chunk_of(slot)->board, slot % CHUNK_SLOTS * sizeof(uint64_t),
    };
}

void counters_add(unsigned slot, uint64_t n)
{
    chunk_of(slot)->values[slot % CHUNK_SLOTS] += n;
}

/* sums += sign * slots; unsigned arithmetic wraps both ways. */
static void accumulate(GArray *array, uint64_t sign)
{
    uint64_t *sums;
    unsigned slot, chunk, n;

    g_array_set_size(array, effects->len);
    sums = (uint64_t *)array->data;
    for (slot = 0; slot < effects->len; slot += n) {
        const uint64_t *values = chunk_of(slot)->values;

        n = MIN(effects->len - slot, CHUNK_SLOTS);
        for (chunk = 0; chunk < n; chunk++) {
            sums[slot + chunk] += sign * values[chunk];
        }
    }
}

static void start(int window)
{
    accumulate(windows[window].sums, -1);
    open_window = window;
}

static void stop(void)
{
    accumulate(windows[open_window].sums, 1);
    open_window = -1;
}

void counters_open(unsigned window)
{
    if (open_window >= 0) {
        stop();
    }
    windows[window].opened++;
    epoch++;
    start(window);
}

void counters_close(void)
{
    if (open_window >= 0) {
        stop();
    }
}

void counters_resume(unsigned window)
{
    if (open_window < 0) {
        start(window);
    }
}

int counters_window(void)
{
    return open_window;
}

uint64_t counters_epoch(void)
{
    return epoch;
}

uint64_t counters_opened(unsigned window)
{
    return windows[window].opened;
}

uint64_t (*counters_rows(unsigned window))[COUNT_COLUMNS]
{
    uint64_t (*rows)[COUNT_COLUMNS] = g_malloc0_n(symbol_count, sizeof(*rows));
    const GArray *sums = windows[window].sums;
    unsigned slot, c;

    for (slot = 0; slot < sums->len; slot++) {
        const CounterEffect *e = &g_array_index(effects, CounterEffect, slot);
        uint64_t n = g_array_index(sums, uint64_t, slot);

        for (c = 0; n && c < COUNT_COLUMNS; c++) {
            rows[e->symbol][c] += n * e->column[c];
        }
    }
    return rows;
}
