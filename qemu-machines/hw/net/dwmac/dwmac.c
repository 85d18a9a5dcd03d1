// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * DesignWare Ethernet MAC: what all generations share.
 *
 * What it is: the network client with back-pressure in both directions, and
 * the MDIO master with a busy time.
 *
 * Frames on QEMU's wire carry no FCS.  A frame for which a front end has no
 * descriptor is kept by the network layer: drivers of GMAC refill their ring
 * without telling the MAC (dwmac1000 up to Linux 6.x writes no receive poll
 * demand), and hardware looks at the ring when the next frame comes in.  Here
 * a timer in virtual time and the front end's register writes do that, so
 * nothing is lost that a FIFO of any size would not have lost.
 *
 * A driver says for each frame that there is something to send, and asks for
 * each to be told when it has left: a run of the rings for each such demand is an
 * interrupt a frame (make bench-nic counts what that costs).  With the property
 * tx-gather-ns, demands that come close together wait for each other, so long at
 * most, and TX_GATHER_MAX of them; one that comes alone is met at once.  It is
 * 0 unless somebody asks: completions that come late let the guest's queues grow,
 * and on a busy host a guest has dropped a frame over it.
 *
 * Backends that make frames of their own (user network, tap) pad them for us;
 * what comes over a socket comes as it is, and a runt there is a runt here.
 *
 * A clock that can be turned off (property clock-gate) is that of the register
 * interface only: what a bus makes of an access to a MAC without it, an error,
 * is all that is modelled.  Drivers stop the DMA before they turn it off.
 *
 * Faults on purpose are counters here, which a front end asks where they belong
 * (dwmac_fault()).
 *
 * Not here: link speed and duplex (the wire is as fast as its peer), half
 * duplex and collisions.
 */
#include "qemu/osdep.h"
#include <zlib.h>
#include "dwmac.h"
#include "hw/irq.h"
#include "hw/qdev-properties.h"
#include "migration/vmstate.h"
#include "mmc.h"
#include "pmt.h"
#include "ptp.h"
#include "system/dma.h"
#include "system/runstate.h"
#include "trace.h"

#define RX_BACKOFF_MIN_US 50
#define RX_BACKOFF_MAX_US 10000

#define TX_GATHER_MAX 8     /* demands */

bool dwmac_core_running(void)
{
    return runstate_is_running();
}

static void tx_done(NetClientState *nc, ssize_t len)
{
    DwmacCore *core = qemu_get_nic_opaque(nc);

    core->tx_blocked = false;
    core->ops->tx_resume(core);
}

bool dwmac_core_send(DwmacCore *core, const uint8_t *f, size_t len)
{
    NetClientState *nc = qemu_get_queue(core->nic);

    if (qemu_send_packet_async(nc, f, len, tx_done) == 0) {
        trace_dwmac_tx_blocked(core->name);
        core->tx_blocked = true;
    }
    return !core->tx_blocked;
}

static void tx_gathered(DwmacCore *core, int64_t now)
{
    core->tx_demands = 0;
    core->tx_demand_at = now;
}

bool dwmac_core_tx_demand(DwmacCore *core)
{
    int64_t now, gap;

    if (!core->tx_gather_ns) {
        return true;
    }
    now = qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);
    gap = now - core->tx_demand_at;
    if (gap >= core->tx_gather_ns || core->tx_demands + 1 >= TX_GATHER_MAX) {
        tx_gathered(core, now);
        return true;
    }
    if (!core->tx_demands++) {
        core->tx_demand_at = now;
    }
    if (!timer_pending(core->tx_timer)) {
        timer_mod_ns(core->tx_timer, core->tx_demand_at + core->tx_gather_ns);
    }
    return false;
}

/* Armed for demands that may have been met since: those of now are younger. */
static void tx_timer_cb(void *opaque)
{
    DwmacCore *core = opaque;
    int64_t now = qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);

    if (!core->tx_demands) {
        return;
    }
    if (now - core->tx_demand_at < core->tx_gather_ns) {
        timer_mod_ns(core->tx_timer, core->tx_demand_at + core->tx_gather_ns);
        return;
    }
    tx_gathered(core, now);
    core->ops->tx_resume(core);
}

bool dwmac_cut_long(const uint8_t *f, size_t *len, size_t limit, uint8_t *tail,
                    unsigned *tail_len)
{
    if (*len + DWMAC_FCS_LEN <= limit) {
        return false;
    }
    if (*len < limit) {
        stl_le_p(tail, crc32(0, f, *len));
        *tail_len = limit - *len;
    }
    *len = MIN(*len, limit);
    return true;
}

void dwmac_core_verify(DwmacCore *core, bool on, const uint8_t *f, size_t len,
                       DwmacVerdict *v, CoeFrame *c)
{
    *c = (CoeFrame){ .flags = v->flags, .proto = v->proto };
    if (v->known) {
        return;
    }
    if (on) {
        coe_verify(f, len, c);
    }
    if (!(c->flags & COE_IP)) {
        c->flags &= ~(COE_HDR_ERR | COE_PAY_ERR);
    } else if (dwmac_fault(core, &core->fault.rx_csum, "checksum status")) {
        c->flags ^= COE_PAY_ERR;
    }
    *v = (DwmacVerdict){ .flags = c->flags, .proto = c->proto, .known = 1 };
}

static ssize_t nic_receive(NetClientState *nc, const uint8_t *f, size_t len)
{
    DwmacCore *core = qemu_get_nic_opaque(nc);

    return core->ops->receive(core, f, len);
}

static void nic_link_changed(NetClientState *nc)
{
    DwmacCore *core = qemu_get_nic_opaque(nc);

    core->ops->link_changed(core);
}

static NetClientInfo nic_info = {
    .type = NET_CLIENT_DRIVER_NIC,
    .size = sizeof(NICState),
    .receive = nic_receive,
    .link_status_changed = nic_link_changed,
};

void dwmac_core_rx_keep(DwmacCore *core)
{
    uint32_t us = core->rx_backoff_us;

    if (core->rx_kept) {
        return;
    }
    core->rx_kept = true;
    core->rx_backoff_us = MIN(us * 2, RX_BACKOFF_MAX_US);
    timer_mod(core->rx_timer, qemu_clock_get_us(QEMU_CLOCK_VIRTUAL) + us);
    trace_dwmac_rx_kept(core->name, us);
}

/* receive() sets rx_kept again if the frame still does not fit. */
static void rx_retry(DwmacCore *core)
{
    core->rx_kept = false;
    if (core->ops->rx_retry) {
        core->ops->rx_retry(core);
    }
    qemu_flush_queued_packets(qemu_get_queue(core->nic));
    if (!core->rx_kept) {
        core->rx_backoff_us = RX_BACKOFF_MIN_US;
        timer_del(core->rx_timer);
    }
}

static void rx_timer_cb(void *opaque)
{
    rx_retry(opaque);
}

void dwmac_core_rx_soon(DwmacCore *core)
{
    timer_mod(core->rx_timer, qemu_clock_get_us(QEMU_CLOCK_VIRTUAL));
}

void dwmac_core_rx_resume(DwmacCore *core)
{
    if (core->rx_kept) {
        rx_retry(core);
    }
}

static MemTxResult gate_read(void *opaque, hwaddr off, uint64_t *val,
                             unsigned size, MemTxAttrs attrs)
{
    DwmacCore *core = opaque;

    trace_dwmac_no_clock(core->name, "read", off);
    *val = 0;
    return MEMTX_ERROR;
}

static MemTxResult gate_write(void *opaque, hwaddr off, uint64_t val,
                              unsigned size, MemTxAttrs attrs)
{
    DwmacCore *core = opaque;

    trace_dwmac_no_clock(core->name, "write", off);
    return MEMTX_ERROR;
}

static const MemoryRegionOps gate_ops = {
    .read_with_attrs = gate_read,
    .write_with_attrs = gate_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = { .min_access_size = 1, .max_access_size = 8 },
    .impl = { .min_access_size = 1, .max_access_size = 8 },
};

void dwmac_core_gate(DwmacCore *core, MemoryRegion *mmio)
{
    if (!core->clock_gate) {
        return;
    }
    memory_region_init_io(&core->gate, OBJECT(core->dev), &gate_ops, core,
                          "dwmac-no-clock", memory_region_size(mmio));
    memory_region_add_subregion_overlap(mmio, 0, &core->gate, 1);
    core->clock_off = true;
}

static void clock_changed(void *opaque, int n, int level)
{
    DwmacCore *core = opaque;

    if (core->clock_gate) {
        core->clock_off = !level;
        memory_region_set_enabled(&core->gate, core->clock_off);
    }
}

bool dwmac_fault(DwmacCore *core, uint32_t *left, const char *what)
{
    if (!*left) {
        return false;
    }
    --*left;
    trace_dwmac_fault(core->name, what, *left);
    return true;
}

static void add_faults(DwmacCore *core, Object *obj)
{
    DwmacFault *f = &core->fault;
    const struct { const char *name; uint32_t *at; } props[] = {
        { "fault-writeback", &f->writeback },
        { "fault-bus-error", &f->bus_error },
        { "fault-rx-overflow", &f->rx_overflow },
        { "fault-rx-csum", &f->rx_csum },
        { "fault-stuck-busy", &f->stuck_busy },
        { "fault-stuck-reset", &f->stuck_reset },
        { "fault-late-tx-ns", &f->late_tx_ns },
    };

    for (int i = 0; i < ARRAY_SIZE(props); i++) {
        object_property_add_uint32_ptr(obj, props[i].name, props[i].at,
                                       OBJ_PROP_FLAG_READWRITE);
    }
}

/*
 * QEMU holds a device's guard while it is accessed and in guarded bottom halves,
 * but not in timers, where frames that had to wait are received.
 */
static bool dma(DwmacCore *core, uint64_t addr, void *buf, size_t len,
                DMADirection dir)
{
    MemReentrancyGuard *guard = &core->dev->mem_reentrancy_guard;
    bool engaged = guard->engaged_in_io;
    MemTxResult res;

    if (dwmac_fault(core, &core->fault.bus_error, "bus error")) {
        return false;
    }
    guard->engaged_in_io = true;
    res = dma_memory_rw(core->as, addr, buf, len, dir, MEMTXATTRS_UNSPECIFIED);
    guard->engaged_in_io = engaged;
    return res == MEMTX_OK;
}

bool dwmac_core_dma_read(DwmacCore *core, uint64_t addr, void *buf, size_t len)
{
    return dma(core, addr, buf, len, DMA_DIRECTION_TO_DEVICE);
}

bool dwmac_core_dma_write(DwmacCore *core, uint64_t addr, const void *buf,
                          size_t len)
{
    return dma(core, addr, (void *)buf, len, DMA_DIRECTION_FROM_DEVICE);
}

static void mdio_finish(void *opaque)
{
    DwmacCore *core = opaque;
    const DwmacMdioOp *op = &core->mdio_op;
    uint16_t val = op->val;

    if (op->c45 && op->write) {
        mdio_bus_write45(core->mdio, op->phy, op->mmd, op->reg, val);
    } else if (op->c45) {
        val = mdio_bus_read45(core->mdio, op->phy, op->mmd, op->reg);
    } else if (op->write) {
        mdio_bus_write(core->mdio, op->phy, op->reg, val);
    } else {
        val = mdio_bus_read(core->mdio, op->phy, op->reg);
    }
    trace_dwmac_mdio(core->name, op->write ? "write" : "read", op->phy,
                     op->mmd, op->reg, val);
    core->mdio_busy = false;
    core->ops->mdio_done(core, val);
}

void dwmac_core_mdio(DwmacCore *core, const DwmacMdioOp *op)
{
    core->mdio_op = *op;
    core->mdio_busy = true;
    if (!core->mdio_busy_ns) {
        mdio_finish(core);
        return;
    }
    timer_mod_ns(core->mdio_timer, core->mdio_busy_ns +
                 qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL));
}

/* What stood still while the machine did, or was sent just before: go on. */
static void vm_state_changed(void *opaque, bool running, RunState state)
{
    DwmacCore *core = opaque;

    if (running && !core->tx_blocked) {
        core->ops->tx_resume(core);
    }
}

void dwmac_core_init(DwmacCore *core, DeviceState *dev, const DwmacOps *ops)
{
    core->dev = dev;
    core->ops = ops;
    core->mdio = mdio_bus_new(dev, "mdio");
    add_faults(core, OBJECT(dev));
    qdev_init_gpio_in_named_with_opaque(dev, clock_changed, core, "clock", 1);
}

void dwmac_core_realize(DwmacCore *core, AddressSpace *as)
{
    DeviceState *dev = core->dev;

    if (core->dma_mr) {
        address_space_init(&core->own_as, core->dma_mr, "dwmac-dma");
        as = &core->own_as;
    }
    core->as = as;
    core->name = g_strdup(dev->id ?:
                          object_get_canonical_path_component(OBJECT(dev)));
    core->mdio_timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, mdio_finish, core);
    core->rx_timer = timer_new_us(QEMU_CLOCK_VIRTUAL, rx_timer_cb, core);
    core->rx_backoff_us = RX_BACKOFF_MIN_US;
    core->tx_timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, tx_timer_cb, core);
    qemu_macaddr_default_if_unset(&core->conf.macaddr);
    core->nic = qemu_new_nic(&nic_info, &core->conf,
                             object_get_typename(OBJECT(dev)), core->name,
                             &dev->mem_reentrancy_guard, core);
    qemu_format_nic_info_str(qemu_get_queue(core->nic),
                             core->conf.macaddr.a);
    core->vmstate = qemu_add_vm_change_state_handler(vm_state_changed, core);
}

void dwmac_core_unrealize(DwmacCore *core)
{
    qemu_del_vm_change_state_handler(core->vmstate);
    qemu_del_nic(core->nic);
    timer_free(core->mdio_timer);
    timer_free(core->rx_timer);
    timer_free(core->tx_timer);
    if (core->dma_mr) {
        address_space_destroy(&core->own_as);
    }
    g_free(core->name);
}

void dwmac_core_reset(DwmacCore *core)
{
    timer_del(core->mdio_timer);
    timer_del(core->rx_timer);
    timer_del(core->tx_timer);
    core->tx_demands = 0;
    core->mdio_busy = false;
    core->rx_kept = false;
    core->rx_backoff_us = RX_BACKOFF_MIN_US;
}

static int core_post_load(void *opaque, int version_id)
{
    DwmacCore *core = opaque;

    /* The network layer's queues are empty after a load. */
    core->tx_blocked = false;
    core->rx_kept = false;
    core->rx_backoff_us = RX_BACKOFF_MIN_US;
    timer_del(core->rx_timer);
    /* vm_state_changed() runs the rings. */
    core->tx_demands = 0;
    core->tx_demand_at = 0;
    timer_del(core->tx_timer);
    if (core->clock_gate) {
        memory_region_set_enabled(&core->gate, core->clock_off);
    }
    return core->mdio_op.phy < MDIO_ADDRESSES && core->mdio_op.mmd < 32 ?
           0 : -EINVAL;
}

static const VMStateDescription vmstate_mdio_op = {
    .name = "dwmac-mdio-op",
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_BOOL(write, DwmacMdioOp),
        VMSTATE_BOOL(c45, DwmacMdioOp),
        VMSTATE_UINT8(phy, DwmacMdioOp),
        VMSTATE_UINT8(mmd, DwmacMdioOp),
        VMSTATE_UINT16(reg, DwmacMdioOp),
        VMSTATE_UINT16(val, DwmacMdioOp),
        VMSTATE_END_OF_LIST()
    }
};

static bool aux_valid(void *opaque, int version_id)
{
    DwmacPtp *p = opaque;

    for (int i = 0; i < DWMAC_PTP_SNAPSHOTS; i++) {
        if (p->aux[i].input >= DWMAC_PTP_INPUTS) {
            return false;
        }
    }
    return p->aux_n <= DWMAC_PTP_SNAPSHOTS;
}

static const VMStateDescription vmstate_dwmac_ptp_snapshot = {
    .name = "dwmac-ptp-snapshot",
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT64(ns, DwmacPtpSnapshot),
        VMSTATE_UINT8(input, DwmacPtpSnapshot),
        VMSTATE_END_OF_LIST()
    }
};

const VMStateDescription vmstate_dwmac_ptp = {
    .name = "dwmac-ptp",
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT32(tcr, DwmacPtp),
        VMSTATE_UINT32(ssir, DwmacPtp),
        VMSTATE_UINT32(stsur, DwmacPtp),
        VMSTATE_UINT32(stnsur, DwmacPtp),
        VMSTATE_UINT32(tar, DwmacPtp),
        VMSTATE_UINT32(addend, DwmacPtp),
        VMSTATE_UINT64(base_ns, DwmacPtp),
        VMSTATE_INT64(base_clock, DwmacPtp),
        VMSTATE_STRUCT_ARRAY(aux, DwmacPtp, DWMAC_PTP_SNAPSHOTS, 1,
                             vmstate_dwmac_ptp_snapshot, DwmacPtpSnapshot),
        VMSTATE_UINT8(aux_n, DwmacPtp),
        VMSTATE_VALIDATE("aux", aux_valid),
        VMSTATE_BOOL(aux_missed, DwmacPtp),
        VMSTATE_UINT8(aux_level, DwmacPtp),
        VMSTATE_END_OF_LIST()
    }
};

const VMStateDescription vmstate_dwmac_pmt = {
    .name = "dwmac-pmt",
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT32_ARRAY(filter, DwmacPmt, DWMAC_PMT_FILTER_WORDS),
        VMSTATE_UINT8(at, DwmacPmt),
        VMSTATE_END_OF_LIST()
    }
};

const VMStateDescription vmstate_dwmac_mmc = {
    .name = "dwmac-mmc",
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT32_ARRAY(reg, DwmacMmc, DWMAC_MMC_WORDS),
        VMSTATE_END_OF_LIST()
    }
};

static const VMStateDescription vmstate_fault = {
    .name = "dwmac-fault",
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT32(writeback, DwmacFault),
        VMSTATE_UINT32(bus_error, DwmacFault),
        VMSTATE_UINT32(rx_overflow, DwmacFault),
        VMSTATE_UINT32(rx_csum, DwmacFault),
        VMSTATE_UINT32(stuck_busy, DwmacFault),
        VMSTATE_UINT32(stuck_reset, DwmacFault),
        VMSTATE_UINT32(split_short, DwmacFault),
        VMSTATE_UINT32(late_tx_ns, DwmacFault),
        VMSTATE_END_OF_LIST()
    }
};

const VMStateDescription vmstate_dwmac_core = {
    .name = "dwmac-core",
    .version_id = 2,
    .minimum_version_id = 2,
    .post_load = core_post_load,
    .fields = (const VMStateField[]) {
        VMSTATE_TIMER_PTR(mdio_timer, DwmacCore),
        VMSTATE_STRUCT(mdio_op, DwmacCore, 1, vmstate_mdio_op, DwmacMdioOp),
        VMSTATE_BOOL(mdio_busy, DwmacCore),
        VMSTATE_BOOL(clock_off, DwmacCore),
        VMSTATE_STRUCT(fault, DwmacCore, 1, vmstate_fault, DwmacFault),
        VMSTATE_END_OF_LIST()
    }
};
