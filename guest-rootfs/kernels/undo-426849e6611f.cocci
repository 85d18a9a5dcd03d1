// SPDX-License-Identifier: GPL-2.0-or-later
//
// Undoes 426849e6611f ("net: stmmac: fix completely hung TX when using TSO"): a
// last descriptor whose buffer is exactly as long as one can be is not marked as
// the last.
//
// File: drivers/net/ethernet/stmicro/stmmac/stmmac_main.c

@@ expression last, len; @@
- (last) && (len <= TSO_MAX_BUFF_SIZE)
+ (last) && (len < TSO_MAX_BUFF_SIZE)
