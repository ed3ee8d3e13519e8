"""What a scenario of discovery says of either side, from its capture and what the client told.

The rules of packets and conversations, with whose fault each of them is, are those of the audit of captures. Here the
capture lacks nothing, so that silence is the server's own.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from mqconform.harness.explore.matrix.discovery.discovery_stage import CLIENT, SERVER, Performance, Search
from mqconform.harness.explore.matrix.matrix_cell import Finding, Played
from mqconform.harness.iut.drivers.discovery_client.observations import Arrived, Done
from mqconform.harness.iut.interface import ServerFacts
from mqconform.harness.iut.server_configurations import model_of
from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.mqsd_client.client_under_test import too_loaded, widened
from mqconform.harness.judge.mqsd_client.discovery_trace import explain_seen, seen_of_client
from mqconform.harness.judge.mqsd_client.whole_history import judge_run
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.verdict import Verdict, worst
from mqconform.harness.suite.ambiguity import ReadingLog, Register
from mqconform.harness.tools.packets.pcap_messages import CapturedDatagram, CaptureProblem, read_datagrams
from mqconform.harness.tools.packets.sequence_diagram import sequence_diagram
from mqconform.reference.mqsd.audit.conversation_rules import ConversationRule
from mqconform.reference.mqsd.audit.wire_judgement import judge_packet
from mqconform.reference.mqsd.audit.wire_rules import Direction
from mqconform.reference.mqsd.audit.wire_rules import Finding as WireFinding
from mqconform.reference.mqsd.client import SECOND, Explanation, NetworkAddress, Result, explanation_from, initialize
from mqconform.reference.mqsd.guid import guid_from_text, guid_text
from mqconform.reference.mqsd.specification import FACTS

GET_LIST: Final = "MQSD-3.1.4.1-01"
"""A search begins with a request on the first network."""
MOST_DATAGRAMS: Final = 300
"""Of one search that are judged; it takes three, and a server that sends more is flooding."""
TIME_TO_ANSWER: Final = 2 * SECOND
"""A request that is younger than that at the end of a search may be answered later."""
MOST_DRAWN: Final = 12
PREFIX: Final = 24


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
        findings = judge_packet(request.octets, _direction(request)).findings
        yield from _wire_remarks(judge, CLIENT, findings)


def reply_remarks(judge: Judge, replies: Iterable[CapturedDatagram], server: ServerFacts) -> Iterator[Remark]:
    """Yield what is wrong with replies by their octets and the server's configuration (MS-MQSD 2.2.3, 3.2.5.1)."""
    model = model_of(server)
    for reply in replies:
        yield from _wire_remarks(judge, SERVER, judge_packet(reply.octets, _direction(reply), model).findings)


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
    right = [request for request in requests if _binds(judge, request)]
    asked = [request.octets[FACTS.request_id] for request in right]
    answered = [reply.octets[FACTS.correlation_id] for reply in replies]
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
    mine = [request for request in requests if request.octets[FACTS.request_id] == reply.octets[FACTS.correlation_id]]
    if not mine:
        if requests:
            yield _remark(judge, ConversationRule.OTHER_ID)
        return
    if not any(
        (request.source, request.source_port) == (reply.destination, reply.destination_port) for request in mine
    ):
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
    wrong = any(request_remark.verdict is Verdict.FAIL for request_remark in request_remarks(judge, [request]))
    return len(request.octets) == FACTS.request_size and not wrong


def _direction(datagram: CapturedDatagram) -> Direction:
    to_server, to_client = datagram.destination_port == FACTS.udp_port, datagram.source_port == FACTS.udp_port
    if to_server == to_client:
        return Direction.EITHER
    return Direction.TO_SERVER if to_server else Direction.TO_CLIENT


def _wire_remarks(judge: Judge, side: str, findings: Iterable[WireFinding]) -> Iterator[Remark]:
    for finding in findings:
        rule = finding.rule
        yield Remark(side, rule.requirement, _verdict(judge, rule.reading), f"{rule.field}: {rule.says}")


def _remark(judge: Judge, rule: ConversationRule, *, certain: bool = False) -> Remark:
    verdict = Verdict.INCONCLUSIVE if rule.undecided and not certain else _verdict(judge, rule.reading)
    return Remark(rule.at_fault, rule.requirement, verdict, rule.says)


def _verdict(judge: Judge, reading: tuple[str, str] | None) -> Verdict:
    return Verdict.FAIL if reading is None else judge.register.verdict_of(*reading, judge.profile)


def client_remarks(
    judge: Judge, performance: Performance, number: int, datagrams: Sequence[CapturedDatagram], tolerance: int
) -> Iterator[Remark]:
    """Yield what is wrong with one search of the client, or left open by what was seen.

    Args:
        judge: weighs readings, and notes them.
        performance: what was observed beside the capture.
        number: of the search.
        datagrams: all of the protocol that were captured during it.
        tolerance: nanoseconds.
    """
    search = performance.searches[number]
    if CLIENT in search.faults:
        yield fault_remark(CLIENT, performance, search)
        return
    own = {each["address"]: each["network"] for each in performance.computers.each}
    try:
        trace = seen_of_client(datagrams, own)
    except ValueError:
        yield Remark(CLIENT, GET_LIST, Verdict.FAIL, "the client sent no request on its networks")
        return
    try:
        yield from _explained(judge, performance, (*trace, *([search.end] if search.end else [])), tolerance)
    except ValueError as too_much:
        yield Remark(CLIENT, GET_LIST, Verdict.FAIL, str(too_much))


def fault_remark(side: str, performance: Performance, search: Search) -> Remark:
    """Return the remark that a side broke its contract; of a deadline on a loaded machine that is not known."""
    says = search.faults[side]
    held_up = search.missed_deadline and performance.contention.spoils_deadlines
    if held_up:
        return Remark(side, "", Verdict.INCONCLUSIVE, f"{says}; the machine was overloaded, so the cause is unknown")
    return Remark(side, "", Verdict.FAIL, says)


def _explained(
    judge: Judge, performance: Performance, trace: Sequence[Arrived | Done], tolerance: int
) -> Iterator[Remark]:
    explanation = explain_seen(_before(performance, tolerance), trace)
    lag = performance.contention.lag
    wider = widened(tolerance, lag)
    if not explanation.holds and wider > tolerance and explain_seen(_before(performance, wider), trace).holds:
        yield Remark(CLIENT, "", Verdict.INCONCLUSIVE, too_loaded(lag))
        return
    for requirements, judgement in judge_run(judge, explanation, "", ()):
        if judgement.verdict is not Verdict.PASS:
            says = f"{judgement.expected}; reading {judgement.reading}" if judgement.reading else judgement.expected
            yield Remark(CLIENT, requirements[0] if requirements else "", judgement.verdict, says)


def _before(performance: Performance, tolerance: int) -> Explanation:
    enterprise = performance.scenario.servers[0].enterprise
    networks = [NetworkAddress(network) for network in performance.scenario.networks]
    client = initialize(guid_from_text(enterprise), guid_from_text(performance.scenario.site), networks)
    return explanation_from(client, tolerance=tolerance, completions=performance.shows_completion)


@dataclass(frozen=True, slots=True)
class Judged:
    """What came of a scenario."""

    played: Played
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Judging:
    """One scenario being judged."""

    register: Register
    profile: Profile
    performance: Performance
    tolerance: int
    evidence: str

    @property
    def server_address(self) -> str:
        """Of the server on its network."""
        return self.performance.computers.server_address

    def judged(self) -> Judged:
        """Return what is wrong, and whose fault it is."""
        name = self.performance.scenario.name
        try:
            datagrams = [datagram for datagram in read_datagrams(self.performance.capture) if is_discovery(datagram)]
        except CaptureProblem as problem:
            remarks = [Remark("", "", Verdict.INCONCLUSIVE, f"the capture cannot be read: {problem}")]
            datagrams = []
        else:
            remarks = list(self._remarks(datagrams))
        timeline = self._drawn(datagrams)
        findings = tuple(
            Finding(name, remark.side, remark.requirement, remark.verdict, remark.says, timeline, self.evidence)
            for remark in _distinct(remarks)
        )
        verdict = worst((Verdict.PASS, *(finding.verdict for finding in findings)))
        return Judged(Played(name, verdict, self._outcome(), timeline), findings)

    def _remarks(self, datagrams: Sequence[CapturedDatagram]) -> Iterator[Remark]:
        if self.performance.computers.flooded or len(datagrams) > MOST_DATAGRAMS:
            yield self._flood(datagrams)
            return
        if self.performance.missing:
            yield Remark("", "", Verdict.INCONCLUSIVE, f"the capture is not complete: {self.performance.missing}")
            return
        ours = {each["address"] for each in self.performance.computers.each} | {self.server_address}
        strangers = sorted({datagram.source for datagram in datagrams} - ours)
        if strangers:
            yield Remark("", "", Verdict.INCONCLUSIVE, f"other hosts were on the networks: {', '.join(strangers)}")
            return
        remarks: list[Remark] = []
        for number, search in enumerate(self.performance.searches):
            during = [datagram for datagram in datagrams if search.began <= (datagram.time_ns or 0) <= search.ended]
            remarks += self._search_remarks(number, during)
        yield from remarks
        if not any(remark.verdict is Verdict.FAIL for remark in remarks):
            yield from self._goal_remarks()

    def _search_remarks(self, number: int, during: Sequence[CapturedDatagram]) -> Iterator[Remark]:
        search = self.performance.searches[number]
        judge = Judge(self.register, self.profile, ReadingLog(self.register))
        if SERVER in search.faults:
            yield fault_remark(SERVER, self.performance, search)
        requests = [datagram for datagram in during if datagram.source != self.server_address]
        replies = [datagram for datagram in during if datagram.source == self.server_address]
        yield from request_remarks(judge, requests)
        yield from reply_remarks(judge, replies, search.server)
        if SERVER in search.faults:
            return
        reached = [request for request in requests if self._reaches_server(request)]
        due = search.ended - TIME_TO_ANSWER - self.performance.contention.lag
        yield from conversation_remarks(judge, reached, replies, search.server, due)
        yield from client_remarks(judge, self.performance, number, during, self.tolerance)

    def _reaches_server(self, request: CapturedDatagram) -> bool:
        """Whether the network that a request went out on is the server's."""
        return request.source.rpartition(".")[0] == self.server_address.rpartition(".")[0]

    def _goal_remarks(self) -> Iterator[Remark]:
        """Yield that the two did not come together where neither broke a rule."""
        for search in self.performance.searches:
            if search.result is Result.FAILURE:
                says = "the search found nothing, though a server answered on a network; neither side broke a rule"
                yield Remark("", "", Verdict.INCONCLUSIVE, says)
            elif search.result and self.performance.scenario.learns and (missed := _missed(search)):
                says = f"the client did not learn the server's configuration ({missed}); neither broke a rule"
                yield Remark("", "", Verdict.INCONCLUSIVE, says)

    def _flood(self, datagrams: Sequence[CapturedDatagram]) -> Remark:
        of_server = sum(datagram.source == self.server_address for datagram in datagrams)
        side = SERVER if of_server * 2 > len(datagrams) else CLIENT
        requirement = "MQSD-3.2.5-01" if side == SERVER else "MQSD-3.1.5.1-01"
        says = f"the {side} floods: of the first {len(datagrams)} datagrams {of_server} are the server's"
        return Remark(side, requirement, Verdict.FAIL, says)

    def _outcome(self) -> str:
        parts = []
        for search in self.performance.searches:
            if search.end is None and not search.found:
                parts.append("no end")
                continue
            lists = "; ".join(f"{len(names)} {name.replace('_', ' ')}" for name, names in _lists(search).items())
            parts.append(f"{search.result or 'no result shown'}" + (f" ({lists})" if lists else ""))
        return ", then ".join(parts)

    def _drawn(self, datagrams: Sequence[CapturedDatagram]) -> str:
        hosts = {f"{each['address']}/{PREFIX}": CLIENT for each in self.performance.computers.each}
        hosts[f"{self.server_address}/{PREFIX}"] = SERVER
        rest = f"and {len(datagrams) - MOST_DRAWN} more\n" if len(datagrams) > MOST_DRAWN else ""
        return sequence_diagram(datagrams[:MOST_DRAWN], hosts) + rest if datagrams else ""


def _distinct(remarks: Iterable[Remark]) -> Iterable[Remark]:
    """Return what is short of a pass, of each requirement of a side the first: octets, then what follows from them."""
    short = [remark for remark in remarks if remark.verdict > Verdict.PASS]
    first: dict[tuple[str, str, Verdict], Remark] = {}
    for remark in short:
        first.setdefault((remark.side, remark.requirement or remark.says, remark.verdict), remark)
    return first.values()


def _missed(search: Search) -> str:
    """Return which of the server's lists the client shows otherwise, empty where none or where it shows none."""
    right = {
        "directory_servers": [directory_server.name for directory_server in search.server.directory_servers],
        "connected_networks": list(search.server.connected_networks),
    }
    return ", ".join(name for name, names in _lists(search).items() if sorted(names) != sorted(right[name]))


def _lists(search: Search) -> dict[str, list[str]]:
    """Return the lists that a client showed at the end, by the protocol's names."""
    shown_lists = (search.end.shown if search.end else None) or {}
    lists: dict[str, list[str]] = {}
    if "directory_servers" in shown_lists:
        lists["directory_servers"] = list(shown_lists["directory_servers"])
    if "connected_networks" in shown_lists:
        lists["connected_networks"] = [guid_text(network) for network in shown_lists["connected_networks"]]
    return lists
