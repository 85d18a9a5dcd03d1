// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The trace leg: see trace.h.  The guest does it all (tests/labs/guest/init);
 * here it is started and its result checked.
 *
 * Left out: function_graph's per-call output, which says the same of one call
 * at many times the cost.
 */
#include "lab/trace.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lab/job.h"

#define RUN "trace"

static int run(const struct lab_setup *s, const struct lab_workload *w,
	       const struct lab_kernel *k, const char *initrd, const char *dir, char *why)
{
	struct lab_setup traced = *s;
	struct job_args a = { 0 };
	struct job j;
	char log[4096];
	int err;

	traced.append = "lab.trace";
	lab_qemu_args(&a, &traced, w, k, initrd, dir, RUN);
	snprintf(log, sizeof(log), "%s/" RUN ".qemu", dir);
	err = a.failed ? -ENOMEM : job_start(&j, a.v, log, log, w->within_ms);
	job_args_free(&a);
	if (err)
		snprintf(why, LAB_WHY, "QEMU cannot be started: %s", strerror(-err));
	return err ? err : job_wait(&j);
}

int lab_trace(const struct lab_setup *s, const struct lab_workload *w,
	      const struct lab_kernel *k, const char *initrd, const char *dir,
	      struct console *c, char *why)
{
	int status = run(s, w, k, initrd, dir, why);
	int err = lab_check_run(s, w, dir, RUN, status, c, why);

	if (!err && c->probe_ns < 0) {
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
