/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads captures: pcap in microseconds or nanoseconds, pcapng of any number of
 * sections and interfaces, either byte order, from a file or a pipe, of any
 * size.  Every error is one line: "FILE: packet 17 at offset 1234: expected
 * ..., found ...".
 */
#ifndef TAGRIG_NET_CAPTURE_H
#define TAGRIG_NET_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net/pcapng.h"

struct capture;

struct capture_if {
	char name[64];		/* "" where the file has none; cut to fit */
	char description[128];
	uint16_t linktype;
	uint32_t snaplen;	/* 0: none */
	uint8_t fcs_len;	/* bytes of FCS that each packet ends with */
};

struct capture_packet {
	uint64_t number;	/* from 1 */
	uint64_t offset;	/* of its block in the file */
	uint64_t time_ns;	/* after the epoch; 0 where the file has none */
	unsigned int section;	/* of the file, from 1; each has its own interfaces */
	unsigned int iface;	/* for capture_interface() */
	enum pcapng_dir dir;
	uint32_t len;		/* bytes at .data, FCS not counted */
	uint32_t wire_len;	/* length before it was cut, FCS not counted */
	const uint8_t *data;	/* valid until the next call */
};

/*
 * Opens @path ("-": standard input) and reads its header.  On failure *@out is
 * still set if there was memory for it, so that capture_error() can say why.
 */
int capture_open(struct capture **out, const char *path);

/* The same for @len bytes in memory that outlive the capture. */
int capture_open_memory(struct capture **out, const void *bytes, size_t len);

/*
 * Reads one packet: 1, or 0 at the end, or -EPROTO for a file that is not what
 * it should be (capture_error() says where and why), or another -errno.
 */
int capture_next(struct capture *c, struct capture_packet *p);

/*
 * Interface @i of the packet that was read last; NULL if there is none.  A
 * classic pcap has one, known from the start.  Valid until the next call of
 * capture_next().
 */
const struct capture_if *capture_interface(const struct capture *c,
					   unsigned int i);

/* The last error as one line without newline. */
const char *capture_error(const struct capture *c);

/* NULL is allowed. */
void capture_close(struct capture *c);

#endif
