// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The multi-queue DesignWare MACs: the automotive safety package (ASP).
 *
 * What it is: the registers that tell of ECC errors in the MAC's memories, of
 * parity errors on its data paths and of state machines that stand still, with
 * the enable bits of each, the summaries of MTL and DMA, and the interrupt.
 * Property asp says how much of it a core has, as its hardware-feature registers
 * tell it; 0 is nothing.
 *
 * How it works: a generation's MqSafety (qos-safety.c, xgmac-safety.c) is a table
 * of checks: in which status register their errors show, and which bit turns them
 * on.  Nothing ever breaks here by itself.  Errors are faults on purpose: the
 * properties fault-safety-mac, -mtl, -dma and -dpp take the bits of a status
 * register that shall be set; those whose check is not on are not.
 *
 * Facts: dwmac5.c and dwxgmac2_core.c of Linux 6.12 and 7.3: registers, what each
 * status bit means, what the summaries sum up.
 *
 * Not here: error counters and addresses, injection by the core's own debug
 * registers, lines of their own for the two interrupts (a machine without them
 * has both on macirq).
 */
#include "qemu/osdep.h"
#include "mq.h"
#include "mq-safety.h"
#include "qapi/visitor.h"
#include "trace.h"

/* In each memory's four bits of an ECC status register: put right. */
#define CORRECTED 0x11111111

/* MTL_SAFETY_INT_STATUS, and with MSUIS and MSCIS DMA_SAFETY_INT_STATUS */
#define SAFETY_ECIS  BIT(0)
#define SAFETY_EUIS  BIT(1)
#define SAFETY_MSCIS BIT(28)
#define SAFETY_MSUIS BIT(29)
#define SAFETY_MCSIS BIT(31)

static uint32_t status(const Mq *m, enum MqSafetyBank bank)
{
    unsigned off = m->gen->safety->status[bank];

    return off ? mq_get(m, off) : 0;
}

/* What a memory's errors are summed up to; of corrected ones if asked for. */
static uint32_t ecc_summary(const Mq *m, enum MqSafetyBank bank)
{
    const MqSafety *s = m->gen->safety;
    uint32_t enabled = mq_get(m, s->ecc_enable[bank]), sum = 0;

    for (unsigned i = 0; i < s->n_checks; i++) {
        const MqSafetyCheck *c = &s->checks[i];
        uint32_t found = status(m, bank) & c->errors;

        if (c->bank == bank) {
            sum |= (found & ~CORRECTED ? SAFETY_EUIS : 0) |
                   (found & CORRECTED && enabled & c->told ? SAFETY_ECIS : 0);
        }
    }
    return sum;
}

uint32_t mq_read_mtl_safety(Mq *m, unsigned off)
{
    return ecc_summary(m, MQ_SAFETY_MTL) |
           (status(m, MQ_SAFETY_MAC) ? SAFETY_MCSIS : 0);
}

/* The parity of descriptors shows in the bit of the MAC's own errors. */
uint32_t mq_read_dma_safety(Mq *m, unsigned off)
{
    uint32_t mtl = mq_read_mtl_safety(m, off);

    return ecc_summary(m, MQ_SAFETY_DMA) | (mtl & SAFETY_MCSIS) |
           (status(m, MQ_SAFETY_DPP) ? SAFETY_MCSIS : 0) |
           (mtl & SAFETY_EUIS ? SAFETY_MSUIS : 0) |
           (mtl & SAFETY_ECIS ? SAFETY_MSCIS : 0);
}

bool mq_safety_irq(Mq *m)
{
    return m->asp && mq_read_dma_safety(m, 0);
}

void mq_write_safety(Mq *m, unsigned off, uint32_t old)
{
    if (!m->asp) {
        *mq_reg(m, off) = 0;
    }
    mq_update_irq(m);
}

static bool has_parity(const Mq *m)
{
    return m->gen->safety->parity >> m->asp & 1;
}

void mq_write_safety_parity(Mq *m, unsigned off, uint32_t old)
{
    if (!has_parity(m)) {
        *mq_reg(m, off) = 0;
    }
}

/* One clears. */
void mq_write_safety_status(Mq *m, unsigned off, uint32_t old)
{
    *mq_reg(m, off) = old & ~*mq_reg(m, off);
    mq_update_irq(m);
}

/* ---- errors on purpose ---- */

static bool is_on(const Mq *m, const MqSafetyCheck *c)
{
    bool set = mq_get(m, c->control) & c->bit;

    return m->asp && (c->told || has_parity(m)) && set != c->turns_off;
}

static void found_errors(Mq *m, enum MqSafetyBank bank, uint32_t errors)
{
    const MqSafety *s = m->gen->safety;
    uint32_t found = 0;

    for (unsigned i = 0; i < s->n_checks; i++) {
        if (s->checks[i].bank == bank && is_on(m, &s->checks[i])) {
            found |= errors & s->checks[i].errors;
        }
    }
    trace_mq_safety(m->core.name, s->status[bank], errors, found);
    *mq_reg(m, s->status[bank]) |= found;
    mq_update_irq(m);
}

static const char *const faults[MQ_SAFETY_BANKS] = {
    [MQ_SAFETY_MAC] = "fault-safety-mac",
    [MQ_SAFETY_MTL] = "fault-safety-mtl",
    [MQ_SAFETY_DMA] = "fault-safety-dma",
    [MQ_SAFETY_DPP] = "fault-safety-dpp",
};

static enum MqSafetyBank bank_of(const char *name)
{
    enum MqSafetyBank bank = MQ_SAFETY_MAC;

    while (strcmp(faults[bank], name)) {
        bank++;
    }
    return bank;
}

static void get_fault(Object *obj, Visitor *v, const char *name, void *opaque,
                      Error **errp)
{
    uint32_t val = status(opaque, bank_of(name));

    visit_type_uint32(v, name, &val, errp);
}

static void set_fault(Object *obj, Visitor *v, const char *name, void *opaque,
                      Error **errp)
{
    uint32_t val;

    if (visit_type_uint32(v, name, &val, errp)) {
        found_errors(opaque, bank_of(name), val);
    }
}

void mq_add_safety_faults(Mq *m, Object *obj)
{
    for (unsigned bank = 0; bank < MQ_SAFETY_BANKS; bank++) {
        if (m->gen->safety->status[bank]) {
            object_property_add(obj, faults[bank], "uint32", get_fault,
                                set_fault, NULL, m);
        }
    }
}
