// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Kernels to run: see kernel.h.
 */
#include "kernel.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef TAGRIG_TOP
#define TAGRIG_TOP "."
#endif

const char *rig_top(void)
{
	return getenv("TAGRIG_TOP") ?: TAGRIG_TOP;
}

static void in_child(const char *script, const char *arg, int out)
{
	char path[4096];
	sigset_t none;

	/* A download must end with Ctrl-C, whatever we do with signals ourselves. */
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	snprintf(path, sizeof(path), "%s/scripts/%s", rig_top(), script);
	dup2(out, STDOUT_FILENO);
	execl(path, path, arg, (char *)NULL);
	fprintf(stderr, "cannot run %s: %s\n", path, strerror(errno));
	_exit(127);
}

/* The last line that scripts/@script @arg prints, or NULL with @why. */
static char *script_says(const char *script, const char *arg, char *why)
{
	char line[4096], *last = NULL;
	int pair[2], status;
	FILE *f;
	pid_t pid;

	if (pipe(pair)) {
		snprintf(why, 256, "%s", strerror(errno));
		return NULL;
	}
	pid = fork();
	if (pid == 0)
		in_child(script, arg, pair[1]);
	close(pair[1]);
	f = fdopen(pair[0], "r");
	while (f && fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		free(last);
		last = strdup(line);
	}
	if (f)
		fclose(f);
	if (pid < 0 || waitpid(pid, &status, 0) < 0 || status || !last) {
		snprintf(why, 256, "scripts/%s %s failed", script, arg);
		free(last);
		return NULL;
	}
	return last;
}

/* The first line of DIR/NAME that begins with @prefix, without it. */
static void read_line(const char *dir, const char *name, const char *prefix, char *to,
		      size_t size)
{
	char path[4096], line[512];
	FILE *f;

	to[0] = '\0';
	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "re");
	while (f && !to[0] && fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		if (!strncmp(line, prefix, strlen(prefix)))
			snprintf(to, size, "%s", line + strlen(prefix));
	}
	if (f)
		fclose(f);
}

int kernel_find(struct kernel *k, const char *name, char *why)
{
	memset(k, 0, sizeof(*k));
	k->dir = script_says("fetch-kernel", name, why);
	if (k->dir)
		k->initrd = script_says("build-initramfs", k->dir, why);
	k->name = strdup(name);
	if (!k->initrd || !k->name || asprintf(&k->image, "%s/Image", k->dir) < 0) {
		kernel_free(k);
		return -ENOENT;
	}
	read_line(k->dir, "release", "", k->release, sizeof(k->release));
	read_line(k->dir, "label", "about ", k->about, sizeof(k->about));
	return 0;
}

void kernel_free(struct kernel *k)
{
	free(k->dir);
	free(k->image);
	free(k->initrd);
	free(k->name);
	memset(k, 0, sizeof(*k));
}
