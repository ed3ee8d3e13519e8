"""Clients that leave out one step of an event, or do something besides (MS-MQSD 3.1.3, 3.1.4.1, 3.1.5, 3.1.6)."""

from dataclasses import replace

from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.mutants.mqsd_client.altered_client import (
    ALL,
    COURSE,
    DATAGRAMS,
    LISTS,
    ClientFactory,
    Reaction,
    client,
    reacting,
    storing,
)
from mqconform.harness.iut.mutants.mutant import altered
from mqconform.harness.iut.reference_iut.discovery_client import ReferenceDiscoveryClient
from mqconform.reference.mqsd.client import ClockAdvanced, Complete, Result, Send

SERVERS = ("MQSD-3.1.5.2-18", "MQSD-3.1.5.2-22", "MQSD-3.1.5.2-30", "MQSD-3.1.6.1-05", "MQSD-3.1.7.1")


def _knowing_a_network(self: ReferenceDiscoveryClient, enterprise: str, site: str, networks: list[Json]) -> Json:
    """Start with the first network for the last successful one, without having asked."""
    answer = ReferenceDiscoveryClient.configure(self, enterprise, site, networks)
    if self.client and self.client.networks:
        known = self.client.networks[0].address
        self.client = replace(
            self.client, last_successful_network_address=known, valid_last_successful_network_address=True
        )
    return answer


def _moves_on(reaction: Reaction) -> bool:
    return reaction.to_datagram and reaction.sends


def _first_foreign(reaction: Reaction) -> bool:
    stored = reaction.after.last_topology_server_reply
    return reaction.to_datagram and reaction.keeps_reply and stored is not None and not stored.local


def _one_event(reaction: Reaction) -> Reaction:
    later = reaction.to_trigger and reaction.before.request_id is not None
    return reaction.undone() if later else reaction


def _never_forgets(reaction: Reaction) -> Reaction:
    stored = reaction.before.last_topology_server_reply
    return reaction.leaving(last_topology_server_reply=stored) if stored and reaction.sends else reaction


def _silent_at_once(reaction: Reaction) -> Reaction:
    if reaction.to_trigger and reaction.before.request_id is not None:
        return reaction.doing(*(effect for effect in reaction.effects if isinstance(effect, Send)))
    return reaction


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
    """Fail when the first wait ends, whatever networks are left."""
    silent = isinstance(reaction.event, ClockAdvanced) and not reaction.before.topology_server_reply_received
    if silent and reaction.sends:
        return reaction.leaving(in_progress=False, wait_for_response_timer=None).doing(Complete(Result.FAILURE))
    return reaction


MUTANTS = (
    client(
        "client-starts-successful",
        "It starts with a last successful network.",
        altered(ReferenceDiscoveryClient, configure=_knowing_a_network),
        ("MQSD-3.1.3-02",),
        ALL,
    ),
    client(
        "client-one-event",
        "Only the first event is begun.",
        reacting(_one_event),
        ("MQSD-3.1.4.1-01",),
        ("MQSD-2.2.2-04", "MQSD-3.1.4.1", "MQSD-3.1.5.2-23", "MQSD-3.1.6.1", "MQSD-3.1.7"),
    ),
    client(
        "client-never-forgets",
        "The reply kept stays when a request goes out.",
        reacting(_never_forgets),
        ("MQSD-3.1.5.1-02",),
        ("MQSD-3.1.2.1-03", "MQSD-3.1.4.1-09", "MQSD-3.1.5.2", "MQSD-3.1.6.1-03", "MQSD-3.1.7"),
    ),
    client(
        "client-silent-at-once",
        "An event that sends nothing is not reported to end.",
        reacting(_silent_at_once),
        ("MQSD-3.1.4.1-06",),
        ("MQSD-3.1.4.1", "MQSD-3.1.5.2-28"),
    ),
    client(
        "client-waits-after-own-site",
        "A reply from the own site does not end the wait.",
        reacting(_waits_all_the_same),
        ("MQSD-3.1.5.2-10",),
        (*COURSE, *LISTS),
    ),
    client(
        "client-completes-and-goes-on",
        "A reply from the own site completes the event, which goes on.",
        _also_completing(foreign=False),
        ("MQSD-3.1.5.2-11",),
        (*COURSE, *LISTS),
    ),
    client(
        "client-completes-at-second-foreign",
        "A second reply from another site completes the event on any network, and it goes on.",
        _also_completing(foreign=True),
        ("MQSD-3.1.5.2-13",),
        ("MQSD-3.1.5.1", "MQSD-3.1.5.2", *LISTS),
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
        (*COURSE, *LISTS),
    ),
    client(
        "client-wait-without-end",
        "No wait ever ends.",
        reacting(_wait_without_end),
        ("MQSD-3.1.6.1-01", "MQSD-3.1.2.1-03"),
        (*COURSE, *LISTS, *DATAGRAMS),
    ),
    client(
        "client-gives-up",
        "It fails when the first wait ends.",
        reacting(_gives_up),
        ("MQSD-3.1.6.1-02",),
        (*COURSE, *LISTS, *DATAGRAMS),
    ),
    client(
        "client-servers-never-filled",
        "The server list stays.",
        storing("directory_server_list", lambda old, _: old),
        ("MQSD-3.1.7.1-01", "MQSD-3.1.5.2-30", "MQSD-3.1.6.1-05"),
        SERVERS,
    ),
    client(
        "client-servers-twice",
        "Each server is listed twice.",
        storing("directory_server_list", lambda old, new: new if new == old else new * 2),
        ("MQSD-3.1.5.2-18", "MQSD-3.1.7.1-03"),
        SERVERS,
    ),
    client(
        "client-networks-twice",
        "Each connected network is listed twice.",
        storing("connected_network_identifier_list", lambda old, new: new if new == old else new * 2),
        ("MQSD-3.1.5.2-19", "MQSD-3.1.7.2-03"),
        ("MQSD-3.1.5.2-31", "MQSD-3.1.6.1-06", "MQSD-3.1.7.2-01", "MQSD-3.1.7.2-02"),
    ),
)
