/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One experiment, from its file to its report.
 */
#ifndef TAGRIG_LAB_LAB_H
#define TAGRIG_LAB_LAB_H

#include <stdbool.h>
#include <stdint.h>

struct lab_options {
	const char *kernel;	/* a source tree, or a series other than the lab's; NULL */
	const char *qemu_dir;
	const char *plugin;
	const char *firmware;
	const char *results;	/* directory; the lab's files are in RESULTS/NAME */
	uint64_t seed;
	bool json;		/* the report on stdout as JSON instead of text */
	bool dry_run;		/* the QEMU lines, and nothing is built or run */
	const char *bundle;	/* directory: leave the time leg's runs for another host */
	const char *times;	/* table that one brought back */
};

/*
 * Runs the lab @path.  Exit status: 0, or 1 with one line on stderr.  Leaves
 * report.txt, report.json and report.svg.
 */
int lab_run(const struct lab_options *o, const char *path);

/* tagrig lab --compare: prints two reports side by side. */
int lab_run_compare(const char *a, const char *b);

/* Is the lab @path for guests of @arch? */
bool lab_is_for(const char *path, const char *arch);

/*
 * Does @path belong to @targets (names of labs and architectures, by blanks;
 * NULL or "": arm64), and not to @skip?  False with *@why when it does not.
 */
bool lab_is_target(const char *path, const char *targets, const char *skip, const char **why);

#endif
