"""An audit finds exactly the wrong decisions, in whatever form they were recorded."""

import gzip
import json
import random
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any
from uuid import UUID

import jsonschema
import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession
from result_records import guid

from mqconform.reference.directory import Directory, DirectoryView
from mqconform.reference.mqbr.clock import initialize
from mqconform.reference.mqbr.decision import decide_next_hops
from mqconform.reference.mqbr.judgement import Outcome
from mqconform.reference.mqbr.next_hops_judgement import judge_next_hops
from mqconform.reports.pipeline.routes import counts
from mqconform.reports.pipeline.routes.audit import audit_routes
from mqconform.reports.pipeline.routes.enterprise import DirectoryVersion, Enterprise

ADDED = ["verdict", "rule", "requirement"]


QUESTIONS = [
    (guid(3), guid(4), guid(0), "pass"),
    (guid(3), guid(4), guid(4), "fail"),
    (guid(6), guid(5), guid(1), "fail"),
    (guid(0), guid(5), guid(1), "pass"),
    (guid(0), guid(5), guid(2), "fail"),
    (guid(3), guid(6), guid(6), "pass"),
]
SOURCE, DESTINATION, HOP, VERDICTS = (list(column) for column in zip(*QUESTIONS, strict=True))


def octets(values: list[str]) -> list[bytes]:
    return [UUID(one).bytes for one in values]


def numbers(values: list[str]) -> list[int]:
    return [int(one[:8]) for one in values]


FORMS: dict[str, Callable[[list[str]], pa.Array]] = {
    "capitals in braces": lambda values: pa.array([f"{{{one.upper()}}}" for one in values]),
    "dictionary": lambda values: pa.array(values).dictionary_encode(),
    "16 octets": lambda values: pa.array(octets(values), pa.binary(16)),
    "UUID": lambda values: pa.array(octets(values), pa.uuid()),
    "numbers": lambda values: pa.array(numbers(values), pa.int64()),
}


class Audit:
    """Audits decisions against an enterprise, into a folder of its own each time."""

    def __init__(self, spark: SparkSession, enterprise: Enterprise, folder: Path) -> None:
        self.spark, self.enterprise, self.folder = spark, enterprise, folder
        self.out = folder / "out"

    def of(self, decisions: Path) -> pa.Table:
        self.summary = audit_routes(self.spark, self.enterprise, str(decisions), str(self.out))
        assert (self.out / "_SUCCESS").exists()
        assert not (self.out / "_staging").exists()
        return pa.concat_tables(pq.read_table(part) for part in sorted((self.out / "verdicts").iterdir()))

    def of_table(self, table: pa.Table, **written: Any) -> pa.Table:
        pq.write_table(table, self.folder / "decisions.parquet", **written)
        return self.of(self.folder / "decisions.parquet")


@pytest.fixture
def audit(spark: SparkSession, three_sites: Directory, tmp_path: Path) -> Audit:
    return Audit(spark, Enterprise((DirectoryVersion(None, three_sites),)), tmp_path)


def test_machines_are_known_in_every_form(audit: Audit):
    names = ("source", "destination", "next_hops")
    for form, shaped in FORMS.items():
        columns = {name: shaped(held) for name, held in zip(names, (SOURCE, DESTINATION, HOP), strict=True)}
        table = pa.table(columns | {"seen": list(range(len(QUESTIONS)))})
        audit.out = audit.folder / form
        found = audit.of_table(table)
        assert found.column("verdict").to_pylist() == VERDICTS, form
        assert found.select(table.column_names).to_pylist() == table.to_pylist(), form
        assert found.column_names == [*table.column_names, *ADDED], form


def test_octets_as_windows_keeps_them_are_known_if_it_is_said(
    spark: SparkSession, three_sites: Directory, tmp_path: Path
):
    enterprise = Enterprise((DirectoryVersion(None, three_sites),), windows_octets=True)
    columns = [pa.array([UUID(one).bytes_le for one in held], pa.binary(16)) for held in (SOURCE, DESTINATION, HOP)]
    found = Audit(spark, enterprise, tmp_path).of_table(pa.table(columns, ["source", "destination", "next_hops"]))
    assert found.column("verdict").to_pylist() == VERDICTS


def test_lists_failed_attempts_and_outcomes_are_judged(audit: Audit):
    nobody = "99999999-abcd-4000-8000-00000000beef"
    rows = [
        (guid(0), guid(5), [guid(1)], None, "pass"),
        (guid(0), guid(5), [guid(1), guid(1)], "next-hops", "pass"),
        (guid(0), guid(5), [guid(2), guid(1)], None, "fail"),
        (guid(0), guid(5), [], None, "fail"),
        (guid(0), guid(5), None, "no-route", "fail"),
        (guid(0), nobody, None, "no-route", "pass"),
        (guid(0), nobody, [], None, "pass"),
        (guid(0), guid(5), [guid(1)], "no-route", "inconclusive"),
        (guid(0), guid(5), [guid(1)], "timeout", "inconclusive"),
    ]
    names = ["source", "destination", "next_hops", "outcome", "expected"]
    columns = [list(column) for column in zip(*rows, strict=True)]
    columns[2] = pa.array(columns[2], pa.list_(pa.string()))
    found = audit.of_table(pa.table(columns, names))
    assert found.column("verdict").to_pylist() == found.column("expected").to_pylist()
    assert audit.summary["not_judged"]["no-decision"]["rows"] == 2


def test_rows_that_name_no_machine_are_counted_and_not_judged(audit: Audit):
    broken = ["", None, "zz", "0000000g-abcd-4000-8000-00000000beef", guid(0) + "0"]
    rows = [(bad, guid(1), guid(0)) for bad in broken] + [(guid(3), bad, guid(0)) for bad in broken]
    rows += [(guid(3), guid(4), bad) for bad in broken if bad is not None] + [(guid(3), guid(4), guid(0))]
    found = audit.of_table(
        pa.table([list(one) for one in zip(*rows, strict=True)], ["source", "destination", "next_hops"])
    )
    assert found.column("rule").to_pylist() == (
        ["unreadable-source"] * 5 + ["unreadable-destination"] * 5 + ["unreadable-hops"] * 4 + ["via-server"]
    )
    assert found.column("requirement").to_pylist() == [None] * 14 + ["MQBR-3.1.5.1-B10"]
    assert audit.summary["verdicts"] == {"pass": 1, "fail": 0, "inconclusive": 14}


def quarantined(out: Path) -> list[tuple[str, str]]:
    """The file and the text of each line that holds no row."""
    rows = [json.loads(line) for part in (out / "quarantine").glob("*.json") for line in part.read_text().splitlines()]
    return [(row["file"].rpartition("/")[2], row["line"]) for row in rows]


def test_csv_and_json_lines_give_the_same_verdicts_and_put_bad_lines_aside(audit: Audit):
    lines = [json.dumps({"source": s, "destination": d, "next_hops": [h]}) for s, d, h, _ in QUESTIONS]
    lines.insert(2, '{"source": "cut')
    file = audit.folder / "decisions.jsonl.gz"
    file.write_bytes(gzip.compress("\n".join(lines).encode()))
    assert audit.of(file).column("verdict").to_pylist() == VERDICTS
    assert quarantined(audit.out) == [(file.name, '{"source": "cut')]
    assert audit.summary["unreadable_lines"] == 1

    audit.out = audit.folder / "again"
    rows = [f"{s},{d},{h},it said {v}" for s, d, h, v in QUESTIONS]
    rows.insert(2, "one,two")
    file = audit.folder / "decisions.csv"
    file.write_text("\n".join(["source,destination,next_hops,note", *rows, ""]))
    found = audit.of(file)
    assert found.column("verdict").to_pylist() == VERDICTS
    assert found.column("note")[1].as_py() == "it said fail"
    assert quarantined(audit.out) == [(file.name, "one,two")]


def test_csv_holds_several_hops_in_one_cell_and_numbers_as_text(audit: Audit):
    file = audit.folder / "decisions.csv"
    file.write_text(f"source,destination,next_hops\n0,5,1;1\n{guid(0)},5,{guid(2)} {guid(1)}\n0,5,\n0,5,7\n")
    found = audit.of(file)
    assert found.column("verdict").to_pylist() == ["pass", "fail", "fail", "inconclusive"]


def test_a_text_is_divided_among_tasks_without_losing_or_doubling_a_line(audit: Audit):
    before = audit.spark.conf.get("spark.sql.files.maxPartitionBytes")
    audit.spark.conf.set("spark.sql.files.maxPartitionBytes", "40000")
    count = 3_000
    file = audit.folder / "decisions.csv"
    rows = (f"{s},{d},{h},{at}" for at, (s, d, h, _) in zip(range(count), QUESTIONS * count, strict=False))
    file.write_text("\n".join(["source,destination,next_hops,at", *rows]))
    try:
        found = audit.of(file)
    finally:
        audit.spark.conf.set("spark.sql.files.maxPartitionBytes", before)
    assert len([*(audit.out / "verdicts").iterdir()]) == 8
    assert found.column("at").to_pylist() == [str(at) for at in range(count)]
    assert found.column("verdict").to_pylist() == (VERDICTS * count)[:count]


def test_a_known_number_of_wrong_decisions_is_found_exactly(audit: Audit, three_sites: Directory):
    """Each answer is held against the readable model; the audit has to agree on every one of them."""
    seed = random.Random(7)
    machines = [one.identifier for one in three_sites.queue_managers]
    known: dict[tuple[str, ...], str] = {}
    verdict_of = {Outcome.ALLOWED: "pass", Outcome.BY_REGISTER: "pass", Outcome.NOT_ALLOWED: "fail"}
    for source in machines:
        state = initialize(DirectoryView(three_sites), source)
        for destination in machines:
            decision = decide_next_hops(state, destination)
            for hop in machines:
                known[source, destination, hop] = verdict_of.get(
                    judge_next_hops(decision, [hop]).outcome, "inconclusive"
                )
    right, wrong = ([row for row, verdict in known.items() if verdict == one] for one in ("pass", "fail"))
    rows = seed.choices(right, k=15_000) + seed.choices(wrong, k=234)
    seed.shuffle(rows)
    columns = [list(one) for one in zip(*rows, strict=True)]
    table = pa.table([*columns, list(range(len(rows)))], ["source", "destination", "next_hops", "at"])
    found = audit.of_table(table, row_group_size=2_000)
    assert [*zip(*(found.column(name).to_pylist() for name in table.column_names[:3]), strict=True)] == rows
    assert found.column("verdict").to_pylist() == [known[row] for row in rows]
    assert audit.summary["verdicts"] == {"pass": 15_000, "fail": 234, "inconclusive": 0}
    assert sum(one["fail"] for one in audit.summary["requirements"]) == 234
    assert pa.compute.sum(pq.read_table(audit.out / "routers.parquet").column("fail")).as_py() == 234
    assert pa.compute.sum(pq.read_table(audit.out / "site_pairs.parquet").column("fail")).as_py() == 234


def test_the_worst_offender_is_explained_by_the_readable_model(audit: Audit):
    columns = [SOURCE * 3, DESTINATION * 3, HOP * 3, (["north"] * 2 + ["<b>south</b>"] * 3 + [None]) * 3]
    audit.of_table(pa.table(columns, ["source", "destination", "next_hops", "router"]))
    schema = json.loads(files("mqconform.features").joinpath("schemas/audit_routes.schema.json").read_text())
    jsonschema.validate(json.loads((audit.out / "summary.json").read_text()), schema)
    worst = audit.summary["routers"]["worst"]
    assert [(one["router"], one["fail"]) for one in worst] == [("<b>south</b>", 6), ("north", 3)]
    example = worst[0]["example"]
    assert (example["source"]["name"], example["next_hops"][0]["name"]) == ("bound", "gate-Bergen")
    assert example["allowed"][0]["next_hops"][0]["name"] == "gate-Oslo"
    assert "GetNextHops (3.1.5.1): the source's out-routing servers" in example["allowed"][0]["derivation"]
    row = pq.read_table(audit.out / example["file"]).slice(example["row"], 1).to_pylist()[0]
    assert (row["source"], row["verdict"]) == (guid(6), "fail")
    page = (audit.out / "index.html").read_text()
    assert "<b>south" not in page
    assert "&lt;b&gt;south&lt;/b&gt;" in page


def test_routers_beyond_a_number_are_counted_together(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(counts, "MOST_ROUTERS", 2)
    once, zeros = np.ones(4, np.int64), np.zeros(4, np.uint8)
    table = pa.table({"router": ["a", "b", "c", "d"], "verdict": zeros, "count": once, "first": np.arange(4)})
    one = counts.merged(counts.Counts({counts.ROUTERS: table}, {}))
    both = counts.merged(one, one).tables[counts.ROUTERS]
    assert both.select(["router", "count", "first"]).to_pydict() == {
        "router": ["a", "b", counts.OTHERS],
        "count": [2, 2, 4],
        "first": [0, 1, 2],
    }
