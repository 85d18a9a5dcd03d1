// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The figures of the host tools, each beside what it can be held against, in
 * the same run: the bridge beside a bare stream socket, the codec beside a copy,
 * the checksum beside plain C, "gen" beside trafgen and tcpreplay, "check"
 * beside tcpdump reading the same file.
 *
 * All are measured once a round, ROUNDS rounds, so that what the machine does
 * besides hits all of them.  Printed are CPU ns a frame (the middle of the rounds,
 * and the smallest and largest) and the ratio to the reference, by round.  At the
 * end MANY frames go through the bridge and back, and are counted.
 *
 * TAGRIG names the program.  Nothing is asserted but the count.
 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "rounds.h"
#include "net/csum.h"
#include "net/stream.h"
#include "tag/tag.h"

#define ROUNDS		5
#define LOOPS		300000		/* of what is measured in this process */
#define FRAMES		1000000		/* through the bridge, of one measurement */
#define FILE_FRAMES	1000000		/* of a capture */
#define MANY		10000000
#define BATCH		64
#define LEN		64

static const char *tagrig;
static char dir[64];
static volatile uint64_t sink;

static void die(const char *what)
{
	fprintf(stderr, "bench_host: %s\n", what);
	exit(1);
}

static double clock_ns(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return ts.tv_sec * 1e9 + ts.tv_nsec;
}

static double cpu_ns(void)
{
	return clock_ns(CLOCK_PROCESS_CPUTIME_ID);
}

/* CPU of children that have been waited for. */
static double children_ns(void)
{
	struct rusage u;

	getrusage(RUSAGE_CHILDREN, &u);
	return (u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1e9 +
	       (u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1e3;
}

/* --- in this process ------------------------------------------------------ */

static void plain_frame(struct frame *f, uint8_t *storage, size_t size)
{
	static const uint8_t bytes[LEN] = { 2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 8, 0, 0x45 };

	frame_init(f, storage, size);
	frame_set(f, bytes, sizeof(bytes));
}

static double measure_stream(void)
{
	uint8_t storage[512];
	struct stream *a, *b;
	unsigned int received = 0;
	struct frame f, got;
	double start;
	int fds[2];

	plain_frame(&f, storage, sizeof(storage));
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds) || stream_new(fds[0], &a) ||
	    stream_new(fds[1], &b))
		die("no socket");
	start = cpu_ns();
	while (received < LOOPS) {
		for (int i = 0; i < BATCH && !stream_send(a, &f); i++)
			;
		stream_flush(a);
		stream_fill(b);
		while (stream_next(b, &got) == 1)
			received++;
	}
	start = (cpu_ns() - start) / received;
	stream_free(a);
	stream_free(b);
	return start;
}

static double measure_copy(void)
{
	static uint8_t to[LEN], from[LEN];
	double start = cpu_ns();

	for (int i = 0; i < 10 * LOOPS; i++) {
		memcpy(to, from, LEN);
		__asm__ volatile("" : : "r"(to), "r"(from) : "memory");
	}
	return (cpu_ns() - start) / (10 * LOOPS);
}

static double measure_codec(void)
{
	const struct tag_format *edsa = tag_by_name("edsa");
	struct tag_meta meta = { .ports = 1 }, back;
	uint8_t storage[512];
	struct frame f;
	double start;

	plain_frame(&f, storage, sizeof(storage));
	start = cpu_ns();
	for (int i = 0; i < 10 * LOOPS; i++) {
		if (tag_push(edsa, TAG_TO_CPU, &meta, &f) ||
		    tag_pull(edsa, TAG_TO_CPU, &back, &f, NULL))
			die("the codec refuses its own tag");
		__asm__ volatile("" : : "r"(f.data), "r"(&back) : "memory");
	}
	return (cpu_ns() - start) / (10 * LOOPS);
}

/* RFC 1071 as it is written down. */
static uint64_t plain_csum(const uint8_t *p, size_t len)
{
	uint64_t sum = 0;

	for (; len > 1; len -= 2, p += 2)
		sum += p[0] << 8 | p[1];
	return sum;
}

static uint8_t packet[1500];

static double measure_plain_csum(void)
{
	double start = cpu_ns();

	for (int i = 0; i < LOOPS / 2; i++) {
		sink = plain_csum(packet, sizeof(packet));
		__asm__ volatile("" : : "r"(packet) : "memory");
	}
	return (cpu_ns() - start) / (LOOPS / 2);
}

static double measure_csum(void)
{
	double start = cpu_ns();

	for (int i = 0; i < LOOPS; i++) {
		sink = csum_partial(packet, sizeof(packet), 0);
		__asm__ volatile("" : : "r"(packet) : "memory");
	}
	return (cpu_ns() - start) / LOOPS;
}

/* --- the bridge ----------------------------------------------------------- */

static pid_t bridge;
static struct stream *qemu;

static void start_bridge(const char *far_end)
{
	char wire[100], line[200] = "", why[WHY_SIZE];
	int said[2];

	snprintf(wire, sizeof(wire), "%s/wire", dir);
	if (pipe2(said, O_CLOEXEC))
		die("no pipe");
	bridge = fork();
	if (!bridge) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		dup2(said[1], 2);
		execl(tagrig, tagrig, "bridge", "-q", "--listen", wire, "--tag", "edsa", far_end,
		      "none", "none", "none", NULL);
		_exit(1);
	}
	close(said[1]);
	/* it says so when it listens */
	if (read(said[0], line, sizeof(line) - 1) <= 0 || !strstr(line, "listening"))
		die(*line ? line : "the bridge does not start");
	close(said[0]);
	if (stream_connect(wire, &qemu, why))
		die(why);
}

/* Ends it; its CPU time. */
static double stop_bridge(void)
{
	double before = children_ns();
	int status;

	stream_free(qemu);
	kill(bridge, SIGTERM);
	waitpid(bridge, &status, 0);
	if (status)
		die("the bridge has failed");
	return children_ns() - before;
}

static void wait_for(short events)
{
	struct pollfd pfd = { .fd = stream_fd(qemu), .events = events };

	if (poll(&pfd, 1, 30000) != 1)
		die("the bridge moves nothing");
}

static void tagged_frame(struct frame *f, uint8_t *storage, size_t size)
{
	const struct tag_meta meta = { .ports = 1 };

	plain_frame(f, storage, size);
	if (tag_push(tag_by_name("edsa"), TAG_FROM_CPU, &meta, f))
		die("the codec refuses a tag");
}

/* Sends @n frames and takes what comes back until @want have; how many did. */
static uint64_t exchange(uint64_t n, uint64_t want)
{
	uint8_t storage[512];
	uint64_t sent = 0, received = 0;
	struct frame f, got;
	int moved, flushed = 0;

	tagged_frame(&f, storage, sizeof(storage));
	while (sent < n || flushed || received < want) {
		for (int i = 0; i < BATCH && sent < n && !stream_send(qemu, &f); i++)
			sent++;
		flushed = stream_flush(qemu);
		moved = stream_fill(qemu);
		if (moved < 0 || flushed < 0)
			die(stream_error(qemu));
		while (stream_next(qemu, &got) == 1)
			received++;
		if (!moved && (flushed || sent == n) && received < want)
			wait_for(POLLIN | (flushed ? POLLOUT : 0));
		else if (flushed && received >= want)
			wait_for(POLLOUT);
	}
	return received;
}

static double measure_from_guest(void)
{
	start_bridge("none");
	exchange(FRAMES, 0);
	return stop_bridge() / FRAMES;
}

static double measure_to_guest(void)
{
	char far_end[160];

	snprintf(far_end, sizeof(far_end), "pcap:%s/%d.pcap", dir, LEN);
	start_bridge(far_end);
	exchange(0, FRAMES);
	return stop_bridge() / FRAMES;
}

static double measure_echo(void)
{
	start_bridge("echo:raw");
	exchange(FRAMES, FRAMES);
	return stop_bridge() / FRAMES / 2;
}

/* --- programs ------------------------------------------------------------- */

static double measure_command(const char *program, const char *command)
{
	char probe[200], line[800];
	double before;

	snprintf(probe, sizeof(probe), "command -v %s >/dev/null 2>&1", program);
	if (system(probe))
		return 0;
	snprintf(line, sizeof(line), "cd %s && %s >/dev/null 2>&1", dir, command);
	before = children_ns();
	if (system(line))
		return 0;
	return (children_ns() - before) / FILE_FRAMES;
}

static double measure_gen(void)
{
	char command[400];

	snprintf(command, sizeof(command), "%s gen -q -o gen.pcap udp len %d count %d", tagrig,
		 LEN - 42, FILE_FRAMES);
	return measure_command(tagrig, command);
}

static double measure_gen_tagged(void)
{
	char command[400];

	snprintf(command, sizeof(command),
		 "%s gen -q -o edsa.pcap udp len %d tag edsa port 1..3 count %d", tagrig, LEN - 42,
		 FILE_FRAMES);
	return measure_command(tagrig, command);
}

static double measure_trafgen(void)
{
	char command[400];

	snprintf(command, sizeof(command),
		 "trafgen -q --cpus 1 -n %d -o trafgen.pcap '{ fill(0x11, 12), const16(0x88b5), fill(0x22, %d) }'",
		 FILE_FRAMES, LEN - 14);
	return measure_command("trafgen", command);
}

static double measure_tcpreplay(void)
{
	return measure_command("tcpreplay", "tcpreplay -q -t -i lo 64.pcap");
}

static double measure_check(void)
{
	char command[400];

	snprintf(command, sizeof(command), "%s check -q 64.pcap", tagrig);
	return measure_command(tagrig, command);
}

static double measure_check_tagged(void)
{
	char command[400];

	snprintf(command, sizeof(command), "%s check -q --tag edsa edsa.pcap", tagrig);
	return measure_command(tagrig, command);
}

static double measure_tcpdump(void)
{
	return measure_command("tcpdump", "tcpdump -r 64.pcap -w /dev/null");
}

/* --- rounds --------------------------------------------------------------- */

static struct row {
	const char *name;
	double (*measure)(void);
	int reference;		/* row that the ratio is to; itself: none */
	const char *goal;
	double ns[ROUNDS];
} rows[] = {
	{ "unix stream, batches of 64", measure_stream, 0, "", { 0 } },
	{ "bridge, from the guest", measure_from_guest, 0, "300", { 0 } },
	{ "bridge, to the guest (pcap)", measure_to_guest, 0, "300", { 0 } },
	{ "bridge, there and back, each", measure_echo, 0, "300", { 0 } },
	{ "copy of 64 bytes", measure_copy, 4, "", { 0 } },
	{ "edsa insert + strip", measure_codec, 4, "15", { 0 } },
	{ "checksum of 1500 bytes, plain C", measure_plain_csum, 6, "", { 0 } },
	{ "checksum of 1500 bytes", measure_csum, 6, "60", { 0 } },
	{ "trafgen to a file", measure_trafgen, 8, "", { 0 } },
	{ "tcpreplay to the loopback", measure_tcpreplay, 8, "", { 0 } },
	{ "gen to a file", measure_gen, 8, "100", { 0 } },
	{ "gen to a file, edsa, ports swept", measure_gen_tagged, 8, "100", { 0 } },
	{ "tcpdump -r FILE -w /dev/null", measure_tcpdump, 12, "", { 0 } },
	{ "check", measure_check, 12, "", { 0 } },
	{ "check, edsa", measure_check_tagged, 12, "", { 0 } },
};

#define ROWS ((int)(sizeof(rows) / sizeof(rows[0])))

static void print_row(const struct row *r)
{
	const struct row *ref = &rows[r->reference];
	double ns[ROUNDS], ratio[ROUNDS];
	int i;

	for (i = 0; i < ROUNDS; i++) {
		ns[i] = r->ns[i];
		ratio[i] = ref->ns[i] > 0 ? r->ns[i] / ref->ns[i] : 0;
	}
	rounds_sort(ns, ROUNDS);
	rounds_sort(ratio, ROUNDS);
	if (ns[0] <= 0) {
		printf("| %-32s | not there or failed | | |\n", r->name);
		return;
	}
	printf("| %-32s | %.1f (%.1f to %.1f) | %s |", r->name, ns[ROUNDS / 2], ns[0],
	       ns[ROUNDS - 1], r->goal);
	if (ref == r)
		printf(" reference |\n");
	else if (ratio[0] <= 0)
		printf(" |\n");
	else
		printf(" %.2f (%.2f to %.2f) |\n", ratio[ROUNDS / 2], ratio[0], ratio[ROUNDS - 1]);
}

static void count_many(void)
{
	double start = clock_ns(CLOCK_MONOTONIC);
	uint64_t received;

	start_bridge("echo:raw");
	received = exchange(MANY, MANY);
	stop_bridge();
	printf("\n%d frames through the bridge and back: %llu came back, %lld lost, %.1f s\n", MANY,
	       (unsigned long long)received, (long long)MANY - (long long)received,
	       (clock_ns(CLOCK_MONOTONIC) - start) / 1e9);
}

static void print_load(const char *when)
{
	char load[64] = "?";
	FILE *f = fopen("/proc/loadavg", "r");

	if (f && fgets(load, sizeof(load), f))
		load[strcspn(load, "\n")] = 0;
	if (f)
		fclose(f);
	printf("# %ld CPUs, load %s: %s\n", sysconf(_SC_NPROCESSORS_ONLN), when, load);
}

int main(void)
{
	char command[200];
	int i, k;

	tagrig = getenv("TAGRIG");
	if (!tagrig || access(tagrig, X_OK)) {
		printf("TAGRIG does not name the program: nothing measured\n");
		return 0;
	}
	strcpy(dir, access("/dev/shm", W_OK) ? "/tmp/bench.XXXXXX" : "/dev/shm/bench.XXXXXX");
	if (!mkdtemp(dir))
		die("no directory");
	snprintf(command, sizeof(command), "%s gen -q -o %s/64.pcap udp len %d count %d", tagrig, dir,
		 LEN - 42, FILE_FRAMES);
	if (system(command))
		die("gen fails");
	print_load("at the start");
	for (i = 0; i < ROUNDS; i++)
		for (k = 0; k < ROWS; k++)
			rows[k].ns[i] = rows[k].measure();
	printf("| 64-byte frames | CPU ns each | goal | to the reference |\n| --- | --- | --- | --- |\n");
	for (k = 0; k < ROWS; k++)
		print_row(&rows[k]);
	count_many();
	print_load("at the end");
	snprintf(command, sizeof(command), "rm -r %s", dir);
	return system(command) != 0;
}
