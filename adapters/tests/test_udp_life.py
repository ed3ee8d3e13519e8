"""Servers that are not there, die, fall silent or flood."""

import socket
import threading
from collections.abc import Callable
from typing import Any

import pytest

from mqconform.adapters.datagrams import arrivals as udp_arrivals
from mqconform.adapters.datagrams.iut import UdpIut, open_iut
from mqconform.harness.iut.interface import AdapterOptions, ServerFacts, Unreachable

Wire = Server = Any
"""The classes of conftest.py, which tests cannot import."""
Address = tuple[str, int]
Serve = Callable[..., Server]
Open = Callable[..., UdpIut]
PATIENT, SHORT = 10.0, 0.3
ENDLESS = 3_600.0
"""Whoever waits for this has missed what ends the wait, and runs into the time limit of tests."""


def closed_port() -> Address:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        host, port = probe.getsockname()
        return host, port


def test_a_port_where_nobody_listens_is_unreachable_at_once(wire: Wire, facts: ServerFacts):
    host, port = closed_port()
    iut = open_iut(f"{host}:{port}", AdapterOptions(reply_timeout=ENDLESS, facts=facts))
    with pytest.raises(Unreachable, match="Connection refused"):
        iut.exchange([wire.request(), wire.request()], wire.request(), expected=2)
    iut.close()


def test_a_server_that_never_says_anything_is_unreachable(wire: Wire, serve: Serve, connect: Open):
    with pytest.raises(Unreachable, match="nothing heard within"):
        connect(serve(wire.silent), SHORT).exchange([wire.request()], wire.request(), expected=1)


def test_a_server_that_dies_is_dead_at_once_and_stays_so(wire: Wire, serve: Serve, connect: Open):
    def mortal(server: Server, datagram: bytes, source: Address) -> None:
        wire.polite(server, datagram, source)
        if len(server.seen) == 2:
            server.die()

    server = serve(mortal)
    iut = connect(server, ENDLESS)
    assert iut.exchange([wire.request()], wire.request(), expected=1).alive is True
    assert server.dead.wait(PATIENT)  # what arrives between its last reply and its end is lost without a word
    for _ in range(3):
        got = iut.exchange([wire.request()], wire.request(), expected=1)
        assert (got.alive, got.replies) == (False, ())


def test_silence_counts_as_death_only_when_it_lasts_and_a_sign_of_life_ends_it(
    wire: Wire, serve: Serve, connect: Open, monkeypatch: pytest.MonkeyPatch
):
    asleep = threading.Event()
    answered = threading.Event()
    silences = threading.Semaphore(0)

    def moody(server: Server, datagram: bytes, source: Address) -> None:
        if asleep.is_set():
            silences.release()
        else:
            wire.polite(server, datagram, source)
            answered.set()

    iut = connect(serve(moody), SHORT)
    assert iut.exchange([wire.request()], wire.request(), expected=1).alive is True
    asleep.set()
    for _ in range(3):
        assert iut.exchange([wire.request()], wire.request(), expected=1).alive is False
    monkeypatch.setattr(iut._conversation, "_reply_timeout", ENDLESS)
    assert iut.exchange([wire.request()], wire.request(), expected=1).alive is False
    for _ in range(3 * 2 + 1):  # what was sent so far, the last one a fence alone: all of it slept through
        assert silences.acquire(timeout=PATIENT)
    asleep.clear()
    answered.clear()
    assert iut.exchange([wire.request()], wire.request(), expected=1).alive is False
    assert answered.wait(PATIENT)
    assert iut.exchange([wire.request()], wire.request(), expected=1).alive is True


def test_a_flood_is_cut_off(wire: Wire, serve: Serve, connect: Open, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(udp_arrivals, "MAX_DATAGRAMS", 200)
    flooding = threading.Event()

    def flood(server: Server, datagram: bytes, source: Address) -> None:
        while not flooding.is_set():
            server.reply(wire.answer_to(datagram[::-1]), source)

    iut = connect(serve(flood))
    got = iut.exchange([wire.request()], wire.request(), expected=1)
    flooding.set()
    assert (got.overflow, got.alive, len(got.replies)) == (True, None, 200)


def test_a_server_that_answers_requests_and_never_a_fence_is_not_waited_for_each_time(
    wire: Wire, serve: Serve, connect: Open, monkeypatch: pytest.MonkeyPatch
):
    fences: set[bytes] = set()

    def partial(server: Server, datagram: bytes, source: Address) -> None:
        if datagram not in fences:
            wire.polite(server, datagram, source)

    def fence() -> bytes:
        made: bytes = wire.request()
        fences.add(made)
        return made

    iut = connect(serve(partial), 0.1)
    for _ in range(6):
        assert iut.exchange([wire.request()], fence(), expected=1).alive is False
    monkeypatch.setattr(iut._conversation, "_reply_timeout", ENDLESS)  # whoever waits for it runs into the time limit
    late = wire.request()
    got = iut.exchange([late], fence(), expected=1)
    assert ([one.octets for one in got.replies], got.alive) == ([wire.answer_to(late)], False)
