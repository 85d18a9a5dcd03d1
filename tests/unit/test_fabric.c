// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The fabric: isolation, learning, ageing, flooding, traps, STP states, tags
 * both ways in every format, changes while it runs, and each reason for a drop.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "fabric/fabric.h"

#define CPU	4
#define S	(1000ull * 1000 * 1000)

/* What has left the fabric since the last look. */
static struct {
	uint32_t ports;		/* a bit each */
	unsigned int frames;
	uint8_t bytes[FABRIC_PORTS][256];
	size_t len[FABRIC_PORTS];
	char why[200];
} out;

static struct fabric fab;
static uint8_t storage[1024];

static void egress(void *ctx, unsigned int port, const struct frame *f)
{
	assert_ptr_equal(ctx, &fab);
	assert_true(f->len <= sizeof(out.bytes[0]));
	out.ports |= 1u << port;
	out.frames++;
	out.len[port] = f->len;
	memcpy(out.bytes[port], f->data, f->len);
}

static void bad_tag(void *ctx, const struct frame *f, const char *why)
{
	assert_ptr_equal(ctx, &fab);
	assert_true(f->len > 0);
	strncpy(out.why, why, sizeof(out.why) - 1);
}

static const struct fabric_ops ops = { .egress = egress, .bad_tag = bad_tag };

static void begin(const char *tag)
{
	assert_int_equal(fabric_init(&fab, CPU + 1, CPU, tag_by_name(tag), &ops, &fab), 0);
	memset(&out, 0, sizeof(out));
}

static void group_of_two(const char *tag)
{
	begin(tag);
	assert_int_equal(fabric_set_group(&fab, 0, 1), 0);
	assert_int_equal(fabric_set_group(&fab, 1, 1), 0);
}

/* A frame of 64 bytes from host @sa to host @da: addresses 02:00:00:00:00:xx. */
static size_t make(uint8_t *bytes, unsigned int da, unsigned int sa)
{
	memset(bytes, 0x5a, 64);
	memset(bytes, 0, 12);
	bytes[0] = 2;
	bytes[5] = da;
	bytes[6] = 2;
	bytes[11] = sa;
	bytes[12] = 0x08;
	bytes[13] = 0x00;
	return 64;
}

static const uint8_t broadcast[6] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };
static const uint8_t lldp[6] = { 0x01, 0x80, 0xc2, 0x00, 0x00, 0x0e };

static void put(unsigned int port, const uint8_t *bytes, size_t len, uint64_t now)
{
	struct frame f;

	memset(&out, 0, sizeof(out));
	frame_init(&f, storage, sizeof(storage));
	assert_int_equal(frame_set(&f, bytes, len), 0);
	assert_int_equal(fabric_ingress(&fab, port, &f, now), 0);
}

/* Sends a frame in at @port; returns the ports that it left by. */
static uint32_t host(unsigned int port, unsigned int da, unsigned int sa, uint64_t now)
{
	uint8_t bytes[64];

	put(port, bytes, make(bytes, da, sa), now);
	return out.ports;
}

static uint32_t to_group_address(unsigned int port, const uint8_t *da, unsigned int sa)
{
	uint8_t bytes[64];

	make(bytes, 0, sa);
	memcpy(bytes, da, 6);
	put(port, bytes, sizeof(bytes), 0);
	return out.ports;
}

/* Sends a frame tagged with @meta in at the CPU port. */
static uint32_t cpu_sends(const struct tag_meta *meta, const uint8_t *bytes, size_t len)
{
	struct frame f;

	memset(&out, 0, sizeof(out));
	frame_init(&f, storage, sizeof(storage));
	assert_int_equal(frame_set(&f, bytes, len), 0);
	assert_int_equal(tag_push(fab.tag, TAG_FROM_CPU, meta, &f), 0);
	assert_int_equal(fabric_ingress(&fab, CPU, &f, 0), 0);
	return out.ports;
}

static struct tag_meta read_tag(void)
{
	struct tag_meta meta;
	struct frame f;
	const char *why = "";

	assert_true(out.ports >> CPU & 1);
	frame_init(&f, storage, sizeof(storage));
	frame_set(&f, out.bytes[CPU], out.len[CPU]);
	if (tag_pull(fab.tag, TAG_TO_CPU, &meta, &f, &why))
		fail_msg("%s", why);
	memcpy(out.bytes[CPU], f.data, f.len);
	out.len[CPU] = f.len;
	return meta;
}

static uint64_t drops(unsigned int port, enum fabric_drop why)
{
	return fab.port[port].stats.drops[why];
}

#define BIT(n)	(1u << (n))

/* -- standalone ports ------------------------------------------------------- */

static void standalone_ports_reach_the_cpu_only(void **state)
{
	struct tag_meta meta;
	unsigned int p;

	(void)state;
	begin("edsa");
	for (p = 0; p < CPU; p++) {
		assert_int_equal(host(p, 9, 1 + p, 0), BIT(CPU));
		meta = read_tag();
		assert_int_equal(meta.ports, BIT(p));
		assert_false(meta.trap);
		assert_int_equal(to_group_address(p, broadcast, 1 + p), BIT(CPU));
		/* a neighbour's address makes no difference, and none was learnt */
		assert_int_equal(host(p, 1 + (p + 1) % CPU, 1 + p, 0), BIT(CPU));
	}
	assert_int_equal(fab.learnt, 0);
}

static void the_cpu_reaches_the_port_it_names(void **state)
{
	struct tag_meta meta = { 0 };
	uint8_t bytes[64];
	unsigned int p;

	(void)state;
	begin("edsa");
	make(bytes, 9, 8);
	for (p = 0; p < CPU; p++) {
		meta.ports = BIT(p);
		assert_int_equal(cpu_sends(&meta, bytes, sizeof(bytes)), BIT(p));
		assert_int_equal(out.len[p], sizeof(bytes));
		assert_memory_equal(out.bytes[p], bytes, sizeof(bytes));
	}
	fabric_set_tag(&fab, tag_by_name("qca"));
	meta.ports = BIT(3) | BIT(1);
	assert_int_equal(cpu_sends(&meta, bytes, sizeof(bytes)), BIT(3) | BIT(1));
}

/* Short frames leave padded as from a real port, and as they are without .pad. */
static void padding(void **state)
{
	struct tag_meta meta = { .ports = BIT(2) };
	uint8_t bytes[64];
	unsigned int i;

	(void)state;
	begin("dsa");
	make(bytes, 9, 8);
	cpu_sends(&meta, bytes, 40);
	assert_int_equal(out.len[2], 60);
	assert_memory_equal(out.bytes[2], bytes, 40);
	for (i = 40; i < 60; i++)
		assert_int_equal(out.bytes[2][i], 0);
	fab.pad = false;
	cpu_sends(&meta, bytes, 40);
	assert_int_equal(out.len[2], 40);
}

/* -- bridge groups ---------------------------------------------------------- */

static void learns_and_forwards(void **state)
{
	(void)state;
	group_of_two("edsa");
	/* unknown: to the other port of the group and the CPU */
	assert_int_equal(host(0, 2, 1, 0), BIT(1) | BIT(CPU));
	assert_true(read_tag().forward);
	/* known now: to it alone, both ways */
	assert_int_equal(host(1, 1, 2, 0), BIT(0));
	assert_int_equal(host(0, 2, 1, 0), BIT(1));
	assert_int_equal(out.len[1], 64);
	assert_int_equal(fab.learnt, 2);
	/* the neighbour on the same port */
	assert_int_equal(host(0, 1, 3, 0), 0);
	assert_int_equal(drops(0, FABRIC_SAME_PORT), 1);
	/* ports outside the group neither hear nor reach it */
	assert_int_equal(host(2, 1, 7, 0), BIT(CPU));
	assert_int_equal(to_group_address(0, broadcast, 1), BIT(1) | BIT(CPU));
}

static void addresses_move(void **state)
{
	(void)state;
	group_of_two("edsa");
	host(0, 9, 1, 0);
	assert_int_equal(fabric_fdb_get(&fab, 1, (uint8_t[]){ 2, 0, 0, 0, 0, 1 }, 0, 0), BIT(0));
	host(1, 9, 1, 0);
	assert_int_equal(fabric_fdb_get(&fab, 1, (uint8_t[]){ 2, 0, 0, 0, 0, 1 }, 0, 0), BIT(1));
	assert_int_equal(fab.moved, 1);
	assert_int_equal(fab.learnt, 1);
}

static void group_addresses_are_not_learnt(void **state)
{
	uint8_t bytes[64];

	(void)state;
	group_of_two("edsa");
	make(bytes, 2, 1);
	bytes[6] = 3;
	put(0, bytes, sizeof(bytes), 0);
	assert_int_equal(fab.learnt, 0);
}

static void addresses_age(void **state)
{
	(void)state;
	group_of_two("edsa");
	host(1, 9, 2, 10 * S);
	assert_int_equal(host(0, 2, 1, 309 * S), BIT(1));
	assert_int_equal(host(0, 2, 1, 310 * S), BIT(1));
	assert_int_equal(host(0, 2, 1, 311 * S), BIT(1) | BIT(CPU));
	/* seen again, it is young again */
	host(1, 9, 2, 311 * S);
	assert_int_equal(host(0, 2, 1, 600 * S), BIT(1));
	fab.ageing_ns = 0;
	assert_int_equal(host(0, 2, 1, 10000 * S), BIT(1));
}

/* The VID of the header, or the port's: the same address in two VLANs is two. */
static void vids_separate_addresses(void **state)
{
	uint8_t vlan[68];

	(void)state;
	group_of_two("edsa");
	make(vlan, 2, 1);
	memmove(vlan + 16, vlan + 12, 52);
	memcpy(vlan + 12, "\x81\x00\x00\x05", 4);
	host(1, 9, 2, 0);
	assert_int_equal(host(0, 2, 1, 0), BIT(1));
	put(0, vlan, sizeof(vlan), 0);
	assert_int_equal(out.ports, BIT(1) | BIT(CPU));
	fab.port[1].pvid = 5;
	host(1, 9, 2, 0);
	put(0, vlan, sizeof(vlan), 0);
	assert_int_equal(out.ports, BIT(1));
	/* a priority tag is in the port's VLAN */
	vlan[15] = 0;
	put(0, vlan, sizeof(vlan), 0);
	assert_int_equal(out.ports, BIT(1));
	assert_int_equal(fabric_fdb_get(&fab, 1, (uint8_t[]){ 2, 0, 0, 0, 0, 2 }, 5, 0), BIT(1));
	assert_int_equal(fabric_fdb_get(&fab, 2, (uint8_t[]){ 2, 0, 0, 0, 0, 2 }, 5, 0), 0);
}

static void groups_are_apart(void **state)
{
	(void)state;
	group_of_two("edsa");
	fabric_set_group(&fab, 2, 2);
	fabric_set_group(&fab, 3, 2);
	host(0, 9, 1, 0);
	assert_int_equal(host(2, 1, 5, 0), BIT(3) | BIT(CPU));
	assert_int_equal(host(3, 5, 6, 0), BIT(2));
	/* leaving a group forgets */
	fabric_set_group(&fab, 0, 0);
	assert_int_equal(host(1, 1, 2, 0), BIT(CPU));
}

static void static_addresses(void **state)
{
	static const uint8_t own[6] = { 2, 0, 0, 0, 0, 7 }, mc[6] = { 1, 0, 0x5e, 0, 0, 1 };

	(void)state;
	group_of_two("edsa");
	fabric_set_group(&fab, 2, 1);
	assert_int_equal(fabric_fdb_set(&fab, 1, own, 0, BIT(CPU)), 0);
	assert_int_equal(fabric_fdb_set(&fab, 1, mc, 0, BIT(2) | BIT(0)), 0);
	assert_int_equal(host(0, 7, 1, 5000 * S), BIT(CPU));
	assert_int_equal(to_group_address(0, mc, 1), BIT(2));
	/* a frame from elsewhere does not move it, a flush does not forget it */
	host(1, 9, 7, 0);
	fabric_fdb_flush(&fab, UINT32_MAX);
	assert_int_equal(host(0, 7, 1, 0), BIT(CPU));
	assert_int_equal(fabric_fdb_set(&fab, 1, own, 0, 0), 0);
	assert_int_equal(host(0, 7, 1, 0), BIT(1) | BIT(2) | BIT(CPU));
	assert_int_equal(fabric_fdb_set(&fab, 1, own, 0, 0), 0);
}

/* More addresses than the table holds: the old ones go, and the switch floods. */
static void a_full_table(void **state)
{
	unsigned int i, known = 0;
	uint8_t bytes[64];

	(void)state;
	group_of_two("edsa");
	make(bytes, 9, 0);
	for (i = 0; i < 20000; i++) {
		bytes[8] = i >> 8;
		bytes[9] = i;
		put(0, bytes, sizeof(bytes), i);
	}
	assert_int_equal(fab.learnt, 20000);
	assert_true(fab.evicted >= 20000 - FABRIC_BUCKETS * FABRIC_WAYS);
	for (i = 0; i < 20000; i++)
		known += !!fabric_fdb_get(&fab, 1, (uint8_t[]){ 2, 0, i >> 8, i, 0, 0 }, 0, 20000);
	assert_int_equal(known, 20000 - fab.evicted);
	assert_true(known > FABRIC_BUCKETS * FABRIC_WAYS * 9 / 10);
	/* static ones do not go: their bucket fills up */
	for (i = 0; i < 20000; i++)
		if (fabric_fdb_set(&fab, 2, (uint8_t[]){ 2, 1, i >> 8, i, 0, 0 }, 0, 1))
			break;
	assert_true(i < 20000);
	assert_int_equal(fabric_fdb_set(&fab, 2, (uint8_t[]){ 2, 1, i >> 8, i, 0, 0 }, 0, 1),
			 -ENOSPC);
}

/* -- traps and states ------------------------------------------------------- */

static void reserved_addresses_are_trapped(void **state)
{
	uint8_t da[6];
	unsigned int i;

	(void)state;
	group_of_two("edsa");
	memcpy(da, lldp, 6);
	for (i = 0; i < 0x10; i++) {
		da[5] = i;
		assert_int_equal(to_group_address(0, da, 1), BIT(CPU));
		assert_true(read_tag().trap);
	}
	da[5] = 0x10;
	assert_int_equal(to_group_address(0, da, 1), BIT(1) | BIT(CPU));
	/* also from a standalone port, and from one that STP blocks */
	assert_int_equal(to_group_address(2, lldp, 1), BIT(CPU));
	assert_true(read_tag().trap);
	fabric_set_state(&fab, 0, FABRIC_BLOCKING);
	assert_int_equal(to_group_address(0, lldp, 1), BIT(CPU));
	fabric_set_state(&fab, 0, FABRIC_DISABLED);
	assert_int_equal(to_group_address(0, lldp, 1), 0);
}

static void stp_states(void **state)
{
	static const uint8_t one[6] = { 2, 0, 0, 0, 0, 1 };
	struct tag_meta meta = { .ports = BIT(0) };
	uint8_t bytes[64];

	(void)state;
	group_of_two("edsa");
	fabric_set_state(&fab, 0, FABRIC_BLOCKING);
	assert_int_equal(host(0, 2, 1, 0), 0);
	assert_int_equal(drops(0, FABRIC_BLOCKED), 1);
	assert_int_equal(fabric_fdb_get(&fab, 1, one, 0, 0), 0);
	fabric_set_state(&fab, 0, FABRIC_LEARNING);
	assert_int_equal(host(0, 2, 1, 0), 0);
	assert_int_equal(fabric_fdb_get(&fab, 1, one, 0, 0), BIT(0));
	/* nothing is forwarded to it, and what the CPU sends to it goes */
	assert_int_equal(host(1, 1, 2, 0), 0);
	assert_int_equal(drops(1, FABRIC_NO_ONE), 1);
	assert_int_equal(to_group_address(1, broadcast, 2), BIT(CPU));
	make(bytes, 1, 8);
	assert_int_equal(cpu_sends(&meta, bytes, sizeof(bytes)), BIT(0));
	fabric_set_state(&fab, 0, FABRIC_FORWARDING);
	assert_int_equal(host(1, 1, 2, 0), BIT(0));
}

static void links(void **state)
{
	struct tag_meta meta = { .ports = BIT(0) };
	uint8_t bytes[64];

	(void)state;
	group_of_two("edsa");
	host(0, 9, 1, 0);
	fabric_set_link(&fab, 0, false);
	assert_int_equal(host(0, 9, 1, 0), 0);
	assert_int_equal(drops(0, FABRIC_LINK_DOWN), 1);
	/* its address is forgotten, and there is nobody else in the group */
	assert_int_equal(host(1, 1, 2, 0), BIT(CPU));
	make(bytes, 1, 8);
	assert_int_equal(cpu_sends(&meta, bytes, sizeof(bytes)), 0);
	assert_int_equal(drops(CPU, FABRIC_LINK_DOWN), 1);
	fabric_set_link(&fab, CPU, false);
	assert_int_equal(host(2, 9, 3, 0), 0);
	assert_int_equal(drops(2, FABRIC_LINK_DOWN), 1);
	fabric_set_link(&fab, CPU, true);
	fabric_set_link(&fab, 0, true);
	assert_int_equal(host(1, 1, 2, 0), BIT(0) | BIT(CPU));
}

/* -- tags ------------------------------------------------------------------- */

static size_t make_vlan(uint8_t *bytes)
{
	make(bytes, 9, 1);
	memmove(bytes + 16, bytes + 12, 52);
	memcpy(bytes + 12, "\x81\x00\xa1\x23", 4);
	return 68;
}

/* Every format: a port's frame reaches the CPU with its port and comes back. */
static void both_ways(unsigned int port, const uint8_t *bytes, size_t len)
{
	struct tag_meta meta;
	struct frame f;

	put(port, bytes, len, 0);
	assert_int_equal(out.ports, BIT(CPU));
	meta = read_tag();
	assert_true(!tag_ports(fab.tag, TAG_TO_CPU) || meta.ports == BIT(port));
	assert_int_equal(out.len[CPU], len);
	assert_memory_equal(out.bytes[CPU], bytes, len);

	meta = (struct tag_meta) { .ports = BIT(port), .device = fab.device };
	frame_init(&f, storage, sizeof(storage));
	frame_set(&f, bytes, len);
	tag_meta_vlan(fab.tag, TAG_FROM_CPU, &meta, &f);
	cpu_sends(&meta, bytes, len);
	assert_true(out.ports >> port & 1);
	assert_memory_equal(out.bytes[port], bytes, len);
	if (tag_ports(fab.tag, TAG_FROM_CPU))
		assert_int_equal(out.ports, BIT(port));
	else
		assert_int_equal(out.ports, BIT(CPU) - 1);
}

static void every_format(void **state)
{
	uint8_t plain[64], vlan[68];
	unsigned int port;
	size_t i;

	(void)state;
	make(plain, 9, 1);
	make_vlan(vlan);
	begin("none");
	fab.device = 1;
	for (i = 0; i < tag_count(); i++) {
		fabric_set_tag(&fab, tag_at(i));
		for (port = 0; port < CPU; port++) {
			if (i && !(tag_ports(tag_at(i), TAG_FROM_CPU) >> port & 1))
				continue;
			both_ways(port, plain, sizeof(plain));
			both_ways(port, vlan, sizeof(vlan));
		}
	}
}

static void vlan_and_priority_in_the_tag(void **state)
{
	struct tag_meta meta;
	uint8_t bytes[68];

	(void)state;
	begin("dsa");
	fab.port[1].pvid = 77;
	put(1, bytes, make_vlan(bytes), 0);
	assert_int_equal(out.len[CPU], sizeof(bytes));	/* fused */
	meta = read_tag();
	assert_true(meta.vlan);
	assert_int_equal(meta.vid, 0x123);
	assert_int_equal(meta.pcp, 5);
	host(1, 9, 1, 0);
	meta = read_tag();
	assert_false(meta.vlan);
	assert_int_equal(meta.vid, 77);
}

/* A tag that says "forward": as from a port of the group, and its address is learnt. */
static void the_cpu_forwards(const char *tag, struct tag_meta meta)
{
	uint8_t bytes[64];

	group_of_two(tag);
	make(bytes, 1, 8);
	assert_int_equal(cpu_sends(&meta, bytes, sizeof(bytes)), BIT(0) | BIT(1));
	host(0, 9, 1, 0);
	assert_int_equal(cpu_sends(&meta, bytes, sizeof(bytes)), BIT(0));
	/* the answer goes to the CPU alone */
	assert_int_equal(host(0, 8, 1, 0), BIT(CPU));
	/* without a group there is nobody to forward to */
	fabric_set_group(&fab, 0, 0);
	fabric_set_group(&fab, 1, 0);
	if (!meta.bridge && !meta.device) {
		assert_int_equal(cpu_sends(&meta, bytes, sizeof(bytes)), 0);
		assert_int_equal(drops(CPU, FABRIC_NO_ONE), 1);
	}
}

static void forward_from_the_cpu(void **state)
{
	(void)state;
	the_cpu_forwards("edsa", (struct tag_meta) { .forward = true, .device = 1 });
	the_cpu_forwards("lan9303", (struct tag_meta) { .forward = true });
	the_cpu_forwards("sja1105", (struct tag_meta) { .bridge = 1 });
	the_cpu_forwards("vsc73xx-8021q", (struct tag_meta) { .bridge = 1 });
}

static void changing_the_format(void **state)
{
	static const char *const tags[] = { "edsa", "none", "dsa", "a5psw", "trailer" };
	size_t i;

	(void)state;
	begin("edsa");
	for (i = 0; i < sizeof(tags) / sizeof(tags[0]); i++) {
		fabric_set_tag(&fab, tag_by_name(tags[i]));
		assert_int_equal(host(3, 9, 1, 0), BIT(CPU));
		assert_int_equal(out.len[CPU], 64 + tag_len(fab.tag, TAG_TO_CPU));
	}
}

/* -- drops ------------------------------------------------------------------ */

static void bad_tags(void **state)
{
	struct tag_meta meta = { .ports = BIT(0), .device = 3 };
	uint8_t bytes[64];

	(void)state;
	begin("edsa");
	make(bytes, 9, 8);
	put(CPU, bytes, sizeof(bytes), 0);
	assert_int_equal(out.ports, 0);
	assert_string_equal(out.why, "edsa: EtherType 0x0800, expected 0xdada");
	assert_int_equal(drops(CPU, FABRIC_BAD_TAG), 1);

	assert_int_equal(cpu_sends(&meta, bytes, sizeof(bytes)), 0);
	assert_int_equal(drops(CPU, FABRIC_OTHER_DEVICE), 1);

	/* a port that the switch does not have, and the CPU's own */
	meta = (struct tag_meta) { .ports = BIT(9) };
	assert_int_equal(cpu_sends(&meta, bytes, sizeof(bytes)), 0);
	meta.ports = BIT(CPU);
	assert_int_equal(cpu_sends(&meta, bytes, sizeof(bytes)), 0);
	assert_int_equal(drops(CPU, FABRIC_NO_PORT), 2);
}

static void runts(void **state)
{
	uint8_t bytes[64];

	(void)state;
	begin("edsa");
	make(bytes, 9, 8);
	put(1, bytes, 13, 0);
	put(CPU, bytes, 13, 0);
	assert_int_equal(out.ports, 0);
	assert_int_equal(drops(1, FABRIC_RUNT), 1);
	assert_int_equal(drops(CPU, FABRIC_RUNT), 1);
	put(1, bytes, 14, 0);
	assert_int_equal(out.ports, BIT(CPU));
}

/* The port's number does not fit the tag; the storage has no room for one. */
static void no_tag_to_the_cpu(void **state)
{
	uint8_t exact[64];
	struct frame f = { .data = exact, .len = 64, .start = exact, .end = exact + 64 };

	(void)state;
	assert_int_equal(fabric_init(&fab, 8, 0, tag_by_name("lan9303"), &ops, &fab), 0);
	host(3, 9, 1, 0);
	assert_int_equal(out.ports, BIT(0));
	host(4, 9, 1, 0);
	assert_int_equal(out.ports, 0);
	assert_int_equal(drops(4, FABRIC_TAG_RANGE), 1);
	make(exact, 9, 1);
	assert_int_equal(fabric_ingress(&fab, 3, &f, 0), 0);
	assert_int_equal(drops(3, FABRIC_NO_ROOM), 1);
	/* no room for padding either */
	begin("none");
	f.len = 40;
	f.end = exact + 50;
	assert_int_equal(fabric_ingress(&fab, CPU, &f, 0), 0);
	assert_int_equal(drops(CPU, FABRIC_NO_ROOM), 1);
	assert_int_equal(out.ports, 0);
}

static void statistics(void **state)
{
	struct tag_meta meta = { .ports = BIT(2) };
	uint8_t bytes[64];

	(void)state;
	begin("edsa");
	host(2, 9, 1, 0);
	host(2, 9, 1, 0);
	make(bytes, 9, 8);
	cpu_sends(&meta, bytes, sizeof(bytes));
	assert_int_equal(fab.port[2].stats.rx_frames, 2);
	assert_int_equal(fab.port[2].stats.rx_bytes, 128);
	assert_int_equal(fab.port[2].stats.tx_frames, 1);
	assert_int_equal(fab.port[2].stats.tx_bytes, 64);
	assert_int_equal(fab.port[CPU].stats.tx_frames, 2);
	assert_int_equal(fab.port[CPU].stats.tx_bytes, 2 * 72);
	assert_int_equal(fab.port[CPU].stats.rx_frames, 1);
	assert_int_equal(fab.port[CPU].stats.rx_bytes, 72);
}

static void bad_arguments(void **state)
{
	const struct tag_format *t = tag_by_name("edsa");
	struct frame f;
	unsigned int i;

	(void)state;
	assert_int_equal(fabric_init(&fab, 1, 0, t, &ops, &fab), -EINVAL);
	assert_int_equal(fabric_init(&fab, 33, 0, t, &ops, &fab), -EINVAL);
	assert_int_equal(fabric_init(&fab, 4, 4, t, &ops, &fab), -EINVAL);
	assert_int_equal(fabric_init(&fab, 32, 31, t, &ops, &fab), 0);
	begin("edsa");
	frame_init(&f, storage, sizeof(storage));
	assert_int_equal(fabric_ingress(&fab, CPU + 1, &f, 0), -EINVAL);
	assert_int_equal(fabric_set_group(&fab, CPU, 1), -EINVAL);
	assert_int_equal(fabric_set_group(&fab, CPU + 1, 1), -EINVAL);
	assert_int_equal(fabric_set_group(&fab, 0, FABRIC_GROUPS), -EINVAL);
	assert_int_equal(fabric_set_link(&fab, CPU + 1, true), -EINVAL);
	assert_int_equal(fabric_set_state(&fab, CPU + 1, FABRIC_BLOCKING), -EINVAL);
	assert_int_equal(fabric_set_state(&fab, 0, (enum fabric_state)4), -EINVAL);
	for (i = 0; i < FABRIC_DROPS; i++)
		assert_non_null(fabric_drop_name(i));
	assert_string_equal(fabric_drop_name(FABRIC_BAD_TAG), "bad-tag");
	assert_string_equal(fabric_drop_name(FABRIC_DROPS), "unknown");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(standalone_ports_reach_the_cpu_only),
		cmocka_unit_test(the_cpu_reaches_the_port_it_names),
		cmocka_unit_test(padding),
		cmocka_unit_test(learns_and_forwards),
		cmocka_unit_test(addresses_move),
		cmocka_unit_test(group_addresses_are_not_learnt),
		cmocka_unit_test(addresses_age),
		cmocka_unit_test(vids_separate_addresses),
		cmocka_unit_test(groups_are_apart),
		cmocka_unit_test(static_addresses),
		cmocka_unit_test(a_full_table),
		cmocka_unit_test(reserved_addresses_are_trapped),
		cmocka_unit_test(stp_states),
		cmocka_unit_test(links),
		cmocka_unit_test(every_format),
		cmocka_unit_test(vlan_and_priority_in_the_tag),
		cmocka_unit_test(forward_from_the_cpu),
		cmocka_unit_test(changing_the_format),
		cmocka_unit_test(bad_tags),
		cmocka_unit_test(runts),
		cmocka_unit_test(no_tag_to_the_cpu),
		cmocka_unit_test(statistics),
		cmocka_unit_test(bad_arguments),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
