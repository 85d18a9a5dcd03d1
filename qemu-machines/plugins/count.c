/*
 * count: a TCG plugin that counts, per function, what a guest executes.
 *
 *     -plugin libcount.so,symbols=FILE,out=FILE[,window=all|marker|function]
 *             [,start=now|marker][,core=NAME][,predictor=on]
 *
 * How it counts.  Each block of translated code is cut into segments: runs of
 * instructions of one symbol that can only be left at their end, because the
 * last one is the only one that may fault.  So one inline addition at the
 * start of a segment counts all of its instructions, loads, stores and
 * branches, exactly, also when the block is left early.  An instruction that
 * faults and is executed again counts twice, as it does in QEMU's icount.
 * A second addition keeps the total, from which calls of watched functions
 * get their inclusive instructions (callstack.h).  Callbacks happen only where
 * a watched function is entered or returned from, at exceptions, task
 * switches, markers, and string instructions.
 *
 * With start=marker nothing is instrumented until the guest executes its first
 * marker, any one: a boot costs nothing.  Counting begins with the block after
 * the marker's; what opens a window is a later marker.
 *
 * With core= every fetched line and every access goes through a cache model,
 * and with predictor=on every conditional branch through a predictor
 * (cachemodel.h); that costs a callback each and is several times slower.
 *
 * Windows (counters.h, callstack.h): window=all counts the whole run as window
 * 0; window=marker what the task does that has executed a marker (lab/insn.h),
 * as windows 1 to 16, without interrupts and other tasks; window=function what
 * symbols with flag 'o' and their callees do, without exceptions.
 *
 * What a marker or a model cannot know: nothing here is time.  No stalls, no
 * pipelines, no mitigations' cost.
 *
 * Left out: more than one vCPU (refused; the rig runs one, for determinism),
 * and user space's frames across signals.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <string.h>

#include "cachemodel.h"
#include "callstack.h"
#include "lab/insn.h"
#include "report.h"

QEMU_PLUGIN_EXPORT int qemu_plugin_version = QEMU_PLUGIN_VERSION;

/* A pc travels as a callback's pointer. */
G_STATIC_ASSERT(sizeof(void *) >= sizeof(uint64_t));

/* arm64: of each four vectors, the first is synchronous */
#define VECTOR_SIZE 128
#define MAX_INSN 16
#define LOOK_BACK 7

typedef struct CpuState {
    uint64_t total;             /* instructions of segments begun */
    uint64_t return_to;         /* of the innermost frame */
    uint64_t branch;            /* conditional branch not yet decided + 1 */
} CpuState;

/* What the plugin must know of an architecture beyond its instructions. */
typedef struct Target {
    const char *name;
    const char *sp, *link, *first, *second;     /* gdb's register names */
    unsigned pushed;            /* bytes that a call leaves on the stack */
    bool (*after_call)(const uint8_t *before, size_t n);
} Target;

static const Target targets[] = {
    { "aarch64", "sp", "x30", "x0", "x1", 0, insn_after_call_arm64 },
    { "x86_64", "rsp", NULL, "rdi", "rsi", 8, insn_after_call_x86 },
};

typedef enum WindowMode { WINDOW_ALL, WINDOW_MARKER, WINDOW_FUNCTION } WindowMode;

static const char *const window_modes[] = { "all", "marker", "function" };

static struct {
    const Target *target;
    insn_decode_fn *decode;
    SymbolTable *symbols;
    char *symbols_path, *out_path, *core_name;
    WindowMode window;
    const CoreModel *core;
    bool predictor;
    bool wait;                  /* for the first marker */
    uint64_t undecoded;
} config;

static struct qemu_plugin_scoreboard *state_board;
static CpuState *state;
static qemu_plugin_u64 total_entry, return_entry, branch_entry;

static struct {
    struct qemu_plugin_register *sp, *link, *first, *second;
} regs;

static GByteArray *scratch;

/* --- the guest's registers and memory, inside callbacks ------------------- */

static uint64_t read_register(struct qemu_plugin_register *reg)
{
    uint64_t value = 0;

    g_byte_array_set_size(scratch, 0);
    if (reg && qemu_plugin_read_register(reg, scratch) >= 8) {
        memcpy(&value, scratch->data, 8);
    }
    return GUINT64_FROM_LE(value);
}

static uint64_t read_u64(uint64_t addr)
{
    uint64_t value = 0;

    if (qemu_plugin_read_memory_vaddr(addr, scratch, 8)) {
        memcpy(&value, scratch->data, 8);
    }
    return GUINT64_FROM_LE(value);
}

static void find_registers(void)
{
    g_autoptr(GArray) all = qemu_plugin_get_registers();
    const struct {
        const char *name;
        struct qemu_plugin_register **handle;
    } wanted[] = {
        { config.target->sp, &regs.sp }, { config.target->link, &regs.link },
        { config.target->first, &regs.first },
        { config.target->second, &regs.second },
    };
    unsigned i, k;

    for (i = 0; i < all->len; i++) {
        qemu_plugin_reg_descriptor *d =
            &g_array_index(all, qemu_plugin_reg_descriptor, i);

        for (k = 0; k < G_N_ELEMENTS(wanted); k++) {
            if (wanted[k].name && !strcmp(wanted[k].name, d->name) &&
                !*wanted[k].handle) {
                *wanted[k].handle = d->handle;
            }
        }
    }
}

/* --- callbacks: calls, exceptions, tasks ---------------------------------- */

static void stack_changed(void)
{
    state->return_to = callstack_return_address();
}

static void on_entry(unsigned vcpu, void *symbol)
{
    uint64_t sp = read_register(regs.sp);
    uint64_t to = regs.link ? read_register(regs.link) : read_u64(sp);

    callstack_enter(GPOINTER_TO_UINT(symbol), state->total,
                    sp + config.target->pushed, to);
    stack_changed();
}

static void on_arrival(unsigned vcpu, void *pc)
{
    callstack_arrive((uint64_t)pc, state->total, read_register(regs.sp));
    stack_changed();
}

static void on_exception(unsigned vcpu, void *interrupt)
{
    callstack_exception(state->total, interrupt != NULL);
    stack_changed();
}

static void on_exception_return(unsigned vcpu, void *unused)
{
    callstack_exception_return(state->total, false);
    stack_changed();
}

/* iretq says in the code segment on its stack where it goes. */
static void on_iret(unsigned vcpu, void *unused)
{
    uint64_t cs = read_u64(read_register(regs.sp) + 8);

    callstack_exception_return(state->total, (cs & 3) == 3);
    stack_changed();
}

static void on_sysret(unsigned vcpu, void *unused)
{
    callstack_exception_return(state->total, true);
    stack_changed();
}

static void on_switch(unsigned vcpu, void *unused)
{
    callstack_switch(read_register(regs.first), read_register(regs.second),
                     state->total);
    stack_changed();
}

static void on_marker(unsigned vcpu, void *mark)
{
    callstack_mark(GPOINTER_TO_UINT(mark));
}

/*
 * QEMU executes each iteration of a repeated string instruction as one
 * instruction: the same address again, and nothing in between.
 */
static void on_repeat(unsigned vcpu, void *pc)
{
    static void *last_pc;
    static uint64_t last_total;

    if (pc == last_pc && state->total == last_total + 1) {
        counters_add(counters_simple_slot(
            symbols_find(config.symbols, (uint64_t)pc), COUNT_REP), 1);
    }
    last_pc = pc;
    last_total = state->total;
}

/* --- callbacks: the models ------------------------------------------------ */

static Cache *l1i, *l1d, *l2;
static Predictor *predictor;
static GArray *branches;

typedef struct Branch {
    uint64_t pc, target, next;
    unsigned symbol;
} Branch;

typedef struct Fetch {
    uint64_t addr;
    unsigned symbol;
} Fetch;

static void miss(unsigned symbol, CounterColumn level, uint64_t addr)
{
    counters_add(counters_simple_slot(symbol, level), 1);
    if (!cache_touch(l2, addr)) {
        counters_add(counters_simple_slot(symbol, COUNT_L2), 1);
    }
}

static void on_fetch(unsigned vcpu, void *p)
{
    const Fetch *f = p;

    if (!cache_touch(l1i, f->addr)) {
        miss(f->symbol, COUNT_L1I, f->addr);
    }
}

static void on_access(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t addr,
                      void *symbol)
{
    struct qemu_plugin_hwaddr *hw = qemu_plugin_get_hwaddr(info, addr);
    uint64_t last = addr + (1u << qemu_plugin_mem_size_shift(info)) - 1;
    unsigned line = cache_line_size(l1d);

    if (hw && qemu_plugin_hwaddr_is_io(hw)) {
        return;
    }
    if (!cache_touch(l1d, addr)) {
        miss(GPOINTER_TO_UINT(symbol), COUNT_L1D, addr);
    }
    if (addr / line != last / line && !cache_touch(l1d, last)) {
        miss(GPOINTER_TO_UINT(symbol), COUNT_L1D, last);
    }
}

/* An interrupt may come between the branch and either of its ways. */
static void on_decided(unsigned vcpu, void *pc)
{
    const Branch *b = &g_array_index(branches, Branch, state->branch - 1);
    bool taken = (uint64_t)pc == b->target;

    state->branch = 0;
    if (!taken && (uint64_t)pc != b->next) {
        return;
    }
    if (!predictor_outcome(predictor, b->pc, taken)) {
        counters_add(counters_simple_slot(b->symbol, COUNT_MISSED), 1);
    }
}

/* --- translation ---------------------------------------------------------- */

typedef struct Decoded {
    struct qemu_plugin_insn *handle;
    uint64_t pc;
    unsigned symbol;
    struct insn insn;
    uint32_t hash;              /* of its bytes */
} Decoded;

typedef struct SegmentKey {
    uint64_t pc;
    uint32_t hash, insns;
} SegmentKey;

static GHashTable *segments;    /* SegmentKey -> slot + 1 */

static guint segment_hash(gconstpointer p)
{
    const SegmentKey *k = p;

    return (guint)(k->pc >> 1) ^ k->hash;
}

static gboolean segment_equal(gconstpointer a, gconstpointer b)
{
    return !memcmp(a, b, sizeof(SegmentKey));
}

static uint32_t hash_bytes(uint32_t hash, const uint8_t *p, size_t n)
{
    while (n--) {
        hash = (hash ^ *p++) * 16777619u;       /* FNV-1a */
    }
    return hash;
}

static void decode(struct qemu_plugin_tb *tb, size_t i, Decoded *d)
{
    uint8_t code[MAX_INSN] = { 0 };
    size_t n;

    d->handle = qemu_plugin_tb_get_insn(tb, i);
    d->pc = qemu_plugin_insn_vaddr(d->handle);
    d->symbol = symbols_find(config.symbols, d->pc);
    n = qemu_plugin_insn_data(d->handle, code, sizeof(code));
    d->hash = hash_bytes(2166136261u, code, n);
    if (config.decode(code, n, d->pc, &d->insn) ||
        d->insn.len != qemu_plugin_insn_size(d->handle)) {
        d->insn = (struct insn) { .flags = INSN_EXIT, .len = n };
        config.undecoded++;
    }
}

static const Symbol *symbol_of(const Decoded *d)
{
    return symbols_at(config.symbols, d->symbol);
}

static bool is_entry(const Decoded *d)
{
    return d->symbol >= SYMBOL_FIRST && d->pc == symbol_of(d)->start;
}

/* May another segment not begin with @d, which follows @before? */
static bool continues(const Decoded *before, const Decoded *d)
{
    return before->symbol == d->symbol && !is_entry(d) &&
           !((before->insn.flags | d->insn.flags) & INSN_MARK) &&
           !(before->insn.flags & (INSN_EXIT | INSN_BRANCH));
}

/* Ends at or crosses a multiple of @block bytes. */
static bool on_edge(const Decoded *d, uint64_t block)
{
    return d->pc / block != (d->pc + d->insn.len) / block;
}

static void add_effect(CounterEffect *e, const Decoded *d)
{
    bool branch = d->insn.flags & INSN_BRANCH;
    bool repeat = d->insn.flags & INSN_REP;

    e->column[COUNT_INSNS]++;
    e->column[COUNT_LOADS] += repeat ? 0 : d->insn.loads;
    e->column[COUNT_STORES] += repeat ? 0 : d->insn.stores;
    e->column[COUNT_BRANCHES] += branch;
    e->column[COUNT_EDGE16] += branch && on_edge(d, 16);
    e->column[COUNT_EDGE32] += branch && on_edge(d, 32);
    e->column[COUNT_ENTRIES] += is_entry(d);
}

/* Code that is translated again has its old slot. */
static unsigned segment_slot(const Decoded *d, size_t n)
{
    CounterEffect effect = { .symbol = d->symbol };
    SegmentKey key = { .pc = d->pc, .insns = n };
    gpointer found;
    size_t i;

    for (i = 0; i < n; i++) {
        key.hash = key.hash * 31 + d[i].hash;
    }
    found = g_hash_table_lookup(segments, &key);
    if (!found) {
        for (i = 0; i < n; i++) {
            add_effect(&effect, &d[i]);
        }
        found = GUINT_TO_POINTER(counters_slot(&effect) + 1);
        g_hash_table_insert(segments, g_memdup2(&key, sizeof(key)), found);
    }
    return GPOINTER_TO_UINT(found) - 1;
}

static void add_inline(const Decoded *d, qemu_plugin_u64 entry, uint64_t n)
{
    qemu_plugin_register_vcpu_insn_exec_inline_per_vcpu(
        d->handle, QEMU_PLUGIN_INLINE_ADD_U64, entry, n);
}

static void add_callback(const Decoded *d, qemu_plugin_vcpu_udata_cb_t cb,
                         void *data)
{
    qemu_plugin_register_vcpu_insn_exec_cb(d->handle, cb, QEMU_PLUGIN_CB_R_REGS,
                                           data);
}

/* Before the instruction is counted. */
static void instrument_before(const Decoded *d)
{
    unsigned flags = symbol_of(d)->flags;
    uint64_t offset = d->pc - symbol_of(d)->start;
    bool closes = (d->insn.flags & INSN_MARK) && d->insn.mark == 0;

    if ((flags & SYMBOL_VECTORS) && offset % VECTOR_SIZE == 0) {
        add_callback(d, on_exception,
                     GUINT_TO_POINTER(offset / VECTOR_SIZE % 4 != 0));
    }
    if (closes && config.window == WINDOW_MARKER) {
        add_callback(d, on_marker, GUINT_TO_POINTER(0));
    }
    if (!is_entry(d)) {
        return;
    }
    if (flags & (SYMBOL_EXCEPTION | SYMBOL_INTERRUPT)) {
        add_callback(d, on_exception,
                     GUINT_TO_POINTER(flags & SYMBOL_INTERRUPT));
    }
    if (flags & SYMBOL_SWITCH) {
        add_callback(d, on_switch, NULL);
    }
    if (flags & (SYMBOL_WATCHED | SYMBOL_WINDOW)) {
        add_callback(d, on_entry, GUINT_TO_POINTER(d->symbol));
    }
}

/*
 * A repeated string instruction is executed once more than it accesses memory,
 * to find the count at zero: its accesses count when they happen.
 */
static void instrument_repeat(const Decoded *d)
{
    unsigned loads = counters_simple_slot(d->symbol, COUNT_LOADS);
    unsigned stores = counters_simple_slot(d->symbol, COUNT_STORES);

    add_callback(d, on_repeat, (void *)d->pc);
    qemu_plugin_register_vcpu_mem_inline_per_vcpu(
        d->handle, QEMU_PLUGIN_MEM_R, QEMU_PLUGIN_INLINE_ADD_U64,
        counters_entry(loads), 1);
    qemu_plugin_register_vcpu_mem_inline_per_vcpu(
        d->handle, QEMU_PLUGIN_MEM_W, QEMU_PLUGIN_INLINE_ADD_U64,
        counters_entry(stores), 1);
}

static void instrument_eret(const Decoded *d)
{
    if (config.decode == insn_decode_arm64) {
        add_callback(d, on_exception_return, NULL);
    } else if (d->insn.loads) {
        add_callback(d, on_iret, NULL);
    } else {
        add_callback(d, on_sysret, NULL);
    }
}

/* After it is counted. */
static void instrument_after(const Decoded *d)
{
    bool opens = (d->insn.flags & INSN_MARK) && d->insn.mark > 0 &&
                 d->insn.mark <= INSN_MARK_WINDOWS;

    if (opens && config.window == WINDOW_MARKER) {
        add_callback(d, on_marker, GUINT_TO_POINTER(d->insn.mark));
    }
    if (d->insn.flags & INSN_REP) {
        instrument_repeat(d);
    }
    if (d->insn.flags & INSN_ERET) {
        instrument_eret(d);
    }
}

static void instrument_fetch(const Decoded *d, uint64_t *last)
{
    unsigned line = cache_line_size(l1i);
    uint64_t n;

    for (n = d->pc / line; n <= (d->pc + d->insn.len - 1) / line; n++) {
        Fetch *f;

        if (n == *last) {
            continue;
        }
        f = g_new(Fetch, 1);
        *f = (Fetch) { .addr = n * line, .symbol = d->symbol };
        qemu_plugin_register_vcpu_insn_exec_cb(d->handle, on_fetch,
                                               QEMU_PLUGIN_CB_NO_REGS, f);
        *last = n;
    }
}

static void instrument_models(const Decoded *d, uint64_t *line)
{
    Branch b = {
        .pc = d->pc, .target = d->insn.target,
        .next = d->pc + d->insn.len, .symbol = d->symbol,
    };

    if (config.core) {
        instrument_fetch(d, line);
        qemu_plugin_register_vcpu_mem_cb(d->handle, on_access,
                                         QEMU_PLUGIN_CB_NO_REGS,
                                         QEMU_PLUGIN_MEM_RW,
                                         GUINT_TO_POINTER(d->symbol));
    }
    if (config.predictor && (d->insn.flags & INSN_COND)) {
        g_array_append_val(branches, b);
        qemu_plugin_register_vcpu_insn_exec_inline_per_vcpu(
            d->handle, QEMU_PLUGIN_INLINE_STORE_U64, branch_entry,
            branches->len);
    }
}

/* Does the block begin where a call returns to? */
static bool after_call(uint64_t pc)
{
    return !qemu_plugin_read_memory_vaddr(pc - LOOK_BACK, scratch, LOOK_BACK) ||
           config.target->after_call(scratch->data, LOOK_BACK);
}

static void instrument_block(struct qemu_plugin_tb *tb)
{
    uint64_t pc = qemu_plugin_tb_vaddr(tb);

    if (after_call(pc)) {
        qemu_plugin_register_vcpu_tb_exec_cond_cb(
            tb, on_arrival, QEMU_PLUGIN_CB_R_REGS, QEMU_PLUGIN_COND_EQ,
            return_entry, pc, (void *)pc);
    }
    if (config.predictor) {
        qemu_plugin_register_vcpu_tb_exec_cond_cb(
            tb, on_decided, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_COND_NE,
            branch_entry, 0, (void *)pc);
    }
}

static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    size_t n = qemu_plugin_tb_n_insns(tb), i, len;
    g_autofree Decoded *d = g_new(Decoded, n);
    uint64_t line = UINT64_MAX;

    for (i = 0; i < n; i++) {
        decode(tb, i, &d[i]);
    }
    instrument_block(tb);
    for (i = 0; i < n; i++) {
        instrument_before(&d[i]);
        if (i == 0 || !continues(&d[i - 1], &d[i])) {
            for (len = 1; i + len < n && continues(&d[i + len - 1], &d[i + len]);) {
                len++;
            }
            add_inline(&d[i], counters_entry(segment_slot(&d[i], len)), 1);
            add_inline(&d[i], total_entry, len);
        }
        instrument_after(&d[i]);
        instrument_models(&d[i], &line);
    }
}

/* --- beginning and end ---------------------------------------------------- */

static void finish(qemu_plugin_id_t id, void *unused)
{
    ReportInfo info = {
        .target = config.target->name,
        .core = config.core ? config.core->name : NULL,
        .predictor = config.predictor,
        .open_at_exit = config.window != WINDOW_ALL && counters_window() >= 0,
        .undecoded = config.undecoded,
    };
    g_autofree char *why = NULL;

    counters_close();
    why = report_write(config.out_path, &info, config.symbols);
    if (why) {
        fprintf(stderr, "count: %s\n", why);
    }
}

static char *set_window(const char *value)
{
    size_t i;

    for (i = 0; i < G_N_ELEMENTS(window_modes); i++) {
        if (!strcmp(window_modes[i], value)) {
            config.window = i;
            return NULL;
        }
    }
    return g_strdup_printf("window=%s: expected all, marker or function", value);
}

static char *set_start(const char *value)
{
    config.wait = !strcmp(value, "marker");
    return config.wait || !strcmp(value, "now") ? NULL :
        g_strdup_printf("start=%s: expected now or marker", value);
}

static char *set_core(const char *value)
{
    g_autofree char *names = core_model_names();

    config.core = core_model(value);
    return config.core ? NULL :
        g_strdup_printf("core=%s: expected one of %s", value, names);
}

static char *set_predictor(const char *value)
{
    return qemu_plugin_bool_parse("predictor", value, &config.predictor) ? NULL :
        g_strdup_printf("predictor=%s: expected on or off", value);
}

static char *set_symbols(const char *value)
{
    char *why = NULL;

    config.symbols = symbols_load(value, &why);
    return why;
}

static char *set_out(const char *value)
{
    config.out_path = g_strdup(value);
    return NULL;
}

static const struct {
    const char *name;
    char *(*set)(const char *value);
} options[] = {
    { "symbols", set_symbols },
    { "out", set_out },
    { "window", set_window },
    { "start", set_start },
    { "core", set_core },
    { "predictor", set_predictor },
};

static char *parse_option(const char *arg)
{
    g_auto(GStrv) pair = g_strsplit(arg, "=", 2);
    size_t i;

    for (i = 0; pair[1] && i < G_N_ELEMENTS(options); i++) {
        if (!strcmp(options[i].name, pair[0])) {
            return options[i].set(pair[1]);
        }
    }
    return g_strdup_printf("%s: no such option", arg);
}

static char *find_target(const qemu_info_t *info)
{
    size_t i;

    for (i = 0; i < G_N_ELEMENTS(targets); i++) {
        if (!strcmp(targets[i].name, info->target_name)) {
            config.target = &targets[i];
        }
    }
    if (!config.target || !info->system_emulation) {
        return g_strdup_printf("%s: expected a machine with aarch64 or x86_64",
                               info->target_name);
    }
    if (info->system.max_vcpus != 1) {
        return g_strdup_printf("%d vCPUs: expected one, for runs that repeat",
                               info->system.max_vcpus);
    }
    config.decode = insn_decoder(config.target->name);
    return NULL;
}

static char *configure(const qemu_info_t *info, int argc, char **argv)
{
    char *why = find_target(info);
    int i;

    for (i = 0; !why && i < argc; i++) {
        why = parse_option(argv[i]);
    }
    if (!why && !config.symbols) {
        why = g_strdup("expected symbols=FILE");
    }
    if (!why && !config.out_path) {
        why = g_strdup("expected out=FILE");
    }
    return why;
}

/* Only now has a scoreboard an element that can be pointed at. */
static void on_vcpu(qemu_plugin_id_t id, unsigned vcpu)
{
    state = qemu_plugin_scoreboard_find(state_board, vcpu);
    find_registers();
}

static qemu_plugin_id_t own_id;

static void begin(qemu_plugin_id_t id)
{
    if (config.window == WINDOW_ALL) {
        counters_open(0);
    }
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
    qemu_plugin_register_atexit_cb(id, finish, NULL);
}

/* All code is translated again, this time with us. */
static void on_first_marker(unsigned vcpu, void *unused)
{
    qemu_plugin_reset(own_id, begin);
}

static void on_translation_waiting(qemu_plugin_id_t id,
                                   struct qemu_plugin_tb *tb)
{
    size_t n = qemu_plugin_tb_n_insns(tb), i;
    Decoded d;

    for (i = 0; i < n; i++) {
        decode(tb, i, &d);
        if (d.insn.flags & INSN_MARK) {
            add_callback(&d, on_first_marker, NULL);
        }
    }
}

static void init_state(void)
{
    state_board = qemu_plugin_scoreboard_new(sizeof(CpuState));
    total_entry = qemu_plugin_scoreboard_u64_in_struct(state_board, CpuState,
                                                       total);
    return_entry = qemu_plugin_scoreboard_u64_in_struct(state_board, CpuState,
                                                        return_to);
    branch_entry = qemu_plugin_scoreboard_u64_in_struct(state_board, CpuState,
                                                        branch);
    scratch = g_byte_array_new();
    segments = g_hash_table_new_full(segment_hash, segment_equal, g_free, NULL);
    counters_init(symbols_count(config.symbols));
    callstack_init(config.symbols, config.window == WINDOW_FUNCTION);
}

static void init_models(void)
{
    branches = g_array_new(FALSE, TRUE, sizeof(Branch));
    if (config.core) {
        l1i = cache_new(&config.core->l1i);
        l1d = cache_new(&config.core->l1d);
        l2 = cache_new(&config.core->l2);
    }
    if (config.predictor) {
        predictor = predictor_new();
    }
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id,
                                           const qemu_info_t *info,
                                           int argc, char **argv)
{
    g_autofree char *why = configure(info, argc, argv);

    if (why) {
        fprintf(stderr, "count: %s\n", why);
        return -1;
    }
    own_id = id;
    init_state();
    init_models();
    qemu_plugin_register_vcpu_init_cb(id, on_vcpu);
    if (config.wait) {
        qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation_waiting);
        qemu_plugin_register_atexit_cb(id, finish, NULL);
    } else {
        begin(id);
    }
    return 0;
}
