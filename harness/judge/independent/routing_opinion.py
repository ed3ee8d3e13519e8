"""The second routing oracle: next hops by MS-MQBR 3.1.3.1 and 3.1.5, written from the text alone.

Where the specification gives procedures, this gives one table over relations between source and destination, and a
property of the graph of sites (``routing_graph``). It shares no code with the reference, so that the two can outvote a
mistake. Of the ambiguity register it knows nothing: what the reference allows by the text has to be among the sets
here, and what is here has to be permitted there.

What may stand here: the relations, the table, for each kind of answer the sets of next hops it allows, and how the
two oracles are compared. ``None`` in the table reads "either". Exactly one row fits any two machines.
"""

from collections import OrderedDict
from collections.abc import Collection, Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from itertools import product
from typing import Any, NamedTuple, TypeAlias

from mqconform.harness.judge.independent.routing_graph import (
    Enterprise,
    Graphs,
    Machine,
    SiteGraph,
    read_enterprise,
    rustworkx,
)

HopSets: TypeAlias = frozenset[frozenset[str]]
NO_ROUTE: HopSets = frozenset({frozenset()})


class Relations(NamedTuple):
    """How two machines stand to each other."""

    routes: bool | None
    """The source is a routing server."""
    has_out_list: bool | None
    is_gate: bool | None
    """The source is a gate of one of its own sites (3.1.5.8)."""
    serves: bool | None
    """The source is in the destination's In list."""
    shares_site: bool | None
    has_in_list: bool | None
    """The destination has one."""


class Answer(Enum):
    """Where the next hops are taken from."""

    OUT_LIST = "the source's Out list"
    IN_LIST = "the destination's In list"
    DESTINATION = "the destination itself"
    ROUTING_SERVER = "a routing server sharing a site with the source"
    OWN_GATE = "a gate of a site of the source"
    NEXT_GATE = "a gate of the next site on a least-cost path"


TABLE: tuple[tuple[Relations, Answer], ...] = (
    # routes, out list, gate, serves, shares, in list
    (Relations(False, True, None, None, None, None), Answer.OUT_LIST),  # 3.1.5.1
    (Relations(False, False, None, None, True, True), Answer.IN_LIST),  # 3.1.5.1
    (Relations(False, False, None, None, True, False), Answer.DESTINATION),  # 3.1.5.1
    (Relations(False, False, None, None, False, None), Answer.ROUTING_SERVER),  # 3.1.5.1, 3.1.5.5
    (Relations(True, None, None, True, None, None), Answer.DESTINATION),  # 3.1.5.2, 3.1.5.3
    (Relations(True, None, None, False, True, True), Answer.IN_LIST),  # 3.1.5.2, 3.1.5.3
    (Relations(True, None, None, False, True, False), Answer.DESTINATION),  # 3.1.5.2, 3.1.5.3
    (Relations(True, None, False, False, False, None), Answer.OWN_GATE),  # 3.1.5.2, 3.1.5.6
    (Relations(True, None, True, False, False, None), Answer.NEXT_GATE),  # 3.1.5.3, 3.1.5.7
)


def answers_for(relations: Relations) -> tuple[Answer, ...]:
    """Return the answers whose table row fits: exactly one for any relations."""
    return tuple(
        answer
        for pattern, answer in TABLE
        if all(expected is None or expected == is_so for expected, is_so in zip(pattern, relations, strict=True))
    )


@dataclass(frozen=True)
class Question:
    """One source and one destination in an enterprise, both known."""

    enterprise: Enterprise
    graphs: Graphs
    source: Machine
    destination: Machine

    @cached_property
    def answer(self) -> Answer:
        """The one row of the table that fits."""
        (answer,) = answers_for(self._relations())
        return answer

    @cached_property
    def hop_sets(self) -> HopSets:
        """The sets of next hops that the text allows, hops to itself included; the empty one is "no route"."""
        match self.answer:
            case Answer.OUT_LIST:
                return frozenset({self.source.out_servers})
            case Answer.IN_LIST:
                return frozenset({self.destination.in_servers})
            case Answer.DESTINATION:
                return frozenset({frozenset({self.destination.guid})})
            case Answer.ROUTING_SERVER:
                return any_one_of(self.enterprise.routers_near(self.source))
            case Answer.OWN_GATE | Answer.NEXT_GATE:
                return frozenset().union(*map(self._gate_sets, self.gate_sites)) or NO_ROUTE

    @cached_property
    def gate_sites(self) -> frozenset[str | None]:
        """The sites whose gate may be the answer; None stands for a row without a next site (BR-36, BR-45)."""
        if self.answer is Answer.OWN_GATE:
            return frozenset(self.own_sites)
        return frozenset().union(*map(self.next_sites_in, self.graphs.weighted))

    @property
    def own_sites(self) -> frozenset[str]:
        """The source's sites that the directory knows: each may be the one the search begins at (BR-30, BR-38)."""
        return self.source.sites & self.enterprise.gates.keys()

    def next_sites_in(self, graph: SiteGraph) -> frozenset[str | None]:
        """Return the next sites of every root and every destination site, None where one cannot be reached."""
        next_sites: set[str | None] = set()
        for root in self.own_sites:
            for target in self.destination.sites & self.enterprise.gates.keys():
                next_sites |= graph.next_sites(root, target) or {None}
        return frozenset(next_sites)

    def _gate_sets(self, site: str | None) -> HopSets:
        gates = self.enterprise.gates.get(site, frozenset()) if site is not None else frozenset()
        # with and without a gate that is no routing server: BR-31
        none_routes = bool(gates) and not any(map(self._may_route, gates))
        return any_one_of(gates) | (NO_ROUTE if none_routes else frozenset())

    def _may_route(self, guid: str) -> bool:
        records = self.enterprise.machines.get(guid, ())
        return not records or any(machine.routes for machine in records)

    def _relations(self) -> Relations:
        source, destination = self.source, self.destination
        gates = self.enterprise.gates
        return Relations(
            routes=source.routes,
            has_out_list=bool(source.out_servers),
            is_gate=source.routes and any(source.guid in gates[site] for site in self.own_sites),
            serves=source.guid in destination.in_servers,
            shares_site=not source.sites.isdisjoint(destination.sites),
            has_in_list=bool(destination.in_servers),
        )


def any_one_of(guids: frozenset[str]) -> HopSets:
    """Return each of the machines alone; "no route" where there is none (BR-05, BR-29)."""
    return frozenset(frozenset({guid}) for guid in guids) or NO_ROUTE


DOCUMENTS_KEPT = 4
Outcomes = Iterable[Collection[str]]
"""Sets of next hops, the empty one for no route."""


class OracleDisagreement(Exception):
    """The two routing oracles allow different next hops: one of them, or the register, is wrong."""


class RoutingOpinion:
    """One enterprise with its graphs; for many questions about a document that stays as it is."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        """Index the enterprise document."""
        rustworkx()  # missing, it is to be missed now and not at the first question that crosses sites
        self._enterprise = read_enterprise(document)
        self._graphs = Graphs(self._enterprise)

    def allowed_next_hops(self, source: str, destination: str) -> HopSets:
        """Return what GetNextHops may answer with a freshly built RoutingTable (3.1.5.1), GUIDs in lower case."""
        machines = self._enterprise.machines
        pairs = product(machines.get(source.lower(), ()), machines.get(destination.lower(), ()))
        questions = [Question(self._enterprise, self._graphs, *pair) for pair in pairs]
        return frozenset().union(*map(_without_hop_to_itself, questions)) if questions else NO_ROUTE


def _without_hop_to_itself(question: Question) -> HopSets:
    """Leave out what a gate of several sites cannot act on: itself as the gate of the next site (BR-38)."""
    is_next_gate = question.answer is Answer.NEXT_GATE
    return question.hop_sets - {frozenset({question.source.guid})} if is_next_gate else question.hop_sets


def allowed_next_hops(document: dict[str, Any], source: str, destination: str) -> HopSets:
    """Return the second opinion on the next hops from source to destination (MS-MQBR 3.1.5.1).

    Args:
        document: the enterprise document; its indexes and distances are kept for the next question about the same.
        source: GUID of the source QueueManager, in any case.
        destination: GUID of the destination QueueManager, in any case.

    Raises:
        SecondOpinionMissing: rustworkx is not installed.
    """
    return _opinion_on(document).allowed_next_hops(source, destination)


def hold_against_second_opinion(
    document: dict[str, Any], source: str, destination: str, by_text: Outcomes, permitted: Outcomes
) -> None:
    """Compare what both oracles allow a router whose table was just built (MS-MQBR 3.1.5.1).

    Args:
        document: as for ``allowed_next_hops``, and so source and destination.
        source: where the message is.
        destination: where it is to go.
        by_text: what the first oracle allows without leave of the register, all of which has to be allowed here.
        permitted: what it allows at all, which has to hold all that is allowed here.

    Raises:
        OracleDisagreement: naming what either allows alone.
    """
    second = allowed_next_hops(document, source, destination)
    first_alone, second_alone = _as_sets(by_text) - second, second - _as_sets(permitted)
    if first_alone or second_alone:
        raise OracleDisagreement(
            f"the first routing oracle alone allows {_sets_text(first_alone)}, "
            f"the second alone {_sets_text(second_alone)}"
        )


def _as_sets(outcomes: Outcomes) -> HopSets:
    return frozenset(frozenset(guid.lower() for guid in outcome) for outcome in outcomes)


_cache: OrderedDict[int, tuple[dict[str, Any], RoutingOpinion]] = OrderedDict()
"""id of a document -> what it held when it was indexed, and the index; compared anew at every question."""


def _opinion_on(document: dict[str, Any]) -> RoutingOpinion:
    cached = _cache.get(id(document))
    if cached is None or cached[0] != document:
        cached = _cache[id(document)] = (deepcopy(document), RoutingOpinion(document))
    _cache.move_to_end(id(document))
    while len(_cache) > DOCUMENTS_KEPT:
        _cache.popitem(last=False)
    return cached[1]


def _sets_text(sets: HopSets) -> str:
    return (
        " or ".join(sorted("no route" if not hops else "{" + ", ".join(sorted(hops)) + "}" for hops in sets))
        or "nothing"
    )
