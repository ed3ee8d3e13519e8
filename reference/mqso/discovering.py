"""How a machine finds a directory server when it starts: its discovery client asks its network (5.1.2, MS-MQSD).

The client is the reference of MS-MQSD 3.1. The server is one of another site than the machine's: only such a server
lists directory servers (MS-MQSD 3.2.5.1). A machine without any has no directory, and so routes nothing (5.5.4).
"""

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from mqconform.reference.mqsd.client import (
    UNDISPUTED,
    ClientState,
    ClockAdvanced,
    DatagramReceived,
    Event,
    GetDirectoryServerList,
    NetworkAddress,
    Send,
    initialize,
    step,
)
from mqconform.reference.mqsd.client.readings_of_replies import LesserError
from mqconform.reference.mqsd.guid import GUID_SIZE, Guid, guid_from_text
from mqconform.reference.mqsd.packets import DirectoryServer
from mqconform.reference.mqsd.server import DiscoveryServer, Network, receive_topology_client_request
from mqconform.reference.mqso.elements import SECOND, MachineName
from mqconform.reference.mqso.topology import Topology

SITE_OF_SERVERS: Final = "5e1f5e1f-0d15-4c0e-9000-000000000001"
"""A site of which no enterprise knows anything: that of the discovery servers."""
CONNECTED_NETWORK: Final = "5e1f5e1f-0d15-4c0e-9000-000000000002"
"""The network that they say they are connected to."""
DIRECTORY_SERVERS: Final = (
    "oslo-directory", "bergen-north", "10-bodo", "A", "B2", "molde-east", "stavanger-west", "trondheim-main",
)  # fmt: skip
"""The directory servers of an enterprise, by names that any server can say; each machine has one of them in reach."""
LENIENT: Final = replace(UNDISPUTED, lesser_error=LesserError.ACCEPTED)
"""A client that takes what the register leaves undecided, so that no server fails for it here."""
MOST_REPLIES: Final = 100
"""To one request; further ones are not read."""

_NETWORK: Final = "192.0.2.255"
_LONG_ENOUGH: Final = 60 * SECOND
"""In nanoseconds; longer than any wait of a client with one network."""
_ANY: Final = 0x9A8BFC2C

Answer = Callable[[bytes], Sequence[bytes]]
"""Takes a request over IP, and returns the replies to it, in order."""


@dataclass(slots=True)
class DiscoveryClient:
    """The discovery client of one machine.

    Attributes:
        topology: the enterprise.
        machine: whose client it is.
        answer: the discovery server that its request reaches.
        starts: how often it has asked.
    """

    topology: Topology
    machine: MachineName
    answer: Answer
    starts: int = 0

    def directory_servers(self) -> tuple[str, ...]:
        """Return the names of the directory servers that a start finds, none where nothing answers in time."""
        self.starts += 1
        directory = self.topology.directory
        enterprise = guid_from_text(directory.enterprise.identifier)
        state = initialize(enterprise, self._site(), (NetworkAddress(_NETWORK),))
        state = self._after(state, GetDirectoryServerList(), 0)
        return self._after(state, ClockAdvanced(), _LONG_ENOUGH).directory_server_list

    def _site(self) -> Guid:
        machines = self.topology.directory.queue_managers
        sites = next(record for record in machines if record.name == self.machine).site_identifier_list
        return guid_from_text(sites[0]) if sites else Guid(bytes(GUID_SIZE))

    def _after(self, state: ClientState, event: Event, now: int) -> ClientState:
        """Return the client after an event, and after the replies to all that it sent."""
        state, effects = step(state, event, now, self._new_guid, LENIENT)
        for sent in (effect for effect in effects if isinstance(effect, Send)):
            for reply in self.answer(sent.datagram)[:MOST_REPLIES]:
                state = self._after(state, DatagramReceived(sent.network, reply), now)
        return state

    def _new_guid(self, ordinal: int) -> Guid:
        """Return a RequestID that no other request of the enterprise has, with high octets and low ones."""
        return Guid(struct.pack("<IIQ", _ANY + self._place, ordinal, 2**64 - self.starts))

    @property
    def _place(self) -> int:
        return [*self.topology.identifiers].index(self.machine)


def server_in(topology: Topology) -> DiscoveryServer:
    """Return the discovery server of the reference that serves the networks of an enterprise."""
    return DiscoveryServer(
        guid_from_text(topology.directory.enterprise.identifier),
        guid_from_text(SITE_OF_SERVERS),
        (guid_from_text(CONNECTED_NETWORK),),
        tuple(DirectoryServer(name, ip=True, ipx=False) for name in DIRECTORY_SERVERS),
    )


def answered(server: DiscoveryServer, request: bytes) -> Sequence[bytes]:
    """Return what the reference replies to a request (MS-MQSD 3.2.5.1)."""
    reply = receive_topology_client_request(server, Network.IP, request)
    return () if reply is None else (reply,)


def within_reach(topology: Topology, machine: MachineName) -> str:
    """Return the directory server that a machine reaches; machines differ, so that each name of a list counts."""
    return DIRECTORY_SERVERS[[*topology.identifiers].index(machine) % len(DIRECTORY_SERVERS)]


def is_among(name: str, names: Sequence[str]) -> bool:
    """Return whether a directory server is among those that were found; case does not count (register SD-77)."""
    return name.casefold() in {listed.casefold() for listed in names}
