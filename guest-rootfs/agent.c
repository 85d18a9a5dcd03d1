// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The guest's command server: runs what the host asks for, several commands
 * at a time, and answers with output and exit status.  PROTOCOL.md says what
 * goes over the wire.
 *
 * One thread, one epoll set: the port to the host, a signalfd for SIGCHLD, and
 * the pipes of each running command.  The port is watched edge-triggered: with
 * no host connected a virtio port is for ever readable (and reads nothing), but
 * it still wakes its waiters when a host comes.
 *
 * The port is found by its name; when it is not there yet, the kernel's uevents
 * say when it is.  `agent FILE` serves a file, and `agent fd:N` a descriptor
 * until its other end closes: so the tests run it, over a socket.
 *
 * Left out: a command's descendants that leave its process group outlive its
 * timeout; no flow control towards a host that asks and never reads (answers
 * are kept in memory).
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "flatjson.h"

#define PORT_NAME	"tagrig.agent"
#define PORTS_DIR	"/sys/class/virtio-ports"
#define MISSING_FILE	"/run/tagrig/missing"
#define MAX_JOBS	64
#define MAX_LINE	(1 << 20)
#define DEFAULT_LIMIT	(1 << 20)
#define CHUNK		65536	/* also a pipe's capacity: see drain() */

enum stream { IN, OUT, ERR, STREAMS };

/* One running command. */
struct job {
	int id;			/* 0: the slot is free */
	pid_t pid;
	int fd[STREAMS];	/* our ends of its pipes, -1 when closed */
	struct buf data[STREAMS];
	size_t limit;		/* bytes kept of OUT and of ERR */
	char *watch;		/* prefix of the lines to report, or NULL */
	size_t watched;		/* OUT has been looked through up to here */
	int64_t start, deadline;	/* ms; deadline 0: none */
	bool truncated, timed_out, cancelled;
};

static struct job jobs[MAX_JOBS];
static struct buf to_host, from_host;
static bool skipping;		/* the rest of a line that was too long */
static int port = -1, epfd = -1;
static bool ends_with_host;	/* a socket: no other host will come */

/* What an epoll event is about: a stream of a job, or one of these two. */
#define TAG_PORT	(MAX_JOBS * STREAMS)
#define TAG_SIGNAL	(MAX_JOBS * STREAMS + 1)

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}

static void die(const char *what)
{
	fprintf(stderr, "agent: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void watch_fd(int fd, uint32_t events, uint32_t tag)
{
	struct epoll_event ev = { .events = events, .data.u32 = tag };

	if (epoll_ctl(epfd, EPOLL_CTL_ADD, fd, &ev))
		die("epoll_ctl");
}

/* Messages to the host */

/* Writes what the port takes; the rest goes when it wakes us. */
static void flush_to_host(void)
{
	ssize_t n;

	while (to_host.len) {
		n = write(port, to_host.p, to_host.len);
		if (n <= 0)
			return;
		buf_eat(&to_host, n);
	}
}

static void say_hello(void)
{
	struct buf missing = { 0 };
	struct utsname u;
	char text[1024];
	int fd, n = 0;

	uname(&u);
	fd = open(MISSING_FILE, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		n = read(fd, text, sizeof(text));
		close(fd);
	}
	while (n > 0 && strchr(" \n", text[n - 1]))
		n--;
	buf_add(&missing, text, n > 0 ? n : 0);
	buf_printf(&to_host, "{\"hello\":1,\"protocol\":1,\"release\":\"%s\","
		   "\"machine\":\"%s\",\"uptime_ms\":%lld,",
		   u.release, u.machine, (long long)now_ms());
	buf_json_bytes(&to_host, "missing", missing.p, missing.len);
	buf_puts(&to_host, "}\n");
	buf_free(&missing);
}

static void say_error(int id, const char *text)
{
	buf_puts(&to_host, "{");
	if (id)
		buf_printf(&to_host, "\"id\":%d,", id);
	buf_json_bytes(&to_host, "error", text, strlen(text));
	buf_puts(&to_host, "}\n");
}

static void say_end(struct job *j, int status)
{
	int sig = WIFSIGNALED(status) ? WTERMSIG(status) : 0;

	buf_printf(&to_host, "{\"id\":%d,\"exit\":%d,", j->id,
		   sig ? 128 + sig : WEXITSTATUS(status));
	if (sig)
		buf_printf(&to_host, "\"signal\":%d,", sig);
	buf_printf(&to_host, "\"ms\":%lld,\"truncated\":%s,\"timed_out\":%s,\"cancelled\":%s,",
		   (long long)(now_ms() - j->start), j->truncated ? "true" : "false",
		   j->timed_out ? "true" : "false", j->cancelled ? "true" : "false");
	buf_json_bytes(&to_host, "out", j->data[OUT].p, j->data[OUT].len);
	buf_puts(&to_host, ",");
	buf_json_bytes(&to_host, "err", j->data[ERR].p, j->data[ERR].len);
	buf_puts(&to_host, "}\n");
}

/* Reports the complete lines that came since the last look and match. */
static void say_watched(struct job *j)
{
	struct buf *out = &j->data[OUT];
	size_t n = strlen(j->watch), len;
	char *line, *end;

	while (out->len > j->watched) {
		line = out->p + j->watched;
		end = memchr(line, '\n', out->len - j->watched);
		if (!end)
			return;
		len = end - line;
		j->watched += len + 1;
		if (len < n || memcmp(line, j->watch, n))
			continue;
		buf_printf(&to_host, "{\"id\":%d,", j->id);
		buf_json_bytes(&to_host, "line", line, len);
		buf_puts(&to_host, "}\n");
	}
}

/* Jobs */

static struct job *find_job(int id)
{
	int i;

	for (i = 0; i < MAX_JOBS; i++)
		if (jobs[i].id == id)
			return &jobs[i];
	return NULL;
}

static void close_stream(struct job *j, enum stream s)
{
	if (j->fd[s] >= 0)
		close(j->fd[s]);
	j->fd[s] = -1;
}

/* Keeps up to the limit, counts the rest as truncated. */
static void keep(struct job *j, enum stream s, const char *data, size_t len)
{
	size_t room = j->limit - j->data[s].len;

	if (len > room) {
		j->truncated = true;
		len = room;
	}
	buf_add(&j->data[s], data, len);
	if (s == OUT && j->watch)
		say_watched(j);
}

/* Reads what is there, at most one pipeful; true while there may be more. */
static bool drain(struct job *j, enum stream s)
{
	static char chunk[CHUNK];
	ssize_t n;

	if (j->fd[s] < 0)
		return false;
	n = read(j->fd[s], chunk, sizeof(chunk));
	if (n > 0) {
		keep(j, s, chunk, n);
		return true;
	}
	if (n == 0 || errno != EAGAIN)
		close_stream(j, s);
	return false;
}

/* Gives the command its input, as much as the pipe takes. */
static void feed(struct job *j)
{
	struct buf *in = &j->data[IN];
	ssize_t n;

	while (in->len) {
		n = write(j->fd[IN], in->p, in->len);
		if (n < 0 && errno == EAGAIN)
			return;
		if (n < 0)
			break;
		buf_eat(in, n);
	}
	close_stream(j, IN);
}

static void free_job(struct job *j)
{
	enum stream s;

	for (s = IN; s < STREAMS; s++) {
		close_stream(j, s);
		buf_free(&j->data[s]);
	}
	free(j->watch);
	memset(j, 0, sizeof(*j));
}

/*
 * The shell has ended.  What it wrote is in the pipes; what its children in
 * the background write after that is not waited for.
 */
static void end_job(struct job *j, int status)
{
	drain(j, OUT);
	drain(j, ERR);
	say_end(j, status);
	free_job(j);
}

static void kill_job(struct job *j)
{
	kill(-j->pid, SIGKILL);
}

static void reap_jobs(void)
{
	int i, status;

	for (i = 0; i < MAX_JOBS; i++)
		if (jobs[i].id && waitpid(jobs[i].pid, &status, WNOHANG) == jobs[i].pid)
			end_job(&jobs[i], status);
}

/* The child's side of start_job: never returns. */
static void run_child(const char *cmd, int in, int out, int err)
{
	sigset_t none;

	setpgid(0, 0);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	if (dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0)
		_exit(126);
	execl("/bin/sh", "sh", "-c", cmd, NULL);
	_exit(127);
}

static int make_pipes(int p[STREAMS][2])
{
	enum stream s;

	for (s = IN; s < STREAMS; s++)
		p[s][0] = p[s][1] = -1;
	for (s = IN; s < STREAMS; s++)
		if (pipe2(p[s], O_CLOEXEC))
			return -errno;
	return 0;
}

static void close_pipes(int p[STREAMS][2])
{
	enum stream s;

	for (s = IN; s < STREAMS; s++) {
		if (p[s][0] >= 0)
			close(p[s][0]);
		if (p[s][1] >= 0)
			close(p[s][1]);
	}
}

/* Forks the shell.  Returns 0 or a negative errno. */
static int start_job(struct job *j, const char *cmd)
{
	int p[STREAMS][2], ours, err = make_pipes(p);
	enum stream s;

	if (!err) {
		j->pid = fork();
		if (!j->pid)
			run_child(cmd, p[IN][0], p[OUT][1], p[ERR][1]);
		err = j->pid < 0 ? -errno : 0;
	}
	if (err) {
		close_pipes(p);
		return err;
	}
	setpgid(j->pid, j->pid);	/* whoever comes first */
	for (s = IN; s < STREAMS; s++) {
		ours = s == IN;
		close(p[s][!ours]);
		j->fd[s] = p[s][ours];
		fcntl(j->fd[s], F_SETFL, O_NONBLOCK);
		watch_fd(j->fd[s], s == IN ? EPOLLOUT : EPOLLIN,
			 (j - jobs) * STREAMS + s);
	}
	feed(j);
	return 0;
}

/* Requests */

/* The command's input, from stdin or stdin64; NULL or what is wrong. */
static const char *take_stdin(struct job *j, const struct fj_object *o)
{
	const struct fj_field *f = fj_get(o, "stdin");
	long len;

	if (f) {
		if (f->type != FJ_STRING)
			return "stdin is not a string";
		buf_add(&j->data[IN], f->str, f->len);
		return NULL;
	}
	f = fj_get(o, "stdin64");
	if (!f)
		return NULL;
	len = f->type == FJ_STRING ? fj_unbase64(f->str, f->len) : -1;
	if (len < 0)
		return "stdin64 is not base64";
	buf_add(&j->data[IN], f->str, len);
	return NULL;
}

static const char *take_options(struct job *j, const struct fj_object *o)
{
	const struct fj_field *watch = fj_get(o, "watch");
	long long limit, timeout;

	if (!fj_int(o, "timeout_ms", 0, INT32_MAX, 0, &timeout))
		return "timeout_ms is not a number of milliseconds";
	if (!fj_int(o, "limit", 0, INT32_MAX, DEFAULT_LIMIT, &limit))
		return "limit is not a number of bytes";
	if (watch && watch->type != FJ_STRING)
		return "watch is not a string";
	j->limit = limit;
	j->start = now_ms();
	j->deadline = timeout ? j->start + timeout : 0;
	j->watch = watch ? strdup(watch->str) : NULL;
	return take_stdin(j, o);
}

static const char *request_cmd(int id, const struct fj_field *cmd,
			       const struct fj_object *o)
{
	struct job *j = find_job(id);
	const char *wrong;
	int err;

	if (j)
		return "a command with this id is running";
	if (cmd->type != FJ_STRING || strlen(cmd->str) != cmd->len)
		return "cmd is not a string without NUL";
	j = find_job(0);
	if (!j)
		return "too many commands at a time";
	j->fd[IN] = j->fd[OUT] = j->fd[ERR] = -1;
	wrong = take_options(j, o);
	if (!wrong) {
		err = start_job(j, cmd->str);
		wrong = err ? strerror(-err) : NULL;
	}
	if (wrong)
		free_job(j);
	else
		j->id = id;
	return wrong;
}

static const char *request_cancel(const struct fj_field *f)
{
	struct job *j;

	if (f->type != FJ_INT || f->num < 1 || f->num > INT32_MAX)
		return "cancel is not an id";
	j = find_job(f->num);
	if (j) {
		j->cancelled = true;
		kill_job(j);
	}
	return NULL;
}

static void request(char *line, size_t len)
{
	const struct fj_field *f;
	struct fj_object o;
	const char *wrong;
	long long id = 0;

	wrong = fj_parse(line, len, &o);
	if (!wrong && !fj_int(&o, "id", 1, INT32_MAX, 0, &id)) {
		wrong = "id is not a number from 1 to 2147483647";
		id = 0;
	}
	if (wrong)
		goto out;
	f = fj_get(&o, "cmd");
	if (f)
		wrong = id ? request_cmd(id, f, &o) : "cmd without an id";
	else if ((f = fj_get(&o, "cancel")))
		wrong = request_cancel(f);
	else if (fj_get(&o, "hello"))
		say_hello();
	else
		wrong = "expected cmd, cancel or hello";
out:
	if (wrong)
		say_error(id, wrong);
}

/* Handles the complete lines in from_host. */
static void requests(void)
{
	char *line, *end;
	size_t done = 0;

	while ((end = memchr(from_host.p + done, '\n', from_host.len - done))) {
		line = from_host.p + done;
		if (!skipping && end > line)
			request(line, end - line);
		skipping = false;
		done = end + 1 - from_host.p;
	}
	buf_eat(&from_host, done);
	if (from_host.len > MAX_LINE) {
		if (!skipping)
			say_error(0, "line longer than 1 MiB");
		skipping = true;
		from_host.len = 0;
	}
}

static void read_port(void)
{
	static char chunk[CHUNK];
	ssize_t n;

	for (;;) {
		n = read(port, chunk, sizeof(chunk));
		if (n <= 0)
			break;
		buf_add(&from_host, chunk, n);
		requests();
	}
	if (n == 0)
		from_host.len = 0;	/* the host left in mid-line */
	if (n == 0 && ends_with_host)
		exit(0);
}

/* Finding the port */

/* /dev/NAME of the virtio port called PORT_NAME; NULL when there is none. */
static const char *find_virtio_port(void)
{
	static char dev[300];
	char path[300], name[64];
	struct dirent *e;
	DIR *d = opendir(PORTS_DIR);
	FILE *f;
	bool found = false;

	while (d && !found && (e = readdir(d))) {
		snprintf(path, sizeof(path), PORTS_DIR "/%.200s/name", e->d_name);
		f = fopen(path, "re");
		if (!f)
			continue;
		found = fgets(name, sizeof(name), f) &&
			!strcmp(strtok(name, "\n") ?: "", PORT_NAME);
		fclose(f);
		snprintf(dev, sizeof(dev), "/dev/%.200s", e->d_name);
	}
	if (d)
		closedir(d);
	return found ? dev : NULL;
}

/* The tty that the kernel command line names, as /dev/NAME; or NULL. */
static const char *tty_of_cmdline(void)
{
	static char dev[64], line[4096];
	FILE *f = fopen("/proc/cmdline", "re");
	char *at;

	at = f && fgets(line, sizeof(line), f) ? strstr(line, PORT_NAME "=") : NULL;
	if (f)
		fclose(f);
	if (!at)
		return NULL;
	at += strlen(PORT_NAME "=");
	snprintf(dev, sizeof(dev), "/dev/%.*s", (int)strcspn(at, " \n"), at);
	return dev;
}

static int open_uevents(void)
{
	struct sockaddr_nl a = { .nl_family = AF_NETLINK, .nl_groups = 1 };
	int fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_KOBJECT_UEVENT);

	if (fd < 0 || bind(fd, (struct sockaddr *)&a, sizeof(a)))
		die("uevent socket");
	return fd;
}

/* Waits until the port is there: it gets its name after the driver's probe. */
static const char *wait_for_port(void)
{
	int events = open_uevents();
	const char *dev = find_virtio_port();
	char msg[8192];

	if (!dev)
		fprintf(stderr, "agent: waiting for a virtio port named %s\n", PORT_NAME);
	while (!dev) {
		if (recv(events, msg, sizeof(msg), 0) < 0 && errno != EINTR && errno != ENOBUFS)
			die("uevent socket");
		dev = find_virtio_port();
	}
	close(events);
	return dev;
}

static void make_raw(int fd)
{
	struct termios t;

	if (tcgetattr(fd, &t))
		return;		/* no tty */
	cfmakeraw(&t);
	tcsetattr(fd, TCSANOW, &t);
}

/* The given file, or descriptor N as `fd:N`; without one, the guest's port. */
static int open_port(const char *given)
{
	const char *dev = given ? given : tty_of_cmdline();
	int fd;

	if (!dev)
		dev = wait_for_port();
	if (!strncmp(dev, "fd:", 3)) {
		fd = atoi(dev + 3);
		ends_with_host = true;
		fcntl(fd, F_SETFD, FD_CLOEXEC);
		fcntl(fd, F_SETFL, O_RDWR | O_NONBLOCK);
	} else {
		fd = open(dev, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	}
	if (fd < 0)
		die(dev);
	make_raw(fd);
	return fd;
}

/* The loop */

/* Kills what is overdue; returns ms until the next deadline, -1 for none. */
static int deadlines(void)
{
	int64_t now = now_ms(), next = -1, left;
	int i;

	for (i = 0; i < MAX_JOBS; i++) {
		struct job *j = &jobs[i];

		if (!j->id || !j->deadline)
			continue;
		left = j->deadline - now;
		if (left <= 0) {
			j->timed_out = true;
			j->deadline = 0;
			kill_job(j);
		} else if (next < 0 || left < next) {
			next = left;
		}
	}
	return next;
}

static void read_signals(int sigfd)
{
	struct signalfd_siginfo info;

	while (read(sigfd, &info, sizeof(info)) == sizeof(info))
		;
	reap_jobs();
}

static void handle(const struct epoll_event *ev, int sigfd)
{
	struct job *j = &jobs[ev->data.u32 / STREAMS];
	enum stream s = ev->data.u32 % STREAMS;

	if (ev->data.u32 == TAG_PORT)
		read_port();
	else if (ev->data.u32 == TAG_SIGNAL)
		read_signals(sigfd);
	else if (j->id && j->fd[s] >= 0 && s == IN)
		feed(j);
	else if (j->id && j->fd[s] >= 0)
		drain(j, s);
}

static int open_signals(void)
{
	sigset_t set;
	int fd;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
	fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (fd < 0)
		die("signalfd");
	return fd;
}

int main(int argc, char **argv)
{
	struct epoll_event ev[16];
	int i, n, sigfd;

	sigfd = open_signals();
	port = open_port(argc > 1 ? argv[1] : NULL);
	epfd = epoll_create1(EPOLL_CLOEXEC);
	if (epfd < 0)
		die("epoll");
	watch_fd(port, EPOLLIN | EPOLLOUT | EPOLLET, TAG_PORT);
	watch_fd(sigfd, EPOLLIN, TAG_SIGNAL);
	buf_puts(&from_host, "");
	say_hello();
	for (;;) {
		flush_to_host();
		n = epoll_wait(epfd, ev, 16, deadlines());
		if (n < 0 && errno != EINTR)
			die("epoll_wait");
		for (i = 0; i < n; i++)
			handle(&ev[i], sigfd);
	}
}
