// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tagrig lab: experiments.  The work is in lab/lab.c; this is its options.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "lab/job.h"
#include "lab/lab.h"
#include "rig/kernel.h"

#define MAKE_MS 600000

enum {
	OPT_KERNEL = 256, OPT_QEMU, OPT_PLUGIN, OPT_RESULTS, OPT_SEED, OPT_DRY_RUN,
	OPT_COMPARE, OPT_BUNDLE, OPT_TIMES, OPT_HELP,
};

static const struct {
	struct option o;
	const char *value;
	const char *help;
} options[] = {
	{ { "kernel", 1, NULL, OPT_KERNEL }, "TREE|SERIES", "instead of the lab's series" },
	{ { "results", 1, NULL, OPT_RESULTS }, "DIR",
	  "where reports and runs go (default: tagrig-results/lab)" },
	{ { "seed", 1, NULL, OPT_SEED }, "N", "seed of everything random (default: 1)" },
	{ { "json", 0, NULL, 'j' }, NULL, "print the report as JSON" },
	{ { "compare", 0, NULL, OPT_COMPARE }, NULL, "A.json B.json: two reports, side by side" },
	{ { "bundle", 1, NULL, OPT_BUNDLE }, "DIR",
	  "leave the timed runs in DIR, for a host with KVM" },
	{ { "times", 1, NULL, OPT_TIMES }, "FILE", "the times.tsv that a bundle brought back" },
	{ { "dry-run", 0, NULL, OPT_DRY_RUN }, NULL, "print the QEMU lines, run nothing" },
	{ { "qemu", 1, NULL, OPT_QEMU }, "DIR", "directory of the qemu-system-* with our models" },
	{ { "plugin", 1, NULL, OPT_PLUGIN }, "FILE", "libcount.so, instead of building it" },
	{ { "help", 0, NULL, OPT_HELP }, NULL, "this text" },
};

#define OPTIONS (sizeof(options) / sizeof(options[0]))

struct args {
	struct lab_options o;
	bool compare;
	char build[2048], qemu[2100], plugin[2100], firmware[4096];
};

static void usage(FILE *out)
{
	char text[64];
	size_t i;

	fprintf(out, "usage: tagrig lab [OPTIONS] FILE.lab...\n"
		"       tagrig lab --compare A.json B.json\n\n");
	for (i = 0; i < OPTIONS; i++) {
		snprintf(text, sizeof(text), "--%s%s%s", options[i].o.name,
			 options[i].value ? " " : "", options[i].value ?: "");
		fprintf(out, "  %-22s %s\n", text, options[i].help);
	}
	fprintf(out, "\nTARGETS and SKIP_TARGETS in the environment choose among the files, by lab\n"
		"or architecture; without TARGETS, those for arm64.\n"
		"Exit status: 0 done, 1 failed or not repeatable, 2 usage, 4 all skipped.\n");
}

static int take_seed(struct args *a, const char *text)
{
	char *end;

	a->o.seed = strtoull(text, &end, 0);
	if (*text >= '0' && *text <= '9' && !*end)
		return 0;
	fprintf(stderr, "tagrig lab: expected a number for --seed, found '%s'\n", text);
	return 2;
}

static int take_option(struct args *a, int opt)
{
	switch (opt) {
	case OPT_KERNEL:
		a->o.kernel = optarg;
		return 0;
	case OPT_QEMU:
		a->o.qemu_dir = optarg;
		return 0;
	case OPT_PLUGIN:
		a->o.plugin = optarg;
		return 0;
	case OPT_RESULTS:
		a->o.results = optarg;
		return 0;
	case OPT_SEED:
		return take_seed(a, optarg);
	case OPT_DRY_RUN:
		a->o.dry_run = true;
		return 0;
	case OPT_BUNDLE:
		a->o.bundle = optarg;
		return 0;
	case OPT_TIMES:
		a->o.times = optarg;
		return 0;
	case OPT_COMPARE:
		a->compare = true;
		return 0;
	case 'j':
		a->o.json = true;
		return 0;
	}
	usage(opt == OPT_HELP ? stdout : stderr);
	return opt == OPT_HELP ? -1 : 2;
}

/* 0: go on; 2: usage; -1: help was printed. */
static int take_options(struct args *a, int argc, char **argv)
{
	struct option longs[OPTIONS + 1] = { 0 };
	int opt, err;
	size_t i;

	for (i = 0; i < OPTIONS; i++)
		longs[i] = options[i].o;
	while ((opt = getopt_long(argc, argv, "j", longs, NULL)) != -1) {
		err = take_option(a, opt);
		if (err)
			return err;
	}
	if (a->compare ? argc - optind == 2 : argc > optind)
		return 0;
	fprintf(stderr, "tagrig lab: expected %s\n",
		a->compare ? "two reports behind --compare" : "a lab file");
	return 2;
}

static void defaults(struct args *a)
{
	const char *o = getenv("O"), *qemu = getenv("QEMU"), *kernel = getenv("KERNEL");

	memset(a, 0, sizeof(*a));
	if (o && *o)
		snprintf(a->build, sizeof(a->build), "%s", o);
	else
		snprintf(a->build, sizeof(a->build), "%s/build", rig_top());
	snprintf(a->qemu, sizeof(a->qemu), "%s/qemu/bin", a->build);
	snprintf(a->plugin, sizeof(a->plugin), "%s/qemu/plugins/libcount.so", a->build);
	if (getenv("FIRMWARE"))
		snprintf(a->firmware, sizeof(a->firmware), "%s", getenv("FIRMWARE"));
	else
		snprintf(a->firmware, sizeof(a->firmware), "%s/qemu/firmware", a->build);
	a->o = (struct lab_options){
		.qemu_dir = qemu && *qemu ? qemu : a->qemu,
		.firmware = a->firmware, .results = "tagrig-results/lab", .seed = 1,
		.kernel = kernel && *kernel ? kernel : NULL,
	};
}

static int run_quietly(struct job_args *argv)
{
	struct job j;
	int err = argv->failed ? 1 : job_start(&j, argv->v, "/dev/null", NULL, MAKE_MS) ?:
		  job_wait(&j);

	job_args_free(argv);
	return err;
}

/* The plugin is ours to build: it is small, and needs one header of QEMU. */
static int build_plugin(struct args *a)
{
	struct job_args argv = { 0 };

	if (a->o.plugin)
		return 0;
	a->o.plugin = a->plugin;
	job_arg(&argv, "make");
	job_arg(&argv, "-s");
	job_arg(&argv, "-C");
	job_arg(&argv, "%s/qemu-machines/plugins", rig_top());
	job_arg(&argv, "O=%s", a->build);
	if (!run_quietly(&argv))
		return 0;
	fprintf(stderr, "tagrig lab: the counting plugin cannot be built\n");
	return 1;
}

/* x86 guests start through a BIOS; where there is none, QEMU says so. */
static void build_firmware(struct args *a)
{
	struct job_args argv = { 0 };

	setenv("O", a->build, 1);
	job_arg(&argv, "%s/scripts/build-firmware", rig_top());
	run_quietly(&argv);
}

static int run_files(struct args *a, int n, char **files)
{
	const char *targets = getenv("TARGETS"), *skip = getenv("SKIP_TARGETS"), *why;
	int i, status = 4, one;

	for (i = 0; i < n; i++) {
		/* a single file that was named is what was meant */
		if (n > 1 && !lab_is_target(files[i], targets, skip, &why)) {
			fprintf(stderr, "lab: %s: SKIP, %s\n", files[i], why);
			continue;
		}
		if (!a->o.dry_run && !getenv("FIRMWARE") && lab_is_for(files[i], "x86_64"))
			build_firmware(a);
		one = lab_run(&a->o, files[i]);
		status = status == 4 ? one : status | one;
	}
	return status;
}

int cmd_lab(int argc, char **argv)
{
	struct args a;
	int err;

	defaults(&a);
	err = take_options(&a, argc, argv);
	if (err)
		return err < 0 ? 0 : err;
	if (a.compare)
		return lab_run_compare(argv[optind], argv[optind + 1]);
	if (!a.o.dry_run && build_plugin(&a))
		return 1;
	return run_files(&a, argc - optind, argv + optind);
}
