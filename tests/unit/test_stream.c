// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Frames over a stream socket: whole, in pieces, in floods; frames grown in
 * place without harm to the next one; full sockets, peers that leave, lengths
 * that lie, socket paths that cannot be used.
 */
#include <errno.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "net/stream.h"

static char dir[64];

static int make_dir(void **state)
{
	(void)state;
	strcpy(dir, "/tmp/test_stream.XXXXXX");
	return mkdtemp(dir) ? 0 : -1;
}

static int remove_dir(void **state)
{
	(void)state;
	return rmdir(dir);
}

static void pair(struct stream **a, struct stream **b)
{
	int fds[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), 0);
	assert_int_equal(stream_new(fds[0], a), 0);
	assert_int_equal(stream_new(fds[1], b), 0);
}

static uint8_t storage[FRAME_STORAGE];

static struct frame numbered(unsigned int n, size_t len)
{
	struct frame f;

	frame_init(&f, storage, sizeof(storage));
	assert_int_equal(frame_put(&f, len), 0);
	for (size_t i = 0; i < len; i++)
		f.data[i] = n * 31 + i * 7 + (i >> 8);
	return f;
}

static void check_numbered(const struct frame *f, unsigned int n, size_t len)
{
	struct frame want = numbered(n, len);

	assert_int_equal(f->len, len);
	assert_memory_equal(f->data, want.data, len);
}

static size_t size_of(unsigned int n)
{
	return n % 97 == 5 ? FRAME_MAX : 1 + n * 131 % 1518;
}

/* Every frame arrives once, whole, in order; with what the kernel gives. */
static void flood(void **state)
{
	unsigned int sent = 0, received = 0, total = 3000;
	struct stream *a, *b;
	struct frame f;

	(void)state;
	pair(&a, &b);
	while (received < total) {
		for (; sent < total; sent++) {
			int err;

			f = numbered(sent, size_of(sent));
			err = stream_send(a, &f);
			if (err == -EAGAIN)
				break;
			assert_int_equal(err, 0);
		}
		assert_true(stream_flush(a) >= 0);
		assert_true(stream_fill(b) >= 0);
		while (stream_next(b, &f) == 1) {
			check_numbered(&f, received, size_of(received));
			received++;
		}
	}
	assert_int_equal(stream_stats(a)->tx_frames, total);
	assert_int_equal(stream_stats(b)->rx_frames, total);
	assert_true(stream_stats(a)->tx_bytes == stream_stats(b)->rx_bytes);
	assert_true(stream_stats(a)->tx_again > 0);
	stream_free(a);
	stream_free(b);
	stream_free(NULL);
}

/* 64 frames go out and come in by one system call each. */
static void batches(void **state)
{
	struct stream *a, *b;
	struct frame f;
	int n = 0;

	(void)state;
	pair(&a, &b);
	for (unsigned int i = 0; i < 64; i++) {
		f = numbered(i, 1514);
		assert_int_equal(stream_send(a, &f), 0);
	}
	assert_int_equal(stream_pending(a), 64 * 1518);
	assert_int_equal(stream_flush(a), 0);
	assert_int_equal(stream_pending(a), 0);
	assert_int_equal(stream_flush(a), 0);
	assert_int_equal(stream_fill(b), 64 * 1518);
	while (stream_next(b, &f) == 1)
		check_numbered(&f, n++, 1514);
	assert_int_equal(n, 64);
	assert_int_equal(stream_stats(a)->writes, 1);
	assert_int_equal(stream_stats(b)->reads, 1);
	assert_int_equal(stream_fill(b), 0);
	stream_free(a);
	stream_free(b);
}

static void one_byte_at_a_time(void **state)
{
	static const uint8_t bytes[] = {
		0, 0, 0, 1, 'x', 0, 0, 0, 3, 'a', 'b', 'c', 0, 0, 0, 2, 'y', 'z',
	};
	static const char *const want[] = { "x", "abc", "yz" };
	struct stream *s;
	struct frame f;
	int n = 0;

	(void)state;
	assert_int_equal(stream_new(-1, &s), 0);
	for (size_t i = 0; i < sizeof(bytes); i++) {
		assert_int_equal(stream_feed(s, bytes + i, 1), 1);
		if (stream_next(s, &f) != 1)
			continue;
		assert_int_equal(f.len, strlen(want[n]));
		assert_memory_equal(f.data, want[n], f.len);
		n++;
	}
	assert_int_equal(n, 3);
	stream_free(s);
}

/* The room around a frame is its own until the next one is asked for. */
static void growing_in_place(void **state)
{
	struct stream *a, *b;
	struct frame f;

	(void)state;
	pair(&a, &b);
	for (unsigned int i = 0; i < 50; i++) {
		f = numbered(i, 1 + i % 9 * 20);
		assert_int_equal(stream_send(a, &f), 0);
	}
	assert_int_equal(stream_flush(a), 0);
	assert_true(stream_fill(b) > 0);
	for (unsigned int i = 0; i < 50; i++) {
		assert_int_equal(stream_next(b, &f), 1);
		check_numbered(&f, i, 1 + i % 9 * 20);
		assert_int_equal(frame_push(&f, FRAME_HEADROOM), 0);
		memset(f.data, 0xee, FRAME_HEADROOM);
		assert_int_equal(frame_put(&f, FRAME_TAILROOM), 0);
		memset(f.data + f.len - FRAME_TAILROOM, 0xdd, FRAME_TAILROOM);
		assert_int_equal(frame_put(&f, 1), -ENOBUFS);
	}
	assert_int_equal(stream_next(b, &f), 0);
	stream_free(a);
	stream_free(b);
}

/* The same when the next frame arrives while one is lent out. */
static void growing_before_more_is_read(void **state)
{
	struct stream *s;
	struct frame f;

	(void)state;
	assert_int_equal(stream_new(-1, &s), 0);
	stream_feed(s, "\0\0\0\4abcd\0\0\0\4ef", 14);
	assert_int_equal(stream_next(s, &f), 1);
	assert_int_equal(frame_put(&f, 60), 0);
	memset(f.data + 4, 0xff, 60);
	stream_feed(s, "gh", 2);
	assert_int_equal(stream_next(s, &f), 1);
	assert_memory_equal(f.data, "efgh", 4);
	stream_free(s);
}

static void back_pressure(void **state)
{
	struct stream *a, *b;
	struct pollfd pfd = { .events = POLLOUT };
	struct frame f;
	unsigned int sent = 0, received = 0;

	(void)state;
	pair(&a, &b);
	f = numbered(0, 1514);
	while (stream_send(a, &f) == 0)
		f = numbered(++sent, 1514);
	assert_int_equal(stream_send(a, &f), -EAGAIN);
	assert_int_equal(stream_flush(a), 1);
	assert_true(sent > 200);
	pfd.fd = stream_fd(a);
	assert_int_equal(poll(&pfd, 1, 0), 0);
	while (received < sent) {
		assert_true(stream_fill(b) > 0);
		while (stream_next(b, &f) == 1)
			check_numbered(&f, received++, 1514);
		assert_int_equal(poll(&pfd, 1, 0), 1);
		assert_true(stream_flush(a) >= 0);
	}
	assert_int_equal(stream_fill(b), 0);
	stream_free(a);
	stream_free(b);
}

/* What has left whole and what has not is all that was sent, at any time. */
static void unsent(void **state)
{
	unsigned int sent = 0, received = 0, left;
	uint64_t sent_bytes = 0, received_bytes = 0, bytes;
	struct stream *a, *b;
	struct frame f;

	(void)state;
	pair(&a, &b);
	for (int round = 0; round < 300; round++) {
		for (int i = 0; i < 40; i++) {
			f = numbered(sent, size_of(sent));
			if (stream_send(a, &f))
				break;
			sent_bytes += f.len;
			sent++;
		}
		assert_true(stream_flush(a) >= 0);
		if (round % 3 || round > 280)
			continue;
		stream_fill(b);
		while (stream_next(b, &f) == 1) {
			received_bytes += f.len;
			received++;
		}
		left = stream_unsent(a, &bytes);
		assert_true(received + left <= sent);
		assert_int_equal(left == 0, stream_pending(a) == 0);
	}
	left = stream_unsent(a, &bytes);
	assert_true(left > 0);
	stream_free(a);		/* and with it what was not sent */
	while (stream_fill(b) > 0) {
		while (stream_next(b, &f) == 1) {
			received_bytes += f.len;
			received++;
		}
	}
	assert_int_equal(received + left, sent);
	assert_int_equal(received_bytes + bytes, sent_bytes);
	stream_free(b);
}

static void not_read_out(void **state)
{
	struct stream *s;
	uint8_t block[1000] = { 0 };
	size_t all = 0, n;

	(void)state;
	block[3] = 200;			/* a frame, and the next one's length is 0 */
	assert_int_equal(stream_new(-1, &s), 0);
	while ((n = stream_feed(s, block, sizeof(block))))
		all += n;
	assert_true(all >= 2 * FRAME_MAX);
	assert_int_equal(stream_fill(s), 0);	/* no room: not an error */
	stream_free(s);
}

static void lengths_that_lie(void **state)
{
	struct stream *s;
	struct frame f;

	(void)state;
	assert_int_equal(stream_new(-1, &s), 0);
	stream_feed(s, "\0\0\0\1x\0\1\0\1", 9);
	assert_int_equal(stream_next(s, &f), 1);
	assert_int_equal(stream_next(s, &f), -EPROTO);
	assert_string_equal(stream_error(s),
		"frame 2: expected a length of 1 to 65536 bytes, found 65537");
	assert_int_equal(stream_next(s, &f), -EPROTO);
	assert_int_equal(stream_fill(s), -EPROTO);
	stream_free(s);

	assert_int_equal(stream_new(-1, &s), 0);
	stream_feed(s, "\0\0\0\0", 4);
	assert_int_equal(stream_next(s, &f), -EPROTO);
	assert_string_equal(stream_error(s),
		"frame 1: expected a length of 1 to 65536 bytes, found 0");
	stream_free(s);
}

static void frames_that_do_not_fit(void **state)
{
	struct stream *a, *b;
	struct frame f = numbered(1, FRAME_MAX);

	(void)state;
	pair(&a, &b);
	assert_int_equal(stream_send(a, &f), 0);
	f.len++;
	assert_int_equal(stream_send(a, &f), -EMSGSIZE);
	assert_string_equal(stream_error(a),
		"expected a frame of 1 to 65536 bytes, found 65537");
	f.len = 0;
	assert_int_equal(stream_send(a, &f), -EMSGSIZE);
	f = numbered(1, 60);
	assert_int_equal(stream_send(a, &f), 0);	/* it goes on */
	stream_free(a);
	stream_free(b);
}

static void peer_that_leaves(void **state)
{
	struct stream *a, *b;
	struct frame f = numbered(3, 100);

	(void)state;
	pair(&a, &b);
	assert_int_equal(stream_send(a, &f), 0);
	assert_int_equal(stream_flush(a), 0);
	stream_free(a);
	assert_int_equal(stream_fill(b), 104);		/* what it sent is there */
	assert_int_equal(stream_fill(b), -ECONNRESET);
	assert_int_equal(stream_next(b, &f), 1);
	check_numbered(&f, 3, 100);
	assert_int_equal(stream_fill(b), -ECONNRESET);
	assert_string_equal(stream_error(b), "the peer closed the connection");
	assert_int_equal(stream_send(b, &f), -ECONNRESET);
	assert_int_equal(stream_flush(b), -ECONNRESET);
	stream_free(b);
}

static void peer_that_leaves_while_sent_to(void **state)
{
	struct stream *a, *b;
	struct frame f = numbered(3, 100);

	(void)state;
	pair(&a, &b);
	stream_free(a);
	assert_int_equal(stream_send(b, &f), 0);
	assert_int_equal(stream_flush(b), -ECONNRESET);	/* and no SIGPIPE */
	assert_int_equal(stream_send(b, &f), -ECONNRESET);
	stream_free(b);
}

static void peer_that_leaves_inside_a_frame(void **state)
{
	struct stream *b;
	struct frame f;
	int fds[2];

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
	assert_int_equal(stream_new(fds[1], &b), 0);
	assert_int_equal(write(fds[0], "\0\0\0\5abc", 7), 7);
	close(fds[0]);
	assert_int_equal(stream_fill(b), 7);
	assert_int_equal(stream_next(b, &f), 0);
	assert_int_equal(stream_fill(b), -ECONNRESET);
	assert_string_equal(stream_error(b),
		"the peer closed the connection inside a frame: expected 5 bytes, found 3");
	stream_free(b);
}

static void another_connection(void **state)
{
	struct stream *a, *b;
	struct frame f = numbered(1, 100);
	int fds[2];

	(void)state;
	pair(&a, &b);
	assert_int_equal(stream_send(a, &f), 0);	/* never flushed */
	stream_free(b);
	assert_int_equal(stream_fill(a), -ECONNRESET);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
	stream_restart(a, fds[0]);
	assert_int_equal(stream_new(fds[1], &b), 0);
	f = numbered(2, 200);
	assert_int_equal(stream_send(a, &f), 0);
	assert_int_equal(stream_flush(a), 0);
	assert_int_equal(stream_fill(b), 204);
	assert_int_equal(stream_next(b, &f), 1);
	check_numbered(&f, 2, 200);
	assert_int_equal(stream_stats(a)->tx_frames, 1);
	assert_string_equal(stream_error(a), "");
	stream_free(a);
	stream_free(b);
}

static void listen_and_connect(void **state)
{
	char path[100], why[WHY_SIZE];
	struct stream *a, *b;
	struct frame f = numbered(9, 200);
	struct stat st;
	int fd;

	(void)state;
	snprintf(path, sizeof(path), "%s/sock", dir);
	fd = stream_listen(path, why);
	assert_true(fd >= 0);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_int_equal(stream_accept(fd, &b, why), -EAGAIN);
	assert_int_equal(stream_connect(path, &a, why), 0);
	assert_int_equal(stream_accept(fd, &b, why), 0);
	assert_int_equal(stream_send(a, &f), 0);
	assert_int_equal(stream_flush(a), 0);
	assert_true(stream_fill(b) > 0);
	assert_int_equal(stream_next(b, &f), 1);
	check_numbered(&f, 9, 200);
	stream_free(a);
	stream_free(b);
	stream_unlisten(fd, path);
	assert_int_equal(stat(path, &st), -1);
	assert_int_equal(stream_connect(path, &a, why), -ENOENT);
}

static void socket_in_use(void **state)
{
	char path[100], why[WHY_SIZE], want[WHY_SIZE];
	int first, second;

	(void)state;
	snprintf(path, sizeof(path), "%s/used", dir);
	first = stream_listen(path, why);
	assert_true(first >= 0);
	second = stream_listen(path, why);
	assert_int_equal(second, -EADDRINUSE);
	snprintf(want, sizeof(want), "socket %s: in use by another process", path);
	assert_string_equal(why, want);
	close(first);			/* as after a crash: the file stays */
	second = stream_listen(path, why);
	assert_true(second >= 0);
	stream_unlisten(second, path);
}

static void socket_paths_that_cannot_be(void **state)
{
	char path[200], why[WHY_SIZE];
	struct stream *s;
	FILE *f;

	(void)state;
	memset(path, 'a', 130);
	path[130] = 0;
	assert_int_equal(stream_listen(path, why), -ENAMETOOLONG);
	assert_non_null(strstr(why, "expected 1 to 107 bytes, found 130"));
	assert_int_equal(stream_connect(path, &s, NULL), -ENAMETOOLONG);
	assert_int_equal(stream_listen("", why), -EINVAL);
	assert_int_equal(stream_listen("/nonexistent/dir/sock", why), -ENOENT);
	assert_string_equal(why, "socket /nonexistent/dir/sock: No such file or directory");

	snprintf(path, sizeof(path), "%s/file", dir);
	f = fopen(path, "w");
	fclose(f);
	assert_int_equal(stream_listen(path, why), -EEXIST);
	assert_int_equal(unlink(path), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(flood),
		cmocka_unit_test(batches),
		cmocka_unit_test(one_byte_at_a_time),
		cmocka_unit_test(growing_in_place),
		cmocka_unit_test(growing_before_more_is_read),
		cmocka_unit_test(back_pressure),
		cmocka_unit_test(unsent),
		cmocka_unit_test(not_read_out),
		cmocka_unit_test(lengths_that_lie),
		cmocka_unit_test(frames_that_do_not_fit),
		cmocka_unit_test(peer_that_leaves),
		cmocka_unit_test(peer_that_leaves_while_sent_to),
		cmocka_unit_test(peer_that_leaves_inside_a_frame),
		cmocka_unit_test(another_connection),
		cmocka_unit_test(listen_and_connect),
		cmocka_unit_test(socket_in_use),
		cmocka_unit_test(socket_paths_that_cannot_be),
	};

	return cmocka_run_group_tests_name("stream", tests, make_dir, remove_dir);
}
