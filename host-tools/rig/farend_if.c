// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * An interface of the host as a far end: "if:NAME", through libpcap.
 */
#include "farend.h"

#include <stdlib.h>

#include "net/ifcap.h"

struct if_end {
	struct farend fe;
	struct ifcap *ifcap;
	uint64_t too_long;
};

static struct if_end *if_of(struct farend *fe)
{
	return (struct if_end *)fe;
}

static int if_open(const struct farend_spec *spec, struct farend **out, char *why)
{
	struct if_end *i = malloc(sizeof(*i));
	struct ifcap *ifcap;
	int err;

	if (!i)
		return why_set(why, -ENOMEM, "%s", strerror(ENOMEM));
	err = ifcap_open(spec->args, &ifcap, why);
	if (err) {
		free(i);
		return err;
	}
	i->ifcap = ifcap;
	i->too_long = 0;
	farend_init(&i->fe, &farend_if, spec, ifcap_fd(ifcap));
	*out = &i->fe;
	return 0;
}

static int failed(struct farend *fe, int err)
{
	return why_set(fe->why, err, "interface: %.200s", ifcap_error(if_of(fe)->ifcap));
}

static int if_send(struct farend *fe, const struct frame *f)
{
	int err = ifcap_write(if_of(fe)->ifcap, f);

	return err && err != -EAGAIN ? failed(fe, err) : err;
}

static int if_next(struct farend *fe, struct frame *f)
{
	int got;

	while ((got = ifcap_read(if_of(fe)->ifcap, f)) == -ENOBUFS)
		if_of(fe)->too_long++;
	return got < 0 ? failed(fe, got) : got;
}

static unsigned int if_notes(struct farend *fe, struct farend_note *notes)
{
	notes[0] = (struct farend_note){ "if-queue", ifcap_drops(if_of(fe)->ifcap), true };
	notes[1] = (struct farend_note){ "too-long", if_of(fe)->too_long, true };
	return 2;
}

static void if_close(struct farend *fe)
{
	ifcap_close(if_of(fe)->ifcap);
	free(fe);
}

const struct farend_ops farend_if = {
	.kind = "if",
	.form = "if:NAME",
	.help = "an interface of the host, through libpcap",
	.needs_args = true,
	.polled = true,
	.open = if_open,
	.send = if_send,
	.next = if_next,
	.notes = if_notes,
	.close = if_close,
};
