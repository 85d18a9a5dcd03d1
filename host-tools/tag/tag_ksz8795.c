// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ksz8795: Microchip KSZ8795, one byte at the tail (net/dsa/tag_ksz.c).
 *
 * From the CPU: lookup (which the kernel never sets), override, a map of four
 * ports.  To the CPU the kernel reads two bits of port number.  meta.trap as in
 * family_ksz.h.
 */
#include "format.h"

static const struct tag_field from_cpu[] = {
	{ "lookup", TAG_B8(0, 7, 7), .what = TV_FORWARD },
	{ "override", TAG_B8(0, 6, 6), .what = TV_TRAP },
	{ "reserved", TAG_B8(0, 5, 4), .what = TV_CONST },
	{ "ports", TAG_B8(0, 3, 0), .what = TV_PORTMAP },
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

TAG_FORMAT(ksz8795,
	.name = "ksz8795",
	.proto = TAG_PROTO_KSZ8795,
	.layout = { { &from_cpu_layout }, { &to_cpu_layout } });
