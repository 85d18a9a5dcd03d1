// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sja1110: NXP SJA1110 (net/dsa/tag_sja1105.c; the tag_8021q header in
 * family_8021q.h).
 *
 * Data frames carry a tag_8021q header of TPID DADB (8100 is read too) both
 * ways.  Control frames carry an in-band extension:
 *  - from the CPU (for link-local and PTP addresses) EtherType DADC and a word
 *    that says where the trailer is, a DADB header of VID 4095, and a trailer
 *    of four bytes with priority, switch and a map of eleven ports;
 *  - to the CPU (meta.trap) DADC and a word of "host only", port and switch,
 *    then a tag_8021q header.  Without that header it is read too.
 *
 * The kernel pads to 60 bytes from the CPU, data frames as well: it does so
 * for every tagger that asks for tailroom.
 *
 * Not modelled: time stamps (trailers of 13 bytes to the CPU, which are
 * refused; the take-timestamp bits are not read), meta frames, control frames
 * that keep a VLAN header of their own.
 */
#include "family_8021q.h"

#define ETYPE_CONTROL	0xdadc

/* The bare one comes before the one that begins like it: see struct tag_spec. */
enum { DATA, FROM_CPU_CONTROL };
enum { TO_CPU_BARE = 1, TO_CPU_CONTROL };

/* The word behind DADC, from the CPU. */
static const struct tag_field from_cpu_control[] = {
	{ "host-to-switch", TAG_B16(1, 15, 15), .what = TV_CONST, .value = 1 },
	{ "update-tc", TAG_B16(1, 14, 14), .what = TV_CONST },
	{ "has-trailer", TAG_B16(1, 11, 11), .what = TV_CONST, .value = 1 },
	{ "trailer-pos", TAG_B16(1, 10, 0), .what = TV_AUX0 },
	{ "pvid-tpid", TAG_B16(2, 15, 0), .what = TV_CONST, .value = TAG_TPID_DSA_8021Q },
	{ "pvid-pcp", TAG_B16(3, 15, 13), .what = TV_AUX1 },
	{ "pvid", TAG_B16(3, 11, 0), .what = TV_CONST, .value = 4095 },
	/* the trailer, 32 bits after the eight bytes before the EtherType */
	{ "time-stamp-id", .off = 64, .width = 8, .what = TV_FILL },
	{ "priority", .off = 64 + 8, .width = 3, .what = TV_PRIO },
	{ "switch", .off = 64 + 16, .width = 4, .what = TV_DEVICE },
	{ "ports", .off = 64 + 20, .width = 11, .what = TV_PORTMAP },
};

/* The word behind DADC, to the CPU, without a trailer. */
#define TO_CPU_WORD							\
	{ "host-to-switch", TAG_B16(1, 15, 15), .what = TV_CONST },	\
	{ "metadata", TAG_B16(1, 14, 14), .what = TV_CONST },		\
	{ "host-only", TAG_B16(1, 13, 13), .what = TV_TRAP },		\
	{ "has-trailer", TAG_B16(1, 12, 12), .what = TV_CONST },	\
	{ "port", TAG_B16(1, 7, 4), .what = TV_PORT },			\
	{ "switch", TAG_B16(1, 3, 0), .what = TV_DEVICE }

static const struct tag_field to_cpu_control[] = {
	TO_CPU_WORD,
	{ "tpid", TAG_B16(2, 15, 0), .what = TV_CONST, .value = TAG_TPID_DSA_8021Q },
	{ "pcp", TAG_B16(3, 15, 13), .what = TV_PRIO },
	{ "vid[11:10]", TAG_B16(3, 11, 10), .what = TV_CONST, .value = 3 },
	{ "vid-switch", TAG_B16(3, 8, 6), .what = TV_AUX0 },
	{ "vid-port", TAG_B16(3, 3, 0), .what = TV_PORT_HINT },
};

static const struct tag_field to_cpu_bare[] = { TO_CPU_WORD };

/* The position counts from the destination address, tag and all. */
static int build_control(struct tag_vals *vals, const struct frame *frame)
{
	vals->aux0 = frame->len + 8;
	vals->aux1 = vals->prio;
	return 0;
}

static const char *parse_control(struct tag_vals *vals, const struct frame *frame)
{
	return vals->aux0 == frame->len - 4 ? NULL : "the trailer is not at the end";
}

static int build_to_cpu(struct tag_vals *vals, const struct frame *frame)
{
	(void)frame;
	vals->aux0 = vals->device & 7;
	return 0;
}

static const struct tag_layout from_cpu_data_layout = {
	.pos = TAG_POS_ETYPE, .head = 4, .pad = TAG_ETH_ZLEN,
	.etype = TAG_TPID_DSA_8021Q, .etype_alt = TAG_TPID_8021Q,
	TAG_FIELDS(tag_8021q_fields), .build = tag_8021q_build, .parse = tag_8021q_parse,
};

static const struct tag_layout from_cpu_control_layout = {
	.pos = TAG_POS_BOTH, .head = 8, .tail = 4, .pad = TAG_ETH_ZLEN,
	.etype = ETYPE_CONTROL, TAG_FIELDS(from_cpu_control),
	.build = build_control, .parse = parse_control,
};

static const struct tag_layout to_cpu_data_layout = {
	.pos = TAG_POS_ETYPE, .head = 4,
	.etype = TAG_TPID_DSA_8021Q, .etype_alt = TAG_TPID_8021Q,
	TAG_FIELDS(tag_8021q_fields), .build = tag_8021q_build, .parse = tag_8021q_parse,
};

static const struct tag_layout to_cpu_control_layout = {
	.pos = TAG_POS_ETYPE, .head = 8, .etype = ETYPE_CONTROL,
	TAG_FIELDS(to_cpu_control), .build = build_to_cpu,
};

static const struct tag_layout to_cpu_bare_layout = {
	.pos = TAG_POS_ETYPE, .head = 4, .etype = ETYPE_CONTROL, TAG_FIELDS(to_cpu_bare),
};

/* The kernel's sja1105_is_link_local(): slow protocols, and PTP over Ethernet. */
static bool is_control(const uint8_t *da)
{
	return (da[0] == 0x01 && da[1] == 0x80 && da[2] == 0xc2) ||
	       (da[0] == 0x01 && da[1] == 0x1b && da[2] == 0x19);
}

static unsigned int pick(enum tag_dir dir, const struct tag_meta *meta,
			 const struct frame *frame)
{
	if (dir == TAG_FROM_CPU)
		return is_control(frame->data) ? FROM_CPU_CONTROL : DATA;
	return meta->trap ? TO_CPU_CONTROL : DATA;
}

TAG_FORMAT(sja1110,
	.name = "sja1110",
	.proto = TAG_PROTO_SJA1110,
	.layout = {
		[TAG_FROM_CPU] = {
			[DATA] = &from_cpu_data_layout,
			[FROM_CPU_CONTROL] = &from_cpu_control_layout,
		},
		[TAG_TO_CPU] = {
			[DATA] = &to_cpu_data_layout,
			[TO_CPU_BARE] = &to_cpu_bare_layout,
			[TO_CPU_CONTROL] = &to_cpu_control_layout,
		},
	},
	.pick = pick);
