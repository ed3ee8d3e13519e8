"""Sender and receiver through generated faults: the reference holds, under every reading that the register permits."""

import json
from dataclasses import fields, replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mqconform.harness.cli import run_command
from mqconform.harness.iut.all_roles import ReferenceIut
from mqconform.harness.iut.drivers.ordered_delivery.ends import operations_of
from mqconform.harness.iut.drivers.ordered_delivery.schedule import (
    Action,
    Schedule,
    Step,
    decoded,
    parse_schedule,
    written,
)
from mqconform.harness.iut.drivers.ordered_delivery.simulator import MOST_ENTRIES, simulate
from mqconform.harness.iut.interface import ConfigurationError, IutFault, Json, Unsupported
from mqconform.harness.iut.role import RolePart
from mqconform.harness.judge.eod.fault_schedules.schedule_search import (
    Ends,
    find_trouble,
    schedule_lines,
    timeline_lines,
)
from mqconform.harness.records.requirement import RoleName
from mqconform.reference.allowed import Standing
from mqconform.reference.eod.elements import SECOND, Numbers
from mqconform.reference.eod.readings_of_receivers import ReceiverReadings, TooEarly
from mqconform.reference.eod.readings_of_senders import SenderReadings
from mqconform.reference.eod.receiver import IncomingStream, Judgement, OrderedReceiver
from mqconform.reference.eod.sender import OrderedSender
from mqconform.reference.history.streams import Finding, Kind, check_history


class Reference(ReferenceIut):
    """The reference with readings of one's choosing."""

    def __init__(self, sender: SenderReadings | None = None, receiver: ReceiverReadings | None = None) -> None:
        self._sending, self._receiving = sender or SenderReadings(), receiver or ReceiverReadings()
        super().__init__()

    def make(self, role: RoleName) -> RolePart:
        if role is RoleName.ORDERED_SENDER:
            return OrderedSender(self._sending)
        return OrderedReceiver(self._receiving) if role is RoleName.ORDERED_RECEIVER else super().make(role)


def both_ends(iut: ReferenceIut) -> Ends:
    call = operations_of(iut)
    return Ends(call, call)


def run(text: str, iut: ReferenceIut | None = None):
    call = operations_of(iut or ReferenceIut())
    return simulate(parse_schedule(text), call, call)


def told(text: str, *kinds: Kind, iut: ReferenceIut | None = None):
    return [(one.message or one.number, round(one.time / SECOND, 2)) for one in run(text, iut) if one.kind in kinds]


def test_the_reference_delivers_exactly_once_and_in_order_whatever_happens():
    assert find_trouble(both_ends(ReferenceIut()), schedules=300) is None


def both_ends_where_early_messages_may_wait(iut: ReferenceIut) -> Ends:
    """Return the ends as a run of the receiver has them: what EOD-02 lets it keep for later is no trouble."""
    return replace(both_ends(iut), left_open=[])


PERMITTED = [
    replace(readings, **{field.name: choice})
    for readings in (SenderReadings(), ReceiverReadings())
    for field in fields(readings)
    for choice in type(getattr(readings, field.name))
    if choice.reading.standing <= Standing.PERMITTED and choice is not getattr(readings, field.name)
]


def test_every_reading_that_the_register_permits_delivers_as_promised(subtests: pytest.Subtests):
    for readings in PERMITTED:
        with subtests.test(readings=readings):
            iut = Reference(sender=readings) if isinstance(readings, SenderReadings) else Reference(receiver=readings)
            assert find_trouble(both_ends_where_early_messages_may_wait(iut), schedules=30, seed=3) is None


def test_a_receiver_that_keeps_early_messages_is_in_trouble_where_none_may_wait():
    kept = Reference(receiver=ReceiverReadings(too_early=TooEarly.KEPT))
    assert find_trouble(both_ends(kept), schedules=30, seed=3) is not None


def test_faults_of_the_network_cost_time_and_no_message(subtests: pytest.Subtests):
    for fault, accepted in [
        ("queue a", [("m1", 0.01)]),
        ("lose message; queue a", [("m1", 30.01)]),
        ("delay message 5; queue a", [("m1", 5.01)]),
        ("duplicate message 5; queue a", [("m1", 0.01)]),
        ("partition 20; queue a", [("m1", 30.01)]),
        ("partition 400; queue a", [("m1", 60.01)]),  # outlasts the schedule: it heals, and the sender sends at once
        ("delay message 0.1; queue a; queue a", [("m1", 0.01), ("m2", 0.01)]),
        ("queue a; expire a; queue a", [("m1", 0.01), ("m2", 0.01)]),
    ]:
        with subtests.test(fault=fault):
            assert told(fault, Kind.ACCEPTED) == accepted
            assert check_history(run(fault)) == ()


class RestartsNever(ReferenceIut):
    """Offers no optional operation."""

    def call(self, method: str, params: Json) -> Json:
        if method.endswith(".restart"):
            raise Unsupported(method)
        return super().call(method, params)


def test_an_implementation_without_restart_is_spared_them():
    iut = RestartsNever()
    history = simulate(parse_schedule("queue a; receiver restarts; sender restarts; queue a"), iut.call, iut.call)
    assert [one.message for one in history if one.kind is Kind.ACCEPTED] == ["m1", "m2"]


class Flooding(OrderedSender):
    def transmit(self, stream: str | int) -> Json:
        return {"messages": super().transmit(stream)["messages"] * (MOST_ENTRIES + 1)}


def test_a_sender_that_floods_is_at_fault_and_does_not_fill_the_memory():
    iut = ReferenceIut()
    iut.parts["ordered_sender"] = Flooding()
    with pytest.raises(IutFault, match="more than 200000 entries"):
        run("queue a", iut)


class RejectsLegalGaps(OrderedReceiver):
    def react(self, stream: IncomingStream, message: Numbers) -> tuple[IncomingStream, Judgement]:
        if stream.last_accepted and message.sequence > stream.last_accepted + 1:
            return stream, Judgement.GAP
        return super().react(stream, message)


def test_trouble_is_found_and_comes_down_to_few_steps():
    iut = ReferenceIut()
    iut.parts["ordered_receiver"] = RejectsLegalGaps()
    trouble = find_trouble(both_ends(iut), schedules=3_000)
    assert trouble is not None
    assert len(trouble.schedule) <= 10
    assert Finding.REJECTED_IN_ORDER in {one.finding for one in trouble.violations}
    assert both_ends(iut).run(trouble.schedule) == trouble


@settings(max_examples=200)
@given(st.binary(max_size=64))
def test_generated_schedules_read_as_they_are_written(octets: bytes):
    schedule = decoded(octets)
    assert parse_schedule(written(schedule)) == schedule


def test_a_schedule_may_be_written_over_lines_with_remarks():
    text = "queue a  # the first\n\n+31.5 lose acknowledgment; expire b 2\n# nothing\n"
    expected: Schedule = (
        Step(Action.QUEUE, stream="a"),
        Step(Action.LOSE_ACKNOWLEDGMENT, after=31 * SECOND + SECOND // 2),
        Step(Action.EXPIRE, stream="b", which=2),
    )
    assert parse_schedule(text) == expected


def test_a_wrong_step_is_named(subtests: pytest.Subtests):
    for text, complaint in [
        ("queue a; lose parcel", "step 2 of the fault schedule is 'lose parcel': expected"),
        ("queue", "step 1 .*expected a stream after 'queue'"),
        ("queue \x1b[31m", "expected a stream"),
        ("expire a 0", "expected a count from 1"),
        ("partition", "expected seconds after 'partition'"),
        ("+99999999 queue a", "is not a number of seconds from 0 to 10000000"),
        ("sender restarts now", "expected nothing after"),
        ("queue a;" * 1_001, "has 1001 steps; give at most 1000"),
    ]:
        with subtests.test(complaint=complaint), pytest.raises(ConfigurationError, match=complaint):
            parse_schedule(text)


def test_a_history_reads_as_a_time_line():
    schedule = parse_schedule("queue a; +2.5 expire a")
    assert [*schedule_lines(schedule)] == ["  1.      0.000 s  queue a", "  2.      2.500 s  expire a 1"]
    iut = ReferenceIut()
    iut.parts["ordered_receiver"] = RejectsLegalGaps()
    trouble = both_ends(iut).run(parse_schedule("queue a; +0.6 lose message; queue a; expire a; queue a"))
    assert trouble is not None
    lines = [*timeline_lines(trouble.history[:14], trouble.violations)]
    assert lines[:2] == ["     0.000 s  sender    queues m1", "     0.000 s  sender    sends m1 as 1 after 0"]
    assert "     0.610 s  receiver  rejects m3, 3 after 0" in lines
    assert f"{'':16}  !! EOD-4-06: rejected although it is in order".strip() in {line.strip() for line in lines}


def test_the_command_goes_through_every_interleaving(capsys: pytest.CaptureFixture[str]):
    assert run_command(["simulate", "--every", "1"]) == 0
    assert capsys.readouterr().out == "84 states of 1 message, one expiry and one loss of state: all are right\n"
    assert run_command(["simulate", "--every", "1", "--receiver", "mutant:x"]) == 4
    assert "leave out --sender, --receiver" in capsys.readouterr().err


def test_the_command_writes_a_delivery_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    log = tmp_path / "log.ndjson"
    assert run_command(["simulate", "--schedule", "queue a", "--log", str(log)]) == 0
    rows = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    assert [row["event"] for row in rows] == ["enqueued", "sent", "accepted", "acknowledged", "released"]
    assert rows[2] == {
        "stream": "a", "event": "accepted", "message": "m1", "sequence": 1, "previous": 0, "position": 2,
        "time": 10_000_000,
    }  # fmt: skip
    assert run_command(["simulate", "--log", str(log)]) == 4
    assert run_command(["simulate", "--schedule", "queue a", "--log", str(tmp_path / "none" / "log")]) == 4
    assert "cannot be written (No such file or directory)" in capsys.readouterr().err
