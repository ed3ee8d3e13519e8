"""A UDP server whose hostile ways are drawn by the number in its argument; it prints its port first.

It answers rightly, but for a share of the requests: those it answers by one of three ways that its number drew.
"""

import contextlib
import random
import socket
import sys
import time
from collections.abc import Callable
from typing import Final

from mqconform.harness.iut.server_configurations import USUAL, model_of
from mqconform.reference.mqsd.server import Network, receive_topology_client_request

RNG: Final = random.Random(int(sys.argv[1]))
SHARE: Final = RNG.choice((0.05, 0.3, 1.0))
LARGEST: Final = 65_507
TEXTS: Final = tuple(
    text.encode("utf-16-le", "surrogatepass")
    for text in ("\x1b[2J\x07", "\u202e", "\ud800", "\udc00\ud800", "\0\0", "\uffff\ufffe", "<script>", "../", "%n%s")
)
Way = Callable[[bytes, bytes], list[bytes]]
BEFORE: list[bytes] = [b""]


def placed(reply: bytes, octets: bytes) -> bytes:
    """A reply in which octets stand somewhere instead of what was there."""
    at = RNG.randrange(len(reply))
    return reply[:at] + octets + reply[at + len(octets) :]


def inserted(reply: bytes, octets: bytes) -> bytes:
    at = RNG.randrange(len(reply) + 1)
    return reply[:at] + octets + reply[at:]


def extreme(reply: bytes) -> bytes:
    """A reply with a number of 2 or 4 octets at its limits: counts, sizes, flags."""
    return placed(reply, RNG.choice((b"\xff", b"\0", b"\x7f", b"\x80")) * RNG.choice((1, 2, 4)))


def repeated(reply: bytes) -> bytes:
    """A reply in which a part stands many times."""
    begin = RNG.randrange(len(reply))
    end = RNG.randrange(begin, len(reply)) + 1
    return (reply[:end] + reply[begin:end] * RNG.choice((1, 9, 3_000)) + reply[end:])[:LARGEST]


WAYS: Final[tuple[Way, ...]] = (
    lambda reply, _: [extreme(reply)],
    lambda reply, _: [placed(reply, RNG.choice(TEXTS))],
    lambda reply, _: [inserted(reply, RNG.choice(TEXTS))],
    lambda reply, _: [repeated(reply)],
    lambda reply, _: [reply[: RNG.randrange(len(reply))]],
    lambda reply, _: [reply + RNG.randbytes(RNG.choice((1, 2, 500)))],
    lambda reply, _: [extreme(reply), reply],
    lambda reply, _: [reply, extreme(reply)],
    lambda reply, _: [reply] * RNG.choice((2, 40, 500)),
    lambda reply, _: [reply[half * 20 : half * 20 + 20] for half in range(-(-len(reply) // 20))],
    lambda _, request: [request],
    lambda _, request: [request[::-1], request + request],
    lambda _, __: [RNG.randbytes(RNG.choice((0, 1, 51, 52, 1_472, LARGEST))) for _ in range(RNG.choice((1, 30)))],
    lambda reply, _: [BEFORE[0] or reply],
    lambda reply, _: [BEFORE[0], reply],
    lambda _, __: [],
)


def late(reply: bytes, _: bytes) -> list[bytes]:
    """A right reply, too late for whoever asked."""
    time.sleep(RNG.choice((0.2, 1.5)))
    return [reply]


def serve() -> None:
    """Answer for ever."""
    here, elsewhere = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2))
    here.bind(("127.0.0.1", 0))
    elsewhere.bind(("127.0.0.3", 0))
    chosen = RNG.sample((*WAYS, late), 3)
    sys.stdout.write(f"{here.getsockname()[1]}\n")
    sys.stdout.flush()
    model = model_of(USUAL)
    while True:
        request, client = here.recvfrom(65_536)
        reply = receive_topology_client_request(model, Network.IP, request) or b"\0\2\0\0" + request[20:36]
        spoilt = RNG.random() < SHARE
        sender = elsewhere if spoilt and RNG.random() < 0.1 else here
        for one in RNG.choice(chosen)(reply, request) if spoilt else [reply]:
            with contextlib.suppress(OSError):
                sender.sendto(one, client)
        BEFORE[0] = reply


serve()
