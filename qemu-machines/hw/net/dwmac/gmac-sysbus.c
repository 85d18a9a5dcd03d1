// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * DesignWare GMAC 3.x as a platform device.
 *
 * One register window, one interrupt ("macirq"), DMA to system memory, an
 * MDIO bus named "mdio".  The model and its gaps: gmac.c.
 */
#include "qemu/osdep.h"
#include "exec/address-spaces.h"
#include "gmac.h"
#include "hw/net/dwmac.h"
#include "hw/qdev-properties.h"
#include "hw/sysbus.h"
#include "migration/vmstate.h"
#include "qapi/error.h"

OBJECT_DECLARE_SIMPLE_TYPE(DwmacGmacState, DWMAC_GMAC)

struct DwmacGmacState {
    SysBusDevice parent_obj;
    Gmac gmac;
};

static void dwmac_gmac_init(Object *obj)
{
    gmac_init(&DWMAC_GMAC(obj)->gmac, DEVICE(obj));
}

static void dwmac_gmac_realize(DeviceState *dev, Error **errp)
{
    DwmacGmacState *s = DWMAC_GMAC(dev);

    if (!gmac_realize(&s->gmac, &address_space_memory, errp)) {
        return;
    }
    sysbus_init_mmio(SYS_BUS_DEVICE(dev), &s->gmac.mmio);
    sysbus_init_irq(SYS_BUS_DEVICE(dev), &s->gmac.irq);
}

static void dwmac_gmac_unrealize(DeviceState *dev)
{
    gmac_unrealize(&DWMAC_GMAC(dev)->gmac);
}

static void dwmac_gmac_reset(DeviceState *dev)
{
    gmac_reset(&DWMAC_GMAC(dev)->gmac);
}

static const VMStateDescription vmstate_dwmac_gmac = {
    .name = TYPE_DWMAC_GMAC,
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_STRUCT(gmac, DwmacGmacState, 1, vmstate_gmac, Gmac),
        VMSTATE_END_OF_LIST()
    }
};

static const Property dwmac_gmac_properties[] = {
    GMAC_PROPERTIES(DwmacGmacState, gmac),
};

static void dwmac_gmac_class_init(ObjectClass *klass, void *data)
{
    DeviceClass *dc = DEVICE_CLASS(klass);

    dc->desc = "Synopsys DesignWare GMAC 3.x";
    dc->realize = dwmac_gmac_realize;
    dc->unrealize = dwmac_gmac_unrealize;
    dc->vmsd = &vmstate_dwmac_gmac;
    device_class_set_legacy_reset(dc, dwmac_gmac_reset);
    device_class_set_props(dc, dwmac_gmac_properties);
    set_bit(DEVICE_CATEGORY_NETWORK, dc->categories);
}

static const TypeInfo dwmac_gmac_info = {
    .name = TYPE_DWMAC_GMAC,
    .parent = TYPE_SYS_BUS_DEVICE,
    .instance_size = sizeof(DwmacGmacState),
    .instance_init = dwmac_gmac_init,
    .class_init = dwmac_gmac_class_init,
};

static void dwmac_gmac_register(void)
{
    type_register_static(&dwmac_gmac_info);
}
type_init(dwmac_gmac_register)
