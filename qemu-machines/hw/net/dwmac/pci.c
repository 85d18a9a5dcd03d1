// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * DesignWare MACs as PCI devices: what Linux's stmmac_pci binds to.
 *
 *   dwmac-gmac-pci  0700:1108  GMAC 3.x
 *   dwmac-qos-pci   16c3:7102  QoS 5.x ("GMAC5"), four queues each way
 *
 * The registers are BAR 0, the interrupt is pin A, DMA goes through the bus:
 * to where an IOMMU says, and nowhere while bus mastering is off.  stmmac_pci
 * looks for a PHY by itself, so one comes with the device (phy=off leaves the
 * MDIO bus, "mdio", to others): at address 0, where it looks for that of the
 * GMAC.
 *
 * Facts: the driver's table of identities (stmmac_pci.c of Linux 6.12); boards with other
 * identities (Intel, Loongson) have registers of their own around the MAC.
 *
 * Not here: MSI and power management capabilities, which that driver does not
 * ask for.  The models and their gaps: gmac.c, qos.c.
 */
#include "qemu/osdep.h"
#include "gmac.h"
#include "hw/net/dwmac.h"
#include "hw/net/mdio-phy.h"
#include "hw/pci/pci_device.h"
#include "hw/qdev-properties.h"
#include "migration/vmstate.h"
#include "mq.h"
#include "qapi/error.h"

#define VENDOR_STMMAC       0x0700
#define DEVICE_STMMAC       0x1108
#define VENDOR_SYNOPSYS     0x16c3
#define DEVICE_GMAC5        0x7102
#define GMAC5_QUEUES        4

OBJECT_DECLARE_TYPE(DwmacPci, DwmacPciClass, DWMAC_PCI)
OBJECT_DECLARE_SIMPLE_TYPE(DwmacGmacPci, DWMAC_GMAC_PCI)
OBJECT_DECLARE_SIMPLE_TYPE(DwmacQosPci, DWMAC_QOS_PCI)

struct DwmacPci {
    PCIDevice parent_obj;
    qemu_irq irq;
    bool phy;
    uint8_t phy_address;
};

struct DwmacPciClass {
    PCIDeviceClass parent_class;

    /* The core behind the bus; its register window, or NULL with an error. */
    MemoryRegion *(*realize)(DwmacPci *p, AddressSpace *as, Error **errp);
    void (*unrealize)(DwmacPci *p);
    void (*reset)(DwmacPci *p);
};

struct DwmacGmacPci {
    DwmacPci parent_obj;
    Gmac gmac;
};

struct DwmacQosPci {
    DwmacPci parent_obj;
    Mq mq;
};

/* ---- what both share ---- */

static bool add_phy(DwmacPci *p, Error **errp)
{
    DeviceState *dev = DEVICE(p), *phy = qdev_new(TYPE_MDIO_PHY);

    object_property_add_child(OBJECT(p), "phy0", OBJECT(phy));
    qdev_prop_set_uint8(phy, "address", p->phy_address);
    qdev_prop_set_bit(phy, "eee", true);
    return qdev_realize_and_unref(phy, qdev_get_child_bus(dev, "mdio"), errp);
}

static void dwmac_pci_realize(PCIDevice *pci, Error **errp)
{
    DwmacPci *p = DWMAC_PCI(pci);
    DwmacPciClass *klass = DWMAC_PCI_GET_CLASS(p);
    MemoryRegion *window;

    pci_config_set_interrupt_pin(pci->config, 1);
    p->irq = pci_allocate_irq(pci);
    window = klass->realize(p, pci_get_address_space(pci), errp);
    if (!window) {
        qemu_free_irq(p->irq);
        return;
    }
    pci_register_bar(pci, 0, PCI_BASE_ADDRESS_SPACE_MEMORY, window);
    if (p->phy && !add_phy(p, errp)) {
        klass->unrealize(p);
        qemu_free_irq(p->irq);
    }
}

static void dwmac_pci_exit(PCIDevice *pci)
{
    DwmacPci *p = DWMAC_PCI(pci);

    DWMAC_PCI_GET_CLASS(p)->unrealize(p);
    qemu_free_irq(p->irq);
}

static void dwmac_pci_reset(DeviceState *dev)
{
    DwmacPci *p = DWMAC_PCI(dev);

    DWMAC_PCI_GET_CLASS(p)->reset(p);
}

static const Property dwmac_pci_properties[] = {
    DEFINE_PROP_BOOL("phy", DwmacPci, phy, true),
    DEFINE_PROP_UINT8("phy-address", DwmacPci, phy_address, 0),
};

static void dwmac_pci_class_init(ObjectClass *klass, void *data)
{
    PCIDeviceClass *pc = PCI_DEVICE_CLASS(klass);
    DeviceClass *dc = DEVICE_CLASS(klass);

    pc->realize = dwmac_pci_realize;
    pc->exit = dwmac_pci_exit;
    pc->class_id = PCI_CLASS_NETWORK_ETHERNET;
    device_class_set_legacy_reset(dc, dwmac_pci_reset);
    device_class_set_props(dc, dwmac_pci_properties);
    set_bit(DEVICE_CATEGORY_NETWORK, dc->categories);
}

/* ---- GMAC ---- */

static void dwmac_gmac_pci_init(Object *obj)
{
    gmac_init(&DWMAC_GMAC_PCI(obj)->gmac, DEVICE(obj));
}

static MemoryRegion *gmac_pci_realize(DwmacPci *p, AddressSpace *as,
                                      Error **errp)
{
    Gmac *g = &DWMAC_GMAC_PCI(p)->gmac;

    g->irq = p->irq;
    return gmac_realize(g, as, errp) ? &g->mmio : NULL;
}

static void gmac_pci_unrealize(DwmacPci *p)
{
    gmac_unrealize(&DWMAC_GMAC_PCI(p)->gmac);
}

static void gmac_pci_reset(DwmacPci *p)
{
    gmac_reset(&DWMAC_GMAC_PCI(p)->gmac);
}

static const VMStateDescription vmstate_dwmac_gmac_pci = {
    .name = TYPE_DWMAC_GMAC_PCI,
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_PCI_DEVICE(parent_obj.parent_obj, DwmacGmacPci),
        VMSTATE_STRUCT(gmac, DwmacGmacPci, 1, vmstate_gmac, Gmac),
        VMSTATE_END_OF_LIST()
    }
};

static const Property dwmac_gmac_pci_properties[] = {
    GMAC_PROPERTIES(DwmacGmacPci, gmac),
};

static void dwmac_gmac_pci_class_init(ObjectClass *klass, void *data)
{
    DwmacPciClass *k = DWMAC_PCI_CLASS(klass);
    PCIDeviceClass *pc = PCI_DEVICE_CLASS(klass);
    DeviceClass *dc = DEVICE_CLASS(klass);

    dc->desc = "Synopsys DesignWare GMAC 3.x";
    dc->vmsd = &vmstate_dwmac_gmac_pci;
    pc->vendor_id = VENDOR_STMMAC;
    pc->device_id = DEVICE_STMMAC;
    k->realize = gmac_pci_realize;
    k->unrealize = gmac_pci_unrealize;
    k->reset = gmac_pci_reset;
    device_class_set_props(dc, dwmac_gmac_pci_properties);
}

/* ---- QoS ---- */

static void dwmac_qos_pci_init(Object *obj)
{
    Mq *m = &DWMAC_QOS_PCI(obj)->mq;

    mq_init(m, DEVICE(obj), &qos_gen);
    /* What the driver uses of it; -device can still say otherwise. */
    m->tx_queues = GMAC5_QUEUES;
    m->rx_queues = GMAC5_QUEUES;
}

static MemoryRegion *qos_pci_realize(DwmacPci *p, AddressSpace *as,
                                     Error **errp)
{
    Mq *m = &DWMAC_QOS_PCI(p)->mq;

    m->irq = p->irq;
    return mq_realize(m, as, errp) ? &m->mmio : NULL;
}

static void qos_pci_unrealize(DwmacPci *p)
{
    mq_unrealize(&DWMAC_QOS_PCI(p)->mq);
}

static void qos_pci_reset(DwmacPci *p)
{
    mq_reset(&DWMAC_QOS_PCI(p)->mq);
}

static const VMStateDescription vmstate_dwmac_qos_pci = {
    .name = TYPE_DWMAC_QOS_PCI,
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_PCI_DEVICE(parent_obj.parent_obj, DwmacQosPci),
        VMSTATE_STRUCT(mq, DwmacQosPci, 1, vmstate_mq, Mq),
        VMSTATE_END_OF_LIST()
    }
};

static const Property dwmac_qos_pci_properties[] = {
    QOS_PROPERTIES(DwmacQosPci, mq),
};

static void dwmac_qos_pci_class_init(ObjectClass *klass, void *data)
{
    DwmacPciClass *k = DWMAC_PCI_CLASS(klass);
    PCIDeviceClass *pc = PCI_DEVICE_CLASS(klass);
    DeviceClass *dc = DEVICE_CLASS(klass);

    dc->desc = "Synopsys DesignWare Ethernet QoS 5.x";
    dc->vmsd = &vmstate_dwmac_qos_pci;
    pc->vendor_id = VENDOR_SYNOPSYS;
    pc->device_id = DEVICE_GMAC5;
    k->realize = qos_pci_realize;
    k->unrealize = qos_pci_unrealize;
    k->reset = qos_pci_reset;
    device_class_set_props(dc, dwmac_qos_pci_properties);
}

static const TypeInfo dwmac_pci_types[] = {
    {
        .name = TYPE_DWMAC_PCI,
        .parent = TYPE_PCI_DEVICE,
        .instance_size = sizeof(DwmacPci),
        .class_size = sizeof(DwmacPciClass),
        .class_init = dwmac_pci_class_init,
        .abstract = true,
        .interfaces = (InterfaceInfo[]) {
            { INTERFACE_CONVENTIONAL_PCI_DEVICE },
            { }
        },
    }, {
        .name = TYPE_DWMAC_GMAC_PCI,
        .parent = TYPE_DWMAC_PCI,
        .instance_size = sizeof(DwmacGmacPci),
        .instance_init = dwmac_gmac_pci_init,
        .class_init = dwmac_gmac_pci_class_init,
    }, {
        .name = TYPE_DWMAC_QOS_PCI,
        .parent = TYPE_DWMAC_PCI,
        .instance_size = sizeof(DwmacQosPci),
        .instance_init = dwmac_qos_pci_init,
        .class_init = dwmac_qos_pci_class_init,
    },
};
DEFINE_TYPES(dwmac_pci_types)
