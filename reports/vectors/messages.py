"""Requests and replies for test vectors: right ones, and what spoils them (MS-MQSD 2.2.1 to 2.2.3)."""

from collections.abc import Callable
from typing import Final, NamedTuple

from mqconform.reference.mqsd.guid import GUID_SIZE, Guid
from mqconform.reference.mqsd.messages import HEADER, REPLY, REQUEST, FieldRule
from mqconform.reference.mqsd.packets import (
    DirectoryServer,
    TopologyClientRequest,
    TopologyServerReply,
    encode_reply,
    encode_request,
)
from mqconform.reports.vectors.draws import Draws


def request(draws: Draws) -> bytes:
    """Return a right request over IP."""
    return encode_request(TopologyClientRequest(Guid(draws.octets(16)), Guid(draws.octets(16)), Guid(draws.octets(16))))


def _cut(draws: Draws, octets: bytes) -> bytes:
    return octets[: draws.below(len(octets))]


def _other_version(draws: Draws, octets: bytes) -> bytes:
    return HEADER["Version"].put_number(octets, draws.between(1, 255))


def _other_type(draws: Draws, octets: bytes) -> bytes:
    kind = HEADER["Type"]
    return kind.put_number(octets, draws.one([number for number in (0, 1, 2, 3, 255) if number != kind.number(octets)]))


def _reserved_set(draws: Draws, octets: bytes) -> bytes:
    return HEADER["Reserved"].put_number(octets, draws.between(1, 65535))


def _site_of_zeros(_draws: Draws, octets: bytes) -> bytes:
    return REQUEST["SiteID"].put(octets, bytes(16))


def _octets_behind(draws: Draws, octets: bytes) -> bytes:
    return octets + draws.octets(draws.between(1, 7))


def _networks(draws: Draws, count: int, entries: int) -> bytes:
    return count.to_bytes(4, "little") + draws.octets(4 * entries)


def _ipx_form(draws: Draws, octets: bytes) -> bytes:
    count = draws.between(1, 32)
    return octets + _networks(draws, count, count)


def _ipx_count_out_of_range(draws: Draws, octets: bytes) -> bytes:
    return octets + _networks(draws, draws.one((0, 33, 2**32 - 1)), draws.between(1, 33))


def _ipx_array_of_other_length(draws: Draws, octets: bytes) -> bytes:
    count = draws.between(2, 32)
    return octets + _networks(draws, count, count + draws.one((-1, 1)))


OF_REQUESTS: Final[dict[str, Callable[[Draws, bytes], bytes]]] = {
    "cut": _cut,
    "other-version": _other_version,
    "other-type": _other_type,
    "reserved-set": _reserved_set,
    "site-of-zeros": _site_of_zeros,
    "trailing-octets": _octets_behind,
    "ipx-form-over-ip": _ipx_form,
    "ipx-count-out-of-range": _ipx_count_out_of_range,
    "ipx-array-of-other-length": _ipx_array_of_other_length,
}
"""What is done to a right request; most of it is wrong, some of it open or harmless."""


COUNT: Final = REPLY["ConnectedNetworkCount"]
MASK: Final = REPLY["ConnectedNetworkMask"]
SIZE: Final = REPLY["DirectoryServiceServerSize"]
FIXED: Final = REPLY.size
GUID: Final = GUID_SIZE

LETTERS: Final = "abcdefghijklmnopqrstuvwxyzABCXYZ0123456789-._ äß語\u2c01\u012c\U0001f4e8"
"""Beyond the usual ones: characters whose octets look like the delimiters of the list."""


class Reply(NamedTuple):
    """Octets of a reply with what a spoiling has to know of them."""

    octets: bytes
    networks: int
    servers: int

    @property
    def list_at(self) -> int:
        """Offset of the server list, or of the end where there is none."""
        return FIXED + GUID * self.networks + (GUID if self.servers else 0)


Spoiling = Callable[[Draws, Reply], bytes]


def reply(draws: Draws, *, listing: bool) -> Reply:
    """Return a right reply over IP, with or without a server list."""
    networks = draws.between(1, 32) if draws.chance(25) else draws.between(1, 4)
    servers = tuple(_server(draws) for _ in range(draws.between(1, 5))) if listing else ()
    octets = encode_reply(
        TopologyServerReply(
            Guid(draws.octets(GUID)),
            tuple(Guid(draws.octets(GUID)) for _ in range(networks)),
            0,
            Guid(draws.octets(GUID)) if listing else None,
            servers,
        )
    )
    return Reply(octets, networks, len(servers))


def _server(draws: Draws) -> DirectoryServer:
    name = "".join(draws.one(LETTERS) for _ in range(draws.between(1, 24)))
    ip, ipx = draws.one(((True, False), (False, True), (True, True)))
    return DirectoryServer(name, ip, ipx)


def _number(field: FieldRule, value: Callable[[Draws, Reply], int]) -> Spoiling:
    return lambda draws, of: field.put_number(of.octets, value(draws, of))


def _size(of: Reply) -> int:
    return SIZE.number(of.octets)


def _common(spoiling: Callable[[Draws, bytes], bytes]) -> Spoiling:
    return lambda draws, of: spoiling(draws, of.octets)


def _many_networks(draws: Draws, of: Reply) -> bytes:
    """More than 32 networks, all of them there."""
    more = draws.between(33, 40)
    networks = draws.octets(GUID * more)
    return COUNT.put_number(of.octets[:FIXED], more) + networks + of.octets[FIXED + GUID * of.networks :]


def _no_networks(_draws: Draws, of: Reply) -> bytes:
    """A count of 0 with no network there."""
    return COUNT.put_number(of.octets[:FIXED], 0) + of.octets[FIXED + GUID * of.networks :]


def _trailing(draws: Draws, of: Reply) -> bytes:
    return of.octets + draws.octets(draws.one((1, 2, 3, 4, 16)))


def _site_alone(draws: Draws, of: Reply) -> bytes:
    """A site behind the networks, although no list follows."""
    return SIZE.put_number(of.octets[: FIXED + GUID * of.networks], 0) + draws.octets(GUID)


def _with_list(of: Reply, octets: bytes) -> bytes:
    """Return the reply with another list and its correct size."""
    return SIZE.put_number(of.octets[: of.list_at], len(octets)) + octets


def _list(change: Callable[[Draws, bytes], bytes]) -> Spoiling:
    return lambda draws, of: _with_list(of, change(draws, of.octets[of.list_at :]))


def _with_nulls_between(octets: bytes) -> bytes:
    """Return a list with nulls for its commas; one of a single entry stays right."""
    units = (octets[at : at + 2] for at in range(0, len(octets), 2))
    return b"".join(b"\0\0" if unit == b",\0" else unit for unit in units)


OF_REPLIES: Final[dict[str, Spoiling]] = {
    "cut": _common(_cut),
    "other-version": _common(_other_version),
    "other-type": _common(_other_type),
    "reserved-set": _common(_reserved_set),
    "count-of-zero": _number(COUNT, lambda _draws, _of: 0),
    "no-networks": _no_networks,
    "count-too-low": _number(COUNT, lambda _draws, of: of.networks - 1),
    "count-too-high": _number(COUNT, lambda draws, of: of.networks + draws.between(1, 3)),
    "count-far-too-high": _number(COUNT, lambda draws, _of: draws.one((33, 1000, 2**31, 2**32 - 1))),
    "many-networks": _many_networks,
    "count-of-other-endianness": _number(COUNT, lambda _draws, of: of.networks << 24),
    "mask-set": _number(MASK, lambda _draws, of: (1 << of.networks) - 1),
    "trailing-octets": _trailing,
    "site-alone": _site_alone,
    "size-without-list": _number(SIZE, lambda draws, of: _size(of) + draws.between(1, 64)),
}
"""What is done to any right reply."""

OF_LISTS: Final[dict[str, Spoiling]] = {
    "size-of-zero": _number(SIZE, lambda _draws, _of: 0),
    "size-odd": _number(SIZE, lambda _draws, of: _size(of) - 1),
    "size-too-low": _number(SIZE, lambda _draws, of: max(4, _size(of) - 6)),
    "size-without-terminator": _number(SIZE, lambda _draws, of: _size(of) - 2),
    "terminator-only": _list(lambda _draws, _octets: b"\0\0"),
    "ip-flag-wrong": _list(lambda draws, octets: draws.one((b"2\0", b"Y\0", b"1\1")) + octets[2:]),
    "ipx-flag-wrong": _list(lambda draws, octets: octets[:2] + draws.one((b"2\0", b"N\0", b"\0\1")) + octets[4:]),
    "no-protocol": _list(lambda _draws, octets: b"0\x000\0" + octets[4:]),
    "no-name": _list(lambda _draws, octets: octets[:4] + b",\0" + octets),
    "flag-alone": _list(lambda _draws, octets: octets[:2] + b",\0" + octets),
    "comma-in-front": _list(lambda _draws, octets: b",\0" + octets),
    "comma-at-the-end": _list(lambda _draws, octets: octets[:-2] + b",\0\0\0"),
    "null-between": _list(lambda _draws, octets: _with_nulls_between(octets)),
    "null-at-the-end-twice": _list(lambda _draws, octets: octets + b"\0\0"),
    "octets-behind-the-end": _list(lambda draws, octets: octets + draws.octets(2 * draws.between(1, 4))),
    "no-end": _list(lambda _draws, octets: octets[:-2]),
    "big-endian-characters": _list(
        lambda _draws, octets: b"".join(octets[at : at + 2][::-1] for at in range(0, len(octets), 2))
    ),
}
"""What is done to a right reply with a server list."""
