/*
 * The counting plugin's result as JSON.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef TAGRIG_PLUGIN_REPORT_H
#define TAGRIG_PLUGIN_REPORT_H

#include "callstack.h"

typedef struct ReportInfo {
    const char *target;         /* QEMU's name: "aarch64" */
    const char *core;           /* cache model, or NULL */
    bool predictor;
    bool open_at_exit;          /* a window was open when the guest ended */
    uint64_t undecoded;         /* instructions translated and not understood */
} ReportInfo;

/*
 * Writes @path whole or not at all.  One object; per window the symbols in
 * order of address, one a line, columns that are zero left out: two equal runs
 * give two equal files.  NULL, or why not (g_free it).
 */
char *report_write(const char *path, const ReportInfo *info,
                   const SymbolTable *symbols);

#endif
