"""Small faults: each reason covers a fault that there is, faults over UDP stay there, and what the report says."""

import socket
from fnmatch import fnmatchcase

import pytest

from mqconform.harness.explore.mutation.small_faults import Fate, Outcome, accepted, lines_of, surviving_share
from mqconform.harness.iut.server_configurations import USUAL
from mqconform.harness.iut.small_faults import SlightlyFaulty, possible_faults, small_faults
from mqconform.harness.iut.smoke_calls import REQUEST
from mqconform.harness.iut.what_shows import HIDDEN

OUTCOMES = [
    Outcome("router/a", Fate.CONVICTED, "MQBR-3.1.5.1-B05 in a case"),
    Outcome("router/b", Fate.MISSED, "answers otherwise in 1 cases"),
    Outcome("sender/c", Fate.ACCEPTED, "nothing reads it"),
]


def test_each_reason_is_that_of_a_fault(subtests: pytest.Subtests) -> None:
    possible = [fault.name for fault in possible_faults()]
    for pattern, names in [*((each, small_faults()) for each in accepted()), *((each, possible) for each in HIDDEN)]:
        with subtests.test(pattern=pattern):
            assert any(fnmatchcase(name, pattern) for name in names)


def test_no_number_wraps_above_the_greatest_that_it_has_and_no_list_is_cut_beyond_its_length() -> None:
    names = [*small_faults()]
    assert [name for name in names if "cost/" in name or "listen.params.port/" in name] == [
        "router/change_directory.params.directory.routing_links.[].cost/wrap-8",
        "router/change_directory.params.directory.routing_links.[].cost/wrap-16",
        "router/load_directory.params.directory.routing_links.[].cost/wrap-8",
        "router/load_directory.params.directory.routing_links.[].cost/wrap-16",
        "discovery_server/listen.params.port/wrap-8",
    ]
    assert [name for name in names if "effects/" in name] == [
        f"discovery_client/{operation}.result.effects/drop-last" for operation in ("advance_clock", "receive", "start")
    ]


def test_a_fault_over_udp_shows_there_alone() -> None:
    iut = SlightlyFaulty(small_faults()["discovery_server/udp/receive.result.replies.[]/CorrelationID-reversed"])
    iut.call("discovery_server.configure", USUAL.params())
    called = iut.call("discovery_server.receive", {"network": "ip", "datagram": REQUEST.hex()})["replies"][0]
    address = iut.call("discovery_server.listen", {"host": "127.0.0.1", "port": 0})
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
        client.settimeout(10)
        client.sendto(REQUEST, (address["host"], address["port"]))
        over_udp = client.recv(65_535)
    iut.call("reset", {})
    right = bytes.fromhex(called)
    assert over_udp == right[:4] + right[4:20][::-1] + right[20:]


def test_what_one_field_names_is_looked_up_by_a_part() -> None:
    fault = small_faults()["router/destination/compared-by-prefix"]
    memory: dict[object, object] = {}
    known, alike = "00112233-4455-6677-8899-aabbccddeeff", "00112233-4455-6677-8899-aabbccddeefe"
    fault.changes["router.initialize", "params"](memory, {"local": known})
    asked = fault.changes["router.get_next_hops", "params"](memory, {"source": alike, "destination": alike})
    assert asked == {"source": alike, "destination": known}


def test_the_report_names_survivors_reasons_and_shares() -> None:
    assert [*lines_of(OUTCOMES)] == [
        "missed: router/b: answers otherwise in 1 cases",
        "1 accepted: nothing reads it",
        "router: 2 small faults: 1 convicted, 0 accepted, 0 unreached, 1 missed; 50.0% of those not accepted survive",
        "sender: 1 small faults: 0 convicted, 1 accepted, 0 unreached, 0 missed; 0.0% of those not accepted survive",
        "3 small faults: 1 convicted, 1 accepted, 0 unreached, 1 missed; 50.0% of those not accepted survive",
    ]
    assert surviving_share(OUTCOMES) == 0.5


def test_a_fault_in_what_is_remembered_shows_after_several_operations() -> None:
    fewer = SlightlyFaulty(small_faults()["ordered_sender/state/OutgoingStream.queue/stops-at-3"])
    twice = SlightlyFaulty(small_faults()["ordered_sender/twice/enqueue"])
    for iut, sent in ((fewer, 3), (twice, 10)):
        for number in range(5):
            iut.call("ordered_sender.enqueue", {"stream": "a", "message": f"m{number}"})
        assert len(iut.call("ordered_sender.transmit", {"stream": "a"})["messages"]) == sent
