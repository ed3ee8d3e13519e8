"""Places of fields, reading integers and comparing runs of octets in compiled loops.

Machine code has the places built in, from the table of the messages.
"""

from typing import Final

from mqconform.reference.mqbr.bulk_compiled import Octets, compiled_reader
from mqconform.reference.mqsd.guid import GUID_SIZE
from mqconform.reference.mqsd.messages import HEADER, REPLY, REQUEST

GUID: Final = GUID_SIZE
VERSION_AT, TYPE_AT, RESERVED_AT = (rule.offset for rule in HEADER.fields)
HEADER_SIZE, REQUEST_SIZE, REPLY_SIZE = HEADER.size, REQUEST.size, REPLY.size
ENTERPRISE_AT: Final = REQUEST["EnterpriseID"].offset
REQUEST_ID_AT: Final = REQUEST["RequestID"].offset
SITE_ID_AT: Final = REQUEST["SiteID"].offset
IPX_COUNT_AT: Final = REQUEST["IPXNetworkCount"].offset
IPX_NUMBERS_AT: Final = REQUEST["IPXNetworkNumberArray"].offset
IPX_FROM: Final = REQUEST["IPXNetworkCount"].from_length
CORRELATION_AT: Final = REPLY["CorrelationID"].offset
COUNT_AT: Final = REPLY["ConnectedNetworkCount"].offset
MASK_AT: Final = REPLY["ConnectedNetworkMask"].offset
SIZE_AT: Final = REPLY["DirectoryServiceServerSize"].offset
NETWORKS_AT: Final = REPLY["ConnectedNetworkArray"].offset
MOST: Final = REPLY["ConnectedNetworkCount"].most


@compiled_reader
def word(octets: Octets, at: int) -> int:
    """Return the 32-bit integer at ``at``, low octet first."""
    low = int(octets[at]) | int(octets[at + 1]) << 8
    return low | int(octets[at + 2]) << 16 | int(octets[at + 3]) << 24


@compiled_reader
def character(octets: Octets, at: int) -> int:
    """Return the code unit at ``at``, low octet first."""
    return int(octets[at]) | int(octets[at + 1]) << 8


@compiled_reader
def is_zero(octets: Octets, at: int, length: int) -> bool:
    """Tell whether a run of octets is all zeros."""
    for place in range(at, at + length):  # noqa: SIM110 - compiled: generators are not
        if octets[place]:
            return False
    return True


@compiled_reader
def same(octets: Octets, at: int, others: Octets, there: int, length: int) -> bool:
    """Tell whether two runs of octets are equal."""
    for place in range(length):  # noqa: SIM110 - compiled: generators are not
        if octets[at + place] != others[there + place]:
            return False
    return True
