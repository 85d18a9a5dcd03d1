/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Power management (PMT) of a DesignWare MAC: which frames wake it.
 *
 * Plain C without QEMU.  The control and status register is the same in all
 * generations.
 */
#ifndef HW_NET_DWMAC_PMT_H
#define HW_NET_DWMAC_PMT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DWMAC_PMT_FILTER_WORDS 8

enum {
    DWMAC_PMT_PWRDWN    = 1u << 0,  /* drop everything but what wakes us */
    DWMAC_PMT_MGKPKTEN  = 1u << 1,
    DWMAC_PMT_RWKPKTEN  = 1u << 2,
    DWMAC_PMT_MGKPRCVD  = 1u << 5,  /* both end when read */
    DWMAC_PMT_RWKPRCVD  = 1u << 6,
    DWMAC_PMT_RECEIVED  = 3u << 5,
    DWMAC_PMT_GLBLUCAST = 1u << 9,
    DWMAC_PMT_FILTRST   = 1u << 31,
    DWMAC_PMT_KEPT      = 0x00000207, /* what software sets for good */
};

/*
 * The wake-up filters, four of them behind one address: a byte mask each, then
 * all commands, all offsets, and two CRCs a word.
 */
typedef struct DwmacPmt {
    uint32_t filter[DWMAC_PMT_FILTER_WORDS];
    uint8_t at;             /* which of the words is next */
    bool v4;                /* QoS and XGMAC: filters can be combined; no state */
} DwmacPmt;

/** dwmac_pmt_reset: no filters; @v4 is left alone */
static inline void dwmac_pmt_reset(DwmacPmt *p)
{
    *p = (DwmacPmt){ .v4 = p->v4 };
}

/** dwmac_pmt_next: the word that this access is to; the next is to the next */
static inline uint32_t *dwmac_pmt_next(DwmacPmt *p)
{
    return &p->filter[p->at++ % DWMAC_PMT_FILTER_WORDS];
}

/** dwmac_pmt_written: what is left of the register when software wrote @pmt */
static inline uint32_t dwmac_pmt_written(DwmacPmt *p, uint32_t pmt)
{
    if (pmt & DWMAC_PMT_FILTRST) {
        p->at = 0;
    }
    return pmt & ~DWMAC_PMT_FILTRST;
}

/**
 * dwmac_pmt_wakes: does a frame that passed the address filter wake the MAC?
 * @pmt: the register
 * @own: the MAC's address
 *
 * Returns: the register with what was received; the same if nothing was.
 */
uint32_t dwmac_pmt_wakes(const DwmacPmt *p, uint32_t pmt, const uint8_t *own,
                         const uint8_t *f, size_t len);

#endif
