// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tagrig bridge: a switch between QEMU's stream socket and whatever its ports
 * are plugged into.  The work is in rig/vswitch.c and rig/farend_*.c; this is
 * the options, the signals, and the exit status.
 *
 * Exit status: 0 ended by a signal, by the end of QEMU (--once, --connect) or
 * of what was to be done (--until-done), and all was well; 1 something broke, or
 * frames were not as they should be; 2 usage, or a mistake in a far end.
 */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "cmd.h"
#include "net/linktype.h"
#include "rig/vswitch.h"

#define PROGRAM		"tagrig bridge"
#define DEFAULT_PORTS	4	/* as many as the guest's dsa_rig has */

enum {
	OPT_LISTEN = 256, OPT_CONNECT, OPT_TAG, OPT_PORTS, OPT_GROUP, OPT_DEVICE, OPT_PCAP,
	OPT_DLT, OPT_JUDGE, OPT_FLOW, OPT_ONCE, OPT_DONE, OPT_TIMEOUT, OPT_SEED, OPT_HELP,
};

static const struct {
	struct option o;
	const char *value, *help;
} options[] = {
	{ { "listen", 1, NULL, OPT_LISTEN }, "PATH",
	  "QEMU connects here: -netdev stream,addr.type=unix,addr.path=PATH,server=off" },
	{ { "connect", 1, NULL, OPT_CONNECT }, "PATH", "QEMU listens here (server=on)" },
	{ { "tag", 1, NULL, OPT_TAG }, "NAME", "tag of the conduit ('tagrig tags' lists them)" },
	{ { "ports", 1, NULL, OPT_PORTS }, "N", "user ports (default: 4, or more if far ends are given)" },
	{ { "group", 1, NULL, OPT_GROUP }, "PORT,...",
	  "ports that forward among each other; may be repeated" },
	{ { "device", 1, NULL, OPT_DEVICE }, "N",
	  "number of this switch in the tree (default: 0, or 1 where a tag has no 0)" },
	{ { "pcap", 1, NULL, OPT_PCAP }, "FILE",
	  "capture the conduit and each port as pcapng (- for a live Wireshark)" },
	{ { "pcap-dlt", 1, NULL, OPT_DLT }, "FILE",
	  "capture the conduit as pcap with the link type that tcpdump knows the tag by" },
	{ { "judge", 0, NULL, OPT_JUDGE }, NULL,
	  "judge the checksums of frames from the guest; exit 1 if one is wrong" },
	{ { "flow-control", 1, NULL, OPT_FLOW }, "on|off",
	  "off: what cannot be taken is dropped and counted (default: on)" },
	{ { "once", 0, NULL, OPT_ONCE }, NULL, "end when QEMU disconnects" },
	{ { "until-done", 0, NULL, OPT_DONE }, NULL, "end when all captures and scripts have ended" },
	{ { "timeout", 1, NULL, OPT_TIMEOUT }, "S", "end after S seconds, with exit status 1" },
	{ { "seed", 1, NULL, OPT_SEED }, "N", "seed of everything random (default: 1)" },
	{ { "json", 0, NULL, 'j' }, NULL, "statistics as JSON on standard output" },
	{ { "verbose", 0, NULL, 'v' }, NULL,
	  "a line for each bad tag and wrong checksum, not for the first ten only (also -v)" },
	{ { "quiet", 0, NULL, 'q' }, NULL, "no statistics, no lines about QEMU (also -q)" },
	{ { "help", 0, NULL, OPT_HELP }, NULL, "this text" },
};

#define OPTIONS (sizeof(options) / sizeof(options[0]))

struct bridge_args {
	const char *listen, *connect, *pcap, *dlt;
	const struct tag_format *tag;
	unsigned long ports, device, timeout, seed;
	const char *far_end[VSWITCH_PORTS];
	char text[VSWITCH_PORTS][16];	/* of cables that are there because of another */
	uint32_t group[FABRIC_GROUPS];
	unsigned int groups;
	bool device_given, json, quiet, verbose, judge, no_flow_control, once, until_done;
};

struct bridge_run {
	const struct bridge_args *a;
	struct loop loop;
	struct vswitch sw;
	struct loop_source usr1;
	int listen_fd;
	bool started;
};

static int usage_error(const char *fmt, const char *what, const char *found)
{
	fprintf(stderr, PROGRAM ": ");
	fprintf(stderr, fmt, what, found);
	fprintf(stderr, "\n");
	return 2;
}

static void usage(FILE *out)
{
	const struct farend_ops *const *k;
	char text[64];
	size_t i;

	fprintf(out, "usage: " PROGRAM " [OPTIONS] --listen PATH --tag NAME [[PORT=]FAR-END...]\n\n"
		"A switch: QEMU's MAC is its conduit, and each port has a far end.\n\n"
		"  tagrig bridge --listen /tmp/wire --tag edsa slirp lan1=tap:rig1\n\n");
	for (i = 0; i < OPTIONS; i++) {
		snprintf(text, sizeof(text), "--%s%s%s", options[i].o.name,
			 options[i].value ? " " : "", options[i].value ?: "");
		fprintf(out, "  %-22s %s\n", text, options[i].help);
	}
	fprintf(out, "\nFar ends (lan0, lan1, ... in turn, or PORT=; without one: slirp):\n\n");
	for (k = farend_kinds; *k; k++)
		fprintf(out, "  %s\n      %s\n", (*k)->form, (*k)->help);
	fprintf(out, "\nSIGUSR1 prints statistics, SIGINT ends.  Exit status: 0 all was well,\n"
		"1 something broke or was wrong, 2 usage or a mistake in a far end.\n");
}

/* --- the command line ----------------------------------------------------- */

static int set_number(const char *name, const char *text, unsigned long lo, unsigned long hi,
		      unsigned long *value)
{
	char *end, what[80];

	errno = 0;
	*value = strtoul(text, &end, 0);
	if (*text >= '0' && *text <= '9' && !*end && !errno && *value >= lo && *value <= hi)
		return 0;
	snprintf(what, sizeof(what), "--%s: expected a number, %lu to %lu", name, lo, hi);
	return usage_error("%s, found '%.60s'", what, text);
}

static int set_tag(struct bridge_args *a, const char *name)
{
	a->tag = tag_by_name(name);
	if (a->tag)
		return 0;
	return usage_error("%s '%.60s'; 'tagrig tags' lists them", "there is no tag format", name);
}

static int set_group(struct bridge_args *a, const char *text)
{
	uint32_t *mask;
	const char *at = text;

	if (++a->groups == FABRIC_GROUPS)
		return usage_error("%s, found one more: '%.60s'", "expected at most 7 groups", text);
	mask = &a->group[a->groups];
	while (*at) {
		size_t len = strcspn(at, ",");
		int port = vswitch_port_number(at, len);

		if (port < 0 || port >= VSWITCH_PORTS)
			return usage_error("%s, found '%.60s'",
					   "--group: expected ports separated by commas (lan0,lan1)",
					   text);
		*mask |= 1u << port;
		at += len + (at[len] == ',');
	}
	return 0;
}

static int set_flow_control(struct bridge_args *a, const char *text)
{
	a->no_flow_control = !strcmp(text, "off");
	if (a->no_flow_control || !strcmp(text, "on"))
		return 0;
	return usage_error("%s, found '%.60s'", "--flow-control: expected on or off", text);
}

static int set_text(const char **to)
{
	*to = optarg;
	return 0;
}

static int set_flag(bool *to)
{
	*to = true;
	return 0;
}

static int set_option(struct bridge_args *a, int o)
{
	switch (o) {
	case OPT_LISTEN:
		return set_text(&a->listen);
	case OPT_CONNECT:
		return set_text(&a->connect);
	case OPT_TAG:
		return set_tag(a, optarg);
	case OPT_PORTS:
		return set_number("ports", optarg, 1, VSWITCH_PORTS, &a->ports);
	case OPT_GROUP:
		return set_group(a, optarg);
	case OPT_DEVICE:
		a->device_given = true;
		return set_number("device", optarg, 0, 31, &a->device);
	case OPT_PCAP:
		return set_text(&a->pcap);
	case OPT_DLT:
		return set_text(&a->dlt);
	case OPT_JUDGE:
		return set_flag(&a->judge);
	case OPT_FLOW:
		return set_flow_control(a, optarg);
	case OPT_ONCE:
		return set_flag(&a->once);
	case OPT_DONE:
		return set_flag(&a->until_done);
	case OPT_TIMEOUT:
		return set_number("timeout", optarg, 1, 1000000, &a->timeout);
	case OPT_SEED:
		return set_number("seed", optarg, 0, ~0ul, &a->seed);
	case 'j':
		return set_flag(&a->json);
	case 'v':
		return set_flag(&a->verbose);
	case 'q':
		return set_flag(&a->quiet);
	case OPT_HELP:
		return -1;
	}
	fprintf(stderr, "'" PROGRAM " --help' describes the options\n");
	return 2;
}

/* "[PORT=]FAR-END": @next is the port that is due when it names none. */
static int set_far_end(struct bridge_args *a, const char *text, unsigned int *next)
{
	const char *equals = strchr(text, '=');
	size_t len = equals ? (size_t)(equals - text) : 0;
	int port = equals ? vswitch_port_number(text, len) : -1;

	if (port >= 0)
		text = equals + 1;
	else if (len && !memchr(text, ':', len))
		return usage_error("%s, found '%.80s'", "expected [PORT=]FAR-END, as in lan1=echo",
				   text);
	else
		port = *next;
	if (port >= VSWITCH_PORTS)
		return usage_error("%s, found '%.60s'", "expected a port up to lan30", text);
	if (a->far_end[port])
		return usage_error("a port has one far end; there are %s and %.80s",
				   a->far_end[port], text);
	a->far_end[port] = text;
	*next = port + 1;
	return 0;
}

/* The other end of a cable is a cable; ports without a far end have slirp. */
static int complete_far_ends(struct bridge_args *a)
{
	unsigned int i;

	for (i = 0; i < a->ports; i++) {
		const char *text = a->far_end[i];
		int to = text && !strncmp(text, "cable:", 6) ?
			 vswitch_port_number(text + 6, strlen(text + 6)) : -1;

		if (to < 0 || to >= (int)a->ports || to == (int)i)
			continue;
		snprintf(a->text[to], sizeof(a->text[to]), "cable:lan%u", i);
		if (!a->far_end[to])
			a->far_end[to] = a->text[to];
		else if (strncmp(a->far_end[to], "cable:", 6) != 0 ||
			 vswitch_port_number(a->far_end[to] + 6, strlen(a->far_end[to] + 6)) != (int)i)
			return usage_error("the other end of %s is plugged into %.80s", text,
					   a->far_end[to]);
	}
	for (i = 0; i < a->ports; i++)
		if (!a->far_end[i])
			a->far_end[i] = !tag_ports(a->tag, TAG_TO_CPU) ||
					tag_ports(a->tag, TAG_TO_CPU) >> i & 1 ? "slirp" : "none";
	return 0;
}

static int check_groups(const struct bridge_args *a)
{
	uint32_t taken = 0;
	unsigned int i;

	for (i = 1; i <= a->groups; i++) {
		if (a->group[i] >> a->ports)
			return usage_error("%s%s", "--group: expected ports that there are", "");
		if (a->group[i] & taken)
			return usage_error("%s%s", "--group: expected each port in one group, found one in two", "");
		taken |= a->group[i];
	}
	return 0;
}

static int check_ports(struct bridge_args *a)
{
	uint32_t known = tag_ports(a->tag, TAG_TO_CPU);
	unsigned int i, given = 0;
	char what[80];

	for (i = 0; i < VSWITCH_PORTS; i++) {
		if (!a->far_end[i])
			continue;
		given = i + 1;
		snprintf(what, sizeof(what), "lan%u: a tag of %s cannot name that port", i,
			 tag_name(a->tag));
		if (known && !(known >> i & 1))
			return usage_error("%s: '%.60s'", what, a->far_end[i]);
	}
	if (!a->ports)
		a->ports = given > DEFAULT_PORTS ? given : DEFAULT_PORTS;
	if (given > a->ports) {
		snprintf(what, sizeof(what), "--ports: expected at least %u for the far ends", given);
		return usage_error("%s%s", what, "");
	}
	return check_groups(a) ?: complete_far_ends(a);
}

/* The first switch of a tree: 0, or 1 for a tag that refuses 0 (nxp_netc). */
static unsigned int first_device(const struct tag_format *tag)
{
	uint8_t storage[FRAME_HEADROOM + 60 + FRAME_TAILROOM] = { 0 };
	uint32_t ports = tag_ports(tag, TAG_TO_CPU);
	struct tag_meta meta = { .ports = ports & -ports };
	struct frame f;

	frame_init(&f, storage, sizeof(storage));
	frame_put(&f, 60);
	return tag_push(tag, TAG_TO_CPU, &meta, &f) == -ERANGE;
}

static int check_args(struct bridge_args *a)
{
	if (!a->listen == !a->connect)
		return usage_error("expected --listen or --connect, found %s%s",
				   a->listen ? "both" : "neither", "");
	if (!a->tag)
		return usage_error("%s%s", "expected --tag NAME, found none", "");
	if (!a->device_given)
		a->device = first_device(a->tag);
	if (a->pcap && a->dlt && !strcmp(a->pcap, a->dlt))
		return usage_error("%s, found '%.100s'", "expected two captures in two files", a->dlt);
	if (a->json && ((a->pcap && !strcmp(a->pcap, "-")) || (a->dlt && !strcmp(a->dlt, "-"))))
		return usage_error("%s%s", "expected one thing on standard output, found a capture and JSON", "");
	if (a->dlt && linktype_of_tag(a->tag) < 0)
		return usage_error("%s, found %s",
				   "--pcap-dlt: expected a tag that has a link type (brcm, brcm-prepend, dsa, edsa)",
				   tag_name(a->tag));
	return check_ports(a);
}

/* 0: go on; -1: help was asked for; 2: usage. */
static int parse_args(struct bridge_args *a, int argc, char **argv)
{
	struct option longopts[OPTIONS + 1] = { 0 };
	unsigned int next = 0;
	int o, err = 0;

	for (size_t i = 0; i < OPTIONS; i++)
		longopts[i] = options[i].o;
	optind = 1;
	while (!err && (o = getopt_long(argc, argv, "jqv", longopts, NULL)) != -1)
		err = set_option(a, o);
	for (; !err && optind < argc; optind++)
		err = set_far_end(a, argv[optind], &next);
	return err ?: check_args(a);
}

/* --- running -------------------------------------------------------------- */

static int complain(const char *what, const char *why)
{
	fprintf(stderr, PROGRAM ": %s%s%s\n", what, *what ? ": " : "", why);
	return 1;
}

static void print_statistics(struct bridge_run *r)
{
	json_t *o;

	if (r->a->json) {
		o = vswitch_json(&r->sw);
		if (!o || json_dumpf(o, stdout, JSON_COMPACT | JSON_PRESERVE_ORDER))
			complain("statistics", "out of memory, or standard output is closed");
		printf("\n");
		fflush(stdout);
		json_decref(o);
	} else if (!r->a->quiet) {
		vswitch_print(&r->sw, stderr);
	}
}

static void on_usr1(struct loop_source *s, uint32_t events)
{
	struct bridge_run *r = (struct bridge_run *)((char *)s - offsetof(struct bridge_run, usr1));
	struct signalfd_siginfo si;

	(void)events;
	if (read(s->fd, &si, sizeof(si)) == sizeof(si))
		print_statistics(r);
}

static int watch_usr1(struct bridge_run *r)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	r->usr1.fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	r->usr1.ready = on_usr1;
	return r->usr1.fd < 0 ? -errno : loop_add(&r->loop, &r->usr1, EPOLLIN);
}

static int open_captures(struct bridge_run *r)
{
	struct pcapng *p = NULL, *dlt = NULL;
	int err = 0;

	if (r->a->pcap)
		err = pcapng_create(&p, r->a->pcap, PCAPNG);
	if (err)
		return complain(r->a->pcap, strerror(-err));
	if (r->a->dlt)
		err = pcapng_create(&dlt, r->a->dlt, PCAP_CLASSIC);
	if (err) {
		complain(r->a->dlt, strerror(-err));
	} else {
		err = vswitch_capture(&r->sw, p, dlt, r->a->dlt ? linktype_of_tag(r->a->tag) : 0);
		return err ? complain("capture", strerror(-err)) : 0;
	}
	if (p)
		pcapng_close(p);
	return 1;
}

static int plug_all(struct bridge_run *r)
{
	char why[WHY_SIZE], port[16];
	unsigned int i;
	int err;

	for (i = 0; i < r->a->ports; i++) {
		snprintf(port, sizeof(port), "lan%u", i);
		err = vswitch_plug(&r->sw, i, r->a->far_end[i], r->a->seed, why);
		if (err) {
			complain(port, why);
			return err == -EINVAL ? 2 : 1;
		}
	}
	for (i = 1; i <= r->a->groups; i++)
		vswitch_group(&r->sw, r->a->group[i], i);
	return 0;
}

static int open_wire(struct bridge_run *r)
{
	char why[WHY_SIZE] = "";
	struct stream *stream;
	int err;

	if (r->a->connect) {
		err = stream_connect(r->a->connect, &stream, why) ?:
		      vswitch_connect(&r->sw, stream);
	} else {
		r->listen_fd = stream_listen(r->a->listen, why);
		err = r->listen_fd < 0 ? r->listen_fd : vswitch_listen(&r->sw, r->listen_fd);
		if (!err)
			fprintf(stderr, PROGRAM ": listening at %s, seed %lu\n", r->a->listen,
				r->a->seed);
	}
	return err ? complain("", *why ? why : strerror(-err)) : 0;
}

static int open_all(struct bridge_run *r)
{
	int err = loop_init(&r->loop) ?: vswitch_init(&r->sw, &r->loop) ?: watch_usr1(r);

	if (err)
		return complain("cannot start", strerror(-err));
	r->started = true;
	r->sw.flow_control = !r->a->no_flow_control;
	r->sw.judge = r->a->judge;
	r->sw.quiet = r->a->quiet;
	r->sw.once = r->a->once;
	if (r->a->verbose)
		r->sw.say_at_most = UINT_MAX;
	err = vswitch_set_ports(&r->sw, r->a->ports, r->a->tag);
	if (err)
		return complain("ports", strerror(-err));
	r->sw.fabric.device = r->a->device;
	return plug_all(r) ?: open_captures(r) ?: open_wire(r);
}

static bool is_over(void *ctx)
{
	struct bridge_run *r = ctx;

	return r->sw.left || (r->a->until_done && r->sw.connections && vswitch_is_done(&r->sw));
}

/* Until it is over, for whatever reason: the exit status. */
static int run(struct bridge_run *r)
{
	int err = loop_wait(&r->loop, is_over, r,
			    r->a->timeout ? (int)(r->a->timeout * 1000) : -1);

	if (err == -ECANCELED)
		return complain("", r->loop.failure);
	if (err == -ETIMEDOUT) {
		fprintf(stderr, PROGRAM ": not done after %lu s\n", r->a->timeout);
		return 1;
	}
	if (r->a->until_done && !vswitch_is_done(&r->sw))
		return complain("", err == -EINTR ? "interrupted before all was done" :
						    "QEMU left before all was done");
	return vswitch_is_wrong(&r->sw);
}

static int close_all(struct bridge_run *r, int status)
{
	int err = 0;

	if (r->listen_fd >= 0)
		stream_unlisten(r->listen_fd, r->a->listen);
	if (r->started) {
		err = vswitch_close(&r->sw);
		close(r->usr1.fd);
		loop_close(&r->loop);
	}
	if (err && !status)
		complain("capture", err == -ETIMEDOUT ? "its reader has not taken everything" :
							strerror(-err));
	return err && !status ? 1 : status;
}

int cmd_bridge(int argc, char **argv)
{
	struct bridge_args a = { .seed = 1 };
	static struct bridge_run r;
	int status = parse_args(&a, argc, argv);

	if (status) {
		if (status < 0)
			usage(stdout);
		return status < 0 ? 0 : status;
	}
	r = (struct bridge_run){ .a = &a, .listen_fd = -1 };
	status = open_all(&r);
	if (!status) {
		status = run(&r);
		print_statistics(&r);
	}
	return close_all(&r, status);
}
