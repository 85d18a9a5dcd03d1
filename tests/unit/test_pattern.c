// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Patterns: what they select, and what they demand of checksums.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "net/csum.h"
#include "net/desc.h"
#include "rig/pattern.h"

static uint8_t storage[FRAME_STORAGE];
static struct frame frame;

static struct verdict frame_of(const char *description)
{
	struct desc_error error;
	struct verdict v;
	struct desc *d = desc_parse(description, "test", 1, 1, 1, &error);

	assert_non_null(d);
	frame_init(&frame, storage, sizeof(storage));
	assert_int_equal(desc_next(d, &frame), 1);
	desc_free(d);
	assert_true(judge_frame(frame.data, frame.len, &v) >= 0);
	return v;
}

static struct pattern pattern_of(const char *text)
{
	struct source_line line = { 1, (char *)text };
	struct source source = { "test", &line, 1 };
	struct pattern p = { 0 };
	char error[ERROR_SIZE] = "";
	struct cursor c;

	cursor_init(&c, &source, 0, error);
	while (cursor_more(&c))
		assert_int_equal(pattern_term(&p, &c), 1);
	return p;
}

static bool selects(const char *pattern, const char *description)
{
	struct verdict v = frame_of(description);
	struct pattern p = pattern_of(pattern);

	return pattern_matches(&p, &v, frame.len);
}

static bool holds(const char *pattern, const struct verdict *v)
{
	struct pattern p = pattern_of(pattern);

	return pattern_holds(&p, v, NULL);
}

static void selection(void **state)
{
	const char *udp4 = "udp 192.0.2.2:7 > 192.0.2.1:9 len 100 vlan 5 pcp 3";
	const char *tcp6 = "tcp [2001:db8::2]:7 > [2001:db8::1]:9 len 10";

	(void)state;
	assert_true(selects("udp", udp4));
	assert_false(selects("tcp", udp4));
	assert_true(selects("ip4 sport 7 dport 9 len 100 vlan 5 pcp 3 vlans 1", udp4));
	assert_true(selects("len 1..100", udp4));
	assert_false(selects("len 1..99", udp4));
	assert_false(selects("untagged", udp4));
	assert_true(selects("src 192.0.2.2 dst 192.0.2.1", udp4));
	assert_false(selects("src 192.0.2.1", udp4));
	assert_true(selects("tcp ip6 untagged src 2001:db8::2", tcp6));
	assert_false(selects("ip4", tcp6));
	assert_false(selects("vlan 0..4095", tcp6));
	assert_false(selects("dst 192.0.2.1", tcp6));
	assert_true(selects("arp", "arp 192.0.2.2 > 192.0.2.1"));
	assert_false(selects("sport 0..65535", "icmp 192.0.2.2 > 192.0.2.1"));
}

static void checksums(void **state)
{
	static const struct {
		const char *kind, *holds, *fails;
	} all[] = {
		{ "csum good", "csum good", "csum bad" },
		{ "csum bad", "csum bad", "csum good" },
		{ "csum pseudo", "csum pseudo", "csum off" },
		{ "csum pseudo", "csum bad", "csum good" },
		{ "csum off 1", "csum off", "csum pseudo" },
		{ "csum zero", "csum none", "csum good" },
		{ "ipcsum off 1", "csum good ipcsum bad", "csum good ipcsum good" },
	};
	char text[128];
	struct verdict v;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		snprintf(text, sizeof(text), "udp 192.0.2.2:7 > 192.0.2.1:9 len 40 %s",
			 all[i].kind);
		v = frame_of(text);
		assert_true(holds(all[i].holds, &v));
		assert_false(holds(all[i].fails, &v));
	}
}

/*
 * One frame in 65536 has a right checksum that is the pseudo header's sum as
 * well: it is right, and it is what an unfinished one would be.
 */
static void right_and_pseudo(void **state)
{
	struct verdict v = frame_of("udp 192.0.2.2:7 > 192.0.2.1:9 len 40 payload zero");
	uint8_t *udp = frame.data + v.l4_offset;
	uint64_t pseudo = csum_pseudo(v.src, v.dst, 4, 17, 48), rest;
	uint32_t want, word;

	(void)state;
	udp[6] = udp[7] = 0;
	/* ~(pseudo + rest + word) = pseudo */
	want = csum_finish(csum_add(pseudo, pseudo));
	rest = csum_fold(csum_partial(udp, 48, 0));
	word = want + 0xffff - (uint32_t)rest;
	word = (word & 0xffff) + (word >> 16);
	udp[46] = (uint8_t)(word >> 8);
	udp[47] = (uint8_t)word;
	udp[6] = (uint8_t)(csum_fold(pseudo) >> 8);
	udp[7] = (uint8_t)csum_fold(pseudo);
	assert_int_equal(judge_frame(frame.data, frame.len, &v), 0);
	assert_int_equal(v.l4.state, CSUM_RIGHT);
	assert_true(holds("csum good", &v));
	assert_true(holds("csum pseudo", &v));
	assert_false(holds("csum bad", &v));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(selection),
		cmocka_unit_test(checksums),
		cmocka_unit_test(right_and_pseudo),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
