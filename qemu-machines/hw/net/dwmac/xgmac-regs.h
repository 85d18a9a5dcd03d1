/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * DesignWare XGMAC 2.x: what is not in mq-regs.h.
 *
 * Names and numbers are those of Linux's stmmac (dwxgmac2.h of 6.12 and 7.3).
 */
#ifndef HW_NET_DWMAC_XGMAC_REGS_H
#define HW_NET_DWMAC_XGMAC_REGS_H

#include "mq-regs.h"

#define XGMAC_TX_CONFIG         0x0000
#define XGMAC_RX_CONFIG         0x0004
#define XGMAC_HW_FEATURE1       0x0120
#define XGMAC_HW_FEATURE2       0x0124
#define XGMAC_HW_FEATURE3       0x0128
#define XGMAC_HW_FEATURE4       0x012c
#define XGMAC_MAC_DPP_FSM_INT_STATUS 0x0150
#define XGMAC_MAC_FSM_CONTROL   0x0158
#define XGMAC_MDIO_C22P         0x0220
#define XGMAC_MMC_BASE          0x0800
#define XGMAC_L3L4_ADDR_CTRL    0x0c00
#define XGMAC_L3L4_DATA         0x0c04
#define XGMAC_ARP_ADDR          0x0c10
#define XGMAC_PTP_BASE          0x0d00
#define XGMAC_RSS_CTRL          0x0c80
#define XGMAC_RSS_ADDR          0x0c88
#define XGMAC_RSS_DATA          0x0c8c

#define XGMAC_TX_TE             BIT(0)
#define XGMAC_TX_JD             BIT(16)
#define XGMAC_TX_SARC_SHIFT     20
#define XGMAC_TX_SS_SHIFT       29
#define XGMAC_RX_RE             BIT(0)
#define XGMAC_RX_ACS            BIT(1)
#define XGMAC_RX_CST            BIT(2)
#define XGMAC_RX_GPSLCE         BIT(6)
#define XGMAC_RX_WD             BIT(7)
#define XGMAC_RX_JE             BIT(8)
#define XGMAC_RX_IPC            BIT(9)
#define XGMAC_RX_LM             BIT(10)
#define XGMAC_RX_S2KP           BIT(11)
#define XGMAC_RX_HDSMS_SHIFT    12
#define XGMAC_RX_GPSL_SHIFT     16
#define XGMAC_RX_ARPEN          BIT(31)

#define XGMAC_L3L4_XB           BIT(0)
#define XGMAC_L3L4_TT           BIT(1)
#define XGMAC_L3L4_IDDR_SHIFT   8
#define XGMAC_L3L4_FNUM_SHIFT   4

#define XGMAC_RSSE              BIT(0)
#define XGMAC_RSS_IP2TE         BIT(1)
#define XGMAC_RSS_TCP4TE        BIT(2)
#define XGMAC_RSS_UDP4TE        BIT(3)
#define XGMAC_RSS_OB            BIT(0)
#define XGMAC_RSS_CT            BIT(1)
#define XGMAC_RSS_ADDRT         BIT(2)
#define XGMAC_RSSIA_SHIFT       8

#define XGMAC_MTL_OPMODE        0x1000
#define XGMAC_MTL_INT_STATUS    0x1020
#define XGMAC_MTL_RXQ_DMA_MAP0  0x1030
#define XGMAC_TC_PRTY_MAP0      0x1040
#define XGMAC_MTL_RXP_CONTROL   0x10a0
#define XGMAC_MTL_RXP_IACC      0x10b0
#define XGMAC_MTL_ECC_CONTROL   0x10c0
#define XGMAC_MTL_SAFETY_INT_STATUS 0x10c4
#define XGMAC_MTL_ECC_INT_ENABLE 0x10c8
#define XGMAC_MTL_ECC_INT_STATUS 0x10cc
#define XGMAC_MTL_DPP_CONTROL   0x10e0
#define XGMAC_MTL_QUEUE_BASE    0x1100
#define XGMAC_MTL_QUEUE_STEP    0x0080
#define XGMAC_QDDMACH           BIT(7)

/* in a queue's block */
#define XGMAC_TXQ_OPMODE        0x00
#define XGMAC_TXQ_DEBUG         0x08
#define XGMAC_TC_ETS_CONTROL    0x10
#define XGMAC_TC_WEIGHT         0x18
#define XGMAC_RXQ_OPMODE        0x40
#define XGMAC_RXQ_LOST          0x44
#define XGMAC_RXQ_DEBUG         0x48
#define XGMAC_RXQ_FLOW          0x50
#define XGMAC_QINTEN            0x70
#define XGMAC_QINT_STATUS       0x74

#define XGMAC_TSF               BIT(1)
#define XGMAC_TXQEN_SHIFT       2
#define XGMAC_TQS_SHIFT         16
#define XGMAC_TQS_LEN           10
#define XGMAC_RXQ_FUP           BIT(3)
#define XGMAC_RXQ_FEP           BIT(4)
#define XGMAC_RXQ_RSF           BIT(5)
#define XGMAC_RXQ_DIS_TCP_EF    BIT(6)
#define XGMAC_RXQ_EHFC          BIT(7)
#define XGMAC_RQS_SHIFT         16
#define XGMAC_RQS_LEN           10
#define XGMAC_RFA_SHIFT         1
#define XGMAC_RFD_SHIFT         17
#define XGMAC_RF_LEN            15
#define XGMAC_RXOVFIS           BIT(16)

#define XGMAC_DMA_MODE          0x3000
#define XGMAC_DMA_SYSBUS_MODE   0x3004
#define XGMAC_DMA_INT_STATUS    0x3008
#define XGMAC_DMA_DEBUG         0x3020
#define XGMAC_TX_EDMA_CTRL      0x3040
#define XGMAC_DMA_TBS_CTRL0     0x3054
#define XGMAC_DMA_SAFETY_INT_STATUS 0x3064
#define XGMAC_DMA_ECC_INT_ENABLE 0x3068
#define XGMAC_DMA_ECC_INT_STATUS 0x306c
#define XGMAC_DMA_DPP_INT_STATUS 0x3074
#define XGMAC_DMA_CH_BASE       0x3100
#define XGMAC_DMA_CH_STEP       0x0080
#define XGMAC_EAME              BIT(11)

/* the safety features */
#define XGMAC_TMOUTEN           BIT(0)
#define XGMAC_PRTYEN            BIT(1)
#define XGMAC_DPP_DISABLE       BIT(0)
#define XGMAC_TCEIE             BIT(0)
#define XGMAC_DCEIE             BIT(1)

/* RDES3, write-back format */
#define XGMAC_RDES3_PL_LEN      14
#define XGMAC_RDES3_ET_SHIFT    16
#define XGMAC_RDES3_L34T_SHIFT  20
#define XGMAC_RDES3_TSA         BIT(4)
#define XGMAC_RDES3_CDA         BIT(27)
#define XGMAC_RDES3_RSV         BIT(26)
#define XGMAC_RDES2_HL_LEN      10
#define XGMAC_RDES2_L3FM        BIT(27)
#define XGMAC_RDES2_L4FM        BIT(28)

/* RDES3.L34T */
enum {
    XGMAC_L34T_NONE = 0,
    XGMAC_L34T_TCP  = 1,
    XGMAC_L34T_UDP  = 2,
    XGMAC_L34T_ICMP = 3,
    XGMAC_L34T_IP6  = 8,    /* ored with the above */
};

/* RDES3.ET with the error summary set */
enum {
    XGMAC_ET_WATCHDOG = 0,
    XGMAC_ET_GIANT    = 3,
    XGMAC_ET_IPHDR    = 5,
    XGMAC_ET_PAYLOAD  = 6,
};

/* RDES3.ET without it: kinds of frames (LT), as far as they are known */
enum {
    XGMAC_LT_SVLAN   = 8,
    XGMAC_LT_CVLAN   = 9,
    XGMAC_LT_CC_VLAN = 10,      /* two tags, the outer one first */
    XGMAC_LT_SS_VLAN = 11,
    XGMAC_LT_CS_VLAN = 12,
    XGMAC_LT_SC_VLAN = 13,
};

/* MDIO */
#define XGMAC_MDIO_PA_SHIFT     16
#define XGMAC_MDIO_DA_SHIFT     21
#define XGMAC_MDIO_CMD_SHIFT    16
#define XGMAC_MDIO_CMD_WRITE    1
#define XGMAC_MDIO_SADDR        BIT(18)
#define XGMAC_MDIO_BUSY         BIT(22)

/* HW_FEATURE0 */
#define XGMAC_FEAT0_GMIISEL     BIT(1)
#define XGMAC_FEAT0_HDSEL       BIT(3)
#define XGMAC_FEAT0_VLHASH      BIT(4)
#define XGMAC_FEAT0_SMASEL      BIT(5)
#define XGMAC_FEAT0_RWKSEL      BIT(6)
#define XGMAC_FEAT0_MGKSEL      BIT(7)
#define XGMAC_FEAT0_MMCSEL      BIT(8)
#define XGMAC_FEAT0_ARPOFFSEL   BIT(9)
#define XGMAC_FEAT0_TSSEL       BIT(12)
#define XGMAC_FEAT0_TSSTSSEL_INT BIT(25)
#define XGMAC_FEAT0_EEESEL      BIT(13)
#define XGMAC_FEAT0_TXCOESEL    BIT(14)
#define XGMAC_FEAT0_RXCOESEL    BIT(16)
#define XGMAC_FEAT0_ADDMAC_SHIFT 18
#define XGMAC_FEAT0_SAVLANINS   BIT(27)
/* HW_FEATURE1 */
#define XGMAC_FEAT1_TXFIFO_SHIFT 6
#define XGMAC_FEAT1_ADDR64_SHIFT 14
#define XGMAC_FEAT1_SPHEN       BIT(17)
#define XGMAC_FEAT1_TSOEN       BIT(18)
#define XGMAC_FEAT1_RSSEN       BIT(20)
#define XGMAC_FEAT1_NUMTC_SHIFT 21
#define XGMAC_FEAT1_HASHTBLSZ_SHIFT 24
#define XGMAC_FEAT1_L3L4FNUM_SHIFT 27
/* HW_FEATURE2 as of QoS; HW_FEATURE3 */
#define XGMAC_FEAT3_FRPSEL      BIT(3)
#define XGMAC_FEAT3_FRPES_SHIFT 11
#define XGMAC_FEAT3_TBSSEL      BIT(27)
#define XGMAC_FEAT3_TBSCH_SHIFT 28
#define XGMAC_FEAT3_DVLAN       BIT(13)
#define XGMAC_FEAT3_ASP_SHIFT   14
/* HW_FEATURE4 */
#define XGMAC_FEAT4_EASP        BIT(4)

#endif
