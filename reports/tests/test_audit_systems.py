"""Logs of systems of queue managers judged in bulk, on a real Spark: the same as the check of one history."""

import json
import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from two_sites import DOCUMENT, TWO_SITES

pytest.importorskip("pyspark", reason="the extra spark is not installed")

from mqconform.harness.cli import run_command
from mqconform.harness.iut.drivers.queue_managers import MACHINES
from mqconform.reference.history.system import EventWord, Failure, Happened, Row, Sent, broken_promises, rows_of
from mqconform.reference.mqso.elements import Assurance
from mqconform.reports.pipeline.deliveries.systems import (
    HOP_VERDICTS,
    MESSAGE_VERDICTS,
    broken_promises_of,
    judge_hops,
    judge_messages,
)
from mqconform.reports.pipeline.problems import UnusableInput

History = Sequence[object]
ANY = ("received", "dead_lettered", "put_back", "acknowledged", "sent_again", "waits")
LOG = (
    "history string, position bigint, event string, message string, machine string, to string, queue string, "
    "assurance string, committed boolean, timer bigint, dead_letter boolean, next_hops array<string>, hop string"
)
COLUMNS = [column.split()[0] for column in LOG.split(", ")]


def any_event(draw: random.Random, key: str) -> object:
    """An event that befalls a message, whether it makes sense there or not."""
    at = draw.choice(MACHINES)
    kinds = [EventWord.RECEIVED] * 2 + [EventWord(word) for word in ANY]
    return Happened(draw.choice(kinds), key, at)


def any_history(draw: random.Random) -> History:
    """Some messages, each sent at most once, and anything that may be told of them, in any order."""
    keys = [f"m{number}" for number in range(draw.randint(1, 5))]
    events: list[object] = [any_event(draw, draw.choice(keys)) for _ in range(draw.randint(0, 6))]
    events += [Failure(frozenset(draw.sample(MACHINES, draw.randint(1, 2)))) for _ in range(draw.choice((0, 0, 1, 2)))]
    for key in keys[draw.choice((0, 0, 0, 1)) :]:
        source, to = draw.choice(MACHINES[:2]), draw.choice(MACHINES[1:])
        timer = draw.choice((None, None, 20))
        events.append(
            Sent(key, source, to, draw.choice([*Assurance, Assurance.TRANSACTIONAL]), draw.random() > 0.2, timer,
                 draw.random() < 0.5, draw.choice(("", "", "other")))
        )  # fmt: skip
        events += [Happened(EventWord.RECEIVED, key, to)] * draw.choice((0, 1, 1, 1, 2))
    draw.shuffle(events)
    return events


def frame(spark: Any, histories: Sequence[History]) -> Any:
    """The histories as one log, entries of all of them mixed."""
    rows = [row for number, history in enumerate(histories) for row in rows_of(history, str(number))]
    random.Random(9).shuffle(rows)
    return log_of(spark, rows)


def log_of(spark: Any, rows: Sequence[Row]) -> Any:
    return spark.createDataFrame([tuple(row.get(name) for name in COLUMNS) for row in rows], LOG)


Told = Counter[tuple[str, str, tuple[str, ...], tuple[int, ...]]]


def told_at_once(histories: Sequence[History]) -> Told:
    return Counter(
        (str(number), broken.says, broken.requirements, broken.places)
        for number, history in enumerate(histories)
        for broken in broken_promises(history)
    )


def told_by_spark(log: Any) -> Told:
    rows = broken_promises_of(judge_messages(log, complete=True)).collect()
    return Counter((row["history"], row["says"], (*row["requirements"],), (*row["positions"],)) for row in rows)


def test_drawn_histories_are_judged_as_one_by_one(spark: Any) -> None:
    draw = random.Random(18)
    histories = [any_history(draw) for _ in range(300)]
    expected = told_at_once(histories)
    assert {requirements[0] for _, _, requirements, _ in expected} == {
        "MQSO-1.1-01", "MQSO-1.1-02", "MQSO-3.2.1-04", "MQSO-3.3.4.3-09", "MQSO-3.3.4.4-02", "MQSO-3.3.4.5-02",
        "MQSO-4.3.1.2-08", "MQSO-5.1.1-03", "MQSO-5.1.1.2-01",
    }  # fmt: skip
    assert told_by_spark(frame(spark, histories)) == expected


SENT: Row = {"position": 1, "event": "sent", "message": "m", "machine": "a", "to": "b", "assurance": "transactional"}
RECEIVED: Row = {"position": 9, "event": "received", "message": "m", "machine": "b"}

PLAIN = SENT | {"assurance": "recoverable"}
TWICE = [RECEIVED | {"position": 8}, RECEIVED | {"position": 10}]
FAILED: Row = {"event": "failed", "machine": "b"}
OVER: Row = {"event": "recovered", "machine": "b"}

CASES: list[tuple[str, list[Row], str, str]] = [
    # name, entries, verdict of the first message in a complete log, and in one that is cut off
    ("received", [SENT, RECEIVED], "pass", "pass"),
    ("on its way", [SENT], "fail", "pass"),
    ("sent before the log", [RECEIVED], "fail", "inconclusive"),
    ("sent twice", [SENT, SENT | {"position": 2}, RECEIVED], "inconclusive", "inconclusive"),
    ("received twice", [SENT, RECEIVED, RECEIVED | {"position": 10}], "fail", "fail"),
    ("of no assurance", [SENT | {"assurance": "urgent"}, RECEIVED, RECEIVED], "inconclusive", "inconclusive"),
    ("of no event", [SENT, RECEIVED | {"event": "seen"}], "inconclusive", "inconclusive"),
    ("without a position", [SENT, RECEIVED | {"position": None}], "inconclusive", "inconclusive"),
    ("perhaps received", [SENT, RECEIVED | {"message": None}], "pass", "pass"),
    ("received twice before a failure", [PLAIN, *TWICE, FAILED | {"position": 11}], "fail", "fail"),
    ("received twice around a failure", [PLAIN, *TWICE, FAILED | {"position": 9}], "pass", "pass"),
    ("received twice after a failure", [PLAIN, *TWICE, FAILED | {"position": 7}], "fail", "fail"),
    ("lost after an outage", [PLAIN, FAILED | {"position": 0}, OVER | {"position": 0}], "fail", "pass"),
    ("lost in an outage", [PLAIN, FAILED | {"position": 0}, OVER | {"position": 5}], "pass", "pass"),
    ("lost in an outage whose end is not told", [PLAIN, FAILED | {"position": 0}], "pass", "pass"),
    ("lost, its source had failed", [PLAIN, FAILED | {"position": 0, "machine": "a"}], "fail", "pass"),
    ("a failure somewhere", [SENT | {"assurance": "recoverable"}, {"position": 2, "event": "failed"}], "pass", "pass"),
]


def test_what_is_not_known_convicts_nobody(spark: Any) -> None:
    log = log_of(spark, [row | {"history": name} for name, entries, *_ in CASES for row in entries])
    for complete in (True, False):
        judged = judge_messages(log, complete=complete)
        assert judged.schema == MESSAGE_VERDICTS
        expected = {name: whole if complete else cut for name, _, whole, cut in CASES}
        assert {row["history"]: row["verdict"] for row in judged.collect()} == expected, complete


def routed(machine: str, to: str, hops: list[str] | None, hop: str | None, position: int) -> Row:
    row: Row = {"event": "routed", "machine": machine, "to": to, "next_hops": hops, "hop": hop}
    return row | {"position": position}


def test_hops_are_named_by_names_or_identifiers_and_judged_without_answers(spark: Any) -> None:
    gate = str(next(identifier for name, identifier in TWO_SITES.identifiers.items() if name == "c"))
    rows = [
        routed("a", "b", ["c"], "c", 1),
        routed("a", "b", [gate.upper()], "c", 2),
        routed("a", "b", None, "c", 3),
        routed("a", "b", None, "d", 4),
        routed("a", "b", ["d"], None, 5),
        routed("a", "b", ["d"], None, 6),
        routed("a", "z", ["c"], "c", 7),
        routed("a", "b", None, "z", 8),
    ]
    judged = judge_hops(log_of(spark, rows), TWO_SITES)
    assert judged.schema == HOP_VERDICTS
    told = [
        (row["position"], row["times"], row["verdict"], row["says"]) for row in judged.orderBy("position").collect()
    ]
    astray = "a routes to d what is for b, and should to c"
    assert told == [
        (1, 1, "pass", None), (2, 1, "pass", None), (3, 1, "pass", None),
        (4, 1, "fail", astray), (5, 2, "fail", astray),
        (7, 1, "inconclusive", "z is not a machine of the enterprise"),
        (8, 1, "inconclusive", "z is not a machine of the enterprise"),
    ]  # fmt: skip


def test_times_order_a_log_without_positions(spark: Any) -> None:
    moments = {"m1": ("10:00:00.000001", "11:00:00.2"), "m2": ("10:00:00.000002", "11:00:00.1")}
    rows = [
        row
        for key, (sent, received) in moments.items()
        for row in (
            (f"2026-01-01 {sent}", "sent", key, "a", "b", "transactional"),
            (f"2026-01-01 {received}", "received", key, "b", None, None),
        )
    ]
    log = spark.createDataFrame(
        rows, "time string, event string, message string, machine string, to string, assurance string"
    )
    assert [row["says"] for row in broken_promises_of(judge_messages(log)).collect()] == [
        "m1 was sent before m2 and received after it"
    ]


def test_a_log_without_a_column_is_refused(spark: Any) -> None:
    with pytest.raises(UnusableInput, match="column machine is missing"):
        judge_messages(log_of(spark, [SENT]).drop("machine"))
    with pytest.raises(UnusableInput, match="neither column position nor time is there"):
        judge_messages(log_of(spark, [SENT]).drop("position"))
    with pytest.raises(UnusableInput, match="column next_hops has the type bigint"):
        judge_messages(log_of(spark, [SENT]).drop("next_hops").withColumnRenamed("timer", "next_hops"))


@pytest.mark.usefixtures("spark")
def test_the_command_judges_a_log(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    log, out, enterprise = tmp_path / "system.jsonl", tmp_path / "audited", tmp_path / "two-sites.json"
    enterprise.write_text(json.dumps(DOCUMENT))
    hop = {"position": 2, "event": "routed", "message": "m", "machine": "a", "to": "b", "hop": "c"}
    rows = [SENT, hop, RECEIVED, RECEIVED | {"position": 10}]
    log.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    words = ["audit", "deliveries", "--system", "--log", str(log), "--complete", "--enterprise", str(enterprise)]
    assert run_command([*words, "--out", str(out), "--json"]) == 1
    summary = json.loads(capfd.readouterr().out)
    assert summary == json.loads((out / "summary.json").read_text())
    assert [row["requirement"] for row in summary["broken"]] == ["MQSO-3.2.1-04"]
    assert (summary["hops"]["pass"], summary["unusable"]) == (1, 0)
    assert {path.name for path in out.iterdir()} == {"messages", "broken", "hops", "summary.json", "_SUCCESS"}
    assert run_command([*words, "--out", str(out)]) == 4
    assert "exists and is not empty" in capfd.readouterr().err


@pytest.mark.usefixtures("spark")
def test_what_cannot_be_audited_is_named(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "system.csv"
    words = ["audit", "deliveries", "--system", "--log", str(log), "--out", str(tmp_path / "out")]
    for text, options, says in (
        ("event,message,machine,to,position\nseen,m,a,b,1\n", [], "no entry of the log can be used"),
        ("event,message,machine,to,position\n", [], "the log has no entry"),
        ("event,message,machine,to,position\n", ["--enterprise", "three"], "three: "),
    ):
        log.write_text(text)
        assert run_command([*words, *options]) == 4
        assert says in capfd.readouterr().err, text
    damaged = log.with_suffix(".parquet")
    damaged.write_bytes(b"PAR1 and no more")
    words[words.index(str(log))] = str(damaged)
    assert run_command(words) == 4
    assert f"{damaged}: cannot be read: Parquet magic bytes not found" in capfd.readouterr().err
