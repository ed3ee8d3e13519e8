"""Plain views of MS-MQSD messages, for comparing one codec with another.

GUIDs are the 16 octets of the packet, numbers are what the little-endian octets say, nothing is interpreted.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

ServerName: TypeAlias = tuple[int, int, bytes]
"""IP flag (0 or 1), IPX flag (0 or 1), name in UTF-16LE without its delimiter."""


@dataclass(frozen=True, slots=True)
class DecodedRequest:
    """A TopologyClientRequest with its header (MS-MQSD 2.2.1, 2.2.2)."""

    version: int
    reserved: int
    enterprise_id: bytes
    request_id: bytes
    site_id: bytes
    count: int | None = None
    """IPXNetworkCount; None in the IP form."""
    ipx_networks: tuple[int, ...] = ()
    type: int = 1
    kind: Literal["request"] = "request"


@dataclass(frozen=True, slots=True)
class DecodedReply:
    """A TopologyServerReply with its header (MS-MQSD 2.2.1, 2.2.3)."""

    version: int
    reserved: int
    correlation_id: bytes
    count: int
    """ConnectedNetworkCount."""
    mask: int
    """ConnectedNetworkMask, 32 bits."""
    size: int
    """DirectoryServiceServerSize, in octets, the terminator included."""
    networks: tuple[bytes, ...]
    site: bytes | None = None
    """RespondingSiteID; None where ``size`` is zero."""
    names: tuple[ServerName, ...] = ()
    type: int = 2
    kind: Literal["reply"] = "reply"


DecodedMessage: TypeAlias = DecodedRequest | DecodedReply


@dataclass(frozen=True, slots=True)
class DecodeProblem:
    """Why octets are not a message of MS-MQSD 2.2."""

    offset: int
    """Octet of the packet at which the rule is broken; its length where something is missing at the end."""
    field: str
    """The specification's name of the field, or ``trailing octets``."""
    reason: str

    def __str__(self) -> str:
        """Return one line for a person."""
        return f"octet {self.offset}, {self.field}: {self.reason}"
