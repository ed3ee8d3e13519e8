"""What a scenario of discovery says of either side, from its capture and what the client told."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from mqconform.harness.compare.matrix.discovery.client_remarks import client_remarks, fault_remark
from mqconform.harness.compare.matrix.discovery.discovery_stage import Performance, Search
from mqconform.harness.compare.matrix.discovery.packet_remarks import (
    CLIENT,
    SERVER,
    Remark,
    conversation_remarks,
    is_discovery,
    reply_remarks,
    request_remarks,
)
from mqconform.harness.compare.matrix.matrix_cell import Finding, Played
from mqconform.harness.judge.judge import Judge
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.verdict import Verdict, worst
from mqconform.harness.suite.ambiguity import ReadingLog, Register
from mqconform.harness.tools.packets.pcap_messages import CapturedDatagram, CaptureProblem, read_datagrams
from mqconform.harness.tools.packets.sequence_diagram import sequence_diagram
from mqconform.reference.mqsd.client import SECOND, Result
from mqconform.reference.mqsd.guid import guid_text

MOST_DATAGRAMS: Final = 300
"""Of one search that are judged; it takes three, and a server that sends so many is flooding."""
TIME_TO_ANSWER: Final = 2 * SECOND
"""A request that is younger than that at the end of a search may be answered later."""
MOST_DRAWN: Final = 12
PREFIX: Final = 24


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
    seen: Performance
    tolerance: int
    evidence: str

    def judged(self) -> Judged:
        """Return what is wrong, and whose fault it is."""
        name = self.seen.scenario.name
        try:
            datagrams = [one for one in read_datagrams(self.seen.capture) if is_discovery(one)]
        except CaptureProblem as problem:
            remarks = [Remark("", "", Verdict.INCONCLUSIVE, f"the capture cannot be read: {problem}")]
            datagrams = []
        else:
            remarks = list(self._remarks(datagrams))
        timeline = self._drawn(datagrams)
        findings = tuple(
            Finding(name, one.side, one.requirement, one.verdict, one.says, timeline, self.evidence)
            for one in _distinct(remarks)
        )
        verdict = worst((Verdict.PASS, *(one.verdict for one in findings)))
        return Judged(Played(name, verdict, self._outcome(), timeline), findings)

    def _remarks(self, datagrams: Sequence[CapturedDatagram]) -> Iterator[Remark]:
        if self.seen.flooded or len(datagrams) > MOST_DATAGRAMS:
            yield self._flood(datagrams)
            return
        if self.seen.missing:
            yield Remark("", "", Verdict.INCONCLUSIVE, f"the capture is not complete: {self.seen.missing}")
            return
        ours = {each["address"] for each in self.seen.each} | {self.seen.server_address}
        strangers = sorted({one.source for one in datagrams} - ours)
        if strangers:
            yield Remark("", "", Verdict.INCONCLUSIVE, f"somebody else was on the networks: {', '.join(strangers)}")
            return
        found: list[Remark] = []
        for number, search in enumerate(self.seen.searches):
            during = [one for one in datagrams if search.began <= (one.time_ns or 0) <= search.ended]
            found += self._search_remarks(number, during)
        yield from found
        if not any(one.verdict is Verdict.FAIL for one in found):
            yield from self._goal_remarks()

    def _search_remarks(self, number: int, during: Sequence[CapturedDatagram]) -> Iterator[Remark]:
        search = self.seen.searches[number]
        judge = Judge(self.register, self.profile, ReadingLog(self.register))
        if search.server_fault:
            yield fault_remark(SERVER, self.seen, search, search.server_fault)
        requests = [one for one in during if one.source != self.seen.server_address]
        replies = [one for one in during if one.source == self.seen.server_address]
        yield from request_remarks(judge, requests)
        yield from reply_remarks(judge, replies, search.server)
        if search.server_fault:
            return
        reached = [one for one in requests if self._reaches_server(one)]
        due = search.ended - TIME_TO_ANSWER - self.seen.contention.lag
        yield from conversation_remarks(judge, reached, replies, search.server, due)
        yield from client_remarks(judge, self.seen, number, during, self.tolerance)

    def _reaches_server(self, request: CapturedDatagram) -> bool:
        """Whether the network that a request went out on is the server's."""
        return request.source.rpartition(".")[0] == self.seen.server_address.rpartition(".")[0]

    def _goal_remarks(self) -> Iterator[Remark]:
        """Yield that the two did not come together where neither broke a rule."""
        for search in self.seen.searches:
            if search.result is Result.FAILURE:
                says = "the search found nothing, though a server answered on a network; neither side broke a rule"
                yield Remark("", "", Verdict.INCONCLUSIVE, says)
            elif search.result and self.seen.scenario.learns and (missed := _missed(search)):
                says = f"the client did not learn what the server is configured with ({missed}); neither broke a rule"
                yield Remark("", "", Verdict.INCONCLUSIVE, says)

    def _flood(self, datagrams: Sequence[CapturedDatagram]) -> Remark:
        of_server = sum(one.source == self.seen.server_address for one in datagrams)
        side = SERVER if of_server * 2 > len(datagrams) else CLIENT
        requirement = "MQSD-3.2.5-01" if side == SERVER else "MQSD-3.1.5.1-01"
        says = f"the {side} floods: of the first {len(datagrams)} datagrams {of_server} are the server's"
        return Remark(side, requirement, Verdict.FAIL, says)

    def _outcome(self) -> str:
        parts = []
        for search in self.seen.searches:
            if search.told is None and not search.found:
                parts.append("no end")
                continue
            lists = "; ".join(f"{len(shown)} {name.replace('_', ' ')}" for name, shown in _lists(search).items())
            parts.append(f"{search.result or 'no result shown'}" + (f" ({lists})" if lists else ""))
        return ", then ".join(parts)

    def _drawn(self, datagrams: Sequence[CapturedDatagram]) -> str:
        hosts = {f"{each['address']}/{PREFIX}": CLIENT for each in self.seen.each}
        hosts[f"{self.seen.server_address}/{PREFIX}"] = SERVER
        rest = f"and {len(datagrams) - MOST_DRAWN} more\n" if len(datagrams) > MOST_DRAWN else ""
        return sequence_diagram(datagrams[:MOST_DRAWN], hosts) + rest if datagrams else ""


def _distinct(remarks: Iterable[Remark]) -> Iterable[Remark]:
    """Return what is short of a pass, of each requirement of a side the first: octets, then what follows from them."""
    short = [one for one in remarks if one.verdict > Verdict.PASS]
    first: dict[tuple[str, str, Verdict], Remark] = {}
    for one in short:
        first.setdefault((one.side, one.requirement or one.says, one.verdict), one)
    return first.values()


def _missed(search: Search) -> str:
    """Return which of the server's lists the client shows otherwise, empty where none or where it shows none."""
    right = {
        "directory_servers": [one.name for one in search.server.directory_servers],
        "connected_networks": list(search.server.connected_networks),
    }
    return ", ".join(name for name, shown in _lists(search).items() if sorted(shown) != sorted(right[name]))


def _lists(search: Search) -> dict[str, list[str]]:
    """Return the lists that a client showed at the end, by the protocol's names."""
    shown = (search.told.shown if search.told else None) or {}
    lists: dict[str, list[str]] = {}
    if "directory_servers" in shown:
        lists["directory_servers"] = list(shown["directory_servers"])
    if "connected_networks" in shown:
        lists["connected_networks"] = [guid_text(one) for one in shown["connected_networks"]]
    return lists
