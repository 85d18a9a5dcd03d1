/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One word for what an experiment showed, and the evidence for it.
 *
 * A is the base, B the variant; a delta is B minus A.
 */
#ifndef TAGRIG_LAB_VERDICT_H
#define TAGRIG_LAB_VERDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "lab/stats.h"

#define VERDICTS(_) \
	_(SAME_CODE,		"SAME CODE")		/* the bytes are equal: stop */ \
	_(EXACT,		"EXACT")		/* so many instructions an operation */ \
	_(LAYOUT,		"LAYOUT")		/* an effect of where code lies, not of code */ \
	_(REAL,			"REAL")			/* count and time agree */ \
	_(EQUIVALENT,		"EQUIVALENT")		/* within the stated margin */ \
	_(UNDECIDED,		"UNDECIDED")		/* these runs could not see it */ \
	_(NOT_OBSERVABLE,	"NOT OBSERVABLE HERE")	/* nothing that is counted differs */ \
	_(NOT_DETERMINISTIC,	"NOT DETERMINISTIC")	/* two equal runs were not equal */

enum verdict {
#define VERDICT_ENUM(id, word) VERDICT_##id,
	VERDICTS(VERDICT_ENUM)
#undef VERDICT_ENUM
	VERDICT_COUNT
};

const char *verdict_word(enum verdict v);

/* Counts of a whole window, of one variant. */
struct verdict_counts {
	uint64_t ops;		/* packets, pages, calls: what one divides by */
	uint64_t insns, loads, stores, branches;
	uint64_t edge16, edge32;	/* branches that end at or cross a boundary */
	uint64_t l1i, l1d, l2;	/* modelled misses; 0 without the model */
	uint64_t mispredicted;
};

struct verdict_claim {
	double ns;		/* claimed delta of the time of one unit */
	double ops;		/* operations in a unit: packets of a poll */
	double hz;		/* of the core that the claim is about */
	double worst_cpi;	/* cycles that one instruction can cost at most */
	double miss;		/* and what a load or store can cost beyond that; 0: nothing */
};

struct evidence {
	bool same_code;
	bool only_moved;	/* by its kind: a pad, a link order, an alignment */

	bool counted;		/* the count leg ran */
	bool repeatable;	/* twice, with one result */
	const char *parted;	/* where two runs first differ, if not */
	struct verdict_counts a, b;
	bool control;		/* a control workload was counted, too: */
	struct verdict_counts control_a, control_b;

	bool timed;		/* the time leg ran */
	struct stats_result time;	/* A against B */
	bool aa;		/* and A against A before it: */
	struct stats_result aa_time;
	double margin;		/* a fraction; 0: none stated */

	bool claims_stalls;	/* the claim is about what no count can show */
	bool claimed;
	struct verdict_claim claim;
};

struct judgement {
	enum verdict verdict;
	char why[320];		/* one sentence: the evidence */
	bool bounded;		/* there was a claim to hold against a bound: */
	bool plausible;
	double bound_ns;	/* the most that the counted delta can cost a unit */
	char bound[320];
};

/* The first rule that holds decides; see the table in verdict.c. */
void verdict_judge(const struct evidence *e, struct judgement *j);

/* (B - A) / ops of one count; 0 without operations. */
double verdict_delta(uint64_t a, uint64_t b, uint64_t ops);

#endif
