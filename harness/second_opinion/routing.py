"""The second routing oracle: allowed next hops by MS-MQBR 3.1.3.1 and 3.1.5, written from the text alone.

Where the specification gives procedures, this gives a table of relations (``routing_relations``) and a property of
the graph of sites (``routing_graph``). It shares no code with the reference, so that the two can outvote a mistake.
"""

from collections import OrderedDict
from collections.abc import Collection, Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any, Literal

from mqconform.harness.second_opinion.routing_enterprise import Enterprise, read_enterprise
from mqconform.harness.second_opinion.routing_graph import SiteGraph
from mqconform.harness.second_opinion.routing_open import OBSERVATIONS, SITUATIONS, Situation
from mqconform.harness.second_opinion.routing_relations import NO_ROUTE, HopSets, Question

Vote = Literal["allowed", "not allowed", "open"]

DOCUMENTS_KEPT = 4


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
        """Read the enterprise document; UnreadableEnterprise names what is wrong with it."""
        self._enterprise = read_enterprise(document)
        self._graph = _graph(self._enterprise, frozenset(self._enterprise.gates))

    def allowed_next_hops(self, source: str, destination: str) -> Opinion:
        """Return what GetNextHops may answer with a freshly built RoutingTable (3.1.5.1)."""
        questions = list(self._questions(source, destination))
        if not questions:
            return Opinion(NO_ROUTE, plain=True)
        sets: HopSets = frozenset().union(*(question.hop_sets for question in questions))
        situations = [Situation(question, self._wider_graph, len(questions) > 1) for question in questions]
        because = tuple(name for name, holds in SITUATIONS if any(map(holds, situations)))
        return Opinion(sets, not because, because)

    def vote(self, source: str, destination: str, observed: Collection[str]) -> Vote:
        """Judge observed next hops as a set; none of them is "no route"."""
        hops = frozenset(guid.lower() for guid in observed)
        opinion = self.allowed_next_hops(source, destination)
        questions = list(self._questions(source, destination))
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
            yield Question(self._enterprise, self._graph, *pair)

    @cached_property
    def _wider_graph(self) -> SiteGraph:
        known = frozenset(self._enterprise.gates)
        named = known.union(*self._enterprise.links)
        return self._graph if named == known else _graph(self._enterprise, named)


def allowed_next_hops(document: dict[str, Any], source: str, destination: str) -> Opinion:
    """Return the second opinion on the next hops from source to destination (MS-MQBR 3.1.5.1).

    Args:
        document: the enterprise document; its indexes and distances are kept for the next question about the same.
        source: GUID of the source QueueManager, in any case.
        destination: GUID of the destination QueueManager, in any case.

    Raises:
        UnreadableEnterprise: a field of the document has the wrong shape.
        SecondOpinionMissing: rustworkx is not installed.
    """
    return _opinion_on(document).allowed_next_hops(source, destination)


def vote(document: dict[str, Any], source: str, destination: str, observed: Collection[str]) -> Vote:
    """Judge observed next hops: by the text, against it, or open by the register. Raises as allowed_next_hops."""
    return _opinion_on(document).vote(source, destination, observed)


def compare(first_outcomes: Iterable[Collection[str]], opinion: Opinion) -> None:
    """Raise OracleDisagreement unless the first oracle allows the same sets of next hops (empty = no route)."""
    first = frozenset(frozenset(guid.lower() for guid in outcome) for outcome in first_outcomes)
    if first != opinion.sets:
        raise OracleDisagreement(
            f"the first routing oracle alone allows {_shown(first - opinion.sets)}, "
            f"the second alone {_shown(opinion.sets - first)}"
            + (f" (open by {', '.join(opinion.because)})" if opinion.because else "")
        )


_kept: OrderedDict[int, tuple[dict[str, Any], RoutingOpinion]] = OrderedDict()
"""id of a document -> what it held when it was indexed, and the index; compared anew at every question."""


def _opinion_on(document: dict[str, Any]) -> RoutingOpinion:
    kept = _kept.get(id(document))
    if kept is None or kept[0] != document:
        kept = _kept[id(document)] = (deepcopy(document), RoutingOpinion(document))
    _kept.move_to_end(id(document))
    while len(_kept) > DOCUMENTS_KEPT:
        _kept.popitem(last=False)
    return kept[1]


def _graph(enterprise: Enterprise, sites: frozenset[str]) -> SiteGraph:
    # of parallel links the least-cost path takes the cheapest (BR-41)
    return SiteGraph(sites, {ends: min(costs) for ends, costs in enterprise.links.items()})


def _shown(sets: HopSets) -> str:
    return (
        " or ".join(sorted("no route" if not hops else "{" + ", ".join(sorted(hops)) + "}" for hops in sets))
        or "nothing"
    )
