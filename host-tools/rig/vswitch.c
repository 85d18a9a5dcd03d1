// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The switch behind "tagrig bridge": see vswitch.h.
 *
 * One pump moves everything: it takes frames from the conduit and from each
 * far end in turn, as long as the outputs that they could go to are free, then
 * flushes once.  It is called by every event; after a bounded number of frames
 * it lets the event loop look at signals and sockets before it goes on.
 *
 * Left out: what the guest tells a real switch over MDIO (port state, bridges,
 * address tables): on a bare wire nobody hears of it, so groups are options.
 */
#include "vswitch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>

#define BUDGET		4096	/* frames before the event loop has its turn */
#define TURN		64	/* frames from one input before the next one's turn */
#define RETRY_MS	1
#define CAPTURE_BIT	(1ull << 32)
#define CAPTURE_FULL	(64 * 1024)	/* bytes that wait for a capture's reader */
#define SAID_MAX	10	/* lines about single frames */
#define SHORT_READ	16384	/* bytes: a read of less has emptied the socket */
#define CLOSE_MS	1000	/* that a capture's reader has at the end */

static uint64_t wall_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

static uint64_t steady_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

/* --- captures ------------------------------------------------------------- */

static void capture_frame(struct vswitch *sw, unsigned int port, enum pcapng_dir dir,
			  const struct frame *f, const char *comment)
{
	uint64_t now;

	if (!sw->capture && !sw->dlt)
		return;
	now = wall_ns();
	if (sw->capture) {
		pcapng_write(sw->capture, sw->port[port].iface, now, dir, f->data, f->len,
			     comment);
		if (pcapng_pending(sw->capture) >= CAPTURE_FULL)
			sw->full |= CAPTURE_BIT;
	}
	if (sw->dlt && port == sw->cpu) {
		pcapng_write(sw->dlt, 0, now, dir, f->data, f->len, NULL);
		if (pcapng_pending(sw->dlt) >= CAPTURE_FULL)
			sw->full |= CAPTURE_BIT;
	}
}

/* Hands out what a capture's reader takes; true when that is everything. */
static bool push_capture(struct vswitch *sw, struct pcapng *p, struct vswitch_source *vs)
{
	int n = p ? pcapng_push(p) : 0;

	if (n < 0)
		loop_fail(sw->loop, "capture: %s", n == -EPIPE ?
			  "the reader has gone" : strerror(-n));
	if (vs->src.loop && vs->src.fd >= 0)
		loop_mod(&vs->src, n > 0 ? EPOLLOUT : 0);
	return n <= 0;
}

static void push_captures(struct vswitch *sw)
{
	bool out = push_capture(sw, sw->capture, &sw->capture_src[0]);

	if (push_capture(sw, sw->dlt, &sw->capture_src[1]) && out)
		sw->full &= ~CAPTURE_BIT;
}

static struct vswitch *switch_of(struct loop_source *s)
{
	return ((struct vswitch_source *)((char *)s - offsetof(struct vswitch_source, src)))->sw;
}

/* Room in a pipe, or (EPOLLERR) nobody at its other end any more. */
static void capture_ready(struct loop_source *s, uint32_t events)
{
	struct vswitch *sw = switch_of(s);

	if (events & EPOLLERR)
		loop_fail(sw->loop, "capture: the reader has gone");
	vswitch_pump(sw);
}

static int watch_capture(struct vswitch *sw, unsigned int n, const struct pcapng *p)
{
	struct vswitch_source *vs = &sw->capture_src[n];
	int err;

	vs->sw = sw;
	vs->src.ready = capture_ready;
	vs->src.fd = p ? pcapng_pipe(p) : -1;
	err = vs->src.fd < 0 ? 0 : loop_add(sw->loop, &vs->src, 0);
	if (err != -EPERM)
		return err;
	vs->src.fd = -1;	/* /dev/null and the like are always ready */
	vs->src.loop = NULL;
	return 0;
}

int vswitch_capture(struct vswitch *sw, struct pcapng *p, struct pcapng *dlt,
		    uint16_t linktype)
{
	char description[160];
	unsigned int i;
	int err = 0;

	sw->capture = p;
	sw->dlt = dlt;
	/* the conduit first, as a reader lists them */
	for (i = 0; p && err >= 0 && i <= sw->cpu; i++) {
		struct vswitch_port *port = &sw->port[i ? i - 1 : sw->cpu];

		snprintf(description, sizeof(description), i ? "%s" : "dsa:%s", port->text);
		port->iface = err = pcapng_interface(p, port->name, description,
						     LINKTYPE_ETHERNET);
	}
	if (dlt && err >= 0)
		err = pcapng_interface(dlt, NULL, NULL, linktype);
	if (err < 0)
		return err;
	err = watch_capture(sw, 0, p) ?: watch_capture(sw, 1, dlt);
	push_captures(sw);
	return err;
}

/* --- out of the switch ---------------------------------------------------- */

static void fail_port(struct vswitch *sw, const struct vswitch_port *p)
{
	loop_fail(sw->loop, "%s: %s", p->name, p->fe->why);
}

/* What is wrong with a frame that leaves, for the capture; NULL: nothing. */
static const char *judge(struct vswitch *sw, struct vswitch_port *p, const struct frame *f)
{
	const uint8_t *end = f->data + f->len;
	struct verdict v;
	char text[160];

	if (!sw->judge || !sw->wire_end)
		return NULL;
	p->judged++;
	if (judge_frame_wire(f->data, f->len, sw->wire_end > end ?
			     (size_t)(sw->wire_end - f->data) : f->len, &v) != 1)
		return NULL;
	sw->wrong = true;
	p->wrong_ip += v.ip.state == CSUM_WRONG;
	if (v.l4.state == CSUM_WRONG)
		p->wrong[v.l4.kind]++;
	if (sw->said++ < sw->say_at_most)
		fprintf(stderr, "%s: frame %llu: %s: wrong %s checksum (%s)\n", p->name,
			(unsigned long long)p->judged, judge_text(&v, text, sizeof(text)),
			v.l4.state == CSUM_WRONG ? "layer-4" : "IPv4 header",
			csum_kind_name(v.l4.state == CSUM_WRONG ? v.l4.kind : v.ip.kind));
	return csum_kind_name(v.l4.state == CSUM_WRONG ? v.l4.kind : v.ip.kind);
}

static int deliver(struct vswitch *sw, unsigned int port, const struct frame *f)
{
	struct vswitch_port *p = &sw->port[port];
	int err;

	p->sent = true;
	err = port == sw->cpu ? stream_send(sw->stream, f) : p->fe->ops->send(p->fe, f);
	if (err)
		return err;
	p->out_frames++;
	p->out_bytes += f->len;
	return 0;
}

/* The output takes none at the moment. */
static void wait_or_drop(struct vswitch *sw, unsigned int port, const struct frame *f)
{
	struct vswitch_port *p = &sw->port[port];

	if (!sw->flow_control)
		p->drops[VSWITCH_FULL]++;
	else if (frameq_push(&p->out, f))
		p->drops[VSWITCH_NO_MEMORY]++;
	else
		sw->full |= 1ull << port;
}

/* A frame that can never leave: QEMU has gone, or a far end is down or broke. */
static void undeliverable(struct vswitch *sw, unsigned int port, int err)
{
	bool down = err == -ENETDOWN && port != sw->cpu;

	sw->port[port].drops[down ? VSWITCH_DOWN : VSWITCH_DISCONNECTED]++;
	if (down)
		return;
	if (port == sw->cpu)
		sw->readable = true;	/* where its end is found */
	else
		fail_port(sw, &sw->port[port]);
}

static void egress(void *ctx, unsigned int port, const struct frame *f)
{
	struct vswitch *sw = ctx;
	struct vswitch_port *p = &sw->port[port];
	int err;

	capture_frame(sw, port, PCAPNG_OUT, f, judge(sw, p, f));
	err = p->out.frames ? -EAGAIN : deliver(sw, port, f);
	if (err == -EAGAIN)
		wait_or_drop(sw, port, f);
	else if (err)
		undeliverable(sw, port, err);
}

static void bad_tag(void *ctx, const struct frame *f, const char *why)
{
	struct vswitch *sw = ctx;

	if (sw->said++ < sw->say_at_most)
		fprintf(stderr, "%s: frame %llu of %zu bytes: no %s tag: %s\n",
			sw->port[sw->cpu].name,
			(unsigned long long)sw->fabric.port[sw->cpu].stats.rx_frames, f->len,
			tag_name(sw->fabric.tag), why);
}

static const struct fabric_ops fabric_ops = { .egress = egress, .bad_tag = bad_tag };

/* Offers what waits for output @port once more; how many frames it took. */
static unsigned int offer(struct vswitch *sw, unsigned int port)
{
	struct vswitch_port *p = &sw->port[port];
	unsigned int taken = 0;
	struct frame f;
	int err = 0;

	while (frameq_peek(&p->out, &f)) {
		err = deliver(sw, port, &f);
		if (err == -EAGAIN)
			break;
		if (err)
			undeliverable(sw, port, err);
		frameq_drop(&p->out);
		taken++;
	}
	if (!p->out.frames)
		sw->full &= ~(1ull << port);
	return taken;
}

static unsigned int offer_again(struct vswitch *sw)
{
	unsigned int i, taken = 0;

	for (i = 0; sw->full & ~CAPTURE_BIT && i <= sw->cpu; i++)
		if (sw->full >> i & 1)
			taken += offer(sw, i);
	return taken;
}

/* --- into the switch ------------------------------------------------------ */

static void enter(struct vswitch *sw, unsigned int port, struct frame *f)
{
	capture_frame(sw, port, PCAPNG_IN, f, NULL);
	sw->wire_end = port == sw->cpu ? f->data + f->len : NULL;
	fabric_ingress(&sw->fabric, port, f, sw->now);
}

static bool may_read(const struct vswitch *sw, unsigned int port)
{
	const struct vswitch_port *p = &sw->port[port];

	if (sw->full & p->reach)
		return false;
	return sw->connected || (p->fe && !p->fe->ops->waits);
}

/* The connection is over; frames that were on their way to QEMU are lost. */
static void hang_up(struct vswitch *sw, bool out_of_step)
{
	struct vswitch_port *p = &sw->port[sw->cpu];
	uint64_t bytes = 0;
	unsigned int lost = stream_unsent(sw->stream, &bytes);

	if (!sw->quiet || out_of_step)
		fprintf(stderr, "conduit: %s\n", stream_error(sw->stream));
	sw->wrong |= out_of_step;
	p->out_frames -= lost;
	p->out_bytes -= bytes;
	p->drops[VSWITCH_DISCONNECTED] += lost + frameq_clear(&p->out);
	loop_del(&sw->wire.src);
	stream_restart(sw->stream, -1);
	sw->connected = sw->readable = false;
	sw->full &= ~(1ull << sw->cpu);
	fabric_set_link(&sw->fabric, sw->cpu, false);
	if (sw->once || sw->listener.src.fd < 0)
		sw->left = true;
	else
		loop_add(sw->loop, &sw->listener.src, EPOLLIN);
}

/* More bytes from QEMU; false when there are none now. */
static bool fill(struct vswitch *sw)
{
	int n = sw->readable ? stream_fill(sw->stream) : 0;

	if (n < 0)
		hang_up(sw, false);
	else if (n < SHORT_READ)
		sw->readable = false;	/* epoll will tell when there is more */
	return n > 0;
}

static unsigned int from_conduit(struct vswitch *sw)
{
	unsigned int n = 0;
	struct frame f;
	int got;

	while (n < TURN && may_read(sw, sw->cpu)) {
		got = stream_next(sw->stream, &f);
		if (got == 1) {
			enter(sw, sw->cpu, &f);
			n++;
		} else if (got < 0) {
			hang_up(sw, true);
		} else if (!fill(sw)) {
			break;
		}
	}
	return n;
}

static unsigned int from_port(struct vswitch *sw, unsigned int port)
{
	struct vswitch_port *p = &sw->port[port];
	unsigned int n = 0;
	struct frame f;
	int got;

	while (n < TURN && p->fe->readable && may_read(sw, port)) {
		frame_init(&f, sw->storage, FRAME_STORAGE);
		got = p->fe->ops->next(p->fe, &f);
		if (got == 1) {
			enter(sw, port, &f);
			n++;
			continue;
		}
		p->fe->readable = false;
		if (got < 0)
			fail_port(sw, p);
	}
	return n;
}

/* --- the pump ------------------------------------------------------------- */

static void flush_outputs(struct vswitch *sw)
{
	unsigned int i;

	for (i = 0; i < sw->cpu; i++) {
		struct vswitch_port *p = &sw->port[i];

		if (p->sent && p->fe->ops->flush && p->fe->ops->flush(p->fe))
			fail_port(sw, p);
		p->sent = false;
	}
	if (sw->connected && stream_pending(sw->stream) && stream_flush(sw->stream) < 0)
		sw->readable = true;
}

/* Sets what the event loop looks for. */
static void watch(struct vswitch *sw)
{
	unsigned int i;
	uint32_t want;

	for (i = 0; i < sw->cpu; i++) {
		struct vswitch_port *p = &sw->port[i];

		want = p->fe->readable ? 0 : EPOLLIN;
		if (p->fe->src.loop && want != p->watched) {
			loop_mod(&p->fe->src, want);
			p->watched = want;
		}
		if (sw->full >> i & 1 && p->fe->ops->polled && !sw->retry.at_ms)
			sw->retry.at_ms = loop_now() + RETRY_MS;
	}
	if (!sw->connected || !sw->wire.src.loop)
		return;
	want = (sw->readable ? 0 : EPOLLIN) | (stream_pending(sw->stream) ? EPOLLOUT : 0);
	if (want != sw->watched)
		loop_mod(&sw->wire.src, want);
	sw->watched = want;
}

static unsigned int round_of_inputs(struct vswitch *sw)
{
	unsigned int i, moved = from_conduit(sw);

	for (i = 0; i < sw->cpu; i++)
		moved += from_port(sw, i);
	return moved + offer_again(sw);
}

void vswitch_pump(struct vswitch *sw)
{
	unsigned int moved, total = 0;

	if (sw->pumping)
		return;
	sw->pumping = true;
	sw->now = steady_ns();
	do {
		moved = round_of_inputs(sw);
		total += moved;
		flush_outputs(sw);
		if (sw->full & CAPTURE_BIT)
			push_captures(sw);
	} while (moved && total < BUDGET && !sw->loop->failure[0]);
	if (moved)
		sw->again.at_ms = loop_now();
	if (total)
		push_captures(sw);
	watch(sw);
	sw->pumping = false;
}

static void pump_again(struct loop_timer *t)
{
	vswitch_pump((struct vswitch *)((char *)t - offsetof(struct vswitch, again)));
}

static void pump_retry(struct loop_timer *t)
{
	vswitch_pump((struct vswitch *)((char *)t - offsetof(struct vswitch, retry)));
}

/* --- QEMU ----------------------------------------------------------------- */

static void wire_ready(struct loop_source *s, uint32_t events)
{
	struct vswitch *sw = switch_of(s);

	if (events & (EPOLLIN | EPOLLHUP | EPOLLERR))
		sw->readable = true;
	/* A hang-up would be reported without end while an output is full. */
	if (events & (EPOLLHUP | EPOLLERR))
		loop_del(s);
	vswitch_pump(sw);
}

static int start(struct vswitch *sw)
{
	unsigned int i;
	int err;

	sw->wire.src.fd = stream_fd(sw->stream);
	err = loop_add(sw->loop, &sw->wire.src, EPOLLIN);
	if (err)
		return err;
	sw->watched = EPOLLIN;
	sw->connected = true;
	sw->connections++;
	fabric_set_link(&sw->fabric, sw->cpu, true);
	if (!sw->quiet)
		fprintf(stderr, "conduit: QEMU is connected\n");
	for (i = 0; i < sw->cpu; i++)
		if (sw->port[i].fe->ops->start)
			sw->port[i].fe->ops->start(sw->port[i].fe);
	vswitch_pump(sw);
	return 0;
}

static void listener_ready(struct loop_source *s, uint32_t events)
{
	struct vswitch *sw = switch_of(s);
	char why[WHY_SIZE] = "";
	struct stream *stream;
	int err;

	(void)events;
	err = stream_accept(s->fd, &stream, why);
	if (err == -EAGAIN)
		return;
	if (!err) {
		stream_free(sw->stream);
		sw->stream = stream;
		loop_del(s);	/* one at a time: others wait for the end of this one */
		err = start(sw);
	}
	if (err)
		loop_fail(sw->loop, "conduit: %s", *why ? why : strerror(-err));
}

/* Outputs that the frames of each input can go to. */
static void set_reach(struct vswitch *sw)
{
	const struct fabric_port *fp = sw->fabric.port;
	unsigned int i, k;

	for (i = 0; i <= sw->cpu; i++) {
		sw->port[i].reach = CAPTURE_BIT | (i == sw->cpu ? 0 : 1ull << sw->cpu);
		for (k = 0; k < sw->cpu; k++)
			if (i == sw->cpu || (k != i && fp[i].group && fp[i].group == fp[k].group))
				sw->port[i].reach |= 1ull << k;
	}
}

static int go(struct vswitch *sw)
{
	set_reach(sw);
	vswitch_pump(sw);
	return 0;
}

int vswitch_listen(struct vswitch *sw, int listen_fd)
{
	int err;

	sw->listener.src.fd = listen_fd;
	err = loop_add(sw->loop, &sw->listener.src, EPOLLIN);
	return err ?: go(sw);
}

int vswitch_connect(struct vswitch *sw, struct stream *stream)
{
	stream_free(sw->stream);
	sw->stream = stream;
	go(sw);
	return start(sw);
}

/* --- making and ending ---------------------------------------------------- */

int vswitch_init(struct vswitch *sw, struct loop *loop)
{
	int err;

	memset(sw, 0, sizeof(*sw));
	sw->loop = loop;
	sw->flow_control = true;
	sw->say_at_most = SAID_MAX;
	sw->started_ms = loop_now();
	sw->wire = (struct vswitch_source){ { .fd = -1, .ready = wire_ready }, sw };
	sw->listener = (struct vswitch_source){ { .fd = -1, .ready = listener_ready }, sw };
	sw->capture_src[0].src.fd = sw->capture_src[1].src.fd = -1;
	sw->again.fire = pump_again;
	sw->retry.fire = pump_retry;
	loop_timer_add(loop, &sw->again);
	loop_timer_add(loop, &sw->retry);
	sw->storage = malloc(FRAME_STORAGE);
	err = sw->storage ? stream_new(-1, &sw->stream) : -ENOMEM;
	return err;
}

int vswitch_set_ports(struct vswitch *sw, unsigned int ports, const struct tag_format *tag)
{
	unsigned int i;
	int err;

	err = fabric_init(&sw->fabric, ports + 1, ports, tag, &fabric_ops, sw);
	if (err)
		return err;
	sw->cpu = ports;
	fabric_set_link(&sw->fabric, sw->cpu, false);
	for (i = 0; i < ports; i++)
		snprintf(sw->port[i].name, sizeof(sw->port[i].name), "lan%u", i);
	snprintf(sw->port[ports].name, sizeof(sw->port[ports].name), "conduit");
	snprintf(sw->port[ports].text, sizeof(sw->port[ports].text), "%s", tag_name(tag));
	return 0;
}

static void farend_event(struct loop_source *s, uint32_t events)
{
	struct farend *fe = (struct farend *)((char *)s - offsetof(struct farend, src));

	if (fe->ops->ready)
		fe->ops->ready(fe);
	else
		fe->readable = true;
	/* what happened to it is found by reading it, and would be told without end */
	if (events & (EPOLLERR | EPOLLHUP))
		loop_del(s);
	vswitch_pump(fe->sw);
}

int vswitch_plug(struct vswitch *sw, unsigned int index, const char *text, uint64_t seed,
		 char *why)
{
	struct vswitch_port *p = &sw->port[index];
	struct farend_spec spec = {
		.port = p->name, .index = index, .ports = sw->cpu, .seed = seed, .sw = sw,
		.loop = sw->loop,
	};
	const struct farend_ops *ops = farend_kind(text, &spec.args, why);
	int err;

	if (!ops)
		return -EINVAL;
	snprintf(p->text, sizeof(p->text), "%s", text);
	err = ops->open(&spec, &p->fe, why);
	if (err || p->fe->src.fd < 0)
		return err;
	p->fe->src.ready = farend_event;
	p->watched = EPOLLIN;
	err = loop_add(sw->loop, &p->fe->src, EPOLLIN);
	return err ? why_set(why, err, "%s", strerror(-err)) : 0;
}

int vswitch_group(struct vswitch *sw, uint32_t mask, unsigned int group)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < sw->cpu && !err; i++)
		if (mask >> i & 1)
			err = fabric_set_group(&sw->fabric, i, group);
	return err;
}

struct farend *vswitch_farend(const struct vswitch *sw, unsigned int port)
{
	return port < sw->cpu ? sw->port[port].fe : NULL;
}

int vswitch_port_number(const char *text, size_t len)
{
	unsigned int n = 0;
	size_t i = len > 3 && !strncmp(text, "lan", 3) ? 3 : 0;

	if (i == len || len - i > 2)
		return -1;
	for (; i < len; i++) {
		if (text[i] < '0' || text[i] > '9')
			return -1;
		n = n * 10 + (text[i] - '0');
	}
	return n;
}

bool vswitch_is_done(const struct vswitch *sw)
{
	unsigned int i;

	for (i = 0; i < sw->cpu; i++) {
		const struct farend *fe = sw->port[i].fe;

		if (sw->port[i].out.frames || (fe->ops->waits && !fe->done))
			return false;
	}
	return !sw->port[sw->cpu].out.frames && !stream_pending(sw->stream);
}

bool vswitch_is_wrong(const struct vswitch *sw)
{
	unsigned int i;

	for (i = 0; i < sw->cpu; i++)
		if (sw->port[i].fe->wrong)
			return true;
	return sw->wrong;
}

static int close_capture(struct pcapng *p, struct vswitch_source *vs)
{
	loop_del(&vs->src);
	return p ? pcapng_finish(p, CLOSE_MS) : 0;
}

int vswitch_close(struct vswitch *sw)
{
	unsigned int i;
	int err;

	for (i = 0; i <= sw->cpu; i++) {
		struct farend *fe = sw->port[i].fe;

		frameq_free(&sw->port[i].out);
		if (!fe)
			continue;
		loop_del(&fe->src);
		loop_timer_del(sw->loop, &fe->timer);
		fe->ops->close(fe);
	}
	loop_del(&sw->wire.src);
	loop_del(&sw->listener.src);
	loop_timer_del(sw->loop, &sw->again);
	loop_timer_del(sw->loop, &sw->retry);
	stream_free(sw->stream);
	free(sw->storage);
	err = close_capture(sw->capture, &sw->capture_src[0]);
	return close_capture(sw->dlt, &sw->capture_src[1]) ?: err;
}
