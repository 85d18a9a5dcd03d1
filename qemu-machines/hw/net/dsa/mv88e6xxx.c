// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Marvell 88E6352: seven-port gigabit switch, its control plane.
 *
 * CONTROL PLANE ONLY: the registers and tables are all there for the kernel's
 * mv88e6xxx driver to probe, set up, bridge and tag, but no frame passes this
 * device.  What the MAC behind the CPU port sends goes out on the MAC's own
 * netdev, tagged, and whoever sits there plays the data plane.  Hence nothing
 * is learnt or aged and every counter reads 0.
 *
 * The chip answers SMI (clause 22) frames in one of its two ways, by the strap
 * `address`.  Units: ports (mv88e6xxx-port.c), global 1 (-global1.c with -atu.c
 * and -vtu.c), global 2 (-global2.c).  The five PHYs inside, and the SERDES of
 * port 4, are devices on a bus of their own, reached through global 2.
 *
 * Operations end at once; `busy-reads` makes the busy bit of each operation
 * show for that many reads, so that a driver's wait loops have something to do.
 *
 * Facts: drivers/net/dsa/mv88e6xxx of Linux 6.1 and 7.3 (family 6352).
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/module.h"
#include "hw/irq.h"
#include "hw/qdev-properties.h"
#include "hw/resettable.h"
#include "mv88e6xxx-internal.h"
#include "trace.h"

void mv_set_busy(Mv88e6xxx *s, unsigned addr, unsigned reg)
{
    s->busy_where = addr << 5 | reg;
    s->busy_left = s->busy_reads;
}

static uint16_t busy_bit(Mv88e6xxx *s, unsigned addr, unsigned reg)
{
    if (!s->busy_left || s->busy_where != (addr << 5 | reg)) {
        return 0;
    }
    s->busy_left--;
    return MV_BUSY;
}

static bool is_port(unsigned addr)
{
    return addr >= MV_ADDR_PORT0 && addr < MV_ADDR_PORT0 + MV88E6352_PORTS;
}

static uint16_t unit_read(Mv88e6xxx *s, unsigned addr, unsigned reg)
{
    uint16_t val = MDIO_ABSENT;

    if (is_port(addr)) {
        val = mv_port_read(s, addr - MV_ADDR_PORT0, reg);
    } else if (addr == MV_ADDR_GLOBAL1) {
        val = mv_g1_read(s, reg) | busy_bit(s, addr, reg);
    } else if (addr == MV_ADDR_GLOBAL2) {
        val = mv_g2_read(s, reg) | busy_bit(s, addr, reg);
    }
    trace_mv88e6xxx_read(addr, reg, val);
    return val;
}

static void unit_write(Mv88e6xxx *s, unsigned addr, unsigned reg, uint16_t val)
{
    trace_mv88e6xxx_write(addr, reg, val);
    if (is_port(addr)) {
        mv_port_write(s, addr - MV_ADDR_PORT0, reg, val);
    } else if (addr == MV_ADDR_GLOBAL1) {
        mv_g1_write(s, reg, val);
    } else if (addr == MV_ADDR_GLOBAL2) {
        mv_g2_write(s, reg, val);
    }
}

/* Multi-chip addressing: a frame to a unit is put together in two registers. */
static void smi_command(Mv88e6xxx *s, uint16_t val)
{
    unsigned addr = (val >> 5) & 0x1f, reg = val & 0x1f;

    s->smi_cmd = val & ~MV_BUSY;
    if (!(val & MV_BUSY) || !(val & SMI_CMD_MODE_22)) {
        return;
    }
    switch (val & SMI_CMD_OP) {
    case SMI_CMD_OP_READ:
        s->smi_data = unit_read(s, addr, reg);
        break;
    case SMI_CMD_OP_WRITE:
        unit_write(s, addr, reg, s->smi_data);
        break;
    }
}

static uint32_t mv_addresses(MdioDevice *dev)
{
    Mv88e6xxx *s = MV88E6352(dev);

    if (s->address) {
        return 1u << s->address;
    }
    return ((1u << MV88E6352_PORTS) - 1) << MV_ADDR_PORT0 |
           1u << MV_ADDR_GLOBAL1 | 1u << MV_ADDR_GLOBAL2;
}

static uint16_t mv_read(MdioDevice *dev, unsigned addr, unsigned reg)
{
    Mv88e6xxx *s = MV88E6352(dev);

    if (!s->address) {
        return unit_read(s, addr, reg);
    }
    switch (reg) {
    case SMI_CMD:
        return s->smi_cmd;
    case SMI_DATA:
        return s->smi_data;
    }
    return MDIO_ABSENT;
}

static void mv_write(MdioDevice *dev, unsigned addr, unsigned reg,
                     uint16_t val)
{
    Mv88e6xxx *s = MV88E6352(dev);

    if (!s->address) {
        unit_write(s, addr, reg, val);
        return;
    }
    switch (reg) {
    case SMI_CMD:
        smi_command(s, val);
        break;
    case SMI_DATA:
        s->smi_data = val;
        break;
    }
}

/* Power-on reset.  The EEPROM keeps what it holds, PHYs reset themselves. */
static void mv_reset_hold(Object *obj, ResetType type)
{
    Mv88e6xxx *s = MV88E6352(obj);

    s->smi_cmd = 0;
    s->smi_data = 0;
    s->busy_left = 0;
    s->busy_where = 0;
    mv_port_reset(s);
    mv_g1_reset(s);
    mv_g2_reset(s);
    mv_update_irq(s);
}

static bool realize_phy(Mv88e6xxx *s, DeviceState *phy, unsigned addr,
                        Error **errp)
{
    qdev_prop_set_uint8(phy, "address", addr);
    return qdev_realize(phy, BUS(s->phy_bus), errp);
}

static void mv_realize(DeviceState *dev, Error **errp)
{
    Mv88e6xxx *s = MV88E6352(dev);
    unsigned i;

    if (s->address >= MDIO_ADDRESSES || s->address % 2) {
        error_setg(errp, "%s: address is %u, must be 0 or an even 2..30",
                   object_get_typename(OBJECT(dev)), s->address);
        return;
    }
    for (i = 0; i < MV88E6352_PHYS; i++) {
        if (!realize_phy(s, s->phy[i], i, errp)) {
            return;
        }
        qdev_connect_gpio_out_named(s->phy[i], MDIO_PHY_INT, 0,
                                    qdev_get_gpio_in_named(dev, "phy", i));
    }
    if (!realize_phy(s, s->serdes, MV_PHY_SERDES, errp)) {
        return;
    }
    s->atu = g_new0(MvAtuEntry, MV_ATU_ENTRIES);
}

static DeviceState *new_phy(Mv88e6xxx *s, const char *name)
{
    Object *phy = object_new(TYPE_MDIO_PHY_88E1540);

    object_property_add_child(OBJECT(s), name, phy);
    object_unref(phy);
    return DEVICE(phy);
}

static void mv_init(Object *obj)
{
    static const char *const far_end[] = { "link", "speed", "duplex" };
    Mv88e6xxx *s = MV88E6352(obj);
    unsigned i, j;

    s->phy_bus = mdio_bus_new(DEVICE(s), "phys");
    for (i = 0; i < MV88E6352_PHYS; i++) {
        g_autofree char *name = g_strdup_printf("phy%u", i);

        s->phy[i] = new_phy(s, name);
        for (j = 0; j < ARRAY_SIZE(far_end); j++) {
            g_autofree char *alias = g_strdup_printf("port%u-%s", i,
                                                     far_end[j]);

            object_property_add_alias(obj, alias, OBJECT(s->phy[i]),
                                      far_end[j]);
        }
    }
    s->serdes = new_phy(s, "serdes");
    object_property_set_bool(OBJECT(s->serdes), "link", false, &error_abort);
    memset(s->eeprom, 0xff, sizeof(s->eeprom));
    qdev_init_gpio_out(DEVICE(s), &s->irq, 1);
    qdev_init_gpio_in_named(DEVICE(s), mv_g2_phy_int, "phy", MV88E6352_PHYS);
}

static void mv_finalize(Object *obj)
{
    g_free(MV88E6352(obj)->atu);
}

static const VMStateDescription vmstate_atu_entry = {
    .name = "mv88e6xxx/atu-entry",
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT64(mac, MvAtuEntry),
        VMSTATE_UINT16(fid, MvAtuEntry),
        VMSTATE_UINT16(data, MvAtuEntry),
        VMSTATE_UINT8(pri, MvAtuEntry),
        VMSTATE_END_OF_LIST()
    },
};

static const VMStateDescription vmstate_vtu_entry = {
    .name = "mv88e6xxx/vtu-entry",
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_BOOL(valid, MvVtuEntry),
        VMSTATE_UINT8(sid, MvVtuEntry),
        VMSTATE_UINT16(fid, MvVtuEntry),
        VMSTATE_UINT16_ARRAY(member, MvVtuEntry, 2),
        VMSTATE_END_OF_LIST()
    },
};

static const VMStateDescription vmstate_stu_entry = {
    .name = "mv88e6xxx/stu-entry",
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_BOOL(valid, MvStuEntry),
        VMSTATE_UINT16_ARRAY(state, MvStuEntry, 2),
        VMSTATE_END_OF_LIST()
    },
};

static bool atu_fits(void *opaque, int version_id)
{
    return ((Mv88e6xxx *)opaque)->atu_count <= MV_ATU_ENTRIES;
}

static const VMStateDescription vmstate_mv88e6xxx = {
    .name = TYPE_MV88E6352,
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT16(smi_cmd, Mv88e6xxx),
        VMSTATE_UINT16(smi_data, Mv88e6xxx),
        VMSTATE_UINT16(busy_where, Mv88e6xxx),
        VMSTATE_UINT16(busy_left, Mv88e6xxx),
        VMSTATE_UINT16_2DARRAY(port, Mv88e6xxx, MV88E6352_PORTS, MV_REGS),
        VMSTATE_UINT16_2DARRAY(port_led, Mv88e6xxx, MV88E6352_PORTS,
                               PORT_LEDS),
        VMSTATE_UINT16_ARRAY(g1, Mv88e6xxx, MV_REGS),
        VMSTATE_UINT16(g1_irqs, Mv88e6xxx),
        VMSTATE_UINT32(atu_count, Mv88e6xxx),
        VMSTATE_VALIDATE("more ATU entries than the chip has", atu_fits),
        VMSTATE_STRUCT_VARRAY_POINTER_UINT32(atu, Mv88e6xxx, atu_count,
                                             vmstate_atu_entry, MvAtuEntry),
        VMSTATE_STRUCT(atu_full, Mv88e6xxx, 1, vmstate_atu_entry, MvAtuEntry),
        VMSTATE_STRUCT_ARRAY(vtu, Mv88e6xxx, MV_VIDS, 1, vmstate_vtu_entry,
                             MvVtuEntry),
        VMSTATE_STRUCT_ARRAY(stu, Mv88e6xxx, MV_SIDS, 1, vmstate_stu_entry,
                             MvStuEntry),
        VMSTATE_UINT16_ARRAY(g2, Mv88e6xxx, MV_REGS),
        VMSTATE_UINT16_ARRAY(device_mapping, Mv88e6xxx, 32),
        VMSTATE_UINT16_ARRAY(trunk_mask, Mv88e6xxx, 8),
        VMSTATE_UINT16_ARRAY(trunk_mapping, Mv88e6xxx, 16),
        VMSTATE_UINT16_ARRAY(switch_mac, Mv88e6xxx, 32),
        VMSTATE_UINT16_ARRAY(prio_override, Mv88e6xxx, 16),
        VMSTATE_UINT16_ARRAY(scratch, Mv88e6xxx, 128),
        VMSTATE_UINT16_ARRAY(qos_weights, Mv88e6xxx, 64),
        VMSTATE_UINT16_SUB_ARRAY(irl[0][0], Mv88e6xxx, 0,
                                 MV88E6352_PORTS * IRL_RESOURCES * IRL_REGS),
        VMSTATE_UINT16_ARRAY(pvt, Mv88e6xxx, 512),
        VMSTATE_UINT16_ARRAY(eeprom, Mv88e6xxx, 256),
        VMSTATE_UINT16_SUB_ARRAY(avb[0][0], Mv88e6xxx, 0,
                                 AVB_PORTS * AVB_BLOCKS * MV_REGS),
        VMSTATE_UINT16_ARRAY(avb_snapshot, Mv88e6xxx, AVB_SNAPSHOT),
        VMSTATE_UINT8(avb_next, Mv88e6xxx),
        VMSTATE_UINT16(phy_addr45, Mv88e6xxx),
        VMSTATE_END_OF_LIST()
    },
};

static const Property mv_properties[] = {
    DEFINE_PROP_UINT8("address", Mv88e6xxx, address, 0),
    DEFINE_PROP_UINT16("busy-reads", Mv88e6xxx, busy_reads, 0),
};

static void mv_class_init(ObjectClass *klass, void *data)
{
    DeviceClass *dc = DEVICE_CLASS(klass);
    MdioDeviceClass *mdc = MDIO_DEVICE_CLASS(klass);

    dc->desc = "Marvell 88E6352 Ethernet switch (control plane)";
    dc->vmsd = &vmstate_mv88e6xxx;
    device_class_set_props(dc, mv_properties);
    RESETTABLE_CLASS(klass)->phases.hold = mv_reset_hold;
    mdc->realize = mv_realize;
    mdc->addresses = mv_addresses;
    mdc->read = mv_read;
    mdc->write = mv_write;
}

static const TypeInfo mv_types[] = {
    {
        .name = TYPE_MV88E6352,
        .parent = TYPE_MDIO_DEVICE,
        .instance_size = sizeof(Mv88e6xxx),
        .instance_init = mv_init,
        .instance_finalize = mv_finalize,
        .class_init = mv_class_init,
    },
};

DEFINE_TYPES(mv_types)
