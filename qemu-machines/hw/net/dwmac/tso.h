/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Segmentation (TSO, USO) of a multi-queue DesignWare MAC.
 *
 * Plain C without QEMU.
 */
#ifndef HW_NET_DWMAC_TSO_H
#define HW_NET_DWMAC_TSO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "coe.h"

typedef struct DwmacTso {
    const uint8_t *f;
    size_t len;
    size_t hdr;     /* bytes of headers in front of the payload */
    unsigned mss;   /* payload bytes a segment */
    size_t at;      /* payload bytes that are through */
    unsigned n;     /* segments that are through */
    CoeFrame c;
} DwmacTso;

/**
 * dwmac_tso_begin: get ready to cut up a frame
 * @t: filled in
 * @f: headers and payload; must stay while @t is in use
 * @len: their length in bytes
 * @hdr: how much of it are headers, Ethernet to TCP or UDP
 * @mss: payload bytes a segment
 *
 * Returns: false if this cannot be segmented: not TCP or UDP over IP, or
 * numbers that contradict each other.
 */
bool dwmac_tso_begin(DwmacTso *t, const uint8_t *f, size_t len, size_t hdr,
                     unsigned mss);

/**
 * dwmac_tso_next: the next segment, with lengths, sequence numbers and flags as
 * they belong; checksums are left to coe_insert()
 * @out: has room for hdr + mss bytes
 *
 * Returns: its length, or 0 behind the last one.
 */
size_t dwmac_tso_next(DwmacTso *t, uint8_t *out);

#endif
