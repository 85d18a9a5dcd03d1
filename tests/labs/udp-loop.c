// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * udp-loop 4|6 COUNT: datagrams over loopback into a reuseport group that has
 * a connected member, as in f0ea27e7bfe1 ("udp: re-score reuseport groups when
 * connected sockets are present"): each lookup scores every member of the
 * group, and the chosen one again.
 *
 * COUNT datagrams are sent one at a time and taken from whichever socket got
 * them, in window 1; some before it, outside, so that caches of the stack are
 * warm.  Exit status 1 when one got lost.
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
#define SENDER	7001
#define PEER	7002		/* whom the connected member listens to; it is silent */
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

static int received(const int *members)
{
	char buf[BYTES];
	int i;

	for (i = 0; i <= MEMBERS; i++)
		if (recv(members[i], buf, sizeof(buf), MSG_DONTWAIT) == BYTES)
			return 1;
	return 0;
}

static void send_all(int from, const int *members, unsigned long count)
{
	static char buf[BYTES];
	union address to;
	socklen_t len = loopback(&to, PORT);

	while (count--) {
		need(sendto(from, buf, sizeof(buf), 0, &to.sa, len) == BYTES, "sendto");
		need(received(members), "recv");
	}
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
	sender = bound(SENDER);
	send_all(sender, members, WARM);
	LAB_MARK(1);
	send_all(sender, members, count);
	LAB_MARK(0);
	return 0;
}
