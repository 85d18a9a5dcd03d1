// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Frame descriptions: what they say is in the frames (as judge_frame() and
 * tag_pull() read them, and tshark), wrong ones are wrong in the way that was
 * asked for and in no other, sweeps visit everything once, and each mistake in
 * a description is told with its place.
 */
#include <errno.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "net/desc.h"
#include "net/judge.h"
#include "net/pcapng.h"

static uint8_t storage[FRAME_STORAGE];

static struct desc *parse(const char *text)
{
	struct desc_error error;
	struct desc *d = desc_parse(text, "file", 3, 10, 1, &error);

	if (!d)
		fail_msg("%s: %s", text, error.text);
	return d;
}

static int next(struct desc *d, struct frame *f)
{
	frame_init(f, storage, sizeof(storage));
	return desc_next(d, f);
}

/* The one frame that @text describes. */
static struct frame one(const char *text)
{
	struct desc *d = parse(text);
	struct frame f;

	assert_int_equal(desc_total(d), 1);
	assert_int_equal(next(d, &f), 1);
	desc_free(d);
	return f;
}

static struct verdict judged(const char *text)
{
	struct frame f = one(text);
	struct verdict v;

	assert_true(judge_frame(f.data, f.len, &v) >= 0);
	return v;
}

static uint16_t be16(const uint8_t *p)
{
	return p[0] << 8 | p[1];
}

/* --- what is said is there ----------------------------------------------- */

static void addresses_and_ports(void **state)
{
	char text[128];
	struct verdict v;

	(void)state;
	v = judged("udp 192.0.2.2:7 > 192.0.2.1:9 len 1472");
	assert_string_equal(judge_text(&v, text, sizeof(text)),
			    "udp 192.0.2.2:7 > 192.0.2.1:9 len 1472");
	v = judged("tcp [2001:db8::5]:80 > [2001:db8::1]:1024 len 3");
	assert_string_equal(judge_text(&v, text, sizeof(text)),
			    "tcp [2001:db8::5]:80 > [2001:db8::1]:1024 len 3");
	v = judged("icmp6 fe80::1 > ff02::1 len 56");
	assert_string_equal(judge_text(&v, text, sizeof(text)),
			    "icmp6 fe80::1 > ff02::1 len 56");
	v = judged("udp dport 99");
	assert_string_equal(judge_text(&v, text, sizeof(text)),
			    "udp 192.0.2.2:7 > 192.0.2.1:99 len 32");
	v = judged("udp ip6 sport 5 len 0");
	assert_string_equal(judge_text(&v, text, sizeof(text)),
			    "udp [2001:db8::2]:5 > [2001:db8::1]:9 len 0");
	v = judged("udp src 0.0.0.0:68 dst 255.255.255.255:67");
	assert_string_equal(judge_text(&v, text, sizeof(text)),
			    "udp 0.0.0.0:68 > 255.255.255.255:67 len 32");
	v = judged("ip 89 len 0 qinq 7 vlan 5");
	assert_string_equal(judge_text(&v, text, sizeof(text)),
			    "qinq 7 vlan 5 ip proto 89 192.0.2.2 > 192.0.2.1 len 0");
}

static void link_fields(void **state)
{
	struct frame f;

	(void)state;
	f = one("eth 0x88cc mac 02:00:00:00:00:aa > 01:80:c2:00:00:0e len 50");
	assert_int_equal(f.len, 64);
	assert_memory_equal(f.data, "\x01\x80\xc2\0\0\x0e\x02\0\0\0\0\xaa\x88\xcc", 14);
	f = one("udp");
	assert_memory_equal(f.data, "\xff\xff\xff\xff\xff\xff\x02\0\0\0\0\x02", 12);
	f = one("udp vlan 0xabc pcp 5 dei");
	assert_memory_equal(f.data + 12, "\x81\0\xba\xbc\x08\0", 6);
	f = one("udp qinq 1 pcp 7 vlan 2 vlan 3 pppoe 0x77");
	assert_memory_equal(f.data + 12, "\x88\xa8\xe0\1\x81\0\0\2\x81\0\0\3\x88\x64", 14);
	assert_memory_equal(f.data + 26, "\x11\0\0\x77\0\x3e\0\x21\x45", 9);
	f = one("arp 192.0.2.1 > 192.0.2.7");
	assert_int_equal(f.len, 60);
	assert_memory_equal(f.data + 12, "\x08\x06\0\1\x08\0\6\4\0\1\2\0\0\0\0\2", 16);
	assert_memory_equal(f.data + 28, "\xc0\0\2\1\0\0\0\0\0\0\xc0\0\2\7", 14);
}

static void ip_fields(void **state)
{
	struct verdict v;
	struct frame f;

	(void)state;
	f = one("udp ttl 3 tos 0xb8 ipid 0x1234 nodf");
	assert_memory_equal(f.data + 14, "\x45\xb8\0\x3c\x12\x34\0\0\3\x11", 10);
	f = one("udp");
	assert_memory_equal(f.data + 20, "\x40\0", 2);
	v = judged("udp nodf mf fragoff 16");
	assert_true(v.fragment);
	assert_int_equal(v.fragment_offset, 16);
	assert_int_equal(v.ip.state, CSUM_RIGHT);
	v = judged("udp ip6 mf");
	assert_string_equal(v.l4.reason, "first fragment");
	v = judged("udp ip6 fragoff 0");		/* an atomic one */
	assert_int_equal(v.l4.state, CSUM_RIGHT);
	assert_int_equal(v.l4_offset, 14 + 40 + 8);
	v = judged("udp ipopt 01010101 len 5");
	assert_int_equal(v.l4_offset, 14 + 24);
	assert_int_equal(v.ip.state, CSUM_RIGHT);
	assert_int_equal(v.l4.state, CSUM_RIGHT);
	v = judged("udp ip6 ext hop ext dst ext route ext ah ext frag ext dst");
	assert_int_equal(v.l4.state, CSUM_RIGHT);
	assert_int_equal(v.l4_offset, 14 + 40 + 6 * 8);
}

static void l4_fields(void **state)
{
	struct verdict v;
	struct frame f;

	(void)state;
	f = one("tcp flags SA seq 0x11223344 ack 5 win 77");
	assert_memory_equal(f.data + 38, "\x11\x22\x33\x44\0\0\0\5\x50\x12\0\x4d", 12);
	assert_int_equal(one("tcp flags -").data[47], 0);
	assert_int_equal(one("tcp").data[47], 0x18);
	v = judged("icmp type 0 code 3 id 7 seq 9");
	assert_int_equal(v.icmp_type, 0);
	assert_int_equal(v.icmp_code, 3);
	v = judged("icmp6");
	assert_int_equal(v.icmp_type, 128);
	v = judged("sctp len 5");
	assert_int_equal(v.l4.state, CSUM_RIGHT);
	assert_int_equal(v.ip_len, 20 + 28 + 8);
	v = judged("udplite cover 12 len 50");
	assert_int_equal(v.l4.state, CSUM_RIGHT);
}

static void sizes(void **state)
{
	struct verdict v;

	(void)state;
	assert_int_equal(one("udp len 0").len, 60);
	assert_int_equal(one("udp len 0 runt").len, 42);
	assert_int_equal(one("udp len 1472").len, 1514);
	assert_int_equal(one("udp frame 1000 vlan 1").len, 1000);
	assert_int_equal(one("sctp frame 1001").len, 1001);
	assert_int_equal(one("udp frame 42").len, 60);
	assert_int_equal(one("udp frame 42 runt").len, 42);
	assert_int_equal(one("udp len 100 truncate 20").len, 20);
	assert_int_equal(one("udp len 100 truncate -4").len, 138);
	assert_int_equal(one("udp len 100 truncate -400").len, 1);
	assert_int_equal(one("udp len 100 truncate 500").len, 142);
	assert_int_equal(one("udp len 65000").len, 65042);
	v = judged("udp len 100 trail 7");
	assert_int_equal(v.padding, 7);
	v = judged("udp len 1");
	assert_int_equal(v.padding, 17);
}

static void payloads(void **state)
{
	struct frame f;
	uint32_t number;

	(void)state;
	f = one("udp len 20 runt");
	assert_memory_equal(f.data + 42, "TRIG\0\0\0\0\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f", 16);
	assert_true(desc_stamp(f.data + 42, 20, &number));
	assert_false(desc_stamp(f.data + 42, 7, &number));
	assert_false(desc_stamp(f.data + 41, 20, &number));
	f = one("udp len 7 runt payload zero");
	assert_memory_equal(f.data + 42, "\0\0\0\0\0\0\0", 7);
	f = one("udp first 4294967295");
	assert_true(desc_stamp(f.data + 42, 18, &number));
	assert_int_equal(number, DESC_END);
}

/* Random is random from frame to frame, and the same from run to run. */
static void random_payload(void **state)
{
	struct desc *a = parse("udp len 64 payload random count 2 seed 5");
	struct desc *b = parse("udp len 64 payload random count 2 seed 5");
	struct desc *c = parse("udp len 64 payload random count 2 seed 6");
	uint8_t first[64], second[64];
	struct frame f;

	(void)state;
	next(a, &f);
	memcpy(first, f.data + 54, 52);
	next(a, &f);
	memcpy(second, f.data + 54, 52);
	assert_memory_not_equal(first, second, 52);
	next(b, &f);
	assert_memory_equal(first, f.data + 54, 52);
	next(c, &f);
	assert_memory_not_equal(first, f.data + 54, 52);
	desc_free(a);
	desc_free(b);
	desc_free(c);
	desc_free(NULL);
}

/* --- checksums, right and wrong ------------------------------------------ */

static const char *const protos[] = {
	"udp", "tcp", "udp ip6", "tcp ip6", "icmp", "icmp6", "sctp", "sctp ip6",
	"udplite", "udplite ip6", "udp ipopt 0101", "udp ip6 ext hop ext frag",
	"udp vlan 5", "tcp qinq 5 vlan 6", "udp pppoe 1", "tcp ip6 pppoe 9",
};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static void all_are_right(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(protos); i++) {
		char text[100];
		struct desc *d;
		struct frame f;
		int n = 0;

		snprintf(text, sizeof(text), "%s len 0..300 count 700", protos[i]);
		d = parse(text);
		while (next(d, &f) == 1) {
			struct verdict v;

			if (judge_frame(f.data, f.len, &v))
				fail_msg("%s: frame %d is wrong", text, n);
			if (v.l4.state != CSUM_RIGHT)
				fail_msg("%s: frame %d: %s", text, n, v.l4.reason);
			assert_int_equal(v.payload_len - (strncmp(text, "sctp", 4) ? 0 :
					 v.payload_len - n % 301), n % 301);
			n++;
		}
		assert_int_equal(n, 700);
		desc_free(d);
	}
}

static void wrong_as_asked(const char *proto, const char *how, enum csum_kind kind)
{
	char text[100];
	struct desc *d;
	struct frame f;

	snprintf(text, sizeof(text), "%s len 0..100 csum %s", proto, how);
	d = parse(text);
	while (next(d, &f) == 1) {
		struct verdict v;

		assert_int_equal(judge_frame(f.data, f.len, &v), 1);
		assert_int_equal(v.l4.state, CSUM_WRONG);
		if (v.l4.kind != kind)
			fail_msg("%s: expected %s, found %s (%x, right %x)", text,
				 csum_kind_name(kind), csum_kind_name(v.l4.kind),
				 v.l4.found, v.l4.expected);
	}
	desc_free(d);
}

static void all_are_wrong_as_asked(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(protos); i++) {
		bool udp4 = !strncmp(protos[i], "udp", 3) && protos[i][3] != 'l' &&
			    !strstr(protos[i], "ip6");

		wrong_as_asked(protos[i], "bad", CSUM_OFF);
		wrong_as_asked(protos[i], "tail", CSUM_TAIL_SUMMED);
		if (!udp4)
			wrong_as_asked(protos[i], "zero", CSUM_ZERO);
		if (strncmp(protos[i], "sctp", 4) && strcmp(protos[i], "icmp"))
			wrong_as_asked(protos[i], "pseudo", CSUM_PSEUDO_ONLY);
	}
}

static void off_by_so_much(void **state)
{
	struct verdict v;

	(void)state;
	v = judged("udp csum off");
	assert_int_equal(v.l4.found, v.l4.expected + 1);
	v = judged("udp csum off -3 len 30");
	assert_int_equal(v.l4.found, v.l4.expected - 3);
	v = judged("sctp csum off 0x10");
	assert_int_equal(v.l4.found, v.l4.expected + 16);
	v = judged("udp csum none");
	assert_int_equal(v.l4.state, CSUM_ABSENT);
	v = judged("udp csum good ipcsum off 2");
	assert_int_equal(v.ip.found, v.ip.expected + 2);
	assert_int_equal(v.l4.state, CSUM_RIGHT);
	v = judged("udp ipcsum bad");
	assert_int_equal(v.ip.kind, CSUM_OFF);
	v = judged("udp ipcsum zero");
	assert_int_equal(v.ip.kind, CSUM_ZERO);
}

/* The number is in the payload; UDP-Lite may cover some of it, or nothing. */
static void numbers_that_are_covered_in_part(void **state)
{
	struct desc *d = parse("udplite ip6 len 50 cover 8..20 count 60000");
	struct frame f;

	(void)state;
	while (next(d, &f) == 1) {
		struct verdict v;

		assert_int_equal(judge_frame(f.data, f.len, &v), 0);
		assert_int_equal(v.l4.state, CSUM_RIGHT);
	}
	desc_free(d);
	d = parse("udplite len 50 cover 14 count 300 csum pseudo");
	while (next(d, &f) == 1) {
		struct verdict v;

		assert_int_equal(judge_frame(f.data, f.len, &v), 1);
		assert_int_equal(v.l4.kind, CSUM_PSEUDO_ONLY);
	}
	desc_free(d);
}

/* A UDP sum of zero goes out as ffff: find the port that makes it zero. */
static void udp_sum_of_zero(void **state)
{
	struct desc *d = parse("udp len 20 sport 0..65535");
	struct frame f;
	int seen = 0;

	(void)state;
	while (next(d, &f) == 1) {
		struct verdict v;

		assert_int_equal(judge_frame(f.data, f.len, &v), 0);
		assert_int_not_equal(v.l4.found, 0);
		seen += v.l4.found == 0xffff;
	}
	assert_int_equal(seen, 1);
	desc_free(d);
}

static void lengths_that_lie(void **state)
{
	struct verdict v;

	(void)state;
	v = judged("udp len 100 iplen +1");
	assert_int_equal(v.ip_len, 129);
	assert_string_equal(v.l4.reason, "frame ends in the IP datagram");
	v = judged("udp len 100 iplen -10");
	assert_string_equal(v.l4.reason, "UDP length is beyond the IP datagram");
	v = judged("udp len 100 iplen 20");
	assert_int_equal(v.ip_len, 20);
	v = judged("udp ip6 len 100 iplen 20");
	assert_int_equal(v.ip_len, 60);
	v = judged("udp len 100 udplen 7");
	assert_string_equal(v.l4.reason, "UDP length is less than its header");
	v = judged("udp len 100 udplen +1");
	assert_string_equal(v.l4.reason, "UDP length is beyond the IP datagram");
}

/* --- many frames --------------------------------------------------------- */

static void numbers_run(void **state)
{
	struct desc *d = parse("udp 192.0.2.2:7 > 192.0.2.1:9 len 20 count 1000");
	struct frame f;
	uint32_t n = 0, number;

	(void)state;
	assert_int_equal(desc_total(d), 1000);
	while (next(d, &f) == 1) {
		struct verdict v;

		assert_int_equal(judge_frame(f.data, f.len, &v), 0);
		assert_int_equal(v.l4.state, CSUM_RIGHT);
		assert_true(desc_stamp(f.data + v.payload_offset, v.payload_len, &number));
		assert_int_equal(number, n++);
	}
	assert_int_equal(n, 1000);
	assert_int_equal(next(d, &f), 0);
	desc_free(d);
}

static void sweeps_visit_everything_once(void **state)
{
	struct desc *d = parse("udp len 18..39/7 vlan 1..3 sport 5");
	unsigned int seen[40][4] = { 0 };
	struct frame f;

	(void)state;
	assert_int_equal(desc_total(d), 12);
	for (int i = 0; i < 12; i++) {
		struct verdict v;

		assert_int_equal(next(d, &f), 1);
		assert_int_equal(judge_frame(f.data, f.len, &v), 0);
		seen[v.payload_len][v.vlan[0].tci]++;
		assert_int_equal(v.vlan[0].tci, 1 + i % 3);	/* the last one is fastest */
		assert_int_equal(v.payload_len, 18 + i / 3 * 7);
	}
	assert_int_equal(next(d, &f), 0);
	for (int len = 18; len < 40; len += 7)
		for (int vid = 1; vid < 4; vid++)
			assert_int_equal(seen[len][vid], 1);
	desc_free(d);

	d = parse("udp len 1..3 count 7");	/* and over again */
	for (int i = 0; i < 7; i++) {
		assert_int_equal(next(d, &f), 1);
		assert_int_equal(be16(f.data + 38), 8 + 1 + i % 3);
	}
	assert_int_equal(next(d, &f), 0);
	desc_free(d);
}

static void random_sweeps(void **state)
{
	struct desc *a = parse("udp len 10..1000/random count 500 seed 9");
	struct desc *b = parse("udp len 10..1000/random count 500 seed 9");
	unsigned int different = 0, last = 0;
	struct frame f;

	(void)state;
	while (next(a, &f) == 1) {
		unsigned int len = be16(f.data + 38) - 8;

		assert_true(len >= 10 && len <= 1000);
		different += len != last;
		last = len;
		assert_int_equal(next(b, &f), 1);
		assert_int_equal(be16(f.data + 38) - 8, len);
	}
	assert_true(different > 490);
	desc_free(a);
	desc_free(b);
}

static void given_macs_stay(void **state)
{
	static const uint8_t a[6] = { 2, 1, 1, 1, 1, 1 }, b[6] = { 2, 2, 2, 2, 2, 2 };
	struct desc *d = parse("udp count 2");
	struct frame f;

	(void)state;
	next(d, &f);
	desc_default_macs(d, a, b);
	next(d, &f);
	assert_memory_equal(f.data, a, 6);
	assert_memory_equal(f.data + 6, b, 6);
	desc_free(d);
	d = parse("udp dmac 02:09:09:09:09:09");
	desc_default_macs(d, a, b);
	next(d, &f);
	assert_memory_equal(f.data, "\2\x9\x9\x9\x9\x9\2\2\2\2\2\2", 12);
	desc_free(d);
}

/* --- tags ---------------------------------------------------------------- */

/* Every format and direction: our tag comes off and says what was asked. */
static void tags_come_off_again(void **state)
{
	(void)state;
	for (size_t i = 0; i < tag_count(); i++) {
		const struct tag_format *t = tag_at(i);

		for (int dir = TAG_FROM_CPU; dir <= TAG_TO_CPU; dir++) {
			uint32_t ports = tag_ports(t, dir);
			unsigned int port = ports & 4 ? 2 : ports & 2 ? 1 : 0;
			struct frame plain, f;
			struct tag_meta meta;
			const char *why;
			char text[100];
			uint8_t want[200];

			snprintf(text, sizeof(text), "udp len 100 tag %s dir %s port %u device 1",
				 tag_name(t), dir ? "to-cpu" : "from-cpu", port);
			plain = one("udp len 100");
			memcpy(want, plain.data, plain.len);
			f = one(text);
			if (tag_pull(t, dir, &meta, &f, &why))
				fail_msg("%s: %s", text, why);
			assert_int_equal(f.len, 142);
			assert_memory_equal(f.data, want, 142);
			if (ports)
				assert_int_equal(meta.ports, 1u << port);
		}
	}
}

static void tag_bytes(void **state)
{
	enum tag_dir dir;
	struct desc *d;
	struct frame f;

	(void)state;
	d = parse("udp tag edsa dir from-cpu port 3 device 1");
	assert_string_equal(tag_name(desc_tag(d, &dir)), "edsa");
	assert_int_equal(dir, TAG_FROM_CPU);
	assert_int_equal(next(d, &f), 1);
	assert_memory_equal(f.data + 12, "\xda\xda\0\0\x41\x18\0\0\x08\0", 10);
	desc_free(d);
	f = one("udp tag edsa dir from-cpu port 3 vlan 0x123 pcp 5");
	assert_memory_equal(f.data + 12, "\xda\xda\0\0\x60\x18\xa1\x23\x08\0", 10);
	/* on purpose: a port that it does not have, and bytes from nowhere */
	f = one("udp tag edsa dir from-cpu tagraw dada0000");
	assert_memory_equal(f.data + 12, "\xda\xda\0\0", 4);
	f = one("udp tag edsa tagraw deadbeef01020304");
	assert_memory_equal(f.data + 12, "\xde\xad\xbe\xef\1\2\3\4\x08\0", 10);
	f = one("udp tag trailer tagraw a1b2c3d4");
	assert_memory_equal(f.data + f.len - 4, "\xa1\xb2\xc3\xd4", 4);
	f = one("udp len 200 tag edsa truncate 15");
	assert_int_equal(f.len, 15);
}

static void tag_fields_out_of_range(void **state)
{
	struct desc_error error;
	struct frame f;

	(void)state;
	assert_null(desc_parse("udp tag edsa tagfield nonsense=1", "f", 1, 1, 1, &error));
	assert_non_null(strstr(error.text, "f:1:23: expected a field of edsa ("));
	f = one("udp tag edsa dir from-cpu port 1 tagfield port=31");
	assert_memory_equal(f.data + 12, "\xda\xda\0\0\x40\xf8", 6);
	/* in the tail of a tag at both ends */
	f = one("udp dmac 01:80:c2:00:00:0e tag sja1110 dir from-cpu port 1 tagfield time-stamp-id=0xa5");
	assert_memory_equal(f.data + 12, "\xda\xdc", 2);
	assert_int_equal(f.data[f.len - 4], 0xa5);
	assert_null(desc_parse("udp tag edsa tagfield port=32", "f", 1, 1, 1, &error));
	assert_string_equal(error.text, "f:1:23: expected a value of 5 bits for port, found 32");
}

/* --- mistakes ------------------------------------------------------------ */

static const struct {
	const char *text, *error;
} mistakes[] = {
	{ "", "10: expected udp, tcp, icmp, icmp6, sctp, udplite, ip, eth or arp, found the end of the line" },
	{ "  # nothing", "12: expected udp, tcp, icmp, icmp6, sctp, udplite, ip, eth or arp, found the end of the line" },
	{ "upd", "10: expected udp, tcp, icmp, icmp6, sctp, udplite, ip, eth or arp, found 'upd'" },
	{ "udp lenn 5", "14: expected an option (len, csum, vlan, tag, count, ...), found 'lenn'" },
	{ "udp len", "17: expected len: a number (or A..B, A..B/STEP, A..B/random) from 0 to 65536, found the end of the line" },
	{ "udp len x", "18: expected len: a number (or A..B, A..B/STEP, A..B/random) from 0 to 65536, found 'x'" },
	{ "udp len 5..", "18: expected len: a number (or A..B, A..B/STEP, A..B/random) from 0 to 65536, found '5..'" },
	{ "udp len 5..4", "18: expected len: a number (or A..B, A..B/STEP, A..B/random) from 0 to 65536, found '5..4'" },
	{ "udp len 1..9/0", "18: expected len: a number (or A..B, A..B/STEP, A..B/random) from 0 to 65536, found '1..9/0'" },
	{ "udp len 99999999999999999999", "18: expected len: a number (or A..B, A..B/STEP, A..B/random) from 0 to 65536, found '99999999999999999999'" },
	{ "udp len 65536", "18: expected a payload of at most 65366 bytes for these headers, found 65536" },
	{ "udp len 5 len 6", "24: expected len once, found it again" },
	{ "udp len 5 frame 100", "26: expected len or frame, found both" },
	{ "udp frame 41", "20: expected a frame of at least 42 bytes for these headers, found 41" },
	{ "udp vlan 4096", "19: expected vlan: a number (or A..B, A..B/STEP, A..B/random) from 0 to 4095, found '4096'" },
	{ "udp vlan 1 vlan 1 vlan 1 vlan 1 vlan 1", "42: expected at most 4 VLAN headers, found one more" },
	{ "udp pcp 3", "14: expected a vlan before 'pcp', found none" },
	{ "udp 192.0.2.1:9", "25: expected '>', found the end of the line" },
	{ "udp 192.0.2.1:9 > 192.0.2", "28: expected an address (192.0.2.1:9 or [2001:db8::1]:9), found '192.0.2'" },
	{ "udp 192.0.2.1:99999 > 192.0.2.2", "14: expected an address with or without a port, found '192.0.2.1:99999'" },
	{ "udp [2001:db8::1 > ::1", "14: expected ']' at the end of an IPv6 address, found '[2001:db8::1'" },
	{ "udp 192.0.2.1 > 2001:db8::1", "26: expected something of IPv4 (as before it), found '2001:db8::1'" },
	{ "icmp6 192.0.2.1 > 192.0.2.2", "16: expected something of IPv6 (as before it), found '192.0.2.1'" },
	{ "udp ip4 src ::1", "22: expected something of IPv4 (as before it), found '::1'" },
	{ "udp mac 02:00:00:00:00:1 > ff:ff:ff:ff:ff:ff", "18: expected an Ethernet address (02:00:00:00:00:01), found '02:00:00:00:00:1'" },
	{ "udp mac 02:00:00:00:00:01", "35: expected '>', found the end of the line" },
	{ "udp csum wrong", "19: expected csum: good, bad, zero, pseudo, tail, off or none, found 'wrong'" },
	{ "udp csum off 0", "23: expected off: a number that is not 0, found '0'" },
	{ "icmp csum pseudo", "20: expected a protocol with a pseudo header for csum pseudo, found icmp" },
	{ "eth 0x88cc csum bad", "26: expected a protocol with a checksum for csum, found eth" },
	{ "udp ip6 ipcsum bad", "25: expected IPv4 for ipcsum, found IPv6" },
	{ "udp ipcsum pseudo", "21: expected ipcsum: good, bad, zero or off, found 'pseudo'" },
	{ "udp csum tail trail 0", "30: expected bytes behind the datagram for csum tail, found 'trail 0'" },
	{ "udp payload ones", "22: expected payload: seq, zero or random, found 'ones'" },
	{ "tcp flags SX", "20: expected flags: letters of FSRPAUEC, or - for none, found 'SX'" },
	{ "udp ext tail", "18: expected ext: hop, dst, route, frag or ah, found 'tail'" },
	{ "udp ipopt 123", "20: expected ipopt: 1 to 40 bytes in hex, found '123'" },
	{ "udp ipopt 1g", "20: expected ipopt: 1 to 40 bytes in hex, found '1g'" },
	{ "udp iplen ~", "20: expected iplen: +N, -N or N (up to 65535), found '~'" },
	{ "udp count 0", "20: expected count: a number from 1 to 4294967295, found '0'" },
	{ "udp seed x", "19: expected seed: a number, found 'x'" },
	{ "udp tag edsaa", "18: expected a tag ('tagrig tags' lists them), found 'edsaa'" },
	{ "udp tag", "17: expected a tag ('tagrig tags' lists them), found the end of the line" },
	{ "udp tag edsa dir up", "27: expected dir: from-cpu or to-cpu, found 'up'" },
	{ "udp tag edsa port 32", "28: expected port: a number (or A..B, A..B/STEP, A..B/random) from 0 to 31, found '32'" },
	{ "udp tag lan9303 port 2..5", "31: expected a port that lan9303 can name (mask 0xf), found 4" },
	{ "udp tagraw 00", "21: expected a tag for it, found none" },
	{ "udp tagfield port", "23: expected tagfield: NAME=VALUE, found 'port'" },
	{ "udp tag edsa tagraw 000102030405060708", "30: expected at most 8 bytes of edsa, found 9" },
};

static void mistakes_have_places(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(mistakes); i++) {
		struct desc_error error;
		char want[300];

		snprintf(want, sizeof(want), "file:3:%s", mistakes[i].error);
		if (desc_parse(mistakes[i].text, "file", 3, 10, 1, &error))
			fail_msg("expected a mistake in: %s", mistakes[i].text);
		assert_string_equal(error.text, want);
	}
}

static void comments_end_it(void **state)
{
	(void)state;
	assert_int_equal(one("udp len 100 # len 200").len, 142);
	assert_int_equal(one("\tudp\tlen 100\n").len, 142);
}

static void no_room(void **state)
{
	struct desc *d = parse("udp len 1000");
	uint8_t small[200];
	struct frame f;

	(void)state;
	frame_init(&f, small, sizeof(small));
	assert_int_equal(desc_next(d, &f), -ENOBUFS);
	assert_string_equal(desc_why(d), "expected room for a frame of 1042 bytes, found 136");
	desc_free(d);

	d = parse("udp len 20 tag dsa device 255");
	assert_int_equal(next(d, &f), -ERANGE);
	assert_string_equal(desc_why(d), "tag dsa: port 0, device 255, prio 0: a field of the tag cannot hold its value");
	desc_free(d);
}

/* --- tshark agrees ------------------------------------------------------- */

/* What each line's frames must be to tshark: 1 good, 0 bad, empty: neither. */
static const struct {
	const char *text;
	const char *ip, *l4;
} seen_by_tshark[] = {
	{ "udp len 0..60", "1", "1" },
	{ "udp len 0..60 csum bad", "1", "0" },
	{ "udp len 33 csum pseudo", "1", "0" },
	{ "udp ip6 len 0..60", "", "1" },
	{ "udp ip6 len 20 ext hop ext dst ext frag", "", "1" },
	{ "udp ip6 len 20 csum off", "", "0" },
	{ "tcp len 0..60 vlan 5", "1", "1" },
	{ "tcp len 7 csum tail trail 9", "1", "0" },
	{ "tcp ip6 len 9 qinq 7 vlan 8", "", "1" },
	{ "icmp len 0..9", "1", "1" },
	{ "icmp len 9 csum bad ipcsum bad", "0", "0" },
	{ "icmp6 len 0..9", "", "1" },
	{ "icmp6 len 9 csum off 7", "", "0" },
	{ "sctp len 1..9", "1", "1" },
	{ "sctp len 9 csum bad", "1", "0" },
	{ "sctp ip6 len 8", "", "1" },
	{ "udplite len 50", "1", "1" },
	{ "udplite len 50 cover 20", "1", "1" },
	{ "udplite ip6 len 50 csum bad", "", "0" },
	{ "udp ipopt 01010101 len 20", "1", "1" },
	{ "udp pppoe 5 len 20", "1", "1" },
	{ "tcp ip6 pppoe 5 len 21", "", "1" },
};

static const char *const tshark =
	"tshark -r %s -o ip.check_checksum:TRUE -o udp.check_checksum:TRUE "
	"-o tcp.check_checksum:TRUE -o 'sctp.checksum:CRC 32c' "
	"-o udplite.check_checksum:TRUE -o udplite.ignore_checksum_coverage:TRUE "
	"-T fields -E separator=, -e ip.checksum.status -e udp.checksum.status "
	"-e tcp.checksum.status -e icmp.checksum.status -e icmpv6.checksum.status "
	"-e sctp.checksum.status 2>/dev/null";

static void write_for_tshark(const char *path)
{
	struct pcapng *w;
	struct frame f;

	assert_int_equal(pcapng_create(&w, path, PCAPNG), 0);
	pcapng_interface(w, "x", NULL, LINKTYPE_ETHERNET);
	for (size_t i = 0; i < COUNT(seen_by_tshark); i++) {
		struct desc *d = parse(seen_by_tshark[i].text);

		while (next(d, &f) == 1)
			pcapng_write(w, 0, i, 0, f.data, f.len, NULL);
		desc_free(d);
	}
	assert_int_equal(pcapng_close(w), 0);
}

/* "1,0,,,," has an IP status and then the layer-4 one that is not empty. */
static void check_line(const char *line, size_t i)
{
	const char *l4 = strchr(line, ',');

	assert_non_null(l4);
	assert_int_equal(l4 - line, strlen(seen_by_tshark[i].ip));
	assert_memory_equal(line, seen_by_tshark[i].ip, l4 - line);
	l4 += strspn(l4, ",");
	if (*l4 != *seen_by_tshark[i].l4)
		fail_msg("%s: tshark says %s", seen_by_tshark[i].text, line);
}

static void tshark_agrees(void **state)
{
	char path[] = "/tmp/test_gen.XXXXXX", command[900], line[200];
	FILE *f;

	(void)state;
	if (system("command -v tshark >/dev/null 2>&1"))
		skip();
	close(mkstemp(path));
	write_for_tshark(path);
	snprintf(command, sizeof(command), tshark, path);
	f = popen(command, "r");
	assert_non_null(f);
	for (size_t i = 0; i < COUNT(seen_by_tshark); i++) {
		struct desc *d = parse(seen_by_tshark[i].text);

		for (uint64_t n = desc_total(d); n; n--) {
			assert_non_null(fgets(line, sizeof(line), f));
			check_line(line, i);
		}
		desc_free(d);
	}
	assert_null(fgets(line, sizeof(line), f));
	assert_int_equal(pclose(f), 0);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses_and_ports),
		cmocka_unit_test(link_fields),
		cmocka_unit_test(ip_fields),
		cmocka_unit_test(l4_fields),
		cmocka_unit_test(sizes),
		cmocka_unit_test(payloads),
		cmocka_unit_test(random_payload),
		cmocka_unit_test(all_are_right),
		cmocka_unit_test(all_are_wrong_as_asked),
		cmocka_unit_test(off_by_so_much),
		cmocka_unit_test(numbers_that_are_covered_in_part),
		cmocka_unit_test(udp_sum_of_zero),
		cmocka_unit_test(lengths_that_lie),
		cmocka_unit_test(numbers_run),
		cmocka_unit_test(sweeps_visit_everything_once),
		cmocka_unit_test(random_sweeps),
		cmocka_unit_test(given_macs_stay),
		cmocka_unit_test(tags_come_off_again),
		cmocka_unit_test(tag_bytes),
		cmocka_unit_test(tag_fields_out_of_range),
		cmocka_unit_test(mistakes_have_places),
		cmocka_unit_test(comments_end_it),
		cmocka_unit_test(no_room),
		cmocka_unit_test(tshark_agrees),
	};

	return cmocka_run_group_tests_name("gen", tests, NULL, NULL);
}
