"""What was seen of a scenario of discovery, and what it says of either side, from the capture and what the client told.

The rules of packets and conversations, with whose fault each of them is, are those of the audit of captures. Here the
capture lacks nothing, so that silence is the server's own.
"""

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from mqconform.harness.explore.matrix.discovery_sides import Computers, Scenario
from mqconform.harness.explore.matrix.matrix_cell import Finding, Played, alike
from mqconform.harness.explore.matrix.matrix_file import Settings
from mqconform.harness.explore.votes import Ballot
from mqconform.harness.iut.contention import Contention
from mqconform.harness.iut.drivers.discovery_client.observations import Arrived, Done
from mqconform.harness.iut.interface import IutFault, IutProblem, ServerFacts
from mqconform.harness.iut.server_configurations import model_of
from mqconform.harness.judge.mqsd_client.client_under_test import too_loaded, widened
from mqconform.harness.judge.mqsd_client.discovery_trace import explain_seen, seen_of_client
from mqconform.harness.judge.mqsd_client.whole_history import judge_run
from mqconform.harness.records.verdict import Verdict, worst
from mqconform.harness.tools.packets.pcap_messages import CapturedDatagram, CaptureProblem, read_datagrams
from mqconform.harness.tools.packets.sequence_diagram import sequence_diagram
from mqconform.reference.mqsd import client as model
from mqconform.reference.mqsd.audit.conversation_rules import CLIENT, SERVER, ConversationRule
from mqconform.reference.mqsd.audit.wire_judgement import judge_packet
from mqconform.reference.mqsd.audit.wire_rules import Direction
from mqconform.reference.mqsd.guid import guid_from_text, guid_text
from mqconform.reference.mqsd.specification import FACTS

GET_LIST: Final = "MQSD-3.1.4.1-01"
"""A search begins with a request on the first network."""
MOST_DATAGRAMS: Final = 300
"""Of one search that are judged; it takes three, and a server that sends more is flooding."""
TIME_TO_ANSWER: Final = 2 * model.SECOND
"""A request that is younger than that at the end of a search may be answered later."""
MOST_DRAWN: Final = 12
PREFIX: Final = 24


@dataclass(slots=True)
class Search:
    """One search of the client.

    Attributes:
        server: what the server was configured with.
        began: when the client was started, ``ended`` when it was over; nanoseconds since 1970.
        end: the end of the search as the client told it, None where it told none.
        faults: how a side broke its contract, by side.
        missed_deadline: whether what it broke is a deadline alone, which a loaded machine may be to blame for.
    """

    server: ServerFacts
    began: int = field(default_factory=time.time_ns)
    ended: int = 0
    end: Done | None = None
    faults: dict[str, str] = field(default_factory=dict)
    missed_deadline: bool = False

    @property
    def result(self) -> model.Result | None:
        """The result that the client told, None where it told none."""
        return self.end.effect.result if self.end and isinstance(self.end.effect, model.Complete) else None

    @property
    def found(self) -> bool:
        """Whether the client told of success, or tells nothing at all."""
        return not self.faults and self.result in (None, model.Result.SUCCESS)

    @contextmanager
    def blaming(self, side: str, kind: type[IutProblem] = IutProblem) -> Iterator[None]:
        """Note what goes wrong within as the fault of a side, and go on; the search is over then."""
        try:
            yield
        except kind as problem:
            self.faults[side] = str(problem)
            self.missed_deadline = isinstance(problem, IutFault) and problem.kind == "deadline"
        finally:
            self.ended = time.time_ns()


@dataclass(frozen=True, slots=True)
class Performance:
    """What was seen of a scenario, beside the capture.

    Attributes:
        computers: closed, with what is known of their networks.
        missing: what the capture lacks, empty where it has everything.
        contention: how loaded the machine was.
    """

    scenario: Scenario
    capture: Path
    computers: Computers
    searches: tuple[Search, ...]
    shows_completion: bool
    missing: str
    contention: Contention


def judged(performance: Performance, settings: Settings, evidence: str) -> tuple[Played, tuple[Finding, ...]]:
    """Return what came of a scenario, what is wrong with it, and whose fault that is.

    Args:
        performance: what was seen.
        settings: with the profile, and the tolerance of a client's clock.
        evidence: name of the capture below the folder of the results.
    """
    name = performance.scenario.name
    try:
        passed = read_datagrams(performance.capture)
        datagrams = [each for each in passed if FACTS.udp_port in (each.source_port, each.destination_port)]
    except CaptureProblem as problem:
        findings, datagrams = [_open(f"the capture cannot be read: {problem}")], []
    else:
        findings = [*_findings(performance, datagrams, settings)]
    timeline = _drawn(performance, datagrams)
    short = [finding for finding in findings if finding.verdict > Verdict.PASS]
    # of each requirement of a side the first: octets, then what follows from them
    first = tuple(replace(group[0], scenario=name, observed=timeline, evidence=evidence) for group in alike(short))
    verdict = worst((Verdict.PASS, *(finding.verdict for finding in first)))
    return Played(name, verdict, _ends(performance), timeline), first


def _finding(side: str, requirement: str, verdict: Verdict, says: str) -> Finding:
    return Finding("", side, requirement, verdict, says)


def _open(says: str) -> Finding:
    return _finding("", "", Verdict.INCONCLUSIVE, says)


def _findings(performance: Performance, datagrams: Sequence[CapturedDatagram], settings: Settings) -> Iterator[Finding]:
    server_address = performance.computers.server_address
    if performance.computers.flooded or len(datagrams) > MOST_DATAGRAMS:
        of_server = sum(datagram.source == server_address for datagram in datagrams)
        side = SERVER if of_server * 2 > len(datagrams) else CLIENT
        says = f"the {side} floods: of the first {len(datagrams)} datagrams {of_server} are the server's"
        yield _finding(side, "MQSD-3.2.5-01" if side == SERVER else "MQSD-3.1.5.1-01", Verdict.FAIL, says)
        return
    ours = {each["address"] for each in performance.computers.each} | {server_address}
    if performance.missing:
        yield _open(f"the capture is not complete: {performance.missing}")
    elif strangers := sorted({datagram.source for datagram in datagrams} - ours):
        yield _open(f"other hosts were on the networks: {', '.join(strangers)}")
    else:
        findings: list[Finding] = []
        for search in performance.searches:
            during = [each for each in datagrams if search.began <= (each.time_ns or 0) <= search.ended]
            findings += _SearchJudge(performance, search, settings).findings(during)
        yield from findings
        if not any(finding.verdict is Verdict.FAIL for finding in findings):
            yield from _missed_goals(performance)


def _missed_goals(performance: Performance) -> Iterator[Finding]:
    """Yield that the two did not come together where neither broke a rule."""
    for search in performance.searches:
        right = {
            "directory_servers": [directory_server.name for directory_server in search.server.directory_servers],
            "connected_networks": list(search.server.connected_networks),
        }
        missed = ", ".join(name for name, names in _lists(search).items() if sorted(names) != sorted(right[name]))
        if search.result is model.Result.FAILURE:
            yield _open("the search found nothing, though a server answered on a network; neither side broke a rule")
        elif search.result and performance.scenario.learns and missed:
            yield _open(f"the client did not learn the server's configuration ({missed}); neither broke a rule")


class _SearchJudge:
    def __init__(self, performance: Performance, search: Search, settings: Settings) -> None:
        self._performance, self._search = performance, search
        self._tolerance = round(settings.tried.tolerance * model.SECOND)
        self._judge, self._model = Ballot(settings.profile).judge, model_of(search.server)

    def findings(self, during: Sequence[CapturedDatagram]) -> Iterator[Finding]:
        """Yield what is wrong with either side, or left open by the datagrams that were captured during it."""
        search, server_address = self._search, self._performance.computers.server_address
        if SERVER in search.faults:
            yield self._broken(SERVER)
        requests = [datagram for datagram in during if datagram.source != server_address]
        replies = [datagram for datagram in during if datagram.source == server_address]
        yield from self._of_octets(CLIENT, requests)
        yield from self._of_octets(SERVER, replies)
        if SERVER in search.faults:
            return
        network = server_address.rpartition(".")[0]
        reached = [request for request in requests if request.source.rpartition(".")[0] == network]
        yield from self._of_conversation(reached, replies)
        yield from self._of_client(during)

    def _of_octets(self, side: str, datagrams: Iterable[CapturedDatagram]) -> Iterator[Finding]:
        """Yield what is wrong with packets by their octets and the server's configuration (MS-MQSD 2.2, 3.2.5.1)."""
        for datagram in datagrams:
            ports = [port == FACTS.udp_port for port in (datagram.destination_port, datagram.source_port)]
            one_way = Direction.TO_SERVER if ports[0] else Direction.TO_CLIENT
            direction = Direction.EITHER if ports[0] == ports[1] else one_way
            configured = [self._model] if side == SERVER else []
            for rule in (finding.rule for finding in judge_packet(datagram.octets, direction, *configured).findings):
                yield _finding(side, rule.requirement, self._verdict(rule.reading), f"{rule.field}: {rule.says}")

    def _verdict(self, reading: tuple[str, str] | None) -> Verdict:
        return Verdict.FAIL if reading is None else self._judge.register.verdict_of(*reading, self._judge.profile)

    def _broken_rule(self, rule: ConversationRule, *, certain: bool = False) -> Finding:
        verdict = Verdict.INCONCLUSIVE if rule.undecided and not certain else self._verdict(rule.reading)
        return _finding(rule.at_fault, rule.requirement, verdict, rule.says)

    def _of_conversation(
        self, requests: Sequence[CapturedDatagram], replies: Sequence[CapturedDatagram]
    ) -> Iterator[Finding]:
        """Yield what is wrong with who answered whom (MS-MQSD 3.2.5.1); ``requests`` reached the server."""
        due = self._search.ended - TIME_TO_ANSWER - self._performance.contention.lag
        # those that a server has to answer
        right = [
            request
            for request in requests
            if len(request.octets) == FACTS.request_size
            and not any(finding.verdict is Verdict.FAIL for finding in self._of_octets(CLIENT, [request]))
        ]
        asked = [request.octets[FACTS.request_id] for request in right]
        answered = [reply.octets[FACTS.correlation_id] for reply in replies]
        for request, identifier in zip(right, asked, strict=True):
            if (request.time_ns or 0) < due and identifier not in answered:
                yield self._broken_rule(ConversationRule.UNANSWERED, certain=True)
        for identifier in dict.fromkeys(asked):
            if answered.count(identifier) > asked.count(identifier):
                yield self._broken_rule(ConversationRule.ANSWERED_TWICE)
        for reply in replies:
            yield from map(self._broken_rule, self._rules_broken_by(reply, right))

    def _rules_broken_by(
        self, reply: CapturedDatagram, requests: Sequence[CapturedDatagram]
    ) -> Iterator[ConversationRule]:
        if len(reply.octets) < FACTS.reply_size:
            return
        identifier = reply.octets[FACTS.correlation_id]
        mine = [request for request in requests if request.octets[FACTS.request_id] == identifier]
        if not mine:
            if requests:
                yield ConversationRule.OTHER_ID
            return
        if (reply.destination, reply.destination_port) not in {(each.source, each.source_port) for each in mine}:
            yield ConversationRule.REPLY_ELSEWHERE
        own = mine[0].octets[FACTS.site_id] == self._model.site
        listed = reply.octets[FACTS.directory_service_server_size] != bytes(4)
        if own and listed:
            yield ConversationRule.OWN_SITE_SIZE
        if not own and not listed:
            named = self._search.server.directory_servers
            yield ConversationRule.OTHER_SITE_UNLISTED if named else ConversationRule.NOTHING_TO_LIST

    def _of_client(self, during: Sequence[CapturedDatagram]) -> Iterator[Finding]:
        search = self._search
        if CLIENT in search.faults:
            yield self._broken(CLIENT)
            return
        own = {each["address"]: each["network"] for each in self._performance.computers.each}
        try:
            trace = seen_of_client(during, own)
        except ValueError:
            yield _finding(CLIENT, GET_LIST, Verdict.FAIL, "the client sent no request on its networks")
            return
        try:
            yield from self._explained((*trace, *filter(None, [search.end])))
        except ValueError as too_much:
            yield _finding(CLIENT, GET_LIST, Verdict.FAIL, str(too_much))

    def _broken(self, side: str) -> Finding:
        """Return that a side broke its contract; of a deadline on a loaded machine that is not known."""
        says = self._search.faults[side]
        if self._search.missed_deadline and self._performance.contention.spoils_deadlines:
            says += "; the machine was overloaded, so the cause is unknown"
            return _finding(side, "", Verdict.INCONCLUSIVE, says)
        return _finding(side, "", Verdict.FAIL, says)

    def _explained(self, trace: Sequence[Arrived | Done]) -> Iterator[Finding]:
        explanation = explain_seen(self._before(self._tolerance), trace)
        lag = self._performance.contention.lag
        wider = widened(self._tolerance, lag)
        if not explanation.holds and wider > self._tolerance and explain_seen(self._before(wider), trace).holds:
            yield _finding(CLIENT, "", Verdict.INCONCLUSIVE, too_loaded(lag))
            return
        for requirements, judgement in judge_run(self._judge, explanation, "", ()):
            if judgement.verdict is not Verdict.PASS:
                says = f"{judgement.expected}; reading {judgement.reading}" if judgement.reading else judgement.expected
                yield _finding(CLIENT, next(iter(requirements), ""), judgement.verdict, says)

    def _before(self, tolerance: int) -> model.Explanation:
        scenario = self._performance.scenario
        enterprise = guid_from_text(scenario.servers[0].enterprise)
        networks = [model.NetworkAddress(network) for network in scenario.networks]
        client = model.initialize(enterprise, guid_from_text(scenario.site), networks)
        return model.explanation_from(client, tolerance=tolerance, completions=self._performance.shows_completion)


def _ends(performance: Performance) -> str:
    """Return in a few words how the searches ended."""
    parts = []
    for search in performance.searches:
        if search.end is None and not search.found:
            parts.append("no end")
            continue
        lists = "; ".join(f"{len(names)} {name.replace('_', ' ')}" for name, names in _lists(search).items())
        parts.append(f"{search.result or 'no result shown'}" + (f" ({lists})" if lists else ""))
    return ", then ".join(parts)


def _drawn(performance: Performance, datagrams: Sequence[CapturedDatagram]) -> str:
    hosts = {f"{each['address']}/{PREFIX}": CLIENT for each in performance.computers.each}
    hosts[f"{performance.computers.server_address}/{PREFIX}"] = SERVER
    rest = f"and {len(datagrams) - MOST_DRAWN} more\n" if len(datagrams) > MOST_DRAWN else ""
    return sequence_diagram(datagrams[:MOST_DRAWN], hosts) + rest if datagrams else ""


def _lists(search: Search) -> dict[str, list[str]]:
    """Return the lists that a client showed at the end, by the protocol's names."""
    last_state = (search.end.shown if search.end else None) or {}
    servers, networks = last_state.get("directory_servers"), last_state.get("connected_networks")
    texts = None if networks is None else tuple(map(guid_text, networks))
    lists = {"directory_servers": servers, "connected_networks": texts}
    return {name: [*names] for name, names in lists.items() if names is not None}
