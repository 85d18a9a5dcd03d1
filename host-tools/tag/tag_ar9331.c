// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ar9331: the switch in Atheros AR9331, two bytes in front of the frame, a
 * little-endian word (net/dsa/tag_ar9331.c).
 *
 * Version 1, "from CPU" by direction, reserved bits 3 (as this chip has them),
 * the port number both ways.  Priority, type and broadcast are written as zero
 * and not read, as in the kernel.
 */
#include "format.h"

#define COMMON(from_cpu_or_not)						\
	{ "version", TAG_B8(1, 7, 6), .what = TV_CONST, .value = 1 },	\
	{ "from-cpu", TAG_B8(0, 6, 6), .what = TV_CONST, .value = (from_cpu_or_not) }, \
	{ "port", TAG_B8(0, 3, 0), .what = TV_PORT }

static const struct tag_field from_cpu[] = {
	COMMON(1),
	{ "reserved", TAG_B8(0, 5, 4), .what = TV_CONST, .value = 3 },
};

static const struct tag_field to_cpu[] = {
	COMMON(0),
	{ "reserved", TAG_B8(0, 5, 4), .what = TV_FILL, .value = 3 },
};

static const struct tag_layout from_cpu_layout = {
	.pos = TAG_POS_HEAD, .head = 2, TAG_FIELDS(from_cpu),
};

static const struct tag_layout to_cpu_layout = {
	.pos = TAG_POS_HEAD, .head = 2, TAG_FIELDS(to_cpu),
};

TAG_FORMAT(ar9331,
	.name = "ar9331",
	.proto = TAG_PROTO_AR9331,
	.layout = { { &from_cpu_layout }, { &to_cpu_layout } });
