/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The mover: the only code that moves bytes of a frame for a tag, and the only
 * one that checks bounds.
 *
 * Writing: meta -> values -> words -> bytes.  Reading: the same backwards.  The
 * bytes of a tag are cut into words of up to 64 bits, head and tail apart, each
 * right-aligned: a 4-byte tag is a number below 2^32.  A tag before the
 * EtherType moves the twelve bytes of addresses and never the payload.  A
 * format that fuses a VLAN header (.fuse) replaces it: the tag then makes the
 * frame longer by its length less four.
 *
 * Everything here is inlined into the functions that TAG_FORMAT() defines, with
 * a constant table: loops over it unroll, what is constant folds, and what is
 * left is some shifts.  mover.c has one more copy, which interprets a table.
 *
 * Only format.h includes this.
 */
#ifndef TAGRIG_TAG_MOVER_H
#define TAGRIG_TAG_MOVER_H

#define TAG_INLINE	static inline __attribute__((always_inline))
/* mover.c has nothing to fold; sanitizers would instrument each turn of a loop. */
#if defined(__has_feature)
#define TAG_HAS_SANITIZER __has_feature(address_sanitizer)
#elif defined(__SANITIZE_ADDRESS__)
#define TAG_HAS_SANITIZER 1
#else
#define TAG_HAS_SANITIZER 0
#endif

#if defined(TAG_NO_UNROLL) || TAG_HAS_SANITIZER || !defined(__OPTIMIZE__)
#define TAG_UNROLL
#else
#define TAG_UNROLL	_Pragma("GCC unroll 32")
#endif

/* -- bytes and words -------------------------------------------------------- */

/* The big-endian number in @n <= 8 bytes at @p. */
TAG_INLINE uint64_t tag_load(const uint8_t *p, unsigned int n)
{
	uint64_t v64, v = 0;
	uint32_t v32;

	if (n == 8) {
		memcpy(&v64, p, 8);
		return __builtin_bswap64(v64);
	}
	if (n & 4) {
		memcpy(&v32, p, 4);
		v = __builtin_bswap32(v32);
		p += 4;
	}
	if (n & 2) {
		v = v << 16 | tag_be16(p);
		p += 2;
	}
	return n & 1 ? v << 8 | *p : v;
}

TAG_INLINE void tag_store(uint8_t *p, unsigned int n, uint64_t v)
{
	uint64_t v64 = __builtin_bswap64(v);
	uint32_t v32;

	if (n == 8) {
		memcpy(p, &v64, 8);
		return;
	}
	if (n & 4) {
		v32 = __builtin_bswap32(v >> (n - 4) * 8);
		memcpy(p, &v32, 4);
		p += 4;
	}
	if (n & 2) {
		*p++ = v >> ((n & 1) * 8 + 8);
		*p++ = v >> (n & 1) * 8;
	}
	if (n & 1)
		*p = v;
}

TAG_INLINE unsigned int tag_head_words(const struct tag_layout *l)
{
	return (l->head + 7) / 8;
}

/* Bytes in word @i of the head. */
TAG_INLINE unsigned int tag_word_bytes(const struct tag_layout *l, unsigned int i)
{
	unsigned int left = l->head - i * 8;

	return left < 8 ? left : 8;
}

TAG_INLINE uint8_t *tag_head(const struct tag_layout *l, const struct frame *f)
{
	return f->data + (l->pos == TAG_POS_HEAD ? 0 : TAG_ADDRS);
}

TAG_INLINE void tag_load_words(const struct tag_layout *l, const struct frame *f, uint64_t *w)
{
	const uint8_t *p = tag_head(l, f);
	unsigned int i;

	TAG_UNROLL
	for (i = 0; i < tag_head_words(l); i++)
		w[i] = tag_load(p + i * 8, tag_word_bytes(l, i));
	if (l->tail)
		w[i] = tag_load(f->data + f->len - l->tail, l->tail);
}

TAG_INLINE void tag_store_words(const struct tag_layout *l, struct frame *f, const uint64_t *w)
{
	uint8_t *p = tag_head(l, f);
	unsigned int i;

	TAG_UNROLL
	for (i = 0; i < tag_head_words(l); i++)
		tag_store(p + i * 8, tag_word_bytes(l, i), w[i]);
	if (l->tail)
		tag_store(f->data + f->len - l->tail, l->tail, w[i]);
}

TAG_INLINE void tag_move_addrs(uint8_t *to, const uint8_t *from)
{
	uint64_t da;
	uint32_t sa;

	memcpy(&da, from, 8);
	memcpy(&sa, from + 8, 4);
	memcpy(to, &da, 8);
	memcpy(to + 8, &sa, 4);
}

/* -- fields ----------------------------------------------------------------- */

TAG_INLINE bool tag_in_tail(const struct tag_layout *l, const struct tag_field *fd)
{
	return fd->off >= l->head * 8;
}

TAG_INLINE unsigned int tag_word(const struct tag_layout *l, const struct tag_field *fd)
{
	return tag_in_tail(l, fd) ? tag_head_words(l) : fd->off / 64;
}

/* How far the field is from the right end of its word. */
TAG_INLINE unsigned int tag_shift(const struct tag_layout *l, const struct tag_field *fd)
{
	unsigned int bits, in;

	if (tag_in_tail(l, fd)) {
		bits = l->tail * 8;
		in = fd->off - l->head * 8;
	} else {
		bits = tag_word_bytes(l, fd->off / 64) * 8;
		in = fd->off % 64;
	}
	return bits - in - fd->width;
}

TAG_INLINE uint32_t tag_mask(const struct tag_field *fd)
{
	return UINT32_MAX >> (32 - fd->width);
}

TAG_INLINE bool tag_is_constant(const struct tag_field *fd)
{
	return fd->what == TV_CONST || fd->what == TV_FILL;
}

TAG_INLINE bool tag_carries(const struct tag_layout *l, enum tag_val val)
{
	bool found = false;
	unsigned int i;

	TAG_UNROLL
	for (i = 0; i < l->nfields; i++)
		found |= l->fields[i].what == val;
	return found;
}

/* The EtherType is the top of the first word. */
TAG_INLINE unsigned int tag_etype_shift(const struct tag_layout *l)
{
	return tag_word_bytes(l, 0) * 8 - 16;
}

TAG_INLINE uint32_t tag_get_val(const struct tag_vals *vals, enum tag_val what)
{
	switch (what) {
#define TAG_GET(ID, id) case TV_##ID: return vals->id;
	TAG_VALUES(TAG_GET)
#undef TAG_GET
	case TV_CONST:
	case TV_FILL:
		break;
	}
	return 0;
}

TAG_INLINE void tag_or_val(struct tag_vals *vals, enum tag_val what, uint32_t bits)
{
	switch (what) {
#define TAG_OR(ID, id) case TV_##ID: vals->id |= bits; break;
	TAG_VALUES(TAG_OR)
#undef TAG_OR
	case TV_CONST:
	case TV_FILL:
		break;
	}
}

/* -- values to words -------------------------------------------------------- */

TAG_INLINE bool tag_pack_code(const struct tag_field *fd, uint32_t val, uint32_t *code)
{
	unsigned int i;

	TAG_UNROLL
	for (i = 0; i < TAG_CODES; i++) {
		if (!fd->codes[i].name)
			break;
		if (fd->codes[i].val == val) {
			*code = fd->codes[i].code;
			return true;
		}
	}
	return false;
}

/* All bits of @what that the tag has a place for. */
TAG_INLINE uint32_t tag_cover(const struct tag_layout *l, enum tag_val what)
{
	uint32_t cover = 0;
	unsigned int i;

	TAG_UNROLL
	for (i = 0; i < l->nfields; i++)
		if (l->fields[i].what == what)
			cover |= tag_mask(&l->fields[i]) << l->fields[i].from;
	return cover;
}

/* -ERANGE when a value does not fit its field, or the two that it is split over. */
TAG_INLINE int tag_pack(const struct tag_layout *l, const struct tag_vals *vals, uint64_t *w)
{
	const struct tag_field *fd;
	uint32_t v, code, left = 0;
	unsigned int i;

	TAG_UNROLL
	for (i = 0; i < TAG_WORDS; i++)
		w[i] = 0;
	if (l->etype)
		w[0] = (uint64_t)l->etype << tag_etype_shift(l);
	TAG_UNROLL
	for (i = 0; i < l->nfields; i++) {
		fd = &l->fields[i];
		v = tag_is_constant(fd) ? fd->value : tag_get_val(vals, fd->what);
		if (fd->codes) {
			if (!tag_pack_code(fd, v, &code))
				return -ERANGE;
			v = code;
		} else if (!tag_is_constant(fd)) {
			left |= v & ~tag_cover(l, fd->what);
			v = v >> fd->from & tag_mask(fd);
		}
		w[tag_word(l, fd)] |= (uint64_t)v << tag_shift(l, fd);
	}
	return left ? -ERANGE : 0;
}

/* -- words to values -------------------------------------------------------- */

TAG_INLINE uint32_t tag_get(const struct tag_layout *l, const struct tag_field *fd,
			    const uint64_t *w)
{
	return w[tag_word(l, fd)] >> tag_shift(l, fd) & tag_mask(fd);
}

/* Is every constant where the table says? */
TAG_INLINE bool tag_matches(const struct tag_layout *l, const uint64_t *w)
{
	uint64_t diff[TAG_WORDS] = { 0 }, any = 0;
	const struct tag_field *fd;
	uint16_t etype;
	unsigned int i;

	if (l->etype) {
		etype = w[0] >> tag_etype_shift(l);
		if (etype != l->etype && (!l->etype_alt || etype != l->etype_alt))
			return false;
	}
	TAG_UNROLL
	for (i = 0; i < l->nfields; i++) {
		fd = &l->fields[i];
		if (fd->what == TV_CONST)
			diff[tag_word(l, fd)] |=
				(w[tag_word(l, fd)] ^ (uint64_t)fd->value << tag_shift(l, fd)) &
				(uint64_t)tag_mask(fd) << tag_shift(l, fd);
	}
	TAG_UNROLL
	for (i = 0; i < TAG_WORDS; i++)
		any |= diff[i];
	return !any;
}

TAG_INLINE bool tag_unpack_code(const struct tag_field *fd, uint32_t code, uint32_t *val)
{
	unsigned int i;

	TAG_UNROLL
	for (i = 0; i < TAG_CODES; i++) {
		if (!fd->codes[i].name)
			break;
		if (fd->codes[i].code == code) {
			*val = fd->codes[i].val;
			return true;
		}
	}
	return false;
}

/* False: a field holds a code that is not in its list. */
TAG_INLINE bool tag_unpack(const struct tag_layout *l, const uint64_t *w, struct tag_vals *vals)
{
	const struct tag_field *fd;
	bool known = true;
	unsigned int i;
	uint32_t v;

	*vals = (struct tag_vals) { 0 };
	TAG_UNROLL
	for (i = 0; i < l->nfields; i++) {
		fd = &l->fields[i];
		if (tag_is_constant(fd))
			continue;
		v = tag_get(l, fd, w);
		if (fd->codes && !tag_unpack_code(fd, v, &v))
			known = false;
		tag_or_val(vals, fd->what, v << fd->from);
	}
	return known;
}

/* -- meta and values -------------------------------------------------------- */

TAG_INLINE uint16_t tag_type_at_12(const struct frame *f)
{
	return tag_be16(f->data + TAG_ADDRS);
}

/* 1 + index of the frame's own TPID in the list, or 0. */
TAG_INLINE unsigned int tag_fused(const struct tag_layout *l, const struct frame *f)
{
	unsigned int i;

	if (!l->fuse || f->len < TAG_ETH_HLEN + TAG_VLAN_HLEN)
		return 0;
	for (i = 0; l->fuse[i]; i++)
		if (l->fuse[i] == tag_type_at_12(f))
			return i + 1;
	return 0;
}

TAG_INLINE int tag_vals_from_meta(const struct tag_layout *l, const struct tag_meta *m,
				  const struct frame *f, struct tag_vals *vals)
{
	bool tables = (m->forward && tag_carries(l, TV_FORWARD)) ||
		      (m->bridge && tag_carries(l, TV_BRIDGE));
	uint16_t type = tag_type_at_12(f);
	struct tag_vals *v = vals;

	*vals = (struct tag_vals) { 0 };
	v->portmap = tables ? 0 : m->ports;
	v->port = v->portmap ? __builtin_ctz(v->portmap) : 0;
	v->port_hint = v->port;
	if (tag_carries(l, TV_PORT) && !tables && (!m->ports || m->ports & (m->ports - 1)))
		return -ERANGE;
	v->device = m->device;
	v->bridge = m->bridge;
	v->vid = m->vid;
	v->prio = m->pcp;
	v->dei = m->dei;
	v->forward = m->forward;
	v->trap = m->trap;
	v->tagged = type == TAG_TPID_8021Q || type == TAG_TPID_8021AD;
	if (l->fuse && m->vlan) {
		v->vlan = tag_fused(l, f);
		if (!v->vlan)
			return -EPROTO;
	}
	return 0;
}

TAG_INLINE void tag_meta_from_vals(const struct tag_layout *l, enum tag_dir dir,
				   const struct tag_vals *vals, struct tag_meta *m)
{
	const struct tag_vals *v = vals;

	memset(m, 0, sizeof(*m));
	m->ports = tag_carries(l, TV_PORT) ? 1u << (v->port & 31) : v->portmap;
	if (v->forward || v->bridge)
		m->ports = 0;
	if (dir == TAG_TO_CPU)
		m->ports &= -m->ports;
	m->vid = v->vid;
	m->pcp = v->prio;
	m->device = v->device;
	m->bridge = v->bridge;
	m->vlan = v->vlan;
	m->dei = v->dei;
	m->trap = v->trap;
	m->forward = v->forward;
	if (dir == TAG_TO_CPU && tag_carries(l, TV_TRAP))
		m->forward = !m->trap;
}

/* -- writing ---------------------------------------------------------------- */

/* Zeros up to the layout's shortest frame. */
TAG_INLINE int tag_pad(const struct tag_layout *l, struct frame *f)
{
	size_t old = f->len;

	if (old >= l->pad)
		return 0;
	if (frame_put(f, l->pad - old))
		return -ENOBUFS;
	memset(f->data + old, 0, l->pad - old);
	return 0;
}

/* Room for the tag, with the addresses where they belong. */
TAG_INLINE int tag_grow(const struct tag_layout *l, struct frame *f, bool vlan)
{
	unsigned int front = l->head - (l->fuse && vlan ? TAG_VLAN_HLEN : 0);

	if (l->tail && frame_put(f, l->tail))
		return -ENOBUFS;
	if (!l->head)
		return 0;
	if (frame_push(f, front))
		return -ENOBUFS;
	if (l->pos != TAG_POS_HEAD)
		tag_move_addrs(f->data, f->data + front);
	return 0;
}

TAG_INLINE int tag_write(const struct tag_layout *l, const struct tag_meta *meta,
			 struct frame *frame)
{
	uint64_t w[TAG_WORDS];
	struct tag_vals vals;
	int err;

	err = tag_vals_from_meta(l, meta, frame, &vals);
	if (!err && l->pad)
		err = tag_pad(l, frame);
	if (!err && l->build)
		err = l->build(&vals, frame);
	if (!err)
		err = tag_pack(l, &vals, w);
	if (!err)
		err = tag_grow(l, frame, vals.vlan);
	if (!err)
		tag_store_words(l, frame, w);
	return err;
}

TAG_INLINE int tag_mover_push(const struct tag_spec *spec, enum tag_dir dir,
			      const struct tag_meta *meta, struct frame *frame)
{
	unsigned int i, picked = spec->pick && frame->len >= TAG_ETH_HLEN ?
				 spec->pick(dir, meta, frame) : 0;
	size_t len = frame->len;
	int err = -EMSGSIZE;

	if (len < TAG_ETH_HLEN)
		return -EMSGSIZE;
	TAG_UNROLL
	for (i = 0; i < TAG_VARIANTS; i++)
		if (spec->layout[dir][i] && i == picked)
			err = tag_write(spec->layout[dir][i], meta, frame);
	if (err)
		frame->len = len;	/* takes padding back */
	return err;
}

/* -- reading ---------------------------------------------------------------- */

TAG_INLINE bool tag_fits(const struct tag_layout *l, const struct frame *f)
{
	return f->len >= (size_t)TAG_ETH_HLEN + l->head + l->tail;
}

/* Takes the tag off, and puts the VLAN header that it had taken in back. */
TAG_INLINE void tag_shrink(const struct tag_layout *l, struct frame *f,
			   const struct tag_vals *vals)
{
	unsigned int vlan = l->fuse ? vals->vlan : 0;
	unsigned int front = l->head - (vlan ? TAG_VLAN_HLEN : 0);
	const struct tag_vals *v = vals;

	if (l->head && l->pos != TAG_POS_HEAD)
		tag_move_addrs(f->data + front, f->data);
	f->data += front;
	f->len -= front + l->tail;
	if (vlan)
		tag_store(f->data + TAG_ADDRS, TAG_VLAN_HLEN,
			  (uint64_t)l->fuse[vlan - 1] << 16 | v->prio << 13 |
			  v->dei << 12 | v->vid);
}

/* The words of a frame that has layout @l, read; -EPROTO if they make no sense. */
TAG_INLINE int tag_read(const struct tag_layout *l, enum tag_dir dir, const uint64_t *w,
			struct tag_meta *meta, struct frame *frame)
{
	struct tag_vals vals;

	if (!tag_unpack(l, w, &vals))
		return -EPROTO;
	if (l->parse && l->parse(&vals, frame))
		return -EPROTO;
	if (vals.port > 31)
		return -EPROTO;
	if (dir == TAG_TO_CPU && tag_carries(l, TV_PORTMAP) && !vals.portmap)
		return -EPROTO;
	tag_meta_from_vals(l, dir, &vals, meta);
	tag_shrink(l, frame, &vals);
	return 0;
}

#define TAG_OTHER	1	/* the frame does not have this layout */

TAG_INLINE int tag_try(const struct tag_layout *l, enum tag_dir dir,
		       struct tag_meta *meta, struct frame *frame)
{
	uint64_t w[TAG_WORDS] = { 0 };

	if (!l || !tag_fits(l, frame))
		return TAG_OTHER;
	tag_load_words(l, frame, w);
	return tag_matches(l, w) ? tag_read(l, dir, w, meta, frame) : TAG_OTHER;
}

/* Not a loop: what is behind the exit of one is not unrolled with it. */
TAG_INLINE int tag_mover_pull(const struct tag_spec *spec, enum tag_dir dir,
			      struct tag_meta *meta, struct frame *frame)
{
	const struct tag_layout *const *l = spec->layout[dir];
	int err;

	if (!tag_fits(l[0], frame))
		return -EMSGSIZE;
	err = tag_try(l[2], dir, meta, frame);
	if (err == TAG_OTHER)
		err = tag_try(l[1], dir, meta, frame);
	if (err == TAG_OTHER)
		err = tag_try(l[0], dir, meta, frame);
	return err == TAG_OTHER ? -EPROTO : err;
}

_Static_assert(TAG_VARIANTS == 3, "tag_mover_pull() tries each");

#endif
