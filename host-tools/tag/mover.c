// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What every format's copy of the mover (mover.h) shares: the entry points, the
 * copy that interprets a table, and the words for a frame that was refused.
 */
#include <stdarg.h>
#include <stdio.h>

#define TAG_NO_UNROLL
#include "format.h"

int tag_push(const struct tag_format *f, enum tag_dir dir,
	     const struct tag_meta *meta, struct frame *frame)
{
	return f->push[dir](f->spec, meta, frame);
}

bool tag_meta_vlan(const struct tag_format *f, enum tag_dir dir,
		   struct tag_meta *meta, const struct frame *frame)
{
	uint16_t tci;

	meta->vlan = tag_fused(f->spec->layout[dir][0], frame);
	if (!meta->vlan)
		return false;
	tci = tag_be16(frame->data + TAG_ETH_HLEN);
	meta->vid = tci & 0xfff;
	meta->dei = tci >> 12 & 1;
	meta->pcp = tci >> 13;
	return true;
}

/* -- why a tag was refused --------------------------------------------------- */

/* One buffer a thread, so that no caller has to free. */
static const char *say(const struct tag_spec *spec, const char *fmt, ...)
{
	static _Thread_local char buf[160];
	int n = snprintf(buf, sizeof(buf), "%s: ", spec->name);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(buf + n, sizeof(buf) - n, fmt, ap);
	va_end(ap);
	return buf;
}

/* Which constant is not what it should be. */
static const char *say_mismatch(const struct tag_spec *spec, const struct tag_layout *l,
				const struct frame *frame)
{
	const struct tag_field *fd;
	uint64_t w[TAG_WORDS] = { 0 };
	unsigned int i, etype;

	tag_load_words(l, frame, w);
	if (l->etype) {
		etype = w[0] >> tag_etype_shift(l) & 0xffff;
		if (etype != l->etype && etype != l->etype_alt)
			return say(spec, "EtherType 0x%04x, expected 0x%04x", etype, l->etype);
	}
	for (i = 0; i < l->nfields; i++) {
		fd = &l->fields[i];
		if (fd->what == TV_CONST && tag_get(l, fd, w) != fd->value)
			return say(spec, "%s is 0x%x, expected 0x%x", fd->name,
				   tag_get(l, fd, w), fd->value);
	}
	return say(spec, "not this tag");
}

/* A frame whose constants match layout @l: what else was wrong. */
static const char *say_value(const struct tag_spec *spec, const struct tag_layout *l,
			     const struct frame *frame, const uint64_t *w)
{
	const struct tag_field *fd;
	const char *reason;
	struct tag_vals vals;
	uint32_t val = 0;
	unsigned int i;

	for (i = 0; i < l->nfields; i++) {
		fd = &l->fields[i];
		if (fd->codes && !tag_unpack_code(fd, tag_get(l, fd, w), &val))
			return say(spec, "%s is 0x%x, which has no meaning here", fd->name,
				   tag_get(l, fd, w));
	}
	tag_unpack(l, w, &vals);
	reason = l->parse ? l->parse(&vals, frame) : NULL;
	if (reason)
		return say(spec, "%s", reason);
	if (vals.port > 31)
		return say(spec, "port %u: no switch has so many", vals.port);
	return say(spec, "no source port");
}

static const char *explain(const struct tag_spec *spec, enum tag_dir dir,
			   const struct frame *frame)
{
	const struct tag_layout *l;
	uint64_t w[TAG_WORDS] = { 0 };
	unsigned int i;

	if (!tag_fits(spec->layout[dir][0], frame))
		return say(spec, "%zu bytes are too short for the tag and an Ethernet header",
			   frame->len);
	for (i = TAG_VARIANTS; i-- > 0; ) {
		l = spec->layout[dir][i];
		if (!l || !tag_fits(l, frame))
			continue;
		tag_load_words(l, frame, w);
		if (tag_matches(l, w))
			return say_value(spec, l, frame, w);
	}
	return say_mismatch(spec, spec->layout[dir][0], frame);
}

int tag_pull(const struct tag_format *f, enum tag_dir dir,
	     struct tag_meta *meta, struct frame *frame, const char **why)
{
	int err = f->pull[dir](f->spec, meta, frame);

	if (err && why)
		*why = explain(f->spec, dir, frame);
	return err;
}

/* -- the copy for any table --------------------------------------------------- */

static int push_from_cpu(const struct tag_spec *spec, const struct tag_meta *meta,
			 struct frame *frame)
{
	return tag_mover_push(spec, TAG_FROM_CPU, meta, frame);
}

static int push_to_cpu(const struct tag_spec *spec, const struct tag_meta *meta,
		       struct frame *frame)
{
	return tag_mover_push(spec, TAG_TO_CPU, meta, frame);
}

static int pull_from_cpu(const struct tag_spec *spec, struct tag_meta *meta,
			 struct frame *frame)
{
	return tag_mover_pull(spec, TAG_FROM_CPU, meta, frame);
}

static int pull_to_cpu(const struct tag_spec *spec, struct tag_meta *meta,
		       struct frame *frame)
{
	return tag_mover_pull(spec, TAG_TO_CPU, meta, frame);
}

struct tag_format tag_interpret(const struct tag_spec *spec)
{
	return (struct tag_format) {
		.spec = spec,
		.push = { push_from_cpu, push_to_cpu },
		.pull = { pull_from_cpu, pull_to_cpu },
	};
}
