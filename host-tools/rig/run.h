/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A run: scenarios on kernels, with results that are kept whatever happens.
 */
#ifndef TAGRIG_RIG_RUN_H
#define TAGRIG_RIG_RUN_H

#include "kernel.h"
#include "ktap.h"
#include "scenario.h"

struct run_options {
	const char *qemu;
	const char *results;	/* directory */
	const char *snapshots;	/* directory where they are kept for later runs, or NULL */
	const char *name;	/* of the run: RESULTS/NAME.ktap and .json */
	unsigned long seed;
	bool json;		/* the results on stdout as JSON instead of KTAP */
	bool dry_run;
	bool gdb;
	bool shell;		/* one in the guest, when a scenario's set-up is done */
	int pcap;		/* descriptor that every capture goes to as well, or -1 */
	bool bisect;		/* exit status for git bisect run */
	bool keep;		/* keep folders of tests that passed */
	const char *append;	/* further kernel parameters, or "" */
	int boot_ms;		/* time for a boot */
};

struct run_kernel {
	const char *name;	/* for kernel_find() */
	const bool *wanted;	/* which scenarios of the list run there; NULL: all */
};

/*
 * Runs the scenarios of @list on the @n kernels that want them.  Returns the
 * exit status: 0, 1, 4 when all was skipped; with .bisect 0 for a kernel
 * without the bug, 1 with it, 125 when it can't be told.
 */
int run_scenarios(const struct run_options *o, const struct scenario_list *list,
		  const struct run_kernel *kernels, unsigned int n);

#endif
