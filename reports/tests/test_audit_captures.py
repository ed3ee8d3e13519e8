"""An audit of captures finds exactly what is wrong in them, however they are cut into files, forms and tasks."""

import gzip
import json
import random
import struct
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from importlib.resources import files
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

import jsonschema
import pyarrow.parquet as pq
import pytest
from pyspark.sql import DataFrame, SparkSession
from result_records import header, written
from scapy.layers.inet import IP, UDP, fragment
from scapy.layers.l2 import Dot1Q, Ether
from scapy.packet import Raw

from mqconform.reports.html.command import write
from mqconform.reports.pipeline.captures import source
from mqconform.reports.pipeline.captures.audit import audit_captures
from mqconform.reports.pipeline.captures.conversation_frames import CONVERSATION_VERDICTS, judge_conversations
from mqconform.reports.pipeline.captures.facts import facts_of
from mqconform.reports.pipeline.captures.frames import reassembled
from mqconform.reports.pipeline.captures.source import FORMAT
from mqconform.reports.pipeline.problems import UnusableInput

START = 1_700_000_000
SITE, OTHER = b"S" * 16, b"O" * 16
NETWORK = b"N" * 16
LIST = "10PSC,11BSC\0".encode("utf-16-le")

Frame = tuple[float, bytes]


def request(identifier: bytes, site: bytes = SITE) -> bytes:
    return b"\0\1\0\0" + b"E" * 16 + identifier + site


def reply(identifier: bytes, listed: bytes = b"", site: bytes = OTHER) -> bytes:
    fixed = struct.pack("<III", 1, 0, len(listed))
    return b"\0\2\0\0" + identifier + fixed + NETWORK + (site + listed if listed else b"")


def datagram(payload: bytes, source: str, destination: str, ports: tuple[int, int], number: int = 0) -> bytes:
    return bytes(
        Ether(dst="ff:ff:ff:ff:ff:ff", src="02:00:00:00:00:01")
        / IP(src=source, dst=destination, id=number)
        / UDP(sport=ports[0], dport=ports[1])
        / Raw(payload)
    )


class Traffic:
    """Discoveries of many clients, all of them right, and what is made wrong in them."""

    def __init__(self, seed: int = 1, *, server: int = 1, client: int = 0) -> None:
        """Draw by ``seed``, and count servers and clients from these numbers on."""
        self.random, self.server, self.client = random.Random(seed), server, client
        self.frames: list[Frame] = []
        self.identifiers: set[bytes] = set()

    def identifier(self) -> bytes:
        drawn = self.random.randbytes(16)
        self.identifiers.add(drawn)
        return drawn

    def add(self, at: float, payload: bytes, source: str, destination: str, ports: tuple[int, int]) -> None:
        self.frames.append((at, datagram(payload, source, destination, ports, len(self.frames) + 1)))

    def host(self, client: int) -> str:
        return f"10.1.{(self.client + client) // 256}.{(self.client + client) % 256}"

    def ask(self, at: float, client: int, payload: bytes, port: int = 4000) -> None:
        self.add(at, payload, self.host(client), "10.255.255.255", (port, 1801))

    def answer(self, at: float, client: int, payload: bytes, server: int = 0) -> None:
        self.add(at, payload, f"10.2.0.{self.server + server}", self.host(client), (1801, 4000))

    def discovery(self, at: float, client: int, *, wrong: Callable[[bytes], bytes] = bytes) -> None:
        """Let a client ask; one server of its site and one of another answer."""
        identifier = self.identifier()
        self.ask(at, client, request(identifier))
        self.answer(at + 0.1, client, reply(identifier))
        self.answer(at + 0.2, client, wrong(reply(identifier, LIST)), 1)

    def pcap(self, frames: Sequence[Frame] | None = None) -> bytes:
        records = []
        for at, octets in frames if frames is not None else self.frames:
            seconds, rest = divmod(round((START + at) * 1_000_000), 1_000_000)
            records.append(struct.pack("<IIII", seconds, rest, len(octets), len(octets)) + octets)
        return struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1) + b"".join(records)


WRONG: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "mask": (lambda one: one[:24] + b"\1" + one[25:], "fail"),
    "array-cut": (lambda one: one[:-2], "fail"),
    "ip-flag": (lambda one: one[:64] + b"2\0" + one[66:], "fail"),
    "no-end": (lambda one: one[:-2] + b"x\0", "fail"),
    "size-odd": (lambda one: one[:28] + b"\x17" + one[29:], "fail"),
    "networks-cut": (lambda one: one[:40], "fail"),
    "reply-type": (lambda one: b"\0\3" + one[2:], "fail"),
    "trailing": (lambda one: one + b"\1", "fail"),
    "no-protocol": (lambda one: one[:64] + b"0\0" + one[66:], "pass"),
    "reply-version": (lambda one: b"\1" + one[1:], "pass"),
}


def spoiled_traffic(discoveries: int = 400, each: int = 3) -> tuple[Traffic, Counter[str]]:
    """Return traffic in which each kind of wrong reply occurs so many times, and how often each rule decides."""
    traffic, wanted = Traffic(), Counter[str]()
    wrongs = [name for name in WRONG for _ in range(each)]
    places = traffic.random.sample(range(discoveries), len(wrongs))
    at = dict(zip(places, wrongs, strict=True))
    for number in range(discoveries):
        name = at.get(number)
        traffic.discovery(number * 0.5, number, wrong=WRONG[name][0] if name else bytes)
        wanted.update([name] if name else [])
    return traffic, wanted


def audited(spark: SparkSession, captures: Path, out: Path, **more: Any) -> dict[str, Any]:
    summary = audit_captures(spark, str(captures), str(out), **more)
    shape = json.loads(files("mqconform.features").joinpath("schemas", "audit_captures.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator(shape).validate(summary)
    assert json.loads((out / "summary.json").read_text("utf-8")) == summary
    assert (out / "_SUCCESS").exists()
    assert not (out / "_staging").exists()
    return summary


def rows(out: Path, what: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pq.read_table(out / what).to_pylist() if any((out / what).iterdir()) else []
    return found


class Audited(NamedTuple):
    """One audit of a folder of captures, in each of which something else is to be found."""

    captures: Path
    out: Path
    summary: dict[str, Any]
    facts: list[str]

    def packets(self, *captures: str) -> list[dict[str, Any]]:
        return [row for row in rows(self.out, "packets") if row["file"] in captures]

    def conversations(self, traffic: Traffic) -> list[dict[str, Any]]:
        return [row for row in rows(self.out, "conversations") if row["id"] in traffic.identifiers]


def deciding(found: list[dict[str, Any]]) -> Counter[str]:
    return Counter(row["rule"] for row in found if row["rule"])


def cadence() -> Traffic:
    traffic = Traffic(2, server=20, client=1000)
    for number in range(20):
        traffic.discovery(number, number)
    early, late, wrong, twice, unheard = (traffic.identifier() for _ in range(5))
    traffic.ask(30, 1, request(early))
    traffic.ask(33, 2, request(early))  # a second network after 3 s; replies to client 1 were captured
    traffic.answer(33.1, 2, reply(early))
    traffic.ask(40, 3, request(late))
    traffic.answer(56, 3, reply(late))
    traffic.ask(60, 4, request(wrong))
    traffic.answer(60.1, 4, reply(traffic.identifier()))
    traffic.ask(70, 5, request(twice))
    traffic.answer(70.1, 5, reply(twice))
    traffic.answer(70.3, 5, reply(twice))
    traffic.ask(80, 6, request(unheard))
    traffic.answer(81, 7, reply(traffic.identifier()))  # client 7 asked nothing for a minute
    traffic.discovery(200, 8)
    return traffic


def with_facts(folder: Path) -> tuple[Traffic, list[str]]:
    """Replies of a server whose configuration is known, right ones and three wrong ones."""
    file = folder / "facts.toml"
    site, network = ("-".join(one * size for size in (8, 4, 4, 4, 12)) for one in "12")
    file.write_text(
        f'[discovery_server]\nenterprise = "{site}"\nsite = "{site}"\nconnected_networks = ["{network}"]\n'
        'directory_servers = [{ name = "PSC", ip = true, ipx = false }]\n',
        "utf-8",
    )
    facts = [f"10.2.0.30={file}"]
    server = facts_of(facts)[0].server
    traffic = Traffic(3, server=30, client=1100)
    right = struct.pack("<III", 1, 0, 12) + server.connected_networks[0] + server.site + "10PSC\0".encode("utf-16-le")
    own = struct.pack("<III", 1, 0, 0) + server.connected_networks[0]
    cases = [(SITE, right), (server.site, own), (SITE, own), (server.site, right)]
    for number, (asked, answered) in enumerate(cases):
        identifier = traffic.identifier()
        traffic.ask(number, number, request(identifier, asked))
        traffic.answer(number + 0.5, number, b"\0\2\0\0" + identifier + answered)
        traffic.answer(number + 0.6, number, reply(identifier), 1)  # no facts are known of this one
    other = traffic.identifier()
    traffic.ask(10, 10, request(other))
    traffic.answer(10.1, 10, reply(other, LIST))
    return traffic, facts


def fragments(folder: Path) -> None:
    """A reply in fragments, over two files, and the first fragment of another."""
    identifier = Traffic(4).identifier()
    many = "".join(f"10{'n' * 200}{number}," for number in range(10))[:-1] + "\0"
    packet = IP(src="10.2.0.40", dst="10.1.5.0", id=9) / UDP(sport=1801, dport=4000)
    parts = fragment(packet / Raw(reply(identifier, many.encode("utf-16-le"))), 1000)
    traffic = Traffic(client=1280)
    traffic.ask(0, 0, request(identifier))
    tagged = [(1.0, bytes(Ether() / Dot1Q(vlan=3) / part)) for part in parts]
    cut = fragment(packet / Raw(b"x" * 1500), 1000)[0]
    (folder / "first").write_bytes(traffic.pcap([*traffic.frames, *tagged[:2]]))
    (folder / "second").write_bytes(traffic.pcap([*tagged[2:], (2.0, bytes(Ether() / cut))]))


SPOILED, WANTED = spoiled_traffic()
CADENCE = cadence()
TWICE = Traffic(5, server=50, client=1300)
TWICE.discovery(0, 1)
SNAPPED = Traffic(6, server=60, client=1400)
SNAPPED.discovery(0, 1)
BROKEN = Traffic(7, server=70, client=1500)
for place in range(50):
    BROKEN.discovery(place, place)
BROKEN_AT = 24 + sum(16 + len(frame) for _, frame in BROKEN.frames[:60])


@pytest.fixture(scope="module")
def one(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Audited]:
    base = tmp_path_factory.mktemp("audit")
    folder = base / "captures"
    (folder / "deeper").mkdir(parents=True)
    pcap = SPOILED.pcap
    (folder / "a.pcap").write_bytes(pcap(SPOILED.frames[:501]))
    (folder / "deeper" / "b.gz").write_bytes(gzip.compress(pcap(SPOILED.frames[501:502])))
    (folder / "deeper" / "c").write_bytes(pcap(SPOILED.frames[502:]))
    (folder / "cadence").write_bytes(CADENCE.pcap())
    told, facts = with_facts(base)
    (folder / "facts").write_bytes(told.pcap())
    for name in ("near", "far"):
        (folder / name).write_bytes(TWICE.pcap())
    fragments(folder)
    records = (struct.pack("<IIII", START, 0, min(90, len(octets)), len(octets)) + octets[:90]
               for _, octets in SNAPPED.frames)  # fmt: skip
    (folder / "snapped").write_bytes(pcap([]) + b"".join(records))
    octets = bytearray(BROKEN.pcap())
    octets[BROKEN_AT + 8 : BROKEN_AT + 12] = b"\xff\xff\xff\xff"
    (folder / "corrupt.pcap").write_bytes(octets)
    (folder / "cut.pcap").write_bytes(pcap(BROKEN.frames[:1])[:-3])
    (folder / "notes.txt").write_text("no capture", "utf-8")
    (folder / "empty").write_bytes(b"")
    (folder / "odd.pcap").write_bytes(pcap([])[:20] + struct.pack("<IIIII", 147, 0, 0, 0, 0))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(source, "PIECE", 4_000)  # what the driver divides by
        yield Audited(folder, base / "out", audited(spark, folder, base / "out", facts=facts), facts)


def test_no_miss_and_no_false_alarm(one: Audited):
    found = one.packets("a.pcap", "deeper/b.gz", "deeper/c")
    assert deciding(found) == WANTED
    expected = Counter(WRONG[name][1] for name in WANTED.elements())
    expected["pass"] += 1200 - WANTED.total()
    assert Counter(row["verdict"] for row in found) == expected
    assert Counter(row["verdict"] for row in one.conversations(SPOILED)) == {"pass": 400}
    worst = one.summary["hosts"]["worst"][0]
    assert (worst["host"], worst["fail"]) == ("10.2.0.2", expected["fail"])
    (answers,) = (host for host in one.summary["times"]["answers"]["hosts"] if host["host"] == "10.2.0.1")
    assert dict(zip(one.summary["times"]["answers"]["edges_ms"], answers["counts"], strict=False))[200] == 400


def test_a_file_that_is_divided_keeps_its_frames_and_their_numbers(one: Audited):
    assert Counter(row["file"] for row in one.packets("a.pcap", "deeper/b.gz", "deeper/c")) == {
        "a.pcap": 501, "deeper/b.gz": 1, "deeper/c": 698,
    }  # fmt: skip
    assert sorted(row["frame"] for row in one.packets("a.pcap")) == list(range(1, 502))


def test_an_example_tells_the_octets(one: Audited):
    (found,) = (each for each in one.summary["hosts"]["worst"][0]["findings"] if each["requirement"] == "MQSD-2.2.3-08")
    assert found["example"]["shown_at"] == {"offset": 24, "length": 4}
    assert found["example"]["octets"][48:56] == "01000000"
    page = (one.out / "index.html").read_text("utf-8")
    assert "<mark>01</mark> <mark>00</mark>" in page
    assert "10.2.0.2" in page


def test_cadence_strays_and_answers(one: Audited):
    found = one.conversations(CADENCE)
    assert deciding(found) == {
        "early-request": 1,
        "reply-late": 1,
        "other-id": 1,
        "answered-twice": 1,
        "unanswered": 2,
        "reply-to-nobody": 1,
    }
    by_rule = {row["rule"]: row for row in found}
    assert by_rule["early-request"]["host"] == CADENCE.host(2)
    assert by_rule["other-id"]["host"] == "10.2.0.20"
    assert by_rule["unanswered"]["verdict"] == "inconclusive"


def test_facts_of_a_server_are_held_against_its_replies(one: Audited, tmp_path: Path):
    assert deciding(one.conversations(with_facts(tmp_path)[0])) == {"other-site-unlisted": 1, "own-site-listed": 1}
    (packet,) = (row for row in one.packets("facts") if row["verdict"] != "pass")
    assert (packet["rule"], packet["frame"]) == ("networks", 14)
    assert packet["rules"] == 1 << 47 | 1 << 50 | 1 << 51


def test_the_same_packet_on_two_captures_counts_once(one: Audited):
    (found,) = one.conversations(TWICE)
    assert [found[name] for name in ("verdict", "requests", "replies", "copies")] == ["pass", 1, 2, 3]


def test_what_lies_behind_damage_is_put_aside_and_the_rest_judged(one: Audited):
    quarantine = {row["file"]: row for row in rows(one.out, "quarantine")}
    assert set(quarantine) == {"corrupt.pcap", "cut.pcap", "notes.txt", "empty", "odd.pcap", "second"}
    corrupt = quarantine["corrupt.pcap"]
    assert (corrupt["offset"], corrupt["length"]) == (BROKEN_AT, len(BROKEN.pcap()) - BROKEN_AT)
    assert quarantine["cut.pcap"]["offset"] == 24
    assert quarantine["odd.pcap"]["reason"] == "link type 147 is not known"
    assert len(one.packets("corrupt.pcap")) == 60
    assert one.summary["quarantine"]["entries"] == 6


def test_a_snap_length_leaves_packets_without_verdict_and_conversations_whole(one: Audited):
    verdicts = [row["verdict"] for row in sorted(one.packets("snapped"), key=itemgetter("frame"))]
    assert verdicts == ["none", "pass", "none"]
    assert [row["verdict"] for row in one.conversations(SNAPPED)] == ["pass"]


def test_fragments_are_put_together_over_files(one: Audited):
    assert [row["verdict"] for row in one.packets("first", "second")] == ["pass", "pass"]
    assert one.summary["frames"]["reassembled_discovery"] == 1
    assert [row["reason"] for row in rows(one.out, "quarantine") if row["file"] == "second"] == [
        "fragments of this datagram are missing"
    ]


def test_the_dataframe_functions_say_what_the_command_says(spark: SparkSession, one: Audited):
    facts = facts_of(one.facts)
    read = spark.read.format(FORMAT).options(facts=one.facts[0], pieceOctets=4_000).load(str(one.captures))
    made = reassembled(read, facts=facts).cache()
    assert said(made.where("kind = 'packet'").drop("kind")) == recorded(one.out, "packets")
    conversations = judge_conversations(made, facts=facts)
    assert conversations.schema == CONVERSATION_VERDICTS
    assert said(conversations) == recorded(one.out, "conversations")
    problems = made.where("kind = 'problem'").selectExpr("file", "offset", "length", "frame", "problem reason")
    assert said(problems) == recorded(one.out, "quarantine")


def said(frame: DataFrame) -> list[Any]:
    found = (row.asDict(recursive=True) for row in frame.collect())
    return sorted(
        (sorted((name, bytes(x) if isinstance(x, bytearray) else x) for name, x in row.items()) for row in found),
        key=repr,
    )


def recorded(out: Path, what: str) -> list[Any]:
    moments = {"time", "first_time", "last_time"}
    found = (
        sorted((name, x and x.replace(tzinfo=None) if name in moments else x) for name, x in row.items())
        for row in rows(out, what)
    )
    return sorted(found, key=repr)


def test_a_report_has_a_page_of_it(one: Audited, tmp_path: Path):
    write([written(tmp_path / "run", header())], tmp_path / "site", audits=[one.out])
    told = (tmp_path / "site" / "audits.html").read_text("utf-8")
    assert "Time to the first reply, by server" in told
    assert "10.2.0.1" in told


def test_nothing_to_read_is_refused(spark: SparkSession, tmp_path: Path):
    (tmp_path / "notes.txt").write_text("no capture", "utf-8")
    with pytest.raises(UnusableInput, match="no frame could be read: neither pcap nor pcapng"):
        audited(spark, tmp_path / "notes.txt", tmp_path / "out")
    assert not (tmp_path / "out" / "summary.json").exists()


def test_profiles_weigh_readings(spark: SparkSession, tmp_path: Path):
    """By the profile ``default`` another version passes, as above."""
    traffic = Traffic()
    traffic.discovery(0, 1, wrong=WRONG["reply-version"][0])
    (tmp_path / "one.pcap").write_bytes(traffic.pcap())
    summary = audited(spark, tmp_path / "one.pcap", tmp_path / "strict", profile="strict")
    assert summary["packets"]["verdicts"]["inconclusive"] == 1
