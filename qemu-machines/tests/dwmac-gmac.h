/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A driver of sorts for the GMAC model, for tests: rings, registers, frames.
 *
 * Ring n of RING descriptors each; receive buffer n is rx_buf(n), 4 KiB, its
 * second half serves as second buffer.  The MAC's address is 02:00:00:00:00:01
 * after mac_start(), which is where dwmac-frame.c sends to.
 */
#ifndef TESTS_DWMAC_GMAC_H
#define TESTS_DWMAC_GMAC_H

#include "qtest.h"

#define RING    8
#define TX_BUF  (QTEST_RAM + 0x100000)

#define MAC_CONTROL 0x0000
#define MAC_FILTER  0x0004
#define MAC_RE  (1 << 2)
#define MAC_TE  (1 << 3)
#define MAC_ACS (1 << 7)
#define MAC_IPC (1 << 10)
#define MAC_DM  (1 << 11)
#define MAC_LM  (1 << 12)
#define MAC_JE  (1 << 20)
#define MAC_JD  (1 << 22)

#define DMA_BUS     0x1000
#define DMA_TX_POLL 0x1004
#define DMA_RX_POLL 0x1008
#define DMA_RX_BASE 0x100c
#define DMA_TX_BASE 0x1010
#define DMA_STATUS  0x1014
#define DMA_CONTROL 0x1018
#define DMA_INTR    0x101c
#define BUS_ATDS (1 << 7)
#define OP_SR   (1 << 1)
#define OP_ST   (1 << 13)
#define OP_TSF  (1 << 21)
#define OP_RSF  (1 << 25)
#define OP_DT   (1 << 26)

#define ST_TI   (1 << 0)
#define ST_TU   (1 << 2)
#define ST_RI   (1 << 6)
#define ST_RU   (1 << 7)
#define ST_FBI  (1 << 13)
#define ST_AIS  (1 << 15)
#define ST_NIS  (1 << 16)
#define RS_MASK (7 << 17)
#define RS_WAITING   (3 << 17)
#define RS_SUSPENDED (4 << 17)
#define TS_MASK (7 << 20)
#define TS_SUSPENDED (6 << 20)

/* enhanced descriptors */
#define TX_OWN (1u << 31)
#define TX_IC  (1 << 30)
#define TX_LS  (1 << 29)
#define TX_FS  (1 << 28)
#define TX_DC  (1 << 27)
#define TX_DP  (1 << 26)
#define TX_TER (1 << 21)
#define TX_TCH (1 << 20)
#define RX_OWN (1u << 31)
#define RX_RCH (1 << 14)
#define RX_RER (1 << 15)
/* RDES0 */
#define RX_PCE  (1 << 0)
#define RX_FT   (1 << 5)
#define RX_IPC  (1 << 7)
#define RX_LS   (1 << 8)
#define RX_FS   (1 << 9)
#define RX_VLAN (1 << 10)
#define RX_DE   (1 << 14)
#define RX_ES   (1 << 15)

struct mac {
	Qtest *q;
	uint32_t base;
	uint32_t tx_ring, rx_ring;
	unsigned stride;
	unsigned tx, rx;	/* descriptors used so far */
	const char *options;	/* of the running QEMU */
	const struct test *tests;	/* all that the program has */
	unsigned n_tests;
};

struct test {
	const char *name;
	void (*fn)(struct mac *m);
	const char *options;	/* of QEMU */
};

uint32_t rd(struct mac *m, uint32_t off);
void wr(struct mac *m, uint32_t off, uint32_t val);

/* Software reset; tests begin after one. */
void mac_reset(struct mac *m);
/* Saves the machine and goes on in a new QEMU that loaded it. */
void mac_migrate(struct mac *m);
/* Rings, address, interrupts, everything on; @bus is ored into bus mode. */
void mac_start(struct mac *m, uint32_t bus);

uint32_t tx_addr(struct mac *m, unsigned n);
uint32_t rx_addr(struct mac *m, unsigned n);
/* Word @w of a descriptor */
uint32_t tx_word(struct mac *m, unsigned n, unsigned w);
uint32_t rx_word(struct mac *m, unsigned n, unsigned w);
/* A descriptor that belongs to the DMA. */
void tx_desc(struct mac *m, unsigned n, uint32_t w0, uint32_t w1, uint32_t b1,
	     uint32_t b2);
void rx_desc(struct mac *m, unsigned n, uint32_t w0, uint32_t w1, uint32_t b1,
	     uint32_t b2);

/* Sends from the next descriptor of the ring; @flags of TDES0. */
void mac_tx(struct mac *m, const void *frame, size_t len, uint32_t flags);

uint32_t rx_buf(unsigned n);
/* Gives descriptor @n to the DMA; @sizes as in RDES1. */
void rx_give(struct mac *m, unsigned n, uint32_t sizes);
/* Gives the first @n of the ring; the others stay with the CPU. */
void rx_ring(struct mac *m, unsigned n, uint32_t sizes);

/* Runs a list of tests as KTAP; the exit status. */
int mac_run_tests(const char *prefix, const struct test *tests, unsigned n);

#endif
