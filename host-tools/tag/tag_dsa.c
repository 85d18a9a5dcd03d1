// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * dsa: Marvell, four bytes before the EtherType or in the place of the 802.1Q
 * header (net/dsa/tag_dsa.c; bits in family_dsa.h).
 *
 * From the CPU a frame is FROM_CPU, to one port of one device, or FORWARD (a
 * bridge with tx_fwd_offload: .device is a virtual one past the last switch).
 * To the CPU it is FORWARD, or TO_CPU with a code when it was trapped; written
 * with code 0 (MGMT_TRAP).  A mirror code (4, 5) reads as not trapped, as the
 * kernel has it.
 *
 * Not modelled: TO_SNIFFER and remote management (FRAME2REG), which the kernel
 * drops too, and FORWARD from a trunk, whose port field is a LAG id.
 */
#include "family_dsa.h"

static const struct tag_field from_cpu[] = { TAG_DSA_FROM_CPU(0) };
static const struct tag_field to_cpu[] = { TAG_DSA_TO_CPU(0) };

static const struct tag_layout from_cpu_layout = {
	.pos = TAG_POS_ETYPE, .head = 4, .fuse = tag_dsa_fuse, TAG_FIELDS(from_cpu),
};

static const struct tag_layout to_cpu_layout = {
	.pos = TAG_POS_ETYPE, .head = 4, .fuse = tag_dsa_fuse, TAG_FIELDS(to_cpu),
	.parse = tag_dsa_parse_to_cpu,
};

TAG_FORMAT(dsa,
	.name = "dsa",
	.proto = TAG_PROTO_DSA,
	.layout = { { &from_cpu_layout }, { &to_cpu_layout } });
