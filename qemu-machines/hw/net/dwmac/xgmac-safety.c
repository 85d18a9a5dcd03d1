// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * DesignWare XGMAC: its safety features, as data.  What is done with them, and
 * what is left out: mq-safety.c.
 *
 * The checks are on from reset, and their bits turn them off.  asp is as in
 * HW_FEATURE3.ASP, and 4 where HW_FEATURE4.EASP is set: 2 and 4 are ECC without
 * parity and timeouts, 1 and 3 have both.
 *
 * Facts: dwxgmac2_core.c and dwxgmac2.h of Linux 6.12 and 7.3.  The driver turns
 * on all that MTL_ECC_CONTROL has at once; bits for single memories are where QoS
 * has them, and that of the descriptor cache behind them.
 */
#include "qemu/osdep.h"
#include "mq-safety.h"
#include "xgmac-regs.h"

#define DPP(_bank, _errors) \
    { _bank, _errors, XGMAC_MTL_DPP_CONTROL, XGMAC_DPP_DISABLE, true }
#define FSM(_errors, _bit) \
    { MQ_SAFETY_MAC, _errors, XGMAC_MAC_FSM_CONTROL, _bit }
#define ECC(_bank, _errors, _bit, _told) \
    { _bank, _errors, XGMAC_MTL_ECC_CONTROL, BIT(_bit), true, _told }

static const MqSafetyCheck checks[] = {
    DPP(MQ_SAFETY_MAC, 0x80001fff),
    FSM(0x01e3e000, XGMAC_TMOUTEN),
    FSM(0x02000000, XGMAC_PRTYEN),
    ECC(MQ_SAFETY_MTL, 0x0007, 0, BIT(0)),
    ECC(MQ_SAFETY_MTL, 0x0070, 1, BIT(4)),
    ECC(MQ_SAFETY_MTL, 0x0700, 2, BIT(8)),
    ECC(MQ_SAFETY_MTL, 0x7000, 3, BIT(12)),
    ECC(MQ_SAFETY_DMA, 0x0007, 4, XGMAC_TCEIE),
    ECC(MQ_SAFETY_DMA, 0x0070, 5, XGMAC_DCEIE),
    DPP(MQ_SAFETY_DPP, 0xffffffff),
};

const MqSafety xgmac_safety = {
    .status = {
        [MQ_SAFETY_MAC] = XGMAC_MAC_DPP_FSM_INT_STATUS,
        [MQ_SAFETY_MTL] = XGMAC_MTL_ECC_INT_STATUS,
        [MQ_SAFETY_DMA] = XGMAC_DMA_ECC_INT_STATUS,
        [MQ_SAFETY_DPP] = XGMAC_DMA_DPP_INT_STATUS,
    },
    .ecc_enable = {
        [MQ_SAFETY_MTL] = XGMAC_MTL_ECC_INT_ENABLE,
        [MQ_SAFETY_DMA] = XGMAC_DMA_ECC_INT_ENABLE,
    },
    .parity = BIT(1) | BIT(3),
    .checks = checks,
    .n_checks = ARRAY_SIZE(checks),
};
