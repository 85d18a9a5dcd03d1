// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The table of formats, and what can be read off it.
 */
#include "format.h"

#define TAG_ONE(ID, id, value) + 1
enum { N_FORMATS = 0 TAG_FORMATS(TAG_ONE) };
#undef TAG_ONE

static const struct tag_format *const formats[] = {
#define TAG_ROW(ID, id, value) &tag_format_##id,
	TAG_FORMATS(TAG_ROW)
#undef TAG_ROW
};

_Static_assert(sizeof(formats) / sizeof(formats[0]) == N_FORMATS,
	       "a format for each line of TAG_FORMATS()");
/* DSA_TAG_PROTO_* of 7.3 are 0..35, of which 12 has no tagger. */
_Static_assert(N_FORMATS == (int)TAG_PROTO_MT7628, "a line for each tagger");

size_t tag_count(void)
{
	return N_FORMATS;
}

const struct tag_format *tag_at(size_t i)
{
	return i < N_FORMATS ? formats[i] : NULL;
}

const struct tag_format *tag_by_name(const char *name)
{
	size_t i;

	for (i = 0; i < N_FORMATS; i++)
		if (!strcmp(formats[i]->spec->name, name))
			return formats[i];
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
static uint32_t layout_ports(const struct tag_layout *l)
{
	const struct tag_field *fd;
	unsigned int i;

	if (l->nports)
		return (1u << l->nports) - 1;
	for (i = 0; i < l->nfields; i++) {
		fd = &l->fields[i];
		if (fd->what == TV_PORTMAP)
			return tag_mask(fd);
		if (fd->what == TV_PORT)
			return fd->width >= 5 ? UINT32_MAX : (1u << (1 << fd->width)) - 1;
	}
	return 0;
}

/* Those that every layout can name. */
uint32_t tag_ports(const struct tag_format *f, enum tag_dir dir)
{
	uint32_t ports = UINT32_MAX;
	unsigned int i;

	for (i = 0; i < TAG_VARIANTS && f->spec->layout[dir][i]; i++)
		ports &= layout_ports(f->spec->layout[dir][i]);
	return ports;
}

bool tag_has_device(const struct tag_format *f, enum tag_dir dir)
{
	const struct tag_layout *l = f->spec->layout[dir][0];
	unsigned int i;

	for (i = 0; i < l->nfields; i++)
		if (l->fields[i].what == TV_DEVICE)
			return true;
	return false;
}
