"""The history of a queue manager as a time line: its words, its limits, and where a reader finds it."""

from contextlib import redirect_stdout
from pathlib import Path

import pytest

from mqconform.harness.cli import run_command
from mqconform.harness.judge.mqso.history_text import FIRST, LAST, LONGEST, Names, timeline, who_acts, words_of
from mqconform.harness.records.evidence_text import short_timeline_lines, timeline_lines
from mqconform.harness.records.results import Moment
from mqconform.reference.mqso import events
from mqconform.reference.mqso.elements import (
    SECOND,
    Access,
    Asked,
    Assurance,
    CursorId,
    Handle,
    Key,
    Message,
    Operation,
    QueueName,
    TransactionId,
)
from mqconform.reference.mqso.events import Counted, Done, Failed, Got, Pending
from mqconform.reference.mqso.explanation import Seen, explain
from mqconform.reference.mqso.networked_queue_manager import far

INBOX = QueueName("inbox")
T1 = TransactionId(1)
SENDS, READS = Handle(1), Handle(2)
OPENED = [
    Seen(events.CreateQueue(INBOX), Done()),
    Seen(events.Open(SENDS, INBOX, Access.SEND), Done()),
    Seen(events.Open(READS, INBOX, Access.RECEIVE), Done()),
]
NAMES = Names.of(OPENED, {Operation(7): "r1"}, {"t1": T1, "check 9": TransactionId(2)}, {"c1": CursorId(1)})
WISHES = Message(
    Key("m1"),
    Assurance.RECOVERABLE,
    dead_letter=True,
    asked=frozenset({Asked.REACH, Asked.NEGATIVE}),
    administration=QueueName("acks"),
)


def test_an_event_reads_as_plain_english(subtests: pytest.Subtests) -> None:
    for event, who, words in [
        (events.Send(SENDS, Message(Key("m1")), T1), "transaction t1", "send m1 to inbox (transaction t1)"),
        (
            events.Send(SENDS, WISHES),
            "application",
            (
                "send m1 to inbox, recoverable, asking for a dead letter, "
                "asking for acknowledgment of its failure and arrival at acks"
            ),
        ),
        (
            events.Receive(Operation(7), READS, wait=30 * SECOND, transaction=T1),
            "reader r1",
            "receive from inbox in t1, waiting up to 30 s (reader r1)",
        ),
        (
            events.Receive(Operation(8), READS, takes=False, cursor=CursorId(1), move=events.Move.NEXT),
            "application",
            "look at the next message of cursor c1 in inbox",
        ),
        (events.Cancel(Operation(7)), "reader r1", "give up waiting (reader r1)"),
        (events.TimePassed(1_500_000_000), "clock", "1.5 s pass"),
        (events.Stop(suddenly=True), "queue manager", "the queue manager crashes"),
        (events.NetworkBecomes(frozenset({"b", "a"}), cut=True), "network", "the network fails between a and b"),
        (events.At("laptop", events.Start()), "laptop", "starts (laptop)"),
        (events.Pause("laptop", far("b", "q"), on=True), "administrator", "pause what laptop has for q at b"),
    ]:
        with subtests.test(event=event):
            assert (who_acts(event, NAMES), words_of(event, NAMES)) == (who, words)


def sent_and_received(answer: events.Answer) -> list[Seen]:
    return [
        *OPENED,
        Seen(events.Send(SENDS, Message(Key("m1"))), Done()),
        Seen(events.TimePassed(5 * SECOND), Done()),
        Seen(events.Receive(Operation(8), READS), answer),
    ]


def test_the_contradiction_says_what_was_allowed_and_what_is_broken() -> None:
    history = sent_and_received(Failed())
    rows = timeline(history, NAMES, explain(history).contradiction, ("MQSO-5.1.1.2-01",))
    assert rows == (
        Moment(0, "application", "create plain queue inbox", "success"),
        Moment(0, "application", "send m1 to inbox", "success"),
        Moment(5, "clock", "5 s pass"),
        Moment(5, "application", "receive from inbox", "failure", ("m1",), ("MQSO-5.1.1.2-01",)),
    )
    assert timeline_lines(rows)[-2:] == [
        "> 5 s  application  receive from inbox        failure",
        "       allowed: m1; against MQSO-5.1.1.2-01",
    ]


def test_an_answer_that_a_reading_allows_names_the_reading() -> None:
    history = [*OPENED, Seen(events.Receive(Operation(8), READS), Got(Key("m1")))]
    allowed = timeline(history, NAMES, explain(history).contradiction)[-1].allowed
    assert allowed == ("failure (QM-03/fails-at-once)", "waits (QM-03/waits-no-time)")


def test_a_long_answer_and_a_long_history_are_cut() -> None:
    history = sent_and_received(Got(Key("x" * 10_000)))
    assert len(timeline(history, NAMES, explain(history).contradiction)[-1].answer) < LONGEST + 50
    rows = timeline([*history[:4], *[Seen(events.Count(INBOX), Counted(1))] * 1_000], NAMES)
    assert len(rows) == FIRST + 1 + LAST
    assert rows[FIRST].what == "942 rows omitted"


def test_text_of_an_implementation_is_visible_in_a_line() -> None:
    (line,) = timeline_lines([Moment(0, "application", "receive from inbox", "\x1b[31m\n> 9 s")])
    assert line.endswith("\\u001b[31m\\u000a> 9 s")


def test_the_short_time_line_is_what_is_around_the_contradiction() -> None:
    rows = [Moment(at, "clock", "1 s passes") for at in range(20)]
    assert timeline_lines([]) == short_timeline_lines([]) == []
    rows[15] = Moment(15, "application", "receive from inbox", "m2", ("m1",))
    lines = short_timeline_lines(rows)
    assert lines[0] == "  ... 9 rows before"
    assert [line.split(" s ")[0].strip() for line in lines[1:8]] == ["9", "10", "11", "12", "13", "14", "> 15"]
    assert len(lines) == 10


@pytest.fixture(scope="module")
def failed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("queues")
    asked = ["run", "--iut", "mutant:queue-last-first", "-k", "first-in-first-out", "--out", str(out)]
    with (out / "summary").open("w", encoding="utf-8") as summary, redirect_stdout(summary):
        assert run_command(asked) == 1
    return out


def test_summary_bundle_and_replay_show_it(failed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "    > 0 s  application  receive from inbox" in (failed / "summary").read_text("utf-8")
    (bundle,) = (failed / "bundles").iterdir()
    written = (bundle / "timeline.txt").read_text("utf-8").splitlines()
    assert "       allowed: m1; against MQSO-5.1.1.2-01" in written
    assert run_command(["replay", str(bundle)]) == 1
    said = capsys.readouterr().out.splitlines()
    assert [f"    {line}" for line in written] == said[-len(written) :]


def test_what_waits_at_once_has_no_contradiction() -> None:
    history = [*OPENED, Seen(events.Receive(Operation(7), READS, wait=SECOND), Pending())]
    assert timeline(history, NAMES)[-1] == Moment(0, "reader r1", "receive from inbox, waiting up to 1 s", "waits")
