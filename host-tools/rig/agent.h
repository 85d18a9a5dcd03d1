/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The host's side of the guest agent (guest-rootfs/PROTOCOL.md): commands in
 * the guest, several at a time, each with its own deadline.
 */
#ifndef TAGRIG_RIG_AGENT_H
#define TAGRIG_RIG_AGENT_H

#include "jsonline.h"

/* A command in the guest, from agent_start() to agent_forget(). */
struct agent_job {
	int id;
	bool done;
	char ready[256];	/* first watched line, or empty */
	int exit;		/* as the shell says it; 128 + signal */
	bool timed_out;
	char *out;
	char *err;
	char error[256];	/* the agent could not run it, or empty */
	struct agent_job *next;
};

struct agent {
	struct jsonline line;
	json_t *hello;		/* the guest's greeting, or NULL */
	int last_id;
	struct agent_job *jobs;
};

/* Takes over @fd and asks for the greeting; .line.log may be set before. */
int agent_open(struct agent *a, struct loop *l, int fd);
void agent_close(struct agent *a);

/* Waits for the guest's greeting: it has booted and its modules are loaded. */
int agent_wait_hello(struct agent *a, int timeout_ms);

/*
 * Starts a shell command.  The guest kills it after @timeout_ms of its time
 * (0: never).  @watch: lines of its output with this prefix set .ready; NULL
 * for none.  NULL when the channel is gone.
 */
struct agent_job *agent_start(struct agent *a, const char *command, int timeout_ms,
			      const char *watch);

/*
 * Waits until the job has ended (or, _ready, has printed its watched line).
 * -ETIMEDOUT after @timeout_ms of host time: the guest does not answer.
 */
int agent_wait(struct agent *a, struct agent_job *job, int timeout_ms);
int agent_wait_ready(struct agent *a, struct agent_job *job, int timeout_ms);

/* Kills a job that still runs; its end is not waited for. */
void agent_cancel(struct agent *a, struct agent_job *job);

void agent_forget(struct agent *a, struct agent_job *job);

#endif
