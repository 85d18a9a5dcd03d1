// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Fuzzes the tag codec.  Input: format, direction and way, 16 bytes of tag
 * meaning, then a frame.
 *
 * Pull first: what comes off a frame, put on again and pulled again, is the
 * same frame and the same meaning.  Push first: what is put on comes off.  A
 * frame that is refused is left as it was, and a reason is given.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tag/format.h"

#define MAX_FRAME	4096

static void check(bool holds)
{
	if (!holds)
		abort();
}

struct input {
	const struct tag_format *f;
	enum tag_dir dir;
	bool push_first;
	struct tag_meta meta;
	const uint8_t *bytes;
	size_t len;
};

static bool read_input(const uint8_t *data, size_t size, struct input *in)
{
	if (size < 18 || size - 18 > MAX_FRAME)
		return false;
	in->f = tag_at(data[0] % tag_count());
	in->dir = data[1] & 1;
	in->push_first = data[1] & 2;
	in->meta = (struct tag_meta) {
		.ports = data[2] | data[3] << 8 | data[4] << 16 | (uint32_t)data[5] << 24,
		.vid = data[6] | data[7] << 8,
		.pcp = data[8], .device = data[9], .bridge = data[10],
		.vlan = data[11] & 1, .dei = data[12] & 1,
		.forward = data[13] & 1, .trap = data[14] & 1,
	};
	in->bytes = data + 18;
	in->len = size - 18;
	return true;
}

static bool same(const struct tag_meta *a, const struct tag_meta *b)
{
	return a->ports == b->ports && a->vid == b->vid && a->pcp == b->pcp &&
	       a->device == b->device && a->bridge == b->bridge && a->vlan == b->vlan &&
	       a->dei == b->dei && a->forward == b->forward && a->trap == b->trap;
}

/* Does @frame begin with @bytes, and go on with zeros? */
static void check_padded(const struct frame *frame, const uint8_t *bytes, size_t len)
{
	size_t i;

	check(frame->len >= len && !memcmp(frame->data, bytes, len));
	for (i = len; i < frame->len; i++)
		check(!frame->data[i]);
}

/* -ERANGE is for formats whose layouts do not hold the same values. */
static bool may_not_fit(const struct input *in)
{
	return in->f->spec->layout[in->dir][1];
}

static void pull_first(const struct input *in)
{
	static uint8_t storage[FRAME_HEADROOM + MAX_FRAME + FRAME_TAILROOM];
	uint8_t stripped[MAX_FRAME];
	struct tag_meta meta, again;
	uint8_t *exact = malloc(in->len + 1);
	struct frame frame = { .data = exact, .len = in->len, .start = exact,
			       .end = exact + in->len };
	const char *why = NULL;
	size_t len;
	int err;

	memcpy(exact, in->bytes, in->len);
	err = tag_pull(in->f, in->dir, &meta, &frame, &why);
	if (err) {
		check(why && *why && frame.len == in->len && frame.data == exact);
		check(!memcmp(exact, in->bytes, in->len));
		free(exact);
		return;
	}
	len = frame.len;
	memcpy(stripped, frame.data, len);
	free(exact);

	frame_init(&frame, storage, sizeof(storage));
	check(!frame_set(&frame, stripped, len));
	err = tag_push(in->f, in->dir, &meta, &frame);
	if (err) {
		check(err == -ERANGE && may_not_fit(in));
		return;
	}
	check(!tag_pull(in->f, in->dir, &again, &frame, NULL));
	check_padded(&frame, stripped, len);
	check(may_not_fit(in) || same(&meta, &again));
}

static void push_first(const struct input *in)
{
	static uint8_t storage[FRAME_HEADROOM + MAX_FRAME + FRAME_TAILROOM];
	struct tag_meta back;
	struct frame frame;

	frame_init(&frame, storage, sizeof(storage));
	check(!frame_set(&frame, in->bytes, in->len));
	if (tag_push(in->f, in->dir, &in->meta, &frame)) {
		check(frame.len == in->len && !memcmp(frame.data, in->bytes, in->len));
		return;
	}
	/* a map of no port is written, and is not a source */
	if (tag_pull(in->f, in->dir, &back, &frame, NULL)) {
		check(in->dir == TAG_TO_CPU && !in->meta.ports);
		return;
	}
	/* the header of a fused format is written anew from the meaning */
	if (in->meta.vlan && in->f->spec->layout[in->dir][0]->fuse)
		check(frame.len >= in->len && !memcmp(frame.data, in->bytes, TAG_ADDRS));
	else
		check_padded(&frame, in->bytes, in->len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in;

	if (!read_input(data, size, &in))
		return 0;
	if (in.push_first)
		push_first(&in);
	else
		pull_first(&in);
	return 0;
}
