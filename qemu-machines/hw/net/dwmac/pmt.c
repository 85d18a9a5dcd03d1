// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Power management (PMT) of a DesignWare MAC: which frames wake it.
 *
 * What it is: magic packets, frames that one of four filters knows, and any frame
 * to the MAC's own address where software asks for that.  A frame that wakes ends
 * the power-down mode.
 *
 * How a filter works: of the 31 bytes from its offset on, those that its mask
 * names go through a CRC-16, which must come out as its register says.  It looks
 * at unicast or at multicast frames.  In QoS and XGMAC a filter can be turned
 * round, and can be one more condition of the filter before it.
 *
 * Facts: dwmac1000.h, dwmac4.h and dwxgmac2.h of Linux 6.12 for the bits; the
 * PMT chapters of the GMAC 3.70a and QoS 5.10a databooks, as vendors' manuals
 * repeat them, for what a magic packet is (six bytes of ff and sixteen times the
 * address, anywhere behind the header), for a filter's words and for the CRC's
 * polynomial; its seed and the order of its bits are those that give the values
 * of the filters which vendors' drivers ship (eight bytes of 55: 7eed).
 *
 * Not here: 8 or 16 filters (a synthesis option of later cores), forwarding of
 * the frame that woke the MAC (RWKPFE), passwords.
 */
#include <string.h>
#include "pmt.h"

#define ETH_HDR 14
#define REPEATS 16
#define FILTERS 4
#define MASK_BITS 31

/* words behind the masks */
#define COMMANDS 4
#define OFFSETS  5
#define CRCS     6

/* A filter's command */
enum { CMD_ON = 1, CMD_AND = 2, CMD_INVERSE = 4, CMD_MULTICAST = 8 };

static bool is_magic(const uint8_t *own, const uint8_t *f, size_t len)
{
    uint8_t want[6 + REPEATS * 6];

    memset(want, 0xff, 6);
    for (int i = 0; i < REPEATS; i++) {
        memcpy(want + 6 + i * 6, own, 6);
    }
    for (size_t at = ETH_HDR; at + sizeof(want) <= len; at++) {
        if (!memcmp(f + at, want, sizeof(want))) {
            return true;
        }
    }
    return false;
}

/* x^16 + x^15 + x^2 + 1, bits as they come over the wire. */
static uint16_t crc16(uint16_t crc, uint8_t byte)
{
    for (int i = 0; i < 8; i++, byte >>= 1) {
        crc = (crc & 0x7fff) << 1 ^ ((crc >> 15 ^ byte) & 1 ? 0x8005 : 0);
    }
    return crc;
}

static unsigned command(const DwmacPmt *p, unsigned n)
{
    unsigned cmd = p->filter[COMMANDS] >> n * 8 & 0xf;

    return p->v4 ? cmd : cmd & ~(CMD_AND | CMD_INVERSE);
}

/* Is the pattern in the frame?  One that reaches beyond its end is not. */
static bool has_pattern(const DwmacPmt *p, unsigned n, const uint8_t *f,
                        size_t len)
{
    size_t at = p->filter[OFFSETS] >> n * 8 & 0xff;
    uint16_t crc = 0xffff, want = p->filter[CRCS + n / 2] >> n % 2 * 16;

    for (unsigned i = 0; i < MASK_BITS; i++) {
        if (!(p->filter[n] >> i & 1)) {
            continue;
        }
        if (at + i >= len) {
            return false;
        }
        crc = crc16(crc, f[at + i]);
    }
    return crc == want;
}

static bool filter_hits(const DwmacPmt *p, unsigned n, const uint8_t *f,
                        size_t len)
{
    unsigned cmd = command(p, n);

    if (!(cmd & CMD_ON) || !(cmd & CMD_MULTICAST) != !(f[0] & 1)) {
        return false;
    }
    return has_pattern(p, n, f, len) != !!(cmd & CMD_INVERSE);
}

/* A filter that is a condition of the one before does not wake by itself. */
static bool is_wakeup(const DwmacPmt *p, const uint8_t *f, size_t len)
{
    bool wakes = false, chain = false;

    for (unsigned n = 0; n < FILTERS; n++) {
        bool hit = filter_hits(p, n, f, len);
        unsigned cmd = command(p, n);

        if (n && (cmd & CMD_ON) && (cmd & CMD_AND)) {
            chain = chain && hit;
        } else {
            wakes = wakes || chain;
            chain = hit;
        }
    }
    return wakes || chain;
}

uint32_t dwmac_pmt_wakes(const DwmacPmt *p, uint32_t pmt, const uint8_t *own,
                         const uint8_t *f, size_t len)
{
    bool unicast = (pmt & DWMAC_PMT_GLBLUCAST) && !memcmp(f, own, 6);
    uint32_t got = 0;

    if ((pmt & DWMAC_PMT_MGKPKTEN) && is_magic(own, f, len)) {
        got |= DWMAC_PMT_MGKPRCVD;
    }
    if ((pmt & DWMAC_PMT_RWKPKTEN) && (unicast || is_wakeup(p, f, len))) {
        got |= DWMAC_PMT_RWKPRCVD;
    }
    return got ? (pmt & ~DWMAC_PMT_PWRDWN) | got : pmt;
}
