// SPDX-License-Identifier: GPL-2.0-or-later
//
// Undoes babab1b42ed6 ("net: stmmac: fix oops when split header is enabled"): the
// second buffer of a descriptor that is not the last one is taken for full.
//
// File: drivers/net/ethernet/stmicro/stmmac/stmmac_main.c

@@ identifier priv, status; @@
- !priv->plat->has_gmac4 && (status & rx_not_ls)
+ (status & rx_not_ls)
