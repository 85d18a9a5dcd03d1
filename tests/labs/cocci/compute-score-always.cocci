// SPDX-License-Identifier: GPL-2.0-or-later
//
// compute_score() always inline, as later kernels have it.
//
// File: net/ipv4/udp.c
// File: net/ipv6/udp.c

@@
attribute name __always_inline;
type T;
identifier f = compute_score;
@@
- static T
+ __always_inline
+ static T
  f(...) { ... }
