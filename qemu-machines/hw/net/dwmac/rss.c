// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The receive-side scaling hash of a DesignWare XGMAC.
 *
 * What it is: the Toeplitz hash over IP addresses and, for TCP and UDP where
 * that is asked for, ports.  The input is in network order, source first, as
 * Microsoft's RSS specification has it; its verification suite is the test.
 *
 * Facts: dwxgmac2_rss_configure() of Linux 6.12 for what is hashed when; that
 * specification for how.
 *
 * Not here: that specification's rules for home address options and routing headers
 * of IPv6.
 */
#include <string.h>
#include "coe.h"
#include "rss.h"

#define INPUT_MAX 36    /* two IPv6 addresses and two ports */

static uint32_t toeplitz(const uint8_t *key, const uint8_t *in, size_t len)
{
    uint64_t window = 0;
    uint32_t hash = 0;

    for (unsigned i = 0; i < 8; i++) {
        window = window << 8 | key[i];
    }
    for (size_t i = 0; i < len; i++) {
        for (int bit = 7; bit >= 0; bit--) {
            hash ^= in[i] >> bit & 1 ? (uint32_t)(window >> (25 + bit)) : 0;
        }
        window = window << 8 | (i + 8 < DWMAC_RSS_KEY_LEN ? key[i + 8] : 0);
    }
    return hash;
}

bool dwmac_rss_hash(const uint8_t *key, unsigned kinds, const uint8_t *f,
                    size_t len, uint32_t *hash)
{
    uint8_t in[INPUT_MAX];
    unsigned want;
    size_t n;
    CoeFrame c;

    coe_parse(f, len, &c);
    n = c.flags & COE_IPV4 ? 8 : 32;
    if (!(c.flags & COE_IP) || (c.flags & COE_HDR_ERR)) {
        return false;
    }
    memcpy(in, f + c.l3 + (n == 8 ? 12 : 8), n);
    want = c.proto == COE_PROTO_TCP ? DWMAC_RSS_TCP :
           c.proto == COE_PROTO_UDP ? DWMAC_RSS_UDP : 0;
    if ((kinds & want) && c.l4_have >= 4) {
        memcpy(in + n, f + c.l4, 4);
        n += 4;
    } else if (!(kinds & DWMAC_RSS_IP)) {
        return false;
    }
    *hash = toeplitz(key, in, n);
    return true;
}
