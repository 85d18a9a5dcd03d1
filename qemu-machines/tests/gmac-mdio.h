/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * MDIO as a guest does it: through the station management registers of a MAC
 * of the stmmac-virt machine.
 */
#ifndef TESTS_GMAC_MDIO_H
#define TESTS_GMAC_MDIO_H

#include "qtest.h"

/* Clause 22; @mac is 0 or 1. */
uint16_t mdio_read(Qtest *q, unsigned mac, unsigned addr, unsigned reg);
void mdio_write(Qtest *q, unsigned mac, unsigned addr, unsigned reg,
		uint16_t val);

/* Sets a property at run time; @value is JSON. */
bool qom_set(Qtest *q, const char *path, const char *property,
	     const char *value);

/* Saves the machine into @file, ends it, and starts it again from there. */
Qtest *migrate_and_restart(Qtest *q, const char *machine, const char *options,
			   const char *file);

#endif
