/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The trace leg: a workload under ftrace's function profiler and under
 * function_graph, as threads on the list use them, and what each itself costs.
 *
 * Under -icount an instruction takes one nanosecond, so its microseconds are
 * thousands of instructions, and what is printed can be held against the
 * counts.  Two things must be known to read it: a traced function that calls
 * traced functions is charged with their probes; and the kernel's `inline`
 * implies notrace, so a function declared inline is not in the list even where
 * the compiler did not inline it.
 */
#ifndef TAGRIG_LAB_TRACE_H
#define TAGRIG_LAB_TRACE_H

#include "lab/count.h"

enum lab_tracer { LAB_PROFILER, LAB_GRAPH, LAB_TRACERS };

struct lab_traces {
	struct console by[LAB_TRACERS];	/* .traced, .probe_ns, .untraced */
};

/*
 * One run with each.  @frames: as lab_check_run().  -ENOTSUP: the kernel has
 * no tracer; others: a run failed.  One line in @why (LAB_WHY).
 */
int lab_trace(const struct lab_setup *s, const struct lab_workload *w,
	      const struct lab_kernel *k, const char *initrd, const char *dir, uint64_t frames,
	      struct lab_traces *t, char *why);

/* The row of a function, or NULL: it was not called, or not traced. */
const struct console_trace *lab_traced(const struct console *c, const char *function);

#endif
