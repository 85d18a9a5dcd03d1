// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Judges the checksums of one untagged Ethernet frame.
 *
 * One pass: link headers (802.1Q and 802.1ad in any nesting, LLC/SNAP, PPPoE
 * session), IPv4 with options or IPv6 with extension headers, then layer 4 by
 * a table: where the field is, whether a pseudo header counts, and a function
 * for the two that say themselves how many bytes they cover.  What cannot be
 * checked says why and is not an error of the frame.
 *
 * The pseudo header has the final destination: the last address of a source
 * route that is not used up (RFC 791, RFC 1122 3.2.1.8), or that of an IPv6
 * routing header of type 0, 2, 3 or 4 with segments left (RFC 8200 8.1).
 *
 * Left out: datagrams inside datagrams (IP in IP, GRE, VXLAN) are not opened;
 * the home address option of Mobile IPv6 does not replace the source; PPP's
 * one-byte protocol field; jumbograms; MPLS.  Fragments are not reassembled.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "net/csum.h"
#include "net/judge.h"

#define TYPE_IP4	0x0800
#define TYPE_VLAN	0x8100
#define TYPE_IP6	0x86dd
#define TYPE_PPPOE	0x8864		/* session stage, RFC 2516 */
#define TYPE_QINQ	0x88a8
#define TYPE_QINQ_OLD	0x9100
#define TYPE_MIN	0x0600		/* below, the field is a length */

#define PPP_IP4		0x0021
#define PPP_IP6		0x0057

#define ETH_LEN		14
#define IP4_LEN		20
#define IP6_LEN		40

#define IP4_MORE	0x2000
#define IP4_OFFSET	0x1fff
#define IP4_LSRR	131
#define IP4_SSRR	137

/* The frame, and how far it has been read. */
struct scan {
	const uint8_t *data;
	size_t len;		/* the frame's */
	size_t wire_len;	/* with a tail tag that was cut off */
	size_t off;		/* next header */
	size_t end;		/* of the IP datagram, may be beyond .len */
	uint8_t next;		/* IP protocol at .off */
	uint8_t addr_len;
	bool later_fragment;	/* no layer-4 header here */
	const char *reason;	/* layer 4 cannot be checked */
	uint8_t final[16];	/* destination of the pseudo header */
};

static inline uint16_t be16(const uint8_t *p)
{
	return p[0] << 8 | p[1];
}

static inline uint32_t be32(const uint8_t *p)
{
	return (uint32_t)be16(p) << 16 | be16(p + 2);
}

/* Are there @n bytes at @off inside the frame? */
static inline bool has(const struct scan *s, size_t off, size_t n)
{
	return off <= s->len && s->len - off >= n;
}

static void not_checkable(struct csum_verdict *c, const char *reason)
{
	c->state = CSUM_NOT_CHECKABLE;
	c->reason = reason;
}

/* --- link layer ---------------------------------------------------------- */

static bool is_vlan(uint16_t type)
{
	return type == TYPE_VLAN || type == TYPE_QINQ || type == TYPE_QINQ_OLD;
}

/* Reads VLAN headers; .off ends behind the EtherType that is no VLAN's. */
static void scan_vlans(struct scan *s, struct verdict *v)
{
	while (is_vlan(v->ethertype) && v->vlans < JUDGE_VLANS &&
	       has(s, s->off, 4)) {
		v->vlan[v->vlans].tpid = v->ethertype;
		v->vlan[v->vlans++].tci = be16(s->data + s->off);
		v->ethertype = be16(s->data + s->off + 2);
		s->off += 4;
	}
}

static void scan_pppoe(struct scan *s, struct verdict *v)
{
	const uint8_t *p = s->data + s->off;
	uint16_t ppp;

	if (!has(s, s->off, 8) || p[0] != 0x11 || p[1])
		return;
	v->pppoe = true;
	v->pppoe_session = be16(p + 2);
	ppp = be16(p + 6);
	if (ppp == PPP_IP4)
		v->ethertype = TYPE_IP4;
	else if (ppp == PPP_IP6)
		v->ethertype = TYPE_IP6;
	s->off += 8;
}

static void scan_link(struct scan *s, struct verdict *v)
{
	static const uint8_t snap[6] = { 0xaa, 0xaa, 0x03, 0, 0, 0 };

	v->ethertype = be16(s->data + 12);
	s->off = ETH_LEN;
	scan_vlans(s, v);
	if (v->ethertype < TYPE_MIN) {
		v->ethertype = 0;
		if (has(s, s->off, 8) && !memcmp(s->data + s->off, snap, 6)) {
			v->ethertype = be16(s->data + s->off + 6);
			s->off += 8;
		}
	} else if (v->ethertype == TYPE_PPPOE) {
		scan_pppoe(s, v);
	}
}

/* --- one 16-bit checksum ------------------------------------------------- */

/* What a field covers: [@start, @start + @len) of the frame, and @pseudo. */
struct covered {
	size_t start, len;
	uint64_t pseudo;
};

/*
 * Sets state, expected, found, and the kind of wrong as far as the field shows
 * it.  The sum of everything with the field is all ones if it is right; else
 * it is taken again without the field, because a difference could not tell a
 * sum of zero from one of all ones.
 */
static void verify16(struct csum_verdict *c, const uint8_t *data, size_t field,
		     const struct covered *w)
{
	size_t behind = field + 2;
	uint64_t sum = csum_partial(data + w->start, w->len, w->pseudo);

	c->offset = field;
	c->found = c->expected = be16(data + field);
	c->state = CSUM_RIGHT;
	if (csum_fold(sum) == 0xffff)
		return;
	sum = csum_partial(data + w->start, field - w->start, w->pseudo);
	sum = csum_partial(data + behind, w->start + w->len - behind, sum);
	c->expected = csum_finish(sum);
	c->state = CSUM_WRONG;
	c->kind = c->found ? CSUM_OFF : CSUM_ZERO;
}

/* --- IPv4 ---------------------------------------------------------------- */

/* A source route with hops left: its last address is the destination. */
static void ip4_source_route(struct scan *s, const uint8_t *opt, size_t len)
{
	size_t i = 0;

	while (i < len && opt[i]) {
		size_t n;

		if (opt[i] == 1) {
			i++;
			continue;
		}
		if (len - i < 3 || opt[i + 1] < 2 || opt[i + 1] > len - i)
			return;
		n = opt[i + 1];
		if ((opt[i] == IP4_LSRR || opt[i] == IP4_SSRR) &&
		    n >= 7 && opt[i + 2] <= n - 3)
			memcpy(s->final, opt + i + n - 4, 4);
		i += n;
	}
}

static void ip4_fragment(struct scan *s, struct verdict *v, uint16_t field)
{
	v->fragment = field & (IP4_MORE | IP4_OFFSET);
	v->fragment_offset = (field & IP4_OFFSET) * 8;
	if (!v->fragment)
		return;
	s->reason = v->fragment_offset ? "fragment" : "first fragment";
	s->later_fragment = v->fragment_offset;
}

/* Reads the header; false when layer 4 cannot even be found. */
static bool scan_ip4(struct scan *s, struct verdict *v)
{
	const uint8_t *ip = s->data + s->off;
	size_t header;

	if (!has(s, s->off, IP4_LEN)) {
		not_checkable(&v->ip, "frame ends in the IPv4 header");
		return false;
	}
	header = (ip[0] & 15) * 4;
	if (ip[0] >> 4 != 4 || header < IP4_LEN) {
		not_checkable(&v->ip, "version or header length is not IPv4's");
		return false;
	}
	v->ip_version = 4;
	v->ip_len = be16(ip + 2);
	memcpy(v->src, ip + 12, 4);
	memcpy(v->dst, ip + 16, 4);
	memcpy(s->final, ip + 16, 4);
	if (!has(s, s->off, header)) {
		not_checkable(&v->ip, "frame ends in the IPv4 options");
		return false;
	}
	verify16(&v->ip, s->data, s->off + 10,
		 &(struct covered){ s->off, header, 0 });
	if (header > IP4_LEN)
		ip4_source_route(s, ip + IP4_LEN, header - IP4_LEN);
	ip4_fragment(s, v, be16(ip + 6));
	if (v->ip_len < header)
		s->reason = "IPv4 total length is less than its header";
	s->addr_len = 4;
	s->next = ip[9];
	s->end = s->off + v->ip_len;
	s->off += header;
	return true;
}

/* --- IPv6 ---------------------------------------------------------------- */

/* Copies the last address of RFC 6554's compressed list. */
static bool rpl_final(struct scan *s, const uint8_t *h, size_t len)
{
	unsigned int kept = 16 - (h[4] & 15), pad = h[5] >> 4;

	if (len < 8 + kept + pad)
		return false;
	memcpy(s->final + 16 - kept, h + len - pad - kept, kept);
	return true;
}

/* A routing header of @len bytes: where does the datagram end up? */
static void ip6_routing(struct scan *s, const uint8_t *h, size_t len)
{
	bool known = len >= 24;

	if (!h[3])
		return;			/* no segments left: it is there */
	if (h[2] == 0 && known)
		memcpy(s->final, h + len - (len - 8) % 16 - 16, 16);
	else if ((h[2] == 2 || h[2] == 4) && known)
		memcpy(s->final, h + 8, 16);
	else if (h[2] == 3)
		known = rpl_final(s, h, len);
	else
		known = false;
	if (!known)
		s->reason = "final destination unknown: routing header";
}

static void ip6_fragment(struct scan *s, struct verdict *v, const uint8_t *h)
{
	uint16_t field = be16(h + 2);

	v->fragment = field & 0xfff9;	/* offset or more; alone it is "atomic" */
	v->fragment_offset = field & 0xfff8;
	if (!v->fragment)
		return;
	s->reason = v->fragment_offset ? "fragment" : "first fragment";
	s->later_fragment = v->fragment_offset;
}

static bool is_extension(const struct verdict *v, uint8_t next)
{
	if (next == IPPROTO_AH)
		return true;
	return v->ip_version == 6 &&
	       (next == IPPROTO_HOPOPTS || next == IPPROTO_ROUTING ||
		next == IPPROTO_FRAGMENT || next == IPPROTO_DSTOPTS);
}

/* Walks to the last header; false when the frame ends before it. */
static bool scan_extensions(struct scan *s, struct verdict *v)
{
	while (is_extension(v, s->next) && !s->later_fragment) {
		const uint8_t *h = s->data + s->off;
		size_t len;

		if (!has(s, s->off, 8))
			return false;
		len = h[1] * 8u + 8;
		if (s->next == IPPROTO_AH)
			len = h[1] * 4u + 8;
		else if (s->next == IPPROTO_FRAGMENT)
			len = 8;
		if (!has(s, s->off, len))
			return false;
		if (s->next == IPPROTO_ROUTING)
			ip6_routing(s, h, len);
		else if (s->next == IPPROTO_FRAGMENT)
			ip6_fragment(s, v, h);
		s->next = h[0];
		s->off += len;
	}
	return true;
}

static bool scan_ip6(struct scan *s, struct verdict *v)
{
	const uint8_t *ip = s->data + s->off;

	if (!has(s, s->off, IP6_LEN) || ip[0] >> 4 != 6) {
		not_checkable(&v->l4, has(s, s->off, IP6_LEN) ?
			      "version is not IPv6's" :
			      "frame ends in the IPv6 header");
		return false;
	}
	v->ip_version = 6;
	v->ip_len = be16(ip + 4) + IP6_LEN;
	memcpy(v->src, ip + 8, 16);
	memcpy(v->dst, ip + 24, 16);
	memcpy(s->final, ip + 24, 16);
	s->addr_len = 16;
	s->next = ip[6];
	if (!be16(ip + 4) && s->next == IPPROTO_HOPOPTS)
		s->reason = "jumbogram";
	s->end = s->off + v->ip_len;
	s->off += IP6_LEN;
	return true;
}

/* --- layer 4 ------------------------------------------------------------- */

/* How much of layer 4 is summed, and the length in its pseudo header. */
struct cover {
	size_t bytes;
	size_t pseudo_len;
	size_t header;
};

struct l4 {
	const char *name;
	uint8_t proto;
	uint8_t header;		/* shortest */
	uint8_t payload;	/* where it usually begins */
	uint8_t field;		/* where the checksum is */
	bool pseudo;
	bool ports;
	const char *(*cover)(const struct verdict *v, const uint8_t *p,
			     size_t len, struct cover *c);
};

static const char *cover_tcp(const struct verdict *v, const uint8_t *p,
			     size_t len, struct cover *c)
{
	(void)v;
	c->header = (p[12] >> 4) * 4;
	if (c->header < 20 || c->header > len)
		return "TCP data offset is out of range";
	return NULL;
}

static const char *cover_udp(const struct verdict *v, const uint8_t *p,
			     size_t len, struct cover *c)
{
	size_t own = be16(p + 4);

	if (!own && v->ip_version == 6)
		own = len;
	if (own < 8)
		return "UDP length is less than its header";
	if (own > len)
		return "UDP length is beyond the IP datagram";
	c->bytes = c->pseudo_len = own;
	return NULL;
}

static const char *cover_udplite(const struct verdict *v, const uint8_t *p,
				 size_t len, struct cover *c)
{
	size_t own = be16(p + 4);

	(void)v;
	if (own && own < 8)
		return "UDP-Lite coverage is less than its header";
	if (own > len)
		return "UDP-Lite coverage is beyond the IP datagram";
	if (own)
		c->bytes = own;		/* the pseudo header has all of it */
	return NULL;
}

static const struct l4 l4_table[] = {
	{ "tcp", IPPROTO_TCP, 20, 20, 16, true, true, cover_tcp },
	{ "udp", IPPROTO_UDP, 8, 8, 6, true, true, cover_udp },
	{ "icmp6", IPPROTO_ICMPV6, 4, 8, 2, true, false, NULL },
	{ "icmp", IPPROTO_ICMP, 4, 8, 2, false, false, NULL },
	{ "sctp", IPPROTO_SCTP, 12, 12, 8, false, true, NULL },
	{ "udplite", IPPROTO_UDPLITE, 8, 8, 6, true, true, cover_udplite },
	{ "igmp", IPPROTO_IGMP, 8, 8, 2, false, false, NULL },
};

static const struct l4 *l4_find(uint8_t proto)
{
	for (size_t i = 0; i < sizeof(l4_table) / sizeof(l4_table[0]); i++)
		if (l4_table[i].proto == proto)
			return &l4_table[i];
	return NULL;
}

/* Would the checksum be right if everything up to @end were part of it? */
static bool tail_counts(const struct scan *s, const struct covered *w,
			size_t end)
{
	if (w->start + w->len >= end)
		return false;
	return csum_fold(csum_partial(s->data + w->start, end - w->start,
				      w->pseudo)) == 0xffff;
}

/*
 * A UDP field of zero says that nobody computed it: allowed over IPv4 only
 * (RFC 768, RFC 8200 8.1), and never for UDP-Lite (RFC 3828 3.1).  A sum that
 * comes out as zero is therefore sent as all ones.
 */
static void udp_zero_rule(struct csum_verdict *c, bool may_be_absent)
{
	if (!c->found) {
		c->state = may_be_absent ? CSUM_ABSENT : CSUM_WRONG;
		c->kind = may_be_absent ? CSUM_KIND_NONE : CSUM_ZERO;
	}
	if (!c->expected)
		c->expected = 0xffff;
}

static void judge16(const struct scan *s, const struct l4 *t,
		    const struct cover *cover, struct verdict *v)
{
	struct covered w = { s->off, cover->bytes, 0 };
	struct csum_verdict *c = &v->l4;

	if (t->pseudo)
		w.pseudo = csum_pseudo(v->src, s->final, s->addr_len, t->proto,
				       cover->pseudo_len);
	verify16(c, s->data, s->off + t->field, &w);
	c->pseudo = t->pseudo && csum_same(c->found, csum_fold(w.pseudo));
	if (t->proto == IPPROTO_UDP)
		udp_zero_rule(c, v->ip_version == 4);
	else if (t->proto == IPPROTO_UDPLITE)
		udp_zero_rule(c, false);
	if (c->kind != CSUM_OFF)
		return;
	if (c->pseudo)
		c->kind = CSUM_PSEUDO_ONLY;
	else if (tail_counts(s, &w, s->len) || tail_counts(s, &w, s->wire_len))
		c->kind = CSUM_TAIL_SUMMED;
}

static uint32_t sctp_crc(const uint8_t *p, size_t len)
{
	static const uint8_t zero[4];
	uint32_t crc = crc32c(~0u, p, 8);

	crc = crc32c(crc, zero, 4);
	crc = crc32c(crc, p + 12, len - 12);
	return __builtin_bswap32(~crc);
}

static void judge_sctp(const struct scan *s, const struct cover *cover,
		       struct verdict *v)
{
	const uint8_t *p = s->data + s->off;
	struct csum_verdict *c = &v->l4;

	c->offset = s->off + 8;
	c->found = be32(p + 8);
	c->expected = sctp_crc(p, cover->bytes);
	c->state = c->found == c->expected ? CSUM_RIGHT : CSUM_WRONG;
	if (c->state == CSUM_RIGHT)
		return;
	c->kind = CSUM_OFF;
	if (!c->found)
		c->kind = CSUM_ZERO;
	else if (s->off + cover->bytes < s->wire_len &&
		 (c->found == sctp_crc(p, s->len - s->off) ||
		  c->found == sctp_crc(p, s->wire_len - s->off)))
		c->kind = CSUM_TAIL_SUMMED;
}

/* Are there @n bytes of layer 4, both in the datagram and in the frame? */
static bool has_l4(const struct scan *s, size_t n)
{
	return has(s, s->off, n) && s->end >= s->off + n;
}

/* The fields that a frame shows even if its checksum cannot be checked. */
static void l4_fields(const struct scan *s, const struct l4 *t,
		      struct verdict *v)
{
	const uint8_t *p = s->data + s->off;

	if (t->ports && has_l4(s, 4)) {
		v->ports = true;
		v->sport = be16(p);
		v->dport = be16(p + 2);
	}
	if (t->proto == IPPROTO_TCP && has_l4(s, 14))
		v->tcp_flags = p[13];
	if ((t->proto == IPPROTO_ICMP || t->proto == IPPROTO_ICMPV6) &&
	    has_l4(s, 2)) {
		v->icmp_type = p[0];
		v->icmp_code = p[1];
	}
}

/* Layer-4 payload, clipped to what the frame holds. */
static void l4_payload(const struct scan *s, const struct cover *c, size_t len,
		       struct verdict *v)
{
	size_t start = s->off + c->header, end = s->off + len;

	v->payload_offset = start < s->len ? start : s->len;
	if (end > s->len)
		end = s->len;
	if (end > v->payload_offset)
		v->payload_len = end - v->payload_offset;
}

/* Why layer 4 of type @t cannot be checked, or NULL and @c. */
static const char *l4_cover(const struct scan *s, const struct l4 *t,
			    const struct verdict *v, struct cover *c)
{
	size_t len = s->end > s->off ? s->end - s->off : 0;
	const char *why;

	*c = (struct cover){ len, len, t->payload };
	if (s->reason)
		return s->reason;
	if (len < t->header)
		return "IP datagram ends in the layer-4 header";
	if (!has(s, s->off, t->header))
		return "frame ends in the layer-4 header";
	why = t->cover ? t->cover(v, s->data + s->off, len, c) : NULL;
	if (why)
		return why;
	return has(s, s->off, len) ? NULL : "frame ends in the IP datagram";
}

static const char *no_l4_reason(uint8_t proto)
{
	if (proto == IPPROTO_ESP)
		return "encrypted (ESP)";
	return "layer-4 protocol has no checksum that is known here";
}

static void judge_l4(struct scan *s, struct verdict *v)
{
	const struct l4 *t = l4_find(s->next);
	struct cover c;
	const char *why;

	if (!t && s->next == IPPROTO_NONE)
		return;
	v->proto = s->next;
	if (s->later_fragment || !t) {
		not_checkable(&v->l4, s->reason ? s->reason : no_l4_reason(s->next));
		return;
	}
	v->l4_offset = s->off;
	l4_fields(s, t, v);
	why = l4_cover(s, t, v, &c);
	l4_payload(s, &c, t->proto == IPPROTO_UDP && !why ? c.bytes :
		   s->end > s->off ? s->end - s->off : 0, v);
	if (why)
		not_checkable(&v->l4, why);
	else if (t->proto == IPPROTO_SCTP)
		judge_sctp(s, &c, v);
	else
		judge16(s, t, &c, v);
}

/* --- the whole frame ----------------------------------------------------- */

/*
 * The size is hidden from the compiler, which would make a "rep stos" of it:
 * slower than the rest of a verdict on a small frame.
 */
static void clear(struct verdict *v)
{
	size_t size = sizeof(*v);

	__asm__("" : "+r"(size));
	memset(v, 0, size);
}

int judge_frame_wire(const uint8_t *data, size_t len, size_t wire_len,
		     struct verdict *v)
{
	struct scan s = { .data = data, .len = len, .wire_len = wire_len };
	bool found;

	clear(v);
	if (len < ETH_LEN)
		return -EMSGSIZE;
	scan_link(&s, v);
	if (v->ethertype != TYPE_IP4 && v->ethertype != TYPE_IP6)
		return 0;
	v->l3_offset = s.off;
	found = v->ethertype == TYPE_IP4 ? scan_ip4(&s, v) : scan_ip6(&s, v);
	if (!found)
		return 0;
	if (s.end < len)
		v->padding = len - s.end;
	if (scan_extensions(&s, v))
		judge_l4(&s, v);
	else
		not_checkable(&v->l4, "frame ends in an extension header");
	return v->ip.state == CSUM_WRONG || v->l4.state == CSUM_WRONG;
}

int judge_frame(const uint8_t *data, size_t len, struct verdict *v)
{
	return judge_frame_wire(data, len, len, v);
}

static int mend16(uint8_t *data, const struct csum_verdict *c)
{
	if (c->state != CSUM_WRONG && c->state != CSUM_ABSENT)
		return 0;
	data[c->offset] = c->expected >> 8;
	data[c->offset + 1] = c->expected;
	return 1;
}

int judge_mend(uint8_t *data, size_t len)
{
	struct verdict v;
	int fields, err = judge_frame(data, len, &v);

	if (err < 0)
		return err;
	fields = mend16(data, &v.ip);
	if (v.proto != IPPROTO_SCTP)
		return fields + mend16(data, &v.l4);
	if (v.l4.state != CSUM_WRONG)
		return fields;
	for (int i = 0; i < 4; i++)
		data[v.l4.offset + i] = v.l4.expected >> (24 - 8 * i);
	return fields + 1;
}

/* --- words --------------------------------------------------------------- */

const char *csum_state_name(enum csum_state state)
{
	switch (state) {
	case CSUM_NONE:
		return "none";
	case CSUM_RIGHT:
		return "right";
	case CSUM_WRONG:
		return "wrong";
	case CSUM_ABSENT:
		return "absent";
	case CSUM_NOT_CHECKABLE:
		return "not-checkable";
	}
	return NULL;
}

const char *csum_kind_name(enum csum_kind kind)
{
	switch (kind) {
	case CSUM_KIND_NONE:
		return "none";
	case CSUM_PSEUDO_ONLY:
		return "pseudo-only";
	case CSUM_ZERO:
		return "zero";
	case CSUM_TAIL_SUMMED:
		return "tail-summed";
	case CSUM_OFF:
		return "off";
	}
	return NULL;
}

const char *judge_proto_name(uint8_t proto)
{
	const struct l4 *t = l4_find(proto);

	return t ? t->name : NULL;
}

/* Text that stops growing when the buffer is full. */
struct text {
	char *buf;
	size_t size, len;
};

static __attribute__((format(printf, 2, 3)))
void add(struct text *t, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(t->buf + t->len, t->size - t->len, fmt, ap);
	va_end(ap);
	if (n > 0)
		t->len += n;
	if (t->len >= t->size)
		t->len = t->size - 1;
}

static void add_address(struct text *t, const struct verdict *v,
			const uint8_t *addr, uint16_t port)
{
	char name[INET6_ADDRSTRLEN];
	bool six = v->ip_version == 6;

	inet_ntop(six ? AF_INET6 : AF_INET, addr, name, sizeof(name));
	if (!v->ports)
		add(t, "%s", name);
	else
		add(t, six ? "[%s]:%u" : "%s:%u", name, port);
}

char *judge_text(const struct verdict *v, char *buf, size_t size)
{
	struct text t = { buf, size, 0 };
	const char *proto = judge_proto_name(v->proto);

	for (int i = 0; i < v->vlans; i++)
		add(&t, "%s %u ", v->vlan[i].tpid == TYPE_VLAN ? "vlan" : "qinq",
		    v->vlan[i].tci & 0xfff);
	if (v->pppoe)
		add(&t, "pppoe %u ", v->pppoe_session);
	if (!v->ip_version) {
		add(&t, "eth 0x%04x", v->ethertype);
		return buf;
	}
	if (proto)
		add(&t, "%s ", proto);
	else
		add(&t, "ip proto %u ", v->proto);
	add_address(&t, v, v->src, v->sport);
	add(&t, " > ");
	add_address(&t, v, v->dst, v->dport);
	if (v->fragment)
		add(&t, " frag %u", v->fragment_offset);
	add(&t, " len %u", v->payload_len);
	return buf;
}
