// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * hellcreek: Hirschmann Hellcreek, one byte at the tail (net/dsa/tag_hellcreek.c).
 *
 * From the CPU a map of ports, to it two bits of port number; the kernel reads
 * no other bit.
 */
#include "format.h"

static const struct tag_field from_cpu[] = {
	{ "ports", TAG_B8(0, 7, 0), .what = TV_PORTMAP },
};

static const struct tag_field to_cpu[] = {
	{ "port", TAG_B8(0, 1, 0), .what = TV_PORT },
};

static const struct tag_layout from_cpu_layout = {
	.pos = TAG_POS_TAIL, .tail = 1, .pad = TAG_ETH_ZLEN, TAG_FIELDS(from_cpu),
};

static const struct tag_layout to_cpu_layout = {
	.pos = TAG_POS_TAIL, .tail = 1, .pad = TAG_ETH_ZLEN, TAG_FIELDS(to_cpu),
};

TAG_FORMAT(hellcreek,
	.name = "hellcreek",
	.proto = TAG_PROTO_HELLCREEK,
	.layout = { { &from_cpu_layout }, { &to_cpu_layout } });
