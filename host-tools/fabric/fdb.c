// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The fabric's address table: buckets of a few entries each, chosen by a hash
 * of group, address and VID.  What has aged is not removed: it is passed over,
 * and its entry is the first to be used again.  In a full bucket the oldest
 * learnt address makes room; a static one never does.
 */
#include "fdb.h"

struct key {
	uint64_t mac;		/* 48 bits */
	uint16_t vid;
	uint8_t group;
};

static struct key make_key(unsigned int group, const uint8_t mac[6], uint16_t vid)
{
	struct key k = { .vid = vid, .group = group };
	unsigned int i;

	for (i = 0; i < 6; i++)
		k.mac = k.mac << 8 | mac[i];
	return k;
}

/* Fibonacci hashing: the top bits of a product with 2^64 over the golden ratio. */
static struct fabric_entry *bucket(const struct fabric *fab, const struct key *k)
{
	uint64_t h = (k->mac ^ (uint64_t)k->vid << 48 ^ (uint64_t)k->group << 60) *
		     0x9e3779b97f4a7c15ull;

	return (struct fabric_entry *)fab->fdb[(h >> 32) % FABRIC_BUCKETS];
}

static bool is_key(const struct fabric_entry *e, unsigned int group, const uint8_t mac[6],
		   uint16_t vid)
{
	return e->ports && e->group == group && e->vid == vid && !memcmp(e->mac, mac, 6);
}

static struct fabric_entry *find(const struct fabric *fab, unsigned int group,
				 const uint8_t mac[6], uint16_t vid)
{
	struct key k = make_key(group, mac, vid);
	struct fabric_entry *e = bucket(fab, &k);
	unsigned int i;

	for (i = 0; i < FABRIC_WAYS; i++)
		if (is_key(&e[i], group, mac, vid))
			return &e[i];
	return NULL;
}

static bool aged(const struct fabric *fab, const struct fabric_entry *e, uint64_t now)
{
	return !e->is_static && fab->ageing_ns && now > e->seen &&
	       now - e->seen > fab->ageing_ns;
}

/* A free entry, or else the learnt one that was not seen for longest; NULL: none. */
static struct fabric_entry *claim(struct fabric *fab, const struct key *k, uint64_t now)
{
	struct fabric_entry *e = bucket(fab, k), *oldest = NULL;
	unsigned int i;

	for (i = 0; i < FABRIC_WAYS; i++) {
		if (!e[i].ports || aged(fab, &e[i], now))
			return &e[i];
		if (!e[i].is_static && (!oldest || e[i].seen < oldest->seen))
			oldest = &e[i];
	}
	if (oldest)
		fab->evicted++;
	return oldest;
}

void fabric_fdb_learn(struct fabric *fab, unsigned int group, const uint8_t mac[6],
		      uint16_t vid, unsigned int port, uint64_t now)
{
	struct fabric_entry *e = find(fab, group, mac, vid);
	struct key k;

	if (e && e->is_static)
		return;
	if (e && !aged(fab, e, now)) {
		if (e->ports != 1u << port)
			fab->moved++;
	} else {
		k = make_key(group, mac, vid);
		if (!e)
			e = claim(fab, &k, now);
		if (!e)
			return;
		fab->learnt++;
	}
	*e = (struct fabric_entry) {
		.seen = now, .vid = vid, .ports = 1u << port, .group = group,
	};
	memcpy(e->mac, mac, 6);
}

int fabric_fdb_set(struct fabric *fab, unsigned int group, const uint8_t mac[6],
		   uint16_t vid, uint32_t ports)
{
	struct fabric_entry *e = find(fab, group, mac, vid);
	struct key k = make_key(group, mac, vid);

	if (!e && !ports)
		return 0;
	if (!e)
		e = claim(fab, &k, UINT64_MAX);
	if (!e)
		return -ENOSPC;
	*e = (struct fabric_entry) {
		.vid = vid, .ports = ports, .group = group, .is_static = true,
	};
	memcpy(e->mac, mac, 6);
	return 0;
}

uint32_t fabric_fdb_get(const struct fabric *fab, unsigned int group,
			const uint8_t mac[6], uint16_t vid, uint64_t now)
{
	const struct fabric_entry *e = find(fab, group, mac, vid);

	return e && !aged(fab, e, now) ? e->ports : 0;
}

void fabric_fdb_flush(struct fabric *fab, uint32_t ports)
{
	struct fabric_entry *e;
	unsigned int i;

	for (i = 0; i < FABRIC_BUCKETS * FABRIC_WAYS; i++) {
		e = &fab->fdb[i / FABRIC_WAYS][i % FABRIC_WAYS];
		if (!e->is_static && e->ports & ports)
			e->ports = 0;
	}
}
