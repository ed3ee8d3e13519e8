"""Discovery servers unlike the reference that conform all the same: what the text leaves to a server (MS-MQSD)."""

from collections.abc import Callable
from dataclasses import replace

from mqconform.harness.builtin.discovery_server import ReferenceDiscoveryServer
from mqconform.harness.mutants.mqsd_list import written
from mqconform.harness.mutants.mutant import Mutant, spoilt
from mqconform.harness.mutants.reply_parts import Asked, ReplyParts, Spoil, little, right_reply, units
from mqconform.reference.mqsd.directory_server import DirectoryServer
from mqconform.reference.mqsd.server import Network

REQUEST = 52
FIXED = 32


class AnswersMalformed(ReferenceDiscoveryServer):
    """Makes a request out of anything that claims to be one, and answers it (register SD-18)."""

    def replies(self, network: Network, datagram: bytes) -> list[bytes]:
        """Answer what is too short as if zeros followed."""
        if datagram[1:2] not in (b"", b"\1"):
            return []
        taken = b"\0\1" + datagram[2:].ljust(REQUEST - 2, b"\0")
        return super().replies(network, taken)


class TakesTurns(ReferenceDiscoveryServer):
    """Lists names and networks in another order each time (register SD-26)."""

    def __init__(self) -> None:
        self._turn = 0
        super().__init__()

    def replies(self, network: Network, datagram: bytes) -> list[bytes]:
        """Begin the lists with another element."""
        if self.server is None:
            return []
        parts = right_reply(Asked(self.server, network, datagram))
        self._turn += 1
        return [] if parts is None else [_rotated(parts, self._turn).octets()]


class EmptyList(ReferenceDiscoveryServer):
    """Answers in a way of its own where it has no networks, or no names, to list (register SD-21, SD-24)."""

    def __init__(self, answer: Callable[[bytes, bytes], bytes | None], *, of_networks: bool) -> None:
        self._answer = answer
        self._of_networks = of_networks
        super().__init__()

    def replies(self, network: Network, datagram: bytes) -> list[bytes]:
        """Return the reply of its own, or the usual one."""
        if self.server is None or len(datagram) < REQUEST or datagram[1] != 1:
            return []
        empty = not (self.server.connected_networks if self._of_networks else self.server.directory_servers)
        if not empty or (not self._of_networks and datagram[36:52] == self.server.site):
            return super().replies(network, datagram)
        head = b"\0\2\0\0" + datagram[20:36]
        reply = self._answer(head, b"".join(self.server.connected_networks) + bytes(self.server.site))
        return [] if reply is None else [reply]


def _rotated(parts: ReplyParts, by: int) -> ReplyParts:
    at = by % len(parts.networks)
    turned = replace(parts, networks=parts.networks[at:] + parts.networks[:at])
    if not parts.foreign:
        return turned
    at = by % len(parts.servers)
    return turned.with_array(units(written(parts.servers[at:] + parts.servers[:at])))


def _header(header: bytes) -> Spoil:
    return lambda parts: replace(parts, header=header)


def _version_of_the_request(parts: ReplyParts) -> ReplyParts:
    return replace(parts, header=parts.asked.request[:1] + b"\2" + parts.asked.request[2:4])


def _listed(order: Callable[[tuple[DirectoryServer, ...]], tuple[DirectoryServer, ...]]) -> Spoil:
    def spoil(parts: ReplyParts) -> ReplyParts:
        return parts.with_array(units(written(order(parts.servers)))) if parts.foreign else parts

    return spoil


def _flags(ip: bool, ipx: bool) -> Spoil:  # noqa: FBT001 - the two flags of an entry, in their order
    return _listed(lambda servers: tuple(replace(one, ip=ip, ipx=ipx) for one in servers))


def _mask(bits: Callable[[int], int]) -> Spoil:
    def spoil(parts: ReplyParts) -> ReplyParts:
        over_ipx = parts.asked.network is Network.IPX
        return replace(parts, mask=little(bits(len(parts.networks)))) if over_ipx else parts

    return spoil


def _without_networks(name: str, says: str, answer: Callable[[bytes, bytes], bytes | None]) -> Mutant:
    return Mutant(name, says, lambda: EmptyList(answer, of_networks=True))


def _without_names(name: str, says: str, tail: bytes | None, size: int) -> Mutant:
    def answer(head: bytes, networks_and_site: bytes) -> bytes | None:
        if tail is None:
            return None
        count = little(len(networks_and_site) // 16 - 1)
        return head + count + bytes(4) + little(size) + networks_and_site + tail

    return Mutant(name, says, lambda: EmptyList(answer, of_networks=False))


VARIANTS = (
    Mutant("version-7", "A reply has Version 7.", spoilt(_header(b"\7\2\0\0"))),
    Mutant("reserved-not-zero", "A reply has Reserved octets that are not zero.", spoilt(_header(b"\0\2\xca\xfe"))),
    Mutant(
        "version-of-the-request", "A reply has Version and Reserved of the request.", spoilt(_version_of_the_request)
    ),
    Mutant("flags-always-11", "All servers are said to speak IP and IPX.", spoilt(_flags(True, True))),
    Mutant("flags-always-01", "All servers are said to speak IPX only.", spoilt(_flags(False, True))),
    Mutant("flags-always-10", "All servers are said to speak IP only.", spoilt(_flags(True, False))),
    Mutant("names-reversed", "Names stand in reverse order.", spoilt(_listed(lambda servers: servers[::-1]))),
    Mutant(
        "names-sorted",
        "Names stand in alphabetical order.",
        spoilt(_listed(lambda servers: tuple(sorted(servers, key=lambda one: one.name)))),
    ),
    Mutant(
        "networks-reversed",
        "Networks stand in reverse order.",
        spoilt(lambda parts: parts.with_networks(parts.networks[::-1])),
    ),
    Mutant(
        "networks-sorted", "Networks stand in rising order.", spoilt(lambda p: p.with_networks(sorted(set(p.networks))))
    ),
    Mutant("order-takes-turns", "Names and networks stand in another order each time.", TakesTurns),
    Mutant("malformed-answered", "Requests cut short are answered as if zeros followed.", AnswersMalformed),
    Mutant(
        "mask-in-high-bits",
        "Bits of the mask are set from the highest.",
        spoilt(_mask(lambda n: ((1 << n) - 1) << (32 - n))),
    ),
    Mutant("mask-big-endian", "The mask has its high octet first.", spoilt(lambda p: replace(p, mask=p.mask[::-1]))),
    _without_networks(
        "no-networks-count-zero", "Without networks, the count is zero.", lambda head, _: head + bytes(12)
    ),
    _without_networks(
        "no-networks-placeholder",
        "Without networks, an empty identifier stands in.",
        lambda head, _: head + little(1) + bytes(24),
    ),
    _without_names("no-names-silent", "Without names, clients of other sites are not answered.", None, 0),
    _without_names("no-names-but-site", "Without names, RespondingSiteID is sent all the same.", b"", 0),
    _without_names("no-names-but-terminator", "Without names, the list is its terminator.", bytes(2), 2),
)
