/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Experiment files (.lab): what they say, before anything is built or run.
 * docs/measuring.md has the language; lines, words and messages are those of
 * scenario files (rig/source.h).
 */
#ifndef TAGRIG_LAB_LABFILE_H
#define TAGRIG_LAB_LABFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "lab/verdict.h"

#define LAB_VARIANTS	16
#define LAB_WORKLOADS	16
#define LAB_WATCHED	32
#define LAB_COMMANDS	32
#define LAB_CONFIGS	32
#define LAB_PROGRAMS	8
#define LAB_WIRES	2	/* the machine's MACs */

/* How a variant differs from the tree, and what stands behind the word. */
#define LAB_KINDS(_) \
	_(PLAIN,	"plain",	NULL) \
	_(DECLARE,	"declare",	"words that the prototype is declared with") \
	_(COCCI,	"cocci",	"a semantic patch") \
	_(PATCH,	"patch",	"a patch file") \
	_(COMMIT,	"commit",	"a commit of the kernel's git tree") \
	_(CFLAGS,	"cflags",	"flags for the object") \
	_(KCFLAGS,	"kcflags",	"flags for the whole kernel") \
	_(PAD,		"pad",		"bytes put before the object's code") \
	_(ORDER,	"order",	"a number, for a link order that follows from it") \
	_(COMPILER,	"compiler",	"a compiler") \
	_(OBJECT_CC,	"object-compiler", "a compiler for the object") \
	_(KERNEL,	"kernel",	"a kernel series")

enum lab_kind {
#define LAB_KIND_ENUM(id, word, what) LAB_##id,
	LAB_KINDS(LAB_KIND_ENUM)
#undef LAB_KIND_ENUM
	LAB_KIND_COUNT
};

struct lab_variant {
	char name[32];
	enum lab_kind kind;
	char *arg;		/* NULL: plain; files are relative to the .lab's directory */
	unsigned long pad;	/* with LAB_PAD */
	unsigned int line;
};

enum lab_window { LAB_WINDOW_FUNCTION, LAB_WINDOW_MARKER };

/* What an operation is: what the counts are divided by. */
enum lab_per { LAB_PER_CALLS, LAB_PER_FRAMES, LAB_PER_NUMBER };

struct lab_workload {
	char name[32];
	bool control;		/* the variants must not move it */
	char machine[256];	/* QEMU -machine options; "" */
	char globals[256];	/* "rx-coe=2 tx-coe=on": properties of the MAC */
	unsigned long wire;	/* which MAC's cable frames are played into: 0, 1 */
	char *commands[LAB_COMMANDS];	/* in the guest, one after the other */
	size_t n_commands;
	char *frames;		/* description of what is played, or NULL */
	unsigned int frames_line, frames_column;
	unsigned long gap_us;	/* between two of them */
	enum lab_window window;
	char window_function[64];	/* with LAB_WINDOW_FUNCTION */
	unsigned long window_marker;	/* else 1..16 */
	enum lab_per per;
	char per_function[64];
	unsigned long per_number;
	int within_ms;		/* host time for a run */
	unsigned int line;
};

struct lab_program {
	char name[32];		/* /lab/NAME in the guest */
	char *source;		/* C, relative to the .lab's directory */
};

struct lab_file {
	char *path;
	char *dir;
	char *title;
	char arch[16];		/* "arm64", "x86_64" */
	char kernel[64];	/* a series: "6.12" */
	char *config[LAB_CONFIGS];	/* lines for the kernel's configuration */
	size_t n_config;
	char function[64];
	char object[256];	/* of the kernel's tree: drivers/net/.../x.o */
	char module[64];	/* that the object ends in; "": vmlinux */
	char *prototype;	/* of the function, without attributes */
	char core[32];		/* of the cache model; "": none */
	char watch[LAB_WATCHED][64];
	size_t n_watch;
	bool trace;		/* run the trace leg, too */
	bool predictor;		/* model a branch predictor, too */
	unsigned long time_rounds;	/* blocks of each layout of the time leg; 0: none */
	double margin;		/* a fraction; 0: none */
	bool claims_stalls, claimed;
	struct verdict_claim claim;
	struct lab_variant variants[LAB_VARIANTS];	/* the first is the base */
	size_t n_variants;
	struct lab_workload workloads[LAB_WORKLOADS];
	size_t n_workloads;
	struct lab_program programs[LAB_PROGRAMS];
	size_t n_programs;
};

/*
 * Reads @path.  -EINVAL and other negative errno with one line in @error (of
 * ERROR_SIZE bytes), "FILE:LINE:COLUMN: expected X, found Y"; nothing is left
 * allocated then.
 */
int labfile_load(struct lab_file *lab, const char *path, char *error);
void labfile_free(struct lab_file *lab);

const char *lab_kind_word(enum lab_kind kind);

/*
 * The header that is force-included for a variant, or NULL when the kind needs
 * none; free() it.  Structures of the prototype are declared first, so that
 * its parameters mean the same as in the source.
 */
char *labfile_header(const struct lab_file *lab, const struct lab_variant *v);

#endif
