/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * DesignWare GMAC 3.x: the front end's own state.
 *
 * gmac.c has the registers, gmac-tx.c and gmac-rx.c the rings, and
 * gmac-sysbus.c puts it on a platform bus.
 */
#ifndef HW_NET_DWMAC_GMAC_H
#define HW_NET_DWMAC_GMAC_H

#include "coe.h"
#include "dwmac.h"
#include "filter.h"
#include "gmac-regs.h"
#include "hw/irq.h"
#include "mmc.h"
#include "pmt.h"
#include "ptp.h"
#include "qemu/main-loop.h"

#define GMAC_WORDS (GMAC_REGS_END / 4)
/* What the receive FIFO can hold, bookkeeping included. */
#define GMAC_FIFO_MAX (2 * 1024 * 1024)
/* What the MAC itself may add to a frame on its way out. */
#define GMAC_EDIT_ROOM 16

/* What is known of a received frame while it waits. */
typedef struct GmacRxMeta {
    uint32_t len;
    uint32_t status;        /* RDES0: the filters' verdict */
    uint32_t sec, nsec;     /* when it came, if @stamped */
    uint8_t stamped;
    uint8_t pad[3];
    DwmacVerdict coe;
} GmacRxMeta;

typedef struct Gmac {
    DwmacCore core;
    MemoryRegion mmio;
    qemu_irq irq;
    QEMUTimer *riwt_timer;  /* receive interrupt watchdog */
    QEMUTimer *pause_timer; /* runs while the peer has us paused */
    QEMUTimer *reset_timer; /* runs while a software reset takes its time */
    QEMUTimer *late_timer;  /* runs while a transmit descriptor is kept open */
    QEMUBH *tx_bh;          /* goes on after a long run over the ring */
    DwmacFilter filter;     /* pointers into regs[] */
    bool irq_level;
    bool tx_running;        /* gmac_tx_run() is on the stack */

    /* state */
    uint32_t regs[GMAC_WORDS];
    DwmacMmc mmc;
    uint8_t tx_state;       /* DMA_TS_* */
    uint8_t rx_state;       /* DMA_RS_* */
    bool tx_frame;          /* a first segment is in tx_buf */
    bool tx_jabber;         /* and more than tx_buf holds */
    uint8_t tx_cic;         /* of its first descriptor */
    bool tx_no_pad;
    bool tx_no_crc;
    uint32_t tx_len;
    bool tx_stamp;          /* its time is wanted */
    uint32_t late_addr;     /* a descriptor that is closed late: its place, */
    uint32_t late_tdes0;    /* its status, its interrupt */
    bool late_ic;
    uint8_t tx_vlic, tx_saic;
    uint8_t tx_buf[DWMAC_MAX_FRAME + GMAC_EDIT_ROOM];
    uint32_t fifo_len;
    uint8_t *fifo;          /* GmacRxMeta and frame, again and again */
    uint32_t fifo_level;    /* bytes of frames in there */
    bool fifo_pausing;      /* a PAUSE was sent and not yet taken back */
    uint32_t fifo_cap;      /* allocated; no state */
    DwmacPtp ptp;
    DwmacPmt wake;

    /* properties: the synthesis options */
    uint8_t snpsver;
    uint8_t user_id;
    uint8_t rx_coe;         /* 0, 1 or 2 */
    uint8_t phy_if;
    uint16_t hash_bits;     /* 0, 64, 128 or 256 */
    uint8_t addr_slots;     /* 1 to 32 */
    uint8_t bus_bytes;      /* 4, 8 or 16 */
    uint32_t tx_fifo;       /* bytes */
    uint32_t rx_fifo;
    uint32_t csr_hz;        /* clock of the receive watchdog */
    uint32_t reset_ns;
    bool tx_coe;
    bool enh_desc;
    bool half_duplex;
    bool rmon;
    bool eee, pmt, timestamps, sa_vlan_ins, vlan_hash;
    /* properties: where cores differ from each other, see gmac-rx.c */
    bool rx_esa;
    bool rx_csum_es;
    bool rx_csum_drop;
    bool rx_lossless;
} Gmac;

#define GMAC_PROPERTIES(_s, _f) \
    DWMAC_CORE_PROPERTIES(_s, _f.core), \
    DEFINE_PROP_UINT8("snpsver", _s, _f.snpsver, 0x37), \
    DEFINE_PROP_UINT8("user-id", _s, _f.user_id, 0x10), \
    DEFINE_PROP_BOOL("tx-coe", _s, _f.tx_coe, true), \
    DEFINE_PROP_UINT8("rx-coe", _s, _f.rx_coe, 2), \
    DEFINE_PROP_BOOL("enh-desc", _s, _f.enh_desc, true), \
    DEFINE_PROP_UINT16("hash-bits", _s, _f.hash_bits, 64), \
    DEFINE_PROP_UINT8("addr-slots", _s, _f.addr_slots, 32), \
    DEFINE_PROP_UINT8("bus-bytes", _s, _f.bus_bytes, 4), \
    DEFINE_PROP_UINT32("tx-fifo", _s, _f.tx_fifo, 8192), \
    DEFINE_PROP_UINT32("rx-fifo", _s, _f.rx_fifo, 16384), \
    DEFINE_PROP_UINT32("csr-hz", _s, _f.csr_hz, 125000000), \
    DEFINE_PROP_UINT32("reset-ns", _s, _f.reset_ns, 0), \
    DEFINE_PROP_UINT8("phy-if", _s, _f.phy_if, 0), \
    DEFINE_PROP_BOOL("half-duplex", _s, _f.half_duplex, false), \
    DEFINE_PROP_BOOL("mmc", _s, _f.rmon, true), \
    DEFINE_PROP_BOOL("eee", _s, _f.eee, true), \
    DEFINE_PROP_BOOL("pmt", _s, _f.pmt, true), \
    DEFINE_PROP_BOOL("ptp", _s, _f.timestamps, true), \
    DEFINE_PROP_UINT32("ptp-hz", _s, _f.ptp.hz, 100000000), \
    DEFINE_PROP_BOOL("sa-vlan-insertion", _s, _f.sa_vlan_ins, true), \
    DEFINE_PROP_BOOL("vlan-hash", _s, _f.vlan_hash, true), \
    DEFINE_PROP_BOOL("rx-esa", _s, _f.rx_esa, false), \
    DEFINE_PROP_BOOL("rx-csum-es", _s, _f.rx_csum_es, true), \
    DEFINE_PROP_BOOL("rx-csum-drop", _s, _f.rx_csum_drop, false), \
    DEFINE_PROP_BOOL("rx-lossless", _s, _f.rx_lossless, true)

extern const VMStateDescription vmstate_gmac;

void gmac_init(Gmac *g, DeviceState *dev);
/** gmac_realize: the bus has set up g->irq; DMA goes to @as */
bool gmac_realize(Gmac *g, AddressSpace *as, Error **errp);
void gmac_unrealize(Gmac *g);
/** gmac_reset: power-on; the address from mac= stands in slot 0 */
void gmac_reset(Gmac *g);

static inline uint32_t *gmac_reg(Gmac *g, unsigned off)
{
    return &g->regs[off / 4];
}

static inline bool gmac_bit(const Gmac *g, unsigned off, uint32_t bit)
{
    return g->regs[off / 4] & bit;
}

/* Bytes from one descriptor of a ring to the next. */
unsigned gmac_desc_stride(const Gmac *g);
/* Does a descriptor have its extended words? */
static inline bool gmac_atds(const Gmac *g)
{
    return g->enh_desc && gmac_bit(g, DMA_BUS_MODE, DMA_BUS_MODE_ATDS);
}

/* DMA; false after a bus error, which has then been raised with @eb. */
bool gmac_dma_read(Gmac *g, uint32_t addr, void *buf, size_t len, unsigned eb);
bool gmac_dma_write(Gmac *g, uint32_t addr, const void *buf, size_t len,
                    unsigned eb);

/* Sets DMA_STATUS bits; the caller ends its batch with gmac_update_irq(). */
void gmac_raise(Gmac *g, uint32_t status);
void gmac_update_irq(Gmac *g);

/* Works on the transmit ring until it is empty or something stops it. */
void gmac_tx_run(Gmac *g);
/* Forgets a half-read frame. */
void gmac_tx_flush(Gmac *g);
/* Closes the descriptor that was kept open. */
void gmac_tx_late(void *opaque);
/* Sends a PAUSE frame of the MAC's own. */
void gmac_tx_pause(Gmac *g, unsigned quanta);
void gmac_own_address(const Gmac *g, unsigned slot, uint8_t *addr);

/* A frame from the wire; as DwmacOps.receive. */
ssize_t gmac_receive(DwmacCore *core, const uint8_t *f, size_t len);
/* A frame that the MAC loops back: lost if the FIFO is full. */
void gmac_rx_loopback(Gmac *g, const uint8_t *f, size_t len);
/* The ring may take what waits in the FIFO; and, with _run, before it. */
void gmac_rx_drain(Gmac *g);
void gmac_rx_run(Gmac *g);

/* gmac-fifo.c: is there room?  Put in; look at the frame @at bytes from the
 * first, NULL behind the last; take @bytes of whole frames out. */
bool gmac_fifo_fits(const Gmac *g, size_t len);
void gmac_fifo_push(Gmac *g, const GmacRxMeta *meta, const uint8_t *f);
const uint8_t *gmac_fifo_at(const Gmac *g, size_t at, GmacRxMeta *meta);
void gmac_fifo_drop(Gmac *g, size_t bytes);
void gmac_fifo_flush(Gmac *g);
/* Is what was loaded sound? */
bool gmac_fifo_valid(const Gmac *g);

/* gmac-pm.c: the transmitter has nothing to do; has something. */
void gmac_lpi_idle(Gmac *g);
void gmac_lpi_leave(Gmac *g);
/* Do frames wait for software to end low-power idle? */
bool gmac_lpi_blocks(Gmac *g);
/* In power-down a frame that passed the filter is looked at and dropped. */
bool gmac_asleep(Gmac *g, const uint8_t *f, size_t len);
uint32_t gmac_read_lpi(Gmac *g, unsigned off);
void gmac_write_lpi(Gmac *g, unsigned off, uint32_t old);
uint32_t gmac_read_pmt(Gmac *g, unsigned off);
void gmac_write_pmt(Gmac *g, unsigned off, uint32_t old);
uint32_t gmac_read_wake(Gmac *g, unsigned off);
void gmac_write_wake(Gmac *g, unsigned off, uint32_t old);

#endif
