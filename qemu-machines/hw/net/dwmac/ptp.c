// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * IEEE 1588 in a DesignWare MAC: the system time and which frames get a stamp.
 *
 * What it is: a clock that counts ticks of the reference clock, each worth the
 * sub-second increment; in fine mode a tick counts when the accumulator, to
 * which the addend is added each time, overflows.  It is set, moved by an
 * offset and changed in rate as the registers say.  Edges at auxiliary inputs are
 * noted with their time.
 *
 * How it works: the time is computed when somebody asks, from what it was when
 * a register that it depends on was last written.
 *
 * Facts: stmmac_ptp.h and stmmac_hwtstamp.c of Linux 6.12 for registers and
 * for what is written to subtract; the time stamp chapter of the QoS databook,
 * as vendors' manuals repeat it, for the table of snapshot types; IEEE 1588-2002
 * and -2008 for where a message says what it is.
 *
 * Not here: one-step stamps, sub-nanosecond increments, the link's latency.
 */
#include <string.h>
#include "coe.h"
#include "ptp.h"

#define NS_PER_S     1000000000ull
#define HALF_UNITS   0x80000000ull      /* a second in binary roll-over */
#define ADDSUB       (1u << 31)
#define TYPE_PTP     0x88f7
#define PORT_EVENT   319
#define PORT_GENERAL 320
#define V1_CONTROL   32     /* in a message of version 1: what it is */

enum { MSG_SYNC, MSG_DELAY_REQ, MSG_PDELAY_REQ, MSG_PDELAY_RESP,
       MSG_FOLLOW_UP = 8, MSG_DELAY_RESP, MSG_PDELAY_FOLLOW_UP };

#define M(_x) (1u << MSG_##_x)

/* Messages by SNAPTYPSEL, and by TSEVNTENA and TSMSTRENA. */
static const uint16_t snapshots[4][4] = {
    { M(SYNC) | M(FOLLOW_UP) | M(DELAY_REQ) | M(DELAY_RESP), M(SYNC),
      M(SYNC) | M(FOLLOW_UP) | M(DELAY_REQ) | M(DELAY_RESP), M(DELAY_REQ) },
    { M(SYNC) | M(FOLLOW_UP) | M(DELAY_REQ) | M(DELAY_RESP) | M(PDELAY_REQ) |
      M(PDELAY_RESP) | M(PDELAY_FOLLOW_UP),
      M(SYNC) | M(PDELAY_REQ) | M(PDELAY_RESP),
      M(SYNC) | M(FOLLOW_UP) | M(DELAY_REQ) | M(DELAY_RESP) | M(PDELAY_REQ) |
      M(PDELAY_RESP) | M(PDELAY_FOLLOW_UP),
      M(DELAY_REQ) | M(PDELAY_REQ) | M(PDELAY_RESP) },
    { M(SYNC) | M(DELAY_REQ), M(SYNC) | M(DELAY_REQ), M(SYNC) | M(DELAY_REQ),
      M(SYNC) | M(DELAY_REQ) },
    { M(PDELAY_REQ) | M(PDELAY_RESP), M(PDELAY_REQ) | M(PDELAY_RESP),
      M(PDELAY_REQ) | M(PDELAY_RESP), M(PDELAY_REQ) | M(PDELAY_RESP) },
};

typedef unsigned __int128 u128;

uint64_t dwmac_ptp_to_ns(const DwmacPtp *p, uint64_t units)
{
    return p->tcr & DWMAC_PTP_TSCTRLSSR ? units :
           (uint64_t)((u128)units * NS_PER_S / HALF_UNITS);
}

static uint32_t from_ns(const DwmacPtp *p, uint64_t ns)
{
    return p->tcr & DWMAC_PTP_TSCTRLSSR ? ns :
           (uint32_t)((u128)ns * HALF_UNITS / NS_PER_S);
}

static unsigned increment(const DwmacPtp *p)
{
    return p->v4 ? p->ssir >> 16 & 0xff : p->ssir & 0xff;
}

static bool fine(const DwmacPtp *p)
{
    return p->tcr & DWMAC_PTP_TSCFUPDT;
}

uint64_t dwmac_ptp_now(const DwmacPtp *p, int64_t clock)
{
    u128 ticks = (u128)(uint64_t)(clock - p->base_clock) * p->hz / NS_PER_S;

    if (!(p->tcr & DWMAC_PTP_TSENA)) {
        return p->base_ns;
    }
    if (fine(p)) {
        ticks = ticks * p->addend >> 32;
    }
    return p->base_ns + dwmac_ptp_to_ns(p, (uint64_t)(ticks * increment(p)));
}

int64_t dwmac_ptp_until(const DwmacPtp *p, uint64_t ns, int64_t clock)
{
    uint64_t now = dwmac_ptp_now(p, clock), step = increment(p);
    u128 ticks, rate = fine(p) ? p->addend : 1ull << 32;

    if (ns <= now) {
        return clock;
    }
    if (!(p->tcr & DWMAC_PTP_TSENA) || !step || !rate || !p->hz) {
        return INT64_MAX;
    }
    if (!(p->tcr & DWMAC_PTP_TSCTRLSSR)) {
        ns = now + (uint64_t)((u128)(ns - now) * HALF_UNITS / NS_PER_S);
    }
    ticks = (((u128)((ns - now + step - 1) / step) << 32) + rate - 1) / rate;
    ticks = ticks * NS_PER_S / p->hz + 1;
    return ticks > (u128)(INT64_MAX - clock) ? INT64_MAX :
           clock + (int64_t)ticks;
}

/* From here on the time is counted by other numbers. */
static void rebase(DwmacPtp *p, int64_t clock)
{
    p->base_ns = dwmac_ptp_now(p, clock);
    p->base_clock = clock;
}

uint64_t dwmac_ptp_increment(const DwmacPtp *p)
{
    return dwmac_ptp_to_ns(p, increment(p));
}

void dwmac_ptp_reset(DwmacPtp *p, int64_t clock)
{
    uint32_t hz = p->hz;
    uint8_t level = p->aux_level;
    bool v4 = p->v4;

    *p = (DwmacPtp){ .hz = hz, .v4 = v4, .aux_level = level, .base_clock = clock };
}

static uint64_t update_ns(const DwmacPtp *p)
{
    return p->stsur * NS_PER_S + dwmac_ptp_to_ns(p, p->stnsur & ~ADDSUB);
}

/*
 * What is taken off: a v4 core wants 2^32 less the seconds and a second less
 * the rest, an older one only the latter.
 */
static void update(DwmacPtp *p)
{
    const uint64_t wrap = NS_PER_S << 32;
    uint64_t ns = update_ns(p);

    if (!(p->stnsur & ADDSUB)) {
        p->base_ns += ns;
    } else if (p->v4) {
        p->base_ns += wrap + ns - NS_PER_S;
    } else {
        ns = p->stsur * NS_PER_S + NS_PER_S - dwmac_ptp_to_ns(p, p->stnsur & ~ADDSUB);
        p->base_ns += 2 * wrap - ns;
    }
    p->base_ns %= wrap;
}

static void write_control(DwmacPtp *p, uint32_t val)
{
    p->tcr = val & ~(DWMAC_PTP_TSINIT | DWMAC_PTP_TSUPDT |
                     DWMAC_PTP_TSADDREG);
    if (!p->v4 && (val & DWMAC_PTP_ATSFC)) {
        p->tcr &= ~DWMAC_PTP_ATSFC;
        dwmac_ptp_aux_clear(p);
    }
    if (val & DWMAC_PTP_TSINIT) {
        p->base_ns = update_ns(p);
    } else if (val & DWMAC_PTP_TSUPDT) {
        update(p);
    }
    if (val & DWMAC_PTP_TSADDREG) {
        p->addend = p->tar;
    }
}

void dwmac_ptp_write(DwmacPtp *p, unsigned off, uint32_t val, int64_t clock)
{
    rebase(p, clock);
    switch (off) {
    case DWMAC_PTP_TCR:
        write_control(p, val & (p->v4 ? 0x1107ff3f : 0x1f07ff3f));
        break;
    case DWMAC_PTP_SSIR:
        p->ssir = val & (p->v4 ? 0x00ffff00 : 0xff);
        break;
    case DWMAC_PTP_STSUR:
        p->stsur = val;
        break;
    case DWMAC_PTP_STNSUR:
        p->stnsur = val;
        break;
    case DWMAC_PTP_TAR:
        p->tar = val;
        break;
    }
}

uint32_t dwmac_ptp_read(const DwmacPtp *p, unsigned off, int64_t clock)
{
    uint64_t now = dwmac_ptp_now(p, clock);

    switch (off) {
    case DWMAC_PTP_TCR:
        return p->tcr;
    case DWMAC_PTP_SSIR:
        return p->ssir;
    case DWMAC_PTP_STSR:
        return now / NS_PER_S;
    case DWMAC_PTP_STNSR:
        return from_ns(p, now % NS_PER_S);
    case DWMAC_PTP_STSUR:
        return p->stsur;
    case DWMAC_PTP_STNSUR:
        return p->stnsur;
    case DWMAC_PTP_TAR:
        return p->tar;
    }
    return 0;
}

bool dwmac_ptp_input(DwmacPtp *p, unsigned input, bool level, unsigned enabled,
                     int64_t clock)
{
    unsigned bit = 1u << input;
    bool edge = level && !(p->aux_level & bit);

    p->aux_level = level ? p->aux_level | bit : p->aux_level & ~bit;
    if (!edge || !(enabled & bit) || !(p->tcr & DWMAC_PTP_TSENA)) {
        return false;
    }
    if (p->aux_n == DWMAC_PTP_SNAPSHOTS) {
        p->aux_missed = true;
    } else {
        p->aux[p->aux_n++] = (DwmacPtpSnapshot){ dwmac_ptp_now(p, clock), input };
    }
    return true;
}

uint32_t dwmac_ptp_aux_status(DwmacPtp *p)
{
    uint32_t val = (uint32_t)p->aux_n << 25 | (p->aux_missed ? 1u << 24 : 0) |
                   (p->aux_n ? 1u << (16 + p->aux[0].input) : 0);

    p->aux_missed = false;
    return val;
}

uint32_t dwmac_ptp_aux_nsec(const DwmacPtp *p)
{
    return p->aux_n ? from_ns(p, p->aux[0].ns % NS_PER_S) : 0;
}

uint32_t dwmac_ptp_aux_sec(DwmacPtp *p)
{
    uint32_t sec = p->aux_n ? p->aux[0].ns / NS_PER_S : 0;

    if (p->aux_n) {
        memmove(p->aux, p->aux + 1, --p->aux_n * sizeof(p->aux[0]));
    }
    return sec;
}

void dwmac_ptp_aux_clear(DwmacPtp *p)
{
    p->aux_n = 0;
    p->aux_missed = false;
}

/* Version 2 has its kind in four bits, -1: not of this version. */
static int kind_v2(const uint8_t *m, size_t len)
{
    return len >= 2 && (m[1] & 15) == 2 ? m[0] & 15 : -1;
}

/* Version 1, which is over UDP only, has a control field far behind. */
static int kind_v1(const uint8_t *m, size_t len)
{
    static const uint8_t kinds[] = { MSG_SYNC, MSG_DELAY_REQ, MSG_FOLLOW_UP,
                                     MSG_DELAY_RESP };

    if (len <= V1_CONTROL || m[0] != 0 || m[1] != 1 ||
        m[V1_CONTROL] >= sizeof(kinds)) {
        return -1;
    }
    return kinds[m[V1_CONTROL]];
}

/* The kind of a PTP message (MSG_*); -1: none of those that are asked for. */
static int message(const DwmacPtp *p, const uint8_t *f, size_t len)
{
    bool v2 = p->tcr & DWMAC_PTP_TSVER2ENA;
    unsigned port;
    CoeFrame c;

    if (len >= 16 && (f[12] << 8 | f[13]) == TYPE_PTP) {
        return v2 && (p->tcr & DWMAC_PTP_TSIPENA) ? kind_v2(f + 14, len - 14) :
                                                    -1;
    }
    coe_parse(f, len, &c);
    if (c.proto != COE_PROTO_UDP || c.l4_have < 8) {
        return -1;
    }
    port = f[c.l4 + 2] << 8 | f[c.l4 + 3];
    if ((port != PORT_EVENT && port != PORT_GENERAL) ||
        !(p->tcr & (c.flags & COE_IPV4 ? DWMAC_PTP_TSIPV4ENA :
                                         DWMAC_PTP_TSIPV6ENA))) {
        return -1;
    }
    return (v2 ? kind_v2 : kind_v1)(f + c.l4 + 8, c.l4_have - 8);
}

bool dwmac_ptp_stamps(const DwmacPtp *p, const uint8_t *f, size_t len)
{
    unsigned type = p->tcr >> DWMAC_PTP_SNAPTYPSEL_SHIFT & 3;
    unsigned how = (p->tcr & DWMAC_PTP_TSEVNTENA ? 1 : 0) |
                   (p->tcr & DWMAC_PTP_TSMSTRENA ? 2 : 0);
    int kind;

    if (!(p->tcr & DWMAC_PTP_TSENA)) {
        return false;
    }
    if (p->tcr & DWMAC_PTP_TSENALL) {
        return true;
    }
    kind = message(p, f, len);
    return kind >= 0 && (snapshots[type][how] >> kind & 1);
}
