// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lan9303: SMSC/Microchip LAN9303, four bytes before the EtherType that look
 * like an 802.1Q header (net/dsa/tag_lan9303.c).
 *
 * From the CPU the "VID" is a port number with STP override, or, when the two
 * ports are bridged and the frame is unicast, 8: look the address up
 * (meta.forward).  To the CPU it is the port number, with bit 3 for trapped
 * IGMP and bit 4 for trapped STP (written for every trapped frame).
 */
#include "format.h"

static const struct tag_field from_cpu[] = {
	{ "pcp-and-dei", TAG_B16(1, 15, 12), .what = TV_CONST },
	{ "zero", TAG_B16(1, 11, 5), .what = TV_CONST },
	{ "stp-override", TAG_B16(1, 4, 4), .what = TV_AUX0 },
	{ "use-alr", TAG_B16(1, 3, 3), .what = TV_FORWARD },
	{ "zero", TAG_B16(1, 2, 2), .what = TV_CONST },
	{ "port", TAG_B16(1, 1, 0), .what = TV_PORT },
};

static const struct tag_field to_cpu[] = {
	{ "stp", TAG_B16(1, 4, 4), .what = TV_TRAP },
	{ "igmp", TAG_B16(1, 3, 3), .what = TV_AUX0 },
	{ "port", TAG_B16(1, 1, 0), .what = TV_PORT },
};

static int build_from_cpu(struct tag_vals *vals, const struct frame *frame)
{
	(void)frame;
	vals->aux0 = !vals->forward;
	return 0;
}

static const char *parse_to_cpu(struct tag_vals *vals, const struct frame *frame)
{
	(void)frame;
	vals->trap |= vals->aux0;
	return NULL;
}

static const struct tag_layout from_cpu_layout = {
	.pos = TAG_POS_ETYPE, .head = 4, .etype = TAG_TPID_8021Q, TAG_FIELDS(from_cpu),
	.build = build_from_cpu,
};

static const struct tag_layout to_cpu_layout = {
	.pos = TAG_POS_ETYPE, .head = 4, .etype = TAG_TPID_8021Q, TAG_FIELDS(to_cpu),
	.parse = parse_to_cpu,
};

TAG_FORMAT(lan9303,
	.name = "lan9303",
	.proto = TAG_PROTO_LAN9303,
	.layout = { { &from_cpu_layout }, { &to_cpu_layout } });
