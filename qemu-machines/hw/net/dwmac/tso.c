// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Segmentation (TSO, USO) of a multi-queue DesignWare MAC.
 *
 * What it is: the cutting of one TCP or UDP packet into many.  Every segment
 * gets the headers of the first, with the IP length, the IPv4 identification
 * (one more each time), the TCP sequence number or UDP length set right; FIN
 * and PSH go with the last segment only, CWR with the first.
 *
 * Facts: stmmac_tso_xmit() of Linux for what a driver hands over; RFC 793 and
 * RFC 3168 for the flags; the TSO chapter of the QoS databook, as vendors'
 * manuals repeat it.
 *
 * Not here: IPv4 options that go with the first segment only, tunnels.
 */
#include <string.h>
#include "tso.h"

enum { TCP_FIN = 1, TCP_PSH = 8, TCP_CWR = 0x80 };

static unsigned get16(const uint8_t *p)
{
    return p[0] << 8 | p[1];
}

static void put16(uint8_t *p, unsigned v)
{
    p[0] = v >> 8;
    p[1] = v;
}

static void add32(uint8_t *p, uint32_t n)
{
    uint32_t v = ((uint32_t)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3]) + n;

    put16(p, v >> 16);
    put16(p + 2, v);
}

bool dwmac_tso_begin(DwmacTso *t, const uint8_t *f, size_t len, size_t hdr,
                     unsigned mss)
{
    memset(t, 0, sizeof(*t));
    t->f = f;
    t->len = len;
    t->hdr = hdr;
    t->mss = mss;
    if (!mss || hdr >= len) {
        return false;
    }
    /* The IP length says nothing here: parse with the headers as they are. */
    coe_parse(f, hdr, &t->c);
    if (t->c.proto == COE_PROTO_TCP) {
        return hdr >= t->c.l4 + 20;
    }
    return t->c.proto == COE_PROTO_UDP && hdr >= t->c.l4 + 8;
}

static void set_lengths(const DwmacTso *t, uint8_t *out, size_t total)
{
    uint8_t *ip = out + t->c.l3;

    if (t->c.flags & COE_IPV4) {
        put16(ip + 2, total - t->c.l3);
        put16(ip + 4, get16(ip + 4) + t->n);
    } else {
        put16(ip + 4, total - t->c.l3 - 40);
    }
    if (t->c.proto == COE_PROTO_UDP) {
        put16(out + t->c.l4 + 4, total - t->c.l4);
    }
}

static void set_tcp(const DwmacTso *t, uint8_t *out, bool last)
{
    uint8_t *tcp = out + t->c.l4;

    add32(tcp + 4, t->at);
    tcp[13] &= ~((last ? 0 : TCP_FIN | TCP_PSH) | (t->n ? TCP_CWR : 0));
}

size_t dwmac_tso_next(DwmacTso *t, uint8_t *out)
{
    size_t left = t->len - t->hdr - t->at;
    size_t n = left < t->mss ? left : t->mss;

    if (!n) {
        return 0;
    }
    memcpy(out, t->f, t->hdr);
    memcpy(out + t->hdr, t->f + t->hdr + t->at, n);
    set_lengths(t, out, t->hdr + n);
    if (t->c.proto == COE_PROTO_TCP) {
        set_tcp(t, out, n == left);
    }
    t->at += n;
    t->n++;
    return t->hdr + n;
}
