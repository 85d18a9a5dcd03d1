/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Formats that are wrong on purpose, for the tests of the tests: a copy of a
 * format's tables in which the field that names the port is a bit off.
 *
 * A test of the codec that passes with a mutant does not test what it says.
 */
#ifndef TAGRIG_TESTS_MUTANT_H
#define TAGRIG_TESTS_MUTANT_H

#include "tag/format.h"

/* A format whose tables can be written to. */
struct mutant {
	struct tag_spec spec;
	struct tag_layout layout[2][TAG_VARIANTS];
	struct tag_field fields[2][TAG_VARIANTS][TAG_MAX_FIELDS];
	struct tag_format format;
};

static inline void copy_format(struct mutant *m, const struct tag_format *f)
{
	const struct tag_layout *l;
	unsigned int dir, v;

	m->spec = *f->spec;
	for (dir = 0; dir < 2; dir++)
		for (v = 0; v < TAG_VARIANTS && f->spec->layout[dir][v]; v++) {
			l = f->spec->layout[dir][v];
			m->layout[dir][v] = *l;
			if (l->nfields)
				memcpy(m->fields[dir][v], l->fields,
				       l->nfields * sizeof(*l->fields));
			m->layout[dir][v].fields = m->fields[dir][v];
			m->spec.layout[dir][v] = &m->layout[dir][v];
		}
	m->format = tag_interpret(&m->spec);
}

/* A bit to the left, or to the right, or narrower: what its word has room for. */
static inline void move_field(const struct tag_layout *l, struct tag_field *fd)
{
	unsigned int head = l->head * 8, all = head + l->tail * 8;
	unsigned int base = fd->off < head ? fd->off / 64 * 64 : head;
	unsigned int end = fd->off < head ? (base + 64 < head ? base + 64 : head) : all;

	if (fd->off > base)
		fd->off--;
	else if (fd->off + fd->width < end)
		fd->off++;
	else
		fd->width--;
}

/*
 * Makes @m of @f, with the port's field a bit off in every layout of direction
 * @dir.  False: no field of it names a port.
 */
static inline bool make_mutant(struct mutant *m, const struct tag_format *f, enum tag_dir dir)
{
	struct tag_field *fd;
	unsigned int v, i;
	bool made = false;

	copy_format(m, f);
	for (v = 0; v < TAG_VARIANTS && m->spec.layout[dir][v]; v++)
		for (i = 0; i < m->layout[dir][v].nfields; i++) {
			fd = &m->fields[dir][v][i];
			if (fd->what != TV_PORT && fd->what != TV_PORTMAP)
				continue;
			move_field(&m->layout[dir][v], fd);
			made = true;
		}
	return made;
}

#endif
