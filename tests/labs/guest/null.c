// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * null COUNT: prints how many nanoseconds COUNT cheapest system calls took.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long long now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

int main(int argc, char **argv)
{
	long i, n = argc == 2 ? strtol(argv[1], NULL, 10) : 0;
	long long start = now_ns();

	for (i = 0; i < n; i++)
		syscall(SYS_getppid);
	printf("%lld\n", now_ns() - start);
	return 0;
}
