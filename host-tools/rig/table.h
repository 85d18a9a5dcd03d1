/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables: values of a scenario's variables, a row each scenario.
 *
 * Columns are separated by tabs; the first line that is no comment names them.
 * A line that begins with '#' is a comment.
 */
#ifndef TAGRIG_RIG_TABLE_H
#define TAGRIG_RIG_TABLE_H

#include <stddef.h>

#define TABLE_COLUMNS 16

struct table {
	size_t columns;
	size_t rows;
	char *name[TABLE_COLUMNS];
	char **cell;		/* rows * columns; row by row */
};

/*
 * Reads @path.  -EINVAL and other negative errno with "FILE:LINE: expected X,
 * found Y" in @error (ERROR_SIZE); then there is nothing to free.
 */
int table_read(struct table *t, const char *path, char *error);
void table_free(struct table *t);

/* The cell below the column whose name is the @len bytes at @name, or NULL. */
const char *table_value(const struct table *t, size_t row, const char *name, size_t len);

#endif
