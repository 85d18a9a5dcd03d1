// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Captures, written and read: what the writer writes the reader reads, also in
 * the other byte order, also cut at every byte; the reader's errors, one by
 * one; full disks and readers that leave; and tcpdump as the judge of both.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "net/capture.h"
#include "net/pcapng.h"

#define TIME	1767225600123456789ull		/* 2026-01-01 and some ns */

static char path[64];

static int make_path(void **state)
{
	int fd;

	(void)state;
	strcpy(path, "/tmp/test_pcapng.XXXXXX");
	fd = mkstemp(path);
	if (fd < 0)
		return -1;
	close(fd);
	return 0;
}

static int remove_path(void **state)
{
	(void)state;
	return unlink(path);
}

static void fill(uint8_t *frame, size_t len, unsigned int i)
{
	for (size_t k = 0; k < len; k++)
		frame[k] = i + 7 * k;
}

/* --- bytes by hand ------------------------------------------------------- */

struct bytes {
	uint8_t b[4096];
	size_t n;
	bool swapped;
};

static void raw(struct bytes *f, const void *p, size_t n)
{
	assert_true(f->n + n <= sizeof(f->b));
	memcpy(f->b + f->n, p, n);
	f->n += n;
}

static void w32(struct bytes *f, uint32_t x)
{
	if (f->swapped)
		x = __builtin_bswap32(x);
	raw(f, &x, 4);
}

static void w16(struct bytes *f, uint16_t x)
{
	if (f->swapped)
		x = __builtin_bswap16(x);
	raw(f, &x, 2);
}

static void shb(struct bytes *f)
{
	w32(f, 0x0a0d0d0a);
	w32(f, 28);
	w32(f, 0x1a2b3c4d);
	w16(f, 1);
	w16(f, 0);
	w32(f, ~0u);
	w32(f, ~0u);
	w32(f, 28);
}

static void idb(struct bytes *f, uint16_t linktype, uint32_t snaplen,
		uint8_t resol)
{
	w32(f, 1);
	w32(f, 32);
	w16(f, linktype);
	w16(f, 0);
	w32(f, snaplen);
	w16(f, 9);
	w16(f, 1);
	raw(f, (uint8_t[4]){ resol }, 4);
	w32(f, 0);
	w32(f, 32);
}

/* @type 6 or 2, four bytes of packet. */
static void epb(struct bytes *f, uint32_t type, uint32_t iface, uint64_t ticks)
{
	w32(f, type);
	w32(f, 36);
	if (type == 2) {
		w16(f, iface);
		w16(f, 99);		/* drops */
	} else {
		w32(f, iface);
	}
	w32(f, ticks >> 32);
	w32(f, ticks);
	w32(f, 4);
	w32(f, 8);
	raw(f, "abcd", 4);
	w32(f, 36);
}

static void spb(struct bytes *f, uint32_t len)
{
	w32(f, 3);
	w32(f, 20);
	w32(f, len);
	raw(f, "wxyz", 4);
	w32(f, 20);
}

static void unknown(struct bytes *f, uint32_t type)
{
	w32(f, type);
	w32(f, 16);
	w32(f, 0x12345678);
	w32(f, 16);
}

static void classic(struct bytes *f, uint32_t magic, uint32_t network)
{
	w32(f, magic);
	w16(f, 2);
	w16(f, 4);
	w32(f, 0);
	w32(f, 0);
	w32(f, 65535);
	w32(f, network);
}

static void record(struct bytes *f, uint32_t s, uint32_t frac, uint32_t len)
{
	w32(f, s);
	w32(f, frac);
	w32(f, len);
	w32(f, len);
	for (uint32_t i = 0; i < len && i < 100; i++)
		raw(f, &(uint8_t){ i }, 1);
}

static struct capture *opened(const struct bytes *f)
{
	struct capture *c;

	if (capture_open_memory(&c, f->b, f->n))
		fail_msg("%s", capture_error(c));
	return c;
}

static void want_packet(struct capture *c, struct capture_packet *p)
{
	int got = capture_next(c, p);

	if (got != 1)
		fail_msg("expected a packet, got %d: %s", got, capture_error(c));
}

static void want_error(const struct bytes *f, const char *error)
{
	struct capture_packet p;
	struct capture *c;
	int err = capture_open_memory(&c, f->b, f->n);

	while (!err || err == 1)
		err = capture_next(c, &p) ?: -ENODATA;
	assert_int_equal(err, -EPROTO);
	assert_string_equal(capture_error(c), error);
	assert_int_equal(capture_next(c, &p), -EPROTO);
	capture_close(c);
}

/* --- writer and reader --------------------------------------------------- */

static void write_three(enum pcapng_format format)
{
	struct pcapng *w;
	uint8_t frame[1500];

	assert_int_equal(pcapng_create(&w, path, format), 0);
	assert_int_equal(pcapng_interface(w, "eth0", "dsa:edsa", 285), 0);
	if (format == PCAPNG)
		assert_int_equal(pcapng_interface(w, "lan0", NULL, 1), 1);
	else
		assert_int_equal(pcapng_interface(w, "lan0", NULL, 1), -EINVAL);
	for (unsigned int i = 0; i < 3; i++) {
		fill(frame, 61 + i, i);
		assert_int_equal(pcapng_write(w, format == PCAPNG && i, TIME + i,
					      i % 3, frame, 61 + i,
					      i == 2 ? "the third" : NULL), 0);
	}
	assert_int_equal(pcapng_write(w, 7, TIME, 0, frame, 60, NULL), -EINVAL);
	assert_int_equal(pcapng_close(w), 0);
}

static void check_three(struct capture *c, bool ng)
{
	struct capture_packet p;
	uint8_t frame[100];

	for (unsigned int i = 0; i < 3; i++) {
		want_packet(c, &p);
		fill(frame, 61 + i, i);
		assert_int_equal(p.number, i + 1);
		assert_true(p.time_ns == TIME + i);
		assert_int_equal(p.len, 61 + i);
		assert_int_equal(p.wire_len, 61 + i);
		assert_memory_equal(p.data, frame, p.len);
		assert_int_equal(p.iface, ng && i);
		assert_int_equal(p.dir, ng ? i % 3 : 0);
	}
	assert_int_equal(capture_next(c, &p), 0);
	assert_int_equal(capture_next(c, &p), 0);
}

static void what_is_written_is_read(void **state)
{
	struct capture *c;

	(void)state;
	write_three(PCAPNG);
	assert_int_equal(capture_open(&c, path), 0);
	check_three(c, true);
	assert_string_equal(capture_interface(c, 0)->name, "eth0");
	assert_string_equal(capture_interface(c, 0)->description, "dsa:edsa");
	assert_int_equal(capture_interface(c, 0)->linktype, 285);
	assert_string_equal(capture_interface(c, 1)->name, "lan0");
	assert_string_equal(capture_interface(c, 1)->description, "");
	assert_null(capture_interface(c, 2));
	capture_close(c);

	write_three(PCAP_CLASSIC);
	assert_int_equal(capture_open(&c, path), 0);
	assert_int_equal(capture_interface(c, 0)->linktype, 285);
	check_three(c, false);
	capture_close(c);
}

static void many_packets_of_all_sizes(void **state)
{
	static uint8_t frame[65536], want[65536];
	struct capture_packet p;
	struct capture *c;
	struct pcapng *w;
	size_t len = 1;
	uint64_t offset = 0;

	(void)state;
	assert_int_equal(pcapng_create(&w, path, PCAPNG), 0);
	assert_int_equal(pcapng_interface(w, "a", NULL, 1), 0);
	for (int i = 0; i < 2000; i++, len = (len * 3 + 1) & 0xffff) {
		fill(frame, len, i);
		assert_int_equal(pcapng_write(w, 0, i, PCAPNG_OUT, frame, len, NULL), 0);
	}
	assert_int_equal(pcapng_write(w, 0, 0, 0, frame, 300000, NULL), -EMSGSIZE);
	assert_int_equal(pcapng_close(w), 0);

	assert_int_equal(capture_open(&c, path), 0);
	len = 1;
	for (int i = 0; i < 2000; i++, len = (len * 3 + 1) & 0xffff) {
		want_packet(c, &p);
		fill(want, len, i);
		assert_int_equal(p.len, len);
		assert_memory_equal(p.data, want, len);
		/* header, data, flags and end of options, length: no gap */
		if (i)
			assert_true(p.offset == offset);
		offset = p.offset + 28 + ((len + 3) & ~3ul) + 12 + 4;
	}
	assert_int_equal(capture_next(c, &p), 0);
	capture_close(c);
}

/* A file cut anywhere is read to the cut, and then says where it is cut. */
static void cut_at_every_byte(void **state)
{
	static uint8_t file[4096];
	FILE *f;
	size_t size;

	(void)state;
	for (int format = PCAPNG; format <= PCAP_CLASSIC; format++) {
		int whole = 0;

		write_three(format);
		f = fopen(path, "r");
		size = fread(file, 1, sizeof(file), f);
		fclose(f);
		for (size_t cut = 0; cut < size; cut++) {
			struct capture_packet p;
			struct capture *c;
			int err = capture_open_memory(&c, file, cut), n = 0;

			while (!err || err == 1) {
				err = capture_next(c, &p);
				n += err == 1;
				if (!err)
					break;
			}
			assert_true(err == 0 || err == -EPROTO);
			assert_true(n < 3);
			whole += !err;
			if (err)
				assert_non_null(strstr(capture_error(c), "found"));
			capture_close(c);
		}
		/* between blocks nothing is missing */
		assert_int_equal(whole, format == PCAPNG ? 5 : 3);
	}
}

static void cut_says_where(void **state)
{
	struct bytes f = { 0 };

	(void)state;
	classic(&f, 0xa1b2c3d4, 1);
	record(&f, 1, 2, 60);
	record(&f, 1, 3, 60);
	f.n -= 7;
	want_error(&f, "memory: packet 2 at offset 100: expected 76 bytes of a packet with its header, found the end of the file after 69");
	f.n = 24 + 76 + 5;
	want_error(&f, "memory: packet 2 at offset 100: expected 16 bytes of a packet header, found the end of the file after 5");
}

/* --- byte orders and variants of pcap ------------------------------------ */

static void classic_variants(void **state)
{
	static const struct {
		uint32_t magic;
		uint64_t ns;
	} kinds[] = {
		{ 0xa1b2c3d4, 5000000042000ull },
		{ 0xa1b23c4d, 5000000000042ull },
	};

	(void)state;
	for (int i = 0; i < 4; i++) {
		struct bytes f = { .swapped = i & 1 };
		struct capture_packet p;
		struct capture *c;

		classic(&f, kinds[i / 2].magic, 284);
		record(&f, 5000, 42, 5);
		c = opened(&f);
		assert_int_equal(capture_interface(c, 0)->linktype, 284);
		assert_int_equal(capture_interface(c, 0)->snaplen, 65535);
		want_packet(c, &p);
		assert_true(p.time_ns == kinds[i / 2].ns);
		assert_int_equal(p.len, 5);
		assert_memory_equal(p.data, "\0\1\2\3\4", 5);
		assert_int_equal(capture_next(c, &p), 0);
		capture_close(c);
	}
}

/* The FCS that some captures keep is not part of the frame. */
static void fcs_is_taken_off(void **state)
{
	struct bytes f = { 0 };
	struct capture_packet p;
	struct capture *c;

	(void)state;
	classic(&f, 0xa1b2c3d4, 1 | 1u << 26 | 2u << 28);
	record(&f, 0, 0, 64);
	c = opened(&f);
	assert_int_equal(capture_interface(c, 0)->linktype, 1);
	want_packet(c, &p);
	assert_int_equal(p.len, 60);
	assert_int_equal(p.wire_len, 60);
	capture_close(c);

	f.n = 24;
	record(&f, 0, 0, 64);
	f.b[24 + 12] = 66;		/* two bytes of it were cut already */
	c = opened(&f);
	want_packet(c, &p);
	assert_int_equal(p.len, 62);
	assert_int_equal(p.wire_len, 62);
	capture_close(c);
}

static void pcapng_both_orders(void **state)
{
	(void)state;
	for (int swapped = 0; swapped < 2; swapped++) {
		struct bytes f = { .swapped = swapped };
		struct capture_packet p;
		struct capture *c;

		shb(&f);
		unknown(&f, 0x40000bad);
		idb(&f, 1, 3, 6);
		idb(&f, 285, 0, 0x80 | 10);
		unknown(&f, 5);
		epb(&f, 6, 0, 1000001);
		epb(&f, 2, 1, 1536);		/* 1.5 s in 1024ths */
		spb(&f, 4);
		f.swapped = !swapped;		/* a section of another machine */
		shb(&f);
		idb(&f, 281, 0, 9);
		epb(&f, 6, 0, 77);
		unknown(&f, 6666);

		c = opened(&f);
		want_packet(c, &p);
		assert_true(p.time_ns == 1000001000);
		assert_int_equal(p.len, 4);
		assert_int_equal(p.wire_len, 8);
		assert_memory_equal(p.data, "abcd", 4);
		assert_int_equal(p.offset, 28 + 16 + 32 + 32 + 16);
		want_packet(c, &p);
		assert_true(p.time_ns == 1500000000);
		assert_int_equal(p.iface, 1);
		assert_int_equal(capture_interface(c, 1)->linktype, 285);
		want_packet(c, &p);
		assert_int_equal(p.len, 3);	/* the interface's snapshot length */
		assert_int_equal(p.wire_len, 4);
		want_packet(c, &p);
		assert_int_equal(p.number, 4);
		assert_int_equal(p.section, 2);
		assert_true(p.time_ns == 77);
		assert_int_equal(capture_interface(c, 0)->linktype, 281);
		assert_null(capture_interface(c, 1));
		assert_int_equal(capture_next(c, &p), 0);
		capture_close(c);
	}
}

static void interface_options(void **state)
{
	static const uint8_t name[] = "lan3";
	struct bytes f = { 0 };
	struct capture_packet p;
	struct capture *c;

	(void)state;
	shb(&f);
	w32(&f, 1);
	w32(&f, 20 + 8 + 12 + 8 + 204);
	w32(&f, 1);
	w32(&f, 0);
	w16(&f, 2);			/* if_name */
	w16(&f, 4);
	raw(&f, name, 4);
	w16(&f, 14);			/* if_tsoffset, seconds */
	w16(&f, 8);
	w32(&f, 100);
	w32(&f, 0);
	w16(&f, 13);			/* if_fcslen */
	w16(&f, 1);
	w32(&f, 2);
	w16(&f, 3);			/* if_description, longer than we keep */
	w16(&f, 200);
	for (int i = 0; i < 200; i++)
		raw(&f, "x", 1);
	w32(&f, 20 + 8 + 12 + 8 + 204);
	epb(&f, 6, 0, 1);
	c = opened(&f);
	want_packet(c, &p);
	assert_true(p.time_ns == 100000001000);
	assert_int_equal(p.wire_len, 6);
	assert_int_equal(p.len, 4);	/* cut before its FCS */
	assert_string_equal(capture_interface(c, 0)->name, "lan3");
	assert_int_equal(strlen(capture_interface(c, 0)->description), 127);
	capture_close(c);
}

/* --- what is not as it should be ----------------------------------------- */

static void errors_of_files(void **state)
{
	struct bytes f = { 0 };
	struct capture *c;

	(void)state;
	want_error(&f, "memory: expected a pcap or pcapng file, found 0 bytes");
	raw(&f, "\x1f\x8b\x08\x00rest", 8);
	want_error(&f, "memory: expected a pcap or pcapng file, found gzip data (unpack it first)");
	memcpy(f.b, "#!/b", 4);
	want_error(&f, "memory: expected a pcap or pcapng file, found one that starts with 23 21 2f 62");
	f.n = 0;
	classic(&f, 0xa1b2c3d4, 1);
	f.b[4] = 3;
	want_error(&f, "memory: packet 1 at offset 0: expected pcap version 2, found 3");
	f.n = 20;
	want_error(&f, "memory: packet 1 at offset 0: expected 24 bytes of a file header, found the end of the file after 20");

	assert_int_equal(capture_open(&c, "/nonexistent.pcap"), -ENOENT);
	assert_string_equal(capture_error(c),
			    "/nonexistent.pcap: No such file or directory");
	capture_close(c);
	assert_int_equal(capture_open(&c, "/tmp"), -EISDIR);
	capture_close(c);
	capture_close(NULL);
}

static void errors_of_classic(void **state)
{
	struct bytes f = { 0 };

	(void)state;
	classic(&f, 0xa1b2c3d4, 1);
	record(&f, 0, 0, 300000);
	want_error(&f, "memory: packet 1 at offset 24: expected at most 262144 captured bytes, found 300000");
	f.n = 16;
	w32(&f, ~0u);		/* any snapshot length */
	w32(&f, 1);
	record(&f, 0, 0, 0x7fffffff);
	want_error(&f, "memory: packet 1 at offset 24: expected at most 16777216 captured bytes, found 2147483647");
}

/* Builds a section with one interface and one packet; returns its offset. */
static size_t one_packet(struct bytes *f)
{
	f->n = 0;
	shb(f);
	idb(f, 1, 0, 9);
	epb(f, 6, 0, 1);
	return 28 + 32;
}

static void patch(struct bytes *f, size_t at, uint32_t x)
{
	memcpy(f->b + at, &x, 4);
}

static void errors_of_pcapng(void **state)
{
	struct bytes f = { 0 };
	size_t at;

	(void)state;
	at = one_packet(&f);
	patch(&f, at + 4, 38);
	want_error(&f, "memory: packet 1 at offset 60: expected a block length of 12 or more in steps of 4, found 38");
	patch(&f, at + 4, 8);
	want_error(&f, "memory: packet 1 at offset 60: expected a block length of 12 or more in steps of 4, found 8");
	patch(&f, at + 4, 0x80000000);
	want_error(&f, "memory: packet 1 at offset 60: expected a block of at most 16777216 bytes, found 2147483648");
	patch(&f, at + 4, 28);
	want_error(&f, "memory: packet 1 at offset 60: expected the block length 28 again at its end, found 8");
	at = one_packet(&f);
	patch(&f, at + 8, 1);
	want_error(&f, "memory: packet 1 at offset 60: expected an interface below 1, found 1");
	one_packet(&f);
	patch(&f, at + 20, 5);
	want_error(&f, "memory: packet 1 at offset 60: expected at most 4 captured bytes in this block, found 5");
	one_packet(&f);
	patch(&f, at + 20, 0xffffffff);
	want_error(&f, "memory: packet 1 at offset 60: expected at most 4 captured bytes in this block, found 4294967295");
	one_packet(&f);
	patch(&f, 8, 0x11223344);
	want_error(&f, "memory: packet 1 at offset 0: expected the byte-order magic 1a2b3c4d, found 11223344");
	one_packet(&f);
	f.b[12] = 2;
	want_error(&f, "memory: packet 1 at offset 0: expected pcapng version 1, found 2");
	one_packet(&f);
	f.b[28 + 20] = 99;
	want_error(&f, "memory: packet 1 at offset 28: expected a time resolution (if_tsresol) of 10^-0 to 10^-27 or 2^-0 to 2^-63, found 0x63");
}

static void errors_of_other_blocks(void **state)
{
	struct bytes f = { 0 };

	(void)state;
	shb(&f);
	spb(&f, 4);
	want_error(&f, "memory: packet 1 at offset 28: expected an interface below 0, found 0");
	f.n = 28;
	idb(&f, 1, 0, 9);
	spb(&f, 5);
	want_error(&f, "memory: packet 1 at offset 60: expected at most 4 captured bytes in this block, found 5");
	f.n = 28;
	w32(&f, 0xbad);
	w32(&f, 4000);
	w32(&f, 1);
	want_error(&f, "memory: packet 1 at offset 28: expected 3984 more bytes of a block, found the end of the file");
	f.n = 28;
	w32(&f, 1);
	w32(&f, 16);
	w32(&f, 1);
	w32(&f, 16);
	want_error(&f, "memory: packet 1 at offset 28: expected an interface block of 20 bytes or more, found 16");
	f.n = 28;
	unknown(&f, 77);
	patch(&f, 28 + 12, 20);
	want_error(&f, "memory: packet 1 at offset 28: expected the block length 16 again at its end, found 20");
}

/* --- disks and pipes ----------------------------------------------------- */

/* What is flushed is in the file, whatever becomes of the program. */
static void flushed_survives_a_kill(void **state)
{
	struct capture_packet p;
	struct capture *c;
	int status;
	pid_t pid = fork();

	(void)state;
	assert_true(pid >= 0);
	if (!pid) {
		struct pcapng *w;

		if (pcapng_create(&w, path, PCAPNG) ||
		    pcapng_interface(w, "x", NULL, 1) ||
		    pcapng_write(w, 0, TIME, 0, "0123456789abcdef", 16, NULL) ||
		    pcapng_flush(w))
			_exit(1);
		kill(getpid(), SIGKILL);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(capture_open(&c, path), 0);
	want_packet(c, &p);
	assert_int_equal(p.len, 16);
	assert_int_equal(capture_next(c, &p), 0);
	capture_close(c);
}

static void full_disk(void **state)
{
	struct pcapng *w;

	(void)state;
	assert_int_equal(pcapng_create(&w, "/dev/full", PCAPNG), 0);
	assert_int_equal(pcapng_interface(w, "x", NULL, 1), 0);
	assert_int_equal(pcapng_write(w, 0, TIME, 0, "0123", 4, NULL), 0);
	assert_int_equal(pcapng_flush(w), -ENOSPC);
	assert_int_equal(pcapng_write(w, 0, TIME, 0, "0123", 4, NULL), -ENOSPC);
	assert_int_equal(pcapng_interface(w, "y", NULL, 1), -ENOSPC);
	assert_int_equal(pcapng_close(w), -ENOSPC);
	assert_int_equal(pcapng_create(&w, "/nonexistent/x", PCAPNG), -ENOENT);
}

/* The file may not grow beyond @limit: what is in it ends with a whole block. */
static void full_in_the_middle(enum pcapng_format format, rlim_t limit)
{
	struct rlimit old, small;
	struct capture_packet p;
	struct capture *c;
	struct pcapng *w;
	uint8_t frame[333] = { 0 };
	int err, n = 0;

	getrlimit(RLIMIT_FSIZE, &old);
	small = old;
	small.rlim_cur = limit;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(pcapng_create(&w, path, format), 0);
	assert_int_equal(pcapng_interface(w, "x", NULL, 1), 0);
	setrlimit(RLIMIT_FSIZE, &small);
	for (int i = 0; i < 40; i++)
		assert_int_equal(pcapng_write(w, 0, i, 0, frame, 333, NULL), 0);
	err = pcapng_flush(w);
	assert_int_equal(pcapng_close(w), err);
	setrlimit(RLIMIT_FSIZE, &old);
	assert_int_equal(err, -EFBIG);

	assert_int_equal(capture_open(&c, path), 0);
	while ((err = capture_next(c, &p)) == 1)
		n++;
	assert_int_equal(err, 0);
	assert_true(n > 20 && n < 40);
	capture_close(c);
}

static void full_disk_keeps_whole_blocks(void **state)
{
	(void)state;
	full_in_the_middle(PCAPNG, 10000);
	full_in_the_middle(PCAP_CLASSIC, 10001);
}

static void reader_that_leaves(void **state)
{
	struct pcapng *w;
	char name[32];
	int ends[2];

	(void)state;
	assert_int_equal(pipe(ends), 0);
	snprintf(name, sizeof(name), "/dev/fd/%d", ends[1]);
	assert_int_equal(pcapng_create(&w, name, PCAPNG), 0);
	assert_int_equal(pcapng_interface(w, "x", NULL, 1), 0);
	assert_int_equal(pcapng_flush(w), 0);
	close(ends[0]);
	assert_int_equal(pcapng_write(w, 0, TIME, 0, "0123", 4, NULL), 0);
	assert_int_equal(pcapng_flush(w), -EPIPE);
	assert_int_equal(pcapng_close(w), -EPIPE);
	close(ends[1]);
}

/* A reader that stops is not waited for, and gets everything later. */
static void push_into_a_pipe(void **state)
{
	static uint8_t drain[1 << 20];
	size_t got = 0, all;
	struct pcapng *w;
	char name[32];
	int ends[2];

	(void)state;
	assert_int_equal(pipe2(ends, O_NONBLOCK), 0);
	snprintf(name, sizeof(name), "/dev/fd/%d", ends[1]);
	assert_int_equal(pcapng_create(&w, name, PCAPNG), 0);
	close(ends[1]);
	assert_true(pcapng_pipe(w) >= 0);
	assert_int_equal(pcapng_interface(w, "x", NULL, 1), 0);
	assert_int_equal(pcapng_push(w), 0);
	for (int i = 0; i < 100; i++) {
		assert_int_equal(pcapng_write(w, 0, TIME, 0, drain, 1000, NULL), 0);
		assert_true(pcapng_push(w) >= 0);
	}
	assert_int_equal(pcapng_push(w), 1);
	all = pcapng_pending(w);
	assert_true(all > 0);
	while (pcapng_push(w)) {
		ssize_t n = read(ends[0], drain + got, sizeof(drain) - got);

		assert_true(n > 0);
		got += n;
	}
	assert_int_equal(pcapng_pending(w), 0);
	for (ssize_t n; (n = read(ends[0], drain + got, sizeof(drain) - got)) > 0;)
		got += n;
	assert_true(got > 100 * 1032);
	assert_int_equal(pcapng_finish(w, 1000), 0);
	assert_int_equal(read(ends[0], drain, 1), 0);
	close(ends[0]);
}

static void reader_that_does_not_read(void **state)
{
	static uint8_t bytes[60000];
	struct pcapng *w;
	char name[32];
	int ends[2];

	(void)state;
	assert_int_equal(pipe(ends), 0);
	snprintf(name, sizeof(name), "/dev/fd/%d", ends[1]);
	assert_int_equal(pcapng_create(&w, name, PCAPNG), 0);
	assert_int_equal(pcapng_interface(w, "x", NULL, 1), 0);
	for (int i = 0; i < 3; i++)
		assert_int_equal(pcapng_write(w, 0, TIME, 0, bytes, sizeof(bytes), NULL), 0);
	assert_int_equal(pcapng_finish(w, 20), -ETIMEDOUT);
	close(ends[0]);
	close(ends[1]);
}

/* A pipe shows each batch at once, and a full one does not lose anything. */
static void live_pipe(void **state)
{
	struct capture_packet p;
	struct capture *c;
	struct pcapng *w;
	char name[32];
	int ends[2], status;
	uint8_t frame[1000];
	pid_t pid;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	snprintf(name, sizeof(name), "/dev/fd/%d", ends[1]);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		close(ends[0]);
		fcntl(ends[1], F_SETFL, O_NONBLOCK);
		if (pcapng_create(&w, name, PCAPNG) ||
		    pcapng_interface(w, "x", NULL, 1))
			_exit(1);
		for (int i = 0; i < 3000; i++) {
			fill(frame, 1000, i);
			if (pcapng_write(w, 0, i, 0, frame, 1000, NULL) ||
			    (i % 64 == 63 && pcapng_flush(w)))
				_exit(1);
		}
		_exit(pcapng_close(w) ? 1 : 0);
	}
	close(ends[1]);
	snprintf(name, sizeof(name), "/dev/fd/%d", ends[0]);
	assert_int_equal(capture_open(&c, name), 0);
	for (int i = 0; i < 3000; i++) {
		want_packet(c, &p);
		fill(frame, 1000, i);
		assert_true(p.time_ns == (uint64_t)i);
		assert_memory_equal(p.data, frame, 1000);
	}
	assert_int_equal(capture_next(c, &p), 0);
	capture_close(c);
	close(ends[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

/* --- tcpdump reads it ---------------------------------------------------- */

static void run(const char *command, char *out, size_t size)
{
	FILE *f = popen(command, "r");
	size_t n;

	assert_non_null(f);
	n = fread(out, 1, size - 1, f);
	out[n] = 0;
	assert_int_equal(pclose(f), 0);
}

static void tcpdump_agrees(void **state)
{
	static const uint8_t arp[42] = {
		[0] = 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2, 0, 0, 0, 0, 1,
		8, 6, 0, 1, 8, 0, 6, 4, 0, 1, 2, 0, 0, 0, 0, 1,
		192, 0, 2, 1, 0, 0, 0, 0, 0, 0, 192, 0, 2, 2,
	};
	char command[200], out[2000];

	(void)state;
	if (system("command -v tcpdump >/dev/null 2>&1"))
		skip();
	for (int format = PCAPNG; format <= PCAP_CLASSIC; format++) {
		struct pcapng *w;

		assert_int_equal(pcapng_create(&w, path, format), 0);
		assert_int_equal(pcapng_interface(w, "eth0", "dsa:none", 1), 0);
		assert_int_equal(pcapng_write(w, 0, TIME, PCAPNG_IN, arp, 42,
					      "a question"), 0);
		assert_int_equal(pcapng_write(w, 0, TIME, 0, arp, 42, NULL), 0);
		assert_int_equal(pcapng_close(w), 0);
		snprintf(command, sizeof(command),
			 "tcpdump -n --nano -tt -r %s 2>/dev/null", path);
		run(command, out, sizeof(out));
		assert_string_equal(out,
			"1767225600.123456789 ARP, Request who-has 192.0.2.2 tell 192.0.2.1, length 28\n"
			"1767225600.123456789 ARP, Request who-has 192.0.2.2 tell 192.0.2.1, length 28\n");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_is_read),
		cmocka_unit_test(many_packets_of_all_sizes),
		cmocka_unit_test(cut_at_every_byte),
		cmocka_unit_test(cut_says_where),
		cmocka_unit_test(classic_variants),
		cmocka_unit_test(fcs_is_taken_off),
		cmocka_unit_test(pcapng_both_orders),
		cmocka_unit_test(interface_options),
		cmocka_unit_test(errors_of_files),
		cmocka_unit_test(errors_of_classic),
		cmocka_unit_test(errors_of_pcapng),
		cmocka_unit_test(errors_of_other_blocks),
		cmocka_unit_test(flushed_survives_a_kill),
		cmocka_unit_test(full_disk),
		cmocka_unit_test(full_disk_keeps_whole_blocks),
		cmocka_unit_test(reader_that_leaves),
		cmocka_unit_test(push_into_a_pipe),
		cmocka_unit_test(reader_that_does_not_read),
		cmocka_unit_test(live_pipe),
		cmocka_unit_test(tcpdump_agrees),
	};

	return cmocka_run_group_tests_name("pcapng", tests, make_path, remove_path);
}
