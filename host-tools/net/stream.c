// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Frames over a unix stream socket.
 *
 * Receiving: one recv(2) takes up to a buffer full of frames.  They lie there
 * one behind the other, four bytes apart, so room for a tag has to be
 * borrowed: in front of a frame it is what was handed out before and is used
 * up; behind it, it is the next frame, of which the first FRAME_TAILROOM bytes
 * are saved when a frame is handed out and put back before the next one is.
 *
 * Sending: frames are copied behind each other with their lengths and leave
 * by one send(2).  An iovec a frame costs more than copying 64 bytes, and not
 * much less than copying 1500.
 *
 * Left out: the virtio-net header that QEMU can put before a frame; file
 * descriptors sent along; TCP.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "net/stream.h"

#define LENGTH		4		/* bytes of it */
#define ROOM		(256 * 1024)	/* some 150 frames of full size */

_Static_assert(ROOM >= 2 * (FRAME_MAX + LENGTH), "a buffer holds any frame");

struct stream {
	int fd;
	int err;			/* of the connection, sticks */
	struct stream_stats stats;
	char error[WHY_SIZE];

	size_t rx_start, rx_end;	/* unread bytes of rx */
	size_t lent;			/* where saved[] belongs; 0: nothing */
	uint8_t saved[FRAME_TAILROOM];

	size_t tx_start, tx_end;
	size_t tx_frame;		/* first frame of tx that has not left whole */

	uint8_t rx[FRAME_HEADROOM + ROOM + FRAME_TAILROOM];
	uint8_t tx[ROOM];
};

/* --- sockets ------------------------------------------------------------- */

static int set_address(struct sockaddr_un *sun, const char *path, char *why)
{
	size_t len = strlen(path);

	memset(sun, 0, sizeof(*sun));
	sun->sun_family = AF_UNIX;
	if (!len || len >= sizeof(sun->sun_path))
		return why_set(why, len ? -ENAMETOOLONG : -EINVAL,
			       "socket path %.120s: expected 1 to %zu bytes, found %zu",
			       path, sizeof(sun->sun_path) - 1, len);
	memcpy(sun->sun_path, path, len);
	return 0;
}

static int new_socket(void)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	return fd < 0 ? -errno : fd;
}

static int try_connect(int fd, const struct sockaddr_un *sun)
{
	return connect(fd, (const struct sockaddr *)sun, sizeof(*sun)) ?
	       -errno : 0;
}

/* Removes a socket file that nobody listens at; -EADDRINUSE if somebody does. */
static int remove_stale(const struct sockaddr_un *sun)
{
	struct stat st;
	int fd, err;

	if (lstat(sun->sun_path, &st))
		return errno == ENOENT ? 0 : -errno;
	if (!S_ISSOCK(st.st_mode))
		return -EEXIST;
	fd = new_socket();
	if (fd < 0)
		return fd;
	err = try_connect(fd, sun);
	close(fd);
	if (err != -ECONNREFUSED)
		return err && err != -EAGAIN ? err : -EADDRINUSE;
	return unlink(sun->sun_path) ? -errno : 0;
}

static int bind_and_listen(int fd, const struct sockaddr_un *sun)
{
	mode_t mask = umask(0177);
	int err = bind(fd, (const struct sockaddr *)sun, sizeof(*sun)) ?
		  -errno : 0;

	umask(mask);
	if (!err && listen(fd, 8))
		err = -errno;
	return err;
}

int stream_listen(const char *path, char *why)
{
	struct sockaddr_un sun;
	int fd, err = set_address(&sun, path, why);

	if (err)
		return err;
	err = remove_stale(&sun);
	if (err)
		return why_set(why, err, "socket %s: %s", path,
			       err == -EADDRINUSE ? "in use by another process" :
			       err == -EEXIST ? "a file is there that is no socket" :
			       strerror(-err));
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	err = fd < 0 ? -errno : bind_and_listen(fd, &sun);
	if (!err)
		return fd;
	if (fd >= 0)
		close(fd);
	return why_set(why, err, "socket %s: %s", path, strerror(-err));
}

void stream_unlisten(int fd, const char *path)
{
	close(fd);
	unlink(path);
}

/* The buffers stay as they are: nothing of them counts. */
static void start(struct stream *s, int fd)
{
	memset(s, 0, offsetof(struct stream, rx));
	s->fd = fd;
	s->rx_start = s->rx_end = FRAME_HEADROOM;
}

int stream_new(int fd, struct stream **out)
{
	struct stream *s = malloc(sizeof(*s));

	if (!s)
		return -ENOMEM;
	start(s, fd);
	*out = s;
	return 0;
}

void stream_restart(struct stream *s, int fd)
{
	if (s->fd >= 0)
		close(s->fd);
	start(s, fd);
}

int stream_accept(int listen_fd, struct stream **out, char *why)
{
	int err, fd = accept4(listen_fd, NULL, NULL, SOCK_CLOEXEC);

	if (fd < 0 && (errno == EINTR || errno == ECONNABORTED))
		return -EAGAIN;
	if (fd < 0)
		return why_set(why, -errno, "accept: %s", strerror(errno));
	err = stream_new(fd, out);
	if (err)
		close(fd);
	return err;
}

int stream_connect(const char *path, struct stream **out, char *why)
{
	struct sockaddr_un sun;
	int fd, err = set_address(&sun, path, why);

	if (err)
		return err;
	fd = new_socket();
	err = fd < 0 ? fd : try_connect(fd, &sun);
	if (!err)
		err = stream_new(fd, out);
	if (!err)
		return 0;
	if (fd >= 0)
		close(fd);
	return why_set(why, err, "socket %s: %s", path, strerror(-err));
}

void stream_free(struct stream *s)
{
	if (!s)
		return;
	if (s->fd >= 0)
		close(s->fd);
	free(s);
}

int stream_fd(const struct stream *s)
{
	return s->fd;
}

/* --- receiving ----------------------------------------------------------- */

/* Puts back what a frame's tailroom covered. */
static void give_back(struct stream *s)
{
	if (!s->lent)
		return;
	memcpy(s->rx + s->lent, s->saved, FRAME_TAILROOM);
	s->lent = 0;
}

static size_t unread(const struct stream *s)
{
	return s->rx_end - s->rx_start;
}

static uint32_t length_at(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3];
}

/* Room behind what is unread; moves it to the front when that gets short. */
static size_t rx_room(struct stream *s)
{
	size_t limit = FRAME_HEADROOM + ROOM;

	give_back(s);
	if (s->rx_start == s->rx_end) {
		s->rx_start = s->rx_end = FRAME_HEADROOM;
	} else if (limit - s->rx_start < FRAME_MAX + LENGTH ||
		   limit - s->rx_end < ROOM / 8) {
		memmove(s->rx + FRAME_HEADROOM, s->rx + s->rx_start, unread(s));
		s->rx_end = FRAME_HEADROOM + unread(s);
		s->rx_start = FRAME_HEADROOM;
	}
	return limit - s->rx_end;
}

/* The connection is over.  Says so of a frame that is not whole, too. */
static int gone(struct stream *s)
{
	size_t at = s->rx_start, left = unread(s);

	while (left >= LENGTH && left - LENGTH >= length_at(s->rx + at)) {
		left -= LENGTH + length_at(s->rx + at);
		at += LENGTH + length_at(s->rx + at);
	}
	s->err = -ECONNRESET;
	if (left < LENGTH)
		return why_set(s->error, s->err, left ?
			       "the peer closed the connection inside a frame's length" :
			       "the peer closed the connection");
	return why_set(s->error, s->err,
		       "the peer closed the connection inside a frame: expected %u bytes, found %zu",
		       length_at(s->rx + at), left - LENGTH);
}

static int failed(struct stream *s, int err)
{
	if (err == -EPIPE || err == -ECONNRESET)
		return gone(s);
	s->err = err;
	return why_set(s->error, err, "%s", strerror(-err));
}

int stream_fill(struct stream *s)
{
	size_t room = rx_room(s);
	ssize_t n;

	if (s->err)
		return s->err;
	if (!room)
		return 0;
	do {
		n = recv(s->fd, s->rx + s->rx_end, room, MSG_DONTWAIT);
	} while (n < 0 && errno == EINTR);
	if (n < 0 && errno == EAGAIN)
		return 0;
	if (n < 0)
		return failed(s, -errno);
	if (!n)
		return gone(s);
	s->stats.reads++;
	s->rx_end += n;
	return n;
}

size_t stream_feed(struct stream *s, const void *bytes, size_t len)
{
	size_t room = rx_room(s);

	len = len < room ? len : room;
	memcpy(s->rx + s->rx_end, bytes, len);
	s->rx_end += len;
	return len;
}

int stream_next(struct stream *s, struct frame *f)
{
	uint32_t len;

	give_back(s);
	if (unread(s) < LENGTH)
		return 0;
	len = length_at(s->rx + s->rx_start);
	if (!len || len > FRAME_MAX) {
		s->err = -EPROTO;
		return why_set(s->error, s->err,
			       "frame %llu: expected a length of 1 to %u bytes, found %u",
			       (unsigned long long)s->stats.rx_frames + 1,
			       FRAME_MAX, len);
	}
	if (unread(s) - LENGTH < len)
		return 0;
	f->start = s->rx;
	f->data = s->rx + s->rx_start + LENGTH;
	f->len = len;
	f->end = f->data + len + FRAME_TAILROOM;
	s->rx_start += LENGTH + len;
	s->lent = s->rx_start;
	memcpy(s->saved, s->rx + s->lent, FRAME_TAILROOM);
	s->stats.rx_frames++;
	s->stats.rx_bytes += len;
	return 1;
}

/* --- sending ------------------------------------------------------------- */

/* Is there room for @len bytes, if need be after a write or a move? */
static int tx_room(struct stream *s, size_t len)
{
	if (ROOM - s->tx_end >= len)
		return 0;
	if (stream_flush(s) < 0)
		return s->err;
	if (s->tx_frame) {
		memmove(s->tx, s->tx + s->tx_frame, s->tx_end - s->tx_frame);
		s->tx_end -= s->tx_frame;
		s->tx_start -= s->tx_frame;
		s->tx_frame = 0;
	}
	if (ROOM - s->tx_end >= len)
		return 0;
	s->stats.tx_again++;
	return -EAGAIN;
}

int stream_send(struct stream *s, const struct frame *f)
{
	uint8_t *p;
	int err = s->err;

	if (err)
		return err;
	if (!f->len || f->len > FRAME_MAX)
		return why_set(s->error, -EMSGSIZE,
			       "expected a frame of 1 to %u bytes, found %zu",
			       FRAME_MAX, f->len);
	err = tx_room(s, LENGTH + f->len);
	if (err)
		return err;
	p = s->tx + s->tx_end;
	p[0] = f->len >> 24;
	p[1] = f->len >> 16;
	p[2] = f->len >> 8;
	p[3] = f->len;
	memcpy(p + LENGTH, f->data, f->len);
	s->tx_end += LENGTH + f->len;
	s->stats.tx_frames++;
	s->stats.tx_bytes += f->len;
	return 0;
}

/* tx_frame goes to the first frame that is still here, in part or whole. */
static void pass_whole_frames(struct stream *s)
{
	size_t next = s->tx_frame;

	while (next <= s->tx_start) {
		s->tx_frame = next;
		next += LENGTH + length_at(s->tx + next);
	}
}

int stream_flush(struct stream *s)
{
	ssize_t n;

	if (s->err)
		return s->err;
	if (!stream_pending(s))
		return 0;
	do {
		n = send(s->fd, s->tx + s->tx_start, stream_pending(s),
			 MSG_DONTWAIT | MSG_NOSIGNAL);
	} while (n < 0 && errno == EINTR);
	if (n < 0 && errno == EAGAIN)
		return 1;
	if (n < 0)
		return failed(s, -errno);
	s->stats.writes++;
	s->tx_start += n;
	if (stream_pending(s)) {
		pass_whole_frames(s);
		return 1;
	}
	s->tx_start = s->tx_end = s->tx_frame = 0;
	return 0;
}

size_t stream_pending(const struct stream *s)
{
	return s->tx_end - s->tx_start;
}

unsigned int stream_unsent(const struct stream *s, uint64_t *bytes)
{
	unsigned int frames = 0;
	size_t at;

	*bytes = 0;
	for (at = s->tx_frame; at < s->tx_end; frames++) {
		*bytes += length_at(s->tx + at);
		at += LENGTH + length_at(s->tx + at);
	}
	return frames;
}

const char *stream_error(const struct stream *s)
{
	return s->error;
}

const struct stream_stats *stream_stats(const struct stream *s)
{
	return &s->stats;
}
