/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The subcommands of tagrig.  Each gets its own argv (argv[0] is its name) and
 * returns an exit status: 0 pass, 1 fail, 2 usage, 4 skip.
 */
#ifndef TAGRIG_CMD_H
#define TAGRIG_CMD_H

int cmd_run(int argc, char **argv);
int cmd_lint(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_gen(int argc, char **argv);
int cmd_tags(int argc, char **argv);
int cmd_bridge(int argc, char **argv);
int cmd_lab(int argc, char **argv);
int cmd_kernels(int argc, char **argv);

#endif
