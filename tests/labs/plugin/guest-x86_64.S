/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A guest without an operating system, for the counting plugin on x86-64; its
 * like for arm64 is guest-arm64.S, and counts are in expected-x86_64.
 *
 * Entered through PVH (-kernel) in 32-bit mode, goes to 64-bit mode with the
 * first gigabyte mapped one to one, and ends in a triple fault: run QEMU with
 * -no-reboot.
 */
	.macro fn name
	.balign	64
	.globl	\name
	.type	\name, @function
\name:
	.endm
	.macro end name
	.size	\name, . - \name
	.endm
	.macro mark n
	nopl	0x54524700 + \n(%rax)
	.endm

	.section .note.pvh, "a", @note
	.long	4, 4, 18			/* XEN_ELFNOTE_PHYS32_ENTRY */
	.asciz	"Xen"
	.long	entry32

	.text
	.code32
	.globl	entry32
	.type	entry32, @function
entry32:
	mov	$pml4, %eax
	mov	%eax, %cr3
	mov	%cr4, %eax
	or	$0x620, %eax			/* PAE, FXSR */
	mov	%eax, %cr4
	mov	$0xc0000080, %ecx		/* EFER: LME, SCE */
	rdmsr
	or	$0x101, %eax
	wrmsr
	mov	%cr0, %eax
	or	$0x80000001, %eax
	mov	%eax, %cr0
	lgdt	gdt_pointer
	ljmp	$8, $_start
	.size	entry32, . - entry32

	.code64
fn _start
	mov	$16, %eax
	mov	%eax, %ss
	mov	$stack_a, %rsp
	lidt	idt_pointer(%rip)
	mark	0			/* with start=marker: awake */
	call	leaf			/* outside every window: in no count */
	mark	1
	call	calls
	mark	0
	mark	2
	mov	$4, %eax
	call	recurse
	xor	%ecx, %ecx
	call	looper
	call	tail
	mark	0
	mark	3
	call	traps
	mark	0
	mark	4
	call	tasks
	mark	0
	mark	5
	call	strings
	mark	0
	mark	6
	call	patterns
	mark	0
	mark	7
	call	interrupted
	mark	0
	lidt	no_idt(%rip)
	ud2				/* triple fault */
1:	jmp	1b
end _start

/* 2 + 10 * 3 + 1 = 33 own, 93 inclusive */
fn calls
	mov	$10, %ebx
	lea	leaf(%rip), %r12
1:	call	*%r12
	dec	%ebx
	jnz	1b
	ret
end calls

/* 6 own: 3 loads (ret is one), 2 stores */
fn leaf
	lea	cell(%rip), %rcx
	mov	(%rcx), %rdx
	add	$1, %rdx
	mov	%rdx, (%rcx)
	addq	$1, 8(%rcx)
	ret
end leaf

/* n > 0: 5, n = 0: 3.  With n = 4: 23, five calls */
fn recurse
	test	%eax, %eax
	jz	1f
	dec	%eax
	call	recurse
1:	ret
end recurse

/* its loop begins at its first instruction: 5 * 3 + 1 = 16, one call */
fn looper
	inc	%ecx
	cmp	$5, %ecx
	jne	looper
	ret
end looper

/* 1 own, 7 inclusive: leaf returns for it */
fn tail
	jmp	leaf
end tail

/*
 * A trap and a load from where no memory is, inside a watched function.  The
 * faulting load counts twice; the handler's instructions are not ours.
 * 7 own with the repeated load, 13 inclusive with one leaf.
 */
fn traps
	movabs	$nowhere, %rsi
	int	$0x80
	call	leaf
	mov	(%rsi), %rdx
	nop
	ret
end traps

/*
 * Two tasks: 5 own, and 3 of the switch back; what the second does is not in
 * it, nor in the window, which is the first one's.
 */
fn tasks
	lea	task_a(%rip), %rdi
	lea	task_b(%rip), %rsi
	movq	$stack_b - 8, (%rsi)
	call	switch_to
	ret
end tasks

/* Save here, go there: 3 own */
fn switch_to
	mov	%rsp, (%rdi)
	mov	(%rsi), %rsp
	ret
end switch_to

fn second
	call	leaf
	call	leaf
	lea	task_b(%rip), %rdi
	lea	task_a(%rip), %rsi
	call	switch_to
end second

/*
 * Each iteration counts, and one that finds the count at zero: the repeated
 * ones are 5 + 1 and 0 + 1, with the rest 12 own; 5 beyond the first.
 * They store five times.
 */
fn strings
	lea	cell(%rip), %rdi
	mov	$5, %ecx
	xor	%eax, %eax
	rep stosb
	lea	cell(%rip), %rdi
	rep stosb
	ret
end strings

/*
 * Branches and where they lie: the first one crosses 16, the second one ends
 * at 32, ten times.  5 + 10 * 4 + 1 = 46 own.
 */
fn patterns
	mov	$10, %ecx			/* 0..4 */
	.nops	8, 8				/* 5..12 */
	nop					/* 13 */
	nop					/* 14 */
	jmp	1f				/* 15..16: crosses 16 */
1:	.nops	8, 8				/* 17..24 */
	dec	%ecx				/* 25..26 */
	nopl	(%rax)				/* 27..29 */
	jnz	1b				/* 30..31: ends at 32 */
	ret
end patterns

/* An interrupt, to the plugin: the handler is not ours, nor in the window. 3 own */
fn interrupted
	int	$0x81
	nop
	ret
end interrupted

fn irq_handler
	nop
	iretq
end irq_handler

fn on_syscall
	iretq
end on_syscall

/* The frame of an error code: drop it, let the load succeed */
fn on_fault
	lea	cell(%rip), %rsi
	add	$8, %rsp
	iretq
end on_fault

	.data
	.balign	64
cell:	.quad	0, 0
task_a:	.quad	0
task_b:	.quad	0
	.equ	nowhere, 0x7f0000000000		/* canonical and not mapped */

	.balign	16
gdt:	.quad	0
	.quad	0x00af9b000000ffff		/* 64-bit code */
	.quad	0x00cf93000000ffff		/* data */
gdt_pointer:
	.word	23
	.quad	gdt
	.balign	16
	/* linked to 1 MiB, so that the handlers' addresses are 0x10 and 16 bits */
idt:	.rept	14
	.quad	0, 0
	.endr
	.word	fault_low, 8, 0x8e00, 0x10, 0, 0, 0, 0
	.rept	0x80 - 15
	.quad	0, 0
	.endr
	.word	syscall_low, 8, 0x8e00, 0x10, 0, 0, 0, 0
	.word	irq_low, 8, 0x8e00, 0x10, 0, 0, 0, 0
idt_pointer:
	.word	. - idt - 1
	.quad	idt
no_idt:	.word	0
	.quad	0

	.balign	4096
pml4:	.quad	pdpt + 3
	.fill	511, 8, 0
pdpt:	.quad	pd + 3
	.fill	511, 8, 0
pd:	.set	i, 0
	.rept	512
	.quad	i * 0x200000 + 0x83
	.set	i, i + 1
	.endr

	.balign	32768
	.space	16384
stack_a:
	.space	16384 + 16384 - 8
	.quad	second
stack_b:
