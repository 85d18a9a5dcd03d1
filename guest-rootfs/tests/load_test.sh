#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# rigload against itself, natively, over loopback.
# Usage: load_test.sh PATH_OF_RIGLOAD.  Prints TAP.

set -u
load=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
n=0 bad=0

# check NAME STATUS: one line of TAP for the command that has just run.
check() {
	n=$((n + 1))
	if [ "$2" = 0 ]; then
		echo "ok $n - $1"
	else
		bad=$((bad + 1))
		echo "not ok $n - $1"
		sed 's/^/# /' "$dir"/out "$dir"/sent 2>/dev/null
	fi
}

# receiver MODE ADDR [OPTION...]: starts it and waits for its `ready`; sets
# $port and $pid.  Its output goes to $dir/out.
receiver() {
	local line

	mkfifo "$dir/pipe"
	"$load" "$1" "$2" 0 "${@:3}" >"$dir/pipe" &
	pid=$!
	exec 5<"$dir/pipe"
	read -r line <&5
	rm "$dir/pipe"
	port=${line##* }
}

# finish: waits for the receiver; its JSON goes to $dir/out, its status is ours.
finish() {
	cat <&5 >"$dir/out"
	exec 5<&-
	wait $pid
}

# same FILE JSON: is that its last line?
same() {
	[ "$(tail -n 1 "$dir/$1")" = "$2" ]
}

# number FILE KEY: a number of its JSON.
number() {
	sed -n "s/.*\"$2\":\([0-9]*\).*/\1/p" "$dir/$1"
}

for addr in 127.0.0.1 ::1; do
	receiver udp-recv $addr --count 200 --timeout 20000 --expect-seq 0..199
	"$load" udp-send $addr $port --sizes 8..60,1472,100 --count 200 >"$dir/sent"
	check "udp $addr: sender" $?
	finish
	check "udp $addr: receiver has all of them" $?
	# 8..60, 1472 and 100 are 55 lengths: three turns and 35 of the fourth
	bytes=$((3 * (53 * 34 + 1572) + 35 * 25))
	same out '{"received":200,"distinct":200,"duplicates":0,"corrupt":0,"foreign":0,"bytes":'$bytes',"ended":"count","seqs":"0-199","missing":"","unexpected":0}'
	check "udp $addr: and says so" $?
	same sent '{"sent":200,"bytes":'$bytes',"errors":0}'
	check "udp $addr: sender says so" $?

	receiver tcp-recv $addr --timeout 20000
	"$load" tcp-send $addr $port --sizes 1..50,1460,3000 --count 300 --timeout 20000 >"$dir/sent"
	check "tcp $addr: sender" $?
	finish
	check "tcp $addr: receiver" $?
	# 1..50, 1460 and 3000 are 52 lengths: five turns and 40 of the sixth
	bytes=$((5 * (50 * 51 / 2 + 4460) + 40 * 41 / 2))
	same out '{"bytes":'$bytes',"corrupt":false,"connections":1,"ended":"eof"}'
	check "tcp $addr: every byte" $?
	same sent '{"writes":300,"bytes":'$bytes',"ended":"eof"}'
	check "tcp $addr: sender says so" $?
done

# Which interface: an IPv6 socket tells it of IPv4, too.
for addr in 127.0.0.1 ::; do
	receiver udp-recv $addr --count 3 --timeout 20000 --by-device
	"$load" udp-send 127.0.0.1 $port --sizes 20 --count 3 >"$dir/sent"
	finish
	check "udp to $addr: by device" $?
	[ "$(number out from_lo)" = 3 ]
	check "udp to $addr: all came in at lo" $?
done

# Several connections, each with the pattern from its beginning.
receiver tcp-recv 127.0.0.1 --count 2 --timeout 20000
for i in 1 2; do "$load" tcp-send 127.0.0.1 $port --sizes 100 --count 3 >"$dir/sent"; done
finish
check "tcp: two connections" $?
same out '{"bytes":600,"corrupt":false,"connections":2,"ended":"eof"}'
check "tcp: what came on both" $?

receiver udp-recv 127.0.0.1 --count 100 --timeout 20000 --expect-seq 0..9
"$load" udp-send 127.0.0.1 $port --sizes 20 --count 3 --seq 2 >"$dir/sent"
"$load" udp-send 127.0.0.1 $port --sizes 20 --count 2 --seq 4 >"$dir/sent"
"$load" udp-send 127.0.0.1 $port --sizes 20 --count 1 --seq 50 >"$dir/sent"
"$load" udp-send 127.0.0.1 $port --sizes 20 --count 1 --seq 8 --seed 99 >"$dir/sent"
# a stranger's datagram, one too short for a head, and the end marker
for data in 'not ours' x 'TRIG\xff\xff\xff\xff'; do
	printf "$data" >/dev/udp/127.0.0.1/$port
done
finish
check "udp: what is missing fails the receiver" $((1 - $?))
same out '{"received":7,"distinct":6,"duplicates":1,"corrupt":1,"foreign":2,"bytes":140,"ended":"end","seqs":"2-5,8,50","missing":"0-1,6-7,9","unexpected":1}'
check "udp: missing, unexpected, damaged, doubled, foreign are told apart" $?

receiver udp-recv 127.0.0.1 --count 1 --timeout 50
finish
check "udp: time runs out" $((1 - $?))
same out '{"received":0,"distinct":0,"duplicates":0,"corrupt":0,"foreign":0,"bytes":0,"ended":"timeout","seqs":""}'
check "udp: and that is said" $?

begin=$(date +%s%N)
receiver udp-recv 127.0.0.1 --count 11 --timeout 20000
"$load" udp-send 127.0.0.1 $port --sizes 20 --count 11 --rate 50 >"$dir/sent"
finish && [ $(($(date +%s%N) - begin)) -ge 200000000 ]
check "udp: --rate holds back" $?

"$load" udp-send 127.0.0.1 $port --sizes 20 --count 50 >"$dir/sent"
[ "$(number sent sent)" = 50 ] && [ "$(number sent errors)" -gt 0 ]
check "udp: nobody listens: errors are counted" $?

"$load" tcp-send 127.0.0.1 $port --count 1 2>"$dir/err"
[ $? = 1 ] && grep -q 'Connection refused' "$dir/err"
check "tcp: nobody listens" $?

# bad use: status 2 and one line each
while IFS='|' read -r args message; do
	"$load" $args >"$dir/out" 2>"$dir/err"
	[ $? = 2 ] && grep -qF -- "$message" "$dir/err" && [ "$(wc -l <"$dir/err")" = 1 ]
	check "bad use: $message" $?
done <<'BAD'
udp-send|usage: rigload
udp-x 127.0.0.1 1|expected udp-send, udp-recv, tcp-send, tcp-recv or xdp-tx, found udp-x
udp-send localhost 1|localhost: expected an IPv4 or IPv6 address
udp-send 127.0.0.1 70000|port: expected a number up to 65535, found 70000
udp-send fe80::1%nix0 1|fe80::1%nix0: no interface nix0
udp-send 127.0.0.1 1 --sizes 20..x|--sizes: expected a number up to 65535, found x
udp-send 127.0.0.1 1 --sizes 30..20|--sizes: range 30..20 runs backwards
udp-send 127.0.0.1 1 --sizes 7|--sizes: 7 is less than 8
udp-send 127.0.0.1 1 --count -1|--count: expected a number up to 2147483647, found -1
xdp-tx nix0 1|no interface nix0
udp-recv 127.0.0.1 1 x|unexpected argument x
udp-recv 127.0.0.1 1 --nix|unrecognized option
BAD

echo "1..$n"
exit $((bad > 0))
