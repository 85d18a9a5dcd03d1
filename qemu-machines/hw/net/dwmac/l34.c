// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The layer 3 and 4 filters of a DesignWare MAC.
 *
 * What it is: comparison of IP addresses (with low bits left out) and of TCP
 * and UDP ports, each straight or inverted, in as many filters as a core has.
 *
 * Facts: dwmac4_config_l3_filter() and dwmac4_config_l4_filter() of Linux;
 * the QoS 5.10a databook, as vendors' manuals repeat it, for IPFE and DNTU.
 *
 * Where the databook is silent: a filter applies to a frame when each layer
 * that it compares is there in the version (L3PEN) or protocol (L4PEN) that it
 * asks for; a frame to which none applies passes.  Fragments have no ports.
 *
 * Not here: IPv6 destination and source in one filter (a core compares one), and
 * the choice of a DMA channel by filter, which later cores have.
 */
#include <string.h>
#include "l34.h"

enum { NEXT_TCP = 6, NEXT_UDP = 17 };

static uint32_t get32(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3];
}

/* Are two IPv4 addresses alike but for their low @skip bits? */
static bool same4(uint32_t a, uint32_t b, unsigned skip)
{
    return !((a ^ b) >> skip);
}

/* The same of 128 bits; @reg has bits 31:0 first. */
static bool same6(const uint32_t *reg, const uint8_t *p, unsigned skip)
{
    for (unsigned i = skip / 32; i < 4; i++) {
        unsigned s = i == skip / 32 ? skip % 32 : 0;

        if (!same4(reg[i], get32(p + (3 - i) * 4), s)) {
            return false;
        }
    }
    return true;
}

static bool l3_matches(const DwmacL34 *flt, const uint8_t *ip)
{
    uint32_t c = flt->ctrl;
    unsigned hs = c >> DWMAC_L3HSBM_SHIFT & 31;
    unsigned hd = c >> DWMAC_L3HDBM_SHIFT & 31;
    bool sa, da;

    if (c & DWMAC_L3PEN) {
        unsigned skip = hs | (hd & 3) << 5;

        sa = same6(flt->addr, ip + 8, skip);
        da = same6(flt->addr, ip + 24, skip);
    } else {
        sa = same4(flt->addr[0], get32(ip + 12), hs);
        da = same4(flt->addr[1], get32(ip + 16), hd);
    }
    return (!(c & DWMAC_L3SAM) || sa != !!(c & DWMAC_L3SAIM)) &&
           (!(c & DWMAC_L3DAM) || da != !!(c & DWMAC_L3DAIM));
}

static bool l4_matches(const DwmacL34 *flt, const uint8_t *l4)
{
    uint32_t c = flt->ctrl, ports = get32(l4);
    bool src = (flt->ports & 0xffff) == ports >> 16;
    bool dst = flt->ports >> 16 == (ports & 0xffff);

    return (!(c & DWMAC_L4SPM) || src != !!(c & DWMAC_L4SPIM)) &&
           (!(c & DWMAC_L4DPM) || dst != !!(c & DWMAC_L4DPIM));
}

static bool l3_applies(uint32_t ctrl, const CoeFrame *c, size_t len)
{
    unsigned want = ctrl & DWMAC_L3PEN ? COE_IPV6 : COE_IPV4;
    unsigned header = ctrl & DWMAC_L3PEN ? 40 : 20;

    return (c->flags & want) && len >= c->l3 + header;
}

static bool l4_applies(uint32_t ctrl, const CoeFrame *c)
{
    enum CoeProto want = ctrl & DWMAC_L4PEN ? COE_PROTO_UDP : COE_PROTO_TCP;

    return c->proto == want && c->l4_have >= 4;
}

unsigned dwmac_l34(const DwmacL34 *flt, unsigned n, const uint8_t *f,
                   size_t len, bool drop_other, unsigned *which)
{
    const uint32_t l3 = DWMAC_L3SAM | DWMAC_L3DAM;
    const uint32_t l4 = DWMAC_L4SPM | DWMAC_L4DPM;
    bool applied = false;
    CoeFrame c;

    coe_parse(f, len, &c);
    for (unsigned i = 0; i < n; i++) {
        uint32_t ctrl = flt[i].ctrl;

        if (!(ctrl & (l3 | l4)) ||
            ((ctrl & l3) && !l3_applies(ctrl, &c, len)) ||
            ((ctrl & l4) && !l4_applies(ctrl, &c))) {
            continue;
        }
        applied = true;
        if ((!(ctrl & l3) || l3_matches(&flt[i], f + c.l3)) &&
            (!(ctrl & l4) || l4_matches(&flt[i], f + c.l4))) {
            *which = i;
            return (ctrl & l3 ? DWMAC_L34_L3 : 0) |
                   (ctrl & l4 ? DWMAC_L34_L4 : 0);
        }
    }
    if (applied || (drop_other && (c.flags & COE_IP) &&
                    c.proto != COE_PROTO_TCP && c.proto != COE_PROTO_UDP)) {
        return DWMAC_L34_DROP;
    }
    return 0;
}
