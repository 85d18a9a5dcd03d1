// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes pcapng (draft-ietf-opsawg-pcapng) and classic pcap.
 *
 * Blocks are put together in a buffer, in host byte order as both formats
 * allow, and leave it by write(2).  A block that only half fits on a full disk
 * is taken back by ftruncate(2), so that what is there can be read.
 *
 * Left out: name resolution, statistics and decryption blocks; packets cut to
 * a snapshot length.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "net/pcapng.h"

#define BUFFER		(256 * 1024)

#define BLOCK_SHB	0x0a0d0d0a
#define BLOCK_IDB	1
#define BLOCK_EPB	6
#define BYTE_ORDER_MAGIC 0x1a2b3c4d
#define CLASSIC_NS	0xa1b23c4d

#define OPT_END		0
#define OPT_COMMENT	1
#define SHB_USERAPPL	4
#define IF_NAME		2
#define IF_DESCRIPTION	3
#define IF_TSRESOL	9
#define EPB_FLAGS	2

#define COMMENT_MAX	1024
#define EPB_OVERHEAD	(32 + 8 + 4 + COMMENT_MAX + 4 + 4)

struct pcapng {
	int fd;
	int tee;		/* a second place for all of it, or -1 */
	enum pcapng_format format;
	bool regular;		/* a file that can be cut */
	int err;		/* the first error, negative */
	unsigned int ifaces;
	off_t start;		/* where our first byte is in a regular file */
	off_t written;		/* and where the last flush ended */
	size_t used;
	size_t block;		/* where the block being built starts */
	uint8_t buf[BUFFER];
};

static size_t padded(size_t len)
{
	return (len + 3) & ~(size_t)3;
}

/* --- building ------------------------------------------------------------ */

static void put(struct pcapng *p, const void *bytes, size_t len)
{
	memcpy(p->buf + p->used, bytes, len);
	p->used += len;
}

static void put32(struct pcapng *p, uint32_t x)
{
	put(p, &x, sizeof(x));
}

static void put16(struct pcapng *p, uint16_t x)
{
	put(p, &x, sizeof(x));
}

static void put_padded(struct pcapng *p, const void *bytes, size_t len)
{
	put(p, bytes, len);
	memset(p->buf + p->used, 0, padded(len) - len);
	p->used += padded(len) - len;
}

static void put_option(struct pcapng *p, uint16_t code, const void *value,
		       size_t len)
{
	put16(p, code);
	put16(p, len);
	put_padded(p, value, len);
}

/* Text is cut at COMMENT_MAX bytes. */
static void put_text(struct pcapng *p, uint16_t code, const char *text)
{
	if (text)
		put_option(p, code, text, strnlen(text, COMMENT_MAX));
}

static void begin_block(struct pcapng *p, uint32_t type)
{
	p->block = p->used;
	put32(p, type);
	put32(p, 0);
}

static void end_block(struct pcapng *p)
{
	uint32_t len = p->used + 4 - p->block;

	memcpy(p->buf + p->block + 4, &len, 4);
	put32(p, len);
}

/* Room for a block of @len bytes, by a flush if need be. */
static int make_room(struct pcapng *p, size_t len)
{
	if (!p->err && len > BUFFER)
		return -EMSGSIZE;
	if (!p->err && p->used + len > BUFFER)
		return pcapng_flush(p);
	return p->err;
}

static void section_header(struct pcapng *p)
{
	static const uint64_t unknown = UINT64_MAX;

	begin_block(p, BLOCK_SHB);
	put32(p, BYTE_ORDER_MAGIC);
	put16(p, 1);			/* version 1.0 */
	put16(p, 0);
	put(p, &unknown, sizeof(unknown));
	put_text(p, SHB_USERAPPL, "tagrig");
	put32(p, OPT_END);
	end_block(p);
}

static void classic_header(struct pcapng *p, uint16_t linktype)
{
	put32(p, CLASSIC_NS);
	put16(p, 2);			/* version 2.4 */
	put16(p, 4);
	put32(p, 0);			/* UTC */
	put32(p, 0);
	put32(p, 262144);		/* snapshot length: libpcap's largest */
	put32(p, linktype);
}

/* --- writing ------------------------------------------------------------- */

/* One write(2) that a signal or a full pipe does not end. */
static ssize_t write_some(int fd, const uint8_t *bytes, size_t len)
{
	for (;;) {
		ssize_t n = write(fd, bytes, len);
		struct pollfd pfd = { .fd = fd, .events = POLLOUT };

		if (n >= 0)
			return n;
		if (errno == EAGAIN)
			poll(&pfd, 1, -1);
		else if (errno != EINTR)
			return -errno;
	}
}

/* How many of the first @done buffered bytes are whole blocks (or records). */
static size_t whole_blocks(const struct pcapng *p, size_t done)
{
	bool ng = p->format == PCAPNG;
	size_t at = !ng && p->written == p->start ? 24 : 0;

	while (at + 12 <= done) {
		uint32_t len;

		memcpy(&len, p->buf + at + (ng ? 4 : 8), sizeof(len));
		len += ng ? 0 : 16;
		if (at + len > done)
			break;
		at += len;
	}
	return at <= done ? at : 0;
}

/* The same bytes for a second reader; when that one goes, the file goes on. */
static void feed_tee(struct pcapng *p)
{
	size_t done = 0;

	while (p->tee >= 0 && done < p->used) {
		ssize_t n = write_some(p->tee, p->buf + done, p->used - done);

		if (n < 0)
			p->tee = -1;
		else
			done += (size_t)n;
	}
}

void pcapng_tee(struct pcapng *p, int fd)
{
	p->tee = fd;
}

int pcapng_flush(struct pcapng *p)
{
	size_t done = 0;

	feed_tee(p);
	while (!p->err && done < p->used) {
		ssize_t n = write_some(p->fd, p->buf + done, p->used - done);

		if (n < 0)
			p->err = n;
		else
			done += n;
	}
	if (!p->err)
		p->written += done;
	else if (p->regular && done &&
		 ftruncate(p->fd, p->written + whole_blocks(p, done)))
		p->regular = false;	/* stays as it is: half a block at its end */
	p->used = 0;
	return p->err;
}

/* Can a pipe take PIPE_BUF bytes without waiting?  poll(2) promises as much. */
static bool takes_some(const struct pcapng *p, int timeout_ms)
{
	struct pollfd pfd = { .fd = p->fd, .events = POLLOUT };

	return poll(&pfd, 1, timeout_ms) == 1;
}

int pcapng_push(struct pcapng *p)
{
	size_t done = 0;

	if (p->regular)
		return pcapng_flush(p);
	while (!p->err && done < p->used && takes_some(p, 0)) {
		size_t len = p->used - done;
		ssize_t n = write_some(p->fd, p->buf + done,
				       len < PIPE_BUF ? len : PIPE_BUF);

		if (n < 0)
			p->err = n;
		else
			done += n;
	}
	p->written += done;
	p->used -= done;
	memmove(p->buf, p->buf + done, p->used);
	return p->err ?: p->used ? 1 : 0;
}

size_t pcapng_pending(const struct pcapng *p)
{
	return p->used;
}

int pcapng_pipe(const struct pcapng *p)
{
	return p->regular ? -1 : p->fd;
}

/* --- what others call ---------------------------------------------------- */

int pcapng_create(struct pcapng **out, const char *path,
		  enum pcapng_format format)
{
	struct pcapng *p = malloc(sizeof(*p));
	struct stat st;

	if (!p)
		return -ENOMEM;
	memset(p, 0, offsetof(struct pcapng, buf));
	p->format = format;
	p->tee = -1;
	p->fd = strcmp(path, "-") ?
		open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644) :
		fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	if (p->fd < 0) {
		int err = -errno;

		free(p);
		return err;
	}
	signal(SIGPIPE, SIG_IGN);
	p->regular = !fstat(p->fd, &st) && S_ISREG(st.st_mode);
	if (p->regular)
		p->start = p->written = lseek(p->fd, 0, SEEK_CUR);
	if (format == PCAPNG)
		section_header(p);
	*out = p;
	return 0;
}

int pcapng_interface(struct pcapng *p, const char *name,
		     const char *description, uint16_t linktype)
{
	static const uint8_t nanoseconds = 9;
	int err = make_room(p, 32 + 2 * (COMMENT_MAX + 4));

	if (err)
		return err;
	if (p->format == PCAP_CLASSIC) {
		if (p->ifaces)
			return -EINVAL;
		classic_header(p, linktype);
		return p->ifaces++;
	}
	begin_block(p, BLOCK_IDB);
	put16(p, linktype);
	put16(p, 0);
	put32(p, 0);			/* no snapshot length */
	put_text(p, IF_NAME, name);
	put_text(p, IF_DESCRIPTION, description);
	put_option(p, IF_TSRESOL, &nanoseconds, 1);
	put32(p, OPT_END);
	end_block(p);
	return p->ifaces++;
}

static void write_classic(struct pcapng *p, uint64_t time_ns,
			  const void *data, size_t len)
{
	put32(p, time_ns / 1000000000);
	put32(p, time_ns % 1000000000);
	put32(p, len);
	put32(p, len);
	put(p, data, len);
}

int pcapng_write(struct pcapng *p, unsigned int iface, uint64_t time_ns,
		 enum pcapng_dir dir, const void *data, size_t len,
		 const char *comment)
{
	uint32_t flags = dir;
	int err = make_room(p, padded(len) + EPB_OVERHEAD);

	if (err)
		return err;
	if (iface >= p->ifaces)
		return -EINVAL;
	if (p->format == PCAP_CLASSIC) {
		write_classic(p, time_ns, data, len);
		return 0;
	}
	begin_block(p, BLOCK_EPB);
	put32(p, iface);
	put32(p, time_ns >> 32);
	put32(p, time_ns);
	put32(p, len);
	put32(p, len);
	put_padded(p, data, len);
	if (dir)
		put_option(p, EPB_FLAGS, &flags, sizeof(flags));
	put_text(p, OPT_COMMENT, comment);
	if (dir || comment)
		put32(p, OPT_END);
	end_block(p);
	return 0;
}

int pcapng_close(struct pcapng *p)
{
	int err = pcapng_flush(p);

	if (close(p->fd) && !err)
		err = -errno;
	free(p);
	return err;
}

static int64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000ll + ts.tv_nsec / 1000000;
}

int pcapng_finish(struct pcapng *p, int timeout_ms)
{
	int64_t left, end = now_ms() + timeout_ms;

	while (pcapng_push(p) == 1) {
		left = end - now_ms();
		if (left > 0 && takes_some(p, left))
			continue;
		p->err = -ETIMEDOUT;
	}
	return pcapng_close(p);
}
