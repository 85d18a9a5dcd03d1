// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes the symbol list: see symlist.h.
 *
 * Ranges must not overlap, so that each instruction belongs to one symbol:
 * symbols are taken in order of address, of aliases one name (functions before
 * labels, globals before statics, then by alphabet), and a range ends where the
 * next one begins.  A symbol without a size reaches to the next one.
 *
 * What the plugin must know of a kernel's entry code is a table: arm64 has one
 * vector table; x86 has its entries by name (arch/x86/entry/entry_64.S,
 * arch/x86/include/asm/idtentry.h).
 */
#include "lab/symlist.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct range {
	uint64_t start, end;
	const char *name;
	unsigned int rank;	/* of its name among aliases: lowest first */
};

struct ranges {
	struct range *v;
	size_t n;
};

static const struct {
	const char *arch, *pattern;
	char flag;
} entries[] = {
	{ "arm64",  "vectors",			'v' },
	{ "arm64",  "cpu_switch_to",		's' },
	{ "x86_64", "__switch_to_asm",		's' },
	{ "x86_64", "asm_exc_*",		'e' },
	{ "x86_64", "asm_sysvec_*",		'i' },
	{ "x86_64", "asm_common_interrupt",	'i' },
	{ "x86_64", "asm_spurious_interrupt",	'i' },
	{ "x86_64", "entry_SYSCALL_64",		'e' },
};

static int by_start(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return strcmp(x->name, y->name);
}

static int add(struct ranges *r, const struct elf_sym *s, uint64_t base)
{
	struct range *v = realloc(r->v, (r->n + 1) * sizeof(*v));

	if (!v)
		return -ENOMEM;
	r->v = v;
	v[r->n++] = (struct range){
		.start = base + s->addr, .end = base + s->addr + s->size,
		.name = s->name, .rank = !s->function * 2 + !s->global,
	};
	return 0;
}

/* Labels inside of functions are not symbols to be charged. */
static bool is_code(const struct elf_sym *s)
{
	return s->code && (s->function || s->global || s->size) && strncmp(s->name, ".L", 2);
}

static int add_vmlinux(struct ranges *r, const struct elf_image *img)
{
	size_t i;

	for (i = 0; i < elf_count(img); i++)
		if (is_code(elf_at(img, i)) && add(r, elf_at(img, i), 0))
			return -ENOMEM;
	return 0;
}

static int add_module(struct ranges *r, const struct symlist_module *m)
{
	const struct elf_sym *s;
	const char *section;
	bool code;
	size_t i;

	for (i = 0; i < elf_count(m->img); i++) {
		s = elf_at(m->img, i);
		section = elf_section(m->img, s->section, &code);
		if (is_code(s) && section && !strcmp(section, m->section) &&
		    add(r, s, m->addr))
			return -ENOMEM;
	}
	return 0;
}

static bool matches(const char *name, const char *const *list, size_t n)
{
	while (n--)
		if (elf_is_clone(name, list[n]))
			return true;
	return false;
}

static void flags_of(const struct symlist_request *req, const char *name, char *flags)
{
	const char *arch = elf_arch(req->vmlinux);
	char *f = flags;
	size_t i;

	if (matches(name, req->watched, req->n_watched))
		*f++ = 'w';
	if (req->window && !strcmp(name, req->window))
		*f++ = 'o';
	for (i = 0; i < sizeof(entries) / sizeof(entries[0]); i++)
		if (!strcmp(entries[i].arch, arch) && !fnmatch(entries[i].pattern, name, 0))
			*f++ = entries[i].flag;
	if (f == flags)
		*f++ = '-';
	*f = '\0';
}

static void write_ranges(FILE *out, const struct symlist_request *req, struct ranges *r)
{
	char flags[8];
	size_t i;

	for (i = 0; i < r->n; i++) {
		struct range *x = &r->v[i];
		uint64_t next = i + 1 < r->n ? r->v[i + 1].start : x->end;

		if (x->end == x->start || x->end > next)
			x->end = next;
		if (x->end == x->start)
			continue;
		flags_of(req, x->name, flags);
		fprintf(out, "%llx %llx %s %s\n", (unsigned long long)x->start,
			(unsigned long long)x->end, flags, x->name);
	}
}

/* One name for each address: the first, a watched one before all others. */
static void drop_aliases(const struct symlist_request *req, struct ranges *r)
{
	size_t i, n = 0;

	qsort(r->v, r->n, sizeof(*r->v), by_start);
	for (i = 0; i < r->n; i++) {
		struct range *last = n ? &r->v[n - 1] : NULL;

		if (!last || last->start != r->v[i].start) {
			r->v[n++] = r->v[i];
			continue;
		}
		if (r->v[i].end > last->end)
			last->end = r->v[i].end;
		if (matches(r->v[i].name, req->watched, req->n_watched) ||
		    (req->window && !strcmp(r->v[i].name, req->window)))
			last->name = r->v[i].name;
	}
	r->n = n;
}

/* Without the entry code's symbols interrupts would be charged to functions. */
static int check_entries(const struct symlist_request *req, char *why)
{
	const char *arch = elf_arch(req->vmlinux);
	size_t i, k, n;

	for (i = 0; i < sizeof(entries) / sizeof(entries[0]); i++) {
		if (strcmp(entries[i].arch, arch) || strchr(entries[i].pattern, '*'))
			continue;
		for (k = n = 0; k < elf_count(req->vmlinux); k++)
			n += !strcmp(elf_at(req->vmlinux, k)->name, entries[i].pattern);
		if (!n) {
			snprintf(why, 256, "%s: expected the symbol %s of a kernel's entry code, found none",
				 elf_path(req->vmlinux), entries[i].pattern);
			return -EINVAL;
		}
	}
	return 0;
}

int symlist_write(const char *path, const struct symlist_request *req, char *why)
{
	struct ranges r = { 0 };
	int err = check_entries(req, why);
	FILE *out;
	size_t i;

	if (err)
		return err;
	err = add_vmlinux(&r, req->vmlinux);
	for (i = 0; !err && i < req->n_modules; i++)
		err = add_module(&r, &req->modules[i]);
	out = err ? NULL : fopen(path, "we");
	if (out) {
		drop_aliases(req, &r);
		write_ranges(out, req, &r);
		err = fclose(out) ? -errno : 0;
	} else if (!err) {
		err = -errno;
	}
	free(r.v);
	if (err)
		snprintf(why, 256, "%s: %s", path, strerror(-err));
	return err;
}
