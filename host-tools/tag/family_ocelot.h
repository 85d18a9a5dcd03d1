/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The twenty bytes in front of the frame that ocelot and seville share
 * (net/dsa/tag_ocelot.c, include/linux/dsa/ocelot.h): a short prefix of four,
 * then a header of 128 bits that the kernel counts from the right.
 *
 * The header holds a classified VLAN (TCI).  From the CPU it is zero on a
 * standalone port; under a VLAN-aware bridge the kernel moves the frame's
 * 802.1Q header, or the pvid, into it, and whether the port sends a header is
 * then up to the switch's VLAN table: reading leaves .vlan false and the TCI in
 * .vid, .pcp and .dei.  With a VID, .pcp is the TCI's; without one it is the
 * QoS class.  To the CPU the kernel takes the TCI for the header of a frame
 * from a VLAN-aware bridge, so .vid and .pcp should be the frame's.
 *
 * Not modelled: PTP (rewriter operation and value), 88A8 as tag type, ACL and
 * mirror fields; extraction without or with the long prefix.
 */
#ifndef TAGRIG_TAG_FAMILY_OCELOT_H
#define TAGRIG_TAG_FAMILY_OCELOT_H

#include "format.h"

#define TAG_OCELOT_LEN	20

/* Bits hi..lo of the header, as the kernel's packing() calls have them. */
#define TAG_IFH(hi, lo)	.off = 32 + 127 - (hi), .width = (hi) - (lo) + 1

static inline int tag_ocelot_build(struct tag_vals *vals, const struct frame *frame)
{
	(void)frame;
	vals->aux0 = vals->vid ? vals->prio : 0;
	return 0;
}

static inline const char *tag_ocelot_parse(struct tag_vals *vals, const struct frame *frame)
{
	(void)frame;
	if (vals->vid)
		vals->prio = vals->aux0;
	return NULL;
}

#define TAG_OCELOT_COMMON						\
	{ "qos-class", TAG_IFH(19, 17), .what = TV_PRIO },		\
	{ "tag-type", TAG_IFH(16, 16), .what = TV_FILL },		\
	{ "tci-pcp", TAG_IFH(15, 13), .what = TV_AUX0 },		\
	{ "tci-dei", TAG_IFH(12, 12), .what = TV_DEI },			\
	{ "tci-vid", TAG_IFH(11, 0), .what = TV_VID }

/* The source is the number of the CPU port module, ds->num_ports in the kernel. */
#define TAG_OCELOT_FROM_CPU(prefix, dest_hi, dest_lo)			\
	{ "prefix", .off = 0, .width = 32, .what = TV_CONST, .value = (prefix) }, \
	{ "bypass", TAG_IFH(127, 127), .what = TV_CONST, .value = 1 },	\
	{ "ports", TAG_IFH(dest_hi, dest_lo), .what = TV_PORTMAP },	\
	{ "source", TAG_IFH(46, 43), .what = TV_FILL, .value = 6 },	\
	TAG_OCELOT_COMMON

/* The prefix is there to pass the conduit's filter; the kernel does not read it. */
#define TAG_OCELOT_TO_CPU(prefix)					\
	{ "prefix", .off = 0, .width = 32, .what = TV_FILL, .value = (prefix) }, \
	{ "port", TAG_IFH(46, 43), .what = TV_PORT },			\
	TAG_OCELOT_COMMON

#endif
