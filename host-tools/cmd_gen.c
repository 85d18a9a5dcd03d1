// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tagrig gen: frames from descriptions, into a capture or a stream socket.
 *
 * The language is in net/desc_parse.c.  Times in captures are made up (one
 * frame each --interval from 2026-01-01 on), so that the same command writes
 * the same bytes.
 *
 * Exit status: 0 all written, 1 they could not be, 2 wrong usage or a mistake
 * in a description.
 */
#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "net/desc.h"
#include "net/linktype.h"
#include "net/pcapng.h"
#include "net/stream.h"

#define PROGRAM		"tagrig gen"
#define EPOCH_NS	1767225600000000000ull	/* 2026-01-01 */
#define PORTS		64			/* interfaces of one capture */

enum { OPT_FILE = 256, OPT_SEED, OPT_CONNECT, OPT_PCAP, OPT_DLT, OPT_INTERVAL, OPT_HELP };

static const struct {
	struct option o;
	const char *value, *help;
} options[] = {
	{ { "output", 1, NULL, 'o' }, "FILE",
	  "write a capture (- for standard output); classic pcap if it ends in .pcap" },
	{ { "connect", 1, NULL, OPT_CONNECT }, "PATH",
	  "send the frames to a stream socket, as QEMU's -netdev stream has them" },
	{ { "file", 1, NULL, OPT_FILE }, "FILE",
	  "read descriptions from FILE, one a line (- for standard input)" },
	{ { "seed", 1, NULL, OPT_SEED }, "N", "seed of everything random (default: 1)" },
	{ { "pcap", 0, NULL, OPT_PCAP }, NULL, "write classic pcap whatever the name" },
	{ { "dlt", 0, NULL, OPT_DLT }, NULL,
	  "write the link type that tcpdump knows the tag by" },
	{ { "interval", 1, NULL, OPT_INTERVAL }, "NS",
	  "nanoseconds between frames in a capture (default: 1000)" },
	{ { "quiet", 0, NULL, 'q' }, NULL, "say nothing (also -q)" },
	{ { "help", 0, NULL, OPT_HELP }, NULL, "this text" },
};

#define OPTIONS (sizeof(options) / sizeof(options[0]))

struct gen {
	const char *output, *connect, *file;
	uint64_t seed, interval;
	bool pcap, dlt, quiet;
	/* where frames go */
	struct pcapng *capture;
	struct stream *stream;
	unsigned int ports;
	const struct tag_format *port[PORTS];	/* the tag of each interface */
	/* what went there */
	uint64_t frames, bytes;
	uint8_t *storage;
};

static int complain(const char *what, const char *why)
{
	fprintf(stderr, PROGRAM ": %s: %s\n", what, why);
	return 1;
}

/* --- where frames go ----------------------------------------------------- */

static bool ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n >= m && !strcmp(s + n - m, end);
}

static int open_output(struct gen *g)
{
	enum pcapng_format format = g->pcap || ends_with(g->output, ".pcap") ?
				    PCAP_CLASSIC : PCAPNG;
	int err = pcapng_create(&g->capture, g->output, format);

	return err ? complain(g->output, strerror(-err)) : 0;
}

/* The capture's interface for frames with @tag; made when first needed. */
static int capture_port(struct gen *g, const struct tag_format *tag)
{
	char description[64];
	int n, linktype = LINKTYPE_ETHERNET;

	for (unsigned int i = 0; i < g->ports; i++)
		if (g->port[i] == tag)
			return i;
	if (g->ports == PORTS)
		return -ENOSPC;
	if (tag && g->dlt) {
		linktype = linktype_of_tag(tag);
		if (linktype < 0)
			return linktype;
	}
	if (tag)
		snprintf(description, sizeof(description), "dsa:%s", tag_name(tag));
	n = pcapng_interface(g->capture, tag ? "conduit" : "port",
			     tag ? description : NULL, linktype);
	if (n >= 0)
		g->port[g->ports++] = tag;
	return n;
}

static const char *port_error(int err)
{
	if (err == -EINVAL)
		return "classic pcap holds one interface, and the frames have several tags";
	if (err == -ENOENT)
		return "the tag has no link type of its own (brcm, brcm-prepend, dsa and edsa have)";
	return strerror(-err);
}

/* Sends one frame; waits while the other end takes none. */
static int send_frame(struct gen *g, const struct frame *f)
{
	struct pollfd pfd = { .fd = stream_fd(g->stream), .events = POLLOUT };
	int err;

	while ((err = stream_send(g->stream, f)) == -EAGAIN)
		poll(&pfd, 1, -1);
	return err ? complain(g->connect, stream_error(g->stream)) : 0;
}

static int finish_stream(struct gen *g)
{
	struct pollfd pfd = { .fd = stream_fd(g->stream), .events = POLLOUT };
	int err;

	while ((err = stream_flush(g->stream)) == 1)
		poll(&pfd, 1, -1);
	if (err)
		complain(g->connect, stream_error(g->stream));
	stream_free(g->stream);
	return err ? 1 : 0;
}

/* --- one description ----------------------------------------------------- */

static int write_frame(struct gen *g, int port, enum pcapng_dir dir,
		       const struct frame *f)
{
	int err;

	if (g->stream)
		return send_frame(g, f);
	err = pcapng_write(g->capture, port, EPOCH_NS + g->frames * g->interval,
			   dir, f->data, f->len, NULL);
	return err ? complain(g->output, strerror(-err)) : 0;
}

/* Builds and writes all frames of @d. */
static int generate(struct gen *g, struct desc *d)
{
	enum pcapng_dir way = PCAPNG_DIR_UNKNOWN;
	enum tag_dir dir;
	const struct tag_format *tag = desc_tag(d, &dir);
	struct frame f;
	int port = 0, got, err = 0;

	if (tag)
		way = dir == TAG_FROM_CPU ? PCAPNG_IN : PCAPNG_OUT;
	if (g->capture)
		port = capture_port(g, tag);
	if (port < 0)
		return complain(g->output, port_error(port));
	while (!err) {
		frame_init(&f, g->storage, FRAME_STORAGE);
		got = desc_next(d, &f);
		if (got < 0)
			return complain("frame", desc_why(d));
		if (!got)
			return 0;
		err = write_frame(g, port, way, &f);
		g->frames++;
		g->bytes += f.len;
	}
	return err;
}

static int describe(struct gen *g, const char *text, const char *file,
		    unsigned int line)
{
	struct desc_error error;
	struct desc *d = desc_parse(text, file, line, 1, g->seed, &error);
	int err;

	if (!d) {
		fprintf(stderr, "%s\n", error.text);
		return 2;
	}
	err = generate(g, d);
	desc_free(d);
	return err;
}

static int describe_file(struct gen *g)
{
	bool in = !strcmp(g->file, "-");
	FILE *f = in ? stdin : fopen(g->file, "re");
	char *line = NULL;
	size_t size = 0;
	unsigned int n = 0;
	int err = 0;

	if (!f)
		return complain(g->file, strerror(errno));
	while (!err && getline(&line, &size, f) > 0) {
		const char *text = line + strspn(line, " \t\r\n");

		n++;
		if (*text && *text != '#')
			err = describe(g, line, in ? "standard input" : g->file, n);
	}
	if (!err && ferror(f))
		err = complain(g->file, strerror(errno));
	free(line);
	if (!in)
		fclose(f);
	return err;
}

/* Words are put together; an argument with blanks in it stands for itself. */
static int describe_args(struct gen *g, char **argv)
{
	size_t size = 1;
	char *text;
	int err = 0;

	if (strpbrk(*argv, " \t")) {
		for (; *argv && !err; argv++)
			err = describe(g, *argv, "command line", 1);
		return err;
	}
	for (char **a = argv; *a; a++)
		size += strlen(*a) + 1;
	text = calloc(1, size);
	if (!text)
		return complain("command line", strerror(ENOMEM));
	for (; *argv; argv++) {
		strcat(text, *argv);
		if (argv[1])
			strcat(text, " ");
	}
	err = describe(g, text, "command line", 1);
	free(text);
	return err;
}

/* --- the command --------------------------------------------------------- */

static void usage(FILE *out)
{
	char text[64];

	fprintf(out, "usage: " PROGRAM " [OPTIONS] DESCRIPTION\n"
		"       " PROGRAM " [OPTIONS] --file FILE\n\n"
		"Makes frames:\n\n"
		"  tagrig gen -o x.pcapng udp 192.0.2.2:7 '>' 192.0.2.1:9 len 18..1472/7 \\\n"
		"         vlan 1..10 tag edsa port 2 csum bad count 1000\n\n");
	for (size_t i = 0; i < OPTIONS; i++) {
		snprintf(text, sizeof(text), "--%s%s%s", options[i].o.name,
			 options[i].value ? " " : "", options[i].value ?: "");
		fprintf(out, "  %-18s %s\n", text, options[i].help);
	}
	fprintf(out, "\n"
		"A description is udp, tcp, icmp, icmp6, sctp, udplite, ip N, eth TYPE or arp,\n"
		"then 'ADDR[:PORT] > ADDR[:PORT]' if wanted, then any of:\n"
		"  len N | frame N       bytes of payload | of the frame without its tag\n"
		"  count N, seed N       payload seq|zero|random; first N: number of the first\n"
		"  csum good|bad|zero|pseudo|tail|off [N]     ipcsum good|bad|zero|off [N]\n"
		"  src A, dst A, sport N, dport N, ip4, ip6, ttl N, tos N, ipid N, nodf, mf,\n"
		"  fragoff N, ipopt HEX, ext hop|dst|route|frag|ah, iplen [+-]N, udplen [+-]N,\n"
		"  cover N, flags FSRPAUEC, seq N, ack N, win N, type N, code N, id N\n"
		"  mac A > B, smac A, dmac A, vlan N, qinq N, pcp N, dei, pppoe N,\n"
		"  trail N, runt, truncate [-]N\n"
		"  tag NAME, dir to-cpu|from-cpu, port N, ports MASK, device N, prio N,\n"
		"  bridge N, forward, trap, tagfield NAME=VALUE, tagraw HEX\n"
		"Most numbers may be A..B, A..B/STEP or A..B/random.\n\n"
		"Exit status: 0 all written, 1 they could not be, 2 usage or a mistake.\n");
}

static int set_number(const char *name, const char *text, uint64_t *value)
{
	char *end;

	errno = 0;
	*value = strtoull(text, &end, 0);
	if (*text >= '0' && *text <= '9' && !*end && !errno)
		return 0;
	fprintf(stderr, PROGRAM ": --%s: expected a number, found '%s'\n", name, text);
	return -1;
}

static int set_option(struct gen *g, int o)
{
	switch (o) {
	case 'o':
		g->output = optarg;
		return 0;
	case OPT_CONNECT:
		g->connect = optarg;
		return 0;
	case OPT_FILE:
		g->file = optarg;
		return 0;
	case OPT_SEED:
		return set_number("seed", optarg, &g->seed);
	case OPT_INTERVAL:
		return set_number("interval", optarg, &g->interval);
	case OPT_PCAP:
		g->pcap = true;
		return 0;
	case OPT_DLT:
		g->dlt = true;
		return 0;
	case 'q':
		g->quiet = true;
		return 0;
	}
	return o == OPT_HELP ? 1 : -1;
}

/* 0: go on; 1: help was asked for; -1: usage. */
static int parse_args(struct gen *g, int argc, char **argv)
{
	struct option longopts[OPTIONS + 1] = { 0 };
	int o, err = 0;

	for (size_t i = 0; i < OPTIONS; i++)
		longopts[i] = options[i].o;
	optind = 1;
	/* '+': a description may have words that begin with a minus */
	while (!err && (o = getopt_long(argc, argv, "+o:q", longopts, NULL)) != -1)
		err = set_option(g, o);
	if (err)
		return err;
	if (!g->output == !g->connect) {
		fprintf(stderr, PROGRAM ": expected --output or --connect, found %s\n",
			g->output ? "both" : "neither");
		return -1;
	}
	if (!g->file == (optind == argc)) {
		fprintf(stderr, PROGRAM ": expected a description or --file, found %s\n",
			g->file ? "both" : "neither");
		return -1;
	}
	return 0;
}

static int open_all(struct gen *g)
{
	char why[WHY_SIZE];

	g->storage = malloc(FRAME_STORAGE);
	if (!g->storage)
		return complain("memory", strerror(ENOMEM));
	if (g->output)
		return open_output(g);
	if (!stream_connect(g->connect, &g->stream, why))
		return 0;
	fprintf(stderr, PROGRAM ": %s\n", why);
	return 1;
}

static int close_all(struct gen *g, int status)
{
	int err;

	if (g->stream && finish_stream(g) && !status)
		status = 1;
	err = g->capture ? pcapng_close(g->capture) : 0;
	if (err && !status)
		status = complain(g->output, strerror(-err));
	free(g->storage);
	return status;
}

int cmd_gen(int argc, char **argv)
{
	struct gen g = { .seed = 1, .interval = 1000 };
	int status = parse_args(&g, argc, argv);

	if (status) {
		usage(status > 0 ? stdout : stderr);
		return status > 0 ? 0 : 2;
	}
	status = open_all(&g);
	if (!status)
		status = g.file ? describe_file(&g) : describe_args(&g, argv + optind);
	status = close_all(&g, status);
	if (!g.quiet)
		fprintf(stderr, "%llu frames, %llu bytes, seed %llu\n",
			(unsigned long long)g.frames, (unsigned long long)g.bytes,
			(unsigned long long)g.seed);
	return status;
}
