/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a lab needs before it can run: each variant's kernel, the workloads'
 * programs, and the guest's root file system.  scripts/ do the work and keep
 * it, by content; a second run builds nothing.
 */
#ifndef TAGRIG_LAB_BUILD_H
#define TAGRIG_LAB_BUILD_H

#include "lab/elf.h"
#include "lab/labfile.h"

#define LAB_WHY 512

struct lab_kernel {
	char *dir;		/* as scripts/build-kernel prints it */
	char *image;
	char *object_path;	/* the variant's object, or NULL when the lab names none */
	struct elf_image *vmlinux;
	struct elf_image *object;	/* or NULL */
	struct elf_image *module;	/* the .ko, when the lab names one */
};

/*
 * Builds @v's kernel.  @tree: a source tree or an other series instead of the
 * lab's, or NULL.  @layout: of the time leg (0: as it is), for variants that
 * lab_can_pad().  On error @why (LAB_WHY bytes) is one line.
 */
int lab_build_kernel(const struct lab_file *lab, const struct lab_variant *v, const char *tree,
		     unsigned int layout, struct lab_kernel *k, char *why);

/* Is it a variant of one object, which can be laid out otherwise? */
bool lab_can_pad(const struct lab_file *lab, const struct lab_variant *v);
void lab_kernel_free(struct lab_kernel *k);

/* Compiles the lab's programs and the guest's own tools into @dir. */
int lab_build_programs(const struct lab_file *lab, const char *dir, char *why);

/*
 * The root file system for @k with @w's script in it; the programs are in @dir,
 * where the script is written, too.  The path in *@initrd (free it).
 */
int lab_build_initrd(const struct lab_file *lab, const struct lab_workload *w,
		     const struct lab_kernel *k, const char *dir, char **initrd, char *why);

/* The frames that @w plays, as a pcap; *@n of them.  0 and *@n = 0 without. */
int lab_build_frames(const struct lab_file *lab, const struct lab_workload *w, const char *path,
		     uint64_t seed, uint64_t *n, char *why);

/* mkdir -p */
int lab_mkdir(const char *path);

#endif
