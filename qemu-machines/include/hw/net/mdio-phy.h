/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Clause 22 gigabit copper PHY: what a board or a chip that carries PHYs needs
 * to know of the model (hw/net/dsa/mdio-phy.c, gaps listed there).
 *
 * QOM interface, all settable at run time (qom-set) except where said:
 *
 *   address  0..31, port address on the bus; before realize only
 *   id       PHYSID1 << 16 | PHYSID2; before realize only
 *   link     the cable is in and the far end is up
 *   speed    10, 100, 1000: the best that the far end can do
 *   duplex   "full" or "half": likewise
 *
 * GPIO out "int": high while an enabled interrupt is pending.  The generic PHY
 * has no interrupt, a subclass may.
 */
#ifndef HW_NET_MDIO_PHY_H
#define HW_NET_MDIO_PHY_H

#include "hw/net/mdio.h"
#include "migration/vmstate.h"

/* A gigabit PHY of no vendor: Linux binds its generic driver. */
#define TYPE_MDIO_PHY "mdio-phy"
OBJECT_DECLARE_TYPE(MdioPhy, MdioPhyClass, MDIO_PHY)

/* The PHY inside Marvell's gigabit switches: paged, with an interrupt. */
#define TYPE_MDIO_PHY_88E1540 "mdio-phy-88e1540"

#define MDIO_PHY_INT "int"

typedef enum MdioPhyDuplex {
    MDIO_PHY_DUPLEX_HALF,
    MDIO_PHY_DUPLEX_FULL,
    MDIO_PHY_DUPLEX__MAX,
} MdioPhyDuplex;

/* What both ends settled on; meaningless while the link is down. */
typedef struct MdioPhyMode {
    unsigned speed;          /* Mb/s */
    bool full_duplex;
} MdioPhyMode;

struct MdioPhyClass {
    MdioDeviceClass parent_class;

    uint32_t id;             /* default of the property */
    /* After each change of what mdio_phy_link_up() says, and after reset. */
    void (*link_changed)(MdioPhy *phy);
};

struct MdioPhy {
    MdioDevice parent_obj;

    uint8_t address;
    uint32_t id;
    bool eee;                /* Energy-Efficient Ethernet, at both ends */
    bool c45;                /* answers clause 45 frames */
    qemu_irq irq;

    /* the far end */
    bool link;
    uint32_t speed;
    uint8_t duplex;

    /* registers; those not here are constant or computed */
    uint16_t bmcr;
    uint16_t advertise;      /* 4 */
    uint16_t np_advertise;   /* 7 */
    uint16_t ctrl1000;       /* 9 */
    uint16_t mmd_ctrl;       /* 13 */
    uint16_t mmd_addr;       /* behind 14 */
    uint16_t eee_adv;        /* MMD 7, 60 */
    bool up;                 /* as of the last evaluation */
    bool went_down;          /* BMSR link status latches low until read */
    bool page_received;      /* ANER bit 1, cleared by a read */
};

/* The state of struct MdioPhy, for a subclass's own description. */
extern const VMStateDescription vmstate_mdio_phy;

/* Does the link stand?  Also in loopback, where it needs no far end. */
bool mdio_phy_link_up(MdioPhy *phy);
/* What is forced, or negotiated; speed 0 when there is nothing in common. */
MdioPhyMode mdio_phy_mode(MdioPhy *phy);

/*
 * Clause 22 registers 0-15, for subclasses that page them.  Others read 0.  A
 * read has the side effects of the real one (latches).
 */
uint16_t mdio_phy_read(MdioPhy *phy, unsigned reg);
void mdio_phy_write(MdioPhy *phy, unsigned reg, uint16_t val);

#endif
