// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * qca: Qualcomm Atheros QCA8K, two bytes before the EtherType
 * (net/dsa/tag_qca.c, include/linux/dsa/tag_qca.h).
 *
 * From the CPU: version 2, priority, control 0, "from CPU", a map of seven
 * ports.  To the CPU: version 2, priority, type 0, "frame is tagged", the port
 * number.  The kernel never marks these frames as forwarded by the switch.
 *
 * Not modelled: register access and MIB counters in Ethernet frames (control 1,
 * types 1 and 2); they are refused.
 */
#include "format.h"

static const struct tag_field from_cpu[] = {
	{ "version", TAG_B16(0, 15, 14), .what = TV_CONST, .value = 2 },
	{ "priority", TAG_B16(0, 13, 11), .what = TV_PRIO },
	{ "control", TAG_B16(0, 10, 8), .what = TV_CONST },
	{ "from-cpu", TAG_B16(0, 7, 7), .what = TV_CONST, .value = 1 },
	{ "ports", TAG_B16(0, 6, 0), .what = TV_PORTMAP },
};

static const struct tag_field to_cpu[] = {
	{ "version", TAG_B16(0, 15, 14), .what = TV_CONST, .value = 2 },
	{ "priority", TAG_B16(0, 13, 11), .what = TV_PRIO },
	{ "type", TAG_B16(0, 10, 6), .what = TV_CONST },
	{ "frame-is-tagged", TAG_B16(0, 3, 3), .what = TV_TAGGED },
	{ "port", TAG_B16(0, 2, 0), .what = TV_PORT },
};

static const struct tag_layout from_cpu_layout = {
	.pos = TAG_POS_ETYPE, .head = 2, TAG_FIELDS(from_cpu),
};

static const struct tag_layout to_cpu_layout = {
	.pos = TAG_POS_ETYPE, .head = 2, TAG_FIELDS(to_cpu),
};

TAG_FORMAT(qca,
	.name = "qca",
	.proto = TAG_PROTO_QCA,
	.layout = { { &from_cpu_layout }, { &to_cpu_layout } });
