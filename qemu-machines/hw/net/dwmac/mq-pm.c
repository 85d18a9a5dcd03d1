// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The multi-queue DesignWare MACs: power management (PMT).
 *
 * What it is: the power-down mode, in which the receiver drops every frame but
 * one that wakes the host, the interrupt that tells of it and ends when the
 * register is read, and the register through which wake-up filters are written.
 *
 * Facts: dwmac4_pmt() and dwxgmac2_pmt() of Linux 6.12.  The rest is in pmt.c.
 *
 * Not here: the clock that stops in power-down.
 */
#include "qemu/osdep.h"
#include "mq.h"
#include "trace.h"

uint32_t mq_read_pmt(Mq *m, unsigned off)
{
    uint32_t val = *mq_reg(m, off);

    *mq_reg(m, off) &= ~DWMAC_PMT_RECEIVED;
    mq_update_irq(m);
    return val;
}

void mq_write_pmt(Mq *m, unsigned off, uint32_t old)
{
    *mq_reg(m, off) = m->pmt ? dwmac_pmt_written(&m->wake, *mq_reg(m, off)) :
                               0;
}

uint32_t mq_read_wake(Mq *m, unsigned off)
{
    return *dwmac_pmt_next(&m->wake);
}

void mq_write_wake(Mq *m, unsigned off, uint32_t old)
{
    if (m->pmt) {
        *dwmac_pmt_next(&m->wake) = *mq_reg(m, off);
    }
    *mq_reg(m, off) = 0;
}

bool mq_pmt_event(const Mq *m)
{
    return mq_get(m, MQ_PMT) & DWMAC_PMT_RECEIVED;
}

bool mq_asleep(Mq *m, const uint8_t *f, size_t len)
{
    uint32_t *pmt = mq_reg(m, MQ_PMT);
    uint8_t own[6];

    if (!(*pmt & DWMAC_PMT_PWRDWN)) {
        return false;
    }
    mq_own_address(m, 0, own);
    *pmt = dwmac_pmt_wakes(&m->wake, *pmt, own, f, len);
    trace_mq_pmt(m->core.name, len, *pmt);
    mq_update_irq(m);
    return true;
}
