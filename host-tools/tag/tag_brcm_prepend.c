// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * brcm-prepend: Broadcom BCM58xx port 8, the brcm tag in front of the frame
 * (net/dsa/tag_brcm.c; bits in family_brcm.h).
 *
 * Not modelled: as in tag_brcm.c.
 */
#include "family_brcm.h"

static const struct tag_field from_cpu[] = { TAG_BRCM_FROM_CPU };
static const struct tag_field to_cpu[] = { TAG_BRCM_TO_CPU };

static const struct tag_layout from_cpu_layout = {
	.pos = TAG_POS_HEAD, .head = TAG_BRCM_LEN, .pad = TAG_BRCM_PAD,
	TAG_FIELDS(from_cpu),
};

static const struct tag_layout to_cpu_layout = {
	.pos = TAG_POS_HEAD, .head = TAG_BRCM_LEN, TAG_FIELDS(to_cpu),
};

TAG_FORMAT(brcm_prepend,
	.name = "brcm-prepend",
	.proto = TAG_PROTO_BRCM_PREPEND,
	.layout = { { &from_cpu_layout }, { &to_cpu_layout } });
