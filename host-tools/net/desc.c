// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Builds the frames of a description (desc_parse.c reads it).
 *
 * A frame is first built as a template, with number 0 in its payload and 0 in
 * its layer-4 checksum, and the sums are kept.  Each frame is then a copy of
 * the template with its number written in and the checksum worked out from the
 * sums, in whichever way it shall be wrong; the tag goes in last.  Only when a
 * swept value changes, or the payload is random, is the template built anew.
 *
 * Left out: fragments of one datagram (a description can set the fragment
 * fields, but not cut a datagram up), TCP options, conversations.
 */
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>

#include "net/csum.h"
#include "net/desc_internal.h"

#define ETH_MIN		60
#define IP4_HEADER	20
#define IP6_HEADER	40
#define EXT_HEADER	8
#define VLAN_HEADER	4
#define PPPOE_HEADER	8
#define UDP_CSUM	6

/* --- small things -------------------------------------------------------- */

static void w16(uint8_t *p, uint32_t x)
{
	p[0] = x >> 8;
	p[1] = x;
}

static void w32(uint8_t *p, uint32_t x)
{
	w16(p, x >> 16);
	w16(p + 2, x);
}

/* splitmix64 (Steele, Lea, Flood 2014): any state is a good one. */
static uint64_t next_random(struct desc *d)
{
	uint64_t z = d->random += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

/* @n zero bytes more; desc_start() has seen to it that there is room. */
static uint8_t *add(struct frame *f, size_t n)
{
	uint8_t *p = f->data + f->len;

	memset(p, 0, n);
	f->len += n;
	return p;
}

static uint32_t told(const struct desc_lie *lie, uint32_t truth)
{
	if (!lie->given)
		return truth;
	return lie->relative ? truth + lie->value : lie->value;
}

/* --- lengths ------------------------------------------------------------- */

static bool has_fragment(const struct desc *d)
{
	return d->version == 6 && (d->mf || d->range[F_FRAGOFF].given);
}

static size_t ip_header_len(const struct desc *d)
{
	if (d->version == 4)
		return IP4_HEADER + ((d->options + 3) & ~3u);
	if (d->version == 6)
		return IP6_HEADER + EXT_HEADER * (d->exts + has_fragment(d));
	return 0;
}

size_t desc_header_len(const struct desc *d)
{
	return 14 + VLAN_HEADER * d->vlans + (d->pppoe ? PPPOE_HEADER : 0) +
	       ip_header_len(d) + d->proto->header;
}

static bool is_sctp(const struct desc *d)
{
	return d->proto->number == IPPROTO_SCTP;
}

/* A chunk of SCTP ends at a multiple of four; its padding is IP payload. */
static size_t chunk_padding(const struct desc *d, size_t payload)
{
	return is_sctp(d) ? -payload & 3 : 0;
}

static size_t payload_len(const struct desc *d)
{
	size_t len = d->now[F_LEN];

	if (d->range[F_FRAME].given) {
		len = d->now[F_FRAME] - desc_header_len(d);
		if (is_sctp(d))
			len &= ~(size_t)3;
	}
	return len;
}

/* --- layers -------------------------------------------------------------- */

static uint16_t inner_type(const struct desc *d)
{
	if (d->proto->number < 0)
		return d->now[F_ETHERTYPE];
	return d->version == 6 ? 0x86dd : 0x0800;
}

/* @behind: bytes after the PPPoE header. */
static void add_link(struct desc *d, struct frame *f, size_t behind)
{
	uint16_t type = d->pppoe ? 0x8864 : inner_type(d);
	uint8_t *p = add(f, 12);

	memcpy(p, d->dmac, 6);
	memcpy(p + 6, d->smac, 6);
	for (unsigned int i = 0; i < d->vlans; i++) {
		p = add(f, VLAN_HEADER);
		w16(p, d->tpid[i]);
		w16(p + 2, d->now[F_PCP + i] << 13 | d->now[F_DEI + i] << 12 |
			   d->now[F_VID + i]);
	}
	w16(add(f, 2), type);
	if (!d->pppoe)
		return;
	p = add(f, PPPOE_HEADER);
	p[0] = 0x11;
	w16(p + 2, d->now[F_PPPOE]);
	w16(p + 4, behind + 2);
	w16(p + 6, d->version == 6 ? 0x0057 : 0x0021);
}

static uint8_t ip_proto(const struct desc *d)
{
	return d->proto->number ? d->proto->number : d->now[F_PROTO];
}

/* The value of a 16-bit field for which @right would be right. */
static uint16_t bend(const struct desc_sum *how, uint16_t right, uint16_t pseudo,
		     uint16_t tail)
{
	uint16_t bad = right + 1;

	switch (how->kind) {
	case DESC_GOOD:
		return right;
	case DESC_BAD:		/* no kind of wrong that has a name */
		while (!bad || csum_same(bad, right) ||
		       csum_same(bad, pseudo) || csum_same(bad, tail))
			bad++;
		return bad;
	case DESC_ZERO:
		return 0;
	case DESC_PSEUDO:
		return pseudo;
	case DESC_TAIL:
		return tail;
	case DESC_OFF:
		return right + how->off;
	}
	return right;
}

static void add_ip4(struct desc *d, struct frame *f, size_t l4_len)
{
	size_t header = ip_header_len(d);
	uint8_t *p = add(f, header);
	uint16_t right;

	p[0] = 0x40 | header / 4;
	p[1] = d->now[F_TOS];
	w16(p + 2, told(&d->iplen, header + l4_len));
	w16(p + 4, d->now[F_IPID]);
	w16(p + 6, d->df << 14 | d->mf << 13 | d->now[F_FRAGOFF] / 8);
	p[8] = d->now[F_TTL];
	p[9] = ip_proto(d);
	memcpy(p + 12, d->src, 4);
	memcpy(p + 16, d->dst, 4);
	memcpy(p + IP4_HEADER, d->option, d->options);
	right = csum_finish(csum_partial(p, header, 0));
	w16(p + 10, bend(&d->ipcsum, right, right, right));
}

/* One extension header of eight bytes, which says that @next comes after it. */
static void add_ext(struct desc *d, struct frame *f, uint8_t type, uint8_t next)
{
	uint8_t *p = add(f, EXT_HEADER);

	p[0] = next;
	switch (type) {
	case IPPROTO_HOPOPTS:
	case IPPROTO_DSTOPTS:
		p[2] = 1;		/* PadN of six bytes */
		p[3] = 4;
		break;
	case IPPROTO_FRAGMENT:
		w16(p + 2, (d->now[F_FRAGOFF] & 0xfff8) | d->mf);
		w32(p + 4, d->now[F_IPID]);
		break;
	}
	/* routing: type 0, no segments left; AH: an empty one */
}

static void add_ip6(struct desc *d, struct frame *f, size_t l4_len)
{
	unsigned int n = d->exts;
	uint8_t chain[DESC_EXTS + 2];
	uint8_t *p = add(f, IP6_HEADER);

	memcpy(chain, d->ext, n);
	if (has_fragment(d))
		chain[n++] = IPPROTO_FRAGMENT;
	chain[n] = ip_proto(d);
	w32(p, 6u << 28 | d->now[F_TOS] << 20);
	w16(p + 4, told(&d->iplen, n * EXT_HEADER + l4_len));
	p[6] = chain[0];
	p[7] = d->now[F_TTL];
	memcpy(p + 8, d->src, 16);
	memcpy(p + 24, d->dst, 16);
	for (unsigned int i = 0; i < n; i++)
		add_ext(d, f, chain[i], chain[i + 1]);
}

static void add_ports(struct desc *d, uint8_t *p)
{
	w16(p, d->now[F_SPORT]);
	w16(p + 2, d->now[F_DPORT]);
}

static void add_l4(struct desc *d, struct frame *f, size_t payload)
{
	uint8_t *p = add(f, d->proto->header);

	if (d->proto->ports)
		add_ports(d, p);
	switch (d->proto->number) {
	case IPPROTO_UDP:
		w16(p + 4, told(&d->udplen, 8 + payload));
		break;
	case IPPROTO_UDPLITE:
		w16(p + 4, d->now[F_COVER]);
		break;
	case IPPROTO_TCP:
		w32(p + 4, d->now[F_SEQ]);
		w32(p + 8, d->now[F_ACK]);
		p[12] = 5 << 4;
		p[13] = d->tcp_flags;
		w16(p + 14, d->now[F_WIN]);
		break;
	case IPPROTO_ICMP:
	case IPPROTO_ICMPV6:
		p[0] = d->now[F_TYPE];
		p[1] = d->now[F_CODE];
		w16(p + 4, d->now[F_ID]);
		w16(p + 6, d->now[F_SEQ]);
		break;
	case IPPROTO_SCTP:
		p[13] = 3;			/* DATA, first and last piece */
		w16(p + 14, 16 + payload);
		w32(p + 16, d->now[F_SEQ]);	/* TSN */
		break;
	}
}

/* An ARP request of the description's addresses. */
static void add_arp(struct desc *d, struct frame *f)
{
	static const uint8_t start[8] = { 0, 1, 8, 0, 6, 4, 0, 1 };
	uint8_t *p = add(f, 28);

	memcpy(p, start, sizeof(start));
	memcpy(p + 8, d->smac, 6);
	memcpy(p + 14, d->src, 4);
	memcpy(p + 24, d->dst, 4);
}

static void add_payload(struct desc *d, struct frame *f, size_t len)
{
	static const uint8_t zeroth[DESC_STAMP] = DESC_MAGIC;	/* number 0 */
	struct desc_template *t = &d->template;
	uint8_t *p = add(f, len);

	if (d->payload == PAYLOAD_SEQ)
		for (size_t i = 0; i < len; i++)
			p[i] = i;
	else if (d->payload == PAYLOAD_RANDOM)
		for (size_t i = 0; i < len; i++)
			p[i] = next_random(d);
	t->stamp = 0;
	if (len < DESC_STAMP)
		return;
	memcpy(p, zeroth, DESC_STAMP);
	t->stamp = p + 4 - f->data;
}

/* Bytes behind the datagram, none of them zero; then zeros to full size. */
static void add_trail(struct desc *d, struct frame *f)
{
	uint8_t *p = add(f, d->now[F_TRAIL]);

	for (int64_t i = 0; i < d->now[F_TRAIL]; i++)
		p[i] = 0x80 | i;
	if (d->range[F_FRAME].given && f->len < (size_t)d->now[F_FRAME])
		add(f, d->now[F_FRAME] - f->len);
	if (!d->runt && f->len < ETH_MIN)
		add(f, ETH_MIN - f->len);
}

/* --- the template -------------------------------------------------------- */

/* Sums what the checksum at .field covers: @len bytes from @l4 on. */
static void sum_template(struct desc *d, size_t l4, size_t len)
{
	struct desc_template *t = &d->template;
	const struct frame *f = &t->frame;
	size_t covered = len;

	t->field = l4 + d->proto->csum;
	if (is_sctp(d))
		return;
	if (d->proto->number == IPPROTO_UDPLITE && d->now[F_COVER] &&
	    (size_t)d->now[F_COVER] < len)
		covered = d->now[F_COVER];
	t->covered = covered;
	t->partial = t->stamp && l4 + covered < t->stamp + 4;
	t->pseudo = 0;
	if (d->proto->pseudo)
		t->pseudo = csum_pseudo(d->src, d->dst, d->version == 4 ? 4 : 16,
					d->proto->number, len);
	t->sum = csum_partial(f->data + l4, covered, t->pseudo);
	t->tail = csum_partial(f->data + l4, f->len - l4, t->pseudo);
}

static void build(struct desc *d)
{
	struct desc_template *t = &d->template;
	struct frame *f = &t->frame;
	size_t payload = payload_len(d), l4, l4_len;

	frame_init(f, d->storage, FRAME_STORAGE);
	l4_len = d->proto->header + payload + chunk_padding(d, payload);
	add_link(d, f, ip_header_len(d) + l4_len);
	if (d->version == 4)
		add_ip4(d, f, l4_len);
	else if (d->version == 6)
		add_ip6(d, f, l4_len);
	l4 = f->len;
	if (d->proto->number < 0 && d->proto->header)
		add_arp(d, f);
	else
		add_l4(d, f, payload);
	add_payload(d, f, payload);
	add(f, chunk_padding(d, payload));
	add_trail(d, f);
	t->field = 0;
	t->partial = false;
	if (d->proto->csum >= 0)
		sum_template(d, l4, l4_len);
	d->fresh = d->payload != PAYLOAD_RANDOM;
}

/* --- each frame ---------------------------------------------------------- */

static uint16_t csum16(const struct desc *d, uint64_t sum, uint64_t tail)
{
	const struct desc_template *t = &d->template;
	uint16_t right = csum_finish(sum);

	if (!right && d->proto->csum == UDP_CSUM)
		right = 0xffff;		/* UDP: zero means absent */
	return bend(&d->csum, right, csum_fold(t->pseudo), csum_finish(tail));
}

static uint32_t sctp_value(const uint8_t *p, size_t len)
{
	return __builtin_bswap32(~crc32c(~0u, p, len));
}

/* The CRC of the @len bytes at @p; its field is zero. */
static uint32_t csum32(const struct desc *d, const uint8_t *p, size_t len,
		       size_t trail)
{
	uint32_t right = sctp_value(p, len);

	switch (d->csum.kind) {
	case DESC_GOOD:
	case DESC_PSEUDO:	/* the parser refuses it */
		return right;
	case DESC_BAD:
		return right == ~0u ? 1 : right + 1;
	case DESC_ZERO:
		return 0;
	case DESC_TAIL:
		return sctp_value(p, len + trail);
	case DESC_OFF:
		return right + d->csum.off;
	}
	return right;
}

/* Bytes of the frame behind the datagram. */
static size_t behind(const struct desc *d, const struct frame *f, size_t l4)
{
	size_t payload = payload_len(d);

	return f->len - l4 - d->proto->header - payload - chunk_padding(d, payload);
}

/*
 * UDP-Lite may cover only a part of the number, or nothing of it: then it goes
 * into the template, which is summed again.
 */
static void sum_numbered(struct desc *d, uint32_t number)
{
	struct desc_template *t = &d->template;
	size_t l4 = t->field - d->proto->csum;

	w32(t->frame.data + t->stamp, number);
	t->sum = csum_partial(t->frame.data + l4, t->covered, t->pseudo);
	t->tail = csum_partial(t->frame.data + l4, t->frame.len - l4, t->pseudo);
}

static void stamp_sctp(struct desc *d, struct frame *f)
{
	size_t l4 = d->template.field - d->proto->csum;
	size_t trail = behind(d, f, l4);

	w32(f->data + d->template.field,
	    csum32(d, f->data + l4, f->len - l4 - trail, trail));
}

/* Writes the frame's number, and a checksum that fits it or shall not. */
static void stamp(struct desc *d, struct frame *f, uint32_t number)
{
	const struct desc_template *t = &d->template;
	uint64_t more = 0;

	if (t->stamp) {
		uint32_t raw = htonl(number);

		memcpy(f->data + t->stamp, &raw, 4);
		more = t->partial ? 0 : raw;
	}
	if (t->field && is_sctp(d))
		stamp_sctp(d, f);
	else if (t->field)
		w16(f->data + t->field, csum16(d, csum_add(t->sum, more),
					       csum_add(t->tail, more)));
}

static void set_bits(uint8_t *p, const struct desc_poke *poke, unsigned int base)
{
	for (unsigned int i = 0; i < poke->width; i++) {
		unsigned int bit = poke->off - base + i;
		uint8_t mask = 0x80 >> bit % 8;

		if (poke->value >> (poke->width - 1 - i) & 1)
			p[bit / 8] |= mask;
		else
			p[bit / 8] &= ~mask;
	}
}

/* What "tagfield" and "tagraw" ask for, over the tag that is in the frame. */
static void overwrite_tag(const struct desc *d, struct frame *f)
{
	uint8_t *head = f->data + (d->tag_first ? 0 : 12);
	uint8_t *tail = f->data + f->len - d->tag_tail;

	for (unsigned int i = 0; i < d->raws; i++)
		*(i < d->tag_head ? head + i : tail + i - d->tag_head) = d->raw[i];
	for (unsigned int i = 0; i < d->pokes; i++) {
		bool first = d->poke[i].off < d->tag_head * 8;

		set_bits(first ? head : tail, &d->poke[i],
			 first ? 0 : d->tag_head * 8);
	}
}

static int add_tag(struct desc *d, struct frame *f)
{
	struct tag_meta meta = {
		.ports = d->range[F_PORTS].given ? d->now[F_PORTS] :
						   1u << d->now[F_PORT],
		.pcp = d->now[F_PRIO],
		.device = d->now[F_DEVICE],
		.bridge = d->now[F_BRIDGE],
		.forward = d->forward,
		.trap = d->trap,
	};
	int err;

	tag_meta_vlan(d->tag, d->dir, &meta, f);
	err = tag_push(d->tag, d->dir, &meta, f);
	if (err) {
		snprintf(d->why, sizeof(d->why), err == -ERANGE ?
			 "tag %s: port %lld, device %lld, prio %lld: a field of the tag cannot hold its value" :
			 "tag %s: port %lld, device %lld, prio %lld: the tag does not fit in the frame",
			 tag_name(d->tag), (long long)d->now[F_PORT],
			 (long long)d->now[F_DEVICE], (long long)d->now[F_PRIO]);
		return err;
	}
	overwrite_tag(d, f);
	return 0;
}

static void truncate_frame(const struct desc *d, struct frame *f)
{
	int64_t len = d->truncate.value;

	if (!d->truncate.given)
		return;
	if (d->truncate.relative)
		len += f->len;
	if (len < 1)
		len = 1;	/* a frame of nothing is none */
	if ((size_t)len < f->len)
		f->len = len;
}

/* A value of the tag's, which is not in the template. */
static bool is_tags(unsigned int field)
{
	return field == F_PORT || field == F_PORTS || field == F_DEVICE ||
	       field == F_PRIO || field == F_BRIDGE;
}

/* The swept values of frame @n: the sweep that was named last runs fastest. */
static void advance(struct desc *d, uint64_t n)
{
	for (unsigned int i = d->sweeps; i--;) {
		const struct desc_range *r = &d->range[d->sweep[i]];
		uint64_t steps = (r->hi - r->lo) / r->step + 1;
		uint64_t at = n % steps;

		if (r->random)
			at = next_random(d) % steps;
		else
			n /= steps;
		d->now[d->sweep[i]] = r->lo + at * r->step;
		if (!is_tags(d->sweep[i]))
			d->fresh = false;
	}
}

int desc_next(struct desc *d, struct frame *f)
{
	const struct desc_template *t = &d->template;
	int err = 0;

	if (d->done == d->count)
		return 0;
	advance(d, d->done);
	if (!d->fresh)
		build(d);
	if (t->partial)
		sum_numbered(d, d->first + d->done);
	if (frame_set(f, t->frame.data, t->frame.len)) {
		snprintf(d->why, sizeof(d->why),
			 "expected room for a frame of %zu bytes, found %td",
			 t->frame.len, f->end - f->data);
		return -ENOBUFS;
	}
	stamp(d, f, d->first + d->done);
	if (d->tag)
		err = add_tag(d, f);
	if (err)
		return err;
	truncate_frame(d, f);
	d->done++;
	return 1;
}

int desc_start(struct desc *d)
{
	uint64_t total = 1;

	d->storage = malloc(FRAME_STORAGE);
	if (!d->storage)
		return -ENOMEM;
	d->random = d->seed;
	for (unsigned int i = 0; i < F_COUNT; i++)
		d->now[i] = d->range[i].lo;
	for (unsigned int i = 0; i < d->sweeps; i++) {
		const struct desc_range *r = &d->range[d->sweep[i]];

		if (!r->random &&
		    __builtin_mul_overflow(total, (r->hi - r->lo) / r->step + 1, &total))
			total = UINT64_MAX;
	}
	if (!d->count)
		d->count = total;
	return 0;
}

/* --- what others call ---------------------------------------------------- */

void desc_default_macs(struct desc *d, const uint8_t dst[6], const uint8_t src[6])
{
	if (!d->dmac_given)
		memcpy(d->dmac, dst, 6);
	if (!d->smac_given)
		memcpy(d->smac, src, 6);
	d->fresh = false;
}

const char *desc_why(const struct desc *d)
{
	return d->why;
}

uint64_t desc_total(const struct desc *d)
{
	return d->count;
}

const struct tag_format *desc_tag(const struct desc *d, enum tag_dir *dir)
{
	*dir = d->dir;
	return d->tag;
}

void desc_free(struct desc *d)
{
	if (!d)
		return;
	free(d->storage);
	free(d);
}

bool desc_stamp(const uint8_t *payload, size_t len, uint32_t *number)
{
	if (len < DESC_STAMP || memcmp(payload, DESC_MAGIC, 4) != 0)
		return false;
	*number = (uint32_t)payload[4] << 24 | payload[5] << 16 |
		  payload[6] << 8 | payload[7];
	return true;
}
