// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tables of values: see table.h.
 *
 * A row has as many cells as there are columns, none of them empty ("-" says
 * that there is nothing): a tab too many or too few would else move values
 * under other names without a word.
 */
#include "table.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "source.h"

static int complain(const char *file, unsigned int line, char *error, const char *what,
		    const char *found)
{
	snprintf(error, ERROR_SIZE, "%s:%u: expected %s, found %s", file, line, what, found);
	return -EINVAL;
}

/* Splits @text at its tabs; how many words there are, TABLE_COLUMNS + 1 for more. */
static size_t split(char *text, char *word[TABLE_COLUMNS])
{
	size_t n = 0;

	for (; text; n++) {
		char *tab = strchr(text, '\t');

		if (n == TABLE_COLUMNS)
			return n + 1;
		word[n] = text;
		if (tab)
			*tab++ = '\0';
		text = tab;
	}
	return n;
}

/* Words of their own in @to; @word points into a line. */
static int keep(char **to, char *const *word, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		to[i] = strdup(word[i]);
		if (!to[i])
			return -ENOMEM;
	}
	return 0;
}

static int add_row(struct table *t, char *const *word)
{
	size_t n = (t->rows + 1) * t->columns;
	char **cell = realloc(t->cell, n * sizeof(*cell));

	if (!cell)
		return -ENOMEM;
	t->cell = cell;
	memset(cell + n - t->columns, 0, t->columns * sizeof(*cell));
	t->rows++;
	return keep(cell + n - t->columns, word, t->columns);
}

static int take_line(struct table *t, const char *file, struct source_line *l, char *error)
{
	char *word[TABLE_COLUMNS], what[48], found[48];
	size_t i, n;

	if (!l->text[0] || l->text[0] == '#')
		return 0;
	n = split(l->text, word);
	if (t->columns)
		snprintf(what, sizeof(what), "%zu columns", t->columns);
	else
		snprintf(what, sizeof(what), "at most %d columns", TABLE_COLUMNS);
	snprintf(found, sizeof(found), "%s%zu", n > TABLE_COLUMNS ? "more than " : "",
		 n > TABLE_COLUMNS ? n - 1 : n);
	if (n > TABLE_COLUMNS || (t->columns && n != t->columns))
		return complain(file, l->number, error, what, found);
	for (i = 0; i < n; i++) {
		if (!word[i][0])
			return complain(file, l->number, error, "a value or - in each column",
					"nothing between two tabs");
	}
	if (t->columns)
		return add_row(t, word);
	t->columns = n;
	return keep(t->name, word, n);
}

int table_read(struct table *t, const char *path, char *error)
{
	struct source s;
	int err = source_read(&s, path, error);
	size_t i;

	memset(t, 0, sizeof(*t));
	if (err)
		return err;
	for (i = 0; i < s.count && !err; i++)
		err = take_line(t, path, &s.lines[i], error);
	if (!err && !t->rows)
		err = complain(path, (unsigned int)s.count, error,
			       "a line of names and a row below it", "the end of the file");
	if (err && !error[0])
		snprintf(error, ERROR_SIZE, "%s: %s", path, strerror(-err));
	source_free(&s);
	if (err)
		table_free(t);
	return err;
}

void table_free(struct table *t)
{
	size_t i;

	for (i = 0; i < t->columns; i++)
		free(t->name[i]);
	for (i = 0; i < t->rows * t->columns; i++)
		free(t->cell[i]);
	free(t->cell);
	memset(t, 0, sizeof(*t));
}

const char *table_value(const struct table *t, size_t row, const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < t->columns; i++) {
		if (strlen(t->name[i]) == len && !strncmp(t->name[i], name, len))
			return t->cell[row * t->columns + i];
	}
	return NULL;
}
