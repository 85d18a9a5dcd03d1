// SPDX-License-Identifier: GPL-2.0-or-later
//
// Undoes 4c49f38e20a5 ("net: stmmac: fix TSO DMA API usage causing oops"): with
// addresses wider than 32 bits what is remembered of the mapping of a packet's
// head is where its payload begins.
//
// File: drivers/net/ethernet/stmicro/stmmac/stmmac_main.c

@@ expression q, entry, des, n; @@
 stmmac_tso_xmit(...)
 {
 <...
- q->tx_skbuff_dma[entry].buf = des;
+ q->tx_skbuff_dma[entry].buf = des + (priv->dma_cap.addr64 > 32 ? proto_hdr_len : 0);
  q->tx_skbuff_dma[entry].len = skb_headlen(n);
 ...>
 }
