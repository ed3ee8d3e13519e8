"""A packet of MS-MQSD on one line, whoever sent it and whatever it holds."""

from collections.abc import Iterator

from mqconform.harness.tools.packets.packet import Dissection, dissect, shown_value
from mqconform.reference.mqsd.layout import Field
from mqconform.reference.mqsd.messages import HEADER

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
    layout = packet.layout
    of_header = () if layout.message is HEADER else [rule.name for rule in HEADER.fields]
    for field in layout.shown:
        if field.name not in of_header:
            yield f"{field.name} {_value(field)}"
    if layout.trailing:
        yield f"{len(layout.trailing)} more octets"


def _value(field: Field) -> str:
    parts = [shown_value(part) for part in field.parts if part.name not in PUNCTUATION]
    if not parts:
        return shown_value(field)
    rest = f" and {len(parts) - MAX_PARTS} more" if len(parts) > MAX_PARTS else ""
    return f"[{', '.join(parts[:MAX_PARTS])}{rest}]"


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} ..."
