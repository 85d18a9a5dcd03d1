// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tables for a terminal: see table.h.  Widths are counted in characters of
 * UTF-8, not in bytes.
 */
#include "lab/table.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static void add(struct table *t, char *text)
{
	char **cells = text ? realloc(t->cells, (t->n + 1) * sizeof(*cells)) : NULL;

	if (!cells) {
		free(text);
		t->failed = 1;
		return;
	}
	t->cells = cells;
	cells[t->n++] = text;
}

void table_init(struct table *t, const char *const *head)
{
	memset(t, 0, sizeof(*t));
	while (head[t->columns] && t->columns < TABLE_COLUMNS) {
		t->columns++;
		add(t, strdup(head[t->columns - 1]));
	}
}

void table_add(struct table *t, const char *fmt, ...)
{
	char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		text = NULL;
	va_end(ap);
	add(t, text);
}

static size_t width(const char *s)
{
	size_t n = 0;

	for (; *s; s++)
		n += (*s & 0xc0) != 0x80;
	return n;
}

static void measure(const struct table *t, size_t *widths)
{
	size_t i, w;

	for (i = 0; i < t->n; i++) {
		w = width(t->cells[i]) - (i < t->columns && t->cells[i][0] == '-');
		if (w > widths[i % t->columns])
			widths[i % t->columns] = w;
	}
}

static void print_cell(const struct table *t, size_t i, const size_t *widths, FILE *out)
{
	size_t column = i % t->columns;
	bool number = t->cells[column][0] == '-';
	const char *text = t->cells[i] + (i < t->columns && number);
	int pad = (int)(widths[column] - width(text));
	bool last = column + 1 == t->columns;

	if (number)
		fprintf(out, "%*s%s", pad, "", text);
	else
		fprintf(out, "%s%*s", text, last ? 0 : pad, "");
	fputs(last ? "\n" : "  ", out);
}

void table_print(struct table *t, FILE *out, const char *indent)
{
	size_t widths[TABLE_COLUMNS] = { 0 }, i;

	measure(t, widths);
	for (i = 0; !t->failed && i < t->n; i++) {
		if (i % t->columns == 0)
			fputs(indent, out);
		print_cell(t, i, widths, out);
	}
	if (t->failed)
		fprintf(out, "%s(out of memory)\n", indent);
	while (t->n)
		free(t->cells[--t->n]);
	free(t->cells);
	memset(t, 0, sizeof(*t));
}
