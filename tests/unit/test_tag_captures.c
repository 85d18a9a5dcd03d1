// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The codec against tcpdump's captures of real switches, and the output that
 * tcpdump's authors expect of them: direction, device, ports, tagged or not,
 * VID, priority, addresses and inner EtherType of each frame.
 *
 * TAGRIG_CAPTURES is the directory that scripts/fetch-tcpdump-captures prints;
 * without it these tests are skipped.
 *
 * Not compared: the traffic class of Broadcom tags from the CPU.  The kernel
 * has it in byte 0, tcpdump 4.99 prints it from byte 1 and so always as 0.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include <pcap/pcap.h>

#include "tag/tag.h"

/* What a line of tcpdump's output says. */
struct told {
	enum tag_dir dir;
	uint32_t ports;
	unsigned int device, vid, pcp;
	bool tagged, has_pcp;
	unsigned int etype;
	unsigned int sa[6], da[6];
};

struct capture {
	const char *name;
	const char *format;
	const char *out;
	unsigned int frames;
	bool (*parse)(const char *line, struct told *t);
};

/* Reads the number behind @key, in any base that it is written in. */
static bool number(const char *line, const char *key, unsigned int *out)
{
	const char *p = strstr(line, key);

	return p && sscanf(p + strlen(key), "%i", (int *)out) == 1;
}

static bool addresses(const char *line, struct told *t)
{
	const char *arrow = strstr(line, " > ");

	return arrow && arrow - line >= 17 &&
	       sscanf(arrow - 17, "%x:%x:%x:%x:%x:%x > %x:%x:%x:%x:%x:%x",
		      &t->sa[0], &t->sa[1], &t->sa[2], &t->sa[3], &t->sa[4], &t->sa[5],
		      &t->da[0], &t->da[1], &t->da[2], &t->da[3], &t->da[4], &t->da[5]) == 12;
}

static bool inner_type(const char *line, struct told *t)
{
	const char *p = strstr(line, "(0x");

	while (p && strstr(p + 1, "(0x"))
		p = strstr(p + 1, "(0x");
	return p && sscanf(p, "(0x%x)", &t->etype) == 1;
}

/* "mode Forward, dev 0, port 1, untagged, VID 0, FPri 0, ethertype IPv4 (0x0800)" */
static bool parse_marvell(const char *line, struct told *t)
{
	unsigned int port;

	if (strstr(line, "mode Forward"))
		t->dir = TAG_TO_CPU;
	else if (strstr(line, "mode From CPU"))
		t->dir = TAG_FROM_CPU;
	else
		return false;
	t->tagged = strstr(line, ", tagged,");
	t->has_pcp = true;
	if (!number(line, "dev ", &t->device) || !number(line, "port ", &port) ||
	    !number(line, "VID ", &t->vid) || !number(line, "FPri ", &t->pcp))
		return false;
	t->ports = 1u << port;
	return addresses(line, t) && inner_type(line, t);
}

/* "BRCM tag OP: IG, TC: 0, TE: None, TS: 0, DST map: 0x0080", or
 * "BRCM tag OP: EG, CID: 0, RC: exception, TC: 0, port: 0" */
static bool parse_brcm(const char *line, struct told *t)
{
	unsigned int n;

	if (strstr(line, "OP: IG")) {
		t->dir = TAG_FROM_CPU;
		if (!number(line, "DST map: ", &n))
			return false;
		t->ports = n;
	} else {
		t->dir = TAG_TO_CPU;
		t->has_pcp = number(line, "TC: ", &t->pcp);
		if (!strstr(line, "OP: EG") || !t->has_pcp || !number(line, "port: ", &n))
			return false;
		t->ports = 1u << n;
	}
	return addresses(line, t) && inner_type(line, t);
}

static const struct capture captures[] = {
	{ "dsa", "dsa", "dsa-e", 8, parse_marvell },
	{ "edsa", "edsa", "edsa-e", 10, parse_marvell },
	{ "dsa-high-vid", "dsa", "dsa-high-vid-e", 4, parse_marvell },
	{ "edsa-high-vid", "edsa", "edsa-high-vid-e", 4, parse_marvell },
	{ "brcm-tag", "brcm", "brcm-tag-e", 23, parse_brcm },
	{ "brcm-tag-prepend", "brcm-prepend", "brcm-tag-prepend", 15, parse_brcm },
};

static const char *directory(void)
{
	const char *dir = getenv("TAGRIG_CAPTURES");

	if (!dir || !*dir) {
		print_message("# no captures: TAGRIG_CAPTURES is not set\n");
		skip();
	}
	return dir;
}

/* The next line of a frame: those of its payload begin with a tab. */
static bool next_line(FILE *out, char *line, int size)
{
	while (fgets(line, size, out))
		if (line[0] != '\t')
			return true;
	return false;
}

static void assert_stripped(const struct frame *f, const struct told *t)
{
	unsigned int i;

	for (i = 0; i < 6; i++) {
		assert_int_equal(f->data[i], t->da[i]);
		assert_int_equal(f->data[6 + i], t->sa[i]);
	}
	assert_int_equal(f->data[12] << 8 | f->data[13], t->etype);
}

static void one_frame(const struct capture *c, const uint8_t *bytes, size_t len,
		      const char *line)
{
	static uint8_t storage[FRAME_STORAGE];
	const struct tag_format *f = tag_by_name(c->format);
	struct told t = { 0 };
	struct tag_meta meta;
	struct frame frame;
	const char *why = "";

	if (!c->parse(line, &t))
		fail_msg("%s: not a line as tcpdump writes it: %s", c->out, line);
	frame_init(&frame, storage, sizeof(storage));
	assert_int_equal(frame_set(&frame, bytes, len), 0);
	if (tag_pull(f, t.dir, &meta, &frame, &why))
		fail_msg("%s: %s: %s", c->name, why, line);
	assert_int_equal(meta.ports, t.ports);
	assert_int_equal(meta.device, t.device);
	assert_int_equal(meta.vid, t.vid);
	assert_int_equal(meta.vlan, t.tagged);
	if (t.has_pcp)
		assert_int_equal(meta.pcp, t.pcp);
	assert_stripped(&frame, &t);
	if (t.dir == TAG_TO_CPU)
		return;		/* the switch has bits that nobody reads */
	assert_int_equal(tag_push(f, t.dir, &meta, &frame), 0);
	assert_int_equal(frame.len, len);
	assert_memory_equal(frame.data, bytes, len);
	assert_int_equal(tag_pull(f, TAG_TO_CPU, &meta, &frame, NULL), -EPROTO);
}

static void one_capture(const struct capture *c, const char *dir)
{
	char path[4096], line[1024], err[PCAP_ERRBUF_SIZE];
	const uint8_t *bytes;
	struct pcap_pkthdr *h;
	unsigned int n = 0;
	pcap_t *pcap;
	FILE *out;

	snprintf(path, sizeof(path), "%s/%s.pcap", dir, c->name);
	pcap = pcap_open_offline(path, err);
	if (!pcap)
		fail_msg("%s", err);
	snprintf(path, sizeof(path), "%s/%s.out", dir, c->out);
	out = fopen(path, "r");
	if (!out)
		fail_msg("%s: cannot be read", path);
	while (pcap_next_ex(pcap, &h, &bytes) == 1) {
		assert_true(next_line(out, line, sizeof(line)));
		one_frame(c, bytes, h->caplen, line);
		n++;
	}
	assert_false(next_line(out, line, sizeof(line)));
	assert_int_equal(n, c->frames);
	fclose(out);
	pcap_close(pcap);
}

#define CAPTURE(i, name)						\
	static void name(void **state)					\
	{								\
		(void)state;						\
		one_capture(&captures[i], directory());			\
	}

CAPTURE(0, tcpdump_dsa)
CAPTURE(1, tcpdump_edsa)
CAPTURE(2, tcpdump_dsa_high_vid)
CAPTURE(3, tcpdump_edsa_high_vid)
CAPTURE(4, tcpdump_brcm_tag)
CAPTURE(5, tcpdump_brcm_tag_prepend)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tcpdump_dsa),
		cmocka_unit_test(tcpdump_edsa),
		cmocka_unit_test(tcpdump_dsa_high_vid),
		cmocka_unit_test(tcpdump_edsa_high_vid),
		cmocka_unit_test(tcpdump_brcm_tag),
		cmocka_unit_test(tcpdump_brcm_tag_prepend),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
