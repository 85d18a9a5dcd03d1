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

/*
 * The Ethernet CRC (IEEE 802.3, reflected 0x04c11db7), eight bytes a step:
 * table[k][n] is the CRC of byte n with k zero bytes behind it.
 */
static uint32_t table[8][256];

static void __attribute__((constructor)) make_table(void)
{
	unsigned int n, k, bit;
	uint32_t crc;

	for (n = 0; n < 256; n++) {
		for (crc = n, bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
		table[0][n] = crc;
	}
	for (k = 1; k < 8; k++)
		for (n = 0; n < 256; n++)
			table[k][n] = table[k - 1][n] >> 8 ^ table[0][table[k - 1][n] & 255];
}

static uint32_t le32(const uint8_t *p)
{
	return p[0] | p[1] << 8 | p[2] << 16 | (uint32_t)p[3] << 24;
}

static uint32_t crc32_more(uint32_t crc, const uint8_t *p, size_t len)
{
	uint32_t lo, hi;

	for (; len >= 8; len -= 8, p += 8) {
		lo = le32(p) ^ crc;
		hi = le32(p + 4);
		crc = table[7][lo & 255] ^ table[6][lo >> 8 & 255] ^
		      table[5][lo >> 16 & 255] ^ table[4][lo >> 24] ^
		      table[3][hi & 255] ^ table[2][hi >> 8 & 255] ^
		      table[1][hi >> 16 & 255] ^ table[0][hi >> 24];
	}
	for (; len; len--)
		crc = crc >> 8 ^ table[0][(crc ^ *p++) & 255];
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
