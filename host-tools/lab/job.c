// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Programs that the lab runs: fork and exec, with a pidfd to wait on, so that
 * a deadline needs no timer and no signal handler.
 */
#include "lab/job.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void job_arg(struct job_args *a, const char *fmt, ...)
{
	char **v = realloc(a->v, (a->n + 2) * sizeof(*v));
	va_list ap;

	if (!v) {
		a->failed = 1;
		return;
	}
	a->v = v;
	va_start(ap, fmt);
	if (vasprintf(&v[a->n], fmt, ap) < 0)
		v[a->n] = NULL;
	va_end(ap);
	a->failed |= !v[a->n];
	if (v[a->n])
		a->n++;
	v[a->n] = NULL;
}

void job_args_free(struct job_args *a)
{
	while (a->n)
		free(a->v[--a->n]);
	free(a->v);
	a->v = NULL;
}

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void redirect(const char *path, int to)
{
	int fd;

	if (!path)
		return;
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	if (fd < 0 || dup2(fd, to) < 0)
		_exit(127);
	close(fd);
}

static void in_child(char *const argv[], const char *out, const char *err, pid_t parent)
{
	sigset_t none;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(127);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	redirect(out, STDOUT_FILENO);
	redirect(err, STDERR_FILENO);
	execvp(argv[0], argv);
	dprintf(STDERR_FILENO, "cannot run %s: %s\n", argv[0], strerror(errno));
	_exit(127);
}

int job_start(struct job *j, char *const argv[], const char *out, const char *err,
	      int timeout_ms)
{
	pid_t parent = getpid();

	j->deadline_ms = now_ms() + timeout_ms;
	fflush(NULL);
	j->pid = fork();
	if (j->pid == 0)
		in_child(argv, out, err, parent);
	return j->pid < 0 ? -errno : 0;
}

static int status_of(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int job_wait(struct job *j)
{
	int fd = (int)syscall(SYS_pidfd_open, j->pid, 0);
	struct pollfd p = { .fd = fd, .events = POLLIN };
	int64_t left;
	int n;

	if (fd < 0)
		return -errno;
	do {
		left = j->deadline_ms - now_ms();
		n = poll(&p, 1, left > 0 ? (int)left : 0);
	} while (n < 0 && errno == EINTR);
	close(fd);
	if (n > 0)
		return status_of(j->pid);
	kill(j->pid, SIGKILL);
	status_of(j->pid);
	return -ETIMEDOUT;
}

int job_last_line(char *const argv[], int timeout_ms, char **line)
{
	char out[] = "/tmp/tagrig-job.XXXXXX", text[4096];
	int fd = mkstemp(out), status;
	struct job j;
	FILE *f;

	*line = NULL;
	if (fd < 0)
		return -errno;
	status = job_start(&j, argv, out, NULL, timeout_ms) ?: job_wait(&j);
	f = fdopen(fd, "r");
	while (f && fgets(text, sizeof(text), f)) {
		text[strcspn(text, "\n")] = '\0';
		free(*line);
		*line = strdup(text);
	}
	if (f)
		fclose(f);
	unlink(out);
	return status;
}
