/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the compiler made of a function: reads vmlinux, modules and objects.
 *
 * A symbol's address is what the file says: a virtual address in a linked
 * image, an offset into its section in a relocatable one (.o, .ko).
 */
#ifndef TAGRIG_LAB_ELF_H
#define TAGRIG_LAB_ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct elf_image;

struct elf_sym {
	const char *name;	/* lives as long as the image */
	uint64_t addr, size;	/* bytes; size 0: the file does not say */
	unsigned int section;	/* index in the file */
	bool code;		/* in a section of instructions */
	bool global;
	bool function;		/* STT_FUNC, not a label or an object */
};

/* NULL with @why written: "PATH: expected ..., found ...". */
struct elf_image *elf_open(const char *path, char *why, size_t why_size);
void elf_close(struct elf_image *img);

const char *elf_path(const struct elf_image *img);
const char *elf_arch(const struct elf_image *img);	/* "arm64", "x86_64" */
bool elf_relocatable(const struct elf_image *img);
bool elf_has_dwarf(const struct elf_image *img);

/* Every named symbol that is in a section, by section and address. */
size_t elf_count(const struct elf_image *img);
const struct elf_sym *elf_at(const struct elf_image *img, size_t i);

/*
 * How a compiler's clone is named: foo.isra.0, foo.constprop.0, foo.part.0,
 * foo.cold and chains of those.  Is @sym's function @name, or a clone of it?
 */
bool elf_is_clone(const char *sym, const char *name);

/*
 * The code symbols that are @name or clones of it, in order; at most @max into
 * @found.  Returns how many there are: 0, it is not there; two without a
 * suffix, the name is not unique (two static functions of two files).
 */
size_t elf_find(const struct elf_image *img, const char *name,
		const struct elf_sym **found, size_t max);

/* The function that covers @addr of @section; NULL: none. */
const struct elf_sym *elf_covering(const struct elf_image *img, unsigned int section,
				   uint64_t addr);

/* Is it part of the running program (not debugging information)? */
bool elf_in_memory(const struct elf_image *img, const struct elf_sym *sym);

/* The bytes of a symbol; NULL for a section without bytes. */
const uint8_t *elf_bytes(const struct elf_image *img, const struct elf_sym *sym);

/* Alignment of the entry: the largest power of two that divides it, <= 4096. */
unsigned int elf_entry_alignment(const struct elf_sym *sym);

/* Bytes between the end of @sym and the next code symbol of its section. */
uint64_t elf_padding(const struct elf_image *img, const struct elf_sym *sym);

struct elf_reloc {
	uint64_t offset;	/* in the section that it patches */
	uint32_t type;
	const char *name;	/* of its symbol, "" for a section's own */
	unsigned int section;	/* that the symbol is in, 0: undefined here */
	uint64_t value;		/* of the symbol */
	int64_t addend;
};

/* The name of section @i, 1..; NULL behind the last one.  *code: instructions. */
const char *elf_section(const struct elf_image *img, unsigned int i, bool *code);

/* Relocations of @section by offset, NULL and *n = 0 without any. */
const struct elf_reloc *elf_relocs(const struct elf_image *img, unsigned int section,
				   size_t *n);

/* --- who calls it ---------------------------------------------------------- */

struct elf_site {
	const struct elf_sym *caller;
	uint64_t offset;	/* of the instruction, in the caller */
	const struct elf_sym *callee;	/* the function, or which clone */
	bool tail;		/* a jump, not a call */
};

/*
 * Direct calls of and jumps to @name and its clones from other functions, by
 * disassembly and, where the file has them, relocations.  Calls through a
 * pointer are not seen; *taken says that the address is taken somewhere (only
 * a relocatable file can tell).
 * Returns how many; at most @max into @sites.
 */
size_t elf_call_sites(const struct elf_image *img, const char *name,
		      struct elf_site *sites, size_t max, bool *taken);

/* --- was it inlined -------------------------------------------------------- */

struct elf_inlined {
	char *caller;		/* the function that has the body */
	unsigned int copies;
};

/*
 * Into which functions @name was inlined, from DWARF; the caller frees each
 * name and the array with elf_inlined_free().  -ENODATA: no DWARF.
 */
int elf_inlined(const char *path, const char *name, struct elf_inlined **list, size_t *n);
void elf_inlined_free(struct elf_inlined *list, size_t n);

/* --- two builds ------------------------------------------------------------ */

struct bloat_row {
	const char *name;
	int64_t before, after;	/* bytes; 0: not there */
};

struct bloat {
	struct bloat_row *rows;	/* those that changed, largest growth first */
	size_t n;
	unsigned int added, removed, grew, shrank;
	int64_t up, down;	/* bytes gained and (negative) lost */
	int64_t total_before, total_after;
};

/*
 * Size by symbol, as the kernel's scripts/bloat-o-meter counts: sized symbols
 * of code and data, those whose names differ by a .NUMBER added up, __se_sys*,
 * __addressable_* and the like left out.
 */
struct bloat *elf_bloat(const struct elf_image *before, const struct elf_image *after);
void bloat_free(struct bloat *b);

enum elf_same {
	ELF_SAME,		/* code bytes and relocations are equal */
	ELF_SAME_CODE_OTHER_DATA,	/* data differs: line numbers, strings */
	ELF_DIFFERENT,
};

/*
 * Are two objects the same code?  Every section of instructions is compared
 * with its relocations; addresses are those of the link, so use it on .o files.
 * @where tells the first difference in words.
 */
enum elf_same elf_compare(const struct elf_image *a, const struct elf_image *b,
			  char *where, size_t where_size);

#endif
