// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The GMAC 3.70a model seen from its registers, its rings and its wire.
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
#include "dwmac-frame.h"
#include "dwmac-gmac.h"
#include "dwmac-traffic.h"

#define EDSA { 0xda, 0xda, 0, 0, 0x40, 0x08, 0, 0 }
#define DSA0 { 0x00, 0x08, 0, 0 }
#define VLAN { 0x81, 0x00, 0x20, 0x05 }

static void build(struct frame *f, struct frame_spec s)
{
	frame_build(f, &s);
}

/* ---- registers ---- */

static void test_reset_values(struct mac *m)
{
	static const struct { uint32_t off, want; } regs[] = {
		{ 0x0000, 0 }, { 0x0004, 0 }, { 0x0008, 0 }, { 0x000c, 0 },
		{ 0x0018, 0 }, { 0x001c, 0 }, { 0x0020, 0x1037 },
		{ 0x0038, 0 }, { 0x003c, 0 },
		{ 0x0040, 0x8000ffff }, { 0x0044, 0xffffffff },
		{ 0x0048, 0x0000ffff }, { 0x004c, 0xffffffff },
		{ 0x0878, 0x0000ffff }, { 0x087c, 0xffffffff },
		{ 0x0100, 0 }, { 0x1000, 0x00020100 }, { 0x100c, 0 },
		{ 0x1010, 0 }, { 0x1014, 0 }, { 0x1018, 0 }, { 0x101c, 0 },
		{ 0x1020, 0 }, { 0x1024, 0 }, { 0x1028, 0x00110001 },
		{ 0x1048, 0 }, { 0x104c, 0 },
		{ 0x002c, 0 }, { 0x0030, 0 }, { 0x0034, 0x03e80000 },
		{ 0x0584, 0 }, { 0x0588, 0 }, { 0x0700, 0 },
		/*
		 * MII, GMII, hash, addresses, MDIO, PMT, MMC, IEEE 1588, EEE,
		 * COE, FIFO, enhanced, insertion
		 */
		{ 0x1058, 0x0b0d7f33 },
	};

	wr(m, 0x1000, 1);
	for (unsigned i = 0; i < sizeof(regs) / sizeof(regs[0]); i++)
		if (!CHECK_EQ(rd(m, regs[i].off), regs[i].want))
			printf("# register 0x%04x\n", regs[i].off);
}

/* At power-on the address from mac= stands in slot 0. */
static void test_power_on_address(struct mac *m)
{
	CHECK(qtest_qmp(m->q, "{\"execute\":\"system_reset\"}"));
	CHECK_SOON(rd(m, 0x44) == 0x00545202);
	CHECK_EQ(rd(m, 0x40), 0x80001234);
}

static void test_write_masks(struct mac *m)
{
	static const uint32_t ro[] = { 0x20, 0x24, 0x38, 0xd8, 0x1020, 0x1048,
				       0x104c, 0x1050, 0x1054, 0x1058 };

	for (unsigned i = 0; i < sizeof(ro) / sizeof(ro[0]); i++) {
		uint32_t was = rd(m, ro[i]);

		wr(m, ro[i], ~was);
		CHECK_EQ(rd(m, ro[i]), was);
	}
	wr(m, 0x40, 0);
	CHECK_EQ(rd(m, 0x40), 0x80000000);
	wr(m, 0x48, 0xffffffff);
	CHECK_EQ(rd(m, 0x48), 0xff00ffff);
	wr(m, DMA_BUS, 1 << 16);
	CHECK_EQ(rd(m, 0x1028) & 1, 0);
	wr(m, MAC_CONTROL, MAC_IPC);
	CHECK_EQ(rd(m, MAC_CONTROL), MAC_IPC);
}

static uint16_t mdio_read(struct mac *m, unsigned phy, unsigned reg)
{
	wr(m, 0x10, phy << 11 | reg << 6 | 1);
	CHECK_EQ(rd(m, 0x10) & 1, 0);
	return rd(m, 0x14);
}

static void test_mdio(struct mac *m)
{
	CHECK_EQ(mdio_read(m, 7, 2), 0xffff);
	CHECK(mdio_read(m, 1, 2) != 0xffff);
	CHECK(mdio_read(m, 1, 2) != 0);
	wr(m, 0x14, 0x1de1);
	wr(m, 0x10, 1 << 11 | 4 << 6 | 2 | 1);
	CHECK_EQ(mdio_read(m, 1, 4), 0x1de1);
}

static void test_mdio_busy(struct mac *m)
{
	wr(m, 0x10, 7 << 11 | 2 << 6 | 1);
	CHECK_EQ(rd(m, 0x10) & 1, 1);
	/* a second access has to wait for the first */
	wr(m, 0x10, 1 << 11 | 2 << 6 | 1);
	qtest_clock_step(m->q, 24999);
	CHECK_EQ(rd(m, 0x10), 7 << 11 | 2 << 6 | 1);
	CHECK_EQ(rd(m, 0x14), 0);
	qtest_clock_step(m->q, 1);
	CHECK_EQ(rd(m, 0x10), 7 << 11 | 2 << 6);
	CHECK_EQ(rd(m, 0x14), 0xffff);
}

static void test_features(struct mac *m)
{
	/* rx-coe=1, no tx-coe, no MMC, one address, 256-bit hash, phy-if=1 */
	CHECK_EQ(rd(m, 0x1058), 0x110a011b);
	CHECK_EQ(rd(m, 0x100), 0);
	wr(m, 0x48, 0x1234);
	CHECK_EQ(rd(m, 0x48), 0);
	CHECK_EQ(rd(m, 0xd8), 0xd);
}

/* While it lasts nothing can be written; it is saved with the machine. */
static void test_reset_slow(struct mac *m)
{
	wr(m, MAC_CONTROL, MAC_TE);
	wr(m, DMA_BUS, 1);
	wr(m, MAC_CONTROL, MAC_RE);
	CHECK_EQ(rd(m, MAC_CONTROL), 0);
	qtest_clock_step(m->q, 9999);
	CHECK_EQ(rd(m, DMA_BUS) & 1, 1);
	qtest_clock_step(m->q, 1);
	CHECK_EQ(rd(m, DMA_BUS) & 1, 0);
	wr(m, MAC_CONTROL, MAC_RE);
	CHECK_EQ(rd(m, MAC_CONTROL), MAC_RE);
	wr(m, DMA_BUS, 1);
	mac_migrate(m);
	CHECK_EQ(rd(m, DMA_BUS) & 1, 1);
	/* qtest's clock begins anew; timers have kept their times */
	qtest_clock_step(m->q, 100000);
	CHECK_EQ(rd(m, DMA_BUS) & 1, 0);
}

static void test_no_rx_coe(struct mac *m)
{
	wr(m, MAC_CONTROL, MAC_IPC | MAC_RE);
	CHECK_EQ(rd(m, MAC_CONTROL), MAC_RE);
}

/* ---- transmit ---- */

static void test_tx(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 300 });
	mac_start(m, 0);
	mac_tx(m, f.data, f.len, TX_IC);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), f.len);
	CHECK(!memcmp(got, f.data, f.len));
	CHECK_EQ(tx_word(m, 0, 0), TX_IC | TX_FS | TX_LS);
	CHECK_EQ(rd(m, DMA_STATUS), ST_TI | ST_TU | ST_NIS | TS_SUSPENDED |
		 RS_WAITING);
	CHECK(qtest_irq(m->q));
	wr(m, DMA_STATUS, ST_TI | ST_TU | ST_NIS);
	CHECK(!qtest_irq(m->q));
	CHECK_EQ(rd(m, DMA_STATUS), TS_SUSPENDED | RS_WAITING);
}

static void test_tx_no_ic(struct mac *m)
{
	struct frame f;
	uint8_t got[FRAME_MAX];

	build(&f, (struct frame_spec){ .payload = 300 });
	mac_start(m, 0);
	mac_tx(m, f.data, f.len, 0);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), f.len);
	CHECK_EQ(rd(m, DMA_STATUS) & (ST_TI | ST_NIS), 0);
	CHECK(!qtest_irq(m->q));
}

static void test_tx_padding(struct mac *m)
{
	uint8_t data[40], got[FRAME_MAX], want[60] = { 0 };

	memset(data, 0x5a, sizeof(data));
	memcpy(want, data, sizeof(data));
	mac_start(m, 0);
	mac_tx(m, data, sizeof(data), 0);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), 60);
	CHECK(!memcmp(got, want, 60));
	mac_tx(m, data, sizeof(data), TX_DP);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), 40);
}

/* With DC the last four bytes are the FCS, and it had better be right. */
static void test_tx_own_crc(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f;
	uint32_t crc;

	build(&f, (struct frame_spec){ .payload = 100 });
	crc = frame_crc(f.data, f.len);
	memcpy(f.data + f.len, &crc, 4);
	mac_start(m, 0);
	mac_tx(m, f.data, f.len + 4, TX_DC);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), f.len);
	f.data[f.len] ^= 1;
	mac_tx(m, f.data, f.len + 4, TX_DC);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), 0);
	CHECK_EQ(tx_word(m, 1, 0) >> 31, 0);
}

/* Three descriptors, two buffers in the first: one frame. */
static void test_tx_spanning(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 900 });
	mac_start(m, 0);
	qtest_memwrite(m->q, TX_BUF, f.data, f.len);
	tx_desc(m, 0, TX_FS, 100 | 50 << 16, TX_BUF, TX_BUF + 100);
	tx_desc(m, 1, 0, 333, TX_BUF + 150, 0);
	tx_desc(m, 2, TX_LS | TX_IC, f.len - 483, TX_BUF + 483, 0);
	wr(m, DMA_TX_POLL, 1);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), f.len);
	CHECK(!memcmp(got, f.data, f.len));
	for (unsigned i = 0; i < 3; i++)
		CHECK_EQ(tx_word(m, i, 0) >> 31, 0);
}

/* The frame's end comes later: it waits in the FIFO, over a reset of nothing. */
static void test_tx_partial(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 400 });
	mac_start(m, 0);
	qtest_memwrite(m->q, TX_BUF, f.data, f.len);
	tx_desc(m, 0, TX_FS, 200, TX_BUF, 0);
	wr(m, DMA_TX_POLL, 1);
	CHECK_EQ(tx_word(m, 0, 0) >> 31, 0);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), 0);
	CHECK_EQ(rd(m, DMA_STATUS) & (TS_MASK | ST_TU), TS_SUSPENDED | ST_TU);
	CHECK(rd(m, 0x24) & 1 << 24);
	tx_desc(m, 1, TX_LS, f.len - 200, TX_BUF + 200, 0);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), 0);
	wr(m, DMA_TX_POLL, 1);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), f.len);
	CHECK(!memcmp(got, f.data, f.len));
}

static void test_tx_wrap(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 80 });
	mac_start(m, 0);
	for (unsigned i = 0; i < 3 * RING; i++) {
		f.data[20] = i;
		mac_tx(m, f.data, f.len, 0);
		CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), f.len);
		CHECK_EQ(got[20], (uint8_t)i);
		CHECK_EQ(rd(m, 0x1048), m->tx_ring + (i + 1) % RING *
			 m->stride);
	}
}

/* Descriptor skip length: 5 words of 4 bytes between two descriptors. */
static void test_tx_skip(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 80 });
	m->stride = 16 + 20;
	mac_start(m, 5 << 2);
	for (unsigned i = 0; i < 3; i++) {
		mac_tx(m, f.data, f.len, 0);
		CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), f.len);
	}
}

static void test_tx_chain(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 500 });
	mac_start(m, 0);
	qtest_memwrite(m->q, TX_BUF, f.data, f.len);
	/* 0 -> 5 -> 2 -> 0; a second buffer's size means nothing here */
	tx_desc(m, 0, TX_FS | TX_TCH, 100 | 99 << 16, TX_BUF, tx_addr(m, 5));
	tx_desc(m, 5, TX_TCH, 100, TX_BUF + 100, tx_addr(m, 2));
	tx_desc(m, 2, TX_LS | TX_TCH, f.len - 200, TX_BUF + 200,
		tx_addr(m, 0));
	wr(m, DMA_TX_POLL, 1);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), f.len);
	CHECK(!memcmp(got, f.data, f.len));
	CHECK_EQ(rd(m, 0x1048), tx_addr(m, 0));
}

/*
 * A ring without an end: each frame that is looped back lands on the rings
 * and gives every descriptor to the DMA again.  QEMU must stay responsive.
 */
static void test_tx_endless(struct mac *m)
{
	const uint32_t t = m->tx_ring, a = t + 16, b = t + 32;
	const uint32_t ring[12] = {
		TX_OWN | TX_FS | TX_LS | TX_TCH, 48, TX_BUF, t,
		RX_OWN, 64 | RX_RCH, t, b,
		RX_OWN, 64 | RX_RCH, t, a,
	};

	m->rx_ring = a;
	qtest_memwrite(m->q, TX_BUF, ring, sizeof(ring));
	mac_start(m, 0);
	wr(m, MAC_CONTROL, MAC_TE | MAC_RE | MAC_LM | MAC_JD);
	wr(m, MAC_FILTER, 1);
	qtest_memwrite(m->q, t, ring, sizeof(ring));
	wr(m, DMA_TX_POLL, 1);
	CHECK_SOON(rd(m, 0x118) > 10000);
	wr(m, DMA_CONTROL, 0);
	CHECK_EQ(rd(m, DMA_STATUS) & TS_MASK, 0);
}

/* Rings in the MAC's own registers: the DMA may not enter them. */
static void test_tx_reentrant(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 80 });
	mac_start(m, 0);
	wr(m, DMA_CONTROL, 0);
	wr(m, DMA_TX_BASE, m->base + 0x40);
	wr(m, DMA_CONTROL, OP_ST | OP_SR | OP_TSF);
	CHECK_EQ(rd(m, DMA_STATUS) & ST_FBI, ST_FBI);
	/* and it works again after a reset */
	mac_reset(m);
	mac_start(m, 0);
	mac_tx(m, f.data, f.len, 0);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), f.len);
}

static void test_tx_bus_error(struct mac *m)
{
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 80 });
	mac_start(m, 0);
	wr(m, DMA_INTR, ST_AIS | ST_FBI);
	tx_desc(m, 0, TX_FS | TX_LS, 100, 0x50000000, 0);
	wr(m, DMA_TX_POLL, 1);
	/* error bits: transmit, read, data buffer */
	CHECK_EQ(rd(m, DMA_STATUS) & (ST_FBI | ST_AIS | TS_MASK | 7 << 23),
		 ST_FBI | ST_AIS | 3 << 23);
	CHECK(qtest_irq(m->q));
}

static void test_tx_stop(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 80 });
	mac_start(m, 0);
	wr(m, DMA_CONTROL, OP_TSF);
	CHECK_EQ(rd(m, DMA_STATUS) & (TS_MASK | 0x102), 0x102);
	mac_tx(m, f.data, f.len, 0);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), 0);
	wr(m, DMA_CONTROL, OP_TSF | OP_ST);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), f.len);
	/* the MAC's transmitter can be off, too */
	wr(m, MAC_CONTROL, MAC_RE);
	mac_tx(m, f.data, f.len, 0);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), 0);
	wr(m, MAC_CONTROL, MAC_RE | MAC_TE);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), f.len);
}

static void test_tx_jabber(struct mac *m)
{
	uint8_t data[3000] = { 0 }, got[4096];

	mac_start(m, 0);
	wr(m, MAC_CONTROL, MAC_TE | MAC_RE);
	mac_tx(m, data, sizeof(data), 0);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), 0);
	CHECK_EQ(tx_word(m, 0, 0) & 0xffff, 0xc000);
	CHECK_EQ(rd(m, DMA_STATUS) & 8, 8);
	wr(m, MAC_CONTROL, MAC_TE | MAC_RE | MAC_JD);
	mac_tx(m, data, sizeof(data), 0);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), sizeof(data));
}

/* All cases as a driver hands them over; what comes out, and no error is told. */
static void test_tx_coe(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f, want;
	struct coe_case c;

	mac_start(m, 0);
	for (unsigned cic = 2; cic <= 3; cic++) {
		for (unsigned at = 0; coe_next(&c, &at);) {
			if (!coe_sent(&c, cic, &f, &want))
				continue;
			mac_tx(m, f.data, f.len, cic << 22);
			CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), f.len);
			if (!CHECK(!memcmp(got, want.data, f.len)) ||
			    !CHECK_EQ(tx_word(m, m->tx - 1, 0) & 0x1ff7f, 0))
				printf("# cic %u: %s\n", cic, coe_name(&c));
		}
	}
}

/* In threshold mode the engine is out of the path. */
static void test_tx_coe_threshold(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f;

	build(&f, (struct frame_spec){ .ip = IP_V4, .proto = 17,
				       .payload = 99 });
	frame_blank_csums(&f);
	mac_start(m, 0);
	wr(m, DMA_CONTROL, OP_ST | OP_SR);
	mac_tx(m, f.data, f.len, 3 << 22);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), f.len);
	CHECK(!memcmp(got, f.data, f.len));
}

static void test_tx_coe_errors(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f;

	mac_start(m, 0);
	build(&f, (struct frame_spec){ .ip = IP_V4, .proto = 17, .payload = 99,
				       .ip_len_lie = 40 });
	mac_tx(m, f.data, f.len, 3 << 22);
	wire_recv(m->q, 1, got, sizeof(got), 0);
	CHECK_EQ(tx_word(m, 0, 0) & 0x1ffff, 1 << 12 | 1 << 15);
	build(&f, (struct frame_spec){ .ip = IP_V4, .proto = 17,
				       .payload = 99 });
	f.data[f.l3] = 0x65;
	mac_tx(m, f.data, f.len, 3 << 22);
	wire_recv(m->q, 1, got, sizeof(got), 0);
	CHECK_EQ(tx_word(m, 1, 0) & 0x1ffff, 1 << 16 | 1 << 15);
	build(&f, (struct frame_spec){ .payload = 99, .tag = VLAN,
				       .tag_len = 4 });
	mac_tx(m, f.data, f.len, 0);
	wire_recv(m->q, 1, got, sizeof(got), 0);
	CHECK_EQ(tx_word(m, 2, 0) & 0x1ffff, 1 << 7);
}

/* Nobody reads the wire: the ring stops, and goes on when somebody does. */
static void test_tx_back_pressure(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f;
	unsigned sent = 0, seen = 0;

	build(&f, (struct frame_spec){ .payload = 1400 });
	mac_start(m, 0);
	do {
		f.data[20] = sent;
		f.data[21] = sent >> 8;
		mac_tx(m, f.data, f.len, 0);
	} while (!(tx_word(m, sent++ % RING, 0) >> 31) && sent < 5000);
	CHECK(sent < 5000);
	while (seen < sent && wire_recv(m->q, 1, got, sizeof(got), 5000)) {
		CHECK_EQ(got[20] | got[21] << 8, seen);
		seen++;
	}
	CHECK_EQ(seen, sent);
	CHECK_SOON(!(tx_word(m, (sent - 1) % RING, 0) >> 31));
}

/* ---- receive ---- */

static void test_rx(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f;
	uint32_t crc;

	build(&f, (struct frame_spec){ .payload = 300 });
	crc = frame_crc(f.data, f.len);
	mac_start(m, 0);
	rx_ring(m, RING, 1536);
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(!(rx_word(m, 0, 0) >> 31));
	CHECK_EQ(rx_word(m, 0, 0), RX_FS | RX_LS | RX_FT | (f.len + 4) << 16);
	qtest_memread(m->q, rx_buf(0), got, f.len + 4);
	CHECK(!memcmp(got, f.data, f.len));
	CHECK(!memcmp(got + f.len, &crc, 4));
	CHECK_EQ(rd(m, DMA_STATUS) & (ST_RI | ST_NIS | RS_MASK),
		 ST_RI | ST_NIS | RS_WAITING);
	CHECK(qtest_irq(m->q));
	wr(m, DMA_STATUS, ST_RI | ST_NIS);
	CHECK(!qtest_irq(m->q));
}

static void test_rx_wrap(struct mac *m)
{
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 100 });
	mac_start(m, 0);
	rx_ring(m, RING, 1536);
	for (unsigned i = 0; i < 3 * RING; i++) {
		wire_send(m->q, 1, f.data, f.len);
		CHECK_SOON(!(rx_word(m, i % RING, 0) >> 31));
		rx_give(m, i % RING, 1536);
	}
	CHECK_EQ(rd(m, 0x104c), m->rx_ring);
}

/* 128-byte buffers, two a descriptor: 300 + 4 bytes need two descriptors. */
static void test_rx_spanning(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 286 });
	mac_start(m, 0);
	rx_ring(m, RING, 128 | 128 << 16);
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(!(rx_word(m, 1, 0) >> 31));
	CHECK_EQ(rx_word(m, 0, 0), RX_FS | 256 << 16);
	CHECK_EQ(rx_word(m, 1, 0), RX_LS | RX_FT | 304 << 16);
	qtest_memread(m->q, rx_buf(0), got, 128);
	qtest_memread(m->q, rx_buf(0) + 1024, got + 128, 128);
	qtest_memread(m->q, rx_buf(1), got + 256, 48);
	CHECK(!memcmp(got, f.data, f.len));
	CHECK_EQ(rd(m, 0x104c), m->rx_ring + 2 * m->stride);
}

/* The FCS alone spills into the next descriptor. */
static void test_rx_fcs_spills(struct mac *m)
{
	uint8_t got[4];
	struct frame f;
	uint32_t crc;

	build(&f, (struct frame_spec){ .payload = 112 });
	crc = frame_crc(f.data, f.len);
	mac_start(m, 0);
	rx_ring(m, RING, 124);
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(!(rx_word(m, 1, 0) >> 31));
	CHECK_EQ(rx_word(m, 1, 0), RX_LS | RX_FT | 130 << 16);
	qtest_memread(m->q, rx_buf(0) + 122, got, 2);
	CHECK_EQ(f.data[122] | f.data[123] << 8, got[0] | got[1] << 8);
	qtest_memread(m->q, rx_buf(1), got, 4);
	CHECK(!memcmp(got, f.data + 124, 2));
	CHECK(!memcmp(got + 2, &crc, 2));
}

static void test_rx_chain(struct mac *m)
{
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 286 });
	mac_start(m, 0);
	rx_desc(m, 0, RX_OWN, 256 | RX_RCH, rx_buf(0), rx_addr(m, 6));
	rx_desc(m, 6, RX_OWN, 256 | RX_RCH, rx_buf(1), rx_addr(m, 3));
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(!(rx_word(m, 6, 0) >> 31));
	CHECK_EQ(rx_word(m, 6, 0), RX_LS | RX_FT | 304 << 16);
	CHECK_EQ(rd(m, 0x104c), rx_addr(m, 3));
}

/* No descriptor for the rest: the frame ends there, and says so. */
static void test_rx_truncated(struct mac *m)
{
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 286 });
	mac_start(m, 0);
	rx_ring(m, 1, 128);
	rx_desc(m, 1, 0, 128, rx_buf(1), 0);
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(!(rx_word(m, 0, 0) >> 31));
	CHECK_EQ(rx_word(m, 0, 0) & (RX_FS | RX_LS | RX_ES | RX_DE),
		 RX_FS | RX_LS | RX_ES | RX_DE);
	CHECK_EQ(rd(m, DMA_STATUS) & (ST_RU | RS_MASK), ST_RU | RS_SUSPENDED);
}

/* Ring empty: suspended; the frame comes after a poll demand, none is lost. */
static void test_rx_unavailable(struct mac *m)
{
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 100 });
	mac_start(m, 0);
	wr(m, DMA_INTR, ST_AIS | ST_RU);
	rx_ring(m, 2, 1536);
	for (unsigned i = 0; i < 4; i++) {
		f.data[20] = i;
		wire_send(m->q, 1, f.data, f.len);
	}
	CHECK_SOON(rd(m, DMA_STATUS) & ST_RU);
	CHECK_EQ(rd(m, DMA_STATUS) & (ST_AIS | RS_MASK),
		 ST_AIS | RS_SUSPENDED);
	CHECK(qtest_irq(m->q));
	rx_give(m, 2, 1536);
	rx_give(m, 3, 1536);
	wr(m, DMA_RX_POLL, 1);
	CHECK_SOON(!(rx_word(m, 3, 0) >> 31));
	for (unsigned i = 0; i < 4; i++) {
		uint8_t b;

		qtest_memread(m->q, rx_buf(i) + 20, &b, 1);
		CHECK_EQ(b, i);
	}
	CHECK_EQ(rd(m, 0x1020), 0);
}

/* A driver that refills and only enables its interrupt, or does nothing. */
static void test_rx_no_poll_demand(struct mac *m)
{
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 100 });
	mac_start(m, 0);
	rx_ring(m, 0, 1536);
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(rd(m, DMA_STATUS) & ST_RU);
	rx_give(m, 0, 1536);
	wr(m, DMA_INTR, ST_NIS | ST_RI);
	CHECK_SOON(!(rx_word(m, 0, 0) >> 31));

	wr(m, DMA_STATUS, ST_RU);
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(rd(m, DMA_STATUS) & ST_RU);
	rx_give(m, 1, 1536);
	qtest_clock_step(m->q, 10000000);
	CHECK_SOON(!(rx_word(m, 1, 0) >> 31));
}

/*
 * A frame that had to wait is received in a timer, where QEMU guards nothing: a
 * buffer over bus mode would reset the MAC in the middle of it.
 */
static void test_rx_reentrant(struct mac *m)
{
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 100 });
	f.data[0] = 0xff;	/* bit 0 of bus mode; and everybody's */
	memset(f.data + 1, 0xff, 5);
	mac_start(m, 0);
	rx_ring(m, 0, 1536);
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(rd(m, DMA_STATUS) & ST_RU);
	rx_desc(m, 0, RX_OWN, 1536, m->base + DMA_BUS, 0);
	qtest_clock_step(m->q, 10000000);
	CHECK_SOON(rd(m, DMA_STATUS) & ST_FBI);
	CHECK_EQ(rd(m, DMA_RX_BASE), m->rx_ring);
	/* and it works again after a reset */
	mac_reset(m);
	mac_start(m, 0);
	rx_ring(m, RING, 1536);
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(!(rx_word(m, 0, 0) >> 31));
}

static void test_rx_missed(struct mac *m)
{
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 100 });
	mac_start(m, 0);
	rx_ring(m, 0, 1536);
	for (unsigned i = 0; i < 3; i++)
		wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(rd(m, DMA_STATUS) & ST_RU);
	/* one that arrives shows that the three are through */
	rx_give(m, 0, 1536);
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(!(rx_word(m, 0, 0) >> 31));
	CHECK_EQ(rd(m, DMA_STATUS) & RS_MASK, RS_WAITING);
	CHECK(rd(m, 0x1020) >= 1);
	CHECK_EQ(rd(m, 0x1020), 0);
}

static void test_rx_off(struct mac *m)
{
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 100 });
	mac_start(m, 0);
	rx_ring(m, RING, 1536);
	wr(m, MAC_CONTROL, MAC_TE);
	wire_send(m->q, 1, f.data, f.len);
	/* with the receiver on the next one comes in, the first never does */
	qtest_clock_step(m->q, 1000);
	for (unsigned i = 0; i < 100; i++)
		rd(m, DMA_STATUS);
	wr(m, MAC_CONTROL, MAC_TE | MAC_RE);
	f.data[20] = 0x77;
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(!(rx_word(m, 0, 0) >> 31));
}

/* Status of the next frame received */
static uint32_t rx_status(struct mac *m, struct frame_spec s)
{
	unsigned i = m->rx++ % RING;
	struct frame f;

	frame_build(&f, &s);
	rx_give(m, i, 1536);
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(!(rx_word(m, i, 0) >> 31));
	return rx_word(m, i, 0) & 0xffff;
}

#define GOOD (RX_FS | RX_LS | RX_FT)

static const struct frame_spec
	udp = { .ip = IP_V4, .proto = 17, .payload = 70 },
	bad_udp = { .ip = IP_V4, .proto = 17, .payload = 70, .bad_l4 = true },
	bad_header = { .ip = IP_V4, .proto = 17, .payload = 70, .bad_ip = true };

/* RDES0 and, with extended descriptors, RDES4 of a case */
static uint32_t coe_status(const struct coe_case *c)
{
	return RX_FS | RX_LS | (c->tag == TAG_DSA ? 0 : RX_FT) |
	       (c->tag == TAG_VLAN || c->tag == TAG_TWO_VLAN ? RX_VLAN : 0) |
	       (c->hdr_err ? RX_IPC : 0) | (c->pay_err ? RX_PCE : 0);
}

static uint32_t coe_extended(const struct coe_case *c)
{
	if (!c->seen)
		return 0;
	return (c->spec.ip == IP_V4 ? 1 << 6 : 1 << 7) | c->proto |
	       (c->hdr_err ? 1 << 3 : 0) | (c->pay_err ? 1 << 4 : 0) |
	       (c->bypass ? 1 << 5 : 0);
}

/* @on_error is set in addition; @esa: bit 0 tells of the extended status. */
static void rx_cases(struct mac *m, uint32_t on_error, bool ext, bool esa)
{
	struct coe_case c;

	for (unsigned at = 0; coe_next(&c, &at);) {
		uint32_t want = coe_status(&c);

		if (want & (RX_IPC | RX_PCE))
			want |= on_error;
		if (esa)
			want = (want & ~(RX_IPC | RX_PCE)) |
			       (c.seen ? RX_PCE : 0);
		if (!CHECK_EQ(rx_status(m, c.spec), want) ||
		    (ext && !CHECK_EQ(rx_word(m, (m->rx - 1) % RING, 4),
				      coe_extended(&c))))
			printf("# %s\n", coe_name(&c));
	}
}

static void test_rx_coe(struct mac *m)
{
	mac_start(m, 0);
	wr(m, MAC_CONTROL, MAC_RE | MAC_TE | MAC_IPC);
	rx_cases(m, RX_ES, false, false);
}

static void test_rx_coe_off(struct mac *m)
{
	mac_start(m, 0);
	CHECK_EQ(rx_status(m, bad_udp), GOOD);
}

static void test_rx_coe_extended(struct mac *m)
{
	m->stride = 32;
	mac_start(m, BUS_ATDS);
	wr(m, MAC_CONTROL, MAC_RE | MAC_TE | MAC_IPC);
	rx_cases(m, RX_ES, true, false);
}

static void test_rx_coe_no_es(struct mac *m)
{
	mac_start(m, 0);
	wr(m, MAC_CONTROL, MAC_RE | MAC_TE | MAC_IPC);
	rx_cases(m, 0, false, false);
}

static void test_rx_coe_esa(struct mac *m)
{
	m->stride = 32;
	mac_start(m, BUS_ATDS);
	wr(m, MAC_CONTROL, MAC_RE | MAC_TE | MAC_IPC);
	rx_cases(m, RX_ES, true, true);
}

/* rx-csum-drop: DT decides whether the MTL drops what fails */
static void test_rx_coe_drop(struct mac *m)
{
	struct frame bad, good;

	build(&bad, bad_udp);
	build(&good, udp);
	mac_start(m, 0);
	wr(m, MAC_CONTROL, MAC_RE | MAC_TE | MAC_IPC);
	wr(m, DMA_CONTROL, OP_ST | OP_SR | OP_TSF | OP_RSF);
	rx_ring(m, RING, 1536);
	wire_send(m->q, 1, bad.data, bad.len);
	wire_send(m->q, 1, good.data, good.len);
	CHECK_SOON(!(rx_word(m, 0, 0) >> 31));
	CHECK_EQ(rx_word(m, 0, 0) & 0xffff, GOOD);
	CHECK_EQ(rd(m, 0x234), 1);	/* MMC: UDP errors */
	wr(m, DMA_CONTROL, OP_ST | OP_SR | OP_TSF | OP_RSF | OP_DT);
	wire_send(m->q, 1, bad.data, bad.len);
	CHECK_SOON(!(rx_word(m, 1, 0) >> 31));
	CHECK_EQ(rx_word(m, 1, 0) & 0xffff, GOOD | RX_PCE | RX_ES);
}

/* Type 1 puts the sum of everything behind the FCS. */
static void test_rx_coe_type1(struct mac *m)
{
	struct frame f;
	uint8_t got[2];
	uint16_t sum;

	build(&f, bad_udp);
	sum = frame_sum(f.data + 14, f.len - 14);
	mac_start(m, 0);
	wr(m, MAC_CONTROL, MAC_RE | MAC_TE | MAC_IPC);
	rx_ring(m, RING, 1536);
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(!(rx_word(m, 0, 0) >> 31));
	CHECK_EQ(rx_word(m, 0, 0), GOOD | (f.len + 6) << 16);
	qtest_memread(m->q, rx_buf(0) + f.len + 4, got, 2);
	CHECK_EQ(got[0] << 8 | got[1], sum);
	m->rx = 1;
	CHECK_EQ(rx_status(m, bad_header), GOOD | RX_IPC | RX_ES);
}

/* 802.3 lengths: no type bit, stripping, and a length that lies */
static void test_rx_8023(struct mac *m)
{
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 100 });
	mac_start(m, 0);
	rx_ring(m, RING, 1536);
	f.data[12] = 0;
	f.data[13] = 20;
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(!(rx_word(m, 0, 0) >> 31));
	CHECK_EQ(rx_word(m, 0, 0), RX_FS | RX_LS | (f.len + 4) << 16);
	wr(m, MAC_CONTROL, MAC_TE | MAC_RE | MAC_ACS);
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(!(rx_word(m, 1, 0) >> 31));
	CHECK_EQ(rx_word(m, 1, 0), RX_FS | RX_LS | 34 << 16);
	f.data[13] = 100;
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(!(rx_word(m, 2, 0) >> 31));
	CHECK_EQ(rx_word(m, 2, 0), RX_FS | RX_LS | f.len << 16);
	f.data[12] = 1;
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(!(rx_word(m, 3, 0) >> 31));
	CHECK_EQ(rx_word(m, 3, 0) & (1 << 12), 1 << 12);
	/* a type is not stripped by ACS, but by CST */
	build(&f, (struct frame_spec){ .payload = 100 });
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(!(rx_word(m, 4, 0) >> 31));
	CHECK_EQ(rx_word(m, 4, 0), GOOD | (f.len + 4) << 16);
	wr(m, MAC_CONTROL, MAC_TE | MAC_RE | 1 << 25);
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(!(rx_word(m, 5, 0) >> 31));
	CHECK_EQ(rx_word(m, 5, 0), GOOD | f.len << 16);
}

static void test_rx_runt(struct mac *m)
{
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 100 });
	mac_start(m, 0);
	rx_ring(m, RING, 1536);
	wire_send(m->q, 1, f.data, 59);
	wire_send(m->q, 1, f.data, 5);
	wire_send(m->q, 1, f.data, 60);
	CHECK_SOON(!(rx_word(m, 0, 0) >> 31));
	CHECK_EQ(rx_word(m, 0, 0), GOOD | 64 << 16);
	CHECK_EQ(rd(m, 0x1a4), 2);
	wr(m, DMA_CONTROL, OP_ST | OP_SR | OP_TSF | 1 << 6);
	wire_send(m->q, 1, f.data, 59);
	CHECK_SOON(!(rx_word(m, 1, 0) >> 31));
	CHECK_EQ(rx_word(m, 1, 0), GOOD | 63 << 16);
}

/*
 * The user network pads what it makes itself, if the MAC lets it: an ARP
 * request makes us known, then a short echo comes back.
 */
static void test_rx_user_network(struct mac *m)
{
	static const uint8_t arp[42] = {
		255, 255, 255, 255, 255, 255, 2, 0, 0, 0, 0, 1, 0x08, 0x06,
		0, 1, 8, 0, 6, 4, 0, 1, 2, 0, 0, 0, 0, 1, 10, 0, 2, 15,
		0, 0, 0, 0, 0, 0, 10, 0, 2, 2,
	};
	struct frame f;

	mac_start(m, 0);
	rx_ring(m, RING, 1536);
	mac_tx(m, arp, sizeof(arp), 0);
	CHECK_SOON(!(rx_word(m, 0, 0) >> 31));
	build(&f, (struct frame_spec){ .ip = IP_V4, .proto = 1 });
	memcpy(f.data, "\x52\x55\x0a\x00\x02\x02", 6);
	memcpy(f.data + f.l3 + 12, "\x0a\x00\x02\x0f\x0a\x00\x02\x02", 8);
	f.data[f.l4] = 8;
	f.data[f.l4 + 1] = 0;
	frame_blank_csums(&f);
	mac_tx(m, f.data, 42, 3 << 22);
	CHECK_SOON(!(rx_word(m, 1, 0) >> 31));
	CHECK_EQ(rx_word(m, 1, 0), GOOD | 64 << 16);
}

static void test_rx_watchdog_length(struct mac *m)
{
	static uint8_t data[4000] = { 2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2,
				      0x88, 0xb5 };

	mac_start(m, 0);
	rx_ring(m, RING, 2000);
	wire_send(m->q, 1, data, sizeof(data));
	CHECK_SOON(!(rx_word(m, 1, 0) >> 31));
	CHECK_EQ(rx_word(m, 1, 0), RX_LS | RX_FT | RX_ES | 1 << 4 |
		 2048 << 16);
	wr(m, MAC_CONTROL, MAC_TE | MAC_RE | MAC_JE);
	wire_send(m->q, 1, data, sizeof(data));
	CHECK_SOON(!(rx_word(m, 4, 0) >> 31));
	CHECK_EQ(rx_word(m, 4, 0), RX_LS | RX_FT | 4004 << 16);
}

/* The limit lies in the FCS: its first three bytes are stored. */
static void test_rx_watchdog_fcs(struct mac *m)
{
	uint8_t data[2045] = { 2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 0x88, 0xb5 };
	uint32_t crc = frame_crc(data, sizeof(data));
	uint8_t got[3];

	mac_start(m, 0);
	rx_desc(m, 0, RX_OWN, 2044 | 8 << 16 | RX_RER, rx_buf(0), rx_buf(1));
	wire_send(m->q, 1, data, sizeof(data));
	CHECK_SOON(!(rx_word(m, 0, 0) >> 31));
	CHECK_EQ(rx_word(m, 0, 0), RX_FS | RX_LS | RX_FT | RX_ES | 1 << 4 |
		 2048 << 16);
	qtest_memread(m->q, rx_buf(1) + 1, got, 3);
	CHECK(!memcmp(got, &crc, 3));
}

/* Strangers stay out; the filter's tables have a test of their own. */
static void test_rx_filter(struct mac *m)
{
	struct frame own, other;

	build(&own, (struct frame_spec){ .payload = 100 });
	build(&other, (struct frame_spec){ .payload = 200 });
	other.data[5] = 9;
	mac_start(m, 0);
	rx_ring(m, RING, 1536);
	wr(m, MAC_FILTER, 0);
	wire_send(m->q, 1, other.data, other.len);
	wire_send(m->q, 1, own.data, own.len);
	CHECK_SOON(!(rx_word(m, 0, 0) >> 31));
	CHECK_EQ(rx_word(m, 0, 0) >> 16, own.len + 4);
	wr(m, MAC_FILTER, 1);
	wire_send(m->q, 1, other.data, other.len);
	CHECK_SOON(!(rx_word(m, 1, 0) >> 31));
	CHECK_EQ(rx_word(m, 1, 0) >> 16, other.len + 4);
	wr(m, MAC_FILTER, 1u << 31);
	wire_send(m->q, 1, other.data, other.len);
	CHECK_SOON(!(rx_word(m, 2, 0) >> 31));
	CHECK_EQ(rx_word(m, 2, 0) >> 16, 1 << 14 | (other.len + 4));
	/* the last slot works like the second */
	wr(m, MAC_FILTER, 0);
	wr(m, 0x878, 0x80000900);
	wr(m, 0x87c, 0x00000002);
	wire_send(m->q, 1, other.data, other.len);
	CHECK_SOON(!(rx_word(m, 3, 0) >> 31));
}

static void test_rx_hash(struct mac *m)
{
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 100 });
	memcpy(f.data, "\x01\x00\x5e\x00\x00\x01", 6);
	mac_start(m, 0);
	rx_ring(m, RING, 1536);
	wr(m, MAC_FILTER, 1 << 2);
	wire_send(m->q, 1, f.data, f.len);
	wr(m, 0x8, 1);	/* bit 32 is where this address goes */
	build(&f, (struct frame_spec){ .payload = 200 });
	memcpy(f.data, "\x01\x00\x5e\x00\x00\x01", 6);
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(!(rx_word(m, 0, 0) >> 31));
}

static void test_rx_riwt(struct mac *m)
{
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 100 });
	mac_start(m, 0);
	wr(m, 0x1024, 10);
	rx_desc(m, 0, RX_OWN, 1536 | 1u << 31, rx_buf(0), 0);
	rx_desc(m, 1, RX_OWN, 1536, rx_buf(1), 0);
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(!(rx_word(m, 0, 0) >> 31));
	CHECK_EQ(rd(m, DMA_STATUS) & ST_RI, 0);
	/* ten times 256 clocks of 8 ns */
	qtest_clock_step(m->q, 20479);
	CHECK_EQ(rd(m, DMA_STATUS) & ST_RI, 0);
	qtest_clock_step(m->q, 1);
	CHECK_EQ(rd(m, DMA_STATUS) & ST_RI, ST_RI);
	CHECK(qtest_irq(m->q));
}

/* The summary comes back while a cause stands, and when it is unmasked. */
static void test_irq_summary(struct mac *m)
{
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 100 });
	mac_start(m, 0);
	wr(m, DMA_INTR, ST_NIS);
	rx_ring(m, RING, 1536);
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(rd(m, DMA_STATUS) & ST_RI);
	CHECK_EQ(rd(m, DMA_STATUS) & ST_NIS, 0);
	CHECK(!qtest_irq(m->q));
	wr(m, DMA_INTR, ST_NIS | ST_RI);
	CHECK(qtest_irq(m->q));
	wr(m, DMA_STATUS, ST_NIS);
	CHECK_EQ(rd(m, DMA_STATUS) & ST_NIS, ST_NIS);
	wr(m, DMA_STATUS, ST_NIS | ST_RI);
	CHECK(!qtest_irq(m->q));
}

/* ---- both ---- */

static void test_loopback(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 20 });
	mac_start(m, 0);
	rx_ring(m, RING, 1536);
	wr(m, MAC_CONTROL, MAC_TE | MAC_RE | MAC_LM | MAC_DM);
	mac_tx(m, f.data, 34, 0);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), 0);
	CHECK_EQ(rx_word(m, 0, 0), GOOD | 64 << 16);
	qtest_memread(m->q, rx_buf(0), got, 34);
	CHECK(!memcmp(got, f.data, 34));
}

static void test_pause_rx(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f, p;

	build(&f, (struct frame_spec){ .payload = 100 });
	build(&p, (struct frame_spec){ .payload = 46 });
	memcpy(p.data, "\x01\x80\xc2\x00\x00\x01", 6);
	memcpy(p.data + 12, "\x88\x08\x00\x01\x00\x64", 6);
	mac_start(m, 0);
	wr(m, 0x18, 1 << 2);
	wire_send(m->q, 1, p.data, p.len);
	CHECK_SOON(rd(m, 0x24) & 1 << 19);
	mac_tx(m, f.data, f.len, 0);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), 0);
	/* 100 quanta of 512 bits at 1 Gb/s */
	qtest_clock_step(m->q, 51200);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 1000), f.len);
	CHECK_EQ(rd(m, 0x24), 0);
}

static void test_pause_tx(struct mac *m)
{
	static const uint8_t want[18] = {
		1, 0x80, 0xc2, 0, 0, 1, 2, 0, 0, 0, 0, 1,
		0x88, 0x08, 0, 1, 0x12, 0x34
	};
	uint8_t got[FRAME_MAX];

	mac_start(m, 0);
	wr(m, MAC_CONTROL, MAC_TE | MAC_RE | MAC_DM);
	wr(m, 0x18, 0x12340003);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), 60);
	CHECK(!memcmp(got, want, sizeof(want)));
	CHECK_EQ(rd(m, 0x18), 0x12340002);
}

static void test_mmc(struct mac *m)
{
	unsigned count[IPC_COUNTERS], n = coe_counters(count);
	struct frame f;
	uint8_t got[FRAME_MAX];

	build(&f, (struct frame_spec){ .payload = 100 });
	mac_start(m, 0);
	wr(m, MAC_CONTROL, MAC_TE | MAC_RE | MAC_IPC);
	wr(m, 0x100, 1);
	rx_ring(m, RING, 1536);
	mac_tx(m, f.data, f.len, 0);
	wire_recv(m->q, 1, got, sizeof(got), 0);
	CHECK_EQ(rd(m, 0x114), f.len + 4);
	CHECK_EQ(rd(m, 0x118), 1);
	CHECK_EQ(rd(m, 0x128), 1);	/* 65 to 127 octets */
	CHECK_EQ(rd(m, 0x13c), 1);	/* unicast */
	rx_cases(m, RX_ES, false, false);
	CHECK_EQ(rd(m, 0x180), n);
	for (unsigned i = 0; i < IPC_COUNTERS; i++)
		CHECK_EQ(rd(m, 0x210 + 4 * i), count[i]);
	/* reset on read */
	wr(m, 0x100, 4);
	CHECK_EQ(rd(m, 0x118), 1);
	CHECK_EQ(rd(m, 0x118), 0);
}

/* A counter that passes half of its range interrupts, unless it is masked. */
static void test_mmc_irq(struct mac *m)
{
	struct frame f;
	uint8_t got[FRAME_MAX];

	build(&f, (struct frame_spec){ .payload = 100 });
	mac_start(m, 0);
	wr(m, 0x100, 1 << 4);
	CHECK_EQ(rd(m, 0x118), 0x7ffffff0);
	for (unsigned i = 0; i < 16; i++) {
		mac_tx(m, f.data, f.len, 0);
		wire_recv(m->q, 1, got, sizeof(got), 0);
	}
	CHECK_EQ(rd(m, 0x108) & 2, 2);
	CHECK_EQ(rd(m, 0x38) & 0x50, 0x50);
	CHECK_EQ(rd(m, DMA_STATUS) & 1 << 27, 1 << 27);
	CHECK(qtest_irq(m->q));
	wr(m, 0x110, 0xffffffff);
	CHECK(!qtest_irq(m->q));
	rd(m, 0x118);
	CHECK_EQ(rd(m, 0x108) & 2, 0);
}

/* ---- saved and loaded ---- */

static void test_vmstate_registers(struct mac *m)
{
	static const uint32_t off[] = {
		0x0, 0x4, 0x8, 0xc, 0x14, 0x18, 0x1c, 0x3c, 0x40, 0x44, 0x48,
		0x878, 0x114, 0x118, 0x1000, 0x100c, 0x1010, 0x1014, 0x1018,
		0x101c, 0x1024, 0x1028, 0x1048, 0x104c, 0x1050,
	};
	enum { N = sizeof(off) / sizeof(off[0]) };
	uint32_t before[N];
	uint8_t got[FRAME_MAX];
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 100 });
	mac_start(m, 0);
	mac_tx(m, f.data, f.len, TX_IC);
	wire_recv(m->q, 1, got, sizeof(got), 0);
	wr(m, MAC_FILTER, 0x405);
	wr(m, 0x8, 0x12345678);
	wr(m, 0x1c, 0x10005);
	wr(m, 0x878, 0x80001122);
	wr(m, 0x1024, 0x55);
	for (unsigned i = 0; i < N; i++)
		before[i] = rd(m, off[i]);
	mac_migrate(m);
	for (unsigned i = 0; i < N; i++)
		if (!CHECK_EQ(rd(m, off[i]), before[i]))
			printf("# register 0x%04x\n", off[i]);
	/* the ring goes on where it was */
	mac_tx(m, f.data, f.len, 0);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 1000), f.len);
}

/* The first half of a frame is in the FIFO while the machine is saved. */
static void test_vmstate_half_frame(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame want, f;

	build(&want, (struct frame_spec){ .ip = IP_V6, .proto = 6,
					  .payload = 400 });
	f = want;
	frame_blank_csums(&f);
	mac_start(m, 0);
	qtest_memwrite(m->q, TX_BUF, f.data, f.len);
	tx_desc(m, 0, TX_FS | 3 << 22, 200, TX_BUF, 0);
	wr(m, DMA_TX_POLL, 1);
	mac_migrate(m);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), 0);
	tx_desc(m, 1, TX_LS, f.len - 200, TX_BUF + 200, 0);
	wr(m, DMA_TX_POLL, 1);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 1000), f.len);
	CHECK(!memcmp(got, want.data, f.len));
}

/* Three clocks run: receive watchdog, PAUSE, MDIO. */
static void test_vmstate_timers(struct mac *m)
{
	struct frame f, p;

	build(&f, (struct frame_spec){ .payload = 100 });
	build(&p, (struct frame_spec){ .payload = 46 });
	memcpy(p.data, "\x01\x80\xc2\x00\x00\x01", 6);
	memcpy(p.data + 12, "\x88\x08\x00\x01\x00\x64", 6);
	mac_start(m, 0);
	wr(m, 0x1024, 10);
	wr(m, 0x18, 1 << 2);
	rx_desc(m, 0, RX_OWN, 1536 | 1u << 31, rx_buf(0), 0);
	wire_send(m->q, 1, p.data, p.len);
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(!(rx_word(m, 0, 0) >> 31));
	wr(m, 0x10, 7 << 11 | 2 << 6 | 1);
	mac_migrate(m);
	CHECK_EQ(rd(m, DMA_STATUS) & ST_RI, 0);
	CHECK_EQ(rd(m, 0x10) & 1, 1);
	CHECK_EQ(rd(m, 0x24), 1 << 19);
	/* qtest's clock begins anew; timers have kept their times */
	qtest_clock_step(m->q, 200000);
	CHECK_EQ(rd(m, DMA_STATUS) & ST_RI, ST_RI);
	CHECK_EQ(rd(m, 0x10) & 1, 0);
	CHECK_EQ(rd(m, 0x14), 0xffff);
	CHECK_EQ(rd(m, 0x24), 0);
}

/* A frame that finds no further descriptor is cut off here: one is enough. */
static Qtest *traffic_qtest(void *mac)
{
	return ((struct mac *)mac)->q;
}

static void traffic_start(void *mac)
{
	mac_start(mac, 0);
}

static void traffic_tx(void *mac, unsigned n, uint32_t buf, unsigned len, bool first, bool last)
{
	tx_desc(mac, n, (first ? TX_FS : 0) | (last ? TX_LS : 0) |
		(n % RING == RING - 1 ? TX_TER : 0), len, buf, 0);
	wr(mac, DMA_TX_POLL, 1);
}

static bool traffic_tx_done(void *mac, unsigned n)
{
	return !(tx_word(mac, n, 0) & TX_OWN);
}

static void traffic_rx(void *mac, unsigned n)
{
	rx_give(mac, n, 1536);
	wr(mac, DMA_RX_POLL, 1);
}

static bool traffic_rx_done(void *mac, unsigned n, struct traffic_rx *st)
{
	uint32_t w = rx_word(mac, n, 0);

	*st = (struct traffic_rx){ .last = w & RX_LS, .len = w >> 16 & 0x3fff };
	return !(w & RX_OWN);
}

static uint32_t traffic_rx_buf(void *mac, unsigned n)
{
	(void)mac;
	return rx_buf(n);
}

static uint32_t traffic_received(void *mac)
{
	return rd(mac, 0x180);
}

static void traffic_migrate(void *mac)
{
	mac_migrate(mac);
}

static void test_vmstate_traffic(struct mac *m)
{
	static const struct traffic_ops ops = {
		.rx_size = 1536,
		.qtest = traffic_qtest,
		.start = traffic_start,
		.tx = traffic_tx,
		.tx_done = traffic_tx_done,
		.rx = traffic_rx,
		.rx_done = traffic_rx_done,
		.rx_buf = traffic_rx_buf,
		.received = traffic_received,
		.migrate = traffic_migrate,
	};

	traffic_run(&ops, m);
}

/* ---- nonsense ---- */

/* Mostly addresses that mean something, so that the DMA gets far. */
static uint32_t rnd_addr(struct mac *m, uint32_t *s)
{
	switch (qtest_random(s) % 8) {
	case 0:
		return qtest_random(s);
	case 1:
		return m->base + qtest_random(s) % 0x1100;
	default:
		return m->tx_ring + qtest_random(s) % 0x20000;
	}
}

static void rnd_step(struct mac *m, uint32_t *s)
{
	struct frame f;

	switch (qtest_random(s) % 8) {
	case 0:
		wr(m, (qtest_random(s) % 0x1100) & ~3, qtest_random(s));
		break;
	case 1:
		wr(m, 0x1000 + (qtest_random(s) % 0x30 & ~3), qtest_random(s));
		break;
	case 2:
		rd(m, (qtest_random(s) % 0x1200) & ~3);
		break;
	case 3:
		wr(m, qtest_random(s) & 1 ? DMA_TX_BASE : DMA_RX_BASE, rnd_addr(m, s));
		wr(m, DMA_CONTROL, OP_ST | OP_SR | (qtest_random(s) & OP_TSF));
		wr(m, MAC_CONTROL, MAC_TE | MAC_RE | (qtest_random(s) & 0x0fffffff));
		break;
	case 4:
	case 5:
		for (unsigned i = 0; i < 4; i++)
			qtest_writel(m->q, m->tx_ring +
				     (qtest_random(s) % 0x20000 & ~3), rnd_addr(m, s));
		tx_desc(m, qtest_random(s), qtest_random(s), qtest_random(s), rnd_addr(m, s),
			rnd_addr(m, s));
		rx_desc(m, qtest_random(s), qtest_random(s), qtest_random(s), rnd_addr(m, s),
			rnd_addr(m, s));
		break;
	case 6:
		build(&f, (struct frame_spec){ .ip = qtest_random(s) % 3, .proto = 17,
					       .payload = qtest_random(s) % 1400 });
		f.data[qtest_random(s) % f.len] ^= qtest_random(s);
		wire_send(m->q, 1, f.data, f.len);
		break;
	case 7:
		wr(m, DMA_TX_POLL, 1);
		qtest_clock_step(m->q, 1 + qtest_random(s) % 100000);
		break;
	}
}

static void test_random(struct mac *m)
{
	const char *seed = getenv("SEED"), *steps = getenv("STEPS");
	uint32_t s = seed ? strtoul(seed, NULL, 0) : 20240111;
	unsigned n = steps ? strtoul(steps, NULL, 0) : 4000;
	uint8_t got[32768], f[FRAME_MAX];

	printf("# SEED=%u STEPS=%u\n", s, n);
	mac_start(m, 0);
	while (n--) {
		rnd_step(m, &s);
		while (wire_recv(m->q, 1, got, sizeof(got), 0))
			;
	}
	/* the MAC is its old self after a reset */
	mac_reset(m);
	mac_start(m, 0);
	while (wire_recv(m->q, 1, got, sizeof(got), 100))
		;
	memset(f, 0x5a, 100);
	mac_tx(m, f, 100, 0);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 1000), 100);
}

/* ---- normal descriptors ---- */

static void test_normal_tx(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame want, f;

	build(&want, (struct frame_spec){ .ip = IP_V4, .proto = 6,
					  .payload = 700 });
	f = want;
	frame_blank_csums(&f);
	mac_start(m, 0);
	qtest_memwrite(m->q, TX_BUF, f.data, f.len);
	/* FS, CIC 3; then LS, IC, TER */
	tx_desc(m, 0, 0, 100 | 200 << 11 | 1 << 29 | 3 << 27, TX_BUF,
		TX_BUF + 100);
	tx_desc(m, 1, 0, (f.len - 300) | 1u << 31 | 1 << 30 | 1 << 25,
		TX_BUF + 300, 0);
	wr(m, DMA_TX_POLL, 1);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), f.len);
	CHECK(!memcmp(got, want.data, f.len));
	CHECK_EQ(tx_word(m, 1, 0), 0);
	CHECK_EQ(rd(m, 0x1048), m->tx_ring);
	CHECK_EQ(rd(m, DMA_STATUS) & ST_TI, ST_TI);
}

static void test_normal_rx(struct mac *m)
{
	struct frame f;

	build(&f, (struct frame_spec){ .ip = IP_V4, .proto = 6, .payload = 70,
				       .bad_l4 = true });
	mac_start(m, 0);
	wr(m, MAC_CONTROL, MAC_TE | MAC_RE | MAC_IPC);
	rx_desc(m, 0, RX_OWN, 64 | 1024 << 11 | 1 << 25, rx_buf(0), rx_buf(1));
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(!(rx_word(m, 0, 0) >> 31));
	CHECK_EQ(rx_word(m, 0, 0), GOOD | RX_PCE | RX_ES | (f.len + 4) << 16);
	CHECK_EQ(rd(m, 0x104c), m->rx_ring);
	/* no extended words, whatever the bus mode says */
	wr(m, DMA_BUS, BUS_ATDS);
	CHECK_EQ(rd(m, DMA_BUS) & BUS_ATDS, 0);
}

/* ---- the list ---- */

#define FEW "-global dwmac-gmac.rx-coe=1 -global dwmac-gmac.tx-coe=off " \
	    "-global dwmac-gmac.mmc=off -global dwmac-gmac.addr-slots=1 " \
	    "-global dwmac-gmac.hash-bits=256 -global dwmac-gmac.phy-if=1 " \
	    "-global dwmac-gmac.eee=off -global dwmac-gmac.pmt=off " \
	    "-global dwmac-gmac.ptp=off -global dwmac-gmac.sa-vlan-insertion=off"

static const struct test tests[] = {
	{ "power-on address", test_power_on_address, "" },
	{ "reset values", test_reset_values, "" },
	{ "read-only bits", test_write_masks, "" },
	{ "mdio", test_mdio, "" },
	{ "tx: a frame", test_tx, "" },
	{ "tx: no interrupt without IC", test_tx_no_ic, "" },
	{ "tx: padding", test_tx_padding, "" },
	{ "tx: a frame with its own FCS", test_tx_own_crc, "" },
	{ "tx: a frame over three descriptors", test_tx_spanning, "" },
	{ "tx: suspended inside a frame", test_tx_partial, "" },
	{ "tx: ring wraps", test_tx_wrap, "" },
	{ "tx: descriptor skip length", test_tx_skip, "" },
	{ "tx: chain mode", test_tx_chain, "" },
	{ "tx: a ring without an end", test_tx_endless, "" },
	{ "tx: a ring in the MAC's own registers", test_tx_reentrant, "" },
	{ "tx: bus error", test_tx_bus_error, "" },
	{ "tx: stop and start", test_tx_stop, "" },
	{ "tx: jabber", test_tx_jabber, "" },
	{ "tx: checksums inserted", test_tx_coe, "" },
	{ "tx: no checksums in threshold mode", test_tx_coe_threshold, "" },
	{ "tx: checksum and vlan status", test_tx_coe_errors, "" },
	{ "tx: back-pressure", test_tx_back_pressure, "" },
	{ "rx: a frame", test_rx, "" },
	{ "rx: ring wraps", test_rx_wrap, "" },
	{ "rx: a frame over two descriptors", test_rx_spanning, "" },
	{ "rx: the FCS in the next descriptor", test_rx_fcs_spills, "" },
	{ "rx: chain mode", test_rx_chain, "" },
	{ "rx: truncated", test_rx_truncated, "" },
	{ "rx: ring empty, poll demand", test_rx_unavailable, "" },
	{ "rx: ring empty, no poll demand", test_rx_no_poll_demand, "" },
	{ "rx: receiver off", test_rx_off, "" },
	{ "rx: checksum verdicts", test_rx_coe, "" },
	{ "rx: no verdict without IPC", test_rx_coe_off, "" },
	{ "rx: checksum verdicts, extended status", test_rx_coe_extended, "" },
	{ "rx: 802.3 lengths and stripping", test_rx_8023, "" },
	{ "rx: runts", test_rx_runt, "" },
	{ "rx: too long", test_rx_watchdog_length, "" },
	{ "rx: cut off in the FCS", test_rx_watchdog_fcs, "" },
	{ "rx: filter", test_rx_filter, "" },
	{ "rx: hash filter", test_rx_hash, "" },
	{ "rx: interrupt watchdog", test_rx_riwt, "" },
	{ "interrupt summary", test_irq_summary, "" },
	{ "loopback", test_loopback, "" },
	{ "pause obeyed", test_pause_rx, "" },
	{ "pause sent", test_pause_tx, "" },
	{ "mmc: counters", test_mmc, "" },
	{ "mmc: interrupt", test_mmc_irq, "" },
	{ "rx: short frames of the user network", test_rx_user_network,
	  "-netdev user,id=u0 -machine wire1=u0" },
	{ "rx: a buffer in the MAC's own registers, by a timer", test_rx_reentrant, "" },
	{ "rx: missed frames", test_rx_missed,
	  "-global dwmac-gmac.rx-lossless=off" },
	{ "rx: checksum errors not in the summary", test_rx_coe_no_es,
	  "-global dwmac-gmac.rx-csum-es=off" },
	{ "rx: extended status available", test_rx_coe_esa,
	  "-global dwmac-gmac.rx-esa=on" },
	{ "rx: checksum errors dropped", test_rx_coe_drop,
	  "-global dwmac-gmac.rx-csum-drop=on" },
	{ "synthesis options", test_features, FEW },
	{ "rx: checksums, type 1", test_rx_coe_type1, FEW },
	{ "no receive engine", test_no_rx_coe, "-global dwmac-gmac.rx-coe=0" },
	{ "software reset takes its time", test_reset_slow,
	  "-global dwmac-gmac.reset-ns=10000" },
	{ "mdio: busy", test_mdio_busy,
	  "-global dwmac-gmac.mdio-busy-ns=25000" },
	{ "vmstate: timers", test_vmstate_timers,
	  "-global dwmac-gmac.mdio-busy-ns=25000" },
	{ "random registers, rings and frames", test_random, "" },
	{ "vmstate: registers and rings", test_vmstate_registers, "" },
	{ "vmstate: half a frame in the fifo", test_vmstate_half_frame, "" },
	{ "vmstate: in mid-traffic", test_vmstate_traffic, "" },
	{ "tx: normal descriptors", test_normal_tx,
	  "-global dwmac-gmac.enh-desc=off" },
	{ "rx: normal descriptors", test_normal_rx,
	  "-global dwmac-gmac.enh-desc=off" },
};

int main(void)
{
	return mac_run_tests("gmac", tests, sizeof(tests) / sizeof(tests[0]));
}
