/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The counting plugin's symbol list (qemu-machines/plugins/symbols.h), from
 * the ELF files of a kernel.
 */
#ifndef TAGRIG_LAB_SYMLIST_H
#define TAGRIG_LAB_SYMLIST_H

#include <stddef.h>
#include <stdint.h>

#include "lab/elf.h"

struct symlist_module {
	const struct elf_image *img;	/* the .ko */
	const char *section;		/* ".text" */
	uint64_t addr;			/* where the guest has loaded it */
};

struct symlist_request {
	const struct elf_image *vmlinux;
	const struct symlist_module *modules;
	size_t n_modules;
	const char *const *watched;	/* with all their clones */
	size_t n_watched;
	const char *window;		/* function that opens the window, or NULL */
};

/*
 * Writes @path.  A watched function or window that has no symbol is left out
 * and no error here: it may have been inlined, which the caller knows.
 * -EINVAL with @why (of 256 bytes): the architecture's vectors are not found.
 */
int symlist_write(const char *path, const struct symlist_request *req, char *why);

#endif
