// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A lab's result: judged, and told on a terminal.
 *
 * The terminal's report has, in this order: what the compiler made of the
 * function in each variant; per workload what an operation costs, and where
 * the difference lies; the verdicts, each with its evidence.
 */
#include "lab/result.h"

#include <stdlib.h>
#include <string.h>

#include "lab/table.h"

#define CHANGED_ROWS 8

/* --- judging -------------------------------------------------------------------------- */

static const struct lab_cell *find_control(const struct lab_result *r, size_t v)
{
	size_t w;

	for (w = 0; w < r->lab->n_workloads; w++)
		if (r->lab->workloads[w].control && r->cells[w][v].measured)
			return &r->cells[w][v];
	return NULL;
}

static void add_control(const struct lab_result *r, size_t v, struct evidence *e)
{
	const struct lab_cell *a = find_control(r, 0), *b = find_control(r, v);

	if (!a || !b)
		return;
	e->control = true;
	e->control_a = a->evidence.b;
	e->control_b = b->evidence.b;
}

/* Flags that align code, or put all of N instructions that do nothing before an entry. */
static bool flag_only_moves(const char *flag)
{
	unsigned int all, before;

	if (!strncmp(flag, "-falign-", 8))
		return true;
	return sscanf(flag, "-fpatchable-function-entry=%u,%u", &all, &before) == 2 &&
	       all == before;
}

/* Kinds that move code and change nothing in it. */
static bool only_moves(const struct lab_variant *v)
{
	const char *flag;

	if (v->kind == LAB_PAD || v->kind == LAB_ORDER)
		return true;
	if ((v->kind != LAB_CFLAGS && v->kind != LAB_KCFLAGS) || !v->arg)
		return false;
	for (flag = v->arg; flag; flag = strchr(flag, ' ')) {
		flag += strspn(flag, " ");
		if (*flag && !flag_only_moves(flag))
			return false;
	}
	return true;
}

static void gather(const struct lab_result *r, size_t w, size_t v, struct evidence *e)
{
	const struct lab_cell *base = &r->cells[w][0], *cell = &r->cells[w][v];

	*e = (struct evidence){
		.same_code = v && r->gates[v].same != ELF_DIFFERENT,
		.only_moved = v && only_moves(&r->lab->variants[v]),
		.margin = r->lab->margin, .claims_stalls = r->lab->claims_stalls,
		.claimed = r->lab->claimed, .claim = r->lab->claim,
		.timed = cell->timed, .time = cell->time, .aa = cell->timed, .aa_time = cell->aa,
	};
	if (!base->measured || !cell->measured)
		return;
	e->counted = true;
	e->repeatable = base->m.repeatable && cell->m.repeatable;
	e->parted = !base->m.repeatable ? base->m.parted : cell->m.parted;
	e->a = lab_totals(&r->lab->workloads[w], &base->m);
	e->b = lab_totals(&r->lab->workloads[w], &cell->m);
}

void lab_judge(struct lab_result *r)
{
	size_t w, v;

	for (w = 0; w < r->lab->n_workloads; w++)
		for (v = 0; v < r->lab->n_variants; v++)
			gather(r, w, v, &r->cells[w][v].evidence);
	for (w = 0; w < r->lab->n_workloads; w++)
		for (v = 1; v < r->lab->n_variants; v++) {
			struct lab_cell *c = &r->cells[w][v];

			if (!r->lab->workloads[w].control)
				add_control(r, v, &c->evidence);
			verdict_judge(&c->evidence, &c->judgement);
		}
}

/* --- what the compiler made of it --------------------------------------------------------- */

/* Does a variant that asks for an alignment have it? */
static void print_alignment(const struct lab_variant *v, const struct lab_gate *g,
			    const char *object, FILE *out)
{
	if (!g->asked || !g->entries)
		return;
	fprintf(out, "  %s: entry alignment verified: %u of %u functions of %s are entered at a multiple of %u\n",
		v->name, g->aligned, g->entries, object, g->asked);
	if (g->aligned < g->entries)
		fprintf(out, "  %s: -falign-functions=%u MISFIRES: it aligns what lies before an entry, such as call padding\n",
			v->name, g->asked);
}

static void print_gates(const struct lab_result *r, FILE *out)
{
	static const char *const head[] = {
		"variant", "how", "symbol", "-call sites", "-size", "-aligned", "-padding",
		"-add/remove", "-grow/shrink", "-up/down", "-object", NULL,
	};
	struct table t;
	size_t v;

	table_init(&t, head);
	for (v = 0; v < r->lab->n_variants; v++) {
		const struct lab_variant *x = &r->lab->variants[v];
		const struct lab_gate *g = &r->gates[v];

		table_add(&t, "%s", x->name);
		table_add(&t, "%s%s%.40s", lab_kind_word(x->kind), x->arg ? " " : "", x->arg ?: "");
		table_add(&t, "%s", g->symbols ? g->names : "none");
		table_add(&t, "%zu%s", g->sites, g->taken ? " + pointer" : "");
		table_add(&t, "0x%llx", (unsigned long long)g->size);
		table_add(&t, "%u", g->addr ? g->alignment : 0);
		table_add(&t, "%llu", (unsigned long long)g->padding);
		table_add(&t, "%u/%u", g->added, g->removed);
		table_add(&t, "%u/%u", g->grew, g->shrank);
		table_add(&t, "%lld/%lld (%+lld)", (long long)g->up, (long long)g->down,
			  (long long)(g->up + g->down));
		table_add(&t, "%lld", (long long)g->after);
	}
	table_print(&t, out, "  ");
	for (v = 0; v < r->lab->n_variants; v++)
		if (r->gates[v].callers[0])
			fprintf(out, "  %s: called by %s\n", r->lab->variants[v].name,
				r->gates[v].callers);
	for (v = 0; v < r->lab->n_variants; v++)
		print_alignment(&r->lab->variants[v], &r->gates[v], r->lab->object, out);
}

/* --- what an operation costs ---------------------------------------------------------------- */

static double per_op(uint64_t n, uint64_t ops)
{
	return ops ? (double)n / ops : 0;
}

static void describe(const struct lab_result *r, size_t w, FILE *out)
{
	const struct lab_workload *x = &r->lab->workloads[w];
	unsigned long long ops = r->cells[w][0].m.ops;

	fprintf(out, "\n%s %s, per operation of %llu", x->control ? "control" : "workload", x->name,
		ops);
	switch (x->per) {
	case LAB_PER_CALLS:
		fprintf(out, " (calls of %s)", x->per_function);
		break;
	case LAB_PER_FRAMES:
		fprintf(out, " (frames played)");
		break;
	case LAB_PER_NUMBER:
		fprintf(out, " (as the lab says)");
		break;
	}
	if (x->window == LAB_WINDOW_FUNCTION)
		fprintf(out, ", counted in %s and all below\n", x->window_function);
	else
		fprintf(out, ", counted between markers\n");
}

/* x86's repeated string instructions can be counted in two ways. */
static bool counts_rep(const struct lab_result *r)
{
	return !strcmp(r->lab->arch, "x86_64");
}

static void add_costs(struct table *t, const struct lab_result *r, size_t w, size_t v)
{
	const struct evidence *e = &r->cells[w][v].evidence;
	const struct lab_cell *c = &r->cells[w][v];
	const struct counts_window *win = lab_window(&r->lab->workloads[w], c->m.counts);
	const char *f = r->lab->function;

	table_add(t, "%s", r->lab->variants[v].name);
	table_add(t, "%.2f", per_op(e->b.insns, e->b.ops));
	table_add(t, "%+.2f", verdict_delta(e->a.insns, e->b.insns, e->a.ops));
	table_add(t, "%+.2f", verdict_delta(e->a.loads, e->b.loads, e->a.ops));
	table_add(t, "%+.2f", verdict_delta(e->a.stores, e->b.stores, e->a.ops));
	table_add(t, "%+.2f", verdict_delta(e->a.branches, e->b.branches, e->a.ops));
	table_add(t, "%.2f", per_op(e->b.edge16, e->b.ops));
	table_add(t, "%.2f", per_op(e->b.edge32, e->b.ops));
	table_add(t, "%.2f", per_op(counts_sum(win, f, COUNTS_CALLS), e->b.ops));
	if (r->lab->core[0]) {
		table_add(t, "%.2f", per_op(e->b.l1i, e->b.ops));
		table_add(t, "%.2f", per_op(e->b.l1d, e->b.ops));
		table_add(t, "%.2f", per_op(e->b.l2, e->b.ops));
	}
	if (r->lab->predictor)
		table_add(t, "%.2f", per_op(e->b.mispredicted, e->b.ops));
	if (counts_rep(r))
		table_add(t, "%.2f", per_op(e->b.insns - win->total.n[COUNTS_REP], e->b.ops));
}

static void print_costs(const struct lab_result *r, size_t w, FILE *out)
{
	const char *head[TABLE_COLUMNS] = {
		"variant", "-insns", "-delta", "-loads", "-stores", "-branches", "-edge16",
		"-edge32", "-its calls",
	};
	struct table t;
	size_t v, n = 9;

	if (r->lab->core[0]) {
		head[n++] = "-L1I";
		head[n++] = "-L1D";
		head[n++] = "-L2";
	}
	if (r->lab->predictor)
		head[n++] = "-mispredicted";
	if (counts_rep(r))
		head[n++] = "-insns, REP as one";
	table_init(&t, head);
	for (v = 0; v < r->lab->n_variants; v++)
		if (r->cells[w][v].measured)
			add_costs(&t, r, w, v);
	table_print(&t, out, "  ");
}

/* --- where the difference lies ---------------------------------------------------------------- */

struct change {
	const char *name;
	uint64_t before, after;		/* own instructions */
};

static uint64_t distance(const struct change *c)
{
	return c->after > c->before ? c->after - c->before : c->before - c->after;
}

static int by_distance(const void *a, const void *b)
{
	uint64_t x = distance(a), y = distance(b);

	return x != y ? (x < y) - (x > y) :
	       strcmp(((const struct change *)a)->name, ((const struct change *)b)->name);
}

/* Every name of both windows once, with what it executed itself. */
static size_t collect(const struct counts_window *a, const struct counts_window *b,
		      struct change *c)
{
	size_t i, n = 0;

	for (i = 0; i < a->n_rows + b->n_rows; i++) {
		const char *name = i < a->n_rows ? a->rows[i].name : b->rows[i - a->n_rows].name;
		struct change x = { name, counts_sum(a, name, COUNTS_INSNS),
				    counts_sum(b, name, COUNTS_INSNS) };
		size_t k;

		for (k = 0; k < n && strcmp(c[k].name, name); k++)
			;
		if (k == n && distance(&x))
			c[n++] = x;
	}
	qsort(c, n, sizeof(*c), by_distance);
	return n;
}

static void print_changes(const struct lab_result *r, size_t w, size_t v, FILE *out)
{
	static const char *const head[] = { "", "-base", "-variant", "-delta", NULL };
	const struct lab_workload *x = &r->lab->workloads[w];
	const struct counts_window *a = lab_window(x, r->cells[w][0].m.counts);
	const struct counts_window *b = lab_window(x, r->cells[w][v].m.counts);
	struct change *c = calloc(a->n_rows + b->n_rows + 1, sizeof(*c));
	uint64_t ops = r->cells[w][0].m.ops;
	struct table t;
	size_t i, n = c ? collect(a, b, c) : 0;

	if (n) {
		fprintf(out, "  own instructions that differ in %s:\n", r->lab->variants[v].name);
		table_init(&t, head);
		for (i = 0; i < n && i < CHANGED_ROWS; i++) {
			table_add(&t, "%s", c[i].name);
			table_add(&t, "%.2f", per_op(c[i].before, ops));
			table_add(&t, "%.2f", per_op(c[i].after, ops));
			table_add(&t, "%+.2f", verdict_delta(c[i].before, c[i].after, ops));
		}
		table_print(&t, out, "    ");
		if (n > CHANGED_ROWS)
			fprintf(out, "    and %zu more\n", n - CHANGED_ROWS);
	}
	free(c);
}

/* --- ftrace beside -------------------------------------------------------------------------------- */

static void add_traced(struct table *t, const struct console *c, const char *function)
{
	const struct console_trace *x = lab_traced(c, function);

	if (x && x->hits)
		table_add(t, "%.3f", x->us / x->hits);
	else
		table_add(t, "-");
}

static void add_traces(struct table *t, const struct lab_result *r, const struct lab_cell *c,
		       enum lab_tracer tracer, size_t watched)
{
	const struct console *seen = &c->trace.by[tracer];
	size_t i;

	table_add(t, "%s", tracer == LAB_PROFILER ? "profiler" : "function_graph");
	table_add(t, "%.3f", seen->probe_ns / 1e3);
	add_traced(t, seen, r->lab->function);
	for (i = 0; i < watched; i++)
		add_traced(t, seen, r->lab->watch[i]);
}

static void print_trace(const struct lab_result *r, size_t w, FILE *out)
{
	const char *head[TABLE_COLUMNS + 1] = { "variant", "ftrace", "-probe" };
	char names[TABLE_COLUMNS][66];
	size_t v, i, n = 3;
	struct table t;
	int tracer;

	if (!r->cells[w][0].traced)
		return;
	snprintf(names[n], sizeof(names[n]), "-%s", r->lab->function);
	head[n] = names[n];
	n++;
	for (i = 0; i < r->lab->n_watch && n < TABLE_COLUMNS; i++, n++) {
		snprintf(names[n], sizeof(names[n]), "-%s", r->lab->watch[i]);
		head[n] = names[n];
	}
	fprintf(out, "  ftrace, us a call; 0.001 us is an instruction.  Each traced call costs the probe more, and its caller pays;\n"
		"  the kernel's `inline` implies notrace, so its probe is gone, whatever the compiler did:\n");
	table_init(&t, head);
	for (v = 0; v < r->lab->n_variants; v++)
		for (tracer = 0; r->cells[w][v].traced && tracer < LAB_TRACERS; tracer++) {
			table_add(&t, "%s", r->lab->variants[v].name);
			add_traces(&t, r, &r->cells[w][v], tracer, n - 4);
		}
	table_print(&t, out, "    ");
}

/* --- time ------------------------------------------------------------------------------------------ */

static void print_times(const struct lab_result *r, size_t w, FILE *out)
{
	static const char *const head[] = {
		"variant", "-time", "-95 %", "-", "-p", "-p of layout", "-could see", "-A/A", "-p",
		"-blocks", "-layouts", NULL,
	};
	struct table t;
	size_t v, n = 0;

	for (v = 1; v < r->lab->n_variants; v++)
		n += r->cells[w][v].timed;
	if (!n)
		return;
	fprintf(out, "  time against %s, in %%:\n", r->lab->variants[0].name);
	table_init(&t, head);
	for (v = 1; v < r->lab->n_variants; v++) {
		const struct lab_cell *c = &r->cells[w][v];

		if (!c->timed)
			continue;
		table_add(&t, "%s", r->lab->variants[v].name);
		table_add(&t, "%+.2f", c->time.effect * 100);
		table_add(&t, "%+.2f", c->time.lo * 100);
		table_add(&t, "%+.2f", c->time.hi * 100);
		table_add(&t, "%.4f", c->time.p);
		table_add(&t, "%.4f", c->time.p_layout);
		table_add(&t, "%.2f", c->time.mde * 100);
		table_add(&t, "%+.2f", c->aa.effect * 100);
		table_add(&t, "%.4f", c->aa.p);
		table_add(&t, "%zu", c->time.blocks);
		table_add(&t, "%zu", c->time.layouts);
	}
	table_print(&t, out, "    ");
}

/* --- verdicts --------------------------------------------------------------------------------- */

/* A control has no verdict of its own: it stood still, or it takes others'. */
static void print_control(const struct lab_result *r, size_t w, FILE *out)
{
	size_t v;

	for (v = 1; v < r->lab->n_variants; v++) {
		const struct evidence *e = &r->cells[w][v].evidence;

		if (!e->counted)
			continue;
		fprintf(out, "  %s: %s%s\n", r->lab->variants[v].name,
			e->repeatable ? "" : "NOT DETERMINISTIC, and ",
			e->a.insns == e->b.insns ? "not moved, as it must be" :
			"moved: something else than the function differs");
	}
}

static void print_verdicts(const struct lab_result *r, size_t w, FILE *out)
{
	size_t v;

	if (r->lab->workloads[w].control) {
		print_control(r, w, out);
		return;
	}

	for (v = 1; v < r->lab->n_variants; v++) {
		const struct judgement *j = &r->cells[w][v].judgement;

		fprintf(out, "  %s: %s: %s\n", r->lab->variants[v].name, verdict_word(j->verdict),
			j->why);
		if (j->bounded)
			fprintf(out, "  %s: %s\n", r->lab->variants[v].name, j->bound);
	}
}

void lab_print(const struct lab_result *r, FILE *out)
{
	size_t w, v;

	fprintf(out, "%s\n%s, Linux %s, %s\n", r->lab->title, r->lab->function, r->kernel,
		r->lab->arch);
	if (r->lab->object[0])
		fprintf(out, "%s\n", r->lab->object);
	fputc('\n', out);
	print_gates(r, out);
	for (w = 0; w < r->lab->n_workloads; w++) {
		describe(r, w, out);
		print_costs(r, w, out);
		for (v = 1; v < r->lab->n_variants; v++)
			if (r->cells[w][v].measured && !r->lab->workloads[w].control)
				print_changes(r, w, v, out);
		print_trace(r, w, out);
		print_times(r, w, out);
		print_verdicts(r, w, out);
	}
	if (r->time_skip[0])
		fprintf(out, "\nthe time leg: SKIP, %s\n", r->time_skip);
	if (r->lab->core[0])
		fprintf(out, "\nL1I, L1D, L2: misses on the model of %s (true LRU, no prefetch), to compare variants with, not hardware\n",
			r->lab->core);
}
