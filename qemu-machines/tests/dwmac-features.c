// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Advertised features and their tests: see dwmac-features.h.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include "dwmac-features.h"
#include "qtest.h"

static bool is_test(const char *name, const void *names, unsigned n, unsigned stride)
{
	if (!strncmp(name, "other: ", 7))
		return true;
	for (unsigned i = 0; i < n; i++)
		if (!strcmp(name, *(const char *const *)((const char *)names + i * stride)))
			return true;
	return false;
}

void features_check(const struct feature *f, unsigned n, uint32_t off, uint32_t val,
		    const void *names, unsigned n_names, unsigned stride)
{
	uint32_t shown = 0;

	for (unsigned i = 0; i < n; i++) {
		if (f[i].off != off)
			continue;
		shown |= f[i].bits;
		if (!CHECK(is_test(f[i].test, names, n_names, stride)))
			printf("# register 0x%04x, bits 0x%08x: no test '%s'\n", off, f[i].bits,
			       f[i].test);
	}
	if (!CHECK_EQ(val & ~shown, 0))
		printf("# register 0x%04x: advertised without a test\n", off);
}
