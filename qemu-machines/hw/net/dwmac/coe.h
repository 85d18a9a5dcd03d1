/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The checksum offload engine of a DesignWare MAC, over a flat frame.
 *
 * Plain C without QEMU, so that it can be tested alone.  Frames start at the
 * destination address and carry no FCS; multi-byte fields are in wire order.
 */
#ifndef HW_NET_DWMAC_COE_H
#define HW_NET_DWMAC_COE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What kind of layer 4 the engine found; the codes of RDES4 bits 2:0. */
enum CoeProto {
    COE_PROTO_NONE = 0, /* nothing that the engine can sum */
    COE_PROTO_UDP  = 1,
    COE_PROTO_TCP  = 2,
    COE_PROTO_ICMP = 3, /* ICMP over IPv4, ICMPv6 over IPv6 */
};

/* Checksum insertion control of a transmit descriptor. */
enum CoeCic {
    COE_CIC_OFF     = 0,
    COE_CIC_IPHDR   = 1, /* the IPv4 header checksum only */
    COE_CIC_PAYLOAD = 2, /* and layer 4, onto a pseudo-header sum in place */
    COE_CIC_FULL    = 3, /* and layer 4, pseudo-header included */
};

/* Flags that coe_parse(), coe_verify() and coe_insert() report. */
enum {
    COE_TYPE      = 1 << 0, /* offset 12 holds a type, not an 802.3 length */
    COE_VLAN      = 1 << 1, /* one 802.1Q tag was skipped */
    COE_IPV4      = 1 << 2,
    COE_IPV6      = 1 << 3,
    COE_HDR_ERR   = 1 << 4, /* version, length or IPv4 checksum wrong */
    COE_PAY_ERR   = 1 << 5, /* layer 4 checksum wrong, or layer 4 cut off */
    COE_BYPASS    = 1 << 6, /* IP, but layer 4 was not looked at */
    COE_FRAGMENT  = 1 << 7, /* bypassed, being a fragment */
    COE_UDP_ZERO  = 1 << 8, /* IPv4 UDP whose sender computed no checksum */
};
#define COE_IP (COE_IPV4 | COE_IPV6)

typedef struct CoeFrame {
    unsigned flags;
    enum CoeProto proto;
    unsigned l3;        /* offset of the IP header */
    unsigned l4;        /* offset of layer 4, valid when proto is not NONE */
    unsigned l4_len;    /* its length as the IP header claims it */
    unsigned l4_have;   /* how much of that is in the frame */
    unsigned ip_len;    /* length of the IP packet as its header claims it */
} CoeFrame;

/**
 * coe_sum16: ones' complement sum of a byte string
 * @p: the bytes; an odd length is padded with a zero byte
 * @len: their number
 *
 * Returns: the folded sum (not inverted) in host order (RFC 1071).
 */
uint16_t coe_sum16(const uint8_t *p, size_t len);

/**
 * coe_parse: find the IP packet in a frame as the engine does
 * @f: the frame
 * @len: its length in bytes
 * @c: what was found; c->flags has no checksum verdict yet
 *
 * Looks at the type at offset 12, skips at most one 802.1Q tag, and knows no
 * other tag.
 */
void coe_parse(const uint8_t *f, size_t len, CoeFrame *c);

/**
 * coe_verify: the receive engine, type 2
 * @f: the frame
 * @len: its length in bytes
 * @c: filled as by coe_parse(), with the verdict in c->flags
 */
void coe_verify(const uint8_t *f, size_t len, CoeFrame *c);

/**
 * coe_insert: the transmit engine
 * @f: the frame, changed in place
 * @len: its length in bytes
 * @cic: what the descriptor asks for
 * @payload: false when the FIFO cannot hold the whole frame: layer 4 is then
 *           left as it is and reported as an error
 *
 * Returns: COE_* flags; HDR_ERR and PAY_ERR are those of the transmit status.
 */
unsigned coe_insert(uint8_t *f, size_t len, enum CoeCic cic, bool payload);

/**
 * coe_type1: the receive engine, type 1
 * @f: the frame
 * @len: its length in bytes
 * @sum: ones' complement sum of everything behind the Ethernet header (and
 *       behind one 802.1Q tag), in host order
 *
 * Returns: COE_TYPE, COE_VLAN, COE_IPV4 and COE_HDR_ERR as found: type 1
 * checks the IPv4 header and no more.
 */
unsigned coe_type1(const uint8_t *f, size_t len, uint16_t *sum);

#endif
