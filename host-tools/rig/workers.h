/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Several parts of a run at a time, each in a process of its own, with one
 * KTAP stream as if they had run one after the other.
 *
 * The first part that is not complete is printed as it goes; what the others
 * print meanwhile waits in memory.  A part whose process dies counts as one
 * failure, and what it had printed stays.
 */
#ifndef TAGRIG_RIG_WORKERS_H
#define TAGRIG_RIG_WORKERS_H

#include "ktap.h"
#include "loop.h"
#include "slots.h"

struct workers {
	struct ktap *ktap;
	struct loop *loop;	/* the parent's; a worker makes its own */
	unsigned int at_once;
	/* Each worker needs one of these, which we hold for it as .holder; or NULL. */
	struct slots *slots;
	unsigned int holder;
	/* Worker @i is holder @i of these: it may die with some; or NULL. */
	struct slots *theirs;
	/*
	 * In the worker: does part @i with results through @k, one level of it.
	 * What it returns (a new reference, or NULL) reaches done().
	 */
	json_t *(*work)(void *ctx, unsigned int i, struct ktap *k);
	/* In the parent, in order of @i. */
	void (*done)(void *ctx, unsigned int i, json_t *extra);
	const char *(*name)(void *ctx, unsigned int i);
	void *ctx;
};

/* Does parts 0..@n-1.  0, -EINTR when a signal ended it, other negative errno. */
int workers_run(struct workers *w, unsigned int n);

#endif
