/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * MAC management counters (RMON) of GMAC and QoS cores.
 *
 * Plain C without QEMU.  Offsets are relative to the block (0x100 in GMAC,
 * 0x700 in QoS), as in mmc_core.c of Linux's stmmac.
 */
#ifndef HW_NET_DWMAC_MMC_H
#define HW_NET_DWMAC_MMC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "coe.h"

#define DWMAC_MMC_SIZE  0x200
#define DWMAC_MMC_WORDS (DWMAC_MMC_SIZE / 4)

typedef struct DwmacMmc {
    uint32_t reg[DWMAC_MMC_WORDS];
} DwmacMmc;

/* Which of the three interrupt lines of the block are up. */
enum {
    DWMAC_MMC_IRQ_RX  = 1 << 0,
    DWMAC_MMC_IRQ_TX  = 1 << 1,
    DWMAC_MMC_IRQ_IPC = 1 << 2,
};

/* How a received frame ended, beside its checksums. */
enum DwmacRxFault {
    DWMAC_RX_GOOD,
    DWMAC_RX_RUNT,
    DWMAC_RX_LENGTH,    /* shorter than its 802.3 length says */
    DWMAC_RX_RANGE,     /* 802.3 length of 1501 to 1535 */
    DWMAC_RX_OVERSIZE,
    DWMAC_RX_WATCHDOG,
    DWMAC_RX_OVERFLOW,
};

void dwmac_mmc_reset(DwmacMmc *m);

/**
 * dwmac_mmc_tx: a frame went out
 * @f: the frame without FCS
 * @len: its length on the wire without FCS, padding included
 */
void dwmac_mmc_tx(DwmacMmc *m, const uint8_t *f, size_t len);

/**
 * dwmac_mmc_rx: a frame passed the address filter
 * @f: the frame without FCS
 * @len: its length without FCS
 * @fault: what was wrong with it
 */
void dwmac_mmc_rx(DwmacMmc *m, const uint8_t *f, size_t len,
                  enum DwmacRxFault fault);

/** dwmac_mmc_ipc: the receive engine's verdict on a frame */
void dwmac_mmc_ipc(DwmacMmc *m, const CoeFrame *c);

/** Register access; @off is a multiple of 4 below DWMAC_MMC_SIZE. */
uint32_t dwmac_mmc_read(DwmacMmc *m, unsigned off);
void dwmac_mmc_write(DwmacMmc *m, unsigned off, uint32_t val);

/** dwmac_mmc_irq: DWMAC_MMC_IRQ_* after the masks */
unsigned dwmac_mmc_irq(const DwmacMmc *m);

#endif
