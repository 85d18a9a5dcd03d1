/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * IEEE 1588 in a DesignWare MAC: the system time and which frames get a stamp.
 *
 * Plain C without QEMU: the caller says what its clock shows.  The block of
 * registers is the same in all generations (0x700 in GMAC, 0xb00 in QoS, 0xd00
 * in XGMAC) but for auxiliary snapshots and PPS outputs; offsets are relative to
 * it, as in stmmac_ptp.h of Linux.
 */
#ifndef HW_NET_DWMAC_PTP_H
#define HW_NET_DWMAC_PTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DWMAC_PTP_TCR    0x00
#define DWMAC_PTP_SSIR   0x04
#define DWMAC_PTP_STSR   0x08
#define DWMAC_PTP_STNSR  0x0c
#define DWMAC_PTP_STSUR  0x10
#define DWMAC_PTP_STNSUR 0x14
#define DWMAC_PTP_TAR    0x18
#define DWMAC_PTP_SIZE   0x1c

/* The timestamp control register */
enum {
    DWMAC_PTP_TSENA     = 1u << 0,
    DWMAC_PTP_TSCFUPDT  = 1u << 1,  /* fine: the addend sets the rate */
    DWMAC_PTP_TSINIT    = 1u << 2,
    DWMAC_PTP_TSUPDT    = 1u << 3,
    DWMAC_PTP_TSADDREG  = 1u << 5,
    DWMAC_PTP_TSENALL   = 1u << 8,
    DWMAC_PTP_TSCTRLSSR = 1u << 9,  /* nanoseconds, not 2^-31 s */
    DWMAC_PTP_TSVER2ENA = 1u << 10, /* messages of version 2, not 1 */
    DWMAC_PTP_TSIPENA   = 1u << 11,
    DWMAC_PTP_TSIPV6ENA = 1u << 12,
    DWMAC_PTP_TSIPV4ENA = 1u << 13,
    DWMAC_PTP_TSEVNTENA = 1u << 14,
    DWMAC_PTP_TSMSTRENA = 1u << 15,
    DWMAC_PTP_SNAPTYPSEL_SHIFT = 16,
    /* GMAC only; in QoS and XGMAC they have a register of their own */
    DWMAC_PTP_ATSFC     = 1u << 24, /* forget the auxiliary snapshots */
    DWMAC_PTP_ATSEN_SHIFT = 25,     /* inputs that are turned on */
};

/* Auxiliary snapshots that can wait to be read. */
#define DWMAC_PTP_SNAPSHOTS 16
#define DWMAC_PTP_INPUTS    4

typedef struct DwmacPtpSnapshot {
    uint64_t ns;            /* system time */
    uint8_t input;          /* whose edge it was */
} DwmacPtpSnapshot;

typedef struct DwmacPtp {
    uint32_t tcr, ssir, stsur, stnsur, tar, addend;
    uint64_t base_ns;       /* system time when the clock showed base_clock */
    int64_t base_clock;
    DwmacPtpSnapshot aux[DWMAC_PTP_SNAPSHOTS];  /* the oldest first */
    uint8_t aux_n;
    bool aux_missed;        /* one found no room */
    uint8_t aux_level;      /* of the inputs, one bit each; no register */
    uint32_t hz;            /* of the reference clock; no state */
    bool v4;                /* QoS and XGMAC subtract in another way */
} DwmacPtp;

/** dwmac_ptp_reset: all registers 0, time 0; the inputs, @hz and @v4 are left alone */
void dwmac_ptp_reset(DwmacPtp *p, int64_t clock);

/**
 * dwmac_ptp_now: the system time
 * @clock: what the caller's clock shows, in ns
 *
 * Returns: nanoseconds; seconds count modulo 2^32.
 */
uint64_t dwmac_ptp_now(const DwmacPtp *p, int64_t clock);

/**
 * dwmac_ptp_until: when will it be that time?
 * @ns: a system time that is still to come
 * @clock: what the caller's clock shows
 *
 * Returns: what it will show then, or INT64_MAX if the time stands still.
 */
int64_t dwmac_ptp_until(const DwmacPtp *p, uint64_t ns, int64_t clock);

/** dwmac_ptp_to_ns: sub-seconds as a register has them, as TSCTRLSSR says */
uint64_t dwmac_ptp_to_ns(const DwmacPtp *p, uint64_t units);

/** dwmac_ptp_increment: what a tick of the reference clock is worth, ns */
uint64_t dwmac_ptp_increment(const DwmacPtp *p);

/** Register access; @off is below DWMAC_PTP_SIZE. */
uint32_t dwmac_ptp_read(const DwmacPtp *p, unsigned off, int64_t clock);
void dwmac_ptp_write(DwmacPtp *p, unsigned off, uint32_t val, int64_t clock);

/**
 * dwmac_ptp_input: the level of auxiliary input @input
 * @enabled: the inputs whose edges count, one bit each
 *
 * Returns: true when this was such an edge, and time stamps are on: the MAC tells
 * of a snapshot, or of one that found no room.
 */
bool dwmac_ptp_input(DwmacPtp *p, unsigned input, bool level, unsigned enabled,
                     int64_t clock);

/**
 * dwmac_ptp_aux_status: bits 31:16 of the time stamp status register
 *
 * Which input the oldest snapshot is of, whether one was missed (which is told
 * once), how many there are.
 */
uint32_t dwmac_ptp_aux_status(DwmacPtp *p);

/* The oldest snapshot, 0 if there is none; reading its seconds takes it out. */
uint32_t dwmac_ptp_aux_nsec(const DwmacPtp *p);
uint32_t dwmac_ptp_aux_sec(DwmacPtp *p);
void dwmac_ptp_aux_clear(DwmacPtp *p);

/** dwmac_ptp_stamps: does a received frame get a time stamp? */
bool dwmac_ptp_stamps(const DwmacPtp *p, const uint8_t *f, size_t len);

#endif
