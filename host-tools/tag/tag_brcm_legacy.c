// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * brcm-legacy: the switch in Broadcom BCM63xx, six bytes before the EtherType
 * (net/dsa/tag_brcm.c; to the CPU in family_brcm_legacy.h).
 *
 * From the CPU: 8874, "egress" to the one port in the last four bits; the
 * kernel pads to 66 bytes first.  To the CPU a frame without an 802.1Q header
 * gets one of VID 0, as the silicon does.
 */
#include "family_brcm_legacy.h"

static const struct tag_field from_cpu[] = {
	{ "type", TAG_B8(2, 7, 5), .what = TV_CONST, .value = 2 },
	{ "reserved", TAG_B8(2, 4, 3), .what = TV_CONST },
	{ "length", TAG_B16(1, 10, 0), .what = TV_CONST },
	{ "reserved", TAG_B8(4, 7, 0), .what = TV_CONST },
	{ "reserved", TAG_B8(5, 7, 4), .what = TV_CONST },
	{ "port", TAG_B8(5, 3, 0), .what = TV_PORT },
};

static const struct tag_layout from_cpu_layout = {
	.pos = TAG_POS_ETYPE, .head = TAG_BRCM_LEG_LEN, .pad = TAG_BRCM_LEG_PAD,
	.etype = TAG_BRCM_LEG_ETYPE, TAG_FIELDS(from_cpu),
};

static unsigned int pick(enum tag_dir dir, const struct tag_meta *meta,
			 const struct frame *frame)
{
	(void)meta;
	return dir == TAG_TO_CPU && tag_brcm_leg_inner(frame) != TAG_BRCM_LEG_VLAN;
}

TAG_FORMAT(brcm_legacy,
	.name = "brcm-legacy",
	.proto = TAG_PROTO_BRCM_LEGACY,
	.layout = {
		{ &from_cpu_layout },
		{ &tag_brcm_leg_to_cpu, &tag_brcm_leg_to_cpu_vid0 },
	},
	.pick = pick);
