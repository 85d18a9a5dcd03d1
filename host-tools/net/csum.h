/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The Internet checksum (RFC 1071) and CRC32c (SCTP, RFC 9260 appendix A).
 *
 * A partial sum is a 64-bit ones' complement sum of the bytes as they lie in
 * memory; partial sums of pieces add up with csum_add().  Byte order appears
 * only at the end: csum_fold() gives a number as read off the wire.
 */
#ifndef TAGRIG_NET_CSUM_H
#define TAGRIG_NET_CSUM_H

#include <stddef.h>
#include <stdint.h>

/* Adds two partial sums. */
static inline uint64_t csum_add(uint64_t a, uint64_t b)
{
	return __builtin_add_overflow(a, b, &a) ? a + 1 : a;
}

/* The partial sum of @buf added to @sum.  @buf starts at an even offset. */
uint64_t csum_partial(const void *buf, size_t len, uint64_t sum);

/*
 * The partial sum @sum of a piece, made fit for a piece that starts at an odd
 * offset of the whole (RFC 1071 section 2(B): the bytes change places).
 */
static inline uint64_t csum_shift(uint64_t sum)
{
	return sum << 8 | sum >> 56;
}

/*
 * Folds to 16 bits, in host byte order, *not* complemented: the number that
 * CHECKSUM_PARTIAL leaves in a header is the fold of its pseudo header.
 */
static inline uint16_t csum_fold(uint64_t sum)
{
	uint32_t a;

	sum = (sum & 0xffffffff) + (sum >> 32);
	sum = (sum & 0xffffffff) + (sum >> 32);
	a = (sum & 0xffff) + (sum >> 16 & 0xffff);
	a = (a & 0xffff) + (a >> 16);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	return __builtin_bswap16(a);
#else
	return a;
#endif
}

/* The value of a checksum field over @sum, host byte order. */
static inline uint16_t csum_finish(uint64_t sum)
{
	return ~csum_fold(sum);
}

/* Are two 16-bit sums the same number?  0 and 0xffff both stand for zero. */
static inline int csum_same(uint16_t a, uint16_t b)
{
	return a == b || ((a ^ b) == 0xffff && (!a || !b));
}

/*
 * The partial sum of a pseudo header: @addr_len is 4 (RFC 9293) or 16
 * (RFC 8200), @len the upper layer's length in bytes with its header.
 */
uint64_t csum_pseudo(const void *src, const void *dst, size_t addr_len,
		     uint8_t proto, uint32_t len);

/*
 * CRC32c of @buf, continuing @crc.  Start with ~0u and complement at the end;
 * SCTP then stores it with the least significant byte first.
 */
uint32_t crc32c(uint32_t crc, const void *buf, size_t len);

/* For tests: the same without processor-specific instructions. */
uint64_t csum_partial_portable(const void *buf, size_t len, uint64_t sum);
uint32_t crc32c_portable(uint32_t crc, const void *buf, size_t len);

#endif
