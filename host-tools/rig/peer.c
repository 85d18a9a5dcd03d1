// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The echo peer: see peer.h.
 *
 * It keeps no state at all.  A reply is the request with its addresses turned
 * round and a few fields changed, and judge_mend() fills in the checksums; so
 * it never minds a wrong checksum of the guest, which a real stack would drop
 * and so hide everything behind the first broken frame.  TCP works without
 * state because the wire neither loses nor reorders: each segment that
 * occupies sequence space is acknowledged up to its end.
 *
 * A connection of its own takes no state either: what there is to send follows
 * from the guest's SYN+ACK, and goes out at once behind the ACK.  The guest may
 * refuse the data for its checksum.  So that the connection ends in either
 * case, and nobody has to wait for a time to run out, two FINs follow: one in
 * the data's place, which is the next in sequence if the data was refused and
 * an old one if not, and one behind the data.
 *
 * Left out: anything that needs memory (retransmission, windows, fragments).
 */
#include "peer.h"

#include <arpa/inet.h>
#include <errno.h>
#include <string.h>

#define ETH_LEN	      14
#define ARP_LEN	      28
#define PROTO_ICMP    1
#define PROTO_TCP     6
#define PROTO_UDP     17
#define PROTO_ICMP6   58
#define ND_SOLICIT    135
#define ND_ADVERTISE  136
#define ND_LEN	      24	/* header and target */
#define ND_OPTION_LEN 8
#define UDP_ECHO      7
#define TCP_MIN	      20
#define TCP_CSUM      16
#define FLAG_FIN      0x01
#define FLAG_SYN      0x02
#define FLAG_RST      0x04
#define FLAG_PSH      0x08
#define FLAG_ACK      0x10
#define TCP_WINDOW    0xffff

static void put16(uint8_t *p, unsigned int v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
}

static void put32(uint8_t *p, uint32_t v)
{
	put16(p, v >> 16);
	put16(p + 2, v & 0xffff);
}

static uint32_t get32(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void swap(uint8_t *a, uint8_t *b, size_t n)
{
	while (n--) {
		uint8_t t = a[n];

		a[n] = b[n];
		b[n] = t;
	}
}

int peer_add(struct peer *p, const char *text)
{
	struct peer_addr *a = &p->addr[p->addrs];

	if (p->addrs == PEER_ADDRS)
		return -ENOSPC;
	a->v6 = inet_pton(AF_INET, text, a->bytes) != 1;
	if (a->v6 && inet_pton(AF_INET6, text, a->bytes) != 1)
		return -EINVAL;
	p->addrs++;
	return 0;
}

static bool is_mine(const struct peer *p, bool v6, const uint8_t *addr)
{
	unsigned int i;

	for (i = 0; i < p->addrs; i++) {
		if (p->addr[i].v6 == v6 && !memcmp(p->addr[i].bytes, addr, v6 ? 16 : 4))
			return true;
	}
	return false;
}

/* The frame as a reply: back to its sender, from our address. */
static void turn_ethernet(const struct peer *p, uint8_t *r)
{
	memcpy(r, r + 6, 6);
	memcpy(r + 6, p->mac, 6);
}

static size_t arp_reply(const struct peer *p, uint8_t *r, size_t len, size_t at)
{
	uint8_t *arp = r + at;

	/* Ethernet and IPv4, a request, for one of our addresses */
	if (len < at + ARP_LEN || memcmp(arp, "\0\1\x8\0\6\4\0\1", 8) ||
	    !is_mine(p, false, arp + 24))
		return 0;
	turn_ethernet(p, r);
	arp[7] = 2;
	swap(arp + 8, arp + 18, 10);
	memcpy(arp + 8, p->mac, 6);
	return at + ARP_LEN;
}

/* An advertisement from the solicited target, with our link-layer address. */
static size_t nd_reply(const struct peer *p, const struct verdict *v, uint8_t *r)
{
	uint8_t *ip = r + v->l3_offset, *nd = r + v->l4_offset;

	if (v->payload_len + v->payload_offset < v->l4_offset + ND_LEN ||
	    v->l4_offset != v->l3_offset + 40 || !is_mine(p, true, nd + 8))
		return 0;
	turn_ethernet(p, r);
	memcpy(ip + 24, ip + 8, 16);
	memcpy(ip + 8, nd + 8, 16);
	put16(ip + 4, ND_LEN + ND_OPTION_LEN);
	nd[0] = ND_ADVERTISE;
	put32(nd + 4, 0x60000000);	/* solicited, override */
	nd[ND_LEN] = 2;			/* target link-layer address */
	nd[ND_LEN + 1] = 1;		/* in units of 8 bytes */
	memcpy(nd + ND_LEN + 2, p->mac, 6);
	return v->l4_offset + ND_LEN + ND_OPTION_LEN;
}

static void turn_ip(const struct peer *p, const struct verdict *v, uint8_t *r)
{
	uint8_t *ip = r + v->l3_offset;

	turn_ethernet(p, r);
	if (v->ip_version == 4)
		swap(ip + 12, ip + 16, 4);
	else
		swap(ip + 8, ip + 24, 16);
}

static void set_ip_length(const struct verdict *v, uint8_t *r, size_t end)
{
	uint8_t *ip = r + v->l3_offset;
	size_t len = end - v->l3_offset;

	if (v->ip_version == 4)
		put16(ip + 2, (unsigned int)len);
	else
		put16(ip + 4, (unsigned int)len - 40);
}

static size_t echo_reply(const struct peer *p, const struct verdict *v, uint8_t *r)
{
	turn_ip(p, v, r);
	r[v->l4_offset] = v->proto == PROTO_ICMP ? 0 : 129;
	return v->payload_offset + v->payload_len;
}

static size_t udp_reply(const struct peer *p, const struct verdict *v, uint8_t *r)
{
	turn_ip(p, v, r);
	swap(r + v->l4_offset, r + v->l4_offset + 2, 2);
	return v->payload_offset + v->payload_len;
}

/*
 * Byte @i of what a connection carries: the guest's rigload checks it (its
 * pattern_byte() for seed 1 and sequence number 0).
 */
static uint8_t pattern_byte(uint32_t i)
{
	uint32_t h = (i * 2246822519u) ^ 3266489917u;

	h ^= h >> 15;
	h *= 2654435761u;
	return (uint8_t)(h >> 24);
}

/* What follows from the guest's SYN+ACK, in order; see the head of this file. */
enum { OWN_ACK, OWN_DATA, OWN_FIN_INSTEAD, OWN_FIN_BEHIND, OWN_SEGMENTS };

static size_t own_segment(const struct peer *p, const struct verdict *v, unsigned int number,
			  uint8_t *r)
{
	uint8_t *tcp = r + v->l4_offset;
	uint32_t seq = get32(tcp + 8), ack = get32(tcp + 4) + 1;
	size_t end = v->l4_offset + TCP_MIN;
	unsigned int i;

	/* The guest's own headers may be long: no answer that does not fit. */
	if (number >= OWN_SEGMENTS || end + p->data > PEER_REPLY)
		return 0;
	turn_ip(p, v, r);
	swap(tcp, tcp + 2, 2);
	put32(tcp + 4, number == OWN_FIN_BEHIND ? seq + p->data : seq);
	put32(tcp + 8, ack);
	tcp[12] = TCP_MIN / 4 << 4;
	tcp[13] = FLAG_ACK;
	put16(tcp + 14, TCP_WINDOW);
	put16(tcp + 18, 0);
	if (number == OWN_DATA) {
		tcp[13] |= FLAG_PSH;
		for (i = 0; i < p->data; i++)
			tcp[TCP_MIN + i] = pattern_byte(i);
		end += p->data;
	} else if (number != OWN_ACK) {
		tcp[13] |= FLAG_FIN;
	}
	set_ip_length(v, r, end);
	return end;
}

/* Our own sequence number is the one that the guest acknowledges. */
static size_t tcp_reply(const struct peer *p, const struct verdict *v, uint8_t *r)
{
	uint8_t *tcp = r + v->l4_offset;
	bool syn = v->tcp_flags & FLAG_SYN, fin = v->tcp_flags & FLAG_FIN;
	uint32_t seq = get32(tcp + 4), ack = get32(tcp + 8);
	size_t options = syn ? 4 : 0, end;

	if (v->tcp_flags & FLAG_RST || (!syn && !fin && !v->payload_len))
		return 0;
	turn_ip(p, v, r);
	swap(tcp, tcp + 2, 2);
	put32(tcp + 4, syn ? ~seq : ack);
	put32(tcp + 8, seq + v->payload_len + syn + fin);
	tcp[12] = (uint8_t)((TCP_MIN + options) / 4 << 4);
	tcp[13] = FLAG_ACK | (syn ? FLAG_SYN : 0) | (fin ? FLAG_FIN : 0);
	put16(tcp + 14, TCP_WINDOW);
	put16(tcp + 18, 0);
	if (syn)	/* maximum segment size, for an MTU of 1500 */
		put32(tcp + TCP_MIN, 0x02040000 | (v->ip_version == 4 ? 1460 : 1440));
	end = v->l4_offset + TCP_MIN + options;
	set_ip_length(v, r, end);
	return end;
}

/* A checksum that is wrong, and not by what the field cannot tell apart (0, ffff). */
static void spoil(const struct verdict *v, uint8_t *r)
{
	r[v->l4_offset + TCP_CSUM] ^= 0x5a;
}

static bool is_own(const struct peer *p, const struct verdict *v)
{
	return p->data && v->proto == PROTO_TCP && v->ports &&
	       (v->tcp_flags & (FLAG_SYN | FLAG_ACK | FLAG_RST)) == (FLAG_SYN | FLAG_ACK);
}

static size_t ip_reply(const struct peer *p, const struct verdict *v, unsigned int number,
		       uint8_t *r)
{
	if (v->proto == PROTO_ICMP6 && v->icmp_type == ND_SOLICIT)
		return number ? 0 : nd_reply(p, v, r);
	if (!is_mine(p, v->ip_version == 6, v->dst))
		return 0;
	if (is_own(p, v))
		return own_segment(p, v, number, r);
	if (number)
		return 0;
	if ((v->proto == PROTO_ICMP && v->icmp_type == 8) ||
	    (v->proto == PROTO_ICMP6 && v->icmp_type == 128))
		return echo_reply(p, v, r);
	if (v->proto == PROTO_UDP && v->ports && v->dport == UDP_ECHO)
		return udp_reply(p, v, r);
	if (v->proto == PROTO_TCP && v->ports)
		return tcp_reply(p, v, r);
	return 0;
}

size_t peer_input(const struct peer *p, const uint8_t *data, size_t len,
		  const struct verdict *v, unsigned int number, uint8_t *reply)
{
	size_t n = 0;

	if (!p->addrs || len < ETH_LEN || len > PEER_REPLY - ND_OPTION_LEN - ND_LEN)
		return 0;
	memcpy(reply, data, len);
	if (v->ethertype == 0x806 && !number)
		n = arp_reply(p, reply, len, ETH_LEN + 4u * v->vlans);
	else if (v->ip_version && v->l4_offset && !v->fragment)
		n = ip_reply(p, v, number, reply);
	if (n)
		judge_mend(reply, n);
	if (n && p->bad && number == OWN_DATA)
		spoil(v, reply);
	return n;
}
