// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which instruction decoder belongs to an architecture.  A table of names and
 * nothing else; it leaves out every architecture that the lab does not run.
 */
#include <string.h>

#include "lab/insn.h"

static const struct {
	const char *name;
	insn_decode_fn *decode;
} decoders[] = {
	{ "aarch64",	insn_decode_arm64 },
	{ "arm64",	insn_decode_arm64 },
	{ "x86_64",	insn_decode_x86 },
	{ "x86",	insn_decode_x86 },
};

insn_decode_fn *insn_decoder(const char *arch)
{
	size_t i;

	for (i = 0; i < sizeof(decoders) / sizeof(decoders[0]); i++)
		if (!strcmp(decoders[i].name, arch))
			return decoders[i].decode;
	return NULL;
}
