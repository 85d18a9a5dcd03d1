// SPDX-License-Identifier: GPL-2.0-or-later
//
// Undoes b6cb4541853c ("net: stmmac: avoid rx queue overrun"), as later kernels
// have it: a poll stops before it comes to the first descriptor that waits to be
// filled again.
//
// File: drivers/net/ethernet/stmicro/stmmac/stmmac_main.c

@@ expression next, q; @@
- if (unlikely(next == q->dirty_rx))
-	break;
