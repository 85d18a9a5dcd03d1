/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading line-based files: lines, words, and errors that say where.
 *
 * A word is what stands between blanks; "double quotes" hold blanks in it.  A
 * backslash at the end of a line joins the next one to it.  '#' at the start
 * of a word begins a comment, except in the rest of a line that a keyword
 * takes whole (a shell command has comments of its own).
 */
#ifndef TAGRIG_RIG_SOURCE_H
#define TAGRIG_RIG_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

struct source_line {
	unsigned int number;	/* from 1, of the first of joined lines */
	char *text;
};

struct source {
	const char *name;	/* for messages */
	struct source_line *lines;
	size_t count;
};

/* A place in a line, from which words are taken. */
struct cursor {
	const char *file;
	unsigned int line;
	const char *text;	/* the whole line */
	const char *at;
	const char *word_at;	/* where the last word began */
	char *error;		/* first message, ERROR_SIZE bytes; shared by cursors */
	char word[512];		/* the last word, unquoted */
};

#define ERROR_SIZE 512

/* Reads @path ("-": stdin); on error @error says "PATH: reason". */
int source_read(struct source *s, const char *path, char *error);
void source_free(struct source *s);

void cursor_init(struct cursor *c, const struct source *s, size_t line, char *error);

/* The next word into .word; false at the end of the line or its comment. */
bool cursor_word(struct cursor *c);

/* Is there a word left? */
bool cursor_more(struct cursor *c);

/* Puts the last word back. */
void cursor_back(struct cursor *c);

/* The rest of the line, whole, without leading blanks; the cursor is at its end. */
const char *cursor_rest(struct cursor *c);

/*
 * "FILE:LINE:COLUMN: expected WHAT, found 'WORD'" at the last word; _missing:
 * found the end of the line.  Both return -EINVAL.
 */
int cursor_expected(struct cursor *c, const char *what);
int cursor_missing(struct cursor *c, const char *what);

/* "FILE:LINE:COLUMN: TEXT" at the last word.  Returns -EINVAL. */
int cursor_error(struct cursor *c, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Takes a word as a number in @lo..@hi; decimal or 0x. */
int cursor_number(struct cursor *c, const char *what, unsigned long lo,
		  unsigned long hi, unsigned long *value);

/* Takes "N" or "N..M". */
int cursor_range(struct cursor *c, const char *what, unsigned long max,
		 unsigned long *lo, unsigned long *hi);

/* Takes a time as "2s", "500ms", "1m" into milliseconds. */
int cursor_time(struct cursor *c, int *ms);

#endif
