/*
 * The shadow call stack of the counting plugin: see callstack.h.
 *
 * Left out: a signal handler's or a longjmp's way out of a watched function in
 * user space (its frame is thrown away at the next call from further up), and
 * the few instructions of the task switch itself, which count for the task
 * that comes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "callstack.h"

/* Kernel stacks are at least this large, and aligned to it. */
#define STACK_SHIFT 14

typedef struct Frame {
    bool barrier;               /* an exception, not a call */
    bool interrupt;             /* and nobody asked for it */
    bool nested;                /* the same function is further down */
    bool opened;                /* it has opened its window once */
    unsigned symbol;
    uint64_t return_to, sp;
    uint64_t total, elsewhere;  /* at entry */
    uint64_t epoch;             /* the opening that it was entered in */
} Frame;

typedef struct Task {
    uint64_t key;
    uint64_t elsewhere;         /* instructions that were not this task's own */
    uint64_t left_at;           /* total when it was switched away from */
    GArray *frames;
} Task;

static const SymbolTable *symbols;
static bool function_window;
static GHashTable *tasks;
static Task *current;
static Task *marker_task;       /* whose window is open by a marker, or NULL */
static unsigned marker_window;
static uint64_t lost, window_epoch;
static CallExtremes (*extremes)[COUNTER_WINDOWS];       /* by symbol */

static void free_task(void *p)
{
    Task *t = p;

    g_array_free(t->frames, TRUE);
    g_free(t);
}

static Task *find_task(uint64_t key)
{
    Task *t = g_hash_table_lookup(tasks, &key);

    if (!t) {
        t = g_new0(Task, 1);
        t->key = key;
        t->frames = g_array_new(FALSE, TRUE, sizeof(Frame));
        g_hash_table_insert(tasks, &t->key, t);
    }
    return t;
}

void callstack_init(const SymbolTable *table, bool by_function)
{
    symbols = table;
    function_window = by_function;
    tasks = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, free_task);
    current = find_task(0);
    marker_task = NULL;
    lost = window_epoch = 0;
    extremes = g_malloc0_n(symbols_count(table), sizeof(*extremes));
}

static Frame *frame_at(unsigned i)
{
    return &g_array_index(current->frames, Frame, i);
}

static Frame *top(void)
{
    return current->frames->len ? frame_at(current->frames->len - 1) : NULL;
}

static void pop(void)
{
    g_array_set_size(current->frames, current->frames->len - 1);
}

/* The window's frame, when what runs now runs on its behalf. */
static Frame *window_frame(void)
{
    unsigned i = current->frames->len;

    while (i-- > 0 && !frame_at(i)->barrier) {
        if (symbols_at(symbols, frame_at(i)->symbol)->flags & SYMBOL_WINDOW) {
            return frame_at(i);
        }
    }
    return NULL;
}

static bool in_interrupt(void)
{
    unsigned i;

    for (i = 0; i < current->frames->len; i++) {
        if (frame_at(i)->interrupt) {
            return true;
        }
    }
    return false;
}

static void follow_marker(void)
{
    if (marker_task != current || in_interrupt()) {
        counters_close();
    } else {
        counters_resume(marker_window);
    }
}

static void follow_function(void)
{
    Frame *f = window_frame();

    if (!f) {
        counters_close();
    } else if (!f->opened) {
        f->opened = true;
        counters_open(1);
        f->epoch = ++window_epoch;
    } else {
        counters_resume(1);
    }
}

/* After each change of the stack or task: is a window open or not? */
static void follow_window(void)
{
    if (function_window) {
        follow_function();
    } else if (marker_task) {
        follow_marker();
    }
}

void callstack_mark(unsigned window)
{
    counters_close();
    marker_task = window ? current : NULL;
    marker_window = window;
    if (window) {
        counters_open(window);
    }
}

static uint64_t current_epoch(void)
{
    Frame *f = function_window ? window_frame() : NULL;

    return f ? f->epoch : counters_epoch();
}

static bool same_stack(uint64_t a, uint64_t b)
{
    return (a - 1) >> STACK_SHIFT == (b - 1) >> STACK_SHIFT;
}

/* Stacks grow down: a frame below the new one's stack pointer has gone. */
static void drop_dead(uint64_t sp)
{
    Frame *f;

    while ((f = top()) && !f->barrier && f->sp < sp && same_stack(f->sp, sp)) {
        lost++;
        pop();
    }
}

static bool is_nested(unsigned symbol)
{
    unsigned i;

    for (i = 0; i < current->frames->len; i++) {
        if (!frame_at(i)->barrier && frame_at(i)->symbol == symbol) {
            return true;
        }
    }
    return false;
}

void callstack_enter(unsigned symbol, uint64_t total, uint64_t sp,
                     uint64_t return_to)
{
    Frame frame = {
        .symbol = symbol, .return_to = return_to, .sp = sp,
        .total = total, .elsewhere = current->elsewhere,
    };
    Frame *f;

    drop_dead(sp);
    f = top();
    if (f && !f->barrier && f->symbol == symbol && f->sp == sp &&
        f->return_to == return_to) {
        return;
    }
    frame.nested = is_nested(symbol);
    g_array_append_val(current->frames, frame);
    follow_window();
    top()->epoch = current_epoch();
    counters_add(counters_simple_slot(symbol, COUNT_CALLS), 1);
}

static void account(const Frame *f, uint64_t total)
{
    uint64_t n = total - f->total - (current->elsewhere - f->elsewhere);
    CallExtremes *e;

    if (counters_window() < 0 || f->epoch != current_epoch()) {
        return;
    }
    counters_add(counters_simple_slot(f->symbol, COUNT_RETURNS), 1);
    if (!f->nested) {
        counters_add(counters_simple_slot(f->symbol, COUNT_INCLUSIVE), n);
    }
    e = &extremes[f->symbol][counters_window()];
    if (!e->max || n < e->min) {
        e->min = n;
    }
    e->max = MAX(e->max, n);
}

void callstack_arrive(uint64_t pc, uint64_t total, uint64_t sp)
{
    Frame *f;

    drop_dead(sp);
    while ((f = top()) && !f->barrier && f->return_to == pc && f->sp == sp) {
        account(f, total);
        pop();
    }
    follow_window();
}

void callstack_exception(uint64_t total, bool interrupt)
{
    Frame frame = {
        .barrier = true, .interrupt = interrupt,
        .total = total, .elsewhere = current->elsewhere,
    };

    g_array_append_val(current->frames, frame);
    follow_window();
}

static void drop_all(void)
{
    while (top()) {
        lost += !top()->barrier;
        pop();
    }
}

void callstack_exception_return(uint64_t total, bool to_user)
{
    Frame *f;

    while ((f = top()) && !f->barrier) {
        lost++;
        pop();
    }
    if (f) {
        current->elsewhere = f->elsewhere + (total - f->total);
        pop();
    }
    if (to_user) {
        drop_all();
    }
    follow_window();
}

void callstack_switch(uint64_t from, uint64_t to, uint64_t total)
{
    if (!current->key && !g_hash_table_lookup(tasks, &from)) {
        g_hash_table_steal(tasks, &current->key);
        current->key = from;
        g_hash_table_insert(tasks, &current->key, current);
    }
    current->left_at = total;
    current = find_task(to);
    current->elsewhere += total - current->left_at;
    follow_window();
}

uint64_t callstack_return_address(void)
{
    Frame *f = top();

    return f && !f->barrier ? f->return_to : 0;
}

const CallExtremes *callstack_extremes(unsigned window, unsigned symbol)
{
    return &extremes[symbol][window];
}

uint64_t callstack_lost(void)
{
    return lost;
}
