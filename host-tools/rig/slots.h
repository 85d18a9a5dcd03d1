/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A number of slots that several processes share: who wants to run a guest takes
 * one and gives it back.  Made before the processes are forked.
 *
 * Each process that takes slots is a holder with a number.  What a holder has is
 * known to all, so that its slots can be had back when it was killed.
 */
#ifndef TAGRIG_RIG_SLOTS_H
#define TAGRIG_RIG_SLOTS_H

#include <stdbool.h>

struct slots {
	int fd;			/* readable while a slot is free */
	int back;
	unsigned int *held;	/* shared memory, one number a holder */
	unsigned int holders;
};

/* 0 or a negative errno. */
int slots_open(struct slots *s, unsigned int slots, unsigned int holders);
void slots_close(struct slots *s);

/* Takes a slot; false when none is free. */
bool slots_take(struct slots *s, unsigned int holder);
void slots_give(struct slots *s, unsigned int holder);

/* Gives back what @holder, which has ended, still has. */
void slots_reclaim(struct slots *s, unsigned int holder);

#endif
