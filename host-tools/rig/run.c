// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A run: see run.h.
 *
 *	for each kernel
 *	    for each machine that its scenarios want
 *	        boot once, save a snapshot
 *	    for each scenario
 *	        a guest from the snapshot, its wires into a bridge, its tests
 *
 * A kernel has a process of its own, and so has each of its machines and then each
 * of its scenarios.  Guests share the machine's cores: there are slots for them,
 * whichever kernel they belong to.
 *
 * A scenario gets a guest of its own, so none sees what another left behind,
 * and a guest that dies takes one scenario with it.  When a snapshot cannot be
 * made or loaded, the scenario boots, and a line says so.
 *
 * With .snapshots they outlive the run, under a name that is a digest of all
 * that the guest was made from: options, parameters, and size and time of
 * QEMU, kernel and initramfs.
 *
 * A scenario's folder RESULTS/KERNEL/SCENARIO/ holds what is needed to look at
 * it and to run it again: see leave_evidence().
 */
#include "run.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "exec.h"
#include "workers.h"

#define MACHINES 64
#define EXIT_UNTESTABLE 125

/* A machine that was booted once, and the snapshot to start it from. */
struct machine {
	char key[512];		/* options and kernel parameters */
	const struct scenario *first;	/* that wants it */
	char snapshot[1024];	/* empty: could not be made */
};

struct run {
	const struct run_options *o;
	const struct scenario_list *list;
	const struct run_kernel *kernels;
	struct loop loop;
	struct ktap ktap;
	struct slots *slots;	/* for guests; NULL: one at a time */
	/* of the kernel that this process is for: */
	unsigned int holder;	/* of .slots */
	const struct kernel *kernel;
	size_t *mine;		/* scenarios of .list that run on it */
	struct machine machine[MACHINES];
	unsigned int machines;
	uint64_t frames;
	unsigned int broken, fixed;
	bool ended;		/* interrupted: start nothing new */
};

/* --- names and folders ---------------------------------------------------- */

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* "coe-dsa tag=edsa": the file's name and the values of its variables. */
static void scenario_name(const struct scenario *s, char *to, size_t size)
{
	const char *base = base_name(s->file);
	size_t n = strlen(base);

	if (n > 4 && !strcmp(base + n - 4, ".rig"))
		n -= 4;
	snprintf(to, size, "%.*s%s%s", (int)n, base, s->variant[0] ? " " : "", s->variant);
}

/* A name as a folder's: no blanks, no slashes. */
static void as_folder(char *name)
{
	for (; *name; name++) {
		if (*name == ' ' || *name == '/')
			*name = '-';
	}
}

static int make_dirs(char *path)
{
	char *p;

	for (p = path + 1; *p; p++) {
		if (*p != '/')
			continue;
		*p = '\0';
		if (mkdir(path, 0755) && errno != EEXIST)
			return -errno;
		*p = '/';
	}
	return mkdir(path, 0755) && errno != EEXIST ? -errno : 0;
}

/* Was the kernel named by a path, and so is the user's own? */
static bool is_path(const struct kernel *k)
{
	return strchr(k->name, '/') || k->name[0] == '.';
}

/* A kernel's folder: as it was named, or its release where that is a path. */
static void kernel_folder(const struct kernel *k, char *to, size_t size)
{
	snprintf(to, size, "%s", is_path(k) ? k->release : k->name);
	as_folder(to);
}

static int scenario_folder(struct run *r, const struct kernel *k,
			   const struct scenario *s, char *path, size_t size)
{
	char kernel[160], name[256];

	kernel_folder(k, kernel, sizeof(kernel));
	scenario_name(s, name, sizeof(name));
	as_folder(name);
	snprintf(path, size, "%s/%s/%s", r->o->results, kernel, name);
	return make_dirs(path);
}

static FILE *open_in(const char *dir, const char *name)
{
	char path[1024];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return fopen(path, "we");
}

/* --- machines ------------------------------------------------------------- */

/* -global arguments of the MACs, from "rx-coe=2 tx-coe=on". */
struct globals {
	char text[8][96];
	const char *v[17];
};

static void mac_globals(const struct scenario *s, struct globals *g)
{
	char options[sizeof(s->mac)], *word, *save = NULL;
	size_t n = 0;

	memset(g, 0, sizeof(*g));
	strcpy(options, s->mac);
	for (word = strtok_r(options, " ", &save); word && n < 8;
	     word = strtok_r(NULL, " ", &save), n++) {
		snprintf(g->text[n], sizeof(g->text[n]), "%s.%s", s->model->type, word);
		g->v[2 * n] = "-global";
		g->v[2 * n + 1] = g->text[n];
	}
}

static void machine_options(const struct scenario *s, char *to, size_t size)
{
	static const char *const kind[] = {
		[SWITCH_NONE] = "none", [SWITCH_MV88E6352] = "mv88e6352",
		[SWITCH_RIG] = "rig",
	};
	int n = snprintf(to, size, "switch=%s,wire0=wire0,wire1=wire1,dtb-randomness=off",
			 kind[s->sw]);

	n += snprintf(to + n, size - (size_t)n, ",mac0=%s,mac1=%s", s->model->machine,
		      s->model->machine);
	if (s->sw != SWITCH_NONE)
		n += snprintf(to + n, size - (size_t)n, ",ports=%u", s->ports);
	/* any tagger will do to boot with: the scenario's is chosen through sysfs */
	if (s->sw == SWITCH_RIG && s->index)
		n += snprintf(to + n, size - (size_t)n, ",rig-index=%u", s->index);
	if (s->smmu)
		snprintf(to + n, size - (size_t)n, ",iommu=smmuv3");
}

struct launch {
	struct vm_config config;
	struct globals globals;
	char machine[192];
	char append[1024];
};

static void prepare(struct run *r, const struct kernel *k, const struct scenario *s,
		    const char *dir, struct launch *l)
{
	memset(l, 0, sizeof(*l));
	machine_options(s, l->machine, sizeof(l->machine));
	mac_globals(s, &l->globals);
	snprintf(l->append, sizeof(l->append), "%s%s%s", r->o->append,
		 r->o->append[0] && s->kernel[0] ? " " : "", s->kernel);
	l->config = (struct vm_config){
		.qemu = r->o->qemu,
		.image = k->image,
		.initrd = k->initrd,
		.machine = l->machine,
		.append = l->append,
		.dir = dir,
		.extra = l->globals.v,
		.seed = r->o->seed,
		.gdb = r->o->gdb,
		.shell = r->o->shell,
	};
}

static void machine_key(const struct scenario *s, const struct launch *l, char *to,
			size_t size)
{
	snprintf(to, size, "%s|%s|%s", l->machine, s->mac, l->append);
}

static const char *why_not_up(struct run *r, int err)
{
	if (r->loop.failure[0])
		return r->loop.failure;
	if (err == -ETIMEDOUT)
		return "the guest has not come up in time: it hangs";
	return loop_why(&r->loop, err);
}

/* Starts a guest and waits until its agent is there. */
static int bring_up(struct run *r, struct vm *vm, const struct vm_config *c,
		    const char **why)
{
	int err;

	r->loop.failure[0] = '\0';
	err = vm_start(vm, c, &r->loop, why);
	if (err)
		return err;
	err = vm_wait_ready(vm, c->gdb ? -1 : r->o->boot_ms);
	if (err)
		*why = why_not_up(r, err);
	return err;
}

/* FNV-1a, 64 bits. */
static uint64_t digest(uint64_t h, const void *bytes, size_t len)
{
	const uint8_t *p = bytes;

	while (len--)
		h = (h ^ *p++) * 0x100000001b3ull;
	return h;
}

static uint64_t digest_file(uint64_t h, const char *path)
{
	struct stat st = { 0 };

	stat(path, &st);
	h = digest(h, path, strlen(path));
	h = digest(h, &st.st_size, sizeof(st.st_size));
	return digest(h, &st.st_mtim, sizeof(st.st_mtim));
}

static void snapshot_path(struct run *r, struct machine *m, const struct launch *l,
			  const struct kernel *k)
{
	uint64_t h = digest(0xcbf29ce484222325ull, m->key, strlen(m->key));
	char folder[160];

	kernel_folder(k, folder, sizeof(folder));
	h = digest_file(digest_file(digest_file(h, l->config.qemu), k->image), k->initrd);
	h = digest(h, &r->o->seed, sizeof(r->o->seed));
	if (r->o->snapshots)
		snprintf(m->snapshot, sizeof(m->snapshot), "%s/%016llx.snapshot",
			 r->o->snapshots, (unsigned long long)h);
	else
		snprintf(m->snapshot, sizeof(m->snapshot), "%s/%s/%u.snapshot",
			 r->o->results, folder, r->machines);
}

/* A snapshot's name until it is whole. */
static void part_path(const struct machine *m, char *to, size_t size)
{
	snprintf(to, size, "%s.%d", m->snapshot, (int)getpid());
}

/* Saves a booted guest.  On error QEMU may yet write to the part. */
static int save_guest(struct run *r, struct vm *vm, struct machine *m, const char *part,
		      const char **why)
{
	int err = vm_save(vm, part);

	if (err)
		*why = err == -EREMOTEIO ? vm->qmp.error : loop_why(&r->loop, err);
	else if (rename(part, m->snapshot)) {
		err = -errno;
		*why = strerror(-err);
	}
	return err;
}

/* Boots the machine and saves it; the guest that was booted is stopped. */
static void boot_and_save(struct run *r, struct machine *m, const struct launch *l,
			  const struct kernel *k)
{
	char part[sizeof(m->snapshot) + 16];
	const char *why = NULL;
	struct vm vm;
	int err;

	part_path(m, part, sizeof(part));
	err = bring_up(r, &vm, &l->config, &why);
	if (!err) {
		ktap_note(&r->ktap, "%s: %.1f s to the agent (%s)", k->release,
			  (double)(vm.ready_ms - vm.started_ms) / 1000, l->machine);
		err = save_guest(r, &vm, m, part, &why);
	}
	if (err)
		ktap_note(&r->ktap, "no snapshot of %s, scenarios boot instead: %s",
			  k->release, why);
	vm_stop(&vm);
	if (err) {
		unlink(part);
		m->snapshot[0] = '\0';
	}
}

static struct machine *find_machine(struct run *r, const struct scenario *s,
				    const struct launch *l)
{
	char key[512];
	unsigned int i;

	machine_key(s, l, key, sizeof(key));
	for (i = 0; i < r->machines; i++) {
		if (!strcmp(r->machine[i].key, key))
			return &r->machine[i];
	}
	return NULL;
}

/* A scenario's machine, if it is a new one and there is room for it. */
static void add_machine(struct run *r, const struct scenario *s)
{
	struct machine *m = &r->machine[r->machines];
	struct launch l;

	prepare(r, r->kernel, s, "", &l);
	if (r->machines == MACHINES || find_machine(r, s, &l))
		return;
	m->first = s;
	machine_key(s, &l, m->key, sizeof(m->key));
	snapshot_path(r, m, &l, r->kernel);
	if (!r->o->snapshots)
		unlink(m->snapshot);
	r->machines++;
}

static void drop_snapshots(struct run *r)
{
	while (r->machines) {
		struct machine *m = &r->machine[--r->machines];

		if (m->snapshot[0] && !r->o->snapshots)
			unlink(m->snapshot);
	}
}

/* --- evidence ------------------------------------------------------------- */

static void copy_file(const char *from, FILE *to)
{
	FILE *f = fopen(from, "re");
	char bytes[4096];
	size_t n;

	while (f && (n = fread(bytes, 1, sizeof(bytes), f)))
		fwrite(bytes, 1, n, to);
	if (f)
		fclose(f);
}

static void keep_copy(const char *from, const char *dir)
{
	FILE *f = open_in(dir, base_name(from));

	if (!f)
		return;
	copy_file(from, f);
	fclose(f);
}

/*
 * What a reader needs besides the logs and the capture that the run itself
 * writes there: the scenario as it was, the QEMU line, the kernel's identity,
 * and a script that runs it again.
 */
static void leave_evidence(struct run *r, const struct kernel *k,
			   const struct scenario *s, const struct launch *l)
{
	FILE *f;

	keep_copy(s->file, l->config.dir);
	if (s->table)
		keep_copy(s->table, l->config.dir);
	f = open_in(l->config.dir, "qemu.sh");
	if (f) {
		fprintf(f, "#!/bin/sh\n");
		vm_print(&l->config, f);
		fclose(f);
	}
	f = open_in(l->config.dir, "kernel");
	if (f) {
		fprintf(f, "release %s\nnamed %s\nabout %s\n", k->release, k->name, k->about);
		fclose(f);
	}
	f = open_in(l->config.dir, "repro.sh");
	if (f) {
		fprintf(f, "#!/bin/sh\n# Runs this scenario again: %s, %s\n"
			"cd \"$(dirname \"$0\")\" || exit 1\n"
			"exec \"${TAGRIG:-tagrig}\" run --kernel \"${KERNEL:-%s}\" --seed %lu \"$@\" \"%s\"\n",
			k->release, k->about, k->name, r->o->seed, base_name(s->file));
		fchmod(fileno(f), 0755);
		fclose(f);
	}
}

/* What the scenario came to: its part of the run's results, and what ran. */
static void leave_result(struct run *r, const struct kernel *k, const char *dir,
			 const char *verdict)
{
	json_t *result = json_copy(ktap_last(&r->ktap));
	FILE *f = open_in(dir, "result.json");

	if (verdict)
		json_object_set_new(result, "verdict", json_string(verdict));
	json_object_set_new(result, "release", json_string(k->release));
	json_object_set_new(result, "kernel", json_string(k->name));
	json_object_set_new(result, "about", json_string(k->about));
	json_object_set_new(result, "seed", json_integer((json_int_t)r->o->seed));
	if (f) {
		json_dumpf(result, f, JSON_INDENT(2));
		fclose(f);
	}
	json_decref(result);
}

/* --- running -------------------------------------------------------------- */

static int open_capture(struct run *r, const char *dir, struct pcapng **capture)
{
	char path[1024];
	int err;

	snprintf(path, sizeof(path), "%s/capture.pcapng", dir);
	err = pcapng_create(capture, path, PCAPNG);
	if (err)
		loop_fail(&r->loop, "%s: %s", path, strerror(-err));
	else
		pcapng_tee(*capture, r->o->pcap);
	return err;
}

/* Reports that nothing of the scenario could run. */
static void report_dead(struct run *r, const struct scenario *s, const char *why)
{
	size_t i, n = 0;

	for (i = 0; i < s->count; i++) {
		if (s->steps[i].kind != STEP_TEST)
			continue;
		ktap_check(&r->ktap, KTAP_FAIL, s->steps[i].text, why, NULL);
		n++;
	}
	if (!n)
		ktap_check(&r->ktap, KTAP_FAIL, s->title, why, NULL);
}

/* Is a person in it?  Then it boots, and nothing runs beside it. */
static bool by_hand(const struct run *r)
{
	return r->o->gdb || r->o->shell;
}

/* Starts the scenario's guest: from the snapshot, or by a boot without one. */
static int start_guest(struct run *r, const struct scenario *s, struct launch *l,
		       struct vm *vm, const char **why)
{
	struct machine *m = find_machine(r, s, l);
	int err;

	if (r->loop.signal) {
		*why = "interrupted";
		memset(vm, 0, sizeof(*vm));
		return -EINTR;
	}
	l->config.incoming = m && m->snapshot[0] ? m->snapshot : NULL;
	err = bring_up(r, vm, &l->config, why);
	if (!err || !l->config.incoming || r->loop.signal)
		return err;
	/* A snapshot that does not load is of no use to anybody. */
	ktap_note(&r->ktap, "the snapshot does not load, the scenario boots: %s", *why);
	vm_stop(vm);
	unlink(m->snapshot);
	m->snapshot[0] = '\0';
	l->config.incoming = NULL;
	return bring_up(r, vm, &l->config, why);
}

/*
 * What is known beforehand.  Nothing of a kernel of one's own, whatever its
 * version or its symbols are: it is asked what it does, and so is one that is
 * bisected.
 */
static enum kernel_state state_of(const struct run *r, const struct scenario *s,
				  const struct kernel *k)
{
	if (r->o->bisect || is_path(k))
		return KERNEL_UNKNOWN;
	return scenario_says(s, k->dir, k->release);
}

/* What the tests together say of the bug; NULL when none is about one. */
static const char *verdict_of(const struct exec *e)
{
	size_t i, pairs = 0;

	for (i = 0; i < e->scenario->count; i++)
		pairs += e->scenario->steps[i].kind == STEP_INSTEAD;
	if (!pairs)
		return NULL;
	if (e->broken)
		return "reproduced";
	return e->fixed && !e->untold ? "not reproduced" : "cannot tell";
}

/* Returns the verdict, or NULL. */
static const char *run_guest(struct run *r, const struct scenario *s, const struct kernel *k,
		      struct launch *l, struct pcapng *capture)
{
	struct exec e = {
		.loop = &r->loop, .ktap = &r->ktap, .scenario = s, .seed = r->o->seed,
		.capture = capture, .state = state_of(r, s, k),
		.shell = r->o->shell,
	};
	const char *why = NULL;
	struct vm vm;
	int err;

	err = start_guest(r, s, l, &vm, &why);
	if (err) {
		report_dead(r, s, why ? why : strerror(-err));
		if (err != -EINTR || vm.pid)
			vm_stop(&vm);
		return "cannot tell";
	}
	e.vm = &vm;
	exec_scenario(&e);
	vm_stop(&vm);
	r->frames += e.frames;
	r->broken += e.broken;
	r->fixed += e.fixed;
	if (verdict_of(&e))
		ktap_note(&r->ktap, "%s: %s", k->release, verdict_of(&e));
	return verdict_of(&e);
}

static void run_scenario(struct run *r, const struct kernel *k, const struct scenario *s)
{
	struct pcapng *capture = NULL;
	const char *verdict = "cannot tell";
	char dir[768], name[256];
	struct launch l;
	int err;

	scenario_name(s, name, sizeof(name));
	ktap_down(&r->ktap, name);
	r->loop.failure[0] = '\0';
	err = scenario_folder(r, k, s, dir, sizeof(dir));
	if (err) {
		loop_fail(&r->loop, "%s: %s", dir, strerror(-err));
		report_dead(r, s, r->loop.failure);
		ktap_up(&r->ktap);
		return;
	}
	prepare(r, k, s, dir, &l);
	leave_evidence(r, k, s, &l);
	if (open_capture(r, dir, &capture))
		report_dead(r, s, r->loop.failure);
	else
		verdict = run_guest(r, s, k, &l, capture);
	pcapng_close(capture);
	ktap_up(&r->ktap);
	leave_result(r, k, dir, verdict);
	r->ended = r->loop.signal;
}

static bool wants(const struct run_kernel *k, size_t scenario)
{
	return !k->wanted || k->wanted[scenario];
}

/* Does a scenario need our DSA driver in the guest? */
static bool wants_rig(const struct scenario_list *list)
{
	size_t i;

	for (i = 0; i < list->count; i++) {
		if (list->v[i].sw == SWITCH_RIG)
			return true;
	}
	return false;
}

/* Each part of a run begins with a loop of its own, and counts from nothing. */
static bool begin_part(struct run *r, const char *name)
{
	r->frames = r->broken = r->fixed = 0;
	loop_close(&r->loop);
	if (!loop_init(&r->loop))
		return true;
	ktap_check(&r->ktap, KTAP_FAIL, name, strerror(errno), NULL);
	return false;
}

/* The workers of one kernel. */
static struct workers crew(struct run *r)
{
	return (struct workers){
		.ktap = &r->ktap, .loop = &r->loop, .ctx = r, .slots = r->slots,
		.holder = r->holder, .at_once = r->slots ? UINT_MAX : 1,
	};
}

static void report_workers(struct run *r, int err)
{
	if (err && err != -EINTR)
		ktap_check(&r->ktap, KTAP_FAIL, "run", strerror(-err), NULL);
	r->ended |= !!r->loop.signal;
}

/* A machine that there is no snapshot of yet. */
static json_t *machine_work(void *ctx, unsigned int i, struct ktap *k)
{
	struct run *r = ctx;
	struct machine *m = &r->machine[i];
	struct launch l;
	char dir[768];

	(void)k;
	if (!access(m->snapshot, R_OK) || !begin_part(r, "snapshot") ||
	    scenario_folder(r, r->kernel, m->first, dir, sizeof(dir)))
		return NULL;
	prepare(r, r->kernel, m->first, dir, &l);
	boot_and_save(r, m, &l, r->kernel);
	loop_close(&r->loop);
	return NULL;
}

static const char *machine_name(void *ctx, unsigned int i)
{
	struct run *r = ctx;

	return r->machine[i].key;
}

static void nothing_more(void *ctx, unsigned int i, json_t *extra)
{
	(void)ctx;
	(void)i;
	(void)extra;
}

/* Boots what scenarios will start from, as far as it is not there. */
static void boot_machines(struct run *r, size_t n)
{
	struct workers w = crew(r);
	unsigned int i;
	size_t s;

	for (s = 0; s < n; s++)
		add_machine(r, &r->list->v[r->mine[s]]);
	w.work = machine_work;
	w.done = nothing_more;
	w.name = machine_name;
	report_workers(r, workers_run(&w, r->machines));
	for (i = 0; i < r->machines; i++) {
		if (access(r->machine[i].snapshot, R_OK))
			r->machine[i].snapshot[0] = '\0';
	}
}

static json_t *counts(const struct run *r)
{
	return json_pack("{s:I, s:i, s:i}", "frames", (json_int_t)r->frames, "broken",
			 r->broken, "fixed", r->fixed);
}

static void add_counts(void *ctx, unsigned int i, json_t *extra)
{
	struct run *r = ctx;
	json_int_t frames = 0;
	int broken = 0, fixed = 0;

	(void)i;
	json_unpack(extra, "{s:I, s:i, s:i}", "frames", &frames, "broken", &broken, "fixed",
		    &fixed);
	r->frames += (uint64_t)frames;
	r->broken += (unsigned int)broken;
	r->fixed += (unsigned int)fixed;
}

static json_t *scenario_work(void *ctx, unsigned int i, struct ktap *k)
{
	struct run *r = ctx;

	(void)k;
	if (!begin_part(r, r->list->v[r->mine[i]].title))
		return NULL;
	run_scenario(r, r->kernel, &r->list->v[r->mine[i]]);
	loop_close(&r->loop);
	return counts(r);
}

static const char *scenario_title(void *ctx, unsigned int i)
{
	struct run *r = ctx;

	return r->list->v[r->mine[i]].title;
}

static void run_my_scenarios(struct run *r, size_t n)
{
	struct workers w = crew(r);

	w.work = scenario_work;
	w.done = add_counts;
	w.name = scenario_title;
	report_workers(r, workers_run(&w, (unsigned int)n));
}

/* Returns how many. */
static size_t collect_mine(struct run *r, const struct run_kernel *which)
{
	size_t i, n = 0;

	r->mine = calloc(r->list->count, sizeof(*r->mine));
	for (i = 0; r->mine && i < r->list->count; i++) {
		if (wants(which, i))
			r->mine[n++] = i;
	}
	return n;
}

static void run_kernel(struct run *r, const struct run_kernel *which)
{
	struct kernel k;
	char why[256];
	size_t n;

	ktap_down(&r->ktap, which->name);
	if (kernel_find(&k, which->name, wants_rig(r->list), why)) {
		ktap_check(&r->ktap, KTAP_FAIL, "kernel", why, NULL);
		ktap_up(&r->ktap);
		return;
	}
	ktap_note(&r->ktap, "kernel %s: %s", k.release, k.about);
	r->kernel = &k;
	n = collect_mine(r, which);
	if (!by_hand(r))
		boot_machines(r, n);
	if (!r->ended)
		run_my_scenarios(r, n);
	drop_snapshots(r);
	free(r->mine);
	kernel_free(&k);
	ktap_up(&r->ktap);
}

/* A kernel is a part of the run with a process of its own. */
static json_t *kernel_work(void *ctx, unsigned int i, struct ktap *k)
{
	struct run *r = ctx;

	(void)k;	/* it is r->ktap */
	if (!begin_part(r, r->kernels[i].name))
		return NULL;
	r->holder = i;
	run_kernel(r, &r->kernels[i]);
	loop_close(&r->loop);
	return counts(r);
}

static const char *kernel_name(void *ctx, unsigned int i)
{
	struct run *r = ctx;

	return r->kernels[i].name;
}

static void run_kernels(struct run *r, unsigned int n)
{
	/* twice as many as there are cores: each waits for its guest at times, and
	   guests wait for their timers */
	unsigned int guests = 2 * (unsigned int)sysconf(_SC_NPROCESSORS_ONLN);
	bool alone = by_hand(r) || r->o->pcap >= 0;
	struct slots slots;
	struct workers w = {
		.ktap = &r->ktap, .loop = &r->loop, .work = kernel_work,
		.done = add_counts, .name = kernel_name, .ctx = r,
		.at_once = alone ? 1 : guests,
	};
	int err = alone ? 0 : slots_open(&slots, guests, n);

	if (!err && !alone)
		w.theirs = r->slots = &slots;
	err = err ?: workers_run(&w, n);
	if (w.theirs)
		slots_close(&slots);
	report_workers(r, err);
}

/* --- results -------------------------------------------------------------- */

static int write_json(struct run *r, json_t *results)
{
	char path[1024];
	int err;

	if (r->o->json)
		json_dumpf(results, stdout, JSON_INDENT(2));
	snprintf(path, sizeof(path), "%s/%s.json", r->o->results, r->o->name);
	err = json_dump_file(results, path, JSON_INDENT(2));
	if (err)
		fprintf(stderr, "tagrig: cannot write %s\n", path);
	json_decref(results);
	return err ? -EIO : 0;
}

static int exit_status(const struct run *r, const struct ktap_totals *t)
{
	if (r->o->bisect) {
		if (t->failed || r->loop.signal || (!r->broken && !r->fixed))
			return EXIT_UNTESTABLE;
		return r->broken ? 1 : 0;
	}
	if (t->failed || r->loop.signal)
		return 1;
	return t->passed ? 0 : 4;
}

static int dry_run(struct run *r, const struct run_kernel *kernels, unsigned int n)
{
	struct kernel k;
	struct launch l;
	char why[256];
	unsigned int i;
	size_t j;

	for (i = 0; i < n; i++) {
		if (kernel_find(&k, kernels[i].name, wants_rig(r->list), why)) {
			fprintf(stderr, "tagrig: %s\n", why);
			return 1;
		}
		for (j = 0; j < r->list->count; j++) {
			if (!wants(&kernels[i], j))
				continue;
			prepare(r, &k, &r->list->v[j], ".", &l);
			vm_print(&l.config, stdout);
		}
		kernel_free(&k);
	}
	return 0;
}

static FILE *open_copy(struct run *r)
{
	char dir[1024], name[128];
	FILE *f = NULL;
	int err;

	snprintf(dir, sizeof(dir), "%s", r->o->results);
	snprintf(name, sizeof(name), "%s.ktap", r->o->name);
	err = make_dirs(dir);
	if (!err) {
		f = open_in(dir, name);
		err = f ? 0 : -errno;
	}
	if (err)
		fprintf(stderr, "tagrig: %s/%s: %s\n", dir, name, strerror(-err));
	return f;
}

static int make_snapshot_dir(const struct run_options *o)
{
	char dir[1024];
	int err;

	if (!o->snapshots)
		return 0;
	snprintf(dir, sizeof(dir), "%s", o->snapshots);
	err = make_dirs(dir);
	if (err)
		fprintf(stderr, "tagrig: %s: %s\n", o->snapshots, strerror(-err));
	return err;
}

int run_scenarios(const struct run_options *o, const struct scenario_list *list,
		  const struct run_kernel *kernels, unsigned int n)
{
	struct run r = { .o = o, .list = list, .kernels = kernels };
	struct ktap_totals totals;
	FILE *copy, *out;
	int err;

	if (o->dry_run)
		return dry_run(&r, kernels, n);
	copy = make_snapshot_dir(o) ? NULL : open_copy(&r);
	if (!copy)
		return 1;
	err = loop_init(&r.loop);
	if (err) {
		fprintf(stderr, "tagrig: %s\n", strerror(-err));
		return 1;
	}
	out = o->json ? fopen("/dev/null", "we") : stdout;
	ktap_begin(&r.ktap, out, copy);
	ktap_note(&r.ktap, "seed %lu", o->seed);
	run_kernels(&r, n);
	ktap_note(&r.ktap, "%llu frames judged", (unsigned long long)r.frames);
	if (r.loop.signal)
		ktap_note(&r.ktap, "interrupted by signal %d: what is above stands",
			  r.loop.signal);
	err = write_json(&r, ktap_end(&r.ktap, &totals));
	fclose(copy);
	loop_close(&r.loop);
	return err ? 1 : exit_status(&r, &totals);
}
