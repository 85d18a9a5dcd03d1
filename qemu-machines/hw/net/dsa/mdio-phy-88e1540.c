// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The copper PHY inside Marvell's gigabit switches (88E1540 and kin).
 *
 * Page 0 is a plain clause 22 PHY (mdio-phy.c) with Marvell's registers 16-19
 * beside it; register 22 selects the page on every page.  Page 1 is the fibre
 * side, which sees no light.  The rest is storage, with these answers in it:
 * the temperature sensor (page 6) says 45 degrees, and the cable test (page 7)
 * finishes at once with all pairs good, or open when there is no link.
 *
 * Facts: the driver in drivers/net/phy/marvell.c, which binds this id.
 *
 * Left out: pages above 7 (read 0; the errata writes there vanish), LEDs,
 * Wake-on-LAN, receive error counters (read 0), the amplitude graph of page 5,
 * the length measured by the cable test (0).
 */
#include "qemu/osdep.h"
#include "qemu/module.h"
#include "hw/irq.h"
#include "hw/resettable.h"
#include "migration/vmstate.h"
#include "hw/net/mdio-phy.h"
#include "phy-regs.h"

OBJECT_DECLARE_SIMPLE_TYPE(MdioPhy88e1540, MDIO_PHY_88E1540)

#define MDIO_PHY_88E1540_ID 0x01410eb1

#define PAGES           8
#define PAGE_COPPER     0
#define PAGE_FIBRE      1
#define PAGE_MISC       6
#define PAGE_CABLE_TEST 7

#define REG_STATUS      17 /* page 0 */
#define STATUS_SPEED_1000   0x8000
#define STATUS_SPEED_100    0x4000
#define STATUS_FULL_DUPLEX  0x2000
#define STATUS_RESOLVED     0x0800
#define STATUS_LINK         0x0400
#define REG_INT_ENABLE  18
#define REG_INT_STATUS  19
#define INT_SPEED           0x4000
#define INT_DUPLEX          0x2000
#define INT_PAGE_RECEIVED   0x1000
#define INT_AN_COMPLETE     0x0800
#define INT_LINK            0x0400
#define REG_PAGE        22

#define REG_MISC_TEST   26 /* page 6 */
#define MISC_TEST_THRESHOLD 0x1900 /* 100 degrees, in steps of 5 from -25 */
#define REG_TEMPERATURE 27
#define TEMPERATURE         (45 + 25)

#define REG_CABLE_RESULT 20 /* page 7 */
#define CABLE_ALL_GOOD      0x1111
#define CABLE_ALL_OPEN      0x2222
#define REG_CABLE_CTRL  21
#define CABLE_RUN           0xc000
#define CABLE_BUSY          0x0800

struct MdioPhy88e1540 {
    MdioPhy parent_obj;

    uint16_t page;
    uint16_t int_status;
    uint16_t ext[PAGES][32]; /* what the guest wrote and nothing acts upon */
};

static void update_int(MdioPhy88e1540 *s)
{
    qemu_set_irq(MDIO_PHY(s)->irq,
                 (s->int_status & s->ext[PAGE_COPPER][REG_INT_ENABLE]) != 0);
}

/* Changes latch whether enabled or not; reading REG_INT_STATUS clears them. */
static void link_changed(MdioPhy *phy)
{
    MdioPhy88e1540 *s = MDIO_PHY_88E1540(phy);

    s->int_status |= INT_LINK | INT_SPEED | INT_DUPLEX;
    if (phy->up && (phy->bmcr & BMCR_AN_ENABLE)) {
        s->int_status |= INT_AN_COMPLETE | INT_PAGE_RECEIVED;
    }
    update_int(s);
}

static uint16_t read_status(MdioPhy *phy)
{
    MdioPhyMode mode = mdio_phy_mode(phy);
    uint16_t val = 0;

    if (!phy->up) {
        return phy->bmcr & BMCR_AN_ENABLE ? 0 : STATUS_RESOLVED;
    }
    val |= STATUS_LINK | STATUS_RESOLVED;
    val |= mode.speed == 1000 ? STATUS_SPEED_1000 :
           mode.speed == 100 ? STATUS_SPEED_100 : 0;
    val |= mode.full_duplex ? STATUS_FULL_DUPLEX : 0;
    return val;
}

static uint16_t read_copper(MdioPhy88e1540 *s, unsigned reg)
{
    uint16_t val;

    if (reg < 16) {
        return mdio_phy_read(MDIO_PHY(s), reg);
    }
    switch (reg) {
    case REG_STATUS:
        return read_status(MDIO_PHY(s));
    case REG_INT_STATUS:
        val = s->int_status;
        s->int_status = 0;
        update_int(s);
        return val;
    }
    return s->ext[PAGE_COPPER][reg];
}

static uint16_t read_fibre(MdioPhy88e1540 *s, unsigned reg)
{
    switch (reg) {
    case PHY_BMSR:
        return BMSR_EXTENDED_STATUS | BMSR_NO_PREAMBLE | BMSR_AN_ABLE |
               BMSR_EXTENDED_REGS;
    case PHY_ID1:
    case PHY_ID2:
        return mdio_phy_read(MDIO_PHY(s), reg);
    case REG_STATUS:
        return 0;
    }
    return s->ext[PAGE_FIBRE][reg];
}

static uint16_t marvell_read(MdioDevice *dev, unsigned addr, unsigned reg)
{
    MdioPhy88e1540 *s = MDIO_PHY_88E1540(dev);

    if (reg == REG_PAGE) {
        return s->page;
    }
    if (s->page == PAGE_COPPER) {
        return read_copper(s, reg);
    }
    if (s->page == PAGE_FIBRE) {
        return read_fibre(s, reg);
    }
    if (s->page == PAGE_MISC && reg == REG_TEMPERATURE) {
        return TEMPERATURE;
    }
    if (s->page == PAGE_CABLE_TEST && reg == REG_CABLE_RESULT) {
        return MDIO_PHY(s)->link ? CABLE_ALL_GOOD : CABLE_ALL_OPEN;
    }
    return s->page < PAGES ? s->ext[s->page][reg] : 0;
}

static void marvell_write(MdioDevice *dev, unsigned addr, unsigned reg,
                          uint16_t val)
{
    MdioPhy88e1540 *s = MDIO_PHY_88E1540(dev);

    if (reg == REG_PAGE) {
        s->page = val & 0xff;
        return;
    }
    if (s->page == PAGE_COPPER && reg < 16) {
        mdio_phy_write(MDIO_PHY(s), reg, val);
        return;
    }
    if (s->page >= PAGES) {
        return;
    }
    if (s->page == PAGE_CABLE_TEST && reg == REG_CABLE_CTRL) {
        val &= ~(CABLE_RUN | CABLE_BUSY);
    }
    if (s->page == PAGE_FIBRE && reg == PHY_BMCR) {
        val &= BMCR_WRITABLE;
    }
    s->ext[s->page][reg] = val;
    update_int(s);
}

static void marvell_reset_hold(Object *obj, ResetType type)
{
    MdioPhy88e1540 *s = MDIO_PHY_88E1540(obj);
    ResettableClass *parent =
        RESETTABLE_CLASS(object_class_by_name(TYPE_MDIO_PHY));

    memset(s->ext, 0, sizeof(s->ext));
    s->ext[PAGE_FIBRE][PHY_BMCR] = BMCR_AN_ENABLE | BMCR_FULL_DUPLEX |
                                   BMCR_SPEED_1000;
    s->ext[PAGE_MISC][REG_MISC_TEST] = MISC_TEST_THRESHOLD;
    s->page = PAGE_COPPER;
    parent->phases.hold(obj, type);
    s->int_status = 0;
    update_int(s);
}

static const VMStateDescription vmstate_88e1540 = {
    .name = TYPE_MDIO_PHY_88E1540,
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_STRUCT(parent_obj, MdioPhy88e1540, 1, vmstate_mdio_phy,
                       MdioPhy),
        VMSTATE_UINT16(page, MdioPhy88e1540),
        VMSTATE_UINT16(int_status, MdioPhy88e1540),
        VMSTATE_UINT16_2DARRAY(ext, MdioPhy88e1540, PAGES, 32),
        VMSTATE_END_OF_LIST()
    },
};

static void marvell_class_init(ObjectClass *klass, void *data)
{
    DeviceClass *dc = DEVICE_CLASS(klass);
    MdioDeviceClass *mdc = MDIO_DEVICE_CLASS(klass);

    dc->desc = "Marvell 88E1540 gigabit PHY";
    dc->vmsd = &vmstate_88e1540;
    RESETTABLE_CLASS(klass)->phases.hold = marvell_reset_hold;
    mdc->read = marvell_read;
    mdc->write = marvell_write;
    MDIO_PHY_CLASS(klass)->id = MDIO_PHY_88E1540_ID;
    MDIO_PHY_CLASS(klass)->link_changed = link_changed;
}

static const TypeInfo marvell_types[] = {
    {
        .name = TYPE_MDIO_PHY_88E1540,
        .parent = TYPE_MDIO_PHY,
        .instance_size = sizeof(MdioPhy88e1540),
        .class_init = marvell_class_init,
    },
};

DEFINE_TYPES(marvell_types)
