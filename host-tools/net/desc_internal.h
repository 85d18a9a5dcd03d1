/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a description becomes: the parser (desc_parse.c) fills this in, the
 * builder (desc.c) makes frames of it.
 */
#ifndef TAGRIG_NET_DESC_INTERNAL_H
#define TAGRIG_NET_DESC_INTERNAL_H

#include "net/desc.h"

#define DESC_VLANS	4
#define DESC_EXTS	8
#define DESC_OPTIONS	40	/* of IPv4 */
#define DESC_RAW	32	/* longest tag */
#define DESC_POKES	8

/* Numbers that a description may give, each of which may be swept. */
enum desc_field {
	F_SPORT, F_DPORT, F_LEN, F_FRAME, F_TTL, F_TOS, F_IPID, F_PROTO,
	F_ETHERTYPE, F_FRAGOFF, F_SEQ, F_ACK, F_WIN, F_TYPE, F_CODE, F_ID,
	F_COVER, F_PPPOE, F_TRAIL, F_PORT, F_PORTS, F_DEVICE, F_PRIO, F_BRIDGE,
	F_VID,					/* DESC_VLANS of each */
	F_PCP = F_VID + DESC_VLANS,
	F_DEI = F_PCP + DESC_VLANS,
	F_COUNT = F_DEI + DESC_VLANS,
};

struct desc_range {
	int64_t lo, hi, step;
	bool random;
	bool given;
	unsigned int column;
};

enum desc_csum {
	DESC_GOOD, DESC_BAD, DESC_ZERO, DESC_PSEUDO, DESC_TAIL, DESC_OFF,
};

struct desc_sum {
	enum desc_csum kind;
	int64_t off;		/* with DESC_OFF */
	unsigned int column;
};

/* A length that is not what it should be: off by, or instead. */
struct desc_lie {
	bool given, relative;
	int64_t value;
};

enum desc_payload { PAYLOAD_SEQ, PAYLOAD_ZERO, PAYLOAD_RANDOM };

/* Layer 4 as the language knows it. */
struct desc_proto {
	const char *word;
	int number;		/* IP protocol; -1: not over IP */
	uint8_t header;		/* with what stands before the payload */
	int8_t csum;		/* offset of the field; -1: none */
	bool pseudo;
	bool ports;
	bool only6;
};

extern const struct desc_proto desc_protos[];	/* ends with a NULL word */

/* A tag's field, overwritten after the tag was put in. */
struct desc_poke {
	unsigned int off, width;	/* bits from the tag's first */
	uint64_t value;
};

struct desc {
	/* what the text says */
	const struct desc_proto *proto;
	uint8_t version;		/* 4, 6; 0: no IP */
	uint8_t src[16], dst[16];
	bool smac_given, dmac_given;
	uint8_t smac[6], dmac[6];
	unsigned int vlans;
	uint16_t tpid[DESC_VLANS];
	unsigned int exts;
	uint8_t ext[DESC_EXTS];		/* IPv6 extension headers, outermost first */
	unsigned int options;
	uint8_t option[DESC_OPTIONS];
	uint8_t tcp_flags;
	bool df, mf, pppoe, runt;
	enum desc_payload payload;
	struct desc_sum csum, ipcsum;
	struct desc_lie iplen, udplen, truncate;
	struct desc_range range[F_COUNT];
	uint64_t seed, count;
	uint32_t first;			/* number of the first frame */

	const struct tag_format *tag;
	enum tag_dir dir;
	bool forward, trap;
	unsigned int raws;
	uint8_t raw[DESC_RAW];
	unsigned int pokes;
	struct desc_poke poke[DESC_POKES];
	unsigned int tag_head, tag_tail;	/* bytes; for poke and raw */
	bool tag_first;				/* before the destination address */

	unsigned int sweep[F_COUNT];	/* fields with more than one value */
	unsigned int sweeps;

	/* where the builder is */
	uint64_t done;
	uint64_t random;		/* state of the generator */
	int64_t now[F_COUNT];
	bool fresh;			/* the template is of these values */
	struct desc_template {
		struct frame frame;	/* number 0, checksum field 0 */
		bool partial;		/* the checksum covers not all of the number */
		size_t covered;		/* bytes of layer 4 */
		size_t stamp;		/* offset of the number; 0: none */
		size_t field;		/* offset of the layer-4 checksum; 0: none */
		uint64_t pseudo;	/* partial sums: of the pseudo header, */
		uint64_t sum;		/* of all that counts, */
		uint64_t tail;		/* and of what follows as well */
	} template;
	uint8_t *storage;
	char why[256];
};

/* Bytes before the payload, from the destination address on. */
size_t desc_header_len(const struct desc *d);

/* Ready to build: sweeps collected, generator seeded, storage there. */
int desc_start(struct desc *d);

#endif
