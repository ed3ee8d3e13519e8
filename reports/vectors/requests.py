"""Requests for test vectors: right ones, and what spoils them (MS-MQSD 2.2.1, 2.2.2)."""

from collections.abc import Callable
from typing import Final

from mqconform.reference.mqsd.guid import Guid
from mqconform.reference.mqsd.messages import HEADER, REQUEST
from mqconform.reference.mqsd.packets import TopologyClientRequest, encode_request
from mqconform.reports.vectors.draws import Draws

Spoiling = Callable[[Draws, bytes], bytes]


def request(draws: Draws) -> bytes:
    """Return a right request over IP."""
    return encode_request(TopologyClientRequest(Guid(draws.octets(16)), Guid(draws.octets(16)), Guid(draws.octets(16))))


def cut(draws: Draws, octets: bytes) -> bytes:
    """Return the beginning of a packet, all but empty to all but whole."""
    return octets[: draws.below(len(octets))]


def other_version(draws: Draws, octets: bytes) -> bytes:
    """Return the packet with a Version that is not 0."""
    return HEADER["Version"].put_number(octets, draws.between(1, 255))


def other_type(draws: Draws, octets: bytes) -> bytes:
    """Return the packet with another Type."""
    kind = HEADER["Type"]
    return kind.put_number(octets, draws.one([number for number in (0, 1, 2, 3, 255) if number != kind.number(octets)]))


def reserved_set(draws: Draws, octets: bytes) -> bytes:
    """Return the packet with a Reserved that is not 0."""
    return HEADER["Reserved"].put_number(octets, draws.between(1, 65535))


def _site_of_zeros(_draws: Draws, octets: bytes) -> bytes:
    return REQUEST["SiteID"].put(octets, bytes(16))


def _trailing(draws: Draws, octets: bytes) -> bytes:
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


SPOILINGS: Final[dict[str, Spoiling]] = {
    "cut": cut,
    "other-version": other_version,
    "other-type": other_type,
    "reserved-set": reserved_set,
    "site-of-zeros": _site_of_zeros,
    "trailing-octets": _trailing,
    "ipx-form-over-ip": _ipx_form,
    "ipx-count-out-of-range": _ipx_count_out_of_range,
    "ipx-array-of-other-length": _ipx_array_of_other_length,
}
"""What is done to a right request; most of it is wrong, some of it open or harmless."""
