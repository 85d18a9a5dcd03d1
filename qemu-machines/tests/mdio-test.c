// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The MDIO bus and the clause 22 PHY, at address 1 behind gmac1.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "gmac-mdio.h"

#define MACHINE "stmmac-virt,switch=none"
#define PHY     1
#define QOM_PHY "/machine/phy1"

#define BMCR            0
#define BMCR_RESET      0x8000
#define BMCR_LOOPBACK   0x4000
#define BMCR_DEFAULT    0x1140
#define BMCR_POWER_DOWN 0x0800
#define BMCR_FORCE_100F 0x2100
#define BMSR            1
#define BMSR_FIXED      0x7949	/* abilities: what is not link or AN */
#define BMSR_UP         0x0024	/* link, autonegotiation complete */
#define BMSR_LINK       0x0004
#define ADVERTISE       4
#define LPA             5
#define CTRL1000        9
#define STAT1000        10
#define MMD_CTRL        13
#define MMD_DATA        14
#define ESTATUS         15

static uint16_t phy_read(Qtest *q, unsigned reg)
{
	return mdio_read(q, 1, PHY, reg);
}

static void phy_write(Qtest *q, unsigned reg, uint16_t val)
{
	mdio_write(q, 1, PHY, reg, val);
}

static void test_absent(Qtest *q)
{
	for (unsigned addr = 0; addr < 32; addr++) {
		if (addr == PHY)
			continue;
		mdio_write(q, 1, addr, BMCR, BMCR_POWER_DOWN);
		CHECK_EQ(mdio_read(q, 1, addr, BMCR), 0xffff);
		CHECK_EQ(mdio_read(q, 1, addr, 2), 0xffff);
	}
	CHECK_EQ(phy_read(q, BMCR), BMCR_DEFAULT);
	/* gmac0 has nothing on its bus */
	CHECK_EQ(mdio_read(q, 0, PHY, 2), 0xffff);
	ktap_result("an address that nobody answers reads 0xffff");
}

static void test_ids(Qtest *q)
{
	CHECK_EQ(phy_read(q, 2), 0x4950);
	CHECK_EQ(phy_read(q, 3), 0x0010);
	CHECK_EQ(phy_read(q, ESTATUS), 0x3000);
	mdio_write(q, 1, PHY, 2, 0);
	CHECK_EQ(phy_read(q, 2), 0x4950);
	ktap_result("a PHY has its id, read only");
}

static void test_up(Qtest *q)
{
	CHECK_EQ(phy_read(q, BMSR), BMSR_FIXED | BMSR_UP);
	CHECK_EQ(phy_read(q, LPA), 0x4de1);
	CHECK_EQ(phy_read(q, STAT1000), 0x3c00);
	ktap_result("out of reset the link is up at 1000 full");
}

static void test_link(Qtest *q)
{
	CHECK(qom_set(q, QOM_PHY, "link", "false"));
	CHECK_EQ(phy_read(q, BMSR), BMSR_FIXED);
	CHECK_EQ(phy_read(q, LPA), 0);
	CHECK(qom_set(q, QOM_PHY, "link", "true"));
	CHECK_EQ(phy_read(q, BMSR), BMSR_FIXED | BMSR_UP);

	/* a drop that nobody looked at is still seen once */
	CHECK(qom_set(q, QOM_PHY, "link", "false"));
	CHECK(qom_set(q, QOM_PHY, "link", "true"));
	CHECK_EQ(phy_read(q, BMSR) & BMSR_LINK, 0);
	CHECK_EQ(phy_read(q, BMSR), BMSR_FIXED | BMSR_UP);
	ktap_result("the cable can be pulled, and the link latches low");
}

static void test_far_end(Qtest *q)
{
	CHECK(qom_set(q, QOM_PHY, "speed", "100"));
	CHECK(qom_set(q, QOM_PHY, "duplex", "\"half\""));
	phy_read(q, BMSR);
	CHECK_EQ(phy_read(q, BMSR), BMSR_FIXED | BMSR_UP);
	CHECK_EQ(phy_read(q, LPA), 0x4ca1);	/* 100 half and 10 half */
	CHECK_EQ(phy_read(q, STAT1000), 0);
	CHECK(!qom_set(q, QOM_PHY, "speed", "42"));
	CHECK(!qom_set(q, QOM_PHY, "duplex", "\"both\""));
	CHECK(qom_set(q, QOM_PHY, "speed", "1000"));
	CHECK(qom_set(q, QOM_PHY, "duplex", "\"full\""));
	CHECK_EQ(phy_read(q, STAT1000), 0x3c00);
	ktap_result("the far end decides what is negotiated");
}

static void test_nothing_in_common(Qtest *q)
{
	CHECK(qom_set(q, QOM_PHY, "speed", "100"));
	phy_write(q, ADVERTISE, 0x0001);
	phy_read(q, BMSR);
	CHECK_EQ(phy_read(q, BMSR) & BMSR_LINK, 0);
	phy_write(q, BMCR, BMCR_FORCE_100F);
	CHECK_EQ(phy_read(q, BMSR) & BMSR_UP, BMSR_LINK);
	phy_write(q, BMCR, BMCR_RESET);
	CHECK_EQ(phy_read(q, BMCR), BMCR_DEFAULT);
	CHECK_EQ(phy_read(q, ADVERTISE), 0x01e1);
	phy_read(q, BMSR);
	CHECK_EQ(phy_read(q, BMSR), BMSR_FIXED | BMSR_UP);
	CHECK(qom_set(q, QOM_PHY, "speed", "1000"));
	ktap_result("no common mode is no link; a reset restores the offer");
}

static void test_power_and_loopback(Qtest *q)
{
	phy_write(q, BMCR, BMCR_POWER_DOWN | BMCR_DEFAULT);
	CHECK_EQ(phy_read(q, BMSR) & BMSR_LINK, 0);
	CHECK_EQ(phy_read(q, BMSR) & BMSR_LINK, 0);
	CHECK_EQ(phy_read(q, BMCR), BMCR_POWER_DOWN | BMCR_DEFAULT);
	phy_write(q, BMCR, BMCR_DEFAULT);
	CHECK_EQ(phy_read(q, BMSR) & BMSR_LINK, BMSR_LINK);

	CHECK(qom_set(q, QOM_PHY, "link", "false"));
	phy_write(q, BMCR, BMCR_LOOPBACK | 0x0140);
	phy_read(q, BMSR);
	CHECK_EQ(phy_read(q, BMSR) & BMSR_UP, BMSR_LINK);
	phy_write(q, BMCR, BMCR_DEFAULT);
	CHECK(qom_set(q, QOM_PHY, "link", "true"));
	ktap_result("power down has no link, loopback has one without a cable");
}

static void test_mmd(Qtest *q)
{
	phy_write(q, MMD_CTRL, 0x0003);
	phy_write(q, MMD_DATA, 0x0014);
	phy_write(q, MMD_CTRL, 0x8003);	/* data, increment */
	CHECK_EQ(phy_read(q, MMD_DATA), 0x0006);	/* EEE at 100, 1000 */
	CHECK_EQ(phy_read(q, MMD_DATA), 0);
	phy_write(q, MMD_CTRL, 0x0003);
	CHECK_EQ(phy_read(q, MMD_DATA), 0x0016);
	/* what we offer is kept, the far end offers both */
	phy_write(q, MMD_CTRL, 0x0007);
	phy_write(q, MMD_DATA, 60);
	phy_write(q, MMD_CTRL, 0x4007);
	phy_write(q, MMD_DATA, 0xffff);
	CHECK_EQ(phy_read(q, MMD_DATA), 0x0006);
	phy_write(q, MMD_CTRL, 0x0007);
	phy_write(q, MMD_DATA, 61);
	phy_write(q, MMD_CTRL, 0x4007);
	CHECK_EQ(phy_read(q, MMD_DATA), 0x0006);
	ktap_result("indirect MMD access: EEE, and the address increments");
}

static Qtest *test_migration(Qtest *q)
{
	char file[] = "/tmp/mdio-test-XXXXXX";
	int fd = mkstemp(file);

	phy_write(q, CTRL1000, 0x0100);
	CHECK(qom_set(q, QOM_PHY, "link", "false"));
	CHECK(qom_set(q, QOM_PHY, "link", "true"));
	q = migrate_and_restart(q, MACHINE, "", file);
	CHECK_EQ(phy_read(q, CTRL1000), 0x0100);
	/* the latched drop has come along */
	CHECK_EQ(phy_read(q, BMSR) & BMSR_LINK, 0);
	CHECK_EQ(phy_read(q, BMSR) & BMSR_LINK, BMSR_LINK);
	close(fd);
	unlink(file);
	ktap_result("the PHY's state migrates");
	return q;
}

/* What QEMU says to @options when it refuses to start. */
static bool refuses(const char *machine, const char *options, const char *says)
{
	const char *qemu = getenv("QEMU");
	char cmd[1024], line[512] = "";
	FILE *f;
	bool seen = false;

	snprintf(cmd, sizeof(cmd), "%s -machine %s -accel qtest -display none "
		 "-nodefaults -S %s 2>&1 </dev/null",
		 qemu ? qemu : "qemu-system-aarch64", machine, options);
	f = popen(cmd, "r");
	while (f && fgets(line, sizeof(line), f))
		seen |= strstr(line, says) != NULL;
	return f && pclose(f) != 0 && seen;
}

static void test_refusals(void)
{
	CHECK(refuses(MACHINE, "-device mdio-phy,address=5 "
		      "-device mdio-phy,address=5",
		      "MDIO address 5 of mdio-phy is taken by mdio-phy"));
	CHECK(refuses(MACHINE, "-device mdio-phy,address=32",
		      "address is 32, must be 0..31"));
	CHECK(refuses("stmmac-virt,ports=6", "",
		      "ports is 6, switch=mv88e6352 has at most 5"));
	CHECK(refuses("stmmac-virt,wire1=nowhere", "",
		      "wire1: no -netdev has the id 'nowhere'"));
	CHECK(refuses("stmmac-virt,mac0=fec", "",
		      "mac0 is 'fec', not a generation of the MAC"));
	CHECK(refuses("stmmac-virt", "-global mv88e6352.address=3",
		      "address is 3, must be 0 or an even 2..30"));
	ktap_result("what cannot be is refused in words");
}

int main(void)
{
	Qtest *q;

	ktap_plan(10);
	q = qtest_start(MACHINE, "", 0);
	test_absent(q);
	test_ids(q);
	test_up(q);
	test_link(q);
	test_far_end(q);
	test_nothing_in_common(q);
	test_power_and_loopback(q);
	test_mmd(q);
	q = test_migration(q);
	qtest_stop(q);
	test_refusals();
	return ktap_end();
}
