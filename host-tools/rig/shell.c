// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A person in the guest: see shell.h.
 *
 *	terminal -- stdin ---> loop --> socket pair --> QEMU --> /dev/hvc0
 *	         <- stderr ---      <--             <--      <--
 *
 * The agent starts the shell as the leader of a session on /dev/hvc0, so job
 * control and Ctrl-C work in the guest, and the end of that command is the end
 * of the shell.  What does not fit into the socket waits: stdin is not read
 * while a keystroke is pending.
 */
#include "shell.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#define CHUNK 4096
#define CTRL_D "\004"

struct relay {
	struct vm *vm;
	struct loop_source in;		/* our stdin */
	struct loop_source guest;
	struct agent_job *job;
	struct termios saved;
	bool raw, in_open, gone;
};

static void write_whole(int fd, const char *bytes, size_t n)
{
	while (n) {
		ssize_t done = write(fd, bytes, n);

		if (done < 0 && errno != EINTR)
			return;
		if (done > 0) {
			bytes += done;
			n -= (size_t)done;
		}
	}
}

static void from_guest(struct loop_source *s, uint32_t events)
{
	struct relay *r = (struct relay *)((char *)s - offsetof(struct relay, guest));
	char bytes[CHUNK];
	ssize_t n = read(s->fd, bytes, sizeof(bytes));

	(void)events;
	if (n > 0)
		write_whole(STDERR_FILENO, bytes, (size_t)n);
	else if (n == 0 || errno != EINTR)
		r->gone = true;
}

static void from_person(struct loop_source *s, uint32_t events)
{
	struct relay *r = (struct relay *)((char *)s - offsetof(struct relay, in));
	char bytes[CHUNK];
	ssize_t n = read(s->fd, bytes, sizeof(bytes));

	(void)events;
	if (n > 0) {
		write_whole(r->guest.fd, bytes, (size_t)n);
	} else if (n == 0 || errno != EINTR) {
		write_whole(r->guest.fd, CTRL_D, 1);
		loop_del(s);
		r->in_open = false;
	}
}

static void raw_terminal(struct relay *r)
{
	struct termios t;

	if (tcgetattr(STDIN_FILENO, &r->saved))
		return;
	t = r->saved;
	cfmakeraw(&t);
	r->raw = !tcsetattr(STDIN_FILENO, TCSADRAIN, &t);
}

/*
 * The shell's terminal gets the size of ours.  "exit" keeps the outer shell from
 * becoming setsid itself, which as a group's leader would fork and end at once.
 */
static void shell_command(char *to, size_t size)
{
	struct winsize w = { .ws_row = 24, .ws_col = 80 };

	ioctl(STDIN_FILENO, TIOCGWINSZ, &w);
	snprintf(to, size, "setsid /bin/sh -c 'exec <>/dev/hvc0 >&0 2>&0; stty rows %u cols %u; "
		 "exec /bin/sh -i'; exit $?", w.ws_row, w.ws_col);
}

static bool is_over(void *ctx)
{
	struct relay *r = ctx;

	return r->job->done || r->gone;
}

static int relay(struct relay *r)
{
	struct loop *l = r->vm->loop;
	int err = loop_add(l, &r->guest, EPOLLIN);

	if (err)
		return err;
	/* A regular file cannot be polled, and is never waited for. */
	err = loop_add(l, &r->in, EPOLLIN);
	r->in_open = !err;
	while (err == -EPERM && !r->in_open && !is_over(r)) {
		char bytes[CHUNK];
		ssize_t n = read(STDIN_FILENO, bytes, sizeof(bytes));

		write_whole(r->guest.fd, n > 0 ? bytes : CTRL_D, n > 0 ? (size_t)n : 1);
		if (n <= 0)
			break;
	}
	raw_terminal(r);
	err = loop_wait(l, is_over, r, -1);
	if (r->raw)
		tcsetattr(STDIN_FILENO, TCSADRAIN, &r->saved);
	if (r->in_open)
		loop_del(&r->in);
	loop_del(&r->guest);
	return err ?: r->gone ? -EPIPE : 0;
}

int shell_run(struct vm *vm)
{
	struct relay r = {
		.vm = vm,
		.in = { .fd = STDIN_FILENO, .ready = from_person },
		.guest = { .fd = vm->shell, .ready = from_guest },
	};
	char command[160];
	int err;

	shell_command(command, sizeof(command));
	fprintf(stderr, "tagrig: a shell in the guest; 'exit' goes on with the run\n");
	r.job = agent_start(&vm->agent, command, 0, NULL);
	if (!r.job)
		return -EPIPE;
	err = relay(&r);
	agent_forget(&vm->agent, r.job);
	return err;
}
