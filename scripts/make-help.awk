# SPDX-License-Identifier: GPL-2.0-or-later
# Prints the Makefile's targets ("target: ... ## text"), their groups
# ("##@ Group") and its variables ("#@ NAME=VALUE<tab>text").

BEGIN { print "usage: make TARGET [VARIABLE=VALUE ...]" }
/^##@ / { printf "\n%s\n", substr($0, 5) }
/^#@ / { split(substr($0, 4), f, "\t"); printf "  %-18s %s\n", f[1], f[2] }
/^[a-z-]+:.*## / {
	target = $0; sub(/:.*/, "", target)
	text = $0; sub(/.*## /, "", text)
	printf "  %-18s %s\n", target, text
}
