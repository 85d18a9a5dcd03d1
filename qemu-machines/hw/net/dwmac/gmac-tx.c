// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * DesignWare GMAC 3.x: the transmit ring.
 *
 * What it is: the DMA that collects a frame from one or more descriptors
 * (normal or enhanced format, two buffers each in ring mode, one in chain
 * mode), the checksum engine's place in the path, padding, and the write-back.
 *
 * How it works: a poll demand runs the ring, at once in the register write,
 * which is as early as a guest can see it and the same in every run; or, where
 * demands come close together, some of them for all (dwmac.c).  Each
 * descriptor is closed as soon as its data is in the FIFO (tx_buf), the last
 * one of a frame with the frame's status.  A run over more than TX_BUDGET
 * descriptors goes on from a bottom half, so that a ring that never ends (in
 * a ROM, say) costs a guest its CPU time and nobody else's.
 *
 * The checksum engine works in store-and-forward mode only and on frames that
 * fit the FIFO (GMAC 3.70a databook; the driver's comment at DMA_CONTROL_TSF).
 *
 * What the MAC adds (source address, VLAN tag; enhanced descriptors only for what
 * a frame asks for itself) comes behind the engine's work.  A frame that asks for
 * it gets the time at which it leaves.
 *
 * Facts: descs.h, norm_desc.c, enh_desc.c and chain_mode.c of Linux 6.1 and 7.3;
 * the GMAC 3.70a databook, as vendors' manuals repeat it, for what VLIC, SAIC and
 * TTSE do.
 *
 * Not here: half duplex, one-step time stamps, underflow and early-transmit
 * interrupts (there is no FIFO that drains).
 * A frame with a CRC of its own (DC) leaves if that CRC is right; else it is
 * lost, since QEMU's wire cannot carry a bad one.
 */
#include "qemu/osdep.h"
#include <zlib.h>
#include "gmac.h"
#include "hw/net/mdio.h"
#include "trace.h"
#include "vlan.h"

#define TX_BUDGET 4096

/* Frames longer than this, FCS included, are cut unless JD is set. */
#define JABBER_LIMIT       2048
#define JABBER_LIMIT_JUMBO 10240

typedef struct TxDesc {
    uint32_t addr;
    uint32_t w[4];
    bool fs, ls, ic, end, chained, no_pad, no_crc, stamp;
    uint8_t cic, vlic, saic;
    uint16_t size[2];
} TxDesc;

static void decode_enhanced(TxDesc *d)
{
    uint32_t c = d->w[0];

    d->fs = c & ETDES0_FS;
    d->ls = c & ETDES0_LS;
    d->ic = c & ETDES0_IC;
    d->end = c & ETDES0_TER;
    d->chained = c & ETDES0_TCH;
    d->no_pad = c & ETDES0_DP;
    d->no_crc = c & ETDES0_DC;
    d->cic = extract32(c, ETDES0_CIC_SHIFT, 2);
    d->stamp = c & ETDES0_TTSE;
    d->vlic = extract32(c, ETDES0_VLIC_SHIFT, 2);
    d->saic = extract32(d->w[1], ETDES1_SAIC_SHIFT, 3);
    d->size[0] = extract32(d->w[1], 0, 13);
    d->size[1] = d->chained ? 0 : extract32(d->w[1], 16, 13);
}

static void decode_normal(TxDesc *d)
{
    uint32_t c = d->w[1];

    d->fs = c & TDES1_FS;
    d->ls = c & TDES1_LS;
    d->ic = c & TDES1_IC;
    d->end = c & TDES1_TER;
    d->chained = c & TDES1_TCH;
    d->no_pad = c & TDES1_DP;
    d->no_crc = c & TDES1_DC;
    d->cic = extract32(c, TDES1_CIC_SHIFT, 2);
    d->stamp = c & TDES1_TTSE;
    d->vlic = d->saic = 0;
    d->size[0] = extract32(c, 0, 11);
    d->size[1] = d->chained ? 0 : extract32(c, 11, 11);
}

static bool fetch(Gmac *g, TxDesc *d)
{
    d->addr = *gmac_reg(g, DMA_HOST_TX_DESC);
    if (!gmac_dma_read(g, d->addr, d->w, sizeof(d->w),
                       DMA_EB_TX | DMA_EB_READ | DMA_EB_DESC)) {
        return false;
    }
    for (int i = 0; i < 4; i++) {
        d->w[i] = le32_to_cpu(d->w[i]);
    }
    if (g->enh_desc) {
        decode_enhanced(d);
    } else {
        decode_normal(d);
    }
    trace_gmac_tx_desc(g->core.name, d->addr, d->w[0], d->w[1], d->w[2],
                       d->w[3]);
    return true;
}

static void advance(Gmac *g, const TxDesc *d)
{
    uint32_t *cur = gmac_reg(g, DMA_HOST_TX_DESC);

    if (d->end) {
        *cur = *gmac_reg(g, DMA_TX_BASE_ADDR);
    } else if (d->chained) {
        *cur = d->w[3];
    } else {
        *cur += gmac_desc_stride(g);
    }
}

static bool write_tdes0(Gmac *g, uint32_t addr, uint32_t w0)
{
    w0 = cpu_to_le32(w0);
    return dwmac_fault(&g->core, &g->core.fault.writeback, "write-back") ||
           gmac_dma_write(g, addr, &w0, sizeof(w0), DMA_EB_TX | DMA_EB_DESC);
}

static uint32_t closed(const TxDesc *d, uint32_t status)
{
    return (d->w[0] & ~(DES0_OWN | TDES0_STATUS_MASK)) | status;
}

static bool close_desc(Gmac *g, const TxDesc *d, uint32_t status)
{
    return write_tdes0(g, d->addr, closed(d, status));
}

void gmac_tx_late(void *opaque)
{
    Gmac *g = opaque;

    write_tdes0(g, g->late_addr, g->late_tdes0);
    if (g->late_ic) {
        gmac_raise(g, DMA_STATUS_TI);
    }
    gmac_tx_run(g);
}

/* The last descriptor of a frame: now, or late where that is asked for. */
static bool close_last(Gmac *g, const TxDesc *d, uint32_t status)
{
    if (!g->core.fault.late_tx_ns) {
        if (d->ic) {
            gmac_raise(g, DMA_STATUS_TI);
        }
        return close_desc(g, d, status);
    }
    g->late_addr = d->addr;
    g->late_tdes0 = closed(d, status);
    g->late_ic = d->ic;
    timer_mod_ns(g->late_timer, g->core.fault.late_tx_ns +
                 qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL));
    return true;
}

void gmac_tx_flush(Gmac *g)
{
    g->tx_frame = false;
    g->tx_jabber = false;
    g->tx_len = 0;
}

static void begin_frame(Gmac *g, const TxDesc *d)
{
    gmac_tx_flush(g);
    g->tx_frame = true;
    g->tx_cic = d->cic;
    g->tx_no_pad = d->no_pad;
    g->tx_no_crc = d->no_crc;
    g->tx_stamp = d->stamp;
    g->tx_vlic = d->vlic;
    g->tx_saic = d->saic;
}

static bool gather(Gmac *g, const TxDesc *d)
{
    for (int i = 0; i < 2; i++) {
        size_t n = MIN(d->size[i], DWMAC_MAX_FRAME - g->tx_len);

        g->tx_jabber |= n < d->size[i];
        if (!n) {
            continue;
        }
        *gmac_reg(g, DMA_CUR_TX_BUF_ADDR) = d->w[2 + i];
        if (!gmac_dma_read(g, d->w[2 + i], g->tx_buf + g->tx_len, n,
                           DMA_EB_TX | DMA_EB_READ)) {
            return false;
        }
        g->tx_len += n;
    }
    return true;
}

/* Returns: status bits of TDES0 */
static uint32_t insert_checksums(Gmac *g)
{
    bool fits = g->tx_len <= g->tx_fifo;
    uint32_t status = 0;
    unsigned flags;

    if (!g->tx_coe || g->tx_cic == COE_CIC_OFF ||
        !gmac_bit(g, DMA_CONTROL, DMA_CONTROL_TSF)) {
        return 0;
    }
    flags = coe_insert(g->tx_buf, g->tx_len, g->tx_cic, fits);
    if (flags & COE_IP && flags & COE_HDR_ERR) {
        status |= TDES0_IP_HDR_ERR | TDES0_ES;
    }
    if (flags & COE_PAY_ERR) {
        status |= TDES0_PAYLOAD_ERROR | TDES0_ES;
    }
    trace_gmac_tx_coe(g->core.name, g->tx_cic, flags, status);
    return status;
}

/* A CRC that came with the frame is taken off. */
static bool strip_crc(Gmac *g)
{
    if (g->tx_len <= DWMAC_FCS_LEN) {
        return false;
    }
    g->tx_len -= DWMAC_FCS_LEN;
    return (uint32_t)ldl_le_p(g->tx_buf + g->tx_len) ==
           crc32(0, g->tx_buf, g->tx_len);
}

static void pad_frame(Gmac *g)
{
    if (g->tx_len < DWMAC_MIN_FRAME) {
        memset(g->tx_buf + g->tx_len, 0, DWMAC_MIN_FRAME - g->tx_len);
        g->tx_len = DWMAC_MIN_FRAME;
    }
}

static bool is_jabber(const Gmac *g)
{
    uint32_t limit = gmac_bit(g, GMAC_CONTROL, GMAC_CONTROL_JE) ?
                     JABBER_LIMIT_JUMBO : JABBER_LIMIT;

    return g->tx_jabber || (!gmac_bit(g, GMAC_CONTROL, GMAC_CONTROL_JD) &&
                            g->tx_len + DWMAC_FCS_LEN > limit);
}

/* What the MAC puts into a frame whose FCS it makes. */
static void edit_frame(Gmac *g)
{
    size_t was = g->tx_len;
    uint8_t addr[2][6];

    if (!g->sa_vlan_ins || g->tx_len < 14) {
        return;
    }
    gmac_own_address(g, 0, addr[0]);
    gmac_own_address(g, 1, addr[1]);
    g->tx_len = dwmac_source_address(g->tx_buf, g->tx_len, g->tx_saic,
                                     extract32(*gmac_reg(g, GMAC_CONTROL),
                                               GMAC_CONTROL_SARC_SHIFT, 3),
                                     addr);
    g->tx_len = dwmac_vlan_include(g->tx_buf, g->tx_len, 12,
                                   *gmac_reg(g, GMAC_VLAN_INCL) &
                                   ~DWMAC_VI_VLTI, g->tx_vlic, 0);
    if (g->tx_len != was) {
        trace_gmac_tx_edit(g->core.name, was, g->tx_len);
    }
}

/* Returns: status bits of TDES0; @go is false if nothing leaves */
static uint32_t prepare_frame(Gmac *g, bool *go)
{
    uint32_t status;

    *go = false;
    if (is_jabber(g)) {
        gmac_raise(g, DMA_STATUS_TJT);
        return TDES0_JABBER | TDES0_ES;
    }
    status = insert_checksums(g);
    if (g->tx_len >= 14 && lduw_be_p(g->tx_buf + 12) == 0x8100) {
        status |= TDES0_VLAN;
    }
    *go = g->tx_len > 0;
    if (g->tx_no_crc) {
        *go = strip_crc(g);
        return status;
    }
    edit_frame(g);
    if (!g->tx_no_pad) {
        pad_frame(g);
    }
    return status;
}

/* To the wire, or back: from the MAC itself, or from the PHY. */
static bool emit(Gmac *g, const uint8_t *f, size_t len)
{
    gmac_lpi_leave(g);
    if (g->rmon) {
        dwmac_mmc_tx(&g->mmc, f, len);
    }
    if (gmac_bit(g, GMAC_CONTROL, GMAC_CONTROL_LM) ||
        (mdio_bus_state(g->core.mdio) & MDIO_STATE_LOOPBACK)) {
        gmac_rx_loopback(g, f, len);
        return true;
    }
    return dwmac_core_send(&g->core, f, len);
}

/* Returns: does the wire take more? */
static bool transmit(Gmac *g)
{
    size_t len = g->tx_len;

    trace_gmac_tx_frame(g->core.name, len, g->tx_cic);
    gmac_tx_flush(g);
    return emit(g, g->tx_buf, len);
}

/*
 * The time at which a frame leaves goes into TDES6 and TDES7, or without those
 * in place of the buffers.  Returns: is the descriptor as it should be?
 */
static bool stamp(Gmac *g, const TxDesc *d, uint32_t *status)
{
    int64_t clock = qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);
    uint32_t w[2];

    if (!g->tx_stamp || !g->timestamps || !(g->ptp.tcr & DWMAC_PTP_TSENA)) {
        return true;
    }
    w[0] = dwmac_ptp_read(&g->ptp, DWMAC_PTP_STNSR, clock);
    w[1] = dwmac_ptp_read(&g->ptp, DWMAC_PTP_STSR, clock);
    trace_gmac_tx_stamp(g->core.name, w[1], w[0]);
    *status |= TDES0_TTSS;
    w[0] = cpu_to_le32(w[0]);
    w[1] = cpu_to_le32(w[1]);
    return gmac_dma_write(g, d->addr + (gmac_atds(g) ? 24 : 8), w, sizeof(w),
                          DMA_EB_TX | DMA_EB_DESC);
}

static bool finish_frame(Gmac *g, const TxDesc *d)
{
    uint32_t status;
    bool go, ok;

    status = prepare_frame(g, &go);
    ok = (!go || stamp(g, d, &status)) && close_last(g, d, status);
    advance(g, d);
    if (go) {
        ok &= transmit(g);
    } else {
        gmac_tx_flush(g);
    }
    return ok;
}

static void suspend(Gmac *g)
{
    g->tx_state = DMA_TS_SUSPENDED;
    gmac_raise(g, DMA_STATUS_TU);
    trace_gmac_tx_suspend(g->core.name, *gmac_reg(g, DMA_HOST_TX_DESC));
}

/* Returns: go on with the next descriptor? */
static bool run_one(Gmac *g)
{
    TxDesc d;

    if (!fetch(g, &d)) {
        return false;
    }
    if (!(d.w[0] & DES0_OWN)) {
        suspend(g);
        return false;
    }
    if (d.fs) {
        begin_frame(g, &d);
    }
    /* Segments without a beginning are closed and lead nowhere. */
    if (g->tx_frame && !gather(g, &d)) {
        return false;
    }
    if (d.ls && g->tx_frame) {
        return finish_frame(g, &d);
    }
    advance(g, &d);
    return close_desc(g, &d, 0);
}

static bool may_run(Gmac *g)
{
    return g->tx_state == DMA_TS_WAITING && !g->core.tx_blocked &&
           gmac_bit(g, DMA_CONTROL, DMA_CONTROL_ST) &&
           gmac_bit(g, GMAC_CONTROL, GMAC_CONTROL_TE) &&
           !timer_pending(g->pause_timer) &&
           !timer_pending(g->late_timer) && !gmac_lpi_blocks(g) &&
           dwmac_core_running();
}

void gmac_tx_run(Gmac *g)
{
    unsigned budget = TX_BUDGET;

    if (g->tx_running) {
        return;
    }
    g->tx_running = true;
    while (may_run(g) && run_one(g)) {
        if (!--budget) {
            qemu_bh_schedule(g->tx_bh);
            break;
        }
    }
    if (budget) {
        gmac_lpi_idle(g);
    }
    g->tx_running = false;
    gmac_update_irq(g);
}

void gmac_own_address(const Gmac *g, unsigned slot, uint8_t *addr)
{
    unsigned off = slot < 16 ? GMAC_ADDR_BASE + slot * 8 :
                   GMAC_ADDR16_BASE + (slot - 16) * 8;

    stl_le_p(addr, g->regs[off / 4 + 1]);
    stw_le_p(addr + 4, g->regs[off / 4]);
}

void gmac_tx_pause(Gmac *g, unsigned quanta)
{
    uint8_t f[DWMAC_MIN_FRAME], own[6];

    gmac_own_address(g, 0, own);
    dwmac_make_pause(f, own, quanta);
    trace_gmac_tx_pause(g->core.name, quanta);
    emit(g, f, sizeof(f));
}
