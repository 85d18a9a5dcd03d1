// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Kernels to run: see kernel.h.
 */
#include "kernel.h"

#include <errno.h>
#include <fcntl.h>
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

/* @argv[0] is the child's to fill in. */
static void in_child(const char *script, const char **argv, int out)
{
	char path[4096];
	sigset_t none;

	argv[0] = path;
	/* A download must end with Ctrl-C, whatever we do with signals ourselves;
	 * and a pipe that nobody reads must end who writes to it. */
	signal(SIGPIPE, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	snprintf(path, sizeof(path), "%s/scripts/%s", rig_top(), script);
	dup2(out, STDOUT_FILENO);
	execv(path, (char **)argv);
	fprintf(stderr, "cannot run %s: %s\n", path, strerror(errno));
	_exit(127);
}

/* Everything that can be read from @fd, which is closed. */
static char *read_all(int fd)
{
	char bytes[4096], *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);
	ssize_t n;

	while (to && ((n = read(fd, bytes, sizeof(bytes))) > 0 || (n < 0 && errno == EINTR))) {
		if (n > 0)
			fwrite(bytes, 1, (size_t)n, to);
	}
	close(fd);
	return to && !fclose(to) ? text : NULL;
}

char *script_output(const char *script, const char *const *args, char *why)
{
	const char **argv;
	int pair[2], status;
	char *text;
	size_t n = 0;
	pid_t pid;

	while (args[n])
		n++;
	argv = calloc(n + 2, sizeof(*argv));
	if (!argv || pipe2(pair, O_CLOEXEC)) {
		snprintf(why, 256, "%s", strerror(errno));
		free(argv);
		return NULL;
	}
	memcpy(argv + 1, args, n * sizeof(*argv));
	pid = fork();
	if (pid == 0)
		in_child(script, argv, pair[1]);
	free(argv);
	close(pair[1]);
	text = read_all(pair[0]);
	if (pid < 0 || waitpid(pid, &status, 0) < 0 || status || !text) {
		snprintf(why, 256, "scripts/%s %s failed", script, args[0]);
		free(text);
		return NULL;
	}
	return text;
}

/* The last line that scripts/@script @arg @option (or NULL) prints, or NULL with @why. */
static char *script_says(const char *script, const char *arg, const char *option, char *why)
{
	char *text = script_output(script, (const char *const []){ arg, option, NULL }, why);
	char *last, *line;

	if (!text)
		return NULL;
	text[strlen(text) - (strlen(text) && text[strlen(text) - 1] == '\n')] = '\0';
	last = strrchr(text, '\n');
	line = strdup(last ? last + 1 : text);
	free(text);
	if (line && *line)
		return line;
	snprintf(why, 256, "scripts/%s %s says nothing", script, arg);
	free(line);
	return NULL;
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

/* The board is one of arm64: what is for another would hang on it. */
static bool is_for_board(const struct kernel *k, const char *name, char *why)
{
	char arch[32];

	read_line(k->dir, "arch", "", arch, sizeof(arch));
	if (!strcmp(arch, "arm64"))
		return true;
	snprintf(why, 256, "%.150s: expected a kernel for arm64, found one for %s", name,
		 arch[0] ? arch : "an unknown architecture");
	return false;
}

int kernel_find(struct kernel *k, const char *name, bool rig, char *why)
{
	memset(k, 0, sizeof(*k));
	k->dir = script_says("fetch-kernel", name, NULL, why);
	if (k->dir && is_for_board(k, name, why))
		k->initrd = script_says("build-initramfs", k->dir, rig ? "--dsa-rig" : NULL,
					why);
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
