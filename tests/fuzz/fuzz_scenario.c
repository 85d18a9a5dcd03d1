// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Scenario files of any bytes: read, or refused with a message that names the
 * file; never a crash.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "rig/scenario.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct scenario_list list = { 0 };
	char error[ERROR_SIZE], path[64];
	static int fd = -1;

	/* a table may be any file: not one that has no end */
	if (memmem(data, size, "table", 5) && memchr(data, '/', size))
		return 0;
	if (fd < 0)
		fd = memfd_create("scenario", 0);
	if (ftruncate(fd, 0) || pwrite(fd, data, size, 0) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (scenario_load(&list, path, error)) {
		/* a table of its own has another name */
		if (!error[0] || strchr(error, '\n') ||
		    (strncmp(error, path, strlen(path)) && !memmem(data, size, "table", 5)))
			abort();
	} else if (!list.count) {
		abort();
	}
	scenario_free(&list);
	return 0;
}
