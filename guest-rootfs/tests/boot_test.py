#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The guest as a whole, booted: greeting, programs, a host that leaves and
# comes back, and the three ways in which a guest ends.  Prints TAP.
# Usage: boot_test.py QEMU KERNELDIR INITRAMFS [MACHINE]

import json
import os
import socket
import subprocess
import sys
import tempfile
import time


def listen(path):
    """A listening socket for QEMU to inherit: nobody has to wait for its file."""
    s = socket.socket(socket.AF_UNIX)
    s.bind(path)
    s.listen(1)
    return s


class Guest:
    """A booted guest; connect() may be called again after close()."""

    def __init__(self, qemu, kernel, initrd, machine="virt", append="", cpu="cortex-a53",
                 console="ttyAMA0", more=()):
        self.dir = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.dir.name, "agent")
        self.console = os.path.join(self.dir.name, "console")
        agent, con = listen(self.path), listen(self.console + ".sock")
        self.proc = subprocess.Popen(
            [qemu, "-M", machine, "-cpu", cpu, "-m", "256", "-display", "none",
             "-no-reboot", "-nic", "none", "-accel", "tcg,thread=single",
             "-kernel", f"{kernel}/Image", "-initrd", initrd,
             "-append", f"console={console} nokaslr panic=-1 {append}",
             "-chardev", f"socket,id=con,fd={con.fileno()},server=on,wait=off,logfile={self.console}",
             "-serial", "chardev:con", "-device", "virtio-serial-pci",
             "-chardev", f"socket,id=ag,fd={agent.fileno()},server=on,wait=off",
             "-device", "virtserialport,chardev=ag,name=tagrig.agent", *more],
            pass_fds=[agent.fileno(), con.fileno()])
        agent.close()
        con.close()
        self.ids = 0

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(120)
        self.sock.connect(self.path)
        self.file = self.sock.makefile("rwb")

    def close(self):
        self.file.close()
        self.sock.close()

    def send(self, text):
        self.file.write(text.encode() + b"\n")
        self.file.flush()

    def read(self):
        line = self.file.readline()
        return json.loads(line) if line else None

    def run(self, cmd, **options):
        self.ids += 1
        self.send(json.dumps({"id": self.ids, "cmd": cmd, **options}))
        while True:
            got = self.read()
            if got is None or (got.get("id") == self.ids and "exit" in got):
                return got

    def log(self):
        with open(self.console, "rb") as f:
            return f.read().decode(errors="replace")

    def ended(self):
        return self.proc.wait(timeout=120)


def greeting(g):
    g.connect()
    hello = g.read()
    assert hello["hello"] == 1 and hello["protocol"] == 1, hello
    assert hello["release"] == release, hello
    print(f"# {hello['uptime_ms']} ms from the kernel's start to the greeting; missing: {hello['missing']!r}")


def programs(g):
    for cmd, word in (("ip -V", "iproute2"), ("bridge -V", "bridge utility"), ("tc -V", "iproute2"),
                      ("ss -V", "iproute2"), ("ethtool --version", "ethtool"),
                      ("iperf3 --version", "iperf"), ("nc -h 2>&1", "OpenBSD"),
                      ("rigload 2>&1 || true", "usage"), ("readlink /bin/sh", "dash"),
                      ("sed --version 2>&1 || true", "GNU sed|sed"), ("uname -r", release)):
        got = g.run(cmd)
        assert got["exit"] == 0 and word.split("|")[-1] in got["out"] + got["err"], (cmd, got)


def loopback_traffic(g):
    assert g.run("ip link set lo up")["exit"] == 0
    g.send('{"id":900,"cmd":"rigload udp-recv ::1 9 --count 50 --timeout 20000","watch":"ready"}')
    assert g.read() == {"id": 900, "line": "ready udp ::1 9"}
    assert g.run("rigload udp-send ::1 9 --sizes 8..1000 --count 50")["exit"] == 0
    got = g.read()
    assert got["id"] == 900 and got["exit"] == 0 and '"distinct":50' in got["out"], got


def mounts(g):
    got = g.run("cat /proc/sys/kernel/panic_on_oops /proc/sys/kernel/panic; "
                "ls -d /sys/kernel/debug/tracing /dev/null; cut -d' ' -f3 /proc/mounts | sort -u | tr '\\n' ' '")
    for word in ("1\n-1\n", "/sys/kernel/debug/tracing", "/dev/null", "debugfs", "devtmpfs", "proc", "sysfs", "tmpfs"):
        assert word in got["out"], (word, got)


def host_leaves_and_returns(g):
    g.send('{"id":1000,"cmd":"mkfifo /tmp/f; read x </tmp/f; echo $x"}')
    assert g.run("true")["exit"] == 0       # so 1000 has been seen
    g.send('{"id":1001,"cmd":"half a li')
    g.close()
    g.connect()
    g.send("")
    g.send('{"hello":1}')
    seen = [g.read(), g.read()]
    assert any("hello" in m for m in seen) and any("error" in m for m in seen), seen
    g.send('{"id":1002,"cmd":"echo over >/tmp/f"}')
    ends = {m["id"]: m for m in (g.read(), g.read())}
    assert ends[1000]["out"] == "over\n" and ends[1002]["exit"] == 0, ends


def much_output(g):
    got = g.run("head -c 3000000 /dev/zero | tr '\\0' y", limit=3000000)
    assert got["out"] == "y" * 3000000 and not got["truncated"]


def idle_costs_nothing(g):
    """The server sleeps when no host is there (its port is then readable)."""
    ticks = "set -- $(cat /proc/$(pidof agent)/stat); echo $((${14} + ${15}))"
    before = int(g.run(ticks)["out"])
    console = socket.socket(socket.AF_UNIX)
    console.connect(g.console + ".sock")
    g.send('{"id":1500,"cmd":"sleep 2; echo it has slept >/dev/console"}')
    assert g.run("true")["exit"] == 0       # so 1500 has begun
    g.close()
    text = b""
    while b"it has slept" not in text:
        text += console.recv(4096)
    console.close()
    g.connect()
    after = int(g.run(ticks)["out"])
    assert after - before < 50, (before, after)     # of 200


def ends_by_poweroff(g):
    g.send('{"id":2000,"cmd":"poweroff -f"}')
    assert g.ended() == 0


def ends_by_panic(g):
    g.connect()
    g.read()
    g.send('{"id":1,"cmd":"echo c >/proc/sysrq-trigger"}')
    assert g.ended() == 0
    assert "Kernel panic" in g.log() or "sysrq" in g.log().lower(), g.log()[-500:]


def ends_with_the_server(g):
    g.connect()
    g.read()
    g.send('{"id":1,"cmd":"kill -9 $PPID"}')
    assert g.ended() == 0
    assert "the command server has ended" in g.log(), g.log()[-500:]


ONE_GUEST = [greeting, programs, loopback_traffic, mounts, host_leaves_and_returns,
             much_output, idle_costs_nothing, ends_by_poweroff]
ITS_OWN = [ends_by_panic, ends_with_the_server]


def attempt(number, test, guest):
    try:
        test(guest)
        print(f"ok {number} - {test.__name__}", flush=True)
        return 0
    except Exception as e:
        print(f"not ok {number} - {test.__name__}\n# {e!r}", flush=True)
        for line in guest.log().splitlines()[-8:]:
            print(f"# {line}")
        return 1


def main(args):
    print(f"TAP version 13\n1..{len(ONE_GUEST) + len(ITS_OWN)}")
    start = time.monotonic()
    guest = Guest(*args)
    failed = sum(attempt(n, t, guest) for n, t in enumerate(ONE_GUEST, 1))
    guest.proc.kill()
    for n, t in enumerate(ITS_OWN, len(ONE_GUEST) + 1):
        guest = Guest(*args)
        failed += attempt(n, t, guest)
        guest.proc.kill()
    print(f"# {time.monotonic() - start:.1f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) not in (4, 5):
        sys.exit("usage: boot_test.py QEMU KERNELDIR INITRAMFS [MACHINE]")
    with open(f"{sys.argv[2]}/release", encoding="ascii") as f:
        release = f.read().strip()
    sys.exit(main(sys.argv[1:]))
