/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reasons in words.  Functions that can fail in ways that an errno does not
 * tell apart take a buffer of WHY_SIZE bytes (or NULL) and leave one line
 * without newline in it.
 */
#ifndef TAGRIG_NET_WHY_H
#define TAGRIG_NET_WHY_H

#include <stdarg.h>
#include <stdio.h>

#define WHY_SIZE	256

/* Writes the reason; returns @err, for use in a return statement. */
static inline __attribute__((format(printf, 3, 4)))
int why_set(char *why, int err, const char *fmt, ...)
{
	va_list ap;

	if (!why)
		return err;
	va_start(ap, fmt);
	vsnprintf(why, WHY_SIZE, fmt, ap);
	va_end(ap);
	return err;
}

#endif
