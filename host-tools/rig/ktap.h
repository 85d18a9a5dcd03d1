/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * KTAP on stdout, and the same results as JSON.
 *
 * Results nest: a run holds kernels, a kernel holds scenarios, a scenario
 * holds checks.  Each level is printed when it is complete enough to be
 * printed, so that a reader sees a check the moment it is decided, and a run
 * that is cut short has said everything that it knew.
 *
 * Totals count the innermost checks only: an "ok" of a level that has levels
 * below it is a summary and not one more test.
 */
#ifndef TAGRIG_RIG_KTAP_H
#define TAGRIG_RIG_KTAP_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

enum ktap_result {
	KTAP_PASS,
	KTAP_FAIL,
	KTAP_SKIP,
	KTAP_XFAIL,		/* failed as its label says it must: counts as passed */
};

struct ktap_totals {
	unsigned int passed;
	unsigned int failed;
	unsigned int skipped;
	unsigned int xfailed;	/* part of passed */
};

#define KTAP_DEPTH 4

struct ktap {
	FILE *out;		/* stdout */
	FILE *copy;		/* the same text into a file, or NULL */
	unsigned int depth;
	struct ktap_level {
		unsigned int count;
		struct ktap_totals totals;	/* of this level and below */
		json_t *results;		/* array */
		char name[128];
	} level[KTAP_DEPTH];
};

/* Opens the outermost level.  @copy may be NULL; both streams stay the caller's. */
void ktap_begin(struct ktap *k, FILE *out, FILE *copy);

/* One level down and back up; up prints the summary line of the level. */
void ktap_down(struct ktap *k, const char *name);
void ktap_up(struct ktap *k);

/* One check.  @why may be NULL; @detail (may be NULL) is consumed into the JSON. */
void ktap_check(struct ktap *k, enum ktap_result result, const char *name,
		const char *why, json_t *detail);

/* The last result of this level as JSON, borrowed; NULL when there is none. */
json_t *ktap_last(struct ktap *k);

/* A diagnostic line ("# ..."), which says something and decides nothing. */
void ktap_note(struct ktap *k, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Plan and closing line "N passed, N failed, N skipped".  Returns everything
 * as JSON (a new reference); @totals may be NULL.
 */
json_t *ktap_end(struct ktap *k, struct ktap_totals *totals);

/*
 * For a part of a run in a process of its own: ktap_fork() in the child makes
 * @k print to @out as result @index + 1 of its level, ktap_forked() gives what
 * ktap_adopt() in the parent takes in.  The text reaches the parent's streams
 * through ktap_raw().
 */
void ktap_fork(struct ktap *k, FILE *out, unsigned int index);
json_t *ktap_forked(struct ktap *k);
void ktap_adopt(struct ktap *k, json_t *forked);
void ktap_raw(struct ktap *k, const char *text, size_t len);

#endif
