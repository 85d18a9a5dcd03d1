/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A port's far end that needs no privilege: libslirp's user network, with
 * DHCP, DNS, a router to the host's network, and ports forwarded either way.
 *
 * For an epoll loop: slirp_peer_fd() becomes readable when there is something
 * to do (it is an epoll descriptor of its own, with a timer in it), then call
 * slirp_peer_dispatch().  After a batch of slirp_peer_input(), call
 * slirp_peer_update() once, so that the descriptor covers what the batch has
 * opened.
 */
#ifndef TAGRIG_NET_SLIRP_H
#define TAGRIG_NET_SLIRP_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include "net/why.h"
#include "tag/frame.h"

#define SLIRP_FORWARDS	16
#define SLIRP_SERVICES	8

struct slirp_peer;

/* A port of the host that leads to one of the guest. */
struct slirp_forward {
	bool udp;
	struct sockaddr_storage host, guest;
};

/*
 * A TCP server at an address of the user network, in this process.  Discards
 * what it gets (and counts it), sends it back, or hands it to .received.
 */
struct slirp_service {
	struct in_addr addr;
	uint16_t port;
	bool echo;
	void (*received)(void *opaque, const void *bytes, size_t len);
	void *opaque;
};

struct slirp_peer_config {
	struct in_addr net, mask, host, dns, dhcp;
	struct in6_addr prefix6, host6, dns6;
	uint8_t prefix6_len;
	bool restricted;		/* nothing outside is reached */
	unsigned int mtu;		/* 0: 1500 */
	unsigned int forwards, services;
	struct slirp_forward forward[SLIRP_FORWARDS];
	struct slirp_service service[SLIRP_SERVICES];
};

struct slirp_peer_stats {
	uint64_t in, out;		/* frames into and out of the network */
	uint64_t queued;		/* out, but had to wait */
	uint64_t dropped;		/* out, and the queue was full */
	uint64_t guest_errors;		/* what libslirp complained about */
};

/*
 * Takes a frame that the network sends; it has headroom and tailroom, is at
 * least 60 bytes long and valid during the call.  0, or -EAGAIN: not now; it
 * is then kept and offered again by slirp_peer_update().
 */
typedef int (*slirp_output_fn)(void *opaque, struct frame *f);

/* 10.0.2.0/24 and fec0::/64: host .2, DNS .3, first DHCP address .15. */
void slirp_peer_defaults(struct slirp_peer_config *c);

/*
 * Reads options as a port's far end has them, separated by commas:
 *	net=10.1.0.0/24
 *	hostfwd=tcp:127.0.0.1:5555-10.0.2.15:22	(also udp, [v6]; host address may be empty)
 *	guestfwd=tcp:10.0.2.100:7-echo		(or -sink)
 *	restrict
 * -EINVAL with @why.
 */
int slirp_peer_parse(struct slirp_peer_config *c, const char *options, char *why);

int slirp_peer_new(const struct slirp_peer_config *c, slirp_output_fn output,
		   void *opaque, struct slirp_peer **out, char *why);

/* NULL is allowed. */
void slirp_peer_free(struct slirp_peer *p);

/* A frame from the port into the network. */
void slirp_peer_input(struct slirp_peer *p, const uint8_t *data, size_t len);

int slirp_peer_fd(const struct slirp_peer *p);
void slirp_peer_dispatch(struct slirp_peer *p);
void slirp_peer_update(struct slirp_peer *p);

/* Sends bytes to who is connected to service @i; how many were taken. */
size_t slirp_peer_service_send(struct slirp_peer *p, unsigned int i,
			       const void *bytes, size_t len);

/* Bytes that service @i has received. */
uint64_t slirp_peer_service_bytes(const struct slirp_peer *p, unsigned int i);

const struct slirp_peer_stats *slirp_peer_stats(const struct slirp_peer *p);

/* The last thing that libslirp complained about, or "". */
const char *slirp_peer_complaint(const struct slirp_peer *p);

#endif
