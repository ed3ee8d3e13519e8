"""What passed between the harness and discovery clients with the real clock, which live before their case is judged."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from scapy.error import Scapy_Exception
from scapy.utils import RawPcapNgReader

from mqconform.harness.iut.drivers.discovery_client.observations import Arrived
from mqconform.harness.iut.drivers.discovery_client.recording import Recording
from mqconform.harness.records.case import Case
from mqconform.harness.run.bundles.traffic import Passed, from_client, to_client
from mqconform.harness.run.session import Session
from mqconform.reference.mqsd.client import SECOND, DatagramReceived, Send

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


def recordings_of(run: Session, case: Case) -> list[Recording]:
    """Return what was seen of the clients of a case; nothing where they had a virtual clock."""
    if run.recordings is None:
        return []
    outcomes = (run.recordings.outcomes[script] for script in run.recordings.scripts.get(case.id, ()))
    return [outcome for outcome in outcomes if isinstance(outcome, Recording)]


def captured_frames(captures: Iterable[str], directory: Path) -> list[Captured]:
    """Return the frames of captures below a directory, which may be named with a remark, in the order of time."""
    names = dict.fromkeys(capture.partition(" (")[0] for capture in captures if capture)
    frames = [frame for name in names for frame in islice(_frames(directory / name), MAX_FRAMES)]
    return sorted(frames, key=lambda frame: frame.at)


def datagrams_seen(recordings: Sequence[Recording]) -> list[Passed]:
    """Return the datagrams that were called, not sent: seconds count from the start of each client."""
    return [passed for recording in recordings for passed in _seen_of(recording)]


def _seen_of(recording: Recording) -> Iterator[Passed]:
    for logged in recording.log:
        at = max(0.0, (logged.item.at - recording.began) / SECOND)
        deed = logged.item.event if isinstance(logged.item, Arrived) else logged.item.effect
        match deed:
            case DatagramReceived(network=network, datagram=octets):
                yield to_client(at, network, octets)
            case Send(network=network, datagram=octets):
                yield from_client(at, network, octets)


def _frames(path: Path) -> Iterator[Captured]:
    """Yield the frames of a capture as far as it can be read; a failed case gets its bundle in any case."""
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
