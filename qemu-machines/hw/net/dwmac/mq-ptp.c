// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The multi-queue DesignWare MACs: IEEE 1588 as their registers have it.
 *
 * What it is: the registers of the system time (ptp.c), of the last stamped frame,
 * of auxiliary snapshots, and the PPS outputs in flexible mode: a pulse or a train
 * of pulses that begins at a system time, or an event without one, and ends at
 * another time or at once.  Events and snapshots make the MAC's time stamp
 * interrupt, which ends when the status is read.
 *
 * How it works: the inputs are GPIOs "aux-snapshot", the outputs "pps".  An output
 * knows when its next edge is due in system time; a timer in virtual time waits for
 * that, and is set anew whenever the clock is.
 *
 * Facts: dwmac5.c, dwmac5.h, dwxgmac2.h, stmmac_ptp.h and stmmac_hwtstamp.c of
 * Linux 6.12 and 7.3 for registers, commands and what a start in the past does; the
 * time stamp chapter of the QoS 5.10a databook, as vendors' manuals repeat it, for
 * the status bits.
 *
 * Not here: fixed mode (an output without PPSEN stays low), media clock generation
 * and recovery, pulses closer than EDGE_NS.
 */
#include "qemu/osdep.h"
#include "mq.h"
#include "migration/vmstate.h"
#include "trace.h"

#define EDGE_NS     500     /* edges are not closer than this */
#define NS_PER_S    1000000000ull

/* registers of an output: its target time, and how long in ticks less one */
#define PPS_STEP     0x10
#define PPS_SEC      0x0
#define PPS_NSEC     0x4
#define PPS_BUSY     BIT(31)    /* a target time on its way: never, here */
#define PPS_INTERVAL 0x8
#define PPS_WIDTH    0xc

/* MQ_PTP_PPS_CONTROL, eight bits an output */
#define PPS_CMD     0x0f
#define PPS_EN      0x10    /* flexible mode; outputs 1 to 3 know no other */
#define PPS_TARGET_SHIFT 5

/* What a target time is for */
enum { TARGET_EVENT = 0, TARGET_PULSE = 3 };    /* 2: both */

enum { CMD_NONE, CMD_PULSE, CMD_TRAIN, CMD_CANCEL_START, CMD_STOP_AT,
       CMD_STOP, CMD_CANCEL_STOP };

/* MqPps.state */
enum { PPS_OFF, PPS_EVENT, PPS_WAITS, PPS_HIGH, PPS_LOW };

static int64_t now_ns(void)
{
    return qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);
}

static uint32_t *ptp_reg(Mq *m, unsigned off)
{
    return mq_reg(m, m->gen->ptp_base + off);
}

static uint32_t pps_get(const MqPps *p, unsigned off)
{
    return mq_get(p->m, p->m->gen->ptp_base + MQ_PTP_PPS + p->n * PPS_STEP +
                  off);
}

static uint64_t target(const MqPps *p)
{
    return pps_get(p, PPS_SEC) * NS_PER_S +
           dwmac_ptp_to_ns(&p->m->ptp, pps_get(p, PPS_NSEC));
}

/* Registers hold one tick less. */
static uint64_t span(const MqPps *p, unsigned off)
{
    return (pps_get(p, off) + 1ull) * dwmac_ptp_increment(&p->m->ptp);
}

static unsigned target_mode(const MqPps *p)
{
    return *ptp_reg(p->m, MQ_PTP_PPS_CONTROL) >> (p->n * 8 + PPS_TARGET_SHIFT) & 3;
}

static void set_status(Mq *m, uint32_t bits)
{
    *ptp_reg(m, MQ_PTP_STATUS) |= bits;
    mq_update_irq(m);
}

/* The time of output @n has come, or was over when it was asked for. */
static uint32_t event_bit(unsigned n, bool error)
{
    return n ? BIT(4 + 2 * (n - 1) + error) : BIT(1 + 2 * error);
}

static void set_level(MqPps *p, bool level)
{
    if (level != p->level) {
        p->level = level;
        trace_mq_pps(p->m->core.name, p->n, level, p->edge);
        qemu_set_irq(p->m->pps_out[p->n], level);
    }
}

static void stop(MqPps *p)
{
    p->state = PPS_OFF;
    set_level(p, false);
}

static void rise(MqPps *p)
{
    if (p->stop_at && p->edge >= p->stop_at) {
        stop(p);
        return;
    }
    p->rise = p->edge;
    set_level(p, true);
    p->state = PPS_HIGH;
    p->edge += MIN(span(p, PPS_WIDTH), span(p, PPS_INTERVAL));
}

/* The edge that is due. */
static void step(MqPps *p)
{
    switch (p->state) {
    case PPS_EVENT:
        set_status(p->m, event_bit(p->n, false));
        p->state = PPS_OFF;
        break;
    case PPS_WAITS:
        if (target_mode(p) != TARGET_PULSE) {
            set_status(p->m, event_bit(p->n, false));
        }
        rise(p);
        break;
    case PPS_HIGH:
        set_level(p, false);
        p->state = p->single ? PPS_OFF : PPS_LOW;
        p->edge = p->rise + span(p, PPS_INTERVAL);
        break;
    case PPS_LOW:
        rise(p);
        break;
    }
}

static void wait_for_edge(MqPps *p)
{
    int64_t clock = now_ns(), at;

    timer_del(p->timer);
    if (p->state == PPS_OFF) {
        return;
    }
    at = dwmac_ptp_until(&p->m->ptp, p->edge, clock);
    if (at != INT64_MAX) {
        timer_mod_ns(p->timer, MAX(at, clock + EDGE_NS));
    }
}

/* Two edges at most are behind, or the clock was moved: go on from now, then. */
static void pps_timer(void *opaque)
{
    MqPps *p = opaque;
    uint64_t now = dwmac_ptp_now(&p->m->ptp, now_ns());

    for (int i = 0; i < 2 && p->state != PPS_OFF && p->edge <= now; i++) {
        step(p);
    }
    if (p->state != PPS_OFF && p->edge <= now) {
        p->edge = now;
    }
    wait_for_edge(p);
}

static void begin(MqPps *p, uint8_t state)
{
    p->edge = target(p);
    p->stop_at = 0;
    if (p->edge < dwmac_ptp_now(&p->m->ptp, now_ns())) {
        set_status(p->m, event_bit(p->n, true));
        return;
    }
    p->state = state;
    wait_for_edge(p);
}

static void command(MqPps *p, unsigned cmd)
{
    switch (cmd) {
    case CMD_PULSE:
    case CMD_TRAIN:
        p->single = cmd == CMD_PULSE;
        stop(p);
        begin(p, PPS_WAITS);
        break;
    case CMD_CANCEL_START:
        p->state = p->state == PPS_WAITS ? PPS_OFF : p->state;
        break;
    case CMD_STOP_AT:
        p->stop_at = target(p);
        break;
    case CMD_STOP:
        stop(p);
        break;
    case CMD_CANCEL_STOP:
        p->stop_at = 0;
        break;
    }
    wait_for_edge(p);
}

/* Commands are carried out at once and read as done. */
void mq_write_pps_control(Mq *m, unsigned off, uint32_t old)
{
    uint32_t val = *mq_reg(m, off);

    *mq_reg(m, off) &= m->timestamps ? ~(PPS_CMD * 0x01010101u) : 0;
    for (unsigned n = 0; n < m->pps_outputs; n++) {
        uint8_t ctrl = val >> n * 8;

        if (n || (ctrl & PPS_EN)) {
            command(&m->pps[n], ctrl & PPS_CMD);
        }
    }
}

/* A target time for an event alone counts from when it is written. */
void mq_write_pps(Mq *m, unsigned off, uint32_t old)
{
    unsigned at = off - m->gen->ptp_base - MQ_PTP_PPS, n = at / PPS_STEP;
    MqPps *p = &m->pps[n];

    if (n >= m->pps_outputs) {
        *mq_reg(m, off) = 0;
    } else if (at % PPS_STEP == PPS_NSEC) {
        *mq_reg(m, off) &= ~PPS_BUSY;
        if (target_mode(p) == TARGET_EVENT &&
            (p->state == PPS_OFF || p->state == PPS_EVENT)) {
            begin(p, PPS_EVENT);
        }
    }
}

/* ---- auxiliary snapshots ---- */

static void aux_input(void *opaque, int n, int level)
{
    Mq *m = opaque;
    unsigned enabled = *ptp_reg(m, MQ_PTP_ACR) / MQ_PTP_ATSEN;

    if (dwmac_ptp_input(&m->ptp, n, level, enabled, now_ns())) {
        trace_mq_aux_snapshot(m->core.name, n, m->ptp.aux_n);
        set_status(m, MQ_PTP_STATUS_AUXTSTRIG);
    }
}

void mq_write_aux_control(Mq *m, unsigned off, uint32_t old)
{
    uint32_t inputs = ((1u << m->aux_inputs) - 1) * MQ_PTP_ATSEN;

    if (*mq_reg(m, off) & MQ_PTP_ATSFC) {
        dwmac_ptp_aux_clear(&m->ptp);
    }
    *mq_reg(m, off) &= m->timestamps ? inputs : 0;
}

uint32_t mq_read_aux_nsec(Mq *m, unsigned off)
{
    return dwmac_ptp_aux_nsec(&m->ptp);
}

uint32_t mq_read_aux_sec(Mq *m, unsigned off)
{
    return dwmac_ptp_aux_sec(&m->ptp);
}

/* ---- the other registers ---- */

bool mq_ptp_event(const Mq *m)
{
    return mq_get(m, m->gen->ptp_base + MQ_PTP_STATUS) & MQ_PTP_STATUS_EVENTS;
}

uint32_t mq_ptp_feature2(const Mq *m)
{
    return m->timestamps ? m->pps_outputs << 24 | m->aux_inputs << 28 : 0;
}

/* Events end when they are read; the stamp of a frame does with its seconds. */
uint32_t mq_read_ptp_status(Mq *m, unsigned off)
{
    uint32_t val = *mq_reg(m, off) | dwmac_ptp_aux_status(&m->ptp);

    *mq_reg(m, off) &= ~(MQ_PTP_STATUS_EVENTS | MQ_PTP_STATUS_ERRORS);
    mq_update_irq(m);
    return val;
}

uint32_t mq_read_ptp(Mq *m, unsigned off)
{
    return m->timestamps ?
           dwmac_ptp_read(&m->ptp, off - m->gen->ptp_base, now_ns()) : 0;
}

/* Reading the seconds makes room for the next stamp. */
uint32_t mq_read_ptp_tx_sec(Mq *m, unsigned off)
{
    *ptp_reg(m, MQ_PTP_STATUS) &= ~MQ_PTP_STATUS_TXTSC;
    return *mq_reg(m, off);
}

/* Whoever waits for a time has to look at the clock again. */
void mq_write_ptp(Mq *m, unsigned off, uint32_t old)
{
    uint32_t val = *mq_reg(m, off);

    *mq_reg(m, off) = 0;
    if (m->timestamps) {
        dwmac_ptp_write(&m->ptp, off - m->gen->ptp_base, val, now_ns());
    }
    for (unsigned n = 0; n < MQ_CHANNELS; n++) {
        timer_del(m->chan[n].launch_timer);
    }
    for (unsigned n = 0; n < m->pps_outputs; n++) {
        wait_for_edge(&m->pps[n]);
    }
    mq_tx_run(m);
}

void mq_reset_ptp(Mq *m)
{
    dwmac_ptp_reset(&m->ptp, now_ns());
    for (unsigned n = 0; n < MQ_PPS; n++) {
        MqPps *p = &m->pps[n];

        timer_del(p->timer);
        stop(p);
        p->single = false;
        p->edge = p->rise = p->stop_at = 0;
    }
}

void mq_init_ptp(Mq *m, DeviceState *dev)
{
    qdev_init_gpio_out_named(dev, m->pps_out, "pps", MQ_PPS);
    qdev_init_gpio_in_named_with_opaque(dev, aux_input, m, "aux-snapshot",
                                        DWMAC_PTP_INPUTS);
}

void mq_realize_ptp(Mq *m)
{
    for (unsigned n = 0; n < MQ_PPS; n++) {
        m->pps[n].m = m;
        m->pps[n].n = n;
        m->pps[n].timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, pps_timer,
                                       &m->pps[n]);
    }
}

void mq_unrealize_ptp(Mq *m)
{
    for (unsigned n = 0; n < MQ_PPS; n++) {
        timer_free(m->pps[n].timer);
    }
}

static bool state_valid(void *opaque, int version_id)
{
    MqPps *p = opaque;

    return p->state <= PPS_LOW;
}

const VMStateDescription vmstate_mq_pps = {
    .name = "dwmac-mq-pps",
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_TIMER_PTR(timer, MqPps),
        VMSTATE_UINT8(state, MqPps),
        VMSTATE_VALIDATE("state", state_valid),
        VMSTATE_BOOL(level, MqPps),
        VMSTATE_BOOL(single, MqPps),
        VMSTATE_UINT64(edge, MqPps),
        VMSTATE_UINT64(rise, MqPps),
        VMSTATE_UINT64(stop_at, MqPps),
        VMSTATE_END_OF_LIST()
    }
};
