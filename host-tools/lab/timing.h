/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The time leg: interleaved runs under KVM, layouts as a factor.
 *
 * It is a plan, a table of runs; runs that fill in times; and an evaluation of
 * the filled table.  The runs may happen elsewhere (a bundle, taken to a host
 * that has KVM), and the table brought back.
 *
 * A row of the table is one run, its columns separated by tabs:
 *	workload variant-A variant-B layout block side ns
 * Side is A or B.  variant-A equals variant-B in the A/A runs, which come
 * first.  Layout is one of TIMING_LAYOUTS: its place among the pads, and
 * whether the kernel's objects are linked in another order.
 */
#ifndef TAGRIG_LAB_TIMING_H
#define TAGRIG_LAB_TIMING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lab/stats.h"

#define TIMING_LAYOUTS	8	/* pads of 0, 16, 32, 48 bytes; in two link orders */
#define TIMING_PADS	4
#define TIMING_PAD	16	/* bytes from one to the next */
#define TIMING_BLOCKS	100000	/* at most, in a table */
#define TIMING_ROUNDS	2	/* blocks of each layout */

struct timing_run {
	char workload[32];
	char a[32], b[32];		/* variants */
	unsigned int layout;
	unsigned int block;
	char side;			/* 'A', 'B' */
	int64_t ns;			/* -1: not run yet */
};

struct timing {
	struct timing_run *runs;
	size_t n;
};

/* Bytes put before the object's code in @layout. */
static inline unsigned int timing_pad(unsigned int layout)
{
	return layout % TIMING_PADS * TIMING_PAD;
}

/* The order in which the kernel's code is linked: 0 as ever, else a shuffle's seed. */
static inline unsigned int timing_order(unsigned int layout)
{
	return layout / TIMING_PADS;
}

/*
 * Adds the runs of one comparison: TIMING_ROUNDS blocks for each layout, each
 * block A B B A, the layouts in turn so that none has all of one hour.
 * @layouts: 1 when the variant cannot be padded.
 */
int timing_plan(struct timing *t, const char *workload, const char *a, const char *b,
		unsigned int layouts, unsigned int rounds);

int timing_save(const struct timing *t, const char *path);
/* -EINVAL with @why (of 256 bytes): "PATH:LINE: expected ..., found ...". */
int timing_load(struct timing *t, const char *path, char *why);
void timing_free(struct timing *t);

/*
 * Compares @a and @b of @workload.  -ENODATA: runs are missing; other errors
 * as stats_compare().
 */
int timing_evaluate(const struct timing *t, const char *workload, const char *a, const char *b,
		    unsigned long seed, struct stats_result *result);

/*
 * Can this host run guests of @arch under KVM?  False with the reason.  True
 * means only that it is worth to try: a /dev/kvm that opens is not proof.
 */
bool timing_kvm(const char *arch, char *why, size_t size);

#endif
