// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tagrig lint: parses scenario files, every combination of their variables,
 * and prints each error; runs nothing.
 */
#include <stdio.h>
#include <string.h>

#include "cmd.h"
#include "rig/scenario.h"

int cmd_lint(int argc, char **argv)
{
	struct scenario_list list = { 0 };
	char error[ERROR_SIZE];
	int i, bad = 0;

	if (argc < 2 || !strcmp(argv[1], "--help")) {
		fprintf(argc < 2 ? stderr : stdout, "usage: tagrig lint FILE.rig...\n");
		return argc < 2 ? 2 : 0;
	}
	for (i = 1; i < argc; i++) {
		if (!scenario_load(&list, argv[i], error))
			continue;
		fprintf(stderr, "%s\n", error);
		bad++;
	}
	if (!bad)
		printf("%zu scenarios in %d files\n", list.count, argc - 1);
	scenario_free(&list);
	return bad ? 1 : 0;
}
