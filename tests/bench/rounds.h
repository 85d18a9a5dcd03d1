/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What benchmarks that measure in rounds say of a figure: the middle of the
 * rounds, the smallest and the largest.
 */
#ifndef TESTS_BENCH_ROUNDS_H
#define TESTS_BENCH_ROUNDS_H

#include <stdlib.h>

static inline int rounds_compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/* Smallest first: v[0], v[n / 2] and v[n - 1] are what is said. */
static inline void rounds_sort(double *v, size_t n)
{
	qsort(v, n, sizeof(*v), rounds_compare);
}

#endif
