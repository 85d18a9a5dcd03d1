// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * xrs700x: Arrow SpeedChips XRS700x, one byte at the tail (net/dsa/tag_xrs700x.c).
 *
 * A map of ports both ways; to the CPU the kernel takes the lowest bit as the
 * source and refuses a map of none.
 */
#include "format.h"

static const struct tag_field both[] = {
	{ "ports", TAG_B8(0, 7, 0), .what = TV_PORTMAP },
};

static const struct tag_layout layout = {
	.pos = TAG_POS_TAIL, .tail = 1, .pad = TAG_ETH_ZLEN, TAG_FIELDS(both),
};

TAG_FORMAT(xrs700x,
	.name = "xrs700x",
	.proto = TAG_PROTO_XRS700X,
	.layout = { { &layout }, { &layout } });
