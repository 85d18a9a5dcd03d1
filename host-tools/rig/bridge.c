// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The bridge: see bridge.h.
 *
 * The switch is a fabric, whose CPU port is the wire; see fabric.h for what
 * becomes of a frame.  Frames from the guest are handled in batches, as the
 * stream hands them out; what is sent meanwhile is collected and flushed once at the end of the
 * batch, and so is the capture.  The wire's socket is watched for writing only
 * while something waits to be written.
 */
#include "bridge.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>

#define MIN_FRAME   60		/* without FCS */
#define PENDING_MAX 131072	/* bytes that wait for the guest before a sender has to */

static uint64_t wall_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

static void capture(struct bridge *b, int iface, enum pcapng_dir dir, const void *data,
		    size_t len, const char *comment)
{
	if (b->capture)
		pcapng_write(b->capture, (unsigned int)iface, wall_ns(), dir, data, len,
			     comment);
}

/* A capture that cannot be written ends the run: evidence would be missing. */
static void flush_capture(struct bridge *b)
{
	int err = b->capture ? pcapng_flush(b->capture) : 0;

	if (err)
		loop_fail(b->loop, "cannot write the capture: %s", strerror(-err));
}

static int new_interface(struct bridge *b, const char *name, const char *description)
{
	if (!b->capture)
		return 0;
	return pcapng_interface(b->capture, name, description, LINKTYPE_ETHERNET);
}

void bridge_init(struct bridge *b, struct loop *l, struct pcapng *p)
{
	memset(b, 0, sizeof(*b));
	b->loop = l;
	b->capture = p;
}

struct bridge_port *bridge_find(struct bridge *b, const char *name)
{
	unsigned int w, i;

	for (w = 0; w < BRIDGE_WIRES; w++) {
		for (i = 0; i < b->wire[w].ports; i++) {
			if (!strcmp(b->wire[w].port[i].name, name))
				return &b->wire[w].port[i];
		}
	}
	return NULL;
}

/* --- the wire ------------------------------------------------------------- */

static int flush_wire(struct bridge_wire *w)
{
	int n = stream_flush(w->stream);

	loop_mod(&w->src, EPOLLIN | (n > 0 ? EPOLLOUT : 0));
	return n < 0 ? n : 0;
}

static int queue(struct bridge_wire *w, const struct frame *f)
{
	int err;

	if (!w->stream)
		return -EPIPE;
	err = stream_send(w->stream, f);
	if (err == -EAGAIN && !flush_wire(w))
		err = stream_send(w->stream, f);
	return err;
}

/* --- from the guest ------------------------------------------------------- */

static void answer(struct bridge_port *port, const uint8_t *data, size_t len,
		   const struct verdict *v)
{
	uint8_t storage[FRAME_HEADROOM + PEER_REPLY + FRAME_TAILROOM];
	struct frame f;
	unsigned int i;

	for (i = 0; ; i++) {
		frame_init(&f, storage, sizeof(storage));
		f.len = peer_input(&port->peer, data, len, v, i, f.data);
		if (!f.len)
			break;
		/* as a real port pads what its host sends */
		if (f.len < MIN_FRAME) {
			memset(f.data + f.len, 0, MIN_FRAME - f.len);
			f.len = MIN_FRAME;
		}
		bridge_send(port, &f);
	}
	port->opened += i > 1;	/* nothing else gets several replies */
}

/* A frame that leaves through @port; @wire_len counts a tail tag cut off. */
static void out_of_port(struct bridge_port *port, const struct frame *f, size_t wire_len)
{
	struct bridge *b = port->wire->bridge;
	struct bridge_frame bf = { .port = port, .data = f->data, .len = f->len };
	struct verdict v;

	if (judge_frame_wire(f->data, f->len, wire_len, &v) < 0)
		return;
	b->judged++;
	port->out++;
	capture(b, port->iface, PCAPNG_OUT, f->data, f->len,
		v.l4.state == CSUM_WRONG ? csum_kind_name(v.l4.kind) : NULL);
	bf.verdict = &v;
	if (b->seen)
		b->seen(b, &bf);
	answer(port, f->data, f->len, &v);
}

static void say_bad_tag(struct bridge *b, const struct frame *f, const char *why)
{
	struct bridge_frame bf = { .data = f->data, .len = f->len, .why = why };

	if (b->seen)
		b->seen(b, &bf);
}

/* --- the switch ----------------------------------------------------------- */

static void on_bad_tag(void *ctx, const struct frame *f, const char *why)
{
	struct bridge_wire *w = ctx;

	say_bad_tag(w->bridge, f, why ? why : "no such tag");
}

static void on_egress(void *ctx, unsigned int port, const struct frame *f)
{
	struct bridge_wire *w = ctx;

	if (port < w->ports) {
		out_of_port(&w->port[port], f, (size_t)(w->end - f->data));
		return;
	}
	w->err = queue(w, f);
	if (!w->err)
		capture(w->bridge, w->iface, PCAPNG_OUT, f->data, f->len, NULL);
}

static const struct fabric_ops switch_ops = { .egress = on_egress, .bad_tag = on_bad_tag };

/* Why the fabric has dropped a frame that came in at @port since @before; NULL: it has not. */
static const char *dropped(const struct fabric *fab, unsigned int port,
			   const struct fabric_stats *before, enum fabric_drop *why)
{
	for (*why = 0; *why < FABRIC_DROPS; (*why)++) {
		if (fab->port[port].stats.drops[*why] != before->drops[*why])
			return fabric_drop_name(*why);
	}
	return NULL;
}

/* A frame of the CPU: its tag says out of which ports it goes. */
static void from_cpu(struct bridge_wire *w, struct frame *f)
{
	struct fabric *fab = w->fabric;
	struct fabric_stats before = fab->port[fab->cpu].stats;
	enum fabric_drop why;

	capture(w->bridge, w->iface, PCAPNG_IN, f->data, f->len, NULL);
	w->end = f->data + f->len;
	fabric_ingress(fab, fab->cpu, f, wall_ns());
	if (dropped(fab, fab->cpu, &before, &why) && why != FABRIC_BAD_TAG)
		say_bad_tag(w->bridge, f, why == FABRIC_NO_PORT ?
			    "the tag names no port of this switch" : fabric_drop_name(why));
}

/* Takes in what has come: 0, or why the wire is of no more use. */
static int receive(struct bridge_wire *w)
{
	struct frame f;
	int err, n;

	err = stream_fill(w->stream);
	while ((n = stream_next(w->stream, &f)) == 1) {
		if (w->fabric)
			from_cpu(w, &f);
		else
			out_of_port(&w->port[0], &f, f.len);
	}
	return n < 0 ? n : err < 0 ? err : 0;
}

/* --- to the guest --------------------------------------------------------- */

static void detach(struct bridge_wire *w)
{
	if (!w->stream)
		return;
	loop_del(&w->src);
	stream_free(w->stream);
	w->stream = NULL;
}

static void wire_ready(struct loop_source *s, uint32_t events)
{
	struct bridge_wire *w =
		(struct bridge_wire *)((char *)s - offsetof(struct bridge_wire, src));
	struct bridge *b = w->bridge;
	int err = 0;

	if (events & (EPOLLIN | EPOLLHUP | EPOLLERR))
		err = receive(w);
	if (err == -EPROTO)
		loop_fail(b->loop, "the wire is out of step: %s", stream_error(w->stream));
	/* A wire that closes is QEMU ending, which is told elsewhere. */
	if (err || flush_wire(w))
		detach(w);
	flush_capture(b);
}

/* Is there room for one more frame?  Asked before a tag goes in: it must not go in twice. */
static bool has_room(struct bridge_wire *w)
{
	if (!w->stream || stream_pending(w->stream) < PENDING_MAX)
		return true;
	flush_wire(w);
	return stream_pending(w->stream) < PENDING_MAX;
}

/* Through the switch, which tags it. */
static int send_through(struct bridge_port *port, struct frame *f)
{
	struct bridge_wire *w = port->wire;
	struct fabric_stats before = w->fabric->port[port->index].stats;
	enum fabric_drop why;

	w->err = 0;
	fabric_ingress(w->fabric, port->index, f, wall_ns());
	if (!dropped(w->fabric, port->index, &before, &why))
		return w->err;
	return why == FABRIC_NO_ROOM ? -ENOBUFS : -ERANGE;
}

int bridge_send(struct bridge_port *port, struct frame *f)
{
	struct bridge_wire *w = port->wire;
	int err;

	if (!has_room(w))
		return -EAGAIN;
	capture(w->bridge, port->iface, PCAPNG_IN, f->data, f->len, NULL);
	err = w->fabric ? send_through(port, f) : queue(w, f);
	if (!err) {
		port->in++;
		w->bridge->judged++;
	}
	return err;
}

int bridge_send_raw(struct bridge *b, unsigned int n, struct frame *f)
{
	capture(b, b->wire[n].iface, PCAPNG_OUT, f->data, f->len, NULL);
	return queue(&b->wire[n], f);
}

static bool is_drained(void *ctx)
{
	struct bridge *b = ctx;
	unsigned int i;

	for (i = 0; i < BRIDGE_WIRES; i++) {
		if (b->wire[i].stream && stream_pending(b->wire[i].stream))
			return false;
	}
	return true;
}

int bridge_drain(struct bridge *b, int timeout_ms)
{
	unsigned int i;

	for (i = 0; i < BRIDGE_WIRES; i++) {
		if (b->wire[i].stream)
			flush_wire(&b->wire[i]);
	}
	flush_capture(b);
	return loop_wait(b->loop, is_drained, b, timeout_ms);
}

/* --- wires ---------------------------------------------------------------- */

static void name_ports(struct bridge_wire *w, unsigned int ports, const char *name)
{
	unsigned int i;

	w->ports = ports;
	for (i = 0; i < ports; i++) {
		struct bridge_port *port = &w->port[i];

		port->wire = w;
		port->index = i;
		if (w->fabric)
			snprintf(port->name, sizeof(port->name), "lan%u", i);
		else
			snprintf(port->name, sizeof(port->name), "%s", name);
		/* locally administered; the last byte tells the port */
		memcpy(port->peer.mac, "\x02\x00\x5e\x10\x00", 5);
		port->peer.mac[5] = (uint8_t)((w - w->bridge->wire) << 4 | i);
		port->iface = new_interface(w->bridge, port->name, NULL);
	}
}

/* The switch behind wire @w; frames leave it as they are, for the judge to see. */
static int make_switch(struct bridge_wire *w, const struct bridge_switch *sw)
{
	int err;

	w->fabric = malloc(sizeof(*w->fabric));
	if (!w->fabric)
		return -ENOMEM;
	err = fabric_init(w->fabric, sw->ports + 1, sw->ports, sw->tag, &switch_ops, w);
	w->fabric->device = (uint8_t)sw->index;
	w->fabric->pad = false;
	return err;
}

int bridge_attach(struct bridge *b, unsigned int n, int fd, const struct bridge_switch *sw,
		  const char *name)
{
	struct bridge_wire *w = &b->wire[n];
	char description[64];
	int err;

	w->bridge = b;
	if (sw) {
		err = make_switch(w, sw);
		if (err)
			return err;
		snprintf(description, sizeof(description), "dsa:%s", tag_name(sw->tag));
		w->iface = new_interface(b, name, description);
	}
	name_ports(w, sw ? sw->ports : 1, name);
	err = stream_new(fd, &w->stream);
	if (err)
		return err;
	w->src.fd = fd;
	w->src.ready = wire_ready;
	return loop_add(b->loop, &w->src, EPOLLIN);
}

void bridge_close(struct bridge *b)
{
	unsigned int i;

	for (i = 0; i < BRIDGE_WIRES; i++) {
		detach(&b->wire[i]);
		free(b->wire[i].fabric);
		b->wire[i].fabric = NULL;
	}
	flush_capture(b);
}
