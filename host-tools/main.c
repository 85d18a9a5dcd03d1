// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tagrig: stmmac and DSA bugs without a board.  This file only finds the
 * subcommand; each is a file cmd_NAME.c of its own.
 */
#include <stdio.h>
#include <string.h>

#include "cmd.h"

#ifndef TAGRIG_VERSION
#define TAGRIG_VERSION "0.1"
#endif

static const struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *help;
} commands[] = {
	{ "run", cmd_run, "run scenarios (.rig) on kernels" },
	{ "kernels", cmd_kernels, "which kernels are at hand, and which bug each has" },
	{ "lint", cmd_lint, "check scenario files without running them" },
	{ "bridge", cmd_bridge, "a switch between QEMU and pcaps, taps, interfaces, user networks" },
	{ "gen", cmd_gen, "make frames, tagged and wrong on purpose, as a capture" },
	{ "check", cmd_check, "judge every tag and checksum of a capture" },
	{ "tags", cmd_tags, "the tag formats, and what a checksum engine sees of them" },
	{ "lab", cmd_lab, "what a function costs per packet, inline and not" },
};

#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

static void usage(FILE *out)
{
	size_t i;

	fprintf(out, "usage: tagrig COMMAND [OPTIONS]\n\n");
	for (i = 0; i < COMMANDS; i++)
		fprintf(out, "  %-8s %s\n", commands[i].name, commands[i].help);
	fprintf(out, "\n'tagrig COMMAND --help' describes a command's options.\n");
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";
	size_t i;

	for (i = 0; i < COMMANDS; i++) {
		if (!strcmp(commands[i].name, name))
			return commands[i].run(argc - 1, argv + 1);
	}
	if (!strcmp(name, "--help") || !strcmp(name, "help")) {
		usage(stdout);
		return 0;
	}
	if (!strcmp(name, "--version")) {
		puts("tagrig " TAGRIG_VERSION);
		return 0;
	}
	if (*name)
		fprintf(stderr, "tagrig: there is no command '%s'\n", name);
	usage(stderr);
	return 2;
}
