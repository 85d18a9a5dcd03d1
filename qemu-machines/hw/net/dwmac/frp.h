/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The flexible receive parser of a multi-queue DesignWare MAC.
 *
 * Plain C without QEMU.
 */
#ifndef HW_NET_DWMAC_FRP_H
#define HW_NET_DWMAC_FRP_H

#include <stddef.h>
#include <stdint.h>

#define DWMAC_FRP_ENTRIES 256
#define DWMAC_FRP_WORDS   4     /* 32-bit words an entry */

enum DwmacFrpVerdict { DWMAC_FRP_NONE, DWMAC_FRP_ACCEPT, DWMAC_FRP_REJECT };

/**
 * dwmac_frp: run the parser over a frame
 * @table: the instruction table, DWMAC_FRP_WORDS words an entry
 * @entries: how many of it are valid, at most DWMAC_FRP_ENTRIES
 * @f: the frame
 * @len: its length in bytes; beyond it everything compares as 0
 * @chans: the DMA channels that an accepting entry names, one bit each; 0 if
 *         it names none
 */
enum DwmacFrpVerdict dwmac_frp(const uint32_t *table, unsigned entries,
                               const uint8_t *f, size_t len, unsigned *chans);

#endif
