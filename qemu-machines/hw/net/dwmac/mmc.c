// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * MAC management counters (RMON) of GMAC and QoS cores.
 *
 * What it is: counters of 32 bits with roll-over or stop, clear on read,
 * freeze, presets, and the three interrupt registers that tell of a counter
 * at half or at its end.
 *
 * Facts: offsets from mmc_core.c of Linux's stmmac; control bits and
 * interrupt semantics from the MMC chapter of the GMAC 3.70a databook.
 *
 * Not here: 16-bit counters (a synthesis option), and counters of events
 * that QEMU's wire has not: CRC, alignment, collisions, carrier, deferral.
 */
#include <string.h>
#include "mmc.h"

enum {
    MMC_CNTRL            = 0x00,
    MMC_RX_INTR          = 0x04,
    MMC_TX_INTR          = 0x08,
    MMC_RX_INTR_MASK     = 0x0c,
    MMC_TX_INTR_MASK     = 0x10,
    MMC_TX_OCTET_GB      = 0x14,
    MMC_TX_FRAME_GB      = 0x18,
    MMC_TX_BROADCAST_G   = 0x1c,
    MMC_TX_MULTICAST_G   = 0x20,
    MMC_TX_BINS          = 0x24,
    MMC_TX_UNICAST_GB    = 0x3c,
    MMC_TX_MULTICAST_GB  = 0x40,
    MMC_TX_BROADCAST_GB  = 0x44,
    MMC_TX_OCTET_G       = 0x64,
    MMC_TX_FRAME_G       = 0x68,
    MMC_TX_PAUSE         = 0x70,
    MMC_TX_VLAN_G        = 0x74,
    MMC_TX_OVERSIZE_G    = 0x78,
    MMC_RX_FRAME_GB      = 0x80,
    MMC_RX_OCTET_GB      = 0x84,
    MMC_RX_OCTET_G       = 0x88,
    MMC_RX_BROADCAST_G   = 0x8c,
    MMC_RX_MULTICAST_G   = 0x90,
    MMC_RX_UNDERSIZE_G   = 0xa4,
    MMC_RX_OVERSIZE_G    = 0xa8,
    MMC_RX_BINS          = 0xac,
    MMC_RX_UNICAST_G     = 0xc4,
    MMC_RX_LENGTH_ERROR  = 0xc8,
    MMC_RX_OUT_OF_RANGE  = 0xcc,
    MMC_RX_PAUSE         = 0xd0,
    MMC_RX_FIFO_OVERFLOW = 0xd4,
    MMC_RX_VLAN_GB       = 0xd8,
    MMC_RX_WATCHDOG      = 0xdc,
    MMC_RX_END           = 0xe4,
    MMC_IPC_INTR_MASK    = 0x100,
    MMC_IPC_INTR         = 0x108,
    MMC_IPC_BASE         = 0x110,
    MMC_IPC_END          = 0x148,
    MMC_IPC_OCTETS       = 0x40,    /* from a counter to its byte counter */
    MMC_IPC_OCTETS_END   = 0x188,
    MMC_RX_IPV4_GD       = 0x110,
    MMC_RX_IPV4_HDERR    = 0x114,
    MMC_RX_IPV4_NOPAY    = 0x118,
    MMC_RX_IPV4_FRAG     = 0x11c,
    MMC_RX_IPV4_UDSBL    = 0x120,
    MMC_RX_IPV6_GD       = 0x124,
    MMC_RX_IPV6_HDERR    = 0x128,
    MMC_RX_IPV6_NOPAY    = 0x12c,
    MMC_RX_L4_GD         = 0x130,   /* UDP; TCP and ICMP follow in pairs */
};

enum {
    CNTRL_RESET    = 1 << 0,
    CNTRL_STOP     = 1 << 1,
    CNTRL_CLR_READ = 1 << 2,
    CNTRL_FREEZE   = 1 << 3,
    CNTRL_PRESET   = 1 << 4,
    CNTRL_FULL     = 1 << 5,
    CNTRL_KEPT     = CNTRL_STOP | CNTRL_CLR_READ | CNTRL_FREEZE | CNTRL_FULL,
};

#define HALF           0x80000000u
#define PRESET_HALF    0x7ffffff0u
#define PRESET_FULL    0xfffffff0u
#define MAX_FRAME      1518
#define MAX_VLAN_FRAME 1522

static bool is_counter(unsigned off)
{
    return (off >= MMC_TX_OCTET_GB && off < MMC_RX_END) ||
           (off >= MMC_IPC_BASE && off < MMC_IPC_END) ||
           (off >= MMC_IPC_BASE + MMC_IPC_OCTETS && off < MMC_IPC_OCTETS_END);
}

/* The interrupt register and the bit in it that belong to a counter. */
static uint32_t *intr_of(DwmacMmc *m, unsigned off, uint32_t *bit)
{
    unsigned from = MMC_TX_OCTET_GB, reg = MMC_TX_INTR;

    if (off >= MMC_IPC_BASE) {
        from = MMC_IPC_BASE;
        reg = MMC_IPC_INTR;
    } else if (off >= MMC_RX_FRAME_GB) {
        from = MMC_RX_FRAME_GB;
        reg = MMC_RX_INTR;
    }
    *bit = 1u << (off - from) / 4 % 32;
    return &m->reg[reg / 4];
}

static void count(DwmacMmc *m, unsigned off, uint32_t n)
{
    uint32_t *c = &m->reg[off / 4], old = *c, bit;

    if (m->reg[MMC_CNTRL / 4] & CNTRL_FREEZE) {
        return;
    }
    *c += n;
    if (*c < old && (m->reg[MMC_CNTRL / 4] & CNTRL_STOP)) {
        *c = UINT32_MAX;
    }
    if (n && ((old ^ *c) & HALF || *c == UINT32_MAX)) {
        *intr_of(m, off, &bit) |= bit;
    }
}

/* Sizes count the FCS: 64, 65-127, 128-255, 256-511, 512-1023, 1024-max. */
static unsigned bin_of(size_t size)
{
    static const uint16_t to[] = { 64, 127, 255, 511, 1023 };
    unsigned i = 0;

    while (i < sizeof(to) / sizeof(to[0]) && size > to[i]) {
        i++;
    }
    return i * 4;
}

static bool is_broadcast(const uint8_t *f)
{
    static const uint8_t ones[] = { 255, 255, 255, 255, 255, 255 };

    return !memcmp(f, ones, 6);
}

static bool is_vlan(const uint8_t *f)
{
    return f[12] == 0x81 && f[13] == 0x00;
}

static bool is_pause(const uint8_t *f)
{
    return f[12] == 0x88 && f[13] == 0x08 && f[14] == 0 && f[15] == 1;
}

void dwmac_mmc_reset(DwmacMmc *m)
{
    memset(m, 0, sizeof(*m));
}

void dwmac_mmc_tx(DwmacMmc *m, const uint8_t *f, size_t len)
{
    size_t size = len + 4;

    if (len < 16) {
        return;
    }
    count(m, MMC_TX_OCTET_GB, size);
    count(m, MMC_TX_FRAME_GB, 1);
    count(m, MMC_TX_OCTET_G, size);
    count(m, MMC_TX_FRAME_G, 1);
    count(m, MMC_TX_BINS + bin_of(size), 1);
    if (is_broadcast(f)) {
        count(m, MMC_TX_BROADCAST_G, 1);
        count(m, MMC_TX_BROADCAST_GB, 1);
    } else if (f[0] & 1) {
        count(m, MMC_TX_MULTICAST_G, 1);
        count(m, MMC_TX_MULTICAST_GB, 1);
    } else {
        count(m, MMC_TX_UNICAST_GB, 1);
    }
    count(m, MMC_TX_PAUSE, is_pause(f));
    count(m, MMC_TX_VLAN_G, is_vlan(f));
    count(m, MMC_TX_OVERSIZE_G,
          size > (is_vlan(f) ? MAX_VLAN_FRAME : MAX_FRAME));
}

static void count_rx_good(DwmacMmc *m, const uint8_t *f, size_t size)
{
    count(m, MMC_RX_OCTET_G, size);
    if (is_broadcast(f)) {
        count(m, MMC_RX_BROADCAST_G, 1);
    } else if (f[0] & 1) {
        count(m, MMC_RX_MULTICAST_G, 1);
    } else {
        count(m, MMC_RX_UNICAST_G, 1);
    }
    count(m, MMC_RX_PAUSE, is_pause(f));
}

void dwmac_mmc_rx(DwmacMmc *m, const uint8_t *f, size_t len,
                  enum DwmacRxFault fault)
{
    static const uint8_t fault_counter[] = {
        [DWMAC_RX_GOOD]     = 0,
        [DWMAC_RX_RUNT]     = MMC_RX_UNDERSIZE_G,
        [DWMAC_RX_LENGTH]   = MMC_RX_LENGTH_ERROR,
        [DWMAC_RX_RANGE]    = MMC_RX_OUT_OF_RANGE,
        [DWMAC_RX_OVERSIZE] = MMC_RX_OVERSIZE_G,
        [DWMAC_RX_WATCHDOG] = MMC_RX_WATCHDOG,
        [DWMAC_RX_OVERFLOW] = MMC_RX_FIFO_OVERFLOW,
    };
    size_t size = len + 4;

    if (fault != DWMAC_RX_GOOD) {
        count(m, fault_counter[fault], 1);
    }
    if (fault == DWMAC_RX_OVERFLOW || len < 16) {
        return;
    }
    count(m, MMC_RX_FRAME_GB, 1);
    count(m, MMC_RX_OCTET_GB, size);
    count(m, MMC_RX_VLAN_GB, is_vlan(f));
    if (fault != DWMAC_RX_RUNT) {
        count(m, MMC_RX_BINS + bin_of(size), 1);
    }
    if (fault == DWMAC_RX_GOOD || fault == DWMAC_RX_OVERSIZE ||
        fault == DWMAC_RX_RANGE) {
        count_rx_good(m, f, size);
    }
}

static void count_both(DwmacMmc *m, unsigned off, uint32_t bytes)
{
    count(m, off, 1);
    count(m, off + MMC_IPC_OCTETS, bytes);
}

static void count_l4(DwmacMmc *m, const CoeFrame *c)
{
    static const uint8_t pair[] = {
        [COE_PROTO_UDP] = 0, [COE_PROTO_TCP] = 8, [COE_PROTO_ICMP] = 16,
    };
    unsigned off = MMC_RX_L4_GD + pair[c->proto];

    count_both(m, off + (c->flags & COE_PAY_ERR ? 4 : 0), c->l4_len);
}

void dwmac_mmc_ipc(DwmacMmc *m, const CoeFrame *c)
{
    bool v4 = c->flags & COE_IPV4;

    if (!(c->flags & COE_IP)) {
        return;
    }
    if (c->flags & COE_HDR_ERR) {
        count_both(m, v4 ? MMC_RX_IPV4_HDERR : MMC_RX_IPV6_HDERR, c->ip_len);
        return;
    }
    if (v4 && (c->flags & COE_FRAGMENT)) {
        count_both(m, MMC_RX_IPV4_FRAG, c->ip_len);
        return;
    }
    if (c->proto == COE_PROTO_NONE) {
        count_both(m, v4 ? MMC_RX_IPV4_NOPAY : MMC_RX_IPV6_NOPAY, c->ip_len);
        return;
    }
    count_both(m, v4 ? MMC_RX_IPV4_GD : MMC_RX_IPV6_GD, c->ip_len);
    if (c->flags & COE_UDP_ZERO) {
        count_both(m, MMC_RX_IPV4_UDSBL, c->ip_len);
        return;
    }
    count_l4(m, c);
}

uint32_t dwmac_mmc_read(DwmacMmc *m, unsigned off)
{
    uint32_t val = m->reg[off / 4], bit;

    if (is_counter(off)) {
        *intr_of(m, off, &bit) &= ~bit;
        if (m->reg[MMC_CNTRL / 4] & CNTRL_CLR_READ) {
            m->reg[off / 4] = 0;
        }
    }
    return val;
}

static void set_counters(DwmacMmc *m, uint32_t val)
{
    for (unsigned off = 0; off < DWMAC_MMC_SIZE; off += 4) {
        if (is_counter(off)) {
            m->reg[off / 4] = val;
        }
    }
}

void dwmac_mmc_write(DwmacMmc *m, unsigned off, uint32_t val)
{
    switch (off) {
    case MMC_CNTRL:
        m->reg[off / 4] = val & CNTRL_KEPT;
        if (val & CNTRL_RESET) {
            set_counters(m, 0);
        } else if (val & CNTRL_PRESET) {
            set_counters(m, val & CNTRL_FULL ? PRESET_FULL : PRESET_HALF);
        }
        break;
    case MMC_RX_INTR_MASK:
    case MMC_TX_INTR_MASK:
        m->reg[off / 4] = val & 0x03ffffff;
        break;
    case MMC_IPC_INTR_MASK:
        m->reg[off / 4] = val & 0x3fff3fff;
        break;
    }
}

unsigned dwmac_mmc_irq(const DwmacMmc *m)
{
    const uint32_t *r = m->reg;
    unsigned irq = 0;

    if (r[MMC_RX_INTR / 4] & ~r[MMC_RX_INTR_MASK / 4]) {
        irq |= DWMAC_MMC_IRQ_RX;
    }
    if (r[MMC_TX_INTR / 4] & ~r[MMC_TX_INTR_MASK / 4]) {
        irq |= DWMAC_MMC_IRQ_TX;
    }
    if (r[MMC_IPC_INTR / 4] & ~r[MMC_IPC_INTR_MASK / 4]) {
        irq |= DWMAC_MMC_IRQ_IPC;
    }
    return irq;
}
