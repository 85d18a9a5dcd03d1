// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A client of QEMU's qtest protocol, and KTAP output: see qtest.h.
 *
 * The protocol is lines: a command, then "OK ..." or "FAIL ...", with "IRQ
 * raise N" and "IRQ lower N" in between once an interrupt is watched
 * (QEMU's system/qtest.c).  Frames on a cable have their length in front, 32
 * bits big-endian, as -netdev stream wants it.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <linux/sockios.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "qtest.h"

#define MAX_ARGS  128
#define LINE_MAX_ 65536
#define ANSWER_MS 10000

typedef struct Line {
	int fd;
	size_t have;
	char buf[LINE_MAX_];
} Line;

struct Qtest {
	pid_t pid;
	Line qt, qmp;
	int wire[QTEST_WIRES];
	bool irq;
	unsigned posted;	/* commands that have not been answered */
};

static void __attribute__((noreturn, format(printf, 1, 2)))
die(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fputs("Bail out! ", stdout);
	vprintf(fmt, ap);
	putchar('\n');
	va_end(ap);
	exit(1);
}

/* The child's end is passed on; ours must not be. */
static int pair(int *child)
{
	int s[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, s))
		die("socketpair: %s", strerror(errno));
	*child = dup(s[1]);
	close(s[1]);
	return s[0];
}

static bool readable(int fd, int ms)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, ms) == 1;
}

static void write_all(int fd, const void *buf, size_t len)
{
	const char *p = buf;
	ssize_t n;

	for (; len; p += n, len -= n) {
		n = send(fd, p, len, MSG_NOSIGNAL);
		if (n <= 0)
			die("QEMU is gone: %s", strerror(errno));
	}
}

/* The next line without its end; it is valid until the next call. */
static char *get_line(Line *l)
{
	static char out[LINE_MAX_];
	char *nl;
	ssize_t n;

	while (!(nl = memchr(l->buf, '\n', l->have))) {
		if (l->have == sizeof(l->buf))
			die("QEMU: a line of more than %d bytes", LINE_MAX_);
		if (!readable(l->fd, ANSWER_MS))
			die("QEMU: no answer within %d ms", ANSWER_MS);
		n = read(l->fd, l->buf + l->have, sizeof(l->buf) - l->have);
		if (n <= 0)
			die("QEMU ended");
		l->have += n;
	}
	*nl = 0;
	strcpy(out, l->buf);
	l->have -= nl + 1 - l->buf;
	memmove(l->buf, nl + 1, l->have);
	return out;
}

/* Sends a command; returns what follows OK. */
static char *__attribute__((format(printf, 2, 3)))
command(Qtest *q, const char *fmt, ...)
{
	static char text[LINE_MAX_];
	char *line;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(text, sizeof(text) - 1, fmt, ap);
	va_end(ap);
	text[n++] = '\n';
	write_all(q->qt.fd, text, n);
	for (;;) {
		line = get_line(&q->qt);
		if (!strncmp(line, "OK", 2))
			return line[2] ? line + 3 : line + 2;
		if (!strcmp(line, "IRQ raise 0"))
			q->irq = true;
		else if (!strcmp(line, "IRQ lower 0"))
			q->irq = false;
		else if (strncmp(line, "IRQ", 3))
			die("qtest: %s", line);
	}
}

static unsigned split(char *text, char **argv, unsigned n)
{
	char *word;

	for (word = strtok(text, " "); word; word = strtok(NULL, " ")) {
		if (n >= MAX_ARGS - 1)
			die("more than %d options", MAX_ARGS);
		argv[n++] = word;
	}
	argv[n] = NULL;
	return n;
}

static void __attribute__((noreturn))
run_qemu(const char *machine, const char *options, const char *plumbing)
{
	char *qemu = getenv("QEMU"), *all, *argv[MAX_ARGS];

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (asprintf(&all, "%s -machine %s -accel qtest -display none -nodefaults "
		     "-m 64 %s %s", qemu ? qemu : "qemu-system-aarch64", machine,
		     plumbing, options) < 0)
		_exit(127);
	split(all, argv, 0);
	execvp(argv[0], argv);
	fprintf(stderr, "%s: %s\n", argv[0], strerror(errno));
	_exit(127);
}

/* A cable that is not connected yet swallows frames. */
static void wait_for_cables(Qtest *q)
{
	const char *ask = "{\"execute\":\"human-monitor-command\",\"arguments\":"
			  "{\"command-line\":\"info network\"}}";
	int64_t end = ktap_now_ms() + ANSWER_MS;

	while (qtest_qmp_has(q, ask, "connecting"))
		if (ktap_now_ms() > end)
			die("QEMU does not connect its cables");
}

Qtest *qtest_start(const char *machine, const char *options, unsigned cables)
{
	Qtest *q = calloc(1, sizeof(*q));
	int child[2 + QTEST_WIRES];
	char plumbing[1024];
	size_t n;

	q->qt.fd = pair(&child[0]);
	q->qmp.fd = pair(&child[1]);
	n = snprintf(plumbing, sizeof(plumbing),
		     "-chardev socket,id=qt,fd=%d -object qtest,id=qt,chardev=qt,log=none "
		     "-chardev socket,id=qmp,fd=%d -mon chardev=qmp,mode=control",
		     child[0], child[1]);
	for (unsigned i = 0; i < cables; i++) {
		q->wire[i] = pair(&child[2 + i]);
		n += snprintf(plumbing + n, sizeof(plumbing) - n,
			      " -netdev stream,id=w%u,server=off,addr.type=fd,"
			      "addr.str=%d", i, child[2 + i]);
	}
	fflush(stdout);
	q->pid = fork();
	if (!q->pid)
		run_qemu(machine, options, plumbing);
	for (unsigned i = 0; i < 2 + cables; i++)
		close(child[i]);
	get_line(&q->qmp);	/* the greeting */
	if (!qtest_qmp(q, "{\"execute\":\"qmp_capabilities\"}"))
		die("QMP: no capabilities");
	wait_for_cables(q);
	return q;
}

void qtest_stop(Qtest *q)
{
	kill(q->pid, SIGKILL);
	waitpid(q->pid, NULL, 0);
	close(q->qt.fd);
	close(q->qmp.fd);
	for (unsigned i = 0; i < QTEST_WIRES; i++)
		if (q->wire[i])
			close(q->wire[i]);
	free(q);
}

uint32_t qtest_readl(Qtest *q, uint64_t addr)
{
	return strtoull(command(q, "readl 0x%llx", (unsigned long long)addr),
			NULL, 0);
}

void qtest_writel(Qtest *q, uint64_t addr, uint32_t val)
{
	command(q, "writel 0x%llx 0x%x", (unsigned long long)addr, val);
}

void qtest_memread(Qtest *q, uint64_t addr, void *buf, size_t len)
{
	uint8_t *p = buf;
	char *hex;

	if (!len)
		return;
	hex = command(q, "read 0x%llx 0x%zx", (unsigned long long)addr, len) + 2;
	for (size_t i = 0; i < len; i++)
		sscanf(hex + 2 * i, "%2hhx", &p[i]);
}

void qtest_memwrite(Qtest *q, uint64_t addr, const void *buf, size_t len)
{
	const uint8_t *p = buf;
	char *hex = malloc(2 * len + 1);

	for (size_t i = 0; i < len; i++)
		sprintf(hex + 2 * i, "%02x", p[i]);
	if (len)
		command(q, "write 0x%llx 0x%zx 0x%s", (unsigned long long)addr,
			len, hex);
	free(hex);
}

void qtest_clock_step(Qtest *q, int64_t ns)
{
	command(q, "clock_step %lld", (long long)ns);
}

void qtest_watch_irq(Qtest *q, const char *qom_path)
{
	command(q, "irq_intercept_out %s sysbus-irq", qom_path);
}

void qtest_set_input(Qtest *q, const char *qom_path, const char *name, unsigned n, bool level)
{
	command(q, "set_irq_in %s %s %u %d", qom_path, name, n, level);
}

/* The line's changes come with the answer to any command. */
bool qtest_irq(Qtest *q)
{
	command(q, "endianness");
	return q->irq;
}

bool qtest_qmp_has(Qtest *q, const char *json, const char *needle)
{
	char *line;

	write_all(q->qmp.fd, json, strlen(json));
	write_all(q->qmp.fd, "\n", 1);
	do {
		line = get_line(&q->qmp);
	} while (strstr(line, "\"event\"") && !strstr(line, "\"return\""));
	return strstr(line, "\"return\"") && (!needle || strstr(line, needle));
}

bool qtest_qmp(Qtest *q, const char *json)
{
	return qtest_qmp_has(q, json, NULL);
}

static void wait_for(Qtest *q, const char *json, const char *needle)
{
	int64_t end = ktap_now_ms() + ANSWER_MS;

	while (!qtest_qmp_has(q, json, needle))
		if (ktap_now_ms() > end)
			die("%s never has %s", json, needle);
}

bool qtest_set(Qtest *q, const char *qom_path, const char *property,
	       unsigned val)
{
	char cmd[256];

	snprintf(cmd, sizeof(cmd), "{\"execute\":\"qom-set\",\"arguments\":"
		 "{\"path\":\"%s\",\"property\":\"%s\",\"value\":%u}}",
		 qom_path, property, val);
	return qtest_qmp(q, cmd);
}

void qtest_save(Qtest *q, const char *path)
{
	char json[512];

	snprintf(json, sizeof(json), "{\"execute\":\"migrate\",\"arguments\":"
		 "{\"uri\":\"file:%s\"}}", path);
	if (!qtest_qmp(q, json))
		die("the machine cannot be saved to %s", path);
	wait_for(q, "{\"execute\":\"query-migrate\"}", "completed");
}

void qtest_load(Qtest *q, const char *path)
{
	char json[512];

	snprintf(json, sizeof(json), "{\"execute\":\"migrate-incoming\","
		 "\"arguments\":{\"uri\":\"file:%s\"}}", path);
	if (!qtest_qmp(q, "{\"execute\":\"migrate-set-parameters\","
			  "\"arguments\":{\"announce-rounds\":0}}") ||
	    !qtest_qmp(q, json))
		die("the machine cannot be loaded from %s", path);
	wait_for(q, "{\"execute\":\"query-status\"}", "\"running\": true");
}

void wire_send(Qtest *q, unsigned wire, const void *frame, size_t len)
{
	uint32_t n = htonl(len);

	write_all(q->wire[wire], &n, sizeof(n));
	write_all(q->wire[wire], frame, len);
}

/* Is there room for the longest frame in the socket's buffer? */
static bool writable_whole(int fd)
{
	int queued = 0, size = 0;
	socklen_t len = sizeof(size);

	return !ioctl(fd, SIOCOUTQ, &queued) &&
	       !getsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, &len) &&
	       size / 2 - queued > 65536 + 4096;
}

static void read_all(int fd, void *buf, size_t len)
{
	if (recv(fd, buf, len, MSG_WAITALL) != (ssize_t)len)
		die("QEMU is gone from the wire");
}

size_t wire_recv(Qtest *q, unsigned wire, void *frame, size_t max, int ms)
{
	uint32_t n;

	if (!readable(q->wire[wire], ms))
		return 0;
	read_all(q->wire[wire], &n, sizeof(n));
	n = ntohl(n);
	if (n > max)
		die("a frame of %u bytes came out", n);
	read_all(q->wire[wire], frame, n);
	return n;
}

void wire_offer(Qtest *q, unsigned wire, const void *frame, size_t len)
{
	uint8_t all[4 + 65536];
	uint32_t n = htonl(len);

	if (len > sizeof(all) - sizeof(n))
		return;
	memcpy(all, &n, sizeof(n));
	memcpy(all + sizeof(n), frame, len);
	/* half a frame would put both ends out of step: all of it, or nothing */
	if (writable_whole(q->wire[wire]))
		send(q->wire[wire], all, sizeof(n) + len, MSG_NOSIGNAL);
}

/* ---- for who expects QEMU to fail ---- */

int qtest_post(Qtest *q, const char *lines, size_t len)
{
	for (size_t i = 0; i < len; i++)
		q->posted += lines[i] == '\n';
	while (len) {
		ssize_t n = send(q->qt.fd, lines, len, MSG_NOSIGNAL);

		if (n <= 0)
			return -ECONNRESET;
		lines += n;
		len -= n;
	}
	return 0;
}

uint32_t qtest_random(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

int64_t qtest_cpu_ms(Qtest *q)
{
	struct timespec ts;
	clockid_t clock;

	if (clock_getcpuclockid(q->pid, &clock) || clock_gettime(clock, &ts))
		return 0;
	return ts.tv_sec * 1000ll + ts.tv_nsec / 1000000;
}

/* Takes what there is; false when QEMU has hung up. */
static bool take_answers(Qtest *q)
{
	Line *l = &q->qt;
	ssize_t n = read(l->fd, l->buf + l->have, sizeof(l->buf) - l->have);
	char *nl;

	if (n <= 0)
		return false;
	l->have += n;
	while ((nl = memchr(l->buf, '\n', l->have))) {
		q->posted -= strncmp(l->buf, "IRQ", 3) && q->posted;
		l->have -= nl + 1 - l->buf;
		memmove(l->buf, nl + 1, l->have);
	}
	return true;
}

int qtest_settle(Qtest *q, int ms)
{
	struct pollfd p[1 + QTEST_WIRES] = { { .fd = q->qt.fd, .events = POLLIN } };
	static uint8_t away[65536];

	for (unsigned i = 0; i < QTEST_WIRES; i++)
		p[1 + i] = (struct pollfd){ .fd = q->wire[i] ?: -1, .events = POLLIN };
	while (q->posted) {
		if (poll(p, 1 + QTEST_WIRES, ms) <= 0)
			return -ETIMEDOUT;
		for (unsigned i = 0; i < QTEST_WIRES; i++)
			if (p[1 + i].revents & POLLIN)
				recv(p[1 + i].fd, away, sizeof(away), MSG_DONTWAIT);
		if (p[0].revents && !take_answers(q))
			return -ECONNRESET;
	}
	return 0;
}

/* ---- KTAP ---- */

static unsigned planned, run, failed;
static bool failing;

bool ktap_check(bool good, const char *file, int line, const char *what)
{
	if (!good) {
		printf("# %s:%d: %s\n", file, line, what);
		failing = true;
	}
	return good;
}

bool ktap_check_eq(uint64_t have, uint64_t want, const char *file, int line,
		   const char *what)
{
	if (have != want) {
		printf("# %s:%d: %s is 0x%llx, not 0x%llx\n", file, line, what,
		       (unsigned long long)have, (unsigned long long)want);
		failing = true;
	}
	return have == want;
}

int64_t ktap_now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

void ktap_plan(unsigned tests)
{
	planned = tests;
	printf("KTAP version 1\n1..%u\n", tests);
}

void ktap_result(const char *name)
{
	printf("%sok %u %s\n", failing ? "not " : "", ++run, name);
	fflush(stdout);
	failed += failing;
	failing = false;
}

int ktap_end(void)
{
	printf("# %u passed, %u failed, %u skipped\n", run - failed, failed,
	       planned - run);
	return failed || run != planned;
}
