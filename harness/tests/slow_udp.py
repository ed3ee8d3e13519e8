"""A UDP server that answers discovery requests rightly and when it likes, within a second; it prints its port first."""

import heapq
import random
import select
import socket
import sys
import time
from collections.abc import Callable

from mqconform.harness.iut.server_configurations import USUAL, model_of
from mqconform.reference.mqsd.server import Network, receive_topology_client_request

RNG = random.Random(5)
WAYS: dict[str, Callable[[], list[float]]] = {
    "slow": lambda: [1.0],
    "in-any-order": lambda: [RNG.random()],
    "slow-at-times": lambda: [1.0 if RNG.random() < 0.15 else 0.0],
    "doubled-on-the-way": lambda: [0.0, 0.05 + 0.9 * RNG.random()],
}
"""Seconds after which each reply to a request goes out; of two of them the second one is what a network doubled."""


def serve(delays: Callable[[], list[float]]) -> None:
    """Answer for ever."""
    here = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    here.bind(("127.0.0.1", 0))
    sys.stdout.write(f"{here.getsockname()[1]}\n")
    sys.stdout.flush()
    model = model_of(USUAL)
    due: list[tuple[float, int, bytes, tuple[str, int]]] = []
    count = 0
    while True:
        wait = max(0.0, due[0][0] - time.monotonic()) if due else None
        if select.select([here], [], [], wait)[0]:
            request, client = here.recvfrom(65_536)
            reply = receive_topology_client_request(model, Network.IP, request)
            for delay in delays() if reply is not None else ():
                count += 1
                heapq.heappush(due, (time.monotonic() + delay, count, reply or b"", client))
        while due and due[0][0] <= time.monotonic():
            _, _, reply, client = heapq.heappop(due)
            here.sendto(reply, client)


serve(WAYS[sys.argv[1]])
