/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A QMP client: commands one at a time, events as they come.
 */
#ifndef TAGRIG_RIG_QMP_H
#define TAGRIG_RIG_QMP_H

#include "jsonline.h"

struct qmp {
	struct jsonline line;
	bool greeted;
	bool answered;
	json_t *answer;		/* of the command under way */
	void (*event)(struct qmp *q, const char *name, json_t *data);
	char error[256];	/* QEMU's words for the last -EREMOTEIO */
};

/* Takes over @fd, waits for the greeting and leaves negotiation mode. */
int qmp_open(struct qmp *q, struct loop *l, int fd, int timeout_ms);
void qmp_close(struct qmp *q);

/*
 * Runs @command with @arguments (consumed; may be NULL).  *@ret (if @ret) gets
 * a new reference to what came back.  -EREMOTEIO: QEMU refused, see .error;
 * -EPIPE, and what loop_wait() ends with.
 */
int qmp_execute(struct qmp *q, const char *command, json_t *arguments, json_t **ret);

/* Reads and sets a property of a QOM object; @value is consumed. */
int qmp_set(struct qmp *q, const char *path, const char *property, json_t *value);
int qmp_get(struct qmp *q, const char *path, const char *property, json_t **value);

#endif
