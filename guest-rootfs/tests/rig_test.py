#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
#
# dsa_rig in a booted guest: its ports, every tagger that the kernel has, each
# with a frame sent, the refusal that saves from an oops, and its parameter.
# Prints TAP.
# Usage: rig_test.py QEMU KERNELDIR INITRAMFS (with dsa_rig in it)

import glob
import os
import re
import subprocess
import sys

from boot_test import Guest

DSA = "/sys/class/net/eth0/dsa/tagging"
# Two taggers of one family: the kernel oopses when one follows the other.
FAMILIES = (("ksz9477", "ksz9893"), ("sja1105", "sja1110"))


def taggers(kernel):
    """Names that the kernel's modules, or what is built in, have as aliases."""
    found = set()
    text = []
    builtin = f"{kernel}/modules/modules.builtin.modinfo"
    if os.path.exists(builtin):
        with open(builtin, "rb") as f:
            text.append(f.read())
    for pattern in ("tag_*.ko", "tag_*.ko.xz"):
        for ko in glob.glob(f"{kernel}/modules/**/{pattern}", recursive=True):
            text.append(subprocess.check_output(["xz", "-dc", ko]) if ko.endswith(".xz")
                        else open(ko, "rb").read())
    for t in text:
        found |= set(re.findall(rb"alias=dsa_tag:([a-z0-9_-]+)\0", t))
    return sorted(n.decode() for n in found if not n.startswith(b"id-"))


class RigGuest(Guest):
    """A guest with helpers that speak of taggers."""

    def ok(self, cmd):
        got = self.run(cmd, timeout_ms=30000)
        assert got and got["exit"] == 0, (cmd, got)
        return got["out"].strip()

    def change(self, name):
        return self.run(f"echo {name} >{DSA}", timeout_ms=30000)

    def tagging(self):
        return self.ok(f"cat {DSA}")

    def switch_to(self, name):
        """Directly, or through another tagger where the family forbids it."""
        if self.change(name)["exit"] != 0:
            assert self.change("edsa")["exit"] == 0
            got = self.change(name)
            assert got["exit"] == 0, (name, got)
        assert self.tagging() == name, (name, self.tagging())

    def transmit(self):
        """Sends from lan2; returns frames that left through lan2 and eth0."""
        self.ok("ip link set eth0 up; ip link set lan2 up; ip addr add 192.0.2.1/24 dev lan2; "
                "ip neigh replace 192.0.2.2 lladdr 02:00:00:00:00:02 dev lan2")
        stat = "cat /sys/class/net/lan2/statistics/tx_packets /sys/class/net/eth0/statistics/tx_packets"
        before = [int(x) for x in self.ok(stat).split()]
        self.ok("rigload udp-send 192.0.2.2 9 --sizes 8,100,1400 --count 10")
        # lan2 counts at once, the conduit when its ring has been cleaned
        after = [int(x) for x in self.ok(
            f"while [ $(cat /sys/class/net/eth0/statistics/tx_packets) -lt {before[1] + 10} ]; "
            f"do :; done; {stat}").split()]
        self.ok("ip addr flush dev lan2; ip link set lan2 down; ip link set eth0 down")
        return [b - a for a, b in zip(before, after)]


def ports(g):
    g.connect()
    hello = g.read()
    links = g.ok("ls /sys/class/net")
    for name in ("eth0", "eth1", "lan0", "lan1", "lan2", "lan3"):
        assert name in links.split(), (hello, links)
    assert g.tagging() == "edsa"


def links_up(g):
    g.ok("ip link set eth0 up; ip link set lan3 up")
    got = g.ok("cat /sys/class/net/lan3/carrier /sys/class/net/lan3/speed /sys/class/net/lan3/mtu")
    g.ok("ip link set lan3 down; ip link set eth0 down")
    assert got.split() == ["1", "1000", "1500"], got


def every_tagger(g):
    names = taggers(g.kernel)
    print(f"# {len(names)} taggers: {' '.join(names)}")
    assert {"dsa", "edsa"} <= set(names), names
    for name in names:
        g.switch_to(name)
        if name == "none":
            continue        # no user port can send without a tagger
        sent = g.transmit()
        assert sent[0] >= 10 and sent[1] >= 10, (name, sent)


def family_is_refused(g):
    names = taggers(g.kernel)
    tried = 0
    for a, b in FAMILIES:
        if a not in names or b not in names:
            continue
        tried += 1
        for one, other in ((a, b), (b, a)):
            g.switch_to("edsa")
            g.switch_to(one)
            got = g.change(other)
            assert got["exit"] != 0 and "busy" in got["err"].lower(), (one, other, got)
            assert g.tagging() == one
            assert g.transmit()[0] >= 10
    if not tried:
        print("# the kernel has no such pair")
    g.switch_to("edsa")


def while_up_it_is_refused(g):
    g.ok("ip link set eth0 up")
    assert g.change("dsa")["exit"] != 0 and g.tagging() == "edsa"
    g.ok("ip link set eth0 down")


def parameter(g):
    g.ok("rmmod dsa_rig")
    assert "lan0" not in g.ok("ls /sys/class/net")
    g.ok("modprobe dsa_rig tag=dsa")
    assert g.tagging() == "dsa" and "lan3" in g.ok("ls /sys/class/net")
    g.ok("rmmod dsa_rig")
    g.ok("modprobe dsa_rig tag=nix")
    assert "lan0" not in g.ok("ls /sys/class/net")
    assert "tag `nix': expected a name as in dsa/tagging" in g.ok("dmesg | tail -n 3")
    g.ok("rmmod dsa_rig; modprobe dsa_rig")
    assert g.tagging() == "edsa"


def no_complaints(g):
    log = g.ok("dmesg")
    for word in ("WARNING:", "BUG:", "Oops", "refcount", "leaked"):
        assert word not in log, log[log.index(word) - 200:][:1000]


TESTS = [ports, links_up, every_tagger, family_is_refused, while_up_it_is_refused, parameter,
         no_complaints]


def main(qemu, kernel, initrd):
    print(f"TAP version 13\n1..{len(TESTS)}")
    guest = RigGuest(qemu, kernel, initrd, machine="stmmac-virt,switch=rig")
    guest.kernel = kernel
    failed = 0
    for n, test in enumerate(TESTS, 1):
        try:
            test(guest)
            print(f"ok {n} - {test.__name__}", flush=True)
        except Exception as e:
            failed += 1
            print(f"not ok {n} - {test.__name__}\n# {e!r}", flush=True)
            for line in guest.log().splitlines()[-12:]:
                print(f"# {line}")
    guest.proc.kill()
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("usage: rig_test.py QEMU KERNELDIR INITRAMFS")
    sys.exit(main(*sys.argv[1:]))
