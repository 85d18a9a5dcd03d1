// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The echo peer: what it answers, and that its answers are right.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "rig/peer.h"

static uint8_t reply[PEER_REPLY];

static const struct peer *peer(void)
{
	static struct peer p = { .mac = { 2, 0, 0, 0, 0, 9 } };

	if (!p.addrs) {
		assert_int_equal(peer_add(&p, "192.0.2.2"), 0);
		assert_int_equal(peer_add(&p, "2001:db8::2"), 0);
	}
	return &p;
}

static size_t ask(const uint8_t *frame, size_t len, struct verdict *v)
{
	size_t n;

	assert_true(judge_frame(frame, len, v) >= 0);
	n = peer_input(peer(), frame, len, v, 0, reply);
	if (n)
		assert_int_equal(judge_frame(reply, n, v), 0);
	return n;
}

/* who-has 192.0.2.2 tell 192.0.2.1 */
static const uint8_t arp_request[60] = {
	0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2, 0, 0, 0, 0, 1, 0x08, 0x06,
	0, 1, 8, 0, 6, 4, 0, 1, 2, 0, 0, 0, 0, 1, 192, 0, 2, 1,
	0, 0, 0, 0, 0, 0, 192, 0, 2, 2,
};

static void arp(void **state)
{
	static const uint8_t answer[] = {	/* 192.0.2.2 is-at 02:..:09 */
		2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 9, 0x08, 0x06,
		0, 1, 8, 0, 6, 4, 0, 2, 2, 0, 0, 0, 0, 9, 192, 0, 2, 2,
		2, 0, 0, 0, 0, 1, 192, 0, 2, 1,
	};
	uint8_t other[60];
	struct verdict v;

	(void)state;
	assert_int_equal(ask(arp_request, sizeof(arp_request), &v), sizeof(answer));
	assert_memory_equal(reply, answer, sizeof(answer));
	memcpy(other, arp_request, sizeof(other));
	other[41] = 3;	/* who-has 192.0.2.3: not ours */
	assert_int_equal(ask(other, sizeof(other), &v), 0);
}

/* 2001:db8::1 > ff02::1:ff00:2: who has 2001:db8::2 */
static void neighbour(void **state)
{
	uint8_t f[86] = {
		0x33, 0x33, 0xff, 0, 0, 2, 2, 0, 0, 0, 0, 1, 0x86, 0xdd,
		0x60, 0, 0, 0, 0, 32, 58, 255,
		0x20, 1, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1,
		0xff, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0xff, 0, 0, 2,
		135, 0, 0, 0, 0, 0, 0, 0,
		0x20, 1, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2,
		1, 1, 2, 0, 0, 0, 0, 1,
	};
	static const uint8_t mac[] = { 2, 1, 2, 0, 0, 0, 0, 9 };
	struct verdict v;

	(void)state;
	assert_int_equal(judge_mend(f, sizeof(f)), 1);
	assert_int_equal(ask(f, sizeof(f), &v), 86);
	assert_int_equal(v.icmp_type, 136);
	assert_int_equal(v.l4.state, CSUM_RIGHT);
	assert_memory_equal(v.src, f + 62, 16);		/* from the target */
	assert_memory_equal(v.dst, f + 22, 16);
	assert_memory_equal(reply + 78, mac, 8);
	f[77] = 3;	/* somebody else's address */
	assert_int_equal(ask(f, sizeof(f), &v), 0);
}

/* 192.0.2.1:5000 > 192.0.2.2:@dport, @proto, with @len bytes behind IP */
static size_t ipv4(uint8_t *f, uint8_t proto, uint16_t dport, size_t len)
{
	static const uint8_t head[] = {
		2, 0, 0, 0, 0, 9, 2, 0, 0, 0, 0, 1, 0x08, 0,
		0x45, 0, 0, 0, 0, 1, 0, 0, 64, 0, 0, 0, 192, 0, 2, 1, 192, 0, 2, 2,
		0x13, 0x88,
	};

	memset(f, 0, 34 + len);
	memcpy(f, head, sizeof(head));
	f[17] = (uint8_t)(20 + len);
	f[23] = proto;
	f[36] = (uint8_t)(dport >> 8);
	f[37] = (uint8_t)dport;
	return 34 + len;
}

static void udp(void **state)
{
	struct verdict v;
	uint8_t f[128];
	size_t n = ipv4(f, 17, 7, 20);

	(void)state;
	f[39] = 20;
	memcpy(f + 42, "hello, world", 12);
	/* the checksum is wrong: it is answered all the same, with a right one */
	assert_int_equal(ask(f, n, &v), n);
	assert_int_equal(v.l4.state, CSUM_RIGHT);
	assert_int_equal(v.sport, 7);
	assert_int_equal(v.dport, 5000);
	assert_memory_equal(reply + 42, "hello, world", 12);
	n = ipv4(f, 17, 9, 20);		/* discard: no answer */
	f[39] = 20;
	assert_int_equal(ask(f, n, &v), 0);
}

static uint32_t be32(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static size_t segment(uint8_t *f, uint8_t flags, uint32_t seq, size_t data)
{
	size_t n = ipv4(f, 6, 9, 20 + data);
	int i;

	for (i = 0; i < 4; i++)
		f[38 + i] = (uint8_t)(seq >> (24 - 8 * i));
	f[42] = 0x11;	/* acknowledges 0x11000000 */
	f[46] = 0x50;
	f[47] = flags;
	return n;
}

static void tcp(void **state)
{
	struct verdict v;
	uint8_t f[128];

	(void)state;
	/* SYN: SYN|ACK with a maximum segment size */
	assert_int_equal(ask(f, segment(f, 0x02, 1000, 0), &v), 58);
	assert_int_equal(v.tcp_flags, 0x12);
	assert_int_equal(be32(reply + 42), 1001);
	assert_int_equal(be32(reply + 54), 0x020405b4);
	/* 5 bytes: acknowledged up to their end */
	assert_int_equal(ask(f, segment(f, 0x18, 1001, 5), &v), 54);
	assert_int_equal(v.tcp_flags, 0x10);
	assert_int_equal(be32(reply + 38), 0x11000000);
	assert_int_equal(be32(reply + 42), 1006);
	/* a bare acknowledgement: silence */
	assert_int_equal(ask(f, segment(f, 0x10, 1006, 0), &v), 0);
	/* FIN: FIN|ACK */
	assert_int_equal(ask(f, segment(f, 0x11, 1006, 0), &v), 54);
	assert_int_equal(v.tcp_flags, 0x11);
	assert_int_equal(be32(reply + 42), 1007);
	assert_int_equal(ask(f, segment(f, 0x04, 1007, 0), &v), 0);	/* RST */
}

/* The guest's SYN+ACK: ACK, data and two FINs, with what @bad says wrong. */
static void open_connection(bool bad)
{
	struct peer p = *peer();
	uint8_t f[128];
	struct verdict v;
	size_t n = segment(f, 0x12, 5000, 0);

	p.data = 100;
	p.bad = bad;
	assert_true(judge_frame(f, n, &v) >= 0);
	assert_int_equal(peer_input(&p, f, n, &v, 0, reply), 54);
	assert_int_equal(reply[47], 0x10);
	assert_int_equal(be32(reply + 38), 0x11000000);
	assert_int_equal(be32(reply + 42), 5001);
	assert_int_equal(peer_input(&p, f, n, &v, 1, reply), 154);
	assert_int_equal(reply[47], 0x18);
	assert_int_equal(be32(reply + 38), 0x11000000);
	/* rigload's bytes 0 and 1 of seed 1 and sequence number 0 */
	assert_int_equal(reply[54], 0xed);
	assert_int_equal(reply[55], 0x60);
	assert_int_equal(judge_frame(reply, 154, &v), bad);
	assert_int_equal(v.ip.state, CSUM_RIGHT);
	assert_true(judge_frame(f, n, &v) >= 0);
	assert_int_equal(peer_input(&p, f, n, &v, 2, reply), 54);
	assert_int_equal(reply[47], 0x11);
	assert_int_equal(be32(reply + 38), 0x11000000);
	assert_int_equal(peer_input(&p, f, n, &v, 3, reply), 54);
	assert_int_equal(be32(reply + 38), 0x11000000 + 100);
	assert_int_equal(judge_frame(reply, 54, &v), 0);
	assert_true(judge_frame(f, n, &v) >= 0);
	assert_int_equal(peer_input(&p, f, n, &v, 4, reply), 0);
}

/* Headers and data that fill a reply, and one byte more. */
static void longest_data(void)
{
	struct peer p = *peer();
	uint8_t f[128];
	struct verdict v;
	size_t n = segment(f, 0x12, 5000, 0);

	assert_true(judge_frame(f, n, &v) >= 0);
	p.data = PEER_REPLY - 54;
	assert_int_equal(peer_input(&p, f, n, &v, 1, reply), PEER_REPLY);
	p.data++;
	assert_true(judge_frame(f, n, &v) >= 0);
	assert_int_equal(peer_input(&p, f, n, &v, 1, reply), 0);
}

static void own_connection(void **state)
{
	struct verdict v;
	uint8_t f[128];
	size_t n = segment(f, 0x18, 1001, 5);

	(void)state;
	open_connection(false);
	open_connection(true);
	longest_data();
	/* anything else has one reply */
	assert_true(judge_frame(f, n, &v) >= 0);
	assert_int_equal(peer_input(peer(), f, n, &v, 1, reply), 0);
	assert_true(judge_frame(arp_request, sizeof(arp_request), &v) >= 0);
	assert_int_equal(peer_input(peer(), arp_request, sizeof(arp_request), &v, 1, reply), 0);
}

static void ping(void **state)
{
	struct verdict v;
	uint8_t f[128];
	size_t n = ipv4(f, 1, 0, 16);

	(void)state;
	f[34] = 8;
	f[35] = 0;
	assert_int_equal(ask(f, n, &v), n);
	assert_int_equal(v.icmp_type, 0);
	assert_int_equal(v.l4.state, CSUM_RIGHT);
}

/* Cut anywhere, a frame gets no answer or a well-formed one. */
static void cut_short(void **state)
{
	struct verdict v;
	uint8_t f[128], *tight;
	size_t n = segment(f, 0x02, 1, 0), i;

	(void)state;
	for (i = 14; i < n; i++) {
		tight = test_malloc(i);
		memcpy(tight, f, i);
		ask(tight, i, &v);
		test_free(tight);
	}
	for (i = 14; i < 42; i++)
		assert_int_equal(ask(arp_request, i, &v), 0);
}

static void addresses(void **state)
{
	struct peer p = { 0 };

	(void)state;
	assert_true(peer_add(&p, "192.0.2") < 0);
	assert_true(peer_add(&p, "lan0") < 0);
	assert_int_equal(p.addrs, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arp),	     cmocka_unit_test(neighbour),
		cmocka_unit_test(udp),	     cmocka_unit_test(tcp),
		cmocka_unit_test(ping),	     cmocka_unit_test(cut_short),
		cmocka_unit_test(addresses), cmocka_unit_test(own_connection),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
