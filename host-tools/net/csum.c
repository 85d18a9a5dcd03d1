// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The Internet checksum and CRC32c.
 *
 * A ones' complement sum may be taken over words of any width that is a
 * multiple of 16 bits, in either byte order, and folded at the end (RFC 1071
 * section 2).  Short buffers and ends go by 64-bit words with end-around
 * carry; long ones by GCC vectors: each 32-bit lane adds the low and the high
 * halves of its words to two accumulators, which cannot overflow within
 * CHUNK vectors.  The same body is compiled once for the base instruction set
 * and once for AVX2, and the processor is asked which one it can run.
 *
 * CRC32c uses the SSE4.2 instruction where there is one, else a table of 256
 * entries.  Left out: other processors' CRC instructions; several streams at
 * once (SCTP here is for judging, not for speed).
 */
#include <stdbool.h>
#include <string.h>

#include "net/csum.h"

#define LANES	8
#define VECTOR	(LANES * sizeof(uint32_t))
#define CHUNK	32768		/* 32768 * 0xffff < 2^31 */
#define SHORT	64		/* below this, vectors cost more than they save */

typedef uint32_t vec __attribute__((vector_size(VECTOR)));
typedef uint32_t vec_unaligned
	__attribute__((vector_size(VECTOR), aligned(1), may_alias));

#define ALWAYS_INLINE static inline __attribute__((always_inline))

ALWAYS_INLINE uint64_t load64(const uint8_t *p)
{
	uint64_t w;

	memcpy(&w, p, sizeof(w));
	return w;
}

/* The last 0 to 7 bytes; an odd one counts as if a zero followed. */
ALWAYS_INLINE uint64_t sum_tail(const uint8_t *p, size_t len)
{
	uint64_t sum = 0;
	uint32_t w4;
	uint16_t w2;

	if (len & 4) {
		memcpy(&w4, p, sizeof(w4));
		sum += w4;
		p += 4;
	}
	if (len & 2) {
		memcpy(&w2, p, sizeof(w2));
		sum += w2;
		p += 2;
	}
	if (len & 1) {
		w2 = 0;
		memcpy(&w2, p, 1);
		sum += w2;
	}
	return sum;
}

ALWAYS_INLINE uint64_t sum_words(const uint8_t *p, size_t len, uint64_t sum)
{
	for (; len >= 8; p += 8, len -= 8)
		sum = csum_add(sum, load64(p));
	return csum_add(sum, sum_tail(p, len));
}

/* @n vectors from @p, n <= CHUNK; the result fits in 64 bits with room. */
ALWAYS_INLINE uint64_t sum_vectors(const uint8_t *p, size_t n)
{
	vec low = { 0 }, high = { 0 };
	uint64_t sum = 0;

	for (; n; n--, p += VECTOR) {
		vec v = *(const vec_unaligned *)p;

		low += v & 0xffff;
		high += v >> 16;
	}
	for (int i = 0; i < LANES; i++)
		sum += (uint64_t)low[i] + high[i];
	return sum;
}

ALWAYS_INLINE uint64_t sum_any(const uint8_t *p, size_t len, uint64_t sum)
{
	while (len >= SHORT) {
		size_t n = len / VECTOR < CHUNK ? len / VECTOR : CHUNK;

		sum = csum_add(sum, sum_vectors(p, n));
		p += n * VECTOR;
		len -= n * VECTOR;
	}
	return sum_words(p, len, sum);
}

uint64_t csum_partial_portable(const void *buf, size_t len, uint64_t sum)
{
	return sum_any(buf, len, sum);
}

static uint32_t crc32c_table[256];

/* Reflected polynomial of Castagnoli: 0x1edc6f41 with its bits turned round. */
static __attribute__((constructor)) void crc32c_init(void)
{
	for (uint32_t i = 0; i < 256; i++) {
		uint32_t crc = i;

		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78 : 0);
		crc32c_table[i] = crc;
	}
}

uint32_t crc32c_portable(uint32_t crc, const void *buf, size_t len)
{
	const uint8_t *p = buf;

	for (; len; len--)
		crc = crc >> 8 ^ crc32c_table[(crc ^ *p++) & 0xff];
	return crc;
}

#ifdef __x86_64__

static __attribute__((target("avx2")))
uint64_t sum_avx2(const uint8_t *p, size_t len, uint64_t sum)
{
	return sum_any(p, len, sum);
}

uint64_t csum_partial(const void *buf, size_t len, uint64_t sum)
{
	if (len < SHORT)
		return sum_words(buf, len, sum);
	if (__builtin_cpu_supports("avx2"))
		return sum_avx2(buf, len, sum);
	return sum_any(buf, len, sum);
}

static __attribute__((target("sse4.2")))
uint32_t crc32c_sse42(uint32_t crc, const uint8_t *p, size_t len)
{
	uint64_t wide = crc;

	for (; len >= 8; p += 8, len -= 8)
		wide = __builtin_ia32_crc32di(wide, load64(p));
	crc = wide;
	for (; len; len--)
		crc = __builtin_ia32_crc32qi(crc, *p++);
	return crc;
}

uint32_t crc32c(uint32_t crc, const void *buf, size_t len)
{
	if (__builtin_cpu_supports("sse4.2"))
		return crc32c_sse42(crc, buf, len);
	return crc32c_portable(crc, buf, len);
}

#else

uint64_t csum_partial(const void *buf, size_t len, uint64_t sum)
{
	return sum_any(buf, len, sum);
}

uint32_t crc32c(uint32_t crc, const void *buf, size_t len)
{
	return crc32c_portable(crc, buf, len);
}

#endif

uint64_t csum_pseudo(const void *src, const void *dst, size_t addr_len,
		     uint8_t proto, uint32_t len)
{
	/* As numbers: bytes put in memory and loaded as a word would stall. */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	uint64_t sum = (uint64_t)__builtin_bswap32(len) + (proto << 8);
#else
	uint64_t sum = (uint64_t)len + proto;
#endif

	if (addr_len == 4)
		return sum + sum_tail(src, 4) + sum_tail(dst, 4);
	return sum_words(dst, addr_len, sum_words(src, addr_len, sum));
}
