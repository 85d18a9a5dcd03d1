// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * a5psw: Renesas RZ/N1 switch, eight bytes before the EtherType
 * (net/dsa/tag_rzn1_a5psw.c).
 *
 * From the CPU: E001, ControlData with FORCE_FORWARD, then ControlData2 whose
 * low bits are the port map; the kernel pads the frame to 60 bytes first.  To
 * the CPU the port number is in ControlData.  ControlData2 of received frames
 * (a timestamp on silicon) is written as zero and not read.
 */
#include "format.h"

static const struct tag_field from_cpu[] = {
	{ "control-data", TAG_B16(1, 15, 1), .what = TV_CONST },
	{ "force-forward", TAG_B16(1, 0, 0), .what = TV_CONST, .value = 1 },
	{ "control-data2-hi", TAG_B16(2, 15, 0), .what = TV_CONST },
	{ "control-data2-lo", TAG_B16(3, 15, 4), .what = TV_CONST },
	{ "ports", TAG_B16(3, 3, 0), .what = TV_PORTMAP },
};

static const struct tag_field to_cpu[] = {
	{ "control-data", TAG_B16(1, 15, 4), .what = TV_FILL },
	{ "port", TAG_B16(1, 3, 0), .what = TV_PORT },
	{ "control-data2", TAG_B16(2, 15, 0), .what = TV_FILL },
	{ "control-data2", TAG_B16(3, 15, 0), .what = TV_FILL },
};

static const struct tag_layout from_cpu_layout = {
	.pos = TAG_POS_ETYPE, .head = 8, .etype = 0xe001, .pad = TAG_ETH_ZLEN,
	TAG_FIELDS(from_cpu),
};

static const struct tag_layout to_cpu_layout = {
	.pos = TAG_POS_ETYPE, .head = 8, .etype = 0xe001, TAG_FIELDS(to_cpu),
};

TAG_FORMAT(a5psw,
	.name = "a5psw",
	.proto = TAG_PROTO_RZN1_A5PSW,
	.layout = { { &from_cpu_layout }, { &to_cpu_layout } });
