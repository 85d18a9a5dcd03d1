/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a tag format is written down, and what the mover makes of it.
 *
 * A format is a struct tag_spec in a file of its own, tag_<name>.c: where the
 * tag sits, how long it is, and a table of fields for each direction.  A field
 * is a run of bits and the thing that it says (enum tag_val).  mover.h reads
 * and writes frames by these tables; TAG_FORMAT() makes a copy of it for each
 * format, in which the compiler has turned the table into code.  Nothing but
 * the mover touches the bytes of a frame.
 *
 * A hook is for what bits cannot say: build() changes the values before they
 * are packed, parse() judges or translates them after they were read.  Hooks
 * see values and a read-only frame; they do not move bytes either.
 *
 * Authority for every format is net/dsa/tag_*.c of Linux 7.3: its xmit is the
 * from-CPU table, what its rcv accepts is the to-CPU one.
 */
#ifndef TAGRIG_TAG_FORMAT_H
#define TAGRIG_TAG_FORMAT_H

#include "tag.h"

#define TAG_ETH_ALEN	6
#define TAG_ADDRS	12	/* both addresses: where the EtherType is */
#define TAG_ETH_HLEN	14
#define TAG_ETH_ZLEN	60	/* shortest frame, without FCS */
#define TAG_VLAN_HLEN	4
#define TAG_TPID_8021Q	0x8100
#define TAG_TPID_8021AD	0x88a8

/*
 * Every tagger of the kernel: X(enum name, C name, DSA_TAG_PROTO_*_VALUE),
 * in the order of the kernel's numbers.  One list makes the enum, the declarations and the
 * table, so none can miss a format that another has.  Number
 * 12, DSA_TAG_PROTO_8021Q, has no tagger of its own.
 */
#define TAG_FORMATS(X)				\
	X(NONE, none, 0)			\
	X(BRCM, brcm, 1)			\
	X(BRCM_PREPEND, brcm_prepend, 2)	\
	X(DSA, dsa, 3)				\
	X(EDSA, edsa, 4)			\
	X(GSWIP, gswip, 5)			\
	X(KSZ9477, ksz9477, 6)			\
	X(KSZ9893, ksz9893, 7)			\
	X(LAN9303, lan9303, 8)			\
	X(MTK, mtk, 9)				\
	X(QCA, qca, 10)				\
	X(TRAILER, trailer, 11)			\
	X(SJA1105, sja1105, 13)			\
	X(KSZ8795, ksz8795, 14)			\
	X(OCELOT, ocelot, 15)			\
	X(AR9331, ar9331, 16)			\
	X(RTL4_A, rtl4a, 17)			\
	X(HELLCREEK, hellcreek, 18)		\
	X(XRS700X, xrs700x, 19)			\
	X(OCELOT_8021Q, ocelot_8021q, 20)	\
	X(SEVILLE, seville, 21)			\
	X(BRCM_LEGACY, brcm_legacy, 22)		\
	X(SJA1110, sja1110, 23)			\
	X(RTL8_4, rtl8_4, 24)			\
	X(RTL8_4T, rtl8_4t, 25)			\
	X(RZN1_A5PSW, a5psw, 26)		\
	X(LAN937X, lan937x, 27)			\
	X(VSC73XX_8021Q, vsc73xx_8021q, 28)	\
	X(BRCM_LEGACY_FCS, brcm_legacy_fcs, 29)	\
	X(YT921X, yt921x, 30)			\
	X(MXL_GSW1XX, gsw1xx, 31)		\
	X(MXL862, mxl862xx, 32)			\
	X(NETC, nxp_netc, 33)			\
	X(KSZ8463, ksz8463, 34)			\
	X(MT7628, mt7628, 35)

enum tag_proto {
#define TAG_PROTO(ID, id, value) TAG_PROTO_##ID = (value),
	TAG_FORMATS(TAG_PROTO)
#undef TAG_PROTO
};

enum tag_pos {
	TAG_POS_NONE,
	TAG_POS_HEAD,		/* before the destination address */
	TAG_POS_ETYPE,		/* before the EtherType */
	TAG_POS_TAIL,		/* last bytes of the frame */
	TAG_POS_BOTH,		/* before the EtherType, and at the tail */
};

/* What a field says: X(enum name, member of struct tag_vals). */
#define TAG_VALUES(X)							\
	X(PORT, port)		/* number of the one port in meta.ports */	\
	X(PORTMAP, portmap)	/* meta.ports, lowest bit right */	\
	X(PORT_HINT, port_hint)	/* number of the lowest port; written only */ \
	X(DEVICE, device)	/* meta.device */			\
	X(BRIDGE, bridge)	/* meta.bridge */			\
	X(VID, vid)		/* meta.vid */				\
	X(PRIO, prio)		/* meta.pcp */				\
	X(DEI, dei)		/* meta.dei */				\
	X(VLAN, vlan)		/* 0, or 1 + index in .fuse of the header fused in */ \
	X(FORWARD, forward)	/* meta.forward */			\
	X(TRAP, trap)		/* meta.trap */				\
	X(TAGGED, tagged)	/* the frame has a VLAN header; written only */ \
	X(AUX0, aux0)		/* for the format's hooks */		\
	X(AUX1, aux1)

enum tag_val {
	TV_CONST,		/* .value, or it is not this tag */
	TV_FILL,		/* .value is written, anything is read */
#define TAG_ENUM(ID, id) TV_##ID,
	TAG_VALUES(TAG_ENUM)
#undef TAG_ENUM
};

struct tag_vals {
#define TAG_MEMBER(ID, id) uint32_t id;
	TAG_VALUES(TAG_MEMBER)
#undef TAG_MEMBER
};

#define TAG_CODES	8	/* the longest list of codes, and its end */

/* For a field of codes: @code stands for @val; ends with a name of NULL. */
struct tag_code {
	const char *name;
	uint8_t code;
	uint8_t val;
};

/*
 * One field.  Bits are counted as they go over the wire: 0 is the top bit of
 * the tag's first byte; the tail of a TAG_POS_BOTH tag counts on after its
 * head.  @from: the field holds the value's bits from + width - 1 .. from, for
 * values that a tag keeps in two pieces.  @codes: the field holds a code; the
 * first one with the value is written, and one that is not in the list is not
 * this tag.
 */
struct tag_field {
	const char *name;
	uint16_t off;
	uint8_t width;		/* 1..32 */
	uint8_t from;
	enum tag_val what;
	uint32_t value;
	const struct tag_code *codes;
};

/* Positions as datasheets and the kernel give them: bits hi..lo of a byte, of
 * a big-endian 16-bit word; written as the datasheet's [hi:lo]. */
#define TAG_B8(byte, hi, lo)	.off = (byte) * 8 + 7 - (hi), .width = (hi) - (lo) + 1
#define TAG_B16(word, hi, lo)	.off = (word) * 16 + 15 - (hi), .width = (hi) - (lo) + 1

/* One shape of a tag. */
struct tag_layout {
	enum tag_pos pos;
	uint8_t head;		/* bytes at the head or before the EtherType */
	uint8_t tail;		/* bytes at the tail */
	uint8_t nports;		/* ports there are, when fewer than the field can name */
	uint8_t pad;		/* frame is zero-padded to this before the tag goes in */
	uint16_t etype;		/* EtherType or TPID in the first two bytes, or 0 */
	uint16_t etype_alt;	/* another one that is read as well, or 0 */
	const uint16_t *fuse;	/* TPIDs of headers that the tag takes in; ends with 0 */
	uint8_t nfields;
	const struct tag_field *fields;
	/* -ERANGE where a value does not fit; @frame is padded, without tag */
	int (*build)(struct tag_vals *vals, const struct frame *frame);
	/* NULL, or why it is not this tag; @frame still has the tag */
	const char *(*parse)(struct tag_vals *vals, const struct frame *frame);
};

#define TAG_FIELDS(table) \
	.fields = (table), .nfields = sizeof(table) / sizeof((table)[0])

#define TAG_WORDS	4	/* 64-bit words: a head up to 24 bytes, and a tail */
#define TAG_MAX_FIELDS	32
#define TAG_VARIANTS	3

/*
 * A format.  Most have one layout in each direction, the usual one, which comes
 * first.  With several, reading takes the last whose constants match, and
 * writing the one that pick() names (the usual one without pick()).
 */
struct tag_spec {
	const char *name;	/* the kernel's: sysfs dsa/tagging */
	enum tag_proto proto;
	const struct tag_layout *layout[2][TAG_VARIANTS];	/* by enum tag_dir */
	unsigned int (*pick)(enum tag_dir dir, const struct tag_meta *meta,
			     const struct frame *frame);
};

/* A format and its copy of the mover, one function for each direction. */
struct tag_format {
	const struct tag_spec *spec;
	int (*push[2])(const struct tag_spec *spec, const struct tag_meta *meta,
		       struct frame *frame);
	int (*pull[2])(const struct tag_spec *spec, struct tag_meta *meta,
		       struct frame *frame);
};

/*
 * NULL, or what is wrong with the tables of @spec: a field outside the tag,
 * across a 64-bit word or over another, a constant wider than its field, a tag
 * or a table that is too long, a direction without a layout.
 */
const char *tag_check(const struct tag_spec *spec);

/* @spec as a format that reads its tables as it runs: slower, for any spec. */
struct tag_format tag_interpret(const struct tag_spec *spec);

/* Big-endian 16 bits at @p. */
static inline uint16_t tag_be16(const uint8_t *p)
{
	return p[0] << 8 | p[1];
}

#define TAG_DECLARE(ID, id, value) extern const struct tag_format tag_format_##id;
TAG_FORMATS(TAG_DECLARE)
#undef TAG_DECLARE

#include "mover.h"

/* TAG_FORMAT(edsa, .name = "edsa", ...): defines tag_format_edsa. */
#define TAG_FORMAT(id, ...)							\
	static const struct tag_spec spec_##id = { __VA_ARGS__ };		\
	static int push_from_cpu(const struct tag_spec *spec,			\
				 const struct tag_meta *meta, struct frame *frame) \
	{									\
		(void)spec;							\
		return tag_mover_push(&spec_##id, TAG_FROM_CPU, meta, frame);	\
	}									\
	static int push_to_cpu(const struct tag_spec *spec,			\
			       const struct tag_meta *meta, struct frame *frame) \
	{									\
		(void)spec;							\
		return tag_mover_push(&spec_##id, TAG_TO_CPU, meta, frame);	\
	}									\
	static int pull_from_cpu(const struct tag_spec *spec,			\
				 struct tag_meta *meta, struct frame *frame)	\
	{									\
		(void)spec;							\
		return tag_mover_pull(&spec_##id, TAG_FROM_CPU, meta, frame);	\
	}									\
	static int pull_to_cpu(const struct tag_spec *spec,			\
			       struct tag_meta *meta, struct frame *frame)	\
	{									\
		(void)spec;							\
		return tag_mover_pull(&spec_##id, TAG_TO_CPU, meta, frame);	\
	}									\
	const struct tag_format tag_format_##id = {				\
		.spec = &spec_##id,						\
		.push = { push_from_cpu, push_to_cpu },				\
		.pull = { pull_from_cpu, pull_to_cpu },				\
	}

#endif
