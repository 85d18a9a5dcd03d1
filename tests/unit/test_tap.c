// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Taps and interfaces of the host, in a network namespace of the test's own:
 * what one end sends the other receives; interfaces that vanish, that exist
 * already, that are somewhere else; no permission.
 *
 * Skipped where no namespace can be made; the reason is printed.
 */
#include <fcntl.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "net/tap.h"
#include "netns.h"

#define WAIT_MS	5000

static uint8_t storage[FRAME_STORAGE];

static struct tap *tap(const char *name)
{
	char why[WHY_SIZE];
	struct tap *t;

	if (tap_open(name, NULL, &t, why))
		fail_msg("%s", why);
	return t;
}

static struct frame marked(uint8_t mark, size_t len)
{
	static uint8_t bytes[FRAME_STORAGE];
	struct frame f;

	frame_init(&f, bytes, sizeof(bytes));
	frame_put(&f, len);
	memset(f.data, mark, len);
	memcpy(f.data, "\xff\xff\xff\xff\xff\xff\2\0\0\0\0\2\x88\xb5", 14);
	return f;
}

static bool is_marked(const struct frame *f, uint8_t mark, size_t len)
{
	struct frame want = marked(mark, len);

	return f->len == len && !memcmp(f->data, want.data, len);
}

static uint8_t unwanted;	/* a mark that must not come */

/* Reads until the marked frame comes; the host's own chatter is passed over. */
static void wait_for(int fd, int (*next)(void *from, struct frame *f), void *from,
		     uint8_t mark, size_t len)
{
	struct pollfd pfd = { .fd = fd, .events = POLLIN };
	struct frame f;
	int got;

	for (;;) {
		frame_init(&f, storage, sizeof(storage));
		got = next(from, &f);
		assert_true(got >= 0);
		assert_false(unwanted && is_marked(&f, unwanted, len));
		if (got && is_marked(&f, mark, len))
			return;
		if (!got && poll(&pfd, 1, WAIT_MS) != 1)
			fail_msg("expected a frame, found none in %d ms", WAIT_MS);
	}
}

static int next_tap(void *from, struct frame *f)
{
	return tap_read(from, f);
}

static int next_if(void *from, struct frame *f)
{
	return ifcap_read(from, f);
}

/* --- traffic ------------------------------------------------------------- */

static void both_ways(void **state)
{
	struct tap *t;
	struct ifcap *i;
	struct frame f;

	(void)state;
	need_namespace();
	t = tap("rig0");
	i = interface("rig0");
	for (int n = 0; n < 100; n++) {
		size_t len = 60 + n * 14;

		f = marked(n, len);
		assert_int_equal(tap_write(t, &f), 0);
		wait_for(ifcap_fd(i), next_if, i, n, len);
		assert_int_equal(ifcap_write(i, &f), 0);
		wait_for(tap_fd(t), next_tap, t, n, len);
	}
	assert_int_equal(ifcap_drops(i), 0);
	ifcap_close(i);
	tap_close(t);
	assert_int_equal(if_nametoindex("rig0"), 0);
	tap_close(NULL);
	ifcap_close(NULL);
}

/* What the interface sends itself is not received from it. */
static void no_echo_of_our_own(void **state)
{
	struct tap *t;
	struct ifcap *i;
	struct frame f;

	(void)state;
	need_namespace();
	t = tap("rig0");
	i = interface("rig0");
	f = marked(1, 100);
	assert_int_equal(ifcap_write(i, &f), 0);
	wait_for(tap_fd(t), next_tap, t, 1, 100);
	f = marked(2, 100);
	assert_int_equal(tap_write(t, &f), 0);
	unwanted = 1;
	wait_for(ifcap_fd(i), next_if, i, 2, 100);
	unwanted = 0;
	ifcap_close(i);
	tap_close(t);
}

static void no_room(void **state)
{
	uint8_t small[300];
	struct frame f;
	struct tap *t;

	(void)state;
	need_namespace();
	t = tap("rig0");
	frame_init(&f, small, FRAME_HEADROOM + FRAME_TAILROOM);
	assert_int_equal(tap_read(t, &f), -ENOBUFS);
	tap_close(t);
}

/* --- interfaces that are not there --------------------------------------- */

static void vanishes_under_traffic(void **state)
{
	struct tap *t;
	struct ifcap *i;
	struct pollfd pfd = { .events = POLLIN };
	struct frame f;
	int got;

	(void)state;
	need_namespace();
	t = tap("rig0");
	i = interface("rig0");
	f = marked(1, 100);
	assert_int_equal(tap_write(t, &f), 0);
	remove_link("rig0");
	assert_int_equal(tap_write(t, &f), -ENODEV);
	do {
		frame_init(&f, storage, sizeof(storage));
		got = tap_read(t, &f);
	} while (got == 1);
	assert_int_equal(got, -ENODEV);
	pfd.fd = ifcap_fd(i);
	do {
		assert_int_equal(poll(&pfd, 1, WAIT_MS), 1);
		frame_init(&f, storage, sizeof(storage));
		got = ifcap_read(i, &f);
	} while (got >= 0);
	assert_int_equal(got, -ENODEV);
	assert_true(strlen(ifcap_error(i)) > 0);
	ifcap_close(i);
	tap_close(t);
}

static void names(void **state)
{
	char why[WHY_SIZE];
	struct tap *t, *second;
	struct ifcap *i;

	(void)state;
	assert_int_equal(tap_open("a_name_too_long_for_it", NULL, &t, why), -EINVAL);
	assert_string_equal(why, "tap: expected a name of 1 to 15 bytes without blanks, / and %, found 'a_name_too_long_for_it'");
	assert_int_equal(tap_open("", NULL, &t, NULL), -EINVAL);
	assert_int_equal(tap_open("rig%d", NULL, &t, NULL), -EINVAL);
	need_namespace();
	t = tap("rig0");
	assert_int_equal(tap_open("rig0", NULL, &second, why), -EEXIST);
	assert_string_equal(why, "tap rig0: there is an interface of that name");
	tap_close(t);
	assert_int_equal(ifcap_open("rig7", &i, why), -ENODEV);
	assert_int_equal(strncmp(why, "interface rig7: ", 16), 0);
}

/* --- other namespaces ---------------------------------------------------- */

/* A process that holds a namespace of its own; its "/proc/.../ns/net". */
static pid_t hold_namespace(char *path, size_t size)
{
	int ready[2];
	char c;
	pid_t pid;

	assert_int_equal(pipe(ready), 0);
	pid = fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		c = unshare(CLONE_NEWNET) ? 'n' : 'y';
		if (write(ready[1], &c, 1) == 1)
			pause();
		_exit(0);
	}
	assert_int_equal(read(ready[0], &c, 1), 1);
	assert_int_equal(c, 'y');
	close(ready[0]);
	close(ready[1]);
	snprintf(path, size, "/proc/%d/ns/net", pid);
	return pid;
}

static void in_another_namespace(void **state)
{
	char path[64], why[WHY_SIZE];
	struct tap *here, *there, *other;
	struct ifcap *i;
	struct frame f;
	pid_t pid;
	int ns, back;

	(void)state;
	need_namespace();
	pid = hold_namespace(path, sizeof(path));
	if (tap_open("rig0", path, &there, why))
		fail_msg("%s", why);
	assert_int_equal(if_nametoindex("rig0"), 0);	/* we are back, it is there */
	here = tap("rig0");				/* same name, other place */

	back = open("/proc/self/ns/net", O_RDONLY);
	ns = open(path, O_RDONLY);
	assert_int_equal(setns(ns, CLONE_NEWNET), 0);
	i = interface("rig0");
	assert_int_equal(setns(back, CLONE_NEWNET), 0);
	f = marked(7, 200);
	assert_int_equal(tap_write(there, &f), 0);
	wait_for(ifcap_fd(i), next_if, i, 7, 200);

	assert_int_equal(tap_open("rig1", "no_such_ns", &other, why), -ENOENT);
	assert_string_equal(why, "network namespace no_such_ns: No such file or directory");
	assert_int_equal(tap_open("rig1", "/proc/self/ns/uts", &other, why), -EINVAL);
	assert_string_equal(why, "network namespace /proc/self/ns/uts: that is no network namespace");
	close(ns);
	close(back);
	ifcap_close(i);
	tap_close(here);
	tap_close(there);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* --- no permission ------------------------------------------------------- */

/* As nobody, in a process of its own. */
static void no_permission(void **state)
{
	int status;
	pid_t pid;

	(void)state;
	need_namespace();
	if (geteuid())
		skip();
	pid = fork();
	if (!pid) {
		char why[WHY_SIZE] = "";
		struct tap *t;
		struct ifcap *i;
		bool right;

		if (setresgid(65534, 65534, 65534) || setresuid(65534, 65534, 65534))
			_exit(2);
		right = tap_open("rig0", NULL, &t, why) == -EPERM &&
			!strcmp(why, "tap rig0: no permission (it takes CAP_NET_ADMIN)");
		right = right && ifcap_open("lo", &i, why) == -EPERM &&
			!strncmp(why, "interface lo: ", 14);
		_exit(right ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_ways),
		cmocka_unit_test(no_echo_of_our_own),
		cmocka_unit_test(no_room),
		cmocka_unit_test(vanishes_under_traffic),
		cmocka_unit_test(names),
		cmocka_unit_test(in_another_namespace),
		cmocka_unit_test(no_permission),
	};

	return cmocka_run_group_tests_name("tap", tests, own_namespace, NULL);
}
