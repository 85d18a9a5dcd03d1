// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What all far ends share: the table of kinds, and reading "KIND:OPTIONS"; and
 * the far end that is none.
 */
#include "farend.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "vswitch.h"

const struct farend_ops *const farend_kinds[] = {
	&farend_slirp, &farend_tap, &farend_if, &farend_pcap,
	&farend_script, &farend_echo, &farend_cable, &farend_none, NULL,
};

const struct farend_ops *farend_kind(const char *text, const char **args, char *why)
{
	size_t len = strcspn(text, ":");
	const struct farend_ops *const *k;
	char known[160] = "";

	for (k = farend_kinds; *k; k++) {
		size_t used = strlen(known);

		snprintf(known + used, sizeof(known) - used, "%s%s", used ? ", " : "",
			 (*k)->kind);
		if (strlen((*k)->kind) != len || strncmp((*k)->kind, text, len) != 0)
			continue;
		*args = text + len + (text[len] == ':');
		if (**args || !(*k)->needs_args)
			return *k;
		why_set(why, -EINVAL, "expected %s, found '%.100s'", (*k)->form, text);
		return NULL;
	}
	why_set(why, -EINVAL, "expected a far end (%s), found '%.60s'", known, text);
	return NULL;
}

static void timer_fired(struct loop_timer *t)
{
	struct farend *fe = (struct farend *)((char *)t - offsetof(struct farend, timer));

	if (fe->ops->ready)
		fe->ops->ready(fe);
	vswitch_pump(fe->sw);
}

void farend_init(struct farend *fe, const struct farend_ops *ops,
		 const struct farend_spec *spec, int fd)
{
	memset(fe, 0, sizeof(*fe));
	fe->ops = ops;
	fe->sw = spec->sw;
	fe->src.fd = fd;
	fe->timer.fire = timer_fired;
	loop_timer_add(spec->loop, &fe->timer);
}

void farend_arm(struct farend *fe, int ms)
{
	fe->timer.at_ms = loop_now() + ms;
}

int farend_option(const char **at, char *option, size_t size, char **value)
{
	size_t len = strcspn(*at, ",");

	if (!**at)
		return 0;
	if (len >= size)
		return -EINVAL;
	memcpy(option, *at, len);
	option[len] = '\0';
	*at += len + ((*at)[len] == ',');
	*value = strchr(option, '=');
	if (*value)
		*(*value)++ = '\0';
	return 1;
}

/* --- none: what leaves is gone, nothing comes ------------------------------ */

static int none_open(const struct farend_spec *spec, struct farend **out, char *why)
{
	struct farend *fe;

	if (*spec->args)
		return why_set(why, -EINVAL, "expected none, found 'none:%.60s'", spec->args);
	fe = malloc(sizeof(*fe));
	if (!fe)
		return why_set(why, -ENOMEM, "%s", strerror(ENOMEM));
	farend_init(fe, &farend_none, spec, -1);
	*out = fe;
	return 0;
}

static int none_send(struct farend *fe, const struct frame *f)
{
	(void)fe;
	(void)f;
	return 0;
}

static void none_close(struct farend *fe)
{
	free(fe);
}

const struct farend_ops farend_none = {
	.kind = "none",
	.form = "none",
	.help = "nothing: what leaves is counted and gone",
	.open = none_open,
	.send = none_send,
	.close = none_close,
};
