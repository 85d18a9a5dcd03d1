// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * brcm-legacy-fcs: Broadcom BCM5325 and BCM5365, six bytes before the
 * EtherType, and from the CPU the frame's own FCS as its last four bytes
 * (net/dsa/tag_brcm.c; to the CPU in family_brcm_legacy.h).
 *
 * From the CPU: 8874, "egress", the length of the frame without tag and FCS
 * (its low 11 bits), the one port; the kernel pads to 66 bytes first.  The FCS
 * is CRC-32 in little-endian order over the padded frame without the tag.
 * Reading checks both.
 */
#include "family_brcm_legacy.h"

#define FCS_LEN		4
#define LENGTH_MASK	0x7ff

static const struct tag_field from_cpu[] = {
	{ "type", TAG_B8(2, 7, 5), .what = TV_CONST, .value = 2 },
	{ "reserved", TAG_B8(2, 4, 3), .what = TV_CONST },
	{ "length", TAG_B16(1, 10, 0), .what = TV_AUX0 },
	{ "reserved", TAG_B8(4, 7, 0), .what = TV_CONST },
	{ "reserved", TAG_B8(5, 7, 4), .what = TV_CONST },
	{ "port", TAG_B8(5, 3, 0), .what = TV_PORT },
	{ "fcs", .off = TAG_BRCM_LEG_LEN * 8, .width = 32, .what = TV_AUX1 },
};

/* The Ethernet CRC (IEEE 802.3, reflected 0x04c11db7), four bits a step. */
static uint32_t crc32_more(uint32_t crc, const uint8_t *p, size_t len)
{
	static const uint32_t step[16] = {
		0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac,
		0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
		0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
		0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
	};

	while (len--) {
		crc ^= *p++;
		crc = crc >> 4 ^ step[crc & 15];
		crc = crc >> 4 ^ step[crc & 15];
	}
	return crc;
}

static int build(struct tag_vals *vals, const struct frame *frame)
{
	uint32_t crc = ~crc32_more(~0u, frame->data, frame->len);

	vals->aux0 = frame->len & LENGTH_MASK;
	vals->aux1 = __builtin_bswap32(crc);
	return 0;
}

static const char *parse(struct tag_vals *vals, const struct frame *frame)
{
	size_t len = frame->len - TAG_BRCM_LEG_LEN - FCS_LEN;
	const uint8_t *rest = frame->data + TAG_ADDRS + TAG_BRCM_LEG_LEN;
	uint32_t crc = crc32_more(~0u, frame->data, TAG_ADDRS);

	if (vals->aux0 != (len & LENGTH_MASK))
		return "the length field is not the frame's length";
	crc = ~crc32_more(crc, rest, len - TAG_ADDRS);
	if (vals->aux1 != __builtin_bswap32(crc))
		return "the inner FCS is wrong";
	return NULL;
}

static unsigned int pick(enum tag_dir dir, const struct tag_meta *meta,
			 const struct frame *frame)
{
	(void)meta;
	return dir == TAG_TO_CPU && tag_brcm_leg_inner(frame) == TAG_BRCM_LEG_TCI0;
}

static const struct tag_layout from_cpu_layout = {
	.pos = TAG_POS_BOTH, .head = TAG_BRCM_LEG_LEN, .tail = FCS_LEN,
	.pad = TAG_BRCM_LEG_PAD, .etype = TAG_BRCM_LEG_ETYPE, TAG_FIELDS(from_cpu),
	.build = build, .parse = parse,
};

TAG_FORMAT(brcm_legacy_fcs,
	.name = "brcm-legacy-fcs",
	.proto = TAG_PROTO_BRCM_LEGACY_FCS,
	.layout = {
		{ &from_cpu_layout },
		{ &tag_brcm_leg_to_cpu, &tag_brcm_leg_to_cpu_vid0 },
	},
	.pick = pick);
