// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * none: no tag (net/dsa/tag_none.c).  Which port a frame is for cannot be
 * told: reading leaves meta.ports 0.
 */
#include "format.h"

static const struct tag_layout nothing = { .pos = TAG_POS_NONE };

TAG_FORMAT(none,
	.name = "none",
	.proto = TAG_PROTO_NONE,
	.layout = { { &nothing }, { &nothing } });
