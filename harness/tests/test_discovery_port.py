"""A second socket to a server: one lost datagram of a network that may lose some convicts nobody."""

import random
from collections.abc import Sequence
from typing import Any

import pytest

from mqconform.harness.iut.connect import Reached
from mqconform.harness.iut.drivers.discovery_server.port import DiscoveryPort
from mqconform.harness.iut.interface import Datagram, Exchange, Json, Unreachable
from mqconform.harness.iut.patience import Patience
from mqconform.harness.iut.server_configurations import USUAL

REQUEST = b"\0\1\0\0" + bytes(range(48))


class Loses:
    """A carrier that loses its first requests."""

    facts = USUAL
    description: Any = None

    def __init__(self, losses: int, *, lossless: bool) -> None:
        self.lossless = lossless
        self._left = losses

    def exchange(self, datagrams: Sequence[bytes], fence: bytes, expected: int = 0) -> Exchange:
        del fence, expected
        self._left -= 1
        if self._left >= 0:
            raise Unreachable("nothing heard")
        return Exchange(tuple(Datagram(b"\0\2\0\0" + request[20:36]) for request in datagrams), alive=True)

    def call(self, method: str, params: Json) -> Json:
        raise NotImplementedError(method, params)

    def evidence(self) -> tuple[str, ...]:
        return ()

    def close(self) -> None:
        pass


def port() -> DiscoveryPort:
    return DiscoveryPort(Reached(Loses(0, lossless=True)), Patience(), random.Random(1))


def test_what_is_answered_at_a_later_attempt_decides_nothing():
    with pytest.raises(Unreachable, match="attempt 2"):
        port().ask(Loses(1, lossless=False), [REQUEST], expected=1)


def test_silence_at_every_attempt_is_the_servers():
    assert port().ask(Loses(9, lossless=False), [REQUEST], expected=1).replies == ()


def test_a_medium_that_loses_nothing_is_asked_once():
    assert port().ask(Loses(1, lossless=True), [REQUEST], expected=1).replies == ()
