/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Energy-Efficient Ethernet (802.3az): the LPI control and status register,
 * which all generations have with the same bits.
 *
 * Plain C without QEMU.  Who calls knows when the transmitter has nothing to
 * send, and raises the interrupt.
 *
 * Facts: common.h and dwmac1000.h of Linux 6.12; the databooks of GMAC 3.70a and
 * QoS 5.10a, as vendors' manuals repeat them, for who clears LPIEN.
 */
#ifndef HW_NET_DWMAC_LPI_H
#define HW_NET_DWMAC_LPI_H

#include <stdbool.h>
#include <stdint.h>

enum {
    DWMAC_LPI_TLPIEN = 1u << 0,     /* entered; bits 3:0 end when read */
    DWMAC_LPI_TLPIEX = 1u << 1,     /* left */
    DWMAC_LPI_EVENTS = 0xf,
    DWMAC_LPI_TLPIST = 1u << 8,     /* is there */
    DWMAC_LPI_EN     = 1u << 16,    /* software asks for it */
    DWMAC_LPI_PLS    = 1u << 17,    /* and the link is up */
    DWMAC_LPI_TXA    = 1u << 19,    /* a frame ends it by itself */
    DWMAC_LPI_ATE    = 1u << 20,    /* the entry timer asks again */
};

/** dwmac_lpi_blocks: do frames wait until software clears LPIEN? */
static inline bool dwmac_lpi_blocks(uint32_t lpi)
{
    return (lpi & DWMAC_LPI_TLPIST) && !(lpi & DWMAC_LPI_TXA);
}

/** dwmac_lpi_wants: would an idle transmitter go to low power? */
static inline bool dwmac_lpi_wants(uint32_t lpi)
{
    return (lpi & DWMAC_LPI_EN) && (lpi & DWMAC_LPI_PLS) &&
           !(lpi & DWMAC_LPI_TLPIST);
}

/** dwmac_lpi_entered: the register when it does */
static inline uint32_t dwmac_lpi_entered(uint32_t lpi)
{
    return lpi | DWMAC_LPI_TLPIST | DWMAC_LPI_TLPIEN;
}

/** dwmac_lpi_left: and when it comes back; without the timer that is the end */
static inline uint32_t dwmac_lpi_left(uint32_t lpi)
{
    if ((lpi & DWMAC_LPI_TXA) && !(lpi & DWMAC_LPI_ATE)) {
        lpi &= ~DWMAC_LPI_EN;
    }
    return (lpi & ~DWMAC_LPI_TLPIST) | DWMAC_LPI_TLPIEX;
}

#endif
