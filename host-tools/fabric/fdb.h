/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the fabric's address table (fdb.c) offers to its forwarding (fabric.c).
 */
#ifndef TAGRIG_FABRIC_FDB_H
#define TAGRIG_FABRIC_FDB_H

#include "fabric.h"

/* Notes that @mac lives at @port of @group; moves it there if it lived elsewhere. */
void fabric_fdb_learn(struct fabric *fab, unsigned int group, const uint8_t mac[6],
		      uint16_t vid, unsigned int port, uint64_t now);

#endif
