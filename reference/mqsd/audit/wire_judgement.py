"""The readable judgement of one packet over IP by its octets (MS-MQSD 2.2), rule by rule of ``wire_rules``.

Each function yields what it finds in the order of the octets. ``bulk_packets`` finds the same in millions of packets;
the two are written apart and tested against each other.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from mqconform.reference.mqsd.audit.wire_array import array_findings, follows_the_grammar
from mqconform.reference.mqsd.audit.wire_rules import CUT, Direction, Finding, Message, Rule
from mqconform.reference.mqsd.guid import GUID_SIZE
from mqconform.reference.mqsd.layout import Layout, read_layout, read_reply_layout, read_request_layout
from mqconform.reference.mqsd.messages import HEADER, REPLY, REQUEST, FieldRule, PacketType

_TYPE: Final = HEADER["Type"]
_COUNT: Final = REPLY["ConnectedNetworkCount"]
_SIZE: Final = REPLY["DirectoryServiceServerSize"]


@dataclass(frozen=True, slots=True)
class WireJudgement:
    """What a packet was judged as, and what was found."""

    message: Message
    findings: tuple[Finding, ...]


def judge_packet(octets: bytes, direction: Direction) -> WireJudgement:
    """Judge one packet over IP by itself (MS-MQSD 2.2)."""
    if len(octets) < HEADER.size:
        return WireJudgement(Message.NONE, (Finding(Rule.HEADER_CUT, 0, len(octets)),))
    kind = octets[_TYPE.offset]
    if direction is Direction.EITHER and kind not in tuple(PacketType):
        return WireJudgement(Message.NONE, (_finding(Rule.NO_TYPE, _TYPE),))
    if direction is Direction.EITHER:
        direction = Direction.TO_SERVER if kind == PacketType.CLIENT_REQUEST else Direction.TO_CLIENT
    meant, other = Message.REQUEST, Message.REPLY
    if direction is Direction.TO_CLIENT:
        meant, other = other, meant
    elsewhere = kind == other and not read_layout(octets).problems
    if (other if elsewhere else meant) is Message.REQUEST:
        message, rule, findings = Message.REQUEST, Rule.REQUEST_ELSEWHERE, request_findings(octets)
    else:
        message, rule, findings = Message.REPLY, Rule.REPLY_FROM_ELSEWHERE, reply_findings(octets)
    first = (_finding(rule, _TYPE),) if elsewhere else ()
    return WireJudgement(message, (*first, *findings))


def request_findings(octets: bytes) -> Iterator[Finding]:
    """Yield what is wrong with a request over IP of at least four octets (MS-MQSD 2.2.1, 2.2.2)."""
    layout = read_request_layout(octets)
    yield from _header(layout, Rule.REQUEST_VERSION, Rule.REQUEST_TYPE, Rule.REQUEST_RESERVED)
    length = len(octets)
    if length < REQUEST.size:
        yield from _cut(layout)
        return
    if not any(octets[REQUEST["SiteID"].place]):
        yield _finding(Rule.SITE_ID_ZERO, REQUEST["SiteID"])
    if not REQUEST.ignores_trailing(length):
        yield from _ipx_fields(octets)
    elif length > REQUEST.size:
        yield Finding(Rule.REQUEST_TRAILING, REQUEST.size, length - REQUEST.size)


def _ipx_fields(octets: bytes) -> Iterator[Finding]:
    counted, numbers = REQUEST["IPXNetworkCount"], REQUEST["IPXNetworkNumberArray"]
    count, length = int.from_bytes(octets[counted.place], "little"), len(octets) - numbers.offset
    yield _finding(Rule.IPX_COUNT_PRESENT, counted)
    if not 1 <= count <= counted.most:
        yield _finding(Rule.IPX_COUNT_RANGE, counted)
    yield Finding(Rule.IPX_ARRAY_PRESENT, numbers.offset, length)
    if length != numbers.size * count:
        yield Finding(Rule.IPX_ARRAY_LENGTH, numbers.offset, length)


def reply_findings(octets: bytes) -> Iterator[Finding]:
    """Yield what is wrong with or open about a reply over IP of at least four octets (MS-MQSD 2.2.1, 2.2.3)."""
    layout = read_reply_layout(octets)
    yield from _header(layout, Rule.REPLY_VERSION, Rule.REPLY_TYPE, Rule.REPLY_RESERVED)
    count = layout.number("ConnectedNetworkCount")
    if count is not None and layout["DirectoryServiceServerSize"]:
        yield from _count(layout, count)
    if layout.number("ConnectedNetworkMask"):
        yield _finding(Rule.MASK, REPLY["ConnectedNetworkMask"])
    if (layout.number("DirectoryServiceServerSize") or 0) % 2:
        yield _finding(Rule.SIZE_ODD, _SIZE)
    if layout.cut:
        yield from _cut(layout)
    if layout.number("DirectoryServiceServerSize") == 0 and not layout.cut:
        yield from _behind_networks(layout)
    else:
        yield from array_findings(layout)


def _header(layout: Layout, *rules: Rule) -> Iterator[Finding]:
    """Yield what Version, Type and Reserved are; ``rules`` are in the order of these."""
    expected = (0, layout.message.types[0], 0)
    for rule, field, value in zip(rules, HEADER.fields, expected, strict=True):
        if layout.number(field.name) != value:
            yield _finding(rule, field)


def _finding(rule: Rule, field: FieldRule) -> Finding:
    return Finding(rule, field.offset, field.size)


def _count(layout: Layout, count: int) -> Iterator[Finding]:
    """Yield what the count is: a number out of range is a reading where all the rest fits it (register SD-21)."""
    if count == 0:
        fits = not layout.cut and len(layout.trailing) < GUID_SIZE
        yield _finding(Rule.COUNT_ZERO if fits else Rule.COUNT_TOO_LOW, _COUNT)
    elif count > _COUNT.most:
        yield _finding(Rule.COUNT_RANGE if layout.cut else Rule.COUNT_ABOVE, _COUNT)


def _cut(layout: Layout) -> Iterator[Finding]:
    if layout.cut:
        yield Finding(CUT[layout.cut.name], layout.cut.offset, len(layout.cut.octets))


def _behind_networks(layout: Layout) -> Iterator[Finding]:
    """Yield what follows the networks where no server list is announced (register SD-24, SD-32)."""
    behind, at = layout.trailing, len(layout.octets) - len(layout.trailing)
    if len(behind) > GUID_SIZE and follows_the_grammar(behind[GUID_SIZE:]):
        yield _finding(Rule.SIZE_ZERO_WITH_ARRAY, _SIZE)
    elif len(behind) == GUID_SIZE and layout.number("ConnectedNetworkCount"):
        yield Finding(Rule.SITE_WITHOUT_ARRAY, at, GUID_SIZE)
    elif behind:
        yield Finding(Rule.TRAILING, at, len(behind))
