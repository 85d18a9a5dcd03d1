/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a MAC's checksum engine makes of tagged frames: found out by tagging
 * sample frames and looking at them as an engine does, not written down.
 */
#ifndef TAGRIG_TAG_VIEW_H
#define TAGRIG_TAG_VIEW_H

#include "tag.h"

/* Does an engine take the frame for IP? */
enum tag_sees {
	TAG_SEES_NEVER,
	TAG_SEES_ALWAYS,
	TAG_SEES_BY_TAG,	/* with some ports, devices or traps */
	TAG_SEES_BY_ADDRESS,	/* with some MAC addresses */
};

struct tag_view {
	char at12[5];		/* offset 12 in hex; x: a digit that varies (devices 0, 1) */
	enum tag_sees sees;
	bool real;		/* and the IP header is where it looks */
	struct tag_meta example;	/* with TAG_SEES_BY_TAG: one that does it */
};

/*
 * An engine that knows 802.1Q, one header deep, and nothing of tags: true when
 * the EtherType that it finds is IPv4's or IPv6's.  *@offset (may be NULL) is
 * where it takes the IP header to be.
 */
bool tag_engine_sees_ip(const struct frame *frame, size_t *offset);

/*
 * What it makes of frames of format @f in direction @dir, over all ports,
 * devices, traps and addresses, when the frame inside has EtherType @etype,
 * behind an 802.1Q header if @vlan.
 */
struct tag_view tag_view(const struct tag_format *f, enum tag_dir dir, uint16_t etype,
			 bool vlan);

#endif
