// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One experiment: see lab.h.
 *
 * The order is that of cost: the file, the kernels, the build gate, and only
 * then the runs; a variant that is the same code as the base is not run.
 */
#include "lab/lab.h"

#include <errno.h>
#include <jansson.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/job.h"
#include "lab/result.h"
#include "lab/timeleg.h"
#include "rig/source.h"

#define SCRATCH 4096

static void name_of(const char *path, char *to, size_t size)
{
	char *copy = strdup(path), *dot;

	snprintf(to, size, "%s", copy ? basename(copy) : "lab");
	free(copy);
	dot = strrchr(to, '.');
	if (dot && dot != to)
		*dot = '\0';
}

static bool listed(const char *list, const char *word)
{
	char copy[1024], *w, *save = NULL;

	snprintf(copy, sizeof(copy), "%s", list ? list : "");
	for (w = strtok_r(copy, " ,", &save); w; w = strtok_r(NULL, " ,", &save))
		if (!strcmp(w, word))
			return true;
	return false;
}

bool lab_is_target(const char *path, const char *targets, const char *skip, const char **why)
{
	char error[ERROR_SIZE], name[256];
	struct lab_file lab;
	bool wanted;

	if (labfile_load(&lab, path, error))
		return true;		/* running it will say what is wrong */
	if (!targets || !*targets)
		targets = "arm64";
	name_of(path, name, sizeof(name));
	wanted = listed(targets, name) || listed(targets, lab.arch);
	*why = wanted ? "in SKIP_TARGETS" : "not in TARGETS";
	if (listed(skip, name) || listed(skip, lab.arch))
		wanted = false;
	labfile_free(&lab);
	return wanted;
}

bool lab_is_for(const char *path, const char *arch)
{
	char error[ERROR_SIZE];
	struct lab_file lab;
	bool is;

	if (labfile_load(&lab, path, error))
		return false;
	is = !strcmp(lab.arch, arch);
	labfile_free(&lab);
	return is;
}

/* --- the steps ------------------------------------------------------------------------ */

struct experiment {
	const struct lab_options *o;
	struct lab_file lab;
	struct lab_result r;
	struct lab_setup setup;
	char dir[2048];
	char why[LAB_WHY];
};

static int build_kernels(struct experiment *x)
{
	size_t v;
	int err;

	for (v = 0; v < x->lab.n_variants; v++) {
		fprintf(stderr, "lab: building %s, variant %s\n", x->r.kernel,
			x->lab.variants[v].name);
		err = lab_build_kernel(&x->lab, &x->lab.variants[v], x->o->kernel, 0,
				       &x->r.kernels[v], x->why);
		if (err)
			return err;
		lab_gate(&x->lab, &x->lab.variants[v], &x->r.kernels[0], &x->r.kernels[v],
			 &x->r.gates[v]);
	}
	return lab_gate_check(&x->lab, x->r.gates, &x->r.kernels[0], x->why);
}

/* A kernel without the profiler has no trace leg, and all the others. */
static int trace_cell(struct experiment *x, size_t w, size_t v, const char *initrd,
		      const char *dir)
{
	struct lab_cell *c = &x->r.cells[w][v];
	int err = lab_trace(&x->setup, &x->lab.workloads[w], &x->r.kernels[v], initrd, dir,
			    c->m.frames, &c->trace, x->why);

	c->traced = !err;
	if (err != -ENOTSUP)
		return err;
	fprintf(stderr, "lab: SKIP, the trace leg: %s\n", x->why);
	return 0;
}

static int count_cell(struct experiment *x, size_t w, size_t v)
{
	const struct lab_workload *work = &x->lab.workloads[w];
	struct lab_cell *c = &x->r.cells[w][v];
	char dir[SCRATCH], programs[SCRATCH], *initrd = NULL;
	int err;

	fprintf(stderr, "lab: counting %s, variant %s\n", work->name, x->lab.variants[v].name);
	snprintf(dir, sizeof(dir), "%s/%s/%s", x->dir, work->name, x->lab.variants[v].name);
	snprintf(programs, sizeof(programs), "%s/programs", x->dir);
	err = lab_build_initrd(&x->lab, work, &x->r.kernels[v], programs, &initrd, x->why);
	if (!err)
		err = lab_count(&x->setup, work, &x->r.kernels[v], initrd, dir, &c->m, x->why);
	c->measured = !err;
	if (!err)
		fprintf(stderr, "lab: two runs in %.1f s\n", c->m.seconds);
	if (!err && x->lab.trace && !work->control)
		err = trace_cell(x, w, v, initrd, dir);
	free(initrd);
	return err;
}

static int count_all(struct experiment *x)
{
	char programs[SCRATCH];
	size_t w, v;
	int err;

	snprintf(programs, sizeof(programs), "%s/programs", x->dir);
	err = lab_build_programs(&x->lab, programs, x->why);
	for (w = 0; !err && w < x->lab.n_workloads; w++)
		for (v = 0; !err && v < x->lab.n_variants; v++)
			if (!v || x->r.gates[v].same == ELF_DIFFERENT)
				err = count_cell(x, w, v);
	return err;
}

static int take_times(struct experiment *x)
{
	struct timing t;
	char short_why[256];

	if (timing_load(&t, x->o->times, short_why)) {
		snprintf(x->why, LAB_WHY, "%s", short_why);
		return -EINVAL;
	}
	if (!lab_take_times(&x->r, &t)) {
		snprintf(x->why, LAB_WHY, "%s: expected whole blocks of a workload and a variant of %s, found none",
			 x->o->times, x->lab.path);
		timing_free(&t);
		return -EINVAL;
	}
	timing_free(&t);
	return 0;
}

/* A table that cannot be read is said before the work of an hour. */
static int check_times(struct experiment *x)
{
	struct timing t;
	char short_why[256];
	int err = x->o->times ? timing_load(&t, x->o->times, short_why) : 0;

	if (err)
		snprintf(x->why, LAB_WHY, "%s", short_why);
	else if (x->o->times)
		timing_free(&t);
	return err;
}

/* The time leg: here, on another host, or from there. */
static int time_all(struct experiment *x)
{
	char dir[SCRATCH], programs[SCRATCH];

	snprintf(dir, sizeof(dir), "%s/time", x->dir);
	snprintf(programs, sizeof(programs), "%s/programs", x->dir);
	if (x->o->bundle)
		return lab_bundle(&x->setup, &x->r, x->o->kernel, programs, x->o->bundle, x->why);
	if (x->o->times)
		return take_times(x);
	if (x->lab.time_rounds)
		return lab_time(&x->setup, &x->r, x->o->kernel, dir, x->why);
	return 0;
}

/* Somewhere the function itself must have run, or nothing was measured. */
static int check_reached(struct experiment *x)
{
	size_t w, v;

	for (w = 0; w < x->lab.n_workloads; w++) {
		uint64_t calls = 0;
		bool there = false;

		if (x->lab.workloads[w].control)
			continue;
		for (v = 0; v < x->lab.n_variants; v++) {
			if (!x->r.cells[w][v].measured || !x->r.gates[v].symbols)
				continue;
			there = true;
			calls += counts_sum(lab_window(&x->lab.workloads[w],
						       x->r.cells[w][v].m.counts),
					    x->lab.function, COUNTS_CALLS);
		}
		if (there && !calls) {
			snprintf(x->why, LAB_WHY, "%s:%u: workload %s never reaches %s: 0 calls in every variant that has it",
				 x->lab.path, x->lab.workloads[w].line, x->lab.workloads[w].name,
				 x->lab.function);
			return -EINVAL;
		}
	}
	return 0;
}

/* --- reports ----------------------------------------------------------------------------- */

static int write_text(struct experiment *x)
{
	char path[SCRATCH];
	FILE *f;

	snprintf(path, sizeof(path), "%s/report.txt", x->dir);
	f = fopen(path, "we");
	if (!f)
		return -errno;
	lab_print(&x->r, f);
	return fclose(f) ? -errno : 0;
}

static int write_reports(struct experiment *x)
{
	char json_path[SCRATCH], svg[SCRATCH];
	json_t *json = lab_json(&x->r);
	int err;

	snprintf(json_path, sizeof(json_path), "%s/report.json", x->dir);
	snprintf(svg, sizeof(svg), "%s/report.svg", x->dir);
	err = write_text(x);
	if (!err && (!json || json_dump_file(json, json_path, JSON_INDENT(1) | JSON_REAL_PRECISION(12))))
		err = -EIO;
	if (err)
		snprintf(x->why, LAB_WHY, "%s: the reports cannot be written: %s", x->dir,
			 strerror(-err));
	else if (x->o->json)
		json_dumpf(json, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(12));
	else
		lab_print(&x->r, stdout);
	json_decref(json);
	if (!err && lab_plot(&x->r, svg))
		fprintf(stderr, "lab: no plot: gnuplot is missing or failed (%s.gnuplot)\n", svg);
	return err;
}

/* --- beginning and end --------------------------------------------------------------------- */

static void prepare(struct experiment *x)
{
	char name[256];

	name_of(x->lab.path, name, sizeof(name));
	snprintf(x->dir, sizeof(x->dir), "%s/%s", x->o->results, name);
	x->r.lab = &x->lab;
	x->r.kernel = x->o->kernel ? x->o->kernel : x->lab.kernel;
	x->r.seed = x->o->seed;
	x->setup = (struct lab_setup){
		.lab = &x->lab, .qemu_dir = x->o->qemu_dir, .plugin = x->o->plugin,
		.firmware = x->o->firmware, .seed = x->o->seed,
	};
}

static void dry_run(struct experiment *x)
{
	struct lab_kernel k = { .image = (char *)"KERNEL" };
	size_t w, i;

	for (w = 0; w < x->lab.n_workloads; w++) {
		struct job_args a = { 0 };

		lab_qemu_args(&a, &x->setup, &x->lab.workloads[w], &k, "INITRD", x->dir, "first");
		for (i = 0; i < a.n; i++)
			printf("%s%s%s%s", i ? " " : "", strchr(a.v[i], ' ') ? "'" : "", a.v[i],
			       strchr(a.v[i], ' ') ? "'" : "");
		putchar('\n');
		job_args_free(&a);
	}
}

static int run_all(struct experiment *x)
{
	int err = lab_mkdir(x->dir);

	if (err) {
		snprintf(x->why, LAB_WHY, "%s: %s", x->dir, strerror(-err));
		return err;
	}
	err = check_times(x) ?: build_kernels(x) ?: count_all(x) ?: check_reached(x) ?: time_all(x);
	if (err)
		return err;
	lab_judge(&x->r);
	return write_reports(x);
}

static bool all_repeatable(const struct experiment *x)
{
	size_t w, v;

	for (w = 0; w < x->lab.n_workloads; w++)
		for (v = 0; v < x->lab.n_variants; v++)
			if (x->r.cells[w][v].measured && !x->r.cells[w][v].m.repeatable)
				return false;
	return true;
}

static void release(struct experiment *x)
{
	size_t w, v;

	for (v = 0; v < LAB_VARIANTS; v++)
		lab_kernel_free(&x->r.kernels[v]);
	for (w = 0; w < LAB_WORKLOADS; w++)
		for (v = 0; v < LAB_VARIANTS; v++)
			lab_measure_free(&x->r.cells[w][v].m);
	labfile_free(&x->lab);
	free(x);
}

int lab_run(const struct lab_options *o, const char *path)
{
	struct experiment *x = calloc(1, sizeof(*x));
	char error[ERROR_SIZE];
	int err;

	if (!x)
		return 1;
	x->o = o;
	if (labfile_load(&x->lab, path, error)) {
		fprintf(stderr, "%s\n", error);
		free(x);
		return 1;
	}
	prepare(x);
	if (o->dry_run) {
		dry_run(x);
		release(x);
		return 0;
	}
	err = run_all(x);
	if (err)
		fprintf(stderr, "%s\n", x->why);
	else
		fprintf(stderr, "lab: %s/report.{txt,json,svg}, seed %llu\n", x->dir,
			(unsigned long long)o->seed);
	err = err || !all_repeatable(x);
	release(x);
	return err;
}

int lab_run_compare(const char *a, const char *b)
{
	json_error_t error;
	json_t *x = json_load_file(a, 0, &error), *y = NULL;
	char why[LAB_WHY] = "";
	int err = -EINVAL;

	if (!x)
		snprintf(why, sizeof(why), "%s:%d: %s", a, error.line, error.text);
	else if (!(y = json_load_file(b, 0, &error)))
		snprintf(why, sizeof(why), "%s:%d: %s", b, error.line, error.text);
	else
		err = lab_compare(x, y, a, b, stdout, why);
	if (err)
		fprintf(stderr, "%s\n", why);
	json_decref(x);
	json_decref(y);
	return err ? 1 : 0;
}
