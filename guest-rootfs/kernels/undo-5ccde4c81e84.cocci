// SPDX-License-Identifier: GPL-2.0-or-later
//
// Undoes 5ccde4c81e84 ("net: stmmac: fix dwmac4 transmit performance regression"):
// the burst length goes through the mask of another register's bit, as between
// 8409495bf6c9 and that commit.
//
// File: drivers/net/ethernet/stmicro/stmmac/dwmac4_dma.c

@@ expression value, txpbl; @@
- value | (txpbl << DMA_BUS_MODE_PBL_SHIFT)
+ value | ((txpbl << DMA_BUS_MODE_PBL_SHIFT) & DMA_BUS_MODE_PBL)
