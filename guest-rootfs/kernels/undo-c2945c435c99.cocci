// SPDX-License-Identifier: GPL-2.0-or-later
//
// Undoes c2945c435c99 ("net: stmmac: Prevent DSA tags from breaking COE"):
// the driver trusts the checksum engine again without a look at the EtherType.
// Applies to 6.8 and later and to the stable series with the backport; from 7.x on
// the look before sending is in stmmac_features_check().
//
// File: drivers/net/ethernet/stmicro/stmmac/stmmac_main.c

@@ expression E, S; @@
- E || !stmmac_has_ip_ethertype(S)
+ E

// 6.1.y asks for nothing else before it computes the checksum in software
@@ expression E, S; @@
- E && !stmmac_has_ip_ethertype(S)
+ E && false

@@ typedef bool; identifier skb; @@
- static bool stmmac_has_ip_ethertype(struct sk_buff *skb) { ... }
