"""An example packet, explained by the readable rules: its octets, its fields, and everything that was found in it."""

from typing import Any, Final

from mqconform.harness.records.printable import shortened, visible
from mqconform.reference.mqsd.audit.wire_facts import differences
from mqconform.reference.mqsd.audit.wire_judgement import judge_packet
from mqconform.reference.mqsd.audit.wire_rules import Direction, Message, Rule
from mqconform.reference.mqsd.layout import Layout, read_reply_layout, read_request_layout
from mqconform.reports.pipeline.captures.columns import RULE_NAMES
from mqconform.reports.pipeline.captures.settings import HostFacts
from mqconform.reports.pipeline.captures.tally import Example

MOST_FIELDS: Final = 60
LONGEST: Final = 160


def explained(example: Example, rule: int, facts: HostFacts | None) -> dict[str, Any]:
    """Return the account of a packet that shows a rule.

    Args:
        example: the packet.
        rule: the rule that it is an example of.
        facts: configuration of its server, where it is known.
    """
    judgement = judge_packet(example.octets, Direction(example.direction))
    findings = judgement.findings if example.length == len(example.octets) else ()
    if facts is not None and judgement.message is Message.REPLY:
        findings += tuple(differences(example.octets, facts.server, findings))
    read = read_reply_layout if judgement.message is Message.REPLY else read_request_layout
    place = next(
        ({"offset": finding.offset, "length": finding.length} for finding in findings if finding.rule == rule), None
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
            if finding.rule is not Rule.NONE
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
