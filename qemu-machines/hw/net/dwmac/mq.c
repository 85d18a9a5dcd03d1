// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The multi-queue DesignWare MACs: registers, interrupts, reset.
 *
 * What it is: everything of a QoS or XGMAC core that is neither a ring
 * (mq-tx.c, mq-rx.c) nor a matter of one generation (qos.c): dispatch over a
 * generation's register table, the channels' interrupt logic, software reset,
 * and what is saved with a machine.
 *
 * How it works: a line of the table says of one register, or of one that is
 * there once a channel or queue, where it is, what reset leaves in it, which
 * bits software can write, and which hooks run.  Channels and queues that a
 * core was not synthesised with have no registers: they read 0.
 *
 * Facts: dwmac4_lib.c and dwmac4_dma.c of Linux 6.12 for what a driver sees
 * of interrupts; the QoS 5.10a databook, as vendors' manuals repeat it, for
 * what NIS and AIS sum up and how a DMA engine stops.
 *
 * NIS and AIS are sticky, and set again while an enabled cause stands.
 *
 * Not here: what one generation has and the other has not (qos.c, xgmac.c, which
 * list the gaps of each), the lines of single channels.
 */
#include "qemu/osdep.h"
#include "mq.h"
#include "mq-safety.h"
#include "hw/qdev-properties.h"
#include "hw/net/dwmac.h"
#include "migration/vmstate.h"
#include "qapi/error.h"
#include "qemu/log.h"
#include "trace.h"

static const DwmacOps mq_core_ops;
static void soft_reset(Mq *m);

/* ---- DMA ---- */

uint64_t mq_addr(const Mq *m, uint32_t hi, uint32_t lo)
{
    uint64_t addr = lo;

    if (m->gen->eame(m)) {
        addr |= (uint64_t)hi << 32;
    }
    return extract64(addr, 0, m->addr_width);
}

static void bus_error(MqChan *c, bool tx, uint64_t addr, unsigned eb)
{
    uint32_t *status = mq_ch(c, MQ_CH_STATUS);

    trace_mq_bus_error(c->m->core.name, c->n, addr, eb);
    if (tx) {
        c->tx_state = MQ_DMA_STOPPED;
        *status = deposit32(*status, DMA_CHAN_TEB_SHIFT, 3, eb);
    } else {
        c->rx_state = MQ_DMA_STOPPED;
        *status = deposit32(*status, DMA_CHAN_REB_SHIFT, 3, eb);
    }
    mq_raise(c, DMA_CHAN_FBE);
}

bool mq_dma_read(MqChan *c, bool tx, uint64_t addr, void *buf, size_t len,
                 unsigned eb)
{
    if (dwmac_core_dma_read(&c->m->core, addr, buf, len)) {
        return true;
    }
    bus_error(c, tx, addr, eb | DMA_EB_READ);
    return false;
}

bool mq_dma_write(MqChan *c, bool tx, uint64_t addr, const void *buf,
                  size_t len, unsigned eb)
{
    if (dwmac_core_dma_write(&c->m->core, addr, buf, len)) {
        return true;
    }
    bus_error(c, tx, addr, eb);
    return false;
}

unsigned mq_stride(MqChan *c, bool tx)
{
    unsigned skip = extract32(*mq_ch(c, MQ_CH_CONTROL), DMA_CONTROL_DSL_SHIFT,
                              DMA_CONTROL_DSL_LEN);
    bool wide = tx && (*mq_ch(c, MQ_CH_TX_CONTROL) & DMA_TX_CONTROL_EDSE);

    return (wide ? 32 : 16) + skip * c->m->bus_bytes;
}

static uint64_t ring_base(MqChan *c, bool tx)
{
    return mq_addr(c->m,
                   *mq_ch(c, tx ? MQ_CH_TX_BASE_HI : MQ_CH_RX_BASE_HI),
                   *mq_ch(c, tx ? MQ_CH_TX_BASE : MQ_CH_RX_BASE));
}

uint64_t mq_next_desc(MqChan *c, bool tx, uint64_t cur)
{
    unsigned last = extract32(*mq_ch(c, tx ? MQ_CH_TX_LEN : MQ_CH_RX_LEN), 0,
                              16);
    unsigned stride = mq_stride(c, tx);
    uint64_t base = ring_base(c, tx);

    return cur - base >= (uint64_t)last * stride ? base : cur + stride;
}

/* ---- interrupts ---- */

static void set_summaries(MqChan *c)
{
    uint32_t *status = mq_ch(c, MQ_CH_STATUS);
    uint32_t live = *status & *mq_ch(c, MQ_CH_INTR_ENA);

    *status |= (live & DMA_CHAN_NORMAL ? DMA_CHAN_NIS : 0) |
               (live & DMA_CHAN_ABNORMAL ? DMA_CHAN_AIS : 0);
}

void mq_raise(MqChan *c, uint32_t status)
{
    *mq_ch(c, MQ_CH_STATUS) |= status;
    set_summaries(c);
}

static bool chan_live(MqChan *c)
{
    uint32_t nie = c->m->gen->nie(c->m), status = *mq_ch(c, MQ_CH_STATUS);
    uint32_t ena = *mq_ch(c, MQ_CH_INTR_ENA);

    /* AIE is the bit below NIE, AIS that below NIS. */
    return ((status & DMA_CHAN_NIS) && (ena & nie)) ||
           ((status & DMA_CHAN_AIS) && (ena & nie >> 1));
}

static uint32_t chans_live(Mq *m)
{
    uint32_t live = 0;

    for (unsigned n = 0; n < mq_channels(m); n++) {
        live |= chan_live(&m->chan[n]) << n;
    }
    return live;
}

uint32_t mq_read_int_status(Mq *m, unsigned off)
{
    unsigned mmc = m->rmon ? dwmac_mmc_irq(&m->mmc) : 0;

    return *mq_reg(m, off) |
           (mq_lpi_event(m) ? MQ_INT_LPIIS : 0) |
           (mq_pmt_event(m) ? MQ_INT_PMTIS : 0) |
           (mmc ? MQ_INT_MMCIS : 0) |
           (mq_ptp_event(m) ? MQ_INT_TSIS : 0) |
           (mmc & DWMAC_MMC_IRQ_RX ? MQ_INT_MMCRXIS : 0) |
           (mmc & DWMAC_MMC_IRQ_TX ? MQ_INT_MMCTXIS : 0) |
           (mmc & DWMAC_MMC_IRQ_IPC ? MQ_INT_MMCRXIPIS : 0);
}

/* The MMC has masks of its own. */
static bool mac_live(Mq *m)
{
    uint32_t status = mq_read_int_status(m, MQ_INT_STATUS);

    return status & (mq_get(m, MQ_INT_EN) | MQ_INT_MMCIS);
}

void mq_update_irq(Mq *m)
{
    uint32_t chans = chans_live(m), mtl = m->gen->mtl_irq(m);
    bool mac = mac_live(m), level = chans || mtl || mac;

    level |= mq_safety_irq(m);
    if (level != m->irq_level) {
        m->irq_level = level;
        trace_mq_irq(m->core.name, level, chans, mtl, mac);
        qemu_set_irq(m->irq, level);
    }
}

uint32_t mq_dma_intr_status(Mq *m)
{
    return chans_live(m) | (m->gen->mtl_irq(m) ? BIT(16) : 0) |
           (mac_live(m) ? BIT(17) : 0);
}

static void riwt_expired(void *opaque)
{
    MqChan *c = opaque;

    mq_raise(c, DMA_CHAN_RI);
    mq_update_irq(c->m);
}

/* ---- register hooks: reads ---- */

uint32_t mq_read_version(Mq *m, unsigned off)
{
    return m->user_id << 8 | m->snpsver;
}

/* -1: no such register */
static int mmc_offset(const Mq *m, unsigned off)
{
    off -= m->gen->mmc_base;
    return !m->rmon ? -1 : m->gen->mmc_map ? m->gen->mmc_map(off) : (int)off;
}

uint32_t mq_read_mmc(Mq *m, unsigned off)
{
    int at = mmc_offset(m, off);
    uint32_t val;

    if (at < 0) {
        return 0;
    }
    val = dwmac_mmc_read(&m->mmc, at);
    mq_update_irq(m);
    return val;
}

uint32_t mq_read_cur_tx(Mq *m, unsigned off)
{
    return mq_chan_of(m, off)->tx_cur;
}

uint32_t mq_read_cur_tx_hi(Mq *m, unsigned off)
{
    return mq_chan_of(m, off)->tx_cur >> 32;
}

uint32_t mq_read_cur_rx(Mq *m, unsigned off)
{
    return mq_chan_of(m, off)->rx_cur;
}

uint32_t mq_read_cur_rx_hi(Mq *m, unsigned off)
{
    return mq_chan_of(m, off)->rx_cur >> 32;
}

/*
 * Indirect accesses take place at once and leave their busy bit set for the
 * time of property indirect-busy-ns.
 */
bool mq_busy(const Mq *m)
{
    return m->core.fault.stuck_busy ||
           m->busy_until > qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);
}

bool mq_start_access(Mq *m, unsigned off, uint32_t busy, uint32_t old)
{
    uint32_t *reg = mq_reg(m, off);

    if (mq_busy(m)) {
        *reg = old;
        return false;
    }
    if (!(*reg & busy)) {
        return false;
    }
    *reg &= ~busy;
    m->busy_until = qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL) +
                    m->indirect_busy_ns;
    return true;
}

uint32_t mq_read_vlan_tag(Mq *m, unsigned off)
{
    return *mq_reg(m, off) |
           (m->vlan_slots && mq_busy(m) ? MQ_VLAN_TAG_OB : 0);
}

uint32_t mq_read_frp_ctrl(Mq *m, unsigned off)
{
    bool on = mq_get(m, m->gen->mtl_op) & MQ_MTL_OP_FRPE;

    return *mq_reg(m, off) | (on ? 0 : MQ_FRP_RXPI);
}

uint32_t mq_read_frp_access(Mq *m, unsigned off)
{
    return *mq_reg(m, off) | (mq_busy(m) ? MQ_FRP_STARTBUSY : 0);
}

/* ---- register hooks: writes; the masked value is already in place ---- */

void mq_write_run(Mq *m, unsigned off, uint32_t old)
{
    mq_tx_run(m);
    mq_rx_run(m);
}

void mq_write_irq_mask(Mq *m, unsigned off, uint32_t old)
{
    unsigned base = m->gen->chan_base;

    if (off >= base) {
        set_summaries(mq_chan_of(m, off));
    }
    mq_update_irq(m);
}

/* High words: slot 0 has no mask and is always enabled. */
void mq_write_addr(Mq *m, unsigned off, uint32_t old)
{
    unsigned slot = (off - MQ_ADDR_BASE) / 8;

    if (slot >= m->addr_slots) {
        *mq_reg(m, off) = old;
    } else if (!(off & 4)) {
        *mq_reg(m, off) |= slot ? 0 : DWMAC_ADDR_AE;
    }
}

void mq_write_mmc(Mq *m, unsigned off, uint32_t old)
{
    uint32_t val = *mq_reg(m, off);
    int at = mmc_offset(m, off);

    *mq_reg(m, off) = 0;
    if (at >= 0) {
        dwmac_mmc_write(&m->mmc, at, val);
        mq_update_irq(m);
    }
}

void mq_write_tx_flow(Mq *m, unsigned off, uint32_t old)
{
    uint32_t val = *mq_reg(m, off);

    *mq_reg(m, off) &= ~MQ_TX_FLOW_FCB;
    if ((val & MQ_TX_FLOW_FCB) && (val & MQ_TX_FLOW_TFE) &&
        (mq_mac(m).flags & MQ_DM)) {
        mq_tx_pause(m, (off - MQ_TX_FLOW_CTRL) / 4,
                    val >> MQ_TX_FLOW_PT_SHIFT);
    }
}

/* With several VLAN filters the low bits are an access to one of them. */
static void vlan_access(Mq *m, uint32_t *tag)
{
    unsigned n = extract32(*tag, MQ_VLAN_TAG_OFS_SHIFT, 5);
    uint32_t *data = mq_reg(m, MQ_VLAN_TAG_DATA);

    if (n >= m->vlan_slots) {
        return;
    }
    if (*tag & MQ_VLAN_TAG_CT) {
        *data = m->vlan_slot[n];
    } else {
        m->vlan_slot[n] = *data;
    }
}

void mq_write_vlan_tag(Mq *m, unsigned off, uint32_t old)
{
    uint32_t *tag = mq_reg(m, off);

    *tag &= ~((m->vlhash ? 0 : DWMAC_VT_VTHM) |
              (m->dvlan ? 0 : DWMAC_VT_EDVLP | DWMAC_VT_ERIVLT |
                             3u << DWMAC_VT_EIVLS_SHIFT | DWMAC_VT_EIVLRXS));
    if (m->vlan_slots && mq_start_access(m, off, MQ_VLAN_TAG_OB, old)) {
        vlan_access(m, tag);
    }
}

/* The instruction table of the parser, a word at a time. */
void mq_write_frp_access(Mq *m, unsigned off, uint32_t old)
{
    uint32_t *ctrl = mq_reg(m, off), *data = mq_reg(m, off + 4);
    unsigned at = extract32(*ctrl, 0, MQ_FRP_ADDR_LEN);

    if (!mq_start_access(m, off, MQ_FRP_STARTBUSY, old)) {
        return;
    }
    if (*ctrl & MQ_FRP_WRRDN) {
        m->frp_table[at] = *data;
    } else {
        *data = m->frp_table[at];
    }
}

static void reset_done(void *opaque)
{
    Mq *m = opaque;

    *mq_reg(m, m->gen->dma_mode) &= ~BIT(0);
}

/* Bit 0 is the software reset in either generation; it clears itself. */
void mq_write_dma_mode(Mq *m, unsigned off, uint32_t old)
{
    if (!(*mq_reg(m, off) & BIT(0))) {
        return;
    }
    soft_reset(m);
    if (m->core.fault.stuck_reset) {
        *mq_reg(m, off) |= BIT(0);
    } else if (m->reset_ns) {
        *mq_reg(m, off) |= BIT(0);
        timer_mod_ns(m->reset_timer, m->reset_ns +
                     qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL));
    }
}

void mq_write_tx_control(Mq *m, unsigned off, uint32_t old)
{
    MqChan *c = mq_chan_of(m, off);
    bool on = *mq_reg(m, off) & DMA_TX_CONTROL_ST;

    if (!((old ^ *mq_reg(m, off)) & DMA_TX_CONTROL_ST)) {
        return;
    }
    trace_mq_start_stop(m->core.name, c->n, "tx", on, c->tx_cur);
    if (on) {
        c->tx_state = MQ_TX_RUNNING;
        mq_tx_run(m);
    } else {
        c->tx_state = MQ_DMA_STOPPED;
        mq_raise(c, DMA_CHAN_TPS);
        mq_update_irq(m);
    }
}

void mq_write_rx_control(Mq *m, unsigned off, uint32_t old)
{
    MqChan *c = mq_chan_of(m, off);
    bool on = *mq_reg(m, off) & DMA_RX_CONTROL_SR;

    if (!((old ^ *mq_reg(m, off)) & DMA_RX_CONTROL_SR)) {
        return;
    }
    trace_mq_start_stop(m->core.name, c->n, "rx", on, c->rx_cur);
    if (on) {
        c->rx_state = MQ_RX_WAITING;
        mq_rx_run(m);
    } else {
        c->rx_state = MQ_DMA_STOPPED;
        mq_raise(c, DMA_CHAN_RPS);
        mq_update_irq(m);
    }
}

void mq_write_tx_base(Mq *m, unsigned off, uint32_t old)
{
    MqChan *c = mq_chan_of(m, off);

    c->tx_cur = ring_base(c, true);
}

void mq_write_rx_base(Mq *m, unsigned off, uint32_t old)
{
    MqChan *c = mq_chan_of(m, off);

    c->rx_cur = ring_base(c, false);
}

void mq_write_tx_tail(Mq *m, unsigned off, uint32_t old)
{
    MqChan *c = mq_chan_of(m, off);

    if (c->tx_state == MQ_TX_SUSPENDED) {
        c->tx_state = MQ_TX_RUNNING;
    }
    if (dwmac_core_tx_demand(&m->core)) {
        mq_tx_run(m);
    }
}

void mq_write_rx_tail(Mq *m, unsigned off, uint32_t old)
{
    MqChan *c = mq_chan_of(m, off);

    if (c->rx_state == MQ_RX_SUSPENDED) {
        c->rx_state = MQ_RX_WAITING;
    }
    mq_rx_refilled(m);
}

/*
 * One: clear.  The summary of a cause that still stands comes back at once,
 * so that a frame between a driver's read and its write is not forgotten.
 */
void mq_write_status(Mq *m, unsigned off, uint32_t old)
{
    uint32_t ones = *mq_reg(m, off) & DMA_CHAN_W1C;

    *mq_reg(m, off) = old & ~ones;
    if (ones & DMA_CHAN_FBE) {
        *mq_reg(m, off) &= ~DMA_CHAN_EB_MASK;
    }
    set_summaries(mq_chan_of(m, off));
    mq_update_irq(m);
}

/* ---- dispatch ---- */

static unsigned copies(const Mq *m, const MqReg *r)
{
    switch (r->per) {
    case MQ_PER_CHANNEL:
    case MQ_PER_QUEUE:
        return mq_channels(m);
    case MQ_PER_TXQ:
        return m->tx_queues;
    case MQ_PER_RXQ:
        return m->rx_queues;
    case MQ_PER_L34:
        return m->l34_filters;
    }
    return 1;
}

static void build_index(Mq *m)
{
    const MqGen *g = m->gen;

    m->index = g_new0(uint8_t, MQ_WORDS);
    for (unsigned i = 0; i < g->n_regs; i++) {
        const MqReg *r = &g->regs[i];

        for (unsigned k = 0; k < copies(m, r); k++) {
            for (unsigned n = 0; n < r->words; n++) {
                unsigned at = (r->off + k * r->step) / 4 + n;

                assert(at < MQ_WORDS && !m->index[at]);
                m->index[at] = i + 1;
            }
        }
    }
}

static const MqReg *find_reg(const Mq *m, hwaddr off)
{
    unsigned i = off < MQ_WINDOW ? m->index[off / 4] : 0;

    return i ? &m->gen->regs[i - 1] : NULL;
}

static uint64_t mq_read(void *opaque, hwaddr off, unsigned size)
{
    Mq *m = opaque;
    const MqReg *r = find_reg(m, off);
    uint32_t val;

    if (!r) {
        qemu_log_mask(LOG_UNIMP, "dwmac-%s: read of register 0x%"
                      HWADDR_PRIx "\n", m->gen->name, off);
        return 0;
    }
    val = r->read ? r->read(m, off) : *mq_reg(m, off);
    trace_mq_read(m->core.name, r->name, off, val);
    return val;
}

static void mq_write(void *opaque, hwaddr off, uint64_t val, unsigned size)
{
    Mq *m = opaque;
    const MqReg *r = find_reg(m, off);
    uint32_t old;

    if (!r) {
        qemu_log_mask(LOG_UNIMP, "dwmac-%s: write of 0x%" PRIx64
                      " to register 0x%" HWADDR_PRIx "\n", m->gen->name, val,
                      off);
        return;
    }
    trace_mq_write(m->core.name, r->name, off, val);
    if (timer_pending(m->reset_timer)) {
        return;
    }
    old = *mq_reg(m, off);
    *mq_reg(m, off) = (old & ~r->wmask) | (val & r->wmask);
    if (r->write) {
        r->write(m, off, old);
    }
}

static const MemoryRegionOps mq_ops = {
    .read = mq_read,
    .write = mq_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = { .min_access_size = 4, .max_access_size = 4 },
    .impl = { .min_access_size = 4, .max_access_size = 4 },
};

/* ---- reset ---- */

static void reset_regs(Mq *m)
{
    const MqGen *g = m->gen;

    memset(m->regs, 0, sizeof(m->regs));
    for (unsigned i = 0; i < g->n_regs; i++) {
        const MqReg *r = &g->regs[i];

        for (unsigned k = 0; r->reset && k < copies(m, r); k++) {
            for (unsigned n = 0; n < r->words; n++) {
                *mq_reg(m, r->off + k * r->step + n * 4) = r->reset;
            }
        }
    }
    for (unsigned n = 0; n < m->addr_slots; n++) {
        *mq_reg(m, MQ_ADDR_BASE + n * 8) = n ? 0x0000ffff :
                                               DWMAC_ADDR_AE | 0xffff;
        *mq_reg(m, MQ_ADDR_BASE + n * 8 + 4) = 0xffffffff;
    }
}

static void reset_chan(MqChan *c)
{
    timer_del(c->riwt_timer);
    timer_del(c->launch_timer);
    mq_tx_flush(c);
    c->tx_torn = c->tx_hung = false;
    c->tx_cur = c->rx_cur = 0;
    c->tx_state = c->rx_state = MQ_DMA_STOPPED;
    c->tx_mss = c->tx_vlan = c->tx_inner_vlan = 0;
    c->tx_inner_vtir = 0;
}

static void soft_reset(Mq *m)
{
    trace_mq_reset(m->core.name);
    timer_del(m->pause_timer);
    timer_del(m->reset_timer);
    timer_del(m->late_timer);
    timer_del(m->lpi_timer);
    qemu_bh_cancel(m->tx_bh);
    dwmac_core_reset(&m->core);
    dwmac_mmc_reset(&m->mmc);
    memset(m->vlan_slot, 0, sizeof(m->vlan_slot));
    memset(m->frp_table, 0, sizeof(m->frp_table));
    dwmac_pmt_reset(&m->wake);
    m->busy_until = 0;
    mq_reset_ptp(m);
    reset_regs(m);
    if (m->gen->reset) {
        m->gen->reset(m);
    }
    for (unsigned n = 0; n < MQ_CHANNELS; n++) {
        reset_chan(&m->chan[n]);
    }
    mq_rx_flush(m);
    mq_update_irq(m);
    /* Whatever the network layer kept is gone with the receiver off. */
    qemu_flush_queued_packets(qemu_get_queue(m->core.nic));
}

void mq_reset(Mq *m)
{
    const uint8_t *mac = m->core.conf.macaddr.a;

    soft_reset(m);
    *mq_reg(m, MQ_ADDR_BASE) = DWMAC_ADDR_AE | lduw_le_p(mac + 4);
    *mq_reg(m, MQ_ADDR_BASE + 4) = ldl_le_p(mac);
}

/* ---- the device ---- */

static void mq_tx_resume(DwmacCore *core)
{
    mq_tx_run(container_of(core, Mq, core));
}

static void mq_rx_retry(DwmacCore *core)
{
    mq_rx_drain(container_of(core, Mq, core));
}

static void tx_resume_cb(void *opaque)
{
    mq_tx_run(opaque);
}

static void mq_link_changed(DwmacCore *core)
{
}

static void mq_mdio_done(DwmacCore *core, uint16_t val)
{
    Mq *m = container_of(core, Mq, core);

    if (!core->mdio_op.write) {
        *mq_reg(m, MQ_MDIO_DATA) = deposit32(mq_get(m, MQ_MDIO_DATA), 0, 16,
                                             val);
    }
    if (!m->core.fault.stuck_busy) {
        m->gen->mdio_done(m);
    }
}

static const DwmacOps mq_core_ops = {
    .receive = mq_receive,
    .rx_retry = mq_rx_retry,
    .tx_resume = mq_tx_resume,
    .link_changed = mq_link_changed,
    .mdio_done = mq_mdio_done,
};

static void wire_filter(Mq *m)
{
    DwmacFilter *f = &m->filter;

    f->slots = m->addr_slots;
    f->hash_bits = m->hash_bits;
    for (int n = 0; n < m->addr_slots; n++) {
        f->high[n] = mq_reg(m, MQ_ADDR_BASE + n * 8);
        f->low[n] = mq_reg(m, MQ_ADDR_BASE + n * 8 + 4);
    }
    for (int n = 0; n < DWMAC_HASH_WORDS; n++) {
        f->hash[n] = mq_reg(m, MQ_HASH_TAB + n * 4);
    }
}

static bool fifo_size_valid(uint32_t n)
{
    return n >= 256 && n <= 131072 && !(n & (n - 1));
}

static bool check_options(const Mq *m, Error **errp)
{
    unsigned v = m->vlan_slots;

    if (v && v != 4 && v != 8 && v != 16 && v != 24 && v != 32) {
        error_setg(errp, "vlan-filters is 0, 4, 8, 16, 24 or 32, not %u", v);
    } else if (m->l34_filters > MQ_L34_MAX) {
        error_setg(errp, "l3l4-filters is 0 to %d, not %u", MQ_L34_MAX,
                   m->l34_filters);
    } else if (m->pps_outputs > MQ_PPS) {
        error_setg(errp, "pps-outputs is 0 to %d, not %u", MQ_PPS,
                   m->pps_outputs);
    } else if (m->aux_inputs > DWMAC_PTP_INPUTS) {
        error_setg(errp, "aux-snapshots is 0 to %d, not %u", DWMAC_PTP_INPUTS,
                   m->aux_inputs);
    } else {
        return m->gen->check(m, errp);
    }
    return false;
}

static bool check_properties(const Mq *m, Error **errp)
{
    if (!m->tx_queues || m->tx_queues > MQ_CHANNELS) {
        error_setg(errp, "tx-queues is 1 to 8, not %u", m->tx_queues);
    } else if (!m->rx_queues || m->rx_queues > MQ_CHANNELS) {
        error_setg(errp, "rx-queues is 1 to 8, not %u", m->rx_queues);
    } else if (m->hash_bits && m->hash_bits != 64 && m->hash_bits != 128 &&
               m->hash_bits != 256) {
        error_setg(errp, "hash-bits is 0, 64, 128 or 256, not %u",
                   m->hash_bits);
    } else if (!m->addr_slots || m->addr_slots > DWMAC_ADDR_SLOTS) {
        error_setg(errp, "addr-slots is 1 to %d, not %u", DWMAC_ADDR_SLOTS,
                   m->addr_slots);
    } else if (m->addr_width != 32 && m->addr_width != 40 &&
               m->addr_width != 48) {
        error_setg(errp, "addr-width is 32, 40 or 48, not %u",
                   m->addr_width);
    } else if (m->bus_bytes != 4 && m->bus_bytes != 8 && m->bus_bytes != 16) {
        error_setg(errp, "bus-bytes is 4, 8 or 16, not %u", m->bus_bytes);
    } else if (!fifo_size_valid(m->tx_fifo)) {
        error_setg(errp, "tx-fifo is a power of 2, 256 to 131072, not %u",
                   m->tx_fifo);
    } else if (!fifo_size_valid(m->rx_fifo)) {
        error_setg(errp, "rx-fifo is a power of 2, 256 to 131072, not %u",
                   m->rx_fifo);
    } else if (m->phy_if > 7) {
        error_setg(errp, "phy-if is 0 to 7, not %u", m->phy_if);
    } else if (!m->csr_hz) {
        error_setg(errp, "csr-hz is the frequency of a clock, not 0");
    } else {
        return check_options(m, errp);
    }
    return false;
}

void mq_init(Mq *m, DeviceState *dev, const MqGen *gen)
{
    m->gen = gen;
    m->ptp.v4 = m->wake.v4 = true;
    dwmac_core_init(&m->core, dev, &mq_core_ops);
    object_property_add_uint32_ptr(OBJECT(dev), "fault-split-short",
                                   &m->core.fault.split_short,
                                   OBJ_PROP_FLAG_READWRITE);
    mq_init_ptp(m, dev);
    mq_add_safety_faults(m, OBJECT(dev));
}

bool mq_realize(Mq *m, AddressSpace *as, Error **errp)
{
    DeviceState *dev = m->core.dev;

    if (!check_properties(m, errp)) {
        return false;
    }
    build_index(m);
    memory_region_init_io(&m->mmio, OBJECT(dev), &mq_ops, m,
                          object_get_typename(OBJECT(dev)),
                          DWMAC_WINDOW_SIZE);
    dwmac_core_gate(&m->core, &m->mmio);
    m->pause_timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, tx_resume_cb, m);
    m->reset_timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, reset_done, m);
    m->lpi_timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, mq_lpi_timeout, m);
    m->late_timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, mq_tx_late, m);
    m->tx_bh = qemu_bh_new_guarded(tx_resume_cb, m,
                                   &dev->mem_reentrancy_guard);
    for (unsigned n = 0; n < MQ_CHANNELS; n++) {
        MqChan *c = &m->chan[n];

        c->m = m;
        c->n = n;
        c->riwt_timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, riwt_expired, c);
        c->launch_timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, tx_resume_cb, m);
    }
    mq_realize_ptp(m);
    wire_filter(m);
    dwmac_core_realize(&m->core, as);
    return true;
}

void mq_unrealize(Mq *m)
{
    dwmac_core_unrealize(&m->core);
    timer_free(m->pause_timer);
    timer_free(m->reset_timer);
    timer_free(m->late_timer);
    timer_free(m->lpi_timer);
    mq_unrealize_ptp(m);
    qemu_bh_delete(m->tx_bh);
    for (unsigned n = 0; n < MQ_CHANNELS; n++) {
        timer_free(m->chan[n].riwt_timer);
        timer_free(m->chan[n].launch_timer);
        g_free(m->chan[n].tx_buf);
        g_free(m->queue[n].fifo);
    }
    g_free(m->index);
}

/* ---- migration ---- */

static bool tx_len_valid(void *opaque, int version_id)
{
    MqChan *c = opaque;

    return c->tx_len <= MQ_TX_MAX;
}

static bool fifo_len_valid(void *opaque, int version_id)
{
    MqQueue *q = opaque;

    return q->fifo_len <= MQ_FIFO_MAX;
}

static bool states_valid(const MqChan *c)
{
    return (c->tx_state == MQ_DMA_STOPPED || c->tx_state == MQ_TX_RUNNING ||
            c->tx_state == MQ_TX_SUSPENDED) &&
           (c->rx_state == MQ_DMA_STOPPED || c->rx_state == MQ_RX_WAITING ||
            c->rx_state == MQ_RX_SUSPENDED);
}

static int mq_pre_load(void *opaque)
{
    Mq *m = opaque;

    for (unsigned n = 0; n < MQ_CHANNELS; n++) {
        g_clear_pointer(&m->chan[n].tx_buf, g_free);
        g_clear_pointer(&m->queue[n].fifo, g_free);
        m->chan[n].tx_cap = m->queue[n].fifo_cap = 0;
    }
    return 0;
}

static int mq_post_load(void *opaque, int version_id)
{
    Mq *m = opaque;
    bool waiting = false;

    for (unsigned n = 0; n < MQ_CHANNELS; n++) {
        m->chan[n].tx_cap = m->chan[n].tx_len;
        m->queue[n].fifo_cap = m->queue[n].fifo_len;
        if (!states_valid(&m->chan[n]) || !mq_fifo_valid(m, n)) {
            return -EINVAL;
        }
        waiting |= m->queue[n].fifo_len > 0;
    }
    /* Their descriptors may have been there already. */
    if (waiting) {
        dwmac_core_rx_soon(&m->core);
    }
    if (m->late_chan >= MQ_CHANNELS) {
        return -EINVAL;
    }
    m->irq_level = false;
    mq_update_irq(m);
    for (unsigned n = 0; n < MQ_PPS; n++) {
        qemu_set_irq(m->pps_out[n], m->pps[n].level);
    }
    return 0;
}

static const VMStateDescription vmstate_mq_tx_ctl = {
    .name = "dwmac-mq-tx-ctl",
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT32(tdes2, MqTxCtl),
        VMSTATE_UINT32(tdes3, MqTxCtl),
        VMSTATE_END_OF_LIST()
    }
};

static const VMStateDescription vmstate_mq_chan = {
    .name = "dwmac-mq-chan",
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_TIMER_PTR(riwt_timer, MqChan),
        VMSTATE_TIMER_PTR(launch_timer, MqChan),
        VMSTATE_UINT64(tx_cur, MqChan),
        VMSTATE_UINT64(rx_cur, MqChan),
        VMSTATE_UINT8(tx_state, MqChan),
        VMSTATE_UINT8(rx_state, MqChan),
        VMSTATE_BOOL(tx_frame, MqChan),
        VMSTATE_BOOL(tx_over, MqChan),
        VMSTATE_BOOL(tx_torn, MqChan),
        VMSTATE_BOOL(tx_hung, MqChan),
        VMSTATE_STRUCT(tx_ctl, MqChan, 1, vmstate_mq_tx_ctl, MqTxCtl),
        VMSTATE_UINT16(tx_mss, MqChan),
        VMSTATE_UINT16(tx_vlan, MqChan),
        VMSTATE_UINT16(tx_inner_vlan, MqChan),
        VMSTATE_UINT8(tx_inner_vtir, MqChan),
        VMSTATE_UINT32(tx_len, MqChan),
        VMSTATE_VALIDATE("tx_len", tx_len_valid),
        VMSTATE_VARRAY_UINT32_ALLOC(tx_buf, MqChan, tx_len, 1,
                                    vmstate_info_uint8, uint8_t),
        VMSTATE_END_OF_LIST()
    }
};

static const VMStateDescription vmstate_mq_queue = {
    .name = "dwmac-mq-queue",
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT32(level, MqQueue),
        VMSTATE_BOOL(pausing, MqQueue),
        VMSTATE_UINT32(fifo_len, MqQueue),
        VMSTATE_VALIDATE("fifo_len", fifo_len_valid),
        VMSTATE_VARRAY_UINT32_ALLOC(fifo, MqQueue, fifo_len, 1,
                                    vmstate_info_uint8, uint8_t),
        VMSTATE_END_OF_LIST()
    }
};

const VMStateDescription vmstate_mq = {
    .name = "dwmac-mq",
    .version_id = 4,
    .minimum_version_id = 4,
    .pre_load = mq_pre_load,
    .post_load = mq_post_load,
    .fields = (const VMStateField[]) {
        VMSTATE_STRUCT(core, Mq, 1, vmstate_dwmac_core, DwmacCore),
        VMSTATE_TIMER_PTR(pause_timer, Mq),
        VMSTATE_TIMER_PTR(reset_timer, Mq),
        VMSTATE_UINT32_ARRAY(regs, Mq, MQ_WORDS),
        VMSTATE_STRUCT(mmc, Mq, 1, vmstate_dwmac_mmc, DwmacMmc),
        VMSTATE_STRUCT_ARRAY(chan, Mq, MQ_CHANNELS, 1, vmstate_mq_chan,
                             MqChan),
        VMSTATE_STRUCT_ARRAY(queue, Mq, MQ_CHANNELS, 1, vmstate_mq_queue,
                             MqQueue),
        VMSTATE_UINT32_ARRAY(vlan_slot, Mq, DWMAC_VLAN_SLOTS),
        VMSTATE_UINT32_ARRAY(frp_table, Mq,
                             DWMAC_FRP_ENTRIES * DWMAC_FRP_WORDS),
        VMSTATE_INT64(busy_until, Mq),
        VMSTATE_STRUCT(ptp, Mq, 1, vmstate_dwmac_ptp, DwmacPtp),
        VMSTATE_STRUCT_ARRAY(pps, Mq, MQ_PPS, 1, vmstate_mq_pps, MqPps),
        VMSTATE_STRUCT(wake, Mq, 1, vmstate_dwmac_pmt, DwmacPmt),
        VMSTATE_TIMER_PTR(late_timer, Mq),
        VMSTATE_TIMER_PTR(lpi_timer, Mq),
        VMSTATE_UINT64(late_addr, Mq),
        VMSTATE_UINT32(late_tdes3, Mq),
        VMSTATE_UINT8(late_chan, Mq),
        VMSTATE_BOOL(late_ioc, Mq),
        VMSTATE_END_OF_LIST()
    }
};
