// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * KTAP: the text that tools parse, to the letter, and the totals.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rig/ktap.h"

static const char expected[] =
	"KTAP version 1\n"
	"# seed 7\n"
	"    KTAP version 1\n"
	"    # Subtest: 6.1.164\n"
	"    ok 1 right\n"
	"    # 3 of 3\n"
	"    ok 2 known # XFAIL reproduced\n"
	"    ok 3 unable # SKIP no tap\n"
	"    not ok 4 a b\n"
	"    # 1 of 3\n"
	"    1..4\n"
	"not ok 1 6.1.164\n"
	"    KTAP version 1\n"
	"    # Subtest: empty\n"
	"    1..0\n"
	"not ok 2 empty\n"
	"# no check ran\n"
	"    KTAP version 1\n"
	"    # Subtest: skipped\n"
	"    ok 1 x # SKIP why\n"
	"    1..1\n"
	"ok 3 skipped # SKIP all of it was skipped\n"
	"1..3\n"
	"2 passed, 2 failed, 2 skipped\n";

static void text(void **state)
{
	struct ktap_totals totals;
	char *out = NULL;
	struct ktap k;
	size_t size;
	json_t *o;
	FILE *f = open_memstream(&out, &size);

	(void)state;
	ktap_begin(&k, f, NULL);
	ktap_note(&k, "seed %d", 7);
	ktap_down(&k, "6.1.164");
	ktap_check(&k, KTAP_PASS, "right", "3 of 3", NULL);
	ktap_check(&k, KTAP_XFAIL, "known", "reproduced", NULL);
	ktap_check(&k, KTAP_SKIP, "unable", "no tap", NULL);
	ktap_check(&k, KTAP_FAIL, "a#b", "1 of 3", json_pack("{s:i}", "frames", 3));
	ktap_up(&k);
	ktap_down(&k, "empty");
	ktap_up(&k);
	ktap_down(&k, "skipped");
	ktap_check(&k, KTAP_SKIP, "x", "why", NULL);
	ktap_up(&k);
	o = ktap_end(&k, &totals);
	fclose(f);
	assert_string_equal(out, expected);
	assert_int_equal(totals.passed, 2);
	assert_int_equal(totals.xfailed, 1);
	assert_int_equal(totals.failed, 2);
	assert_int_equal(totals.skipped, 2);
	assert_int_equal(json_integer_value(json_object_get(o, "failed")), 2);
	assert_int_equal(json_array_size(json_object_get(o, "results")), 3);
	json_decref(o);
	free(out);
}

/* What was opened and never closed is closed by the end: nothing is lost. */
static void cut_short(void **state)
{
	struct ktap_totals totals;
	char *out = NULL;
	struct ktap k;
	size_t size;
	FILE *f = open_memstream(&out, &size);

	(void)state;
	ktap_begin(&k, f, NULL);
	ktap_down(&k, "kernel");
	ktap_down(&k, "scenario");
	ktap_check(&k, KTAP_PASS, "one", NULL, NULL);
	json_decref(ktap_end(&k, &totals));
	fclose(f);
	assert_non_null(strstr(out, "\nok 1 kernel\n1..1\n1 passed, 0 failed, 0 skipped\n"));
	free(out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text),
		cmocka_unit_test(cut_short),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
