// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * DesignWare GMAC 3.x: the receive ring.
 *
 * What it is: the way of a frame from the wire through PAUSE, length checks,
 * address and VLAN filter, wake-up, checksum engine and FCS handling into one or more
 * descriptors, and the status that is written there.
 *
 * Facts: RDES0 to RDES4 from descs.h and enh_desc.c of Linux's stmmac and the
 * GMAC 3.70a databook.  QEMU's wire has no FCS; the four bytes are computed
 * and stored, and counted in the length, unless the MAC strips them (ACS for
 * 802.3 lengths, CST for types).
 *
 * The verdict of the checksum engine, type 2, as the driver's table has it,
 * RDES0 bits 5, 7, 0: 1 0 0 good, 1 0 1 payload wrong, 1 1 0 IPv4 header
 * wrong, 1 1 1 both, 0 0 0 an 802.3 length.  Frames that the engine does not
 * understand, and IP whose payload it does not, come as 1 0 0: that is what
 * silicon writes (RZ/N1 for EDSA frames, thread of commit c2945c435c99).  The
 * databook has 0 1 1 and 0 0 1 for them, with which the driver would throw
 * away every ARP frame.  What else differs between cores is a property:
 *   rx-esa        bit 0 says that RDES4 was written, as the 3.70a databook has
 *                 it (Linux then takes every IP frame for unchecked)
 *   rx-csum-es    (on) a checksum error sets the error summary too, with
 *                 enhanced descriptors (normal ones always do).  The databook
 *                 says so for RDES4, a comment in enh_desc.c for payload
 *                 errors; Linux drops such frames in the driver.  Off, kernels
 *                 that do not look at csum_none (6.1.164) take them for good
 *   rx-csum-drop  the MTL drops frames with checksum errors only, while DT and
 *                 FEF are clear, in store-and-forward mode (databook)
 *   rx-lossless   a frame that finds no descriptor waits (see dwmac.c), also
 *                 without DFF, instead of being flushed and counted as missed
 *
 * An 802.3 length that is smaller than the payload is no length error: with
 * it, 4-byte Broadcom tags (which read as length 0) would never have passed
 * (commit 8cad443eacf6).  A length beyond the payload is one.
 *
 * A frame that the ring cannot take waits in the FIFO (gmac-fifo.c), and behind
 * a full one in front of the MAC (rx-lossless), or is lost and counted.
 *
 * Not here: threshold mode (a frame is there at once), the message types of IEEE
 * 1588 in RDES4, early receive interrupts but for frames of several descriptors.
 */
#include "qemu/osdep.h"
#include <zlib.h>
#include "gmac.h"
#include "trace.h"

/* A frame spread over more descriptors than this is a broken ring. */
#define RX_MAX_DESCS 4096

/* Lengths count the FCS. */
#define WATCHDOG_LIMIT       2048
#define WATCHDOG_LIMIT_JUMBO 10240
#define GIANT_LIMIT          1518
#define GIANT_LIMIT_2K       2000
#define GIANT_LIMIT_JUMBO    9018
#define MAX_8023_LENGTH      1500

typedef struct RxDesc {
    uint32_t addr;
    uint32_t w[4];
    bool end, chained, no_irq;
    uint16_t size[2];
} RxDesc;

typedef struct RxFrame {
    const uint8_t *f;
    size_t len;             /* bytes of f to store */
    uint8_t tail[8];        /* what the MAC puts behind them */
    bool fcs_due;           /* the FCS in it is not computed yet */
    unsigned tail_len;
    uint32_t status;        /* RDES0 without OWN, FS, LS, length */
    uint32_t ext;           /* RDES4 */
    enum DwmacRxFault fault;
    CoeFrame coe;
    bool watchdog;          /* cut off */
    bool stamped;
    uint32_t sec, nsec;     /* when it came */
} RxFrame;

enum Outcome { RX_DONE, RX_WAITS };

static bool fetch(Gmac *g, uint32_t addr, RxDesc *d)
{
    d->addr = addr;
    if (!gmac_dma_read(g, addr, d->w, sizeof(d->w),
                       DMA_EB_READ | DMA_EB_DESC)) {
        return false;
    }
    for (int i = 0; i < 4; i++) {
        d->w[i] = le32_to_cpu(d->w[i]);
    }
    d->no_irq = d->w[1] & DES1_DIC;
    if (g->enh_desc) {
        d->end = d->w[1] & ERDES1_RER;
        d->chained = d->w[1] & ERDES1_RCH;
        d->size[0] = extract32(d->w[1], 0, 13);
        d->size[1] = d->chained ? 0 : extract32(d->w[1], 16, 13);
    } else {
        d->end = d->w[1] & RDES1_RER;
        d->chained = d->w[1] & RDES1_RCH;
        d->size[0] = extract32(d->w[1], 0, 11);
        d->size[1] = d->chained ? 0 : extract32(d->w[1], 11, 11);
    }
    trace_gmac_rx_desc(g->core.name, addr, d->w[0], d->w[1], d->w[2],
                       d->w[3]);
    return true;
}

static uint32_t next_of(Gmac *g, const RxDesc *d)
{
    if (d->end) {
        return *gmac_reg(g, DMA_RCV_BASE_ADDR);
    }
    return d->chained ? d->w[3] : d->addr + gmac_desc_stride(g);
}

/*
 * The last descriptor of a frame has its extended status, and its time stamp:
 * in RDES6 and RDES7, or without those in place of the buffers.
 */
static bool close_extended(Gmac *g, const RxDesc *d, const RxFrame *r)
{
    uint32_t w4[4] = { cpu_to_le32(r->ext), 0,
                       cpu_to_le32(r->nsec), cpu_to_le32(r->sec) };

    if (gmac_atds(g)) {
        return gmac_dma_write(g, d->addr + 16, w4, sizeof(w4), DMA_EB_DESC);
    }
    return !r->stamped ||
           gmac_dma_write(g, d->addr + 8, w4 + 2, 8, DMA_EB_DESC);
}

static bool close_desc(Gmac *g, const RxDesc *d, uint32_t w0,
                       const RxFrame *r)
{
    if ((w0 & RDES0_LS) && !close_extended(g, d, r)) {
        return false;
    }
    trace_gmac_rx_status(g->core.name, d->addr, w0, r->ext);
    w0 = cpu_to_le32(w0);
    return dwmac_fault(&g->core, &g->core.fault.writeback, "write-back") ||
           gmac_dma_write(g, d->addr, &w0, sizeof(w0), DMA_EB_DESC);
}

static bool store(Gmac *g, uint32_t addr, const RxFrame *r, size_t from,
                  size_t n)
{
    size_t head = from < r->len ? MIN(n, r->len - from) : 0;

    *gmac_reg(g, DMA_CUR_RX_BUF_ADDR) = addr;
    if (head && !gmac_dma_write(g, addr, r->f + from, head, 0)) {
        return false;
    }
    return head == n ||
           gmac_dma_write(g, addr + head, r->tail + (from + head - r->len),
                          n - head, 0);
}

/* Fills a descriptor's buffers; returns what went in, or -1 on a bus error. */
static ssize_t fill(Gmac *g, const RxDesc *d, const RxFrame *r, size_t from)
{
    size_t total = r->len + r->tail_len, done = from;

    for (int i = 0; i < 2; i++) {
        size_t n = MIN(d->size[i], total - done);

        if (n && !store(g, d->w[2 + i], r, done, n)) {
            return -1;
        }
        done += n;
    }
    return done - from;
}

static void suspend(Gmac *g)
{
    g->rx_state = DMA_RS_SUSPENDED;
    gmac_raise(g, DMA_STATUS_RU);
    trace_gmac_rx_suspend(g->core.name, *gmac_reg(g, DMA_HOST_RX_DESC));
}

/* The last descriptor decides whether the interrupt is now or by watchdog. */
static void frame_done(Gmac *g, const RxDesc *last)
{
    uint32_t riwt = *gmac_reg(g, DMA_RX_WATCHDOG);

    *gmac_reg(g, DMA_STATUS) &= ~DMA_STATUS_ERI;
    if (!last->no_irq) {
        timer_del(g->riwt_timer);
        gmac_raise(g, DMA_STATUS_RI);
    } else if (riwt && !timer_pending(g->riwt_timer)) {
        timer_mod_ns(g->riwt_timer, qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL) +
                     muldiv64(riwt * 256, NANOSECONDS_PER_SECOND, g->csr_hz));
    }
}

static uint32_t frame_length(size_t n)
{
    return MIN(n, RDES0_FL_MAX) << RDES0_FL_SHIFT;
}

static void write_frame(Gmac *g, const RxFrame *r, RxDesc *d)
{
    size_t total = r->len + r->tail_len, done = 0;
    uint32_t fs = RDES0_FS, w0;
    bool last = false, truncated = false;

    for (unsigned i = 0; i < RX_MAX_DESCS && !last; i++) {
        uint32_t next = next_of(g, d);
        ssize_t n = fill(g, d, r, done);
        RxDesc nd = { 0 };

        if (n < 0) {
            return;
        }
        done += n;
        if (done < total) {
            gmac_raise(g, DMA_STATUS_ERI);
            if (!fetch(g, next, &nd)) {
                return;
            }
            truncated = !(nd.w[0] & DES0_OWN);
        }
        last = done == total || truncated;
        w0 = fs | frame_length(done) | (last ? RDES0_LS | r->status : 0) |
             (truncated ? RDES0_DESC_ERROR | RDES0_ES : 0);
        if (!close_desc(g, d, w0, r)) {
            return;
        }
        *gmac_reg(g, DMA_HOST_RX_DESC) = next;
        fs = 0;
        if (last) {
            frame_done(g, d);
        }
        *d = nd;
    }
    if (truncated) {
        suspend(g);
    }
}

static void build_filter(Gmac *g)
{
    g->filter.mode = *gmac_reg(g, GMAC_FRAME_FILTER);
    g->filter.vlan = *gmac_reg(g, GMAC_VLAN_TAG);
    g->filter.vlan_hash = *gmac_reg(g, GMAC_VLAN_HASH);
}

/* A PAUSE frame for us stops the transmitter, whether or not it is kept. */
static void obey_pause(Gmac *g, const uint8_t *f, size_t len)
{
    uint32_t flow = *gmac_reg(g, GMAC_FLOW_CTRL);
    uint32_t mac = *gmac_reg(g, GMAC_CONTROL);
    uint8_t own[6];
    int64_t quantum = !(mac & GMAC_CONTROL_PS) ? 512 :
                      mac & GMAC_CONTROL_FES ? 5120 : 51200;

    gmac_own_address(g, 0, own);
    if (!(flow & GMAC_FLOW_RFE) ||
        !dwmac_pause_for(f, len, own, flow & GMAC_FLOW_UP)) {
        return;
    }
    trace_gmac_rx_pause(g->core.name, lduw_be_p(f + 16));
    timer_mod_ns(g->pause_timer, qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL) +
                 lduw_be_p(f + 16) * quantum);
}

/* Runts and strangers; false if the frame ends here. */
static bool admit(Gmac *g, const uint8_t *f, GmacRxMeta *meta)
{
    unsigned verdict;

    if (meta->len < 14 || meta->len > DWMAC_MAX_FRAME ||
        (meta->len < DWMAC_MIN_FRAME &&
         !gmac_bit(g, DMA_CONTROL, DMA_CONTROL_FUF))) {
        trace_gmac_rx_drop(g->core.name, meta->len, "runt");
        if (g->rmon) {
            dwmac_mmc_rx(&g->mmc, f, meta->len, DWMAC_RX_RUNT);
        }
        return false;
    }
    build_filter(g);
    verdict = dwmac_filter(&g->filter, f, meta->len);
    if (verdict & DWMAC_DROP) {
        trace_gmac_rx_drop(g->core.name, meta->len, "filter");
        return false;
    }
    meta->status = (verdict & DWMAC_DA_FAIL ? RDES0_AFM : 0) |
                   (verdict & DWMAC_SA_FAIL ? RDES0_SAF : 0) |
                   (verdict & DWMAC_VLAN_HIT ? RDES0_VLAN : 0);
    return true;
}

static void stamp(Gmac *g, const uint8_t *f, GmacRxMeta *meta)
{
    int64_t clock = qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);

    if (g->timestamps && dwmac_ptp_stamps(&g->ptp, f, meta->len)) {
        meta->stamped = 1;
        meta->sec = dwmac_ptp_read(&g->ptp, DWMAC_PTP_STSR, clock);
        meta->nsec = dwmac_ptp_read(&g->ptp, DWMAC_PTP_STNSR, clock);
        trace_gmac_rx_stamp(g->core.name, meta->sec, meta->nsec);
    }
}

/* What a checksum error adds to RDES0. */
static uint32_t checksum_summary(const Gmac *g)
{
    return g->rx_csum_es || !g->enh_desc ? RDES0_ES : 0;
}

static void judge_type1(Gmac *g, RxFrame *r)
{
    uint16_t sum;

    if (coe_type1(r->f, r->len, &sum) & COE_HDR_ERR) {
        r->status |= RDES0_IPC | checksum_summary(g);
    }
    stw_be_p(r->tail + DWMAC_FCS_LEN, sum);
}

static uint32_t ext_status(const CoeFrame *c)
{
    return c->proto |
           (c->flags & COE_HDR_ERR ? ERDES4_IP_HDR_ERR : 0) |
           (c->flags & COE_PAY_ERR ? ERDES4_IP_PAYLOAD_ERR : 0) |
           (c->flags & COE_BYPASS ? ERDES4_IP_CSUM_BYPASSED : 0) |
           (c->flags & COE_IPV4 ? ERDES4_IPV4_PKT_RCVD : 0) |
           (c->flags & COE_IPV6 ? ERDES4_IPV6_PKT_RCVD : 0);
}

static void judge_type2(Gmac *g, RxFrame *r, bool on, DwmacVerdict *v)
{
    dwmac_core_verify(&g->core, on, r->f, r->len, v, &r->coe);
    if (!(r->coe.flags & COE_IP)) {
        return;
    }
    r->ext = ext_status(&r->coe);
    if (g->rx_esa && gmac_atds(g)) {
        r->status |= RDES0_PCE;
    } else {
        r->status |= (r->coe.flags & COE_HDR_ERR ? RDES0_IPC : 0) |
                     (r->coe.flags & COE_PAY_ERR ? RDES0_PCE : 0);
    }
    if (r->coe.flags & (COE_HDR_ERR | COE_PAY_ERR)) {
        r->status |= checksum_summary(g);
    }
}

static void judge_checksums(Gmac *g, RxFrame *r, DwmacVerdict *v)
{
    bool on = gmac_bit(g, GMAC_CONTROL, GMAC_CONTROL_IPC);

    if (g->rx_coe == 2) {
        judge_type2(g, r, on, v);
    } else if (on && g->rx_coe == 1) {
        judge_type1(g, r);
    }
    trace_gmac_rx_coe(g->core.name, r->coe.flags, r->coe.proto,
                      r->status, r->ext);
}

static void judge_length(Gmac *g, RxFrame *r)
{
    uint32_t mac = *gmac_reg(g, GMAC_CONTROL);
    unsigned type = lduw_be_p(r->f + 12);
    size_t size = r->len + DWMAC_FCS_LEN;
    size_t vlan = type == 0x8100 ? 4 : 0;
    size_t giant = mac & GMAC_CONTROL_JE ? GIANT_LIMIT_JUMBO :
                   mac & GMAC_CONTROL_2K ? GIANT_LIMIT_2K : GIANT_LIMIT;

    if (type >= 0x600) {
        r->status |= RDES0_FRAME_TYPE;
    } else if (type > r->len - 14) {
        r->status |= RDES0_LENGTH_ERROR;
        r->fault = DWMAC_RX_LENGTH;
    } else if (type > MAX_8023_LENGTH) {
        r->fault = DWMAC_RX_RANGE;
    }
    if (size > giant + vlan) {
        r->fault = DWMAC_RX_OVERSIZE;
        /* With a checksum engine the bit has another meaning. */
        r->status |= g->rx_coe ? 0 : RDES0_IPC | RDES0_ES;
    }
}

static bool cut_long(Gmac *g, RxFrame *r)
{
    uint32_t mac = *gmac_reg(g, GMAC_CONTROL);
    size_t limit = mac & GMAC_CONTROL_WD ? DWMAC_MAX_FRAME :
                   mac & GMAC_CONTROL_JE ? WATCHDOG_LIMIT_JUMBO :
                   WATCHDOG_LIMIT;

    if (!dwmac_cut_long(r->f, &r->len, limit, r->tail, &r->tail_len)) {
        return false;
    }
    r->status |= RDES0_RWT | RDES0_ES;
    r->fault = DWMAC_RX_WATCHDOG;
    r->watchdog = true;
    return true;
}

/* Its place; deliver() computes it, once, for a frame that may wait before. */
static void add_fcs(Gmac *g, RxFrame *r)
{
    uint32_t mac = *gmac_reg(g, GMAC_CONTROL);
    unsigned type = lduw_be_p(r->f + 12);
    bool strip = mac & (type < 0x600 ? GMAC_CONTROL_ACS : GMAC_CONTROL_CST);
    bool sum = g->rx_coe == 1 && (mac & GMAC_CONTROL_IPC);

    r->tail_len = DWMAC_FCS_LEN + (sum ? 2 : 0);
    if (!strip) {
        r->fcs_due = true;
        return;
    }
    if (type < 46) {
        r->len = MIN(r->len, 14 + type);
    }
    memmove(r->tail, r->tail + DWMAC_FCS_LEN, 2);
    r->tail_len -= DWMAC_FCS_LEN;
}

/* With advanced time stamps, bit 7 says that there is one. */
static void judge(Gmac *g, RxFrame *r, const uint8_t *f, GmacRxMeta *meta)
{
    *r = (RxFrame){
        .f = f, .len = meta->len, .status = meta->status,
        .fault = meta->len < DWMAC_MIN_FRAME ? DWMAC_RX_RUNT : DWMAC_RX_GOOD,
        .stamped = meta->stamped, .sec = meta->sec, .nsec = meta->nsec,
    };
    judge_length(g, r);
    if (!cut_long(g, r)) {
        judge_checksums(g, r, &meta->coe);
        add_fcs(g, r);
    }
    if (r->stamped && gmac_atds(g)) {
        r->status |= RDES0_IPC;
    }
}

/* What the MTL drops before the DMA sees it, in store-and-forward mode. */
static bool mtl_drops(Gmac *g, const RxFrame *r)
{
    uint32_t op = *gmac_reg(g, DMA_CONTROL);

    if (!(op & DMA_CONTROL_RSF) || (op & DMA_CONTROL_FEF)) {
        return false;
    }
    return r->watchdog || (!g->rx_coe && r->fault == DWMAC_RX_OVERSIZE) ||
           (g->rx_csum_drop && !(op & DMA_CONTROL_DT) &&
            (r->coe.flags & (COE_HDR_ERR | COE_PAY_ERR)));
}

static void count_missed(Gmac *g)
{
    uint32_t *miss = gmac_reg(g, DMA_MISSED_FRAME_CTR);
    uint32_t n = extract32(*miss, 0, 16);

    *miss = deposit32(*miss, 0, 16, n + 1) |
            (n == UINT16_MAX ? DMA_MISSED_OVF : 0);
    trace_gmac_rx_drop(g->core.name, n + 1, "no descriptor");
}

/* The descriptor that the next frame goes to; false if there is none. */
static bool get_descriptor(Gmac *g, RxDesc *d)
{
    if (!fetch(g, *gmac_reg(g, DMA_HOST_RX_DESC), d)) {
        return false;
    }
    if (!(d->w[0] & DES0_OWN)) {
        suspend(g);
        return false;
    }
    g->rx_state = DMA_RS_WAITING;
    return true;
}

/*
 * To the ring.  A frame that finds no descriptor waits, or is flushed: as DFF
 * says, and the property rx-lossless.
 */
static enum Outcome deliver(Gmac *g, RxFrame *r)
{
    RxDesc d;

    if (g->rx_state == DMA_RS_STOPPED) {
        return RX_WAITS;
    }
    if (!get_descriptor(g, &d)) {
        if (g->rx_state == DMA_RS_SUSPENDED &&
            (g->rx_lossless || gmac_bit(g, DMA_CONTROL, DMA_CONTROL_DFF))) {
            return RX_WAITS;
        }
        count_missed(g);
        return RX_DONE;
    }
    if (mtl_drops(g, r)) {
        trace_gmac_rx_drop(g->core.name, r->len, "error");
        return RX_DONE;
    }
    if (r->watchdog) {
        gmac_raise(g, DMA_STATUS_RWT);
    }
    if (r->fcs_due) {
        stl_le_p(r->tail, crc32(0, r->f, r->len));
    }
    write_frame(g, r, &d);
    return RX_DONE;
}

/* Frames that wait for a descriptor: look at the ring again in a while. */
static void keep(Gmac *g)
{
    if (g->rx_state == DMA_RS_SUSPENDED) {
        dwmac_core_rx_keep(&g->core);
    }
}

void gmac_rx_drain(Gmac *g)
{
    const uint8_t *f;
    size_t at = 0;
    GmacRxMeta meta;
    RxFrame r;

    if (!g->fifo_len || !dwmac_core_running()) {
        return;
    }
    while ((f = gmac_fifo_at(g, at, &meta))) {
        judge(g, &r, f, &meta);
        if (deliver(g, &r) == RX_WAITS) {
            keep(g);
            break;
        }
        at += sizeof(meta) + meta.len;
    }
    if (at) {
        gmac_fifo_drop(g, at);
    }
    gmac_update_irq(g);
}

void gmac_rx_run(Gmac *g)
{
    gmac_rx_drain(g);
    dwmac_core_rx_resume(&g->core);
    gmac_update_irq(g);
}

static void overflow(Gmac *g, const uint8_t *f, size_t len)
{
    uint32_t *miss = gmac_reg(g, DMA_MISSED_FRAME_CTR);
    uint32_t n = extract32(*miss, DMA_MISSED_FIFO_SHIFT, 11);

    *miss = deposit32(*miss, DMA_MISSED_FIFO_SHIFT, 11, n + 1) |
            (n == DMA_MISSED_FIFO_MAX ? DMA_MISSED_FIFO_OVF : 0);
    gmac_raise(g, DMA_STATUS_OVF);
    trace_gmac_rx_drop(g->core.name, len, "overflow");
    if (g->rmon) {
        dwmac_mmc_rx(&g->mmc, f, len, DWMAC_RX_OVERFLOW);
    }
}

/* Returns: false if the frame has to wait in front of the MAC */
static bool receive(Gmac *g, const uint8_t *f, size_t len, bool can_wait)
{
    GmacRxMeta meta = { .len = len };
    RxFrame r;

    if (!admit(g, f, &meta) || gmac_asleep(g, f, len)) {
        return true;
    }
    if (dwmac_fault(&g->core, &g->core.fault.rx_overflow, "overflow")) {
        overflow(g, f, len);
        return true;
    }
    if (g->fifo_len && !gmac_fifo_fits(g, len)) {
        if (can_wait && g->rx_state == DMA_RS_SUSPENDED) {
            return false;
        }
        overflow(g, f, len);
        return true;
    }
    stamp(g, f, &meta);
    judge(g, &r, f, &meta);
    if (g->rmon) {
        dwmac_mmc_rx(&g->mmc, f, len, r.fault);
        dwmac_mmc_ipc(&g->mmc, &r.coe);
    }
    if (g->fifo_len || deliver(g, &r) == RX_WAITS) {
        gmac_fifo_push(g, &meta, f);
        keep(g);
    }
    return true;
}

/* A PAUSE frame has done its work before it would wait. */
static bool from_wire(Gmac *g, const uint8_t *f, size_t len, bool can_wait)
{
    obey_pause(g, f, len);
    return receive(g, f, len, can_wait && !dwmac_is_pause(f, len));
}

ssize_t gmac_receive(DwmacCore *core, const uint8_t *f, size_t len)
{
    Gmac *g = container_of(core, Gmac, core);
    bool taken;

    if (gmac_bit(g, GMAC_CONTROL, GMAC_CONTROL_LM) ||
        !gmac_bit(g, GMAC_CONTROL, GMAC_CONTROL_RE)) {
        trace_gmac_rx_drop(core->name, len, "off");
        return len;
    }
    taken = from_wire(g, f, len, g->rx_lossless);
    gmac_update_irq(g);
    if (!taken) {
        dwmac_core_rx_keep(core);
    }
    return taken ? len : 0;
}

void gmac_rx_loopback(Gmac *g, const uint8_t *f, size_t len)
{
    if (gmac_bit(g, GMAC_CONTROL, GMAC_CONTROL_RE)) {
        from_wire(g, f, len, false);
    }
}
