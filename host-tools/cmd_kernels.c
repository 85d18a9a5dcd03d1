// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tagrig kernels: which kernels are at hand, and which bug each has.
 *
 * The table is scripts/fetch-kernel's (guest-rootfs/kernels/stock.tsv); this
 * prints it.  Kernels of the user's own are named on the command line and
 * looked at: what they show by themselves is in their label.
 */
#include <getopt.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "rig/kernel.h"

/* A row: { "name", "dir" (or null), "about", "bugs": { COMMIT: WORD } }. */
static json_t *new_row(const char *name, const char *dir, const char *about)
{
	return json_pack("{s:s, s:s?, s:s, s:{}}", "name", name, "dir",
			 strcmp(dir, "-") ? dir : NULL, "about", about, "bugs");
}

static void add_bug(json_t *row, const char *bug, const char *word)
{
	json_object_set_new(json_object_get(row, "bugs"), bug, json_string(word));
}

/* "NAME\tDIR\tABOUT\tBUG=WORD..." */
static json_t *row_of_line(char *line)
{
	char *save = NULL, *name = strtok_r(line, "\t", &save);
	char *dir = strtok_r(NULL, "\t", &save), *about = strtok_r(NULL, "\t", &save);
	char *cell, *word;
	json_t *row;

	if (!about)
		return NULL;
	row = new_row(name, dir, about);
	while ((cell = strtok_r(NULL, "\t", &save))) {
		word = strchr(cell, '=');
		if (!word)
			continue;
		*word++ = '\0';
		add_bug(row, cell, word);
	}
	return row;
}

static int add_table(json_t *rows, char *why)
{
	const char *args[] = { "--list", NULL };
	char *save = NULL, *line, *text = script_output("fetch-kernel", args, why);

	if (!text)
		return 1;
	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		json_array_append_new(rows, row_of_line(line));
	free(text);
	return 0;
}

/* The lines `BUG WORD` of a kernel's label, what else is there left out. */
static void read_label(json_t *row, const char *dir)
{
	char path[4096], line[512], bug[64], word[32];
	FILE *f;

	snprintf(path, sizeof(path), "%s/label", dir);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%63s %31s", bug, word) == 2 && strcmp(bug, "about") &&
		    strcmp(bug, "table"))
			add_bug(row, bug, word);
	}
	if (f)
		fclose(f);
}

static int add_named(json_t *rows, const char *name, char *why)
{
	const char *args[] = { name, NULL };
	char *dir = script_output("fetch-kernel", args, why);
	json_t *row;

	if (!dir)
		return 1;
	dir[strcspn(dir, "\n")] = '\0';
	row = new_row(name, dir, name);
	read_label(row, dir);
	json_array_append_new(rows, row);
	free(dir);
	return 0;
}

/* --- the table ------------------------------------------------------------ */

static json_t *bugs_of(json_t *row)
{
	return json_object_get(row, "bugs");
}

static void print_row(json_t *row, json_t *columns)
{
	const char *bug, *word;
	json_t *unused;

	printf("%-20s %-5s", json_string_value(json_object_get(row, "name")),
	       json_is_string(json_object_get(row, "dir")) ? "here" : "-");
	json_object_foreach(columns, bug, unused) {
		word = json_string_value(json_object_get(bugs_of(row), bug));
		printf(" %-15s", word ?: "unknown");
	}
	printf(" %s\n", json_string_value(json_object_get(row, "about")));
}

static void print_table(json_t *rows)
{
	json_t *columns = bugs_of(json_array_get(rows, 0)), *row, *unused;
	const char *bug;
	size_t i;

	printf("%-20s %-5s", "kernel", "");
	json_object_foreach(columns, bug, unused)
		printf(" %-15s", bug);
	printf(" from\n");
	json_array_foreach(rows, i, row)
		print_row(row, columns);
}

static void usage(FILE *out)
{
	fprintf(out, "usage: tagrig kernels [-j] [KERNEL...]\n\n"
		"Lists the kernels that 'tagrig run --kernel' knows by name: 'here' when it is\n"
		"in the cache, and for each bug, named by the commit that fixed it, whether the\n"
		"kernel has it (broken) or not (fixed).  With KERNEL (an Image, a tree, a\n"
		"version, a package) those instead, and what they show by themselves.\n\n"
		"  -j, --json  as JSON\n      --help  this text\n");
}

int cmd_kernels(int argc, char **argv)
{
	static const struct option longs[] = {
		{ "json", 0, NULL, 'j' }, { "help", 0, NULL, 'h' }, { 0 },
	};
	json_t *rows = json_array();
	bool json = false;
	char why[256];
	int opt, err;

	while ((opt = getopt_long(argc, argv, "j", longs, NULL)) != -1) {
		if (opt != 'j') {
			usage(opt == 'h' ? stdout : stderr);
			json_decref(rows);
			return opt == 'h' ? 0 : 2;
		}
		json = true;
	}
	err = optind == argc ? add_table(rows, why) : 0;
	for (; !err && optind < argc; optind++)
		err = add_named(rows, argv[optind], why);
	if (err)
		fprintf(stderr, "tagrig kernels: %s\n", why);
	else if (json)
		json_dumpf(rows, stdout, JSON_INDENT(2) | JSON_SORT_KEYS);
	else
		print_table(rows);
	json_decref(rows);
	return err;
}
