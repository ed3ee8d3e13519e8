"""Where a damaged capture can be read again: the next place at which several records follow one another.

One header that looks right says little, since frames hold octets of any kind. A place counts where a chain of records
begins, each where the one before ends, with times near those before the damage; or where one ends the file.
"""

from typing import Final

from mqconform.reference.mqbr.bulk_compiled import Octets, compiled_reader
from mqconform.reports.pipeline.captures.bulk_records import (
    ENHANCED_PACKET,
    INTERFACE_DESCRIPTION,
    LARGEST_BLOCK,
    MOST_CAPTURED,
    SECTION_HEADER,
    integer,
)

CHAIN: Final = 4
"""Records that have to follow one another."""
DAY: Final = 86_400
NOWHERE: Final = -1


@compiled_reader
def resume_pcap(  # noqa: PLR0913, PLR0917 - compiled: tuples of arrays cost more than arguments
    octets: Octets,
    at: int,
    swapped: bool,  # noqa: FBT001 - compiled: no keywords
    fractions: int,
    seconds: int,
    last: bool,  # noqa: FBT001 - compiled: no keywords
) -> int:
    """Return where a chain of pcap records begins, ``NOWHERE`` where none does.

    Args:
        octets: a part of the file.
        at: where to begin looking.
        swapped: whether integers have their high octet first.
        fractions: how many of the second time field make a second.
        seconds: time of the last record before the damage.
        last: whether the file ends with the octets.
    """
    for place in range(at, len(octets) - 15):
        here = place
        for link in range(CHAIN):
            if here == len(octets) and link and last:
                return place
            if here + 16 > len(octets) or not _plausible(octets, here, swapped, fractions, seconds):
                break
            here += 16 + integer(octets, here + 8, 4, swapped)
            if link == CHAIN - 1 and here <= len(octets):
                return place
    return NOWHERE


@compiled_reader
def _plausible(octets: Octets, at: int, swapped: bool, fractions: int, seconds: int) -> bool:  # noqa: FBT001
    captured, original = integer(octets, at + 8, 4, swapped), integer(octets, at + 12, 4, swapped)
    if not 14 <= captured <= original <= MOST_CAPTURED or integer(octets, at + 4, 4, swapped) >= fractions:
        return False
    return abs(integer(octets, at, 4, swapped) - seconds) <= DAY


@compiled_reader
def resume_pcapng(octets: Octets, at: int, swapped: bool, last: bool) -> int:  # noqa: FBT001 - compiled: no keywords
    """Return where a chain of pcapng blocks with frames begins, ``NOWHERE`` where none does."""
    for place in range(at, len(octets) - 11):
        kind = integer(octets, place, 4, swapped)
        if kind not in (ENHANCED_PACKET, INTERFACE_DESCRIPTION, SECTION_HEADER):
            continue
        here = place
        for link in range(CHAIN):
            if here == len(octets) and link and last:
                return place
            if here + 12 > len(octets):
                break
            length = integer(octets, here + 4, 4, swapped)
            if length % 4 or length < 12 or length > LARGEST_BLOCK or here + length > len(octets):
                break
            if integer(octets, here + length - 4, 4, swapped) != length:
                break
            here += length
            if link == CHAIN - 1:
                return place
    return NOWHERE
