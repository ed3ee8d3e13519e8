"""The readable judgement of one packet over IP by its octets (MS-MQSD 2.2), rule by rule of ``wire_rules``.

Each function yields what it finds in the order of the octets. ``bulk_packets`` finds the same in millions of packets;
the two are written apart and tested against each other.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from mqconform.reference.errors import MalformedPacket
from mqconform.reference.mqsd.audit.wire_array import array_findings, follows_the_grammar
from mqconform.reference.mqsd.audit.wire_finding import Finding
from mqconform.reference.mqsd.audit.wire_rules import Direction, Message, Rule
from mqconform.reference.mqsd.guid import GUID_SIZE
from mqconform.reference.mqsd.layout import Layout, read_reply_layout, read_request_layout
from mqconform.reference.mqsd.messages import PacketType
from mqconform.reference.mqsd.packets import decode_reply, decode_request
from mqconform.reference.mqsd.specification import FACTS

_CUT: Final = {
    "EnterpriseID": Rule.ENTERPRISE_CUT,
    "RequestID": Rule.REQUEST_ID_CUT,
    "SiteID": Rule.SITE_ID_CUT,
    "CorrelationID": Rule.CORRELATION_CUT,
    "ConnectedNetworkCount": Rule.COUNT_CUT,
    "ConnectedNetworkMask": Rule.MASK_CUT,
    "DirectoryServiceServerSize": Rule.SIZE_CUT,
    "ConnectedNetworkArray": Rule.NETWORKS_CUT,
    "RespondingSiteID": Rule.SITE_CUT,
    "DirectoryServiceServerArray": Rule.ARRAY_CUT,
}


@dataclass(frozen=True, slots=True)
class WireJudgement:
    """What a packet was judged as, and what was found."""

    message: Message
    findings: tuple[Finding, ...]


def judge_packet(octets: bytes, direction: Direction) -> WireJudgement:
    """Judge one packet over IP by itself (MS-MQSD 2.2)."""
    if len(octets) < FACTS.header_size:
        return WireJudgement(Message.NONE, (Finding(Rule.HEADER_CUT, 0, len(octets)),))
    kind = octets[FACTS.type_offset]
    if direction is Direction.EITHER and kind not in tuple(PacketType):
        return WireJudgement(Message.NONE, (Finding(Rule.NO_TYPE, FACTS.type_offset, 1),))
    if direction is Direction.EITHER:
        direction = Direction.TO_SERVER if kind == PacketType.CLIENT_REQUEST else Direction.TO_CLIENT
    if direction is Direction.TO_SERVER and kind == PacketType.SERVER_REPLY and _is_reply(octets):
        from_elsewhere = Finding(Rule.REPLY_FROM_ELSEWHERE, FACTS.type_offset, 1)
        return WireJudgement(Message.REPLY, (from_elsewhere, *reply_findings(octets)))
    if direction is Direction.TO_CLIENT and kind == PacketType.CLIENT_REQUEST and _is_request(octets):
        elsewhere = Finding(Rule.REQUEST_ELSEWHERE, FACTS.type_offset, 1)
        return WireJudgement(Message.REQUEST, (elsewhere, *request_findings(octets)))
    if direction is Direction.TO_SERVER:
        return WireJudgement(Message.REQUEST, tuple(request_findings(octets)))
    return WireJudgement(Message.REPLY, tuple(reply_findings(octets)))


def request_findings(octets: bytes) -> Iterator[Finding]:
    """Yield what is wrong with a request over IP of at least four octets (MS-MQSD 2.2.1, 2.2.2)."""
    layout = read_request_layout(octets)
    yield from _header(layout, Rule.REQUEST_VERSION, Rule.REQUEST_TYPE, Rule.REQUEST_RESERVED)
    length = len(octets)
    if length < FACTS.request_size:
        yield from _cut(layout)
        return
    if not any(octets[FACTS.site_id]):
        yield Finding(Rule.SITE_ID_ZERO, FACTS.site_id.start, GUID_SIZE)
    if length >= FACTS.ipx_request_size:
        yield from _ipx_fields(octets)
    elif length > FACTS.request_size:
        yield Finding(Rule.REQUEST_TRAILING, FACTS.request_size, length - FACTS.request_size)


def _ipx_fields(octets: bytes) -> Iterator[Finding]:
    count = int.from_bytes(octets[FACTS.ipx_network_count], "little")
    array_length = len(octets) - FACTS.ipx_network_count.stop
    yield Finding(Rule.IPX_COUNT_PRESENT, FACTS.request_size, 4)
    if not 1 <= count <= FACTS.max_ipx_networks:
        yield Finding(Rule.IPX_COUNT_RANGE, FACTS.request_size, 4)
    yield Finding(Rule.IPX_ARRAY_PRESENT, FACTS.ipx_network_count.stop, array_length)
    if array_length != 4 * count:
        yield Finding(Rule.IPX_ARRAY_LENGTH, FACTS.ipx_network_count.stop, array_length)


def reply_findings(octets: bytes) -> Iterator[Finding]:
    """Yield what is wrong with or open about a reply over IP of at least four octets (MS-MQSD 2.2.1, 2.2.3)."""
    layout = read_reply_layout(octets)
    yield from _header(layout, Rule.REPLY_VERSION, Rule.REPLY_TYPE, Rule.REPLY_RESERVED)
    count = layout.number("ConnectedNetworkCount")
    if count is not None and layout["DirectoryServiceServerSize"]:
        yield from _count(layout, count)
    if layout.number("ConnectedNetworkMask"):
        yield Finding(Rule.MASK, 24, 4)
    if (layout.number("DirectoryServiceServerSize") or 0) % 2:
        yield Finding(Rule.SIZE_ODD, 28, 4)
    if layout.cut:
        yield from _cut(layout)
    if layout.number("DirectoryServiceServerSize") == 0 and not layout.cut:
        yield from _behind_networks(layout)
    else:
        yield from array_findings(layout)


def _header(layout: Layout, version: Rule, kind: Rule, reserved: Rule) -> Iterator[Finding]:
    wanted = PacketType.CLIENT_REQUEST if kind is Rule.REQUEST_TYPE else PacketType.SERVER_REPLY
    if layout.number("Version"):
        yield Finding(version, 0, 1)
    if layout.number("Type") != wanted:
        yield Finding(kind, FACTS.type_offset, 1)
    if layout.number("Reserved"):
        yield Finding(reserved, 2, 2)


def _count(layout: Layout, count: int) -> Iterator[Finding]:
    """Yield what the count is: a number out of range is a reading where all the rest fits it (register SD-21)."""
    if count == 0:
        fits = not layout.cut and len(layout.trailing) < GUID_SIZE
        yield Finding(Rule.COUNT_ZERO if fits else Rule.COUNT_TOO_LOW, 20, 4)
    elif count > FACTS.max_connected_networks:
        yield Finding(Rule.COUNT_RANGE if layout.cut else Rule.COUNT_ABOVE, 20, 4)


def _cut(layout: Layout) -> Iterator[Finding]:
    if layout.cut:
        yield Finding(_CUT[layout.cut.name], layout.cut.offset, len(layout.cut.octets))


def _behind_networks(layout: Layout) -> Iterator[Finding]:
    """Yield what follows the networks where no server list is announced (register SD-24, SD-32)."""
    behind, at = layout.trailing, len(layout.octets) - len(layout.trailing)
    if len(behind) > GUID_SIZE and follows_the_grammar(behind[GUID_SIZE:]):
        yield Finding(Rule.SIZE_ZERO_WITH_ARRAY, 28, 4)
    elif len(behind) == GUID_SIZE and layout.number("ConnectedNetworkCount"):
        yield Finding(Rule.SITE_WITHOUT_ARRAY, at, GUID_SIZE)
    elif behind:
        yield Finding(Rule.TRAILING, at, len(behind))


def _is_reply(octets: bytes) -> bool:
    try:
        decode_reply(octets)
    except MalformedPacket:
        return False
    return True


def _is_request(octets: bytes) -> bool:
    try:
        decode_request(octets)
    except MalformedPacket:
        return False
    return True
