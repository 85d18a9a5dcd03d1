// SPDX-License-Identifier: GPL-2.0-or-later
//
// One instruction more on the path of each packet.
//
// File: drivers/net/ethernet/stmicro/stmmac/stmmac_main.c

@@
identifier f = stmmac_xmit;
expression E;
@@
  f(...)
  {
  ... when any
  first_tx = E->cur_tx;
+ nops(1);
  ... when any
  }
