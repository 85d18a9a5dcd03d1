/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Programs that the lab runs: several at a time, each with a deadline.
 */
#ifndef TAGRIG_LAB_JOB_H
#define TAGRIG_LAB_JOB_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A growing argument vector; out of memory is remembered and told at the end. */
struct job_args {
	char **v;		/* NULL-terminated */
	size_t n;
	int failed;
};

void job_arg(struct job_args *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void job_args_free(struct job_args *a);

struct job {
	pid_t pid;
	int64_t deadline_ms;	/* of the monotonic clock */
};

/*
 * Starts argv[0] (searched in PATH).  stdout and stderr go to the files @out
 * and @err (NULL: ours).  The program dies with us.  Negative errno.
 */
int job_start(struct job *j, char *const argv[], const char *out, const char *err,
	      int timeout_ms);

/*
 * Waits for the end: the exit status, 128 + signal, or -ETIMEDOUT, after which
 * the program has been killed.
 */
int job_wait(struct job *j);

/*
 * Runs a program to its end and keeps the last line of its stdout in *@line
 * (free it; NULL without one).  Returns as job_wait().
 */
int job_last_line(char *const argv[], int timeout_ms, char **line);

#endif
