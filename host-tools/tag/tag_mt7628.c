// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mt7628: the switch in MediaTek MT7628, an 802.1Q header before the EtherType
 * whose TPID names ports (net/dsa/tag_mt7628.c, in 7.x).
 *
 * From the CPU the TPID is 8100 plus a map of six ports, to it 8100 plus a port
 * number: port 0 reads as plain 802.1Q.  The VID is that of the port's
 * standalone VLAN (tag_8021q, family_8021q.h); the kernel does not read it.
 */
#include "family_8021q.h"

#define VID_FIELDS								\
	{ "vid[11:10]", TAG_TCI(2, 11, 10), .what = TV_FILL, .value = 3 },	\
	{ "vid-switch", TAG_TCI(2, 8, 6), .what = TV_DEVICE },			\
	{ "vid-port", TAG_TCI(2, 3, 0), .what = TV_PORT_HINT }

static const struct tag_field from_cpu[] = {
	{ "tpid", TAG_B16(0, 15, 6), .what = TV_CONST, .value = TAG_TPID_8021Q >> 6 },
	{ "ports", TAG_B16(0, 5, 0), .what = TV_PORTMAP },
	VID_FIELDS,
};

static const struct tag_field to_cpu[] = {
	{ "tpid", TAG_B16(0, 15, 3), .what = TV_CONST, .value = TAG_TPID_8021Q >> 3 },
	{ "port", TAG_B16(0, 2, 0), .what = TV_PORT },
	VID_FIELDS,
};

static const struct tag_layout from_cpu_layout = {
	.pos = TAG_POS_ETYPE, .head = 4, TAG_FIELDS(from_cpu),
};

static const struct tag_layout to_cpu_layout = {
	.pos = TAG_POS_ETYPE, .head = 4, TAG_FIELDS(to_cpu),
};

TAG_FORMAT(mt7628,
	.name = "mt7628",
	.proto = TAG_PROTO_MT7628,
	.layout = { { &from_cpu_layout }, { &to_cpu_layout } });
