// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Is a format's table one that the mover can run?  The mover trusts it; the
 * tests run this over every format.
 */
#include "format.h"

static const char *check_field(const struct tag_layout *l, const struct tag_field *fd,
			       uint64_t used[TAG_WORDS])
{
	unsigned int head = l->head * 8, all = head + l->tail * 8;
	unsigned int base = fd->off < head ? fd->off / 64 * 64 : head;
	unsigned int span = fd->off < head ? head - base : all - head;
	uint64_t bits;

	if (!fd->width || fd->width > 32 || fd->off >= all ||
	    fd->off - base + fd->width > (span < 64 ? span : 64))
		return "a field is outside the tag or across a word";
	if (tag_is_constant(fd) && fd->value & ~tag_mask(fd))
		return "a constant is wider than its field";
	bits = (uint64_t)tag_mask(fd) << tag_shift(l, fd);
	if (used[tag_word(l, fd)] & bits)
		return "two fields share a bit";
	used[tag_word(l, fd)] |= bits;
	return NULL;
}

static const char *check_layout(const struct tag_layout *l)
{
	const struct tag_field etype = {
		"ethertype", .off = 0, .width = 16, .what = TV_CONST, .value = l->etype,
	};
	uint64_t used[TAG_WORDS] = { 0 };
	const char *why = NULL;
	unsigned int i;

	if (l->head > (TAG_WORDS - 1) * 8 || l->tail > 8)
		return "the tag is too long";
	if (l->nfields > TAG_MAX_FIELDS)
		return "the table is too long";
	if (l->etype)
		why = check_field(l, &etype, used);
	for (i = 0; !why && i < l->nfields; i++)
		why = check_field(l, &l->fields[i], used);
	return why;
}

const char *tag_check(const struct tag_spec *spec)
{
	const char *why = NULL;
	unsigned int dir, i;

	for (dir = 0; dir < 2; dir++) {
		if (!spec->layout[dir][0])
			return "a direction has no layout";
		for (i = 0; !why && i < TAG_VARIANTS && spec->layout[dir][i]; i++)
			why = check_layout(spec->layout[dir][i]);
	}
	return why;
}
