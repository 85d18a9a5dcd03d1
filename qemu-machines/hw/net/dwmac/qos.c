// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * DesignWare Ethernet QoS 4.x and 5.x ("dwmac4"), as a platform device.
 *
 * What it is: the register window of a QoS core (the default says 5.10a), its
 * hardware-feature registers as they follow from the properties, and the
 * write-back format of its receive descriptors.  Linux's dwmac4 and U-Boot's
 * dwc_eth_qos use it.  One register window, one interrupt ("macirq"), DMA to
 * system memory, an MDIO bus named "mdio".
 *
 * How it works: on the multi-queue engine of mq.c, mq-tx.c and mq-rx.c, which
 * this file tells where registers and bits are.
 *
 * Facts: dwmac4.h, dwmac4_dma.h, dwmac4_descs.h, dwmac5.h and the code beside
 * them in Linux 6.12 and 7.3; the QoS 5.10a databook, as vendors' manuals
 * repeat it (STM32MP15, i.MX 8M Plus, RK3568), for reset values and for what
 * the driver does not touch.
 *
 * A core with one queue has it on for good: the bits that turn it on read as
 * set.  With more they are off until software sets them.
 *
 * Gaps of the QoS model:
 * - not advertised and absent: the PCS, EST, frame preemption; the latency
 *   corrections of IEEE 1588 are registers and no more, and RDES1 does not tell
 *   the kind of PTP message;
 * - of power management what pmt.c says, of the safety features mq-safety.c;
 * - a split is always at the end of the TCP or UDP header, whatever SPLM says;
 * - weights, credits and thresholds of the queues are registers and no more:
 *   the wire takes a frame at once;
 * - half duplex, collisions, carrier, CRC errors: QEMU's wire has none;
 * - the interrupt of each channel as a line of its own (INTM, multi-MSI);
 * - a soft reset takes the time of property reset-ns (none); AXI, burst and
 *   arbitration settings have no effect.
 */
#include "qemu/osdep.h"
#include "exec/address-spaces.h"
#include "hw/net/dwmac.h"
#include "hw/qdev-properties.h"
#include "hw/sysbus.h"
#include "migration/vmstate.h"
#include "mq.h"
#include "mq-safety.h"
#include "qapi/error.h"
#include "qos-regs.h"

OBJECT_DECLARE_SIMPLE_TYPE(DwmacQosState, DWMAC_QOS)

struct DwmacQosState {
    SysBusDevice parent_obj;
    Mq mq;
};

/* ---- what the registers mean ---- */

static void qos_mac(const Mq *m, MqMac *mac)
{
    static const struct { uint32_t bit; unsigned flag; } map[] = {
        { GMAC_CONFIG_TE, MQ_TE }, { GMAC_CONFIG_RE, MQ_RE },
        { GMAC_CONFIG_LM, MQ_LM }, { GMAC_CONFIG_IPC, MQ_IPC },
        { GMAC_CONFIG_ACS, MQ_ACS }, { GMAC_CONFIG_CST, MQ_CST },
        { GMAC_CONFIG_JE, MQ_JE }, { GMAC_CONFIG_JD, MQ_JD },
        { GMAC_CONFIG_WD, MQ_WD }, { GMAC_CONFIG_S2KP, MQ_2K },
        { GMAC_CONFIG_GPSLCE, MQ_GPSLCE }, { GMAC_CONFIG_ARPEN, MQ_ARPEN },
        { GMAC_CONFIG_DM, MQ_DM },
    };
    /* 512 bit times at 1000, 2500, 10 and 100 Mb/s: PS, FES */
    static const uint16_t quantum_ns[] = { 512, 205, 51200, 5120 };
    uint32_t cfg = mq_get(m, GMAC_CONFIG);
    uint32_t ext = mq_get(m, GMAC_EXT_CONFIG);

    for (int i = 0; i < ARRAY_SIZE(map); i++) {
        mac->flags |= cfg & map[i].bit ? map[i].flag : 0;
    }
    mac->sarc = extract32(cfg, GMAC_CONFIG_SARC_SHIFT, 3);
    mac->gpsl = extract32(ext, 0, GMAC_EXT_GPSL_LEN);
    mac->hdsms = 64 << extract32(ext, GMAC_EXT_HDSMS_SHIFT, 3);
    mac->quantum_ns = quantum_ns[(cfg & GMAC_CONFIG_PS ? 2 : 0) +
                                 (cfg & GMAC_CONFIG_FES ? 1 : 0)];
}

static uint32_t queue_get(const Mq *m, unsigned q, unsigned reg)
{
    return mq_get(m, MTL_QUEUE_BASE + q * MTL_QUEUE_STEP + reg);
}

static void qos_txq(const Mq *m, unsigned q, MqTxq *t)
{
    uint32_t op = queue_get(m, q, MTL_TXQ_OP_MODE);

    t->on = m->tx_queues == 1 || (op & MTL_TX_TXQEN_MASK);
    t->tsf = op & MTL_TX_TSF;
    t->size = m->tx_queues == 1 ? m->tx_fifo :
              MIN((extract32(op, MTL_TX_TQS_SHIFT, MTL_TX_TQS_LEN) + 1) * 256,
                  m->tx_fifo);
}

static void qos_rxq(const Mq *m, unsigned q, MqRxq *r)
{
    uint32_t op = queue_get(m, q, MTL_RXQ_OP_MODE);

    r->on = m->rx_queues == 1 || extract32(mq_get(m, MQ_RXQ_CTRL0), q * 2, 2);
    r->rsf = op & MTL_RX_RSF;
    r->fep = op & MTL_RX_FEP;
    r->fup = op & MTL_RX_FUP;
    r->keep_csum_errors = op & MTL_RX_DIS_TCP_EF;
    r->ehfc = op & MTL_RX_EHFC;
    r->size = MIN((extract32(op, MTL_RX_RQS_SHIFT, MTL_RX_RQS_LEN) + 1) * 256,
                  m->rx_fifo);
    r->rfa = 1024 + extract32(op, MTL_RX_RFA_SHIFT, MTL_RX_RF_LEN) * 512;
    r->rfd = 1024 + extract32(op, MTL_RX_RFD_SHIFT, MTL_RX_RF_LEN) * 512;
}

static uint32_t qos_nie(const Mq *m)
{
    return m->snpsver < 0x41 ? BIT(16) : BIT(15);
}

static bool qos_eame(const Mq *m)
{
    return m->addr_width > 32 &&
           (mq_get(m, DMA_SYS_BUS_MODE) & DMA_SYS_BUS_EAME);
}

static uint32_t qos_mtl_irq(Mq *m)
{
    uint32_t irq = 0;

    for (unsigned q = 0; q < mq_channels(m); q++) {
        uint32_t s = queue_get(m, q, MTL_Q_INT_CTRL_STATUS);

        if ((s & MTL_RX_OVERFLOW_INT) && (s & MTL_RX_OVERFLOW_INT_EN)) {
            irq |= 1u << q;
        }
    }
    return irq;
}

/* Counts 11 bits of overflow; the bit above says that there were more. */
static void qos_rx_overflow(Mq *m, unsigned q)
{
    unsigned base = MTL_QUEUE_BASE + q * MTL_QUEUE_STEP;
    uint32_t *lost = mq_reg(m, base + MTL_RXQ_MISSED);
    uint32_t n = extract32(*lost, 0, 11);

    *lost = deposit32(*lost, 0, 11, n + 1) | (n == 0x7ff ? BIT(11) : 0);
    *mq_reg(m, base + MTL_Q_INT_CTRL_STATUS) |= MTL_RX_OVERFLOW_INT;
}

static void qos_route(const Mq *m, MqRoute *r)
{
    uint32_t v = mq_get(m, MQ_RXQ_CTRL1);

    r->av = extract32(v, 0, 3);
    r->ptp = extract32(v, 4, 3);
    r->dcb = extract32(v, 8, 3);
    r->untagged = extract32(v, 12, 3);
    r->multicast = extract32(v, 16, 3);
    r->multicast_on = v & BIT(20);
}

static void qos_l34(const Mq *m, DwmacL34 *flt)
{
    for (unsigned n = 0; n < m->l34_filters; n++) {
        unsigned base = GMAC_L3L4_BASE + n * GMAC_L3L4_STEP;

        flt[n].ctrl = mq_get(m, base);
        flt[n].ports = mq_get(m, base + 4);
        for (unsigned i = 0; i < 4; i++) {
            flt[n].addr[i] = mq_get(m, base + 0x10 + i * 4);
        }
    }
}

/* ---- receive descriptors ---- */

static unsigned qos_rx_buffers(const uint32_t *w)
{
    return (w[3] & RDES3_BUF1V ? 1 : 0) | (w[3] & RDES3_BUF2V ? 2 : 0);
}

static uint32_t qos_rx_length(size_t n)
{
    return MIN(n, (1u << RDES3_WB_PL_LEN) - 1);
}

static void qos_rx_split(const MqRxFrame *r, uint32_t *w)
{
    w[2] |= extract32(r->hdr, 0, RDES2_HL_LEN);
    w[3] |= RDES3_WB_RS2V;
}

static void qos_rx_context(const MqRxMeta *meta, uint32_t *w)
{
    w[0] = meta->nsec;
    w[1] = meta->sec;
    w[3] = RDES3_WB_CTXT;
}

static uint32_t coe_status(const CoeFrame *c)
{
    return c->proto |
           (c->flags & COE_HDR_ERR ? RDES1_IPHE : 0) |
           (c->flags & COE_PAY_ERR ? RDES1_IPCE : 0) |
           (c->flags & COE_BYPASS ? RDES1_IPCB : 0) |
           (c->flags & COE_IPV4 ? RDES1_IPV4 : 0) |
           (c->flags & COE_IPV6 ? RDES1_IPV6 : 0);
}

/* The error summary knows of the MAC's errors, not of the checksum engine's. */
static void qos_rx_status(const Mq *m, const MqRxFrame *r, uint32_t *w)
{
    bool tag = (r->verdict & MQ_V_TAGGED) &&
               (mq_get(m, MQ_VLAN_TAG) & (DWMAC_VT_EVLRXS | DWMAC_VT_EIVLRXS));

    w[0] = mq_rx_tags(m, r);
    w[1] = coe_status(&r->coe) |
           (r->stamped ? RDES1_TSA :
            r->verdict & MQ_V_STAMP ? RDES1_TD : 0);
    w[2] = extract32(r->hdr, 0, RDES2_HL_LEN) |
           (r->verdict & DWMAC_DA_FAIL ? RDES2_DAF : 0) |
           (r->verdict & DWMAC_SA_FAIL ? RDES2_SAF : 0) |
           (r->verdict & DWMAC_VLAN_HIT ? RDES2_VF : 0) |
           (r->verdict & MQ_V_L3 ? RDES2_L3FM : 0) |
           (r->verdict & MQ_V_L4 ? RDES2_L4FM : 0) |
           (r->verdict & (MQ_V_L3 | MQ_V_L4) ?
            r->l34 << RDES2_L3L4FM_SHIFT : 0);
    w[3] = (tag ? RDES3_WB_RS0V : 0) | r->lt << RDES3_WB_LT_SHIFT |
           RDES3_WB_RS1V | RDES3_WB_RS2V |
           (r->watchdog ? RDES3_WB_RWT | RDES3_WB_ES : 0) |
           (r->giant ? RDES3_WB_GP | RDES3_WB_ES : 0);
}

/* ---- register hooks ---- */

static uint32_t read_feature0(Mq *m, unsigned off)
{
    return FEAT0_MIISEL | FEAT0_GMIISEL | FEAT0_SMASEL |
           (m->half_duplex ? FEAT0_HDSEL : 0) |
           (m->vlhash ? FEAT0_VLHASH : 0) |
           (m->arp ? FEAT0_ARPOFFSEL : 0) | (m->eee ? FEAT0_EEESEL : 0) |
           (m->pmt ? FEAT0_RWKSEL | FEAT0_MGKSEL : 0) |
           (m->timestamps ? FEAT0_TSSEL | FEAT0_TSSTSSEL_INTERNAL : 0) |
           (m->sa_vlan_ins ? FEAT0_SAVLANINS : 0) |
           (m->rmon ? FEAT0_MMCSEL : 0) |
           (m->tx_coe ? FEAT0_TXCOESEL : 0) |
           (m->rx_coe ? FEAT0_RXCOESEL : 0) |
           (m->addr_slots - 1) << FEAT0_ADDMAC_SHIFT |
           m->phy_if << FEAT0_ACTPHYIF_SHIFT;
}

static uint32_t read_feature1(Mq *m, unsigned off)
{
    return ctz32(m->rx_fifo / 128) |
           ctz32(m->tx_fifo / 128) << FEAT1_TXFIFO_SHIFT |
           (m->addr_width - 32) / 8 << FEAT1_ADDR64_SHIFT |
           (m->sph ? FEAT1_SPHEN : 0) | (m->tso ? FEAT1_TSOEN : 0) |
           m->l34_filters << FEAT1_L3L4FNUM_SHIFT |
           (m->hash_bits ? ctz32(m->hash_bits / 32) : 0) <<
           FEAT1_HASHTBLSZ_SHIFT;
}

static uint32_t read_feature2(Mq *m, unsigned off)
{
    return (m->rx_queues - 1) |
           (m->tx_queues - 1) << FEAT2_TXQCNT_SHIFT |
           (m->rx_queues - 1) << FEAT2_RXCHCNT_SHIFT |
           (m->tx_queues - 1) << FEAT2_TXCHCNT_SHIFT | mq_ptp_feature2(m);
}

static uint32_t read_feature3(Mq *m, unsigned off)
{
    /* 0, 4, 8, 16, 24 or 32 filters */
    unsigned nrvf = m->vlan_slots < 16 ? m->vlan_slots / 4 :
                    m->vlan_slots / 8 + 1;

    return nrvf | (m->dvlan ? FEAT3_DVLAN : 0) |
           (m->tbs ? FEAT3_TBSSEL : 0) | m->asp << FEAT3_ASP_SHIFT |
           (m->frp ? FEAT3_FRPSEL | 2 << FEAT3_FRPES_SHIFT : 0);
}

static uint32_t read_debug(Mq *m, unsigned off)
{
    return 0;
}

static uint32_t read_phyif(Mq *m, unsigned off)
{
    bool up = m->phy_if && dwmac_core_link_up(&m->core);

    /* link up, 125 MHz, full duplex */
    return *mq_reg(m, off) | (up ? BIT(19) | 2 << 17 | BIT(16) : 0);
}

static uint32_t read_mtl_int(Mq *m, unsigned off)
{
    return qos_mtl_irq(m);
}

static uint32_t read_dma_intr(Mq *m, unsigned off)
{
    return mq_dma_intr_status(m);
}

/* Transmit and receive state of channels 0 to 2. */
static uint32_t read_dma_debug(Mq *m, unsigned off)
{
    uint32_t val = 0;

    for (unsigned n = 0; n < MIN(3, mq_channels(m)); n++) {
        val |= (uint32_t)m->chan[n].rx_state << (8 + n * 8) |
               (uint32_t)m->chan[n].tx_state << (12 + n * 8);
    }
    return val;
}

static uint32_t read_txq_op(Mq *m, unsigned off)
{
    uint32_t val = *mq_reg(m, off);

    if (m->tx_queues == 1) {
        val = deposit32(val, MTL_TX_TQS_SHIFT, MTL_TX_TQS_LEN,
                        m->tx_fifo / 256 - 1);
        val |= MTL_TX_TXQEN_ON;
    }
    return val;
}

static uint32_t read_txq_debug(Mq *m, unsigned off)
{
    MqChan *c = &m->chan[mq_queue_of(m, off)];

    /* paused; FIFO not empty */
    return (timer_pending(m->pause_timer) ? BIT(0) : 0) |
           (c->tx_frame ? BIT(4) : 0);
}

static uint32_t read_rxq_debug(Mq *m, unsigned off)
{
    unsigned qn = mq_queue_of(m, off);
    uint32_t level = m->queue[qn].level;
    MqRxq q;

    qos_rxq(m, qn, &q);
    /* empty, below or above the flow control level, full */
    return mq_rx_waiting(m, qn) << 16 |
           (!level ? 0 : level >= q.size ? 3 : level + q.rfa > q.size ? 2 : 1)
           << 4;
}

static uint32_t read_rxq_missed(Mq *m, unsigned off)
{
    uint32_t val = *mq_reg(m, off);

    *mq_reg(m, off) = 0;
    return val;
}

static void write_config(Mq *m, unsigned off, uint32_t old)
{
    if (!m->rx_coe) {
        *mq_reg(m, off) &= ~GMAC_CONFIG_IPC;
    }
    mq_write_run(m, off, old);
}

static void write_ch_control(Mq *m, unsigned off, uint32_t old)
{
    if (!m->sph) {
        *mq_reg(m, off) &= ~DMA_CONTROL_SPH;
    }
}

static void write_ch_tx_control(Mq *m, unsigned off, uint32_t old)
{
    *mq_reg(m, off) &= ~((m->tso ? 0 : DMA_TX_CONTROL_TSE) |
                         (m->tbs ? 0 : DMA_TX_CONTROL_EDSE));
    mq_write_tx_control(m, off, old);
}

static void write_mdio(Mq *m, unsigned off, uint32_t old)
{
    uint32_t val = *mq_reg(m, off), data = mq_get(m, MQ_MDIO_DATA);
    unsigned rda = extract32(val, MDIO_RDA_SHIFT, 5);
    bool c45 = val & MDIO_C45E;
    DwmacMdioOp op = {
        .write = extract32(val, MDIO_GOC_SHIFT, 2) == MDIO_GOC_WRITE,
        .c45 = c45,
        .phy = extract32(val, MDIO_PA_SHIFT, 5),
        .mmd = c45 ? rda : 0,
        .reg = c45 ? data >> MDIO_RA_SHIFT : rda,
        .val = data,
    };

    if (m->core.mdio_busy) {
        *mq_reg(m, off) = old;
    } else if (val & MDIO_GB) {
        dwmac_core_mdio(&m->core, &op);
    }
}

static void qos_mdio_done(Mq *m)
{
    *mq_reg(m, MQ_MDIO_ADDR) &= ~MDIO_GB;
}

static void write_txq_op(Mq *m, unsigned off, uint32_t old)
{
    if (*mq_reg(m, off) & MTL_TX_FTQ) {
        *mq_reg(m, off) &= ~MTL_TX_FTQ;
        mq_tx_flush(&m->chan[mq_queue_of(m, off)]);
    }
    mq_tx_run(m);
}

/* Overflow and underflow: one clears. */
static void write_q_int(Mq *m, unsigned off, uint32_t old)
{
    const uint32_t w1c = MTL_RX_OVERFLOW_INT | BIT(0) | BIT(1);
    uint32_t val = *mq_reg(m, off);

    *mq_reg(m, off) = (val & ~w1c) | (old & w1c & ~val);
    mq_update_irq(m);
}

/* Parity of the ports is more than parity. */
static void write_dpp_control(Mq *m, unsigned off, uint32_t old)
{
    if (m->asp < 3) {
        *mq_reg(m, off) &= ~MTL_DPP_EPSI;
    }
    mq_write_safety_parity(m, off, old);
}

static void write_rx_queues(Mq *m, unsigned off, uint32_t old)
{
    mq_rx_run(m);
}

/* ---- the registers ---- */

#define Q(_r)  (MTL_QUEUE_BASE + (_r))
#define CH(_r) (DMA_CHAN_BASE + (_r))

static const MqReg qos_regs[] = {
    { "config", GMAC_CONFIG, 1, 0, 0, 0, 0xffffffff, NULL, write_config },
    { "ext-config", GMAC_EXT_CONFIG, 1, 0, 0, 0, 0x7f7f3fff },
    { "packet-filter", MQ_PACKET_FILTER, 1, 0, 0, 0, 0x803107ff },
    { "watchdog", MQ_WATCHDOG_TIMEOUT, 1, 0, 0, 0, 0x10f },
    { "hash-tab", MQ_HASH_TAB, 8, 0, 0, 0, 0xffffffff },
    { "vlan-tag", MQ_VLAN_TAG, 1, 0, 0, 0, 0xbf7fffff, mq_read_vlan_tag,
      mq_write_vlan_tag },
    { "vlan-tag-data", MQ_VLAN_TAG_DATA, 1, 0, 0, 0, 0x0f1fffff },
    { "vlan-hash", MQ_VLAN_HASH_TABLE, 1, 0, 0, 0, 0x0000ffff },
    { "vlan-incl", MQ_VLAN_INCL, 2, 0, 0, 0, 0x001fffff },
    { "tx-flow", MQ_TX_FLOW_CTRL, 1, MQ_PER_TXQ, 4, 0, 0xffff00f3, NULL,
      mq_write_tx_flow },
    { "rx-flow", MQ_RX_FLOW_CTRL, 1, 0, 0, 0, 0x3 },
    { "txq-prty", GMAC_TXQ_PRTY_MAP0, 2, 0, 0, 0, 0xffffffff },
    { "rxq-ctrl0", MQ_RXQ_CTRL0, 1, 0, 0, 0, 0xffff, NULL, write_rx_queues },
    { "rxq-ctrl1", MQ_RXQ_CTRL1, 1, 0, 0, 0, 0x07f77777 },
    { "rxq-prio", MQ_RXQ_CTRL2, 2, 0, 0, 0, 0xffffffff },
    { "int-status", MQ_INT_STATUS, 1, 0, 0, 0, 0, mq_read_int_status },
    { "int-en", MQ_INT_EN, 1, 0, 0, 0, 0x0006703f, NULL, mq_write_irq_mask },
    { "rx-tx-status", MQ_RX_TX_STATUS, 1 },
    { "pmt", MQ_PMT, 1, 0, 0, 0, DWMAC_PMT_KEPT | DWMAC_PMT_FILTRST,
      mq_read_pmt, mq_write_pmt },
    { "wake-filter", MQ_WAKE_FILTER, 1, 0, 0, 0, 0xffffffff, mq_read_wake,
      mq_write_wake },
    { "lpi", MQ_LPI_CTRL_STATUS, 1, 0, 0, 0, 0x003b0000, mq_read_lpi,
      mq_write_lpi },
    { "lpi-timer", MQ_LPI_TIMER_CTRL, 1, 0, 0, 0x03e80000, 0x03ffffff },
    { "lpi-entry", MQ_LPI_ENTRY_TIMER, 1, 0, 0, 0, 0x000ffff8 },
    { "1us-tic", GMAC_1US_TIC_COUNTER, 1, 0, 0, 0x63, 0xfff },
    { "phyif", GMAC_PHYIF_CTRL_STATUS, 1, 0, 0, 0, 0x3, read_phyif },
    { "version", MQ_VERSION, 1, 0, 0, 0, 0, mq_read_version },
    { "debug", GMAC_DEBUG, 1, 0, 0, 0, 0, read_debug },
    { "hw-feature0", MQ_HW_FEATURE0, 1, 0, 0, 0, 0, read_feature0 },
    { "hw-feature1", GMAC_HW_FEATURE1, 1, 0, 0, 0, 0, read_feature1 },
    { "hw-feature2", GMAC_HW_FEATURE2, 1, 0, 0, 0, 0, read_feature2 },
    { "hw-feature3", GMAC_HW_FEATURE3, 1, 0, 0, 0, 0, read_feature3 },
    { "mdio-addr", MQ_MDIO_ADDR, 1, 0, 0, 0, 0x0fff7f1f, NULL, write_mdio },
    { "mdio-data", MQ_MDIO_DATA, 1, 0, 0, 0, 0xffffffff },
    { "arp-addr", GMAC_ARP_ADDR, 1, 0, 0, 0, 0xffffffff },
    { "dpp-fsm-status", MAC_DPP_FSM_INT_STATUS, 1, 0, 0, 0, 0xffffffff, NULL,
      mq_write_safety_status },
    { "fsm-control", MAC_FSM_CONTROL, 1, 0, 0, 0, 0x3, NULL,
      mq_write_safety_parity },
    { "ecc-control", MTL_ECC_CONTROL, 1, 0, 0, 0, 0x11f, NULL,
      mq_write_safety },
    { "mtl-safety", MTL_SAFETY_INT_STATUS, 1, 0, 0, 0, 0,
      mq_read_mtl_safety },
    { "ecc-int-en", MTL_ECC_INT_ENABLE, 1, 0, 0, 0, 0x1111, NULL,
      mq_write_safety },
    { "ecc-status", MTL_ECC_INT_STATUS, 1, 0, 0, 0, 0x7777, NULL,
      mq_write_safety_status },
    { "dpp-control", MTL_DPP_CONTROL, 1, 0, 0, 0, 0x7, NULL,
      write_dpp_control },
    { "dma-safety", DMA_SAFETY_INT_STATUS, 1, 0, 0, 0, 0,
      mq_read_dma_safety },
    { "dma-ecc-int-en", DMA_ECC_INT_ENABLE, 1, 0, 0, 0, 0x1, NULL,
      mq_write_safety },
    { "dma-ecc-status", DMA_ECC_INT_STATUS, 1, 0, 0, 0, 0x7, NULL,
      mq_write_safety_status },
    { "csr-sw-ctrl", GMAC_CSR_SW_CTRL, 1, 0, 0, 0, 0x101 },
    { "ext-cfg1", GMAC_EXT_CFG1, 1, 0, 0, 0x2, 0x0100037f },
    /* two words a slot; masks: group 1 has no MBC in slot 0 */
    { "addr0-high", MQ_ADDR_BASE, 1, 0, 0, 0, 0x0007ffff, NULL,
      mq_write_addr },
    { "addr0-low", MQ_ADDR_BASE + 4, 1, 0, 0, 0, 0xffffffff },
    { "addr", MQ_ADDR_BASE + 8, 254, 0, 0, 0, 0xffffffff, NULL,
      mq_write_addr },
    { "mmc", GMAC_MMC_BASE, DWMAC_MMC_WORDS, 0, 0, 0, 0xffffffff, mq_read_mmc,
      mq_write_mmc },
    { "l3l4-ctrl", GMAC_L3L4_BASE, 2, MQ_PER_L34, GMAC_L3L4_STEP, 0,
      0xffffffff },
    { "l3-addr", GMAC_L3L4_BASE + 0x10, 4, MQ_PER_L34, GMAC_L3L4_STEP, 0,
      0xffffffff },
    MQ_PTP_REGS(GMAC_PTP_BASE),
    { "mtl-op", MTL_OPERATION_MODE, 1, 0, 0, 0, 0x0000827e },
    { "frp-ctrl", MTL_RXP_CONTROL_STATUS, 1, 0, 0, 0, 0x00ff00ff,
      mq_read_frp_ctrl },
    { "frp-access", MTL_RXP_IACC_CTRL_STATUS, 1, 0, 0, 0, 0x8001ffff,
      mq_read_frp_access, mq_write_frp_access },
    { "frp-data", MTL_RXP_IACC_CTRL_STATUS + 4, 1, 0, 0, 0, 0xffffffff },
    { "mtl-int", MTL_INT_STATUS, 1, 0, 0, 0, 0, read_mtl_int },
    { "rxq-dma-map", MTL_RXQ_DMA_MAP0, 2, 0, 0, 0, 0x17171717 },
    { "txq-op", Q(MTL_TXQ_OP_MODE), 1, MQ_PER_TXQ, MTL_QUEUE_STEP, 0,
      0x01ff007f, read_txq_op, write_txq_op },
    { "txq-underflow", Q(MTL_TXQ_UNDERFLOW), 1, MQ_PER_TXQ, MTL_QUEUE_STEP },
    { "txq-debug", Q(MTL_TXQ_DEBUG), 1, MQ_PER_TXQ, MTL_QUEUE_STEP, 0, 0,
      read_txq_debug },
    { "txq-ets", Q(MTL_TXQ_ETS_CTRL), 1, MQ_PER_TXQ, MTL_QUEUE_STEP, 0, 0x7c },
    { "txq-ets-status", Q(MTL_TXQ_ETS_STATUS), 1, MQ_PER_TXQ,
      MTL_QUEUE_STEP },
    { "txq-weight", Q(MTL_TXQ_WEIGHT), 1, MQ_PER_TXQ, MTL_QUEUE_STEP, 0,
      0x1fffff },
    { "txq-slope", Q(MTL_TXQ_SEND_SLOPE), 1, MQ_PER_TXQ, MTL_QUEUE_STEP, 0,
      0x3fff },
    { "txq-credit", Q(MTL_TXQ_HI_CREDIT), 2, MQ_PER_TXQ, MTL_QUEUE_STEP, 0,
      0x1fffffff },
    { "q-int", Q(MTL_Q_INT_CTRL_STATUS), 1, MQ_PER_QUEUE, MTL_QUEUE_STEP, 0,
      0x01010303, NULL, write_q_int },
    { "rxq-op", Q(MTL_RXQ_OP_MODE), 1, MQ_PER_RXQ, MTL_QUEUE_STEP, 0,
      0x3ff7fffb, NULL, write_rx_queues },
    { "rxq-missed", Q(MTL_RXQ_MISSED), 1, MQ_PER_RXQ, MTL_QUEUE_STEP, 0, 0,
      read_rxq_missed },
    { "rxq-debug", Q(MTL_RXQ_DEBUG), 1, MQ_PER_RXQ, MTL_QUEUE_STEP, 0, 0,
      read_rxq_debug },
    { "rxq-control", Q(MTL_RXQ_CONTROL), 1, MQ_PER_RXQ, MTL_QUEUE_STEP, 0,
      0xf },
    { "bus-mode", DMA_BUS_MODE, 1, 0, 0, 0, 0x000b7d1f, NULL,
      mq_write_dma_mode },
    { "sys-bus-mode", DMA_SYS_BUS_MODE, 1, 0, 0, 0x00010000, 0xcf0fffff },
    { "tbs-ctrl", DMA_TBS_CTRL, 1, 0, 0, 0, 0xffffff71 },
    { "dma-int", DMA_INTR_STATUS, 1, 0, 0, 0, 0, read_dma_intr },
    { "dma-debug", DMA_DEBUG_STATUS_0, 1, 0, 0, 0, 0, read_dma_debug },
    { "ch-control", CH(0x00), 1, MQ_PER_CHANNEL, DMA_CHAN_STEP, 0,
      0x011d3fff, NULL, write_ch_control },
    { "ch-tx-control", CH(0x04), 1, MQ_PER_CHANNEL, DMA_CHAN_STEP, 0,
      0x103f901f, NULL, write_ch_tx_control },
    { "ch-rx-control", CH(0x08), 1, MQ_PER_CHANNEL, DMA_CHAN_STEP, 0,
      0x803f7fff, NULL, mq_write_rx_control },
    { "ch-tx-base-hi", CH(0x10), 1, MQ_PER_CHANNEL, DMA_CHAN_STEP, 0,
      0x0000ffff, NULL, mq_write_tx_base },
    { "ch-tx-base", CH(0x14), 1, MQ_PER_CHANNEL, DMA_CHAN_STEP, 0,
      0xfffffffc, NULL, mq_write_tx_base },
    { "ch-rx-base-hi", CH(0x18), 1, MQ_PER_CHANNEL, DMA_CHAN_STEP, 0,
      0x0000ffff, NULL, mq_write_rx_base },
    { "ch-rx-base", CH(0x1c), 1, MQ_PER_CHANNEL, DMA_CHAN_STEP, 0,
      0xfffffffc, NULL, mq_write_rx_base },
    { "ch-tx-tail", CH(0x20), 1, MQ_PER_CHANNEL, DMA_CHAN_STEP, 0,
      0xfffffffc, NULL, mq_write_tx_tail },
    { "ch-rx-tail", CH(0x28), 1, MQ_PER_CHANNEL, DMA_CHAN_STEP, 0,
      0xfffffffc, NULL, mq_write_rx_tail },
    { "ch-tx-len", CH(0x2c), 1, MQ_PER_CHANNEL, DMA_CHAN_STEP, 0, 0x3ff },
    { "ch-rx-len", CH(0x30), 1, MQ_PER_CHANNEL, DMA_CHAN_STEP, 0, 0x3ff },
    { "ch-int-en", CH(0x34), 1, MQ_PER_CHANNEL, DMA_CHAN_STEP, 0, 0x1ffff,
      NULL, mq_write_irq_mask },
    { "ch-riwt", CH(0x38), 1, MQ_PER_CHANNEL, DMA_CHAN_STEP, 0, 0x300ff },
    { "ch-slot", CH(0x3c), 1, MQ_PER_CHANNEL, DMA_CHAN_STEP, 0, 0x3 },
    { "ch-cur-tx-hi", CH(0x40), 1, MQ_PER_CHANNEL, DMA_CHAN_STEP, 0, 0,
      mq_read_cur_tx_hi },
    { "ch-cur-tx", CH(0x44), 1, MQ_PER_CHANNEL, DMA_CHAN_STEP, 0, 0,
      mq_read_cur_tx },
    { "ch-cur-rx-hi", CH(0x48), 1, MQ_PER_CHANNEL, DMA_CHAN_STEP, 0, 0,
      mq_read_cur_rx_hi },
    { "ch-cur-rx", CH(0x4c), 1, MQ_PER_CHANNEL, DMA_CHAN_STEP, 0, 0,
      mq_read_cur_rx },
    { "ch-cur-buf", CH(0x50), 4, MQ_PER_CHANNEL, DMA_CHAN_STEP },
    { "ch-status", CH(0x60), 1, MQ_PER_CHANNEL, DMA_CHAN_STEP, 0,
      DMA_CHAN_W1C, NULL, mq_write_status },
};

static bool qos_check(const Mq *m, Error **errp)
{
    if (m->snpsver < 0x40 || m->snpsver > 0x5f) {
        error_setg(errp, "snpsver is 0x40 to 0x5f (a QoS 4.x or 5.x), not "
                   "0x%x", m->snpsver);
        return false;
    }
    if (m->asp > 3 || (m->asp && m->snpsver < 0x51)) {
        error_setg(errp, "asp is 0 to 3, and 0 before 5.10, not %u", m->asp);
        return false;
    }
    return true;
}

const MqGen qos_gen = {
    .name = "qos",
    .regs = qos_regs,
    .n_regs = ARRAY_SIZE(qos_regs),
    .chan_base = DMA_CHAN_BASE,
    .chan_step = DMA_CHAN_STEP,
    .chan_reg = {
        [MQ_CH_CONTROL] = 0x00,
        [MQ_CH_TX_CONTROL] = 0x04,
        [MQ_CH_RX_CONTROL] = 0x08,
        [MQ_CH_TX_BASE_HI] = 0x10,
        [MQ_CH_TX_BASE] = 0x14,
        [MQ_CH_RX_BASE_HI] = 0x18,
        [MQ_CH_RX_BASE] = 0x1c,
        [MQ_CH_TX_TAIL] = 0x20,
        [MQ_CH_RX_TAIL] = 0x28,
        [MQ_CH_TX_LEN] = 0x2c,
        [MQ_CH_RX_LEN] = 0x30,
        [MQ_CH_INTR_ENA] = 0x34,
        [MQ_CH_RIWT] = 0x38,
        [MQ_CH_CUR_TX_BUF_HI] = 0x50,
        [MQ_CH_CUR_TX_BUF] = 0x54,
        [MQ_CH_CUR_RX_BUF_HI] = 0x58,
        [MQ_CH_CUR_RX_BUF] = 0x5c,
        [MQ_CH_STATUS] = 0x60,
    },
    .queue_base = MTL_QUEUE_BASE,
    .queue_step = MTL_QUEUE_STEP,
    .mmc_base = GMAC_MMC_BASE,
    .dma_mode = DMA_BUS_MODE,
    .arp_addr = GMAC_ARP_ADDR,
    .ptp_base = GMAC_PTP_BASE,
    .mtl_op = MTL_OPERATION_MODE,
    .rxq_map = MTL_RXQ_DMA_MAP0,
    .rxq_dynamic = BIT(4),
    .frp_ctrl = MTL_RXP_CONTROL_STATUS,
    .riwt_unit = 16,
    .rwt = DMA_CHAN_RWT,
    .route = qos_route,
    .l34 = qos_l34,
    .nie = qos_nie,
    .mac = qos_mac,
    .txq = qos_txq,
    .rxq = qos_rxq,
    .rx_buffers = qos_rx_buffers,
    .rx_status = qos_rx_status,
    .rx_split = qos_rx_split,
    .rx_context = qos_rx_context,
    .rx_length = qos_rx_length,
    .rx_overflow = qos_rx_overflow,
    .mtl_irq = qos_mtl_irq,
    .safety = &qos_safety,
    .mdio_done = qos_mdio_done,
    .check = qos_check,
    .eame = qos_eame,
};

/* ---- the device ---- */

static void dwmac_qos_init(Object *obj)
{
    mq_init(&DWMAC_QOS(obj)->mq, DEVICE(obj), &qos_gen);
}

static void dwmac_qos_realize(DeviceState *dev, Error **errp)
{
    DwmacQosState *s = DWMAC_QOS(dev);

    if (!mq_realize(&s->mq, &address_space_memory, errp)) {
        return;
    }
    sysbus_init_mmio(SYS_BUS_DEVICE(dev), &s->mq.mmio);
    sysbus_init_irq(SYS_BUS_DEVICE(dev), &s->mq.irq);
}

static void dwmac_qos_unrealize(DeviceState *dev)
{
    mq_unrealize(&DWMAC_QOS(dev)->mq);
}

static void dwmac_qos_reset(DeviceState *dev)
{
    mq_reset(&DWMAC_QOS(dev)->mq);
}

static const VMStateDescription vmstate_dwmac_qos = {
    .name = TYPE_DWMAC_QOS,
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_STRUCT(mq, DwmacQosState, 1, vmstate_mq, Mq),
        VMSTATE_END_OF_LIST()
    }
};

static const Property dwmac_qos_properties[] = {
    QOS_PROPERTIES(DwmacQosState, mq),
};

static void dwmac_qos_class_init(ObjectClass *klass, void *data)
{
    DeviceClass *dc = DEVICE_CLASS(klass);

    dc->desc = "Synopsys DesignWare Ethernet QoS 4.x and 5.x";
    dc->realize = dwmac_qos_realize;
    dc->unrealize = dwmac_qos_unrealize;
    dc->vmsd = &vmstate_dwmac_qos;
    device_class_set_legacy_reset(dc, dwmac_qos_reset);
    device_class_set_props(dc, dwmac_qos_properties);
    set_bit(DEVICE_CATEGORY_NETWORK, dc->categories);
}

static const TypeInfo dwmac_qos_info = {
    .name = TYPE_DWMAC_QOS,
    .parent = TYPE_SYS_BUS_DEVICE,
    .instance_size = sizeof(DwmacQosState),
    .instance_init = dwmac_qos_init,
    .class_init = dwmac_qos_class_init,
};

static void dwmac_qos_register(void)
{
    type_register_static(&dwmac_qos_info);
}
type_init(dwmac_qos_register)
