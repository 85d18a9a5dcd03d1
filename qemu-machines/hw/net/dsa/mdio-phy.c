// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Clause 22 gigabit copper PHY (IEEE 802.3 clauses 22, 28 and 40).
 *
 * The far end of the cable is three properties: is there a link, and the best
 * speed and duplex that the far end can do.  It autonegotiates, offers every
 * mode up to that best one and both pause bits, and parallel-detects when our
 * side is forced.  What both ends settle on is computed when asked, never
 * stored; only the latching bits and the guest's own settings are state.
 *
 * Register numbers, bits and defaults: 802.3 clause 22.2.4 and tables 28-9 and
 * 40-3; Linux has the same names in include/uapi/linux/mii.h.
 *
 * Left out: time (reset and autonegotiation are over before the write that
 * starts them returns, so BMCR reset and restart always read 0), next pages
 * and remote fault, most of the MMDs' registers (only identity, link and EEE are
 * there; the others read 0), the collision test, master/slave arbitration by seed
 * (we are slave unless forced to be master).
 *
 * The MMDs are behind registers 13 and 14 and, with property c45, answer clause 45
 * frames as well.
 *
 * EEE (property eee): both ends can do it at 100 and 1000 Mb/s, full duplex.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qapi/visitor.h"
#include "qemu/module.h"
#include "hw/irq.h"
#include "hw/qdev-properties.h"
#include "hw/resettable.h"
#include "migration/vmstate.h"
#include "hw/net/mdio-phy.h"
#include "phy-regs.h"
#include "trace.h"

/* An id of OUI 52:54:00 (locally administered), so no vendor driver binds. */
#define MDIO_PHY_GENERIC_ID 0x49500010

/* Modes in the order of autonegotiation's priority (802.3 annex 28B.3). */
static const struct {
    MdioPhyMode mode;
    bool gigabit;        /* offered in CTRL1000, not in ADVERTISE */
    uint16_t offer;      /* bit of ours in that register */
    uint16_t far;        /* bit of the far end in STAT1000 or LPA */
} modes[] = {
    { { 1000, true },  true,  CTRL1000_FULL, STAT1000_FULL },
    { { 1000, false }, true,  CTRL1000_HALF, STAT1000_HALF },
    { { 100, true },   false, ADV_100FULL,   ADV_100FULL },
    { { 100, false },  false, ADV_100HALF,   ADV_100HALF },
    { { 10, true },    false, ADV_10FULL,    ADV_10FULL },
    { { 10, false },   false, ADV_10HALF,    ADV_10HALF },
};

static const QEnumLookup duplex_lookup = {
    .array = (const char *const[]) {
        [MDIO_PHY_DUPLEX_HALF] = "half",
        [MDIO_PHY_DUPLEX_FULL] = "full",
    },
    .size = MDIO_PHY_DUPLEX__MAX,
};

static bool far_end_can(MdioPhy *s, const MdioPhyMode *mode)
{
    return mode->speed <= s->speed &&
           (!mode->full_duplex || s->duplex == MDIO_PHY_DUPLEX_FULL);
}

static bool we_offer(MdioPhy *s, unsigned i)
{
    return (modes[i].gigabit ? s->ctrl1000 : s->advertise) & modes[i].offer;
}

static MdioPhyMode forced_mode(MdioPhy *s)
{
    MdioPhyMode mode = { .full_duplex = s->bmcr & BMCR_FULL_DUPLEX };

    mode.speed = s->bmcr & BMCR_SPEED_1000 ? 1000 :
                 s->bmcr & BMCR_SPEED_100 ? 100 : 10;
    return mode;
}

/* What autonegotiation ends with; speed 0 when there is nothing in common. */
static MdioPhyMode negotiated_mode(MdioPhy *s)
{
    unsigned i;

    for (i = 0; i < ARRAY_SIZE(modes); i++) {
        if (we_offer(s, i) && far_end_can(s, &modes[i].mode)) {
            return modes[i].mode;
        }
    }
    return (MdioPhyMode) { 0 };
}

MdioPhyMode mdio_phy_mode(MdioPhy *s)
{
    return s->bmcr & BMCR_AN_ENABLE ? negotiated_mode(s) : forced_mode(s);
}

/* Forced against an autonegotiating end: the speed must fit, duplex may not. */
static bool forced_link(MdioPhy *s)
{
    return forced_mode(s).speed <= s->speed;
}

bool mdio_phy_link_up(MdioPhy *s)
{
    if (s->bmcr & BMCR_POWER_DOWN) {
        return false;
    }
    if (s->bmcr & BMCR_LOOPBACK) {
        return true;
    }
    if (!s->link) {
        return false;
    }
    return s->bmcr & BMCR_AN_ENABLE ? negotiated_mode(s).speed != 0 :
                                      forced_link(s);
}

/*
 * Call after anything that may have moved the link; @restart: the link was
 * taken down in between even if it is up again.
 */
static void mdio_phy_update(MdioPhy *s, bool restart)
{
    MdioPhyClass *pc = MDIO_PHY_GET_CLASS(s);
    bool up = mdio_phy_link_up(s);
    MdioPhyMode mode = mdio_phy_mode(s);
    g_autofree char *path = NULL;

    if (up == s->up && !restart) {
        return;
    }
    s->went_down |= s->up;
    s->page_received |= up && (s->bmcr & BMCR_AN_ENABLE);
    s->up = up;
    if (trace_event_get_state_backends(TRACE_MDIO_PHY_LINK)) {
        path = object_get_canonical_path(OBJECT(s));
        trace_mdio_phy_link(path, up, mode.speed,
                            mode.full_duplex ? "full" : "half");
    }
    if (pc->link_changed) {
        pc->link_changed(s);
    }
}

static bool negotiated(MdioPhy *s)
{
    return s->up && (s->bmcr & BMCR_AN_ENABLE) && !(s->bmcr & BMCR_LOOPBACK);
}

static uint16_t read_bmsr(MdioPhy *s)
{
    uint16_t val = BMSR_ABILITIES;

    val |= s->up && !s->went_down ? BMSR_LINK : 0;
    val |= negotiated(s) ? BMSR_AN_COMPLETE : 0;
    s->went_down = false;
    return val;
}

/* The far end's offer among the modes of one register. */
static uint16_t far_offer(MdioPhy *s, bool gigabit)
{
    uint16_t val = 0;
    unsigned i;

    for (i = 0; i < ARRAY_SIZE(modes); i++) {
        if (modes[i].gigabit == gigabit && far_end_can(s, &modes[i].mode)) {
            val |= modes[i].far;
        }
    }
    return val;
}

static uint16_t read_lpa(MdioPhy *s)
{
    if (!negotiated(s)) {
        return 0;
    }
    return ADV_SELECTOR_8023 | ADV_PAUSE | ADV_PAUSE_ASYM | LPA_ACK |
           far_offer(s, false);
}

static uint16_t read_expansion(MdioPhy *s)
{
    uint16_t val = EXPANSION_NEXT_PAGE_ABLE;

    if (negotiated(s)) {
        val |= EXPANSION_FAR_AN_ABLE;
        val |= s->speed == 1000 ? EXPANSION_FAR_NEXT_PAGE_ABLE : 0;
    }
    val |= s->page_received ? EXPANSION_PAGE_RECEIVED : 0;
    s->page_received = false;
    return val;
}

static uint16_t read_stat1000(MdioPhy *s)
{
    uint16_t val = 0;

    if (!s->up) {
        return 0;
    }
    if (mdio_phy_mode(s).speed == 1000) {
        val |= STAT1000_LOCAL_RX_OK | STAT1000_FAR_RX_OK;
        val |= (s->ctrl1000 & CTRL1000_MASTER_ENABLE) &&
               (s->ctrl1000 & CTRL1000_MASTER) ? STAT1000_MASTER : 0;
    }
    return negotiated(s) ? val | far_offer(s, true) : val;
}

/* An MMD's register; each of the three has what all MMDs have in 2 to 6. */
static uint16_t mmd_get(MdioPhy *s, unsigned mmd, unsigned reg)
{
    if (mmd != MMD_PMA && mmd != MMD_PCS && mmd != MMD_AN) {
        return 0;
    }
    switch (reg) {
    case MMD_ID1:
        return s->id >> 16;
    case MMD_ID2:
        return s->id & 0xffff;
    case MMD_DEVICES:
        return MMD_DEVICES_C22 | 1 << MMD_PMA | 1 << MMD_PCS | 1 << MMD_AN;
    case MMD_STATUS:
        return read_bmsr(s) & (BMSR_LINK | (mmd == MMD_AN ? BMSR_AN_COMPLETE |
                                                            BMSR_AN_ABLE : 0));
    case MMD_PCS_EEE_ABLE:
        return s->eee && mmd == MMD_PCS ? EEE_MODES : 0;
    case MMD_AN_EEE_ADV:
        return s->eee && mmd == MMD_AN ? s->eee_adv : 0;
    case MMD_AN_EEE_LPA:
        return s->eee && mmd == MMD_AN && negotiated(s) &&
               s->duplex == MDIO_PHY_DUPLEX_FULL ? EEE_MODES : 0;
    }
    return 0;
}

static void mmd_set(MdioPhy *s, unsigned mmd, unsigned reg, uint16_t val)
{
    if (s->eee && mmd == MMD_AN && reg == MMD_AN_EEE_ADV) {
        s->eee_adv = val & EEE_MODES;
    }
}

static uint16_t mmd_read(MdioPhy *s)
{
    return s->mmd_ctrl & MMD_CTRL_FUNCTION ?
           mmd_get(s, s->mmd_ctrl & MMD_CTRL_DEVAD, s->mmd_addr) : s->mmd_addr;
}

static void mmd_write(MdioPhy *s, uint16_t val)
{
    if (s->mmd_ctrl & MMD_CTRL_FUNCTION) {
        mmd_set(s, s->mmd_ctrl & MMD_CTRL_DEVAD, s->mmd_addr, val);
    } else {
        s->mmd_addr = val;
    }
}

/* Registers 13/14 address an MMD; the function bits say who increments. */
static uint16_t mmd_access(MdioPhy *s, bool write, uint16_t val)
{
    unsigned function = s->mmd_ctrl & MMD_CTRL_FUNCTION;

    if (write) {
        mmd_write(s, val);
    } else {
        val = mmd_read(s);
    }
    if (function == MMD_CTRL_DATA_INC ||
        (function == MMD_CTRL_DATA_INC_WRITE && write)) {
        s->mmd_addr++;
    }
    return val;
}

uint16_t mdio_phy_read(MdioPhy *s, unsigned reg)
{
    switch (reg) {
    case PHY_BMCR:
        return s->bmcr;
    case PHY_BMSR:
        return read_bmsr(s);
    case PHY_ID1:
        return s->id >> 16;
    case PHY_ID2:
        return s->id & 0xffff;
    case PHY_ADVERTISE:
        return s->advertise;
    case PHY_LPA:
        return read_lpa(s);
    case PHY_EXPANSION:
        return read_expansion(s);
    case PHY_NEXT_PAGE:
        return s->np_advertise;
    case PHY_CTRL1000:
        return s->ctrl1000;
    case PHY_STAT1000:
        return read_stat1000(s);
    case PHY_MMD_CTRL:
        return s->mmd_ctrl;
    case PHY_MMD_DATA:
        return mmd_access(s, false, 0);
    case PHY_ESTATUS:
        return ESTATUS_1000T_FULL | ESTATUS_1000T_HALF;
    }
    return 0;
}

static void mdio_phy_defaults(MdioPhy *s)
{
    s->bmcr = BMCR_AN_ENABLE | BMCR_FULL_DUPLEX | BMCR_SPEED_1000;
    s->advertise = ADV_SELECTOR_8023 | ADV_10HALF | ADV_10FULL | ADV_100HALF |
                   ADV_100FULL;
    s->np_advertise = NEXT_PAGE_MESSAGE | NEXT_PAGE_NULL;
    s->ctrl1000 = CTRL1000_FULL | CTRL1000_HALF;
    s->mmd_ctrl = 0;
    s->mmd_addr = 0;
}

static void write_bmcr(MdioPhy *s, uint16_t val)
{
    uint16_t old = s->bmcr;

    if (val & BMCR_RESET) {
        g_autofree char *path = object_get_canonical_path(OBJECT(s));

        trace_mdio_phy_reset(path);
        mdio_phy_defaults(s);
        mdio_phy_update(s, true);
        return;
    }
    s->bmcr = val & BMCR_WRITABLE;
    mdio_phy_update(s, ((old ^ s->bmcr) & BMCR_MODE) ||
                       ((val & BMCR_AN_RESTART) && (val & BMCR_AN_ENABLE)));
}

void mdio_phy_write(MdioPhy *s, unsigned reg, uint16_t val)
{
    switch (reg) {
    case PHY_BMCR:
        write_bmcr(s, val);
        break;
    case PHY_ADVERTISE:
        /* like CTRL1000, it counts from the next restart on real silicon */
        s->advertise = val & ~LPA_ACK;
        mdio_phy_update(s, false);
        break;
    case PHY_NEXT_PAGE:
        s->np_advertise = val;
        break;
    case PHY_CTRL1000:
        s->ctrl1000 = val;
        mdio_phy_update(s, false);
        break;
    case PHY_MMD_CTRL:
        s->mmd_ctrl = val & (MMD_CTRL_FUNCTION | MMD_CTRL_DEVAD);
        break;
    case PHY_MMD_DATA:
        mmd_access(s, true, val);
        break;
    }
}

static uint32_t phy_addresses(MdioDevice *dev)
{
    return 1u << MDIO_PHY(dev)->address;
}

static uint16_t phy_read(MdioDevice *dev, unsigned addr, unsigned reg)
{
    return mdio_phy_read(MDIO_PHY(dev), reg);
}

static void phy_write(MdioDevice *dev, unsigned addr, unsigned reg,
                      uint16_t val)
{
    mdio_phy_write(MDIO_PHY(dev), reg, val);
}

/* A device without clause 45 is not there for its frames. */
static uint16_t phy_read45(MdioDevice *dev, unsigned addr, unsigned mmd,
                           unsigned reg)
{
    MdioPhy *s = MDIO_PHY(dev);

    return s->c45 ? mmd_get(s, mmd, reg) : MDIO_ABSENT;
}

static void phy_write45(MdioDevice *dev, unsigned addr, unsigned mmd,
                        unsigned reg, uint16_t val)
{
    MdioPhy *s = MDIO_PHY(dev);

    if (s->c45) {
        mmd_set(s, mmd, reg, val);
    }
}

static unsigned phy_state(MdioDevice *dev)
{
    MdioPhy *s = MDIO_PHY(dev);

    if (!s->up || (s->bmcr & BMCR_ISOLATE)) {
        return MDIO_STATE_LINK_DOWN;
    }
    return s->bmcr & BMCR_LOOPBACK ? MDIO_STATE_LOOPBACK : 0;
}

static void phy_realize(DeviceState *dev, Error **errp)
{
    MdioPhy *s = MDIO_PHY(dev);

    if (s->address >= MDIO_ADDRESSES) {
        error_setg(errp, "%s: address is %u, must be 0..%d",
                   object_get_typename(OBJECT(dev)), s->address,
                   MDIO_ADDRESSES - 1);
        return;
    }
    if (!s->id) {
        s->id = MDIO_PHY_GET_CLASS(s)->id;
    }
}

static void phy_reset_hold(Object *obj, ResetType type)
{
    MdioPhy *s = MDIO_PHY(obj);

    mdio_phy_defaults(s);
    s->eee_adv = s->eee ? EEE_MODES : 0;
    s->up = false;
    mdio_phy_update(s, true);
    s->went_down = false;
    s->page_received = false;
}

/* A property of the far end has changed. */
static void far_end_changed(MdioPhy *s, MdioPhyMode before)
{
    MdioPhyMode now;

    if (!DEVICE(s)->realized) {
        return;
    }
    now = mdio_phy_mode(s);
    mdio_phy_update(s, s->up && (now.speed != before.speed ||
                                 now.full_duplex != before.full_duplex));
}

static bool get_link(Object *obj, Error **errp)
{
    return MDIO_PHY(obj)->link;
}

static void set_link(Object *obj, bool value, Error **errp)
{
    MdioPhy *s = MDIO_PHY(obj);

    s->link = value;
    far_end_changed(s, mdio_phy_mode(s));
}

static int get_duplex(Object *obj, Error **errp)
{
    return MDIO_PHY(obj)->duplex;
}

static void set_duplex(Object *obj, int value, Error **errp)
{
    MdioPhy *s = MDIO_PHY(obj);
    MdioPhyMode before = mdio_phy_mode(s);

    s->duplex = value;
    far_end_changed(s, before);
}

static void get_speed(Object *obj, Visitor *v, const char *name, void *opaque,
                      Error **errp)
{
    visit_type_uint32(v, name, &MDIO_PHY(obj)->speed, errp);
}

static void set_speed(Object *obj, Visitor *v, const char *name, void *opaque,
                      Error **errp)
{
    MdioPhy *s = MDIO_PHY(obj);
    MdioPhyMode before = mdio_phy_mode(s);
    uint32_t speed;

    if (!visit_type_uint32(v, name, &speed, errp)) {
        return;
    }
    if (speed != 10 && speed != 100 && speed != 1000) {
        error_setg(errp, "%s: speed is %u, must be 10, 100 or 1000",
                   object_get_typename(obj), speed);
        return;
    }
    s->speed = speed;
    far_end_changed(s, before);
}

static void phy_init(Object *obj)
{
    MdioPhy *s = MDIO_PHY(obj);

    s->link = true;
    s->speed = 1000;
    s->duplex = MDIO_PHY_DUPLEX_FULL;
    qdev_init_gpio_out_named(DEVICE(obj), &s->irq, MDIO_PHY_INT, 1);
}

const VMStateDescription vmstate_mdio_phy = {
    .name = TYPE_MDIO_PHY,
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_BOOL(link, MdioPhy),
        VMSTATE_UINT32(speed, MdioPhy),
        VMSTATE_UINT8(duplex, MdioPhy),
        VMSTATE_UINT16(bmcr, MdioPhy),
        VMSTATE_UINT16(advertise, MdioPhy),
        VMSTATE_UINT16(np_advertise, MdioPhy),
        VMSTATE_UINT16(ctrl1000, MdioPhy),
        VMSTATE_UINT16(mmd_ctrl, MdioPhy),
        VMSTATE_UINT16(mmd_addr, MdioPhy),
        VMSTATE_UINT16(eee_adv, MdioPhy),
        VMSTATE_BOOL(up, MdioPhy),
        VMSTATE_BOOL(went_down, MdioPhy),
        VMSTATE_BOOL(page_received, MdioPhy),
        VMSTATE_END_OF_LIST()
    },
};

static const Property phy_properties[] = {
    DEFINE_PROP_UINT8("address", MdioPhy, address, 0),
    DEFINE_PROP_UINT32("id", MdioPhy, id, 0),
    DEFINE_PROP_BOOL("eee", MdioPhy, eee, false),
    DEFINE_PROP_BOOL("c45", MdioPhy, c45, false),
};

static void phy_class_properties(ObjectClass *klass)
{
    object_class_property_add_bool(klass, "link", get_link, set_link);
    object_class_property_set_description(klass, "link",
        "The cable is in and the far end is up");
    object_class_property_add_enum(klass, "duplex", "MdioPhyDuplex",
                                   &duplex_lookup, get_duplex, set_duplex);
    object_class_property_set_description(klass, "duplex",
        "Best duplex of the far end: full or half");
    object_class_property_add(klass, "speed", "uint32", get_speed, set_speed,
                              NULL, NULL);
    object_class_property_set_description(klass, "speed",
        "Best speed of the far end: 10, 100 or 1000");
}

static void phy_class_init(ObjectClass *klass, void *data)
{
    DeviceClass *dc = DEVICE_CLASS(klass);
    MdioDeviceClass *mdc = MDIO_DEVICE_CLASS(klass);

    dc->desc = "Clause 22 gigabit PHY";
    dc->vmsd = &vmstate_mdio_phy;
    device_class_set_props(dc, phy_properties);
    phy_class_properties(klass);
    RESETTABLE_CLASS(klass)->phases.hold = phy_reset_hold;
    mdc->realize = phy_realize;
    mdc->addresses = phy_addresses;
    mdc->read = phy_read;
    mdc->write = phy_write;
    mdc->read45 = phy_read45;
    mdc->write45 = phy_write45;
    mdc->state = phy_state;
    MDIO_PHY_CLASS(klass)->id = MDIO_PHY_GENERIC_ID;
}

static const TypeInfo mdio_phy_types[] = {
    {
        .name = TYPE_MDIO_PHY,
        .parent = TYPE_MDIO_DEVICE,
        .instance_size = sizeof(MdioPhy),
        .instance_init = phy_init,
        .class_size = sizeof(MdioPhyClass),
        .class_init = phy_class_init,
    },
};

DEFINE_TYPES(mdio_phy_types)
