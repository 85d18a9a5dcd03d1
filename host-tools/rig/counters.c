// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The guest's counters, by name: see counters.h.
 */
#include "counters.h"

#include <stdio.h>
#include <string.h>

/* Field @n (from 0) of a line of blank-separated words. */
static bool nth_number(const char *line, size_t n, long *value)
{
	while (n--) {
		line += strcspn(line, " \n");
		if (*line != ' ')
			return false;
		line += strspn(line, " ");
	}
	return sscanf(line, "%ld", value) == 1;
}

/*
 * "Udp: InDatagrams NoPorts ...\nUdp: 17 0 ...": the name's place in the first
 * line is the value's in the second.
 */
static bool paired_counter(const char *text, const char *group, const char *name,
			   long *value)
{
	size_t g = strlen(group), n = strlen(name), place = 0;
	const char *line, *next, *at;

	for (line = text; line; line = next) {
		next = strchr(line, '\n');
		next = next ? next + 1 : NULL;
		if (strncmp(line, group, g) || line[g] != ':' || !next ||
		    strncmp(next, group, g) || next[g] != ':')
			continue;
		for (at = line, place = 0; *at && *at != '\n'; place++) {
			if (!strncmp(at, name, n) && (at[n] == ' ' || at[n] == '\n'))
				return nth_number(next, place, value);
			at += strcspn(at, " \n");
			at += *at == ' ';
		}
	}
	return false;
}

/* "Udp6InCsumErrors   \t3" and "ethtool.eth0.NAME 3". */
static bool plain_counter(const char *text, const char *name, long *value)
{
	size_t n = strlen(name);
	const char *line;

	for (line = text; line && *line; line = strchr(line, '\n') ?
	     strchr(line, '\n') + 1 : NULL) {
		if (!strncmp(line, name, n) && strchr(" \t", line[n]))
			return sscanf(line + n, "%ld", value) == 1;
	}
	return false;
}

bool counter_value(const char *text, const char *name, long *value)
{
	char group[64], joined[128];
	const char *dot = strchr(name, '.');

	if (!text)
		return false;
	if (!dot || !strncmp(name, "ethtool.", 8) || !strncmp(name, "dev.", 4))
		return plain_counter(text, name, value);
	snprintf(group, sizeof(group), "%.*s", (int)(dot - name), name);
	snprintf(joined, sizeof(joined), "%s%s", group, dot + 1);
	return paired_counter(text, group, dot + 1, value) ||
	       plain_counter(text, joined, value);
}
