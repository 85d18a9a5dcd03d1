// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * x86-64 instructions: length, loads, stores, branches, what may fault.
 *
 * One word of attributes per opcode, from the opcode maps of the Intel SDM
 * volume 2, appendix A (64-bit mode): does it have a ModRM byte, what does it
 * do to the operand that ModRM names, what else does it read or write (the
 * stack, the string pointers), which immediate follows.  Opcodes whose
 * attributes hang on ModRM's middle field are finished in group().
 *
 * Left out: XOP and 3DNow!'s sub-opcodes; an x87 or SSE memory operand is one
 * access whatever its width; gathers and scatters count one access.
 */
#include <errno.h>

#include "lab/insn.h"

#define BIT(n)	(1u << (n))

enum attr {
	M	= BIT(0),	/* ModRM follows */
	R	= BIT(1),	/* a memory operand is read */
	W	= BIT(2),	/* a memory operand is written */
	IB	= BIT(3),	/* 8-bit immediate */
	IW	= BIT(4),	/* 16-bit immediate */
	IZ	= BIT(5),	/* 16 or 32 bits, by operand size */
	IV	= BIT(6),	/* as IZ, 64 bits with REX.W */
	IA	= BIT(7),	/* an address: 64 bits, 32 with the 67 prefix */
	LDI	= BIT(8),	/* reads memory besides ModRM's operand */
	STI	= BIT(9),	/* writes memory besides ModRM's operand */
	J	= BIT(10),	/* branch */
	CC	= BIT(11),	/* conditional */
	CALL	= BIT(12),
	RET	= BIT(13),
	ERT	= BIT(14),	/* return from exception */
	XX	= BIT(15),	/* may trap without touching memory */
	STR	= BIT(16),	/* string instruction: repeats with F3, F2 */
	G	= BIT(17),	/* group(): ModRM's middle field decides */
	BAD	= BIT(18),	/* none in 64-bit mode */
	REG	= BIT(19),	/* ModRM always names registers (mov cr, mov dr) */
	RW	= R | W,
};

/* The eight arithmetic instructions of the first four rows. */
#define ALU(op, w)	[op] = M | (w), M | (w), M | R, M | R, IB, IZ

static const uint32_t map1[256] = {
	ALU(0x00, RW), BAD, BAD, ALU(0x08, RW), BAD, BAD,
	ALU(0x10, RW), BAD, BAD, ALU(0x18, RW), BAD, BAD,
	ALU(0x20, RW), BAD, BAD, ALU(0x28, RW), BAD, BAD,
	ALU(0x30, RW), BAD, BAD, ALU(0x38, R), BAD, BAD,
	[0x50 ... 0x57] = STI, [0x58 ... 0x5f] = LDI,
	[0x60 ... 0x62] = BAD, [0x63] = M | R,
	[0x68] = IZ | STI, [0x69] = M | R | IZ,
	[0x6a] = IB | STI, [0x6b] = M | R | IB,
	[0x6c ... 0x6d] = STI | STR | XX, [0x6e ... 0x6f] = LDI | STR | XX,
	[0x70 ... 0x7f] = IB | J | CC,
	[0x80] = M | G | IB, [0x81] = M | G | IZ, [0x82] = BAD, [0x83] = M | G | IB,
	[0x84 ... 0x85] = M | R, [0x86 ... 0x87] = M | RW,
	[0x88 ... 0x89] = M | W, [0x8a ... 0x8b] = M | R,
	[0x8c] = M | W, [0x8d] = M, [0x8e] = M | R | XX, [0x8f] = M | W | LDI,
	[0x9a] = BAD, [0x9b] = XX, [0x9c] = STI, [0x9d] = LDI | XX,
	[0xa0 ... 0xa1] = IA | LDI, [0xa2 ... 0xa3] = IA | STI,
	[0xa4 ... 0xa5] = LDI | STI | STR, [0xa6 ... 0xa7] = LDI | STR | G,
	[0xa8] = IB, [0xa9] = IZ,
	[0xaa ... 0xab] = STI | STR, [0xac ... 0xad] = LDI | STR,
	[0xae ... 0xaf] = LDI | STR,
	[0xb0 ... 0xb7] = IB, [0xb8 ... 0xbf] = IV,
	[0xc0 ... 0xc1] = M | RW | IB,
	[0xc2] = IW | J | RET | LDI, [0xc3] = J | RET | LDI,
	[0xc4 ... 0xc5] = BAD, [0xc6] = M | W | IB, [0xc7] = M | W | IZ,
	[0xc8] = IW | IB | STI, [0xc9] = LDI,
	[0xca] = IW | J | RET | LDI, [0xcb] = J | RET | LDI,
	[0xcc] = XX, [0xcd] = IB | XX, [0xce] = BAD, [0xcf] = J | ERT | LDI,
	[0xd0 ... 0xd3] = M | RW, [0xd4 ... 0xd6] = BAD, [0xd7] = LDI,
	[0xd8 ... 0xdf] = M | G | XX,
	[0xe0 ... 0xe3] = IB | J | CC,
	[0xe4 ... 0xe7] = IB | XX, [0xe8] = IZ | J | CALL | STI,
	[0xe9] = IZ | J, [0xea] = BAD, [0xeb] = IB | J, [0xec ... 0xef] = XX,
	[0xf1] = XX, [0xf4] = XX,
	[0xf6 ... 0xf7] = M | G, [0xfa ... 0xfb] = XX, [0xfe ... 0xff] = M | G,
};

/* After 0F.  What is not named here is an SSE or MMX load into a register. */
static const uint32_t map2[256] = {
	[0x00 ... 0x01] = M | G | XX, [0x02 ... 0x03] = M | R | XX,
	[0x04] = BAD, [0x05] = XX, [0x06] = XX, [0x07] = J | ERT,
	[0x08 ... 0x09] = XX, [0x0a] = BAD, [0x0b] = XX, [0x0c] = BAD,
	[0x0d] = M, [0x0e] = XX, [0x0f] = M | R | IB | XX,
	[0x10] = M | R | XX, [0x11] = M | W | XX, [0x12] = M | R | XX,
	[0x13] = M | W | XX, [0x14 ... 0x16] = M | R | XX, [0x17] = M | W | XX,
	[0x18 ... 0x1f] = M,
	[0x20 ... 0x23] = M | REG | XX, [0x24 ... 0x27] = BAD,
	[0x28] = M | R | XX, [0x29] = M | W | XX, [0x2a] = M | R | XX,
	[0x2b] = M | W | XX, [0x2c ... 0x2f] = M | R | XX,
	[0x30 ... 0x37] = XX,
	[0x38 ... 0x3f] = BAD,
	[0x40 ... 0x4f] = M | R,
	[0x50 ... 0x6f] = M | R | XX,
	[0x70 ... 0x73] = M | R | IB | XX, [0x74 ... 0x76] = M | R | XX,
	[0x77] = XX, [0x78] = M | W | XX, [0x79] = M | R | XX,
	[0x7a ... 0x7b] = M | R | XX, [0x7c ... 0x7d] = M | R | XX,
	[0x7e] = M | G | XX, [0x7f] = M | W | XX,
	[0x80 ... 0x8f] = IZ | J | CC, [0x90 ... 0x9f] = M | W,
	[0xa0] = STI, [0xa1] = LDI | XX, [0xa2] = XX, [0xa3] = M | R,
	[0xa4] = M | RW | IB, [0xa5] = M | RW, [0xa6 ... 0xa7] = BAD,
	[0xa8] = STI, [0xa9] = LDI | XX, [0xaa] = XX | ERT | J,
	[0xab] = M | RW, [0xac] = M | RW | IB, [0xad] = M | RW,
	[0xae] = M | G | XX, [0xaf] = M | R,
	[0xb0 ... 0xb1] = M | RW, [0xb2] = M | R | XX, [0xb3] = M | RW,
	[0xb4 ... 0xb5] = M | R | XX, [0xb6 ... 0xb8] = M | R, [0xb9] = M | R | XX,
	[0xba] = M | G | IB, [0xbb] = M | RW, [0xbc ... 0xbf] = M | R,
	[0xc0 ... 0xc1] = M | RW, [0xc2] = M | R | IB | XX, [0xc3] = M | W,
	[0xc4] = M | R | IB | XX, [0xc5] = M | R | IB | XX, [0xc6] = M | R | IB | XX,
	[0xc7] = M | G | XX,
	[0xd0 ... 0xd5] = M | R | XX, [0xd6] = M | W | XX,
	[0xd7 ... 0xe6] = M | R | XX, [0xe7] = M | W | XX,
	[0xe8 ... 0xff] = M | R | XX,
};

struct decoder {
	const uint8_t *p, *end;
	uint32_t attr;
	uint8_t op, modrm;
	unsigned int map;		/* 1, 2 (0F), 3 (0F 38), 4 (0F 3A) */
	bool opsize, addrsize, rep, repne, rex_w, vex, memory;
	uint32_t disp32;
};

static int next_byte(struct decoder *d, uint8_t *byte)
{
	if (d->p == d->end)
		return -EINVAL;
	*byte = *d->p++;
	return 0;
}

static bool is_prefix(struct decoder *d, uint8_t byte)
{
	switch (byte) {
	case 0x66:
		d->opsize = true;
		return true;
	case 0x67:
		d->addrsize = true;
		return true;
	case 0xf2:
		d->repne = true;
		return true;
	case 0xf3:
		d->rep = true;
		return true;
	case 0x26: case 0x2e: case 0x36: case 0x3e: case 0x64: case 0x65: case 0xf0:
		return true;
	}
	return false;
}

/* VEX (C4, C5) and EVEX (62) carry the map and the prefixes in their payload. */
static int vex_prefix(struct decoder *d, uint8_t first)
{
	unsigned int payload = first == 0xc5 ? 1 : first == 0xc4 ? 2 : 3;
	unsigned int map;

	if ((size_t)(d->end - d->p) < payload + 1)
		return -EINVAL;
	map = first == 0xc5 ? 1 : d->p[0] & (first == 0xc4 ? 0x1f : 7);
	d->rex_w = first != 0xc5 && (d->p[1] & 0x80);
	d->rep = (d->p[payload == 1 ? 0 : 1] & 3) == 2;
	d->vex = true;
	d->p += payload;
	d->map = map + 1;
	return map >= 1 && map <= 6 ? next_byte(d, &d->op) : -EINVAL;
}

static int opcode(struct decoder *d)
{
	uint8_t byte;

	do {
		if (next_byte(d, &byte))
			return -EINVAL;
	} while (is_prefix(d, byte));
	if ((byte & 0xf0) == 0x40) {
		d->rex_w = byte & 8;
		if (next_byte(d, &byte))
			return -EINVAL;
	}
	if (byte == 0xc4 || byte == 0xc5 || byte == 0x62)
		return vex_prefix(d, byte);
	d->map = 1;
	d->op = byte;
	if (byte != 0x0f)
		return 0;
	d->map = 2;
	if (next_byte(d, &d->op))
		return -EINVAL;
	if (d->op != 0x38 && d->op != 0x3a)
		return 0;
	d->map = d->op == 0x38 ? 3 : 4;
	return next_byte(d, &d->op);
}

static uint32_t map3_attr(const struct decoder *d)
{
	/* 0F 38 F1 stores only as movbe; with F2 it is crc32, with VEX arithmetic */
	if (d->op == 0xf1 && !d->repne && !d->vex)
		return M | W;
	if (d->vex && (d->op == 0x2e || d->op == 0x2f || d->op == 0x8e))
		return M | W | XX;		/* masked stores */
	return M | R | XX;
}

static uint32_t opcode_attr(const struct decoder *d)
{
	switch (d->map) {
	case 1:
		return map1[d->op];
	case 2:
		return map2[d->op];
	case 4:
		return (d->op & 0xfc) == 0x14 ? M | W | IB | XX : M | R | IB | XX;
	}
	return map3_attr(d);			/* 3, and EVEX's 5 and 6 */
}

/* ModRM, SIB, displacement. */
static int modrm(struct decoder *d)
{
	unsigned int mod, rm, disp = 0;
	uint8_t sib;

	if (next_byte(d, &d->modrm))
		return -EINVAL;
	mod = d->attr & REG ? 3 : d->modrm >> 6;
	rm = d->modrm & 7;
	d->memory = mod != 3;
	if (!d->memory)
		return 0;
	if (rm == 4) {
		if (next_byte(d, &sib))
			return -EINVAL;
		if (mod == 0 && (sib & 7) == 5)
			disp = 4;
	}
	if (mod == 1)
		disp = 1;
	else if (mod == 2 || (mod == 0 && rm == 5))
		disp = 4;
	if ((size_t)(d->end - d->p) < disp)
		return -EINVAL;
	if (disp == 4)
		d->disp32 = d->p[0] | d->p[1] << 8 | d->p[2] << 16 | (uint32_t)d->p[3] << 24;
	d->p += disp;
	return 0;
}

/* x87: the middle field says which of the eight memory forms stores. */
static uint32_t x87_attr(const struct decoder *d)
{
	static const uint8_t stores[8] = {
		0x00, 0xcc, 0x00, 0x8e, 0x00, 0xce, 0x00, 0xce,
	};

	return stores[d->op & 7] & BIT(d->modrm >> 3 & 7) ? W : R;
}

/* The middle field of FF: inc, dec, call, far call, jmp, far jmp, push. */
static uint32_t group5_attr(unsigned int reg)
{
	static const uint32_t attr[8] = {
		RW, RW, R | J | CALL | STI, R | J | CALL | STI, R | J, R | J,
		R | STI, BAD,
	};

	return attr[reg];
}

static uint32_t group15_attr(const struct decoder *d, unsigned int reg)
{
	static const uint32_t attr[8] = { W, R, R, W, W, R, W, 0 };

	return d->memory ? attr[reg] : 0;
}

static uint32_t group_map2(const struct decoder *d, unsigned int reg)
{
	switch (d->op) {
	case 0x00:
		return reg < 2 ? W : R;
	case 0x01:				/* sgdt, sidt, smsw store; invlpg neither */
		return reg == 7 ? 0 : reg < 2 || reg == 4 ? W : R;
	case 0x7e:
		return d->rep ? R : W;
	case 0xae:
		return group15_attr(d, reg);
	case 0xba:
		return reg == 4 ? R : RW;
	}
	return reg == 1 ? RW : reg == 3 || reg == 6 ? R : W;	/* C7 */
}

static uint32_t group(const struct decoder *d)
{
	unsigned int reg = d->modrm >> 3 & 7;

	if (d->map == 2)
		return group_map2(d, reg);
	switch (d->op) {
	case 0x80: case 0x81: case 0x83:
		return reg == 7 ? R : RW;
	case 0xf6:
		return reg < 2 ? R | IB : reg < 4 ? RW : reg < 6 ? R : R | XX;
	case 0xf7:
		return reg < 2 ? R | IZ : reg < 4 ? RW : reg < 6 ? R : R | XX;
	case 0xfe:
		return reg < 2 ? RW : BAD;
	case 0xff:
		return group5_attr(reg);
	}
	return d->op >= 0xd8 ? x87_attr(d) : 0;
}

static unsigned int immediate_len(const struct decoder *d)
{
	unsigned int n = 0, z = d->opsize && !d->rex_w ? 2 : 4;

	if (d->attr & J)
		z = 4;				/* near branches have 32 bits always */
	if (d->attr & IB)
		n += 1;
	if (d->attr & IW)
		n += 2;
	if (d->attr & IZ)
		n += z;
	if (d->attr & IV)
		n += d->rex_w ? 8 : z;
	if (d->attr & IA)
		n += d->addrsize ? 4 : 8;
	return n;
}

static uint64_t branch_target(const struct decoder *d, uint64_t next)
{
	const uint8_t *p = d->p;

	if (d->attr & M || !(d->attr & (IB | IZ)))
		return 0;
	if (d->attr & IB)
		return next + (int64_t)(int8_t)p[-1];
	return next + (int64_t)(int32_t)(p[-4] | p[-3] << 8 | p[-2] << 16 | (uint32_t)p[-1] << 24);
}

static const struct { uint32_t attr; unsigned int flag; } flag_map[] = {
	{ J, INSN_BRANCH }, { CC, INSN_COND }, { CALL, INSN_CALL }, { RET, INSN_RET },
	{ ERT, INSN_ERET }, { XX | ERT | LDI | STI, INSN_EXIT },
};

static void fill(const struct decoder *d, uint64_t pc, struct insn *insn)
{
	uint32_t a = d->attr;
	size_t i;

	for (i = 0; i < sizeof(flag_map) / sizeof(flag_map[0]); i++)
		if (a & flag_map[i].attr)
			insn->flags |= flag_map[i].flag;
	insn->loads = !!(a & LDI) + (d->memory && (a & R));
	insn->stores = !!(a & STI) + (d->memory && (a & W));
	if (d->map == 1 && (d->op & 0xfe) == 0xa6)
		insn->loads = 2;		/* cmps */
	if (insn->loads || insn->stores)
		insn->flags |= INSN_EXIT;
	if ((a & STR) && (d->rep || d->repne))
		insn->flags |= INSN_REP;
	if ((a & J) && (a & M))
		insn->flags |= INSN_INDIRECT;
	if ((a & J) && !(a & (M | RET | ERT)))
		insn->target = branch_target(d, pc + insn->len);
	if (d->map == 2 && d->op == 0x1f && d->modrm == 0x80 &&
	    (d->disp32 & ~0xffu) == INSN_MARK_X86) {
		insn->flags |= INSN_MARK;
		insn->mark = d->disp32 & 0xff;
	}
}

int insn_decode_x86(const uint8_t *code, size_t avail, uint64_t pc,
		    struct insn *insn)
{
	struct decoder d = { .p = code, .end = code + (avail < 15 ? avail : 15) };
	unsigned int n;

	*insn = (struct insn){ .len = 1 };
	if (opcode(&d))
		return -EINVAL;
	d.attr = opcode_attr(&d);
	if (d.vex && d.map == 2 && d.op == 0x77)
		d.attr = XX;			/* vzeroupper has no ModRM */
	else if (d.vex)
		d.attr |= M | XX;
	if ((d.attr & M) && modrm(&d))
		return -EINVAL;
	if (d.attr & G)
		d.attr |= group(&d);
	if (d.attr & BAD)
		return -EINVAL;
	n = immediate_len(&d);
	if ((size_t)(d.end - d.p) < n)
		return -EINVAL;
	d.p += n;
	insn->len = d.p - code;
	fill(&d, pc, insn);
	return 0;
}

/*
 * A call ends in its displacement (E8) or in the ModRM of FF /2, with 0, 1 or
 * 4 bytes of displacement and perhaps a SIB byte.
 */
bool insn_after_call_x86(const uint8_t *before, size_t n)
{
	unsigned int back;

	if (n < 7)
		return true;
	if (before[n - 5] == 0xe8)
		return true;
	for (back = 2; back <= 7; back++)
		if (before[n - back] == 0xff && (before[n - back + 1] & 0x38) == 0x10)
			return true;
	return false;
}
