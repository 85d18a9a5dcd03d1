// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ksz9477: Microchip KSZ9477, at the tail, two bytes from the CPU and one to it
 * (net/dsa/tag_ksz.c; to the CPU, and what is not modelled, in family_ksz.h).
 *
 * From the CPU: a map of seven ports, two bits of priority, override, lookup
 * (which the kernel never sets).
 */
#include "family_ksz.h"

static const struct tag_field from_cpu[] = {
	{ "reserved", TAG_B16(0, 15, 11), .what = TV_CONST },
	{ "lookup", TAG_B16(0, 10, 10), .what = TV_FORWARD },
	{ "override", TAG_B16(0, 9, 9), .what = TV_TRAP },
	{ "priority", TAG_B16(0, 8, 7), .what = TV_PRIO },
	{ "ports", TAG_B16(0, 6, 0), .what = TV_PORTMAP },
};

static const struct tag_layout from_cpu_layout = {
	.pos = TAG_POS_TAIL, .tail = 2, .pad = TAG_ETH_ZLEN, TAG_FIELDS(from_cpu),
};

TAG_FORMAT(ksz9477,
	.name = "ksz9477",
	.proto = TAG_PROTO_KSZ9477,
	.layout = { { &from_cpu_layout }, { &tag_ksz_to_cpu, &tag_ksz_to_cpu_stamped } });
