// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The lab's parsers: experiment files, guests' consoles, tables of times,
 * reports of the plugin, and both instruction decoders.  The first byte says
 * which.
 *
 * Its sources are included, because the fuzzers link neither elfutils nor GSL
 * and these need none.
 */
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../host-tools/lab/console.c"
#undef PREFIX
#include "../../host-tools/lab/counts.c"
#undef VERSION
#include "../../host-tools/lab/insn-arm64.c"
#undef BITS
#include "../../host-tools/lab/insn-x86.c"
#undef M
#undef R
#undef W
#undef G
#undef J
#include "../../host-tools/lab/insn.c"
#include "../../host-tools/lab/labfile.c"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void as_labfile(const char *path)
{
	static struct lab_file lab;
	char error[ERROR_SIZE], *header;
	size_t i;

	if (labfile_load(&lab, path, error)) {
		if (!error[0])
			__builtin_trap();
		return;
	}
	for (i = 0; i < lab.n_variants; i++) {
		header = labfile_header(&lab, &lab.variants[i]);
		free(header);
	}
	labfile_free(&lab);
}

static void as_console(const char *path)
{
	static struct console c;

	console_read(path, &c);
}

static void as_counts(const char *path)
{
	char why[256] = "", where[64];
	struct counts *c = counts_load(path, why);

	if (c && counts_differ(c, c, where, sizeof(where)))
		__builtin_trap();
	if (!c && !why[0])
		__builtin_trap();
	counts_free(c);
}

/* An instruction is never longer than what there is of it, nor empty. */
static void as_code(const uint8_t *data, size_t size)
{
	struct insn insn;

	if (!insn_decode_x86(data, size, 0x1000, &insn) && (!insn.len || insn.len > size))
		__builtin_trap();
	if (!insn_decode_arm64(data, size, 0x1000, &insn) && size < 4)
		__builtin_trap();
	insn_after_call_x86(data, size);
	insn_after_call_arm64(data, size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static void (*const parsers[])(const char *path) = { as_labfile, as_console, as_counts };
	char path[64];
	int fd;

	if (size < 1)
		return 0;
	if (data[0] % 4 == 3) {
		as_code(data + 1, size - 1);
		return 0;
	}
	fd = memfd_create("lab", 0);
	if (fd < 0 || write(fd, data + 1, size - 1) != (ssize_t)(size - 1))
		return 0;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	parsers[data[0] % 4](path);
	close(fd);
	return 0;
}
