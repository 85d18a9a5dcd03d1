/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the plugin of bench_nic counts, in a file that both map.
 *
 * The numbers only grow, and are those of the last access to a device; an
 * answer of the guest's agent is one.
 */
#ifndef TESTS_BENCH_EXITS_H
#define TESTS_BENCH_EXITS_H

#include <stdint.h>

struct exits {
	uint64_t on;		/* set by the reader: count from the next idle on */
	uint64_t insns;		/* that the guest executed */
	uint64_t devices;	/* loads and stores to devices */
	uint64_t gic;		/* and to the interrupt controller */
};

#endif
