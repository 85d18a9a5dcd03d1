/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Judges the checksums of one untagged Ethernet frame.
 *
 * judge_frame() parses a frame as a receiver would and says of its IPv4
 * header checksum and of its layer-4 checksum whether each is right, and of a
 * wrong one which kind of wrong.  It allocates nothing and keeps nothing: the
 * verdict holds no pointer into the frame.
 */
#ifndef TAGRIG_NET_JUDGE_H
#define TAGRIG_NET_JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define JUDGE_VLANS	4	/* VLAN headers that a verdict lists */

enum csum_state {
	CSUM_NONE,		/* the frame has no such checksum */
	CSUM_RIGHT,
	CSUM_WRONG,
	CSUM_ABSENT,		/* UDP over IPv4 with a field of zero */
	CSUM_NOT_CHECKABLE,	/* .reason says why */
};

/* What a wrong checksum was made from. */
enum csum_kind {
	CSUM_KIND_NONE,		/* not wrong */
	CSUM_PSEUDO_ONLY,	/* the fold of the pseudo header: CHECKSUM_PARTIAL, unfinished */
	CSUM_ZERO,
	CSUM_TAIL_SUMMED,	/* right if the bytes behind the datagram counted */
	CSUM_OFF,		/* none of these */
};

struct csum_verdict {
	enum csum_state state;
	enum csum_kind kind;
	bool pseudo;		/* the field is the pseudo header's sum, which one
				 * right checksum in 65536 is by chance */
	uint32_t expected;	/* as the field reads, big-endian; SCTP has 32 bits */
	uint32_t found;
	uint32_t offset;	/* of the field in the frame */
	const char *reason;	/* static; only with CSUM_NOT_CHECKABLE */
};

struct judge_vlan {
	uint16_t tpid;		/* 0x8100, 0x88a8, 0x9100 */
	uint16_t tci;		/* PCP, DEI, VID as on the wire */
};

struct verdict {
	struct csum_verdict ip;		/* IPv4 header */
	struct csum_verdict l4;

	uint16_t ethertype;		/* behind VLANs, SNAP and PPPoE; 0: LLC */
	uint8_t vlans;			/* entries of .vlan, outermost first */
	struct judge_vlan vlan[JUDGE_VLANS];
	bool pppoe;
	uint16_t pppoe_session;

	uint8_t ip_version;		/* 4, 6; 0: no IP */
	uint8_t proto;			/* layer 4, behind extension headers */
	bool fragment;			/* one of several */
	uint16_t fragment_offset;	/* bytes */
	uint8_t src[16], dst[16];	/* of the IP header; IPv4 uses 4 bytes */
	bool ports;			/* .sport and .dport are set */
	uint16_t sport, dport;
	uint8_t tcp_flags;
	uint8_t icmp_type, icmp_code;	/* with .proto ICMP or ICMPv6 */

	uint32_t l3_offset;		/* 0: no IP */
	uint32_t l4_offset;		/* 0: no layer 4 in this frame */
	uint32_t ip_len;		/* IP header and all, as the header says */
	uint32_t payload_offset;	/* of layer 4; always inside the frame, */
	uint32_t payload_len;		/* and so is its end */
	uint32_t padding;		/* bytes of the frame behind the datagram */
};

/*
 * Judges @len bytes at @data, from the destination address on, without FCS.
 * Returns 0 if nothing is wrong, 1 if a checksum is wrong, -EMSGSIZE if it is
 * too short for Ethernet (@v is then zeroed).
 */
int judge_frame(const uint8_t *data, size_t len, struct verdict *v);

/*
 * The same for a frame whose tail tag was cut off: the bytes data[@len] to
 * data[@wire_len - 1] are still there and count as "bytes behind the datagram"
 * when it is asked what a wrong checksum was made from.
 */
int judge_frame_wire(const uint8_t *data, size_t len, size_t wire_len,
		     struct verdict *v);

/*
 * Writes the right value into each checksum that can be computed, also an
 * absent one.  Returns how many fields changed, or -EMSGSIZE.
 */
int judge_mend(uint8_t *data, size_t len);

/* "right", "wrong", ...; "pseudo-only", "zero", "tail-summed", "off". */
const char *csum_state_name(enum csum_state state);
const char *csum_kind_name(enum csum_kind kind);

/* "udp", "icmp6", ...; NULL for what judge_frame() does not know. */
const char *judge_proto_name(uint8_t proto);

/*
 * One line for people: "vlan 5 udp 192.0.2.2:7 > 192.0.2.1:9 len 100".
 * Always terminated; returns @buf.
 */
char *judge_text(const struct verdict *v, char *buf, size_t size);

#endif
