// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The MACs as PCI devices, on a board that knows nothing of them.
 *
 *	QEMU's virt, plain
 *	    |
 *	  pcie.0 -- slot 1: dwmac-*-pci, BAR 0 at BAR, wire 0
 *
 * What a MAC does behind the bus is tested where it is a platform device; here
 * is what the bus adds: identity, window, interrupt pin, bus mastering, a PHY
 * that comes along, and state that migrates.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "dwmac-frame.h"
#include "dwmac-gmac.h"

#define MACHINE "virt,highmem=off"
#define CONFIG  (0x3f000000 + (1 << 15))	/* bus 0, slot 1 */
#define BAR     0x10000000

#define PCI_COMMAND   0x04
#define CMD_MEMORY    (1u << 1)
#define CMD_MASTER    (1u << 2)
#define STATUS_INTX   (1u << 19)	/* in the same word */
#define PCI_CLASS     0x08
#define PCI_BAR0      0x10
#define PCI_PIN       0x3c

#define GMAC "-device dwmac-gmac-pci,netdev=w0"
#define QOS  "-device dwmac-qos-pci,netdev=w0"

static void start(struct mac *m, const char *options)
{
	*m = (struct mac){ .q = qtest_start(MACHINE, options, 1), .base = BAR };
}

static void enable(struct mac *m, uint32_t command)
{
	qtest_writel(m->q, CONFIG + PCI_BAR0, BAR);
	qtest_writel(m->q, CONFIG + PCI_COMMAND, command);
}

static void identity(const char *options, uint32_t id)
{
	struct mac m;

	start(&m, options);
	CHECK_EQ(qtest_readl(m.q, CONFIG), id);
	CHECK_EQ(qtest_readl(m.q, CONFIG + PCI_CLASS) >> 8, 0x020000);
	CHECK_EQ(qtest_readl(m.q, CONFIG + PCI_PIN) >> 8 & 0xff, 1);
	/* memory, 32 bits, not prefetchable, 64 KiB */
	qtest_writel(m.q, CONFIG + PCI_BAR0, 0xffffffff);
	CHECK_EQ(qtest_readl(m.q, CONFIG + PCI_BAR0), 0xffff0000);
	qtest_stop(m.q);
}

static void test_gmac_identity(void)
{
	identity(GMAC, 0x11080700);
}

static void test_qos_identity(void)
{
	identity(QOS, 0x710216c3);
}

/* A frame goes out, and the pin is up until its status is cleared. */
static void test_gmac_tx(void)
{
	struct frame f;
	uint8_t got[FRAME_MAX];
	struct mac m;

	frame_build(&f, &(struct frame_spec){ .ip = IP_V4, .payload = 300 });
	start(&m, GMAC);
	enable(&m, CMD_MEMORY | CMD_MASTER);
	CHECK_EQ(rd(&m, 0x20), 0x1037);
	mac_reset(&m);
	mac_start(&m, 0);
	mac_tx(&m, f.data, f.len, TX_IC);
	CHECK_EQ(wire_recv(m.q, 0, got, sizeof(got), 0), f.len);
	CHECK(!memcmp(got, f.data, f.len));
	CHECK_EQ(qtest_readl(m.q, CONFIG + PCI_COMMAND) & STATUS_INTX, STATUS_INTX);
	wr(&m, DMA_STATUS, ST_TI | ST_TU | ST_NIS);
	CHECK_EQ(qtest_readl(m.q, CONFIG + PCI_COMMAND) & STATUS_INTX, 0);
	qtest_stop(m.q);
}

/* Without bus mastering it reaches no descriptor: that is a bus error. */
static void test_gmac_no_master(void)
{
	struct frame f;
	uint8_t got[FRAME_MAX];
	struct mac m;

	frame_build(&f, &(struct frame_spec){ .ip = IP_V4, .payload = 300 });
	start(&m, GMAC);
	enable(&m, CMD_MEMORY);
	mac_reset(&m);
	mac_start(&m, 0);
	mac_tx(&m, f.data, f.len, TX_IC);
	CHECK_EQ(wire_recv(m.q, 0, got, sizeof(got), 0), 0);
	CHECK_EQ(rd(&m, DMA_STATUS) & ST_FBI, ST_FBI);
	CHECK_EQ(tx_word(&m, 0, 0) & TX_OWN, TX_OWN);
	qtest_stop(m.q);
}

/* PHY register @reg of address @phy, through GMAC's station management. */
static uint32_t gmac_phy(struct mac *m, unsigned phy, unsigned reg)
{
	wr(m, 0x10, phy << 11 | reg << 6 | 1);
	CHECK_EQ(rd(m, 0x10) & 1, 0);
	return rd(m, 0x14);
}

static void test_phy(void)
{
	struct mac m;

	start(&m, GMAC);
	enable(&m, CMD_MEMORY);
	CHECK(gmac_phy(&m, 0, 2) != 0xffff);
	CHECK_EQ(gmac_phy(&m, 5, 2), 0xffff);
	qtest_stop(m.q);

	start(&m, GMAC ",phy-address=5");
	enable(&m, CMD_MEMORY);
	CHECK_EQ(gmac_phy(&m, 0, 2), 0xffff);
	CHECK(gmac_phy(&m, 5, 2) != 0xffff);
	qtest_stop(m.q);

	start(&m, GMAC ",phy=off");
	enable(&m, CMD_MEMORY);
	CHECK_EQ(gmac_phy(&m, 0, 2), 0xffff);
	qtest_stop(m.q);
}

/* Four queues each way, as Linux uses them, unless the user says otherwise. */
static void test_qos_queues(void)
{
	struct mac m;

	start(&m, QOS);
	enable(&m, CMD_MEMORY);
	CHECK_EQ(rd(&m, 0x110), 0x1051);
	CHECK_EQ(rd(&m, 0x124) & 0x3cf, 3 << 6 | 3);
	qtest_stop(m.q);

	start(&m, QOS ",tx-queues=2,rx-queues=1");
	enable(&m, CMD_MEMORY);
	CHECK_EQ(rd(&m, 0x124) & 0x3cf, 1 << 6 | 0);
	qtest_stop(m.q);
}

/* Registers, BAR and a pin that is up come through. */
static void migrates(const char *options, uint32_t reg, uint32_t value)
{
	char path[] = "/tmp/pci-test-XXXXXX", incoming[128];
	int fd = mkstemp(path);
	struct mac m;

	CHECK(fd >= 0);
	close(fd);
	start(&m, options);
	enable(&m, CMD_MEMORY | CMD_MASTER);
	wr(&m, reg, value);
	qtest_save(m.q, path);
	qtest_stop(m.q);
	snprintf(incoming, sizeof(incoming), "%s -incoming defer", options);
	start(&m, incoming);
	qtest_load(m.q, path);
	unlink(path);
	CHECK_EQ(qtest_readl(m.q, CONFIG + PCI_BAR0), BAR);
	CHECK_EQ(rd(&m, reg), value);
	qtest_stop(m.q);
}

static void test_gmac_migrate(void)
{
	migrates(GMAC, 0x44, 0x12345678);
}

static void test_qos_migrate(void)
{
	migrates(QOS, 0x304, 0x12345678);
}

static const struct {
	const char *name;
	void (*fn)(void);
} tests[] = {
	{ "GMAC: what the bus sees", test_gmac_identity },
	{ "GMAC: a frame out, and the pin", test_gmac_tx },
	{ "GMAC: no bus mastering is a bus error", test_gmac_no_master },
	{ "GMAC: a PHY of its own, elsewhere, or none", test_phy },
	{ "GMAC: state migrates", test_gmac_migrate },
	{ "QoS: what the bus sees", test_qos_identity },
	{ "QoS: four queues, or as many as asked for", test_qos_queues },
	{ "QoS: state migrates", test_qos_migrate },
};

#define TESTS (sizeof(tests) / sizeof(tests[0]))

int main(void)
{
	char name[96];

	ktap_plan(TESTS);
	for (unsigned i = 0; i < TESTS; i++) {
		tests[i].fn();
		snprintf(name, sizeof(name), "PCI: %s", tests[i].name);
		ktap_result(name);
	}
	return ktap_end();
}
