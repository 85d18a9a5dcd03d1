// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Choosing kernels: a catalogue may be as large as it likes.  scripts/fetch-kernel
 * is one of our own here, which has a kernel for every label.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rig/choose.h"

#define SCENARIOS 300

static char top[] = "/tmp/choose-XXXXXX";
static char path[sizeof(top) + 32];

static int make_script(void **state)
{
	FILE *f;

	(void)state;
	if (!mkdtemp(top))
		return -1;
	snprintf(path, sizeof(path), "%s/scripts", top);
	if (mkdir(path, 0755))
		return -1;
	snprintf(path, sizeof(path), "%s/scripts/fetch-kernel", top);
	f = fopen(path, "we");
	if (!f)
		return -1;
	fprintf(f, "#!/bin/sh\n"
		   "[ \"$1\" = --labels ] || exit 1\n"
		   "shift\n"
		   "for label; do\n"
		   "	case $label in\n"
		   "	*:fixed) echo \"$label newest /kernels/newest\" ;;\n"
		   "	*) echo \"$label k-$label /kernels/$label\" ;;\n"
		   "	esac\n"
		   "done\n");
	fchmod(fileno(f), 0755);
	fclose(f);
	return setenv("TAGRIG_TOP", top, 1);
}

static int drop_script(void **state)
{
	(void)state;
	unlink(path);
	snprintf(path, sizeof(path), "%s/scripts", top);
	rmdir(path);
	return rmdir(top);
}

static void many(void **state)
{
	struct scenario *v = calloc(SCENARIOS, sizeof(*v));
	struct scenario_list list = { .v = v, .count = SCENARIOS };
	struct choices c;
	char why[256], name[64];
	unsigned int i, k, n;

	(void)state;
	for (i = 0; i < SCENARIOS; i++) {
		v[i].file = "x.rig";
		v[i].labels = 1;
		snprintf(v[i].label[0].what, sizeof(v[i].label[0].what), "%012x", i + 1);
	}
	assert_int_equal(choose_kernels(&list, &c, why), 0);
	assert_int_equal(c.n, SCENARIOS + 1);
	for (i = 0; i < SCENARIOS; i++) {
		for (k = n = 0; k < c.n; k++)
			n += c.v[k].wanted[i];
		assert_int_equal(n, 2);
		snprintf(name, sizeof(name), "k-%012x:broken", i + 1);
		assert_string_equal(c.v[i].name, name);
		assert_true(c.v[i].wanted[i]);
		assert_true(c.v[SCENARIOS].wanted[i]);
	}
	choices_free(&c);
	free(v);
}

static void no_kernel(void **state)
{
	struct scenario s = { .file = "x.rig" };
	struct scenario_list list = { .v = &s, .count = 1 };
	struct choices c;
	char why[256];

	(void)state;
	assert_int_equal(choose_kernels(&list, &c, why), 0);
	assert_int_equal(c.n, 2);
	choices_free(&c);
	unlink(path);
	assert_int_not_equal(choose_kernels(&list, &c, why), 0);
	assert_string_equal(why, "scripts/fetch-kernel --labels failed");
	choices_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(many),
		cmocka_unit_test(no_kernel),
	};

	return cmocka_run_group_tests(tests, make_script, drop_script);
}
