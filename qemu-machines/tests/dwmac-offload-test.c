// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The plain C parts of the multi-queue MACs, alone: segmentation, VLAN tags,
 * layer 3 and 4 filters, flexible parser, receive-side scaling, wake-up frames,
 * PTP messages.
 */
#include <stdio.h>
#include <string.h>
#include "../hw/net/dwmac/frp.h"
#include "../hw/net/dwmac/l34.h"
#include "../hw/net/dwmac/pmt.h"
#include "../hw/net/dwmac/ptp.h"
#include "../hw/net/dwmac/rss.h"
#include "../hw/net/dwmac/tso.h"
#include "../hw/net/dwmac/vlan.h"
#include "dwmac-frame.h"
#include "qtest.h"

static unsigned get16(const uint8_t *p)
{
	return p[0] << 8 | p[1];
}

/* ---- segmentation ---- */

struct seg_row {
	enum frame_ip ip;
	uint8_t proto;
	unsigned payload, mss, segments;
};

static const struct seg_row seg_rows[] = {
	{ IP_V4, 6, 1400, 536, 3 },
	{ IP_V4, 6, 1072, 536, 2 },
	{ IP_V6, 6, 1400, 1, 1400 },
	{ IP_V6, 6, 999, 333, 3 },
	{ IP_V4, 17, 1400, 501, 3 },
	{ IP_V4, 6, 100, 1460, 1 },
};

/* Payload in order and whole, numbers and flags right, checksums good. */
static void check_segments(const struct seg_row *r)
{
	struct frame_spec spec = { .ip = r->ip, .proto = r->proto,
				   .payload = r->payload };
	uint8_t out[FRAME_MAX], seen[FRAME_MAX];
	size_t hdr, len, total = 0;
	unsigned n = 0;
	struct frame f;
	DwmacTso t;

	frame_build(&f, &spec);
	hdr = f.len - r->payload;
	if (r->proto == 6)
		f.data[f.l4 + 13] = 0x99;	/* CWR, ACK, PSH, FIN */
	CHECK(dwmac_tso_begin(&t, f.data, f.len, hdr, r->mss));
	while ((len = dwmac_tso_next(&t, out))) {
		bool last = total + len - hdr == r->payload;
		CoeFrame c;

		memcpy(seen + total, out + hdr, len - hdr);
		if (r->ip == IP_V4)
			CHECK_EQ(get16(out + f.l3 + 4),
				 (uint16_t)(get16(f.data + f.l3 + 4) + n));
		if (r->proto == 6)
			CHECK_EQ(out[f.l4 + 13], 0x10 | (n ? 0 : 0x80) |
				 (last ? 9 : 0));
		if (r->proto == 6)
			CHECK_EQ(get16(out + f.l4 + 6),
				 (uint16_t)(get16(f.data + f.l4 + 6) + total));
		CHECK_EQ(coe_insert(out, len, COE_CIC_FULL, true) &
			 (COE_HDR_ERR | COE_PAY_ERR), 0);
		coe_verify(out, len, &c);
		CHECK_EQ(c.flags & (COE_HDR_ERR | COE_PAY_ERR), 0);
		CHECK_EQ(c.l3 + c.ip_len, len);
		total += len - hdr;
		n++;
	}
	CHECK_EQ(n, r->segments);
	CHECK_EQ(total, r->payload);
	CHECK(!memcmp(seen, f.data + hdr, total));
}

static void test_tso(void)
{
	for (unsigned i = 0; i < sizeof(seg_rows) / sizeof(seg_rows[0]); i++)
		check_segments(&seg_rows[i]);
}

static void test_tso_refused(void)
{
	struct frame f;
	DwmacTso t;

	frame_build(&f, &(struct frame_spec){ .ip = IP_V4, .proto = 6,
					      .payload = 100 });
	CHECK(!dwmac_tso_begin(&t, f.data, f.len, 54, 0));
	CHECK(!dwmac_tso_begin(&t, f.data, f.len, f.len, 10));
	CHECK(!dwmac_tso_begin(&t, f.data, f.len, 40, 10));
	frame_build(&f, &(struct frame_spec){ .ip = IP_V4, .proto = 1,
					      .payload = 100 });
	CHECK(!dwmac_tso_begin(&t, f.data, f.len, 42, 10));
}

/* ---- VLAN ---- */

static unsigned vlan_of(uint32_t tag, uint32_t hash, uint16_t type,
			uint16_t tci)
{
	uint8_t f[64] = { [12] = type >> 8, type, tci >> 8, tci, 8, 0 };
	DwmacVlan v = { .tag = tag, .hash = hash };

	return dwmac_vlan_filter(&v, f, sizeof(f));
}

static void test_vlan_filter(void)
{
	const unsigned match = DWMAC_VT_TAGGED | DWMAC_VT_MATCH;
	const unsigned fail = DWMAC_VT_TAGGED | DWMAC_VT_FAIL;
	uint32_t hash = 1u << dwmac_vlan_hash(0x123, true);

	CHECK_EQ(vlan_of(0, 0, 0x0800, 5), 0);
	CHECK_EQ(vlan_of(0, 0, 0x8100, 5), DWMAC_VT_TAGGED);
	CHECK_EQ(vlan_of(5 | DWMAC_VT_ETV, 0, 0x8100, 0xe005), match);
	CHECK_EQ(vlan_of(5, 0, 0x8100, 0xe005), fail);
	CHECK_EQ(vlan_of(5 | DWMAC_VT_ETV | DWMAC_VT_VTIM, 0, 0x8100, 5),
		 fail);
	CHECK_EQ(vlan_of(5 | DWMAC_VT_ETV, 0, 0x88a8, 5), 0);
	CHECK_EQ(vlan_of(5 | DWMAC_VT_ETV | DWMAC_VT_ESVL, 0, 0x88a8, 5),
		 match);
	CHECK_EQ(vlan_of(DWMAC_VT_VTHM | DWMAC_VT_ETV, hash, 0x8100, 0x6123),
		 match);
	/* the self test of Linux relies on these being different */
	for (unsigned i = 1; i < 4; i++)
		CHECK_EQ(vlan_of(DWMAC_VT_VTHM | DWMAC_VT_ETV, hash, 0x8100,
				 0x123 + i), fail);
}

static void test_vlan_slots(void)
{
	const uint32_t slot[4] = {
		DWMAC_VF_VEN | DWMAC_VF_ETV | 5, 7, 0,
		DWMAC_VF_VEN | DWMAC_VF_ETV | DWMAC_VF_ERIVLT | 9,
	};
	const unsigned two = DWMAC_VT_TAGGED | DWMAC_VT_TWO;
	uint8_t f[64] = { [12] = 0x81, 0, 0, 5, 0x81, 0, 0, 9, 8, 0 };
	DwmacVlan v = { .tag = DWMAC_VT_EDVLP, .slots = 4, .slot = slot };

	CHECK_EQ(dwmac_vlan_filter(&v, f, 64), two |
		 DWMAC_VT_MATCH);
	f[15] = 6;	/* the inner tag still matches */
	CHECK_EQ(dwmac_vlan_filter(&v, f, 64), two |
		 DWMAC_VT_MATCH);
	f[19] = 7;	/* that slot is not enabled */
	CHECK_EQ(dwmac_vlan_filter(&v, f, 64), two |
		 DWMAC_VT_FAIL);
	v.slots = 0;
	CHECK_EQ(dwmac_vlan_filter(&v, f, 64), two);
}

static void test_vlan_edit(void)
{
	uint8_t f[64] = { [11] = 0xaa, 0x08, 0x00, 0x45 };
	DwmacVlan v = { .tag = DWMAC_STRIP_FAIL << DWMAC_VT_EVLS_SHIFT };

	CHECK_EQ(dwmac_vlan_edit(f, 40, 12, DWMAC_VTIR_REPLACE, 0x8100, 5),
		 40);
	CHECK_EQ(dwmac_vlan_edit(f, 40, 12, DWMAC_VTIR_INSERT, 0x88a8, 0x1005),
		 44);
	CHECK(!memcmp(f + 11, "\xaa\x88\xa8\x10\x05\x08\x00\x45", 8));
	CHECK_EQ(dwmac_vlan_edit(f, 44, 12, DWMAC_VTIR_REPLACE, 0x8100, 6),
		 44);
	CHECK(!memcmp(f + 11, "\xaa\x81\x00\x00\x06\x08\x00\x45", 8));
	CHECK_EQ(dwmac_vlan_edit(f, 44, 12, DWMAC_VTIR_REMOVE, 0, 0), 40);
	CHECK(!memcmp(f + 11, "\xaa\x08\x00\x45", 4));
	CHECK(!dwmac_vlan_strips(&v, DWMAC_VT_TAGGED));
	CHECK(dwmac_vlan_strips(&v, DWMAC_VT_TAGGED | DWMAC_VT_FAIL));
	v.tag = (uint32_t)DWMAC_STRIP_ALWAYS << DWMAC_VT_EVLS_SHIFT;
	CHECK(dwmac_vlan_strips(&v, DWMAC_VT_TAGGED));
	CHECK(!dwmac_vlan_strips(&v, 0));
}

/* ---- layer 3 and 4 ---- */

static const uint8_t tcp4[64] = {
	[12] = 8, 0, 0x45, 0, 0, 50, [23] = 6,
	[26] = 192, 0, 2, 1, 198, 51, 100, 7, 0x12, 0x34, 0x00, 0x50,
};

static unsigned l34(DwmacL34 flt, const uint8_t *f, bool drop_other)
{
	unsigned which = 99;

	return dwmac_l34(&flt, 1, f, 64, drop_other, &which);
}

static void test_l34(void)
{
	uint8_t udp4[64], arp[64] = { [12] = 8, 6 };

	memcpy(udp4, tcp4, 64);
	udp4[23] = 17;
	CHECK_EQ(l34((DwmacL34){ 0 }, tcp4, false), 0);
	CHECK_EQ(l34((DwmacL34){ DWMAC_L3SAM, 0, { 0xc0000201 } }, tcp4,
		     false), DWMAC_L34_L3);
	CHECK_EQ(l34((DwmacL34){ DWMAC_L3SAM, 0, { 0xc0000202 } }, tcp4,
		     false), DWMAC_L34_DROP);
	CHECK_EQ(l34((DwmacL34){ DWMAC_L3SAM | 8 << 6, 0, { 0xc00002ff } },
		     tcp4, false), DWMAC_L34_L3);
	CHECK_EQ(l34((DwmacL34){ DWMAC_L3DAM | DWMAC_L3DAIM, 0,
				 { 0, 0xc6336407 } }, tcp4, false),
		 DWMAC_L34_DROP);
	CHECK_EQ(l34((DwmacL34){ DWMAC_L4DPM, 0x0050 << 16 }, tcp4, false),
		 DWMAC_L34_L4);
	CHECK_EQ(l34((DwmacL34){ DWMAC_L4SPM | DWMAC_L4SPIM, 0x1234 }, tcp4,
		     false), DWMAC_L34_DROP);
	/* the other protocol, the other version and no IP at all pass */
	CHECK_EQ(l34((DwmacL34){ DWMAC_L4DPM, 0x0051 << 16 }, udp4, false), 0);
	CHECK_EQ(l34((DwmacL34){ DWMAC_L3SAM | DWMAC_L3PEN }, tcp4, false), 0);
	CHECK_EQ(l34((DwmacL34){ DWMAC_L3SAM }, arp, true), 0);
	udp4[23] = 1;
	CHECK_EQ(l34((DwmacL34){ 0 }, udp4, true), DWMAC_L34_DROP);
}

static void test_l34_ipv6(void)
{
	uint8_t f[64] = { [12] = 0x86, 0xdd, 0x60, [19] = 10, 59,
			  [22] = 0x20, 0x01, 0x0d, 0xb8, [37] = 5 };

	CHECK_EQ(l34((DwmacL34){ DWMAC_L3PEN | DWMAC_L3SAM, 0,
				 { 5, 0, 0, 0x20010db8 } }, f, false),
		 DWMAC_L34_L3);
	CHECK_EQ(l34((DwmacL34){ DWMAC_L3PEN | DWMAC_L3SAM, 0,
				 { 5, 0, 1, 0x20010db8 } }, f, false),
		 DWMAC_L34_DROP);
	/* 96 low bits do not count */
	CHECK_EQ(l34((DwmacL34){ DWMAC_L3PEN | DWMAC_L3SAM | 3 << 11, 0,
				 { 7, 7, 7, 0x20010db8 } }, f, false),
		 DWMAC_L34_L3);
}

/* ---- flexible parser ---- */

/* What the driver writes for "reject source address de:ad:be:ef:..." */
static const uint32_t frp_table[] = {
	0xadde0000, 0xffff0000, 8 | 1 << 8 | 2 << 16, 0,
	0x0000efbe, 0x0000ffff, 2 | 2 << 8, 0,
	0, 0, 1 | 5u << 24, 0,
};

static void test_frp(void)
{
	uint8_t f[64] = { [6] = 0xde, 0xad, 0xbe, 0xef };
	const uint32_t loop[] = { 1, ~0u, 4 | 0 << 16, 0 };
	unsigned chans;

	CHECK_EQ(dwmac_frp(frp_table, 3, f, 64, &chans), DWMAC_FRP_REJECT);
	f[9] = 0;
	CHECK_EQ(dwmac_frp(frp_table, 3, f, 64, &chans), DWMAC_FRP_ACCEPT);
	CHECK_EQ(chans, 5);
	f[9] = 0xef;
	f[6] = 0;
	CHECK_EQ(dwmac_frp(frp_table, 3, f, 64, &chans), DWMAC_FRP_ACCEPT);
	CHECK_EQ(dwmac_frp(frp_table, 2, f, 64, &chans), DWMAC_FRP_NONE);
	/* an entry that points at itself ends */
	CHECK_EQ(dwmac_frp(loop, 1, f, 64, &chans), DWMAC_FRP_NONE);
}

/* ---- receive-side scaling: Microsoft's verification suite ---- */

static const uint8_t rss_key[DWMAC_RSS_KEY_LEN] = {
	0x6d, 0x5a, 0x56, 0xda, 0x25, 0x5b, 0x0e, 0xc2, 0x41, 0x67, 0x25, 0x3d,
	0x43, 0xa3, 0x8f, 0xb0, 0xd0, 0xca, 0x2b, 0xcb, 0xae, 0x7b, 0x30, 0xb4,
	0x77, 0xcb, 0x2d, 0xa3, 0x80, 0x30, 0xf2, 0x0c, 0x6a, 0x42, 0xb7, 0x3b,
	0xbe, 0xac, 0x01, 0xfa,
};

static void test_rss(void)
{
	uint8_t v4[64] = { [12] = 8, 0, 0x45, 0, 0, 50, [23] = 6,
			   [26] = 66, 9, 149, 187, 161, 142, 100, 80,
			   0x0a, 0xea, 0x06, 0xe6 };
	uint8_t v6[80] = { [12] = 0x86, 0xdd, 0x60, [19] = 26, 6,
			   [22] = 0x3f, 0xfe, 0x25, 0x01, 0x02, 0x00, 0x1f,
			   0xff, 0, 0, 0, 0, 0, 0, 0, 7,
			   0x3f, 0xfe, 0x25, 0x01, 0x02, 0x00, 0x00, 0x03,
			   0, 0, 0, 0, 0, 0, 0, 1,
			   0x0a, 0xea, 0x06, 0xe6 };
	uint32_t hash = 0;

	CHECK(dwmac_rss_hash(rss_key, 7, v4, 64, &hash));
	CHECK_EQ(hash, 0x51ccc178);
	CHECK(dwmac_rss_hash(rss_key, DWMAC_RSS_IP, v4, 64, &hash));
	CHECK_EQ(hash, 0x323e8fc2);
	CHECK(dwmac_rss_hash(rss_key, 7, v6, 80, &hash));
	CHECK_EQ(hash, 0x40207d3d);
	CHECK(dwmac_rss_hash(rss_key, DWMAC_RSS_IP, v6, 80, &hash));
	CHECK_EQ(hash, 0x2cc18cd5);
	CHECK(!dwmac_rss_hash(rss_key, DWMAC_RSS_UDP, v4, 64, &hash));
	v4[13] = 6;
	CHECK(!dwmac_rss_hash(rss_key, 7, v4, 64, &hash));
}

/* ---- wake-up frames ---- */

/*
 * Four filters as vendors' tools set them, each over eight equal bytes with the
 * CRC that they found: 55 at 50, 11 at 58, 33 at 66, 44 at 74.
 */
static const DwmacPmt wake = {
	.filter = { 0xff, 0xff, 0xff, 0xff, 0, 0x4a423a32, 0xe7b77eed,
		    0x9b8a5506 },
	.v4 = true,
};

/* Does a frame wake with these commands?  @pattern: which of the four it has. */
static bool wakes(uint32_t commands, unsigned pattern, bool multicast, bool v4)
{
	static const uint8_t byte[4] = { 0x55, 0x11, 0x33, 0x44 };
	static const uint8_t own[6] = { 2, 0, 0, 0, 0, 1 };
	uint8_t f[90] = { multicast ? 1 : 2, 0, 0, 0, 0, 7 };
	DwmacPmt p = wake;
	uint32_t pmt;

	p.filter[4] = commands;
	p.v4 = v4;
	for (unsigned n = 0; n < 4; n++)
		if (pattern >> n & 1)
			memset(f + 50 + 8 * n, byte[n], 8);
	pmt = dwmac_pmt_wakes(&p, DWMAC_PMT_PWRDWN | DWMAC_PMT_RWKPKTEN, own, f,
			      sizeof(f));
	CHECK_EQ(!(pmt & DWMAC_PMT_PWRDWN), pmt >> 6 & 1);
	return pmt & DWMAC_PMT_RWKPRCVD;
}

static void test_wake(void)
{
	/* each by itself: 1 is on, 8 for multicast */
	for (unsigned n = 0; n < 4; n++) {
		CHECK(wakes(1u << 8 * n, 1 << n, false, false));
		CHECK(!wakes(1u << 8 * n, 0xf & ~(1 << n), false, true));
		CHECK(!wakes(1u << 8 * n, 1 << n, true, true));
		CHECK(wakes(9u << 8 * n, 1 << n, true, true));
		CHECK(!wakes(9u << 8 * n, 1 << n, false, true));
		CHECK(!wakes(0, 1 << n, false, true));
	}
	/* filter 3 and not filter 2, as the tools have it */
	CHECK(wakes(0x03050101, 8, false, true));
	CHECK(!wakes(0x03050101, 8 | 4, false, true));
	CHECK(!wakes(0x03050101, 0, false, true));
	CHECK(wakes(0x03050101, 4 | 1, false, true));
	/* GMAC knows of no combinations */
	CHECK(wakes(0x03050101, 4, false, false));
	/* three in a row */
	CHECK(wakes(0x00030301, 7, false, true));
	CHECK(!wakes(0x00030301, 5, false, true));
	CHECK(!wakes(0x00030301, 1, false, true));
	/* a condition that is off is none */
	CHECK(wakes(0x00000201, 1, false, true));
}

/* The mask leaves bytes out, and reaches beyond the frame. */
static void test_wake_mask(void)
{
	static const uint8_t own[6] = { 2, 0, 0, 0, 0, 1 };
	const uint32_t pmt = DWMAC_PMT_RWKPKTEN;
	DwmacPmt p = wake;
	uint8_t f[80] = { 2 };

	p.filter[4] = 1;
	p.filter[0] = 0x8000ff00 | 1u << 30;
	/* eight bytes of 55 from 50 + 8 on; then one more, of any value */
	memset(f + 58, 0x55, 8);
	CHECK(dwmac_pmt_wakes(&p, pmt, own, f, 80) == pmt);
	p.filter[0] = 0x8000ff00;
	CHECK(dwmac_pmt_wakes(&p, pmt, own, f, 80) != pmt);
	CHECK(dwmac_pmt_wakes(&p, pmt, own, f, 66) != pmt);
	CHECK(dwmac_pmt_wakes(&p, pmt, own, f, 65) == pmt);
	CHECK(dwmac_pmt_wakes(&p, 0, own, f, 80) == 0);
}

/* ---- PTP messages ---- */

/* A message in UDP over IPv4 or IPv6, of version 1 or 2; @kind as there. */
static void ptp_message(struct frame *f, enum frame_ip ip, unsigned port, unsigned version,
			unsigned kind)
{
	uint8_t *m;

	frame_build(f, &(struct frame_spec){ .ip = ip, .proto = 17, .payload = 60 });
	f->data[f->l4 + 2] = port >> 8;
	f->data[f->l4 + 3] = port;
	m = f->data + f->l4 + 8;
	m[0] = version == 2 ? kind : 0;
	m[1] = version;
	m[32] = kind;
}

static void test_ptp_messages(void)
{
	const uint32_t udp = DWMAC_PTP_TSIPV4ENA | DWMAC_PTP_TSIPV6ENA;
	/* events of any master or slave: SYNC and Delay_Req */
	const uint32_t events = 1 | 2u << DWMAC_PTP_SNAPTYPSEL_SHIFT | udp;
	static const struct {
		uint32_t tcr;
		enum frame_ip ip;
		unsigned port, version, kind;
		bool stamped;
	} rows[] = {
		{ DWMAC_PTP_TSVER2ENA, IP_V4, 319, 2, 0, true },
		{ DWMAC_PTP_TSVER2ENA, IP_V6, 320, 2, 1, true },
		{ DWMAC_PTP_TSVER2ENA, IP_V4, 319, 2, 8, false },
		{ DWMAC_PTP_TSVER2ENA, IP_V4, 321, 2, 0, false },
		/* one version at a time, and they count differently */
		{ DWMAC_PTP_TSVER2ENA, IP_V4, 319, 1, 0, false },
		{ 0, IP_V4, 319, 2, 0, false },
		{ 0, IP_V4, 319, 1, 0, true },
		{ 0, IP_V4, 319, 1, 1, true },
		{ 0, IP_V4, 320, 1, 2, false },
		{ 0, IP_V4, 320, 1, 3, false },
		{ 0, IP_V4, 320, 1, 4, false },
	};
	DwmacPtp p = { 0 };
	struct frame f;

	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		ptp_message(&f, rows[i].ip, rows[i].port, rows[i].version, rows[i].kind);
		p.tcr = events | rows[i].tcr;
		if (!CHECK_EQ(dwmac_ptp_stamps(&p, f.data, f.len), rows[i].stamped))
			printf("# row %u\n", i);
		/* a packet that is not asked for, and one that ends too early */
		p.tcr &= ~udp;
		CHECK(!dwmac_ptp_stamps(&p, f.data, f.len));
		p.tcr |= udp;
		CHECK(!dwmac_ptp_stamps(&p, f.data, f.l4 + 9));
	}
}

static const struct {
	const char *name;
	void (*fn)(void);
} tests[] = {
	{ "segmentation", test_tso },
	{ "what cannot be segmented", test_tso_refused },
	{ "vlan: one register and hash", test_vlan_filter },
	{ "vlan: several filters", test_vlan_slots },
	{ "vlan: tags in and out", test_vlan_edit },
	{ "layer 3 and 4 filter", test_l34 },
	{ "layer 3 filter, IPv6", test_l34_ipv6 },
	{ "flexible parser", test_frp },
	{ "receive-side scaling", test_rss },
	{ "wake-up frames", test_wake },
	{ "wake-up frames: the mask", test_wake_mask },
	{ "ptp messages", test_ptp_messages },
};

int main(void)
{
	enum { N = sizeof(tests) / sizeof(tests[0]) };
	char name[128];

	ktap_plan(N);
	for (unsigned i = 0; i < N; i++) {
		tests[i].fn();
		snprintf(name, sizeof(name), "offload: %s", tests[i].name);
		ktap_result(name);
	}
	return ktap_end();
}
