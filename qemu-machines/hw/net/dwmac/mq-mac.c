// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The multi-queue DesignWare MACs: what the MAC does with a frame before a
 * queue sees it.
 *
 * What it is: length, address, VLAN, layer 3 and 4 filters and the flexible
 * parser, which let a frame in; PAUSE and the answer to ARP requests, which
 * happen whether or not it is let in; and the choice of a receive queue (by
 * kind, destination, priority) and of a DMA channel (fixed to the queue, or by
 * destination address, parser or receive-side scaling).  On the way out: source
 * address and VLAN tag insertion.
 *
 * Facts: dwmac4_core.c and dwmac5.c of Linux 6.12 for the registers; the QoS
 * 5.10a databook, as vendors' manuals repeat it, for the order of the rules.
 *
 * A frame of a priority that no queue has, or without a rule of its own, goes
 * to queue 0.  An ARP request that was answered is received like any other.
 *
 * AV and PTP queues look at EtherTypes only.
 *
 * Not here: the queue for frames that fail the VLAN filter.
 */
#include "qemu/osdep.h"
#include "frp.h"
#include "l34.h"
#include "mq.h"
#include "trace.h"
#include "vlan.h"

#define TYPE_ARP  0x0806
#define TYPE_AVCP 0x22f0
#define TYPE_LLDP 0x88cc
#define TYPE_PTP  0x88f7
#define ARP_LEN   42    /* with the Ethernet header */

/* ---- in ---- */

DwmacVlan mq_vlan(const Mq *m)
{
    return (DwmacVlan){
        .tag = mq_get(m, MQ_VLAN_TAG),
        .hash = mq_get(m, MQ_VLAN_HASH_TABLE),
        .slots = m->vlan_slots,
        .slot = m->vlan_slot,
    };
}

/* A PAUSE frame for us stops the transmitter, whether or not it is kept. */
void mq_obey_pause(Mq *m, const uint8_t *f, size_t len)
{
    uint32_t flow = mq_get(m, MQ_RX_FLOW_CTRL);
    uint8_t own[6];

    mq_own_address(m, 0, own);
    if (!(flow & MQ_RX_FLOW_RFE) ||
        !dwmac_pause_for(f, len, own, flow & MQ_RX_FLOW_UP)) {
        return;
    }
    trace_mq_rx_pause(m->core.name, lduw_be_p(f + 16));
    timer_mod_ns(m->pause_timer, qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL) +
                 lduw_be_p(f + 16) * (int64_t)mq_mac(m).quantum_ns);
}

void mq_own_address(const Mq *m, unsigned slot, uint8_t *addr)
{
    stl_le_p(addr, mq_get(m, MQ_ADDR_BASE + slot * 8 + 4));
    stw_le_p(addr + 4, mq_get(m, MQ_ADDR_BASE + slot * 8));
}

/* Who has our address?  The MAC answers without the CPU. */
void mq_answer_arp(Mq *m, const uint8_t *f, size_t len)
{
    static const uint8_t request[] = { 0x08, 0x06, 0, 1, 8, 0, 6, 4, 0, 1 };
    uint8_t r[DWMAC_MIN_FRAME] = { 0 };

    if (!m->arp || !(mq_mac(m).flags & MQ_ARPEN) || len < ARP_LEN ||
        memcmp(f + 12, request, sizeof(request)) ||
        ldl_be_p(f + 38) != mq_get(m, m->gen->arp_addr)) {
        return;
    }
    trace_mq_arp(m->core.name, ldl_be_p(f + 38));
    memcpy(r, f + 22, 6);
    mq_own_address(m, 0, r + 6);
    memcpy(r + 12, request, 8);
    r[21] = 2;
    memcpy(r + 22, r + 6, 6);
    memcpy(r + 28, f + 38, 4);
    memcpy(r + 32, f + 22, 10);
    mq_send(m, r, sizeof(r));
}

static bool drop(Mq *m, size_t len, const char *why)
{
    trace_mq_rx_drop(m->core.name, 0, len, why);
    return false;
}

static bool admit_vlan(Mq *m, const uint8_t *f, MqRxMeta *meta)
{
    DwmacVlan v = mq_vlan(m);
    unsigned verdict = dwmac_vlan_filter(&v, f, meta->len);
    uint32_t mode = mq_get(m, MQ_PACKET_FILTER);

    if (!(verdict & DWMAC_VT_TAGGED)) {
        return true;
    }
    meta->verdict |= MQ_V_TAGGED |
                     (verdict & DWMAC_VT_FAIL ? 0 : DWMAC_VLAN_HIT) |
                     (verdict & DWMAC_VT_TWO ? MQ_V_TWO : 0) |
                     (dwmac_vlan_strips(&v, verdict) ? MQ_V_STRIP : 0) |
                     (dwmac_vlan_strips_inner(&v, verdict) ? MQ_V_STRIP_INNER :
                                                             0);
    return !(verdict & DWMAC_VT_FAIL) || !(mode & DWMAC_FILTER_VTFE) ||
           (mode & DWMAC_FILTER_RA);
}

static bool admit_l34(Mq *m, const uint8_t *f, MqRxMeta *meta)
{
    uint32_t mode = mq_get(m, MQ_PACKET_FILTER);
    DwmacL34 flt[MQ_L34_MAX];
    unsigned verdict, which = 0;

    if (!m->l34_filters || !(mode & MQ_PACKET_FILTER_IPFE)) {
        return true;
    }
    m->gen->l34(m, flt);
    verdict = dwmac_l34(flt, m->l34_filters, f, meta->len,
                        mode & MQ_PACKET_FILTER_DNTU, &which);
    meta->verdict |= (verdict & DWMAC_L34_L3 ? MQ_V_L3 : 0) |
                     (verdict & DWMAC_L34_L4 ? MQ_V_L4 : 0);
    meta->l34 = which;
    return !(verdict & DWMAC_L34_DROP) || (mode & DWMAC_FILTER_RA);
}

static bool admit_parser(Mq *m, const uint8_t *f, MqRxMeta *meta)
{
    unsigned nve = extract32(mq_get(m, m->gen->frp_ctrl), 0, 8) + 1;
    unsigned chans = 0;

    if (!m->frp || !(mq_get(m, m->gen->mtl_op) & MQ_MTL_OP_FRPE)) {
        return true;
    }
    switch (dwmac_frp(m->frp_table, nve, f, meta->len, &chans)) {
    case DWMAC_FRP_NONE:
        break;
    case DWMAC_FRP_ACCEPT:
        meta->frp_chans = chans;
        break;
    case DWMAC_FRP_REJECT:
        return false;
    }
    return true;
}

/* Runts and strangers; false if the frame ends here. */
bool mq_admit(Mq *m, const uint8_t *f, MqRxMeta *meta)
{
    MqRxq q;

    m->gen->rxq(m, 0, &q);
    if (meta->len < 14 || meta->len > DWMAC_MAX_FRAME ||
        (meta->len < DWMAC_MIN_FRAME && !q.fup)) {
        if (m->rmon) {
            dwmac_mmc_rx(&m->mmc, f, meta->len, DWMAC_RX_RUNT);
        }
        return drop(m, meta->len, "runt");
    }
    /* VLAN tags are judged apart. */
    m->filter.mode = mq_get(m, MQ_PACKET_FILTER) & ~DWMAC_FILTER_VTFE;
    m->filter.vlan = 0;
    meta->verdict = dwmac_filter(&m->filter, f, meta->len) & ~DWMAC_VLAN_HIT;
    if (meta->verdict & DWMAC_DROP) {
        return drop(m, meta->len, "address filter");
    }
    if (!admit_vlan(m, f, meta)) {
        return drop(m, meta->len, "VLAN filter");
    }
    if (!admit_l34(m, f, meta)) {
        return drop(m, meta->len, "layer 3 and 4 filter");
    }
    return admit_parser(m, f, meta) || drop(m, meta->len, "parser");
}

void mq_stamp(Mq *m, const uint8_t *f, MqRxMeta *meta)
{
    int64_t clock = qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);

    if (m->timestamps && dwmac_ptp_stamps(&m->ptp, f, meta->len)) {
        meta->verdict |= MQ_V_STAMP;
        meta->sec = dwmac_ptp_read(&m->ptp, DWMAC_PTP_STSR, clock);
        meta->nsec = dwmac_ptp_read(&m->ptp, DWMAC_PTP_STNSR, clock);
        trace_mq_rx_stamp(m->core.name, meta->sec, meta->nsec);
    }
}

/* ---- which queue, which channel ---- */

static unsigned queue_of_priority(const Mq *m, unsigned prio)
{
    for (unsigned q = 0; q < m->rx_queues; q++) {
        if (mq_get(m, MQ_RXQ_CTRL2 + q / 4 * 4) >> (q % 4 * 8 + prio) & 1) {
            return q;
        }
    }
    return 0;
}

static unsigned queue_of(const Mq *m, const uint8_t *f, const MqRxMeta *meta)
{
    unsigned type = lduw_be_p(f + 12);
    MqRoute r = { 0 };

    m->gen->route(m, &r);
    switch (type) {
    case TYPE_AVCP:
        return r.av;
    case TYPE_PTP:
        return r.ptp;
    case TYPE_LLDP:
        return r.dcb;
    }
    if ((f[0] & 1) && r.multicast_on) {
        return r.multicast;
    }
    if ((type == DWMAC_VLAN_TYPE || type == DWMAC_SVLAN_TYPE) &&
        meta->len >= 16) {
        return queue_of_priority(m, f[14] >> 5);
    }
    return r.untagged;
}

unsigned mq_queue_for(const Mq *m, const uint8_t *f, const MqRxMeta *meta)
{
    unsigned q = m->rx_queues > 1 ? queue_of(m, f, meta) : 0;

    return q < m->rx_queues ? q : 0;
}

/* The channel that belongs to a destination address. */
static unsigned channel_of_address(const Mq *m, const uint8_t *f)
{
    for (unsigned n = 0; n < m->addr_slots; n++) {
        uint32_t high = mq_get(m, MQ_ADDR_BASE + n * 8);
        uint8_t addr[6];

        mq_own_address(m, n, addr);
        if ((!n || (high & DWMAC_ADDR_AE)) && !memcmp(f, addr, 6)) {
            return extract32(high, 16, 3);
        }
    }
    return 0;
}

unsigned mq_channel_for(Mq *m, unsigned q, const uint8_t *f, MqRxMeta *meta)
{
    uint32_t map = mq_get(m, m->gen->rxq_map + q / 4 * 4) >> (q % 4 * 8);
    unsigned chan = map & 7;

    if (m->gen->hash) {
        m->gen->hash(m, f, meta);
    }
    if (meta->frp_chans) {
        chan = ctz32(meta->frp_chans);
    } else if (map & m->gen->rxq_dynamic) {
        int by_hash = m->gen->dynamic ? m->gen->dynamic(m, meta) : -1;

        chan = by_hash >= 0 ? by_hash : channel_of_address(m, f);
    }
    return chan < m->rx_queues ? chan : 0;
}

/* ---- out ---- */

static size_t source_address(Mq *m, const MqTxCtl *ctl, const MqMac *mac,
                             uint8_t *f, size_t len)
{
    unsigned saic = extract32(ctl->tdes3, TDES3_SAIC_SHIFT, 3);
    uint8_t addr[2][6];

    if (!m->sa_vlan_ins) {
        return len;
    }
    mq_own_address(m, 0, addr[0]);
    mq_own_address(m, 1, addr[1]);
    return dwmac_source_address(f, len, saic, mac->sarc, addr);
}

static size_t vlan_tags(MqChan *c, uint8_t *f, size_t len)
{
    Mq *m = c->m;
    unsigned vtir = extract32(c->tx_ctl.tdes2, TDES2_VTIR_SHIFT, 2);

    if (!m->sa_vlan_ins || len < 14) {
        return len;
    }
    /* The inner tag goes in first, where the outer one will be. */
    if (m->dvlan && vtir && c->tx_inner_vtir) {
        len = dwmac_vlan_include(f, len, c->tx_inner_vtir == DWMAC_VTIR_INSERT ?
                                         12 : 16,
                                 mq_get(m, MQ_INNER_VLAN_INCL) |
                                 DWMAC_VI_VLTI,
                                 c->tx_inner_vtir, c->tx_inner_vlan);
    }
    return dwmac_vlan_include(f, len, 12, mq_get(m, MQ_VLAN_INCL), vtir,
                              c->tx_vlan);
}

size_t mq_tx_edit(MqChan *c, const MqMac *mac, uint8_t *f, size_t len)
{
    size_t was = len;

    len = source_address(c->m, &c->tx_ctl, mac, f, len);
    len = vlan_tags(c, f, len);
    if (len != was) {
        trace_mq_tx_edit(c->m->core.name, c->n, was, len);
    }
    return len;
}
