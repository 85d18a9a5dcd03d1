/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON objects, one a line, on a stream socket: what QMP and the guest agent
 * have in common.
 *
 * Sending never blocks: what the socket does not take waits in memory and goes
 * out as the loop finds room, so a guest that reads nothing cannot hang us.
 */
#ifndef TAGRIG_RIG_JSONLINE_H
#define TAGRIG_RIG_JSONLINE_H

#include <jansson.h>
#include <stdio.h>

#include "loop.h"

struct buffer {
	char *bytes;
	size_t len;
	size_t cap;
};

struct jsonline {
	struct loop_source src;
	struct buffer in;
	struct buffer out;
	FILE *log;		/* every line both ways, or NULL */
	void (*got)(struct jsonline *j, json_t *object);	/* borrows @object */
	void (*gone)(struct jsonline *j, const char *why);
};

/* Takes over @fd.  .log, .got and .gone are set by the caller before. */
int jsonline_open(struct jsonline *j, struct loop *l, int fd);
void jsonline_close(struct jsonline *j);

/* Sends @object and drops the reference; -EPIPE when the peer has gone. */
int jsonline_send(struct jsonline *j, json_t *object);

/* Sends an empty line, which ends whatever half line a predecessor left. */
int jsonline_flush_line(struct jsonline *j);

#endif
