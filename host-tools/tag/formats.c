// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The table of formats: compiled before main(), read-only from then on.
 */
#include <stdio.h>
#include <stdlib.h>

#include "format.h"

#define TAG_ONE(ID, id, value) + 1
enum { N_FORMATS = 0 TAG_FORMATS(TAG_ONE) };
#undef TAG_ONE

static const struct tag_spec *const specs[] = {
#define TAG_ROW(ID, id, value) &tag_spec_##id,
	TAG_FORMATS(TAG_ROW)
#undef TAG_ROW
};

static struct tag_format formats[N_FORMATS];

_Static_assert(sizeof(specs) / sizeof(specs[0]) == N_FORMATS,
	       "a format for each line of TAG_FORMATS()");

/* A table that does not compile is a bug in this program, whatever it is used for. */
static void __attribute__((constructor)) compile_formats(void)
{
	const char *why;
	size_t i;

	for (i = 0; i < N_FORMATS; i++) {
		why = tag_compile(specs[i], &formats[i]);
		if (!why)
			continue;
		fprintf(stderr, "tag format %s: %s\n", specs[i]->name, why);
		abort();
	}
}

size_t tag_count(void)
{
	return N_FORMATS;
}

const struct tag_format *tag_at(size_t i)
{
	return i < N_FORMATS ? &formats[i] : NULL;
}

const struct tag_format *tag_by_name(const char *name)
{
	size_t i;

	for (i = 0; i < N_FORMATS; i++)
		if (!strcmp(specs[i]->name, name))
			return &formats[i];
	return NULL;
}

const char *tag_name(const struct tag_format *f)
{
	return f->spec->name;
}

unsigned int tag_proto(const struct tag_format *f)
{
	return f->spec->proto;
}

unsigned int tag_len(const struct tag_format *f, enum tag_dir dir)
{
	const struct tag_layout *l = f->spec->layout[dir][0];

	return l->head + l->tail;
}

/* A number of n bits names 2^n ports, a map of n bits names n. */
static uint32_t prog_ports(const struct tag_prog *p)
{
	unsigned int i;

	for (i = 0; i < p->nmoves; i++) {
		if (p->move[i].val == TV_PORTMAP)
			return p->move[i].cover;
		if (p->move[i].val == TV_PORT)
			return p->move[i].cover >= 31 ? UINT32_MAX :
			       (2u << p->move[i].cover) - 1;
	}
	return 0;
}

/* Those that every layout can name. */
uint32_t tag_ports(const struct tag_format *f, enum tag_dir dir)
{
	uint32_t ports = UINT32_MAX;
	unsigned int i;

	for (i = 0; i < f->nprogs[dir]; i++)
		ports &= prog_ports(&f->prog[dir][i]);
	return ports;
}
