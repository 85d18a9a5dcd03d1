/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bridge: from the wires of the guest's MACs to the far ends of the ports.
 *
 *	guest MAC == wire ==> [ tag off ] => fabric => port => far end
 *	guest MAC <== wire == [ tag on  ] <= fabric <= port <= far end
 *
 * A wire with a tag is a conduit: the fabric behind it plays the switch and
 * has the user ports lan0, lan1, ...  A wire without is one port with the name
 * that it is given.  Every frame is judged and captured on its way.
 */
#ifndef TAGRIG_RIG_BRIDGE_H
#define TAGRIG_RIG_BRIDGE_H

#include "fabric/fabric.h"
#include "loop.h"
#include "net/judge.h"
#include "net/pcapng.h"
#include "net/stream.h"
#include "peer.h"
#include "tag/tag.h"

#define BRIDGE_WIRES 2
#define BRIDGE_PORTS 5		/* per wire: user ports */

struct bridge;
struct bridge_wire;

struct bridge_port {
	struct bridge_wire *wire;
	char name[16];
	unsigned int index;	/* of the user port in its switch */
	int iface;		/* in the capture */
	struct peer peer;	/* the far end; without addresses it is silent */
	uint64_t out;		/* frames that left the guest here */
	uint64_t in;		/* frames sent in */
	uint64_t opened;	/* connections of the far end's own that the guest took */
};

struct bridge_wire {
	struct bridge *bridge;
	struct stream *stream;		/* NULL: not attached, or closed */
	struct loop_source src;
	struct fabric *fabric;		/* the switch behind it; NULL: none, one port */
	struct bridge_port port[BRIDGE_PORTS];
	unsigned int ports;
	int iface;		/* of the conduit in the capture */
	const uint8_t *end;	/* of the frame from the CPU, its tag included */
	int err;		/* of the frame that goes to the CPU */
};

/* A wire's switch. */
struct bridge_switch {
	const struct tag_format *tag;
	unsigned int ports;	/* user ports; the CPU's is the next */
	unsigned int index;	/* in its tree */
};

/* A frame on its way from the guest to a far end. */
struct bridge_frame {
	struct bridge_port *port;	/* NULL: its tag could not be read */
	const struct verdict *verdict;
	const uint8_t *data;
	size_t len;
	const char *why;	/* without a port: what is wrong with the tag */
};

struct bridge {
	struct loop *loop;
	struct pcapng *capture;		/* or NULL */
	struct bridge_wire wire[BRIDGE_WIRES];
	uint64_t judged;		/* frames, both ways */
	/* called for each frame that the guest sent */
	void (*seen)(struct bridge *b, const struct bridge_frame *f);
	void *ctx;
};

void bridge_init(struct bridge *b, struct loop *l, struct pcapng *capture);

/*
 * Puts the stream socket @fd (taken over) on wire @n.  @sw NULL: one port named
 * @name; else its user ports are lan0... and @name is the conduit.
 */
int bridge_attach(struct bridge *b, unsigned int n, int fd, const struct bridge_switch *sw,
		  const char *name);

void bridge_close(struct bridge *b);

/* NULL when no wire has a port of that name. */
struct bridge_port *bridge_find(struct bridge *b, const char *name);

/*
 * Sends @f, untagged, into @port, as its far end would; @f is changed.
 * -EAGAIN, with @f as it was: the guest takes no more at the moment (wait with
 * bridge_drain()).  -ERANGE: the tag cannot say this port.
 */
int bridge_send(struct bridge_port *port, struct frame *f);

/* Sends @f to the guest as it stands, on the bare wire @n. */
int bridge_send_raw(struct bridge *b, unsigned int n, struct frame *f);

/* Waits until all that was sent has left for the guest; as loop_wait(). */
int bridge_drain(struct bridge *b, int timeout_ms);

#endif
