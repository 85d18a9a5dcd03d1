// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mmap-loop COUNT: maps and unmaps 128 MiB of anonymous memory without
 * touching it, COUNT times in window 1 (what will-it-scale's mmap1 does).
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "mark.h"

#define BYTES	(128ul << 20)
#define WARM	1000		/* what the page allocator keeps at hand settles */

static void once(void)
{
	void *p = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED || munmap(p, BYTES)) {
		perror("mmap");
		exit(1);
	}
}

int main(int argc, char **argv)
{
	unsigned long i, count = argc == 2 ? strtoul(argv[1], NULL, 10) : 0;

	if (!count) {
		fprintf(stderr, "usage: mmap-loop COUNT\n");
		return 2;
	}
	for (i = 0; i < WARM; i++)
		once();
	LAB_MARK(1);
	for (i = 0; i < count; i++)
		once();
	LAB_MARK(0);
	return 0;
}
