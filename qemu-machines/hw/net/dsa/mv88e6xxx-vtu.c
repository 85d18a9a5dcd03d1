// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Marvell 88E6352: VLAN and spanning tree translation units.
 *
 * Both are arrays indexed by what they translate (VID, SID).  A walk starts
 * behind the id in the window and wraps from the highest one to 0; when there
 * is nothing left the window shows the highest id, not valid.
 *
 * Left out: violations (no frame passes this model).
 */
#include "qemu/osdep.h"
#include "mv88e6xxx-internal.h"
#include "trace.h"

void mv_vtu_flush(Mv88e6xxx *s)
{
    memset(s->vtu, 0, sizeof(s->vtu));
    memset(s->stu, 0, sizeof(s->stu));
}

static void vtu_load(Mv88e6xxx *s)
{
    uint16_t vid = s->g1[G1_VTU_VID];
    MvVtuEntry *e = &s->vtu[vid & G1_VTU_VID_MASK];

    *e = (MvVtuEntry) { .valid = vid & G1_VTU_VID_VALID };
    if (e->valid) {
        e->fid = s->g1[G1_VTU_FID];
        e->sid = s->g1[G1_VTU_SID];
        e->member[0] = s->g1[G1_VTU_DATA1] & VTU_DATA_MEMBER;
        e->member[1] = s->g1[G1_VTU_DATA2] & VTU_DATA_MEMBER;
    }
}

static void vtu_get_next(Mv88e6xxx *s)
{
    unsigned vid = ((s->g1[G1_VTU_VID] & G1_VTU_VID_MASK) + 1) % MV_VIDS;

    for (; vid < MV_VIDS; vid++) {
        const MvVtuEntry *e = &s->vtu[vid];

        if (e->valid) {
            s->g1[G1_VTU_VID] = vid | G1_VTU_VID_VALID;
            s->g1[G1_VTU_FID] = e->fid;
            s->g1[G1_VTU_SID] = e->sid;
            s->g1[G1_VTU_DATA1] = e->member[0];
            s->g1[G1_VTU_DATA2] = e->member[1];
            return;
        }
    }
    s->g1[G1_VTU_VID] = MV_VIDS - 1;
}

static void stu_load(Mv88e6xxx *s)
{
    MvStuEntry *e = &s->stu[s->g1[G1_VTU_SID] % MV_SIDS];

    *e = (MvStuEntry) { .valid = s->g1[G1_VTU_VID] & G1_VTU_VID_VALID };
    if (e->valid) {
        e->state[0] = s->g1[G1_VTU_DATA1] & VTU_DATA_STATE;
        e->state[1] = s->g1[G1_VTU_DATA2] & VTU_DATA_STATE;
    }
}

static void stu_get_next(Mv88e6xxx *s)
{
    unsigned sid = (s->g1[G1_VTU_SID] + 1) % MV_SIDS;

    for (; sid < MV_SIDS; sid++) {
        const MvStuEntry *e = &s->stu[sid];

        if (e->valid) {
            s->g1[G1_VTU_SID] = sid;
            s->g1[G1_VTU_VID] |= G1_VTU_VID_VALID;
            s->g1[G1_VTU_DATA1] = e->state[0];
            s->g1[G1_VTU_DATA2] = e->state[1];
            return;
        }
    }
    s->g1[G1_VTU_SID] = MV_SIDS - 1;
    s->g1[G1_VTU_VID] &= ~G1_VTU_VID_VALID;
}

void mv_vtu_op(Mv88e6xxx *s, uint16_t op)
{
    switch (op & G1_OP) {
    case VTU_OP_FLUSH_ALL:
        mv_vtu_flush(s);
        break;
    case VTU_OP_VTU_LOAD_PURGE:
        vtu_load(s);
        break;
    case VTU_OP_VTU_GET_NEXT:
        vtu_get_next(s);
        break;
    case VTU_OP_STU_LOAD_PURGE:
        stu_load(s);
        break;
    case VTU_OP_STU_GET_NEXT:
        stu_get_next(s);
        break;
    case VTU_OP_GET_CLR_VIOLATION:
        s->g1[G1_VTU_OP] &= ~VTU_OP_VIOLATION;
        break;
    }
    trace_mv88e6xxx_vtu_op(op, s->g1[G1_VTU_VID], s->g1[G1_VTU_FID],
                           s->g1[G1_VTU_SID], s->g1[G1_VTU_DATA1],
                           s->g1[G1_VTU_DATA2]);
}
