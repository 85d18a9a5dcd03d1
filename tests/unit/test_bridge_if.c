// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * "tagrig bridge" with taps and interfaces of the host, in a network namespace
 * of the test's own: traffic both ways, a tap in another namespace, interfaces
 * that vanish under traffic, no permission, nothing left behind.
 *
 * Skipped where no namespace can be made; the reason is printed.
 */
#include <net/if.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "bridge_run.h"
#include "net/tap.h"
#include "netns.h"

#define NOBODY	65534

static uint8_t storage[FRAME_STORAGE];

static int set_up(void **state)
{
	return own_namespace(state) ?: make_dir(state);
}

/* Reads the interface until the marked frame comes; the host's own are passed over. */
static void wait_mark(struct ifcap *i, unsigned int mark)
{
	struct pollfd pfd = { .fd = ifcap_fd(i), .events = POLLIN };
	struct frame f;
	int got;

	for (;;) {
		frame_init(&f, storage, sizeof(storage));
		got = ifcap_read(i, &f);
		assert_true(got >= 0);
		if (got && f.len >= 60 && !memcmp(f.data + 12, "\x88\xb5", 2) &&
		    mark_of(&f) == mark)
			return;
		if (!got && poll(&pfd, 1, WAIT_MS) != 1)
			fail_msg("expected frame %u, found none; %.2000s", mark, bridge.said);
	}
}

/* The next frame of ours that QEMU gets, passing over the host's own. */
static uint32_t next_mark(struct frame *f)
{
	uint32_t ports;

	do
		ports = qemu_receive(f);
	while (memcmp(f->data + 12, "\x88\xb5", 2) != 0);
	return ports;
}

static void tap_both_ways(void **state)
{
	struct ifcap *i;
	struct frame f;

	(void)state;
	need_namespace();
	start_with("edsa", "-j none tap:rig1 none none");
	i = interface("rig1");
	for (unsigned int n = 0; n < 100; n++) {
		marked(&f, storage, sizeof(storage), n, 60 + n);
		qemu_send(&f, 2);
		wait_mark(i, n);
		marked(&f, storage, sizeof(storage), n, 60 + n);
		assert_int_equal(ifcap_write(i, &f), 0);
		assert_int_equal(next_mark(&f), 2);
		assert_int_equal(mark_of(&f), n);
	}
	ifcap_close(i);
	assert_int_equal(interrupt(), 0);
	assert_int_equal(number("lan1", "out", "frames"), 100);
	assert_true(number("lan1", "in", "frames") >= 100);
	assert_int_equal(number("lan1", "drops", "tap-queue"), 0);
	assert_int_equal(if_nametoindex("rig1"), 0);
}

/* How many frames of ours have come to QEMU by now. */
static unsigned int take_marks(void)
{
	struct tag_meta meta;
	unsigned int n = 0;
	struct frame f;

	assert_true(stream_fill(bridge.qemu) >= 0);
	while (stream_next(bridge.qemu, &f) == 1) {
		assert_int_equal(tag_pull(bridge.tag, TAG_TO_CPU, &meta, &f, NULL), 0);
		n += !memcmp(f.data + 12, "\x88\xb5", 2);
	}
	return n;
}

/* What the interface could not queue while the guest did not read is counted. */
static void tap_that_is_not_read(void **state)
{
	int64_t end = clock_ms() + WAIT_MS;
	struct pollfd pfd = { .events = POLLIN };
	const unsigned int sent = 5000;
	unsigned int got = 0;
	struct ifcap *i;
	struct frame f;

	(void)state;
	need_namespace();
	start_with("edsa", "-j tap:rig0 none none none");
	wait_said("QEMU is connected");		/* before that they have nowhere to go */
	pfd.fd = stream_fd(bridge.qemu);
	i = interface("rig0");
	for (unsigned int n = 0; n < sent; n++) {
		marked(&f, storage, sizeof(storage), n, 1500);
		assert_int_equal(ifcap_write(i, &f), 0);
	}
	ifcap_close(i);
	assert_true(ask("lan0", "drops", "tap-queue") > 0);
	/* each of them comes, or is counted; the host's own may be dropped, too */
	while (got + ask("lan0", "drops", "tap-queue") < sent) {
		assert_true(clock_ms() < end);
		while (poll(&pfd, 1, 50) == 1)
			got += take_marks();
	}
	assert_true(got > 0 && got < sent);
	assert_int_equal(interrupt(), 0);
}

/* An interface that is down takes nothing; that is counted, and passes. */
static void tap_that_is_down(void **state)
{
	struct ifcap *i;
	struct frame f;

	(void)state;
	need_namespace();
	if (system("command -v ip >/dev/null")) {
		print_message("# SKIP there is no ip\n");
		skip();
	}
	start_with("edsa", "-j tap:rig0 none none none");
	assert_int_equal(shell("ip link set rig0 down"), 0);
	marked(&f, storage, sizeof(storage), 1, 60);
	qemu_send(&f, 1);
	wait_number("lan0", "drops", "far-end-down", 1);
	assert_int_equal(shell("ip link set rig0 up"), 0);
	i = interface("rig0");
	marked(&f, storage, sizeof(storage), 2, 60);
	qemu_send(&f, 1);
	wait_mark(i, 2);
	ifcap_close(i);
	assert_int_equal(interrupt(), 0);
}

/* A tap in a namespace with a name, as "ip netns add" makes it. */
static void tap_in_a_namespace(void **state)
{
	(void)state;
	need_namespace();
	if (system("command -v ip >/dev/null") || shell("ip netns add rigtest 2>&1")) {
		print_message("# SKIP ip netns add: %s\n", bridge.said);
		skip();
	}
	start_with("edsa", "tap:rig0,netns=rigtest none none none");
	assert_int_equal(if_nametoindex("rig0"), 0);
	assert_int_equal(shell("ip -n rigtest link show rig0"), 0);
	must_say("UP");
	assert_int_equal(interrupt(), 0);
	assert_int_equal(shell("ip -n rigtest link show rig0 2>&1"), 1);
	shell("ip netns del rigtest");
	start("--listen wire --tag edsa tap:rig0,netns=rigtest");
	assert_int_equal(ended(), 1);
	must_say("tagrig bridge: lan0: network namespace rigtest: No such file or directory\n");
}

static void interface_both_ways(void **state)
{
	char why[WHY_SIZE];
	struct pollfd pfd = { .events = POLLIN };
	struct frame f;
	struct tap *t;

	(void)state;
	need_namespace();
	if (tap_open("rig0", NULL, &t, why))
		fail_msg("%s", why);
	pfd.fd = tap_fd(t);
	start_with("ksz8795", "-j none none if:rig0");
	wait_said("QEMU is connected");
	for (unsigned int n = 0; n < 100; n++) {
		marked(&f, storage, sizeof(storage), n, 60 + n);
		assert_int_equal(tap_write(t, &f), 0);
		assert_int_equal(next_mark(&f), 4);
		assert_int_equal(mark_of(&f), n);
		marked(&f, storage, sizeof(storage), n, 60 + n);
		qemu_send(&f, 4);
		do {
			assert_int_equal(poll(&pfd, 1, WAIT_MS), 1);
			frame_init(&f, storage, sizeof(storage));
			assert_true(tap_read(t, &f) >= 0);
		} while (f.len < 18 || memcmp(f.data + 12, "\x88\xb5", 2) || mark_of(&f) != n);
	}
	tap_close(t);
	assert_int_equal(ended(), 1);
	must_say("tagrig bridge: lan2: interface: ");
	assert_int_equal(number("lan2", "out", "frames"), 100);
}

static void tap_that_vanishes(void **state)
{
	struct frame f;
	struct ifcap *i;

	(void)state;
	need_namespace();
	start_with("edsa", "none tap:rig1 none none");
	i = interface("rig1");
	for (unsigned int n = 0; n < 50; n++) {
		marked(&f, storage, sizeof(storage), n, 600);
		qemu_send(&f, 2);
		marked(&f, storage, sizeof(storage), n, 600);
		assert_int_equal(ifcap_write(i, &f), 0);
	}
	ifcap_close(i);
	remove_link("rig1");
	assert_int_equal(ended(), 1);
	must_say("tagrig bridge: lan1: the tap's interface is gone\n");
	must_say("lan1     in");	/* and the statistics, still */
	assert_int_equal(access("wire", F_OK), -1);
}

static void what_cannot_be_had(void **state)
{
	(void)state;
	need_namespace();
	start("--listen wire --tag edsa tap:lo");
	assert_int_equal(ended(), 1);
	must_say("tagrig bridge: lan0: tap lo: ");
	start("--listen wire --tag edsa tap:this-name-is-too-long");
	assert_int_equal(ended(), 2);
	must_say("tagrig bridge: lan0: tap: expected a name of 1 to 15 bytes");
	start("--listen wire --tag edsa if:rig77");
	assert_int_equal(ended(), 1);
	must_say("tagrig bridge: lan0: interface rig77: ");
	must_say("No such device");
	assert_ptr_equal(strchr(bridge.said, '\n'), strrchr(bridge.said, '\n'));
}

static __attribute__((format(printf, 1, 2))) void start_as_nobody(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	start_as(NOBODY, fmt, ap);
	va_end(ap);
}

/* As a user without privilege: the user network serves, the others say why not. */
static void without_privilege(void **state)
{
	(void)state;
	need_namespace();
	/* the program may be where another user cannot go */
	assert_int_equal(chmod(dir, 0777), 0);
	assert_int_equal(shell("cp %s for-nobody", tagrig()), 0);
	program = "./for-nobody";
	start_as_nobody("--listen wire --tag edsa tap:rig0");
	assert_int_equal(ended(), 1);
	must_say("tagrig bridge: lan0: tap rig0: no permission (it takes CAP_NET_ADMIN)\n");
	start_as_nobody("--listen wire --tag edsa if:lo");
	assert_int_equal(ended(), 1);
	must_say("tagrig bridge: lan0: interface lo: ");
	must_say("ermi");
	start_as_nobody("--listen wire --tag edsa slirp");
	bridge.tag = tag_by_name("edsa");
	wait_said("listening at wire");
	assert_int_equal(interrupt(), 0);
	program = NULL;
}

#define TEST(f)	cmocka_unit_test_teardown(f, kill_bridge)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(tap_both_ways),
		TEST(tap_that_is_not_read),
		TEST(tap_that_is_down),
		TEST(tap_in_a_namespace),
		TEST(interface_both_ways),
		TEST(tap_that_vanishes),
		TEST(what_cannot_be_had),
		TEST(without_privilege),
	};

	signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, set_up, remove_dir);
}
