// SPDX-License-Identifier: GPL-2.0-or-later
//
// xas_descend() out of line, whatever it is declared as.
//
// File: lib/xarray.c

@@
attribute name noinline;
type T;
identifier f = xas_descend;
@@
- static T
+ noinline
+ static T
  f(...) { ... }
