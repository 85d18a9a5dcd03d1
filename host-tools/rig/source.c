// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reading line-based files: see source.h.
 *
 * Columns count bytes from 1, as compilers do.
 */
#include "source.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_LINES 65536

static int add_line(struct source *s, unsigned int number, char *text)
{
	struct source_line *l;

	l = realloc(s->lines, (s->count + 1) * sizeof(*l));
	if (!l) {
		free(text);
		return -ENOMEM;
	}
	s->lines = l;
	l[s->count].number = number;
	l[s->count++].text = text;
	return 0;
}

/* Joins @more to the last line, whose final backslash becomes a blank. */
static int join_line(struct source *s, char *more)
{
	struct source_line *l = &s->lines[s->count - 1];
	size_t len = strlen(l->text);
	char *text;

	l->text[len - 1] = ' ';
	text = realloc(l->text, len + strlen(more) + 1);
	if (text) {
		strcpy(text + len, more);
		l->text = text;
	}
	free(more);
	return text ? 0 : -ENOMEM;
}

/* Consumes @text, a line without its end; @joined as of the line before it. */
static int take_line(struct source *s, unsigned int number, char *text, bool *joined)
{
	size_t len = strlen(text);
	bool continues = len && text[len - 1] == '\\';
	int err;

	err = *joined ? join_line(s, text) : add_line(s, number, text);
	*joined = continues;
	return err;
}

static int read_lines(struct source *s, FILE *f, char *error)
{
	unsigned int number = 0;
	bool joined = false;
	char *text = NULL;
	size_t cap = 0;
	ssize_t n;
	int err = 0;

	while (!err && (n = getline(&text, &cap, f)) >= 0) {
		if (++number > MAX_LINES || strlen(text) != (size_t)n) {
			snprintf(error, ERROR_SIZE, "%s:%u: expected a text file of at most %u lines, found %s",
				 s->name, number, MAX_LINES,
				 number > MAX_LINES ? "more" : "a NUL byte");
			err = -EINVAL;
			break;
		}
		text[strcspn(text, "\r\n")] = '\0';
		err = take_line(s, number, text, &joined);
		text = NULL;
		cap = 0;
	}
	free(text);
	if (!err && ferror(f))
		err = -EIO;
	if (err && !error[0])
		snprintf(error, ERROR_SIZE, "%s: %s", s->name, strerror(-err));
	return err;
}

int source_read(struct source *s, const char *path, char *error)
{
	FILE *f = strcmp(path, "-") ? fopen(path, "re") : stdin;
	int err;

	memset(s, 0, sizeof(*s));
	error[0] = '\0';
	s->name = f == stdin ? "(stdin)" : path;
	if (!f) {
		err = -errno;
		snprintf(error, ERROR_SIZE, "%s: %s", path, strerror(-err));
		return err;
	}
	err = read_lines(s, f, error);
	if (f != stdin)
		fclose(f);
	if (err)
		source_free(s);
	return err;
}

void source_free(struct source *s)
{
	size_t i;

	for (i = 0; i < s->count; i++)
		free(s->lines[i].text);
	free(s->lines);
	s->lines = NULL;
	s->count = 0;
}

void cursor_init(struct cursor *c, const struct source *s, size_t line, char *error)
{
	memset(c, 0, sizeof(*c));
	c->file = s->name;
	c->line = s->lines[line].number;
	c->text = c->at = c->word_at = s->lines[line].text;
	c->error = error;
}

static void skip_blanks(struct cursor *c)
{
	c->at += strspn(c->at, " \t");
}

bool cursor_more(struct cursor *c)
{
	skip_blanks(c);
	return *c->at && *c->at != '#';
}

bool cursor_word(struct cursor *c)
{
	size_t n = 0;
	bool quoted = false;

	if (!cursor_more(c)) {
		c->word_at = c->at;
		c->word[0] = '\0';
		return false;
	}
	for (c->word_at = c->at; *c->at; c->at++) {
		if (*c->at == '"')
			quoted = !quoted;
		else if (!quoted && strchr(" \t", *c->at))
			break;
		else if (n + 1 < sizeof(c->word))
			c->word[n++] = *c->at;
	}
	c->word[n] = '\0';
	if (quoted)
		cursor_error(c, "expected a closing quote, found the end of the line");
	return true;
}

void cursor_back(struct cursor *c)
{
	c->at = c->word_at;
}

const char *cursor_rest(struct cursor *c)
{
	const char *rest;

	skip_blanks(c);
	rest = c->word_at = c->at;
	c->at += strlen(c->at);
	return rest;
}

int cursor_error(struct cursor *c, const char *fmt, ...)
{
	va_list ap;
	int n;

	if (c->error[0])
		return -EINVAL;
	n = snprintf(c->error, ERROR_SIZE, "%s:%u:%u: ", c->file, c->line,
		     (unsigned int)(c->word_at - c->text) + 1);
	va_start(ap, fmt);
	if (n < ERROR_SIZE)
		vsnprintf(c->error + n, ERROR_SIZE - (size_t)n, fmt, ap);
	va_end(ap);
	return -EINVAL;
}

int cursor_expected(struct cursor *c, const char *what)
{
	if (!c->word[0])
		return cursor_error(c, "expected %s, found the end of the line", what);
	return cursor_error(c, "expected %s, found '%s'", what, c->word);
}

int cursor_missing(struct cursor *c, const char *what)
{
	c->word[0] = '\0';
	c->word_at = c->at;
	return cursor_expected(c, what);
}

static bool parse_number(const char *s, char **end, unsigned long *value)
{
	if (*s < '0' || *s > '9')
		return false;
	errno = 0;
	*value = strtoul(s, end, s[0] == '0' && s[1] == 'x' ? 16 : 10);
	return !errno;
}

int cursor_number(struct cursor *c, const char *what, unsigned long lo,
		  unsigned long hi, unsigned long *value)
{
	char *end, text[160];

	snprintf(text, sizeof(text), "%s, %lu to %lu", what, lo, hi);
	if (!cursor_word(c) || !parse_number(c->word, &end, value) || *end ||
	    *value < lo || *value > hi)
		return cursor_expected(c, text);
	return 0;
}

int cursor_range(struct cursor *c, const char *what, unsigned long max,
		 unsigned long *lo, unsigned long *hi)
{
	char *end, text[160];
	bool good;

	snprintf(text, sizeof(text), "%s, N or N..M up to %lu", what, max);
	good = cursor_word(c) && parse_number(c->word, &end, lo);
	*hi = *lo;
	if (good && !strncmp(end, "..", 2))
		good = parse_number(end + 2, &end, hi);
	if (!good || *end || *lo > *hi || *hi > max)
		return cursor_expected(c, text);
	return 0;
}

int cursor_time(struct cursor *c, int *ms)
{
	static const struct {
		const char *unit;
		int ms;
	} units[] = { { "ms", 1 }, { "s", 1000 }, { "m", 60000 } };
	unsigned long value;
	char *end;
	size_t i;

	if (cursor_word(c) && parse_number(c->word, &end, &value) && value <= 86400) {
		for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
			if (strcmp(end, units[i].unit))
				continue;
			*ms = (int)value * units[i].ms;
			return 0;
		}
	}
	return cursor_expected(c, "a time such as 500ms, 2s or 1m");
}
