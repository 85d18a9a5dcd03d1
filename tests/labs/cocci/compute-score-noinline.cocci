// SPDX-License-Identifier: GPL-2.0-or-later
//
// compute_score() out of line, whatever it is declared as.
//
// File: net/ipv4/udp.c
// File: net/ipv6/udp.c

@@
attribute name noinline;
type T;
identifier f = compute_score;
@@
- static T
+ noinline
+ static T
  f(...) { ... }
