"""The second routing oracle: allowed next hops by MS-MQBR 3.1.3.1 and 3.1.5, written from the text alone.

Where the specification gives procedures, this gives a table of relations (``routing_relations``) and a property of
the graph of sites (``routing_graph``). It shares no code with the reference, so that the two can outvote a mistake.
"""

from collections import OrderedDict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from itertools import product
from typing import Any, Literal

from mqconform.harness.judge.independent.routing_enterprise import read_enterprise
from mqconform.harness.judge.independent.routing_graph import Graphs, rustworkx
from mqconform.harness.judge.independent.routing_open import NOT_FOLLOWED, OBSERVATIONS, SITUATIONS, Situation
from mqconform.harness.judge.independent.routing_relations import NO_ROUTE, Answer, HopSets, Question

Vote = Literal["allowed", "not allowed", "open"]

DOCUMENTS_KEPT = 4
Outcomes = Iterable[tuple[Collection[str], Collection[str]]]
"""Sets of next hops, each with the readings of the register that it rests on, such as ``BR-28/any-member``."""


class OracleDisagreement(Exception):
    """The two routing oracles allow different next hops: one of them, or the register, is wrong."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """What the text allows for one source and destination."""

    sets: HopSets
    """Allowed sets of QueueManager GUIDs in lower case; the empty set is "no route"."""
    plain: bool
    """False where the ambiguity register opens the answer beyond these sets."""
    because: tuple[str, ...] = ()
    """The register's ids (BR-..) that open it, in ascending order."""


class RoutingOpinion:
    """One enterprise with its graphs; for many questions about a document that stays as it is."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        """Index the enterprise document."""
        rustworkx()  # missing, it is to be missed now and not at the first question that crosses sites
        self._enterprise = read_enterprise(document)
        self._graphs = Graphs(self._enterprise)

    def allowed_next_hops(self, source: str, destination: str) -> Opinion:
        """Return what GetNextHops may answer with a freshly built RoutingTable (3.1.5.1)."""
        return _opinion(tuple(self._questions(source, destination)))

    def vote(self, source: str, destination: str, observed: Collection[str]) -> Vote:
        """Judge observed next hops as a set; none of them is "no route"."""
        hops = frozenset(guid.lower() for guid in observed)
        questions = tuple(self._questions(source, destination))
        opinion = _opinion(questions)
        # several of the machines of which the text picks one: BR-34, BR-62
        several = bool(hops) and all(frozenset({guid}) in opinion.sets for guid in hops)
        to_itself = source.lower() in hops
        if (hops in opinion.sets or several) and not to_itself:
            return "allowed"
        if not opinion.plain or any(holds(question, hops) for question in questions for _, holds in OBSERVATIONS):
            return "open"
        return "not allowed"

    def _questions(self, source: str, destination: str) -> Iterator[Question]:
        machines = self._enterprise.machines
        for pair in product(machines.get(source.lower(), ()), machines.get(destination.lower(), ())):
            yield Question(self._enterprise, self._graphs, *pair)


def allowed_next_hops(document: dict[str, Any], source: str, destination: str) -> Opinion:
    """Return the second opinion on the next hops from source to destination (MS-MQBR 3.1.5.1).

    Args:
        document: the enterprise document; its indexes and distances are kept for the next question about the same.
        source: GUID of the source QueueManager, in any case.
        destination: GUID of the destination QueueManager, in any case.

    Raises:
        SecondOpinionMissing: rustworkx is not installed.
    """
    return _opinion_on(document).allowed_next_hops(source, destination)


def vote(document: dict[str, Any], source: str, destination: str, observed: Collection[str]) -> Vote:
    """Judge observed next hops: by the text, against it, or open by the register. Raises as allowed_next_hops."""
    return _opinion_on(document).vote(source, destination, observed)


def compare(first_outcomes: Outcomes, opinion: Opinion) -> None:
    """Raise OracleDisagreement unless the first oracle allows the same sets of next hops (empty = no route).

    Args:
        first_outcomes: what the first oracle allows, each with the readings of the register that it rests on; those
            that rest on a reading which this oracle does not follow are left out.
        opinion: the second opinion; where it is not plain, the first oracle may allow less and must not allow more.
    """
    first = frozenset(
        frozenset(guid.lower() for guid in outcome)
        for outcome, readings in first_outcomes
        if NOT_FOLLOWED.isdisjoint(readings)
    )
    if not first <= opinion.sets or (opinion.plain and first != opinion.sets):
        raise OracleDisagreement(
            f"the first routing oracle alone allows {_sets_text(first - opinion.sets)}, "
            f"the second alone {_sets_text(opinion.sets - first)}"
            + (f" (open by {', '.join(opinion.because)})" if opinion.because else "")
        )


def hold_against_second_opinion(
    document: dict[str, Any], source: str, destination: str, first_outcomes: Outcomes
) -> None:
    """Compare what both oracles allow a router whose table was just built (MS-MQBR 3.1.5.1).

    Raises:
        OracleDisagreement: naming the question and both answers.
    """
    compare(first_outcomes, allowed_next_hops(document, source, destination))


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


def _opinion(questions: Sequence[Question]) -> Opinion:
    if not questions:
        return Opinion(NO_ROUTE, plain=True)
    sets: HopSets = frozenset().union(*(_without_hop_to_itself(question) for question in questions))
    situations = [Situation(question, len(questions) > 1) for question in questions]
    because = tuple(name for name, holds in SITUATIONS if any(map(holds, situations)))
    return Opinion(sets, not because, because)


def _without_hop_to_itself(question: Question) -> HopSets:
    """Leave out what a gate of several sites cannot act on: itself as the gate of the next site (BR-38)."""
    is_next_gate = question.answer is Answer.NEXT_GATE
    return question.hop_sets - {frozenset({question.source.guid})} if is_next_gate else question.hop_sets


def _sets_text(sets: HopSets) -> str:
    return (
        " or ".join(sorted("no route" if not hops else "{" + ", ".join(sorted(hops)) + "}" for hops in sets))
        or "nothing"
    )
