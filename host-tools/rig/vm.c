// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One guest: see vm.h.
 *
 * How a guest's death is told apart:
 *   QEMU exits and nobody asked     its exit status and last line of qemu.log
 *   the guest reboots or panics     -no-reboot turns it into a QMP SHUTDOWN
 *                                   event and an exit; the console's last
 *                                   words are quoted
 *   it hangs                        nothing happens here: whoever waits for
 *                                   the agent has a deadline of its own
 *
 * The file descriptors: QEMU inherits its ends at numbers of its own choice
 * (FIRST_FD and up), everything else is close-on-exec.
 */
#include "vm.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define FIRST_FD 20
#define QMP_MS	 30000
#define QUIT_MS	 5000
#define SAVE_MS	 60000

enum channel { CH_WIRE0, CH_WIRE1, CH_QMP, CH_AGENT, CH_SHELL, CHANNELS };

static const char *const channel_names[] = {
	[CH_WIRE0] = "wire0", [CH_WIRE1] = "wire1", [CH_QMP] = "qmp", [CH_AGENT] = "agent",
	[CH_SHELL] = "shell",
};
_Static_assert(sizeof(channel_names) / sizeof(channel_names[0]) == CHANNELS,
	       "a name for each channel");

/* A growing NULL-terminated argument vector; out of memory is remembered. */
struct args {
	char **v;
	size_t n;
	bool failed;
};

static void arg(struct args *a, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void arg(struct args *a, const char *fmt, ...)
{
	char **v = realloc(a->v, (a->n + 2) * sizeof(*v));
	va_list ap;

	if (!v) {
		a->failed = true;
		return;
	}
	a->v = v;
	va_start(ap, fmt);
	if (vasprintf(&v[a->n], fmt, ap) < 0)
		v[a->n] = NULL;
	va_end(ap);
	a->failed |= !v[a->n];
	if (v[a->n])
		a->n++;
	v[a->n] = NULL;
}

static void args_free(struct args *a)
{
	size_t i;

	for (i = 0; i < a->n; i++)
		free(a->v[i]);
	free(a->v);
}

/* @fds: the channels are inherited; else they are named unix sockets. */
static void wire_args(struct args *a, enum channel ch, bool fds)
{
	const char *name = channel_names[ch];

	arg(a, "-netdev");
	if (fds)
		arg(a, "stream,id=%s,server=off,addr.type=fd,addr.str=%d", name,
		    FIRST_FD + ch);
	else
		arg(a, "stream,id=%s,server=on,addr.type=unix,addr.path=%s.sock", name,
		    name);
}

static void chardev_args(struct args *a, enum channel ch, bool fds)
{
	const char *name = channel_names[ch];

	arg(a, "-chardev");
	if (fds)
		arg(a, "socket,id=%s,fd=%d", name, FIRST_FD + ch);
	else
		arg(a, "socket,id=%s,path=%s.sock,server=on,wait=off", name, name);
}

static void guest_args(struct args *a, const struct vm_config *c)
{
	arg(a, "-M");
	arg(a, "stmmac-virt%s%s", c->machine[0] ? "," : "", c->machine);
	arg(a, "-cpu");
	arg(a, "cortex-a53");
	arg(a, "-m");
	arg(a, "%u", c->memory_mb ? c->memory_mb : 256);
	arg(a, "-kernel");
	arg(a, "%s", c->image);
	arg(a, "-initrd");
	arg(a, "%s", c->initrd);
	arg(a, "-append");
	/* testing every cipher is a fifth of a boot under emulation */
	arg(a, "console=ttyAMA0 earlycon panic=-1 nokaslr cryptomgr.notests quiet loglevel=4%s%s",
	    c->append[0] ? " " : "", c->append);
	arg(a, "-seed");
	arg(a, "%llu", (unsigned long long)c->seed);
}

static void qemu_args(struct args *a, const struct vm_config *c, bool fds)
{
	size_t i;

	arg(a, "%s", c->qemu);
	guest_args(a, c);
	arg(a, "-nodefaults");
	arg(a, "-display");
	arg(a, "none");
	arg(a, "-no-reboot");
	arg(a, "-serial");
	arg(a, "file:%s/console.log", c->dir);
	wire_args(a, CH_WIRE0, fds);
	wire_args(a, CH_WIRE1, fds);
	chardev_args(a, CH_QMP, fds);
	arg(a, "-mon");
	arg(a, "chardev=qmp,mode=control");
	chardev_args(a, CH_AGENT, fds);
	arg(a, "-device");
	arg(a, "virtio-serial-pci");
	arg(a, "-device");
	arg(a, "virtserialport,chardev=agent,name=tagrig.agent");
	if (c->shell) {
		chardev_args(a, CH_SHELL, fds);
		arg(a, "-device");
		arg(a, "virtconsole,chardev=shell");
	}
	for (i = 0; c->extra && c->extra[i]; i++)
		arg(a, "%s", c->extra[i]);
	if (c->incoming) {
		arg(a, "-incoming");
		arg(a, "defer");
	}
	if (c->gdb) {
		arg(a, "-gdb");
		arg(a, "tcp:127.0.0.1:1234");
		arg(a, "-S");
	}
}

void vm_print(const struct vm_config *c, FILE *out)
{
	struct args a = { 0 };
	size_t i;

	qemu_args(&a, c, false);
	for (i = 0; i < a.n; i++) {
		bool quote = strpbrk(a.v[i], " ;&|<>*?$()");

		fprintf(out, "%s%s%s%s", i ? " " : "", quote ? "'" : "", a.v[i],
			quote ? "'" : "");
	}
	fputc('\n', out);
	args_free(&a);
}

/* In the child: only async-signal-safe calls from here to exec. */
static void become_qemu(char **argv, const int theirs[CHANNELS], int log, pid_t parent)
{
	int high[CHANNELS], i;
	sigset_t none;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(127);
	/* A process group of its own: Ctrl-C is ours to handle first. */
	setpgid(0, 0);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	/* All above the target numbers first: one of them may have one of those. */
	for (i = 0; i < CHANNELS; i++)
		high[i] = fcntl(theirs[i], F_DUPFD_CLOEXEC, FIRST_FD + CHANNELS);
	for (i = 0; i < CHANNELS; i++) {
		if (high[i] < 0 || dup2(high[i], FIRST_FD + i) < 0)
			_exit(127);
	}
	dup2(log, STDOUT_FILENO);
	dup2(log, STDERR_FILENO);
	execvp(argv[0], argv);
	dprintf(STDERR_FILENO, "cannot run %s: %s\n", argv[0], strerror(errno));
	_exit(127);
}

static int make_pairs(int ours[CHANNELS], int theirs[CHANNELS])
{
	int i, pair[2];

	for (i = 0; i < CHANNELS; i++)
		ours[i] = theirs[i] = -1;
	for (i = 0; i < CHANNELS; i++) {
		if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
			return -errno;
		ours[i] = pair[0];
		theirs[i] = pair[1];
	}
	return 0;
}

static void close_all(int fds[CHANNELS])
{
	int i;

	for (i = 0; i < CHANNELS; i++) {
		if (fds[i] >= 0)
			close(fds[i]);
		fds[i] = -1;
	}
}

/* The last line of DIR/NAME that is not empty, for a message. */
static void last_line(const char *dir, const char *name, char *to, size_t size)
{
	char path[512], line[512];
	FILE *f;

	to[0] = '\0';
	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\r\n")] = '\0';
		if (line[0])
			snprintf(to, size, "%s", line);
	}
	if (f)
		fclose(f);
}

bool vm_console_has(const struct vm *vm, const char *needle, char *to, size_t size)
{
	char path[512], line[512];
	bool found = false;
	FILE *f;

	snprintf(path, sizeof(path), "%s/console.log", vm->config->dir);
	f = fopen(path, "re");
	while (f && !found && fgets(line, sizeof(line), f)) {
		char *at = strstr(line, needle);

		if (at) {
			at[strcspn(at, "\r\n")] = '\0';
			snprintf(to, size, "%s", at);
			found = true;
		}
	}
	if (f)
		fclose(f);
	return found;
}

static void explain_death(struct vm *vm)
{
	char last[256];
	int status = vm->status;

	vm->panicked = vm_console_has(vm, "Kernel panic", last, sizeof(last));
	if (vm->panicked) {
		loop_fail(vm->loop, "the guest panicked: %s", last);
	} else if (WIFSIGNALED(status)) {
		loop_fail(vm->loop, "QEMU was killed by signal %d (%s)", WTERMSIG(status),
			  strsignal(WTERMSIG(status)));
	} else if (WEXITSTATUS(status)) {
		last_line(vm->config->dir, "qemu.log", last, sizeof(last));
		loop_fail(vm->loop, "QEMU ended with status %d: %s", WEXITSTATUS(status),
			  last);
	} else {
		last_line(vm->config->dir, "console.log", last, sizeof(last));
		loop_fail(vm->loop, "the guest ended by itself (%s); its last line: %s",
			  vm->event[0] ? vm->event : "no reason given", last);
	}
}

static void on_exit_of_qemu(struct loop_source *s, uint32_t events)
{
	struct vm *vm = (struct vm *)((char *)s - offsetof(struct vm, exit));

	(void)events;
	if (waitpid(vm->pid, &vm->status, WNOHANG) != vm->pid)
		return;
	loop_del(s);
	close(s->fd);
	vm->pid = 0;
	if (!vm->stopping)
		explain_death(vm);
}

static void on_event(struct qmp *q, const char *name, json_t *data)
{
	struct vm *vm = (struct vm *)((char *)q - offsetof(struct vm, qmp));
	const char *reason = json_string_value(json_object_get(data, "reason"));

	if (!strcmp(name, "SHUTDOWN") || !strcmp(name, "GUEST_PANICKED"))
		snprintf(vm->event, sizeof(vm->event), "%s", reason ? reason : name);
	if (!strcmp(name, "MIGRATION"))
		snprintf(vm->migration, sizeof(vm->migration), "%s",
			 json_string_value(json_object_get(data, "status")) ?: "");
}

static int spawn(struct vm *vm, char **argv, const int theirs[CHANNELS])
{
	char path[512];
	pid_t parent = getpid();
	int log;

	snprintf(path, sizeof(path), "%s/qemu.log", vm->config->dir);
	log = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (log < 0)
		return -errno;
	vm->pid = fork();
	if (vm->pid == 0)
		become_qemu(argv, theirs, log, parent);
	close(log);
	if (vm->pid < 0) {
		vm->pid = 0;
		return -errno;
	}
	vm->exit.fd = (int)syscall(SYS_pidfd_open, vm->pid, 0);
	vm->exit.ready = on_exit_of_qemu;
	return vm->exit.fd < 0 ? -errno : loop_add(vm->loop, &vm->exit, EPOLLIN);
}

static int open_channels(struct vm *vm, int ours[CHANNELS])
{
	char path[512];
	int i, err;

	for (i = 0; i < VM_WIRES; i++) {
		vm->wire[i] = ours[CH_WIRE0 + i];
		ours[CH_WIRE0 + i] = -1;
	}
	vm->shell = ours[CH_SHELL];
	ours[CH_SHELL] = -1;
	snprintf(path, sizeof(path), "%s/agent.log", vm->config->dir);
	vm->agent_log = fopen(path, "we");
	vm->agent.line.log = vm->agent_log;
	vm->qmp.event = on_event;
	err = agent_open(&vm->agent, vm->loop, ours[CH_AGENT]);
	ours[CH_AGENT] = -1;
	if (!err) {
		err = qmp_open(&vm->qmp, vm->loop, ours[CH_QMP], QMP_MS);
		ours[CH_QMP] = -1;
	}
	return err;
}

static bool is_migrated(void *ctx)
{
	struct vm *vm = ctx;

	return !strcmp(vm->migration, "completed") || !strcmp(vm->migration, "failed");
}

static int wait_migrated(struct vm *vm)
{
	int err = loop_wait(vm->loop, is_migrated, vm, SAVE_MS);

	if (err || !strcmp(vm->migration, "completed"))
		return err;
	snprintf(vm->qmp.error, sizeof(vm->qmp.error), "the migration failed");
	return -EREMOTEIO;
}

/* Snapshots are files that are loaded in place (mapped-ram). */
static int set_migration(struct vm *vm)
{
	/* The guest has not moved: no RARP of QEMU's may reach the wires. */
	json_t *quiet = json_pack("{s:i}", "announce-rounds", 0);
	json_t *caps = json_pack("{s:[{s:s, s:b}, {s:s, s:b}]}", "capabilities",
				 "capability", "mapped-ram", "state", 1,
				 "capability", "events", "state", 1);

	return qmp_execute(&vm->qmp, "migrate-set-capabilities", caps, NULL) ?:
	       qmp_execute(&vm->qmp, "migrate-set-parameters", quiet, NULL);
}

/* Loads a snapshot, which was taken of a stopped guest, and lets it run on. */
static int load_snapshot(struct vm *vm)
{
	char uri[1024];
	int err;

	snprintf(uri, sizeof(uri), "file:%s", vm->config->incoming);
	err = set_migration(vm) ?:
	      qmp_execute(&vm->qmp, "migrate-incoming", json_pack("{s:s}", "uri", uri),
			  NULL) ?:
	      wait_migrated(vm);
	return err ?: qmp_execute(&vm->qmp, "cont", NULL, NULL);
}

static bool is_gone(void *ctx)
{
	struct vm *vm = ctx;

	return vm->pid == 0;
}

static int start(struct vm *vm, int ours[CHANNELS], int theirs[CHANNELS])
{
	struct args a = { 0 };
	int err;

	qemu_args(&a, vm->config, true);
	err = a.failed ? -ENOMEM : make_pairs(ours, theirs);
	if (!err)
		err = spawn(vm, a.v, theirs);
	close_all(theirs);
	args_free(&a);
	if (!err)
		err = open_channels(vm, ours);
	if (!err && vm->config->incoming)
		err = load_snapshot(vm);
	close_all(ours);
	return err;
}

int vm_start(struct vm *vm, const struct vm_config *c, struct loop *l, const char **why)
{
	int ours[CHANNELS] = { -1, -1, -1, -1, -1 }, theirs[CHANNELS] = { -1, -1, -1, -1, -1 };
	int err;

	memset(vm, 0, sizeof(*vm));
	vm->loop = l;
	vm->config = c;
	vm->qmp.line.src.fd = vm->agent.line.src.fd = -1;
	vm->wire[0] = vm->wire[1] = vm->shell = -1;
	vm->started_ms = loop_now();
	err = start(vm, ours, theirs);
	if (!err)
		return 0;
	/* When QEMU died at once, its own words say more than "broken pipe". */
	if (err == -EPIPE)
		vm_why_gone(vm);
	*why = l->failure[0] ? l->failure :
	       err == -EREMOTEIO ? vm->qmp.error : loop_why(l, err);
	vm_stop(vm);
	return err;
}

const char *vm_why_gone(struct vm *vm)
{
	loop_wait(vm->loop, is_gone, vm, QUIT_MS);
	return vm->loop->failure[0] ? vm->loop->failure : NULL;
}

int vm_wait_ready(struct vm *vm, int timeout_ms)
{
	int err = agent_wait_hello(&vm->agent, timeout_ms);

	/* The channel closes a moment before QEMU's exit tells the reason. */
	if (err == -EPIPE && vm_why_gone(vm))
		err = -ECANCELED;
	vm->ready_ms = loop_now();
	return err;
}

static void close_channels(struct vm *vm)
{
	int i;

	qmp_close(&vm->qmp);
	agent_close(&vm->agent);
	if (vm->agent_log)
		fclose(vm->agent_log);
	vm->agent_log = NULL;
	if (vm->shell >= 0)
		close(vm->shell);
	vm->shell = -1;
	for (i = 0; i < VM_WIRES; i++) {
		if (vm->wire[i] >= 0)
			close(vm->wire[i]);
		vm->wire[i] = -1;
	}
}

void vm_stop(struct vm *vm)
{
	struct pollfd p = { .events = POLLIN };

	vm->stopping = true;
	if (vm->pid) {
		p.fd = vm->exit.fd;
		if (vm->qmp.line.src.fd < 0 ||
		    jsonline_send(&vm->qmp.line, json_pack("{s:s}", "execute", "quit")) ||
		    poll(&p, 1, QUIT_MS) != 1)
			kill(vm->pid, SIGKILL);
		waitpid(vm->pid, &vm->status, 0);
		loop_del(&vm->exit);
		if (vm->exit.fd >= 0)
			close(vm->exit.fd);
		vm->pid = 0;
	}
	close_channels(vm);
}

int vm_save(struct vm *vm, const char *path)
{
	char uri[1024];
	int err;

	snprintf(uri, sizeof(uri), "file:%s", path);
	err = qmp_execute(&vm->qmp, "stop", NULL, NULL) ?: set_migration(vm) ?:
	      qmp_execute(&vm->qmp, "migrate", json_pack("{s:s}", "uri", uri), NULL);
	return err ?: wait_migrated(vm);
}
