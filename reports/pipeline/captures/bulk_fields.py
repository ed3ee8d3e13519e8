"""The fields of judged packets by which requests and replies are matched, in compiled loops (MS-MQSD 2.2.2, 2.2.3)."""

from typing import NamedTuple

import numpy as np

from mqconform.reference.mqbr.bulk_compiled import Int32s, Int64s, Masks, Octets, compiled_reader
from mqconform.reference.mqsd.bulk_octets import word

REQUEST, REPLY = 1, 2
HAS_ID, HAS_SITE, LISTS, COMPLETE = 1, 2, 4, 8
"""What a packet shows: its identifier, a site, a server list (by its size), all of its octets."""


class Fields(NamedTuple):
    """One entry of each array for one packet; identifiers are zeros where they are absent."""

    identifiers: Octets
    """RequestID or CorrelationID, 16 octets for each packet."""
    sites: Octets
    """SiteID or RespondingSiteID, 16 octets for each packet."""
    enterprises: Masks
    """The first and the last eight octets of EnterpriseID, mixed into one number."""
    shown: Octets
    """What the packet shows, as bits."""


def fields_of(octets: Octets, starts: Int64s, captured: Int32s, message: Octets) -> Fields:
    """Return the fields of packets as far as they were captured."""
    rows = len(starts)
    fields = Fields(
        np.zeros((rows, 16), np.uint8),
        np.zeros((rows, 16), np.uint8),
        np.zeros(rows, np.uint64),
        np.zeros(rows, np.uint8),
    )
    _fill(octets, starts, captured, message, fields)
    return fields


@compiled_reader
def _fill(octets: Octets, starts: Int64s, captured: Int32s, message: Octets, fields: Fields) -> None:
    for row in range(len(starts)):
        start, length = starts[row], captured[row]
        if message[row] == REQUEST and length >= 36:
            _copy(octets, start + 20, fields.identifiers, row)
            fields.shown[row] = HAS_ID
            fields.enterprises[row] = _mixed(octets, start + 4)
            if length >= 52:
                _copy(octets, start + 36, fields.sites, row)
                fields.shown[row] |= HAS_SITE
        elif message[row] == REPLY and length >= 20:
            _copy(octets, start + 4, fields.identifiers, row)
            fields.shown[row] = HAS_ID
            if length >= 32 and word(octets, start + 28):
                fields.shown[row] |= LISTS
                site = 32 + 16 * word(octets, start + 20)
                if length >= site + 16:
                    _copy(octets, start + site, fields.sites, row)
                    fields.shown[row] |= HAS_SITE


@compiled_reader
def _copy(octets: Octets, at: int, into: Octets, row: int) -> None:
    for place in range(16):
        into[row, place] = octets[at + place]


@compiled_reader
def _mixed(octets: Octets, at: int) -> int:
    value = np.uint64(0xCBF29CE484222325)
    for place in range(16):
        value = (value ^ np.uint64(octets[at + place])) * np.uint64(0x100000001B3)
    return value
