// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The codec against the kernel's taggers, which are linked in (see run): for
 * random frames, ports, priorities and traps
 *
 *  - what xmit() sends is read by the codec as what was asked for, and written
 *    by the codec in the same bytes (but for bits that the codec's table says
 *    nobody reads: some differ from kernel to kernel);
 *  - what the codec writes towards the CPU is taken by rcv(), on the right
 *    port, with the right frame left, and marked as forwarded or not.
 *
 * With --mutate it is turned on itself: for each format, the field that names
 * the port is moved by a bit, in one direction and then in the other, and each
 * time what is above must notice.
 *
 * KTAP on stdout.  Left out are frames that a tagger does not send itself:
 * link-local ones of sja1105 and ocelot-8021q.
 */
#include "tag/format.h"
#include "../mutant.h"

#define ROUNDS		4000
#define PORTS		32
#define CPU_PORT	9	/* as mxl862xx writes it */
#define MAX_OPS		64

/* net/dsa/tag.h has it too; only the first member is of interest. */
struct dsa_tag_driver {
	const struct dsa_device_ops *ops;
	struct list_head list;
	struct module *owner;
};

static const struct dsa_device_ops *taggers[MAX_OPS];
static unsigned int n_taggers;

void dsa_tag_drivers_register(struct dsa_tag_driver *drivers[], unsigned int count,
			      struct module *owner);
void dsa_tag_drivers_unregister(struct dsa_tag_driver *drivers[], unsigned int count);

void dsa_tag_drivers_register(struct dsa_tag_driver *drivers[], unsigned int count,
			      struct module *owner)
{
	while (count-- && n_taggers < MAX_OPS)
		taggers[n_taggers++] = (*drivers++)->ops;
}

void dsa_tag_drivers_unregister(struct dsa_tag_driver *drivers[], unsigned int count)
{
}

/* -- one switch, 32 user ports ------------------------------------------------ */

static struct dsa_switch_tree tree;
static struct dsa_switch sw;
static struct dsa_port port[PORTS], cpu;
static struct net_device user[PORTS], conduit, bridge_dev;
static struct dsa_bridge bridge = { .dev = &bridge_dev, .num = 1 };
static u64 chip[1024];		/* taggers look into ds->priv: all zero */

static void make_switch(void)
{
	struct list_head *last = &tree.ports;
	int i;

	sw = (struct dsa_switch) {
		.dst = &tree, .num_ports = 6, .priv = chip, .dev = &conduit.dev,
	};
	cpu = (struct dsa_port) {
		.index = CPU_PORT, .type = DSA_PORT_TYPE_CPU, .ds = &sw, .dst = &tree,
	};
	conduit.dsa_ptr = &cpu;
	for (i = 0; i < PORTS; i++) {
		port[i] = (struct dsa_port) {
			.index = i, .type = DSA_PORT_TYPE_USER, .ds = &sw, .dst = &tree,
			.user = &user[i], .cpu_dp = &cpu, .stp_state = BR_STATE_FORWARDING,
		};
		user[i].dp = &port[i];
		last->next = &port[i].list;
		port[i].list.prev = last;
		last = &port[i].list;
	}
	last->next = &tree.ports;
	tree.ports.prev = last;
}

/* -- random frames ------------------------------------------------------------- */

static unsigned int seed;

static unsigned int rnd(unsigned int below)
{
	return rand_r(&seed) / 8 % below;
}

struct sample {
	u8 bytes[512];
	size_t len;
	bool link_local;
};

static void random_frame(struct sample *x)
{
	static const u8 lldp[ETH_ALEN] = { 0x01, 0x80, 0xc2, 0x00, 0x00, 0x0e };
	static const u16 types[] = { 0x0800, 0x8100, 0x88a8, 0x86dd };
	u16 type = types[rnd(4)];
	size_t i;

	x->len = ETH_HLEN + (rnd(3) ? rnd(300) : rnd(60));
	for (i = 0; i < x->len; i++)
		x->bytes[i] = rnd(256);
	x->bytes[0] &= ~1;
	x->link_local = rnd(2);
	if (x->link_local)
		memcpy(x->bytes, lldp, sizeof(lldp));
	/* a VLAN header that is cut off is no header */
	put_unaligned_be16(x->len < 18 ? 0x0800 : type, x->bytes + 12);
}

static int random_port(u32 ports)
{
	int p;

	do
		p = rnd(PORTS);
	while (!(ports >> p & 1));
	return p;
}

static void fill_skb(struct sk_buff *skb, const u8 *bytes, size_t len)
{
	memset(skb, 0, sizeof(*skb));
	memset(skb->storage, 0xcc, sizeof(skb->storage));
	skb->data = skb->mac_header = skb->storage + SHIM_HEADROOM;
	skb->len = len;
	memcpy(skb->data, bytes, len);
	memcpy(&skb->protocol, skb->data + 12, 2);
}

/* -- the two directions --------------------------------------------------------- */

static char why[256];

static bool fails(const char *what, int p, const struct sample *x)
{
	snprintf(why, sizeof(why), "%s: port %d, %zu bytes, type %02x%02x%s", what, p, x->len,
		 x->bytes[12], x->bytes[13], x->link_local ? ", link-local" : "");
	return false;
}

static bool begins_with(const u8 *p, size_t len, const struct sample *x)
{
	size_t i;

	if (len < x->len || memcmp(p, x->bytes, x->len))
		return false;
	for (i = x->len; i < len; i++)
		if (p[i])
			return false;
	return true;
}

/* Bits of byte @at of the frame that the table writes and nobody reads. */
static u8 unread(const struct tag_layout *l, size_t at, size_t len)
{
	size_t start = l->pos == TAG_POS_TAIL ? len - l->tail : l->pos == TAG_POS_HEAD ? 0 : 12;
	u8 mask = 0;
	unsigned int i, bit;

	for (i = 0; i < l->nfields; i++)
		for (bit = 0; bit < l->fields[i].width; bit++)
			if (l->fields[i].what == TV_FILL &&
			    start + (l->fields[i].off + bit) / 8 == at)
				mask |= 0x80 >> (l->fields[i].off + bit) % 8;
	return mask;
}

static bool same_but_unread(const struct tag_format *f, const struct frame *a,
			    const struct sk_buff *skb)
{
	size_t i;

	if (a->len != skb->len)
		return false;
	for (i = 0; i < a->len; i++)
		if ((a->data[i] ^ skb->data[i]) & ~unread(f->spec->layout[0][0], i, a->len))
			return false;
	return true;
}

static bool from_cpu(const struct dsa_device_ops *ops, const struct tag_format *f,
		     const struct sample *x)
{
	static struct sk_buff skb;
	static u8 storage[2048];
	u32 ports = tag_ports(f, TAG_FROM_CPU);
	int p = ports ? random_port(ports) : 0;
	struct tag_meta meta;
	struct frame frame;

	fill_skb(&skb, x->bytes, x->len);
	skb.dev = &user[p];
	skb.priority = rnd(8);
	skb.queue_mapping = rnd(8);
	user[p].tc = rnd(4);
	if (ops->needed_tailroom)	/* as dsa_user_xmit() does */
		eth_skb_pad(&skb);
	if (!ops->xmit(&skb, &user[p]) || skb.freed)
		return fails("xmit() drops it", p, x);
	frame_init(&frame, storage, sizeof(storage));
	frame_set(&frame, skb.data, skb.len);
	if (tag_pull(f, TAG_FROM_CPU, &meta, &frame, NULL))
		return fails("what xmit() sends is not read", p, x);
	if (ports && meta.ports != 1u << p)
		return fails("the port is read wrong", p, x);
	if (tag_has_device(f, TAG_FROM_CPU) && meta.device != sw.index)
		return fails("the switch is read wrong", p, x);
	if (!begins_with(frame.data, frame.len, x))
		return fails("what xmit() sends is stripped wrong", p, x);
	frame_set(&frame, x->bytes, x->len);
	if (tag_push(f, TAG_FROM_CPU, &meta, &frame) || !same_but_unread(f, &frame, &skb))
		return fails("other bytes than xmit()'s", p, x);
	return true;
}

/* Does the tag tell trapped frames from forwarded ones?  brcm's is not asked. */
static bool tells_traps(const struct tag_format *f)
{
	bool found = false;
	unsigned int i;

	for (i = 0; i < TAG_VARIANTS && f->spec->layout[TAG_TO_CPU][i]; i++)
		found |= tag_carries(f->spec->layout[TAG_TO_CPU][i], TV_TRAP);
	return found && strncmp(tag_name(f), "brcm", 4);
}

/* Only frames of bridged ports are marked as forwarded, and no trapped one. */
static bool right_mark(const struct tag_format *f, bool trap, bool bridged, bool mark)
{
	if (!bridged || !tells_traps(f))
		return bridged || !mark;
	return mark == !trap;
}

static bool to_cpu(const struct dsa_device_ops *ops, const struct tag_format *f,
		   const struct sample *x)
{
	static struct sk_buff skb;
	static u8 storage[2048];
	int p = random_port(tag_ports(f, TAG_TO_CPU));
	struct tag_meta meta = {
		.ports = 1u << p, .device = sw.index, .pcp = rnd(8), .dei = rnd(2), .trap = rnd(2),
	};
	bool bridged = rnd(2);
	struct frame frame;

	frame_init(&frame, storage, sizeof(storage));
	frame_set(&frame, x->bytes, x->len);
	tag_meta_vlan(f, TAG_TO_CPU, &meta, &frame);
	if (tag_push(f, TAG_TO_CPU, &meta, &frame))
		return fails("push fails", p, x);
	port[p].bridge = bridged ? &bridge : NULL;
	fill_skb(&skb, frame.data, frame.len);
	skb.dev = &conduit;
	skb_pull(&skb, ETH_HLEN);	/* as eth_type_trans() does */
	if (!ops->rcv(&skb, &conduit) || skb.freed)
		return fails("rcv() drops it", p, x);
	skb_push(&skb, ETH_HLEN);
	if (skb.dev != &user[p])
		return fails("rcv() takes it for another port's", p, x);
	if (skb.vlan_present || !begins_with(skb.data, skb.len, x))
		return fails("rcv() leaves another frame", p, x);
	if (!right_mark(f, meta.trap, bridged, skb.offload_fwd_mark))
		return fails("rcv() marks it wrong as forwarded", p, x);
	return true;
}

/* -- one format ------------------------------------------------------------------ */

static bool is(const struct dsa_device_ops *ops, const char *name)
{
	return !strcmp(ops->name, name);
}

/* Taggers whose frames of link-local addresses go by registers, or wait for more. */
static bool goes_elsewhere(const struct dsa_device_ops *ops, enum tag_dir dir)
{
	return is(ops, "sja1105") || (is(ops, "ocelot-8021q") && dir == TAG_FROM_CPU);
}

/* The least that rcv() wants behind the tag. */
static size_t least(const struct dsa_device_ops *ops)
{
	return is(ops, "nxp_netc") ? 30 : 20;
}

static bool compare(const struct dsa_device_ops *ops, const struct tag_format *f)
{
	struct sample x;
	int i;

	tree.tag_ops = ops;
	/* switch 1 where a tag names it, and where rcv() asks for it */
	sw.index = tag_has_device(f, TAG_TO_CPU) && !is(ops, "mt7628");
	sw.tagger_data = NULL;
	if (ops->connect)
		ops->connect(&sw);
	for (i = 0; i < ROUNDS; i++) {
		random_frame(&x);
		if (!(x.link_local && goes_elsewhere(ops, TAG_FROM_CPU)) && !from_cpu(ops, f, &x))
			return false;
		if (!ops->rcv || x.len < least(ops))
			continue;
		if (!(x.link_local && goes_elsewhere(ops, TAG_TO_CPU)) && !to_cpu(ops, f, &x))
			return false;
	}
	return true;
}

/* -- wrong on purpose --------------------------------------------------------------- */

/* Is a mutant of @f noticed, in each direction that can be mutated? */
static bool is_noticed(const struct dsa_device_ops *ops, const struct tag_format *f)
{
	static struct mutant m;
	unsigned int dir, mutants = 0;

	for (dir = 0; dir < 2; dir++) {
		if (!make_mutant(&m, f, dir))
			continue;
		mutants++;
		if (compare(ops, &m.format)) {
			snprintf(why, sizeof(why), "its port is a bit off %s the CPU, and nobody notices",
				 dir == TAG_FROM_CPU ? "from" : "to");
			return false;
		}
	}
	snprintf(why, sizeof(why), "no field names a port");
	return mutants;
}

static const struct dsa_device_ops *tagger(const char *name)
{
	unsigned int i;

	for (i = 0; i < n_taggers; i++)
		if (is(taggers[i], name))
			return taggers[i];
	return NULL;
}

int main(int argc, char **argv)
{
	const struct dsa_device_ops *ops;
	unsigned int passed = 0, failed = 0, skipped = 0;
	bool (*test)(const struct dsa_device_ops *ops, const struct tag_format *f) = compare;
	size_t i;

	seed = argc > 1 ? strtoul(argv[1], NULL, 0) : 1;
	if (argc > 2 && !strcmp(argv[2], "--mutate"))
		test = is_noticed;
	make_switch();
	printf("KTAP version 1\n# seed %u\n1..%zu\n", seed, tag_count());
	for (i = 0; i < tag_count(); i++) {
		ops = tagger(tag_name(tag_at(i)));
		if (!ops) {
			printf("ok %zu %s # SKIP not in this kernel\n", i + 1, tag_name(tag_at(i)));
			skipped++;
		} else if (test == is_noticed && !tag_ports(tag_at(i), TAG_FROM_CPU)) {
			printf("ok %zu %s # SKIP it has no fields\n", i + 1, ops->name);
			skipped++;
		} else if (ops->proto == (int)tag_proto(tag_at(i)) && test(ops, tag_at(i))) {
			printf("ok %zu %s\n", i + 1, ops->name);
			passed++;
		} else {
			printf("not ok %zu %s # %s\n", i + 1, ops->name, why);
			failed++;
		}
	}
	for (i = 0; i < n_taggers; i++)
		if (!tag_by_name(taggers[i]->name)) {
			printf("# %s: a tagger that the codec does not have\n", taggers[i]->name);
			failed++;
		}
	printf("%u passed, %u failed, %u skipped\n", passed, failed, skipped);
	return failed ? 1 : 0;
}
