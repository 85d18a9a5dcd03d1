/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For the tests of "tagrig bridge": runs the real program, and is QEMU for it,
 * a client on its unix stream socket.
 *
 * Included once by each test program, after cmocka.h.  Everything waits for
 * what it is about, WAIT_MS at most.
 */
#ifndef TAGRIG_TESTS_BRIDGE_RUN_H
#define TAGRIG_TESTS_BRIDGE_RUN_H

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "net/stream.h"
#include "tag/tag.h"

#define WAIT_MS		10000
#define TEXT		65536

static char dir[64];
static const char *program;	/* to run instead of TAGRIG, if set */

/* A bridge that runs. */
static struct bridge {
	pid_t pid;
	int err, out;		/* its standard error and output */
	char said[TEXT];	/* on standard error, until now */
	char printed[TEXT];	/* on standard output */
	struct stream *qemu;
	const struct tag_format *tag;
} bridge;

static int64_t clock_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000ll + ts.tv_nsec / 1000000;
}

static __attribute__((unused)) int make_dir(void **state)
{
	(void)state;
	strcpy(dir, "/tmp/test_bridge.XXXXXX");
	return mkdtemp(dir) && !chdir(dir) ? 0 : -1;
}

static __attribute__((unused)) int remove_dir(void **state)
{
	char command[100];

	(void)state;
	snprintf(command, sizeof(command), "rm -r %s", dir);
	return chdir("/") || system(command);
}

static const char *tagrig(void)
{
	const char *t = getenv("TAGRIG");

	if (!t || access(t, X_OK)) {
		print_message("# SKIP TAGRIG does not name the program\n");
		skip();
	}
	return t;
}

/* Runs a command to its end; its status, its output in bridge.said. */
static __attribute__((format(printf, 1, 2), unused))
int shell(const char *fmt, ...)
{
	char command[2000];
	va_list ap;
	int status;
	FILE *f;

	va_start(ap, fmt);
	vsnprintf(command, sizeof(command), fmt, ap);
	va_end(ap);
	f = popen(command, "r");
	assert_non_null(f);
	bridge.said[fread(bridge.said, 1, TEXT - 1, f)] = 0;
	status = pclose(f);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* The words of @args, without quoting, as argv. */
static void split(char *args, char **argv)
{
	char *word;

	for (word = strtok(args, " "); word; word = strtok(NULL, " "))
		*argv++ = word;
	*argv = NULL;
}

static void run_child(char *args, int out, int err, uid_t uid)
{
	char *argv[64] = { (char *)(program ?: tagrig()), (char *)"bridge" };

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	split(args, argv + 2);
	dup2(out, 1);
	dup2(err, 2);
	if (uid && (setgid(uid) || setuid(uid)))
		_exit(99);
	execv(argv[0], argv);
	_exit(98);
}

/* Starts "tagrig bridge ARGS" as user @uid (0: this one). */
static void start_as(uid_t uid, const char *fmt, va_list ap)
{
	char args[2000];
	int out[2], err[2];

	vsnprintf(args, sizeof(args), fmt, ap);
	tagrig();
	memset(&bridge, 0, sizeof(bridge));
	if (pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC))
		fail_msg("pipe: %s", strerror(errno));
	bridge.pid = fork();
	if (!bridge.pid)
		run_child(args, out[1], err[1], uid);
	close(out[1]);
	close(err[1]);
	bridge.out = out[0];
	bridge.err = err[0];
	fcntl(out[0], F_SETFL, O_NONBLOCK);
	fcntl(err[0], F_SETFL, O_NONBLOCK);
}

static __attribute__((format(printf, 1, 2))) void start(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	start_as(0, fmt, ap);
	va_end(ap);
}

/* Appends what is there to @text; false at the end. */
static bool collect(int fd, char *text)
{
	size_t used = strlen(text);
	ssize_t n = read(fd, text + used, TEXT - 1 - used);

	if (n > 0)
		text[used + n] = 0;
	return n > 0 || (n < 0 && errno == EAGAIN);
}

/* Waits until @text has @want in it, reading @fd. */
static void wait_text(int fd, char *text, const char *want)
{
	int64_t end = clock_ms() + WAIT_MS;
	struct pollfd pfd = { .fd = fd, .events = POLLIN };

	while (!strstr(text, want)) {
		if (poll(&pfd, 1, 100) == 1 && !collect(fd, text) && !strstr(text, want))
			fail_msg("expected '%s', found the end after: %.3000s", want, text);
		if (clock_ms() > end)
			fail_msg("expected '%s', found: %.3000s", want, text);
	}
}

static __attribute__((unused)) void wait_said(const char *want)
{
	wait_text(bridge.err, bridge.said, want);
}

static __attribute__((unused)) void wait_printed(const char *want)
{
	wait_text(bridge.out, bridge.printed, want);
}

/* Reads both to the end and waits for the process; its exit status. */
static int ended(void)
{
	struct pollfd pfd[2] = { { .fd = bridge.err, .events = POLLIN },
				 { .fd = bridge.out, .events = POLLIN } };
	int status;
	int64_t end = clock_ms() + WAIT_MS;

	while (pfd[0].fd >= 0 || pfd[1].fd >= 0) {
		poll(pfd, 2, 100);
		if (pfd[0].revents && !collect(bridge.err, bridge.said))
			pfd[0].fd = -1;
		if (pfd[1].revents && !collect(bridge.out, bridge.printed))
			pfd[1].fd = -1;
		if (clock_ms() > end) {
			kill(bridge.pid, SIGKILL);
			fail_msg("it does not end; it said: %.3000s", bridge.said);
		}
	}
	assert_int_equal(waitpid(bridge.pid, &status, 0), bridge.pid);
	bridge.pid = 0;
	close(bridge.err);
	close(bridge.out);
	if (bridge.qemu)
		stream_free(bridge.qemu);
	bridge.qemu = NULL;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Ends it as Ctrl-C does. */
static __attribute__((unused)) int interrupt(void)
{
	kill(bridge.pid, SIGINT);
	return ended();
}

/* Teardown: nothing may be left after a test that failed. */
static __attribute__((unused)) int kill_bridge(void **state)
{
	(void)state;
	if (bridge.pid) {
		kill(bridge.pid, SIGKILL);
		waitpid(bridge.pid, NULL, 0);
		close(bridge.err);
		close(bridge.out);
	}
	stream_free(bridge.qemu);
	memset(&bridge, 0, sizeof(bridge));
	return unlink("wire") && errno != ENOENT;
}

static void must_say(const char *text)
{
	if (!strstr(bridge.said, text))
		fail_msg("expected '%s' in:\n%.3000s", text, bridge.said);
}

/* --- as QEMU -------------------------------------------------------------- */

static void connect_qemu(void)
{
	char why[WHY_SIZE];

	if (stream_connect("wire", &bridge.qemu, why))
		fail_msg("%s; the bridge said: %.3000s", why, bridge.said);
}

/* Starts a bridge with tag @tag at "wire" and connects to it. */
static __attribute__((format(printf, 2, 3), unused))
void start_with(const char *tag, const char *fmt, ...)
{
	char args[1500];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(args, sizeof(args), fmt, ap);
	va_end(ap);
	start("--listen wire --tag %s %s", tag, args);
	bridge.tag = tag_by_name(tag);
	wait_said("listening at wire");
	connect_qemu();
}

static void wait_wire(short events)
{
	struct pollfd pfd = { .fd = stream_fd(bridge.qemu), .events = events };

	if (poll(&pfd, 1, WAIT_MS) == 1)
		return;
	collect(bridge.err, bridge.said);
	fail_msg("expected traffic, found none; the bridge said: %.3000s", bridge.said);
}

/* Queues @f, tagged for the ports of @ports, to go with the next one that is sent. */
static void qemu_queue(struct frame *f, uint32_t ports)
{
	struct tag_meta meta = { .ports = ports };
	int err;

	tag_meta_vlan(bridge.tag, TAG_FROM_CPU, &meta, f);
	assert_int_equal(tag_push(bridge.tag, TAG_FROM_CPU, &meta, f), 0);
	while ((err = stream_send(bridge.qemu, f)) == -EAGAIN)
		wait_wire(POLLOUT);
	if (err)
		fail_msg("%s", stream_error(bridge.qemu));
}

static __attribute__((unused)) void qemu_send(struct frame *f, uint32_t ports)
{
	int left;

	qemu_queue(f, ports);
	while ((left = stream_flush(bridge.qemu)) == 1)
		wait_wire(POLLOUT);
	if (left)
		fail_msg("%s", stream_error(bridge.qemu));
}

/* The next frame, untagged into @f; the ports of its tag. */
static uint32_t qemu_receive(struct frame *f)
{
	struct tag_meta meta;
	const char *why = "";
	int got;

	while (!(got = stream_next(bridge.qemu, f))) {
		wait_wire(POLLIN);
		if (stream_fill(bridge.qemu) < 0)
			fail_msg("%s; the bridge said: %.2000s", stream_error(bridge.qemu),
				 bridge.said);
	}
	assert_int_equal(got, 1);
	if (tag_pull(bridge.tag, TAG_TO_CPU, &meta, f, &why))
		fail_msg("%s", why);
	return meta.ports;
}

/* A frame of @len bytes of a local experimental EtherType, with a mark in it. */
static __attribute__((unused))
void marked(struct frame *f, uint8_t *storage, size_t size, unsigned int mark, size_t len)
{
	frame_init(f, storage, size);
	frame_put(f, len);
	memset(f->data, 0xa5, len);
	memcpy(f->data, "\2\0\0\0\0\2\2\0\0\0\0\1\x88\xb5", 14);
	f->data[14] = mark >> 24;
	f->data[15] = mark >> 16;
	f->data[16] = mark >> 8;
	f->data[17] = mark;
}

static __attribute__((unused)) unsigned int mark_of(const struct frame *f)
{
	const uint8_t *p = f->data + 14;

	return (unsigned int)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3];
}

/* --- statistics ----------------------------------------------------------- */

/* The number at "ports[NAME].GROUP.KEY" of the last line of -j output (without
 * GROUP: at "ports[NAME].KEY"); 0: none. */
static __attribute__((unused))
long long number(const char *port, const char *group, const char *key)
{
	json_t *all, *o;
	char *line;
	long long value = 0;
	size_t i;

	/* the last whole line */
	line = bridge.printed + strlen(bridge.printed);
	while (line > bridge.printed && line[-1] == '\n')
		line--;
	while (line > bridge.printed && line[-1] != '\n')
		line--;
	all = json_loads(line, JSON_DISABLE_EOF_CHECK, NULL);
	if (!all)
		fail_msg("expected JSON, found: %.2000s (it said: %.2000s)", line, bridge.said);
	json_array_foreach(json_object_get(all, "ports"), i, o)
		if (!strcmp(json_string_value(json_object_get(o, "name")), port))
			value = json_integer_value(json_object_get(group ?
						   json_object_get(o, group) : o, key));
	json_decref(all);
	return value;
}

/* The same, of now. */
static long long ask(const char *port, const char *group, const char *key)
{
	bridge.printed[0] = 0;
	kill(bridge.pid, SIGUSR1);
	wait_printed("\n");
	return number(port, group, key);
}

/* Asks until that number is @want. */
static __attribute__((unused))
void wait_number(const char *port, const char *group, const char *key, long long want)
{
	int64_t end = clock_ms() + WAIT_MS;
	long long found;

	while ((found = ask(port, group, key)) != want)
		if (clock_ms() > end)
			fail_msg("%s %s %s: expected %lld, found %lld", port, group, key, want, found);
}

/* Asks until that number stays as it is. */
static __attribute__((unused))
long long wait_still(const char *port, const char *group, const char *key)
{
	int64_t end = clock_ms() + WAIT_MS;
	long long last = -1, now;

	while ((now = ask(port, group, key)) != last) {
		last = now;
		if (clock_ms() > end)
			fail_msg("%s %s %s goes on growing: %lld", port, group, key, now);
	}
	return now;
}

#endif
