// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From a format's table to words, shifts and masks (see format.h).
 *
 * The bytes of a tag are cut into words of up to 64 bits, head and tail apart;
 * each word is right-aligned, so that a 4-byte tag is a number below 2^32.
 * Everything constant goes into one fill word, everything that a reader must
 * find into one check mask; what is left are the moves.
 */
#include <limits.h>

#include "format.h"

struct place {
	uint8_t word, shift;
};

static unsigned int min_bits(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

/* Where bit run @fd of layout @l lies; false when it crosses a word or an end. */
static bool place_field(const struct tag_layout *l, const struct tag_field *fd,
			struct place *pl)
{
	unsigned int head = l->head * 8, all = head + l->tail * 8;
	unsigned int base = fd->off < head ? 0 : head;
	unsigned int span = fd->off < head ? head : all - head;
	unsigned int in = fd->off - base, bits;

	if (fd->off >= all)
		return false;
	bits = min_bits(64, span - in / 64 * 64);
	if (in % 64 + fd->width > bits)
		return false;
	pl->word = (base ? (head + 63) / 64 : 0) + in / 64;
	pl->shift = bits - in % 64 - fd->width;
	return true;
}

static uint32_t ones(unsigned int width)
{
	return width >= 32 ? UINT32_MAX : (1u << width) - 1;
}

static const char *add_constant(struct tag_prog *p, const struct tag_field *fd,
				struct place pl)
{
	if (fd->value & ~ones(fd->width))
		return "a constant is wider than its field";
	p->fill[pl.word] |= (uint64_t)fd->value << pl.shift;
	if (fd->what == TV_CONST)
		p->check[pl.word] |= (uint64_t)ones(fd->width) << pl.shift;
	return NULL;
}

static const char *add_move(struct tag_prog *p, const struct tag_field *fd,
			    struct place pl)
{
	struct tag_move *m;

	if (fd->codes) {
		if (p->ncodes == sizeof(p->code) / sizeof(p->code[0]))
			return "too many fields of codes";
		m = &p->code[p->ncodes++];
	} else {
		if (p->nmoves == TAG_MOVES)
			return "too many fields";
		m = &p->move[p->nmoves++];
	}
	*m = (struct tag_move) {
		.word = pl.word, .shift = pl.shift, .from = fd->from,
		.val = fd->what, .mask = ones(fd->width), .field = fd,
	};
	p->carries |= 1u << fd->what;
	return NULL;
}

/* A value in two pieces fits when it fits the two together. */
static void set_covers(struct tag_prog *p)
{
	uint32_t cover[TV_COUNT] = { 0 };
	unsigned int i;

	for (i = 0; i < p->nmoves; i++)
		cover[p->move[i].val] |= p->move[i].mask << p->move[i].from;
	for (i = 0; i < p->nmoves; i++)
		p->move[i].cover = cover[p->move[i].val];
}

static const char *add_field(struct tag_prog *p, const struct tag_field *fd,
			     uint64_t used[TAG_WORDS])
{
	struct place pl;
	uint64_t bits;

	if (fd->width > 32 || !place_field(p->layout, fd, &pl))
		return "a field is outside the tag or across a word";
	bits = (uint64_t)ones(fd->width) << pl.shift;
	if (used[pl.word] & bits)
		return "two fields share a bit";
	used[pl.word] |= bits;
	if (fd->what == TV_CONST || fd->what == TV_FILL)
		return add_constant(p, fd, pl);
	return add_move(p, fd, pl);
}

static const char *compile_layout(const struct tag_layout *l, struct tag_prog *p)
{
	struct tag_field etype = {
		"ethertype", .off = 0, .width = 16, .what = TV_CONST,
		.value = l->etype,
	};
	uint64_t used[TAG_WORDS] = { 0 };
	const struct tag_field *fd;
	const char *why = NULL;

	*p = (struct tag_prog) { .layout = l };
	p->nwords = (l->head + 7) / 8 + (l->tail + 7) / 8;
	if (p->nwords > TAG_WORDS || l->tail > 8)
		return "the tag is too long";
	if (l->etype)
		why = add_field(p, &etype, used);
	for (fd = l->fields; !why && fd && fd->width; fd++)
		why = add_field(p, fd, used);
	set_covers(p);
	if (!why && l->etype_alt)
		p->alt = (uint64_t)(l->etype ^ l->etype_alt) <<
			 (min_bits(8, l->head) * 8 - 16);
	return why;
}

const char *tag_compile(const struct tag_spec *spec, struct tag_format *f)
{
	const char *why;
	unsigned int dir, i;

	*f = (struct tag_format) { .spec = spec };
	for (dir = 0; dir < 2; dir++) {
		for (i = 0; i < TAG_VARIANTS && spec->layout[dir][i]; i++) {
			why = compile_layout(spec->layout[dir][i], &f->prog[dir][i]);
			if (why)
				return why;
		}
		f->nprogs[dir] = i;
	}
	return f->nprogs[0] && f->nprogs[1] ? NULL : "a direction has no layout";
}
