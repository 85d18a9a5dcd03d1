// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Experiment files: see labfile.h.
 *
 * A keyword is a row of a table: its word, whether it belongs to the head or
 * to a workload, and its parser.  What the lines need of each other (a
 * prototype for a variant that declares) is looked at when all are read.
 */
#include "lab/labfile.h"

#include <ctype.h>
#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/insn.h"
#include "lab/timing.h"
#include "rig/source.h"

#define COUNT(a)	(sizeof(a) / sizeof((a)[0]))
#define WITHIN_MS	120000
#define GAP_US		20

struct parser {
	struct lab_file *lab;
	struct lab_workload *w;		/* the workload that lines belong to, or NULL */
	struct cursor c;
};

static const struct {
	const char *word, *what;
} kinds[] = {
#define LAB_KIND_ROW(id, word, what) [LAB_##id] = { word, what },
	LAB_KINDS(LAB_KIND_ROW)
#undef LAB_KIND_ROW
};
_Static_assert(COUNT(kinds) == LAB_KIND_COUNT, "a row for each kind");

const char *lab_kind_word(enum lab_kind kind)
{
	return kinds[kind].word;
}

/* --- what lines are made of ------------------------------------------------- */

static int take_word(struct parser *p, const char *what, char *to, size_t size)
{
	if (!cursor_word(&p->c))
		return cursor_missing(&p->c, what);
	if (strlen(p->c.word) >= size)
		return cursor_expected(&p->c, what);
	strcpy(to, p->c.word);
	return 0;
}

static int take_rest(struct parser *p, const char *what, char **to)
{
	const char *rest = cursor_rest(&p->c);

	if (!*rest)
		return cursor_missing(&p->c, what);
	free(*to);
	*to = strdup(rest);
	return *to ? 0 : -ENOMEM;
}

/* A C identifier, or what a symbol may be called. */
static int take_symbol(struct parser *p, const char *what, char *to, size_t size)
{
	const char *s;
	int err = take_word(p, what, to, size);

	for (s = to; !err && *s; s++)
		if (!isalnum((unsigned char)*s) && *s != '_' && *s != '.')
			err = cursor_expected(&p->c, what);
	return err;
}

/* What variants, workloads and programs are called: part of file names. */
static int take_name(struct parser *p, const char *what, char *to, size_t size)
{
	const char *s;
	int err = take_word(p, what, to, size);

	for (s = to; !err && *s; s++)
		if (!isalnum((unsigned char)*s) && !strchr("_-.", *s))
			err = cursor_expected(&p->c, what);
	return err;
}

/* A number with a fraction, and the unit glued to it: "268us", "1.5GHz". */
static int take_quantity(struct parser *p, const char *what, double *value, char *unit,
			 size_t size)
{
	char *end;

	if (!cursor_word(&p->c))
		return cursor_missing(&p->c, what);
	errno = 0;
	*value = strtod(p->c.word, &end);
	if (end == p->c.word || errno || strlen(end) >= size || !(*value < 1e15 && *value > -1e15))
		return cursor_expected(&p->c, what);
	strcpy(unit, end);
	return 0;
}

struct unit {
	const char *name;
	double factor;
};

static int take_in_units(struct parser *p, const char *what, const struct unit *units, size_t n,
			 double *value)
{
	char unit[8];
	int err = take_quantity(p, what, value, unit, sizeof(unit));
	size_t i;

	for (i = 0; !err && i < n; i++)
		if (!strcmp(units[i].name, unit)) {
			*value *= units[i].factor;
			return 0;
		}
	return err ? err : cursor_expected(&p->c, what);
}

static int expect_word(struct parser *p, const char *word)
{
	char what[64];

	snprintf(what, sizeof(what), "the word '%s'", word);
	if (!cursor_word(&p->c) || strcmp(p->c.word, word))
		return cursor_expected(&p->c, what);
	return 0;
}

/* --- the head --------------------------------------------------------------- */

static int parse_title(struct parser *p)
{
	return take_rest(p, "a title", &p->lab->title);
}

static int parse_arch(struct parser *p)
{
	int err = take_word(p, "arm64 or x86_64", p->lab->arch, sizeof(p->lab->arch));

	if (!err && !insn_decoder(p->lab->arch))
		err = cursor_expected(&p->c, "arm64 or x86_64");
	return err;
}

static int parse_kernel(struct parser *p)
{
	return take_word(p, "a kernel series, such as 6.12", p->lab->kernel,
			 sizeof(p->lab->kernel));
}

static int parse_config(struct parser *p)
{
	struct lab_file *lab = p->lab;
	int err;

	if (lab->n_config == LAB_CONFIGS)
		return cursor_error(&p->c, "expected at most %d config lines", LAB_CONFIGS);
	err = take_rest(p, "a line such as CONFIG_X=y", &lab->config[lab->n_config]);
	if (!err && strncmp(lab->config[lab->n_config], "CONFIG_", 7))
		err = cursor_error(&p->c, "expected a line such as CONFIG_X=y, found '%s'",
				   lab->config[lab->n_config]);
	lab->n_config += lab->config[lab->n_config] != NULL;
	return err;
}

static int parse_function(struct parser *p)
{
	return take_symbol(p, "a function's name", p->lab->function, sizeof(p->lab->function));
}

static int parse_object(struct parser *p)
{
	struct lab_file *lab = p->lab;
	int err = take_word(p, "an object, such as net/ipv4/udp.o", lab->object,
			    sizeof(lab->object));
	size_t n = strlen(lab->object);

	if (!err && (n < 3 || strcmp(lab->object + n - 2, ".o") || lab->object[0] == '/'))
		err = cursor_expected(&p->c, "an object, such as net/ipv4/udp.o");
	return err;
}

static int parse_module(struct parser *p)
{
	return take_symbol(p, "a module's name", p->lab->module, sizeof(p->lab->module));
}

static int parse_prototype(struct parser *p)
{
	return take_rest(p, "the function's prototype", &p->lab->prototype);
}

static int parse_core(struct parser *p)
{
	return take_word(p, "a core, such as cortex-a53", p->lab->core, sizeof(p->lab->core));
}

static int parse_watch(struct parser *p)
{
	struct lab_file *lab = p->lab;
	int err;

	do {
		if (lab->n_watch == LAB_WATCHED)
			return cursor_error(&p->c, "expected at most %d functions", LAB_WATCHED);
		err = take_symbol(p, "a function's name", lab->watch[lab->n_watch],
				  sizeof(lab->watch[0]));
		lab->n_watch += !err;
	} while (!err && cursor_more(&p->c));
	return err;
}

static int parse_predictor(struct parser *p)
{
	p->lab->predictor = true;
	return 0;
}

static int parse_trace(struct parser *p)
{
	p->lab->trace = true;
	return 0;
}

/* "time", or "time ROUNDS". */
static int parse_time(struct parser *p)
{
	p->lab->time_rounds = TIMING_ROUNDS;
	if (!cursor_more(&p->c))
		return 0;
	return cursor_number(&p->c, "rounds", 1, 100, &p->lab->time_rounds);
}

static int parse_margin(struct parser *p)
{
	static const struct unit percent[] = { { "%", 0.01 } };
	int err = take_in_units(p, "a margin, such as 1%", percent, 1, &p->lab->margin);

	if (!err && !(p->lab->margin > 0 && p->lab->margin < 1))
		err = cursor_expected(&p->c, "a margin between 0% and 100%");
	return err;
}

/* "claim +268us per 64 at 500MHz cpi 25 miss 100", or "claim stalls". */
static int parse_claim(struct parser *p)
{
	static const struct unit times[] = { { "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 } };
	static const struct unit clocks[] = { { "MHz", 1e6 }, { "GHz", 1e9 } };
	static const struct unit plain[] = { { "", 1 } };
	struct verdict_claim *c = &p->lab->claim;
	int err;

	if (!cursor_word(&p->c))
		return cursor_missing(&p->c, "a time, or 'stalls'");
	if (!strcmp(p->c.word, "stalls")) {
		p->lab->claims_stalls = true;
		return 0;
	}
	cursor_back(&p->c);
	err = take_in_units(p, "a time, such as +268us", times, COUNT(times), &c->ns) ?:
	      expect_word(p, "per") ?:
	      take_in_units(p, "a number of operations", plain, 1, &c->ops) ?:
	      expect_word(p, "at") ?:
	      take_in_units(p, "a clock, such as 500MHz", clocks, COUNT(clocks), &c->hz) ?:
	      expect_word(p, "cpi") ?:
	      take_in_units(p, "cycles of one instruction at worst", plain, 1, &c->worst_cpi);
	if (!err && cursor_more(&p->c))
		err = expect_word(p, "miss") ?:
		      take_in_units(p, "cycles of a miss to memory", plain, 1, &c->miss);
	if (!err && !(c->ops > 0 && c->hz > 0 && c->worst_cpi > 0 && c->miss >= 0))
		err = cursor_error(&p->c, "expected operations, clock and cycles above 0");
	p->lab->claimed = !err;
	return err;
}

static int parse_kind(struct parser *p, struct lab_variant *v)
{
	char what[256] = "one of";
	size_t i, n;

	cursor_word(&p->c);
	for (i = 0; i < LAB_KIND_COUNT; i++) {
		if (!strcmp(kinds[i].word, p->c.word)) {
			v->kind = i;
			return 0;
		}
		n = strlen(what);
		snprintf(what + n, sizeof(what) - n, "%s %s", i ? "," : "", kinds[i].word);
	}
	return cursor_expected(&p->c, what);
}

static int parse_variant_arg(struct parser *p, struct lab_variant *v)
{
	char *end;
	int err;

	if (!kinds[v->kind].what)
		return 0;
	err = take_rest(p, kinds[v->kind].what, &v->arg);
	if (!err && v->kind == LAB_ORDER &&
	    (strspn(v->arg, "0123456789") != strlen(v->arg) || strlen(v->arg) > 9))
		err = cursor_error(&p->c, "expected a number, found '%s'", v->arg);
	if (err || v->kind != LAB_PAD)
		return err;
	v->pad = strtoul(v->arg, &end, 10);
	if (*end || !v->pad || v->pad > 4096 || v->pad % 4)
		err = cursor_error(&p->c, "expected bytes, a multiple of 4 up to 4096, found '%s'",
				   v->arg);
	return err;
}

static int parse_variant(struct parser *p)
{
	struct lab_file *lab = p->lab;
	struct lab_variant *v = &lab->variants[lab->n_variants];
	size_t i;
	int err;

	if (lab->n_variants == LAB_VARIANTS)
		return cursor_error(&p->c, "expected at most %d variants", LAB_VARIANTS);
	v->line = p->c.line;
	err = take_name(p, "a variant's name", v->name, sizeof(v->name));
	for (i = 0; !err && i < lab->n_variants; i++)
		if (!strcmp(lab->variants[i].name, v->name))
			err = cursor_error(&p->c, "expected another name: '%s' is that of line %u",
					   v->name, lab->variants[i].line);
	lab->n_variants++;
	return err ?: parse_kind(p, v) ?: parse_variant_arg(p, v);
}

static int parse_program(struct parser *p)
{
	struct lab_file *lab = p->lab;
	struct lab_program *g = &lab->programs[lab->n_programs];
	int err;

	if (lab->n_programs == LAB_PROGRAMS)
		return cursor_error(&p->c, "expected at most %d programs", LAB_PROGRAMS);
	err = take_name(p, "the program's name", g->name, sizeof(g->name)) ?:
	      take_rest(p, "a C source file", &g->source);
	lab->n_programs += g->source != NULL;
	return err;
}

/* --- workloads -------------------------------------------------------------- */

static int begin_workload(struct parser *p, bool control)
{
	struct lab_file *lab = p->lab;
	struct lab_workload *w = &lab->workloads[lab->n_workloads];
	size_t i;
	int err;

	if (lab->n_workloads == LAB_WORKLOADS)
		return cursor_error(&p->c, "expected at most %d workloads", LAB_WORKLOADS);
	*w = (struct lab_workload){
		.control = control, .line = p->c.line, .within_ms = WITHIN_MS, .gap_us = GAP_US,
	};
	err = take_name(p, "a workload's name", w->name, sizeof(w->name));
	for (i = 0; !err && i < lab->n_workloads; i++)
		if (!strcmp(lab->workloads[i].name, w->name))
			err = cursor_error(&p->c, "expected another name: '%s' is that of line %u",
					   w->name, lab->workloads[i].line);
	p->w = w;
	lab->n_workloads++;
	return err;
}

static int parse_workload(struct parser *p)
{
	return begin_workload(p, false);
}

static int parse_control(struct parser *p)
{
	return begin_workload(p, true);
}

static int parse_machine(struct parser *p)
{
	return take_word(p, "options of the machine", p->w->machine, sizeof(p->w->machine));
}

/* "mac tx-coe rx-coe=2": properties of the MAC. */
static int parse_mac(struct parser *p)
{
	char *to = p->w->globals;
	size_t n = 0, size = sizeof(p->w->globals);

	while (cursor_word(&p->c)) {
		n += (size_t)snprintf(to + n, size - n, "%s%s%s", n ? " " : "", p->c.word,
				      strchr(p->c.word, '=') ? "" : "=on");
		if (n >= size)
			return cursor_error(&p->c, "expected fewer properties");
	}
	return n ? 0 : cursor_missing(&p->c, "properties of the MAC");
}

static int parse_wire(struct parser *p)
{
	return cursor_number(&p->c, "a MAC", 0, LAB_WIRES - 1, &p->w->wire);
}

static int parse_guest(struct parser *p)
{
	struct lab_workload *w = p->w;
	int err;

	if (w->n_commands == LAB_COMMANDS)
		return cursor_error(&p->c, "expected at most %d commands", LAB_COMMANDS);
	err = take_rest(p, "a shell command", &w->commands[w->n_commands]);
	w->n_commands += w->commands[w->n_commands] != NULL;
	return err;
}

static int parse_frames(struct parser *p)
{
	int err = take_rest(p, "a frame's description", &p->w->frames);

	p->w->frames_line = p->c.line;
	p->w->frames_column = (unsigned int)(p->c.word_at - p->c.text) + 1;
	return err;
}

static int parse_gap(struct parser *p)
{
	static const struct unit times[] = { { "us", 1 }, { "ms", 1e3 } };
	double us;
	int err = take_in_units(p, "a time, such as 20us", times, COUNT(times), &us);

	if (!err && !(us >= 1 && us <= 1e6))
		err = cursor_expected(&p->c, "a time from 1us to 1000ms");
	p->w->gap_us = err ? 0 : (unsigned long)us;
	return err;
}

static int parse_window(struct parser *p)
{
	struct lab_workload *w = p->w;

	cursor_word(&p->c);
	if (!strcmp(p->c.word, "function")) {
		w->window = LAB_WINDOW_FUNCTION;
		return take_symbol(p, "a function's name", w->window_function,
				   sizeof(w->window_function));
	}
	if (strcmp(p->c.word, "marker"))
		return cursor_expected(&p->c, "'function NAME' or 'marker N'");
	w->window = LAB_WINDOW_MARKER;
	return cursor_number(&p->c, "a marker", 1, INSN_MARK_WINDOWS, &w->window_marker);
}

static int parse_per(struct parser *p)
{
	struct lab_workload *w = p->w;

	cursor_word(&p->c);
	if (!strcmp(p->c.word, "call")) {
		w->per = LAB_PER_CALLS;
		return take_symbol(p, "a function's name", w->per_function,
				   sizeof(w->per_function));
	}
	if (!strcmp(p->c.word, "frame")) {
		w->per = LAB_PER_FRAMES;
		return 0;
	}
	if (strcmp(p->c.word, "number"))
		return cursor_expected(&p->c, "'call FUNCTION', 'frame' or 'number N'");
	w->per = LAB_PER_NUMBER;
	return cursor_number(&p->c, "operations", 1, 1000000000, &w->per_number);
}

static int parse_within(struct parser *p)
{
	return cursor_time(&p->c, &p->w->within_ms);
}

static const struct keyword {
	const char *word;
	bool of_workload;
	int (*parse)(struct parser *p);
} keywords[] = {
	{ "title", false, parse_title },
	{ "arch", false, parse_arch },
	{ "kernel", false, parse_kernel },
	{ "config", false, parse_config },
	{ "function", false, parse_function },
	{ "object", false, parse_object },
	{ "module", false, parse_module },
	{ "prototype", false, parse_prototype },
	{ "core", false, parse_core },
	{ "watch", false, parse_watch },
	{ "trace", false, parse_trace },
	{ "predictor", false, parse_predictor },
	{ "time", false, parse_time },
	{ "margin", false, parse_margin },
	{ "claim", false, parse_claim },
	{ "variant", false, parse_variant },
	{ "program", false, parse_program },
	{ "workload", false, parse_workload },
	{ "control", false, parse_control },
	{ "machine", true, parse_machine },
	{ "mac", true, parse_mac },
	{ "wire", true, parse_wire },
	{ "guest", true, parse_guest },
	{ "frames", true, parse_frames },
	{ "gap", true, parse_gap },
	{ "window", true, parse_window },
	{ "per", true, parse_per },
	{ "within", true, parse_within },
};

static const struct keyword *find_keyword(const char *word)
{
	size_t i;

	for (i = 0; i < COUNT(keywords); i++)
		if (!strcmp(keywords[i].word, word))
			return &keywords[i];
	return NULL;
}

static int parse_line(struct parser *p)
{
	const struct keyword *k;
	int err;

	if (!cursor_word(&p->c))
		return 0;
	k = find_keyword(p->c.word);
	if (!k)
		return cursor_expected(&p->c, "a keyword of lab files");
	if (k->of_workload && !p->w)
		return cursor_error(&p->c, "expected '%s' behind a workload's line", k->word);
	err = k->parse(p);
	if (err || p->c.error[0])		/* a quote that is not closed */
		return err ?: -EINVAL;
	if (cursor_word(&p->c))
		return cursor_expected(&p->c, "the end of the line");
	return 0;
}

/* --- what the lines need of each other ---------------------------------------- */

static int lacks(const struct lab_file *lab, unsigned int line, char *error, const char *what)
{
	if (line)
		snprintf(error, ERROR_SIZE, "%s:%u: expected %s", lab->path, line, what);
	else
		snprintf(error, ERROR_SIZE, "%s: expected %s, found none", lab->path, what);
	return -EINVAL;
}

static int check_variant(const struct lab_file *lab, const struct lab_variant *v, char *error)
{
	if (v->kind == LAB_DECLARE && !lab->prototype)
		return lacks(lab, v->line, error, "a prototype line for a variant that declares");
	if ((v->kind == LAB_DECLARE || v->kind == LAB_CFLAGS || v->kind == LAB_PAD ||
	     v->kind == LAB_OBJECT_CC || v->kind == LAB_ORDER) &&
	    !lab->object[0])
		return lacks(lab, v->line, error, "an object line for a variant of one object");
	return 0;
}

static int check_workload(const struct lab_file *lab, const struct lab_workload *w, char *error)
{
	if (!w->n_commands)
		return lacks(lab, w->line, error, "a guest line in this workload");
	if (w->window == LAB_WINDOW_FUNCTION && !w->window_function[0])
		return lacks(lab, w->line, error, "a window line in this workload");
	if (w->per == LAB_PER_CALLS && !w->per_function[0])
		return lacks(lab, w->line, error, "a per line in this workload");
	if (w->per == LAB_PER_FRAMES && !w->frames)
		return lacks(lab, w->line, error, "a frames line for 'per frame'");
	return 0;
}

static int check_head(const struct lab_file *lab, char *error)
{
	const struct {
		bool there;
		const char *what;
	} needed[] = {
		{ lab->title, "a title line" },
		{ lab->arch[0], "an arch line" },
		{ lab->kernel[0], "a kernel line" },
		{ lab->function[0], "a function line" },
		{ lab->n_variants >= 2, "two variant lines or more" },
		{ lab->n_workloads, "a workload line" },
	};
	size_t i;

	for (i = 0; i < COUNT(needed); i++)
		if (!needed[i].there)
			return lacks(lab, 0, error, needed[i].what);
	return 0;
}

static int check(const struct lab_file *lab, char *error)
{
	int err = check_head(lab, error);
	bool measured = false;
	size_t i;

	for (i = 0; !err && i < lab->n_variants; i++)
		err = check_variant(lab, &lab->variants[i], error);
	for (i = 0; !err && i < lab->n_workloads; i++) {
		err = check_workload(lab, &lab->workloads[i], error);
		measured |= !lab->workloads[i].control;
	}
	if (!err && !measured)
		err = lacks(lab, 0, error, "a workload that is no control");
	return err;
}

static int parse_all(struct lab_file *lab, const struct source *s, char *error)
{
	struct parser p = { .lab = lab };
	size_t i;
	int err = 0;

	for (i = 0; !err && i < s->count; i++) {
		cursor_init(&p.c, s, i, error);
		err = parse_line(&p);
	}
	return err ?: check(lab, error);
}

static int set_paths(struct lab_file *lab, const char *path)
{
	char *copy = strdup(path);

	lab->path = strdup(path);
	lab->dir = copy ? strdup(dirname(copy)) : NULL;
	free(copy);
	return lab->path && lab->dir ? 0 : -ENOMEM;
}

int labfile_load(struct lab_file *lab, const char *path, char *error)
{
	struct source s;
	int err;

	memset(lab, 0, sizeof(*lab));
	error[0] = '\0';
	err = source_read(&s, path, error);
	if (err)
		return err;
	err = set_paths(lab, path) ?: parse_all(lab, &s, error);
	source_free(&s);
	if (err) {
		if (!error[0])
			snprintf(error, ERROR_SIZE, "%s: %s", path, strerror(-err));
		labfile_free(lab);
	}
	return err;
}

static void free_workload(struct lab_workload *w)
{
	while (w->n_commands)
		free(w->commands[--w->n_commands]);
	free(w->frames);
}

void labfile_free(struct lab_file *lab)
{
	size_t i;

	for (i = 0; i < lab->n_config; i++)
		free(lab->config[i]);
	for (i = 0; i < lab->n_variants; i++)
		free(lab->variants[i].arg);
	for (i = 0; i < lab->n_workloads; i++)
		free_workload(&lab->workloads[i]);
	for (i = 0; i < lab->n_programs; i++)
		free(lab->programs[i].source);
	free(lab->title);
	free(lab->prototype);
	free(lab->path);
	free(lab->dir);
	memset(lab, 0, sizeof(*lab));
}

/* --- headers ------------------------------------------------------------------ */

/* "struct x;" for each structure that the prototype names, once. */
static void declare_structures(FILE *out, const char *prototype)
{
	const char *s = prototype;
	char seen[512] = " ";
	size_t n, used = 1;

	while ((s = strstr(s, "struct "))) {
		char name[66];

		s += strlen("struct ");
		s += strspn(s, " ");
		n = strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
		snprintf(name, sizeof(name), " %.*s ", n < 63 ? (int)n : 63, s);
		if (!n || strstr(seen, name) || used + n + 2 >= sizeof(seen))
			continue;
		used += (size_t)snprintf(seen + used, sizeof(seen) - used, "%s", name + 1);
		fprintf(out, "struct%.*s;\n", (int)strlen(name) - 1, name);
	}
}

/* The words go behind "static", which belongs at the beginning. */
static void declare(FILE *out, const char *prototype, const char *words)
{
	bool is_static = !strncmp(prototype, "static ", 7);

	fprintf(out, "%s%s %s;\n", is_static ? "static " : "", words,
		prototype + (is_static ? 7 : 0));
}

char *labfile_header(const struct lab_file *lab, const struct lab_variant *v)
{
	char *text = NULL;
	size_t size;
	FILE *out;

	if (v->kind != LAB_DECLARE && v->kind != LAB_PAD)
		return NULL;
	out = open_memstream(&text, &size);
	if (!out)
		return NULL;
	if (v->kind == LAB_PAD) {
		fprintf(out, "__asm__(\".pushsection .text\\n.skip %lu\\n.popsection\");\n",
			v->pad);
	} else {
		declare_structures(out, lab->prototype);
		declare(out, lab->prototype, v->arg);
	}
	fclose(out);
	return text;
}
