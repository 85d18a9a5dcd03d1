// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tagrig check: judges captures, tags and checksums, frame by frame.
 *
 * The tag of an interface is what --tag says, else what its link type or its
 * description ("dsa:TAG") says.  The direction is what --dir says, else what
 * the capture says of the packet, else whichever the tag can be read in.
 *
 * Exit status: 0 nothing wrong, 1 something wrong, 2 a file that cannot be
 * read to its end, or wrong usage.
 */
#include <getopt.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "net/judge.h"
#include "net/linktype.h"

#define REASONS		32
#define PROGRAM		"tagrig check"

enum { OPT_TAG = 256, OPT_DIR, OPT_HELP };

static const struct {
	struct option o;
	const char *value, *help;
} options[] = {
	{ { "tag", 1, NULL, OPT_TAG }, "NAME",
	  "the frames have this tag ('none': no tag), whatever the file says" },
	{ { "dir", 1, NULL, OPT_DIR }, "from-cpu|to-cpu",
	  "all frames go this way" },
	{ { "json", 0, NULL, 'j' }, NULL, "one JSON object a line (also -j)" },
	{ { "quiet", 0, NULL, 'q' }, NULL, "only the totals (also -q)" },
	{ { "help", 0, NULL, OPT_HELP }, NULL, "this text" },
};

#define OPTIONS (sizeof(options) / sizeof(options[0]))

/* What one interface of the file is. */
struct port {
	bool known;
	const struct tag_format *tag;
};

struct totals {
	/* every frame is in one of: */
	uint64_t right, wrong, unjudged, plain, bad_tags;
	uint64_t frames, absent;
	uint64_t kinds[CSUM_OFF + 1];
	struct {
		const char *why;
		uint64_t count;
	} reasons[REASONS];
};

struct check {
	const struct tag_format *tag;	/* of --tag */
	bool tag_given, dir_given, json, quiet;
	enum tag_dir dir;
	const char *file;
	struct capture *capture;
	struct port *ports;
	unsigned int nports;
	struct totals total;
	uint8_t *storage;		/* of one frame, without its tag */
};

/* One frame, as far as it is understood. */
struct seen {
	const struct capture_packet *packet;
	const struct capture_if *iface;
	const struct tag_format *tag;
	enum tag_dir dir;
	struct tag_meta meta;
	struct frame frame;
	size_t wire_len;		/* with a tail tag that was cut off */
	struct verdict v;
};

/* --- saying what is wrong ------------------------------------------------ */

static const char *dir_name(enum tag_dir dir)
{
	return dir == TAG_FROM_CPU ? "from-cpu" : "to-cpu";
}

static void print_place(const struct check *c, const struct seen *s)
{
	const struct capture_packet *p = s->packet;

	printf("%s: frame %llu at %llu.%09llu", c->file,
	       (unsigned long long)p->number,
	       (unsigned long long)(p->time_ns / 1000000000),
	       (unsigned long long)(p->time_ns % 1000000000));
	if (s->iface->name[0])
		printf(" %s", s->iface->name);
}

static void print_ports(const struct seen *s)
{
	if (!s->tag)
		return;
	printf(" (%s %s", tag_name(s->tag), dir_name(s->dir));
	for (unsigned int i = 0; i < 32; i++)
		if (s->meta.ports >> i & 1)
			printf(" port %u", i);
	printf(")");
}

static void print_wrong(const struct check *c, const struct seen *s,
			const char *layer, const struct csum_verdict *v)
{
	char text[160];
	bool wide = s->v.proto == 132 && v == &s->v.l4;

	print_place(c, s);
	printf(": %s", judge_text(&s->v, text, sizeof(text)));
	print_ports(s);
	printf(": %s checksum expected 0x%0*x, found 0x%0*x (%s)\n", layer,
	       wide ? 8 : 4, v->expected, wide ? 8 : 4, v->found,
	       csum_kind_name(v->kind));
}

static void set_hex(json_t *o, const char *key, uint32_t value)
{
	char text[12];

	snprintf(text, sizeof(text), "0x%04x", value);
	json_object_set_new(o, key, json_string(text));
}

static json_t *json_place(const struct check *c, const struct seen *s)
{
	json_t *o = json_object();

	json_object_set_new(o, "file", json_string(c->file));
	json_object_set_new(o, "frame", json_integer(s->packet->number));
	json_object_set_new(o, "offset", json_integer(s->packet->offset));
	json_object_set_new(o, "time_ns", json_integer(s->packet->time_ns));
	if (s->iface->name[0])
		json_object_set_new(o, "interface", json_string(s->iface->name));
	if (s->tag) {
		json_object_set_new(o, "tag", json_string(tag_name(s->tag)));
		json_object_set_new(o, "dir", json_string(dir_name(s->dir)));
	}
	return o;
}

static void json_print(json_t *o)
{
	json_dumpf(o, stdout, JSON_COMPACT | JSON_PRESERVE_ORDER);
	putchar('\n');
	json_decref(o);
}

static void json_wrong(const struct check *c, const struct seen *s,
		       const char *layer, const struct csum_verdict *v)
{
	json_t *o = json_place(c, s);
	char text[160];

	if (s->tag)
		json_object_set_new(o, "ports", json_integer(s->meta.ports));
	json_object_set_new(o, "what",
			    json_string(judge_text(&s->v, text, sizeof(text))));
	json_object_set_new(o, "layer", json_string(layer));
	json_object_set_new(o, "kind", json_string(csum_kind_name(v->kind)));
	set_hex(o, "expected", v->expected);
	set_hex(o, "found", v->found);
	json_print(o);
}

static void report_wrong(const struct check *c, const struct seen *s,
			 const char *layer, const struct csum_verdict *v)
{
	if (c->quiet)
		return;
	if (c->json)
		json_wrong(c, s, layer, v);
	else
		print_wrong(c, s, layer, v);
}

static void report_bad_tag(const struct check *c, const struct seen *s,
			   const char *why)
{
	json_t *o;

	if (c->quiet)
		return;
	if (!c->json) {
		print_place(c, s);
		printf(": no valid %s tag %s: %s\n", tag_name(s->tag),
		       dir_name(s->dir), why);
		return;
	}
	o = json_place(c, s);
	json_object_set_new(o, "layer", json_string("tag"));
	json_object_set_new(o, "why", json_string(why));
	json_print(o);
}

/* --- judging ------------------------------------------------------------- */

/* The same reason is the same pointer: judge.c has one string for each. */
static void count_reason(struct totals *t, const char *why)
{
	for (int i = 0; i < REASONS; i++) {
		if (t->reasons[i].why && t->reasons[i].why != why)
			continue;
		t->reasons[i].why = why;
		t->reasons[i].count++;
		return;
	}
}

static bool count_sum(struct check *c, const struct seen *s, const char *layer,
		      const struct csum_verdict *v)
{
	switch (v->state) {
	case CSUM_NONE:
	case CSUM_RIGHT:
		break;
	case CSUM_WRONG:
		c->total.kinds[v->kind]++;
		report_wrong(c, s, layer, v);
		return true;
	case CSUM_ABSENT:
		c->total.absent++;
		break;
	case CSUM_NOT_CHECKABLE:
		count_reason(&c->total, v->reason);
		break;
	}
	return false;
}

static void judge_one(struct check *c, struct seen *s)
{
	bool wrong;

	judge_frame_wire(s->frame.data, s->frame.len, s->wire_len, &s->v);
	wrong = count_sum(c, s, "IPv4 header", &s->v.ip);
	wrong |= count_sum(c, s, "layer-4", &s->v.l4);
	if (wrong)
		c->total.wrong++;
	else if (s->v.l4.state == CSUM_RIGHT ||
		 (s->v.l4.state == CSUM_NONE && s->v.ip.state == CSUM_RIGHT))
		c->total.right++;
	else if (s->v.l4.state == CSUM_NONE && s->v.ip.state == CSUM_NONE)
		c->total.plain++;
	else
		c->total.unjudged++;
}

/* Takes the tag off in direction @dir; NULL, or why that cannot be. */
static const char *untag(struct seen *s, enum tag_dir dir)
{
	const uint8_t *end = s->frame.data + s->frame.len;
	const char *why = "no such tag";

	s->dir = dir;
	if (tag_pull(s->tag, dir, &s->meta, &s->frame, &why))
		return why;
	s->wire_len = end - s->frame.data;	/* the tail's bytes are still there */
	return NULL;
}

static const char *untag_somehow(const struct check *c, struct seen *s)
{
	const char *why;

	if (c->dir_given)
		return untag(s, c->dir);
	if (s->packet->dir)	/* seen from the switch: see pcapng.h */
		return untag(s, s->packet->dir == PCAPNG_IN ? TAG_FROM_CPU :
							      TAG_TO_CPU);
	if (!untag(s, TAG_TO_CPU))
		return NULL;
	why = untag(s, TAG_FROM_CPU);
	return why ? "in neither direction" : NULL;
}

static void check_packet(struct check *c, const struct capture_packet *p,
			 const struct capture_if *i)
{
	struct seen s = { .packet = p, .iface = i, .tag = c->ports[p->iface].tag };
	const char *why;

	c->total.frames++;
	if (p->len > FRAME_MAX) {
		count_reason(&c->total, "longer than any frame that the rig knows");
		c->total.unjudged++;
		return;
	}
	if (s.tag) {
		frame_init(&s.frame, c->storage, FRAME_STORAGE);
		frame_set(&s.frame, p->data, p->len);
	} else {
		s.frame.data = (uint8_t *)p->data;	/* only looked at */
		s.frame.len = p->len;
	}
	s.wire_len = p->len;
	why = s.tag ? untag_somehow(c, &s) : NULL;
	if (why) {
		c->total.bad_tags++;
		report_bad_tag(c, &s, why);
		return;
	}
	judge_one(c, &s);
}

/* --- files --------------------------------------------------------------- */

static int file_error(const char *fmt, const char *file, unsigned int i,
		      const char *why)
{
	fflush(stdout);
	fprintf(stderr, fmt, file, i, why);
	return -1;
}

/* What tag interface @n has; asked once for each. */
static int know_port(struct check *c, unsigned int n, const struct capture_if *i)
{
	char why[WHY_SIZE];
	struct port *p;

	if (n >= c->nports) {
		p = realloc(c->ports, (n + 16) * sizeof(*p));
		if (!p)
			return file_error("%s: interface %u: %s\n", c->file, n,
					  "out of memory");
		memset(p + c->nports, 0, (n + 16 - c->nports) * sizeof(*p));
		c->ports = p;
		c->nports = n + 16;
	}
	p = &c->ports[n];
	if (p->known)
		return 0;
	if (linktype_tag(i, &p->tag, why))
		return file_error("%s: interface %u: %s\n", c->file, n, why);
	if (c->tag_given)
		p->tag = c->tag;
	p->known = true;
	return 0;
}

static int check_packets(struct check *c)
{
	const struct capture_if *i;
	struct capture_packet p;
	unsigned int section = 0;
	int got;

	while ((got = capture_next(c->capture, &p)) == 1) {
		i = capture_interface(c->capture, p.iface);
		if (p.section != section && c->nports)
			memset(c->ports, 0, c->nports * sizeof(*c->ports));
		section = p.section;
		if (know_port(c, p.iface, i))
			return -1;
		check_packet(c, &p, i);
	}
	if (!got)
		return 0;
	fflush(stdout);
	fprintf(stderr, "%s\n", capture_error(c->capture));
	return -1;
}

static int check_file(struct check *c, const char *path)
{
	int err = capture_open(&c->capture, path);

	c->file = path;
	if (err)
		fprintf(stderr, "%s\n", c->capture ? capture_error(c->capture) :
						     strerror(-err));
	else
		err = check_packets(c);
	capture_close(c->capture);
	return err;
}

/* --- totals -------------------------------------------------------------- */

static void print_totals(const struct totals *t)
{
	printf("%llu frames: %llu right, %llu wrong, %llu unjudged, %llu bad tags, %llu without checksum",
	       (unsigned long long)t->frames, (unsigned long long)t->right,
	       (unsigned long long)t->wrong, (unsigned long long)t->unjudged,
	       (unsigned long long)t->bad_tags, (unsigned long long)t->plain);
	for (int k = CSUM_PSEUDO_ONLY; k <= CSUM_OFF; k++)
		if (t->kinds[k])
			printf(", %s %llu", csum_kind_name(k),
			       (unsigned long long)t->kinds[k]);
	if (t->absent)
		printf(", UDP without checksum %llu", (unsigned long long)t->absent);
	printf("\n");
	for (int i = 0; i < REASONS && t->reasons[i].why; i++)
		printf("not checkable: %s: %llu\n", t->reasons[i].why,
		       (unsigned long long)t->reasons[i].count);
}

static void json_totals(const struct totals *t)
{
	json_t *o = json_object(), *kinds = json_object(), *why = json_object();

	json_object_set_new(o, "frames", json_integer(t->frames));
	json_object_set_new(o, "right", json_integer(t->right));
	json_object_set_new(o, "wrong", json_integer(t->wrong));
	json_object_set_new(o, "unjudged", json_integer(t->unjudged));
	json_object_set_new(o, "bad_tags", json_integer(t->bad_tags));
	json_object_set_new(o, "without_checksum", json_integer(t->plain));
	json_object_set_new(o, "absent", json_integer(t->absent));
	for (int k = CSUM_PSEUDO_ONLY; k <= CSUM_OFF; k++)
		json_object_set_new(kinds, csum_kind_name(k),
				    json_integer(t->kinds[k]));
	json_object_set_new(o, "kinds", kinds);
	for (int i = 0; i < REASONS && t->reasons[i].why; i++)
		json_object_set_new(why, t->reasons[i].why,
				    json_integer(t->reasons[i].count));
	json_object_set_new(o, "not_checkable", why);
	json_print(json_pack("{so}", "totals", o));
}

/* --- the command --------------------------------------------------------- */

static void usage(FILE *out)
{
	char text[64];

	fprintf(out, "usage: " PROGRAM " [OPTIONS] FILE...\n\n"
		"Judges captures (pcap, pcapng; - is standard input): the DSA tag of each\n"
		"frame, its IPv4 header checksum and its layer-4 checksum.\n\n");
	for (size_t i = 0; i < OPTIONS; i++) {
		snprintf(text, sizeof(text), "--%s%s%s", options[i].o.name,
			 options[i].value ? " " : "", options[i].value ?: "");
		fprintf(out, "  %-24s %s\n", text, options[i].help);
	}
	fprintf(out, "\nExit status: 0 nothing wrong, 1 something wrong, 2 unreadable file or usage.\n");
}

static int set_tag(struct check *c, const char *name)
{
	c->tag_given = true;
	c->tag = strcmp(name, "none") ? tag_by_name(name) : NULL;
	if (c->tag || !strcmp(name, "none"))
		return 0;
	fprintf(stderr, PROGRAM ": --tag: expected a tag ('tagrig tags' lists them), found '%s'\n",
		name);
	return -1;
}

static int set_dir(struct check *c, const char *name)
{
	c->dir_given = true;
	c->dir = strcmp(name, "to-cpu") ? TAG_FROM_CPU : TAG_TO_CPU;
	if (!strcmp(name, "to-cpu") || !strcmp(name, "from-cpu"))
		return 0;
	fprintf(stderr, PROGRAM ": --dir: expected from-cpu or to-cpu, found '%s'\n",
		name);
	return -1;
}

/* 0: go on; 1: help was asked for; -1: usage. */
static int parse_args(struct check *c, int argc, char **argv)
{
	struct option longopts[OPTIONS + 1] = { 0 };
	int o, err = 0;

	for (size_t i = 0; i < OPTIONS; i++)
		longopts[i] = options[i].o;
	optind = 1;
	while (!err && (o = getopt_long(argc, argv, "jq", longopts, NULL)) != -1) {
		if (o == OPT_TAG)
			err = set_tag(c, optarg);
		else if (o == OPT_DIR)
			err = set_dir(c, optarg);
		else if (o == 'j')
			c->json = true;
		else if (o == 'q')
			c->quiet = true;
		else
			return o == OPT_HELP ? 1 : -1;
	}
	if (!err && optind == argc) {
		fprintf(stderr, PROGRAM ": expected a file, found none\n");
		return -1;
	}
	return err;
}

int cmd_check(int argc, char **argv)
{
	struct check c = { 0 };
	int err = parse_args(&c, argc, argv), broken = 0;

	if (err) {
		usage(err > 0 ? stdout : stderr);
		return err > 0 ? 0 : 2;
	}
	c.storage = malloc(FRAME_STORAGE);
	if (!c.storage) {
		fprintf(stderr, PROGRAM ": out of memory\n");
		return 2;
	}
	for (int i = optind; i < argc; i++)
		broken |= check_file(&c, argv[i]);
	if (c.json)
		json_totals(&c.total);
	else
		print_totals(&c.total);
	free(c.storage);
	free(c.ports);
	if (fflush(stdout)) {
		fprintf(stderr, PROGRAM ": standard output: write error\n");
		return 2;
	}
	return broken ? 2 : c.total.wrong || c.total.bad_tags;
}
