/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One machine instruction, as far as counting and call graphs need it: its
 * length, what it does to memory and to the program counter.  Not a
 * disassembler: operands are not told.
 *
 * Plain C without a library, because the TCG plugin links it too: what the
 * plugin counts and what the ELF reader finds must be one and the same thing.
 */
#ifndef TAGRIG_LAB_INSN_H
#define TAGRIG_LAB_INSN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum insn_flag {
	INSN_BRANCH	= 1 << 0,	/* may move the pc elsewhere: jumps, calls, returns */
	INSN_COND	= 1 << 1,	/* a branch that may also fall through */
	INSN_CALL	= 1 << 2,
	INSN_RET	= 1 << 3,
	INSN_INDIRECT	= 1 << 4,	/* a jump or call through a register or memory */
	INSN_ERET	= 1 << 5,	/* returns from an exception: eret, iret, sysret */
	INSN_EXIT	= 1 << 6,	/* may be left before it ends: a fault, a trap */
	INSN_REP	= 1 << 7,	/* an x86 string instruction with a repeat prefix */
	INSN_MARK	= 1 << 8,	/* the rig's own no-op, see insn_marker */
};

struct insn {
	unsigned int len;	/* bytes, >= 1 */
	unsigned int flags;	/* enum insn_flag */
	unsigned int loads;	/* memory operands read: ldp is one, cmps two */
	unsigned int stores;	/* memory operands written; read-modify-write is both */
	uint64_t target;	/* of a direct branch; else 0 */
	uint8_t mark;		/* with INSN_MARK: its number */
};

/*
 * Decodes the instruction at @code (@avail bytes), which runs at address @pc.
 * 0, or -EINVAL when there are too few bytes or it is none that we know (the
 * x86 decoder knows every opcode map of 64-bit mode but XOP; the arm64 one
 * takes any word, and does not tell SVE's and SME's loads from arithmetic).
 */
typedef int insn_decode_fn(const uint8_t *code, size_t avail, uint64_t pc,
			   struct insn *insn);

insn_decode_fn insn_decode_arm64, insn_decode_x86;

/* By the name of QEMU's target or of the kernel's ARCH; NULL: none of ours. */
insn_decode_fn *insn_decoder(const char *arch);

/*
 * Can the instruction that ends just before an address be a call?  @before
 * has the @n bytes (at most 7 matter) below the address.  x86 cannot be read
 * backwards: there "yes" may be wrong, "no" never is.
 */
bool insn_after_call_arm64(const uint8_t *before, size_t n);
bool insn_after_call_x86(const uint8_t *before, size_t n);

/*
 * The rig's marker, which a guest program executes to open and close a window:
 *	arm64	mov	xzr, #0x5400 + n
 *	x86	nopl	0x54524700 + n(%rax)
 * It does nothing on any CPU, needs no privilege, and no compiler emits it.
 * 0 closes the window, 1..INSN_MARK_WINDOWS opens the window of that number.
 */
#define INSN_MARK_WINDOWS	16
#define INSN_MARK_ARM64		0x5400u
#define INSN_MARK_X86		0x54524700u

#endif
