/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fabric: a switch of user ports and one CPU port.
 *
 * A frame comes in at a port; the fabric decides where it goes and hands it to
 * the caller's egress(), once for each port that it leaves by.  Towards the CPU
 * port it adds a tag of the format that is set, from there it strips one.
 *
 * As in DSA, a user port is standalone by default: its frames go to the CPU and
 * nowhere else, and nothing is learnt.  Ports that share a bridge group learn
 * (address and VID, with ageing by the caller's clock), flood and forward among
 * each other and to the CPU.  Reserved group addresses (01:80:c2:00:00:0x) are
 * trapped: they go to the CPU only, whatever the port's STP state.  From the
 * CPU a tag that names ports is obeyed whatever their state; a tag that says
 * "forward" is forwarded as from any port of the group.
 *
 * No I/O, no clock, no allocation: the caller owns the struct, and the bytes
 * of the frame, which is changed in place.  The bridge of the host tool and
 * the switch models in QEMU use the same code.
 *
 * Left out: VLAN filtering and egress tagging (frames keep their VLAN headers;
 * the VID only separates addresses), multicast snooping, trunks, mirrors,
 * rate limits, switches in cascade (a tag for another device is dropped), and
 * flow control (a caller that cannot take a frame has to say so itself).
 */
#ifndef TAGRIG_FABRIC_FABRIC_H
#define TAGRIG_FABRIC_FABRIC_H

#include "tag/tag.h"

#define FABRIC_PORTS		32	/* with the CPU port */
#define FABRIC_GROUPS		8	/* 0: standalone; 1..7: DSA's bridge numbers */
#define FABRIC_BUCKETS		1024	/* of the address table; a power of two */
#define FABRIC_WAYS		4
#define FABRIC_AGEING_NS	(300ull * 1000 * 1000 * 1000)	/* 802.1Q, 8.8.3 */

/* Why a frame, or a copy of it, went no further. */
enum fabric_drop {
	FABRIC_RUNT,		/* no Ethernet header */
	FABRIC_LINK_DOWN,	/* in or out of a port without link */
	FABRIC_BLOCKED,		/* the port's STP state */
	FABRIC_BAD_TAG,		/* from the CPU, not a tag of this format */
	FABRIC_OTHER_DEVICE,	/* the tag names another switch of the tree */
	FABRIC_NO_PORT,		/* the tag names no port of this switch */
	FABRIC_SAME_PORT,	/* the address lives where the frame came from */
	FABRIC_NO_ONE,		/* flooded, and nobody else is there */
	FABRIC_TAG_RANGE,	/* the tag cannot say where the frame came from */
	FABRIC_NO_ROOM,		/* no room for tag or padding in the frame's storage */
	FABRIC_DROPS
};

/* STP states, as in BR_STATE_*: learning needs LEARNING or more. */
enum fabric_state {
	FABRIC_DISABLED,
	FABRIC_BLOCKING,
	FABRIC_LEARNING,
	FABRIC_FORWARDING,
};

struct fabric_stats {
	uint64_t rx_frames, rx_bytes;	/* in at this port; bytes as they came */
	uint64_t tx_frames, tx_bytes;	/* out of it; bytes as they went */
	uint64_t drops[FABRIC_DROPS];	/* of frames that came in here */
};

struct fabric_port {
	bool link;
	uint8_t group;		/* below FABRIC_GROUPS; 0: standalone */
	uint16_t pvid;		/* VID of frames without an 802.1Q header */
	enum fabric_state state;
	struct fabric_stats stats;
};

/* An address: .ports is 0 in a free entry. */
struct fabric_entry {
	uint64_t seen;		/* ns, by the caller's clock */
	uint8_t mac[6];
	uint16_t vid;
	uint32_t ports;
	uint8_t group;
	bool is_static;
};

struct fabric_ops {
	/*
	 * @frame leaves by @port.  It is the caller's storage and is changed
	 * again after the call: copy what has to stay.
	 */
	void (*egress)(void *ctx, unsigned int port, const struct frame *frame);
	/* May be NULL.  @frame came from the CPU; @why is valid during the call. */
	void (*bad_tag)(void *ctx, const struct frame *frame, const char *why);
};

struct fabric {
	const struct fabric_ops *ops;
	void *ctx;
	const struct tag_format *tag;
	unsigned int ports;	/* numbers 0 .. ports - 1 */
	unsigned int cpu;	/* which of them is the CPU port; the rest are user ports */
	uint8_t device;		/* this switch's index in the tree */
	bool pad;		/* user ports pad to 60 bytes, as their MACs do */
	uint64_t ageing_ns;	/* 0: addresses do not age */
	struct fabric_port port[FABRIC_PORTS];
	struct fabric_entry fdb[FABRIC_BUCKETS][FABRIC_WAYS];
	uint64_t learnt, moved, evicted;	/* addresses */
};

/*
 * A switch of @ports ports, of which @cpu is the CPU's and the rest are user
 * ports: all links up, forwarding, standalone, frames padded, tag @tag.
 * -EINVAL: fewer than two ports, more than FABRIC_PORTS, or no such @cpu.
 *
 * Without a tag ("none") the CPU port is one more port beside the standalone
 * ones: what comes from it is flooded to them.  nxp_netc wants .device 1..7.
 */
int fabric_init(struct fabric *fab, unsigned int ports, unsigned int cpu,
		const struct tag_format *tag, const struct fabric_ops *ops, void *ctx);

/* A frame comes in at @port, at @now ns.  -EINVAL: there is no such port. */
int fabric_ingress(struct fabric *fab, unsigned int port, struct frame *frame,
		   uint64_t now);

/* Changes the tag format, as sysfs dsa/tagging does; nothing else changes. */
void fabric_set_tag(struct fabric *fab, const struct tag_format *tag);

/* Puts @port into a bridge group, 0 for none; forgets its addresses.  -EINVAL. */
int fabric_set_group(struct fabric *fab, unsigned int port, unsigned int group);

/* A link that goes down takes the port's addresses with it.  -EINVAL. */
int fabric_set_link(struct fabric *fab, unsigned int port, bool up);

/* -EINVAL: no such port, or not a state. */
int fabric_set_state(struct fabric *fab, unsigned int port, enum fabric_state state);

/*
 * Adds (or changes) a static address of @group that lives at @ports; a group
 * address can live at several.  @ports 0 removes it.  -ENOSPC: its bucket is
 * full of static addresses.
 */
int fabric_fdb_set(struct fabric *fab, unsigned int group, const uint8_t mac[6],
		   uint16_t vid, uint32_t ports);

/* Where an address lives, or 0; what has aged by @now is not there. */
uint32_t fabric_fdb_get(const struct fabric *fab, unsigned int group,
			const uint8_t mac[6], uint16_t vid, uint64_t now);

/* Forgets what was learnt at @ports (UINT32_MAX: all); static addresses stay. */
void fabric_fdb_flush(struct fabric *fab, uint32_t ports);

/* Words for a reason, as they stand in statistics: "bad-tag". */
const char *fabric_drop_name(enum fabric_drop drop);

#endif
