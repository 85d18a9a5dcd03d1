// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Statistics of interleaved runs, with GSL's random numbers and quantiles.
 *
 * The test is a paired permutation test: were A and B the same, each block's
 * effect could as well have the other sign; p is the share of sign patterns
 * whose mean is at least as far from zero as the one seen (all patterns up to
 * 14 blocks, else a fixed number of random ones).  It assumes no distribution,
 * which matters because run times are skewed and have tails.
 *
 * The minimal detectable effect is found by experiment on the same scatter:
 * the residuals are drawn again, an effect is added, a test is run; the effect
 * that it finds in 80 % of the experiments is the answer.  There the test is
 * Student's, to which the permutation test is close and which is a thousand
 * times cheaper; a unit test holds the answer against the permutation test.
 *
 * Left out: corrections for several comparisons; a lab with many variants
 * reports each against the same base, and a reader must count them.
 */
#include <errno.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_statistics_double.h>
#include <gsl/gsl_sort_double.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lab/stats.h"

#define EXACT_BLOCKS	14		/* 2^14 patterns */
#define PERMUTATIONS	9999
#define BOOTSTRAPS	4999
#define MDE_EXPERIMENTS	500
#define MDE_STEPS	10

static gsl_rng *new_rng(unsigned long seed)
{
	gsl_rng *r = gsl_rng_alloc(gsl_rng_mt19937);

	gsl_rng_set(r, seed);
	return r;
}

static double mean(const double *x, size_t n)
{
	return gsl_stats_mean(x, 1, n);
}

/* Sums are compared: a hair's breadth of rounding must not break a tie. */
static bool as_far(double sum, double seen)
{
	return fabs(sum) >= fabs(seen) * (1 - 1e-12);
}

static double signed_sum(const double *x, size_t n, unsigned long pattern)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < n; i++)
		sum += pattern >> i & 1 ? -x[i] : x[i];
	return sum;
}

static double exact_p(const double *x, size_t n)
{
	unsigned long pattern, all = 1ul << n, far = 0;
	double seen = signed_sum(x, n, 0);

	for (pattern = 0; pattern < all; pattern++)
		far += as_far(signed_sum(x, n, pattern), seen);
	return (double)far / all;
}

static double random_sum(const double *x, size_t n, gsl_rng *r)
{
	unsigned long bits = 0;
	double sum = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		if (i % 32 == 0)
			bits = gsl_rng_get(r);
		sum += bits & 1 ? -x[i] : x[i];
		bits >>= 1;
	}
	return sum;
}

/* The pattern that was seen is one of those drawn: p is never 0. */
static double random_p(const double *x, size_t n, gsl_rng *r)
{
	double seen = mean(x, n) * n;
	unsigned int i, far = 1;

	for (i = 0; i < PERMUTATIONS; i++)
		far += as_far(random_sum(x, n, r), seen);
	return (double)far / (PERMUTATIONS + 1);
}

double stats_permutation_p(const double *effects, size_t n, unsigned long seed)
{
	gsl_rng *r;
	double p;

	if (n <= EXACT_BLOCKS)
		return exact_p(effects, n);
	r = new_rng(seed);
	p = random_p(effects, n, r);
	gsl_rng_free(r);
	return p;
}

void stats_bootstrap(const double *effects, size_t n, double level, unsigned long seed,
		     double *lo, double *hi)
{
	double *means = malloc(BOOTSTRAPS * sizeof(*means));
	gsl_rng *r = new_rng(seed);
	size_t i, k;

	for (i = 0; means && i < BOOTSTRAPS; i++) {
		means[i] = 0;
		for (k = 0; k < n; k++)
			means[i] += effects[gsl_rng_uniform_int(r, n)] / n;
	}
	*lo = *hi = NAN;
	if (means) {
		gsl_sort(means, 1, BOOTSTRAPS);
		*lo = gsl_stats_quantile_from_sorted_data(means, 1, BOOTSTRAPS, (1 - level) / 2);
		*hi = gsl_stats_quantile_from_sorted_data(means, 1, BOOTSTRAPS, (1 + level) / 2);
	}
	free(means);
	gsl_rng_free(r);
}

/* Sum of squares between layouts: how far their means lie apart. */
static double between(const double *x, const unsigned int *layout, size_t n,
		      unsigned int layouts, double *sums, unsigned int *counts)
{
	double ss = 0, all = mean(x, n);
	unsigned int l;
	size_t i;

	memset(sums, 0, layouts * sizeof(*sums));
	memset(counts, 0, layouts * sizeof(*counts));
	for (i = 0; i < n; i++) {
		sums[layout[i]] += x[i];
		counts[layout[i]]++;
	}
	for (l = 0; l < layouts; l++)
		if (counts[l])
			ss += counts[l] * pow(sums[l] / counts[l] - all, 2);
	return ss;
}

static double shuffled_p(double *x, const unsigned int *layout, size_t n,
			 unsigned int layouts, gsl_rng *r)
{
	double *sums = calloc(layouts, sizeof(*sums)), seen;
	unsigned int *counts = calloc(layouts, sizeof(*counts));
	unsigned int i, far = 1;

	seen = between(x, layout, n, layouts, sums, counts);
	for (i = 0; i < PERMUTATIONS; i++) {
		gsl_ran_shuffle(r, x, n, sizeof(*x));
		far += as_far(between(x, layout, n, layouts, sums, counts), seen);
	}
	free(sums);
	free(counts);
	return (double)far / (PERMUTATIONS + 1);
}

static unsigned int count_layouts(const unsigned int *layout, size_t n)
{
	unsigned int max = 0;
	size_t i;

	for (i = 0; i < n; i++)
		max = layout[i] > max ? layout[i] : max;
	return max + 1;
}

double stats_layout_p(const double *effects, const unsigned int *layout, size_t n,
		      unsigned long seed)
{
	unsigned int layouts = count_layouts(layout, n);
	double *x, p = 1;
	gsl_rng *r;

	if (layouts < 2)
		return 1;
	x = malloc(n * sizeof(*x));
	r = new_rng(seed);
	if (x) {
		memcpy(x, effects, n * sizeof(*x));
		p = shuffled_p(x, layout, n, layouts, r);
	}
	free(x);
	gsl_rng_free(r);
	return p;
}

/* One experiment on this scatter: does the test see @effect? */
static bool is_seen(double effect, const double *residuals, size_t n, double critical,
		    gsl_rng *r)
{
	double sum = 0, squares = 0, x, variance;
	size_t i;

	for (i = 0; i < n; i++) {
		x = effect + residuals[gsl_rng_uniform_int(r, n)];
		sum += x;
		squares += x * x;
	}
	variance = (squares - sum * sum / n) / (n - 1);
	return fabs(sum) > critical * sqrt(fmax(variance, 0) * n);
}

static double power_at(double effect, const double *residuals, size_t n, double critical,
		       gsl_rng *r)
{
	unsigned int e, found = 0;

	for (e = 0; e < MDE_EXPERIMENTS; e++)
		found += is_seen(effect, residuals, n, critical, r);
	return (double)found / MDE_EXPERIMENTS;
}

/*
 * Bisection between nothing and an effect that cannot be missed.  Residuals
 * around a mean scatter less than the noise that they come from; the factor
 * n / (n - 1) under the root makes up for that.
 */
double stats_mde(const double *effects, size_t n, unsigned long seed)
{
	double *residuals = malloc(n * sizeof(*residuals));
	double critical = gsl_cdf_tdist_Pinv(1 - STATS_ALPHA / 2, n - 1);
	double m = mean(effects, n), lo = 0, hi = 0, mid;
	gsl_rng *r = new_rng(seed);
	unsigned int step;
	size_t i;

	for (i = 0; residuals && i < n; i++)
		residuals[i] = (effects[i] - m) * sqrt(n / (n - 1.0));
	if (residuals)
		hi = 8 * gsl_stats_sd(effects, 1, n) / sqrt(n);
	for (step = 0; residuals && step < MDE_STEPS; step++) {
		mid = (lo + hi) / 2;
		if (power_at(mid, residuals, n, critical, r) < STATS_POWER)
			lo = mid;
		else
			hi = mid;
	}
	free(residuals);
	gsl_rng_free(r);
	return residuals ? (lo + hi) / 2 : NAN;
}

static int log_effects(const struct stats_block *blocks, size_t n, double *effects,
		       unsigned int *layout)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (!(blocks[i].a > 0) || !(blocks[i].b > 0) || isinf(blocks[i].a) ||
		    isinf(blocks[i].b))
			return -EINVAL;
		effects[i] = log(blocks[i].b / blocks[i].a);
		layout[i] = blocks[i].layout;
	}
	return 0;
}

static void compare(const double *effects, const unsigned int *layout, size_t n,
		    unsigned long seed, struct stats_result *res)
{
	res->blocks = n;
	res->layouts = count_layouts(layout, n);
	res->effect = expm1(mean(effects, n));
	stats_bootstrap(effects, n, 0.95, seed, &res->lo, &res->hi);
	stats_bootstrap(effects, n, 0.90, seed, &res->eq_lo, &res->eq_hi);
	res->lo = expm1(res->lo);
	res->hi = expm1(res->hi);
	res->eq_lo = expm1(res->eq_lo);
	res->eq_hi = expm1(res->eq_hi);
	res->p = stats_permutation_p(effects, n, seed);
	res->p_layout = stats_layout_p(effects, layout, n, seed);
	res->mde = expm1(stats_mde(effects, n, seed));
}

int stats_compare(const struct stats_block *blocks, size_t n, unsigned long seed,
		  struct stats_result *result)
{
	double *effects = calloc(n + 1, sizeof(*effects));
	unsigned int *layout = calloc(n + 1, sizeof(*layout));
	int err = -ENOMEM;

	if (effects && layout)
		err = n < STATS_MIN_BLOCKS ? -EINVAL : log_effects(blocks, n, effects, layout);
	if (!err)
		compare(effects, layout, n, seed, result);
	free(effects);
	free(layout);
	return err;
}
