"""The packets of MS-MQSD 2.2: TopologyClientRequest and TopologyServerReply."""

import struct
from dataclasses import dataclass
from typing import Self

from mqsample import guid

CLIENT_REQUEST = 1
SERVER_REPLY = 2
MOST_NETWORKS = 32

_HEADER = struct.Struct("<BBH")  # Version, Type, Reserved
_REQUEST = struct.Struct("<4s16s16s16s")  # header, EnterpriseID, RequestID, SiteID
_REPLY = struct.Struct("<4s16sIII")  # header, CorrelationID, count, mask, size


class Malformed(ValueError):
    """What arrived is not the packet that was expected."""


@dataclass(frozen=True)
class TopologyClientRequest:
    """Section 2.2.2. IPX fields are neither written nor read: this program speaks IP."""

    enterprise: str
    request: str
    site: str

    def to_octets(self) -> bytes:
        """The 52 octets of the request."""
        ids = (guid.to_octets(field) for field in (self.enterprise, self.request, self.site))
        return _REQUEST.pack(_HEADER.pack(0, CLIENT_REQUEST, 0), *ids)

    @classmethod
    def from_octets(cls, datagram: bytes) -> Self:
        """Read a request; servers ignore Version, Reserved and whatever follows SiteID."""
        if len(datagram) < _REQUEST.size:
            raise Malformed(f"a request has {_REQUEST.size} octets or more, this has {len(datagram)}")
        header, *ids = _REQUEST.unpack_from(datagram)
        _expect_type(header, CLIENT_REQUEST)
        return cls(*map(guid.from_octets, ids))


@dataclass(frozen=True)
class TopologyServerReply:
    """Section 2.2.3. `responding_site` and `servers` (the octets of the array) belong together."""

    correlation: str
    connected_networks: tuple[str, ...]
    responding_site: str | None = None
    servers: bytes = b""

    @property
    def of_local_site(self) -> bool:
        """DirectoryServiceServerSize is zero: the sender is a server of the client's own site."""
        return not self.servers

    def to_octets(self) -> bytes:
        """The whole reply, with ConnectedNetworkMask zero as over IP."""
        header = _HEADER.pack(0, SERVER_REPLY, 0)
        correlation = guid.to_octets(self.correlation)
        fixed = _REPLY.pack(header, correlation, len(self.connected_networks), 0, len(self.servers))
        networks = b"".join(map(guid.to_octets, self.connected_networks))
        site = guid.to_octets(self.responding_site) if self.responding_site else b""
        return fixed + networks + site + self.servers

    @classmethod
    def from_octets(cls, datagram: bytes) -> Self:
        """Read a reply; whatever is cut off, or counts what cannot be, is improperly formatted."""
        if len(datagram) < _REPLY.size:
            raise Malformed(f"a reply has {_REPLY.size} octets or more, this has {len(datagram)}")
        header, correlation, count, _mask, size = _REPLY.unpack_from(datagram)
        _expect_type(header, SERVER_REPLY)
        if not 1 <= count <= MOST_NETWORKS:
            raise Malformed(f"ConnectedNetworkCount is {count}")
        site_at = _REPLY.size + 16 * count
        servers_at = site_at + (16 if size else 0)
        if size % 2 or len(datagram) < servers_at + size:
            raise Malformed(f"DirectoryServiceServerSize {size} does not fit {len(datagram)} octets")
        return cls(
            correlation=guid.from_octets(correlation),
            connected_networks=tuple(
                guid.from_octets(datagram[at : at + 16]) for at in range(_REPLY.size, site_at, 16)
            ),
            responding_site=guid.from_octets(datagram[site_at:servers_at]) if size else None,
            servers=datagram[servers_at : servers_at + size],
        )


def _expect_type(header: bytes, expected: int) -> None:
    _version, kind, _reserved = _HEADER.unpack(header)
    if kind != expected:
        raise Malformed(f"Type is {kind}, not {expected}")
