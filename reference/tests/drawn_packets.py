"""Packets of discovery drawn by Hypothesis: right ones, and right ones changed where it hurts."""

from hypothesis import strategies as st

from mqconform.reference.mqsd.messages import PacketType
from mqconform.reference.mqsd.packets import (
    DirectoryServer,
    TopologyClientRequest,
    TopologyPacketHeader,
    TopologyServerReply,
    encode_message,
)

guids = st.binary(min_size=16, max_size=16)
units = st.one_of(st.integers(1, 0xFFFF), st.sampled_from([0x2C01, 0x012C, 0xD800, 0xDC00])).filter(lambda u: u != 0x2C)
names = st.lists(units, min_size=1, max_size=12).map(lambda units: "".join(map(chr, units)))
servers = st.builds(DirectoryServer, names, st.booleans(), st.booleans())


def headers(kind: PacketType) -> st.SearchStrategy[TopologyPacketHeader]:
    return st.builds(TopologyPacketHeader, st.just(kind), st.integers(0, 0xFF), st.integers(0, 0xFFFF))


def requests(
    networks: st.SearchStrategy[tuple[int, ...]], tail: st.SearchStrategy[bytes]
) -> st.SearchStrategy[TopologyClientRequest]:
    return st.builds(TopologyClientRequest, guids, guids, guids, networks, headers(PacketType.CLIENT_REQUEST), tail)


ipx_networks = st.lists(st.integers(0, 0xFFFFFFFF), min_size=1, max_size=32).map(tuple)
networks = st.lists(guids, min_size=1, max_size=32) | st.just([b"\x5a" * 16] * 32)
foreign_sites = st.tuples(guids, st.lists(servers, min_size=1, max_size=5).map(tuple))
replies = st.builds(
    lambda site, *rest, header: TopologyServerReply(*rest, *site, header),
    st.just((None, ())) | foreign_sites,
    guids,
    networks.map(tuple),
    st.integers(0, 0xFFFFFFFF),
    header=headers(PacketType.SERVER_REPLY),
)
messages = st.one_of(requests(st.just(()), st.binary(max_size=7)), requests(ipx_networks, st.just(b"")), replies)


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A message changed in its numbers, its length or its characters."""
    octets = bytearray(encode_message(draw(messages)))
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(octets)))
        match draw(st.sampled_from(["octet", "cut", "insert", "append", "character", "small number", "number"])):
            case "octet":
                octets[at : at + 1] = draw(st.binary(min_size=1, max_size=1))
            case "cut":
                del octets[at : at + draw(st.integers(1, 20))]
            case "insert":
                octets[at:at] = draw(st.sampled_from([b"\0", b"\0\0", b",\0", b"1\x000\0"]) | st.binary(max_size=17))
            case "append":
                octets += draw(st.binary(min_size=1, max_size=17))
            case "character":
                octets[at & ~1 : (at & ~1) + 2] = draw(st.sampled_from([b"\0\0", b",\0", b"1\0", b"2\0", b"\0,"]))
            case "small number":
                at = draw(st.sampled_from([1, 20, 28, 52]))
                octets[at : at + 1] = draw(st.integers(0, 40)).to_bytes(1, "little")
            case "number":
                at = draw(st.sampled_from([0, 20, 24, 28, 52]))
                octets[at : at + 4] = draw(st.integers(0, 40)).to_bytes(4, "little")
    return bytes(octets)
