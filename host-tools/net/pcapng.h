/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes captures: pcapng with any number of interfaces, or classic pcap with
 * one, both with times in nanoseconds.
 *
 * Packets are collected in a buffer and written by pcapng_flush(), which an
 * event loop calls once a round: what was flushed survives a crash of the
 * program, and a reader at the end of a pipe sees it.  Errors stick: after
 * one, every call returns it and nothing more is written.
 */
#ifndef TAGRIG_NET_PCAPNG_H
#define TAGRIG_NET_PCAPNG_H

#include <stddef.h>
#include <stdint.h>

#define LINKTYPE_ETHERNET		1
#define LINKTYPE_DSA_TAG_BRCM		281
#define LINKTYPE_DSA_TAG_BRCM_PREPEND	282
#define LINKTYPE_DSA_TAG_DSA		284
#define LINKTYPE_DSA_TAG_EDSA		285

enum pcapng_format {
	PCAPNG,
	PCAP_CLASSIC,		/* one interface, whose name is lost */
};

/*
 * epb_flags bits 0 and 1.  An interface of the rig is a port of the switch: a
 * conduit is its CPU port, so what the CPU sends is "in" there.
 */
enum pcapng_dir {
	PCAPNG_DIR_UNKNOWN,
	PCAPNG_IN,
	PCAPNG_OUT,
};

struct pcapng;

/*
 * Creates @path, or writes to standard output if it is "-".  Ignores SIGPIPE
 * for the whole process, so that a reader that went away is -EPIPE.  Returns 0
 * and *@out, or -errno.
 */
int pcapng_create(struct pcapng **out, const char *path,
		  enum pcapng_format format);

/*
 * Adds an interface; returns its number, from 0 up, or -errno (-EINVAL for a
 * second interface of a classic pcap).  @name and @description may be NULL;
 * "dsa:TAG" is how the rig describes a conduit.
 */
int pcapng_interface(struct pcapng *p, const char *name,
		     const char *description, uint16_t linktype);

/*
 * Adds a packet of @len bytes, seen @time_ns after the epoch on interface
 * @iface, with a comment if @comment is not NULL.  Returns 0 or -errno.
 */
int pcapng_write(struct pcapng *p, unsigned int iface, uint64_t time_ns,
		 enum pcapng_dir dir, const void *data, size_t len,
		 const char *comment);

/*
 * Hands everything to the kernel; waits if a pipe is full.  -ENOSPC leaves the
 * file cut at the end of its last whole block, -EPIPE: the reader is gone.
 */
int pcapng_flush(struct pcapng *p);

/*
 * From the next flush on, everything goes to @fd as well (which stays the
 * caller's; -1: no longer).  An error there ends that and nothing else.  What
 * several captures write to one @fd, one after the other, is one pcapng of
 * several sections.
 */
void pcapng_tee(struct pcapng *p, int fd);

/*
 * Hands out what can be handed out without waiting: 0 when that is all of it,
 * 1: the reader of a pipe takes no more at the moment, -errno as above.  For
 * captures without a tee.
 */
int pcapng_push(struct pcapng *p);

/* Bytes that have not been handed out. */
size_t pcapng_pending(const struct pcapng *p);

/* The descriptor to poll for writing when it is a pipe or the like; -1: a file. */
int pcapng_pipe(const struct pcapng *p);

/* Flushes, closes, frees.  Returns the first error of the whole capture. */
int pcapng_close(struct pcapng *p);

/*
 * The same, but waits for the reader of a pipe @timeout_ms at most; -ETIMEDOUT:
 * it has not taken everything.
 */
int pcapng_finish(struct pcapng *p, int timeout_ms);

#endif
