// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The mover: the only code that moves bytes of a frame for a tag, and the only
 * one that checks bounds.
 *
 * Writing: meta -> values -> words -> bytes.  Reading: the same backwards.  A
 * tag before the EtherType moves the twelve bytes of addresses and never the
 * payload.  Up to 8 bytes are loaded and stored as one word that ends (or, at
 * the head of the frame, begins) with the tag: a frame has at least 14 bytes
 * beside its tag, so the rest of the word is always inside the frame.
 *
 * A format that fuses a VLAN header (.fuse) replaces the header: the tag then
 * makes the frame longer by its length less four.
 */
#include <stdarg.h>
#include <stdio.h>

#include "format.h"

static uint64_t load64(const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return __builtin_bswap64(v);
}

static void store64(uint8_t *p, uint64_t v)
{
	v = __builtin_bswap64(v);
	memcpy(p, &v, sizeof(v));
}

static uint64_t low_bytes(unsigned int n)
{
	return n >= 8 ? UINT64_MAX : (UINT64_C(1) << n * 8) - 1;
}

/* The @n <= 8 bytes that end at @end; the 8 before @end are readable. */
static uint64_t load_end(const uint8_t *end, unsigned int n)
{
	return load64(end - 8) & low_bytes(n);
}

/* Writes them, and keeps what is before. */
static void store_end(uint8_t *end, unsigned int n, uint64_t v)
{
	store64(end - 8, (load64(end - 8) & ~low_bytes(n)) | v);
}

/* The @n <= 8 bytes at @p; the 8 from @p on are readable. */
static uint64_t load_start(const uint8_t *p, unsigned int n)
{
	return load64(p) >> (64 - n * 8);
}

static void store_start(uint8_t *p, unsigned int n, uint64_t v)
{
	unsigned int up = 64 - n * 8;

	store64(p, v << up | (load64(p) & ~(low_bytes(n) << up)));
}

static void move_addrs(uint8_t *to, const uint8_t *from)
{
	uint64_t da;
	uint32_t sa;

	memcpy(&da, from, 8);
	memcpy(&sa, from + 8, 4);
	memcpy(to, &da, 8);
	memcpy(to + 8, &sa, 4);
}

/* -- reading and writing the words of a tag --------------------------------- */

static const uint8_t *head_of(const struct tag_layout *l, const struct frame *f)
{
	return f->data + (l->pos == TAG_POS_HEAD ? 0 : TAG_ADDRS);
}

static void load_words(const struct tag_layout *l, const struct frame *f, uint64_t *w)
{
	const uint8_t *p = head_of(l, f);
	unsigned int left;

	for (left = l->head; left > 8; left -= 8, p += 8)
		*w++ = load64(p);
	if (left && l->pos == TAG_POS_HEAD)
		*w++ = load_start(p, left);
	else if (left)
		*w++ = load_end(p + left, left);
	if (l->tail)
		*w = load_end(f->data + f->len, l->tail);
}

static void store_words(const struct tag_layout *l, struct frame *f, const uint64_t *w)
{
	uint8_t *p = (uint8_t *)head_of(l, f);
	unsigned int left;

	for (left = l->head; left > 8; left -= 8, p += 8)
		store64(p, *w++);
	if (left && l->pos == TAG_POS_HEAD)
		store_start(p, left, *w++);
	else if (left)
		store_end(p + left, left, *w++);
	if (l->tail)
		store_end(f->data + f->len, l->tail, *w);
}

/* -- values and words ------------------------------------------------------- */

static int pack_code(const struct tag_move *m, uint32_t val, uint64_t *w)
{
	const struct tag_code *c;

	for (c = m->field->codes; c->name; c++) {
		if (c->val != val)
			continue;
		w[m->word] |= (uint64_t)c->code << m->shift;
		return 0;
	}
	return -ERANGE;
}

static int pack(const struct tag_prog *p, const struct tag_vals *vals, uint64_t *w)
{
	uint32_t bad = 0;
	unsigned int i;
	int err;

	for (i = 0; i < p->nwords; i++)
		w[i] = p->fill[i];
	for (i = 0; i < p->nmoves; i++) {
		const struct tag_move *m = &p->move[i];
		uint32_t v = vals->v[m->val];

		bad |= v & ~m->cover;
		w[m->word] |= (uint64_t)(v >> m->from & m->mask) << m->shift;
	}
	for (i = 0; i < p->ncodes; i++) {
		err = pack_code(&p->code[i], vals->v[p->code[i].val], w);
		if (err)
			return err;
	}
	return bad ? -ERANGE : 0;
}

/* False: the field holds a code that is not in its list. */
static bool unpack_code(const struct tag_move *m, const uint64_t *w, struct tag_vals *vals)
{
	uint32_t code = w[m->word] >> m->shift & m->mask;
	const struct tag_code *c;

	for (c = m->field->codes; c->name; c++) {
		if (c->code != code)
			continue;
		vals->v[m->val] |= c->val;
		return true;
	}
	return false;
}

static void unpack(const struct tag_prog *p, const uint64_t *w, struct tag_vals *vals)
{
	unsigned int i;

	memset(vals, 0, sizeof(*vals));
	for (i = 0; i < p->nmoves; i++) {
		const struct tag_move *m = &p->move[i];

		vals->v[m->val] |= (uint32_t)(w[m->word] >> m->shift & m->mask) << m->from;
	}
}

/* -- meta and values -------------------------------------------------------- */

static bool carries(const struct tag_prog *p, enum tag_val val)
{
	return p->carries >> val & 1;
}

/* 1 + index of the frame's own TPID in the list, or 0. */
static unsigned int fused(const struct tag_layout *l, const struct frame *f)
{
	uint16_t tpid;
	unsigned int i;

	if (!l->fuse || f->len < TAG_ETH_HLEN + TAG_VLAN_HLEN)
		return 0;
	tpid = tag_be16(f->data + TAG_ADDRS);
	for (i = 0; l->fuse[i]; i++)
		if (l->fuse[i] == tpid)
			return i + 1;
	return 0;
}

static bool is_vlan(const struct frame *f)
{
	uint16_t type = tag_be16(f->data + TAG_ADDRS);

	return type == TAG_TPID_8021Q || type == TAG_TPID_8021AD;
}

static int vals_from_meta(const struct tag_prog *p, const struct tag_meta *m,
			  const struct frame *f, struct tag_vals *vals)
{
	bool tables = (m->forward && carries(p, TV_FORWARD)) ||
		      (m->bridge && carries(p, TV_BRIDGE));
	uint32_t *v = vals->v;

	v[TV_PORTMAP] = tables ? 0 : m->ports;
	v[TV_PORT] = v[TV_PORTMAP] ? __builtin_ctz(v[TV_PORTMAP]) : 0;
	v[TV_PORT_HINT] = v[TV_PORT];
	if (carries(p, TV_PORT) && !tables && (!m->ports || m->ports & (m->ports - 1)))
		return -ERANGE;
	v[TV_DEVICE] = m->device;
	v[TV_BRIDGE] = m->bridge;
	v[TV_VID] = m->vid;
	v[TV_PRIO] = m->pcp;
	v[TV_DEI] = m->dei;
	v[TV_FORWARD] = m->forward;
	v[TV_TRAP] = m->trap;
	v[TV_TAGGED] = is_vlan(f);
	v[TV_VLAN] = 0;
	if (m->vlan && p->layout->fuse) {
		v[TV_VLAN] = fused(p->layout, f);
		if (!v[TV_VLAN])
			return -EPROTO;
	}
	v[TV_AUX0] = 0;
	v[TV_AUX1] = 0;
	return 0;
}

static void meta_from_vals(const struct tag_prog *p, enum tag_dir dir,
			   const struct tag_vals *vals, struct tag_meta *m)
{
	const uint32_t *v = vals->v;
	bool tables = v[TV_FORWARD] || v[TV_BRIDGE];

	memset(m, 0, sizeof(*m));
	m->ports = v[TV_PORTMAP];
	if (carries(p, TV_PORT))
		m->ports = 1u << v[TV_PORT];
	if (tables)
		m->ports = 0;
	if (dir == TAG_TO_CPU)
		m->ports &= -m->ports;
	m->vid = v[TV_VID];
	m->pcp = v[TV_PRIO];
	m->device = v[TV_DEVICE];
	m->bridge = v[TV_BRIDGE];
	m->vlan = v[TV_VLAN];
	m->dei = v[TV_DEI];
	m->trap = v[TV_TRAP];
	m->forward = v[TV_FORWARD];
	if (dir == TAG_TO_CPU && carries(p, TV_TRAP))
		m->forward = !m->trap;
}

bool tag_meta_vlan(const struct tag_format *f, enum tag_dir dir,
		   struct tag_meta *meta, const struct frame *frame)
{
	uint16_t tci;

	meta->vlan = fused(f->prog[dir][0].layout, frame);
	if (!meta->vlan)
		return false;
	tci = tag_be16(frame->data + TAG_ETH_HLEN);
	meta->vid = tci & 0xfff;
	meta->dei = tci >> 12 & 1;
	meta->pcp = tci >> 13;
	return true;
}

/* -- writing ---------------------------------------------------------------- */

/* Zeros up to the layout's shortest frame. */
static int pad(const struct tag_layout *l, struct frame *f)
{
	size_t n, old = f->len;

	if (f->len >= l->pad)
		return 0;
	n = l->pad - f->len;
	if (frame_put(f, n))
		return -ENOBUFS;
	memset(f->data + old, 0, n);
	return 0;
}

/* Room for the tag, with the addresses where they belong. */
static int grow(const struct tag_layout *l, struct frame *f, bool vlan)
{
	unsigned int front = l->head - (vlan ? TAG_VLAN_HLEN : 0);

	if (frame_put(f, l->tail))
		return -ENOBUFS;
	if (frame_push(f, front))
		return -ENOBUFS;
	if (front && l->pos != TAG_POS_HEAD)
		move_addrs(f->data, f->data + front);
	return 0;
}

static int write_tag(const struct tag_prog *p, const struct tag_meta *meta,
		     struct frame *frame)
{
	const struct tag_layout *l = p->layout;
	uint64_t w[TAG_WORDS];
	struct tag_vals vals;
	int err;

	err = vals_from_meta(p, meta, frame, &vals);
	if (err)
		return err;
	if (l->pad) {
		err = pad(l, frame);
		if (err)
			return err;
	}
	if (l->build) {
		err = l->build(&vals, frame);
		if (err)
			return err;
	}
	err = pack(p, &vals, w);
	if (err)
		return err;
	err = grow(l, frame, vals.v[TV_VLAN]);
	if (err)
		return err;
	store_words(l, frame, w);
	return 0;
}

int tag_push(const struct tag_format *f, enum tag_dir dir,
	     const struct tag_meta *meta, struct frame *frame)
{
	unsigned int i = 0;
	size_t len = frame->len;
	int err;

	if (len < TAG_ETH_HLEN)
		return -EMSGSIZE;
	if (f->spec->pick)
		i = f->spec->pick(dir, meta, frame);
	err = write_tag(&f->prog[dir][i], meta, frame);
	if (err)
		frame->len = len;	/* takes padding back */
	return err;
}

/* -- reading ---------------------------------------------------------------- */

/* The words of an error; one buffer a thread, so that no caller has to free. */
static const char *say(const struct tag_format *f, const char *fmt, ...)
{
	static _Thread_local char buf[160];
	int n = snprintf(buf, sizeof(buf), "%s: ", f->spec->name);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(buf + n, sizeof(buf) - n, fmt, ap);
	va_end(ap);
	return buf;
}

/* Which constant of @p is not what it should be, for people. */
static const char *say_mismatch(const struct tag_format *f, const struct tag_prog *p,
				const struct frame *frame)
{
	const struct tag_layout *l = p->layout;
	const uint8_t *head = head_of(l, frame), *tail = frame->data + frame->len - l->tail;
	const struct tag_field *fd;
	uint32_t got;
	unsigned int i;

	if (l->etype && tag_be16(head) != l->etype && tag_be16(head) != l->etype_alt)
		return say(f, "EtherType 0x%04x, expected 0x%04x", tag_be16(head), l->etype);
	for (fd = l->fields; fd && fd->width; fd++) {
		if (fd->what != TV_CONST)
			continue;
		for (got = 0, i = fd->off; i < fd->off + fd->width; i++)
			got = got << 1 | (((i < l->head * 8 ? head[i / 8] : tail[i / 8 - l->head]) >>
					   (7 - i % 8)) & 1);
		if (got != fd->value)
			return say(f, "%s is 0x%x, expected 0x%x", fd->name, got, fd->value);
	}
	return say(f, "not this tag");
}

static const char *say_code(const struct tag_format *f, const struct tag_move *m,
			    const uint64_t *w)
{
	return say(f, "%s is 0x%x, which has no meaning here", m->field->name,
		   (unsigned int)(w[m->word] >> m->shift & m->mask));
}

static bool matches(const struct tag_prog *p, const uint64_t *w)
{
	uint64_t diff = (w[0] ^ p->fill[0]) & p->check[0];
	unsigned int i;

	if (diff && diff != p->alt)
		return false;
	for (i = 1; i < p->nwords; i++)
		if ((w[i] ^ p->fill[i]) & p->check[i])
			return false;
	return true;
}

static bool fits(const struct tag_layout *l, const struct frame *f)
{
	return f->len >= (size_t)TAG_ETH_HLEN + l->head + l->tail;
}

/* The layout that the frame has; loads its words. */
static const struct tag_prog *recognise(const struct tag_format *f, enum tag_dir dir,
					const struct frame *frame, uint64_t *w)
{
	unsigned int i;

	for (i = f->nprogs[dir]; i-- > 0; ) {
		const struct tag_prog *p = &f->prog[dir][i];

		if (!fits(p->layout, frame))
			continue;
		load_words(p->layout, frame, w);
		if (matches(p, w))
			return p;
	}
	return NULL;
}

/* Takes the tag off, and puts the VLAN header that it had taken in back. */
static void shrink(const struct tag_layout *l, struct frame *f, const struct tag_vals *vals)
{
	unsigned int vlan = vals->v[TV_VLAN];
	unsigned int front = l->head - (vlan ? TAG_VLAN_HLEN : 0);
	const uint32_t *v = vals->v;

	if (front && l->pos != TAG_POS_HEAD)
		move_addrs(f->data + front, f->data);
	f->data += front;
	f->len -= front + l->tail;
	if (vlan)
		store_end(f->data + TAG_ADDRS + TAG_VLAN_HLEN, TAG_VLAN_HLEN,
			  (uint64_t)l->fuse[vlan - 1] << 16 | v[TV_PRIO] << 13 |
			  v[TV_DEI] << 12 | v[TV_VID]);
}

static const char *read_vals(const struct tag_format *f, const struct tag_prog *p,
			     enum tag_dir dir, const struct frame *frame,
			     const uint64_t *w, struct tag_vals *vals)
{
	const char *reason;
	unsigned int i;

	unpack(p, w, vals);
	for (i = 0; i < p->ncodes; i++)
		if (!unpack_code(&p->code[i], w, vals))
			return say_code(f, &p->code[i], w);
	reason = p->layout->parse ? p->layout->parse(vals, frame) : NULL;
	if (reason)
		return say(f, "%s", reason);
	if (vals->v[TV_PORT] > 31)
		return say(f, "port %u: no switch has so many", vals->v[TV_PORT]);
	if (dir == TAG_TO_CPU && carries(p, TV_PORTMAP) && !vals->v[TV_PORTMAP])
		return say(f, "no source port");
	return NULL;
}

int tag_pull(const struct tag_format *f, enum tag_dir dir,
	     struct tag_meta *meta, struct frame *frame, const char **why)
{
	const struct tag_prog *p = &f->prog[dir][0];
	uint64_t w[TAG_WORDS];
	struct tag_vals vals;
	const char *reason;

	if (!fits(p->layout, frame)) {
		if (why)
			*why = say(f, "%zu bytes are too short for the tag and an Ethernet header",
				   frame->len);
		return -EMSGSIZE;
	}
	p = recognise(f, dir, frame, w);
	if (!p) {
		if (why)
			*why = say_mismatch(f, &f->prog[dir][0], frame);
		return -EPROTO;
	}
	reason = read_vals(f, p, dir, frame, w, &vals);
	if (reason) {
		if (why)
			*why = reason;
		return -EPROTO;
	}
	meta_from_vals(p, dir, &vals, meta);
	shrink(p->layout, frame, &vals);
	return 0;
}
