// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What judging a frame costs: UDP over IPv4 and IPv6, right and unfinished.
 * Prints ns a frame by size; asserts nothing.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "net/judge.h"

#define ROUNDS	7
#define LOOPS	200000

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

/* UDP in a frame of @len bytes, checksum field left at @csum. */
static void build(uint8_t *f, size_t len, int version, uint16_t csum)
{
	size_t ip = version == 4 ? 20 : 40, udp = len - 14 - ip;

	memset(f, 0x11, len);
	f[12] = version == 4 ? 0x08 : 0x86;
	f[13] = version == 4 ? 0x00 : 0xdd;
	f[14] = version == 4 ? 0x45 : 0x60;
	if (version == 4) {
		f[16] = (len - 14) >> 8;
		f[17] = len - 14;
		f[20] = f[21] = 0;
		f[23] = 17;
	} else {
		f[18] = udp >> 8;
		f[19] = udp;
		f[20] = 17;
	}
	f += 14 + ip;
	f[4] = udp >> 8;
	f[5] = udp;
	f[6] = csum >> 8;
	f[7] = csum;
}

static double best_ns(const uint8_t *f, size_t len)
{
	double best = 1e9;
	struct verdict v;

	for (int r = 0; r < ROUNDS; r++) {
		uint64_t start = now_ns();
		double ns;

		for (int i = 0; i < LOOPS; i++) {
			judge_frame(f, len, &v);
			__asm__ volatile("" : : "r"(&v) : "memory");
		}
		ns = (double)(now_ns() - start) / LOOPS;
		if (ns < best)
			best = ns;
	}
	return best;
}

int main(void)
{
	static const size_t sizes[] = { 64, 128, 594, 1514 };
	uint8_t f[1514];

	printf("%8s %12s %12s %12s %12s\n", "bytes", "v4 right", "v4 wrong",
	       "v6 right", "v6 wrong");
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		printf("%8zu", sizes[i]);
		for (int version = 4; version <= 6; version += 2) {
			build(f, sizes[i], version, 0x1234);
			judge_mend(f, sizes[i]);
			printf(" %9.1f ns", best_ns(f, sizes[i]));
			build(f, sizes[i], version, 0x1234);
			printf(" %9.1f ns", best_ns(f, sizes[i]));
		}
		printf("\n");
	}
	return 0;
}
