/*
 * Caches and a branch predictor, as models: sizes and ways of a named core.
 *
 * What is modelled: two split level-one caches and one unified level two, each
 * set associative with true LRU, write-allocate, looked up by virtual address;
 * a gshare predictor of conditional branches.  What is not: prefetchers,
 * write-back traffic, TLBs, other masters, pseudo-random replacement (the
 * A53's L1D has it; here each run must be like the last), and time.  A miss
 * count is a comparison between two variants on the same model, nothing more.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef TAGRIG_PLUGIN_CACHEMODEL_H
#define TAGRIG_PLUGIN_CACHEMODEL_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct CacheGeometry {
    unsigned size, ways, line;          /* bytes, -, bytes */
} CacheGeometry;

typedef struct CoreModel {
    const char *name;
    CacheGeometry l1i, l1d, l2;
} CoreModel;

/* NULL: no such core. */
const CoreModel *core_model(const char *name);
/* "cortex-a7, cortex-a53, ..."; g_free() it. */
char *core_model_names(void);

typedef struct Cache Cache;

Cache *cache_new(const CacheGeometry *geometry);
void cache_free(Cache *cache);
/* Looks @addr up and leaves it cached; true: it was there. */
bool cache_touch(Cache *cache, uint64_t addr);
unsigned cache_line_size(const Cache *cache);

typedef struct Predictor Predictor;

Predictor *predictor_new(void);
void predictor_free(Predictor *p);
/* Learns the outcome of the branch at @pc; true: it was foreseen. */
bool predictor_outcome(Predictor *p, uint64_t pc, bool taken);

#endif
