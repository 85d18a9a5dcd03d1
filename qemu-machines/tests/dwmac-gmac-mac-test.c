// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The GMAC 3.70a model: what the MAC does beside moving frames through rings.
 *
 * The receive FIFO and its PAUSE frames, VLAN tags, source addresses, time
 * stamps, low-power idle, waking up.  As in dwmac-gmac-test.c a frame that must
 * not arrive is followed by one that must.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "dwmac-features.h"
#include "dwmac-frame.h"
#include "dwmac-gmac.h"

#define FLOW     0x18
#define VLAN_TAG 0x1c
#define DEBUG    0x24
#define WAKE     0x28
#define PMT      0x2c
#define LPI      0x30
#define INT      0x38
#define MMC_RX   0x180
#define MMC_OVF  0x1d4
#define VLAN_INCL 0x584
#define VLAN_HASH 0x588
#define PTP      0x700
#define MISSED   0x1020

#define OP_EFC   (1 << 8)
#define OP_RFD2K (1 << 11)
#define ST_OVF   (1 << 4)
#define TX_TTSE  (1 << 25)
#define TX_TTSS  (1 << 17)
#define VTFE     (1 << 16)

static void build(struct frame *f, struct frame_spec s)
{
	frame_build(f, &s);
}

/* A tagged frame with room for a number at NUMBER. */
#define NUMBER 40
static void tagged(struct frame *f, unsigned vid)
{
	build(f, (struct frame_spec){ .payload = 100, .tag_len = 4,
				      .tag = { 0x81, 0, vid >> 8, vid } });
}

static unsigned number(struct mac *m, unsigned desc)
{
	uint8_t b;

	qtest_memread(m->q, rx_buf(desc) + NUMBER, &b, 1);
	return b;
}

static void send_number(struct mac *m, struct frame *f, unsigned n)
{
	f->data[NUMBER] = n;
	wire_send(m->q, 1, f->data, f->len);
}

/* ---- FIFO ---- */

static void start_stopped(struct mac *m)
{
	mac_start(m, 0);
	wr(m, MAC_CONTROL, MAC_TE | MAC_RE | MAC_JD | MAC_DM);
	wr(m, DMA_CONTROL, OP_ST | OP_TSF | OP_EFC | OP_RFD2K);
	rx_ring(m, RING, 1536);
}

static void test_fifo_stopped(struct mac *m)
{
	struct frame f;
	uint8_t got[4];
	uint32_t crc;

	build(&f, (struct frame_spec){ .payload = 100 });
	start_stopped(m);
	for (unsigned i = 0; i < 3; i++)
		send_number(m, &f, i);
	CHECK_SOON(rd(m, MMC_RX) == 3);
	CHECK_EQ(rd(m, DEBUG) >> 8 & 3, 1);
	CHECK_EQ(rx_word(m, 0, 0) >> 31, 1);
	wr(m, DMA_CONTROL, OP_ST | OP_SR | OP_TSF);
	for (unsigned i = 0; i < 3; i++) {
		CHECK_EQ(rx_word(m, i, 0) >> 31, 0);
		CHECK_EQ(number(m, i), i);
	}
	CHECK_EQ(rd(m, DEBUG) >> 8 & 3, 0);
	CHECK_EQ(rx_word(m, 3, 0) >> 31, 1);
	crc = frame_crc(f.data, f.len);
	qtest_memread(m->q, rx_buf(2) + f.len, got, 4);
	CHECK(!memcmp(got, &crc, 4));
}

/* The checksum engine looks at a frame once, as it comes in. */
static void test_fifo_judged_once(struct mac *m)
{
	const uint32_t on = MAC_TE | MAC_RE | MAC_JD | MAC_DM;
	struct frame f, wrong;

	build(&f, (struct frame_spec){ .ip = IP_V4, .proto = 17,
				       .payload = 100 });
	wrong = f;
	wrong.data[wrong.len - 1] ^= 1;
	start_stopped(m);
	wr(m, MAC_CONTROL, on | MAC_IPC);
	CHECK(qtest_set(m->q, "/machine/gmac1", "fault-rx-csum", 2));
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(rd(m, MMC_RX) == 1);
	wr(m, MAC_CONTROL, on);
	wire_send(m->q, 1, wrong.data, wrong.len);
	CHECK_SOON(rd(m, MMC_RX) == 2);
	wr(m, MAC_CONTROL, on | MAC_IPC);
	wr(m, DMA_CONTROL, OP_ST | OP_SR | OP_TSF);
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(!(rx_word(m, 2, 0) >> 31));
	CHECK_EQ(rx_word(m, 0, 0) & (RX_PCE | RX_ES), RX_PCE | RX_ES);
	CHECK_EQ(rx_word(m, 1, 0) & (RX_PCE | RX_ES), 0);
	CHECK_EQ(rx_word(m, 2, 0) & (RX_PCE | RX_ES), RX_PCE | RX_ES);
}

/* 16 KiB; less than 1 KiB free: PAUSE; 2 KiB free again: a PAUSE of nothing. */
static void test_fifo_pause(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 986 });
	start_stopped(m);
	wr(m, FLOW, 0xffff0002);
	for (unsigned i = 0; i < 15; i++)
		send_number(m, &f, i);
	CHECK_SOON(rd(m, MMC_RX) == 15);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), 0);
	send_number(m, &f, 15);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 5000), 60);
	CHECK(!memcmp(got, "\x01\x80\xc2\x00\x00\x01\x02\x00\x00\x00\x00\x01"
		      "\x88\x08\x00\x01\xff\xff", 18));
	CHECK_EQ(rd(m, DEBUG) >> 8 & 3, 2);
	wr(m, DMA_CONTROL, OP_ST | OP_SR | OP_TSF | OP_EFC | OP_RFD2K);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 5000), 60);
	CHECK_EQ(got[16] << 8 | got[17], 0);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), 0);
	CHECK_EQ(rd(m, DEBUG) >> 8 & 3, 1);
}

/* Without EFC, without TFE, in half duplex there is none. */
static void test_fifo_no_pause(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 986 });
	start_stopped(m);
	wr(m, DMA_CONTROL, OP_ST | OP_TSF);
	wr(m, FLOW, 0xffff0002);
	for (unsigned i = 0; i < 16; i++)
		send_number(m, &f, i);
	CHECK_SOON(rd(m, MMC_RX) == 16);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), 0);
}

static void test_fifo_overflow(struct mac *m)
{
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 986 });
	start_stopped(m);
	for (unsigned i = 0; i < 18; i++)
		send_number(m, &f, i);
	CHECK_SOON(rd(m, MMC_OVF) == 2);
	CHECK_EQ(rd(m, MMC_RX), 16);
	CHECK_EQ(rd(m, DMA_STATUS) & ST_OVF, ST_OVF);
	CHECK_EQ(rd(m, MISSED), 2 << 17);
	CHECK_EQ(rd(m, MISSED), 0);
	wr(m, DMA_CONTROL, OP_ST | OP_SR | OP_TSF);
	CHECK_EQ(number(m, RING - 1), RING - 1);
	rx_ring(m, RING, 1536);
	wr(m, DMA_RX_POLL, 1);
	CHECK_EQ(number(m, RING - 1), 15);
}

static void test_fifo_vmstate(struct mac *m)
{
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 100 });
	start_stopped(m);
	for (unsigned i = 0; i < 3; i++)
		send_number(m, &f, i);
	CHECK_SOON(rd(m, MMC_RX) == 3);
	mac_migrate(m);
	wr(m, DMA_CONTROL, OP_ST | OP_SR | OP_TSF);
	for (unsigned i = 0; i < 3; i++) {
		CHECK_EQ(rx_word(m, i, 0) >> 31, 0);
		CHECK_EQ(number(m, i), i);
	}
	CHECK_EQ(rx_word(m, 3, 0) >> 31, 1);
}

/* ---- VLAN ---- */

/* As stmmac_vid_crc32_le() does it: least significant bit first. */
static unsigned hash_of(unsigned vid)
{
	uint32_t crc = ~0u, rev = 0;

	for (int i = 0; i < 12; i++) {
		uint32_t bit = (crc ^ vid >> i) & 1;

		crc = crc >> 1 ^ (bit ? 0xedb88320 : 0);
	}
	for (int i = 0; i < 32; i++)
		rev |= (~crc >> i & 1) << (31 - i);
	return rev >> 28;
}

/* Which of the tags 5, 6, and none come through? */
static void check_vlan(struct mac *m, bool five, bool six)
{
	const bool want[] = { five, six };
	unsigned desc = 0;
	struct frame f;

	rx_ring(m, RING, 1536);
	for (unsigned i = 0; i < 2; i++) {
		tagged(&f, 5 + i);
		send_number(m, &f, i);
	}
	build(&f, (struct frame_spec){ .payload = 100 });
	send_number(m, &f, 2);
	CHECK_SOON(!(rx_word(m, five + six, 0) >> 31));
	for (unsigned i = 0; i < 2; i++)
		if (want[i])
			CHECK_EQ(number(m, desc++), i);
	CHECK_EQ(number(m, desc), 2);
}

static void test_vlan_perfect(struct mac *m)
{
	mac_start(m, 0);
	wr(m, MAC_FILTER, VTFE);
	wr(m, VLAN_TAG, 1 << 16 | 5);
	check_vlan(m, true, false);
}

static void test_vlan_hash(struct mac *m)
{
	CHECK(hash_of(5) != hash_of(6));
	mac_start(m, 0);
	wr(m, MAC_FILTER, VTFE);
	wr(m, VLAN_TAG, 1 << 19 | 1 << 16);
	wr(m, VLAN_HASH, 1u << hash_of(6));
	check_vlan(m, false, true);
}

static void test_vlan_both(struct mac *m)
{
	mac_start(m, 0);
	wr(m, MAC_FILTER, VTFE);
	wr(m, VLAN_TAG, 1 << 19 | 1 << 16 | 5);
	wr(m, VLAN_HASH, 1u << hash_of(6));
	check_vlan(m, true, true);
}

static void test_vlan_no_hash(struct mac *m)
{
	wr(m, VLAN_TAG, 1 << 19 | 5);
	wr(m, VLAN_HASH, 0xffff);
	CHECK_EQ(rd(m, VLAN_TAG), 5);
	CHECK_EQ(rd(m, VLAN_HASH), 0);
}

/* Sends @f from one descriptor; what comes out goes into @got. */
static size_t sent(struct mac *m, const void *f, size_t len, uint32_t w0,
		   uint32_t w1, uint8_t *got)
{
	unsigned n = m->tx++ % RING;
	uint32_t end = n == RING - 1 ? TX_TER : 0;

	qtest_memwrite(m->q, TX_BUF, f, len);
	tx_desc(m, n, TX_FS | TX_LS | end | w0, len | w1, TX_BUF, 0);
	wr(m, DMA_TX_POLL, 1);
	return wire_recv(m->q, 1, got, FRAME_MAX, 5000);
}

static void test_tx_vlan(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 100 });
	mac_start(m, 0);
	wr(m, VLAN_INCL, 0x2123);
	CHECK_EQ(sent(m, f.data, f.len, 0, 0, got), f.len);
	CHECK(!memcmp(got, f.data, f.len));
	/* VLIC 2: insert */
	CHECK_EQ(sent(m, f.data, f.len, 2 << 18, 0, got), f.len + 4);
	CHECK(!memcmp(got, f.data, 12));
	CHECK(!memcmp(got + 12, "\x81\x00\x21\x23", 4));
	CHECK(!memcmp(got + 16, f.data + 12, f.len - 12));
	/* 3: replace, an S-VLAN tag */
	tagged(&f, 5);
	wr(m, VLAN_INCL, 1 << 19 | 0x2123);
	CHECK_EQ(sent(m, f.data, f.len, 3 << 18, 0, got), f.len);
	CHECK(!memcmp(got + 12, "\x88\xa8\x21\x23", 4));
	/* 1: remove */
	CHECK_EQ(sent(m, f.data, f.len, 1 << 18, 0, got), f.len - 4);
	CHECK(!memcmp(got + 12, f.data + 16, f.len - 16));
	/* by the register, whatever the descriptor says */
	wr(m, VLAN_INCL, 1 << 18 | 2 << 16 | 7);
	CHECK_EQ(sent(m, f.data, f.len, 1 << 18, 0, got), f.len + 4);
	CHECK(!memcmp(got + 12, "\x81\x00\x00\x07\x81\x00\x00\x05", 8));
}

/* ---- source address ---- */

static void test_tx_source(struct mac *m)
{
	static const uint8_t own[6] = { 2, 0, 0, 0, 0, 1 };
	static const uint8_t second[6] = { 2, 0, 0, 0, 0, 2 };
	uint8_t got[FRAME_MAX], bare[FRAME_MAX];
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 100 });
	memcpy(bare, f.data, 6);
	memcpy(bare + 6, f.data + 12, f.len - 12);
	mac_start(m, 0);
	wr(m, 0x48, 0x80000200);
	wr(m, 0x4c, 0x00000002);
	/* SAIC 1: insert */
	CHECK_EQ(sent(m, bare, f.len - 6, 0, 1 << 29, got), f.len);
	CHECK(!memcmp(got + 6, own, 6));
	CHECK(!memcmp(got + 12, f.data + 12, f.len - 12));
	/* 2: replace; 6: with the second address */
	CHECK_EQ(sent(m, f.data, f.len, 0, 2u << 29, got), f.len);
	CHECK(!memcmp(got + 6, own, 6));
	CHECK_EQ(sent(m, f.data, f.len, 0, 6u << 29, got), f.len);
	CHECK(!memcmp(got + 6, second, 6));
	/* SARC, the same for frames that ask for nothing */
	wr(m, MAC_CONTROL, MAC_TE | MAC_RE | MAC_JD | 2 << 28);
	CHECK_EQ(sent(m, bare, f.len - 6, 0, 0, got), f.len);
	CHECK(!memcmp(got + 6, own, 6));
	wr(m, MAC_CONTROL, MAC_TE | MAC_RE | MAC_JD | 7 << 28);
	CHECK_EQ(sent(m, f.data, f.len, 0, 0, got), f.len);
	CHECK(!memcmp(got + 6, second, 6));
}

static void test_no_insertion(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 100 });
	mac_start(m, 0);
	wr(m, MAC_CONTROL, MAC_TE | MAC_RE | MAC_JD | 3 << 28);
	CHECK_EQ(rd(m, MAC_CONTROL), MAC_TE | MAC_RE | MAC_JD);
	wr(m, VLAN_INCL, 7);
	CHECK_EQ(rd(m, VLAN_INCL), 0);
	CHECK_EQ(sent(m, f.data, f.len, 2 << 18, 2u << 29, got), f.len);
	CHECK(!memcmp(got, f.data, f.len));
}

/* ---- time ---- */

static void ptp_start(struct mac *m, uint32_t sec, uint32_t nsec, uint32_t tcr)
{
	wr(m, PTP + 0x04, 10);	/* a tick of 100 MHz */
	wr(m, PTP + 0x10, sec);
	wr(m, PTP + 0x14, nsec);
	wr(m, PTP, 1 | 1 << 2 | 1 << 9 | tcr);
	CHECK_EQ(rd(m, PTP), 1 | 1 << 9 | tcr);
}

static void test_ptp_time(struct mac *m)
{
	ptp_start(m, 77, 999999990, 0);
	CHECK_EQ(rd(m, PTP + 0x08), 77);
	CHECK_EQ(rd(m, PTP + 0x0c), 999999990);
	qtest_clock_step(m->q, 20);
	CHECK_EQ(rd(m, PTP + 0x08), 78);
	CHECK_EQ(rd(m, PTP + 0x0c), 10);
	/* back by 3 s and 10 ns, as an older core wants it told */
	wr(m, PTP + 0x10, 2);
	wr(m, PTP + 0x14, 1u << 31 | 999999990);
	wr(m, PTP, 1 | 1 << 3 | 1 << 9);
	CHECK_EQ(rd(m, PTP + 0x08) * 1000000000ull + rd(m, PTP + 0x0c),
		 78 * 1000000000ull + 10 - 2000000010ull);
}

static void test_ptp_stamps(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 100 });
	m->stride = 32;
	mac_start(m, BUS_ATDS);
	rx_ring(m, RING, 1536);
	ptp_start(m, 77, 123450, 1 << 8);
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(!(rx_word(m, 0, 0) >> 31));
	CHECK_EQ(rx_word(m, 0, 0) & RX_IPC, RX_IPC);
	CHECK_EQ(rx_word(m, 0, 6), 123450);
	CHECK_EQ(rx_word(m, 0, 7), 77);
	/* sent: in the descriptor, if it asks */
	qtest_clock_step(m->q, 50);
	CHECK_EQ(sent(m, f.data, f.len, TX_TTSE, 0, got), f.len);
	CHECK_EQ(tx_word(m, 0, 0) & TX_TTSS, TX_TTSS);
	CHECK_EQ(tx_word(m, 0, 6), 123500);
	CHECK_EQ(tx_word(m, 0, 7), 77);
	CHECK_EQ(sent(m, f.data, f.len, 0, 0, got), f.len);
	CHECK_EQ(tx_word(m, 1, 0) & TX_TTSS, 0);
	CHECK_EQ(tx_word(m, 1, 6), 0);
}

/* Descriptors of four words: in place of the buffers. */
static void test_ptp_short(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 100 });
	mac_start(m, 0);
	rx_ring(m, RING, 1536);
	ptp_start(m, 77, 123450, 1 << 8);
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(!(rx_word(m, 0, 0) >> 31));
	CHECK_EQ(rx_word(m, 0, 0) & RX_IPC, 0);
	CHECK_EQ(rx_word(m, 0, 2), 123450);
	CHECK_EQ(rx_word(m, 0, 3), 77);
	CHECK_EQ(sent(m, f.data, f.len, TX_TTSE, 0, got), f.len);
	CHECK_EQ(tx_word(m, 0, 2), 123450);
	CHECK_EQ(tx_word(m, 0, 3), 77);
}

/* Only the messages that the snapshot type names; a SYNC, not a Follow_Up. */
static void test_ptp_snapshot(struct mac *m)
{
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 60 });
	memcpy(f.data + 12, "\x88\xf7\x00\x02", 4);
	m->stride = 32;
	mac_start(m, BUS_ATDS);
	rx_ring(m, RING, 1536);
	ptp_start(m, 77, 0, 1 << 10 | 1 << 11 | 1 << 14 | 1 << 16);
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(!(rx_word(m, 0, 0) >> 31));
	CHECK_EQ(rx_word(m, 0, 0) & RX_IPC, RX_IPC);
	f.data[14] = 8;
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(!(rx_word(m, 1, 0) >> 31));
	CHECK_EQ(rx_word(m, 1, 0) & RX_IPC, 0);
}

static void test_snapshots(struct mac *m)
{
	ptp_start(m, 77, 0, 1 << 25);
	for (unsigned n = 0; n < 2; n++) {
		qtest_clock_step(m->q, 1000);
		qtest_set_input(m->q, "/machine/gmac1", "aux-snapshot", 0, true);
		qtest_set_input(m->q, "/machine/gmac1", "aux-snapshot", 0, false);
		qtest_set_input(m->q, "/machine/gmac1", "aux-snapshot", 1, true);
	}
	CHECK_EQ(rd(m, INT), 1 << 9);
	CHECK_EQ(rd(m, DMA_STATUS) >> 29 & 1, 1);
	CHECK(qtest_irq(m->q));
	CHECK_EQ(rd(m, PTP + 0x28), 1 << 2 | 1 << 16 | 2 << 25);
	CHECK(!qtest_irq(m->q));
	CHECK_EQ(rd(m, PTP + 0x30), 1000);
	CHECK_EQ(rd(m, PTP + 0x34), 77);
	CHECK_EQ(rd(m, PTP + 0x28), 1 << 16 | 1 << 25);
	/* the FIFO's clear bit clears itself */
	wr(m, PTP, 1 | 1 << 9 | 3 << 24);
	CHECK_EQ(rd(m, PTP), 1 | 1 << 9 | 1 << 25);
	CHECK_EQ(rd(m, PTP + 0x28), 0);
}

static void test_no_ptp(struct mac *m)
{
	wr(m, PTP, 1);
	CHECK_EQ(rd(m, PTP), 0);
}

/* ---- low-power idle, waking up ---- */

static void test_lpi(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 100 });
	mac_start(m, 0);
	wr(m, LPI, 1 << 16 | 1 << 17 | 1 << 19);
	CHECK_EQ(rd(m, INT), 1 << 10);
	CHECK_EQ(rd(m, DMA_STATUS) >> 30, 1);
	CHECK(qtest_irq(m->q));
	CHECK_EQ(rd(m, LPI) & 0x30f, 0x101);
	CHECK(!qtest_irq(m->q));
	CHECK_EQ(sent(m, f.data, f.len, 0, 0, got), f.len);
	/* out again, and not back: LPIEN is clear */
	CHECK_EQ(rd(m, LPI) & 0x1030f, 0x2);
	/* without LPITXA frames wait for software */
	wr(m, LPI, 1 << 16 | 1 << 17);
	mac_tx(m, f.data, f.len, 0);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), 0);
	wr(m, LPI, 1 << 17);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), f.len);
	/* no link, no idle */
	rd(m, LPI);
	wr(m, LPI, 1 << 16 | 1 << 19);
	CHECK_EQ(rd(m, LPI) & 0x30f, 0);
}

static void test_magic(struct mac *m)
{
	struct frame f;

	mac_start(m, 0);
	rx_ring(m, RING, 1536);
	wr(m, PMT, 1 | 2);
	/* one repetition too few */
	frame_magic(&f);
	f.data[61 + 95] ^= 1;
	wire_send(m->q, 1, f.data, f.len);
	frame_magic(&f);
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(rd(m, INT) == 1 << 3);
	CHECK_EQ(rd(m, DMA_STATUS) >> 28, 1);
	CHECK(qtest_irq(m->q));
	CHECK_EQ(rd(m, PMT), 2 | 1 << 5);
	CHECK_EQ(rd(m, PMT), 2);
	CHECK(!qtest_irq(m->q));
	/* both were dropped, what comes now is not */
	build(&f, (struct frame_spec){ .payload = 100 });
	send_number(m, &f, 7);
	CHECK_SOON(!(rx_word(m, 0, 0) >> 31));
	CHECK_EQ(number(m, 0), 7);
}

static void test_wake_unicast(struct mac *m)
{
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 100 });
	mac_start(m, 0);
	wr(m, PMT, 1 | 4 | 1 << 9);
	/* not to everybody */
	memset(f.data, 0xff, 6);
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(rd(m, MMC_RX) == 0);
	CHECK_EQ(rd(m, PMT), 1 | 4 | 1 << 9);
	build(&f, (struct frame_spec){ .payload = 100 });
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(rd(m, INT) == 1 << 3);
	CHECK_EQ(rd(m, PMT), 4 | 1 << 6 | 1 << 9);
}

static void test_wakeup(struct mac *m)
{
	struct frame f;

	mac_start(m, 0);
	rx_ring(m, RING, 1536);
	for (unsigned i = 0; i < 8; i++)
		wr(m, WAKE, frame_wakeup_filter[i]);
	wr(m, PMT, 1 | 4);
	frame_wakeup(&f);
	f.data[50] ^= 1;
	wire_send(m->q, 1, f.data, f.len);
	f.data[50] ^= 1;
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(rd(m, INT) == 1 << 3);
	CHECK(qtest_irq(m->q));
	CHECK_EQ(rd(m, PMT), 4 | 1 << 6);
	CHECK_EQ(rx_word(m, 0, 0) >> 31, 1);
}

static void test_wake_filter(struct mac *m)
{
	for (unsigned i = 0; i < 8; i++)
		wr(m, WAKE, 0x1000 + i);
	wr(m, PMT, 1u << 31);
	CHECK_EQ(rd(m, PMT), 0);
	for (unsigned i = 0; i < 4; i++)
		CHECK_EQ(rd(m, WAKE), 0x1000 + i);
	mac_migrate(m);
	for (unsigned i = 4; i < 8; i++)
		CHECK_EQ(rd(m, WAKE), 0x1000 + i);
}

static void test_no_power(struct mac *m)
{
	wr(m, LPI, 1 << 16 | 1 << 17);
	CHECK_EQ(rd(m, LPI), 0);
	wr(m, PMT, 3);
	CHECK_EQ(rd(m, PMT), 0);
}

/* ---- loopback at the PHY ---- */

static void test_phy_loopback(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 100 });
	mac_start(m, 0);
	rx_ring(m, RING, 1536);
	wr(m, 0x14, 0x4140);
	wr(m, 0x10, 1 << 11 | 0 << 6 | 3);
	mac_tx(m, f.data, f.len, 0);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), 0);
	CHECK_EQ(rx_word(m, 0, 0) >> 31, 0);
	wr(m, 0x14, 0x1140);
	wr(m, 0x10, 1 << 11 | 0 << 6 | 3);
}

/* ---- faults on purpose ---- */

static void fault(struct mac *m, const char *name, unsigned val)
{
	CHECK(qtest_set(m->q, "/machine/gmac1", name, val));
}

static void test_fault_tx(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 100 });
	mac_start(m, 0);
	/* the frame goes out, its descriptor says it did not */
	fault(m, "fault-writeback", 1);
	CHECK_EQ(sent(m, f.data, f.len, TX_IC, 0, got), f.len);
	CHECK_EQ(tx_word(m, 0, 0) >> 31, 1);
	CHECK_EQ(sent(m, f.data, f.len, TX_IC, 0, got), f.len);
	CHECK_EQ(tx_word(m, 1, 0) >> 31, 0);
	/* late; the next one waits for it */
	fault(m, "fault-late-tx-ns", 70000);
	wr(m, DMA_STATUS, ST_TI | ST_NIS);
	CHECK_EQ(sent(m, f.data, f.len, TX_IC, 0, got), f.len);
	mac_tx(m, f.data, f.len, 0);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), 0);
	CHECK_EQ(tx_word(m, 2, 0) >> 31, 1);
	qtest_clock_step(m->q, 69999);
	CHECK_EQ(rd(m, DMA_STATUS) & ST_TI, 0);
	qtest_clock_step(m->q, 1);
	CHECK_EQ(tx_word(m, 2, 0) >> 31, 0);
	CHECK_EQ(rd(m, DMA_STATUS) & ST_TI, ST_TI);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), f.len);
	fault(m, "fault-late-tx-ns", 0);
}

static void test_fault_rx(struct mac *m)
{
	struct frame f;

	build(&f, (struct frame_spec){ .ip = IP_V4, .proto = 17,
				       .payload = 100 });
	mac_start(m, 0);
	wr(m, MAC_CONTROL, MAC_TE | MAC_RE | MAC_JD | MAC_IPC);
	rx_ring(m, RING, 1536);
	fault(m, "fault-rx-csum", 1);
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(!(rx_word(m, 0, 0) >> 31));
	CHECK_EQ(rx_word(m, 0, 0) & (RX_PCE | RX_ES), RX_PCE | RX_ES);
	fault(m, "fault-rx-overflow", 1);
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(rd(m, MMC_OVF) == 1);
	CHECK_EQ(rx_word(m, 1, 0) >> 31, 1);
	fault(m, "fault-writeback", 1);
	wire_send(m->q, 1, f.data, f.len);
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(!(rx_word(m, 2, 0) >> 31));
	CHECK_EQ(rx_word(m, 1, 0) >> 31, 1);
	CHECK_EQ(rx_word(m, 2, 0) & (RX_PCE | RX_ES), 0);
	fault(m, "fault-bus-error", 1);
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(rd(m, DMA_STATUS) & ST_FBI);
}

static void test_fault_stuck(struct mac *m)
{
	fault(m, "fault-stuck-busy", 1);
	wr(m, 0x10, 1 << 11 | 2 << 6 | 1);
	CHECK_EQ(rd(m, 0x10) & 1, 1);
	fault(m, "fault-stuck-busy", 0);
	fault(m, "fault-stuck-reset", 1);
	wr(m, DMA_BUS, 1);
	CHECK_EQ(rd(m, DMA_BUS) & 1, 1);
	fault(m, "fault-stuck-reset", 0);
	wr(m, DMA_BUS, 1);
	CHECK_EQ(rd(m, DMA_BUS) & 1, 0);
}

/* ---- what is advertised ---- */

#define FEATURE 0x1058

static const struct feature features[] = {
	{ FEATURE, 0x00000003, "other: gmac: tx: a frame" },	/* MIISEL, GMIISEL */
	{ FEATURE, 0x00000010, "other: gmac: rx: hash filter" }, /* HASHSEL */
	{ FEATURE, 0x00000020, "other: gmac: rx: filter" },	/* ADDMACADRSEL */
	{ FEATURE, 0x00000100, "other: gmac: mdio" },		/* SMASEL */
	{ FEATURE, 0x00000200, "pmt: wake-up frame" },		/* RWKSEL */
	{ FEATURE, 0x00000400, "pmt: magic packet" },		/* MGKSEL */
	{ FEATURE, 0x00000800, "other: gmac: mmc: counters" },	/* MMCSEL */
	{ FEATURE, 0x02002000, "ptp: stamps" },			/* TSVER2SEL, INTTSEN */
	{ FEATURE, 0x00001000, "other: offload: ptp messages" }, /* TSVER1SEL */
	{ FEATURE, 0x00004000, "low-power idle" },		/* EEESEL */
	{ FEATURE, 0x00010000, "other: gmac: tx: checksums inserted" }, /* TXCOESEL */
	{ FEATURE, 0x00040000, "other: gmac: rx: checksum verdicts" }, /* RXTYP2COE */
	{ FEATURE, 0x00080000, "fifo: overflow" },		/* RXFIFOSIZE */
	{ FEATURE, 0x01000000, "other: gmac: rx: checksum verdicts, extended status" },
	{ FEATURE, 0x08000000, "source address insertion" },	/* SAVLANINS */
};

static void test_advertised(struct mac *m)
{
	features_check(features, sizeof(features) / sizeof(features[0]), FEATURE,
		       rd(m, FEATURE), m->tests, m->n_tests, sizeof(struct test));
}

/* ---- demands that come close together ---- */

/* The first frame leaves at once, the next ones when they are old or many. */
static void test_gather(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f;

	build(&f, (struct frame_spec){ .payload = 100 });
	mac_start(m, 0);
	qtest_clock_step(m->q, 400000);
	CHECK_EQ(sent(m, f.data, f.len, TX_IC, 0, got), f.len);
	/* old */
	mac_tx(m, f.data, f.len, TX_IC);
	mac_tx(m, f.data, f.len, TX_IC);
	qtest_clock_step(m->q, 199999);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), 0);
	CHECK_EQ(tx_word(m, 1, 0) >> 31, 1);
	qtest_clock_step(m->q, 1);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), f.len);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), f.len);
	CHECK_EQ(tx_word(m, 2, 0) >> 31, 0);
	/* many: the eighth demand */
	mac_tx(m, f.data, f.len, TX_IC);
	for (int i = 0; i < 6; i++)
		wr(m, DMA_TX_POLL, 1);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), 0);
	wr(m, DMA_TX_POLL, 1);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), f.len);
	/* what waits when a machine is saved leaves it where it is loaded */
	mac_tx(m, f.data, f.len, TX_IC);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), 0);
	mac_migrate(m);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 5000), f.len);
	qtest_clock_step(m->q, 400000);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), 0);
}

#define G "-global dwmac-gmac."

static const struct test tests[] = {
	{ "what is advertised has a test", test_advertised, "" },
	{ "fifo: the DMA is stopped", test_fifo_stopped, "" },
	{ "fifo: checksums are looked at once", test_fifo_judged_once, "" },
	{ "fifo: pause by its level", test_fifo_pause, "" },
	{ "fifo: no pause without EFC", test_fifo_no_pause, "" },
	{ "fifo: overflow", test_fifo_overflow, "" },
	{ "fifo: vmstate", test_fifo_vmstate, "" },
	{ "vlan: perfect filter", test_vlan_perfect, "" },
	{ "vlan: hash filter", test_vlan_hash, "" },
	{ "vlan: both filters", test_vlan_both, "" },
	{ "vlan: insertion", test_tx_vlan, "" },
	{ "source address insertion", test_tx_source, "" },
	{ "ptp: time", test_ptp_time, "" },
	{ "ptp: stamps", test_ptp_stamps, "" },
	{ "ptp: stamps in short descriptors", test_ptp_short, "" },
	{ "ptp: snapshots by message", test_ptp_snapshot, "" },
	{ "ptp: auxiliary snapshots", test_snapshots, "" },
	{ "low-power idle", test_lpi, "" },
	{ "pmt: magic packet", test_magic, "" },
	{ "pmt: unicast", test_wake_unicast, "" },
	{ "pmt: wake-up frame", test_wakeup, "" },
	{ "pmt: filter registers", test_wake_filter, "" },
	{ "loopback at the PHY", test_phy_loopback, "" },
	{ "faults on purpose: tx", test_fault_tx, "" },
	{ "faults on purpose: rx", test_fault_rx, "" },
	{ "faults on purpose: stuck bits", test_fault_stuck, "" },
	{ "tx: demands are gathered", test_gather, G "tx-gather-ns=200000" },
	{ "no vlan hash", test_vlan_no_hash, G "vlan-hash=off" },
	{ "no insertion", test_no_insertion, G "sa-vlan-insertion=off" },
	{ "no time", test_no_ptp, G "ptp=off" },
	{ "no low power", test_no_power, G "eee=off " G "pmt=off" },
};

int main(void)
{
	return mac_run_tests("gmac mac", tests, sizeof(tests) / sizeof(tests[0]));
}
