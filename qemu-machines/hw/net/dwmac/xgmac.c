// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * DesignWare XGMAC 2.x ("dwxgmac2"), as a platform device.
 *
 * What it is: the register window of an XGMAC (the default says 2.10), its
 * hardware-feature registers as they follow from the properties, the
 * write-back format of its receive descriptors, and receive-side scaling.
 * Linux's dwxgmac2 uses it.  One register window, one interrupt ("macirq"), DMA
 * to system memory, an MDIO bus named "mdio".
 *
 * How it works: on the multi-queue engine of mq.c, mq-mac.c, mq-tx.c and
 * mq-rx.c, which this file tells where registers and bits are.
 *
 * Facts: dwxgmac2.h and the code beside it in Linux 6.12 and 7.3, which is the
 * best public source there is for this core.  Where Linux does not show a bit
 * (FEP, FUP and DIS_TCP_EF of a receive queue, say), it is where QoS has it.
 *
 * A frame that asks for a checksum in a queue without the engine (property
 * tx-coe-queues) stops that DMA channel (TPS).  Checksum errors that the MTL
 * lets pass set the error summary.  Buffer 2 of a receive descriptor is there
 * when its address is not 0.
 *
 * Gaps of the XGMAC model:
 * - not advertised and absent: EST, frame preemption, VXLAN, AV, DCB, traffic
 *   classes other than one a queue; the latency corrections of IEEE 1588 are
 *   registers and no more;
 * - of power management what pmt.c says, of the safety features mq-safety.c;
 * - the kind of a frame (RDES3.LT) is told of VLAN tags only;
 * - the upper halves of 64-bit MMC counters read 0; MMC interrupts can be
 *   masked but are told of in the registers of a QoS core's layout;
 * - the interrupt of each channel as a line of its own;
 * - clause 22 for PHY addresses 4 to 31, which came with 2.20;
 * - AXI, EDMA and arbitration settings have no effect.
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
#include "rss.h"
#include "xgmac-regs.h"

OBJECT_DECLARE_SIMPLE_TYPE(DwmacXgmacState, DWMAC_XGMAC)

struct DwmacXgmacState {
    SysBusDevice parent_obj;
    Mq mq;

    /* state: behind indirect accesses */
    uint32_t l34[MQ_L34_MAX * 8];
    uint32_t rss_key[DWMAC_RSS_KEY_LEN / 4];
    uint8_t rss_table[DWMAC_RSS_TABLE];

    /* properties */
    bool rss;
};

static DwmacXgmacState *state_of(const Mq *m)
{
    return container_of(m, DwmacXgmacState, mq);
}

/* ---- what the registers mean ---- */

static void xgmac_mac(const Mq *m, MqMac *mac)
{
    static const struct { uint32_t bit; unsigned flag; } map[] = {
        { XGMAC_RX_RE, MQ_RE }, { XGMAC_RX_LM, MQ_LM },
        { XGMAC_RX_IPC, MQ_IPC }, { XGMAC_RX_ACS, MQ_ACS },
        { XGMAC_RX_CST, MQ_CST }, { XGMAC_RX_JE, MQ_JE },
        { XGMAC_RX_WD, MQ_WD }, { XGMAC_RX_S2KP, MQ_2K },
        { XGMAC_RX_GPSLCE, MQ_GPSLCE }, { XGMAC_RX_ARPEN, MQ_ARPEN },
    };
    /* 512 bit times at 10 Gb/s, -, 2500, 1000, 100, 5000, 2500, 10 Mb/s */
    static const uint16_t quantum_ns[] = { 51, 51, 205, 512, 5120, 102, 205,
                                           51200 };
    uint32_t tx = mq_get(m, XGMAC_TX_CONFIG), rx = mq_get(m, XGMAC_RX_CONFIG);

    mac->flags = MQ_DM | (tx & XGMAC_TX_TE ? MQ_TE : 0) |
                 (tx & XGMAC_TX_JD ? MQ_JD : 0);
    for (int i = 0; i < ARRAY_SIZE(map); i++) {
        mac->flags |= rx & map[i].bit ? map[i].flag : 0;
    }
    mac->sarc = extract32(tx, XGMAC_TX_SARC_SHIFT, 3);
    mac->gpsl = extract32(rx, XGMAC_RX_GPSL_SHIFT, 14);
    mac->hdsms = 64 << extract32(rx, XGMAC_RX_HDSMS_SHIFT, 3);
    mac->quantum_ns = quantum_ns[tx >> XGMAC_TX_SS_SHIFT];
}

static uint32_t queue_get(const Mq *m, unsigned q, unsigned reg)
{
    return mq_get(m, XGMAC_MTL_QUEUE_BASE + q * XGMAC_MTL_QUEUE_STEP + reg);
}

static void xgmac_txq(const Mq *m, unsigned q, MqTxq *t)
{
    uint32_t op = queue_get(m, q, XGMAC_TXQ_OPMODE);

    t->on = m->tx_queues == 1 || extract32(op, XGMAC_TXQEN_SHIFT, 2);
    t->tsf = op & XGMAC_TSF;
    t->size = m->tx_queues == 1 ? m->tx_fifo :
              MIN((extract32(op, XGMAC_TQS_SHIFT, XGMAC_TQS_LEN) + 1) * 256,
                  m->tx_fifo);
}

static void xgmac_rxq(const Mq *m, unsigned q, MqRxq *r)
{
    uint32_t op = queue_get(m, q, XGMAC_RXQ_OPMODE);
    uint32_t flow = queue_get(m, q, XGMAC_RXQ_FLOW);

    r->on = m->rx_queues == 1 || extract32(mq_get(m, MQ_RXQ_CTRL0), q * 2, 2);
    r->rsf = op & XGMAC_RXQ_RSF;
    r->fep = op & XGMAC_RXQ_FEP;
    r->fup = op & XGMAC_RXQ_FUP;
    r->keep_csum_errors = op & XGMAC_RXQ_DIS_TCP_EF;
    r->ehfc = op & XGMAC_RXQ_EHFC;
    r->size = MIN((extract32(op, XGMAC_RQS_SHIFT, XGMAC_RQS_LEN) + 1) * 256,
                  m->rx_fifo);
    r->rfa = 1024 + extract32(flow, XGMAC_RFA_SHIFT, XGMAC_RF_LEN) * 512;
    r->rfd = 1024 + extract32(flow, XGMAC_RFD_SHIFT, XGMAC_RF_LEN) * 512;
}

static uint32_t xgmac_nie(const Mq *m)
{
    return BIT(15);
}

static bool xgmac_eame(const Mq *m)
{
    return m->addr_width > 32 &&
           (mq_get(m, XGMAC_DMA_SYSBUS_MODE) & XGMAC_EAME);
}

static uint32_t xgmac_mtl_irq(Mq *m)
{
    uint32_t irq = 0;

    for (unsigned q = 0; q < mq_channels(m); q++) {
        if (queue_get(m, q, XGMAC_QINT_STATUS) &
            queue_get(m, q, XGMAC_QINTEN)) {
            irq |= 1u << q;
        }
    }
    return irq;
}

static void xgmac_rx_overflow(Mq *m, unsigned q)
{
    unsigned base = XGMAC_MTL_QUEUE_BASE + q * XGMAC_MTL_QUEUE_STEP;
    uint32_t *lost = mq_reg(m, base + XGMAC_RXQ_LOST);
    uint32_t n = extract32(*lost, 0, 11);

    *lost = deposit32(*lost, 0, 11, n + 1) | (n == 0x7ff ? BIT(11) : 0);
    *mq_reg(m, base + XGMAC_QINT_STATUS) |= XGMAC_RXOVFIS;
}

static void xgmac_route(const Mq *m, MqRoute *r)
{
    uint32_t v = mq_get(m, MQ_RXQ_CTRL1);

    r->untagged = extract32(v, 0, 4);
    r->multicast = extract32(v, 8, 4);
    r->multicast_on = v & BIT(15);
    r->dcb = extract32(v, 16, 4);
    r->ptp = extract32(v, 24, 4);
    r->av = extract32(v, 28, 4);
}

static void xgmac_l34(const Mq *m, DwmacL34 *flt)
{
    const DwmacXgmacState *s = state_of(m);

    for (unsigned n = 0; n < m->l34_filters; n++) {
        const uint32_t *reg = s->l34 + n * 8;

        flt[n].ctrl = reg[0];
        flt[n].ports = reg[1];
        memcpy(flt[n].addr, reg + 4, sizeof(flt[n].addr));
    }
}

/* ---- receive-side scaling ---- */

static void xgmac_hash(const Mq *m, const uint8_t *f, MqRxMeta *meta)
{
    const DwmacXgmacState *s = state_of(m);
    uint32_t ctrl = mq_get(m, XGMAC_RSS_CTRL);
    uint8_t key[DWMAC_RSS_KEY_LEN];

    if (!s->rss || !(ctrl & XGMAC_RSSE)) {
        return;
    }
    for (int i = 0; i < ARRAY_SIZE(s->rss_key); i++) {
        stl_le_p(key + i * 4, s->rss_key[i]);
    }
    if (dwmac_rss_hash(key, ctrl >> 1, f, meta->len, &meta->hash)) {
        meta->verdict |= MQ_V_HASH;
    }
}

/* A frame without a hash goes where its destination address says. */
static int xgmac_dynamic(const Mq *m, const MqRxMeta *meta)
{
    return meta->verdict & MQ_V_HASH ?
           state_of(m)->rss_table[meta->hash % DWMAC_RSS_TABLE] : -1;
}

/* ---- receive descriptors ---- */

static unsigned xgmac_rx_buffers(const uint32_t *w)
{
    return 1 | (w[2] || (w[3] & 0xffff) ? 2 : 0);
}

static uint32_t xgmac_rx_length(size_t n)
{
    return MIN(n, (1u << XGMAC_RDES3_PL_LEN) - 1);
}

/* Of a frame that says nothing of its kind the driver takes no header length. */
static uint32_t l34_type(const MqRxFrame *r)
{
    static const uint8_t map[] = {
        [COE_PROTO_NONE] = XGMAC_L34T_NONE,
        [COE_PROTO_UDP] = XGMAC_L34T_UDP,
        [COE_PROTO_TCP] = XGMAC_L34T_TCP,
        [COE_PROTO_ICMP] = XGMAC_L34T_ICMP,
    };
    uint32_t type = map[r->l4] | (r->l3_v6 ? XGMAC_L34T_IP6 : 0);

    return type << XGMAC_RDES3_L34T_SHIFT;
}

static void xgmac_rx_split(const MqRxFrame *r, uint32_t *w)
{
    w[2] |= extract32(r->hdr, 0, XGMAC_RDES2_HL_LEN);
    w[3] |= l34_type(r);
}

static void xgmac_rx_context(const MqRxMeta *meta, uint32_t *w)
{
    w[0] = meta->nsec;
    w[1] = meta->sec;
    w[3] = RDES3_WB_CTXT | XGMAC_RDES3_TSA;
}

/* What was tagged how, also when the tag is taken off; others say 0. */
static unsigned vlan_kind(const MqRxFrame *r)
{
    if (r->lt == MQ_LT_VLAN) {
        return r->svlan ? XGMAC_LT_SVLAN : XGMAC_LT_CVLAN;
    } else if (r->lt != MQ_LT_DVLAN) {
        return 0;
    } else if (r->svlan) {
        return r->inner_svlan ? XGMAC_LT_SS_VLAN : XGMAC_LT_SC_VLAN;
    }
    return r->inner_svlan ? XGMAC_LT_CS_VLAN : XGMAC_LT_CC_VLAN;
}

static uint32_t errors(const MqRxFrame *r)
{
    int type = r->watchdog ? XGMAC_ET_WATCHDOG :
               r->giant ? XGMAC_ET_GIANT :
               r->coe.flags & COE_HDR_ERR ? XGMAC_ET_IPHDR :
               r->coe.flags & COE_PAY_ERR ? XGMAC_ET_PAYLOAD : -1;

    return type < 0 ? vlan_kind(r) << XGMAC_RDES3_ET_SHIFT :
           RDES3_WB_ES | type << XGMAC_RDES3_ET_SHIFT;
}

static void xgmac_rx_status(const Mq *m, const MqRxFrame *r, uint32_t *w)
{
    w[0] = mq_rx_tags(m, r);
    w[1] = r->verdict & MQ_V_HASH ? r->hash : 0;
    w[2] = extract32(r->hdr, 0, XGMAC_RDES2_HL_LEN) |
           (r->verdict & MQ_V_L3 ? XGMAC_RDES2_L3FM : 0) |
           (r->verdict & MQ_V_L4 ? XGMAC_RDES2_L4FM : 0);
    w[3] = l34_type(r) | errors(r) | (r->stamped ? XGMAC_RDES3_CDA : 0) |
           (r->verdict & MQ_V_HASH ? XGMAC_RDES3_RSV : 0);
}

/* ---- register hooks ---- */

static uint32_t read_feature0(Mq *m, unsigned off)
{
    return XGMAC_FEAT0_GMIISEL | XGMAC_FEAT0_SMASEL |
           (m->half_duplex ? XGMAC_FEAT0_HDSEL : 0) |
           (m->vlhash ? XGMAC_FEAT0_VLHASH : 0) |
           (m->rmon ? XGMAC_FEAT0_MMCSEL : 0) |
           (m->arp ? XGMAC_FEAT0_ARPOFFSEL : 0) |
           (m->eee ? XGMAC_FEAT0_EEESEL : 0) |
           (m->pmt ? XGMAC_FEAT0_RWKSEL | XGMAC_FEAT0_MGKSEL : 0) |
           (m->timestamps ? XGMAC_FEAT0_TSSEL | XGMAC_FEAT0_TSSTSSEL_INT :
                            0) |
           (m->tx_coe ? XGMAC_FEAT0_TXCOESEL : 0) |
           (m->rx_coe ? XGMAC_FEAT0_RXCOESEL : 0) |
           (m->sa_vlan_ins ? XGMAC_FEAT0_SAVLANINS : 0) |
           (m->addr_slots - 1) << XGMAC_FEAT0_ADDMAC_SHIFT;
}

static uint32_t read_feature1(Mq *m, unsigned off)
{
    return ctz32(m->rx_fifo / 128) |
           ctz32(m->tx_fifo / 128) << XGMAC_FEAT1_TXFIFO_SHIFT |
           (m->addr_width - 32) / 8 << XGMAC_FEAT1_ADDR64_SHIFT |
           (m->sph ? XGMAC_FEAT1_SPHEN : 0) |
           (m->tso ? XGMAC_FEAT1_TSOEN : 0) |
           (state_of(m)->rss ? XGMAC_FEAT1_RSSEN : 0) |
           (m->tx_queues - 1) << XGMAC_FEAT1_NUMTC_SHIFT |
           (m->hash_bits ? ctz32(m->hash_bits / 32) : 0) <<
           XGMAC_FEAT1_HASHTBLSZ_SHIFT |
           m->l34_filters << XGMAC_FEAT1_L3L4FNUM_SHIFT;
}

static uint32_t read_feature2(Mq *m, unsigned off)
{
    return (m->rx_queues - 1) | (m->tx_queues - 1) << 6 |
           (m->rx_queues - 1) << 12 | (m->tx_queues - 1) << 18 |
           mq_ptp_feature2(m);
}

static uint32_t read_feature3(Mq *m, unsigned off)
{
    unsigned nrvf = m->vlan_slots < 16 ? m->vlan_slots / 4 :
                    m->vlan_slots / 8 + 1;

    return nrvf | (m->dvlan ? XGMAC_FEAT3_DVLAN : 0) |
           (m->asp & 3) << XGMAC_FEAT3_ASP_SHIFT |
           (m->tbs ? XGMAC_FEAT3_TBSSEL |
                     (m->tx_queues - 1u) << XGMAC_FEAT3_TBSCH_SHIFT : 0) |
           (m->frp ? XGMAC_FEAT3_FRPSEL | 2 << XGMAC_FEAT3_FRPES_SHIFT : 0);
}

static uint32_t read_feature4(Mq *m, unsigned off)
{
    return m->asp & 4 ? XGMAC_FEAT4_EASP : 0;
}

static uint32_t read_mtl_int(Mq *m, unsigned off)
{
    return xgmac_mtl_irq(m);
}

static uint32_t read_dma_int(Mq *m, unsigned off)
{
    return mq_dma_intr_status(m);
}

static uint32_t read_txq_op(Mq *m, unsigned off)
{
    uint32_t val = *mq_reg(m, off);

    if (m->tx_queues == 1) {
        val = deposit32(val, XGMAC_TQS_SHIFT, XGMAC_TQS_LEN,
                        m->tx_fifo / 256 - 1) | 2 << XGMAC_TXQEN_SHIFT;
    }
    return val;
}

static uint32_t read_txq_debug(Mq *m, unsigned off)
{
    return (timer_pending(m->pause_timer) ? BIT(0) : 0) |
           (m->chan[mq_queue_of(m, off)].tx_frame ? BIT(4) : 0);
}

static uint32_t read_rxq_debug(Mq *m, unsigned off)
{
    return mq_rx_waiting(m, mq_queue_of(m, off)) << 16;
}

static uint32_t read_rxq_lost(Mq *m, unsigned off)
{
    uint32_t val = *mq_reg(m, off);

    *mq_reg(m, off) = 0;
    return val;
}

static uint32_t read_l34(Mq *m, unsigned off)
{
    return *mq_reg(m, off) | (mq_busy(m) ? XGMAC_L3L4_XB : 0);
}

static uint32_t read_rss(Mq *m, unsigned off)
{
    return *mq_reg(m, off) | (mq_busy(m) ? XGMAC_RSS_OB : 0);
}

static void write_rx_config(Mq *m, unsigned off, uint32_t old)
{
    if (!m->rx_coe) {
        *mq_reg(m, off) &= ~XGMAC_RX_IPC;
    }
    mq_write_run(m, off, old);
}

static void write_mdio_data(Mq *m, unsigned off, uint32_t old)
{
    uint32_t val = *mq_reg(m, off), addr = mq_get(m, MQ_MDIO_ADDR);
    unsigned phy = extract32(addr, XGMAC_MDIO_PA_SHIFT, 5);
    bool c22 = phy < 4 && (mq_get(m, XGMAC_MDIO_C22P) >> phy & 1);
    DwmacMdioOp op = {
        .write = extract32(val, XGMAC_MDIO_CMD_SHIFT, 2) ==
                 XGMAC_MDIO_CMD_WRITE,
        .c45 = !c22,
        .phy = phy,
        .mmd = c22 ? 0 : extract32(addr, XGMAC_MDIO_DA_SHIFT, 5),
        .reg = c22 ? addr & 31 : addr & 0xffff,
        .val = val,
    };

    if (m->core.mdio_busy) {
        *mq_reg(m, off) = old;
    } else if (val & XGMAC_MDIO_BUSY) {
        dwmac_core_mdio(&m->core, &op);
    }
}

static void xgmac_mdio_done(Mq *m)
{
    *mq_reg(m, MQ_MDIO_DATA) &= ~XGMAC_MDIO_BUSY;
}

static void write_l34(Mq *m, unsigned off, uint32_t old)
{
    uint32_t *ctrl = mq_reg(m, off), *data = mq_reg(m, XGMAC_L3L4_DATA);
    uint32_t *l34 = state_of(m)->l34;
    unsigned at = extract32(*ctrl, XGMAC_L3L4_IDDR_SHIFT, 9);
    unsigned n = at >> XGMAC_L3L4_FNUM_SHIFT;

    if (!mq_start_access(m, off, XGMAC_L3L4_XB, old)) {
        return;
    }
    if (n >= m->l34_filters || (at & 8)) {
        *data = 0;
    } else if (*ctrl & XGMAC_L3L4_TT) {
        *data = l34[n * 8 + (at & 7)];
    } else {
        l34[n * 8 + (at & 7)] = *data;
    }
}

static void write_rss_addr(Mq *m, unsigned off, uint32_t old)
{
    DwmacXgmacState *s = state_of(m);
    uint32_t *ctrl = mq_reg(m, off), *data = mq_reg(m, XGMAC_RSS_DATA);
    unsigned at = extract32(*ctrl, XGMAC_RSSIA_SHIFT, 8);
    bool key = *ctrl & XGMAC_RSS_ADDRT, get = *ctrl & XGMAC_RSS_CT;

    if (!mq_start_access(m, off, XGMAC_RSS_OB, old)) {
        return;
    }
    if (key && at >= ARRAY_SIZE(s->rss_key)) {
        return;
    }
    if (get) {
        *data = key ? s->rss_key[at] : s->rss_table[at];
    } else if (key) {
        s->rss_key[at] = *data;
    } else {
        s->rss_table[at] = *data & 0xf;
    }
}

static void write_rss_ctrl(Mq *m, unsigned off, uint32_t old)
{
    if (!state_of(m)->rss) {
        *mq_reg(m, off) = 0;
    }
}

static void write_txq_op(Mq *m, unsigned off, uint32_t old)
{
    if (*mq_reg(m, off) & BIT(0)) {
        *mq_reg(m, off) &= ~BIT(0);
        mq_tx_flush(&m->chan[mq_queue_of(m, off)]);
    }
    mq_tx_run(m);
}

static void write_rx_queues(Mq *m, unsigned off, uint32_t old)
{
    mq_rx_run(m);
}

static void write_q_int(Mq *m, unsigned off, uint32_t old)
{
    *mq_reg(m, off) = old & ~*mq_reg(m, off);
    mq_update_irq(m);
}

static void write_q_int_en(Mq *m, unsigned off, uint32_t old)
{
    mq_update_irq(m);
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

/* From an MMC register of XGMAC to that of QoS; -1: there is none. */
static int xgmac_mmc_map(unsigned off)
{
    static const struct { uint16_t from, to, n, at; } map[] = {
        { 0x00, 0x00, 1, 4 }, { 0x0c, 0x0c, 1, 4 }, { 0x10, 0x10, 1, 4 },
        { 0x14, 0x14, 13, 8 },      /* sent: octets to broadcast */
        { 0x84, 0x64, 2, 8 }, { 0x94, 0x70, 2, 8 },
        { 0x100, 0x80, 5, 8 },      /* received: packets to multicast */
        { 0x138, 0xa4, 2, 4 }, { 0x140, 0xac, 12, 8 },
        { 0x1a0, 0xdc, 1, 4 },
        { 0x25c, 0x100, 1, 4 }, { 0x264, 0x110, 14, 8 },
        { 0x2d4, 0x150, 14, 8 },
    };

    for (int i = 0; i < ARRAY_SIZE(map); i++) {
        unsigned d = off - map[i].from;

        if (off >= map[i].from && d < map[i].n * map[i].at &&
            d % map[i].at == 0) {
            return map[i].to + d / map[i].at * 4;
        }
    }
    return -1;
}

/* ---- the registers ---- */

#define Q(_r)  (XGMAC_MTL_QUEUE_BASE + (_r))
#define CH(_r) (XGMAC_DMA_CH_BASE + (_r))
#define QSTEP  XGMAC_MTL_QUEUE_STEP
#define CSTEP  XGMAC_DMA_CH_STEP

static const MqReg xgmac_regs[] = {
    { "tx-config", XGMAC_TX_CONFIG, 1, 0, 0, 0, 0xe0f71f1d, NULL,
      mq_write_run },
    { "rx-config", XGMAC_RX_CONFIG, 1, 0, 0, 0, 0xbfff7fff, NULL,
      write_rx_config },
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
    { "rxq-ctrl0", MQ_RXQ_CTRL0, 1, 0, 0, 0, 0xffff, NULL, write_rx_queues },
    { "rxq-ctrl1", MQ_RXQ_CTRL1, 1, 0, 0, 0, 0xffffffff },
    { "rxq-prio", MQ_RXQ_CTRL2, 2, 0, 0, 0, 0xffffffff },
    { "int-status", MQ_INT_STATUS, 1, 0, 0, 0, 0, mq_read_int_status },
    { "int-en", MQ_INT_EN, 1, 0, 0, 0, 0x0001f031, NULL, mq_write_irq_mask },
    { "rx-tx-status", MQ_RX_TX_STATUS, 1 },
    { "pmt", MQ_PMT, 1, 0, 0, 0, DWMAC_PMT_KEPT | DWMAC_PMT_FILTRST,
      mq_read_pmt, mq_write_pmt },
    { "wake-filter", MQ_WAKE_FILTER, 1, 0, 0, 0, 0xffffffff, mq_read_wake,
      mq_write_wake },
    { "lpi", MQ_LPI_CTRL_STATUS, 1, 0, 0, 0, 0x003b0000, mq_read_lpi,
      mq_write_lpi },
    { "lpi-timer", MQ_LPI_TIMER_CTRL, 1, 0, 0, 0x03e80000, 0x03ffffff },
    { "lpi-entry", MQ_LPI_ENTRY_TIMER, 1, 0, 0, 0, 0x000ffff8 },
    { "version", MQ_VERSION, 1, 0, 0, 0, 0, mq_read_version },
    { "hw-feature0", MQ_HW_FEATURE0, 1, 0, 0, 0, 0, read_feature0 },
    { "hw-feature1", XGMAC_HW_FEATURE1, 1, 0, 0, 0, 0, read_feature1 },
    { "hw-feature2", XGMAC_HW_FEATURE2, 1, 0, 0, 0, 0, read_feature2 },
    { "hw-feature3", XGMAC_HW_FEATURE3, 1, 0, 0, 0, 0, read_feature3 },
    { "hw-feature4", XGMAC_HW_FEATURE4, 1, 0, 0, 0, 0, read_feature4 },
    { "dpp-fsm-status", XGMAC_MAC_DPP_FSM_INT_STATUS, 1, 0, 0, 0, 0xffffffff,
      NULL, mq_write_safety_status },
    { "fsm-control", XGMAC_MAC_FSM_CONTROL, 1, 0, 0, 0, 0x3, NULL,
      mq_write_safety_parity },
    { "ecc-control", XGMAC_MTL_ECC_CONTROL, 1, 0, 0, 0, 0x3f, NULL,
      mq_write_safety },
    { "mtl-safety", XGMAC_MTL_SAFETY_INT_STATUS, 1, 0, 0, 0, 0,
      mq_read_mtl_safety },
    { "ecc-int-en", XGMAC_MTL_ECC_INT_ENABLE, 1, 0, 0, 0, 0x1111, NULL,
      mq_write_safety },
    { "ecc-status", XGMAC_MTL_ECC_INT_STATUS, 1, 0, 0, 0, 0x7777, NULL,
      mq_write_safety_status },
    { "dpp-control", XGMAC_MTL_DPP_CONTROL, 1, 0, 0, 0, 0x1, NULL,
      mq_write_safety_parity },
    { "dma-safety", XGMAC_DMA_SAFETY_INT_STATUS, 1, 0, 0, 0, 0,
      mq_read_dma_safety },
    { "dma-ecc-int-en", XGMAC_DMA_ECC_INT_ENABLE, 1, 0, 0, 0, 0x3, NULL,
      mq_write_safety },
    { "dma-ecc-status", XGMAC_DMA_ECC_INT_STATUS, 1, 0, 0, 0, 0x77, NULL,
      mq_write_safety_status },
    { "dma-dpp-status", XGMAC_DMA_DPP_INT_STATUS, 1, 0, 0, 0, 0xffffffff,
      NULL, mq_write_safety_status },
    { "mdio-addr", MQ_MDIO_ADDR, 1, 0, 0, 0, 0x03ffffff },
    { "mdio-data", MQ_MDIO_DATA, 1, 0, 0, 0, 0x807fffff, NULL,
      write_mdio_data },
    { "mdio-c22p", XGMAC_MDIO_C22P, 1, 0, 0, 0, 0x0000000f },
    { "addr0-high", MQ_ADDR_BASE, 1, 0, 0, 0, 0x000fffff, NULL,
      mq_write_addr },
    { "addr0-low", MQ_ADDR_BASE + 4, 1, 0, 0, 0, 0xffffffff },
    { "addr", MQ_ADDR_BASE + 8, 62, 0, 0, 0, 0xffffffff, NULL,
      mq_write_addr },
    { "mmc", XGMAC_MMC_BASE, 208, 0, 0, 0, 0xffffffff, mq_read_mmc,
      mq_write_mmc },
    { "l3l4-addr", XGMAC_L3L4_ADDR_CTRL, 1, 0, 0, 0, 0x0001ff03, read_l34,
      write_l34 },
    { "l3l4-data", XGMAC_L3L4_DATA, 1, 0, 0, 0, 0xffffffff },
    { "arp-addr", XGMAC_ARP_ADDR, 1, 0, 0, 0, 0xffffffff },
    { "rss-ctrl", XGMAC_RSS_CTRL, 1, 0, 0, 0, 0xf, NULL, write_rss_ctrl },
    { "rss-addr", XGMAC_RSS_ADDR, 1, 0, 0, 0, 0xff07, read_rss,
      write_rss_addr },
    { "rss-data", XGMAC_RSS_DATA, 1, 0, 0, 0, 0xffffffff },
    MQ_PTP_REGS(XGMAC_PTP_BASE),
    { "mtl-op", XGMAC_MTL_OPMODE, 1, 0, 0, 0, 0x00008266 },
    { "mtl-int", XGMAC_MTL_INT_STATUS, 1, 0, 0, 0, 0, read_mtl_int },
    { "rxq-dma-map", XGMAC_MTL_RXQ_DMA_MAP0, 2, 0, 0, 0, 0x8f8f8f8f },
    { "tc-prty", XGMAC_TC_PRTY_MAP0, 2, 0, 0, 0, 0xffffffff },
    { "frp-ctrl", XGMAC_MTL_RXP_CONTROL, 1, 0, 0, 0, 0x00ff00ff,
      mq_read_frp_ctrl },
    { "frp-access", XGMAC_MTL_RXP_IACC, 1, 0, 0, 0, 0x800103ff,
      mq_read_frp_access, mq_write_frp_access },
    { "frp-data", XGMAC_MTL_RXP_IACC + 4, 1, 0, 0, 0, 0xffffffff },
    { "txq-op", Q(XGMAC_TXQ_OPMODE), 1, MQ_PER_TXQ, QSTEP, 0, 0x03ff077f,
      read_txq_op, write_txq_op },
    { "txq-debug", Q(XGMAC_TXQ_DEBUG), 1, MQ_PER_TXQ, QSTEP, 0, 0,
      read_txq_debug },
    { "tc-ets", Q(XGMAC_TC_ETS_CONTROL), 1, MQ_PER_TXQ, QSTEP, 0, 0xff },
    { "tc-weight", Q(XGMAC_TC_WEIGHT), 4, MQ_PER_TXQ, QSTEP, 0, 0x1fffffff },
    { "rxq-op", Q(XGMAC_RXQ_OPMODE), 1, MQ_PER_RXQ, QSTEP, 0, 0x03ff00fb,
      NULL, write_rx_queues },
    { "rxq-lost", Q(XGMAC_RXQ_LOST), 1, MQ_PER_RXQ, QSTEP, 0, 0,
      read_rxq_lost },
    { "rxq-debug", Q(XGMAC_RXQ_DEBUG), 1, MQ_PER_RXQ, QSTEP, 0, 0,
      read_rxq_debug },
    { "rxq-flow", Q(XGMAC_RXQ_FLOW), 1, MQ_PER_RXQ, QSTEP, 0, 0xfffefffe },
    { "q-int-en", Q(XGMAC_QINTEN), 1, MQ_PER_QUEUE, QSTEP, 0, 0x00010003,
      NULL, write_q_int_en },
    { "q-int", Q(XGMAC_QINT_STATUS), 1, MQ_PER_QUEUE, QSTEP, 0, 0x00010003,
      NULL, write_q_int },
    { "dma-mode", XGMAC_DMA_MODE, 1, 0, 0, 0, 0x0000b01f, NULL,
      mq_write_dma_mode },
    { "sysbus-mode", XGMAC_DMA_SYSBUS_MODE, 1, 0, 0, 0x01010000,
      0x3f3fffff },
    { "dma-int", XGMAC_DMA_INT_STATUS, 1, 0, 0, 0, 0, read_dma_int },
    { "edma", XGMAC_TX_EDMA_CTRL, 2, 0, 0, 0, 0x3fffffff },
    { "tbs-ctrl", XGMAC_DMA_TBS_CTRL0, 4, 0, 0, 0, 0xffffff71 },
    { "ch-control", CH(0x00), 1, MQ_PER_CHANNEL, CSTEP, 0, 0x011d3fff, NULL,
      write_ch_control },
    { "ch-tx-control", CH(0x04), 1, MQ_PER_CHANNEL, CSTEP, 0, 0x103f901f,
      NULL, write_ch_tx_control },
    { "ch-rx-control", CH(0x08), 1, MQ_PER_CHANNEL, CSTEP, 0, 0x803f7fff,
      NULL, mq_write_rx_control },
    { "ch-tx-base-hi", CH(0x10), 1, MQ_PER_CHANNEL, CSTEP, 0, 0x0000ffff,
      NULL, mq_write_tx_base },
    { "ch-tx-base", CH(0x14), 1, MQ_PER_CHANNEL, CSTEP, 0, 0xfffffffc, NULL,
      mq_write_tx_base },
    { "ch-rx-base-hi", CH(0x18), 1, MQ_PER_CHANNEL, CSTEP, 0, 0x0000ffff,
      NULL, mq_write_rx_base },
    { "ch-rx-base", CH(0x1c), 1, MQ_PER_CHANNEL, CSTEP, 0, 0xfffffffc, NULL,
      mq_write_rx_base },
    { "ch-tx-tail", CH(0x24), 1, MQ_PER_CHANNEL, CSTEP, 0, 0xfffffffc, NULL,
      mq_write_tx_tail },
    { "ch-rx-tail", CH(0x2c), 1, MQ_PER_CHANNEL, CSTEP, 0, 0xfffffffc, NULL,
      mq_write_rx_tail },
    { "ch-tx-len", CH(0x30), 1, MQ_PER_CHANNEL, CSTEP, 0, 0xffff },
    { "ch-rx-len", CH(0x34), 1, MQ_PER_CHANNEL, CSTEP, 0, 0xffff },
    { "ch-int-en", CH(0x38), 1, MQ_PER_CHANNEL, CSTEP, 0, 0xffff, NULL,
      mq_write_irq_mask },
    { "ch-riwt", CH(0x3c), 1, MQ_PER_CHANNEL, CSTEP, 0, 0x30ff },
    { "ch-cur-tx-hi", CH(0x40), 1, MQ_PER_CHANNEL, CSTEP, 0, 0,
      mq_read_cur_tx_hi },
    { "ch-cur-tx", CH(0x44), 1, MQ_PER_CHANNEL, CSTEP, 0, 0,
      mq_read_cur_tx },
    { "ch-cur-rx-hi", CH(0x48), 1, MQ_PER_CHANNEL, CSTEP, 0, 0,
      mq_read_cur_rx_hi },
    { "ch-cur-rx", CH(0x4c), 1, MQ_PER_CHANNEL, CSTEP, 0, 0,
      mq_read_cur_rx },
    { "ch-cur-buf", CH(0x50), 4, MQ_PER_CHANNEL, CSTEP },
    { "ch-status", CH(0x60), 1, MQ_PER_CHANNEL, CSTEP, 0, DMA_CHAN_W1C, NULL,
      mq_write_status },
};

static void xgmac_reset(Mq *m)
{
    DwmacXgmacState *s = state_of(m);

    memset(s->l34, 0, sizeof(s->l34));
    memset(s->rss_key, 0, sizeof(s->rss_key));
    memset(s->rss_table, 0, sizeof(s->rss_table));
}

static bool xgmac_check(const Mq *m, Error **errp)
{
    if (m->snpsver < 0x20 || m->snpsver > 0x3f) {
        error_setg(errp, "snpsver is 0x20 to 0x3f (an XGMAC 2.x or 3.x), not "
                   "0x%x", m->snpsver);
        return false;
    }
    if (m->asp > 4) {
        error_setg(errp, "asp is 0 to 4, not %u", m->asp);
        return false;
    }
    return true;
}

static const MqGen xgmac_gen = {
    .name = "xgmac",
    .regs = xgmac_regs,
    .n_regs = ARRAY_SIZE(xgmac_regs),
    .chan_base = XGMAC_DMA_CH_BASE,
    .chan_step = XGMAC_DMA_CH_STEP,
    .chan_reg = {
        [MQ_CH_CONTROL] = 0x00,
        [MQ_CH_TX_CONTROL] = 0x04,
        [MQ_CH_RX_CONTROL] = 0x08,
        [MQ_CH_TX_BASE_HI] = 0x10,
        [MQ_CH_TX_BASE] = 0x14,
        [MQ_CH_RX_BASE_HI] = 0x18,
        [MQ_CH_RX_BASE] = 0x1c,
        [MQ_CH_TX_TAIL] = 0x24,
        [MQ_CH_RX_TAIL] = 0x2c,
        [MQ_CH_TX_LEN] = 0x30,
        [MQ_CH_RX_LEN] = 0x34,
        [MQ_CH_INTR_ENA] = 0x38,
        [MQ_CH_RIWT] = 0x3c,
        [MQ_CH_CUR_TX_BUF_HI] = 0x50,
        [MQ_CH_CUR_TX_BUF] = 0x54,
        [MQ_CH_CUR_RX_BUF_HI] = 0x58,
        [MQ_CH_CUR_RX_BUF] = 0x5c,
        [MQ_CH_STATUS] = 0x60,
    },
    .queue_base = XGMAC_MTL_QUEUE_BASE,
    .queue_step = XGMAC_MTL_QUEUE_STEP,
    .mmc_base = XGMAC_MMC_BASE,
    .mmc_map = xgmac_mmc_map,
    .dma_mode = XGMAC_DMA_MODE,
    .arp_addr = XGMAC_ARP_ADDR,
    .ptp_base = XGMAC_PTP_BASE,
    .mtl_op = XGMAC_MTL_OPMODE,
    .rxq_map = XGMAC_MTL_RXQ_DMA_MAP0,
    .rxq_dynamic = XGMAC_QDDMACH,
    .frp_ctrl = XGMAC_MTL_RXP_CONTROL,
    .riwt_unit = 12,
    .tells_l4 = true,
    .no_coe_stops = true,
    .route = xgmac_route,
    .l34 = xgmac_l34,
    .hash = xgmac_hash,
    .dynamic = xgmac_dynamic,
    .nie = xgmac_nie,
    .mac = xgmac_mac,
    .txq = xgmac_txq,
    .rxq = xgmac_rxq,
    .rx_buffers = xgmac_rx_buffers,
    .rx_status = xgmac_rx_status,
    .rx_split = xgmac_rx_split,
    .rx_context = xgmac_rx_context,
    .rx_length = xgmac_rx_length,
    .rx_overflow = xgmac_rx_overflow,
    .mtl_irq = xgmac_mtl_irq,
    .safety = &xgmac_safety,
    .mdio_done = xgmac_mdio_done,
    .reset = xgmac_reset,
    .check = xgmac_check,
    .eame = xgmac_eame,
};

/* ---- the device ---- */

static void dwmac_xgmac_init(Object *obj)
{
    mq_init(&DWMAC_XGMAC(obj)->mq, DEVICE(obj), &xgmac_gen);
}

static void dwmac_xgmac_realize(DeviceState *dev, Error **errp)
{
    DwmacXgmacState *s = DWMAC_XGMAC(dev);

    if (!mq_realize(&s->mq, &address_space_memory, errp)) {
        return;
    }
    sysbus_init_mmio(SYS_BUS_DEVICE(dev), &s->mq.mmio);
    sysbus_init_irq(SYS_BUS_DEVICE(dev), &s->mq.irq);
}

static void dwmac_xgmac_unrealize(DeviceState *dev)
{
    mq_unrealize(&DWMAC_XGMAC(dev)->mq);
}

static void dwmac_xgmac_reset(DeviceState *dev)
{
    mq_reset(&DWMAC_XGMAC(dev)->mq);
}

static const VMStateDescription vmstate_dwmac_xgmac = {
    .name = TYPE_DWMAC_XGMAC,
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_STRUCT(mq, DwmacXgmacState, 1, vmstate_mq, Mq),
        VMSTATE_UINT32_ARRAY(l34, DwmacXgmacState, MQ_L34_MAX * 8),
        VMSTATE_UINT32_ARRAY(rss_key, DwmacXgmacState,
                             DWMAC_RSS_KEY_LEN / 4),
        VMSTATE_UINT8_ARRAY(rss_table, DwmacXgmacState, DWMAC_RSS_TABLE),
        VMSTATE_END_OF_LIST()
    }
};

static const Property dwmac_xgmac_properties[] = {
    MQ_PROPERTIES(DwmacXgmacState, mq),
    DEFINE_PROP_UINT8("snpsver", DwmacXgmacState, mq.snpsver, 0x21),
    /* the driver tells XGMAC from XLGMAC by it */
    DEFINE_PROP_UINT8("user-id", DwmacXgmacState, mq.user_id, 0x76),
    DEFINE_PROP_BOOL("rss", DwmacXgmacState, rss, true),
};

static void dwmac_xgmac_class_init(ObjectClass *klass, void *data)
{
    DeviceClass *dc = DEVICE_CLASS(klass);

    dc->desc = "Synopsys DesignWare XGMAC 2.x";
    dc->realize = dwmac_xgmac_realize;
    dc->unrealize = dwmac_xgmac_unrealize;
    dc->vmsd = &vmstate_dwmac_xgmac;
    device_class_set_legacy_reset(dc, dwmac_xgmac_reset);
    device_class_set_props(dc, dwmac_xgmac_properties);
    set_bit(DEVICE_CATEGORY_NETWORK, dc->categories);
}

static const TypeInfo dwmac_xgmac_info = {
    .name = TYPE_DWMAC_XGMAC,
    .parent = TYPE_SYS_BUS_DEVICE,
    .instance_size = sizeof(DwmacXgmacState),
    .instance_init = dwmac_xgmac_init,
    .class_init = dwmac_xgmac_class_init,
};

static void dwmac_xgmac_register(void)
{
    type_register_static(&dwmac_xgmac_info);
}
type_init(dwmac_xgmac_register)
