"""``mqconform dissect``: a packet, or every packet of a capture, field by field."""

import json
import os
import sys
from collections import Counter
from collections.abc import Callable
from io import TextIOWrapper
from pathlib import Path

import click

from mqconform.harness.cli.console import SafeConsole
from mqconform.harness.cli.echo import echo
from mqconform.harness.cli.parameters import FilePath
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.printable import visible
from mqconform.harness.tools.packets.lua import lua_dissector, write_lua
from mqconform.harness.tools.packets.packet_sources import MAX_TEXT, LocatedPacket, packet_in_text, packets_captured
from mqconform.harness.tools.packets.view import dissection_view
from mqconform.reference.mqsd.specification import FACTS

WIDTH_IN_A_PIPE = 160


@click.command(name="dissect")
@click.argument("packet", metavar="HEX|PCAP", nargs=-1)
@click.option("--port", type=click.IntRange(1, 65535), default=FACTS.udp_port, help="UDP port in PCAP.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per packet and line.")
@click.option(
    "--lua",
    type=FilePath(),
    help="Write the dissector for Wireshark and tshark to this file or folder instead; - prints it.",
)
def command(packet: tuple[str, ...], port: int, lua: Path | None, *, as_json: bool) -> None:
    """Show MS-MQSD packets field by field, and report their faults.

    HEX is hexadecimal text with or without blanks, colons and 0x, or - to read it from standard input. PCAP is a
    capture file, of which every UDP datagram from or to the port is shown. Exit code 0: all packets are well formed;
    1: one is malformed; 4: the input is neither.
    """
    if lua is not None:
        _give_lua(lua, packet)
        return
    packets = packets_captured(Path(packet[0]), port) if _names_a_file(packet) else iter([_given(packet)])
    show = _text_shower() if not as_json else lambda packet: echo(json.dumps(packet.record(), ensure_ascii=True))
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


def _names_a_file(packet: tuple[str, ...]) -> bool:
    # Path.exists raises where hexadecimal text is too long for a file name.
    return len(packet) == 1 and os.path.exists(packet[0])  # noqa: PTH110 - see above


def _given(packet: tuple[str, ...]) -> LocatedPacket:
    if not packet:
        raise click.UsageError("give hexadecimal text, a capture file, or - for standard input")
    text = sys.stdin.buffer.read(MAX_TEXT + 1).decode("ascii", "replace") if packet == ("-",) else " ".join(packet)
    return packet_in_text(text)


def _text_shower() -> Callable[[LocatedPacket], None]:
    """Return what prints a packet on standard output, in whatever characters that can show."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    console = SafeConsole(highlight=False, emoji=False, markup=False)
    if not console.is_terminal:
        console.width = WIDTH_IN_A_PIPE
    return lambda packet: console.print(dissection_view(packet.dissection, packet.heading(), judged=packet.judged))
