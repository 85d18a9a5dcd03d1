// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Scenario files: what is read from them, and what is said of bad ones.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rig/scenario.h"

#define HEAD "title t\nswitch none\n"

static char error[ERROR_SIZE];

static void write_file(const char *name, const char *text)
{
	FILE *f = fopen(name, "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

/* Appends @text, a file named s.rig in a folder of its own beside @table. */
static int load_more(const char *text, const char *table, struct scenario_list *list)
{
	char dir[] = "/tmp/tagrig-test.XXXXXX";
	int err;

	assert_non_null(mkdtemp(dir));
	assert_int_equal(chdir(dir), 0);
	write_file("s.rig", text);
	write_file("t.tsv", table);
	err = scenario_load(list, "s.rig", error);
	unlink("s.rig");
	unlink("t.tsv");
	rmdir(dir);
	return err;
}

static int load(const char *text, struct scenario_list *list)
{
	memset(list, 0, sizeof(*list));
	return load_more(text, "", list);
}

static void good_file(void **state)
{
	struct scenario_list l;
	const struct scenario *s;

	(void)state;
	assert_int_equal(load("# comment\n"
			      "title  A title # not a comment\n"
			      "fixed  c2945c435c99 6.8   # a comment\n"
			      "broken 6.5\n"
			      "mac    gmac-3.70a tx-coe rx-coe=2\n"
			      "switch mv88e6352 tag=edsa ports=3\n"
			      "iommu smmuv3\n"
			      "kernel quiet\n"
			      "guest[exit 3, within 2s] exit 3 # for the shell\n"
			      "test one\n"
			      "start[ready go] job cat\n"
			      "send lan0 udp\n"
			      "expect lan0 udp dst 192.0.2.2 len 1..9 csum good \\\n"
			      "   count 7 within 500ms\n"
			      "instead lan0 udp csum pseudo\n"
			      "expect guest counter Udp.InCsumErrors +200\n"
			      "expect dmesg never \"BUG: something\"\n", &l), 0);
	assert_int_equal(l.count, 1);
	s = &l.v[0];
	assert_string_equal(s->title, "A title # not a comment");
	assert_int_equal(s->labels, 3);
	assert_true(s->label[1].fixed);
	assert_false(s->label[2].fixed);
	assert_string_equal(s->mac, "tx-coe=on rx-coe=2");
	assert_int_equal(s->sw, SWITCH_MV88E6352);
	assert_true(s->smmu);
	assert_string_equal(s->tag, "edsa");
	assert_int_equal(s->ports, 3);
	assert_int_equal(s->count, 8);
	assert_int_equal(s->steps[0].exit, 3);
	assert_int_equal(s->steps[0].within_ms, 2000);
	assert_string_equal(s->steps[0].text, "exit 3 # for the shell");
	assert_string_equal(s->steps[2].ready, "go");
	assert_int_equal(s->steps[4].expect.count, 7);
	assert_int_equal(s->steps[4].expect.within_ms, 500);
	assert_int_equal(s->steps[4].expect.pattern.csum, WANT_GOOD);
	assert_int_equal(s->steps[5].kind, STEP_INSTEAD);
	assert_true(s->steps[6].expect.relative);
	assert_int_equal(s->steps[6].expect.value, 200);
	assert_true(s->steps[7].expect.absent);
	assert_string_equal(s->steps[7].expect.name, "BUG: something");
	scenario_free(&l);
}

static void steps_of_the_machine(void **state)
{
	struct scenario_list l;
	const struct step *s;

	(void)state;
	assert_int_equal(load(HEAD "fault eth0 rx-overflow=3\n"
			      "fault eth1 stuck-busy\n"
			      "link lan2 down\n"
			      "link eth1 up\n"
			      "expect eth0 tcp count 2\n"
			      "expect then eth0 udp\n"
			      "expect alive within 2s\n"
			      "instead panic \"Unable to handle\" within 3s\n"
			      "expect panic\n", &l), 0);
	s = l.v[0].steps;
	assert_int_equal(s[0].kind, STEP_FAULT);
	assert_string_equal(s[0].name, "eth0");
	assert_string_equal(s[0].property, "rx-overflow");
	assert_string_equal(s[0].text, "3");
	assert_string_equal(s[1].property, "stuck-busy");
	assert_string_equal(s[1].text, "on");
	assert_int_equal(s[2].kind, STEP_LINK);
	assert_string_equal(s[2].name, "lan2");
	assert_false(s[2].up);
	assert_true(s[3].up);
	assert_false(s[4].expect.ordered);
	assert_true(s[5].expect.ordered);
	assert_int_equal(s[6].expect.kind, EXPECT_ALIVE);
	assert_int_equal(s[6].expect.within_ms, 2000);
	assert_int_equal(s[7].expect.kind, EXPECT_PANIC);
	assert_string_equal(s[7].expect.name, "Unable to handle");
	assert_int_equal(s[7].expect.within_ms, 3000);
	assert_string_equal(s[8].expect.name, "");
	scenario_free(&l);
}

static void variables_make_combinations(void **state)
{
	struct scenario_list l;

	(void)state;
	assert_int_equal(load("title $a and $b, $c stays\nvar a 1 2\nvar b x y z\n"
			      "switch none\nexpect eth0 udp\n", &l), 0);
	assert_int_equal(l.count, 6);
	assert_string_equal(l.v[0].title, "1 and x, $c stays");
	assert_string_equal(l.v[5].title, "2 and z, $c stays");
	assert_string_equal(l.v[5].variant, "a=2 b=z");
	scenario_free(&l);
}

#define TABLE "# comment\n\ntag\tports\twhy\nedsa\t0 1\ta reason\nocelot\t0\t-\nocelot\t3\tb\n"

static void a_table_makes_a_scenario_each_row(void **state)
{
	struct scenario_list l = { 0 };

	(void)state;
	assert_int_equal(load_more("title $tag: $why\ntable t.tsv\nvar n 1 2\nswitch rig tag=$tag\n"
				   "expect lan0 udp\n", TABLE, &l), 0);
	assert_int_equal(l.count, 6);
	assert_string_equal(l.v[0].title, "edsa: a reason");
	assert_string_equal(l.v[0].variant, "tag=edsa n=1");
	assert_string_equal(l.v[0].table, "t.tsv");
	/* a name that stands twice is not enough */
	assert_string_equal(l.v[5].variant, "tag=ocelot ports=3 n=2");
	assert_string_equal(l.v[5].tag, "ocelot");
	scenario_free(&l);
}

static void filters_choose(void **state)
{
	static const struct scenario_filter filter[] = {
		{ "tag", "ocelot,dsa", false }, { "ports", "3", true },
	};
	static const struct scenario_filter other = { "colour", "red", false };
	struct scenario_list l = { .filter = filter, .filters = 2 };
	static const char text[] = "title t\ntable t.tsv\nswitch none\nexpect eth0 udp\n";

	(void)state;
	assert_int_equal(load_more(text, TABLE, &l), 0);
	assert_int_equal(l.count, 1);
	assert_string_equal(l.v[0].variant, "tag=ocelot ports=0");
	scenario_free(&l);
	/* a file without the variable has none of its values */
	l = (struct scenario_list){ .filter = &other, .filters = 1 };
	assert_int_equal(load_more(text, TABLE, &l), 0);
	assert_int_equal(l.count, 0);
	scenario_free(&l);
}

static void loops_and_conditions(void **state)
{
	struct scenario_list l;
	const struct scenario *s;

	(void)state;
	assert_int_equal(load(HEAD "var ports \"0 2\"\nvar word fix\n"
			      "test a\n"
			      "for p $ports\n"
			      "for q x y\n"
			      "guest echo $p$q $r\n"
			      "end\n"
			      "when $p 0,1 expect lan$p udp csum good\n"
			      "when $p 0 when $word fix instead lan$p udp csum pseudo\n"
			      "end\n"
			      "when $word other guest false\n"
			      "expect lan$p udp\n", &l), 0);
	s = &l.v[0];
	assert_int_equal(s->count, 8);
	assert_string_equal(s->steps[1].text, "echo 0x $r");
	assert_string_equal(s->steps[2].text, "echo 0y $r");
	assert_int_equal(s->steps[3].kind, STEP_EXPECT);
	assert_string_equal(s->steps[3].text, "expect lan0 udp csum good");
	assert_int_equal(s->steps[4].kind, STEP_INSTEAD);
	assert_string_equal(s->steps[6].text, "echo 2y $r");
	/* behind its end, a loop's variable is none */
	assert_string_equal(s->steps[7].expect.port, "lan$p");
	scenario_free(&l);
}

static void connections_and_bad_tags(void **state)
{
	struct scenario_list l;
	const struct scenario *s;

	(void)state;
	assert_int_equal(load("title t\nswitch rig tag=nxp_netc index=3\n"
			      "connect lan0 data 100 csum bad 192.0.2.2:7 > 192.0.2.1:9 vlan 5\n"
			      "expect badtag \"the FCS\" count 7 within 2s\n", &l), 0);
	s = &l.v[0];
	assert_int_equal(s->index, 3);
	assert_int_equal(s->steps[0].data, 100);
	assert_true(s->steps[0].bad);
	assert_string_equal(s->steps[0].text, "192.0.2.2:7 > 192.0.2.1:9 vlan 5");
	assert_int_equal(s->steps[1].expect.kind, EXPECT_BADTAG);
	assert_string_equal(s->steps[1].expect.name, "the FCS");
	assert_int_equal(s->steps[1].expect.count, 7);
	assert_int_equal(s->steps[1].expect.within_ms, 2000);
	scenario_free(&l);
}

static void bad_tables(void **state)
{
	static const struct {
		const char *table;
		const char *error;
	} bad[] = {
		{ "", "t.tsv:0: expected a line of names and a row below it, found the end" },
		{ "a\tb\n", "t.tsv:1: expected a line of names and a row below it" },
		{ "a\tb\n1\n", "t.tsv:2: expected 2 columns, found 1" },
		{ "a\tb\n1\t2\t3\n", "t.tsv:2: expected 2 columns, found 3" },
		{ "a\tb\n1\t\n", "t.tsv:2: expected a value or - in each column" },
		{ "1\t2\t3\t4\t5\t6\t7\t8\t9\t10\t11\t12\t13\t14\t15\t16\t17\n",
		  "t.tsv:1: expected at most 16 columns, found more than 16" },
	};
	struct scenario_list l;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		memset(&l, 0, sizeof(l));
		assert_int_equal(load_more(HEAD "table t.tsv\nexpect eth0 udp\n", bad[i].table,
					   &l), -EINVAL);
		assert_non_null(strstr(error, bad[i].error));
		scenario_free(&l);
	}
	assert_int_not_equal(load(HEAD "table none.tsv\nexpect eth0 udp\n", &l), 0);
	assert_string_equal(error, "none.tsv: No such file or directory");
	scenario_free(&l);
}

static void bad_files(void **state)
{
	static const struct {
		const char *text;
		const char *error;
	} bad[] = {
		{ "titel x\n", "s.rig:1:1: expected a keyword (" },
		{ "title\n", "s.rig:1:6: expected a title, found the end of the line" },
		{ HEAD, "s.rig: expected at least one 'expect', found none" },
		{ "switch none\nexpect eth0 udp\n", "s.rig: expected a 'title' line, found none" },
		{ HEAD "iommu\n", "s.rig:3:6: expected an IOMMU: smmuv3 or none, found the end" },
		{ HEAD "iommu intel\n", "s.rig:3:7: expected an IOMMU: smmuv3 or none, found 'intel'" },
		{ HEAD "expect eth0 udp sport x\n",
		  "s.rig:3:23: expected sport, N or N..M up to 65535, found 'x'" },
		{ HEAD "expect eth0 udp sport 9..1\n", "s.rig:3:23: expected sport" },
		{ HEAD "expect eth0 udp sport 65536\n", "s.rig:3:23: expected sport" },
		{ HEAD "expect eth0 udp colour 3\n",
		  "s.rig:3:17: expected a field of the frame, csum, count or within, found 'colour'" },
		{ HEAD "expect eth0 csum great\n", "s.rig:3:18: expected any, good, bad" },
		{ HEAD "expect eth0 src 192.0.2.256\n",
		  "s.rig:3:17: expected an IPv4 or IPv6 address, found '192.0.2.256'" },
		{ HEAD "expect eth0 within 2\n", "s.rig:3:20: expected a time such as 500ms" },
		{ HEAD "expect eth0 count 0\n", "s.rig:3:19: expected a count, 1 to" },
		{ HEAD "expect counter\n",
		  "s.rig:3:15: expected a counter, such as Udp.InCsumErrors, found the end" },
		{ HEAD "expect counter a.b many\n", "s.rig:3:20: expected a number, or +N" },
		{ HEAD "expect dmesg \"x\n", "s.rig:3:14: expected a closing quote" },
		{ HEAD "instead eth0 udp\n", "s.rig:3:1: expected an 'expect' line" },
		{ HEAD "guest\n", "s.rig:3:6: expected a shell command" },
		{ HEAD "guest[exit 1\n", "s.rig:3:" },
		{ HEAD "guest[exit 300] x\n", "expected an exit status, 0 to 255, found '300'" },
		{ HEAD "guest true\ntitle again\nexpect eth0\n",
		  "s.rig:4:1: expected 'title' above the first step" },
		{ "title t\nmac e1000\n", "s.rig:2:5: expected a MAC: gmac-3.70a qos-4.10a qos-5.10a qos-5.20 xgmac-2.10, found 'e1000'" },
		{ "title t\nswitch ksz9477\n", "s.rig:2:8: expected a switch: mv88e6352, rig or none" },
		{ "title t\nswitch rig ports=9\n", "s.rig:2:12: expected ports=1 to ports=4" },
		{ "var x\ntitle t\n", "s.rig:1:6: expected a value, found the end of the line" },
		{ "var a 1 2 3 4 5 6 7 8\nvar b 1 2 3 4 5 6 7 8\nvar c 1 2 3 4 5 6 7 8\n"
		  "var d 1 2 3 4 5 6 7 8\n" HEAD "expect eth0\n",
		  "s.rig: expected at most 1024 combinations of variables, found 4096" },
		{ HEAD "peer eth0\n", "s.rig:3:10: expected an IPv4 or IPv6 address" },
		{ HEAD "send eth0\n", "s.rig:3:10: expected a frame" },
		{ HEAD "replay eth0\n", "s.rig:3:12: expected a capture's file name" },
		{ HEAD "test\n", "s.rig:3:5: expected the test's name" },
		{ HEAD "fault\n", "s.rig:3:6: expected a MAC: eth0 or eth1, found the end" },
		{ HEAD "fault lan0 x\n", "s.rig:3:7: expected a MAC: eth0 or eth1, found 'lan0'" },
		{ HEAD "fault eth0\n", "s.rig:3:11: expected a property of the MAC" },
		{ HEAD "link eth1 sideways\n", "s.rig:3:11: expected up or down, found 'sideways'" },
		{ HEAD "expect then\n", "s.rig:3:12: expected a port" },
		{ HEAD "expect alive soon\n", "s.rig:3:14: expected within, or the end" },
		{ HEAD "expect panic x y\n", "s.rig:3:16: expected within, or the end" },
		{ HEAD "table\n", "s.rig:3:6: expected a table's file name" },
		{ HEAD "for p\nend\n", "s.rig:3:6: expected a value, found the end of the line" },
		{ HEAD "for p 1 2\nguest true\n", "s.rig:3:1: expected an 'end' line for this 'for'" },
		{ HEAD "for p 1\nfor q 2\nend\n", "s.rig:3:1: expected an 'end' line" },
		{ HEAD "for a 1\nfor b 1\nfor c 1\nfor d 1\nfor e 1\nend\nend\nend\nend\nend\n",
		  "s.rig:7:1: expected at most 4 'for' inside each other" },
		{ HEAD "end\n", "s.rig:3:1: expected a keyword (" },
		{ HEAD "when\n", "s.rig:3:5: expected a word to compare, found the end" },
		{ HEAD "when a\n", "s.rig:3:7: expected words to compare with" },
		{ HEAD "when a a\n", "s.rig:3:9: expected a line that holds when they are equal" },
		{ HEAD "when a a nix\n", "s.rig:3:10: expected a keyword (" },
		{ HEAD "connect eth0 len 3\n", "s.rig:3:14: expected data, found 'len'" },
		{ HEAD "connect eth0 data 0 csum bad\n",
		  "s.rig:3:19: expected bytes of data, 1 to 1000, found '0'" },
		{ HEAD "connect eth0 data 9 csum off\n", "s.rig:3:26: expected good or bad" },
		{ HEAD "connect eth0 data 9 csum bad\n", "s.rig:3:29: expected both ends" },
		{ HEAD "expect badtag\n", "s.rig:3:14: expected a part of what is wrong" },
		{ "title t\nswitch rig index=32\n", "s.rig:2:12: expected index=0 to index=31" },
		{ HEAD "start x\n", "s.rig:3:8: expected a shell command" },
	};
	struct scenario_list l;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_not_equal(load(bad[i].text, &l), 0);
		if (!strstr(error, bad[i].error))
			print_error("file %zu: expected '%s' in '%s'\n", i, bad[i].error, error);
		assert_non_null(strstr(error, bad[i].error));
		scenario_free(&l);
	}
}

static void missing_file(void **state)
{
	struct scenario_list l = { 0 };

	(void)state;
	assert_int_equal(scenario_load(&l, "/no/such.rig", error), -ENOENT);
	assert_string_equal(error, "/no/such.rig: No such file or directory");
}

static enum kernel_state says(const char *labels, const char *label_file,
			      const char *release)
{
	char text[256], dir[] = "/tmp/tagrig-label.XXXXXX", path[64];
	struct scenario_list l;
	enum kernel_state state;
	FILE *f;

	snprintf(text, sizeof(text), HEAD "%s\nexpect eth0 udp\n", labels);
	assert_int_equal(load(text, &l), 0);
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/label", dir);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(label_file, f);
	fclose(f);
	state = scenario_says(&l.v[0], dir, release);
	unlink(path);
	rmdir(dir);
	scenario_free(&l);
	return state;
}

static void labels(void **state)
{
	(void)state;
	/* the kernel's own label comes first */
	assert_int_equal(says("fixed c2945c435c99 6.8", "c2945c435c99 broken\n", "6.9.1"),
			 KERNEL_BROKEN);
	assert_int_equal(says("fixed c2945c435c99", "c2945c435c99 fixed\n", "6.1.0-57"),
			 KERNEL_FIXED);
	assert_int_equal(says("fixed c2945c435c99", "c2945c435c99 unknown\n", "6.1.0-57"),
			 KERNEL_UNKNOWN);
	assert_int_equal(says("fixed c2945c435c99", "c2945c435c99 broken\nc2945c435c99-tx fixed\n",
			      "6.1.0-44"), KERNEL_BROKEN);
	assert_int_equal(says("fixed c2945c435c99-tx", "c2945c435c99 broken\nc2945c435c99-tx fixed\n",
			      "6.1.0-44"), KERNEL_FIXED);
	assert_int_equal(says("fixed c2945c435c994a21", "c2945c435c99 fixed\n", "6.1.0"),
			 KERNEL_FIXED);
	assert_int_equal(says("fixed 6.8", "", "6.8.0"), KERNEL_FIXED);
	assert_int_equal(says("fixed 6.8", "", "7.0.1"), KERNEL_FIXED);
	assert_int_equal(says("fixed 6.8", "", "6.7.9"), KERNEL_UNKNOWN);
	assert_int_equal(says("broken 6.5", "", "6.5.3"), KERNEL_BROKEN);
	assert_int_equal(says("broken 6.1.164", "", "6.1.165"), KERNEL_UNKNOWN);
	assert_int_equal(says("fixed unknown", "", "6.5.3"), KERNEL_UNKNOWN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(good_file),
		cmocka_unit_test(steps_of_the_machine),
		cmocka_unit_test(variables_make_combinations),
		cmocka_unit_test(a_table_makes_a_scenario_each_row),
		cmocka_unit_test(filters_choose),
		cmocka_unit_test(loops_and_conditions),
		cmocka_unit_test(connections_and_bad_tags),
		cmocka_unit_test(bad_tables),
		cmocka_unit_test(bad_files),
		cmocka_unit_test(missing_file),
		cmocka_unit_test(labels),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
