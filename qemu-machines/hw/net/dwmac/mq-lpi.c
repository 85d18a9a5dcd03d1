// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The multi-queue DesignWare MACs: Energy-Efficient Ethernet (802.3az).
 *
 * What it is: the transmitter's low-power idle state.  Software asks for it
 * (LPIEN); with LPITXA the MAC goes there when it has nothing to send (after
 * the entry timer, with LPIATE) and comes back by itself when it has, clearing
 * LPIEN unless the timer runs it; without LPITXA frames wait until software
 * clears LPIEN.  Entry and exit interrupt; reading the register ends that.
 *
 * Facts: dwmac4_core.c and dwxgmac2_core.c of Linux 6.12; the QoS databook,
 * as vendors' manuals repeat it, for who clears LPIEN.
 *
 * Not here: the peer's idle state (QEMU's wire does not carry it), the wake-up
 * time that a frame would wait (TW) and the link timer (LS), clock gating.
 */
#include "qemu/osdep.h"
#include "lpi.h"
#include "mq.h"
#include "trace.h"

static void tell(Mq *m, uint32_t lpi)
{
    *mq_reg(m, MQ_LPI_CTRL_STATUS) = lpi;
    trace_mq_lpi(m->core.name, !!(lpi & DWMAC_LPI_TLPIST));
    mq_update_irq(m);
}

bool mq_lpi_event(const Mq *m)
{
    return mq_get(m, MQ_LPI_CTRL_STATUS) & DWMAC_LPI_EVENTS;
}

bool mq_lpi_blocks(const Mq *m)
{
    return dwmac_lpi_blocks(mq_get(m, MQ_LPI_CTRL_STATUS));
}

void mq_lpi_leave(Mq *m)
{
    uint32_t lpi = mq_get(m, MQ_LPI_CTRL_STATUS);

    timer_del(m->lpi_timer);
    if (lpi & DWMAC_LPI_TLPIST) {
        tell(m, dwmac_lpi_left(lpi));
    }
}

void mq_lpi_timeout(void *opaque)
{
    Mq *m = opaque;

    tell(m, dwmac_lpi_entered(mq_get(m, MQ_LPI_CTRL_STATUS)));
}

void mq_lpi_idle(Mq *m)
{
    uint32_t lpi = mq_get(m, MQ_LPI_CTRL_STATUS);
    int64_t us = mq_get(m, MQ_LPI_ENTRY_TIMER);

    if (!m->eee || m->core.tx_blocked || !dwmac_lpi_wants(lpi) ||
        timer_pending(m->lpi_timer)) {
        return;
    }
    if ((lpi & DWMAC_LPI_TXA) && (lpi & DWMAC_LPI_ATE)) {
        timer_mod_ns(m->lpi_timer, us * SCALE_US +
                     qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL));
    } else {
        tell(m, dwmac_lpi_entered(lpi));
    }
}

uint32_t mq_read_lpi(Mq *m, unsigned off)
{
    uint32_t val = *mq_reg(m, off);

    *mq_reg(m, off) &= ~DWMAC_LPI_EVENTS;
    mq_update_irq(m);
    return val;
}

void mq_write_lpi(Mq *m, unsigned off, uint32_t old)
{
    if (!m->eee) {
        *mq_reg(m, off) = 0;
    } else if (!(*mq_reg(m, off) & DWMAC_LPI_EN)) {
        mq_lpi_leave(m);
        mq_tx_run(m);
    } else {
        mq_lpi_idle(m);
    }
}
