/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The build gate: what the compiler made of the function in each variant,
 * before anything is measured.
 */
#ifndef TAGRIG_LAB_GATE_H
#define TAGRIG_LAB_GATE_H

#include "lab/build.h"

#define GATE_SITES 256

struct lab_gate {
	size_t symbols;		/* the function and its clones; 0: inlined everywhere */
	size_t plain;		/* of them without a suffix: two are two functions */
	char names[128];	/* of them, "f, f.isra.0" */
	size_t sites;		/* direct calls of them */
	char callers[256];	/* who has them, "f (2), g" */
	bool taken;		/* its address is taken */
	uint64_t size;		/* bytes of all of them */
	uint64_t addr;		/* in the linked kernel or module, of the first; 0: none */
	unsigned int alignment;	/* of its entry there */
	uint64_t padding;	/* bytes behind it */
	/* does -falign-functions=N do what it says?  of the object's functions: */
	unsigned int asked;	/* N, 0: the flags do not ask */
	unsigned int entries;	/* that were found in the link */
	unsigned int aligned;	/* whose entry is at a multiple of N there */
	/* against the base: */
	enum elf_same same;
	char where[128];	/* the first difference */
	unsigned int added, removed, grew, shrank;
	int64_t up, down;	/* bytes, as bloat-o-meter */
	int64_t before, after;
};

/* Looks at @k alone, and against @base (which may be @k). */
void lab_gate(const struct lab_file *lab, const struct lab_variant *v,
	      const struct lab_kernel *base, const struct lab_kernel *k, struct lab_gate *g);

/*
 * Can the lab be run at all?  -EINVAL with one line in @why: the function is
 * not there, was inlined everywhere (@base's source has it, no variant's
 * object), or its name is that of several.
 */
int lab_gate_check(const struct lab_file *lab, const struct lab_gate *gates,
		   const struct lab_kernel *base, char *why);

#endif
