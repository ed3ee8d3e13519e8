"""Where the ambiguity register opens the answer beyond the text of MS-MQBR 3.1.5.

``SITUATIONS`` open a whole question: no answer to it can be called wrong. ``OBSERVATIONS`` open one observed set of
next hops: it is not what the text says, and the register tells why it may be seen all the same.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from mqconform.harness.judge.independent.routing_enterprise import Enterprise, Machine
from mqconform.harness.judge.independent.routing_relations import Answer, Question

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
