// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Verdicts: frames are written here byte by byte, their checksums summed two
 * bytes at a time, and then bent one way each.  Two frames were written by
 * Linux on its loopback, which leaves CHECKSUM_PARTIAL as it is, and what is
 * expected of them was worked out by tcpdump.
 */
#include <errno.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "net/judge.h"

/* --- frames by hand ------------------------------------------------------ */

struct pkt {
	uint8_t b[2048];
	size_t n;
	size_t l3, l4;
	uint8_t src[16], dst[16];	/* of the pseudo header */
	unsigned int alen;
};

static const uint8_t src4[4] = { 192, 0, 2, 2 }, dst4[4] = { 192, 0, 2, 1 };
static const uint8_t src6[16] = { 0x20, 1, 0xd, 0xb8, [15] = 2 };
static const uint8_t dst6[16] = { 0x20, 1, 0xd, 0xb8, [15] = 1 };

static void put(struct pkt *p, const void *bytes, size_t n)
{
	assert_true(p->n + n <= sizeof(p->b));
	memcpy(p->b + p->n, bytes, n);
	p->n += n;
}

static void put8(struct pkt *p, uint8_t x)
{
	put(p, &x, 1);
}

static void put16(struct pkt *p, uint16_t x)
{
	put8(p, x >> 8);
	put8(p, x);
}

static void put_n(struct pkt *p, uint8_t first, size_t n)
{
	while (n--)
		put8(p, first++);
}

static void set16(struct pkt *p, size_t at, uint16_t x)
{
	p->b[at] = x >> 8;
	p->b[at + 1] = x;
}

static uint16_t get16(const struct pkt *p, size_t at)
{
	return p->b[at] << 8 | p->b[at + 1];
}

static uint32_t sum_of(const uint8_t *b, size_t n, uint32_t sum)
{
	for (size_t i = 0; i < n; i++)
		sum += i & 1 ? b[i] : b[i] << 8;
	return sum;
}

static uint16_t fold(uint32_t sum)
{
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return sum;
}

static uint32_t pseudo_of(const struct pkt *p, uint8_t proto, uint16_t len)
{
	uint32_t sum = sum_of(p->src, p->alen, 0);

	return sum_of(p->dst, p->alen, sum) + proto + len;
}

static void eth(struct pkt *p, uint16_t type)
{
	memset(p, 0, sizeof(*p));
	put_n(p, 0x02, 6);
	put_n(p, 0x22, 6);
	put16(p, type);
}

/* @options bytes of options are put by the caller before ip4_done(). */
static void ip4(struct pkt *p, uint8_t proto, unsigned int options)
{
	p->l3 = p->n;
	put8(p, 0x45 + options / 4);
	put8(p, 0);
	put16(p, 0);
	put16(p, 0x1234);
	put16(p, 0x4000);
	put8(p, 64);
	put8(p, proto);
	put16(p, 0);
	put(p, src4, 4);
	put(p, dst4, 4);
	memcpy(p->src, src4, 4);
	memcpy(p->dst, dst4, 4);
	p->alen = 4;
	p->l4 = p->n + options;
}

static void ip4_sum(struct pkt *p)
{
	set16(p, p->l3 + 10, 0);
	set16(p, p->l3 + 10, ~fold(sum_of(p->b + p->l3, (p->b[p->l3] & 15) * 4, 0)));
}

static void ip4_done(struct pkt *p)
{
	set16(p, p->l3 + 2, p->n - p->l3);
	ip4_sum(p);
}

static void ip6(struct pkt *p, uint8_t next)
{
	p->l3 = p->n;
	put8(p, 0x60);
	put_n(p, 0, 1);
	put16(p, 0);
	put16(p, 0);
	put8(p, next);
	put8(p, 64);
	put(p, src6, 16);
	put(p, dst6, 16);
	memcpy(p->src, src6, 16);
	memcpy(p->dst, dst6, 16);
	p->alen = 16;
	p->l4 = p->n;
}

static void ip6_done(struct pkt *p)
{
	set16(p, p->l3 + 4, p->n - p->l3 - 40);
}

/* A UDP header and @len bytes, checksum right for the addresses in @p. */
static void udp(struct pkt *p, size_t len)
{
	p->l4 = p->n;
	put16(p, 7);
	put16(p, 9);
	put16(p, 8 + len);
	put16(p, 0);
	put_n(p, 'a', len);
}

static void l4_sum(struct pkt *p, size_t field, uint8_t proto, bool pseudo)
{
	size_t len = p->n - p->l4;
	uint32_t sum = pseudo ? pseudo_of(p, proto, len) : 0;

	set16(p, p->l4 + field, 0);
	set16(p, p->l4 + field, ~fold(sum_of(p->b + p->l4, len, sum)));
}

static void udp4(struct pkt *p, size_t len)
{
	eth(p, 0x0800);
	ip4(p, IPPROTO_UDP, 0);
	udp(p, len);
	ip4_done(p);
	l4_sum(p, 6, IPPROTO_UDP, true);
}

static void udp6(struct pkt *p, size_t len)
{
	eth(p, 0x86dd);
	ip6(p, IPPROTO_UDP);
	udp(p, len);
	ip6_done(p);
	l4_sum(p, 6, IPPROTO_UDP, true);
}

static struct verdict judge(const struct pkt *p)
{
	struct verdict v;
	int wrong = judge_frame(p->b, p->n, &v);

	assert_int_equal(wrong, v.ip.state == CSUM_WRONG ||
				v.l4.state == CSUM_WRONG);
	return v;
}

static void expect_wrong(const struct csum_verdict *c, enum csum_kind kind,
			 uint32_t expected, uint32_t found)
{
	assert_int_equal(c->state, CSUM_WRONG);
	assert_int_equal(c->kind, kind);
	assert_int_equal(c->expected, expected);
	assert_int_equal(c->found, found);
}

/* --- frames from elsewhere ----------------------------------------------- */

static void frames_that_linux_left_unfinished(void **state)
{
	/* tcpdump: [bad udp cksum 0xfe1c -> 0xed41!] */
	static const uint8_t udp_frame[] = {
		0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
		0x00, 0x00, 0x08, 0x00, 0x45, 0x00, 0x00, 0x1d, 0xd4, 0x18,
		0x40, 0x00, 0x40, 0x11, 0x68, 0xb5, 0x7f, 0x00, 0x00, 0x01,
		0x7f, 0x00, 0x00, 0x01, 0x8c, 0x88, 0x27, 0x0f, 0x00, 0x09,
		0xfe, 0x1c, 0x61,
	};
	/* tcpdump: cksum 0x002b (incorrect -> 0x565c) */
	static const uint8_t tcp_frame[] = {
		0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
		0x00, 0x00, 0x86, 0xdd, 0x60, 0x04, 0x36, 0x09, 0x00, 0x23,
		0x06, 0x40, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
		0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00,
		0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
		0x00, 0x00, 0x00, 0x01, 0xd1, 0xd6, 0x27, 0x0e, 0x1d, 0x32,
		0x31, 0x3f, 0xea, 0xac, 0xb2, 0xee, 0x80, 0x18, 0x00, 0x40,
		0x00, 0x2b, 0x00, 0x00, 0x01, 0x01, 0x08, 0x0a, 0x0d, 0xbb,
		0x73, 0x35, 0xfe, 0x63, 0xf7, 0x6b, 0x61, 0x62, 0x63,
	};
	uint8_t copy[sizeof(tcp_frame)];
	struct verdict v;

	(void)state;
	assert_int_equal(judge_frame(udp_frame, sizeof(udp_frame), &v), 1);
	assert_int_equal(v.ip.state, CSUM_RIGHT);
	expect_wrong(&v.l4, CSUM_PSEUDO_ONLY, 0xed41, 0xfe1c);

	assert_int_equal(judge_frame(tcp_frame, sizeof(tcp_frame), &v), 1);
	expect_wrong(&v.l4, CSUM_PSEUDO_ONLY, 0x565c, 0x002b);
	memcpy(copy, tcp_frame, sizeof(copy));
	assert_int_equal(judge_mend(copy, sizeof(copy)), 1);
	assert_int_equal(judge_frame(copy, sizeof(copy), &v), 0);
	assert_int_equal(v.l4.state, CSUM_RIGHT);
	assert_int_equal(v.l4.found, 0x565c);
}

/* --- what is right ------------------------------------------------------- */

static void udp_of_every_length_is_right(void **state)
{
	struct pkt p;

	(void)state;
	for (size_t len = 0; len < 1473; len++) {
		struct verdict v;

		len & 1 ? udp4(&p, len) : udp6(&p, len);
		v = judge(&p);
		assert_int_equal(v.l4.state, CSUM_RIGHT);
		assert_int_equal(v.ip.state, len & 1 ? CSUM_RIGHT : CSUM_NONE);
		assert_int_equal(v.payload_len, len);
		assert_int_equal(v.payload_offset, p.l4 + 8);
		assert_int_equal(v.padding, 0);
	}
}

static void fields_are_read(void **state)
{
	struct verdict v;
	struct pkt p;
	char text[128];

	(void)state;
	udp4(&p, 100);
	v = judge(&p);
	assert_int_equal(v.ethertype, 0x0800);
	assert_int_equal(v.ip_version, 4);
	assert_int_equal(v.proto, IPPROTO_UDP);
	assert_memory_equal(v.src, src4, 4);
	assert_memory_equal(v.dst, dst4, 4);
	assert_true(v.ports);
	assert_int_equal(v.sport, 7);
	assert_int_equal(v.dport, 9);
	assert_int_equal(v.ip_len, 128);
	assert_int_equal(v.l3_offset, 14);
	assert_int_equal(v.l4_offset, 34);
	assert_string_equal(judge_text(&v, text, sizeof(text)),
			    "udp 192.0.2.2:7 > 192.0.2.1:9 len 100");
	assert_string_equal(judge_text(&v, text, 8), "udp 192");
	udp6(&p, 5);
	v = judge(&p);
	assert_string_equal(judge_text(&v, text, sizeof(text)),
			    "udp [2001:db8::2]:7 > [2001:db8::1]:9 len 5");
}

static void tcp_with_options(void **state)
{
	struct verdict v;
	struct pkt p;

	(void)state;
	eth(&p, 0x0800);
	ip4(&p, IPPROTO_TCP, 0);
	put16(&p, 80);
	put16(&p, 1024);
	put_n(&p, 1, 8);
	put8(&p, 0x80);		/* 32 bytes of header */
	put8(&p, 0x18);
	put_n(&p, 0, 18);
	put_n(&p, 'x', 33);
	ip4_done(&p);
	l4_sum(&p, 16, IPPROTO_TCP, true);
	v = judge(&p);
	assert_int_equal(v.l4.state, CSUM_RIGHT);
	assert_int_equal(v.tcp_flags, 0x18);
	assert_int_equal(v.payload_len, 33);
	p.b[p.l4 + 12] = 0xf0;	/* 60 bytes fit, and change the sum */
	assert_int_equal(judge(&p).l4.state, CSUM_WRONG);
	p.b[p.l4 + 12] = 0x40;
	v = judge(&p);
	assert_int_equal(v.l4.state, CSUM_NOT_CHECKABLE);
	assert_string_equal(v.l4.reason, "TCP data offset is out of range");
	p.b[p.l4 + 12] = 0xf0;
	set16(&p, p.l3 + 2, 20 + 59);	/* now 60 bytes do not fit */
	ip4_sum(&p);
	v = judge(&p);
	assert_int_equal(v.l4.state, CSUM_NOT_CHECKABLE);
	assert_string_equal(v.l4.reason, "TCP data offset is out of range");
}

static void icmp_has_no_pseudo_header(void **state)
{
	struct verdict v;
	struct pkt p;

	(void)state;
	eth(&p, 0x0800);
	ip4(&p, IPPROTO_ICMP, 0);
	put_n(&p, 8, 1);
	put_n(&p, 0, 57);
	ip4_done(&p);
	l4_sum(&p, 2, IPPROTO_ICMP, false);
	v = judge(&p);
	assert_int_equal(v.l4.state, CSUM_RIGHT);
	assert_int_equal(v.icmp_type, 8);

	eth(&p, 0x86dd);
	ip6(&p, IPPROTO_ICMPV6);
	put_n(&p, 128, 1);
	put_n(&p, 0, 40);
	ip6_done(&p);
	l4_sum(&p, 2, IPPROTO_ICMPV6, true);
	v = judge(&p);
	assert_int_equal(v.l4.state, CSUM_RIGHT);
	assert_int_equal(v.icmp_type, 128);
	l4_sum(&p, 2, IPPROTO_ICMPV6, false);
	assert_int_equal(judge(&p).l4.state, CSUM_WRONG);
}

/* An echo reply of zeros: the right value is ffff, and zero is wrong. */
static void all_zero_icmp(void **state)
{
	struct verdict v;
	struct pkt p;

	(void)state;
	eth(&p, 0x0800);
	ip4(&p, IPPROTO_ICMP, 0);
	for (int i = 0; i < 16; i++)
		put8(&p, 0);
	ip4_done(&p);
	v = judge(&p);
	expect_wrong(&v.l4, CSUM_ZERO, 0xffff, 0);
	set16(&p, p.l4 + 2, 0x1234);
	v = judge(&p);
	expect_wrong(&v.l4, CSUM_OFF, 0xffff, 0x1234);
	set16(&p, p.l4 + 2, 0xffff);
	assert_int_equal(judge(&p).l4.state, CSUM_RIGHT);
}

static void sctp(struct pkt *p, size_t tail)
{
	/* INIT-like bytes; CRC32c of them is in the last argument below. */
	eth(p, 0x0800);
	ip4(p, IPPROTO_SCTP, 0);
	put16(p, 7);
	put16(p, 9);
	put_n(p, 0, 8);
	put_n(p, 1, 20);
	ip4_done(p);
	put_n(p, 0x80, tail);
}

/* CRC32c bit by bit, least significant first (RFC 9260 appendix A). */
static uint32_t crc_slow(const uint8_t *b, size_t n)
{
	uint32_t crc = ~0u;

	while (n--) {
		crc ^= *b++;
		for (int i = 0; i < 8; i++)
			crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78 : 0);
	}
	return ~crc;
}

static uint32_t sctp_sum(struct pkt *p, size_t len)
{
	uint32_t crc;

	memset(p->b + p->l4 + 8, 0, 4);
	crc = crc_slow(p->b + p->l4, len);
	for (int i = 0; i < 4; i++)
		p->b[p->l4 + 8 + i] = crc >> 8 * i;
	return __builtin_bswap32(crc);
}

static void sctp_is_crc32c(void **state)
{
	struct verdict v;
	struct pkt p;
	uint32_t right, wrong;

	(void)state;
	sctp(&p, 6);
	right = sctp_sum(&p, 32);
	v = judge(&p);
	assert_int_equal(v.l4.state, CSUM_RIGHT);
	assert_int_equal(v.l4.expected, right);
	assert_int_equal(v.padding, 6);
	wrong = sctp_sum(&p, 38);
	v = judge(&p);
	expect_wrong(&v.l4, CSUM_TAIL_SUMMED, right, wrong);
	memset(p.b + p.l4 + 8, 0, 4);
	v = judge(&p);
	expect_wrong(&v.l4, CSUM_ZERO, right, 0);
	p.b[p.l4 + 8] = 1;
	v = judge(&p);
	expect_wrong(&v.l4, CSUM_OFF, right, 0x01000000);
	assert_int_equal(judge_mend(p.b, p.n), 1);
	assert_int_equal(judge(&p).l4.state, CSUM_RIGHT);
}

static void udplite_covers_a_part(void **state)
{
	struct verdict v;
	struct pkt p;
	uint32_t sum;

	(void)state;
	eth(&p, 0x86dd);
	ip6(&p, IPPROTO_UDPLITE);
	udp(&p, 40);
	ip6_done(&p);
	set16(&p, p.l4 + 4, 20);
	sum = pseudo_of(&p, IPPROTO_UDPLITE, 48);	/* all of it */
	set16(&p, p.l4 + 6, ~fold(sum_of(p.b + p.l4, 20, sum)));
	assert_int_equal(judge(&p).l4.state, CSUM_RIGHT);
	p.b[p.n - 1] ^= 1;				/* not covered */
	assert_int_equal(judge(&p).l4.state, CSUM_RIGHT);
	p.b[p.l4 + 19] ^= 1;				/* covered */
	assert_int_equal(judge(&p).l4.state, CSUM_WRONG);
	set16(&p, p.l4 + 4, 0);				/* zero covers all */
	l4_sum(&p, 6, IPPROTO_UDPLITE, true);
	assert_int_equal(judge(&p).l4.state, CSUM_RIGHT);
	set16(&p, p.l4 + 6, 0);
	v = judge(&p);
	assert_int_equal(v.l4.kind, CSUM_ZERO);
	set16(&p, p.l4 + 4, 7);
	assert_int_equal(judge(&p).l4.state, CSUM_NOT_CHECKABLE);
	set16(&p, p.l4 + 4, 49);
	assert_int_equal(judge(&p).l4.state, CSUM_NOT_CHECKABLE);
}

/* --- the UDP zero rule --------------------------------------------------- */

static void udp_zero_is_absent_over_ip4(void **state)
{
	struct verdict v;
	struct pkt p;
	uint16_t right;

	(void)state;
	udp4(&p, 10);
	right = get16(&p, p.l4 + 6);
	set16(&p, p.l4 + 6, 0);
	v = judge(&p);
	assert_int_equal(v.l4.state, CSUM_ABSENT);
	assert_int_equal(v.l4.expected, right);
	assert_int_equal(judge_mend(p.b, p.n), 1);
	assert_int_equal(get16(&p, p.l4 + 6), right);
}

static void udp_zero_is_wrong_over_ip6(void **state)
{
	struct verdict v;
	struct pkt p;
	uint16_t right;

	(void)state;
	udp6(&p, 10);
	right = get16(&p, p.l4 + 6);
	set16(&p, p.l4 + 6, 0);
	v = judge(&p);
	expect_wrong(&v.l4, CSUM_ZERO, right, 0);
}

/* A sum of zero is sent as ffff; zero itself means something else. */
static void udp_sum_of_zero(void **state)
{
	struct verdict v;
	struct pkt p;
	uint16_t sum;

	(void)state;
	udp6(&p, 10);
	sum = get16(&p, p.l4 + 6);
	set16(&p, p.l4 + 6, 0);
	set16(&p, p.l4 + 8, fold(get16(&p, p.l4 + 8) + sum));
	v = judge(&p);
	expect_wrong(&v.l4, CSUM_ZERO, 0xffff, 0);
	assert_int_equal(judge_mend(p.b, p.n), 1);
	assert_int_equal(get16(&p, p.l4 + 6), 0xffff);
	assert_int_equal(judge(&p).l4.state, CSUM_RIGHT);
}

/* --- which wrong --------------------------------------------------------- */

static void pseudo_only(void **state)
{
	struct verdict v;
	struct pkt p;
	uint16_t right, pseudo;

	(void)state;
	udp4(&p, 100);
	right = get16(&p, p.l4 + 6);
	pseudo = fold(pseudo_of(&p, IPPROTO_UDP, 108));
	set16(&p, p.l4 + 6, pseudo);
	v = judge(&p);
	assert_int_equal(v.ip.state, CSUM_RIGHT);
	expect_wrong(&v.l4, CSUM_PSEUDO_ONLY, right, pseudo);
	udp6(&p, 101);
	right = get16(&p, p.l4 + 6);
	pseudo = fold(pseudo_of(&p, IPPROTO_UDP, 109));
	set16(&p, p.l4 + 6, pseudo);
	v = judge(&p);
	expect_wrong(&v.l4, CSUM_PSEUDO_ONLY, right, pseudo);
	set16(&p, p.l4 + 6, ~pseudo);	/* complemented: not what the kernel leaves */
	v = judge(&p);
	expect_wrong(&v.l4, CSUM_OFF, right, (uint16_t)~pseudo);
}

/* Padding of @pad bytes summed in, with payloads of even and odd length. */
static void tail_summed(void **state)
{
	struct pkt p;

	(void)state;
	for (size_t len = 1; len < 5; len++) {
		for (size_t pad = 1; pad < 5; pad++) {
			struct verdict v;
			uint16_t right, wrong;
			uint32_t sum;

			udp4(&p, len);
			right = get16(&p, p.l4 + 6);
			put_n(&p, 0x5a, pad);
			assert_int_equal(judge(&p).padding, pad);
			set16(&p, p.l4 + 6, 0);
			sum = pseudo_of(&p, IPPROTO_UDP, 8 + len);
			wrong = ~fold(sum_of(p.b + p.l4, p.n - p.l4, sum));
			set16(&p, p.l4 + 6, wrong);
			v = judge(&p);
			expect_wrong(&v.l4, CSUM_TAIL_SUMMED, right, wrong);
		}
	}
}

/* A tail tag that the caller cut off was summed in, padding before it. */
static void tail_tag_summed(void **state)
{
	struct verdict v;
	struct pkt p;
	uint32_t sum;
	size_t cut;

	(void)state;
	udp4(&p, 3);
	for (cut = p.n; cut < 60; cut++)
		put8(&p, 0);
	put_n(&p, 0x80, 4);
	set16(&p, p.l4 + 6, 0);
	sum = pseudo_of(&p, IPPROTO_UDP, 11);
	set16(&p, p.l4 + 6, ~fold(sum_of(p.b + p.l4, p.n - p.l4, sum)));
	assert_int_equal(judge_frame_wire(p.b, cut, p.n, &v), 1);
	assert_int_equal(v.l4.kind, CSUM_TAIL_SUMMED);
	assert_int_equal(judge_frame(p.b, cut, &v), 1);
	assert_int_equal(v.l4.kind, CSUM_OFF);
}

static void off_by_one(void **state)
{
	struct verdict v;
	struct pkt p;
	uint16_t right;

	(void)state;
	udp4(&p, 60);
	right = get16(&p, p.l4 + 6);
	set16(&p, p.l4 + 6, right + 1);
	v = judge(&p);
	expect_wrong(&v.l4, CSUM_OFF, right, right + 1);
	assert_int_equal(v.l4.offset, p.l4 + 6);
}

static void ip4_header(void **state)
{
	struct verdict v;
	struct pkt p;
	uint16_t right;

	(void)state;
	udp4(&p, 60);
	right = get16(&p, p.l3 + 10);
	set16(&p, p.l3 + 10, 0);
	v = judge(&p);
	expect_wrong(&v.ip, CSUM_ZERO, right, 0);
	assert_int_equal(v.l4.state, CSUM_RIGHT);
	set16(&p, p.l3 + 10, right ^ 0x100);
	v = judge(&p);
	expect_wrong(&v.ip, CSUM_OFF, right, right ^ 0x100);
	set16(&p, p.l4 + 6, 1);
	assert_int_equal(judge_mend(p.b, p.n), 2);
	assert_int_equal(get16(&p, p.l3 + 10), right);
	assert_int_equal(judge_mend(p.b, p.n), 0);
}

/* --- around IP ----------------------------------------------------------- */

static void behind_vlans(void **state)
{
	struct verdict v;
	struct pkt p;
	char text[128];

	(void)state;
	eth(&p, 0x88a8);
	put16(&p, 0x6064);
	put16(&p, 0x8100);
	put16(&p, 0xf005);
	put16(&p, 0x0800);
	ip4(&p, IPPROTO_UDP, 0);
	udp(&p, 20);
	ip4_done(&p);
	l4_sum(&p, 6, IPPROTO_UDP, true);
	v = judge(&p);
	assert_int_equal(v.l4.state, CSUM_RIGHT);
	assert_int_equal(v.vlans, 2);
	assert_int_equal(v.vlan[0].tpid, 0x88a8);
	assert_int_equal(v.vlan[0].tci, 0x6064);
	assert_int_equal(v.vlan[1].tpid, 0x8100);
	assert_int_equal(v.vlan[1].tci, 0xf005);
	assert_int_equal(v.l3_offset, 22);
	assert_string_equal(judge_text(&v, text, sizeof(text)),
		"qinq 100 vlan 5 udp 192.0.2.2:7 > 192.0.2.1:9 len 20");
}

static void too_many_vlans(void **state)
{
	struct verdict v;
	struct pkt p;

	(void)state;
	eth(&p, 0x8100);
	for (int i = 0; i < 5; i++) {
		put16(&p, i);
		put16(&p, 0x8100);
	}
	v = judge(&p);
	assert_int_equal(v.vlans, JUDGE_VLANS);
	assert_int_equal(v.ethertype, 0x8100);
	assert_int_equal(v.l4.state, CSUM_NONE);
}

static void behind_pppoe(void **state)
{
	struct verdict v;
	struct pkt p;

	(void)state;
	eth(&p, 0x8864);
	put16(&p, 0x1100);
	put16(&p, 0x1234);
	put16(&p, 2 + 40 + 8 + 9);
	put16(&p, 0x0057);
	ip6(&p, IPPROTO_UDP);
	udp(&p, 9);
	ip6_done(&p);
	l4_sum(&p, 6, IPPROTO_UDP, true);
	v = judge(&p);
	assert_true(v.pppoe);
	assert_int_equal(v.pppoe_session, 0x1234);
	assert_int_equal(v.l4.state, CSUM_RIGHT);
	p.b[p.n - 1] ^= 1;
	assert_int_equal(judge(&p).l4.state, CSUM_WRONG);
	p.b[15] = 0xa7;			/* a discovery code: no session packet */
	assert_int_equal(judge(&p).l4.state, CSUM_NONE);
}

static void behind_snap(void **state)
{
	static const uint8_t snap[6] = { 0xaa, 0xaa, 3 };
	struct verdict v;
	struct pkt p;

	(void)state;
	eth(&p, 0x0030);
	put(&p, snap, 6);
	put16(&p, 0x0800);
	ip4(&p, IPPROTO_UDP, 0);
	udp(&p, 12);
	ip4_done(&p);
	l4_sum(&p, 6, IPPROTO_UDP, true);
	v = judge(&p);
	assert_int_equal(v.ethertype, 0x0800);
	assert_int_equal(v.l4.state, CSUM_RIGHT);
	p.b[14] = 0x42;			/* LLC of spanning tree */
	v = judge(&p);
	assert_int_equal(v.ethertype, 0);
	assert_int_equal(v.l4.state, CSUM_NONE);
}

static void no_ip_has_no_checksum(void **state)
{
	struct verdict v;
	struct pkt p;

	(void)state;
	eth(&p, 0x0806);
	put_n(&p, 0, 46);
	v = judge(&p);
	assert_int_equal(v.ethertype, 0x0806);
	assert_int_equal(v.ip.state, CSUM_NONE);
	assert_int_equal(v.l4.state, CSUM_NONE);
	assert_int_equal(judge_frame(p.b, 13, &v), -EMSGSIZE);
	assert_int_equal(judge_mend(p.b, 13), -EMSGSIZE);
}

/* --- IPv4: options, routes, fragments ------------------------------------ */

static void ip4_options(void **state)
{
	static const uint8_t route[12] = {	/* NOP, LSRR, two addresses */
		1, 131, 11, 4, 198, 51, 100, 1, 203, 0, 113, 9,
	};
	struct pkt p;

	(void)state;
	eth(&p, 0x0800);
	ip4(&p, IPPROTO_UDP, sizeof(route));
	put(&p, route, sizeof(route));
	memcpy(p.dst, route + 8, 4);	/* where it ends up */
	udp(&p, 20);
	ip4_done(&p);
	l4_sum(&p, 6, IPPROTO_UDP, true);
	assert_int_equal(judge(&p).l4.state, CSUM_RIGHT);
	assert_int_equal(judge(&p).ip.state, CSUM_RIGHT);

	p.b[p.l3 + 23] = 8;		/* the last hop is still to come */
	ip4_sum(&p);
	l4_sum(&p, 6, IPPROTO_UDP, true);
	assert_int_equal(judge(&p).l4.state, CSUM_RIGHT);
	p.b[p.l3 + 23] = 12;		/* used up: the header's own address */
	ip4_sum(&p);
	assert_int_equal(judge(&p).l4.state, CSUM_WRONG);
	memcpy(p.dst, dst4, 4);
	l4_sum(&p, 6, IPPROTO_UDP, true);
	assert_int_equal(judge(&p).l4.state, CSUM_RIGHT);

	p.b[p.l3 + 22] = 200;		/* an option longer than the header */
	ip4_sum(&p);
	assert_int_equal(judge(&p).l4.state, CSUM_RIGHT);
	p.b[p.l3 + 22] = 0;		/* and one without length */
	ip4_sum(&p);
	assert_int_equal(judge(&p).l4.state, CSUM_RIGHT);
}

static void ip4_fragments(void **state)
{
	struct verdict v;
	struct pkt p;

	(void)state;
	udp4(&p, 64);
	set16(&p, p.l3 + 6, 0x2000);
	ip4_sum(&p);
	v = judge(&p);
	assert_true(v.fragment);
	assert_int_equal(v.l4.state, CSUM_NOT_CHECKABLE);
	assert_string_equal(v.l4.reason, "first fragment");
	assert_int_equal(v.sport, 7);
	set16(&p, p.l3 + 6, 0x2009);
	ip4_sum(&p);
	v = judge(&p);
	assert_int_equal(v.ip.state, CSUM_RIGHT);
	assert_int_equal(v.fragment_offset, 72);
	assert_string_equal(v.l4.reason, "fragment");
	assert_false(v.ports);
	assert_int_equal(judge_mend(p.b, p.n), 0);
}

/* --- IPv6: extension headers --------------------------------------------- */

/* An extension header of @len bytes with @next in front, zeros (PadN) behind. */
static void ext(struct pkt *p, uint8_t next, size_t len)
{
	put8(p, next);
	put8(p, len / 8 - 1);
	put8(p, 1);
	put8(p, len - 4);
	for (size_t i = 4; i < len; i++)
		put8(p, 0);
}

static void ip6_options_are_skipped(void **state)
{
	struct verdict v;
	struct pkt p;

	(void)state;
	eth(&p, 0x86dd);
	ip6(&p, IPPROTO_HOPOPTS);
	ext(&p, IPPROTO_DSTOPTS, 16);
	ext(&p, IPPROTO_AH, 8);
	put8(&p, IPPROTO_UDP);		/* AH counts in words, less two */
	put8(&p, 4);
	put_n(&p, 0, 22);
	udp(&p, 33);
	ip6_done(&p);
	l4_sum(&p, 6, IPPROTO_UDP, true);
	v = judge(&p);
	assert_int_equal(v.l4.state, CSUM_RIGHT);
	assert_int_equal(v.l4_offset, 14 + 40 + 16 + 8 + 24);
	assert_int_equal(v.proto, IPPROTO_UDP);
	p.b[p.n - 1] ^= 1;
	assert_int_equal(judge(&p).l4.state, CSUM_WRONG);
}

static const uint8_t hop1[16] = { 0x20, 1, 0xd, 0xb8, [14] = 1, [15] = 1 };
static const uint8_t hop2[16] = { 0x20, 1, 0xd, 0xb8, [14] = 2, [15] = 2 };

static void routing(struct pkt *p, uint8_t type, uint8_t left, int addrs)
{
	eth(p, 0x86dd);
	ip6(p, IPPROTO_ROUTING);
	put8(p, IPPROTO_UDP);
	put8(p, addrs * 2);
	put8(p, type);
	put8(p, left);
	put16(p, 0);
	put16(p, 0);
	put(p, hop1, 16);
	if (addrs > 1)
		put(p, hop2, 16);
}

static void routed(struct pkt *p, const uint8_t *final)
{
	memcpy(p->dst, final, 16);
	udp(p, 17);
	ip6_done(p);
	l4_sum(p, 6, IPPROTO_UDP, true);
}

static void ip6_routing_headers(void **state)
{
	static const struct {
		uint8_t type, left;
		int addrs;
		const uint8_t *final;
	} cases[] = {
		{ 0, 2, 2, hop2 },	/* RFC 2460: the last one */
		{ 0, 0, 2, dst6 },	/* no segments left: arrived */
		{ 2, 1, 1, hop1 },	/* Mobile IPv6 */
		{ 4, 1, 2, hop1 },	/* RFC 8754: Segment List[0] is the last */
		{ 4, 0, 2, dst6 },
	};
	struct verdict v;
	struct pkt p;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		routing(&p, cases[i].type, cases[i].left, cases[i].addrs);
		routed(&p, cases[i].final);
		assert_int_equal(judge(&p).l4.state, CSUM_RIGHT);
		p.b[p.l4 + 8] ^= 0x40;
		assert_int_equal(judge(&p).l4.state, CSUM_WRONG);
	}
	routing(&p, 99, 1, 2);
	routed(&p, hop2);
	v = judge(&p);
	assert_int_equal(v.l4.state, CSUM_NOT_CHECKABLE);
	assert_string_equal(v.l4.reason,
			    "final destination unknown: routing header");
	assert_int_equal(v.dport, 9);
}

/* RFC 6554: the last address shares CmprE bytes with the destination. */
static void ip6_rpl_route(void **state)
{
	uint8_t final[16];
	struct pkt p;

	(void)state;
	eth(&p, 0x86dd);
	ip6(&p, IPPROTO_ROUTING);
	put8(&p, IPPROTO_UDP);
	put8(&p, 1);
	put8(&p, 3);
	put8(&p, 1);
	put8(&p, 14 << 4 | 14);		/* CmprI, CmprE: two bytes each remain */
	put8(&p, 4 << 4);		/* pad */
	put16(&p, 0);
	put16(&p, 0x0808);
	put16(&p, 0x0909);
	put16(&p, 0);
	put16(&p, 0);
	memcpy(final, dst6, 16);
	final[14] = final[15] = 9;
	routed(&p, final);
	assert_int_equal(judge(&p).l4.state, CSUM_RIGHT);
	p.b[14 + 40 + 5] = 8 << 4;	/* now the pad eats the last address */
	assert_int_not_equal(judge(&p).l4.state, CSUM_RIGHT);
}

static void ip6_fragments(void **state)
{
	struct verdict v;
	struct pkt p;

	(void)state;
	eth(&p, 0x86dd);
	ip6(&p, IPPROTO_FRAGMENT);
	put8(&p, IPPROTO_UDP);
	put8(&p, 0);
	put16(&p, 0);			/* atomic: offset 0, no more */
	put16(&p, 1);
	put16(&p, 2);
	udp(&p, 40);
	ip6_done(&p);
	l4_sum(&p, 6, IPPROTO_UDP, true);
	v = judge(&p);
	assert_int_equal(v.l4.state, CSUM_RIGHT);
	assert_false(v.fragment);
	set16(&p, 14 + 40 + 2, 1);
	v = judge(&p);
	assert_string_equal(v.l4.reason, "first fragment");
	assert_int_equal(v.sport, 7);
	set16(&p, 14 + 40 + 2, 0x0028);
	v = judge(&p);
	assert_string_equal(v.l4.reason, "fragment");
	assert_int_equal(v.fragment_offset, 40);
	assert_false(v.ports);
}

/* --- lengths that lie, frames that end ----------------------------------- */

static void cut_anywhere(void **state)
{
	struct verdict v;
	struct pkt p;

	(void)state;
	udp4(&p, 50);
	for (size_t len = 0; len < p.n; len++) {
		int err = judge_frame(p.b, len, &v);

		if (len < 14) {
			assert_int_equal(err, -EMSGSIZE);
			continue;
		}
		assert_int_equal(err, 0);
		assert_true(v.payload_offset + v.payload_len <= len);
		assert_int_equal(v.ip.state, len < 34 ? CSUM_NOT_CHECKABLE :
				 CSUM_RIGHT);
		if (len >= 34)
			assert_int_equal(v.l4.state, CSUM_NOT_CHECKABLE);
	}
	assert_string_equal(v.l4.reason, "frame ends in the IP datagram");
}

static void lengths_that_lie(void **state)
{
	struct verdict v;
	struct pkt p;

	(void)state;
	udp4(&p, 50);
	set16(&p, p.l4 + 4, 59);
	assert_string_equal(judge(&p).l4.reason,
			    "UDP length is beyond the IP datagram");
	set16(&p, p.l4 + 4, 7);
	assert_string_equal(judge(&p).l4.reason,
			    "UDP length is less than its header");

	udp4(&p, 50);			/* UDP may be shorter than IP says */
	set16(&p, p.l4 + 4, 28);
	set16(&p, p.l4 + 6, 0);
	set16(&p, p.l4 + 6, ~fold(sum_of(p.b + p.l4, 28,
					 pseudo_of(&p, IPPROTO_UDP, 28))));
	v = judge(&p);
	assert_int_equal(v.l4.state, CSUM_RIGHT);
	assert_int_equal(v.payload_len, 20);

	udp4(&p, 50);
	set16(&p, p.l3 + 2, 19);
	ip4_sum(&p);
	assert_string_equal(judge(&p).l4.reason,
			    "IPv4 total length is less than its header");
	set16(&p, p.l3 + 2, 25);
	ip4_sum(&p);
	v = judge(&p);
	assert_string_equal(v.l4.reason,
			    "IP datagram ends in the layer-4 header");
	assert_true(v.ports);
	set16(&p, p.l3 + 2, 23);	/* the ports are padding now */
	ip4_sum(&p);
	assert_false(judge(&p).ports);
	p.b[p.l3] = 0x44;
	assert_int_equal(judge(&p).ip.state, CSUM_NOT_CHECKABLE);
	p.b[p.l3] = 0x65;
	assert_int_equal(judge(&p).ip.state, CSUM_NOT_CHECKABLE);

	udp6(&p, 50);
	p.b[p.l3] = 0x40;
	assert_string_equal(judge(&p).l4.reason, "version is not IPv6's");
}

static void what_is_not_known(void **state)
{
	struct verdict v;
	struct pkt p;

	(void)state;
	udp4(&p, 50);
	p.b[p.l3 + 9] = IPPROTO_ESP;
	ip4_sum(&p);
	assert_string_equal(judge(&p).l4.reason, "encrypted (ESP)");
	p.b[p.l3 + 9] = 132 + 50;
	ip4_sum(&p);
	v = judge(&p);
	assert_int_equal(v.l4.state, CSUM_NOT_CHECKABLE);
	assert_int_equal(v.proto, 182);

	eth(&p, 0x86dd);
	ip6(&p, IPPROTO_NONE);
	ip6_done(&p);
	assert_int_equal(judge(&p).l4.state, CSUM_NONE);

	eth(&p, 0x86dd);		/* RFC 2675 */
	ip6(&p, IPPROTO_HOPOPTS);
	ext(&p, IPPROTO_UDP, 8);
	udp(&p, 9);
	assert_string_equal(judge(&p).l4.reason, "jumbogram");

	eth(&p, 0x86dd);
	ip6(&p, IPPROTO_DSTOPTS);
	ext(&p, IPPROTO_UDP, 8);
	ip6_done(&p);
	p.b[p.l4 + 1] = 200;
	assert_string_equal(judge(&p).l4.reason,
			    "frame ends in an extension header");
}

static void names(void **state)
{
	(void)state;
	assert_string_equal(csum_kind_name(CSUM_PSEUDO_ONLY), "pseudo-only");
	assert_string_equal(csum_kind_name(CSUM_TAIL_SUMMED), "tail-summed");
	assert_string_equal(csum_state_name(CSUM_NOT_CHECKABLE), "not-checkable");
	assert_string_equal(judge_proto_name(IPPROTO_ICMPV6), "icmp6");
	assert_null(judge_proto_name(200));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_that_linux_left_unfinished),
		cmocka_unit_test(udp_of_every_length_is_right),
		cmocka_unit_test(fields_are_read),
		cmocka_unit_test(tcp_with_options),
		cmocka_unit_test(icmp_has_no_pseudo_header),
		cmocka_unit_test(all_zero_icmp),
		cmocka_unit_test(sctp_is_crc32c),
		cmocka_unit_test(udplite_covers_a_part),
		cmocka_unit_test(udp_zero_is_absent_over_ip4),
		cmocka_unit_test(udp_zero_is_wrong_over_ip6),
		cmocka_unit_test(udp_sum_of_zero),
		cmocka_unit_test(pseudo_only),
		cmocka_unit_test(tail_summed),
		cmocka_unit_test(tail_tag_summed),
		cmocka_unit_test(off_by_one),
		cmocka_unit_test(ip4_header),
		cmocka_unit_test(behind_vlans),
		cmocka_unit_test(too_many_vlans),
		cmocka_unit_test(behind_pppoe),
		cmocka_unit_test(behind_snap),
		cmocka_unit_test(no_ip_has_no_checksum),
		cmocka_unit_test(ip4_options),
		cmocka_unit_test(ip4_fragments),
		cmocka_unit_test(ip6_options_are_skipped),
		cmocka_unit_test(ip6_routing_headers),
		cmocka_unit_test(ip6_rpl_route),
		cmocka_unit_test(ip6_fragments),
		cmocka_unit_test(cut_anywhere),
		cmocka_unit_test(lengths_that_lie),
		cmocka_unit_test(what_is_not_known),
		cmocka_unit_test(names),
	};

	return cmocka_run_group_tests_name("judge", tests, NULL, NULL);
}
