// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * rtl8_4: Realtek RTL8365MB, eight bytes before the EtherType
 * (net/dsa/tag_rtl8_4.c; bits, and what is not modelled, in family_rtl8_4.h).
 */
#include "family_rtl8_4.h"

#define REASON_TRAP	80

/* The EtherType is in the table, since at the tail it is not a frame's. */
#define TAG_RTL8_4_MARK								\
	{ "ethertype", TAG_B16(0, 15, 0), .what = TV_CONST, .value = 0x8899 },	\
	{ "protocol", TAG_B16(1, 15, 8), .what = TV_CONST, .value = 4 }

const struct tag_field tag_rtl8_4_from_cpu[] = {
	TAG_RTL8_4_MARK,
	{ "reason", TAG_B16(1, 7, 0), .what = TV_CONST },
	{ "filter-and-priority", TAG_B16(2, 15, 8), .what = TV_CONST },
	{ "keep", TAG_B16(2, 7, 7), .what = TV_FILL, .value = 1 },
	{ "vlan-select", TAG_B16(2, 6, 6), .what = TV_CONST },
	{ "no-learning", TAG_B16(2, 5, 5), .what = TV_CONST, .value = 1 },
	{ "vlan-index", TAG_B16(2, 4, 0), .what = TV_CONST },
	{ "allow", TAG_B16(3, 15, 11), .what = TV_CONST },
	{ "ports", TAG_B16(3, 10, 0), .what = TV_PORTMAP },
	{ 0 }
};

const struct tag_field tag_rtl8_4_to_cpu[] = {
	TAG_RTL8_4_MARK,
	{ "reason", TAG_B16(1, 7, 0), .what = TV_TRAP },
	{ "port", TAG_B16(3, 3, 0), .what = TV_PORT },
	{ 0 }
};

int tag_rtl8_4_build(struct tag_vals *vals, const struct frame *frame)
{
	(void)frame;
	vals->v[TV_TRAP] = vals->v[TV_TRAP] ? REASON_TRAP : 0;
	return 0;
}

const char *tag_rtl8_4_parse(struct tag_vals *vals, const struct frame *frame)
{
	(void)frame;
	vals->v[TV_TRAP] = vals->v[TV_TRAP] == REASON_TRAP;
	return NULL;
}

static const struct tag_layout from_cpu_layout = {
	.pos = TAG_POS_ETYPE, .head = 8, .fields = tag_rtl8_4_from_cpu,
};

static const struct tag_layout to_cpu_layout = {
	.pos = TAG_POS_ETYPE, .head = 8, .fields = tag_rtl8_4_to_cpu,
	.build = tag_rtl8_4_build, .parse = tag_rtl8_4_parse,
};

const struct tag_spec tag_spec_rtl8_4 = {
	.name = "rtl8_4",
	.proto = TAG_PROTO_RTL8_4,
	.layout = { { &from_cpu_layout }, { &to_cpu_layout } },
};
