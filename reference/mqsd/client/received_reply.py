"""A received TopologyServerReply as the client's rules read it, and what is wrong with it (MS-MQSD 3.1.5.2).

The text discards what is improperly formatted and does not say what that is (register SD-59). Here a *gross* error is
an end within a fixed field or a counted array; every other departure from 2.2.1 and 2.2.3 has a kind of its own.
"""

from enum import StrEnum
from functools import lru_cache

from msgspec import Struct

from mqconform.reference.errors import MalformedPacket
from mqconform.reference.mqsd.guid import GUID_SIZE, Guid
from mqconform.reference.mqsd.layout import Layout, read_reply_layout
from mqconform.reference.mqsd.messages import REPLY, SERVER_LIST

# The explainer judges the same octets under each of its hypotheses.
_remembering = lru_cache(maxsize=64)


class ReceivedReply(Struct, frozen=True, gc=False):
    """The fields of a reply that the client's rules speak of, as far as its octets reach."""

    octets: bytes
    correlation_id: Guid
    directory_service_server_size: int
    connected_network_array: tuple[Guid, ...]
    directory_service_server_array: bytes
    over_ipx: bool = False

    @property
    def local(self) -> bool:
        """Whether it was sent by a server of the client's own site, by the sign that 3.1.5.2 gives."""
        return self.directory_service_server_size == 0


class Irregularity(StrEnum):
    """Kinds of departure from 2.2.1 and 2.2.3 other than a gross error."""

    VERSION = "Version"
    RESERVED = "Reserved"
    TYPE = "Type"
    COUNT = "ConnectedNetworkCount"
    MASK = "ConnectedNetworkMask"
    SIZE = "DirectoryServiceServerSize"
    FLAGS = "IP or IPX flag"
    NAME = "NameChar"
    END_LIST = "EndList"
    SEPARATOR = "null between entries"
    TRAILING = "trailing octets"


HEADER_IRREGULARITIES = (Irregularity.VERSION, Irregularity.RESERVED)

_KIND_OF_FIELD = {
    "Type": Irregularity.TYPE,
    "ConnectedNetworkCount": Irregularity.COUNT,
    "DirectoryServiceServerSize": Irregularity.SIZE,
    "TopologyServerReply": Irregularity.TRAILING,
}
_KIND_OF_RULE = {
    "IP": Irregularity.FLAGS,
    "IPX": Irregularity.FLAGS,
    "NameChar": Irregularity.NAME,
    "EndList": Irregularity.END_LIST,
}


@_remembering
def read_reply(octets: bytes, *, over_ipx: bool = False) -> ReceivedReply:
    """Return the fields of a reply; missing octets count as zeros in numbers and are left out of arrays."""
    count, size = REPLY["ConnectedNetworkCount"].number(octets), REPLY["DirectoryServiceServerSize"].number(octets)
    networks_end = REPLY.size + GUID_SIZE * count
    networks = octets[REPLY.size : networks_end]
    starts = range(0, len(networks) - GUID_SIZE + 1, GUID_SIZE)
    servers_at = networks_end + GUID_SIZE
    return ReceivedReply(
        octets,
        Guid(octets[REPLY["CorrelationID"].place].ljust(GUID_SIZE, b"\0")),
        size,
        tuple(Guid(networks[start : start + GUID_SIZE]) for start in starts),
        octets[servers_at : servers_at + size],
        over_ipx,
    )


@_remembering
def has_gross_error(octets: bytes) -> bool:
    """Return whether the datagram ends within a field or a counted array."""
    return read_reply_layout(octets).cut is not None


@_remembering
def irregularities(octets: bytes, *, over_ipx: bool) -> tuple[Irregularity, ...]:
    """Return the kinds of lesser error in a datagram without a gross one, each once, in a fixed order."""
    layout = read_reply_layout(octets)
    kinds = {_kind(problem) for problem in layout.problems}
    kinds.update(kind for kind in HEADER_IRREGULARITIES if layout.number(kind))
    if Irregularity.END_LIST in kinds and read_reply(octets).directory_service_server_array.endswith(b"\0\0"):
        # Client and server disagree: 3.1.7.1 reads nulls between the entries, and 2.2.3 writes none there.
        kinds ^= {Irregularity.END_LIST, Irregularity.SEPARATOR}
    if _wrong_mask(layout, over_ipx=over_ipx):
        kinds.add(Irregularity.MASK)
    return tuple(kind for kind in Irregularity if kind in kinds)


def _kind(problem: MalformedPacket) -> Irregularity:
    if problem.field == SERVER_LIST:
        return _KIND_OF_RULE[problem.rule.rpartition(" ")[2]]
    return _KIND_OF_FIELD[problem.field]


def _wrong_mask(layout: Layout, *, over_ipx: bool) -> bool:
    """Over IP no bit is set, over IPX one for each network (2.2.3)."""
    # No rule of the client uses the mask; a wrong one makes the reply improperly formatted at most (SD-59, SD-63).
    ones = (layout.number("ConnectedNetworkMask") or 0).bit_count()
    return ones != (layout.number("ConnectedNetworkCount") if over_ipx else 0)
