// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * rtl4a: Realtek RTL8366RB ("protocol A"), four bytes before the EtherType
 * (net/dsa/tag_rtl4_a.c).
 *
 * 8899, protocol 10, then from the CPU a map of ports (the kernel pads to 60
 * bytes first) and to it the port number.  The kernel passes frames of another
 * EtherType on as the conduit's; here they are not this tag.
 */
#include "format.h"

static const struct tag_field from_cpu[] = {
	{ "protocol", TAG_B16(1, 15, 12), .what = TV_CONST, .value = 0xa },
	{ "ports", TAG_B16(1, 11, 0), .what = TV_PORTMAP },
};

static const struct tag_field to_cpu[] = {
	{ "protocol", TAG_B16(1, 15, 12), .what = TV_CONST, .value = 0xa },
	{ "port", TAG_B16(1, 7, 0), .what = TV_PORT },
};

static const struct tag_layout from_cpu_layout = {
	.pos = TAG_POS_ETYPE, .head = 4, .etype = 0x8899, .pad = TAG_ETH_ZLEN,
	TAG_FIELDS(from_cpu),
};

static const struct tag_layout to_cpu_layout = {
	.pos = TAG_POS_ETYPE, .head = 4, .etype = 0x8899, TAG_FIELDS(to_cpu),
};

TAG_FORMAT(rtl4a,
	.name = "rtl4a",
	.proto = TAG_PROTO_RTL4_A,
	.layout = { { &from_cpu_layout }, { &to_cpu_layout } });
