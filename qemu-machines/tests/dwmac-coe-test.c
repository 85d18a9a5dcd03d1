// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The checksum engine alone, without QEMU: hw/net/dwmac/coe.c is linked in.
 *
 * Each row of the table is a frame and what the engine must say of it; the
 * frames and the right checksums come from dwmac-frame.c.
 */
#include <stdio.h>
#include <string.h>
#include "dwmac-frame.h"
#include "qtest.h"
#include "../hw/net/dwmac/coe.h"

#define VLAN { 0x81, 0x00, 0x20, 0x05 }
#define QINQ { 0x88, 0xa8, 0, 1, 0x81, 0x00, 0, 5 }
#define TWO  { 0x81, 0x00, 0, 1, 0x81, 0x00, 0, 5 }
#define EDSA { 0xda, 0xda, 0, 0, 0x40, 0x08, 0, 0 }
#define DSA0 { 0x00, 0x08, 0, 0 }
/* To_CPU from device 8, port 0: it reads as the type of IPv4 */
#define DSA8 { 0x08, 0x00, 0, 0 }
#define A5PSW { 0xe0, 0x01, 0, 0, 0, 0, 0, 0 }

struct row {
	const char *name;
	struct frame_spec spec;
	unsigned want;			/* flags of coe_verify() */
	enum CoeProto proto;
	unsigned cut;			/* bytes missing at the end */
	bool inserts;			/* coe_insert() makes it right */
};

#define V4(p) .ip = IP_V4, .proto = p, .payload = 101
#define V6(p) .ip = IP_V6, .proto = p, .payload = 101
#define T COE_TYPE

static const struct row rows[] = {
	{ "ipv4 udp", { V4(17) }, T | COE_IPV4, COE_PROTO_UDP, 0, true },
	{ "ipv4 tcp", { V4(6) }, T | COE_IPV4, COE_PROTO_TCP, 0, true },
	{ "ipv4 icmp", { V4(1) }, T | COE_IPV4, COE_PROTO_ICMP, 0, true },
	{ "ipv6 udp", { V6(17) }, T | COE_IPV6, COE_PROTO_UDP, 0, true },
	{ "ipv6 tcp", { V6(6) }, T | COE_IPV6, COE_PROTO_TCP, 0, true },
	{ "ipv6 icmpv6", { V6(58) }, T | COE_IPV6, COE_PROTO_ICMP, 0, true },
	{ "ipv4 udp, even length", { .ip = IP_V4, .proto = 17, .payload = 64 },
	  T | COE_IPV4, COE_PROTO_UDP, 0, true },
	{ "ipv4 udp, no payload, padded", { .ip = IP_V4, .proto = 17 },
	  T | COE_IPV4, COE_PROTO_UDP, 0, true },
	{ "ipv4 udp, full size", { .ip = IP_V4, .proto = 17, .payload = 1472 },
	  T | COE_IPV4, COE_PROTO_UDP, 0, true },
	{ "ipv4 tcp, options", { V4(6), .options = 40 },
	  T | COE_IPV4, COE_PROTO_TCP, 0, true },
	{ "ipv4 udp wrong", { V4(17), .bad_l4 = true },
	  T | COE_IPV4 | COE_PAY_ERR, COE_PROTO_UDP, 0, true },
	{ "ipv4 tcp wrong", { V4(6), .bad_l4 = true },
	  T | COE_IPV4 | COE_PAY_ERR, COE_PROTO_TCP, 0, true },
	{ "ipv4 icmp wrong", { V4(1), .bad_l4 = true },
	  T | COE_IPV4 | COE_PAY_ERR, COE_PROTO_ICMP, 0, true },
	{ "ipv6 udp wrong", { V6(17), .bad_l4 = true },
	  T | COE_IPV6 | COE_PAY_ERR, COE_PROTO_UDP, 0, true },
	{ "ipv6 icmpv6 wrong", { V6(58), .bad_l4 = true },
	  T | COE_IPV6 | COE_PAY_ERR, COE_PROTO_ICMP, 0, true },
	{ "ipv4 header wrong", { V4(17), .bad_ip = true },
	  T | COE_IPV4 | COE_HDR_ERR, COE_PROTO_UDP, 0, true },
	{ "ipv4 header and udp wrong",
	  { V4(17), .bad_ip = true, .bad_l4 = true },
	  T | COE_IPV4 | COE_HDR_ERR | COE_PAY_ERR, COE_PROTO_UDP, 0, true },
	{ "ipv4 udp without a checksum", { V4(17), .udp_zero = true },
	  T | COE_IPV4 | COE_UDP_ZERO, COE_PROTO_UDP, 0, true },
	{ "ipv6 udp without a checksum", { V6(17), .udp_zero = true },
	  T | COE_IPV6 | COE_PAY_ERR, COE_PROTO_UDP, 0, true },
	{ "vlan ipv4 udp", { V4(17), .tag = VLAN, .tag_len = 4 },
	  T | COE_VLAN | COE_IPV4, COE_PROTO_UDP, 0, true },
	{ "vlan ipv6 tcp wrong",
	  { V6(6), .tag = VLAN, .tag_len = 4, .bad_l4 = true },
	  T | COE_VLAN | COE_IPV6 | COE_PAY_ERR, COE_PROTO_TCP, 0, true },
	{ "two vlan tags hide the packet",
	  { V4(17), .tag = TWO, .tag_len = 8, .bad_l4 = true },
	  T | COE_VLAN, COE_PROTO_NONE, 0, false },
	{ "802.1ad hides the packet",
	  { V4(17), .tag = QINQ, .tag_len = 8, .bad_l4 = true },
	  T, COE_PROTO_NONE, 0, false },
	{ "edsa hides the packet",
	  { V4(17), .tag = EDSA, .tag_len = 8, .bad_l4 = true },
	  T, COE_PROTO_NONE, 0, false },
	{ "dsa reads as a length",
	  { V4(17), .tag = DSA0, .tag_len = 4, .bad_l4 = true },
	  0, COE_PROTO_NONE, 0, false },
	{ "a5psw hides the packet",
	  { V6(6), .tag = A5PSW, .tag_len = 8, .bad_l4 = true },
	  T, COE_PROTO_NONE, 0, false },
	{ "dsa from device 8 reads as ipv4",
	  { V4(17), .tag = DSA8, .tag_len = 4 },
	  T | COE_IPV4 | COE_HDR_ERR | COE_BYPASS, COE_PROTO_NONE, 0, false },
	{ "ipv4 fragment", { V4(17), .fragment = true, .bad_l4 = true },
	  T | COE_IPV4 | COE_BYPASS | COE_FRAGMENT, COE_PROTO_NONE, 0, false },
	{ "ipv6 fragment", { V6(17), .ext = { 44 }, .bad_l4 = true },
	  T | COE_IPV6 | COE_BYPASS | COE_FRAGMENT, COE_PROTO_NONE, 0, false },
	{ "ipv6 hop-by-hop and destination options",
	  { V6(17), .ext = { -1, 60 } },
	  T | COE_IPV6, COE_PROTO_UDP, 0, true },
	{ "ipv6 options, udp wrong", { V6(17), .ext = { 60 }, .bad_l4 = true },
	  T | COE_IPV6 | COE_PAY_ERR, COE_PROTO_UDP, 0, true },
	{ "ipv6 routing header", { V6(17), .ext = { 43 }, .bad_l4 = true },
	  T | COE_IPV6 | COE_BYPASS, COE_PROTO_NONE, 0, false },
	{ "ipv4 esp", { V4(50) },
	  T | COE_IPV4 | COE_BYPASS, COE_PROTO_NONE, 0, false },
	{ "ipv4 igmp", { V4(2) },
	  T | COE_IPV4 | COE_BYPASS, COE_PROTO_NONE, 0, false },
	{ "icmp over ipv6 is nothing", { V6(1) },
	  T | COE_IPV6 | COE_BYPASS, COE_PROTO_NONE, 0, false },
	{ "ipv4 claims more than is there", { V4(17), .ip_len_lie = 50 },
	  T | COE_IPV4 | COE_PAY_ERR, COE_PROTO_UDP, 0, false },
	{ "ipv6 claims more than is there", { V6(6), .ip_len_lie = 1 },
	  T | COE_IPV6 | COE_PAY_ERR, COE_PROTO_TCP, 0, false },
	{ "ipv4 udp cut off", { V4(17) },
	  T | COE_IPV4 | COE_PAY_ERR, COE_PROTO_UDP, 30, false },
	{ "ipv4 header cut off", { V4(17) },
	  T | COE_IPV4 | COE_HDR_ERR | COE_BYPASS, COE_PROTO_NONE,
	  8 + 101 + 5, false },
	{ "ipv6 header cut off", { V6(17) },
	  T | COE_IPV6 | COE_HDR_ERR | COE_BYPASS, COE_PROTO_NONE,
	  8 + 101 + 5, false },
	{ "ipv6 option header cut off", { V6(17), .ext = { 60 } },
	  T | COE_IPV6 | COE_HDR_ERR | COE_BYPASS, COE_PROTO_NONE,
	  8 + 101 + 5, false },
	{ "no ip at all", { .payload = 100 }, T, COE_PROTO_NONE, 0, false },
};

#define ROWS (sizeof(rows) / sizeof(rows[0]))

static void test_verify(const struct row *r)
{
	struct frame f;
	CoeFrame c;

	frame_build(&f, &r->spec);
	coe_verify(f.data, f.len - r->cut, &c);
	CHECK_EQ(c.flags, r->want);
	CHECK_EQ(c.proto, r->proto);
}

/* CIC 3 on blank fields, CIC 2 on the pseudo-header's sum: the right frame. */
static void test_insert(const struct row *r)
{
	struct frame_spec good = r->spec;
	struct frame want, f;

	good.bad_ip = good.bad_l4 = good.udp_zero = false;
	frame_build(&want, &good);
	f = want;
	frame_blank_csums(&f);
	CHECK(!(coe_insert(f.data, f.len, COE_CIC_FULL, true) & COE_PAY_ERR));
	CHECK(!memcmp(f.data, want.data, f.len));

	f.data[f.csum] = f.pseudo >> 8;
	f.data[f.csum + 1] = f.pseudo;
	coe_insert(f.data, f.len, COE_CIC_PAYLOAD, true);
	CHECK(!memcmp(f.data, want.data, f.len));
}

/* What the engine does not see, it does not touch. */
static void test_untouched(const struct row *r)
{
	struct frame f, before;

	frame_build(&f, &r->spec);
	before = f;
	coe_insert(f.data, f.len, COE_CIC_OFF, true);
	CHECK(!memcmp(f.data, before.data, f.len));
	if (!(r->want & COE_IP)) {
		coe_insert(f.data, f.len, COE_CIC_FULL, true);
		CHECK(!memcmp(f.data, before.data, f.len));
	}
	if (r->want & COE_BYPASS && !(r->want & COE_HDR_ERR)) {
		coe_insert(f.data, f.len, COE_CIC_FULL, true);
		CHECK(!memcmp(f.data + f.l4, before.data + f.l4,
			      f.len - f.l4));
	}
}

static void test_rows(void)
{
	char name[128];

	for (unsigned i = 0; i < ROWS; i++) {
		test_verify(&rows[i]);
		test_untouched(&rows[i]);
		if (rows[i].inserts)
			test_insert(&rows[i]);
		snprintf(name, sizeof(name), "coe: %s", rows[i].name);
		ktap_result(name);
	}
}

static void test_cic_header(void)
{
	struct frame_spec s = { V4(17) };
	struct frame f, want;

	frame_build(&want, &s);
	f = want;
	frame_blank_csums(&f);
	coe_insert(f.data, f.len, COE_CIC_IPHDR, true);
	CHECK(!memcmp(f.data + f.l3, want.data + f.l3, 20));
	CHECK_EQ(f.data[f.csum] | f.data[f.csum + 1], 0);
	ktap_result("coe: cic 1 leaves layer 4 alone");
}

static void test_no_room(void)
{
	struct frame_spec s = { V4(17) };
	struct frame f, want;

	frame_build(&want, &s);
	f = want;
	frame_blank_csums(&f);
	CHECK(coe_insert(f.data, f.len, COE_CIC_FULL, false) & COE_PAY_ERR);
	CHECK_EQ(f.data[f.csum] | f.data[f.csum + 1], 0);
	ktap_result("coe: a frame that the fifo cannot hold keeps its payload");
}

/* The engine still inserts into a packet that ends too early, and says so. */
static void test_short_insert(void)
{
	struct frame_spec s = { V4(17), .ip_len_lie = 50 };
	struct frame f, want;

	frame_build(&want, &s);
	f = want;
	frame_blank_csums(&f);
	CHECK(coe_insert(f.data, f.len, COE_CIC_FULL, true) & COE_PAY_ERR);
	CHECK(!memcmp(f.data, want.data, f.len));
	ktap_result("coe: a packet shorter than it says is flagged and summed");
}

/* A payload that makes the sum come out as zero: the wire has 0xffff. */
static void test_udp_ffff(void)
{
	struct frame_spec s = { V4(17) };
	struct frame f;
	uint16_t csum;

	frame_build(&f, &s);
	csum = f.data[f.csum] << 8 | f.data[f.csum + 1];
	/* adding the checksum to the data makes the rest sum up to 0xffff */
	f.data[f.l4 + 8] = f.data[f.l4 + 9] = 0;
	frame_blank_csums(&f);
	coe_insert(f.data, f.len, COE_CIC_FULL, true);
	csum = f.data[f.csum] << 8 | f.data[f.csum + 1];
	f.data[f.l4 + 8] = csum >> 8;
	f.data[f.l4 + 9] = csum;
	frame_blank_csums(&f);
	coe_insert(f.data, f.len, COE_CIC_FULL, true);
	CHECK_EQ(f.data[f.csum] << 8 | f.data[f.csum + 1], 0xffff);
	ktap_result("coe: a udp checksum of zero is sent as 0xffff");
}

static void test_type1(void)
{
	struct frame_spec s = { V4(17), .tag = VLAN, .tag_len = 4 };
	struct frame f;
	uint16_t sum;

	frame_build(&f, &s);
	CHECK_EQ(coe_type1(f.data, f.len, &sum), T | COE_VLAN | COE_IPV4);
	CHECK_EQ(sum, frame_sum(f.data + 18, f.len - 18));
	s.bad_ip = s.bad_l4 = true;
	frame_build(&f, &s);
	CHECK_EQ(coe_type1(f.data, f.len, &sum),
		 T | COE_VLAN | COE_IPV4 | COE_HDR_ERR);
	ktap_result("coe: type 1 checks the ipv4 header and sums the rest");
}

/* Every prefix of every frame: nothing may be read beyond its end. */
static void test_prefixes(void)
{
	struct frame f;
	CoeFrame c;
	uint16_t sum;

	for (unsigned i = 0; i < ROWS; i++) {
		frame_build(&f, &rows[i].spec);
		for (size_t n = 0; n < f.len; n++) {
			uint8_t exact[n + 1];

			memcpy(exact, f.data, n);
			exact[n] = 0xa5;
			coe_verify(exact, n, &c);
			CHECK(c.l4_have <= n);
			coe_insert(exact, n, COE_CIC_FULL, true);
			coe_type1(exact, n, &sum);
			CHECK_EQ(exact[n], 0xa5);
		}
	}
	ktap_result("coe: frames cut anywhere stay in bounds");
}

int main(void)
{
	ktap_plan(ROWS + 6);
	test_rows();
	test_cic_header();
	test_no_room();
	test_short_insert();
	test_udp_ffff();
	test_type1();
	test_prefixes();
	return ktap_end();
}
