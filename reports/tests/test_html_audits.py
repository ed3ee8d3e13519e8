"""The page of audits in a real Chromium, of real audits: histograms, maps of sites, and the same numbers as tables."""

import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession
from result_records import guid, header, written

from mqconform.reference.directory import directory_from_document
from mqconform.reports.html.audits import audits_page
from mqconform.reports.html.command import write
from mqconform.reports.html.documents import DocumentFault
from mqconform.reports.pipeline.captures.audit import audit_captures
from mqconform.reports.pipeline.output import new_output, write_json
from mqconform.reports.pipeline.routes.audit import audit_routes
from mqconform.reports.pipeline.routes.enterprise import DirectoryVersion, enterprise_of
from mqconform.reports.pipeline.storage import place_of

HOSTILE = "</script><script>window.stung=1</script><img src=x onerror='window.stung=1'>\u202e"
BROADCAST = (255,) * 4
LATENCIES = ([0.003] * 6, [0.12] * 4)
"""Seconds that each of two servers takes."""
PAUSES = [15.05] * 3 + [3.0]


def record(at: float, payload: bytes, ends: tuple[tuple[int, ...], tuple[int, ...]], ports: tuple[int, int]) -> bytes:
    """Return a datagram as a record of a capture of raw IP."""
    udp = struct.pack(">HHHH", *ports, 8 + len(payload), 0) + payload
    number = int(at * 1000) & 0xFFFF
    octets = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(udp), number, 0, 64, 17, 0) + bytes((*ends[0], *ends[1])) + udp
    seconds, rest = divmod(round((1_700_000_000 + at) * 10**6), 10**6)
    return struct.pack("<IIII", seconds, rest, len(octets), len(octets)) + octets


def request(at: float, client: int, identifier: int) -> bytes:
    payload = b"\0\1\0\0" + b"E" * 16 + identifier.to_bytes(16, "big") + b"S" * 16
    return record(at, payload, ((10, 1, 0, client), BROADCAST), (4000, 1801))


def reply(at: float, client: int, identifier: int, server: int, mask: int = 0) -> bytes:
    payload = b"\0\2\0\0" + identifier.to_bytes(16, "big") + struct.pack("<III", 1, mask, 0) + b"N" * 16
    return record(at, payload, ((10, 2, 0, server), (10, 1, 0, client)), (1801, 4000))


def capture() -> bytes:
    """Discoveries that two servers answer after known times, and some in which a client asks again."""
    records, identifier = [], 0
    for server, latencies in enumerate(LATENCIES, 1):
        for latency in latencies:
            identifier += 1
            records += [request(identifier, identifier, identifier)]
            records += [reply(identifier + latency, identifier, identifier, server, mask=identifier == 1)]
    for pause in PAUSES:
        identifier += 1
        at = 100.0 * identifier
        records += [request(at, identifier, identifier), request(at + pause, identifier, identifier)]
        records += [reply(at + pause + LATENCIES[0][0], identifier, identifier, 1)]
    return struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 101) + b"".join(records)


def routes(spark: SparkSession, folder: Path) -> Path:
    """Audit decisions in an enterprise whose second site has a hostile name; two of five are wrong."""
    machines = [
        {"id": guid(number), "name": f"m{number}", "sites": [site], "routing_server": number < 2}
        for number, site in enumerate(("Oslo", HOSTILE, "Oslo", HOSTILE))
    ]
    sites = [{"name": name, "site_gates": [guid(number)]} for number, name in enumerate(("Oslo", HOSTILE))]
    link = {"id": "a", "site1": "Oslo", "site2": HOSTILE, "cost": 1}
    document = {"enterprise": {"name": "E"}, "sites": sites, "routing_links": [link], "queue_managers": machines}
    asked = [(2, 3, 0), (2, 3, 3), (2, 3, 3), (3, 2, 1), (3, 2, 1)]
    columns = zip(*[[guid(number) for number in row] for row in asked], strict=True)
    pq.write_table(
        pa.table(dict(zip(("source", "destination", "next_hops"), map(list, columns), strict=True))),
        folder / "decisions.parquet",
    )
    enterprise = enterprise_of([DirectoryVersion(None, directory_from_document(document))])
    audit_routes(spark, enterprise, str(folder / "decisions.parquet"), str(folder / "routes"))
    return folder / "routes"


@pytest.fixture(scope="module")
def audits(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> str:
    base = tmp_path_factory.mktemp("audits")
    (base / "one.pcap").write_bytes(capture())
    audit_captures(spark, str(base / "one.pcap"), str(base / "captures"))
    write([written(base / "run", header())], base / "site", audits=[base / "captures", routes(spark, base)])
    return (base / "site" / "audits.html").as_uri()


def numbers(page: Any, title: str) -> list[list[str]]:
    """Return the table beside a chart, as a reader opens it."""
    section = page.locator(f"h3:text-is('{title}') ~ details").first
    if section.get_attribute("open") is None:
        section.locator("summary").click()
    rows = section.locator("tbody tr:visible")
    return [row.locator("th, td").all_inner_texts() for row in rows.all()]


def test_every_chart_compares_and_has_its_numbers_beside_it(page: Any, audits: str, shot: Callable[[str], None]):
    page.goto(audits)
    assert page.locator(".chart svg").count() == page.locator(".chart").count() == 4
    assert page.locator(".chart + script + details table").count() == 4
    assert page.locator("details table").count() == 8
    shot("audits")


def test_times_to_answer_are_told_in_all_and_by_server(page: Any, audits: str):
    page.goto(audits)
    told = {row[0]: row[1:] for row in numbers(page, "Time to the first reply")}
    assert told["2 ms to 5 ms"] == ["10", "71.43 %"]
    assert told["100 ms to 200 ms"] == ["4", "28.57 %"]
    assert sum(int(count) for count, _ in told.values()) == 14
    by_server = numbers(page, "Time to the first reply, by server")
    assert [row[:2] for row in by_server] == [["10.2.0.1", "10"], ["10.2.0.2", "4"]]
    assert "median under 5 ms, 95th percentile under 200 ms" in page.locator("main").inner_text()


def test_pauses_of_clients_are_told_about_the_fifteen_seconds(page: Any, audits: str):
    page.goto(audits)
    told = {row[0]: row[1] for row in numbers(page, "Time between requests of a client")}
    assert {name: count for name, count in told.items() if count != "0"} == {"15 s to 15.1 s": "3", "1 s to 5 s": "1"}
    assert len(numbers(page, "Time between requests of a client, by client")) == len(PAUSES)


def test_the_map_of_sites_shows_who_failed_and_hostile_names_stay_text(page: Any, audits: str):
    page.goto(audits)
    assert numbers(page, "Failures by pair of sites")[0][2:] == ["2", "0", "1"]
    assert page.evaluate("window.stung") is None
    assert page.locator("main img").count() == 0
    assert "\u202e" not in page.content()


def test_the_page_satisfies_the_rules_of_accessibility(audits: str, accessible: Callable[..., None]):
    for scheme in ("light", "dark"):
        accessible(audits, scheme, unfolded=True)


def test_an_audit_that_is_unfinished_makes_no_page(tmp_path: Path):
    with new_output(place_of(str(tmp_path))):
        write_json(place_of(str(tmp_path / "summary.json")), {})
        with pytest.raises(DocumentFault, match="the audit is unfinished; wait for its end, or run it again"):
            audits_page([tmp_path])
