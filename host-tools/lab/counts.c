// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads the counting plugin's report, with jansson.
 *
 * What is not understood is an error, not a zero: a column that this program
 * does not know means that the plugin is another one.
 */
#include "lab/counts.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VERSION	1

static const char *const names[] = {
#define COUNTS_NAME(id, name) name,
	COUNTS_COLUMNS(COUNTS_NAME)
#undef COUNTS_NAME
};

const char *counts_column_name(enum counts_column column)
{
	return names[column];
}

static int find_column(const char *name)
{
	int i;

	for (i = 0; i < COUNTS_N; i++)
		if (!strcmp(names[i], name))
			return i;
	return -1;
}

static int read_row(json_t *json, struct counts_row *row)
{
	const char *key, *name = json_string_value(json_object_get(json, "name"));
	json_t *value;
	int column;

	row->name = name ? strdup(name) : NULL;
	if (!row->name)
		return -1;
	json_object_foreach(json, key, value) {
		if (!strcmp(key, "name"))
			continue;
		if (!strcmp(key, "start") && json_is_string(value)) {
			row->start = strtoull(json_string_value(value), NULL, 16);
			continue;
		}
		column = find_column(key);
		if (column < 0 || !json_is_integer(value))
			return -1;
		row->n[column] = json_integer_value(value);
	}
	return 0;
}

static int read_window(json_t *json, struct counts_window *w)
{
	json_t *symbols = json_object_get(json, "symbols");
	size_t i;

	w->number = json_integer_value(json_object_get(json, "window"));
	w->opened = json_integer_value(json_object_get(json, "opened"));
	if (!json_is_array(symbols) || read_row(json_object_get(json, "total"), &w->total))
		return -1;
	w->rows = calloc(json_array_size(symbols) + 1, sizeof(*w->rows));
	if (!w->rows)
		return -1;
	for (i = 0; i < json_array_size(symbols); i++) {
		w->n_rows++;
		if (read_row(json_array_get(symbols, i), &w->rows[i]))
			return -1;
	}
	return 0;
}

static int read_all(json_t *json, struct counts *c)
{
	json_t *windows = json_object_get(json, "windows");
	size_t i;

	if (json_integer_value(json_object_get(json, "version")) != VERSION ||
	    !json_is_array(windows))
		return -1;
	c->open_at_exit = json_is_true(json_object_get(json, "open_at_exit"));
	c->lost_frames = json_integer_value(json_object_get(json, "lost_frames"));
	c->undecoded = json_integer_value(json_object_get(json, "undecoded"));
	c->windows = calloc(json_array_size(windows) + 1, sizeof(*c->windows));
	if (!c->windows)
		return -1;
	for (i = 0; i < json_array_size(windows); i++) {
		c->n_windows++;
		if (read_window(json_array_get(windows, i), &c->windows[i]))
			return -1;
	}
	return 0;
}

struct counts *counts_load(const char *path, char *why)
{
	json_error_t err;
	json_t *json = json_load_file(path, 0, &err);
	struct counts *c;

	if (!json) {
		snprintf(why, 256, "%s:%d: %s", path, err.line, err.text);
		return NULL;
	}
	c = calloc(1, sizeof(*c));
	if (!c || read_all(json, c)) {
		snprintf(why, 256, "%s: expected a report of the counting plugin, version %d",
			 path, VERSION);
		counts_free(c);
		c = NULL;
	}
	json_decref(json);
	return c;
}

static void free_window(struct counts_window *w)
{
	while (w->n_rows)
		free(w->rows[--w->n_rows].name);
	free(w->rows);
	free(w->total.name);
}

void counts_free(struct counts *c)
{
	if (!c)
		return;
	while (c->n_windows)
		free_window(&c->windows[--c->n_windows]);
	free(c->windows);
	free(c);
}

const struct counts_window *counts_window(const struct counts *c, unsigned int number)
{
	size_t i;

	for (i = 0; i < c->n_windows; i++)
		if (c->windows[i].number == number)
			return &c->windows[i];
	return NULL;
}

uint64_t counts_sum(const struct counts_window *w, const char *name, enum counts_column column)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < w->n_rows; i++)
		if (!strcmp(w->rows[i].name, name))
			sum += w->rows[i].n[column];
	return sum;
}

static bool rows_differ(unsigned int window, const struct counts_row *a,
			const struct counts_row *b, char *where, size_t size)
{
	int i;

	if (strcmp(a->name, b->name)) {
		snprintf(where, size, "window %u: %s runs in one and %s in the other", window,
			 a->name, b->name);
		return true;
	}
	for (i = 0; i < COUNTS_N; i++) {
		if (a->n[i] == b->n[i])
			continue;
		snprintf(where, size, "window %u: %s of %s: %llu and %llu", window, names[i],
			 a->name, (unsigned long long)a->n[i], (unsigned long long)b->n[i]);
		return true;
	}
	return false;
}

static bool windows_differ(const struct counts_window *a, const struct counts_window *b,
			   char *where, size_t size)
{
	size_t i;

	if (a->number != b->number || a->opened != b->opened) {
		snprintf(where, size, "window %u opened %llu times, window %u %llu times",
			 a->number, (unsigned long long)a->opened, b->number,
			 (unsigned long long)b->opened);
		return true;
	}
	for (i = 0; i < a->n_rows && i < b->n_rows; i++)
		if (rows_differ(a->number, &a->rows[i], &b->rows[i], where, size))
			return true;
	if (a->n_rows != b->n_rows) {
		snprintf(where, size, "window %u: %s runs in one only", a->number,
			 (a->n_rows > i ? a : b)->rows[i].name);
		return true;
	}
	return rows_differ(a->number, &a->total, &b->total, where, size);
}

bool counts_differ(const struct counts *a, const struct counts *b, char *where, size_t size)
{
	size_t i;

	if (a->n_windows != b->n_windows) {
		snprintf(where, size, "%zu windows and %zu", a->n_windows, b->n_windows);
		return true;
	}
	for (i = 0; i < a->n_windows; i++)
		if (windows_differ(&a->windows[i], &b->windows[i], where, size))
			return true;
	return false;
}
