"""Addresses are written by compiled loops exactly as Python's own module writes them."""

import ipaddress

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from mqconform.reports.pipeline.captures.bulk_address_texts import texts_of
from mqconform.reports.pipeline.captures.columns import address_text

GROUPS = st.lists(st.sampled_from([0, 0, 0, 1, 0xA, 0xFF, 0x100, 0xFFF, 0xFFFF]) | st.integers(0, 0xFFFF), min_size=8,
                  max_size=8)  # fmt: skip
MAPPED = st.integers(0xFFFF << 32, (0xFFFF << 32) + 2**32 - 1)
ADDRESSES = st.lists(
    GROUPS.map(lambda groups: sum(one << 16 * place for place, one in enumerate(groups))) | MAPPED, max_size=30
)


def halves(addresses: list[int]) -> np.ndarray:
    return np.array([(one >> 64, one & 2**64 - 1) for one in addresses], np.uint64).reshape(-1, 2)


def in_python(address: int) -> str:
    if address >> 32 == 0xFFFF:
        return str(ipaddress.IPv4Address(address & 2**32 - 1))
    return str(ipaddress.IPv6Address(address))


@given(ADDRESSES)
@example([0, 1, 2**128 - 1, 0xFFFF << 32, (0xFFFF << 32) + 2**32 - 1, 0xFFFE << 32, 1 << 48, 1 << 127, 1 << 112])
@example([0x0001_0000_0000_0001_0000_0000_0001_0001, 0x0001_0000_0000_0001_0000_0000_0000_0001, 1 << 64, 0x10001])
def test_addresses_are_written_as_by_python(addresses: list[int]):
    texts = texts_of(halves(addresses))
    texts.validate(full=True)
    assert texts.to_pylist() == [in_python(one) for one in addresses]
    assert texts.to_pylist() == [address_text(one.to_bytes(16, "big")) for one in addresses]


def test_every_octet_of_ipv4_is_written():
    addresses = [(0xFFFF << 32) + (one << 8 * place) for one in range(256) for place in range(4)]
    assert texts_of(halves(addresses)).to_pylist() == [in_python(one) for one in addresses]
