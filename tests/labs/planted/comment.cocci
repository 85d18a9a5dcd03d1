// SPDX-License-Identifier: GPL-2.0-or-later
//
// A comment: another source, the same code.
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
+ /* nothing that a compiler sees */
  return NETDEV_TX_OK;
  ... when any
  }
