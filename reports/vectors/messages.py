"""Requests and replies for test vectors: right ones, and what spoils them (MS-MQSD 2.2.1 to 2.2.3)."""

from collections.abc import Callable
from random import Random
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


def request(draws: Random) -> bytes:
    """Return a right request over IP."""
    return encode_request(
        TopologyClientRequest(Guid(draws.randbytes(16)), Guid(draws.randbytes(16)), Guid(draws.randbytes(16)))
    )


def _networks(draws: Random, count: int, entries: int) -> bytes:
    return count.to_bytes(4, "little") + draws.randbytes(4 * entries)


def _other_type(draws: Random, octets: bytes) -> bytes:
    kind = HEADER["Type"]
    return kind.put_number(octets, draws.choice([other for other in (0, 1, 2, 3, 255) if other != kind.number(octets)]))


def _ipx_form(draws: Random, octets: bytes, longer: int = 0) -> bytes:
    count = draws.randint(2, 32)
    return octets + _networks(draws, count, count + longer)


_OF_ANY: Final[dict[str, Callable[[Random, bytes], bytes]]] = {
    "cut": lambda draws, octets: octets[: draws.randrange(len(octets))],
    "other-version": lambda draws, octets: HEADER["Version"].put_number(octets, draws.randint(1, 255)),
    "other-type": _other_type,
    "reserved-set": lambda draws, octets: HEADER["Reserved"].put_number(octets, draws.randint(1, 65535)),
}
OF_REQUESTS: Final = _OF_ANY | {
    "site-of-zeros": lambda _draws, octets: REQUEST["SiteID"].put(octets, bytes(16)),
    "trailing-octets": lambda draws, octets: octets + draws.randbytes(draws.randint(1, 7)),
    "ipx-form-over-ip": _ipx_form,
    "ipx-count-out-of-range": lambda draws, octets: (
        octets + _networks(draws, draws.choice((0, 33, 2**32 - 1)), draws.randint(1, 33))
    ),
    "ipx-array-of-other-length": lambda draws, octets: _ipx_form(draws, octets, draws.choice((-1, 1))),
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


Spoiling = Callable[[Random, Reply], bytes]


def reply(draws: Random, *, listing: bool) -> Reply:
    """Return a right reply over IP, with or without a server list."""
    networks = draws.randint(1, 32) if draws.random() < 0.25 else draws.randint(1, 4)
    servers = tuple(_server(draws) for _ in range(draws.randint(1, 5))) if listing else ()
    octets = encode_reply(
        TopologyServerReply(
            Guid(draws.randbytes(GUID)),
            tuple(Guid(draws.randbytes(GUID)) for _ in range(networks)),
            0,
            Guid(draws.randbytes(GUID)) if listing else None,
            servers,
        )
    )
    return Reply(octets, networks, len(servers))


def _server(draws: Random) -> DirectoryServer:
    name = "".join(draws.choice(LETTERS) for _ in range(draws.randint(1, 24)))
    ip, ipx = draws.choice(((True, False), (False, True), (True, True)))
    return DirectoryServer(name, ip, ipx)


def _number(field: FieldRule, value: Callable[[Random, Reply], int]) -> Spoiling:
    return lambda draws, of: field.put_number(of.octets, value(draws, of))


def _size(of: Reply) -> int:
    return SIZE.number(of.octets)


def _common(spoiling: Callable[[Random, bytes], bytes]) -> Spoiling:
    return lambda draws, of: spoiling(draws, of.octets)


def _many_networks(draws: Random, of: Reply) -> bytes:
    """More than 32 networks, all of them there."""
    more = draws.randint(33, 40)
    networks = draws.randbytes(GUID * more)
    return COUNT.put_number(of.octets[:FIXED], more) + networks + of.octets[FIXED + GUID * of.networks :]


def _no_networks(_draws: Random, of: Reply) -> bytes:
    """A count of 0 with no network there."""
    return COUNT.put_number(of.octets[:FIXED], 0) + of.octets[FIXED + GUID * of.networks :]


def _site_alone(draws: Random, of: Reply) -> bytes:
    """A site behind the networks, although no list follows."""
    return SIZE.put_number(of.octets[: FIXED + GUID * of.networks], 0) + draws.randbytes(GUID)


def _with_list(of: Reply, octets: bytes) -> bytes:
    """Return the reply with another list and its correct size."""
    return SIZE.put_number(of.octets[: of.list_at], len(octets)) + octets


def _list(change: Callable[[Random, bytes], bytes]) -> Spoiling:
    return lambda draws, of: _with_list(of, change(draws, of.octets[of.list_at :]))


def _with_nulls_between(octets: bytes) -> bytes:
    """Return a list with nulls for its commas; one of a single entry stays right."""
    units = (octets[at : at + 2] for at in range(0, len(octets), 2))
    return b"".join(b"\0\0" if unit == b",\0" else unit for unit in units)


OF_REPLIES: Final[dict[str, Spoiling]] = {
    **{name: _common(spoiling) for name, spoiling in _OF_ANY.items()},
    "count-of-zero": _number(COUNT, lambda _draws, _of: 0),
    "no-networks": _no_networks,
    "count-too-low": _number(COUNT, lambda _draws, of: of.networks - 1),
    "count-too-high": _number(COUNT, lambda draws, of: of.networks + draws.randint(1, 3)),
    "count-far-too-high": _number(COUNT, lambda draws, _of: draws.choice((33, 1000, 2**31, 2**32 - 1))),
    "many-networks": _many_networks,
    "count-of-other-endianness": _number(COUNT, lambda _draws, of: of.networks << 24),
    "mask-set": _number(MASK, lambda _draws, of: (1 << of.networks) - 1),
    "trailing-octets": lambda draws, of: of.octets + draws.randbytes(draws.choice((1, 2, 3, 4, 16))),
    "site-alone": _site_alone,
    "size-without-list": _number(SIZE, lambda draws, of: _size(of) + draws.randint(1, 64)),
}
"""What is done to any right reply."""

OF_LISTS: Final[dict[str, Spoiling]] = {
    "size-of-zero": _number(SIZE, lambda _draws, _of: 0),
    "size-odd": _number(SIZE, lambda _draws, of: _size(of) - 1),
    "size-too-low": _number(SIZE, lambda _draws, of: max(4, _size(of) - 6)),
    "size-without-terminator": _number(SIZE, lambda _draws, of: _size(of) - 2),
    "terminator-only": _list(lambda _draws, _octets: b"\0\0"),
    "ip-flag-wrong": _list(lambda draws, octets: draws.choice((b"2\0", b"Y\0", b"1\1")) + octets[2:]),
    "ipx-flag-wrong": _list(lambda draws, octets: octets[:2] + draws.choice((b"2\0", b"N\0", b"\0\1")) + octets[4:]),
    "no-protocol": _list(lambda _draws, octets: b"0\x000\0" + octets[4:]),
    "no-name": _list(lambda _draws, octets: octets[:4] + b",\0" + octets),
    "flag-alone": _list(lambda _draws, octets: octets[:2] + b",\0" + octets),
    "comma-in-front": _list(lambda _draws, octets: b",\0" + octets),
    "comma-at-the-end": _list(lambda _draws, octets: octets[:-2] + b",\0\0\0"),
    "null-between": _list(lambda _draws, octets: _with_nulls_between(octets)),
    "null-at-the-end-twice": _list(lambda _draws, octets: octets + b"\0\0"),
    "octets-behind-the-end": _list(lambda draws, octets: octets + draws.randbytes(2 * draws.randint(1, 4))),
    "no-end": _list(lambda _draws, octets: octets[:-2]),
    "big-endian-characters": _list(
        lambda _draws, octets: b"".join(octets[at : at + 2][::-1] for at in range(0, len(octets), 2))
    ),
}
"""What is done to a right reply with a server list."""
