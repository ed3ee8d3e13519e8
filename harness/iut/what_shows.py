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
        **{
            f"queue_manager/*{field}*": "no scenario of one machine has this"
            for field in (
                "directory",
                "several",
                "properties.journal",
                "time_to_reach_queue",
                "connection_active",
            )
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
        "queue_manager/close/*": "no scenario uses what it has closed",
        "queue_manager/close_cursor/*": "the same",
        **{
            f"queue_manager/{operation}/no-change-after-8": "no run does it nine times"
            for operation in ("cancel", "set_queue", "state", "together")
        },
        "queue_manager/together.*.lanes.[[]]/limit-2": "of calls at the same time an application makes two at most",
        "router/state/ReferenceRouter.local/*": "a router stays the queue manager that it is",
        "router/state/ReferenceRouter.clock/never-cleared": "no clock is set back to its beginning",
        "discovery_client/state/*.[es]*_identifier/*": "a client keeps both until it is set up anew",
        "discovery_server/state/DiscoveryServer.enterprise/*": "no step of the server looks at it (SD-13)",
        "discovery_client/*/ClientState.last_request*": "the model notes it for its explanations alone",
        "discovery_client/unguarded/change_networks/*": "which networks there are is noted whatever goes on (3.1.4.1)",
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
        "discovery_server/unguarded/fail_next_send/*": "what fails next is noted whatever went on",
        "ordered_receiver/*/IncomingStream.gap_seen*": "only one of the readings of EOD-24 looks at it",
        "ordered_receiver/*/IncomingStream.waiting*": "only one of the readings of EOD-02 keeps what came too early",
        "ordered_receiver/unguarded/lose_state/*": "all numbers are lost whatever they are",
        "ordered_receiver/unguarded/advance_clock/IncomingStream.sequence_id": "acknowledgments go out in any sequence",
        **{
            f"queue_manager/{fields}": "it stays as it was made"
            for fields in (
                "state/Opened.*",
                "state/Reader.*",
                "state/Cursor.queue/*",
                "state/Entry.message/*",
                "state/Entry.*until/*",
                "state/System.clients/*",
                "state/System.ways/*",
                "state/Properties.[!r]*",
                "state/Properties.readers/*",
            )
        },
        **{f"queue_manager/state/System.*/stops-at-{number}": "no case has as many machines" for number in (3, 9, 40)},
        "queue_manager/*/System.identifiers*": "which of them is the first is the harness's own count",
        **{
            f"queue_manager/unguarded/{operation}/{field}": "the operation does not look at it"
            for operation in ("begin", "configure", "crash", "create_cursor", "fail_coordinator", "stop")
            for field in ("Entry.until", "Properties.*", "System.cut", "System.ways", "Reader.*", "Cursor.*")
        },
        **{
            f"queue_manager/unguarded/{operation}/{field}": "the operation does not look at it, nor does what follows"
            for operation in (
                "close",
                "close_cursor",
                "create_foreign_queue",
                "join_domain",
                "leave_domain",
                "open",
                "provision",
                "put_object",
                "replace_object",
            )
            for field in ("Cursor.*", "Entry.[!h]*", "Reader.*", "System.notices", "World.repaired_at")
        },
        **{
            f"queue_manager/unguarded/{operation}/Cursor.*": "only an operation with a cursor looks at one"
            for operation in (
                "abort",
                "advance_clock",
                "cancel",
                "commit",
                "create_queue",
                "delete_queue",
                "fail_network",
                "fail_store",
                "pause",
                "purge",
                "send",
                "set_queue",
                "start",
                "take_offline",
                "throttle",
            )
        },
        **{
            f"queue_manager/unguarded/{operation}/Properties.*": "no property of a queue bears on the operation"
            for operation in (
                "close",
                "close_cursor",
                "join_domain",
                "leave_domain",
                "provision",
                "put_object",
                "replace_object",
            )
        },
        **dict.fromkeys(
            (
                f"queue_manager/unguarded/{name}/World.coordinator_lost"
                for name in ("send", "receive", "peek", "commit")
            ),
            "the loss has aborted the transactions that need the coordinator",
        ),
        "queue_manager/unguarded/cancel/World.running": "a wait that a stop has ended cannot be given up",
        "queue_manager/unguarded/*/World.ended": "what became of waits keeps nothing from happening",
        "queue_manager/state/World.retrying/*": "a start of what runs already changes nothing",
        "queue_manager/unguarded/fail_store/World.retrying": "the store fails whatever goes on",
        "queue_manager/state/System.notices/never-cleared": "a change that is taken over twice is the same",
        "queue_manager/*/World.ended_at*": "at the instant of its end a queue manager may be stopping or stopped",
        "transaction/abort/*": "an unfinished transaction sends nothing, like an aborted one",
    }
)
"""Pattern, as of a shell -> why such a fault shows nowhere."""
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
    return any(fnmatchcase(name, pattern) for pattern in HIDDEN)
