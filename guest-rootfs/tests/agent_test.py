#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The guest's command server against PROTOCOL.md, natively, over a socket.
# Usage: agent_test.py PATH_OF_AGENT.  Prints TAP.
#
# What needs a guest (finding the port, a host that leaves and comes back) is
# in boot_test.

import base64
import json
import os
import signal
import socket
import subprocess
import sys


class Agent:
    """A running agent and the host's end of its port."""

    def __init__(self, path):
        host, guest = socket.socketpair()
        self.sock = host
        self.sock.settimeout(20)
        self.proc = subprocess.Popen([path, f"fd:{guest.fileno()}"],
                                     pass_fds=[guest.fileno()])
        guest.close()
        self.rest = b""

    def send(self, **request):
        self.raw(json.dumps(request).encode() + b"\n")

    def raw(self, data):
        self.sock.sendall(data)

    def read(self):
        while b"\n" not in self.rest:
            more = self.sock.recv(65536)
            assert more, "the agent has gone"
            self.rest += more
        line, self.rest = self.rest.split(b"\n", 1)
        return json.loads(line)

    def run(self, cmd, **options):
        self.send(id=1, cmd=cmd, **options)
        return self.read()

    def close(self):
        self.sock.close()
        return self.proc.wait(timeout=20)


def expect(got, **want):
    for key, value in want.items():
        assert got.get(key) == value, f"{key}: expected {value!r}, got {got}"


def greeting(a):
    a.send(hello=1)
    expect(a.read(), hello=1, protocol=1, release=os.uname().release,
           machine=os.uname().machine)


def output_and_status(a):
    got = a.run("echo out; echo err >&2; exit 3")
    expect(got, id=1, exit=3, out="out\n", err="err\n", truncated=False,
           timed_out=False, cancelled=False)
    assert "signal" not in got and got["ms"] >= 0


def ended_by_a_signal(a):
    expect(a.run("kill -TERM $$"), exit=128 + signal.SIGTERM, signal=15)


def escapes(a):
    text = 'quote " backslash \\ tab \t bell \a delete \x7f ü 漢 \U0001f600\r\n'
    expect(a.run("cat", stdin=text), out=text)


def invalid_utf8_is_base64(a):
    for data in (b"\xff", b"a\0b", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80",
                 b"\xe2\x82", bytes(range(256))):
        got = a.run("cat; cat </dev/null >&2", stdin64=base64.b64encode(data).decode())
        assert "out" not in got and base64.b64decode(got["out64"]) == data, got
        expect(got, err="")


def much_input(a):
    data = os.urandom(700000)
    got = a.run("cat", stdin64=base64.b64encode(data).decode())
    assert base64.b64decode(got["out64"]) == data


def input_not_read(a):
    expect(a.run("exec <&-; echo ok", stdin="x" * 900000), exit=0, out="ok\n")


def no_input(a):
    expect(a.run("cat"), exit=0, out="")


def limit(a):
    expect(a.run("head -c 3000000 /dev/zero | tr '\\0' x"), exit=0,
           truncated=True, out="x" * (1 << 20))
    expect(a.run("echo 12345", limit=3), truncated=True, out="123")
    expect(a.run("echo 12", limit=3), truncated=False, out="12\n")


def timeout_kills_the_group(a):
    got = a.run("echo begun; sleep 1000 & sleep 1000; echo never", timeout_ms=300)
    expect(got, out="begun\n", timed_out=True, cancelled=False, exit=137, signal=9)
    assert 300 <= got["ms"] < 15000, got


def many_at_a_time(a):
    for i in range(1, 65):
        a.send(id=i, cmd=f"read x <{fifo}; echo {i}")
    a.send(id=100, cmd="true")
    expect(a.read(), id=100, error="too many commands at a time")
    a.send(id=7, cmd="true")
    expect(a.read(), id=7, error="a command with this id is running")
    for i in range(1, 65):
        a.send(cancel=i)
    ids = []
    for i in range(64):
        got = a.read()
        expect(got, cancelled=True, timed_out=False, signal=9)
        ids.append(got["id"])
    assert sorted(ids) == list(range(1, 65))


def order_of_ending(a):
    a.send(id=1, cmd=f"read x <{fifo}; echo $x")
    a.send(id=2, cmd=f"echo go >{fifo}")
    got = {}
    for i in range(2):
        answer = a.read()
        got[answer["id"]] = answer
    expect(got[1], out="go\n", exit=0)
    expect(got[2], out="", exit=0)


def watched_lines(a):
    a.send(id=5, cmd=f"echo x; echo ready 1; read y <{fifo}; echo ready 2; printf ready", watch="ready")
    expect(a.read(), id=5, line="ready 1")
    a.send(id=6, cmd=f"echo >{fifo}")
    seen = [a.read() for i in range(3)]
    assert {"id": 5, "line": "ready 2"} in seen, seen
    ends = {m["id"]: m for m in seen if "exit" in m}
    expect(ends[5], out="x\nready 1\nready 2\nready")


def background_outlives(a):
    got = a.run("sleep 1000 & echo $!")
    expect(got, exit=0)
    os.kill(int(got["out"]), signal.SIGKILL)


def cancel_of_nothing(a):
    a.send(cancel=99)
    expect(a.run("echo still here"), out="still here\n")


def bad_requests(a):
    for line, error in (
            (b"hello", "expected {"), (b'{"id":1', "expected , or }"),
            (b'{"id":1,"cmd":"x', "string without an end"),
            (b'{"id":1,"cmd":"\\x"}', "bad escape"),
            (b'{"id":1,"cmd":"\\ud800"}', "bad \\u escape"),
            (b'{"id":1,"a":[1]}', "expected a string, an integer, true, false or null"),
            (b'{"id":1.5}', "expected a string, an integer, true, false or null"),
            (b'{"id":0,"cmd":"x"}', "id is not a number from 1 to 2147483647"),
            (b'{"id":"1","cmd":"x"}', "id is not a number from 1 to 2147483647"),
            (b'{"cmd":"x"}', "cmd without an id"), (b"{}", "expected cmd, cancel or hello"),
            (b"{} x", "text after }"), (b'{"cancel":-1}', "cancel is not an id"),
            (b'{"a":1,' * 20 + b"}", "expected a string")):
        a.raw(b"\n" + line + b"\n")
        expect(a.read(), error=error)
    for options, error in (
            ({"timeout_ms": "1"}, "timeout_ms is not a number of milliseconds"),
            ({"limit": -1}, "limit is not a number of bytes"),
            ({"stdin64": "a"}, "stdin64 is not base64"), ({"stdin64": "a=aa"}, "stdin64 is not base64"),
            ({"stdin": 1}, "stdin is not a string"), ({"watch": None}, "watch is not a string")):
        expect(a.run("true", **options), id=1, error=error)
    expect(a.run("echo x\0"), id=1, error="cmd is not a string without NUL")


def too_long_a_line(a):
    a.raw(b'{"id":1,"cmd":"' + b"x" * 1200000)
    expect(a.read(), error="line longer than 1 MiB")
    a.raw(b'"}\n')
    expect(a.run("echo after"), out="after\n")


def unicode_escapes(a):
    a.raw(b'{"id":1,"cmd":"printf %s \'\\u00fc\\ud83d\\ude00\\n\\/\'"}\n')
    expect(a.read(), out="ü\U0001f600\n/")


TESTS = [greeting, output_and_status, ended_by_a_signal, escapes,
         invalid_utf8_is_base64, much_input, input_not_read, no_input, limit,
         timeout_kills_the_group, many_at_a_time, order_of_ending,
         watched_lines, background_outlives, cancel_of_nothing, bad_requests,
         too_long_a_line, unicode_escapes]


def main():
    failed = 0
    print(f"TAP version 13\n1..{len(TESTS) + 1}")
    agent = Agent(sys.argv[1])
    expect(agent.read(), hello=1)
    for n, test in enumerate(TESTS, 1):
        try:
            test(agent)
            print(f"ok {n} - {test.__name__}")
        except Exception as e:
            failed += 1
            print(f"not ok {n} - {test.__name__}\n# {e!r}")
            agent.proc.kill()
            agent = Agent(sys.argv[1])
            agent.read()
    status = agent.close()
    ok = status == 0
    print(f"{'ok' if ok else 'not ok'} {len(TESTS) + 1} - ends with its host (status {status})")
    return 1 if failed or not ok else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: agent_test.py PATH_OF_AGENT")
    fifo = f"/tmp/agent_test.{os.getpid()}"
    os.mkfifo(fifo)
    try:
        sys.exit(main())
    finally:
        os.unlink(fifo)
