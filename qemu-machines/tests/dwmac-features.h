/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a MAC's hardware-feature registers advertise, and which test shows it.
 *
 * A table says of each bit (or field) that can be set which test in the same
 * program shows that it works; "other: ..." names one elsewhere.  A bit that is set
 * and that no row covers is advertised without a test, which is a failure; so is a
 * row whose test is gone.
 */
#ifndef TESTS_DWMAC_FEATURES_H
#define TESTS_DWMAC_FEATURES_H

#include <stdint.h>

struct feature {
	uint32_t off;		/* the register */
	uint32_t bits;
	const char *test;
};

/**
 * features_check: compare a register with its rows
 * @val: what register @off reads
 * @names: the program's tests, in an array of records of @stride bytes that begin
 *         with a name
 */
void features_check(const struct feature *f, unsigned n, uint32_t off, uint32_t val,
		    const void *names, unsigned n_names, unsigned stride);

#endif
