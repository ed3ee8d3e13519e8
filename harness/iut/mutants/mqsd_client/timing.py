"""Clients that wait for too long or too short, or end an event wrongly (MS-MQSD 3.1.2.1, 3.1.4.1, 3.1.6.1)."""

from dataclasses import replace

from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.mutants.mqsd_client.altered_client import (
    ALL,
    COURSE,
    DATAGRAMS,
    LISTS,
    Reaction,
    client,
    following,
    instead_of,
    reacting,
)
from mqconform.harness.iut.mutants.mutant import Mutant
from mqconform.harness.iut.reference_iut.discovery_client import ReferenceDiscoveryClient
from mqconform.reference.mqsd.client import Complete, Result, Send
from mqconform.reference.mqsd.client.readings_of_events import ListsAfterFailure
from mqconform.reference.mqsd.specification import FACTS

TOO_SHORT, TOO_LONG = ("MQSD-3.1.2.1-01",), ("MQSD-3.1.2.1-03",)
LATE = (*COURSE, *LISTS, *DATAGRAMS, "MQSD-2.2.2-04")


class OtherClock(ReferenceDiscoveryClient):
    """Waits for another time than 15 seconds."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self._pace = FACTS.response_timeout / seconds

    def advance_clock(self, seconds: float) -> Json:
        """Let its own time pass."""
        return super().advance_clock(seconds * self._pace)


def _waits(name: str, says: str, seconds: float, breaks: tuple[str, ...], also: tuple[str, ...]) -> Mutant:
    return client(name, says, lambda: OtherClock(seconds), breaks, also)


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


def _remembers(reaction: Reaction) -> Reaction:
    """Go into an event with what the one before has received."""
    if reaction.to_trigger and reaction.before.topology_server_reply_received:
        return reaction.leaving(topology_server_reply_received=True)
    return reaction


def _believes_in_a_network(reaction: Reaction) -> Reaction:
    """Complete the very first event at once."""
    if reaction.to_trigger and reaction.before.request_id is None:
        return reaction.undone().doing(Complete(Result.SUCCESS))
    return reaction


def _stays_valid(reaction: Reaction) -> Reaction:
    """Leave the flag as it was when an event fails."""
    if Complete(Result.FAILURE) in reaction.effects:
        return reaction.leaving(valid_last_successful_network_address=True)
    return reaction


def _starts_at_second(reaction: Reaction) -> Reaction:
    """Begin a later event where the one before ended."""
    networks, effects = reaction.after.networks, reaction.effects
    if reaction.to_trigger and reaction.before.request_id and len(networks) > 1:
        second = networks[1].address
        moved = (replace(sent, network=second) if isinstance(sent, Send) else sent for sent in effects)
        return reaction.leaving(current_network_index=2).doing(*moved)
    return reaction


MUTANTS = (
    _waits("client-waits-10", "The wait is 10 s.", 10, TOO_SHORT, (*COURSE, *LISTS)),
    _waits("client-waits-14-9", "The wait is 14.9 s.", 14.9, TOO_SHORT, (*COURSE, *LISTS)),
    _waits("client-waits-15-1", "The wait is 15.1 s.", 15.1, TOO_LONG, LATE),
    _waits("client-waits-30", "The wait is 30 s.", 30, TOO_LONG, LATE),
    client(
        "client-wait-not-restarted",
        "A request that a reply leads to does not begin a wait of its own.",
        reacting(_wait_goes_on),
        ("MQSD-3.1.5.1-03", "MQSD-3.1.5.2-09", "MQSD-3.1.2.1-02"),
        ("MQSD-3.1.2.1-01", "MQSD-3.1.4.1-01", "MQSD-3.1.5.2-06"),
    ),
    client(
        "client-wait-not-stopped",
        "The wait goes on after the reply that completes the event.",
        reacting(_wait_outlives),
        ("MQSD-3.1.5.2-15", "MQSD-3.1.5.2-29"),
        ("MQSD-3.1.4.1-06", "MQSD-3.1.5.2-14", "MQSD-3.1.5.2-28", "MQSD-3.1.7.1-02", "MQSD-3.1.7.2-02"),
    ),
    client(
        "client-never-completes",
        "Completion is not reported.",
        instead_of(Complete, lambda _: ()),
        ("MQSD-3.1.5.2-34", "MQSD-3.1.4.1-02", "MQSD-3.1.5.2-20", "MQSD-3.1.6.1-07"),
        (*COURSE, *LISTS, "MQSD-2.2.2-04"),
    ),
    client(
        "client-completes-twice",
        "Completion is reported twice.",
        instead_of(Complete, lambda completion: (completion, completion)),
        ("MQSD-3.1.5.2-34",),
        (*COURSE, *LISTS),
    ),
    client(
        "client-success-on-failure",
        "Failure is reported as success.",
        instead_of(Complete, lambda _: (Complete(Result.SUCCESS),)),
        ("MQSD-3.1.6.1-03", "MQSD-3.1.4.1-03"),
        (
            "MQSD-3.1.2.1-03",
            "MQSD-3.1.4.1-03",
            "MQSD-3.1.4.1-04",
            "MQSD-3.1.4.1-05",
            "MQSD-3.1.4.1-09",
            "MQSD-3.1.5.1-01",
            "MQSD-3.1.5.1-05",
        ),
    ),
    client(
        "client-failure-on-success",
        "Success is reported as failure.",
        instead_of(Complete, lambda _: (Complete(Result.FAILURE),)),
        ("MQSD-3.1.5.2-34", "MQSD-3.1.6.1-04"),
        (*COURSE, *LISTS),
    ),
    client(
        "client-remembers-replies",
        "An event counts the replies of the event before.",
        reacting(_remembers),
        ("MQSD-3.1.4.1-09",),
        ("MQSD-3.1.2.1-03", "MQSD-3.1.6.1-03"),
    ),
    client(
        "client-knows-a-network-at-start",
        "The first event completes without a request.",
        reacting(_believes_in_a_network),
        ("MQSD-3.1.3-02",),
        ALL,
    ),
    client(
        "client-valid-after-failure",
        "A last successful network is known after a failure.",
        reacting(_stays_valid),
        ("MQSD-3.1.6.1-03",),
        ("MQSD-2.2.2-04", "MQSD-3.1.4.1-01", "MQSD-3.1.4.1-07", "MQSD-3.1.4.1-08"),
    ),
    client(
        "client-later-event-at-second-network",
        "A later event begins with the second network.",
        reacting(_starts_at_second),
        ("MQSD-3.1.4.1-08",),
        ("MQSD-3.1.4.1-01", "MQSD-3.1.4.1-04", "MQSD-3.1.4.1-06", "MQSD-3.1.4.1-07"),
    ),
    client(
        "client-lists-cleared-after-failure",
        "A failure empties the lists.",
        following(lists_after_failure=ListsAfterFailure.CLEARED),
        ("MQSD-3.1.6.1-03", "MQSD-3.1.7.1-02"),
        ("MQSD-3.1.2.1-03",),
    ),
)
