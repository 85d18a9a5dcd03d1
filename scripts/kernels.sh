# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034	# sourced: its variables are used elsewhere
#
# What fetch-kernel and build-kernel share: the bugs that kernels are labelled
# by (guest-rootfs/kernels/bugs.tsv) and the architectures.
#
# Sourced after lib.sh, never run.

BUGS=$TOP/guest-rootfs/kernels/bugs.tsv

# Debian architecture | ARCH= | cross prefix | image, below arch/ARCH/boot
ARCHES=(
	"arm64|arm64|aarch64-linux-gnu-|Image"
	"armhf|arm|arm-linux-gnueabihf-|zImage"
	"amd64|x86_64||bzImage"
)

# read_arch ARCH: sets arch, karch, cross and image; takes the kernel's or the
# compiler's name for it, too.
read_arch() {
	local a want=$1

	case $want in
	arm | arm32) want=armhf ;;
	aarch64) want=arm64 ;;
	x86_64 | x86) want=amd64 ;;
	esac
	for a in "${ARCHES[@]}"; do
		IFS='|' read -r arch karch cross image <<<"$a"
		[ "$arch" != "$want" ] || return 0
	done
	die "architecture $1: expected arm64, armhf or amd64"
}

bug_rows() { grep -v '^#' "$BUGS" | tail -n +2; }

# kernel_cc KERNELDIR: what compiles modules for it (after read_arch): what it
# was built with, or the system's where that is not older.  A newer kernel's
# makefiles ask for options that an older gcc does not know.
kernel_cc() {
	local cc=${cross}gcc built have

	built=$(sed -n 's/^CONFIG_GCC_VERSION=\(.*\)0[0-9]0[0-9]$/\1/p' "$1/config" 2>/dev/null)
	have=$("$cc" -dumpversion | cut -d. -f1)
	if [ -e "$1/compiler" ]; then
		cc=$(cat "$1/compiler")
	elif [ "${built:-0}" -gt "$have" ]; then
		cc=$("$TOP"/scripts/fetch-compiler "$built" "$arch") || exit 1
	fi
	echo "$(command -v ccache >/dev/null && echo 'ccache ')$cc"
}

# elf_has FILE SYMBOL: is it among the file's symbols?
elf_has() {
	readelf -Ws "$1" 2>/dev/null | awk -v s="$2" '$8 == s { f = 1 } END { exit !f }'
}

# bugs: those that stock.tsv has a column for.
bugs() {
	grep -v '^#' "${TAGRIG_STOCK:-$TOP/guest-rootfs/kernels/stock.tsv}" | head -n 1 |
		cut -f6- | tr '\t' '\n'
}

# symbol_evidence BUG KERNELDIR: what the module (or vmlinux) itself says.
symbol_evidence() {
	local bug ko sym rest at

	while IFS=$'\t' read -r bug ko sym rest; do
		[ "$bug" = "$1" ] && [ "$sym" != - ] || continue
		at=$(find "$2/modules/" -name "$ko" -print -quit 2>/dev/null)
		[ -n "$at" ] || at=$2/vmlinux
		[ -e "$at" ] || break
		if elf_has "$at" "$sym"; then echo fixed; else echo broken; fi
		return
	done < <(bug_rows)
	echo unknown
}

# source_evidence BUG FILE-OF: what the source says.  FILE-OF is a command that
# gives the place of a source file of the tree.
source_evidence() {
	local bug ko sym source word

	while IFS=$'\t' read -r bug ko sym source word; do
		[ "$bug" = "$1" ] && [ "$word" != - ] || continue
		if grep -qw -e "$word" "$("$2" "$source")"; then echo fixed; else echo broken; fi
		return
	done < <(bug_rows)
	echo unknown
}

# copy_objects FROM TO: a kernel's build directory once more, for one in which
# little changes.  The commands that built tools/ (objtool) name the directory;
# make would take the copy's for others, build the tools again, and then each
# object that they have looked at: the whole kernel.
copy_objects() {
	cp -a --reflink=auto "$1" "$2"
	[ ! -d "$2/tools" ] ||
		find "$2/tools" -type f \( -name '*.cmd' -o -name '*.d' \) -exec sed -i "s,$1,$2,g" {} +
}
