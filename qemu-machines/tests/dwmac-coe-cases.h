/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every kind of frame that a checksum engine may meet, and what a right one says
 * of it, for the tests of the MACs.
 *
 * The cases are the whole product of: IPv4 and IPv6; TCP, UDP and ICMP; a plain
 * packet, one with options or extension headers, a fragment, and one with a
 * routing header; right, a wrong IP header, a wrong payload, both wrong; and what
 * stands in front of the packet, from nothing over VLAN tags to those of switches.
 * What must come out follows from these, not from the model's parser.
 */
#ifndef TESTS_DWMAC_COE_CASES_H
#define TESTS_DWMAC_COE_CASES_H

#include "dwmac-frame.h"

/* What stands in front of the packet */
enum coe_tag { TAG_NONE, TAG_VLAN, TAG_QINQ, TAG_TWO_VLAN, TAG_EDSA, TAG_DSA, TAG_A5PSW,
	       COE_TAGS };

struct coe_case {
	struct frame_spec spec;
	enum coe_tag tag;
	bool seen;	/* the engine finds IP */
	bool bypass;	/* but does not look at layer 4 */
	bool hdr_err, pay_err;
	unsigned proto;	/* that it has looked at: 1 UDP, 2 TCP, 3 ICMP, or 0 */
};

/**
 * coe_next: the next case
 * @at: 0 for the first; counts
 *
 * Returns false behind the last.
 */
bool coe_next(struct coe_case *c, unsigned *at);

/* For people; overwritten by the next. */
const char *coe_name(const struct coe_case *c);

/*
 * The case as a driver hands it over that asks for checksums (@cic is 2 or 3),
 * and what must come out of the MAC.  False if it is none for a transmitter.
 */
bool coe_sent(const struct coe_case *c, unsigned cic, struct frame *from, struct frame *to);

/* Counters of the MMC's checksum block, in the order of its registers. */
enum {
	IPC_IPV4_GOOD, IPC_IPV4_HEADER, IPC_IPV4_OTHER, IPC_IPV4_FRAGMENT, IPC_IPV4_NO_UDP,
	IPC_IPV6_GOOD, IPC_IPV6_HEADER, IPC_IPV6_OTHER, IPC_UDP_GOOD, IPC_UDP_BAD,
	IPC_TCP_GOOD, IPC_TCP_BAD, IPC_ICMP_GOOD, IPC_ICMP_BAD, IPC_COUNTERS
};

/* What they show when every case was received once.  Returns how many came. */
unsigned coe_counters(unsigned count[IPC_COUNTERS]);

#endif
