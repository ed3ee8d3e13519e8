"""Exchanges with real servers: right ones, disorderly ones, and somebody else who answers."""

import socket
import threading
from collections.abc import Callable
from time import monotonic
from typing import Any

import pytest

from mqconform.adapters.datagrams.iut import UdpIut
from mqconform.harness.iut.interface import DatagramCarrier, NotApplicable, Unreachable

Wire = Server = Any
"""The classes of conftest.py, which tests cannot import."""
Address = tuple[str, int]
Serve = Callable[..., Server]
Open = Callable[..., UdpIut]
PATIENT, SHORT = 10.0, 0.3


def test_replies_come_back_in_order_with_their_source_and_without_the_fences(wire: Wire, serve: Serve, connect: Open):
    server = serve(wire.polite)
    iut = connect(server)
    assert isinstance(iut, DatagramCarrier)
    requests = [wire.request(), wire.request(), wire.request()]
    began = monotonic()
    got = iut.exchange(requests, wire.request(), expected=3)
    assert [one.octets for one in got.replies] == [wire.answer_to(one) for one in requests]
    assert {one.source for one in got.replies} == {f"127.0.0.1:{server.address[1]}"}
    assert (got.alive, got.foreign, got.overflow) == (True, (), False)
    assert monotonic() - began < PATIENT / 2


def test_nothing_is_sent_but_the_datagrams_and_the_fence_each_once(wire: Wire, serve: Serve, connect: Open):
    server = serve(wire.polite)
    iut = connect(server)
    iut.call("initialize", {})
    iut.call("reset", {})
    sent, fence = [b"", b"short", wire.request(bytes(3_000))], wire.request()
    iut.exchange(sent, fence)
    iut.call("shutdown", {})
    assert server.seen == [*sent, fence]


def test_a_reply_that_is_due_is_waited_for_after_the_fence_was_answered(wire: Wire, serve: Serve, connect: Open):
    held: list[bytes] = []

    def last_first(server: Server, datagram: bytes, source: Address) -> None:
        """Answer the fence at once and the request well after the grace."""
        if not held:
            held.append(datagram)
            return
        wire.polite(server, datagram, source)
        threading.Timer(0.6, server.reply, (wire.answer_to(held[0]), source)).start()

    first = wire.request()
    got = connect(serve(last_first)).exchange([first], wire.request(), expected=1)
    assert [one.octets for one in got.replies] == [wire.answer_to(first)]
    assert got.alive is True


def test_a_reply_from_another_port_of_the_host_is_a_reply(wire: Wire, serve: Serve, connect: Open):
    def from_elsewhere(_: Server, datagram: bytes, source: Address) -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
            other.bind(("127.0.0.1", 0))
            other.sendto(wire.answer_to(datagram), source)

    server = serve(from_elsewhere)
    got = connect(server).exchange([wire.request()], wire.request(), expected=1)
    assert (got.alive, len(got.replies), got.foreign) == (True, 1, ())
    assert got.replies[0].source != f"127.0.0.1:{server.address[1]}"


def rogue(answer: bytes, source: Address) -> None:
    """Answer from another address of the loopback network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
        other.bind(("127.0.0.2", 0))
        other.sendto(answer, source)


def test_who_answers_from_another_host_is_foreign(wire: Wire, serve: Serve, connect: Open):
    def both(server: Server, datagram: bytes, source: Address) -> None:
        rogue(wire.answer_to(datagram), source)
        wire.polite(server, datagram, source)

    got = connect(serve(both)).exchange([wire.request()], wire.request(), expected=1)
    assert (got.alive, len(got.replies)) == (True, 1)
    assert len(got.foreign) >= 1
    assert got.foreign[0].source.startswith("127.0.0.2:")


def test_a_foreign_answer_does_not_stand_for_a_silent_server(wire: Wire, serve: Serve, connect: Open):
    def only_rogue(_: Server, datagram: bytes, source: Address) -> None:
        rogue(wire.answer_to(datagram), source)

    with pytest.raises(Unreachable, match=r"nothing heard within .*127\.0\.0\.2:\d+.* answered instead"):
        connect(serve(only_rogue), SHORT).exchange([wire.request()], wire.request(), expected=1)


def test_a_late_reply_to_an_earlier_exchange_is_none_of_the_next(wire: Wire, serve: Serve, connect: Open):
    held: list[bytes] = []

    def late(server: Server, datagram: bytes, source: Address) -> None:
        """Answer the very first request only during the second exchange, and that one's own request last."""
        held.append(datagram)
        if len(held) in (1, 3):
            return
        if len(held) == 4:
            server.reply(wire.answer_to(held[0]), source)
            wire.polite(server, datagram, source)
            threading.Timer(0.4, server.reply, (wire.answer_to(held[2]), source)).start()
            return
        wire.polite(server, datagram, source)

    iut = connect(serve(late))
    first, second = wire.request(), wire.request()
    assert iut.exchange([first], wire.request()).replies == ()
    got = iut.exchange([second], wire.request(), expected=1)
    assert [one.octets for one in got.replies] == [wire.answer_to(second)]
    assert "1 datagrams arrived between exchanges" in iut.evidence()[0]


def test_ipv6_works_alike(wire: Wire, serve: Serve, connect: Open):
    try:
        server = serve(wire.polite, "::1")
    except OSError:
        pytest.skip("this machine has no IPv6 loopback")
    iut = connect(server)
    got = iut.exchange([wire.request()], wire.request(), expected=1)
    assert got.replies[0].source == f"[::1]:{server.address[1]}"
    assert iut.lossless, "loopback loses nothing"


def test_a_datagram_too_large_for_udp_is_not_applicable(wire: Wire, serve: Serve, connect: Open):
    with pytest.raises(NotApplicable, match="65508 octets do not fit"):
        connect(serve(wire.polite)).exchange([bytes(65_508)], wire.request())


def test_a_fence_that_could_not_be_told_apart_is_the_harness_s_mistake(wire: Wire, serve: Serve, connect: Open):
    iut = connect(serve(wire.polite))
    with pytest.raises(ValueError, match="too few for a RequestID"):
        iut.exchange([], bytes(35))
    with pytest.raises(ValueError, match="cannot be distinguished"):
        iut.exchange([fence := wire.request()], fence)
