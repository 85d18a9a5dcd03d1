// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * rtl8_4t: Realtek RTL8365MB, the rtl8_4 tag at the tail
 * (net/dsa/tag_rtl8_4.c; bits, and what is not modelled, in family_rtl8_4.h).
 */
#include "family_rtl8_4.h"

static const struct tag_layout from_cpu_layout = {
	.pos = TAG_POS_TAIL, .tail = 8, .pad = TAG_ETH_ZLEN,
	TAG_FIELDS(tag_rtl8_4_from_cpu),
};

static const struct tag_layout to_cpu_layout = {
	.pos = TAG_POS_TAIL, .tail = 8, .pad = TAG_ETH_ZLEN,
	TAG_FIELDS(tag_rtl8_4_to_cpu),
	.build = tag_rtl8_4_build, .parse = tag_rtl8_4_parse,
};

TAG_FORMAT(rtl8_4t,
	.name = "rtl8_4t",
	.proto = TAG_PROTO_RTL8_4T,
	.layout = { { &from_cpu_layout }, { &to_cpu_layout } });
