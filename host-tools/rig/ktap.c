// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * KTAP on stdout, and the same results as JSON: see ktap.h.
 *
 * Plans come last ("1..N" after the results), which KTAP allows, because how
 * many checks a scenario makes is known when it has ended or died.
 */
#include "ktap.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

static const char *const result_words[] = {
	[KTAP_PASS] = "pass",
	[KTAP_FAIL] = "fail",
	[KTAP_SKIP] = "skip",
	[KTAP_XFAIL] = "xfail",
};

static void emit(struct ktap *k, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void emit_to(FILE *f, unsigned int depth, const char *fmt, va_list ap)
{
	va_list again;

	if (!f)
		return;
	va_copy(again, ap);
	fprintf(f, "%*s", (int)depth * 4, "");
	vfprintf(f, fmt, again);
	fputc('\n', f);
	fflush(f);
	va_end(again);
}

static void emit(struct ktap *k, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	emit_to(k->out, k->depth, fmt, ap);
	emit_to(k->copy, k->depth, fmt, ap);
	va_end(ap);
}

static struct ktap_level *top(struct ktap *k)
{
	return &k->level[k->depth];
}

static void open_level(struct ktap *k, const char *name)
{
	struct ktap_level *l = top(k);

	memset(l, 0, sizeof(*l));
	l->results = json_array();
	snprintf(l->name, sizeof(l->name), "%s", name);
}

void ktap_begin(struct ktap *k, FILE *out, FILE *copy)
{
	memset(k, 0, sizeof(*k));
	k->out = out;
	k->copy = copy;
	open_level(k, "");
	emit(k, "KTAP version 1");
}

void ktap_down(struct ktap *k, const char *name)
{
	assert(k->depth + 1 < KTAP_DEPTH);
	k->depth++;
	open_level(k, name);
	emit(k, "KTAP version 1");
	emit(k, "# Subtest: %s", name);
}

static void count(struct ktap_totals *t, enum ktap_result result)
{
	switch (result) {
	case KTAP_XFAIL:
		t->xfailed++;
		t->passed++;
		break;
	case KTAP_PASS:
		t->passed++;
		break;
	case KTAP_FAIL:
		t->failed++;
		break;
	case KTAP_SKIP:
		t->skipped++;
		break;
	}
}

/* KTAP ends a description at '#': none may stand in a name. */
static void clean_name(char *to, size_t size, const char *from)
{
	snprintf(to, size, "%s", from);
	for (; *to; to++) {
		if (*to == '#' || *to == '\n')
			*to = ' ';
	}
}

static void print_result(struct ktap *k, enum ktap_result result, const char *name,
			 const char *why)
{
	static const char *const directive[] = {
		[KTAP_PASS] = "", [KTAP_FAIL] = "",
		[KTAP_SKIP] = " # SKIP ", [KTAP_XFAIL] = " # XFAIL ",
	};
	bool tagged = result == KTAP_SKIP || result == KTAP_XFAIL;
	char clean[256];

	clean_name(clean, sizeof(clean), name);
	emit(k, "%s %u %s%s%s", result == KTAP_FAIL ? "not ok" : "ok",
	     ++top(k)->count, clean, directive[result], tagged && why ? why : "");
	if (why && *why && !tagged)
		emit(k, "# %s", why);
}

void ktap_check(struct ktap *k, enum ktap_result result, const char *name,
		const char *why, json_t *detail)
{
	json_t *o = json_pack("{s:s, s:s, s:s*}", "name", name, "result",
			      result_words[result], "why", why);

	count(&top(k)->totals, result);
	print_result(k, result, name, why);
	if (detail)
		json_object_set_new(o, "detail", detail);
	json_array_append_new(top(k)->results, o);
}

json_t *ktap_last(struct ktap *k)
{
	json_t *results = top(k)->results;

	return json_array_get(results, json_array_size(results) - 1);
}

void ktap_note(struct ktap *k, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	emit(k, "# %s", text);
}

static void add_totals(struct ktap_totals *to, const struct ktap_totals *t)
{
	to->passed += t->passed;
	to->failed += t->failed;
	to->skipped += t->skipped;
	to->xfailed += t->xfailed;
}

void ktap_up(struct ktap *k)
{
	struct ktap_level *l = top(k);
	enum ktap_result result = KTAP_PASS;

	assert(k->depth > 0);
	if (l->totals.failed || !l->count)
		result = KTAP_FAIL;
	else if (!l->totals.passed)
		result = KTAP_SKIP;
	emit(k, "1..%u", l->count);
	k->depth--;
	add_totals(&top(k)->totals, &l->totals);
	/* A level in which nothing ran has shown nothing: one failure. */
	if (!l->count)
		top(k)->totals.failed++;
	print_result(k, result, l->name,
		     !l->count ? "no check ran" :
		     result == KTAP_SKIP ? "all of it was skipped" : NULL);
	json_array_append_new(top(k)->results,
			      json_pack("{s:s, s:s, s:o}", "name", l->name, "result",
					result_words[result], "checks", l->results));
}

void ktap_fork(struct ktap *k, FILE *out, unsigned int index)
{
	struct ktap_level *l = top(k);

	k->out = out;
	k->copy = NULL;
	l->count = index;
	l->totals = (struct ktap_totals){ 0 };
	json_decref(l->results);
	l->results = json_array();
}

json_t *ktap_forked(struct ktap *k)
{
	struct ktap_totals *t = &top(k)->totals;

	return json_pack("{s:i, s:i, s:i, s:i, s:o}", "passed", t->passed, "failed",
			 t->failed, "skipped", t->skipped, "xfailed", t->xfailed,
			 "results", top(k)->results);
}

void ktap_adopt(struct ktap *k, json_t *forked)
{
	struct ktap_level *l = top(k);
	struct ktap_totals t = { 0 };
	json_t *results = NULL;

	json_unpack(forked, "{s:i, s:i, s:i, s:i, s:o}", "passed", &t.passed, "failed",
		    &t.failed, "skipped", &t.skipped, "xfailed", &t.xfailed, "results",
		    &results);
	add_totals(&l->totals, &t);
	l->count += (unsigned int)json_array_size(results);
	json_array_extend(l->results, results);
}

static void raw_to(FILE *f, const char *text, size_t len)
{
	if (!f)
		return;
	fwrite(text, 1, len, f);
	fflush(f);
}

void ktap_raw(struct ktap *k, const char *text, size_t len)
{
	raw_to(k->out, text, len);
	raw_to(k->copy, text, len);
}

json_t *ktap_end(struct ktap *k, struct ktap_totals *totals)
{
	struct ktap_totals *t = &k->level[0].totals;

	while (k->depth)
		ktap_up(k);
	emit(k, "1..%u", k->level[0].count);
	emit(k, "%u passed, %u failed, %u skipped", t->passed, t->failed, t->skipped);
	if (totals)
		*totals = *t;
	return json_pack("{s:i, s:i, s:i, s:i, s:o}", "passed", t->passed, "failed",
			 t->failed, "skipped", t->skipped, "xfailed", t->xfailed,
			 "results", k->level[0].results);
}
