/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Frames over a unix stream socket, as QEMU's "-netdev stream" frames them:
 * four bytes of length, big-endian, then the frame.
 *
 * Everything is non-blocking and made for an epoll loop:
 *
 *	readable:  stream_fill(s);
 *		   while (stream_next(s, &frame) == 1) ... ;
 *	end of a round, and when writable:  stream_flush(s);
 *
 * A frame is handed out in place.  It has FRAME_HEADROOM and FRAME_TAILROOM
 * around it like any other, so a tag is put in or taken out without moving the
 * payload; it is valid until the next stream_next() or stream_fill().
 *
 * Nothing is ever dropped: stream_send() says -EAGAIN and the caller keeps the
 * frame, and stops reading where it came from.
 */
#ifndef TAGRIG_NET_STREAM_H
#define TAGRIG_NET_STREAM_H

#include <stddef.h>
#include <stdint.h>

#include "net/why.h"
#include "tag/frame.h"

struct stream;

struct stream_stats {
	uint64_t rx_frames, rx_bytes, reads;
	uint64_t tx_frames, tx_bytes, writes;
	uint64_t tx_again;	/* stream_send() that returned -EAGAIN */
};

/*
 * Listens at @path (mode 0600).  A socket file that nobody listens at any more
 * is replaced; one that somebody does is -EADDRINUSE.  -ENAMETOOLONG if the
 * path does not fit in a socket address.  Returns the descriptor to poll.
 */
int stream_listen(const char *path, char *why);

/* Closes a listening descriptor and removes its file. */
void stream_unlisten(int fd, const char *path);

/* Takes one connection: 0 and *@out; -EAGAIN if there is none. */
int stream_accept(int listen_fd, struct stream **out, char *why);

/* Connects to a listening socket. */
int stream_connect(const char *path, struct stream **out, char *why);

/* A stream on a connected socket, which it owns from then on. */
int stream_new(int fd, struct stream **out);

/*
 * Starts over with another socket (QEMU came back): the old one is closed, and
 * what was in the buffers, the error and the statistics are gone.
 */
void stream_restart(struct stream *s, int fd);

/* NULL is allowed.  Frames not yet flushed are lost. */
void stream_free(struct stream *s);

int stream_fd(const struct stream *s);

/*
 * Reads what there is, one system call.  Returns how many bytes, 0 if there is
 * nothing (or no room before stream_next() is called), -ECONNRESET when the
 * peer is gone, another -errno.  Frames read before stay available.
 */
int stream_fill(struct stream *s);

/*
 * The next whole frame: 1, or 0 if there is none, or -EPROTO when its length
 * is 0 or more than FRAME_MAX: both ends are out of step, and stay so.
 */
int stream_next(struct stream *s, struct frame *f);

/*
 * Queues a copy of the frame.  -EAGAIN: the peer does not read, keep the frame
 * and poll for writing; -EMSGSIZE: empty or longer than FRAME_MAX;
 * -ECONNRESET: the peer is gone.
 */
int stream_send(struct stream *s, const struct frame *f);

/*
 * Writes what is queued, one system call.  0: all of it is out; 1: the socket
 * is full, poll for writing; -ECONNRESET or another -errno.
 */
int stream_flush(struct stream *s);

/* Bytes queued. */
size_t stream_pending(const struct stream *s);

/*
 * Frames queued that have not left whole: lost when the connection ends.
 * *@bytes is their length together.
 */
unsigned int stream_unsent(const struct stream *s, uint64_t *bytes);

/* What went wrong, after a negative result. */
const char *stream_error(const struct stream *s);

const struct stream_stats *stream_stats(const struct stream *s);

/* For tests: puts bytes in as if read; returns how many there was room for. */
size_t stream_feed(struct stream *s, const void *bytes, size_t len);

#endif
