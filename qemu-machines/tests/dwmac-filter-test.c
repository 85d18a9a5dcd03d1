// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The address filter alone, without QEMU: hw/net/dwmac/filter.c is linked in.
 */
#include <stdio.h>
#include <string.h>
#include "dwmac-frame.h"
#include "qtest.h"
#include "../hw/net/dwmac/filter.h"

#define OWN   { 0x02, 0, 0, 0, 0, 1 }
#define OTHER { 0x02, 0, 0, 0, 0, 9 }
#define NEAR  { 0x02, 0, 0, 0, 0x77, 1 }
#define MULTI { 0x01, 0, 0x5e, 0, 0, 1 }
#define GROUP { 0x33, 0x33, 0, 0, 0, 5 }
#define BCAST { 255, 255, 255, 255, 255, 255 }

#define PR   DWMAC_FILTER_PR
#define HUC  DWMAC_FILTER_HUC
#define HMC  DWMAC_FILTER_HMC
#define DAIF DWMAC_FILTER_DAIF
#define PM   DWMAC_FILTER_PM
#define DBF  DWMAC_FILTER_DBF
#define SAF  DWMAC_FILTER_SAF
#define SAIF DWMAC_FILTER_SAIF
#define HPF  DWMAC_FILTER_HPF
#define RA   DWMAC_FILTER_RA
#define VTFE DWMAC_FILTER_VTFE
#define DROP DWMAC_DROP
#define NODA (DWMAC_DROP | DWMAC_DA_FAIL)

/*
 * The registers of every row: slot 0 is OWN, slot 1 is GROUP, slot 2 is what
 * the row says; the hash table holds MULTI and OTHER.
 */
struct row {
	const char *name;
	uint32_t mode;
	uint8_t da[6];
	unsigned want;
	uint32_t slot2_high;	/* with a low word of 0x00000002 */
	uint8_t ether[6];	/* at offset 12, if it is not 88b5 */
	uint32_t vlan;
};

static const struct row rows[] = {
	{ "own address", 0, OWN, 0 },
	{ "other address", 0, OTHER, NODA },
	{ "broadcast", 0, BCAST, 0 },
	{ "broadcast, DBF", DBF, BCAST, NODA },
	{ "promiscuous takes all", PR | DBF, OTHER, 0 },
	{ "multicast in a slot", 0, GROUP, 0 },
	{ "multicast in no slot", 0, MULTI, NODA },
	{ "pass all multicast", PM, MULTI, 0 },
	{ "pass all multicast is not unicast", PM, OTHER, NODA },
	{ "multicast hash", HMC, MULTI, 0 },
	{ "multicast hash ignores slots", HMC, GROUP, NODA },
	{ "multicast hash or perfect", HMC | HPF, GROUP, 0 },
	{ "unicast hash", HUC, OTHER, 0 },
	{ "unicast hash ignores slots", HUC, OWN, NODA },
	{ "unicast hash or perfect", HUC | HPF, OWN, 0 },
	{ "inverse", DAIF, OWN, NODA },
	{ "inverse lets others in", DAIF, OTHER, 0 },
	{ "receive all keeps and tells", RA, OTHER, DWMAC_DA_FAIL },
	{ "receive all, promiscuous", RA | PR, OTHER, 0 },
	{ "masked byte", 0, NEAR, 0, 0x90000100 },
	{ "mask of a slot that is off", 0, NEAR, NODA, 0x10000100 },
	{ "source in a slot", SAF, OWN, 0, 0xc0000200 },
	{ "source in no slot", SAF, OWN, DROP | DWMAC_SA_FAIL, 0xc0000300 },
	{ "source inverse", SAF | SAIF, OWN, DROP | DWMAC_SA_FAIL, 0xc0000200 },
	{ "source told, not dropped", 0, OWN, DWMAC_SA_FAIL, 0xc0000300 },
	{ "a source slot is none for destinations", 0,
	  { 2, 0, 0, 0, 0, 2 }, NODA, 0xc0000200 },
	{ "control frames are dropped", 0, OWN, DROP, 0,
	  { 0x88, 0x08, 0, 1 } },
	{ "control frames, PCF 1, not PAUSE", 0x40, OTHER, DROP, 0,
	  { 0x88, 0x08, 0, 1 } },
	{ "control frames, PCF 1", 0x40, OTHER, 0, 0, { 0x88, 0x08, 0, 2 } },
	{ "control frames, PCF 2", 0x80, OTHER, 0, 0, { 0x88, 0x08, 0, 1 } },
	{ "control frames, PCF 3", 0xc0, OTHER, NODA, 0, { 0x88, 0x08, 0, 1 } },
	{ "vlan register empty", VTFE, OWN, DWMAC_VLAN_HIT, 0,
	  { 0x81, 0, 0, 5 } },
	{ "vlan hit", VTFE, OWN, DWMAC_VLAN_HIT, 0, { 0x81, 0, 0x20, 5 },
	  DWMAC_VLAN_ETV | 5 },
	{ "vlan priority counts without ETV", VTFE, OWN, DROP, 0,
	  { 0x81, 0, 0x20, 5 }, 5 },
	{ "vlan miss", VTFE, OWN, DROP, 0, { 0x81, 0, 0, 6 },
	  DWMAC_VLAN_ETV | 5 },
	{ "vlan miss is told only", 0, OWN, 0, 0, { 0x81, 0, 0, 6 },
	  DWMAC_VLAN_ETV | 5 },
	{ "vlan inverse", VTFE, OWN, DWMAC_VLAN_HIT, 0, { 0x81, 0, 0, 6 },
	  DWMAC_VLAN_ETV | DWMAC_VLAN_VTIM | 5 },
	{ "untagged frames pass a vlan filter", VTFE, OWN, 0, 0, { 0 },
	  DWMAC_VLAN_ETV | 5 },
	{ "802.1ad is no vlan", 0, OWN, 0, 0, { 0x88, 0xa8, 0, 5 } },
	{ "802.1ad with ESVL", 0, OWN, DWMAC_VLAN_HIT, 0,
	  { 0x88, 0xa8, 0, 5 }, DWMAC_VLAN_ESVL },
};

#define ROWS (sizeof(rows) / sizeof(rows[0]))

/* As the kernel does it: the reversed CRC of the address, upper bits. */
static unsigned hash_of(const uint8_t *a, unsigned log2)
{
	uint32_t crc = frame_crc(a, 6), rev = 0;

	for (int i = 0; i < 32; i++)
		rev |= (crc >> i & 1) << (31 - i);
	return rev >> (32 - log2);
}

static unsigned judge(const struct row *r)
{
	static const uint8_t multi[] = MULTI, other[] = OTHER;
	uint32_t high[3] = { 0x80000100, 0x80000500, r->slot2_high };
	uint32_t low[3] = { 0x00000002, 0x00003333, 0x00000002 };
	uint32_t hash[2] = { 0 };
	DwmacFilter flt = {
		.mode = r->mode, .vlan = r->vlan, .slots = 3, .hash_bits = 64,
		.high = { &high[0], &high[1], &high[2] },
		.low = { &low[0], &low[1], &low[2] },
		.hash = { &hash[0], &hash[1] },
	};
	struct frame_spec spec = { .payload = 50 };
	struct frame f;

	hash[hash_of(multi, 6) / 32] |= 1u << hash_of(multi, 6) % 32;
	hash[hash_of(other, 6) / 32] |= 1u << hash_of(other, 6) % 32;
	frame_build(&f, &spec);
	memcpy(f.data, r->da, 6);
	if (r->ether[0])
		memcpy(f.data + 12, r->ether, 6);
	return dwmac_filter(&flt, f.data, f.len);
}

static void test_hash(void)
{
	for (unsigned log2 = 6; log2 <= 8; log2++) {
		for (unsigned i = 0; i < 1000; i++) {
			uint8_t a[6] = { i, i >> 8, 3 * i, 7, i * i, 11 };

			CHECK_EQ(dwmac_hash_index(a, 1 << log2),
				 hash_of(a, log2));
		}
	}
	ktap_result("filter: hash of an address, 64 to 256 bits");
}

int main(void)
{
	char name[128];

	ktap_plan(ROWS + 1);
	for (unsigned i = 0; i < ROWS; i++) {
		CHECK_EQ(judge(&rows[i]), rows[i].want);
		snprintf(name, sizeof(name), "filter: %s", rows[i].name);
		ktap_result(name);
	}
	test_hash();
	return ktap_end();
}
