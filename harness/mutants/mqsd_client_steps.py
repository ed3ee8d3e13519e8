"""Clients that leave out one step of an event, or do something besides (MS-MQSD 3.1.3, 3.1.4.1, 3.1.5, 3.1.6)."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from mqconform.harness.builtin.discovery_client import ReferenceDiscoveryClient
from mqconform.harness.iut import Json
from mqconform.harness.mutants.mqsd_client_mutant import ClientFactory, ClientMutant, Reaction, doing
from mqconform.reference.mqsd.client import (
    ClientState,
    ClockAdvanced,
    Complete,
    DatagramReceived,
    Effect,
    Event,
    GetDirectoryServerList,
    Result,
    Send,
)

Filled = Callable[[ClientState, ClientState], ClientState]


class KnowsANetwork(ReferenceDiscoveryClient):
    """Starts with its first network for the last successful one."""

    def configure(self, enterprise: str, site: str, networks: list[Json]) -> Json:
        """Take it for successful without having asked."""
        answer = super().configure(enterprise, site, networks)
        if self.client and self.client.networks:
            known = self.client.networks[0].address
            self.client = replace(
                self.client, last_successful_network_address=known, valid_last_successful_network_address=True
            )
        return answer


def _moves_on(event: Event, effects: Sequence[Effect]) -> bool:
    return isinstance(event, DatagramReceived) and any(isinstance(one, Send) for one in effects)


def _first_foreign(before: ClientState, event: Event, after: ClientState) -> bool:
    heard = isinstance(event, DatagramReceived) and before.last_topology_server_reply is None
    return heard and after.last_topology_server_reply is not None and not after.last_topology_server_reply.local


def _from_own_site(event: Event) -> bool:
    return isinstance(event, DatagramReceived) and not any(event.datagram[28:32])


def _one_event(before: ClientState, event: Event, after: ClientState, effects: Sequence[Effect]) -> Reaction:
    """Begin no event but the first."""
    if isinstance(event, GetDirectoryServerList) and before.request_id is not None:
        return before, ()
    return after, effects


def _never_forgets(before: ClientState, event: Event, after: ClientState, effects: Sequence[Effect]) -> Reaction:
    """Keep the reply when a request goes out."""
    del event
    if before.last_topology_server_reply is not None and any(isinstance(one, Send) for one in effects):
        return replace(after, last_topology_server_reply=before.last_topology_server_reply), effects
    return after, effects


def _silent_at_once(before: ClientState, event: Event, after: ClientState, effects: Sequence[Effect]) -> Reaction:
    """Not report the end of an event that sends nothing."""
    ended = isinstance(event, GetDirectoryServerList) and before.request_id is not None
    return after, [one for one in effects if not (ended and isinstance(one, Complete))]


def _waits_all_the_same(before: ClientState, event: Event, after: ClientState, effects: Sequence[Effect]) -> Reaction:
    """Take note of a reply from the own site, and send the next request only when the wait ends."""
    if _from_own_site(event) and _moves_on(event, effects):
        kept = after.last_successful_network_address
        return replace(
            before,
            topology_server_reply_received=True,
            last_successful_network_address=kept,
            valid_last_successful_network_address=True,
        ), ()
    return after, effects


def _also_completes(*, local: bool) -> ClientFactory:
    """Return the factory of a client that reports completion when such a reply makes it go on."""

    def does(before: ClientState, event: Event, after: ClientState, effects: Sequence[Effect]) -> Reaction:
        del before
        if _moves_on(event, effects) and _from_own_site(event) is local:
            return after, [*effects, Complete(Result.SUCCESS)]
        return after, effects

    return doing(does)


def _foreign_not_counted(before: ClientState, event: Event, after: ClientState, effects: Sequence[Effect]) -> Reaction:
    if _first_foreign(before, event, after):
        return replace(after, topology_server_reply_received=before.topology_server_reply_received), effects
    return after, effects


def _wait_stopped(before: ClientState, event: Event, after: ClientState, effects: Sequence[Effect]) -> Reaction:
    """Let a first reply from another site end the wait instead of beginning it anew."""
    if _first_foreign(before, event, after):
        return replace(after, wait_for_response_timer=None), effects
    return after, effects


def _wait_without_end(before: ClientState, event: Event, after: ClientState, effects: Sequence[Effect]) -> Reaction:
    """Do nothing when a wait ends."""
    return (before, ()) if isinstance(event, ClockAdvanced) else (after, effects)


def _gives_up(before: ClientState, event: Event, after: ClientState, effects: Sequence[Effect]) -> Reaction:
    """Fail when the first wait ends, whatever networks are left."""
    silent = isinstance(event, ClockAdvanced) and not before.topology_server_reply_received
    if silent and any(isinstance(one, Send) for one in effects):
        return replace(after, in_progress=False, wait_for_response_timer=None), [Complete(Result.FAILURE)]
    return after, effects


def _filling(fills: Filled) -> ClientFactory:
    """Return the factory of a client that fills a list wrongly."""

    def does(before: ClientState, event: Event, after: ClientState, effects: Sequence[Effect]) -> Reaction:
        del event
        return fills(before, after), effects

    return doing(does)


def _no_servers(before: ClientState, after: ClientState) -> ClientState:
    return replace(after, directory_server_list=before.directory_server_list)


def _servers_twice(before: ClientState, after: ClientState) -> ClientState:
    servers = after.directory_server_list
    changed = servers != before.directory_server_list
    return replace(after, directory_server_list=servers * 2) if changed else after


def _networks_twice(before: ClientState, after: ClientState) -> ClientState:
    networks = after.connected_network_identifier_list
    changed = networks != before.connected_network_identifier_list
    return replace(after, connected_network_identifier_list=networks * 2) if changed else after


MUTANTS = (
    ClientMutant(
        "client-starts-successful",
        "It starts with a last successful network.",
        KnowsANetwork,
        ("MQSD-3.1.3-02",),
    ),
    ClientMutant("client-one-event", "Only the first event is begun.", doing(_one_event), ("MQSD-3.1.4.1-01",)),
    ClientMutant(
        "client-never-forgets",
        "The reply kept stays when a request goes out.",
        doing(_never_forgets),
        ("MQSD-3.1.5.1-02",),
    ),
    ClientMutant(
        "client-silent-at-once",
        "An event that sends nothing is not reported to end.",
        doing(_silent_at_once),
        ("MQSD-3.1.4.1-06",),
    ),
    ClientMutant(
        "client-waits-after-own-site",
        "A reply from the own site does not end the wait.",
        doing(_waits_all_the_same),
        ("MQSD-3.1.5.2-10",),
    ),
    ClientMutant(
        "client-completes-and-goes-on",
        "A reply from the own site completes the event, which goes on.",
        _also_completes(local=True),
        ("MQSD-3.1.5.2-11",),
    ),
    ClientMutant(
        "client-completes-at-second-foreign",
        "A second reply from another site completes the event on any network, and it goes on.",
        _also_completes(local=False),
        ("MQSD-3.1.5.2-13",),
    ),
    ClientMutant(
        "client-foreign-not-counted",
        "A reply from another site does not count as received.",
        doing(_foreign_not_counted),
        ("MQSD-3.1.5.2-23",),
    ),
    ClientMutant(
        "client-wait-ended-by-foreign",
        "A first reply from another site ends the wait, and nothing begins it anew.",
        doing(_wait_stopped),
        ("MQSD-3.1.5.2-26",),
    ),
    ClientMutant(
        "client-wait-without-end",
        "No wait ever ends.",
        doing(_wait_without_end),
        ("MQSD-3.1.6.1-01", "MQSD-3.1.2.1-03"),
    ),
    ClientMutant("client-gives-up", "It fails when the first wait ends.", doing(_gives_up), ("MQSD-3.1.6.1-02",)),
    ClientMutant(
        "client-servers-never-filled",
        "The server list stays.",
        _filling(_no_servers),
        ("MQSD-3.1.7.1-01", "MQSD-3.1.5.2-30", "MQSD-3.1.6.1-05"),
    ),
    ClientMutant(
        "client-servers-twice",
        "Each server is listed twice.",
        _filling(_servers_twice),
        ("MQSD-3.1.5.2-18", "MQSD-3.1.7.1-03"),
    ),
    ClientMutant(
        "client-networks-twice",
        "Each connected network is listed twice.",
        _filling(_networks_twice),
        ("MQSD-3.1.5.2-19", "MQSD-3.1.7.2-03"),
    ),
)
