// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Parts of a run in processes: their results in order, never more at a time than
 * there are slots, and slots of a process that was killed come back.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "rig/workers.h"

#define SLOTS 2
#define PARTS 12
#define GROUPS 3

/* What all processes see. */
struct shared {
	atomic_int now, most;	/* innermost workers */
};

struct test {
	struct shared *shared;
	struct ktap ktap;
	struct loop loop;
	struct slots *slots;
	unsigned int holder;
	unsigned int done[PARTS];
	unsigned int dones;
	bool die;		/* group 0 kills itself */
};

static json_t *innermost(void *ctx, unsigned int i, struct ktap *k)
{
	struct test *t = ctx;
	int now = atomic_fetch_add(&t->shared->now, 1) + 1, most;
	char name[32];

	for (most = t->shared->most; now > most;) {
		if (atomic_compare_exchange_weak(&t->shared->most, &most, now))
			break;
	}
	snprintf(name, sizeof(name), "part %u", i);
	ktap_check(k, i == 3 ? KTAP_FAIL : KTAP_PASS, name, NULL, NULL);
	atomic_fetch_sub(&t->shared->now, 1);
	return json_integer(i);
}

static void note_done(void *ctx, unsigned int i, json_t *extra)
{
	struct test *t = ctx;

	assert_int_equal(json_integer_value(extra), i);
	t->done[t->dones++] = i;
}

static const char *name_of(void *ctx, unsigned int i)
{
	static char name[32];

	(void)ctx;
	snprintf(name, sizeof(name), "group %u", i);
	return name;
}

static struct workers workers(struct test *t)
{
	return (struct workers){
		.ktap = &t->ktap, .loop = &t->loop, .ctx = t, .work = innermost,
		.done = note_done, .name = name_of, .slots = t->slots,
		.holder = t->holder, .at_once = PARTS,
	};
}

static json_t *group(void *ctx, unsigned int i, struct ktap *k)
{
	struct test *t = ctx;
	struct workers w;

	loop_close(&t->loop);
	if (loop_init(&t->loop))
		return NULL;
	t->holder = i;
	if (t->die && i == 0) {
		while (slots_take(t->slots, 0))
			;
		raise(SIGKILL);
	}
	w = workers(t);
	ktap_down(k, name_of(NULL, i));
	workers_run(&w, PARTS);
	ktap_up(k);
	return json_integer(i);
}

static void begin(struct test *t, FILE **out)
{
	t->shared = mmap(NULL, sizeof(*t->shared), PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(t->shared != MAP_FAILED);
	*out = tmpfile();
	assert_int_equal(loop_init(&t->loop), 0);
	ktap_begin(&t->ktap, *out, NULL);
}

static void end(struct test *t, FILE *out, struct ktap_totals *totals)
{
	json_decref(ktap_end(&t->ktap, totals));
	loop_close(&t->loop);
	fclose(out);
	munmap(t->shared, sizeof(*t->shared));
}

static void in_order(void **state)
{
	struct test t = { 0 };
	struct ktap_totals totals;
	struct workers w;
	unsigned int i;
	FILE *out;

	(void)state;
	begin(&t, &out);
	w = workers(&t);
	w.at_once = 4;
	assert_int_equal(workers_run(&w, PARTS), 0);
	assert_int_equal(t.dones, PARTS);
	for (i = 0; i < PARTS; i++)
		assert_int_equal(t.done[i], i);
	end(&t, out, &totals);
	assert_int_equal(totals.passed, PARTS - 1);
	assert_int_equal(totals.failed, 1);
}

/* Groups of workers that share the slots; @die: the first one dies with all. */
static void groups(bool die, unsigned int passed, unsigned int failed)
{
	struct test t = { .die = die };
	struct ktap_totals totals;
	struct slots slots;
	struct workers w;
	FILE *out;

	assert_int_equal(slots_open(&slots, SLOTS, GROUPS), 0);
	t.slots = &slots;
	begin(&t, &out);
	w = workers(&t);
	w.work = group;
	w.slots = NULL;
	w.theirs = &slots;
	w.at_once = die ? 1 : GROUPS;
	assert_int_equal(workers_run(&w, GROUPS), 0);
	assert_in_range(t.shared->most, 1, SLOTS);
	/* all slots are back, and no more than that */
	assert_true(slots_take(&slots, 0) && slots_take(&slots, 0));
	assert_false(slots_take(&slots, 0));
	end(&t, out, &totals);
	slots_close(&slots);
	assert_int_equal(totals.passed, passed);
	assert_int_equal(totals.failed, failed);
}

static void shared_slots(void **state)
{
	(void)state;
	groups(false, GROUPS * (PARTS - 1), GROUPS);
}

static void killed_holder(void **state)
{
	(void)state;
	groups(true, (GROUPS - 1) * (PARTS - 1), GROUPS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(in_order),
		cmocka_unit_test(shared_slots),
		cmocka_unit_test(killed_holder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
