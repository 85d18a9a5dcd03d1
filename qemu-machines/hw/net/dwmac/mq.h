/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The multi-queue DesignWare MACs (QoS 4.x/5.x, XGMAC 2.x): shared state.
 *
 * A generation (qos.c) is an MqGen: where its registers are, what their bits
 * mean, how a receive descriptor is written back.  mq.c dispatches registers,
 * raises interrupts and resets; mq-tx.c and mq-rx.c are the rings.
 *
 * All registers live in one array, the window as the guest sees it.  What a
 * register does beside being stored is in hooks of the generation's table.
 */
#ifndef HW_NET_DWMAC_MQ_H
#define HW_NET_DWMAC_MQ_H

#include "coe.h"
#include "dwmac.h"
#include "filter.h"
#include "hw/irq.h"
#include "mmc.h"
#include "mq-regs.h"
#include "qemu/main-loop.h"

#define MQ_CHANNELS     8
#define MQ_WINDOW       0x4000  /* bytes that may hold registers */
#define MQ_WORDS        (MQ_WINDOW / 4)
/* Payload length of a segmented frame has 18 bits; and its headers. */
#define MQ_TX_MAX       (0x40000 + 0x400)
/* What a receive queue can hold, bookkeeping included. */
#define MQ_FIFO_MAX     (2 * 1024 * 1024)

typedef struct Mq Mq;

/* Registers of a DMA channel, wherever a generation has them. */
enum MqChanReg {
    MQ_CH_CONTROL,
    MQ_CH_TX_CONTROL,
    MQ_CH_RX_CONTROL,
    MQ_CH_TX_BASE_HI,
    MQ_CH_TX_BASE,
    MQ_CH_RX_BASE_HI,
    MQ_CH_RX_BASE,
    MQ_CH_TX_TAIL,
    MQ_CH_RX_TAIL,
    MQ_CH_TX_LEN,
    MQ_CH_RX_LEN,
    MQ_CH_INTR_ENA,
    MQ_CH_RIWT,
    MQ_CH_CUR_TX_BUF_HI,
    MQ_CH_CUR_TX_BUF,
    MQ_CH_CUR_RX_BUF_HI,
    MQ_CH_CUR_RX_BUF,
    MQ_CH_STATUS,
    MQ_CH_REGS,
};

/* What the MAC's configuration registers say, in either generation. */
enum {
    MQ_TE     = 1 << 0,
    MQ_RE     = 1 << 1,
    MQ_LM     = 1 << 2,
    MQ_IPC    = 1 << 3,
    MQ_ACS    = 1 << 4,     /* strip pad and FCS of 802.3 lengths */
    MQ_CST    = 1 << 5,     /* strip the FCS of types */
    MQ_JE     = 1 << 6,
    MQ_JD     = 1 << 7,
    MQ_WD     = 1 << 8,
    MQ_2K     = 1 << 9,
    MQ_GPSLCE = 1 << 10,
    MQ_ARPEN  = 1 << 11,
    MQ_DM     = 1 << 12,
};

typedef struct MqMac {
    unsigned flags;         /* MQ_* */
    uint8_t sarc;           /* source address insertion or replacement */
    uint16_t gpsl;          /* giant packet size limit */
    uint16_t hdsms;         /* longest header that is split off, bytes */
    uint32_t quantum_ns;    /* 512 bit times at the speed that is set */
} MqMac;

typedef struct MqTxq {
    bool on;
    bool tsf;
    uint32_t size;          /* bytes of FIFO */
} MqTxq;

typedef struct MqRxq {
    bool on;
    bool rsf, fep, fup;
    bool keep_csum_errors;  /* DIS_TCP_EF */
    bool ehfc;
    uint32_t size;          /* bytes of FIFO */
    uint32_t rfa, rfd;      /* fill levels, bytes */
} MqRxq;

/* States of a DMA engine, as DMA_DEBUG_STATUS of QoS tells them. */
enum {
    MQ_DMA_STOPPED   = 0,
    MQ_TX_SUSPENDED  = 6,
    MQ_RX_WAITING    = 3,
    MQ_RX_SUSPENDED  = 4,
    MQ_TX_RUNNING    = 1,
};

/* A frame's first descriptor rules the whole frame. */
typedef struct MqTxCtl {
    uint32_t tdes2;
    uint32_t tdes3;
} MqTxCtl;

typedef struct MqChan {
    Mq *m;
    unsigned n;
    QEMUTimer *riwt_timer;

    /* state */
    uint64_t tx_cur, rx_cur;    /* current descriptors */
    uint8_t tx_state, rx_state; /* MQ_DMA_*, MQ_TX_*, MQ_RX_* */
    bool tx_frame;              /* a first descriptor has been read */
    bool tx_over;               /* and more than fits */
    MqTxCtl tx_ctl;
    uint32_t tx_len;
    uint8_t *tx_buf;
    /* from context descriptors */
    uint16_t tx_mss;
    uint16_t tx_vlan, tx_inner_vlan;
    uint8_t tx_inner_vtir;

    uint32_t tx_cap;            /* allocated in tx_buf */
} MqChan;

/* What is known of a received frame while it waits in a queue. */
typedef struct MqRxMeta {
    uint32_t len;
    uint32_t done;          /* bytes that are in the host's buffers */
    uint16_t verdict;       /* DWMAC_* of filter.h */
    uint8_t chan;
    uint8_t started;        /* a descriptor has been closed */
} MqRxMeta;

typedef struct MqQueue {
    /* state */
    uint32_t fifo_len;
    uint8_t *fifo;          /* MqRxMeta and frame, again and again */
    uint32_t level;         /* bytes of frames in there */
    bool pausing;           /* a PAUSE was sent and not yet taken back */

    uint32_t fifo_cap;
} MqQueue;

/* A frame on its way into descriptors. */
typedef struct MqRxFrame {
    const uint8_t *f;
    size_t len;             /* bytes of f to store */
    uint8_t tail[4];        /* the FCS, if it is stored */
    unsigned tail_len;
    size_t hdr;             /* bytes that go into the header buffer, or 0 */
    unsigned verdict;
    unsigned lt;            /* MQ_LT_* */
    bool watchdog, giant;
    enum DwmacRxFault fault;
    CoeFrame coe;
} MqRxFrame;

typedef struct MqReg {
    const char *name;
    uint16_t off;
    uint8_t words;      /* this many registers alike, one after the other */
    uint8_t per;        /* MQ_PER_*: how often the whole line is there */
    uint16_t step;      /* bytes from one copy to the next */
    uint32_t reset;
    uint32_t wmask;     /* bits that software can write */
    uint32_t (*read)(Mq *m, unsigned off);
    void (*write)(Mq *m, unsigned off, uint32_t old);
} MqReg;

enum { MQ_PER_MAC, MQ_PER_CHANNEL, MQ_PER_TXQ, MQ_PER_RXQ, MQ_PER_QUEUE };

typedef struct MqGen {
    const char *name;
    const MqReg *regs;
    unsigned n_regs;
    uint16_t chan_base, chan_step;
    uint8_t chan_reg[MQ_CH_REGS];
    uint16_t queue_base, queue_step;
    uint16_t mmc_base;
    uint16_t dma_mode;      /* software reset */
    uint32_t (*nie)(const Mq *m);
    void (*mac)(const Mq *m, MqMac *mac);
    void (*txq)(const Mq *m, unsigned q, MqTxq *t);
    void (*rxq)(const Mq *m, unsigned q, MqRxq *r);
    /* Are receive buffers 1 and 2 of a descriptor there? */
    unsigned (*rx_buffers)(const uint32_t *w);
    /* Status words of the last descriptor of a frame. */
    void (*rx_status)(const Mq *m, const MqRxFrame *r, uint32_t *w);
    /* Words of the first descriptor, not being the last, of a split frame. */
    void (*rx_split)(const MqRxFrame *r, uint32_t *w);
    /* Bits of RDES3 that tell how many bytes are in the buffers so far. */
    uint32_t (*rx_length)(size_t n);
    /* A receive queue lost a frame for want of room. */
    void (*rx_overflow)(Mq *m, unsigned q);
    /* Interrupts of the MTL, one bit a queue. */
    uint32_t (*mtl_irq)(Mq *m);
    /* An MDIO access is through; what was read is in MQ_MDIO_DATA. */
    void (*mdio_done)(Mq *m);
    bool (*check)(const Mq *m, Error **errp);
    /* DMA addresses beyond 32 bits? */
    bool (*eame)(const Mq *m);
} MqGen;

struct Mq {
    DwmacCore core;
    const MqGen *gen;
    MemoryRegion mmio;
    qemu_irq irq;
    QEMUTimer *pause_timer; /* runs while the peer has us paused */
    QEMUTimer *reset_timer; /* runs while a software reset takes its time */
    QEMUBH *tx_bh;          /* goes on after a long run over the rings */
    DwmacFilter filter;     /* pointers into regs[] */
    uint8_t *index;         /* from a word in the window to its line, plus 1 */
    bool irq_level;
    bool tx_running;        /* mq_tx_run() is on the stack */

    /* state */
    uint32_t regs[MQ_WORDS];
    DwmacMmc mmc;
    MqChan chan[MQ_CHANNELS];
    MqQueue queue[MQ_CHANNELS];

    /* properties: the synthesis options */
    uint8_t snpsver;
    uint8_t user_id;
    uint8_t tx_queues, rx_queues;   /* and as many channels */
    uint16_t hash_bits;     /* 0, 64, 128 or 256 */
    uint8_t addr_slots;     /* 1 to 32 */
    uint8_t addr_width;     /* 32, 40 or 48 */
    uint8_t bus_bytes;
    uint8_t phy_if;
    uint8_t tx_coe_queues;  /* one bit a queue: which have the engine */
    uint32_t tx_fifo;       /* bytes */
    uint32_t rx_fifo;
    uint32_t csr_hz;        /* clock of the receive watchdog */
    uint32_t reset_ns;
    bool tx_coe;
    bool rx_coe;
    bool rmon;
    bool half_duplex;
    bool rx_lossless;
};

#define MQ_PROPERTIES(_s, _f) \
    DWMAC_CORE_PROPERTIES(_s, _f.core), \
    DEFINE_PROP_UINT8("tx-queues", _s, _f.tx_queues, 1), \
    DEFINE_PROP_UINT8("rx-queues", _s, _f.rx_queues, 1), \
    DEFINE_PROP_BOOL("tx-coe", _s, _f.tx_coe, true), \
    DEFINE_PROP_UINT8("tx-coe-queues", _s, _f.tx_coe_queues, 0xff), \
    DEFINE_PROP_BOOL("rx-coe", _s, _f.rx_coe, true), \
    DEFINE_PROP_UINT16("hash-bits", _s, _f.hash_bits, 64), \
    DEFINE_PROP_UINT8("addr-slots", _s, _f.addr_slots, 32), \
    DEFINE_PROP_UINT8("addr-width", _s, _f.addr_width, 40), \
    DEFINE_PROP_UINT8("bus-bytes", _s, _f.bus_bytes, 8), \
    DEFINE_PROP_UINT32("tx-fifo", _s, _f.tx_fifo, 16384), \
    DEFINE_PROP_UINT32("rx-fifo", _s, _f.rx_fifo, 16384), \
    DEFINE_PROP_UINT32("csr-hz", _s, _f.csr_hz, 125000000), \
    DEFINE_PROP_UINT32("reset-ns", _s, _f.reset_ns, 0), \
    DEFINE_PROP_UINT8("phy-if", _s, _f.phy_if, 0), \
    DEFINE_PROP_BOOL("half-duplex", _s, _f.half_duplex, false), \
    DEFINE_PROP_BOOL("mmc", _s, _f.rmon, true), \
    DEFINE_PROP_BOOL("rx-lossless", _s, _f.rx_lossless, true)

extern const VMStateDescription vmstate_mq;

void mq_init(Mq *m, DeviceState *dev, const MqGen *gen);
/** mq_realize: the bus sets up m->irq; DMA goes to @as */
bool mq_realize(Mq *m, AddressSpace *as, Error **errp);
void mq_unrealize(Mq *m);
/** mq_reset: power-on; the address from mac= stands in slot 0 */
void mq_reset(Mq *m);

static inline uint32_t *mq_reg(Mq *m, unsigned off)
{
    return &m->regs[off / 4];
}

static inline uint32_t mq_get(const Mq *m, unsigned off)
{
    return m->regs[off / 4];
}

static inline unsigned mq_channels(const Mq *m)
{
    return MAX(m->tx_queues, m->rx_queues);
}

/* A register of channel @c. */
static inline uint32_t *mq_ch(MqChan *c, enum MqChanReg r)
{
    const MqGen *g = c->m->gen;

    return &c->m->regs[(g->chan_base + c->n * g->chan_step +
                        g->chan_reg[r]) / 4];
}

static inline MqChan *mq_chan_of(Mq *m, unsigned off)
{
    return &m->chan[(off - m->gen->chan_base) / m->gen->chan_step];
}

static inline unsigned mq_queue_of(const Mq *m, unsigned off)
{
    return (off - m->gen->queue_base) / m->gen->queue_step;
}

static inline MqMac mq_mac(const Mq *m)
{
    MqMac mac = { 0 };

    m->gen->mac(m, &mac);
    return mac;
}

/* DMA; false after a bus error, which has then been raised with @eb. */
bool mq_dma_read(MqChan *c, bool tx, uint64_t addr, void *buf, size_t len,
                 unsigned eb);
bool mq_dma_write(MqChan *c, bool tx, uint64_t addr, const void *buf,
                  size_t len, unsigned eb);
/* An address from a descriptor's or register's two words. */
uint64_t mq_addr(const Mq *m, uint32_t hi, uint32_t lo);
/* Bytes from one transmit or receive descriptor to the next. */
unsigned mq_stride(MqChan *c, bool tx);
/* The descriptor behind @cur. */
uint64_t mq_next_desc(MqChan *c, bool tx, uint64_t cur);

/* Sets status bits of a channel; the caller ends with mq_update_irq(). */
void mq_raise(MqChan *c, uint32_t status);
void mq_update_irq(Mq *m);

/* Works on the transmit rings until they are empty or something stops them. */
void mq_tx_run(Mq *m);
/* Forgets a half-read frame. */
void mq_tx_flush(MqChan *c);
/* Sends a PAUSE frame of the MAC's own on behalf of queue @q. */
void mq_tx_pause(Mq *m, unsigned q, unsigned quanta);

/* A frame from the wire; as DwmacOps.receive. */
ssize_t mq_receive(DwmacCore *core, const uint8_t *f, size_t len);
/* A frame that comes back before it reached the wire. */
void mq_rx_loopback(Mq *m, const uint8_t *f, size_t len);
/* Descriptors may be free again. */
void mq_rx_run(Mq *m);
void mq_rx_flush(Mq *m);
/* Is what was loaded into queue @q's FIFO sound? */
bool mq_fifo_valid(Mq *m, unsigned q);

/* DMA_INTR_STATUS: channels, MTL, MAC. */
uint32_t mq_dma_intr_status(Mq *m);

/* Hooks for registers that both generations have. */
uint32_t mq_read_version(Mq *m, unsigned off);
uint32_t mq_read_int_status(Mq *m, unsigned off);
uint32_t mq_read_mmc(Mq *m, unsigned off);
uint32_t mq_read_cur_tx(Mq *m, unsigned off);
uint32_t mq_read_cur_tx_hi(Mq *m, unsigned off);
uint32_t mq_read_cur_rx(Mq *m, unsigned off);
uint32_t mq_read_cur_rx_hi(Mq *m, unsigned off);
void mq_write_run(Mq *m, unsigned off, uint32_t old);
void mq_write_irq_mask(Mq *m, unsigned off, uint32_t old);
void mq_write_addr(Mq *m, unsigned off, uint32_t old);
void mq_write_mmc(Mq *m, unsigned off, uint32_t old);
void mq_write_tx_flow(Mq *m, unsigned off, uint32_t old);
void mq_write_dma_mode(Mq *m, unsigned off, uint32_t old);
void mq_write_tx_control(Mq *m, unsigned off, uint32_t old);
void mq_write_rx_control(Mq *m, unsigned off, uint32_t old);
void mq_write_tx_base(Mq *m, unsigned off, uint32_t old);
void mq_write_rx_base(Mq *m, unsigned off, uint32_t old);
void mq_write_tx_tail(Mq *m, unsigned off, uint32_t old);
void mq_write_rx_tail(Mq *m, unsigned off, uint32_t old);
void mq_write_status(Mq *m, unsigned off, uint32_t old);

#endif
