/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which kernels a scenario runs on when nobody has said: one that has the bug
 * of its "fixed" line and one that has not.
 */
#ifndef TAGRIG_RIG_CHOOSE_H
#define TAGRIG_RIG_CHOOSE_H

#include "scenario.h"

struct choice {
	char name[64];		/* as fetch-kernel knows the kernel */
	char dir[512];		/* where it is; names may share one */
	bool *wanted;		/* for each scenario of the list: does it run there? */
};

struct choices {
	struct choice *v;
	unsigned int n;
};

/*
 * Fills in @c for @list: for each scenario the first kernels of the table with
 * its first commit broken and fixed ("broken" and "fixed" where it names no
 * commit).  Fetches them.  A label that no kernel has leaves the scenario with
 * the other; with neither, -ENOENT and @why (256 bytes).
 */
int choose_kernels(const struct scenario_list *list, struct choices *c, char *why);
void choices_free(struct choices *c);

#endif
