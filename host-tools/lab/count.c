// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The count leg: see count.h.
 *
 * The guest is alone: the workload's script is in its root file system, the
 * frames come from a file at virtual times, the console goes to a file, and
 * the guest powers off when it is done.  With -icount and one thread nothing
 * of the host's timing enters, so two runs must give equal reports; they run
 * side by side.
 *
 * A lab of a module needs its address first: a run without the plugin prints
 * it, and runs are alike, so it is the address of the counted ones.
 */
#include "lab/count.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lab/job.h"
#include "lab/symlist.h"

/* A module's code, as the guest has loaded it. */
struct sections {
	struct console probe;		/* has the names */
	struct symlist_module v[CONSOLE_SECTIONS];
	size_t n;
};

/* --- QEMU's command line ------------------------------------------------------------ */

static void arm64_args(struct job_args *a, const struct lab_workload *w)
{
	char globals[sizeof(w->globals)], *word, *save = NULL;
	int i;

	job_arg(a, "-M");
	job_arg(a, "stmmac-virt,wire0=mac0,wire1=mac1,dtb-randomness=off%s%s",
		w->machine[0] ? "," : "", w->machine);
	for (i = 0; i < LAB_WIRES; i++) {
		job_arg(a, "-netdev");
		job_arg(a, "hubport,hubid=%d,id=mac%d", i, i);
		job_arg(a, "-netdev");
		job_arg(a, "hubport,hubid=%d,id=far%d", i, i);
	}
	strcpy(globals, w->globals);
	for (word = strtok_r(globals, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
		job_arg(a, "-global");
		job_arg(a, "dwmac-gmac.%s", word);
	}
}

static void wire_args(struct job_args *a, const struct lab_workload *w, const char *dir,
		      const char *run)
{
	unsigned int i;

	for (i = 0; i < LAB_WIRES; i++) {
		job_arg(a, "-device");
		if (w->frames && w->wire == i)
			job_arg(a, "wire,id=wire%u,netdev=far%u,record=%s/%s.wire%u.pcap,"
				"pcap=%s/%s.frames.pcap,trigger=TRIG", i, i, dir, run, i, dir,
				w->name);
		else
			job_arg(a, "wire,id=wire%u,netdev=far%u,record=%s/%s.wire%u.pcap", i, i,
				dir, run, i);
	}
}

static void x86_args(struct job_args *a, const struct lab_setup *s)
{
	char dirs[2048], *word, *save = NULL;

	job_arg(a, "-M");
	job_arg(a, "q35");
	snprintf(dirs, sizeof(dirs), "%s", s->firmware ?: "");
	for (word = strtok_r(dirs, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
		job_arg(a, "-L");
		job_arg(a, "%s", word);
	}
}

/* Virtual time is an instruction a nanosecond; under KVM it is the host's. */
static void time_args(struct job_args *a, const struct lab_setup *s, bool arm64)
{
	job_arg(a, "-cpu");
	job_arg(a, "%s", s->kvm ? "host" : arm64 ? "cortex-a53" : "qemu64");
	job_arg(a, "-accel");
	job_arg(a, "%s", s->kvm ? "kvm" : "tcg,thread=single");
	if (s->kvm)
		return;
	job_arg(a, "-icount");
	job_arg(a, "shift=0,sleep=off");
	job_arg(a, "-rtc");
	job_arg(a, "base=2026-01-01,clock=vm");
}

/*
 * x86 measures its APIC's timer against the TSC in a loop of 0.1 s.  Under
 * -icount each look at the TSC ends a block of translated code: that loop was
 * four fifths of a boot's CPU time.  The HPET serves a single CPU as well.
 */
static const char *kernel_options(const struct lab_setup *s, bool arm64)
{
	if (arm64)
		return "console=ttyAMA0";
	return s->kvm ? "console=ttyS0" : "console=ttyS0 nolapic_timer";
}

void lab_qemu_args(struct job_args *a, const struct lab_setup *s, const struct lab_workload *w,
		   const struct lab_kernel *k, const char *initrd, const char *dir,
		   const char *run)
{
	bool arm64 = !strcmp(s->lab->arch, "arm64");

	job_arg(a, "%s/qemu-system-%s", s->qemu_dir, arm64 ? "aarch64" : "x86_64");
	if (arm64)
		arm64_args(a, w);
	else
		x86_args(a, s);
	job_arg(a, "-m");
	job_arg(a, "256");
	job_arg(a, "-nodefaults");
	job_arg(a, "-display");
	job_arg(a, "none");
	job_arg(a, "-no-reboot");
	time_args(a, s, arm64);
	job_arg(a, "-seed");
	job_arg(a, "%llu", (unsigned long long)s->seed);
	job_arg(a, "-kernel");
	job_arg(a, "%s", k->image);
	job_arg(a, "-initrd");
	job_arg(a, "%s", initrd);
	job_arg(a, "-append");
	job_arg(a, "%s panic=-1 nokaslr quiet loglevel=4 rdinit=/lab/init%s%s",
		kernel_options(s, arm64), s->append ? " " : "", s->append ?: "");
	job_arg(a, "-serial");
	job_arg(a, "file:%s/%s.console", dir, run);
	if (arm64)
		wire_args(a, w, dir, run);
}

static void plugin_args(struct job_args *a, const struct lab_setup *s,
			const struct lab_workload *w, const char *dir, const char *run)
{
	job_arg(a, "-plugin");
	job_arg(a, "%s,symbols=%s/symbols,out=%s/%s.counts,start=marker,window=%s%s%s%s", s->plugin,
		dir, dir, run, w->window == LAB_WINDOW_FUNCTION ? "function" : "marker",
		s->lab->core[0] ? ",core=" : "", s->lab->core,
		s->lab->predictor ? ",predictor=on" : "");
}

/* --- runs ------------------------------------------------------------------------------- */

/* Frames that were played and that the guest did not take: an error, not a low count. */
static bool all_taken(const struct lab_setup *s, const struct lab_workload *w, uint64_t frames,
		      const struct console *c, char *why)
{
	if (!frames || c->taken < 0 || (uint64_t)c->taken >= frames)
		return true;
	snprintf(why, LAB_WHY, "%s:%u: workload %s: of %llu frames to play the guest's MAC took %lld: is it up, is dmac its own address, and did a frame with TRIG leave on wire %lu?",
		 s->lab->path, w->frames_line, w->name, (unsigned long long)frames,
		 (long long)c->taken, w->wire);
	return false;
}

static void tell_failed(const struct lab_setup *s, const struct lab_workload *w, uint64_t frames,
			const struct console *c, char *why)
{
	int n = snprintf(why, LAB_WHY, "%s:%u: workload %s: command %d ends with status %d: %s",
			 s->lab->path, w->line, w->name, c->failed, c->status, c->last);

	if (frames && c->delivered >= 0 && n < LAB_WHY)
		snprintf(why + n, (size_t)(LAB_WHY - n), " (%lld frames taken by the MACs, %lld packets delivered by IP)",
			 (long long)c->taken, (long long)c->delivered);
}

int lab_check_run(const struct lab_setup *s, const struct lab_workload *w, const char *dir,
		  const char *run, int status, uint64_t frames, struct console *c, char *why)
{
	char path[4096];
	int err;

	snprintf(path, sizeof(path), "%s/%s.console", dir, run);
	err = console_read(path, c);
	if (status == -ETIMEDOUT)
		snprintf(why, LAB_WHY, "%s:%u: workload %s does not end within %d s; its last words: %s",
			 s->lab->path, w->line, w->name, w->within_ms / 1000, c->last);
	else if (!all_taken(s, w, frames, c, why))
		return -EINVAL;
	else if (c->failed)
		tell_failed(s, w, frames, c, why);
	else if (err || status || !c->ended)
		snprintf(why, LAB_WHY, "%s:%u: workload %s: QEMU ends with status %d (%s/%s.qemu); the guest's last words: %s",
			 s->lab->path, w->line, w->name, status, dir, run, c->last);
	else
		return 0;
	return -EINVAL;
}

int lab_start_run(const struct lab_setup *s, const struct lab_workload *w,
		  const struct lab_kernel *k, const char *initrd, const char *dir,
		  const char *run, bool counted, struct job *j)
{
	struct job_args a = { 0 };
	char log[4096];
	int err;

	lab_qemu_args(&a, s, w, k, initrd, dir, run);
	if (counted)
		plugin_args(&a, s, w, dir, run);
	snprintf(log, sizeof(log), "%s/%s.qemu", dir, run);
	err = a.failed ? -ENOMEM : job_start(j, a.v, log, log, w->within_ms);
	job_args_free(&a);
	return err;
}

struct run {
	const char *name;
	struct job job;
	int status;
};


/* Where the guest loads the module: of a run that is not counted. */
static int find_module(const struct lab_setup *s, const struct lab_workload *w,
		       const struct lab_kernel *k, const char *initrd, const char *dir,
		       struct sections *sections, char *why)
{
	struct job job;
	size_t i;
	int err;

	if (!s->lab->module[0])
		return 0;
	err = lab_start_run(s, w, k, initrd, dir, "probe", false, &job);
	if (err)
		return err;
	err = lab_check_run(s, w, dir, "probe", job_wait(&job), 0, &sections->probe, why);
	if (!err && !sections->probe.n_sections) {
		snprintf(why, LAB_WHY, "%s: module %s is not loaded in the guest", s->lab->path,
			 s->lab->module);
		err = -EINVAL;
	}
	sections->n = sections->probe.n_sections;
	for (i = 0; i < sections->n; i++)
		sections->v[i] = (struct symlist_module){
			.img = k->module, .section = sections->probe.sections[i].name,
			.addr = sections->probe.sections[i].addr,
		};
	return err;
}

static int write_symbols(const struct lab_setup *s, const struct lab_workload *w,
			 const struct lab_kernel *k, const struct sections *sections,
			 const char *dir, char *why)
{
	const char *watched[LAB_WATCHED + 2];
	struct symlist_request req = {
		.vmlinux = k->vmlinux, .modules = sections->v, .n_modules = sections->n,
		.watched = watched,
		.window = w->window == LAB_WINDOW_FUNCTION ? w->window_function : NULL,
	};
	char path[4096], short_why[256] = "";
	size_t i;
	int err;

	for (i = 0; i < s->lab->n_watch; i++)
		watched[req.n_watched++] = s->lab->watch[i];
	watched[req.n_watched++] = s->lab->function;
	if (w->per == LAB_PER_CALLS)
		watched[req.n_watched++] = w->per_function;
	snprintf(path, sizeof(path), "%s/symbols", dir);
	err = symlist_write(path, &req, short_why);
	if (err)
		snprintf(why, LAB_WHY, "%s", short_why);
	return err;
}

static int run_twice(const struct lab_setup *s, const struct lab_workload *w,
		     const struct lab_kernel *k, const char *initrd, const char *dir,
		     uint64_t frames, char *why)
{
	struct run r[2] = { { .name = "first" }, { .name = "second" } };
	struct console c;
	int i, err = 0;

	for (i = 0; i < 2; i++) {
		r[i].status = lab_start_run(s, w, k, initrd, dir, r[i].name, true, &r[i].job);
		if (r[i].status)
			snprintf(why, LAB_WHY, "QEMU cannot be started: %s",
				 strerror(-r[i].status));
	}
	for (i = 0; i < 2; i++)
		if (!r[i].status)
			r[i].status = job_wait(&r[i].job);
	for (i = 0; !err && i < 2; i++)
		err = lab_check_run(s, w, dir, r[i].name, r[i].status, frames, &c, why);
	return err;
}

/* --- what it says -------------------------------------------------------------------------- */

const struct counts_window *lab_window(const struct lab_workload *w, const struct counts *c)
{
	return counts_window(c, w->window == LAB_WINDOW_FUNCTION ? 1 :
			     (unsigned int)w->window_marker);
}

static uint64_t operations(const struct lab_workload *w, const struct lab_measure *m)
{
	switch (w->per) {
	case LAB_PER_CALLS:
		return counts_sum(lab_window(w, m->counts), w->per_function, COUNTS_CALLS);
	case LAB_PER_FRAMES:
		return m->frames;
	case LAB_PER_NUMBER:
		return w->per_number;
	}
	return 0;
}

static int check_measure(const struct lab_setup *s, const struct lab_workload *w,
			 struct lab_measure *m, char *why)
{
	if (!lab_window(w, m->counts)) {
		if (w->window == LAB_WINDOW_FUNCTION)
			snprintf(why, LAB_WHY, "%s:%u: workload %s never calls %s, which opens its window",
				 s->lab->path, w->line, w->name, w->window_function);
		else
			snprintf(why, LAB_WHY, "%s:%u: workload %s never opens window %lu",
				 s->lab->path, w->line, w->name, w->window_marker);
		return -EINVAL;
	}
	m->ops = operations(w, m);
	if (m->ops)
		return 0;
	snprintf(why, LAB_WHY, "%s:%u: workload %s calls %s not once in its window: nothing to divide by",
		 s->lab->path, w->line, w->name, w->per_function);
	return -EINVAL;
}

static struct counts *load(const char *dir, const char *run, char *why)
{
	char path[4096], short_why[256] = "";
	struct counts *c;

	snprintf(path, sizeof(path), "%s/%s.counts", dir, run);
	c = counts_load(path, short_why);
	if (!c)
		snprintf(why, LAB_WHY, "%s", short_why);
	return c;
}

static int evaluate(const struct lab_setup *s, const struct lab_workload *w, const char *dir,
		    struct lab_measure *m, char *why)
{
	struct counts *second;

	m->counts = load(dir, "first", why);
	second = load(dir, "second", why);
	if (!m->counts || !second) {
		counts_free(second);
		return -EINVAL;
	}
	m->repeatable = !counts_differ(m->counts, second, m->parted, sizeof(m->parted));
	counts_free(second);
	return check_measure(s, w, m, why);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

int lab_count(const struct lab_setup *s, const struct lab_workload *w,
	      const struct lab_kernel *k, const char *initrd, const char *dir,
	      struct lab_measure *m, char *why)
{
	struct sections sections = { 0 };
	double begin = now();
	char path[4096];
	int err;

	memset(m, 0, sizeof(*m));
	snprintf(why, LAB_WHY, "%s: cannot be made", dir);
	snprintf(path, sizeof(path), "%s/%s.frames.pcap", dir, w->name);
	err = lab_mkdir(dir) ?: lab_build_frames(s->lab, w, path, s->seed, &m->frames, why) ?:
	      find_module(s, w, k, initrd, dir, &sections, why) ?:
	      write_symbols(s, w, k, &sections, dir, why) ?:
	      run_twice(s, w, k, initrd, dir, m->frames, why) ?: evaluate(s, w, dir, m, why);
	m->seconds = now() - begin;
	if (err)
		lab_measure_free(m);
	return err;
}

void lab_measure_free(struct lab_measure *m)
{
	counts_free(m->counts);
	m->counts = NULL;
}

struct verdict_counts lab_totals(const struct lab_workload *w, const struct lab_measure *m)
{
	const uint64_t *n = lab_window(w, m->counts)->total.n;

	return (struct verdict_counts){
		.ops = m->ops, .insns = n[COUNTS_INSNS], .loads = n[COUNTS_LOADS],
		.stores = n[COUNTS_STORES], .branches = n[COUNTS_BRANCHES],
		.edge16 = n[COUNTS_EDGE16], .edge32 = n[COUNTS_EDGE32],
		.l1i = n[COUNTS_L1I], .l1d = n[COUNTS_L1D], .l2 = n[COUNTS_L2],
		.mispredicted = n[COUNTS_MISSED],
	};
}
