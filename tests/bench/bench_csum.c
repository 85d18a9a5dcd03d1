// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a checksum costs, beside plain C in the same run.
 *
 * Prints one line a size: ns for the RFC 1071 loop, for the portable vectors
 * and for csum_partial(), best of ROUNDS.  Nothing is asserted.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "net/csum.h"

#define ROUNDS	7

typedef uint64_t (*sum_fn)(const void *buf, size_t len, uint64_t sum);

static volatile uint64_t sink;

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

static uint64_t plain(const void *buf, size_t len, uint64_t sum)
{
	const uint8_t *p = buf;

	for (; len > 1; len -= 2, p += 2)
		sum += p[0] << 8 | p[1];
	return len ? sum + (*p << 8) : sum;
}

static uint64_t crc(const void *buf, size_t len, uint64_t sum)
{
	return crc32c(sum, buf, len);
}

static double best_ns(sum_fn fn, const uint8_t *buf, size_t len)
{
	unsigned int loops = 20000000 / (len + 100);
	double best = 1e9;

	for (int r = 0; r < ROUNDS; r++) {
		uint64_t start = now_ns();
		double ns;

		for (unsigned int i = 0; i < loops; i++)
			sink = fn(buf + (i & 2), len, sink & 1);
		ns = (double)(now_ns() - start) / loops;
		if (ns < best)
			best = ns;
	}
	return best;
}

int main(void)
{
	static const size_t sizes[] = { 20, 60, 64, 128, 256, 576, 1500, 9000, 65535 };
	uint8_t *buf = malloc(65536 + 2);

	if (!buf)
		return 1;
	for (size_t i = 0; i < 65538; i++)
		buf[i] = i * 2654435761u >> 13;
	printf("%8s %12s %12s %12s %12s\n", "bytes", "plain C", "portable",
	       "csum", "crc32c");
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		printf("%8zu %9.1f ns %9.1f ns %9.1f ns %9.1f ns\n", sizes[i],
		       best_ns(plain, buf, sizes[i]),
		       best_ns(csum_partial_portable, buf, sizes[i]),
		       best_ns(csum_partial, buf, sizes[i]),
		       best_ns(crc, buf, sizes[i]));
	free(buf);
	return 0;
}
