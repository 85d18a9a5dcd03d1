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

const uint16_t tag_dsa_fuse[] = { TAG_TPID_8021Q, 0 };

const struct tag_code tag_dsa_from_cpu_cmd[] = {
	{ "FROM_CPU", 1, 0 },
	{ "FORWARD", 3, 1 },
	{ 0 }
};

const struct tag_code tag_dsa_to_cpu_cmd[] = {
	{ "TO_CPU", 0, 1 },
	{ "FORWARD", 3, 0 },
	{ 0 }
};

/* What the kernel makes of each TO_CPU code: enum dsa_code in tag_dsa.c. */
static const char *const refused_code[8] = {
	[1] = "TO_CPU code 1: remote management, not a frame",
	[6] = "TO_CPU code 6 is reserved",
	[7] = "TO_CPU code 7 is reserved",
};

const char *tag_dsa_parse_to_cpu(struct tag_vals *vals, const struct frame *frame)
{
	uint32_t code = vals->v[TV_AUX0];

	(void)frame;
	if (!vals->v[TV_TRAP])
		return code & 4 ? "FORWARD from a trunk: the port is a LAG id" : NULL;
	if (refused_code[code])
		return refused_code[code];
	if (code == 4 || code == 5)
		vals->v[TV_TRAP] = 0;
	return NULL;
}

static const struct tag_field from_cpu[] = { TAG_DSA_FROM_CPU(0), { 0 } };
static const struct tag_field to_cpu[] = { TAG_DSA_TO_CPU(0), { 0 } };

static const struct tag_layout from_cpu_layout = {
	.pos = TAG_POS_ETYPE, .head = 4, .fuse = tag_dsa_fuse, .fields = from_cpu,
};

static const struct tag_layout to_cpu_layout = {
	.pos = TAG_POS_ETYPE, .head = 4, .fuse = tag_dsa_fuse, .fields = to_cpu,
	.parse = tag_dsa_parse_to_cpu,
};

const struct tag_spec tag_spec_dsa = {
	.name = "dsa",
	.proto = TAG_PROTO_DSA,
	.layout = { { &from_cpu_layout }, { &to_cpu_layout } },
};
