// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gsw1xx: MaxLinear GSW1xx, eight bytes before the EtherType
 * (net/dsa/tag_mxl-gsw1xx.c, in 7.x).
 *
 * 88C3; from the CPU "obey the map", "do not learn" and a map of eight ports;
 * to the CPU a byte that the kernel names a map and reads as the port number.
 * Nothing marks a frame as forwarded.
 *
 * Not modelled: classes and time stamps.
 */
#include "format.h"

static const struct tag_field from_cpu[] = {
	{ "map-enable", TAG_B16(1, 15, 15), .what = TV_CONST, .value = 1 },
	{ "class-enable", TAG_B16(1, 14, 14), .what = TV_CONST },
	{ "time-stamp", TAG_B16(1, 13, 13), .what = TV_CONST },
	{ "no-learning", TAG_B16(1, 12, 12), .what = TV_CONST, .value = 1 },
	{ "class", TAG_B16(1, 11, 8), .what = TV_CONST },
	{ "ports", TAG_B16(1, 7, 0), .what = TV_PORTMAP },
	{ "zero", TAG_B16(2, 15, 0), .what = TV_CONST },
	{ "zero", TAG_B16(3, 15, 0), .what = TV_CONST },
};

static const struct tag_field to_cpu[] = {
	{ "port", TAG_B16(1, 15, 8), .what = TV_PORT },
};

static const struct tag_layout from_cpu_layout = {
	.pos = TAG_POS_ETYPE, .head = 8, .etype = 0x88c3, TAG_FIELDS(from_cpu),
};

static const struct tag_layout to_cpu_layout = {
	.pos = TAG_POS_ETYPE, .head = 8, .etype = 0x88c3, TAG_FIELDS(to_cpu),
};

TAG_FORMAT(gsw1xx,
	.name = "gsw1xx",
	.proto = TAG_PROTO_MXL_GSW1XX,
	.layout = { { &from_cpu_layout }, { &to_cpu_layout } });
