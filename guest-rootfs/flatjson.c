// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Flat JSON: reads one object of scalars, writes strings.  See flatjson.h.
 *
 * The reader walks a cursor over the line and unescapes each string where it
 * stands, which never needs more room than the escaped form.  Duplicate keys
 * are allowed, the first one counts.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flatjson.h"

static void buf_room(struct buf *b, size_t more)
{
	size_t cap = b->cap ? b->cap : 256;

	while (cap - b->len < more)
		cap *= 2;
	if (cap == b->cap)
		return;
	b->p = realloc(b->p, cap);
	if (!b->p) {
		fprintf(stderr, "out of memory: %zu bytes\n", cap);
		exit(1);
	}
	b->cap = cap;
}

void buf_add(struct buf *b, const void *data, size_t len)
{
	buf_room(b, len + 1);
	if (len)
		memcpy(b->p + b->len, data, len);
	b->len += len;
	b->p[b->len] = '\0';
}

void buf_puts(struct buf *b, const char *s)
{
	buf_add(b, s, strlen(s));
}

void buf_printf(struct buf *b, const char *fmt, ...)
{
	char text[1024];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (n > (int)sizeof(text) - 1)
		n = sizeof(text) - 1;
	buf_add(b, text, n);
}

void buf_eat(struct buf *b, size_t n)
{
	if (!n)
		return;
	memmove(b->p, b->p + n, b->len - n);
	b->len -= n;
}

void buf_free(struct buf *b)
{
	free(b->p);
	memset(b, 0, sizeof(*b));
}

/* Length of the UTF-8 sequence at @s (RFC 3629), 0 if there is no valid one. */
static size_t utf8_len(const uint8_t *s, size_t left)
{
	static const struct {
		uint8_t lo, hi, len, min2, max2;
	} row[] = {
		{ 0x01, 0x7f, 1, 0, 0 },
		{ 0xc2, 0xdf, 2, 0x80, 0xbf },
		{ 0xe0, 0xe0, 3, 0xa0, 0xbf },
		{ 0xe1, 0xec, 3, 0x80, 0xbf },
		{ 0xed, 0xed, 3, 0x80, 0x9f },
		{ 0xee, 0xef, 3, 0x80, 0xbf },
		{ 0xf0, 0xf0, 4, 0x90, 0xbf },
		{ 0xf1, 0xf3, 4, 0x80, 0xbf },
		{ 0xf4, 0xf4, 4, 0x80, 0x8f },
	};
	size_t i, k;

	for (i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		if (*s < row[i].lo || *s > row[i].hi)
			continue;
		if (row[i].len > left)
			return 0;
		if (row[i].len > 1 && (s[1] < row[i].min2 || s[1] > row[i].max2))
			return 0;
		for (k = 2; k < row[i].len; k++)
			if ((s[k] & 0xc0) != 0x80)
				return 0;
		return row[i].len;
	}
	return 0;
}

static bool utf8_valid(const uint8_t *s, size_t len)
{
	size_t n;

	for (; len; s += n, len -= n) {
		n = utf8_len(s, len);
		if (!n)
			return false;
	}
	return true;
}

static void add_escaped(struct buf *b, const uint8_t *s, size_t len)
{
	size_t i, from = 0;

	for (i = 0; i < len; i++) {
		if (s[i] >= 0x20 && s[i] != '"' && s[i] != '\\' && s[i] != 0x7f)
			continue;
		buf_add(b, s + from, i - from);
		from = i + 1;
		if (s[i] == '"' || s[i] == '\\')
			buf_printf(b, "\\%c", s[i]);
		else if (s[i] == '\n')
			buf_puts(b, "\\n");
		else if (s[i] == '\t')
			buf_puts(b, "\\t");
		else
			buf_printf(b, "\\u%04x", s[i]);
	}
	buf_add(b, s + from, len - from);
}

static const char base64_digits[] =
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void add_base64(struct buf *b, const uint8_t *s, size_t len)
{
	char quad[4];
	uint32_t v;
	size_t i;

	for (i = 0; i < len; i += 3) {
		v = s[i] << 16;
		v |= i + 1 < len ? s[i + 1] << 8 : 0;
		v |= i + 2 < len ? s[i + 2] : 0;
		quad[0] = base64_digits[v >> 18];
		quad[1] = base64_digits[v >> 12 & 63];
		quad[2] = i + 1 < len ? base64_digits[v >> 6 & 63] : '=';
		quad[3] = i + 2 < len ? base64_digits[v & 63] : '=';
		buf_add(b, quad, 4);
	}
}

void buf_json_bytes(struct buf *b, const char *key, const void *data, size_t len)
{
	bool text = utf8_valid(data, len);

	buf_printf(b, "\"%s%s\":\"", key, text ? "" : "64");
	if (text)
		add_escaped(b, data, len);
	else
		add_base64(b, data, len);
	buf_puts(b, "\"");
}

long fj_unbase64(char *s, size_t len)
{
	size_t i, out = 0, pad = 0;
	uint32_t v = 0;
	const char *d;

	if (len % 4)
		return -1;
	for (i = 0; i < len; i++) {
		if (s[i] == '=') {
			/* one or two, at the very end */
			if (i + 2 < len || (i + 2 == len && s[i + 1] != '='))
				return -1;
			v <<= 6;
			pad++;
		} else {
			d = s[i] ? strchr(base64_digits, s[i]) : NULL;
			if (!d)
				return -1;
			v = v << 6 | (uint32_t)(d - base64_digits);
		}
		if (i % 4 != 3)
			continue;
		s[out++] = v >> 16;
		s[out++] = v >> 8;
		s[out++] = v;
		v = 0;
	}
	return out - pad;
}

/* The reader's place in the line. */
struct cursor {
	char *p, *end;
	const char *error;
};

static void skip_blanks(struct cursor *c)
{
	while (c->p < c->end && strchr(" \t\r", *c->p) && *c->p)
		c->p++;
}

/* Is the next thing @ch?  Then it is behind the cursor. */
static bool take(struct cursor *c, char ch)
{
	skip_blanks(c);
	if (c->p >= c->end || *c->p != ch)
		return false;
	c->p++;
	return true;
}

static bool take_word(struct cursor *c, const char *word)
{
	size_t n = strlen(word);

	if ((size_t)(c->end - c->p) < n || memcmp(c->p, word, n))
		return false;
	c->p += n;
	return true;
}

static long hex4(struct cursor *c)
{
	char digits[5], *end;
	long v;

	if (c->end - c->p < 4)
		return -1;
	memcpy(digits, c->p, 4);
	digits[4] = '\0';
	v = strtol(digits, &end, 16);
	if (*end || strspn(digits, "+- \t"))
		return -1;
	c->p += 4;
	return v;
}

static char *put_utf8(char *to, uint32_t v)
{
	if (v < 0x80) {
		*to++ = v;
	} else if (v < 0x800) {
		*to++ = 0xc0 | v >> 6;
		*to++ = 0x80 | (v & 63);
	} else if (v < 0x10000) {
		*to++ = 0xe0 | v >> 12;
		*to++ = 0x80 | (v >> 6 & 63);
		*to++ = 0x80 | (v & 63);
	} else {
		*to++ = 0xf0 | v >> 18;
		*to++ = 0x80 | (v >> 12 & 63);
		*to++ = 0x80 | (v >> 6 & 63);
		*to++ = 0x80 | (v & 63);
	}
	return to;
}

/* A \u escape, which may need a second one (a surrogate pair). */
static char *unescape_u(struct cursor *c, char *to)
{
	long hi = hex4(c), lo;

	if (hi >= 0xd800 && hi < 0xdc00 && take_word(c, "\\u")) {
		lo = hex4(c);
		if (lo >= 0xdc00 && lo < 0xe000)
			return put_utf8(to, 0x10000 + ((hi - 0xd800) << 10) + (lo - 0xdc00));
		hi = -1;
	}
	if (hi < 0 || (hi >= 0xd800 && hi < 0xe000)) {
		c->error = "bad \\u escape";
		return to;
	}
	return put_utf8(to, hi);
}

static char *unescape(struct cursor *c, char *to)
{
	static const char from[] = "\"\\/bfnrt", is[] = "\"\\/\b\f\n\r\t";
	const char *at;
	char ch = c->p < c->end ? *c->p++ : '\0';

	if (ch == 'u')
		return unescape_u(c, to);
	at = ch ? strchr(from, ch) : NULL;
	if (at)
		*to++ = is[at - from];
	else
		c->error = "bad escape";
	return to;
}

/* The string that the cursor stands on, unescaped where it is. */
static char *read_string(struct cursor *c, size_t *len)
{
	char *start, *to;

	if (!take(c, '"')) {
		c->error = "expected a string";
		return NULL;
	}
	start = to = c->p;
	while (c->p < c->end && *c->p != '"' && !c->error) {
		if (*c->p == '\\') {
			c->p++;
			to = unescape(c, to);
		} else {
			*to++ = *c->p++;
		}
	}
	if (!c->error && c->p >= c->end)
		c->error = "string without an end";
	if (c->error)
		return NULL;
	c->p++;
	*to = '\0';
	*len = to - start;
	return start;
}

static void read_number(struct cursor *c, struct fj_field *f)
{
	char *end;

	errno = 0;
	f->num = strtoll(c->p, &end, 10);
	if (end == c->p || errno || strchr(".eE", *end ? *end : ' '))
		c->error = "expected a string, an integer, true, false or null";
	c->p = end;
}

static void read_value(struct cursor *c, struct fj_field *f)
{
	skip_blanks(c);
	if (c->p < c->end && *c->p == '"') {
		f->type = FJ_STRING;
		f->str = read_string(c, &f->len);
	} else if (take_word(c, "true") || take_word(c, "false")) {
		f->type = FJ_BOOL;
		f->num = c->p[-2] == 'u';
	} else if (take_word(c, "null")) {
		f->type = FJ_NULL;
	} else {
		f->type = FJ_INT;
		read_number(c, f);
	}
}

const char *fj_parse(char *line, size_t len, struct fj_object *o)
{
	struct cursor c = { .p = line, .end = line + len };
	struct fj_field *f;
	size_t klen;

	line[len] = '\0';
	memset(o, 0, sizeof(*o));
	if (!take(&c, '{'))
		return "expected {";
	if (take(&c, '}'))
		goto end;
	do {
		if (o->n == FJ_FIELDS)
			return "too many fields";
		f = &o->field[o->n];
		f->key = read_string(&c, &klen);
		if (!c.error && !take(&c, ':'))
			return "expected :";
		if (!c.error)
			read_value(&c, f);
		if (c.error)
			return c.error;
		o->n++;
	} while (take(&c, ','));
	if (!take(&c, '}'))
		return "expected , or }";
end:
	skip_blanks(&c);
	return c.p == c.end ? NULL : "text after }";
}

const struct fj_field *fj_get(const struct fj_object *o, const char *key)
{
	int i;

	for (i = 0; i < o->n; i++)
		if (!strcmp(o->field[i].key, key))
			return &o->field[i];
	return NULL;
}

bool fj_int(const struct fj_object *o, const char *key, long long min,
	    long long max, long long otherwise, long long *value)
{
	const struct fj_field *f = fj_get(o, key);

	*value = f ? f->num : otherwise;
	return !f || (f->type == FJ_INT && f->num >= min && f->num <= max);
}
