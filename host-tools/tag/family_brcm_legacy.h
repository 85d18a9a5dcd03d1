/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The six bytes to the CPU that brcm-legacy and brcm-legacy-fcs share
 * (net/dsa/tag_brcm.c): 8874, type and length, the port number in the last
 * four bits.
 *
 * The kernel takes an 802.1Q header of TCI 0 behind the tag off with it: the
 * switch in BCM63xx has every frame tagged on its CPU port, and VID 0 stands
 * for none.  That is the second layout, ten bytes.  Priority-tagged frames of
 * priority 0 come back without their header, as in the kernel, unless that
 * layout is used for them as well.
 *
 * The kernel does not look at the EtherType; the type and length are written
 * as zero ("unicast").
 */
#ifndef TAGRIG_TAG_FAMILY_BRCM_LEGACY_H
#define TAGRIG_TAG_FAMILY_BRCM_LEGACY_H

#include "format.h"

#define TAG_BRCM_LEG_LEN	6
#define TAG_BRCM_LEG_ETYPE	0x8874
/* The chip checks the length after it took the tag off; the kernel pads for that. */
#define TAG_BRCM_LEG_PAD	(TAG_ETH_ZLEN + TAG_BRCM_LEG_LEN)

/* What is behind the addresses: no 802.1Q header, one of TCI 0, or another. */
enum tag_brcm_leg_inner {
	TAG_BRCM_LEG_UNTAGGED,
	TAG_BRCM_LEG_TCI0,
	TAG_BRCM_LEG_VLAN,
};

#define TAG_BRCM_LEG_TO_CPU						\
	{ "type", TAG_B16(1, 15, 0), .what = TV_FILL },		\
	{ "port", TAG_B8(5, 3, 0), .what = TV_PORT }

static const struct tag_field tag_brcm_leg_fields[] = { TAG_BRCM_LEG_TO_CPU };

static const struct tag_field tag_brcm_leg_vid0_fields[] = {
	TAG_BRCM_LEG_TO_CPU,
	{ "tpid", TAG_B16(3, 15, 0), .what = TV_CONST, .value = TAG_TPID_8021Q },
	{ "tci", TAG_B16(4, 15, 0), .what = TV_CONST },
};

static const struct tag_layout tag_brcm_leg_to_cpu = {
	.pos = TAG_POS_ETYPE, .head = TAG_BRCM_LEG_LEN, .etype = TAG_BRCM_LEG_ETYPE,
	TAG_FIELDS(tag_brcm_leg_fields),
};

static const struct tag_layout tag_brcm_leg_to_cpu_vid0 = {
	.pos = TAG_POS_ETYPE, .head = TAG_BRCM_LEG_LEN + TAG_VLAN_HLEN,
	.etype = TAG_BRCM_LEG_ETYPE, TAG_FIELDS(tag_brcm_leg_vid0_fields),
};

static inline enum tag_brcm_leg_inner tag_brcm_leg_inner(const struct frame *frame)
{
	const uint8_t *p = frame->data + TAG_ADDRS;

	if (tag_be16(p) != TAG_TPID_8021Q)
		return TAG_BRCM_LEG_UNTAGGED;
	if (frame->len < TAG_ETH_HLEN + TAG_VLAN_HLEN || tag_be16(p + 2))
		return TAG_BRCM_LEG_VLAN;
	return TAG_BRCM_LEG_TCI0;
}

#endif
