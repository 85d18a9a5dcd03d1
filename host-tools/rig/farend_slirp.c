// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The user network as a far end: "slirp[:OPTIONS]", see net/slirp.h for them.
 *
 * Port 0 has 10.0.2.0/24 and fec0::/64, as QEMU's own; port N has 10.0.(2+N).0/24
 * and fec0:0:0:N::/64, so that a guest may use all of them at once.
 *
 * Frames of libslirp wait in a queue here, and as long as one does its sockets
 * are not looked at: TCP of the host then waits as well.  What libslirp sends of
 * its own accord meanwhile goes into the queue of net/slirp.c, which says what
 * it had to drop.
 */
#include "farend.h"

#include <arpa/inet.h>
#include <stdlib.h>

#include "net/slirp.h"

struct slirp_end {
	struct farend fe;
	struct slirp_peer *peer;
	struct frameq in;	/* from the network to the switch */
	bool update;		/* libslirp has to be asked what to watch */
};

static struct slirp_end *slirp_of(struct farend *fe)
{
	return (struct slirp_end *)fe;
}

/* A frame of the network. */
static int output(void *opaque, struct frame *f)
{
	struct slirp_end *s = opaque;

	if (frameq_is_full(&s->in) || frameq_push(&s->in, f))
		return -EAGAIN;
	s->fe.readable = true;
	return 0;
}

static void defaults(struct slirp_peer_config *c, unsigned int port)
{
	struct in_addr *addr[] = { &c->net, &c->host, &c->dns, &c->dhcp };
	struct in6_addr *addr6[] = { &c->prefix6, &c->host6, &c->dns6 };
	size_t i;

	slirp_peer_defaults(c);
	for (i = 0; i < 4; i++)
		addr[i]->s_addr = htonl(ntohl(addr[i]->s_addr) + (port << 8));
	for (i = 0; i < 3; i++)
		addr6[i]->s6_addr[7] += port;
}

static int slirp_open(const struct farend_spec *spec, struct farend **out, char *why)
{
	struct slirp_end *s = calloc(1, sizeof(*s));
	struct slirp_peer_config c;
	int err;

	if (!s)
		return why_set(why, -ENOMEM, "%s", strerror(ENOMEM));
	s->in.limit = FAREND_QUEUE;
	defaults(&c, spec->index);
	err = slirp_peer_parse(&c, spec->args, why);
	if (!err) {
		err = slirp_peer_new(&c, output, s, &s->peer, why);
		err = err == -EINVAL ? -EIO : err;	/* not a mistake in the text */
	}
	if (err) {
		frameq_free(&s->in);
		free(s);
		return err;
	}
	farend_init(&s->fe, &farend_slirp, spec, slirp_peer_fd(s->peer));
	s->fe.readable = !frameq_is_empty(&s->in);
	*out = &s->fe;
	return 0;
}

/* Its answers come at once; while they are not taken it gets no more. */
static int slirp_send(struct farend *fe, const struct frame *f)
{
	struct slirp_end *s = slirp_of(fe);

	if (frameq_is_full(&s->in))
		return -EAGAIN;
	slirp_peer_input(s->peer, f->data, f->len);
	s->update = true;
	return 0;
}

static int slirp_next(struct farend *fe, struct frame *f)
{
	struct slirp_end *s = slirp_of(fe);

	if (frameq_is_empty(&s->in))
		slirp_peer_update(s->peer);
	return frameq_pop(&s->in, f);
}

static int slirp_flush(struct farend *fe)
{
	struct slirp_end *s = slirp_of(fe);

	if (s->update)
		slirp_peer_update(s->peer);
	s->update = false;
	return 0;
}

static void slirp_ready(struct farend *fe)
{
	slirp_peer_dispatch(slirp_of(fe)->peer);
}

static unsigned int slirp_notes(struct farend *fe, struct farend_note *notes)
{
	const struct slirp_peer_stats *st = slirp_peer_stats(slirp_of(fe)->peer);

	notes[0] = (struct farend_note){ "slirp-queue", st->dropped, true };
	notes[1] = (struct farend_note){ "slirp-complaints", st->guest_errors, false };
	return 2;
}

static void slirp_close(struct farend *fe)
{
	struct slirp_end *s = slirp_of(fe);

	slirp_peer_free(s->peer);
	frameq_free(&s->in);
	free(s);
}

const struct farend_ops farend_slirp = {
	.kind = "slirp",
	.form = "slirp[:net=NET,hostfwd=...,guestfwd=...,restrict]",
	.help = "a user network: DHCP, DNS, a router to the host's network; no privilege",
	.open = slirp_open,
	.send = slirp_send,
	.next = slirp_next,
	.flush = slirp_flush,
	.ready = slirp_ready,
	.notes = slirp_notes,
	.close = slirp_close,
};
