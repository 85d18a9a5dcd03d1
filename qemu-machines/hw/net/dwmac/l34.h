/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The layer 3 and 4 filters of a DesignWare MAC.
 *
 * Plain C without QEMU.  A filter is the block of registers that QoS has at
 * 0x900 + n * 0x30 and XGMAC behind an index; the bits are the same.
 */
#ifndef HW_NET_DWMAC_L34_H
#define HW_NET_DWMAC_L34_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "coe.h"

/* The control register */
enum {
    DWMAC_L3PEN  = 1u << 0,   /* IPv6, else IPv4 */
    DWMAC_L3SAM  = 1u << 2,   /* compare the source address */
    DWMAC_L3SAIM = 1u << 3,   /* and want it different */
    DWMAC_L3DAM  = 1u << 4,
    DWMAC_L3DAIM = 1u << 5,
    DWMAC_L4PEN  = 1u << 16,  /* UDP, else TCP */
    DWMAC_L4SPM  = 1u << 18,  /* compare the source port */
    DWMAC_L4SPIM = 1u << 19,
    DWMAC_L4DPM  = 1u << 20,
    DWMAC_L4DPIM = 1u << 21,
    DWMAC_L3HSBM_SHIFT = 6,   /* low bits of an address that do not count */
    DWMAC_L3HDBM_SHIFT = 11,
};

typedef struct DwmacL34 {
    uint32_t ctrl;      /* DWMAC_L3*, DWMAC_L4* */
    uint32_t ports;     /* destination 31:16, source 15:0 */
    uint32_t addr[4];   /* IPv4: source, destination; IPv6: bits 31:0 first */
} DwmacL34;

/* What the filters say of a frame. */
enum {
    DWMAC_L34_DROP = 1 << 0,
    DWMAC_L34_L3   = 1 << 1,  /* a filter of layer 3 matched */
    DWMAC_L34_L4   = 1 << 2,
};

/**
 * dwmac_l34: judge a frame by its IP addresses and ports
 * @flt: the filters
 * @n: their number
 * @f: the frame
 * @len: its length in bytes
 * @drop_other: drop IP packets that are neither TCP nor UDP (DNTU)
 * @which: the first filter that matched, valid with L3 or L4
 *
 * Returns: DWMAC_L34_* bits.  Frames to which no enabled filter applies (not
 * IP, the other version of IP, the other protocol) pass.
 */
unsigned dwmac_l34(const DwmacL34 *flt, unsigned n, const uint8_t *f,
                   size_t len, bool drop_other, unsigned *which);

#endif
