// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The time leg's plans and tables.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "lab/timing.h"

static char path[] = "/tmp/test_lab_timing.XXXXXX";

static void plan(void **state)
{
	struct timing t = { 0 };

	(void)state;
	assert_int_equal(timing_plan(&t, "tx", "plain", "inline", 8, 2), 0);
	assert_int_equal(t.n, 8 * 2 * 4);
	assert_int_equal(t.runs[0].side, 'A');
	assert_int_equal(t.runs[1].side, 'B');
	assert_int_equal(t.runs[2].side, 'B');
	assert_int_equal(t.runs[3].side, 'A');
	assert_int_equal(t.runs[3].block, 0);
	assert_int_equal(t.runs[4].layout, 1);
	assert_int_equal(t.runs[4].block, 1);
	assert_int_equal(t.runs[32].layout, 0);
	assert_int_equal(t.runs[63].layout, 7);
	assert_int_equal(timing_pad(3), 48);
	assert_int_equal(timing_pad(4), 0);
	assert_int_equal(timing_order(3), 0);
	assert_int_equal(timing_order(4), 1);
	assert_int_equal(t.runs[63].block, 15);
	assert_int_equal(t.runs[63].ns, -1);
	timing_free(&t);
}

static void save_and_load(void **state)
{
	struct timing t = { 0 }, u;
	char why[256];
	size_t i;

	(void)state;
	assert_int_equal(timing_plan(&t, "tx", "plain", "plain", 1, 2), 0);
	assert_int_equal(timing_plan(&t, "tx", "plain", "inline", 2, 2), 0);
	for (i = 0; i < t.n; i++)
		t.runs[i].ns = 1000000 + (int64_t)i;
	assert_int_equal(timing_save(&t, path), 0);
	assert_int_equal(timing_load(&u, path, why), 0);
	assert_int_equal(t.n, u.n);
	for (i = 0; i < t.n; i++) {
		assert_string_equal(t.runs[i].b, u.runs[i].b);
		assert_int_equal(t.runs[i].layout, u.runs[i].layout);
		assert_int_equal(t.runs[i].side, u.runs[i].side);
		assert_int_equal(t.runs[i].ns, u.runs[i].ns);
	}
	timing_free(&t);
	timing_free(&u);
}

/* A drift that is linear in time is no effect; 2 % are 2 %. */
static void evaluate(void **state)
{
	struct timing t = { 0 };
	struct stats_result r;
	size_t i;

	(void)state;
	assert_int_equal(timing_plan(&t, "tx", "plain", "inline", 8, 2), 0);
	assert_int_equal(timing_plan(&t, "rx", "plain", "inline", 1, 1), 0);
	assert_int_equal(timing_evaluate(&t, "tx", "plain", "inline", 1, &r), -ENODATA);
	for (i = 0; i < t.n; i++)
		t.runs[i].ns = 1000000 + 100 * (int64_t)i + (t.runs[i].side == 'B' ? 20000 : 0);
	assert_int_equal(timing_evaluate(&t, "tx", "plain", "inline", 1, &r), 0);
	assert_int_equal(r.blocks, 16);
	assert_int_equal(r.layouts, 8);
	assert_float_equal(r.effect, 0.02, 0.0005);
	assert_true(r.p < 0.001);
	assert_int_equal(timing_evaluate(&t, "rx", "plain", "inline", 1, &r), -EINVAL);
	assert_int_equal(timing_evaluate(&t, "tx", "plain", "other", 1, &r), -ENODATA);
	timing_free(&t);
}

static void bad_tables(void **state)
{
	static const char *const texts[] = {
		"nonsense\n", "tx\tplain\tinline\t0\t0\tC\t5\n", "tx\tplain\tinline\t0\t0\tA\n",
		"tx\tplain\tinline\tx\t0\tA\t5\n", "tx\tplain\tinline\t8\t0\tA\t5\n",
		"tx\tplain\tinline\t0\t4294967295\tA\t5\n",
	};
	struct timing t;
	char why[256];
	size_t i;
	FILE *f;

	(void)state;
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		f = fopen(path, "w");
		fputs(texts[i], f);
		fclose(f);
		assert_int_equal(timing_load(&t, path, why), -EINVAL);
		assert_non_null(strstr(why, ":1: expected workload"));
	}
	assert_int_equal(timing_load(&t, "/nonexistent", why), -ENOENT);
}

static void no_kvm_for_others(void **state)
{
	char why[256] = "";

	(void)state;
	assert_false(timing_kvm("s390x", why, sizeof(why)));
	assert_non_null(strstr(why, "the lab is for s390x"));
}

static int setup(void **state)
{
	int fd = mkstemp(path);

	(void)state;
	return fd < 0 ? -1 : close(fd);
}

static int teardown(void **state)
{
	(void)state;
	return unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plan),
		cmocka_unit_test(save_and_load),
		cmocka_unit_test(evaluate),
		cmocka_unit_test(bad_tables),
		cmocka_unit_test(no_kvm_for_others),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
