/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The receive address filter of a DesignWare MAC.
 *
 * Plain C without QEMU.  The front ends translate their registers into this.
 */
#ifndef HW_NET_DWMAC_FILTER_H
#define HW_NET_DWMAC_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DWMAC_ADDR_SLOTS 32
#define DWMAC_HASH_WORDS 8

/* The frame filter register; GMAC, QoS and XGMAC have these bits in common. */
enum {
    DWMAC_FILTER_PR   = 1u << 0,  /* promiscuous */
    DWMAC_FILTER_HUC  = 1u << 1,  /* hash for unicast */
    DWMAC_FILTER_HMC  = 1u << 2,  /* hash for multicast */
    DWMAC_FILTER_DAIF = 1u << 3,  /* inverse DA filter */
    DWMAC_FILTER_PM   = 1u << 4,  /* pass all multicast */
    DWMAC_FILTER_DBF  = 1u << 5,  /* drop broadcast */
    DWMAC_FILTER_PCF  = 3u << 6,  /* control frames, see below */
    DWMAC_FILTER_SAIF = 1u << 8,  /* inverse SA filter */
    DWMAC_FILTER_SAF  = 1u << 9,  /* drop on SA mismatch */
    DWMAC_FILTER_HPF  = 1u << 10, /* hash or perfect */
    DWMAC_FILTER_VTFE = 1u << 16, /* drop on VLAN tag mismatch */
    DWMAC_FILTER_RA   = 1u << 31, /* receive all, tell the verdict */
};

/* The VLAN tag register of GMAC */
enum {
    DWMAC_VLAN_VL   = 0xffff,
    DWMAC_VLAN_ETV  = 1u << 16, /* compare 12 bits, not 16 */
    DWMAC_VLAN_VTIM = 1u << 17, /* inverse match */
    DWMAC_VLAN_ESVL = 1u << 18, /* 0x88a8 is a VLAN tag too */
    DWMAC_VLAN_VTHM = 1u << 19, /* by hash */
};

/* Bits 30 to 24 of an address-high register */
enum {
    DWMAC_ADDR_AE  = 1u << 31,
    DWMAC_ADDR_SA  = 1u << 30,
    DWMAC_ADDR_MBC_SHIFT = 24,  /* six bits, one a byte to ignore */
};

typedef struct DwmacFilter {
    uint32_t mode;                      /* DWMAC_FILTER_* */
    uint32_t vlan;                      /* DWMAC_VLAN_* */
    uint16_t vlan_hash;
    unsigned slots;                     /* address registers that exist */
    unsigned hash_bits;                 /* 0, 64, 128 or 256 */
    const uint32_t *high[DWMAC_ADDR_SLOTS];
    const uint32_t *low[DWMAC_ADDR_SLOTS];
    const uint32_t *hash[DWMAC_HASH_WORDS]; /* bits 31:0 first */
} DwmacFilter;

/* What the filter says of a frame. */
enum {
    DWMAC_DROP      = 1 << 0,
    DWMAC_DA_FAIL   = 1 << 1, /* status bit for a frame that is kept */
    DWMAC_SA_FAIL   = 1 << 2,
    DWMAC_VLAN_HIT  = 1 << 3, /* the tag is the one in the VLAN register */
};

/**
 * dwmac_hash_index: place of an address in the hash table
 * @addr: six bytes
 * @bits: size of the table in bits: 64, 128 or 256
 *
 * The upper bits of the bit-reversed, inverted Ethernet CRC of the address
 * (dwmac1000_set_filter() of Linux).
 */
unsigned dwmac_hash_index(const uint8_t *addr, unsigned bits);

/**
 * dwmac_filter: judge a frame by its addresses and its VLAN tag
 * @flt: the registers
 * @f: the frame
 * @len: its length; at least 14
 *
 * Returns: DWMAC_DROP and the other bits above.
 */
unsigned dwmac_filter(const DwmacFilter *flt, const uint8_t *f, size_t len);

/** dwmac_is_pause: an 802.3x PAUSE frame, whatever its destination? */
bool dwmac_is_pause(const uint8_t *f, size_t len);

/**
 * dwmac_pause_for: a PAUSE frame that the MAC of this address obeys?
 * @own: the address
 * @unicast: does it obey one that is sent to @own, not to the reserved group?
 */
bool dwmac_pause_for(const uint8_t *f, size_t len, const uint8_t *own,
                     bool unicast);

/** dwmac_make_pause: one from @own, to that group; 60 bytes, without FCS */
void dwmac_make_pause(uint8_t *f, const uint8_t *own, unsigned quanta);

#endif
