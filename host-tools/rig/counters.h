/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The guest's counters, by name.
 *
 * Those of /proc/net/snmp, netstat and snmp6 have the names that nstat and
 * people use (Udp.InCsumErrors, Udp6.InCsumErrors or Udp6InCsumErrors);
 * ethtool -S gives ethtool.DEVICE.NAME, and the kernel's own statistics of a
 * device are dev.DEVICE.NAME.
 */
#ifndef TAGRIG_RIG_COUNTERS_H
#define TAGRIG_RIG_COUNTERS_H

#include <stdbool.h>

/* What to run in the guest for the text that counter_value() reads. */
#define COUNTERS_COMMAND						\
	"cat /proc/net/snmp /proc/net/netstat /proc/net/snmp6; "	\
	"for d in /sys/class/net/*; do d=${d##*/}; "			\
	"ethtool -S $d 2>/dev/null | sed -n \"s/^ *\\(.*\\): /ethtool.$d.\\1 /p\"; " \
	"for f in /sys/class/net/$d/statistics/*; do "			\
	"read -r n <$f; echo dev.$d.${f##*/} $n; done; done"

/* Finds @name in @text (may be NULL); false when it is not there. */
bool counter_value(const char *text, const char *name, long *value);

#endif
