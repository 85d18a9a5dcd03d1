// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * vsc73xx-8021q: Vitesse VSC73xx, a tag_8021q header of TPID 8100 before the
 * EtherType (net/dsa/tag_vsc73xx_8021q.c; the header, and what is not modelled,
 * in family_8021q.h).
 */
#include "family_8021q.h"

static const struct tag_layout layout = {
	.pos = TAG_POS_ETYPE, .head = 4, .etype = TAG_TPID_8021Q,
	TAG_FIELDS(tag_8021q_fields), .build = tag_8021q_build, .parse = tag_8021q_parse,
};

TAG_FORMAT(vsc73xx_8021q,
	.name = "vsc73xx-8021q",
	.proto = TAG_PROTO_VSC73XX_8021Q,
	.layout = { { &layout }, { &layout } });
