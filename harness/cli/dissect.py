"""``mqconform dissect``: a packet, or every packet of a capture, field by field."""

import json
import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path
from typing import Any

import click

from mqconform.harness.cli.console import SafeConsole
from mqconform.harness.cli.echo import echo
from mqconform.harness.cli.paths import FilePath
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.printable import visible
from mqconform.harness.tools.packets.lua import lua_dissector, write_lua
from mqconform.harness.tools.packets.packet import Dissection, dissect
from mqconform.harness.tools.packets.pcap_messages import CapturedDatagram, CaptureProblem, read_datagrams
from mqconform.harness.tools.packets.view import dissection_view
from mqconform.reference.mqsd.foreign import foreign_packet
from mqconform.reference.mqsd.specification import FACTS

WIDTH_IN_A_PIPE = 160
MAX_TEXT = 1 << 20
"""Characters of hexadecimal text that are read; a datagram has 65,535 octets at most."""

_BETWEEN = re.compile(r"[\s:,]+")
_OCTETS = re.compile(r"(?:0[xX])?((?:[0-9a-fA-F]{2})+)")


class NothingToDissect(click.ClickException):
    """What was given is neither hexadecimal text nor a capture with packets in it."""

    exit_code = ExitCode.USAGE


@click.command(name="dissect")
@click.argument("packet", metavar="HEX|PCAP", nargs=-1)
@click.option(
    "--port", type=click.IntRange(1, 65535), default=FACTS.udp_port, show_default=True, help="UDP port in PCAP."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object per packet and line.")
@click.option(
    "--lua",
    type=FilePath(),
    help="Write the dissector for Wireshark and tshark to this file or folder instead; - prints it.",
)
def command(packet: tuple[str, ...], port: int, lua: Path | None, *, as_json: bool) -> None:
    """Show MS-MQSD packets field by field and say what is wrong with them.

    HEX is hexadecimal text with or without blanks, colons and 0x, or - to read it from standard input. PCAP is a
    capture file, of which every UDP datagram from or to the port is shown. Exit code 0: all packets are well formed;
    1: one is malformed; 4: the input is neither.
    """
    if lua is not None:
        _give_lua(lua, packet)
        return
    packets = _captured(Path(packet[0]), port) if _names_a_file(packet) else iter([_given(packet)])
    show = _show_as_json if as_json else _text_shower()
    well_formed = True
    foreign = Counter[str]()
    for found_packet in packets:
        if found_packet.foreign and not as_json:
            foreign[f"{found_packet.ends()}: {found_packet.foreign}"] += 1
            continue
        show(found_packet)
        well_formed &= found_packet.dissection.well_formed or not found_packet.judged
    for text, count in foreign.items():
        echo(f"{count} x not MS-MQSD{text}")
    if not well_formed:
        raise click.exceptions.Exit(ExitCode.FAIL)


def _give_lua(path: Path, packet: tuple[str, ...]) -> None:
    if packet:
        raise click.UsageError("--lua writes the dissector and takes no packet; ask for one thing at a time")
    if str(path) == "-":
        echo(lua_dissector(), nl=False)
        return
    file = write_lua(path)
    echo(f"{visible(str(file))} written; use it with: tshark -X lua_script:{visible(str(file))} -r CAPTURE")


@dataclass(frozen=True, slots=True)
class Found:
    """A packet and where it was found."""

    dissection: Dissection
    datagram: CapturedDatagram | None = None
    foreign: str = ""
    """What it is if it is no packet of MS-MQSD."""

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


def _names_a_file(packet: tuple[str, ...]) -> bool:
    # Path.exists raises where hexadecimal text is too long for a file name.
    return len(packet) == 1 and os.path.exists(packet[0])  # noqa: PTH110 - see above


def _given(packet: tuple[str, ...]) -> Found:
    if not packet:
        raise click.UsageError("give hexadecimal text, a capture file, or - for standard input")
    text = sys.stdin.buffer.read(MAX_TEXT + 1).decode("ascii", "replace") if packet == ("-",) else " ".join(packet)
    if len(text) > MAX_TEXT:
        raise NothingToDissect(f"the hexadecimal text is longer than {MAX_TEXT} characters; give one packet at a time")
    octets = octets_of(text)
    return Found(dissect(octets), foreign=foreign_packet(octets, to_server=False))


def octets_of(text: str) -> bytes:
    """Return the octets that hexadecimal text with blanks, colons, commas or 0x writes.

    Raises:
        NothingToDissect: naming the part that is none.
    """
    groups = [group for group in _BETWEEN.split(text) if group]
    if not groups:
        raise NothingToDissect("there is no packet; give hexadecimal text or the name of a capture file")
    octets = bytearray()
    for group in groups:
        match = _OCTETS.fullmatch(group)
        if match is None:
            excerpt = visible(group[:40])
            raise NothingToDissect(
                f"{excerpt} is neither whole octets in hexadecimal nor a file; check digits and name"
            )
        octets += bytes.fromhex(match[1])
    return bytes(octets)


def _captured(path: Path, port: int) -> Iterator[Found]:
    """Yield the datagrams of a capture from or to ``port``.

    Raises:
        NothingToDissect: the file cannot be read, at all or to its end, or holds no datagram to judge.
    """
    others = judged = 0
    try:
        for datagram in read_datagrams(path):
            if port not in (datagram.source_port, datagram.destination_port):
                others += 1
                continue
            judged += datagram.complete
            yield Found(dissect(datagram.octets, over_ip=True), datagram, _foreign(datagram, port))
    except CaptureProblem as problem:
        raise NothingToDissect(visible(str(problem))) from problem
    if not judged:
        name = visible(str(path))
        where = f"{name}: no whole UDP datagram on port {port}, {others} on others"
        raise NothingToDissect(f"{where}; see --port, and know that TCP on 1801 is MS-MQQB")


def _foreign(datagram: CapturedDatagram, port: int) -> str:
    to_server = datagram.destination_port == port
    return foreign_packet(datagram.octets, to_server=to_server) if datagram.complete else ""


def _show_as_json(packet: Found) -> None:
    echo(json.dumps(packet.record(), ensure_ascii=True))


def _text_shower() -> Callable[[Found], None]:
    """Return what prints a packet on standard output, in whatever characters that can show."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    console = SafeConsole(highlight=False, emoji=False, markup=False)
    if not console.is_terminal:
        console.width = WIDTH_IN_A_PIPE
    return lambda packet: console.print(dissection_view(packet.dissection, packet.heading(), judged=packet.judged))


def _source(datagram: CapturedDatagram) -> str:
    return _endpoint(datagram.source, datagram.source_port)


def _destination(datagram: CapturedDatagram) -> str:
    return _endpoint(datagram.destination, datagram.destination_port)


def _endpoint(address: str, port: int) -> str:
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"
