"""Datagrams from capture files, whole, damaged and hostile; files are packed here octet by octet."""

import gzip
import struct
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import ARP, Ether
from scapy.packet import Raw

from mqconform.harness.tools.packets.pcap_messages import (
    CaptureDamaged,
    CapturedDatagram,
    CaptureProblem,
    CaptureUnreadable,
    read_datagrams,
)

Write = Callable[[bytes], Path]
ETHERNET, RAW_IP, BLUETOOTH = 1, 101, 201
FROM, TO = "192.0.2.1", "192.0.2.255"
PAYLOAD = b"discovery"
DATAGRAM = IP(src=FROM, dst=TO) / UDP(sport=4000, dport=1801) / Raw(PAYLOAD)
FRAME = bytes(Ether() / DATAGRAM)
AT = (1_700_000_000, 123_456)
SENT = 1500
"""What the records say their frames had on the wire, which is not how many octets follow."""
AT_NS = 1_700_000_000_123_456_000


def pcap(frames: Iterable[bytes], link_type: int = ETHERNET, magic: int = 0xA1B2C3D4, order: str = "<") -> bytes:
    """A pcap file of frames that were all captured at AT."""
    octets = struct.pack(order + "IHHIIII", magic, 2, 4, 0, 0, 0x40000, link_type)
    for frame in frames:
        octets += struct.pack(order + "4I", *AT, len(frame), SENT) + frame
    return octets


def block(kind: int, body: bytes, order: str = "<") -> bytes:
    """A pcapng block."""
    body += bytes(-len(body) % 4)
    length = len(body) + 12
    return struct.pack(order + "II", kind, length) + body + struct.pack(order + "I", length)


def section(order: str = "<") -> bytes:
    return block(0x0A0D0D0A, struct.pack(order + "IHHq", 0x1A2B3C4D, 1, 0, -1), order)


def interface(link_type: int = ETHERNET, options: bytes = b"", order: str = "<") -> bytes:
    return block(1, struct.pack(order + "HHI", link_type, 0, 0x40000) + options, order)


def enhanced_packet(frame: bytes, ticks: int = 0, number: int = 0, order: str = "<") -> bytes:
    head = struct.pack(order + "5I", number, ticks >> 32, ticks & 0xFFFFFFFF, len(frame), SENT)
    return block(6, head + frame, order)


@pytest.fixture
def capture(tmp_path: Path) -> Write:
    """Write a capture file and return its path."""

    def write(octets: bytes) -> Path:
        path = tmp_path / "traffic.pcap"
        path.write_bytes(octets)
        return path

    return write


def read_until_problem(path: Path) -> tuple[list[CapturedDatagram], CaptureProblem | None]:
    """What a capture gives before it ends, and why it ends."""
    datagrams = []
    try:
        for datagram in read_datagrams(path):
            datagrams.append(datagram)  # noqa: PERF402 - those before the problem are wanted
    except CaptureProblem as problem:
        return datagrams, problem
    return datagrams, None


# --- containers ---


@pytest.mark.parametrize("order", ["<", ">"], ids=["little-endian", "big-endian"])
@pytest.mark.parametrize(
    ("magic", "time_ns"),
    [(0xA1B2C3D4, AT_NS), (0xA1B23C4D, 1_700_000_000_000_123_456)],
    ids=["microseconds", "nanoseconds"],
)
def test_a_pcap_file_gives_all_there_is_to_know_of_a_datagram(capture: Write, order: str, magic: int, time_ns: int):
    path = capture(pcap([bytes(Ether() / ARP()), FRAME], magic=magic, order=order))
    expected = CapturedDatagram(
        frame=2,
        time_ns=time_ns,
        source=FROM,
        destination=TO,
        source_port=4000,
        destination_port=1801,
        octets=PAYLOAD,
        complete=True,
    )
    assert list(read_datagrams(path)) == [expected]


@pytest.mark.parametrize("order", ["<", ">"], ids=["little-endian", "big-endian"])
def test_a_pcapng_file_has_its_own_clock_and_link_type_for_each_interface(capture: Write, order: str):
    nanoseconds = struct.pack(order + "HHB3x", 9, 1, 9) + bytes(4)
    octets = section(order) + interface(order=order) + interface(RAW_IP, nanoseconds, order)
    octets += enhanced_packet(FRAME, AT_NS // 1000, 0, order) + block(5, bytes(8), order)
    octets += enhanced_packet(bytes(DATAGRAM), AT_NS + 7, 1, order)
    first, second = read_datagrams(capture(octets))
    assert (first.frame, first.time_ns, first.octets) == (1, AT_NS, PAYLOAD)
    assert (second.frame, second.time_ns, second.octets) == (2, AT_NS + 7, PAYLOAD)


def test_gzipped_captures_are_read_as_they_are(capture: Write):
    assert [one.octets for one in read_datagrams(capture(gzip.compress(pcap([FRAME]))))] == [PAYLOAD]


def test_a_capture_without_frames_is_empty_and_not_damaged(capture: Write):
    assert list(read_datagrams(capture(pcap([])))) == []
    assert list(read_datagrams(capture(section() + interface()))) == []


def test_a_datagram_in_fragments_has_the_number_of_the_frame_that_completes_it(capture: Write):
    segment = bytes(DATAGRAM[UDP])
    first = Ether() / IP(proto=17, flags="MF") / Raw(segment[:8])
    last = Ether() / IP(proto=17, frag=1) / Raw(segment[8:])
    found = read_datagrams(capture(pcap([bytes(first), FRAME, bytes(last)])))
    assert [(datagram.frame, datagram.octets) for datagram in found] == [(2, PAYLOAD), (3, PAYLOAD)]


# --- damage ---


def expect_damage(path: Path, frames: int, *words: str) -> None:
    datagrams, problem = read_until_problem(path)
    assert [datagram.frame for datagram in datagrams] == list(range(1, frames + 1))
    assert isinstance(problem, CaptureDamaged)
    assert all(word in str(problem) for word in (path.name, "capture again", *words))


CONTAINERS = {
    "pcap": (pcap([]), pcap([FRAME])[24:]),
    "pcapng": (section() + interface(), enhanced_packet(FRAME)),
}


@pytest.mark.parametrize(("head", "record"), CONTAINERS.values(), ids=CONTAINERS.keys())
def test_a_file_cut_off_anywhere_but_between_records_is_damaged(capture: Write, head: bytes, record: bytes):
    for length in range(2 * len(record) + 1):
        datagrams, problem = read_until_problem(capture(head + (record * 2)[:length]))
        assert len(datagrams) == length // len(record)
        assert isinstance(problem, CaptureDamaged) == (length % len(record) > 0)


@pytest.mark.parametrize(("head", "record"), CONTAINERS.values(), ids=CONTAINERS.keys())
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_corruption_leaves_what_is_before_it_and_raises_nothing_else(
    capture: Write, head: bytes, record: bytes, data: st.DataObject
):
    octets = bytearray(head + record * 3)
    first = data.draw(st.integers(0, len(octets) - 1))
    octets[first] ^= data.draw(st.integers(1, 255))
    for at in data.draw(st.lists(st.integers(first, len(octets) - 1), max_size=3)):
        octets[at] = data.draw(st.integers(0, 255))
    datagrams, _ = read_until_problem(capture(bytes(octets)))
    before = max(0, first - len(head)) // len(record)
    assert [datagram.octets for datagram in datagrams[:before]] == [PAYLOAD] * before


def test_a_record_longer_than_the_file_is_named_by_its_octet(capture: Write):
    octets = pcap([FRAME]) + struct.pack("<4I", 0, 0, 0xFFFFFFFF, 0xFFFFFFFF) + FRAME
    expect_damage(capture(octets), 1, f"octet {24 + 16 + len(FRAME)}", "4294967295 octets")


def test_a_packet_of_an_interface_that_is_not_described_is_damage(capture: Write):
    octets = section() + interface() + enhanced_packet(FRAME) + enhanced_packet(FRAME, number=3)
    expect_damage(capture(octets), 1, "1 of 2 frames")


@pytest.mark.parametrize(
    "octets", [b"", b"\x1f\x8b", b"GET / HTTP/1.1", bytes(100)], ids=["empty", "gzip", "text", "0"]
)
def test_what_is_no_capture_is_unreadable_or_damaged_and_named(capture: Write, octets: bytes):
    datagrams, problem = read_until_problem(capture(octets))
    assert datagrams == []
    assert "traffic.pcap" in str(problem)


def test_a_missing_file_and_a_folder_are_unreadable(tmp_path: Path):
    for path in (tmp_path / "absent.pcap", tmp_path):
        with pytest.raises(CaptureUnreadable, match="cannot be opened"):
            list(read_datagrams(path))


def test_frames_of_an_unknown_link_type_are_left_out_but_not_in_silence(capture: Write):
    octets = section() + interface(BLUETOOTH) + interface()
    octets += enhanced_packet(b"\x01\x02") + enhanced_packet(FRAME, number=1)
    datagrams, problem = read_until_problem(capture(octets))
    assert [datagram.frame for datagram in datagrams] == [2]
    assert isinstance(problem, CaptureUnreadable)
    assert "1 of link type 201" in str(problem)
