// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Expectations: see expect.h.
 *
 * Frames are waited for by number: an expectation of 200 frames is decided
 * when 200 that match have come, or when its time is over.  What it says of
 * their checksums must then hold for every one of them.
 */
#include "expect.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "counters.h"

#define AGENT_SLACK_MS 10000	/* host time on top of a command's own limit */
#define COUNTER_MS     10000

void frame_log_add(struct frame_log *log, const struct bridge_frame *f)
{
	struct logged_frame *v;

	if (log->count == log->cap) {
		size_t cap = log->cap ? log->cap * 2 : 1024;

		v = realloc(log->v, cap * sizeof(*v));
		if (!v) {
			log->failed = true;
			return;
		}
		log->v = v;
		log->cap = cap;
	}
	v = &log->v[log->count++];
	v->port = f->port;
	v->len = f->len;
	v->verdict = *f->verdict;
}

void bad_tags_add(struct bad_tags *b, const char *why)
{
	if (!b->count++)
		snprintf(b->why, sizeof(b->why), "%s", why);
	else if (strcmp(b->why, why))
		b->other++;
}

/* --- frames --------------------------------------------------------------- */

static bool frame_selected(const struct expect *e, const struct logged_frame *f)
{
	return f->port && !strcmp(f->port->name, e->port) &&
	       pattern_matches(&e->pattern, &f->verdict, f->len);
}

static size_t count_selected(const struct expect_context *x, const struct expect *e)
{
	size_t i, n = 0;

	for (i = 0; i < x->log.count; i++)
		n += frame_selected(e, &x->log.v[i]);
	return n;
}

/* Looks at each frame once, however often the loop asks. */
struct frame_wait {
	struct expect_context *x;
	const struct expect *e;
	size_t at, selected;
};

static bool enough_frames(void *ctx)
{
	struct frame_wait *w = ctx;
	const struct frame_log *log = &w->x->log;

	for (; w->at < log->count; w->at++)
		w->selected += frame_selected(w->e, &log->v[w->at]);
	return w->selected >= w->e->count;
}

static void describe_wrong(const struct logged_frame *f, size_t number, const char *got,
			   char *to, size_t size)
{
	char what[128];

	judge_text(&f->verdict, what, sizeof(what));
	snprintf(to, size, "; frame %zu (%s) has %s: 0x%04x for 0x%04x", number, what, got,
		 f->verdict.l4.found, f->verdict.l4.expected);
}

static void judge_selected(struct expect_context *x, const struct expect *e,
			   struct outcome *o)
{
	size_t i = e->ordered ? x->mark : 0, n = 0, holding = 0;
	const char *got = "", *want;
	char wrong[256] = "";

	x->mark = x->log.count;
	for (; i < x->log.count; i++) {
		const struct logged_frame *f = &x->log.v[i];

		if (!frame_selected(e, f))
			continue;
		if (++n == e->count)
			x->mark = i + 1;
		if (pattern_holds(&e->pattern, &f->verdict, &got))
			holding++;
		else if (!wrong[0])
			describe_wrong(f, n, got, wrong, sizeof(wrong));
	}
	want = csum_want_text(e->pattern.csum != WANT_ANY ? e->pattern.csum :
			      e->pattern.ip_csum);
	o->holds = holding == n && n >= e->count && !x->log.failed;
	if (n < e->count)
		snprintf(o->text, sizeof(o->text), "%zu of %lu frames came out of %s", n,
			 e->count, e->port);
	else if (!e->csum_given)
		snprintf(o->text, sizeof(o->text), "%zu frames out of %s", n, e->port);
	else
		snprintf(o->text, sizeof(o->text), "%zu of %zu checksums %s%s", holding, n,
			 want, wrong);
}

static int evaluate_frames(struct expect_context *x, const struct expect *e,
			   struct outcome *o)
{
	struct frame_wait w = { x, e, e->ordered ? x->mark : 0, 0 };
	int err = 0;

	if (!bridge_find(x->bridge, e->port)) {
		snprintf(o->text, sizeof(o->text), "there is no port %s", e->port);
		return 0;
	}
	if (!enough_frames(&w))
		err = loop_wait(x->loop, enough_frames, &w, e->within_ms);
	if (err && err != -ETIMEDOUT)
		return err;
	judge_selected(x, e, o);
	return 0;
}

static int evaluate_never(struct expect_context *x, const struct expect *e,
			  struct outcome *o)
{
	size_t n = count_selected(x, e);

	o->holds = n == 0;
	snprintf(o->text, sizeof(o->text), "%zu such frames out of %s", n, e->port);
	return 0;
}

struct badtag_wait {
	const struct bad_tags *bad;
	unsigned long count;
};

static bool enough_bad_tags(void *ctx)
{
	struct badtag_wait *w = ctx;

	return w->bad->count >= w->count;
}

/* All of them must be for the reason that is asked for. */
static int evaluate_badtag(struct expect_context *x, const struct expect *e,
			   struct outcome *o)
{
	struct badtag_wait w = { &x->bad, e->count };
	int err = 0;

	x->bad.expected = true;
	if (!enough_bad_tags(&w))
		err = loop_wait(x->loop, enough_bad_tags, &w, e->within_ms);
	if (err && err != -ETIMEDOUT)
		return err;
	o->holds = x->bad.count >= e->count && !x->bad.other && strstr(x->bad.why, e->name);
	snprintf(o->text, sizeof(o->text), "%lu frames with a wrong tag%s%s", x->bad.count,
		 x->bad.count ? ": " : "", x->bad.why);
	return 0;
}

/* --- counters ------------------------------------------------------------- */

char *guest_output(struct vm *vm, const char *command, int *err)
{
	struct agent_job *job = agent_start(&vm->agent, command, COUNTER_MS, NULL);
	char *out = NULL;

	if (!job) {
		*err = -EPIPE;
		return NULL;
	}
	*err = agent_wait(&vm->agent, job, COUNTER_MS + AGENT_SLACK_MS);
	if (!*err) {
		out = job->out;
		job->out = NULL;
	}
	agent_forget(&vm->agent, job);
	return out;
}

char *expect_counters(struct expect_context *x, int *err)
{
	return guest_output(x->vm, COUNTERS_COMMAND, err);
}

/* One look; *@known: the guest has such a counter. */
static int look_at_counter(struct expect_context *x, const struct expect *e, bool *known,
			   long *value)
{
	long before = 0;
	int err = 0;
	char *text = expect_counters(x, &err);

	if (!text)
		return err;
	*known = counter_value(text, e->name, value);
	if (e->relative && counter_value(x->counters, e->name, &before))
		*value -= before;
	free(text);
	return 0;
}

static int evaluate_counter(struct expect_context *x, const struct expect *e,
			    struct outcome *o)
{
	int64_t end = loop_now() + e->within_ms;
	bool known = false;
	long value = 0;
	int err;

	/* Each look is a command in the guest, so this does not spin. */
	do {
		err = look_at_counter(x, e, &known, &value);
	} while (!err && known && value != e->value && loop_now() < end);
	if (err)
		return err;
	o->holds = known && value == e->value;
	if (known)
		snprintf(o->text, sizeof(o->text), "%s %s%ld", e->name,
			 e->relative ? "+" : "", value);
	else
		snprintf(o->text, sizeof(o->text), "the guest has no counter %s", e->name);
	return 0;
}

/* --- jobs and the kernel's log -------------------------------------------- */

static struct agent_job *find_job(const struct expect_context *x, const char *name)
{
	unsigned int i;

	for (i = 0; i < x->jobs; i++) {
		if (!strcmp(x->job[i].name, name))
			return x->job[i].job;
	}
	return NULL;
}

/* The last line that is a JSON object is what the command has to say. */
static json_t *last_object(const char *out)
{
	json_t *found = NULL, *o;
	const char *line, *next;

	for (line = out; line && *line; line = next) {
		size_t n = strcspn(line, "\n");

		next = line[n] ? line + n + 1 : NULL;
		o = json_loadb(line, n, 0, NULL);
		if (json_is_object(o)) {
			json_decref(found);
			found = o;
		} else {
			json_decref(o);
		}
	}
	return found;
}

static void judge_job(const struct expect *e, const struct agent_job *job,
		      struct outcome *o)
{
	json_t *said = last_object(job->out), *field = json_object_get(said, e->field);
	bool known = json_is_integer(field) || json_is_boolean(field);
	long value = json_is_boolean(field) ? json_is_true(field) :
		     (long)json_integer_value(field);

	o->holds = known && value == e->value;
	if (job->error[0])
		snprintf(o->text, sizeof(o->text), "%s: %s", e->name, job->error);
	else if (job->timed_out)
		snprintf(o->text, sizeof(o->text), "%s was still waiting when its time was over",
			 e->name);
	else if (!known)
		snprintf(o->text, sizeof(o->text), "%s said nothing of %s (exit %d): %.200s",
			 e->name, e->field, job->exit, job->err);
	else
		snprintf(o->text, sizeof(o->text), "%s %s %ld", e->name, e->field, value);
	json_decref(said);
}

static int evaluate_job(struct expect_context *x, const struct expect *e,
			struct outcome *o)
{
	struct agent_job *job = find_job(x, e->name);
	int err;

	if (!job) {
		snprintf(o->text, sizeof(o->text), "no command was started as %s", e->name);
		return 0;
	}
	err = agent_wait(&x->vm->agent, job, e->within_ms + AGENT_SLACK_MS);
	if (err == -ETIMEDOUT) {
		snprintf(o->text, sizeof(o->text), "%s has not ended", e->name);
		return 0;
	}
	if (err)
		return err;
	judge_job(e, job, o);
	return 0;
}

/* "dmesg | grep -F -- 'TEXT'": the log itself is long, and may be asked for often. */
static void dmesg_command(const char *text, char *to, size_t size)
{
	size_t n = (size_t)snprintf(to, size, "dmesg | grep -F -- '");

	for (; *text && n + 8 < size; text++)
		n += (size_t)snprintf(to + n, size - n, *text == '\'' ? "'\\''" : "%c", *text);
	snprintf(to + n, size - n, "'");
}

static int evaluate_dmesg(struct expect_context *x, const struct expect *e,
			  struct outcome *o)
{
	int64_t end = loop_now() + e->within_ms;
	char command[5 * sizeof(e->name) + 32];
	bool found = false;
	int err = 0;

	dmesg_command(e->name, command, sizeof(command));
	do {
		char *text = guest_output(x->vm, command, &err);

		found = text && strstr(text, e->name);
		free(text);
	} while (!err && !found && !e->absent && loop_now() < end);
	if (err)
		return err;
	o->holds = found != e->absent;
	snprintf(o->text, sizeof(o->text), "the kernel's log %s '%s'",
		 found ? "has" : "does not have", e->name);
	return 0;
}

/* --- the guest as a whole ------------------------------------------------- */

/* Is the guest's end what is looked for, and not the user's? */
static int guest_gone(struct expect_context *x, int err)
{
	if (x->loop->signal)
		return -EINTR;
	if (err && x->vm->pid)
		vm_why_gone(x->vm);
	return 0;
}

static int evaluate_alive(struct expect_context *x, const struct expect *e,
			  struct outcome *o)
{
	struct agent_job *job = x->vm->pid ? agent_start(&x->vm->agent, "true", 0, NULL) : NULL;
	int err = job ? agent_wait(&x->vm->agent, job, e->within_ms) : -EPIPE;

	if (job)
		agent_forget(&x->vm->agent, job);
	o->holds = !err;
	if (err == -ETIMEDOUT) {
		snprintf(o->text, sizeof(o->text), "the guest has not answered within %d ms",
			 e->within_ms);
		return 0;
	}
	err = guest_gone(x, err);
	snprintf(o->text, sizeof(o->text), "%s", o->holds ? "the guest answers" :
		 x->loop->failure[0] ? x->loop->failure : "the guest's agent has gone");
	return err;
}

static bool has_ended(void *ctx)
{
	const struct vm *vm = ctx;

	return !vm->pid;
}

static int evaluate_panic(struct expect_context *x, const struct expect *e,
			  struct outcome *o)
{
	char line[192] = "";
	int err = x->vm->pid ? loop_wait(x->loop, has_ended, x->vm, e->within_ms) : 0;

	if (x->loop->signal)
		return err ?: -EINTR;
	o->holds = x->vm->panicked &&
		   vm_console_has(x->vm, e->name[0] ? e->name : "Kernel panic", line,
				  sizeof(line));
	if (o->holds)
		snprintf(o->text, sizeof(o->text), "the guest panicked: %s", line);
	else if (x->vm->panicked)
		snprintf(o->text, sizeof(o->text), "%.200s, and nothing of '%s'",
			 x->loop->failure, e->name);
	else
		snprintf(o->text, sizeof(o->text), "%s", x->vm->pid ?
			 "the guest has not panicked" : x->loop->failure);
	return 0;
}

int expect_evaluate(struct expect_context *x, const struct expect *e, struct outcome *o)
{
	memset(o, 0, sizeof(*o));
	switch (e->kind) {
	case EXPECT_FRAMES:
		return evaluate_frames(x, e, o);
	case EXPECT_NEVER:
		return evaluate_never(x, e, o);
	case EXPECT_COUNTER:
		return evaluate_counter(x, e, o);
	case EXPECT_JOB:
		return evaluate_job(x, e, o);
	case EXPECT_DMESG:
		return evaluate_dmesg(x, e, o);
	case EXPECT_ALIVE:
		return evaluate_alive(x, e, o);
	case EXPECT_PANIC:
		return evaluate_panic(x, e, o);
	case EXPECT_BADTAG:
		return evaluate_badtag(x, e, o);
	}
	return -EINVAL;
}
