// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The options of a user network, as text.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>

#include "net/slirp.h"

#define OPTION	160

void slirp_peer_defaults(struct slirp_peer_config *c)
{
	memset(c, 0, sizeof(*c));
	inet_pton(AF_INET, "10.0.2.0", &c->net);
	inet_pton(AF_INET, "255.255.255.0", &c->mask);
	inet_pton(AF_INET, "10.0.2.2", &c->host);
	inet_pton(AF_INET, "10.0.2.3", &c->dns);
	inet_pton(AF_INET, "10.0.2.15", &c->dhcp);
	inet_pton(AF_INET6, "fec0::", &c->prefix6);
	inet_pton(AF_INET6, "fec0::2", &c->host6);
	inet_pton(AF_INET6, "fec0::3", &c->dns6);
	c->prefix6_len = 64;
}

static bool parse_number(const char *s, long lo, long hi, long *value)
{
	char *end;

	if (*s < '0' || *s > '9')
		return false;
	*value = strtol(s, &end, 10);
	return !*end && *value >= lo && *value <= hi;
}

/* "A.B.C.D/LEN"; the host, the DNS and DHCP take .2, .3 and .15 of it. */
static bool parse_net(struct slirp_peer_config *c, char *text)
{
	char *slash = strchr(text, '/');
	uint32_t net;
	long len;

	if (!slash || !parse_number(slash + 1, 8, 27, &len))
		return false;
	*slash = 0;
	if (inet_pton(AF_INET, text, &c->net) != 1)
		return false;
	c->mask.s_addr = htonl(~0u << (32 - len));
	c->net.s_addr &= c->mask.s_addr;
	net = ntohl(c->net.s_addr);
	c->host.s_addr = htonl(net | 2);
	c->dns.s_addr = htonl(net | 3);
	c->dhcp.s_addr = htonl(net | 15);
	return true;
}

/* "ADDR:PORT", "[ADDR6]:PORT", ":PORT"; the last only with @any. */
static bool parse_end(char *text, struct sockaddr_storage *ss, bool any)
{
	struct sockaddr_in *in = (struct sockaddr_in *)ss;
	struct sockaddr_in6 *in6 = (struct sockaddr_in6 *)ss;
	char *colon = strrchr(text, ':'), *close;
	long port;

	memset(ss, 0, sizeof(*ss));
	if (!colon || !parse_number(colon + 1, 1, 65535, &port))
		return false;
	*colon = 0;
	if (*text == '[') {
		close = strchr(text, ']');
		if (!close || close[1])
			return false;
		*close = 0;
		in6->sin6_family = AF_INET6;
		in6->sin6_port = htons(port);
		return inet_pton(AF_INET6, text + 1, &in6->sin6_addr) == 1;
	}
	in->sin_family = AF_INET;
	in->sin_port = htons(port);
	if (!*text)
		return any;
	return inet_pton(AF_INET, text, &in->sin_addr) == 1;
}

/* "tcp:HOST-GUEST" */
static bool parse_hostfwd(struct slirp_peer_config *c, char *text)
{
	struct slirp_forward *f = &c->forward[c->forwards];
	char *dash = strchr(text, '-');

	if (c->forwards == SLIRP_FORWARDS || !dash)
		return false;
	*dash = 0;
	f->udp = !strncmp(text, "udp:", 4);
	if (!f->udp && strncmp(text, "tcp:", 4) != 0)
		return false;
	if (!parse_end(text + 4, &f->host, true) ||
	    !parse_end(dash + 1, &f->guest, true) ||
	    f->host.ss_family != f->guest.ss_family)
		return false;
	c->forwards++;
	return true;
}

/* "tcp:ADDR:PORT-echo" */
static bool parse_guestfwd(struct slirp_peer_config *c, char *text)
{
	struct slirp_service *s = &c->service[c->services];
	struct sockaddr_storage ss;
	char *dash = strchr(text, '-');

	if (c->services == SLIRP_SERVICES || !dash || strncmp(text, "tcp:", 4) != 0)
		return false;
	*dash = 0;
	memset(s, 0, sizeof(*s));
	s->echo = !strcmp(dash + 1, "echo");
	if (!s->echo && strcmp(dash + 1, "sink") != 0)
		return false;
	if (!parse_end(text + 4, &ss, false) || ss.ss_family != AF_INET)
		return false;
	s->addr = ((struct sockaddr_in *)&ss)->sin_addr;
	s->port = ntohs(((struct sockaddr_in *)&ss)->sin_port);
	c->services++;
	return true;
}

static bool parse_restrict(struct slirp_peer_config *c, char *text)
{
	c->restricted = true;
	return !*text;
}

static const struct {
	const char *name;
	bool (*parse)(struct slirp_peer_config *c, char *text);
	const char *form;
} options_table[] = {
	{ "net=", parse_net, "net=ADDR/LEN, LEN from 8 to 27" },
	{ "hostfwd=", parse_hostfwd,
	  "hostfwd=tcp|udp:[ADDR]:PORT-[ADDR]:PORT (at most 16 of them)" },
	{ "guestfwd=", parse_guestfwd,
	  "guestfwd=tcp:ADDR:PORT-echo|sink (at most 8 of them)" },
	{ "restrict", parse_restrict, "restrict" },
};

#define OPTIONS (sizeof(options_table) / sizeof(options_table[0]))

static int parse_option(struct slirp_peer_config *c, const char *option, char *why)
{
	char copy[OPTION];

	for (size_t i = 0; i < OPTIONS; i++) {
		size_t n = strlen(options_table[i].name);

		if (strncmp(option, options_table[i].name, n) != 0)
			continue;
		strcpy(copy, option + n);
		if (options_table[i].parse(c, copy))
			return 0;
		return why_set(why, -EINVAL, "slirp: expected %s, found '%.100s'",
			       options_table[i].form, option);
	}
	return why_set(why, -EINVAL,
		       "slirp: expected net=, hostfwd=, guestfwd= or restrict, found '%.100s'",
		       option);
}

int slirp_peer_parse(struct slirp_peer_config *c, const char *options, char *why)
{
	char option[OPTION];

	while (*options) {
		size_t len = strcspn(options, ",");
		int err;

		if (len >= sizeof(option))
			return why_set(why, -EINVAL,
				       "slirp: expected an option of at most %d bytes, found %zu",
				       OPTION - 1, len);
		memcpy(option, options, len);
		option[len] = 0;
		err = parse_option(c, option, why);
		if (err)
			return err;
		options += len + (options[len] == ',');
	}
	return 0;
}
