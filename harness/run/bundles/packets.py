"""``packets.pcapng``: the packets of a case, each with its requirements in a comment.

Datagrams stand in Ethernet as Wireshark reads them, calls as exported JSON.
"""

import json
import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from itertools import islice
from pathlib import Path
from typing import Any

from mqconform.harness.iut.conversation import Conversation, Entry
from mqconform.harness.records.printable import visible_lines
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.records.witness import Witness
from mqconform.harness.run.bundles.traffic import Passed, datagrams
from mqconform.reference.mqsd.specification import FACTS

ETHERNET = 1
UPPER_PDU = 252
"""LINKTYPE_ETHERNET and LINKTYPE_WIRESHARK_UPPER_PDU."""
UDP, HOPS = 17, 64


@dataclass(frozen=True, slots=True)
class Frame:
    """What one packet block holds.

    Attributes:
        at: seconds since 1970 UTC.
        comment: UTF-8, shorter than 64 KiB; may be empty.
    """

    octets: bytes
    at: float
    comment: bytes = b""


def pcapng(link_type: int, frames: Iterable[Frame]) -> bytes:
    """Return a file of one section and one interface, whose times are in microseconds."""
    section = _block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1))
    interface = _block(1, struct.pack("<HHI", link_type, 0, 0) + _option(2, b"mqconform"))
    return b"".join((section, interface, *map(_packet, frames)))


def udp_in_ethernet(ends: tuple[str, str], ports: tuple[int, int], hardware: bytes, payload: bytes) -> bytes:
    """Return a datagram in UDP, IPv4 or IPv6, and Ethernet.

    Args:
        ends: addresses of source and destination.
        ports: those of source and destination.
        hardware: the addresses of destination and source, 12 octets.
        payload: what the datagram holds.
    """
    addresses = b"".join(ip_address(end).packed for end in ends)
    length = 8 + len(payload)
    udp = struct.pack(">HHHH", *ports, length, 0) + payload
    checksum = _checksum(addresses + struct.pack(">II", length, UDP) + udp) or 0xFFFF
    udp = udp[:6] + struct.pack(">H", checksum) + payload
    if len(addresses) > 8:
        return hardware + b"\x86\xdd" + struct.pack(">IHBB", 6 << 28, length, UDP, HOPS) + addresses + udp
    header = struct.pack(">BBHHHBBH", 0x45, 0, 20 + length, 0, 0, HOPS, UDP, 0) + addresses
    return hardware + b"\x08\x00" + header[:10] + struct.pack(">H", _checksum(header)) + addresses + udp


def _packet(frame: Frame) -> bytes:
    ticks, size = round(frame.at * 1_000_000), len(frame.octets)
    head = struct.pack("<IIIII", 0, ticks >> 32, ticks & 0xFFFFFFFF, size, size)
    return _block(6, head + _padded(frame.octets) + (_option(1, frame.comment) if frame.comment else b""))


def _option(code: int, value: bytes) -> bytes:
    return struct.pack("<HH", code, len(value)) + _padded(value) + bytes(4)


def _block(kind: int, body: bytes) -> bytes:
    length = struct.pack("<I", 12 + len(body))
    return struct.pack("<I", kind) + length + body + length


def _padded(octets: bytes) -> bytes:
    return octets + bytes(-len(octets) % 4)


def _checksum(octets: bytes) -> int:
    """Return the checksum of IP and UDP (RFC 1071)."""
    total = sum(struct.unpack(f">{(len(octets) + 1) // 2}H", octets + bytes(len(octets) % 2)))
    return 0xFFFF - (total % 0xFFFF or 0xFFFF)


LARGEST_PAYLOAD = 65_507
LARGEST_JSON = 200_000
IPX_TYPE = 0x8137
IPX_HEADER = struct.Struct(">HHBB4s6sH4s6sH")
PROTOCOL_NAME = 12
"""EXP_PDU_TAG_DISSECTOR_NAME of Wireshark's exported PDUs."""
MAX_COMMENT = 60_000
"""Octets; an option of a pcapng block has at most 65,535."""


MAX_FRAMES = 20_000
"""Frames of one client that go into a bundle; its capture beside the results has all."""


@dataclass(frozen=True, slots=True)
class Captured:
    """A frame as it was on the network.

    Attributes:
        at: seconds since 1970 UTC.
        comments: what the capture says beside it.
    """

    octets: bytes
    at: float
    comments: tuple[str, ...] = ()


def captured_frames(captures: Iterable[str], directory: Path) -> list[Captured]:
    """Return the frames of captures below a directory, which may be named with a remark, in the order of time."""
    names = dict.fromkeys(capture.partition(" (")[0] for capture in captures if capture)
    frames = [frame for name in names for frame in islice(_frames(directory / name), MAX_FRAMES)]
    return sorted(frames, key=lambda frame: frame.at)


def _frames(path: Path) -> Iterator[Captured]:
    """Yield the frames of a capture as far as it can be read; a failed case gets its bundle in any case."""
    # What captured them has loaded it; runs without captures need none.
    from scapy.error import Scapy_Exception  # noqa: PLC0415 - see above
    from scapy.utils import RawPcapNgReader  # noqa: PLC0415

    try:
        if not path.stat().st_size:
            return  # nothing passed
        reader: Any = RawPcapNgReader(str(path))  # type: ignore[no-untyped-call,unused-ignore]
    except (OSError, Scapy_Exception):
        return
    with reader:
        for octets, metadata in reader:
            texts = metadata.comments if isinstance(metadata.comments, list) else [metadata.comments or b""]
            comments = tuple(text.decode("utf-8", "replace") for text in texts if text)
            yield Captured(octets, ((metadata.tshigh << 32) + metadata.tslow) / metadata.tsresol, comments)


def write_packets(
    path: Path,
    conversation: Conversation,
    witnesses: Sequence[Witness],
    captured: Sequence[Captured] = (),
    recorded: Sequence[Passed] = (),
) -> int:
    """Write the capture and return how many packets are in it.

    A case without datagrams, such as one of a router, gives its calls instead, as JSON that Wireshark shows.

    Args:
        path: the file.
        conversation: what was said during the case.
        witnesses: of the case.
        captured: frames that were captured; without them, frames are made from the conversation.
        recorded: datagrams of clients that were recorded before the case.
    """
    entries = list(conversation.entries)
    passed = [*recorded, *datagrams(entries)]
    if captured:
        frames = _of_frames(captured, witnesses)
    else:
        frames = _of_datagrams(passed, witnesses) if passed else _of_calls(entries, witnesses)
    path.write_bytes(pcapng(ETHERNET if captured or passed else UPPER_PDU, frames))
    return len(frames)


def comment_on(witness: Witness) -> str:
    """Return what a witness says, for a packet comment."""
    judged = witness.judgement
    word = "VIOLATED" if judged.verdict is Verdict.FAIL else judged.verdict.word
    if judged.verdict is Verdict.PASS:
        return f"{witness.requirement}: pass"
    span = judged.span
    where = f"\nfield {span.field}, octets {span.offset} to {span.offset + max(span.length, 1) - 1}" if span else ""
    reading = f"\nreading {judged.reading}" if judged.reading else ""
    violation = f"{word} {witness.requirement} ({witness.step})\nexpected {judged.expected}\nobserved {judged.observed}"
    return f"{violation}{where}{reading}"


def _of_datagrams(passed: Sequence[Passed], witnesses: Sequence[Witness]) -> list[Frame]:
    marked: dict[bytes, list[str]] = {}
    loose: list[str] = []
    for witness in witnesses:
        # A witness is about the reply where there is one; without one, about the request that drew none.
        about = witness.traffic.reply or witness.traffic.request
        if about and any(datagram.octets == about for datagram in passed):
            marked.setdefault(about, []).append(comment_on(witness))
        else:
            loose.append(comment_on(witness))
    last = max((number for number, datagram in enumerate(passed) if datagram.from_iut), default=len(passed) - 1)
    return [
        _frame(
            ethernet_frame(datagram),
            datagram.at,
            [*marked.get(datagram.octets, ()), *(loose if number == last else ()), *_notes(datagram)],
        )
        for number, datagram in enumerate(passed)
    ]


def _of_frames(captured: Sequence[Captured], witnesses: Sequence[Witness]) -> list[Frame]:
    """Return frames with what witnesses say of the datagrams in them; what is about none of them stands at the last."""
    comments: list[list[str]] = [list(frame.comments) for frame in captured]
    for witness in witnesses:
        about = witness.traffic.reply or witness.traffic.request
        places = [number for number, frame in enumerate(captured) if about and about in frame.octets]
        for number in places or [len(captured) - 1]:
            comments[number].append(comment_on(witness))
    return [
        _frame(frame.octets, frame.at, frame_comments) for frame, frame_comments in zip(captured, comments, strict=True)
    ]


def _of_calls(entries: Sequence[Entry], witnesses: Sequence[Witness]) -> list[Frame]:
    comments = [comment_on(witness) for witness in witnesses]
    last = len(entries) - 1
    return [
        _frame(json_frame(entry), number / 1000, comments if number == last else [])
        for number, entry in enumerate(entries)
    ]


def _notes(passed: Passed) -> Iterable[str]:
    if passed.note:
        yield passed.note
    if len(passed.octets) > LARGEST_PAYLOAD:
        yield f"{len(passed.octets)} octets were sent, more than a datagram holds; {LARGEST_PAYLOAD} are here"


def _frame(octets: bytes, at: float, comments: Sequence[str]) -> Frame:
    lines = sorted(dict.fromkeys(map(visible_lines, comments)), key=lambda comment: not comment.startswith("VIOLATED"))
    text = "\n\n".join(lines).encode()[:MAX_COMMENT]
    return Frame(octets, at, text.decode("utf-8", "ignore").encode())


def ethernet_frame(passed: Passed) -> bytes:
    """Return a datagram in UDP, IP and Ethernet, or in IPX and Ethernet."""
    payload = passed.octets[:LARGEST_PAYLOAD]
    if passed.network == "ipx":
        return _over_ipx(passed, payload[: 65_535 - IPX_HEADER.size])
    ends, ports = (passed.source, passed.destination), (passed.source_port, passed.destination_port)
    return udp_in_ethernet(ends, ports, _hardware(passed), payload)


def json_frame(entry: Entry) -> bytes:
    """Return a call as a PDU that Wireshark hands to its JSON dissector."""
    text = json.dumps(entry.record(), sort_keys=True).encode()
    if len(text) > LARGEST_JSON:
        short = {"left_out": f"{len(text)} octets; calls.ndjson has them", "begins": text[:400].decode()}
        text = json.dumps(short).encode()
    name = b"json"
    return struct.pack(">HH", PROTOCOL_NAME, len(name)) + name + struct.pack(">HH", 0, 0) + text


def _hardware(passed: Passed) -> bytes:
    """Return locally administered addresses of destination and source."""
    iut, harness = b"\2\0\0\0\0\2", b"\2\0\0\0\0\1"
    return harness + iut if passed.from_iut else iut + harness


def _over_ipx(passed: Passed, payload: bytes) -> bytes:
    hardware = _hardware(passed)
    length = IPX_HEADER.size + len(payload)
    network = b"\0\0\0\1"
    header = IPX_HEADER.pack(
        0xFFFF, length, 0, 4, network, hardware[:6], FACTS.ipx_socket, network, hardware[6:], FACTS.ipx_socket
    )
    return hardware + struct.pack(">H", IPX_TYPE) + header + payload
