/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Register and descriptor bits that the QoS (4.x, 5.x) and XGMAC (2.x) cores
 * have in common, and the offsets where both have them in the same place.
 *
 * Names and numbers are those of Linux's stmmac where it has them (dwmac4.h,
 * dwmac4_dma.h, dwmac4_descs.h, dwmac5.h, dwxgmac2.h of 6.12 and 7.3); bits
 * that the driver never touches are named as the QoS 5.10a databook has them.
 */
#ifndef HW_NET_DWMAC_MQ_REGS_H
#define HW_NET_DWMAC_MQ_REGS_H

#include "qemu/bitops.h"

/* MAC block, the same in both generations */
#define MQ_PACKET_FILTER        0x0008
#define MQ_WATCHDOG_TIMEOUT     0x000c
#define MQ_HASH_TAB             0x0010
#define MQ_VLAN_TAG             0x0050
#define MQ_VLAN_TAG_DATA        0x0054
#define MQ_VLAN_HASH_TABLE      0x0058
#define MQ_VLAN_INCL            0x0060
#define MQ_INNER_VLAN_INCL      0x0064
#define MQ_TX_FLOW_CTRL         0x0070  /* one a queue */
#define MQ_RX_FLOW_CTRL         0x0090
#define MQ_RXQ_CTRL0            0x00a0
#define MQ_RXQ_CTRL1            0x00a4
#define MQ_RXQ_CTRL2            0x00a8  /* and 3 */
#define MQ_INT_STATUS           0x00b0
#define MQ_INT_EN               0x00b4
#define MQ_RX_TX_STATUS         0x00b8
#define MQ_PMT                  0x00c0
#define MQ_WAKE_FILTER          0x00c4
#define MQ_LPI_CTRL_STATUS      0x00d0
#define MQ_LPI_TIMER_CTRL       0x00d4
#define MQ_LPI_ENTRY_TIMER      0x00d8
#define MQ_VERSION              0x0110
#define MQ_HW_FEATURE0          0x011c
#define MQ_MDIO_ADDR            0x0200
#define MQ_MDIO_DATA            0x0204
#define MQ_ADDR_BASE            0x0300  /* high, low, high, low, ... */

#define MQ_PACKET_FILTER_IPFE   BIT(20)
#define MQ_PACKET_FILTER_DNTU   BIT(21)

#define MQ_WATCHDOG_PWE         BIT(8)

#define MQ_VLAN_TAG_OB          BIT(0)  /* with several VLAN filters only */
#define MQ_VLAN_TAG_CT          BIT(1)
#define MQ_VLAN_TAG_OFS_SHIFT   2

/* MTL operation mode, flexible parser */
#define MQ_MTL_OP_FRPE          BIT(15)
#define MQ_FRP_RXPI             BIT(31)
#define MQ_FRP_STARTBUSY        BIT(31)
#define MQ_FRP_WRRDN            BIT(16)
#define MQ_FRP_ADDR_LEN         10

#define MQ_TX_FLOW_FCB          BIT(0)
#define MQ_TX_FLOW_TFE          BIT(1)
#define MQ_TX_FLOW_DZPQ         BIT(7)
#define MQ_TX_FLOW_PT_SHIFT     16
#define MQ_RX_FLOW_RFE          BIT(0)
#define MQ_RX_FLOW_UP           BIT(1)

/* MAC interrupt status */
#define MQ_INT_PHYIS            BIT(3)
#define MQ_INT_PMTIS            BIT(4)
#define MQ_INT_LPIIS            BIT(5)
#define MQ_INT_MMCIS            BIT(8)
#define MQ_INT_MMCRXIS          BIT(9)
#define MQ_INT_MMCTXIS          BIT(10)
#define MQ_INT_MMCRXIPIS        BIT(11)
#define MQ_INT_TSIS             BIT(12)

/* MTL queue x, interrupt control and status */
#define MTL_RX_OVERFLOW_INT     BIT(16)
#define MTL_RX_OVERFLOW_INT_EN  BIT(24)

/* DMA channel x, control */
#define DMA_CONTROL_SPH         BIT(24)
#define DMA_CONTROL_DSL_SHIFT   18
#define DMA_CONTROL_DSL_LEN     3
/* transmit control */
#define DMA_TX_CONTROL_ST       BIT(0)
#define DMA_TX_CONTROL_TSE      BIT(12)
#define DMA_TX_CONTROL_EDSE     BIT(28)
/* receive control */
#define DMA_RX_CONTROL_SR       BIT(0)
#define DMA_RX_CONTROL_RBSZ_SHIFT 1
#define DMA_RX_CONTROL_RBSZ_LEN 14
#define DMA_RX_CONTROL_RPF      BIT(31)

/* DMA channel x, status; the enable bits are in the same places but for NIE
 * and AIE, which moved to those of NIS and AIS with 4.10 */
#define DMA_CHAN_TI             BIT(0)
#define DMA_CHAN_TPS            BIT(1)
#define DMA_CHAN_TBU            BIT(2)
#define DMA_CHAN_RI             BIT(6)
#define DMA_CHAN_RBU            BIT(7)
#define DMA_CHAN_RPS            BIT(8)
#define DMA_CHAN_RWT            BIT(9)
#define DMA_CHAN_ETI            BIT(10)
#define DMA_CHAN_ERI            BIT(11)
#define DMA_CHAN_FBE            BIT(12)
#define DMA_CHAN_CDE            BIT(13)
#define DMA_CHAN_AIS            BIT(14)
#define DMA_CHAN_NIS            BIT(15)
#define DMA_CHAN_TEB_SHIFT      16
#define DMA_CHAN_REB_SHIFT      19
#define DMA_CHAN_EB_MASK        0x003f0000
#define DMA_CHAN_NORMAL         (DMA_CHAN_TI | DMA_CHAN_TBU | DMA_CHAN_RI | \
                                 DMA_CHAN_ERI)
#define DMA_CHAN_ABNORMAL       (DMA_CHAN_TPS | DMA_CHAN_RBU | DMA_CHAN_RPS | \
                                 DMA_CHAN_RWT | DMA_CHAN_ETI | \
                                 DMA_CHAN_FBE | DMA_CHAN_CDE)
#define DMA_CHAN_W1C            (DMA_CHAN_NORMAL | DMA_CHAN_ABNORMAL | \
                                 DMA_CHAN_AIS | DMA_CHAN_NIS)

/* error bits, before they are shifted to TEB or REB */
#define DMA_EB_READ             BIT(0)
#define DMA_EB_DESC             BIT(1)
#define DMA_EB_DATA             BIT(2)

/* TDES2, read format */
/* TDES4 and TDES5, in front of the others where there is a launch time */
#define TDES4_LTV               BIT(31)
#define TDES5_LT_MASK           0xffffff00

#define TDES2_B1L_LEN           14
#define TDES2_VTIR_SHIFT        14
#define TDES2_B2L_SHIFT         16
#define TDES2_TTSE              BIT(30)
#define TDES2_IOC               BIT(31)
/* TDES2, context */
#define TDES2_CTXT_MSS_LEN      14
#define TDES2_CTXT_IVT_SHIFT    16

/* TDES3, read format */
#define TDES3_FL_LEN            15
#define TDES3_TPL_LEN           18
#define TDES3_CIC_SHIFT         16
#define TDES3_TSE               BIT(18)
#define TDES3_THL_SHIFT         19
#define TDES3_SAIC_SHIFT        23
#define TDES3_CPC_SHIFT         26
#define TDES3_LD                BIT(28)
#define TDES3_FD                BIT(29)
#define TDES3_CTXT              BIT(30)
#define TDES3_OWN               BIT(31)
/* TDES3, context */
#define TDES3_CTXT_VLTV         BIT(16)
#define TDES3_CTXT_IVLTV        BIT(17)
#define TDES3_CTXT_IVTIR_SHIFT  18
#define TDES3_CTXT_CDE          BIT(23)
#define TDES3_CTXT_TCMSSV       BIT(26)
/* TDES3, write-back format */
#define TDES3_WB_IHE            BIT(0)
#define TDES3_WB_PCE            BIT(12)
#define TDES3_WB_FF             BIT(13)
#define TDES3_WB_JT             BIT(14)
#define TDES3_WB_ES             BIT(15)
#define TDES3_WB_TTSS           BIT(17)
#define TDES3_WB_KEPT           (TDES3_CTXT | TDES3_FD | TDES3_LD)

/* TDES3.CPC */
enum { MQ_CPC_CRC_PAD, MQ_CPC_CRC, MQ_CPC_NONE, MQ_CPC_REPLACE };

/* RDES3, read format */
#define RDES3_OWN               BIT(31)
#define RDES3_IOC               BIT(30)
#define RDES3_BUF2V             BIT(25)     /* QoS only */
#define RDES3_BUF1V             BIT(24)     /* QoS only */
/* RDES3, write-back format */
#define RDES3_WB_CTXT           BIT(30)
#define RDES3_WB_FD             BIT(29)
#define RDES3_WB_LD             BIT(28)
#define RDES3_WB_ES             BIT(15)

/* behind the PTP block: when the last stamped frame went out */
#define MQ_PTP_STATUS           0x20
#define MQ_PTP_TX_NSEC          0x30
#define MQ_PTP_TX_SEC           0x34
#define MQ_PTP_ACR              0x40
#define MQ_PTP_ATNR             0x48
#define MQ_PTP_ATSR             0x4c
#define MQ_PTP_PPS_CONTROL      0x70
#define MQ_PTP_PPS              0x80    /* four registers an output */
#define MQ_PTP_STATUS_AUXTSTRIG BIT(2)
#define MQ_PTP_STATUS_TXTSC     BIT(15)
#define MQ_PTP_STATUS_EVENTS    0x00000156  /* of outputs 0 to 3, and AUXTSTRIG */
#define MQ_PTP_STATUS_ERRORS    0x000002a8  /* of outputs 0 to 3 */
#define MQ_PTP_ATSFC            BIT(0)
#define MQ_PTP_ATSEN            BIT(4)  /* of input 0; the others behind it */

/* RDES3.LT of QoS: what kind of frame */
enum {
    MQ_LT_LENGTH  = 0,
    MQ_LT_TYPE    = 1,
    MQ_LT_ARP     = 3,
    MQ_LT_VLAN    = 4,
    MQ_LT_DVLAN   = 5,
    MQ_LT_CONTROL = 6,
    MQ_LT_OAM     = 7,
};

#endif
