// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tags sample frames with everything that a tag can say, and keeps account of
 * what stands at offset 12.  Two of the samples have addresses that are each
 * other's complement, to find digits that come from an address; two more are
 * full of 08 00 at even and at odd offsets, to find addresses that look like IP.
 */
#include "format.h"
#include "view.h"

#define SAMPLE_LEN	64
#define IP_MARK		0x45	/* the first byte of the sample's IP header */
#define DEVICES		32
#define FIRST_DEVICES	2	/* that .at12 is about; some formats have no device 0 */

static const uint8_t samples[][TAG_ADDRS] = {
	{ 0x02, 0x21, 0x32, 0x43, 0x54, 0x65, 0x02, 0x76, 0x97, 0xa8, 0xb9, 0xca },
	{ 0xfc, 0xde, 0xcd, 0xbc, 0xab, 0x9a, 0xfc, 0x89, 0x68, 0x57, 0x46, 0x35 },
	{ 0x08, 0x00, 0x08, 0x00, 0x08, 0x00, 0x08, 0x00, 0x08, 0x00, 0x08, 0x00 },
	{ 0x00, 0x08, 0x00, 0x08, 0x00, 0x08, 0x00, 0x08, 0x00, 0x08, 0x00, 0x08 },
};

#define N_SAMPLES	(sizeof(samples) / sizeof(samples[0]))
#define N_PLAIN		2	/* of them do not look like IP */

struct survey {
	struct tag_view view;
	unsigned int seen, hidden;	/* with plain addresses */
	unsigned int by_address;
	unsigned int unreal;
};

bool tag_engine_sees_ip(const struct frame *frame, size_t *offset)
{
	size_t at = TAG_ADDRS;
	uint16_t type;

	if (frame->len < at + 2)
		return false;
	type = tag_be16(frame->data + at);
	if (type == TAG_TPID_8021Q && frame->len >= at + 6) {
		at += TAG_VLAN_HLEN;
		type = tag_be16(frame->data + at);
	}
	if (offset)
		*offset = at + 2;
	return type == 0x0800 || type == 0x86dd;
}

static void make_sample(const uint8_t *addrs, uint16_t etype, bool vlan, struct frame *f)
{
	uint8_t bytes[SAMPLE_LEN] = { 0 }, *p = bytes + TAG_ADDRS;

	memcpy(bytes, addrs, TAG_ADDRS);
	if (vlan) {
		memcpy(p, "\x81\x00\x00\x05", TAG_VLAN_HLEN);
		p += TAG_VLAN_HLEN;
	}
	*p++ = etype >> 8;
	*p++ = etype & 0xff;
	*p = IP_MARK;
	frame_set(f, bytes, sizeof(bytes));
}

/* Digits of offset 12 that are not the same as before become x. */
static void merge_at12(struct tag_view *v, uint16_t type)
{
	static const char digits[] = "0123456789abcdef";
	unsigned int i;
	char c;

	for (i = 0; i < 4; i++) {
		c = digits[type >> (12 - 4 * i) & 15];
		if (!v->at12[i])
			v->at12[i] = c;
		else if (v->at12[i] != c)
			v->at12[i] = 'x';
	}
}

static void look(struct survey *s, const struct frame *f, const struct tag_meta *meta,
		 bool plain)
{
	size_t offset;
	bool sees = tag_engine_sees_ip(f, &offset);

	if (plain && meta->device < FIRST_DEVICES)
		merge_at12(&s->view, tag_be16(f->data + TAG_ADDRS));
	if (!sees) {
		s->hidden += plain;
		return;
	}
	s->unreal += f->len <= offset || f->data[offset] != IP_MARK;
	if (!plain)
		s->by_address++;
	else if (!s->seen++)
		s->view.example = *meta;
}

static void try_meta(struct survey *s, const struct tag_format *f, enum tag_dir dir,
		     uint16_t etype, bool vlan, struct tag_meta meta)
{
	static _Thread_local uint8_t storage[512];
	struct frame frame;
	size_t i;

	for (i = 0; i < N_SAMPLES; i++) {
		frame_init(&frame, storage, sizeof(storage));
		make_sample(samples[i], etype, vlan, &frame);
		tag_meta_vlan(f, dir, &meta, &frame);
		if (!tag_push(f, dir, &meta, &frame))
			look(s, &frame, &meta, i < N_PLAIN);
	}
}

struct tag_view tag_view(const struct tag_format *f, enum tag_dir dir, uint16_t etype,
			 bool vlan)
{
	unsigned int port, device, trap, devices = tag_has_device(f, dir) ? DEVICES : 1;
	uint32_t ports = tag_ports(f, dir);
	struct survey s = { 0 };

	for (port = 0; port < 32; port++) {
		if (ports ? !(ports >> port & 1) : port > 0)
			continue;
		for (device = 0; device < devices; device++)
			for (trap = 0; trap < 2; trap++)
				try_meta(&s, f, dir, etype, vlan, (struct tag_meta) {
					.ports = 1u << port, .device = device, .trap = trap,
				});
	}
	if (s.seen)
		s.view.sees = s.hidden ? TAG_SEES_BY_TAG : TAG_SEES_ALWAYS;
	else
		s.view.sees = s.by_address ? TAG_SEES_BY_ADDRESS : TAG_SEES_NEVER;
	s.view.real = s.view.sees != TAG_SEES_NEVER && !s.unreal;
	return s.view;
}
