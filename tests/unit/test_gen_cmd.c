// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * "tagrig gen" and "tagrig check" as programs: what the one makes the other
 * judges, for every tag; their output, their exit status, and what they say to
 * files and options that are not what they should be.
 *
 * TAGRIG names the program (scripts/run-unit sets it).
 */
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "net/capture.h"
#include "net/desc.h"
#include "net/stream.h"

static char dir[64];
static char out[1 << 20];	/* standard output and error of the last run() */

static int make_dir(void **state)
{
	(void)state;
	strcpy(dir, "/tmp/test_gen_cmd.XXXXXX");
	return mkdtemp(dir) && !chdir(dir) ? 0 : -1;
}

static int remove_dir(void **state)
{
	char command[100];

	(void)state;
	snprintf(command, sizeof(command), "rm -r %s", dir);
	return chdir("/") || system(command);
}

/* Runs "tagrig ARGS"; its exit status, its output in out[]. */
static __attribute__((format(printf, 1, 2)))
int run(const char *fmt, ...)
{
	const char *tagrig = getenv("TAGRIG");
	char args[1000], command[1200];
	va_list ap;
	FILE *f;
	int status;

	if (!tagrig || access(tagrig, X_OK))
		skip();
	va_start(ap, fmt);
	vsnprintf(args, sizeof(args), fmt, ap);
	va_end(ap);
	snprintf(command, sizeof(command), "%s %s 2>&1", tagrig, args);
	f = popen(command, "r");
	assert_non_null(f);
	out[fread(out, 1, sizeof(out) - 1, f)] = 0;
	status = pclose(f);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void must_say(const char *text)
{
	if (!strstr(out, text))
		fail_msg("expected '%s' in:\n%.2000s", text, out);
}

/* --- what gen makes, check judges ---------------------------------------- */

static void right_and_wrong(void **state)
{
	(void)state;
	assert_int_equal(run("gen -o a.pcapng udp len 0..100 seed 3"), 0);
	assert_string_equal(out, "101 frames, 9463 bytes, seed 1\n");
	assert_int_equal(run("check a.pcapng"), 0);
	assert_string_equal(out, "101 frames: 101 right, 0 wrong, 0 unjudged, 0 bad tags, 0 without checksum\n");

	assert_int_equal(run("gen -q -o b.pcap 'udp len 20 csum pseudo' 'udp len 20 csum zero' 'tcp csum tail ipcsum off' 'arp' 'udp mf nodf' 'sctp csum bad'"), 0);
	assert_string_equal(out, "");
	assert_int_equal(run("check a.pcapng b.pcap"), 1);
	must_say("b.pcap: frame 1 at 1767225600.000000000: udp 192.0.2.2:7 > 192.0.2.1:9 len 20: layer-4 checksum expected 0x");
	must_say(" (pseudo-only)\n");
	must_say("b.pcap: frame 3 at 1767225600.000002000: tcp 192.0.2.2:7 > 192.0.2.1:9 len 32: IPv4 header checksum expected 0x");
	must_say(" (tail-summed)\n");
	/* the fragment and the UDP without checksum are neither */
	must_say("107 frames: 101 right, 3 wrong, 2 unjudged, 0 bad tags, 1 without checksum, pseudo-only 1, tail-summed 1, off 2, UDP without checksum 1\n");
	must_say("not checkable: first fragment: 1\n");
	assert_int_equal(run("check -q b.pcap"), 1);
	assert_int_equal(strncmp(out, "6 frames: 0 right", 17), 0);
}

/* Every tag both ways: read by the description, by --tag, and through a pipe. */
static void every_tag(void **state)
{
	(void)state;
	for (size_t i = 0; i < tag_count(); i++) {
		const char *tag = tag_name(tag_at(i));

		for (int way = 0; way < 2; way++) {
			const char *way_name = way ? "to-cpu" : "from-cpu";

			run("gen -q -o t.pcapng udp len 0..80 tag %s dir %s device 1 port 1 csum pseudo", tag, way_name);
			if (run("check -q t.pcapng") != 1)
				fail_msg("%s %s: %s", tag, way_name, out);
			assert_string_equal(out, "81 frames: 0 right, 81 wrong, 0 unjudged, 0 bad tags, 0 without checksum, pseudo-only 81\n");
			run("gen -q -o t.pcap udp len 0..80 tag %s dir %s device 1 port 1", tag, way_name);
			if (run("check --tag %s --dir %s - < t.pcap", tag, way_name))
				fail_msg("%s %s: %s", tag, way_name, out);
		}
	}
}

/* Without its description a tag that hides the EtherType hides everything. */
static void tag_that_is_not_told(void **state)
{
	(void)state;
	run("gen -q -o t.pcapng udp tag edsa csum bad");
	assert_int_equal(run("check --tag none t.pcapng"), 0);
	assert_string_equal(out, "1 frames: 0 right, 0 wrong, 0 unjudged, 0 bad tags, 1 without checksum\n");
	assert_int_equal(run("check --tag a5psw t.pcapng"), 1);
	must_say("t.pcapng: frame 1 at 1767225600.000000000 conduit: no valid a5psw tag to-cpu: ");
	must_say("1 frames: 0 right, 0 wrong, 0 unjudged, 1 bad tags, 0 without checksum\n");
}

static void tags_that_are_wrong(void **state)
{
	(void)state;
	run("gen -q -o t.pcapng 'udp tag edsa tagraw 00000000' 'udp tag edsa truncate 16' 'udp tag edsa truncate 13' 'udp tag edsa'");
	assert_int_equal(run("check t.pcapng"), 1);
	must_say("4 frames: 1 right, 0 wrong, 0 unjudged, 3 bad tags, 0 without checksum\n");
}

static void several_tags_in_one_capture(void **state)
{
	(void)state;
	assert_int_equal(run("gen -q -o t.pcapng 'udp tag edsa count 3' 'tcp tag trailer' 'udp csum off' 'icmp tag edsa'"), 0);
	assert_int_equal(run("check t.pcapng"), 1);
	must_say("6 frames: 5 right, 1 wrong");
	assert_int_equal(run("gen -q -o t.pcap 'udp tag edsa count 3' 'tcp tag trailer'"), 1);
	assert_string_equal(out, "tagrig gen: t.pcap: classic pcap holds one interface, and the frames have several tags\n");
}

static void as_json(void **state)
{
	json_error_t error;
	json_t *o, *totals;
	char *line;

	(void)state;
	run("gen -q -o t.pcapng 'udp len 30 tag edsa port 2 vlan 7 csum pseudo' 'udp tag edsa tagraw 0000'");
	assert_int_equal(run("check -j t.pcapng"), 1);
	line = strtok(out, "\n");
	o = json_loads(line, 0, &error);
	assert_non_null(o);
	assert_string_equal(json_string_value(json_object_get(o, "kind")), "pseudo-only");
	assert_string_equal(json_string_value(json_object_get(o, "layer")), "layer-4");
	assert_string_equal(json_string_value(json_object_get(o, "tag")), "edsa");
	assert_string_equal(json_string_value(json_object_get(o, "dir")), "to-cpu");
	assert_string_equal(json_string_value(json_object_get(o, "what")),
			    "vlan 7 udp 192.0.2.2:7 > 192.0.2.1:9 len 30");
	assert_int_equal(json_integer_value(json_object_get(o, "frame")), 1);
	assert_int_equal(json_integer_value(json_object_get(o, "ports")), 4);
	assert_int_equal(strlen(json_string_value(json_object_get(o, "expected"))), 6);
	json_decref(o);
	o = json_loads(strtok(NULL, "\n"), 0, &error);
	assert_string_equal(json_string_value(json_object_get(o, "layer")), "tag");
	json_decref(o);
	o = json_loads(strtok(NULL, "\n"), 0, &error);
	totals = json_object_get(o, "totals");
	assert_int_equal(json_integer_value(json_object_get(totals, "frames")), 2);
	assert_int_equal(json_integer_value(json_object_get(totals, "bad_tags")), 1);
	assert_int_equal(json_integer_value(json_object_get(json_object_get(totals, "kinds"), "pseudo-only")), 1);
	json_decref(o);
	assert_null(strtok(NULL, "\n"));
}

/* --- from files ---------------------------------------------------------- */

static void put_file(const char *name, const void *bytes, size_t len)
{
	FILE *f = fopen(name, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, len, f), len);
	assert_int_equal(fclose(f), 0);
}

static void descriptions_in_a_file(void **state)
{
	static const char good[] = "# frames\n\n  udp len 1..3\ntcp # one\n";
	static const char bad[] = "udp\n\nudp len x\n";

	(void)state;
	put_file("good", good, strlen(good));
	assert_int_equal(run("gen --file good -o t.pcapng"), 0);
	assert_int_equal(strncmp(out, "4 frames", 8), 0);
	put_file("bad", bad, strlen(bad));
	assert_int_equal(run("gen -q --file bad -o t.pcapng"), 2);
	assert_string_equal(out, "bad:3:9: expected len: a number (or A..B, A..B/STEP, A..B/random) from 0 to 65536, found 'x'\n");
	assert_int_equal(run("gen -q --file - -o - < good | ${TAGRIG} check -"), 0);
	must_say("4 frames: 4 right");
	assert_int_equal(run("gen -q --file nowhere -o t.pcapng"), 1);
	assert_string_equal(out, "tagrig gen: nowhere: No such file or directory\n");
}

static void same_seed_same_bytes(void **state)
{
	(void)state;
	run("gen -q -o a.pcapng --seed 7 udp len 0..900/random payload random count 50");
	run("gen -q -o b.pcapng --seed 7 udp len 0..900/random payload random count 50");
	run("gen -q -o c.pcapng --seed 8 udp len 0..900/random payload random count 50");
	assert_int_equal(system("cmp -s a.pcapng b.pcapng"), 0);
	assert_int_not_equal(system("cmp -s a.pcapng c.pcapng"), 0);
}

/* --- captures that are not what they should be --------------------------- */

static void cut_in_the_middle(void **state)
{
	(void)state;
	run("gen -q -o t.pcap udp len 100 count 10");
	assert_int_equal(truncate("t.pcap", 24 + 158 * 7 + 50), 0);
	assert_int_equal(run("check t.pcap"), 2);
	must_say("t.pcap: packet 8 at offset 1130: expected 158 bytes of a packet with its header, found the end of the file after 50\n");
	must_say("7 frames: 7 right");
	run("gen -q -o t.pcapng udp len 100 count 10");
	assert_int_equal(truncate("t.pcapng", 1000), 0);
	assert_int_equal(run("check t.pcapng"), 2);
	must_say("found the end of the file");
	/* an error is an error also when a frame is wrong */
	run("gen -q -o t.pcap udp len 100 count 10 csum bad");
	assert_int_equal(truncate("t.pcap", 500), 0);
	assert_int_equal(run("check t.pcap"), 2);
}

static void wrong_link_type(void **state)
{
	static const uint32_t cooked[6] = { 0xa1b2c3d4, 0x40002, 0, 0, 65535, 113 };
	uint32_t file[10] = { 0 };

	(void)state;
	memcpy(file, cooked, sizeof(cooked));
	put_file("t.pcap", file, sizeof(file));
	assert_int_equal(run("check t.pcap"), 2);
	must_say("t.pcap: interface 0: expected a link type of Ethernet (1) or of a DSA tag (281, 282, 284, 285), found 113\n");
	assert_int_equal(run("check ."), 2);
	must_say(".: Is a directory\n");
	assert_int_equal(run("check nowhere.pcap"), 2);
	must_say("nowhere.pcap: No such file or directory\n");
	put_file("t.pcap", "", 0);
	assert_int_equal(run("check t.pcap"), 2);
	must_say("t.pcap: expected a pcap or pcapng file, found 0 bytes\n");
}

/* Turns a classic pcap of ours into one of the other byte order. */
static void swap_file(const char *name)
{
	uint32_t words[4096];
	FILE *f = fopen(name, "r+");
	size_t at = 6, n;

	assert_non_null(f);
	n = fread(words, 4, 4096, f);
	while (at < n) {
		uint32_t len = words[at + 2];

		assert_int_equal(len % 4, 0);
		for (int i = 0; i < 4; i++)
			words[at + i] = __builtin_bswap32(words[at + i]);
		at += 4 + len / 4;
	}
	for (int i = 0; i < 6; i++)
		words[i] = __builtin_bswap32(words[i]);
	words[1] = words[1] << 16 | words[1] >> 16;	/* two of 16 bits */
	rewind(f);
	assert_int_equal(fwrite(words, 4, n, f), n);
	fclose(f);
}

static void nanoseconds_and_swapped(void **state)
{
	(void)state;
	run("gen -q -o t.pcap --interval 7 udp frame 64 csum off count 2");
	swap_file("t.pcap");
	assert_int_equal(run("check t.pcap"), 1);
	must_say("t.pcap: frame 2 at 1767225600.000000007: udp ");
}

/* --- captures of others -------------------------------------------------- */

/*
 * tcpdump's own captures of real switches.  In one of them a conduit left two
 * UDP checksums unfinished; tcpdump -vv marks the same two as bad.
 */
static const struct {
	const char *name, *totals;
} real[] = {
	{ "brcm-tag-prepend", "15 frames: 11 right, 0 wrong, 0 unjudged, 0 bad tags, 4 without checksum\n" },
	{ "brcm-tag", "23 frames: 15 right, 2 wrong, 0 unjudged, 0 bad tags, 6 without checksum, pseudo-only 2\n" },
	{ "dsa-high-vid", "4 frames: 4 right, 0 wrong, 0 unjudged, 0 bad tags, 0 without checksum\n" },
	{ "dsa", "8 frames: 6 right, 0 wrong, 0 unjudged, 0 bad tags, 2 without checksum\n" },
	{ "edsa-high-vid", "4 frames: 4 right, 0 wrong, 0 unjudged, 0 bad tags, 0 without checksum\n" },
	{ "edsa", "10 frames: 6 right, 0 wrong, 0 unjudged, 0 bad tags, 4 without checksum\n" },
};

static void captures_of_real_switches(void **state)
{
	const char *captures = getenv("TAGRIG_CAPTURES");

	(void)state;
	if (!captures || !*captures)
		skip();
	for (size_t i = 0; i < sizeof(real) / sizeof(real[0]); i++) {
		assert_int_equal(run("check %s/%s.pcap", captures, real[i].name),
				 !!strstr(real[i].totals, "pseudo"));
		must_say(real[i].totals);
	}
	run("check %s/brcm-tag.pcap", captures);
	must_say("frame 10 at 7830.158348000: udp 192.168.1.115:68 > 192.168.1.1:67 len 300 (brcm from-cpu port 0): layer-4 checksum expected 0x0350, found 0x850a (pseudo-only)\n");
}

/* --- link types for tcpdump ---------------------------------------------- */

static void link_types(void **state)
{
	static const char *const tags[] = { "brcm", "brcm-prepend", "dsa", "edsa" };

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		run("gen -q --dlt -o t.pcap udp len 64 tag %s dir from-cpu port 3 count 4", tags[i]);
		assert_int_equal(run("check --dir from-cpu t.pcap"), 0);
		must_say("4 frames: 4 right");
	}
	assert_int_equal(run("gen -q --dlt -o t.pcap udp tag trailer"), 1);
	must_say("the tag has no link type of its own");
	if (system("command -v tcpdump >/dev/null 2>&1"))
		return;
	run("gen -q --dlt -o t.pcap udp len 64 tag edsa dir from-cpu device 1 port 3");
	assert_int_equal(run("check t.pcap && tcpdump -n -e -vv -r t.pcap 2>/dev/null"), 0);
	must_say("Marvell EDSA ethertype 0xdada (Unknown), rsvd 0 0, mode From CPU, target dev 1, port 3, untagged");
	must_say("[udp sum ok]");
}

/* --- into a socket ------------------------------------------------------- */

static void into_a_socket(void **state)
{
	int listener, n = 0, status, got;
	struct pollfd pfd = { .events = POLLIN };
	const char *tagrig = getenv("TAGRIG");
	struct stream *s;
	struct frame f;
	pid_t pid;

	(void)state;
	if (!tagrig || access(tagrig, X_OK))
		skip();
	listener = stream_listen("sock", NULL);
	assert_true(listener >= 0);
	pid = fork();
	if (!pid) {
		execl(tagrig, "tagrig", "gen", "-q", "--connect", "sock", "udp", "len",
		      "1400", "count", "5000", (char *)NULL);
		_exit(127);
	}
	pfd.fd = listener;
	assert_int_equal(poll(&pfd, 1, 10000), 1);
	assert_int_equal(stream_accept(listener, &s, NULL), 0);
	pfd.fd = stream_fd(s);
	do {
		assert_int_equal(poll(&pfd, 1, 10000), 1);
		got = stream_fill(s);
		while (stream_next(s, &f) == 1) {
			uint32_t number;

			assert_true(desc_stamp(f.data + 42, 1400, &number));
			assert_int_equal(number, n++);
		}
	} while (got >= 0);
	assert_int_equal(got, -ECONNRESET);
	assert_int_equal(n, 5000);
	stream_free(s);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	stream_unlisten(listener, "sock");
}

static void sockets_that_cannot_be(void **state)
{
	char name[150];

	(void)state;
	assert_int_equal(run("gen -q --connect nowhere udp"), 1);
	assert_string_equal(out, "tagrig gen: socket nowhere: No such file or directory\n");
	memset(name, 'x', 149);
	name[149] = 0;
	assert_int_equal(run("gen -q --connect %s udp", name), 1);
	must_say("expected 1 to 107 bytes, found 149\n");
}

/* --- disks, pipes, options ----------------------------------------------- */

static void full_disks(void **state)
{
	(void)state;
	assert_int_equal(run("gen -q -o /dev/full udp count 10"), 1);
	assert_string_equal(out, "tagrig gen: /dev/full: No space left on device\n");
	assert_int_equal(run("gen -q -o /nonexistent/x udp"), 1);
	assert_string_equal(out, "tagrig gen: /nonexistent/x: No such file or directory\n");
	run("gen -q -o t.pcapng udp csum bad count 5000");
	assert_int_equal(run("check t.pcapng >/dev/full"), 2);
	/* a reader that has seen enough */
	assert_int_equal(run("gen -o - udp len 1000 count 100000 2>err | head -c 1000 >/dev/null; cat err"), 0);
	must_say("tagrig gen: -: Broken pipe\n");
}

static void wrong_usage(void **state)
{
	(void)state;
	assert_int_equal(run("check"), 2);
	must_say("tagrig check: expected a file, found none\n");
	assert_int_equal(run("check --tag edsaa x.pcap"), 2);
	must_say("tagrig check: --tag: expected a tag ('tagrig tags' lists them), found 'edsaa'\n");
	assert_int_equal(run("check --dir sideways x.pcap"), 2);
	must_say("--dir: expected from-cpu or to-cpu, found 'sideways'\n");
	assert_int_equal(run("check --help"), 0);
	must_say("usage: tagrig check");
	assert_int_equal(run("check --nonsense"), 2);
	assert_int_equal(run("gen udp"), 2);
	must_say("tagrig gen: expected --output or --connect, found neither\n");
	assert_int_equal(run("gen -o a --connect b udp"), 2);
	must_say("found both\n");
	assert_int_equal(run("gen -o a"), 2);
	must_say("tagrig gen: expected a description or --file, found neither\n");
	assert_int_equal(run("gen -o a --seed x udp"), 2);
	must_say("tagrig gen: --seed: expected a number, found 'x'\n");
	assert_int_equal(run("gen --help"), 0);
	must_say("csum good|bad|zero|pseudo|tail|off");
	assert_int_equal(run("gen -q -o t.pcapng udp len 5 tag nosuch"), 2);
	assert_string_equal(out, "command line:1:15: expected a tag ('tagrig tags' lists them), found 'nosuch'\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(right_and_wrong),
		cmocka_unit_test(every_tag),
		cmocka_unit_test(tag_that_is_not_told),
		cmocka_unit_test(tags_that_are_wrong),
		cmocka_unit_test(several_tags_in_one_capture),
		cmocka_unit_test(as_json),
		cmocka_unit_test(descriptions_in_a_file),
		cmocka_unit_test(same_seed_same_bytes),
		cmocka_unit_test(cut_in_the_middle),
		cmocka_unit_test(wrong_link_type),
		cmocka_unit_test(nanoseconds_and_swapped),
		cmocka_unit_test(captures_of_real_switches),
		cmocka_unit_test(link_types),
		cmocka_unit_test(into_a_socket),
		cmocka_unit_test(sockets_that_cannot_be),
		cmocka_unit_test(full_disks),
		cmocka_unit_test(wrong_usage),
	};

	return cmocka_run_group_tests_name("gen and check", tests, make_dir, remove_dir);
}
