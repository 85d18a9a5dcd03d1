/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Expectations: waiting for what they are about, and saying whether it holds.
 */
#ifndef TAGRIG_RIG_EXPECT_H
#define TAGRIG_RIG_EXPECT_H

#include "bridge.h"
#include "scenario.h"
#include "vm.h"

/* Frames that left the guest since the test began. */
struct frame_log {
	struct logged_frame {
		const struct bridge_port *port;
		size_t len;
		struct verdict verdict;
	} *v;
	size_t count, cap;
	bool failed;		/* out of memory: some are missing */
};

void frame_log_add(struct frame_log *log, const struct bridge_frame *f);

/* Frames from the guest whose tag could not be read, since the test began. */
struct bad_tags {
	unsigned long count;
	char why[128];		/* of the first */
	unsigned long other;	/* of those: for another reason than the first */
	bool expected;		/* an expectation is about them */
};

void bad_tags_add(struct bad_tags *b, const char *why);

/* A command that a scenario started and that runs beside it. */
struct scenario_job {
	const char *name;
	struct agent_job *job;
};

#define SCENARIO_JOBS 8

/* What an expectation is held against. */
struct expect_context {
	struct loop *loop;
	struct vm *vm;
	struct bridge *bridge;
	struct frame_log log;
	size_t mark;		/* in .log: behind what the last expectation took */
	struct bad_tags bad;
	char *counters;		/* the guest's, when the test began, or NULL */
	struct scenario_job job[SCENARIO_JOBS];
	unsigned int jobs;
};

struct outcome {
	bool holds;
	char text[320];		/* what was seen, for people */
};

/*
 * Waits for what @e is about and judges it.  0 with @o filled in; negative
 * errno when the guest is gone or the user has interrupted.
 */
int expect_evaluate(struct expect_context *x, const struct expect *e, struct outcome *o);

/* All counters of the guest, as text, to compare with later; NULL on error. */
char *expect_counters(struct expect_context *x, int *err);

/* Runs @command to its end in the guest; its output (to free), or NULL. */
char *guest_output(struct vm *vm, const char *command, int *err);

#endif
