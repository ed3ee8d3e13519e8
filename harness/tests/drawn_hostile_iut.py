"""An implementation whose hostile ways are drawn by the number in its argument: right answers, spoilt at times.

It answers as the reference does, all roles, until its hostile ways begin: three of them, which its number drew.
A second argument does nothing; by it the processes that are left behind are found.
"""

import contextlib
import json
import os
import random
import signal
import sys
import time
from collections.abc import Callable
from typing import Any, Final

from mqconform.harness.iut.connect import open_iut
from mqconform.harness.iut.interface import AdapterOptions
from mqconform.harness.tools.serve.stdio_server import answer_line

NUMBER: Final = int(sys.argv[1])
RNG: Final = random.Random(NUMBER)
SHARE: Final = RNG.choice((0.02, 0.1, 0.5, 1.0))
LEAVES: Final[tuple[Any, ...]] = (
    None, True, -1, 0, 2**31, 2**63, -(2**64), 10**400, 1e308, 0.1, "", " ", "\0", "\ud800", "\udfff\ud800",
    "\x1b]0;owned\x07", "\x1b[2J\x1b[31m", "\u202e", "\r\n", "\u2028", "'\"<script>&{{7*7}}", "../../../etc/passwd",
    "x" * 70_000, "0" * 200_001, [], {}, [[]], {"": {}}, [None] * 3_000, {str(one): one for one in range(2_000)},
)  # fmt: skip
RAW: Final = (
    b"NaN", b"Infinity", b"-Infinity", b"1e999", b"9" * 5_000, b'"\\ud83d"', b'"\xff\xfe"', b"[" * 3_000 + b"]" * 3_000,
    b'{"a":' * 5_000 + b"1" + b"}" * 5_000, b"01", b"'a'", b"{,}", b"\xef\xbb\xbf{}", b"[1,]", b"undefined",
)  # fmt: skip
Answer = dict[str, Any]


def put(octets: bytes) -> None:
    sys.stdout.buffer.write(octets)
    sys.stdout.buffer.flush()


def line(value: Any) -> bytes:
    return json.dumps(value).encode("ascii") + b"\n"


def places(value: Any) -> list[tuple[Any, Any]]:
    """Return each container with each of its keys."""
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    return [*((value, key) for key in keys), *(place for key in keys for place in places(value[key]))]


def changed(answer: Answer) -> bytes:
    """An answer in which one value is another, is gone or stands twice."""
    holder, key = RNG.choice(places(answer["result"]) or [(answer, "result")])
    match RNG.randrange(4):
        case 0 if isinstance(holder, dict):
            del holder[key]
        case 1 if isinstance(holder, list):
            holder *= RNG.choice((2, 40))
        case _:
            holder[key] = RNG.choice(LEAVES)
    return line(answer)


def raw(answer: Answer) -> bytes:
    """An answer that holds what is no JSON, or what few take for it."""
    holder, key = RNG.choice(places(answer["result"]) or [(answer, "result")])
    holder[key] = "HERE"
    return line(answer).replace(b'"HERE"', RNG.choice(RAW))


def envelope(answer: Answer) -> bytes:
    """An answer in a wrong wrapping."""
    told = {"jsonrpc": "2.0", "id": answer["id"]}
    member = RNG.choice(("id", "jsonrpc", "more"))
    log = {"jsonrpc": "2.0", "method": "log", "params": {"says": "x" * 100}}
    wrapped = (
        line([answer]),
        line(answer | {"error": {"code": -32000, "message": "\x1b[2J"}}),
        line(told | {"error": RNG.choice(LEAVES)}),
        line(told | {"error": {"code": RNG.choice(LEAVES), "message": "m"}}),
        line(told | {"error": {"code": -32601, "message": "\u202e" * 9_000}}),
        line(log) * 50 + line(answer),
        line(answer | {member: RNG.choice(LEAVES)}),
    )
    return RNG.choice(wrapped)


def framing(answer: Answer) -> bytes:
    """A right answer that is no single line, or not in UTF-8."""
    text = line(answer)
    framed = (
            text[:-1], text[: len(text) // 2], text[:-1] + b"\r\n", b"\n\n" + text, text * 2, text[:-1] * 2 + b"\n",
            text.decode("ascii").encode("utf-16"), b"\0" + text, text.replace(b",", b",\n", 1), b"\xff" * 99 + b"\n",
            b"printed by mistake\n" + text, b" " * 100_000 + text, json.dumps(answer, indent=1).encode() + b"\n", b"",
    )  # fmt: skip
    return RNG.choice(framed)


def before(answer: Answer) -> bytes:
    """Answers to this question and to those that are not asked yet."""
    return b"".join(line(answer | {"id": answer["id"] + ahead}) for ahead in range(RNG.choice((2, 300))))


EARLIER: list[bytes] = []


def earlier(_: Answer) -> bytes:
    """What was answered before, under the id that it had."""
    return RNG.choice(EARLIER)


def stderr(answer: Answer) -> bytes:
    with contextlib.suppress(OSError):
        os.write(2, RNG.choice((b"\x1b[2J\x07" * 20_000, b"x" * 2_000_000, b"\xff\0" * 9_000, b"\n" * 50_000)))
    return line(answer)


def child(answer: Answer) -> bytes:
    """Leave a child behind, in a session of its own at times, that holds the pipes and answers instead."""
    if os.fork() == 0:
        if RNG.random() < 0.5:
            os.setsid()
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        with contextlib.suppress(OSError):
            put(line(answer))
        time.sleep(300)
        os._exit(0)
    if RNG.random() < 0.5:
        os._exit(RNG.choice((0, 1, 255)))
    return b""


def ends(answer: Answer) -> bytes:
    """End, or close what the harness writes to or reads from."""
    match RNG.randrange(6):
        case 0:
            os._exit(RNG.choice((0, 3, 77)))
        case 1:
            os.kill(os.getpid(), RNG.choice((signal.SIGSEGV, signal.SIGKILL, signal.SIGSTOP)))
        case 2:
            os.close(0)
        case 3:
            os.close(1)
            time.sleep(300)
        case 4:
            put(line(answer))
            os._exit(0)
        case _:
            time.sleep(300)
    return line(answer)


def after_the_end() -> None:
    """Go on answering when nobody asks any more, and heed no signal that asks to end."""
    for one in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(one, signal.SIG_IGN)
    with contextlib.suppress(OSError):
        while True:
            put(RNG.choice(EARLIER))


WAYS: Final[tuple[Callable[[Answer], bytes], ...]] = (
    changed, changed, changed, raw, envelope, framing, before, earlier, stderr, child, ends,
)  # fmt: skip


def main() -> None:
    """Answer line by line."""
    chosen = RNG.sample(WAYS, 3)
    begin, heeds = RNG.randrange(12), RNG.random() < 0.5
    iut = open_iut("ref:", AdapterOptions())
    for number, request in enumerate(sys.stdin.buffer):
        answer, over = answer_line(iut, request)
        if answer is None:
            continue
        spoilt = number >= begin and "result" in answer and RNG.random() < SHARE
        EARLIER.append(line(answer))
        put(RNG.choice(chosen)(answer) if spoilt else EARLIER[-1])
        if over:
            break
    if not heeds:
        after_the_end()


with contextlib.suppress(OSError):  # what it closed itself
    main()
