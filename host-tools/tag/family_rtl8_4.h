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

extern const struct tag_field tag_rtl8_4_from_cpu[];
extern const struct tag_field tag_rtl8_4_to_cpu[];
int tag_rtl8_4_build(struct tag_vals *vals, const struct frame *frame);
const char *tag_rtl8_4_parse(struct tag_vals *vals, const struct frame *frame);

#endif
