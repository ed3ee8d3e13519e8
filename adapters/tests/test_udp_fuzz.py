"""Any datagrams from anywhere, in any number and order: an exchange gives what was sent, or names the problem."""

import socket
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from long_tier import LONG

from mqconform.adapters.datagrams.iut import UdpIut
from mqconform.harness.iut.interface import Exchange, IutProblem, Unreachable

Wire = Server = Any
"""The classes of conftest.py, which tests cannot import."""
Address = tuple[str, int]
Serve = Callable[..., Server]
Open = Callable[..., UdpIut]
LARGEST = 65_507
BRIEF = 0.05
OWN, ANOTHER_PORT, ANOTHER_HOST = "own", "another port", "another host"


class Said(NamedTuple):
    """One datagram of a server: what it is made of, how long, and where it comes from."""

    kind: str
    filling: bytes
    where: str

    def octets(self, request: bytes, before: bytes) -> bytes:
        match self.kind:
            case "reply":
                return b"\0\2\0\0" + request[20:36] + self.filling
            case "reply to an earlier request":
                return b"\0\2\0\0" + before[20:36] + self.filling
            case "echo":
                return request
            case "as long as can be":
                return (b"\0\2\0\0" + request[20:36] + self.filling).ljust(LARGEST, b"\x1b")
            case _:
                return self.filling


KINDS = ("reply", "reply to an earlier request", "echo", "as long as can be", "anything")
SAID = st.builds(
    Said, st.sampled_from(KINDS), st.binary(max_size=80), st.sampled_from((OWN, OWN, OWN, ANOTHER_PORT, ANOTHER_HOST))
)
SCRIPTS = st.lists(st.lists(SAID, max_size=4), max_size=8)


class Scripted:
    """What a server sends for each datagram that it gets, from three sockets."""

    def __init__(self) -> None:
        self.script: list[list[Said]] = []
        self.sent: Counter[bytes] = Counter()
        self.others = {ANOTHER_PORT: opened("127.0.0.1"), ANOTHER_HOST: opened("127.0.0.2")}
        self.before = b""

    def begin(self, script: list[list[Said]]) -> None:
        self.script, self.sent, self.before = list(script), Counter(), b""

    def handle(self, server: Server, datagram: bytes, source: Address) -> None:
        for said in self.script.pop(0) if self.script else ():
            octets = said.octets(datagram, self.before)
            self.sent[octets] += 1
            if said.where == OWN:
                server.reply(octets, source)
            else:
                self.others[said.where].sendto(octets, source)
        self.before = datagram

    def close(self) -> None:
        for one in self.others.values():
            one.close()


def opened(host: str) -> socket.socket:
    made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    made.bind((host, 0))
    return made


@pytest.fixture
def scripted() -> Iterator[Scripted]:
    made = Scripted()
    yield made
    made.close()


@LONG
@pytest.mark.fuzz
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(play=st.tuples(SCRIPTS, st.lists(st.integers(0, 3), min_size=1, max_size=2)))
def test_an_exchange_is_what_was_sent_or_a_problem(
    wire: Wire, serve: Serve, connect: Open, scripted: Scripted, play: tuple[list[list[Said]], list[int]]
):
    script, requests = play
    server = serve(scripted.handle)
    scripted.begin(script)
    iut = connect(server, BRIEF)
    came: Counter[bytes] = Counter()
    try:
        for number in requests:
            try:
                got = iut.exchange([wire.request() for _ in range(number)], wire.request(), expected=number)
            except Unreachable:
                continue
            except IutProblem as problem:
                pytest.fail(f"no other problem is the network's: {problem!r}")
            assert isinstance(got, Exchange)
            assert not got.overflow
            assert {one.source.rpartition(":")[0] for one in got.replies} <= {"127.0.0.1"}
            assert {one.source.rpartition(":")[0] for one in got.foreign} <= {"127.0.0.2"}
            came.update(one.octets for one in (*got.replies, *got.foreign))
    finally:
        iut.close()
        server.stop()
    assert came <= scripted.sent, "what was never sent has come"
