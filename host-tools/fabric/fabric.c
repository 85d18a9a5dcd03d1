// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where a frame goes; see fabric.h for the rules and for what is left out.
 *
 * A frame is delivered without a copy: to the user ports first, as it is, and
 * to the CPU port last, since that changes it.
 */
#include "fdb.h"

#define ETH_HLEN	14
#define ETH_ZLEN	60
#define TPID_8021Q	0x8100

/* A frame on its way through. */
struct transit {
	struct frame *frame;
	unsigned int port;	/* where it came in */
	unsigned int group;	/* whose addresses count */
	uint64_t now;
	bool tagged;		/* has an 802.1Q header */
	uint16_t tci;
	uint16_t vid;		/* its own, or the port's */
	bool trap;
};

static const char *const drop_names[] = {
	[FABRIC_RUNT] = "runt",
	[FABRIC_LINK_DOWN] = "link-down",
	[FABRIC_BLOCKED] = "blocked",
	[FABRIC_BAD_TAG] = "bad-tag",
	[FABRIC_OTHER_DEVICE] = "other-device",
	[FABRIC_NO_PORT] = "no-port",
	[FABRIC_SAME_PORT] = "same-port",
	[FABRIC_NO_ONE] = "no-one",
	[FABRIC_TAG_RANGE] = "tag-range",
	[FABRIC_NO_ROOM] = "no-room",
};

_Static_assert(sizeof(drop_names) / sizeof(drop_names[0]) == FABRIC_DROPS,
	       "a name for each reason");

const char *fabric_drop_name(enum fabric_drop drop)
{
	return drop < FABRIC_DROPS ? drop_names[drop] : "unknown";
}

static void drop(struct fabric *fab, unsigned int port, enum fabric_drop why)
{
	fab->port[port].stats.drops[why]++;
}

static uint32_t user_ports(const struct fabric *fab)
{
	uint32_t all = fab->ports >= 32 ? UINT32_MAX : (1u << fab->ports) - 1;

	return all & ~(1u << fab->cpu);
}

static bool is_group_address(const uint8_t *mac)
{
	return mac[0] & 1;
}

/* IEEE 802.1Q, table 8-1: 01:80:c2:00:00:00 .. 0f. */
static bool is_reserved(const uint8_t *mac)
{
	static const uint8_t base[5] = { 0x01, 0x80, 0xc2, 0x00, 0x00 };

	return !memcmp(mac, base, 5) && mac[5] < 0x10;
}

static void look_at(const struct fabric *fab, struct transit *t)
{
	const uint8_t *p = t->frame->data + 12;

	t->tagged = t->frame->len >= ETH_HLEN + 4 && (p[0] << 8 | p[1]) == TPID_8021Q;
	t->tci = t->tagged ? p[2] << 8 | p[3] : 0;
	t->vid = t->tci & 0xfff;
	/* a priority tag is no VLAN (802.1Q, 9.6) */
	if (!t->vid)
		t->vid = fab->port[t->port].pvid;
}

/* -- out of a port ---------------------------------------------------------- */

static void leave(struct fabric *fab, unsigned int port, const struct frame *f)
{
	fab->port[port].stats.tx_frames++;
	fab->port[port].stats.tx_bytes += f->len;
	fab->ops->egress(fab->ctx, port, f);
}

static int pad(const struct fabric *fab, struct frame *f)
{
	size_t len = f->len;

	if (!fab->pad || len >= ETH_ZLEN)
		return 0;
	if (frame_put(f, ETH_ZLEN - len))
		return -ENOBUFS;
	memset(f->data + len, 0, ETH_ZLEN - len);
	return 0;
}

static void to_users(struct fabric *fab, struct transit *t, uint32_t ports)
{
	unsigned int i;

	if (!ports)
		return;
	if (pad(fab, t->frame))
		return drop(fab, t->port, FABRIC_NO_ROOM);
	for (i = 0; i < fab->ports; i++) {
		if (!(ports >> i & 1))
			continue;
		if (fab->port[i].link)
			leave(fab, i, t->frame);
		else
			drop(fab, t->port, FABRIC_LINK_DOWN);
	}
}

/* What the tag to the CPU says of a frame. */
static void describe(const struct fabric *fab, const struct transit *t, struct tag_meta *m)
{
	*m = (struct tag_meta) {
		.ports = 1u << t->port,
		.device = fab->device,
		.vid = t->vid,
		.pcp = t->tci >> 13,
		.dei = t->tci >> 12 & 1,
		.trap = t->trap,
		.forward = !t->trap && fab->port[t->port].group,
	};
	tag_meta_vlan(fab->tag, TAG_TO_CPU, m, t->frame);
}

static void to_cpu(struct fabric *fab, struct transit *t)
{
	struct tag_meta meta;
	int err;

	if (!fab->port[fab->cpu].link) {
		drop(fab, t->port, FABRIC_LINK_DOWN);
		return;
	}
	describe(fab, t, &meta);
	err = tag_push(fab->tag, TAG_TO_CPU, &meta, t->frame);
	if (err)
		drop(fab, t->port, err == -ENOBUFS ? FABRIC_NO_ROOM : FABRIC_TAG_RANGE);
	else
		leave(fab, fab->cpu, t->frame);
}

/* -- where to --------------------------------------------------------------- */

/* Other ports of the group that forward, and the CPU port. */
static uint32_t members(const struct fabric *fab, const struct transit *t)
{
	uint32_t ports = 0;
	unsigned int i;

	for (i = 0; i < fab->ports; i++)
		if (i != fab->cpu && fab->port[i].group == t->group && fab->port[i].link &&
		    fab->port[i].state == FABRIC_FORWARDING)
			ports |= 1u << i;
	return (ports | 1u << fab->cpu) & ~(1u << t->port);
}

/* By the address table, or to everybody. */
static void forward(struct fabric *fab, struct transit *t)
{
	const uint8_t *da = t->frame->data;
	uint32_t known, to = members(fab, t);

	known = fabric_fdb_get(fab, t->group, da, t->vid, t->now);
	if (known && !(known & ~(1u << t->port)))
		return drop(fab, t->port, FABRIC_SAME_PORT);
	if (known)
		to &= known;
	if (!to)
		return drop(fab, t->port, FABRIC_NO_ONE);
	to_users(fab, t, to & ~(1u << fab->cpu));
	if (to >> fab->cpu & 1)
		to_cpu(fab, t);
}

static void learn(struct fabric *fab, const struct transit *t)
{
	const uint8_t *sa = t->frame->data + 6;

	if (t->group && !is_group_address(sa) && fab->port[t->port].state >= FABRIC_LEARNING)
		fabric_fdb_learn(fab, t->group, sa, t->vid, t->port, t->now);
}

static void from_user(struct fabric *fab, struct transit *t)
{
	const struct fabric_port *p = &fab->port[t->port];

	look_at(fab, t);
	t->group = p->group;
	t->trap = is_reserved(t->frame->data);
	if (p->state == FABRIC_DISABLED)
		return drop(fab, t->port, FABRIC_BLOCKED);
	if (t->trap)
		return to_cpu(fab, t);
	learn(fab, t);
	if (p->state != FABRIC_FORWARDING)
		return drop(fab, t->port, FABRIC_BLOCKED);
	if (p->group)
		forward(fab, t);
	else
		to_cpu(fab, t);
}

/*
 * Which group a frame is for whose tag leaves the decision to the switch:
 * tag_8021q has the bridge's number, Marvell a virtual device past the last
 * switch for each, and a lan9303 has one bridge at most.
 */
static unsigned int group_of(const struct fabric *fab, const struct tag_meta *m)
{
	unsigned int i;

	if (m->bridge)
		return m->bridge;
	if (m->device > fab->device && m->device - fab->device < FABRIC_GROUPS)
		return m->device - fab->device;
	for (i = 0; i < fab->ports; i++)
		if (fab->port[i].group)
			return fab->port[i].group;
	return 0;
}

/* The tag names ports: obeyed whatever their state is. */
static void as_told(struct fabric *fab, struct transit *t, const struct tag_meta *m)
{
	uint32_t ports = m->ports & user_ports(fab);

	if (m->device != fab->device && tag_has_device(fab->tag, TAG_FROM_CPU))
		return drop(fab, t->port, FABRIC_OTHER_DEVICE);
	if (!ports)
		return drop(fab, t->port, FABRIC_NO_PORT);
	to_users(fab, t, ports);
}

static void from_cpu(struct fabric *fab, struct transit *t)
{
	struct tag_meta meta;
	const char *why;

	if (tag_pull(fab->tag, TAG_FROM_CPU, &meta, t->frame, &why)) {
		drop(fab, t->port, FABRIC_BAD_TAG);
		if (fab->ops->bad_tag)
			fab->ops->bad_tag(fab->ctx, t->frame, why);
		return;
	}
	if (!tag_ports(fab->tag, TAG_FROM_CPU)) {
		look_at(fab, t);
		return forward(fab, t);
	}
	if (!meta.forward && !meta.bridge)
		return as_told(fab, t, &meta);
	look_at(fab, t);
	t->group = group_of(fab, &meta);
	if (!t->group)
		return drop(fab, t->port, FABRIC_NO_ONE);
	learn(fab, t);
	forward(fab, t);
}

int fabric_ingress(struct fabric *fab, unsigned int port, struct frame *frame,
		   uint64_t now)
{
	struct transit t = { .frame = frame, .port = port, .now = now };
	struct fabric_port *p;

	if (port >= fab->ports)
		return -EINVAL;
	p = &fab->port[port];
	p->stats.rx_frames++;
	p->stats.rx_bytes += frame->len;
	if (!p->link)
		drop(fab, port, FABRIC_LINK_DOWN);
	else if (frame->len < ETH_HLEN)
		drop(fab, port, FABRIC_RUNT);
	else if (port == fab->cpu)
		from_cpu(fab, &t);
	else
		from_user(fab, &t);
	return 0;
}

/* -- configuration ---------------------------------------------------------- */

int fabric_init(struct fabric *fab, unsigned int ports, unsigned int cpu,
		const struct tag_format *tag, const struct fabric_ops *ops, void *ctx)
{
	unsigned int i;

	if (ports < 2 || ports > FABRIC_PORTS || cpu >= ports)
		return -EINVAL;
	memset(fab, 0, sizeof(*fab));
	fab->ops = ops;
	fab->ctx = ctx;
	fab->tag = tag;
	fab->ports = ports;
	fab->cpu = cpu;
	fab->pad = true;
	fab->ageing_ns = FABRIC_AGEING_NS;
	for (i = 0; i < fab->ports; i++) {
		fab->port[i].link = true;
		fab->port[i].state = FABRIC_FORWARDING;
	}
	return 0;
}

void fabric_set_tag(struct fabric *fab, const struct tag_format *tag)
{
	fab->tag = tag;
}

int fabric_set_group(struct fabric *fab, unsigned int port, unsigned int group)
{
	if (port >= fab->ports || port == fab->cpu || group >= FABRIC_GROUPS)
		return -EINVAL;
	fab->port[port].group = group;
	fabric_fdb_flush(fab, 1u << port);
	return 0;
}

int fabric_set_link(struct fabric *fab, unsigned int port, bool up)
{
	if (port >= fab->ports)
		return -EINVAL;
	fab->port[port].link = up;
	if (!up)
		fabric_fdb_flush(fab, 1u << port);
	return 0;
}

int fabric_set_state(struct fabric *fab, unsigned int port, enum fabric_state state)
{
	if (port >= fab->ports || state > FABRIC_FORWARDING)
		return -EINVAL;
	fab->port[port].state = state;
	return 0;
}
