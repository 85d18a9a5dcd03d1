// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A cable between two ports as a far end: what leaves the one comes in at the
 * other.  "cable:PORT"; the other port has a cable back.
 */
#include "farend.h"

#include <stdlib.h>

#include "vswitch.h"

struct cable_end {
	struct farend fe;
	unsigned int to;	/* the port at the other end */
	struct frameq in;
};

static struct cable_end *cable_of(struct farend *fe)
{
	return (struct cable_end *)fe;
}

static int cable_open(const struct farend_spec *spec, struct farend **out, char *why)
{
	int to = vswitch_port_number(spec->args, strlen(spec->args));
	struct cable_end *c;

	if (to < 0 || to >= (int)spec->ports || to == (int)spec->index)
		return why_set(why, -EINVAL,
			       "expected cable:PORT with another port, up to %u, found 'cable:%.60s'",
			       spec->ports - 1, spec->args);
	c = calloc(1, sizeof(*c));
	if (!c)
		return why_set(why, -ENOMEM, "%s", strerror(ENOMEM));
	farend_init(&c->fe, &farend_cable, spec, -1);
	c->to = to;
	c->in.limit = FAREND_QUEUE;
	*out = &c->fe;
	return 0;
}

static int cable_send(struct farend *fe, const struct frame *f)
{
	struct cable_end *far = cable_of(vswitch_farend(fe->sw, cable_of(fe)->to));

	if (frameq_is_full(&far->in))
		return -EAGAIN;
	far->fe.readable = true;
	return frameq_push(&far->in, f) ? why_set(fe->why, -ENOMEM, "out of memory") : 0;
}

static int cable_next(struct farend *fe, struct frame *f)
{
	return frameq_pop(&cable_of(fe)->in, f);
}

static void cable_close(struct farend *fe)
{
	frameq_free(&cable_of(fe)->in);
	free(fe);
}

const struct farend_ops farend_cable = {
	.kind = "cable",
	.form = "cable:PORT",
	.help = "another port of this switch",
	.needs_args = true,
	.open = cable_open,
	.send = cable_send,
	.next = cable_next,
	.close = cable_close,
};
