/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * DesignWare Ethernet MAC: what all generations share.
 *
 * A front end (one per generation) owns registers, rings and interrupts; the
 * core owns the NIC, the MDIO bus and the timing of both.  Calls go down
 * (front end to core) as functions and up as DwmacOps.
 */
#ifndef HW_NET_DWMAC_CORE_H
#define HW_NET_DWMAC_CORE_H

#include "hw/net/mdio.h"
#include "coe.h"
#include "net/net.h"
#include "qemu/timer.h"
#include "exec/memory.h"

#define DWMAC_FCS_LEN      4
#define DWMAC_MIN_FRAME    60       /* without FCS */
#define DWMAC_MAX_FRAME    16384

typedef struct DwmacCore DwmacCore;

typedef struct DwmacOps {
    /*
     * A frame from the wire, without FCS.  Returns its length, also when it
     * was dropped, or 0 to have it kept until dwmac_core_rx_resume().
     */
    ssize_t (*receive)(DwmacCore *core, const uint8_t *f, size_t len);
    /* Look again for room for what the front end itself keeps; may be NULL. */
    void (*rx_retry)(DwmacCore *core);
    /* The wire takes frames again, or the machine runs again. */
    void (*tx_resume)(DwmacCore *core);
    void (*link_changed)(DwmacCore *core);
    /* An MDIO access is through; @val is what was read. */
    void (*mdio_done)(DwmacCore *core, uint16_t val);
} DwmacOps;

/* One access on the MDIO bus, as a front end's registers describe it. */
typedef struct DwmacMdioOp {
    bool write;
    bool c45;
    uint8_t phy;
    uint8_t mmd;
    uint16_t reg;
    uint16_t val;
} DwmacMdioOp;

/*
 * Faults on purpose, each a property of the device that can be set at any time
 * (qom-set): how many more times, or for how long.
 */
typedef struct DwmacFault {
    uint32_t writeback;     /* descriptor write-backs that get lost */
    uint32_t bus_error;     /* DMA accesses that fail */
    uint32_t rx_overflow;   /* received frames that find the FIFO full */
    uint32_t rx_csum;       /* frames whose payload verdict is the wrong one */
    uint32_t stuck_busy;    /* 1: busy bits stay set */
    uint32_t stuck_reset;   /* 1: a software reset never ends */
    uint32_t split_short;   /* QoS, XGMAC: buffer 2 of a split frame is left
                               partly filled */
    uint32_t late_tx_ns;    /* transmit descriptors are closed that late */
} DwmacFault;

struct DwmacCore {
    DeviceState *dev;
    char *name;                 /* in trace events: what the board calls us */
    const DwmacOps *ops;
    AddressSpace *as;
    NICState *nic;
    MdioBus *mdio;
    QEMUTimer *mdio_timer;
    QEMUTimer *rx_timer;        /* looks whether a kept frame now fits */
    QEMUTimer *tx_timer;        /* starts what tx_demands has gathered */
    VMChangeStateEntry *vmstate;
    MemoryRegion gate;          /* over the registers while the clock is off */
    AddressSpace own_as;        /* for dma_mr */

    /* state */
    DwmacMdioOp mdio_op;
    bool mdio_busy;
    bool tx_blocked;            /* a sent frame waits for the wire */
    uint8_t tx_demands;         /* since the rings were last run */
    int64_t tx_demand_at;       /* the first of them, or the last run */
    bool rx_kept;               /* the peer holds a frame for us */
    uint32_t rx_backoff_us;
    DwmacFault fault;
    bool clock_off;             /* with clock_gate: level of the input "clock" */

    /* properties */
    NICConf conf;
    uint32_t mdio_busy_ns;
    uint32_t tx_gather_ns;
    bool clock_gate;
    MemoryRegion *dma_mr;       /* what DMA goes to; NULL: as the bus says */
};

extern const VMStateDescription vmstate_dwmac_core;
extern const VMStateDescription vmstate_dwmac_mmc;  /* a DwmacMmc */
extern const VMStateDescription vmstate_dwmac_ptp;  /* a DwmacPtp */
extern const VMStateDescription vmstate_dwmac_pmt;  /* a DwmacPmt */

/**
 * dwmac_core_init: create the MDIO bus; for instance_init, so that a board
 * can put devices on it before the MAC is realized
 */
void dwmac_core_init(DwmacCore *core, DeviceState *dev, const DwmacOps *ops);

/**
 * dwmac_core_gate: what a bus answers for a MAC without a clock
 *
 * With property clock-gate, accesses to @mmio end in a bus error while the
 * device's input "clock" is low, which it is until somebody drives it.
 */
void dwmac_core_gate(DwmacCore *core, MemoryRegion *mmio);

/** dwmac_core_realize: create the NIC; DMA goes to property dma, or to @as */
void dwmac_core_realize(DwmacCore *core, AddressSpace *as);
void dwmac_core_unrealize(DwmacCore *core);
void dwmac_core_reset(DwmacCore *core);

/**
 * dwmac_core_send: put a frame on the wire
 *
 * Returns: true if the wire takes another one; false if the front end must
 * stop until its tx_resume() is called.  The frame is gone in both cases.
 */
bool dwmac_core_send(DwmacCore *core, const uint8_t *f, size_t len);

/**
 * dwmac_core_dma_read, dwmac_core_dma_write: the MAC as a master on its bus
 *
 * The MAC's own registers cannot be reached so, from whatever context: a ring
 * or a buffer that points there is a bus error, not a second entry into a model
 * that is in the middle of a frame.
 *
 * Returns: false on a bus error, a planned one (fault-bus-error) included
 */
bool dwmac_core_dma_read(DwmacCore *core, uint64_t addr, void *buf, size_t len);
bool dwmac_core_dma_write(DwmacCore *core, uint64_t addr, const void *buf,
                          size_t len);

/**
 * dwmac_core_tx_demand: software says that there is something to send
 *
 * Returns: run the rings now?  False where demands come close together (property
 * tx-gather-ns): then a later one, or tx_resume() from a timer, does it for all.
 */
bool dwmac_core_tx_demand(DwmacCore *core);

/**
 * dwmac_cut_long: the watchdog cuts a frame off, in the middle or in its FCS
 * @len: of the frame without its FCS; becomes what is left of it
 * @limit: bytes that pass, FCS included
 * @tail: becomes what is left of the FCS, if anything is; @tail_len its length
 *
 * Returns: was the frame too long?
 */
bool dwmac_cut_long(const uint8_t *f, size_t *len, size_t limit, uint8_t *tail,
                    unsigned *tail_len);

/*
 * What the checksum engine found in a frame as it came in.  The frame may wait
 * after that, and the engine's registers change.
 */
typedef struct DwmacVerdict {
    uint16_t flags;         /* COE_* */
    uint8_t proto;          /* enum CoeProto */
    uint8_t known;
} DwmacVerdict;

/**
 * dwmac_core_verify: the receive checksum engine, type 2; once for a frame
 * @on: does it work at present?
 * @v: its verdict, kept with the frame; found here if it is not known yet
 * @c: the same, with what else was found if this is the first time; zero without
 *     the engine
 *
 * Takes a fault of rx_csum if there is one.
 */
void dwmac_core_verify(DwmacCore *core, bool on, const uint8_t *f, size_t len,
                       DwmacVerdict *v, CoeFrame *c);

/** dwmac_verdict_valid: can this have come from dwmac_core_verify()? */
static inline bool dwmac_verdict_valid(const DwmacVerdict *v)
{
    return v->proto <= COE_PROTO_ICMP;
}

/** dwmac_core_running: may the model touch guest memory now? */
bool dwmac_core_running(void);

/**
 * dwmac_core_rx_keep: a receive() is about to return 0, or the front end keeps
 * a frame for want of a descriptor; look again later
 */
void dwmac_core_rx_keep(DwmacCore *core);
/**
 * dwmac_core_rx_soon: descriptors may be free again for more than a few frames
 *
 * The main loop goes on with them (ops->rx_retry), beside the CPU that runs the
 * guest's driver: by a timer in virtual time, which is due at once.
 */
void dwmac_core_rx_soon(DwmacCore *core);
/** dwmac_core_rx_resume: descriptors may be free again; look now */
void dwmac_core_rx_resume(DwmacCore *core);

/**
 * dwmac_core_mdio: start an access
 *
 * Ends with mdio_done(), at once if the property mdio-busy-ns is 0.
 */
void dwmac_core_mdio(DwmacCore *core, const DwmacMdioOp *op);

/** dwmac_fault: is it time for a fault?  Counts it; @left is in core->fault. */
bool dwmac_fault(DwmacCore *core, uint32_t *left, const char *what);

static inline bool dwmac_core_link_up(DwmacCore *core)
{
    return !qemu_get_queue(core->nic)->link_down;
}

#define DWMAC_CORE_PROPERTIES(_s, _f) \
    DEFINE_NIC_PROPERTIES(_s, _f.conf), \
    DEFINE_PROP_UINT32("mdio-busy-ns", _s, _f.mdio_busy_ns, 0), \
    DEFINE_PROP_UINT32("tx-gather-ns", _s, _f.tx_gather_ns, 0), \
    DEFINE_PROP_BOOL("clock-gate", _s, _f.clock_gate, false), \
    DEFINE_PROP_LINK("dma", _s, _f.dma_mr, TYPE_MEMORY_REGION, \
                     MemoryRegion *)

#endif
