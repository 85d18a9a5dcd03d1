// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The time leg: see timeleg.h.
 *
 * Each run is a boot of its own and takes the workload's last command as the
 * guest's clock saw it ("lab: elapsed").  The table is written after every
 * run, so that a leg that is cut short has lost one.
 *
 * Left out: pinning QEMU to a core and governing its frequency.  The host's
 * owner does that; the A/A runs say whether it was enough.
 */
#include "lab/timeleg.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lab/job.h"

struct leg {
	struct lab_setup setup;
	struct lab_result *r;
	const char *tree, *dir;
	char *initrds[LAB_WORKLOADS][LAB_VARIANTS][TIMING_LAYOUTS];
	struct lab_kernel kernels[LAB_VARIANTS][TIMING_LAYOUTS];
	struct timing plan;
	char *why;
};

static bool wanted(const struct lab_result *r, size_t w, size_t v)
{
	return !r->lab->workloads[w].control && r->cells[w][v].measured;
}

/* --- what runs ------------------------------------------------------------------------- */

static unsigned int layouts_of(const struct lab_result *r, size_t v)
{
	return lab_can_pad(r->lab, &r->lab->variants[0]) &&
	       lab_can_pad(r->lab, &r->lab->variants[v]) ? TIMING_LAYOUTS : 1;
}

/* A variant that has one layout only gets the same number of blocks. */
static unsigned int rounds(const struct lab_file *lab, unsigned int layouts)
{
	unsigned int n = lab->time_rounds ? (unsigned int)lab->time_rounds : TIMING_ROUNDS;

	return n * TIMING_LAYOUTS / layouts;
}

/* A against A gets half of the blocks, but no fewer than the test needs. */
static unsigned int aa_rounds(const struct lab_file *lab, unsigned int layouts)
{
	unsigned int half = (rounds(lab, layouts) + 1) / 2;
	unsigned int least = (STATS_MIN_BLOCKS + layouts - 1) / layouts;

	return half > least ? half : least;
}

static int make_plan(struct leg *l)
{
	const struct lab_file *lab = l->r->lab;
	const char *base = lab->variants[0].name;
	unsigned int n;
	size_t w, v;
	int err = 0;

	for (w = 0; !err && w < lab->n_workloads; w++) {
		n = layouts_of(l->r, 0);
		if (wanted(l->r, w, 0))
			err = timing_plan(&l->plan, lab->workloads[w].name, base, base, n,
					  aa_rounds(lab, n));
	}
	for (w = 0; !err && w < lab->n_workloads; w++)
		for (v = 1; !err && v < lab->n_variants; v++) {
			n = layouts_of(l->r, v);
			if (wanted(l->r, w, v))
				err = timing_plan(&l->plan, lab->workloads[w].name, base,
						  lab->variants[v].name, n,
						  rounds(lab, n));
		}
	return err;
}

static size_t find_variant(const struct lab_file *lab, const char *name)
{
	size_t v = 0;

	while (v + 1 < lab->n_variants && strcmp(lab->variants[v].name, name))
		v++;
	return v;
}

static size_t find_workload(const struct lab_file *lab, const char *name)
{
	size_t w = 0;

	while (w + 1 < lab->n_workloads && strcmp(lab->workloads[w].name, name))
		w++;
	return w;
}

/* What a run needs of files, and where they are kept. */
struct files {
	size_t w, v;
	unsigned int layout;		/* number of it */
	struct lab_kernel *k;
	char **initrd;
};

/* A module is in the root file system: each kernel has its own then. */
static void locate(struct leg *l, const struct timing_run *run, struct files *f)
{
	bool own = l->r->lab->module[0];

	f->w = find_workload(l->r->lab, run->workload);
	f->v = find_variant(l->r->lab, run->side == 'A' ? run->a : run->b);
	f->layout = run->layout;
	f->k = &l->kernels[f->v][f->layout];
	f->initrd = &l->initrds[f->w][own ? f->v : 0][own ? f->layout : 0];
}

/* Built when first asked for. */
static int get_files(struct leg *l, const struct timing_run *run, const char *programs,
		     struct files *f)
{
	const struct lab_file *lab = l->r->lab;
	int err = 0;

	locate(l, run, f);
	if (!f->k->dir)
		err = lab_build_kernel(lab, &lab->variants[f->v], l->tree, run->layout, f->k, l->why);
	if (!err && !*f->initrd)
		err = lab_build_initrd(lab, &lab->workloads[f->w], f->k, programs, f->initrd,
				       l->why);
	return err;
}

/* --- a run ------------------------------------------------------------------------------- */

static int time_run(struct leg *l, const struct timing_run *run, const char *programs,
		    int64_t *ns)
{
	const struct lab_workload *work;
	struct job_args a = { 0 };
	struct console c;
	struct files f;
	struct job j;
	char log[4096];
	int err = get_files(l, run, programs, &f);

	if (err)
		return err;
	work = &l->r->lab->workloads[f.w];
	lab_qemu_args(&a, &l->setup, work, f.k, *f.initrd, l->dir, "timed");
	snprintf(log, sizeof(log), "%s/timed.qemu", l->dir);
	err = job_start(&j, a.v, log, log, work->within_ms) ?: job_wait(&j);
	job_args_free(&a);
	err = lab_check_run(&l->setup, work, l->dir, "timed", err, 0, &c, l->why);
	*ns = c.elapsed_ns;
	if (!err && *ns <= 0) {
		snprintf(l->why, LAB_WHY, "workload %s says no time", work->name);
		err = -ENODATA;
	}
	return err;
}

/* Frames that are played need their file where the run expects it. */
static int write_frames(struct leg *l)
{
	const struct lab_file *lab = l->r->lab;
	char path[4096];
	uint64_t n;
	size_t w;
	int err = 0;

	for (w = 0; !err && w < lab->n_workloads; w++) {
		snprintf(path, sizeof(path), "%s/%s.frames.pcap", l->dir, lab->workloads[w].name);
		if (lab->workloads[w].frames)
			err = lab_build_frames(lab, &lab->workloads[w], path, l->setup.seed, &n,
					       l->why);
	}
	return err;
}

static int run_plan(struct leg *l, const char *programs, const char *table)
{
	size_t i;
	int err = write_frames(l);

	for (i = 0; !err && i < l->plan.n; i++) {
		err = time_run(l, &l->plan.runs[i], programs, &l->plan.runs[i].ns);
		if (!err)
			err = timing_save(&l->plan, table);
		fprintf(stderr, "lab: timed run %zu of %zu\n", i + 1, l->plan.n);
	}
	return err;
}

/* /dev/kvm may open and still run nothing: one run is the probe. */
static bool kvm_works(struct leg *l, const char *programs)
{
	int64_t ns;

	if (!timing_kvm(l->r->lab->arch, l->r->time_skip, sizeof(l->r->time_skip)))
		return false;
	if (!time_run(l, &l->plan.runs[0], programs, &ns))
		return true;
	snprintf(l->r->time_skip, sizeof(l->r->time_skip), "KVM is there and does not run the guest: %.180s",
		 l->why);
	return false;
}

static void release(struct leg *l)
{
	size_t w, v, n;

	for (v = 0; v < LAB_VARIANTS; v++)
		for (n = 0; n < TIMING_LAYOUTS; n++) {
			lab_kernel_free(&l->kernels[v][n]);
			for (w = 0; w < LAB_WORKLOADS; w++)
				free(l->initrds[w][v][n]);
		}
	timing_free(&l->plan);
	free(l);
}

static struct leg *begin(const struct lab_setup *s, struct lab_result *r, const char *tree,
			 const char *dir, char *why)
{
	struct leg *l = calloc(1, sizeof(*l));

	if (!l)
		return NULL;
	l->setup = *s;
	l->r = r;
	l->tree = tree;
	l->dir = dir;
	l->why = why;
	if (lab_mkdir(dir) || make_plan(l)) {
		snprintf(why, LAB_WHY, "%s: cannot be made", dir);
		release(l);
		return NULL;
	}
	return l;
}

int lab_take_times(struct lab_result *r, const struct timing *t)
{
	const char *base = r->lab->variants[0].name;
	int taken = 0;
	size_t w, v;

	for (w = 0; w < r->lab->n_workloads; w++)
		for (v = 1; v < r->lab->n_variants; v++) {
			struct lab_cell *c = &r->cells[w][v];
			const char *name = r->lab->workloads[w].name;

			if (!wanted(r, w, v) ||
			    timing_evaluate(t, name, base, base, r->seed, &c->aa) ||
			    timing_evaluate(t, name, base, r->lab->variants[v].name, r->seed,
					    &c->time))
				continue;
			c->timed = true;
			taken++;
		}
	return taken;
}

int lab_time(const struct lab_setup *s, struct lab_result *r, const char *tree, const char *dir,
	     char *why)
{
	const char *accel = getenv("TAGRIG_LAB_ACCEL");
	struct leg *l = begin(s, r, tree, dir, why);
	char programs[4096], table[4096];
	int err = 0;

	if (!l)
		return -ENOMEM;
	snprintf(programs, sizeof(programs), "%s/../programs", dir);
	snprintf(table, sizeof(table), "%s/times.tsv", dir);
	l->setup.kvm = !accel || strcmp(accel, "tcg");
	if (l->plan.n && (!l->setup.kvm || kvm_works(l, programs)))
		err = run_plan(l, programs, table);
	if (!err && !r->time_skip[0])
		lab_take_times(r, &l->plan);
	release(l);
	return err;
}

/* --- for another host ---------------------------------------------------------------------- */

static int copy(const char *from, const char *dir, const char *name, char *why)
{
	struct job_args a = { 0 };
	struct job j;
	int err;

	job_arg(&a, "cp");
	job_arg(&a, "-L");
	job_arg(&a, "%s", from);
	job_arg(&a, "%s/%s", dir, name);
	err = a.failed ? -ENOMEM : job_start(&j, a.v, NULL, NULL, 600000) ?: job_wait(&j);
	job_args_free(&a);
	if (err)
		snprintf(why, LAB_WHY, "%s cannot be copied to %s", from, dir);
	return err ? -EIO : 0;
}

/* Copies @from as @name, once. */
static int copy_once(struct leg *l, const char *from, const char *name)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", l->dir, name);
	return access(path, R_OK) ? copy(from, l->dir, name, l->why) : 0;
}

static int bundle_run(struct leg *l, const struct timing_run *run, const char *programs,
		      FILE *script)
{
	struct lab_kernel here = { 0 };
	struct job_args a = { 0 };
	char image[128], initrd[160];
	struct files f;
	size_t i;
	int err = get_files(l, run, programs, &f);

	if (err)
		return err;
	snprintf(image, sizeof(image), "%s-%u.image", l->r->lab->variants[f.v].name, run->layout);
	snprintf(initrd, sizeof(initrd), "%s%s%s.initrd", run->workload,
		 l->r->lab->module[0] ? "-" : "", l->r->lab->module[0] ? image : "");
	err = copy_once(l, f.k->image, image) ?: copy_once(l, *f.initrd, initrd);
	if (err)
		return err;
	here.image = image;
	lab_qemu_args(&a, &l->setup, &l->r->lab->workloads[f.w], &here, initrd, ".", "timed");
	fprintf(script, "run '%s\t%s\t%s\t%u\t%u\t%c'", run->workload, run->a, run->b, run->layout,
		run->block, run->side);
	for (i = 1; i < a.n; i++)
		fprintf(script, " '%s'", a.v[i]);
	fputc('\n', script);
	job_args_free(&a);
	return 0;
}

static void write_head(FILE *script, const char *arch)
{
	fprintf(script,
		"#!/bin/sh\n"
		"# The time leg of a lab, for a host with KVM: run it here, then take times.tsv\n"
		"# back to where the lab is:  tagrig lab --times times.tsv FILE.lab\n"
		"#	QEMU=PROGRAM	default qemu-system-%s\n"
		"cd \"$(dirname \"$0\")\" || exit 1\n"
		"QEMU=${QEMU:-qemu-system-%s}\n"
		"printf 'workload\\tA\\tB\\tlayout\\tblock\\tside\\tns\\n' >times.tsv\n"
		"run() {\n"
		"\trow=$1\n"
		"\tshift\n"
		"\t\"$QEMU\" \"$@\" >qemu.log 2>&1 </dev/null\n"
		"\tns=$(tr -d '\\r' <timed.console | sed -n 's/^lab: elapsed //p')\n"
		"\tgrep -q '^lab: end' timed.console && [ -n \"$ns\" ] ||\n"
		"\t\t{ echo \"$row: the run failed: qemu.log, timed.console\" >&2; exit 1; }\n"
		"\tprintf '%%s\\t%%s\\n' \"$row\" \"$ns\" >>times.tsv\n"
		"}\n", strcmp(arch, "arm64") ? "x86_64" : "aarch64",
		strcmp(arch, "arm64") ? "x86_64" : "aarch64");
}

int lab_bundle(const struct lab_setup *s, struct lab_result *r, const char *tree,
	       const char *programs, const char *dir, char *why)
{
	struct leg *l = begin(s, r, tree, dir, why);
	char path[4096];
	FILE *script;
	size_t i;
	int err;

	if (!l)
		return -ENOMEM;
	l->setup.kvm = true;
	snprintf(path, sizeof(path), "%s/run.sh", dir);
	script = fopen(path, "we");
	err = script ? write_frames(l) : -errno;
	if (script)
		write_head(script, r->lab->arch);
	for (i = 0; !err && i < l->plan.n; i++)
		err = bundle_run(l, &l->plan.runs[i], programs, script);
	if (script && (fclose(script) || chmod(path, 0755)))
		err = -EIO;
	release(l);
	return err;
}
