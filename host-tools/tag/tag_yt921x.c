// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * yt921x: Motorcomm YT921x, eight bytes before the EtherType
 * (net/dsa/tag_yt921x.c).
 *
 * 9988, a VLAN word that is zero from the CPU, a word of port, priority and
 * code, and a word with the map of eleven ports to send to.  To the CPU a
 * trapped frame is written with code 17 (ACL).  A code that the kernel's list
 * lacks is refused here; the kernel warns and takes the frame unmarked.
 *
 * Not modelled: the VLAN word to the CPU (written as zero).
 */
#include "format.h"

/* enum yt921x_tag_code, and whether the kernel takes the frame as forwarded. */
static const struct tag_code codes[] = {
	{ "forward", 0x00, 0 },
	{ "acl", 0x17, 1 },
	{ "unknown-unicast", 0x19, 1 },
	{ "unknown-multicast", 0x1a, 1 },
	{ "port-copy", 0x1b, 0 },
	{ "fdb-copy", 0x1c, 0 },
	{ 0 }
};

static const struct tag_field from_cpu[] = {
	{ "vlan", TAG_B16(1, 15, 0), .what = TV_CONST },
	{ "rx-port", TAG_B16(2, 15, 11), .what = TV_CONST },
	{ "priority", TAG_B16(2, 10, 8), .what = TV_PRIO },
	{ "code-valid", TAG_B16(2, 7, 7), .what = TV_CONST, .value = 1 },
	{ "code", TAG_B16(2, 6, 1), .what = TV_CONST },
	{ "ports-valid", TAG_B16(3, 15, 15), .what = TV_CONST, .value = 1 },
	{ "ports", TAG_B16(3, 10, 0), .what = TV_PORTMAP },
};

static const struct tag_field to_cpu[] = {
	{ "port-valid", TAG_B16(2, 15, 15), .what = TV_CONST, .value = 1 },
	{ "port", TAG_B16(2, 14, 11), .what = TV_PORT },
	{ "priority", TAG_B16(2, 10, 8), .what = TV_PRIO },
	{ "code-valid", TAG_B16(2, 7, 7), .what = TV_FILL, .value = 1 },
	{ "code", TAG_B16(2, 6, 1), .what = TV_TRAP, .codes = codes },
};

static const struct tag_layout from_cpu_layout = {
	.pos = TAG_POS_ETYPE, .head = 8, .etype = 0x9988, TAG_FIELDS(from_cpu),
};

static const struct tag_layout to_cpu_layout = {
	.pos = TAG_POS_ETYPE, .head = 8, .etype = 0x9988, TAG_FIELDS(to_cpu),
};

TAG_FORMAT(yt921x,
	.name = "yt921x",
	.proto = TAG_PROTO_YT921X,
	.layout = { { &from_cpu_layout }, { &to_cpu_layout } });
