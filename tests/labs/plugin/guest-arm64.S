/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A guest without an operating system, for the counting plugin: every number
 * that the plugin reports of it can be counted by reading it.
 *
 * Runs at EL1 with the MMU off, loaded by -kernel on QEMU's virt machine, and
 * powers off through PSCI.  Counts are in expected-arm64; each function's own
 * instructions are in its comment.
 */
	.macro fn name
	.balign	64
	.globl	\name
	.type	\name, %function
\name:
	.endm
	.macro end name
	.size	\name, . - \name
	.endm
	.macro mark n
	movz	xzr, #0x5400 + \n
	.endm

	.text
fn _start
	ldr	x0, =stack_a
	mov	sp, x0
	ldr	x0, =vectors
	msr	vbar_el1, x0
	isb
	mark	0			/* with start=marker: awake */
	bl	leaf			/* outside every window: in no count */
	mark	1
	bl	calls
	mark	0
	mark	2
	mov	x0, #4
	bl	recurse
	bl	looper
	bl	tail
	mark	0
	mark	3
	bl	traps
	mark	0
	mark	4
	bl	tasks
	mark	0
	mark	5
	bl	patterns
	mark	0
	mark	6
	bl	interrupted
	mark	0
	movz	x0, #0x8400, lsl #16	/* PSCI SYSTEM_OFF */
	movk	x0, #8
	hvc	#0
1:	b	1b
end _start

/* 3 + 10 * 3 + 2 = 35 own, 95 inclusive */
fn calls
	stp	x29, x30, [sp, #-16]!
	mov	x19, #10
	adr	x20, leaf
1:	blr	x20
	sub	x19, x19, #1
	cbnz	x19, 1b
	ldp	x29, x30, [sp], #16
	ret
end calls

/* 6 own: 2 loads, 1 store */
fn leaf
	adr	x1, cell
	ldr	x2, [x1]
	add	x2, x2, #1
	str	x2, [x1]
	ldr	x3, [x1]
	ret
end leaf

/* n > 0: 6 + the inner call, n = 0: 2.  With n = 4: 26, five calls */
fn recurse
	cbz	x0, 1f
	stp	x29, x30, [sp, #-16]!
	sub	x0, x0, #1
	bl	recurse
	ldp	x29, x30, [sp], #16
1:	ret
end recurse

/* its loop begins at its first instruction: 5 * 3 + 1 = 16, one call */
fn looper
	add	x9, x9, #1
	cmp	x9, #5
	b.ne	looper
	ret
end looper

/* 1 own, 7 inclusive: leaf returns for it */
fn tail
	b	leaf
end tail

/*
 * A system call and a load from where no memory is, inside a watched function.
 * The faulting load counts twice; the handler's instructions are not ours.
 * 9 own with the repeated load, 15 inclusive with one leaf.
 */
fn traps
	stp	x29, x30, [sp, #-16]!
	ldr	x21, =nowhere
	svc	#0
	bl	leaf
	ldr	x4, [x21]
	nop
	ldp	x29, x30, [sp], #16
	ret
end traps

/*
 * Two tasks that switch: the first starts the second, which calls leaf twice
 * on its own stack in between.  tasks: 9 own, and 5 of the switch back; what
 * the second one did, and the switch to it, are not in it, nor in the window,
 * which is the first one's.
 */
fn tasks
	stp	x29, x30, [sp, #-16]!
	adr	x0, task_a
	adr	x1, task_b
	ldr	x2, =stack_b
	adr	x3, second
	stp	x2, x3, [x1]
	bl	switch_to
	ldp	x29, x30, [sp], #16
	ret
end tasks

/* Of two cells { sp, pc } save here, go there: 5 own */
fn switch_to
	mov	x4, sp
	stp	x4, x30, [x0]
	ldp	x4, x30, [x1]
	mov	sp, x4
	ret
end switch_to

fn second
	bl	leaf
	bl	leaf
	adr	x0, task_b
	adr	x1, task_a
	bl	switch_to
end second

/*
 * Branches and where they lie: the function is aligned to 64 bytes.  The
 * fourth instruction ends at 16, the eighth at 32: branches, the second one run
 * ten times, the first once.  4 + 10 * 3 + 1 = 35 own.
 */
fn patterns
	mov	x5, #10
	nop
	nop
	b	2f			/* ends at 16 */
	nop				/* never executed */
2:	subs	x5, x5, #1
	nop
	b.ne	2b			/* ends at 32 */
	ret
end patterns

/*
 * An interrupt that it sends to itself: a software-generated one of the GIC.
 * The handler's instructions are not ours, nor in the window.  14 own, with
 * what the interrupt controller needs to be told.
 */
fn interrupted
	mov	x11, #0x08000000		/* distributor */
	mov	x12, #0x08010000		/* CPU interface */
	mov	w13, #1
	str	w13, [x11]			/* GICD_CTLR: on */
	str	w13, [x12]			/* GICC_CTLR: on */
	mov	w14, #0xff
	str	w14, [x12, #4]			/* GICC_PMR: every priority */
	msr	daifclr, #2
	mov	w14, #2 << 24			/* to this CPU, number 0 */
	mov	x15, #0
	str	w14, [x11, #0xf00]		/* GICD_SGIR */
1:	cbz	x15, 1b				/* until the handler was there */
	msr	daifset, #2
	ret
end interrupted

	.balign	2048
	.globl	vectors
	.type	vectors, %function
vectors:
	.rept	4
	.balign	128
	b	.
	.endr
	.balign	128			/* from the same level, with SP_EL1: synchronous */
	mrs	x10, esr_el1
	lsr	x10, x10, #26
	cmp	x10, #0x15		/* SVC of AArch64 */
	b.eq	1f
	adr	x21, cell		/* let the load succeed */
1:	eret
	.balign	128				/* interrupt */
	ldr	w10, [x12, #0xc]		/* GICC_IAR */
	str	w10, [x12, #0x10]		/* GICC_EOIR */
	mov	x15, #1
	eret
	.size	vectors, . - vectors

	.data
	.balign	64
cell:	.quad	0
	.balign	16
task_a:	.quad	0, 0
task_b:	.quad	0, 0
	.equ	nowhere, 0x3f00000000	/* behind virt's RAM, in its empty high part */

	.bss
	.balign	32768
	.space	16384
stack_a:
	.space	16384
	.space	16384
stack_b:
