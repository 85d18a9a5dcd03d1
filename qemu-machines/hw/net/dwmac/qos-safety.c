// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * DesignWare QoS 5.x: its safety features, as data.  What is done with them, and
 * what is left out: mq-safety.c.
 *
 * asp is 1 for ECC, 2 for parity and timeouts as well, 3 for parity on the ports,
 * too.  Facts: dwmac5.c and dwmac5.h of Linux 6.12 and 7.3.
 */
#include "qemu/osdep.h"
#include "mq-safety.h"
#include "qos-regs.h"

#define MAC(_errors, _control, _bit) \
    { MQ_SAFETY_MAC, _errors, _control, _bit }
#define ECC(_bank, _errors, _bit, _told) \
    { _bank, _errors, MTL_ECC_CONTROL, _bit, false, _told }

static const MqSafetyCheck checks[] = {
    MAC(0x000000ff, MTL_DPP_CONTROL, MTL_DPP_EDPP),
    MAC(0x000fff00, MAC_FSM_CONTROL, MAC_FSM_TMOUTEN),
    MAC(0x01000000, MAC_FSM_CONTROL, MAC_FSM_PRTYEN),
    ECC(MQ_SAFETY_MTL, 0x0007, MTL_ECC_MTXEE, BIT(0)),
    ECC(MQ_SAFETY_MTL, 0x0070, MTL_ECC_MRXEE, BIT(4)),
    ECC(MQ_SAFETY_MTL, 0x0700, MTL_ECC_MESTEE, BIT(8)),
    ECC(MQ_SAFETY_MTL, 0x7000, MTL_ECC_MRXPEE, BIT(12)),
    ECC(MQ_SAFETY_DMA, 0x0007, MTL_ECC_TSOEE, BIT(0)),
};

const MqSafety qos_safety = {
    .status = {
        [MQ_SAFETY_MAC] = MAC_DPP_FSM_INT_STATUS,
        [MQ_SAFETY_MTL] = MTL_ECC_INT_STATUS,
        [MQ_SAFETY_DMA] = DMA_ECC_INT_STATUS,
    },
    .ecc_enable = {
        [MQ_SAFETY_MTL] = MTL_ECC_INT_ENABLE,
        [MQ_SAFETY_DMA] = DMA_ECC_INT_ENABLE,
    },
    .parity = BIT(2) | BIT(3),
    .checks = checks,
    .n_checks = ARRAY_SIZE(checks),
};
