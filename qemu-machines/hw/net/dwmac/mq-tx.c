// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The multi-queue DesignWare MACs: the transmit rings.
 *
 * What it is: the DMA engines that collect a frame from one or more
 * descriptors of two buffers each, the checksum engine's place in the path,
 * padding, and the write-back.  QoS and XGMAC have the same descriptors.
 *
 * How it works: a tail pointer write runs the rings, at once in the register
 * write, which is as early as a guest can see it and the same in every run; or,
 * where writes come close together, some of them for all (dwmac.c).  A
 * channel stops where its current descriptor is the tail or belongs to the
 * CPU.  Each descriptor is closed as soon as its data is in the FIFO (tx_buf),
 * the last one of a frame with the frame's status; a frame without a last
 * descriptor waits there forever.  One that is to be segmented and is followed by
 * the first descriptor of another is the end of the channel: it hangs at the next
 * last descriptor, until a software reset (commit 426849e6611f of Linux).
 * Channels take turns, the highest first.  A
 * run over more than TX_BUDGET descriptors goes on from a bottom half, so that
 * a ring that never ends costs a guest its CPU time and nobody else's.
 *
 * The checksum engine works in store-and-forward mode only, on frames that fit
 * the queue's FIFO, and on queues that were synthesised with it (property
 * tx-coe-queues); on others CIC has no effect and the frame leaves as the
 * driver wrote it (commit 8452a05b2c63 of Linux).
 *
 * Facts: dwmac4_descs.c of Linux 6.12; the QoS 5.10a databook as vendors'
 * manuals repeat it.
 *
 * A frame with a launch time (TBS) waits for the system time of IEEE 1588; with
 * a time that stands still it goes at once.
 *
 * Not here: half duplex, one-step time stamps, underflow and early-transmit
 * interrupts (there is no FIFO that drains), credit-based shaping and weights
 * (the wire takes a frame at once, so there is nothing to share).  A frame
 * with a CRC of its own leaves if that CRC is right; else it is lost, since
 * QEMU's wire cannot carry a bad one.
 */
#include "qemu/osdep.h"
#include <zlib.h>
#include "hw/net/mdio.h"
#include "mq.h"
#include "trace.h"
#include "tso.h"

#define TX_BUDGET 4096

/* Frames longer than this, FCS included, are cut unless JD is set. */
#define JABBER_LIMIT       2048
#define JABBER_LIMIT_JUMBO 10240

typedef struct TxDesc {
    uint64_t addr;      /* of w[] */
    uint32_t w[4];
    bool wide;          /* lt[] is there: TDES4, TDES5 */
    uint32_t lt[2];
} TxDesc;

/* Where descriptors have eight words, TDES4 to TDES7 come first. */
static bool fetch(MqChan *c, TxDesc *d)
{
    uint32_t w[8];
    unsigned n;

    d->wide = *mq_ch(c, MQ_CH_TX_CONTROL) & DMA_TX_CONTROL_EDSE;
    n = d->wide ? 4 : 0;
    d->addr = c->tx_cur + n * 4;
    if (!mq_dma_read(c, true, c->tx_cur, w, 16 + n * 4, DMA_EB_DESC)) {
        return false;
    }
    for (int i = 0; i < 4; i++) {
        d->w[i] = le32_to_cpu(w[n + i]);
    }
    d->lt[0] = le32_to_cpu(w[0]);
    d->lt[1] = le32_to_cpu(w[1]);
    trace_mq_tx_desc(c->m->core.name, c->n, d->addr, d->w[0], d->w[1],
                     d->w[2], d->w[3]);
    return true;
}

static void advance(MqChan *c)
{
    c->tx_cur = mq_next_desc(c, true, c->tx_cur);
}

static bool write_tdes3(MqChan *c, uint64_t addr, uint32_t w3)
{
    w3 = cpu_to_le32(w3);
    return dwmac_fault(&c->m->core, &c->m->core.fault.writeback, "write-back") ||
           mq_dma_write(c, true, addr, &w3, sizeof(w3), DMA_EB_DESC);
}

static bool close_desc(MqChan *c, const TxDesc *d, uint32_t status)
{
    return write_tdes3(c, d->addr + 12,
                       (d->w[3] & TDES3_WB_KEPT) | status);
}

void mq_tx_late(void *opaque)
{
    Mq *m = opaque;
    MqChan *c = &m->chan[m->late_chan];

    write_tdes3(c, m->late_addr, m->late_tdes3);
    if (m->late_ioc) {
        mq_raise(c, DMA_CHAN_TI);
    }
    mq_tx_run(m);
}

/* With the time stamp, if one was taken, in TDES0 and TDES1. */
static bool close_stamped(MqChan *c, const TxDesc *d, uint32_t status)
{
    uint32_t w[2] = { cpu_to_le32(c->stamp_nsec), cpu_to_le32(c->stamp_sec) };

    return (!(status & TDES3_WB_TTSS) ||
            mq_dma_write(c, true, d->addr, w, sizeof(w), DMA_EB_DESC)) &&
           close_desc(c, d, status);
}

/* The last descriptor of a frame: now, or late where that is asked for. */
static bool close_last(MqChan *c, const TxDesc *d, uint32_t status)
{
    Mq *m = c->m;

    if (!m->core.fault.late_tx_ns) {
        if (d->w[2] & TDES2_IOC) {
            mq_raise(c, DMA_CHAN_TI);
        }
        return close_stamped(c, d, status);
    }
    m->late_chan = c->n;
    m->late_addr = d->addr + 12;
    m->late_tdes3 = (d->w[3] & TDES3_WB_KEPT) | status;
    m->late_ioc = d->w[2] & TDES2_IOC;
    timer_mod_ns(m->late_timer, m->core.fault.late_tx_ns +
                 qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL));
    return false;
}

void mq_tx_flush(MqChan *c)
{
    c->tx_frame = false;
    c->tx_over = false;
    c->tx_len = 0;
}

static bool segments(MqChan *c)
{
    return c->m->tso && (c->tx_ctl.tdes3 & TDES3_TSE) &&
           (*mq_ch(c, MQ_CH_TX_CONTROL) & DMA_TX_CONTROL_TSE);
}

static void begin_frame(MqChan *c, const TxDesc *d)
{
    c->tx_torn |= c->tx_frame && segments(c);
    mq_tx_flush(c);
    c->tx_frame = true;
    c->tx_ctl.tdes2 = d->w[2];
    c->tx_ctl.tdes3 = d->w[3];
}

/* Makes room for @n more bytes; false if a frame cannot be that long. */
static bool reserve(MqChan *c, size_t n)
{
    size_t need = c->tx_len + n;

    if (need > MQ_TX_MAX) {
        return false;
    }
    if (need + MQ_EDIT_ROOM > c->tx_cap) {
        c->tx_cap = MAX(pow2ceil(need + MQ_EDIT_ROOM), 2048);
        c->tx_buf = g_realloc(c->tx_buf, c->tx_cap);
    }
    return true;
}

static void show_buffer(MqChan *c, uint64_t addr)
{
    *mq_ch(c, MQ_CH_CUR_TX_BUF_HI) = addr >> 32;
    *mq_ch(c, MQ_CH_CUR_TX_BUF) = addr;
}

static bool gather(MqChan *c, const TxDesc *d)
{
    /* Where addresses are wide, TDES1 has the upper half of buffer 1. */
    bool wide = c->m->gen->eame(c->m);
    const uint64_t addr[2] = {
        mq_addr(c->m, d->w[1], d->w[0]),
        mq_addr(c->m, 0, d->w[1]),
    };
    const size_t size[2] = {
        extract32(d->w[2], 0, TDES2_B1L_LEN),
        wide ? 0 : extract32(d->w[2], TDES2_B2L_SHIFT, TDES2_B1L_LEN),
    };

    for (int i = 0; i < 2; i++) {
        if (!size[i]) {
            continue;
        }
        if (!reserve(c, size[i])) {
            c->tx_over = true;
            continue;
        }
        show_buffer(c, addr[i]);
        if (!mq_dma_read(c, true, addr[i], c->tx_buf + c->tx_len, size[i],
                         DMA_EB_DATA)) {
            return false;
        }
        c->tx_len += size[i];
    }
    return true;
}

/* A frame that is about to leave: in tx_buf, or one segment of what is there. */
typedef struct TxFrame {
    uint8_t *f;         /* with MQ_EDIT_ROOM bytes behind it */
    size_t len;
    unsigned cic;
} TxFrame;

static bool has_engine(const MqChan *c)
{
    return c->m->tx_coe && (c->m->tx_coe_queues >> c->n & 1);
}

/* Returns: status bits of TDES3 */
static uint32_t insert_checksums(MqChan *c, const MqTxq *q, TxFrame *t)
{
    uint32_t status = 0;
    unsigned flags;

    if (!has_engine(c) || t->cic == COE_CIC_OFF || !q->tsf) {
        return 0;
    }
    flags = coe_insert(t->f, t->len, t->cic, t->len <= q->size);
    if (flags & COE_IP && flags & COE_HDR_ERR) {
        status |= TDES3_WB_IHE | TDES3_WB_ES;
    }
    if (flags & COE_PAY_ERR) {
        status |= TDES3_WB_PCE | TDES3_WB_ES;
    }
    trace_mq_tx_coe(c->m->core.name, c->n, t->cic, flags, status);
    return status;
}

/* A CRC that came with the frame is taken off. */
static bool strip_crc(TxFrame *t)
{
    if (t->len <= DWMAC_FCS_LEN) {
        return false;
    }
    t->len -= DWMAC_FCS_LEN;
    return (uint32_t)ldl_le_p(t->f + t->len) == crc32(0, t->f, t->len);
}

/* Does what is sent come back: in the MAC itself, or at the PHY? */
static bool looped(Mq *m, const MqMac *mac)
{
    return (mac->flags & MQ_LM) ||
           (mdio_bus_state(m->core.mdio) & MDIO_STATE_LOOPBACK);
}

/* Returns: does the wire take more? */
static bool transmit(Mq *m, const MqMac *mac, const uint8_t *f, size_t len)
{
    mq_lpi_leave(m);
    if (m->rmon) {
        dwmac_mmc_tx(&m->mmc, f, len);
    }
    if (looped(m, mac)) {
        mq_rx_loopback(m, f, len);
        return true;
    }
    return dwmac_core_send(&m->core, f, len);
}

void mq_send(Mq *m, const uint8_t *f, size_t len)
{
    MqMac mac = mq_mac(m);

    transmit(m, &mac, f, len);
}

/* Takes the time of a frame that asks for it; returns bits of TDES3. */
static uint32_t stamp(MqChan *c)
{
    Mq *m = c->m;
    int64_t clock = qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);
    unsigned base = m->gen->ptp_base;

    if (!(c->tx_ctl.tdes2 & TDES2_TTSE) || !m->timestamps ||
        !(m->ptp.tcr & DWMAC_PTP_TSENA)) {
        return 0;
    }
    c->stamp_sec = dwmac_ptp_read(&m->ptp, DWMAC_PTP_STSR, clock);
    c->stamp_nsec = dwmac_ptp_read(&m->ptp, DWMAC_PTP_STNSR, clock);
    *mq_reg(m, base + MQ_PTP_TX_SEC) = c->stamp_sec;
    *mq_reg(m, base + MQ_PTP_TX_NSEC) = c->stamp_nsec;
    *mq_reg(m, base + MQ_PTP_STATUS) |= MQ_PTP_STATUS_TXTSC;
    trace_mq_tx_stamp(m->core.name, c->n, c->stamp_sec, c->stamp_nsec);
    return TDES3_WB_TTSS;
}

/*
 * Makes a frame whole and sends it.  Padding goes into tx_buf or the scratch
 * buffer, both of which are longer than the shortest frame.
 *
 * Returns: status bits of TDES3
 */
static uint32_t emit(MqChan *c, const MqMac *mac, const MqTxq *q, TxFrame *t)
{
    uint32_t status = insert_checksums(c, q, t);
    bool go = t->len > 0;

    switch (extract32(c->tx_ctl.tdes3, TDES3_CPC_SHIFT, 2)) {
    case MQ_CPC_CRC_PAD:
        t->len = mq_tx_edit(c, mac, t->f, t->len);
        if (t->len < DWMAC_MIN_FRAME) {
            memset(t->f + t->len, 0, DWMAC_MIN_FRAME - t->len);
            t->len = DWMAC_MIN_FRAME;
        }
        break;
    case MQ_CPC_CRC:
        t->len = mq_tx_edit(c, mac, t->f, t->len);
        break;
    case MQ_CPC_NONE:
        go = strip_crc(t);
        break;
    case MQ_CPC_REPLACE:
        t->len -= MIN(t->len, DWMAC_FCS_LEN);
        break;
    }
    trace_mq_tx_frame(c->m->core.name, c->n, t->len, status);
    status |= stamp(c);
    if (go) {
        transmit(c->m, mac, t->f, t->len);
    }
    return status;
}

static bool is_jabber(MqChan *c, const MqMac *mac)
{
    uint32_t limit = mac->flags & MQ_JE ? JABBER_LIMIT_JUMBO : JABBER_LIMIT;

    return c->tx_over || c->tx_len > DWMAC_MAX_FRAME ||
           (!(mac->flags & MQ_JD) && c->tx_len + DWMAC_FCS_LEN > limit);
}

/* The headers are what buffer 1 of the first descriptor holds. */
static uint32_t emit_segments(MqChan *c, const MqMac *mac, const MqTxq *q)
{
    size_t hdr = extract32(c->tx_ctl.tdes2, 0, TDES2_B1L_LEN), n;
    unsigned mss = c->tx_mss ?: extract32(*mq_ch(c, MQ_CH_CONTROL), 0,
                                          TDES2_CTXT_MSS_LEN);
    uint32_t status = 0;
    DwmacTso t;

    trace_mq_tx_tso(c->m->core.name, c->n, c->tx_len, hdr, mss);
    if (c->tx_over || hdr + mss > DWMAC_MAX_FRAME ||
        !dwmac_tso_begin(&t, c->tx_buf, c->tx_len, hdr, mss)) {
        return TDES3_WB_JT | TDES3_WB_ES;
    }
    while ((n = dwmac_tso_next(&t, c->m->tx_scratch))) {
        TxFrame f = { c->m->tx_scratch, n, COE_CIC_FULL };

        status |= emit(c, mac, q, &f);
    }
    return status;
}

/* A core that stops at a queue without engine says so and waits for help. */
static bool stops(MqChan *c)
{
    bool wants = segments(c) ||
                 extract32(c->tx_ctl.tdes3, TDES3_CIC_SHIFT, 2);

    if (!wants || !c->m->gen->no_coe_stops || has_engine(c)) {
        return false;
    }
    trace_mq_tx_no_engine(c->m->core.name, c->n);
    c->tx_state = MQ_DMA_STOPPED;
    mq_raise(c, DMA_CHAN_TPS);
    return true;
}

static bool finish_frame(MqChan *c, const TxDesc *d, const MqTxq *q)
{
    MqMac mac = mq_mac(c->m);
    uint32_t status;
    bool ok;

    if (stops(c)) {
        return false;
    }
    if (segments(c)) {
        status = emit_segments(c, &mac, q);
    } else if (is_jabber(c, &mac) || !reserve(c, DWMAC_MIN_FRAME)) {
        status = TDES3_WB_JT | TDES3_WB_ES;
    } else {
        TxFrame t = { c->tx_buf, c->tx_len,
                      extract32(c->tx_ctl.tdes3, TDES3_CIC_SHIFT, 2) };

        status = emit(c, &mac, q, &t);
    }
    mq_tx_flush(c);
    ok = close_last(c, d, status);
    advance(c);
    return ok;
}

/* Remembers what a context descriptor says for the frames behind it. */
static bool context(MqChan *c, const TxDesc *d)
{
    uint32_t w2 = d->w[2], w3 = d->w[3];

    if (w3 & TDES3_CTXT_TCMSSV) {
        c->tx_mss = extract32(w2, 0, TDES2_CTXT_MSS_LEN);
    }
    if (w3 & TDES3_CTXT_VLTV) {
        c->tx_vlan = w3;
    }
    if (w3 & TDES3_CTXT_IVLTV) {
        c->tx_inner_vlan = w2 >> TDES2_CTXT_IVT_SHIFT;
        c->tx_inner_vtir = extract32(w3, TDES3_CTXT_IVTIR_SHIFT, 2);
    }
    advance(c);
    return close_desc(c, d, 0);
}

static void suspend(MqChan *c)
{
    c->tx_state = MQ_TX_SUSPENDED;
    mq_raise(c, DMA_CHAN_TBU);
    trace_mq_tx_suspend(c->m->core.name, c->n, c->tx_cur);
}

/*
 * Time-based scheduling: is it too early for this frame?  The launch time has
 * eight bits of seconds: half of them lie ahead, half behind.
 */
static bool too_early(MqChan *c, const TxDesc *d)
{
    Mq *m = c->m;
    int64_t clock, when, at;
    uint64_t now, sec;

    if (!d->wide || !m->tbs || !m->timestamps || !(d->w[3] & TDES3_FD) ||
        !(d->lt[0] & TDES4_LTV)) {
        return false;
    }
    clock = qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);
    now = dwmac_ptp_now(&m->ptp, clock);
    sec = now / NANOSECONDS_PER_SECOND;
    at = (int64_t)(sec + (int8_t)(d->lt[0] - sec)) * NANOSECONDS_PER_SECOND +
         (d->lt[1] & TDES5_LT_MASK);
    if (at <= (int64_t)now) {
        return false;
    }
    when = dwmac_ptp_until(&m->ptp, at, clock);
    trace_mq_tx_launch(m->core.name, c->n, at - now);
    if (when == INT64_MAX) {
        return false;
    }
    timer_mod_ns(c->launch_timer, when);
    return true;
}

/* Returns: go on with the channel's next descriptor? */
static bool run_one(MqChan *c, const MqTxq *q)
{
    TxDesc d;

    if ((uint32_t)c->tx_cur == *mq_ch(c, MQ_CH_TX_TAIL)) {
        suspend(c);
        return false;
    }
    if (!fetch(c, &d)) {
        return false;
    }
    if (!(d.w[3] & TDES3_OWN)) {
        suspend(c);
        return false;
    }
    if (d.w[3] & TDES3_CTXT) {
        return context(c, &d);
    }
    if (too_early(c, &d)) {
        return false;
    }
    if (d.w[3] & TDES3_FD) {
        begin_frame(c, &d);
    }
    /* Segments without a beginning are closed and lead nowhere. */
    if (c->tx_frame && !gather(c, &d)) {
        return false;
    }
    if ((d.w[3] & TDES3_LD) && c->tx_torn) {
        trace_mq_tx_hung(c->m->core.name, c->n, c->tx_cur);
        c->tx_hung = true;
        return false;
    }
    if ((d.w[3] & TDES3_LD) && c->tx_frame) {
        return finish_frame(c, &d, q);
    }
    advance(c);
    return close_desc(c, &d, 0);
}

static bool may_run(MqChan *c)
{
    Mq *m = c->m;

    return c->tx_state == MQ_TX_RUNNING && !c->tx_hung && !m->core.tx_blocked &&
           (mq_mac(m).flags & MQ_TE) && !timer_pending(m->pause_timer) &&
           !timer_pending(c->launch_timer) &&
           !timer_pending(m->late_timer) && !mq_lpi_blocks(m) &&
           dwmac_core_running();
}

/* Runs one channel until it has nothing more; false when out of budget. */
static bool run_chan(MqChan *c, unsigned *budget)
{
    MqTxq q;

    c->m->gen->txq(c->m, c->n, &q);
    while (q.on && may_run(c) && run_one(c, &q)) {
        if (!--*budget) {
            return false;
        }
    }
    return true;
}

void mq_tx_run(Mq *m)
{
    unsigned budget = TX_BUDGET;

    if (m->tx_running) {
        return;
    }
    m->tx_running = true;
    for (int n = m->tx_queues - 1; n >= 0; n--) {
        if (!run_chan(&m->chan[n], &budget)) {
            qemu_bh_schedule(m->tx_bh);
            break;
        }
    }
    m->tx_running = false;
    mq_lpi_idle(m);
    mq_update_irq(m);
}

void mq_tx_pause(Mq *m, unsigned q, unsigned quanta)
{
    uint8_t f[DWMAC_MIN_FRAME], own[6];

    mq_own_address(m, 0, own);
    dwmac_make_pause(f, own, quanta);
    trace_mq_tx_pause(m->core.name, q, quanta);
    mq_send(m, f, sizeof(f));
}
