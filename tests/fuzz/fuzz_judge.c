// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Any bytes are judged without harm, what the verdict says lies inside the
 * frame, and mending leaves nothing wrong and nothing to mend.
 */
#include <stdlib.h>
#include <string.h>

#include "net/judge.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int holds)
{
	if (!holds)
		abort();
}

static void check_bounds(const struct verdict *v, size_t len)
{
	char text[200], small[5];

	require(v->payload_offset <= len);
	require(v->payload_len <= len - v->payload_offset);
	require(v->padding <= len);
	require(v->vlans <= JUDGE_VLANS);
	require(v->ip.state == CSUM_NONE || v->ip.state == CSUM_NOT_CHECKABLE ||
		v->ip.offset + 2 <= len);
	require(v->l4.state == CSUM_NONE || v->l4.state == CSUM_NOT_CHECKABLE ||
		v->l4.offset + 2 <= len);
	require(!!v->ip.reason == (v->ip.state == CSUM_NOT_CHECKABLE));
	require(!!v->l4.reason == (v->l4.state == CSUM_NOT_CHECKABLE));
	require(!!v->l4.kind == (v->l4.state == CSUM_WRONG));
	require(strlen(judge_text(v, text, sizeof(text))) < sizeof(text));
	require(strlen(judge_text(v, small, sizeof(small))) < sizeof(small));
}

/* The first byte says how much of the end is a tail tag. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct verdict v;
	uint8_t *copy;
	size_t tail, len;

	if (!size || size > 65536)
		return 0;
	tail = *data % 16;
	size--;
	tail = tail < size ? tail : size;
	len = size - tail;
	copy = malloc(size ? size : 1);		/* so that ASan knows its end */
	require(!!copy);
	memcpy(copy, data + 1, size);
	if (judge_frame_wire(copy, len, size, &v) >= 0) {
		check_bounds(&v, len);
		require(judge_mend(copy, len) >= 0);
		require(judge_frame(copy, len, &v) == 0);
		check_bounds(&v, len);
		require(judge_mend(copy, len) == 0);
	}
	free(copy);
	return 0;
}
