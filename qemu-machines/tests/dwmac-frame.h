/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Frames for the tests of the MAC: built from a description, checksummed by
 * the slowest correct code there is, which shares nothing with the model.
 */
#ifndef TESTS_DWMAC_FRAME_H
#define TESTS_DWMAC_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FRAME_MAX 2048

enum frame_ip { IP_NONE, IP_V4, IP_V6 };

/* What to build; zero is an untagged frame with an unknown type. */
struct frame_spec {
	enum frame_ip ip;
	uint8_t proto;		/* 6, 17, 1, 58 or any other */
	unsigned payload;	/* bytes behind the layer 4 header */
	uint8_t tag[16];	/* goes in front of the type */
	unsigned tag_len;
	unsigned options;	/* IPv4 option bytes, a multiple of 4 */
	int ext[3];		/* IPv6 extension headers, 0 ends, -1 is hop-by-hop */
	bool fragment;
	int ip_len_lie;		/* added to the length in the IP header */
	bool udp_zero;		/* UDP checksum 0: none was computed */
	bool bad_ip, bad_l4;	/* spoil the checksum */
};

struct frame {
	uint8_t data[FRAME_MAX];
	size_t len;
	unsigned l3, l4, csum;	/* offsets; csum is 0 without layer 4 */
	uint16_t pseudo;	/* sum of the pseudo-header, not inverted */
};

/* Builds the frame with right checksums, then spoils what is asked for. */
void frame_build(struct frame *f, const struct frame_spec *s);

/* A magic packet for the MAC that frames go to. */
void frame_magic(struct frame *f);

/*
 * A frame with eight bytes of 55 at offset 50, and the words of a wake-up filter
 * that knows it (the first of four), with the CRC that vendors' tools have.
 */
void frame_wakeup(struct frame *f);
extern const uint32_t frame_wakeup_filter[8];

/* RFC 1071, byte by byte; host order, not inverted */
uint16_t frame_sum(const uint8_t *p, size_t len);
uint32_t frame_crc(const uint8_t *p, size_t len);

/* Puts what a driver leaves for a MAC that does everything (CIC 3). */
void frame_blank_csums(struct frame *f);

#endif
