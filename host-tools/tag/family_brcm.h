/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The four bytes that brcm and brcm-prepend share (net/dsa/tag_brcm.c).
 *
 * From the CPU: opcode 1, traffic class, tag enforcement and time stamp bits
 * that are zero, a map of nine ports.  To the CPU: opcode 0, class id,
 * reason bits, traffic class, port number.  The kernel refuses reserved reason
 * bits and reads no other; silicon sets "exception" on frames of standalone
 * ports (seen in tcpdump's captures), and "protocol termination" on trapped
 * ones, which is what is written here.
 */
#ifndef TAGRIG_TAG_FAMILY_BRCM_H
#define TAGRIG_TAG_FAMILY_BRCM_H

#include "format.h"

#define TAG_BRCM_LEN		4
/* The chip checks the length after it took the tag off; the kernel pads for that. */
#define TAG_BRCM_PAD		(TAG_ETH_ZLEN + TAG_BRCM_LEN)

#define TAG_BRCM_FROM_CPU						\
	{ "opcode", TAG_B8(0, 7, 5), .what = TV_CONST, .value = 1 },	\
	{ "traffic-class", TAG_B8(0, 4, 2), .what = TV_PRIO },		\
	{ "tag-enforcement", TAG_B8(0, 1, 0), .what = TV_CONST },	\
	{ "time-stamp", TAG_B8(1, 7, 0), .what = TV_CONST },		\
	{ "reserved", TAG_B16(1, 15, 9), .what = TV_CONST },		\
	{ "ports", TAG_B16(1, 8, 0), .what = TV_PORTMAP }

#define TAG_BRCM_TO_CPU							\
	{ "opcode", TAG_B8(0, 7, 5), .what = TV_CONST },		\
	{ "class-id", TAG_B8(1, 7, 0), .what = TV_FILL },		\
	{ "reason-reserved", TAG_B8(2, 7, 6), .what = TV_CONST },	\
	{ "exception", TAG_B8(2, 5, 5), .what = TV_FILL, .value = 1 },	\
	{ "protocol-termination", TAG_B8(2, 3, 3), .what = TV_TRAP },	\
	{ "traffic-class", TAG_B8(3, 7, 5), .what = TV_PRIO },		\
	{ "port", TAG_B8(3, 4, 0), .what = TV_PORT }

#endif
