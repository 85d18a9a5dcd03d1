// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libslirp as the far end of a port.
 *
 * libslirp wants to be asked before each sleep which descriptors to watch, and
 * told after it what happened to them.  Here that is an epoll descriptor of
 * its own: slirp_peer_update() asks and changes what differs from last time,
 * so an outer loop sees one descriptor.  libslirp's timers and the time that
 * it wants to be woken at are one timerfd in the same set.
 *
 * libslirp cannot be told to wait.  When the port takes no more, its frames go
 * into a queue, and when that is full they are dropped and counted, as libslirp
 * expects (TCP sends again).
 *
 * Left out: TFTP, SMB, state saving.  A service (guestfwd) serves one
 * connection at a time: libslirp names a service's connection by its address.
 * An echo service takes what comes without a limit to what it has not sent
 * back yet.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include <libslirp.h>

#include "net/slirp.h"

#define ETH_MIN		60
#define FRAME_LONGEST	2048		/* mtu 1500, and headers */
#define QUEUE		(256 * 1024)
#define EVENTS		64

/* Version 6 counts descriptors as sockets, and no longer takes the others. */
#if SLIRP_CHECK_VERSION(4, 9, 0)
#define CONFIG_VERSION	6
typedef slirp_os_socket poll_fd;
#else
#define CONFIG_VERSION	4
typedef int poll_fd;
#define slirp_pollfds_fill_socket slirp_pollfds_fill
#define register_poll_socket register_poll_fd
#define unregister_poll_socket unregister_poll_fd
#endif

struct watched {
	uint32_t wanted, registered, happened;	/* EPOLL* */
};

struct timer {
	SlirpTimerId id;
	void *opaque;
	int64_t at_ms;		/* 0: not armed */
	struct timer *next;
};

struct service {
	struct slirp_service config;
	uint64_t bytes;
	uint8_t *unsent;	/* of an echo */
	size_t used, size;
};

struct slirp_peer {
	Slirp *slirp;
	slirp_output_fn output;
	void *opaque;
	int epoll, timerfd;
	int64_t armed_ms;	/* what the timerfd is set to; 0: nothing */
	struct watched *watched;	/* by descriptor */
	int watched_size;
	struct timer *timers;
	unsigned int services;
	struct service service[SLIRP_SERVICES];
	struct slirp_peer_stats stats;
	char complaint[128];
	uint8_t storage[FRAME_HEADROOM + FRAME_LONGEST + FRAME_TAILROOM];
	size_t queue_start, queue_end;
	uint8_t queue[QUEUE];	/* two bytes of length, then the frame */
};

static int64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000ll + ts.tv_nsec / 1000000;
}

/* --- frames out ---------------------------------------------------------- */

static int offer(struct slirp_peer *p, const void *bytes, size_t len)
{
	struct frame f;

	frame_init(&f, p->storage, sizeof(p->storage));
	frame_set(&f, bytes, len);
	return p->output(p->opaque, &f);
}

static void enqueue(struct slirp_peer *p, const uint8_t *bytes, uint16_t len)
{
	if (QUEUE - p->queue_end < 2u + len) {
		memmove(p->queue, p->queue + p->queue_start,
			p->queue_end - p->queue_start);
		p->queue_end -= p->queue_start;
		p->queue_start = 0;
	}
	if (QUEUE - p->queue_end < 2u + len) {
		p->stats.dropped++;
		return;
	}
	memcpy(p->queue + p->queue_end, &len, 2);
	memcpy(p->queue + p->queue_end + 2, bytes, len);
	p->queue_end += 2 + len;
	p->stats.queued++;
}

static void empty_queue(struct slirp_peer *p)
{
	while (p->queue_start < p->queue_end) {
		uint16_t len;

		memcpy(&len, p->queue + p->queue_start, 2);
		if (offer(p, p->queue + p->queue_start + 2, len) == -EAGAIN)
			return;
		p->stats.out++;
		p->queue_start += 2 + len;
	}
	p->queue_start = p->queue_end = 0;
}

static ssize_t send_packet(const void *buf, size_t len, void *opaque)
{
	struct slirp_peer *p = opaque;
	uint8_t padded[ETH_MIN] = { 0 };
	const uint8_t *bytes = buf;
	size_t sent = len;

	if (len > FRAME_LONGEST) {
		p->stats.dropped++;
		return sent;
	}
	if (len < ETH_MIN) {		/* as every Ethernet sender does */
		memcpy(padded, buf, len);
		bytes = padded;
		len = ETH_MIN;
	}
	if (p->queue_start < p->queue_end || offer(p, bytes, len) == -EAGAIN)
		enqueue(p, bytes, len);
	else
		p->stats.out++;
	return sent;
}

/* --- what libslirp asks for ---------------------------------------------- */

static void guest_error(const char *msg, void *opaque)
{
	struct slirp_peer *p = opaque;

	p->stats.guest_errors++;
	snprintf(p->complaint, sizeof(p->complaint), "%s", msg);
}

static int64_t clock_get_ns(void *opaque)
{
	struct timespec ts;

	(void)opaque;
	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ll + ts.tv_nsec;
}

static void *timer_new(SlirpTimerId id, void *cb_opaque, void *opaque)
{
	struct slirp_peer *p = opaque;
	struct timer *t = calloc(1, sizeof(*t));

	if (!t)
		abort();	/* libslirp has no way to say so either */
	*t = (struct timer){ id, cb_opaque, 0, p->timers };
	p->timers = t;
	return t;
}

static void timer_free(void *timer, void *opaque)
{
	struct slirp_peer *p = opaque;
	struct timer **at = &p->timers;

	while (*at && *at != timer)
		at = &(*at)->next;
	if (*at)
		*at = (*at)->next;
	free(timer);
}

static void timer_mod(void *timer, int64_t expire_time, void *opaque)
{
	struct timer *t = timer;

	(void)opaque;
	t->at_ms = expire_time > 0 ? expire_time : 1;
}

/* NULL for -1, which libslirp unregisters for a service's connection. */
static struct watched *watch(struct slirp_peer *p, int fd)
{
	if (fd < 0)
		return NULL;
	if (fd >= p->watched_size) {
		int size = fd + 64;
		struct watched *w = realloc(p->watched, size * sizeof(*w));

		if (!w)
			return NULL;
		memset(w + p->watched_size, 0,
		       (size - p->watched_size) * sizeof(*w));
		p->watched = w;
		p->watched_size = size;
	}
	return &p->watched[fd];
}

/* A new descriptor may have the number of one that was closed. */
static void register_fd(poll_fd fd, void *opaque)
{
	struct watched *w = watch(opaque, fd);

	if (w)
		w->registered = 0;
}

static void unregister_fd(poll_fd fd, void *opaque)
{
	struct slirp_peer *p = opaque;
	struct watched *w = watch(p, fd);

	if (w && w->registered)
		epoll_ctl(p->epoll, EPOLL_CTL_DEL, fd, NULL);
	if (w)
		w->registered = 0;
}

/* libslirp has room again: slirp_peer_update() is called anyhow. */
static void notify(void *opaque)
{
	(void)opaque;
}

static const SlirpCb callbacks = {
	.send_packet = send_packet,
	.guest_error = guest_error,
	.clock_get_ns = clock_get_ns,
	.timer_new_opaque = timer_new,
	.timer_free = timer_free,
	.timer_mod = timer_mod,
	.register_poll_socket = register_fd,
	.unregister_poll_socket = unregister_fd,
	.notify = notify,
};

/* --- what to watch ------------------------------------------------------- */

static const struct {
	int slirp;
	uint32_t epoll;
} event_bits[] = {
	{ SLIRP_POLL_IN, EPOLLIN },
	{ SLIRP_POLL_OUT, EPOLLOUT },
	{ SLIRP_POLL_PRI, EPOLLPRI },
	{ SLIRP_POLL_ERR, EPOLLERR },
	{ SLIRP_POLL_HUP, EPOLLHUP },
};

#define EVENT_BITS (sizeof(event_bits) / sizeof(event_bits[0]))

static uint32_t to_epoll(int events)
{
	uint32_t bits = 0;

	for (size_t i = 0; i < EVENT_BITS; i++)
		bits |= events & event_bits[i].slirp ? event_bits[i].epoll : 0;
	return bits;
}

static int from_epoll(uint32_t bits)
{
	int events = 0;

	for (size_t i = 0; i < EVENT_BITS; i++)
		events |= bits & event_bits[i].epoll ? event_bits[i].slirp : 0;
	return events;
}

static int add_poll(poll_fd fd, int events, void *opaque)
{
	struct watched *w = watch(opaque, fd);

	if (!w)
		return -1;
	w->wanted |= to_epoll(events);
	return fd;
}

static int get_revents(int idx, void *opaque)
{
	struct slirp_peer *p = opaque;

	return idx >= 0 && idx < p->watched_size ?
	       from_epoll(p->watched[idx].happened) : 0;
}

static void watch_changes(struct slirp_peer *p)
{
	for (int fd = 0; fd < p->watched_size; fd++) {
		struct watched *w = &p->watched[fd];
		struct epoll_event e = { .events = w->wanted, .data.fd = fd };

		if (w->wanted == w->registered)
			continue;
		if (!w->wanted)
			epoll_ctl(p->epoll, EPOLL_CTL_DEL, fd, NULL);
		else if (!w->registered ||
			 epoll_ctl(p->epoll, EPOLL_CTL_MOD, fd, &e))
			if (epoll_ctl(p->epoll, EPOLL_CTL_ADD, fd, &e) &&
			    errno == EEXIST)
				epoll_ctl(p->epoll, EPOLL_CTL_MOD, fd, &e);
		w->registered = w->wanted;
	}
}

/* Sets the timerfd to the first of all timers and @wake_ms (0: none). */
static void arm(struct slirp_peer *p, int64_t wake_ms)
{
	struct itimerspec its = { 0 };

	for (struct timer *t = p->timers; t; t = t->next)
		if (t->at_ms && (!wake_ms || t->at_ms < wake_ms))
			wake_ms = t->at_ms;
	if (wake_ms == p->armed_ms)
		return;
	p->armed_ms = wake_ms;
	its.it_value.tv_sec = wake_ms / 1000;
	its.it_value.tv_nsec = wake_ms % 1000 * 1000000;
	timerfd_settime(p->timerfd, TFD_TIMER_ABSTIME, &its, NULL);
}

/* --- services ------------------------------------------------------------ */

static void keep_unsent(struct service *s, const void *bytes, size_t len)
{
	if (s->used + len > s->size) {
		size_t size = 2 * (s->used + len);
		uint8_t *bigger = realloc(s->unsent, size);

		if (!bigger)
			return;		/* the echo is short then */
		s->unsent = bigger;
		s->size = size;
	}
	memcpy(s->unsent + s->used, bytes, len);
	s->used += len;
}

static ssize_t service_received(const void *buf, size_t len, void *opaque)
{
	struct service *s = opaque;

	s->bytes += len;
	if (s->config.received)
		s->config.received(s->config.opaque, buf, len);
	else if (s->config.echo)
		keep_unsent(s, buf, len);
	return len;
}

size_t slirp_peer_service_send(struct slirp_peer *p, unsigned int i,
			       const void *bytes, size_t len)
{
	const struct slirp_service *c = &p->service[i].config;
	size_t room = slirp_socket_can_recv(p->slirp, c->addr, c->port);

	len = len < room ? len : room;
	len = len < INT_MAX ? len : INT_MAX;
	if (len)
		slirp_socket_recv(p->slirp, c->addr, c->port, bytes, len);
	return len;
}

static void send_unsent(struct slirp_peer *p)
{
	for (unsigned int i = 0; i < p->services; i++) {
		struct service *s = &p->service[i];
		size_t n;

		while (s->used) {
			n = slirp_peer_service_send(p, i, s->unsent, s->used);
			if (!n)
				break;
			s->used -= n;
			memmove(s->unsent, s->unsent + n, s->used);
		}
	}
}

uint64_t slirp_peer_service_bytes(const struct slirp_peer *p, unsigned int i)
{
	return i < p->services ? p->service[i].bytes : 0;
}

static int add_services(struct slirp_peer *p, const struct slirp_peer_config *c,
			char *why)
{
	for (unsigned int i = 0; i < c->services; i++) {
		struct service *s = &p->service[p->services++];
		char addr[INET_ADDRSTRLEN];

		s->config = c->service[i];
		if (!slirp_add_guestfwd(p->slirp, service_received, s,
					&s->config.addr, s->config.port))
			continue;
		inet_ntop(AF_INET, &s->config.addr, addr, sizeof(addr));
		return why_set(why, -EADDRNOTAVAIL,
			       "slirp: guestfwd: expected a free address of the network, found %s:%u",
			       addr, s->config.port);
	}
	return 0;
}

/* --- forwards ------------------------------------------------------------ */

static socklen_t sockaddr_len(const struct sockaddr_storage *ss)
{
	return ss->ss_family == AF_INET6 ? sizeof(struct sockaddr_in6) :
					   sizeof(struct sockaddr_in);
}

/* Without an address it is the one that DHCP gives. */
static void default_guest(struct sockaddr_storage *ss,
			  const struct slirp_peer_config *c)
{
	struct sockaddr_in *in = (struct sockaddr_in *)ss;

	if (ss->ss_family == AF_INET && !in->sin_addr.s_addr)
		in->sin_addr = c->dhcp;
}

static int add_forwards(struct slirp_peer *p, const struct slirp_peer_config *c,
			char *why)
{
	for (unsigned int i = 0; i < c->forwards; i++) {
		struct slirp_forward f = c->forward[i];
		int err, flags = f.udp ? SLIRP_HOSTFWD_UDP : 0;

		default_guest(&f.guest, c);
		if (!slirp_add_hostxfwd(p->slirp, (struct sockaddr *)&f.host,
					sockaddr_len(&f.host),
					(struct sockaddr *)&f.guest,
					sockaddr_len(&f.guest), flags))
			continue;
		err = errno ? -errno : -EADDRINUSE;
		return why_set(why, err, "slirp: hostfwd %s port %u: %s",
			       f.udp ? "udp" : "tcp",
			       ntohs(((struct sockaddr_in *)&f.host)->sin_port),
			       strerror(-err));
	}
	return 0;
}

/* --- what others call ---------------------------------------------------- */

static int open_events(struct slirp_peer *p)
{
	struct epoll_event e = { .events = EPOLLIN, .data.fd = -1 };

	p->epoll = epoll_create1(EPOLL_CLOEXEC);
	p->timerfd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
	if (p->epoll < 0 || p->timerfd < 0 ||
	    epoll_ctl(p->epoll, EPOLL_CTL_ADD, p->timerfd, &e))
		return -errno;
	return 0;
}

static Slirp *open_slirp(struct slirp_peer *p, const struct slirp_peer_config *c)
{
	SlirpConfig config = {
		.version = CONFIG_VERSION,
		.restricted = c->restricted,
		.in_enabled = true,
		.vnetwork = c->net,
		.vnetmask = c->mask,
		.vhost = c->host,
		.in6_enabled = true,
		.vprefix_addr6 = c->prefix6,
		.vprefix_len = c->prefix6_len,
		.vhost6 = c->host6,
		.vdhcp_start = c->dhcp,
		.vnameserver = c->dns,
		.vnameserver6 = c->dns6,
		.if_mtu = c->mtu,
		.if_mru = c->mtu,
	};

	return slirp_new(&config, &callbacks, p);
}

int slirp_peer_new(const struct slirp_peer_config *c, slirp_output_fn output,
		   void *opaque, struct slirp_peer **out, char *why)
{
	struct slirp_peer *p = calloc(1, sizeof(*p));
	int err;

	if (!p)
		return why_set(why, -ENOMEM, "slirp: %s", strerror(ENOMEM));
	p->output = output;
	p->opaque = opaque;
	p->epoll = p->timerfd = -1;
	err = open_events(p);
	if (err)
		why_set(why, err, "slirp: %s", strerror(-err));
	if (!err) {
		p->slirp = open_slirp(p, c);
		if (!p->slirp)
			err = why_set(why, -EINVAL, "slirp: libslirp refuses the configuration");
	}
	err = err ?: add_services(p, c, why) ?: add_forwards(p, c, why);
	if (err) {
		slirp_peer_free(p);
		return err;
	}
	slirp_peer_update(p);
	*out = p;
	return 0;
}

void slirp_peer_free(struct slirp_peer *p)
{
	if (!p)
		return;
	if (p->slirp)
		slirp_cleanup(p->slirp);
	while (p->timers)
		timer_free(p->timers, p);
	for (unsigned int i = 0; i < p->services; i++)
		free(p->service[i].unsent);
	if (p->epoll >= 0)
		close(p->epoll);
	if (p->timerfd >= 0)
		close(p->timerfd);
	free(p->watched);
	free(p);
}

void slirp_peer_input(struct slirp_peer *p, const uint8_t *data, size_t len)
{
	p->stats.in++;
	slirp_input(p->slirp, data, len);
}

int slirp_peer_fd(const struct slirp_peer *p)
{
	return p->epoll;
}

void slirp_peer_update(struct slirp_peer *p)
{
	uint32_t timeout = UINT32_MAX;

	empty_queue(p);
	send_unsent(p);
	for (int fd = 0; fd < p->watched_size; fd++)
		p->watched[fd].wanted = 0;
	slirp_pollfds_fill_socket(p->slirp, &timeout, add_poll, p);
	watch_changes(p);
	arm(p, timeout == UINT32_MAX ? 0 : now_ms() + timeout + 1);
}

static void fire_timers(struct slirp_peer *p)
{
	int64_t now = now_ms();
	struct timer *t = p->timers;

	while (t) {
		struct timer *next = t->next;

		if (t->at_ms && t->at_ms <= now) {
			t->at_ms = 0;
			slirp_handle_timer(p->slirp, t->id, t->opaque);
		}
		t = next;
	}
}

void slirp_peer_dispatch(struct slirp_peer *p)
{
	struct epoll_event events[EVENTS];
	uint64_t expired;
	int n = epoll_wait(p->epoll, events, EVENTS, 0);

	for (int fd = 0; fd < p->watched_size; fd++)
		p->watched[fd].happened = 0;
	for (int i = 0; i < n; i++) {
		if (events[i].data.fd >= 0)
			p->watched[events[i].data.fd].happened = events[i].events;
		else if (read(p->timerfd, &expired, sizeof(expired)) > 0)
			p->armed_ms = 0;
	}
	slirp_pollfds_poll(p->slirp, n < 0, get_revents, p);
	fire_timers(p);
	slirp_peer_update(p);
}

const struct slirp_peer_stats *slirp_peer_stats(const struct slirp_peer *p)
{
	return &p->stats;
}

const char *slirp_peer_complaint(const struct slirp_peer *p)
{
	return p->complaint;
}
