# SPDX-License-Identifier: GPL-2.0-or-later
#
# Helpers shared by the shell scripts: where things live, how to say things,
# and how to publish a finished artefact so that a half-made one never counts.
#
# Sourced, never run.  Sets:
#   TOP      the checkout
#   O        build directory (default TOP/build)
#   CACHE    downloads and objects, keyed by content; deleting it is safe

set -euo pipefail

TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
O=${O:-$TOP/build}
CACHE=${TAGRIG_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/tagrig}
PROG=$(basename "$0")
export TOP O CACHE

# A make that a script starts is no part of ours: not its jobs, not its O= and V=
# (they come through the environment).
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES

# One object cache for everything; relative paths, so that a second build
# directory or checkout finds what the first one compiled.
export CCACHE_DIR=$CACHE/ccache CCACHE_MAXSIZE=6G CCACHE_NOHASHDIR=1
export CCACHE_BASEDIR=$O

# People's text goes to stderr: stdout is for results.
say() { printf '%s: %s\n' "$PROG" "$*" >&2; }
die() { say "$*"; exit 1; }

# errors_of LOG: what a compiler, a linker, make or ninja stopped at, from the top;
# never the lines that only name a file error.c.
errors_of() {
	grep -E -A6 '(^|[^[:alnum:]_])error: |undefined reference|^ERROR: |Error [0-9]|^FAILED: ' "$1" |
		cut -c1-400 | sed -n 1,40p >&2 || true
}

# comma WORD...: A,B,C
comma() { local IFS=,; echo "$*"; }

# content_key FILE|STRING...: one key over the contents of files and over
# plain strings, for naming cache entries.
content_key() {
	local x
	for x in "$@"; do
		if [ -f "$x" ]; then cat "$x"; else printf '%s\n' "$x"; fi
	done | sha256sum | cut -c1-16
}

# with_lock NAME CMD...: two runs at once in one cache must not build the
# same thing into each other.
with_lock() {
	local name=$1
	shift
	mkdir -p "$CACHE/lock"
	(
		flock 9
		"$@"
	) 9>"$CACHE/lock/$name"
}

# publish TMP DEST: rename into place; a reader sees all of it or nothing.
publish() {
	mkdir -p "$(dirname "$2")"
	rm -rf "$2"
	mv "$1" "$2"
}
