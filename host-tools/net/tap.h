/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A tap as a port's far end: an interface of this or another network
 * namespace whose other side is this program.  It is made by tap_open(), is
 * up, and is gone when it is closed, however the program ends.
 */
#ifndef TAGRIG_NET_TAP_H
#define TAGRIG_NET_TAP_H

#include "net/why.h"
#include "tag/frame.h"

struct tap;

/*
 * Makes tap @name (at most 15 bytes) in network namespace @netns: a name as
 * "ip netns" has it, a path to a namespace file, or NULL for our own.
 * -EPERM: no permission, which a test takes as a reason to skip; -EEXIST: there
 * is an interface of that name; -ENOENT: no such namespace, or no tun driver.
 */
int tap_open(const char *name, const char *netns, struct tap **out, char *why);

/* NULL is allowed. */
void tap_close(struct tap *t);

/* To poll for reading. */
int tap_fd(const struct tap *t);

/*
 * Appends the next frame to @f, which is set up empty.  1, or 0 when there is
 * none; -ENODEV: the interface was removed under us; -ENOBUFS: no room.
 */
int tap_read(struct tap *t, struct frame *f);

/* Sends a frame.  0, -EAGAIN, -ENODEV as above, or another -errno. */
int tap_write(struct tap *t, const struct frame *f);

/* Frames that the interface dropped because tap_read() was too slow. */
uint64_t tap_drops(struct tap *t);

#endif
