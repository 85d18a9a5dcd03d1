// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mxl862xx: MaxLinear MxL862xx, eight bytes before the EtherType
 * (net/dsa/tag_mxl862xx.c, in 7.x).
 *
 * 88C3; from the CPU a sub-interface, which is the port's number plus 16 less
 * the CPU port's, and the CPU port itself; to the CPU the port number.  Written
 * with CPU port 9, as in the binding's example; any is read.
 */
#include "format.h"

#define CPU_PORT	9
#define SUBIF_BASE	16
#define PORTS		16	/* that the four bits to the CPU can name */

static const struct tag_field from_cpu[] = {
	{ "zero", TAG_B16(1, 15, 0), .what = TV_CONST },
	{ "zero", TAG_B16(2, 15, 5), .what = TV_CONST },
	{ "sub-interface", TAG_B16(2, 4, 0), .what = TV_PORT },
	{ "zero", TAG_B16(3, 15, 4), .what = TV_CONST },
	{ "cpu-port", TAG_B16(3, 3, 0), .what = TV_AUX0 },
};

static const struct tag_field to_cpu[] = {
	{ "port", TAG_B16(3, 3, 0), .what = TV_PORT },
};

static int build_from_cpu(struct tag_vals *vals, const struct frame *frame)
{
	(void)frame;
	if (vals->port >= PORTS)
		return -ERANGE;
	vals->aux0 = CPU_PORT;
	vals->port += SUBIF_BASE - CPU_PORT;
	return 0;
}

static const char *parse_from_cpu(struct tag_vals *vals, const struct frame *frame)
{
	(void)frame;
	if (vals->port + vals->aux0 < SUBIF_BASE)
		return "the sub-interface is below the CPU port's first";
	vals->port += vals->aux0 - SUBIF_BASE;
	return vals->port < PORTS ? NULL : "the sub-interface is above the CPU port's last";
}

static const struct tag_layout from_cpu_layout = {
	.pos = TAG_POS_ETYPE, .head = 8, .etype = 0x88c3, .nports = PORTS,
	TAG_FIELDS(from_cpu),
	.build = build_from_cpu, .parse = parse_from_cpu,
};

static const struct tag_layout to_cpu_layout = {
	.pos = TAG_POS_ETYPE, .head = 8, .etype = 0x88c3, TAG_FIELDS(to_cpu),
};

TAG_FORMAT(mxl862xx,
	.name = "mxl862xx",
	.proto = TAG_PROTO_MXL862,
	.layout = { { &from_cpu_layout }, { &to_cpu_layout } });
