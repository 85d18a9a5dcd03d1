// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The switch's statistics: for each port what came in, what went out, and why
 * what did neither; as text and as JSON.
 *
 * "In" is into the switch at that port, also of frames that were dropped then;
 * "out" is what the far end (or QEMU's socket) has taken.
 */
#include "vswitch.h"

#define DROPS	(FABRIC_DROPS + VSWITCH_DROPS + FAREND_NOTES)

static const char *const drop_names[] = {
	[VSWITCH_FULL] = "full",
	[VSWITCH_DISCONNECTED] = "disconnected",
	[VSWITCH_DOWN] = "far-end-down",
	[VSWITCH_NO_MEMORY] = "no-memory",
};

_Static_assert(sizeof(drop_names) / sizeof(drop_names[0]) == VSWITCH_DROPS,
	       "a name for each reason");

/* Everything that is said of a port. */
struct report {
	unsigned int drops, notes;
	struct farend_note drop[DROPS], note[FAREND_NOTES];
};

static void add_drop(struct report *r, const char *name, uint64_t value)
{
	if (value)
		r->drop[r->drops++] = (struct farend_note){ name, value, true };
}

static void report_port(struct vswitch *sw, unsigned int port, struct report *r)
{
	const struct vswitch_port *p = &sw->port[port];
	struct farend_note notes[FAREND_NOTES];
	unsigned int i, n = 0;

	r->drops = r->notes = 0;
	for (i = 0; i < FABRIC_DROPS; i++)
		add_drop(r, fabric_drop_name(i), sw->fabric.port[port].stats.drops[i]);
	for (i = 0; i < VSWITCH_DROPS; i++)
		add_drop(r, drop_names[i], p->drops[i]);
	if (p->fe && p->fe->ops->notes)
		n = p->fe->ops->notes(p->fe, notes);
	for (i = 0; i < n; i++) {
		if (notes[i].drop)
			add_drop(r, notes[i].name, notes[i].value);
		else if (notes[i].value)
			r->note[r->notes++] = notes[i];
	}
}

static uint64_t wrong_checksums(const struct vswitch_port *p)
{
	uint64_t wrong = p->wrong_ip;
	unsigned int i;

	for (i = 0; i <= CSUM_OFF; i++)
		wrong += p->wrong[i];
	return wrong;
}

static void print_list(FILE *out, const char *title, const struct farend_note *n,
		       unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		fprintf(out, "%s%s %llu", i ? ", " : title, n[i].name,
			(unsigned long long)n[i].value);
}

static void print_judged(FILE *out, const struct vswitch_port *p)
{
	unsigned int i;

	if (!p->judged)
		return;
	fprintf(out, "; judged %llu, wrong %llu", (unsigned long long)p->judged,
		(unsigned long long)wrong_checksums(p));
	for (i = CSUM_PSEUDO_ONLY; i <= CSUM_OFF; i++)
		if (p->wrong[i])
			fprintf(out, ", %s %llu", csum_kind_name(i),
				(unsigned long long)p->wrong[i]);
	if (p->wrong_ip)
		fprintf(out, ", IPv4 header %llu", (unsigned long long)p->wrong_ip);
}

static void print_port(struct vswitch *sw, unsigned int port, FILE *out)
{
	const struct fabric_stats *st = &sw->fabric.port[port].stats;
	const struct vswitch_port *p = &sw->port[port];
	struct report r;

	report_port(sw, port, &r);
	fprintf(out, "%-8s in %llu frames %llu bytes, out %llu frames %llu bytes", p->name,
		(unsigned long long)st->rx_frames, (unsigned long long)st->rx_bytes,
		(unsigned long long)p->out_frames, (unsigned long long)p->out_bytes);
	if (p->out.frames)
		fprintf(out, ", waiting %u", p->out.frames);
	print_list(out, "; dropped: ", r.drop, r.drops);
	print_list(out, "; ", r.note, r.notes);
	print_judged(out, p);
	fprintf(out, " (%s)\n", p->text);
}

void vswitch_print(struct vswitch *sw, FILE *out)
{
	unsigned int i;

	print_port(sw, sw->cpu, out);
	for (i = 0; i < sw->cpu; i++)
		print_port(sw, i, out);
	fflush(out);
}

static json_t *list_json(const struct farend_note *n, unsigned int count)
{
	json_t *o = json_object();
	unsigned int i;

	for (i = 0; i < count; i++)
		json_object_set_new(o, n[i].name, json_integer((json_int_t)n[i].value));
	return o;
}

static json_t *port_json(struct vswitch *sw, unsigned int port)
{
	const struct fabric_stats *st = &sw->fabric.port[port].stats;
	const struct vswitch_port *p = &sw->port[port];
	struct report r;
	json_t *o;

	report_port(sw, port, &r);
	o = json_pack("{s:s, s:s, s:{s:I, s:I}, s:{s:I, s:I}, s:i, s:o, s:o}", "name", p->name,
		      "far_end", p->text,
		      "in", "frames", (json_int_t)st->rx_frames,
		      "bytes", (json_int_t)st->rx_bytes,
		      "out", "frames", (json_int_t)p->out_frames,
		      "bytes", (json_int_t)p->out_bytes, "waiting", (int)p->out.frames,
		      "drops", list_json(r.drop, r.drops),
		      "far_end_counts", list_json(r.note, r.notes));
	if (o && sw->judge && p->fe)
		json_object_set_new(o, "checksums", json_pack("{s:I, s:I}",
				    "judged", (json_int_t)p->judged,
				    "wrong", (json_int_t)wrong_checksums(p)));
	return o;
}

json_t *vswitch_json(struct vswitch *sw)
{
	json_t *ports = json_array();
	unsigned int i;
	int err = 0;

	for (i = 0; i <= sw->cpu; i++)
		err |= json_array_append_new(ports, port_json(sw, i ? i - 1 : sw->cpu));
	if (err) {
		json_decref(ports);
		return NULL;
	}
	return json_pack("{s:I, s:i, s:o}", "ms", (json_int_t)(loop_now() - sw->started_ms),
			 "connections", (int)sw->connections, "ports", ports);
}
