"""A program that is odd in the way that its words say: hostile on standard input and output, slow as a UDP server.

``hostile.py stdio METHOD:DEED ...``: does the deed wherever the name of the method called contains METHOD.
``hostile.py udp DEED ...``: prints its port, then answers each datagram with the first deed, the second, and so on.
``seed:N`` stands for deeds drawn from this seed. Everything else is answered as the reference answers it.
"""

import heapq
import json
import os
import random
import select
import signal
import socket
import sys
import time
from collections.abc import Callable
from itertools import count

from fuzz_mutations import mutated

from mqconform.harness.iut.connect import open_iut
from mqconform.harness.iut.interface import AdapterOptions
from mqconform.harness.iut.server_configurations import USUAL, model_of
from mqconform.harness.tools.serve.stdio_server import answer_line
from mqconform.reference.mqsd.server import Network, receive_topology_client_request

RNG = random.Random(" ".join(sys.argv))
ESCAPES = "\x1b[2J\x1b]0;owned\x07\u202e\r::stop-commands::x\n ##[error]x\n##vso[task.complete]x\n"
FOREVER = 600
METHODS = ("initialize", "reset", "shutdown", "server", "client", "router", "sender", "receiver", "queue", "eod.", ".")


def endless(octets: bytes) -> bytes:
    while True:
        os.write(1, octets)


def drip(answer: bytes) -> bytes:
    """Write so slowly that the answer never ends, and never pause for as long as the deadline."""
    while True:
        for octet in answer.rstrip():
            os.write(1, bytes([octet]))
            time.sleep(0.2)


def forked(answer: bytes, after: Callable[[], object]) -> bytes:
    """Leave behind a child that ignores what it can, in a session of its own, and holds the pipes open."""
    if os.fork() == 0:
        os.setsid()
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        time.sleep(FOREVER)
    after()
    return answer


def stop_again_and_again(process: int) -> None:
    if os.fork() == 0:
        while True:
            os.kill(process, signal.SIGSTOP)


def error_with(answer: bytes, error: object) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": json.loads(answer)["id"], "error": error}).encode() + b"\n"


def result_with(answer: bytes, result: str) -> bytes:
    return b'{"jsonrpc":"2.0","id":%d,"result":%s}\n' % (json.loads(answer)["id"], result.encode())


def on_stderr(octets: bytes, answer: bytes) -> bytes:
    os.write(2, octets)
    return answer


def declared(answer: bytes, field: str, names: list[str]) -> bytes:
    document = json.loads(answer)
    document.get("result", {})[field] = names
    return json.dumps(document).encode() + b"\n"


PARENT = os.getppid()
MANY = [f"MQSD-9.9-{number:06d}" for number in range(200_000)]
DEEDS: dict[str, Callable[[bytes], object]] = {
    "long-reply": lambda answer: result_with(answer, '{"replies":["%s"]}' % ("00" * 8_000_000)),
    "deep": lambda answer: result_with(answer, "[" * 400_000 + "]" * 400_000),
    "escapes": lambda answer: result_with(answer, json.dumps({"replies": [ESCAPES], ESCAPES: ESCAPES})),
    "line-without-end": lambda _: endless(b"x" * 65_536),
    "flood": lambda _: endless(b'{"jsonrpc":"2.0","id":-1,"result":{"replies":[]}}\n' * 1_000),
    "half-a-line": lambda answer: answer[: len(answer) // 2],
    "slow-drip": drip,
    "stderr-flood": lambda answer: on_stderr(b"\x1b[2J" * 4_000_000, result_with(answer, '{"replies":["zz"]}')),
    "commands": lambda answer: on_stderr(ESCAPES.encode() * 20, error_with(answer, {"code": -1, "message": ESCAPES})),
    "child-left": lambda answer: forked(answer, lambda: os._exit(0)),
    "children": lambda answer: forked(answer, lambda: None),
    "mutated": lambda answer: mutated(answer.rstrip(b"\n"), RNG) + b"\n",
    "junk": lambda _: RNG.randbytes(RNG.randrange(3_000)) + b"\n",
    "nothing": lambda _: b"",
    "blank-lines": lambda answer: b"\n" * 500_000 + answer,
    "padded": lambda answer: b" " * 15_000_000 + answer,
    "twice": lambda answer: answer * 2,
    "spoken-before": lambda answer: b"Listening on port 1801\n" + answer,
    "no-object": lambda answer: result_with(answer, RNG.choice(("null", "0", "[]", "NaN", "1e999", "9" * 5_000))),
    "keys-twice": lambda answer: answer.replace(b'"result":', b'"result":{},"result":'),
    "utf-16": lambda answer: answer.decode().encode("utf-16"),
    "half-characters": lambda answer: result_with(answer, '{"\\ud800":"\\udfff"}'),
    "many-values": lambda answer: result_with(answer, '{"replies":[%s""]}' % ('"",' * 480_000)),
    "error": lambda answer: error_with(answer, RNG.choice((None, [], {"code": 10**400}, {"code": 1, "message": MANY}))),
    "unsupported": lambda answer: error_with(answer, {"code": -32601, "message": ESCAPES}),
    "declares": lambda answer: declared(answer, RNG.choice(("roles", "capabilities", "declined")), MANY),
    "long-names": lambda answer: declared(answer, "name", "\u202e" * 60_000),  # type: ignore[arg-type]
    "late": lambda answer: time.sleep(RNG.choice((0.2, 2.0))) or answer,
    "exit": lambda _: os._exit(RNG.randrange(256)),
    "killed": lambda _: os.kill(os.getpid(), RNG.choice((signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM))),
    "closed-stdout": lambda _: os.close(1) or time.sleep(FOREVER),
    "closed-stdin": lambda _: os.close(0) or time.sleep(FOREVER),
    "stopped": lambda answer: os.kill(os.getpid(), signal.SIGSTOP) or answer,
    "supervisor-stopped": lambda answer: os.kill(PARENT, signal.SIGSTOP) or answer,
    "supervisor-stopped-always": lambda answer: stop_again_and_again(PARENT) or answer,
    "supervisor-killed": lambda answer: os.kill(PARENT, signal.SIGKILL) or answer,
}


def drawn() -> list[str]:
    """Draw one to three deeds, each at a method or at one call in five of all."""
    return [f"{RNG.choice((*METHODS, '?'))}:{RNG.choice([*DEEDS])}" for _ in range(RNG.choice((1, 1, 2, 3)))]


def stdio(words: list[str]) -> None:
    """Answer line by line."""
    reference = open_iut("ref:", AdapterOptions(deadline=FOREVER))
    script = [word.split(":") for word in words]
    for line in sys.stdin.buffer:
        answered, over = answer_line(reference, line)
        answer: object = json.dumps(answered).encode() + b"\n"
        for place, deed in script:
            at = RNG.random() < 0.2 if place == "?" else place in json.loads(line)["method"]
            if at and isinstance(answer, bytes) and answer:
                answer = DEEDS[deed](answer)
        sys.stdout.buffer.write(answer if isinstance(answer, bytes) else b"")
        sys.stdout.buffer.flush()
        if over:
            return


Pauses = list[tuple[float, bytes]]
"""Seconds from the request to each reply."""
WAYS: dict[str, Callable[[bytes], Pauses]] = {
    "right": lambda reply: [(0.0, reply)],
    "deaf": lambda _: [],
    # Within a second; what comes twice was doubled on the way.
    "slow": lambda reply: [(1.0, reply)],
    "in-any-order": lambda reply: [(RNG.random(), reply)],
    "slow-at-times": lambda reply: [(1.0 if RNG.random() < 0.15 else 0.0, reply)],
    "doubled-on-the-way": lambda reply: [(0.0, reply), (0.05 + 0.9 * RNG.random(), reply)],
}


def udp(words: list[str]) -> None:
    """Answer datagrams, each reply in its time."""
    here = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    here.bind(("127.0.0.1", 0))
    sys.stdout.write(f"{here.getsockname()[1]}\n")
    sys.stdout.flush()
    model, due = model_of(USUAL), list[tuple[float, int, bytes, tuple[str, int]]]()
    for asked in count():
        while not select.select([here], [], [], max(0.0, due[0][0] - time.monotonic()) if due else None)[0]:
            _, _, octets, client = heapq.heappop(due)
            here.sendto(octets, client)
        request, client = here.recvfrom(65_536)
        reply = receive_topology_client_request(model, Network.IP, request)
        for pause, octets in WAYS[words[asked % len(words)]](reply) if reply else ():
            heapq.heappush(due, (time.monotonic() + pause, RNG.getrandbits(60), octets, client))


if __name__ == "__main__":
    carrier, *spoken = sys.argv[1:]
    if carrier == "udp":
        udp(spoken)
    else:
        stdio(drawn() if spoken[0].startswith("seed:") else spoken)
