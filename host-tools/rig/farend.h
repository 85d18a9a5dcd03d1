/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Far ends: what a port of the switch is plugged into.
 *
 *	slirp[:OPTIONS]  tap:NAME  if:NAME  pcap:FILE  script:FILE  echo
 *	cable:PORT  none
 *
 * A kind is a file farend_KIND.c with one table of operations.  The switch
 * pulls frames out of a far end with .next() when it can take them, and pushes
 * frames into it with .send(); each side can say "not now", which is how
 * back-pressure gets from one end of the rig to the other.  Nobody drops a
 * frame without counting it.
 */
#ifndef TAGRIG_RIG_FAREND_H
#define TAGRIG_RIG_FAREND_H

#include "loop.h"
#include "net/frameq.h"
#include "net/why.h"
#include "tag/tag.h"

#define FAREND_QUEUE	(64 * 1024)	/* bytes that a far end may hold back */
#define FAREND_NOTES	6

struct vswitch;
struct farend;

/* How a far end is asked for. */
struct farend_spec {
	const char *args;	/* what stands behind the colon, or "" */
	const char *port;	/* name of the port, for messages */
	unsigned int index;	/* of the port */
	unsigned int ports;	/* of the switch, for "cable:PORT" */
	uint64_t seed;
	struct vswitch *sw;
	struct loop *loop;
};

/* A number of a far end's own for the statistics. */
struct farend_note {
	const char *name;	/* "sent", ... */
	uint64_t value;
	bool drop;		/* frames that went no further, by reason .name */
};

struct farend_ops {
	const char *kind;
	const char *form;	/* as it is written, for --help */
	const char *help;
	bool needs_args;
	bool waits;		/* makes frames of its own: only when the guest is there */
	bool polled;		/* nothing tells when .send() would work again */
	/*
	 * -EINVAL with @why: a mistake in the arguments (exit status 2); another
	 * -errno: it cannot be had.  *@out is then NULL, or still to be closed.
	 */
	int (*open)(const struct farend_spec *spec, struct farend **out, char *why);
	/*
	 * A frame leaves the switch.  0; -EAGAIN: offer it again; -ENETDOWN: it is
	 * not taken, now or later; another -errno: the far end broke.
	 */
	int (*send)(struct farend *fe, const struct frame *f);
	/* Appends the next frame that comes in to @f: 1, 0: none now, -errno. */
	int (*next)(struct farend *fe, struct frame *f);
	/* Something at .src or .timer: sets .readable when .next() has something. */
	void (*ready)(struct farend *fe);
	/* The end of a batch of .send(); may be NULL. */
	int (*flush)(struct farend *fe);
	/* QEMU has connected; may be NULL. */
	void (*start)(struct farend *fe);
	/* Fills @notes (FAREND_NOTES of them), returns how many; may be NULL. */
	unsigned int (*notes)(struct farend *fe, struct farend_note *notes);
	void (*close)(struct farend *fe);
};

struct farend {
	const struct farend_ops *ops;
	struct vswitch *sw;
	struct loop_source src;	/* .fd -1: nothing to poll */
	struct loop_timer timer;
	bool readable;		/* .next() is worth a call */
	bool done;		/* has sent and seen everything that it was to */
	bool wrong;		/* has seen what should not be: exit status 1 */
	char why[WHY_SIZE];	/* after a negative .next(), .send() or .flush() */
};

/* All kinds, in the order of the help text; ends with NULL. */
extern const struct farend_ops *const farend_kinds[];

/*
 * The kind of "KIND[:ARGS]" and what stands behind the colon.  NULL with @why
 * for a kind that there is not, or one without the arguments that it needs.
 */
const struct farend_ops *farend_kind(const char *text, const char **args, char *why);

/* Sets up the common part; *@fe is zeroed otherwise. */
void farend_init(struct farend *fe, const struct farend_ops *ops,
		 const struct farend_spec *spec, int fd);

/* Arms .timer for @ms from now; when it fires .ready() is called. */
void farend_arm(struct farend *fe, int ms);

/*
 * Takes the next of options separated by commas off *@at, copies it to @option
 * (of @size bytes) and splits it at '=': *@value is NULL without one.  1: there
 * is one; 0: that was all; -EINVAL: too long.
 */
int farend_option(const char **at, char *option, size_t size, char **value);

#define FAREND_DECLARE(kind) extern const struct farend_ops farend_##kind;
FAREND_DECLARE(cable)
FAREND_DECLARE(echo)
FAREND_DECLARE(if)
FAREND_DECLARE(none)
FAREND_DECLARE(pcap)
FAREND_DECLARE(script)
FAREND_DECLARE(slirp)
FAREND_DECLARE(tap)
#undef FAREND_DECLARE

#endif
