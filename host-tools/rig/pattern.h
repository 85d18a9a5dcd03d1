/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Patterns: which frames an expectation is about, and what must hold for them.
 *
 *	udp dst 192.0.2.2 dport 9 len 0..1472 csum good
 *
 * A protocol word and field conditions select frames; "csum" and "ipcsum" say
 * what must be true of the selected ones and select nothing.
 */
#ifndef TAGRIG_RIG_PATTERN_H
#define TAGRIG_RIG_PATTERN_H

#include "net/judge.h"
#include "source.h"

#define PATTERN_CONDITIONS 12

/* What a checksum must be. */
enum csum_want {
	WANT_ANY,
	WANT_GOOD,
	WANT_BAD,
	WANT_PSEUDO,
	WANT_ZERO,
	WANT_TAIL,
	WANT_OFF,
	WANT_NONE,
	WANT_COUNT,
};

struct pattern {
	unsigned int count;
	struct pattern_condition {
		unsigned int field;	/* index into the table in pattern.c */
		bool v6;		/* addresses */
		unsigned long lo, hi;
		unsigned char addr[16];
	} condition[PATTERN_CONDITIONS];
	enum csum_want csum;
	enum csum_want ip_csum;
};

/*
 * Takes one term of a pattern off @c if the next word begins one.  1: taken,
 * 0: the word is something else (and still there), -EINVAL: an error is set.
 */
int pattern_term(struct pattern *p, struct cursor *c);

/* Does @p select the frame? */
bool pattern_matches(const struct pattern *p, const struct verdict *v, size_t frame_len);

/* Does what @p demands of checksums hold?  @got (may be NULL) says what stood there. */
bool pattern_holds(const struct pattern *p, const struct verdict *v,
		   const char **got);

/* "right", "pseudo-header sum only", ...: a wish in words, for results. */
const char *csum_want_text(enum csum_want w);

#endif
