// SPDX-License-Identifier: GPL-2.0-or-later
//
// Undoes 35226750f7ab ("net: stmmac:fix system hang when setting up tag_8021q VLAN
// for DSA ports"): a VLAN is added whether the MAC has a clock or not.
//
// File: drivers/net/ethernet/stmicro/stmmac/stmmac_main.c

@@ identifier ret; expression dev; @@
 stmmac_vlan_rx_add_vid(...)
 {
 ...
- ret = pm_runtime_resume_and_get(dev);
- if (ret < 0)
-	return ret;
 ...
 }

@@ expression dev; @@
 stmmac_vlan_rx_add_vid(...)
 {
 <...
- pm_runtime_put(dev);
 ...>
 }
