"""Strategies for what happens to a discovery client: sequences that a run may see, simplest first."""

from hypothesis import strategies as st

from mqconform.harness.iut.drivers.discovery_client.replies import GROSS, OF_TYPE_1, OWN_SITE, ReplyDraft
from mqconform.harness.iut.drivers.discovery_client.script import (
    TO_ANOTHER_REQUEST,
    Brings,
    NetworksBecome,
    Passes,
    Starts,
    Stimulus,
    address_of,
)
from mqconform.reference.mqsd.client import NetworkAddress

LONGEST = 9
TENTHS = (150, 149, 1, 50, 300)
FLAWS = (TO_ANOTHER_REQUEST, "cut in the fixed part", "with the count in big-endian order", *OF_TYPE_1)
assert {*FLAWS} <= {TO_ANOTHER_REQUEST, *GROSS, *OF_TYPE_1}
DRAFTS = (
    ReplyDraft(OWN_SITE),
    ReplyDraft("east", ("10alpha",)),
    ReplyDraft("west", ("11beta", "01gamma")),
)


@st.composite
def networks(draw: st.DrawFn) -> tuple[NetworkAddress, ...]:
    """Draw one, two, three or five networks, seldom one of them for remote access."""
    count = draw(st.sampled_from((1, 2, 3, 5)))
    remote = draw(st.sampled_from((0, 0, count)))
    return tuple(NetworkAddress(address_of(f"{number}"), number == remote) for number in range(1, count + 1))


def replies(count: int) -> st.SearchStrategy[Brings]:
    """Return replies on any of ``count`` networks, mostly right ones."""
    return st.builds(
        Brings,
        st.integers(1, count).map(str),
        st.sampled_from(DRAFTS),
        st.sampled_from(("", "", "", *FLAWS)),
    )


@st.composite
def histories(draw: st.DrawFn) -> tuple[tuple[NetworkAddress, ...], tuple[Stimulus, ...]]:
    """Draw the networks of a client, and what happens to it once discovery has started."""
    first = draw(networks())
    stimulus = st.one_of(
        st.sampled_from(TENTHS).map(Passes),
        replies(len(first)),
        replies(len(first)),
        st.just(Starts()),
        networks().map(NetworksBecome),
    )
    return first, (Starts(), *draw(st.lists(stimulus, max_size=LONGEST)))
