// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads pcap and pcapng.
 *
 * libpcap reads both, but drops interface names and descriptions, which is
 * where the rig says what tag a conduit has; it also refuses files whose
 * interfaces differ in link type.  Hence a reader of our own.
 *
 * A window of the file is kept in one buffer.  need() makes sure that so many
 * bytes of it are there, which is the only bounds check against the file;
 * lengths that a block gives for its parts are checked against the block.
 * Blocks of types that are not packets are skipped without being held.
 *
 * Left out: Kuznetzov's and IXIA's variants of pcap, options other than those
 * named below, compressed files (said so in the error).
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "net/capture.h"

#define WINDOW		(256 * 1024)
#define BLOCK_MAX	(16u << 20)	/* of a block that is held whole */
#define PACKET_MAX	262144		/* libpcap's MAXIMUM_SNAPLEN */
#define IFACES_MAX	65536

#define BLOCK_SHB	0x0a0d0d0a
#define BLOCK_IDB	1
#define BLOCK_PB	2
#define BLOCK_SPB	3
#define BLOCK_EPB	6
#define BYTE_ORDER_MAGIC 0x1a2b3c4d

#define CLASSIC_US	0xa1b2c3d4
#define CLASSIC_NS	0xa1b23c4d
#define CLASSIC_HEADER	24
#define CLASSIC_RECORD	16
#define CLASSIC_FCS	(1u << 26)	/* then bits 28 to 31: FCS length / 2 */

#define IF_NAME		2
#define IF_DESCRIPTION	3
#define IF_TSRESOL	9
#define IF_FCSLEN	13
#define IF_TSOFFSET	14
#define EPB_FLAGS	2

/* How an interface counts time: ns = ticks * mul >> shift / div + offset. */
struct clock {
	uint64_t mul, div;
	unsigned int shift;
	int64_t offset_s;
};

struct iface {
	struct capture_if pub;
	struct clock clock;
};

struct capture {
	int fd;			/* -1: memory */
	char *name;
	bool classic, nanoseconds, swapped;
	uint64_t base;		/* file offset of buf[0] */
	uint64_t packets;	/* read so far */
	unsigned int sections;
	uint64_t block;		/* file offset of what is being read */
	uint8_t *buf;
	size_t size, start, end;	/* window: [start, end) is unread */
	struct iface *ifaces;
	unsigned int nifaces;
	char error[512];
};

/* --- errors -------------------------------------------------------------- */

/* "FILE: packet N at offset M: ..."; returns -EPROTO. */
static __attribute__((format(printf, 2, 3)))
int bad(struct capture *c, const char *fmt, ...)
{
	va_list ap;
	int n;

	n = snprintf(c->error, sizeof(c->error), "%.300s: packet %llu at offset %llu: ",
		     c->name, (unsigned long long)c->packets + 1,
		     (unsigned long long)c->block);
	va_start(ap, fmt);
	vsnprintf(c->error + n, sizeof(c->error) - n, fmt, ap);
	va_end(ap);
	return -EPROTO;
}

static int system_error(struct capture *c, int err)
{
	snprintf(c->error, sizeof(c->error), "%.300s: %s", c->name,
		 strerror(-err));
	return err;
}

/* --- the window ---------------------------------------------------------- */

/* Moves what is unread to the front and makes room for @want bytes. */
static int window_room(struct capture *c, size_t want)
{
	if (c->fd >= 0 && c->start) {
		memmove(c->buf, c->buf + c->start, c->end - c->start);
		c->base += c->start;
		c->end -= c->start;
		c->start = 0;
	}
	if (want > c->size) {
		uint8_t *bigger = realloc(c->buf, want);

		if (!bigger)
			return system_error(c, -ENOMEM);
		c->buf = bigger;
		c->size = want;
	}
	return 0;
}

/*
 * Sees to it that @want bytes are unread in the window.  Returns how many
 * there are: less than @want only at the end of the file; or -errno.
 */
static ssize_t need(struct capture *c, size_t want)
{
	while (c->end - c->start < want && c->fd >= 0) {
		ssize_t n;
		int err = window_room(c, want);

		if (err)
			return err;
		n = read(c->fd, c->buf + c->end, c->size - c->end);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return system_error(c, -errno);
		if (!n)
			break;
		c->end += n;
	}
	return c->end - c->start;
}

/* need() where the end of the file is an error: @what was expected. */
static int must_have(struct capture *c, size_t want, const char *what)
{
	ssize_t have = need(c, want);

	if (have < 0)
		return have;
	if ((size_t)have < want)
		return bad(c, "expected %zu bytes of %s, found the end of the file after %zd",
			   want, what, have);
	return 0;
}

static int skip(struct capture *c, size_t len)
{
	while (len) {
		ssize_t have = need(c, 1);
		size_t n;

		if (have < 0)
			return have;
		if (!have)
			return bad(c, "expected %zu more bytes of a block, found the end of the file",
				   len);
		n = (size_t)have < len ? (size_t)have : len;
		c->start += n;
		len -= n;
	}
	return 0;
}

static uint16_t get16(const struct capture *c, const uint8_t *p)
{
	uint16_t x;

	memcpy(&x, p, sizeof(x));
	return c->swapped ? __builtin_bswap16(x) : x;
}

static uint32_t get32(const struct capture *c, const uint8_t *p)
{
	uint32_t x;

	memcpy(&x, p, sizeof(x));
	return c->swapped ? __builtin_bswap32(x) : x;
}

/* --- time ---------------------------------------------------------------- */

/* if_tsresol: 10^-n, or with the top bit 2^-n.  False if it is unheard of. */
static bool set_resolution(struct clock *k, uint8_t resol)
{
	unsigned int n = resol & 0x7f;

	k->mul = k->div = 1;
	k->shift = 0;
	if (resol & 0x80) {
		k->mul = 1000000000;
		k->shift = n;
		return n < 64;
	}
	for (; n < 9; n++)
		k->mul *= 10;
	for (; n > 9 && n < 28; n--)
		k->div *= 10;
	return n == 9;
}

static uint64_t to_ns(const struct clock *k, uint64_t ticks)
{
	uint64_t ns = ticks;

	if (k->shift)
		ns = (unsigned __int128)ticks * k->mul >> k->shift;
	else if (k->mul > 1)
		ns = ticks * k->mul;
	else if (k->div > 1)
		ns = ticks / k->div;
	return ns + (uint64_t)k->offset_s * 1000000000;
}

/* --- interfaces ---------------------------------------------------------- */

static struct iface *add_iface(struct capture *c)
{
	unsigned int n = c->nifaces;
	struct iface *i = c->ifaces;

	if (!(n & (n - 1))) {		/* 0 or a power of two: full */
		i = realloc(i, (n ? 2 * n : 1) * sizeof(*i));
		if (!i) {
			system_error(c, -ENOMEM);
			return NULL;
		}
		c->ifaces = i;
	}
	i += c->nifaces++;
	memset(i, 0, sizeof(*i));
	set_resolution(&i->clock, 6);
	return i;
}

static void copy_text(char *to, size_t size, const uint8_t *text, size_t len)
{
	len = len < size ? len : size - 1;
	memcpy(to, text, len);
	to[len] = 0;
}

/* The next option in [*at, @end); false when there is no more. */
static bool next_option(const struct capture *c, const uint8_t **at,
			const uint8_t *end, uint16_t *code, uint16_t *len,
			const uint8_t **value)
{
	size_t left = end - *at;

	if (left < 4)
		return false;
	*code = get16(c, *at);
	*len = get16(c, *at + 2);
	if (!*code || *len > left - 4)
		return false;
	*value = *at + 4;
	*at = ((*len + 3u) & ~3u) > left - 4 ? end :
	      *value + ((*len + 3u) & ~3u);
	return true;
}

static int idb_option(struct capture *c, struct iface *i, uint16_t code,
		      const uint8_t *value, uint16_t len)
{
	uint64_t offset;

	switch (code) {
	case IF_NAME:
		copy_text(i->pub.name, sizeof(i->pub.name), value, len);
		break;
	case IF_DESCRIPTION:
		copy_text(i->pub.description, sizeof(i->pub.description), value, len);
		break;
	case IF_FCSLEN:
		if (len >= 1)	/* bytes; in early drafts of the format, bits */
			i->pub.fcs_len = value[0] < 16 ? value[0] : value[0] / 8;
		break;
	case IF_TSRESOL:
		if (len >= 1 && !set_resolution(&i->clock, value[0]))
			return bad(c, "expected a time resolution (if_tsresol) of 10^-0 to 10^-27 or 2^-0 to 2^-63, found 0x%02x",
				   value[0]);
		break;
	case IF_TSOFFSET:
		if (len < 8)
			break;
		memcpy(&offset, value, 8);
		i->clock.offset_s = c->swapped ? __builtin_bswap64(offset) : offset;
		break;
	}
	return 0;
}

static int read_idb(struct capture *c, const uint8_t *b, uint32_t len)
{
	const uint8_t *at = b + 16, *end = b + len - 4, *value;
	uint16_t code, n;
	struct iface *i;

	if (len < 20)
		return bad(c, "expected an interface block of 20 bytes or more, found %u", len);
	if (c->nifaces == IFACES_MAX)
		return bad(c, "expected at most %u interfaces, found one more", IFACES_MAX);
	i = add_iface(c);
	if (!i)
		return -ENOMEM;
	i->pub.linktype = get16(c, b + 8);
	i->pub.snaplen = get32(c, b + 12);
	while (next_option(c, &at, end, &code, &n, &value)) {
		int err = idb_option(c, i, code, value, n);

		if (err)
			return err;
	}
	return 0;
}

/* --- packets ------------------------------------------------------------- */

/* Ends a packet: takes its FCS off, counts it.  Returns 1. */
static int got_packet(struct capture *c, struct capture_packet *p,
		      unsigned int fcs)
{
	uint32_t cut = p->wire_len - p->len;	/* by the snapshot length */

	if (p->wire_len < p->len)
		cut = 0;
	p->wire_len = p->wire_len > fcs ? p->wire_len - fcs : p->wire_len;
	if (fcs > cut && p->len >= fcs - cut)
		p->len -= fcs - cut;
	p->number = ++c->packets;
	p->section = c->sections;
	return 1;
}

/* Checks a captured length against the @room that its block has for it. */
static int check_len(struct capture *c, uint32_t len, uint32_t room)
{
	if (len > room)
		return bad(c, "expected at most %u captured bytes in this block, found %u",
			   room, len);
	return 0;
}

static int check_iface(struct capture *c, unsigned int iface)
{
	if (iface >= c->nifaces)
		return bad(c, "expected an interface below %u, found %u",
			   c->nifaces, iface);
	return 0;
}

/* Enhanced (28 bytes before the data) and obsolete packet block alike. */
static int read_epb(struct capture *c, const uint8_t *b, uint32_t len,
		    struct capture_packet *p)
{
	bool old = get32(c, b) == BLOCK_PB;
	const uint8_t *at, *value;
	unsigned int fcs;
	uint16_t code, n;
	int err;

	if (len < 32)
		return bad(c, "expected a packet block of 32 bytes or more, found %u", len);
	p->iface = old ? get16(c, b + 8) : get32(c, b + 8);
	p->len = get32(c, b + 20);
	p->wire_len = get32(c, b + 24);
	p->data = b + 28;
	p->dir = PCAPNG_DIR_UNKNOWN;
	err = check_iface(c, p->iface);
	if (!err)
		err = check_len(c, p->len, len - 32);
	if (err)
		return err;
	p->time_ns = to_ns(&c->ifaces[p->iface].clock,
			   (uint64_t)get32(c, b + 12) << 32 | get32(c, b + 16));
	fcs = c->ifaces[p->iface].pub.fcs_len;
	at = p->data + p->len + (-p->len & 3);
	while (at < b + len - 4 &&
	       next_option(c, &at, b + len - 4, &code, &n, &value)) {
		if (code != EPB_FLAGS || n != 4)
			continue;
		p->dir = get32(c, value) & 3;
		if (p->dir == 3)
			p->dir = PCAPNG_DIR_UNKNOWN;
		if (get32(c, value) >> 5 & 15)
			fcs = get32(c, value) >> 5 & 15;
	}
	return got_packet(c, p, fcs);
}

/* The simple one: interface 0, no time, captured length worked out. */
static int read_spb(struct capture *c, const uint8_t *b, uint32_t len,
		    struct capture_packet *p)
{
	uint32_t snaplen;
	int err;

	if (len < 16)
		return bad(c, "expected a simple packet block of 16 bytes or more, found %u", len);
	err = check_iface(c, 0);
	if (err)
		return err;
	snaplen = c->ifaces[0].pub.snaplen;
	p->iface = 0;
	p->time_ns = 0;
	p->dir = PCAPNG_DIR_UNKNOWN;
	p->wire_len = p->len = get32(c, b + 8);
	if (snaplen && p->len > snaplen)
		p->len = snaplen;
	p->data = b + 12;
	err = check_len(c, p->len, len - 16);
	return err ? err : got_packet(c, p, c->ifaces[0].pub.fcs_len);
}

/* --- pcapng blocks ------------------------------------------------------- */

/* A section starts: its byte order, and no interfaces yet. */
static int section(struct capture *c)
{
	uint32_t magic;
	int err = must_have(c, 28, "a section header");

	if (err)
		return err;
	memcpy(&magic, c->buf + c->start + 8, 4);
	if (magic != BYTE_ORDER_MAGIC &&
	    magic != __builtin_bswap32(BYTE_ORDER_MAGIC))
		return bad(c, "expected the byte-order magic 1a2b3c4d, found %08x", magic);
	c->swapped = magic != BYTE_ORDER_MAGIC;
	if (get16(c, c->buf + c->start + 12) != 1)
		return bad(c, "expected pcapng version 1, found %u",
			   get16(c, c->buf + c->start + 12));
	c->sections++;
	c->nifaces = 0;
	free(c->ifaces);
	c->ifaces = NULL;
	return 0;
}

static bool is_held(uint32_t type)
{
	return type == BLOCK_IDB || type == BLOCK_PB || type == BLOCK_SPB ||
	       type == BLOCK_EPB;
}

/* Both copies of a block's length must agree. */
static int check_trailer(struct capture *c, const uint8_t *at, uint32_t len)
{
	if (get32(c, at) != len)
		return bad(c, "expected the block length %u again at its end, found %u",
			   len, get32(c, at));
	return 0;
}

static int skip_block(struct capture *c, uint32_t len)
{
	int err = skip(c, len - 4);

	if (!err)
		err = must_have(c, 4, "block length");
	if (!err)
		err = check_trailer(c, c->buf + c->start, len);
	c->start += err ? 0 : 4;
	return err;
}

static int held_block(struct capture *c, uint32_t type, uint32_t len,
		      struct capture_packet *p)
{
	const uint8_t *b;
	int err;

	if (len > BLOCK_MAX)
		return bad(c, "expected a block of at most %u bytes, found %u",
			   BLOCK_MAX, len);
	err = must_have(c, len, "a block");
	if (err)
		return err;
	b = c->buf + c->start;
	err = check_trailer(c, b + len - 4, len);
	if (err)
		return err;
	c->start += len;
	if (type == BLOCK_IDB)
		return read_idb(c, b, len);
	return type == BLOCK_SPB ? read_spb(c, b, len, p) :
				   read_epb(c, b, len, p);
}

/* One block: 1 with a packet, 0 without, 2 at the end of the file. */
static int read_block(struct capture *c, struct capture_packet *p)
{
	uint32_t type, len;
	ssize_t have;
	int err;

	c->block = c->base + c->start;
	have = need(c, 1);
	if (have <= 0)
		return have ? (int)have : 2;
	err = must_have(c, 12, "a block header");
	if (err)
		return err;
	memcpy(&type, c->buf + c->start, 4);	/* SHB reads the same both ways */
	if (type == BLOCK_SHB)
		err = section(c);
	if (err)
		return err;
	type = get32(c, c->buf + c->start);
	len = get32(c, c->buf + c->start + 4);
	if (len < 12 || len & 3 || (type == BLOCK_SHB && len < 28))
		return bad(c, "expected a block length of %d or more in steps of 4, found %u",
			   type == BLOCK_SHB ? 28 : 12, len);
	p->offset = c->block;
	return is_held(type) ? held_block(c, type, len, p) : skip_block(c, len);
}

/* --- classic pcap -------------------------------------------------------- */

static int read_record(struct capture *c, struct capture_packet *p)
{
	const struct capture_if *i = &c->ifaces[0].pub;
	const uint8_t *b;
	ssize_t have;
	int err;

	c->block = c->base + c->start;
	have = need(c, 1);
	if (have <= 0)
		return have;
	err = must_have(c, CLASSIC_RECORD, "a packet header");
	if (err)
		return err;
	b = c->buf + c->start;
	p->len = get32(c, b + 8);
	if (p->len > PACKET_MAX && p->len > i->snaplen)
		return bad(c, "expected at most %u captured bytes, found %u",
			   i->snaplen > PACKET_MAX ? i->snaplen : PACKET_MAX, p->len);
	if (p->len > BLOCK_MAX)
		return bad(c, "expected at most %u captured bytes, found %u",
			   BLOCK_MAX, p->len);
	err = must_have(c, CLASSIC_RECORD + p->len, "a packet with its header");
	if (err)
		return err;
	b = c->buf + c->start;
	c->start += CLASSIC_RECORD + p->len;
	p->offset = c->block;
	p->time_ns = get32(c, b) * 1000000000ull +
		     get32(c, b + 4) * (c->nanoseconds ? 1ull : 1000ull);
	p->iface = 0;
	p->dir = PCAPNG_DIR_UNKNOWN;
	p->wire_len = get32(c, b + 12);
	p->data = b + CLASSIC_RECORD;
	return got_packet(c, p, i->fcs_len);
}

static int classic_header(struct capture *c, uint32_t magic)
{
	uint32_t network;
	struct iface *i;
	int err;

	c->classic = true;
	c->sections = 1;
	c->swapped = magic != CLASSIC_US && magic != CLASSIC_NS;
	c->nanoseconds = magic == CLASSIC_NS ||
			 magic == __builtin_bswap32(CLASSIC_NS);
	err = must_have(c, CLASSIC_HEADER, "a file header");
	if (err)
		return err;
	if (get16(c, c->buf + c->start + 4) != 2)
		return bad(c, "expected pcap version 2, found %u",
			   get16(c, c->buf + c->start + 4));
	i = add_iface(c);
	if (!i)
		return -ENOMEM;
	i->pub.snaplen = get32(c, c->buf + c->start + 16);
	network = get32(c, c->buf + c->start + 20);
	i->pub.linktype = network;
	if (network & CLASSIC_FCS)
		i->pub.fcs_len = (network >> 28) * 2;
	c->start += CLASSIC_HEADER;
	return 0;
}

/* --- opening ------------------------------------------------------------- */

static int not_a_capture(struct capture *c, uint32_t magic)
{
	uint8_t b[4];

	memcpy(b, &magic, 4);
	snprintf(c->error, sizeof(c->error), b[0] == 0x1f && b[1] == 0x8b ?
		 "%.300s: expected a pcap or pcapng file, found gzip data (unpack it first)" :
		 "%.300s: expected a pcap or pcapng file, found one that starts with %02x %02x %02x %02x",
		 c->name, b[0], b[1], b[2], b[3]);
	return -EPROTO;
}

static int read_magic(struct capture *c)
{
	ssize_t have = need(c, 4);
	uint32_t magic, turned;

	if (have < 0)
		return have;
	if (have < 4) {
		snprintf(c->error, sizeof(c->error),
			 "%.300s: expected a pcap or pcapng file, found %zd bytes",
			 c->name, have);
		return -EPROTO;
	}
	memcpy(&magic, c->buf + c->start, 4);
	turned = __builtin_bswap32(magic);
	if (magic == BLOCK_SHB)
		return 0;		/* read_block() does the rest */
	if (magic == CLASSIC_US || turned == CLASSIC_US ||
	    magic == CLASSIC_NS || turned == CLASSIC_NS)
		return classic_header(c, magic);
	return not_a_capture(c, magic);
}

static struct capture *new_capture(const char *name)
{
	struct capture *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->fd = -1;
	c->name = strdup(name);
	if (c->name)
		return c;
	free(c);
	return NULL;
}

int capture_open(struct capture **out, const char *path)
{
	bool in = !strcmp(path, "-");
	struct capture *c = new_capture(in ? "standard input" : path);

	*out = c;
	if (!c)
		return -ENOMEM;
	c->fd = in ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) :
		     open(path, O_RDONLY | O_CLOEXEC);
	if (c->fd < 0)
		return system_error(c, -errno);
	c->buf = malloc(WINDOW);
	if (!c->buf)
		return system_error(c, -ENOMEM);
	c->size = WINDOW;
	return read_magic(c);
}

int capture_open_memory(struct capture **out, const void *bytes, size_t len)
{
	struct capture *c = new_capture("memory");

	*out = c;
	if (!c)
		return -ENOMEM;
	c->buf = (uint8_t *)bytes;	/* never written to: there is no fd */
	c->end = len;
	return read_magic(c);
}

int capture_next(struct capture *c, struct capture_packet *p)
{
	int got;

	if (c->error[0])
		return -EPROTO;
	if (c->classic)
		return read_record(c, p);
	do {
		got = read_block(c, p);
	} while (!got);
	return got == 2 ? 0 : got;
}

const struct capture_if *capture_interface(const struct capture *c,
					   unsigned int i)
{
	return i < c->nifaces ? &c->ifaces[i].pub : NULL;
}

const char *capture_error(const struct capture *c)
{
	return c->error;
}

void capture_close(struct capture *c)
{
	if (!c)
		return;
	if (c->fd >= 0) {
		close(c->fd);
		free(c->buf);
	}
	free(c->ifaces);
	free(c->name);
	free(c);
}
