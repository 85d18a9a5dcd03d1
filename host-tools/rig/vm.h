/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One guest: QEMU with the machine stmmac-virt, its QMP, its agent and the two
 * wires of its MACs.
 *
 * Every channel is a socket pair whose far end QEMU inherits, so nothing has a
 * name in the file system, nothing can be "in use", and nothing is left
 * behind.  QEMU dies with us, whatever way we end.
 */
#ifndef TAGRIG_RIG_VM_H
#define TAGRIG_RIG_VM_H

#include <stdint.h>
#include <sys/types.h>

#include "agent.h"
#include "qmp.h"

#define VM_WIRES 2

struct vm_config {
	const char *qemu;	/* the binary */
	const char *image;	/* kernel */
	const char *initrd;
	const char *machine;	/* options of -M stmmac-virt, or "" */
	const char *append;	/* kernel parameters besides the usual, or "" */
	const char *dir;	/* for console.log, qemu.log, agent.log */
	const char *const *extra;	/* more QEMU arguments, NULL-terminated, or NULL */
	const char *incoming;	/* a snapshot to start from, or NULL */
	uint64_t seed;
	unsigned int memory_mb;	/* 0: 256 */
	bool gdb;		/* wait for gdb on a local port */
	bool shell;		/* a virtio console for shell_run() */
};

struct vm {
	struct loop *loop;
	const struct vm_config *config;
	pid_t pid;		/* 0: not running */
	struct loop_source exit;	/* pidfd */
	int status;		/* of waitpid(), once .pid is 0 */
	bool stopping;		/* we asked for the end */
	bool panicked;		/* the guest's end was a panic */
	char event[64];		/* last QMP event that ends a guest, or empty */
	char migration[32];	/* status of the last one, as QEMU's event says it */
	struct qmp qmp;
	struct agent agent;
	FILE *agent_log;
	int wire[VM_WIRES];	/* our ends, the caller's to use; -1: given away */
	int shell;		/* our end of the console, or -1 */
	int64_t started_ms;	/* loop_now() at start */
	int64_t ready_ms;	/* and at the guest's greeting */
};

/*
 * Starts QEMU and opens QMP and the agent's channel; does not wait for the
 * guest.  When the guest later dies by itself, the loop fails with the reason.
 * On error *@why says what happened, and nothing is left running.
 */
int vm_start(struct vm *vm, const struct vm_config *c, struct loop *l,
	     const char **why);

/* Waits for the agent's greeting. */
int vm_wait_ready(struct vm *vm, int timeout_ms);

/*
 * A channel of the guest has closed: waits for QEMU's end, which tells why.
 * Returns the reason, or NULL when QEMU goes on without.
 */
const char *vm_why_gone(struct vm *vm);

/*
 * The first line of the console that has @needle, from there on, in @to; false
 * when none has.
 */
bool vm_console_has(const struct vm *vm, const char *needle, char *to, size_t size);

/* Ends QEMU by QMP, or by SIGKILL when it does not answer; closes all. */
void vm_stop(struct vm *vm);

/* Stops the guest and saves it to @path; it is of no more use afterwards. */
int vm_save(struct vm *vm, const char *path);

/* Prints the command line as a person would run it (wires as unix sockets). */
void vm_print(const struct vm_config *c, FILE *out);

#endif
