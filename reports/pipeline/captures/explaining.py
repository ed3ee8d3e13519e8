"""An example packet, explained: its octets, its fields, and everything that was found in it."""

from typing import Any, Final, NamedTuple

from mqconform.harness.records.printable import shortened, visible
from mqconform.reference.mqsd.audit.wire_judgement import judge_packet
from mqconform.reference.mqsd.audit.wire_rules import Direction, Message
from mqconform.reference.mqsd.layout import Layout, read_reply_layout, read_request_layout
from mqconform.reports.pipeline.captures.judging import RULE_NAMES, HostFacts

MOST_FIELDS: Final = 60
LONGEST: Final = 160


class Example(NamedTuple):
    """A packet that shows a finding."""

    file: str
    offset: int
    frame: int
    octets: bytes
    """The payload, or its beginning."""
    length: int
    """Octets of the whole payload."""
    direction: Direction


def explained(example: Example, rule: str, facts: HostFacts | None) -> dict[str, Any]:
    """Return the account of a packet that shows a rule.

    Args:
        example: the packet.
        rule: name of the rule that it is an example of.
        facts: configuration of its server, where it is known.
    """
    judgement = judge_packet(example.octets, example.direction, facts.server if facts else None)
    findings = judgement.findings if example.length == len(example.octets) else ()
    read = read_reply_layout if judgement.message is Message.REPLY else read_request_layout
    place = next(
        (
            {"offset": finding.offset, "length": finding.length}
            for finding in findings
            if RULE_NAMES[finding.rule] == rule
        ),
        None,
    )
    return {
        "file": example.file,
        "offset": example.offset,
        "frame": example.frame,
        "octets": example.octets.hex(),
        "length": example.length,
        "shown_at": place,
        "fields": _fields(read(example.octets)),
        "findings": [
            {
                "rule": RULE_NAMES[finding.rule],
                "requirement": finding.rule.requirement,
                "says": finding.rule.says,
                "offset": finding.offset,
                "length": finding.length,
            }
            for finding in findings
        ],
    }


def _fields(layout: Layout) -> list[dict[str, Any]]:
    flat = [part for field in layout.shown for part in (field, *field.parts)]
    return [
        {
            "field": field.name,
            "offset": field.offset,
            "length": len(field.octets),
            "value": shortened(visible(field.text), LONGEST),
        }
        for field in flat[:MOST_FIELDS]
    ]
