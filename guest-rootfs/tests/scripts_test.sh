#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# fetch-kernel, build-kernel and build-initramfs: bad input, labels, fallback,
# and that the same input gives the same bytes.  Prints TAP.
#
# Nothing is downloaded but package lists: what needs a kernel or packages that
# the cache does not have is skipped.

set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
cache=${TAGRIG_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/tagrig}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export O=$dir/build
n=0 bad=0

check() { # check NAME STATUS
	n=$((n + 1))
	if [ "$2" = 0 ]; then echo "ok $n - $1"; return; fi
	bad=$((bad + 1))
	echo "not ok $n - $1"
	sed 's/^/# /' "$dir"/out "$dir"/err
}

skip() { # skip NAME REASON
	n=$((n + 1))
	echo "ok $n - $1 # SKIP $2"
}

run() { # run SCRIPT ARG...: output in out and err
	"$top/scripts/$1" "${@:2}" >"$dir/out" 2>"$dir/err"
}

# says MESSAGE SCRIPT ARG...: fails, with that on stderr and nothing on stdout
says() {
	local message=$1

	shift
	run "$@"
	[ $? = 1 ] && [ ! -s "$dir/out" ] && grep -qF -- "$message" "$dir/err"
}

row() { # row FIELD...: a line of stock.tsv
	local IFS=$'\t'
	echo "$*"
}

stock() { # stock < rows: another table
	{ row name package below suite arch c2945c435c99; cat; } >"$dir/stock.tsv"
	export TAGRIG_STOCK=$dir/stock.tsv
}

# Bad input

while IFS='|' read -r message command; do
	# shellcheck disable=SC2086	# words
	says "$message" $command
	check "says: $message" $?
done <<'BAD'
usage: fetch-kernel|fetch-kernel
usage: fetch-kernel|fetch-kernel -x
no kernel nix: expected broken, fixed, a Debian package, a path, or one of|fetch-kernel nix
/nix/Image: no such file or directory|fetch-kernel /nix/Image
/etc/passwd: no kernel image: expected an arm64 Image|fetch-kernel /etc/passwd
/usr: neither a kernel image, a kernel source tree nor a kernel directory|fetch-kernel /usr/
knows no bug 123|fetch-kernel 123:broken
usage: build-kernel|build-kernel 6.12
architecture sparc: expected arm64, armhf or amd64|build-kernel 6.12 sparc
no series 9.9: expected a source tree or one of|build-kernel 9.9 amd64
/usr: not a kernel source tree|build-kernel /usr/ amd64
--cocci /nix: no such file|build-kernel 6.12 amd64 --cocci /nix
no-such-cc is missing|build-kernel 6.12 amd64 --cc no-such-cc
/nix/Image is missing: expected a directory|build-initramfs /nix
/nix: no such directory|build-dsa-rig /nix
BAD

stock <<<"$(row x linux-image-x - bookworm arm64)"
says "stock.tsv:2: expected 6 columns, found 5" fetch-kernel x
check "a row with too few columns is named" $?
stock <<<"$(row x linux-image-x - bookworm arm64 perhaps)"
says "stock.tsv:2: expected broken, fixed or unknown, found perhaps" fetch-kernel x
check "a label that is none is named" $?
unset TAGRIG_STOCK

mkdir -p "$dir/shape"
touch "$dir/shape/Image" "$dir/shape/release"
echo sparc >"$dir/shape/arch"
says "arch: expected one of arm64, armhf, amd64, found sparc" build-initramfs "$dir/shape"
check "an architecture that is not known is named" $?
run fetch-kernel "$dir/shape" && [ "$(cat "$dir/out")" = "$dir/shape" ]
check "a kernel directory is taken as it is" $?

# Your own image: 64 bytes of arm64 header and a banner

mkdir -p "$dir/boot" "$dir/lib/modules/6.99.0-mine/kernel"
{
	head -c 56 /dev/zero
	printf 'ARMd'
	head -c 64 /dev/zero
	printf 'Linux version 6.99.0-mine (me@here) #1\n'
} >"$dir/boot/vmlinuz"
run fetch-kernel "$dir/boot/vmlinuz"
own=$(cat "$dir/out")
[ "$(cat "$own/release" "$own/arch")" = $'6.99.0-mine\narm64' ] &&
	[ "$(realpath "$own/modules")" = "$dir/lib/modules/6.99.0-mine" ] &&
	cmp -s "$own/Image" "$dir/boot/vmlinuz" && grep -qx 'c2945c435c99 unknown' "$own/label"
check "an image: release, architecture, modules beside it, label unknown" $?

# The table against the module, and the fallback: in a cache of the test's own,
# with links to what the real one has

pkg=linux-image-6.1.0-44-arm64
own_cache() { # own_cache DIR
	mkdir -p "$1/kernel" "$1/initramfs"
	cp -al "$cache/kernel/$pkg.arm64" "$1/kernel/" 2>/dev/null ||
		cp -a "$cache/kernel/$pkg.arm64" "$1/kernel/"
	ln -s "$cache/apt" "$1/apt"
}

if [ -e "$cache/kernel/$pkg.arm64/package" ]; then
	own_cache "$dir/cache"
	export TAGRIG_CACHE=$dir/cache
	stock <<<"$(row 6.1.164 $pkg - bookworm arm64 fixed)"
	says "says fixed for c2945c435c99, its module says broken" fetch-kernel 6.1.164
	check "a label that the module contradicts is an error" $?
	says "its module says broken" fetch-kernel fixed
	check "and no reason to take another kernel" $?
	stock < <(row gone linux-image-6.1.0-1-arm64 - bookworm arm64 broken
		row 6.1.164 $pkg - bookworm arm64 broken)
	if ! "$top"/scripts/apt-root bookworm arm64 >/dev/null 2>&1; then
		skip "fallback" "no package lists"
	else
		run fetch-kernel broken && [ "$(cat "$dir/out")" = "$dir/cache/kernel/$pkg.arm64" ] &&
			grep -q 'gone cannot be had: using 6.1.164' "$dir/err"
		check "a kernel that has left the archive: the next one, and it is said" $?
		run fetch-kernel --labels broken fixed c2945c435c99:broken &&
			[ "$(cut -d' ' -f1,2 "$dir/out" | paste -sd,)" = "broken 6.1.164,c2945c435c99:broken 6.1.164" ] &&
			[ "$(grep -c 'gone cannot be had' "$dir/err")" = 2 ]
		check "several labels: each its kernel, and none for what nobody has" $?
	fi
	unset TAGRIG_STOCK TAGRIG_CACHE
else
	skip "labels and fallback" "$pkg is not in the cache"
fi

# The same bytes again

packages=("$cache"/initramfs/packages-arm64-*)
if [ -e "$cache/kernel/$pkg.arm64/package" ] && [ -d "${packages[0]}" ]; then
	for i in 1 2; do
		own_cache "$dir/cache$i"
		ln -s "${packages[@]}" "$dir/cache$i/initramfs/"
		TAGRIG_CACHE=$dir/cache$i run build-initramfs "$dir/cache$i/kernel/$pkg.arm64"
		cp "$(cat "$dir/out")" "$dir/initramfs$i"
	done
	cmp "$dir/initramfs1" "$dir/initramfs2"
	check "the same input makes the same initramfs" $?
	for f in "$dir"/cache1/initramfs/{base,modules}-*.cpio; do cpio -it <"$f"; done >"$dir/out" 2>/dev/null
	status=0
	for f in init bin/agent bin/rigload bin/ip bin/dash lib/modules/6.1.0-44-arm64/stmmac.ko \
		lib/modules/6.1.0-44-arm64/modules.dep etc/tagrig/load; do
		grep -qx "$f" "$dir/out" || status=1
	done
	check "it holds the guest's programs and modules" $status
	TAGRIG_CACHE=$dir/cache1 run build-initramfs "$dir/cache1/kernel/$pkg.arm64" --file "$0:/root/extra" \
		--module "$cache/kernel/$pkg.arm64/modules/kernel/drivers/net/nlmon.ko"
	cpio -it <"$(find "$dir/cache1/initramfs" -name 'modules-*' -newer "$dir/initramfs2")" 2>/dev/null >"$dir/out"
	grep -qx root/extra "$dir/out" && grep -qx lib/modules/6.1.0-44-arm64/nlmon.ko "$dir/out"
	check "--file and --module add to it" $?
else
	skip "reproducible initramfs" "its packages are not in the cache"
fi

echo "1..$n"
exit $((bad > 0))
