// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * DesignWare GMAC 3.x: the receive FIFO.
 *
 * What it is: frames that the DMA cannot take (it is stopped, or waits for a
 * descriptor), in order, up to the size that the core was synthesised with; and
 * the PAUSE frames that its fill level sends.
 *
 * How it works: a frame that the ring takes at once never comes here.  With EFC
 * a PAUSE goes out when less than RFA is free, and one of no time when RFD is
 * free again (unless DZPQ); a FIFO of less than 4 KiB has no such thresholds.
 *
 * Facts: dwmac1000.h and dwmac1000_configure_fc() of Linux 6.12 for the codes of
 * RFA and RFD; the GMAC 3.70a databook, as vendors' manuals repeat it.
 *
 * Not here: a PAUSE that is sent again before its time is over (PLT).
 */
#include "qemu/osdep.h"
#include "gmac.h"
#include "trace.h"

#define FLOW_FIFO_MIN 4096

/* Bytes that have to be free, by the three bits of a threshold. */
static uint32_t threshold(uint32_t op, unsigned high, unsigned low)
{
    return (extract32(op, high, 1) * 4 + extract32(op, low, 2) + 1) * 1024;
}

static uint32_t free_bytes(const Gmac *g)
{
    return g->rx_fifo - MIN(g->fifo_level, g->rx_fifo);
}

bool gmac_fifo_fits(const Gmac *g, size_t len)
{
    return len + DWMAC_FCS_LEN <= free_bytes(g);
}

static void check_high(Gmac *g)
{
    uint32_t op = *gmac_reg(g, DMA_CONTROL);
    uint32_t flow = *gmac_reg(g, GMAC_FLOW_CTRL);

    if (!g->fifo_pausing && (op & DMA_CONTROL_EFC) && (flow & GMAC_FLOW_TFE) &&
        gmac_bit(g, GMAC_CONTROL, GMAC_CONTROL_DM) &&
        g->rx_fifo >= FLOW_FIFO_MIN &&
        free_bytes(g) < threshold(op, DMA_CONTROL_RFA_HIGH,
                                  DMA_CONTROL_RFA_LOW)) {
        g->fifo_pausing = true;
        gmac_tx_pause(g, flow >> GMAC_FLOW_PT_SHIFT);
    }
}

static void check_low(Gmac *g)
{
    uint32_t op = *gmac_reg(g, DMA_CONTROL);
    uint32_t flow = *gmac_reg(g, GMAC_FLOW_CTRL);

    if (g->fifo_pausing &&
        free_bytes(g) >= threshold(op, DMA_CONTROL_RFD_HIGH,
                                   DMA_CONTROL_RFD_LOW)) {
        g->fifo_pausing = false;
        if ((flow & GMAC_FLOW_TFE) && !(flow & GMAC_FLOW_DZPQ)) {
            gmac_tx_pause(g, 0);
        }
    }
}

void gmac_fifo_push(Gmac *g, const GmacRxMeta *meta, const uint8_t *f)
{
    size_t need = g->fifo_len + sizeof(*meta) + meta->len;

    if (need > g->fifo_cap) {
        g->fifo_cap = MAX(pow2ceil(need), 4096);
        g->fifo = g_realloc(g->fifo, g->fifo_cap);
    }
    memcpy(g->fifo + g->fifo_len, meta, sizeof(*meta));
    memcpy(g->fifo + g->fifo_len + sizeof(*meta), f, meta->len);
    g->fifo_len = need;
    g->fifo_level += meta->len + DWMAC_FCS_LEN;
    trace_gmac_fifo(g->core.name, g->fifo_level, g->rx_fifo);
    check_high(g);
}

const uint8_t *gmac_fifo_at(const Gmac *g, size_t at, GmacRxMeta *meta)
{
    if (at >= g->fifo_len) {
        return NULL;
    }
    memcpy(meta, g->fifo + at, sizeof(*meta));
    return g->fifo + at + sizeof(*meta);
}

void gmac_fifo_drop(Gmac *g, size_t bytes)
{
    GmacRxMeta meta;

    for (size_t at = 0; at < bytes; at += sizeof(meta) + meta.len) {
        gmac_fifo_at(g, at, &meta);
        g->fifo_level -= meta.len + DWMAC_FCS_LEN;
    }
    g->fifo_len -= bytes;
    memmove(g->fifo, g->fifo + bytes, g->fifo_len);
    trace_gmac_fifo(g->core.name, g->fifo_level, g->rx_fifo);
    check_low(g);
}

void gmac_fifo_flush(Gmac *g)
{
    g->fifo_len = g->fifo_level = 0;
    g->fifo_pausing = false;
}

bool gmac_fifo_valid(const Gmac *g)
{
    uint32_t level = 0;
    size_t at = 0;
    GmacRxMeta meta;

    while (at < g->fifo_len) {
        if (g->fifo_len - at < sizeof(meta)) {
            return false;
        }
        gmac_fifo_at(g, at, &meta);
        at += sizeof(meta);
        if (meta.len < 14 || meta.len > DWMAC_MAX_FRAME ||
            meta.len > g->fifo_len - at || !dwmac_verdict_valid(&meta.coe)) {
            return false;
        }
        at += meta.len;
        level += meta.len + DWMAC_FCS_LEN;
    }
    return level == g->fifo_level;
}
