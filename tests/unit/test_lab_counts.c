// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The counting plugin's report, read; and the symbol list that it is given,
 * written from files that the compiler here makes.
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

#include "lab/counts.h"
#include "lab/symlist.h"

static char dir[] = "/tmp/test_lab_counts.XXXXXX";

static const char *path_of(const char *name)
{
	static char path[4][128];
	static unsigned int i;

	i = (i + 1) % 4;
	snprintf(path[i], sizeof(path[i]), "%s/%s", dir, name);
	return path[i];
}

static void write_file(const char *name, const char *text)
{
	FILE *f = fopen(path_of(name), "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static const char report[] =
	"{ \"version\": 1, \"target\": \"aarch64\", \"core\": null, \"predictor\": false,\n"
	"  \"open_at_exit\": false, \"lost_frames\": 2, \"undecoded\": 0,\n"
	"  \"windows\": [\n"
	"  { \"window\": 1, \"opened\": 3,\n"
	"  \"total\": { \"name\": \"[all]\", \"insns\": 130, \"loads\": 11 },\n"
	"  \"symbols\": [\n"
	"   { \"name\": \"f\", \"start\": \"0xffff800008000010\", \"insns\": 70, \"calls\": 3, \"min\": 20, \"max\": 30 },\n"
	"   { \"name\": \"g\", \"start\": \"0xffff800008000100\", \"insns\": 50, \"loads\": 11 },\n"
	"   { \"name\": \"g\", \"start\": \"0xffff800008000200\", \"insns\": 10 } ] } ] }\n";

static struct counts *load(const char *text)
{
	char why[256] = "";
	struct counts *c;

	write_file("report", text);
	c = counts_load(path_of("report"), why);
	if (!c)
		fail_msg("%s", why);
	return c;
}

static void reads(void **state)
{
	struct counts *c = load(report);
	const struct counts_window *w = counts_window(c, 1);

	(void)state;
	assert_int_equal(c->lost_frames, 2);
	assert_null(counts_window(c, 2));
	assert_int_equal(w->opened, 3);
	assert_int_equal(w->total.n[COUNTS_INSNS], 130);
	assert_int_equal(w->n_rows, 3);
	assert_int_equal(w->rows[0].start, 0xffff800008000010);
	assert_int_equal(w->rows[0].n[COUNTS_MAX], 30);
	assert_int_equal(counts_sum(w, "g", COUNTS_INSNS), 60);
	assert_int_equal(counts_sum(w, "h", COUNTS_INSNS), 0);
	counts_free(c);
}

/* The report with @from replaced by @to differs, and @says tells where. */
static void check_differs(const char *from, const char *to, const char *says)
{
	struct counts *a = load(report), *b;
	char text[2048], where[128] = "";
	const char *at = strstr(report, from);

	snprintf(text, sizeof(text), "%.*s%s%s", (int)(at - report), report, to,
		 at + strlen(from));
	b = load(text);
	assert_true(counts_differ(a, b, where, sizeof(where)));
	if (!strstr(where, says))
		fail_msg("\"%s\" does not say \"%s\"", where, says);
	counts_free(a);
	counts_free(b);
}

static void tells_where_runs_part(void **state)
{
	struct counts *a = load(report), *b = load(report);
	char where[128];

	(void)state;
	assert_false(counts_differ(a, b, where, sizeof(where)));
	counts_free(a);
	counts_free(b);
	check_differs("\"insns\": 70", "\"insns\": 71", "window 1: insns of f: 70 and 71");
	check_differs("\"calls\": 3, ", "", "calls of f: 3 and 0");
	check_differs("\"name\": \"f\"", "\"name\": \"e\"", "f runs in one and e in the other");
	check_differs("\"opened\": 3", "\"opened\": 4", "opened 3 times");
	check_differs(",\n   { \"name\": \"g\", \"start\": \"0xffff800008000200\", \"insns\": 10 }", "",
		      "g runs in one only");
}

static void bad_reports(void **state)
{
	static const char *const texts[] = {
		"", "{", "{}", "[]", "{ \"version\": 2, \"windows\": [] }",
		"{ \"version\": 1, \"windows\": 7 }",
		"{ \"version\": 1, \"windows\": [ { \"window\": 1 } ] }",
		"{ \"version\": 1, \"windows\": [ { \"window\": 1, \"total\": { \"name\": \"x\" }, "
		"\"symbols\": [ { \"name\": \"f\", \"surprise\": 1 } ] } ] }",
	};
	char why[256];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		why[0] = '\0';
		write_file("report", texts[i]);
		if (counts_load(path_of("report"), why))
			fail_msg("accepted: %s", texts[i]);
		assert_non_null(strstr(why, "report"));
	}
	assert_null(counts_load(path_of("absent"), why));
}

/* --- the symbol list ---------------------------------------------------------- */

static void assemble(const char *name, const char *text)
{
	char cmd[512], file[64];

	snprintf(file, sizeof(file), "%s.S", name);
	write_file(file, text);
	snprintf(cmd, sizeof(cmd), "cd %s && cc -c -o %s.o %s.S && "
		 "cc -nostdlib -static -no-pie -Wl,-Ttext=0x100000,-e,f -o %s %s.o", dir, name, name,
		 name, name);
	if (system(cmd))
		fail_msg("%s", cmd);
}

static struct elf_image *open_elf(const char *name)
{
	char why[256] = "";
	struct elf_image *img = elf_open(path_of(name), why, sizeof(why));

	if (!img)
		fail_msg("%s", why);
	return img;
}

static const char entry_code[] =
	".macro fn n, bytes\n.globl \\n\n.type \\n, @function\n\\n: .skip \\bytes, 0x90\n"
	".size \\n, . - \\n\n.endm\n.text\n"
	"fn f, 16\n"
	".globl label\nlabel:\n"			/* an alias of what follows */
	"fn g.isra.0, 16\n"
	"fn __switch_to_asm, 16\n"
	"fn asm_exc_page_fault, 16\n"
	"fn asm_common_interrupt, 16\n"
	"fn asm_spurious_interrupt, 16\n"
	"fn entry_SYSCALL_64, 16\n"
	".globl endless\n.type endless, @function\nendless: .skip 32, 0x90\n"	/* no size */
	"fn last, 16\n";

static char *read_list(void)
{
	static char text[4096];
	FILE *f = fopen(path_of("list"), "r");
	size_t n = fread(text, 1, sizeof(text) - 1, f);

	text[n] = '\0';
	fclose(f);
	return text;
}

static void expect_line(const char *list, const char *line)
{
	if (!strstr(list, line))
		fail_msg("no line \"%s\" in:\n%s", line, list);
}

/* The names of the entry code are those of one architecture. */
static void only_on_x86(void)
{
#ifndef __x86_64__
	skip();
#endif
}

static void writes_a_list(void **state)
{
	static const char *const watched[] = { "g", "absent" };
	struct symlist_request req = { .watched = watched, .n_watched = 2, .window = "f" };
	struct symlist_module m = { .section = ".text", .addr = 0x7000000 };
	struct elf_image *img, *ko;
	char why[256] = "";
	char *list;

	(void)state;
	only_on_x86();
	assemble("kernel", entry_code);
	assemble("mod", ".text\n.globl f\n.type f, @function\n.skip 8, 0x90\n"
		 "f: .skip 8, 0x90\n.size f, 8\n");
	img = open_elf("kernel");
	ko = open_elf("mod.o");
	m.img = ko;
	req.vmlinux = img;
	req.modules = &m;
	req.n_modules = 1;
	if (symlist_write(path_of("list"), &req, why))
		fail_msg("%s", why);
	list = read_list();
	expect_line(list, "100000 100010 o f\n");
	expect_line(list, "100010 100020 w g.isra.0\n");
	expect_line(list, "100020 100030 s __switch_to_asm\n");
	expect_line(list, "100030 100040 e asm_exc_page_fault\n");
	expect_line(list, "100070 100090 - endless\n");
	expect_line(list, "7000008 7000010 o f\n");
	assert_null(strstr(list, "label"));
	assert_null(strstr(list, "absent"));
	elf_close(ko);
	elf_close(img);
}

static void wants_entry_code(void **state)
{
	struct symlist_request req = { 0 };
	struct elf_image *img;
	char why[256] = "";

	(void)state;
	only_on_x86();
	assemble("bare", ".globl f\n.type f, @function\nf: nop\n.size f, 1\n");
	img = open_elf("bare");
	req.vmlinux = img;
	assert_int_equal(symlist_write(path_of("list"), &req, why), -EINVAL);
	assert_non_null(strstr(why, "__switch_to_asm"));
	elf_close(img);
}

static int setup(void **state)
{
	(void)state;
	return mkdtemp(dir) ? 0 : -1;
}

static int teardown(void **state)
{
	char cmd[64];

	(void)state;
	snprintf(cmd, sizeof(cmd), "rm -rf %s", dir);
	return system(cmd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads),
		cmocka_unit_test(tells_where_runs_part),
		cmocka_unit_test(bad_reports),
		cmocka_unit_test(writes_a_list),
		cmocka_unit_test(wants_entry_code),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
