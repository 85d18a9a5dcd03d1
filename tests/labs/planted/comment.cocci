// SPDX-License-Identifier: GPL-2.0-or-later
//
// A comment: another source, the same code.
//
// File: drivers/net/ethernet/stmicro/stmmac/stmmac_main.c

@@
identifier f = stmmac_xmit;
expression E;
@@
  f(...)
  {
  ... when any
+ /* nothing that a compiler sees */
  first_tx = E->cur_tx;
  ... when any
  }
