// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A QMP client: see qmp.h, and QEMU's docs/interop/qmp-spec.
 *
 * Commands are answered in order when none is sent out of band, so no ids are
 * needed: the next object that is no event is the answer.
 */
#include "qmp.h"

#include <errno.h>
#include <string.h>

#define COMMAND_MS 30000

static void got(struct jsonline *line, json_t *o)
{
	struct qmp *q = (struct qmp *)line;
	const char *event = json_string_value(json_object_get(o, "event"));

	if (event) {
		if (q->event)
			q->event(q, event, json_object_get(o, "data"));
	} else if (json_object_get(o, "QMP")) {
		q->greeted = true;
	} else {
		json_decref(q->answer);
		q->answer = json_incref(o);
		q->answered = true;
	}
}

static bool is_greeted(void *ctx)
{
	struct qmp *q = ctx;

	return q->greeted || q->line.src.fd < 0;
}

static bool is_answered(void *ctx)
{
	struct qmp *q = ctx;

	return q->answered || q->line.src.fd < 0;
}

int qmp_open(struct qmp *q, struct loop *l, int fd, int timeout_ms)
{
	int err;

	q->line.got = got;
	err = jsonline_open(&q->line, l, fd);
	if (err)
		return err;
	err = loop_wait(l, is_greeted, q, timeout_ms);
	if (err)
		return err;
	return qmp_execute(q, "qmp_capabilities", NULL, NULL);
}

void qmp_close(struct qmp *q)
{
	jsonline_close(&q->line);
	json_decref(q->answer);
	q->answer = NULL;
}

static int take_answer(struct qmp *q, json_t **ret)
{
	json_t *error = json_object_get(q->answer, "error");

	if (error) {
		snprintf(q->error, sizeof(q->error), "%s",
			 json_string_value(json_object_get(error, "desc")) ?: "error");
		return -EREMOTEIO;
	}
	if (ret)
		*ret = json_incref(json_object_get(q->answer, "return"));
	return 0;
}

int qmp_execute(struct qmp *q, const char *command, json_t *arguments, json_t **ret)
{
	struct loop *l = q->line.src.loop;
	json_t *o = json_pack("{s:s, s:o*}", "execute", command, "arguments", arguments);
	int err;

	if (q->line.src.fd < 0) {
		json_decref(o);
		return -EPIPE;
	}
	q->answered = false;
	err = jsonline_send(&q->line, o);
	if (err)
		return err;
	err = loop_wait(l, is_answered, q, COMMAND_MS);
	if (err)
		return err;
	return q->answered ? take_answer(q, ret) : -EPIPE;
}

int qmp_set(struct qmp *q, const char *path, const char *property, json_t *value)
{
	return qmp_execute(q, "qom-set", json_pack("{s:s, s:s, s:o}", "path", path,
						   "property", property, "value", value),
			   NULL);
}

int qmp_get(struct qmp *q, const char *path, const char *property, json_t **value)
{
	return qmp_execute(q, "qom-get", json_pack("{s:s, s:s}", "path", path,
						   "property", property),
			   value);
}
