"""A UDP server that answers discovery requests in the way that its argument names; it prints its port first."""

import contextlib
import random
import socket
import sys
import time
from collections.abc import Callable, Iterator

from mqconform.harness.iut.server_configurations import USUAL, model_of
from mqconform.reference.mqsd.server import Network, receive_topology_client_request

HOW = sys.argv[1]
LARGEST = 65_507
OWN_NAME = "PSC-WEST".encode("utf-16-le")
EVIL_NAME = "\x1b[2J\u202e\x07!!".encode("utf-16-le")
Address = tuple[str, int]


class Server:
    """One socket, how often it was asked, and the model of a right server."""

    def __init__(self) -> None:
        self.socket = opened("127.0.0.1")
        self.model = model_of(USUAL)
        self.rng = random.Random(3)
        self.asked = 0

    def right(self, request: bytes) -> bytes:
        """What ought to be answered; where that is nothing, a short reply."""
        reply = receive_topology_client_request(self.model, Network.IP, request)
        return reply if reply is not None else b"\0\2\0\0" + request[20:36]

    def serve(self) -> None:
        while True:
            request, client = self.socket.recvfrom(65_536)
            self.asked += 1
            with contextlib.suppress(OSError):
                WAYS[HOW](self, request, client)

    def say(self, client: Address, *replies: bytes) -> None:
        for one in replies:
            self.socket.sendto(one, client)


def opened(host: str) -> socket.socket:
    made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    made.bind((host, 0))
    return made


def flood(server: Server, client: Address, octets: bytes, pause: float = 0.0) -> None:
    """Send without end."""
    while True:
        with contextlib.suppress(OSError):
            server.say(client, octets)
        if pause:
            time.sleep(pause)


def garbage(server: Server) -> Iterator[bytes]:
    for _ in range(3):
        yield server.rng.randbytes(server.rng.randrange(2_000))


def mutated(server: Server, request: bytes) -> bytes:
    """A right reply with some octets changed, cut off or added."""
    reply = bytearray(server.right(request))
    for _ in range(server.rng.randrange(1, 4)):
        at = server.rng.randrange(len(reply))
        reply[at] = server.rng.randrange(256)
    cut = server.rng.choice((len(reply), server.rng.randrange(len(reply)), 20))
    return bytes(reply[:cut]) + server.rng.randbytes(server.rng.choice((0, 0, 40)))


def deaf(server: Server, request: bytes, client: Address) -> None:
    """Answer every second datagram: the fence, and not what it fences."""
    if server.asked % 2 == 0:
        server.say(client, server.right(request))


WAYS: dict[str, Callable[[Server, bytes, Address], None]] = {
    "garbage": lambda server, _, client: server.say(client, *garbage(server)),
    "mutated": lambda server, request, client: server.say(client, mutated(server, request)),
    "many-overlong": lambda server, request, client: server.say(
        client, *[server.right(request).ljust(LARGEST, b"\xff")] * 60
    ),
    "flood": lambda server, request, client: flood(server, client, server.right(request)),
    "flood-of-large": lambda server, request, client: flood(server, client, server.right(request).ljust(LARGEST)),
    "drip": lambda server, _, client: flood(server, client, b"\x1b", 0.01),
    "escapes": lambda server, request, client: server.say(client, server.right(request).replace(OWN_NAME, EVIL_NAME)),
    "deaf": deaf,
}


server = Server()
sys.stdout.write(f"{server.socket.getsockname()[1]}\n")
sys.stdout.flush()
server.serve()
