"""A machine finds its directory servers by the discovery of MS-MQSD, and routes nothing where it finds none."""

from collections.abc import Sequence
from functools import partial

import pytest

from mqconform.reference.mqsd.packets import decode_request
from mqconform.reference.mqso.discovering import (
    DIRECTORY_SERVERS,
    MOST_REPLIES,
    DiscoveryClient,
    answered,
    is_among,
    server_in,
    within_reach,
)
from mqconform.reference.mqso.elements import MachineName
from mqconform.reference.mqso.topology import SIX_SITES, TWO_SITES

A, B = map(MachineName, "ab")
REPLY = partial(answered, server_in(TWO_SITES))


@pytest.mark.parametrize("machine", SIX_SITES.identifiers)
def test_each_machine_finds_the_directory_servers_of_its_enterprise(machine: MachineName) -> None:
    client = DiscoveryClient(SIX_SITES, machine, partial(answered, server_in(SIX_SITES)))
    assert client.directory_servers() == DIRECTORY_SERVERS


def test_no_two_requests_of_an_enterprise_have_the_same_identifier() -> None:
    requests: list[bytes] = []

    def noting(request: bytes) -> Sequence[bytes]:
        requests.append(request)
        return REPLY(request)

    for client in (DiscoveryClient(TWO_SITES, A, noting), DiscoveryClient(TWO_SITES, B, noting)):
        client.directory_servers()
        client.directory_servers()
    assert len({decode_request(request).request_id for request in requests}) == len(requests) == 4


def test_nothing_is_found_where_nobody_answers() -> None:
    assert DiscoveryClient(TWO_SITES, A, lambda _: ()).directory_servers() == ()


def test_a_reply_to_another_request_is_not_taken() -> None:
    other: list[bytes] = []

    def noting(request: bytes) -> Sequence[bytes]:
        other.extend(REPLY(request))
        return ()

    DiscoveryClient(TWO_SITES, B, noting).directory_servers()
    assert DiscoveryClient(TWO_SITES, A, lambda _: other).directory_servers() == ()


def test_of_a_flood_the_first_replies_are_read() -> None:
    flood = [b"\0"] * MOST_REPLIES
    assert DiscoveryClient(TWO_SITES, A, lambda request: [*flood, *REPLY(request)]).directory_servers() == ()
    fewer = flood[1:]
    found = DiscoveryClient(TWO_SITES, A, lambda request: [*fewer, *REPLY(request)]).directory_servers()
    assert found == DIRECTORY_SERVERS


def test_each_listed_server_is_the_only_one_that_some_machine_reaches() -> None:
    assert {within_reach(SIX_SITES, machine) for machine in SIX_SITES.identifiers} == {*DIRECTORY_SERVERS}


def test_a_server_is_found_by_its_whole_name_in_any_case() -> None:
    assert is_among("A", ("stranger", "a"))
    assert not is_among("A", ("", "AA"))
