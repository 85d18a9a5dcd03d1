/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the counting plugin reports (qemu-machines/plugins/report.c).
 */
#ifndef TAGRIG_LAB_COUNTS_H
#define TAGRIG_LAB_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The plugin's columns, by its names. */
#define COUNTS_COLUMNS(_) \
	_(INSNS, "insns") \
	_(LOADS, "loads") \
	_(STORES, "stores") \
	_(BRANCHES, "branches") \
	_(EDGE16, "edge16") \
	_(EDGE32, "edge32") \
	_(ENTRIES, "entries") \
	_(REP, "rep_iterations") \
	_(CALLS, "calls") \
	_(RETURNS, "returns") \
	_(INCLUSIVE, "inclusive") \
	_(L1I, "l1i_misses") \
	_(L1D, "l1d_misses") \
	_(L2, "l2_misses") \
	_(MISSED, "mispredicted") \
	_(MIN, "min") \
	_(MAX, "max")

enum counts_column {
#define COUNTS_ENUM(id, name) COUNTS_##id,
	COUNTS_COLUMNS(COUNTS_ENUM)
#undef COUNTS_ENUM
	COUNTS_N
};

struct counts_row {
	char *name;
	uint64_t start;
	uint64_t n[COUNTS_N];
};

struct counts_window {
	unsigned int number;
	uint64_t opened;
	struct counts_row total;
	struct counts_row *rows;	/* by address; columns all zero are not there */
	size_t n_rows;
};

struct counts {
	bool open_at_exit;
	uint64_t lost_frames;
	uint64_t undecoded;
	struct counts_window *windows;
	size_t n_windows;
};

/* NULL with @why (of 256 bytes): "PATH: ...". */
struct counts *counts_load(const char *path, char *why);
void counts_free(struct counts *c);

const struct counts_window *counts_window(const struct counts *c, unsigned int number);

/* The sum over all symbols of that name (statics may share one); 0: none. */
uint64_t counts_sum(const struct counts_window *w, const char *name, enum counts_column column);

const char *counts_column_name(enum counts_column column);

/*
 * Where two reports first differ, in words: "window 1: insns of stmmac_rx: 70
 * and 71".  False: they are equal in every number.
 */
bool counts_differ(const struct counts *a, const struct counts *b, char *where, size_t size);

#endif
