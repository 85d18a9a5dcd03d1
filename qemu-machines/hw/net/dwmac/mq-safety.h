/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The multi-queue DesignWare MACs: what a generation says of its safety features.
 *
 * qos-safety.c and xgmac-safety.c have the tables, mq-safety.c what is done with
 * them, the generations' register tables the hooks below.
 */
#ifndef HW_NET_DWMAC_MQ_SAFETY_H
#define HW_NET_DWMAC_MQ_SAFETY_H

#include "mq.h"

/* Status registers: who found the error. */
enum MqSafetyBank {
    MQ_SAFETY_MAC,  /* parity and timeouts */
    MQ_SAFETY_MTL,  /* ECC */
    MQ_SAFETY_DMA,  /* ECC */
    MQ_SAFETY_DPP,  /* parity of descriptors */
    MQ_SAFETY_BANKS,
};

typedef struct MqSafetyCheck {
    enum MqSafetyBank bank;
    uint32_t errors;    /* the bits that it sets */
    uint16_t control;   /* the register with its switch */
    uint32_t bit;
    bool turns_off;     /* set, the bit turns the check off */
    uint32_t told;      /* ECC: enables the interrupt of corrected errors */
} MqSafetyCheck;

typedef struct MqSafety {
    uint16_t status[MQ_SAFETY_BANKS];       /* 0: not there */
    uint16_t ecc_enable[MQ_SAFETY_BANKS];   /* of MTL and DMA */
    uint8_t parity;     /* values of asp with more than ECC, one bit each */
    const MqSafetyCheck *checks;
    unsigned n_checks;
} MqSafety;

extern const MqSafety qos_safety, xgmac_safety;

/* Hooks for registers: summaries, what ECC has, what parity has, status. */
uint32_t mq_read_mtl_safety(Mq *m, unsigned off);
uint32_t mq_read_dma_safety(Mq *m, unsigned off);
void mq_write_safety(Mq *m, unsigned off, uint32_t old);
void mq_write_safety_parity(Mq *m, unsigned off, uint32_t old);
void mq_write_safety_status(Mq *m, unsigned off, uint32_t old);

/** mq_safety_irq: has a check found something that the host is told of? */
bool mq_safety_irq(Mq *m);

/** mq_add_safety_faults: the properties by which errors are asked for */
void mq_add_safety_faults(Mq *m, Object *obj);

#endif
