// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ksz8463: Microchip KSZ8463, one byte at the tail (net/dsa/tag_ksz.c, from
 * 7.0 on).
 *
 * From the CPU: two bits of priority, a map of three ports.  To the CPU three
 * bits of port number.
 *
 * Not modelled: the receive time stamp that silicon puts into the reserved2
 * field of PTP headers.
 */
#include "format.h"

static const struct tag_field from_cpu[] = {
	{ "reserved", TAG_B8(0, 7, 5), .what = TV_CONST },
	{ "priority", TAG_B8(0, 4, 3), .what = TV_PRIO },
	{ "ports", TAG_B8(0, 2, 0), .what = TV_PORTMAP },
};

static const struct tag_field to_cpu[] = {
	{ "port", TAG_B8(0, 2, 0), .what = TV_PORT },
};

static const struct tag_layout from_cpu_layout = {
	.pos = TAG_POS_TAIL, .tail = 1, .pad = TAG_ETH_ZLEN, TAG_FIELDS(from_cpu),
};

static const struct tag_layout to_cpu_layout = {
	.pos = TAG_POS_TAIL, .tail = 1, .pad = TAG_ETH_ZLEN, TAG_FIELDS(to_cpu),
};

TAG_FORMAT(ksz8463,
	.name = "ksz8463",
	.proto = TAG_PROTO_KSZ8463,
	.layout = { { &from_cpu_layout }, { &to_cpu_layout } });
