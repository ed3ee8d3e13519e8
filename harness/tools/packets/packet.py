"""A packet of MS-MQSD field by field, for people and for programs.

Everything here is values: octets in, ``Dissection`` out. What a packet says about itself is text that a stranger
wrote, so it is shown by ``shown_value``.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from mqconform.harness.records.printable import visible
from mqconform.reference.errors import MalformedPacket
from mqconform.reference.mqsd.layout import Field, Layout, read_layout
from mqconform.reference.mqsd.messages import FIELD_REQUIREMENTS, HEADER, REQUEST

PUNCTUATION = ("Delim", "EndList")
MOST_SUMMARY_TEXT = 600
MAX_PARTS = 8
"""Of a summary: characters of its halves, elements of an array."""


@dataclass(frozen=True, slots=True)
class Remark:
    """Something wrong with a packet, and the requirements that say so."""

    offset: int
    field: str
    rule: str
    explanation: str
    requirements: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Dissection:
    """A packet taken apart, with all that is wrong with it.

    Attributes:
        layout: its fields in order.
        problems: violations of the message syntax; none means well formed.
        remarks: values that a well-formed packet may have and its sender must not give.
    """

    layout: Layout
    problems: tuple[Remark, ...]
    remarks: tuple[Remark, ...]

    @property
    def packet(self) -> str:
        """Name of the message that Type announces, ``TopologyPacketHeader`` where it announces none."""
        return self.layout.packet

    @property
    def size(self) -> int:
        """Octets of the packet."""
        return len(self.layout.octets)

    @property
    def well_formed(self) -> bool:
        """Whether strict decoding accepts the packet."""
        return not self.problems

    def record(self) -> dict[str, Any]:
        """Return the dissection as JSON has it; octets as lower-case hexadecimal text."""
        return {
            "packet": self.packet,
            "size": self.size,
            "well_formed": self.well_formed,
            "fields": [_record(field) for field in self.layout.shown],
            "trailing": self.layout.trailing.hex(),
            "problems": [asdict(problem) for problem in self.problems],
            "remarks": [asdict(remark) for remark in self.remarks],
        }


def dissect(octets: bytes, *, over_ip: bool = False) -> Dissection:
    """Take a packet apart, whatever its octets are.

    Args:
        octets: the payload of one datagram.
        over_ip: whether it is known to have travelled over IP, which rules the IPX values out.
    """
    layout = read_layout(octets)
    return Dissection(layout, tuple(map(_problem, layout.problems)), tuple(_remarks(layout, over_ip=over_ip)))


def shown_value(field: Field) -> str:
    """Return what the octets of a field mean, in printable characters only."""
    return visible(field.text)


def _record(field: Field) -> dict[str, Any]:
    """Return a field as JSON has it; keys that would say nothing are left out."""
    record: dict[str, Any] = {
        "field": field.name,
        "offset": field.offset,
        "octets": field.octets.hex(),
        "value": shown_value(field),
        "requirements": list(field.requirements),
    }
    if field.missing:
        record["missing"] = field.missing
    if field.parts:
        record["parts"] = [_record(part) for part in field.parts]
    return record


def _problem(problem: MalformedPacket) -> Remark:
    rule = problem.rule.rpartition(" ")[2]  # the grammar's rule where there is one, else the section
    requirements = FIELD_REQUIREMENTS.get(rule) or FIELD_REQUIREMENTS.get(problem.field, ())
    return Remark(problem.offset, problem.field, problem.rule, problem.explanation, requirements)


def _remarks(layout: Layout, *, over_ip: bool) -> Iterator[Remark]:
    """Yield what a sender must not do although the packet stays readable (2.2.1, 2.2.2, 2.2.3)."""
    for name in ("Version", "Reserved") if layout.message is REQUEST else ():
        if layout.number(name):
            yield _remark(layout, name, "is not zero, as a client must set it")
    mask, count = layout.number("ConnectedNetworkMask"), layout.number("ConnectedNetworkCount")
    if mask and over_ip:
        yield _remark(layout, "ConnectedNetworkMask", "is not zero in a packet over IP")
    elif mask and mask.bit_count() != count:
        explanation = f"is neither zero (IP) nor has as many bits set as the count of {count} (IPX)"
        yield _remark(layout, "ConnectedNetworkMask", explanation)
    if over_ip and layout["IPXNetworkCount"]:
        yield _remark(layout, "IPXNetworkCount", "is present in a packet over IP")


def _remark(layout: Layout, name: str, explanation: str) -> Remark:
    rule = layout.message[name]
    return Remark(rule.offset, name, rule.section, explanation, FIELD_REQUIREMENTS[name])


def packet_summary(octets: bytes) -> str:
    """Return name, size and fields of a packet that came over IP, and what is wrong with it, in printable text."""
    packet = dissect(octets, over_ip=True)
    text = f"{packet.packet}, {packet.size} octets: {', '.join(_summary_fields(packet))}"
    wrong = "".join(
        f"; {problem.field} ({problem.rule}) {problem.explanation}" for problem in (*packet.problems, *packet.remarks)
    )
    return _cut(text) + _cut(wrong)


def _summary_fields(packet: Dissection) -> Iterator[str]:
    layout = packet.layout
    of_header = () if layout.message is HEADER else [rule.name for rule in HEADER.fields]
    for field in layout.shown:
        if field.name not in of_header:
            yield f"{field.name} {_summary_value(field)}"
    if layout.trailing:
        yield f"{len(layout.trailing)} more octets"


def _summary_value(field: Field) -> str:
    parts = [shown_value(part) for part in field.parts if part.name not in PUNCTUATION]
    if not parts:
        return shown_value(field)
    rest = f" and {len(parts) - MAX_PARTS} more" if len(parts) > MAX_PARTS else ""
    return f"[{', '.join(parts[:MAX_PARTS])}{rest}]"


def _cut(text: str) -> str:
    return text if len(text) <= MOST_SUMMARY_TEXT else f"{text[:MOST_SUMMARY_TEXT]} ..."
