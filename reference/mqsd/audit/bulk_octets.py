"""Reading integers and comparing runs of octets in compiled loops."""

from mqconform.reference.mqbr.bulk_compiled import Octets, compiled_reader


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
