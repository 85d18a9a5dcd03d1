// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Any bytes are read as a capture without harm, and the same from memory as
 * through the reader's window from a file; every error has words.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "net/capture.h"
#include "net/linktype.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int holds)
{
	if (!holds)
		abort();
}

/* What reading came to: a hash of all packets, and how it ended. */
struct outcome {
	uint64_t packets, hash;
	int end;
};

static void mix(struct outcome *o, const void *bytes, size_t len)
{
	const uint8_t *p = bytes;

	while (len--)
		o->hash = (o->hash ^ *p++) * 0x100000001b3;	/* FNV-1a */
}

static struct outcome read_all(struct capture *c, int err)
{
	struct outcome o = { .end = err };
	struct capture_packet p;
	char why[WHY_SIZE];

	while (!err && (o.end = capture_next(c, &p)) == 1) {
		const struct capture_if *i = capture_interface(c, p.iface);
		const struct tag_format *tag;

		require(!!i);
		require(p.number == ++o.packets);
		mix(&o, p.data, p.len);
		mix(&o, &p.time_ns, sizeof(p.time_ns));
		mix(&o, &p.offset, sizeof(p.offset));
		mix(&o, i->name, strlen(i->name));
		if (linktype_tag(i, &tag, why))
			require(strlen(why) > 0);
	}
	require(o.end <= 0);
	require(!o.end == !*capture_error(c));
	capture_close(c);
	return o;
}

static struct outcome from_file(const uint8_t *data, size_t size)
{
	int fd = memfd_create("fuzz", 0);
	struct capture *c;
	char path[40];
	int err;
	struct outcome o;

	require(fd >= 0);
	require(write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	err = capture_open(&c, path);
	o = read_all(c, err);
	close(fd);
	return o;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct outcome a, b;
	struct capture *c;
	int err = capture_open_memory(&c, data, size);

	a = read_all(c, err);
	if (size % 31)
		return 0;		/* files are slow: not each one */
	b = from_file(data, size);
	require(a.packets == b.packets && a.hash == b.hash && a.end == b.end);
	return 0;
}
