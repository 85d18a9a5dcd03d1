/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs the time leg: kernels for each layout, and the runs of a plan under KVM.
 */
#ifndef TAGRIG_LAB_TIMELEG_H
#define TAGRIG_LAB_TIMELEG_H

#include "lab/result.h"
#include "lab/timing.h"

/*
 * Times every measured cell of @r against its base, with files in @dir, and
 * leaves DIR/times.tsv.  Where there is no KVM nothing is done and r->time_skip
 * says why.  Negative errno with one line in @why (LAB_WHY) when a run fails.
 *
 * TAGRIG_LAB_ACCEL=tcg in the environment runs the plan in virtual time instead,
 * for tests of the leg itself: its "times" are instructions.
 */
int lab_time(const struct lab_setup *s, struct lab_result *r, const char *tree, const char *dir,
	     char *why);

/* Takes times that a bundle brought back; a cell without times is left alone. */
int lab_take_times(struct lab_result *r, const struct timing *t);

/*
 * Writes all that another host needs into @dir: a kernel and a root file system
 * for each run of the plan, the plan, and run.sh.
 */
int lab_bundle(const struct lab_setup *s, struct lab_result *r, const char *tree,
	       const char *programs, const char *dir, char *why);

#endif
