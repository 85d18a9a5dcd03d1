// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stmmac-virt: QEMU's "virt" board with two DesignWare MACs and a switch.
 *
 * virt's own init runs first, then this file adds to what it left behind: the
 * MACs in the free window below virt's platform bus, their interrupts on
 * shared peripheral interrupts that virt does not use, and their nodes in the
 * machine's device tree (so it is for a kernel that takes one: -kernel).
 *
 *   gmac0  0x0b000000  SPI 80  the conduit; fixed link, the switch behind it
 *   gmac1  0x0b010000  SPI 81  plain; a PHY at address 1 of its MDIO bus
 *   switch             SPI 82  its interrupt pin
 *
 * Machine properties (-machine stmmac-virt,NAME=VALUE,...):
 *
 *   switch   mv88e6352 (default): that chip on gmac0's MDIO bus
 *            rig: no chip; a node "tagrig,dsa" for the guest's dsa_rig driver
 *            none: gmac0 with nothing but its fixed link
 *   ports    user ports lan0, lan1... of the switch (default 4)
 *   rig-tag  switch=rig: name of the tag protocol (default edsa)
 *   rig-index  switch=rig: index of the switch in its tree (default 0); a tag
 *            that names switches names this one
 *   wire0, wire1  id of the netdev that gmac0, gmac1 is connected to; without,
 *            the next -nic that names no other model, or nothing
 *   mac0, mac1    generation of the MAC (gmac, qos, xgmac)
 *
 * Options of a MAC are properties of its device and go to both MACs at once
 * with -global, e.g. -global dwmac-gmac.rx-coe=1; those of the chip likewise,
 * e.g. -global mv88e6352.address=16.  The devices are /machine/gmac0,
 * /machine/gmac1, /machine/switch0 and /machine/phy1: pull a cable with
 * qom-set /machine/switch0 port0-link false, or /machine/phy1 link false.
 *
 * Two things that a MAC can have before it:
 *
 *   a clock that is turned off   its property clock-gate: a "gpio-gate-clock"
 *            in the device tree, by output 0 or 1 of virt's GPIO controller.
 *            The driver turns it off whenever the interface is down
 *   an SMMU  virt's iommu=smmuv3 covers the MACs as well: their stream IDs are
 *            those of functions 1f.0 and 1f.1 of the PCI bus, which have to be
 *            free
 *
 * The PPS outputs of a QoS or XGMAC core are connected to its own inputs for
 * auxiliary snapshots.
 *
 * For runs that repeat, virt's dtb-randomness=off belongs on the command line.
 *
 * Left out: ACPI tables for these devices.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qapi/visitor.h"
#include "qemu/cutils.h"
#include "qemu/error-report.h"
#include "hw/arm/fdt.h"
#include "hw/arm/virt.h"
#include "hw/irq.h"
#include "hw/net/dwmac.h"
#include "hw/net/mdio-phy.h"
#include "hw/net/mv88e6xxx.h"
#include "hw/pci/pci.h"
#include "hw/pci/pci_bus.h"
#include "hw/qdev-properties.h"
#include "hw/sysbus.h"
#include "net/net.h"
#include "system/device_tree.h"

#define TYPE_STMMAC_VIRT MACHINE_TYPE_NAME("stmmac-virt")
OBJECT_DECLARE_SIMPLE_TYPE(StmmacVirt, STMMAC_VIRT)

#define MACS            2
#define MAC_BASE        0x0b000000
#define MAC_SPI         80
#define SWITCH_SPI      82
#define MAC_CLOCK_HZ    125000000
#define PTP_CLOCK_HZ    100000000
#define PHY1_ADDRESS    1
#define EEPROM_BYTES    512
/* on the PCI bus, as the SMMU counts its streams */
#define MAC_STREAM(n)   PCI_DEVFN(0x1f, n)
/* as far as a Marvell tag can count */
#define MAX_INDEX       31

typedef enum SwitchKind {
    SWITCH_MV88E6352,
    SWITCH_RIG,
    SWITCH_NONE,
    SWITCH__MAX,
} SwitchKind;

static const QEnumLookup switch_lookup = {
    .array = (const char *const[]) {
        [SWITCH_MV88E6352] = "mv88e6352",
        [SWITCH_RIG] = "rig",
        [SWITCH_NONE] = "none",
    },
    .size = SWITCH__MAX,
};

/* User ports that each kind can have; DSA itself stops at 12 ports. */
static const uint8_t max_ports[SWITCH__MAX] = {
    [SWITCH_MV88E6352] = MV88E6352_PHYS,
    [SWITCH_RIG] = 11,
    [SWITCH_NONE] = 255,
};

/* A generation of the MAC: how the device tree calls it, and its model. */
typedef struct MacKind {
    const char *name;
    const char *type;
    const char *compatible[3];
    bool queues;        /* the driver has to be told how many to use */
    uint8_t chip_address;   /* of the switch on MDIO; 0: where it likes */
} MacKind;

/*
 * An XGMAC below 2.20 has clause 22 for the first four MDIO addresses only: the
 * switch is strapped to one of them.  Of a QoS core dwmac-generic knows 4.10a and nothing newer; the version
 * register tells the rest.  The number of filter slots is only asked of what
 * also calls itself snps,dwmac.
 */
static const MacKind mac_kinds[] = {
    { "gmac", TYPE_DWMAC_GMAC, { "snps,dwmac-3.70a", "snps,dwmac" } },
    { "qos", TYPE_DWMAC_QOS,
      { "snps,dwmac-5.10a", "snps,dwmac-4.10a", "snps,dwmac" }, true },
    { "xgmac", TYPE_DWMAC_XGMAC, { "snps,dwxgmac-2.10", "snps,dwxgmac" },
      true, 2 },
};

struct StmmacVirt {
    VirtMachineState parent_obj;

    SwitchKind switch_kind;
    uint8_t ports;
    uint8_t rig_index;
    char *rig_tag;
    char *wire[MACS];
    const MacKind *mac_kind[MACS];

    DeviceState *mac[MACS];
    char *mac_node[MACS];
    DeviceState *chip;
};

/* virt's init, which ours runs first */
static void (*virt_init)(MachineState *machine);

static void *fdt_of(StmmacVirt *s)
{
    return MACHINE(s)->fdt;
}

/* Adds a node @name below @parent; the caller frees the path. */
static char *add_node(StmmacVirt *s, const char *parent, const char *name)
{
    char *path = g_strdup_printf("%s/%s", parent, name);

    qemu_fdt_add_subnode(fdt_of(s), path);
    return path;
}

/* As add_node(), for a node that has addressed children ("reg"). */
static char *add_bus_node(StmmacVirt *s, const char *parent, const char *name)
{
    char *path = add_node(s, parent, name);

    qemu_fdt_setprop_cell(fdt_of(s), path, "#address-cells", 1);
    qemu_fdt_setprop_cell(fdt_of(s), path, "#size-cells", 0);
    return path;
}

/* A child @name@@reg of such a node. */
static char *add_reg_node(StmmacVirt *s, const char *parent, const char *name,
                          unsigned reg)
{
    g_autofree char *unit = g_strdup_printf("%s@%x", name, reg);
    char *path = add_node(s, parent, unit);

    qemu_fdt_setprop_cell(fdt_of(s), path, "reg", reg);
    return path;
}

static uint32_t add_phandle(StmmacVirt *s, const char *path)
{
    uint32_t phandle = qemu_fdt_alloc_phandle(fdt_of(s));

    qemu_fdt_setprop_cell(fdt_of(s), path, "phandle", phandle);
    return phandle;
}

static void add_fixed_link(StmmacVirt *s, const char *parent)
{
    g_autofree char *path = add_node(s, parent, "fixed-link");

    qemu_fdt_setprop_cell(fdt_of(s), path, "speed", 1000);
    qemu_fdt_setprop(fdt_of(s), path, "full-duplex", NULL, 0);
}

static void add_interrupt(StmmacVirt *s, const char *path, unsigned spi)
{
    qemu_fdt_setprop_cell(fdt_of(s), path, "interrupt-parent",
                          VIRT_MACHINE(s)->gic_phandle);
    qemu_fdt_setprop_cells(fdt_of(s), path, "interrupts",
                           GIC_FDT_IRQ_TYPE_SPI, spi,
                           GIC_FDT_IRQ_FLAGS_LEVEL_HI);
}

static uint32_t add_clock(StmmacVirt *s, const char *name, uint32_t hz)
{
    g_autofree char *path = add_node(s, "", name);

    qemu_fdt_setprop_string(fdt_of(s), path, "compatible", "fixed-clock");
    qemu_fdt_setprop_cell(fdt_of(s), path, "#clock-cells", 0);
    qemu_fdt_setprop_cell(fdt_of(s), path, "clock-frequency", hz);
    qemu_fdt_setprop_string(fdt_of(s), path, "clock-output-names", name);
    return add_phandle(s, path);
}

static bool has_gate(StmmacVirt *s, unsigned n)
{
    return object_property_get_bool(OBJECT(s->mac[n]), "clock-gate",
                                    &error_abort);
}

/* @clock, as far as MAC @n is let have it. */
static uint32_t add_gate(StmmacVirt *s, unsigned n, uint32_t clock)
{
    VirtMachineState *vms = VIRT_MACHINE(s);
    g_autofree char *gpio = g_strdup_printf("/pl061@%" HWADDR_PRIx,
                                            vms->memmap[VIRT_GPIO].base);
    g_autofree char *name = g_strdup_printf("gmac%u-gate", n);
    g_autofree char *path = NULL;

    if (!has_gate(s, n)) {
        return clock;
    }
    path = add_node(s, "", name);
    qemu_fdt_setprop_string(fdt_of(s), path, "compatible", "gpio-gate-clock");
    qemu_fdt_setprop_cell(fdt_of(s), path, "#clock-cells", 0);
    qemu_fdt_setprop_cell(fdt_of(s), path, "clocks", clock);
    qemu_fdt_setprop_cells(fdt_of(s), path, "enable-gpios",
                           qemu_fdt_get_phandle(fdt_of(s), gpio), n, 0);
    return add_phandle(s, path);
}

static void add_mac_address(StmmacVirt *s, unsigned n)
{
    g_autofree char *text = object_property_get_str(OBJECT(s->mac[n]), "mac",
                                                    &error_abort);
    uint8_t addr[6];

    if (sscanf(text, "%hhx:%hhx:%hhx:%hhx:%hhx:%hhx", &addr[0], &addr[1],
               &addr[2], &addr[3], &addr[4], &addr[5]) == 6) {
        qemu_fdt_setprop(fdt_of(s), s->mac_node[n], "local-mac-address", addr,
                         sizeof(addr));
    }
}

static uint64_t mac_option(StmmacVirt *s, unsigned n, const char *name)
{
    return object_property_get_uint(OBJECT(s->mac[n]), name, &error_abort);
}

/* One node for all queues of a direction, one below it for each. */
static void add_queues(StmmacVirt *s, unsigned n, const char *dir,
                       unsigned count)
{
    bool rx = !strcmp(dir, "rx");
    g_autofree char *name = g_strdup_printf("%s-queues-config", dir);
    g_autofree char *link = g_strdup_printf("snps,mtl-%s-config", dir);
    g_autofree char *use = g_strdup_printf("snps,%s-queues-to-use", dir);
    g_autofree char *node = add_node(s, s->mac_node[n], name);
    uint8_t coe = rx ? 0xff : mac_option(s, n, "tx-coe-queues");

    qemu_fdt_setprop_cell(fdt_of(s), node, use, count);
    qemu_fdt_setprop_cell(fdt_of(s), s->mac_node[n], link,
                          add_phandle(s, node));
    for (unsigned q = count; q-- > 0;) {
        g_autofree char *child = g_strdup_printf("queue%u", q);
        g_autofree char *path = add_node(s, node, child);

        qemu_fdt_setprop(fdt_of(s), path, "snps,dcb-algorithm", NULL, 0);
        if (rx) {
            qemu_fdt_setprop_cell(fdt_of(s), path,
                                  "snps,map-to-dma-channel", q);
        } else if (!(coe >> q & 1)) {
            qemu_fdt_setprop(fdt_of(s), path, "snps,coe-unsupported", NULL,
                             0);
        }
    }
}

/* What the address filter has, which the core does not say. */
static void describe_filter(StmmacVirt *s, unsigned n)
{
    qemu_fdt_setprop_cell(fdt_of(s), s->mac_node[n],
                          "snps,perfect-filter-entries",
                          mac_option(s, n, "addr-slots"));
    qemu_fdt_setprop_cell(fdt_of(s), s->mac_node[n],
                          "snps,multicast-filter-bins",
                          mac_option(s, n, "hash-bits"));
}

/* What the driver of a multi-queue core does not ask the core itself. */
static void describe_queues(StmmacVirt *s, unsigned n)
{
    if (object_property_get_bool(OBJECT(s->mac[n]), "tso", &error_abort)) {
        qemu_fdt_setprop(fdt_of(s), s->mac_node[n], "snps,tso", NULL, 0);
    }
    add_queues(s, n, "rx", mac_option(s, n, "rx-queues"));
    add_queues(s, n, "tx", mac_option(s, n, "tx-queues"));
}

static void add_mac_node(StmmacVirt *s, unsigned n, uint32_t mac_clock,
                         uint32_t ptp_clock)
{
    static const char clock_names[] = "stmmaceth\0ptp_ref";
    hwaddr base = MAC_BASE + n * DWMAC_WINDOW_SIZE;
    g_autofree char *name = g_strdup_printf("ethernet@%" HWADDR_PRIx, base);
    /* Linux numbers its MDIO buses so, and takes 1 for any MAC on PCI. */
    g_autofree char *alias = g_strdup_printf("ethernet%u", 2 * n);
    char *path = s->mac_node[n] = add_node(s, "", name);
    void *fdt = fdt_of(s);

    qemu_fdt_setprop_string_array(fdt, path, "compatible",
                                  (char **)s->mac_kind[n]->compatible,
                                  s->mac_kind[n]->compatible[2] ? 3 : 2);
    qemu_fdt_setprop_sized_cells(fdt, path, "reg", 2, base,
                                 2, DWMAC_WINDOW_SIZE);
    add_interrupt(s, path, MAC_SPI + n);
    qemu_fdt_setprop_string(fdt, path, "interrupt-names", "macirq");
    qemu_fdt_setprop_cells(fdt, path, "clocks", add_gate(s, n, mac_clock),
                           ptp_clock);
    qemu_fdt_setprop(fdt, path, "clock-names", clock_names,
                     sizeof(clock_names));
    qemu_fdt_setprop_cell(fdt, path, "tx-fifo-depth",
                          mac_option(s, n, "tx-fifo"));
    qemu_fdt_setprop_cell(fdt, path, "rx-fifo-depth",
                          mac_option(s, n, "rx-fifo"));
    if (VIRT_MACHINE(s)->iommu == VIRT_IOMMU_SMMUV3) {
        qemu_fdt_setprop_cells(fdt, path, "iommus",
                               VIRT_MACHINE(s)->iommu_phandle, MAC_STREAM(n));
    }
    add_mac_address(s, n);
    describe_filter(s, n);
    if (s->mac_kind[n]->queues) {
        describe_queues(s, n);
    }
    qemu_fdt_setprop_string(fdt, "/aliases", alias, path);
}

static char *add_mdio_node(StmmacVirt *s, const char *mac_node)
{
    char *path = add_bus_node(s, mac_node, "mdio");

    qemu_fdt_setprop_string(fdt_of(s), path, "compatible", "snps,dwmac-mdio");
    return path;
}

static uint32_t add_phy_node(StmmacVirt *s, const char *mdio, unsigned reg)
{
    g_autofree char *path = add_reg_node(s, mdio, "ethernet-phy", reg);

    return add_phandle(s, path);
}

/* gmac1: a MAC with its PHY. */
static void describe_plain(StmmacVirt *s, const char *node)
{
    g_autofree char *mdio = add_mdio_node(s, node);

    qemu_fdt_setprop_string(fdt_of(s), node, "phy-mode", "rgmii-id");
    qemu_fdt_setprop_cell(fdt_of(s), node, "phy-handle",
                          add_phy_node(s, mdio, PHY1_ADDRESS));
}

/* gmac0: wired to a switch or to nowhere, at a speed that nobody asks for. */
static uint32_t describe_conduit(StmmacVirt *s, const char *node)
{
    qemu_fdt_setprop_string(fdt_of(s), node, "phy-mode", "rgmii");
    add_fixed_link(s, node);
    return add_phandle(s, node);
}

static void add_cpu_port(StmmacVirt *s, const char *ports, unsigned reg,
                         uint32_t conduit)
{
    g_autofree char *port = add_reg_node(s, ports, "ethernet-port", reg);

    qemu_fdt_setprop_cell(fdt_of(s), port, "ethernet", conduit);
    qemu_fdt_setprop_string(fdt_of(s), port, "phy-mode", "rgmii-id");
    add_fixed_link(s, port);
}

static char *add_user_port(StmmacVirt *s, const char *ports, unsigned reg)
{
    g_autofree char *label = g_strdup_printf("lan%u", reg);
    char *port = add_reg_node(s, ports, "ethernet-port", reg);

    qemu_fdt_setprop_string(fdt_of(s), port, "label", label);
    qemu_fdt_setprop_string(fdt_of(s), port, "phy-mode", "internal");
    return port;
}

static void describe_mv88e6352(StmmacVirt *s, const char *mac, uint32_t conduit)
{
    unsigned address = object_property_get_uint(OBJECT(s->chip), "address",
                                                &error_abort);
    g_autofree char *mdio = add_mdio_node(s, mac);
    g_autofree char *chip = add_reg_node(s, mdio, "ethernet-switch", address);
    g_autofree char *phys = add_bus_node(s, chip, "mdio");
    g_autofree char *ports = add_bus_node(s, chip, "ethernet-ports");
    unsigned i;

    /* the compatible of the whole family; the driver asks the chip */
    qemu_fdt_setprop_string(fdt_of(s), chip, "compatible",
                            "marvell,mv88e6085");
    add_interrupt(s, chip, SWITCH_SPI);
    qemu_fdt_setprop(fdt_of(s), chip, "interrupt-controller", NULL, 0);
    qemu_fdt_setprop_cell(fdt_of(s), chip, "#interrupt-cells", 2);
    qemu_fdt_setprop_cell(fdt_of(s), chip, "eeprom-length", EEPROM_BYTES);
    add_cpu_port(s, ports, MV88E6352_CPU_PORT, conduit);
    for (i = s->ports; i-- > 0;) {
        g_autofree char *port = add_user_port(s, ports, i);

        qemu_fdt_setprop_cell(fdt_of(s), port, "phy-handle",
                              add_phy_node(s, phys, i));
    }
}

static void describe_rig(StmmacVirt *s, uint32_t conduit)
{
    g_autofree char *rig = add_node(s, "", "dsa-rig");
    g_autofree char *ports = add_bus_node(s, rig, "ethernet-ports");
    unsigned i;

    qemu_fdt_setprop_string(fdt_of(s), rig, "compatible", "tagrig,dsa");
    qemu_fdt_setprop_string(fdt_of(s), rig, "tag", s->rig_tag);
    qemu_fdt_setprop_cell(fdt_of(s), rig, "ports", s->ports);
    if (s->rig_index) {
        qemu_fdt_setprop_cells(fdt_of(s), rig, "dsa,member", 0, s->rig_index);
    }
    qemu_fdt_setprop_cell(fdt_of(s), rig, "ethernet", conduit);
    add_cpu_port(s, ports, s->ports, conduit);
    for (i = s->ports; i-- > 0;) {
        g_autofree char *port = add_user_port(s, ports, i);

        add_fixed_link(s, port);
    }
}

/* libfdt puts a new node before its siblings: what is first comes last. */
static void describe(StmmacVirt *s)
{
    uint32_t mac_clock = add_clock(s, "gmac-clk", MAC_CLOCK_HZ);
    uint32_t ptp_clock = add_clock(s, "gmac-ptp-clk", PTP_CLOCK_HZ);
    uint32_t conduit;
    unsigned n;

    for (n = MACS; n-- > 0;) {
        add_mac_node(s, n, mac_clock, ptp_clock);
    }
    describe_plain(s, s->mac_node[1]);
    conduit = describe_conduit(s, s->mac_node[0]);
    switch (s->switch_kind) {
    case SWITCH_MV88E6352:
        describe_mv88e6352(s, s->mac_node[0], conduit);
        break;
    case SWITCH_RIG:
        describe_rig(s, conduit);
        break;
    case SWITCH_NONE:
    case SWITCH__MAX:
        break;
    }
}

static void connect_wire(StmmacVirt *s, unsigned n)
{
    DeviceState *dev = s->mac[n];
    Error *err = NULL;

    if (!s->wire[n] || !*s->wire[n]) {
        qemu_configure_nic_device(dev, true, "dwmac");
        return;
    }
    if (!qemu_find_netdev(s->wire[n])) {
        error_report("stmmac-virt: wire%u: no -netdev has the id '%s'", n,
                     s->wire[n]);
        exit(EXIT_FAILURE);
    }
    if (!object_property_set_str(OBJECT(dev), "netdev", s->wire[n], &err)) {
        error_reportf_err(err, "stmmac-virt: wire%u: ", n);
        exit(EXIT_FAILURE);
    }
}

/* DMA of MAC @n goes through the SMMU, as that of a function of the bus. */
static void connect_smmu(StmmacVirt *s, unsigned n)
{
    PCIBus *bus = VIRT_MACHINE(s)->bus;
    AddressSpace *as = bus->iommu_ops->get_address_space(bus, bus->iommu_opaque,
                                                         MAC_STREAM(n));

    object_property_set_link(OBJECT(s->mac[n]), "dma", OBJECT(as->root),
                             &error_abort);
}

static void connect_gate(StmmacVirt *s, unsigned n)
{
    Object *gpio = object_resolve_path_type("", "pl061", NULL);

    if (!gpio) {
        error_report("stmmac-virt: clock-gate needs the GPIO controller of a "
                     "machine without firmware and without secure=on");
        exit(EXIT_FAILURE);
    }
    qdev_connect_gpio_out(DEVICE(gpio), n,
                          qdev_get_gpio_in_named(s->mac[n], "clock", 0));
}

/* A MAC's PPS outputs come back as its auxiliary snapshot inputs. */
static void connect_pps(DeviceState *dev)
{
    for (unsigned n = 0; n < DWMAC_PPS; n++) {
        qdev_connect_gpio_out_named(dev, "pps", n,
                                    qdev_get_gpio_in_named(dev, "aux-snapshot",
                                                           n));
    }
}

static void create_mac(StmmacVirt *s, unsigned n)
{
    g_autofree char *name = g_strdup_printf("gmac%u", n);
    DeviceState *dev = s->mac[n] = qdev_new(s->mac_kind[n]->type);
    SysBusDevice *sbd = SYS_BUS_DEVICE(dev);

    object_property_add_child(OBJECT(s), name, OBJECT(dev));
    connect_wire(s, n);
    if (VIRT_MACHINE(s)->iommu == VIRT_IOMMU_SMMUV3) {
        connect_smmu(s, n);
    }
    sysbus_realize_and_unref(sbd, &error_fatal);
    sysbus_mmio_map(sbd, 0, MAC_BASE + n * DWMAC_WINDOW_SIZE);
    sysbus_connect_irq(sbd, 0,
                       qdev_get_gpio_in(VIRT_MACHINE(s)->gic, MAC_SPI + n));
    if (has_gate(s, n)) {
        connect_gate(s, n);
    }
    if (s->mac_kind[n]->queues) {
        connect_pps(dev);
    }
}

/* Puts a device of @type on the MDIO bus of MAC @n. */
static DeviceState *create_on_mdio(StmmacVirt *s, unsigned n, const char *name,
                                   DeviceState *dev)
{
    object_property_add_child(OBJECT(s), name, OBJECT(dev));
    qdev_realize_and_unref(dev, qdev_get_child_bus(s->mac[n], "mdio"),
                           &error_fatal);
    return dev;
}

static void create_phy(StmmacVirt *s)
{
    DeviceState *dev = qdev_new(TYPE_MDIO_PHY);

    qdev_prop_set_uint8(dev, "address", PHY1_ADDRESS);
    qdev_prop_set_bit(dev, "eee", true);
    create_on_mdio(s, 1, "phy1", dev);
}

static void create_chip(StmmacVirt *s)
{
    DeviceState *dev = qdev_new(TYPE_MV88E6352);

    if (!object_property_get_uint(OBJECT(dev), "address", &error_abort)) {
        qdev_prop_set_uint8(dev, "address", s->mac_kind[0]->chip_address);
    }
    s->chip = create_on_mdio(s, 0, "switch0", dev);
    qdev_connect_gpio_out(s->chip, 0,
                          qdev_get_gpio_in(VIRT_MACHINE(s)->gic, SWITCH_SPI));
}

static void stmmac_virt_init(MachineState *machine)
{
    StmmacVirt *s = STMMAC_VIRT(machine);
    unsigned n;

    if (s->ports > max_ports[s->switch_kind]) {
        error_report("stmmac-virt: ports is %u, switch=%s has at most %u",
                     s->ports, qapi_enum_lookup(&switch_lookup, s->switch_kind),
                     max_ports[s->switch_kind]);
        exit(EXIT_FAILURE);
    }
    virt_init(machine);
    for (n = 0; n < MACS; n++) {
        create_mac(s, n);
    }
    create_phy(s);
    if (s->switch_kind == SWITCH_MV88E6352) {
        create_chip(s);
    }
    describe(s);
}

static int get_switch(Object *obj, Error **errp)
{
    return STMMAC_VIRT(obj)->switch_kind;
}

static void set_switch(Object *obj, int value, Error **errp)
{
    STMMAC_VIRT(obj)->switch_kind = value;
}

static void get_ports(Object *obj, Visitor *v, const char *name, void *opaque,
                      Error **errp)
{
    visit_type_uint8(v, name, &STMMAC_VIRT(obj)->ports, errp);
}

static void set_ports(Object *obj, Visitor *v, const char *name, void *opaque,
                      Error **errp)
{
    uint8_t ports;

    if (!visit_type_uint8(v, name, &ports, errp)) {
        return;
    }
    if (!ports) {
        error_setg(errp, "ports is 0, a switch has at least 1");
        return;
    }
    STMMAC_VIRT(obj)->ports = ports;
}

static void get_rig_index(Object *obj, Visitor *v, const char *name,
                          void *opaque, Error **errp)
{
    visit_type_uint8(v, name, &STMMAC_VIRT(obj)->rig_index, errp);
}

static void set_rig_index(Object *obj, Visitor *v, const char *name,
                          void *opaque, Error **errp)
{
    uint8_t index;

    if (!visit_type_uint8(v, name, &index, errp)) {
        return;
    }
    if (index > MAX_INDEX) {
        error_setg(errp, "rig-index is %u, a tree has switches 0 to %u", index,
                   MAX_INDEX);
        return;
    }
    STMMAC_VIRT(obj)->rig_index = index;
}

static char *get_rig_tag(Object *obj, Error **errp)
{
    return g_strdup(STMMAC_VIRT(obj)->rig_tag);
}

static void set_rig_tag(Object *obj, const char *value, Error **errp)
{
    StmmacVirt *s = STMMAC_VIRT(obj);

    g_free(s->rig_tag);
    s->rig_tag = g_strdup(value);
}

/* The properties that exist once for each MAC: which one, by its last digit. */
static unsigned mac_of(const char *property)
{
    return property[strlen(property) - 1] - '0';
}

static void get_wire(Object *obj, Visitor *v, const char *name, void *opaque,
                     Error **errp)
{
    char *value = STMMAC_VIRT(obj)->wire[mac_of(name)] ?: (char *)"";

    visit_type_str(v, name, &value, errp);
}

static void set_wire(Object *obj, Visitor *v, const char *name, void *opaque,
                     Error **errp)
{
    char **wire = &STMMAC_VIRT(obj)->wire[mac_of(name)];
    char *value;

    if (visit_type_str(v, name, &value, errp)) {
        g_free(*wire);
        *wire = value;
    }
}

static void get_mac_kind(Object *obj, Visitor *v, const char *name,
                         void *opaque, Error **errp)
{
    char *value = (char *)STMMAC_VIRT(obj)->mac_kind[mac_of(name)]->name;

    visit_type_str(v, name, &value, errp);
}

static void set_mac_kind(Object *obj, Visitor *v, const char *name,
                         void *opaque, Error **errp)
{
    g_autofree char *value = NULL;
    g_autoptr(GString) all = g_string_new("");
    unsigned i;

    if (!visit_type_str(v, name, &value, errp)) {
        return;
    }
    for (i = 0; i < ARRAY_SIZE(mac_kinds); i++) {
        if (!strcmp(mac_kinds[i].name, value)) {
            STMMAC_VIRT(obj)->mac_kind[mac_of(name)] = &mac_kinds[i];
            return;
        }
        g_string_append_printf(all, "%s%s", i ? ", " : "", mac_kinds[i].name);
    }
    error_setg(errp, "%s is '%s', not a generation of the MAC (%s)", name,
               value, all->str);
}

static void stmmac_virt_instance_init(Object *obj)
{
    StmmacVirt *s = STMMAC_VIRT(obj);
    unsigned n;

    s->switch_kind = SWITCH_MV88E6352;
    s->ports = 4;
    s->rig_tag = g_strdup("edsa");
    for (n = 0; n < MACS; n++) {
        s->mac_kind[n] = &mac_kinds[0];
    }
}

static void stmmac_virt_finalize(Object *obj)
{
    StmmacVirt *s = STMMAC_VIRT(obj);
    unsigned n;

    g_free(s->rig_tag);
    for (n = 0; n < MACS; n++) {
        g_free(s->wire[n]);
        g_free(s->mac_node[n]);
    }
}

static void add_mac_properties(ObjectClass *oc, unsigned n)
{
    g_autofree char *wire = g_strdup_printf("wire%u", n);
    g_autofree char *mac = g_strdup_printf("mac%u", n);

    object_class_property_add(oc, wire, "str", get_wire, set_wire, NULL, NULL);
    object_class_property_set_description(oc, wire,
        "Id of the netdev that the MAC is connected to");
    object_class_property_add(oc, mac, "str", get_mac_kind, set_mac_kind,
                              NULL, NULL);
    object_class_property_set_description(oc, mac,
        "Generation of the MAC: gmac, qos or xgmac");
}

static void stmmac_virt_class_init(ObjectClass *oc, void *data)
{
    MachineClass *mc = MACHINE_CLASS(oc);
    unsigned n;

    mc->desc = "ARM Virtual Machine with DesignWare MACs and a DSA switch";
    virt_init = mc->init;
    mc->init = stmmac_virt_init;
    /* keeps virt from giving every -nic to a virtio device */
    mc->default_nic = TYPE_DWMAC_GMAC;
    object_class_property_add_enum(oc, "switch", "StmmacVirtSwitch",
                                   &switch_lookup, get_switch, set_switch);
    object_class_property_set_description(oc, "switch",
        "What is behind gmac0: mv88e6352, rig or none");
    object_class_property_add(oc, "ports", "uint8", get_ports, set_ports,
                              NULL, NULL);
    object_class_property_set_description(oc, "ports",
        "Number of user ports of the switch");
    object_class_property_add(oc, "rig-index", "uint8", get_rig_index,
                              set_rig_index, NULL, NULL);
    object_class_property_set_description(oc, "rig-index",
        "Index of switch=rig in its tree");
    object_class_property_add_str(oc, "rig-tag", get_rig_tag, set_rig_tag);
    object_class_property_set_description(oc, "rig-tag",
        "Tag protocol of switch=rig");
    for (n = 0; n < MACS; n++) {
        add_mac_properties(oc, n);
    }
}

static const TypeInfo stmmac_virt_types[] = {
    {
        .name = TYPE_STMMAC_VIRT,
        .parent = TYPE_VIRT_MACHINE,
        .instance_size = sizeof(StmmacVirt),
        .instance_init = stmmac_virt_instance_init,
        .instance_finalize = stmmac_virt_finalize,
        .class_init = stmmac_virt_class_init,
    },
};

DEFINE_TYPES(stmmac_virt_types)
