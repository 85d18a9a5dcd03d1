// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The tag codec as a whole: the list of formats, strip(insert(x)) = x for
 * random frames and tags (TAGRIG_SEED=N, printed), bounds, errors.
 *
 * What the bytes of each format are is test_tag_golden.c's: a table that is
 * wrong in the same way for both directions passes here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "tag/format.h"
#include "../mutant.h"

#define ROUNDS		3000	/* per format and direction */

/* net/dsa of Linux 7.3: .name and DSA_TAG_PROTO_*_VALUE of each dsa_device_ops. */
static const struct {
	const char *name;
	unsigned int proto;
} kernel[] = {
	{ "none", 0 }, { "brcm", 1 }, { "brcm-prepend", 2 }, { "dsa", 3 },
	{ "edsa", 4 }, { "gswip", 5 }, { "ksz9477", 6 }, { "ksz9893", 7 },
	{ "lan9303", 8 }, { "mtk", 9 }, { "qca", 10 }, { "trailer", 11 },
	{ "sja1105", 13 }, { "ksz8795", 14 }, { "ocelot", 15 }, { "ar9331", 16 },
	{ "rtl4a", 17 }, { "hellcreek", 18 }, { "xrs700x", 19 },
	{ "ocelot-8021q", 20 }, { "seville", 21 }, { "brcm-legacy", 22 },
	{ "sja1110", 23 }, { "rtl8_4", 24 }, { "rtl8_4t", 25 }, { "a5psw", 26 },
	{ "lan937x", 27 }, { "vsc73xx-8021q", 28 }, { "brcm-legacy-fcs", 29 },
	{ "yt921x", 30 }, { "gsw1xx", 31 }, { "mxl862xx", 32 },
	{ "nxp_netc", 33 }, { "ksz8463", 34 }, { "mt7628", 35 },
};

static unsigned int seed, rng;

static unsigned int rnd(unsigned int below)
{
	rng = rng * 1664525 + 1013904223;
	return (rng >> 8) % below;
}

static void the_kernels_list(void **state)
{
	size_t i;

	(void)state;
	assert_int_equal(tag_count(), sizeof(kernel) / sizeof(kernel[0]));
	for (i = 0; i < tag_count(); i++) {
		assert_string_equal(tag_name(tag_at(i)), kernel[i].name);
		assert_int_equal(tag_proto(tag_at(i)), kernel[i].proto);
		assert_ptr_equal(tag_by_name(kernel[i].name), tag_at(i));
	}
	assert_null(tag_at(tag_count()));
	assert_null(tag_by_name("8021q"));
	assert_null(tag_by_name(""));
}

/* -- strip(insert(x)) = x --------------------------------------------------- */

struct sample {
	uint8_t bytes[2048];
	size_t len;
};

/* A frame with any of the headers that some format treats in its own way. */
static void random_frame(struct sample *x)
{
	static const uint16_t types[] = { 0x0800, 0x86dd, 0x8100, 0x8100, 0x88a8, 0x0806 };
	static const uint8_t groups[][6] = {
		{ 0x01, 0x80, 0xc2, 0, 0, 0x0e }, { 0x01, 0x1b, 0x19, 0, 0, 0 },
		{ 0xff, 0xff, 0xff, 0xff, 0xff, 0xff },
	};
	unsigned int i, type = types[rnd(6)], group = rnd(6);

	x->len = 14 + (rnd(2) ? rnd(60) : rnd(1600));
	for (i = 0; i < x->len; i++)
		x->bytes[i] = rnd(256);
	if (group < 3)
		memcpy(x->bytes, groups[group], 6);
	x->bytes[12] = type >> 8;
	x->bytes[13] = type & 0xff;
	if (x->len >= 18 && !rnd(4))
		memset(x->bytes + 14, 0, 2);
}

/* Bits of @val that every layout of the direction can hold. */
static uint32_t cover(const struct tag_format *f, enum tag_dir dir, enum tag_val val)
{
	uint32_t all = UINT32_MAX;
	unsigned int i;

	for (i = 0; i < TAG_VARIANTS && f->spec->layout[dir][i]; i++)
		if (tag_carries(f->spec->layout[dir][i], val))
			all &= tag_cover(f->spec->layout[dir][i], val);
	return all == UINT32_MAX ? 0 : all;
}

static uint32_t random_port(uint32_t ports)
{
	unsigned int port;

	do
		port = rnd(32);
	while (!(ports >> port & 1));
	return 1u << port;
}

/* Returns the layout that will be used. */
static const struct tag_layout *random_meta(const struct tag_format *f, enum tag_dir dir,
					    const struct frame *frame, struct tag_meta *m)
{
	const struct tag_layout *l;

	uint32_t ports = tag_ports(f, dir), devices = cover(f, dir, TV_DEVICE) & 31;

	*m = (struct tag_meta) {
		.ports = ports ? random_port(ports) : 0,
		.vid = rnd(4096), .dei = rnd(2),
		.pcp = rnd((cover(f, dir, TV_PRIO) & 7) + 1),
		.device = 1 + (devices ? rnd(devices) : 0),
		.forward = rnd(2), .trap = rnd(2),
		.bridge = rnd(3) ? 0 : rnd(cover(f, dir, TV_BRIDGE) + 1),
	};
	l = f->spec->layout[dir][f->spec->pick ? f->spec->pick(dir, m, frame) : 0];
	if (dir == TAG_FROM_CPU && tag_carries(l, TV_PORTMAP))
		m->ports |= random_port(ports);
	if (rnd(8))
		tag_meta_vlan(f, dir, m, frame);
	return l;
}

/* What of @m comes back: what the layout carries, as tag.h says. */
static void expect_meta(const struct tag_layout *l, enum tag_dir dir, struct tag_meta *m)
{
	bool tables = (tag_carries(l, TV_FORWARD) && m->forward) ||
		      (tag_carries(l, TV_BRIDGE) && m->bridge);

	if (tables || (!tag_carries(l, TV_PORT) && !tag_carries(l, TV_PORTMAP)))
		m->ports = 0;
	if (!tag_carries(l, TV_DEVICE) || (tag_carries(l, TV_BRIDGE) && m->bridge))
		m->device = 0;
	if (!tag_carries(l, TV_BRIDGE))
		m->bridge = 0;
	if (!tag_carries(l, TV_VID))
		m->vid = 0;
	if (!tag_carries(l, TV_PRIO))
		m->pcp = 0;
	if (!tag_carries(l, TV_DEI))
		m->dei = false;
	if (!tag_carries(l, TV_VLAN))
		m->vlan = false;
	if (!tag_carries(l, TV_TRAP))
		m->trap = false;
	if (!tag_carries(l, TV_FORWARD))
		m->forward = dir == TAG_TO_CPU && tag_carries(l, TV_TRAP) && !m->trap;
}

static bool same_meta(const struct tag_meta *a, const struct tag_meta *b)
{
	return a->ports == b->ports && a->vid == b->vid && a->pcp == b->pcp &&
	       a->device == b->device && a->bridge == b->bridge && a->vlan == b->vlan &&
	       a->dei == b->dei && a->forward == b->forward && a->trap == b->trap;
}

static bool same_frame(const struct frame *frame, const struct sample *x, size_t padded)
{
	size_t i;

	if (frame->len != padded || memcmp(frame->data, x->bytes, x->len))
		return false;
	for (i = x->len; i < padded; i++)
		if (frame->data[i])
			return false;
	return true;
}

/* A tag that @in writes and @out reads, of format @f: NULL, or what is wrong. */
static const char *round_trip(const struct tag_format *f, const struct tag_format *in,
			      const struct tag_format *out, enum tag_dir dir)
{
	static uint8_t storage[FRAME_HEADROOM + 2048 + FRAME_TAILROOM];
	struct tag_meta meta, back;
	const struct tag_layout *l;
	struct sample x;
	struct frame frame;
	const char *why = "";
	size_t padded;

	random_frame(&x);
	frame_init(&frame, storage, sizeof(storage));
	if (frame_set(&frame, x.bytes, x.len))
		return "no room for the frame";
	l = random_meta(f, dir, &frame, &meta);
	padded = x.len > l->pad ? x.len : l->pad;
	if (tag_push(in, dir, &meta, &frame))
		return "push fails";
	if (frame.len != padded + l->head + l->tail - (l->fuse && meta.vlan ? 4 : 0))
		return "the tag has another length";
	if (tag_pull(out, dir, &back, &frame, &why))
		return why;
	if (!same_frame(&frame, &x, padded))
		return "another frame comes back";
	expect_meta(l, dir, &meta);
	return same_meta(&back, &meta) ? NULL : "another meaning comes back";
}

/* The first of many random round trips that is wrong, or NULL. */
static const char *round_trips(const struct tag_format *f, const struct tag_format *in,
			       const struct tag_format *out, enum tag_dir dir)
{
	const char *wrong = NULL;
	unsigned int round;

	for (round = 0; round < ROUNDS && !wrong; round++) {
		rng = seed + (tag_proto(f) * 2 + dir) * ROUNDS + round;
		wrong = round_trip(f, in, out, dir);
	}
	return wrong;
}

static void strip_of_insert(void **state)
{
	const struct tag_format *f;
	const char *wrong;
	unsigned int dir;
	size_t i;

	(void)state;
	for (i = 0; i < tag_count(); i++)
		for (dir = 0; dir < 2; dir++) {
			f = tag_at(i);
			wrong = round_trips(f, f, f, dir);
			if (wrong)
				fail_msg("%s, dir %u: %s", tag_name(f), dir, wrong);
		}
}

/* The test of the test above: a row that is a bit off, on either side, must fail it. */
static void strip_of_insert_can_fail(void **state)
{
	static struct mutant m;
	const struct tag_format *f;
	unsigned int dir, mutants = 0;
	size_t i;

	(void)state;
	for (i = 0; i < tag_count(); i++)
		for (dir = 0; dir < 2; dir++) {
			f = tag_at(i);
			if (!make_mutant(&m, f, dir))
				continue;
			mutants++;
			if (!round_trips(f, f, &m.format, dir) || !round_trips(f, &m.format, f, dir))
				fail_msg("%s, dir %u: nobody notices a wrong port field",
					 tag_name(f), dir);
		}
	assert_int_equal(mutants, 2 * (tag_count() - 1));	/* all but none, both ways */
}

/* -- bounds ----------------------------------------------------------------- */

/* Storage that is just as long as the frame: a byte too far is ASan's. */
static struct frame exact(const uint8_t *bytes, size_t len)
{
	struct frame f = { .data = malloc(len ? len : 1), .len = len };

	assert_non_null(f.data);
	if (len)
		memcpy(f.data, bytes, len);
	f.start = f.data;
	f.end = f.data + len;
	return f;
}

static size_t tagged_bytes(const struct tag_format *f, enum tag_dir dir, uint8_t *out)
{
	static uint8_t storage[1024];
	struct tag_meta meta = { .ports = 1, .device = 1 };
	struct sample x = { .len = 100 };
	struct frame frame;

	frame_init(&frame, storage, sizeof(storage));
	memset(x.bytes, 0x5a, x.len);
	frame_set(&frame, x.bytes, x.len);
	assert_int_equal(tag_push(f, dir, &meta, &frame), 0);
	memcpy(out, frame.data, frame.len);
	return frame.len;
}

/* Cut at each length: refused, or a tag that happens to fit; nothing is read past it. */
static void truncated(void **state)
{
	uint8_t bytes[256];
	struct tag_meta meta;
	struct frame frame, before;
	const char *why;
	size_t i, n, len;
	unsigned int dir;
	int err;

	(void)state;
	for (i = 0; i < tag_count(); i++)
		for (dir = 0; dir < 2; dir++) {
			len = tagged_bytes(tag_at(i), dir, bytes);
			for (n = 0; n < len; n++) {
				before = frame = exact(bytes, n);
				why = NULL;
				err = tag_pull(tag_at(i), dir, &meta, &frame, &why);
				if (n < 14u + tag_len(tag_at(i), dir))
					assert_int_equal(err, -EMSGSIZE);
				if (err) {
					assert_non_null(why);
					assert_ptr_equal(frame.data, before.data);
					assert_int_equal(frame.len, n);
				}
				free(before.start);
			}
		}
}

/* Without room, or without an Ethernet header, push leaves the frame alone. */
static void no_room(void **state)
{
	struct tag_meta meta = { .ports = 1, .device = 1 };
	uint8_t bytes[100];
	struct frame frame, before;
	unsigned int dir;
	size_t i, n;

	(void)state;
	memset(bytes, 0x5a, sizeof(bytes));
	for (i = 1; i < tag_count(); i++)
		for (dir = 0; dir < 2; dir++)
			for (n = 0; n <= sizeof(bytes); n++) {
				before = frame = exact(bytes, n);
				assert_int_equal(tag_push(tag_at(i), dir, &meta, &frame),
						 n < 14 ? -EMSGSIZE : -ENOBUFS);
				assert_ptr_equal(frame.data, before.data);
				assert_int_equal(frame.len, n);
				assert_memory_equal(frame.data, bytes, n);
				free(before.start);
			}
}

/* Room for the tag, and not for the padding before it. */
static void no_room_for_padding(void **state)
{
	struct tag_meta meta = { .ports = 1 };
	uint8_t storage[FRAME_HEADROOM + 24], bytes[20] = { 1 };
	struct frame frame;

	(void)state;
	frame_init(&frame, storage, sizeof(storage));
	frame_set(&frame, bytes, sizeof(bytes));
	assert_int_equal(tag_push(tag_by_name("ksz8795"), TAG_TO_CPU, &meta, &frame), -ENOBUFS);
	assert_int_equal(frame.len, sizeof(bytes));
	assert_int_equal(tag_push(tag_by_name("a5psw"), TAG_FROM_CPU, &meta, &frame), -ENOBUFS);
	assert_int_equal(frame.len, sizeof(bytes));
}

/* -- errors ----------------------------------------------------------------- */

static int push_into(const char *name, enum tag_dir dir, struct tag_meta meta, uint16_t type)
{
	static uint8_t storage[512];
	uint8_t bytes[64] = { 2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, type >> 8, type & 0xff };
	struct frame frame;
	int err;

	frame_init(&frame, storage, sizeof(storage));
	frame_set(&frame, bytes, sizeof(bytes));
	err = tag_push(tag_by_name(name), dir, &meta, &frame);
	if (err) {
		assert_int_equal(frame.len, sizeof(bytes));
		assert_memory_equal(frame.data, bytes, sizeof(bytes));
	}
	return err;
}

static void out_of_range(void **state)
{
	struct tag_meta meta = { .device = 1 };
	unsigned int dir;
	uint32_t ports;
	size_t i;

	(void)state;
	for (i = 1; i < tag_count(); i++)
		for (dir = 0; dir < 2; dir++) {
			ports = tag_ports(tag_at(i), dir);
			assert_true(ports);
			if (ports == UINT32_MAX || tag_at(i)->spec->layout[dir][1])
				continue;
			meta.ports = ports + 1;
			assert_int_equal(push_into(tag_name(tag_at(i)), dir, meta, 0x0800),
					 -ERANGE);
		}
#define PUSH(name, dir, ...) push_into(name, dir, (struct tag_meta) { __VA_ARGS__ }, 0x0800)
	/* its data frames hold more ports than its control frames */
	assert_int_equal(PUSH("sja1110", TAG_FROM_CPU, .ports = 1 << 15), 0);
	assert_int_equal(PUSH("sja1110", TAG_FROM_CPU, .ports = 1 << 16), -ERANGE);
	/* one port where the tag has a number */
	assert_int_equal(PUSH("edsa", TAG_FROM_CPU, .ports = 3), -ERANGE);
	assert_int_equal(PUSH("edsa", TAG_FROM_CPU, .ports = 0), -ERANGE);
	assert_int_equal(PUSH("edsa", TAG_FROM_CPU, .ports = 0, .forward = true), 0);
	assert_int_equal(PUSH("ar9331", TAG_FROM_CPU, .ports = 0, .forward = true), -ERANGE);
	assert_int_equal(PUSH("sja1105", TAG_TO_CPU, .ports = 0), -ERANGE);
	assert_int_equal(PUSH("sja1105", TAG_TO_CPU, .ports = 0, .bridge = 7), 0);
	assert_int_equal(PUSH("sja1105", TAG_TO_CPU, .ports = 0, .bridge = 8), -ERANGE);
	/* fields */
	assert_int_equal(PUSH("dsa", TAG_TO_CPU, .ports = 1, .device = 32), -ERANGE);
	assert_int_equal(PUSH("dsa", TAG_TO_CPU, .ports = 1, .vid = 4096), -ERANGE);
	assert_int_equal(PUSH("dsa", TAG_TO_CPU, .ports = 1, .pcp = 8), -ERANGE);
	assert_int_equal(PUSH("ksz9477", TAG_FROM_CPU, .ports = 1, .pcp = 4), -ERANGE);
	assert_int_equal(PUSH("nxp_netc", TAG_TO_CPU, .ports = 1, .device = 0), -ERANGE);
	assert_int_equal(PUSH("nxp_netc", TAG_TO_CPU, .ports = 1, .device = 8), -ERANGE);
	/* nothing to fuse */
	assert_int_equal(PUSH("dsa", TAG_FROM_CPU, .ports = 1, .vlan = true), -EPROTO);
	assert_int_equal(push_into("dsa", TAG_FROM_CPU,
				   (struct tag_meta) { .ports = 1, .vlan = true }, 0x88a8),
			 -EPROTO);
	assert_int_equal(push_into("mtk", TAG_FROM_CPU,
				   (struct tag_meta) { .ports = 1, .vlan = true }, 0x88a8), 0);
	/* formats that do not fuse do not mind */
	assert_int_equal(PUSH("qca", TAG_FROM_CPU, .ports = 1, .vlan = true), 0);
#undef PUSH
}

static const struct {
	const char *format;
	enum tag_dir dir;
	char bytes[10];		/* from offset 12 on */
	const char *why;
} refusals[] = {
	{ "edsa", TAG_FROM_CPU, "\x08\x00", "edsa: EtherType 0x0800, expected 0xdada" },
	{ "edsa", TAG_TO_CPU, "\xda\xda\0\0\x80",
	  "edsa: command is 0x2, which has no meaning here" },
	{ "dsa", TAG_FROM_CPU, "\x00", "dsa: command is 0x0, which has no meaning here" },
	{ "dsa", TAG_FROM_CPU, "\x40\x02", "dsa: code is 0x1, expected 0x0" },
	{ "dsa", TAG_TO_CPU, "\x00\x00\x10", "dsa: TO_CPU code 1: remote management, not a frame" },
	{ "dsa", TAG_TO_CPU, "\x00\x06\x00", "dsa: TO_CPU code 6 is reserved" },
	{ "dsa", TAG_TO_CPU, "\x00\x06\x10", "dsa: TO_CPU code 7 is reserved" },
	{ "dsa", TAG_TO_CPU, "\xc0\x04", "dsa: FORWARD from a trunk: the port is a LAG id" },
	{ "brcm", TAG_TO_CPU, "\x20", "brcm: opcode is 0x1, expected 0x0" },
	{ "brcm", TAG_TO_CPU, "\0\0\x40", "brcm: reason-reserved is 0x1, expected 0x0" },
	{ "qca", TAG_TO_CPU, "\x40", "qca: version is 0x1, expected 0x2" },
	{ "qca", TAG_TO_CPU, "\x80\x80", "qca: type is 0x2, expected 0x0" },
	{ "qca", TAG_FROM_CPU, "\x81\x80", "qca: control is 0x1, expected 0x0" },
	{ "rtl4a", TAG_TO_CPU, "\x88\x99\x90", "rtl4a: protocol is 0x9, expected 0xa" },
	{ "rtl4a", TAG_TO_CPU, "\x88\x99\xa0\x20", "rtl4a: port 32: no switch has so many" },
	{ "gsw1xx", TAG_TO_CPU, "\x88\xc3\xff", "gsw1xx: port 255: no switch has so many" },
	{ "sja1105", TAG_FROM_CPU, "\xda\xdb\x00\x01", "sja1105: vid[11:10] is 0x0, expected 0x3" },
	{ "sja1105", TAG_FROM_CPU, "\xda\xdb\x0f\xff",
	  "sja1105: VID 4095: a control frame, whose port is a management route" },
	{ "sja1105", TAG_FROM_CPU, "\xda\xdb\x0c\x11",
	  "sja1105: the VID names a bridge and a port" },
	{ "nxp_netc", TAG_TO_CPU, "\xfd\x3a\x00\x01\x08",
	  "nxp_netc: switch id 0, which the kernel refuses" },
	{ "nxp_netc", TAG_TO_CPU, "\xfd\x3a\x21\x01\x09",
	  "nxp_netc: a To_Host subtype with a time stamp" },
	{ "yt921x", TAG_TO_CPU, "\x99\x88\0\0\x80\x82",
	  "yt921x: code is 0x1, which has no meaning here" },
	{ "mxl862xx", TAG_FROM_CPU, "\x88\xc3\0\0\0\x01\0\x09",
	  "mxl862xx: the sub-interface is below the CPU port's first" },
	{ "mxl862xx", TAG_FROM_CPU, "\x88\xc3\0\0\0\x17\0\x09",
	  "mxl862xx: the sub-interface is above the CPU port's last" },
};

/* Bytes that are not the tag, one reason each; the rest of the frame is zero. */
static void says_why(void **state)
{
	uint8_t bytes[64] = { 2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2 };
	struct tag_meta meta;
	struct frame frame;
	const char *why;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		memcpy(bytes + 12, refusals[i].bytes, sizeof(refusals[i].bytes));
		frame = exact(bytes, sizeof(bytes));
		why = "";
		assert_int_equal(tag_pull(tag_by_name(refusals[i].format), refusals[i].dir,
					  &meta, &frame, &why), -EPROTO);
		assert_string_equal(why, refusals[i].why);
		/* the words are optional */
		assert_int_equal(tag_pull(tag_by_name(refusals[i].format), refusals[i].dir,
					  &meta, &frame, NULL), -EPROTO);
		free(frame.start);
	}
}

/* The inner FCS and the length that brcm-legacy-fcs carries are checked. */
static void inner_fcs(void **state)
{
	const struct tag_format *f = tag_by_name("brcm-legacy-fcs");
	uint8_t bytes[256];
	struct tag_meta meta;
	struct frame frame;
	const char *why = "";
	size_t len;

	(void)state;
	len = tagged_bytes(f, TAG_FROM_CPU, bytes);
	bytes[60] ^= 1;
	frame = exact(bytes, len);
	assert_int_equal(tag_pull(f, TAG_FROM_CPU, &meta, &frame, &why), -EPROTO);
	assert_string_equal(why, "brcm-legacy-fcs: the inner FCS is wrong");
	frame.len--;
	assert_int_equal(tag_pull(f, TAG_FROM_CPU, &meta, &frame, &why), -EPROTO);
	assert_string_equal(why, "brcm-legacy-fcs: the length field is not the frame's length");
	free(frame.start);
}

/* Random bytes: pull never reads outside, and what it takes off it can put back. */
static void noise(void **state)
{
	uint8_t bytes[128];
	struct frame frame, before;
	struct tag_meta meta;
	unsigned int i, round;
	size_t len;

	(void)state;
	rng = seed;
	for (round = 0; round < 20000; round++) {
		len = rnd(sizeof(bytes));
		for (i = 0; i < len; i++)
			bytes[i] = rnd(256);
		before = frame = exact(bytes, len);
		if (tag_pull(tag_at(rnd(tag_count())), rnd(2), &meta, &frame, NULL) == 0)
			assert_true(frame.data >= before.data &&
				    frame.data + frame.len <= before.data + len);
		free(before.start);
	}
}

/* -- tables that do not compile --------------------------------------------- */

static const char *check(uint8_t head, uint8_t tail, const struct tag_field *fields, unsigned int n)
{
	struct tag_layout l = {
		.pos = TAG_POS_ETYPE, .head = head, .tail = tail, .fields = fields, .nfields = n,
	};
	struct tag_spec spec = { .name = "bad", .layout = { { &l }, { &l } } };

	return tag_check(&spec);
}

/* One field that is wrong each, and one that is not. */
static void bad_tables(void **state)
{
	static const char across[] = "a field is outside the tag or across a word";
	static const struct {
		uint8_t head, tail;
		struct tag_field field;
		const char *why;
	} bad[] = {
		{ 4, 0, { "x", .off = 31, .width = 2, .what = TV_VID }, across },
		{ 4, 0, { "x", .off = 32, .width = 1, .what = TV_VID }, across },
		{ 4, 4, { "x", .off = 28, .width = 8, .what = TV_VID }, across },
		{ 16, 0, { "x", .off = 60, .width = 8, .what = TV_VID }, across },
		{ 8, 0, { "x", .off = 0, .width = 0, .what = TV_VID }, across },
		{ 8, 0, { "x", .off = 0, .width = 33, .what = TV_VID }, across },
		{ 4, 0, { "x", .width = 2, .what = TV_CONST, .value = 4 },
		  "a constant is wider than its field" },
		{ 25, 0, { "x", .off = 30, .width = 2, .what = TV_PRIO }, "the tag is too long" },
		{ 8, 9, { "x", .off = 30, .width = 2, .what = TV_PRIO }, "the tag is too long" },
		{ 4, 0, { "x", .off = 30, .width = 2, .what = TV_PRIO }, NULL },
		{ 4, 4, { "x", .off = 32, .width = 32, .what = TV_PRIO }, NULL },
	};
	static const struct tag_field shared[] = {
		{ "x", .off = 0, .width = 4, .what = TV_VID },
		{ "y", .off = 3, .width = 2, .what = TV_PRIO },
	};
	static const struct tag_spec empty = { .name = "bad" };
	const char *why;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		why = check(bad[i].head, bad[i].tail, &bad[i].field, 1);
		if (bad[i].why)
			assert_string_equal(why, bad[i].why);
		else
			assert_null(why);
	}
	assert_string_equal(check(4, 0, shared, 2), "two fields share a bit");
	assert_string_equal(check(4, 0, shared, 33), "the table is too long");
	assert_string_equal(tag_check(&empty), "a direction has no layout");
}

static void good_tables(void **state)
{
	const char *why;
	size_t i;

	(void)state;
	for (i = 0; i < tag_count(); i++) {
		why = tag_check(tag_at(i)->spec);
		if (why)
			fail_msg("%s: %s", tag_name(tag_at(i)), why);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_kernels_list),
		cmocka_unit_test(strip_of_insert),
		cmocka_unit_test(strip_of_insert_can_fail),
		cmocka_unit_test(truncated),
		cmocka_unit_test(no_room),
		cmocka_unit_test(no_room_for_padding),
		cmocka_unit_test(out_of_range),
		cmocka_unit_test(says_why),
		cmocka_unit_test(inner_fcs),
		cmocka_unit_test(noise),
		cmocka_unit_test(bad_tables),
		cmocka_unit_test(good_tables),
	};
	const char *s = getenv("TAGRIG_SEED");

	seed = s ? strtoul(s, NULL, 0) : 1;
	fprintf(stderr, "TAGRIG_SEED=%u\n", seed);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
