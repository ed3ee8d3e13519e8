"""``packets.pcapng``: what passed, each packet with the requirements that it bears on in its comment."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from scapy.utils import PcapNgWriter

from mqconform.harness.iut.conversation import Conversation, Entry
from mqconform.harness.records.printable import visible_lines
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.records.witness import Witness
from mqconform.harness.run.bundles.frames import ETHERNET, LARGEST_PAYLOAD, UPPER_PDU, ethernet_frame, json_frame
from mqconform.harness.run.bundles.live import Captured
from mqconform.harness.run.bundles.traffic import Passed, datagrams

MAX_COMMENT = 60_000
"""Octets; an option of a pcapng block has at most 65,535."""


class _Frame(bytes):
    """Octets of a frame with what scapy's writer looks for beside them."""

    time: float
    sniffed_on: str
    comments: list[bytes]


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
    writer: Any = PcapNgWriter(str(path))  # type: ignore[no-untyped-call,unused-ignore]
    writer.linktype = ETHERNET if captured or passed else UPPER_PDU
    try:
        for frame in frames:
            if not writer.header_present:
                writer.write_header(frame)
            writer.write_packet(frame)
    finally:
        writer.close()
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


def _of_datagrams(passed: Sequence[Passed], witnesses: Sequence[Witness]) -> list[_Frame]:
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


def _of_frames(captured: Sequence[Captured], witnesses: Sequence[Witness]) -> list[_Frame]:
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


def _of_calls(entries: Sequence[Entry], witnesses: Sequence[Witness]) -> list[_Frame]:
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


def _frame(octets: bytes, at: float, comments: Sequence[str]) -> _Frame:
    frame = _Frame(octets)
    frame.time = at
    frame.sniffed_on = "mqconform"
    lines = sorted(dict.fromkeys(map(visible_lines, comments)), key=lambda comment: not comment.startswith("VIOLATED"))
    text = "\n\n".join(lines).encode()[:MAX_COMMENT]
    frame.comments = [text.decode("utf-8", "ignore").encode()] if text else []
    return frame
