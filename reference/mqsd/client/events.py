"""What reaches the discovery client and what it does outwardly (MS-MQSD 3.1.4 to 3.1.6).

Times are integer nanoseconds on a clock of the caller's choosing, so that tenths of a second are exact.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from mqconform.reference.mqsd.specification import FACTS

SECOND: Final = 1_000_000_000
"""Nanoseconds."""


@dataclass(frozen=True, slots=True)
class NetworkAddress:
    """Address of a network to which the computer is connected (MS-MQSD 3.1.1.2)."""

    address: str
    """Text that is compared and never taken apart."""
    remote_access: bool = False
    """Whether it is a Remote Access Service address (3.1.4.1)."""
    ipx_network_number: int | None = None
    """32 bits where the network is an IPX network, None over IP."""


@dataclass(frozen=True, slots=True)
class GetDirectoryServerList:
    """Higher-layer triggered event (MS-MQSD 3.1.4.1)."""


@dataclass(frozen=True, slots=True)
class DatagramReceived:
    """A datagram, meant as a TopologyServerReply or not, arrived (MS-MQSD 3.1.5.2)."""

    network: str
    """Address of the network on which it was received."""
    datagram: bytes


@dataclass(frozen=True, slots=True)
class ClockAdvanced:
    """Time has passed and nothing else has happened (MS-MQSD 3.1.6)."""


@dataclass(frozen=True, slots=True)
class NetworksChanged:
    """The computer is connected to other networks than before; the next event takes them over (MS-MQSD 3.1.4.1)."""

    networks: tuple[NetworkAddress, ...]


@dataclass(frozen=True, slots=True)
class SendFailed:
    """The request that was sent last could not leave the computer; the text has no rule for that (register SD-65)."""


Event = GetDirectoryServerList | DatagramReceived | ClockAdvanced | NetworksChanged | SendFailed


class Result(StrEnum):
    """How a Get Directory Server List event ends (MS-MQSD 3.1.4.1)."""

    SUCCESS = "success"
    FAILURE = "failure"


@dataclass(frozen=True, slots=True)
class Send:
    """Broadcast a datagram on a network (MS-MQSD 3.1.5.1)."""

    network: str
    datagram: bytes

    def __str__(self) -> str:
        """Name network and octets."""
        return f"send on {self.network}: {self.datagram.hex()}"

    def with_id(self, request_id: bytes) -> "Send":
        """Return the same request with another RequestID."""
        before, behind = self.datagram[: FACTS.request_id.start], self.datagram[FACTS.request_id.stop :]
        return Send(self.network, before + request_id + behind)


@dataclass(frozen=True, slots=True)
class Complete:
    """Complete the processing of a Get Directory Server List event (MS-MQSD 3.1.4.1)."""

    result: Result

    def __str__(self) -> str:
        """Name the result."""
        return f"complete with {self.result}"


Effect = Send | Complete
