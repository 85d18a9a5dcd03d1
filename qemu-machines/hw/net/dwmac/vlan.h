/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * VLAN tags in a DesignWare MAC: filter, strip, insert; source addresses.
 *
 * Plain C without QEMU.
 */
#ifndef HW_NET_DWMAC_VLAN_H
#define HW_NET_DWMAC_VLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DWMAC_VLAN_TYPE  0x8100
#define DWMAC_SVLAN_TYPE 0x88a8
#define DWMAC_VLAN_SLOTS 32

/* The VLAN tag (control) register of QoS and XGMAC; bits 18:0 as in GMAC */
enum {
    DWMAC_VT_VL      = 0xffff,
    DWMAC_VT_ETV     = 1u << 16, /* compare 12 bits, not 16 */
    DWMAC_VT_VTIM    = 1u << 17, /* inverse match */
    DWMAC_VT_ESVL    = 1u << 18, /* 0x88a8 is a VLAN tag too */
    DWMAC_VT_ERSVLM  = 1u << 19, /* match S-VLAN tags only */
    DWMAC_VT_DOVLTC  = 1u << 20, /* either type will do */
    DWMAC_VT_EVLS_SHIFT = 21,    /* DWMAC_STRIP_* */
    DWMAC_VT_EVLRXS  = 1u << 24, /* the tag goes into the status, too */
    DWMAC_VT_VTHM    = 1u << 25, /* by hash */
    DWMAC_VT_EDVLP   = 1u << 26, /* two tags */
    DWMAC_VT_ERIVLT  = 1u << 27, /* compare the inner one */
    DWMAC_VT_EIVLS_SHIFT = 28,   /* DWMAC_STRIP_*, of the inner one */
    DWMAC_VT_EIVLRXS = 1u << 31, /* the inner one into the status, too */
};

enum { DWMAC_STRIP_NEVER, DWMAC_STRIP_PASS, DWMAC_STRIP_FAIL,
       DWMAC_STRIP_ALWAYS };

/* One of several filters, where a core has them (MAC_VLAN_Tag_Filter) */
enum {
    DWMAC_VF_VEN    = 1u << 16,
    DWMAC_VF_ETV    = 1u << 17,
    DWMAC_VF_DOVLTC = 1u << 18,
    DWMAC_VF_ERSVLM = 1u << 19,
    DWMAC_VF_ERIVLT = 1u << 20,
};

typedef struct DwmacVlan {
    uint32_t tag;               /* DWMAC_VT_* */
    uint32_t hash;              /* 16 bits */
    unsigned slots;             /* filters, or 0: VL of tag is the filter */
    const uint32_t *slot;       /* DWMAC_VF_*, VID */
} DwmacVlan;

/* What dwmac_vlan_filter() says. */
enum {
    DWMAC_VT_TAGGED = 1 << 0,   /* with a tag that the MAC looks at */
    DWMAC_VT_FAIL   = 1 << 1,   /* which matches no filter */
    DWMAC_VT_MATCH  = 1 << 2,   /* there is a filter, and it matches */
    DWMAC_VT_TWO    = 1 << 3,   /* with two of them */
};

/** dwmac_vlan_hash: place of a tag in the hash table of 16 bits */
unsigned dwmac_vlan_hash(uint16_t tci, bool etv);

/**
 * dwmac_vlan_filter: judge a received frame by its VLAN tag
 * @v: the registers
 * @f: the frame
 * @len: its length, at least 14
 */
unsigned dwmac_vlan_filter(const DwmacVlan *v, const uint8_t *f, size_t len);

/** dwmac_vlan_strips: is the outer tag taken off, given the verdict? */
bool dwmac_vlan_strips(const DwmacVlan *v, unsigned verdict);
/** dwmac_vlan_strips_inner: is the inner one? */
bool dwmac_vlan_strips_inner(const DwmacVlan *v, unsigned verdict);

/* What is done with a tag on the way out: the codes of TDES2.VTIR. */
enum DwmacVtir { DWMAC_VTIR_NONE, DWMAC_VTIR_REMOVE, DWMAC_VTIR_INSERT,
                 DWMAC_VTIR_REPLACE };

/**
 * dwmac_vlan_edit: insert, replace or remove a tag behind the addresses
 * @f: the frame; has room for 4 bytes more
 * @len: its length in bytes
 * @at: where the tag's type is or goes: 12, or 16 for an inner one
 * @op: what to do; a tag that is not there is neither removed nor replaced
 * @type: of the tag to write
 * @tci: of the tag to write
 *
 * Returns: the new length.
 */
size_t dwmac_vlan_edit(uint8_t *f, size_t len, size_t at, enum DwmacVtir op,
                       uint16_t type, uint16_t tci);

/* The VLAN tag inclusion register */
enum {
    DWMAC_VI_VLC_SHIFT = 16,
    DWMAC_VI_VLP  = 1u << 18,   /* VLC counts, not what the frame asks for */
    DWMAC_VI_CSVL = 1u << 19,   /* an S-VLAN tag */
    DWMAC_VI_VLTI = 1u << 20,   /* the tag comes with the frame */
};

/**
 * dwmac_vlan_include: do what that register and a frame ask for
 * @reg: DWMAC_VI_*, and a tag
 * @op: what the frame's descriptor asks for
 * @tci: the tag that came with it
 * @at, @f, @len: as for dwmac_vlan_edit()
 */
size_t dwmac_vlan_include(uint8_t *f, size_t len, size_t at, uint32_t reg,
                          enum DwmacVtir op, uint16_t tci);

/**
 * dwmac_source_address: insert or replace a frame's source address
 * @f: the frame; has room for 6 bytes more
 * @len: its length in bytes; nothing is done below 12
 * @saic: what its descriptor asks for: 1 inserts, 2 replaces, with bit 2 the
 *        second address
 * @sarc: what the MAC does to frames that ask for nothing: 2 inserts, 3
 *        replaces, with bit 2 the second address
 * @addr: the two addresses
 *
 * Returns: the new length.
 */
size_t dwmac_source_address(uint8_t *f, size_t len, unsigned saic,
                            unsigned sarc, uint8_t addr[2][6]);

#endif
