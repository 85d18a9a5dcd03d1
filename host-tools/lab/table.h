/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables for a terminal: text to the left, numbers to the right, columns as
 * wide as they must be.
 */
#ifndef TAGRIG_LAB_TABLE_H
#define TAGRIG_LAB_TABLE_H

#include <stddef.h>
#include <stdio.h>

#define TABLE_COLUMNS 16

struct table {
	char **cells;		/* row after row */
	size_t n;
	size_t columns;
	int failed;		/* out of memory: table_print() says so */
};

/* @head: the columns' names, NULL-terminated; "-" in front: numbers. */
void table_init(struct table *t, const char *const *head);

/* The next cell; the last one of a row begins the next row. */
void table_add(struct table *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Prints each line behind @indent, and frees everything. */
void table_print(struct table *t, FILE *out, const char *indent);

#endif
