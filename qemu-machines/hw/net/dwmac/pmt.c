// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Power management (PMT) of a DesignWare MAC: which frames wake it.
 *
 * What it is: magic packets, and any frame to the MAC's own address where
 * software asks for that.  A frame that wakes ends the power-down mode.
 *
 * Facts: dwmac1000.h, dwmac4.h and dwxgmac2.h of Linux 6.12 for the bits; the
 * PMT chapter of the GMAC 3.70a databook, as vendors' manuals repeat it, for what
 * a magic packet is: six bytes of ff and sixteen times the address, anywhere
 * behind the header.
 *
 * Not here: wake-up frames by filter (their registers can be written and match
 * nothing; Linux writes none), passwords.
 */
#include <string.h>
#include "pmt.h"

#define ETH_HDR 14
#define REPEATS 16

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

uint32_t dwmac_pmt_wakes(uint32_t pmt, const uint8_t *own, const uint8_t *f,
                         size_t len)
{
    uint32_t got = 0;

    if ((pmt & DWMAC_PMT_MGKPKTEN) && is_magic(own, f, len)) {
        got |= DWMAC_PMT_MGKPRCVD;
    }
    if ((pmt & DWMAC_PMT_RWKPKTEN) && (pmt & DWMAC_PMT_GLBLUCAST) &&
        !memcmp(f, own, 6)) {
        got |= DWMAC_PMT_RWKPRCVD;
    }
    return got ? (pmt & ~DWMAC_PMT_PWRDWN) | got : pmt;
}
