// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * edsa: Marvell, the dsa tag behind an EtherType of its own and two zero bytes
 * (net/dsa/tag_dsa.c; bits in family_dsa.h, what is not modelled in tag_dsa.c).
 *
 * The kernel writes the zero bytes and does not look at them; nor does it look
 * at the EtherType, which mv88e6xxx programs to DADA.
 */
#include "family_dsa.h"

static const struct tag_field from_cpu[] = {
	{ "reserved", TAG_B16(1, 15, 0), .what = TV_CONST },
	TAG_DSA_FROM_CPU(4),
};

static const struct tag_field to_cpu[] = {
	{ "reserved", TAG_B16(1, 15, 0), .what = TV_FILL },
	TAG_DSA_TO_CPU(4),
};

static const struct tag_layout from_cpu_layout = {
	.pos = TAG_POS_ETYPE, .head = 8, .etype = 0xdada, .fuse = tag_dsa_fuse,
	TAG_FIELDS(from_cpu),
};

static const struct tag_layout to_cpu_layout = {
	.pos = TAG_POS_ETYPE, .head = 8, .etype = 0xdada, .fuse = tag_dsa_fuse,
	TAG_FIELDS(to_cpu), .parse = tag_dsa_parse_to_cpu,
};

TAG_FORMAT(edsa,
	.name = "edsa",
	.proto = TAG_PROTO_EDSA,
	.layout = { { &from_cpu_layout }, { &to_cpu_layout } });
