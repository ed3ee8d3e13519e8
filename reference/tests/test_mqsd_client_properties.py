"""The explainer against clients that follow known readings throughout, whatever happens to them."""

from dataclasses import dataclass, fields, replace
from hashlib import sha256
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from mqconform.reference.mqsd.client import (
    EVERY_READING,
    LITERAL,
    SECOND,
    ClientState,
    ClockAdvanced,
    DatagramReceived,
    Event,
    GetDirectoryServerList,
    NetworkAddress,
    NetworksChanged,
    Observation,
    Readings,
    SendFailed,
    explain,
    initialize,
    show,
    step,
)
from mqconform.reference.mqsd.guid import Guid

ADDRESSES = ("10.0.0.0", "10.1.0.0", "10.2.0.0")
TENTH = SECOND // 10
MOST_HYPOTHESES = 400


def new_guid(request: int) -> Guid:
    return Guid(sha256(b"request %d" % request).digest()[:16])


@dataclass(frozen=True)
class Planned:
    """A reply that is right or wrong in several ways at once."""

    networks: int
    servers: str
    header: bytes
    mask: int
    tail: bytes
    cut: int | None

    def octets(self, correlation: bytes) -> bytes:
        array = self.servers.encode("utf-16-le")
        numbers = b"".join(number.to_bytes(4, "little") for number in (self.networks, self.mask, len(array)))
        listed = b"".join(bytes([65 + number]) * 16 for number in range(self.networks))
        return (self.header + correlation + numbers + listed + (b"O" * 16 + array if array else b"") + self.tail)[
            : self.cut
        ]


servers = st.sampled_from(["", "", "10oslo\0", "01bergen,10oslo\0", "10\0", "10oslo", "x1,\0", "10a\00010b\0"])
headers = st.sampled_from([b"\0\2\0\0"] * 8 + [b"\1\2\0\0", b"\0\2\1\0", b"\0\1\0\0", b"\0\3\0\0"])
replies = st.builds(
    Planned,
    networks=st.sampled_from([1, 1, 1, 2, 2, 0, 33]),
    servers=servers,
    header=headers,
    mask=st.sampled_from([0, 0, 0, 0, 1]),
    tail=st.sampled_from([b"", b"", b"", b"", b"!"]),
    cut=st.sampled_from([None, None, None, None, 40]),
)
networks = st.lists(
    st.builds(NetworkAddress, st.sampled_from(ADDRESSES), st.sampled_from([False, False, True])), max_size=3
).map(tuple)
waits = st.sampled_from([1, 50, 149, 150, 150, 151, 320])
places = st.sampled_from(["current", "current", "current", *ADDRESSES])
plans = st.lists(
    st.one_of(
        st.just("start"),
        st.just("the last datagram again"),
        st.just("send failed"),
        st.tuples(places, replies),
        waits,
        networks,
    ),
    max_size=12,
)
choices = {field.name: st.sampled_from(type(getattr(LITERAL, field.name))) for field in fields(Readings)}
readings = st.builds(Readings, **choices)
state_is_shown = st.sampled_from(["state", "effects only"])


def happening(plan: Any, state: ClientState, last: Event) -> Event:
    match plan:
        case "start":
            return GetDirectoryServerList()
        case "the last datagram again":
            return last
        case "send failed":
            return SendFailed()
        case (str() as place, Planned() as reply):
            current = state.current_network.address if state.current_network else ADDRESSES[0]
            return DatagramReceived(
                current if place == "current" else place, reply.octets(state.request_id or b"?" * 16)
            )
        case tuple():
            return NetworksChanged(plan)
    return ClockAdvanced()


def record(start: ClientState, followed: Readings, script: list[Any]) -> list[Observation]:
    """Return what a client that follows these readings is seen to do."""
    state, now, seen = start, 0, []
    last: Event = ClockAdvanced()
    for plan in ["start", *script]:
        now += plan * TENTH if isinstance(plan, int) else 0
        event = happening(plan, state, last)
        last = event if isinstance(event, DatagramReceived) else last
        state, effects = step(state, event, now, new_guid, followed)
        seen.append(Observation(event, now, effects, show(state)))
    return seen


def client(connected: tuple[NetworkAddress, ...]) -> ClientState:
    return initialize(Guid(b"E" * 16), Guid(b"S" * 16), connected, ("old",), (Guid(b"N" * 16),))


@settings(max_examples=40, deadline=None)
@given(networks, readings, plans, state_is_shown)
def test_a_client_that_stays_with_its_readings_is_explained_by_them(
    connected: tuple[NetworkAddress, ...], followed: Readings, script: list[Any], shown: str
):
    start = client(connected)
    seen = [replace(one, shown=one.shown if shown == "state" else None) for one in record(start, followed, script)]
    explanation = explain(start, seen, space=EVERY_READING)
    assert explanation.holds, str(explanation.contradiction)
    assert explanation.allows(followed)
    assert len(explanation.hypotheses) < MOST_HYPOTHESES
