// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a tag costs: nanoseconds to insert and strip one, for each format, on a
 * 64-byte frame that stays in the cache; the best of several runs, since a
 * busy machine only ever adds.
 */
#include <stdio.h>
#include <time.h>

#include "tag/tag.h"

#define LOOPS	200000
#define BEST_OF	9

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1e9 + ts.tv_nsec;
}

/* A reader of memory that the compiler cannot see through. */
static void touch(void *p)
{
	__asm__ volatile("" : : "r"(p) : "memory");
}

static double run(const struct tag_format *f, enum tag_dir dir, struct frame *frame)
{
	struct tag_meta meta = { .ports = 1, .device = 1 }, back;
	double start = now();
	unsigned int i;

	for (i = 0; i < LOOPS; i++) {
		if (tag_push(f, dir, &meta, frame))
			return -1;
		touch(frame->data);
		if (tag_pull(f, dir, &back, frame, NULL))
			return -1;
		touch(&back);
	}
	return (now() - start) / LOOPS;
}

static double best(const struct tag_format *f, enum tag_dir dir)
{
	static uint8_t storage[2048];
	uint8_t bytes[64] = { 2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 8, 0, 0x45 };
	double ns, min = 1e9;
	struct frame frame;
	int i;

	frame_init(&frame, storage, sizeof(storage));
	frame_set(&frame, bytes, sizeof(bytes));
	for (i = 0; i < BEST_OF; i++) {
		ns = run(f, dir, &frame);
		if (ns < min)
			min = ns;
	}
	return min;
}

int main(void)
{
	size_t i;

	printf("# tag: insert + strip, ns a 64-byte frame\n");
	printf("%-16s %9s %7s\n", "# format", "from-CPU", "to-CPU");
	for (i = 0; i < tag_count(); i++)
		printf("%-16s %9.1f %7.1f\n", tag_name(tag_at(i)),
		       best(tag_at(i), TAG_FROM_CPU), best(tag_at(i), TAG_TO_CPU));
	return 0;
}
