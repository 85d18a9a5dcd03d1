// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * brcm: Broadcom, four bytes before the EtherType (net/dsa/tag_brcm.c; bits in
 * family_brcm.h).
 *
 * Not modelled: class ids, mirror and learning reasons, time stamps.
 */
#include "family_brcm.h"

static const struct tag_field from_cpu[] = { TAG_BRCM_FROM_CPU };
static const struct tag_field to_cpu[] = { TAG_BRCM_TO_CPU };

static const struct tag_layout from_cpu_layout = {
	.pos = TAG_POS_ETYPE, .head = TAG_BRCM_LEN, .pad = TAG_BRCM_PAD,
	TAG_FIELDS(from_cpu),
};

static const struct tag_layout to_cpu_layout = {
	.pos = TAG_POS_ETYPE, .head = TAG_BRCM_LEN, TAG_FIELDS(to_cpu),
};

TAG_FORMAT(brcm,
	.name = "brcm",
	.proto = TAG_PROTO_BRCM,
	.layout = { { &from_cpu_layout }, { &to_cpu_layout } });
