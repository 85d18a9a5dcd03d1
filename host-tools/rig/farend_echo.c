// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A peer that answers as a far end.
 *
 *	echo		a host that has every address: it answers ARP, neighbour
 *			solicitation, ping, UDP to port 7 and TCP (see rig/peer.h)
 *	echo:ADDR,...	the same with these addresses only
 *	echo:raw	each frame comes back with its MAC addresses turned round
 *
 * A host with every address does not answer for the one that asks for itself
 * (an ARP probe or announcement, duplicate address detection), or the guest
 * would give up its own address.
 */
#include "farend.h"

#include <stdlib.h>

#include "net/judge.h"
#include "peer.h"

#define ARP		0x806
#define ETH_LEN		14
#define ARP_SENDER	14	/* protocol address, in the ARP packet */
#define ARP_TARGET	24
#define ARP_LEN		28
#define ICMP6		58
#define ND_SOLICIT	135
#define ND_TARGET	8
#define MIN_FRAME	60

struct echo_end {
	struct farend fe;
	bool raw, any;
	struct peer peer;
	struct frameq in;
};

static struct echo_end *echo_of(struct farend *fe)
{
	return (struct echo_end *)fe;
}

static int parse(struct echo_end *e, const struct farend_spec *spec, char *why)
{
	const char *at = spec->args;
	char option[64], *value;
	int got;

	e->raw = !strcmp(at, "raw");
	e->any = !*at;
	while (!e->raw && (got = farend_option(&at, option, sizeof(option), &value))) {
		if (got < 0 || value || peer_add(&e->peer, option))
			return why_set(why, -EINVAL,
				       "expected echo, echo:raw or echo:ADDRESS,... (up to %d), found 'echo:%.100s'",
				       PEER_ADDRS, spec->args);
	}
	return 0;
}

static int echo_open(const struct farend_spec *spec, struct farend **out, char *why)
{
	struct echo_end *e = calloc(1, sizeof(*e));
	int err;

	if (!e)
		return why_set(why, -ENOMEM, "%s", strerror(ENOMEM));
	err = parse(e, spec, why);
	if (err) {
		free(e);
		return err;
	}
	/* locally administered; the last byte tells the port */
	memcpy(e->peer.mac, (uint8_t[]){ 0x02, 0, 0x5e, 0x10, 1, spec->index }, 6);
	e->in.limit = FAREND_QUEUE;
	farend_init(&e->fe, &farend_echo, spec, -1);
	*out = &e->fe;
	return 0;
}

/* The address that the frame is for into @peer; false: it is for nobody. */
static bool take_address(struct peer *peer, const struct frame *f, const struct verdict *v)
{
	static const uint8_t unspecified[16];
	const uint8_t *arp = f->data + ETH_LEN + 4u * v->vlans;
	struct peer_addr *a = &peer->addr[0];

	peer->addrs = 1;
	a->v6 = v->ip_version == 6;
	if (v->ethertype == ARP) {
		if (arp + ARP_LEN > f->data + f->len ||
		    !memcmp(arp + ARP_SENDER, unspecified, 4) ||
		    !memcmp(arp + ARP_SENDER, arp + ARP_TARGET, 4))
			return false;
		memcpy(a->bytes, arp + ARP_TARGET, 4);
	} else if (v->proto == ICMP6 && v->l4_offset && v->icmp_type == ND_SOLICIT) {
		if (!memcmp(v->src, unspecified, 16) ||
		    v->l4_offset + ND_TARGET + 16 > f->len)
			return false;
		memcpy(a->bytes, f->data + v->l4_offset + ND_TARGET, 16);
	} else {
		memcpy(a->bytes, v->dst, 16);
		return !(f->data[0] & 1);	/* what is for many is for no one peer */
	}
	return true;
}

/* A host's answer into @reply; its length, 0 for none. */
static size_t answer(struct echo_end *e, const struct frame *f, uint8_t *reply)
{
	struct peer peer = e->peer;
	struct verdict v;
	size_t len;

	if (judge_frame(f->data, f->len, &v) < 0 || (e->any && !take_address(&peer, f, &v)))
		return 0;
	len = peer_input(&peer, f->data, f->len, &v, 0, reply);
	if (len && len < MIN_FRAME) {
		memset(reply + len, 0, MIN_FRAME - len);
		len = MIN_FRAME;
	}
	return len;
}

static int echo_send(struct farend *fe, const struct frame *f)
{
	struct echo_end *e = echo_of(fe);
	uint8_t reply[PEER_REPLY];
	struct frame r = { .data = reply, .start = reply, .end = reply + sizeof(reply) };

	if (frameq_is_full(&e->in))
		return -EAGAIN;
	if (e->raw)
		r = *f;		/* turned round when it comes back */
	else
		r.len = answer(e, f, reply);
	if (!r.len)
		return 0;
	fe->readable = true;
	return frameq_push(&e->in, &r) ? why_set(fe->why, -ENOMEM, "out of memory") : 0;
}

static int echo_next(struct farend *fe, struct frame *f)
{
	int got = frameq_pop(&echo_of(fe)->in, f);
	uint8_t mac[6];

	if (got && echo_of(fe)->raw && f->len >= 12) {
		memcpy(mac, f->data, 6);
		memcpy(f->data, f->data + 6, 6);
		/* nobody sends from a group address */
		memcpy(f->data + 6, mac[0] & 1 ? echo_of(fe)->peer.mac : mac, 6);
	}
	return got;
}

static void echo_close(struct farend *fe)
{
	frameq_free(&echo_of(fe)->in);
	free(fe);
}

const struct farend_ops farend_echo = {
	.kind = "echo",
	.form = "echo[:ADDRESS,...] or echo:raw",
	.help = "a host that answers ARP, ping, UDP echo and TCP; raw: each frame comes back",
	.open = echo_open,
	.send = echo_send,
	.next = echo_next,
	.close = echo_close,
};
