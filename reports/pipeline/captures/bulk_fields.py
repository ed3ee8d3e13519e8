"""The fields of judged packets by which requests and replies are matched, in compiled loops (MS-MQSD 2.2.2, 2.2.3)."""

from typing import Any, NamedTuple

import numpy as np

from mqconform.reference.mqbr.bulk_compiled import Int32s, Int64s, Masks, Octets, compiled_reader
from mqconform.reference.mqsd.audit import bulk_packets  # noqa: F401 - compiles what is called here
from mqconform.reference.mqsd.audit import packet_octets as packet
from mqconform.reference.mqsd.audit.bulk_exchange import FOLLOWED, HAS_ID, HAS_SITE, LISTS, REPLY, REQUEST
from mqconform.reference.mqsd.audit.packet_octets import GUID, is_zero, word


class Fields(NamedTuple):
    """One entry of each array for one packet; identifiers are zeros where they are absent."""

    identifiers: Octets
    """RequestID or CorrelationID, 16 octets for each packet."""
    sites: Octets
    """SiteID or RespondingSiteID, 16 octets for each packet."""
    enterprises: Masks
    """The first and the last eight octets of EnterpriseID, mixed into one number."""
    flags: Octets
    """What the packet shows, as bits."""


def fields_of(octets: Octets, starts: Int64s, captured: Int32s, message: Octets) -> Fields:
    """Return the fields of packets as far as they were captured."""
    rows = len(starts)
    fields = Fields(
        np.zeros((rows, GUID), np.uint8),
        np.zeros((rows, GUID), np.uint8),
        np.zeros(rows, np.uint64),
        np.zeros(rows, np.uint8),
    )
    _fill(octets, starts, captured, message, fields)
    return fields


@compiled_reader
def _fill(octets: Octets, starts: Int64s, captured: Int32s, message: Octets, fields: Fields) -> None:
    for row in range(len(starts)):
        start, length = starts[row], captured[row]
        if message[row] == REQUEST and length >= packet.REQUEST_ID_AT + GUID:
            _copy(octets, start + packet.REQUEST_ID_AT, fields.identifiers, row)
            fields.flags[row] = HAS_ID
            fields.enterprises[row] = _mixed(octets, start + packet.ENTERPRISE_AT)
            if length >= packet.REQUEST_SIZE:
                _copy(octets, start + packet.SITE_ID_AT, fields.sites, row)
                fields.flags[row] |= HAS_SITE
        elif message[row] == REPLY and length >= packet.CORRELATION_AT + GUID:
            _copy(octets, start + packet.CORRELATION_AT, fields.identifiers, row)
            fields.flags[row] = HAS_ID
            if length >= packet.REPLY_SIZE:
                _fill_site(octets, start, length, fields, row)


@compiled_reader
def _fill_site(octets: Octets, start: int, length: int, fields: Fields, row: int) -> None:
    """Note what a reply shows of its server's site: what stands where RespondingSiteID does."""
    at, lists = (
        packet.NETWORKS_AT + GUID * word(octets, start + packet.COUNT_AT),
        word(octets, start + packet.SIZE_AT) != 0,
    )
    behind = length - at
    if lists:
        fields.flags[row] |= LISTS
    elif behind == GUID or (behind > GUID and not is_zero(octets, start + at, behind)):
        fields.flags[row] |= FOLLOWED
    if behind >= GUID and (lists or behind == GUID):
        _copy(octets, start + at, fields.sites, row)
        fields.flags[row] |= HAS_SITE


@compiled_reader
def _copy(octets: Octets, at: int, into: Octets, row: int) -> None:
    for place in range(GUID):
        into[row, place] = octets[at + place]


@compiled_reader
def _mixed(octets: Octets, at: int) -> Any:
    value = np.uint64(0xCBF29CE484222325)
    for place in range(GUID):
        value = (value ^ np.uint64(octets[at + place])) * np.uint64(0x100000001B3)
    return value
