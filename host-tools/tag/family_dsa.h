/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The four bytes that dsa and edsa share (net/dsa/tag_dsa.c), in Marvell's bits:
 *
 *	byte 0	[7:6] command  [5] frame was 802.1Q tagged  [4:0] device
 *	byte 1	[7:3] port  [2:1] code or trunk  [0] CFI
 *	byte 2	[7:5] priority  [4] code  [3:0] VID, high
 *	byte 3	VID, low
 *
 * A tag takes the place of the frame's 802.1Q header.  Without one the VID is
 * the port's default and the priority the switch's.
 */
#ifndef TAGRIG_TAG_FAMILY_DSA_H
#define TAGRIG_TAG_FAMILY_DSA_H

#include "format.h"

static const uint16_t tag_dsa_fuse[] = { TAG_TPID_8021Q, 0 };

static const struct tag_code tag_dsa_from_cpu_cmd[] = {
	{ "FROM_CPU", 1, 0 },
	{ "FORWARD", 3, 1 },
	{ 0 }
};

static const struct tag_code tag_dsa_to_cpu_cmd[] = {
	{ "TO_CPU", 0, 1 },
	{ "FORWARD", 3, 0 },
	{ 0 }
};

/* What the kernel makes of each TO_CPU code: enum dsa_code in tag_dsa.c. */
static const char *const tag_dsa_refused_code[8] = {
	[1] = "TO_CPU code 1: remote management, not a frame",
	[6] = "TO_CPU code 6 is reserved",
	[7] = "TO_CPU code 7 is reserved",
};

static inline const char *tag_dsa_parse_to_cpu(struct tag_vals *vals, const struct frame *frame)
{
	uint32_t code = vals->aux0;

	(void)frame;
	if (!vals->trap)
		return code & 4 ? "FORWARD from a trunk: the port is a LAG id" : NULL;
	if (tag_dsa_refused_code[code])
		return tag_dsa_refused_code[code];
	if (code == 4 || code == 5)
		vals->trap = 0;
	return NULL;
}

/* @o: the byte of the tag where the four begin. */
#define TAG_DSA_COMMON(o)							\
	{ "tagged", TAG_B8((o), 5, 5), .what = TV_VLAN },			\
	{ "device", TAG_B8((o), 4, 0), .what = TV_DEVICE },			\
	{ "port", TAG_B8((o) + 1, 7, 3), .what = TV_PORT },			\
	{ "cfi", TAG_B8((o) + 1, 0, 0), .what = TV_DEI },			\
	{ "priority", TAG_B8((o) + 2, 7, 5), .what = TV_PRIO },			\
	{ "vid", .off = ((o) + 2) * 8 + 4, .width = 12, .what = TV_VID }

#define TAG_DSA_FROM_CPU(o)							\
	{ "command", TAG_B8((o), 7, 6), .what = TV_FORWARD,			\
	  .codes = tag_dsa_from_cpu_cmd },					\
	TAG_DSA_COMMON(o),							\
	{ "code", TAG_B8((o) + 1, 2, 1), .what = TV_CONST },			\
	{ "code", TAG_B8((o) + 2, 4, 4), .what = TV_CONST }

#define TAG_DSA_TO_CPU(o)							\
	{ "command", TAG_B8((o), 7, 6), .what = TV_TRAP,			\
	  .codes = tag_dsa_to_cpu_cmd },					\
	TAG_DSA_COMMON(o),							\
	{ "code", TAG_B8((o) + 1, 2, 1), .from = 1, .what = TV_AUX0 },		\
	{ "code", TAG_B8((o) + 2, 4, 4), .what = TV_AUX0 }

#endif
