// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The trace leg: see trace.h.  The guest does it all (tests/labs/guest/init);
 * here the two runs are started side by side and their results checked.
 */
#include "lab/trace.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lab/job.h"

static const struct {
	const char *name;	/* of the run's files */
	const char *append;	/* tells the guest which */
} ways[LAB_TRACERS] = {
	[LAB_PROFILER] = { "trace", "lab.trace" },
	[LAB_GRAPH] = { "graph", "lab.graph" },
};

int lab_trace(const struct lab_setup *s, const struct lab_workload *w,
	      const struct lab_kernel *k, const char *initrd, const char *dir, uint64_t frames,
	      struct lab_traces *t, char *why)
{
	struct job jobs[LAB_TRACERS];
	int i, status[LAB_TRACERS], err = 0;

	for (i = 0; i < LAB_TRACERS; i++) {
		struct lab_setup traced = *s;

		traced.append = ways[i].append;
		status[i] = lab_start_run(&traced, w, k, initrd, dir, ways[i].name, false, &jobs[i]);
		if (status[i])
			snprintf(why, LAB_WHY, "QEMU cannot be started: %s", strerror(-status[i]));
	}
	for (i = 0; i < LAB_TRACERS; i++)
		if (!status[i])
			status[i] = job_wait(&jobs[i]);
	for (i = 0; !err && i < LAB_TRACERS; i++)
		err = lab_check_run(s, w, dir, ways[i].name, status[i], frames, &t->by[i], why);
	if (!err && (t->by[LAB_PROFILER].probe_ns < 0 || t->by[LAB_GRAPH].probe_ns < 0)) {
		snprintf(why, LAB_WHY, "%s: the kernel has no function profiler (CONFIG_FUNCTION_PROFILER)",
			 s->lab->path);
		err = -ENOTSUP;
	}
	return err;
}

const struct console_trace *lab_traced(const struct console *c, const char *function)
{
	size_t i;

	for (i = 0; i < c->n_traced; i++)
		if (!strcmp(c->traced[i].function, function))
			return &c->traced[i];
	return NULL;
}
