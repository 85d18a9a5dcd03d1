// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The QoS 5.10a model seen from its registers, its rings and its wire.
 *
 * The machine is stmmac-virt; its second MAC (with the PHY) is under test.
 * Tests with the same options share one QEMU and start from a software reset.
 * A frame that must not arrive is followed by one that must: when that one is
 * there, the other would have been.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "dwmac-coe-cases.h"
#include "dwmac-features.h"
#include "dwmac-frame.h"
#include "dwmac-mq.h"

#define EDSA { 0xda, 0xda, 0, 0, 0x40, 0x08, 0, 0 }
#define DSA0 { 0x00, 0x08, 0, 0 }
#define VLAN { 0x81, 0x00, 0x20, 0x05 }

#define MAC_CONFIG 0x0000
#define MAC_RE  (1 << 0)
#define MAC_TE  (1 << 1)
#define MAC_LM  (1 << 12)
#define MAC_DM  (1 << 13)
#define MAC_JE  (1 << 16)
#define MAC_JD  (1 << 17)
#define MAC_ACS (1 << 20)
#define MAC_CST (1 << 21)
#define MAC_IPC (1 << 27)
#define TX_FLOW 0x0070
#define RX_FLOW 0x0090
#define MMC     0x0700
#define TXQ_OP(q)  (0x0d00 + 0x40 * (q))
#define Q_INT(q)   (0x0d2c + 0x40 * (q))
#define RXQ_OP(q)  (0x0d30 + 0x40 * (q))
#define RXQ_LOST(q) (0x0d34 + 0x40 * (q))
#define RSF     (1 << 5)
#define FEP     (1 << 4)
#define DIS_TCP_EF (1 << 6)
#define EHFC    (1 << 7)
#define SYS_BUS 0x1004
#define DMA_INT 0x1008
#define CH_STATUS 0x1160

#define RX_LD   (1 << 28)
#define RX_FD   (1 << 29)
#define RX_RS   (3 << 26)
#define RX_TYPE (1 << 16)
#define GOOD    (RX_FD | RX_LD | RX_RS | RX_TYPE)

static void qos_start(struct mac *m)
{
	wr(m, TXQ_OP(0), 2 | 2 << 2);
	wr(m, RXQ_OP(0), 63 << 20);
	wr(m, MAC_CONFIG, MAC_TE | MAC_RE | MAC_JD | MAC_DM);
}

static const struct mq_gen qos = {
	.machine = "stmmac-virt,switch=none,mac1=qos,wire0=w0,wire1=w1",
	.name = "dwmac-qos",
	.dma_mode = 0x1000,
	.sys_bus = SYS_BUS,
	.chan = 0x1100,
	.control = 0x00,
	.tx_control = 0x04,
	.rx_control = 0x08,
	.tx_base = 0x14,
	.rx_base = 0x1c,
	.tx_tail = 0x20,
	.rx_tail = 0x28,
	.tx_len = 0x2c,
	.rx_len = 0x30,
	.int_en = 0x34,
	.riwt = 0x38,
	.cur_tx = 0x44,
	.cur_rx = 0x4c,
	.status = 0x60,
	.ptp = 0x0b00,
	.rx_count = MMC + 0x80,
	.rx_valid = RX_B1V,
	.start = qos_start,
};

static void build(struct frame *f, struct frame_spec s)
{
	frame_build(f, &s);
}

static bool rx_done(struct mac *m, unsigned c, unsigned n)
{
	return !(rx_word(m, c, n, 3) & RX_OWN);
}

/* ---- registers ---- */

static void test_reset_values(struct mac *m)
{
	static const struct { uint32_t off, want; } regs[] = {
		{ 0x0000, 0 }, { 0x0004, 0 }, { 0x0008, 0 }, { 0x0010, 0 },
		{ 0x0050, 0 }, { 0x0070, 0 }, { 0x0090, 0 }, { 0x00a0, 0 },
		{ 0x00b0, 0 }, { 0x00b4, 0 }, { 0x00dc, 0x63 },
		{ 0x0110, 0x1051 }, { 0x0114, 0 },
		/* MII, GMII, VLAN hash, MDIO, PMT, MMC, ARP, time
		 * stamps, EEE, COE, 31 addresses
		 * more, insertion */
		{ 0x011c, 0x0a7d73f3 },
		/* FIFOs of 16 KiB, 40-bit addresses, split header, TSO,
		 * 64-bit hash, 4 filters */
		{ 0x0120, 0x210641c7 },
		/* 4 PPS outputs and snapshot inputs; double VLAN, parser of 256 entries, TBS */
		{ 0x0124, 0x44000000 }, { 0x0128, 0x08004420 }, { 0x0200, 0 }, { 0x0204, 0 },
		{ 0x0300, 0x8000ffff }, { 0x0304, 0xffffffff },
		{ 0x0308, 0x0000ffff }, { 0x030c, 0xffffffff },
		{ 0x0c00, 0 }, { 0x0c20, 0 }, { 0x0c30, 0 },
		/* one queue is always on and has the whole FIFO */
		{ 0x0d00, 0x003f0008 },
		{ 0x0d2c, 0 }, { 0x0d30, 0 }, { 0x1000, 0 },
		{ 0x1004, 0x00010000 }, { 0x1008, 0 }, { 0x100c, 0 },
		{ 0x1100, 0 }, { 0x1104, 0 }, { 0x1108, 0 }, { 0x1114, 0 },
		{ 0x111c, 0 }, { 0x1120, 0 }, { 0x1128, 0 }, { 0x112c, 0 },
		{ 0x1134, 0 }, { 0x1138, 0 }, { 0x1144, 0 }, { 0x1160, 0 },
		/* a second channel is not there */
		{ 0x1180, 0 }, { 0x11b4, 0 },
	};

	for (unsigned i = 0; i < sizeof(regs) / sizeof(regs[0]); i++)
		if (!CHECK_EQ(rd(m, regs[i].off), regs[i].want))
			printf("# register 0x%04x\n", regs[i].off);
	wr(m, 0x11b4, 0xffff);
	CHECK_EQ(rd(m, 0x11b4), 0);
}

/* At power-on the address from mac= stands in slot 0. */
static void test_power_on_address(struct mac *m)
{
	CHECK(qtest_qmp(m->q, "{\"execute\":\"system_reset\"}"));
	CHECK_SOON(rd(m, 0x304) == 0x00545202);
	CHECK_EQ(rd(m, 0x300), 0x80001234);
}

static void test_write_masks(struct mac *m)
{
	static const uint32_t ro[] = { 0xb0, 0x110, 0x114, 0x11c, 0x120, 0x124,
				       0x128, 0xc20, 0x1008, 0x100c, 0x1144,
				       0x114c, 0x1154, 0x115c };

	for (unsigned i = 0; i < sizeof(ro) / sizeof(ro[0]); i++) {
		uint32_t was = rd(m, ro[i]);

		wr(m, ro[i], ~was);
		CHECK_EQ(rd(m, ro[i]), was);
	}
	wr(m, 0x300, 0);
	CHECK_EQ(rd(m, 0x300), 0x80000000);
	wr(m, TXQ_OP(0), 0);
	CHECK_EQ(rd(m, TXQ_OP(0)), 0x003f0008);
}

static void test_features(struct mac *m)
{
	/* no COE, no MMC, one address, phy-if=1 */
	CHECK_EQ(rd(m, 0x11c), 0x10000023);
	/* FIFOs of 4 and 2 KiB, 32-bit addresses, 256-bit hash */
	CHECK_EQ(rd(m, 0x120), 0x03000105);
	/* 4 receive, 2 transmit */
	CHECK_EQ(rd(m, 0x124), 0x00043043);
	wr(m, 0x308, 0x1234);
	CHECK_EQ(rd(m, 0x308), 0);
	wr(m, MAC_CONFIG, MAC_IPC | MAC_RE);
	CHECK_EQ(rd(m, MAC_CONFIG), MAC_RE);
	/* queues are off until they are turned on */
	CHECK_EQ(rd(m, TXQ_OP(1)), 0);
	wr(m, TXQ_OP(1), 1 << 3);
	CHECK_EQ(rd(m, TXQ_OP(1)), 1 << 3);
	wr(m, TXQ_OP(2), 1 << 3);
	CHECK_EQ(rd(m, TXQ_OP(2)), 0);
	wr(m, RXQ_OP(3), RSF);
	CHECK_EQ(rd(m, RXQ_OP(3)), RSF);
}

static uint16_t mdio_read(struct mac *m, unsigned phy, unsigned reg)
{
	wr(m, MAC_MDIO, phy << 21 | reg << 16 | 3 << 2 | 1);
	CHECK_EQ(rd(m, MAC_MDIO) & 1, 0);
	return rd(m, MAC_MDIO_VAL);
}

static void test_mdio(struct mac *m)
{
	CHECK_EQ(mdio_read(m, 7, 2), 0xffff);
	CHECK(mdio_read(m, 1, 2) != 0xffff);
	CHECK(mdio_read(m, 1, 2) != 0);
	wr(m, MAC_MDIO_VAL, 0x1de1);
	wr(m, MAC_MDIO, 1 << 21 | 4 << 16 | 1 << 2 | 1);
	CHECK_EQ(mdio_read(m, 1, 4), 0x1de1);
	/* clause 45: nobody is at address 7, MMD 3 */
	wr(m, MAC_MDIO_VAL, 0x0014 << 16);
	wr(m, MAC_MDIO, 7 << 21 | 3 << 16 | 3 << 2 | 2 | 1);
	CHECK_EQ(rd(m, MAC_MDIO_VAL), 0x0014ffff);
}

static uint16_t mdio45(struct mac *m, unsigned mmd, unsigned reg, unsigned val, unsigned goc)
{
	wr(m, MAC_MDIO_VAL, reg << 16 | val);
	wr(m, MAC_MDIO, 1 << 21 | mmd << 16 | goc << 2 | 2 | 1);
	CHECK_EQ(rd(m, MAC_MDIO) & 1, 0);
	return rd(m, MAC_MDIO_VAL);
}

/* A PHY that answers: who it is, which MMDs it has, a register that is kept. */
static void test_mdio45(struct mac *m)
{
	CHECK_EQ(mdio45(m, 1, 2, 0, 3), mdio_read(m, 1, 2));
	CHECK_EQ(mdio45(m, 3, 3, 0, 3), mdio_read(m, 1, 3));
	CHECK_EQ(mdio45(m, 1, 5, 0, 3), 1 | 1 << 1 | 1 << 3 | 1 << 7);
	CHECK_EQ(mdio45(m, 7, 1, 0, 3), 0x2c);
	CHECK_EQ(mdio45(m, 4, 5, 0, 3), 0);
	mdio45(m, 7, 60, 0xffff, 1);
	CHECK_EQ(mdio45(m, 7, 60, 0, 3), 0x0006);
	mdio45(m, 7, 60, 2, 1);
	CHECK_EQ(mdio45(m, 7, 60, 0, 3), 2);
}

static void test_mdio_busy(struct mac *m)
{
	wr(m, MAC_MDIO, 7 << 21 | 2 << 16 | 3 << 2 | 1);
	CHECK_EQ(rd(m, MAC_MDIO) & 1, 1);
	qtest_clock_step(m->q, 24999);
	CHECK_EQ(rd(m, MAC_MDIO) & 1, 1);
	qtest_clock_step(m->q, 1);
	CHECK_EQ(rd(m, MAC_MDIO) & 1, 0);
	CHECK_EQ(rd(m, MAC_MDIO_VAL), 0xffff);
}

/* ---- transmit ---- */

static void test_tx(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 300 });
	mac_start(m);
	mac_tx(m, 0, f.data, f.len, 0);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), f.len);
	CHECK(!memcmp(got, f.data, f.len));
	CHECK_EQ(tx_word(m, 0, 0, 3), TX_FD | TX_LD);
	CHECK_EQ(rd(m, CH_STATUS), ST_TI | ST_TBU | ST_NIS);
	CHECK_EQ(rd(m, DMA_INT), 1);
	CHECK_EQ(rd(m, 0x100c), 6 << 12 | 3 << 8);
	CHECK(qtest_irq(m->q));
	wr(m, CH_STATUS, ST_ALL);
	CHECK(!qtest_irq(m->q));
	CHECK_EQ(rd(m, CH_STATUS), 0);
}

static void test_tx_padding(struct mac *m)
{
	uint8_t data[40], got[FRAME_MAX], want[60] = { 0 };

	memset(data, 0x5a, sizeof(data));
	memcpy(want, data, sizeof(data));
	mac_start(m);
	mac_tx(m, 0, data, sizeof(data), 0);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), 60);
	CHECK(!memcmp(got, want, 60));
	mac_tx(m, 0, data, sizeof(data), 1 << 26);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), 40);
}

/* With CPC 2 the last four bytes are the FCS, and it had better be right. */
static void test_tx_own_crc(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f;
	uint32_t crc;

	build(&f, (struct frame_spec){ .payload = 100 });
	crc = frame_crc(f.data, f.len);
	memcpy(f.data + f.len, &crc, 4);
	mac_start(m);
	mac_tx(m, 0, f.data, f.len + 4, 2u << 26);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), f.len);
	f.data[f.len] ^= 1;
	mac_tx(m, 0, f.data, f.len + 4, 2u << 26);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), 0);
	CHECK_EQ(tx_word(m, 0, 1, 3), TX_FD | TX_LD);
	/* CPC 3: whatever was there is replaced */
	mac_tx(m, 0, f.data, f.len + 4, 3u << 26);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), f.len);
}

/* Three descriptors, two buffers in the first: one frame. */
static void test_tx_spanning(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 900 });
	mac_start(m);
	qtest_memwrite(m->q, tx_buf(0, 0), f.data, f.len);
	tx_desc(m, 0, 0, tx_buf(0, 0), tx_buf(0, 0) + 100, 100 | 50 << 16,
		TX_FD);
	tx_desc(m, 0, 1, tx_buf(0, 0) + 150, 0, 333, 0);
	tx_desc(m, 0, 2, tx_buf(0, 0) + 483, 0, (f.len - 483) | TX_IOC, TX_LD);
	tx_kick(m, 0, 2);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), f.len);
	CHECK(!memcmp(got, f.data, f.len));
	for (unsigned i = 0; i < 3; i++)
		CHECK_EQ(tx_word(m, 0, i, 3) & TX_OWN, 0);
}

/* The tail pointer ends a run, whoever owns what stands there. */
static void test_tx_tail(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 100 });
	mac_start(m);
	for (unsigned i = 0; i < 3; i++) {
		qtest_memwrite(m->q, tx_buf(0, i), f.data, f.len);
		tx_desc(m, 0, i, tx_buf(0, i), 0, f.len, TX_FD | TX_LD);
	}
	tx_kick(m, 0, 0);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), f.len);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), 0);
	CHECK_EQ(ch_rd(m, 0, qos.cur_tx), tx_addr(m, 0, 1));
	tx_kick(m, 0, 2);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), f.len);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), f.len);
}

/* A frame whose last descriptor never comes is never sent. */
static void test_tx_no_last(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 400 });
	mac_start(m);
	qtest_memwrite(m->q, tx_buf(0, 0), f.data, f.len);
	tx_desc(m, 0, 0, tx_buf(0, 0), 0, 200, TX_FD);
	tx_kick(m, 0, 0);
	CHECK_EQ(tx_word(m, 0, 0, 3), TX_FD);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), 0);
	CHECK_EQ(rd(m, CH_STATUS) & ST_TBU, ST_TBU);
	CHECK_EQ(rd(m, 0xd08) & 1 << 4, 1 << 4);
	tx_desc(m, 0, 1, tx_buf(0, 0) + 200, 0, f.len - 200, TX_LD);
	tx_kick(m, 0, 1);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), f.len);
	CHECK(!memcmp(got, f.data, f.len));
}

static void test_tx_wrap(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 80 });
	mac_start(m);
	for (unsigned i = 0; i < 3 * RING; i++) {
		f.data[20] = i;
		mac_tx(m, 0, f.data, f.len, 0);
		CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), f.len);
		CHECK_EQ(got[20], (uint8_t)i);
		CHECK_EQ(ch_rd(m, 0, qos.cur_tx), tx_addr(m, 0, i + 1));
	}
}

/* Rings in the MAC's own registers: the DMA may not enter them. */
static void test_tx_reentrant(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 80 });
	mac_start(m);
	ch_wr(m, 0, qos.tx_base, m->base + 0x300);
	ch_wr(m, 0, qos.tx_tail, m->base + 0x320);
	CHECK_EQ(rd(m, CH_STATUS) & ST_FBE, ST_FBE);
	/* and it works again after a reset */
	mac_reset(m);
	mac_start(m);
	mac_tx(m, 0, f.data, f.len, 0);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), f.len);
}

static void test_tx_bus_error(struct mac *m)
{
	mac_start(m);
	ch_wr(m, 0, qos.int_en, ST_AIS | ST_FBE);
	tx_desc(m, 0, 0, 0x70000000, 0, 100, TX_FD | TX_LD);
	tx_kick(m, 0, 0);
	/* transmit, data, read */
	CHECK_EQ(rd(m, CH_STATUS) & (ST_FBE | ST_AIS | 0x3f << 16),
		 ST_FBE | ST_AIS | 5 << 16);
	CHECK_EQ(rd(m, 0x100c) >> 12 & 0xf, 0);
	CHECK(qtest_irq(m->q));
	wr(m, CH_STATUS, ST_ALL);
	CHECK_EQ(rd(m, CH_STATUS), 0);
}

static void test_tx_stop(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 80 });
	mac_start(m);
	ch_wr(m, 0, qos.tx_control, 0);
	CHECK_EQ(rd(m, CH_STATUS) & ST_TPS, ST_TPS);
	mac_tx(m, 0, f.data, f.len, 0);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), 0);
	ch_wr(m, 0, qos.tx_control, 1);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), f.len);
	/* the MAC's transmitter can be off, too */
	wr(m, MAC_CONFIG, MAC_RE);
	mac_tx(m, 0, f.data, f.len, 0);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), 0);
	wr(m, MAC_CONFIG, MAC_RE | MAC_TE);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), f.len);
}

static void test_tx_jabber(struct mac *m)
{
	uint8_t data[3000] = { 0 }, got[4096];

	mac_start(m);
	wr(m, MAC_CONFIG, MAC_TE | MAC_RE);
	mac_tx(m, 0, data, sizeof(data), 0);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), 0);
	CHECK_EQ(tx_word(m, 0, 0, 3) & 0xffff, 0xc000);
	wr(m, MAC_CONFIG, MAC_TE | MAC_RE | MAC_JD);
	mac_tx(m, 0, data, sizeof(data), 0);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), sizeof(data));
}

/* Does a frame leave exactly as it was written, whatever CIC says? */
static void tx_untouched(struct mac *m, struct frame_spec s)
{
	uint8_t got[FRAME_MAX];
	struct frame f;

	frame_build(&f, &s);
	f.data[f.csum] = f.pseudo >> 8;
	f.data[f.csum + 1] = f.pseudo;
	mac_tx(m, 0, f.data, f.len, TX_CIC(3));
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), f.len);
	CHECK(!memcmp(got, f.data, f.len));
	CHECK_EQ(tx_word(m, 0, m->tx[0] - 1, 3), TX_FD | TX_LD);
}

static const struct frame_spec udp = { .ip = IP_V4, .proto = 17,
				       .payload = 99 };

/* In threshold mode the engine is out of the path. */
static void test_tx_coe_threshold(struct mac *m)
{
	mac_start(m);
	wr(m, TXQ_OP(0), 0);
	tx_untouched(m, udp);
}

/* So is it on a queue that was synthesised without. */
static void test_tx_coe_no_queue(struct mac *m)
{
	mac_start(m);
	tx_untouched(m, udp);
}

static void test_tx_coe_errors(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f;

	mac_start(m);
	build(&f, (struct frame_spec){ .ip = IP_V4, .proto = 17, .payload = 99,
				       .ip_len_lie = 40 });
	mac_tx(m, 0, f.data, f.len, TX_CIC(3));
	wire_recv(m->q, 1, got, sizeof(got), 0);
	CHECK_EQ(tx_word(m, 0, 0, 3) & 0x1ffff, 1 << 12 | 1 << 15);
	build(&f, udp);
	f.data[f.l3] = 0x65;
	mac_tx(m, 0, f.data, f.len, TX_CIC(3));
	wire_recv(m->q, 1, got, sizeof(got), 0);
	CHECK_EQ(tx_word(m, 0, 1, 3) & 0x1ffff, 1 << 0 | 1 << 15);
}

/* Nobody reads the wire: the ring stops, and goes on when somebody does. */
static void test_tx_back_pressure(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f;
	unsigned sent = 0, seen = 0;

	build(&f, (struct frame_spec){ .payload = 1400 });
	mac_start(m);
	do {
		f.data[20] = sent;
		f.data[21] = sent >> 8;
		mac_tx(m, 0, f.data, f.len, 0);
	} while (!(tx_word(m, 0, sent++, 3) & TX_OWN) && sent < 5000);
	CHECK(sent < 5000);
	while (seen < sent && wire_recv(m->q, 1, got, sizeof(got), 5000)) {
		CHECK_EQ(got[20] | got[21] << 8, seen);
		seen++;
	}
	CHECK_EQ(seen, sent);
	CHECK_SOON(!(tx_word(m, 0, sent - 1, 3) & TX_OWN));
}

/* ---- receive ---- */

static void test_rx(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f;
	uint32_t crc;

	build(&f, (struct frame_spec){ .payload = 300 });
	crc = frame_crc(f.data, f.len);
	mac_start(m);
	rx_ring(m, 0, RING);
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(rx_done(m, 0, 0));
	CHECK_EQ(rx_word(m, 0, 0, 3), GOOD | (f.len + 4));
	qtest_memread(m->q, rx_buf(0, 0), got, f.len + 4);
	CHECK(!memcmp(got, f.data, f.len));
	CHECK(!memcmp(got + f.len, &crc, 4));
	CHECK_EQ(rd(m, CH_STATUS) & ~ST_TBU, ST_RI | ST_NIS);
	CHECK(qtest_irq(m->q));
	wr(m, CH_STATUS, ST_RI | ST_NIS);
	CHECK(!qtest_irq(m->q));
}

static void test_rx_wrap(struct mac *m)
{
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 100 });
	mac_start(m);
	rx_ring(m, 0, RING);
	for (unsigned i = 0; i < 3 * RING; i++) {
		wire_send(m->q, 1, f.data, f.len);
		CHECK_SOON(rx_done(m, 0, i));
		rx_give(m, 0, i);
	}
	CHECK_EQ(ch_rd(m, 0, qos.cur_rx), rx_addr(m, 0, 0));
}

/* 128-byte buffers, two a descriptor: 300 + 4 bytes need two descriptors. */
static void test_rx_spanning(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 286 });
	m->rbsz = 128;
	mac_start(m);
	for (unsigned i = 0; i < RING; i++)
		rx_desc(m, 0, i, rx_buf(0, i), 0, rx_buf(0, i) + 1024,
			RX_B1V | RX_B2V | RX_IOC);
	rx_kick(m, 0);
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(rx_done(m, 0, 1));
	CHECK_EQ(rx_word(m, 0, 0, 3), RX_FD | 256);
	CHECK_EQ(rx_word(m, 0, 1, 3), (GOOD & ~RX_FD) | 304);
	qtest_memread(m->q, rx_buf(0, 0), got, 128);
	qtest_memread(m->q, rx_buf(0, 0) + 1024, got + 128, 128);
	qtest_memread(m->q, rx_buf(0, 1), got + 256, 44);
	CHECK(!memcmp(got, f.data, f.len));
}

/* A second buffer that is not valid is not there, whatever its address. */
static void test_rx_one_buffer(struct mac *m)
{
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 186 });
	m->rbsz = 128;
	mac_start(m);
	for (unsigned i = 0; i < RING; i++)
		rx_desc(m, 0, i, rx_buf(0, i), 0, rx_buf(0, i) + 1024,
			RX_B1V | RX_IOC);
	rx_kick(m, 0);
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(rx_done(m, 0, 1));
	CHECK_EQ(rx_word(m, 0, 0, 3), RX_FD | 128);
	CHECK_EQ(qtest_readl(m->q, rx_buf(0, 0) + 1024), 0);
}

/* No descriptor: suspended until the tail pointer is written; nothing lost. */
static void test_rx_unavailable(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 500 });
	mac_start(m);
	ch_wr(m, 0, qos.int_en, ST_AIS | ST_RBU);
	rx_ring(m, 0, 1);
	for (unsigned i = 0; i < 3; i++) {
		f.data[20] = i;
		wire_send(m->q, 1, f.data, f.len);
	}
	CHECK_SOON(rd(m, CH_STATUS) & ST_RBU);
	CHECK_EQ(rd(m, CH_STATUS) & ST_AIS, ST_AIS);
	CHECK_EQ(rd(m, 0x100c) >> 8 & 0xf, 4);
	CHECK(qtest_irq(m->q));
	CHECK_SOON(rd(m, 0xd38) >> 16 == 2);
	/* owning a descriptor is not enough */
	rx_desc(m, 0, 1, rx_buf(0, 1), 0, 0, RX_B1V | RX_IOC);
	rx_desc(m, 0, 2, rx_buf(0, 2), 0, 0, RX_B1V | RX_IOC);
	CHECK(!rx_done(m, 0, 1));
	rx_kick(m, 0);
	CHECK(rx_done(m, 0, 1));
	CHECK(rx_done(m, 0, 2));
	qtest_memread(m->q, rx_buf(0, 2), got, f.len);
	CHECK(!memcmp(got, f.data, f.len));
}

/* The ring ends inside a frame: the rest of it comes later. */
static void test_rx_suspended_inside(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 286 });
	m->rbsz = 128;
	mac_start(m);
	rx_ring(m, 0, 1);
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(rd(m, CH_STATUS) & ST_RBU);
	CHECK_EQ(rx_word(m, 0, 0, 3), RX_FD | 128);
	rx_give(m, 0, 1);
	rx_give(m, 0, 2);
	CHECK_EQ(rx_word(m, 0, 1, 3), 256);
	CHECK_EQ(rx_word(m, 0, 2, 3), (GOOD & ~RX_FD) | 304);
	qtest_memread(m->q, rx_buf(0, 2), got, 44);
	CHECK(!memcmp(got, f.data + 256, 44));
}

/* What is stripped meanwhile may be more than what is left of the frame. */
static void test_rx_shrinks(struct mac *m)
{
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 286 });
	f.data[12] = 0;
	f.data[13] = 20;	/* an 802.3 length */
	m->rbsz = 128;
	mac_start(m);
	rx_ring(m, 0, 1);
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(rd(m, CH_STATUS) & ST_RBU);
	CHECK_EQ(rx_word(m, 0, 0, 3), RX_FD | 128);
	wr(m, MAC_CONFIG, MAC_TE | MAC_RE | MAC_ACS);
	rx_give(m, 0, 1);
	CHECK_EQ(rx_word(m, 0, 1, 3), RX_LD | RX_RS | 34);
	/* and the next one is whole */
	rx_give(m, 0, 2);
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(rx_done(m, 0, 2));
	CHECK_EQ(rx_word(m, 0, 2, 3), RX_FD | RX_LD | RX_RS | 34);
}

/* With nobody to hold frames back the FIFO overflows, and says so. */
static void test_rx_overflow(struct mac *m)
{
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 986 });
	mac_start(m);
	wr(m, RXQ_OP(0), 15 << 20);	/* 4 KiB: four frames */
	wr(m, Q_INT(0), 1 << 24);
	for (unsigned i = 0; i < 6; i++)
		wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(rd(m, Q_INT(0)) & 1 << 16);
	CHECK_EQ(rd(m, 0xc20), 1);
	CHECK_EQ(rd(m, DMA_INT) & 1 << 16, 1 << 16);
	CHECK(qtest_irq(m->q));
	CHECK_SOON(rd(m, MMC + 0xd4) == 2);
	CHECK_EQ(rd(m, RXQ_LOST(0)), 2);
	CHECK_EQ(rd(m, RXQ_LOST(0)), 0);
	wr(m, Q_INT(0), 1 << 24 | 1 << 16);
	CHECK_EQ(rd(m, Q_INT(0)), 1 << 24);
	rx_ring(m, 0, RING);
	CHECK(rx_done(m, 0, 3));
	CHECK(!rx_done(m, 0, 4));
}

static void test_rx_off(struct mac *m)
{
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 100 });
	mac_start(m);
	rx_ring(m, 0, RING);
	wr(m, MAC_CONFIG, MAC_TE);
	wire_send(m->q, 1, f.data, f.len);
	/* the frame comes from a socket: let QEMU look at it */
	for (unsigned i = 0; i < 100; i++)
		rd(m, CH_STATUS);
	wr(m, MAC_CONFIG, MAC_TE | MAC_RE);
	f.data[20] = 0x77;
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(rx_done(m, 0, 0));
}

/* RDES1: the engine's verdict; no error summary, whatever it is. */
static uint32_t coe_verdict(const struct coe_case *c)
{
	if (!c->seen)
		return 0;
	return (c->spec.ip == IP_V4 ? 0x10 : 0x20) | c->proto |
	       (c->hdr_err ? 1 << 3 : 0) | (c->bypass ? 1 << 6 : 0) |
	       (c->pay_err ? 1 << 7 : 0);
}

/* RDES3: the kind of a frame, a DSA tag being a length. */
static uint32_t coe_kind(const struct coe_case *c)
{
	static const uint8_t lt[COE_TAGS] = {
		[TAG_NONE] = 1, [TAG_VLAN] = 4, [TAG_QINQ] = 5,
		[TAG_TWO_VLAN] = 5, [TAG_EDSA] = 1, [TAG_DSA] = 0,
		[TAG_A5PSW] = 1,
	};

	return lt[c->tag] << 16;
}

static uint32_t coe_nothing(const struct coe_case *c)
{
	(void)c;
	return 0;
}

static void start_coe(struct mac *m, uint32_t rxq)
{
	mac_reset(m);
	mac_start(m);
	wr(m, MAC_CONFIG, MAC_RE | MAC_TE | MAC_IPC);
	wr(m, RXQ_OP(0), 63 << 20 | rxq);
}

static void test_rx_coe(struct mac *m)
{
	start_coe(m, 0);
	mq_rx_coe(m, 1, 0xffff, coe_verdict);
	start_coe(m, 0);
	mq_rx_coe(m, 3, 0x78000, coe_kind);
	/* in store-and-forward mode, DIS_TCP_EF and FEP do the same */
	start_coe(m, RSF | DIS_TCP_EF);
	mq_rx_coe(m, 1, 0xffff, coe_verdict);
	start_coe(m, RSF | FEP);
	mq_rx_coe(m, 1, 0xffff, coe_verdict);
}

static void test_rx_coe_off(struct mac *m)
{
	mac_start(m);
	mq_rx_coe(m, 1, 0xffff, coe_nothing);
}

/* Store and forward, DIS_TCP_EF clear: what fails never gets to the ring. */
static void test_rx_coe_drop(struct mac *m)
{
	start_coe(m, RSF);
	mq_rx_coe_drop(m);
}

/* An 802.3 length loses pad and FCS with ACS, a type its FCS with CST. */
static void test_rx_strip(struct mac *m)
{
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 86 });
	mac_start(m);
	wr(m, MAC_CONFIG, MAC_TE | MAC_RE | MAC_ACS);
	rx_ring(m, 0, RING);
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(rx_done(m, 0, 0));
	CHECK_EQ(rx_word(m, 0, 0, 3) & 0x7fff, f.len + 4);
	f.data[12] = 0;
	f.data[13] = 40;
	wire_send(m->q, 1, f.data, 60);
	CHECK_SOON(rx_done(m, 0, 1));
	CHECK_EQ(rx_word(m, 0, 1, 3) & 0x7fff, 54);
	wr(m, MAC_CONFIG, MAC_TE | MAC_RE | MAC_CST);
	f.data[12] = 0x88;
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(rx_done(m, 0, 2));
	CHECK_EQ(rx_word(m, 0, 2, 3) & 0x7fff, f.len);
}

/* The FCS of a frame, and of one that waited for its descriptor. */
static void test_rx_fcs(struct mac *m)
{
	struct frame f;
	uint8_t got[4];
	uint32_t crc;

	build(&f, (struct frame_spec){ .payload = 100 });
	crc = frame_crc(f.data, f.len);
	mac_start(m);
	rx_ring(m, 0, 1);
	wire_send(m->q, 1, f.data, f.len);
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(rd(m, 0xd38) >> 16 == 1);
	rx_desc(m, 0, 1, rx_buf(0, 1), 0, 0, RX_B1V | RX_IOC);
	rx_kick(m, 0);
	CHECK_SOON(rx_done(m, 0, 1));
	for (unsigned i = 0; i < 2; i++) {
		qtest_memread(m->q, rx_buf(0, i) + f.len, got, 4);
		CHECK(!memcmp(got, &crc, 4));
	}
}

/*
 * The checksum engine looks at a frame once, as it comes in: what its registers
 * and faults are when the frame's descriptor comes is nothing to it.
 */
static void test_rx_judged_once(struct mac *m)
{
	struct frame f;

	build(&f, (struct frame_spec){ .ip = IP_V4, .proto = 17,
				       .payload = 100 });
	mac_start(m);
	wr(m, MAC_CONFIG, MAC_TE | MAC_RE | MAC_IPC);
	rx_ring(m, 0, 1);
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(rx_done(m, 0, 0));
	CHECK(qtest_set(m->q, "/machine/gmac1", "fault-rx-csum", 2));
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(rd(m, 0xd38) >> 16 == 1);
	wr(m, MAC_CONFIG, MAC_TE | MAC_RE);
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(rd(m, 0xd38) >> 16 == 2);
	wr(m, MAC_CONFIG, MAC_TE | MAC_RE | MAC_IPC);
	for (unsigned i = 1; i < 4; i++)
		rx_give(m, 0, i);
	CHECK_SOON(rx_done(m, 0, 2));
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(rx_done(m, 0, 3));
	CHECK_EQ(rx_word(m, 0, 0, 1), 0x11);
	CHECK_EQ(rx_word(m, 0, 1, 1), 0x91);	/* the first lie */
	CHECK_EQ(rx_word(m, 0, 2, 1), 0);	/* no engine */
	CHECK_EQ(rx_word(m, 0, 3, 1), 0x91);	/* the second lie */
}

/* More than the driver's own write stores: in order, and the wire goes on. */
static void test_rx_backlog(struct mac *m)
{
	struct frame f;
	uint8_t got;

	build(&f, (struct frame_spec){ .payload = 986 });
	mac_start(m);
	rx_ring(m, 0, 1);
	for (unsigned i = 0; i < RING; i++) {
		f.data[20] = i;
		wire_send(m->q, 1, f.data, f.len);
	}
	CHECK_SOON(rd(m, 0xd38) >> 16 >= 6);
	for (unsigned i = 1; i < RING; i++)
		rx_desc(m, 0, i, rx_buf(0, i), 0, 0, RX_B1V | RX_IOC);
	rx_kick(m, 0);
	CHECK_SOON(rx_done(m, 0, RING - 1));
	for (unsigned i = 0; i < RING; i++) {
		qtest_memread(m->q, rx_buf(0, i) + 20, &got, 1);
		CHECK_EQ(got, i);
	}
	CHECK_EQ(rd(m, 0xd38) >> 16, 0);
}

/* The limit lies in the FCS: its first three bytes are stored. */
static void test_rx_cut_fcs(struct mac *m)
{
	uint8_t data[2045] = { 2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 0x88, 0xb5 };
	uint32_t crc = frame_crc(data, sizeof(data));
	uint8_t got[3];

	m->rbsz = 2048;
	mac_start(m);
	rx_ring(m, 0, 1);
	wire_send(m->q, 1, data, sizeof(data));
	CHECK_SOON(rx_done(m, 0, 0));
	CHECK_EQ(rx_word(m, 0, 0, 3) & 0x40ffff, 2048 | 1 << 15 | 1 << 22);
	qtest_memread(m->q, rx_buf(0, 0) + 2045, got, 3);
	CHECK(!memcmp(got, &crc, 3));
}

/* Longer than a frame may be: giant at 1519, cut off beyond 2048. */
static void test_rx_long(struct mac *m)
{
	uint8_t big[3000] = { 2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 0x88, 0xb5 };

	m->rbsz = 4096;
	mac_start(m);
	rx_ring(m, 0, RING);
	wire_send(m->q, 1, big, 1514);
	wire_send(m->q, 1, big, 1515);
	wire_send(m->q, 1, big, 3000);
	CHECK_SOON(rx_done(m, 0, 2));
	CHECK_EQ(rx_word(m, 0, 0, 3), GOOD | 1518);
	CHECK_EQ(rx_word(m, 0, 1, 3), GOOD | 1519 | 1 << 23 | 1 << 15);
	CHECK_EQ(rx_word(m, 0, 2, 3) & 0xffff, 2048 | 1 << 15);
	CHECK_EQ(rx_word(m, 0, 2, 3) & 1 << 22, 1 << 22);
	CHECK_EQ(rd(m, CH_STATUS) & 1 << 9, 1 << 9);
	/* JE: jumbo frames */
	wr(m, MAC_CONFIG, MAC_TE | MAC_RE | MAC_JE);
	wire_send(m->q, 1, big, 3000);
	CHECK_SOON(rx_done(m, 0, 3));
	CHECK_EQ(rx_word(m, 0, 3, 3), GOOD | 3004);
	/* a programmed limit of 3 KiB is long enough; store-and-forward drops */
	wr(m, MAC_CONFIG, MAC_TE | MAC_RE);
	wr(m, 0xc, 1 << 8 | 1);
	wire_send(m->q, 1, big, 3000);
	CHECK_SOON(rx_done(m, 0, 4));
	CHECK_EQ(rx_word(m, 0, 4, 3) & 1 << 22, 0);
	wr(m, 0xc, 0);
	wr(m, RXQ_OP(0), 63 << 20 | RSF);
	wire_send(m->q, 1, big, 3000);
	wire_send(m->q, 1, big, 100);
	CHECK_SOON(rx_done(m, 0, 5));
	CHECK_EQ(rx_word(m, 0, 5, 3), GOOD | 104);
}

static void test_rx_filter(struct mac *m)
{
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 100 });
	mac_start(m);
	rx_ring(m, 0, RING);
	f.data[5] = 9;
	wire_send(m->q, 1, f.data, f.len);
	f.data[5] = 1;
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(rx_done(m, 0, 0));
	qtest_writel(m->q, rx_buf(0, 1), 0);
	/* receive all: the filter's verdict is in RDES2 */
	wr(m, MAC_FILTER, 1u << 31);
	f.data[5] = 9;
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(rx_done(m, 0, 1));
	CHECK_EQ(rx_word(m, 0, 0, 2), 0);
	CHECK_EQ(rx_word(m, 0, 1, 2), 1 << 17);
	/* hash */
	wr(m, MAC_FILTER, 1 << 2);
	memcpy(f.data, "\x01\x00\x5e\x00\x00\x01", 6);
	wire_send(m->q, 1, f.data, f.len);
	build(&f, (struct frame_spec){ .payload = 200 });
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(rx_done(m, 0, 2));
	CHECK_EQ(rx_word(m, 0, 2, 3), GOOD | (f.len + 4));
	memcpy(f.data, "\x01\x00\x5e\x00\x00\x01", 6);
	wr(m, 0x14, 1);	/* bit 32 is where this address goes */
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(rx_done(m, 0, 3));
}

static void test_rx_riwt(struct mac *m)
{
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 100 });
	mac_start(m);
	ch_wr(m, 0, qos.riwt, 10);
	rx_desc(m, 0, 0, rx_buf(0, 0), 0, 0, RX_B1V);
	rx_desc(m, 0, 1, rx_buf(0, 1), 0, 0, RX_B1V);
	rx_kick(m, 0);
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(rx_done(m, 0, 0));
	CHECK_EQ(rd(m, CH_STATUS) & ST_RI, 0);
	/* ten times 256 clocks of 8 ns */
	qtest_clock_step(m->q, 20479);
	CHECK_EQ(rd(m, CH_STATUS) & ST_RI, 0);
	qtest_clock_step(m->q, 1);
	CHECK_EQ(rd(m, CH_STATUS) & ST_RI, ST_RI);
	CHECK(qtest_irq(m->q));
}

/* The summary comes back while a cause stands, and when it is unmasked. */
static void test_irq_summary(struct mac *m)
{
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 100 });
	mac_start(m);
	ch_wr(m, 0, qos.int_en, ST_NIS);
	rx_ring(m, 0, RING);
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(rd(m, CH_STATUS) & ST_RI);
	CHECK_EQ(rd(m, CH_STATUS) & ST_NIS, 0);
	CHECK(!qtest_irq(m->q));
	ch_wr(m, 0, qos.int_en, ST_NIS | ST_RI);
	CHECK(qtest_irq(m->q));
	wr(m, CH_STATUS, ST_NIS);
	CHECK_EQ(rd(m, CH_STATUS) & ST_NIS, ST_NIS);
	wr(m, CH_STATUS, ST_NIS | ST_RI);
	CHECK(!qtest_irq(m->q));
}

/* Up to 4.00 the summaries' enable bits were one place higher. */
static void test_irq_400(struct mac *m)
{
	struct frame f;

	CHECK_EQ(rd(m, 0x110), 0x1040);
	build(&f, (struct frame_spec){ .payload = 100 });
	mac_start(m);
	rx_ring(m, 0, RING);
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(rd(m, CH_STATUS) & ST_NIS);
	CHECK(!qtest_irq(m->q));
	ch_wr(m, 0, qos.int_en, 1 << 16 | ST_RI);
	CHECK(qtest_irq(m->q));
}

/* ---- both ---- */

static void test_loopback(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 20 });
	mac_start(m);
	rx_ring(m, 0, RING);
	wr(m, MAC_CONFIG, MAC_TE | MAC_RE | MAC_LM | MAC_DM);
	mac_tx(m, 0, f.data, 34, 0);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), 0);
	CHECK_EQ(rx_word(m, 0, 0, 3), GOOD | 64);
	qtest_memread(m->q, rx_buf(0, 0), got, 34);
	CHECK(!memcmp(got, f.data, 34));
}

/* The PHY loops back too, when its BMCR says so. */
static void test_phy_loopback(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 200 });
	mac_start(m);
	rx_ring(m, 0, RING);
	wr(m, MAC_MDIO_VAL, 0x4140);
	wr(m, MAC_MDIO, 1 << 21 | 0 << 16 | 1 << 2 | 1);
	mac_tx(m, 0, f.data, f.len, 0);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), 0);
	CHECK_EQ(rx_word(m, 0, 0, 3), GOOD | (f.len + 4));
	wr(m, MAC_MDIO_VAL, 0x1140);
	wr(m, MAC_MDIO, 1 << 21 | 0 << 16 | 1 << 2 | 1);
	mac_tx(m, 0, f.data, f.len, 0);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), f.len);
}

static void test_pause_rx(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f, p;

	build(&f, (struct frame_spec){ .payload = 100 });
	build(&p, (struct frame_spec){ .payload = 46 });
	memcpy(p.data, "\x01\x80\xc2\x00\x00\x01", 6);
	memcpy(p.data + 12, "\x88\x08\x00\x01\x00\x64", 6);
	mac_start(m);
	wr(m, RX_FLOW, 1);
	/* a control frame that is to be seen shows when the first is through */
	wr(m, MAC_FILTER, 2 << 6);
	rx_ring(m, 0, RING);
	wire_send(m->q, 1, p.data, p.len);
	CHECK_SOON(rd(m, 0xd08) & 1);
	mac_tx(m, 0, f.data, f.len, 0);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), 0);
	/* 100 quanta of 512 bits at 1 Gb/s */
	qtest_clock_step(m->q, 51200);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 1000), f.len);
	CHECK_EQ(rd(m, 0xd08) & 1, 0);
	/* also when the filter lets no control frame in */
	wr(m, MAC_FILTER, 0);
	wire_send(m->q, 1, p.data, p.len);
	CHECK_SOON(rd(m, 0xd08) & 1);
	CHECK_EQ(rx_word(m, 0, 1, 3) >> 31, 1);
}

static void test_pause_tx(struct mac *m)
{
	static const uint8_t want[18] = {
		1, 0x80, 0xc2, 0, 0, 1, 2, 0, 0, 0, 0, 1,
		0x88, 0x08, 0, 1, 0x12, 0x34
	};
	uint8_t got[FRAME_MAX];

	mac_start(m);
	wr(m, TX_FLOW, 0x12340003);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), 60);
	CHECK(!memcmp(got, want, sizeof(want)));
	CHECK_EQ(rd(m, TX_FLOW), 0x12340002);
}

/* The FIFO fills: PAUSE; it empties: a PAUSE of nothing. */
static void test_pause_level(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 986 });
	mac_start(m);
	/* 8 KiB, activate at full - 3 KiB, deactivate at full - 4.5 KiB */
	wr(m, RXQ_OP(0), 31 << 20 | 7 << 14 | 4 << 8 | EHFC | RSF);
	wr(m, TX_FLOW, 0xffff0002);
	for (unsigned i = 0; i < 5; i++)
		wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(rd(m, 0xd38) >> 16 == 5);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), 0);
	wire_send(m->q, 1, f.data, f.len);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 5000), 60);
	CHECK_EQ(got[16] << 8 | got[17], 0xffff);
	rx_give(m, 0, 0);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), 0);
	rx_give(m, 0, 1);
	rx_give(m, 0, 2);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 5000), 60);
	CHECK_EQ(got[16] << 8 | got[17], 0);
}

static void test_mmc(struct mac *m)
{
	unsigned count[IPC_COUNTERS], n = coe_counters(count);
	struct frame f;
	uint8_t got[FRAME_MAX];

	build(&f, (struct frame_spec){ .payload = 100 });
	mac_start(m);
	wr(m, MAC_CONFIG, MAC_TE | MAC_RE | MAC_IPC);
	wr(m, MMC, 1);
	mac_tx(m, 0, f.data, f.len, 0);
	wire_recv(m->q, 1, got, sizeof(got), 0);
	CHECK_EQ(rd(m, MMC + 0x14), f.len + 4);
	CHECK_EQ(rd(m, MMC + 0x18), 1);
	mq_rx_coe(m, 1, 0xffff, coe_verdict);
	CHECK_EQ(rd(m, MMC + 0x80), n);
	for (unsigned i = 0; i < IPC_COUNTERS; i++)
		CHECK_EQ(rd(m, MMC + 0x110 + 4 * i), count[i]);
	/* half full: an interrupt of the MAC, unless it is masked */
	wr(m, MMC, 1 << 4);
	for (unsigned i = 0; i < 16; i++) {
		mac_tx(m, 0, f.data, f.len, 0);
		wire_recv(m->q, 1, got, sizeof(got), 0);
	}
	wr(m, CH_STATUS, ST_ALL);
	CHECK_EQ(rd(m, MAC_INT) & 0x500, 0x500);
	CHECK_EQ(rd(m, DMA_INT), 1 << 17);
	CHECK(qtest_irq(m->q));
	wr(m, MMC + 0x10, 0xffffffff);
	CHECK(!qtest_irq(m->q));
}

static void test_reset_slow(struct mac *m)
{
	wr(m, MAC_CONFIG, MAC_TE);
	wr(m, qos.dma_mode, 1);
	wr(m, MAC_CONFIG, MAC_RE);
	CHECK_EQ(rd(m, MAC_CONFIG), 0);
	qtest_clock_step(m->q, 9999);
	CHECK_EQ(rd(m, qos.dma_mode) & 1, 1);
	qtest_clock_step(m->q, 1);
	CHECK_EQ(rd(m, qos.dma_mode) & 1, 0);
	wr(m, MAC_CONFIG, MAC_RE);
	CHECK_EQ(rd(m, MAC_CONFIG), MAC_RE);
}

/* ---- what a board puts before the MAC ---- */

#define VERSION  0x0110
#define GPIO     0x09030000u	/* virt's PL061; output 1 is gmac1's clock */
#define GPIO_DIR (GPIO + 0x400)
#define GPIO_PIN1 (GPIO + (2 << 2))

static void set_clock(struct mac *m, bool on)
{
	qtest_writel(m->q, GPIO_DIR, 2);
	qtest_writel(m->q, GPIO_PIN1, on ? 2 : 0);
}

static void test_clock_gate(struct mac *m)
{
	CHECK_EQ(rd(m, VERSION), 0);
	set_clock(m, true);
	CHECK_EQ(rd(m, VERSION) & 0xff, 0x51);
	mac_reset(m);
	wr(m, MAC_CONFIG, MAC_TE);
	set_clock(m, false);
	CHECK_EQ(rd(m, MAC_CONFIG), 0);
	wr(m, MAC_CONFIG, MAC_RE);
	mac_migrate(m);
	CHECK_EQ(rd(m, MAC_CONFIG), 0);
	set_clock(m, true);
	CHECK_EQ(rd(m, MAC_CONFIG), MAC_TE);
}

#define SMMU_GBPA   0x09050044u	/* what becomes of streams while it is off */
#define GBPA_UPDATE (1u << 31)
#define GBPA_ABORT  (1u << 20)

static void test_smmu(struct mac *m)
{
	uint8_t frame[60] = { 0 }, got[100];

	mac_start(m);
	mac_tx(m, 0, frame, sizeof(frame), 0);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 5000), sizeof(frame));
	qtest_writel(m->q, SMMU_GBPA, GBPA_UPDATE | GBPA_ABORT);
	mac_tx(m, 0, frame, sizeof(frame), 0);
	CHECK_EQ(ch_rd(m, 0, qos.status) & ST_FBE, ST_FBE);
	qtest_writel(m->q, SMMU_GBPA, GBPA_UPDATE);
	mac_reset(m);
	mac_start(m);
	mac_tx(m, 0, frame, sizeof(frame), 0);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 5000), sizeof(frame));
}

/* ---- many queues ---- */

/* Queues 0 to 3 on, each to its own channel. */
static void many_start(struct mac *m)
{
	for (unsigned q = 0; q < 4; q++) {
		wr(m, TXQ_OP(q), 15 << 16 | 2 | 2 << 2);
		wr(m, RXQ_OP(q), 15 << 20);
	}
	mac_start(m);
	wr(m, TXQ_OP(0), 15 << 16 | 2 | 2 << 2);
	wr(m, RXQ_OP(0), 15 << 20);
	wr(m, 0xa0, 0xaa);
	wr(m, 0xc30, 0x03020100);
	for (unsigned c = 0; c < 4; c++) {
		chan_start(m, c);
		rx_ring(m, c, RING);
	}
}

static void test_many_tx(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 100 });
	many_start(m);
	for (unsigned c = 0; c < 4; c++) {
		f.data[20] = c;
		mac_tx(m, c, f.data, f.len, 0);
		CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), f.len);
		CHECK_EQ(got[20], c);
		CHECK_EQ(ch_rd(m, c, qos.status) & ST_TI, ST_TI);
	}
	CHECK_EQ(rd(m, DMA_INT), 0xf);
	/* a queue that is off sends nothing */
	wr(m, TXQ_OP(2), 15 << 16 | 2);
	mac_tx(m, 2, f.data, f.len, 0);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), 0);
	wr(m, TXQ_OP(2), 15 << 16 | 2 | 2 << 2);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), f.len);
}

/* Sends a frame into the MAC; does it get to descriptor @n of channel @c? */
static void expect_on(struct mac *m, const struct frame *f, unsigned c)
{
	unsigned n = m->rx[c]++ % RING;

	wire_send(m->q, 1, f->data, f->len);
	CHECK_SOON(rx_done(m, c, n));
	rx_give(m, c, n);
}

static void test_many_rx(struct mac *m)
{
	struct frame f;

	many_start(m);
	build(&f, (struct frame_spec){ .payload = 100 });
	expect_on(m, &f, 0);
	/* untagged to queue 1, multicast to queue 2, LLDP to queue 3 */
	wr(m, MAC_FILTER, 1);
	wr(m, 0xa4, 1 << 12 | 1 << 20 | 2 << 16 | 3 << 8);
	expect_on(m, &f, 1);
	f.data[0] |= 1;
	expect_on(m, &f, 2);
	memcpy(f.data + 12, "\x88\xcc", 2);
	expect_on(m, &f, 3);
	/* priorities 1 and 6 to queue 2; others to queue 0 */
	wr(m, 0xa4, 1 << 12);
	wr(m, 0xa8, 0x42 << 16);
	build(&f, (struct frame_spec){ .payload = 100, .tag = VLAN,
				       .tag_len = 4 });
	expect_on(m, &f, 2);
	f.data[14] = 0xc0;
	expect_on(m, &f, 2);
	f.data[14] = 0xa0;
	expect_on(m, &f, 0);
	/* queue 1 to channel 3; then by destination address */
	build(&f, (struct frame_spec){ .payload = 100 });
	wr(m, 0xc30, 0x03020300);
	expect_on(m, &f, 3);
	wr(m, 0xc30, 0x03021000);
	wr(m, MAC_ADDR, 0x0100 | 2 << 16);
	expect_on(m, &f, 2);
	/* a queue that is off */
	wr(m, 0xa0, 0xa2);
	wire_send(m->q, 1, f.data, f.len);
	wr(m, 0xa0, 0xaa);
	expect_on(m, &f, 2);
}

/* ---- offloads ---- */

/* Starts the MAC with split headers and a ring of two buffers a descriptor. */
static void start_split(struct mac *m)
{
	mac_start(m);
	wr(m, 0x4, 2 << 20);
	ch_wr(m, 0, qos.control, 1 << 24);
	for (unsigned i = 0; i < RING; i++)
		rx_desc(m, 0, i, rx_buf(0, i), 0, rx_buf(0, i) + 1024,
			RX_B1V | RX_B2V | RX_IOC);
	rx_kick(m, 0);
}

/* Headers into buffer 1, payload into buffer 2, then buffer 2 only. */
static void test_split_header(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f;

	build(&f, (struct frame_spec){ .ip = IP_V4, .proto = 6,
				       .payload = 500 });
	m->rbsz = 256;
	start_split(m);
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(rx_done(m, 0, 1));
	CHECK_EQ(rx_word(m, 0, 0, 2) & 0x3ff, 54);
	CHECK_EQ(rx_word(m, 0, 0, 3) & 0x7fff, 54 + 256);
	CHECK_EQ(rx_word(m, 0, 1, 3) & 0x7fff, f.len + 4);
	qtest_memread(m->q, rx_buf(0, 0), got, 54);
	qtest_memread(m->q, rx_buf(0, 0) + 1024, got + 54, 256);
	qtest_memread(m->q, rx_buf(0, 1) + 1024, got + 310, f.len - 310);
	CHECK(!memcmp(got, f.data, f.len));
	/* what is no TCP or UDP is not split */
	build(&f, (struct frame_spec){ .payload = 100 });
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(rx_done(m, 0, 2));
	CHECK_EQ(rx_word(m, 0, 2, 2) & 0x3ff, 0);
	qtest_memread(m->q, rx_buf(0, 2), got, f.len);
	CHECK(!memcmp(got, f.data, f.len));
}

static void test_rx_vlan(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 100, .tag = VLAN,
				       .tag_len = 4 });
	mac_start(m);
	rx_ring(m, 0, RING);
	/* compare 12 bits, drop what fails, strip all, tag into RDES0 */
	wr(m, MAC_FILTER, 1 << 16);
	wr(m, MAC_VLAN, 6 | 1 << 16 | 3 << 21 | 1 << 24);
	wire_send(m->q, 1, f.data, f.len);
	f.data[15] = 6;
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(rx_done(m, 0, 0));
	CHECK_EQ(rx_word(m, 0, 0, 0), 0x2006);
	CHECK_EQ(rx_word(m, 0, 0, 2), 1 << 15);
	CHECK_EQ(rx_word(m, 0, 0, 3) & (1 << 25 | 0x7fff), 1 << 25 | f.len);
	qtest_memread(m->q, rx_buf(0, 0), got, f.len - 4);
	CHECK(!memcmp(got, f.data, 12));
	CHECK(!memcmp(got + 12, f.data + 16, f.len - 16));
}

/* Two tags: each is stripped, and told of, by bits of its own. */
static void test_rx_two_tags(struct mac *m)
{
	static const struct {
		uint32_t reg;
		unsigned from, to;	/* bytes that are gone */
		uint32_t tags;
	} rows[] = {
		{ 0, 12, 12, 0 },
		{ 3 << 21 | 1 << 24, 12, 16, 0x2005 },
		{ 3 << 28 | 1u << 31, 16, 20, 0x40060000 },
		{ 3 << 21 | 3 << 28 | 1 << 24 | 1u << 31, 12, 20, 0x40062005 },
		/* those that pass the filter; those that do not */
		{ 2 << 21 | 1 << 28, 16, 20, 0 },
		{ 1 << 21 | 2 << 28, 12, 16, 0 },
	};
	uint8_t got[FRAME_MAX];
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 100, .tag_len = 8,
		  .tag = { 0x88, 0xa8, 0x20, 5, 0x81, 0, 0x40, 6 } });
	mac_start(m);
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		unsigned gone = rows[i].to - rows[i].from;

		wr(m, MAC_VLAN, 1 << 26 | rows[i].reg);
		rx_give(m, 0, i);
		wire_send(m->q, 1, f.data, f.len);
		CHECK_SOON(rx_done(m, 0, i));
		CHECK_EQ(rx_word(m, 0, i, 0), rows[i].tags);
		CHECK_EQ(rx_word(m, 0, i, 3) & 0x7fff, f.len + 4 - gone);
		qtest_memread(m->q, rx_buf(0, i), got, f.len - gone);
		CHECK(!memcmp(got, f.data, rows[i].from));
		CHECK(!memcmp(got + rows[i].from, f.data + rows[i].to,
			      f.len - rows[i].to));
	}
}

static void test_vlan_slots(struct mac *m)
{
	struct frame f;

	CHECK_EQ(rd(m, 0x128) & 7, 1);
	build(&f, (struct frame_spec){ .payload = 100, .tag = VLAN,
				       .tag_len = 4 });
	mac_start(m);
	rx_ring(m, 0, RING);
	wr(m, MAC_FILTER, 1 << 16);
	wr(m, 0x54, 1 << 16 | 1 << 17 | 6);
	wr(m, MAC_VLAN, 2 << 2 | 1);
	/* the access takes its time, and another one has to wait for it */
	CHECK_EQ(rd(m, MAC_VLAN) & 1, 1);
	qtest_clock_step(m->q, 5000);
	CHECK_EQ(rd(m, MAC_VLAN) & 1, 0);
	wr(m, 0x54, 0);
	wr(m, MAC_VLAN, 2 << 2 | 2 | 1);
	CHECK_EQ(rd(m, 0x54), 1 << 16 | 1 << 17 | 6);
	wire_send(m->q, 1, f.data, f.len);
	f.data[15] = 6;
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(rx_done(m, 0, 0));
	CHECK_EQ(qtest_readl(m->q, rx_buf(0, 0) + 12) >> 24, 6);
}

static void test_tx_insert(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 100 });
	mac_start(m);
	/* SA: the frame comes without one */
	memmove(f.data + 6, f.data + 12, f.len - 12);
	mac_tx(m, 0, f.data, f.len - 6, 1 << 23);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), f.len);
	CHECK(!memcmp(got + 6, "\x02\x00\x00\x00\x00\x01", 6));
	CHECK(!memcmp(got + 12, f.data + 6, 60));
	/* and by register: replace with the second address */
	build(&f, (struct frame_spec){ .payload = 100 });
	wr(m, MAC_ADDR + 8, 0x6655);
	wr(m, MAC_ADDR + 12, 0x44332202);
	wr(m, MAC_CONFIG, MAC_TE | MAC_RE | 7 << 28);
	mac_tx(m, 0, f.data, f.len, 0);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), f.len);
	CHECK(!memcmp(got + 6, "\x02\x22\x33\x44\x55\x66", 6));
	wr(m, MAC_CONFIG, MAC_TE | MAC_RE);
	/* a tag from the context descriptor */
	wr(m, 0x60, 1 << 20);
	tx_desc(m, 0, m->tx[0]++, 0, 0, 0, TX_CTXT | 1 << 16 | 0x4123);
	qtest_memwrite(m->q, tx_buf(0, 3), f.data, f.len);
	tx_desc(m, 0, m->tx[0]++, tx_buf(0, 3), 0, f.len | 2 << 14,
		TX_FD | TX_LD);
	tx_kick(m, 0, 3);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), f.len + 4);
	CHECK(!memcmp(got + 12, "\x81\x00\x41\x23", 4));
	CHECK(!memcmp(got + 16, f.data + 12, f.len - 12));
	/* from the register, an S-VLAN */
	wr(m, 0x60, 1 << 19 | 1 << 18 | 2 << 16 | 0x5);
	mac_tx(m, 0, f.data, f.len, 0);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), f.len + 4);
	CHECK(!memcmp(got + 12, "\x88\xa8\x00\x05", 4));
}

static void test_rx_l34(struct mac *m)
{
	struct frame f;

	build(&f, (struct frame_spec){ .ip = IP_V4, .proto = 17,
				       .payload = 100 });
	mac_start(m);
	rx_ring(m, 0, RING);
	wr(m, MAC_FILTER, 1 << 20);
	/* the second filter: UDP, any destination port but this one */
	wr(m, 0x930, 1 << 16 | 1 << 20 | 1 << 21);
	wr(m, 0x934, (uint32_t)(f.data[f.l4 + 2] << 8 | f.data[f.l4 + 3])
	   << 16);
	wire_send(m->q, 1, f.data, f.len);
	f.data[f.l4 + 3] ^= 1;
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(rx_done(m, 0, 0));
	CHECK_EQ(rx_word(m, 0, 0, 2), 1u << 29 | 1 << 28);
}

static void frp_write(struct mac *m, unsigned at, uint32_t val)
{
	wr(m, 0xcb4, val);
	wr(m, 0xcb0, 1u << 31 | 1 << 16 | at);
	CHECK_EQ(rd(m, 0xcb0) >> 31, 0);
}

static void test_rx_parser(struct mac *m)
{
	const uint32_t table[] = {
		0x0000aa00, 0x0000ff00, 2 | 5 << 8, 0,	/* reject byte 21 */
		0, 0, 1, 0,
	};
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 100 });
	mac_start(m);
	rx_ring(m, 0, RING);
	for (unsigned i = 0; i < 8; i++)
		frp_write(m, i, table[i]);
	wr(m, 0xca0, 2 << 16 | 2);
	CHECK_EQ(rd(m, 0xca0), 1u << 31 | 2 << 16 | 2);
	wr(m, 0xc00, 1 << 15);
	CHECK_EQ(rd(m, 0xca0), 2 << 16 | 2);
	f.data[21] = 0xaa;
	wire_send(m->q, 1, f.data, f.len);
	f.data[21] = 0xab;
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(rx_done(m, 0, 0));
	CHECK_EQ(qtest_readl(m->q, rx_buf(0, 0) + 20) >> 8 & 0xff, 0xab);
}

static void test_arp(struct mac *m)
{
	uint8_t arp[60] = {
		255, 255, 255, 255, 255, 255, 2, 0, 0, 0, 0, 9, 8, 6,
		0, 1, 8, 0, 6, 4, 0, 1, 2, 0, 0, 0, 0, 9, 192, 0, 2, 9,
		0, 0, 0, 0, 0, 0, 192, 0, 2, 1,
	};
	static const uint8_t want[42] = {
		2, 0, 0, 0, 0, 9, 2, 0, 0, 0, 0, 1, 8, 6,
		0, 1, 8, 0, 6, 4, 0, 2, 2, 0, 0, 0, 0, 1, 192, 0, 2, 1,
		2, 0, 0, 0, 0, 9, 192, 0, 2, 9,
	};
	uint8_t got[FRAME_MAX];

	mac_start(m);
	rx_ring(m, 0, RING);
	wr(m, 0x210, 0xc0000201);
	wr(m, MAC_CONFIG, MAC_TE | MAC_RE | 1u << 31);
	wire_send(m->q, 1, arp, sizeof(arp));
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 5000), 60);
	CHECK(!memcmp(got, want, sizeof(want)));
	arp[41] = 2;
	wire_send(m->q, 1, arp, sizeof(arp));
	CHECK_SOON(rx_done(m, 0, 1));
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), 0);
}

/* Low-power idle: entered when idle, left to send, both with an interrupt. */
static void test_lpi(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 100 });
	mac_start(m);
	wr(m, 0xb4, 1 << 5);
	wr(m, 0xd0, 1 << 16 | 1 << 17 | 1 << 19);
	CHECK_EQ(rd(m, MAC_INT), 1 << 5);
	CHECK(qtest_irq(m->q));
	CHECK_EQ(rd(m, 0xd0) & 0x30f, 0x101);
	CHECK(!qtest_irq(m->q));
	mac_tx(m, 0, f.data, f.len, 0);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), f.len);
	/* out again, and not back: LPIEN is clear */
	CHECK_EQ(rd(m, 0xd0) & 0x1030f, 0x2);
	/* by the timer, again and again */
	wr(m, 0xd8, 64);
	wr(m, 0xd0, 1 << 16 | 1 << 17 | 1 << 19 | 1 << 20);
	qtest_clock_step(m->q, 63999);
	CHECK_EQ(rd(m, 0xd0) & 0x30f, 0);
	qtest_clock_step(m->q, 1);
	CHECK_EQ(rd(m, 0xd0) & 0x30f, 0x101);
	mac_tx(m, 0, f.data, f.len, 0);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), f.len);
	CHECK_EQ(rd(m, 0xd0) & 0x30f, 0x2);
	qtest_clock_step(m->q, 64000);
	CHECK_EQ(rd(m, 0xd0) & 0x30f, 0x101);
	/* without LPITXA frames wait for software */
	wr(m, 0xd0, 1 << 16 | 1 << 17);
	mac_tx(m, 0, f.data, f.len, 0);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), 0);
	wr(m, 0xd0, 1 << 17);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), f.len);
}

/* Eight wake-up filters behind one address. */
static void test_wake_filter(struct mac *m)
{
	for (unsigned i = 0; i < 8; i++)
		wr(m, 0xc4, i + 1);
	wr(m, 0xc0, 1u << 31);
	CHECK_EQ(rd(m, 0xc0), 0);
	for (unsigned i = 0; i < 8; i++)
		CHECK_EQ(rd(m, 0xc4), i + 1);
}

/* Asks for a fault; the rest of them is further down. */
static void fault(struct mac *m, const char *name, unsigned val)
{
	CHECK(qtest_set(m->q, "/machine/gmac1", name, val));
}

#define DPP_STATUS 0x140
#define FSM_CTRL   0x148
#define ECC_CTRL   0xcc0
#define MTL_SAFETY 0xcc4
#define ECC_EN     0xcc8
#define ECC_STATUS 0xccc
#define DPP_CTRL   0xce0
#define DMA_SAFETY 0x1080

static void test_safety(struct mac *m)
{
	CHECK_EQ(rd(m, 0x128) >> 28 & 3, 3);
	/* what is not checked is not found */
	fault(m, "fault-safety-mtl", 0xffff);
	fault(m, "fault-safety-mac", ~0u);
	fault(m, "fault-safety-dma", ~0u);
	CHECK_EQ(rd(m, DMA_SAFETY), 0);
	CHECK(!qtest_irq(m->q));
	wr(m, ECC_CTRL, 0x11f);
	/* an error that was corrected is told of if that is asked for */
	fault(m, "fault-safety-mtl", 1 << 4);
	CHECK_EQ(rd(m, ECC_STATUS), 1 << 4);
	CHECK_EQ(rd(m, MTL_SAFETY), 0);
	wr(m, ECC_EN, 0x1111);
	CHECK_EQ(rd(m, MTL_SAFETY), 1);
	CHECK_EQ(rd(m, DMA_SAFETY), 1 << 28);
	CHECK(qtest_irq(m->q));
	wr(m, ECC_STATUS, 1 << 4);
	CHECK_EQ(rd(m, DMA_SAFETY), 0);
	CHECK(!qtest_irq(m->q));
	/* one that was not, always */
	wr(m, ECC_EN, 0);
	fault(m, "fault-safety-mtl", 1 << 2);
	CHECK_EQ(rd(m, MTL_SAFETY), 2);
	CHECK_EQ(rd(m, DMA_SAFETY), 1 << 29);
	wr(m, ECC_STATUS, 0x7777);
	fault(m, "fault-safety-dma", 1 << 2);
	CHECK_EQ(rd(m, DMA_SAFETY), 2);
	CHECK_EQ(rd(m, MTL_SAFETY), 0);
	wr(m, 0x1088, 7);
	/* parity, timeouts, the state machines' own parity */
	wr(m, DPP_CTRL, 7);
	CHECK_EQ(rd(m, DPP_CTRL), 7);
	fault(m, "fault-safety-mac", ~0u);
	CHECK_EQ(rd(m, DPP_STATUS), 0xff);
	wr(m, FSM_CTRL, 3);
	fault(m, "fault-safety-mac", ~0u);
	CHECK_EQ(rd(m, DPP_STATUS), 0x010fffff);
	CHECK_EQ(rd(m, DMA_SAFETY), 1u << 31);
	CHECK(qtest_irq(m->q));
	wr(m, DPP_STATUS, ~0u);
	CHECK(!qtest_irq(m->q));
}

/* ECC only: the others have no registers. */
static void test_safety_ecc(struct mac *m)
{
	CHECK_EQ(rd(m, 0x128) >> 28 & 3, 1);
	wr(m, DPP_CTRL, 7);
	wr(m, FSM_CTRL, 3);
	wr(m, ECC_CTRL, 0x11f);
	CHECK_EQ(rd(m, DPP_CTRL) | rd(m, FSM_CTRL), 0);
	CHECK_EQ(rd(m, ECC_CTRL), 0x11f);
}

static void test_no_safety(struct mac *m)
{
	CHECK_EQ(rd(m, 0x128) >> 28 & 3, 0);
	wr(m, ECC_CTRL, 0x11f);
	wr(m, ECC_EN, 0x1111);
	fault(m, "fault-safety-mtl", 0xffff);
	CHECK_EQ(rd(m, ECC_CTRL) | rd(m, ECC_EN) | rd(m, ECC_STATUS), 0);
}

/* ---- IEEE 1588 ---- */

#define PTP     0x0b00
#define PTP_TSENA   (1 << 0)
#define PTP_FINE    (1 << 1)
#define PTP_INIT    (1 << 2)
#define PTP_UPDT    (1 << 3)
#define PTP_ADDEND  (1 << 5)
#define PTP_ALL     (1 << 8)
#define PTP_DIGITAL (1 << 9)

/* 100 MHz, 10 ns each; the time is @sec and @nsec. */
static void ptp_start(struct mac *m, uint32_t sec, uint32_t nsec,
		      uint32_t more)
{
	wr(m, PTP + 4, 10 << 16);
	wr(m, PTP + 0x10, sec);
	wr(m, PTP + 0x14, nsec);
	wr(m, PTP, PTP_TSENA | PTP_DIGITAL | PTP_INIT | more);
	CHECK_EQ(rd(m, PTP) & PTP_INIT, 0);
}

static void test_ptp_time(struct mac *m)
{
	const uint32_t on = PTP_TSENA | PTP_DIGITAL;

	mac_start(m);
	ptp_start(m, 1000, 999999000, 0);
	CHECK_EQ(rd(m, PTP + 8), 1000);
	CHECK_EQ(rd(m, PTP + 0xc), 999999000);
	qtest_clock_step(m->q, 1500);
	CHECK_EQ(rd(m, PTP + 8), 1001);
	CHECK_EQ(rd(m, PTP + 0xc), 500);
	/* 2 s and 300 ns more; then 1 s and 200 ns less, as Linux asks */
	wr(m, PTP + 0x10, 2);
	wr(m, PTP + 0x14, 300);
	wr(m, PTP, on | PTP_UPDT);
	CHECK_EQ(rd(m, PTP + 8), 1003);
	CHECK_EQ(rd(m, PTP + 0xc), 800);
	wr(m, PTP + 0x10, -1u);
	wr(m, PTP + 0x14, 1u << 31 | (1000000000 - 200));
	wr(m, PTP, on | PTP_UPDT);
	CHECK_EQ(rd(m, PTP + 8), 1002);
	CHECK_EQ(rd(m, PTP + 0xc), 600);
	/* fine: every second tick counts */
	wr(m, PTP + 0x18, 0x80000000);
	wr(m, PTP, on | PTP_FINE | PTP_ADDEND);
	qtest_clock_step(m->q, 1000000);
	CHECK_EQ(rd(m, PTP + 0xc), 500600);
	/* off: it stands still */
	wr(m, PTP, PTP_DIGITAL);
	qtest_clock_step(m->q, 1000000);
	CHECK_EQ(rd(m, PTP + 0xc), 500600);
}

static void test_ptp_stamps(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 100 });
	mac_start(m);
	rx_ring(m, 0, 3);
	ptp_start(m, 77, 123450, PTP_ALL);
	/* received: a context descriptor behind the frame */
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(rx_done(m, 0, 1));
	CHECK_EQ(rx_word(m, 0, 0, 1) & 3 << 14, 1 << 14);
	CHECK_EQ(rx_word(m, 0, 1, 3), 1 << 30);
	CHECK_EQ(rx_word(m, 0, 1, 0), 123450);
	CHECK_EQ(rx_word(m, 0, 1, 1), 77);
	/* no descriptor is left for the next one's */
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(rx_done(m, 0, 2));
	CHECK_EQ(rx_word(m, 0, 2, 1) & 3 << 14, 2 << 14);
	/* sent: in the descriptor, if it asks */
	qtest_clock_step(m->q, 50);
	qtest_memwrite(m->q, tx_buf(0, 0), f.data, f.len);
	tx_desc(m, 0, 0, tx_buf(0, 0), 0, f.len | 1 << 30, TX_FD | TX_LD);
	tx_kick(m, 0, 0);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), f.len);
	CHECK_EQ(tx_word(m, 0, 0, 3), TX_FD | TX_LD | 1 << 17);
	CHECK_EQ(tx_word(m, 0, 0, 0), 123500);
	CHECK_EQ(tx_word(m, 0, 0, 1), 77);
	CHECK_EQ(rd(m, PTP + 0x20), 1 << 15);
	CHECK_EQ(rd(m, PTP + 0x30), 123500);
	CHECK_EQ(rd(m, PTP + 0x34), 77);
	CHECK_EQ(rd(m, PTP + 0x20), 0);
}

/* Only the messages that the snapshot type names. */
static void test_ptp_snapshot(struct mac *m)
{
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 60 });
	memcpy(f.data + 12, "\x88\xf7\x00\x02", 4);	/* SYNC */
	mac_start(m);
	rx_ring(m, 0, RING);
	ptp_start(m, 77, 0, 1 << 10 | 1 << 11 | 1 << 14 | 1 << 16);
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(rx_done(m, 0, 1));
	CHECK_EQ(rx_word(m, 0, 0, 1) & 1 << 14, 1 << 14);
	f.data[14] = 8;		/* Follow_Up */
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(rx_done(m, 0, 2));
	CHECK_EQ(rx_word(m, 0, 2, 1) & 1 << 14, 0);
}

/* TBS: descriptors of eight words, the launch time first. */
static void test_tbs(struct mac *m)
{
	const uint32_t at = tx_addr(m, 0, 0);
	uint8_t got[FRAME_MAX];
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 100 });
	mac_start(m);
	ch_wr(m, 0, qos.tx_control, 1 | 1 << 28);
	ptp_start(m, 255, 999999744, 0);
	qtest_memwrite(m->q, tx_buf(0, 0), f.data, f.len);
	/* at 256 s and 1024 ns, of which it sees second 0 */
	qtest_writel(m->q, at, 1u << 31 | 0);
	qtest_writel(m->q, at + 4, 1024);
	qtest_writel(m->q, at + 16, tx_buf(0, 0));
	qtest_writel(m->q, at + 24, f.len);
	qtest_writel(m->q, at + 28, TX_OWN | TX_FD | TX_LD);
	ch_wr(m, 0, qos.tx_tail, at + 32);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), 0);
	qtest_clock_step(m->q, 1270);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), 0);
	qtest_clock_step(m->q, 20);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), f.len);
	CHECK_EQ(qtest_readl(m->q, at + 28), TX_FD | TX_LD);
	/* a time that has passed: at once */
	qtest_writel(m->q, at + 32, 1u << 31 | 255);
	qtest_writel(m->q, at + 48, tx_buf(0, 0));
	qtest_writel(m->q, at + 56, f.len);
	qtest_writel(m->q, at + 60, TX_OWN | TX_FD | TX_LD);
	ch_wr(m, 0, qos.tx_tail, at + 64);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), f.len);
}

/* ---- faults on purpose ---- */

/* The core leaves buffer 2 of a split frame before it is full. */
static void test_split_short(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f;

	build(&f, (struct frame_spec){ .ip = IP_V4, .proto = 6,
				       .payload = 500 });
	m->rbsz = 1024;
	start_split(m);
	fault(m, "fault-split-short", 1);
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(rx_done(m, 0, 1));
	CHECK_EQ(rx_word(m, 0, 0, 2) & 0x3ff, 54);
	CHECK_EQ(rx_word(m, 0, 0, 3) & 0x7fff, 54 + 64);
	CHECK_EQ(rx_word(m, 0, 1, 3) & 0x7fff, f.len + 4);
	qtest_memread(m->q, rx_buf(0, 0), got, 54);
	qtest_memread(m->q, rx_buf(0, 0) + 1024, got + 54, 64);
	qtest_memread(m->q, rx_buf(0, 1) + 1024, got + 118, f.len - 118);
	CHECK(!memcmp(got, f.data, f.len));
	/* and the next one fits into one descriptor again */
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(rx_done(m, 0, 2));
	CHECK_EQ(rx_word(m, 0, 2, 3) & 0x7fff, f.len + 4);
}

static void test_faults(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f;

	build(&f, (struct frame_spec){ .ip = IP_V4, .proto = 17,
				       .payload = 100 });
	mac_start(m);
	rx_ring(m, 0, RING);
	/* the frame goes out, its descriptor stays open */
	fault(m, "fault-writeback", 1);
	mac_tx(m, 0, f.data, f.len, 0);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), f.len);
	CHECK_EQ(tx_word(m, 0, 0, 3) & TX_OWN, TX_OWN);
	mac_tx(m, 0, f.data, f.len, 0);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), f.len);
	CHECK_EQ(tx_word(m, 0, 1, 3) & TX_OWN, 0);
	/* completion comes late */
	wr(m, CH_STATUS, ST_ALL);
	fault(m, "fault-late-tx-ns", 70000);
	mac_tx(m, 0, f.data, f.len, 0);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), f.len);
	CHECK_EQ(tx_word(m, 0, 2, 3) & TX_OWN, TX_OWN);
	qtest_clock_step(m->q, 70000);
	CHECK_EQ(tx_word(m, 0, 2, 3) & TX_OWN, 0);
	CHECK_EQ(rd(m, CH_STATUS) & ST_TI, ST_TI);
	fault(m, "fault-late-tx-ns", 0);
	/* a lie about a checksum */
	wr(m, MAC_CONFIG, MAC_TE | MAC_RE | MAC_IPC);
	fault(m, "fault-rx-csum", 1);
	wire_send(m->q, 1, f.data, f.len);
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(rx_done(m, 0, 1));
	CHECK_EQ(rx_word(m, 0, 0, 1), 0x91);
	CHECK_EQ(rx_word(m, 0, 1, 1), 0x11);
	/* an overflow, a bus error */
	fault(m, "fault-rx-overflow", 1);
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(rd(m, Q_INT(0)) & 1 << 16);
	CHECK(!rx_done(m, 0, 2));
	fault(m, "fault-bus-error", 1);
	mac_tx(m, 0, f.data, f.len, 0);
	CHECK_EQ(rd(m, CH_STATUS) & (ST_FBE | 7 << 16), ST_FBE | 3 << 16);
	/* bits that do not come back */
	fault(m, "fault-stuck-busy", 1);
	wr(m, MAC_MDIO, 1 << 21 | 2 << 16 | 3 << 2 | 1);
	CHECK_EQ(rd(m, MAC_MDIO) & 1, 1);
	fault(m, "fault-stuck-busy", 0);
	fault(m, "fault-stuck-reset", 1);
	wr(m, qos.dma_mode, 1);
	qtest_clock_step(m->q, 1000000000);
	CHECK_EQ(rd(m, qos.dma_mode) & 1, 1);
	fault(m, "fault-stuck-reset", 0);
}

/* ---- demands that come close together ---- */

static unsigned sent(struct mac *m, int ms)
{
	uint8_t got[FRAME_MAX];
	unsigned n = 0;

	while (wire_recv(m->q, 1, got, sizeof(got), ms))
		n++;
	return n;
}

/* The first frame leaves at once, the next ones when they are old or many. */
static void test_gather(struct mac *m)
{
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 100 });
	mac_start(m);
	qtest_clock_step(m->q, 400000);
	mac_tx(m, 0, f.data, f.len, 0);
	CHECK_EQ(sent(m, 0), 1);
	CHECK(qtest_irq(m->q));
	ch_wr(m, 0, qos.status, ST_ALL);
	/* old */
	for (int i = 0; i < 6; i++)
		mac_tx(m, 0, f.data, f.len, 0);
	qtest_clock_step(m->q, 199999);
	CHECK_EQ(sent(m, 0), 0);
	CHECK_EQ(tx_word(m, 0, 1, 3) & TX_OWN, TX_OWN);
	CHECK(!qtest_irq(m->q));
	qtest_clock_step(m->q, 1);
	CHECK_EQ(sent(m, 0), 6);
	CHECK_EQ(tx_word(m, 0, 6, 3) & TX_OWN, 0);
	CHECK(qtest_irq(m->q));
	/* many: the eighth demand */
	for (int i = 0; i < 6; i++)
		mac_tx(m, 0, f.data, f.len, 0);
	tx_kick(m, 0, (m->tx[0] - 1) % RING);
	CHECK_EQ(sent(m, 0), 0);
	tx_kick(m, 0, (m->tx[0] - 1) % RING);
	CHECK_EQ(sent(m, 0), 6);
	/* the timer that was armed for them lets younger ones grow as old */
	qtest_clock_step(m->q, 150000);
	mac_tx(m, 0, f.data, f.len, 0);
	qtest_clock_step(m->q, 150000);
	CHECK_EQ(sent(m, 0), 0);
	qtest_clock_step(m->q, 50000);
	CHECK_EQ(sent(m, 0), 1);
}

/* What waits when a machine is saved leaves it where it is loaded, once. */
static void test_gather_vmstate(struct mac *m)
{
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 100 });
	mac_start(m);
	qtest_clock_step(m->q, 400000);
	for (int i = 0; i < 3; i++)
		mac_tx(m, 0, f.data, f.len, 0);
	CHECK_EQ(sent(m, 0), 1);
	mac_migrate(m);
	CHECK_SOON(!(tx_word(m, 0, 2, 3) & TX_OWN));
	qtest_clock_step(m->q, 400000);
	CHECK_EQ(sent(m, 0), 2);
	/* a reset forgets */
	mac_tx(m, 0, f.data, f.len, 0);
	CHECK_EQ(sent(m, 0), 1);
	mac_tx(m, 0, f.data, f.len, 0);
	mac_reset(m);
	qtest_clock_step(m->q, 400000);
	CHECK_EQ(sent(m, 0), 0);
}

/* ---- nonsense ---- */

/* Mostly addresses that mean something, so that the DMA gets far. */
static uint32_t rnd_addr(struct mac *m, uint32_t *s)
{
	switch (qtest_random(s) % 8) {
	case 0:
		return qtest_random(s);
	case 1:
		return m->base + qtest_random(s) % 0x1400;
	default:
		return tx_addr(m, 0, 0) + qtest_random(s) % 0x20000;
	}
}

static void rnd_step(struct mac *m, uint32_t *s)
{
	unsigned c = qtest_random(s) % 4;
	struct frame f;

	switch (qtest_random(s) % 8) {
	case 0:
		wr(m, (qtest_random(s) % 0x1400) & ~3, qtest_random(s));
		break;
	case 1:
		ch_wr(m, c, (qtest_random(s) % 0x64) & ~3, qtest_random(s));
		break;
	case 2:
		rd(m, (qtest_random(s) % 0x1400) & ~3);
		break;
	case 3:
		ch_wr(m, c, qtest_random(s) & 1 ? 0x14 : 0x1c, rnd_addr(m, s));
		ch_wr(m, c, 4, 1 | (qtest_random(s) & 1 << 12));
		ch_wr(m, c, 8, 1 | (qtest_random(s) & 0x7ffe));
		wr(m, MAC_CONFIG, MAC_TE | MAC_RE | qtest_random(s));
		break;
	case 4:
	case 5:
		for (unsigned i = 0; i < RING; i++) {
			tx_desc(m, c, i, rnd_addr(m, s), qtest_random(s) & 1 ? 0 :
				rnd_addr(m, s), qtest_random(s), qtest_random(s));
			rx_desc(m, c, i, rnd_addr(m, s), 0, rnd_addr(m, s),
				qtest_random(s));
		}
		rx_kick(m, c);
		break;
	case 6:
		build(&f, (struct frame_spec){ .ip = qtest_random(s) % 3, .proto = 17,
					       .payload = qtest_random(s) % 1400 });
		f.data[qtest_random(s) % f.len] ^= qtest_random(s);
		wire_send(m->q, 1, f.data, f.len);
		break;
	case 7:
		tx_kick(m, c, qtest_random(s));
		qtest_clock_step(m->q, 1 + qtest_random(s) % 100000);
		break;
	}
}

static void test_random(struct mac *m)
{
	const char *seed = getenv("SEED"), *steps = getenv("STEPS");
	uint32_t s = seed ? strtoul(seed, NULL, 0) : 20240111;
	unsigned n = steps ? strtoul(steps, NULL, 0) : 2000;
	uint8_t got[32768], f[FRAME_MAX];

	printf("# SEED=%u STEPS=%u\n", s, n);
	mac_start(m);
	while (n--) {
		rnd_step(m, &s);
		while (wire_recv(m->q, 1, got, sizeof(got), 0))
			;
	}
	/* the MAC is its old self after a reset */
	mac_reset(m);
	many_start(m);
	while (wire_recv(m->q, 1, got, sizeof(got), 100))
		;
	memset(f, 0x5a, 100);
	mac_tx(m, 0, f, 100, 0);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 1000), 100);
}

/* ---- saved and loaded ---- */

static void test_vmstate_registers(struct mac *m)
{
	static const uint32_t off[] = {
		0x0, 0x8, 0x10, 0x14, 0x50, 0x70, 0x90, 0xb4, 0x300, 0x304,
		0x308, 0x3f8, 0x714, 0x718, 0xc00, 0xd00, 0xd2c, 0xd30, 0x1004,
		0x1104, 0x1108, 0x1114, 0x111c, 0x1120, 0x1128, 0x112c, 0x1130,
		0x1134, 0x1138, 0x1144, 0x114c, 0x1154, 0x1160,
	};
	enum { N = sizeof(off) / sizeof(off[0]) };
	uint32_t before[N];
	uint8_t got[FRAME_MAX];
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 100 });
	mac_start(m);
	mac_tx(m, 0, f.data, f.len, 0);
	wire_recv(m->q, 1, got, sizeof(got), 0);
	wr(m, MAC_FILTER, 0x405);
	wr(m, 0x10, 0x12345678);
	wr(m, 0x50, 0x10005);
	wr(m, 0x3f8, 0x80001122);
	ch_wr(m, 0, qos.riwt, 0x55);
	for (unsigned i = 0; i < N; i++)
		before[i] = rd(m, off[i]);
	mac_migrate(m);
	for (unsigned i = 0; i < N; i++)
		if (!CHECK_EQ(rd(m, off[i]), before[i]))
			printf("# register 0x%04x\n", off[i]);
	/* the ring goes on where it was */
	mac_tx(m, 0, f.data, f.len, 0);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 1000), f.len);
}

/* Half a frame is in the transmit FIFO, two are in the receive FIFO. */
static void test_vmstate_fifos(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame want, f;

	build(&want, (struct frame_spec){ .ip = IP_V6, .proto = 6,
					  .payload = 400 });
	f = want;
	frame_blank_csums(&f);
	m->rbsz = 256;
	mac_start(m);
	qtest_memwrite(m->q, tx_buf(0, 0), f.data, f.len);
	tx_desc(m, 0, 0, tx_buf(0, 0), 0, 200, TX_FD | TX_CIC(3));
	tx_kick(m, 0, 0);
	/* the first received frame is half in the ring */
	rx_ring(m, 0, 1);
	wire_send(m->q, 1, want.data, want.len);
	wire_send(m->q, 1, want.data, want.len);
	CHECK_SOON(rd(m, 0xd38) >> 16 == 2);
	mac_migrate(m);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), 0);
	tx_desc(m, 0, 1, tx_buf(0, 0) + 200, 0, f.len - 200, TX_LD);
	tx_kick(m, 0, 1);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 1000), f.len);
	CHECK(!memcmp(got, want.data, f.len));
	for (unsigned i = 1; i < 4; i++)
		rx_desc(m, 0, i, rx_buf(0, i), 0, 0, RX_B1V | RX_IOC);
	rx_kick(m, 0);
	CHECK_SOON(rx_done(m, 0, 3));
	qtest_memread(m->q, rx_buf(0, 0), got, 256);
	qtest_memread(m->q, rx_buf(0, 1), got + 256, want.len - 256);
	CHECK(!memcmp(got, want.data, want.len));
	qtest_memread(m->q, rx_buf(0, 2), got, 256);
	qtest_memread(m->q, rx_buf(0, 3), got + 256, want.len - 256);
	CHECK(!memcmp(got, want.data, want.len));
}

/* ---- what is advertised ---- */

static const struct feature features[] = {
	{ 0x11c, 0x00000003, "tx: a frame" },			/* MIISEL, GMIISEL */
	{ 0x11c, 0x00000010, "other: offload: vlan: one register and hash" }, /* VLHASH */
	{ 0x11c, 0x00000020, "mdio" },				/* SMASEL */
	{ 0x11c, 0x00000040, "pmt: wake-up frame" },		/* RWKSEL */
	{ 0x11c, 0x00000080, "pmt: magic packet" },		/* MGKSEL */
	{ 0x11c, 0x00000100, "mmc" },				/* MMCSEL */
	{ 0x11c, 0x00000200, "arp offload" },			/* ARPOFFSEL */
	{ 0x11c, 0x02001000, "ptp: stamps" },			/* TSSEL, TSSTSSEL */
	{ 0x11c, 0x00002000, "low-power idle" },		/* EEESEL */
	{ 0x11c, 0x00004000, "tx: checksums inserted" },	/* TXCOESEL */
	{ 0x11c, 0x00010000, "rx: checksum verdicts" },		/* RXCOESEL */
	{ 0x11c, 0x007c0000, "rx: filter" },			/* ADDMACADRSEL */
	{ 0x11c, 0x08000000, "tx: source address and vlan tag" }, /* SAVLANINS */
	{ 0x120, 0x0000001f, "rx: FIFO overflow" },		/* RXFIFOSIZE */
	{ 0x120, 0x000007c0, "tx: no checksums in threshold mode" }, /* TXFIFOSIZE */
	{ 0x120, 0x0000c000, "addresses beyond 32 bits" },	/* ADDR64 */
	{ 0x120, 0x00020000, "rx: split header" },		/* SPHEN */
	{ 0x120, 0x00040000, "tso" },				/* TSOEN */
	{ 0x120, 0x03000000, "rx: filter" },			/* HASHTBLSZ */
	{ 0x120, 0x78000000, "rx: layer 4 filter" },		/* L3L4FNUM */
	{ 0x124, 0x0000000f, "rx: four queues" },		/* RXQCNT */
	{ 0x124, 0x000003c0, "tx: four queues" },		/* TXQCNT */
	{ 0x124, 0x07000000, "ptp: pps outputs" },		/* PPSOUTNUM */
	{ 0x124, 0x70000000, "ptp: auxiliary snapshots" },	/* AUXSNAPNUM */
	{ 0x128, 0x00000020, "rx: two vlan tags" },		/* DVLAN */
	{ 0x128, 0x00006400, "rx: flexible parser" },		/* FRPSEL, FRPES */
	{ 0x128, 0x08000000, "tbs" },				/* TBSSEL */
};

static void test_advertised(struct mac *m)
{
	for (uint32_t off = 0x11c; off <= 0x12c; off += 4)
		features_check(features, sizeof(features) / sizeof(features[0]), off,
			       rd(m, off), m->tests, m->n_tests, sizeof(struct test));
}

/* ---- the list ---- */

#define G "-global dwmac-qos."
#define FEW G "rx-coe=off " G "tx-coe=off " G "mmc=off " G "addr-slots=1 " \
	    G "hash-bits=256 " G "phy-if=1 " G "addr-width=32 " \
	    G "tx-fifo=2048 " G "rx-fifo=4096 " G "tx-queues=2 " \
	    G "rx-queues=4 " G "vlan-hash=off " G "arp-offload=off " \
	    G "sa-vlan-insertion=off " G "split-header=off " G "tso=off " \
	    G "l3l4-filters=0 " G "rx-parser=off " G "double-vlan=off " \
	    G "eee=off " G "pmt=off " G "ptp=off " G "tbs=off"
#define MANY G "tx-queues=4 " G "rx-queues=4"

static const struct test tests[] = {
	{ "reset values", test_reset_values, "" },
	{ "what is advertised has a test", test_advertised, "" },
	{ "power-on address", test_power_on_address, "" },
	{ "read-only bits", test_write_masks, "" },
	{ "mdio", test_mdio, "" },
	{ "tx: a frame", test_tx, "" },
	{ "tx: padding", test_tx_padding, "" },
	{ "tx: a frame with its own FCS", test_tx_own_crc, "" },
	{ "tx: a frame over three descriptors", test_tx_spanning,
	  "" },
	{ "tx: tail pointer", test_tx_tail, "" },
	{ "tx: no last descriptor", test_tx_no_last, "" },
	{ "tx: ring wraps", test_tx_wrap, "" },
	{ "tx: a ring in the MAC's own registers", test_tx_reentrant, "" },
	{ "tx: bus error", test_tx_bus_error, "" },
	{ "tx: stop and start", test_tx_stop, "" },
	{ "tx: jabber", test_tx_jabber, "" },
	{ "tx: checksums inserted", mq_test_tx_coe, "" },
	{ "tx: no checksums in threshold mode", test_tx_coe_threshold, "" },
	{ "tx: checksum status", test_tx_coe_errors, "" },
	{ "tx: back-pressure", test_tx_back_pressure, "" },
	{ "rx: a frame", test_rx, "" },
	{ "rx: ring wraps", test_rx_wrap, "" },
	{ "rx: a frame over two descriptors", test_rx_spanning, "" },
	{ "rx: second buffer not valid", test_rx_one_buffer, "" },
	{ "rx: ring empty, tail pointer", test_rx_unavailable, "" },
	{ "rx: ring ends inside a frame", test_rx_suspended_inside, "" },
	{ "rx: stripping comes inside a frame", test_rx_shrinks, "" },
	{ "rx: receiver off", test_rx_off, "" },
	{ "rx: checksum verdicts", test_rx_coe, "" },
	{ "rx: no verdict without IPC", test_rx_coe_off, "" },
	{ "rx: checksum errors dropped", test_rx_coe_drop, "" },
	{ "rx: stripping", test_rx_strip, "" },
	{ "rx: too long", test_rx_long, "" },
	{ "rx: the FCS, at once and late", test_rx_fcs, "" },
	{ "rx: checksums are looked at once", test_rx_judged_once, "" },
	{ "rx: a backlog", test_rx_backlog, "" },
	{ "rx: cut off in the FCS", test_rx_cut_fcs, "" },
	{ "rx: filter", test_rx_filter, "" },
	{ "rx: interrupt watchdog", test_rx_riwt, "" },
	{ "interrupt summary", test_irq_summary, "" },
	{ "loopback", test_loopback, "" },
	{ "loopback at the PHY", test_phy_loopback, "" },
	{ "pause obeyed", test_pause_rx, "" },
	{ "pause sent", test_pause_tx, "" },
	{ "pause by FIFO level", test_pause_level, "" },
	{ "mmc", test_mmc, "" },
	{ "tso", mq_test_tso, "" },
	{ "tso: no last descriptor", mq_test_tso_no_last, "" },
	{ "rx: split header", test_split_header, "" },
	{ "rx: vlan filter and stripping", test_rx_vlan, "" },
	{ "rx: two vlan tags", test_rx_two_tags, "" },
	{ "tx: source address and vlan tag", test_tx_insert, "" },
	{ "rx: layer 4 filter", test_rx_l34, "" },
	{ "rx: flexible parser", test_rx_parser, "" },
	{ "arp offload", test_arp, "" },
	{ "ptp: time", test_ptp_time, "" },
	{ "ptp: stamps", test_ptp_stamps, "" },
	{ "ptp: snapshots by message", test_ptp_snapshot, "" },
	{ "ptp: auxiliary snapshots", mq_test_snapshots, "" },
	{ "ptp: pps outputs", mq_test_pps, "" },
	{ "ptp: pps outputs stopped", mq_test_pps_stop, "" },
	{ "ptp: target times", mq_test_target_time, "" },
	{ "tbs", test_tbs, "" },
	{ "low-power idle", test_lpi, "" },
	{ "pmt: magic packet", mq_test_magic, "" },
	{ "pmt: wake-up frame", mq_test_wakeup, "" },
	{ "pmt: filter registers", test_wake_filter, "" },
	{ "no safety features", test_no_safety, "" },
	{ "addresses beyond 32 bits", mq_test_wide_addresses, "" },
	{ "split header: short", test_split_short, "" },
	{ "faults on purpose", test_faults, "" },
	{ "vmstate: registers and rings", test_vmstate_registers, "" },
	{ "vmstate: half a frame and two", test_vmstate_fifos, "" },
	{ "vmstate: in mid-traffic", mq_test_traffic, "" },
	{ "tx: four queues", test_many_tx, MANY },
	{ "rx: four queues", test_many_rx, MANY },
	{ "random registers, rings and frames", test_random, MANY },
	{ "rx: four vlan filters", test_vlan_slots,
	  G "vlan-filters=4 " G "indirect-busy-ns=5000" },
	{ "safety features", test_safety, G "asp=3" },
	{ "safety features: ECC only", test_safety_ecc, G "asp=1" },
	{ "rx: FIFO overflow", test_rx_overflow, G "rx-lossless=off" },
	{ "synthesis options", test_features, FEW },
	{ "mdio: clause 45", test_mdio45, "-global mdio-phy.c45=on -global mdio-phy.eee=on" },
	{ "mdio: busy", test_mdio_busy, G "mdio-busy-ns=25000" },
	{ "tx: demands are gathered", test_gather, G "tx-gather-ns=200000" },
	{ "tx: vmstate of what is gathered", test_gather_vmstate,
	  G "tx-gather-ns=200000" },
	{ "tx: a queue without checksum engine", test_tx_coe_no_queue,
	  G "tx-coe-queues=0xfe" },
	{ "interrupt summary of 4.00", test_irq_400, G "snpsver=0x40" },
	{ "software reset takes its time", test_reset_slow,
	  G "reset-ns=10000" },
	{ "a clock that is off", test_clock_gate, G "clock-gate=on" },
	{ "dma through an smmu", test_smmu, "-machine iommu=smmuv3" },
};

int main(void)
{
	return mac_run_tests(&qos, tests, sizeof(tests) / sizeof(tests[0]));
}
