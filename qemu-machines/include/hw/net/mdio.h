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

    /*
     * The subclass's own realize: it validates its properties here, so that
     * @addresses can be asked when it has returned.
     */
    DeviceRealize realize;
    /* One bit per port address that the device answers. */
    uint32_t (*addresses)(MdioDevice *dev);
    uint16_t (*read)(MdioDevice *dev, unsigned addr, unsigned reg);
    void (*write)(MdioDevice *dev, unsigned addr, unsigned reg, uint16_t val);
    /* Clause 45; both may be NULL. */
    uint16_t (*read45)(MdioDevice *dev, unsigned addr, unsigned mmd,
                       unsigned reg);
    void (*write45)(MdioDevice *dev, unsigned addr, unsigned mmd,
                    unsigned reg, uint16_t val);
    /* What mdio_bus_state() asks; NULL: the device is no part of the path. */
    unsigned (*state)(MdioDevice *dev);
};

/* What the device does to the frames between the MAC's pins and the wire. */
#define MDIO_STATE_LINK_DOWN (1u << 0) /* nothing passes */
#define MDIO_STATE_LOOPBACK  (1u << 1) /* what the MAC sends comes back to it */

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

/*
 * What the devices on @bus do to the data path: the OR of MDIO_STATE_* over
 * all of them; 0 without any.  Cheap enough to ask per frame.
 */
unsigned mdio_bus_state(MdioBus *bus);

#endif
