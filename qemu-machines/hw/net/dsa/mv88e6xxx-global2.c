// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Marvell 88E6352: global 2 registers (SMI 0x1c): interrupt sources, tables
 * behind pointers, EEPROM, PTP clock and the way to the internal PHYs.
 *
 * Seven registers share one form: bit 15 stores the data bits at the pointer
 * bits of a table; without it the pointer is set and the next read shows the
 * entry.  They are rows of `windows`.  Five more are commands with a busy bit.
 *
 * Left out: what the tables would do to frames; time stamps of frames (the PTP
 * registers are storage, but the TAI clock runs, 8 ns a tick of virtual time);
 * GPIO pins (inputs read 0), the watchdog's events, Wake-on-LAN; an EEPROM's
 * contents are not executed at reset (it starts blank and outlives a reset).
 */
#include "qemu/osdep.h"
#include "qemu/timer.h"
#include "mv88e6xxx-internal.h"

#define TAI_TICK_NS 8

typedef struct Window {
    uint8_t reg;
    uint8_t shift;       /* of the pointer */
    uint16_t pointer;
    uint16_t data;
    size_t table;        /* uint16_t array in the state */
} Window;

static const Window windows[] = {
    { G2_DEVICE_MAPPING, 8, 0x1f00, 0x000f,
      offsetof(Mv88e6xxx, device_mapping) },
    { G2_TRUNK_MASK, 12, 0x7000, 0x087f, offsetof(Mv88e6xxx, trunk_mask) },
    { G2_TRUNK_MAPPING, 11, 0x7800, 0x007f,
      offsetof(Mv88e6xxx, trunk_mapping) },
    { G2_SWITCH_MAC, 8, 0x1f00, 0x00ff, offsetof(Mv88e6xxx, switch_mac) },
    { G2_PRIO_OVERRIDE, 8, 0x0f00, 0x10ff,
      offsetof(Mv88e6xxx, prio_override) },
    { G2_SCRATCH_MISC, 8, 0x7f00, 0x00ff, offsetof(Mv88e6xxx, scratch) },
    { G2_QOS_WEIGHTS, 8, 0x3f00, 0x00ff, offsetof(Mv88e6xxx, qos_weights) },
};

/* Plain storage: what of it can be written. */
static const uint16_t g2_writable[MV_REGS] = {
    [G2_MGMT_EN_2X]     = 0xffff,
    [G2_MGMT_EN_0X]     = 0xffff,
    [G2_FLOW_CTL]       = 0xffff,
    [G2_SWITCH_MGMT]    = 0xffff,
    [G2_IRL_DATA]       = 0xffff,
    [G2_PVT_DATA]       = PVT_DATA,
    [G2_EEPROM_DATA]    = 0xffff,
    [G2_SMI_PHY_DATA]   = 0xffff,
    [G2_WDOG_CTL]       = 0x006d,
    [G2_MISC]           = 0xffff,
};

static const Window *find_window(unsigned reg)
{
    unsigned i;

    for (i = 0; i < ARRAY_SIZE(windows); i++) {
        if (windows[i].reg == reg) {
            return &windows[i];
        }
    }
    return NULL;
}

static uint16_t *window_entry(Mv88e6xxx *s, const Window *w)
{
    uint16_t *table = (uint16_t *)((char *)s + w->table);

    return &table[(s->g2[w->reg] & w->pointer) >> w->shift];
}

/* The pins that configured the chip can be read but not written. */
static bool window_read_only(Mv88e6xxx *s, const Window *w)
{
    unsigned pointer = (s->g2[w->reg] & w->pointer) >> w->shift;

    return w->reg == G2_SCRATCH_MISC && pointer >= SCRATCH_CONFIG_DATA0 &&
           pointer <= SCRATCH_CONFIG_DATA3;
}

static void write_window(Mv88e6xxx *s, const Window *w, uint16_t val)
{
    s->g2[w->reg] = val & w->pointer;
    if ((val & G2_UPDATE) && !window_read_only(s, w)) {
        *window_entry(s, w) = val & w->data;
    }
}

static void irl_cmd(Mv88e6xxx *s, uint16_t val)
{
    unsigned port = (val >> 8) & 0xf;
    unsigned resource = (val >> 5) & (IRL_RESOURCES - 1);
    unsigned reg = val & (IRL_REGS - 1);

    if (port >= MV88E6352_PORTS) {
        return;
    }
    switch (val & IRL_CMD_OP) {
    case IRL_CMD_OP_INIT_ALL:
        memset(s->irl[port], 0, sizeof(s->irl[port]));
        break;
    case IRL_CMD_OP_INIT_RES:
        memset(s->irl[port][resource], 0, sizeof(s->irl[port][resource]));
        break;
    case IRL_CMD_OP_WRITE_REG:
        s->irl[port][resource][reg] = s->g2[G2_IRL_DATA];
        break;
    case IRL_CMD_OP_READ_REG:
        s->g2[G2_IRL_DATA] = s->irl[port][resource][reg];
        break;
    }
}

static void pvt_cmd(Mv88e6xxx *s, uint16_t val)
{
    uint16_t *entry = &s->pvt[val & PVT_ADDR_PTR];
    unsigned i;

    switch (val & PVT_ADDR_OP) {
    case PVT_ADDR_OP_INIT_ONES:
        for (i = 0; i < ARRAY_SIZE(s->pvt); i++) {
            s->pvt[i] = PVT_DATA;
        }
        break;
    case PVT_ADDR_OP_WRITE:
        *entry = s->g2[G2_PVT_DATA];
        break;
    case PVT_ADDR_OP_READ:
        s->g2[G2_PVT_DATA] = *entry;
        break;
    }
}

static void eeprom_cmd(Mv88e6xxx *s, uint16_t val)
{
    uint16_t *word = &s->eeprom[val & EEPROM_CMD_ADDR];

    switch (val & EEPROM_CMD_OP) {
    case EEPROM_CMD_OP_WRITE:
        *word = s->g2[G2_EEPROM_DATA];
        break;
    case EEPROM_CMD_OP_READ:
        s->g2[G2_EEPROM_DATA] = *word;
        break;
    }
}

static uint16_t avb_reg(Mv88e6xxx *s, unsigned port, unsigned block,
                        unsigned reg, uint32_t now)
{
    if (port == AVB_PORT_TAI && block == 0 && reg == TAI_TIME_LO) {
        return now & 0xffff;
    }
    if (port == AVB_PORT_TAI && block == 0 && reg == TAI_TIME_HI) {
        return now >> 16;
    }
    return s->avb[port][block][reg % MV_REGS];
}

/* A read takes a snapshot: the halves of a time stamp belong together. */
static void avb_cmd(Mv88e6xxx *s, uint16_t val)
{
    unsigned port = (val >> 8) & (AVB_PORTS - 1);
    unsigned block = (val >> 5) & (AVB_BLOCKS - 1);
    unsigned reg = val & (MV_REGS - 1);
    uint32_t now = qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL) / TAI_TICK_NS;
    bool incr = (val & AVB_CMD_OP) == AVB_CMD_OP_READ_INCR;
    unsigned i;

    switch (val & AVB_CMD_OP) {
    case AVB_CMD_OP_WRITE:
        s->avb[port][block][reg] = s->g2[G2_AVB_DATA];
        break;
    case AVB_CMD_OP_READ:
    case AVB_CMD_OP_READ_INCR:
        for (i = 0; i < AVB_SNAPSHOT; i++) {
            s->avb_snapshot[i] = avb_reg(s, port, block,
                                         reg + (incr ? i : 0), now);
        }
        s->avb_next = 0;
        break;
    }
}

static uint16_t read_avb_data(Mv88e6xxx *s)
{
    return s->avb_snapshot[s->avb_next++ % AVB_SNAPSHOT];
}

static void phy_cmd22(Mv88e6xxx *s, unsigned addr, unsigned reg, uint16_t op)
{
    switch (op) {
    case SMI_PHY_CMD_OP_22_WRITE:
        mdio_bus_write(s->phy_bus, addr, reg, s->g2[G2_SMI_PHY_DATA]);
        break;
    case SMI_PHY_CMD_OP_22_READ:
        s->g2[G2_SMI_PHY_DATA] = mdio_bus_read(s->phy_bus, addr, reg);
        break;
    }
}

static void phy_cmd45(Mv88e6xxx *s, unsigned addr, unsigned mmd, uint16_t op)
{
    switch (op) {
    case SMI_PHY_CMD_OP_45_ADDR:
        s->phy_addr45 = s->g2[G2_SMI_PHY_DATA];
        break;
    case SMI_PHY_CMD_OP_45_WRITE:
        mdio_bus_write45(s->phy_bus, addr, mmd, s->phy_addr45,
                         s->g2[G2_SMI_PHY_DATA]);
        break;
    case SMI_PHY_CMD_OP_45_READ:
    case SMI_PHY_CMD_OP_45_READ_INC:
        s->g2[G2_SMI_PHY_DATA] = mdio_bus_read45(s->phy_bus, addr, mmd,
                                                 s->phy_addr45);
        s->phy_addr45 += op == SMI_PHY_CMD_OP_45_READ_INC;
        break;
    }
}

static void smi_phy_cmd(Mv88e6xxx *s, uint16_t val)
{
    unsigned addr = (val >> 5) & 0x1f, reg = val & 0x1f;

    if (val & SMI_PHY_CMD_MODE_22) {
        phy_cmd22(s, addr, reg, val & SMI_PHY_CMD_OP);
    } else {
        phy_cmd45(s, addr, reg, val & SMI_PHY_CMD_OP);
    }
}

static const struct {
    uint8_t reg;
    void (*run)(Mv88e6xxx *s, uint16_t val);
} commands[] = {
    { G2_IRL_CMD, irl_cmd },
    { G2_PVT_ADDR, pvt_cmd },
    { G2_EEPROM_CMD, eeprom_cmd },
    { G2_AVB_CMD, avb_cmd },
    { G2_SMI_PHY_CMD, smi_phy_cmd },
};

static bool write_command(Mv88e6xxx *s, unsigned reg, uint16_t val)
{
    unsigned i;

    for (i = 0; i < ARRAY_SIZE(commands); i++) {
        if (commands[i].reg != reg) {
            continue;
        }
        s->g2[reg] = val & ~MV_BUSY;
        if (val & MV_BUSY) {
            commands[i].run(s, val);
            mv_set_busy(s, MV_ADDR_GLOBAL2, reg);
        }
        return true;
    }
    return false;
}

/* The bin and mode bits choose; every bin holds a quarter of the table. */
static uint16_t read_atu_stats(Mv88e6xxx *s)
{
    uint16_t sel = s->g2[G2_ATU_STATS];
    int fid = sel & ATU_STATS_MODE_FID ? s->g1[G1_ATU_FID] : -1;
    int per_bin = MV_ATU_ENTRIES / 4;
    int n = mv_atu_occupancy(s, sel & ATU_STATS_MODE_DYNAMIC, fid);

    n -= per_bin * ((sel & ATU_STATS_BIN) >> 14);
    return sel | MIN(MAX(n, 0), per_bin);
}

uint16_t mv_g2_read(Mv88e6xxx *s, unsigned reg)
{
    const Window *w = find_window(reg);

    if (w) {
        return s->g2[reg] | *window_entry(s, w);
    }
    switch (reg) {
    case G2_ATU_STATS:
        return read_atu_stats(s);
    case G2_EEPROM_CMD:
        return s->g2[reg] | EEPROM_CMD_WRITE_EN;
    case G2_AVB_DATA:
        return read_avb_data(s);
    }
    return s->g2[reg];
}

void mv_g2_write(Mv88e6xxx *s, unsigned reg, uint16_t val)
{
    const Window *w = find_window(reg);

    if (w) {
        write_window(s, w, val);
        return;
    }
    if (write_command(s, reg, val)) {
        return;
    }
    switch (reg) {
    case G2_INT_MASK:
        s->g2[reg] = val;
        mv_update_irq(s);
        break;
    case G2_ATU_STATS:
        s->g2[reg] = val & (ATU_STATS_BIN | ATU_STATS_MODE);
        break;
    case G2_AVB_DATA:
        s->g2[reg] = val;
        break;
    default:
        s->g2[reg] = (s->g2[reg] & ~g2_writable[reg]) |
                     (val & g2_writable[reg]);
        break;
    }
}

/* Source bits of the PHYs follow their lines; a read does not clear them. */
void mv_g2_phy_int(void *opaque, int n, int level)
{
    Mv88e6xxx *s = opaque;

    s->g2[G2_INT_SRC] = deposit32(s->g2[G2_INT_SRC], n, 1, !!level);
    mv_update_irq(s);
}

void mv_g2_reset(Mv88e6xxx *s)
{
    uint16_t phy_lines = s->g2[G2_INT_SRC] & G2_INT_SRC_PHY;

    memset(s->g2, 0, sizeof(s->g2));
    s->g2[G2_INT_SRC] = phy_lines;
    memset(s->device_mapping, 0, sizeof(s->device_mapping));
    memset(s->trunk_mask, 0, sizeof(s->trunk_mask));
    memset(s->trunk_mapping, 0, sizeof(s->trunk_mapping));
    memset(s->switch_mac, 0, sizeof(s->switch_mac));
    memset(s->prio_override, 0, sizeof(s->prio_override));
    /* straps: managed (ports start disabled), SERDES on port 4 */
    memset(s->scratch, 0, sizeof(s->scratch));
    memset(s->qos_weights, 0, sizeof(s->qos_weights));
    memset(s->irl, 0, sizeof(s->irl));
    memset(s->avb, 0, sizeof(s->avb));
    s->avb[AVB_PORT_TAI][0][TAI_CLOCK_PERIOD] = TAI_TICK_NS * 1000;
    memset(s->avb_snapshot, 0, sizeof(s->avb_snapshot));
    s->avb_next = 0;
    s->phy_addr45 = 0;
    pvt_cmd(s, PVT_ADDR_OP_INIT_ONES);
}
