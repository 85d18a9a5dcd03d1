// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The host's side of the guest agent: see agent.h.
 *
 * Output that is no UTF-8 comes as base64 and is kept so ("base64:..."): no
 * command of the rig prints bytes, and a person should see that it did.
 */
#include "agent.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static struct agent_job *find_job(struct agent *a, int id)
{
	struct agent_job *job;

	for (job = a->jobs; job && job->id != id; job = job->next)
		;
	return job;
}

static char *output(json_t *o, const char *key, const char *key64)
{
	const char *text = json_string_value(json_object_get(o, key));
	char *s;

	if (text)
		return strdup(text);
	text = json_string_value(json_object_get(o, key64));
	if (!text)
		return strdup("");
	return asprintf(&s, "base64:%s", text) < 0 ? NULL : s;
}

static void finish_job(struct agent_job *job, json_t *o)
{
	const char *error = json_string_value(json_object_get(o, "error"));

	job->exit = (int)json_integer_value(json_object_get(o, "exit"));
	job->timed_out = json_is_true(json_object_get(o, "timed_out"));
	job->out = output(o, "out", "out64");
	job->err = output(o, "err", "err64");
	snprintf(job->error, sizeof(job->error), "%s", error ?: "");
	job->done = true;
}

static void got(struct jsonline *line, json_t *o)
{
	struct agent *a = (struct agent *)line;
	const char *text = json_string_value(json_object_get(o, "line"));
	json_t *id = json_object_get(o, "id");
	struct agent_job *job;

	if (json_object_get(o, "hello")) {
		json_decref(a->hello);
		a->hello = json_incref(o);
		return;
	}
	job = id ? find_job(a, (int)json_integer_value(id)) : NULL;
	if (!job || job->done)
		return;
	if (!text)
		finish_job(job, o);
	else if (!job->ready[0])
		snprintf(job->ready, sizeof(job->ready), "%s", text);
}

int agent_open(struct agent *a, struct loop *l, int fd)
{
	int err;

	a->line.got = got;
	err = jsonline_open(&a->line, l, fd);
	if (err)
		return err;
	err = jsonline_flush_line(&a->line);
	if (err)
		return err;
	return jsonline_send(&a->line, json_pack("{s:i}", "hello", 1));
}

void agent_close(struct agent *a)
{
	while (a->jobs)
		agent_forget(a, a->jobs);
	jsonline_close(&a->line);
	json_decref(a->hello);
	a->hello = NULL;
}

static bool has_hello(void *ctx)
{
	struct agent *a = ctx;

	return a->hello || a->line.src.fd < 0;
}

static int or_gone(struct agent *a, int err, bool have)
{
	return err ? err : have ? 0 : a->line.src.fd < 0 ? -EPIPE : -EPROTO;
}

int agent_wait_hello(struct agent *a, int timeout_ms)
{
	int err;

	if (a->line.src.fd < 0)
		return -EPIPE;
	err = loop_wait(a->line.src.loop, has_hello, a, timeout_ms);
	return or_gone(a, err, a->hello);
}

struct agent_job *agent_start(struct agent *a, const char *command, int timeout_ms,
			      const char *watch)
{
	struct agent_job *job = calloc(1, sizeof(*job));
	json_t *o;

	if (!job)
		return NULL;
	job->id = ++a->last_id;
	o = json_pack("{s:i, s:s, s:i, s:s*}", "id", job->id, "cmd", command,
		      "timeout_ms", timeout_ms, "watch", watch);
	if (!o || jsonline_send(&a->line, o)) {
		free(job);
		return NULL;
	}
	job->next = a->jobs;
	a->jobs = job;
	return job;
}

struct wait_for {
	struct agent *a;
	struct agent_job *job;
};

static bool job_done(void *ctx)
{
	struct wait_for *w = ctx;

	return w->job->done || w->a->line.src.fd < 0;
}

static bool job_ready(void *ctx)
{
	struct wait_for *w = ctx;

	return w->job->ready[0] || job_done(ctx);
}

int agent_wait(struct agent *a, struct agent_job *job, int timeout_ms)
{
	struct wait_for w = { a, job };
	int err = 0;

	if (!job->done && a->line.src.fd >= 0)
		err = loop_wait(a->line.src.loop, job_done, &w, timeout_ms);
	return or_gone(a, err, job->done);
}

int agent_wait_ready(struct agent *a, struct agent_job *job, int timeout_ms)
{
	struct wait_for w = { a, job };
	int err = 0;

	if (a->line.src.fd >= 0)
		err = loop_wait(a->line.src.loop, job_ready, &w, timeout_ms);
	return or_gone(a, err, job->ready[0] || job->done);
}

void agent_cancel(struct agent *a, struct agent_job *job)
{
	if (!job->done)
		jsonline_send(&a->line, json_pack("{s:i}", "cancel", job->id));
}

void agent_forget(struct agent *a, struct agent_job *job)
{
	struct agent_job **p;

	for (p = &a->jobs; *p && *p != job; p = &(*p)->next)
		;
	if (*p)
		*p = job->next;
	free(job->out);
	free(job->err);
	free(job);
}
