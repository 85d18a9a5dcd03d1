// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The MAC models beside QEMU's own NICs, in the same kernel and on the same
 * kind of wire: frames a second through the guest, and QEMU's CPU time a frame.
 * The guest's own work under TCG is in both, and a driver's share of it is its
 * own; so what each driver does for a frame is counted as well (exits.h):
 * instructions, accesses to devices, interrupts.
 *
 *	pktgen in the guest -- eth -- NIC ==stream==> us, counting     TX
 *	                       eth <- NIC <=stream=== us, flooding     RX
 *
 * A guest for each NIC is booted once and idles while it is not its turn; then
 * rounds of all NICs, so that what the machine does besides hits all of them.
 * Printed are the middle of the rounds, smallest and largest, and the ratio, by
 * round, to the better of e1000e and virtio-net in that round.
 *
 * The MACs are there without EEE and without PAUSE, as the peers are; with transmit
 * demands that are gathered (property tx-gather-ns, off unless asked for); and, where
 * the driver itself goes into low-power idle and out again, as they come: with EEE,
 * and with a PAUSE frame whenever a flood has filled the FIFO.
 *
 * Time and CPU time of a transmission run from its first frame to its last, on our
 * side: pktgen waits a while before it starts, and looks only ten times a second
 * whether it has ended.
 *
 * Received frames are of a type that nobody handles, so the stack drops them
 * behind the driver; the last one is an ARP request, and the answer ends the
 * measurement.  What the interface counts must be all of them.
 *
 * How much of the time the guest's CPU ran is what all of QEMU's threads did but
 * its first, which is the main loop.  What a device does within an access to a
 * register is in there, what it does in the main loop is not.
 *
 * Counted are the frames of a longer measurement less those of a shorter one, in
 * a guest of its own, which counting makes slower.
 *
 * QEMU names the directory of the binaries, EXITS the plugin, TAGRIG_TOP the
 * checkout; SIZES (bytes without FCS), FRAMES (of a measurement), ROUNDS and
 * KERNEL may be set, and TARGETS a word of the NICs' names that are measured beside
 * e1000e and virtio-net.  Nothing is asserted but the number of frames.
 */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "exits.h"
#include "rounds.h"
#include "net/stream.h"
#include "rig/kernel.h"
#include "rig/vm.h"

#define ROUNDS_MAX	15
#define SIZES_MAX	8
#define BATCH		64
#define WAIT_MS		120000
#define COUNTED		2000	/* frames, in the shorter of two measurements */
#define MACHINE		"switch=none,dtb-randomness=off,wire0=wire0"

#define GATHER		".tx-gather-ns=200000"

static const struct kind {
	const char *name;
	const char *machine;	/* what the second MAC is; NULL: not the machine's */
	const char *device[2];	/* or, of the machine's MAC, properties */
	const char *ifname;
	unsigned int peer;	/* one that the others are held against */
} kinds[] = {
	{ "dwmac GMAC 3.70a", "gmac", { "dwmac-gmac.eee=off" }, "eth1", 0 },
	{ "dwmac QoS 5.10a", "qos", { "dwmac-qos.eee=off" }, "eth1", 0 },
	{ "dwmac XGMAC 2.10", "xgmac", { "dwmac-xgmac.eee=off" }, "eth1", 0 },
	{ "dwmac GMAC 3.70a, gathering", "gmac", { "dwmac-gmac.eee=off", "dwmac-gmac" GATHER },
	  "eth1", 0 },
	{ "dwmac QoS 5.10a, gathering", "qos", { "dwmac-qos.eee=off", "dwmac-qos" GATHER },
	  "eth1", 0 },
	{ "dwmac XGMAC 2.10, gathering", "xgmac", { "dwmac-xgmac.eee=off", "dwmac-xgmac" GATHER },
	  "eth1", 0 },
	{ "dwmac GMAC 3.70a, EEE, PAUSE", "gmac", { NULL }, "eth1", 0 },
	{ "dwmac XGMAC 2.10, EEE, PAUSE", "xgmac", { NULL }, "eth1", 0 },
	{ "e1000e", NULL, { "e1000e,netdev=wire1,romfile=" }, "eth2", 1 },
	{ "virtio-net", NULL, { "virtio-net-pci,netdev=wire1,romfile=" }, "eth2", 1 },
};

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

enum direction { TX, RX, DIRECTIONS };

struct result {
	double rate;		/* frames a second */
	double cpu_ns;		/* of QEMU, a frame */
	double vcpu;		/* the part of the time in which the guest's CPU ran */
	double interrupts;	/* a frame */
};

/* For a frame, on average. */
struct counts {
	double insns, devices, gic;
};

/* When something happened, and what CPU time QEMU and its main loop had used. */
struct mark {
	double ns, cpu, main;
};

struct guest {
	const struct kind *kind;
	struct vm vm;
	struct vm_config config;
	char dir[96], machine[160], plugin[640];
	const char *extra[7];
	struct exits *exits;	/* NULL: not counted */
	struct stream *wire;
	struct loop_source source;
	uint64_t received, answers;
	uint64_t from, to;	/* of what is received, what is timed */
	struct mark first, last;
	uint64_t to_send;
	size_t size;
};

static struct loop loop;
static struct guest guests[KINDS];
static bool chosen[KINDS];
static const char *qemu;
static struct kernel kernel;
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

/* User and system time of a process. */
static double process_ns(pid_t pid)
{
	struct timespec ts;
	clockid_t clock;

	if (clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &ts))
		die("QEMU", "its CPU time cannot be read");
	return (double)ts.tv_sec * 1e9 + (double)ts.tv_nsec;
}

/* Of its first thread: the first number there is the time that it ran. */
static double main_loop_ns(pid_t pid)
{
	char path[64];
	double ns;
	FILE *f;
	bool ok;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/schedstat", pid, pid);
	f = fopen(path, "r");
	ok = f && fscanf(f, "%lf", &ns) == 1;
	if (f)
		fclose(f);
	if (!ok)
		die(path, "no CPU time there");
	return ns;
}

static struct mark mark_now(const struct guest *g)
{
	return (struct mark){ now_ns(), process_ns(g->vm.pid), main_loop_ns(g->vm.pid) };
}

/* --- the wire ------------------------------------------------------------- */

/* Of a local experimental type; the last one asks who has 192.0.2.1. */
static const uint8_t plain[] = {
	0x02, 0, 0, 0, 0, 0x01, 0x02, 0, 0, 0, 0, 0x02, 0x88, 0xb5,
}, last[] = {
	0x02, 0, 0, 0, 0, 0x01, 0x02, 0, 0, 0, 0, 0x02, 0x08, 0x06, 0, 1, 8, 0, 6, 4, 0, 1,
	0x02, 0, 0, 0, 0, 0x02, 192, 0, 2, 2, 0, 0, 0, 0, 0, 0, 192, 0, 2, 1,
};

static void make_frame(struct guest *g, struct frame *f)
{
	uint8_t bytes[2048] = { 0 };

	memcpy(bytes, g->to_send > 1 ? plain : last, g->to_send > 1 ? sizeof(plain) : sizeof(last));
	frame_set(f, bytes, g->size);
}

static void fill_wire(struct guest *g)
{
	uint8_t storage[FRAME_HEADROOM + 2048 + FRAME_TAILROOM];
	struct frame f;
	int err = 0;

	frame_init(&f, storage, sizeof(storage));
	make_frame(g, &f);
	/* also with nothing more to send: the last batch may still be here */
	do {
		for (int i = 0; i < BATCH && g->to_send && !stream_send(g->wire, &f); i++) {
			if (--g->to_send == 1)
				make_frame(g, &f);
		}
		err = stream_flush(g->wire);
	} while (g->to_send && err == 0);
	if (err < 0)
		loop_fail(&loop, "%s: %s", g->kind->name, stream_error(g->wire));
	loop_mod(&g->source, err || g->to_send ? EPOLLIN | EPOLLOUT : EPOLLIN);
}

/* The MAC sends PAUSE frames of its own, too. */
static bool is_answer(const struct frame *f)
{
	return f->len >= sizeof(last) && f->data[12] == 8 && f->data[13] == 6 && f->data[21] == 2;
}

static void count(struct guest *g, const struct frame *f)
{
	g->received++;
	g->answers += is_answer(f);
	if (g->received == g->from)
		g->first = mark_now(g);
	if (g->received == g->to)
		g->last = mark_now(g);
}

static void on_wire(struct loop_source *s, uint32_t events)
{
	struct guest *g = (struct guest *)((char *)s - offsetof(struct guest, source));
	struct frame f;
	int n = 0;

	if (events & EPOLLIN) {
		n = stream_fill(g->wire);
		while (stream_next(g->wire, &f) == 1)
			count(g, &f);
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
	if (job->exit) {
		fprintf(stderr, "bench_nic: %s: in the guest:\n%s\n", g->kind->name, command);
		die("status not 0", job->err && job->err[0] ? job->err : "nothing said");
	}
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

/* The number that a command in the guest prints. */
static uint64_t ask_number(struct guest *g, const char *command)
{
	char *out = ask(g, command);
	uint64_t n = strtoull(out, NULL, 10);

	free(out);
	return n;
}

static uint64_t rx_packets(struct guest *g)
{
	char command[128];

	snprintf(command, sizeof(command), "cat /sys/class/net/%s/statistics/rx_packets",
		 g->kind->ifname);
	return ask_number(g, command);
}

static uint64_t interrupts(struct guest *g)
{
	return ask_number(g, "grep -v -e timer -e IPI /proc/interrupts | "
			  "{ n=0; while read -r x i x; do case $i in [0-9]*) n=$((n + i)) ;; "
			  "esac; done; echo $n; }");
}

/* A guest that counts has the plugin, and a file that both map. */
static void add_plugin(struct guest *g, size_t n)
{
	const char *plugin = variable("EXITS", "");
	char path[128];
	int fd;

	if (access(plugin, R_OK))
		die("EXITS", "expected the plugin that make bench-nic builds");
	snprintf(path, sizeof(path), "%s/exits", g->dir);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0 || ftruncate(fd, sizeof(*g->exits)))
		die(path, strerror(errno));
	g->exits = mmap(NULL, sizeof(*g->exits), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (g->exits == MAP_FAILED)
		die(path, strerror(errno));
	snprintf(g->plugin, sizeof(g->plugin), "%s,out=%s", plugin, path);
	g->extra[n] = "-plugin";
	g->extra[n + 1] = g->plugin;
}

static void configure(struct guest *g, bool counts)
{
	size_t n = 0;

	snprintf(g->dir, sizeof(g->dir), "%s/%zu", top_dir, g - guests);
	mkdir(g->dir, 0700);
	snprintf(g->machine, sizeof(g->machine), "%s,mac1=%s%s", MACHINE,
		 g->kind->machine ?: "gmac", g->kind->machine ? ",wire1=wire1" : "");
	memset(g->extra, 0, sizeof(g->extra));
	for (size_t i = 0; i < 2 && g->kind->device[i]; i++) {
		g->extra[n++] = g->kind->machine ? "-global" : "-device";
		g->extra[n++] = g->kind->device[i];
	}
	if (counts)
		add_plugin(g, n);
	g->config = (struct vm_config){
		.qemu = qemu, .image = kernel.image, .initrd = kernel.initrd,
		.machine = g->machine, .append = "", .dir = g->dir, .extra = g->extra, .seed = 1,
	};
}

static void boot(struct guest *g, bool counts)
{
	const char *why = "", *dev = g->kind->ifname;
	int err;

	configure(g, counts);
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
	     "sysctl -qw net.ipv6.conf.all.disable_ipv6=1", dev);
	if (g->kind->machine && g->kind->device[0])
		tell(g, "ethtool -A %s autoneg off rx off tx off", dev);
	tell(g, "ip link set %s address 02:00:00:00:00:01; ip addr add 192.0.2.1/24 dev %s; "
	     "ip link set %s up; until grep -q 1 /sys/class/net/%s/carrier; do :; done",
	     dev, dev, dev, dev);
	tell(g, "printf 'rem_device_all\\n' >/proc/net/pktgen/kpktgend_0; "
	     "echo add_device %s >/proc/net/pktgen/kpktgend_0", dev);
}

static void shut_down(struct guest *g)
{
	loop_del(&g->source);
	stream_free(g->wire);
	vm_stop(&g->vm);
	if (g->exits)
		munmap(g->exits, sizeof(*g->exits));
	g->exits = NULL;
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

static struct result between(struct mark a, struct mark b, uint64_t frames)
{
	return (struct result){
		.rate = (double)frames * 1e9 / (b.ns - a.ns),
		.cpu_ns = (b.cpu - a.cpu) / (double)frames,
		.vcpu = (b.cpu - a.cpu - (b.main - a.main)) / (b.ns - a.ns),
	};
}

static struct result measure_tx(struct guest *g, uint64_t frames)
{
	struct goal all = { &g->received, g->received + frames };
	int err;

	tell(g, "for x in 'count %llu' 'pkt_size %zu' 'delay 0' 'dst_mac 02:00:00:00:00:02' "
	     "'dst 192.0.2.2'; do echo $x >/proc/net/pktgen/%s || exit; done",
	     (unsigned long long)frames, g->size, g->kind->ifname);
	g->from = g->received + 1;
	g->to = g->received + frames;
	tell(g, "echo start >/proc/net/pktgen/pgctrl");
	err = loop_wait(&loop, counted, &all, WAIT_MS);
	if (err)
		die(g->kind->name, "frames sent by the guest are missing");
	return between(g->first, g->last, frames - 1);
}

static struct result measure_rx(struct guest *g, uint64_t frames)
{
	uint64_t before = rx_packets(g), got;
	struct goal answer = { &g->answers, g->answers + 1 };
	struct mark start = mark_now(g);
	struct result result;
	char why[96];
	int err;

	g->to_send = frames;
	loop_mod(&g->source, EPOLLIN | EPOLLOUT);
	err = loop_wait(&loop, counted, &answer, WAIT_MS);
	result = between(start, mark_now(g), frames);
	got = rx_packets(g) - before;
	snprintf(why, sizeof(why), "%llu of %llu frames received, %llu not sent",
		 (unsigned long long)got, (unsigned long long)frames,
		 (unsigned long long)g->to_send);
	if (err || got != frames)
		die(g->kind->name, why);
	return result;
}

static struct result measure(struct guest *g, enum direction d, size_t size, uint64_t frames)
{
	uint64_t before = interrupts(g);
	struct result result;

	g->size = size;
	result = d == TX ? measure_tx(g, frames) : measure_rx(g, frames);
	result.interrupts = (double)(interrupts(g) - before) / (double)frames;
	return result;
}

/* --- what is counted ------------------------------------------------------ */

/* Totals around a measurement; the questions themselves are in them, too. */
static struct counts count_once(struct guest *g, enum direction d, size_t size, uint64_t frames,
				double *rate)
{
	struct exits before = *g->exits, after;

	*rate = measure(g, d, size, frames).interrupts;
	after = *g->exits;
	return (struct counts){
		(double)(after.insns - before.insns), (double)(after.devices - before.devices),
		(double)(after.gic - before.gic),
	};
}

static void print_counts(struct guest *g, enum direction d, size_t size)
{
	double rate;
	struct counts a = count_once(g, d, size, COUNTED, &rate);
	struct counts b = count_once(g, d, size, 3 * COUNTED, &rate);

	printf("| %s | %s | %.0f | %.2f | %.2f | %.3f |\n", d == TX ? "TX" : "RX", g->kind->name,
	       (b.insns - a.insns) / (2 * COUNTED), (b.devices - a.devices) / (2 * COUNTED),
	       (b.gic - a.gic) / (2 * COUNTED), rate);
}

static void count_all(size_t size)
{
	printf("\nWhat the guest does for a frame of %zu bytes:\n\n"
	       "| | NIC | instructions | accesses to devices | to the interrupt controller | "
	       "interrupts |\n"
	       "| --- | --- | --- | --- | --- | --- |\n", size);
	for (size_t k = 0; k < KINDS; k++) {
		if (!chosen[k])
			continue;
		boot(&guests[k], true);
		guests[k].exits->on = 1;
		for (unsigned int d = 0; d < DIRECTIONS; d++) {
			measure(&guests[k], d, size, COUNTED);
			print_counts(&guests[k], d, size);
		}
		shut_down(&guests[k]);
	}
}

/* --- the table ------------------------------------------------------------ */

static void print_spread(double *v, unsigned int n, const char *format)
{
	rounds_sort(v, n);
	printf(format, v[n / 2], v[0], v[n - 1]);
}

/* The best rate and CPU time of the NICs that are held against, in round @r. */
static struct result best_peer(struct result (*row)[ROUNDS_MAX], unsigned int r)
{
	struct result best = { .cpu_ns = 1e12 };

	for (size_t k = 0; k < KINDS; k++) {
		if (kinds[k].peer && row[k][r].rate > best.rate)
			best.rate = row[k][r].rate;
		if (kinds[k].peer && row[k][r].cpu_ns < best.cpu_ns)
			best.cpu_ns = row[k][r].cpu_ns;
	}
	return best;
}

static void print_row(struct result (*row)[ROUNDS_MAX], size_t k, enum direction d, size_t size,
		      unsigned int rounds)
{
	double rate[ROUNDS_MAX], cpu[ROUNDS_MAX], irqs[ROUNDS_MAX], rates[ROUNDS_MAX];
	double vcpu[ROUNDS_MAX], cpus[ROUNDS_MAX];
	unsigned int r;

	for (r = 0; r < rounds; r++) {
		struct result best = best_peer(row, r);

		rate[r] = row[k][r].rate / 1000;
		cpu[r] = row[k][r].cpu_ns / 1000;
		vcpu[r] = row[k][r].vcpu;
		irqs[r] = row[k][r].interrupts;
		rates[r] = row[k][r].rate / best.rate;
		cpus[r] = row[k][r].cpu_ns / best.cpu_ns;
	}
	printf("| %s | %zu | %s |", d == TX ? "TX" : "RX", size, kinds[k].name);
	print_spread(rate, rounds, " %.1f (%.1f to %.1f) |");
	print_spread(cpu, rounds, " %.1f (%.1f to %.1f) |");
	print_spread(vcpu, rounds, " %.2f (%.2f to %.2f) |");
	print_spread(irqs, rounds, " %.2f (%.2f to %.2f) |");
	print_spread(rates, rounds, " %.2f (%.2f to %.2f) |");
	print_spread(cpus, rounds, " %.2f (%.2f to %.2f) |\n");
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
		if (!chosen[k])
			continue;
		boot(&guests[k], false);
		measure(&guests[k], TX, sizes[0], frames / 4);
		measure(&guests[k], RX, sizes[0], frames / 4);
	}
	for (r = 0; r < rounds; r++)
		for (d = 0; d < DIRECTIONS; d++)
			for (s = 0; s < n; s++)
				for (k = 0; k < KINDS; k++)
					if (chosen[k])
						results[d][s][k][r] =
							measure(&guests[k], d, sizes[s], frames);
	for (k = 0; k < KINDS; k++)
		if (chosen[k])
			shut_down(&guests[k]);
}

static void print_table(const size_t *sizes, unsigned int n, unsigned int rounds)
{
	printf("Middle of the rounds, smallest and largest; ratios to the better of e1000e and "
	       "virtio-net in that round:\n\n"
	       "| | bytes | NIC | thousand frames a second | QEMU CPU µs each | "
	       "guest's CPU busy | interrupts each | frames, ratio | CPU, ratio |\n"
	       "| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
	for (unsigned int d = 0; d < DIRECTIONS; d++)
		for (unsigned int s = 0; s < n; s++)
			for (size_t k = 0; k < KINDS; k++)
				if (chosen[k])
					print_row(results[d][s], k, d, sizes[s], rounds);
}

/* The peers always, of the others those whose name has a word of TARGETS. */
static void choose(void)
{
	char *words = strdup(variable("TARGETS", "dwmac")), *next = words, *word;
	bool any = false;

	while ((word = strsep(&next, " ,")))
		for (size_t k = 0; k < KINDS; k++)
			chosen[k] |= *word && !kinds[k].peer && strcasestr(kinds[k].name, word);
	for (size_t k = 0; k < KINDS; k++) {
		any |= chosen[k];
		guests[k].kind = &kinds[k];
		chosen[k] |= kinds[k].peer;
	}
	if (!any)
		die("TARGETS", "expected words of the NICs' names, such as gmac, qos, xgmac");
	free(words);
}

int main(void)
{
	unsigned int rounds = (unsigned int)number("ROUNDS", 5, ROUNDS_MAX), n;
	uint64_t frames = number("FRAMES", 20000, 10000000);
	char path[512], why[256];
	size_t sizes[SIZES_MAX];

	setlinebuf(stdout);
	snprintf(path, sizeof(path), "%s/qemu-system-aarch64", variable("QEMU", ""));
	if (access(path, X_OK))
		die(path, strerror(errno));
	qemu = path;
	n = read_sizes(sizes);
	choose();
	if (kernel_find(&kernel, variable("KERNEL", "newest-6.12"), false, why))
		die("kernel", why);
	strcpy(top_dir, "/tmp/bench_nic.XXXXXX");
	if (!mkdtemp(top_dir) || atexit(remove_top) || loop_init(&loop))
		die(top_dir, strerror(errno));
	printf("Kernel %s, pktgen and a flood, %llu frames a measurement, %u rounds.\n",
	       kernel.release, (unsigned long long)frames, rounds);
	run_rounds(sizes, n, rounds, frames);
	print_table(sizes, n, rounds);
	count_all(sizes[0]);
	kernel_free(&kernel);
	return 0;
}
