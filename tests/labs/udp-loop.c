// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * udp-loop 4|6 COUNT: datagrams over loopback into a reuseport group that has
 * a connected member, as in f0ea27e7bfe1 ("udp: re-score reuseport groups when
 * connected sockets are present"): each lookup scores every member of the
 * group, and the chosen one again.
 *
 * Which member gets a flow is up to a hash with a secret of the kernel's, which
 * is another one in another kernel; with the connected member's place a further
 * step is needed.  So a sender is looked for whose flow goes to one certain
 * member.  COUNT datagrams are sent by it one at a time and taken there, in
 * window 1; some before it, outside, so that caches of the stack are warm.
 * Exit status 1 when one got lost.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "mark.h"

#define MEMBERS	4		/* and the connected one */
#define PORT	7000
#define TAKER	1		/* the member that gets them */
#define PEER	7002		/* whom the connected member listens to; it is silent */
#define SENDER	7100		/* the first that is tried, */
#define SENDERS	500		/* of so many */
#define WARM	16
#define BYTES	64

union address {
	struct sockaddr sa;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
};

static int family;

static socklen_t loopback(union address *a, unsigned int port)
{
	memset(a, 0, sizeof(*a));
	a->sa.sa_family = family;
	if (family == AF_INET) {
		a->v4.sin_port = htons(port);
		a->v4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
		return sizeof(a->v4);
	}
	a->v6.sin6_port = htons(port);
	a->v6.sin6_addr = in6addr_loopback;
	return sizeof(a->v6);
}

static void need(int ok, const char *what)
{
	if (ok)
		return;
	perror(what);
	exit(1);
}

static int bound(unsigned int port)
{
	int fd = socket(family, SOCK_DGRAM, 0), one = 1;
	union address a;
	socklen_t len = loopback(&a, port);

	need(fd >= 0, "socket");
	need(!setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &one, sizeof(one)), "SO_REUSEPORT");
	need(!bind(fd, &a.sa, len), "bind");
	return fd;
}

static void send_one(int from)
{
	static char buf[BYTES];
	union address to;
	socklen_t len = loopback(&to, PORT);

	need(sendto(from, buf, sizeof(buf), 0, &to.sa, len) == BYTES, "sendto");
}

static int took(int member)
{
	char buf[BYTES];

	return recv(member, buf, sizeof(buf), MSG_DONTWAIT) == BYTES;
}

static void send_all(int from, int taker, unsigned long count)
{
	while (count--) {
		send_one(from);
		need(took(taker), "recv");
	}
}

static int find_sender(const int *members)
{
	int port, fd, i;

	for (port = SENDER; port < SENDER + SENDERS; port++) {
		fd = bound(port);
		send_one(fd);
		for (i = 0; i <= MEMBERS && !took(members[i]); i++)
			;
		if (i == TAKER)
			return fd;
		close(fd);
	}
	fprintf(stderr, "udp-loop: no flow goes to member %d\n", TAKER);
	exit(1);
}

int main(int argc, char **argv)
{
	int members[MEMBERS + 1], sender, i;
	unsigned long count;
	union address peer;

	if (argc != 3 || (argv[1][0] != '4' && argv[1][0] != '6')) {
		fprintf(stderr, "usage: udp-loop 4|6 COUNT\n");
		return 2;
	}
	family = argv[1][0] == '4' ? AF_INET : AF_INET6;
	count = strtoul(argv[2], NULL, 10);
	for (i = 0; i <= MEMBERS; i++)
		members[i] = bound(PORT);
	need(!connect(members[MEMBERS], &peer.sa, loopback(&peer, PEER)), "connect");
	sender = find_sender(members);
	send_all(sender, members[TAKER], WARM);
	LAB_MARK(1);
	send_all(sender, members[TAKER], count);
	LAB_MARK(0);
	return 0;
}
