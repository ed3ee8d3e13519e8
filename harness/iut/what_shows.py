"""Which small faults could change anything that an implementation shows; of the others none is generated."""

from collections.abc import Iterator
from fnmatch import fnmatchcase
from types import MappingProxyType
from typing import Final

from mqconform.harness.records.requirement import RoleName

_PORTS: Final = (1 << 16) - 1
_FOUR_OCTETS: Final = (1 << 32) - 1
GREATEST: Final = MappingProxyType(
    {
        "port": _PORTS,
        "cost": 999_999,
        "sequence": _FOUR_OCTETS,
        "previous": _FOUR_OCTETS,
        "discovery_client/port": 0,
        "current_network_index": 255,
        "sockets_opened": 255,
        "transaction": _PORTS,
        "ordered_sender/sequence": _PORTS,
        "ordered_sender/previous": _PORTS,
        "queue_manager/messages": 255,
        "began": 255,
        "ended": 255,
    }
)
"""Field, or role and field -> the greatest number that it has; a wrap above it changes nothing.

Costs are those of BR-44; sequence numbers have four octets in the binary protocol, and what follows the greatest is
undefined (EOD-23). A client with a virtual clock has no socket, and no computer is connected to 256 networks. A run
opens no 256 sockets, begins no 65,536 transactions, and queues no 65,536 messages in a stream, which count from 1.
No scenario counts 256 messages of a queue, and the reference counts the moments of calls at the same time from 0.
"""
LONGEST: Final = MappingProxyType(
    {"replies": 1, "effects": 1, "acknowledgments": 3, "lanes": 3, "users": 3, "writers": 2, "readers": 2}
)
"""List -> how many entries it has at most.

A datagram has one reply, and a client does one thing at a time; there are three kinds of acknowledgments, and calls of
three applications at the same time. Scenarios name three users, and no queue lists them all.
"""
IDEMPOTENT: Final = MappingProxyType(
    {
        "router": "change_directory fail_directory initialize load_directory",
        "discovery_server": "configure fail_next_open fail_next_send receive",
        "discovery_client": "change_networks configure",
        "ordered_receiver": "lose_state order_ack receive receive_in_sequence restart",
        "ordered_sender": "discard order_ack receiver_lost_state restart transmit",
        "transaction": "configure deliver fail_queue",
        "queue_manager": (
            "abort cancel close close_cursor commit configure crash create_foreign_queue create_queue delete_queue "
            "fail_coordinator fail_directory fail_network fail_store join_domain leave_domain pause provision "
            "replace_object set_queue start stop take_offline throttle"
        ),
    }
)
"""Role -> operations that, done twice, change what was changed already, and answer as they did first."""
HIDDEN: Final = MappingProxyType(
    {
        "router/*connected_networks/*": "no step of MS-MQBR reads the networks of a queue manager",
        "router/network/*": "the same",
        "discovery_client/machine-or-site/*": "a client compares neither its enterprise nor its site (3.1.5.2)",
        "discovery_client/receive.params.datagram/ConnectedNetworkMask-*": "over IP the mask of a right reply is zero",
        "discovery_client/receive.params.datagram/arrays-last-octet-lost": "the last octet of a terminator is zero",
        "discovery_server/*EnterpriseID-*": "no step of the server looks at the EnterpriseID of a request (SD-13)",
        "discovery_server/*ConnectedNetworkCount-high-bits-lost": "the count is 1 to 32",
        "discovery_server/*ConnectedNetworkCount-last-octet-lost": "the count is 1 to 32",
        "discovery_server/*DirectoryServiceServerSize-last-octet-lost": "no datagram holds arrays of 16 MiB",
        "discovery_server/udp/*ConnectedNetworkMask-*": "over UDP the mask is zero",
        "discovery_server/fail_next_open/*": "a successful opening looks like a successful retry (SD-35)",
        "ordered_*/restart/*": "going on as if there was no crash keeps all that outlives one (EOD-06)",
        "ordered_sender/receiver_lost_state/*": "the first message of the queue has previous zero anyway (EOD-27)",
        "ordered_sender/unguarded/receiver_lost_state/*": "the same",
        "queue_manager/*connected_networks/*": "no step reads the networks of a queue manager",
        "queue_manager/network/*": "the same",
        "queue_manager/configure.params.directory.*_routing_servers/*": "no scenario of queue managers has such lists",
        "queue_manager/configure.params.machines.[[][]].directory_server/always-true": "named where it is true alone",
        "queue_manager/configure.params.machines.[[][]].provisioned/always-false": "named where it is false alone",
        "queue_manager/outgoing.result.queues.[[][]].next_hops/*": "no step asks for them",
        "queue_manager/*.several/*": "no scenario names several queues at once",
        "queue_manager/configure.params.directory.queue_managers.[[][]].sites/limit-1": "each machine is in one site",
        "queue_manager/configure.params.directory.queue_managers.[[][]].sites/limit-2": "the same",
        "queue_manager/configure.params.directory.sites.[[][]].site_gates/limit-[12]": "no site has two",
        "queue_manager/*properties.journal/*": "no scenario names it",
        "queue_manager/state.result.directory_servers/*": "no step asks for them",
        **{
            f"queue_manager/{name}-{number}": "scenarios of the router have that many, those of queue managers fewer"
            for name in (
                "configure.params.directory.*/limit",
                "directory_objects.*/limit",
                "*.cost/wrap",
            )
            for number in (8, 16)
        },
        "queue_manager/*/whole-seconds": "scenarios of queue managers name whole seconds",
        "queue_manager/*/less-than-a-second-lost": "the same",
        "queue_manager/create_queue.params.public/always-true": "named where it is true alone",
        "queue_manager/send.params.dead_letter/always-true": "the same",
        "queue_manager/send.params.journal/always-true": "the same",
        "queue_manager/send.params.altered/always-true": "the same",
        "queue_manager/send.params.encrypt/*": "a message comes out in plain, encrypted or not (7.4.1.4.3)",
        "queue_manager/*authenticated_only/*": "what becomes of unauthenticated messages is left open (QM-38)",
        "queue_manager/set_queue.params.p*": "a change names the room alone",
        "queue_manager/state.result.throttled/*": "the effect of throttling is judged, not its announcement",
        "queue_manager/state.result.connection_active/*": "so is that of being offline",
        "queue_manager/close/*": "no scenario uses what it has closed",
        "queue_manager/close_cursor/*": "the same",
        **{
            f"queue_manager/{step}/no-change-after-8": "no run does it nine times" for step in ("provision", "together")
        },
        "queue_manager/together.*.lanes.[[]]/limit-2": "of calls at the same time an application makes two at most",
        "router/state/ReferenceRouter.local/*": "a router stays the queue manager that it is",
        "router/state/ReferenceRouter.clock/never-cleared": "no clock is set back to its beginning",
        "discovery_client/state/*.[es]*_identifier/*": "a client keeps both until it is set up anew",
        "discovery_server/state/DiscoveryServer.enterprise/*": "no step of the server looks at it (SD-13)",
        "discovery_client/*/ClientState.last_request*": "the model notes it for its explanations alone",
        "discovery_client/unguarded/change_networks/*": "which networks there are is noted whatever goes on (3.1.4.1)",
        "*/unguarded/configure/*": "what is set up is new, whatever was before",
        **{
            f"discovery_client/state/ClientState.{field}": "it is not emptied before a client is set up anew"
            for field in (
                "directory_server_list/never-cleared",
                "request_id/never-cleared",
                "last_successful_network_address/never-cleared",
                "current_network_index/never-cleared",
                "requests_sent/never-cleared",
            )
        },
        "discovery_client/state/ClientState.last_topology_server_reply/set-once": "the next request empties it first",
        "discovery_client/*/ClientState.queued_events*": "only some of the readings of SD-57 let an event wait",
        "discovery_client/*/ClientState.kept_reply*": "only some of the readings of SD-41 keep what came before",
        **{
            f"{role}/*onnected_network*/stops-at-40": "a reply holds 32 at most"
            for role in ("discovery_client/state", "discovery_server/state")
        },
        **{
            f"discovery_client/unguarded/{step}": "the step sets the element, or does not look at it"
            for step in (
                "advance_clock/ClientState.in_progress",
                "advance_clock/ClientState.last_successful_network_address",
                "receive/ClientState.*last_successful_network_address",
                "receive/ClientState.topology_server_reply_received",
                "start/ClientState.current_network_index",
                "start/ClientState.in_progress",
                "start/ClientState.last_successful_network_address",
                "start/ClientState.number_of_network_addresses",
                "start/ClientState.request_id",
                "start/ClientState.wait_for_response_timer",
            )
        },
        "discovery_server/unguarded/fail_next_*": "what fails next is noted whatever went on",
        "discovery_server/unguarded/listen/*": "a UDP port is served whatever went on",
        "discovery_server/state/DiscoveryServer.*/never-cleared": "no case takes from a server what it was set up with",
        "discovery_server/state/Listener.sockets_opened/never-cleared": "there is always one",
        "ordered_receiver/*/IncomingStream.gap_seen*": "only one of the readings of EOD-24 looks at it",
        "ordered_receiver/*/IncomingStream.waiting*": "only one of the readings of EOD-02 keeps what came too early",
        "ordered_receiver/unguarded/lose_state/*": "all numbers are lost whatever they are",
        "ordered_receiver/unguarded/advance_clock/IncomingStream.sequence_id": "acknowledgments go out in any sequence",
        "ordered_receiver/unguarded/order_ack/IncomingStream.sequence_id": "the same",
        "ordered_receiver/unguarded/receive/IncomingStream.sequence_id": "a stream with sequences gets none without",
        "ordered_receiver/state/IncomingStream.*/never-cleared": "numbers are lost with their whole stream",
        "ordered_sender/*/OutgoingStream.sequence_id*": "no operation begins a sequence",
        "ordered_sender/*/OutgoingStream.last_acknowledged*": "only some of the readings of EOD-27 look at it",
        "ordered_sender/state/OutgoingStream.last_number/never-cleared": "numbers only grow",
        **{
            f"ordered_sender/unguarded/{step}": "the step does not look at it, or sees what it holds at first"
            for step in (
                "advance_clock/OutgoingStream.last_number",
                "discard/OutgoingStream.bridging",
                "discard/OutgoingStream.last_number",
                "discard/OutgoingStream.waits",
                "enqueue/OutgoingStream.bridging",
                "enqueue/OutgoingStream.wait*",
                "order_ack/OutgoingStream.bridging",
                "order_ack/OutgoingStream.last_number",
                "transmit/OutgoingStream.last_number",
                "transmit/OutgoingStream.waits",
            )
        },
        **{
            f"queue_manager/{fields}": "it stays as it was made"
            for fields in (
                "state/Opened.*",
                "state/Reader.*",
                "state/Cursor.queue/*",
                "state/Entry.message/*",
                "state/Entry.*until/*",
                "state/System.clients/[nos]*",
                "state/System.ways/*",
                "state/Properties.[!r]*",
                "state/Properties.readers/*",
            )
        },
        **{
            f"queue_manager/state/System.{field}/{kind}": "an operation changes one of them, and no case has four"
            for field in ("ahead", "cut", "directory", "offline", "paused")
            for kind in ("*-of-several", "stops-at-*")
        },
        "queue_manager/state/System.directory/one-forgotten-*": "what a directory has outlives its queue managers",
        "queue_manager/state/System.machines/stops-at-*": "machines are there from the beginning",
        "queue_manager/state/World.registered/*": "certificates are there from the beginning",
        "queue_manager/state/World.curtailed/never-cleared": "a transaction that is over is not asked for again",
        "queue_manager/*/System.identifiers*": "which of them is the first is the harness's own count",
        "queue_manager/state/World.contact/never-cleared": "without it nothing works",
        "queue_manager/state/System.machines/never-cleared": "there are always some",
        "queue_manager/state/World.queues/never-cleared": "there are always the queue manager's own",
        **{
            f"queue_manager/state/{field}/one-forgotten-on-{end}": "an end of the queue manager leaves none"
            for field in ("World.cursors", "World.transactions", "Queue.readers", "Cursor.passed")
            for end in ("crash", "stop")
        },
        "queue_manager/state/System.cut/one-forgotten-*": "what is cut is the network's, and no queue manager's memory",
        "queue_manager/state/System.transferred/*": "only the judge counts what has passed",
        **{
            f"queue_manager/state/{field}/*": "the reference transfers and tells at once, so that it holds none"
            for field in ("System.unacknowledged", "System.notices", "World.bereft")
        },
        "queue_manager/state/World.refused/*": "the reference refuses what has no room at its send",
        "queue_manager/state/World.blocked/*": "the reference refuses what is sent while it throttles",
        "queue_manager/*/World.repaired_at*": "only the judge asks when the store was repaired",
        "queue_manager/state/Entry.hidden_by/set-once": "one transaction sends a message",
        "queue_manager/state/Cursor.at/never-cleared": "a cursor that was moved stays so",
        "queue_manager/state/Cursor.passed/never-cleared": "it only grows",
        "queue_manager/state/World.retrying/*": "a start of what runs already changes nothing",
        "queue_manager/*/World.ended_at*": "at the instant of its end a queue manager may be stopping or stopped",
        "transaction/abort/*": "an unfinished transaction sends nothing, like an aborted one",
        **{
            f"transaction/state/Network.{part}/never-cleared": "it only grows until a network is set up anew"
            for part in ("queues", "lists", "delivered", "dead_letters", "acknowledgments")
        },
        "transaction/state/Network.failing/*-of-several": "one queue fails or heals at a time",
        **{
            f"transaction/unguarded/{step}/Network.failing": "only a commit asks which queues fail"
            for step in ("abort", "begin", "deliver", "send")
        },
        **{
            f"{role}/twice/{step}": "done twice it comes to the same"
            for role, steps in IDEMPOTENT.items()
            for step in steps.split()
        },
    }
)
"""Pattern, as of a shell -> why such a fault shows nowhere."""
LOOKED_AT: Final = MappingProxyType(
    {
        "Cursor.at": "peek receive",
        "Cursor.passed": "peek receive",
        "Entry.hidden_by": (
            "abort advance_clock begin cancel commit crash delete_queue fail_coordinator fail_network "
            "fail_store open pause peek purge receive send set_queue start stop take_offline throttle together"
        ),
        "Entry.locked_by": (
            "abort advance_clock cancel commit crash fail_coordinator peek purge receive send set_queue stop"
        ),
        "Entry.reach_until": "advance_clock commit fail_network",
        "Entry.until": "advance_clock commit fail_network receive",
        "Opened.user": "receive send",
        "Properties.authenticated_only": "send",
        "Properties.foreign": "send",
        "Properties.multicast": "send",
        "Properties.readers": "peek receive",
        "Properties.room": "fail_network send set_queue",
        "Properties.transactional": (
            "commit fail_network fail_store pause receive send start take_offline throttle together"
        ),
        "Properties.writers": "send",
        "Reader.transaction": "abort commit receive",
        "System.ahead": "fail_network start",
        "System.cut": (
            "advance_clock commit create_queue fail_network fail_store open pause receive send set_queue start "
            "take_offline throttle"
        ),
        "System.offline": "advance_clock begin commit fail_network open pause receive send start take_offline",
        "System.paused": "advance_clock begin commit fail_network open pause receive send take_offline",
        "System.ways": "advance_clock commit open receive send",
        "World.contact": (
            "advance_clock commit create_queue fail_network join_domain leave_domain open provision put_object "
            "receive replace_object send set_queue start take_offline"
        ),
        "World.coordinator_lost": "begin fail_coordinator",
        "World.damaged": "advance_clock fail_store start",
        "World.full": (
            "advance_clock begin commit create_queue fail_network fail_store open receive send set_queue start throttle"
        ),
        "World.registered": "send",
        "World.retrying": "advance_clock",
        "World.running": "advance_clock begin create_queue open provision send start",
        "World.throttled": "abort advance_clock begin commit fail_network fail_store open receive send throttle",
    }
)
"""What may keep a queue manager from something -> the operations that look at it.

Each call of the reference ends with the transfer of what waits. With what hinders that, the operations are tried that
happen between a send and its arrival. The others neither look at it nor come there, and ``configure`` begins afresh: an
end has undone the transactions and closed the queues of the reference, so that no receive and no commit comes while it
is stopped.
"""
STARTING: Final = frozenset({"configure", "initialize"})
"""Operations that start an implementation afresh by themselves, so that a reset before them does nothing."""


def widths_that_show(role: RoleName, field: str, bits: tuple[int, ...]) -> Iterator[int]:
    """Yield the numbers of bits that are too few for the greatest number of a field."""
    greatest = GREATEST.get(f"{role}/{field}", GREATEST.get(field))
    yield from (width for width in bits if greatest is None or greatest >> width)


def limits_that_show(field: str, limits: tuple[int, ...]) -> Iterator[int]:
    """Yield the limits that are below the greatest length of a list."""
    yield from (limit for limit in limits if limit < LONGEST.get(field, limit + 1))


def hidden(name: str) -> bool:
    """Return whether a fault of that name shows nowhere."""
    return _is_not_looked_at(name) or any(fnmatchcase(name, pattern) for pattern in HIDDEN)


def _is_not_looked_at(name: str) -> bool:
    """Return whether an operation of a queue manager goes without a guard that it does not have."""
    role, kind, *place = name.split("/")
    return (
        role == RoleName.QUEUE_MANAGER and kind == "unguarded" and place[0] not in LOOKED_AT.get(place[1], "").split()
    )
