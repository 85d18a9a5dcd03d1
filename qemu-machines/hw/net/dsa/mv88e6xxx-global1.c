// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Marvell 88E6352: global 1 registers (SMI 0x1b): status and interrupts,
 * control, priorities, statistics; the ATU and VTU windows live here too, what
 * they do is in mv88e6xxx-{atu,vtu}.c.
 *
 * Left out: counters.  A capture of any port reads 0, because no frame passes
 * this model.  A software reset restarts nothing, because nothing runs; tables
 * and registers keep their values, as on the chip.  Remote management (RMU).
 */
#include "qemu/osdep.h"
#include "hw/irq.h"
#include "mv88e6xxx-internal.h"
#include "trace.h"

typedef struct G1Reg {
    uint16_t reset;
    uint16_t writable;
    /* instead of a store of the writable bits */
    void (*write)(Mv88e6xxx *s, uint16_t val);
} G1Reg;

void mv_update_irq(Mv88e6xxx *s)
{
    uint16_t pending = s->g1_irqs;

    if (s->g2[G2_INT_SRC] & s->g2[G2_INT_MASK]) {
        pending |= G1_STS_IRQ_DEVICE;
    }
    qemu_set_irq(s->irq, (pending & s->g1[G1_CTL1] & G1_STS_IRQS) != 0);
}

void mv_g1_raise(Mv88e6xxx *s, uint16_t bits)
{
    s->g1_irqs |= bits;
    mv_update_irq(s);
}

static uint16_t read_sts(Mv88e6xxx *s)
{
    uint16_t val = G1_STS_INIT_READY | s->g1_irqs;

    if (s->g1[G1_CTL1] & G1_CTL1_PPU_ENABLE) {
        val |= G1_STS_PPU_STATE;
    }
    if (s->g2[G2_INT_SRC] & s->g2[G2_INT_MASK]) {
        val |= G1_STS_IRQ_DEVICE;
    }
    s->g1_irqs &= ~G1_STS_CLEAR_ON_READ;
    mv_update_irq(s);
    return val;
}

static void write_ctl1(Mv88e6xxx *s, uint16_t val)
{
    if (val & G1_CTL1_SW_RESET) {
        trace_mv88e6xxx_software_reset(DEVICE(s)->canonical_path);
        s->busy_left = 0;
    }
    s->g1[G1_CTL1] = val & ~G1_CTL1_SW_RESET;
    mv_update_irq(s);
}

static void write_vtu_op(Mv88e6xxx *s, uint16_t val)
{
    s->g1[G1_VTU_OP] = val & ~MV_BUSY;
    if (val & MV_BUSY) {
        mv_vtu_op(s, val);
        mv_set_busy(s, MV_ADDR_GLOBAL1, G1_VTU_OP);
        mv_g1_raise(s, G1_STS_IRQ_VTU_DONE);
    }
}

static void write_atu_op(Mv88e6xxx *s, uint16_t val)
{
    s->g1[G1_ATU_OP] = val & ~MV_BUSY;
    if (val & MV_BUSY) {
        mv_atu_op(s, val);
        mv_set_busy(s, MV_ADDR_GLOBAL1, G1_ATU_OP);
        mv_g1_raise(s, G1_STS_IRQ_ATU_DONE);
    }
}

static void write_stats_op(Mv88e6xxx *s, uint16_t val)
{
    s->g1[G1_STATS_OP] = val & ~MV_BUSY;
    if (val & MV_BUSY) {
        mv_set_busy(s, MV_ADDR_GLOBAL1, G1_STATS_OP);
        mv_g1_raise(s, G1_STS_IRQ_STATS);
    }
}

static const G1Reg g1_regs[MV_REGS] = {
    [G1_ATU_FID]        = { 0,      0x0fff },
    [G1_VTU_FID]        = { 0,      0x1fff },
    [G1_VTU_SID]        = { 0,      0x003f },
    [G1_CTL1]           = { G1_CTL1_PPU_ENABLE | G1_STS_IRQ_EEPROM_DONE,
                            0xffff, write_ctl1 },
    [G1_VTU_OP]         = { 0,      0xffff, write_vtu_op },
    [G1_VTU_VID]        = { 0,      G1_VTU_VID_VALID | G1_VTU_VID_MASK },
    [G1_VTU_DATA1]      = { 0,      0xffff },
    [G1_VTU_DATA2]      = { 0,      0x0fff },
    [G1_ATU_CTL]        = { 0x0130, 0xffff },
    [G1_ATU_OP]         = { 0,      0xffff, write_atu_op },
    [G1_ATU_DATA]       = { 0,      0xffff },
    [G1_ATU_MAC01]      = { 0,      0xffff },
    [G1_ATU_MAC01 + 1]  = { 0,      0xffff },
    [G1_ATU_MAC01 + 2]  = { 0,      0xffff },
    [G1_IP_PRI_0]       = { 0x0000, 0xffff },
    [G1_IP_PRI_0 + 1]   = { 0x0000, 0xffff },
    [G1_IP_PRI_0 + 2]   = { 0x5555, 0xffff },
    [G1_IP_PRI_0 + 3]   = { 0x5555, 0xffff },
    [G1_IP_PRI_0 + 4]   = { 0xaaaa, 0xffff },
    [G1_IP_PRI_0 + 5]   = { 0xaaaa, 0xffff },
    [G1_IP_PRI_0 + 6]   = { 0xffff, 0xffff },
    [G1_IP_PRI_0 + 7]   = { 0xffff, 0xffff },
    [G1_IEEE_PRI]       = { 0xfa41, 0xffff },
    [G1_MONITOR_CTL]    = { 0xfff0, 0xffff },
    [G1_CTL2]           = { 0,      0xffff },
    [G1_STATS_OP]       = { 0,      0xffff, write_stats_op },
};

uint16_t mv_g1_read(Mv88e6xxx *s, unsigned reg)
{
    return reg == G1_STS ? read_sts(s) : s->g1[reg];
}

void mv_g1_write(Mv88e6xxx *s, unsigned reg, uint16_t val)
{
    const G1Reg *r = &g1_regs[reg];

    if (r->write) {
        r->write(s, val);
    } else {
        s->g1[reg] = val & r->writable;
    }
}

void mv_g1_reset(Mv88e6xxx *s)
{
    unsigned reg;

    for (reg = 0; reg < MV_REGS; reg++) {
        s->g1[reg] = g1_regs[reg].reset;
    }
    /* the EEPROM, empty or not, has been read by the time software runs */
    s->g1_irqs = G1_STS_IRQ_EEPROM_DONE;
    s->atu_count = 0;
    s->atu_full = (MvAtuEntry) { 0 };
    mv_vtu_flush(s);
}
