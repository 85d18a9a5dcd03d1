// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A driver of sorts for the multi-queue MACs, for tests: see dwmac-mq.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "dwmac-coe-cases.h"
#include "dwmac-frame.h"
#include "dwmac-mq.h"
#include "dwmac-traffic.h"

#define BASE     0x0b010000
#define TX_RINGS (QTEST_RAM + 0x10000)
#define RX_RINGS (QTEST_RAM + 0x20000)
#define TX_BUFS  (QTEST_RAM + 0x100000)
#define RX_BUFS  (QTEST_RAM + 0x200000)

uint32_t rd(struct mac *m, uint32_t off)
{
	return qtest_readl(m->q, m->base + off);
}

void wr(struct mac *m, uint32_t off, uint32_t val)
{
	qtest_writel(m->q, m->base + off, val);
}

uint32_t ch_rd(struct mac *m, unsigned c, uint8_t reg)
{
	return rd(m, m->g->chan + c * 0x80 + reg);
}

void ch_wr(struct mac *m, unsigned c, uint8_t reg, uint32_t val)
{
	wr(m, m->g->chan + c * 0x80 + reg, val);
}

uint32_t tx_addr(struct mac *m, unsigned c, unsigned n)
{
	(void)m;
	return TX_RINGS + c * 0x1000 + n % RING * 16;
}

uint32_t rx_addr(struct mac *m, unsigned c, unsigned n)
{
	(void)m;
	return RX_RINGS + c * 0x1000 + n % RING * 16;
}

uint32_t tx_word(struct mac *m, unsigned c, unsigned n, unsigned w)
{
	return qtest_readl(m->q, tx_addr(m, c, n) + 4 * w);
}

uint32_t rx_word(struct mac *m, unsigned c, unsigned n, unsigned w)
{
	return qtest_readl(m->q, rx_addr(m, c, n) + 4 * w);
}

uint32_t tx_buf(unsigned c, unsigned n)
{
	return TX_BUFS + c * 0x8000 + n % RING * 4096;
}

uint32_t rx_buf(unsigned c, unsigned n)
{
	return RX_BUFS + c * 0x8000 + n % RING * 4096;
}

/* The owner bit goes in last, as in a driver. */
static void put_desc(struct mac *m, uint32_t at, uint32_t w0, uint32_t w1,
		     uint32_t w2, uint32_t w3)
{
	qtest_writel(m->q, at, w0);
	qtest_writel(m->q, at + 4, w1);
	qtest_writel(m->q, at + 8, w2);
	qtest_writel(m->q, at + 12, w3);
}

void tx_desc(struct mac *m, unsigned c, unsigned n, uint32_t w0, uint32_t w1,
	     uint32_t w2, uint32_t w3)
{
	put_desc(m, tx_addr(m, c, n), w0, w1, w2, w3 | TX_OWN);
}

void rx_desc(struct mac *m, unsigned c, unsigned n, uint32_t w0, uint32_t w1,
	     uint32_t w2, uint32_t w3)
{
	put_desc(m, rx_addr(m, c, n), w0, w1, w2, w3 | RX_OWN);
}

void tx_kick(struct mac *m, unsigned c, unsigned n)
{
	ch_wr(m, c, m->g->tx_tail, tx_addr(m, c, n + 1));
}

void rx_kick(struct mac *m, unsigned c)
{
	ch_wr(m, c, m->g->rx_tail, rx_addr(m, c, RING - 1) + 16);
}

void mac_tx(struct mac *m, unsigned c, const void *frame, size_t len,
	    uint32_t w3)
{
	unsigned n = m->tx[c]++ % RING;

	qtest_memwrite(m->q, tx_buf(c, n), frame, len);
	tx_desc(m, c, n, tx_buf(c, n), 0, len | TX_IOC,
		TX_FD | TX_LD | len | w3);
	tx_kick(m, c, n);
}

void rx_give(struct mac *m, unsigned c, unsigned n)
{
	rx_desc(m, c, n, rx_buf(c, n), 0, 0, m->g->rx_valid | RX_IOC);
	rx_kick(m, c);
}

void rx_ring(struct mac *m, unsigned c, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		rx_give(m, c, i);
}

void mac_reset(struct mac *m)
{
	static const uint8_t zero[RING * 16];

	wr(m, m->g->dma_mode, 1);
	if (rd(m, m->g->dma_mode) & 1)
		qtest_clock_step(m->q, 10000);
	CHECK_EQ(rd(m, m->g->dma_mode) & 1, 0);
	memset(m->tx, 0, sizeof(m->tx));
	memset(m->rx, 0, sizeof(m->rx));
	m->rbsz = 1536;
	for (unsigned c = 0; c < 8; c++) {
		qtest_memwrite(m->q, tx_addr(m, c, 0), zero, sizeof(zero));
		qtest_memwrite(m->q, rx_addr(m, c, 0), zero, sizeof(zero));
	}
}

void chan_start(struct mac *m, unsigned c)
{
	const struct mq_gen *g = m->g;

	ch_wr(m, c, g->tx_base, tx_addr(m, c, 0));
	ch_wr(m, c, g->rx_base, rx_addr(m, c, 0));
	ch_wr(m, c, g->tx_tail, tx_addr(m, c, 0));
	ch_wr(m, c, g->rx_tail, rx_addr(m, c, 0));
	ch_wr(m, c, g->tx_len, RING - 1);
	ch_wr(m, c, g->rx_len, RING - 1);
	ch_wr(m, c, g->int_en, ST_NIS | ST_AIS | ST_TI | ST_RI);
	ch_wr(m, c, g->tx_control, 1 | (ch_rd(m, c, g->tx_control) & ~1u));
	ch_wr(m, c, g->rx_control, 1 | m->rbsz << 1);
	/* an empty ring has suspended the transmitter by now */
	ch_wr(m, c, g->status, ST_ALL);
}

void mac_start(struct mac *m)
{
	wr(m, MAC_ADDR, 0x0100);
	wr(m, MAC_ADDR + 4, 0x00000002);
	m->g->start(m);
	chan_start(m, 0);
}

static void start(struct mac *m, const char *options, const char *more)
{
	char all[1024];

	snprintf(all, sizeof(all), "-global %s.mac=02:52:54:00:34:12 %s %s",
		 m->g->name, options, more);
	m->options = options;
	m->q = qtest_start(m->g->machine, all, 2);
	m->base = BASE;
	qtest_watch_irq(m->q, "/machine/gmac1");
}

void mac_migrate(struct mac *m)
{
	char path[] = "/tmp/mq-test-XXXXXX";
	int fd = mkstemp(path);

	CHECK(fd >= 0);
	close(fd);
	qtest_save(m->q, path);
	qtest_stop(m->q);
	start(m, m->options, "-incoming defer");
	qtest_load(m->q, path);
	unlink(path);
}

int mac_run_tests(const struct mq_gen *g, const struct test *tests, unsigned n)
{
	const char *only = getenv("ONLY");
	struct mac m = { .g = g, .tests = tests, .n_tests = n };
	char name[128];

	ktap_plan(n);
	for (unsigned i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "%s: %s", g->name + 6,
			 tests[i].name);
		if (only && !strstr(name, only))
			continue;
		if (!m.q || strcmp(m.options, tests[i].options)) {
			if (m.q)
				qtest_stop(m.q);
			start(&m, tests[i].options, "");
		}
		mac_reset(&m);
		tests[i].fn(&m);
		ktap_result(name);
	}
	if (m.q)
		qtest_stop(m.q);
	return ktap_end();
}

void mq_test_magic(struct mac *m)
{
	struct frame f;

	mac_start(m);
	rx_ring(m, 0, RING);
	wr(m, MAC_INT + 4, 1 << 4);
	wr(m, 0xc0, 1 | 2);
	frame_magic(&f);
	f.data[61 + 95] ^= 1;	/* one repetition too few */
	wire_send(m->q, 1, f.data, f.len);
	frame_magic(&f);
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(rd(m, MAC_INT) == 1 << 4);
	CHECK(qtest_irq(m->q));
	CHECK_EQ(rd(m, 0xc0), 2 | 1 << 5);
	CHECK_EQ(rd(m, 0xc0), 2);
	CHECK(!qtest_irq(m->q));
	frame_build(&f, &(struct frame_spec){ .payload = 100 });
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(!(rx_word(m, 0, 0, 3) >> 31));
	CHECK_EQ(rx_word(m, 0, 1, 3) >> 31, 1);
}

void mq_test_wakeup(struct mac *m)
{
	struct frame f;

	mac_start(m);
	rx_ring(m, 0, RING);
	for (unsigned i = 0; i < 8; i++)
		wr(m, 0xc4, frame_wakeup_filter[i]);
	wr(m, MAC_INT + 4, 1 << 4);
	wr(m, 0xc0, 1 | 4);
	mac_migrate(m);
	frame_wakeup(&f);
	f.data[50] ^= 1;
	wire_send(m->q, 1, f.data, f.len);
	f.data[50] ^= 1;
	wire_send(m->q, 1, f.data, f.len);
	CHECK_SOON(rd(m, MAC_INT) == 1 << 4);
	CHECK(qtest_irq(m->q));
	CHECK_EQ(rd(m, 0xc0), 4 | 1 << 6);
	CHECK_EQ(rd(m, 0xc0), 4);
	CHECK_EQ(rx_word(m, 0, 0, 3) >> 31, 1);
}

void mq_test_tx_coe(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f, want;
	struct coe_case c;

	mac_start(m);
	for (unsigned cic = 2; cic <= 3; cic++) {
		for (unsigned at = 0; coe_next(&c, &at);) {
			if (!coe_sent(&c, cic, &f, &want))
				continue;
			mac_tx(m, 0, f.data, f.len, TX_CIC(cic));
			CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), f.len);
			if (!CHECK(!memcmp(got, want.data, f.len)) ||
			    !CHECK_EQ(tx_word(m, 0, m->tx[0] - 1, 3), TX_FD | TX_LD))
				printf("# cic %u: %s\n", cic, coe_name(&c));
		}
	}
}

void mq_rx_coe(struct mac *m, unsigned w, uint32_t mask,
	       uint32_t (*want)(const struct coe_case *c))
{
	struct coe_case c;
	struct frame f;
	unsigned n = 0;

	for (unsigned at = 0; coe_next(&c, &at); n++) {
		frame_build(&f, &c.spec);
		rx_give(m, 0, n);
		wire_send(m->q, 1, f.data, f.len);
		CHECK_SOON(!(rx_word(m, 0, n, 3) & RX_OWN));
		if (!CHECK_EQ(rx_word(m, 0, n, w) & mask, want(&c)))
			printf("# %s\n", coe_name(&c));
	}
}

void mq_rx_coe_drop(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct coe_case c;
	struct frame f;
	unsigned n = 0;

	for (unsigned at = 0; coe_next(&c, &at);) {
		frame_build(&f, &c.spec);
		rx_give(m, 0, n);
		wire_send(m->q, 1, f.data, f.len);
		if (c.hdr_err || c.pay_err)
			continue;
		CHECK_SOON(!(rx_word(m, 0, n, 3) & RX_OWN));
		qtest_memread(m->q, rx_buf(0, n), got, f.len);
		if (!CHECK(!memcmp(got, f.data, f.len)))
			printf("# %s\n", coe_name(&c));
		n++;
	}
}

/* 1400 bytes of TCP in the first buffer, channel 0 ready; returns its headers' length. */
static size_t tso_start(struct mac *m, struct frame *f)
{
	frame_build(f, &(struct frame_spec){ .ip = IP_V4, .proto = 6,
				       .payload = 1400 });
	mac_start(m);
	ch_wr(m, 0, m->g->tx_control, 1 | 1 << 12);
	qtest_memwrite(m->q, tx_buf(0, 0), f->data, f->len);
	return f->len - 1400;
}

void mq_test_tso(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f;
	size_t hdr = tso_start(m, &f), at = 0, n;

	/* a context descriptor with the MSS, headers, payload in two */
	tx_desc(m, 0, 0, 0, 0, 601, TX_CTXT | 1 << 26);
	tx_desc(m, 0, 1, tx_buf(0, 0), 0, hdr, TX_FD | 1 << 18 | 5 << 19 |
		1400);
	tx_desc(m, 0, 2, tx_buf(0, 0) + hdr, 0, 900, 0);
	tx_kick(m, 0, 2);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), 0);
	tx_desc(m, 0, 3, tx_buf(0, 0) + hdr + 900, 0, 500 | TX_IOC, TX_LD);
	tx_kick(m, 0, 3);
	for (unsigned i = 0; i < 3; i++) {
		n = wire_recv(m->q, 1, got, sizeof(got), 0);
		CHECK_EQ(n, hdr + (i < 2 ? 601 : 198));
		CHECK(!memcmp(got + hdr, f.data + hdr + at, n - hdr));
		CHECK_EQ(frame_sum(got + f.l3, 20), 0xffff);
		at += n - hdr;
	}
	CHECK_EQ(tx_word(m, 0, 0, 3), TX_CTXT);
	CHECK_EQ(tx_word(m, 0, 3, 3), TX_LD);
	CHECK_EQ(ch_rd(m, 0, m->g->status) & ST_TI, ST_TI);
}

/* Two frames to be segmented, the first one without a last descriptor. */
void mq_test_tso_no_last(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f;
	size_t hdr = tso_start(m, &f);

	tx_desc(m, 0, 0, 0, 0, 601, TX_CTXT | 1 << 26);
	for (unsigned i = 1; i < 5; i += 2) {
		tx_desc(m, 0, i, tx_buf(0, 0), 0, hdr,
			TX_FD | 1 << 18 | 5 << 19 | 1400);
		tx_desc(m, 0, i + 1, tx_buf(0, 0) + hdr, 0, 1400,
			i == 1 ? 0 : TX_LD);
	}
	tx_kick(m, 0, 4);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), 0);
	CHECK_EQ(ch_rd(m, 0, m->g->cur_tx), tx_addr(m, 0, 4));
	/* stop and start do not help */
	ch_wr(m, 0, m->g->tx_control, 0);
	ch_wr(m, 0, m->g->tx_control, 1 | 1 << 12);
	tx_desc(m, 0, 5, tx_buf(0, 0), 0, 200, TX_FD | TX_LD);
	tx_kick(m, 0, 5);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), 0);
	/* a software reset does */
	wr(m, m->g->dma_mode, 1);
	mac_start(m);
	tx_desc(m, 0, 0, tx_buf(0, 0), 0, 200, TX_FD | TX_LD);
	tx_kick(m, 0, 0);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), 200);
}

/* Addresses above 4 GiB: TDES1 and the base's upper half count with EAME. */
void mq_test_wide_addresses(struct mac *m)
{
	uint8_t got[FRAME_MAX];
	struct frame f;

	frame_build(&f, &(struct frame_spec){ .payload = 100 });
	mac_start(m);
	wr(m, m->g->sys_bus, 1 << 11);
	/* there is no memory up there: an error tells where it looked */
	tx_desc(m, 0, 0, tx_buf(0, 0), 0x12, f.len, TX_FD | TX_LD);
	tx_kick(m, 0, 0);
	CHECK_EQ(ch_rd(m, 0, m->g->status) & ST_FBE, ST_FBE);
	CHECK_EQ(ch_rd(m, 0, 0x50), 0x12);
	CHECK_EQ(ch_rd(m, 0, 0x54), tx_buf(0, 0));
	/* without EAME it is the address of buffer 2, of no length here */
	mac_reset(m);
	mac_start(m);
	qtest_memwrite(m->q, tx_buf(0, 0), f.data, f.len);
	tx_desc(m, 0, 0, tx_buf(0, 0), 0x12, f.len, TX_FD | TX_LD);
	tx_kick(m, 0, 0);
	CHECK_EQ(wire_recv(m->q, 1, got, sizeof(got), 0), f.len);
}

/* ---- IEEE 1588 ---- */

#define PTP_STATUS 0x20
#define PTP_ACR    0x40
#define PTP_ATNR   0x48
#define PTP_ATSR   0x4c
#define PPS_CTRL   0x70
#define PPS_SEC(n)      (0x80 + 0x10 * (n))
#define PPS_NSEC(n)     (0x84 + 0x10 * (n))
#define PPS_INTERVAL(n) (0x88 + 0x10 * (n))
#define PPS_WIDTH(n)    (0x8c + 0x10 * (n))
#define AUX_EVENT  (1 << 2)

static uint32_t ptp_rd(struct mac *m, uint32_t off)
{
	return rd(m, m->g->ptp + off);
}

static void ptp_wr(struct mac *m, uint32_t off, uint32_t val)
{
	wr(m, m->g->ptp + off, val);
}

/* 100 MHz, 10 ns a tick; it is 100 s, and the MAC tells of events. */
static void ptp_start(struct mac *m)
{
	ptp_wr(m, 0x04, 10 << 16);
	ptp_wr(m, 0x10, 100);
	ptp_wr(m, 0x14, 0);
	ptp_wr(m, 0x00, 1 | 1 << 2 | 1 << 9);
	wr(m, MAC_INT + 4, 1 << 12);
}

/* An edge at an input, and back. */
static void edge(struct mac *m, unsigned n)
{
	qtest_set_input(m->q, "/machine/gmac1", "aux-snapshot", n, true);
	qtest_set_input(m->q, "/machine/gmac1", "aux-snapshot", n, false);
}

/* Takes a snapshot out; nanoseconds since it was 100 s. */
static uint64_t snapshot(struct mac *m)
{
	uint32_t nsec = ptp_rd(m, PTP_ATNR), sec = ptp_rd(m, PTP_ATSR);

	return (sec - 100) * 1000000000ull + nsec;
}

void mq_test_snapshots(struct mac *m)
{
	ptp_start(m);
	ptp_wr(m, PTP_ACR, 5 << 4);
	CHECK_EQ(ptp_rd(m, PTP_ACR), 5 << 4);
	/* of inputs 0 and 2 only, and at rising edges */
	qtest_clock_step(m->q, 1000);
	edge(m, 1);
	CHECK_EQ(ptp_rd(m, PTP_STATUS), 0);
	edge(m, 2);
	qtest_clock_step(m->q, 500);
	edge(m, 0);
	CHECK_EQ(rd(m, MAC_INT), 1 << 12);
	CHECK(qtest_irq(m->q));
	mac_migrate(m);
	CHECK_EQ(ptp_rd(m, PTP_STATUS), AUX_EVENT | 1 << 18 | 2 << 25);
	CHECK(!qtest_irq(m->q));
	CHECK_EQ(snapshot(m), 1000);
	CHECK_EQ(ptp_rd(m, PTP_STATUS), 1 << 16 | 1 << 25);
	CHECK_EQ(snapshot(m), 1500);
	/* sixteen wait, the next is missed, which is told once */
	for (unsigned i = 0; i < 17; i++)
		edge(m, 0);
	CHECK_EQ(ptp_rd(m, PTP_STATUS), AUX_EVENT | 1 << 16 | 1 << 24 | 16u << 25);
	CHECK_EQ(ptp_rd(m, PTP_STATUS), 1 << 16 | 16u << 25);
	ptp_wr(m, PTP_ACR, 5 << 4 | 1);
	CHECK_EQ(ptp_rd(m, PTP_STATUS), 0);
	CHECK_EQ(ptp_rd(m, PTP_ACR), 5 << 4);
	/* no time, no snapshot */
	ptp_wr(m, 0x00, 0);
	edge(m, 0);
	CHECK_EQ(ptp_rd(m, PTP_STATUS), 0);
}

/* A command to output @n: flexible mode, no event at the target time. */
static void pps_command(struct mac *m, unsigned n, unsigned cmd)
{
	uint32_t others = ptp_rd(m, PPS_CTRL) & ~(0xff << 8 * n);

	ptp_wr(m, PPS_CTRL, others | (1 << 4 | 3 << 5 | cmd) << 8 * n);
	/* it has been carried out */
	CHECK_EQ(ptp_rd(m, PPS_CTRL) & 0xf << 8 * n, 0);
}

/* Output @n begins at @nsec, with command @cmd; pulses of 2 us, 5 us apart. */
static void pps_begin(struct mac *m, unsigned n, uint32_t nsec, unsigned cmd)
{
	pps_command(m, n, 0);
	ptp_wr(m, PPS_SEC(n), 100);
	ptp_wr(m, PPS_NSEC(n), nsec);
	ptp_wr(m, PPS_INTERVAL(n), 500 - 1);
	ptp_wr(m, PPS_WIDTH(n), 200 - 1);
	pps_command(m, n, cmd);
}

static unsigned snapshots(struct mac *m)
{
	return ptp_rd(m, PTP_STATUS) >> 25 & 0x1f;
}

/* A train on output 0 and a single pulse on output 3. */
void mq_test_pps(struct mac *m)
{
	ptp_start(m);
	ptp_wr(m, PTP_ACR, 0xf << 4);
	pps_begin(m, 0, 10000, 2);
	pps_begin(m, 3, 12000, 1);
	qtest_clock_step(m->q, 9000);
	CHECK_EQ(snapshots(m), 0);
	qtest_clock_step(m->q, 2000);
	CHECK_EQ(ptp_rd(m, PTP_STATUS), AUX_EVENT | 1 << 16 | 1 << 25);
	CHECK_EQ(snapshot(m), 10000);
	qtest_clock_step(m->q, 10000);
	CHECK_EQ(ptp_rd(m, PTP_STATUS), AUX_EVENT | 1 << 19 | 3 << 25);
	CHECK_EQ(snapshot(m), 12000);
	CHECK_EQ(snapshot(m), 15000);
	CHECK_EQ(snapshot(m), 20000);
	/* the clock is set: the train goes on when its time comes */
	ptp_wr(m, 0x10, 0);
	ptp_wr(m, 0x14, 1u << 31 | (1000000000 - 8000));
	ptp_wr(m, 0x00, 1 | 1 << 3 | 1 << 9);
	qtest_clock_step(m->q, 11000);
	CHECK_EQ(snapshots(m), 0);
	qtest_clock_step(m->q, 2000);
	CHECK_EQ(snapshots(m), 1);
	CHECK_EQ(snapshot(m), 25000);
}

/* At once, at a time, before it began; a start in the past is an error. */
void mq_test_pps_stop(struct mac *m)
{
	ptp_start(m);
	ptp_wr(m, PTP_ACR, 0xf << 4);
	pps_begin(m, 1, 1000, 2);
	qtest_clock_step(m->q, 2000);
	CHECK_EQ(snapshots(m), 1);
	pps_command(m, 1, 5);
	qtest_clock_step(m->q, 20000);
	CHECK_EQ(snapshots(m), 1);
	/* it is 22 us: from 30 us on, until 41 us: three */
	pps_begin(m, 1, 30000, 2);
	ptp_wr(m, PPS_NSEC(1), 41000);
	pps_command(m, 1, 4);
	qtest_clock_step(m->q, 38000);
	CHECK_EQ(snapshots(m), 4);
	/* 60 us: taken back */
	pps_begin(m, 1, 70000, 2);
	pps_command(m, 1, 3);
	qtest_clock_step(m->q, 40000);
	CHECK_EQ(snapshots(m), 4);
	pps_begin(m, 1, 99000, 2);
	CHECK_EQ(ptp_rd(m, PTP_STATUS) & 0x3ff, 1 << 5);
	qtest_clock_step(m->q, 40000);
	CHECK_EQ(snapshots(m), 4);
}

/* An interrupt at a time, without a pulse; and one with a pulse. */
void mq_test_target_time(struct mac *m)
{
	ptp_start(m);
	ptp_wr(m, PTP_ACR, 0xf << 4);
	ptp_wr(m, PPS_SEC(2), 100);
	ptp_wr(m, PPS_NSEC(2), 5000);
	qtest_clock_step(m->q, 4999);
	CHECK(!qtest_irq(m->q));
	mac_migrate(m);
	/* qtest's clock begins anew; timers have kept their times */
	qtest_clock_step(m->q, 1000000);
	CHECK(qtest_irq(m->q));
	CHECK_EQ(ptp_rd(m, PTP_STATUS), 1 << 6);
	CHECK(!qtest_irq(m->q));
	ptp_wr(m, PPS_INTERVAL(0), 99);
	ptp_wr(m, PPS_WIDTH(0), 49);
	ptp_wr(m, PPS_SEC(0), 101);
	ptp_wr(m, PPS_CTRL, 1 << 4 | 2 << 5);
	ptp_wr(m, PPS_NSEC(0), 0);
	ptp_wr(m, PPS_CTRL, 1 << 4 | 2 << 5 | 1);
	qtest_clock_step(m->q, 1000000000);
	CHECK_EQ(ptp_rd(m, PTP_STATUS), 1 << 1 | AUX_EVENT | 1 << 16 | 1 << 25);
}

/* ---- traffic ---- */

static Qtest *traffic_qtest(void *mac)
{
	return ((struct mac *)mac)->q;
}

static void traffic_start(void *mac)
{
	struct mac *m = mac;

	m->rbsz = 256;
	mac_start(m);
}

static void traffic_tx(void *mac, unsigned n, uint32_t buf, unsigned len, bool first, bool last)
{
	tx_desc(mac, 0, n, buf, 0, len | TX_IOC, (first ? TX_FD : 0) | (last ? TX_LD : 0));
	tx_kick(mac, 0, n);
}

static bool traffic_tx_done(void *mac, unsigned n)
{
	return !(tx_word(mac, 0, n, 3) & TX_OWN);
}

static void traffic_rx(void *mac, unsigned n)
{
	rx_give(mac, 0, n);
}

static bool traffic_rx_done(void *mac, unsigned n, struct traffic_rx *st)
{
	uint32_t w = rx_word(mac, 0, n, 3);

	*st = (struct traffic_rx){ .last = w >> 28 & 1, .len = w & 0x3fff };
	return !(w & RX_OWN);
}

static uint32_t traffic_rx_buf(void *mac, unsigned n)
{
	(void)mac;
	return rx_buf(0, n);
}

static uint32_t traffic_received(void *mac)
{
	struct mac *m = mac;

	return rd(m, m->g->rx_count);
}

static void traffic_migrate(void *mac)
{
	mac_migrate(mac);
}

void mq_test_traffic(struct mac *m)
{
	static const struct traffic_ops ops = {
		.rx_size = 256,
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
