// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads a guest's console: see console.h.  A line that begins as one of ours
 * and goes on otherwise is nobody's: the kernel may print into it.
 */
#include "lab/console.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define PREFIX	"lab: "

static void take_command(struct console *c, const char *line)
{
	int n, status;

	if (sscanf(line, "command %d exit %d", &n, &status) == 2 && status && !c->failed) {
		c->failed = n;
		c->status = status;
	}
}

static void take_section(struct console *c, const char *line)
{
	struct console_section *s = &c->sections[c->n_sections];

	if (c->n_sections < CONSOLE_SECTIONS &&
	    sscanf(line, "section %*s %31s %" SCNx64, s->name, &s->addr) == 2)
		c->n_sections++;
}

static void take_elapsed(struct console *c, const char *line)
{
	sscanf(line, "elapsed %" SCNd64, &c->elapsed_ns);
}

static void take_received(struct console *c, const char *line)
{
	sscanf(line, "received %" SCNd64 " %" SCNd64, &c->taken, &c->delivered);
}

static void take_probe(struct console *c, const char *line)
{
	sscanf(line, "probe %" SCNd64, &c->probe_ns);
}

static void take_trace(struct console *c, const char *line)
{
	struct console_trace *t = &c->traced[c->n_traced];

	if (c->n_traced < CONSOLE_TRACED &&
	    sscanf(line, "trace %63s %" SCNu64 " %lf", t->function, &t->hits, &t->us) == 3)
		c->n_traced++;
}

static void take_untraced(struct console *c, const char *line)
{
	size_t n = strlen(c->untraced);

	snprintf(c->untraced + n, sizeof(c->untraced) - n, "%s%s", n ? " " : "",
		 line + strlen("untraced "));
}

static void take_end(struct console *c, const char *line)
{
	c->ended |= !strcmp(line, "end");
}

static const struct {
	const char *word;
	void (*take)(struct console *c, const char *line);
} words[] = {
	{ "command ", take_command },
	{ "section ", take_section },
	{ "elapsed ", take_elapsed },
	{ "received ", take_received },
	{ "probe ", take_probe },
	{ "trace ", take_trace },
	{ "untraced ", take_untraced },
	{ "end", take_end },
};

static void take_line(struct console *c, const char *line)
{
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strncmp(line, words[i].word, strlen(words[i].word)))
			words[i].take(c, line);
}

int console_read(const char *path, struct console *c)
{
	char line[1024];
	FILE *f = fopen(path, "re");

	memset(c, 0, sizeof(*c));
	c->elapsed_ns = c->probe_ns = c->taken = c->delivered = -1;
	if (!f)
		return -errno;
	while (fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\r\n")] = '\0';
		if (!strncmp(line, PREFIX, strlen(PREFIX)))
			take_line(c, line + strlen(PREFIX));
		else if (line[0] && !c->failed)
			snprintf(c->last, sizeof(c->last), "%s", line);
	}
	fclose(f);
	return 0;
}
