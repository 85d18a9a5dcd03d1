// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The tag_8021q header that sja1105, sja1110, ocelot-8021q and vsc73xx-8021q
 * share; what it is, and what is not modelled, is in family_8021q.h.
 */
#include "family_8021q.h"

const struct tag_field tag_8021q_fields[] = {
	{ "pcp", TAG_TCI(2, 15, 13), .what = TV_PRIO },
	{ "dei", TAG_TCI(2, 12, 12), .what = TV_FILL },
	{ "vid[11:10]", TAG_TCI(2, 11, 10), .what = TV_CONST, .value = 3 },
	{ "vbid", TAG_TCI(2, 9, 9), .from = 2, .what = TV_BRIDGE },
	{ "switch", TAG_TCI(2, 8, 6), .what = TV_DEVICE },
	{ "vbid", TAG_TCI(2, 5, 4), .what = TV_BRIDGE },
	{ "port", TAG_TCI(2, 3, 0), .what = TV_PORT },
	{ 0 }
};

int tag_8021q_build(struct tag_vals *vals, const struct frame *frame)
{
	(void)frame;
	if (vals->v[TV_BRIDGE])
		vals->v[TV_DEVICE] = 0;
	return 0;
}

const char *tag_8021q_parse(struct tag_vals *vals, const struct frame *frame)
{
	const uint32_t *v = vals->v;

	(void)frame;
	if (v[TV_BRIDGE] == 7 && v[TV_DEVICE] == 7 && v[TV_PORT] == 15)
		return "VID 4095: a control frame, whose port is a management route";
	if (v[TV_BRIDGE] && (v[TV_DEVICE] || v[TV_PORT]))
		return "the VID names a bridge and a port";
	return NULL;
}
