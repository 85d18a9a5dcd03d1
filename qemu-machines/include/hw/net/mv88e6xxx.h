/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Marvell 88E6352 Ethernet switch on an MDIO bus: what a board needs to know
 * of the model (hw/net/dsa/mv88e6xxx.c, gaps listed there).
 *
 *   address      strapping pins: 0 answers the addresses of all its units
 *                (single-chip addressing), an even 2..30 answers that one and
 *                is reached through two registers (multi-chip addressing)
 *   busy-reads   how many reads see a busy bit set after each operation
 *   portN-link, portN-speed, portN-duplex
 *                the far end of port N's cable, N in 0..4: see mdio-phy.h;
 *                run time
 *
 * GPIO out 0: interrupt, high while asserted.
 */
#ifndef HW_NET_MV88E6XXX_H
#define HW_NET_MV88E6XXX_H

#include "hw/net/mdio.h"

#define TYPE_MV88E6352 "mv88e6352"

/* Ports 0-4 have a PHY inside, ports 5 and 6 are RGMII pins. */
#define MV88E6352_PORTS     7
#define MV88E6352_PHYS      5
#define MV88E6352_CPU_PORT  5

#endif
