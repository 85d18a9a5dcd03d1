// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From counts to a report: what is judged, printed, written and compared, on
 * counts that are made up here; and the build gate on objects that the
 * compiler here makes.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "lab/result.h"
#include "lab/table.h"

static char dir[] = "/tmp/test_lab_result.XXXXXX";

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

/* Ten operations: @insns in all, @helper of them the helper's, ten calls of f. */
static void measure(struct lab_cell *c, unsigned int insns, unsigned int helper,
		    unsigned int edge32)
{
	char text[1024], why[256];

	snprintf(text, sizeof(text),
		 "{ \"version\": 1, \"windows\": [ { \"window\": 1, \"opened\": 10,"
		 " \"total\": { \"name\": \"[all]\", \"insns\": %u, \"edge32\": %u,"
		 " \"rep_iterations\": 1000 },"
		 " \"symbols\": ["
		 " { \"name\": \"f\", \"start\": \"0x10\", \"insns\": %u, \"calls\": 10 }, "
		 " { \"name\": \"helper\", \"start\": \"0x80\", \"insns\": %u, \"calls\": 20 }"
		 " ] } ] }", insns, edge32, insns - helper, helper);
	write_file("counts", text);
	c->m.counts = counts_load(path_of("counts"), why);
	assert_non_null(c->m.counts);
	c->m.repeatable = true;
	c->m.ops = 10;
	c->measured = true;
}

static struct lab_file lab;
static struct lab_result result;

static void begin(void)
{
	memset(&lab, 0, sizeof(lab));
	memset(&result, 0, sizeof(result));
	lab.title = (char *)"helper, inline or not";
	strcpy(lab.arch, "arm64");
	strcpy(lab.function, "helper");
	lab.n_variants = 4;
	strcpy(lab.variants[0].name, "plain");
	strcpy(lab.variants[1].name, "inline");
	lab.variants[1].kind = LAB_DECLARE;
	lab.variants[1].arg = (char *)"inline";
	strcpy(lab.variants[2].name, "padded");
	strcpy(lab.variants[3].name, "comment");
	lab.n_workloads = 1;
	strcpy(lab.workloads[0].name, "tx");
	strcpy(lab.workloads[0].window_function, "f");
	strcpy(lab.workloads[0].per_function, "f");
	result.lab = &lab;
	result.kernel = "6.12";
	result.seed = 1;
	result.gates[0].symbols = 1;
	strcpy(result.gates[0].names, "helper");
	result.gates[0].sites = 3;
	result.gates[1].same = result.gates[2].same = ELF_DIFFERENT;
	result.gates[1].up = 64;
	result.gates[3].same = ELF_SAME;
	measure(&result.cells[0][0], 7000, 500, 100);
	measure(&result.cells[0][1], 6880, 0, 100);
	measure(&result.cells[0][2], 7000, 500, 140);
}

static void end(void)
{
	size_t v;

	for (v = 0; v < 4; v++)
		lab_measure_free(&result.cells[0][v].m);
}

static char *printed(void)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	lab_judge(&result);
	lab_print(&result, f);
	fclose(f);
	return text;
}

static void expect(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("no \"%s\" in:\n%s", part, text);
}

static void judged(void **state)
{
	(void)state;
	begin();
	lab_judge(&result);
	assert_int_equal(result.cells[0][1].judgement.verdict, VERDICT_EXACT);
	assert_non_null(strstr(result.cells[0][1].judgement.why, "-12.00 instructions"));
	assert_int_equal(result.cells[0][2].judgement.verdict, VERDICT_LAYOUT);
	assert_int_equal(result.cells[0][3].judgement.verdict, VERDICT_SAME_CODE);
	end();
}

/* Instructions more or less in code that flags only move are its surroundings'. */
static void only_moved(void **state)
{
	static const struct { const char *flags; enum verdict verdict; } rows[] = {
		{ "-falign-functions=32", VERDICT_LAYOUT },
		{ "-falign-functions=32 -fpatchable-function-entry=16,16", VERDICT_LAYOUT },
		{ "-falign-functions=32 -fpatchable-function-entry=16,8", VERDICT_EXACT },
		{ "-O3", VERDICT_EXACT },
	};
	size_t i;

	(void)state;
	begin();
	lab_measure_free(&result.cells[0][2].m);
	measure(&result.cells[0][2], 7003, 500, 140);
	lab.variants[2].kind = LAB_CFLAGS;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		lab.variants[2].arg = (char *)rows[i].flags;
		lab_judge(&result);
		assert_int_equal(result.cells[0][2].judgement.verdict, rows[i].verdict);
	}
	end();
}

/* A control that moves takes the verdict away. */
static void controlled(void **state)
{
	char *text;

	(void)state;
	begin();
	lab.n_workloads = 2;
	lab.workloads[1] = lab.workloads[0];
	strcpy(lab.workloads[1].name, "control");
	lab.workloads[1].control = true;
	measure(&result.cells[1][0], 100, 0, 0);
	measure(&result.cells[1][1], 100, 0, 0);
	measure(&result.cells[1][2], 100, 0, 0);
	lab_judge(&result);
	assert_int_equal(result.cells[0][1].judgement.verdict, VERDICT_EXACT);
	text = printed();
	expect(text, "  inline: not moved, as it must be");
	free(text);
	lab_measure_free(&result.cells[1][1].m);
	measure(&result.cells[1][1], 110, 0, 0);
	text = printed();
	expect(text, "  inline: moved: something else");
	free(text);
	lab_judge(&result);
	assert_int_equal(result.cells[0][1].judgement.verdict, VERDICT_UNDECIDED);
	assert_non_null(strstr(result.cells[0][1].judgement.why, "moved by +1.00"));
	assert_int_equal(result.cells[0][2].judgement.verdict, VERDICT_LAYOUT);
	lab_measure_free(&result.cells[1][0].m);
	lab_measure_free(&result.cells[1][1].m);
	lab_measure_free(&result.cells[1][2].m);
	end();
}

static void text_report(void **state)
{
	char *first, *second;

	(void)state;
	begin();
	first = printed();
	expect(first, "helper, Linux 6.12, arm64");
	expect(first, "workload tx, per operation of 10 (calls of f), counted in f and all below");
	expect(first, "plain    700.00   +0.00");
	expect(first, "inline   688.00  -12.00");
	expect(first, "own instructions that differ in inline:");
	expect(first, "helper   50.00");
	expect(first, "inline: EXACT:");
	expect(first, "padded: LAYOUT:");
	expect(first, "comment: SAME CODE:");
	expect(first, "declare inline  none");
	second = printed();
	assert_string_equal(first, second);
	free(first);
	free(second);
	end();
}

/* Each iteration of a repeated instruction, or all of them as one. */
static void rep_both_ways(void **state)
{
	char *text;

	(void)state;
	begin();
	text = printed();
	assert_null(strstr(text, "REP"));
	free(text);
	strcpy(lab.arch, "x86_64");
	text = printed();
	expect(text, "its calls  insns, REP as one\n");
	expect(text, "600.00\n");
	expect(text, "588.00\n");
	free(text);
	end();
}

/* The probe makes a caller look slow that calls what is traced. */
static void ftrace_beside(void **state)
{
	struct console_trace f = { "f", 10, 14.0 }, helper = { "helper", 20, 1.0 };
	char *text;

	(void)state;
	begin();
	result.cells[0][0].traced = result.cells[0][1].traced = true;
	result.cells[0][0].trace.by[LAB_PROFILER] = (struct console){
		.probe_ns = 690, .traced = { f, helper }, .n_traced = 2,
	};
	result.cells[0][0].trace.by[LAB_GRAPH] = (struct console){
		.probe_ns = 1100, .traced = { f, helper }, .n_traced = 2,
	};
	result.cells[0][1].trace.by[LAB_PROFILER] = (struct console){
		.probe_ns = 690, .traced = { f }, .n_traced = 1,
	};
	strcpy(lab.watch[0], "f");
	lab.n_watch = 1;
	text = printed();
	expect(text, "variant  ftrace          probe  helper      f");
	expect(text, "plain    profiler        0.690   0.050  1.400");
	expect(text, "plain    function_graph  1.100   0.050  1.400");
	expect(text, "inline   profiler        0.690       -  1.400");
	free(text);
	end();
}

static json_t *cell_of(json_t *report, size_t v)
{
	json_t *w = json_array_get(json_object_get(report, "workloads"), 0);

	return json_array_get(json_object_get(w, "variants"), v);
}

static void json_report(void **state)
{
	json_t *a, *b, *per;

	(void)state;
	begin();
	lab_judge(&result);
	a = lab_json(&result);
	b = lab_json(&result);
	assert_non_null(a);
	assert_true(json_equal(a, b));
	per = json_object_get(cell_of(a, 1), "per_operation");
	assert_float_equal(json_number_value(json_object_get(per, "insns")), 688, 1e-9);
	assert_string_equal(json_string_value(json_object_get(cell_of(a, 2), "verdict")), "LAYOUT");
	assert_true(json_is_false(json_object_get(cell_of(a, 3), "measured")));
	assert_null(json_object_get(cell_of(a, 0), "verdict"));
	json_decref(a);
	json_decref(b);
	end();
}

static void compared(void **state)
{
	json_t *a, *b, *none = json_object();
	char why[LAB_WHY], *text = NULL;
	size_t size;
	FILE *f;

	(void)state;
	begin();
	lab_judge(&result);
	a = lab_json(&result);
	lab_measure_free(&result.cells[0][1].m);
	measure(&result.cells[0][1], 6900, 0, 100);
	result.kernel = "7.3";
	lab_judge(&result);
	b = lab_json(&result);
	f = open_memstream(&text, &size);
	assert_int_equal(lab_compare(a, b, "a.json", "b.json", f, why), 0);
	fclose(f);
	expect(text, "Linux 7.3 (b.json)");
	expect(text, "688.00   690.00  +2.00  +0.29 %");
	expect(text, "tx, comment: not measured in both");
	expect(text, "EXACT");
	free(text);
	/* a control has no verdict, here as in the report */
	json_object_set_new(json_array_get(json_object_get(a, "workloads"), 0), "control", json_true());
	f = open_memstream(&text, &size);
	assert_int_equal(lab_compare(a, b, "a.json", "b.json", f, why), 0);
	fclose(f);
	expect(text, "(control)");
	assert_null(strstr(text, "EXACT"));
	free(text);
	f = open_memstream(&text, &size);
	assert_int_equal(lab_compare(a, none, "a.json", "none.json", f, why), -EINVAL);
	expect(why, "none.json: expected a report of tagrig lab");
	json_array_clear(json_object_get(b, "workloads"));
	assert_int_equal(lab_compare(a, b, "a.json", "b.json", f, why), -EINVAL);
	expect(why, "no workload and variant in common");
	fclose(f);
	free(text);
	json_decref(none);
	json_decref(a);
	json_decref(b);
	end();
}

static void plotted(void **state)
{
	char text[256] = "";
	FILE *f;
	int err;

	(void)state;
	begin();
	lab.title = (char *)"it's {a} \"title\" @ 100 %";
	lab_judge(&result);
	err = lab_plot(&result, path_of("plot.svg"));
	end();
	if (err == -ENOENT)
		skip();
	assert_int_equal(err, 0);
	f = fopen(path_of("plot.svg"), "r");
	assert_non_null(f);
	assert_true(fread(text, 1, sizeof(text) - 1, f) > 0);
	fclose(f);
	expect(text, "svg");
}

static void tables(void **state)
{
	static const char *const head[] = { "name", "-n", "last", NULL };
	struct table t;
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	(void)state;
	table_init(&t, head);
	table_add(&t, "a longer name");
	table_add(&t, "%d", 5);
	table_add(&t, "x");
	table_add(&t, "µ");
	table_add(&t, "%d", 1234);
	table_add(&t, "y");
	table_print(&t, f, "> ");
	fclose(f);
	assert_string_equal(text, "> name              n  last\n"
			    "> a longer name     5  x\n"
			    "> µ              1234  y\n");
	free(text);
}

/* --- the build gate ------------------------------------------------------------------- */

static struct elf_image *object_with(const char *flags, const char *name, const char *text)
{
	char cmd[512], why[256] = "";
	struct elf_image *img;

	snprintf(cmd, sizeof(cmd), "%s.c", name);
	write_file(cmd, text);
	snprintf(cmd, sizeof(cmd), "cd %s && cc -O2 %s -c -o %s.o %s.c", dir, flags, name,
		 name);
	if (system(cmd))
		fail_msg("%s", cmd);
	snprintf(cmd, sizeof(cmd), "%s.o", name);
	img = elf_open(path_of(cmd), why, sizeof(why));
	if (!img)
		fail_msg("%s", why);
	return img;
}

static struct elf_image *object(const char *name, const char *text)
{
	return object_with("", name, text);
}

#define BODY(attr) "int sink(int);\n" attr " int helper(int a) { return sink(a) + 1; }\n" \
	"int one(int a) { return helper(a) + 1; }\n" \
	"int two(int a) { return helper(a) ? helper(a + 1) : 2; }\n"

static void gated(void **state)
{
	struct lab_kernel base = { 0 }, inl = { 0 }, pad = { 0 };
	struct lab_gate g[3];
	char why[LAB_WHY] = "";

	(void)state;
	begin();
	base.object = base.vmlinux = object("base", BODY("static __attribute__((noinline))"));
	inl.object = inl.vmlinux = object("inl", BODY("static inline __attribute__((always_inline))"));
	pad.object = pad.vmlinux = object("pad", "/* a comment */\n"
					  BODY("static __attribute__((noinline))"));
	lab_gate(&lab, &lab.variants[0], &base, &base, &g[0]);
	lab_gate(&lab, &lab.variants[1], &base, &inl, &g[1]);
	lab_gate(&lab, &lab.variants[2], &base, &pad, &g[2]);
	assert_string_equal(g[0].names, "helper");
	assert_int_equal(g[0].sites, 3);
	assert_string_equal(g[0].callers, "one, two (2)");
	assert_int_equal(g[0].same, ELF_SAME);
	assert_int_equal(g[1].symbols, 0);
	assert_int_equal(g[1].same, ELF_DIFFERENT);
	assert_int_equal(g[1].removed, 1);
	assert_int_equal(g[2].same, ELF_SAME);
	lab.n_variants = 3;
	assert_int_equal(lab_gate_check(&lab, g, &base, why), 0);
	elf_close(base.object);
	elf_close(inl.object);
	elf_close(pad.object);
	end();
}

static void print_gate(const struct lab_gate *g, struct lab_variant *v, char **text)
{
	struct lab_result *r = calloc(1, sizeof(*r));
	struct lab_file one = { .variants = { *v }, .n_variants = 1, .object = "net/x.o",
				.title = (char *)"title" };
	size_t size;
	FILE *out = open_memstream(text, &size);

	assert_non_null(r);
	r->lab = &one;
	r->kernel = "6.12";
	r->gates[0] = *g;
	lab_print(r, out);
	fclose(out);
	free(r);
}

/* With something before the entry, a flag that aligns functions aligns that. */
static void alignment_verified(void **state)
{
	static const struct { const char *flags; unsigned int asked; bool misfires; } rows[] = {
		{ "-falign-functions=64", 64, false },
		{ "-falign-functions=16 -falign-functions=64", 64, false },
		{ "-falign-functions=64 -fpatchable-function-entry=16,16", 64, true },
		{ "-O2", 0, false },
	};
	struct lab_variant v = { .kind = LAB_CFLAGS, .name = "x" };
	struct lab_kernel k = { 0 };
	struct lab_gate g;
	char *text;
	size_t i;

	(void)state;
	begin();
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		v.arg = (char *)rows[i].flags;
		k.object = k.vmlinux = object_with(v.arg, "align",
						   BODY("static __attribute__((noinline))"));
		lab_gate(&lab, &v, &k, &k, &g);
		print_gate(&g, &v, &text);
		assert_int_equal(g.asked, rows[i].asked);
		assert_int_equal(g.entries, rows[i].asked ? 3 : 0);
		assert_int_equal(g.aligned, rows[i].asked && !rows[i].misfires ? 3 : 0);
		assert_int_equal(!!strstr(text, "MISFIRES"), rows[i].misfires);
		assert_int_equal(!!strstr(text, "entry alignment verified"), rows[i].asked != 0);
		free(text);
		elf_close(k.object);
	}
	end();
}

static void no_such_function(void **state)
{
	struct lab_kernel base = { .dir = dir };
	struct lab_gate g[4] = { 0 };
	char why[LAB_WHY] = "";

	(void)state;
	begin();
	lab.path = (char *)"x.lab";
	assert_int_equal(lab_gate_check(&lab, g, &base, why), -EINVAL);
	expect(why, "helper: no such function: the kernel has no symbol");
	strcpy(lab.object, "net/x.o");
	assert_int_equal(mkdir(path_of("source"), 0777) | mkdir(path_of("source/net"), 0777), 0);
	write_file("source/net/x.c", "int helpers(void);\n");
	assert_int_equal(lab_gate_check(&lab, g, &base, why), -EINVAL);
	expect(why, "helper: no such function: net/x.o has no symbol");
	write_file("source/net/x.c", "static int helper(void)\n");
	assert_int_equal(lab_gate_check(&lab, g, &base, why), -EINVAL);
	expect(why, "helper was inlined everywhere");
	g[1].symbols = g[1].plain = 2;
	assert_int_equal(lab_gate_check(&lab, g, &base, why), -EINVAL);
	expect(why, "helper is the name of 2 functions (variant inline)");
	end();
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
		cmocka_unit_test(judged),
		cmocka_unit_test(only_moved),
		cmocka_unit_test(controlled),
		cmocka_unit_test(text_report),
		cmocka_unit_test(rep_both_ways),
		cmocka_unit_test(ftrace_beside),
		cmocka_unit_test(json_report),
		cmocka_unit_test(compared),
		cmocka_unit_test(plotted),
		cmocka_unit_test(tables),
		cmocka_unit_test(gated),
		cmocka_unit_test(alignment_verified),
		cmocka_unit_test(no_such_function),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
