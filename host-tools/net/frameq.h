/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A queue of frames, first in, first out: where frames wait while the other
 * side takes none.
 *
 * It grows as it must.  Its limit is a mark, not an end: a sender that asks
 * frameq_is_full() first stops there, and one frame more is never lost.
 */
#ifndef TAGRIG_NET_FRAMEQ_H
#define TAGRIG_NET_FRAMEQ_H

#include "tag/frame.h"

struct frameq {
	uint8_t *buf;		/* a length of four bytes, then the frame */
	size_t size, start, end;
	size_t limit;		/* bytes, lengths included */
	unsigned int frames;
};

static inline bool frameq_is_empty(const struct frameq *q)
{
	return !q->frames;
}

static inline bool frameq_is_full(const struct frameq *q)
{
	return q->end - q->start >= q->limit;
}

/* Appends a copy of @f; -ENOMEM, or -EMSGSIZE for more than FRAME_MAX bytes. */
int frameq_push(struct frameq *q, const struct frame *f);

/*
 * The oldest frame, copied into @f, which is set up empty.  1, or 0 when there
 * is none; -ENOBUFS: no room in @f, and the frame stays.
 */
int frameq_pop(struct frameq *q, struct frame *f);

/* Looks at the oldest frame where it lies, without room around it: 1 or 0. */
int frameq_peek(const struct frameq *q, struct frame *f);

/* Removes the oldest frame, if there is one. */
void frameq_drop(struct frameq *q);

/* Removes all; returns how many there were. */
unsigned int frameq_clear(struct frameq *q);

void frameq_free(struct frameq *q);

#endif
