"""An audit of captures finds exactly what is wrong in them, however they are cut into files, forms and tasks."""

import gzip
import json
import random
import struct
from collections import Counter
from collections.abc import Callable, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession
from scapy.layers.inet import IP, UDP, fragment
from scapy.layers.l2 import Dot1Q, Ether
from scapy.packet import Raw

from mqconform.reports.pipeline.captures import source
from mqconform.reports.pipeline.captures.audit import audit_captures
from mqconform.reports.pipeline.captures.facts import facts_of
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

    def __init__(self, seed: int = 1) -> None:
        self.random = random.Random(seed)
        self.frames: list[Frame] = []
        self.number = 0

    def identifier(self) -> bytes:
        return self.random.randbytes(16)

    def add(self, at: float, payload: bytes, source: str, destination: str, ports: tuple[int, int]) -> None:
        self.number += 1
        self.frames.append((at, datagram(payload, source, destination, ports, self.number)))

    def ask(self, at: float, client: int, payload: bytes, port: int = 4000) -> None:
        self.add(at, payload, f"10.1.{client // 256}.{client % 256}", "10.255.255.255", (port, 1801))

    def answer(self, at: float, client: int, payload: bytes, server: int = 1) -> None:
        self.add(at, payload, f"10.2.0.{server}", f"10.1.{client // 256}.{client % 256}", (1801, 4000))

    def discovery(self, at: float, client: int, *, wrong: Callable[[bytes], bytes] = bytes) -> None:
        """Let a client ask; one server of its site and one of another answer."""
        identifier = self.identifier()
        self.ask(at, client, request(identifier))
        self.answer(at + 0.1, client, reply(identifier), 1)
        self.answer(at + 0.2, client, wrong(reply(identifier, LIST)), 2)

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
    wanted["size-odd"] = wanted.pop("size-odd")
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


def deciding(out: Path, what: str = "packets") -> Counter[str]:
    return Counter(row["rule"] for row in rows(out, what) if row["rule"])


@pytest.fixture(scope="module")
def spoiled() -> tuple[Traffic, Counter[str]]:
    return spoiled_traffic()


class TestExactness:
    def test_no_miss_and_no_false_alarm(
        self, spark: SparkSession, spoiled: tuple[Traffic, Counter[str]], tmp_path: Path
    ):
        traffic, wanted = spoiled
        (tmp_path / "one.pcap").write_bytes(traffic.pcap())
        summary = audited(spark, tmp_path / "one.pcap", tmp_path / "out")
        assert deciding(tmp_path / "out") == wanted
        expected = Counter(WRONG[name][1] for name in wanted.elements())
        expected["pass"] += 1200 - wanted.total()
        assert summary["packets"]["verdicts"] == {"none": 0, "inconclusive": 0, **expected}
        assert summary["conversations"]["verdicts"] == {"none": 0, "pass": 400, "inconclusive": 0, "fail": 0}
        worst = summary["hosts"]["worst"]
        assert [one["host"] for one in worst] == ["10.2.0.2"]
        behind_an_odd_size = wanted["size-odd"]  # the octet that the size leaves out breaks a sentence of its own
        assert worst[0]["fail"] == expected["fail"] + behind_an_odd_size
        (answers,) = summary["times"]["answers"]["hosts"]
        assert answers["host"] == "10.2.0.1"
        assert dict(zip(summary["times"]["answers"]["edges_ms"], answers["counts"], strict=False))[200] == 400

    def test_an_example_tells_the_octets(self, spark: SparkSession, tmp_path: Path):
        traffic = Traffic()
        traffic.discovery(0, 1, wrong=WRONG["mask"][0])
        (tmp_path / "one.pcap").write_bytes(traffic.pcap())
        summary = audited(spark, tmp_path / "one.pcap", tmp_path / "out")
        finding = summary["hosts"]["worst"][0]["findings"][0]
        assert (finding["requirement"], finding["example"]["frame"]) == ("MQSD-2.2.3-08", 3)
        assert finding["example"]["shown_at"] == {"offset": 24, "length": 4}
        assert finding["example"]["octets"][48:56] == "01000000"
        page = (tmp_path / "out" / "index.html").read_text("utf-8")
        assert "<mark>01</mark> <mark>00</mark>" in page
        assert "10.2.0.2" in page

    def test_any_division_gives_the_same(
        self,
        spark: SparkSession,
        spoiled: tuple[Traffic, Counter[str]],
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ):
        traffic, wanted = spoiled
        folder = tmp_path / "captures"
        (folder / "deeper").mkdir(parents=True)
        frames = traffic.frames
        (folder / "a.pcap").write_bytes(traffic.pcap(frames[:501]))
        (folder / "deeper" / "b.gz").write_bytes(gzip.compress(traffic.pcap(frames[501:502])))
        (folder / "deeper" / "c").write_bytes(traffic.pcap(frames[502:]))
        monkeypatch.setattr(source, "PIECE", 4_000)  # what the driver divides by
        summary = audited(spark, folder, tmp_path / "out")
        assert deciding(tmp_path / "out") == wanted
        assert summary["files"] == 3
        assert summary["conversations"]["verdicts"]["pass"] == 400
        found = rows(tmp_path / "out", "packets")
        assert Counter(row["file"] for row in found) == {"a.pcap": 501, "deeper/b.gz": 1, "deeper/c": 698}
        assert sorted(row["frame"] for row in found if row["file"] == "a.pcap") == list(range(1, 502))


class TestConversations:
    def found(self, spark: SparkSession, traffic: Traffic, tmp_path: Path, **more: Any) -> Counter[str]:
        (tmp_path / "one.pcap").write_bytes(traffic.pcap())
        audited(spark, tmp_path / "one.pcap", tmp_path / "out", **more)
        return deciding(tmp_path / "out", "conversations")

    def test_cadence_strays_and_answers(self, spark: SparkSession, tmp_path: Path):
        traffic = Traffic()
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
        assert self.found(spark, traffic, tmp_path) == {
            "early-request": 1,
            "reply-late": 1,
            "other-id": 1,
            "answered-twice": 1,
            "unanswered": 2,
            "reply-to-nobody": 1,
        }
        by_rule = {row["rule"]: row for row in rows(tmp_path / "out", "conversations")}
        assert by_rule["early-request"]["host"] == "10.1.0.2"
        assert by_rule["other-id"]["host"] == "10.2.0.1"
        assert by_rule["unanswered"]["verdict"] == "inconclusive"

    def test_facts_of_a_server_are_held_against_its_replies(self, spark: SparkSession, tmp_path: Path):
        file = tmp_path / "facts.toml"
        site, network = ("-".join(one * size for size in (8, 4, 4, 4, 12)) for one in "12")
        file.write_text(
            f'[discovery_server]\nenterprise = "{site}"\nsite = "{site}"\nconnected_networks = ["{network}"]\n'
            'directory_servers = [{ name = "PSC", ip = true, ipx = false }]\n',
            "utf-8",
        )
        facts = [f"10.2.0.1={file}"]
        server = facts_of(facts)[0].server
        traffic = Traffic()
        right = (
            struct.pack("<III", 1, 0, 12) + server.connected_networks[0] + server.site + "10PSC\0".encode("utf-16-le")
        )
        own = struct.pack("<III", 1, 0, 0) + server.connected_networks[0]
        identifiers = [traffic.identifier() for _ in range(4)]
        cases = [(SITE, right), (server.site, own), (SITE, own), (server.site, right)]
        for number, (identifier, (asked, answered)) in enumerate(zip(identifiers, cases, strict=True)):
            traffic.ask(number, number, request(identifier, asked))
            traffic.answer(number + 0.5, number, b"\0\2\0\0" + identifier + answered)
            traffic.answer(number + 0.6, number, reply(identifier), 2)  # no facts are known of this one
        other = traffic.identifier()
        traffic.ask(10, 10, request(other))
        traffic.answer(10.1, 10, reply(other, LIST))
        found = self.found(spark, traffic, tmp_path, facts=facts)
        assert found == {"other-site-unlisted": 1, "own-site-listed": 1}
        packets = [row for row in rows(tmp_path / "out", "packets") if row["verdict"] != "pass"]
        assert [(row["rule"], row["frame"]) for row in packets] == [("networks", 14)]
        assert packets[0]["rules"] == 1 << 47 | 1 << 50 | 1 << 51

    def test_the_same_packet_on_two_captures_counts_once(self, spark: SparkSession, tmp_path: Path):
        traffic = Traffic()
        traffic.discovery(0, 1)
        folder = tmp_path / "captures"
        folder.mkdir()
        for name in ("near", "far"):
            (folder / name).write_bytes(traffic.pcap())
        summary = audited(spark, folder, tmp_path / "out")
        assert summary["conversations"] == {
            "verdicts": {"none": 0, "pass": 1, "inconclusive": 0, "fail": 0},
            "requests": 1,
            "replies": 2,
            "copies": 3,
        }


class TestWhatIsNotWhole:
    def test_damage_is_put_aside_and_the_rest_judged(self, spark: SparkSession, tmp_path: Path):
        traffic = Traffic()
        for number in range(50):
            traffic.discovery(number, number)
        folder = tmp_path / "captures"
        folder.mkdir()
        octets = bytearray(traffic.pcap())
        at = 24 + sum(16 + len(frame) for _, frame in traffic.frames[:60])
        octets[at + 8 : at + 12] = b"\xff\xff\xff\xff"
        (folder / "corrupt.pcap").write_bytes(octets)
        (folder / "cut.pcap").write_bytes(Traffic(2).pcap([(0, traffic.frames[0][1])])[:-3])
        (folder / "notes.txt").write_text("no capture", "utf-8")
        (folder / "empty").write_bytes(b"")
        (folder / "odd.pcap").write_bytes(traffic.pcap([(0, b"\1" * 60)])[:20] + struct.pack("<I", 147) + bytes(16))
        summary = audited(spark, folder, tmp_path / "out")
        quarantine = {row["file"]: row for row in rows(tmp_path / "out", "quarantine")}
        assert set(quarantine) == {"corrupt.pcap", "cut.pcap", "notes.txt", "empty", "odd.pcap"}
        assert (quarantine["corrupt.pcap"]["offset"], quarantine["corrupt.pcap"]["length"]) == (
            at,
            16 + len(traffic.frames[60][1]),
        )
        assert quarantine["cut.pcap"]["offset"] == 24
        assert quarantine["odd.pcap"]["reason"] == "link type 147 is not known"
        assert summary["packets"]["judged"] == 149
        assert summary["quarantine"]["entries"] == 5

    def test_a_snap_length_leaves_packets_without_verdict_and_conversations_whole(
        self, spark: SparkSession, tmp_path: Path
    ):
        traffic = Traffic()
        traffic.discovery(0, 1, wrong=WRONG["no-end"][0])
        records = b"".join(
            struct.pack("<IIII", START, place, min(90, len(octets)), len(octets)) + octets[:90]
            for place, (_, octets) in enumerate(traffic.frames)
        )
        (tmp_path / "one.pcap").write_bytes(traffic.pcap([]) + records)
        summary = audited(spark, tmp_path / "one.pcap", tmp_path / "out")
        assert summary["packets"]["verdicts"] == {"none": 2, "pass": 1, "inconclusive": 0, "fail": 0} or (
            summary["packets"]["verdicts"]["none"] == 3
        )
        assert summary["conversations"]["verdicts"]["pass"] == 1

    def test_fragments_are_put_together_over_files(self, spark: SparkSession, tmp_path: Path):
        identifier = Traffic().identifier()
        many = "".join(f"10{'n' * 200}{number}," for number in range(10))[:-1] + "\0"
        packet = IP(src="10.2.0.1", dst="10.1.0.1", id=9) / UDP(sport=1801, dport=4000)
        parts = fragment(packet / Raw(reply(identifier, many.encode("utf-16-le"))), 1000)
        traffic = Traffic()
        traffic.ask(0, 1, request(identifier))
        folder = tmp_path / "captures"
        folder.mkdir()
        tagged = [(1.0, bytes(Ether() / Dot1Q(vlan=3) / part)) for part in parts]
        (folder / "first").write_bytes(traffic.pcap([*traffic.frames, *tagged[:2]]))
        (folder / "second").write_bytes(traffic.pcap(tagged[2:]))
        (folder / "third").write_bytes(
            traffic.pcap([(2.0, bytes(Ether() / fragment(packet / Raw(b"x" * 1500), 1000)[0]))])
        )
        summary = audited(spark, folder, tmp_path / "out")
        assert summary["packets"]["verdicts"]["pass"] == 2
        assert summary["frames"]["reassembled_discovery"] == 1
        assert summary["conversations"]["verdicts"]["pass"] == 1
        assert [row["reason"] for row in rows(tmp_path / "out", "quarantine")] == [
            "fragments of this datagram are missing"
        ]

    def test_nothing_to_read_is_refused(self, spark: SparkSession, tmp_path: Path):
        (tmp_path / "notes.txt").write_text("no capture", "utf-8")
        with pytest.raises(UnusableInput, match="no frame could be read: neither pcap nor pcapng"):
            audited(spark, tmp_path / "notes.txt", tmp_path / "out")
        assert not (tmp_path / "out" / "summary.json").exists()


def test_profiles_weigh_readings(spark: SparkSession, tmp_path: Path):
    traffic = Traffic()
    traffic.discovery(0, 1, wrong=WRONG["reply-version"][0])
    (tmp_path / "one.pcap").write_bytes(traffic.pcap())
    verdicts = {
        profile: audited(spark, tmp_path / "one.pcap", tmp_path / profile, profile=profile)["packets"]["verdicts"]
        for profile in ("default", "strict")
    }
    assert verdicts["default"]["inconclusive"] == 0
    assert verdicts["strict"]["inconclusive"] == 1
