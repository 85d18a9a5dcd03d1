// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sja1105: NXP SJA1105, a tag_8021q header of TPID DADB before the EtherType
 * (net/dsa/tag_sja1105.c; the header in family_8021q.h).  TPID 8100, which the
 * kernel uses beside a VLAN-aware bridge, is read too.
 *
 * Not modelled: control frames (01:80:C2 and 01:1B:19 addresses).  From the
 * CPU their port is a management route set over SPI; to the CPU the switch
 * writes port and switch into the destination address and sends a meta frame
 * after each, for which the kernel waits.
 */
#include "family_8021q.h"

static const struct tag_layout layout = {
	.pos = TAG_POS_ETYPE, .head = 4,
	.etype = TAG_TPID_DSA_8021Q, .etype_alt = TAG_TPID_8021Q,
	TAG_FIELDS(tag_8021q_fields), .build = tag_8021q_build, .parse = tag_8021q_parse,
};

TAG_FORMAT(sja1105,
	.name = "sja1105",
	.proto = TAG_PROTO_SJA1105,
	.layout = { { &layout }, { &layout } });
