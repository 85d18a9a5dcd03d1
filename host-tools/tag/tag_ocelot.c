// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ocelot: NXP/Microsemi Ocelot and Felix, twenty bytes in front of the frame
 * (net/dsa/tag_ocelot.c; bits, and what is not modelled, in family_ocelot.h).
 *
 * From the CPU the map of twelve ports is at bit 56 of the header: the low
 * bits of the map are the byte at offset 12 of what the MAC sends.
 */
#include "family_ocelot.h"

static const struct tag_field from_cpu[] = { TAG_OCELOT_FROM_CPU(0x8880000a, 67, 56) };
static const struct tag_field to_cpu[] = { TAG_OCELOT_TO_CPU(0x8880000a) };

static const struct tag_layout from_cpu_layout = {
	.pos = TAG_POS_HEAD, .head = TAG_OCELOT_LEN, TAG_FIELDS(from_cpu),
	.build = tag_ocelot_build, .parse = tag_ocelot_parse,
};

static const struct tag_layout to_cpu_layout = {
	.pos = TAG_POS_HEAD, .head = TAG_OCELOT_LEN, TAG_FIELDS(to_cpu),
	.build = tag_ocelot_build, .parse = tag_ocelot_parse,
};

TAG_FORMAT(ocelot,
	.name = "ocelot",
	.proto = TAG_PROTO_OCELOT,
	.layout = { { &from_cpu_layout }, { &to_cpu_layout } });
