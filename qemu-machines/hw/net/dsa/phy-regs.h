/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Clause 22 registers and bits (IEEE 802.3 22.2.4, 28.2.4, 40.5.1), 16 bits
 * each.
 */
#ifndef HW_NET_DSA_PHY_REGS_H
#define HW_NET_DSA_PHY_REGS_H

#define PHY_BMCR                0
#define BMCR_RESET                  0x8000
#define BMCR_LOOPBACK               0x4000
#define BMCR_SPEED_100              0x2000
#define BMCR_AN_ENABLE              0x1000
#define BMCR_POWER_DOWN             0x0800
#define BMCR_ISOLATE                0x0400
#define BMCR_AN_RESTART             0x0200
#define BMCR_FULL_DUPLEX            0x0100
#define BMCR_COLLISION_TEST         0x0080
#define BMCR_SPEED_1000             0x0040
/* a change of these takes the link down */
#define BMCR_MODE       (BMCR_SPEED_100 | BMCR_AN_ENABLE | BMCR_FULL_DUPLEX | \
                         BMCR_SPEED_1000 | BMCR_LOOPBACK)
#define BMCR_WRITABLE   (BMCR_MODE | BMCR_POWER_DOWN | BMCR_ISOLATE | \
                         BMCR_COLLISION_TEST)

#define PHY_BMSR                1
#define BMSR_100FULL                0x4000
#define BMSR_100HALF                0x2000
#define BMSR_10FULL                 0x1000
#define BMSR_10HALF                 0x0800
#define BMSR_EXTENDED_STATUS        0x0100
#define BMSR_NO_PREAMBLE            0x0040
#define BMSR_AN_COMPLETE            0x0020
#define BMSR_AN_ABLE                0x0008
#define BMSR_LINK                   0x0004
#define BMSR_EXTENDED_REGS          0x0001
#define BMSR_ABILITIES  (BMSR_100FULL | BMSR_100HALF | BMSR_10FULL | \
                         BMSR_10HALF | BMSR_EXTENDED_STATUS | \
                         BMSR_NO_PREAMBLE | BMSR_AN_ABLE | BMSR_EXTENDED_REGS)

#define PHY_ID1                 2
#define PHY_ID2                 3

#define PHY_ADVERTISE           4
#define PHY_LPA                 5
#define LPA_ACK                     0x4000
#define ADV_PAUSE_ASYM              0x0800
#define ADV_PAUSE                   0x0400
#define ADV_100FULL                 0x0100
#define ADV_100HALF                 0x0080
#define ADV_10FULL                  0x0040
#define ADV_10HALF                  0x0020
#define ADV_SELECTOR_8023           0x0001

#define PHY_EXPANSION           6
#define EXPANSION_FAR_NEXT_PAGE_ABLE 0x0008
#define EXPANSION_NEXT_PAGE_ABLE    0x0004
#define EXPANSION_PAGE_RECEIVED     0x0002
#define EXPANSION_FAR_AN_ABLE       0x0001

#define PHY_NEXT_PAGE           7
#define NEXT_PAGE_MESSAGE           0x2000
#define NEXT_PAGE_NULL              0x0001

#define PHY_CTRL1000            9
#define CTRL1000_MASTER_ENABLE      0x1000
#define CTRL1000_MASTER             0x0800
#define CTRL1000_FULL               0x0200
#define CTRL1000_HALF               0x0100

#define PHY_STAT1000            10
#define STAT1000_MASTER             0x4000
#define STAT1000_LOCAL_RX_OK        0x2000
#define STAT1000_FAR_RX_OK          0x1000
#define STAT1000_FULL               0x0800
#define STAT1000_HALF               0x0400

#define PHY_MMD_CTRL            13
#define MMD_CTRL_FUNCTION           0xc000
#define MMD_CTRL_DATA_INC           0x8000
#define MMD_CTRL_DATA_INC_WRITE     0xc000
#define MMD_CTRL_DEVAD              0x001f
#define PHY_MMD_DATA            14

/* MMDs (802.3 45.2); what EEE is about is in 45.2.3.9, 45.2.7.13 and 45.2.7.14 */
#define MMD_PMA                 1
#define MMD_STATUS                  1
#define MMD_ID1                     2
#define MMD_ID2                     3
#define MMD_DEVICES                 5
#define MMD_DEVICES_C22             0x0001  /* clause 22 registers, too */
#define MMD_PCS                 3
#define MMD_PCS_EEE_ABLE            20
#define MMD_AN                  7
#define MMD_AN_EEE_ADV              60
#define MMD_AN_EEE_LPA              61
#define EEE_100TX                   0x0002
#define EEE_1000T                   0x0004
#define EEE_MODES                   (EEE_100TX | EEE_1000T)

#define PHY_ESTATUS             15
#define ESTATUS_1000T_FULL          0x2000
#define ESTATUS_1000T_HALF          0x1000

#endif
