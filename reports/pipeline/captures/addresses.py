"""Addresses of hosts: text, and two numbers of eight octets each, IPv4 as mapped into IPv6."""

import ipaddress
import socket
from typing import Any, Final

import numpy as np
import pyarrow as pa

from mqconform.reference.mqbr.bulk_compiled import Flags, Masks
from mqconform.reports.pipeline.arrow_columns import texts_of

MOST: Final = 2**17
"""Addresses that a process remembers."""
_MAPPED: Final = bytes(10) + b"\xff\xff"
_NONE: Final = None, None
_pairs: dict[str, tuple[int | None, int | None]] = {}
_texts: dict[bytes, str] = {}


def address_numbers(column: Any) -> tuple[Masks, Flags]:
    """Return two numbers for each text of a column, and which texts are addresses."""
    texts, numbers = texts_of(column)
    if len(_pairs) > MOST:
        _pairs.clear()
    pairs = [_pair(text) for text in texts]
    readable = np.array([*(high is not None for high, _ in pairs), False])
    values = np.array([*((high or 0, low or 0) for high, low in pairs), (0, 0)], np.uint64)
    return values[numbers], readable[numbers]


def _pair(text: str) -> tuple[int | None, int | None]:
    if text not in _pairs:
        try:
            _pairs[text] = pair_of(text)
        except ValueError:
            return _NONE
    return _pairs[text]


def pair_of(text: str) -> tuple[int, int]:
    """Return an address as two numbers.

    Raises:
        ValueError: the text is no address.
    """
    address = ipaddress.ip_address(text)
    number = int(address) | 0xFFFF << 32 if address.version == 4 else int(address)
    return number >> 64, number & 2**64 - 1


def address_texts(addresses: Masks) -> pa.Array:
    """Return addresses of two numbers each as text; each different one is written out once."""
    octets = np.ascontiguousarray(addresses).astype(">u8").view("V16").ravel()
    fixed = pa.Array.from_buffers(pa.binary(16), len(octets), [None, pa.py_buffer(octets)]).dictionary_encode()
    if len(_texts) > MOST:
        _texts.clear()
    return pa.array([_text(value) for value in fixed.dictionary.to_pylist()], pa.string()).take(fixed.indices)


def _text(octets: bytes) -> str:
    if octets not in _texts:
        mapped = octets.startswith(_MAPPED)
        _texts[octets] = socket.inet_ntoa(octets[12:]) if mapped else str(ipaddress.IPv6Address(octets))
    return _texts[octets]
