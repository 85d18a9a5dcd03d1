// SPDX-License-Identifier: GPL-2.0-or-later
//
// One instruction more on the path of each packet, behind everything that the
// compiler could order otherwise because of it.
//
// File: drivers/net/ethernet/stmicro/stmmac/stmmac_main.c

@@
identifier f = stmmac_xmit;
expression E1, E2;
@@
  f(...)
  {
  ... when any
  stmmac_tx_timer_arm(E1, E2);
+ nops(1);
  return NETDEV_TX_OK;
  ... when any
  }
