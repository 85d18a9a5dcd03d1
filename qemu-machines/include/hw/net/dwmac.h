/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Synopsys DesignWare Ethernet MAC: what a board needs to know of the model.
 *
 * The model itself is hw/net/dwmac/; its gaps are listed there.
 */
#ifndef HW_NET_DWMAC_H
#define HW_NET_DWMAC_H

/*
 * A sysbus device: MMIO region 0 is the register window (DWMAC_WINDOW_SIZE
 * bytes), IRQ 0 is the combined interrupt ("macirq").  It owns an MdioBus
 * named "mdio".  NIC properties as usual: netdev=, mac=.
 */
#define TYPE_DWMAC_GMAC "dwmac-gmac"
#define TYPE_DWMAC_QOS  "dwmac-qos"
#define TYPE_DWMAC_XGMAC "dwmac-xgmac"

/*
 * IEEE 1588: edges at the GPIO inputs "aux-snapshot" are noted with their time; QoS
 * and XGMAC have as many outputs, "pps".
 */
#define DWMAC_PPS 4

/*
 * The same on a PCI bus (BAR 0, pin A), with a PHY of its own unless phy=off;
 * TYPE_DWMAC_PCI is what they have in common.
 */
#define TYPE_DWMAC_PCI  "dwmac-pci"
#define TYPE_DWMAC_GMAC_PCI "dwmac-gmac-pci"
#define TYPE_DWMAC_QOS_PCI "dwmac-qos-pci"

#define DWMAC_WINDOW_SIZE 0x10000

#endif
