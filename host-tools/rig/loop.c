// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The event loop: see loop.h.
 *
 * epoll_wait() may hand out an event for a source that a handler earlier in
 * the same batch has removed; so a batch is cut to one event when anything is
 * removed (the others are level-triggered and come again).
 */
#include "loop.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#define BATCH 16

static bool removed;	/* a source went away: the rest of the batch is stale */

static void on_signal(struct loop_source *s, uint32_t events)
{
	struct signalfd_siginfo si;

	(void)events;
	if (read(s->fd, &si, sizeof(si)) == sizeof(si))
		s->loop->signal = (int)si.ssi_signo;
}

int loop_init(struct loop *l)
{
	sigset_t set;

	memset(l, 0, sizeof(*l));
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	signal(SIGPIPE, SIG_IGN);
	if (sigprocmask(SIG_BLOCK, &set, NULL))
		return -errno;
	l->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (l->epoll < 0)
		return -errno;
	l->signals.fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	l->signals.ready = on_signal;
	if (l->signals.fd < 0)
		return -errno;
	return loop_add(l, &l->signals, EPOLLIN);
}

void loop_close(struct loop *l)
{
	close(l->signals.fd);
	close(l->epoll);
}

static int control(struct loop *l, int op, struct loop_source *s, uint32_t events)
{
	struct epoll_event ev = { .events = events, .data.ptr = s };

	return epoll_ctl(l->epoll, op, s->fd, &ev) ? -errno : 0;
}

int loop_add(struct loop *l, struct loop_source *s, uint32_t events)
{
	s->loop = l;
	return control(l, EPOLL_CTL_ADD, s, events);
}

int loop_mod(struct loop_source *s, uint32_t events)
{
	return control(s->loop, EPOLL_CTL_MOD, s, events);
}

void loop_del(struct loop_source *s)
{
	if (!s->loop)
		return;
	epoll_ctl(s->loop->epoll, EPOLL_CTL_DEL, s->fd, NULL);
	s->loop = NULL;
	removed = true;
}

int64_t loop_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

void loop_timer_add(struct loop *l, struct loop_timer *t)
{
	loop_timer_del(l, t);
	t->next = l->timers;
	l->timers = t;
}

void loop_timer_del(struct loop *l, struct loop_timer *t)
{
	struct loop_timer **p;

	for (p = &l->timers; *p; p = &(*p)->next) {
		if (*p == t) {
			*p = t->next;
			return;
		}
	}
}

void loop_fail(struct loop *l, const char *fmt, ...)
{
	va_list ap;

	if (l->failure[0])
		return;
	va_start(ap, fmt);
	vsnprintf(l->failure, sizeof(l->failure), fmt, ap);
	va_end(ap);
}

/* Fires what is due; returns milliseconds to the next timer, or -1. */
static int run_timers(struct loop *l)
{
	struct loop_timer *t, *next;
	int64_t now = loop_now(), soonest = -1;

	for (t = l->timers; t; t = next) {
		next = t->next;
		if (t->at_ms && t->at_ms <= now) {
			t->at_ms = 0;
			t->fire(t);
		}
	}
	for (t = l->timers; t; t = t->next) {
		if (t->at_ms && (soonest < 0 || t->at_ms < soonest))
			soonest = t->at_ms;
	}
	if (soonest < 0)
		return -1;
	return soonest <= now ? 0 : (int)(soonest - now);
}

static void dispatch(struct loop *l, int timeout_ms)
{
	struct epoll_event ev[BATCH];
	int i, n;

	removed = false;
	n = epoll_wait(l->epoll, ev, BATCH, timeout_ms);
	for (i = 0; i < n && !removed; i++) {
		struct loop_source *s = ev[i].data.ptr;

		s->ready(s, ev[i].events);
	}
}

static int ended(struct loop *l)
{
	if (l->signal)
		return -EINTR;
	if (l->failure[0])
		return -ECANCELED;
	return 0;
}

int loop_wait(struct loop *l, bool (*done)(void *ctx), void *ctx, int timeout_ms)
{
	int64_t end = loop_now() + timeout_ms;

	for (;;) {
		int err, wait, left = -1;

		wait = run_timers(l);
		if (done(ctx))
			return 0;
		err = ended(l);
		if (err)
			return err;
		if (timeout_ms >= 0) {
			left = (int)(end - loop_now());
			if (left <= 0)
				return -ETIMEDOUT;
		}
		dispatch(l, wait < 0 || (left >= 0 && left < wait) ? left : wait);
	}
}

const char *loop_why(const struct loop *l, int err)
{
	if (err == -ECANCELED)
		return l->failure;
	if (err == -EINTR)
		return "interrupted";
	return strerror(-err);
}
