/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The switch behind "tagrig bridge": a conduit on QEMU's stream socket, the
 * fabric, and a far end at each user port.
 *
 *	QEMU == stream ==> [ fabric: tag off, forward ] => port => far end
 *	QEMU <== stream == [ fabric: tag on           ] <= port <= far end
 *
 * Back-pressure: a frame that an output does not take at once waits in a queue
 * of that output, and as long as one waits there nothing is read from any input
 * whose frames could go there.  So what is in the switch at any time is at most
 * a frame for each output, and the rest waits where it comes from: in QEMU, in
 * a file, in the kernel.  With flow control off such frames are dropped and
 * counted instead, and an input never waits.
 *
 * Without QEMU the conduit's link is down: what far ends receive is dropped as
 * "link-down", and those that make frames of their own (pcap, script) wait.
 */
#ifndef TAGRIG_RIG_VSWITCH_H
#define TAGRIG_RIG_VSWITCH_H

#include <jansson.h>

#include "fabric/fabric.h"
#include "farend.h"
#include "loop.h"
#include "net/judge.h"
#include "net/pcapng.h"
#include "net/stream.h"

#define VSWITCH_PORTS	(FABRIC_PORTS - 1)	/* user ports */

/* Why a frame was dropped here; the fabric and the far ends have more reasons. */
enum vswitch_drop {
	VSWITCH_FULL,		/* flow control is off, and the output took no more */
	VSWITCH_DISCONNECTED,	/* QEMU left while the frame waited for it */
	VSWITCH_DOWN,		/* the far end is there, and down */
	VSWITCH_NO_MEMORY,
	VSWITCH_DROPS
};

/* An event source that leads back to its switch. */
struct vswitch_source {
	struct loop_source src;
	struct vswitch *sw;
};

struct vswitch_port {
	char name[16];
	char text[160];			/* the far end as it was asked for */
	struct farend *fe;		/* NULL: the conduit */
	struct frameq out;		/* what waits for the far end, or for QEMU */
	uint64_t reach;			/* outputs that its frames can go to */
	bool sent;			/* frames since the last flush */
	uint32_t watched;		/* EPOLL bits that are set */
	int iface;			/* in the capture */
	uint64_t out_frames, out_bytes;	/* that the far end has taken */
	uint64_t drops[VSWITCH_DROPS];
	/* of frames from the guest that left here, with .judge */
	uint64_t judged, wrong[CSUM_OFF + 1], wrong_ip;
};

struct vswitch {
	struct loop *loop;
	struct fabric fabric;
	unsigned int cpu;		/* number of the conduit: the last port */
	struct vswitch_port port[FABRIC_PORTS];

	struct stream *stream;		/* kept over reconnections */
	struct vswitch_source wire, listener;
	uint32_t watched;		/* EPOLL bits of the wire */
	bool connected, readable;
	bool once;			/* the end of the connection ends the switch */
	bool left;			/* it has ended */
	unsigned int connections;

	bool flow_control, judge, quiet;
	uint64_t full;			/* outputs with frames waiting, a bit each */
	const uint8_t *wire_end;	/* end of the frame from the CPU, as it came */
	uint64_t now;			/* ns, of this round */
	bool pumping;
	struct loop_timer again;	/* the pump has more to do */
	struct loop_timer retry;	/* an output without an event to wait for */
	uint8_t *storage;

	struct pcapng *capture, *dlt;	/* or NULL */
	struct vswitch_source capture_src[2];
	unsigned int said, say_at_most;	/* lines about single frames */
	int64_t started_ms;
	bool wrong;			/* exit status 1 */
};

/* Flow control is on; set what is to be otherwise after this.  -ENOMEM. */
int vswitch_init(struct vswitch *sw, struct loop *loop);

/*
 * @ports user ports named lan0, lan1, ..., all standalone.  The far ends come
 * after that, then the captures, then QEMU.
 */
int vswitch_set_ports(struct vswitch *sw, unsigned int ports,
		      const struct tag_format *tag);

/*
 * Plugs port @index into @text.  -EINVAL with @why: a mistake in @text; another
 * -errno: it cannot be had.
 */
int vswitch_plug(struct vswitch *sw, unsigned int index, const char *text,
		 uint64_t seed, char *why);

/* Puts the ports of @mask into bridge group @group. */
int vswitch_group(struct vswitch *sw, uint32_t mask, unsigned int group);

/*
 * Captures: @p gets the conduit and each port as an interface; @dlt only the
 * conduit, with @linktype.  Either may be NULL.  Taken over.
 */
int vswitch_capture(struct vswitch *sw, struct pcapng *p, struct pcapng *dlt,
		    uint16_t linktype);

/* Accepts QEMU at @listen_fd (of stream_listen()), again when it comes back. */
int vswitch_listen(struct vswitch *sw, int listen_fd);

/* QEMU at the other end of @stream; taken over. */
int vswitch_connect(struct vswitch *sw, struct stream *stream);

/* Moves frames until nothing moves; what events call. */
void vswitch_pump(struct vswitch *sw);

/* Have all sources sent and seen everything, and has all of it left? */
bool vswitch_is_done(const struct vswitch *sw);

/* Has anything been seen that should not be? */
bool vswitch_is_wrong(const struct vswitch *sw);

/* Ends everything.  The first error of the captures, or 0. */
int vswitch_close(struct vswitch *sw);

/* Frames, bytes, drops by reason, for people and as JSON (NULL: no memory). */
void vswitch_print(struct vswitch *sw, FILE *out);
json_t *vswitch_json(struct vswitch *sw);

/* What port @port is plugged into; NULL: nothing yet, or no such port. */
struct farend *vswitch_farend(const struct vswitch *sw, unsigned int port);

/* "lan3" or "3" as a number, or -1. */
int vswitch_port_number(const char *text, size_t len);

#endif
