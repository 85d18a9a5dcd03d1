// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * JSON objects, one a line, on a stream socket: see jsonline.h.
 *
 * A line that is no JSON object is reported through .gone: neither QEMU nor
 * the agent ever sends one, so the channel can't be trusted after it.
 */
#include "jsonline.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#define READ_SIZE 65536

static int buffer_room(struct buffer *b, size_t n)
{
	size_t cap = b->cap ? b->cap : READ_SIZE;
	char *p;

	if (b->cap - b->len >= n)
		return 0;
	while (cap - b->len < n)
		cap *= 2;
	p = realloc(b->bytes, cap);
	if (!p)
		return -ENOMEM;
	b->bytes = p;
	b->cap = cap;
	return 0;
}

static void buffer_eat(struct buffer *b, size_t n)
{
	memmove(b->bytes, b->bytes + n, b->len - n);
	b->len -= n;
}

static void lost(struct jsonline *j, const char *why)
{
	if (j->src.fd < 0)
		return;
	loop_del(&j->src);
	close(j->src.fd);
	j->src.fd = -1;
	if (j->gone)
		j->gone(j, why);
}

static void log_line(struct jsonline *j, char mark, const char *line, size_t len)
{
	if (!j->log)
		return;
	fprintf(j->log, "%c %.*s\n", mark, (int)len, line);
	fflush(j->log);
}

static void take_line(struct jsonline *j, const char *line, size_t len)
{
	json_t *o;

	if (len && line[len - 1] == '\r')
		len--;
	if (!len)
		return;
	log_line(j, '<', line, len);
	o = json_loadb(line, len, 0, NULL);
	if (!json_is_object(o))
		lost(j, "a line that is not a JSON object");
	else
		j->got(j, o);
	json_decref(o);
}

static void take_lines(struct jsonline *j)
{
	char *nl;

	while (j->in.len && (nl = memchr(j->in.bytes, '\n', j->in.len))) {
		size_t n = (size_t)(nl - j->in.bytes);
		char *line = strndup(j->in.bytes, n);

		buffer_eat(&j->in, n + 1);
		if (line)
			take_line(j, line, n);
		free(line);
		if (j->src.fd < 0)
			return;
	}
}

static void read_some(struct jsonline *j)
{
	ssize_t n;

	if (buffer_room(&j->in, READ_SIZE)) {
		lost(j, "out of memory");
		return;
	}
	n = read(j->src.fd, j->in.bytes + j->in.len, j->in.cap - j->in.len);
	if (n > 0) {
		j->in.len += (size_t)n;
		take_lines(j);
	} else if (n == 0) {
		lost(j, "connection closed");
	} else if (errno != EAGAIN && errno != EINTR) {
		lost(j, strerror(errno));
	}
}

static void write_some(struct jsonline *j)
{
	ssize_t n = 0;

	if (j->out.len) {
		n = send(j->src.fd, j->out.bytes, j->out.len, MSG_NOSIGNAL | MSG_DONTWAIT);
		if (n < 0 && errno != EAGAIN && errno != EINTR) {
			lost(j, strerror(errno));
			return;
		}
		if (n > 0)
			buffer_eat(&j->out, (size_t)n);
	}
	loop_mod(&j->src, EPOLLIN | (j->out.len ? EPOLLOUT : 0));
}

static void ready(struct loop_source *s, uint32_t events)
{
	struct jsonline *j = (struct jsonline *)s;

	if (events & EPOLLOUT)
		write_some(j);
	if (j->src.fd >= 0 && (events & (EPOLLIN | EPOLLHUP | EPOLLERR)))
		read_some(j);
}

int jsonline_open(struct jsonline *j, struct loop *l, int fd)
{
	j->src.fd = fd;
	j->src.ready = ready;
	if (fcntl(fd, F_SETFL, O_NONBLOCK))
		return -errno;
	return loop_add(l, &j->src, EPOLLIN);
}

void jsonline_close(struct jsonline *j)
{
	j->gone = NULL;
	lost(j, "");
	free(j->in.bytes);
	free(j->out.bytes);
	j->in = j->out = (struct buffer){ 0 };
}

static int queue(struct jsonline *j, const char *text, size_t len)
{
	if (j->src.fd < 0)
		return -EPIPE;
	if (buffer_room(&j->out, len + 1))
		return -ENOMEM;
	memcpy(j->out.bytes + j->out.len, text, len);
	j->out.bytes[j->out.len + len] = '\n';
	j->out.len += len + 1;
	write_some(j);
	return j->src.fd < 0 ? -EPIPE : 0;
}

int jsonline_send(struct jsonline *j, json_t *object)
{
	char *text = json_dumps(object, JSON_COMPACT);
	int err = -ENOMEM;

	json_decref(object);
	if (text) {
		log_line(j, '>', text, strlen(text));
		err = queue(j, text, strlen(text));
	}
	free(text);
	return err;
}

int jsonline_flush_line(struct jsonline *j)
{
	return queue(j, "", 0);
}
