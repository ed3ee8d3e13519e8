"""A right topology reply in pieces, so that a mutant can spoil one of them and leave the rest alone."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from mqconform.reference.mqsd.layout import read_reply_layout
from mqconform.reference.mqsd.messages import HEADER, REQUEST, SERVER_LIST, PacketType
from mqconform.reference.mqsd.packets import DirectoryServer
from mqconform.reference.mqsd.server import DiscoveryServer, Network, receive_topology_client_request


@dataclass(frozen=True, slots=True)
class Asked:
    """A datagram that a server got, and how the server is configured.

    Attributes:
        before: the datagram before this one, if there was one since the server was configured.
    """

    server: DiscoveryServer
    network: Network
    request: bytes
    before: "Asked | None" = None

    @property
    def request_id(self) -> bytes:
        """RequestID as far as it is there."""
        return self.request[REQUEST["RequestID"].place]

    @property
    def site(self) -> bytes:
        """SiteID as far as it is there."""
        return self.request[REQUEST["SiteID"].place]

    @property
    def own_site(self) -> bytes:
        """The server's site."""
        return bytes(self.server.site)

    @property
    def of_own_site(self) -> bool:
        """Whether the client is of the server's own site."""
        return self.site == self.own_site

    @property
    def is_request(self) -> bool:
        """Whether the datagram is a request."""
        return len(self.request) >= REQUEST.size and REQUEST["Type"].number(self.request) == PacketType.CLIENT_REQUEST

    @property
    def datagrams(self) -> list["Asked"]:
        """The datagrams since the server was configured, this one the last."""
        latest_first, datagram = [self], self.before
        while datagram:
            latest_first.append(datagram)
            datagram = datagram.before
        return latest_first[::-1]

    @property
    def requests(self) -> list["Asked"]:
        """The datagrams since the server was configured that are requests."""
        return [datagram for datagram in self.datagrams if datagram.is_request]


@dataclass(frozen=True, slots=True)
class ReplyParts:
    """The octets of each field, in the order of the packet (MS-MQSD 2.2.3).

    Attributes:
        behind: octets after the last field, of which a right reply has none.
    """

    asked: Asked
    header: bytes
    correlation_id: bytes
    count: bytes
    mask: bytes
    size: bytes
    networks: tuple[bytes, ...]
    site: bytes
    array: bytes
    behind: bytes = b""

    @property
    def foreign(self) -> bool:
        """Whether the client is of another site and gets the server list."""
        return bool(self.array)

    @property
    def over_ipx(self) -> bool:
        """Whether the request came over IPX."""
        return self.asked.network is Network.IPX

    @property
    def servers(self) -> tuple[DirectoryServer, ...]:
        """The directory servers that the array lists."""
        return self.asked.server.directory_servers if self.foreign else ()

    def octets(self) -> bytes:
        """Return the datagram."""
        fixed = self.header + self.correlation_id + self.count + self.mask + self.size
        return fixed + b"".join(self.networks) + self.site + self.array + self.behind

    def with_networks(self, networks: Iterable[bytes]) -> "ReplyParts":
        """Return the reply with other networks, counted rightly."""
        listed = tuple(networks)
        return replace(self, networks=listed, count=little(len(listed)))

    def with_all_mask_bits(self) -> "ReplyParts":
        """Return the reply with the mask that a server sends over IPX."""
        return replace(self, mask=little((1 << len(self.networks)) - 1))

    def with_array(self, array: bytes) -> "ReplyParts":
        """Return the reply with another array, its octets counted rightly."""
        return replace(self, array=array, size=little(len(array)))


def right_reply(asked: Asked) -> ReplyParts | None:
    """Return the reference's reply in pieces; None where it is silent."""
    reply = receive_topology_client_request(asked.server, asked.network, asked.request)
    if reply is None:
        return None
    layout = read_reply_layout(reply)
    fields = {field.name: field.octets for field in layout}
    return ReplyParts(
        asked=asked,
        header=reply[: HEADER.size],
        correlation_id=fields["CorrelationID"],
        count=fields["ConnectedNetworkCount"],
        mask=fields["ConnectedNetworkMask"],
        size=fields["DirectoryServiceServerSize"],
        networks=tuple(network.octets for network in layout.parts("ConnectedNetworkArray")),
        site=fields.get("RespondingSiteID", b""),
        array=fields.get(SERVER_LIST, b""),
    )


def little(number: int) -> bytes:
    """Return four octets, low octet first."""
    return (number % 2**32).to_bytes(4, "little")


def big(octets: bytes) -> bytes:
    """Return four octets the other way round."""
    return octets[::-1]


def digits(server: DirectoryServer) -> str:
    """Return the two flag characters of an entry."""
    return f"{server.ip:d}{server.ipx:d}"


def units(text: str) -> bytes:
    """Return UTF-16 code units, low octet first, unpaired surrogates included."""
    return text.encode("utf-16-le", "surrogatepass")
