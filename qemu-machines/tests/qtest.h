/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A client of QEMU's qtest protocol, and KTAP output.
 *
 * QEMU runs as a child with no CPU of its own: the test reads and writes
 * guest memory and registers over one socket, moves the clock, sees an
 * interrupt line, and has the far ends of network cables in hand.  All of
 * them are socket pairs, so nothing is left in the file system.
 *
 * Whatever goes wrong with QEMU itself ends the program with one line: a test
 * cannot go on without it.
 */
#ifndef TESTS_QTEST_H
#define TESTS_QTEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define QTEST_WIRES 2
#define QTEST_RAM   0x40000000u /* where arm's virt board has it */

typedef struct Qtest Qtest;

/**
 * qtest_start: run QEMU ($QEMU) with a machine and more options
 * @machine: value of -machine
 * @options: further options, separated by blanks; may be empty
 * @cables: netdevs w0, w1... whose far ends are wire 0, 1...
 *
 * A QMP monitor is there as well, for qtest_qmp().
 */
Qtest *qtest_start(const char *machine, const char *options, unsigned cables);
void qtest_stop(Qtest *q);

uint32_t qtest_readl(Qtest *q, uint64_t addr);
void qtest_writel(Qtest *q, uint64_t addr, uint32_t val);
void qtest_memread(Qtest *q, uint64_t addr, void *buf, size_t len);
void qtest_memwrite(Qtest *q, uint64_t addr, const void *buf, size_t len);
/* Moves the virtual clock and runs the timers that are due. */
void qtest_clock_step(Qtest *q, int64_t ns);

/* From now on qtest_irq() is the level of output 0 of this device. */
void qtest_watch_irq(Qtest *q, const char *qom_path);
bool qtest_irq(Qtest *q);

/* Sets a named GPIO input of a device. */
void qtest_set_input(Qtest *q, const char *qom_path, const char *name, unsigned n, bool level);

/* Runs one QMP command line; true if it returned without an error. */
bool qtest_qmp(Qtest *q, const char *json);
/* As qtest_qmp(), and is @needle in the answer? */
bool qtest_qmp_has(Qtest *q, const char *json, const char *needle);

/* Sets a number among a device's properties. */
bool qtest_set(Qtest *q, const char *qom_path, const char *property,
	       unsigned val);

/* Saves the machine into a file; it stands then. */
void qtest_save(Qtest *q, const char *path);
/*
 * Loads it into a machine that was started with -incoming defer.  Without the
 * RARP frames by which QEMU otherwise announces a guest that has moved.
 */
void qtest_load(Qtest *q, const char *path);

/* A frame without FCS into the machine. */
void wire_send(Qtest *q, unsigned wire, const void *frame, size_t len);
/* A frame that the machine sent; 0 if there is none within @ms. */
size_t wire_recv(Qtest *q, unsigned wire, void *frame, size_t max, int ms);

/* As wire_send(), but what does not fit into the socket is dropped. */
void wire_offer(Qtest *q, unsigned wire, const void *frame, size_t len);

/* ---- for who expects QEMU to fail ---- */

/**
 * qtest_post: send command lines without waiting for their answers
 * Returns 0, or -ECONNRESET when QEMU is gone.
 */
int qtest_post(Qtest *q, const char *lines, size_t len);
/**
 * qtest_settle: wait for the answers to all that was posted
 * Frames that come out of the machine meanwhile are thrown away.  Returns 0,
 * -ETIMEDOUT when nothing comes for @ms, or -ECONNRESET when QEMU is gone.
 */
int qtest_settle(Qtest *q, int ms);

/* CPU time that QEMU has taken so far; 0 when it is gone. */
int64_t qtest_cpu_ms(Qtest *q);

/* The next of a row of numbers that @state, which is not 0, decides (xorshift). */
uint32_t qtest_random(uint32_t *state);

/* ---- KTAP ---- */

/* Fails the running test and says where; the test goes on. */
#define CHECK(cond) \
	ktap_check(cond, __FILE__, __LINE__, #cond)
#define CHECK_EQ(have, want) \
	ktap_check_eq(have, want, __FILE__, __LINE__, #have)
/* Waits until the condition holds (five seconds of real time), then checks. */
#define CHECK_SOON(cond) do { \
	int64_t end_ = ktap_now_ms() + 5000; \
	while (!(cond) && ktap_now_ms() < end_) \
		; \
	CHECK(cond); \
} while (0)

bool ktap_check(bool good, const char *file, int line, const char *what);
bool ktap_check_eq(uint64_t have, uint64_t want, const char *file, int line,
		   const char *what);
int64_t ktap_now_ms(void);
void ktap_plan(unsigned tests);
/* Ends a test: prints its line. */
void ktap_result(const char *name);
/* The exit status: 0 if all passed. */
int ktap_end(void);

#endif
