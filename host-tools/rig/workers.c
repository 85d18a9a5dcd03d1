// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Parts of a run in processes: see workers.h.
 *
 * A worker has two pipes to us: its KTAP text, which we hand on as it is, and
 * its results as one JSON object at the end.  A signal that asks to end goes
 * on to the workers, which then end as a run by itself would, and we read on
 * until the last of them has closed its pipes.
 *
 * With slots the next worker is started when there is one to be had; until then
 * we wait for the pipe that they are in, among others who do.
 */
#include "workers.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define READ_SIZE 65536

struct channel {
	struct loop_source src;
	char *bytes;
	size_t len;
	bool open;
	bool text;		/* KTAP; else results */
};

struct worker {
	pid_t pid;		/* 0: not started, or reaped */
	struct channel text;
	struct channel result;
	size_t printed;		/* bytes of .text */
	bool started;
	bool slot;		/* holds one */
};

struct crew {
	struct workers *w;
	struct worker *v;
	unsigned int n, started, finished;
	bool told;		/* workers were asked to end */
	int err;		/* why no further one can be started */
	struct loop_source free;	/* watched while we want a slot */
	bool waits;
};

static void keep(struct channel *c, const char *bytes, size_t n)
{
	char *p = realloc(c->bytes, c->len + n + 1);

	if (!p)
		return;
	c->bytes = p;
	memcpy(p + c->len, bytes, n);
	c->len += n;
	p[c->len] = '\0';
}

static void channel_ready(struct loop_source *s, uint32_t events)
{
	struct channel *c = (struct channel *)((char *)s - offsetof(struct channel, src));
	char bytes[READ_SIZE];
	ssize_t n = read(s->fd, bytes, sizeof(bytes));

	(void)events;
	if (n > 0) {
		keep(c, bytes, (size_t)n);
	} else if (n == 0 || errno != EINTR) {
		loop_del(s);
		close(s->fd);
		c->open = false;
	}
}

static int channel_open(struct channel *c, struct loop *l, int fd)
{
	c->src.fd = fd;
	c->src.ready = channel_ready;
	c->open = true;
	return loop_add(l, &c->src, EPOLLIN);
}

/* In the worker; never returns. */
static void be_worker(struct workers *w, unsigned int i, int text, int result)
{
	FILE *out = fdopen(text, "w"), *f = fdopen(result, "w");
	json_t *o;

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	ktap_fork(w->ktap, out, i);
	o = json_pack("{s:o*}", "extra", w->work(w->ctx, i, w->ktap));
	json_object_set_new(o, "ktap", ktap_forked(w->ktap));
	json_dumpf(o, f, JSON_COMPACT);
	json_decref(o);
	fclose(f);
	fclose(out);
	_exit(0);
}

static int start(struct crew *c, unsigned int i)
{
	struct worker *v = &c->v[i];
	int text[2], result[2];

	if (pipe2(text, O_CLOEXEC))
		return -errno;
	if (pipe2(result, O_CLOEXEC)) {
		close(text[0]);
		close(text[1]);
		return -errno;
	}
	fflush(NULL);
	v->pid = fork();
	if (v->pid == 0) {
		close(text[0]);
		close(result[0]);
		be_worker(c->w, i, text[1], result[1]);
	}
	close(text[1]);
	close(result[1]);
	if (v->pid < 0) {
		int err = -errno;

		close(text[0]);
		close(result[0]);
		return err;
	}
	v->started = true;
	c->started++;
	return channel_open(&v->text, c->w->loop, text[0]) ?:
	       channel_open(&v->result, c->w->loop, result[0]);
}

static bool has_ended(const struct worker *v)
{
	return v->started && !v->text.open && !v->result.open;
}

static void print(struct crew *c, struct worker *v)
{
	if (v->text.len == v->printed)
		return;
	ktap_raw(c->w->ktap, v->text.bytes + v->printed, v->text.len - v->printed);
	v->printed = v->text.len;
}

/* The worker @i has closed its pipes and is next in order. */
static void finish(struct crew *c, unsigned int i)
{
	struct workers *w = c->w;
	struct worker *v = &c->v[i];
	json_t *o = json_loadb(v->result.bytes ?: "", v->result.len, 0, NULL);
	char why[128];
	int status = 0;

	print(c, v);
	waitpid(v->pid, &status, 0);
	v->pid = 0;
	if (w->theirs)
		slots_reclaim(w->theirs, i);
	if (o) {
		ktap_adopt(w->ktap, json_object_get(o, "ktap"));
		w->done(w->ctx, i, json_object_get(o, "extra"));
	} else {
		snprintf(why, sizeof(why), "its process ended with %s %d",
			 WIFSIGNALED(status) ? "signal" : "status",
			 WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
		ktap_check(w->ktap, KTAP_FAIL, w->name(w->ctx, i), why, NULL);
	}
	json_decref(o);
	free(v->text.bytes);
	free(v->result.bytes);
	c->finished++;
}

static unsigned int running(const struct crew *c)
{
	unsigned int i, n = 0;

	for (i = 0; i < c->started; i++)
		n += !has_ended(&c->v[i]);
	return n;
}

static void pass_on_signal(struct crew *c)
{
	unsigned int i;

	if (c->told || !c->w->loop->signal)
		return;
	for (i = 0; i < c->started; i++) {
		if (c->v[i].pid && !has_ended(&c->v[i]))
			kill(c->v[i].pid, SIGTERM);
	}
	c->told = true;
}

/* advance() takes the slot */
static void slot_free(struct loop_source *s, uint32_t events)
{
	(void)s;
	(void)events;
}

static void watch_slots(struct crew *c, bool on)
{
	if (on && !c->waits) {
		c->free.fd = c->w->slots->fd;
		c->free.ready = slot_free;
		loop_add(c->w->loop, &c->free, EPOLLIN);
	} else if (!on && c->waits) {
		loop_del(&c->free);
	}
	c->waits = on;
}

/* Slots of workers that have ended. */
static void give_back(struct crew *c)
{
	unsigned int i;

	for (i = 0; i < c->started; i++) {
		if (c->v[i].slot && has_ended(&c->v[i])) {
			slots_give(c->w->slots, c->w->holder);
			c->v[i].slot = false;
		}
	}
}

/* Starts the next worker, if it may; false when it cannot be now. */
static bool start_next(struct crew *c)
{
	struct workers *w = c->w;
	unsigned int i = c->started;

	if (w->slots && !slots_take(w->slots, w->holder)) {
		watch_slots(c, true);
		return false;
	}
	if (w->slots)
		watch_slots(c, false);
	c->err = start(c, i);
	c->v[i].slot = w->slots && c->v[i].started;
	if (w->slots && !c->v[i].started)
		slots_give(w->slots, w->holder);
	return !c->err;
}

/* Moves everything on that can move; true when all is done. */
static bool advance(void *ctx)
{
	struct crew *c = ctx;
	bool stop;

	pass_on_signal(c);
	stop = c->w->loop->signal || c->err;
	while (c->finished < c->started) {
		struct worker *v = &c->v[c->finished];

		print(c, v);
		if (!has_ended(v))
			break;
		finish(c, c->finished);
	}
	give_back(c);
	if (stop && c->w->slots)
		watch_slots(c, false);
	while (!stop && c->started < c->n && running(c) < c->w->at_once) {
		if (!start_next(c))
			break;
	}
	return c->finished == (stop || c->err ? c->started : c->n);
}

int workers_run(struct workers *w, unsigned int n)
{
	struct crew c = { .w = w, .n = n };
	int err;

	c.v = calloc(n, sizeof(*c.v));
	if (!c.v)
		return -ENOMEM;
	err = loop_wait(w->loop, advance, &c, -1);
	if (err == -EINTR) {
		/* The loop no longer waits for us: read on until they have ended. */
		int signal = w->loop->signal;

		pass_on_signal(&c);
		w->loop->signal = 0;
		c.n = c.started;
		loop_wait(w->loop, advance, &c, -1);
		w->loop->signal = signal;
	}
	if (w->slots)
		watch_slots(&c, false);
	free(c.v);
	return err ?: c.err;
}
