/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Markers for the counting plugin: no-ops that open and close its windows.
 * host-tools/lab/insn.h says what they are; the number must be a constant.
 */
#ifndef LAB_MARK_H
#define LAB_MARK_H

#if defined(__aarch64__)
#define LAB_MARK(n) __asm__ volatile("movz xzr, %0" : : "i"(0x5400 + (n)) : "memory")
#elif defined(__x86_64__)
#define LAB_MARK(n) __asm__ volatile("nopl %c0(%%rax)" : : "i"(0x54524700 + (n)) : "memory")
#else
#error "no marker for this architecture"
#endif

/* Opens window @n, 1 to 16; 0 closes. */
static inline void lab_mark(unsigned int n)
{
#define LAB_CASE(k) case k: LAB_MARK(k); break
	switch (n) {
	LAB_CASE(0);  LAB_CASE(1);  LAB_CASE(2);  LAB_CASE(3);  LAB_CASE(4);
	LAB_CASE(5);  LAB_CASE(6);  LAB_CASE(7);  LAB_CASE(8);  LAB_CASE(9);
	LAB_CASE(10); LAB_CASE(11); LAB_CASE(12); LAB_CASE(13); LAB_CASE(14);
	LAB_CASE(15); LAB_CASE(16);
	}
#undef LAB_CASE
}

#endif
