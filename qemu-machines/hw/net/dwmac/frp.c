// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The flexible receive parser of a multi-queue DesignWare MAC.
 *
 * What it is: a table of instructions.  Each compares four bytes of the frame,
 * under a mask, and accepts the frame, rejects it, or says which entry is next.
 *
 * Facts: struct stmmac_tc_entry and dwmac5_rxp_config() of Linux.  They show
 * that with NC (next instruction control) a match goes on with the next entry
 * and a mismatch with OK_INDEX: so a comparison across a word boundary is two
 * entries.  Without it the roles are the other way round.
 *
 * A walk is at most as long as the table: entries that point back do not loop.
 *
 * Not here: counters of matches and errors, the limit of parsable bytes that a
 * core may have (MTL_RXP_CONTROL_STATUS.NPE is a register and no more).
 */
#include <stdbool.h>
#include "frp.h"

enum {
    FRP_AF = 1 << 0,    /* accept */
    FRP_RF = 1 << 1,    /* reject */
    FRP_IM = 1 << 2,    /* inverse match */
    FRP_NC = 1 << 3,
};

static uint32_t word_at(const uint8_t *f, size_t len, size_t at)
{
    uint32_t w = 0;

    for (unsigned i = 0; i < 4; i++) {
        w |= at + i < len ? (uint32_t)f[at + i] << (8 * i) : 0;
    }
    return w;
}

enum DwmacFrpVerdict dwmac_frp(const uint32_t *table, unsigned entries,
                               const uint8_t *f, size_t len, unsigned *chans)
{
    unsigned at = 0;

    *chans = 0;
    for (unsigned steps = 0; steps < entries && at < entries; steps++) {
        const uint32_t *e = table + at * DWMAC_FRP_WORDS;
        uint32_t ctrl = e[2], word = word_at(f, len, (ctrl >> 8 & 0xff) * 4);
        bool match = !((word ^ e[0]) & e[1]) != !!(ctrl & FRP_IM);
        unsigned ok = ctrl >> 16 & 0xff;

        if (match && (ctrl & FRP_RF)) {
            return DWMAC_FRP_REJECT;
        }
        if (match && (ctrl & FRP_AF)) {
            *chans = ctrl >> 24;
            return DWMAC_FRP_ACCEPT;
        }
        at = match != !!(ctrl & FRP_NC) ? ok : at + 1;
    }
    return DWMAC_FRP_NONE;
}
