// SPDX-License-Identifier: GPL-2.0-or-later
//
// xas_descend() always inline, as later kernels have it.
//
// File: lib/xarray.c

@@
attribute name __always_inline;
type T;
identifier f = xas_descend;
@@
- static T
+ __always_inline
+ static T
  f(...) { ... }
