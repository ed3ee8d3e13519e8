"""The explainer: right clients are explained, clients that are wrong on purpose are not, and it says why."""

from typing import Any

import pytest

from mqconform.reference.allowed import Standing
from mqconform.reference.mqsd.client import (
    SECOND,
    ClockAdvanced,
    Complete,
    DatagramReceived,
    Effect,
    Explanation,
    GetDirectoryServerList,
    NetworkAddress,
    Observation,
    Result,
    Send,
    explain,
    explanation_from,
    initialize,
)
from mqconform.reference.mqsd.guid import Guid

ENTERPRISE, SITE = Guid(b"E" * 16), Guid(b"S" * 16)
A, B = "10.0.1.0", "10.0.2.0"
ID, OTHER_ID = Guid(b"1" * 16), Guid(b"2" * 16)
OLD_NETWORK, LISTED = Guid(b"0" * 16), Guid(b"N" * 16)
SUCCESS, FAILURE = Complete(Result.SUCCESS), Complete(Result.FAILURE)


def request(
    network: str, request_id: bytes = ID, *, head: str = "00010000", site: bytes = SITE, tail: str = ""
) -> Send:
    return Send(network, bytes.fromhex(head) + ENTERPRISE + request_id + site + bytes.fromhex(tail))


def reply(servers: str = "", correlation: bytes = ID) -> bytes:
    array = servers.encode("utf-16-le")
    numbers = (1).to_bytes(4, "little") + bytes(4) + len(array).to_bytes(4, "little")
    return b"\0\2\0\0" + correlation + numbers + LISTED + (b"O" * 16 + array if array else b"")


def start(*effects: Effect, at: float = 0, **shown: Any):
    return Observation(GetDirectoryServerList(), int(at * SECOND), effects, shown or None)


def local(network: str, *effects: Effect, at: float = 0, correlation: bytes = ID, **shown: Any):
    received = DatagramReceived(network, reply("", correlation))
    return Observation(received, int(at * SECOND), effects, shown or None)


def foreign(network: str, *effects: Effect, at: float = 0, servers: str = "10oslo\0", **shown: Any):
    received = DatagramReceived(network, reply(servers))
    return Observation(received, int(at * SECOND), effects, shown or None)


def clock(at: float, *effects: Effect, **shown: Any):
    return Observation(ClockAdvanced(), round(at * SECOND), effects, shown or None)


def client(*networks: str, remote_access: bool = False):
    connected = tuple(NetworkAddress(address, remote_access) for address in networks)
    return initialize(ENTERPRISE, SITE, connected, ("old",), (OLD_NETWORK,))


def explained(networks: list[str], *observations: Observation, **options: Any) -> Explanation:
    return explain(client(*networks), observations, **options)


STARTED = start(request(A))
RIGHT = {
    "no reply": ([A], STARTED, clock(14.9), clock(15, FAILURE)),
    "two networks": ([A, B], STARTED, clock(15, request(B)), clock(30, FAILURE)),
    "local reply": ([A], STARTED, local(A, SUCCESS, at=3)),
    "foreign reply": ([A], STARTED, foreign(A, at=10), clock(24.9), clock(25, SUCCESS)),
    "the next wait": ([A, B], STARTED, local(A, request(B), at=5), clock(15), clock(20, SUCCESS)),
    "two foreign replies": ([A], STARTED, foreign(A), foreign(A, SUCCESS, servers="10voss\0")),
    "another network": ([A, B], STARTED, local(B), clock(15, request(B)), clock(30, FAILURE)),
    "another id": ([A], STARTED, local(A, correlation=OTHER_ID), clock(15, FAILURE)),
    "names": ([A], STARTED, foreign(A), clock(15, SUCCESS, directory_servers=("oslo",))),
    "networks": ([A], STARTED, foreign(A), clock(15, SUCCESS, connected_networks=(LISTED,))),
    "flag after failure": ([A], STARTED, clock(15, FAILURE, valid_last_successful_network_address=False)),
}


def test_the_best_hypothesis_needs_the_least_from_the_register():
    networks, *observations = RIGHT["foreign reply"]
    run = explained(networks, *observations)
    assert run.best.standing is Standing.TEXT
    assert {str(choice.reading) for choices in run.followed().values() for choice in choices} == {"SD-50/waits-anew"}
    in_all = explained([A], STARTED, foreign(A, at=10), clock(15, SUCCESS))
    assert in_all.best.standing is Standing.PERMITTED


def test_a_contradiction_names_what_was_expected_and_observed_and_stays_as_it_is():
    run = explained([A], STARTED, clock(15, SUCCESS), clock(99, FAILURE))
    assert run.contradiction is not None
    assert run.contradiction.number == 1
    first = run.contradiction.closest[0]
    assert first.effects == (FAILURE,)
    assert str(first).startswith("effect 1: expected complete with failure, observed complete with success [")
    assert run.after(clock(100)) is run
    assert run.best is None
    assert run.followed() == {}


def test_a_real_clock_may_be_off_by_the_tolerance_and_no_more():
    half = SECOND // 2

    def seen(*late: Observation) -> Explanation:
        return explained([A, B], STARTED, *late, tolerance=half)

    assert seen(clock(14.6), clock(14.6, request(B)), clock(29.3), clock(29.9, FAILURE)).holds
    assert seen(clock(15.4), clock(15.4, request(B)), clock(30.7), clock(30.8, FAILURE)).holds
    assert seen(clock(15.5, request(B)), clock(30.9, FAILURE)).holds
    assert seen(clock(14.4, request(B))).contradiction is not None
    assert seen(clock(15.6), clock(15.7, request(B))).contradiction is not None
    assert seen(clock(15.4, request(B)), clock(29.8, FAILURE)).contradiction is not None


def test_near_the_end_of_a_wait_a_reply_may_come_before_it_or_after_it():
    before = local(A, request(B), at=15.1)
    after = local(A, at=14.9)
    tolerant = {"tolerance": SECOND // 2}
    assert explained([A, B], STARTED, before, clock(30.1, SUCCESS), **tolerant).holds
    assert explained([A, B], STARTED, clock(14.8, request(B)), after, clock(29.8, FAILURE), **tolerant).holds
    assert not explained([A, B], STARTED, clock(14.8, request(B)), after, clock(29.8, FAILURE)).holds


def test_a_tolerance_as_long_as_the_wait_is_refused():
    with pytest.raises(ValueError, match="less than 15 s"):
        explanation_from(client(A), tolerance=15 * SECOND)


def test_names_from_elsewhere_are_another_protocols_and_names_read_wrongly_are_not():
    for servers in (("oslo", "elsewhere"), ("elsewhere",)):
        run = explained([A], STARTED, foreign(A), clock(15, SUCCESS, directory_servers=servers))
        assert {str(reading) for reading in run.best.needed} >= {"SD-75/changed-by-another-protocol"}, servers
    for servers in (("10oslo",), ("osl",), ("OSLO", "elsewhere"), ("old", "elsewhere")):
        assert not explained([A], STARTED, foreign(A), clock(15, SUCCESS, directory_servers=servers)).holds, servers
    early = explained([A], STARTED, foreign(A, directory_servers=("oslo", "elsewhere")))
    assert not early.holds
