// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The lab's statistics: against values that can be worked out by hand, and by
 * simulation: a test must raise false alarms as often as it says, and find the
 * effect that it calls detectable as often as it says.  All seeds are fixed.
 */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "lab/stats.h"

#define N(a)	(sizeof(a) / sizeof((a)[0]))

static void between(const char *what, double value, double lo, double hi)
{
	if (!(value >= lo && value <= hi))
		fail_msg("%s is %g, not in %g..%g", what, value, lo, hi);
}

/* All signs equal: only the pattern seen and its mirror are as far out. */
static void exact_permutation(void **state)
{
	static const double same[] = { 1, 2, 3, 4, 5, 6 };
	static const double one[] = { 1, 1, 1, 1, 1, -1 };
	static const double none[] = { 0, 0, 0, 0 };

	(void)state;
	between("p", stats_permutation_p(same, 6, 1), 2 / 64.0, 2 / 64.0);
	/* |sum| >= 4: at most one sign off, either way: 2 + 12 of 64 */
	between("p", stats_permutation_p(one, 6, 1), 14 / 64.0, 14 / 64.0);
	between("p", stats_permutation_p(none, 4, 1), 1, 1);
}

static void gaussian(gsl_rng *r, double sd, double *x, size_t n)
{
	while (n--)
		*x++ = gsl_ran_gaussian(r, sd);
}

/* Skewed, and with a tail: what run times look like. */
static void skewed(gsl_rng *r, double sd, double *x, size_t n)
{
	while (n--)
		*x++ = sd * (gsl_ran_lognormal(r, 0, 0.7) - exp(0.245)) / 0.99;
}

typedef void noise_fn(gsl_rng *r, double sd, double *x, size_t n);

static void false_alarms(void **state)
{
	gsl_rng *r = gsl_rng_alloc(gsl_rng_mt19937);
	unsigned int i, alarms = 0;
	double x[20];

	(void)state;
	gsl_rng_set(r, 7);
	for (i = 0; i < 600; i++) {
		gaussian(r, 0.03, x, N(x));
		alarms += stats_permutation_p(x, N(x), i) < STATS_ALPHA;
	}
	gsl_rng_free(r);
	/* 5 % of 600, and three standard deviations around it */
	between("false alarms", alarms / 600.0, 0.024, 0.077);
}

static double found_at_mde(noise_fn *noise, size_t n, unsigned long seed)
{
	gsl_rng *r = gsl_rng_alloc(gsl_rng_mt19937);
	unsigned int i, k, found = 0, rounds = 150;
	double aa[40], x[40], mde;

	gsl_rng_set(r, seed);
	for (i = 0; i < rounds; i++) {
		noise(r, 0.02, aa, n);
		mde = stats_mde(aa, n, i);
		noise(r, 0.02, x, n);
		for (k = 0; k < n; k++)
			x[k] += mde;
		found += stats_permutation_p(x, n, i) < STATS_ALPHA;
	}
	gsl_rng_free(r);
	return (double)found / rounds;
}

/* What is stated from one set of runs is found in another one, 4 times in 5. */
static void mde_is_found(void **state)
{
	(void)state;
	between("gaussian noise", found_at_mde(gaussian, 40, 11), 0.72, 0.88);
	between("skewed noise", found_at_mde(skewed, 40, 13), 0.72, 0.88);
	between("few blocks", found_at_mde(gaussian, 12, 19), 0.68, 0.88);
}

static void mde_scales(void **state)
{
	gsl_rng *r = gsl_rng_alloc(gsl_rng_mt19937);
	double x[32], y[32], m;
	size_t i;

	(void)state;
	gsl_rng_set(r, 3);
	gaussian(r, 0.01, x, N(x));
	for (i = 0; i < N(x); i++)
		y[i] = 3 * x[i] + 0.5;		/* three times the noise, and an effect */
	m = stats_mde(x, N(x), 5);
	/* (1.96 + 0.84) * 0.01 / sqrt(32) = 0.00495 for the true deviation */
	between("mde", m, 0.0035, 0.0070);
	between("ratio", stats_mde(y, N(y), 5) / m, 2.99, 3.01);
	gsl_rng_free(r);
}

static void interval_covers(void **state)
{
	gsl_rng *r = gsl_rng_alloc(gsl_rng_mt19937);
	unsigned int i, k, covers = 0;
	double x[30], lo, hi;

	(void)state;
	gsl_rng_set(r, 17);
	for (i = 0; i < 300; i++) {
		gaussian(r, 0.05, x, N(x));
		for (k = 0; k < N(x); k++)
			x[k] += 0.1;
		stats_bootstrap(x, N(x), 0.95, i, &lo, &hi);
		covers += lo <= 0.1 && 0.1 <= hi;
	}
	gsl_rng_free(r);
	between("coverage", covers / 300.0, 0.89, 0.985);
}

static void layouts_are_told(void **state)
{
	gsl_rng *r = gsl_rng_alloc(gsl_rng_mt19937);
	unsigned int layout[32];
	double x[32];
	size_t i;

	(void)state;
	gsl_rng_set(r, 23);
	gaussian(r, 0.01, x, N(x));
	for (i = 0; i < N(x); i++)
		layout[i] = i % 8;
	between("p without", stats_layout_p(x, layout, N(x), 1), 0.05, 1);
	for (i = 0; i < N(x); i++)
		x[i] += layout[i] == 3 ? 0.05 : 0;
	between("p with", stats_layout_p(x, layout, N(x), 1), 0, 0.01);
	for (i = 0; i < N(x); i++)
		layout[i] = 0;
	between("p of one", stats_layout_p(x, layout, N(x), 1), 1, 1);
	gsl_rng_free(r);
}

static void whole_comparison(void **state)
{
	struct stats_block b[24];
	struct stats_result x, y;
	gsl_rng *r = gsl_rng_alloc(gsl_rng_mt19937);
	size_t i;

	(void)state;
	gsl_rng_set(r, 29);
	for (i = 0; i < N(b); i++) {
		b[i].a = 1000 * exp(gsl_ran_gaussian(r, 0.005));
		b[i].b = 1030 * exp(gsl_ran_gaussian(r, 0.005));
		b[i].layout = i % 4;
	}
	gsl_rng_free(r);
	assert_int_equal(stats_compare(b, N(b), 1, &x), 0);
	between("effect", x.effect, 0.026, 0.034);
	between("p", x.p, 0, 0.001);
	assert_true(x.lo < 0.03 && 0.03 < x.hi);
	assert_true(x.lo < x.eq_lo && x.eq_hi < x.hi);
	assert_true(x.mde < x.effect);
	assert_int_equal(x.layouts, 4);
	assert_int_equal(stats_compare(b, N(b), 1, &y), 0);
	assert_memory_equal(&x, &y, sizeof(x));
}

static void bad_blocks(void **state)
{
	struct stats_block b[8];
	struct stats_result r;
	size_t i;

	(void)state;
	for (i = 0; i < N(b); i++)
		b[i] = (struct stats_block){ 1, 1, 0 };
	assert_int_equal(stats_compare(b, STATS_MIN_BLOCKS - 1, 1, &r), -EINVAL);
	assert_int_equal(stats_compare(b, 0, 1, &r), -EINVAL);
	b[3].a = 0;
	assert_int_equal(stats_compare(b, N(b), 1, &r), -EINVAL);
	b[3].a = NAN;
	assert_int_equal(stats_compare(b, N(b), 1, &r), -EINVAL);
	b[3].a = INFINITY;
	assert_int_equal(stats_compare(b, N(b), 1, &r), -EINVAL);
	b[3].a = 1;
	assert_int_equal(stats_compare(b, N(b), 1, &r), 0);	/* no scatter at all */
	between("p", r.p, 1, 1);
	between("mde", r.mde, 0, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exact_permutation),
		cmocka_unit_test(false_alarms),
		cmocka_unit_test(mde_is_found),
		cmocka_unit_test(mde_scales),
		cmocka_unit_test(interval_covers),
		cmocka_unit_test(layouts_are_told),
		cmocka_unit_test(whole_comparison),
		cmocka_unit_test(bad_blocks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
