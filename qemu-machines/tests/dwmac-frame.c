// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Frames for the tests of the MAC: see dwmac-frame.h.
 */
#include <string.h>
#include "dwmac-frame.h"

static void put16(uint8_t *p, unsigned v)
{
	p[0] = v >> 8;
	p[1] = v;
}

uint16_t frame_sum(const uint8_t *p, size_t len)
{
	uint32_t sum = 0;

	for (size_t i = 0; i < len; i++) {
		sum += i % 2 ? p[i] : p[i] << 8;
		sum = (sum & 0xffff) + (sum >> 16);
	}
	return sum;
}

uint32_t frame_crc(const uint8_t *p, size_t len)
{
	uint32_t crc = 0xffffffff;

	while (len--) {
		crc ^= *p++;
		for (int i = 0; i < 8; i++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
	}
	return ~crc;
}

static unsigned l4_header(uint8_t proto)
{
	return proto == 6 ? 20 : 8;
}

static unsigned csum_at(uint8_t proto)
{
	return proto == 6 ? 16 : proto == 17 ? 6 : 2;
}

static bool has_csum(uint8_t proto)
{
	return proto == 6 || proto == 17 || proto == 1 || proto == 58;
}

static unsigned add_ipv4(uint8_t *ip, const struct frame_spec *s, unsigned l4)
{
	unsigned ihl = 20 + s->options;

	ip[0] = 0x40 | ihl / 4;
	put16(ip + 2, ihl + l4 + s->ip_len_lie);
	put16(ip + 6, s->fragment ? 0x2000 : 0x4000);
	ip[8] = 64;
	ip[9] = s->proto;
	memcpy(ip + 12, "\xc0\x00\x02\x01\xc0\x00\x02\x02", 8);
	memset(ip + 20, 1, s->options);
	put16(ip + 10, (uint16_t)~frame_sum(ip, ihl));
	if (s->bad_ip)
		ip[10] ^= 0x55;
	return ihl;
}

/* Every extension header here is 8 bytes; a fragment header is, too. */
static unsigned add_ipv6(uint8_t *ip, const struct frame_spec *s, unsigned l4)
{
	unsigned n = 40;
	uint8_t *next = ip + 6;

	ip[0] = 0x60;
	ip[7] = 64;
	memcpy(ip + 8, "\x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\1", 16);
	memcpy(ip + 24, "\x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\2", 16);
	for (int i = 0; i < 3 && s->ext[i]; i++) {
		*next = s->ext[i] < 0 ? 0 : s->ext[i];
		next = ip + n;
		put16(next + 2, s->ext[i] == 44 ? 1 : 0x0104);
		n += 8;
	}
	*next = s->proto;
	put16(ip + 4, n - 40 + l4 + s->ip_len_lie);
	return n;
}

static uint16_t pseudo_sum(const struct frame *f, const struct frame_spec *s,
			   unsigned l4)
{
	uint8_t p[40] = { 0 };
	const uint8_t *ip = f->data + f->l3;

	if (s->ip == IP_V4) {
		memcpy(p, ip + 12, 8);
		p[9] = s->proto;
		put16(p + 10, l4 + s->ip_len_lie);
		return frame_sum(p, 12);
	}
	memcpy(p, ip + 8, 32);
	put16(p + 34, l4 + s->ip_len_lie);
	p[39] = s->proto;
	return frame_sum(p, 40);
}

static void add_l4(struct frame *f, const struct frame_spec *s, unsigned l4)
{
	uint8_t *p = f->data + f->l4;
	uint32_t sum;

	for (unsigned i = 0; i < l4; i++)
		p[i] = i * 7 + 3;
	if (s->proto == 17)
		put16(p + 4, l4);
	if (!has_csum(s->proto))
		return;
	f->csum = f->l4 + csum_at(s->proto);
	put16(f->data + f->csum, 0);
	f->pseudo = s->proto == 1 ? 0 : pseudo_sum(f, s, l4);
	sum = frame_sum(p, l4) + f->pseudo;
	sum = (uint16_t)~((sum & 0xffff) + (sum >> 16));
	put16(f->data + f->csum, s->udp_zero ? 0 : sum ? sum : 0xffff);
	if (s->bad_l4)
		f->data[f->csum] ^= 0x55;
}

void frame_build(struct frame *f, const struct frame_spec *s)
{
	static const uint8_t macs[] = {
		0x02, 0, 0, 0, 0, 1, 0x02, 0, 0, 0, 0, 2
	};
	static const uint16_t types[] = { 0x88b5, 0x0800, 0x86dd };
	unsigned l4 = l4_header(s->proto) + s->payload;

	memset(f, 0, sizeof(*f));
	memcpy(f->data, macs, 12);
	memcpy(f->data + 12, s->tag, s->tag_len);
	put16(f->data + 12 + s->tag_len, types[s->ip]);
	f->l3 = 14 + s->tag_len;
	f->l4 = f->l3;
	if (s->ip == IP_V4)
		f->l4 += add_ipv4(f->data + f->l3, s, l4);
	else if (s->ip == IP_V6)
		f->l4 += add_ipv6(f->data + f->l3, s, l4);
	if (s->ip != IP_NONE)
		add_l4(f, s, l4);
	else
		l4 = s->payload;
	f->len = f->l4 + l4;
	if (f->len < 60)
		f->len = 60;
}

void frame_blank_csums(struct frame *f)
{
	if (f->data[f->l3] >> 4 == 4)
		put16(f->data + f->l3 + 10, 0);
	if (f->csum)
		put16(f->data + f->csum, 0);
}

void frame_magic(struct frame *f)
{
	static const uint8_t own[6] = { 2, 0, 0, 0, 0, 1 };

	frame_build(f, &(struct frame_spec){ .payload = 200 });
	memset(f->data + 55, 0xff, 6);
	for (unsigned i = 0; i < 16; i++)
		memcpy(f->data + 61 + i * 6, own, 6);
}

void frame_wakeup(struct frame *f)
{
	frame_build(f, &(struct frame_spec){ .payload = 100 });
	memset(f->data + 50, 0x55, 8);
}

const uint32_t frame_wakeup_filter[8] = {
	0x000000ff, 0, 0, 0, 0x1, 50, 0x7eed, 0
};
