"""A packet of MS-MQSD on one line, whoever sent it and whatever it holds."""

from collections.abc import Iterator

from mqconform.harness.tools.packets.packet import Dissection, FieldLine, dissect

HEADER = ("Version", "Type", "Reserved")
PUNCTUATION = ("Delim", "EndList")
LONGEST = 600
MAX_PARTS = 8


def packet_summary(octets: bytes) -> str:
    """Return name, size and fields of a packet that came over IP, and what is wrong with it, in printable text."""
    packet = dissect(octets, over_ip=True)
    text = f"{packet.packet}, {packet.size} octets: {', '.join(_fields(packet))}"
    wrong = "".join(f"; {one.field} ({one.rule}) {one.explanation}" for one in (*packet.problems, *packet.remarks))
    return _cut(text) + _cut(wrong)


def _fields(packet: Dissection) -> Iterator[str]:
    known = packet.packet != "TopologyPacketHeader"
    for line in packet.lines:
        if line.name not in HEADER or not known:
            yield f"{line.name} {_value(line)}"
    if packet.trailing:
        yield f"{len(packet.trailing)} more octets"


def _value(line: FieldLine) -> str:
    parts = [part.value for part in line.parts if part.name not in PUNCTUATION]
    if not parts:
        return line.value
    rest = f" and {len(parts) - MAX_PARTS} more" if len(parts) > MAX_PARTS else ""
    return f"[{', '.join(parts[:MAX_PARTS])}{rest}]"


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} ..."
