/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Flat JSON: reads one object of scalars, writes strings.
 *
 * The guest's tools talk to the host in lines of JSON (PROTOCOL.md).  What
 * they read has no arrays and no objects inside, so a page of code does it and
 * nothing has to be cross-compiled.  Not read: fractions and exponents.
 */
#ifndef GUEST_FLATJSON_H
#define GUEST_FLATJSON_H

#include <stdbool.h>
#include <stddef.h>

/* A growing buffer.  Running out of memory ends the program with a message. */
struct buf {
	char *p;
	size_t len, cap;
};

void buf_add(struct buf *b, const void *data, size_t len);
void buf_puts(struct buf *b, const char *s);
void buf_printf(struct buf *b, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* Drops the first @n bytes. */
void buf_eat(struct buf *b, size_t n);
void buf_free(struct buf *b);

/*
 * Adds `"KEY":"…"` when @data is valid UTF-8 without NUL, else `"KEY64":"…"`
 * with the bytes in base64 (RFC 4648, padded).
 */
void buf_json_bytes(struct buf *b, const char *key, const void *data, size_t len);

enum fj_type { FJ_NULL, FJ_BOOL, FJ_INT, FJ_STRING };

struct fj_field {
	const char *key;
	enum fj_type type;
	long long num;		/* FJ_INT, FJ_BOOL */
	char *str;		/* FJ_STRING: NUL-terminated, may hold NULs */
	size_t len;
};

#define FJ_FIELDS 16

struct fj_object {
	struct fj_field field[FJ_FIELDS];
	int n;
};

/*
 * Reads the object in @line (@len bytes, and one byte after it that may be
 * overwritten).  Strings are unescaped in place: the object points into @line.
 * Returns NULL, or what is wrong.
 */
const char *fj_parse(char *line, size_t len, struct fj_object *o);

/* The field of that name, or NULL. */
const struct fj_field *fj_get(const struct fj_object *o, const char *key);

/*
 * The number in field @key, or @otherwise if there is none.  False when the
 * field has another type or is outside @min..@max.
 */
bool fj_int(const struct fj_object *o, const char *key, long long min,
	    long long max, long long otherwise, long long *value);

/* Decodes base64 in place; returns the length or -1 for bad input. */
long fj_unbase64(char *s, size_t len);

#endif
