/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The echo peer: a host at the far end of a port, without a stack.
 *
 * It answers ARP and neighbour solicitation for its addresses, ICMP and ICMPv6
 * echo, sends UDP to port 7 back, and takes whatever TCP connection comes, on
 * any port, and discards what it carries.  A connection whose SYN was sent for
 * it (the guest answers SYN and ACK) it uses to send .data bytes, and closes.
 */
#ifndef TAGRIG_RIG_PEER_H
#define TAGRIG_RIG_PEER_H

#include "net/judge.h"

#define PEER_ADDRS 4
#define PEER_REPLY 2048	/* bytes: longest reply; longer requests get none */

struct peer {
	uint8_t mac[6];
	unsigned int addrs;
	struct peer_addr {
		bool v6;
		uint8_t bytes[16];
	} addr[PEER_ADDRS];
	unsigned int data;	/* bytes to send on a connection of its own */
	bool bad;		/* with a wrong checksum */
};

/* An address in text; -EINVAL when it is none, -ENOSPC after PEER_ADDRS. */
int peer_add(struct peer *p, const char *text);

/*
 * The reply to an untagged frame, whose verdict is @v, into @reply (of
 * PEER_REPLY bytes).  Returns its length, or 0 when there is none.  Some frames
 * get several: ask for number 0, 1, ... until there is none.
 */
size_t peer_input(const struct peer *p, const uint8_t *data, size_t len,
		  const struct verdict *v, unsigned int number, uint8_t *reply);

#endif
