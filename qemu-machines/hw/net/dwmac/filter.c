// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The receive address filter of a DesignWare MAC.
 *
 * What it is: perfect slots with byte masks, hash table, promiscuous,
 * pass-all-multicast, inverse and source-address filtering, control frames,
 * and the single-tag VLAN comparison of GMAC, perfect or by hash.
 *
 * Facts: the filter tables of the GMAC 3.70a databook; dwmac1000_set_filter()
 * in Linux for the hash.
 *
 * Not here: layer 3 and 4 filters, and VLAN tags of the later cores (vlan.c).
 *
 * One thing is guessed: without SAF the databook has the SA status bit follow
 * the comparison.  With no slot set up for source addresses no comparison is
 * made, else every frame of such a setup would carry a failure.
 */
#include <string.h>
#include "filter.h"
#include "vlan.h"

#define TYPE_VLAN    0x8100
#define TYPE_QINQ    0x88a8
#define TYPE_CONTROL 0x8808
#define OPCODE_PAUSE 0x0001
#define PAUSE_LEN    60

static const uint8_t pause_group[] = { 0x01, 0x80, 0xc2, 0x00, 0x00, 0x01 };

enum { PCF_NONE, PCF_ALL_BUT_PAUSE, PCF_ALL, PCF_FILTERED };

static unsigned get16(const uint8_t *p)
{
    return p[0] << 8 | p[1];
}

static void put16(uint8_t *p, unsigned v)
{
    p[0] = v >> 8;
    p[1] = v;
}

/* MSB-first CRC of the address bits in the order in which the wire has them. */
unsigned dwmac_hash_index(const uint8_t *addr, unsigned bits)
{
    uint32_t crc = 0xffffffff;
    unsigned log2 = 0;

    while (1u << log2 < bits) {
        log2++;
    }
    for (int i = 0; i < 48; i++) {
        uint32_t bit = (addr[i / 8] >> (i % 8)) & 1;

        crc = (crc << 1) ^ (((crc >> 31) ^ bit) ? 0x04c11db7 : 0);
    }
    return ~crc >> (32 - log2);
}

static bool slot_matches(const DwmacFilter *flt, unsigned n, const uint8_t *a)
{
    uint32_t high = *flt->high[n], low = *flt->low[n];
    uint8_t want[6] = { low, low >> 8, low >> 16, low >> 24, high, high >> 8 };

    for (int i = 0; i < 6; i++) {
        /* Mask bit 0 is the byte in low 7:0; slot 0 has no mask. */
        if (n && (high >> (DWMAC_ADDR_MBC_SHIFT + i) & 1)) {
            continue;
        }
        if (want[i] != a[i]) {
            return false;
        }
    }
    return true;
}

/* Slot 0 is always enabled and always for destinations. */
static bool perfect_match(const DwmacFilter *flt, const uint8_t *a, bool sa)
{
    for (unsigned n = 0; n < flt->slots; n++) {
        uint32_t high = n ? *flt->high[n] : DWMAC_ADDR_AE;

        if ((high & DWMAC_ADDR_AE) && !(high & DWMAC_ADDR_SA) == !sa &&
            slot_matches(flt, n, a)) {
            return true;
        }
    }
    return false;
}

static bool hash_match(const DwmacFilter *flt, const uint8_t *a)
{
    unsigned bit;

    if (!flt->hash_bits) {
        return false;
    }
    bit = dwmac_hash_index(a, flt->hash_bits);
    return *flt->hash[bit / 32] >> (bit % 32) & 1;
}

static bool da_passes(const DwmacFilter *flt, const uint8_t *da)
{
    static const uint8_t broadcast[] = { 255, 255, 255, 255, 255, 255 };
    bool multi = da[0] & 1, hash, match;

    if (!memcmp(da, broadcast, 6)) {
        return !(flt->mode & DWMAC_FILTER_DBF);
    }
    if (multi && (flt->mode & DWMAC_FILTER_PM)) {
        return true;
    }
    hash = flt->mode & (multi ? DWMAC_FILTER_HMC : DWMAC_FILTER_HUC);
    match = hash && hash_match(flt, da);
    if (!hash || (flt->mode & DWMAC_FILTER_HPF)) {
        match = match || perfect_match(flt, da, false);
    }
    return match != !!(flt->mode & DWMAC_FILTER_DAIF);
}

static bool has_sa_slot(const DwmacFilter *flt)
{
    const uint32_t both = DWMAC_ADDR_AE | DWMAC_ADDR_SA;

    for (unsigned n = 1; n < flt->slots; n++) {
        if ((*flt->high[n] & both) == both) {
            return true;
        }
    }
    return false;
}

static bool sa_passes(const DwmacFilter *flt, const uint8_t *sa)
{
    if (!(flt->mode & DWMAC_FILTER_SAF) && !has_sa_slot(flt)) {
        return true;
    }
    return perfect_match(flt, sa, true) != !!(flt->mode & DWMAC_FILTER_SAIF);
}

static bool tag_matches(const DwmacFilter *flt, unsigned tci)
{
    bool etv = flt->vlan & DWMAC_VLAN_ETV;
    uint32_t mask = etv ? 0xfff : 0xffff;
    bool perfect = flt->vlan & mask, hash = flt->vlan & DWMAC_VLAN_VTHM;
    bool hit = (perfect && !((flt->vlan ^ tci) & mask)) ||
               (hash && flt->vlan_hash >> dwmac_vlan_hash(tci, etv) & 1);

    /* Without anything to compare with, every tag matches. */
    return (!perfect && !hash) || hit != !!(flt->vlan & DWMAC_VLAN_VTIM);
}

static unsigned vlan_verdict(const DwmacFilter *flt, const uint8_t *f,
                             size_t len)
{
    unsigned type = get16(f + 12);

    if (len < 18 || !(type == TYPE_VLAN || (type == TYPE_QINQ &&
                                            (flt->vlan & DWMAC_VLAN_ESVL)))) {
        return 0;
    }
    return tag_matches(flt, get16(f + 14)) ? DWMAC_VLAN_HIT :
           flt->mode & DWMAC_FILTER_VTFE ? DWMAC_DROP : 0;
}

static bool is_control(const uint8_t *f)
{
    return get16(f + 12) == TYPE_CONTROL;
}

bool dwmac_is_pause(const uint8_t *f, size_t len)
{
    return len >= 18 && is_control(f) && get16(f + 14) == OPCODE_PAUSE;
}

bool dwmac_pause_for(const uint8_t *f, size_t len, const uint8_t *own,
                     bool unicast)
{
    return dwmac_is_pause(f, len) && (!memcmp(f, pause_group, 6) ||
                                      (unicast && !memcmp(f, own, 6)));
}

void dwmac_make_pause(uint8_t *f, const uint8_t *own, unsigned quanta)
{
    memset(f, 0, PAUSE_LEN);
    memcpy(f, pause_group, 6);
    memcpy(f + 6, own, 6);
    put16(f + 12, TYPE_CONTROL);
    put16(f + 14, OPCODE_PAUSE);
    put16(f + 16, quanta);
}

/* -1: no rule of its own, else whether the frame is kept */
static int control_verdict(const DwmacFilter *flt, const uint8_t *f,
                           size_t len)
{
    if (!is_control(f)) {
        return -1;
    }
    switch ((flt->mode & DWMAC_FILTER_PCF) >> 6) {
    case PCF_NONE:
        return 0;
    case PCF_ALL_BUT_PAUSE:
        return !dwmac_is_pause(f, len);
    case PCF_ALL:
        return 1;
    case PCF_FILTERED:
        break;
    }
    return -1;
}

unsigned dwmac_filter(const DwmacFilter *flt, const uint8_t *f, size_t len)
{
    unsigned v = vlan_verdict(flt, f, len);
    int control = control_verdict(flt, f, len);

    if (flt->mode & DWMAC_FILTER_RA) {
        v &= ~DWMAC_DROP;
    } else if (control >= 0) {
        return (v & ~DWMAC_DROP) | (control ? 0 : DWMAC_DROP);
    }
    if (flt->mode & DWMAC_FILTER_PR) {
        return v;
    }
    if (!da_passes(flt, f)) {
        v |= DWMAC_DA_FAIL;
    }
    if (!sa_passes(flt, f + 6)) {
        v |= DWMAC_SA_FAIL;
    }
    if (!(flt->mode & DWMAC_FILTER_RA) &&
        ((v & DWMAC_DA_FAIL) ||
         ((v & DWMAC_SA_FAIL) && (flt->mode & DWMAC_FILTER_SAF)))) {
        v |= DWMAC_DROP;
    }
    return v;
}
