// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * exits: a TCG plugin for bench_nic that counts what a NIC's driver asks of a
 * machine: instructions, and loads and stores that leave translated code for a
 * device (MMIO), those to the interrupt controller apart.
 *
 *	-plugin exits.so,out=FILE
 *
 * FILE holds a struct exits and is mapped; whoever started QEMU reads it while
 * the guest runs.  Nothing is instrumented until `on` is set there and the vCPU
 * goes idle: a boot costs nothing.
 *
 * QEMU restarts a block at an access to a device that is not its last
 * instruction, so that instruction counts twice, as under icount.
 *
 * Not here: interrupts (the guest counts them), more than one vCPU.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <qemu-plugin.h>

#include "exits.h"

QEMU_PLUGIN_EXPORT int qemu_plugin_version = QEMU_PLUGIN_VERSION;

static struct exits *out;
static qemu_plugin_u64 insns;
static bool counting;

static void on_access(unsigned int vcpu, qemu_plugin_meminfo_t info, uint64_t addr, void *unused)
{
	struct qemu_plugin_hwaddr *hw = qemu_plugin_get_hwaddr(info, addr);

	if (!hw || !qemu_plugin_hwaddr_is_io(hw))
		return;
	if (!strncmp(qemu_plugin_hwaddr_device_name(hw), "gic", 3))
		out->gic++;
	else
		out->devices++;
	out->insns = qemu_plugin_u64_sum(insns);
}

static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);

		qemu_plugin_register_vcpu_insn_exec_inline_per_vcpu(insn,
			QEMU_PLUGIN_INLINE_ADD_U64, insns, 1);
		qemu_plugin_register_vcpu_mem_cb(insn, on_access, QEMU_PLUGIN_CB_NO_REGS,
						 QEMU_PLUGIN_MEM_RW, NULL);
	}
}

static void begin(qemu_plugin_id_t id)
{
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
}

static void on_idle(qemu_plugin_id_t id, unsigned int vcpu)
{
	if (!counting && out->on) {
		counting = true;
		qemu_plugin_reset(id, begin);
	}
}

static struct exits *map(const char *path)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);
	void *at = MAP_FAILED;

	if (fd >= 0) {
		at = mmap(NULL, sizeof(*out), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		close(fd);
	}
	return at == MAP_FAILED ? NULL : at;
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc,
					   char **argv)
{
	if (argc != 1 || strncmp(argv[0], "out=", 4) || !(out = map(argv[0] + 4))) {
		fprintf(stderr, "exits: expected out=FILE, a file that can be mapped\n");
		return -1;
	}
	insns = qemu_plugin_scoreboard_u64(qemu_plugin_scoreboard_new(sizeof(uint64_t)));
	qemu_plugin_register_vcpu_idle_cb(id, on_idle);
	return 0;
}
