// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * trailer: Marvell 88E6060, four bytes at the tail (net/dsa/tag_trailer.c).
 *
 * From the CPU 80, port map, 10, 00; to it 80, port number, 00, 00.  Byte 2
 * bit 4 tells the switch to obey the map; the kernel ignores it on receive and
 * refuses every other bit.
 */
#include "format.h"

static const struct tag_field from_cpu[] = {
	{ "marker", TAG_B8(0, 7, 0), .what = TV_CONST, .value = 0x80 },
	{ "ports", TAG_B8(1, 7, 0), .what = TV_PORTMAP },
	{ "override", TAG_B8(2, 7, 0), .what = TV_CONST, .value = 0x10 },
	{ "zero", TAG_B8(3, 7, 0), .what = TV_CONST },
};

static const struct tag_field to_cpu[] = {
	{ "marker", TAG_B8(0, 7, 0), .what = TV_CONST, .value = 0x80 },
	{ "zero", TAG_B8(1, 7, 3), .what = TV_CONST },
	{ "port", TAG_B8(1, 2, 0), .what = TV_PORT },
	{ "zero", TAG_B8(2, 7, 5), .what = TV_CONST },
	{ "override", TAG_B8(2, 4, 4), .what = TV_FILL },
	{ "zero", TAG_B8(2, 3, 0), .what = TV_CONST },
	{ "zero", TAG_B8(3, 7, 0), .what = TV_CONST },
};

static const struct tag_layout from_cpu_layout = {
	.pos = TAG_POS_TAIL, .tail = 4, .pad = TAG_ETH_ZLEN, TAG_FIELDS(from_cpu),
};

static const struct tag_layout to_cpu_layout = {
	.pos = TAG_POS_TAIL, .tail = 4, .pad = TAG_ETH_ZLEN, TAG_FIELDS(to_cpu),
};

TAG_FORMAT(trailer,
	.name = "trailer",
	.proto = TAG_PROTO_TRAILER,
	.layout = { { &from_cpu_layout }, { &to_cpu_layout } });
