/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Traffic in both directions while the machine is saved and loaded, for any MAC.
 *
 * Numbered frames of all lengths go out, in one to three descriptors or more, and
 * come in, over as many as they need where a MAC waits for the next one, in random
 * order of steps: a descriptor more is given in either direction, a frame is put on
 * the wire, what is done is taken.  Every so often the machine is saved, with frames
 * half read, half written and waiting, and goes on in a new QEMU.  No frame may be
 * lost, doubled, changed or overtaken.
 */
#ifndef TESTS_DWMAC_TRAFFIC_H
#define TESTS_DWMAC_TRAFFIC_H

#include "qtest.h"

/* Status of a receive descriptor that is done */
struct traffic_rx {
	bool last;
	unsigned len;		/* of the frame so far, FCS included */
};

/* What a test's MAC does; descriptors are counted on, the ring has eight. */
struct traffic_ops {
	unsigned rx_size;	/* of a receive buffer, bytes */
	Qtest *(*qtest)(void *mac);
	void (*start)(void *mac);
	/* Gives a transmit descriptor and tells the MAC. */
	void (*tx)(void *mac, unsigned n, uint32_t buf, unsigned len, bool first, bool last);
	bool (*tx_done)(void *mac, unsigned n);
	/* Gives a receive descriptor and tells the MAC; its buffer. */
	void (*rx)(void *mac, unsigned n);
	bool (*rx_done)(void *mac, unsigned n, struct traffic_rx *st);
	uint32_t (*rx_buf)(void *mac, unsigned n);
	/* How many frames the MAC has taken from the wire since start(). */
	uint32_t (*received)(void *mac);
	void (*migrate)(void *mac);
};

/* Runs it; $SEED is another seed. */
void traffic_run(const struct traffic_ops *ops, void *mac);

#endif
