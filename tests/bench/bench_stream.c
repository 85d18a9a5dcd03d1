// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a frame costs on a stream socket, sent in batches and received, beside
 * the same by datagrams, one system call each, in the same run.
 *
 * Prints CPU ns a frame (both ends together, one thread); asserts nothing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "net/stream.h"

#define FRAMES	400000
#define BATCH	64

static uint64_t cpu_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

static double stream_ns(struct frame *f)
{
	struct stream *a, *b;
	struct frame got;
	unsigned int received = 0;
	uint64_t start;
	int fds[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds) || stream_new(fds[0], &a) ||
	    stream_new(fds[1], &b))
		exit(1);
	start = cpu_ns();
	while (received < FRAMES) {
		for (int i = 0; i < BATCH && stream_send(a, f) == 0; i++)
			;
		stream_flush(a);
		stream_fill(b);
		while (stream_next(b, &got) == 1)
			received++;
	}
	stream_free(a);
	stream_free(b);
	return (double)(cpu_ns() - start) / received;
}

static double datagram_ns(const struct frame *f)
{
	static uint8_t buf[FRAME_MAX];
	uint64_t start;
	int fds[2];

	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, fds))
		exit(1);
	start = cpu_ns();
	for (int i = 0; i < FRAMES; i++)
		if (send(fds[0], f->data, f->len, 0) < 0 ||
		    recv(fds[1], buf, sizeof(buf), 0) < 0)
			exit(1);
	close(fds[0]);
	close(fds[1]);
	return (double)(cpu_ns() - start) / FRAMES;
}

int main(void)
{
	static const size_t sizes[] = { 64, 128, 512, 1514 };
	static uint8_t storage[FRAME_STORAGE];
	struct frame f;

	printf("%8s %12s %12s %8s\n", "bytes", "stream", "datagram", "ratio");
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		double s, d;

		frame_init(&f, storage, sizeof(storage));
		frame_put(&f, sizes[i]);
		s = stream_ns(&f);
		d = datagram_ns(&f);
		printf("%8zu %9.1f ns %9.1f ns %8.1f\n", sizes[i], s, d, d / s);
	}
	return 0;
}
