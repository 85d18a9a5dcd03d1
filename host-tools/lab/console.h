/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a lab's guest has printed for the host (tests/labs/guest/init says what
 * there is), and whether it did all that it was to do.
 */
#ifndef TAGRIG_LAB_CONSOLE_H
#define TAGRIG_LAB_CONSOLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CONSOLE_SECTIONS	8
#define CONSOLE_TRACED		40

struct console_section {
	char name[32];
	uint64_t addr;
};

struct console_trace {
	char function[64];
	uint64_t hits;
	double us;			/* of all hits; ftrace's word */
};

struct console {
	bool ended;
	int failed;			/* number of the command that failed, or 0 */
	int status;			/* and its status */
	int64_t elapsed_ns;		/* of the last command; -1: not told */
	/* during the last command; -1: not told: */
	int64_t taken;			/* frames that the MACs took */
	int64_t delivered;		/* packets that IP delivered */
	char last[256];			/* last line before a failure that is not for us */
	struct console_section sections[CONSOLE_SECTIONS];
	size_t n_sections;
	int64_t probe_ns;		/* what tracing adds to a call; -1: not told */
	struct console_trace traced[CONSOLE_TRACED];
	size_t n_traced;
	char untraced[256];		/* functions that ftrace does not know, by blanks */
};

/* Reads @path; negative errno. */
int console_read(const char *path, struct console *c);

#endif
