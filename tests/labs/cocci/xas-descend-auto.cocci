// SPDX-License-Identifier: GPL-2.0-or-later
//
// xas_descend() as it was before it was forced inline: the compiler decides.
//
// File: lib/xarray.c

@@
type T;
identifier f = xas_descend;
@@
- static T
+ static T
  f(...) { ... }
