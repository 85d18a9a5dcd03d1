// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A stream in pieces of any size, its frames grown and overwritten while they
 * are lent out, gives the same frames as reading it in one go.
 *
 * The input: one byte of seed for the sizes of the pieces, then the stream.
 */
#include <stdlib.h>
#include <string.h>

#include "net/stream.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int holds)
{
	if (!holds)
		abort();
}

/* Where the plain reading of the stream is. */
struct plain {
	const uint8_t *data;
	size_t size, at;
};

/* 1: a frame of *@len bytes at *@bytes; 0: not whole; -1: no such length. */
static int plain_next(struct plain *p, const uint8_t **bytes, size_t *len)
{
	const uint8_t *h = p->data + p->at;

	if (p->size - p->at < 4)
		return 0;
	*len = (size_t)h[0] << 24 | h[1] << 16 | h[2] << 8 | h[3];
	if (!*len || *len > FRAME_MAX)
		return -1;
	if (p->size - p->at - 4 < *len)
		return 0;
	*bytes = h + 4;
	p->at += 4 + *len;
	return 1;
}

static void scribble(struct frame *f)
{
	require(frame_push(f, FRAME_HEADROOM) == 0);
	require(frame_put(f, FRAME_TAILROOM) == 0);
	memset(f->data, 0xa5, f->len);
}

/* False when the stream is out of step. */
static bool drain(struct stream *s, struct plain *p)
{
	const uint8_t *want = NULL;
	struct frame f;
	size_t len = 0;
	int got;

	while ((got = stream_next(s, &f)) == 1) {
		require(plain_next(p, &want, &len) == 1);
		require(f.len == len && !memcmp(f.data, want, len));
		scribble(&f);
	}
	if (got < 0)
		require(plain_next(p, &want, &len) == -1 && *stream_error(s));
	return got == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *want;
	static struct stream *s;	/* half a megabyte: made once */
	struct plain p;
	unsigned int seed;
	size_t at = 0, len;
	bool in_step = true;

	if (!size)
		return 0;
	if (s)
		stream_restart(s, -1);
	else
		require(stream_new(-1, &s) == 0);
	seed = *data;
	p = (struct plain){ data + 1, size - 1, 0 };
	while (in_step && at < p.size) {
		size_t n = 1 + rand_r(&seed) % 300;

		n = n < p.size - at ? n : p.size - at;
		at += stream_feed(s, p.data + at, n);
		in_step = drain(s, &p);
	}
	if (in_step)
		require(plain_next(&p, &want, &len) == 0);
	return 0;
}
