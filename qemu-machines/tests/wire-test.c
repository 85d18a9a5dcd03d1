// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The wire: a pcap that is played at times of the virtual clock, and a record
 * of what comes out.  Its far end is a cable of the test, through a hub.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "gmac-mdio.h"

#define MACHINE "virt"
#define HUB	"-netdev hubport,hubid=0,id=far -netdev hubport,hubid=0,id=near,netdev=w0 "
#define WIRE	"/machine/peripheral/wire"

static char dir[] = "/tmp/wire-test.XXXXXX";
static char in[64], out[64];

static void put32(FILE *f, uint32_t v, bool big)
{
	for (int i = 0; i < 4; i++)
		fputc(v >> 8 * (big ? 3 - i : i) & 0xff, f);
}

static void put_header(FILE *f, uint32_t magic, uint32_t type, bool big)
{
	put32(f, magic, big);
	if (big)
		put32(f, 2 << 16 | 4, big);
	else
		put32(f, 4 << 16 | 2, big);
	put32(f, 0, big);
	put32(f, 0, big);
	put32(f, 65535, big);
	put32(f, type, big);
}

/* Frame @n: 60 + n bytes, its number in each. */
static void put_frame(FILE *f, unsigned n, uint32_t sec, uint32_t fraction, bool big)
{
	put32(f, sec, big);
	put32(f, fraction, big);
	put32(f, 60 + n, big);
	put32(f, 60 + n, big);
	for (unsigned i = 0; i < 60 + n; i++)
		fputc(0x10 + n, f);
}

/* Three frames: at 0, 1 ms and 3 ms. */
static void write_pcap(uint32_t magic, uint32_t type, bool big)
{
	uint32_t ms = magic == 0xa1b2c3d4 ? 1000 : 1000000;
	FILE *f = fopen(in, "w");

	put_header(f, magic, type, big);
	put_frame(f, 0, 7, 0, big);
	put_frame(f, 1, 7, 1 * ms, big);
	put_frame(f, 2, 7, 3 * ms, big);
	fclose(f);
}

static Qtest *start(const char *options)
{
	char all[512];

	snprintf(all, sizeof(all), HUB "-device wire,id=wire,netdev=far,pcap=%s,record=%s%s",
		 in, out, options);
	return qtest_start(MACHINE, all, 1);
}

static bool has(Qtest *q, const char *property, const char *value)
{
	char ask[256], answer[64];

	snprintf(ask, sizeof(ask), "{\"execute\":\"qom-get\",\"arguments\":{\"path\":\"" WIRE
		 "\",\"property\":\"%s\"}}", property);
	snprintf(answer, sizeof(answer), "{\"return\": %s}", value);
	return qtest_qmp_has(q, ask, answer);
}

static void check_frame(Qtest *q, unsigned n)
{
	uint8_t buf[256];
	size_t len = wire_recv(q, 0, buf, sizeof(buf), 5000);

	CHECK_EQ(len, 60 + n);
	CHECK_EQ(buf[0], 0x10 + n);
	CHECK_EQ(buf[59 + n], 0x10 + n);
}

static void test_times(uint32_t magic, bool big, const char *name)
{
	Qtest *q;

	write_pcap(magic, 1, big);
	q = start(",start=5000000");
	qtest_clock_step(q, 4999999);
	CHECK(has(q, "played", "0"));
	qtest_clock_step(q, 1);
	CHECK(has(q, "played", "1"));
	check_frame(q, 0);
	qtest_clock_step(q, 999999);
	CHECK(has(q, "played", "1"));
	qtest_clock_step(q, 1);
	CHECK(has(q, "played", "2"));
	check_frame(q, 1);
	CHECK(has(q, "playing", "true"));
	qtest_clock_step(q, 2000000);
	check_frame(q, 2);
	CHECK(has(q, "playing", "false"));
	qtest_stop(q);
	ktap_result(name);
}

static void test_gap(void)
{
	Qtest *q;

	write_pcap(0xa1b2c3d4, 1, false);
	q = start(",start=100,gap=10,repeat=2");
	qtest_clock_step(q, 100);
	CHECK(has(q, "played", "1"));
	qtest_clock_step(q, 49);
	CHECK(has(q, "played", "5"));
	qtest_clock_step(q, 1);
	CHECK(has(q, "played", "6"));
	for (unsigned i = 0; i < 6; i++)
		check_frame(q, i % 3);
	qtest_stop(q);
	/* without gap= a repetition begins when the last frame is due */
	q = start(",start=100,repeat=2");
	qtest_clock_step(q, 3000099);
	CHECK(has(q, "played", "2"));
	qtest_clock_step(q, 1);
	CHECK(has(q, "played", "4"));
	qtest_clock_step(q, 3000000);
	CHECK(has(q, "played", "6"));
	qtest_stop(q);
	ktap_result("gap and repeat");
}

static void test_trigger(void)
{
	uint8_t noise[60] = { 1 }, go[60] = { 2 };
	Qtest *q;

	write_pcap(0xa1b2c3d4, 1, false);
	memcpy(go + 40, "go now", 6);
	q = start(",trigger=go,delay=2000");
	wire_send(q, 0, noise, sizeof(noise));
	CHECK_SOON(has(q, "recorded", "1"));
	CHECK(has(q, "playing", "false"));
	wire_send(q, 0, go, sizeof(go));
	CHECK_SOON(has(q, "recorded", "2"));
	CHECK(has(q, "playing", "true"));
	qtest_clock_step(q, 1999);
	CHECK(has(q, "played", "0"));
	qtest_clock_step(q, 1);
	CHECK(has(q, "played", "1"));
	qtest_clock_step(q, 10000000);
	CHECK(has(q, "played", "3"));
	/* once is enough */
	wire_send(q, 0, go, sizeof(go));
	CHECK_SOON(has(q, "recorded", "3"));
	CHECK(has(q, "playing", "false"));
	qtest_stop(q);
	ktap_result("a frame of the guest starts the playing, once");
}

static uint32_t get32(const uint8_t *p)
{
	return p[0] | p[1] << 8 | p[2] << 16 | (uint32_t)p[3] << 24;
}

static void test_record(void)
{
	uint8_t a[60] = { 0xaa }, b[70] = { 0xbb }, file[512];
	Qtest *q;
	FILE *f;

	write_pcap(0xa1b2c3d4, 1, false);
	q = start("");
	qtest_clock_step(q, 1500000000);
	wire_send(q, 0, a, sizeof(a));
	CHECK_SOON(has(q, "recorded", "1"));
	qtest_clock_step(q, 1000);
	wire_send(q, 0, b, sizeof(b));
	CHECK_SOON(has(q, "recorded", "2"));
	qtest_stop(q);
	f = fopen(out, "r");
	CHECK_EQ(fread(file, 1, sizeof(file), f), 24 + 16 + 60 + 16 + 70);
	fclose(f);
	CHECK_EQ(get32(file), 0xa1b23c4d);
	CHECK_EQ(get32(file + 20), 1);
	CHECK_EQ(get32(file + 24), 1);
	CHECK_EQ(get32(file + 28), 500000000);
	CHECK_EQ(get32(file + 32), 60);
	CHECK_EQ(file[40], 0xaa);
	CHECK_EQ(get32(file + 100 + 4), 500001000);
	CHECK_EQ(get32(file + 100 + 12), 70);
	CHECK_EQ(file[116], 0xbb);
	ktap_result("what comes out is recorded with virtual times");
}

static void test_set(void)
{
	Qtest *q;

	write_pcap(0xa1b2c3d4, 1, false);
	q = start("");
	qtest_clock_step(q, 10000000);
	CHECK(has(q, "played", "0"));
	CHECK(qom_set(q, WIRE, "playing", "true"));
	qtest_clock_step(q, 1);
	CHECK(has(q, "played", "1"));
	CHECK(qom_set(q, WIRE, "playing", "false"));
	qtest_clock_step(q, 10000000);
	CHECK(has(q, "played", "1"));
	qtest_stop(q);
	ktap_result("playing can be set");
}

static void test_migration(void)
{
	char options[512], file[80];
	Qtest *q;

	write_pcap(0xa1b2c3d4, 1, false);
	snprintf(file, sizeof(file), "%s/state", dir);
	snprintf(options, sizeof(options), "-netdev hubport,hubid=0,id=far "
		 "-device wire,id=wire,netdev=far,pcap=%s,start=0", in);
	q = qtest_start(MACHINE, options, 0);
	qtest_clock_step(q, 1500000);
	CHECK(has(q, "played", "2"));
	q = migrate_and_restart(q, MACHINE, options, file);
	CHECK(has(q, "played", "2"));
	CHECK(has(q, "playing", "true"));
	/* qtest's own clock begins at 0 again */
	qtest_clock_step(q, 2999999);
	CHECK(has(q, "played", "2"));
	qtest_clock_step(q, 1);
	CHECK(has(q, "played", "3"));
	qtest_stop(q);
	ktap_result("playing goes on after a snapshot");
}

static void check_refused(const char *pcap, const char *says)
{
	const char *qemu = getenv("QEMU");
	char cmd[1024], line[512] = "";
	FILE *f;

	snprintf(cmd, sizeof(cmd), "%s -machine " MACHINE " -accel qtest -display none "
		 "-nodefaults -netdev hubport,hubid=0,id=far -device wire,netdev=far,pcap=%s 2>&1",
		 qemu ? qemu : "qemu-system-aarch64", pcap);
	f = popen(cmd, "r");
	while (fgets(line, sizeof(line), f) && !strstr(line, says))
		;
	CHECK(strstr(line, says));
	CHECK(pclose(f) != 0);
}

static void test_bad_files(void)
{
	FILE *f;

	check_refused("/nonexistent", "/nonexistent");
	f = fopen(in, "w");
	fputs("this is no pcap file at all", f);
	fclose(f);
	check_refused(in, "expected a pcap file");
	write_pcap(0xa1b2c3d4, 113, false);
	check_refused(in, "found link type 113");
	write_pcap(0xa1b2c3d4, 1, false);
	CHECK(truncate(in, 24 + 16 + 60 + 10) == 0);
	check_refused(in, "frame 2: the file ends in its header");
	write_pcap(0xa1b2c3d4, 1, false);
	CHECK(truncate(in, 24 + 16 + 30) == 0);
	check_refused(in, "frame 1: expected 60 bytes, found 30");
	f = fopen(in, "w");
	put_header(f, 0xa1b2c3d4, 1, false);
	put_frame(f, 0, 7, 0, false);
	put_frame(f, 1, 6, 0, false);
	fclose(f);
	check_refused(in, "frame 2: its time is before");
	ktap_result("a file that cannot be played is refused");
}

int main(void)
{
	if (!mkdtemp(dir))
		return 1;
	snprintf(in, sizeof(in), "%s/in.pcap", dir);
	snprintf(out, sizeof(out), "%s/out.pcap", dir);
	ktap_plan(10);
	test_times(0xa1b2c3d4, false, "frames at their times, microseconds");
	test_times(0xa1b2c3d4, true, "microseconds, big-endian");
	test_times(0xa1b23c4d, false, "nanoseconds");
	test_times(0xa1b23c4d, true, "nanoseconds, big-endian");
	test_gap();
	test_trigger();
	test_record();
	test_set();
	test_migration();
	test_bad_files();
	unlink(in);
	unlink(out);
	rmdir(dir);
	return ktap_end();
}
