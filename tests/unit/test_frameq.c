// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Queues of frames: order and contents under any mix of pushes and pops, the
 * mark, frames that do not fit.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "net/frameq.h"

static uint8_t bytes[FRAME_MAX + 1], storage[FRAME_STORAGE];

static struct frame numbered(unsigned int n, size_t len)
{
	memset(bytes, n, len);
	return (struct frame){ .data = bytes, .len = len, .start = bytes, .end = bytes + len };
}

static size_t length_of(unsigned int n)
{
	return n % 37 ? n * 7919u % 1600 : n * 7919u % (FRAME_MAX + 1);
}

/* Grows, shrinks, empties; a second count keeps the books. */
static void any_mix(void **state)
{
	struct frameq q = { .limit = 100000 };
	unsigned int seed = 1, in = 0, out = 0;
	struct frame f;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		if (rand_r(&seed) % 100 < (i / 2000 % 2 ? 40 : 60)) {
			f = numbered(in, length_of(in));
			assert_int_equal(frameq_push(&q, &f), 0);
			in++;
		} else {
			frame_init(&f, storage, sizeof(storage));
			assert_int_equal(frameq_pop(&q, &f), out < in);
			if (out == in)
				continue;
			assert_int_equal(f.len, length_of(out));
			assert_true(!f.len || (f.data[0] == (uint8_t)out &&
					       f.data[f.len - 1] == (uint8_t)out));
			out++;
		}
		assert_int_equal(q.frames, in - out);
	}
	assert_int_equal(frameq_clear(&q), in - out);
	assert_true(frameq_is_empty(&q));
	frameq_free(&q);
}

static void mark(void **state)
{
	struct frameq q = { .limit = 1000 };
	struct frame f = numbered(1, 496), seen;

	(void)state;
	assert_false(frameq_is_full(&q));
	assert_int_equal(frameq_peek(&q, &seen), 0);
	frameq_drop(&q);
	assert_int_equal(frameq_push(&q, &f), 0);
	assert_false(frameq_is_full(&q));
	assert_int_equal(frameq_push(&q, &f), 0);
	assert_true(frameq_is_full(&q));
	/* one more is never lost */
	assert_int_equal(frameq_push(&q, &f), 0);
	assert_int_equal(frameq_peek(&q, &seen), 1);
	assert_int_equal(seen.len, 496);
	frameq_drop(&q);
	frameq_drop(&q);
	assert_false(frameq_is_full(&q));
	frameq_free(&q);
}

static void what_does_not_fit(void **state)
{
	struct frameq q = { .limit = 1000 };
	struct frame f = numbered(1, FRAME_MAX + 1);

	(void)state;
	assert_int_equal(frameq_push(&q, &f), -EMSGSIZE);
	f = numbered(1, FRAME_MAX);
	assert_int_equal(frameq_push(&q, &f), 0);
	frame_init(&f, storage, 1000);
	assert_int_equal(frameq_pop(&q, &f), -ENOBUFS);
	frame_init(&f, storage, sizeof(storage));
	assert_int_equal(frameq_pop(&q, &f), 1);
	assert_int_equal(f.len, FRAME_MAX);
	frameq_free(&q);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_mix),
		cmocka_unit_test(mark),
		cmocka_unit_test(what_does_not_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
