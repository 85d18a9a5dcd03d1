// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Scenario files: see scenario.h and tagrig-rig(5).
 *
 * Two passes.  The first reads the variables ("var NAME VALUE...", "table
 * FILE"); the second goes through the file once for each combination, puts the
 * values in place of $NAME and parses what comes out.  A keyword is a row of a
 * table: its word, whether it belongs to the head or to the steps, and its
 * parser.  "for" parses the lines down to its "end" once for each value, "when"
 * parses the rest of its line or does not: neither leaves a trace in the steps.
 */
#include "scenario.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "table.h"

#define VARS	   6
#define LOOPS	   4
#define VALUES	   16
#define COMBINATIONS 1024
#define DEFAULT_MS 20000
#define COUNT(a)   (sizeof(a) / sizeof((a)[0]))

struct var {
	char name[32];
	char value[VALUES][64];
	unsigned int values;
	unsigned int now;	/* index into .value in this combination */
};

/* The variable of a "for" that is being parsed. */
struct loop_var {
	char name[32];
	char value[64];
};

struct parser {
	struct source source;
	struct var var[VARS];
	unsigned int vars;
	struct table table;
	char *table_path;	/* NULL: there is none */
	size_t row;		/* of the table, in this combination */
	struct loop_var loop[LOOPS];
	unsigned int loops;
	struct scenario *s;
	struct cursor c;
	const char *keyword_at;	/* in the line, behind any "when" */
	char *error;
};

/* The first one is what a file without "mac" gets. */
static const struct scenario_mac macs[] = {
	{ "gmac-3.70a", "gmac", "dwmac-gmac", "" },
	{ "qos-4.10a", "qos", "dwmac-qos", "snpsver=0x41" },
	{ "qos-5.10a", "qos", "dwmac-qos", "snpsver=0x51" },
	{ "qos-5.20", "qos", "dwmac-qos", "snpsver=0x52" },
	{ "xgmac-2.10", "xgmac", "dwmac-xgmac", "" },
};

static const char *const switch_words[] = {
	[SWITCH_NONE] = "none",
	[SWITCH_MV88E6352] = "mv88e6352",
	[SWITCH_RIG] = "rig",
};

static struct step *new_step(struct parser *p, enum step_kind kind)
{
	struct scenario *s = p->s;
	struct step *step;

	step = realloc(s->steps, (s->count + 1) * sizeof(*step));
	if (!step)
		return NULL;
	s->steps = step;
	step += s->count++;
	memset(step, 0, sizeof(*step));
	step->kind = kind;
	step->line = p->c.line;
	return step;
}

/* Takes the rest of the line, which must not be empty. */
static int take_rest(struct parser *p, const char *what, char **text)
{
	const char *rest = cursor_rest(&p->c);

	if (!*rest)
		return cursor_missing(&p->c, what);
	free(*text);
	*text = strdup(rest);
	return *text ? 0 : -ENOMEM;
}

static int take_name(struct parser *p, const char *what, char *to, size_t size)
{
	if (!cursor_word(&p->c))
		return cursor_missing(&p->c, what);
	if (strlen(p->c.word) >= size)
		return cursor_expected(&p->c, what);
	strcpy(to, p->c.word);
	return 0;
}

/* --- the head ------------------------------------------------------------- */

static int parse_title(struct parser *p)
{
	return take_rest(p, "a title", &p->s->title);
}

static int parse_label(struct parser *p, bool fixed)
{
	struct scenario *s = p->s;

	do {
		if (s->labels == SCENARIO_LABELS)
			return cursor_error(&p->c, "expected at most %d labels",
					    SCENARIO_LABELS);
		if (take_name(p, "a commit, a version or 'unknown'",
			      s->label[s->labels].what, sizeof(s->label[0].what)))
			return -EINVAL;
		if (strcmp(p->c.word, "unknown"))
			s->label[s->labels++].fixed = fixed;
	} while (cursor_more(&p->c));
	return 0;
}

static int parse_fixed(struct parser *p)
{
	return parse_label(p, true);
}

static int parse_broken(struct parser *p)
{
	return parse_label(p, false);
}

static int parse_model(struct parser *p)
{
	char words[128] = "a MAC:";
	size_t i, n = strlen(words);

	cursor_word(&p->c);
	for (i = 0; i < COUNT(macs); i++) {
		if (!strcmp(macs[i].word, p->c.word)) {
			p->s->model = &macs[i];
			return 0;
		}
		n += (size_t)snprintf(words + n, sizeof(words) - n, " %s", macs[i].word);
	}
	return cursor_expected(&p->c, words);
}

/* "mac gmac-3.70a tx-coe rx-coe=2": the model, then its properties. */
static int parse_mac(struct parser *p)
{
	struct scenario *s = p->s;
	size_t n;

	if (parse_model(p))
		return -EINVAL;
	n = (size_t)snprintf(s->mac, sizeof(s->mac), "%s", s->model->properties);
	while (cursor_word(&p->c)) {
		bool value = strchr(p->c.word, '=');

		n += (size_t)snprintf(s->mac + n, sizeof(s->mac) - n, "%s%s%s",
				      n ? " " : "", p->c.word, value ? "" : "=on");
		if (n >= sizeof(s->mac))
			return cursor_error(&p->c, "expected fewer MAC options");
	}
	return 0;
}

static int switch_option(struct parser *p)
{
	struct scenario *s = p->s;
	char *end;

	if (!strncmp(p->c.word, "tag=", 4) && strlen(p->c.word) < sizeof(s->tag) + 4) {
		strcpy(s->tag, p->c.word + 4);
		return 0;
	}
	if (!strncmp(p->c.word, "ports=", 6)) {
		s->ports = (unsigned int)strtoul(p->c.word + 6, &end, 10);
		if (!*end && s->ports >= 1 && s->ports <= 4)
			return 0;
		return cursor_expected(&p->c, "ports=1 to ports=4");
	}
	if (!strncmp(p->c.word, "index=", 6)) {
		s->index = (unsigned int)strtoul(p->c.word + 6, &end, 10);
		if (!*end && end > p->c.word + 6 && s->index <= 31)
			return 0;
		return cursor_expected(&p->c, "index=0 to index=31");
	}
	return cursor_expected(&p->c, "tag=NAME, ports=N or index=N");
}

static int parse_switch(struct parser *p)
{
	size_t i;

	cursor_word(&p->c);
	for (i = 0; i < COUNT(switch_words); i++) {
		if (!strcmp(switch_words[i], p->c.word))
			break;
	}
	if (i == COUNT(switch_words))
		return cursor_expected(&p->c, "a switch: mv88e6352, rig or none");
	p->s->sw = (enum switch_kind)i;
	while (cursor_word(&p->c)) {
		if (switch_option(p))
			return -EINVAL;
	}
	return 0;
}

/* "iommu smmuv3": the MACs' DMA goes through one. */
static int parse_iommu(struct parser *p)
{
	cursor_word(&p->c);
	if (strcmp(p->c.word, "smmuv3") && strcmp(p->c.word, "none"))
		return cursor_expected(&p->c, "an IOMMU: smmuv3 or none");
	p->s->smmu = !strcmp(p->c.word, "smmuv3");
	return 0;
}

static int parse_kernel(struct parser *p)
{
	return take_rest(p, "kernel parameters", &p->s->kernel);
}

/* Read in the first pass. */
static int parse_var(struct parser *p)
{
	cursor_rest(&p->c);
	return 0;
}

/* --- the steps ------------------------------------------------------------ */

static int parse_test(struct parser *p)
{
	struct step *step = new_step(p, STEP_TEST);

	return step ? take_rest(p, "the test's name", &step->text) : -ENOMEM;
}

/* "[exit 1, within 30s]" right behind the keyword. */
static int command_options(struct parser *p, struct step *step, char *options)
{
	struct source_line line = { p->c.line, options };
	struct source source = { p->c.file, &line, 1 };
	struct cursor c;
	unsigned long n;

	for (char *comma = options; (comma = strchr(comma, ',')); )
		*comma = ' ';
	cursor_init(&c, &source, 0, p->error);
	while (cursor_word(&c)) {
		int err = 0;

		if (!strcmp(c.word, "exit"))
			err = cursor_number(&c, "an exit status", 0, 255, &n) ?:
			      (step->exit = (int)n, 0);
		else if (!strcmp(c.word, "within"))
			err = cursor_time(&c, &step->within_ms);
		else if (!strcmp(c.word, "ready") && step->kind == STEP_START)
			err = cursor_word(&c) ?
			      (snprintf(step->ready, sizeof(step->ready), "%s", c.word), 0) :
			      cursor_missing(&c, "the beginning of a line");
		else
			err = cursor_expected(&c, "exit N, within TIME or (start) ready TEXT");
		if (err)
			return err;
	}
	return 0;
}

static int parse_command(struct parser *p, struct step *step)
{
	char options[128] = "";
	size_t n;

	step->within_ms = DEFAULT_MS;
	if (*p->c.at == '[') {
		n = strcspn(++p->c.at, "]");
		if (p->c.at[n] != ']' || n >= sizeof(options))
			return cursor_error(&p->c, "expected ']' behind the options");
		memcpy(options, p->c.at, n);
		p->c.at += n + 1;
	}
	if (command_options(p, step, options))
		return -EINVAL;
	if (step->kind == STEP_START &&
	    take_name(p, "the command's name", step->name, sizeof(step->name)))
		return -EINVAL;
	return take_rest(p, "a shell command", &step->text);
}

static int parse_guest(struct parser *p)
{
	struct step *step = new_step(p, STEP_GUEST);

	return step ? parse_command(p, step) : -ENOMEM;
}

static int parse_start(struct parser *p)
{
	struct step *step = new_step(p, STEP_START);

	return step ? parse_command(p, step) : -ENOMEM;
}

static int parse_peer(struct parser *p)
{
	struct step *step = new_step(p, STEP_PEER);

	if (!step)
		return -ENOMEM;
	if (take_name(p, "a port", step->name, sizeof(step->name)))
		return -EINVAL;
	do {
		if (step->addrs == SCENARIO_ADDRS)
			return cursor_error(&p->c, "expected at most %d addresses",
					    SCENARIO_ADDRS);
		if (take_name(p, "an IPv4 or IPv6 address", step->addr[step->addrs],
			      sizeof(step->addr[0])))
			return -EINVAL;
		step->addrs++;
	} while (cursor_more(&p->c));
	return 0;
}

static int parse_send(struct parser *p)
{
	struct step *step = new_step(p, STEP_SEND);
	int err;

	if (!step)
		return -ENOMEM;
	if (take_name(p, "a port, or conduit", step->name, sizeof(step->name)))
		return -EINVAL;
	err = take_rest(p, "a frame", &step->text);
	step->column = (unsigned int)(p->c.word_at - p->c.text) + 1;
	return err;
}

/* "connect PORT data N csum WORD ENDS...": the text is what describes the SYN. */
static int parse_connect(struct parser *p)
{
	struct step *step = new_step(p, STEP_CONNECT);
	unsigned long n;
	int err;

	if (!step)
		return -ENOMEM;
	if (take_name(p, "a port", step->name, sizeof(step->name)))
		return -EINVAL;
	if (!cursor_word(&p->c) || strcmp(p->c.word, "data"))
		return cursor_expected(&p->c, "data");
	if (cursor_number(&p->c, "bytes of data", 1, SCENARIO_DATA, &n))
		return -EINVAL;
	step->data = (unsigned int)n;
	if (!cursor_word(&p->c) || strcmp(p->c.word, "csum"))
		return cursor_expected(&p->c, "csum");
	if (!cursor_word(&p->c) || (strcmp(p->c.word, "good") && strcmp(p->c.word, "bad")))
		return cursor_expected(&p->c, "good or bad");
	step->bad = p->c.word[0] == 'b';
	err = take_rest(p, "both ends, such as 192.0.2.2:7 > 192.0.2.1:9", &step->text);
	step->column = (unsigned int)(p->c.word_at - p->c.text) + 1;
	return err;
}

/* "replay PORT FILE": the text is the file's name. */
static int parse_replay(struct parser *p)
{
	struct step *step = new_step(p, STEP_REPLAY);

	if (!step)
		return -ENOMEM;
	if (take_name(p, "a port, or conduit", step->name, sizeof(step->name)))
		return -EINVAL;
	if (!cursor_word(&p->c))
		return cursor_missing(&p->c, "a capture's file name");
	step->text = strdup(p->c.word);
	return step->text ? 0 : -ENOMEM;
}

/* "fault eth0 rx-overflow=3": a property of the MAC, "on" without a value. */
static int parse_fault(struct parser *p)
{
	struct step *step = new_step(p, STEP_FAULT);
	char *value;

	if (!step)
		return -ENOMEM;
	if (take_name(p, "a MAC: eth0 or eth1", step->name, sizeof(step->name)))
		return -EINVAL;
	if (strcmp(step->name, "eth0") && strcmp(step->name, "eth1"))
		return cursor_expected(&p->c, "a MAC: eth0 or eth1");
	if (take_name(p, "a property of the MAC", step->property, sizeof(step->property)))
		return -EINVAL;
	value = strchr(step->property, '=');
	if (value)
		*value++ = '\0';
	step->text = strdup(value ?: "on");
	return step->text ? 0 : -ENOMEM;
}

static int parse_link(struct parser *p)
{
	struct step *step = new_step(p, STEP_LINK);

	if (!step)
		return -ENOMEM;
	if (take_name(p, "a port: eth1, lan0, ...", step->name, sizeof(step->name)))
		return -EINVAL;
	if (!cursor_word(&p->c))
		return cursor_missing(&p->c, "up or down");
	step->up = !strcmp(p->c.word, "up");
	return step->up || !strcmp(p->c.word, "down") ? 0 :
	       cursor_expected(&p->c, "up or down");
}

static int expect_frames(struct parser *p, struct expect *e)
{
	int n;

	while (cursor_more(&p->c)) {
		n = pattern_term(&e->pattern, &p->c);
		if (n < 0)
			return n;
		if (n)
			continue;
		cursor_word(&p->c);
		n = -EINVAL;
		if (!strcmp(p->c.word, "count"))
			n = cursor_number(&p->c, "a count", 1, 100000000, &e->count);
		else if (!strcmp(p->c.word, "within"))
			n = cursor_time(&p->c, &e->within_ms);
		else
			cursor_expected(&p->c, "a field of the frame, csum, count or within");
		if (n)
			return n;
	}
	e->csum_given = e->pattern.csum != WANT_ANY || e->pattern.ip_csum != WANT_ANY;
	return 0;
}

static int take_within(struct parser *p, struct expect *e)
{
	if (!cursor_word(&p->c))
		return 0;
	if (strcmp(p->c.word, "within"))
		return cursor_expected(&p->c, "within, or the end of the line");
	return cursor_time(&p->c, &e->within_ms);
}

/* "+200", "0": since the test began, or as it stands. */
static int take_value(struct parser *p, struct expect *e)
{
	char *end;

	if (!cursor_word(&p->c))
		return cursor_missing(&p->c, "a number, or +N");
	e->relative = p->c.word[0] == '+';
	errno = 0;
	e->value = strtol(p->c.word, &end, 10);
	if (*end || errno || end == p->c.word)
		return cursor_expected(&p->c, "a number, or +N");
	return 0;
}

static int expect_counter(struct parser *p, struct expect *e)
{
	e->kind = EXPECT_COUNTER;
	return take_name(p, "a counter, such as Udp.InCsumErrors", e->name,
			 sizeof(e->name)) ?:
	       take_value(p, e) ?: take_within(p, e);
}

static int expect_job(struct parser *p, struct expect *e)
{
	e->kind = EXPECT_JOB;
	return take_name(p, "the name of a started command", e->name, sizeof(e->name)) ?:
	       take_name(p, "a field of what it prints", e->field, sizeof(e->field)) ?:
	       take_value(p, e) ?: take_within(p, e);
}

static int expect_dmesg(struct parser *p, struct expect *e)
{
	e->kind = EXPECT_DMESG;
	if (take_name(p, "a pattern, or never", e->name, sizeof(e->name)))
		return -EINVAL;
	e->absent = !strcmp(e->name, "never");
	if (e->absent && take_name(p, "a pattern", e->name, sizeof(e->name)))
		return -EINVAL;
	return take_within(p, e);
}

/* "badtag TEXT": of frames whose tag cannot be read, and why. */
static int expect_badtag(struct parser *p, struct expect *e)
{
	unsigned long n;

	e->kind = EXPECT_BADTAG;
	if (take_name(p, "a part of what is wrong with the tag", e->name, sizeof(e->name)))
		return -EINVAL;
	if (!cursor_word(&p->c))
		return 0;
	if (strcmp(p->c.word, "count")) {
		cursor_back(&p->c);
		return take_within(p, e);
	}
	if (cursor_number(&p->c, "a count", 1, 100000000, &n))
		return -EINVAL;
	e->count = n;
	return take_within(p, e);
}

static int expect_never(struct parser *p, struct expect *e)
{
	e->kind = EXPECT_NEVER;
	return take_name(p, "a port", e->port, sizeof(e->port)) ?: expect_frames(p, e);
}

static int expect_alive(struct parser *p, struct expect *e)
{
	e->kind = EXPECT_ALIVE;
	e->within_ms = DEFAULT_MS;
	return take_within(p, e);
}

/* "panic", "panic TEXT": TEXT stands on the console. */
static int expect_panic(struct parser *p, struct expect *e)
{
	e->kind = EXPECT_PANIC;
	e->within_ms = DEFAULT_MS;
	if (!cursor_word(&p->c))
		return 0;
	if (!strcmp(p->c.word, "within")) {
		cursor_back(&p->c);
		return take_within(p, e);
	}
	if (strlen(p->c.word) >= sizeof(e->name))
		return cursor_expected(&p->c, "a text of less than 96 characters");
	strcpy(e->name, p->c.word);
	return take_within(p, e);
}

/* "then PORT ...": frames behind those that the expectation above took. */
static int expect_then(struct parser *p, struct expect *e)
{
	e->ordered = true;
	return take_name(p, "a port", e->port, sizeof(e->port)) ?: expect_frames(p, e);
}

static const struct {
	const char *word;
	int (*parse)(struct parser *p, struct expect *e);
} expect_words[] = {
	{ "counter", expect_counter },
	{ "job", expect_job },
	{ "dmesg", expect_dmesg },
	{ "badtag", expect_badtag },
	{ "never", expect_never },
	{ "alive", expect_alive },
	{ "panic", expect_panic },
	{ "then", expect_then },
};

static int parse_expectation(struct parser *p, enum step_kind kind)
{
	struct step *step = new_step(p, kind);
	struct expect *e;
	size_t i;

	if (!step)
		return -ENOMEM;
	e = &step->expect;
	e->count = 1;
	step->text = strdup(p->keyword_at);
	if (!step->text)
		return -ENOMEM;
	if (!cursor_word(&p->c))
		return cursor_missing(&p->c, "a port, counter, job, dmesg, badtag, alive, panic, then or never");
	if (!strcmp(p->c.word, "guest"))	/* "guest counter", as people say it */
		cursor_word(&p->c);
	for (i = 0; i < COUNT(expect_words); i++) {
		if (!strcmp(expect_words[i].word, p->c.word))
			return expect_words[i].parse(p, e);
	}
	snprintf(e->port, sizeof(e->port), "%s", p->c.word);
	return expect_frames(p, e);
}

static int parse_expect(struct parser *p)
{
	return parse_expectation(p, STEP_EXPECT);
}

/* "instead": what a broken kernel shows in place of the expectation above. */
static int parse_instead(struct parser *p)
{
	if (!p->s->count || p->s->steps[p->s->count - 1].kind != STEP_EXPECT)
		return cursor_error(&p->c, "expected an 'expect' line right above 'instead'");
	return parse_expectation(p, STEP_INSTEAD);
}

static const struct keyword {
	const char *word;
	bool head;
	int (*parse)(struct parser *p);
} keywords[] = {
	{ "title", true, parse_title },	    { "fixed", true, parse_fixed },
	{ "broken", true, parse_broken },   { "mac", true, parse_mac },
	{ "switch", true, parse_switch },   { "kernel", true, parse_kernel },
	{ "iommu", true, parse_iommu },
	{ "var", true, parse_var },	    { "table", true, parse_var },
	{ "test", false, parse_test },	    { "guest", false, parse_guest },
	{ "start", false, parse_start },    { "peer", false, parse_peer },
	{ "send", false, parse_send },	    { "connect", false, parse_connect },
	{ "replay", false, parse_replay },  { "expect", false, parse_expect },
	{ "instead", false, parse_instead }, { "fault", false, parse_fault },
	{ "link", false, parse_link },
};

/* A keyword ends at a blank or at '[', where its options begin. */
static const struct keyword *take_keyword(struct parser *p)
{
	size_t i, n = strcspn(p->c.at, " \t[");

	for (i = 0; i < COUNT(keywords); i++) {
		if (strlen(keywords[i].word) == n &&
		    !strncmp(keywords[i].word, p->c.at, n)) {
			p->c.at += n;
			return &keywords[i];
		}
	}
	cursor_word(&p->c);
	cursor_expected(&p->c, "a keyword (title fixed broken mac switch iommu kernel var table "
			       "test guest start peer send connect replay fault link expect "
			       "instead when for)");
	return NULL;
}

static bool line_begins(const char *text, const char *word)
{
	size_t n = strlen(word);

	text += strspn(text, " \t");
	return !strncmp(text, word, n) && strchr(" \t", text[n]);
}

/* Is the last word one of the comma-separated @list? */
static bool is_one_of(const char *word, const char *list)
{
	size_t n;

	for (; *list; list += n + (list[n] == ',')) {
		n = strcspn(list, ",");
		if (strlen(word) == n && !strncmp(word, list, n))
			return true;
	}
	return false;
}

/* "when A B[,C...] LINE": *@holds when A is one of the others. */
static int parse_when(struct parser *p, bool *holds)
{
	char word[sizeof(p->c.word)];

	cursor_word(&p->c);	/* "when" itself */
	if (!cursor_word(&p->c))
		return cursor_missing(&p->c, "a word to compare");
	strcpy(word, p->c.word);
	if (!cursor_word(&p->c))
		return cursor_missing(&p->c, "words to compare with, separated by commas");
	*holds = is_one_of(word, p->c.word);
	if (!cursor_more(&p->c))
		return cursor_missing(&p->c, "a line that holds when they are equal");
	return 0;
}

static int parse_line(struct parser *p, bool *in_steps)
{
	const struct keyword *k;
	bool holds = true;
	int err;

	while (holds && line_begins(p->c.at, "when")) {
		err = parse_when(p, &holds);
		if (err)
			return err;
	}
	if (!holds || !cursor_more(&p->c))
		return 0;
	p->keyword_at = p->c.at;
	k = take_keyword(p);
	if (!k)
		return -EINVAL;
	if (k->head && *in_steps)
		return cursor_error(&p->c, "expected '%s' above the first step", k->word);
	*in_steps = !k->head;
	err = k->parse(p);
	if (!err && cursor_word(&p->c))
		err = cursor_expected(&p->c, "the end of the line");
	return err ?: p->error[0] ? -EINVAL : 0;
}

/* --- variables ------------------------------------------------------------ */

static int read_var(struct parser *p)
{
	struct var *v = &p->var[p->vars];

	if (p->vars == VARS)
		return cursor_error(&p->c, "expected at most %d variables", VARS);
	if (take_name(p, "the variable's name", v->name, sizeof(v->name)))
		return -EINVAL;
	while (cursor_more(&p->c)) {
		if (v->values == VALUES)
			return cursor_error(&p->c, "expected at most %d values", VALUES);
		if (take_name(p, "a value of less than 64 characters", v->value[v->values++],
			      sizeof(v->value[0])))
			return -EINVAL;
	}
	if (!v->values)
		return cursor_missing(&p->c, "a value");
	p->vars++;
	return 0;
}

/* "table FILE": beside the scenario. */
static int read_table(struct parser *p)
{
	const char *slash = strrchr(p->source.name, '/');

	if (p->table_path)
		return cursor_error(&p->c, "expected one table");
	if (!cursor_word(&p->c))
		return cursor_missing(&p->c, "a table's file name");
	if (asprintf(&p->table_path, "%.*s%s",
		     slash && p->c.word[0] != '/' ? (int)(slash - p->source.name) + 1 : 0,
		     p->source.name, p->c.word) < 0) {
		p->table_path = NULL;
		return -ENOMEM;
	}
	return table_read(&p->table, p->table_path, p->error);
}

/* A slip of the pen must not make a million scenarios. */
static int check_combinations(struct parser *p)
{
	unsigned long n = p->table.rows ? p->table.rows : 1;
	unsigned int i;

	for (i = 0; i < p->vars; i++)
		n *= p->var[i].values;
	if (n <= COMBINATIONS)
		return 0;
	snprintf(p->error, ERROR_SIZE, "%s: expected at most %d combinations of variables, found %lu",
		 p->source.name, COMBINATIONS, n);
	return -EINVAL;
}

static int read_vars(struct parser *p)
{
	size_t i;

	for (i = 0; i < p->source.count; i++) {
		cursor_init(&p->c, &p->source, i, p->error);
		if (cursor_word(&p->c) && !strcmp(p->c.word, "var") && read_var(p))
			return -EINVAL;
		if (!strcmp(p->c.word, "table") && read_table(p))
			return -EINVAL;
		p->error[0] = '\0';	/* other lines are judged in the second pass */
	}
	return check_combinations(p);
}

/* The value of the variable whose name begins @text; *@len gets its length. */
static const char *value_of(struct parser *p, const char *text, size_t *len)
{
	unsigned int i;

	for (*len = 0; isalnum((unsigned char)text[*len]) || text[*len] == '_'; (*len)++)
		;
	for (i = p->loops; i-- > 0; ) {
		struct loop_var *l = &p->loop[i];

		if (strlen(l->name) == *len && !strncmp(l->name, text, *len))
			return l->value;
	}
	for (i = 0; i < p->vars; i++) {
		struct var *v = &p->var[i];

		if (strlen(v->name) == *len && !strncmp(v->name, text, *len))
			return v->value[v->now];
	}
	/* NULL where there is none: the guest's shell has variables of its own */
	return p->table.rows ? table_value(&p->table, p->row, text, *len) : NULL;
}

/* @text with values put in; the caller frees it. */
static char *substitute(struct parser *p, const char *text)
{
	char *out = NULL;
	size_t size, len;
	FILE *f = open_memstream(&out, &size);

	while (f && *text) {
		const char *value = *text == '$' ? value_of(p, text + 1, &len) : NULL;

		if (value) {
			fputs(value, f);
			text += len + 1;
		} else {
			fputc(*text++, f);
		}
	}
	if (!f || fclose(f))
		return NULL;
	return out;
}

/* Steps to the next combination; false after the last. */
static bool next_combination(struct parser *p)
{
	unsigned int i;

	for (i = p->vars; i-- > 0; ) {
		if (++p->var[i].now < p->var[i].values)
			return true;
		p->var[i].now = 0;
	}
	return ++p->row < p->table.rows;
}

/* A row goes by the name of its first column, with the second where that is not enough. */
static size_t name_row(struct parser *p, char *to, size_t size)
{
	struct table *t = &p->table;
	char **row = t->cell + p->row * t->columns;
	size_t i, same = 0;

	for (i = 0; i < t->rows; i++)
		same += !strcmp(t->cell[i * t->columns], row[0]);
	if (same > 1 && t->columns > 1)
		return (size_t)snprintf(to, size, "%s=%s %s=%s", t->name[0], row[0],
					t->name[1], row[1]);
	return (size_t)snprintf(to, size, "%s=%s", t->name[0], row[0]);
}

static void name_variant(struct parser *p)
{
	struct scenario *s = p->s;
	unsigned int i;
	size_t n = 0;

	if (p->table.rows)
		n = name_row(p, s->variant, sizeof(s->variant));

	for (i = 0; i < p->vars && n < sizeof(s->variant); i++) {
		struct var *v = &p->var[i];

		if (v->values > 1)
			n += (size_t)snprintf(s->variant + n, sizeof(s->variant) - n,
					      "%s%s=%s", n ? " " : "", v->name,
					      v->value[v->now]);
	}
}

/* --- files ---------------------------------------------------------------- */

static int parse_lines(struct parser *p, size_t from, size_t to, bool *in_steps);

/* The "end" of the "for" at line @at; @to when it has none. */
static size_t find_end(const struct parser *p, size_t at, size_t to)
{
	unsigned int depth = 0;

	for (; at < to; at++) {
		depth += line_begins(p->source.lines[at].text, "for");
		if (line_begins(p->source.lines[at].text, "end") && !--depth)
			break;
	}
	return at;
}

/* The lines between "for" and "end", for each of the values that are left in @values. */
static int parse_body(struct parser *p, struct cursor *values, size_t from, size_t to,
		      bool *in_steps)
{
	struct loop_var *l = &p->loop[p->loops - 1];
	int err = 0;

	while (!err && cursor_word(values)) {
		if (strlen(values->word) >= sizeof(l->value))
			return cursor_expected(values, "a value of less than 64 characters");
		strcpy(l->value, values->word);
		err = parse_lines(p, from, to, in_steps);
	}
	return err;
}

/* "for NAME VALUE..." with its cursor in .c, at line @at. */
static int parse_for(struct parser *p, size_t at, size_t end, bool *in_steps)
{
	struct cursor values;
	int err;

	cursor_word(&p->c);	/* "for" itself */
	if (p->loops == LOOPS)
		return cursor_error(&p->c, "expected at most %d 'for' inside each other", LOOPS);
	if (end == p->source.count)
		return cursor_error(&p->c, "expected an 'end' line for this 'for'");
	if (take_name(p, "the variable's name", p->loop[p->loops].name,
		      sizeof(p->loop[0].name)))
		return -EINVAL;
	if (!cursor_more(&p->c))
		return cursor_missing(&p->c, "a value");
	values = p->c;
	p->loops++;
	err = parse_body(p, &values, at + 1, end, in_steps);
	p->loops--;
	return err;
}

static int parse_lines(struct parser *p, size_t from, size_t to, bool *in_steps)
{
	size_t i, end;
	int err = 0;

	for (i = from; i < to && !err; i++) {
		struct source_line line = { p->source.lines[i].number, NULL };
		struct source one = { p->source.name, &line, 1 };

		line.text = substitute(p, p->source.lines[i].text);
		if (!line.text)
			return -ENOMEM;
		cursor_init(&p->c, &one, 0, p->error);
		if (line_begins(line.text, "for")) {
			end = find_end(p, i, to);
			err = parse_for(p, i, end < to ? end : p->source.count, in_steps);
			i = end;
		} else {
			err = parse_line(p, in_steps);
		}
		free(line.text);
	}
	return err;
}

static int check_whole(struct parser *p)
{
	struct scenario *s = p->s;
	bool expects = false;
	size_t i;

	for (i = 0; i < s->count; i++)
		expects |= s->steps[i].kind == STEP_EXPECT;
	if (!s->title || !expects) {
		snprintf(p->error, ERROR_SIZE, "%s: expected %s, found none", s->file,
			 s->title ? "at least one 'expect'" : "a 'title' line");
		return -EINVAL;
	}
	return 0;
}

/* Is this combination one that the user has asked for? */
static bool is_wanted(struct parser *p, const struct scenario_list *list)
{
	const struct scenario_filter *f = list->filter;
	const char *value;
	unsigned int i;
	size_t len;

	for (i = 0; i < list->filters; i++, f++) {
		value = value_of(p, f->name, &len);
		if (f->name[len])
			value = NULL;
		if (!(value && is_one_of(value, f->values)) != f->without)
			return false;
	}
	return true;
}

static int parse_combination(struct parser *p, struct scenario_list *list)
{
	struct scenario *s;
	bool in_steps = false;
	int err;

	if (!is_wanted(p, list))
		return 0;
	s = realloc(list->v, (list->count + 1) * sizeof(*s));
	if (!s)
		return -ENOMEM;
	list->v = s;
	p->s = s += list->count++;
	memset(s, 0, sizeof(*s));
	s->ports = 4;
	s->model = &macs[0];
	s->file = strdup(p->source.name);
	s->kernel = strdup("");
	if (p->table_path)
		s->table = strdup(p->table_path);
	if (!s->file || !s->kernel || (p->table_path && !s->table))
		return -ENOMEM;
	name_variant(p);
	err = parse_lines(p, 0, p->source.count, &in_steps);
	return err ?: check_whole(p);
}

int scenario_load(struct scenario_list *list, const char *path, char *error)
{
	struct parser *p = calloc(1, sizeof(*p));
	int err = -ENOMEM;

	error[0] = '\0';
	if (p) {
		p->error = error;
		err = source_read(&p->source, path, error);
		if (!err)
			err = read_vars(p);
		if (!err) {
			do
				err = parse_combination(p, list);
			while (!err && next_combination(p));
		}
		source_free(&p->source);
		table_free(&p->table);
		free(p->table_path);
		free(p);
	}
	if (err && !error[0])
		snprintf(error, ERROR_SIZE, "%s: %s", path, strerror(-err));
	return err;
}

void scenario_free(struct scenario_list *list)
{
	size_t i, j;

	for (i = 0; i < list->count; i++) {
		struct scenario *s = &list->v[i];

		for (j = 0; j < s->count; j++)
			free(s->steps[j].text);
		free(s->steps);
		free(s->file);
		free(s->title);
		free(s->kernel);
		free(s->table);
	}
	free(list->v);
	memset(list, 0, sizeof(*list));
}

/* --- labels --------------------------------------------------------------- */

static enum kernel_state state_of_word(const char *word)
{
	if (!strcmp(word, "fixed"))
		return KERNEL_FIXED;
	return strcmp(word, "broken") ? KERNEL_UNKNOWN : KERNEL_BROKEN;
}

/* Either may be an abbreviation of the other. */
static bool names_commit(const char *bug, const char *commit)
{
	size_t n = strlen(bug) < strlen(commit) ? strlen(bug) : strlen(commit);
	const char *rest = strlen(bug) > n ? bug + n : commit + n;

	return !strncmp(bug, commit, n) && strspn(rest, "0123456789abcdef") == strlen(rest);
}

/* What DIR/label says of @commit. */
static enum kernel_state commit_state(const char *dir, const char *commit)
{
	enum kernel_state state = KERNEL_UNKNOWN;
	char path[4096], line[512], bug[128], word[32];
	FILE *f;

	snprintf(path, sizeof(path), "%s/label", dir);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%127s %31s", bug, word) == 2 && names_commit(bug, commit))
			state = state_of_word(word);
	}
	if (f)
		fclose(f);
	return state;
}

/* A version has a dot; 6.1.164 -> 6, 1, 164. */
static bool read_version(const char *s, unsigned int v[3])
{
	v[0] = v[1] = v[2] = 0;
	return sscanf(s, "%u.%u.%u", &v[0], &v[1], &v[2]) >= 2;
}

static bool not_older(const unsigned int a[3], const unsigned int b[3])
{
	int i;

	for (i = 0; i < 3; i++) {
		if (a[i] != b[i])
			return a[i] > b[i];
	}
	return true;
}

/* "fixed 6.8": not older is fixed; "broken 6.5": that series is broken. */
static enum kernel_state version_state(const struct scenario_label *l, const char *release)
{
	unsigned int label[3], is[3];

	if (!read_version(l->what, label) || !read_version(release, is))
		return KERNEL_UNKNOWN;
	if (l->fixed)
		return not_older(is, label) ? KERNEL_FIXED : KERNEL_UNKNOWN;
	return is[0] == label[0] && is[1] == label[1] && (!label[2] || is[2] == label[2]) ?
	       KERNEL_BROKEN : KERNEL_UNKNOWN;
}

enum kernel_state scenario_says(const struct scenario *s, const char *kernel_dir,
				const char *release)
{
	enum kernel_state state = KERNEL_UNKNOWN;
	unsigned int i;

	for (i = 0; i < s->labels && state == KERNEL_UNKNOWN; i++)
		state = commit_state(kernel_dir, s->label[i].what);
	for (i = 0; i < s->labels && state == KERNEL_UNKNOWN; i++)
		state = version_state(&s->label[i], release);
	return state;
}
