/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Microchip's tail tags to the CPU, as ksz9477_rcv() of net/dsa/tag_ksz.c
 * reads them for ksz9477, ksz9893 and lan937x: one byte, the port number in its
 * low bits.  With bit 7 a receive time stamp of four bytes is before it: that
 * layout is read, and never written, since whether a port stamps is a state of
 * the switch.
 *
 * From the CPU, meta.trap is the "override" bit (send whatever the port's
 * state), which the kernel sets for link-local addresses.
 *
 * Not modelled: the four bytes of time that a CPU adds once time stamping is
 * on (nothing in the frame says so).
 */
#ifndef TAGRIG_TAG_FAMILY_KSZ_H
#define TAGRIG_TAG_FAMILY_KSZ_H

#include "format.h"

static const struct tag_field tag_ksz_fields[] = {
	{ "time-stamp", TAG_B8(0, 7, 7), .what = TV_CONST },
	{ "port", TAG_B8(0, 2, 0), .what = TV_PORT },
};

static const struct tag_field tag_ksz_stamped_fields[] = {
	{ "time", .off = 0, .width = 32, .what = TV_FILL },
	{ "time-stamp", TAG_B8(4, 7, 7), .what = TV_CONST, .value = 1 },
	{ "port", TAG_B8(4, 2, 0), .what = TV_PORT },
};

static const struct tag_layout tag_ksz_to_cpu = {
	.pos = TAG_POS_TAIL, .tail = 1, .pad = TAG_ETH_ZLEN, TAG_FIELDS(tag_ksz_fields),
};

static const struct tag_layout tag_ksz_to_cpu_stamped = {
	.pos = TAG_POS_TAIL, .tail = 5, .pad = TAG_ETH_ZLEN, TAG_FIELDS(tag_ksz_stamped_fields),
};

#endif
