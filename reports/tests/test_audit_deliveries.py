"""Delivery logs judged in bulk, on a real Spark: the same findings as the check of one history."""

import csv
import json
import random
from collections import Counter
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest

pa = pytest.importorskip("pyarrow", reason="the extra spark is not installed")
pytest.importorskip("pyspark", reason="the extra spark is not installed")
import pyarrow.parquet as pq  # noqa: E402

from mqconform.harness.cli import run_command  # noqa: E402
from mqconform.harness.iut.all_roles import ReferenceIut  # noqa: E402
from mqconform.harness.iut.drivers.ordered_delivery.ends import operations_of  # noqa: E402
from mqconform.harness.iut.drivers.ordered_delivery.schedule import decoded  # noqa: E402
from mqconform.harness.iut.drivers.ordered_delivery.simulator import simulate  # noqa: E402
from mqconform.harness.records.requirement import RoleName  # noqa: E402
from mqconform.reference.eod.elements import Numbers  # noqa: E402
from mqconform.reference.eod.receiver import (  # noqa: E402
    IncomingStream,
    Judgement,
    OrderedReceiver,
    receive,
)
from mqconform.reference.history.streams import (  # noqa: E402
    Entry,
    Kind,
    check_history,
)
from mqconform.reports.pipeline.deliveries.audit import audit_log, of_streams  # noqa: E402
from mqconform.reports.pipeline.deliveries.frames import (  # noqa: E402  # noqa: E402
    SHOWN_OF_A_STREAM,
    STREAM_VERDICTS,
    findings_of,
    judge_deliveries,
    judge_streams,
)
from mqconform.reports.pipeline.problems import UnusableInput  # noqa: E402

Row = dict[str, Any]


class AcceptsNewestAgain(OrderedReceiver):
    """Takes the last accepted message a second time."""

    def react(self, stream: IncomingStream, message: Numbers) -> tuple[IncomingStream, Judgement]:
        again = message.sequence == stream.last_accepted
        return (stream, Judgement.IN_ORDER) if again else receive(stream, message, self.now)


def audit_deliveries(spark: Any, log: str, out: str, *, healed: bool, begun: bool = False) -> dict[str, Any]:
    return audit_log(spark, log, out, of_streams(complete=healed, from_start=begun))


def recorded(histories: int, *, wrong: bool) -> list[tuple[Entry, ...]]:
    generator = random.Random(5)
    iut = ReferenceIut()
    if wrong:
        iut.parts[RoleName.ORDERED_RECEIVER] = AcceptsNewestAgain()
    found = []
    for _ in range(histories):
        iut.call("reset", {})
        call = operations_of(iut)
        found.append(simulate(decoded(generator.randbytes(24)), call, call))
    return found


def rows_of(histories: list[tuple[Entry, ...]]) -> list[Row]:
    """The histories as one log: streams named apart, entries of all of them mixed."""
    rows = [
        {
            "stream": f"{number}/{entry.stream}", "event": entry.kind.word, "message": entry.message,
            "sequence": entry.number, "previous": entry.previous, "position": position, "time": entry.time,
        }
        for number, history in enumerate(histories)
        for position, entry in enumerate(history)
    ]  # fmt: skip
    random.Random(9).shuffle(rows)
    return rows


def expected_findings(histories: list[tuple[Entry, ...]]) -> Counter[tuple[str, str, str]]:
    return Counter(
        (f"{number}/{one.entry.stream}", str(one.finding.name).lower(), str(one.position))
        for number, history in enumerate(histories)
        for one in check_history(history)
    )


def written(path: Path, rows: list[Row]) -> str:
    if path.suffix == ".parquet":
        pq.write_table(pa.Table.from_pylist(rows), path, row_group_size=100)
    elif path.suffix == ".csv":
        with path.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.DictWriter(stream, [*rows[0]])
            writer.writeheader()
            writer.writerows(rows)
    else:
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def read(folder: Path) -> list[Row]:
    return pq.read_table(folder).to_pylist()


def test_a_log_shows_what_its_histories_show_by_command_and_by_dataframe(spark: Any, tmp_path: Path):
    histories = recorded(40, wrong=True)
    expected = expected_findings(histories)
    assert len(expected) > 20
    log, out = written(tmp_path / "log.csv", rows_of(histories)), tmp_path / "out"
    summary = audit_deliveries(spark, log, str(out), healed=True)
    found = read(out / "findings")
    assert Counter((one["stream"], one["finding"], one["position"]) for one in found) == expected
    verdicts = {one["stream"]: one["verdict"] for one in read(out / "streams")}
    assert {name for name, verdict in verdicts.items() if verdict == "fail"} == {stream for stream, _, _ in expected}
    assert set(verdicts.values()) == {"pass", "fail"}
    assert summary["found"] == expected.total()
    assert summary["entries"] == sum(map(len, histories))
    assert json.loads((out / "summary.json").read_text(encoding="utf-8")) == summary
    assert (out / "_SUCCESS").is_file()

    streams = judge_deliveries(spark.read.csv(log, header=True), healed=True)
    assert streams.schema == STREAM_VERDICTS
    said = sorted((row.asDict(recursive=True) for row in streams.collect()), key=itemgetter("stream"))
    assert said == sorted(read(out / "streams"), key=itemgetter("stream"))
    by_entry = itemgetter("stream", "position", "finding")
    assert sorted((row.asDict() for row in findings_of(streams).collect()), key=by_entry) == sorted(found, key=by_entry)


def test_the_dataframe_function_refuses_a_log_without_order_and_a_stream(spark: Any):
    with pytest.raises(UnusableInput, match="neither column time nor position"):
        judge_deliveries(
            spark.createDataFrame([("s", "sent", "m", 1)], "stream string, event string, message string, sequence int")
        )
    rate = (
        spark.readStream.format("rate")
        .load()
        .selectExpr("'s' stream", "'sent' event", "'m' message", "value sequence", "value position")
    )
    with pytest.raises(UnusableInput, match="groups never end"):
        judge_deliveries(rate)


def test_a_clean_log_is_clean_with_previous_numbers_and_without(spark: Any, tmp_path: Path):
    histories = recorded(30, wrong=False)
    rows = rows_of(histories)
    unlinked = [row | {"stream": f"unlinked {row['stream']}", "previous": None} for row in rows]
    summary = audit_deliveries(
        spark, written(tmp_path / "log.parquet", rows + unlinked), str(tmp_path / "out"), healed=True
    )
    assert (summary["found"], summary["unusable"], summary["worst"]) == (0, 0, [])
    deliveries = sum(entry.kind is Kind.ACCEPTED for history in histories for entry in history)
    assert summary["deliveries"] == 2 * deliveries
    assert summary["verdicts"]["pass"] == summary["streams"] > 40
    pq.write_table(pa.Table.from_pylist(rows).drop_columns("previous"), tmp_path / "column.parquet")
    again = audit_deliveries(spark, str(tmp_path / "column.parquet"), str(tmp_path / "again"), healed=True)
    assert (again["found"], again["unusable"], again["streams"] > 20) == (0, 0, True)


ONE = [
    {"stream": "s", "event": "sent", "message": "m", "sequence": 1, "previous": 0, "position": 1},
    {"stream": "s", "event": "accepted", "message": "m", "sequence": 1, "previous": 0, "position": 2},
]


UNUSABLE = [
    {"event": "accept"},
    {"event": None},
    {"message": None},
    {"sequence": None},
    {"sequence": -1},
    {"sequence": 2**60},
    {"previous": -1},
    {"position": None},
    {"stream": None},
]


def test_what_is_wrong_only_if_the_stream_begins_in_its_log_is_undecided(spark: Any, tmp_path: Path):
    streams = {"begins": (1, 0, 3, 2), "ran before": (57, 56, 59, 58)}
    rows = [
        {"stream": name, "event": event, "message": event, "sequence": number, "previous": previous, "position": place}
        for name, numbers in streams.items()
        for place, (event, number, previous) in enumerate(
            [("rejected", *numbers[:2]), ("accepted", *numbers[2:])]
        )
    ]  # fmt: skip
    log = written(tmp_path / "log.ndjson", rows)
    summary = audit_deliveries(spark, log, str(tmp_path / "out"), healed=False)
    assert {one["stream"]: one["verdict"] for one in read(tmp_path / "out" / "streams")} == {
        "begins": "inconclusive", "ran before": "pass",
    }  # fmt: skip
    assert (summary["found"], summary["undecided"]) == (0, 2)
    summary = audit_deliveries(spark, log, str(tmp_path / "begun"), healed=False, begun=True)
    assert summary["verdicts"] == {"pass": 0, "fail": 2, "inconclusive": 0}


def test_entries_of_equal_times_stand_in_the_order_of_their_file(spark: Any, tmp_path: Path):
    rows = [
        {"stream": f"s{number % 9}", "event": event, "message": f"m{number}", "sequence": number // 9 + 1, "time": 7}
        for number in range(900)
        for event in ("sent", "accepted", "acknowledged")
    ]
    summary = audit_deliveries(spark, written(tmp_path / "log.ndjson", rows), str(tmp_path / "out"), healed=True)
    assert summary["verdicts"] == {"pass": 9, "fail": 0, "inconclusive": 0}


def test_an_entry_that_cannot_be_used_leaves_its_stream_undecided(spark: Any, tmp_path: Path):
    good = [one | {"stream": "good"} for one in ONE]
    spoilt = [row for number, change in enumerate(UNUSABLE) for row in
              (ONE[0] | {"stream": str(number)}, ONE[1] | {"stream": str(number)} | change)]  # fmt: skip
    log = written(tmp_path / "log.parquet", [*good, *spoilt])
    summary = audit_deliveries(spark, log, str(tmp_path / "out"), healed=False)
    verdicts = {one["stream"]: one["verdict"] for one in read(tmp_path / "out" / "streams")}
    # What names no stream at all leaves the others alone.
    expected = {"good": "pass", "8": "pass", None: "inconclusive"} | {str(one): "inconclusive" for one in range(8)}
    assert verdicts == expected
    assert (summary["unusable"], summary["found"]) == (len(UNUSABLE), 0)


def test_entries_are_ordered_by_time_where_there_is_no_position(spark: Any, tmp_path: Path):
    entries = [{**ONE[1], "event": "acknowledged", "message": None}, ONE[1]]
    rows = [
        {**{key: value for key, value in one.items() if key != "position"}, "stream": stream, "time": time}
        for stream, times in {
            "right": ("2026-01-01T10:00:01.5Z", "2026-01-01T10:00:00.25Z"),
            "wrong": ("2026-01-01T10:00:00.25Z", "2026-01-01T10:00:01.5Z"),
            "right numbers": ("10", "9.5"),
            "wrong numbers": ("9.5", "10"),
            "right before 0": ("-0.000000001", "-1.5"),
            "wrong before 0": ("-1.25", "-1.000000001"),
            "wrong before 1970": ("1969-12-31T23:59:58.25Z", "1969-12-31T23:59:59.125Z"),
        }.items()
        for one, time in zip(entries, times, strict=True)
    ]
    audit_deliveries(spark, written(tmp_path / "log.ndjson", rows), str(tmp_path / "out"), healed=False, begun=True)
    found = {one["stream"]: one["finding"] for one in read(tmp_path / "out" / "findings")}
    assert found == dict.fromkeys(
        ("wrong", "wrong numbers", "wrong before 0", "wrong before 1970"), "acknowledged_too_much"
    )


def test_what_cannot_be_audited_is_refused(spark: Any, tmp_path: Path):
    with pytest.raises(UnusableInput, match="there is no such file"):
        audit_deliveries(spark, str(tmp_path / "none"), str(tmp_path / "out"), healed=False)
    log = written(tmp_path / "a.csv", [{"stream": "s", "event": "sent", "position": 1}])
    with pytest.raises(
        UnusableInput,
        match=r"a\.csv: .* columns message, sequence are missing; .* stream, event, position; rename or add",
    ):
        audit_deliveries(spark, log, str(tmp_path / "out"), healed=False)
    log = written(tmp_path / "b.csv", [{key: value for key, value in ONE[0].items() if key != "position"}])
    with pytest.raises(UnusableInput, match="neither column time nor position"):
        audit_deliveries(spark, log, str(tmp_path / "out"), healed=False)
    log = written(tmp_path / "b.parquet", [ONE[0] | {"position": True}])
    with pytest.raises(UnusableInput, match=r"b\.parquet: .* column position has the type boolean, not a number"):
        audit_deliveries(spark, log, str(tmp_path / "out"), healed=False)
    (tmp_path / "c.parquet").touch()
    with pytest.raises(UnusableInput, match=r"c\.parquet: cannot be read: Parquet file size is 0 bytes"):
        audit_deliveries(spark, str(tmp_path / "c.parquet"), str(tmp_path / "out"), healed=False)
    (tmp_path / "c.parquet").write_bytes(b"no Parquet")
    with pytest.raises(UnusableInput, match=r"c\.parquet: cannot be read"):
        audit_deliveries(spark, str(tmp_path / "c.parquet"), str(tmp_path / "out"), healed=False)
    (tmp_path / "types").mkdir()
    written(tmp_path / "types" / "a.parquet", ONE)
    written(tmp_path / "types" / "b.parquet", [one | {"message": 1.5} for one in ONE])
    with pytest.raises(UnusableInput, match=r"types/b\.parquet: .* column \[message\].*; write the file again"):
        audit_deliveries(spark, str(tmp_path / "types"), str(tmp_path / "out"), healed=False)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "something").touch()
    with pytest.raises(UnusableInput, match="exists and is not empty"):
        audit_deliveries(spark, written(tmp_path / "d.csv", ONE), str(tmp_path / "full"), healed=False)
    with pytest.raises(UnusableInput, match="the form of the files is csv and parquet"):
        audit_deliveries(spark, str(tmp_path), str(tmp_path / "out"), healed=False)


def shaped(rows: list[Row]) -> Any:
    columns = {name: pa.array([str(row[name]) for row in rows]) for name in ("stream", "event", "message", "position")}
    numbers = {name: pa.array([row[name] for row in rows], pa.int64()) for name in ("sequence", "previous")}
    empty = pa.nulls(len(rows), pa.string())
    known = {"order_known": pa.array([True] * len(rows))}
    return pa.table(columns | numbers | {"time": empty} | known)


def test_findings_of_one_stream_are_counted_and_not_all_listed():
    rows = [{**ONE[1], "position": place} for place in range(SHOWN_OF_A_STREAM + 50)]
    other = [{**ONE[1], "stream": "t"}] * 2
    judged = judge_streams(shaped([*rows, *other]), healed=False, begun=False).to_pylist()
    assert [(one["found"], len(one["findings"])) for one in judged] == [
        (2 * (len(rows) - 1), SHOWN_OF_A_STREAM),
        (2, 2),
    ]


@pytest.mark.usefixtures("spark")
def test_the_command_sums_up_and_gates(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    log, out = written(tmp_path / "log.csv", [*ONE, {**ONE[1], "position": 3}]), str(tmp_path / "out")
    command = ["audit", "deliveries", "--log", log, "--out", out]
    assert run_command(command) == 1
    printed = capsys.readouterr()
    assert printed.err == ""
    shown = printed.out.splitlines()
    assert shown[0] == "1 streams with 2 deliveries: 0 pass, 1 fail, 0 inconclusive"
    assert shown[1].split() == ["1", "EOD-2-01", "in", "1", "streams:", "delivered", "a", "second", "time"]
    assert shown[-2] == "most found: stream s with 2"
    assert run_command(command) == 4
    assert f"{out}: exists and is not empty" in capsys.readouterr().err
