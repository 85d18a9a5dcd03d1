// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a lab builds without a kernel: frames, programs, directories.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "lab/build.h"
#include "lab/console.h"
#include "net/capture.h"

static char dir[] = "/tmp/test_lab_build.XXXXXX";
static struct lab_file lab;
static char why[LAB_WHY];

static const char *path_of(const char *name)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

static void frames(void **state)
{
	struct lab_workload w = {
		.frames = (char *)"udp 192.0.2.2:7 > 192.0.2.1:9 len 100 count 5",
		.frames_line = 7, .frames_column = 9, .gap_us = 20,
	};
	struct capture_packet p;
	struct capture *c;
	uint64_t n, i;

	(void)state;
	if (lab_build_frames(&lab, &w, path_of("f.pcap"), 1, &n, why))
		fail_msg("%s", why);
	assert_int_equal(n, 5);
	assert_int_equal(capture_open(&c, path_of("f.pcap")), 0);
	for (i = 0; i < 5; i++) {
		assert_int_equal(capture_next(c, &p), 1);
		assert_int_equal(p.time_ns, i * 20000);
		assert_int_equal(p.len, 14 + 20 + 8 + 100);
	}
	assert_int_equal(capture_next(c, &p), 0);
	capture_close(c);
	w.frames = NULL;
	assert_int_equal(lab_build_frames(&lab, &w, path_of("g.pcap"), 1, &n, why), 0);
	assert_int_equal(n, 0);
	assert_int_equal(access(path_of("g.pcap"), F_OK), -1);
}

static void bad_frames(void **state)
{
	struct lab_workload w = {
		.frames = (char *)"udp 192.0.2.2:7 > nowhere", .frames_line = 7, .frames_column = 9,
	};
	uint64_t n;

	(void)state;
	assert_true(lab_build_frames(&lab, &w, path_of("f.pcap"), 1, &n, why) < 0);
	assert_non_null(strstr(why, "x.lab:7:"));
}

/* A program that does not compile is told by its name. */
static void programs(void **state)
{
	FILE *f;

	(void)state;
	strcpy(lab.arch, "x86_64");
	lab.n_programs = 1;
	strcpy(lab.programs[0].name, "prog");
	lab.programs[0].source = (char *)"prog.c";
	f = fopen(path_of("prog.c"), "w");
	fputs("#include \"mark.h\"\nint main(void) { LAB_MARK(1); return 0; }\n", f);
	fclose(f);
	if (lab_build_programs(&lab, path_of("out"), why))
		fail_msg("%s", why);
	assert_int_equal(access(path_of("out/prog"), X_OK), 0);
	assert_int_equal(access(path_of("out/window"), X_OK), 0);
	lab.programs[0].source = (char *)"absent.c";
	assert_int_equal(lab_build_programs(&lab, path_of("out"), why), -EINVAL);
	assert_non_null(strstr(why, "absent.c"));
}

static void directories(void **state)
{
	struct stat st;

	(void)state;
	assert_int_equal(lab_mkdir(path_of("a/b/c")), 0);
	assert_int_equal(lab_mkdir(path_of("a/b/c")), 0);
	assert_int_equal(stat(path_of("a/b/c"), &st), 0);
	assert_true(S_ISDIR(st.st_mode));
	assert_true(lab_mkdir("/proc/no/such") < 0);
}

static void what_can_be_padded(void **state)
{
	struct lab_variant v = { .kind = LAB_DECLARE };

	(void)state;
	strcpy(lab.object, "a/b.o");
	assert_true(lab_can_pad(&lab, &v));
	v.kind = LAB_KCFLAGS;
	assert_false(lab_can_pad(&lab, &v));
	v.kind = LAB_PLAIN;
	lab.object[0] = '\0';
	assert_false(lab_can_pad(&lab, &v));
}

static int setup(void **state)
{
	(void)state;
	lab.path = (char *)"x.lab";
	lab.dir = dir;
	return mkdtemp(dir) ? 0 : -1;
}

static int teardown(void **state)
{
	char cmd[64];

	(void)state;
	snprintf(cmd, sizeof(cmd), "rm -rf %s", dir);
	return system(cmd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames),
		cmocka_unit_test(bad_frames),
		cmocka_unit_test(programs),
		cmocka_unit_test(directories),
		cmocka_unit_test(what_can_be_padded),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
