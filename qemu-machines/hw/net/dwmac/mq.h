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
#include "frp.h"
#include "hw/irq.h"
#include "hw/net/dwmac.h"
#include "l34.h"
#include "mmc.h"
#include "mq-regs.h"
#include "pmt.h"
#include "ptp.h"
#include "qemu/main-loop.h"
#include "vlan.h"

#define MQ_CHANNELS     8
#define MQ_WINDOW       0x4000  /* bytes that may hold registers */
#define MQ_WORDS        (MQ_WINDOW / 4)
/* Payload length of a segmented frame has 18 bits; and its headers. */
#define MQ_TX_MAX       (0x40000 + 0x400)
/* What a receive queue can hold, bookkeeping included. */
#define MQ_FIFO_MAX     (2 * 1024 * 1024)
#define MQ_L34_MAX      8
#define MQ_PPS          DWMAC_PPS
/* What the MAC itself may add to a frame on its way out. */
#define MQ_EDIT_ROOM    32

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

/* Receive queues for kinds of frames. */
typedef struct MqRoute {
    uint8_t av, ptp, dcb, untagged, multicast;
    bool multicast_on;
} MqRoute;

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
    QEMUTimer *launch_timer;    /* runs while a frame waits for its time */

    /* state */
    uint64_t tx_cur, rx_cur;    /* current descriptors */
    uint8_t tx_state, rx_state; /* MQ_DMA_*, MQ_TX_*, MQ_RX_* */
    bool tx_frame;              /* a first descriptor has been read */
    bool tx_over;               /* and more than fits */
    bool tx_torn;               /* one to be segmented had no last descriptor */
    bool tx_hung;               /* and so the engine hangs */
    MqTxCtl tx_ctl;
    uint32_t tx_len;
    uint8_t *tx_buf;
    /* from context descriptors */
    uint16_t tx_mss;
    uint16_t tx_vlan, tx_inner_vlan;
    uint8_t tx_inner_vtir;

    uint32_t stamp_sec, stamp_nsec; /* of the frame that is being sent */
    uint32_t tx_cap;            /* allocated in tx_buf */
} MqChan;

/* A PPS output; times are system times. */
typedef struct MqPps {
    Mq *m;
    unsigned n;
    QEMUTimer *timer;       /* runs until the next edge */

    /* state */
    uint8_t state;
    bool level;
    bool single;            /* one pulse, not a train */
    uint64_t edge;          /* when the next one is due */
    uint64_t rise;          /* when the last pulse began */
    uint64_t stop_at;       /* no pulse begins after this, if not 0 */
} MqPps;

/* What is known of a received frame while it waits in a queue. */
typedef struct MqRxMeta {
    uint32_t len;
    uint32_t done;          /* bytes that are in the host's buffers */
    uint32_t hash;          /* of receive-side scaling */
    uint32_t sec, nsec;     /* when it came, with MQ_V_STAMP */
    uint16_t verdict;       /* DWMAC_* of filter.h, MQ_V_* */
    uint8_t chan;
    uint8_t started;        /* a descriptor has been closed */
    uint8_t l34;            /* filter that matched, with MQ_V_L3 or MQ_V_L4 */
    uint8_t frp_chans;      /* channels that the parser chose */
    DwmacVerdict coe;
    uint8_t pad[2];
} MqRxMeta;

enum {
    MQ_V_TAGGED = 1 << 8,   /* with a VLAN tag that the MAC looks at */
    MQ_V_STRIP  = 1 << 9,   /* which is taken off */
    MQ_V_L3     = 1 << 10,
    MQ_V_L4     = 1 << 11,
    MQ_V_HASH   = 1 << 12,
    MQ_V_STAMP  = 1 << 13,  /* is to get a time stamp */
    MQ_V_TWO    = 1 << 14,  /* with a second tag */
    MQ_V_STRIP_INNER = 1 << 15,
};

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
    bool fcs_due;           /* and not computed yet */
    unsigned tail_len;
    size_t hdr;             /* bytes that go into the header buffer, or 0 */
    unsigned verdict;
    unsigned l34;
    uint16_t vlan;          /* the outer tag, if there is one */
    uint16_t inner_vlan;
    uint32_t hash;
    unsigned lt;            /* MQ_LT_* */
    bool svlan, inner_svlan;    /* which tags are S-VLAN tags */
    bool watchdog, giant;
    bool stamped;           /* a context descriptor with the stamp follows */
    enum DwmacRxFault fault;
    CoeFrame coe;           /* zero without the checksum engine */
    enum CoeProto l4;       /* what is in there, engine or not */
    bool l3_v6;
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

enum { MQ_PER_MAC, MQ_PER_CHANNEL, MQ_PER_TXQ, MQ_PER_RXQ, MQ_PER_QUEUE,
       MQ_PER_L34 };

typedef struct MqGen {
    const char *name;
    const MqReg *regs;
    unsigned n_regs;
    uint16_t chan_base, chan_step;
    uint8_t chan_reg[MQ_CH_REGS];
    uint16_t queue_base, queue_step;
    uint16_t mmc_base;
    uint16_t dma_mode;      /* software reset */
    uint16_t arp_addr;
    uint16_t ptp_base;
    uint16_t mtl_op;
    uint16_t rxq_map;       /* from queue to channel */
    uint8_t rxq_dynamic;    /* bit in there: the frame decides */
    uint16_t frp_ctrl;      /* of the flexible parser */
    bool tells_l4;          /* what is in a frame stands in its descriptor */
    bool no_coe_stops;      /* CIC on a queue without engine: DMA stops */
    void (*route)(const Mq *m, MqRoute *r);
    void (*l34)(const Mq *m, DwmacL34 *flt);
    unsigned riwt_unit;     /* where its unit stands in the RIWT register */
    uint32_t rwt;           /* status bit: a receive watchdog cut a frame */
    /* Receive-side scaling; NULL: none. */
    void (*hash)(const Mq *m, const uint8_t *f, MqRxMeta *meta);
    /* The channel that a frame decides on; -1: by destination address. */
    int (*dynamic)(const Mq *m, const MqRxMeta *meta);
    /* The MMC register of a QoS core for one of ours, or -1; NULL: the same. */
    int (*mmc_map)(unsigned off);
    /* Resets what is not in the registers; may be NULL. */
    void (*reset)(Mq *m);
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
    /* The descriptor that tells when a frame came. */
    void (*rx_context)(const MqRxMeta *meta, uint32_t *w);
    /* Bits of RDES3 that tell how many bytes are in the buffers so far. */
    uint32_t (*rx_length)(size_t n);
    /* A receive queue lost a frame for want of room. */
    void (*rx_overflow)(Mq *m, unsigned q);
    /* Interrupts of the MTL, one bit a queue. */
    uint32_t (*mtl_irq)(Mq *m);
    const struct MqSafety *safety;
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
    qemu_irq pps_out[MQ_PPS];
    QEMUTimer *pause_timer; /* runs while the peer has us paused */
    QEMUTimer *reset_timer; /* runs while a software reset takes its time */
    QEMUTimer *lpi_timer;   /* from idle to low-power idle */
    QEMUTimer *late_timer;  /* runs while a transmit descriptor is kept open */
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
    uint32_t vlan_slot[DWMAC_VLAN_SLOTS];
    uint32_t frp_table[DWMAC_FRP_ENTRIES * DWMAC_FRP_WORDS];
    int64_t busy_until;     /* indirect accesses: virtual time */
    DwmacPtp ptp;
    MqPps pps[MQ_PPS];
    DwmacPmt wake;
    /* a transmit descriptor that is closed late: TDES3, its place, TI */
    uint64_t late_addr;
    uint32_t late_tdes3;
    uint8_t late_chan;
    bool late_ioc;

    /* frames that the MAC changes, on their way in and out */
    uint8_t scratch[DWMAC_MAX_FRAME];
    uint8_t tx_scratch[DWMAC_MAX_FRAME + MQ_EDIT_ROOM];

    /* properties: the synthesis options */
    uint8_t snpsver;
    uint8_t user_id;
    uint8_t tx_queues, rx_queues;   /* and as many channels */
    uint16_t hash_bits;     /* 0, 64, 128 or 256 */
    uint8_t addr_slots;     /* 1 to 32 */
    uint8_t addr_width;     /* 32, 40 or 48 */
    uint8_t bus_bytes;
    uint8_t phy_if;
    uint8_t vlan_slots;     /* 0, or 4 to 32 VLAN filters */
    uint8_t l34_filters;
    uint32_t indirect_busy_ns;
    bool tso, sph, vlhash, dvlan, sa_vlan_ins, frp, arp, eee, pmt,
         timestamps, tbs;
    uint8_t pps_outputs, aux_inputs;
    uint8_t asp;            /* safety features, 0 is none */
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
    DEFINE_PROP_UINT32("indirect-busy-ns", _s, _f.indirect_busy_ns, 0), \
    DEFINE_PROP_BOOL("tso", _s, _f.tso, true), \
    DEFINE_PROP_BOOL("split-header", _s, _f.sph, true), \
    DEFINE_PROP_BOOL("vlan-hash", _s, _f.vlhash, true), \
    DEFINE_PROP_UINT8("vlan-filters", _s, _f.vlan_slots, 0), \
    DEFINE_PROP_BOOL("double-vlan", _s, _f.dvlan, true), \
    DEFINE_PROP_BOOL("sa-vlan-insertion", _s, _f.sa_vlan_ins, true), \
    DEFINE_PROP_UINT8("l3l4-filters", _s, _f.l34_filters, 4), \
    DEFINE_PROP_BOOL("rx-parser", _s, _f.frp, true), \
    DEFINE_PROP_BOOL("arp-offload", _s, _f.arp, true), \
    DEFINE_PROP_BOOL("eee", _s, _f.eee, true), \
    DEFINE_PROP_BOOL("pmt", _s, _f.pmt, true), \
    DEFINE_PROP_BOOL("ptp", _s, _f.timestamps, true), \
    DEFINE_PROP_UINT32("ptp-hz", _s, _f.ptp.hz, 100000000), \
    DEFINE_PROP_UINT8("pps-outputs", _s, _f.pps_outputs, 4), \
    DEFINE_PROP_UINT8("aux-snapshots", _s, _f.aux_inputs, 4), \
    DEFINE_PROP_BOOL("tbs", _s, _f.tbs, true), \
    DEFINE_PROP_UINT8("phy-if", _s, _f.phy_if, 0), \
    DEFINE_PROP_BOOL("half-duplex", _s, _f.half_duplex, false), \
    DEFINE_PROP_BOOL("mmc", _s, _f.rmon, true), \
    DEFINE_PROP_UINT8("asp", _s, _f.asp, 0), \
    DEFINE_PROP_BOOL("rx-lossless", _s, _f.rx_lossless, true)

/* The QoS generation (qos.c), on whatever bus. */
extern const MqGen qos_gen;

#define QOS_PROPERTIES(_s, _f) \
    MQ_PROPERTIES(_s, _f), \
    DEFINE_PROP_UINT8("snpsver", _s, _f.snpsver, 0x51), \
    DEFINE_PROP_UINT8("user-id", _s, _f.user_id, 0x10)

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

/* Puts a frame of the MAC's own on the wire. */
void mq_send(Mq *m, const uint8_t *f, size_t len);

/* mq-mac.c: is a frame let in?  Fills in @meta, of which len is known. */
bool mq_admit(Mq *m, const uint8_t *f, MqRxMeta *meta);
/* Takes the time of a frame that is to be stamped. */
void mq_stamp(Mq *m, const uint8_t *f, MqRxMeta *meta);
void mq_obey_pause(Mq *m, const uint8_t *f, size_t len);
void mq_answer_arp(Mq *m, const uint8_t *f, size_t len);
unsigned mq_queue_for(const Mq *m, const uint8_t *f, const MqRxMeta *meta);
unsigned mq_channel_for(Mq *m, unsigned q, const uint8_t *f, MqRxMeta *meta);
void mq_own_address(const Mq *m, unsigned slot, uint8_t *addr);
DwmacVlan mq_vlan(const Mq *m);
/* RDES0: the tags of a frame that VLAN_TAG wants there. */
uint32_t mq_rx_tags(const Mq *m, const MqRxFrame *r);
/*
 * Source address and VLAN tags of a frame that leaves; @f has MQ_EDIT_ROOM
 * bytes of room.  Returns its new length.
 */
size_t mq_tx_edit(MqChan *c, const MqMac *mac, uint8_t *f, size_t len);

/* A frame from the wire; as DwmacOps.receive. */
ssize_t mq_receive(DwmacCore *core, const uint8_t *f, size_t len);
/* A frame that comes back before it reached the wire. */
void mq_rx_loopback(Mq *m, const uint8_t *f, size_t len);
/* Descriptors may be free again. */
void mq_rx_run(Mq *m);
/* A driver has filled its ring anew: now, or soon. */
void mq_rx_refilled(Mq *m);
/* Frames in the FIFOs, and none in front of them; the machine runs. */
void mq_rx_drain(Mq *m);
void mq_rx_flush(Mq *m);
/* Frames that wait in queue @q. */
unsigned mq_rx_waiting(const Mq *m, unsigned q);
/* Is what was loaded into queue @q's FIFO sound? */
bool mq_fifo_valid(Mq *m, unsigned q);

/* DMA_INTR_STATUS: channels, MTL, MAC. */
uint32_t mq_dma_intr_status(Mq *m);

/* Closes the transmit descriptor that was kept open. */
void mq_tx_late(void *opaque);

/* mq-lpi.c: the transmitter has nothing to do; has something. */
void mq_lpi_idle(Mq *m);
void mq_lpi_leave(Mq *m);
void mq_lpi_timeout(void *opaque);
/* Do frames wait for software to end low-power idle?  Is there an interrupt? */
bool mq_lpi_blocks(const Mq *m);
bool mq_lpi_event(const Mq *m);
uint32_t mq_read_lpi(Mq *m, unsigned off);
void mq_write_lpi(Mq *m, unsigned off, uint32_t old);

/* mq-pm.c: in power-down a frame that passed the filters is dropped. */
bool mq_asleep(Mq *m, const uint8_t *f, size_t len);
bool mq_pmt_event(const Mq *m);
uint32_t mq_read_pmt(Mq *m, unsigned off);
void mq_write_pmt(Mq *m, unsigned off, uint32_t old);
uint32_t mq_read_wake(Mq *m, unsigned off);
void mq_write_wake(Mq *m, unsigned off, uint32_t old);

/* mq-ptp.c: GPIOs, timers, registers; is there an event to tell of? */
void mq_init_ptp(Mq *m, DeviceState *dev);
void mq_realize_ptp(Mq *m);
void mq_unrealize_ptp(Mq *m);
void mq_reset_ptp(Mq *m);
bool mq_ptp_event(const Mq *m);
/* Outputs and inputs as HW_FEATURE2 tells of them. */
uint32_t mq_ptp_feature2(const Mq *m);
uint32_t mq_read_ptp(Mq *m, unsigned off);
uint32_t mq_read_ptp_status(Mq *m, unsigned off);
uint32_t mq_read_ptp_tx_sec(Mq *m, unsigned off);
uint32_t mq_read_aux_nsec(Mq *m, unsigned off);
uint32_t mq_read_aux_sec(Mq *m, unsigned off);
void mq_write_ptp(Mq *m, unsigned off, uint32_t old);
void mq_write_aux_control(Mq *m, unsigned off, uint32_t old);
void mq_write_pps_control(Mq *m, unsigned off, uint32_t old);
void mq_write_pps(Mq *m, unsigned off, uint32_t old);
extern const VMStateDescription vmstate_mq_pps;

/* The rows of a register table for IEEE 1588, from @_base on. */
#define MQ_PTP_REGS(_base) \
    { "ptp", (_base), DWMAC_PTP_SIZE / 4, 0, 0, 0, 0xffffffff, \
      mq_read_ptp, mq_write_ptp }, \
    { "ptp-status", (_base) + MQ_PTP_STATUS, 1, 0, 0, 0, 0, \
      mq_read_ptp_status }, \
    { "ptp-tx-nsec", (_base) + MQ_PTP_TX_NSEC, 1 }, \
    { "ptp-tx-sec", (_base) + MQ_PTP_TX_SEC, 1, 0, 0, 0, 0, \
      mq_read_ptp_tx_sec }, \
    { "ptp-aux", (_base) + MQ_PTP_ACR, 1, 0, 0, 0, 0xf1, NULL, \
      mq_write_aux_control }, \
    { "ptp-aux-nsec", (_base) + MQ_PTP_ATNR, 1, 0, 0, 0, 0, \
      mq_read_aux_nsec }, \
    { "ptp-aux-sec", (_base) + MQ_PTP_ATSR, 1, 0, 0, 0, 0, mq_read_aux_sec }, \
    { "ptp-corr", (_base) + 0x58, 6, 0, 0, 0, 0xffffffff }, \
    { "pps-control", (_base) + MQ_PTP_PPS_CONTROL, 1, 0, 0, 0, 0x7f7f7f7f, \
      NULL, mq_write_pps_control }, \
    { "pps", (_base) + MQ_PTP_PPS, 4 * MQ_PPS, 0, 0, 0, 0xffffffff, NULL, \
      mq_write_pps }

/* Hooks for registers that both generations have. */
uint32_t mq_read_version(Mq *m, unsigned off);
uint32_t mq_read_int_status(Mq *m, unsigned off);
uint32_t mq_read_mmc(Mq *m, unsigned off);
uint32_t mq_read_cur_tx(Mq *m, unsigned off);
uint32_t mq_read_cur_tx_hi(Mq *m, unsigned off);
uint32_t mq_read_cur_rx(Mq *m, unsigned off);
uint32_t mq_read_cur_rx_hi(Mq *m, unsigned off);
uint32_t mq_read_vlan_tag(Mq *m, unsigned off);
uint32_t mq_read_frp_ctrl(Mq *m, unsigned off);
uint32_t mq_read_frp_access(Mq *m, unsigned off);
void mq_write_vlan_tag(Mq *m, unsigned off, uint32_t old);
void mq_write_frp_access(Mq *m, unsigned off, uint32_t old);
/* Is an indirect access still under way? */
bool mq_busy(const Mq *m);
/*
 * Starts one that the register @off asks for by bit @busy, which is not kept.
 * False if none is asked for, or one is under way: then the write had no effect.
 */
bool mq_start_access(Mq *m, unsigned off, uint32_t busy, uint32_t old);
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
