// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A driver of sorts for the GMAC model, for tests: see dwmac-gmac.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "dwmac-gmac.h"

#define MACHINE "stmmac-virt,switch=none,wire0=w0,wire1=w1"
#define OPTIONS "-global dwmac-gmac.mac=02:52:54:00:34:12 "
#define BASE    0x0b010000
#define RX_BUFS (QTEST_RAM + 0x200000)

uint32_t rd(struct mac *m, uint32_t off)
{
	return qtest_readl(m->q, m->base + off);
}

void wr(struct mac *m, uint32_t off, uint32_t val)
{
	qtest_writel(m->q, m->base + off, val);
}

uint32_t tx_addr(struct mac *m, unsigned n)
{
	return m->tx_ring + n % RING * m->stride;
}

uint32_t rx_addr(struct mac *m, unsigned n)
{
	return m->rx_ring + n % RING * m->stride;
}

uint32_t tx_word(struct mac *m, unsigned n, unsigned w)
{
	return qtest_readl(m->q, tx_addr(m, n) + 4 * w);
}

uint32_t rx_word(struct mac *m, unsigned n, unsigned w)
{
	return qtest_readl(m->q, rx_addr(m, n) + 4 * w);
}

/* The owner bit goes in last, as in a driver. */
static void put_desc(struct mac *m, uint32_t at, uint32_t w0, uint32_t w1,
		     uint32_t b1, uint32_t b2)
{
	qtest_writel(m->q, at + 4, w1);
	qtest_writel(m->q, at + 8, b1);
	qtest_writel(m->q, at + 12, b2);
	qtest_writel(m->q, at, w0);
}

void tx_desc(struct mac *m, unsigned n, uint32_t w0, uint32_t w1, uint32_t b1,
	     uint32_t b2)
{
	put_desc(m, tx_addr(m, n), w0 | TX_OWN, w1, b1, b2);
}

void rx_desc(struct mac *m, unsigned n, uint32_t w0, uint32_t w1, uint32_t b1,
	     uint32_t b2)
{
	put_desc(m, rx_addr(m, n), w0, w1, b1, b2);
}

void mac_tx(struct mac *m, const void *frame, size_t len, uint32_t flags)
{
	unsigned n = m->tx++ % RING;
	uint32_t end = n == RING - 1 ? TX_TER : 0;

	qtest_memwrite(m->q, TX_BUF + n * 4096, frame, len);
	tx_desc(m, n, TX_FS | TX_LS | end | flags, len, TX_BUF + n * 4096, 0);
	wr(m, DMA_TX_POLL, 1);
}

uint32_t rx_buf(unsigned n)
{
	return RX_BUFS + n % RING * 4096;
}

void rx_give(struct mac *m, unsigned n, uint32_t sizes)
{
	uint32_t end = n % RING == RING - 1 ? RX_RER : 0;

	rx_desc(m, n, RX_OWN, sizes | end, rx_buf(n), rx_buf(n) + 1024);
}

void rx_ring(struct mac *m, unsigned n, uint32_t sizes)
{
	for (unsigned i = 0; i < n; i++)
		rx_give(m, i, sizes);
}

void mac_reset(struct mac *m)
{
	static const uint8_t zero[RING * 64];

	wr(m, DMA_BUS, 1);
	if (rd(m, DMA_BUS) & 1)
		qtest_clock_step(m->q, 10000);
	CHECK_EQ(rd(m, DMA_BUS) & 1, 0);
	m->tx_ring = QTEST_RAM + 0x10000;
	m->rx_ring = QTEST_RAM + 0x20000;
	m->stride = 16;
	m->tx = m->rx = 0;
	qtest_memwrite(m->q, m->tx_ring, zero, sizeof(zero));
	qtest_memwrite(m->q, m->rx_ring, zero, sizeof(zero));
}

void mac_start(struct mac *m, uint32_t bus)
{
	wr(m, DMA_BUS, 0x00020100 | bus);
	wr(m, DMA_TX_BASE, m->tx_ring);
	wr(m, DMA_RX_BASE, m->rx_ring);
	wr(m, DMA_INTR, ST_NIS | ST_TI | ST_RI);
	wr(m, 0x40, 0x0100);
	wr(m, 0x44, 0x00000002);
	wr(m, DMA_CONTROL, OP_ST | OP_SR | OP_TSF);
	wr(m, MAC_CONTROL, MAC_TE | MAC_RE | MAC_JD);
	/* an empty ring has suspended the transmitter by now */
	wr(m, DMA_STATUS, ST_TU | ST_NIS);
}

static void start(struct mac *m, const char *options, const char *more)
{
	char all[1024];

	snprintf(all, sizeof(all), "%s%s %s", OPTIONS, options, more);
	m->options = options;
	m->q = qtest_start(MACHINE, all, 2);
	m->base = BASE;
	qtest_watch_irq(m->q, "/machine/gmac1");
}

void mac_migrate(struct mac *m)
{
	char path[] = "/tmp/gmac-test-XXXXXX";
	int fd = mkstemp(path);

	CHECK(fd >= 0);
	close(fd);
	qtest_save(m->q, path);
	qtest_stop(m->q);
	start(m, m->options, "-incoming defer");
	qtest_load(m->q, path);
	unlink(path);
}

int mac_run_tests(const char *prefix, const struct test *tests, unsigned n)
{
	struct mac m = { .tests = tests, .n_tests = n };
	char name[128];

	ktap_plan(n);
	for (unsigned i = 0; i < n; i++) {
		if (!m.q || strcmp(m.options, tests[i].options)) {
			if (m.q)
				qtest_stop(m.q);
			start(&m, tests[i].options, "");
		}
		mac_reset(&m);
		tests[i].fn(&m);
		snprintf(name, sizeof(name), "%s: %s", prefix, tests[i].name);
		ktap_result(name);
	}
	qtest_stop(m.q);
	return ktap_end();
}
