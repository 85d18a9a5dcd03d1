// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Two builds, symbol by symbol: the numbers that a patch submission is asked
 * for, as the kernel's scripts/bloat-o-meter (default mode) gives them.
 *
 * Left out: common symbols, which the kernel's -fno-common has none of.
 */
#include <stdlib.h>
#include <string.h>

#include "lab/elf.h"

/* Generated symbols that say nothing about the code. */
static bool is_generated(const char *name)
{
	static const char *const prefixes[] = {
		"__mod_", "__se_sys", "__se_compat_sys", "__addressable_",
	};
	size_t i;

	for (i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
		if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
			return true;
	return !strcmp(name, "linux_banner") || !strcmp(name, "vermagic");
}

/* Statics get .NUMBER from the compiler, another one in each build. */
static char *plain_name(const char *name)
{
	char *out = malloc(strlen(name) + 1), *p = out;

	while (out && *name) {
		size_t digits = *name == '.' ? strspn(name + 1, "0123456789") : 0;

		if (digits)
			name += 1 + digits;
		else
			*p++ = *name++;
	}
	if (out)
		*p = '\0';
	return out;
}

struct entry {
	char *name;
	int64_t size;
};

struct sizes {
	struct entry *e;
	size_t n;
	int64_t total;
};

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct entry *)a)->name, ((const struct entry *)b)->name);
}

static void merge_equal(struct sizes *s)
{
	size_t i, n = 0;

	for (i = 0; i < s->n; i++) {
		if (n && !strcmp(s->e[n - 1].name, s->e[i].name)) {
			s->e[n - 1].size += s->e[i].size;
			free(s->e[i].name);
		} else {
			s->e[n++] = s->e[i];
		}
	}
	s->n = n;
}

static void free_sizes(struct sizes *s)
{
	while (s->n)
		free(s->e[--s->n].name);
	free(s->e);
}

static int get_sizes(const struct elf_image *img, struct sizes *s)
{
	size_t i;

	*s = (struct sizes){ .e = calloc(elf_count(img) + 1, sizeof(*s->e)) };
	for (i = 0; s->e && i < elf_count(img); i++) {
		const struct elf_sym *sym = elf_at(img, i);

		if (!sym->size || !elf_in_memory(img, sym) || is_generated(sym->name))
			continue;
		s->e[s->n].name = plain_name(sym->name);
		if (!s->e[s->n].name)
			return -1;
		s->e[s->n++].size = sym->size;
		s->total += sym->size;
	}
	if (!s->e)
		return -1;
	qsort(s->e, s->n, sizeof(*s->e), by_name);
	merge_equal(s);
	return 0;
}

static void add_row(struct bloat *b, char **name, int64_t before, int64_t after)
{
	int64_t delta = after - before;

	if (!delta)
		return;
	b->added += !before;
	b->removed += !after;
	b->grew += before && delta > 0;
	b->shrank += after && delta < 0;
	*(delta > 0 ? &b->up : &b->down) += delta;
	b->rows[b->n++] = (struct bloat_row){ .name = *name, .before = before, .after = after };
	*name = NULL;				/* the row owns it now */
}

static void join(struct bloat *b, struct sizes *x, struct sizes *y)
{
	size_t i = 0, k = 0;
	int c;

	while (i < x->n || k < y->n) {
		c = i == x->n ? 1 : k == y->n ? -1 : strcmp(x->e[i].name, y->e[k].name);
		if (c < 0) {
			add_row(b, &x->e[i].name, x->e[i].size, 0);
			i++;
		} else if (c > 0) {
			add_row(b, &y->e[k].name, 0, y->e[k].size);
			k++;
		} else {
			add_row(b, &x->e[i].name, x->e[i].size, y->e[k].size);
			i++;
			k++;
		}
	}
}

static int by_growth(const void *a, const void *b)
{
	const struct bloat_row *x = a, *y = b;
	int64_t dx = x->after - x->before, dy = y->after - y->before;

	return dx != dy ? (dx < dy) - (dx > dy) : strcmp(x->name, y->name);
}

struct bloat *elf_bloat(const struct elf_image *before, const struct elf_image *after)
{
	struct bloat *b = calloc(1, sizeof(*b));
	struct sizes x = { 0 }, y = { 0 };

	if (b && !get_sizes(before, &x) && !get_sizes(after, &y))
		b->rows = calloc(x.n + y.n + 1, sizeof(*b->rows));
	if (b && b->rows) {
		b->total_before = x.total;
		b->total_after = y.total;
		join(b, &x, &y);
		qsort(b->rows, b->n, sizeof(*b->rows), by_growth);
	} else {
		free(b);
		b = NULL;
	}
	free_sizes(&x);
	free_sizes(&y);
	return b;
}

void bloat_free(struct bloat *b)
{
	size_t i;

	if (!b)
		return;
	for (i = 0; i < b->n; i++)
		free((char *)b->rows[i].name);
	free(b->rows);
	free(b);
}
