/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All that a lab found out, and how it is told: on a terminal, as JSON, as a
 * plot.  Nothing in it depends on when or how fast it ran, so that two runs
 * give the same bytes.
 */
#ifndef TAGRIG_LAB_RESULT_H
#define TAGRIG_LAB_RESULT_H

#include <jansson.h>
#include <stdio.h>

#include "lab/count.h"
#include "lab/gate.h"
#include "lab/trace.h"

struct lab_cell {		/* one workload on one variant */
	bool measured;		/* false: the same code as the base */
	struct lab_measure m;
	bool traced;
	struct lab_traces trace;
	bool timed;
	struct stats_result time, aa;	/* against the base; and the base against itself */
	struct evidence evidence;
	struct judgement judgement;	/* against the base; not of the base itself */
};

struct lab_result {
	const struct lab_file *lab;
	const char *kernel;	/* what was built: a series or a tree */
	uint64_t seed;
	struct lab_kernel kernels[LAB_VARIANTS];
	struct lab_gate gates[LAB_VARIANTS];
	struct lab_cell cells[LAB_WORKLOADS][LAB_VARIANTS];
	char time_skip[256];	/* why there is no time leg, or "" */
};

/* Judges every cell, when all are measured. */
void lab_judge(struct lab_result *r);

void lab_print(const struct lab_result *r, FILE *out);

/* A new reference. */
json_t *lab_json(const struct lab_result *r);

/*
 * Two reports of lab_json(), side by side: every workload and variant that
 * both have.  -EINVAL with one line in @why (LAB_WHY).
 */
int lab_compare(json_t *a, json_t *b, const char *name_a, const char *name_b, FILE *out,
		char *why);

/*
 * Draws the report to @svg with gnuplot, leaving its script and data beside it.
 * -ENOENT: no gnuplot; -EIO: it failed.
 */
int lab_plot(const struct lab_result *r, const char *svg);

#endif
