// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The Marvell 88E6352 behind gmac0: the operations that Linux's mv88e6xxx
 * driver is made of, register by register (names as in that driver).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "gmac-mdio.h"

#define MACHINE    "stmmac-virt"
#define BUSY_READS 2
#define OPTIONS    "-global mv88e6352.busy-reads=2"
#define QOM_SWITCH "/machine/switch0"

#define PORT(n)       (0x10 + (n))
#define PORT_STS      0
#define STS_LINK      0x0800
#define STS_MODE      0x0f00	/* link, duplex, speed */
#define STS_CMODE     0x000f
#define PORT_MAC_CTL  1
#define PORT_ID       3
#define G1            0x1b
#define G1_STS        0
#define G1_STS_DEVICE 0x0080
#define G1_ATU_FID    1
#define G1_VTU_FID    2
#define G1_VTU_SID    3
#define G1_CTL1       4
#define G1_VTU_OP     5
#define G1_VTU_VID    6
#define VID_VALID     0x1000
#define G1_VTU_DATA1  7
#define G1_VTU_DATA2  8
#define G1_ATU_OP     0x0b
#define G1_ATU_DATA   0x0c
#define G1_ATU_MAC    0x0d
#define G1_STATS_OP   0x1d
#define G1_STATS_HI   0x1e
#define G2            0x1c
#define G2_INT_SRC    0
#define G2_INT_MASK   1
#define G2_TRUNK_MASK 7
#define G2_PVT_ADDR   0x0b
#define G2_PVT_DATA   0x0c
#define G2_ATU_STATS  0x0e
#define G2_EEPROM_CMD 0x14
#define G2_EEPROM_DATA 0x15
#define G2_AVB_CMD    0x16
#define G2_AVB_DATA   0x17
#define G2_PHY_CMD    0x18
#define G2_PHY_DATA   0x19
#define G2_SCRATCH    0x1a
#define BUSY          0x8000

static uint16_t rd(Qtest *q, unsigned unit, unsigned reg)
{
	return mdio_read(q, 0, unit, reg);
}

static void wr(Qtest *q, unsigned unit, unsigned reg, uint16_t val)
{
	mdio_write(q, 0, unit, reg, val);
}

/* Starts an operation and sees its busy bit come and go. */
static void op(Qtest *q, unsigned unit, unsigned reg, uint16_t val)
{
	wr(q, unit, reg, val | BUSY);
	for (unsigned i = 0; i < BUSY_READS; i++)
		CHECK_EQ(rd(q, unit, reg) & BUSY, BUSY);
	CHECK_EQ(rd(q, unit, reg) & BUSY, 0);
}

static void test_id(Qtest *q)
{
	for (unsigned addr = 0; addr < 32; addr++) {
		bool port = addr >= PORT(0) && addr <= PORT(6);
		bool global = addr == G1 || addr == G2;

		if (port)
			CHECK_EQ(rd(q, addr, PORT_ID), 0x3521);
		else if (!global)
			CHECK_EQ(rd(q, addr, PORT_ID), 0xffff);
	}
	ktap_result("seven ports carry the switch id, other units are absent");
}

static void test_reset(Qtest *q)
{
	wr(q, PORT(1), 7, 0x0123);
	wr(q, G1, G1_CTL1, 0xc000);
	CHECK_EQ(rd(q, G1, G1_CTL1), 0x4000);
	CHECK_EQ(rd(q, G1, G1_STS) & 0x8800, 0x8800);
	/* a software reset keeps registers */
	CHECK_EQ(rd(q, PORT(1), 7), 0x0123);
	ktap_result("a software reset clears itself and ends ready");
}

static void vtu_load(Qtest *q, unsigned vid, unsigned fid, unsigned data)
{
	wr(q, G1, G1_VTU_VID, vid | VID_VALID);
	wr(q, G1, G1_VTU_DATA1, data);
	wr(q, G1, G1_VTU_DATA2, data >> 4);
	wr(q, G1, G1_VTU_FID, fid);
	wr(q, G1, G1_VTU_SID, vid & 0x3f);
	op(q, G1, G1_VTU_OP, 0x3000);
}

static void vtu_next_is(Qtest *q, unsigned vid, unsigned fid, unsigned data)
{
	op(q, G1, G1_VTU_OP, 0x4000);
	CHECK_EQ(rd(q, G1, G1_VTU_VID), vid | VID_VALID);
	CHECK_EQ(rd(q, G1, G1_VTU_FID), fid);
	CHECK_EQ(rd(q, G1, G1_VTU_SID), vid & 0x3f);
	CHECK_EQ(rd(q, G1, G1_VTU_DATA1), data);
	CHECK_EQ(rd(q, G1, G1_VTU_DATA2), data >> 4);
}

static void vtu_end(Qtest *q)
{
	op(q, G1, G1_VTU_OP, 0x4000);
	CHECK_EQ(rd(q, G1, G1_VTU_VID), 0x0fff);
}

static void test_vtu(Qtest *q)
{
	vtu_load(q, 4095, 2, 0x3210);
	vtu_load(q, 0, 1, 0x1111);
	vtu_load(q, 100, 0x1007, 0x2222);
	wr(q, G1, G1_VTU_VID, 0x0fff);
	vtu_next_is(q, 0, 1, 0x1111);
	vtu_next_is(q, 100, 0x1007, 0x2222);
	vtu_next_is(q, 4095, 2, 0x3210);

	wr(q, G1, G1_VTU_VID, 100);	/* not valid: purge */
	op(q, G1, G1_VTU_OP, 0x3000);
	wr(q, G1, G1_VTU_VID, 0);
	vtu_next_is(q, 4095, 2, 0x3210);
	op(q, G1, G1_VTU_OP, 0x1000);
	wr(q, G1, G1_VTU_VID, 0x0fff);
	vtu_end(q);
	ktap_result("VTU: load, walk in order, purge, flush");
}

static void stu_load(Qtest *q, unsigned sid, bool valid, unsigned data)
{
	wr(q, G1, G1_VTU_VID, valid ? VID_VALID : 0);
	wr(q, G1, G1_VTU_SID, sid);
	wr(q, G1, G1_VTU_DATA1, data);
	op(q, G1, G1_VTU_OP, 0x5000);
}

static void test_stu(Qtest *q)
{
	stu_load(q, 0, true, 0xcccc);
	stu_load(q, 62, true, 0x8844);
	wr(q, G1, G1_VTU_SID, 63);
	op(q, G1, G1_VTU_OP, 0x6000);
	CHECK_EQ(rd(q, G1, G1_VTU_SID), 0);
	CHECK_EQ(rd(q, G1, G1_VTU_DATA1), 0xcccc);
	op(q, G1, G1_VTU_OP, 0x6000);
	CHECK_EQ(rd(q, G1, G1_VTU_SID), 62);
	CHECK_EQ(rd(q, G1, G1_VTU_VID) & VID_VALID, VID_VALID);
	CHECK_EQ(rd(q, G1, G1_VTU_DATA1), 0x8844);
	stu_load(q, 62, false, 0);
	wr(q, G1, G1_VTU_SID, 0);
	op(q, G1, G1_VTU_OP, 0x6000);
	CHECK_EQ(rd(q, G1, G1_VTU_VID) & VID_VALID, 0);
	CHECK_EQ(rd(q, G1, G1_VTU_SID), 63);
	ktap_result("STU: load, walk in order, purge");
}

static void atu_mac(Qtest *q, uint64_t mac)
{
	for (unsigned i = 0; i < 3; i++)
		wr(q, G1, G1_ATU_MAC + i, mac >> (32 - 16 * i));
}

static void atu_load(Qtest *q, unsigned fid, uint64_t mac, uint16_t data)
{
	wr(q, G1, G1_ATU_FID, fid);
	atu_mac(q, mac);
	wr(q, G1, G1_ATU_DATA, data);
	op(q, G1, G1_ATU_OP, 0x3000);
}

static void atu_next_is(Qtest *q, unsigned fid, uint64_t mac, uint16_t data)
{
	wr(q, G1, G1_ATU_FID, fid);
	op(q, G1, G1_ATU_OP, 0x4000);
	CHECK_EQ(rd(q, G1, G1_ATU_DATA), data);
	for (unsigned i = 0; i < 3; i++)
		CHECK_EQ(rd(q, G1, G1_ATU_MAC + i),
			 (mac >> (32 - 16 * i)) & 0xffff);
}

#define BROADCAST 0xffffffffffffULL
#define STATIC    0x000e
#define AGED      0x0003
#define ON(port)  (1 << ((port) + 4))

static void test_atu(Qtest *q)
{
	atu_load(q, 1, 0x020000000002, ON(1) | STATIC);
	atu_load(q, 1, BROADCAST, ON(5) | STATIC);
	atu_load(q, 1, 0x020000000001, ON(0) | AGED);
	atu_load(q, 2, 0x020000000001, ON(3) | STATIC);
	atu_mac(q, BROADCAST);
	atu_next_is(q, 1, 0x020000000001, ON(0) | AGED);
	atu_next_is(q, 1, 0x020000000002, ON(1) | STATIC);
	atu_next_is(q, 1, BROADCAST, ON(5) | STATIC);
	atu_mac(q, BROADCAST);
	atu_next_is(q, 2, 0x020000000001, ON(3) | STATIC);
	atu_next_is(q, 2, BROADCAST, 0);

	/* the same address again replaces, state 0 purges */
	atu_load(q, 1, 0x020000000002, ON(2) | STATIC);
	atu_load(q, 2, 0x020000000001, 0);
	atu_mac(q, 0x020000000001);
	atu_next_is(q, 1, 0x020000000002, ON(2) | STATIC);
	atu_mac(q, BROADCAST);
	atu_next_is(q, 2, BROADCAST, 0);
	ktap_result("ATU: load, walk a database in order, replace, purge");
}

/* Goes on with what test_atu() left in database 1. */
static void test_atu_flush(Qtest *q)
{
	wr(q, G1, G1_ATU_FID, 1);
	wr(q, G1, G1_ATU_DATA, 0x0f2f);	/* port 2 to nowhere */
	op(q, G1, G1_ATU_OP, 0x5000);
	atu_mac(q, 0x020000000001);
	atu_next_is(q, 1, BROADCAST, ON(5) | STATIC);

	wr(q, G1, G1_ATU_DATA, 0x040f);	/* port 0 to port 4 */
	op(q, G1, G1_ATU_OP, 0x5000);
	atu_mac(q, BROADCAST);
	atu_next_is(q, 1, 0x020000000001, ON(4) | AGED);

	wr(q, G1, G1_ATU_DATA, 0);
	op(q, G1, G1_ATU_OP, 0x6000);	/* flush what is not static */
	atu_mac(q, BROADCAST);
	atu_next_is(q, 1, BROADCAST, ON(5) | STATIC);
	wr(q, G1, G1_ATU_DATA, 0);
	op(q, G1, G1_ATU_OP, 0x1000);	/* flush all */
	atu_mac(q, 0);
	atu_next_is(q, 1, BROADCAST, 0);
	ktap_result("ATU: move, remove a port, flush");
}

#define ATU_ENTRIES 8192

static void fill_one(Qtest *q, unsigned i)
{
	wr(q, G1, G1_ATU_MAC + 2, i);
	wr(q, G1, G1_ATU_DATA, ON(0) | STATIC);
	wr(q, G1, G1_ATU_OP, 0x3000 | BUSY);
}

static void test_atu_full(Qtest *q)
{
	wr(q, G1, G1_ATU_FID, 7);
	atu_mac(q, 0x020000000000);
	for (unsigned i = 0; i < ATU_ENTRIES; i++)
		fill_one(q, i);
	CHECK_EQ(rd(q, G1, G1_STS) & 0x0008, 0);
	wr(q, G2, G2_ATU_STATS, 0xc000);	/* all, the last quarter */
	CHECK_EQ(rd(q, G2, G2_ATU_STATS) & 0x0fff, ATU_ENTRIES / 4);
	fill_one(q, ATU_ENTRIES);
	CHECK_EQ(rd(q, G1, G1_STS) & 0x0008, 0x0008);
	wr(q, G1, G1_ATU_OP, 0x7000 | BUSY);	/* which one was it */
	CHECK_EQ(rd(q, G1, G1_ATU_OP) & 0x00f0, 0x0010);
	CHECK_EQ(rd(q, G1, G1_ATU_MAC + 2), ATU_ENTRIES);
	CHECK_EQ(rd(q, G1, G1_STS) & 0x0008, 0);
	wr(q, G1, G1_ATU_DATA, 0);
	op(q, G1, G1_ATU_OP, 0x1000);
	ktap_result("ATU: 8192 entries fit, the next one is a violation");
}

static uint16_t phy_read(Qtest *q, unsigned phy, unsigned reg)
{
	op(q, G2, G2_PHY_CMD, 0x1800 | phy << 5 | reg);
	return rd(q, G2, G2_PHY_DATA);
}

static void phy_write(Qtest *q, unsigned phy, unsigned reg, uint16_t val)
{
	wr(q, G2, G2_PHY_DATA, val);
	op(q, G2, G2_PHY_CMD, 0x1400 | phy << 5 | reg);
}

static void test_phys(Qtest *q)
{
	for (unsigned phy = 0; phy < 5; phy++) {
		CHECK_EQ(phy_read(q, phy, 2), 0x0141);
		CHECK_EQ(phy_read(q, phy, 3), 0x0eb1);
		CHECK_EQ(phy_read(q, phy, 1), 0x796d);
		CHECK_EQ(phy_read(q, phy, 17), 0xac00);	/* 1000 full, up */
	}
	CHECK_EQ(phy_read(q, 5, 2), 0xffff);
	/* pages: register 0 of the fibre page is another one */
	phy_write(q, 0, 22, 1);
	phy_write(q, 0, 0, 0x0800);
	CHECK_EQ(phy_read(q, 0, 1) & 4, 0);
	phy_write(q, 0, 22, 0);
	CHECK_EQ(phy_read(q, 0, 0), 0x1140);
	ktap_result("internal PHYs answer through global 2, page by page");
}

/* The chip's interrupt pin, as the board's GICv2 sees it (pending, SPI 82). */
static bool pin(Qtest *q)
{
	const unsigned id = 32 + 82;

	return qtest_readl(q, 0x08000200 + id / 32 * 4) >> id % 32 & 1;
}

static void test_phy_interrupt(Qtest *q)
{
	wr(q, G1, G1_CTL1, 0x4000 | G1_STS_DEVICE);
	rd(q, G1, G1_STS);
	CHECK(!pin(q));
	wr(q, G2, G2_INT_MASK, 0x0004);
	phy_write(q, 2, 18, 0x0400);
	phy_read(q, 2, 19);
	CHECK(qom_set(q, QOM_SWITCH, "port2-link", "false"));
	CHECK_EQ(rd(q, G2, G2_INT_SRC), 0x0004);
	CHECK_EQ(rd(q, G1, G1_STS) & G1_STS_DEVICE, G1_STS_DEVICE);
	CHECK(pin(q));
	CHECK_EQ(rd(q, PORT(2), PORT_STS) & STS_LINK, 0);
	CHECK_EQ(phy_read(q, 2, 19) & 0x0400, 0x0400);
	CHECK_EQ(rd(q, G2, G2_INT_SRC), 0);
	CHECK_EQ(rd(q, G1, G1_STS) & G1_STS_DEVICE, 0);
	CHECK(!pin(q));
	/* not enabled: latched, but no interrupt */
	phy_write(q, 2, 18, 0);
	CHECK(qom_set(q, QOM_SWITCH, "port2-link", "true"));
	CHECK_EQ(rd(q, G2, G2_INT_SRC), 0);
	CHECK_EQ(phy_read(q, 2, 19) & 0x0400, 0x0400);
	ktap_result("a link change interrupts: PHY, global 2, global 1, pin");
}

static void test_port_status(Qtest *q)
{
	CHECK_EQ(rd(q, PORT(0), PORT_STS), 0x1e0f);
	CHECK(qom_set(q, QOM_SWITCH, "port0-speed", "100"));
	CHECK_EQ(rd(q, PORT(0), PORT_STS) & STS_MODE, 0x0d00);
	CHECK(qom_set(q, QOM_SWITCH, "port0-speed", "1000"));
	wr(q, PORT(0), PORT_MAC_CTL, 0x0013);	/* forced down */
	CHECK_EQ(rd(q, PORT(0), PORT_STS) & STS_LINK, 0);
	wr(q, PORT(0), PORT_MAC_CTL, 0x0003);
	CHECK_EQ(rd(q, PORT(0), PORT_STS) & STS_LINK, STS_LINK);

	CHECK_EQ(rd(q, PORT(5), PORT_STS) & STS_CMODE, 7);
	CHECK_EQ(rd(q, PORT(5), PORT_STS) & STS_LINK, 0);
	wr(q, PORT(5), PORT_MAC_CTL, 0x003e);	/* forced up, 1000 full */
	CHECK_EQ(rd(q, PORT(5), PORT_STS) & STS_MODE, 0x0e00);

	/* port 4 shows its other medium while PHY detection is off */
	CHECK_EQ(rd(q, PORT(4), PORT_STS) & STS_CMODE, 0xf);
	wr(q, PORT(4), PORT_STS, 0);
	CHECK_EQ(rd(q, PORT(4), PORT_STS) & STS_CMODE, 9);
	wr(q, PORT(4), PORT_STS, 0x1000);
	ktap_result("port status: the PHY's, or what is forced");
}

static void test_tables(Qtest *q)
{
	wr(q, G2, G2_TRUNK_MASK, BUSY | 0x3055);
	wr(q, G2, G2_TRUNK_MASK, BUSY | 0x402a);
	wr(q, G2, G2_TRUNK_MASK, 0x3000);
	CHECK_EQ(rd(q, G2, G2_TRUNK_MASK), 0x3055);
	wr(q, G2, G2_SCRATCH, BUSY | 0x12ab);
	wr(q, G2, G2_SCRATCH, BUSY | 0x73ff);	/* straps */
	CHECK_EQ(rd(q, G2, G2_SCRATCH), 0x7300);
	wr(q, G2, G2_SCRATCH, 0x1200);
	CHECK_EQ(rd(q, G2, G2_SCRATCH), 0x12ab);

	wr(q, G2, G2_PVT_DATA, 0x0031);
	op(q, G2, G2_PVT_ADDR, 0x3000 | 0x1f3);
	op(q, G2, G2_PVT_ADDR, 0x4000 | 0x1f2);
	CHECK_EQ(rd(q, G2, G2_PVT_DATA), 0x007f);
	op(q, G2, G2_PVT_ADDR, 0x4000 | 0x1f3);
	CHECK_EQ(rd(q, G2, G2_PVT_DATA), 0x0031);
	op(q, G2, G2_PVT_ADDR, 0x1000);
	op(q, G2, G2_PVT_ADDR, 0x4000 | 0x1f3);
	CHECK_EQ(rd(q, G2, G2_PVT_DATA), 0x007f);
	ktap_result("tables behind pointers keep what they are given");
}

static void test_eeprom(Qtest *q)
{
	op(q, G2, G2_EEPROM_CMD, 0x4000 | 0x21);
	CHECK_EQ(rd(q, G2, G2_EEPROM_DATA), 0xffff);
	wr(q, G2, G2_EEPROM_DATA, 0xbeef);
	op(q, G2, G2_EEPROM_CMD, 0x3000 | 0x21);
	wr(q, G2, G2_EEPROM_DATA, 0);
	op(q, G2, G2_EEPROM_CMD, 0x4000 | 0x21);
	CHECK_EQ(rd(q, G2, G2_EEPROM_DATA), 0xbeef);
	CHECK_EQ(rd(q, G2, G2_EEPROM_CMD) & 0x0400, 0x0400);
	ktap_result("EEPROM: blank, written, read back");
}

static uint32_t tai_time(Qtest *q)
{
	uint32_t lo;

	op(q, G2, G2_AVB_CMD, 0x6e0e);
	lo = rd(q, G2, G2_AVB_DATA);
	return lo | (uint32_t)rd(q, G2, G2_AVB_DATA) << 16;
}

static void test_tai(Qtest *q)
{
	uint32_t before;

	op(q, G2, G2_AVB_CMD, 0x4e01);
	CHECK_EQ(rd(q, G2, G2_AVB_DATA), 8000);
	before = tai_time(q);
	qtest_clock_step(q, 1000000);
	CHECK_EQ(tai_time(q) - before, 125000);
	ktap_result("the PTP clock ticks 8 ns of virtual time");
}

static void test_stats(Qtest *q)
{
	op(q, G1, G1_STATS_OP, 0x5c20);
	op(q, G1, G1_STATS_OP, 0x4c04);
	CHECK_EQ(rd(q, G1, G1_STATS_HI), 0);
	CHECK_EQ(rd(q, G1, G1_STATS_HI + 1), 0);
	ktap_result("counters can be captured and are 0");
}

static Qtest *test_migration(Qtest *q)
{
	char file[] = "/tmp/mv88e6xxx-test-XXXXXX";
	int fd = mkstemp(file);

	vtu_load(q, 4095, 2, 0x3210);
	atu_load(q, 3, 0x020000000005, ON(1) | STATIC);
	wr(q, PORT(3), 0x0f, 0xdada);
	phy_write(q, 3, 4, 0x0101);
	CHECK(qom_set(q, QOM_SWITCH, "port1-link", "false"));
	wr(q, G1, G1_VTU_OP, 0x2000 | BUSY);
	q = migrate_and_restart(q, MACHINE, OPTIONS, file);
	/* in the middle of a busy bit */
	CHECK_EQ(rd(q, G1, G1_VTU_OP) & BUSY, BUSY);
	CHECK_EQ(rd(q, G1, G1_VTU_OP) & BUSY, BUSY);
	CHECK_EQ(rd(q, G1, G1_VTU_OP) & BUSY, 0);
	wr(q, G1, G1_VTU_VID, 0x0fff);
	vtu_next_is(q, 4095, 2, 0x3210);
	atu_mac(q, BROADCAST);
	atu_next_is(q, 3, 0x020000000005, ON(1) | STATIC);
	CHECK_EQ(rd(q, PORT(3), 0x0f), 0xdada);
	CHECK_EQ(phy_read(q, 3, 4), 0x0101);
	CHECK_EQ(rd(q, PORT(1), PORT_STS) & STS_LINK, 0);
	op(q, G2, G2_EEPROM_CMD, 0x4000 | 0x21);
	CHECK_EQ(rd(q, G2, G2_EEPROM_DATA), 0xbeef);
	close(fd);
	unlink(file);
	ktap_result("tables, registers and PHYs migrate");
	return q;
}

#define MULTI_ADDR 16

static void test_multi_chip(void)
{
	Qtest *q = qtest_start(MACHINE, "-global mv88e6352.address=16", 0);

	CHECK_EQ(mdio_read(q, 0, G1, 0), 0xffff);
	CHECK_EQ(mdio_read(q, 0, MULTI_ADDR, 2), 0xffff);
	mdio_write(q, 0, MULTI_ADDR, 0, BUSY | 0x1800 | PORT(6) << 5 | PORT_ID);
	CHECK_EQ(mdio_read(q, 0, MULTI_ADDR, 0) & BUSY, 0);
	CHECK_EQ(mdio_read(q, 0, MULTI_ADDR, 1), 0x3521);
	mdio_write(q, 0, MULTI_ADDR, 1, 0x0abc);
	mdio_write(q, 0, MULTI_ADDR, 0, BUSY | 0x1400 | PORT(2) << 5 | 7);
	mdio_write(q, 0, MULTI_ADDR, 1, 0);
	mdio_write(q, 0, MULTI_ADDR, 0, BUSY | 0x1800 | PORT(2) << 5 | 7);
	CHECK_EQ(mdio_read(q, 0, MULTI_ADDR, 1), 0x0abc);
	qtest_stop(q);
	ktap_result("multi-chip addressing: two registers lead to all units");
}

int main(void)
{
	Qtest *q;

	ktap_plan(16);
	q = qtest_start(MACHINE, OPTIONS, 0);
	test_id(q);
	test_reset(q);
	test_vtu(q);
	test_stu(q);
	test_atu(q);
	test_atu_flush(q);
	test_atu_full(q);
	test_phys(q);
	test_phy_interrupt(q);
	test_port_status(q);
	test_tables(q);
	test_eeprom(q);
	test_tai(q);
	test_stats(q);
	q = test_migration(q);
	qtest_stop(q);
	test_multi_chip();
	return ktap_end();
}
