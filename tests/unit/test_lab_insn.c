// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The instruction decoders: each row is what an assembler made of the text
 * beside it, and what the manuals say that it does.  Lengths over whole
 * libraries were compared with objdump when the tables were written; here is
 * one row per attribute that the tables can get wrong.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "lab/insn.h"

#define BR	INSN_BRANCH
#define COND	(INSN_BRANCH | INSN_COND)
#define EX	INSN_EXIT

struct arm64_row {
	const char *text;
	uint32_t word;
	unsigned int flags, loads, stores;
	uint64_t target;
};

#define PC	0x1000u

static const struct arm64_row arm64_rows[] = {
	{ "nop",			0xd503201f, 0, 0, 0, 0 },
	{ "wfi",			0xd503207f, EX, 0, 0, 0 },
	{ "paciasp",			0xd503233f, 0, 0, 0, 0 },
	{ "add x0, x1, #4",		0x91001020, 0, 0, 0, 0 },
	{ "add x0, x1, x2",		0x8b020020, 0, 0, 0, 0 },
	{ "b +0x10",			0x14000004, BR, 0, 0, PC + 0x10 },
	{ "bl -4",			0x97ffffff, BR | INSN_CALL, 0, 0, PC - 4 },
	{ "b.eq +8",			0x54000040, COND, 0, 0, PC + 8 },
	{ "cbnz x3, -8",		0xb5ffffc3, COND, 0, 0, PC - 8 },
	{ "tbz w0, #3, +0x20",		0x36180100, COND, 0, 0, PC + 0x20 },
	{ "br x16",			0xd61f0200, BR | INSN_INDIRECT, 0, 0, 0 },
	{ "blr x8",			0xd63f0100, BR | INSN_INDIRECT | INSN_CALL, 0, 0, 0 },
	{ "ret",			0xd65f03c0, BR | INSN_RET, 0, 0, 0 },
	{ "retaa",			0xd65f0bff, BR | INSN_RET, 0, 0, 0 },
	{ "eret",			0xd69f03e0, BR | INSN_ERET | EX, 0, 0, 0 },
	{ "svc #0",			0xd4000001, EX, 0, 0, 0 },
	{ "mrs x0, sp_el0",		0xd5384100, 0, 0, 0, 0 },
	{ "mrs x0, cntvct_el0",		0xd53be040, EX, 0, 0, 0 },
	{ "ldr x0, [x1, #8]",		0xf9400420, EX, 1, 0, 0 },
	{ "ldrsw x0, [x1]",		0xb9800020, EX, 1, 0, 0 },
	{ "prfm pldl1keep, [x0]",	0xf9800000, EX, 0, 0, 0 },
	{ "str w0, [sp, #-16]!",	0xb81f0fe0, EX, 0, 1, 0 },
	{ "ldp x29, x30, [sp], #32",	0xa8c27bfd, EX, 1, 0, 0 },
	{ "stp x29, x30, [sp, #-32]!",	0xa9be7bfd, EX, 0, 1, 0 },
	{ "ldr q0, [x1]",		0x3dc00020, EX, 1, 0, 0 },
	{ "str q0, [x1]",		0x3d800020, EX, 0, 1, 0 },
	{ "ldr x0, 0x1008",		0x58000040, EX, 1, 0, 0 },
	{ "ldxr x0, [x1]",		0xc85f7c20, EX, 1, 0, 0 },
	{ "stxr w2, x0, [x1]",		0xc8027c20, EX, 0, 1, 0 },
	{ "ldar x0, [x1]",		0xc8dffc20, EX, 1, 0, 0 },
	{ "cas x2, x0, [x1]",		0xc8a27c20, EX, 1, 1, 0 },
	{ "ldadd x2, x0, [x1]",		0xf8220020, EX, 1, 1, 0 },
	{ "ldapr x0, [x1]",		0xf8bfc020, EX, 1, 0, 0 },
	{ "dc zva, x2",			0xd50b7422, EX, 0, 1, 0 },
	{ "mov xzr, #0x5403",		0xd28a807f, INSN_MARK, 0, 0, 0 },
	{ "mov x0, #0x5403",		0xd28a8060, 0, 0, 0, 0 },
};

struct x86_row {
	const char *text;
	const char *bytes;	/* a literal: its length is that of the instruction */
	size_t len;
	unsigned int flags, loads, stores;
	uint64_t target;
};

#define B(s)	s, sizeof(s) - 1

static const struct x86_row x86_rows[] = {
	{ "nop",			B("\x90"), 0, 0, 0, 0 },
	{ "mov %rax,(%rbx)",		B("\x48\x89\x03"), EX, 0, 1, 0 },
	{ "mov 8(%rsp),%rax",		B("\x48\x8b\x44\x24\x08"), EX, 1, 0, 0 },
	{ "mov %gs:0x10,%rax",		B("\x65\x48\x8b\x04\x25\x10\0\0\0"), EX, 1, 0, 0 },
	{ "mov 0x100(%rip),%eax",	B("\x8b\x05\0\1\0\0"), EX, 1, 0, 0 },
	{ "movabs $imm64,%rax",		B("\x48\xb8\1\2\3\4\5\6\7\x08"), 0, 0, 0, 0 },
	{ "mov $0x1234,%ax",		B("\x66\xb8\x34\x12"), 0, 0, 0, 0 },
	{ "movl $1,(%rax)",		B("\xc7\0\1\0\0\0"), EX, 0, 1, 0 },
	{ "lea 0x10(%rax,%rbx,4),%rcx",	B("\x48\x8d\x4c\x98\x10"), 0, 0, 0, 0 },
	{ "add %eax,(%rbx)",		B("\x01\x03"), EX, 1, 1, 0 },
	{ "lock incl (%rdi)",		B("\xf0\xff\x07"), EX, 1, 1, 0 },
	{ "cmp %eax,(%rbx)",		B("\x39\x03"), EX, 1, 0, 0 },
	{ "cmpl $5,(%rbx)",		B("\x83\x3b\x05"), EX, 1, 0, 0 },
	{ "testb $1,(%rdi)",		B("\xf6\x07\x01"), EX, 1, 0, 0 },
	{ "div %ecx",			B("\xf7\xf1"), EX, 0, 0, 0 },
	{ "neg %ecx",			B("\xf7\xd9"), 0, 0, 0, 0 },
	{ "push %rbp",			B("\x55"), EX, 0, 1, 0 },
	{ "pop (%rax)",			B("\x8f\0"), EX, 1, 1, 0 },
	{ "je .+7",			B("\x74\x05"), COND, 0, 0, PC + 7 },
	{ "jne .-0xfa",			B("\x0f\x85\0\xff\xff\xff"), COND, 0, 0, PC + 6 - 0x100 },
	{ "jmp .+0x15",			B("\xe9\x10\0\0\0"), BR, 0, 0, PC + 5 + 0x10 },
	{ "call .",			B("\xe8\xfb\xff\xff\xff"), BR | INSN_CALL | EX, 0, 1, PC },
	{ "call *%rax",			B("\xff\xd0"), BR | INSN_INDIRECT | INSN_CALL | EX, 0, 1, 0 },
	{ "call *8(%rax)",		B("\xff\x50\x08"), BR | INSN_INDIRECT | INSN_CALL | EX, 1, 1, 0 },
	{ "jmp *%rax",			B("\xff\xe0"), BR | INSN_INDIRECT, 0, 0, 0 },
	{ "ret",			B("\xc3"), BR | INSN_RET | EX, 1, 0, 0 },
	{ "iretq",			B("\x48\xcf"), BR | INSN_ERET | EX, 1, 0, 0 },
	{ "sysretq",			B("\x48\x0f\x07"), BR | INSN_ERET | EX, 0, 0, 0 },
	{ "rep movsq",			B("\xf3\x48\xa5"), INSN_REP | EX, 1, 1, 0 },
	{ "stos %al",			B("\xaa"), EX, 0, 1, 0 },
	{ "repe cmpsb",			B("\xf3\xa6"), INSN_REP | EX, 2, 0, 0 },
	{ "bt %eax,(%rdi)",		B("\x0f\xa3\x07"), EX, 1, 0, 0 },
	{ "btsl $3,(%rdi)",		B("\x0f\xba\x2f\x03"), EX, 1, 1, 0 },
	{ "lock cmpxchg %edx,(%rdi)",	B("\xf0\x0f\xb1\x17"), EX, 1, 1, 0 },
	{ "movzbl (%rax),%eax",		B("\x0f\xb6\0"), EX, 1, 0, 0 },
	{ "sete (%rax)",		B("\x0f\x94\0"), EX, 0, 1, 0 },
	{ "prefetcht0 (%rax)",		B("\x0f\x18\x08"), 0, 0, 0, 0 },
	{ "mov %cr3,%rax",		B("\x0f\x20\xd8"), EX, 0, 0, 0 },
	{ "crc32q (%rax),%rbx",		B("\xf2\x48\x0f\x38\xf1\x18"), EX, 1, 0, 0 },
	{ "movbe %eax,(%rbx)",		B("\x0f\x38\xf1\x03"), EX, 0, 1, 0 },
	{ "vmovdqu %ymm0,(%rax)",	B("\xc5\xfe\x7f\0"), EX, 0, 1, 0 },
	{ "vzeroupper",			B("\xc5\xf8\x77"), EX, 0, 0, 0 },
	{ "vmovdqu64 (%rax),%zmm0",	B("\x62\xf1\xfe\x48\x6f\0"), EX, 1, 0, 0 },
	{ "fxsave (%rax)",		B("\x0f\xae\0"), EX, 0, 1, 0 },
	{ "mfence",			B("\x0f\xae\xf0"), EX, 0, 0, 0 },
	{ "endbr64",			B("\xf3\x0f\x1e\xfa"), 0, 0, 0, 0 },
	{ "nopl 0x54524702(%rax)",	B("\x0f\x1f\x80\x02\x47\x52\x54"), INSN_MARK, 0, 0, 0 },
	{ "nopl 0(%rax)",		B("\x0f\x1f\x80\0\0\0\0"), 0, 0, 0, 0 },
};

static void check_row(const char *text, int err, const struct insn *insn, size_t len,
		      unsigned int flags, unsigned int loads, unsigned int stores,
		      uint64_t target)
{
	if (err || insn->len != len || insn->flags != flags || insn->loads != loads ||
	    insn->stores != stores || insn->target != target)
		fail_msg("%s: %d, length %u, flags %#x, loads %u, stores %u, target %#lx",
			 text, err, insn->len, insn->flags, insn->loads, insn->stores,
			 (unsigned long)insn->target);
}

static void arm64_table(void **state)
{
	struct insn insn;
	size_t i;
	int err;

	(void)state;
	for (i = 0; i < sizeof(arm64_rows) / sizeof(arm64_rows[0]); i++) {
		const struct arm64_row *r = &arm64_rows[i];
		uint8_t b[4] = { r->word, r->word >> 8, r->word >> 16, r->word >> 24 };

		err = insn_decode_arm64(b, sizeof(b), PC, &insn);
		check_row(r->text, err, &insn, 4, r->flags, r->loads, r->stores, r->target);
	}
}

static void x86_table(void **state)
{
	struct insn insn;
	size_t i;
	int err;

	(void)state;
	for (i = 0; i < sizeof(x86_rows) / sizeof(x86_rows[0]); i++) {
		const struct x86_row *r = &x86_rows[i];

		err = insn_decode_x86((const uint8_t *)r->bytes, r->len, PC, &insn);
		check_row(r->text, err, &insn, r->len, r->flags, r->loads, r->stores, r->target);
	}
}

/* Every instruction cut short is an error, never a read behind the end. */
static void truncated(void **state)
{
	struct insn insn;
	size_t i, n;

	(void)state;
	assert_int_equal(insn_decode_arm64((const uint8_t *)"\x1f\x20\x03", 3, 0, &insn), -EINVAL);
	for (i = 0; i < sizeof(x86_rows) / sizeof(x86_rows[0]); i++)
		for (n = 0; n < x86_rows[i].len; n++) {
			uint8_t part[16];

			memcpy(part, x86_rows[i].bytes, n);
			/* a prefix of an instruction may be one itself: then it ends in time */
			if (insn_decode_x86(part, n, 0, &insn) == 0)
				assert_true(insn.len <= n);
		}
}

static void invalid(void **state)
{
	static const struct { const char *b; size_t n; } rows[] = {
		{ B("\x06") }, { B("\x0f\x04") }, { B("\xff\xf8") }, { B("\xea\0\0\0\0\0\0") },
		{ B("\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x90") },
	};
	struct insn insn;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(insn_decode_x86((const uint8_t *)rows[i].b, rows[i].n, 0, &insn),
				 -EINVAL);
}

static void after_call(void **state)
{
	(void)state;
	assert_true(insn_after_call_arm64((const uint8_t *)"\xff\xff\xff\x97", 4));
	assert_false(insn_after_call_arm64((const uint8_t *)"\x1f\x20\x03\xd5", 4));
	assert_true(insn_after_call_arm64(NULL, 0));
	assert_true(insn_after_call_x86((const uint8_t *)"\x90\x90\xe8\1\2\3\4", 7));
	assert_true(insn_after_call_x86((const uint8_t *)"\x90\x90\x90\x90\x90\xff\xd0", 7));
	assert_true(insn_after_call_x86((const uint8_t *)"\x90\x90\x90\x90\xff\x50\x08", 7));
	assert_false(insn_after_call_x86((const uint8_t *)"\x90\x90\x90\x90\x90\x90\x90", 7));
	assert_true(insn_after_call_x86(NULL, 0));
}

static void names(void **state)
{
	(void)state;
	assert_ptr_equal(insn_decoder("aarch64"), insn_decode_arm64);
	assert_ptr_equal(insn_decoder("x86_64"), insn_decode_x86);
	assert_null(insn_decoder("s390x"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arm64_table),
		cmocka_unit_test(x86_table),
		cmocka_unit_test(truncated),
		cmocka_unit_test(invalid),
		cmocka_unit_test(after_call),
		cmocka_unit_test(names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
