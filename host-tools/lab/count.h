/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The count leg: a workload on a kernel, under TCG, counted by the plugin,
 * twice; and what it says of an operation.
 */
#ifndef TAGRIG_LAB_COUNT_H
#define TAGRIG_LAB_COUNT_H

#include "lab/build.h"
#include "lab/console.h"
#include "lab/counts.h"
#include "lab/verdict.h"

struct job;

struct lab_setup {
	const struct lab_file *lab;
	const char *qemu_dir;	/* has qemu-system-* */
	const char *plugin;	/* libcount.so */
	const char *firmware;	/* for x86: directories with BIOS and option ROMs, by blanks */
	uint64_t seed;
	const char *append;	/* further kernel parameters, or NULL */
	bool kvm;		/* instead of TCG in virtual time */
};

struct lab_measure {
	struct counts *counts;		/* of the first run */
	bool repeatable;
	char parted[256];		/* where the second run differs, if it does */
	uint64_t ops;
	uint64_t frames;		/* played */
	double seconds;			/* of the host, for both runs */
};

/*
 * Runs @w on @k with files in @dir (made).  -EINVAL and others with one line in
 * @why (LAB_WHY): a command of the workload failed, the window was never
 * opened, no operation was seen, the frames did not reach the guest.
 */
int lab_count(const struct lab_setup *s, const struct lab_workload *w,
	      const struct lab_kernel *k, const char *initrd, const char *dir,
	      struct lab_measure *m, char *why);
void lab_measure_free(struct lab_measure *m);

/*
 * Did the guest of run @run in @dir do all of its script, take all of @frames
 * (0: not looked at), and QEMU end well?  @status as of job_wait().  Fills in
 * @c.  -EINVAL with one line in @why.
 */
int lab_check_run(const struct lab_setup *s, const struct lab_workload *w, const char *dir,
		  const char *run, int status, uint64_t frames, struct console *c, char *why);

/* Begins a run @run in @dir, with the plugin if @counted; job_wait() ends it. */
int lab_start_run(const struct lab_setup *s, const struct lab_workload *w,
		  const struct lab_kernel *k, const char *initrd, const char *dir,
		  const char *run, bool counted, struct job *j);

/* The window of @w in the counts; NULL: never opened. */
const struct counts_window *lab_window(const struct lab_workload *w, const struct counts *c);

/* A window's totals as the verdict wants them. */
struct verdict_counts lab_totals(const struct lab_workload *w, const struct lab_measure *m);

/* QEMU's arguments for a run, for --dry-run; NULL-terminated, job_args_free(). */
struct job_args;
void lab_qemu_args(struct job_args *a, const struct lab_setup *s, const struct lab_workload *w,
		   const struct lab_kernel *k, const char *initrd, const char *dir,
		   const char *run);

#endif
