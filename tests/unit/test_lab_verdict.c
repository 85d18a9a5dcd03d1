// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Each verdict word, from the evidence that must give it, and from evidence
 * that is like it but must not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "lab/verdict.h"

/* Two variants that were counted and are alike in everything. */
static struct evidence alike(void)
{
	struct verdict_counts c = {
		.ops = 100, .insns = 70000, .loads = 20000, .stores = 9000,
		.branches = 15000, .edge16 = 4000, .edge32 = 1900, .l1i = 30,
	};

	return (struct evidence){ .counted = true, .repeatable = true, .a = c, .b = c };
}

/* Times of 16 blocks under 8 layouts: an effect, clearly seen or not. */
static struct stats_result timing(double effect, double p, double p_layout)
{
	return (struct stats_result){
		.blocks = 16, .layouts = 8, .effect = effect, .lo = effect - 0.004,
		.hi = effect + 0.004, .eq_lo = effect - 0.003, .eq_hi = effect + 0.003,
		.p = p, .p_layout = p_layout, .mde = 0.006,
	};
}

static void expect(const struct evidence *e, enum verdict v, const char *say)
{
	struct judgement j;

	verdict_judge(e, &j);
	if (j.verdict != v)
		fail_msg("%s (%s), not %s", verdict_word(j.verdict), j.why, verdict_word(v));
	if (!strstr(j.why, say))
		fail_msg("\"%s\" does not say \"%s\"", j.why, say);
}

static void same_code(void **state)
{
	struct evidence e = { .same_code = true };

	(void)state;
	expect(&e, VERDICT_SAME_CODE, "byte for byte");
	/* whatever a clock says of two equal programs is noise */
	e.timed = true;
	e.time = timing(0.04, 0.001, 0.9);
	expect(&e, VERDICT_SAME_CODE, "byte for byte");
}

static void exact(void **state)
{
	struct evidence e = alike();

	(void)state;
	e.b.insns += 1200;
	e.b.branches += 100;
	expect(&e, VERDICT_EXACT, "+12.00 instructions, +0.00 loads, +0.00 stores, +1.00 branches");
	e.b.insns = e.a.insns + 100;
	expect(&e, VERDICT_EXACT, "+1.00 instructions");
	e = alike();
	expect(&e, VERDICT_EXACT, "+0.00 instructions");
	e.b.loads++;			/* an instruction was exchanged for another */
	e.b.edge32 += 9;
	expect(&e, VERDICT_EXACT, "+0.01 loads");
}

static void layout(void **state)
{
	struct evidence e = alike();

	(void)state;
	e.b.edge32 += 400;
	expect(&e, VERDICT_LAYOUT, "from 19.00 to 23.00");
	/* a pad that a clock can see: still no property of the code */
	e.timed = true;
	e.time = timing(0.025, 0.001, 0.6);
	expect(&e, VERDICT_LAYOUT, "without one instruction");
	/* an effect that comes and goes with the layout */
	e.b.insns += 100;
	e.time.p_layout = 0.002;
	expect(&e, VERDICT_LAYOUT, "depends on where");
	e = alike();
	e.b.l1i += 5;
	expect(&e, VERDICT_LAYOUT, "L1I");
	/* a pad that met another allocator's state: not of the code */
	e = alike();
	e.only_moved = true;
	e.b.insns += 27;
	e.b.loads += 6;
	e.b.edge32 += 400;
	expect(&e, VERDICT_LAYOUT, "only moved, and meets another state (+0.27 instructions)");
	e.timed = true;
	e.time = timing(0.02, 0.001, 0.5);
	expect(&e, VERDICT_LAYOUT, "+2.00 % time");
	/* where data lies is no layout of code */
	e = alike();
	e.b.l1d += 5;
	e.b.l2 += 5;
	expect(&e, VERDICT_EXACT, "+0.00 instructions");
}

static void real(void **state)
{
	struct evidence e = alike();

	(void)state;
	e.b.insns += 1200;
	e.timed = true;
	e.time = timing(0.02, 0.001, 0.5);
	expect(&e, VERDICT_REAL, "+12.00 instructions an operation and +2.00 % time");
	/* fewer instructions and more time do not agree */
	e.b.insns = e.a.insns - 1200;
	expect(&e, VERDICT_UNDECIDED, "-12.00 instructions");
}

static void equivalent(void **state)
{
	struct evidence e = alike();

	(void)state;
	e.b.insns += 100;
	e.timed = true;
	e.time = timing(0.001, 0.4, 0.5);
	e.margin = 0.01;
	expect(&e, VERDICT_EQUIVALENT, "inside the margin of 1.00 %");
	e.margin = 0.003;		/* the interval sticks out */
	expect(&e, VERDICT_UNDECIDED, "could have seen");
}

static void undecided(void **state)
{
	struct evidence e = alike();

	(void)state;
	e.b.insns += 100;
	e.timed = true;
	e.time = timing(0.003, 0.2, 0.5);
	expect(&e, VERDICT_UNDECIDED, "16 blocks could have seen 0.60 %");
	e.time = timing(0.02, 0.001, 0.5);
	e.aa = true;
	e.aa_time = timing(0.015, 0.002, 0.5);
	expect(&e, VERDICT_UNDECIDED, "not still");
	e.aa_time = timing(0.0, 0.9, 0.5);
	expect(&e, VERDICT_REAL, "+1.00");
	e.control = true;
	e.control_a = e.control_b = e.a;
	expect(&e, VERDICT_REAL, "+1.00");
	e.control_b.insns += 50;
	expect(&e, VERDICT_UNDECIDED, "moved by +0.50");
}

static void not_observable(void **state)
{
	struct evidence e = alike();

	(void)state;
	e.claims_stalls = true;
	expect(&e, VERDICT_NOT_OBSERVABLE, "no stalls");
	e = (struct evidence){ .same_code = false };
	expect(&e, VERDICT_NOT_OBSERVABLE, "neither counts nor times");
	/* a difference that is counted is told, stalls or not */
	e = alike();
	e.claims_stalls = true;
	e.b.insns += 700;
	expect(&e, VERDICT_EXACT, "+7.00");
}

static void not_deterministic(void **state)
{
	struct evidence e = alike();

	(void)state;
	e.repeatable = false;
	e.parted = "insns of stmmac_rx";
	e.b.insns += 1200;
	expect(&e, VERDICT_NOT_DETERMINISTIC, "insns of stmmac_rx");
	e.same_code = true;
	expect(&e, VERDICT_NOT_DETERMINISTIC, "insns of stmmac_rx");
}

/* The thread's +268 us a poll of 64 packets, on a Cortex-A7 at 500 MHz. */
static void bound(void **state)
{
	struct evidence e = alike();
	struct judgement j;

	(void)state;
	e.b.insns += 1200;		/* 12 an operation */
	e.claimed = true;
	e.claim = (struct verdict_claim){ .ns = 268000, .ops = 64, .hz = 500e6, .worst_cpi = 100 };
	verdict_judge(&e, &j);
	assert_true(j.bounded);
	assert_false(j.plausible);
	assert_float_equal(j.bound_ns, 12 * 64 * 100 * 2.0, 1e-6);
	assert_non_null(strstr(j.bound, "not of this code"));
	/* of which some go to memory */
	e.b.loads += 500;		/* 5 and 2 an operation */
	e.b.stores -= 200;
	e.claim.miss = 100;
	e.claim.worst_cpi = 25;
	verdict_judge(&e, &j);
	assert_float_equal(j.bound_ns, 64 * (12 * 25 + 7 * 100) * 2.0, 1e-6);
	assert_non_null(strstr(j.bound, "768 instructions x 25 cycles and 448 loads and stores x 100 at 500 MHz"));
	e.claim.miss = 0;
	e.claim.worst_cpi = 100;
	e.claim.ns = -100000;
	verdict_judge(&e, &j);
	assert_true(j.plausible);
	assert_non_null(strstr(j.bound, "possible"));
	e.claimed = false;
	verdict_judge(&e, &j);
	assert_false(j.bounded);
}

static void words(void **state)
{
	(void)state;
	assert_string_equal(verdict_word(VERDICT_SAME_CODE), "SAME CODE");
	assert_string_equal(verdict_word(VERDICT_NOT_DETERMINISTIC), "NOT DETERMINISTIC");
	assert_float_equal(verdict_delta(10, 5, 0), 0, 0);
	assert_float_equal(verdict_delta(10, 5, 10), -0.5, 1e-12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_code),
		cmocka_unit_test(exact),
		cmocka_unit_test(layout),
		cmocka_unit_test(real),
		cmocka_unit_test(equivalent),
		cmocka_unit_test(undecided),
		cmocka_unit_test(not_observable),
		cmocka_unit_test(not_deterministic),
		cmocka_unit_test(bound),
		cmocka_unit_test(words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
