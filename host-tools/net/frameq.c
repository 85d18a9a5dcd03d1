// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Queues of frames: one buffer, with frames behind each other.  What was taken
 * from its front is reclaimed when the end is reached, by moving the rest if
 * that is at most half of it, and else by doubling.
 */
#include <stdlib.h>

#include "net/frameq.h"

#define LENGTH	4
#define SMALLEST 4096

static uint32_t length_at(const struct frameq *q, size_t at)
{
	uint32_t len;

	memcpy(&len, q->buf + at, LENGTH);
	return len;
}

/* Room for @len bytes at the end. */
static int make_room(struct frameq *q, size_t len)
{
	size_t used = q->end - q->start, size = q->size ? q->size : SMALLEST;
	uint8_t *bigger;

	if (q->size - q->end >= len)
		return 0;
	if (q->start >= used && q->size - used >= len) {
		memmove(q->buf, q->buf + q->start, used);
	} else {
		while (size - used < len || size < 2 * used)
			size *= 2;
		bigger = malloc(size);
		if (!bigger)
			return -ENOMEM;
		if (used)
			memcpy(bigger, q->buf + q->start, used);
		free(q->buf);
		q->buf = bigger;
		q->size = size;
	}
	q->start = 0;
	q->end = used;
	return 0;
}

int frameq_push(struct frameq *q, const struct frame *f)
{
	uint32_t len = f->len;
	int err;

	if (f->len > FRAME_MAX)
		return -EMSGSIZE;
	err = make_room(q, LENGTH + f->len);
	if (err)
		return err;
	memcpy(q->buf + q->end, &len, LENGTH);
	memcpy(q->buf + q->end + LENGTH, f->data, f->len);
	q->end += LENGTH + f->len;
	q->frames++;
	return 0;
}

int frameq_peek(const struct frameq *q, struct frame *f)
{
	if (!q->frames)
		return 0;
	f->start = f->data = q->buf + q->start + LENGTH;
	f->len = length_at(q, q->start);
	f->end = f->data + f->len;
	return 1;
}

void frameq_drop(struct frameq *q)
{
	if (!q->frames)
		return;
	q->start += LENGTH + length_at(q, q->start);
	if (!--q->frames)
		q->start = q->end = 0;
}

int frameq_pop(struct frameq *q, struct frame *f)
{
	struct frame first;

	if (!frameq_peek(q, &first))
		return 0;
	if (frame_set(f, first.data, first.len))
		return -ENOBUFS;
	frameq_drop(q);
	return 1;
}

unsigned int frameq_clear(struct frameq *q)
{
	unsigned int n = q->frames;

	q->start = q->end = 0;
	q->frames = 0;
	return n;
}

void frameq_free(struct frameq *q)
{
	free(q->buf);
	memset(q, 0, sizeof(*q));
}
