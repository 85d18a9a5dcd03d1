// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mtk: MediaTek MT7530 and its like, four bytes before the EtherType
 * (net/dsa/tag_mtk.c).
 *
 * From the CPU the first byte says whether the tag stands for a VLAN header:
 * 0 no, 1 of TPID 8100, 2 of 88A8; then "no source address learning", a map of
 * six ports, and the TCI (zero without a header).  To the CPU the port number
 * is in the low bits of the second byte, and a VLAN header stays behind the
 * tag (the driver sets the CPU port's egress mode to "stack"); the kernel
 * reads nothing else.
 */
#include "format.h"

static const uint16_t fuse[] = { TAG_TPID_8021Q, TAG_TPID_8021AD, 0 };

static const struct tag_code vlan_codes[] = {
	{ "untagged", 0, 0 },
	{ "8100", 1, 1 },
	{ "88a8", 2, 2 },
	{ 0 }
};

static const struct tag_field from_cpu[] = {
	{ "vlan", TAG_B8(0, 7, 0), .what = TV_VLAN, .codes = vlan_codes },
	{ "reserved", TAG_B8(1, 7, 7), .what = TV_CONST },
	{ "no-learning", TAG_B8(1, 6, 6), .what = TV_CONST },
	{ "ports", TAG_B8(1, 5, 0), .what = TV_PORTMAP },
	{ "pcp", TAG_B16(1, 15, 13), .what = TV_PRIO },
	{ "dei", TAG_B16(1, 12, 12), .what = TV_DEI },
	{ "vid", TAG_B16(1, 11, 0), .what = TV_VID },
};

static const struct tag_field to_cpu[] = {
	{ "port", TAG_B8(1, 2, 0), .what = TV_PORT },
};

static const struct tag_layout from_cpu_layout = {
	.pos = TAG_POS_ETYPE, .head = 4, .fuse = fuse, TAG_FIELDS(from_cpu),
};

static const struct tag_layout to_cpu_layout = {
	.pos = TAG_POS_ETYPE, .head = 4, TAG_FIELDS(to_cpu),
};

TAG_FORMAT(mtk,
	.name = "mtk",
	.proto = TAG_PROTO_MTK,
	.layout = { { &from_cpu_layout }, { &to_cpu_layout } });
