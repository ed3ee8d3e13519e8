"""Clients that wait for too long or too short, or end an event wrongly (MS-MQSD 3.1.2.1, 3.1.4.1, 3.1.6.1)."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from mqconform.harness.builtin.discovery_client import ReferenceDiscoveryClient
from mqconform.harness.iut import Json
from mqconform.harness.mutants.mqsd_client_mutant import (
    ClientFactory,
    ClientMutant,
    ClientMutantIut,
    Reaction,
    doing,
    following,
)
from mqconform.reference.mqsd.client import (
    UNDISPUTED,
    ClientState,
    Complete,
    DatagramReceived,
    Effect,
    Event,
    GetDirectoryServerList,
    Result,
    Send,
)
from mqconform.reference.mqsd.client.readings_of_events import ListsAfterFailure

WAIT = 15.0


class OtherClock(ReferenceDiscoveryClient):
    """Waits for another time than 15 seconds."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self._pace = WAIT / seconds

    def advance_clock(self, seconds: float) -> Json:
        """Let its own time pass."""
        return super().advance_clock(seconds * self._pace)


def late_client() -> ClientMutantIut:
    """Return a client that waits two seconds too long, which a real clock tells beyond all tolerance."""
    return ClientMutant("client-late", "The wait is 17 s.", _waits(17)).iut()


def _waits(seconds: float) -> ClientFactory:
    return lambda: OtherClock(seconds)


def _ending(change: Callable[[Complete], Sequence[Effect]]) -> ClientFactory:
    def does(before: ClientState, event: Event, after: ClientState, effects: Sequence[Effect]) -> Reaction:
        del before, event
        return after, [new for one in effects for new in (change(one) if isinstance(one, Complete) else [one])]

    return doing(does)


def _always(result: Result) -> ClientFactory:
    return _ending(lambda _: [Complete(result)])


def _wait_goes_on(before: ClientState, event: Event, after: ClientState, effects: Sequence[Effect]) -> Reaction:
    """Keep the deadline of the network before when a reply moves the client on."""
    moved = isinstance(event, DatagramReceived) and any(isinstance(one, Send) for one in effects)
    if moved and before.wait_for_response_timer is not None:
        return replace(after, wait_for_response_timer=before.wait_for_response_timer), effects
    return after, effects


def _wait_outlives(before: ClientState, event: Event, after: ClientState, effects: Sequence[Effect]) -> Reaction:
    """Let the wait go on although a reply has ended the event."""
    if isinstance(event, DatagramReceived) and any(isinstance(one, Complete) for one in effects):
        return replace(after, wait_for_response_timer=before.wait_for_response_timer), effects
    return after, effects


def _remembers(before: ClientState, event: Event, after: ClientState, effects: Sequence[Effect]) -> Reaction:
    """Go into an event with what the one before has received."""
    if isinstance(event, GetDirectoryServerList) and before.topology_server_reply_received:
        return replace(after, topology_server_reply_received=True), effects
    return after, effects


def _believes_in_a_network(
    before: ClientState, event: Event, after: ClientState, effects: Sequence[Effect]
) -> Reaction:
    """Complete the very first event at once."""
    if isinstance(event, GetDirectoryServerList) and before.request_id is None:
        return before, [Complete(Result.SUCCESS)]
    return after, effects


def _stays_valid(before: ClientState, event: Event, after: ClientState, effects: Sequence[Effect]) -> Reaction:
    """Leave the flag as it was when an event fails."""
    del before, event
    if Complete(Result.FAILURE) in effects:
        return replace(after, valid_last_successful_network_address=True), effects
    return after, effects


def _starts_at_second(before: ClientState, event: Event, after: ClientState, effects: Sequence[Effect]) -> Reaction:
    """Begin a later event where the one before ended."""
    if isinstance(event, GetDirectoryServerList) and before.request_id and len(after.networks) > 1:
        second = after.networks[1].address
        moved = [replace(one, network=second) if isinstance(one, Send) else one for one in effects]
        return replace(after, current_network_index=2), moved
    return after, effects


MUTANTS = (
    ClientMutant("client-waits-10", "The wait is 10 s.", _waits(10), ("MQSD-3.1.2.1-01",)),
    ClientMutant("client-waits-14-9", "The wait is 14.9 s.", _waits(14.9), ("MQSD-3.1.2.1-01",)),
    ClientMutant("client-waits-15-1", "The wait is 15.1 s.", _waits(15.1), ("MQSD-3.1.2.1-03",)),
    ClientMutant("client-waits-30", "The wait is 30 s.", _waits(30), ("MQSD-3.1.2.1-03",)),
    ClientMutant(
        "client-wait-not-restarted",
        "A request that a reply leads to does not begin a wait of its own.",
        doing(_wait_goes_on),
        ("MQSD-3.1.5.1-03", "MQSD-3.1.5.2-09", "MQSD-3.1.2.1-02"),
    ),
    ClientMutant(
        "client-wait-not-stopped",
        "The wait goes on after the reply that completes the event.",
        doing(_wait_outlives),
        ("MQSD-3.1.5.2-15", "MQSD-3.1.5.2-29"),
    ),
    ClientMutant(
        "client-never-completes",
        "Completion is not reported.",
        _ending(lambda _: []),
        ("MQSD-3.1.5.2-34", "MQSD-3.1.4.1-02", "MQSD-3.1.5.2-20", "MQSD-3.1.6.1-07"),
    ),
    ClientMutant(
        "client-completes-twice",
        "Completion is reported twice.",
        _ending(lambda one: [one, one]),
        ("MQSD-3.1.5.2-34",),
    ),
    ClientMutant(
        "client-success-on-failure",
        "Failure is reported as success.",
        _always(Result.SUCCESS),
        ("MQSD-3.1.6.1-03", "MQSD-3.1.4.1-03"),
    ),
    ClientMutant(
        "client-failure-on-success",
        "Success is reported as failure.",
        _always(Result.FAILURE),
        ("MQSD-3.1.5.2-34", "MQSD-3.1.6.1-04"),
    ),
    ClientMutant(
        "client-remembers-replies",
        "An event counts the replies of the event before.",
        doing(_remembers),
        ("MQSD-3.1.4.1-09",),
    ),
    ClientMutant(
        "client-knows-a-network-at-start",
        "The first event completes without a request.",
        doing(_believes_in_a_network),
        ("MQSD-3.1.3-02",),
    ),
    ClientMutant(
        "client-valid-after-failure",
        "A last successful network is known after a failure.",
        doing(_stays_valid),
        ("MQSD-3.1.6.1-03",),
    ),
    ClientMutant(
        "client-later-event-at-second-network",
        "A later event begins with the second network.",
        doing(_starts_at_second),
        ("MQSD-3.1.4.1-08",),
    ),
    ClientMutant(
        "client-lists-cleared-after-failure",
        "A failure empties the lists.",
        following(replace(UNDISPUTED, lists_after_failure=ListsAfterFailure.CLEARED)),
        ("MQSD-3.1.6.1-03", "MQSD-3.1.7.1-02"),
    ),
)
