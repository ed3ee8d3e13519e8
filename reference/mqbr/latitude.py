"""Answers beside the allowed ones that the register tolerates: longer lists, shortened lists, other ways (BR-13 ff).

Each function says for one register entry whether an observed list of hops is such an answer; what it yields rests on
the entry's reading. Observed lists are compared as sets (BR-61) unless a function says that the first hop counts.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from mqconform.reference.allowed import Alternative, Reading, Standing, Step, settled
from mqconform.reference.directory.elements import QueueManager, QueueManagerId, SiteId
from mqconform.reference.mqbr import lookups, next_hops, readings
from mqconform.reference.mqbr.decision import NextHopsDecision
from mqconform.reference.mqbr.graph import LeastCosts
from mqconform.reference.mqbr.next_hops import NO_ROUTE, NextHops

Tolerated: TypeAlias = Iterator[Alternative[NextHops]]

DIRECT: Final = frozenset({next_hops.CLIENT_DIRECT, next_hops.ROUTER_DIRECT, next_hops.GATE_DIRECT})
IN_LISTS: Final = frozenset({next_hops.CLIENT_IN_LIST, next_hops.ROUTER_IN_LIST, next_hops.GATE_IN_LIST})
GATELESS: Final = frozenset({lookups.GATELESS_OWN_SITE, lookups.GATELESS_SITE})
THROUGH_GATES: Final = frozenset({next_hops.VIA_GATE, next_hops.VIA_NEXT_SITE})


def tolerated(decision: NextHopsDecision, observed: NextHops) -> Tolerated:
    """Yield every explanation that the register has for an answer which is no allowed outcome as it stands.

    Args:
        decision: the question with its allowed outcomes.
        observed: the answer in its order, without Nothing; empty for no route.
    """
    if decision.source is None or decision.destination is None:
        return
    for entry in _ENTRIES:
        yield from entry(decision, observed)


def _unusable_servers_left_out(decision: NextHopsDecision, observed: NextHops) -> Tolerated:
    """BR-13, BR-56, BR-58: servers of a configured list that cannot serve are missing."""
    for alternative in decision.allowed.alternatives:
        if next_hops.OUT_LIST in alternative.derivation:
            beside, reading = decision.source, readings.OUT_SERVER_LEFT_OUT
        elif not IN_LISTS.isdisjoint(alternative.derivation):
            beside, reading = decision.destination, readings.IN_SERVER_LEFT_OUT
        else:
            continue
        usable = {hop for hop in alternative.outcome if can_serve(decision, hop, beside)}
        if usable <= set(observed) < set(alternative.outcome):
            yield _explained(alternative, observed, reading, readings.IDS_DROPPED)


def can_serve(decision: NextHopsDecision, server: QueueManagerId, beside: QueueManager | None) -> bool:
    """Return whether a machine exists, is a routing server of a site of ``beside`` and is not the source."""
    machines = decision.view.directory.queue_managers_by_identifier.get(server, ())
    is_source = decision.source is not None and server == decision.source.identifier
    return not is_source and any(
        machine.routing_server and beside is not None and machine.shares_a_site_with(beside) for machine in machines
    )


def _own_out_list(decision: NextHopsDecision, observed: NextHops) -> Tolerated:
    """BR-54: a routing server sends through its own Out list."""
    source = decision.source
    own = set(source.out_routing_server_identifier_list) if source and source.routing_server else set()
    if own and set(observed) == own:
        yield from settled(observed, next_hops.ROUTER, readings=[readings.OWN_OUT_LIST_HONOURED])


def _networks_honoured(decision: NextHopsDecision, observed: NextHops) -> Tolerated:
    """BR-51: machines without a common connected network are not connected directly but through routing servers."""
    source, destination = decision.source, decision.destination
    if not source or not destination or not observed:
        return
    networks = set(source.connected_network_identifier_list), set(destination.connected_network_identifier_list)
    if all(networks) and networks[0].isdisjoint(networks[1]) and set(observed) <= routing_servers(decision):
        yield from _varied(decision, DIRECT, observed, readings.NETWORKS_HONOURED)


def _servers_after_destination(decision: NextHopsDecision, observed: NextHops) -> Tolerated:
    """BR-52: the destination comes first and routing servers of the site follow."""
    destination = decision.destination
    if len(observed) < 2 or destination is None or observed[0] != destination.identifier:
        return
    if set(observed[1:]) <= routing_servers(decision):
        yield from _varied(decision, DIRECT, observed, readings.ROUTERS_AFTER_DESTINATION)


def _direct_attempt(decision: NextHopsDecision, observed: NextHops) -> Tolerated:
    """BR-53: where there is no route to another site, the destination is tried directly."""
    if decision.destination and observed == (decision.destination.identifier,):
        for alternative in decision.allowed.alternatives:
            if alternative.outcome == NO_ROUTE:
                yield _explained(alternative, observed, readings.DIRECT_ATTEMPT)


def _several_routing_servers(decision: NextHopsDecision, observed: NextHops) -> Tolerated:
    """BR-62: several of the routing servers that share a site, instead of one."""
    yield from _several(decision, frozenset({next_hops.VIA_SERVER}), observed, readings.SEVERAL_ROUTING_SERVERS)


def _several_gates(decision: NextHopsDecision, observed: NextHops) -> Tolerated:
    """BR-34: several of the gates any of which may be the one hop."""
    yield from _several(decision, THROUGH_GATES, observed, readings.SEVERAL_GATES)


def _several(decision: NextHopsDecision, branches: frozenset[Step], observed: NextHops, reading: Reading) -> Tolerated:
    """Yield the answer if each of its hops alone is an allowed outcome of ``branches``; the worst hop counts."""
    if len(set(observed)) < 2:
        return
    best = single_hops(decision, branches)
    if set(observed) <= set(best):
        worst = max((best[hop] for hop in observed), key=lambda alternative: alternative.standing)
        yield _explained(worst, observed, reading)


def _dearer_alternates(decision: NextHopsDecision, observed: NextHops) -> Tolerated:
    """BR-71: the first hop is an allowed one, gates of other neighbouring sites on the way follow."""
    best = single_hops(decision, frozenset({next_hops.VIA_NEXT_SITE}))
    if len(set(observed)) < 2 or observed[0] not in best or not decision.tables.may_be_filled:
        return
    if set(observed) <= set(best) | gates_on_other_routes(decision):
        yield _explained(best[observed[0]], observed, readings.ALTERNATE_ROUTES)


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


def _where_a_precondition_fails(decision: NextHopsDecision, observed: NextHops) -> Tolerated:
    """BR-64, BR-65, BR-69: hops that the text does not give, for questions that it was not written for."""
    for opening in openings(decision):
        if set(observed) <= opening.hops and (observed or opening.no_route):
            yield opening.explained(observed)


@dataclass(frozen=True, slots=True)
class Opening:
    """Answers that a reading leaves open: any of ``hops``, one or several, and with ``no_route`` none."""

    reading: Reading
    derivation: tuple[Step, ...]
    hops: frozenset[QueueManagerId]
    no_route: bool

    def explained(self, observed: NextHops) -> Alternative[NextHops]:
        """Return such an answer as an alternative."""
        return Alternative(observed, self.derivation, frozenset({self.reading}))


def openings(decision: NextHopsDecision) -> Iterator[Opening]:
    """Yield what is open because the enterprise or the question is none that the text provides for."""
    source, destination, directory = decision.source, decision.destination, decision.view.directory
    if source is None or destination is None:
        return
    literal = next(iter(decision.allowed)).derivation
    itself = frozenset({destination.identifier})
    if source.identifier == destination.identifier:
        yield Opening(readings.ASKED_FOR_ITSELF, literal, itself | routing_servers(decision), no_route=True)
    if not source.site_identifier_list or not destination.site_identifier_list:
        servers = frozenset(
            queue_manager.identifier for queue_manager in directory.queue_managers if queue_manager.routing_server
        )
        listed = destination.in_routing_server_identifier_list
        yield Opening(readings.WORKGROUP_SERVED, literal, itself.union(servers, listed), no_route=True)
    without_gate = [
        alternative for alternative in decision.allowed.alternatives if not GATELESS.isdisjoint(alternative.derivation)
    ]
    if without_gate and len(directory.sites) > 1:
        gates = frozenset(gate for site in directory.sites for gate in site.site_gate_collection)
        around = (gates | routing_servers(decision)) - {source.identifier}
        yield Opening(readings.AROUND_GATELESS_SITE, without_gate[0].derivation, around, no_route=True)


def single_hops(decision: NextHopsDecision, branches: frozenset[Step]) -> dict[QueueManagerId, Alternative[NextHops]]:
    """Return the allowed outcomes of one hop that came through ``branches``, the best of each hop."""
    best: dict[QueueManagerId, Alternative[NextHops]] = {}
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


def _varied(decision: NextHopsDecision, branches: frozenset[Step], observed: NextHops, *resting: Reading) -> Tolerated:
    for alternative in decision.allowed.alternatives:
        if not branches.isdisjoint(alternative.derivation):
            yield _explained(alternative, observed, *resting)


def _explained(alternative: Alternative[NextHops], observed: NextHops, *resting: Reading) -> Alternative[NextHops]:
    return Alternative(observed, alternative.derivation, alternative.readings.union(resting))


_ENTRIES: Final[tuple[Callable[[NextHopsDecision, NextHops], Tolerated], ...]] = (
    _unusable_servers_left_out,
    _own_out_list,
    _networks_honoured,
    _servers_after_destination,
    _direct_attempt,
    _several_routing_servers,
    _several_gates,
    _dearer_alternates,
    _where_a_precondition_fails,
)
