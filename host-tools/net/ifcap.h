/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An interface of the host as a port's far end, through libpcap: frames that
 * it receives come in, frames written to it are sent.
 */
#ifndef TAGRIG_NET_IFCAP_H
#define TAGRIG_NET_IFCAP_H

#include "net/why.h"
#include "tag/frame.h"

struct ifcap;

/*
 * Opens interface @name, promiscuous, received frames only.  -EPERM: no
 * permission; -ENODEV: no such interface; -EPROTO: it is not Ethernet.
 */
int ifcap_open(const char *name, struct ifcap **out, char *why);

/* NULL is allowed. */
void ifcap_close(struct ifcap *i);

/* To poll for reading. */
int ifcap_fd(const struct ifcap *i);

/*
 * Appends the next frame to @f, which is set up empty.  1, or 0 when there is
 * none; -ENODEV: the interface is gone or down; -ENOBUFS: no room, and the
 * frame is lost (count it).
 */
int ifcap_read(struct ifcap *i, struct frame *f);

/* Sends a frame.  0, -EAGAIN when the interface's queue is full, or -errno. */
int ifcap_write(struct ifcap *i, const struct frame *f);

/* Frames that the kernel dropped because ifcap_read() was too slow. */
uint64_t ifcap_drops(struct ifcap *i);

/* What went wrong, after a negative result. */
const char *ifcap_error(const struct ifcap *i);

#endif
