"""Packets of discovery with their expected verdict and the reason for it (MS-MQSD 2.2)."""

from collections.abc import Mapping
from random import Random
from typing import Any, Final, NamedTuple

from mqconform.reference.mqsd.audit.wire_judgement import judge_packet
from mqconform.reference.mqsd.audit.wire_rules import Direction, Message, Rule
from mqconform.reference.mqsd.guid import guid_text
from mqconform.reference.mqsd.layout import Field, ServerEntry, read_reply_layout, read_request_layout
from mqconform.reference.mqsd.messages import SERVER_LIST, name_octets
from mqconform.reports.vectors import messages

Record = dict[str, Any]
Weights = Mapping[str, str]
"""Verdict on each reading ``ENTRY/reading`` of the ambiguity register, in the profile ``default``."""

RIGHT: Final = 0.40
LISTING: Final = 0.65
NOISE: Final = 0.02
ELSEWHERE: Final = 0.03
UNKNOWN: Final = 0.05
DIRECTIONS: Final = {
    Direction.TO_SERVER: "to-server",
    Direction.TO_CLIENT: "to-client",
    Direction.EITHER: "unknown",
}


class Made(NamedTuple):
    """A packet, where it goes and how it was made."""

    octets: bytes
    direction: Direction
    made: str


def packet(seed: int, number: int, weights: Weights) -> Record:
    """Return the record of the packet of a number; the same for the same seed."""
    made = _made(Random(f"packet {seed} {number}"))
    judged = judge_packet(made.octets, made.direction)
    findings = [_finding(finding.rule, finding.offset, finding.length, weights) for finding in judged.findings]
    verdict = "fail" if any(finding["verdict"] == "fail" for finding in findings) else "pass"
    read = read_request_layout if judged.message is Message.REQUEST else read_reply_layout
    layout = read(made.octets) if verdict == "pass" else None
    listed = layout.parts(SERVER_LIST) if layout else ()
    return {
        "id": f"p-{number:010d}",
        "network": "ip",
        "direction": DIRECTIONS[made.direction],
        "made": made.made,
        "octets": made.octets.hex(),
        "message": judged.message.name.lower(),
        "verdict": verdict,
        "findings": findings,
        "fields": [_field(field) for field in layout or () if field.name != SERVER_LIST],
        "servers": [_server(field.value) for field in listed if isinstance(field.value, ServerEntry)],
    }


def _made(draws: Random) -> Made:
    made = _packet(draws)
    if draws.random() < UNKNOWN:
        return made._replace(direction=Direction.EITHER)
    if draws.random() < ELSEWHERE:
        other = Direction.TO_CLIENT if made.direction is Direction.TO_SERVER else Direction.TO_SERVER
        return Made(made.octets, other, f"{made.made}, elsewhere")
    return made


def _packet(draws: Random) -> Made:
    to_server = draws.randrange(2) == 0
    direction = Direction.TO_SERVER if to_server else Direction.TO_CLIENT
    if draws.random() < NOISE:
        return Made(draws.randbytes(draws.randrange(200)), direction, "noise")
    right = draws.random() < RIGHT
    if to_server:
        octets = messages.request(draws)
        if right:
            return Made(octets, direction, "right")
        name = draws.choice([*messages.OF_REQUESTS])
        return Made(messages.OF_REQUESTS[name](draws, octets), direction, name)
    whole = messages.reply(draws, listing=draws.random() < LISTING)
    if right:
        return Made(whole.octets, direction, "right")
    spoilings = messages.OF_REPLIES | (messages.OF_LISTS if whole.servers else {})
    name = draws.choice([*spoilings])
    return Made(spoilings[name](draws, whole), direction, name)


def _finding(rule: Rule, offset: int, length: int, weights: Weights) -> Record:
    reading = "/".join(rule.reading) if rule.reading else None
    return {
        "rule": rule.name.lower().replace("_", "-"),
        "requirement": rule.requirement,
        "verdict": weights[reading] if reading else "fail",
        "reading": reading,
        "field": rule.field,
        "offset": offset,
        "length": length,
        "says": rule.says,
    }


def _field(field: Field) -> Record:
    return {"name": field.name, "offset": field.offset, "length": field.length, "value": _text(field)}


def _text(field: Field) -> str:
    """Return a value: numbers in decimal, GUIDs as text, several with a space between them."""
    several = field.value if isinstance(field.value, tuple) else (field.value,)
    return " ".join(guid_text(value) if isinstance(value, bytes) else str(value) for value in several)


def _server(entry: ServerEntry) -> Record:
    return {"name": name_octets(entry.name).hex(), "ip": entry.ip == "1", "ipx": entry.ipx == "1"}
