// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Fuzzes the switch with a peer that answers at each port: whatever comes in
 * anywhere, frames stay inside their storage, and every frame that comes in
 * leaves, or is dropped for a counted reason.
 *
 * Input: a byte each of format and of groups, two bits a port; then frames: a
 * byte of port, a byte of length, the bytes.
 */
#include <stdlib.h>
#include <string.h>

#include "fabric/fabric.h"
#include "rig/peer.h"

#define PORTS	4
#define CPU	PORTS

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct fabric fab;
static uint64_t left;		/* frames that left by any port */
static unsigned int depth;

static void require(bool holds)
{
	if (!holds)
		abort();
}

static uint64_t drops(void)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i <= CPU; i++)
		for (unsigned int k = 0; k < FABRIC_DROPS; k++)
			sum += fab.port[i].stats.drops[k];
	return sum;
}

/* A frame in storage of its own size, so that a byte too far is found. */
static void enter(unsigned int port, const uint8_t *bytes, size_t len)
{
	size_t room = FRAME_HEADROOM + len + FRAME_TAILROOM;
	uint64_t before = left + drops();
	uint8_t *storage = malloc(room);
	struct frame f;

	require(storage != NULL);
	frame_init(&f, storage, room);
	require(frame_set(&f, bytes, len) == 0);
	require(fabric_ingress(&fab, port, &f, left) == 0);
	require(left + drops() > before);
	free(storage);
}

/* The peer's answer comes in at once; an answer to an answer does not. */
static void answer(unsigned int port, const struct frame *f)
{
	struct peer peer = { .mac = { 2, 0, 0, 0, 1, port } };
	uint8_t reply[PEER_REPLY];
	unsigned int number = 0;
	struct verdict v;
	size_t len;

	if (judge_frame(f->data, f->len, &v) < 0)
		return;
	peer.addrs = 1;
	peer.addr[0].v6 = v.ip_version == 6;
	memcpy(peer.addr[0].bytes, v.dst, 16);
	/* some frames get several */
	while (!depth && (len = peer_input(&peer, f->data, f->len, &v, number++, reply))) {
		require(len <= sizeof(reply) && number < 1000);
		depth++;
		enter(port, reply, len);
		depth--;
	}
}

static void egress(void *ctx, unsigned int port, const struct frame *f)
{
	(void)ctx;
	left++;
	require(port <= CPU && f->data >= f->start && f->data + f->len <= f->end);
	if (port != CPU)
		answer(port, f);
}

static const struct fabric_ops ops = { .egress = egress };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 2)
		return 0;
	left = depth = 0;
	require(fabric_init(&fab, PORTS + 1, CPU, tag_at(data[0] % tag_count()), &ops, NULL) == 0);
	for (unsigned int i = 0; i < PORTS; i++)
		fabric_set_group(&fab, i, data[1] >> 2 * i & 3);
	data += 2;
	size -= 2;
	while (size >= 2 && data[1] <= size - 2) {
		enter(data[0] % (PORTS + 1), data + 2, data[1]);
		size -= 2u + data[1];
		data += 2 + data[1];
	}
	return 0;
}
