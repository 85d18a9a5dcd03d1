// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * seville: NXP VSC9953 in T1040, twenty bytes in front of the frame
 * (net/dsa/tag_ocelot.c; bits, and what is not modelled, in family_ocelot.h).
 *
 * As ocelot, with prefix 88800005 and a map of eleven ports at bit 57.
 */
#include "family_ocelot.h"

static const struct tag_field from_cpu[] = { TAG_OCELOT_FROM_CPU(0x88800005, 67, 57) };
static const struct tag_field to_cpu[] = { TAG_OCELOT_TO_CPU(0x88800005) };

static const struct tag_layout from_cpu_layout = {
	.pos = TAG_POS_HEAD, .head = TAG_OCELOT_LEN, TAG_FIELDS(from_cpu),
	.build = tag_ocelot_build, .parse = tag_ocelot_parse,
};

static const struct tag_layout to_cpu_layout = {
	.pos = TAG_POS_HEAD, .head = TAG_OCELOT_LEN, TAG_FIELDS(to_cpu),
	.build = tag_ocelot_build, .parse = tag_ocelot_parse,
};

TAG_FORMAT(seville,
	.name = "seville",
	.proto = TAG_PROTO_SEVILLE,
	.layout = { { &from_cpu_layout }, { &to_cpu_layout } });
