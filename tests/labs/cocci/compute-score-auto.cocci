// SPDX-License-Identifier: GPL-2.0-or-later
//
// compute_score() as it was before it was forced inline: the compiler decides.
//
// File: net/ipv4/udp.c
// File: net/ipv6/udp.c

@@
type T;
identifier f = compute_score;
@@
- static T
+ static T
  f(...) { ... }
