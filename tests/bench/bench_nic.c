// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The MAC models beside QEMU's own NICs, in the same kernel and on the same
 * kind of wire: frames a second through the guest, and QEMU's CPU time a frame
 * (the guest's own work under TCG is in it, and the same for all).
 *
 *	pktgen in the guest -- eth -- NIC ==stream==> us, counting     TX
 *	                       eth <- NIC <=stream=== us, flooding     RX
 *
 * A guest for each NIC is booted once and idles while it is not its turn; then
 * rounds of all NICs, so that what the machine does besides hits all of them.
 * Printed are the middle of the rounds, smallest and largest, and the ratio, by
 * round, to the better of e1000e and virtio-net in that round.
 *
 * Received frames are of a type that nobody handles, so the stack drops them
 * behind the driver; that all have arrived is what the interface counts, and
 * none may be missing.
 *
 * QEMU names the directory of the binaries, TAGRIG_TOP the checkout; SIZES (bytes
 * without FCS), FRAMES (of a measurement), ROUNDS and KERNEL may be set.  Nothing is
 * asserted but the count.
 */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "rounds.h"
#include "net/stream.h"
#include "rig/kernel.h"
#include "rig/vm.h"

#define ROUNDS_MAX	15
#define SIZES_MAX	8
#define BATCH		64
#define WAIT_MS		120000
#define MACHINE		"switch=none,dtb-randomness=off,wire0=wire0"

static const struct kind {
	const char *name;
	const char *machine;	/* what the second MAC is; NULL: not the machine's */
	const char *device;
	const char *ifname;
	unsigned int peer;	/* one that the others are held against */
} kinds[] = {
	{ "dwmac GMAC 3.70a", "gmac", NULL, "eth1", 0 },
	{ "dwmac QoS 5.10a", "qos", NULL, "eth1", 0 },
	{ "dwmac XGMAC 2.10", "xgmac", NULL, "eth1", 0 },
	{ "e1000e", NULL, "e1000e,netdev=wire1,romfile=", "eth2", 1 },
	{ "virtio-net", NULL, "virtio-net-pci,netdev=wire1,romfile=", "eth2", 1 },
};

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

enum direction { TX, RX, DIRECTIONS };

struct result {
	double rate;		/* frames a second */
	double cpu_ns;		/* of QEMU, a frame */
};

struct guest {
	const struct kind *kind;
	struct vm vm;
	struct vm_config config;
	char dir[96], machine[160];
	const char *extra[3];
	struct stream *wire;
	struct loop_source source;
	uint64_t received;
	uint64_t to_send;
	size_t size;
};

static struct loop loop;
static struct guest guests[KINDS];
static struct result results[DIRECTIONS][SIZES_MAX][KINDS][ROUNDS_MAX];
static char top_dir[64];

/* A variable of the environment; make sets those that nobody has set to nothing. */
static const char *variable(const char *name, const char *otherwise)
{
	const char *text = getenv(name);

	return text && *text ? text : otherwise;
}

static void remove_top(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -r %s", top_dir);
	if (system(command))
		fprintf(stderr, "bench_nic: %s stays\n", top_dir);
}

static void die(const char *what, const char *why)
{
	fprintf(stderr, "bench_nic: %s: %s\n", what, why);
	exit(1);
}

static double now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec * 1e9 + (double)ts.tv_nsec;
}

/* User and system time of a process, from /proc: fields 14 and 15. */
static double process_ns(pid_t pid)
{
	unsigned long user, system;
	char path[64], line[1024];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	f = fopen(path, "re");
	if (!f || !fgets(line, sizeof(line), f) ||
	    sscanf(strrchr(line, ')') + 1, "%*s %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu",
		   &user, &system) != 2)
		die(path, "cannot be read");
	fclose(f);
	return (double)(user + system) * 1e9 / (double)sysconf(_SC_CLK_TCK);
}

/* --- the wire ------------------------------------------------------------- */

static void fill_wire(struct guest *g)
{
	uint8_t storage[FRAME_HEADROOM + 2048 + FRAME_TAILROOM], bytes[2048] = {
		0x02, 0, 0, 0, 0, 0x01, 0x02, 0, 0, 0, 0, 0x02, 0x88, 0xb5,
	};
	struct frame f;
	int err = 0;

	frame_init(&f, storage, sizeof(storage));
	frame_set(&f, bytes, g->size);
	while (g->to_send && err == 0) {
		for (int i = 0; i < BATCH && g->to_send && !stream_send(g->wire, &f); i++)
			g->to_send--;
		err = stream_flush(g->wire);
	}
	if (err < 0)
		loop_fail(&loop, "%s: %s", g->kind->name, stream_error(g->wire));
	loop_mod(&g->source, err || g->to_send ? EPOLLIN | EPOLLOUT : EPOLLIN);
}

static void on_wire(struct loop_source *s, uint32_t events)
{
	struct guest *g = (struct guest *)((char *)s - offsetof(struct guest, source));
	struct frame f;
	int n = 0;

	if (events & EPOLLIN) {
		n = stream_fill(g->wire);
		while (stream_next(g->wire, &f) == 1)
			g->received++;
	}
	if (n < 0)
		loop_fail(&loop, "%s: %s", g->kind->name, stream_error(g->wire));
	else if (events & EPOLLOUT)
		fill_wire(g);
}

/* --- the guest ------------------------------------------------------------ */

/* Runs a command in the guest; its output, to be free()d. */
static char *ask(struct guest *g, const char *command)
{
	struct agent_job *job = agent_start(&g->vm.agent, command, WAIT_MS, NULL);
	char *out;
	int err;

	if (!job)
		die(g->kind->name, "the agent is gone");
	err = agent_wait(&g->vm.agent, job, WAIT_MS);
	if (err)
		die(g->kind->name, loop_why(&loop, err));
	if (job->exit)
		die(command, job->err && job->err[0] ? job->err : "failed in the guest");
	out = strdup(job->out ? job->out : "");
	agent_forget(&g->vm.agent, job);
	return out;
}

static void tell(struct guest *g, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void tell(struct guest *g, const char *fmt, ...)
{
	char command[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(command, sizeof(command), fmt, ap);
	va_end(ap);
	free(ask(g, command));
}

static uint64_t rx_packets(struct guest *g)
{
	char command[128], *out;
	uint64_t n;

	snprintf(command, sizeof(command), "cat /sys/class/net/%s/statistics/rx_packets",
		 g->kind->ifname);
	out = ask(g, command);
	n = strtoull(out, NULL, 10);
	free(out);
	return n;
}

static void boot(struct guest *g, const char *qemu, const struct kernel *k)
{
	const char *why = "", *dev = g->kind->ifname;
	int err;

	snprintf(g->dir, sizeof(g->dir), "%s/%zu", top_dir, g - guests);
	mkdir(g->dir, 0700);
	snprintf(g->machine, sizeof(g->machine), "%s,mac1=%s%s", MACHINE,
		 g->kind->machine ?: "gmac", g->kind->machine ? ",wire1=wire1" : "");
	g->extra[0] = g->kind->device ? "-device" : NULL;
	g->extra[1] = g->kind->device;
	g->config = (struct vm_config){
		.qemu = qemu, .image = k->image, .initrd = k->initrd, .machine = g->machine,
		.append = "", .dir = g->dir, .extra = g->extra, .seed = 1,
	};
	err = vm_start(&g->vm, &g->config, &loop, &why);
	if (err)
		die(g->kind->name, why);
	err = vm_wait_ready(&g->vm, WAIT_MS);
	if (err)
		die(g->kind->name, loop_why(&loop, err));
	if (stream_new(g->vm.wire[1], &g->wire))
		die(g->kind->name, "no stream");
	g->vm.wire[1] = -1;
	g->source = (struct loop_source){ .fd = stream_fd(g->wire), .ready = on_wire };
	loop_add(&loop, &g->source, EPOLLIN);
	tell(g, "modprobe pktgen; modprobe -q e1000e; modprobe -q virtio_net; "
	     "until [ -e /sys/class/net/%s ]; do :; done; "
	     "sysctl -qw net.ipv6.conf.all.disable_ipv6=1; "
	     "ip link set %s address 02:00:00:00:00:01; ip link set %s up; "
	     "until grep -q 1 /sys/class/net/%s/carrier; do :; done", dev, dev, dev, dev);
	tell(g, "printf 'rem_device_all\\n' >/proc/net/pktgen/kpktgend_0; "
	     "echo add_device %s >/proc/net/pktgen/kpktgend_0", dev);
	printf("# %s: %.1f s to the agent\n", g->kind->name,
	       (double)(g->vm.ready_ms - g->vm.started_ms) / 1000);
}

/* --- what is measured ----------------------------------------------------- */

struct goal {
	const uint64_t *count;
	uint64_t want;
};

static bool counted(void *ctx)
{
	const struct goal *goal = ctx;

	return *goal->count >= goal->want;
}

static struct result measure_tx(struct guest *g, uint64_t frames)
{
	struct goal all = { &g->received, g->received + frames };
	double start, cpu;
	int err;

	tell(g, "for x in 'count %llu' 'pkt_size %zu' 'delay 0' 'dst_mac 02:00:00:00:00:02' "
	     "'dst 192.0.2.2'; do echo $x >/proc/net/pktgen/%s || exit; done",
	     (unsigned long long)frames, g->size, g->kind->ifname);
	start = now_ns();
	cpu = process_ns(g->vm.pid);
	tell(g, "echo start >/proc/net/pktgen/pgctrl");
	err = loop_wait(&loop, counted, &all, WAIT_MS);
	if (err)
		die("frames sent by the guest are missing", loop_why(&loop, err));
	return (struct result){ (double)frames * 1e9 / (now_ns() - start),
				(process_ns(g->vm.pid) - cpu) / (double)frames };
}

static struct result measure_rx(struct guest *g, uint64_t frames)
{
	uint64_t before = rx_packets(g);
	double start, cpu;

	start = now_ns();
	cpu = process_ns(g->vm.pid);
	g->to_send = frames;
	loop_mod(&g->source, EPOLLIN | EPOLLOUT);
	tell(g, "until [ $(cat /sys/class/net/%s/statistics/rx_packets) -ge %llu ]; do "
	     "sleep 0.02; done", g->kind->ifname, (unsigned long long)(before + frames));
	return (struct result){ (double)frames * 1e9 / (now_ns() - start),
				(process_ns(g->vm.pid) - cpu) / (double)frames };
}

static struct result measure(struct guest *g, enum direction d, size_t size, uint64_t frames)
{
	g->size = size;
	switch (d) {
	case TX:
		return measure_tx(g, frames);
	case RX:
		return measure_rx(g, frames);
	case DIRECTIONS:
		break;
	}
	abort();
}

/* --- the table ------------------------------------------------------------ */

static void print_spread(double *v, unsigned int n, const char *format)
{
	rounds_sort(v, n);
	printf(format, v[n / 2], v[0], v[n - 1]);
}

/* The best rate of the NICs that are held against, in round @r. */
static double best_peer(struct result (*row)[ROUNDS_MAX], unsigned int r)
{
	double best = 0;

	for (size_t k = 0; k < KINDS; k++) {
		if (kinds[k].peer && row[k][r].rate > best)
			best = row[k][r].rate;
	}
	return best;
}

static void print_row(struct result (*row)[ROUNDS_MAX], size_t k, enum direction d, size_t size,
		      unsigned int rounds)
{
	double rate[ROUNDS_MAX], cpu[ROUNDS_MAX], ratio[ROUNDS_MAX];
	unsigned int r;

	for (r = 0; r < rounds; r++) {
		rate[r] = row[k][r].rate / 1000;
		cpu[r] = row[k][r].cpu_ns / 1000;
		ratio[r] = row[k][r].rate / best_peer(row, r);
	}
	printf("| %s | %zu | %s |", d == TX ? "TX" : "RX", size, kinds[k].name);
	print_spread(rate, rounds, " %.1f (%.1f to %.1f) |");
	print_spread(cpu, rounds, " %.1f (%.1f to %.1f) |");
	print_spread(ratio, rounds, " %.2f (%.2f to %.2f) |\n");
}

static unsigned long number(const char *name, unsigned long otherwise, unsigned long max)
{
	const char *text = variable(name, NULL);
	unsigned long n = text ? strtoul(text, NULL, 10) : otherwise;

	if (!n || n > max)
		die(name, "out of range");
	return n;
}

static unsigned int read_sizes(size_t *sizes)
{
	const char *text = variable("SIZES", "64 512 1514");
	unsigned int n = 0;
	char *end;

	for (; *text && n < SIZES_MAX; text = end) {
		sizes[n] = strtoul(text, &end, 10);
		if (end == text || sizes[n] < 60 || sizes[n] > 1514)
			die("SIZES", "expected numbers from 60 to 1514");
		n++;
	}
	return n;
}

static void run_rounds(const size_t *sizes, unsigned int n, unsigned int rounds, uint64_t frames)
{
	unsigned int r, s, d;
	size_t k;

	/* one that does not count: caches of translated code are empty at first */
	for (k = 0; k < KINDS; k++) {
		measure(&guests[k], TX, sizes[0], frames / 4);
		measure(&guests[k], RX, sizes[0], frames / 4);
	}
	for (r = 0; r < rounds; r++)
		for (d = 0; d < DIRECTIONS; d++)
			for (s = 0; s < n; s++)
				for (k = 0; k < KINDS; k++)
					results[d][s][k][r] =
						measure(&guests[k], d, sizes[s], frames);
}

int main(void)
{
	unsigned int rounds = (unsigned int)number("ROUNDS", 5, ROUNDS_MAX), n, s, d;
	uint64_t frames = number("FRAMES", 20000, 10000000);
	char qemu[512], why[256];
	size_t sizes[SIZES_MAX], k;
	struct kernel kernel;

	snprintf(qemu, sizeof(qemu), "%s/qemu-system-aarch64", variable("QEMU", ""));
	if (access(qemu, X_OK))
		die(qemu, strerror(errno));
	n = read_sizes(sizes);
	if (kernel_find(&kernel, variable("KERNEL", "newest-6.12"), false, why))
		die("kernel", why);
	strcpy(top_dir, "/tmp/bench_nic.XXXXXX");
	if (!mkdtemp(top_dir) || atexit(remove_top) || loop_init(&loop))
		die(top_dir, strerror(errno));
	printf("# kernel %s, pktgen and a flood, %llu frames a measurement, %u rounds\n",
	       kernel.release, (unsigned long long)frames, rounds);
	for (k = 0; k < KINDS; k++) {
		guests[k].kind = &kinds[k];
		boot(&guests[k], qemu, &kernel);
	}
	run_rounds(sizes, n, rounds, frames);
	printf("| | bytes | NIC | thousand frames a second | QEMU CPU µs each | to the better of e1000e and virtio-net |\n"
	       "| --- | --- | --- | --- | --- | --- |\n");
	for (d = 0; d < DIRECTIONS; d++)
		for (s = 0; s < n; s++)
			for (k = 0; k < KINDS; k++)
				print_row(results[d][s], k, d, sizes[s], rounds);
	for (k = 0; k < KINDS; k++)
		vm_stop(&guests[k].vm);
	kernel_free(&kernel);
	return 0;
}
