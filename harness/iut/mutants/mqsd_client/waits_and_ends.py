"""Clients that wait for too long or too short, or go on wrongly from there (MS-MQSD 3.1.2.1, 3.1.5.2, 3.1.6.1)."""

from collections.abc import Sequence
from dataclasses import replace

from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.mutants.mqsd_client.altered_client import (
    ClientFactory,
    Reaction,
    client,
    following,
    instead_of,
    reacting,
)
from mqconform.harness.iut.mutants.mutant import Mutant
from mqconform.harness.iut.reference_iut.discovery_client import ReferenceDiscoveryClient
from mqconform.reference.mqsd.client import (
    SECOND,
    ClientState,
    ClockAdvanced,
    Complete,
    DatagramReceived,
    Effect,
    Event,
    NetworksChanged,
    Result,
)
from mqconform.reference.mqsd.client.readings_of_events import ListsAfterFailure
from mqconform.reference.mqsd.specification import FACTS

TOO_SHORT, TOO_LONG = ("MQSD-3.1.2.1-01",), ("MQSD-3.1.2.1-03",)


class OtherClock(ReferenceDiscoveryClient):
    """Waits for another time than 15 seconds."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self._pace = FACTS.response_timeout / seconds

    def advance_clock(self, seconds: float) -> Json:
        """Let its own time pass."""
        return super().advance_clock(seconds * self._pace)


def _waits(name: str, says: str, seconds: float, breaks: tuple[str, ...]) -> Mutant:
    return client(name, says, lambda: OtherClock(seconds), breaks)


def _wait_goes_on(reaction: Reaction) -> Reaction:
    """Keep the deadline of the network before when a reply moves the client on."""
    deadline = reaction.before.wait_for_response_timer
    if reaction.to_datagram and reaction.sends and deadline is not None:
        return reaction.leaving(wait_for_response_timer=deadline)
    return reaction


def _wait_outlives(reaction: Reaction) -> Reaction:
    """Let the wait go on although a reply has ended the event."""
    if reaction.to_datagram and reaction.completes:
        return reaction.leaving(wait_for_response_timer=reaction.before.wait_for_response_timer)
    return reaction


class _BeginsWaitAnew(ReferenceDiscoveryClient):
    """Begins the wait anew at events of one kind that should do nothing to it."""

    def __init__(self, kind: type[Event]) -> None:
        super().__init__()
        self._kind = kind

    def react(self, client: ClientState, event: Event) -> tuple[ClientState, Sequence[Effect]]:
        after, effects = super().react(client, event)
        waits = client.wait_for_response_timer is not None
        if isinstance(event, self._kind) and waits and replace(after, networks=client.networks) == client:
            after = replace(after, wait_for_response_timer=self.now + FACTS.response_timeout * SECOND)
        return after, effects


def _stays_valid(reaction: Reaction) -> Reaction:
    """Leave the flag as it was when an event fails."""
    if Complete(Result.FAILURE) in reaction.effects:
        return reaction.leaving(valid_last_successful_network_address=True)
    return reaction


def _moves_on(reaction: Reaction) -> bool:
    return reaction.to_datagram and reaction.sends


def _first_foreign(reaction: Reaction) -> bool:
    stored = reaction.after.last_topology_server_reply
    return reaction.to_datagram and reaction.keeps_reply and stored is not None and not stored.local


def _waits_all_the_same(reaction: Reaction) -> Reaction:
    """Take note of a reply from the own site, and send the next request only when the wait ends."""
    if not _moves_on(reaction) or reaction.to_reply_of_another_site:
        return reaction
    return reaction.undone().leaving(
        topology_server_reply_received=True,
        last_successful_network_address=reaction.after.last_successful_network_address,
        valid_last_successful_network_address=True,
    )


def _also_completing(*, foreign: bool) -> ClientFactory:
    """Return the factory of a client that reports completion when such a reply makes it go on."""

    def change(reaction: Reaction) -> Reaction:
        if _moves_on(reaction) and reaction.to_reply_of_another_site is foreign:
            return reaction.doing(*reaction.effects, Complete(Result.SUCCESS))
        return reaction

    return reacting(change)


def _foreign_not_counted(reaction: Reaction) -> Reaction:
    received = reaction.before.topology_server_reply_received
    return reaction.leaving(topology_server_reply_received=received) if _first_foreign(reaction) else reaction


def _wait_stopped(reaction: Reaction) -> Reaction:
    return reaction.leaving(wait_for_response_timer=None) if _first_foreign(reaction) else reaction


def _wait_without_end(reaction: Reaction) -> Reaction:
    return reaction.undone() if isinstance(reaction.event, ClockAdvanced) else reaction


def _gives_up(reaction: Reaction) -> Reaction:
    """Fail when the first wait ends, although networks are left."""
    silent = isinstance(reaction.event, ClockAdvanced) and not reaction.before.topology_server_reply_received
    if silent and reaction.sends:
        return reaction.leaving(in_progress=False, wait_for_response_timer=None).doing(Complete(Result.FAILURE))
    return reaction


MUTANTS = (
    _waits("client-waits-10", "The wait is 10 s.", 10, TOO_SHORT),
    _waits("client-waits-14", "The wait is 14 s.", 14, TOO_SHORT),
    _waits("client-waits-14-4", "The wait is 14.4 s.", 14.4, TOO_SHORT),
    _waits("client-waits-15-6", "The wait is 15.6 s.", 15.6, TOO_LONG),
    _waits("client-waits-17", "The wait is 17 s.", 17, TOO_LONG),
    _waits("client-waits-30", "The wait is 30 s.", 30, TOO_LONG),
    client(
        "client-wait-not-restarted",
        "A request that a reply leads to does not begin a wait of its own.",
        reacting(_wait_goes_on),
        ("MQSD-3.1.5.1-03", "MQSD-3.1.5.2-09", "MQSD-3.1.2.1-02"),
    ),
    client(
        "client-wait-anew-at-discarded",
        "A datagram that is discarded begins the wait anew.",
        lambda: _BeginsWaitAnew(DatagramReceived),
        ("MQSD-3.1.5.2-01", "MQSD-3.1.5.2-02", "MQSD-3.1.5.2-03"),
    ),
    client(
        "client-wait-anew-at-change",
        "A change of networks begins the wait anew.",
        lambda: _BeginsWaitAnew(NetworksChanged),
        ("MQSD-3.1.2.1-03",),
    ),
    client(
        "client-wait-not-stopped",
        "The wait goes on after the reply that completes the event.",
        reacting(_wait_outlives),
        ("MQSD-3.1.5.2-15", "MQSD-3.1.5.2-29"),
    ),
    client(
        "client-completes-twice",
        "Completion is reported twice.",
        instead_of(Complete, lambda completion: (completion, completion)),
        ("MQSD-3.1.5.2-34",),
    ),
    client(
        "client-failure-on-success",
        "Success is reported as failure.",
        instead_of(Complete, lambda _: (Complete(Result.FAILURE),)),
        ("MQSD-3.1.5.2-34", "MQSD-3.1.6.1-04"),
    ),
    client(
        "client-valid-after-failure",
        "A last successful network is known after a failure.",
        reacting(_stays_valid),
        ("MQSD-3.1.6.1-03",),
    ),
    client(
        "client-lists-cleared-after-failure",
        "A failure empties the lists.",
        following(lists_after_failure=ListsAfterFailure.CLEARED),
        ("MQSD-3.1.6.1-03",),
    ),
    client(
        "client-waits-after-own-site",
        "A reply from the own site does not end the wait.",
        reacting(_waits_all_the_same),
        ("MQSD-3.1.5.2-10",),
    ),
    client(
        "client-completes-and-goes-on",
        "A reply from the own site completes the event, which goes on.",
        _also_completing(foreign=False),
        ("MQSD-3.1.5.2-11",),
    ),
    client(
        "client-completes-at-second-foreign",
        "A second reply from another site completes the event on any network, and it goes on.",
        _also_completing(foreign=True),
        ("MQSD-3.1.5.2-13",),
    ),
    client(
        "client-foreign-not-counted",
        "A reply from another site does not count as received.",
        reacting(_foreign_not_counted),
        ("MQSD-3.1.5.2-23",),
    ),
    client(
        "client-wait-ended-by-foreign",
        "A first reply from another site ends the wait, and nothing begins it anew.",
        reacting(_wait_stopped),
        ("MQSD-3.1.5.2-26",),
    ),
    client(
        "client-wait-without-end",
        "No wait ever ends.",
        reacting(_wait_without_end),
        ("MQSD-3.1.6.1-01", "MQSD-3.1.2.1-03"),
    ),
    client("client-gives-up", "It fails when the first wait ends.", reacting(_gives_up), ("MQSD-3.1.6.1-02",)),
)
