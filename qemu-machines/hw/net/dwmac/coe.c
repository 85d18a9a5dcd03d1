// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The checksum offload engine of a DesignWare MAC, over a flat frame.
 *
 * What it is: the parser that finds IPv4 and IPv6 behind an Ethernet header
 * and at most one 802.1Q tag, the transmit engine (CIC), and the receive
 * engines of type 1 and 2.
 *
 * Facts: the checksum chapters of the GMAC 3.70a databook as far as drivers
 * and vendors' manuals quote them; descs.h and enh_desc.c of Linux's stmmac.
 * The engine does not know any switch tag: what stands at offset 12 is a type
 * (or a length, below 0x600), whatever put it there.  Frames that do not show
 * IP there are none of its business (what commit c2945c435c99 of Linux is about).
 *
 * It bypasses layer 4 (and says so) for fragments of IPv4 and IPv6, for AH
 * and ESP, for IPv6 packets with a routing header, and for every protocol
 * that is not TCP, UDP, ICMP over IPv4 or ICMPv6 over IPv6.
 *
 * Where the databook is silent:
 * - 802.1ad (0x88a8) and second tags hide the packet;
 * - layer 4 is as long as the IP header says; the UDP length field is summed
 *   as data and otherwise not looked at;
 * - IPv4 UDP with a zero checksum is good (the MMC has a counter for it);
 *   IPv6 UDP with a zero checksum is summed like any other and fails;
 * - a transmitted UDP checksum of zero goes out as 0xffff.
 *
 * Not here: VXLAN and other tunnels (a synthesis option of later cores), UDP-Lite
 * and SCTP, which the engine does not know.
 */
#include <string.h>
#include "coe.h"

#define TYPE_MIN      0x0600
#define TYPE_IPV4     0x0800
#define TYPE_VLAN     0x8100
#define TYPE_IPV6     0x86dd

#define IPV4_HDR_MIN  20
#define IPV6_HDR_LEN  40
#define IPV4_FRAG     0x3fff    /* more-fragments and offset */

enum {
    NEXT_HOPOPTS = 0,
    NEXT_ICMP    = 1,
    NEXT_TCP     = 6,
    NEXT_UDP     = 17,
    NEXT_FRAG    = 44,
    NEXT_ICMPV6  = 58,
    NEXT_DSTOPTS = 60,
};

/* Layer 4 as the engine sees it: where its checksum is, how short it can be. */
static const struct {
    uint8_t csum_at;
    uint8_t min;
} l4_info[] = {
    [COE_PROTO_NONE] = { 0, 0 },
    [COE_PROTO_UDP]  = { 6, 8 },
    [COE_PROTO_TCP]  = { 16, 20 },
    [COE_PROTO_ICMP] = { 2, 4 },
};

static unsigned get16(const uint8_t *p)
{
    return p[0] << 8 | p[1];
}

static void put16(uint8_t *p, unsigned v)
{
    p[0] = v >> 8;
    p[1] = v;
}

static uint16_t fold(uint64_t sum)
{
    while (sum >> 16) {
        sum = (sum & 0xffff) + (sum >> 16);
    }
    return sum;
}

/*
 * Sums 32-bit words in memory order and turns the result round once at the
 * end: a ones' complement sum does not mind the byte order (RFC 1071, 2(B)).
 */
uint16_t coe_sum16(const uint8_t *p, size_t len)
{
    const uint16_t one = 1;
    uint64_t sum = 0;
    uint32_t w;
    uint16_t r, tail = 0;

    for (; len >= 4; p += 4, len -= 4) {
        memcpy(&w, p, 4);
        sum += w;
    }
    if (len >= 2) {
        memcpy(&tail, p, 2);
        sum += tail;
        p += 2;
        len -= 2;
        tail = 0;
    }
    if (len) {
        memcpy(&tail, p, 1);
        sum += tail;
    }
    r = fold(sum);
    return *(const uint8_t *)&one ? (uint16_t)(r << 8 | r >> 8) : r;
}

static uint16_t add16(uint32_t a, uint32_t b)
{
    return fold((uint64_t)a + b);
}

static uint16_t pseudo_sum(const uint8_t *f, const CoeFrame *c)
{
    unsigned from = c->flags & COE_IPV4 ? 12 : 8;
    unsigned addrs = c->flags & COE_IPV4 ? 8 : 32;
    static const uint8_t v4[] = { 0, NEXT_UDP, NEXT_TCP, NEXT_ICMP };
    static const uint8_t v6[] = { 0, NEXT_UDP, NEXT_TCP, NEXT_ICMPV6 };
    unsigned next = (c->flags & COE_IPV4 ? v4 : v6)[c->proto];

    return add16(coe_sum16(f + c->l3 + from, addrs), c->l4_len + next);
}

/* ICMP over IPv4 is the one protocol here that has no pseudo-header. */
static bool has_pseudo(const CoeFrame *c)
{
    return !(c->proto == COE_PROTO_ICMP && (c->flags & COE_IPV4));
}

static enum CoeProto proto_of(unsigned next, bool v4)
{
    switch (next) {
    case NEXT_UDP:
        return COE_PROTO_UDP;
    case NEXT_TCP:
        return COE_PROTO_TCP;
    case NEXT_ICMP:
        return v4 ? COE_PROTO_ICMP : COE_PROTO_NONE;
    case NEXT_ICMPV6:
        return v4 ? COE_PROTO_NONE : COE_PROTO_ICMP;
    }
    return COE_PROTO_NONE;
}

static void set_l4(CoeFrame *c, size_t len, unsigned off, unsigned next)
{
    unsigned end = c->l3 + c->ip_len;

    c->proto = proto_of(next, c->flags & COE_IPV4);
    if (c->proto == COE_PROTO_NONE) {
        c->flags |= COE_BYPASS;
        return;
    }
    c->l4 = off;
    c->l4_len = end - off;
    c->l4_have = len <= off ? 0 : len - off < c->l4_len ? len - off : c->l4_len;
}

static void parse_ipv4(const uint8_t *f, size_t len, CoeFrame *c)
{
    const uint8_t *ip = f + c->l3;
    size_t have = len - c->l3;
    unsigned ihl;

    c->flags |= COE_IPV4;
    if (have < IPV4_HDR_MIN || ip[0] >> 4 != 4) {
        c->flags |= COE_HDR_ERR | COE_BYPASS;
        return;
    }
    ihl = (ip[0] & 15) * 4;
    c->ip_len = get16(ip + 2);
    if (ihl < IPV4_HDR_MIN || ihl > have || ihl > c->ip_len) {
        c->flags |= COE_HDR_ERR | COE_BYPASS;
        return;
    }
    if (get16(ip + 6) & IPV4_FRAG) {
        c->flags |= COE_BYPASS | COE_FRAGMENT;
        return;
    }
    set_l4(c, len, c->l3 + ihl, ip[9]);
}

/*
 * Walks the extension headers that the engine understands.  Each step moves
 * at least eight bytes forward inside the frame, so the walk ends.
 */
static void parse_ipv6(const uint8_t *f, size_t len, CoeFrame *c)
{
    const uint8_t *ip = f + c->l3;
    size_t off = c->l3 + IPV6_HDR_LEN;
    unsigned next;

    c->flags |= COE_IPV6;
    if (len < off || ip[0] >> 4 != 6) {
        c->flags |= COE_HDR_ERR | COE_BYPASS;
        return;
    }
    c->ip_len = get16(ip + 4) + IPV6_HDR_LEN;
    next = ip[6];
    while (next == NEXT_HOPOPTS || next == NEXT_DSTOPTS) {
        size_t ext;

        if (off + 8 > len) {
            c->flags |= COE_HDR_ERR | COE_BYPASS;
            return;
        }
        ext = (f[off + 1] + 1) * 8;
        next = f[off];
        off += ext;
        if (off > len || off > c->l3 + c->ip_len) {
            c->flags |= COE_HDR_ERR | COE_BYPASS;
            return;
        }
    }
    if (next == NEXT_FRAG) {
        c->flags |= COE_BYPASS | COE_FRAGMENT;
        return;
    }
    set_l4(c, len, off, next);
}

void coe_parse(const uint8_t *f, size_t len, CoeFrame *c)
{
    unsigned type, at = 12;

    memset(c, 0, sizeof(*c));
    if (len < at + 2) {
        return;
    }
    type = get16(f + at);
    c->flags |= type >= TYPE_MIN ? COE_TYPE : 0;
    if (type == TYPE_VLAN && len >= at + 6) {
        c->flags |= COE_VLAN;
        at += 4;
        type = get16(f + at);
    }
    c->l3 = at + 2;
    if (type == TYPE_IPV4) {
        parse_ipv4(f, len, c);
    } else if (type == TYPE_IPV6) {
        parse_ipv6(f, len, c);
    }
}

static bool ipv4_header_good(const uint8_t *ip)
{
    return coe_sum16(ip, (ip[0] & 15) * 4) == 0xffff;
}

/* Layer 4 is checked over what is there; what is missing is an error. */
static bool payload_good(const uint8_t *f, CoeFrame *c)
{
    uint32_t sum = coe_sum16(f + c->l4, c->l4_have);

    if (c->l4_have < c->l4_len || c->l4_len < l4_info[c->proto].min) {
        return false;
    }
    if (c->proto == COE_PROTO_UDP && (c->flags & COE_IPV4) &&
        !get16(f + c->l4 + l4_info[COE_PROTO_UDP].csum_at)) {
        c->flags |= COE_UDP_ZERO;
        return true;
    }
    if (has_pseudo(c)) {
        sum = add16(sum, pseudo_sum(f, c));
    }
    return sum == 0xffff;
}

void coe_verify(const uint8_t *f, size_t len, CoeFrame *c)
{
    coe_parse(f, len, c);
    if (!(c->flags & COE_IP)) {
        return;
    }
    if ((c->flags & COE_IPV4) && !(c->flags & COE_HDR_ERR) &&
        !ipv4_header_good(f + c->l3)) {
        c->flags |= COE_HDR_ERR;
    }
    if (c->proto != COE_PROTO_NONE && !payload_good(f, c)) {
        c->flags |= COE_PAY_ERR;
    }
}

static void insert_ipv4_header(uint8_t *f, size_t len, const CoeFrame *c)
{
    uint8_t *ip = f + c->l3;
    unsigned ihl;

    if (len < c->l3 + IPV4_HDR_MIN) {
        return;
    }
    /* Even a header that is wrong gets a sum, over what the frame has of it. */
    ihl = (ip[0] & 15) * 4;
    if (ihl < IPV4_HDR_MIN || c->l3 + ihl > len) {
        ihl = IPV4_HDR_MIN;
    }
    put16(ip + 10, 0);
    put16(ip + 10, (uint16_t)~coe_sum16(ip, ihl));
}

static void insert_payload(uint8_t *f, const CoeFrame *c, enum CoeCic cic)
{
    uint8_t *field = f + c->l4 + l4_info[c->proto].csum_at;
    uint16_t sum;

    if (cic == COE_CIC_FULL) {
        put16(field, 0);
    }
    sum = coe_sum16(f + c->l4, c->l4_have);
    if (cic == COE_CIC_FULL && has_pseudo(c)) {
        sum = add16(sum, pseudo_sum(f, c));
    }
    sum = ~sum;
    if (!sum && c->proto == COE_PROTO_UDP) {
        sum = 0xffff;
    }
    put16(field, sum);
}

unsigned coe_insert(uint8_t *f, size_t len, enum CoeCic cic, bool payload)
{
    CoeFrame c;

    coe_parse(f, len, &c);
    if (cic == COE_CIC_OFF || !(c.flags & COE_IP)) {
        return c.flags;
    }
    if (c.flags & COE_IPV4) {
        insert_ipv4_header(f, len, &c);
    }
    if (cic == COE_CIC_IPHDR || c.proto == COE_PROTO_NONE) {
        return c.flags;
    }
    if (!payload || c.l4_have < l4_info[c.proto].csum_at + 2u) {
        return c.flags | COE_PAY_ERR;
    }
    if (c.l4_have < c.l4_len) {
        c.flags |= COE_PAY_ERR;
    }
    insert_payload(f, &c, cic);
    return c.flags;
}

unsigned coe_type1(const uint8_t *f, size_t len, uint16_t *sum)
{
    CoeFrame c;

    coe_parse(f, len, &c);
    *sum = c.l3 && len > c.l3 ? coe_sum16(f + c.l3, len - c.l3) : 0;
    c.flags &= COE_TYPE | COE_VLAN | COE_IPV4 | COE_HDR_ERR;
    if (!(c.flags & COE_IPV4)) {
        return c.flags & ~COE_HDR_ERR;
    }
    if (!(c.flags & COE_HDR_ERR) && !ipv4_header_good(f + c.l3)) {
        c.flags |= COE_HDR_ERR;
    }
    return c.flags;
}
