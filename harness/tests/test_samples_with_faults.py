"""A complete sample with one line changed is convicted of it: each role over its stdin and stdout, the server over UDP.

What a check finds is shown by the mutants, within the harness's process; here one is found from outside.
"""

import json
import shlex
from collections.abc import Iterable
from pathlib import Path

import pytest
from long_tier import mostly_long
from sample_iuts import FACTS, PYTHON, served, with_a_fault

from mqconform.harness.iut.drivers.ordered_delivery.schedule_text import parse_schedule
from mqconform.harness.iut.facts import load_facts
from mqconform.harness.iut.interface import AdapterOptions
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.verdict import Standing
from mqconform.harness.run.execution import Outcome, Plan, execute
from mqconform.harness.suite.selection import Selection

pytestmark = pytest.mark.samples

Fault = tuple[str, str, str, str]
"""A name, the module, what stands there, and what stands there instead."""
FAULTS: list[tuple[Fault, str]] = [
    (("one-way", "routing_table.py", "edges[link.site2].append((link.site1, link.cost))", "pass"), "MQBR-3.1.3.1-08"),
    (("hops-not-costs", "routing_table.py", "(cost + link_cost,", "(cost + 1,"), "MQBR-3.1.3.1-12"),
    (("any-gate", "router.py", "if site.id in source.sites:\n", "if site.site_gates:\n"), "MQBR-3.1.5.6-B05"),
    (("ids-as-text", "guid.py", "return uuid.UUID(guid).bytes_le", "return uuid.UUID(guid).bytes"), "MQSD-2.2.3-03"),
    (
        ("list-for-all", "discovery_server.py", 'b"" if request.site == self.site else to_array', "to_array"),
        "MQSD-2.2.3-13",
    ),
    (
        ("exact-length", "packets.py", "if len(datagram) < _REQUEST.size", "if len(datagram) != _REQUEST.size"),
        "MQSD-3.2.5.1-02",
    ),
    (("waits-10", "discovery_client.py", "= 15_000_000", "= 10_000_000"), "MQSD-3.1.2.1-01"),
    (("keeps-flags", "server_list.py", "[item[2:] for", "[item for"), "MQSD-3.1.7.1-04"),
    (
        ("version-1", "packets.py", "_HEADER.pack(0, CLIENT_REQUEST, 0)", "_HEADER.pack(1, CLIENT_REQUEST, 0)"),
        "MQSD-2.2.1-03",
    ),
    (
        ("always-succeeds", "discovery_client.py", "_end_search(success=False)", "_end_search(success=True)"),
        "MQSD-3.1.6.1-03",
    ),
    (
        ("late", "ordered_receiver.py", "ORDER_ACK_TIMEOUT = 500_000", "ORDER_ACK_TIMEOUT = 2_000_000"),
        "EOD-3.1.1.3.1-03",
    ),
    (
        ("resends-at-one-rate", "ordered_sender.py", "min(stream.interval + 1,", "min(stream.interval,"),
        "EOD-3.1.6.5-02",
    ),
    (("commits-in-part", "transactions.py", "if ending.doomed or", "if False and"), "EOD-1-03"),
    (("tells-nobody", "transactions.py", "if sent.administration_queue is not None", "if False"), "EOD-1-08"),
]
FIRST = ("hops-not-costs", "list-for-all", "keeps-flags", "late", "resends-at-one-rate", "commits-in-part")
"""One of each role for the first tier."""
FAULTS_OVER_UDP: list[tuple[Fault, str]] = [
    (
        (
            "twice",
            "udp_server.py",
            "        self._socket.sendto(reply, receiver)\n",
            "        self._socket.sendto(reply, receiver)\n" * 2,
        ),
        "MQSD-3.2.5-01",
    ),
    (
        ("dies-at-short", "packets.py", 'raise Malformed(f"a request has', 'raise SystemExit(f"a request has'),
        "MQSD-3.2.5-02",
    ),
    (
        (
            "to-the-first-client",
            "udp_server.py",
            "        self._socket.sendto(reply, receiver)",
            '        self.first = getattr(self, "first", receiver)\n        self._socket.sendto(reply, self.first)',
        ),
        "MQSD-3.2.5.1-15",
    ),
]
MISTAKES: list[tuple[Fault, str, str]] = [
    (("gaps", "ordered_receiver.py", " or previous > last_accepted", ""), "ordered_receiver", "EOD-4-05"),
    (
        ("no-legal-gaps", "ordered_receiver.py", "previous > last_accepted", "previous != last_accepted"),
        "ordered_receiver",
        "EOD-4-06",
    ),
    (
        ("next-number", "ordered_receiver.py", "return stream.last_accepted if", "return stream.last_accepted + 1 if"),
        "ordered_receiver",
        "EOD-2-11",
    ),
    (("links-to-nothing", "ordered_sender.py", "previous = [0, *", "previous = [1, *"), "ordered_sender", "EOD-3-09"),
    (
        ("releases-more", "ordered_sender.py", "if each[1] > sequence]", "if each[1] > sequence + 1]"),
        "ordered_sender",
        "EOD-2-03",
    ),
]
SEARCH = "whatever-happens"
"""The scenarios that search for a fault schedule."""


def run(target: str, out: Path, selection: Selection, features: tuple[Path, ...] = (), **options: object) -> Outcome:
    asked = AdapterOptions(deadline=30, **options)  # type: ignore[arg-type]
    return execute(Plan(target, asked, Profile.DEFAULT, 0, selection, out, features))


def violated(outcome: Outcome) -> set[str]:
    return {one.requirement.id for one in outcome.findings if one.standing is Standing.VIOLATED}


def named(faults: Iterable[tuple[Fault, *tuple[str, ...]]]) -> list[tuple[str, *tuple[object, ...]]]:
    return [(fault[0], fault[1:], *rest) for fault, *rest in faults]


@pytest.mark.parametrize(("name", "change", "requirement"), mostly_long(named(FAULTS), first=FIRST))
def test_a_fault_is_found_by_the_scenarios_of_its_requirement(
    name: str, change: tuple[str, str, str], requirement: str, tmp_path: Path
):
    target = f"stdio:{shlex.join(with_a_fault(tmp_path, *change))}"
    outcome = run(target, tmp_path / "out", Selection((requirement,)))
    assert outcome.exit_code == ExitCode.FAIL, name
    assert requirement in violated(outcome)


@pytest.mark.parametrize(("name", "change", "requirement"), named(FAULTS_OVER_UDP))
def test_over_udp_a_fault_is_found_by_the_scenarios_of_its_requirement(
    name: str, change: tuple[str, str, str], requirement: str, tmp_path: Path
):
    with served(with_a_fault(tmp_path, *change), ends_well=name != "dies-at-short") as where:
        facts = load_facts(FACTS)
        selection = Selection((requirement,))
        outcome = run(f"udp:{where}", tmp_path / "out", selection, reply_timeout=1.0, facts=facts)
    assert outcome.exit_code == ExitCode.FAIL
    assert requirement in violated(outcome)


@pytest.mark.parametrize(
    ("name", "change", "role", "requirement"), mostly_long(named(MISTAKES), first=["next-number", "releases-more"])
)
def test_a_mistake_is_found_by_the_search_and_kept_as_a_case_that_shows_it_again(
    name: str, change: tuple[str, str, str], role: str, requirement: str, tmp_path: Path
):
    target = f"stdio:{shlex.join(with_a_fault(tmp_path, *change))}"
    outcome = run(target, tmp_path / "found", Selection(("EOD",), SEARCH))
    assert outcome.exit_code == ExitCode.FAIL, name
    assert requirement in violated(outcome)
    (saved,) = (tmp_path / "found" / "cases").glob("*.feature")
    text = saved.read_text(encoding="utf-8")
    assert text.startswith(f"@role:{role}\n")
    schedule = parse_schedule(text.partition('the fault schedule "')[2].partition('"')[0])
    assert 1 <= len(schedule) <= 10
    records = [json.loads(line) for line in outcome.results.read_text(encoding="utf-8").splitlines()]
    (witness, *_) = (one for one in records if one.get("verdict") == "fail" and one["record"] == "witness")
    assert f"fault schedule, {len(schedule)} step" in witness["observed"]
    assert " sender    sends m1 as 1 after " in witness["observed"]
    again = Selection(("EOD",), "breaks-the-promise")
    assert run(target, tmp_path / "again", again, (saved,)).exit_code == ExitCode.FAIL
    assert run(PYTHON, tmp_path / "right", again, (saved,)).exit_code == ExitCode.OK
