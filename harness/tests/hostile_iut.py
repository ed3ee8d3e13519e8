"""An implementation that introduces itself well and then answers datagrams in the way that its argument names."""

import json
import os
import signal
import sys
import time

HOW = sys.argv[1]
BEGINS = b'{"jsonrpc":"2.0","id":%d,"result":'
HUGE = 5_000_000
ANSWERS = {
    "long-reply": lambda begins: begins + b'{"replies":["' + b"00" * 8_000_000 + b'"]}}\n',
    "deep": lambda begins: begins + b"[" * 400_000 + b"]" * 400_000 + b"}\n",
    "escapes": lambda begins: begins + b'{"replies":["\\u001b[2J\\u001b]0;owned\\u0007\\u202e"]}}\n',
}


def endless(octets: bytes) -> None:
    """Write without end, until nobody reads any more."""
    while True:
        sys.stdout.buffer.write(octets)


def drip(answer: bytes) -> None:
    """Write an answer so slowly that it never ends, and never pauses for as long as the deadline."""
    for octet in answer * HUGE:
        os.write(1, bytes([octet]) if octet != ord("\n") else b" ")
        time.sleep(0.2)


def leave_a_child() -> None:
    """Leave behind a child that heeds no signal but one, holds the pipes open, and says nothing."""
    if os.fork() == 0:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        time.sleep(600)
        os._exit(0)
    os._exit(0)


def main() -> None:
    """Answer line by line."""
    for line in sys.stdin.buffer:
        request = json.loads(line)
        begins = BEGINS % request["id"]
        match request["method"]:
            case "initialize":
                name = "\x1b[2Jevil\x1b]0;owned\x07\u202e" if HOW == "escapes" else "hostile"
                who = {"protocol": 1, "name": name, "version": "1", "roles": ["discovery_server"], "capabilities": []}
                answer = begins + json.dumps(who).encode() + b"}\n"
            case "discovery_server.receive" if HOW == "line-without-end":
                endless(b"x" * 65_536)
            case "discovery_server.receive" if HOW == "flood":
                endless((BEGINS % (request["id"] + 1) + b'{"replies":[]}}\n') * 1_000)
            case "discovery_server.receive" if HOW == "slow-drip":
                drip(begins + b'{"replies":[]}}')
            case "discovery_server.receive" if HOW == "child-left":
                leave_a_child()
            case "discovery_server.receive" if HOW == "stderr-flood":
                sys.stderr.buffer.write(b"\x1b[2J" * 4_000_000)
                answer = begins + b'{"replies":["zz"]}}\n'
            case "discovery_server.receive" if HOW == "half-a-line":
                answer = begins
            case "discovery_server.receive":
                answer = ANSWERS[HOW](begins)
            case _:
                answer = begins + b"{}}\n"
        sys.stdout.buffer.write(answer)
        sys.stdout.buffer.flush()


main()
