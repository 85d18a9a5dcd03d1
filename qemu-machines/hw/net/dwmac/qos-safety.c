// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * DesignWare QoS 5.x: the automotive safety package (ASP).
 *
 * What it is: the registers that tell of ECC errors in the MAC's memories, of
 * parity errors on its data paths and of state machines that stand still, with
 * the enable bits of each, the summaries of MTL and DMA, and the interrupt.
 * Property asp says how much of it a core has, as the hardware-feature register
 * tells it: 1 ECC, 2 parity and timeouts as well, 3 parity on the ports, too.
 *
 * How it works: nothing ever breaks here by itself.  Errors are faults on
 * purpose: the properties fault-safety-mac, -mtl and -dma take the bits of the
 * status register that shall be set; those whose check is not turned on are not.
 *
 * Facts: dwmac5.c and dwmac5.h of Linux 6.12 and 7.3: registers, what each status
 * bit means, what the summaries sum up.
 *
 * Not here: error counters and addresses, injection by the core's own debug
 * registers, lines of their own for the two interrupts (a machine without them
 * has both on macirq).
 */
#include "qemu/osdep.h"
#include "mq.h"
#include "qapi/visitor.h"
#include "qos-regs.h"
#include "trace.h"

/* Which check finds which error, and the bit that turns it on. */
static const struct {
    uint16_t status;
    uint16_t control;
    uint32_t on;
    uint32_t errors;
} checks[] = {
    { MAC_DPP_FSM_INT_STATUS, MTL_DPP_CONTROL, MTL_DPP_EDPP, 0x000000ff },
    { MAC_DPP_FSM_INT_STATUS, MAC_FSM_CONTROL, MAC_FSM_TMOUTEN, 0x000fff00 },
    { MAC_DPP_FSM_INT_STATUS, MAC_FSM_CONTROL, MAC_FSM_PRTYEN, 0x01000000 },
    { MTL_ECC_INT_STATUS, MTL_ECC_CONTROL, MTL_ECC_MTXEE, 0x0007 },
    { MTL_ECC_INT_STATUS, MTL_ECC_CONTROL, MTL_ECC_MRXEE, 0x0070 },
    { MTL_ECC_INT_STATUS, MTL_ECC_CONTROL, MTL_ECC_MESTEE, 0x0700 },
    { MTL_ECC_INT_STATUS, MTL_ECC_CONTROL, MTL_ECC_MRXPEE, 0x7000 },
    { DMA_ECC_INT_STATUS, MTL_ECC_CONTROL, MTL_ECC_TSOEE, 0x0007 },
};

/* Of the bits of an ECC status register: put right, or not. */
#define CORRECTED   0x1111
#define UNCORRECTED 0x6666

static bool corrected(const Mq *m, unsigned status, unsigned enable)
{
    return mq_get(m, status) & mq_get(m, enable) & CORRECTED;
}

static bool uncorrected(const Mq *m, unsigned status)
{
    return mq_get(m, status) & UNCORRECTED;
}

uint32_t qos_read_mtl_safety(Mq *m, unsigned off)
{
    return (mq_get(m, MAC_DPP_FSM_INT_STATUS) ? SAFETY_MCSIS : 0) |
           (uncorrected(m, MTL_ECC_INT_STATUS) ? SAFETY_EUIS : 0) |
           (corrected(m, MTL_ECC_INT_STATUS, MTL_ECC_INT_ENABLE) ?
            SAFETY_ECIS : 0);
}

uint32_t qos_read_dma_safety(Mq *m, unsigned off)
{
    uint32_t mtl = qos_read_mtl_safety(m, off);

    return (mtl & SAFETY_MCSIS) |
           (mtl & SAFETY_EUIS ? SAFETY_MSUIS : 0) |
           (mtl & SAFETY_ECIS ? SAFETY_MSCIS : 0) |
           (uncorrected(m, DMA_ECC_INT_STATUS) ? SAFETY_EUIS : 0) |
           (corrected(m, DMA_ECC_INT_STATUS, DMA_ECC_INT_ENABLE) ?
            SAFETY_ECIS : 0);
}

bool qos_safety_irq(Mq *m)
{
    return m->asp && qos_read_dma_safety(m, 0);
}

void qos_write_safety(Mq *m, unsigned off, uint32_t old)
{
    if (!m->asp) {
        *mq_reg(m, off) = 0;
    }
    mq_update_irq(m);
}

/* Parity and timeouts are more than ECC, parity of the ports more than that. */
void qos_write_safety_more(Mq *m, unsigned off, uint32_t old)
{
    if (m->asp < 2) {
        *mq_reg(m, off) = 0;
    } else if (m->asp < 3 && off == MTL_DPP_CONTROL) {
        *mq_reg(m, off) &= ~MTL_DPP_EPSI;
    }
}

/* One clears. */
void qos_write_safety_status(Mq *m, unsigned off, uint32_t old)
{
    *mq_reg(m, off) = old & ~*mq_reg(m, off);
    mq_update_irq(m);
}

/* ---- errors on purpose ---- */

static void found_errors(Mq *m, unsigned status, uint32_t errors)
{
    uint32_t found = 0;

    for (int i = 0; i < ARRAY_SIZE(checks); i++) {
        if (checks[i].status == status &&
            (mq_get(m, checks[i].control) & checks[i].on)) {
            found |= errors & checks[i].errors;
        }
    }
    trace_qos_safety(m->core.name, status, errors, found);
    *mq_reg(m, status) |= found;
    mq_update_irq(m);
}

static const struct { const char *name; uint16_t status; } faults[] = {
    { "fault-safety-mac", MAC_DPP_FSM_INT_STATUS },
    { "fault-safety-mtl", MTL_ECC_INT_STATUS },
    { "fault-safety-dma", DMA_ECC_INT_STATUS },
};

static unsigned status_of(const char *name)
{
    unsigned i = 0;

    while (strcmp(faults[i].name, name)) {
        i++;
    }
    return faults[i].status;
}

static void get_fault(Object *obj, Visitor *v, const char *name, void *opaque,
                      Error **errp)
{
    uint32_t val = mq_get(opaque, status_of(name));

    visit_type_uint32(v, name, &val, errp);
}

static void set_fault(Object *obj, Visitor *v, const char *name, void *opaque,
                      Error **errp)
{
    uint32_t val;

    if (visit_type_uint32(v, name, &val, errp)) {
        found_errors(opaque, status_of(name), val);
    }
}

void qos_add_safety_faults(Mq *m, Object *obj)
{
    for (int i = 0; i < ARRAY_SIZE(faults); i++) {
        object_property_add(obj, faults[i].name, "uint32", get_fault,
                            set_fault, NULL, m);
    }
}
