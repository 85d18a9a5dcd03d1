// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The XGMAC 2.10 model seen from its registers, its rings and its wire.
 *
 * What it shares with QoS (the rings, the filters) is tested there; here is
 * what differs: the registers, the status words, receive-side scaling, and a
 * queue without checksum engine that stops its DMA.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "dwmac-coe-cases.h"
#include "dwmac-features.h"
#include "dwmac-frame.h"
#include "dwmac-mq.h"

#define TX_CONFIG 0x0000
#define RX_CONFIG 0x0004
#define TX_TE   (1 << 0)
#define TX_JD   (1 << 16)
#define TX_1000 (3u << 29)
#define RX_RE   (1 << 0)
#define RX_IPC  (1 << 9)
#define RX_LM   (1 << 10)
#define TXQ_OP(q) (0x1100 + 0x80 * (q))
#define RXQ_OP(q) (0x1140 + 0x80 * (q))
#define Q_INTEN(q) (0x1170 + 0x80 * (q))
#define Q_INT(q)  (0x1174 + 0x80 * (q))
#define RSF     (1 << 5)
#define MMC     0x0800
#define CH_STATUS 0x3160

#define RX_LD   (1 << 28)
#define RX_FD   (1 << 29)
#define RX_ES   (1 << 15)

static void xgmac_start(struct mac *m)
{
	wr(m, TXQ_OP(0), 2 | 2 << 2);
	wr(m, RXQ_OP(0), 63 << 16);
	wr(m, TX_CONFIG, TX_TE | TX_JD | TX_1000);
	wr(m, RX_CONFIG, RX_RE);
}

static const struct mq_gen xgmac = {
	.machine = "stmmac-virt,switch=none,mac1=xgmac,wire0=w0,wire1=w1",
	.name = "dwmac-xgmac",
	.dma_mode = 0x3000,
	.sys_bus = 0x3004,
	.chan = 0x3100,
	.control = 0x00,
	.tx_control = 0x04,
	.rx_control = 0x08,
	.tx_base = 0x14,
	.rx_base = 0x1c,
	.tx_tail = 0x24,
	.rx_tail = 0x2c,
	.tx_len = 0x30,
	.rx_len = 0x34,
	.int_en = 0x38,
	.riwt = 0x3c,
	.cur_tx = 0x44,
	.cur_rx = 0x4c,
	.status = 0x60,
	.ptp = 0x0d00,
	.rx_count = MMC + 0x100,
	.start = xgmac_start,
};

static void build(struct frame *f, struct frame_spec s)
{
	frame_build(f, &s);
}

static bool rx_done(struct mac *m, unsigned c, unsigned n)
{
	return !(rx_word(m, c, n, 3) & RX_OWN);
}

static void test_reset_values(struct mac *m)
{
	static const struct { uint32_t off, want; } regs[] = {
		{ 0x0000, 0 }, { 0x0004, 0 }, { 0x0008, 0 }, { 0x00a0, 0 },
		{ 0x0110, 0x7621 },
		/* GMII, VLAN hash, MDIO, MMC, ARP, time stamps, EEE, COE,
		 * 31 addresses more, insertion */
		{ 0x011c, 0x0a7d73f2 },
		/* FIFOs of 16 KiB, 40-bit addresses, split header, TSO, RSS,
		 * 64-bit hash, 4 filters */
		{ 0x0120, 0x211641c7 },
		/* 4 PPS outputs and snapshot inputs; parser of 256 entries, double VLAN, TBS */
		{ 0x0124, 0x44000000 }, { 0x0128, 0x08003008 },
		{ 0x0300, 0x8000ffff }, { 0x0304, 0xffffffff },
		{ 0x1000, 0 }, { 0x1030, 0 }, { 0x1100, 0x003f0008 },
		{ 0x1140, 0 }, { 0x3000, 0 }, { 0x3004, 0x01010000 },
		{ 0x3100, 0 }, { 0x3104, 0 }, { 0x3108, 0 }, { 0x3138, 0 },
		{ 0x3160, 0 }, { 0x31b8, 0 },
	};

	for (unsigned i = 0; i < sizeof(regs) / sizeof(regs[0]); i++)
		if (!CHECK_EQ(rd(m, regs[i].off), regs[i].want))
			printf("# register 0x%04x\n", regs[i].off);
}

static uint16_t mdio_read(struct mac *m, uint32_t addr)
{
	wr(m, MAC_MDIO, addr);
	wr(m, MAC_MDIO_VAL, 1 << 22 | 3 << 16);
	CHECK_EQ(rd(m, MAC_MDIO_VAL) & 1 << 22, 0);
	return rd(m, MAC_MDIO_VAL);
}

static void test_mdio(struct mac *m)
{
	/* clause 45 until the port says clause 22 */
	CHECK_EQ(mdio_read(m, 2 << 21 | 1 << 16 | 3), 0xffff);
	wr(m, 0x220, 0xff);
	CHECK_EQ(rd(m, 0x220), 0xf);
	CHECK_EQ(mdio_read(m, 2 << 16 | 2), 0xffff);
	CHECK(mdio_read(m, 1 << 16 | 2) != 0xffff);
	CHECK(mdio_read(m, 1 << 16 | 2) != 0);
	wr(m, MAC_MDIO, 1 << 16 | 4);
	wr(m, MAC_MDIO_VAL, 1 << 22 | 1 << 16 | 0x1de1);
	CHECK_EQ(mdio_read(m, 1 << 16 | 4), 0x1de1);
}

/* With a PHY that answers clause 45, and one address at a time clause 22. */
static void test_mdio45(struct mac *m)
{
	uint16_t id = mdio_read(m, 1 << 21 | 1 << 16 | 2);

	CHECK(id != 0xffff && id != 0);
	CHECK_EQ(mdio_read(m, 3 << 21 | 1 << 16 | 5), 1 | 1 << 1 | 1 << 3 | 1 << 7);
	wr(m, 0x220, 1 << 1);
	CHECK_EQ(mdio_read(m, 1 << 16 | 2), id);
}

static void test_tx(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame want, f;

	build(&want, (struct frame_spec){ .ip = IP_V6, .proto = 6,
					  .payload = 333 });
	f = want;
	frame_blank_csums(&f);
	mac_start(m);
	mac_tx(m, 0, f.data, f.len, TX_CIC(3));
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), f.len);
	CHECK(!memcmp(got, want.data, f.len));
	CHECK_EQ(tx_word(m, 0, 0, 3), TX_FD | TX_LD);
	CHECK_EQ(rd(m, CH_STATUS), ST_TI | ST_TBU | ST_NIS);
	CHECK_EQ(rd(m, 0x3008), 1);
	CHECK(qtest_irq(m->q));
	wr(m, CH_STATUS, ST_ALL);
	CHECK(!qtest_irq(m->q));
}

/* CIC in a queue without the engine: the channel stops, the frame stays. */
static void test_tx_no_engine(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f;

	build(&f, (struct frame_spec){ .ip = IP_V4, .proto = 17,
				       .payload = 99 });
	mac_start(m);
	wr(m, TXQ_OP(1), 15 << 16 | 2 | 2 << 2);
	wr(m, TXQ_OP(0), 15 << 16 | 2 | 2 << 2);
	chan_start(m, 1);
	mac_tx(m, 1, f.data, f.len, 0);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), f.len);
	wr(m, CH_STATUS + 0x80, ST_ALL);
	mac_tx(m, 1, f.data, f.len, TX_CIC(3));
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), 0);
	CHECK_EQ(rd(m, CH_STATUS + 0x80) & ST_TPS, ST_TPS);
	CHECK_EQ(tx_word(m, 1, 1, 3) & TX_OWN, TX_OWN);
	mac_tx(m, 1, f.data, f.len, 0);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), 0);
	/* the other channel goes on */
	mac_tx(m, 0, f.data, f.len, TX_CIC(3));
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), f.len);
}

/* RDES3 23:15: layers 3 and 4, error summary, and its type or the VLAN tags. */
static uint32_t coe_verdict(const struct coe_case *c)
{
	static const uint8_t l34t[] = { 0, 2, 1, 3 };
	static const uint8_t lt[COE_TAGS] = {
		[TAG_VLAN] = 9, [TAG_QINQ] = 13, [TAG_TWO_VLAN] = 10,
	};
	uint32_t w = lt[c->tag] << 16;

	if (c->hdr_err || c->pay_err)
		w = RX_ES | (c->hdr_err ? 5 : 6) << 16;
	if (c->seen)
		w |= (l34t[c->proto] | (c->spec.ip == IP_V6 ? 8 : 0)) << 20;
	return w;
}

static void start_coe(struct mac *m, uint32_t rxq)
{
	mac_reset(m);
	mac_start(m);
	wr(m, RX_CONFIG, RX_RE | RX_IPC);
	wr(m, RXQ_OP(0), 63 << 16 | rxq);
}

static void test_rx_coe(struct mac *m)
{
	start_coe(m, 0);
	mq_rx_coe(m, 3, 0xff8000, coe_verdict);
	start_coe(m, RSF);
	mq_rx_coe_drop(m);
}

/* Frames as they came, and S-VLAN tags, which no packet is behind. */
static void test_rx(struct mac *m)
{
	static const struct {
		struct frame_spec s;
		uint32_t want;
	} rows[] = {
		{ { .ip = IP_V6, .proto = 6, .payload = 70 }, 9 << 20 },
		{ { .payload = 70, .tag = { 0x88, 0xa8, 0, 5 }, .tag_len = 4 },
		  8 << 16 },
		{ { .payload = 70 }, 0 },
	};
	uint8_t got[FRAME_MAX];

	mac_start(m);
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct frame f;

		frame_build(&f, &rows[i].s);
		rx_give(m, 0, i);
		wire_send(m->q, 1, f.data, f.len);
		CHECK_SOON(rx_done(m, 0, i));
		CHECK_EQ(rx_word(m, 0, i, 3),
			 RX_FD | RX_LD | rows[i].want | (f.len + 4));
		qtest_memread(m->q, rx_buf(0, i), got, f.len);
		CHECK(!memcmp(got, f.data, f.len));
	}
}

/* Suspended: RBU, and the frame waits for the tail pointer. */
static void test_rx_rbu(struct mac *m)
{
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 100 });
	mac_start(m);
	ch_wr(m, 0, xgmac.int_en, ST_AIS | ST_RBU);
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(rd(m, CH_STATUS) & ST_RBU);
	CHECK(qtest_irq(m->q));
	rx_desc(m, 0, 0, rx_buf(0, 0), 0, 0, RX_IOC);
	CHECK(!rx_done(m, 0, 0));
	rx_kick(m, 0);
	CHECK(rx_done(m, 0, 0));
}

static void indirect(struct mac *m, uint32_t ctrl, uint32_t data,
		     uint32_t addr, uint32_t val)
{
	wr(m, data, val);
	wr(m, ctrl, addr | 1);
	CHECK_EQ(rd(m, ctrl) & 1, 0);
}

static void test_l34(struct mac *m)
{
	struct frame f;

	build(&f, (struct frame_spec){ .ip = IP_V4, .proto = 6,
				       .payload = 70 });
	mac_start(m);
	rx_ring(m, 0, RING);
	wr(m, MAC_FILTER, 1 << 20);
	/* filter 1: TCP, source port other than this one */
	indirect(m, 0xc00, 0xc04, (1 << 4 | 1) << 8,
		 f.data[f.l4] << 8 | f.data[f.l4 + 1]);
	indirect(m, 0xc00, 0xc04, (1 << 4 | 0) << 8, 1 << 18 | 1 << 19);
	wr(m, 0xc04, 0);
	wr(m, 0xc00, (1 << 4) << 8 | 2 | 1);
	CHECK_EQ(rd(m, 0xc04), 1 << 18 | 1 << 19);
	wire_send(m->q, 1, f.data, f.len);
	f.data[f.l4 + 1] ^= 1;
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(rx_done(m, 0, 0));
	CHECK_EQ(rx_word(m, 0, 0, 2), 1 << 28);
}

/* Microsoft's key and first example, spread over four channels. */
static void test_rss(struct mac *m)
{
	static const uint8_t key[40] = {
		0x6d, 0x5a, 0x56, 0xda, 0x25, 0x5b, 0x0e, 0xc2, 0x41, 0x67,
		0x25, 0x3d, 0x43, 0xa3, 0x8f, 0xb0, 0xd0, 0xca, 0x2b, 0xcb,
		0xae, 0x7b, 0x30, 0xb4, 0x77, 0xcb, 0x2d, 0xa3, 0x80, 0x30,
		0xf2, 0x0c, 0x6a, 0x42, 0xb7, 0x3b, 0xbe, 0xac, 0x01, 0xfa,
	};
	uint8_t f[80] = { 2, 0, 0, 0, 0, 1, [12] = 8, 0, 0x45, 0, 0, 50,
			  [23] = 6, [26] = 66, 9, 149, 187, 161, 142, 100, 80,
			  0x0a, 0xea, 0x06, 0xe6 };
	uint32_t word;

	mac_start(m);
	for (unsigned q = 0; q < 4; q++)
		wr(m, RXQ_OP(q), 15 << 16);
	wr(m, 0xa0, 0xaa);
	wr(m, 0x1030, 0x83828180);
	for (unsigned i = 0; i < 10; i++) {
		memcpy(&word, key + i * 4, 4);
		indirect(m, 0xc88, 0xc8c, i << 8 | 1 << 2, word);
	}
	for (unsigned i = 0; i < 256; i++)
		indirect(m, 0xc88, 0xc8c, i << 8, i == 0x78 ? 3 : 1);
	wr(m, 0xc80, 0xf);
	chan_start(m, 3);
	rx_ring(m, 3, RING);
	rx_ring(m, 0, RING);
	wire_send(m->q, 1, f, sizeof(f));
	CHECK_SOON(rx_done(m, 3, 0));
	CHECK_EQ(rx_word(m, 3, 0, 1), 0x51ccc178);
	CHECK_EQ(rx_word(m, 3, 0, 3) & 1 << 26, 1 << 26);
	/* no IP, no hash: by destination address, channel 0 */
	f[12] = 0x88;
	wire_send(m->q, 1, f, sizeof(f));
	CHECK_SOON(rx_done(m, 0, 0));
	CHECK_EQ(rx_word(m, 0, 0, 3) & 1 << 26, 0);
}

static void test_mmc(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f;

	build(&f, (struct frame_spec){ .ip = IP_V4, .proto = 17,
				       .payload = 100 });
	mac_start(m);
	wr(m, RX_CONFIG, RX_RE | RX_IPC);
	rx_ring(m, 0, RING);
	mac_tx(m, 0, f.data, f.len, 0);
	wire_recv(m->q, 1, got, sizeof(got), 0);
	CHECK_EQ(rd(m, MMC + 0x14), f.len + 4);
	CHECK_EQ(rd(m, MMC + 0x1c), 1);
	CHECK_EQ(rd(m, MMC + 0x44), 1);	/* 128 to 255 octets */
	CHECK_EQ(rd(m, MMC + 0x8c), 1);
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(rx_done(m, 0, 0));
	CHECK_EQ(rd(m, MMC + 0x100), 1);
	CHECK_EQ(rd(m, MMC + 0x150), 1);
	CHECK_EQ(rd(m, MMC + 0x170), 1);
	CHECK_EQ(rd(m, MMC + 0x264), 1);
	CHECK_EQ(rd(m, MMC + 0x2a4), 1);
	CHECK_EQ(rd(m, MMC + 0x104), 0);
}

static void test_ptp(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 100 });
	mac_start(m);
	rx_ring(m, 0, RING);
	wr(m, 0xd04, 10 << 16);
	wr(m, 0xd10, 5);
	wr(m, 0xd14, 600);
	wr(m, 0xd00, 1 | 1 << 2 | 1 << 8 | 1 << 9);
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(rx_done(m, 0, 1));
	CHECK_EQ(rx_word(m, 0, 0, 3) & 1 << 27, 1 << 27);
	CHECK_EQ(rx_word(m, 0, 1, 3), 1 << 30 | 1 << 4);
	CHECK_EQ(rx_word(m, 0, 1, 0), 600);
	CHECK_EQ(rx_word(m, 0, 1, 1), 5);
	qtest_memwrite(m->q, tx_buf(0, 0), f.data, f.len);
	tx_desc(m, 0, 0, tx_buf(0, 0), 0, f.len | 1 << 30, TX_FD | TX_LD);
	tx_kick(m, 0, 0);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), f.len);
	CHECK_EQ(rd(m, 0xd20), 1 << 15);
	CHECK_EQ(rd(m, 0xd30), 600);
	CHECK_EQ(rd(m, 0xd34), 5);
	CHECK_EQ(rd(m, 0xd20), 0);
}

static void fault(struct mac *m, const char *name, unsigned val)
{
	CHECK(qtest_set(m->q, "/machine/gmac1", name, val));
}

static void test_faults_tx(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 100 });
	mac_start(m);
	/* the frame goes out, its descriptor stays open */
	fault(m, "fault-writeback", 1);
	for (unsigned i = 0; i < 2; i++) {
		mac_tx(m, 0, f.data, f.len, 0);
		CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), f.len);
		CHECK_EQ(tx_word(m, 0, i, 3) >> 31, !i);
	}
	/* completion comes late */
	wr(m, CH_STATUS, ST_ALL);
	fault(m, "fault-late-tx-ns", 70000);
	mac_tx(m, 0, f.data, f.len, 0);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), f.len);
	CHECK_EQ(tx_word(m, 0, 2, 3) >> 31, 1);
	qtest_clock_step(m->q, 70000);
	CHECK_EQ(tx_word(m, 0, 2, 3) >> 31, 0);
	CHECK_EQ(rd(m, CH_STATUS) & ST_TI, ST_TI);
	fault(m, "fault-late-tx-ns", 0);
	fault(m, "fault-bus-error", 1);
	mac_tx(m, 0, f.data, f.len, 0);
	CHECK_EQ(rd(m, CH_STATUS) & ST_FBE, ST_FBE);
}

static void test_faults_rx(struct mac *m)
{
	struct frame f;

	build(&f, (struct frame_spec){ .ip = IP_V4, .proto = 17,
				       .payload = 100 });
	mac_start(m);
	rx_ring(m, 0, RING);
	wr(m, RX_CONFIG, RX_RE | RX_IPC);
	fault(m, "fault-rx-csum", 1);
	wire_send(m->q, 1, f.data, f.len);
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(rx_done(m, 0, 1));
	CHECK_EQ(rx_word(m, 0, 0, 3) & RX_ES, RX_ES);
	CHECK_EQ(rx_word(m, 0, 1, 3) & RX_ES, 0);
	fault(m, "fault-rx-overflow", 1);
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(rd(m, Q_INT(0)) & 1 << 16);
	CHECK(!rx_done(m, 0, 2));
}

/* Bits that do not come back. */
static void test_faults_stuck(struct mac *m)
{
	fault(m, "fault-stuck-busy", 1);
	wr(m, MAC_MDIO_VAL, 1 << 22 | 3 << 16);
	CHECK_EQ(rd(m, MAC_MDIO_VAL) >> 22 & 1, 1);
	wr(m, 0xc88, 1);
	CHECK_EQ(rd(m, 0xc88) & 1, 1);
	fault(m, "fault-stuck-busy", 0);
	fault(m, "fault-stuck-reset", 1);
	wr(m, xgmac.dma_mode, 1);
	qtest_clock_step(m->q, 1000000000);
	CHECK_EQ(rd(m, xgmac.dma_mode) & 1, 1);
	fault(m, "fault-stuck-reset", 0);
}

/* Indirect accesses take their time, and one at a time. */
static void test_indirect_busy(struct mac *m)
{
	wr(m, 0xc8c, 7);
	wr(m, 0xc88, 5 << 8 | 1);
	CHECK_EQ(rd(m, 0xc88) & 1, 1);
	wr(m, 0xc8c, 8);
	wr(m, 0xc88, 5 << 8 | 1);
	qtest_clock_step(m->q, 5000);
	CHECK_EQ(rd(m, 0xc88) & 1, 0);
	wr(m, 0xc88, 5 << 8 | 2 | 1);
	CHECK_EQ(rd(m, 0xc8c), 7);
	qtest_clock_step(m->q, 5000);
	/* layer 3 and 4 filters, the parser's table */
	wr(m, 0xc04, 0x1234);
	wr(m, 0xc00, 1 << 8 | 1);
	CHECK_EQ(rd(m, 0xc00) & 1, 1);
	qtest_clock_step(m->q, 5000);
	CHECK_EQ(rd(m, 0xc00) & 1, 0);
	wr(m, 0x10b0, 1u << 31 | 1 << 16 | 3);
	CHECK_EQ(rd(m, 0x10b0) >> 31, 1);
	qtest_clock_step(m->q, 5000);
	CHECK_EQ(rd(m, 0x10b0) >> 31, 0);
}

#define DPP_STATUS 0x150
#define FSM_CTRL   0x158
#define ECC_CTRL   0x10c0
#define MTL_SAFETY 0x10c4
#define ECC_EN     0x10c8
#define ECC_STATUS 0x10cc
#define DPP_CTRL   0x10e0
#define DMA_SAFETY 0x3064
#define DMA_ECC_EN 0x3068
#define DMA_ECC    0x306c
#define DMA_DPP    0x3074

/* The checks are on from reset; what they find is told of if asked for. */
static void test_safety(struct mac *m)
{
	CHECK_EQ(rd(m, 0x128) >> 14 & 3, 1);
	fault(m, "fault-safety-mtl", 1 << 4);
	CHECK_EQ(rd(m, ECC_STATUS), 1 << 4);
	CHECK_EQ(rd(m, DMA_SAFETY), 0);
	wr(m, ECC_EN, 0x1111);
	CHECK_EQ(rd(m, MTL_SAFETY), 1);
	CHECK_EQ(rd(m, DMA_SAFETY), 1 << 28);
	CHECK(qtest_irq(m->q));
	wr(m, ECC_STATUS, ~0u);
	CHECK_EQ(rd(m, DMA_SAFETY), 0);
	CHECK(!qtest_irq(m->q));
	/* the descriptor cache's bit stands elsewhere than that of its error */
	fault(m, "fault-safety-dma", 1 << 4);
	CHECK_EQ(rd(m, DMA_SAFETY), 0);
	wr(m, DMA_ECC_EN, 1 << 1);
	CHECK_EQ(rd(m, DMA_SAFETY), 1);
	fault(m, "fault-safety-dma", 1 << 6);
	CHECK_EQ(rd(m, DMA_SAFETY), 3);
	wr(m, DMA_ECC, ~0u);
	/* what is turned off finds nothing */
	wr(m, ECC_CTRL, 1 << 1);
	fault(m, "fault-safety-mtl", 0x77);
	CHECK_EQ(rd(m, ECC_STATUS), 0x7);
	wr(m, ECC_STATUS, ~0u);
}

static void test_safety_parity(struct mac *m)
{
	fault(m, "fault-safety-mac", ~0u);
	CHECK_EQ(rd(m, DPP_STATUS), 0x80001fff);
	wr(m, FSM_CTRL, 3);
	fault(m, "fault-safety-mac", ~0u);
	CHECK_EQ(rd(m, DPP_STATUS), 0x83e3ffff);
	CHECK_EQ(rd(m, MTL_SAFETY), 1u << 31);
	wr(m, DPP_STATUS, ~0u);
	CHECK_EQ(rd(m, DMA_SAFETY), 0);
	/* a descriptor's parity shows in the DMA's summary alone */
	fault(m, "fault-safety-dpp", 1 << 16);
	CHECK_EQ(rd(m, DMA_DPP), 1 << 16);
	CHECK_EQ(rd(m, MTL_SAFETY), 0);
	CHECK_EQ(rd(m, DMA_SAFETY), 1u << 31);
	CHECK(qtest_irq(m->q));
	wr(m, DMA_DPP, ~0u);
	CHECK(!qtest_irq(m->q));
	wr(m, DPP_CTRL, 1);
	fault(m, "fault-safety-dpp", 1 << 16);
	CHECK_EQ(rd(m, DMA_DPP), 0);
}

static void test_safety_ecc(struct mac *m)
{
	CHECK_EQ(rd(m, 0x128) >> 14 & 3, 0);
	CHECK_EQ(rd(m, 0x12c), 1 << 4);
	wr(m, FSM_CTRL, 3);
	wr(m, DPP_CTRL, 1);
	CHECK_EQ(rd(m, FSM_CTRL) | rd(m, DPP_CTRL), 0);
	fault(m, "fault-safety-mac", ~0u);
	fault(m, "fault-safety-mtl", 1 << 2);
	CHECK_EQ(rd(m, DPP_STATUS), 0);
	CHECK_EQ(rd(m, MTL_SAFETY), 2);
}

static void test_no_safety(struct mac *m)
{
	CHECK_EQ(rd(m, 0x12c), 0);
	wr(m, ECC_EN, 0x1111);
	fault(m, "fault-safety-mtl", 0xffff);
	fault(m, "fault-safety-dpp", 0xffff);
	CHECK_EQ(rd(m, ECC_EN) | rd(m, ECC_STATUS) | rd(m, DMA_DPP), 0);
}

static void test_overflow(struct mac *m)
{
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 986 });
	mac_start(m);
	wr(m, RXQ_OP(0), 15 << 16);
	wr(m, Q_INTEN(0), 1 << 16);
	for (unsigned i = 0; i < 6; i++)
		wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(rd(m, Q_INT(0)) & 1 << 16);
	CHECK_EQ(rd(m, 0x1020), 1);
	CHECK(qtest_irq(m->q));
	CHECK_SOON(rd(m, MMC + 0x190) == 2);
	wr(m, Q_INT(0), ~0u);
	CHECK_EQ(rd(m, 0x1020), 0);
}

static void test_loopback(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 200 });
	mac_start(m);
	rx_ring(m, 0, RING);
	wr(m, RX_CONFIG, RX_RE | RX_LM);
	mac_tx(m, 0, f.data, f.len, 0);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), 0);
	CHECK_EQ(rx_word(m, 0, 0, 3), RX_FD | RX_LD | (f.len + 4));
}

static void test_vmstate(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 100 });
	mac_start(m);
	indirect(m, 0xc00, 0xc04, (2 << 4 | 5) << 8, 0x12345678);
	indirect(m, 0xc88, 0xc8c, 3 << 8 | 4, 0x11223344);
	indirect(m, 0xc88, 0xc8c, 200 << 8, 7);
	mac_migrate(m);
	wr(m, 0xc00, (2 << 4 | 5) << 8 | 2 | 1);
	CHECK_EQ(rd(m, 0xc04), 0x12345678);
	wr(m, 0xc88, 3 << 8 | 4 | 2 | 1);
	CHECK_EQ(rd(m, 0xc8c), 0x11223344);
	wr(m, 0xc88, 200 << 8 | 2 | 1);
	CHECK_EQ(rd(m, 0xc8c), 7);
	mac_tx(m, 0, f.data, f.len, 0);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 1000), f.len);
}

/* What is of one piece with QoS is shown there, or by the driver's selftests. */
static const struct feature features[] = {
	{ 0x11c, 0x00000002, "tx: a frame with checksums" },	/* GMIISEL */
	{ 0x11c, 0x00000010, "other: ethtool -t: VLAN Filtering" }, /* VLHASH */
	{ 0x11c, 0x00000020, "mdio" },				/* SMASEL */
	{ 0x11c, 0x00000040, "pmt: wake-up frame" },		/* RWKSEL */
	{ 0x11c, 0x00000080, "pmt: magic packet" },		/* MGKSEL */
	{ 0x11c, 0x00000100, "mmc" },				/* MMCSEL */
	{ 0x11c, 0x00000200, "other: ethtool -t: ARP Offload" }, /* ARPOFFSEL */
	{ 0x11c, 0x02001000, "ptp" },				/* TSSEL, TSSTSSEL */
	{ 0x11c, 0x00002000, "other: ethtool -t: EEE" },	/* EEESEL */
	{ 0x11c, 0x00004000, "tx: checksums inserted" },	/* TXCOESEL */
	{ 0x11c, 0x00010000, "rx: checksum verdicts" },		/* RXCOESEL */
	{ 0x11c, 0x007c0000, "other: ethtool -t: Perfect Filter UC" }, /* ADDMACADRSEL */
	{ 0x11c, 0x08000000, "other: ethtool -t: SA Insertion (desc)" }, /* SAVLANINS */
	{ 0x120, 0x0000001f, "rx: FIFO overflow" },		/* RXFIFOSIZE */
	{ 0x120, 0x000007c0, "other: qos: tx: no checksums in threshold mode" },
	{ 0x120, 0x0000c000, "addresses beyond 32 bits" },	/* ADDR64 */
	{ 0x120, 0x00020000, "other: ethtool -t: Split Header" }, /* SPHEN */
	{ 0x120, 0x00040000, "tso" },		/* TSOEN */
	{ 0x120, 0x00100000, "rx: receive-side scaling" },	/* RSSEN */
	{ 0x120, 0x00e00000, "tx: a queue without checksum engine stops" }, /* NUMTC */
	{ 0x120, 0x03000000, "other: ethtool -t: Hash Filter MC" }, /* HASHTBLSZ */
	{ 0x120, 0x78000000, "rx: layer 4 filter" },		/* L3L4FNUM */
	{ 0x124, 0x0000000f, "rx: receive-side scaling" },	/* RXQCNT */
	{ 0x124, 0x000003c0, "tx: a queue without checksum engine stops" }, /* TXQCNT */
	{ 0x124, 0x07000000, "ptp: pps outputs" },		/* PPSOUTNUM */
	{ 0x124, 0x70000000, "ptp: auxiliary snapshots" },	/* AUXSNAPNUM */
	{ 0x128, 0x00002000, "other: qos: rx: two vlan tags" },	/* DVLAN */
	{ 0x128, 0x00001808, "other: ethtool -t: Flexible RX Parser" }, /* FRPSEL, FRPES */
	{ 0x128, 0x78000000, "other: ethtool -t: TBS (ETF Scheduler)" }, /* TBSSEL, TBSCH */
};

static void test_advertised(struct mac *m)
{
	for (uint32_t off = 0x11c; off <= 0x12c; off += 4)
		features_check(features, sizeof(features) / sizeof(features[0]), off,
			       rd(m, off), m->tests, m->n_tests, sizeof(struct test));
}

#define G "-global dwmac-xgmac."

static const struct test tests[] = {
	{ "reset values", test_reset_values, "" },
	{ "what is advertised has a test", test_advertised, "" },
	{ "addresses beyond 32 bits", mq_test_wide_addresses, "" },
	{ "mdio", test_mdio, "" },
	{ "tx: a frame with checksums", test_tx, "" },
	{ "tx: checksums inserted", mq_test_tx_coe, "" },
	{ "tso", mq_test_tso, "" },
	{ "tso: no last descriptor", mq_test_tso_no_last, "" },
	{ "rx: frames", test_rx, "" },
	{ "rx: checksum verdicts", test_rx_coe, "" },
	{ "rx: ring empty, tail pointer", test_rx_rbu, "" },
	{ "rx: layer 4 filter", test_l34, "" },
	{ "mmc", test_mmc, "" },
	{ "ptp", test_ptp, "" },
	{ "ptp: auxiliary snapshots", mq_test_snapshots, "" },
	{ "ptp: pps outputs", mq_test_pps, "" },
	{ "ptp: pps outputs stopped", mq_test_pps_stop, "" },
	{ "ptp: target times", mq_test_target_time, "" },
	{ "pmt: magic packet", mq_test_magic, "" },
	{ "pmt: wake-up frame", mq_test_wakeup, "" },
	{ "loopback", test_loopback, "" },
	{ "vmstate", test_vmstate, "" },
	{ "vmstate: in mid-traffic", mq_test_traffic, "" },
	{ "no safety features", test_no_safety, "" },
	{ "mdio: clause 45", test_mdio45, "-global mdio-phy.c45=on" },
	{ "faults on purpose: tx", test_faults_tx, "" },
	{ "faults on purpose: rx", test_faults_rx, "" },
	{ "faults on purpose: stuck bits", test_faults_stuck, "" },
	{ "indirect accesses take their time", test_indirect_busy,
	  G "indirect-busy-ns=5000" },
	{ "safety features", test_safety, G "asp=1" },
	{ "safety features: parity", test_safety_parity, G "asp=1" },
	{ "safety features: ECC only", test_safety_ecc, G "asp=4" },
	{ "rx: FIFO overflow", test_overflow, G "rx-lossless=off" },
	{ "rx: receive-side scaling", test_rss, G "rx-queues=4" },
	{ "tx: a queue without checksum engine stops", test_tx_no_engine,
	  G "tx-queues=2 " G "tx-coe-queues=1" },
};

int main(void)
{
	return mac_run_tests(&xgmac, tests, sizeof(tests) / sizeof(tests[0]));
}
