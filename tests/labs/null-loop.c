// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * null-loop COUNT: the cheapest system call COUNT times, in window 1: a control
 * for labs that must not touch it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "mark.h"

int main(int argc, char **argv)
{
	unsigned long i, count = argc == 2 ? strtoul(argv[1], NULL, 10) : 0;

	if (!count) {
		fprintf(stderr, "usage: null-loop COUNT\n");
		return 2;
	}
	for (i = 0; i < 8; i++)
		syscall(SYS_getppid);
	LAB_MARK(1);
	for (i = 0; i < count; i++)
		syscall(SYS_getppid);
	LAB_MARK(0);
	return 0;
}
