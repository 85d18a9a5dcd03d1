// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * nxp_netc: NXP NETC switch, six bytes before the EtherType
 * (net/dsa/tag_netc.c, in 7.x).
 *
 * FD3A, type and subtype, QoS with an internal priority, switch id and port,
 * a zero byte.  From the CPU the type is To_Port; to it Forward, or To_Host
 * when trapped.  Switch id 0 is refused by the kernel on receive: .device has
 * to be 1..7.
 *
 * Not modelled: subtypes with time stamps (14 bytes), which the kernel refuses
 * too.
 */
#include "format.h"

static const struct tag_code types[] = {
	{ "Forward", 0, 0 },
	{ "To_Host", 2, 1 },
	{ 0 }
};

#define COMMON								\
	{ "priority", TAG_B8(3, 4, 2), .what = TV_PRIO },		\
	{ "port", TAG_B8(4, 7, 3), .what = TV_PORT },			\
	{ "switch", TAG_B8(4, 2, 0), .what = TV_DEVICE }

static const struct tag_field from_cpu[] = {
	{ "type", TAG_B8(2, 7, 4), .what = TV_CONST, .value = 1 },
	{ "subtype", TAG_B8(2, 3, 0), .what = TV_CONST },
	{ "qos-valid", TAG_B8(3, 0, 0), .what = TV_CONST, .value = 1 },
	COMMON,
	{ "zero", TAG_B8(5, 7, 0), .what = TV_CONST },
};

static const struct tag_field to_cpu[] = {
	{ "type", TAG_B8(2, 7, 4), .what = TV_TRAP, .codes = types },
	{ "subtype", TAG_B8(2, 3, 0), .what = TV_AUX0 },
	{ "qos-valid", TAG_B8(3, 0, 0), .what = TV_FILL, .value = 1 },
	COMMON,
};

static int build_to_cpu(struct tag_vals *vals, const struct frame *frame)
{
	(void)frame;
	return vals->device ? 0 : -ERANGE;
}

static const char *parse_to_cpu(struct tag_vals *vals, const struct frame *frame)
{
	(void)frame;
	if (!vals->device)
		return "switch id 0, which the kernel refuses";
	if (vals->trap && vals->aux0)
		return "a To_Host subtype with a time stamp";
	return NULL;
}

static const struct tag_layout from_cpu_layout = {
	.pos = TAG_POS_ETYPE, .head = 6, .etype = 0xfd3a, TAG_FIELDS(from_cpu),
};

static const struct tag_layout to_cpu_layout = {
	.pos = TAG_POS_ETYPE, .head = 6, .etype = 0xfd3a, TAG_FIELDS(to_cpu),
	.build = build_to_cpu, .parse = parse_to_cpu,
};

TAG_FORMAT(nxp_netc,
	.name = "nxp_netc",
	.proto = TAG_PROTO_NETC,
	.layout = { { &from_cpu_layout }, { &to_cpu_layout } });
