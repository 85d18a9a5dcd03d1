/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The event loop: epoll, with signals and deadlines as events.
 *
 * One thread, one loop.  Code that must wait calls loop_wait() with a
 * predicate: events are handled until the predicate holds, the deadline
 * passes, a signal asks to end, or somebody calls loop_fail() because going
 * on makes no sense (QEMU died).  So a scenario reads top to bottom, while the
 * wires move underneath.
 */
#ifndef TAGRIG_RIG_LOOP_H
#define TAGRIG_RIG_LOOP_H

#include <stdbool.h>
#include <stdint.h>

struct loop;

struct loop_source {
	int fd;
	void (*ready)(struct loop_source *s, uint32_t events);	/* EPOLL* bits */
	struct loop *loop;	/* set by loop_add() */
};

struct loop_timer {
	int64_t at_ms;		/* loop_now() time; 0: not armed */
	void (*fire)(struct loop_timer *t);
	struct loop_timer *next;
};

struct loop {
	int epoll;
	struct loop_source signals;
	int signal;		/* the one that asked to end, or 0 */
	struct loop_timer *timers;
	char failure[256];	/* of loop_fail(), or empty */
};

/*
 * Blocks SIGINT, SIGTERM and SIGHUP and takes them as events (a signal ends
 * every wait); ignores SIGPIPE.  Negative errno on failure.
 */
int loop_init(struct loop *l);
void loop_close(struct loop *l);

int loop_add(struct loop *l, struct loop_source *s, uint32_t events);
int loop_mod(struct loop_source *s, uint32_t events);
void loop_del(struct loop_source *s);

/* Milliseconds of CLOCK_MONOTONIC. */
int64_t loop_now(void);

void loop_timer_add(struct loop *l, struct loop_timer *t);
void loop_timer_del(struct loop *l, struct loop_timer *t);

/* Ends every wait of this loop with -ECANCELED; the first reason stays. */
void loop_fail(struct loop *l, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Handles events until @done(@ctx).  @timeout_ms < 0 waits for ever.
 * 0, -ETIMEDOUT, -EINTR (a signal asks to end), -ECANCELED (loop_fail()).
 */
int loop_wait(struct loop *l, bool (*done)(void *ctx), void *ctx, int timeout_ms);

/* Why the last loop_wait() did not end with 0, in words. */
const char *loop_why(const struct loop *l, int err);

#endif
