// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Programs that the lab runs: their status, their output, and their deadline.
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

#include "lab/job.h"

static int run(const char *script, const char *out, int timeout_ms)
{
	char *argv[] = { "sh", "-c", (char *)script, NULL };
	struct job j;

	assert_int_equal(job_start(&j, argv, out, NULL, timeout_ms), 0);
	return job_wait(&j);
}

static void status(void **state)
{
	char *argv[] = { "/nonexistent/program", NULL };
	struct job j;

	(void)state;
	assert_int_equal(run("exit 7", NULL, 10000), 7);
	assert_int_equal(run("kill -9 $$", NULL, 10000), 128 + 9);
	assert_int_equal(job_start(&j, argv, NULL, "/dev/null", 10000), 0);
	assert_int_equal(job_wait(&j), 127);
}

/* A program that does not end is ended. */
static void deadline(void **state)
{
	(void)state;
	assert_int_equal(run("exec sleep 1000", NULL, 50), -ETIMEDOUT);
}

static void several(void **state)
{
	char *argv[] = { "sh", "-c", "exit 3", NULL };
	struct job j[3];
	size_t i;

	(void)state;
	for (i = 0; i < 3; i++)
		assert_int_equal(job_start(&j[i], argv, NULL, NULL, 10000), 0);
	for (i = 3; i-- > 0;)
		assert_int_equal(job_wait(&j[i]), 3);
}

static void output(void **state)
{
	char out[] = "/tmp/test_lab_job.XXXXXX", text[64] = "";
	int fd = mkstemp(out);

	(void)state;
	assert_int_equal(run("echo one; echo two", out, 10000), 0);
	assert_int_equal(read(fd, text, sizeof(text) - 1), 8);
	assert_string_equal(text, "one\ntwo\n");
	close(fd);
	unlink(out);
}

static void last_line(void **state)
{
	char *lines[] = { "sh", "-c", "echo first; echo the last; exit 4", NULL };
	char *none[] = { "true", NULL };
	char *line;

	(void)state;
	assert_int_equal(job_last_line(lines, 10000, &line), 4);
	assert_string_equal(line, "the last");
	free(line);
	assert_int_equal(job_last_line(none, 10000, &line), 0);
	assert_null(line);
}

static void arguments(void **state)
{
	struct job_args a = { 0 };

	(void)state;
	job_arg(&a, "-m");
	job_arg(&a, "%d MB", 256);
	assert_int_equal(a.n, 2);
	assert_string_equal(a.v[1], "256 MB");
	assert_null(a.v[2]);
	assert_false(a.failed);
	job_args_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(status),
		cmocka_unit_test(deadline),
		cmocka_unit_test(several),
		cmocka_unit_test(output),
		cmocka_unit_test(last_line),
		cmocka_unit_test(arguments),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
