// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Any text is parsed as a frame description without harm; a refusal has a
 * place and words; the frames of a description that asks for nothing wrong
 * have nothing wrong.
 */
#include <stdlib.h>
#include <string.h>

#include "net/desc.h"
#include "net/desc_internal.h"
#include "net/judge.h"

#define FRAMES 40

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint8_t storage[FRAME_STORAGE];

static void require(int holds)
{
	if (!holds)
		abort();
}

/* Is every frame of @d right?  Not to be known of raw IP, routes and tags. */
static bool all_right(const struct desc *d)
{
	return d->proto->csum >= 0 && d->csum.kind == DESC_GOOD &&
	       d->ipcsum.kind == DESC_GOOD && !d->iplen.given &&
	       !d->udplen.given && !d->truncate.given && !d->options && !d->tag;
}

static void build(struct desc *d)
{
	struct verdict v;
	struct frame f;
	int got = 1;

	for (int n = 0; n < FRAMES && got == 1; n++) {
		frame_init(&f, storage, sizeof(storage));
		got = desc_next(d, &f);
		if (got != 1)
			break;
		require(f.len > 0 && f.len <= FRAME_MAX);
		if (judge_frame(f.data, f.len, &v) == 1)
			require(!all_right(d));
	}
	require(got >= 0 || *desc_why(d));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct desc_error error;
	char *text = malloc(size + 1);
	struct desc *d;

	require(!!text);
	memcpy(text, data, size);
	text[size] = 0;
	d = desc_parse(text, "fuzz", 1, 1, 1, &error);
	if (d)
		build(d);
	else
		require(!strncmp(error.text, "fuzz:1:", 7));
	desc_free(d);
	free(text);
	return 0;
}
