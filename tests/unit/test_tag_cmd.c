// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tagrig tags, as a person runs it: the table, JSON, one format's fields, and
 * what it says to a wrong call.  TAGRIG is the program; without it these tests
 * are skipped.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <cmocka.h>
#include <jansson.h>

#include "tag/tag.h"

/* Runs "tagrig tags @args", its stderr with its stdout; returns the exit status. */
static int run(const char *args, char *out, size_t size)
{
	const char *tagrig = getenv("TAGRIG");
	char cmd[512];
	size_t n;
	FILE *p;
	int status;

	if (!tagrig || !*tagrig) {
		print_message("# TAGRIG is not set\n");
		skip();
	}
	snprintf(cmd, sizeof(cmd), "'%s' tags %s 2>&1", tagrig, args);
	p = popen(cmd, "r");
	assert_non_null(p);
	n = fread(out, 1, size - 1, p);
	out[n] = '\0';
	status = pclose(p);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void table(void **state)
{
	static char out[16384];
	char row[32];
	size_t i;

	(void)state;
	assert_int_equal(run("", out, sizeof(out)), 0);
	for (i = 0; i < tag_count(); i++) {
		snprintf(row, sizeof(row), "\n%-16s %5u ", tag_name(tag_at(i)),
			 tag_proto(tag_at(i)));
		assert_non_null(strstr(out, row));
	}
	assert_non_null(strstr(out, "edsa                 4 ethertype   8   8 dada  dada  no"));
	assert_non_null(strstr(out, "dsa RX: port 0, trapped, device 8 looks like IP"));
}

static void json(void **state)
{
	static char out[65536];
	const char *name, *sees;
	json_t *all, *row;
	json_error_t err;
	int proto, tx, rx;
	size_t i;

	(void)state;
	assert_int_equal(run("-j", out, sizeof(out)), 0);
	all = json_loads(out, 0, &err);
	assert_non_null(all);
	assert_int_equal(json_array_size(all), tag_count());
	json_array_foreach(all, i, row) {
		assert_int_equal(json_unpack(row, "{s:s, s:i, s:{s:i, s:s}, s:{s:i}}",
					     "name", &name, "proto", &proto, "from_cpu", "length", &tx,
					     "engine_sees_ip", &sees, "to_cpu", "length", &rx), 0);
		assert_string_equal(name, tag_name(tag_at(i)));
		assert_int_equal(proto, tag_proto(tag_at(i)));
		assert_int_equal(tx, tag_len(tag_at(i), TAG_FROM_CPU));
		assert_int_equal(rx, tag_len(tag_at(i), TAG_TO_CPU));
		if (!strcmp(name, "ksz9477"))
			assert_string_equal(sees, "always");
	}
	json_decref(all);
}

static void fields(void **state)
{
	static char out[16384];

	(void)state;
	assert_int_equal(run("a5psw", out, sizeof(out)), 0);
	assert_non_null(strstr(out, "a5psw from-cpu: ethertype, 8 bytes, after padding to 60"));
	assert_non_null(strstr(out, "byte  7 bit 3   4 bits  ports"));
	assert_null(strstr(out, "edsa"));
}

static void wrong_calls(void **state)
{
	char out[4096];

	(void)state;
	assert_int_equal(run("esda", out, sizeof(out)), 2);
	assert_string_equal(out, "tagrig tags: there is no tag format 'esda'; "
			    "'tagrig tags' lists them\n");
	assert_int_equal(run("--nonsense", out, sizeof(out)), 2);
	assert_non_null(strstr(out, "usage: tagrig tags"));
	assert_int_equal(run("--help", out, sizeof(out)), 0);
	assert_non_null(strstr(out, "usage: tagrig tags"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(table),
		cmocka_unit_test(json),
		cmocka_unit_test(fields),
		cmocka_unit_test(wrong_calls),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
