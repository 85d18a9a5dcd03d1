// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads frame descriptions.
 *
 * A description is a protocol word, the two ends if they are given, and
 * options in any order; each option is a row of a table with its own function.
 * What can only be known at the end (do the lengths fit, has the tag such a
 * field) is checked by finish(), and still blamed on the word that it is about.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "net/desc_internal.h"
#include "tag/format.h"

#define WORD	128
#define IP_MAX	65535

/* A field of the tag that is asked for before the tag may be known. */
struct poke_word {
	char name[48];
	uint64_t value;
	unsigned int column;
};

struct parse {
	struct desc *d;
	struct desc_error *error;
	const char *file, *text, *at;
	unsigned int line, base;	/* column of .text */
	unsigned int column;		/* of .word */
	char word[WORD];
	bool end_given[2];		/* source, destination */
	uint8_t version;		/* that something implied; 0: nothing yet */
	unsigned int last_vlan;		/* + 1 */
	unsigned int tag_column, raw_column;
	unsigned int pokes;
	struct poke_word poke[DESC_POKES];
};

struct option {
	const char *word;
	int (*parse)(struct parse *p, const struct option *o);
	int arg;
};

const struct desc_proto desc_protos[] = {
	{ "udp", IPPROTO_UDP, 8, 6, true, true, false },
	{ "tcp", IPPROTO_TCP, 20, 16, true, true, false },
	{ "udplite", IPPROTO_UDPLITE, 8, 6, true, true, false },
	{ "icmp", IPPROTO_ICMP, 8, 2, false, false, false },
	{ "icmp6", IPPROTO_ICMPV6, 8, 2, true, false, true },
	{ "sctp", IPPROTO_SCTP, 28, 8, false, true, false },
	{ "ip", 0, 0, -1, false, false, false },
	{ "eth", -1, 0, -1, false, false, false },
	{ "arp", -1, 28, -1, false, false, false },
	{ NULL, 0, 0, 0, false, false, false },
};

/* Smallest, largest and default value of each field. */
static const struct limit {
	int64_t lo, hi, def;
} limits[F_COUNT] = {
	[F_SPORT] = { 0, 65535, 7 },
	[F_DPORT] = { 0, 65535, 9 },
	[F_LEN] = { 0, FRAME_MAX, 32 },
	[F_FRAME] = { 14, FRAME_MAX, 0 },
	[F_TTL] = { 0, 255, 64 },
	[F_TOS] = { 0, 255, 0 },
	[F_IPID] = { 0, 65535, 0 },
	[F_PROTO] = { 0, 255, 253 },	/* RFC 3692: for experiments */
	[F_ETHERTYPE] = { 0, 65535, 0x88b5 },	/* IEEE: likewise */
	[F_FRAGOFF] = { 0, 65528, 0 },
	[F_SEQ] = { 0, UINT32_MAX, 1 },
	[F_ACK] = { 0, UINT32_MAX, 1 },
	[F_WIN] = { 0, 65535, 8192 },
	[F_TYPE] = { 0, 255, 8 },
	[F_CODE] = { 0, 255, 0 },
	[F_ID] = { 0, 65535, 1 },
	[F_COVER] = { 0, 65535, 0 },
	[F_PPPOE] = { 0, 65535, 1 },
	[F_TRAIL] = { 0, 1024, 0 },
	[F_PORT] = { 0, 31, 0 },
	[F_PORTS] = { 0, UINT32_MAX, 0 },
	[F_DEVICE] = { 0, 255, 0 },
	[F_PRIO] = { 0, 7, 0 },
	[F_BRIDGE] = { 0, 255, 0 },
	[F_VID ... F_VID + DESC_VLANS - 1] = { 0, 4095, 0 },
	[F_PCP ... F_PCP + DESC_VLANS - 1] = { 0, 7, 0 },
	[F_DEI ... F_DEI + DESC_VLANS - 1] = { 0, 1, 0 },
};

/* --- errors and words ---------------------------------------------------- */

static __attribute__((format(printf, 3, 4)))
int error_at(struct parse *p, unsigned int column, const char *fmt, ...)
{
	va_list ap;
	int n;

	n = snprintf(p->error->text, sizeof(p->error->text), "%.200s:%u:%u: ",
		     p->file, p->line, column);
	va_start(ap, fmt);
	vsnprintf(p->error->text + n, sizeof(p->error->text) - n, fmt, ap);
	va_end(ap);
	return -EINVAL;
}

/* "expected @what, found" the word at hand, or the end of the line. */
static int expected(struct parse *p, const char *what)
{
	if (!p->word[0])
		return error_at(p, p->column,
				"expected %s, found the end of the line", what);
	return error_at(p, p->column, "expected %s, found '%s'", what, p->word);
}

static const char *skip_blanks(const char *s)
{
	return s + strspn(s, " \t\r\n");
}

/*
 * Takes the next word; "" at the end of the line or where a comment begins.
 * A word that is too long is cut, and fits nothing that anybody expects.
 */
static const char *word(struct parse *p)
{
	size_t len;

	p->at = skip_blanks(p->at);
	p->column = p->base + (p->at - p->text);
	len = *p->at == '#' ? 0 : strcspn(p->at, " \t\r\n");
	p->at += len;
	snprintf(p->word, sizeof(p->word), "%.*s", (int)(len < WORD ? len : WORD),
		 p->at - len);
	return p->word;
}

/* The next word is looked at and stays. */
static const char *peek(const struct parse *p, size_t *len)
{
	const char *s = skip_blanks(p->at);

	*len = *s == '#' ? 0 : strcspn(s, " \t\r\n");
	return s;
}

/* --- numbers ------------------------------------------------------------- */

/* Decimal or 0x; ends where @end says.  False if there is no number. */
static bool number(const char *s, const char **end, int64_t *value)
{
	bool hex = s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
	unsigned long long x;
	char *stop;

	if (s[0] < '0' || s[0] > '9')
		return false;
	errno = 0;
	x = strtoull(s, &stop, hex ? 16 : 10);
	if (errno || x > INT64_MAX)
		return false;
	*value = x;
	*end = stop;
	return true;
}

/* "A", "A..B", "A..B/STEP", "A..B/random"; whole word. */
static bool range(const char *s, struct desc_range *r)
{
	r->step = 1;
	r->random = false;
	if (!number(s, &s, &r->lo))
		return false;
	r->hi = r->lo;
	if (!*s)
		return true;
	if (strncmp(s, "..", 2) != 0 || !number(s + 2, &s, &r->hi) || r->hi < r->lo)
		return false;
	if (!strcmp(s, "/random")) {
		r->random = true;
		return true;
	}
	if (*s == '/' && (!number(s + 1, &s, &r->step) || !r->step))
		return false;
	return !*s;
}

/* A sweep is one however small: it may be given for a field only once. */
static int set_range(struct parse *p, const char *name, unsigned int field)
{
	struct desc *d = p->d;
	const struct limit *l = &limits[field];
	struct desc_range r = { 0 };
	char what[96];

	snprintf(what, sizeof(what), "%s: a number (or A..B, A..B/STEP, A..B/random) from %lld to %lld",
		 name, (long long)l->lo, (long long)l->hi);
	word(p);
	if (!range(p->word, &r) || r.lo < l->lo || r.hi > l->hi)
		return expected(p, what);
	if (d->range[field].given)
		return error_at(p, p->column, "expected %s once, found it again", name);
	r.given = true;
	r.column = p->column;
	d->range[field] = r;
	if (r.lo != r.hi)
		d->sweep[d->sweeps++] = field;
	return 0;
}

static int parse_range(struct parse *p, const struct option *o)
{
	return set_range(p, o->word, o->arg);
}

static int plain_number(struct parse *p, const char *what, int64_t lo,
			int64_t hi, int64_t *value)
{
	const char *end;

	word(p);
	if (!number(p->word, &end, value) || *end || *value < lo || *value > hi)
		return expected(p, what);
	return 0;
}

static int parse_count(struct parse *p, const struct option *o)
{
	int64_t n;
	int err;

	(void)o;
	err = plain_number(p, "count: a number from 1 to 4294967295", 1,
			   UINT32_MAX, &n);
	p->d->count = n;
	return err;
}

static int parse_seed(struct parse *p, const struct option *o)
{
	int64_t n;
	int err;

	(void)o;
	err = plain_number(p, "seed: a number", 0, INT64_MAX, &n);
	p->d->seed = n;
	return err;
}

/* The number of the first frame; DESC_END ends the guest's rigload. */
static int parse_first(struct parse *p, const struct option *o)
{
	int64_t n;
	int err;

	(void)o;
	err = plain_number(p, "first: a number", 0, DESC_END, &n);
	p->d->first = n;
	return err;
}

/* "+5" and "-3" are relative to the truth, "100" is instead of it. */
static int set_lie(struct parse *p, const char *name, struct desc_lie *lie)
{
	char what[64];
	const char *s, *end;
	int64_t n;

	snprintf(what, sizeof(what), "%s: +N, -N or N (up to 65535)", name);
	s = word(p);
	lie->relative = *s == '+' || *s == '-';
	if (!number(s + lie->relative, &end, &n) || *end || n > 65535)
		return expected(p, what);
	lie->given = true;
	lie->value = *s == '-' ? -n : n;
	return 0;
}

static int parse_iplen(struct parse *p, const struct option *o)
{
	return set_lie(p, o->word, &p->d->iplen);
}

static int parse_udplen(struct parse *p, const struct option *o)
{
	return set_lie(p, o->word, &p->d->udplen);
}

static int parse_truncate(struct parse *p, const struct option *o)
{
	return set_lie(p, o->word, &p->d->truncate);
}

/* --- flags and words ----------------------------------------------------- */

/* The place of the next word in @words (NULL at the end), or -EINVAL. */
static int one_of(struct parse *p, const char *what, const char *const *words)
{
	word(p);
	for (int i = 0; words[i]; i++)
		if (!strcmp(words[i], p->word))
			return i;
	return expected(p, what);
}

enum flag { FLAG_DF, FLAG_NODF, FLAG_MF, FLAG_RUNT, FLAG_FORWARD, FLAG_TRAP };

static int parse_flag(struct parse *p, const struct option *o)
{
	struct desc *d = p->d;

	switch ((enum flag)o->arg) {
	case FLAG_DF:
		d->df = true;
		break;
	case FLAG_NODF:
		d->df = false;
		break;
	case FLAG_MF:
		d->mf = true;
		break;
	case FLAG_RUNT:
		d->runt = true;
		break;
	case FLAG_FORWARD:
		d->forward = true;
		break;
	case FLAG_TRAP:
		d->trap = true;
		break;
	}
	return 0;
}

static int parse_payload(struct parse *p, const struct option *o)
{
	static const char *const words[] = { "seq", "zero", "random", NULL };
	int i = one_of(p, "payload: seq, zero or random", words);

	(void)o;
	if (i < 0)
		return i;
	p->d->payload = i;
	return 0;
}

/* "off" may be followed by how much; 1 without. */
static int off_by(struct parse *p, struct desc_sum *sum)
{
	struct desc_lie lie = { 0 };
	size_t len;
	const char *next = peek(p, &len);

	sum->off = 1;
	if (!len || !strchr("+-0123456789", *next))
		return 0;
	if (set_lie(p, "off", &lie))
		return -EINVAL;
	if (!(lie.value & 0xffff))
		return expected(p, "off: a number that is not 0");
	sum->off = lie.value;
	return 0;
}

static int set_sum(struct parse *p, const char *what, struct desc_sum *sum)
{
	static const char *const words[] = {
		"good", "bad", "zero", "pseudo", "tail", "off", "none", NULL,
	};
	int i = one_of(p, what, words);

	if (i < 0)
		return i;
	sum->kind = i == 6 ? DESC_ZERO : (enum desc_csum)i;
	sum->column = p->column;
	return sum->kind == DESC_OFF ? off_by(p, sum) : 0;
}

static int parse_csum(struct parse *p, const struct option *o)
{
	(void)o;
	return set_sum(p, "csum: good, bad, zero, pseudo, tail, off or none",
		       &p->d->csum);
}

static int parse_ipcsum(struct parse *p, const struct option *o)
{
	static const char what[] = "ipcsum: good, bad, zero or off";
	struct desc_sum *sum = &p->d->ipcsum;
	int err = set_sum(p, what, sum);

	(void)o;
	if (!err && (sum->kind == DESC_PSEUDO || sum->kind == DESC_TAIL))
		err = expected(p, what);
	return err;
}

static int parse_tcp_flags(struct parse *p, const struct option *o)
{
	static const char letters[] = "FSRPAUEC";	/* from bit 0 up */
	uint8_t flags = 0;

	(void)o;
	word(p);
	for (const char *s = p->word; *s && strcmp(p->word, "-") != 0; s++) {
		const char *at = strchr(letters, *s);

		if (!at)
			return expected(p, "flags: letters of FSRPAUEC, or - for none");
		flags |= 1 << (at - letters);
	}
	if (!p->word[0])
		return expected(p, "flags: letters of FSRPAUEC, or - for none");
	p->d->tcp_flags = flags;
	return 0;
}

static int parse_ext(struct parse *p, const struct option *o)
{
	static const char *const words[] = { "hop", "dst", "route", "frag", "ah", NULL };
	static const uint8_t types[] = {
		IPPROTO_HOPOPTS, IPPROTO_DSTOPTS, IPPROTO_ROUTING,
		IPPROTO_FRAGMENT, IPPROTO_AH,
	};
	int i = one_of(p, "ext: hop, dst, route, frag or ah", words);

	(void)o;
	if (i < 0)
		return i;
	if (p->d->exts == DESC_EXTS)
		return error_at(p, p->column, "expected at most %d extension headers, found one more",
				DESC_EXTS);
	p->d->ext[p->d->exts++] = types[i];
	return 0;
}

static int hex_digit(char c)
{
	const char *digits = "0123456789abcdef", *at;

	at = c ? strchr(digits, c | 0x20) : NULL;
	return at ? at - digits : -1;
}

/* The next word as bytes; how many, or -EINVAL. */
static int hex_bytes(struct parse *p, const char *what, uint8_t *to, size_t max)
{
	size_t n = strlen(word(p));

	if (!n || n & 1 || n / 2 > max)
		return expected(p, what);
	for (size_t i = 0; i < n / 2; i++) {
		int hi = hex_digit(p->word[2 * i]);
		int lo = hex_digit(p->word[2 * i + 1]);

		if (hi < 0 || lo < 0)
			return expected(p, what);
		to[i] = hi << 4 | lo;
	}
	return n / 2;
}

static int parse_ipopt(struct parse *p, const struct option *o)
{
	int n = hex_bytes(p, "ipopt: 1 to 40 bytes in hex", p->d->option,
			  DESC_OPTIONS);

	(void)o;
	if (n < 0)
		return n;
	p->d->options = n;
	return 0;
}

/* --- addresses ----------------------------------------------------------- */

/* Something is of IP version @version, and so must everything be. */
static int set_version(struct parse *p, uint8_t version)
{
	if (p->version && p->version != version)
		return expected(p, p->version == 4 ?
				"something of IPv4 (as before it)" :
				"something of IPv6 (as before it)");
	p->version = version;
	return 0;
}

/* "A", "A:PORT", "[A6]", "[A6]:PORT", "A6" */
static int set_end(struct parse *p, uint8_t addr[16], unsigned int port)
{
	char text[WORD];
	struct desc_range *r = &p->d->range[port];
	char *tail = NULL;
	int64_t value;
	const char *end;
	bool six;

	strcpy(text, p->word);
	if (text[0] == '[') {
		memmove(text, text + 1, strlen(text));
		tail = strchr(text, ']');
		if (!tail)
			return expected(p, "']' at the end of an IPv6 address");
	} else if (strchr(text, ':') == strrchr(text, ':')) {
		tail = strchr(text, ':');
	}
	if (tail && *tail == ']')
		*tail++ = 0;
	six = strchr(text, ':') && text[0] && (!tail || tail > strchr(text, ':'));
	if (tail && *tail) {
		if (*tail != ':' || !number(tail + 1, &end, &value) || *end ||
		    value > 65535)
			return expected(p, "an address with or without a port");
		*r = (struct desc_range){ value, value, 1, false, true, p->column };
		*tail = 0;
	}
	if (inet_pton(six ? AF_INET6 : AF_INET, text, addr) != 1)
		return expected(p, "an address (192.0.2.1:9 or [2001:db8::1]:9)");
	p->end_given[port == F_DPORT] = true;
	return set_version(p, six ? 6 : 4);
}

/* "A > B" if that is what comes next. */
static int parse_ends(struct parse *p)
{
	size_t len;
	const char *next = peek(p, &len);
	int err;

	if (!len || !(strchr("0123456789[", *next) || memchr(next, ':', len)))
		return 0;
	word(p);
	err = set_end(p, p->d->src, F_SPORT);
	if (err)
		return err;
	if (strcmp(word(p), ">") != 0)
		return expected(p, "'>'");
	word(p);
	return set_end(p, p->d->dst, F_DPORT);
}

static int parse_address(struct parse *p, const struct option *o)
{
	word(p);
	return set_end(p, o->arg == F_SPORT ? p->d->src : p->d->dst, o->arg);
}

static int parse_version(struct parse *p, const struct option *o)
{
	return set_version(p, o->arg);
}

static int one_mac(struct parse *p, uint8_t mac[6], bool *given)
{
	const char *s = word(p);

	for (int i = 0; i < 6; i++, s += 2) {
		int hi = hex_digit(s[0]), lo = hi < 0 ? -1 : hex_digit(s[1]);

		if (lo < 0 || s[2] != (i < 5 ? ':' : 0))
			return expected(p, "an Ethernet address (02:00:00:00:00:01)");
		mac[i] = hi << 4 | lo;
		s += i < 5;
	}
	*given = true;
	return 0;
}

static int parse_mac(struct parse *p, const struct option *o)
{
	struct desc *d = p->d;
	int err = one_mac(p, d->smac, &d->smac_given);

	(void)o;
	if (err)
		return err;
	if (strcmp(word(p), ">") != 0)
		return expected(p, "'>'");
	return one_mac(p, d->dmac, &d->dmac_given);
}

static int parse_smac(struct parse *p, const struct option *o)
{
	(void)o;
	return one_mac(p, p->d->smac, &p->d->smac_given);
}

static int parse_dmac(struct parse *p, const struct option *o)
{
	(void)o;
	return one_mac(p, p->d->dmac, &p->d->dmac_given);
}

/* --- VLANs and PPPoE ----------------------------------------------------- */

static int parse_vlan(struct parse *p, const struct option *o)
{
	struct desc *d = p->d;

	if (d->vlans == DESC_VLANS)
		return error_at(p, p->column, "expected at most %d VLAN headers, found one more",
				DESC_VLANS);
	d->tpid[d->vlans] = o->arg;
	return set_range(p, o->word, F_VID + d->vlans++);
}

static int need_vlan(struct parse *p, const char *what)
{
	if (p->d->vlans)
		return 0;
	return error_at(p, p->column, "expected a vlan before '%s', found none", what);
}

static int parse_pcp(struct parse *p, const struct option *o)
{
	return need_vlan(p, o->word) ?:
	       set_range(p, o->word, F_PCP + p->d->vlans - 1);
}

static int parse_dei(struct parse *p, const struct option *o)
{
	if (need_vlan(p, o->word))
		return -EINVAL;
	p->d->range[F_DEI + p->d->vlans - 1].lo = 1;
	return 0;
}

static int parse_pppoe(struct parse *p, const struct option *o)
{
	p->d->pppoe = true;
	return set_range(p, o->word, F_PPPOE);
}

/* --- tags ---------------------------------------------------------------- */

static int parse_tag(struct parse *p, const struct option *o)
{
	(void)o;
	word(p);
	p->tag_column = p->column;
	p->d->tag = tag_by_name(p->word);
	return p->d->tag ? 0 : expected(p, "a tag ('tagrig tags' lists them)");
}

static int parse_dir(struct parse *p, const struct option *o)
{
	static const char *const words[] = { "from-cpu", "to-cpu", NULL };
	int i = one_of(p, "dir: from-cpu or to-cpu", words);

	(void)o;
	if (i < 0)
		return i;
	p->d->dir = i ? TAG_TO_CPU : TAG_FROM_CPU;
	return 0;
}

/* NAME=VALUE; the name is looked up when the tag is known. */
static int parse_tagfield(struct parse *p, const struct option *o)
{
	struct poke_word *k = &p->poke[p->pokes];
	const char *end, *eq = strchr(word(p), '=');
	int64_t value;

	(void)o;
	if (p->pokes == DESC_POKES)
		return error_at(p, p->column, "expected at most %d tag fields, found one more",
				DESC_POKES);
	if (!eq || eq == p->word || (size_t)(eq - p->word) >= sizeof(k->name) ||
	    !number(eq + 1, &end, &value) || *end)
		return expected(p, "tagfield: NAME=VALUE");
	snprintf(k->name, sizeof(k->name), "%.*s", (int)(eq - p->word), p->word);
	k->value = value;
	k->column = p->column;
	p->pokes++;
	return 0;
}

static int parse_tagraw(struct parse *p, const struct option *o)
{
	int n = hex_bytes(p, "tagraw: bytes in hex", p->d->raw, DESC_RAW);

	(void)o;
	if (n < 0)
		return n;
	p->d->raws = n;
	p->raw_column = p->column;
	return 0;
}

/* --- the options --------------------------------------------------------- */

static const struct option options[] = {
	{ "src", parse_address, F_SPORT },
	{ "dst", parse_address, F_DPORT },
	{ "sport", parse_range, F_SPORT },
	{ "dport", parse_range, F_DPORT },
	{ "len", parse_range, F_LEN },
	{ "frame", parse_range, F_FRAME },
	{ "payload", parse_payload, 0 },
	{ "count", parse_count, 0 },
	{ "seed", parse_seed, 0 },
	{ "first", parse_first, 0 },
	{ "csum", parse_csum, 0 },
	{ "ipcsum", parse_ipcsum, 0 },
	{ "mac", parse_mac, 0 },
	{ "smac", parse_smac, 0 },
	{ "dmac", parse_dmac, 0 },
	{ "vlan", parse_vlan, TAG_TPID_8021Q },
	{ "qinq", parse_vlan, TAG_TPID_8021AD },
	{ "pcp", parse_pcp, 0 },
	{ "dei", parse_dei, 0 },
	{ "pppoe", parse_pppoe, 0 },
	{ "ip4", parse_version, 4 },
	{ "ip6", parse_version, 6 },
	{ "ttl", parse_range, F_TTL },
	{ "tos", parse_range, F_TOS },
	{ "ipid", parse_range, F_IPID },
	{ "df", parse_flag, FLAG_DF },
	{ "nodf", parse_flag, FLAG_NODF },
	{ "mf", parse_flag, FLAG_MF },
	{ "fragoff", parse_range, F_FRAGOFF },
	{ "ipopt", parse_ipopt, 0 },
	{ "ext", parse_ext, 0 },
	{ "iplen", parse_iplen, 0 },
	{ "udplen", parse_udplen, 0 },
	{ "cover", parse_range, F_COVER },
	{ "flags", parse_tcp_flags, 0 },
	{ "seq", parse_range, F_SEQ },
	{ "ack", parse_range, F_ACK },
	{ "win", parse_range, F_WIN },
	{ "type", parse_range, F_TYPE },
	{ "code", parse_range, F_CODE },
	{ "id", parse_range, F_ID },
	{ "trail", parse_range, F_TRAIL },
	{ "runt", parse_flag, FLAG_RUNT },
	{ "truncate", parse_truncate, 0 },
	{ "tag", parse_tag, 0 },
	{ "dir", parse_dir, 0 },
	{ "port", parse_range, F_PORT },
	{ "ports", parse_range, F_PORTS },
	{ "device", parse_range, F_DEVICE },
	{ "prio", parse_range, F_PRIO },
	{ "bridge", parse_range, F_BRIDGE },
	{ "forward", parse_flag, FLAG_FORWARD },
	{ "trap", parse_flag, FLAG_TRAP },
	{ "tagfield", parse_tagfield, 0 },
	{ "tagraw", parse_tagraw, 0 },
};

static int parse_option(struct parse *p)
{
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		if (!strcmp(options[i].word, p->word))
			return options[i].parse(p, &options[i]);
	return expected(p, "an option (len, csum, vlan, tag, count, ...)");
}

/* The protocol, and the number that belongs to it. */
static int parse_proto(struct parse *p)
{
	struct desc *d = p->d;

	word(p);
	for (d->proto = desc_protos; d->proto->word; d->proto++)
		if (!strcmp(d->proto->word, p->word))
			break;
	if (!d->proto->word)
		return expected(p, "udp, tcp, icmp, icmp6, sctp, udplite, ip, eth or arp");
	if (d->proto->only6)
		p->version = 6;
	if (!strcmp(d->proto->word, "ip"))
		return set_range(p, "ip", F_PROTO);
	if (!strcmp(d->proto->word, "eth"))
		return set_range(p, "eth", F_ETHERTYPE);
	if (!strcmp(d->proto->word, "arp")) {
		p->version = 4;
		d->range[F_ETHERTYPE].lo = 0x0806;
		d->range[F_LEN].lo = d->range[F_LEN].hi = 0;
	}
	return 0;
}

/* --- at the end ---------------------------------------------------------- */

static void finish_addresses(struct parse *p)
{
	static const uint8_t v4[2][4] = { { 192, 0, 2, 2 }, { 192, 0, 2, 1 } };
	static const uint8_t prefix6[15] = { 0x20, 1, 0xd, 0xb8 };
	struct desc *d = p->d;
	uint8_t *end[2] = { d->src, d->dst };

	if (!p->version)
		p->version = 4;
	d->version = d->proto->number < 0 ? 0 : p->version;
	for (int i = 0; i < 2; i++) {
		if (p->end_given[i])
			continue;
		if (p->version == 4)
			memcpy(end[i], v4[i], 4);
		else
			memcpy(end[i], prefix6, 15);
		if (p->version == 6)
			end[i][15] = 2 - i;
	}
	if (d->proto->only6 && !d->range[F_TYPE].given)
		d->range[F_TYPE].lo = d->range[F_TYPE].hi = 128;
}

static int finish_sizes(struct parse *p)
{
	struct desc *d = p->d;
	const struct desc_range *len = &d->range[F_LEN], *frame = &d->range[F_FRAME];
	long long header = desc_header_len(d), most, trail;

	trail = d->range[F_TRAIL].hi;
	most = FRAME_MAX - FRAME_TAILROOM;
	if (d->version && most > IP_MAX - 3 + 14)
		most = IP_MAX - 3 + 14;
	most -= header + trail;
	if (frame->given && len->given)
		return error_at(p, frame->column, "expected len or frame, found both");
	if (frame->given && frame->lo < header)
		return error_at(p, frame->column,
				"expected a frame of at least %lld bytes for these headers, found %lld",
				header, (long long)frame->lo);
	if (frame->given && frame->hi > header + most)
		return error_at(p, frame->column,
				"expected a frame of at most %lld bytes, found %lld",
				header + most, (long long)frame->hi);
	if (len->hi > most)
		return error_at(p, len->column,
				"expected a payload of at most %lld bytes for these headers, found %lld",
				most, (long long)len->hi);
	return 0;
}

static int finish_sums(struct parse *p)
{
	struct desc *d = p->d;
	struct desc_range *trail = &d->range[F_TRAIL];

	if (d->csum.column && d->proto->csum < 0)
		return error_at(p, d->csum.column, "expected a protocol with a checksum for csum, found %s",
				d->proto->word);
	if (d->csum.kind == DESC_PSEUDO && !d->proto->pseudo)
		return error_at(p, d->csum.column, "expected a protocol with a pseudo header for csum pseudo, found %s",
				d->proto->word);
	if (d->ipcsum.column && d->version != 4)
		return error_at(p, d->ipcsum.column, "expected IPv4 for ipcsum, found %s",
				d->version ? "IPv6" : d->proto->word);
	if (d->csum.kind != DESC_TAIL)
		return 0;
	if (!trail->given)
		trail->lo = trail->hi = 4;
	if (!trail->lo)
		return error_at(p, trail->column, "expected bytes behind the datagram for csum tail, found 'trail 0'");
	return 0;
}

/* The layout of the tag that has field @name, or the usual one for NULL. */
static const struct tag_layout *layout(const struct desc *d, const char *name,
				       const struct tag_field **field)
{
	for (int i = 0; i < TAG_VARIANTS; i++) {
		const struct tag_layout *l = d->tag->spec->layout[d->dir][i];

		if (!l)
			break;
		if (!name)
			return l;
		for (*field = l->fields; *field < l->fields + l->nfields; ++*field)
			if (!strcmp((*field)->name, name))
				return l;
	}
	return NULL;
}

static void use_layout(struct desc *d, const struct tag_layout *l)
{
	d->tag_head = l->head;
	d->tag_tail = l->tail;
	d->tag_first = l->pos == TAG_POS_HEAD;
}

/* "port, vid, ...": the fields that the tag has. */
static void field_names(const struct desc *d, char *to, size_t size)
{
	const struct tag_layout *l = layout(d, NULL, NULL);
	size_t n = 0;

	to[0] = 0;
	for (unsigned int i = 0; l && i < l->nfields && n < size; i++)
		n += snprintf(to + n, size - n, "%s%s", i ? ", " : "",
			      l->fields[i].name);
}

static int finish_poke(struct parse *p, const struct poke_word *k)
{
	struct desc *d = p->d;
	const struct tag_field *field;
	const struct tag_layout *l = layout(d, k->name, &field);
	char names[200];

	if (!l) {
		field_names(d, names, sizeof(names));
		return error_at(p, k->column, "expected a field of %s (%s), found '%s'",
				tag_name(d->tag), names, k->name);
	}
	if (field->width < 64 && k->value >> field->width)
		return error_at(p, k->column, "expected a value of %u bits for %s, found %llu",
				field->width, k->name, (unsigned long long)k->value);
	use_layout(d, l);
	d->poke[d->pokes++] = (struct desc_poke){ field->off, field->width, k->value };
	return 0;
}

static int finish_port(struct parse *p)
{
	struct desc *d = p->d;
	const struct desc_range *r = &d->range[F_PORT];
	uint32_t ports = tag_ports(d->tag, d->dir);

	for (int64_t i = r->lo; r->given && ports && i <= r->hi; i += r->step)
		if (!(ports >> i & 1))
			return error_at(p, r->column,
					"expected a port that %s can name (mask 0x%x), found %lld",
					tag_name(d->tag), ports, (long long)i);
	return 0;
}

static int finish_tag(struct parse *p)
{
	struct desc *d = p->d;
	unsigned int len;
	int err = 0;

	if (!d->tag) {
		unsigned int column = p->pokes ? p->poke[0].column : p->raw_column;

		return column ? error_at(p, column, "expected a tag for it, found none") : 0;
	}
	if (layout(d, NULL, NULL))
		use_layout(d, layout(d, NULL, NULL));
	for (unsigned int i = 0; i < p->pokes && !err; i++)
		err = finish_poke(p, &p->poke[i]);
	len = d->tag_head + d->tag_tail;
	if (!err && d->raws > len)
		err = error_at(p, p->raw_column, "expected at most %u bytes of %s, found %u",
			       len, tag_name(d->tag), d->raws);
	return err ?: finish_port(p);
}

static int finish(struct parse *p)
{
	struct desc *d = p->d;

	finish_addresses(p);
	for (unsigned int i = 0; i < F_COUNT; i++)
		if (!d->range[i].step)
			d->range[i].step = 1;
	return finish_sums(p) ?: finish_sizes(p) ?: finish_tag(p) ?: desc_start(d);
}

static int parse_all(struct parse *p)
{
	int err = parse_proto(p) ?: parse_ends(p);

	while (!err && *word(p))
		err = parse_option(p);
	return err ?: finish(p);
}

static void defaults(struct desc *d, uint64_t seed)
{
	static const uint8_t src[6] = { 2, 0, 0, 0, 0, 2 };

	memcpy(d->smac, src, 6);
	memset(d->dmac, 0xff, 6);
	d->df = true;
	d->tcp_flags = 0x18;		/* PSH, ACK */
	d->dir = TAG_TO_CPU;
	d->seed = seed;
	for (unsigned int i = 0; i < F_COUNT; i++)
		d->range[i].lo = d->range[i].hi = limits[i].def;
}

struct desc *desc_parse(const char *text, const char *file, unsigned int line,
			unsigned int column, uint64_t seed,
			struct desc_error *error)
{
	struct parse p = {
		.error = error, .file = file, .text = text, .at = text,
		.line = line, .base = column,
	};
	int err;

	error->text[0] = 0;
	p.d = calloc(1, sizeof(*p.d));
	if (p.d) {
		defaults(p.d, seed);
		err = parse_all(&p);
		if (!err)
			return p.d;
		desc_free(p.d);
	}
	if (!error->text[0])
		error_at(&p, column, "%s", strerror(ENOMEM));
	return NULL;
}
