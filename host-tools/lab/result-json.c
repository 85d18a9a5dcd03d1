// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A lab's result as JSON, and two of them side by side.
 *
 * The comparison works on the JSON alone, so that the two may come from other
 * machines and other kernels.  It needs equal names of variants and workloads,
 * and says which ones only one of the two has.
 */
#include "lab/result.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "lab/table.h"

#define FORMAT "tagrig-lab-1"

static const struct {
	const char *name;
	enum counts_column column;
} totals[] = {
	{ "insns", COUNTS_INSNS }, { "loads", COUNTS_LOADS }, { "stores", COUNTS_STORES },
	{ "branches", COUNTS_BRANCHES }, { "edge16", COUNTS_EDGE16 },
	{ "edge32", COUNTS_EDGE32 }, { "rep_iterations", COUNTS_REP },
	{ "l1i_misses", COUNTS_L1I }, { "l1d_misses", COUNTS_L1D }, { "l2_misses", COUNTS_L2 },
	{ "mispredicted", COUNTS_MISSED },
};

static const char *const same_words[] = {
	[ELF_SAME] = "same",
	[ELF_SAME_CODE_OTHER_DATA] = "same code, other data",
	[ELF_DIFFERENT] = "different",
};

static json_t *gate_json(const struct lab_variant *v, const struct lab_gate *g)
{
	return json_pack("{s:s, s:s, s:s, s:b, s:s, s:I, s:s, s:b, s:I, s:i, s:I, s:i, s:i, s:i,"
			 " s:s, s:s, s:{s:i, s:i, s:i, s:i, s:I, s:I, s:I, s:I}}",
			 "name", v->name, "kind", lab_kind_word(v->kind), "arg", v->arg ?: "",
			 "inlined", !g->symbols, "symbols", g->names,
			 "call_sites", (json_int_t)g->sites, "callers", g->callers,
			 "address_taken", g->taken,
			 "size", (json_int_t)g->size, "alignment", (int)g->alignment,
			 "padding", (json_int_t)g->padding,
			 "alignment_asked", (int)g->asked, "entries", (int)g->entries,
			 "entries_aligned", (int)g->aligned, "object", same_words[g->same],
			 "first_difference", g->where, "bloat",
			 "added", (int)g->added, "removed", (int)g->removed,
			 "grew", (int)g->grew, "shrank", (int)g->shrank,
			 "up", (json_int_t)g->up, "down", (json_int_t)g->down,
			 "before", (json_int_t)g->before, "after", (json_int_t)g->after);
}

static json_t *rows_json(const struct counts_window *w)
{
	json_t *rows = json_array(), *row;
	size_t i;
	int c;

	for (i = 0; i < w->n_rows; i++) {
		row = json_pack("{s:s}", "name", w->rows[i].name);
		for (c = 0; c < COUNTS_N; c++)
			if (w->rows[i].n[c])
				json_object_set_new(row, counts_column_name(c),
						    json_integer((json_int_t)w->rows[i].n[c]));
		json_array_append_new(rows, row);
	}
	return rows;
}

/* What was not modelled is not 0: it is not there. */
static bool was_counted(const struct lab_file *lab, enum counts_column c)
{
	if (c == COUNTS_MISSED)
		return lab->predictor;
	return lab->core[0] || (c != COUNTS_L1I && c != COUNTS_L1D && c != COUNTS_L2);
}

static void add_measure(json_t *json, const struct lab_file *lab, const struct lab_workload *w,
			const struct lab_measure *m)
{
	const struct counts_window *win = lab_window(w, m->counts);
	json_t *total = json_object(), *per = json_object();
	size_t i;

	for (i = 0; i < sizeof(totals) / sizeof(totals[0]); i++) {
		uint64_t n = win->total.n[totals[i].column];

		if (!was_counted(lab, totals[i].column))
			continue;
		json_object_set_new(total, totals[i].name, json_integer((json_int_t)n));
		json_object_set_new(per, totals[i].name, json_real((double)n / m->ops));
	}
	json_object_set_new(json, "operations", json_integer((json_int_t)m->ops));
	json_object_set_new(json, "frames", json_integer((json_int_t)m->frames));
	json_object_set_new(json, "repeatable", json_boolean(m->repeatable));
	if (!m->repeatable)
		json_object_set_new(json, "parted", json_string(m->parted));
	json_object_set_new(json, "total", total);
	json_object_set_new(json, "per_operation", per);
	json_object_set_new(json, "functions", rows_json(win));
}

static json_t *trace_json(const struct console *c)
{
	json_t *rows = json_array();
	size_t i;

	for (i = 0; i < c->n_traced; i++)
		json_array_append_new(rows, json_pack("{s:s, s:I, s:f}", "function",
						      c->traced[i].function, "hits",
						      (json_int_t)c->traced[i].hits, "us",
						      c->traced[i].us));
	return json_pack("{s:I, s:s, s:o}", "probe_ns", (json_int_t)c->probe_ns, "untraced",
			 c->untraced, "functions", rows);
}

static json_t *stats_json(const struct stats_result *s)
{
	return json_pack("{s:f, s:f, s:f, s:f, s:f, s:f, s:I, s:I}", "effect", s->effect, "lo", s->lo,
			 "hi", s->hi, "p", s->p, "p_layout", s->p_layout, "detectable", s->mde,
			 "blocks", (json_int_t)s->blocks, "layouts", (json_int_t)s->layouts);
}

static json_t *cell_json(const struct lab_result *r, size_t w, size_t v)
{
	const struct lab_cell *c = &r->cells[w][v];
	json_t *json = json_pack("{s:s, s:b}", "name", r->lab->variants[v].name,
				 "measured", c->measured);

	if (c->measured)
		add_measure(json, r->lab, &r->lab->workloads[w], &c->m);
	if (c->timed) {
		json_object_set_new(json, "time", stats_json(&c->time));
		json_object_set_new(json, "a_against_a", stats_json(&c->aa));
	}
	if (c->traced) {
		json_object_set_new(json, "ftrace", trace_json(&c->trace.by[LAB_PROFILER]));
		json_object_set_new(json, "function_graph", trace_json(&c->trace.by[LAB_GRAPH]));
	}
	if (v) {
		json_object_set_new(json, "verdict",
				    json_string(verdict_word(c->judgement.verdict)));
		json_object_set_new(json, "evidence", json_string(c->judgement.why));
	}
	if (v && c->judgement.bounded)
		json_object_set_new(json, "bound",
				    json_pack("{s:b, s:f, s:s}", "plausible",
					      c->judgement.plausible, "at_most_ns",
					      c->judgement.bound_ns, "text", c->judgement.bound));
	return json;
}

json_t *lab_json(const struct lab_result *r)
{
	const struct lab_file *lab = r->lab;
	json_t *variants = json_array(), *workloads = json_array(), *cells;
	size_t w, v;

	for (v = 0; v < lab->n_variants; v++)
		json_array_append_new(variants, gate_json(&lab->variants[v], &r->gates[v]));
	for (w = 0; w < lab->n_workloads; w++) {
		cells = json_array();
		for (v = 0; v < lab->n_variants; v++)
			json_array_append_new(cells, cell_json(r, w, v));
		json_array_append_new(workloads,
				      json_pack("{s:s, s:b, s:o}", "name",
						lab->workloads[w].name, "control",
						lab->workloads[w].control, "variants", cells));
	}
	return json_pack("{s:s, s:s, s:s, s:s, s:s, s:I, s:s, s:s, s:o, s:o}", "format", FORMAT,
			 "title", lab->title, "arch", lab->arch, "kernel", r->kernel,
			 "function", lab->function, "seed", (json_int_t)r->seed, "core",
			 lab->core, "no_time_leg", r->time_skip, "variants", variants, "workloads",
			 workloads);
}

/* --- two reports ------------------------------------------------------------------------ */

static json_t *by_name(json_t *array, const char *name)
{
	json_t *x;
	size_t i;

	json_array_foreach(array, i, x) {
		const char *s = json_string_value(json_object_get(x, "name"));

		if (s && !strcmp(s, name))
			return x;
	}
	return NULL;
}

static int check_format(json_t *json, const char *name, char *why)
{
	const char *format = json_string_value(json_object_get(json, "format"));

	if (format && !strcmp(format, FORMAT) &&
	    json_is_array(json_object_get(json, "workloads")))
		return 0;
	snprintf(why, LAB_WHY, "%s: expected a report of tagrig lab (\"format\": \"" FORMAT "\")",
		 name);
	return -EINVAL;
}

static double per_op(json_t *cell, const char *name)
{
	return json_number_value(json_object_get(json_object_get(cell, "per_operation"), name));
}

/* A control has no verdict: it must stand still in each of the two. */
static const char *verdict_of(json_t *cell, bool control)
{
	return control ? "(control)" : json_string_value(json_object_get(cell, "verdict")) ?: "";
}

static void compare_cells(struct table *t, const char *workload, bool control, json_t *a,
			  json_t *b)
{
	double x = per_op(a, "insns"), y = per_op(b, "insns");

	table_add(t, "%s", workload);
	table_add(t, "%s", json_string_value(json_object_get(a, "name")));
	table_add(t, "%.2f", x);
	table_add(t, "%.2f", y);
	table_add(t, "%+.2f", y - x);
	table_add(t, "%+.2f %%", x > 0 ? (y / x - 1) * 100 : NAN);
	table_add(t, "%+.2f", per_op(b, "loads") - per_op(a, "loads"));
	table_add(t, "%+.2f", per_op(b, "stores") - per_op(a, "stores"));
	table_add(t, "%+.2f", per_op(b, "branches") - per_op(a, "branches"));
	table_add(t, "%+.2f", per_op(b, "edge32") - per_op(a, "edge32"));
	table_add(t, "%s", verdict_of(a, control));
	table_add(t, "%s", verdict_of(b, control));
}

static size_t compare_workload(struct table *t, json_t *x, json_t *y, FILE *notes)
{
	const char *workload = json_string_value(json_object_get(x, "name"));
	json_t *cell, *other;
	size_t i, n = 0;

	json_array_foreach(json_object_get(x, "variants"), i, cell) {
		const char *name = json_string_value(json_object_get(cell, "name"));

		other = name ? by_name(json_object_get(y, "variants"), name) : NULL;
		if (!other || !json_is_true(json_object_get(cell, "measured")) ||
		    !json_is_true(json_object_get(other, "measured"))) {
			fprintf(notes, "%s, %s: not measured in both\n", workload, name);
			continue;
		}
		compare_cells(t, workload, json_is_true(json_object_get(x, "control")), cell,
			      other);
		n++;
	}
	return n;
}

int lab_compare(json_t *a, json_t *b, const char *name_a, const char *name_b, FILE *out,
		char *why)
{
	static const char *const head[] = {
		"workload", "variant", "-A insns", "-B insns", "-delta", "-", "-loads", "-stores",
		"-branches", "-edge32", "A's verdict", "B's verdict", NULL,
	};
	json_t *x, *y;
	struct table t;
	size_t i, n = 0;

	if (check_format(a, name_a, why) || check_format(b, name_b, why))
		return -EINVAL;
	fprintf(out, "A: %s, Linux %s (%s)\nB: %s, Linux %s (%s)\nper operation, B minus A\n",
		json_string_value(json_object_get(a, "title")),
		json_string_value(json_object_get(a, "kernel")), name_a,
		json_string_value(json_object_get(b, "title")),
		json_string_value(json_object_get(b, "kernel")), name_b);
	table_init(&t, head);
	json_array_foreach(json_object_get(a, "workloads"), i, x) {
		const char *name = json_string_value(json_object_get(x, "name"));

		y = name ? by_name(json_object_get(b, "workloads"), name) : NULL;
		if (y)
			n += compare_workload(&t, x, y, out);
	}
	table_print(&t, out, "  ");
	if (n)
		return 0;
	snprintf(why, LAB_WHY, "%s and %s have no workload and variant in common", name_a, name_b);
	return -EINVAL;
}
