// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A guest's console: what is for us, and what a failure says.
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

#include "lab/console.h"
#include "lab/trace.h"

static char path[] = "/tmp/test_lab_console.XXXXXX";

static void read_text(const char *text, struct console *c)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	assert_int_equal(console_read(path, c), 0);
}

static void a_good_run(void **state)
{
	struct console c;

	(void)state;
	read_text("[    0.1] something of the kernel\r\n"
		  "lab: section stmmac .text 0xffff80007ac6f000\r\n"
		  "lab: section stmmac .init.text 0xffff80007ac65000\r\n"
		  "lab: command 1 exit 0\r\n"
		  "lab: probe 690 2000\n"
		  "lab: untraced f\n"
		  "lab: untraced g\n"
		  "{\"sent\":200}\r\n"
		  "lab: elapsed 11875504\r\n"
		  "lab: received 200 198\r\n"
		  "lab: command 2 exit 0\r\n"
		  "lab: trace stmmac_xmit 200 862.4\r\n"
		  "lab: end\r\n", &c);
	assert_true(c.ended);
	assert_int_equal(c.failed, 0);
	assert_int_equal(c.elapsed_ns, 11875504);
	assert_int_equal(c.n_sections, 2);
	assert_string_equal(c.sections[1].name, ".init.text");
	assert_int_equal(c.sections[0].addr, 0xffff80007ac6f000);
	assert_int_equal(c.probe_ns, 690);
	assert_int_equal(c.taken, 200);
	assert_int_equal(c.delivered, 198);
	assert_string_equal(c.untraced, "f g");
	assert_string_equal(c.last, "{\"sent\":200}");
	assert_int_equal(lab_traced(&c, "stmmac_xmit")->hits, 200);
	assert_float_equal(lab_traced(&c, "stmmac_xmit")->us, 862.4, 1e-9);
	assert_null(lab_traced(&c, "stmmac_rx"));
}

static void a_bad_run(void **state)
{
	struct console c;

	(void)state;
	read_text("lab: command 1 exit 0\n"
		  "Cannot find device \"lan0\"\n"
		  "lab: command 2 exit 1\n"
		  "later noise\n"
		  "lab: command 3 exit 9\n", &c);
	assert_false(c.ended);
	assert_int_equal(c.failed, 2);
	assert_int_equal(c.status, 1);
	assert_string_equal(c.last, "Cannot find device \"lan0\"");
	assert_int_equal(c.elapsed_ns, -1);
	assert_int_equal(c.taken, -1);
	assert_int_equal(c.probe_ns, -1);
}

/* Nothing that a guest prints may do harm. */
static void nonsense(void **state)
{
	char text[8192] = "";
	struct console c;
	int i;

	(void)state;
	read_text("lab: \nlab: section\nlab: section a\nlab: command x exit y\nlab: elapsed\n"
		  "lab: trace\nlab: trace f\nlab: ending\nlab:end\n", &c);
	assert_false(c.ended);
	assert_int_equal(c.n_sections + c.n_traced + (size_t)c.failed, 0);
	for (i = 0; i < 60; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text),
			 "lab: section m .text %d\nlab: trace f%d 1 1\nlab: untraced function%d\n",
			 i, i, i);
	read_text(text, &c);
	assert_int_equal(c.n_sections, CONSOLE_SECTIONS);
	assert_int_equal(c.n_traced, CONSOLE_TRACED);
	assert_true(strlen(c.untraced) < sizeof(c.untraced));
	assert_int_equal(console_read("/nonexistent", &c), -ENOENT);
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
		cmocka_unit_test(a_good_run),
		cmocka_unit_test(a_bad_run),
		cmocka_unit_test(nonsense),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
