"""All next hops that a router may answer with at one moment (MS-MQBR 3.1.5.1 under the register).

``get_next_hops`` gives what the text allows from one routing table and one view of the directory. Here the tables and
views that may be in use are brought together, and answers that the text gives although they cannot work - a machine
handing the message to itself - are marked as such beside what an implementation may do instead.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from mqconform.reference.allowed import Allowed, Alternative, Reading, any_of, choice
from mqconform.reference.directory.elements import QueueManager, QueueManagerId
from mqconform.reference.directory.reading import DirectoryView
from mqconform.reference.mqbr import next_hops, readings
from mqconform.reference.mqbr.clock import RouterState
from mqconform.reference.mqbr.lookups import get_queue_manager
from mqconform.reference.mqbr.next_hops import NO_ROUTE, NextHops, get_next_hops
from mqconform.reference.mqbr.routing_table import RoutingTables, initialize_routing_table


@dataclass(frozen=True)
class NextHopsDecision:
    """One question for next hops with all allowed answers.

    Attributes:
        source: record of the local queue manager, None where the directory yields none.
        destination: record of the destination, None where the directory yields none.
        tables: the tables that the text gives the source.
    """

    allowed: Allowed[NextHops]
    view: DirectoryView
    tables: RoutingTables
    source: QueueManager | None
    destination: QueueManager | None

    @property
    def ambiguities(self) -> frozenset[str]:
        """Ids of the register entries that made the set plural."""
        return self.allowed.ambiguities


def decide_next_hops(state: RouterState, destination: QueueManagerId) -> NextHopsDecision:
    """Return all next hops that the local queue manager may answer with for a destination.

    Args:
        state: the local queue manager, which is the source, with what it may know.
        destination: identifier of the destination; it may be unknown.
    """
    versions = tuple(state.tables())
    allowed = choice(
        (
            of_view,
            choice((reading, get_next_hops(view, tables, state.local, destination)) for reading, tables in versions),
        )
        for of_view, view in state.views()
    )
    # One object that cannot be read spoils the whole reading (3.1.5.9); an implementation may pass over it.
    skipping = any_of(
        get_next_hops(view, tables, state.local, destination)
        for view in state.view.without_bad_object()
        for tables in (*(tables for _, tables in versions), initialize_routing_table(view, state.local))
    )
    allowed = any_of([allowed, skipping.under(readings.BAD_OBJECT_SKIPPED)])
    source, target = (
        get_queue_manager(state.view, machine_id).alternatives[0].outcome for machine_id in (state.local, destination)
    )
    if source and target:
        allowed = _with_loops_marked(source, target, allowed)
    return NextHopsDecision(allowed, state.view, versions[0][1], source, target)


def _with_loops_marked(
    source: QueueManager, destination: QueueManager, allowed: Allowed[NextHops]
) -> Allowed[NextHops]:
    """Return the outcomes with those marked that send the message back to its source, and what may replace them."""
    return any_of(
        Allowed(tuple(_loop_or_not(source, destination, alternative))) for alternative in allowed.alternatives
    )


def _loop_or_not(
    source: QueueManager, destination: QueueManager, alternative: Alternative[NextHops]
) -> Iterator[Alternative[NextHops]]:
    if source.identifier not in alternative.outcome or source.identifier == destination.identifier:
        yield alternative
        return
    without = tuple(hop for hop in alternative.outcome if hop != source.identifier)
    if next_hops.OUT_LIST in alternative.derivation:
        yield _resting(alternative, alternative.outcome, readings.SELF_KEPT)
        yield _resting(alternative, without, readings.SELF_LEFT_OUT)
    elif next_hops.CLIENT_IN_LIST in alternative.derivation:
        yield _resting(alternative, alternative.outcome, readings.IN_LIST_WITH_SELF)
        yield _resting(alternative, without, readings.IN_LIST_WITHOUT_SELF)
        yield _resting(alternative, (destination.identifier,), readings.IN_SERVER_SENDS_DIRECTLY)
    else:
        # No branch of 3.1.5.3 asks whether the gate of the next site is the source.
        yield _resting(alternative, alternative.outcome, readings.SELF_HOP)
        yield _resting(alternative, NO_ROUTE, readings.SELF_HOP)


def _resting(alternative: Alternative[NextHops], outcome: NextHops, reading: Reading) -> Alternative[NextHops]:
    return Alternative(outcome, alternative.derivation, alternative.readings | {reading})
