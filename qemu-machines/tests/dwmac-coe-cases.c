// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Every kind of frame that a checksum engine may meet: see dwmac-coe-cases.h.
 */
#include <stdio.h>
#include <string.h>
#include "dwmac-coe-cases.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const struct {
	const char *name;
	uint8_t bytes[8];
	uint8_t len;
	bool seen;	/* one 802.1Q tag is all that an engine looks behind */
} tags[COE_TAGS] = {
	[TAG_NONE] = { "untagged", { 0 }, 0, true },
	[TAG_VLAN] = { "VLAN", { 0x81, 0x00, 0x20, 0x05 }, 4, true },
	[TAG_QINQ] = { "QinQ", { 0x88, 0xa8, 0, 1, 0x81, 0x00, 0, 5 }, 8 },
	[TAG_TWO_VLAN] = { "two VLAN tags", { 0x81, 0x00, 0, 1, 0x81, 0x00, 0, 5 }, 8 },
	[TAG_EDSA] = { "EDSA", { 0xda, 0xda, 0, 0, 0x40, 0x08, 0, 0 }, 8 },
	[TAG_DSA] = { "DSA", { 0x00, 0x08, 0, 0 }, 4 },
	[TAG_A5PSW] = { "a5psw", { 0xe0, 0x01, 0, 0, 0, 0, 0, 0 }, 8 },
};

/* IPv6 has another number for its ICMP. */
static const struct {
	const char *name;
	uint8_t v4, v6, coe;
} protos[] = {
	{ "udp", 17, 17, 1 }, { "tcp", 6, 6, 2 }, { "icmp", 1, 58, 3 },
};

static const struct {
	const char *name;
	enum frame_ip only;	/* IP_NONE: both */
	bool fragment, bypass;
	uint8_t options;
	int ext[3];
} shapes[] = {
	{ "plain", IP_NONE, false, false, 0, { 0 } },
	{ "options", IP_V4, false, false, 12, { 0 } },
	{ "fragment", IP_V4, true, true, 0, { 0 } },
	{ "extension headers", IP_V6, false, false, 0, { -1, 60 } },
	{ "fragment", IP_V6, false, true, 0, { 44 } },
	{ "routing header", IP_V6, false, true, 0, { 43 } },
};

static const struct {
	const char *name;
	bool ip, l4;
} faults[] = {
	{ "good", false, false }, { "wrong checksum", false, true },
	{ "wrong header", true, false }, { "both wrong", true, true },
};

#define CASES (2 * COUNT(protos) * COUNT(shapes) * COUNT(faults) * COE_TAGS)

/* The remainder by @n, of what is left of @at. */
static unsigned digit(unsigned *at, unsigned n)
{
	unsigned d = *at % n;

	*at /= n;
	return d;
}

/* False if there is no such thing: IPv6 has no header checksum, and so on. */
static bool build(struct coe_case *c, unsigned at)
{
	enum frame_ip ip = digit(&at, 2) ? IP_V6 : IP_V4;
	unsigned p = digit(&at, COUNT(protos)), s = digit(&at, COUNT(shapes));
	unsigned f = digit(&at, COUNT(faults)), t = digit(&at, COE_TAGS);

	if ((shapes[s].only && shapes[s].only != ip) || (ip == IP_V6 && faults[f].ip))
		return false;
	*c = (struct coe_case){
		.spec = {
			.ip = ip,
			.proto = ip == IP_V4 ? protos[p].v4 : protos[p].v6,
			.payload = 71 + p,
			.tag_len = tags[t].len,
			.options = shapes[s].options,
			.fragment = shapes[s].fragment,
			.bad_ip = faults[f].ip,
			.bad_l4 = faults[f].l4,
		},
		.tag = t,
		.seen = tags[t].seen,
		.bypass = tags[t].seen && shapes[s].bypass,
		.hdr_err = tags[t].seen && faults[f].ip,
		.pay_err = tags[t].seen && faults[f].l4 && !shapes[s].bypass,
		.proto = tags[t].seen && !shapes[s].bypass ? protos[p].coe : 0,
	};
	memcpy(c->spec.tag, tags[t].bytes, sizeof(tags[t].bytes));
	memcpy(c->spec.ext, shapes[s].ext, sizeof(c->spec.ext));
	return true;
}

bool coe_next(struct coe_case *c, unsigned *at)
{
	while (*at < CASES)
		if (build(c, (*at)++))
			return true;
	return false;
}

const char *coe_name(const struct coe_case *c)
{
	static char name[160];

	snprintf(name, sizeof(name), "IPv%u, protocol %u, %u bytes of options, first extension %d, "
		 "%s%s%s%s", c->spec.ip == IP_V4 ? 4 : 6, c->spec.proto, c->spec.options,
		 c->spec.ext[0], c->spec.fragment ? "fragment, " : "",
		 c->spec.bad_ip ? "wrong header, " : "", c->spec.bad_l4 ? "wrong checksum, " : "",
		 tags[c->tag].name);
	return name;
}

bool coe_sent(const struct coe_case *c, unsigned cic, struct frame *from, struct frame *to)
{
	if (c->spec.bad_ip || c->spec.bad_l4)
		return false;
	frame_build(to, &c->spec);
	*from = *to;
	frame_blank_csums(from);
	if (cic == 2) {
		from->data[from->csum] = from->pseudo >> 8;
		from->data[from->csum + 1] = from->pseudo;
	}
	/* what the engine does not look at leaves as it came */
	if (!c->seen)
		*to = *from;
	else if (c->bypass)
		memcpy(to->data + to->csum, from->data + to->csum, 2);
	return true;
}

/* A packet counts once by its header and, that being right, by layer 4. */
static void count_case(const struct coe_case *c, unsigned count[IPC_COUNTERS])
{
	static const uint8_t l4[] = { [1] = IPC_UDP_GOOD, [2] = IPC_TCP_GOOD, [3] = IPC_ICMP_GOOD };
	bool v4 = c->spec.ip == IP_V4;

	if (!c->seen)
		return;
	if (c->hdr_err) {
		count[IPC_IPV4_HEADER]++;
	} else if (c->bypass) {
		count[v4 ? IPC_IPV4_FRAGMENT : IPC_IPV6_OTHER]++;
	} else {
		count[v4 ? IPC_IPV4_GOOD : IPC_IPV6_GOOD]++;
		count[l4[c->proto] + c->pay_err]++;
	}
}

unsigned coe_counters(unsigned count[IPC_COUNTERS])
{
	struct coe_case c;
	unsigned n = 0;

	memset(count, 0, IPC_COUNTERS * sizeof(count[0]));
	for (unsigned at = 0; coe_next(&c, &at); n++)
		count_case(&c, count);
	return n;
}
