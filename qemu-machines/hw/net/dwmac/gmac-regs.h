/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * DesignWare GMAC 3.x: register offsets, register bits, descriptor bits.
 *
 * Names and numbers are those of the Linux driver where it has them
 * (drivers/net/ethernet/stmicro/stmmac: common.h, dwmac1000.h, dwmac_dma.h,
 * descs.h, mmc_core.c of 6.1 and 7.3); bits that the driver never touches are
 * named as the 3.70a databook names them.
 */
#ifndef HW_NET_DWMAC_GMAC_REGS_H
#define HW_NET_DWMAC_GMAC_REGS_H

#include "qemu/bitops.h"

/* MAC block */
#define GMAC_CONTROL            0x0000
#define GMAC_FRAME_FILTER       0x0004
#define GMAC_HASH_HIGH          0x0008
#define GMAC_HASH_LOW           0x000c
#define GMAC_MII_ADDR           0x0010
#define GMAC_MII_DATA           0x0014
#define GMAC_FLOW_CTRL          0x0018
#define GMAC_VLAN_TAG           0x001c
#define GMAC_VERSION            0x0020
#define GMAC_DEBUG              0x0024
#define GMAC_WAKE_FILTER        0x0028
#define GMAC_PMT                0x002c
#define GMAC_LPI                0x0030
#define GMAC_LPI_TIMER          0x0034
#define GMAC_INT_STATUS         0x0038
#define GMAC_INT_MASK           0x003c
#define GMAC_ADDR_BASE          0x0040  /* slots 0-15: high, low, high, ... */
#define GMAC_RGSMIIIS           0x00d8
#define GMAC_MMC_BASE           0x0100
#define GMAC_MMC_END            0x0300
#define GMAC_EXTHASH_BASE       0x0500
#define GMAC_VLAN_INCL          0x0584
#define GMAC_VLAN_HASH          0x0588
#define GMAC_PTP_BASE           0x0700
#define GMAC_PTP_STATUS         0x0728
#define GMAC_PTP_ATNR           0x0730
#define GMAC_PTP_ATSR           0x0734
#define GMAC_ADDR16_BASE        0x0800  /* slots 16-31 */

/* GMAC_CONTROL */
#define GMAC_CONTROL_RE         BIT(2)
#define GMAC_CONTROL_TE         BIT(3)
#define GMAC_CONTROL_ACS        BIT(7)
#define GMAC_CONTROL_LUD        BIT(8)
#define GMAC_CONTROL_IPC        BIT(10)
#define GMAC_CONTROL_DM         BIT(11)
#define GMAC_CONTROL_LM         BIT(12)
#define GMAC_CONTROL_FES        BIT(14)
#define GMAC_CONTROL_PS         BIT(15)
#define GMAC_CONTROL_JE         BIT(20)
#define GMAC_CONTROL_JD         BIT(22)
#define GMAC_CONTROL_WD         BIT(23)
#define GMAC_CONTROL_CST        BIT(25)
#define GMAC_CONTROL_2K         BIT(27)
#define GMAC_CONTROL_SARC_SHIFT 28

/* GMAC_MII_ADDR */
#define GMAC_MII_ADDR_BUSY      BIT(0)
#define GMAC_MII_ADDR_WRITE     BIT(1)
#define GMAC_MII_REG_SHIFT      6
#define GMAC_MII_PHY_SHIFT      11

/* GMAC_FLOW_CTRL */
#define GMAC_FLOW_FCB           BIT(0)
#define GMAC_FLOW_TFE           BIT(1)
#define GMAC_FLOW_RFE           BIT(2)
#define GMAC_FLOW_UP            BIT(3)
#define GMAC_FLOW_DZPQ          BIT(7)
#define GMAC_FLOW_PT_SHIFT      16

/* GMAC_DEBUG */
#define GMAC_DEBUG_RXFSTS_SHIFT 8       /* none, below RFD, above RFA, full */
#define GMAC_DEBUG_TXPAUSED     BIT(19)
#define GMAC_DEBUG_TXFSTS       BIT(24)

/* GMAC_INT_STATUS, GMAC_INT_MASK */
#define GMAC_INT_RGSMIIIS       BIT(0)
#define GMAC_INT_PMT            BIT(3)
#define GMAC_INT_MMC            BIT(4)
#define GMAC_INT_MMC_RX         BIT(5)
#define GMAC_INT_MMC_TX         BIT(6)
#define GMAC_INT_MMC_IPC        BIT(7)
#define GMAC_INT_TS             BIT(9)
#define GMAC_INT_LPI            BIT(10)
#define GMAC_INT_MASKABLE       0x60f

/* GMAC_PTP_STATUS */
#define GMAC_PTP_AUXTSTRIG      BIT(2)

/* GMAC_RGSMIIIS */
#define GMAC_RGSMIIIS_DUPLEX    BIT(0)
#define GMAC_RGSMIIIS_125MHZ    (2 << 1)
#define GMAC_RGSMIIIS_LNKSTS    BIT(3)

/* DMA block */
#define DMA_BUS_MODE            0x1000
#define DMA_XMT_POLL_DEMAND     0x1004
#define DMA_RCV_POLL_DEMAND     0x1008
#define DMA_RCV_BASE_ADDR       0x100c
#define DMA_TX_BASE_ADDR        0x1010
#define DMA_STATUS              0x1014
#define DMA_CONTROL             0x1018
#define DMA_INTR_ENA            0x101c
#define DMA_MISSED_FRAME_CTR    0x1020
#define DMA_RX_WATCHDOG         0x1024
#define DMA_AXI_BUS_MODE        0x1028
#define DMA_AXI_STATUS          0x102c
#define DMA_HOST_TX_DESC        0x1048
#define DMA_HOST_RX_DESC        0x104c
#define DMA_CUR_TX_BUF_ADDR     0x1050
#define DMA_CUR_RX_BUF_ADDR     0x1054
#define DMA_HW_FEATURE          0x1058

#define GMAC_REGS_END           0x1100

/* DMA_BUS_MODE */
#define DMA_BUS_MODE_SWR        BIT(0)
#define DMA_BUS_MODE_DSL_SHIFT  2
#define DMA_BUS_MODE_DSL_LEN    5
#define DMA_BUS_MODE_ATDS       BIT(7)
#define DMA_BUS_MODE_FB         BIT(16)

/* DMA_AXI_BUS_MODE */
#define DMA_AXI_UNDEF           BIT(0)

/* DMA_STATUS; the enable bits of DMA_INTR_ENA are at the same places */
#define DMA_STATUS_TI           BIT(0)
#define DMA_STATUS_TPS          BIT(1)
#define DMA_STATUS_TU           BIT(2)
#define DMA_STATUS_TJT          BIT(3)
#define DMA_STATUS_OVF          BIT(4)
#define DMA_STATUS_UNF          BIT(5)
#define DMA_STATUS_RI           BIT(6)
#define DMA_STATUS_RU           BIT(7)
#define DMA_STATUS_RPS          BIT(8)
#define DMA_STATUS_RWT          BIT(9)
#define DMA_STATUS_ETI          BIT(10)
#define DMA_STATUS_FBI          BIT(13)
#define DMA_STATUS_ERI          BIT(14)
#define DMA_STATUS_AIS          BIT(15)
#define DMA_STATUS_NIS          BIT(16)
#define DMA_STATUS_RS_SHIFT     17
#define DMA_STATUS_TS_SHIFT     20
#define DMA_STATUS_EB_SHIFT     23
#define DMA_STATUS_EB_MASK      (7 << 23)
#define DMA_STATUS_GLI          BIT(26)
#define DMA_STATUS_GMI          BIT(27)
#define DMA_STATUS_GPI          BIT(28)
#define DMA_STATUS_TTI          BIT(29)
#define DMA_STATUS_GLPII        BIT(30)
#define DMA_STATUS_W1C          0x0001e7ff

#define DMA_INTR_NORMAL  (DMA_STATUS_TI | DMA_STATUS_TU | DMA_STATUS_RI | \
                          DMA_STATUS_ERI)
#define DMA_INTR_ABNORMAL (DMA_STATUS_TPS | DMA_STATUS_TJT | DMA_STATUS_OVF | \
                           DMA_STATUS_UNF | DMA_STATUS_RU | DMA_STATUS_RPS | \
                           DMA_STATUS_RWT | DMA_STATUS_ETI | DMA_STATUS_FBI)

/* DMA_STATUS error bits: what the DMA was doing when the bus failed */
#define DMA_EB_TX               BIT(0)
#define DMA_EB_READ             BIT(1)
#define DMA_EB_DESC             BIT(2)

/* DMA_CONTROL */
#define DMA_CONTROL_SR          BIT(1)
#define DMA_CONTROL_FUF         BIT(6)
#define DMA_CONTROL_FEF         BIT(7)
#define DMA_CONTROL_EFC         BIT(8)
#define DMA_CONTROL_RFA_LOW     9       /* two bits, and one more up there */
#define DMA_CONTROL_RFD_LOW     11
#define DMA_CONTROL_RFD_HIGH    22
#define DMA_CONTROL_RFA_HIGH    23
#define DMA_CONTROL_ST          BIT(13)
#define DMA_CONTROL_FTF         BIT(20)
#define DMA_CONTROL_TSF         BIT(21)
#define DMA_CONTROL_DFF         BIT(24)
#define DMA_CONTROL_RSF         BIT(25)
#define DMA_CONTROL_DT          BIT(26)

/* DMA_MISSED_FRAME_CTR */
#define DMA_MISSED_OVF          BIT(16)
#define DMA_MISSED_FIFO_SHIFT   17
#define DMA_MISSED_FIFO_MAX     0x7ff
#define DMA_MISSED_FIFO_OVF     BIT(28)

/* DMA_HW_FEATURE */
#define DMA_HW_FEAT_MIISEL      BIT(0)
#define DMA_HW_FEAT_GMIISEL     BIT(1)
#define DMA_HW_FEAT_HDSEL       BIT(2)
#define DMA_HW_FEAT_EXTHASHEN   BIT(3)
#define DMA_HW_FEAT_HASHSEL     BIT(4)
#define DMA_HW_FEAT_ADDMAC      BIT(5)
#define DMA_HW_FEAT_SMASEL      BIT(8)
#define DMA_HW_FEAT_RWKSEL      BIT(9)
#define DMA_HW_FEAT_MGKSEL      BIT(10)
#define DMA_HW_FEAT_MMCSEL      BIT(11)
#define DMA_HW_FEAT_TSVER1SEL   BIT(12)
#define DMA_HW_FEAT_TSVER2SEL   BIT(13)
#define DMA_HW_FEAT_EEESEL      BIT(14)
#define DMA_HW_FEAT_TXCOESEL    BIT(16)
#define DMA_HW_FEAT_RXTYP1COE   BIT(17)
#define DMA_HW_FEAT_RXTYP2COE   BIT(18)
#define DMA_HW_FEAT_RXFIFOSIZE  BIT(19)
#define DMA_HW_FEAT_ENHDESSEL   BIT(24)
#define DMA_HW_FEAT_INTTSEN     BIT(25)
#define DMA_HW_FEAT_SAVLANINS   BIT(27)
#define DMA_HW_FEAT_PHYIF_SHIFT 28

/* Process states in DMA_STATUS */
enum {
    DMA_RS_STOPPED = 0,
    DMA_RS_WAITING = 3,
    DMA_RS_SUSPENDED = 4,
    DMA_TS_STOPPED = 0,
    DMA_TS_WAITING = 2,
    DMA_TS_SUSPENDED = 6,
};

/* RDES0, both descriptor formats */
#define RDES0_PCE               BIT(0)  /* or extended status available */
#define RDES0_CRC_ERROR         BIT(1)
#define RDES0_RWT               BIT(4)
#define RDES0_FRAME_TYPE        BIT(5)
#define RDES0_IPC               BIT(7)  /* IP header error, giant, timestamp */
#define RDES0_LS                BIT(8)
#define RDES0_FS                BIT(9)
#define RDES0_VLAN              BIT(10)
#define RDES0_LENGTH_ERROR      BIT(12)
#define RDES0_SAF               BIT(13)
#define RDES0_DESC_ERROR        BIT(14)
#define RDES0_ES                BIT(15)
#define RDES0_FL_SHIFT          16
#define RDES0_FL_MAX            0x3fff
#define RDES0_AFM               BIT(30)
#define DES0_OWN                BIT(31)

/* RDES1, normal format */
#define RDES1_RCH               BIT(24)
#define RDES1_RER               BIT(25)
#define DES1_DIC                BIT(31) /* both formats */
/* RDES1, enhanced format */
#define ERDES1_RCH              BIT(14)
#define ERDES1_RER              BIT(15)

/* RDES4 */
#define ERDES4_IP_HDR_ERR       BIT(3)
#define ERDES4_IP_PAYLOAD_ERR   BIT(4)
#define ERDES4_IP_CSUM_BYPASSED BIT(5)
#define ERDES4_IPV4_PKT_RCVD    BIT(6)
#define ERDES4_IPV6_PKT_RCVD    BIT(7)

/* TDES0, control beside what is below; TDES1 */
#define ETDES0_VLIC_SHIFT       18
#define ETDES0_TTSE             BIT(25)
#define ETDES1_SAIC_SHIFT       29
#define TDES1_TTSE              BIT(22)

/* TDES0, status, both formats */
#define TDES0_VLAN              BIT(7)
#define TDES0_PAYLOAD_ERROR     BIT(12)
#define TDES0_JABBER            BIT(14)
#define TDES0_ES                BIT(15)
#define TDES0_IP_HDR_ERR        BIT(16)
#define TDES0_TTSS              BIT(17)
#define TDES0_STATUS_MASK       0x0003ffff

/* TDES0, control, enhanced format */
#define ETDES0_TCH              BIT(20)
#define ETDES0_TER              BIT(21)
#define ETDES0_CIC_SHIFT        22
#define ETDES0_DP               BIT(26)
#define ETDES0_DC               BIT(27)
#define ETDES0_FS               BIT(28)
#define ETDES0_LS               BIT(29)
#define ETDES0_IC               BIT(30)
/* TDES1, control, normal format */
#define TDES1_DP                BIT(23)
#define TDES1_TCH               BIT(24)
#define TDES1_TER               BIT(25)
#define TDES1_DC                BIT(26)
#define TDES1_CIC_SHIFT         27
#define TDES1_FS                BIT(29)
#define TDES1_LS                BIT(30)
#define TDES1_IC                BIT(31)

#endif
