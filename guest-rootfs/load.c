// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * rigload: the guest's end of the traffic.
 *
 *	rigload udp-send ADDR PORT --sizes S --count N [--rate PPS] [--seq FIRST]
 *	rigload udp-recv ADDR PORT --count N --timeout MS [--expect-seq A..B] [--by-device]
 *	rigload tcp-send ADDR PORT --sizes S --count N [--timeout MS]
 *	rigload tcp-recv ADDR PORT [--count N] [--timeout MS]
 *	rigload xdp-tx IFACE PORT [--timeout MS]
 *
 * xdp-tx puts an XDP program on IFACE that sends UDP over IPv4 to PORT back out
 * of it as it came (XDP_TX), all else goes to the stack.  The program is there
 * until the time is up or the tool is killed.
 *
 * udp-recv --by-device adds to what it prints a number for each interface, such
 * as "from_lan0": how many of the datagrams came in there.  tcp-recv --count N
 * takes N connections, one after the other.
 *
 * All take --device IFACE (SO_BINDTODEVICE) and --seed N, UDP --no-check too
 * (SO_NO_CHECK: datagrams over IPv4 leave with checksum zero).
 *
 * ADDR is IPv4 or IPv6, with %IFACE for a link-local one.  S is a list of
 * lengths and ranges (`18..1472`, `8,64,1000..1010`) in bytes of payload, taken
 * in turn, over and over.
 *
 * A datagram is 4 bytes magic, 4 bytes sequence number, both big-endian, then
 * bytes that follow from --seed and the sequence number (pattern_byte), so that
 * a receiver can tell a damaged one.  The sequence number UDP_END ends a
 * receiver: whoever sends on purpose what must not arrive sends it last.
 * A TCP stream is the pattern of sequence 0.
 *
 * Each tool prints `ready …` when its socket is bound (receivers) or connected
 * (senders), and one JSON object at its end.  Exit status 0: as asked; 1: not
 * all arrived, or a time ran out; 2: bad use.
 *
 * Segments: tcp-send has TCP_NODELAY set and TCP_NOTSENT_LOWAT at 1, and writes
 * only when nothing is unsent: each write is then a segment of its own (or
 * several, when it is longer than the MSS).
 *
 * Left out: several connections at a time, GSO of UDP, multicast joins.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <getopt.h>
#include <linux/bpf.h>
#include <linux/if.h>
#include <linux/if_ether.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "flatjson.h"

#define UDP_MAGIC	0x54524947u	/* "TRIG" */
#define UDP_HEAD	8
#define UDP_END		0xffffffffu
#define MAX_PAYLOAD	65535
#define MAX_SEQ		(1u << 20)	/* as far as udp-recv keeps count */
#define MAX_DEVICES	64		/* interfaces that --by-device counts for */

/* net/if.h clashes with linux/if.h */
unsigned int if_nametoindex(const char *name);
char *if_indextoname(unsigned int index, char *name);

struct range {
	unsigned int from, to;
};

#define MAX_RANGES 64

struct options {
	struct range size[MAX_RANGES];
	int sizes;
	struct range expect;
	bool expecting;
	unsigned long count, rate, timeout, seq, seed;
	bool no_check, by_device;
	const char *device;
};

union address {
	struct sockaddr sa;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
};

static uint8_t payload[MAX_PAYLOAD + 1];

__attribute__((noreturn, format(printf, 2, 3)))
static void fail(int status, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fprintf(stderr, "rigload: ");
	vfprintf(stderr, fmt, ap);
	fprintf(stderr, "\n");
	va_end(ap);
	exit(status);
}

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}

/* Arguments */

static unsigned long parse_number(const char *what, const char *s, unsigned long max)
{
	unsigned long v;
	char *end;

	errno = 0;
	v = strtoul(s, &end, 0);
	if (errno || end == s || *end || *s == '-' || v > max)
		fail(2, "%s: expected a number up to %lu, found %s", what, max, s);
	return v;
}

/* `A` or `A..B`; may write into @s. */
static struct range parse_range(const char *what, char *s, unsigned long max)
{
	char *dots = strstr(s, "..");
	struct range r;

	if (dots)
		*dots = '\0';
	r.from = parse_number(what, s, max);
	r.to = dots ? parse_number(what, dots + 2, max) : r.from;
	if (r.to < r.from)
		fail(2, "%s: range %u..%u runs backwards", what, r.from, r.to);
	return r;
}

static void parse_sizes(struct options *o, char *s)
{
	char *item, *save = NULL;

	for (item = strtok_r(s, ",", &save); item; item = strtok_r(NULL, ",", &save)) {
		if (o->sizes == MAX_RANGES)
			fail(2, "--sizes: more than %d ranges", MAX_RANGES);
		o->size[o->sizes++] = parse_range("--sizes", item, MAX_PAYLOAD);
	}
}

/* The order is that of the table: take_option() finds an option's name so. */
enum { OPT_SIZES = 1, OPT_COUNT, OPT_RATE, OPT_TIMEOUT, OPT_EXPECT, OPT_SEQ,
       OPT_SEED, OPT_DEVICE, OPT_NO_CHECK, OPT_BY_DEVICE };

static const struct option option_table[] = {
	{ "sizes", required_argument, NULL, OPT_SIZES },
	{ "count", required_argument, NULL, OPT_COUNT },
	{ "rate", required_argument, NULL, OPT_RATE },
	{ "timeout", required_argument, NULL, OPT_TIMEOUT },
	{ "expect-seq", required_argument, NULL, OPT_EXPECT },
	{ "seq", required_argument, NULL, OPT_SEQ },
	{ "seed", required_argument, NULL, OPT_SEED },
	{ "device", required_argument, NULL, OPT_DEVICE },
	{ "no-check", no_argument, NULL, OPT_NO_CHECK },
	{ "by-device", no_argument, NULL, OPT_BY_DEVICE },
	{ NULL, 0, NULL, 0 },
};

static void take_option(struct options *o, int which, char *arg)
{
	unsigned long *number[] = {
		[OPT_COUNT] = &o->count, [OPT_RATE] = &o->rate,
		[OPT_TIMEOUT] = &o->timeout, [OPT_SEQ] = &o->seq,
		[OPT_SEED] = &o->seed,
	};
	char name[32];

	if (which == OPT_SIZES) {
		parse_sizes(o, arg);
	} else if (which == OPT_EXPECT) {
		o->expect = parse_range("--expect-seq", arg, MAX_SEQ - 1);
		o->expecting = true;
	} else if (which == OPT_DEVICE) {
		o->device = arg;
	} else if (which == OPT_NO_CHECK) {
		o->no_check = true;
	} else if (which == OPT_BY_DEVICE) {
		o->by_device = true;
	} else {
		snprintf(name, sizeof(name), "--%s", option_table[which - 1].name);
		*number[which] = parse_number(name, arg, INT32_MAX);
	}
}

static void parse_options(struct options *o, int argc, char **argv)
{
	int which;

	*o = (struct options){ .count = 1, .timeout = 5000, .seed = 1 };
	while ((which = getopt_long(argc, argv, "", option_table, NULL)) != -1) {
		if (which == '?')
			exit(2);
		take_option(o, which, optarg);
	}
	if (optind < argc)
		fail(2, "unexpected argument %s", argv[optind]);
}

static socklen_t parse_address(const char *text, const char *port, union address *a)
{
	char addr[INET6_ADDRSTRLEN + IFNAMSIZ + 2], *scope;
	unsigned int p = parse_number("port", port, 65535);

	memset(a, 0, sizeof(*a));
	snprintf(addr, sizeof(addr), "%s", text);
	if (inet_pton(AF_INET, addr, &a->v4.sin_addr) == 1) {
		a->v4.sin_family = AF_INET;
		a->v4.sin_port = htons(p);
		return sizeof(a->v4);
	}
	scope = strchr(addr, '%');
	if (scope) {
		*scope++ = '\0';
		a->v6.sin6_scope_id = if_nametoindex(scope);
		if (!a->v6.sin6_scope_id)
			fail(2, "%s: no interface %s", text, scope);
	}
	if (inet_pton(AF_INET6, addr, &a->v6.sin6_addr) != 1)
		fail(2, "%s: expected an IPv4 or IPv6 address", text);
	a->v6.sin6_family = AF_INET6;
	a->v6.sin6_port = htons(p);
	return sizeof(a->v6);
}

/* Payload */

/*
 * Byte @i of what datagram @seq carries behind its head: a multiplicative hash,
 * so that neither zeros nor repetitions make checksums alike.
 */
static uint8_t pattern_byte(const struct options *o, uint32_t seq, uint32_t i)
{
	uint32_t h = (seq * 2654435761u) ^ (i * 2246822519u) ^ (uint32_t)(o->seed * 3266489917u);

	h ^= h >> 15;
	h *= 2654435761u;
	return h >> 24;
}

static void fill(const struct options *o, uint8_t *to, uint32_t seq, uint32_t from, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		to[i] = pattern_byte(o, seq, from + i);
}

static bool matches(const struct options *o, const uint8_t *p, uint32_t seq, uint32_t from, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (p[i] != pattern_byte(o, seq, from + i))
			return false;
	return true;
}

/* The @n-th length of the list, which starts over at its end. */
static unsigned int nth_size(const struct options *o, unsigned long n)
{
	unsigned long total = 0, span;
	int i;

	for (i = 0; i < o->sizes; i++)
		total += o->size[i].to - o->size[i].from + 1;
	n %= total;
	for (i = 0; ; i++) {
		span = o->size[i].to - o->size[i].from + 1;
		if (n < span)
			return o->size[i].from + n;
		n -= span;
	}
}

static void check_sizes(struct options *o, unsigned int least)
{
	int i;

	if (!o->sizes)
		o->size[o->sizes++] = (struct range){ least, least };
	for (i = 0; i < o->sizes; i++)
		if (o->size[i].from < least)
			fail(2, "--sizes: %u is less than %u", o->size[i].from, least);
}

/* Sockets */

static int open_socket(const struct options *o, const union address *a, int type)
{
	int one = 1, s = socket(a->sa.sa_family, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (s < 0)
		fail(1, "socket: %s", strerror(errno));
	setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	setsockopt(s, SOL_SOCKET, SO_BROADCAST, &one, sizeof(one));
	if (o->device && setsockopt(s, SOL_SOCKET, SO_BINDTODEVICE, o->device, strlen(o->device)))
		fail(1, "%s: %s", o->device, strerror(errno));
	if (o->no_check)
		setsockopt(s, SOL_SOCKET, SO_NO_CHECK, &one, sizeof(one));
	return s;
}

/* Waits for @events until @deadline (ms of now_ms); false when time is up. */
static bool wait_for(int fd, short events, int64_t deadline)
{
	struct pollfd p = { .fd = fd, .events = events };
	int64_t left;
	int n;

	do {
		left = deadline - now_ms();
		n = poll(&p, 1, left > 0 ? left : 0);
	} while (n < 0 && errno == EINTR);
	return n > 0;
}

static void say_ready(const char *proto, const char *addr, int s)
{
	union address a;
	socklen_t len = sizeof(a);

	getsockname(s, &a.sa, &len);
	printf("ready %s %s %u\n", proto, addr,
	       ntohs(a.sa.sa_family == AF_INET ? a.v4.sin_port : a.v6.sin6_port));
	fflush(stdout);
}

static int open_bound(const struct options *o, int type, const char *addr, const char *port)
{
	union address a;
	socklen_t len = parse_address(addr, port, &a);
	int size = 8 << 20, s = open_socket(o, &a, type);

	/* a burst must fit: as root beyond the system's limit, else up to it */
	if (setsockopt(s, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof(size)))
		setsockopt(s, SOL_SOCKET, SO_RCVBUF, &size, sizeof(size));
	if (bind(s, &a.sa, len))
		fail(1, "bind to %s port %s: %s", addr, port, strerror(errno));
	return s;
}

static int open_connected(const struct options *o, int type, const char *addr, const char *port)
{
	union address a;
	socklen_t len = parse_address(addr, port, &a), elen = sizeof(int);
	int err = 0, s = open_socket(o, &a, type);

	if (connect(s, &a.sa, len)) {
		err = errno;
		if (err == EINPROGRESS) {
			err = ETIMEDOUT;
			if (wait_for(s, POLLOUT, now_ms() + o->timeout))
				getsockopt(s, SOL_SOCKET, SO_ERROR, &err, &elen);
		}
	}
	if (err)
		fail(1, "connect to %s port %s: %s", addr, port, strerror(err));
	return s;
}

/* UDP */

static int open_pacer(unsigned long rate)
{
	struct itimerspec t = { 0 };
	int fd;

	if (!rate)
		return -1;
	t.it_interval.tv_sec = rate == 1;
	t.it_interval.tv_nsec = rate == 1 ? 0 : 1000000000 / rate;
	t.it_value = t.it_interval;
	fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	if (fd < 0 || timerfd_settime(fd, 0, &t, NULL))
		fail(1, "timer: %s", strerror(errno));
	return fd;
}

/* Waits for the timer unless earlier expirations are still to be used up. */
static void pace(int fd, uint64_t *credit)
{
	if (fd < 0)
		return;
	while (!*credit)
		if (read(fd, credit, sizeof(*credit)) < 0 && errno != EINTR)
			fail(1, "timer: %s", strerror(errno));
	--*credit;
}

/*
 * Sends one datagram.  An ICMP error for an earlier one (port unreachable)
 * comes back here: it is counted, and the datagram sent.
 */
static void send_datagram(int s, size_t len, unsigned long *errors)
{
	while (send(s, payload, len, 0) < 0) {
		if (errno == EAGAIN || errno == ENOBUFS)
			wait_for(s, POLLOUT, now_ms() + 1000);
		else if (errno == ECONNREFUSED || errno == EHOSTUNREACH)
			++*errors;
		else if (errno != EINTR)
			fail(1, "send of %zu bytes: %s", len, strerror(errno));
	}
}

/*
 * Without this the kernel says nothing of a datagram that it drops itself on the
 * way to the device (SndbufErrors), and it would be missing from the count.
 */
static void want_send_errors(int s)
{
	int one = 1;

	if (setsockopt(s, SOL_IP, IP_RECVERR, &one, sizeof(one)) &&
	    setsockopt(s, SOL_IPV6, IPV6_RECVERR, &one, sizeof(one)))
		fail(1, "IP_RECVERR: %s", strerror(errno));
	setsockopt(s, SOL_IPV6, IPV6_RECVERR, &one, sizeof(one));
}

static int udp_send(struct options *o, const char *addr, const char *port)
{
	unsigned long i, errors = 0, bytes = 0;
	uint64_t credit = 0;
	uint32_t word[2];
	int s, pacer;

	check_sizes(o, UDP_HEAD);
	s = open_connected(o, SOCK_DGRAM, addr, port);
	want_send_errors(s);
	pacer = open_pacer(o->rate);
	say_ready("udp", addr, s);
	for (i = 0; i < o->count; i++) {
		uint32_t seq = o->seq + i;
		unsigned int len = nth_size(o, i);

		word[0] = htonl(UDP_MAGIC);
		word[1] = htonl(seq);
		memcpy(payload, word, UDP_HEAD);
		fill(o, payload + UDP_HEAD, seq, 0, len - UDP_HEAD);
		pace(pacer, &credit);
		send_datagram(s, len, &errors);
		bytes += len;
	}
	printf("{\"sent\":%lu,\"bytes\":%lu,\"errors\":%lu}\n", i, bytes, errors);
	return 0;
}

/* What udp-recv has seen. */
struct tally {
	uint8_t seen[MAX_SEQ / 8];
	unsigned long received, distinct, duplicates, corrupt, foreign, bytes;
	unsigned long by_device[MAX_DEVICES];	/* by the interface's index */
	const char *ended;
};

static bool seen(const struct tally *t, uint32_t seq)
{
	return t->seen[seq / 8] >> seq % 8 & 1;
}

static void count_datagram(struct tally *t, const struct options *o, size_t len,
			   unsigned int device)
{
	uint32_t word[2];

	if (len < UDP_HEAD) {
		t->foreign++;
		return;
	}
	memcpy(word, payload, UDP_HEAD);
	word[0] = ntohl(word[0]);
	word[1] = ntohl(word[1]);
	if (word[0] != UDP_MAGIC || (word[1] >= MAX_SEQ && word[1] != UDP_END)) {
		t->foreign++;
		return;
	}
	if (word[1] == UDP_END) {
		t->ended = "end";
		return;
	}
	t->received++;
	t->bytes += len;
	t->by_device[device < MAX_DEVICES ? device : 0]++;
	t->corrupt += !matches(o, payload + UDP_HEAD, word[1], 0, len - UDP_HEAD);
	t->duplicates += seen(t, word[1]);
	t->distinct += !seen(t, word[1]);
	t->seen[word[1] / 8] |= 1 << word[1] % 8;
	if (t->distinct >= o->count)
		t->ended = "count";
}

/*
 * Adds `"KEY":"0-4,7"`: the numbers in @from..@to that were seen (or not), as
 * ranges.  Returns how many.
 */
static unsigned long add_ranges(struct buf *b, const char *key, const struct tally *t,
				bool present, uint32_t from, uint32_t to)
{
	unsigned long n = 0;
	uint32_t i, first;
	const char *sep = "";

	buf_printf(b, ",\"%s\":\"", key);
	for (i = from; i <= to; i++) {
		if (seen(t, i) != present)
			continue;
		for (first = i; i < to && seen(t, i + 1) == present; i++)
			;
		buf_printf(b, first == i ? "%s%u" : "%s%u-%u", sep, first, i);
		n += i - first + 1;
		sep = ",";
	}
	buf_puts(b, "\"");
	return n;
}

static void add_devices(struct buf *b, const struct tally *t)
{
	char name[IFNAMSIZ];
	unsigned int i;

	for (i = 1; i < MAX_DEVICES; i++)
		if (if_indextoname(i, name))
			buf_printf(b, ",\"from_%s\":%lu", name, t->by_device[i]);
}

/* Prints the tally; 0 when everything that was asked for arrived. */
static int report(const struct tally *t, const struct options *o)
{
	unsigned long missing = 0, wanted = 0;
	struct buf b = { 0 };

	buf_printf(&b, "{\"received\":%lu,\"distinct\":%lu,\"duplicates\":%lu,\"corrupt\":%lu,"
		   "\"foreign\":%lu,\"bytes\":%lu,\"ended\":\"%s\"", t->received, t->distinct,
		   t->duplicates, t->corrupt, t->foreign, t->bytes, t->ended);
	add_ranges(&b, "seqs", t, true, 0, MAX_SEQ - 1);
	if (o->by_device)
		add_devices(&b, t);
	if (o->expecting) {
		missing = add_ranges(&b, "missing", t, false, o->expect.from, o->expect.to);
		wanted = o->expect.to - o->expect.from + 1 - missing;
		buf_printf(&b, ",\"unexpected\":%lu", t->distinct - wanted);
	}
	printf("%s}\n", b.p);
	buf_free(&b);
	if (o->expecting)
		return missing || t->distinct != wanted || t->corrupt;
	return t->distinct < o->count || t->corrupt;
}

/* Asks for the interface that each datagram comes from: IPv6 sockets do for IPv4, too. */
static void want_device(int s, const char *addr)
{
	int one = 1, err;

	err = strchr(addr, ':') ?
	      setsockopt(s, IPPROTO_IPV6, IPV6_RECVPKTINFO, &one, sizeof(one)) :
	      setsockopt(s, IPPROTO_IP, IP_PKTINFO, &one, sizeof(one));
	if (err)
		fail(1, "cannot ask for a datagram's interface: %s", strerror(errno));
}

static unsigned int device_of(struct msghdr *m)
{
	struct cmsghdr *c;

	for (c = CMSG_FIRSTHDR(m); c; c = CMSG_NXTHDR(m, c)) {
		if (c->cmsg_level == IPPROTO_IPV6 && c->cmsg_type == IPV6_PKTINFO)
			return ((struct in6_pktinfo *)CMSG_DATA(c))->ipi6_ifindex;
		if (c->cmsg_level == IPPROTO_IP && c->cmsg_type == IP_PKTINFO)
			return ((struct in_pktinfo *)CMSG_DATA(c))->ipi_ifindex;
	}
	return 0;
}

/* One datagram into payload; *@device: where it came in, or 0. */
static ssize_t receive(int s, unsigned int *device)
{
	union { struct cmsghdr align; char bytes[256]; } control;
	struct iovec iov = { payload, sizeof(payload) };
	struct msghdr m = {
		.msg_iov = &iov, .msg_iovlen = 1, .msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	ssize_t n = recvmsg(s, &m, 0);

	*device = n < 0 ? 0 : device_of(&m);
	return n;
}

static int udp_recv(struct options *o, const char *addr, const char *port)
{
	static struct tally t;
	unsigned int device;
	int64_t deadline;
	ssize_t n;
	int s;

	s = open_bound(o, SOCK_DGRAM, addr, port);
	if (o->by_device)
		want_device(s, addr);
	say_ready("udp", addr, s);
	deadline = now_ms() + o->timeout;
	while (!t.ended) {
		if (!wait_for(s, POLLIN, deadline)) {
			t.ended = "timeout";
			break;
		}
		n = receive(s, &device);
		if (n >= 0)
			count_datagram(&t, o, n, device);
	}
	return report(&t, o);
}

/* TCP */

/* Writes all; false when the peer or the clock ended it. */
static bool send_all(int s, size_t len, int64_t deadline)
{
	size_t done = 0;
	ssize_t n;

	while (done < len) {
		if (!wait_for(s, POLLOUT, deadline))
			return false;
		n = send(s, payload + done, len - done, MSG_NOSIGNAL);
		if (n < 0 && errno != EAGAIN && errno != EINTR)
			return false;
		done += n > 0 ? n : 0;
	}
	return true;
}

/* Reads to the end of the peer's stream; what it says is not looked at. */
static const char *wait_for_close(int s, int64_t deadline)
{
	ssize_t n;

	for (;;) {
		if (!wait_for(s, POLLIN, deadline))
			return "timeout";
		n = recv(s, payload, sizeof(payload), 0);
		if (!n)
			return "eof";
		if (n < 0 && errno != EAGAIN && errno != EINTR)
			return "reset";
	}
}

static int tcp_send(struct options *o, const char *addr, const char *port)
{
	unsigned long writes, bytes = 0;
	const char *ended = "timeout";
	int one = 1, s;
	int64_t deadline;

	check_sizes(o, 1);
	s = open_connected(o, SOCK_STREAM, addr, port);
	setsockopt(s, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	setsockopt(s, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &one, sizeof(one));
	say_ready("tcp", addr, s);
	deadline = now_ms() + o->timeout;
	for (writes = 0; writes < o->count; writes++) {
		unsigned int len = nth_size(o, writes);

		fill(o, payload, 0, bytes, len);
		if (!send_all(s, len, deadline))
			break;
		bytes += len;
	}
	if (writes == o->count) {
		shutdown(s, SHUT_WR);
		ended = wait_for_close(s, deadline);
	} else if (now_ms() < deadline) {
		ended = "reset";
	}
	printf("{\"writes\":%lu,\"bytes\":%lu,\"ended\":\"%s\"}\n", writes, bytes, ended);
	return strcmp(ended, "eof") != 0;
}

/* What tcp-recv has got over all its connections. */
struct intake {
	unsigned long bytes;
	bool corrupt;
	const char *ended;
};

/* Reads one connection to its end; each carries the pattern from its beginning. */
static void take_connection(const struct options *o, int c, int64_t deadline, struct intake *in)
{
	unsigned long at = 0;
	ssize_t n;

	in->ended = "timeout";
	while (wait_for(c, POLLIN, deadline)) {
		n = recv(c, payload, sizeof(payload), 0);
		if (n < 0 && (errno == EAGAIN || errno == EINTR))
			continue;
		if (n <= 0) {
			in->ended = n ? "reset" : "eof";
			break;
		}
		in->corrupt |= !matches(o, payload, 0, at, n);
		at += n;
	}
	in->bytes += at;
}

static int tcp_recv(struct options *o, const char *addr, const char *port)
{
	struct intake in = { .ended = "timeout" };
	unsigned long taken;
	int64_t deadline;
	int s, c;

	s = open_bound(o, SOCK_STREAM, addr, port);
	if (listen(s, 16))
		fail(1, "listen: %s", strerror(errno));
	say_ready("tcp", addr, s);
	deadline = now_ms() + o->timeout;
	for (taken = 0; taken < o->count && wait_for(s, POLLIN, deadline); taken++) {
		c = accept4(s, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
		if (c < 0)
			break;
		take_connection(o, c, deadline, &in);
		close(c);
	}
	printf("{\"bytes\":%lu,\"corrupt\":%s,\"connections\":%lu,\"ended\":\"%s\"}\n", in.bytes,
	       in.corrupt ? "true" : "false", taken, in.ended);
	return in.corrupt || taken < o->count || strcmp(in.ended, "eof");
}

/* XDP */

/* Where an IPv4 header without options puts them in a frame. */
#define AT_PROTOCOL	23
#define AT_DPORT	36
#define UDP_HEADERS_END	42

#define LOAD(width, to, from, at) \
	{ .code = BPF_LDX | BPF_MEM | (width), .dst_reg = (to), .src_reg = (from), .off = (at) }
#define MOVE(to, from) { .code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = (to), .src_reg = (from) }
#define SET(to, value) { .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = (to), .imm = (value) }
#define ADD(to, value) { .code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = (to), .imm = (value) }
/* Jump over @n instructions. */
#define UNLESS_EQUAL(reg, value, n) \
	{ .code = BPF_JMP | BPF_JNE | BPF_K, .dst_reg = (reg), .imm = (value), .off = (n) }
#define IF_GREATER(a, b, n) \
	{ .code = BPF_JMP | BPF_JGT | BPF_X, .dst_reg = (a), .src_reg = (b), .off = (n) }
#define EXIT { .code = BPF_JMP | BPF_EXIT }

static int bpf(int cmd, union bpf_attr *attr)
{
	return syscall(SYS_bpf, cmd, attr, sizeof(*attr));
}

/* The program: UDP over IPv4 to @port (host order) goes back, all else goes on. */
static int load_xdp_tx(unsigned int port)
{
	const struct bpf_insn insns[] = {
		LOAD(BPF_W, BPF_REG_2, BPF_REG_1, offsetof(struct xdp_md, data)),
		LOAD(BPF_W, BPF_REG_3, BPF_REG_1, offsetof(struct xdp_md, data_end)),
		MOVE(BPF_REG_4, BPF_REG_2),
		ADD(BPF_REG_4, UDP_HEADERS_END),
		IF_GREATER(BPF_REG_4, BPF_REG_3, 8),
		LOAD(BPF_H, BPF_REG_5, BPF_REG_2, offsetof(struct ethhdr, h_proto)),
		UNLESS_EQUAL(BPF_REG_5, htons(ETH_P_IP), 6),
		LOAD(BPF_B, BPF_REG_5, BPF_REG_2, AT_PROTOCOL),
		UNLESS_EQUAL(BPF_REG_5, IPPROTO_UDP, 4),
		LOAD(BPF_H, BPF_REG_5, BPF_REG_2, AT_DPORT),
		UNLESS_EQUAL(BPF_REG_5, htons(port), 2),
		SET(BPF_REG_0, XDP_TX),
		EXIT,
		SET(BPF_REG_0, XDP_PASS),
		EXIT,
	};
	union bpf_attr attr = {
		.prog_type = BPF_PROG_TYPE_XDP,
		.insns = (uintptr_t)insns,
		.insn_cnt = sizeof(insns) / sizeof(insns[0]),
		.license = (uintptr_t)"GPL",
		.expected_attach_type = BPF_XDP,
	};
	int fd = bpf(BPF_PROG_LOAD, &attr);

	if (fd < 0)
		fail(1, "cannot load an XDP program: %s", strerror(errno));
	return fd;
}

/* The link goes when its descriptor is closed, and the program with it. */
static int xdp_tx(struct options *o, const char *iface, const char *port)
{
	unsigned int index = if_nametoindex(iface);
	union bpf_attr attr = { 0 };

	if (!index)
		fail(2, "no interface %s", iface);
	attr.link_create.prog_fd = load_xdp_tx(parse_number("port", port, 65535));
	attr.link_create.target_ifindex = index;
	attr.link_create.attach_type = BPF_XDP;
	if (bpf(BPF_LINK_CREATE, &attr) < 0)
		fail(1, "%s: cannot attach an XDP program: %s", iface, strerror(errno));
	printf("ready xdp %s %s\n", iface, port);
	fflush(stdout);
	wait_for(-1, 0, now_ms() + o->timeout);
	return 0;
}

static const struct {
	const char *name;
	int (*run)(struct options *o, const char *addr, const char *port);
} modes[] = {
	{ "udp-send", udp_send },
	{ "udp-recv", udp_recv },
	{ "tcp-send", tcp_send },
	{ "tcp-recv", tcp_recv },
	{ "xdp-tx", xdp_tx },
};

int main(int argc, char **argv)
{
	struct options o;
	size_t i;

	if (argc < 4)
		fail(2, "usage: rigload udp-send|udp-recv|tcp-send|tcp-recv ADDR PORT [OPTION]..., or xdp-tx IFACE PORT");
	for (i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		if (strcmp(argv[1], modes[i].name))
			continue;
		parse_options(&o, argc - 3, argv + 3);
		return modes[i].run(&o, argv[2], argv[3]);
	}
	fail(2, "expected udp-send, udp-recv, tcp-send, tcp-recv or xdp-tx, found %s", argv[1]);
}
