"""Generated datagrams and configurations (Hypothesis): drawn coarsely, shrunk by structure."""

from dataclasses import replace

from hypothesis import strategies as st

from mqconform.harness.iut.drivers.discovery_server.requests import REQUEST_TYPE, Draft, ipx_tail
from mqconform.harness.iut.interface import DirectoryServerFact, ServerFacts
from mqconform.harness.iut.server_configurations import USUAL
from mqconform.reference.mqsd.guid import guid_text
from mqconform.reference.mqsd.specification import FACTS

GUIDS = st.binary(min_size=16, max_size=16)
# Every code unit but comma and null; unpaired surrogates have their own scenarios, since JSON may lose them.
CHARACTERS = st.characters(exclude_categories=["Cs"], exclude_characters=",\0")
FEW_IDS = (bytes(range(16)), bytes(range(240, 256)))
MAX_NETWORKS, MAX_NAMES, MAX_NAME = 32, 6, 20


def requests(enterprise: bytes, site: bytes) -> st.SearchStrategy[Draft]:
    """Return right requests: any Version and Reserved, own site, one nearly alike, another or none, a short tail.

    A few identifiers come again and again: what was answered before has no effect.
    """
    return st.builds(
        Draft,
        enterprise=st.just(enterprise),
        request_id=st.sampled_from(FEW_IDS) | GUIDS,
        site=st.sampled_from((site, *sites_alike(site), bytes(16))) | GUIDS,
        version=st.integers(0, 255),
        reserved=st.integers(0, 65535),
        tail=st.binary(max_size=7),
    )


def over_ipx(drafts: st.SearchStrategy[Draft]) -> st.SearchStrategy[tuple[Draft, str]]:
    """Return requests, each with the network that carries it; over IPX they have the fields that belong there."""
    return st.builds(
        lambda draft, count: (replace(draft, tail=ipx_tail(count, count)), "ipx") if count else (draft, "ip"),
        drafts,
        st.just(0) | st.integers(0, MAX_NETWORKS),
    )


def sites_alike(site: bytes) -> tuple[bytes, ...]:
    """Return identifiers that are another one only for who compares all octets in their order."""
    return (
        bytes([site[0] ^ 1]) + site[1:],
        site[:15] + bytes([site[15] ^ 1]),
        site[:7] + bytes([site[7] ^ 0x80]) + site[8:],
        site[8:] + site[:8],
        site[::-1],
    )


def malformed(right: bytes) -> st.SearchStrategy[bytes]:
    """Return datagrams that are no right request: noise, requests cut short, other Types, wrong IPX counts."""
    other_types = st.integers(0, 255).filter(lambda kind: kind != REQUEST_TYPE)
    wrong_count = (st.just(0) | st.integers(33, 2**32 - 1)).map(
        lambda count: right + count.to_bytes(4, "little") + bytes(4)
    )
    return (
        st.binary(max_size=FACTS.request_size - 1)
        | st.integers(0, FACTS.request_size - 1).map(lambda end: right[:end])
        | other_types.map(lambda kind: right[:1] + bytes([kind]) + right[2:])
        | wrong_count
    )


def configurations() -> st.SearchStrategy[ServerFacts]:
    """Return servers with 1 to 32 networks and 1 to 6 distinct names; sites may hold a null of two octets.

    A few coarse draws are cut into pieces: a draw for each attribute would take several times as long.
    """
    return st.builds(
        lambda count, octets, letters, cuts, site: replace(
            USUAL,
            site=guid_text(site[:6] + bytes(2) + site[8:] if cuts[0] % 2 else site),
            connected_networks=_networks(octets[: 16 * count]),
            directory_servers=_directory_servers(letters, cuts),
        ),
        st.integers(1, MAX_NETWORKS),
        st.binary(min_size=16 * MAX_NETWORKS, max_size=16 * MAX_NETWORKS),
        st.text(CHARACTERS, min_size=MAX_NAMES * MAX_NAME, max_size=MAX_NAMES * MAX_NAME),
        st.binary(min_size=1, max_size=MAX_NAMES),
        GUIDS,
    )


def _networks(octets: bytes) -> tuple[str, ...]:
    """Cut octets into distinct identifiers."""
    whole = (octets[at : at + 16] for at in range(0, len(octets), 16))
    return tuple(dict.fromkeys(guid_text(network) for network in whole))


def _directory_servers(letters: str, cuts: bytes) -> tuple[DirectoryServerFact, ...]:
    """Cut letters into distinct names, an octet of ``cuts`` giving the length and the protocols of each.

    Each server speaks a protocol, as one that is any use does.
    """
    servers, rest = {}, letters
    for cut in cuts:
        length = 1 + cut % MAX_NAME
        name, rest = rest[:length], rest[length:]
        protocols = 1 + cut // MAX_NAME % 3
        servers[name] = DirectoryServerFact(name, ip=bool(protocols & 1), ipx=bool(protocols & 2))
    return tuple(servers.values())
