/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A frame in memory: Ethernet from the first byte of the destination address,
 * without preamble and without FCS, with room around it for tags.
 *
 * Whoever owns the storage sets it up once with frame_init(); tags then grow
 * and shrink the frame in place.  frame_push() and frame_put() are the only
 * bounds checks: everything that makes a frame longer goes through them.
 */
#ifndef TAGRIG_TAG_FRAME_H
#define TAGRIG_TAG_FRAME_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define FRAME_HEADROOM	64	/* >= the longest head tag, and a VLAN header */
#define FRAME_TAILROOM	128	/* >= padding to 60 bytes and the longest tail tag */
#define FRAME_MAX	65536	/* longest frame that the rig carries, with tags */
#define FRAME_STORAGE	(FRAME_HEADROOM + FRAME_MAX + FRAME_TAILROOM)

struct frame {
	uint8_t *data;		/* destination address, or a tag before it */
	size_t len;
	uint8_t *start;		/* storage: start <= data, data + len <= end */
	uint8_t *end;
};

/* An empty frame in @storage (of @size bytes), with the usual headroom. */
static inline void frame_init(struct frame *f, void *storage, size_t size)
{
	size_t head = size < FRAME_HEADROOM ? size : FRAME_HEADROOM;

	f->start = storage;
	f->end = f->start + size;
	f->data = f->start + head;
	f->len = 0;
}

/* Makes the frame @n bytes longer in front; -ENOBUFS without the headroom. */
static inline int frame_push(struct frame *f, size_t n)
{
	if ((size_t)(f->data - f->start) < n)
		return -ENOBUFS;
	f->data -= n;
	f->len += n;
	return 0;
}

/* Takes @n bytes off the front; -EMSGSIZE when there are fewer. */
static inline int frame_pull(struct frame *f, size_t n)
{
	if (f->len < n)
		return -EMSGSIZE;
	f->data += n;
	f->len -= n;
	return 0;
}

/* Makes the frame @n bytes longer at the end; -ENOBUFS without the room. */
static inline int frame_put(struct frame *f, size_t n)
{
	if ((size_t)(f->end - f->data) - f->len < n)
		return -ENOBUFS;
	f->len += n;
	return 0;
}

/* Cuts the frame to @len bytes; -EMSGSIZE when it is shorter. */
static inline int frame_trim(struct frame *f, size_t len)
{
	if (f->len < len)
		return -EMSGSIZE;
	f->len = len;
	return 0;
}

/* Copies @len bytes in as the whole frame; -ENOBUFS when they do not fit. */
static inline int frame_set(struct frame *f, const void *bytes, size_t len)
{
	f->len = 0;
	if (frame_put(f, len))
		return -ENOBUFS;
	memcpy(f->data, bytes, len);
	return 0;
}

#endif
