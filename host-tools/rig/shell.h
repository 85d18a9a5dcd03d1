/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A person in the guest: a shell on a virtio console, with the wires moving.
 */
#ifndef TAGRIG_RIG_SHELL_H
#define TAGRIG_RIG_SHELL_H

#include "vm.h"

/*
 * Connects stdin, and stderr for what comes back (stdout is for results), with
 * a shell in the guest, until that ends.  A terminal is in raw mode meanwhile;
 * the end of stdin is Ctrl-D to the shell.  The guest must have been started
 * with .shell.  0; -EPIPE when the guest is gone; as loop_wait().
 */
int shell_run(struct vm *vm);

#endif
