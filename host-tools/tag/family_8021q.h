/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tag_8021q header (net/dsa/tag_8021q.c): four bytes before the EtherType
 * in the shape of an 802.1Q header, whose VID names a port:
 *
 *	[11:10] 3  [9] VBID[2]  [8:6] switch  [5:4] VBID[1:0]  [3:0] port
 *
 * With a virtual bridge (VBID 1..7, meta.bridge) switch and port are zero: from
 * the CPU the frame is for the bridge's whole domain, to it the port that it
 * came in by is not known.
 *
 * Not modelled: under a VLAN-aware bridge these taggers send the frame with its
 * own VLAN header and no tag (VIDs below 3072); such a frame is refused.  So is
 * VID 4095, which sja1105 writes for control frames: the port is then a
 * management route in the switch and not in the frame.
 */
#ifndef TAGRIG_TAG_FAMILY_8021Q_H
#define TAGRIG_TAG_FAMILY_8021Q_H

#include "format.h"

#define TAG_TPID_DSA_8021Q	0xdadb

/* Bits hi..lo of the TCI that begins at byte @o. */
#define TAG_TCI(o, hi, lo)	.off = (o) * 8 + 15 - (hi), .width = (hi) - (lo) + 1

static const struct tag_field tag_8021q_fields[] = {
	{ "pcp", TAG_TCI(2, 15, 13), .what = TV_PRIO },
	{ "dei", TAG_TCI(2, 12, 12), .what = TV_FILL },
	{ "vid[11:10]", TAG_TCI(2, 11, 10), .what = TV_CONST, .value = 3 },
	{ "vbid", TAG_TCI(2, 9, 9), .from = 2, .what = TV_BRIDGE },
	{ "switch", TAG_TCI(2, 8, 6), .what = TV_DEVICE },
	{ "vbid", TAG_TCI(2, 5, 4), .what = TV_BRIDGE },
	{ "port", TAG_TCI(2, 3, 0), .what = TV_PORT },
};

static inline int tag_8021q_build(struct tag_vals *vals, const struct frame *frame)
{
	(void)frame;
	if (vals->bridge)
		vals->device = 0;
	return 0;
}

static inline const char *tag_8021q_parse(struct tag_vals *vals, const struct frame *frame)
{
	const struct tag_vals *v = vals;

	(void)frame;
	if (v->bridge == 7 && v->device == 7 && v->port == 15)
		return "VID 4095: a control frame, whose port is a management route";
	if (v->bridge && (v->device || v->port))
		return "the VID names a bridge and a port";
	return NULL;
}

#endif
