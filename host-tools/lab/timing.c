// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Plans and tables of the time leg: see timing.h.
 */
#include "lab/timing.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#define HEADER "workload\tA\tB\tlayout\tblock\tside\tns\n"

static int add(struct timing *t, const struct timing_run *r)
{
	struct timing_run *runs = realloc(t->runs, (t->n + 1) * sizeof(*runs));

	if (!runs)
		return -ENOMEM;
	t->runs = runs;
	runs[t->n++] = *r;
	return 0;
}

int timing_plan(struct timing *t, const char *workload, const char *a, const char *b,
		unsigned int layouts, unsigned int rounds)
{
	struct timing_run r = { .ns = -1 };
	unsigned int round, l, i;

	snprintf(r.workload, sizeof(r.workload), "%s", workload);
	snprintf(r.a, sizeof(r.a), "%s", a);
	snprintf(r.b, sizeof(r.b), "%s", b);
	for (round = 0; round < rounds; round++)
		for (l = 0; l < layouts; l++, r.block++)
			for (i = 0; i < 4; i++) {
				r.layout = l;
				r.side = "ABBA"[i];
				if (add(t, &r))
					return -ENOMEM;
			}
	return 0;
}

int timing_save(const struct timing *t, const char *path)
{
	FILE *f = fopen(path, "we");
	size_t i;

	if (!f)
		return -errno;
	fputs(HEADER, f);
	for (i = 0; i < t->n; i++) {
		const struct timing_run *r = &t->runs[i];

		fprintf(f, "%s\t%s\t%s\t%u\t%u\t%c\t%" PRId64 "\n", r->workload, r->a, r->b,
			r->layout, r->block, r->side, r->ns);
	}
	return fclose(f) ? -errno : 0;
}

static int take_line(struct timing *t, const char *line)
{
	struct timing_run r;

	if (sscanf(line, "%31s %31s %31s %u %u %c %" SCNd64, r.workload, r.a, r.b, &r.layout,
		   &r.block, &r.side, &r.ns) != 7 || (r.side != 'A' && r.side != 'B') ||
	    r.layout >= TIMING_LAYOUTS || r.block >= TIMING_BLOCKS)
		return -EINVAL;
	return add(t, &r);
}

int timing_load(struct timing *t, const char *path, char *why)
{
	char line[512];
	unsigned int number = 0;
	FILE *f = fopen(path, "re");
	int err = 0;

	memset(t, 0, sizeof(*t));
	if (!f) {
		err = -errno;
		snprintf(why, 256, "%s: %s", path, strerror(-err));
		return err;
	}
	while (!err && fgets(line, sizeof(line), f)) {
		if (++number == 1 && !strcmp(line, HEADER))
			continue;
		line[strcspn(line, "\r\n")] = '\0';
		err = take_line(t, line);
		if (err)
			snprintf(why, 256, "%s:%u: expected workload, A, B, layout, block, side, ns; found '%.100s'",
				 path, number, line);
	}
	fclose(f);
	if (err)
		timing_free(t);
	return err;
}

void timing_free(struct timing *t)
{
	free(t->runs);
	memset(t, 0, sizeof(*t));
}

static bool is_of(const struct timing_run *r, const char *workload, const char *a, const char *b)
{
	return !strcmp(r->workload, workload) && !strcmp(r->a, a) && !strcmp(r->b, b);
}

struct sums {
	double a, b;
	unsigned int n_a, n_b;
	unsigned int layout;
};

/* One block: the mean of its A runs and of its B runs. */
static int add_run(struct sums *s, const struct timing_run *r)
{
	if (r->ns <= 0)
		return -ENODATA;
	s->layout = r->layout;
	if (r->side == 'A') {
		s->a += r->ns;
		s->n_a++;
	} else {
		s->b += r->ns;
		s->n_b++;
	}
	return 0;
}

static size_t count_blocks(const struct timing *t, const char *workload, const char *a,
			   const char *b)
{
	size_t i, n = 0;

	for (i = 0; i < t->n; i++)
		if (is_of(&t->runs[i], workload, a, b) && t->runs[i].block + 1 > n)
			n = t->runs[i].block + 1;
	return n;
}

static int sum_up(const struct timing *t, const char *workload, const char *a, const char *b,
		  struct sums *sums, struct stats_block *blocks, size_t n)
{
	size_t i;
	int err = 0;

	for (i = 0; !err && i < t->n; i++)
		if (is_of(&t->runs[i], workload, a, b))
			err = add_run(&sums[t->runs[i].block], &t->runs[i]);
	for (i = 0; !err && i < n; i++) {
		if (!sums[i].n_a || !sums[i].n_b)
			return -ENODATA;
		blocks[i] = (struct stats_block){
			.a = sums[i].a / sums[i].n_a, .b = sums[i].b / sums[i].n_b,
			.layout = sums[i].layout,
		};
	}
	return err;
}

int timing_evaluate(const struct timing *t, const char *workload, const char *a, const char *b,
		    unsigned long seed, struct stats_result *result)
{
	size_t n = count_blocks(t, workload, a, b);
	struct stats_block *blocks = calloc(n + 1, sizeof(*blocks));
	struct sums *sums = calloc(n + 1, sizeof(*sums));
	int err = -ENOMEM;

	if (blocks && sums)
		err = n ? sum_up(t, workload, a, b, sums, blocks, n) : -ENODATA;
	if (!err)
		err = stats_compare(blocks, n, seed, result);
	free(blocks);
	free(sums);
	return err;
}

static bool same_arch(const char *arch, const char *machine)
{
	return !strcmp(arch, machine) || (!strcmp(arch, "arm64") && !strcmp(machine, "aarch64"));
}

bool timing_kvm(const char *arch, char *why, size_t size)
{
	struct utsname u;
	int fd;

	if (uname(&u) || !same_arch(arch, u.machine)) {
		snprintf(why, size, "KVM runs guests of the host's kind: this is %s, the lab is for %s",
			 u.machine, arch);
		return false;
	}
	fd = open("/dev/kvm", O_RDWR | O_CLOEXEC);
	if (fd < 0) {
		snprintf(why, size, "/dev/kvm: %s", strerror(errno));
		return false;
	}
	close(fd);
	return true;
}
