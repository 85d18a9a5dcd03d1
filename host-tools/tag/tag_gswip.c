// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gswip: Intel/Lantiq GSWIP 2.0, in front of the frame, four bytes from the CPU
 * and eight to it (net/dsa/tag_gswip.c).
 *
 * From the CPU: source port id 2 (CPU), destination group 0, "obey the map"
 * twice, a map of six ports in bits 6..1 of byte 3.  To the CPU the port
 * number is in byte 7; the kernel reads nothing else, the rest is written as
 * zero (on silicon it is packet length, flags and destination).
 */
#include "format.h"

static const struct tag_field from_cpu[] = {
	{ "source-port-id", TAG_B8(0, 7, 0), .what = TV_CONST, .value = 2 },
	{ "destination-group", TAG_B8(1, 7, 0), .what = TV_CONST },
	{ "map-enable", TAG_B8(2, 7, 6), .what = TV_CONST, .value = 3 },
	{ "learning-and-class", TAG_B8(2, 5, 0), .what = TV_CONST },
	{ "reserved", TAG_B8(3, 7, 7), .what = TV_CONST },
	{ "ports", TAG_B8(3, 6, 1), .what = TV_PORTMAP },
	{ "group-enable", TAG_B8(3, 0, 0), .what = TV_CONST, .value = 1 },
};

static const struct tag_field to_cpu[] = {
	{ "port", TAG_B8(7, 6, 4), .what = TV_PORT },
};

static const struct tag_layout from_cpu_layout = {
	.pos = TAG_POS_HEAD, .head = 4, TAG_FIELDS(from_cpu),
};

static const struct tag_layout to_cpu_layout = {
	.pos = TAG_POS_HEAD, .head = 8, TAG_FIELDS(to_cpu),
};

TAG_FORMAT(gswip,
	.name = "gswip",
	.proto = TAG_PROTO_GSWIP,
	.layout = { { &from_cpu_layout }, { &to_cpu_layout } });
