/*
 * The symbol list of the counting plugin: which address belongs to whom.
 *
 * A text file, one symbol a line, `#` starts a comment:
 *
 *     START END FLAGS NAME        (addresses in hexadecimal, END exclusive)
 *
 * FLAGS is '-' or some of
 *     w  watched: its calls and inclusive instructions are counted
 *     o  opens the window of window=function, closes it when it returns
 *     e  the entry of a fault or system call
 *     i  the entry of an interrupt
 *     v  arm64's exception vectors (VBAR): 16 of 128 bytes
 *     s  switches tasks: the next task is its second argument
 * Ranges may not overlap; the host tool resolves aliases before it writes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef TAGRIG_PLUGIN_SYMBOLS_H
#define TAGRIG_PLUGIN_SYMBOLS_H

#include <glib.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum SymbolFlags {
    SYMBOL_WATCHED   = 1 << 0,
    SYMBOL_WINDOW    = 1 << 1,
    SYMBOL_EXCEPTION = 1 << 2,
    SYMBOL_VECTORS   = 1 << 3,
    SYMBOL_SWITCH    = 1 << 4,
    SYMBOL_INTERRUPT = 1 << 5,
} SymbolFlags;

typedef struct Symbol {
    uint64_t start, end;
    unsigned flags;
    char *name;
} Symbol;

/* What belongs to no symbol: user space on both architectures, and the rest. */
enum { SYMBOL_LOWER_HALF, SYMBOL_UPPER_HALF, SYMBOL_FIRST };

typedef struct SymbolTable SymbolTable;

/* NULL with @why set (g_free it): "FILE:LINE: expected ..., found ...". */
SymbolTable *symbols_load(const char *path, char **why);
void symbols_free(SymbolTable *table);

unsigned symbols_count(const SymbolTable *table);
const Symbol *symbols_at(const SymbolTable *table, unsigned index);

/* The index of the symbol that @addr lies in. */
unsigned symbols_find(const SymbolTable *table, uint64_t addr);

#endif
