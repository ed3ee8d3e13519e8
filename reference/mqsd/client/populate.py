"""Other local events: filling the two lists from a reply (MS-MQSD 3.1.7)."""

import re
import struct
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from mqconform.reference.allowed import ids
from mqconform.reference.mqsd.client.readings import ProtocolFlags, Readings, ShortItem
from mqconform.reference.mqsd.client.received_reply import ReceivedReply
from mqconform.reference.mqsd.client.transition import Transition
from mqconform.reference.mqsd.messages import name_octets, name_text

_POPULATE_DIRECTORY_SERVER_LIST: Final = ids("MQSD", "3.1.7.1-01 3.1.7.1-02 3.1.7.1-03 3.1.7.1-04 3.1.7.1-05")
_POPULATE_CONNECTED_NETWORK_IDENTIFIER_LIST = ("MQSD-3.1.7.2-01", "MQSD-3.1.7.2-02", "MQSD-3.1.7.2-03")

_FLAGS = 2
# A null separates as a comma does here; the grammar of 2.2.3 has one at the end alone (3.1.7.1; SD-28).
_separator = re.compile("[,\0]")


def populate_directory_server_list(at: Transition, reply: ReceivedReply, readings: Readings) -> Transition:
    """Replace DirectoryServerList by the names in a reply (MS-MQSD 3.1.7.1)."""
    names = tuple(names_in(reply, readings))
    return at.to(replace(at.state, directory_server_list=names), *_POPULATE_DIRECTORY_SERVER_LIST)


def populate_connected_network_identifier_list(at: Transition, reply: ReceivedReply | None) -> Transition:
    """Replace ConnectedNetworkIdentifierList by the networks in a reply; an empty one has none (MS-MQSD 3.1.7.2)."""
    networks = reply.connected_network_array if reply else ()
    state = replace(at.state, connected_network_identifier_list=networks)
    return at.to(state, *_POPULATE_CONNECTED_NETWORK_IDENTIFIER_LIST)


def names_in(reply: ReceivedReply, readings: Readings) -> Iterator[str]:
    """Yield the names in a reply (MS-MQSD 3.1.7.1)."""
    flag = 1 if reply.over_ipx else 0
    items = _items(reply.directory_service_server_array)
    for position, (item, name) in enumerate(items, start=1):
        if len(item) <= _FLAGS and not _listed(readings.short_item, at_end=position == len(items)):
            continue
        # The flags are cut off unread: a client over IP lists servers that it cannot reach (3.1.7.1; SD-62).
        if item[flag : flag + 1] == "0" and readings.protocol_flags is ProtocolFlags.REACHABLE_NAMES:
            continue
        yield name


@lru_cache(maxsize=16)  # a client that is explained reads the same reply once for each hypothesis
def _items(octets: bytes) -> tuple[tuple[str, str], ...]:
    """Return each item of the list with the name that it holds.

    Characters of an item are code units; in a name a surrogate pair is one character again.
    """
    return tuple((item, name_text(name_octets(item[_FLAGS:]))) for item in _separator.split(_characters(octets)))


def _listed(short_item: ShortItem, *, at_end: bool) -> bool:
    return short_item is ShortItem.LISTED or (short_item is ShortItem.LISTED_BEFORE_END and not at_end)


def _characters(octets: bytes) -> str:
    """Return one character for each whole UTF-16 code unit."""
    units = len(octets) // 2
    return "".join(map(chr, struct.unpack_from(f"<{units}H", octets)))
