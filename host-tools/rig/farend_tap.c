// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A tap as a far end: "tap:NAME[,netns=NAME]".  The interface is made when the
 * bridge starts, and gone when it ends, however it ends.
 *
 * While the guest takes nothing the tap is not read, and its interface queues
 * frames as any does; what it then drops is asked of it for the statistics.
 */
#include "farend.h"

#include <stdlib.h>

#include "net/tap.h"

struct tap_end {
	struct farend fe;
	struct tap *tap;
};

static struct tap_end *tap_of(struct farend *fe)
{
	return (struct tap_end *)fe;
}

static int parse(const struct farend_spec *spec, char name[64], char netns[200], char *why)
{
	const char *at = spec->args;
	char option[200], *value;
	int got = farend_option(&at, option, sizeof(option), &value);

	netns[0] = '\0';
	snprintf(name, 64, "%s", option);
	if (got < 0 || value || strlen(option) > 63)
		return why_set(why, -EINVAL, "expected %s, found 'tap:%.100s'",
			       farend_tap.form, spec->args);
	while ((got = farend_option(&at, option, sizeof(option), &value)) == 1) {
		if (strcmp(option, "netns") != 0 || !value || !*value)
			break;
		snprintf(netns, 200, "%s", value);
	}
	return got ? why_set(why, -EINVAL, "expected %s, found 'tap:%.100s'",
			     farend_tap.form, spec->args) : 0;
}

static int tap_end_open(const struct farend_spec *spec, struct farend **out, char *why)
{
	char name[64], netns[200];
	struct tap_end *t;
	struct tap *tap;
	int err;

	err = parse(spec, name, netns, why);
	if (err)
		return err;
	err = tap_open(name, *netns ? netns : NULL, &tap, why);
	if (err)
		return err;
	t = malloc(sizeof(*t));
	if (!t) {
		tap_close(tap);
		return why_set(why, -ENOMEM, "%s", strerror(ENOMEM));
	}
	t->tap = tap;
	farend_init(&t->fe, &farend_tap, spec, tap_fd(tap));
	*out = &t->fe;
	return 0;
}

static int failed(struct farend *fe, int err)
{
	return why_set(fe->why, err, "%s", err == -ENODEV ?
		       "the tap's interface is gone" : strerror(-err));
}

static int tap_send(struct farend *fe, const struct frame *f)
{
	int err = tap_write(tap_of(fe)->tap, f);

	if (err == -EIO)	/* the interface is down */
		return -ENETDOWN;
	return err && err != -EAGAIN ? failed(fe, err) : err;
}

static int tap_next(struct farend *fe, struct frame *f)
{
	int got = tap_read(tap_of(fe)->tap, f);

	return got < 0 ? failed(fe, got) : got;
}

static unsigned int tap_notes(struct farend *fe, struct farend_note *notes)
{
	notes[0] = (struct farend_note){ "tap-queue", tap_drops(tap_of(fe)->tap), true };
	return 1;
}

static void tap_end_close(struct farend *fe)
{
	tap_close(tap_of(fe)->tap);
	free(fe);
}

const struct farend_ops farend_tap = {
	.kind = "tap",
	.form = "tap:NAME[,netns=NAME]",
	.help = "an interface that is made for it, in this or another network namespace",
	.needs_args = true,
	.polled = true,
	.open = tap_end_open,
	.send = tap_send,
	.next = tap_next,
	.notes = tap_notes,
	.close = tap_end_close,
};
