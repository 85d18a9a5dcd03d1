// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Patterns: see pattern.h.  A field is a row of the table below: its word, the
 * values that it may have, and how a frame's verdict gives it.
 */
#include "pattern.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#define NO_VALUE (-1L)	/* the frame has no such field */

struct seen {
	const struct verdict *v;
	size_t len;
};

#define GETTER(name, expr) \
	static long get_##name(const struct seen *s) { return (expr); }

GETTER(ethertype, s->v->ethertype)
GETTER(sport, s->v->ports ? s->v->sport : NO_VALUE)
GETTER(dport, s->v->ports ? s->v->dport : NO_VALUE)
GETTER(len, s->v->l4_offset ? (long)s->v->payload_len : NO_VALUE)
GETTER(frame, (long)s->len)
GETTER(padding, (long)s->v->padding)
GETTER(vlan, s->v->vlans ? s->v->vlan[0].tci & 0xfff : NO_VALUE)
GETTER(pcp, s->v->vlans ? s->v->vlan[0].tci >> 13 : NO_VALUE)
GETTER(vlans, s->v->vlans)
GETTER(type, s->v->l4_offset ? s->v->icmp_type : NO_VALUE)
GETTER(proto, s->v->ip_version ? s->v->proto : NO_VALUE)
GETTER(ip, s->v->ip_version)
GETTER(fragment, s->v->fragment)

/* A word that is a condition by itself: "udp" is proto 17. */
struct alias {
	const char *word;
	const char *field;
	unsigned long value;
};

static const struct alias aliases[] = {
	{ "icmp", "proto", 1 },		{ "tcp", "proto", 6 },
	{ "udp", "proto", 17 },		{ "icmp6", "proto", 58 },
	{ "sctp", "proto", 132 },	{ "udplite", "proto", 136 },
	{ "arp", "ethertype", 0x806 },	{ "ip4", "ip", 4 },
	{ "ip6", "ip", 6 },		{ "untagged", "vlans", 0 },
	{ "fragment", "fragment", 1 },
};

static const struct field {
	const char *word;
	unsigned long max;
	long (*get)(const struct seen *s);	/* NULL: an address */
	bool source;				/* of an address */
} fields[] = {
	{ "ethertype", 0xffff, get_ethertype, false },
	{ "sport", 0xffff, get_sport, false },
	{ "dport", 0xffff, get_dport, false },
	{ "len", 0xffff, get_len, false },
	{ "frame", 0xffff, get_frame, false },
	{ "padding", 0xffff, get_padding, false },
	{ "vlan", 4095, get_vlan, false },
	{ "pcp", 7, get_pcp, false },
	{ "vlans", JUDGE_VLANS, get_vlans, false },
	{ "type", 255, get_type, false },
	{ "proto", 255, get_proto, false },
	{ "ip", 6, get_ip, false },
	{ "fragment", 1, get_fragment, false },
	{ "src", 0, NULL, true },
	{ "dst", 0, NULL, false },
};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const struct want {
	const char *word;
	const char *text;
} wants[] = {
	[WANT_ANY] = { "any", "anything" },
	[WANT_GOOD] = { "good", "right" },
	[WANT_BAD] = { "bad", "wrong" },
	[WANT_PSEUDO] = { "pseudo", "pseudo-header sum only" },
	[WANT_ZERO] = { "zero", "zero" },
	[WANT_TAIL] = { "tail", "bytes behind the datagram summed in" },
	[WANT_OFF] = { "off", "off" },
	[WANT_NONE] = { "none", "absent" },
};
_Static_assert(COUNT(wants) == WANT_COUNT, "a word for each wish");

const char *csum_want_text(enum csum_want w)
{
	return wants[w].text;
}

static int find_field(const char *word)
{
	size_t i;

	for (i = 0; i < COUNT(fields); i++) {
		if (!strcmp(fields[i].word, word))
			return (int)i;
	}
	return -ENOENT;
}

static int take_want(enum csum_want *want, struct cursor *c)
{
	size_t i;

	cursor_word(c);
	for (i = 0; i < WANT_COUNT; i++) {
		if (!strcmp(wants[i].word, c->word)) {
			*want = (enum csum_want)i;
			return 1;
		}
	}
	return cursor_expected(c, "any, good, bad, pseudo, zero, tail, off or none");
}

static int take_address(struct pattern_condition *k, struct cursor *c)
{
	cursor_word(c);
	if (inet_pton(AF_INET, c->word, k->addr) == 1)
		return 1;
	k->v6 = true;
	if (inet_pton(AF_INET6, c->word, k->addr) == 1)
		return 1;
	return cursor_expected(c, "an IPv4 or IPv6 address");
}

static int take_value(struct pattern_condition *k, struct cursor *c)
{
	const struct field *f = &fields[k->field];

	if (!f->get)
		return take_address(k, c);
	return cursor_range(c, f->word, f->max, &k->lo, &k->hi) ?: 1;
}

static struct pattern_condition *new_condition(struct pattern *p, const char *field)
{
	struct pattern_condition *k = &p->condition[p->count];
	int i = find_field(field);

	if (i < 0)
		return NULL;
	memset(k, 0, sizeof(*k));
	k->field = (unsigned int)i;
	return k;
}

static const struct alias *find_alias(const char *word)
{
	size_t i;

	for (i = 0; i < COUNT(aliases); i++) {
		if (!strcmp(aliases[i].word, word))
			return &aliases[i];
	}
	return NULL;
}

int pattern_term(struct pattern *p, struct cursor *c)
{
	struct pattern_condition *k;
	const struct alias *alias;
	int n;

	if (!cursor_word(c))
		return 0;
	if (!strcmp(c->word, "csum"))
		return take_want(&p->csum, c);
	if (!strcmp(c->word, "ipcsum"))
		return take_want(&p->ip_csum, c);
	if (p->count == PATTERN_CONDITIONS)
		return cursor_error(c, "expected at most %d conditions, found one more: '%s'",
				    PATTERN_CONDITIONS, c->word);
	alias = find_alias(c->word);
	k = new_condition(p, alias ? alias->field : c->word);
	if (!k) {
		cursor_back(c);
		return 0;
	}
	k->lo = k->hi = alias ? alias->value : 0;
	n = alias ? 1 : take_value(k, c);
	p->count += n == 1;
	return n;
}

static bool address_matches(const struct pattern_condition *k, const struct verdict *v)
{
	const uint8_t *addr = fields[k->field].source ? v->src : v->dst;

	if (v->ip_version != (k->v6 ? 6 : 4))
		return false;
	return !memcmp(addr, k->addr, k->v6 ? 16 : 4);
}

bool pattern_matches(const struct pattern *p, const struct verdict *v, size_t frame_len)
{
	struct seen seen = { v, frame_len };
	unsigned int i;

	for (i = 0; i < p->count; i++) {
		const struct pattern_condition *k = &p->condition[i];
		const struct field *f = &fields[k->field];
		long value;

		if (!f->get) {
			if (!address_matches(k, v))
				return false;
			continue;
		}
		value = f->get(&seen);
		if (value == NO_VALUE || (unsigned long)value < k->lo ||
		    (unsigned long)value > k->hi)
			return false;
	}
	return true;
}

/* What a checksum is, as the wish that it would fulfil. */
static enum csum_want what_is(const struct csum_verdict *c)
{
	static const enum csum_want by_kind[] = {
		[CSUM_KIND_NONE] = WANT_OFF, [CSUM_PSEUDO_ONLY] = WANT_PSEUDO,
		[CSUM_ZERO] = WANT_ZERO, [CSUM_TAIL_SUMMED] = WANT_TAIL,
		[CSUM_OFF] = WANT_OFF,
	};

	switch (c->state) {
	case CSUM_RIGHT:
		return WANT_GOOD;
	case CSUM_WRONG:
		return by_kind[c->kind];
	case CSUM_NONE:
	case CSUM_ABSENT:
	case CSUM_NOT_CHECKABLE:
		return WANT_NONE;
	}
	return WANT_NONE;
}

static bool want_holds(enum csum_want want, const struct csum_verdict *c)
{
	enum csum_want is = what_is(c);

	if (want == WANT_ANY)
		return true;
	if (want == WANT_BAD)
		return c->state == CSUM_WRONG;
	/* also where the two happen to be the same number, and it is right */
	if (want == WANT_PSEUDO)
		return c->pseudo;
	return is == want;
}

bool pattern_holds(const struct pattern *p, const struct verdict *v, const char **got)
{
	const struct csum_verdict *wrong = &v->l4;
	bool l4 = want_holds(p->csum, &v->l4), ip = want_holds(p->ip_csum, &v->ip);

	if (l4 && !ip)
		wrong = &v->ip;
	if (got)
		*got = csum_want_text(what_is(wrong));
	return l4 && ip;
}
