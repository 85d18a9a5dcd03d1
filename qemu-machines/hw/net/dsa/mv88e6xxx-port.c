// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Marvell 88E6352: the registers of a port (SMI 0x10-0x16).
 *
 * A table gives each register its reset value and the bits that the guest can
 * write; only the status, the switch id and the LED window are computed.
 *
 * Left out: frame counters 0x10-0x13 (read 0: no frame passes this model),
 * flow control and EEE in the status.  Reset values that the driver neither
 * relies on nor rewrites are 0.
 */
#include "qemu/osdep.h"
#include "mv88e6xxx-internal.h"

typedef struct PortReg {
    uint16_t reset;
    uint16_t writable;
} PortReg;

/* PORT_BASE_VLAN and PORT_ASSOC_VECTOR also depend on the port's number. */
static const PortReg port_regs[MV_REGS] = {
    [PORT_STS]              = { 0,      PORT_STS_PHY_DETECT },
    [PORT_MAC_CTL]          = { 0x0003, 0xffff },
    [PORT_JAM_CTL]          = { 0,      0xffff },
    [PORT_CTL0]             = { 0x007c, 0xffff },
    [PORT_CTL1]             = { 0,      0xffff },
    [PORT_BASE_VLAN]        = { 0,      0xf07f },
    [PORT_DEFAULT_VLAN]     = { 0x0001, 0xffff },
    [PORT_CTL2]             = { 0x2080, 0xffff },
    [PORT_EGRESS_RATE_CTL1] = { 0x0001, 0xffff },
    [PORT_EGRESS_RATE_CTL2] = { 0,      0xffff },
    [PORT_ASSOC_VECTOR]     = { 0,      0xffff },
    [PORT_ATU_CTL]          = { 0,      0xffff },
    [PORT_PRI_OVERRIDE]     = { 0,      0xffff },
    [PORT_POLICY_CTL]       = { 0,      0xffff },
    [PORT_ETH_TYPE]         = { 0x9100, 0xffff },
    [PORT_PRIO_REMAP_0123]  = { 0x3210, 0x7777 },
    [PORT_PRIO_REMAP_4567]  = { 0x7654, 0x7777 },
};

static bool has_phy(unsigned port)
{
    return port < MV88E6352_PHYS;
}

/*
 * How the port is wired: 4 bits of the status.  Port 4 has two media; without
 * PHY detection it shows the other one, its SERDES, and that is how
 * mv88e63xx_get_port_serdes_cmode() asks for it.
 */
static uint16_t port_cmode(Mv88e6xxx *s, unsigned port)
{
    if (!has_phy(port)) {
        return PORT_STS_CMODE_RGMII;
    }
    if (port == 4 && !(s->port[port][PORT_STS] & PORT_STS_PHY_DETECT)) {
        return PORT_STS_CMODE_1000BASEX;
    }
    return PORT_STS_CMODE_PHY;
}

/* Link, speed and duplex: forced ones win, else the PHY's; pins have none. */
static uint16_t port_link(Mv88e6xxx *s, unsigned port)
{
    uint16_t ctl = s->port[port][PORT_MAC_CTL];
    MdioPhy *phy = has_phy(port) ? MDIO_PHY(s->phy[port]) : NULL;
    MdioPhyMode mode = { .speed = 1000, .full_duplex = true };
    static const unsigned speeds[] = { 10, 100, 1000 };
    bool up = phy && mdio_phy_link_up(phy);
    uint16_t val = 0;

    if (phy) {
        mode = mdio_phy_mode(phy);
    }
    if (ctl & PORT_MAC_CTL_FORCE_LINK) {
        up = ctl & PORT_MAC_CTL_LINK_UP;
    }
    if (ctl & PORT_MAC_CTL_FORCE_DUPLEX) {
        mode.full_duplex = ctl & PORT_MAC_CTL_DUPLEX_FULL;
    }
    if ((ctl & PORT_MAC_CTL_SPEED) < ARRAY_SIZE(speeds)) {
        mode.speed = speeds[ctl & PORT_MAC_CTL_SPEED];
    }
    val |= up ? PORT_STS_LINK : 0;
    val |= mode.full_duplex ? PORT_STS_DUPLEX : 0;
    val |= mode.speed == 1000 ? PORT_STS_SPEED_1000 :
           mode.speed == 100 ? PORT_STS_SPEED_100 : 0;
    return val;
}

static uint16_t read_led(Mv88e6xxx *s, unsigned port)
{
    uint16_t pointer = s->port[port][PORT_LED_CONTROL] & PORT_LED_POINTER;

    return pointer | s->port_led[port][pointer >> 12];
}

static void write_led(Mv88e6xxx *s, unsigned port, uint16_t val)
{
    s->port[port][PORT_LED_CONTROL] = val & PORT_LED_POINTER;
    if (val & G2_UPDATE) {
        s->port_led[port][(val & PORT_LED_POINTER) >> 12] = val & PORT_LED_DATA;
    }
}

uint16_t mv_port_read(Mv88e6xxx *s, unsigned port, unsigned reg)
{
    switch (reg) {
    case PORT_STS:
        return s->port[port][PORT_STS] | port_link(s, port) |
               port_cmode(s, port);
    case PORT_SWITCH_ID:
        return MV_SWITCH_ID;
    case PORT_LED_CONTROL:
        return read_led(s, port);
    }
    return s->port[port][reg];
}

void mv_port_write(Mv88e6xxx *s, unsigned port, unsigned reg, uint16_t val)
{
    if (reg == PORT_LED_CONTROL) {
        write_led(s, port, val);
        return;
    }
    s->port[port][reg] = val & port_regs[reg].writable;
}

void mv_port_reset(Mv88e6xxx *s)
{
    unsigned port, reg;

    memset(s->port_led, 0, sizeof(s->port_led));
    for (port = 0; port < MV88E6352_PORTS; port++) {
        for (reg = 0; reg < MV_REGS; reg++) {
            s->port[port][reg] = port_regs[reg].reset;
        }
        s->port[port][PORT_STS] = has_phy(port) ? PORT_STS_PHY_DETECT : 0;
        s->port[port][PORT_BASE_VLAN] = 0x7f & ~(1u << port);
        s->port[port][PORT_ASSOC_VECTOR] = 1u << port;
    }
}
