"""The second routing oracle: allowed next hops by MS-MQBR 3.1.3.1 and 3.1.5, written from the text alone.

Where the specification gives procedures, this gives a table of relations (``routing_relations``) and a property of
the graph of sites (``routing_graph``). It shares no code with the reference, so that the two can outvote a mistake.
``SITUATIONS`` of the ambiguity register open a whole question: no answer to it can be called wrong. ``OBSERVATIONS``
open one observed set of next hops: it is not what the text says, and the register tells why it may be seen.
"""

from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from itertools import product
from typing import Any, Literal

from mqconform.harness.judge.independent.routing_graph import Enterprise, Graphs, Machine, read_enterprise, rustworkx
from mqconform.harness.judge.independent.routing_relations import NO_ROUTE, Answer, HopSets, Question

NOT_FOLLOWED = frozenset(
    {
        "BR-17/old-table-kept",
        "BR-18/bad-object-skipped",
        "BR-32/outside-gate-left-out",
        "BR-32/outside-gate-used",
        "BR-37/own-site-row-decides",
        "BR-38/rows-of-several-roots",
        "BR-38/self-hop",
        "BR-40/cost-forced-into-range",
        "BR-40/cost-used-as-given",
        "BR-40/link-left-out",
        "BR-41/some-combination",
        "BR-42/changes-the-result",
        "BR-46/table-filled",
        "BR-48/refreshed-once",
        "BR-49/site-attributes-within-12-hours",
        "BR-56/self-kept",
        "BR-56/self-left-out",
        "BR-57/destination",
        "BR-57/list-with-self",
        "BR-57/self-left-out",
    }
)
"""Readings that open a question or an answer here, and give outcomes of their own elsewhere."""

LEAST_COST, MOST_COST = 1, 999_999
"""The range of RoutingLink.ActualCost (MS-MQDMPR 3.1.1.8)."""

BY_GATE = {Answer.OWN_GATE, Answer.NEXT_GATE}


@dataclass(frozen=True)
class Situation:
    """A question, and whether it is one of several."""

    question: Question
    twins: bool
    """The source or the destination is one of several records with one GUID."""

    @property
    def enterprise(self) -> Enterprise:
        """The directory's content."""
        return self.question.enterprise

    @property
    def chosen_gates(self) -> Iterator[tuple[str, str]]:
        """Pairs of a site whose gate may be the answer and a gate of it."""
        for site in self.question.gate_sites:
            if site is not None:
                yield from ((site, gate) for gate in self.enterprise.gates.get(site, ()))

    def records(self, guids: frozenset[str]) -> Iterator[Machine | None]:
        """Yield the machines with these GUIDs, None for one that the directory does not hold."""
        for guid in guids:
            yield from self.enterprise.machines.get(guid, (None,))


def several_records(situation: Situation) -> bool:
    """Several records have one of the two GUIDs."""
    return situation.twins


def gate_outside_its_site(situation: Situation) -> bool:
    """A gate in question, or the source, is a gate of a site that it does not belong to."""
    source = situation.question.source
    outside = any(
        machine is None or site not in machine.sites
        for site, gate in situation.chosen_gates
        for machine in situation.records(frozenset({gate}))
    )
    return outside or any(
        source.guid in gates and site not in source.sites for site, gates in situation.enterprise.gates.items()
    )


def hop_to_itself_alone(situation: Situation) -> bool:
    """The text gives nothing but a hop of a gate to itself."""
    source = situation.question.source.guid
    return situation.question.answer is Answer.NEXT_GATE and situation.question.hop_sets == {frozenset({source})}


def cost_out_of_range(situation: Situation) -> bool:
    """A link has a cost that the data model does not admit, and costs decide."""
    return situation.question.answer is Answer.NEXT_GATE and any(
        not LEAST_COST <= cost <= MOST_COST
        for ends, costs in situation.enterprise.links.items()
        for cost in costs
        if len(ends) == 2
    )


def unknown_site_changes_the_path(situation: Situation) -> bool:
    """A site that only links name would change the next sites, were it a vertex."""
    question = situation.question
    return question.answer is Answer.NEXT_GATE and (
        question.next_sites_in(question.graphs.weighted[0])
        != question.next_sites_in(question.graphs.with_unknown_sites)
    )


def no_shared_network(situation: Situation) -> bool:
    """The destination is to be reached directly although no connected network is shared."""
    source, destination = situation.question.source, situation.question.destination
    listed = source.networks | destination.networks
    return (
        situation.question.answer is Answer.DESTINATION
        and bool(listed)
        and source.networks.isdisjoint(destination.networks)
    )


def unfit_out_server(situation: Situation) -> bool:
    """An Out server is the source itself, unknown, no routing server or in none of the source's sites."""
    question = situation.question
    return question.answer is Answer.OUT_LIST and any(
        machine is None
        or not machine.routes
        or machine.guid == question.source.guid
        or machine.sites.isdisjoint(question.source.sites)
        for machine in situation.records(question.source.out_servers)
    )


def source_in_the_in_list(situation: Situation) -> bool:
    """The In list is the answer and names the source: a hop to itself."""
    question = situation.question
    return question.answer is Answer.IN_LIST and question.source.guid in question.destination.in_servers


def unfit_in_server(situation: Situation) -> bool:
    """An In server is unknown, or can neither reach the destination directly nor route."""
    question = situation.question
    return question.answer is Answer.IN_LIST and any(
        machine is None or (not machine.routes and machine.sites.isdisjoint(question.destination.sites))
        for machine in situation.records(question.destination.in_servers)
    )


SITUATIONS: tuple[tuple[str, Callable[[Situation], bool]], ...] = (
    ("BR-25", several_records),
    ("BR-32", gate_outside_its_site),
    ("BR-38", hop_to_itself_alone),
    ("BR-40", cost_out_of_range),
    ("BR-42", unknown_site_changes_the_path),
    ("BR-51", no_shared_network),
    ("BR-56", unfit_out_server),
    ("BR-57", source_in_the_in_list),
    ("BR-58", unfit_in_server),
)


def hop_to_itself(question: Question, observed: frozenset[str]) -> bool:
    """The source is its own next hop, as a gate of several sites may be, or none is left of such an answer."""
    itself = question.source.guid
    return itself in observed or (not observed and frozenset({itself}) in question.hop_sets)


def routing_server_as_fall_back(question: Question, observed: frozenset[str]) -> bool:
    """Routing servers of the source's sites stand beside the destination (1.3.2)."""
    near = question.enterprise.routers_near(question.source)
    destination = question.destination.guid
    return question.answer is Answer.DESTINATION and destination in observed and observed - {destination} <= near


def direct_attempt(question: Question, observed: frozenset[str]) -> bool:
    """The destination is tried directly where there may be no route to it."""
    return frozenset() in question.hop_sets and observed == {question.destination.guid}


def router_honours_its_out_list(question: Question, observed: frozenset[str]) -> bool:
    """A routing server sends through its own Out list (1.3.2)."""
    return question.source.routes and bool(observed) and observed == question.source.out_servers


def alternates_beside_an_allowed_gate(question: Question, observed: frozenset[str]) -> bool:
    """Gates of other neighbouring sites stand beside an allowed one, as routes of higher cost."""
    if question.answer is not Answer.NEXT_GATE:
        return False
    around = {site for root in question.own_sites for site in question.graphs.weighted[0].neighbours(root)}
    gates = frozenset().union(*(question.enterprise.gates.get(site, frozenset()) for site in around))
    return observed <= gates and any(bool(hops) and hops <= observed for hops in question.hop_sets)


def way_over_parallel_links(question: Question, observed: frozenset[str]) -> bool:
    """Gates of sites that some choice may give where more links are parallel than choices are tried out."""
    if question.answer is not Answer.NEXT_GATE or not observed:
        return False
    targets = question.destination.sites & question.enterprise.gates.keys()
    site_sets = (question.graphs.possible_next_sites(root, site) for root in question.own_sites for site in targets)
    gates = (question.enterprise.gates[site] for sites in site_sets for site in sites)
    return observed <= frozenset().union(*gates)


def asked_for_itself(question: Question, observed: frozenset[str]) -> bool:
    """A queue manager is asked for the way to itself: itself, a routing server of its sites, or nothing."""
    itself = question.source.guid
    near = question.enterprise.routers_near(question.source)
    return itself == question.destination.guid and observed <= near | {itself}


def machine_without_site(question: Question, observed: frozenset[str]) -> bool:
    """A machine is in no site and served all the same, directly or by routing servers, or not served."""
    if question.source.sites and question.destination.sites:
        return False
    routers = {machine.guid for twins in question.enterprise.machines.values() for machine in twins if machine.routes}
    return observed <= routers | question.destination.in_servers | {question.destination.guid}


def way_around_a_site_without_gate(question: Question, observed: frozenset[str]) -> bool:
    """The site whose gate is wanted has none although every site of several must (1.5): other gates and routers."""
    gates = question.enterprise.gates
    wanting = question.answer in BY_GATE and any(
        site is not None and not gates.get(site) for site in question.gate_sites
    )
    around = frozenset().union(*gates.values()) | question.enterprise.routers_near(question.source)
    return wanting and len(gates) > 1 and observed <= around


OBSERVATIONS: tuple[tuple[str, Callable[[Question, frozenset[str]], bool]], ...] = (
    ("BR-38", hop_to_itself),
    ("BR-41", way_over_parallel_links),
    ("BR-52", routing_server_as_fall_back),
    ("BR-53", direct_attempt),
    ("BR-54", router_honours_its_out_list),
    ("BR-64", asked_for_itself),
    ("BR-65", machine_without_site),
    ("BR-69", way_around_a_site_without_gate),
    ("BR-71", alternates_beside_an_allowed_gate),
)


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
