// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Link types of tagged frames (tcpdump.org/linktypes.html).
 */
#include "net/linktype.h"

static const struct {
	uint16_t linktype;
	const char *tag;
} linktypes[] = {
	{ LINKTYPE_DSA_TAG_BRCM, "brcm" },
	{ LINKTYPE_DSA_TAG_BRCM_PREPEND, "brcm-prepend" },
	{ LINKTYPE_DSA_TAG_DSA, "dsa" },
	{ LINKTYPE_DSA_TAG_EDSA, "edsa" },
};

#define LINKTYPES (sizeof(linktypes) / sizeof(linktypes[0]))

int linktype_of_tag(const struct tag_format *tag)
{
	for (size_t i = 0; i < LINKTYPES; i++)
		if (!strcmp(linktypes[i].tag, tag_name(tag)))
			return linktypes[i].linktype;
	return -ENOENT;
}

int linktype_tag(const struct capture_if *i, const struct tag_format **tag,
		 char *why)
{
	const char *name = NULL;

	for (size_t k = 0; k < LINKTYPES; k++)
		if (linktypes[k].linktype == i->linktype)
			name = linktypes[k].tag;
	*tag = NULL;
	if (!name && i->linktype != LINKTYPE_ETHERNET)
		return why_set(why, -EPROTO,
			       "expected a link type of Ethernet (1) or of a DSA tag (281, 282, 284, 285), found %u",
			       i->linktype);
	if (!strncmp(i->description, "dsa:", 4))
		name = i->description + 4;
	if (!name)
		return 0;
	*tag = tag_by_name(name);
	if (!*tag)
		return why_set(why, -EPROTO,
			       "expected a tag that there is, found '%s'", i->description);
	return 0;
}
