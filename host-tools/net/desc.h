/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Frame descriptions: the language of "tagrig gen" and of "send" in scenarios.
 *
 *	udp 192.0.2.2:7 > 192.0.2.1:9 len 18..1472/7 vlan 1..10 tag edsa port 2
 *
 * One line describes one frame or, with sweeps and "count", many.  They are
 * built one at a time as they are asked for, wrong in exactly the ways that
 * the description says.  "tagrig gen --help" has the whole language.
 *
 * A payload of 8 bytes or more begins with DESC_MAGIC and the frame's number,
 * 32 bits, big-endian, from 0 (or "first") up: a receiver can tell which ones
 * arrived.  The guest's rigload has the same format; DESC_END ends its receiver.
 */
#ifndef TAGRIG_NET_DESC_H
#define TAGRIG_NET_DESC_H

#include <stdint.h>

#include "tag/frame.h"
#include "tag/tag.h"

#define DESC_MAGIC	"TRIG"	/* 4 bytes, without the 0 */
#define DESC_STAMP	8
#define DESC_END	0xffffffffu

struct desc;

struct desc_error {
	char text[512];		/* FILE:LINE:COLUMN: expected ..., found ... */
};

/*
 * Parses @text, which stands at @line and @column (from 1) of @file.  @seed is
 * for everything random, unless the text has a seed of its own.  NULL on
 * error, with @error filled in.  Free with desc_free().
 */
struct desc *desc_parse(const char *text, const char *file, unsigned int line,
			unsigned int column, uint64_t seed,
			struct desc_error *error);

/* Addresses for descriptions that name none; the default is 02:00:00:00:00:02
 * to everybody (ff:ff:ff:ff:ff:ff). */
void desc_default_macs(struct desc *d, const uint8_t dst[6],
		       const uint8_t src[6]);

/*
 * Appends the next frame to @f, which the caller has set up empty with
 * frame_init().  1: there it is; 0: that was the last one; -ENOBUFS: no room;
 * -ERANGE: a value does not fit in the tag (desc_why() says more).
 */
int desc_next(struct desc *d, struct frame *f);

/* After a negative desc_next(): one line. */
const char *desc_why(const struct desc *d);

/* How many frames there are in all. */
uint64_t desc_total(const struct desc *d);

/* The tag that the frames have, and its direction; NULL without. */
const struct tag_format *desc_tag(const struct desc *d, enum tag_dir *dir);

/* NULL is allowed. */
void desc_free(struct desc *d);

/* Reads the number out of a payload; false if it is not one of ours. */
bool desc_stamp(const uint8_t *payload, size_t len, uint32_t *number);

#endif
