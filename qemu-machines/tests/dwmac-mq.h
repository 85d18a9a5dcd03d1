/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A driver of sorts for the multi-queue MACs (QoS, XGMAC), for tests.
 *
 * Each channel has a ring of RING descriptors in each direction; receive
 * buffer n of channel c is rx_buf(c, n), 4 KiB.  The MAC's address is
 * 02:00:00:00:00:01 after mac_start(), which is where dwmac-frame.c sends to.
 */
#ifndef TESTS_DWMAC_MQ_H
#define TESTS_DWMAC_MQ_H

#include "qtest.h"

#define RING    8

#define TX_OWN  (1u << 31)
#define TX_CTXT (1u << 30)
#define TX_FD   (1u << 29)
#define TX_LD   (1u << 28)
#define TX_CIC(x) ((x) << 16)
#define TX_IOC  (1u << 31)	/* TDES2 */
#define RX_OWN  (1u << 31)
#define RX_IOC  (1u << 30)
#define RX_B2V  (1u << 25)
#define RX_B1V  (1u << 24)

/* registers that both generations have in one place */
#define MAC_FILTER   0x0008
#define MAC_VLAN     0x0050
#define MAC_INT      0x00b0
#define MAC_FEATURE0 0x011c
#define MAC_MDIO     0x0200
#define MAC_MDIO_VAL 0x0204
#define MAC_ADDR     0x0300

#define ST_TI   (1 << 0)
#define ST_TPS  (1 << 1)
#define ST_TBU  (1 << 2)
#define ST_RI   (1 << 6)
#define ST_RBU  (1 << 7)
#define ST_RPS  (1 << 8)
#define ST_FBE  (1 << 12)
#define ST_AIS  (1 << 14)
#define ST_NIS  (1 << 15)
#define ST_ALL  0xffff

struct mac;

/* Where a generation has what a test touches. */
struct mq_gen {
	const char *machine;	/* value of -machine */
	const char *name;	/* of the device, for -global */
	uint32_t dma_mode, sys_bus;
	uint32_t chan;		/* channel 0; 0x80 from one to the next */
	uint8_t control, tx_control, rx_control, tx_base, rx_base;
	uint8_t tx_tail, rx_tail, tx_len, rx_len, int_en, riwt, cur_tx, cur_rx;
	uint8_t status;
	uint32_t ptp;		/* the block of IEEE 1588 */
	uint32_t rx_count;	/* MMC: frames received */
	uint32_t rx_valid;	/* RDES3 of a descriptor with one buffer */
	void (*start)(struct mac *m);	/* MAC and MTL, everything on */
};

struct mac {
	Qtest *q;
	const struct mq_gen *g;
	uint32_t base;
	unsigned tx[8], rx[8];	/* descriptors used so far */
	const char *options;	/* of the running QEMU */
	uint32_t rbsz;
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
uint32_t ch_rd(struct mac *m, unsigned c, uint8_t reg);
void ch_wr(struct mac *m, unsigned c, uint8_t reg, uint32_t val);

/* Software reset; tests begin after one. */
void mac_reset(struct mac *m);
/* Saves the machine and goes on in a new QEMU that loaded it. */
void mac_migrate(struct mac *m);
/* Rings of channel @c, its interrupts, everything on. */
void mac_start(struct mac *m);
void chan_start(struct mac *m, unsigned c);

uint32_t tx_addr(struct mac *m, unsigned c, unsigned n);
uint32_t rx_addr(struct mac *m, unsigned c, unsigned n);
uint32_t tx_word(struct mac *m, unsigned c, unsigned n, unsigned w);
uint32_t rx_word(struct mac *m, unsigned c, unsigned n, unsigned w);
uint32_t tx_buf(unsigned c, unsigned n);
uint32_t rx_buf(unsigned c, unsigned n);

/* A descriptor with these words, the third last; it belongs to the DMA. */
void tx_desc(struct mac *m, unsigned c, unsigned n, uint32_t w0, uint32_t w1,
	     uint32_t w2, uint32_t w3);
void rx_desc(struct mac *m, unsigned c, unsigned n, uint32_t w0, uint32_t w1,
	     uint32_t w2, uint32_t w3);
/* Writes the tail pointer behind descriptor @n. */
void tx_kick(struct mac *m, unsigned c, unsigned n);
void rx_kick(struct mac *m, unsigned c);

/* Sends from the channel's next descriptor; @w3 is ored into TDES3. */
void mac_tx(struct mac *m, unsigned c, const void *frame, size_t len,
	    uint32_t w3);
/* Gives the channel's descriptor @n to the DMA, with one buffer. */
void rx_give(struct mac *m, unsigned c, unsigned n);
/* Gives the first @n of the ring; the others stay with the CPU. */
void rx_ring(struct mac *m, unsigned c, unsigned n);

/*
 * A test for either generation: in power-down only a magic packet is looked at,
 * and it is dropped, too.
 */
void mq_test_magic(struct mac *m);
/* The same for a frame that a filter knows; the filters are saved, too. */
void mq_test_wakeup(struct mac *m);

/* All of dwmac-coe-cases.h, sent: what leaves, and that no error is told of. */
void mq_test_tx_coe(struct mac *m);
/*
 * And received, with the engine on: word @w of the last descriptor, what @mask
 * takes of it, is what @want says.
 */
struct coe_case;
void mq_rx_coe(struct mac *m, unsigned w, uint32_t mask,
	       uint32_t (*want)(const struct coe_case *c));
/* In store-and-forward mode: what fails does not arrive, all else does. */
void mq_rx_coe_drop(struct mac *m);

/* dwmac-traffic.h, on channel 0 */
void mq_test_traffic(struct mac *m);

/* A frame segmented with an odd MSS; one without a last descriptor hangs. */
void mq_test_tso(struct mac *m);
void mq_test_tso_no_last(struct mac *m);

/* 40 bits of address with EAME, 32 without. */
void mq_test_wide_addresses(struct mac *m);

/* Auxiliary snapshots; PPS outputs, which the board leads back to these. */
void mq_test_snapshots(struct mac *m);
void mq_test_pps(struct mac *m);
void mq_test_pps_stop(struct mac *m);
void mq_test_target_time(struct mac *m);

/* Runs a list of tests as KTAP; the exit status. */
int mac_run_tests(const struct mq_gen *g, const struct test *tests,
		  unsigned n);

#endif
