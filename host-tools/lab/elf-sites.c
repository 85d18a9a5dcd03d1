// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Who calls a function: every function's instructions are decoded, and each
 * direct branch is followed to the symbol that it names.
 *
 * In a relocatable file a branch that the assembler left open has a relocation
 * instead of a target; one within a section it may have closed.  Both are
 * looked at, so that vmlinux and an object give the same list.
 *
 * Left out: calls through pointers (the address is then "taken"), and calls in
 * the replacement sections of alternatives, which are no functions.
 */
#include <elf.h>
#include <string.h>

#include "lab/elf.h"
#include "lab/insn.h"

#define MAX_CLONES	64

struct walk {
	const struct elf_image *img;
	const char *name;
	bool arm64;
	insn_decode_fn *decode;
	const struct elf_sym *found[MAX_CLONES];	/* the function and its clones */
	size_t n_found;
	struct elf_site *sites;
	size_t max, n;
	bool taken;
};

struct place {
	unsigned int section;
	uint64_t addr;
};

/*
 * x86 counts from the end of the instruction: of a 32-bit field that ends it,
 * which holds for branches and for lea, four bytes behind the field's start.
 */
static uint64_t reloc_target(const struct walk *w, const struct elf_reloc *r)
{
	bool from_end = !w->arm64 && (r->type == R_X86_64_PLT32 || r->type == R_X86_64_PC32);

	return r->value + r->addend + (from_end ? 4 : 0);
}

/* The first relocation at or behind @offset. */
static const struct elf_reloc *reloc_in(const struct elf_image *img, unsigned int section,
					uint64_t offset, unsigned int len)
{
	size_t n, lo = 0, hi;
	const struct elf_reloc *r = elf_relocs(img, section, &n);

	for (hi = n; lo < hi;) {
		size_t mid = lo + (hi - lo) / 2;

		if (r[mid].offset < offset)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < n && r[lo].offset < offset + len ? &r[lo] : NULL;
}

/* Where a direct branch goes; false: out of this file. */
static bool destination(const struct walk *w, const struct elf_sym *f, uint64_t at,
			const struct insn *insn, struct place *to)
{
	const struct elf_reloc *r = reloc_in(w->img, f->section, at, insn->len);

	*to = (struct place){ .section = f->section, .addr = insn->target };
	if (r)
		*to = (struct place){ r->section, reloc_target(w, r) };
	return !r || r->section;
}

/* The function that begins at @to and is the wanted one, or NULL. */
static const struct elf_sym *wanted_at(const struct walk *w, const struct place *to)
{
	size_t i;

	for (i = 0; i < w->n_found; i++)
		if (w->found[i]->section == to->section && w->found[i]->addr == to->addr)
			return w->found[i];
	return NULL;
}

static void record(struct walk *w, const struct elf_sym *f, uint64_t at,
		   const struct insn *insn)
{
	const struct elf_sym *callee;
	struct place to;

	if (!destination(w, f, at, insn, &to))
		return;
	callee = wanted_at(w, &to);
	if (!callee || elf_is_clone(f->name, w->name))
		return;
	if (w->n < w->max)
		w->sites[w->n] = (struct elf_site){
			.caller = f, .offset = at - f->addr, .callee = callee,
			.tail = !(insn->flags & INSN_CALL),
		};
	w->n++;
}

static bool is_direct_branch(const struct insn *insn)
{
	return (insn->flags & INSN_BRANCH) &&
	       !(insn->flags & (INSN_INDIRECT | INSN_RET | INSN_ERET));
}

/* Anything but a branch that names the function takes its address. */
static void look_for_pointer(struct walk *w, const struct elf_sym *f, uint64_t at,
			     const struct insn *insn)
{
	const struct elf_reloc *r = reloc_in(w->img, f->section, at, insn->len);
	struct place to;

	if (!r || !r->section)
		return;
	to = (struct place){ r->section, reloc_target(w, r) };
	w->taken |= wanted_at(w, &to) != NULL;
}

static void scan(struct walk *w, const struct elf_sym *f)
{
	const uint8_t *code = elf_bytes(w->img, f);
	struct insn insn;
	uint64_t at;

	for (at = 0; code && at < f->size; at += insn.len) {
		if (w->decode(code + at, f->size - at, f->addr + at, &insn))
			continue;		/* data: one byte on */
		if (is_direct_branch(&insn))
			record(w, f, f->addr + at, &insn);
		else
			look_for_pointer(w, f, f->addr + at, &insn);
	}
}

/*
 * Sections that list functions for patching, unwinding or debugging, and do
 * not call them.
 */
static bool is_bookkeeping(const char *section)
{
	static const char *const prefixes[] = {
		".debug", ".eh_frame", ".orc_", "__mcount_loc", "__patchable_function",
		"__bug_table", "__ex_table", ".altinstr", ".static_call_sites",
		".retpoline_sites", ".return_sites", ".call_sites", ".ibt_endbr",
		".cfi_sites", "__jump_table", ".kcfi_traps", ".BTF",
	};
	size_t i;

	for (i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
		if (!strncmp(section, prefixes[i], strlen(prefixes[i])))
			return true;
	return false;
}

/* A function pointer in data. */
static void scan_data(struct walk *w)
{
	const struct elf_reloc *r;
	const char *name;
	unsigned int s;
	bool code;
	size_t i, n;

	for (s = 1; (name = elf_section(w->img, s, &code)); s++) {
		if (code || is_bookkeeping(name))
			continue;
		r = elf_relocs(w->img, s, &n);
		for (i = 0; i < n; i++) {
			struct place to = { r[i].section, r[i].value + r[i].addend };

			w->taken |= r[i].section && wanted_at(w, &to);
		}
	}
}

size_t elf_call_sites(const struct elf_image *img, const char *name,
		      struct elf_site *sites, size_t max, bool *taken)
{
	struct walk w = {
		.img = img, .name = name, .arm64 = !strcmp(elf_arch(img), "arm64"),
		.decode = insn_decoder(elf_arch(img)), .sites = sites, .max = max,
	};
	const struct elf_sym *f, *before = NULL;
	size_t i;

	w.n_found = elf_find(img, name, w.found, MAX_CLONES);
	if (w.n_found > MAX_CLONES)
		w.n_found = MAX_CLONES;
	for (i = 0; i < elf_count(img); i++) {
		f = elf_at(img, i);
		if (!f->code || !f->function || !f->size)
			continue;
		if (before && before->section == f->section && before->addr == f->addr)
			continue;		/* an alias: scanned already */
		scan(&w, f);
		before = f;
	}
	scan_data(&w);
	if (taken)
		*taken = w.taken;
	return w.n;
}
