/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs one scenario in a guest that is up, and says what came of it.
 */
#ifndef TAGRIG_RIG_EXEC_H
#define TAGRIG_RIG_EXEC_H

#include "bridge.h"
#include "ktap.h"
#include "scenario.h"
#include "vm.h"

struct exec {
	struct loop *loop;
	struct vm *vm;
	struct ktap *ktap;
	const struct scenario *scenario;
	enum kernel_state state;	/* what the label says of this kernel */
	uint64_t seed;
	struct pcapng *capture;		/* or NULL */
	bool shell;			/* one in the guest, behind the set-up */

	/* results */
	uint64_t frames;		/* judged */
	unsigned int broken;		/* tests that showed the bug */
	unsigned int fixed;		/* tests that would have, and did not */
	unsigned int untold;		/* tests that failed and showed nothing */
};

/*
 * One KTAP line a test.  0 when the scenario ran to its end (whatever its
 * tests said); else negative errno, after the tests that could not run were
 * reported as failed with @e->loop's reason.
 */
int exec_scenario(struct exec *e);

#endif
