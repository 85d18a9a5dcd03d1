// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * MDIO through a MAC, see gmac-mdio.h.  Registers: Linux's dwmac1000.h and
 * stmmac_mdio.c.
 */
#include <stdio.h>
#include <stdlib.h>
#include "gmac-mdio.h"

#define MAC_BASE(n)   (0x0b000000 + (n) * 0x10000)
#define MII_ADDR      0x10
#define MII_BUSY      (1 << 0)
#define MII_WRITE     (1 << 1)
#define MII_DATA      0x14

static void start(Qtest *q, unsigned mac, unsigned addr, unsigned reg,
		  uint32_t flags)
{
	qtest_writel(q, MAC_BASE(mac) + MII_ADDR,
		     addr << 11 | reg << 6 | flags | MII_BUSY);
	CHECK_EQ(qtest_readl(q, MAC_BASE(mac) + MII_ADDR) & MII_BUSY, 0);
}

uint16_t mdio_read(Qtest *q, unsigned mac, unsigned addr, unsigned reg)
{
	start(q, mac, addr, reg, 0);
	return qtest_readl(q, MAC_BASE(mac) + MII_DATA);
}

void mdio_write(Qtest *q, unsigned mac, unsigned addr, unsigned reg,
		uint16_t val)
{
	qtest_writel(q, MAC_BASE(mac) + MII_DATA, val);
	start(q, mac, addr, reg, MII_WRITE);
}

bool qom_set(Qtest *q, const char *path, const char *property,
	     const char *value)
{
	char cmd[256];

	snprintf(cmd, sizeof(cmd), "{\"execute\":\"qom-set\",\"arguments\":"
		 "{\"path\":\"%s\",\"property\":\"%s\",\"value\":%s}}",
		 path, property, value);
	return qtest_qmp(q, cmd);
}

static bool migrated(Qtest *q)
{
	return qtest_qmp_has(q, "{\"execute\":\"query-migrate\"}",
			     "\"completed\"");
}

static bool running(Qtest *q)
{
	return qtest_qmp_has(q, "{\"execute\":\"query-status\"}",
			     "\"status\": \"running\"");
}

Qtest *migrate_and_restart(Qtest *q, const char *machine, const char *options,
			   const char *file)
{
	char cmd[256], opts[512];

	snprintf(cmd, sizeof(cmd), "{\"execute\":\"migrate\",\"arguments\":"
		 "{\"uri\":\"file:%s\"}}", file);
	CHECK(qtest_qmp(q, cmd));
	CHECK_SOON(migrated(q));
	qtest_stop(q);
	snprintf(opts, sizeof(opts), "%s -incoming file:%s", options, file);
	q = qtest_start(machine, opts, 0);
	CHECK_SOON(running(q));
	return q;
}
