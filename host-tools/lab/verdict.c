// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The verdict: rules in a table, the first one that holds decides.
 *
 * The order is the order of trust.  Runs that do not repeat prove nothing;
 * equal bytes need no measurement; a control that moved means that something
 * else changed.  Then time, where it was taken; then counts alone.
 *
 * Left out: a verdict over several variants at once.  Each is judged against
 * the base by itself.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lab/verdict.h"

#define AA_ALPHA	0.01	/* an A/A run beyond this: the host is not still */

const char *verdict_word(enum verdict v)
{
	static const char *const words[] = {
#define VERDICT_WORD(id, word) word,
		VERDICTS(VERDICT_WORD)
#undef VERDICT_WORD
	};

	return words[v];
}

double verdict_delta(uint64_t a, uint64_t b, uint64_t ops)
{
	return ops ? ((double)b - (double)a) / ops : 0;
}

static double delta_insns(const struct evidence *e)
{
	return verdict_delta(e->a.insns, e->b.insns, e->a.ops);
}

/*
 * Instructions that differ because the code does.  Code that was only moved is
 * the same; what it executes more or less is the state that it met, such as
 * the page allocator's in a kernel that ends elsewhere.
 */
static bool insns_differ(const struct evidence *e)
{
	return e->counted && !e->only_moved && e->a.insns != e->b.insns;
}

/* What depends on where code lies, and on nothing that it says. */
static bool placement_differs(const struct evidence *e)
{
	return e->counted && (e->a.edge16 != e->b.edge16 || e->a.edge32 != e->b.edge32 ||
			      e->a.l1i != e->b.l1i);
}

/* Other instructions, even if not more of them. */
static bool mix_differs(const struct evidence *e)
{
	return e->counted && !e->only_moved &&
	       (e->a.loads != e->b.loads || e->a.stores != e->b.stores ||
		e->a.branches != e->b.branches);
}

static bool time_differs(const struct evidence *e)
{
	return e->timed && e->time.p < STATS_ALPHA;
}

static bool depends_on_layout(const struct evidence *e)
{
	return e->timed && e->time.p_layout < STATS_ALPHA;
}

static bool same_direction(const struct evidence *e)
{
	return (delta_insns(e) > 0) == (e->time.effect > 0);
}

/* --- when a rule holds ------------------------------------------------------ */

static bool not_deterministic(const struct evidence *e)
{
	return e->counted && !e->repeatable;
}

static bool same_code(const struct evidence *e)
{
	return e->same_code;
}

static bool control_moved(const struct evidence *e)
{
	return e->control && e->control_a.insns != e->control_b.insns;
}

static bool restless_host(const struct evidence *e)
{
	return e->timed && e->aa && e->aa_time.p < AA_ALPHA;
}

static bool real(const struct evidence *e)
{
	return time_differs(e) && insns_differ(e) && same_direction(e) && !depends_on_layout(e);
}

static bool layout_by_time(const struct evidence *e)
{
	return depends_on_layout(e) || (time_differs(e) && e->counted && !insns_differ(e) &&
					placement_differs(e));
}

static bool equivalent(const struct evidence *e)
{
	return e->timed && e->margin > 0 && e->time.eq_lo > -e->margin &&
	       e->time.eq_hi < e->margin;
}

static bool undecided(const struct evidence *e)
{
	return e->timed;
}

static bool layout_by_count(const struct evidence *e)
{
	return e->counted && !insns_differ(e) && !mix_differs(e) && placement_differs(e);
}

static bool not_observable(const struct evidence *e)
{
	return !e->counted || (!insns_differ(e) && (e->claims_stalls || e->claimed));
}

static bool always(const struct evidence *e)
{
	(void)e;
	return true;
}

/* --- and what it says ------------------------------------------------------- */

static void tell_not_deterministic(const struct evidence *e, char *s, size_t n)
{
	snprintf(s, n, "two runs of one variant differ, first in %s",
		 e->parted ? e->parted : "the totals");
}

static void tell_same_code(const struct evidence *e, char *s, size_t n)
{
	(void)e;
	snprintf(s, n, "the object's instructions and relocations are equal, byte for byte");
}

static void tell_control(const struct evidence *e, char *s, size_t n)
{
	snprintf(s, n, "the control, which the variant must not touch, moved by %+.2f "
		 "instructions an operation",
		 verdict_delta(e->control_a.insns, e->control_b.insns, e->control_a.ops));
}

static void tell_restless(const struct evidence *e, char *s, size_t n)
{
	snprintf(s, n, "A against itself differs by %+.2f %% (p = %.3f): this host is not still",
		 e->aa_time.effect * 100, e->aa_time.p);
}

static void tell_real(const struct evidence *e, char *s, size_t n)
{
	snprintf(s, n, "%+.2f instructions an operation and %+.2f %% time "
		 "(95 %%: %+.2f to %+.2f, p = %.3f, %zu blocks, %zu layouts)", delta_insns(e),
		 e->time.effect * 100, e->time.lo * 100, e->time.hi * 100, e->time.p,
		 e->time.blocks, e->time.layouts);
}

static void tell_layout_by_time(const struct evidence *e, char *s, size_t n)
{
	if (depends_on_layout(e))
		snprintf(s, n, "the effect of %+.2f %% depends on where the code lies "
			 "(p = %.3f over %zu layouts); %+.2f instructions an operation",
			 e->time.effect * 100, e->time.p_layout, e->time.layouts,
			 delta_insns(e));
	else
		snprintf(s, n, "%+.2f %% time %s; "
			 "%+.2f branches an operation on 32-byte boundaries",
			 e->time.effect * 100, e->a.insns == e->b.insns ?
			 "without one instruction more or less" : "of code that is only moved",
			 verdict_delta(e->a.edge32, e->b.edge32, e->a.ops));
}

static void tell_equivalent(const struct evidence *e, char *s, size_t n)
{
	snprintf(s, n, "the time differs by %+.2f to %+.2f %%, inside the margin of %.2f %%; "
		 "%+.2f instructions an operation", e->time.eq_lo * 100, e->time.eq_hi * 100,
		 e->margin * 100, delta_insns(e));
}

static void tell_undecided(const struct evidence *e, char *s, size_t n)
{
	snprintf(s, n, "%+.2f %% time (p = %.3f); %zu blocks could have seen %.2f %%; "
		 "%+.2f instructions an operation", e->time.effect * 100, e->time.p,
		 e->time.blocks, e->time.mde * 100, delta_insns(e));
}

static void tell_layout_by_count(const struct evidence *e, char *s, size_t n)
{
	char what[96] = "not one instruction, load, store or branch more or less";

	if (e->a.insns != e->b.insns)
		snprintf(what, sizeof(what), "the code is only moved, and meets another state "
			 "(%+.2f instructions)", delta_insns(e));
	snprintf(s, n, "%s; an operation's branches on 32-byte boundaries go from %.2f to %.2f, "
		 "on 16-byte from %.2f to %.2f, L1I misses from %.2f to %.2f", what,
		 verdict_delta(0, e->a.edge32, e->a.ops), verdict_delta(0, e->b.edge32, e->a.ops),
		 verdict_delta(0, e->a.edge16, e->a.ops), verdict_delta(0, e->b.edge16, e->a.ops),
		 verdict_delta(0, e->a.l1i, e->a.ops), verdict_delta(0, e->b.l1i, e->a.ops));
}

static void tell_not_observable(const struct evidence *e, char *s, size_t n)
{
	snprintf(s, n, "%s; an emulator knows no stalls and no cost of a mitigation",
		 e->counted ? "no count of instructions differs" : "neither counts nor times were taken");
}

static void tell_exact(const struct evidence *e, char *s, size_t n)
{
	snprintf(s, n, "%+.2f instructions, %+.2f loads, %+.2f stores, %+.2f branches an "
		 "operation (%llu operations, counted twice, alike)", delta_insns(e),
		 verdict_delta(e->a.loads, e->b.loads, e->a.ops),
		 verdict_delta(e->a.stores, e->b.stores, e->a.ops),
		 verdict_delta(e->a.branches, e->b.branches, e->a.ops),
		 (unsigned long long)e->a.ops);
}

static const struct {
	bool (*holds)(const struct evidence *e);
	enum verdict verdict;
	void (*tell)(const struct evidence *e, char *s, size_t n);
} rules[] = {
	{ not_deterministic,	VERDICT_NOT_DETERMINISTIC, tell_not_deterministic },
	{ same_code,		VERDICT_SAME_CODE,	tell_same_code },
	{ control_moved,	VERDICT_UNDECIDED,	tell_control },
	{ restless_host,	VERDICT_UNDECIDED,	tell_restless },
	{ real,			VERDICT_REAL,		tell_real },
	{ layout_by_time,	VERDICT_LAYOUT,		tell_layout_by_time },
	{ equivalent,		VERDICT_EQUIVALENT,	tell_equivalent },
	{ undecided,		VERDICT_UNDECIDED,	tell_undecided },
	{ layout_by_count,	VERDICT_LAYOUT,		tell_layout_by_count },
	{ not_observable,	VERDICT_NOT_OBSERVABLE,	tell_not_observable },
	{ always,		VERDICT_EXACT,		tell_exact },
};

/*
 * Could the counted difference cost what was claimed?  At the very most every
 * one of the instructions costs the worst that the core can be made to wait,
 * and each load and store misses every cache.
 */
static void hold_against_bound(const struct evidence *e, struct judgement *j)
{
	const struct verdict_claim *c = &e->claim;
	double insns = fabs(delta_insns(e)) * c->ops;
	double accesses = c->ops * (fabs(verdict_delta(e->a.loads, e->b.loads, e->a.ops)) +
				    fabs(verdict_delta(e->a.stores, e->b.stores, e->a.ops)));
	char misses[64] = "";

	if (c->miss > 0)
		snprintf(misses, sizeof(misses), " and %.0f loads and stores x %.0f", accesses,
			 c->miss);
	j->bounded = true;
	j->bound_ns = (insns * c->worst_cpi + accesses * c->miss) / c->hz * 1e9;
	j->plausible = fabs(c->ns) <= j->bound_ns;
	snprintf(j->bound, sizeof(j->bound), "claimed %+.3f us; %.0f instructions x %.0f cycles%s at "
		 "%.0f MHz are at most %.3f us: %s", c->ns / 1e3, insns, c->worst_cpi, misses,
		 c->hz / 1e6, j->bound_ns / 1e3,
		 j->plausible ? "possible" : "the claim is not of this code");
}

void verdict_judge(const struct evidence *e, struct judgement *j)
{
	size_t i = 0;

	memset(j, 0, sizeof(*j));
	while (!rules[i].holds(e))
		i++;
	j->verdict = rules[i].verdict;
	rules[i].tell(e, j->why, sizeof(j->why));
	if (e->claimed && e->counted)
		hold_against_bound(e, j);
}
