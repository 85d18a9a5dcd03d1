/*
 * Caches and a branch predictor of named cores: see cachemodel.h.
 *
 * Geometries are those of the cores' technical reference manuals; where an
 * implementation may choose, a common choice: Cortex-A7 in a 512 KiB cluster,
 * Cortex-A53 likewise (DDI 0500), Cortex-A72 with 1 MiB (100095), Zen 2
 * (AMD 56305, 2.8), Cascade Lake server (Intel 248966, 2.5).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>

#include "cachemodel.h"

#define KIB 1024u

static const CoreModel cores[] = {
    { "cortex-a7",
      { 32 * KIB, 2, 32 }, { 32 * KIB, 4, 64 }, { 512 * KIB, 8, 64 } },
    { "cortex-a53",
      { 32 * KIB, 2, 64 }, { 32 * KIB, 4, 64 }, { 512 * KIB, 16, 64 } },
    { "cortex-a72",
      { 48 * KIB, 3, 64 }, { 32 * KIB, 2, 64 }, { 1024 * KIB, 16, 64 } },
    { "zen",
      { 32 * KIB, 8, 64 }, { 32 * KIB, 8, 64 }, { 512 * KIB, 8, 64 } },
    { "cascade-lake",
      { 32 * KIB, 8, 64 }, { 32 * KIB, 8, 64 }, { 1024 * KIB, 16, 64 } },
};

const CoreModel *core_model(const char *name)
{
    size_t i;

    for (i = 0; i < G_N_ELEMENTS(cores); i++) {
        if (!strcmp(cores[i].name, name)) {
            return &cores[i];
        }
    }
    return NULL;
}

char *core_model_names(void)
{
    GString *s = g_string_new(cores[0].name);
    size_t i;

    for (i = 1; i < G_N_ELEMENTS(cores); i++) {
        g_string_append_printf(s, ", %s", cores[i].name);
    }
    return g_string_free(s, FALSE);
}

struct Cache {
    unsigned ways, sets, line;
    uint64_t *tags;             /* [set][way], most recently used first */
};

#define NO_TAG UINT64_MAX       /* no line number is that high */

Cache *cache_new(const CacheGeometry *geometry)
{
    Cache *c = g_new0(Cache, 1);
    size_t n, i;

    c->ways = geometry->ways;
    c->line = geometry->line;
    c->sets = geometry->size / (geometry->ways * geometry->line);
    n = (size_t)c->sets * c->ways;
    c->tags = g_new(uint64_t, n);
    for (i = 0; i < n; i++) {
        c->tags[i] = NO_TAG;
    }
    return c;
}

void cache_free(Cache *cache)
{
    g_free(cache->tags);
    g_free(cache);
}

bool cache_touch(Cache *cache, uint64_t addr)
{
    uint64_t line = addr / cache->line;
    uint64_t *set = &cache->tags[line % cache->sets * cache->ways];
    unsigned way = 0;
    bool hit;

    while (way < cache->ways - 1 && set[way] != line) {
        way++;
    }
    hit = set[way] == line;
    memmove(set + 1, set, way * sizeof(*set));
    set[0] = line;
    return hit;
}

unsigned cache_line_size(const Cache *cache)
{
    return cache->line;
}

/* gshare: two-bit counters, indexed by the pc and the last 12 outcomes. */
#define HISTORY_BITS 12

struct Predictor {
    unsigned history;
    uint8_t counters[1 << HISTORY_BITS];        /* 0..3; >= 2 foresees taken */
};

Predictor *predictor_new(void)
{
    Predictor *p = g_new0(Predictor, 1);

    memset(p->counters, 1, sizeof(p->counters));
    return p;
}

void predictor_free(Predictor *p)
{
    g_free(p);
}

bool predictor_outcome(Predictor *p, uint64_t pc, bool taken)
{
    unsigned mask = (1 << HISTORY_BITS) - 1;
    uint8_t *c = &p->counters[((pc >> 1) ^ p->history) & mask];
    bool foreseen = (*c >= 2) == taken;

    if (taken && *c < 3) {
        (*c)++;
    } else if (!taken && *c > 0) {
        (*c)--;
    }
    p->history = (p->history << 1 | taken) & mask;
    return foreseen;
}
