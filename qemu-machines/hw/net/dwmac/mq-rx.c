// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The multi-queue DesignWare MACs: from the wire to the receive rings.
 *
 * What it is: the way of a frame through length checks, address filter, PAUSE,
 * the choice of a queue and a DMA channel, the queue's FIFO, the checksum
 * engine and FCS handling, into one or more descriptors.
 *
 * How it works: a frame goes straight into the ring when nothing waits before
 * it and the channel can take it; else it waits in its queue's FIFO, which has
 * the size that the MTL registers give it.  A channel that found no descriptor
 * is suspended until its tail pointer is written (RBU), also in the middle of a
 * frame.  What no longer fits the FIFO is lost and counted, and the overflow
 * interrupt tells of it; with the property rx-lossless (on) a frame from the
 * wire waits in front of the MAC instead.  Where a queue's registers say so,
 * PAUSE frames go out as its FIFO fills.  What the checksum engine found in a
 * frame waits with it.  A write to a tail pointer stores a few waiting frames
 * itself, and leaves more to the main loop.
 *
 * The checksum engine's verdict goes into the status words.  In
 * store-and-forward mode the MTL drops frames with checksum errors unless
 * DIS_TCP_EF or FEP is set: drivers that take "no error" for "checked" lean on
 * that.
 *
 * Facts: the receive chapters of the QoS 5.10a databook as vendors' manuals
 * repeat them; dwmac4_core.c and stmmac_main.c of Linux 6.12 for the rings.
 * QEMU's wire has no FCS; the four bytes are computed and stored, and counted
 * in the length, unless the MAC strips them (ACS for 802.3 lengths, CST for
 * types).
 *
 * Not here: threshold mode (a frame is there at once), early receive
 * interrupts.
 */
#include "qemu/osdep.h"
#include <zlib.h>
#include "mq.h"
#include "trace.h"

/* A frame spread over more descriptors than this is a broken ring. */
#define SPLIT_SHORT  64u    /* bytes in buffer 2 when it is not filled */
#define RX_MAX_DESCS 4096

/* Bytes in the FIFOs that a write to a tail pointer puts into the ring itself. */
#define REFILL_NOW   4096

/* Lengths count the FCS. */
#define WATCHDOG_LIMIT       2048
#define WATCHDOG_LIMIT_JUMBO 10240
#define GIANT_LIMIT          1518
#define GIANT_LIMIT_2K       2000
#define GIANT_LIMIT_JUMBO    9018
#define MAX_8023_LENGTH      1500

#define TYPE_VLAN    0x8100
#define TYPE_SVLAN   0x88a8
#define TYPE_ARP     0x0806
#define TYPE_CONTROL 0x8808
#define TYPE_OAM     0x8809

typedef struct RxDesc {
    uint64_t addr;
    uint32_t w[4];
} RxDesc;

enum Outcome { RX_DONE, RX_WAITS };

/* ---- into the ring ---- */

static bool fetch(MqChan *c, RxDesc *d)
{
    d->addr = c->rx_cur;
    if (!mq_dma_read(c, false, d->addr, d->w, sizeof(d->w), DMA_EB_DESC)) {
        return false;
    }
    for (int i = 0; i < 4; i++) {
        d->w[i] = le32_to_cpu(d->w[i]);
    }
    trace_mq_rx_desc(c->m->core.name, c->n, d->addr, d->w[0], d->w[1],
                     d->w[2], d->w[3]);
    return true;
}

static bool close_desc(MqChan *c, const RxDesc *d, const uint32_t *w)
{
    uint32_t le[4];

    trace_mq_rx_status(c->m->core.name, c->n, d->addr, w[0], w[1], w[2],
                       w[3]);
    for (int i = 0; i < 4; i++) {
        le[i] = cpu_to_le32(w[i]);
    }
    return dwmac_fault(&c->m->core, &c->m->core.fault.writeback, "write-back") ||
           mq_dma_write(c, false, d->addr, le, sizeof(le), DMA_EB_DESC);
}

static bool store(MqChan *c, uint64_t addr, const MqRxFrame *r, size_t from,
                  size_t n)
{
    size_t head = from < r->len ? MIN(n, r->len - from) : 0;

    *mq_ch(c, MQ_CH_CUR_RX_BUF_HI) = addr >> 32;
    *mq_ch(c, MQ_CH_CUR_RX_BUF) = addr;
    if (head && !mq_dma_write(c, false, addr, r->f + from, head,
                              DMA_EB_DATA)) {
        return false;
    }
    return head == n ||
           mq_dma_write(c, false, addr + head, r->tail + (from + head - r->len),
                        n - head, DMA_EB_DATA);
}

/*
 * How much each buffer of a descriptor takes.  With split headers buffer 1 is
 * for the header, and of the descriptors behind the first only buffer 2 counts.
 * "In some rare cases" (commit babab1b42ed6 of Linux) a core goes on to the next
 * descriptor before buffer 2 of the first is full: a fault here.
 */
static void buffer_sizes(MqChan *c, const RxDesc *d, const MqRxFrame *r,
                         bool first, size_t size[2])
{
    size_t rbsz = extract32(*mq_ch(c, MQ_CH_RX_CONTROL),
                            DMA_RX_CONTROL_RBSZ_SHIFT,
                            DMA_RX_CONTROL_RBSZ_LEN) &
                  ~(size_t)(c->m->bus_bytes - 1);
    unsigned have = c->m->gen->rx_buffers(d->w);
    bool split = *mq_ch(c, MQ_CH_CONTROL) & DMA_CONTROL_SPH;

    size[0] = have & 1 ? rbsz : 0;
    size[1] = have & 2 ? rbsz : 0;
    if (split && !first) {
        size[0] = 0;
    } else if (split && r->hdr) {
        size[0] = MIN(size[0], r->hdr);
        if (r->len > r->hdr + SPLIT_SHORT &&
            dwmac_fault(&c->m->core, &c->m->core.fault.split_short, "short split")) {
            size[1] = MIN(size[1], SPLIT_SHORT);
        }
    }
}

/* Fills a descriptor's buffers; returns what went in, or -1 on a bus error. */
static ssize_t fill(MqChan *c, const RxDesc *d, const MqRxFrame *r,
                    size_t from)
{
    const uint64_t addr[2] = {
        mq_addr(c->m, d->w[1], d->w[0]),
        mq_addr(c->m, d->w[3] & 0xffff, d->w[2]),
    };
    size_t total = r->len + r->tail_len, done = from, size[2];

    buffer_sizes(c, d, r, from == 0, size);
    for (int i = 0; i < 2; i++) {
        size_t n = MIN(size[i], total - done);

        if (n && !store(c, addr[i], r, done, n)) {
            return -1;
        }
        done += n;
    }
    return done - from;
}

static void suspend(MqChan *c)
{
    c->rx_state = MQ_RX_SUSPENDED;
    mq_raise(c, DMA_CHAN_RBU);
    trace_mq_rx_suspend(c->m->core.name, c->n, c->rx_cur);
}

/* The last descriptor decides whether the interrupt is now or by watchdog. */
static void frame_done(MqChan *c, const RxDesc *last)
{
    uint32_t riwt = *mq_ch(c, MQ_CH_RIWT);
    uint32_t ticks = (riwt & 0xff) << (8 + extract32(riwt, c->m->gen->riwt_unit, 2));

    if (last->w[3] & RDES3_IOC) {
        timer_del(c->riwt_timer);
        mq_raise(c, DMA_CHAN_RI);
    } else if (ticks && !timer_pending(c->riwt_timer)) {
        timer_mod_ns(c->riwt_timer, qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL) +
                     muldiv64(ticks, NANOSECONDS_PER_SECOND, c->m->csr_hz));
    }
}

/* Is there a descriptor for a context behind the one in hand? */
static bool room_for_context(MqChan *c)
{
    uint64_t cur = c->rx_cur;
    bool ok;
    RxDesc d;

    c->rx_cur = mq_next_desc(c, false, cur);
    ok = fetch(c, &d) && (d.w[3] & RDES3_OWN);
    c->rx_cur = cur;
    return ok;
}

static bool write_context(MqChan *c, const MqRxMeta *meta)
{
    RxDesc d = { .addr = c->rx_cur };
    uint32_t w[4] = { 0 };

    c->m->gen->rx_context(meta, w);
    c->rx_cur = mq_next_desc(c, false, c->rx_cur);
    return close_desc(c, &d, w);
}

/* A bus error stops the channel; what was left of the frame is lost. */
static enum Outcome write_frame(MqChan *c, MqRxFrame *r, MqRxMeta *meta)
{
    const MqGen *g = c->m->gen;
    size_t total = r->len + r->tail_len;

    /* Stripping may have been turned on since the first part was stored. */
    meta->done = MIN(meta->done, total);
    for (unsigned i = 0; i < RX_MAX_DESCS; i++) {
        uint32_t w[4] = { 0 };
        bool last;
        ssize_t n;
        RxDesc d;

        if (!fetch(c, &d)) {
            return RX_DONE;
        }
        if (!(d.w[3] & RDES3_OWN)) {
            suspend(c);
            return RX_WAITS;
        }
        n = fill(c, &d, r, meta->done);
        if (n < 0) {
            return RX_DONE;
        }
        last = meta->done + n >= total;
        if (last) {
            r->stamped = (r->verdict & MQ_V_STAMP) && room_for_context(c);
            g->rx_status(c->m, r, w);
        } else if (!meta->started && r->hdr) {
            g->rx_split(r, w);
        }
        w[3] |= (meta->started ? 0 : RDES3_WB_FD) | (last ? RDES3_WB_LD : 0) |
                g->rx_length(meta->done + n);
        if (!close_desc(c, &d, w)) {
            return RX_DONE;
        }
        c->rx_cur = mq_next_desc(c, false, c->rx_cur);
        meta->done += n;
        meta->started = 1;
        if (last && r->stamped && !write_context(c, meta)) {
            return RX_DONE;
        }
        if (last) {
            frame_done(c, &d);
            return RX_DONE;
        }
    }
    return RX_DONE;
}

/* ---- judgement ---- */

static unsigned type_of(const uint8_t *f)
{
    return lduw_be_p(f + 12);
}

static unsigned length_type(const uint8_t *f, size_t len)
{
    unsigned type = type_of(f);
    unsigned inner = len >= 18 ? lduw_be_p(f + 16) : 0;

    switch (type) {
    case TYPE_VLAN:
    case TYPE_SVLAN:
        return inner == TYPE_VLAN || inner == TYPE_SVLAN ? MQ_LT_DVLAN :
                                                           MQ_LT_VLAN;
    case TYPE_ARP:
        return MQ_LT_ARP;
    case TYPE_CONTROL:
        return MQ_LT_CONTROL;
    case TYPE_OAM:
        return MQ_LT_OAM;
    }
    return type < 0x600 ? MQ_LT_LENGTH : MQ_LT_TYPE;
}

static size_t giant_limit(const MqMac *mac)
{
    return mac->flags & MQ_GPSLCE ? mac->gpsl :
           mac->flags & MQ_JE ? GIANT_LIMIT_JUMBO :
           mac->flags & MQ_2K ? GIANT_LIMIT_2K : GIANT_LIMIT;
}

static size_t watchdog_limit(const Mq *m, const MqMac *mac)
{
    uint32_t prog = mq_get(m, MQ_WATCHDOG_TIMEOUT);

    if (mac->flags & MQ_WD) {
        return DWMAC_MAX_FRAME;
    }
    if (prog & MQ_WATCHDOG_PWE) {
        return MIN(2 + (prog & 0xf), 15) * 1024;
    }
    return mac->flags & MQ_JE ? WATCHDOG_LIMIT_JUMBO : WATCHDOG_LIMIT;
}

static void judge_length(MqRxFrame *r, const MqMac *mac)
{
    unsigned type = type_of(r->f);
    size_t vlan = type == TYPE_VLAN || type == TYPE_SVLAN ? 4 : 0;

    r->lt = length_type(r->f, r->len);
    r->svlan = type == TYPE_SVLAN;
    r->inner_svlan = r->lt == MQ_LT_DVLAN &&
                     lduw_be_p(r->f + 16) == TYPE_SVLAN;
    r->fault = r->len < DWMAC_MIN_FRAME ? DWMAC_RX_RUNT : DWMAC_RX_GOOD;
    if (type < 0x600 && type > r->len - 14) {
        r->fault = DWMAC_RX_LENGTH;
    } else if (type < 0x600 && type > MAX_8023_LENGTH) {
        r->fault = DWMAC_RX_RANGE;
    }
    if (r->len + DWMAC_FCS_LEN > giant_limit(mac) + vlan) {
        r->fault = DWMAC_RX_OVERSIZE;
        r->giant = true;
    }
}

/* Its place; deliver() computes it, once, for a frame that may wait before. */
static void add_fcs(MqRxFrame *r, const MqMac *mac)
{
    unsigned type = type_of(r->f);

    if (!(mac->flags & (type < 0x600 ? MQ_ACS : MQ_CST))) {
        r->fcs_due = true;
        r->tail_len = DWMAC_FCS_LEN;
    } else if (type < 46) {
        r->len = MIN(r->len, 14 + type);
    }
}

/* Takes VLAN tags off, in a copy. */
static void strip_tags(Mq *m, MqRxFrame *r)
{
    bool outer = r->verdict & MQ_V_STRIP, inner = r->verdict & MQ_V_STRIP_INNER;
    size_t to = outer ? 12 : 16, from = inner ? 20 : 16;

    if (!outer && !inner) {
        return;
    }
    memcpy(m->scratch, r->f, 16);
    memcpy(m->scratch + to, r->f + from, r->len - from);
    r->f = m->scratch;
    r->len -= from - to;
}

uint32_t mq_rx_tags(const Mq *m, const MqRxFrame *r)
{
    uint32_t reg = mq_get(m, MQ_VLAN_TAG);

    return (reg & DWMAC_VT_EVLRXS ? r->vlan : 0) |
           (reg & DWMAC_VT_EIVLRXS ? (uint32_t)r->inner_vlan << 16 : 0);
}

/*
 * Where TCP and UDP headers end, for the split; in front of the payload, and
 * only if the header is not longer than the MAC may split off.
 */
static size_t header_length(MqRxFrame *r, const MqMac *mac)
{
    CoeFrame c;
    size_t n;

    coe_parse(r->f, r->len, &c);
    r->l4 = c.proto;
    r->l3_v6 = c.flags & COE_IPV6;
    if (c.proto == COE_PROTO_TCP && c.l4_have >= 20) {
        n = c.l4 + (r->f[c.l4 + 12] >> 4) * 4;
    } else if (c.proto == COE_PROTO_UDP && c.l4_have >= 8) {
        n = c.l4 + 8;
    } else {
        return 0;
    }
    return n < r->len && n <= mac->hdsms ? n : 0;
}

/* Headers are looked for where somebody asks for them. */
static void judge_headers(Mq *m, MqRxFrame *r, const MqMac *mac, unsigned chan)
{
    bool split = *mq_ch(&m->chan[chan], MQ_CH_CONTROL) & DMA_CONTROL_SPH;

    if (split || m->gen->tells_l4) {
        size_t hdr = header_length(r, mac);

        r->hdr = split ? hdr : 0;
    }
}

static void judge(Mq *m, MqRxFrame *r, const uint8_t *f, MqRxMeta *meta)
{
    MqMac mac = mq_mac(m);

    *r = (MqRxFrame){
        .f = f, .len = meta->len, .verdict = meta->verdict, .l34 = meta->l34,
        .hash = meta->hash,
        .vlan = meta->verdict & MQ_V_TAGGED ? lduw_be_p(f + 14) : 0,
        .inner_vlan = meta->verdict & MQ_V_TWO ? lduw_be_p(f + 18) : 0,
    };
    judge_length(r, &mac);
    if (dwmac_cut_long(f, &r->len, watchdog_limit(m, &mac), r->tail, &r->tail_len)) {
        r->watchdog = true;
        r->fault = DWMAC_RX_WATCHDOG;
        return;
    }
    if (m->rx_coe) {
        dwmac_core_verify(&m->core, mac.flags & MQ_IPC, f, r->len, &meta->coe,
                          &r->coe);
        trace_mq_rx_coe(m->core.name, r->coe.flags, r->coe.proto);
    }
    strip_tags(m, r);
    judge_headers(m, r, &mac, meta->chan);
    add_fcs(r, &mac);
}

/* What the MTL drops before the DMA sees it, in store-and-forward mode. */
static bool mtl_drops(const MqRxq *q, const MqRxFrame *r)
{
    if (!q->rsf || q->fep) {
        return false;
    }
    return r->watchdog ||
           (!q->keep_csum_errors &&
            (r->coe.flags & (COE_HDR_ERR | COE_PAY_ERR)));
}

/* ---- from a queue to its channel ---- */

static enum Outcome deliver(Mq *m, unsigned qn, MqRxFrame *r,
                            MqRxMeta *meta)
{
    MqChan *c = &m->chan[meta->chan];
    MqRxq q;

    if (c->rx_state != MQ_RX_WAITING) {
        return RX_WAITS;
    }
    m->gen->rxq(m, qn, &q);
    if (mtl_drops(&q, r)) {
        trace_mq_rx_drop(m->core.name, qn, meta->len, "error");
        return RX_DONE;
    }
    if (r->watchdog) {
        mq_raise(c, m->gen->rwt);
    }
    if (r->fcs_due) {
        stl_le_p(r->tail, crc32(0, r->f, r->len));
    }
    return write_frame(c, r, meta);
}

static void push(MqQueue *q, const MqRxMeta *meta, const uint8_t *f)
{
    size_t need = q->fifo_len + sizeof(*meta) + meta->len;

    if (need > q->fifo_cap) {
        q->fifo_cap = MAX(pow2ceil(need), 4096);
        q->fifo = g_realloc(q->fifo, q->fifo_cap);
    }
    memcpy(q->fifo + q->fifo_len, meta, sizeof(*meta));
    memcpy(q->fifo + q->fifo_len + sizeof(*meta), f, meta->len);
    q->fifo_len = need;
    q->level += meta->len + DWMAC_FCS_LEN;
}

/* How long a frame with these tags is at least. */
static size_t tagged_length(const MqRxMeta *meta)
{
    return meta->verdict & (MQ_V_TWO | MQ_V_STRIP_INNER) ? 22 :
           meta->verdict & (MQ_V_TAGGED | MQ_V_STRIP) ? 18 : 14;
}

bool mq_fifo_valid(Mq *m, unsigned n)
{
    MqQueue *q = &m->queue[n];
    size_t level = 0, at = 0;
    MqRxMeta meta;

    while (at < q->fifo_len) {
        if (q->fifo_len - at < sizeof(meta)) {
            return false;
        }
        memcpy(&meta, q->fifo + at, sizeof(meta));
        at += sizeof(meta);
        if (meta.len < 14 || meta.len > DWMAC_MAX_FRAME ||
            meta.len > q->fifo_len - at || meta.chan >= m->rx_queues ||
            meta.len < tagged_length(&meta) ||
            !dwmac_verdict_valid(&meta.coe)) {
            return false;
        }
        at += meta.len;
        level += meta.len + DWMAC_FCS_LEN;
    }
    return level == q->level;
}

unsigned mq_rx_waiting(const Mq *m, unsigned qn)
{
    const MqQueue *q = &m->queue[qn];
    unsigned n = 0;
    MqRxMeta meta;

    for (size_t at = 0; at < q->fifo_len; at += sizeof(meta) + meta.len) {
        memcpy(&meta, q->fifo + at, sizeof(meta));
        n++;
    }
    return n;
}

/* The queue has room again: take a PAUSE back. */
static void check_low(Mq *m, unsigned qn, const MqRxq *q)
{
    uint32_t flow = mq_get(m, MQ_TX_FLOW_CTRL + qn * 4);

    if (m->queue[qn].pausing && m->queue[qn].level + q->rfd <= q->size) {
        m->queue[qn].pausing = false;
        if ((flow & MQ_TX_FLOW_TFE) && !(flow & MQ_TX_FLOW_DZPQ)) {
            mq_tx_pause(m, qn, 0);
        }
    }
}

static void check_high(Mq *m, unsigned qn, const MqRxq *q)
{
    uint32_t flow = mq_get(m, MQ_TX_FLOW_CTRL + qn * 4);

    if (q->ehfc && (flow & MQ_TX_FLOW_TFE) && !m->queue[qn].pausing &&
        m->queue[qn].level + q->rfa > q->size) {
        m->queue[qn].pausing = true;
        mq_tx_pause(m, qn, flow >> MQ_TX_FLOW_PT_SHIFT);
    }
}

/* Empties a queue as far as the channels of its frames take them. */
static void drain(Mq *m, unsigned qn)
{
    MqQueue *q = &m->queue[qn];
    size_t at = 0;
    MqRxMeta meta;
    MqRxFrame r;
    MqRxq regs;

    while (at < q->fifo_len) {
        memcpy(&meta, q->fifo + at, sizeof(meta));
        if (m->chan[meta.chan].rx_state != MQ_RX_WAITING) {
            break;
        }
        judge(m, &r, q->fifo + at + sizeof(meta), &meta);
        if (deliver(m, qn, &r, &meta) == RX_WAITS) {
            memcpy(q->fifo + at, &meta, sizeof(meta));
            break;
        }
        at += sizeof(meta) + meta.len;
        q->level -= meta.len + DWMAC_FCS_LEN;
    }
    if (at) {
        q->fifo_len -= at;
        memmove(q->fifo, q->fifo + at, q->fifo_len);
        m->gen->rxq(m, qn, &regs);
        trace_mq_rx_fifo(m->core.name, qn, q->level);
        check_low(m, qn, &regs);
    }
}

void mq_rx_drain(Mq *m)
{
    for (unsigned n = 0; n < m->rx_queues; n++) {
        if (m->queue[n].fifo_len) {
            drain(m, n);
        }
    }
    mq_update_irq(m);
}

void mq_rx_run(Mq *m)
{
    if (dwmac_core_running()) {
        mq_rx_drain(m);
        dwmac_core_rx_resume(&m->core);
    }
}

/*
 * A driver that has filled its ring anew goes on with what it has; when many
 * frames have waited for that, it is not its CPU that stores them.
 */
void mq_rx_refilled(Mq *m)
{
    size_t waiting = 0;

    for (unsigned n = 0; n < m->rx_queues; n++) {
        waiting += m->queue[n].fifo_len;
    }
    if (waiting > REFILL_NOW) {
        dwmac_core_rx_soon(&m->core);
    } else {
        mq_rx_run(m);
    }
}

void mq_rx_flush(Mq *m)
{
    for (unsigned n = 0; n < MQ_CHANNELS; n++) {
        m->queue[n].fifo_len = m->queue[n].level = 0;
        m->queue[n].pausing = false;
    }
}

/* ---- from the wire to a queue ---- */

static void overflow(Mq *m, unsigned qn, const uint8_t *f, size_t len)
{
    trace_mq_rx_drop(m->core.name, qn, len, "overflow");
    if (m->rmon) {
        dwmac_mmc_rx(&m->mmc, f, len, DWMAC_RX_OVERFLOW);
    }
    m->gen->rx_overflow(m, qn);
}

/* Returns: false if the frame has to wait in front of the MAC */
static bool enqueue(Mq *m, unsigned qn, const MqRxq *q, const uint8_t *f,
                    MqRxMeta *meta, bool can_wait)
{
    MqQueue *queue = &m->queue[qn];
    bool room = queue->level + meta->len + DWMAC_FCS_LEN <= q->size;
    MqRxFrame r;

    if (dwmac_fault(&m->core, &m->core.fault.rx_overflow, "overflow")) {
        overflow(m, qn, f, meta->len);
        return true;
    }
    if (queue->fifo_len && !room) {
        if (can_wait) {
            return false;
        }
        overflow(m, qn, f, meta->len);
        return true;
    }
    mq_answer_arp(m, f, meta->len);
    judge(m, &r, f, meta);
    if (m->rmon) {
        dwmac_mmc_rx(&m->mmc, f, meta->len, r.fault);
        dwmac_mmc_ipc(&m->mmc, &r.coe);
    }
    if (queue->fifo_len || deliver(m, qn, &r, meta) == RX_WAITS) {
        push(queue, meta, f);
        trace_mq_rx_fifo(m->core.name, qn, queue->level);
        check_high(m, qn, q);
    }
    return true;
}

/*
 * A PAUSE frame is obeyed also when the filter does not let it in, and has done
 * its work before it would wait.
 */
static bool receive(Mq *m, const uint8_t *f, size_t len, bool can_wait)
{
    MqRxMeta meta = { .len = len };
    unsigned qn;
    MqRxq q;

    mq_obey_pause(m, f, len);
    can_wait = can_wait && !dwmac_is_pause(f, len);
    if (!mq_admit(m, f, &meta) || mq_asleep(m, f, len)) {
        return true;
    }
    mq_stamp(m, f, &meta);
    qn = mq_queue_for(m, f, &meta);
    meta.chan = mq_channel_for(m, qn, f, &meta);
    trace_mq_rx_route(m->core.name, len, qn, meta.chan, meta.verdict);
    m->gen->rxq(m, qn, &q);
    if (!q.on) {
        trace_mq_rx_drop(m->core.name, qn, len, "queue off");
        return true;
    }
    return enqueue(m, qn, &q, f, &meta, can_wait);
}

ssize_t mq_receive(DwmacCore *core, const uint8_t *f, size_t len)
{
    Mq *m = container_of(core, Mq, core);
    unsigned flags = mq_mac(m).flags;
    bool taken;

    if ((flags & MQ_LM) || !(flags & MQ_RE)) {
        trace_mq_rx_drop(core->name, 0, len, "off");
        return len;
    }
    taken = receive(m, f, len, m->rx_lossless);
    mq_update_irq(m);
    if (!taken) {
        dwmac_core_rx_keep(core);
    }
    return taken ? len : 0;
}

void mq_rx_loopback(Mq *m, const uint8_t *f, size_t len)
{
    if (mq_mac(m).flags & MQ_RE) {
        receive(m, f, len, false);
    }
}
