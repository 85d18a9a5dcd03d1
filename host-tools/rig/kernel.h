/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernels to run: found, fetched or built by scripts/, described by the
 * directory that they leave (scripts/fetch-kernel says what is in it).
 */
#ifndef TAGRIG_RIG_KERNEL_H
#define TAGRIG_RIG_KERNEL_H

#include <stdbool.h>

struct kernel {
	char *dir;
	char *image;
	char *initrd;
	char *name;		/* as the user named it */
	char release[128];	/* uname -r */
	char about[256];	/* where it comes from */
};

/*
 * Finds what @name means (a label, version, package, Image or tree) and makes
 * its initramfs, @rig: with our DSA driver in it.  A kernel that is not for arm64
 * is refused.  Runs scripts/fetch-kernel and scripts/build-initramfs of the
 * checkout, whose messages go to stderr.  On error @why (of 256 bytes) says
 * what is wrong; nothing is left allocated.
 */
int kernel_find(struct kernel *k, const char *name, bool rig, char *why);
void kernel_free(struct kernel *k);

/*
 * All that scripts/@script prints on stdout (to free), or NULL with @why (of
 * 256 bytes) when it fails.  @args end with NULL; messages go to stderr.
 */
char *script_output(const char *script, const char *const *args, char *why);

/* The checkout that this program was built in, or $TAGRIG_TOP. */
const char *rig_top(void);

#endif
