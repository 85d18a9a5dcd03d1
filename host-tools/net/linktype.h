/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which tag a captured interface has: by link type, or by the description
 * "dsa:TAG" that the rig writes.
 */
#ifndef TAGRIG_NET_LINKTYPE_H
#define TAGRIG_NET_LINKTYPE_H

#include "net/capture.h"
#include "net/why.h"
#include "tag/tag.h"

/* The link type that libpcap has for frames with this tag; -ENOENT if none. */
int linktype_of_tag(const struct tag_format *tag);

/*
 * The tag of the frames of @i into *@tag, NULL for plain Ethernet.  -EPROTO
 * with @why for a link type that is neither, or a description that names a tag
 * which there is not.
 */
int linktype_tag(const struct capture_if *i, const struct tag_format **tag,
		 char *why);

#endif
