// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ksz9893: Microchip KSZ9893 and KSZ88x3, one byte at the tail
 * (net/dsa/tag_ksz.c; to the CPU, and what is not modelled, in family_ksz.h).
 *
 * From the CPU: a map of three ports, two bits of priority, override, lookup
 * (which the kernel never sets).  The kernel does not keep a fourth port from
 * writing into the priority.
 */
#include "family_ksz.h"

static const struct tag_field from_cpu[] = {
	{ "reserved", TAG_B8(0, 7, 7), .what = TV_CONST },
	{ "lookup", TAG_B8(0, 6, 6), .what = TV_FORWARD },
	{ "override", TAG_B8(0, 5, 5), .what = TV_TRAP },
	{ "priority", TAG_B8(0, 4, 3), .what = TV_PRIO },
	{ "ports", TAG_B8(0, 2, 0), .what = TV_PORTMAP },
};

static const struct tag_layout from_cpu_layout = {
	.pos = TAG_POS_TAIL, .tail = 1, .pad = TAG_ETH_ZLEN, TAG_FIELDS(from_cpu),
};

TAG_FORMAT(ksz9893,
	.name = "ksz9893",
	.proto = TAG_PROTO_KSZ9893,
	.layout = { { &from_cpu_layout }, { &tag_ksz_to_cpu, &tag_ksz_to_cpu_stamped } });
