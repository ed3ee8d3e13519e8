"""Answers to GetNextHops that are not refused, as patterns (MS-MQBR 3.1.5.1).

Beside the allowed outcomes the register tolerates longer lists, shortened lists and other ways (BR-13 ff). A function
for each of these entries yields the patterns of such answers; they are handed out with a question, and an observed
answer is held to them. Lists compare as sets (BR-61), so that a repeated hop counts once; for some the first counts.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from mqconform.reference.allowed import Alternative, Reading, Standing, Step
from mqconform.reference.directory.elements import QueueManager, QueueManagerId, SiteId
from mqconform.reference.mqbr import lookups, next_hops, readings
from mqconform.reference.mqbr.decision import NextHopsDecision
from mqconform.reference.mqbr.graph import LeastCosts
from mqconform.reference.mqbr.judgement import OUTCOME_OF, Outcome
from mqconform.reference.mqbr.next_hops import NO_ROUTE, NextHops

DIRECT: Final = frozenset({next_hops.CLIENT_DIRECT, next_hops.ROUTER_DIRECT, next_hops.GATE_DIRECT})
IN_LISTS: Final = frozenset({next_hops.CLIENT_IN_LIST, next_hops.ROUTER_IN_LIST, next_hops.GATE_IN_LIST})
GATELESS: Final = frozenset({lookups.GATELESS_OWN_SITE, lookups.GATELESS_SITE})
THROUGH_GATES: Final = frozenset({next_hops.VIA_GATE, next_hops.VIA_NEXT_SITE})

Ids = frozenset[QueueManagerId]
_NONE: Final[Ids] = frozenset()
Path = Alternative[NextHops]
Best = Mapping[QueueManagerId, Path]


@dataclass(frozen=True, slots=True)
class AnswerPattern:
    """Answers that one explanation covers.

    An answer matches if it holds every hop of ``must``, none beyond ``must`` and ``may``, at least ``least`` different
    ones, and begins with a hop of ``first`` where that is not empty. "No route" in any form is the empty answer.

    Attributes:
        explained: an alternative that gives such an answer, with all readings that it rests on.
    """

    must: Ids
    explained: Path
    may: Ids = _NONE
    first: Ids = _NONE
    least: int = 0

    @property
    def outcome(self) -> Outcome:
        """What an answer that matches is worth; its order and its form of "no route" do not count."""
        return OUTCOME_OF[self.explained.standing]

    def matches(self, hops: Sequence[str]) -> bool:
        """Return whether an answer matches; repeated hops count once."""
        distinct = set(hops)
        begins = not self.first or (bool(hops) and hops[0] in self.first)
        return begins and self.must <= distinct <= self.must | self.may and len(distinct) >= self.least


Patterns = Iterator[AnswerPattern]


def answer_patterns(decision: NextHopsDecision) -> tuple[AnswerPattern, ...]:
    """Return the patterns of all answers that are not refused, the first that matches decides.

    An answer that matches none is refused.
    """
    patterns = [
        AnswerPattern(frozenset(alternative.outcome), alternative) for alternative in decision.allowed.alternatives
    ]
    patterns += _patterns(decision)
    not_refused = [pattern for pattern in patterns if pattern.explained.standing <= Standing.PERMITTED]
    return tuple(dict.fromkeys(sorted(not_refused, key=_rank)))


def tolerated(decision: NextHopsDecision, observed: NextHops) -> Iterator[Path]:
    """Yield every explanation that the register has for an answer which is not an allowed outcome as it stands.

    Args:
        decision: the question with its allowed outcomes.
        observed: the answer in its order, without Nothing; empty for no route.
    """
    for pattern in _patterns(decision, observed):
        if pattern.matches(observed):
            yield replace(pattern.explained, outcome=observed)


def _patterns(decision: NextHopsDecision, observed: NextHops | None = None) -> Patterns:
    """Yield what the register tolerates beside the allowed outcomes.

    Of patterns with many explanations those of an observed answer are enough, and none where it has one hop.
    """
    if decision.source is None or decision.destination is None:
        return
    yield from _unusable_servers_left_out(decision)
    yield from _own_out_list(decision)
    yield from _instead_of_direct(decision)
    yield from _direct_attempt(decision)
    if observed is None or len(set(observed)) > 1:
        yield from _several(decision, frozenset({next_hops.VIA_SERVER}), readings.SEVERAL_ROUTING_SERVERS, observed)
        yield from _several(decision, THROUGH_GATES, readings.SEVERAL_GATES, observed)
        yield from _dearer_alternates(decision, observed)
    for opening in openings(decision):
        yield AnswerPattern(_NONE, opening.explained, may=opening.hops, least=1)
        yield AnswerPattern(_NONE, opening.explained)


def _rank(pattern: AnswerPattern) -> tuple[Standing, bool, int]:
    explained = pattern.explained
    return explained.standing, bool(pattern.may or pattern.first), len(explained.readings)


def _unusable_servers_left_out(decision: NextHopsDecision) -> Patterns:
    """BR-13, BR-56, BR-58: some servers of a configured list that cannot serve are missing."""
    for alternative in decision.allowed.alternatives:
        if next_hops.OUT_LIST in alternative.derivation:
            beside, reading = decision.source, readings.OUT_SERVER_LEFT_OUT
        elif not IN_LISTS.isdisjoint(alternative.derivation):
            beside, reading = decision.destination, readings.IN_SERVER_LEFT_OUT
        else:
            continue
        listed = frozenset(alternative.outcome)
        usable = frozenset(hop for hop in listed if can_serve(decision, hop, beside))
        if usable < listed:
            yield AnswerPattern(usable, _resting(alternative, reading, readings.IDS_DROPPED), may=listed - usable)


def can_serve(decision: NextHopsDecision, server: QueueManagerId, beside: QueueManager | None) -> bool:
    """Return whether a machine exists, is a routing server of a site of ``beside`` and is not the source."""
    machines = decision.view.directory.queue_managers_by_identifier.get(server, ())
    is_source = decision.source is not None and server == decision.source.identifier
    return not is_source and any(
        machine.routing_server and beside is not None and machine.shares_a_site_with(beside) for machine in machines
    )


def _own_out_list(decision: NextHopsDecision) -> Patterns:
    """BR-54: a routing server sends through its own Out list."""
    source = decision.source
    own = frozenset(source.out_routing_server_identifier_list) if source and source.routing_server else _NONE
    if own:
        honoured = frozenset({readings.OWN_OUT_LIST_HONOURED})
        yield AnswerPattern(own, Alternative(tuple(sorted(own)), (next_hops.ROUTER,), honoured))


def _instead_of_direct(decision: NextHopsDecision) -> Patterns:
    """BR-51, BR-52: routing servers in place of the destination, where no network is common, or behind it."""
    source, destination = decision.source, decision.destination
    assert source is not None, "unknown machines tolerate nothing"
    assert destination is not None, "unknown machines tolerate nothing"
    networks = set(source.connected_network_identifier_list), set(destination.connected_network_identifier_list)
    servers = frozenset(routing_servers(decision))
    itself = frozenset({destination.identifier})
    for alternative in decision.allowed.alternatives:
        if DIRECT.isdisjoint(alternative.derivation):
            continue
        if all(networks) and networks[0].isdisjoint(networks[1]):
            yield AnswerPattern(_NONE, _resting(alternative, readings.NETWORKS_HONOURED), may=servers, least=1)
        after = _resting(alternative, readings.ROUTERS_AFTER_DESTINATION)
        yield AnswerPattern(itself, after, may=servers, first=itself, least=2)


def _direct_attempt(decision: NextHopsDecision) -> Patterns:
    """BR-53: where there is no route to another site, the destination is tried directly."""
    assert decision.destination, "unknown machines tolerate nothing"
    for alternative in decision.allowed.alternatives:
        if alternative.outcome == NO_ROUTE:
            yield AnswerPattern(
                frozenset({decision.destination.identifier}), _resting(alternative, readings.DIRECT_ATTEMPT)
            )


def _several(
    decision: NextHopsDecision, branches: frozenset[Step], reading: Reading, observed: NextHops | None
) -> Patterns:
    """BR-34, BR-62: several of the hops each of which is allowed alone; the worst of them counts."""
    best = single_hops(decision, branches)
    if observed is not None:
        best = {hop: best[hop] for hop in observed if hop in best}
    for worst in sorted({alternative.standing for alternative in best.values()}):
        among = {hop: alternative for hop, alternative in best.items() if alternative.standing <= worst}
        explained = _resting(_worst(among.values(), observed), reading)
        yield AnswerPattern(_NONE, explained, may=frozenset(among), least=2)


def _dearer_alternates(decision: NextHopsDecision, observed: NextHops | None) -> Patterns:
    """BR-71: the first hop is an allowed one, gates of other neighbouring sites on the way follow."""
    best = single_hops(decision, frozenset({next_hops.VIA_NEXT_SITE}))
    leading = best if observed is None else {hop: best[hop] for hop in observed[:1] if hop in best}
    if not leading or not decision.tables.may_be_filled:
        return
    following = frozenset(best) | gates_on_other_routes(decision)
    for standing in sorted({alternative.standing for alternative in leading.values()}):
        first = frozenset(hop for hop, alternative in leading.items() if alternative.standing is standing)
        explained = _resting(_worst([leading[hop] for hop in first], observed), readings.ALTERNATE_ROUTES)
        yield AnswerPattern(_NONE, explained, may=following, first=first, least=2)


def gates_on_other_routes(decision: NextHopsDecision) -> set[QueueManagerId]:
    """Return the gates of all neighbours of a root from which a site of the destination is reached without the root."""
    ends = decision.destination.site_identifier_list if decision.destination else ()
    neighbours: set[SiteId] = set()
    for paths in decision.tables.least_costs():
        neighbours |= _connected_without_root(paths, ends) & set(paths.graph.get(paths.root, ()))
    sites = decision.view.directory.sites_by_identifier
    source = decision.source.identifier if decision.source else None
    gates = {
        gate for neighbour in neighbours for site in sites.get(neighbour, ()) for gate in site.site_gate_collection
    }
    return gates - {source}


def _connected_without_root(paths: LeastCosts, ends: tuple[SiteId, ...]) -> set[SiteId]:
    reached = {end for end in ends if end in paths.costs and end != paths.root}
    frontier = list(reached)
    while frontier:
        fresh = [
            neighbour
            for neighbour in paths.graph[frontier.pop()]
            if neighbour not in reached and neighbour != paths.root
        ]
        reached.update(fresh)
        frontier += fresh
    return reached


@dataclass(frozen=True, slots=True)
class Opening:
    """Answers that a reading leaves open: none, or any of ``hops``, one or several."""

    reading: Reading
    derivation: tuple[Step, ...]
    hops: Ids

    @property
    def explained(self) -> Path:
        """Such an answer as an alternative, with no hop."""
        return Alternative(NO_ROUTE, self.derivation, frozenset({self.reading}))


def openings(decision: NextHopsDecision) -> Iterator[Opening]:
    """Yield what is open as the text provides for no such enterprise or question (BR-64, BR-65, BR-69)."""
    source, destination, directory = decision.source, decision.destination, decision.view.directory
    if source is None or destination is None:
        return
    literal = next(iter(decision.allowed)).derivation
    itself = frozenset({destination.identifier})
    if source.identifier == destination.identifier:
        yield Opening(readings.ASKED_FOR_ITSELF, literal, itself | routing_servers(decision))
    if not source.site_identifier_list or not destination.site_identifier_list:
        servers = frozenset(
            queue_manager.identifier for queue_manager in directory.queue_managers if queue_manager.routing_server
        )
        listed = destination.in_routing_server_identifier_list
        yield Opening(readings.WORKGROUP_SERVED, literal, itself.union(servers, listed))
    without_gate = [
        alternative for alternative in decision.allowed.alternatives if not GATELESS.isdisjoint(alternative.derivation)
    ]
    if without_gate and len(directory.sites) > 1:
        gates = frozenset(gate for site in directory.sites for gate in site.site_gate_collection)
        around = (gates | routing_servers(decision)) - {source.identifier}
        yield Opening(readings.AROUND_GATELESS_SITE, without_gate[0].derivation, around)


def single_hops(decision: NextHopsDecision, branches: frozenset[Step]) -> Best:
    """Return the allowed outcomes of one hop that came through ``branches``, the best of each hop."""
    best: dict[QueueManagerId, Path] = {}
    for alternative in decision.allowed:
        if (
            len(alternative.outcome) == 1
            and alternative.standing <= Standing.PERMITTED
            and not branches.isdisjoint(alternative.derivation)
        ):
            best.setdefault(alternative.outcome[0], alternative)
    return best


def routing_servers(decision: NextHopsDecision) -> set[QueueManagerId]:
    """Return the routing servers that share a site with the source."""
    if decision.source is None:
        return set()
    return {server.identifier for server in decision.view.directory.routing_servers_sharing_a_site(decision.source)}


def _worst(alternatives: Iterable[Path], observed: NextHops | None) -> Path:
    """Return the worst of some explanations; of equals, of an observed answer the first."""
    if observed is not None:
        return max(alternatives, key=lambda alternative: alternative.standing)
    return max(
        alternatives, key=lambda alternative: (alternative.standing, len(alternative.readings), alternative.outcome)
    )


def _resting(alternative: Path, *resting: Reading) -> Path:
    return replace(alternative, readings=alternative.readings.union(resting))
