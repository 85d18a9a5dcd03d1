// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ocelot-8021q: NXP Ocelot and Felix, a tag_8021q header of TPID 8100 before the
 * EtherType (net/dsa/tag_ocelot_8021q.c; the header in family_8021q.h).
 *
 * Not modelled: link-local and PTP frames, which the kernel hands to the driver
 * to inject by registers, without a tag.
 */
#include "family_8021q.h"

static const struct tag_layout layout = {
	.pos = TAG_POS_ETYPE, .head = 4, .etype = TAG_TPID_8021Q,
	TAG_FIELDS(tag_8021q_fields), .build = tag_8021q_build, .parse = tag_8021q_parse,
};

TAG_FORMAT(ocelot_8021q,
	.name = "ocelot-8021q",
	.proto = TAG_PROTO_OCELOT_8021Q,
	.layout = { { &layout }, { &layout } });
