// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * MDIO bus and the abstract device on it.
 *
 * The bus has no state of its own: a frame is answered by the one device that
 * claims the port address, and two devices that claim the same one are refused
 * when the second is realized, because real ones would fight on the line.
 *
 * Left out: timing (a frame takes no time; busy bits are the MAC's business)
 * and the interrupt line that some boards route beside MDC/MDIO (a device's
 * own GPIO).
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/module.h"
#include "hw/net/mdio.h"
#include "trace.h"

MdioBus *mdio_bus_new(DeviceState *parent, const char *name)
{
    return MDIO_BUS(qbus_new(TYPE_MDIO_BUS, parent, name));
}

static MdioDevice *mdio_bus_find(MdioBus *bus, unsigned addr)
{
    BusChild *kid;

    QTAILQ_FOREACH(kid, &bus->parent_obj.children, sibling) {
        MdioDevice *dev = MDIO_DEVICE(kid->child);

        if (kid->child->realized &&
            (MDIO_DEVICE_GET_CLASS(dev)->addresses(dev) & (1u << addr))) {
            return dev;
        }
    }
    return NULL;
}

uint16_t mdio_bus_read(MdioBus *bus, unsigned addr, unsigned reg)
{
    MdioDevice *dev;
    uint16_t val = MDIO_ABSENT;

    addr %= MDIO_ADDRESSES;
    reg %= MDIO_ADDRESSES;
    dev = mdio_bus_find(bus, addr);
    if (dev) {
        val = MDIO_DEVICE_GET_CLASS(dev)->read(dev, addr, reg);
    }
    trace_mdio_read(BUS(bus)->name, addr, reg, val);
    return val;
}

void mdio_bus_write(MdioBus *bus, unsigned addr, unsigned reg, uint16_t val)
{
    MdioDevice *dev;

    addr %= MDIO_ADDRESSES;
    reg %= MDIO_ADDRESSES;
    trace_mdio_write(BUS(bus)->name, addr, reg, val);
    dev = mdio_bus_find(bus, addr);
    if (dev) {
        MDIO_DEVICE_GET_CLASS(dev)->write(dev, addr, reg, val);
    }
}

uint16_t mdio_bus_read45(MdioBus *bus, unsigned addr, unsigned mmd,
                         unsigned reg)
{
    MdioDevice *dev = mdio_bus_find(bus, addr % MDIO_ADDRESSES);
    uint16_t val = MDIO_ABSENT;

    if (dev && MDIO_DEVICE_GET_CLASS(dev)->read45) {
        val = MDIO_DEVICE_GET_CLASS(dev)->read45(dev, addr % MDIO_ADDRESSES,
                                                 mmd, reg);
    }
    trace_mdio_read45(BUS(bus)->name, addr, mmd, reg, val);
    return val;
}

void mdio_bus_write45(MdioBus *bus, unsigned addr, unsigned mmd, unsigned reg,
                      uint16_t val)
{
    MdioDevice *dev = mdio_bus_find(bus, addr % MDIO_ADDRESSES);

    trace_mdio_write45(BUS(bus)->name, addr, mmd, reg, val);
    if (dev && MDIO_DEVICE_GET_CLASS(dev)->write45) {
        MDIO_DEVICE_GET_CLASS(dev)->write45(dev, addr % MDIO_ADDRESSES, mmd,
                                            reg, val);
    }
}

unsigned mdio_bus_state(MdioBus *bus)
{
    unsigned state = 0;
    BusChild *kid;

    QTAILQ_FOREACH(kid, &bus->parent_obj.children, sibling) {
        MdioDeviceClass *mdc = MDIO_DEVICE_GET_CLASS(kid->child);

        if (kid->child->realized && mdc->state) {
            state |= mdc->state(MDIO_DEVICE(kid->child));
        }
    }
    return state;
}

/*
 * The name under which a device's state migrates: the MAC's name and the port
 * address, so that it does not hang on the order of creation.
 */
static char *mdio_bus_dev_path(DeviceState *dev)
{
    MdioDevice *mdio = MDIO_DEVICE(dev);
    uint32_t addresses = MDIO_DEVICE_GET_CLASS(mdio)->addresses(mdio);
    BusState *bus = dev->parent_bus;
    g_autofree char *parent = qdev_get_dev_path(bus->parent);

    if (!parent) {
        parent = object_get_canonical_path(OBJECT(bus->parent));
    }
    return g_strdup_printf("%s/%s@%d", parent, bus->name, ctz32(addresses));
}

static void mdio_device_realize(DeviceState *d, Error **errp)
{
    ERRP_GUARD();
    MdioDevice *dev = MDIO_DEVICE(d);
    MdioDeviceClass *mdc = MDIO_DEVICE_GET_CLASS(dev);
    uint32_t mine;
    BusChild *kid;

    if (mdc->realize) {
        mdc->realize(d, errp);
        if (*errp) {
            return;
        }
    }
    mine = mdc->addresses(dev);
    QTAILQ_FOREACH(kid, &d->parent_bus->children, sibling) {
        MdioDevice *other = MDIO_DEVICE(kid->child);
        uint32_t both;

        if (other == dev || !kid->child->realized) {
            continue;
        }
        both = mine & MDIO_DEVICE_GET_CLASS(other)->addresses(other);
        if (both) {
            error_setg(errp, "MDIO address %d of %s is taken by %s",
                       ctz32(both), object_get_typename(OBJECT(dev)),
                       object_get_typename(OBJECT(other)));
            return;
        }
    }
}

static void mdio_bus_class_init(ObjectClass *klass, void *data)
{
    BusClass *bc = BUS_CLASS(klass);

    bc->get_dev_path = mdio_bus_dev_path;
}

static void mdio_device_class_init(ObjectClass *klass, void *data)
{
    DeviceClass *dc = DEVICE_CLASS(klass);

    dc->bus_type = TYPE_MDIO_BUS;
    dc->realize = mdio_device_realize;
    set_bit(DEVICE_CATEGORY_NETWORK, dc->categories);
}

static const TypeInfo mdio_types[] = {
    {
        .name = TYPE_MDIO_BUS,
        .parent = TYPE_BUS,
        .instance_size = sizeof(MdioBus),
        .class_init = mdio_bus_class_init,
    },
    {
        .name = TYPE_MDIO_DEVICE,
        .parent = TYPE_DEVICE,
        .instance_size = sizeof(MdioDevice),
        .class_size = sizeof(MdioDeviceClass),
        .class_init = mdio_device_class_init,
        .abstract = true,
    },
};

DEFINE_TYPES(mdio_types)
