// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lan937x: Microchip LAN937x, at the tail, two bytes from the CPU and one to it
 * (net/dsa/tag_ksz.c; to the CPU, and what is not modelled, in family_ksz.h).
 *
 * From the CPU: "valid", lookup (which the kernel never sets), blocking
 * override, three bits of priority, a map of eight ports.
 */
#include "family_ksz.h"

static const struct tag_field from_cpu[] = {
	{ "reserved", TAG_B16(0, 15, 14), .what = TV_CONST },
	{ "valid", TAG_B16(0, 13, 13), .what = TV_CONST, .value = 1 },
	{ "lookup", TAG_B16(0, 12, 12), .what = TV_FORWARD },
	{ "override", TAG_B16(0, 11, 11), .what = TV_TRAP },
	{ "priority", TAG_B16(0, 10, 8), .what = TV_PRIO },
	{ "ports", TAG_B16(0, 7, 0), .what = TV_PORTMAP },
};

static const struct tag_layout from_cpu_layout = {
	.pos = TAG_POS_TAIL, .tail = 2, .pad = TAG_ETH_ZLEN, TAG_FIELDS(from_cpu),
};

TAG_FORMAT(lan937x,
	.name = "lan937x",
	.proto = TAG_PROTO_LAN937X,
	.layout = { { &from_cpu_layout }, { &tag_ksz_to_cpu, &tag_ksz_to_cpu_stamped } });
