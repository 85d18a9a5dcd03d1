// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The build gate: see gate.h.
 *
 * Variants of one object are compared by that object: relocations keep other
 * addresses out of it.  A variant of the whole kernel (flags, compiler, patch)
 * is the same code only if the linked kernel's instructions are equal, too.
 */
#include "lab/gate.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CLONES 16

/* What is asked about the function: the object, or all of the kernel. */
static const struct elf_image *part(const struct lab_kernel *k)
{
	return k->object ? k->object : k->vmlinux;
}

/* "f (2), g": in how many places each caller has the sites. */
static void name_callers(const struct elf_site *sites, size_t n, char *to, size_t size)
{
	size_t i, k, count, used = 0;

	for (i = 0; i < n && used < size; i++) {
		for (k = 0; k < i && sites[k].caller != sites[i].caller; k++)
			;
		if (k < i)
			continue;
		for (count = 0, k = i; k < n; k++)
			count += sites[k].caller == sites[i].caller;
		used += (size_t)snprintf(to + used, size - used, "%s%s", i ? ", " : "",
					 sites[i].caller->name);
		if (count > 1 && used < size)
			used += (size_t)snprintf(to + used, size - used, " (%zu)", count);
	}
}

static void look(const struct lab_file *lab, const struct lab_kernel *k, struct lab_gate *g)
{
	static struct elf_site sites[GATE_SITES];
	const struct elf_sym *found[CLONES];
	size_t i, n = 0;

	g->symbols = elf_find(part(k), lab->function, found, CLONES);
	for (i = 0; i < g->symbols && i < CLONES; i++) {
		g->size += found[i]->size;
		g->plain += !strcmp(found[i]->name, lab->function);
		if (n < sizeof(g->names))
			n += (size_t)snprintf(g->names + n, sizeof(g->names) - n, "%s%s",
					      i ? ", " : "", found[i]->name);
	}
	g->sites = elf_call_sites(part(k), lab->function, sites, GATE_SITES, &g->taken);
	name_callers(sites, g->sites < GATE_SITES ? g->sites : GATE_SITES, g->callers,
		     sizeof(g->callers));
}

/* Where it lies, which only the link decides. */
static void look_at_link(const struct lab_file *lab, const struct lab_kernel *k,
			 struct lab_gate *g)
{
	const struct elf_image *img = k->module ? k->module : k->vmlinux;
	const struct elf_sym *found;

	if (!elf_find(img, lab->function, &found, 1))
		return;
	g->addr = found->addr;
	g->alignment = elf_entry_alignment(found);
	g->padding = elf_padding(img, found);
}

/* What the last -falign-functions=N of the variant's flags asks for; 0: none. */
static unsigned int alignment_asked(const struct lab_variant *v)
{
	static const char flag[] = "-falign-functions=";
	const char *at = v->kind == LAB_CFLAGS || v->kind == LAB_KCFLAGS ? v->arg : NULL;
	unsigned int n = 0;

	while (at && (at = strstr(at, flag))) {
		at += strlen(flag);
		n = (unsigned int)strtoul(at, NULL, 10);
	}
	return n;
}

/* The one function of that very name; NULL: none, or several files have one. */
static const struct elf_sym *only(const struct elf_image *img, const char *name)
{
	const struct elf_sym *found[CLONES], *it = NULL;
	size_t i, n = elf_find(img, name, found, CLONES);

	for (i = 0; i < n && i < CLONES; i++) {
		if (strcmp(found[i]->name, name))
			continue;
		if (it)
			return NULL;
		it = found[i];
	}
	return it;
}

/*
 * The flag aligns where a function's code begins, and that is its entry only if
 * nothing lies before it: with call padding (-fpatchable-function-entry=16,16,
 * as x86 kernels have it for call thunks and CFI) it misfires.  So the entries
 * are looked at where the linker has put them.  Functions outside .text are
 * cold, and gcc does not align those.
 */
static void verify_alignment(const struct lab_variant *v, const struct lab_kernel *k,
			     struct lab_gate *g)
{
	const struct elf_image *img = k->module ? k->module : k->vmlinux;
	const struct elf_sym *sym;
	size_t i;
	bool code;

	g->asked = alignment_asked(v);
	for (i = 0; g->asked && k->object && i < elf_count(k->object); i++) {
		sym = elf_at(k->object, i);
		if (!sym->function || strcmp(elf_section(k->object, sym->section, &code), ".text"))
			continue;
		sym = only(img, sym->name);
		if (!sym)
			continue;
		g->entries++;
		g->aligned += sym->addr % g->asked == 0;
	}
}

static bool of_one_object(enum lab_kind kind)
{
	return kind == LAB_PLAIN || kind == LAB_DECLARE || kind == LAB_CFLAGS ||
	       kind == LAB_PAD || kind == LAB_OBJECT_CC;
}

static void compare(const struct lab_variant *v, const struct lab_kernel *base,
		    const struct lab_kernel *k, struct lab_gate *g)
{
	struct bloat *b = elf_bloat(part(base), part(k));

	g->same = elf_compare(part(base), part(k), g->where, sizeof(g->where));
	if (g->same != ELF_DIFFERENT && k->object && !of_one_object(v->kind)) {
		enum elf_same all = elf_compare(base->vmlinux, k->vmlinux, g->where,
						sizeof(g->where));

		g->same = all == ELF_DIFFERENT ? all : g->same;
	}
	if (!b)
		return;
	g->added = b->added;
	g->removed = b->removed;
	g->grew = b->grew;
	g->shrank = b->shrank;
	g->up = b->up;
	g->down = b->down;
	g->before = b->total_before;
	g->after = b->total_after;
	bloat_free(b);
}

void lab_gate(const struct lab_file *lab, const struct lab_variant *v,
	      const struct lab_kernel *base, const struct lab_kernel *k, struct lab_gate *g)
{
	memset(g, 0, sizeof(*g));
	look(lab, k, g);
	look_at_link(lab, k, g);
	verify_alignment(v, k, g);
	compare(v, base, k, g);
}

/* Does the object's source file have the name at all?  It may be in a header. */
static bool in_source(const struct lab_file *lab, const struct lab_kernel *base)
{
	char path[4096], line[4096];
	bool found = false;
	FILE *f;

	snprintf(path, sizeof(path), "%s/source/%.*sc", base->dir ?: ".",
		 (int)strlen(lab->object) - 1, lab->object);
	f = lab->object[0] ? fopen(path, "re") : NULL;
	while (f && !found && fgets(line, sizeof(line), f)) {
		const char *at = strstr(line, lab->function);

		found = at && at[strlen(lab->function)] == '(';
	}
	if (f)
		fclose(f);
	return found;
}

int lab_gate_check(const struct lab_file *lab, const struct lab_gate *gates,
		   const struct lab_kernel *base, char *why)
{
	bool found = false;
	size_t i;

	for (i = 0; i < lab->n_variants; i++) {
		found |= gates[i].symbols > 0;
		if (gates[i].plain < 2)
			continue;
		snprintf(why, LAB_WHY, "%s: %s is the name of %zu functions (variant %s): %s",
			 lab->path, lab->function, gates[i].plain, lab->variants[i].name,
			 lab->object[0] ? "one object cannot have them" : "add an object line");
		return -EINVAL;
	}
	if (found)
		return 0;
	if (in_source(lab, base))
		snprintf(why, LAB_WHY, "%s: %s was inlined everywhere: no variant has a symbol of it; expected one that has, such as 'declare noinline'",
			 lab->path, lab->function);
	else
		snprintf(why, LAB_WHY, "%s: %s: no such function: %s has no symbol of that name in any variant, nor has its source",
			 lab->path, lab->function, lab->object[0] ? lab->object : "the kernel");
	return -EINVAL;
}
