"""A packet of MS-MQSD field by field, for people and for programs.

Everything here is values: octets in, ``Dissection`` out. What a packet says about itself is text that a stranger
wrote, so names pass through ``visible`` before anybody sees them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from mqconform.harness.records.printable import visible
from mqconform.harness.tools.packets.field_requirements import requirements_of
from mqconform.reference.errors import MalformedPacket
from mqconform.reference.mqsd.field import Field
from mqconform.reference.mqsd.layout import REQUEST, Layout, read_layout
from mqconform.reference.mqsd.problems import find_problems
from mqconform.reference.mqsd.value_text import value_text


@dataclass(frozen=True, slots=True)
class FieldLine:
    """One field, or a part of one, ready to be shown."""

    name: str
    offset: int
    octets: bytes
    value: str
    """What the octets mean, in printable characters only."""
    requirements: tuple[str, ...]
    missing: int = 0
    """Octets that the packet ends before."""
    parts: "tuple[FieldLine, ...]" = ()

    def record(self) -> dict[str, Any]:
        """Return the line as JSON has it; keys that would say nothing are left out."""
        line: dict[str, Any] = {
            "field": self.name,
            "offset": self.offset,
            "octets": self.octets.hex(),
            "value": self.value,
            "requirements": list(self.requirements),
        }
        if self.missing:
            line["missing"] = self.missing
        if self.parts:
            line["parts"] = [part.record() for part in self.parts]
        return line


@dataclass(frozen=True, slots=True)
class Remark:
    """Something wrong with a packet, and the requirements that say so."""

    offset: int
    field: str
    rule: str
    explanation: str
    requirements: tuple[str, ...]

    def record(self) -> dict[str, Any]:
        """Return the remark as JSON has it."""
        return {
            "offset": self.offset,
            "field": self.field,
            "rule": self.rule,
            "explanation": self.explanation,
            "requirements": list(self.requirements),
        }


@dataclass(frozen=True, slots=True)
class Dissection:
    """A packet taken apart, with all that is wrong with it.

    Attributes:
        packet: name of the message that Type announces, ``TopologyPacketHeader`` where it announces none.
        size: octets of the packet.
        lines: its fields in order, the one within which it ends last.
        trailing: octets behind the last field.
        problems: violations of the message syntax; none means well formed.
        remarks: values that a well-formed packet may have and its sender must not give.
    """

    packet: str
    size: int
    lines: tuple[FieldLine, ...]
    trailing: bytes
    problems: tuple[Remark, ...]
    remarks: tuple[Remark, ...]

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
            "fields": [line.record() for line in self.lines],
            "trailing": self.trailing.hex(),
            "problems": [problem.record() for problem in self.problems],
            "remarks": [remark.record() for remark in self.remarks],
        }


def dissect(octets: bytes, *, over_ip: bool = False) -> Dissection:
    """Take a packet apart, whatever its octets are.

    Args:
        octets: the payload of one datagram.
        over_ip: whether it is known to have travelled over IP, which rules the IPX values out.
    """
    layout = read_layout(octets)
    fields = (*layout.fields, layout.cut) if layout.cut else layout.fields
    return Dissection(
        packet=layout.packet,
        size=len(octets),
        lines=tuple(map(_line, fields)),
        trailing=layout.trailing,
        problems=tuple(map(_problem, find_problems(layout))),
        remarks=tuple(_remarks(layout, over_ip=over_ip)),
    )


def _line(field: Field) -> FieldLine:
    return FieldLine(
        name=field.name,
        offset=field.offset,
        octets=field.octets,
        value=visible(value_text(field.name, field.value)),
        requirements=requirements_of(field.name),
        missing=field.length - len(field.octets),
        parts=tuple(map(_line, field.parts)),
    )


def _problem(problem: MalformedPacket) -> Remark:
    rule = problem.rule.rpartition(" ")[2]  # the grammar's rule where there is one, else the section
    requirements = requirements_of(rule) or requirements_of(problem.field)
    return Remark(problem.offset, problem.field, problem.rule, problem.explanation, requirements)


def _remarks(layout: Layout, *, over_ip: bool) -> Iterator[Remark]:
    """Yield what a sender must not do although the packet stays readable (2.2.1, 2.2.2, 2.2.3)."""
    for name in ("Version", "Reserved") if layout.packet == REQUEST else ():
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
    field = layout[name]
    offset, section = (field.offset, field.section) if field else (0, "")
    return Remark(offset, name, section, explanation, requirements_of(name))
