// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * VLAN tags in a DesignWare MAC: filter, strip, insert; source addresses.
 *
 * What it is: the receive filter with one tag register, several, or a hash
 * table, for outer and inner tags; the editing of tags in both directions; and
 * what else a MAC puts into a frame that leaves, its source address.
 *
 * Facts: dwmac4_update_vlan_hash(), dwmac4_write_vlan_filter() and
 * stmmac_vid_crc32_le() of Linux 6.12; the QoS 5.10a databook, as vendors'
 * manuals repeat it, for the bits that the driver leaves alone.
 *
 * A register whose VL is 0 (the bits that count) compares nothing: every tag
 * passes.  With the hash table on, VL is looked at as well if it is not 0.
 *
 * Not here: more than two tags.
 */
#include <string.h>
#include "vlan.h"

static unsigned get16(const uint8_t *p)
{
    return p[0] << 8 | p[1];
}

/* Least significant bit first, as a shift register gets it. */
unsigned dwmac_vlan_hash(uint16_t tci, bool etv)
{
    unsigned bits = etv ? 12 : 16;
    uint32_t crc = 0xffffffff;

    for (unsigned i = 0; i < bits; i++) {
        crc = crc << 1 ^ (crc >> 31 ^ (tci >> i & 1) ? 0x04c11db7 : 0);
    }
    return ~crc >> 28;
}

static bool is_tag(const DwmacVlan *v, unsigned type)
{
    return type == DWMAC_VLAN_TYPE ||
           (type == DWMAC_SVLAN_TYPE &&
            (v->tag & (DWMAC_VT_ESVL | DWMAC_VT_EDVLP)));
}

static bool type_matches(unsigned type, bool either, bool svlan)
{
    return either ||
           type == (svlan ? DWMAC_SVLAN_TYPE : DWMAC_VLAN_TYPE);
}

/* -1: there is no filter, else whether one matches */
static int slots_verdict(const DwmacVlan *v, const uint8_t *f, bool two)
{
    int verdict = -1;

    for (unsigned i = 0; i < v->slots; i++) {
        uint32_t s = v->slot[i];
        uint32_t mask = s & DWMAC_VF_ETV ? 0xfff : 0xffff;
        const uint8_t *tag = f + (two && (s & DWMAC_VF_ERIVLT) ? 16 : 12);

        if (!(s & DWMAC_VF_VEN)) {
            continue;
        }
        verdict = verdict < 0 ? 0 : verdict;
        if (!((s ^ get16(tag + 2)) & mask) &&
            type_matches(get16(tag), s & DWMAC_VF_DOVLTC,
                         s & DWMAC_VF_ERSVLM)) {
            return 1;
        }
    }
    return verdict;
}

static int register_verdict(const DwmacVlan *v, const uint8_t *tag)
{
    bool etv = v->tag & DWMAC_VT_ETV;
    uint32_t mask = etv ? 0xfff : 0xffff;
    unsigned tci = get16(tag + 2);
    bool perfect = v->tag & mask;
    bool hit;

    if (!perfect && !(v->tag & DWMAC_VT_VTHM)) {
        return -1;
    }
    hit = (perfect && !((v->tag ^ tci) & mask) &&
           type_matches(get16(tag), v->tag & (DWMAC_VT_DOVLTC | DWMAC_VT_ESVL),
                        v->tag & DWMAC_VT_ERSVLM)) ||
          ((v->tag & DWMAC_VT_VTHM) &&
           v->hash >> dwmac_vlan_hash(tci, etv) & 1);
    return hit != !!(v->tag & DWMAC_VT_VTIM);
}

unsigned dwmac_vlan_filter(const DwmacVlan *v, const uint8_t *f, size_t len)
{
    bool two;
    int verdict;

    if (len < 18 || !is_tag(v, get16(f + 12))) {
        return 0;
    }
    two = len >= 22 && (v->tag & DWMAC_VT_EDVLP) && is_tag(v, get16(f + 16));
    verdict = v->slots ? slots_verdict(v, f, two) : -1;
    if (verdict < 0 && (!v->slots || (v->tag & DWMAC_VT_VTHM))) {
        verdict = register_verdict(v, f + (two && (v->tag & DWMAC_VT_ERIVLT) ?
                                           16 : 12));
    }
    return DWMAC_VT_TAGGED | (two ? DWMAC_VT_TWO : 0) |
           (verdict == 0 ? DWMAC_VT_FAIL : 0) |
           (verdict > 0 ? DWMAC_VT_MATCH : 0);
}

static bool strips(unsigned mode, unsigned verdict)
{
    switch (mode) {
    case DWMAC_STRIP_PASS:
        return !(verdict & DWMAC_VT_FAIL);
    case DWMAC_STRIP_FAIL:
        return verdict & DWMAC_VT_FAIL;
    case DWMAC_STRIP_ALWAYS:
        return true;
    }
    return false;
}

bool dwmac_vlan_strips(const DwmacVlan *v, unsigned verdict)
{
    return (verdict & DWMAC_VT_TAGGED) &&
           strips(v->tag >> DWMAC_VT_EVLS_SHIFT & 3, verdict);
}

bool dwmac_vlan_strips_inner(const DwmacVlan *v, unsigned verdict)
{
    return (verdict & DWMAC_VT_TWO) &&
           strips(v->tag >> DWMAC_VT_EIVLS_SHIFT & 3, verdict);
}

static bool tag_at(const uint8_t *f, size_t len, size_t at)
{
    return len >= at + 4 && (get16(f + at) == DWMAC_VLAN_TYPE ||
                             get16(f + at) == DWMAC_SVLAN_TYPE);
}

static void put_tag(uint8_t *p, uint16_t type, uint16_t tci)
{
    p[0] = type >> 8;
    p[1] = type;
    p[2] = tci >> 8;
    p[3] = tci;
}

size_t dwmac_vlan_edit(uint8_t *f, size_t len, size_t at, enum DwmacVtir op,
                       uint16_t type, uint16_t tci)
{
    switch (op) {
    case DWMAC_VTIR_NONE:
        break;
    case DWMAC_VTIR_REMOVE:
        if (tag_at(f, len, at)) {
            memmove(f + at, f + at + 4, len - at - 4);
            len -= 4;
        }
        break;
    case DWMAC_VTIR_INSERT:
        if (len >= at) {
            memmove(f + at + 4, f + at, len - at);
            put_tag(f + at, type, tci);
            len += 4;
        }
        break;
    case DWMAC_VTIR_REPLACE:
        if (tag_at(f, len, at)) {
            put_tag(f + at, type, tci);
        }
        break;
    }
    return len;
}

size_t dwmac_vlan_include(uint8_t *f, size_t len, size_t at, uint32_t reg,
                          enum DwmacVtir op, uint16_t tci)
{
    if (reg & DWMAC_VI_VLP) {
        op = reg >> DWMAC_VI_VLC_SHIFT & 3;
    }
    return dwmac_vlan_edit(f, len, at, op,
                           reg & DWMAC_VI_CSVL ? DWMAC_SVLAN_TYPE :
                                                 DWMAC_VLAN_TYPE,
                           reg & DWMAC_VI_VLTI ? tci : reg);
}

size_t dwmac_source_address(uint8_t *f, size_t len, unsigned saic,
                            unsigned sarc, uint8_t addr[2][6])
{
    bool own = saic & 3;
    bool insert = own ? (saic & 3) == 1 : (sarc & 3) == 2;
    bool replace = own ? (saic & 3) == 2 : (sarc & 3) == 3;

    if (!(insert || replace) || len < 12) {
        return len;
    }
    if (insert) {
        memmove(f + 12, f + 6, len - 6);
        len += 6;
    }
    memcpy(f + 6, addr[(own ? saic : sarc) >> 2 & 1], 6);
    return len;
}
