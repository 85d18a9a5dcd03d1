// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The user network as a far end, driven by frames that a guest would send:
 * ARP, neighbour discovery, ping, UDP to a socket of the host and back, TCP to
 * an echo service, a forwarded port; every frame that comes out is judged.
 * Also what happens when the port takes nothing, and each mistake in options.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "net/desc.h"
#include "net/judge.h"
#include "net/slirp.h"

#define FRAMES	512
#define WAIT_MS	5000

static struct {
	unsigned int count;
	bool full;			/* the port takes nothing */
	struct seen {
		size_t len;
		uint8_t data[1600];
		struct verdict v;
	} frame[FRAMES];
} out;

static int output(void *opaque, struct frame *f)
{
	struct seen *s = &out.frame[out.count];

	assert_ptr_equal(opaque, &out);
	if (out.full || out.count == FRAMES)
		return -EAGAIN;
	assert_true(f->len >= 60);
	assert_true(f->len <= sizeof(s->data));
	assert_true((size_t)(f->data - f->start) >= FRAME_HEADROOM);
	s->len = f->len;
	memcpy(s->data, f->data, f->len);
	assert_int_equal(judge_frame(s->data, s->len, &s->v), 0);
	out.count++;
	return 0;
}

static struct slirp_peer *start(const char *options)
{
	struct slirp_peer_config c;
	struct slirp_peer *p = NULL;
	char why[WHY_SIZE];

	memset(&out, 0, sizeof(out));
	slirp_peer_defaults(&c);
	if (slirp_peer_parse(&c, options, why) ||
	    slirp_peer_new(&c, output, &out, &p, why))
		fail_msg("%s", why);
	return p;
}

/* Sends one described frame. */
static void say(struct slirp_peer *p, const char *text)
{
	static uint8_t storage[FRAME_STORAGE];
	struct desc_error error;
	struct desc *d = desc_parse(text, "test", 1, 1, 1, &error);
	struct frame f;

	if (!d)
		fail_msg("%s", error.text);
	frame_init(&f, storage, sizeof(storage));
	assert_int_equal(desc_next(d, &f), 1);
	slirp_peer_input(p, f.data, f.len);
	slirp_peer_update(p);
	desc_free(d);
}

/* Waits until @found likes one of the frames; fails the test if none comes. */
static struct seen *wait_for(struct slirp_peer *p, bool (*found)(const struct seen *s))
{
	struct pollfd pfd = { .fd = slirp_peer_fd(p), .events = POLLIN };
	unsigned int i = 0;

	for (;;) {
		for (; i < out.count; i++)
			if (found(&out.frame[i]))
				return &out.frame[i];
		if (poll(&pfd, 1, WAIT_MS) != 1)
			fail_msg("expected a frame, found none in %d ms", WAIT_MS);
		slirp_peer_dispatch(p);
	}
}

/* The network learns the guest's address from ARP. */
static void introduce(struct slirp_peer *p)
{
	say(p, "arp 10.0.2.15 > 10.0.2.2");
}

/* --- ARP, ND, ping ------------------------------------------------------- */

static bool is_arp_reply(const struct seen *s)
{
	return s->v.ethertype == 0x0806 && s->data[21] == 2;
}

static void arp(void **state)
{
	struct slirp_peer *p = start("");
	struct seen *s;

	(void)state;
	introduce(p);
	s = wait_for(p, is_arp_reply);
	assert_memory_equal(s->data, "\2\0\0\0\0\2", 6);
	assert_memory_equal(s->data + 28, "\x0a\0\2\2", 4);
	assert_int_equal(slirp_peer_stats(p)->in, 1);
	assert_int_equal(slirp_peer_stats(p)->out, out.count);
	slirp_peer_free(p);
}

static bool is_pong(const struct seen *s)
{
	return s->v.proto == IPPROTO_ICMP && s->v.icmp_type == 0;
}

static void ping(void **state)
{
	struct slirp_peer *p = start("net=10.9.8.0/24");
	struct seen *s;

	(void)state;
	say(p, "arp 10.9.8.15 > 10.9.8.2");
	say(p, "icmp 10.9.8.15 > 10.9.8.2 id 7 seq 9 len 200");
	s = wait_for(p, is_pong);
	assert_int_equal(s->v.payload_len, 200);
	assert_memory_equal(s->data + 38, "\0\7\0\x9", 4);
	slirp_peer_free(p);
}

static bool is_pong6(const struct seen *s)
{
	return s->v.proto == IPPROTO_ICMPV6 && s->v.icmp_type == 129;
}

static bool is_router(const struct seen *s)
{
	return s->v.proto == IPPROTO_ICMPV6 && s->v.icmp_type == 134;
}

static bool is_solicitation(const struct seen *s)
{
	return s->v.proto == IPPROTO_ICMPV6 && s->v.icmp_type == 135;
}

static void ipv6(void **state)
{
	struct slirp_peer *p = start("");

	(void)state;
	say(p, "icmp6 fe80::ff:fe00:2 > ff02::2 type 133 id 0 seq 0 len 0 ttl 255 dmac 33:33:00:00:00:02");
	wait_for(p, is_router);
	/* it does not know fec0::15 yet, and asks before it answers */
	say(p, "icmp6 fec0::15 > fec0::2 len 64");
	wait_for(p, is_solicitation);
	slirp_peer_free(p);
}

/* A neighbour solicitation tells the network our address, and is answered. */
static void ping6(void **state)
{
	/* fec0::15 asks for fec0::2, source link-layer address 02:00:00:00:00:02 */
	static uint8_t ns[86] = {
		0x33, 0x33, 0xff, 0, 0, 2, 2, 0, 0, 0, 0, 2, 0x86, 0xdd,
		0x60, 0, 0, 0, 0, 32, 58, 255,
		0xfe, 0xc0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x15,
		0xff, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0xff, 0, 0, 2,
		135, 0, 0, 0, 0, 0, 0, 0,
		0xfe, 0xc0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2,
		1, 1, 2, 0, 0, 0, 0, 2,
	};
	struct slirp_peer *p = start("");
	struct seen *s;

	(void)state;
	judge_mend(ns, sizeof(ns));
	slirp_peer_input(p, ns, sizeof(ns));
	slirp_peer_update(p);
	say(p, "icmp6 fec0::15 > fec0::2 id 3 seq 4 len 100 ttl 255");
	s = wait_for(p, is_pong6);
	assert_int_equal(s->v.payload_len, 100);
	slirp_peer_free(p);
}

/* --- UDP to the host ----------------------------------------------------- */

static uint16_t udp_server(int *fd)
{
	struct sockaddr_in in = { .sin_family = AF_INET };
	socklen_t len = sizeof(in);

	in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	*fd = socket(AF_INET, SOCK_DGRAM, 0);
	assert_int_equal(bind(*fd, (struct sockaddr *)&in, sizeof(in)), 0);
	assert_int_equal(getsockname(*fd, (struct sockaddr *)&in, &len), 0);
	return ntohs(in.sin_port);
}

static bool is_udp_answer(const struct seen *s)
{
	return s->v.proto == IPPROTO_UDP && s->v.dport == 4444;
}

static void udp_to_the_host(void **state)
{
	struct slirp_peer *p = start("");
	struct sockaddr_in from;
	socklen_t fromlen = sizeof(from);
	char text[200], bytes[300];
	struct seen *s;
	int fd;

	(void)state;
	introduce(p);
	snprintf(text, sizeof(text), "udp 10.0.2.15:4444 > 10.0.2.2:%u len 123",
		 udp_server(&fd));
	say(p, text);
	assert_int_equal(recvfrom(fd, bytes, sizeof(bytes), 0,
				  (struct sockaddr *)&from, &fromlen), 123);
	assert_memory_equal(bytes, DESC_MAGIC, 4);
	assert_int_equal(sendto(fd, "answer", 6, 0, (struct sockaddr *)&from,
				fromlen), 6);
	s = wait_for(p, is_udp_answer);
	assert_int_equal(s->v.l4.state, CSUM_RIGHT);
	assert_int_equal(s->v.payload_len, 6);
	assert_memory_equal(s->data + s->v.payload_offset, "answer", 6);
	close(fd);
	slirp_peer_free(p);
}

/* --- TCP to a service ---------------------------------------------------- */

static bool is_syn_ack(const struct seen *s)
{
	return s->v.proto == IPPROTO_TCP && s->v.tcp_flags == 0x12;
}

static bool is_tcp_data(const struct seen *s)
{
	return s->v.proto == IPPROTO_TCP && s->v.payload_len;
}

static uint32_t sequence(const struct seen *s)
{
	uint32_t seq;

	memcpy(&seq, s->data + s->v.l4_offset + 4, 4);
	return ntohl(seq);
}

/* Opens a connection to 10.0.2.100:7 and sends 50 bytes. */
static void talk(struct slirp_peer *p)
{
	char text[200];
	uint32_t ack;

	introduce(p);
	say(p, "tcp 10.0.2.15:1111 > 10.0.2.100:7 flags S seq 1000 ack 0 len 0");
	ack = sequence(wait_for(p, is_syn_ack)) + 1;
	snprintf(text, sizeof(text),
		 "tcp 10.0.2.15:1111 > 10.0.2.100:7 flags A seq 1001 ack %u len 0", ack);
	say(p, text);
	snprintf(text, sizeof(text),
		 "tcp 10.0.2.15:1111 > 10.0.2.100:7 flags PA seq 1001 ack %u len 50", ack);
	say(p, text);
}

static void tcp_echo(void **state)
{
	struct slirp_peer *p = start("guestfwd=tcp:10.0.2.100:7-echo");
	struct seen *s;

	(void)state;
	talk(p);
	s = wait_for(p, is_tcp_data);
	assert_int_equal(s->v.payload_len, 50);
	assert_memory_equal(s->data + s->v.payload_offset, DESC_MAGIC, 4);
	assert_int_equal(slirp_peer_service_bytes(p, 0), 50);
	slirp_peer_free(p);
}

static char received[100];

static void receive(void *opaque, const void *bytes, size_t len)
{
	assert_string_equal(opaque, "me");
	memcpy(received, bytes, len < sizeof(received) ? len : sizeof(received));
}

static void tcp_to_a_callback(void **state)
{
	struct slirp_peer_config c;
	struct slirp_peer *p;
	struct seen *s;
	char why[WHY_SIZE];

	(void)state;
	memset(&out, 0, sizeof(out));
	slirp_peer_defaults(&c);
	assert_int_equal(slirp_peer_parse(&c, "guestfwd=tcp:10.0.2.100:7-sink", why), 0);
	c.service[0].received = receive;
	c.service[0].opaque = "me";
	assert_int_equal(slirp_peer_new(&c, output, &out, &p, why), 0);
	assert_int_equal(slirp_peer_service_send(p, 0, "nobody", 6), 0);
	talk(p);
	assert_memory_equal(received, DESC_MAGIC, 4);
	assert_int_equal(slirp_peer_service_bytes(p, 0), 50);
	assert_int_equal(slirp_peer_service_bytes(p, 1), 0);
	assert_int_equal(slirp_peer_service_send(p, 0, "hello", 5), 5);
	slirp_peer_update(p);
	s = wait_for(p, is_tcp_data);
	assert_memory_equal(s->data + s->v.payload_offset, "hello", 5);
	slirp_peer_free(p);
}

/* --- a port forwarded to the guest --------------------------------------- */

static bool is_syn_to_22(const struct seen *s)
{
	return s->v.proto == IPPROTO_TCP && s->v.tcp_flags == 2 && s->v.dport == 22;
}

static bool is_udp_to_53(const struct seen *s)
{
	return s->v.proto == IPPROTO_UDP && s->v.dport == 53;
}

/* A port that was free a moment ago. */
static uint16_t free_port(int type)
{
	struct sockaddr_in in = { .sin_family = AF_INET };
	socklen_t len = sizeof(in);
	int fd = socket(AF_INET, type, 0);

	in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	assert_int_equal(bind(fd, (struct sockaddr *)&in, sizeof(in)), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&in, &len), 0);
	close(fd);
	return ntohs(in.sin_port);
}

static int client(int type, uint16_t port)
{
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_port = htons(port) };
	int fd = socket(AF_INET, type | SOCK_NONBLOCK, 0);

	in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	connect(fd, (struct sockaddr *)&in, sizeof(in));
	return fd;
}

static void host_forward(void **state)
{
	uint16_t tcp = free_port(SOCK_STREAM), udp = free_port(SOCK_DGRAM);
	struct slirp_peer_config c;
	struct slirp_peer *p, *second;
	char options[200], why[WHY_SIZE];
	int a, b;

	(void)state;
	snprintf(options, sizeof(options),
		 "hostfwd=tcp:127.0.0.1:%u-:22,hostfwd=udp:127.0.0.1:%u-10.0.2.15:53",
		 tcp, udp);
	p = start(options);
	introduce(p);
	a = client(SOCK_STREAM, tcp);
	wait_for(p, is_syn_to_22);
	b = client(SOCK_DGRAM, udp);
	assert_int_equal(send(b, "query", 5, 0), 5);
	wait_for(p, is_udp_to_53);

	slirp_peer_defaults(&c);
	assert_int_equal(slirp_peer_parse(&c, options, why), 0);
	assert_int_equal(slirp_peer_new(&c, output, &out, &second, why), -EADDRINUSE);
	assert_non_null(strstr(why, "slirp: hostfwd tcp port "));
	close(a);
	close(b);
	slirp_peer_free(p);
	slirp_peer_free(NULL);
}

/* --- back-pressure ------------------------------------------------------- */

static void port_that_takes_nothing(void **state)
{
	struct slirp_peer *p = start("");
	unsigned int i;

	(void)state;
	introduce(p);
	wait_for(p, is_arp_reply);
	out.count = 0;
	out.full = true;
	for (i = 0; i < 300; i++)
		say(p, "icmp 10.0.2.15 > 10.0.2.2 len 1400");
	assert_int_equal(out.count, 0);
	assert_true(slirp_peer_stats(p)->queued > 100);
	assert_true(slirp_peer_stats(p)->dropped > 10);
	out.full = false;
	slirp_peer_update(p);
	assert_int_equal(out.count, slirp_peer_stats(p)->queued);
	assert_int_equal(out.count + slirp_peer_stats(p)->dropped, 300);
	slirp_peer_free(p);
}

static void rubbish_is_survived(void **state)
{
	struct slirp_peer *p = start("");
	uint8_t bytes[200];
	unsigned int seed = 1;

	(void)state;
	for (int i = 0; i < 5000; i++) {
		size_t len = rand_r(&seed) % sizeof(bytes);

		for (size_t k = 0; k < len; k++)
			bytes[k] = rand_r(&seed) >> 8;
		if (len > 24) {
			bytes[12] = 8;
			bytes[13] = 0;
			bytes[14] = 0x45;
		}
		slirp_peer_input(p, bytes, len);
	}
	slirp_peer_update(p);
	out.count = 0;
	introduce(p);
	wait_for(p, is_arp_reply);
	slirp_peer_free(p);
}

/* --- options ------------------------------------------------------------- */

static const struct {
	const char *options, *why;
} mistakes[] = {
	{ "hostfwd", "slirp: expected net=, hostfwd=, guestfwd= or restrict, found 'hostfwd'" },
	{ "restrict,foo=1", "slirp: expected net=, hostfwd=, guestfwd= or restrict, found 'foo=1'" },
	{ "restricted", "slirp: expected restrict, found 'restricted'" },
	{ "net=10.0.0.0", "slirp: expected net=ADDR/LEN, LEN from 8 to 27, found 'net=10.0.0.0'" },
	{ "net=10.0.0.0/33", "slirp: expected net=ADDR/LEN, LEN from 8 to 27, found 'net=10.0.0.0/33'" },
	{ "hostfwd=tcp:80", "slirp: expected hostfwd=tcp|udp:[ADDR]:PORT-[ADDR]:PORT (at most 16 of them), found 'hostfwd=tcp:80'" },
	{ "hostfwd=sctp::80-:80", "slirp: expected hostfwd=tcp|udp:[ADDR]:PORT-[ADDR]:PORT (at most 16 of them), found 'hostfwd=sctp::80-:80'" },
	{ "hostfwd=tcp::0-:80", "slirp: expected hostfwd=tcp|udp:[ADDR]:PORT-[ADDR]:PORT (at most 16 of them), found 'hostfwd=tcp::0-:80'" },
	{ "hostfwd=tcp:[::1:80-[::1]:80", "slirp: expected hostfwd=tcp|udp:[ADDR]:PORT-[ADDR]:PORT (at most 16 of them), found 'hostfwd=tcp:[::1:80-[::1]:80'" },
	{ "hostfwd=tcp:[::1]:80-:80", "slirp: expected hostfwd=tcp|udp:[ADDR]:PORT-[ADDR]:PORT (at most 16 of them), found 'hostfwd=tcp:[::1]:80-:80'" },
	{ "guestfwd=tcp:10.0.2.100:7-cat", "slirp: expected guestfwd=tcp:ADDR:PORT-echo|sink (at most 8 of them), found 'guestfwd=tcp:10.0.2.100:7-cat'" },
	{ "guestfwd=tcp::7-echo", "slirp: expected guestfwd=tcp:ADDR:PORT-echo|sink (at most 8 of them), found 'guestfwd=tcp::7-echo'" },
};

static void mistakes_in_options(void **state)
{
	struct slirp_peer_config c;
	struct slirp_peer *p;
	char why[WHY_SIZE], many[1000] = "";

	(void)state;
	for (size_t i = 0; i < sizeof(mistakes) / sizeof(mistakes[0]); i++) {
		slirp_peer_defaults(&c);
		assert_int_equal(slirp_peer_parse(&c, mistakes[i].options, why), -EINVAL);
		assert_string_equal(why, mistakes[i].why);
	}
	for (int i = 0; i < 17; i++)
		strcat(many, "hostfwd=tcp::80-:80,");
	slirp_peer_defaults(&c);
	assert_int_equal(slirp_peer_parse(&c, many, NULL), -EINVAL);
	assert_int_equal(c.forwards, 16);

	slirp_peer_defaults(&c);
	assert_int_equal(slirp_peer_parse(&c, "guestfwd=tcp:192.0.2.1:7-echo", why), 0);
	assert_int_equal(slirp_peer_new(&c, output, &out, &p, why), -EADDRNOTAVAIL);
	assert_string_equal(why, "slirp: guestfwd: expected a free address of the network, found 192.0.2.1:7");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arp),
		cmocka_unit_test(ping),
		cmocka_unit_test(ipv6),
		cmocka_unit_test(ping6),
		cmocka_unit_test(udp_to_the_host),
		cmocka_unit_test(tcp_echo),
		cmocka_unit_test(tcp_to_a_callback),
		cmocka_unit_test(host_forward),
		cmocka_unit_test(port_that_takes_nothing),
		cmocka_unit_test(rubbish_is_survived),
		cmocka_unit_test(mistakes_in_options),
	};

	return cmocka_run_group_tests_name("slirp", tests, NULL, NULL);
}
