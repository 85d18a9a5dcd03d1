/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The eight bytes of Realtek's protocol 4 (net/dsa/tag_rtl8_4.c), before the
 * EtherType in rtl8_4 and at the tail in rtl8_4t.
 *
 * 8899, protocol 4, reason, options, port field.  From the CPU the options are
 * "do not learn" and, in 7.x but not in 6.12, "keep the VLAN format"; the port
 * field is a map of eleven.  To the CPU reason 80 is a trapped frame, all else
 * a forwarded one, and the port field a number.
 *
 * Not modelled: filter ids, forced priority, VLAN selection, allowance maps.
 */
#ifndef TAGRIG_TAG_FAMILY_RTL8_4_H
#define TAGRIG_TAG_FAMILY_RTL8_4_H

#include "format.h"

#define TAG_RTL8_4_TRAP	80

/* The EtherType is in the table, since at the tail it is not a frame's. */
#define TAG_RTL8_4_MARK								\
	{ "ethertype", TAG_B16(0, 15, 0), .what = TV_CONST, .value = 0x8899 },	\
	{ "protocol", TAG_B16(1, 15, 8), .what = TV_CONST, .value = 4 }

static const struct tag_field tag_rtl8_4_from_cpu[] = {
	TAG_RTL8_4_MARK,
	{ "reason", TAG_B16(1, 7, 0), .what = TV_CONST },
	{ "filter-and-priority", TAG_B16(2, 15, 8), .what = TV_CONST },
	{ "keep", TAG_B16(2, 7, 7), .what = TV_FILL, .value = 1 },
	{ "vlan-select", TAG_B16(2, 6, 6), .what = TV_CONST },
	{ "no-learning", TAG_B16(2, 5, 5), .what = TV_CONST, .value = 1 },
	{ "vlan-index", TAG_B16(2, 4, 0), .what = TV_CONST },
	{ "allow", TAG_B16(3, 15, 11), .what = TV_CONST },
	{ "ports", TAG_B16(3, 10, 0), .what = TV_PORTMAP },
};

static const struct tag_field tag_rtl8_4_to_cpu[] = {
	TAG_RTL8_4_MARK,
	{ "reason", TAG_B16(1, 7, 0), .what = TV_TRAP },
	{ "port", TAG_B16(3, 3, 0), .what = TV_PORT },
};

static inline int tag_rtl8_4_build(struct tag_vals *vals, const struct frame *frame)
{
	(void)frame;
	vals->trap = vals->trap ? TAG_RTL8_4_TRAP : 0;
	return 0;
}

static inline const char *tag_rtl8_4_parse(struct tag_vals *vals, const struct frame *frame)
{
	(void)frame;
	vals->trap = vals->trap == TAG_RTL8_4_TRAP;
	return NULL;
}

#endif
