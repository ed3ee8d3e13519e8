"""What a capture of one scenario says of its packets and of who answered whom, by the oracle's rules.

The rules, with whose fault each of them is, are those of the audit of captures. Here the capture lacks nothing, so that
silence is the server's own.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from mqconform.harness.iut.interface import ServerFacts
from mqconform.harness.iut.server_configurations import model_of
from mqconform.harness.judge.judge import Judge
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.tools.packets.pcap_messages import CapturedDatagram
from mqconform.reference.mqsd.audit.conversation_rules import CONVERSATION_RULES, ConversationRule
from mqconform.reference.mqsd.audit.wire_facts import differences
from mqconform.reference.mqsd.audit.wire_finding import Finding as WireFinding
from mqconform.reference.mqsd.audit.wire_judgement import judge_packet
from mqconform.reference.mqsd.audit.wire_rules import WIRE_RULES, Direction
from mqconform.reference.mqsd.specification import FACTS

CLIENT, SERVER = "client", "server"


@dataclass(frozen=True, slots=True)
class Remark:
    """Something wrong with, or open about, a packet or a conversation."""

    side: str
    requirement: str
    verdict: Verdict
    says: str


def is_discovery(datagram: CapturedDatagram) -> bool:
    """Whether a datagram is of the protocol: by its ports, as the audit of captures takes it."""
    return FACTS.udp_port in (datagram.source_port, datagram.destination_port)


def request_remarks(judge: Judge, requests: Iterable[CapturedDatagram]) -> Iterator[Remark]:
    """Yield what is wrong with requests by their octets (MS-MQSD 2.2.1, 2.2.2)."""
    for request in requests:
        found = judge_packet(request.octets, _direction(request)).findings
        yield from _wire_remarks(judge, CLIENT, found)


def reply_remarks(judge: Judge, replies: Iterable[CapturedDatagram], server: ServerFacts) -> Iterator[Remark]:
    """Yield what is wrong with replies by their octets and the server's configuration (MS-MQSD 2.2.3, 3.2.5.1)."""
    model = model_of(server)
    for reply in replies:
        found = judge_packet(reply.octets, _direction(reply)).findings
        yield from _wire_remarks(judge, SERVER, (*found, *differences(reply.octets, model, found)))


def conversation_remarks(
    judge: Judge,
    requests: Sequence[CapturedDatagram],
    replies: Sequence[CapturedDatagram],
    server: ServerFacts,
    answered_by: int,
) -> Iterator[Remark]:
    """Yield what is wrong with who answered whom (MS-MQSD 3.2.5.1).

    Args:
        judge: weighs readings.
        requests: that reached the server.
        replies: of the server.
        server: its configuration.
        answered_by: nanoseconds since 1970; what was asked before has its answer, or has none.
    """
    right = [one for one in requests if _binds(judge, one)]
    asked = [one.octets[FACTS.request_id] for one in right]
    answered = [one.octets[FACTS.correlation_id] for one in replies]
    for request in right:
        due = (request.time_ns or 0) < answered_by
        if due and request.octets[FACTS.request_id] not in answered:
            yield _remark(judge, ConversationRule.UNANSWERED, certain=True)
    for identifier in dict.fromkeys(asked):
        if answered.count(identifier) > asked.count(identifier):
            yield _remark(judge, ConversationRule.ANSWERED_TWICE)
    for reply in replies:
        yield from _reply_of_conversation(judge, reply, right, server)


def _reply_of_conversation(
    judge: Judge, reply: CapturedDatagram, requests: Sequence[CapturedDatagram], server: ServerFacts
) -> Iterator[Remark]:
    if len(reply.octets) < FACTS.reply_size:
        return
    mine = [one for one in requests if one.octets[FACTS.request_id] == reply.octets[FACTS.correlation_id]]
    if not mine:
        if requests:
            yield _remark(judge, ConversationRule.OTHER_ID)
        return
    if not any((one.source, one.source_port) == (reply.destination, reply.destination_port) for one in mine):
        yield _remark(judge, ConversationRule.REPLY_ELSEWHERE)
    own = mine[0].octets[FACTS.site_id] == model_of(server).site
    listed = reply.octets[FACTS.directory_service_server_size] != bytes(4)
    if own and listed:
        yield _remark(judge, ConversationRule.OWN_SITE_SIZE)
    if not own and not listed:
        nothing = not server.directory_servers
        rule = ConversationRule.NOTHING_TO_LIST if nothing else ConversationRule.OTHER_SITE_UNLISTED
        yield _remark(judge, rule)


def _binds(judge: Judge, request: CapturedDatagram) -> bool:
    """Whether a request is one that a server has to answer."""
    wrong = any(one.verdict is Verdict.FAIL for one in request_remarks(judge, [request]))
    return len(request.octets) == FACTS.request_size and not wrong


def _direction(datagram: CapturedDatagram) -> Direction:
    to_server, to_client = datagram.destination_port == FACTS.udp_port, datagram.source_port == FACTS.udp_port
    if to_server == to_client:
        return Direction.EITHER
    return Direction.TO_SERVER if to_server else Direction.TO_CLIENT


def _wire_remarks(judge: Judge, side: str, found: Iterable[WireFinding]) -> Iterator[Remark]:
    for one in found:
        rule = WIRE_RULES[one.rule]
        yield Remark(side, rule.requirement, _verdict(judge, rule.reading), f"{rule.field}: {rule.says}")


def _remark(judge: Judge, one: ConversationRule, *, certain: bool = False) -> Remark:
    rule = CONVERSATION_RULES[one]
    verdict = Verdict.INCONCLUSIVE if rule.undecided and not certain else _verdict(judge, rule.reading)
    return Remark(rule.at_fault, rule.requirement, verdict, rule.says)


def _verdict(judge: Judge, reading: tuple[str, str] | None) -> Verdict:
    return Verdict.FAIL if reading is None else judge.register.verdict_of(*reading, judge.profile)
