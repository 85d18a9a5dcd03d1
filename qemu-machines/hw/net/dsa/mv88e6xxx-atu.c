// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Marvell 88E6352: address translation unit.
 *
 * One array sorted by database (FID) and address, so that "get next" is a
 * binary search and walks in the order that the chip promises.  The chip
 * hashes into buckets of four and can refuse an address while it has room
 * elsewhere; here the table is full only when all 8192 entries are used.
 *
 * Left out: learning and ageing (no frame passes this model, so every entry is
 * one that software loaded), violations other than "full", and the split into
 * hash bins: the statistics count every entry in the first bin with room.
 */
#include "qemu/osdep.h"
#include "mv88e6xxx-internal.h"
#include "trace.h"

#define MAC_LAST  0xffffffffffffULL
#define MULTICAST (1ULL << 40)

static uint64_t get_mac(Mv88e6xxx *s)
{
    return (uint64_t)s->g1[G1_ATU_MAC01] << 32 |
           (uint64_t)s->g1[G1_ATU_MAC01 + 1] << 16 | s->g1[G1_ATU_MAC01 + 2];
}

/* Shows @e in the window; NULL: "no such entry", state 0. */
static void put_entry(Mv88e6xxx *s, const MvAtuEntry *e)
{
    uint64_t mac = e ? e->mac : MAC_LAST;

    s->g1[G1_ATU_MAC01] = mac >> 32;
    s->g1[G1_ATU_MAC01 + 1] = mac >> 16;
    s->g1[G1_ATU_MAC01 + 2] = mac;
    s->g1[G1_ATU_DATA] = e ? e->data : 0;
    s->g1[G1_ATU_OP] &= ~ATU_OP_MAC_PRI;
    s->g1[G1_ATU_OP] |= e ? e->pri << 8 : 0;
}

/* Index of the first entry that is not before (fid, mac). */
static unsigned lower_bound(Mv88e6xxx *s, uint16_t fid, uint64_t mac)
{
    unsigned lo = 0, hi = s->atu_count;

    while (lo < hi) {
        unsigned mid = lo + (hi - lo) / 2;
        const MvAtuEntry *e = &s->atu[mid];

        if (e->fid < fid || (e->fid == fid && e->mac < mac)) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo;
}

static void remove_at(Mv88e6xxx *s, unsigned i)
{
    s->atu_count--;
    memmove(&s->atu[i], &s->atu[i + 1],
            (s->atu_count - i) * sizeof(s->atu[0]));
}

/* Loads the entry of the window, or purges it when its state is 0. */
static void load(Mv88e6xxx *s, uint16_t op)
{
    MvAtuEntry e = {
        .mac = get_mac(s),
        .fid = s->g1[G1_ATU_FID],
        .data = s->g1[G1_ATU_DATA],
        .pri = (op & ATU_OP_MAC_PRI) >> 8,
    };
    unsigned i = lower_bound(s, e.fid, e.mac);
    bool found = i < s->atu_count && s->atu[i].fid == e.fid &&
                 s->atu[i].mac == e.mac;

    if (!(e.data & ATU_DATA_STATE)) {
        if (found) {
            remove_at(s, i);
        }
        return;
    }
    if (!found) {
        if (s->atu_count == MV_ATU_ENTRIES) {
            s->atu_full = e;
            mv_g1_raise(s, G1_STS_IRQ_ATU_PROB);
            return;
        }
        memmove(&s->atu[i + 1], &s->atu[i],
                (s->atu_count - i) * sizeof(s->atu[0]));
        s->atu_count++;
    }
    s->atu[i] = e;
}

/* The walk starts at the lowest address when the window holds the highest. */
static void get_next(Mv88e6xxx *s)
{
    uint16_t fid = s->g1[G1_ATU_FID];
    uint64_t mac = get_mac(s);
    unsigned i = lower_bound(s, fid, mac == MAC_LAST ? 0 : mac + 1);

    put_entry(s, i < s->atu_count && s->atu[i].fid == fid ? &s->atu[i] : NULL);
}

static bool is_static(const MvAtuEntry *e)
{
    /* multicast entries never age; unicast states 1-7 are ages */
    return (e->mac & MULTICAST) || (e->data & ATU_DATA_STATE) > 7;
}

/*
 * Takes @e off the port in bits 7:4 of the window's data and onto the one in
 * bits 11:8 (15: onto none).  False when no port is left.
 */
static bool move_entry(MvAtuEntry *e, uint16_t data)
{
    unsigned from = (data >> 4) & 0xf, to = (data >> 8) & 0xf;

    if ((e->data & ATU_DATA_TRUNK) || !(e->data & (1u << (from + 4)))) {
        return true;
    }
    e->data &= ~(1u << (from + 4));
    if (to != 0xf) {
        e->data |= (1u << (to + 4)) & ATU_DATA_PORTVEC;
    }
    return e->data & ATU_DATA_PORTVEC;
}

/* State 0 in the window flushes, state 15 moves; @fid -1: every database. */
static void flush_or_move(Mv88e6xxx *s, bool all, int fid)
{
    uint16_t data = s->g1[G1_ATU_DATA];
    bool move = (data & ATU_DATA_STATE) == ATU_DATA_STATE_MOVE;
    unsigned from, to = 0;

    for (from = 0; from < s->atu_count; from++) {
        MvAtuEntry e = s->atu[from];
        bool touched = (all || !is_static(&e)) && (fid < 0 || e.fid == fid);

        if (!touched || (move && move_entry(&e, data))) {
            s->atu[to++] = e;
        }
    }
    s->atu_count = to;
}

static void get_clear_violation(Mv88e6xxx *s)
{
    s->g1[G1_ATU_OP] &= ~ATU_OP_VIOLATION;
    if (s->atu_full.data) {
        put_entry(s, &s->atu_full);
        s->g1[G1_ATU_FID] = s->atu_full.fid;
        s->g1[G1_ATU_OP] |= ATU_OP_FULL_VIOLATION;
        s->atu_full = (MvAtuEntry) { 0 };
    }
    s->g1_irqs &= ~G1_STS_IRQ_ATU_PROB;
}

void mv_atu_op(Mv88e6xxx *s, uint16_t op)
{
    switch (op & G1_OP) {
    case ATU_OP_FLUSH_MOVE_ALL:
        flush_or_move(s, true, -1);
        break;
    case ATU_OP_FLUSH_MOVE_NON_STATIC:
        flush_or_move(s, false, -1);
        break;
    case ATU_OP_LOAD_DB:
        load(s, op);
        break;
    case ATU_OP_GET_NEXT_DB:
        get_next(s);
        break;
    case ATU_OP_FLUSH_MOVE_ALL_DB:
        flush_or_move(s, true, s->g1[G1_ATU_FID]);
        break;
    case ATU_OP_FLUSH_MOVE_NON_STATIC_DB:
        flush_or_move(s, false, s->g1[G1_ATU_FID]);
        break;
    case ATU_OP_GET_CLR_VIOLATION:
        get_clear_violation(s);
        break;
    }
    trace_mv88e6xxx_atu_op(op, s->g1[G1_ATU_FID], get_mac(s),
                           s->g1[G1_ATU_DATA], s->atu_count);
}

unsigned mv_atu_occupancy(Mv88e6xxx *s, bool dynamic, int fid)
{
    unsigned i, n = 0;

    for (i = 0; i < s->atu_count; i++) {
        n += (fid < 0 || s->atu[i].fid == fid) &&
             (!dynamic || !is_static(&s->atu[i]));
    }
    return n;
}
