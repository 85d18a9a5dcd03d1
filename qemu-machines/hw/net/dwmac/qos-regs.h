/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * DesignWare Ethernet QoS 4.x and 5.x: what is not in mq-regs.h.
 *
 * Names and numbers as there.
 */
#ifndef HW_NET_DWMAC_QOS_REGS_H
#define HW_NET_DWMAC_QOS_REGS_H

#include "mq-regs.h"

#define GMAC_CONFIG             0x0000
#define GMAC_EXT_CONFIG         0x0004
#define GMAC_RXQ_CTRL4          0x0094
#define GMAC_TXQ_PRTY_MAP0      0x0098
#define GMAC_1US_TIC_COUNTER    0x00dc
#define GMAC_PHYIF_CTRL_STATUS  0x00f8
#define GMAC_DEBUG              0x0114
#define GMAC_HW_FEATURE1        0x0120
#define GMAC_HW_FEATURE2        0x0124
#define GMAC_HW_FEATURE3        0x0128
#define GMAC_ARP_ADDR           0x0210
#define GMAC_CSR_SW_CTRL        0x0230
#define GMAC_FPE_CTRL_STS       0x0234
#define GMAC_EXT_CFG1           0x0238
#define GMAC_MMC_BASE           0x0700
#define GMAC_L3L4_BASE          0x0900
#define GMAC_L3L4_STEP          0x0030
#define GMAC_PTP_BASE           0x0b00

#define GMAC_CONFIG_RE          BIT(0)
#define GMAC_CONFIG_TE          BIT(1)
#define GMAC_CONFIG_LM          BIT(12)
#define GMAC_CONFIG_DM          BIT(13)
#define GMAC_CONFIG_FES         BIT(14)
#define GMAC_CONFIG_PS          BIT(15)
#define GMAC_CONFIG_JE          BIT(16)
#define GMAC_CONFIG_JD          BIT(17)
#define GMAC_CONFIG_WD          BIT(19)
#define GMAC_CONFIG_ACS         BIT(20)
#define GMAC_CONFIG_CST         BIT(21)
#define GMAC_CONFIG_S2KP        BIT(22)
#define GMAC_CONFIG_GPSLCE      BIT(23)
#define GMAC_CONFIG_IPC         BIT(27)
#define GMAC_CONFIG_SARC_SHIFT  28
#define GMAC_CONFIG_ARPEN       BIT(31)
#define GMAC_EXT_GPSL_LEN       14
#define GMAC_EXT_HDSMS_SHIFT    20

#define MTL_OPERATION_MODE      0x0c00
#define MTL_INT_STATUS          0x0c20
#define MTL_RXQ_DMA_MAP0        0x0c30
#define MTL_QUEUE_BASE          0x0d00
#define MTL_QUEUE_STEP          0x0040
#define MTL_RXP_CONTROL_STATUS  0x0ca0
#define MTL_RXP_IACC_CTRL_STATUS 0x0cb0

/* in a queue's block */
#define MTL_TXQ_OP_MODE         0x00
#define MTL_TXQ_UNDERFLOW       0x04
#define MTL_TXQ_DEBUG           0x08
#define MTL_TXQ_ETS_CTRL        0x10
#define MTL_TXQ_ETS_STATUS      0x14
#define MTL_TXQ_WEIGHT          0x18
#define MTL_TXQ_SEND_SLOPE      0x1c
#define MTL_TXQ_HI_CREDIT       0x20
#define MTL_TXQ_LO_CREDIT       0x24
#define MTL_Q_INT_CTRL_STATUS   0x2c
#define MTL_RXQ_OP_MODE         0x30
#define MTL_RXQ_MISSED          0x34
#define MTL_RXQ_DEBUG           0x38
#define MTL_RXQ_CONTROL         0x3c

#define MTL_TX_FTQ              BIT(0)
#define MTL_TX_TSF              BIT(1)
#define MTL_TX_TXQEN_SHIFT      2
#define MTL_TX_TXQEN_ON         (2 << MTL_TX_TXQEN_SHIFT)
#define MTL_TX_TXQEN_MASK       (3 << MTL_TX_TXQEN_SHIFT)
#define MTL_TX_TQS_SHIFT        16
#define MTL_TX_TQS_LEN          9

#define MTL_RX_FUP              BIT(3)
#define MTL_RX_FEP              BIT(4)
#define MTL_RX_RSF              BIT(5)
#define MTL_RX_DIS_TCP_EF       BIT(6)
#define MTL_RX_EHFC             BIT(7)
#define MTL_RX_RFA_SHIFT        8
#define MTL_RX_RFD_SHIFT        14
#define MTL_RX_RF_LEN           6
#define MTL_RX_RQS_SHIFT        20
#define MTL_RX_RQS_LEN          10

#define DMA_BUS_MODE            0x1000
#define DMA_SYS_BUS_MODE        0x1004
#define DMA_INTR_STATUS         0x1008
#define DMA_DEBUG_STATUS_0      0x100c
#define DMA_TBS_CTRL            0x1050
#define DMA_CHAN_BASE           0x1100
#define DMA_CHAN_STEP           0x0080
#define DMA_BUS_MODE_SWR        BIT(0)
#define DMA_SYS_BUS_EAME        BIT(11)
#define DMA_INTR_MTLIS          BIT(16)
#define DMA_INTR_MACIS          BIT(17)

/* The safety features of 5.10 and later */
#define MAC_DPP_FSM_INT_STATUS  0x0140
#define MAC_FSM_CONTROL         0x0148
#define MAC_FSM_TMOUTEN         BIT(0)
#define MAC_FSM_PRTYEN          BIT(1)
#define MTL_ECC_CONTROL         0x0cc0
#define MTL_ECC_MTXEE           BIT(0)
#define MTL_ECC_MRXEE           BIT(1)
#define MTL_ECC_MESTEE          BIT(2)
#define MTL_ECC_MRXPEE          BIT(3)
#define MTL_ECC_TSOEE           BIT(4)
#define MTL_SAFETY_INT_STATUS   0x0cc4
#define MTL_ECC_INT_ENABLE      0x0cc8
#define MTL_ECC_INT_STATUS      0x0ccc
#define MTL_DPP_CONTROL         0x0ce0
#define MTL_DPP_EDPP            BIT(0)
#define MTL_DPP_EPSI            BIT(2)
#define DMA_SAFETY_INT_STATUS   0x1080
#define DMA_ECC_INT_ENABLE      0x1084
#define DMA_ECC_INT_STATUS      0x1088

/* RDES1, write-back format */
#define RDES1_IPHE              BIT(3)
#define RDES1_IPV4              BIT(4)
#define RDES1_IPV6              BIT(5)
#define RDES1_IPCB              BIT(6)
#define RDES1_IPCE              BIT(7)
#define RDES1_TSA               BIT(14)
#define RDES1_TD                BIT(15)
/* RDES2, write-back format */
#define RDES2_HL_LEN            10
#define RDES2_ARPNR             BIT(10)
#define RDES2_VF                BIT(15)
#define RDES2_SAF               BIT(16)
#define RDES2_DAF               BIT(17)
#define RDES2_L3FM              BIT(27)
#define RDES2_L4FM              BIT(28)
#define RDES2_L3L4FM_SHIFT      29
/* RDES3, write-back format */
#define RDES3_WB_PL_LEN         15
#define RDES3_WB_LT_SHIFT       16
#define RDES3_WB_OE             BIT(21)
#define RDES3_WB_RWT            BIT(22)
#define RDES3_WB_GP             BIT(23)
#define RDES3_WB_RS0V           BIT(25)
#define RDES3_WB_RS1V           BIT(26)
#define RDES3_WB_RS2V           BIT(27)

/* MAC_MDIO_Address */
#define MDIO_GB                 BIT(0)
#define MDIO_C45E               BIT(1)
#define MDIO_GOC_SHIFT          2
#define MDIO_GOC_WRITE          1
#define MDIO_RDA_SHIFT          16
#define MDIO_PA_SHIFT           21
#define MDIO_RA_SHIFT           16

/* HW_FEATURE0 */
#define FEAT0_MIISEL            BIT(0)
#define FEAT0_GMIISEL           BIT(1)
#define FEAT0_HDSEL             BIT(2)
#define FEAT0_VLHASH            BIT(4)
#define FEAT0_SMASEL            BIT(5)
#define FEAT0_RWKSEL            BIT(6)
#define FEAT0_MGKSEL            BIT(7)
#define FEAT0_MMCSEL            BIT(8)
#define FEAT0_ARPOFFSEL         BIT(9)
#define FEAT0_TSSEL             BIT(12)
#define FEAT0_EEESEL            BIT(13)
#define FEAT0_TXCOESEL          BIT(14)
#define FEAT0_RXCOESEL          BIT(16)
#define FEAT0_ADDMAC_SHIFT      18
#define FEAT0_TSSTSSEL_INTERNAL BIT(25)
#define FEAT0_SAVLANINS         BIT(27)
#define FEAT0_ACTPHYIF_SHIFT    28
/* HW_FEATURE1 */
#define FEAT1_TXFIFO_SHIFT      6
#define FEAT1_ADDR64_SHIFT      14
#define FEAT1_SPHEN             BIT(17)
#define FEAT1_TSOEN             BIT(18)
#define FEAT1_HASHTBLSZ_SHIFT   24
#define FEAT1_L3L4FNUM_SHIFT    27
/* HW_FEATURE2 */
#define FEAT2_TXQCNT_SHIFT      6
#define FEAT2_RXCHCNT_SHIFT     12
#define FEAT2_TXCHCNT_SHIFT     18
/* HW_FEATURE3 */
#define FEAT3_DVLAN             BIT(5)
#define FEAT3_FRPSEL            BIT(10)
#define FEAT3_FRPES_SHIFT       13
#define FEAT3_TBSSEL            BIT(27)
#define FEAT3_ASP_SHIFT         28

#endif
