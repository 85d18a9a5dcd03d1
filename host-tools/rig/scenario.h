/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scenario files (.rig): what they say, before anything runs.  The language is
 * described in tagrig-rig(5).
 *
 * A file with variables is several scenarios: one for each combination of
 * their values (and of each row of its table), put into the text before it is
 * parsed.
 */
#ifndef TAGRIG_RIG_SCENARIO_H
#define TAGRIG_RIG_SCENARIO_H

#include <stdbool.h>
#include <stddef.h>

#include "pattern.h"

#define SCENARIO_LABELS	4
#define SCENARIO_ADDRS	4
#define SCENARIO_DATA	1000	/* bytes that "connect" sends: one segment */

enum step_kind {
	STEP_TEST,
	STEP_GUEST,
	STEP_START,
	STEP_PEER,
	STEP_SEND,
	STEP_CONNECT,
	STEP_REPLAY,
	STEP_FAULT,
	STEP_LINK,
	STEP_EXPECT,
	STEP_INSTEAD,
};

enum expect_kind {
	EXPECT_FRAMES,		/* frames that came out of a port */
	EXPECT_NEVER,		/* none so far in this test */
	EXPECT_COUNTER,		/* a counter of the guest */
	EXPECT_JOB,		/* what a started command printed */
	EXPECT_DMESG,		/* a line of the kernel's log, or none */
	EXPECT_ALIVE,		/* the guest answers */
	EXPECT_PANIC,		/* the guest has panicked, with this on its console */
	EXPECT_BADTAG,		/* frames whose tag cannot be read */
};

struct expect {
	enum expect_kind kind;
	char port[16];
	struct pattern pattern;
	unsigned long count;	/* frames: at least so many */
	bool csum_given;
	bool ordered;		/* frames: behind those of the expectation above */
	char name[96];		/* counter, job, dmesg or badtag pattern */
	char field[64];		/* of a job's JSON */
	bool relative;		/* counter: since the test began */
	bool absent;		/* dmesg: must not be there */
	long value;
	int within_ms;
};

struct step {
	enum step_kind kind;
	unsigned int line;
	unsigned int column;	/* of .text */
	char *text;		/* name, command, frame description, value, or the line for messages */
	char name[32];		/* of a job, or a port */
	char property[48];	/* fault: of the MAC */
	bool up;		/* link */
	int exit;		/* a command's status that is no failure */
	int within_ms;		/* a command's time */
	char ready[32];		/* start: prefix of the line to wait for, or empty */
	char addr[SCENARIO_ADDRS][48];	/* peer */
	unsigned int addrs;
	unsigned int data;	/* connect: bytes */
	bool bad;		/* connect: with a wrong checksum */
	struct expect expect;
};

/* A MAC that a file can name. */
struct scenario_mac {
	const char *word;	/* as the file names it */
	const char *machine;	/* as the machine's mac0= and mac1= name it */
	const char *type;	/* QOM type, for -global */
	const char *properties;	/* that make it this one, "a=b c=d", or "" */
};

enum switch_kind { SWITCH_NONE, SWITCH_MV88E6352, SWITCH_RIG };

struct scenario_label {
	bool fixed;		/* else broken */
	char what[64];		/* commit or version */
};

struct scenario {
	char *file;
	char *title;
	char variant[160];	/* "tag=edsa ip=4", or empty */
	struct scenario_label label[SCENARIO_LABELS];
	unsigned int labels;
	const struct scenario_mac *model;
	char mac[256];		/* QEMU -global properties, "rx-coe=2 ..." */
	bool smmu;		/* the MACs are behind one */
	enum switch_kind sw;
	char tag[32];
	unsigned int ports;
	unsigned int index;	/* of the switch in its tree */
	char *kernel;		/* parameters, or "" */
	char *table;		/* the file that its variables are from, or NULL */
	struct step *steps;
	size_t count;
};

/* Which combinations of variables are taken: @name has one of these values. */
struct scenario_filter {
	const char *name;
	const char *values;	/* separated by commas */
	bool without;		/* has none of them */
};

struct scenario_list {
	struct scenario *v;
	size_t count;
	const struct scenario_filter *filter;	/* all must let a scenario through */
	unsigned int filters;
};

/*
 * Reads @path and appends its scenarios to @list.  -EINVAL and other negative
 * errno with "FILE:LINE:COLUMN: expected X, found Y" in @error (ERROR_SIZE).
 */
int scenario_load(struct scenario_list *list, const char *path, char *error);
void scenario_free(struct scenario_list *list);

enum kernel_state { KERNEL_UNKNOWN, KERNEL_BROKEN, KERNEL_FIXED };

/*
 * What the file says of a kernel: by commits first, as @kernel_dir/label knows
 * them, then by versions against @release (uname -r).
 */
enum kernel_state scenario_says(const struct scenario *s, const char *kernel_dir,
				const char *release);

#endif
