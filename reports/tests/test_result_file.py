"""Result files read back: whole, cut off at any octet, damaged, and hostile."""

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from result_records import FEATURE, FOOTER, case, header, requirement, witness

from mqconform.harness.records.result_file import ResultFault, ResultFile, read_result_file
from mqconform.harness.records.results import Case, Finding, Footer, Span, Timing, Witness

CASE = f"{FEATURE}/a-request-is-answered"
HEADER = header(seed=7)
EVIDENCE = {"network": "ip", "request": "0001", "reply": "0002", "source": "192.0.2.7:1801"}
WITNESS = witness(
    "a-request-is-answered", "fail", **EVIDENCE, span={"offset": 4, "length": 16, "field": "CorrelationID"}
)
CASE_RECORD = case("a-request-is-answered", "fail", row="own-site")
REQUIREMENT = requirement(standing="violated", witnesses=1)
WHOLE = (HEADER, WITNESS, CASE_RECORD, REQUIREMENT, FOOTER)


def octets_of(*records: Any) -> bytes:
    return b"".join(json.dumps(one).encode() + b"\n" for one in records)


def read(folder: Path, octets: bytes) -> ResultFile:
    file = folder / "results.ndjson"
    file.write_bytes(octets)
    return read_result_file(file)


def fault(folder: Path, octets: bytes) -> str:
    with pytest.raises(ResultFault) as caught:
        read(folder, octets)
    return str(caught.value)


def test_every_record_of_a_whole_file_becomes_a_value(tmp_path: Path):
    run = read(tmp_path, octets_of(*WHOLE))
    assert (run.header.seed, run.header.iut.roles) == (7, ("discovery_server",))
    said = ("Then it answers", "one reply", "two replies")
    span = Span(4, 16, "CorrelationID")
    assert run.witnesses == (Witness(CASE, "MQSD-3.2.5-01", "fail", *said, span=span, **EVIDENCE),)
    about = ("About a-request-is-answered", ("MQSD-3.2.5-01",), "fail")
    assert run.cases == (Case(CASE, FEATURE, *about, row="own-site"),)
    known = ("MQSD-3.2.5-02", "3.2.5", "must", "prose", ("discovery_server",), "It listens again.", "wire")
    assert run.findings == (Finding(*known, "violated", 1),)
    assert run.footer == Footer(0, {}, {}, (), ())
    assert run.ended
    assert not run.torn
    assert list(run.remarks()) == []


def test_every_published_field_of_a_record_is_read():
    for kind, builder in (("witness", Witness), ("case", Case), ("requirement", Finding), ("footer", Footer)):
        published = json.loads(files("mqconform.features").joinpath("schemas/results.schema.json").read_text("utf-8"))
        assert {*published["$defs"][kind]["properties"]} - {"record"} <= {*builder.__struct_fields__}, (kind, builder)


def test_what_times_were_worth_comes_along(tmp_path: Path):
    told = {"tolerance": 0.5, "lag": 0.01, "pressure": 0.25, "capture": "networks.pcapng"}
    whole = [record | {"timing": told} if record["record"] == "witness" else record for record in WHOLE]
    assert [one.timing for one in read(tmp_path, octets_of(*whole)).witnesses] == [Timing(**told)]


def test_the_directory_of_a_run_stands_for_its_result_file(tmp_path: Path):
    (tmp_path / "results.ndjson").write_bytes(octets_of(*WHOLE))
    assert read_result_file(tmp_path) == read_result_file(tmp_path / "results.ndjson")


@settings(deadline=None, max_examples=40)
@given(cut=st.integers(0, len(octets_of(*WHOLE)) - 1))
def test_a_file_cut_off_anywhere_gives_what_is_whole_and_says_so(tmp_path_factory: pytest.TempPathFactory, cut: int):
    octets = octets_of(*WHOLE)
    folder = tmp_path_factory.mktemp("cut")
    kept = octets[:cut]
    ends_of_records = [len(octets_of(*WHOLE[:n])) - 1 for n in range(1, len(WHOLE) + 1)]
    whole = sum(end <= cut for end in ends_of_records)
    if not whole:
        assert "no complete record" in fault(folder, kept)
        return
    run = read(folder, kept)
    counted = 1 + len(run.witnesses) + len(run.cases) + len(run.findings) + (run.footer is not None)
    assert counted == whole
    assert run.torn is (cut not in ends_of_records and cut - 1 not in ends_of_records)
    assert run.ended is (whole == len(WHOLE))
    assert bool(list(run.remarks())) is (not run.ended)


def test_witnesses_of_a_case_that_did_not_end_are_kept(tmp_path: Path):
    other = WITNESS | {"case": f"{FEATURE}/killed"}
    run = read(tmp_path, octets_of(HEADER, WITNESS, CASE_RECORD, other))
    assert run.unfinished() == (f"{FEATURE}/killed",)
    assert [len(seen) for seen in run.witnesses_by_case().values()] == [1, 1]


def without(record: dict[str, Any], field: str) -> dict[str, Any]:
    return {name: value for name, value in record.items() if name != field}


def test_a_wrong_record_is_refused_by_file_line_and_field(tmp_path: Path):
    for records, told in (
        ((WITNESS,), ":1: the first record is not a header"),
        ((HEADER, HEADER), ":2: a second header"),
        ((HEADER, FOOTER, WITNESS), ":3: a record after the footer"),
        ((HEADER | {"schema": 2}, FOOTER), ":1: schema: is 2; expected 1, the number of this schema; read it with"),
        ((without(HEADER, "schema"), FOOTER), ":1: schema: is missing; expected 1, the number of this schema"),
        ((HEADER, {"record": "verdict"}), ":2: record: is 'verdict'; expected header, witness, case"),
        ((HEADER, {"record": ["case"]}), ":2: record: is ['case']; expected header"),
        ((HEADER, ["case"]), ":2: record: is None; expected header"),
        ((HEADER, without(CASE_RECORD, "verdict")), ":2: verdict: is missing; expected"),
        ((HEADER, WITNESS | {"reply": "0g"}), ":2: reply: "),
        ((HEADER, WITNESS | {"span": {"offset": -1, "length": 1, "field": ""}}), ":2: span.offset: "),
        ((HEADER, REQUIREMENT | {"witnesses": "\x1b[31m"}), ":2: witnesses: "),
        ((HEADER, CASE_RECORD | {"colour": "red"}), "colour: is not a field here"),
    ):
        message = fault(tmp_path, octets_of(*records))
        assert told in message, (records, told)
        assert message.startswith(str(tmp_path / "results.ndjson")), (records, told)
        assert message.isprintable(), (records, told)


def test_a_hostile_line_is_refused_with_its_number(tmp_path: Path):
    huge = b'{"record": "case", "seed": ' + b"9" * 5_000 + b"}"
    for line in (b"\xff\xfe", b"not json", b"[" * 100_000, huge, b"", b"7"):
        message = fault(tmp_path, octets_of(HEADER) + line + b"\n" + octets_of(FOOTER))
        assert "results.ndjson:2: " in message, line
        assert len(message) < 600, line


def test_a_line_that_never_ends_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("mqconform.harness.records.result_file.MAX_LINE", 2_000)
    assert ":2: is longer than 2000 octets" in fault(tmp_path, octets_of(HEADER) + b"{" * 3_000)


def test_a_file_that_cannot_be_read_is_named_with_what_to_do(tmp_path: Path):
    with pytest.raises(ResultFault, match=r"absent: No such file.*name a result file"):
        read_result_file(tmp_path / "absent")
    assert "run it again" in fault(tmp_path, b"")
