/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a set of timed runs can tell, and what it cannot.
 *
 * A block is four runs in the order A B B A, so that a drift that is linear
 * over the block cancels.  Its effect is the logarithm of B's time over A's;
 * effects are given back as a fraction (0.02: B takes 2 % longer).  No value is
 * ever thrown away.  All randomness comes from the seed that is handed in, so
 * that the same runs give the same answer.
 */
#ifndef TAGRIG_LAB_STATS_H
#define TAGRIG_LAB_STATS_H

#include <stddef.h>

struct stats_block {
	double a, b;		/* mean time of the two runs of each, any unit, > 0 */
	unsigned int layout;	/* which placement of the code it ran with */
};

struct stats_result {
	size_t blocks, layouts;
	double effect;		/* B against A */
	double lo, hi;		/* 95 % bootstrap interval of it */
	double eq_lo, eq_hi;	/* 90 %: inside a margin means equivalent at 5 % */
	double p;		/* of no effect: paired permutation test, two-sided */
	double p_layout;	/* of an effect that is the same under all layouts; 1: one layout */
	double mde;		/* smallest effect that this many blocks find 4 times in 5 */
};

#define STATS_ALPHA	0.05	/* what a test calls a difference */
#define STATS_POWER	0.80	/* what the minimal detectable effect promises */
#define STATS_MIN_BLOCKS 6	/* with fewer, no arrangement of signs has p < 0.05 */

/*
 * Compares the blocks of an experiment.  -EINVAL: fewer than STATS_MIN_BLOCKS,
 * or a time that is no positive number.
 */
int stats_compare(const struct stats_block *blocks, size_t n, unsigned long seed,
		  struct stats_result *result);

/* The parts, on log effects; for tests, and for other tables. */
double stats_permutation_p(const double *effects, size_t n, unsigned long seed);
void stats_bootstrap(const double *effects, size_t n, double level, unsigned long seed,
		     double *lo, double *hi);
double stats_layout_p(const double *effects, const unsigned int *layout, size_t n,
		      unsigned long seed);
/* From the scatter of @effects around their mean: as a log effect. */
double stats_mde(const double *effects, size_t n, unsigned long seed);

#endif
