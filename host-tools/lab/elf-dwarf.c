// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Into whom was a function inlined: DWARF's DW_TAG_inlined_subroutine, with
 * libdw (which also applies an object's relocations to its debug sections).
 *
 * Left out: split DWARF and partial units of dwz; the kernel has neither when
 * the rig builds it.
 */
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/elf.h"

struct search {
	const char *name;
	struct elf_inlined *list;
	size_t n;
};

static int add(struct search *s, const char *caller)
{
	struct elf_inlined *list;
	size_t i;

	for (i = 0; i < s->n; i++)
		if (!strcmp(s->list[i].caller, caller)) {
			s->list[i].copies++;
			return 0;
		}
	list = realloc(s->list, (s->n + 1) * sizeof(*list));
	if (!list)
		return -ENOMEM;
	s->list = list;
	list[s->n] = (struct elf_inlined){ .caller = strdup(caller), .copies = 1 };
	if (!list[s->n].caller)
		return -ENOMEM;
	s->n++;
	return 0;
}

/* The name of a DIE, its own or that of what it is an instance of. */
static const char *name_of(Dwarf_Die *die)
{
	Dwarf_Attribute attr;

	return dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name, &attr));
}

static int visit(struct search *s, Dwarf_Die *die, const char *caller)
{
	Dwarf_Die child;
	const char *name;
	int err = 0;

	if (dwarf_child(die, &child))
		return 0;
	do {
		int tag = dwarf_tag(&child);

		name = name_of(&child);
		if (tag == DW_TAG_inlined_subroutine && name && !strcmp(name, s->name) && caller)
			err = add(s, caller);
		if (!err)
			err = visit(s, &child, tag == DW_TAG_subprogram ? name : caller);
	} while (!err && dwarf_siblingof(&child, &child) == 0);
	return err;
}

static int visit_module(Dwfl_Module *mod, void **user, const char *name, Dwarf_Addr base,
			void *arg)
{
	struct search *s = arg;
	Dwarf_Die *unit = NULL;
	Dwarf_Addr bias;

	(void)user;
	(void)name;
	(void)base;
	while ((unit = dwfl_module_nextcu(mod, unit, &bias)))
		if (visit(s, unit, NULL))
			return DWARF_CB_ABORT;
	return DWARF_CB_OK;
}

/* No debug information from anywhere but the file itself. */
static int find_no_debuginfo(Dwfl_Module *mod, void **user, const char *name, Dwarf_Addr base,
			     const char *file, const char *link, GElf_Word crc, char **path)
{
	(void)mod;
	(void)user;
	(void)name;
	(void)base;
	(void)file;
	(void)link;
	(void)crc;
	(void)path;
	return -1;
}

static int has_dwarf(const char *path)
{
	char why[256];
	struct elf_image *img = elf_open(path, why, sizeof(why));
	int has = img ? elf_has_dwarf(img) : -ENOENT;

	elf_close(img);
	return has;
}

static int by_caller(const void *a, const void *b)
{
	return strcmp(((const struct elf_inlined *)a)->caller,
		      ((const struct elf_inlined *)b)->caller);
}

int elf_inlined(const char *path, const char *name, struct elf_inlined **list, size_t *n)
{
	static const Dwfl_Callbacks callbacks = {
		.find_elf = dwfl_build_id_find_elf,
		.find_debuginfo = find_no_debuginfo,
		.section_address = dwfl_offline_section_address,
	};
	struct search s = { .name = name };
	int has = has_dwarf(path);
	Dwfl *dwfl;

	*list = NULL;
	*n = 0;
	if (has <= 0)
		return has < 0 ? has : -ENODATA;
	dwfl = dwfl_begin(&callbacks);
	if (dwfl && dwfl_report_offline(dwfl, "", path, -1)) {
		dwfl_report_end(dwfl, NULL, NULL);
		dwfl_getmodules(dwfl, visit_module, &s, 0);
	}
	dwfl_end(dwfl);
	if (s.n)
		qsort(s.list, s.n, sizeof(*s.list), by_caller);
	*list = s.list;
	*n = s.n;
	return 0;
}

void elf_inlined_free(struct elf_inlined *list, size_t n)
{
	while (n)
		free(list[--n].caller);
	free(list);
}
