// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the fabric costs: nanoseconds a frame from a port to the CPU, from the
 * CPU to a port, and between two ports of a group, with the tag; the best of
 * several runs, since a busy machine only ever adds.
 */
#include <stdio.h>
#include <time.h>

#include "fabric/fabric.h"

#define LOOPS	200000
#define BEST_OF	9
#define CPU	4

static const char *const tags[] = { "edsa", "dsa", "brcm", "ksz9477", "ocelot", "none" };

static struct fabric fab;
static volatile uint64_t left;

static void egress(void *ctx, unsigned int port, const struct frame *frame)
{
	(void)ctx;
	(void)frame;
	left += port;
}

static const struct fabric_ops ops = { .egress = egress };

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1e9 + ts.tv_nsec;
}

/* Each frame is copied in, as from a ring: the fabric changes it. */
static double run(unsigned int port, const uint8_t *bytes, size_t len)
{
	static uint8_t storage[2048];
	double start = now();
	struct frame f;
	unsigned int i;

	for (i = 0; i < LOOPS; i++) {
		frame_init(&f, storage, sizeof(storage));
		frame_set(&f, bytes, len);
		fabric_ingress(&fab, port, &f, i);
	}
	return (now() - start) / LOOPS;
}

static double best(unsigned int port, const uint8_t *bytes, size_t len)
{
	double ns, min = 1e9;
	int i;

	for (i = 0; i < BEST_OF; i++) {
		ns = run(port, bytes, len);
		if (ns < min)
			min = ns;
	}
	return min;
}

static void bench(const char *tag)
{
	uint8_t storage[512], bytes[64] = { 2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 8, 0, 0x45 };
	const struct tag_meta meta = { .ports = 1 };
	double in, out, across;
	struct frame f;

	fabric_init(&fab, CPU + 1, CPU, tag_by_name(tag), &ops, NULL);
	in = best(0, bytes, sizeof(bytes));
	frame_init(&f, storage, sizeof(storage));
	frame_set(&f, bytes, sizeof(bytes));
	tag_push(fab.tag, TAG_FROM_CPU, &meta, &f);
	out = best(CPU, f.data, f.len);
	fabric_set_group(&fab, 0, 1);
	fabric_set_group(&fab, 1, 1);
	fabric_fdb_set(&fab, 1, bytes, 0, 2);
	across = best(0, bytes, sizeof(bytes));
	printf("%-16s %9.1f %9.1f %9.1f\n", tag, in, out, across);
}

int main(void)
{
	size_t i;

	printf("# fabric: ns a 64-byte frame, with the copy in\n");
	printf("%-16s %9s %9s %9s\n", "# format", "to-CPU", "from-CPU", "port-port");
	for (i = 0; i < sizeof(tags) / sizeof(tags[0]); i++)
		bench(tags[i]);
	return 0;
}
