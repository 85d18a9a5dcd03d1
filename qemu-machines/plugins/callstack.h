/*
 * The shadow call stack of the counting plugin: calls of watched functions,
 * and the instructions between entry and return.
 *
 * Only watched functions have frames.  A frame knows the address that its
 * function returns to and the stack pointer there; it ends when execution
 * arrives at that address with that stack pointer.  So
 *   - a tail call needs no care: the function called in its place returns for
 *     it, and its instructions are the caller's;
 *   - recursion is told apart by the stack pointer; inner calls count as
 *     calls, and their instructions once;
 *   - a jump back to the first instruction is no call: same function, same
 *     stack pointer, same return address;
 *   - a frame that is never returned from (a task that ended in it) is thrown
 *     away when a later call shows that its stack is gone, and counted lost.
 *
 * Instructions of an exception (interrupt, fault, system call) belong to no
 * function that it interrupted: an exception entry puts a barrier on the
 * stack, and the exception's return takes the time between off every frame
 * below.  Each task has its own stack, switched with the task, and the time
 * that a task did not run is taken off likewise.
 *
 * Windows follow the same rules.  A marker's window belongs to the task that
 * opened it: it is closed for a while when another task runs and in
 * interrupts, which come when they come, and stays open in faults and system
 * calls, which the task asked for.  A function's window is open while the
 * function or what it calls runs, wherever it is called from.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef TAGRIG_PLUGIN_CALLSTACK_H
#define TAGRIG_PLUGIN_CALLSTACK_H

#include <stdbool.h>
#include <stdint.h>

#include "counters.h"
#include "symbols.h"

/* Window 1 follows symbols with SYMBOL_WINDOW when @function_window. */
void callstack_init(const SymbolTable *symbols, bool function_window);

/* A marker: the current task opens @window, or with 0 closes what is open. */
void callstack_mark(unsigned window);

/*
 * What happened, and the number of instructions executed until then.  @sp is
 * the stack pointer as it will be when the call has returned.
 */
void callstack_enter(unsigned symbol, uint64_t total, uint64_t sp,
                     uint64_t return_to);
void callstack_arrive(uint64_t pc, uint64_t total, uint64_t sp);
void callstack_exception(uint64_t total, bool interrupt);
void callstack_exception_return(uint64_t total, bool to_user);
void callstack_switch(uint64_t from, uint64_t to, uint64_t total);

/* Where the innermost frame returns to; 0 without one. */
uint64_t callstack_return_address(void);

typedef struct CallExtremes {
    uint64_t min, max;          /* inclusive instructions of one call */
} CallExtremes;

const CallExtremes *callstack_extremes(unsigned window, unsigned symbol);

/* Frames that were thrown away. */
uint64_t callstack_lost(void);

#endif
