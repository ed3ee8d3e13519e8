"""Every answer to GetNextHops that is not refused, as patterns that any program can match (MS-MQBR 3.1.5.1).

``judge_next_hops`` says what an answer is worth once it is there; the patterns say it beforehand, so that they can be
handed out with the question. Tests hold the two together answer by answer.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from mqconform.reference.allowed import Alternative, Reading, Standing, Step
from mqconform.reference.directory.elements import QueueManagerId
from mqconform.reference.mqbr import next_hops, readings
from mqconform.reference.mqbr.decision import NextHopsDecision
from mqconform.reference.mqbr.judgement import OUTCOME_OF, Outcome
from mqconform.reference.mqbr.latitude import (
    DIRECT,
    IN_LISTS,
    THROUGH_GATES,
    can_serve,
    gates_on_other_routes,
    openings,
    routing_servers,
    single_hops,
)
from mqconform.reference.mqbr.next_hops import NO_ROUTE, NextHops

Ids = frozenset[QueueManagerId]
_NONE: Final[Ids] = frozenset()
Path = Alternative[NextHops]


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


def answer_patterns(decision: NextHopsDecision) -> tuple[AnswerPattern, ...]:
    """Return the patterns of all answers that are not refused, the first that matches decides.

    An answer that matches none is refused.
    """
    patterns = [
        AnswerPattern(frozenset(alternative.outcome), alternative) for alternative in decision.allowed.alternatives
    ]
    if decision.source is not None and decision.destination is not None:
        patterns += _tolerated(decision)
    not_refused = [pattern for pattern in patterns if pattern.explained.standing <= Standing.PERMITTED]
    return tuple(dict.fromkeys(sorted(not_refused, key=_rank)))


def _rank(pattern: AnswerPattern) -> tuple[Standing, bool, int]:
    explained = pattern.explained
    return explained.standing, bool(pattern.may or pattern.first), len(explained.readings)


def _tolerated(decision: NextHopsDecision) -> Iterator[AnswerPattern]:
    """Yield what the register tolerates beside the allowed outcomes, entry by entry as ``latitude`` does."""
    yield from _unusable_servers_left_out(decision)
    yield from _own_out_list(decision)
    yield from _instead_of_direct(decision)
    yield from _direct_attempt(decision)
    yield from _several(decision, frozenset({next_hops.VIA_SERVER}), readings.SEVERAL_ROUTING_SERVERS)
    yield from _several(decision, THROUGH_GATES, readings.SEVERAL_GATES)
    yield from _dearer_alternates(decision)
    for opening in openings(decision):
        yield AnswerPattern(_NONE, opening.explained(()), may=opening.hops, least=1)
        if opening.no_route:
            yield AnswerPattern(_NONE, opening.explained(()))


def _unusable_servers_left_out(decision: NextHopsDecision) -> Iterator[AnswerPattern]:
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


def _own_out_list(decision: NextHopsDecision) -> Iterator[AnswerPattern]:
    """BR-54: a routing server sends through its own Out list."""
    source = decision.source
    own = frozenset(source.out_routing_server_identifier_list) if source and source.routing_server else _NONE
    if own:
        honoured = frozenset({readings.OWN_OUT_LIST_HONOURED})
        yield AnswerPattern(own, Alternative(tuple(sorted(own)), (next_hops.ROUTER,), honoured))


def _instead_of_direct(decision: NextHopsDecision) -> Iterator[AnswerPattern]:
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


def _direct_attempt(decision: NextHopsDecision) -> Iterator[AnswerPattern]:
    """BR-53: where there is no route to another site, the destination is tried directly."""
    assert decision.destination, "unknown machines tolerate nothing"
    for alternative in decision.allowed.alternatives:
        if alternative.outcome == NO_ROUTE:
            yield AnswerPattern(
                frozenset({decision.destination.identifier}), _resting(alternative, readings.DIRECT_ATTEMPT)
            )


def _several(decision: NextHopsDecision, branches: frozenset[Step], reading: Reading) -> Iterator[AnswerPattern]:
    """BR-34, BR-62: several of the hops each of which is allowed alone; the worst of them counts."""
    best = single_hops(decision, branches)
    for worst in sorted({alternative.standing for alternative in best.values()}):
        among = {hop: alternative for hop, alternative in best.items() if alternative.standing <= worst}
        explained = _resting(_worst(among.values()), reading)
        yield AnswerPattern(_NONE, explained, may=frozenset(among), least=2)


def _dearer_alternates(decision: NextHopsDecision) -> Iterator[AnswerPattern]:
    """BR-71: the first hop is an allowed one, gates of other neighbouring sites on the way follow."""
    best = single_hops(decision, frozenset({next_hops.VIA_NEXT_SITE}))
    if not best or not decision.tables.may_be_filled:
        return
    following = frozenset(best) | gates_on_other_routes(decision)
    for standing in sorted({alternative.standing for alternative in best.values()}):
        first = frozenset(hop for hop, alternative in best.items() if alternative.standing is standing)
        explained = _resting(_worst(best[hop] for hop in first), readings.ALTERNATE_ROUTES)
        yield AnswerPattern(_NONE, explained, may=following, first=first, least=2)


def _worst(alternatives: Iterable[Path]) -> Path:
    return max(
        alternatives, key=lambda alternative: (alternative.standing, len(alternative.readings), alternative.outcome)
    )


def _resting(alternative: Path, *resting: Reading) -> Path:
    return replace(alternative, readings=alternative.readings.union(resting))
