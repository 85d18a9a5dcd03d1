// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * window N COMMAND [ARG...]: runs a command with the counting plugin's window
 * N open (0: with none, but the plugin awake), and prints how long it took as "lab: elapsed NS".
 *
 * What is counted begins before the fork and ends after the wait, so the start
 * of the program is in it.  A program that can put the marks into itself
 * (mark.h) is measured better.  Exit status: the command's; 128 + signal.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "mark.h"

static long long now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

int main(int argc, char **argv)
{
	long long start;
	char *end;
	unsigned long n = argc > 2 ? strtoul(argv[1], &end, 10) : 99;
	int status, err;
	pid_t pid;

	if (n > 16 || *end) {
		fprintf(stderr, "usage: window 0..16 COMMAND [ARG...]\n");
		return 2;
	}
	start = now_ns();
	lab_mark(0);		/* the plugin may have waited for a first one */
	if (n)
		lab_mark(n);
	err = posix_spawnp(&pid, argv[2], NULL, NULL, argv + 2, environ);
	if (!err && waitpid(pid, &status, 0) < 0)
		err = errno;
	if (n)
		lab_mark(0);
	if (err) {
		fprintf(stderr, "window: %s: %s\n", argv[2], strerror(err));
		return 127;
	}
	printf("lab: elapsed %lld\n", now_ns() - start);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
