"""Generated datagrams and configurations (Hypothesis): drawn coarsely, shrunk by structure."""

from dataclasses import replace

from hypothesis import strategies as st
from mqconform.harness.iut import DirectoryServerFact, ServerFacts
from mqconform.harness.mqsd.configurations import USUAL
from mqconform.harness.mqsd.requests import PLAIN_LENGTH, REQUEST_TYPE, Draft
from mqconform.reference.mqsd.guid import guid_text

GUIDS = st.binary(min_size=16, max_size=16)
# Every code unit but comma and null; unpaired surrogates have their own scenarios, since JSON may lose them.
NAMES = st.text(st.characters(codec="utf-8", exclude_characters=",\0"), min_size=1, max_size=20)


def requests(enterprise: bytes, site: bytes) -> st.SearchStrategy[Draft]:
    """Return right requests: any Version and Reserved, own site or another, with or without a short tail."""
    return st.builds(
        Draft,
        enterprise=st.just(enterprise),
        request_id=GUIDS,
        site=st.just(site) | GUIDS,
        version=st.integers(0, 255),
        reserved=st.integers(0, 65535),
        tail=st.binary(max_size=7),
    )


def malformed(right: bytes) -> st.SearchStrategy[bytes]:
    """Return datagrams that are no right request: noise, requests cut short, other Types, wrong IPX counts."""
    other_types = st.integers(0, 255).filter(lambda kind: kind != REQUEST_TYPE)
    wrong_count = (st.just(0) | st.integers(33, 2**32 - 1)).map(
        lambda count: right + count.to_bytes(4, "little") + bytes(4)
    )
    return (
        st.binary(max_size=PLAIN_LENGTH - 1)
        | st.integers(0, PLAIN_LENGTH - 1).map(lambda end: right[:end])
        | other_types.map(lambda kind: right[:1] + bytes([kind]) + right[2:])
        | wrong_count
    )


def configurations() -> st.SearchStrategy[ServerFacts]:
    """Return servers with 1 to 32 networks and 1 to 8 distinct names."""
    servers = st.lists(
        st.builds(DirectoryServerFact, name=NAMES, ip=st.booleans(), ipx=st.booleans()).map(_with_a_protocol),
        min_size=1,
        max_size=8,
        unique_by=lambda one: one.name,
    )
    networks = st.lists(GUIDS, min_size=1, max_size=32, unique=True)
    return st.builds(
        lambda networks, servers, site: replace(
            USUAL,
            site=guid_text(site),
            connected_networks=tuple(guid_text(one) for one in networks),
            directory_servers=tuple(servers),
        ),
        networks,
        servers,
        GUIDS,
    )


def _with_a_protocol(server: DirectoryServerFact) -> DirectoryServerFact:
    """Return the server with IP where it has no protocol at all, which the register finds suspicious (SD-25)."""
    return server if server.ip or server.ipx else replace(server, ip=True)
