"""Clients that begin or end an event wrongly, or ask wrong networks (MS-MQSD 3.1.3, 3.1.4.1, 3.1.5.1)."""

from collections.abc import Callable
from dataclasses import replace

from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.mutants.mqsd_client.altered_client import (
    Reaction,
    client,
    following,
    instead_of,
    reacting,
)
from mqconform.harness.iut.mutants.mutant import Mutant, altered
from mqconform.harness.iut.reference_iut.discovery_client import ReferenceDiscoveryClient
from mqconform.reference.mqsd.client import ClockAdvanced, Complete, Result, Send
from mqconform.reference.mqsd.client.readings_of_events import NoNetwork
from mqconform.reference.mqsd.guid import Guid, text_order
from mqconform.reference.mqsd.messages import REQUEST


def _networks(name: str, says: str, choose: Callable[[list[Json]], list[Json]], breaks: tuple[str, ...]) -> Mutant:
    """Ask other networks than those that the client is connected to."""

    def configure(self: ReferenceDiscoveryClient, enterprise: str, site: str, networks: list[Json]) -> Json:
        return ReferenceDiscoveryClient.configure(self, enterprise, site, choose(networks))

    def change_networks(self: ReferenceDiscoveryClient, networks: list[Json]) -> Json:
        return ReferenceDiscoveryClient.change_networks(self, choose(networks))

    make = altered(ReferenceDiscoveryClient, configure=configure, change_networks=change_networks)
    return client(name, says, make, breaks)


def _same_guid(self: ReferenceDiscoveryClient, _: int) -> Guid:
    return self.drawn("", 0)


class _RepeatsIds(ReferenceDiscoveryClient):
    """Draws its RequestIDs from one seed at each start."""

    def reset(self) -> None:
        """Begin with the first RequestID again."""
        super().reset()
        self.requests_before = 0

    def new_guid(self, request: int) -> Guid:
        """Return the RequestID of an ordinal, whatever the case."""
        return self.drawn("", self.requests_before + request)


def _wrapping_guid(self: ReferenceDiscoveryClient, request: int) -> Guid:
    return self.drawn("", (self.requests_before + request) % 20)


def _counted(_: ReferenceDiscoveryClient, request: int) -> Guid:
    return Guid((request + 1).to_bytes(16, "little"))


def _id_in_text_order(send: Send) -> list[Send]:
    request_id = REQUEST["RequestID"]
    return [replace(send, datagram=request_id.put(send.datagram, text_order(send.datagram[request_id.place])))]


def _to_all_at_once(reaction: Reaction) -> Reaction:
    if reaction.to_trigger and reaction.effects and isinstance(reaction.effects[0], Send):
        request = reaction.effects[0].datagram
        return reaction.doing(*(Send(network.address, request) for network in reaction.after.network_address_list))
    return reaction


def _before_start(reaction: Reaction) -> Reaction:
    before = reaction.before
    if isinstance(reaction.event, ClockAdvanced) and before.request_id is None and before.networks:
        request = bytes([0, 1, 0, 0]) + before.enterprise_identifier + bytes(16) + before.site_identifier
        return reaction.doing(Send(before.networks[0].address, request), *reaction.effects)
    return reaction


def _on_first_network(reaction: Reaction) -> Reaction:
    first = reaction.after.network_address_list[:1]
    effects = reaction.effects
    return reaction.doing(
        *(replace(sent, network=first[0].address) if isinstance(sent, Send) else sent for sent in effects)
    )


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


def _starts_at_second(reaction: Reaction) -> Reaction:
    """Begin a later event where the one before ended."""
    networks, effects = reaction.after.networks, reaction.effects
    if reaction.to_trigger and reaction.before.request_id and len(networks) > 1:
        second = networks[1].address
        moved = (replace(sent, network=second) if isinstance(sent, Send) else sent for sent in effects)
        return reaction.leaving(current_network_index=2).doing(*moved)
    return reaction


def _knowing_a_network(self: ReferenceDiscoveryClient, enterprise: str, site: str, networks: list[Json]) -> Json:
    """Start with the first network for the last successful one, without having asked."""
    answer = ReferenceDiscoveryClient.configure(self, enterprise, site, networks)
    if self.client and self.client.networks:
        address = self.client.networks[0].address
        self.client = replace(
            self.client, last_successful_network_address=address, valid_last_successful_network_address=True
        )
    return answer


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


MUTANTS = (
    client(
        "client-starts-successful",
        "It starts with a last successful network.",
        altered(ReferenceDiscoveryClient, configure=_knowing_a_network),
        ("MQSD-3.1.3-02",),
    ),
    client(
        "client-knows-a-network-at-start",
        "The first event completes without a request.",
        reacting(_believes_in_a_network),
        ("MQSD-3.1.3-02",),
    ),
    client("client-one-event", "Only the first event is begun.", reacting(_one_event), ("MQSD-3.1.4.1-01",)),
    client("client-sends-before-start", "It asks before it is told to.", reacting(_before_start), ("MQSD-3.1.4.1-10",)),
    client(
        "client-all-networks-at-once",
        "All networks are asked at once.",
        reacting(_to_all_at_once),
        ("MQSD-3.1.4.1-10",),
    ),
    client(
        "client-one-request-id",
        "All events have one RequestID.",
        altered(ReferenceDiscoveryClient, new_guid=_same_guid),
        ("MQSD-3.1.4.1-07", "MQSD-2.2.2-04"),
    ),
    client(
        "client-request-id-in-text-order",
        "RequestID is sent in the order of its text and compared in the order of packets.",
        instead_of(Send, _id_in_text_order),
        ("MQSD-3.1.4.1-07",),
    ),
    client(
        "client-ids-from-one-seed",
        "RequestIDs come from one seed at each start.",
        _RepeatsIds,
        ("MQSD-3.1.4.1-07", "MQSD-2.2.2-04"),
    ),
    client(
        "client-ids-wrap",
        "RequestIDs come again after twenty requests.",
        altered(ReferenceDiscoveryClient, new_guid=_wrapping_guid),
        ("MQSD-3.1.4.1-07", "MQSD-2.2.2-04"),
    ),
    client(
        "client-ids-counted",
        "RequestIDs count from 1 at each start.",
        altered(ReferenceDiscoveryClient, new_guid=_counted),
        ("MQSD-3.1.4.1-07", "MQSD-2.2.2-04"),
    ),
    client(
        "client-later-event-at-second-network",
        "A later event begins with the second network.",
        reacting(_starts_at_second),
        ("MQSD-3.1.4.1-08",),
    ),
    client(
        "client-remembers-replies",
        "An event counts the replies of the event before.",
        reacting(_remembers),
        ("MQSD-3.1.4.1-09",),
    ),
    client(
        "client-silent-at-once",
        "An event that sends nothing is not reported to end.",
        reacting(_silent_at_once),
        ("MQSD-3.1.4.1-06",),
    ),
    client(
        "client-never-completes",
        "Completion is not reported.",
        instead_of(Complete, lambda _: ()),
        ("MQSD-3.1.5.2-34", "MQSD-3.1.4.1-02", "MQSD-3.1.5.2-20", "MQSD-3.1.6.1-07"),
    ),
    client(
        "client-succeeds-without-networks",
        "An event without any network succeeds, though no list was obtained.",
        following(no_network=NoNetwork.SUCCESS_AT_ONCE),
        ("MQSD-3.1.4.1-03",),
    ),
    client(
        "client-success-on-failure",
        "Failure is reported as success.",
        instead_of(Complete, lambda _: (Complete(Result.SUCCESS),)),
        ("MQSD-3.1.6.1-03", "MQSD-3.1.4.1-03"),
    ),
    _networks(
        "client-first-network-only",
        "Only the first network is asked.",
        lambda networks: networks[:1],
        ("MQSD-3.1.4.1-04",),
    ),
    _networks(
        "client-last-network-left-out",
        "The last of several is not asked.",
        lambda networks: networks[:-1] or networks,
        ("MQSD-3.1.4.1-05",),
    ),
    _networks(
        "client-eight-networks", "It has room for eight networks.", lambda networks: networks[:8], ("MQSD-3.1.4.1-04",)
    ),
    client(
        "client-networks-of-the-start",
        "A network that is connected later is not asked.",
        altered(ReferenceDiscoveryClient, change_networks=lambda self, networks: {}),
        ("MQSD-3.1.4.1-04",),
    ),
    _networks(
        "client-skips-a-network",
        "The second network is skipped.",
        lambda networks: networks[:1] + networks[2:],
        ("MQSD-3.1.5.1-01",),
    ),
    _networks(
        "client-repeats-a-network",
        "The first network is asked twice.",
        lambda networks: networks[:1] + networks,
        ("MQSD-3.1.5.1-01",),
    ),
    _networks(
        "client-networks-reversed",
        "Networks are asked from last to first.",
        lambda networks: networks[::-1],
        ("MQSD-3.1.5.1-01",),
    ),
    client(
        "client-always-on-first-network",
        "Each request goes to the first network.",
        reacting(_on_first_network),
        ("MQSD-3.1.5.1-05",),
    ),
    client(
        "client-never-forgets",
        "The reply kept stays when a request goes out.",
        reacting(_never_forgets),
        ("MQSD-3.1.5.1-02",),
    ),
)
