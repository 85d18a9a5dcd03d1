// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The ELF reader against files that the compiler here makes of a few lines of
 * C: natively, and for arm64 where a cross compiler is installed.
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

#include "lab/elf.h"

static char dir[] = "/tmp/test_lab_elf.XXXXXX";
static const struct toolchain {
	const char *cc, *strip;
} toolchains[] = {
	{ "cc", "strip" },
	{ "aarch64-linux-gnu-gcc", "aarch64-linux-gnu-strip" },
};
static const struct toolchain *tools;

static void run(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static void run(const char *fmt, ...)
{
	char cmd[2048];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(cmd, sizeof(cmd), fmt, ap);
	va_end(ap);
	if (system(cmd))
		fail_msg("%s", cmd);
}

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

static struct elf_image *open_ok(const char *name)
{
	char why[256] = "";
	struct elf_image *img = elf_open(path_of(name), why, sizeof(why));

	if (!img)
		fail_msg("%s", why);
	return img;
}

/* Compiles @text to NAME.o for the compiler under test. */
static struct elf_image *object(const char *name, const char *flags, const char *text)
{
	char file[64];

	snprintf(file, sizeof(file), "%s.c", name);
	write_file(file, text);
	run("cd %s && %s -O2 -fno-pie -fno-asynchronous-unwind-tables %s -c -o %s.o %s.c", dir, tools->cc,
	    flags, name, name);
	snprintf(file, sizeof(file), "%s.o", name);
	return open_ok(file);
}

static const char calls[] =
	"extern int sink(int);\n"
	"static __attribute__((noinline, noclone)) int helper(int a) { return sink(a) + 1; }\n"
	"int one(int a) { return helper(a) + 1; }\n"
	"int two(int a) { return helper(a) + helper(a + 1) * 3; }\n"
	"int tail(int a) { return helper(a + 5); }\n"
	"int other(int a) { return sink(a) + 2; }\n";

static unsigned int sites_of(const struct elf_site *s, size_t n, const char *caller)
{
	unsigned int found = 0;
	size_t i;

	for (i = 0; i < n; i++)
		found += !strcmp(s[i].caller->name, caller);
	return found;
}

static void check_sites(struct elf_image *img)
{
	struct elf_site s[16];
	bool taken = true;
	size_t n = elf_call_sites(img, "helper", s, 16, &taken);

	assert_int_equal(n, 4);
	assert_int_equal(sites_of(s, n, "one"), 1);
	assert_int_equal(sites_of(s, n, "two"), 2);
	assert_int_equal(sites_of(s, n, "tail"), 1);
	assert_false(taken);
	while (n--) {
		assert_string_equal(s[n].callee->name, "helper");
		assert_int_equal(s[n].tail, !strcmp(s[n].caller->name, "tail"));
		assert_true(s[n].offset < s[n].caller->size);
	}
}

static void call_sites_of_an_object(void **state)
{
	struct elf_image *img = object("calls", "", calls);

	(void)state;
	assert_true(elf_relocatable(img));
	check_sites(img);
	elf_close(img);
	/* sections of their own: each branch has a relocation */
	img = object("calls", "-ffunction-sections", calls);
	check_sites(img);
	elf_close(img);
}

static void call_sites_of_a_linked_image(void **state)
{
	struct elf_image *img = object("calls", "", calls);

	(void)state;
	elf_close(img);
	elf_close(object("sink", "", "int sink(int a) { return a; }\n"));
	run("cd %s && %s -nostdlib -static -no-pie -Wl,-e,one -o image calls.o sink.o", dir, tools->cc);
	img = open_ok("image");
	assert_false(elf_relocatable(img));
	check_sites(img);
	elf_close(img);
}

static void address_taken(void **state)
{
	static const char in_data[] =
		"static __attribute__((noinline)) int helper(int a) { return a * 3; }\n"
		"int (*const table[])(int) = { helper };\n";
	static const char in_code[] =
		"extern void reg(int (*)(int));\n"
		"static __attribute__((noinline)) int helper(int a) { return a * 3; }\n"
		"void init(void) { reg(helper); }\n";
	const char *const texts[] = { in_data, in_code };
	struct elf_image *img;
	bool taken;
	size_t i;

	(void)state;
	for (i = 0; i < 2; i++) {
		img = object("taken", "", texts[i]);
		assert_int_equal(elf_call_sites(img, "helper", NULL, 0, &taken), 0);
		assert_true(taken);
		elf_close(img);
	}
}

static void inlined(void **state)
{
	static const char text[] =
		"extern int sink(int);\n"
		"static inline __attribute__((always_inline)) int helper(int a) { return sink(a) + 1; }\n"
		"int one(int a) { return helper(a) + 1; }\n"
		"int two(int a) { return helper(a) + helper(a + 1) * 3; }\n";
	struct elf_image *img = object("inl", "-g", text);
	struct elf_inlined *list;
	const struct elf_sym *found[2];
	size_t n;

	(void)state;
	assert_int_equal(elf_find(img, "helper", found, 2), 0);
	assert_true(elf_has_dwarf(img));
	assert_int_equal(elf_inlined(path_of("inl.o"), "helper", &list, &n), 0);
	assert_int_equal(n, 2);
	assert_string_equal(list[0].caller, "one");
	assert_int_equal(list[0].copies, 1);
	assert_string_equal(list[1].caller, "two");
	assert_int_equal(list[1].copies, 2);
	elf_inlined_free(list, n);
	elf_close(img);

	elf_close(object("inl", "-g0", text));
	assert_int_equal(elf_inlined(path_of("inl.o"), "helper", &list, &n), -ENODATA);
	assert_null(list);
}

static void clone_names(void **state)
{
	static const struct { const char *sym; bool is; } rows[] = {
		{ "foo", true }, { "foo.isra.0", true }, { "foo.constprop.12", true },
		{ "foo.part.0.isra.0", true }, { "foo.cold", true }, { "foo.isra.0.cold", true },
		{ "foo.lto_priv.0", true }, { "foo_bar", false }, { "foo.bar", false },
		{ "food", false }, { "fo", false }, { "foo.coldly", false }, { "foo.0", false },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (elf_is_clone(rows[i].sym, "foo") != rows[i].is)
			fail_msg("%s", rows[i].sym);
}

static void finds_every_clone(void **state)
{
	struct elf_image *img = object("clones", "",
		"int f1(void) __asm__(\"foo.isra.0\"); int f1(void) { return 1; }\n"
		"int f2(void) __asm__(\"foo.cold\"); int f2(void) { return 2; }\n"
		"int foo_not(void) { return 3; }\n");
	const struct elf_sym *found[4];

	(void)state;
	assert_int_equal(elf_find(img, "foo", found, 4), 2);
	assert_int_equal(elf_find(img, "foo", found, 1), 2);
	assert_int_equal(elf_find(img, "absent", found, 4), 0);
	elf_close(img);
}

static const struct bloat_row *row_of(const struct bloat *b, const char *name)
{
	size_t i;

	for (i = 0; i < b->n; i++)
		if (!strcmp(b->rows[i].name, name))
			return &b->rows[i];
	fail_msg("no row %s", name);
	return NULL;
}

static void bloat(void **state)
{
	struct elf_image *a = object("a", "",
		"int stays(int x) { return x; }\n"
		"int grows(int x) { return x; }\n"
		"int goes(int x) { return x + 7; }\n"
		"char data[10] = { 1 };\n");
	struct elf_image *b = object("b", "",
		"int stays(int x) { return x; }\n"
		"int grows(int x) { return x * x * x * x * 77 + (x ^ 5) * 3; }\n"
		"int comes(int x) { return x + 8; }\n"
		"char data[30] = { 1 };\n");
	struct bloat *d = elf_bloat(a, b);
	int64_t sum = 0;
	size_t i;

	(void)state;
	assert_int_equal(d->added, 1);
	assert_int_equal(d->removed, 1);
	assert_int_equal(d->grew, 2);
	assert_int_equal(d->shrank, 0);
	assert_int_equal(row_of(d, "data")->before, 10);
	assert_int_equal(row_of(d, "data")->after, 30);
	assert_int_equal(row_of(d, "goes")->after, 0);
	assert_int_equal(row_of(d, "comes")->before, 0);
	for (i = 0; i < d->n; i++)
		sum += d->rows[i].after - d->rows[i].before;
	assert_int_equal(sum, d->up + d->down);
	assert_int_equal(sum, d->total_after - d->total_before);
	bloat_free(d);
	elf_close(a);
	elf_close(b);
}

static enum elf_same compare(const char *x, const char *y, char *where, size_t size)
{
	struct elf_image *a = object("x", "", x), *b = object("y", "", y);
	enum elf_same same = elf_compare(a, b, where, size);

	elf_close(a);
	elf_close(b);
	return same;
}

static void same_code(void **state)
{
	char where[128];

	(void)state;
	assert_int_equal(compare(calls,
		"/* a comment,\n   and lines */\n"
		"extern int sink(int);\n"
		"static __attribute__((noinline, noclone)) int helper(int a) { return sink(a) + 1; }\n"
		"int one(int a) { return helper(a) + 1; }\n"
		"int two(int a) { return helper(a) + helper(a + 1) * 3; }\n"
		"int tail(int a) { return helper(a + 5); }\n"
		"int other(int a) { return sink(a) + 2; }\n", where, sizeof(where)), ELF_SAME);
	assert_string_equal(where, "");
	assert_int_equal(compare("int f(int a) { return a + 1; } int line = __LINE__;\n",
				 "\nint f(int a) { return a + 1; } int line = __LINE__;\n",
				 where, sizeof(where)), ELF_SAME_CODE_OTHER_DATA);
	assert_non_null(strstr(where, ".data"));
	assert_int_equal(compare("int f(int a) { return a + 1; }\n", "int f(int a) { return a + 2; }\n",
				 where, sizeof(where)), ELF_DIFFERENT);
	assert_non_null(strstr(where, ".text"));
	/* equal bytes, another callee */
	assert_int_equal(compare("int g(int), h(int); int f(int a) { return g(a) + 1; }\n",
				 "int g(int), h(int); int f(int a) { return h(a) + 1; }\n",
				 where, sizeof(where)), ELF_DIFFERENT);
}

static void alignment_and_padding(void **state)
{
	struct elf_image *img = object("al", "-falign-functions=64",
		"int f(int a) { return a + 1; }\nint g(int a) { return a + 2; }\n");
	const struct elf_sym *f, *g;

	(void)state;
	assert_int_equal(elf_find(img, "f", &f, 1), 1);
	assert_int_equal(elf_find(img, "g", &g, 1), 1);
	assert_true(elf_entry_alignment(g) >= 64);
	assert_int_equal(elf_padding(img, f), 64 - f->size % 64);
	assert_ptr_equal(elf_covering(img, f->section, f->addr + f->size - 1), f);
	assert_null(elf_covering(img, f->section, f->addr + f->size));
	assert_non_null(elf_bytes(img, f));
	elf_close(img);
}

static void refuse(const char *name, const char *expected)
{
	char why[256] = "";

	assert_null(elf_open(path_of(name), why, sizeof(why)));
	if (!strstr(why, expected) || !strstr(why, name))
		fail_msg("\"%s\" does not say \"%s\"", why, expected);
}

static void bad_files(void **state)
{
	char s390[64] = "\177ELF\2\2\1";

	(void)state;
	refuse("absent", "No such file");
	write_file("text", "not an ELF file\n");
	refuse("text", "expected an ELF file");
	write_file("empty", "");
	refuse("empty", "expected an ELF file");
	elf_close(object("calls", "", calls));
	run("cd %s && %s -o stripped calls.o", dir, tools->strip);
	refuse("stripped", "expected symbols");
	s390[17] = 1;			/* big endian: ET_REL, EM_S390 */
	s390[19] = 22;
	FILE *f = fopen(path_of("s390"), "w");
	fwrite(s390, 1, sizeof(s390), f);
	fclose(f);
	refuse("s390", "expected arm64 or x86_64");
}

/* Every prefix of an object is refused or read, and never read beyond. */
static void truncated_files(void **state)
{
	struct elf_image *img;
	char why[256];
	static char bytes[65536];
	size_t n, len;
	FILE *f;

	(void)state;
	elf_close(object("calls", "-g", calls));
	f = fopen(path_of("calls.o"), "r");
	len = fread(bytes, 1, sizeof(bytes), f);
	fclose(f);
	for (n = 0; n < len; n += 97) {
		f = fopen(path_of("cut"), "w");
		fwrite(bytes, 1, n, f);
		fclose(f);
		img = elf_open(path_of("cut"), why, sizeof(why));
		if (img)
			elf_call_sites(img, "helper", NULL, 0, NULL);
		elf_close(img);
	}
}

static bool installed(const struct toolchain *t)
{
	char probe[64];

	snprintf(probe, sizeof(probe), "command -v %s >/dev/null", t->cc);
	return !system(probe);
}

/* A cross compiler need not be there; the native one built this test. */
static int setup(void **state)
{
	tools = *state;
	return installed(tools) && !mkdtemp(dir) ? -1 : 0;
}

static int teardown(void **state)
{
	(void)state;
	run("rm -rf %s", dir);
	strcpy(strrchr(dir, '.') + 1, "XXXXXX");
	return 0;
}

#define ROW(name) { #name, name }

static const struct {
	const char *name;
	CMUnitTestFunction test;
} rows[] = {
	ROW(call_sites_of_an_object),
	ROW(call_sites_of_a_linked_image),
	ROW(address_taken),
	ROW(inlined),
	ROW(clone_names),
	ROW(finds_every_clone),
	ROW(bloat),
	ROW(same_code),
	ROW(alignment_and_padding),
	ROW(bad_files),
	ROW(truncated_files),
};

#define N_ROWS		(sizeof(rows) / sizeof(rows[0]))
#define N_TOOLCHAINS	(sizeof(toolchains) / sizeof(toolchains[0]))

static void no_compiler(void **state)
{
	(void)state;
	skip();
}

int main(void)
{
	static char names[N_TOOLCHAINS][N_ROWS][96];
	struct CMUnitTest tests[N_TOOLCHAINS * N_ROWS];
	size_t t, r;

	for (t = 0; t < N_TOOLCHAINS; t++)
		for (r = 0; r < N_ROWS; r++) {
			snprintf(names[t][r], sizeof(names[t][r]), "%s: %s", toolchains[t].cc,
				 rows[r].name);
			tests[t * N_ROWS + r] = (struct CMUnitTest){
				names[t][r],
				installed(&toolchains[t]) ? rows[r].test : no_compiler,
				setup, teardown, (void *)&toolchains[t],
			};
		}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
