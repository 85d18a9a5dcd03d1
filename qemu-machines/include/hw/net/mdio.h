/*
 * MDIO bus: what sits behind a MAC's station management pins.
 *
 * A MAC owns one MdioBus.  Devices (PHYs, switches) sit on it and say which of
 * the 32 port addresses they answer; an address that nobody answers reads
 * 0xffff, as the pull-up on a real MDIO line makes it, and swallows writes.
 *
 * Clause 22 frames carry (address, register); clause 45 frames (address, MMD,
 * register).  A device without the clause 45 hooks is absent to clause 45.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef HW_NET_MDIO_H
#define HW_NET_MDIO_H

#include "hw/qdev-core.h"
#include "qom/object.h"

#define TYPE_MDIO_BUS "mdio-bus"
OBJECT_DECLARE_SIMPLE_TYPE(MdioBus, MDIO_BUS)

#define TYPE_MDIO_DEVICE "mdio-device"
OBJECT_DECLARE_TYPE(MdioDevice, MdioDeviceClass, MDIO_DEVICE)

#define MDIO_ADDRESSES 32
#define MDIO_ABSENT    0xffff

struct MdioDeviceClass {
    DeviceClass parent_class;

    /* One bit per port address that the device answers. */
    uint32_t (*addresses)(MdioDevice *dev);
    uint16_t (*read)(MdioDevice *dev, unsigned addr, unsigned reg);
    void (*write)(MdioDevice *dev, unsigned addr, unsigned reg, uint16_t val);
    /* Clause 45; both may be NULL. */
    uint16_t (*read45)(MdioDevice *dev, unsigned addr, unsigned mmd,
                       unsigned reg);
    void (*write45)(MdioDevice *dev, unsigned addr, unsigned mmd,
                    unsigned reg, uint16_t val);
};

struct MdioDevice {
    DeviceState parent_obj;
};

struct MdioBus {
    BusState parent_obj;
};

/* A bus named @name below @parent (the MAC). */
MdioBus *mdio_bus_new(DeviceState *parent, const char *name);

uint16_t mdio_bus_read(MdioBus *bus, unsigned addr, unsigned reg);
void mdio_bus_write(MdioBus *bus, unsigned addr, unsigned reg, uint16_t val);
uint16_t mdio_bus_read45(MdioBus *bus, unsigned addr, unsigned mmd,
                         unsigned reg);
void mdio_bus_write45(MdioBus *bus, unsigned addr, unsigned mmd, unsigned reg,
                      uint16_t val);

#endif
