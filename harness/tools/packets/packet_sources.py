"""Packets where they were found: in hexadecimal text, or in a capture with the ends that they went between."""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from mqconform.harness.iut.interface import ConfigurationError
from mqconform.harness.records.printable import visible
from mqconform.harness.tools.packets.packet import Dissection, dissect
from mqconform.harness.tools.packets.pcap_messages import CapturedDatagram, CaptureProblem, read_datagrams
from mqconform.reference.mqsd.foreign import foreign_packet

MAX_TEXT: Final = 1 << 20
"""Characters of hexadecimal text that are read; a datagram has 65,535 octets at most."""

_BETWEEN = re.compile(r"[\s:,]+")
_OCTETS = re.compile(r"(?:0[xX])?((?:[0-9a-fA-F]{2})+)")


@dataclass(frozen=True, slots=True)
class LocatedPacket:
    """A packet and where it was found."""

    dissection: Dissection
    datagram: CapturedDatagram | None = None
    foreign: str = ""
    """What it is if it is not a packet of MS-MQSD."""

    @property
    def judged(self) -> bool:
        """Whether the packet is there to its last octet, and one of MS-MQSD."""
        return not self.foreign and (self.datagram is None or self.datagram.complete)

    def heading(self) -> str:
        """Return frame number and addresses, nothing for hexadecimal text."""
        if self.datagram is None:
            return ""
        return f"frame {self.datagram.frame}  {_source(self.datagram)} -> {_destination(self.datagram)}"

    def ends(self) -> str:
        """Return from whom to whom it went, nothing for hexadecimal text."""
        return f"  {self.datagram.source} -> {_destination(self.datagram)}" if self.datagram else ""

    def record(self) -> dict[str, Any]:
        """Return the packet as JSON has it."""
        if self.foreign:
            return self._where() | {"foreign": self.foreign, "octets": self.dissection.layout.octets.hex()}
        return self._where() | self.dissection.record()

    def _where(self) -> dict[str, Any]:
        if self.datagram is None:
            return {}
        return {
            "frame": self.datagram.frame,
            "time_ns": self.datagram.time_ns,
            "source": _source(self.datagram),
            "destination": _destination(self.datagram),
            "judged": self.judged,
        }


def packets_given(words: Sequence[str], port: int, read: Callable[[int], bytes]) -> Iterator[LocatedPacket]:
    """Return the packets of a capture that one word names, else that which the words are in hexadecimal.

    Args:
        words: one path, or hexadecimal text; ``-`` for text that is read.
        port: of servers in a capture.
        read: reads that number of octets at most.

    Raises:
        ConfigurationError: the words are neither.
    """
    if len(words) == 1 and os.path.exists(words[0]):  # noqa: PTH110 - Path.exists raises for a text that is too long
        return packets_captured(Path(words[0]), port)
    if not words:
        raise ConfigurationError("give hexadecimal text, a capture file, or - for standard input")
    text = read(MAX_TEXT + 1).decode("ascii", "replace") if [*words] == ["-"] else " ".join(words)
    return iter((packet_in_text(text),))


def packet_in_text(text: str) -> LocatedPacket:
    """Return the packet that hexadecimal text writes; see ``octets_of``."""
    if len(text) > MAX_TEXT:
        raise ConfigurationError(f"the text is longer than {MAX_TEXT} characters; give one packet at a time")
    octets = octets_of(text)
    return LocatedPacket(dissect(octets), foreign=foreign_packet(octets, to_server=False))


def octets_of(text: str) -> bytes:
    """Return the octets that hexadecimal text with blanks, colons, commas or 0x writes.

    Raises:
        ConfigurationError: naming the part that is none.
    """
    groups = [group for group in _BETWEEN.split(text) if group]
    if not groups:
        raise ConfigurationError("there is no packet; give hexadecimal text or the name of a capture file")
    octets = bytearray()
    for group in groups:
        match = _OCTETS.fullmatch(group)
        if match is None:
            excerpt = visible(group[:40])
            raise ConfigurationError(
                f"{excerpt} is neither whole octets in hexadecimal nor a file; check digits and name"
            )
        octets += bytes.fromhex(match[1])
    return bytes(octets)


def packets_captured(path: Path, port: int) -> Iterator[LocatedPacket]:
    """Yield the datagrams of a capture from or to ``port``.

    Raises:
        ConfigurationError: the file cannot be read, at all or to its end, or holds no datagram to judge.
    """
    others = judged = 0
    try:
        for datagram in read_datagrams(path):
            if port not in (datagram.source_port, datagram.destination_port):
                others += 1
                continue
            judged += datagram.complete
            yield LocatedPacket(dissect(datagram.octets, over_ip=True), datagram, _foreign(datagram, port))
    except CaptureProblem as problem:
        raise ConfigurationError(visible(str(problem))) from problem
    if not judged:
        name = visible(str(path))
        where = f"{name}: no whole UDP datagram on port {port}, {others} on others"
        raise ConfigurationError(f"{where}; see --port, and know that TCP on 1801 is MS-MQQB")


def _foreign(datagram: CapturedDatagram, port: int) -> str:
    to_server = datagram.destination_port == port
    return foreign_packet(datagram.octets, to_server=to_server) if datagram.complete else ""


def _source(datagram: CapturedDatagram) -> str:
    return _endpoint(datagram.source, datagram.source_port)


def _destination(datagram: CapturedDatagram) -> str:
    return _endpoint(datagram.destination, datagram.destination_port)


def _endpoint(address: str, port: int) -> str:
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"
