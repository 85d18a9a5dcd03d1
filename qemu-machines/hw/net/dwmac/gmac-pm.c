// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * DesignWare GMAC 3.x: Energy-Efficient Ethernet and power management.
 *
 * What it is: the transmitter's low-power idle state, which software asks for
 * (LPIEN) and which it or, with LPITXA, the next frame ends; and the power-down
 * mode, in which the receiver drops every frame but one that wakes the host.
 * Both tell of it by an interrupt that ends when their register is read.
 *
 * Facts: dwmac1000_core.c and dwmac1000.h of Linux 6.12; the GMAC 3.70a databook
 * for the bits of the DMA's status that follow (GLPII, GPI).  The rest is in
 * lpi.h and pmt.c.
 *
 * Not here: the peer's idle state (QEMU's wire does not carry it), the time that
 * a frame would wait for the link to wake (TW, LS), the clock that stops in
 * power-down.
 */
#include "qemu/osdep.h"
#include "gmac.h"
#include "lpi.h"
#include "pmt.h"
#include "trace.h"

static void tell(Gmac *g, uint32_t lpi)
{
    *gmac_reg(g, GMAC_LPI) = lpi;
    trace_gmac_lpi(g->core.name, !!(lpi & DWMAC_LPI_TLPIST));
    gmac_update_irq(g);
}

bool gmac_lpi_blocks(Gmac *g)
{
    return dwmac_lpi_blocks(*gmac_reg(g, GMAC_LPI));
}

void gmac_lpi_leave(Gmac *g)
{
    uint32_t lpi = *gmac_reg(g, GMAC_LPI);

    if (lpi & DWMAC_LPI_TLPIST) {
        tell(g, dwmac_lpi_left(lpi));
    }
}

void gmac_lpi_idle(Gmac *g)
{
    uint32_t lpi = *gmac_reg(g, GMAC_LPI);

    if (g->eee && !g->core.tx_blocked && !timer_pending(g->pause_timer) &&
        dwmac_lpi_wants(lpi)) {
        tell(g, dwmac_lpi_entered(lpi));
    }
}

uint32_t gmac_read_lpi(Gmac *g, unsigned off)
{
    uint32_t val = *gmac_reg(g, off);

    *gmac_reg(g, off) &= ~DWMAC_LPI_EVENTS;
    gmac_update_irq(g);
    return val;
}

void gmac_write_lpi(Gmac *g, unsigned off, uint32_t old)
{
    if (!g->eee) {
        *gmac_reg(g, off) = 0;
    } else if (!(*gmac_reg(g, off) & DWMAC_LPI_EN)) {
        gmac_lpi_leave(g);
        gmac_tx_run(g);
    } else {
        gmac_lpi_idle(g);
    }
}

uint32_t gmac_read_pmt(Gmac *g, unsigned off)
{
    uint32_t val = *gmac_reg(g, off);

    *gmac_reg(g, off) &= ~DWMAC_PMT_RECEIVED;
    gmac_update_irq(g);
    return val;
}

void gmac_write_pmt(Gmac *g, unsigned off, uint32_t old)
{
    *gmac_reg(g, off) = g->pmt ?
                        dwmac_pmt_written(&g->wake, *gmac_reg(g, off)) : 0;
}

uint32_t gmac_read_wake(Gmac *g, unsigned off)
{
    return *dwmac_pmt_next(&g->wake);
}

void gmac_write_wake(Gmac *g, unsigned off, uint32_t old)
{
    if (g->pmt) {
        *dwmac_pmt_next(&g->wake) = *gmac_reg(g, off);
    }
    *gmac_reg(g, off) = 0;
}

bool gmac_asleep(Gmac *g, const uint8_t *f, size_t len)
{
    uint32_t *pmt = gmac_reg(g, GMAC_PMT), old = *pmt;
    uint8_t own[6];

    if (!(old & DWMAC_PMT_PWRDWN)) {
        return false;
    }
    gmac_own_address(g, 0, own);
    *pmt = dwmac_pmt_wakes(&g->wake, old, own, f, len);
    trace_gmac_pmt(g->core.name, len, *pmt);
    if (*pmt != old) {
        gmac_update_irq(g);
    }
    return true;
}
