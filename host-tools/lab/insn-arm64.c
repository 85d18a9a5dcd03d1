// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * arm64 instructions: which load, store, branch, or may trap.
 *
 * The encodings are those of the Arm Architecture Reference Manual (DDI 0487),
 * chapter C4: bits 28..25 name the group, each group has its own table.
 *
 * Left out: SVE and SME loads and stores (a kernel's own code has none) count
 * as arithmetic; tag stores of MTE count as stores, tag loads as loads.
 */
#include <errno.h>

#include "lab/insn.h"

#define BITS(w, hi, lo)	(((w) >> (lo)) & ((1u << ((hi) - (lo) + 1)) - 1))

static int64_t sign_extend(uint32_t v, unsigned int bits)
{
	return (int64_t)((uint64_t)v << (64 - bits)) >> (64 - bits);
}

struct pattern {
	uint32_t mask, value;
	unsigned int flags;
};

static const struct pattern *match(const struct pattern *p, uint32_t w)
{
	while ((w & p->mask) != p->value)
		p++;
	return p;
}

/*
 * Branches, exceptions and system instructions.  Reading the two registers in
 * which Linux keeps `current` and the per-CPU base never traps at EL1; the
 * hints do nothing but wait.
 */
static const struct pattern system_table[] = {
	{ 0xfc000000, 0x14000000, INSN_BRANCH },			/* b */
	{ 0xfc000000, 0x94000000, INSN_BRANCH | INSN_CALL },		/* bl */
	{ 0xff000000, 0x54000000, INSN_BRANCH | INSN_COND },		/* b.cond */
	{ 0x7e000000, 0x34000000, INSN_BRANCH | INSN_COND },		/* cbz, cbnz */
	{ 0x7e000000, 0x36000000, INSN_BRANCH | INSN_COND },		/* tbz, tbnz */
	{ 0xfee00000, 0xd6000000, INSN_BRANCH | INSN_INDIRECT },	/* br */
	{ 0xfee00000, 0xd6200000, INSN_BRANCH | INSN_INDIRECT | INSN_CALL },
	{ 0xfee00000, 0xd6400000, INSN_BRANCH | INSN_RET },		/* ret */
	{ 0xfee00000, 0xd6800000, INSN_BRANCH | INSN_ERET | INSN_EXIT },
	{ 0xffffffe0, 0xd5384100, 0 },					/* mrs sp_el0 */
	{ 0xffffffe0, 0xd538d080, 0 },					/* mrs tpidr_el1 */
	{ 0xffffff9f, 0xd503201f, INSN_EXIT },				/* nop to wfi: see below */
	{ 0xfffff01f, 0xd503201f, 0 },					/* other hints */
	{ 0, 0, INSN_EXIT },
};

static bool plain_nop(uint32_t w)
{
	return w == 0xd503201f;
}

static uint64_t direct_target(uint32_t w, uint64_t pc)
{
	if ((w & 0x7c000000) == 0x14000000)
		return pc + sign_extend(BITS(w, 25, 0), 26) * 4;
	if ((w & 0x7e000000) == 0x36000000)
		return pc + sign_extend(BITS(w, 18, 5), 14) * 4;
	return pc + sign_extend(BITS(w, 23, 5), 19) * 4;
}

static void decode_system(uint32_t w, uint64_t pc, struct insn *insn)
{
	insn->flags = plain_nop(w) ? 0 : match(system_table, w)->flags;
	if ((insn->flags & INSN_BRANCH) &&
	    !(insn->flags & (INSN_INDIRECT | INSN_RET | INSN_ERET)))
		insn->target = direct_target(w, pc);
	if ((w & ~0x1fu) == 0xd50b7420)		/* dc zva writes a block of zeros */
		insn->stores = 1;
}

enum access { NONE, LD, ST, LDST };

static enum access by_l_bit(uint32_t w)
{
	return BITS(w, 22, 22) ? LD : ST;
}

/* Exclusives, load-acquire and store-release, compare-and-swap. */
static enum access exclusive(uint32_t w)
{
	bool o2 = BITS(w, 23, 23), o1 = BITS(w, 21, 21);

	if (o1 && (o2 || !BITS(w, 31, 31)))
		return LDST;			/* cas, casp */
	return by_l_bit(w);
}

/* ldadd, swp and their kind; o3 set holds the odd ones. */
static enum access atomic(uint32_t w)
{
	static const enum access odd[8] = { LDST, ST, ST, ST, LD, LD, LDST, LDST };

	return BITS(w, 15, 15) ? odd[BITS(w, 14, 12)] : LDST;
}

/* ldr, str and their kind, all sizes, all addressing modes. */
static enum access single(uint32_t w)
{
	unsigned int opc = BITS(w, 23, 22), size = BITS(w, 31, 30);

	if (!BITS(w, 24, 24) && BITS(w, 21, 21) && BITS(w, 11, 10) == 0)
		return atomic(w);
	if (!BITS(w, 24, 24) && BITS(w, 21, 21) && BITS(w, 10, 10))
		return LD;			/* ldraa, ldrab */
	if (BITS(w, 26, 26))
		return opc & 1 ? LD : ST;	/* SIMD and FP registers */
	if (opc == 2 && size == 3)
		return NONE;			/* prfm */
	return opc ? LD : ST;
}

/* Load literal, unscaled acquire-release, memory tags, memory copies. */
static enum access literal_and_rest(uint32_t w)
{
	unsigned int opc = BITS(w, 23, 22);

	if (!BITS(w, 24, 24))
		return BITS(w, 31, 30) == 3 && !BITS(w, 26, 26) ? NONE : LD;
	if (BITS(w, 21, 21))			/* MTE: ldg and ldgm are odd, op2 0 */
		return (opc & 1) && BITS(w, 11, 10) == 0 ? LD : ST;
	if (BITS(w, 11, 10) == 1)		/* cpy, set */
		return opc == 3 ? ST : LDST;
	return opc ? LD : ST;
}

static enum access memory_access(uint32_t w)
{
	switch (BITS(w, 29, 27)) {
	case 1:		/* bit 26: SIMD structures, by L; else exclusives */
		return BITS(w, 26, 26) ? by_l_bit(w) : exclusive(w);
	case 3:
		return literal_and_rest(w);
	case 5:		/* pairs */
		return by_l_bit(w);
	case 7:
		return single(w);
	}
	return NONE;
}

static void decode_memory(uint32_t w, struct insn *insn)
{
	enum access a = memory_access(w);

	insn->flags = INSN_EXIT;
	insn->loads = a == LD || a == LDST;
	insn->stores = a == ST || a == LDST;
}

static void decode_marker(uint32_t w, struct insn *insn)
{
	uint32_t imm = BITS(w, 20, 5);

	if ((w & 0xffe0001f) != 0xd280001f || (imm & ~0xffu) != INSN_MARK_ARM64)
		return;
	insn->flags |= INSN_MARK;
	insn->mark = imm & 0xff;
}

int insn_decode_arm64(const uint8_t *code, size_t avail, uint64_t pc,
		      struct insn *insn)
{
	uint32_t w, group;

	if (avail < 4)
		return -EINVAL;
	w = code[0] | code[1] << 8 | code[2] << 16 | (uint32_t)code[3] << 24;
	*insn = (struct insn){ .len = 4 };
	group = BITS(w, 28, 25);
	if ((group & 0xe) == 0x8)		/* immediate arithmetic */
		decode_marker(w, insn);
	else if ((group & 0xe) == 0xa)
		decode_system(w, pc, insn);
	else if ((group & 0x5) == 0x4)
		decode_memory(w, insn);
	else if ((group & 0x7) != 0x5)		/* not register arithmetic: FP, SVE, none */
		insn->flags = INSN_EXIT;
	return 0;
}

bool insn_after_call_arm64(const uint8_t *before, size_t n)
{
	struct insn insn;

	return n < 4 || insn_decode_arm64(before + n - 4, 4, 0, &insn) ||
	       (insn.flags & INSN_CALL);
}
