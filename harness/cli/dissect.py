"""``mqconform dissect``: a packet, or every packet of a capture, field by field."""

import json
import sys
from collections import Counter
from collections.abc import Callable
from io import TextIOWrapper
from pathlib import Path

import click

from mqconform.harness.cli.console import SafeConsole
from mqconform.harness.cli.echo import echo
from mqconform.harness.cli.parameters import FILE, json_option, option
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.printable import visible
from mqconform.harness.tools.packets.lua import lua_dissector, write_lua
from mqconform.harness.tools.packets.packet_sources import LocatedPacket, packets_given
from mqconform.harness.tools.packets.view import dissection_view
from mqconform.reference.mqsd.specification import FACTS

WIDTH_IN_A_PIPE = 160


@click.command(name="dissect")
@click.argument("packet", metavar="HEX|PCAP", nargs=-1)
@option("--port", "UDP port in PCAP.", click.IntRange(1, 65535), default=FACTS.udp_port)
@json_option("One JSON object per packet and line.")
@option("--lua", "Write the dissector for Wireshark and tshark to this file or folder instead; - prints it.", FILE)
def command(packet: tuple[str, ...], port: int, lua: Path | None, *, as_json: bool) -> ExitCode:
    """Show MS-MQSD packets field by field, and report their faults.

    HEX is hexadecimal text with or without blanks, colons and 0x, or - to read it from standard input. PCAP is a
    capture file, of which every UDP datagram from or to the port is shown. Exit code 0: all packets are well formed;
    1: one is malformed; 4: the input is neither.
    """
    if lua is not None:
        _give_lua(lua, packet)
        return ExitCode.OK
    packets = packets_given(packet, port, sys.stdin.buffer.read)
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
    return ExitCode.OK if well_formed else ExitCode.FAIL


def _give_lua(path: Path, packet: tuple[str, ...]) -> None:
    if packet:
        raise click.UsageError("--lua writes the dissector and takes no packet; ask for one thing at a time")
    if str(path) == "-":
        echo(lua_dissector(), nl=False)
        return
    file = write_lua(path)
    echo(f"{visible(str(file))} written; use it with: tshark -X lua_script:{visible(str(file))} -r CAPTURE")


def _text_shower() -> Callable[[LocatedPacket], None]:
    """Return what prints a packet on standard output, in whatever characters that can show."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    console = SafeConsole(highlight=False, emoji=False, markup=False)
    if not console.is_terminal:
        console.width = WIDTH_IN_A_PIPE
    return lambda packet: console.print(dissection_view(packet.dissection, packet.heading(), judged=packet.judged))
