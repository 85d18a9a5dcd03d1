// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tagrig run: scenarios on kernels.  The work is in rig/run.c; this is its
 * options.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "rig/choose.h"
#include "rig/run.h"

#define MAX_FILTERS 8

enum {
	OPT_KERNEL = 256, OPT_QEMU, OPT_RESULTS, OPT_NAME, OPT_SEED, OPT_DRY_RUN,
	OPT_GDB, OPT_SNAPSHOTS, OPT_BISECT, OPT_APPEND, OPT_BOOT_TIME, OPT_HELP,
	OPT_SHELL, OPT_PCAP, OPT_ONLY, OPT_SKIP,
};

static const struct {
	struct option o;
	const char *value;
	const char *help;
} options[] = {
	{ { "kernel", 1, NULL, OPT_KERNEL }, "NAME",
	  "a kernel: broken, fixed, a version, an Image, a tree; repeatable "
	  "(default: with the bug, and without)" },
	{ { "results", 1, NULL, OPT_RESULTS }, "DIR",
	  "where logs, captures and results go (default: tagrig-results)" },
	{ { "snapshots", 1, NULL, OPT_SNAPSHOTS }, "DIR",
	  "keep snapshots of booted guests there, for later runs" },
	{ { "only", 1, NULL, OPT_ONLY }, "VAR=A,B",
	  "only scenarios whose variable has one of these values; may be repeated" },
	{ { "skip", 1, NULL, OPT_SKIP }, "VAR=A,B", "all but those; may be repeated" },
	{ { "name", 1, NULL, OPT_NAME }, "NAME", "of DIR/NAME.ktap and .json (default: run)" },
	{ { "seed", 1, NULL, OPT_SEED }, "N", "seed of everything random (default: 1)" },
	{ { "append", 1, NULL, OPT_APPEND }, "TEXT", "further kernel parameters" },
	{ { "boot-time", 1, NULL, OPT_BOOT_TIME }, "S", "seconds for a boot (default: 120)" },
	{ { "bisect", 0, NULL, OPT_BISECT }, NULL,
	  "exit 0 without the bug, 1 with it, 125 when it can't be told" },
	{ { "json", 0, NULL, 'j' }, NULL, "print the results as JSON" },
	{ { "dry-run", 0, NULL, OPT_DRY_RUN }, NULL, "print the QEMU lines, run nothing" },
	{ { "gdb", 0, NULL, OPT_GDB }, NULL, "wait for gdb on local port 1234" },
	{ { "shell", 0, NULL, OPT_SHELL }, NULL,
	  "a shell in the guest behind each scenario's set-up" },
	{ { "pcap", 1, NULL, OPT_PCAP }, "FILE",
	  "all frames as they pass, as pcapng ('-': stdout, and results on stderr)" },
	{ { "qemu", 1, NULL, OPT_QEMU }, "FILE", "qemu-system-aarch64 with our models" },
	{ { "help", 0, NULL, OPT_HELP }, NULL, "this text" },
};

#define OPTIONS (sizeof(options) / sizeof(options[0]))

struct args {
	struct run_options o;
	struct run_kernel *kernels;
	unsigned int n;
	struct choices choices;	/* without --kernel */
	struct scenario_filter filter[MAX_FILTERS];
	unsigned int filters;
	char qemu[4096];
};

static void usage(FILE *out)
{
	char text[64];
	size_t i;

	fprintf(out, "usage: tagrig run [OPTIONS] FILE.rig...\n\n");
	for (i = 0; i < OPTIONS; i++) {
		snprintf(text, sizeof(text), "--%s%s%s", options[i].o.name,
			 options[i].value ? " " : "", options[i].value ?: "");
		fprintf(out, "  %-18s %s\n", text, options[i].help);
	}
	fprintf(out, "\nExit status: 0 passed, 1 failed, 2 usage, 4 all skipped.\n");
}

static int number(const char *name, const char *text, unsigned long max,
		  unsigned long *value)
{
	char *end;

	*value = strtoul(text, &end, 0);
	if (*text >= '0' && *text <= '9' && !*end && *value <= max)
		return 0;
	fprintf(stderr, "tagrig run: expected a number up to %lu for --%s, found '%s'\n", max,
		name, text);
	return 2;
}

/* Everything else that is for stdout then goes to stderr. */
static int pcap_on_stdout(void)
{
	int fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);

	if (fd >= 0 && dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static int open_pcap(struct args *a, const char *path)
{
	if (strcmp(path, "-"))
		a->o.pcap = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	else
		a->o.pcap = pcap_on_stdout();
	if (a->o.pcap >= 0)
		return 0;
	fprintf(stderr, "tagrig run: %s: %s\n", path, strerror(errno));
	return 2;
}

/* "VAR=A,B": the argument itself is cut in two. */
static int take_filter(struct args *a, bool without)
{
	struct scenario_filter *f = &a->filter[a->filters];
	char *equals = strchr(optarg, '=');

	if (a->filters == MAX_FILTERS) {
		fprintf(stderr, "tagrig run: at most %d of --only and --skip\n", MAX_FILTERS);
		return 2;
	}
	if (!equals || equals == optarg || !equals[1]) {
		fprintf(stderr, "tagrig run: expected VARIABLE=VALUE,... for --%s, found '%s'\n",
			without ? "skip" : "only", optarg);
		return 2;
	}
	*equals = '\0';
	*f = (struct scenario_filter){ optarg, equals + 1, without };
	a->filters++;
	return 0;
}

static int add_kernel(struct args *a, const char *name, const bool *wanted)
{
	struct run_kernel *v = realloc(a->kernels, (a->n + 1) * sizeof(*v));

	if (!v) {
		fprintf(stderr, "tagrig run: %s\n", strerror(ENOMEM));
		return 2;
	}
	a->kernels = v;
	v[a->n++] = (struct run_kernel){ .name = name, .wanted = wanted };
	return 0;
}

static int take_option(struct args *a, int opt)
{
	unsigned long n = 0;

	switch (opt) {
	case OPT_KERNEL:
		return add_kernel(a, optarg, NULL);
	case OPT_QEMU:
		a->o.qemu = optarg;
		return 0;
	case OPT_RESULTS:
		a->o.results = optarg;
		return 0;
	case OPT_SNAPSHOTS:
		a->o.snapshots = optarg;
		return 0;
	case OPT_ONLY:
	case OPT_SKIP:
		return take_filter(a, opt == OPT_SKIP);
	case OPT_NAME:
		a->o.name = optarg;
		return 0;
	case OPT_SEED:
		return number("seed", optarg, ~0ul, &a->o.seed);
	case OPT_APPEND:
		a->o.append = optarg;
		return 0;
	case OPT_BOOT_TIME:
		if (number("boot-time", optarg, 86400, &n))
			return 2;
		a->o.boot_ms = (int)n * 1000;
		return 0;
	case OPT_BISECT:
		a->o.bisect = true;
		return 0;
	case OPT_DRY_RUN:
		a->o.dry_run = true;
		return 0;
	case OPT_SHELL:
		a->o.shell = true;
		return 0;
	case OPT_PCAP:
		return open_pcap(a, optarg);
	case OPT_GDB:
		a->o.gdb = true;
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
	if (optind == argc) {
		fprintf(stderr, "tagrig run: expected a scenario file\n");
		return 2;
	}
	return 0;
}

static void defaults(struct args *a)
{
	memset(a, 0, sizeof(*a));
	a->o.results = "tagrig-results";
	a->o.name = "run";
	a->o.append = "";
	a->o.seed = 1;
	a->o.boot_ms = 120000;
	a->o.pcap = -1;
	snprintf(a->qemu, sizeof(a->qemu), "%s/qemu/bin/qemu-system-aarch64",
		 getenv("O") ?: TAGRIG_O);
	a->o.qemu = a->qemu;
}

/* No kernel was named: those that the scenarios' labels ask for. */
static int choose(struct args *a, const struct scenario_list *list)
{
	const struct choices *c = &a->choices;
	char why[256];
	unsigned int i;
	int err = 0;

	if (choose_kernels(list, &a->choices, why)) {
		fprintf(stderr, "tagrig run: %s\n", why);
		return 1;
	}
	for (i = 0; i < c->n && !err; i++)
		err = add_kernel(a, c->v[i].name, c->v[i].wanted);
	return err;
}

int cmd_run(int argc, char **argv)
{
	struct scenario_list list = { 0 };
	char error[ERROR_SIZE];
	struct args a;
	int i, err;

	defaults(&a);
	err = take_options(&a, argc, argv);
	if (err)
		return err < 0 ? 0 : err;
	list.filter = a.filter;
	list.filters = a.filters;
	for (i = optind; i < argc; i++) {
		if (scenario_load(&list, argv[i], error)) {
			fprintf(stderr, "%s\n", error);
			scenario_free(&list);
			return 2;
		}
	}
	if (!list.count) {
		fprintf(stderr, "tagrig run: no scenario is left by --only and --skip\n");
		return 2;
	}
	err = a.n ? 0 : choose(&a, &list);
	if (!err)
		err = run_scenarios(&a.o, &list, a.kernels, a.n);
	choices_free(&a.choices);
	free(a.kernels);
	scenario_free(&list);
	return err;
}
