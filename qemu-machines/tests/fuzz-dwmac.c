// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A fuzzer for the MAC models: a driver that does everything wrong.
 *
 *	fuzz-dwmac MAC RUNS SEED DIR	MAC is gmac, qos or xgmac
 *	fuzz-dwmac MAC replay FILE	what a failed run has left
 *
 * QEMU runs without a CPU, behind its qtest protocol.  An execution is a soft
 * reset, mostly a bring-up that a real driver could do (with a value changed
 * here and there), and then up to STEPS of: any register with any value,
 * descriptors with half-sane contents and buffers in RAM, in the rings, in the
 * MAC's own window and nowhere, poll demands and tail pointers, frames of all
 * lengths from the wire, and time that passes.  Its commands go out at once and
 * their answers are read together, so one costs some hundred microseconds.
 *
 * A failure is QEMU's end (a crash, an assertion, a sanitizer), or no answer for
 * HANG_CPU_MS of its CPU time (a loop that does not end; a loaded machine is none).
 * Then DIR/MAC-SEED-N.qtest holds everything since this QEMU was started: at most
 * SLICE executions, whose number decides QEMU's options as well.  The same seed
 * makes the same commands; frames on the wire are the one thing that QEMU may see
 * a moment sooner or later.
 *
 * Not here: guidance by coverage.  It knows what a MAC looks like instead.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "qtest.h"

#define STEPS	48
#define SLICE	2000
/* So much of QEMU's CPU time for one execution, or none at all for so long. */
#define HANG_CPU_MS	60000
#define HANG_MS		30000
/*
 * Below is the board's flash, where rings are slow: each write back makes QEMU lay
 * out its memory anew, and every descriptor there is the DMA's.  One in FLASH_RARE
 * addresses that would be there is; the others are in RAM.
 */
#define FLASH_END 0x08000000u
#define FLASH_RARE 1000
#define FRAME_MAX_ 16400
#define WINDOW	0x0b010000u
#define OTHER	0x0b000000u	/* the first MAC's */
#define RAM	QTEST_RAM
#define RAM_END	(QTEST_RAM + 0x4000000u)
#define TX_RING	(RAM + 0x10000)
#define RX_RING	(RAM + 0x20000)
#define RING	8
#define TX_SEGMENT (1u << 12)	/* in a channel's transmit control: TSO */
#define TX_TSE	(1u << 18)	/* in a descriptor */
#define TX_CTXT	(1u << 30)
#define TX_TCMSSV (1u << 26)
#define OWN	(1u << 31)
#define BUFFERS	(RAM + 0x100000)

/* ---- numbers ---- */

static uint64_t state;

/* splitmix64 */
static uint64_t rnd(void)
{
	uint64_t z = state += 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

static uint32_t below(uint32_t n)
{
	return rnd() % n;
}

static bool one_in(uint32_t n)
{
	return !below(n);
}

#define PICK(a) ((a)[below(sizeof(a) / sizeof((a)[0]))])

/* ---- what a MAC looks like ---- */

enum value { AS_IS, TX_START, TX_BASE, RX_BASE, TX_TAIL, RX_TAIL };

struct bringup {
	uint16_t off;
	uint32_t value;
	enum value kind;
};

struct range {
	uint16_t from, to;
};

struct mac {
	const char *name;
	uint16_t reset;		/* bit 0 of this register resets */
	uint8_t channels, step;	/* bytes from a channel's registers to the next */
	uint16_t channel;	/* where those of the first begin, or 0 */
	uint8_t own_word;	/* of a descriptor */
	const struct bringup *bringup;
	uint8_t bringups;
	const struct range *ranges;
	uint8_t n_ranges;
	const char *const *options;
	uint8_t n_options;
};

static const struct bringup gmac_bringup[] = {
	{ 0x1000, 0x00020100, AS_IS }, { 0x1010, 0, TX_BASE }, { 0x100c, 0, RX_BASE },
	{ 0x101c, 0x1ffff, AS_IS }, { 0x0040, 0x0100, AS_IS }, { 0x0044, 0x2, AS_IS },
	{ 0x1018, 0x202002, AS_IS }, { 0x0000, 0x0040000c, AS_IS },
	{ 0x0004, 0x80000001, AS_IS }, { 0x1004, 1, AS_IS }, { 0x1008, 1, AS_IS },
};

static const struct range gmac_ranges[] = {
	{ 0x0000, 0x00dc }, { 0x0100, 0x0294 }, { 0x0500, 0x0520 }, { 0x0584, 0x0588 },
	{ 0x0700, 0x0730 }, { 0x0800, 0x0880 }, { 0x1000, 0x105c }, { 0x1000, 0x105c },
};

static const char *const gmac_options[] = {
	"", "-global dwmac-gmac.enh-desc=off", "-global dwmac-gmac.rx-coe=1",
	"-global dwmac-gmac.rx-coe=0 -global dwmac-gmac.tx-coe=off",
	"-global dwmac-gmac.rx-lossless=off -global dwmac-gmac.rx-csum-es=off",
	"-global dwmac-gmac.rx-esa=on -global dwmac-gmac.bus-bytes=16 -global dwmac-gmac.reset-ns=2000",
};

static const struct bringup qos_bringup[] = {
	{ 0x1004, 0x0000100e, AS_IS }, { 0x0d00, 0xa, AS_IS }, { 0x0d30, 63u << 20, AS_IS },
	{ 0x00a0, 2, AS_IS }, { 0x0300, 0x80000100, AS_IS }, { 0x0304, 2, AS_IS },
	{ 0x1114, 0, TX_BASE }, { 0x111c, 0, RX_BASE }, { 0x112c, RING - 1, AS_IS },
	{ 0x1130, RING - 1, AS_IS }, { 0x1134, 0xffff, AS_IS }, { 0x1104, 1, TX_START },
	{ 0x1108, 1536 << 1 | 1, AS_IS }, { 0x0008, 0x80000001, AS_IS },
	{ 0x0000, 0x0a02e003, AS_IS }, { 0x1128, 0, RX_TAIL }, { 0x1120, 0, TX_TAIL },
};

static const struct range qos_ranges[] = {
	{ 0x0000, 0x0240 }, { 0x0200, 0x0210 }, { 0x0300, 0x0340 }, { 0x0700, 0x0800 },
	{ 0x0900, 0x0a40 }, { 0x0b00, 0x0be0 }, { 0x0c00, 0x0d80 }, { 0x1000, 0x1180 },
	{ 0x1100, 0x1180 },
};

static const char *const qos_options[] = {
	"", "-global dwmac-qos.tx-queues=4 -global dwmac-qos.rx-queues=4",
	"-global dwmac-qos.tx-queues=8 -global dwmac-qos.rx-queues=8 -global dwmac-qos.tx-coe-queues=3",
	"-global dwmac-qos.snpsver=0x41 -global dwmac-qos.rx-lossless=off",
	"-global dwmac-qos.vlan-filters=8 -global dwmac-qos.addr-width=32 -global dwmac-qos.asp=3",
	"-global dwmac-qos.rx-fifo=2048 -global dwmac-qos.tx-fifo=2048 -global dwmac-qos.indirect-busy-ns=500",
};

static const struct bringup xgmac_bringup[] = {
	{ 0x3004, 0x000000fe, AS_IS }, { 0x1100, 0xa, AS_IS }, { 0x1140, 63u << 16 | 0x20, AS_IS },
	{ 0x00a0, 2, AS_IS }, { 0x0300, 0x80000100, AS_IS }, { 0x0304, 2, AS_IS },
	{ 0x3114, 0, TX_BASE }, { 0x311c, 0, RX_BASE }, { 0x3130, RING - 1, AS_IS },
	{ 0x3134, RING - 1, AS_IS }, { 0x3138, 0xffff, AS_IS }, { 0x3104, 1, TX_START },
	{ 0x3108, 1536 << 1 | 1, AS_IS }, { 0x0008, 0x80000001, AS_IS },
	{ 0x0000, 1, AS_IS }, { 0x0004, 0x201, AS_IS }, { 0x312c, 0, RX_TAIL },
	{ 0x3124, 0, TX_TAIL },
};

static const struct range xgmac_ranges[] = {
	{ 0x0000, 0x0290 }, { 0x0300, 0x0400 }, { 0x0800, 0x0a00 }, { 0x0c00, 0x0d00 },
	{ 0x0d00, 0x0d90 }, { 0x1000, 0x1200 }, { 0x3000, 0x3090 }, { 0x3100, 0x3180 },
	{ 0x3100, 0x3180 },
};

static const char *const xgmac_options[] = {
	"", "-global dwmac-xgmac.tx-queues=4 -global dwmac-xgmac.rx-queues=4",
	"-global dwmac-xgmac.tx-queues=8 -global dwmac-xgmac.rx-queues=8 -global dwmac-xgmac.tx-coe-queues=3",
	"-global dwmac-xgmac.rx-lossless=off -global dwmac-xgmac.rx-fifo=2048",
	"-global dwmac-xgmac.vlan-filters=8 -global dwmac-xgmac.indirect-busy-ns=500 -global dwmac-xgmac.asp=3",
};

#define LIST(a) a, sizeof(a) / sizeof((a)[0])

static const struct mac macs[] = {
	{ "gmac", 0x1000, 1, 0, 0, 0, LIST(gmac_bringup), LIST(gmac_ranges), LIST(gmac_options) },
	{ "qos", 0x1000, 8, 0x80, 0x1100, 3, LIST(qos_bringup), LIST(qos_ranges),
	  LIST(qos_options) },
	{ "xgmac", 0x3000, 8, 0x80, 0x3100, 3, LIST(xgmac_bringup), LIST(xgmac_ranges),
	  LIST(xgmac_options) },
};

/* ---- an execution, as text ---- */

/* qtest's own commands, and "frame LENGTH HEX" for the wire. */
struct script {
	char *text;
	size_t len, size;
};

static void say(struct script *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void say(struct script *s, const char *fmt, ...)
{
	va_list ap;
	int n;

	if (s->size - s->len < 2 * FRAME_MAX_ + 256) {
		s->size = 2 * s->size + 4 * FRAME_MAX_;
		s->text = realloc(s->text, s->size);
		if (!s->text)
			abort();
	}
	va_start(ap, fmt);
	n = vsnprintf(s->text + s->len, s->size - s->len, fmt, ap);
	va_end(ap);
	s->len += n;
}

/* Behind a say(), which has left room for a whole frame. */
static void say_bytes(struct script *s, const uint8_t *p, size_t n)
{
	static const char digit[] = "0123456789abcdef";

	while (n--) {
		s->text[s->len++] = digit[*p >> 4];
		s->text[s->len++] = digit[*p++ & 15];
	}
	s->text[s->len++] = '\n';
	s->text[s->len] = '\0';
}

static void write_reg(struct script *s, uint32_t off, uint32_t val)
{
	say(s, "writel 0x%x 0x%x\n", WINDOW + off, val);
}

/* Few enough that frames are found where they have been put. */
static uint32_t any_buffer(void)
{
	return BUFFERS + 2048 * below(32) + (one_in(4) ? below(64) : 0);
}

static uint32_t mostly_not_flash(uint32_t addr)
{
	return addr >= FLASH_END || one_in(FLASH_RARE) ? addr : RAM | (addr & 0x03ffffff);
}

static uint32_t any_address(void)
{
	static const uint32_t corners[] = {
		0, 0xffffffff, 0xfffffff0, RAM_END - 4, RAM_END - 16, RAM_END, RAM - 8, WINDOW,
		WINDOW + 0x1004, WINDOW + 0x1120, WINDOW + 0x3124, OTHER, TX_RING, RX_RING,
	};

	switch (below(8)) {
	case 0:
		return mostly_not_flash(PICK(corners));
	case 1:
		return WINDOW + below(0x4000);
	case 2:
		return one_in(2) ? TX_RING + below(0x400) : RX_RING + below(0x400);
	default:
		return any_buffer();
	}
}

static uint32_t any_value(void)
{
	switch (below(6)) {
	case 0:
		return 0;
	case 1:
		return 0xffffffff;
	case 2:
		return 1u << below(32);
	case 3:
		return any_address();
	case 4:
		return below(256);
	default:
		return rnd();
	}
}

static uint32_t any_register(const struct mac *m)
{
	const struct range *r = &m->ranges[below(m->n_ranges)];
	uint32_t off = r->from + (below(r->to - r->from) & ~3u);

	if (m->channel && off >= m->channel)
		off += m->step * below(m->channels);
	return one_in(64) ? below(0x10000) & ~3u : off;
}

static uint32_t any_length(void)
{
	static const uint16_t lengths[] = {
		0, 1, 13, 14, 15, 20, 33, 34, 42, 54, 59, 60, 64, 65, 127, 128, 256, 257, 511,
		1499, 1500, 1514, 1518, 1519, 1522, 1536, 2000, 2047, 2048, 4096, 8191, 9018,
		16368, 16383, 16384,
	};

	return one_in(4) ? below(2048) : PICK(lengths);
}

static bool is_base(const struct mac *m, uint32_t off)
{
	if (m->channel && off >= m->channel)
		off = m->channel + (off - m->channel) % m->step;
	for (unsigned i = 0; i < m->bringups; i++)
		if (m->bringup[i].off == off)
			return m->bringup[i].kind == TX_BASE || m->bringup[i].kind == RX_BASE;
	return false;
}

/* ---- descriptors ---- */

/*
 * Two buffers and two words of bits.  GMAC has its status in word 0 and sizes
 * in word 1; the others buffers in 0 and 1, sizes in 2, status in 3, where a
 * receive descriptor has its second buffer in word 2.
 */
static void any_descriptor(const struct mac *m, bool rx, uint32_t w[4])
{
	uint32_t bits = rnd() & rnd(), sizes = any_length() | any_length() << 16;
	unsigned other = m->own_word ? 2 : 1, buffers = m->own_word ? 0 : 2;

	/* mostly whole frames, which get furthest */
	if (!one_in(3))
		bits |= m->own_word ? 3u << 28 : 3u << 28 | 3u << 8;
	if (!one_in(8))
		bits |= OWN;
	if (m->own_word)
		bits &= ~TX_CTXT;
	if (m->own_word && one_in(4))
		bits |= TX_TSE;
	w[m->own_word] = bits;
	w[other] = one_in(8) ? rnd() : sizes & (m->own_word ? 0x3fff3fff : 0x1fff1fff);
	if (m->own_word && rx)
		w[2] = mostly_not_flash(any_address());
	w[buffers] = any_address();
	w[buffers + 1] = any_address();
	if (m->own_word && one_in(2))
		w[1] = 0;
	/* a context: the segment size of what follows */
	if (m->own_word && one_in(6)) {
		w[2] = any_length() & 0x3fff;
		w[3] = OWN | TX_CTXT | TX_TCMSSV | (one_in(4) ? rnd() : 0);
	}
}

static void put_le32(uint8_t *p, uint32_t v)
{
	for (unsigned i = 0; i < 4; i++, v >>= 8)
		p[i] = v;
}

static void step_descriptors(struct script *s, const struct mac *m)
{
	uint32_t ring = one_in(2) ? TX_RING : RX_RING, w[4];
	unsigned n = 1 + below(RING), first = below(RING), i;
	uint8_t bytes[16 * RING];

	say(s, "write 0x%x 0x%x 0x", ring + 16 * first, 16 * n);
	for (i = 0; i < n; i++) {
		any_descriptor(m, ring == RX_RING, w);
		for (unsigned k = 0; k < 4; k++)
			put_le32(bytes + 16 * i + 4 * k, w[k]);
	}
	say_bytes(s, bytes, 16 * n);
}

/* ---- frames ---- */

static size_t any_frame(uint8_t *f)
{
	static const uint8_t to[][6] = {
		{ 2, 0, 0, 0, 0, 1 }, { 2, 0, 0, 0, 0, 1 }, { 255, 255, 255, 255, 255, 255 },
		{ 1, 0, 0x5e, 0, 0, 1 }, { 1, 0x80, 0xc2, 0, 0, 1 }, { 0x33, 0x33, 0, 0, 0, 1 },
	};
	static const uint16_t types[] = {
		0x0800, 0x0800, 0x86dd, 0x86dd, 0x8100, 0x88a8, 0x0806, 0x8808, 0x88f7, 0x8847,
		0x8864, 0x05dc, 0x0000, 0xffff,
	};
	size_t len = any_length(), at = 12;
	uint16_t type;

	for (size_t i = 0; i < len + 64; i += 8)
		memcpy(f + i, &(uint64_t){ rnd() }, 8);
	memcpy(f, PICK(to), 6);
	while (at < 24) {
		type = PICK(types);
		f[at] = type >> 8;
		f[at + 1] = type;
		at += 2;
		if (type != 0x8100 && type != 0x88a8)
			break;
		at += 2;
	}
	/* an IP header that is nearly one */
	if (type == 0x0800 || type == 0x86dd)
		f[at] = type == 0x0800 ? (one_in(3) ? 0x40 | below(16) : 0x45) : 0x60;
	if (type == 0x0800 && !one_in(4)) {
		f[at + 2] = (len - at) >> 8;
		f[at + 3] = len - at;
		f[at + 6] &= 0x40;
		f[at + 7] = 0;
		f[at + 9] = one_in(2) ? 6 : 17;
	}
	if (type == 0x86dd) {
		static const uint8_t next[] = { 6, 17, 58, 0, 43, 44, 60, 135, 59 };

		f[at + 6] = PICK(next);
	}
	return len ?: 1;
}

static void step_frame(struct script *s, const struct mac *m)
{
	static uint8_t f[FRAME_MAX_ + 128];
	size_t len = any_frame(f);

	(void)m;
	say(s, "frame 0x%zx ", len);
	say_bytes(s, f, len);
}

/* What a transmit descriptor may point to. */
static void step_buffer(struct script *s, const struct mac *m)
{
	static uint8_t f[FRAME_MAX_ + 128];
	size_t len = any_frame(f);

	(void)m;
	len = len < 2048 ? len : 2048;
	say(s, "write 0x%x 0x%zx 0x", any_buffer(), len);
	say_bytes(s, f, len);
}

/* ---- the other steps ---- */

static void step_write(struct script *s, const struct mac *m)
{
	uint32_t off = any_register(m), val = any_value();

	write_reg(s, off, is_base(m, off) ? mostly_not_flash(val) : val);
}

static void step_read(struct script *s, const struct mac *m)
{
	say(s, "readl 0x%x\n", WINDOW + any_register(m));
}

static void step_time(struct script *s, const struct mac *m)
{
	static const uint32_t ns[] = { 1, 100, 1000, 60000, 1000000, 20000000 };

	(void)m;
	say(s, "clock_step %u\n", PICK(ns));
}

/* Poll demands, or tail pointers. */
static void step_kick(struct script *s, const struct mac *m)
{
	const struct bringup *b = &m->bringup[m->bringups - 1 - below(2)];
	uint32_t chan = m->channel ? m->step * below(m->channels) : 0;
	uint32_t ring = b->kind == RX_TAIL ? RX_RING : TX_RING;

	if (!one_in(3))
		chan = 0;
	write_reg(s, b->off + chan,
		  b->kind == AS_IS ? 1 : one_in(8) ? any_value() : ring + 16 * below(RING + 1));
}

static uint32_t bringup_value(const struct bringup *b)
{
	switch (b->kind) {
	case AS_IS:
		return b->value;
	case TX_START:
		return b->value | (one_in(3) ? TX_SEGMENT : 0);
	case TX_BASE:
		return TX_RING;
	case RX_BASE:
		return RX_RING;
	case TX_TAIL:
		return TX_RING + 16 * RING;
	case RX_TAIL:
		return RX_RING + 16 * RING;
	}
	abort();
}

static void bring_up(struct script *s, const struct mac *m)
{
	uint32_t chan = m->channel && one_in(4) ? m->step * below(m->channels) : 0;

	for (unsigned i = 0; i < m->bringups; i++) {
		const struct bringup *b = &m->bringup[i];
		uint32_t off = b->off + (m->channel && b->off >= m->channel ? chan : 0);
		uint32_t val = one_in(24) ? any_value() : bringup_value(b);

		write_reg(s, off, is_base(m, off) ? mostly_not_flash(val) : val);
	}
}

static const struct {
	unsigned weight;
	void (*make)(struct script *s, const struct mac *m);
} steps[] = {
	{ 6, step_write }, { 2, step_read }, { 6, step_descriptors }, { 3, step_buffer },
	{ 6, step_kick }, { 5, step_frame }, { 3, step_time },
};

static void step(struct script *s, const struct mac *m)
{
	unsigned sum = 0, w, i;

	for (i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
		sum += steps[i].weight;
	w = below(sum);
	for (i = 0; w >= steps[i].weight; i++)
		w -= steps[i].weight;
	steps[i].make(s, m);
}

/* After a reset all rings are at 0, which is flash. */
static void all_bases(struct script *s, const struct mac *m)
{
	for (unsigned i = 0; i < m->bringups; i++)
		for (unsigned c = 0; is_base(m, m->bringup[i].off) && c < m->channels; c++)
			write_reg(s, m->bringup[i].off + c * m->step, bringup_value(&m->bringup[i]));
}

/* Execution @n of @seed, behind what is in @s. */
static void make_execution(struct script *s, const struct mac *m, uint64_t seed, uint64_t n)
{
	unsigned count;

	state = seed * 0x100000001b3ull ^ n;
	say(s, "# %llu\n", (unsigned long long)n);
	write_reg(s, m->reset, 1);
	say(s, "clock_step 1000\n");
	all_bases(s, m);
	if (!one_in(8))
		bring_up(s, m);
	for (count = 1 + below(STEPS); count; count--)
		step(s, m);
}

/* ---- playing it ---- */

static unsigned nibble(char c)
{
	return c <= '9' ? c - '0' : c - 'a' + 10;
}

/* "LENGTH HEX" goes into the wire. */
static void play_frame(Qtest *q, const char *line)
{
	static uint8_t f[FRAME_MAX_ + 128];
	char *hex;
	size_t len = strtoul(line, &hex, 16);

	if (len > sizeof(f))
		return;
	for (size_t i = 0; i < len; i++)
		f[i] = nibble(hex[1 + 2 * i]) << 4 | nibble(hex[2 + 2 * i]);
	wire_offer(q, 1, f, len);
}

static int settle(Qtest *q)
{
	int64_t begin = qtest_cpu_ms(q), last = begin, now;
	int err;

	while ((err = qtest_settle(q, HANG_MS)) == -ETIMEDOUT) {
		now = qtest_cpu_ms(q);
		if (now == last || now - begin > HANG_CPU_MS)
			break;
		last = now;
	}
	return err;
}

static int play(Qtest *q, const char *text)
{
	const char *line, *end, *from = text;
	int err = 0;

	for (line = text; *line && !err; line = end + 1) {
		end = strchr(line, '\n');
		if (line[0] != '#' && strncmp(line, "frame ", 6))
			continue;
		err = qtest_post(q, from, line - from);
		from = end + 1;
		if (!err && line[0] == 'f')
			play_frame(q, line + 6);
	}
	if (!err)
		err = qtest_post(q, from, strlen(from));
	return err ?: settle(q);
}

static Qtest *start(const struct mac *m, uint64_t slice)
{
	char machine[128];

	snprintf(machine, sizeof(machine), "stmmac-virt,switch=none,mac1=%s,wire0=w0,wire1=w1",
		 m->name);
	return qtest_start(machine, m->options[slice % m->n_options], 2);
}

static const char *reason(int err)
{
	return err == -ETIMEDOUT ? "no answer: a loop that does not end" : "QEMU ended";
}

static void keep(const struct script *s, const char *path)
{
	FILE *f = fopen(path, "we");

	if (!f || fwrite(s->text, 1, s->len, f) != s->len || fclose(f))
		printf("# %s cannot be written: %s\n", path, strerror(errno));
}

/* One QEMU's executions. */
static bool run_slice(const struct mac *m, uint64_t first, uint64_t n, uint64_t seed,
		      const char *dir)
{
	struct script all = { 0 };
	Qtest *q = start(m, first / SLICE);
	char path[512];
	size_t from;
	uint64_t i;
	int err = 0;

	for (i = first; i < first + n && !err; i++) {
		from = all.len;
		make_execution(&all, m, seed, i);
		err = play(q, all.text + from);
	}
	if (err) {
		snprintf(path, sizeof(path), "%s/%s-%llu-%llu.qtest", dir, m->name,
			 (unsigned long long)seed, (unsigned long long)i - 1);
		keep(&all, path);
		printf("# execution %llu of seed %llu, QEMU options '%s': %s\n# see %s\n",
		       (unsigned long long)i - 1, (unsigned long long)seed,
		       m->options[first / SLICE % m->n_options], reason(err), path);
	}
	qtest_stop(q);
	free(all.text);
	return !err;
}

static int fuzz(const struct mac *m, uint64_t runs, uint64_t seed, const char *dir)
{
	char name[128];
	uint64_t n, done = 0;
	bool good = true;

	ktap_plan(1);
	for (; done < runs && good; done += n) {
		n = runs - done < SLICE ? runs - done : SLICE;
		good = run_slice(m, done, n, seed, dir);
	}
	CHECK(good);
	snprintf(name, sizeof(name), "fuzz dwmac-%s: %llu executions, seed %llu", m->name,
		 (unsigned long long)done, (unsigned long long)seed);
	ktap_result(name);
	return ktap_end();
}

/* Execution by execution, as it was. */
static int play_all(Qtest *q, char *text)
{
	char *next;
	int err = 0;

	for (; text && !err; text = next) {
		next = strstr(text + 1, "\n#");
		if (next)
			*++next = '\0';
		err = play(q, text);
		if (err)
			printf("# execution%.*s: %s\n", (int)strcspn(text + 1, "\n"), text + 1,
			       reason(err));
		if (next)
			*next = '#';
	}
	return err;
}

/* Play a kept file; its first line has the number, which gives the options. */
static int replay(const struct mac *m, const char *path)
{
	FILE *f = fopen(path, "re");
	char *text = NULL;
	size_t size = 0;
	Qtest *q;
	int err;

	if (!f || getdelim(&text, &size, '\0', f) <= 0 || text[0] != '#') {
		fprintf(stderr, "fuzz-dwmac: %s: %s\n", path,
			f ? "expected what a failed run has left" : strerror(errno));
		return 2;
	}
	fclose(f);
	ktap_plan(1);
	q = start(m, strtoull(text + 1, NULL, 10) / SLICE);
	err = play_all(q, text);
	CHECK(!err);
	ktap_result(path);
	qtest_stop(q);
	free(text);
	return ktap_end();
}

int main(int argc, char **argv)
{
	const struct mac *m = NULL;

	for (size_t i = 0; argc > 1 && i < sizeof(macs) / sizeof(macs[0]); i++)
		if (!strcmp(argv[1], macs[i].name))
			m = &macs[i];
	if (m && argc == 4 && !strcmp(argv[2], "replay"))
		return replay(m, argv[3]);
	if (m && argc == 5)
		return fuzz(m, strtoull(argv[2], NULL, 0), strtoull(argv[3], NULL, 0), argv[4]);
	fprintf(stderr, "usage: fuzz-dwmac gmac|qos|xgmac RUNS SEED DIR\n"
		"       fuzz-dwmac gmac|qos|xgmac replay FILE\n");
	return 2;
}
