// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * DesignWare GMAC 3.x: registers, interrupts, reset.
 *
 * What it is: the register window of a GMAC 3.5 to 3.7 (the default says
 * 3.70) with one DMA channel, as Linux's dwmac1000 and dwmac-generic, and
 * U-Boot's designware driver use it.
 *
 * How it works: one table says of each register where it is, what reset
 * leaves in it, which bits software can write, and which hook runs.  The
 * rings are in gmac-tx.c and gmac-rx.c, the receive FIFO in gmac-fifo.c,
 * low-power idle and wake-up in gmac-pm.c, checksums in coe.c, filters in
 * filter.c, counters in mmc.c, the system time in ptp.c.
 *
 * Facts: dwmac1000.h, dwmac_dma.h, common.h, dwmac_lib.c and dwmac1000_*.c of
 * Linux 6.1 and 7.3 for registers and bits; the GMAC 3.70a databook, as
 * vendors' manuals repeat it, for reset values and for what NIS, AIS, the
 * watchdog, DSL and ATDS do.
 *
 * Gaps of the GMAC model:
 * - not advertised and absent: the PCS (TBI, RTBI), AV channels, layer 3 and 4
 *   filters, PPS outputs and target times of IEEE 1588;
 * - half duplex, collisions, carrier, CRC errors: QEMU's wire has none;
 * - the transmit FIFO's fill level: no underflow; the debug register tells of
 *   waiting frames and of the receive FIFO only;
 * - a software reset takes the time of property reset-ns (none); bus mode, AXI
 *   and burst settings have no effect;
 * - NIS and AIS are sticky, and set again while an enabled cause stands.
 */
#include "qemu/osdep.h"
#include "gmac.h"
#include "hw/qdev-properties.h"
#include "lpi.h"
#include "hw/net/dwmac.h"
#include "migration/vmstate.h"
#include "qapi/error.h"
#include "qemu/log.h"
#include "trace.h"

typedef struct GmacReg {
    const char *name;
    uint16_t off;
    uint16_t words;     /* this many registers alike, one after the other */
    uint32_t reset;
    uint32_t wmask;     /* bits that software can write */
    uint32_t (*read)(Gmac *g, unsigned off);
    void (*write)(Gmac *g, unsigned off, uint32_t old);
} GmacReg;

static const DwmacOps gmac_core_ops;
static void soft_reset(Gmac *g);

/* ---- DMA and interrupts ---- */

static void bus_error(Gmac *g, uint32_t addr, unsigned eb)
{
    uint32_t *status = gmac_reg(g, DMA_STATUS);

    trace_gmac_bus_error(g->core.name, addr, eb);
    *status = (*status & ~DMA_STATUS_EB_MASK) | eb << DMA_STATUS_EB_SHIFT;
    if (eb & DMA_EB_TX) {
        g->tx_state = DMA_TS_STOPPED;
    } else {
        g->rx_state = DMA_RS_STOPPED;
    }
    gmac_raise(g, DMA_STATUS_FBI);
}

bool gmac_dma_read(Gmac *g, uint32_t addr, void *buf, size_t len, unsigned eb)
{
    if (dwmac_core_dma_read(&g->core, addr, buf, len)) {
        return true;
    }
    bus_error(g, addr, eb);
    return false;
}

bool gmac_dma_write(Gmac *g, uint32_t addr, const void *buf, size_t len,
                    unsigned eb)
{
    if (dwmac_core_dma_write(&g->core, addr, buf, len)) {
        return true;
    }
    bus_error(g, addr, eb);
    return false;
}

unsigned gmac_desc_stride(const Gmac *g)
{
    unsigned skip = extract32(g->regs[DMA_BUS_MODE / 4],
                              DMA_BUS_MODE_DSL_SHIFT, DMA_BUS_MODE_DSL_LEN);

    return (gmac_atds(g) ? 32 : 16) + skip * g->bus_bytes;
}

static void set_summaries(Gmac *g)
{
    uint32_t *status = gmac_reg(g, DMA_STATUS);
    uint32_t live = *status & *gmac_reg(g, DMA_INTR_ENA);

    *status |= (live & DMA_INTR_NORMAL ? DMA_STATUS_NIS : 0) |
               (live & DMA_INTR_ABNORMAL ? DMA_STATUS_AIS : 0);
}

void gmac_raise(Gmac *g, uint32_t status)
{
    *gmac_reg(g, DMA_STATUS) |= status;
    set_summaries(g);
}

static uint32_t mac_int_status(Gmac *g)
{
    unsigned mmc = dwmac_mmc_irq(&g->mmc);

    return *gmac_reg(g, GMAC_INT_STATUS) |
           (mmc ? GMAC_INT_MMC : 0) |
           (mmc & DWMAC_MMC_IRQ_RX ? GMAC_INT_MMC_RX : 0) |
           (mmc & DWMAC_MMC_IRQ_TX ? GMAC_INT_MMC_TX : 0) |
           (mmc & DWMAC_MMC_IRQ_IPC ? GMAC_INT_MMC_IPC : 0) |
           (*gmac_reg(g, GMAC_PTP_STATUS) & GMAC_PTP_AUXTSTRIG ? GMAC_INT_TS : 0) |
           (*gmac_reg(g, GMAC_PMT) & DWMAC_PMT_RECEIVED ? GMAC_INT_PMT : 0) |
           (*gmac_reg(g, GMAC_LPI) & DWMAC_LPI_EVENTS ? GMAC_INT_LPI : 0);
}

/* The MAC's own interrupts as they show in DMA_STATUS. */
static uint32_t mac_lines(Gmac *g)
{
    uint32_t live = mac_int_status(g) & ~*gmac_reg(g, GMAC_INT_MASK);

    return (live & GMAC_INT_RGSMIIIS ? DMA_STATUS_GLI : 0) |
           (live & GMAC_INT_MMC ? DMA_STATUS_GMI : 0) |
           (live & GMAC_INT_PMT ? DMA_STATUS_GPI : 0) |
           (live & GMAC_INT_TS ? DMA_STATUS_TTI : 0) |
           (live & GMAC_INT_LPI ? DMA_STATUS_GLPII : 0);
}

void gmac_update_irq(Gmac *g)
{
    const uint32_t sums = DMA_STATUS_NIS | DMA_STATUS_AIS;
    bool level = (*gmac_reg(g, DMA_STATUS) & *gmac_reg(g, DMA_INTR_ENA) &
                  sums) || mac_lines(g);

    if (level != g->irq_level) {
        g->irq_level = level;
        trace_gmac_irq(g->core.name, level, *gmac_reg(g, DMA_STATUS));
        qemu_set_irq(g->irq, level);
    }
}

static void riwt_expired(void *opaque)
{
    Gmac *g = opaque;

    gmac_raise(g, DMA_STATUS_RI);
    gmac_update_irq(g);
}

/* ---- register hooks: reads ---- */

static uint32_t read_version(Gmac *g, unsigned off)
{
    return g->user_id << 8 | g->snpsver;
}

static int64_t now_ns(void)
{
    return qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);
}

static uint32_t read_ptp(Gmac *g, unsigned off)
{
    return g->timestamps ?
           dwmac_ptp_read(&g->ptp, off - GMAC_PTP_BASE, now_ns()) : 0;
}

/* The event ends when it is read, the snapshots stay. */
static uint32_t read_ptp_status(Gmac *g, unsigned off)
{
    uint32_t val = *gmac_reg(g, off) | dwmac_ptp_aux_status(&g->ptp);

    *gmac_reg(g, off) = 0;
    gmac_update_irq(g);
    return val;
}

static uint32_t read_aux(Gmac *g, unsigned off)
{
    return off == GMAC_PTP_ATNR ? dwmac_ptp_aux_nsec(&g->ptp) :
                                  dwmac_ptp_aux_sec(&g->ptp);
}

static void aux_input(void *opaque, int n, int level)
{
    Gmac *g = opaque;
    unsigned enabled = g->ptp.tcr >> DWMAC_PTP_ATSEN_SHIFT;

    if (dwmac_ptp_input(&g->ptp, n, level, enabled, now_ns())) {
        trace_gmac_aux_snapshot(g->core.name, n, g->ptp.aux_n);
        *gmac_reg(g, GMAC_PTP_STATUS) |= GMAC_PTP_AUXTSTRIG;
        gmac_update_irq(g);
    }
}

static uint32_t read_debug(Gmac *g, unsigned off)
{
    unsigned rx = !g->fifo_len ? 0 : !gmac_fifo_fits(g, DWMAC_MIN_FRAME) ? 3 :
                  g->fifo_pausing ? 2 : 1;

    return rx << GMAC_DEBUG_RXFSTS_SHIFT |
           (timer_pending(g->pause_timer) ? GMAC_DEBUG_TXPAUSED : 0) |
           (g->tx_frame ? GMAC_DEBUG_TXFSTS : 0);
}

static uint32_t read_int_status(Gmac *g, unsigned off)
{
    return mac_int_status(g);
}

/* Reading ends the link interrupt. */
static uint32_t read_rgsmiiis(Gmac *g, unsigned off)
{
    *gmac_reg(g, GMAC_INT_STATUS) &= ~GMAC_INT_RGSMIIIS;
    gmac_update_irq(g);
    if (!g->phy_if || !dwmac_core_link_up(&g->core)) {
        return 0;
    }
    return GMAC_RGSMIIIS_LNKSTS | GMAC_RGSMIIIS_125MHZ | GMAC_RGSMIIIS_DUPLEX;
}

static uint32_t read_mmc(Gmac *g, unsigned off)
{
    uint32_t val;

    if (!g->rmon) {
        return 0;
    }
    val = dwmac_mmc_read(&g->mmc, off - GMAC_MMC_BASE);
    gmac_update_irq(g);
    return val;
}

static uint32_t read_dma_status(Gmac *g, unsigned off)
{
    return *gmac_reg(g, off) | mac_lines(g) |
           g->rx_state << DMA_STATUS_RS_SHIFT |
           g->tx_state << DMA_STATUS_TS_SHIFT;
}

static uint32_t read_missed(Gmac *g, unsigned off)
{
    uint32_t val = *gmac_reg(g, off);

    *gmac_reg(g, off) = 0;
    return val;
}

/* UNDEF is FB of the bus mode register, upside down. */
static uint32_t read_axi_mode(Gmac *g, unsigned off)
{
    return *gmac_reg(g, off) |
           (gmac_bit(g, DMA_BUS_MODE, DMA_BUS_MODE_FB) ? 0 : DMA_AXI_UNDEF);
}

static uint32_t read_hw_feature(Gmac *g, unsigned off)
{
    return DMA_HW_FEAT_MIISEL | DMA_HW_FEAT_GMIISEL | DMA_HW_FEAT_SMASEL |
           (g->half_duplex ? DMA_HW_FEAT_HDSEL : 0) |
           (g->hash_bits ? DMA_HW_FEAT_HASHSEL : 0) |
           (g->hash_bits > 64 ? DMA_HW_FEAT_EXTHASHEN : 0) |
           (g->addr_slots > 1 ? DMA_HW_FEAT_ADDMAC : 0) |
           (g->rmon ? DMA_HW_FEAT_MMCSEL : 0) |
           (g->pmt ? DMA_HW_FEAT_RWKSEL | DMA_HW_FEAT_MGKSEL : 0) |
           (g->timestamps ? DMA_HW_FEAT_TSVER1SEL | DMA_HW_FEAT_TSVER2SEL |
                            DMA_HW_FEAT_INTTSEN : 0) |
           (g->eee ? DMA_HW_FEAT_EEESEL : 0) |
           (g->sa_vlan_ins ? DMA_HW_FEAT_SAVLANINS : 0) |
           (g->tx_coe ? DMA_HW_FEAT_TXCOESEL : 0) |
           (g->rx_coe == 1 ? DMA_HW_FEAT_RXTYP1COE : 0) |
           (g->rx_coe == 2 ? DMA_HW_FEAT_RXTYP2COE : 0) |
           (g->rx_fifo > 2048 ? DMA_HW_FEAT_RXFIFOSIZE : 0) |
           (g->enh_desc ? DMA_HW_FEAT_ENHDESSEL : 0) |
           g->phy_if << DMA_HW_FEAT_PHYIF_SHIFT;
}

/* ---- register hooks: writes; the masked value is already in place ---- */

static void write_control(Gmac *g, unsigned off, uint32_t old)
{
    if (!g->rx_coe) {
        *gmac_reg(g, off) &= ~GMAC_CONTROL_IPC;
    }
    if (!g->sa_vlan_ins) {
        *gmac_reg(g, off) &= ~(7u << GMAC_CONTROL_SARC_SHIFT);
    }
    gmac_tx_run(g);
}

static void write_mii_addr(Gmac *g, unsigned off, uint32_t old)
{
    uint32_t val = *gmac_reg(g, off);
    DwmacMdioOp op = {
        .write = val & GMAC_MII_ADDR_WRITE,
        .phy = extract32(val, GMAC_MII_PHY_SHIFT, 5),
        .reg = extract32(val, GMAC_MII_REG_SHIFT, 5),
        .val = *gmac_reg(g, GMAC_MII_DATA),
    };

    if (g->core.mdio_busy) {
        *gmac_reg(g, off) = old;
    } else if (val & GMAC_MII_ADDR_BUSY) {
        dwmac_core_mdio(&g->core, &op);
    }
}

static void gmac_mdio_done(DwmacCore *core, uint16_t val)
{
    Gmac *g = container_of(core, Gmac, core);

    if (!core->mdio_op.write) {
        *gmac_reg(g, GMAC_MII_DATA) = val;
    }
    if (!g->core.fault.stuck_busy) {
        *gmac_reg(g, GMAC_MII_ADDR) &= ~GMAC_MII_ADDR_BUSY;
    }
}

static void write_flow(Gmac *g, unsigned off, uint32_t old)
{
    uint32_t val = *gmac_reg(g, off);

    *gmac_reg(g, off) &= ~GMAC_FLOW_FCB;
    if ((val & GMAC_FLOW_FCB) && (val & GMAC_FLOW_TFE) &&
        gmac_bit(g, GMAC_CONTROL, GMAC_CONTROL_DM)) {
        gmac_tx_pause(g, val >> GMAC_FLOW_PT_SHIFT);
    }
}

static void write_ptp(Gmac *g, unsigned off, uint32_t old)
{
    if (g->timestamps) {
        dwmac_ptp_write(&g->ptp, off - GMAC_PTP_BASE, *gmac_reg(g, off),
                        now_ns());
    }
    *gmac_reg(g, off) = 0;
}

static void write_vlan_incl(Gmac *g, unsigned off, uint32_t old)
{
    if (!g->sa_vlan_ins) {
        *gmac_reg(g, off) = 0;
    }
}

/* Without the hash table neither the table nor its bit is there. */
static void write_vlan(Gmac *g, unsigned off, uint32_t old)
{
    if (!g->vlan_hash) {
        *gmac_reg(g, off) &= off == GMAC_VLAN_HASH ? 0 : ~DWMAC_VLAN_VTHM;
    }
}

static void write_irq_mask(Gmac *g, unsigned off, uint32_t old)
{
    gmac_update_irq(g);
}

static unsigned slot_of(unsigned off)
{
    return off < GMAC_ADDR16_BASE ? (off - GMAC_ADDR_BASE) / 8 :
           16 + (off - GMAC_ADDR16_BASE) / 8;
}

/* High words: slot 0 has no mask and is always enabled. */
static void write_addr(Gmac *g, unsigned off, uint32_t old)
{
    unsigned slot = slot_of(off);

    if (slot >= g->addr_slots) {
        *gmac_reg(g, off) = old;
    } else if (!(off & 4)) {
        *gmac_reg(g, off) &= slot ? 0xff00ffff : 0x0000ffff;
        *gmac_reg(g, off) |= slot ? 0 : DWMAC_ADDR_AE;
    }
}

static void write_mmc(Gmac *g, unsigned off, uint32_t old)
{
    uint32_t val = *gmac_reg(g, off);

    *gmac_reg(g, off) = 0;
    if (g->rmon) {
        dwmac_mmc_write(&g->mmc, off - GMAC_MMC_BASE, val);
        gmac_update_irq(g);
    }
}

static void reset_done(void *opaque)
{
    Gmac *g = opaque;

    *gmac_reg(g, DMA_BUS_MODE) &= ~DMA_BUS_MODE_SWR;
}

static void start_reset(Gmac *g)
{
    soft_reset(g);
    if (g->core.fault.stuck_reset) {
        *gmac_reg(g, DMA_BUS_MODE) |= DMA_BUS_MODE_SWR;
    } else if (g->reset_ns) {
        *gmac_reg(g, DMA_BUS_MODE) |= DMA_BUS_MODE_SWR;
        timer_mod_ns(g->reset_timer, now_ns() + g->reset_ns);
    }
}

static void write_bus_mode(Gmac *g, unsigned off, uint32_t old)
{
    if (*gmac_reg(g, off) & DMA_BUS_MODE_SWR) {
        start_reset(g);
    } else if (!g->enh_desc) {
        *gmac_reg(g, off) &= ~DMA_BUS_MODE_ATDS;
    }
}

static void write_tx_poll(Gmac *g, unsigned off, uint32_t old)
{
    *gmac_reg(g, off) = 0;
    if (g->tx_state == DMA_TS_SUSPENDED) {
        g->tx_state = DMA_TS_WAITING;
    }
    if (dwmac_core_tx_demand(&g->core)) {
        gmac_tx_run(g);
    }
}

static void write_rx_poll(Gmac *g, unsigned off, uint32_t old)
{
    *gmac_reg(g, off) = 0;
    if (g->rx_state == DMA_RS_SUSPENDED) {
        g->rx_state = DMA_RS_WAITING;
    }
    gmac_rx_run(g);
}

static void write_base(Gmac *g, unsigned off, uint32_t old)
{
    *gmac_reg(g, off == DMA_TX_BASE_ADDR ? DMA_HOST_TX_DESC :
                                           DMA_HOST_RX_DESC) =
        *gmac_reg(g, off);
}

/*
 * One: clear.  The summary of a cause that still stands comes back at once,
 * so that a frame between a driver's read and its write is not forgotten.
 */
static void write_dma_status(Gmac *g, unsigned off, uint32_t old)
{
    uint32_t ones = *gmac_reg(g, off) & DMA_STATUS_W1C;

    *gmac_reg(g, off) = old & ~ones;
    if (ones & DMA_STATUS_FBI) {
        *gmac_reg(g, off) &= ~DMA_STATUS_EB_MASK;
    }
    set_summaries(g);
    gmac_update_irq(g);
}

static void start_stop_tx(Gmac *g, bool on)
{
    trace_gmac_start_stop(g->core.name, "tx", on,
                          *gmac_reg(g, DMA_HOST_TX_DESC));
    if (on) {
        g->tx_state = DMA_TS_WAITING;
        gmac_tx_run(g);
    } else {
        g->tx_state = DMA_TS_STOPPED;
        gmac_raise(g, DMA_STATUS_TPS);
    }
}

static void start_stop_rx(Gmac *g, bool on)
{
    trace_gmac_start_stop(g->core.name, "rx", on,
                          *gmac_reg(g, DMA_HOST_RX_DESC));
    if (on) {
        g->rx_state = DMA_RS_WAITING;
    } else {
        g->rx_state = DMA_RS_STOPPED;
        gmac_raise(g, DMA_STATUS_RPS);
    }
    /* A frame that was kept is now received or dropped. */
    gmac_rx_run(g);
}

static void write_dma_control(Gmac *g, unsigned off, uint32_t old)
{
    uint32_t changed = old ^ *gmac_reg(g, off);

    if (*gmac_reg(g, off) & DMA_CONTROL_FTF) {
        *gmac_reg(g, off) &= ~DMA_CONTROL_FTF;
        gmac_tx_flush(g);
    }
    if (changed & DMA_CONTROL_ST) {
        start_stop_tx(g, *gmac_reg(g, off) & DMA_CONTROL_ST);
    }
    if (changed & DMA_CONTROL_SR) {
        start_stop_rx(g, *gmac_reg(g, off) & DMA_CONTROL_SR);
    }
    gmac_update_irq(g);
}

/* Drivers come here after they refilled the ring: see dwmac.c. */
static void write_intr_ena(Gmac *g, unsigned off, uint32_t old)
{
    set_summaries(g);
    gmac_rx_run(g);
}

/* ---- the registers ---- */

static const GmacReg gmac_regs[] = {
    { "control", GMAC_CONTROL, 1, 0, 0x7fffffff, NULL, write_control },
    { "frame-filter", GMAC_FRAME_FILTER, 1, 0, 0x800107ff },
    { "hash", GMAC_HASH_HIGH, 2, 0, 0xffffffff },
    { "mii-addr", GMAC_MII_ADDR, 1, 0, 0xffff, NULL, write_mii_addr },
    { "mii-data", GMAC_MII_DATA, 1, 0, 0xffff },
    { "flow-ctrl", GMAC_FLOW_CTRL, 1, 0, 0xffff00bf, NULL, write_flow },
    { "vlan-tag", GMAC_VLAN_TAG, 1, 0, 0x000fffff, NULL, write_vlan },
    { "version", GMAC_VERSION, 1, 0, 0, read_version },
    { "debug", GMAC_DEBUG, 1, 0, 0, read_debug },
    { "wake-filter", GMAC_WAKE_FILTER, 1, 0, 0xffffffff, gmac_read_wake,
      gmac_write_wake },
    { "pmt", GMAC_PMT, 1, 0, DWMAC_PMT_KEPT | DWMAC_PMT_FILTRST,
      gmac_read_pmt, gmac_write_pmt },
    { "lpi", GMAC_LPI, 1, 0, 0x000f0000, gmac_read_lpi, gmac_write_lpi },
    { "lpi-timer", GMAC_LPI_TIMER, 1, 0x03e80000, 0x03ffffff },
    { "int-status", GMAC_INT_STATUS, 1, 0, 0, read_int_status },
    { "int-mask", GMAC_INT_MASK, 1, 0, GMAC_INT_MASKABLE, NULL,
      write_irq_mask },
    { "addr", GMAC_ADDR_BASE, 32, 0, 0xffffffff, NULL, write_addr },
    { "rgsmiiis", GMAC_RGSMIIIS, 1, 0, 0, read_rgsmiiis },
    { "mmc", GMAC_MMC_BASE, DWMAC_MMC_WORDS, 0, 0xffffffff, read_mmc,
      write_mmc },
    { "ext-hash", GMAC_EXTHASH_BASE, 8, 0, 0xffffffff },
    { "vlan-incl", GMAC_VLAN_INCL, 1, 0, 0x000fffff, NULL, write_vlan_incl },
    { "vlan-hash", GMAC_VLAN_HASH, 1, 0, 0x0000ffff, NULL, write_vlan },
    { "ptp", GMAC_PTP_BASE, DWMAC_PTP_SIZE / 4, 0, 0xffffffff, read_ptp,
      write_ptp },
    { "ptp-status", GMAC_PTP_STATUS, 1, 0, 0, read_ptp_status },
    { "ptp-aux", GMAC_PTP_ATNR, 2, 0, 0, read_aux },
    { "addr16", GMAC_ADDR16_BASE, 32, 0, 0xffffffff, NULL, write_addr },
    { "bus-mode", DMA_BUS_MODE, 1, 0x00020100, 0x0fffffff, NULL,
      write_bus_mode },
    { "tx-poll", DMA_XMT_POLL_DEMAND, 1, 0, 0xffffffff, NULL, write_tx_poll },
    { "rx-poll", DMA_RCV_POLL_DEMAND, 1, 0, 0xffffffff, NULL, write_rx_poll },
    { "list-base", DMA_RCV_BASE_ADDR, 2, 0, 0xfffffffc, NULL, write_base },
    { "dma-status", DMA_STATUS, 1, 0, DMA_STATUS_W1C, read_dma_status,
      write_dma_status },
    { "dma-control", DMA_CONTROL, 1, 0, 0x07f1fffe, NULL, write_dma_control },
    { "intr-ena", DMA_INTR_ENA, 1, 0, DMA_STATUS_W1C, NULL, write_intr_ena },
    { "missed", DMA_MISSED_FRAME_CTR, 1, 0, 0, read_missed },
    { "rx-watchdog", DMA_RX_WATCHDOG, 1, 0, 0xff },
    { "axi-mode", DMA_AXI_BUS_MODE, 1, 0x00110000, 0xc0ff20fe, read_axi_mode },
    { "axi-status", DMA_AXI_STATUS, 1 },
    { "current", DMA_HOST_TX_DESC, 4 },
    { "hw-feature", DMA_HW_FEATURE, 1, 0, 0, read_hw_feature },
};

/* From a word in the window to its line in the table, plus one. */
static uint8_t reg_index[GMAC_WORDS];

static void build_index(void)
{
    for (int i = 0; i < ARRAY_SIZE(gmac_regs); i++) {
        for (int n = 0; n < gmac_regs[i].words; n++) {
            assert(!reg_index[gmac_regs[i].off / 4 + n]);
            reg_index[gmac_regs[i].off / 4 + n] = i + 1;
        }
    }
}

static const GmacReg *find_reg(hwaddr off)
{
    unsigned i = off < GMAC_REGS_END ? reg_index[off / 4] : 0;

    return i ? &gmac_regs[i - 1] : NULL;
}

static uint64_t gmac_read(void *opaque, hwaddr off, unsigned size)
{
    Gmac *g = opaque;
    const GmacReg *r = find_reg(off);
    uint32_t val;

    if (!r) {
        qemu_log_mask(LOG_UNIMP, "dwmac-gmac: read of register 0x%"
                      HWADDR_PRIx "\n", off);
        return 0;
    }
    val = r->read ? r->read(g, off) : *gmac_reg(g, off);
    trace_gmac_read(g->core.name, r->name, off, val);
    return val;
}

static void gmac_write(void *opaque, hwaddr off, uint64_t val, unsigned size)
{
    Gmac *g = opaque;
    const GmacReg *r = find_reg(off);
    uint32_t old;

    if (!r) {
        qemu_log_mask(LOG_UNIMP, "dwmac-gmac: write of 0x%" PRIx64
                      " to register 0x%" HWADDR_PRIx "\n", val, off);
        return;
    }
    trace_gmac_write(g->core.name, r->name, off, val);
    if (timer_pending(g->reset_timer)) {
        return;
    }
    old = *gmac_reg(g, off);
    *gmac_reg(g, off) = (old & ~r->wmask) | (val & r->wmask);
    if (r->write) {
        r->write(g, off, old);
    }
}

static const MemoryRegionOps gmac_ops = {
    .read = gmac_read,
    .write = gmac_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = { .min_access_size = 4, .max_access_size = 4 },
    .impl = { .min_access_size = 4, .max_access_size = 4 },
};

/* ---- reset ---- */

static void reset_regs(Gmac *g)
{
    for (int i = 0; i < ARRAY_SIZE(gmac_regs); i++) {
        for (int n = 0; n < gmac_regs[i].words; n++) {
            *gmac_reg(g, gmac_regs[i].off + n * 4) = gmac_regs[i].reset;
        }
    }
    for (int n = 0; n < g->addr_slots; n++) {
        unsigned off = n < 16 ? GMAC_ADDR_BASE + n * 8 :
                       GMAC_ADDR16_BASE + (n - 16) * 8;

        *gmac_reg(g, off) = n ? 0x0000ffff : DWMAC_ADDR_AE | 0xffff;
        *gmac_reg(g, off + 4) = 0xffffffff;
    }
}

static void soft_reset(Gmac *g)
{
    trace_gmac_reset(g->core.name);
    timer_del(g->riwt_timer);
    timer_del(g->pause_timer);
    timer_del(g->reset_timer);
    timer_del(g->late_timer);
    qemu_bh_cancel(g->tx_bh);
    dwmac_core_reset(&g->core);
    dwmac_mmc_reset(&g->mmc);
    dwmac_ptp_reset(&g->ptp, now_ns());
    dwmac_pmt_reset(&g->wake);
    gmac_fifo_flush(g);
    reset_regs(g);
    gmac_tx_flush(g);
    g->tx_state = DMA_TS_STOPPED;
    g->rx_state = DMA_RS_STOPPED;
    gmac_update_irq(g);
    /* Whatever the network layer kept is gone with the receiver off. */
    qemu_flush_queued_packets(qemu_get_queue(g->core.nic));
}

void gmac_reset(Gmac *g)
{
    const uint8_t *mac = g->core.conf.macaddr.a;

    soft_reset(g);
    *gmac_reg(g, GMAC_ADDR_BASE) = DWMAC_ADDR_AE | lduw_le_p(mac + 4);
    *gmac_reg(g, GMAC_ADDR_BASE + 4) = ldl_le_p(mac);
}

/* ---- the device ---- */

static void gmac_tx_resume(DwmacCore *core)
{
    gmac_tx_run(container_of(core, Gmac, core));
}

static void tx_resume_cb(void *opaque)
{
    gmac_tx_run(opaque);
}

static void gmac_link_changed(DwmacCore *core)
{
    Gmac *g = container_of(core, Gmac, core);

    if (g->phy_if) {
        *gmac_reg(g, GMAC_INT_STATUS) |= GMAC_INT_RGSMIIIS;
        gmac_update_irq(g);
    }
}

static void gmac_rx_retry(DwmacCore *core)
{
    gmac_rx_drain(container_of(core, Gmac, core));
}

static const DwmacOps gmac_core_ops = {
    .receive = gmac_receive,
    .rx_retry = gmac_rx_retry,
    .tx_resume = gmac_tx_resume,
    .link_changed = gmac_link_changed,
    .mdio_done = gmac_mdio_done,
};

static void wire_filter(Gmac *g)
{
    DwmacFilter *f = &g->filter;

    f->slots = g->addr_slots;
    f->hash_bits = g->hash_bits;
    for (int n = 0; n < DWMAC_ADDR_SLOTS; n++) {
        unsigned off = n < 16 ? GMAC_ADDR_BASE + n * 8 :
                       GMAC_ADDR16_BASE + (n - 16) * 8;

        f->high[n] = gmac_reg(g, off);
        f->low[n] = gmac_reg(g, off + 4);
    }
    for (int n = 0; n < DWMAC_HASH_WORDS; n++) {
        f->hash[n] = gmac_reg(g, GMAC_EXTHASH_BASE + n * 4);
    }
    if (g->hash_bits == 64) {
        f->hash[0] = gmac_reg(g, GMAC_HASH_LOW);
        f->hash[1] = gmac_reg(g, GMAC_HASH_HIGH);
    }
}

static bool check_properties(const Gmac *g, Error **errp)
{
    if (g->snpsver < 0x34 || g->snpsver > 0x3f) {
        error_setg(errp, "snpsver is 0x34 to 0x3f (a GMAC 3.x), not 0x%x",
                   g->snpsver);
    } else if (g->rx_coe > 2) {
        error_setg(errp, "rx-coe is 0, 1 or 2, not %u", g->rx_coe);
    } else if (g->hash_bits && g->hash_bits != 64 && g->hash_bits != 128 &&
               g->hash_bits != 256) {
        error_setg(errp, "hash-bits is 0, 64, 128 or 256, not %u",
                   g->hash_bits);
    } else if (!g->addr_slots || g->addr_slots > DWMAC_ADDR_SLOTS) {
        error_setg(errp, "addr-slots is 1 to %d, not %u", DWMAC_ADDR_SLOTS,
                   g->addr_slots);
    } else if (g->bus_bytes != 4 && g->bus_bytes != 8 && g->bus_bytes != 16) {
        error_setg(errp, "bus-bytes is 4, 8 or 16, not %u", g->bus_bytes);
    } else if (g->phy_if > 7) {
        error_setg(errp, "phy-if is 0 to 7, not %u", g->phy_if);
    } else if (g->rx_fifo < 256 || g->rx_fifo > 131072) {
        error_setg(errp, "rx-fifo is 256 to 131072, not %u", g->rx_fifo);
    } else if (!g->csr_hz) {
        error_setg(errp, "csr-hz is the frequency of a clock, not 0");
    } else {
        return true;
    }
    return false;
}

void gmac_init(Gmac *g, DeviceState *dev)
{
    dwmac_core_init(&g->core, dev, &gmac_core_ops);
    qdev_init_gpio_in_named_with_opaque(dev, aux_input, g, "aux-snapshot",
                                        DWMAC_PTP_INPUTS);
}

bool gmac_realize(Gmac *g, AddressSpace *as, Error **errp)
{
    DeviceState *dev = g->core.dev;

    if (!check_properties(g, errp)) {
        return false;
    }
    if (!reg_index[0]) {
        build_index();
    }
    memory_region_init_io(&g->mmio, OBJECT(dev), &gmac_ops, g,
                          TYPE_DWMAC_GMAC, DWMAC_WINDOW_SIZE);
    dwmac_core_gate(&g->core, &g->mmio);
    g->riwt_timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, riwt_expired, g);
    g->pause_timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, tx_resume_cb, g);
    g->reset_timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, reset_done, g);
    g->late_timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, gmac_tx_late, g);
    g->tx_bh = qemu_bh_new_guarded(tx_resume_cb, g,
                                   &dev->mem_reentrancy_guard);
    wire_filter(g);
    dwmac_core_realize(&g->core, as);
    return true;
}

void gmac_unrealize(Gmac *g)
{
    dwmac_core_unrealize(&g->core);
    timer_free(g->riwt_timer);
    timer_free(g->pause_timer);
    timer_free(g->reset_timer);
    timer_free(g->late_timer);
    qemu_bh_delete(g->tx_bh);
    g_free(g->fifo);
}

/* ---- migration ---- */

static bool tx_state_valid(uint8_t s)
{
    return s == DMA_TS_STOPPED || s == DMA_TS_WAITING ||
           s == DMA_TS_SUSPENDED;
}

static bool rx_state_valid(uint8_t s)
{
    return s == DMA_RS_STOPPED || s == DMA_RS_WAITING ||
           s == DMA_RS_SUSPENDED;
}

static bool fifo_len_valid(void *opaque, int version_id)
{
    Gmac *g = opaque;

    return g->fifo_len <= GMAC_FIFO_MAX;
}

static int gmac_pre_load(void *opaque)
{
    Gmac *g = opaque;

    g_clear_pointer(&g->fifo, g_free);
    g->fifo_cap = 0;
    return 0;
}

static int gmac_post_load(void *opaque, int version_id)
{
    Gmac *g = opaque;

    g->fifo_cap = g->fifo_len;
    if (!gmac_fifo_valid(g) || g->tx_len > sizeof(g->tx_buf) || g->tx_cic > COE_CIC_FULL ||
        !tx_state_valid(g->tx_state) || !rx_state_valid(g->rx_state)) {
        return -EINVAL;
    }
    /* Nobody else knows that a frame waits for a descriptor. */
    if (g->fifo_len) {
        dwmac_core_rx_keep(&g->core);
    }
    g->irq_level = false;
    gmac_update_irq(g);
    return 0;
}

const VMStateDescription vmstate_gmac = {
    .name = "dwmac-gmac-core",
    .version_id = 4,
    .minimum_version_id = 4,
    .pre_load = gmac_pre_load,
    .post_load = gmac_post_load,
    .fields = (const VMStateField[]) {
        VMSTATE_STRUCT(core, Gmac, 1, vmstate_dwmac_core, DwmacCore),
        VMSTATE_TIMER_PTR(riwt_timer, Gmac),
        VMSTATE_TIMER_PTR(pause_timer, Gmac),
        VMSTATE_TIMER_PTR(reset_timer, Gmac),
        VMSTATE_TIMER_PTR(late_timer, Gmac),
        VMSTATE_UINT32(late_addr, Gmac),
        VMSTATE_UINT32(late_tdes0, Gmac),
        VMSTATE_BOOL(late_ic, Gmac),
        VMSTATE_UINT32_ARRAY(regs, Gmac, GMAC_WORDS),
        VMSTATE_STRUCT(mmc, Gmac, 1, vmstate_dwmac_mmc, DwmacMmc),
        VMSTATE_UINT8(tx_state, Gmac),
        VMSTATE_UINT8(rx_state, Gmac),
        VMSTATE_BOOL(tx_frame, Gmac),
        VMSTATE_BOOL(tx_jabber, Gmac),
        VMSTATE_UINT8(tx_cic, Gmac),
        VMSTATE_BOOL(tx_no_pad, Gmac),
        VMSTATE_BOOL(tx_no_crc, Gmac),
        VMSTATE_UINT32(tx_len, Gmac),
        VMSTATE_BOOL(tx_stamp, Gmac),
        VMSTATE_UINT8(tx_vlic, Gmac),
        VMSTATE_UINT8(tx_saic, Gmac),
        VMSTATE_UINT8_ARRAY(tx_buf, Gmac, DWMAC_MAX_FRAME + GMAC_EDIT_ROOM),
        VMSTATE_UINT32(fifo_level, Gmac),
        VMSTATE_BOOL(fifo_pausing, Gmac),
        VMSTATE_UINT32(fifo_len, Gmac),
        VMSTATE_VALIDATE("fifo_len", fifo_len_valid),
        VMSTATE_VARRAY_UINT32_ALLOC(fifo, Gmac, fifo_len, 1,
                                    vmstate_info_uint8, uint8_t),
        VMSTATE_STRUCT(ptp, Gmac, 1, vmstate_dwmac_ptp, DwmacPtp),
        VMSTATE_STRUCT(wake, Gmac, 1, vmstate_dwmac_pmt, DwmacPmt),
        VMSTATE_END_OF_LIST()
    }
};
