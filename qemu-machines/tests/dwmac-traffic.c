// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Traffic in both directions while the machine is saved: see dwmac-traffic.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "dwmac-traffic.h"

#define RING	8
#define ROUNDS	6	/* machines that are saved */
#define STEPS	60	/* between two of them */
#define MAX	1500
#define SLOTS	(QTEST_RAM + 0x300000)
#define SLOT	2048
/* What may wait in the MAC: less than any of their FIFOs. */
#define WAITING	8192

struct traffic {
	const struct traffic_ops *ops;
	void *mac;
	uint32_t rnd;
	/* descriptors: given, and found done */
	unsigned tx_given, tx_taken, rx_given, rx_taken;
	/* frames: begun by us, seen on the wire; sent by us, found in the ring */
	unsigned tx_frame, tx_seen, rx_sent, rx_seen;
	/* of the frame that is being given: bytes so far */
	unsigned at, len;
	unsigned waiting;	/* bytes that we sent and have not found */
	/* of the frame that is being taken */
	uint8_t part[2048];
	unsigned have;
};

static uint32_t below(struct traffic *t, uint32_t n)
{
	return qtest_random(&t->rnd) % n;
}

/* Frame @n in one direction, always the same; returns its length. */
static unsigned frame(uint8_t *f, unsigned n, bool tx)
{
	static const uint8_t head[14] = { 2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 0x88, 0xb5 };
	unsigned len = 60 + (n * 2654435761u >> 8) % (MAX - 60);

	memcpy(f, head, sizeof(head));
	f[14] = tx;
	for (unsigned i = 15; i < len; i++)
		f[i] = n * 31 + i * 7 + (i >> 8);
	return len;
}

/* The next descriptor of the frame in hand, or the first of a new one. */
static void give_tx(struct traffic *t)
{
	uint32_t slot = SLOTS + t->tx_frame % RING * SLOT;
	uint8_t f[2048];
	unsigned n;

	if (t->tx_given - t->tx_taken == RING)
		return;
	if (!t->len) {
		t->len = frame(f, t->tx_frame, true);
		qtest_memwrite(t->ops->qtest(t->mac), slot, f, t->len);
	}
	n = below(t, 2) ? t->len - t->at : 1 + below(t, t->len - t->at);
	t->ops->tx(t->mac, t->tx_given++, slot + t->at, n, !t->at, t->at + n == t->len);
	t->at += n;
	if (t->at == t->len) {
		t->tx_frame++;
		t->at = t->len = 0;
	}
}

static void take_tx(struct traffic *t)
{
	while (t->tx_taken != t->tx_given && t->ops->tx_done(t->mac, t->tx_taken))
		t->tx_taken++;
}

/* What has come out so far is what we gave, one after the other. */
static void see_tx(struct traffic *t)
{
	uint8_t got[4096], want[2048];
	size_t len;

	while ((len = wire_recv(t->ops->qtest(t->mac), 1, got, sizeof(got), 0))) {
		if (!CHECK_EQ(len, frame(want, t->tx_seen, true)) ||
		    !CHECK(!memcmp(got, want, len)))
			printf("# sent frame %u\n", t->tx_seen);
		t->tx_seen++;
	}
}

static void send_rx(struct traffic *t)
{
	uint8_t f[2048];
	unsigned len = frame(f, t->rx_sent, false);

	if (t->waiting + len + 64 > WAITING)
		return;
	wire_send(t->ops->qtest(t->mac), 1, f, len);
	t->waiting += len;
	t->rx_sent++;
}

static void give_rx(struct traffic *t)
{
	if (t->rx_given - t->rx_taken < RING)
		t->ops->rx(t->mac, t->rx_given++);
}

static void end_rx(struct traffic *t, unsigned total)
{
	uint8_t want[2048];
	unsigned len = frame(want, t->rx_seen, false);

	if (!CHECK_EQ(total, len + 4) || !CHECK(!memcmp(t->part, want, len)))
		printf("# received frame %u\n", t->rx_seen);
	t->rx_seen++;
	t->waiting -= len;
	t->have = 0;
}

static void take_rx(struct traffic *t)
{
	struct traffic_rx st;
	unsigned n;

	while (t->rx_taken != t->rx_given && t->ops->rx_done(t->mac, t->rx_taken, &st)) {
		n = st.last ? st.len - t->have : t->ops->rx_size;
		if (!CHECK(n <= t->ops->rx_size && t->have + n <= sizeof(t->part)))
			exit(1);
		qtest_memread(t->ops->qtest(t->mac), t->ops->rx_buf(t->mac, t->rx_taken),
			      t->part + t->have, n);
		t->have += n;
		t->rx_taken++;
		if (st.last)
			end_rx(t, st.len);
	}
}

static void step(struct traffic *t)
{
	static void (*const steps[])(struct traffic *t) = {
		give_tx, give_tx, take_tx, send_rx, give_rx, give_rx, take_rx,
	};

	steps[below(t, sizeof(steps) / sizeof(steps[0]))](t);
}

/* What is on a cable when its machine goes away is no business of the MAC. */
static void save(struct traffic *t)
{
	CHECK_SOON(t->ops->received(t->mac) == t->rx_sent);
	see_tx(t);
	t->ops->migrate(t->mac);
}

static void finish(struct traffic *t)
{
	int64_t end = ktap_now_ms() + 10000;

	while ((t->len || t->tx_seen != t->tx_frame || t->rx_seen != t->rx_sent) &&
	       ktap_now_ms() < end) {
		take_tx(t);
		if (t->len)
			give_tx(t);
		give_rx(t);
		take_rx(t);
		see_tx(t);
	}
	CHECK_EQ(t->tx_seen, t->tx_frame);
	CHECK_EQ(t->rx_seen, t->rx_sent);
	/* and there is nothing more */
	see_tx(t);
	CHECK_EQ(t->tx_seen, t->tx_frame);
}

void traffic_run(const struct traffic_ops *ops, void *mac)
{
	const char *seed = getenv("SEED");
	struct traffic t = { .ops = ops, .mac = mac,
			     .rnd = seed ? strtoul(seed, NULL, 0) : 20260101 };

	printf("# SEED=%u\n", t.rnd);
	ops->start(mac);
	for (unsigned round = 0; round < ROUNDS; round++) {
		for (unsigned n = 0; n < STEPS; n++)
			step(&t);
		save(&t);
	}
	finish(&t);
	printf("# %u frames sent, %u received\n", t.tx_seen, t.rx_seen);
}
