/*
 * Counters and windows of the counting plugin.
 *
 * A slot is one 64-bit number that only grows, and what one unit of it means:
 * so many instructions, loads, branches of such a symbol.  A straight run of
 * code is one slot, which translated code increments inline; what is only
 * known when it happens (a cache miss) is a slot that a callback increments.
 *
 * A window is a difference: opening it subtracts every slot from the window's
 * sums, closing it adds them.  So slots cost the same in and out of windows,
 * and what happens outside is never seen.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef TAGRIG_PLUGIN_COUNTERS_H
#define TAGRIG_PLUGIN_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

#include <qemu-plugin.h>

#define COUNTER_COLUMNS(_) \
    _(INSNS,     "insns")           /* executed, as QEMU's icount counts */ \
    _(LOADS,     "loads")           /* memory operands read */ \
    _(STORES,    "stores") \
    _(BRANCHES,  "branches") \
    _(EDGE16,    "edge16")          /* branches that end at or cross 16 bytes */ \
    _(EDGE32,    "edge32") \
    _(ENTRIES,   "entries")         /* executions of the first instruction */ \
    _(REP,       "rep_iterations")  /* x86: executions beyond the first */ \
    _(CALLS,     "calls")           /* watched symbols: entries that are calls */ \
    _(RETURNS,   "returns")         /* calls that returned in their window */ \
    _(INCLUSIVE, "inclusive")       /* instructions of those, with callees */ \
    _(L1I,       "l1i_misses") \
    _(L1D,       "l1d_misses") \
    _(L2,        "l2_misses") \
    _(MISSED,    "mispredicted")

#define COUNTER_ENUM(id, name) COUNT_##id,
typedef enum CounterColumn {
    COUNTER_COLUMNS(COUNTER_ENUM)
    COUNT_COLUMNS
} CounterColumn;
#undef COUNTER_ENUM

#define COUNTER_WINDOWS 17      /* 0: the whole run; 1..16: by marker */

/* What one unit of a slot means. */
typedef struct CounterEffect {
    unsigned symbol;
    uint16_t column[COUNT_COLUMNS];
} CounterEffect;

void counters_init(unsigned symbols);

/* A new slot. */
unsigned counters_slot(const CounterEffect *effect);
/* The slot of @symbol that counts in @column alone; made when first asked. */
unsigned counters_simple_slot(unsigned symbol, CounterColumn column);

/* For inline operations. */
qemu_plugin_u64 counters_entry(unsigned slot);
void counters_add(unsigned slot, uint64_t n);

void counters_open(unsigned window);
void counters_close(void);
/* Opens a window again that counters_close() closed: the same opening goes on. */
void counters_resume(unsigned window);
/* The window that is open, or -1. */
int counters_window(void);
/* Grows with each counters_open(): do two moments lie in one opening? */
uint64_t counters_epoch(void);

uint64_t counters_opened(unsigned window);
/* Sums of a window into @rows[symbol][column]; g_free() it. */
uint64_t (*counters_rows(unsigned window))[COUNT_COLUMNS];

extern const char *const counter_names[COUNT_COLUMNS];

#endif
