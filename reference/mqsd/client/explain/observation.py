"""What was seen of a client in one step, beside what a hypothesis about it expects.

Of the state it shows, order within the two lists is not compared, how often an entry occurs is. What means nothing at
the moment is not compared either: the RequestID and the position without a request under way, the last successful
network while none is valid.
"""

from collections import Counter
from collections.abc import Collection, Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final

from mqconform.reference.allowed import ids
from mqconform.reference.mqsd.client.events import DatagramReceived, Effect, Event, Send
from mqconform.reference.mqsd.client.populate import names_in
from mqconform.reference.mqsd.client.readings import LITERAL
from mqconform.reference.mqsd.client.received_reply import read_reply
from mqconform.reference.mqsd.client.state import ClientState, ShownState
from mqconform.reference.mqsd.guid import GUID_SIZE, Guid, guid_text
from mqconform.reference.mqsd.layout import Field, read_request_layout
from mqconform.reference.mqsd.specification import FACTS

_FIELD_REQUIREMENTS: Final = {
    "Version": ("MQSD-2.2.1-03",),
    "Type": ("MQSD-2.2.1-06",),
    "Reserved": ("MQSD-2.2.1-09",),
    "EnterpriseID": ("MQSD-2.2.2-03", "MQSD-3.1.5.1-04", "MQSD-3.1.3-01"),
    "RequestID": ("MQSD-2.2.2-04", "MQSD-3.1.4.1-07", "MQSD-3.1.5.1-04"),
    "SiteID": ("MQSD-2.2.2-06", "MQSD-3.1.5.1-04"),
    "IPXNetworkCount": ("MQSD-2.2.2-08",),
    "IPXNetworkNumberArray": ("MQSD-2.2.2-11", "MQSD-2.2.2-13"),
}
_ABSENT_OVER_IP: Final = {"IPXNetworkCount": ("MQSD-2.2.2-09",), "IPXNetworkNumberArray": ("MQSD-2.2.2-12",)}
_STAND_INS: Final = (Guid(bytes(GUID_SIZE)), Guid(b"\xff" * GUID_SIZE))
_REMAINDERS: Final = ("MQSD-3.1.7.1-05",)
_SERVERS: Final = ids("MQSD", "3.1.7.1-02 3.1.7.1-03 3.1.7.1-04 3.1.7.1-05 3.1.5.2-18 3.1.5.2-30 3.1.6.1-05")
_NETWORKS: Final = ids("MQSD", "3.1.7.2-02 3.1.7.2-03 3.1.5.2-19 3.1.5.2-31 3.1.6.1-06")
_VALID: Final = ids("MQSD", "3.1.3-02 3.1.5.2-08 3.1.5.2-17 3.1.5.2-25 3.1.5.2-33 3.1.6.1-03")
_ADDRESS: Final = ("MQSD-3.1.5.2-07", "MQSD-3.1.5.2-16", "MQSD-3.1.5.2-24", "MQSD-3.1.5.2-32")
_REQUEST_ID: Final = ("MQSD-3.1.4.1-07",)
_INDEX: Final = ("MQSD-3.1.4.1-08", "MQSD-3.1.5.1-01")


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that was expected and another that was observed."""

    what: str
    """The element, or the place in the effects."""
    expected: str
    observed: str
    requirements: tuple[str, ...]
    """Ids of the catalogue that speak of it."""


@dataclass(frozen=True, slots=True)
class Observation:
    """One step of a client under test."""

    event: Event
    now: int
    """When the event happened, in nanoseconds."""
    effects: tuple[Effect, ...] = ()
    """What the client did from then until the next observation, in order."""
    shown: ShownState | None = None
    """State that it showed afterwards, None if it was not asked."""


def request_ids(effects: Sequence[Effect]) -> tuple[bytes, ...]:
    """Return the RequestIDs of the datagrams sent; one that is cut is shorter than 16 octets."""
    return tuple(effect.datagram[FACTS.request_id] for effect in effects if isinstance(effect, Send))


def new_guid_after(used: Container[bytes], observed: bytes) -> Guid:
    """Return the GUID that the client chose; a stand-in, which is another one, where its choice is not a new GUID."""
    if len(observed) == GUID_SIZE and observed not in used:
        return Guid(observed)
    return next(guid for guid in _STAND_INS if guid != observed)


def without_repetitions(
    effects: Sequence[Effect], current: Send | None, used_ids: Container[bytes] | None = None
) -> tuple[Effect, ...]:
    """Return the effects without the sends that repeat the request under way (register SD-08).

    Args:
        effects: what was or should be done.
        current: the request that was under way before.
        used_ids: where a repetition may have a RequestID of its own (register SD-14), those that it may not have.
    """
    remaining: list[Effect] = []
    for effect in effects:
        if effect != current and not (used_ids is not None and repeats_with_new_id(effect, current, used_ids)):
            remaining.append(effect)
        current = effect if isinstance(effect, Send) else None
    return tuple(remaining)


def repeats_with_new_id(effect: Effect, current: Send | None, used_ids: Container[bytes]) -> bool:
    """Return whether an effect is a request as before on the same network, but for a RequestID that is new."""
    if not isinstance(effect, Send) or current is None:
        return False
    chosen = effect.datagram[FACTS.request_id]
    return len(chosen) == GUID_SIZE and chosen not in used_ids and effect == current.with_id(chosen)


def effect_differences(
    expected: Sequence[Effect], observed: Sequence[Effect], requirements: tuple[str, ...]
) -> Iterator[Difference]:
    """Yield where effects differ: whole effects one by one, and requests on the right network field by field."""
    for number, (expected_effect, observed_effect) in enumerate(zip_longest(expected, observed), start=1):
        if expected_effect == observed_effect:
            continue
        if (
            isinstance(expected_effect, Send)
            and isinstance(observed_effect, Send)
            and expected_effect.network == observed_effect.network
        ):
            yield from _field_differences(f"effect {number}", expected_effect, observed_effect)
        else:
            yield Difference(
                f"effect {number}", _effect_text(expected_effect), _effect_text(observed_effect), requirements
            )


def _field_differences(place: str, expected_send: Send, observed_send: Send) -> Iterator[Difference]:
    expected, observed = read_request_layout(expected_send.datagram), read_request_layout(observed_send.datagram)
    names = dict.fromkeys(field.name for layout in (expected, observed) for field in layout)
    for name in names:
        right, actual = expected[name], observed[name]
        if (right and right.octets) != (actual and actual.octets):
            text = "absent" if actual is None else _value(actual)
            rules = _FIELD_REQUIREMENTS if right else _ABSENT_OVER_IP
            yield Difference(f"{place}, {name}", _expected(right), text, rules[name])
    if observed.trailing:
        # What stands behind SiteID over IP, or behind the networks that IPXNetworkCount tells of.
        rules = _FIELD_REQUIREMENTS if expected["IPXNetworkCount"] else _ABSENT_OVER_IP
        length = f"{len(expected_send.datagram)} octets"
        yield Difference(f"{place}, length", length, f"{len(observed_send.datagram)} octets", rules["IPXNetworkCount"])


def _effect_text(effect: Effect | None) -> str:
    return "nothing" if effect is None else f"{effect}"


def _expected(field: Field | None) -> str:
    if field is None:
        return "absent"
    if field.name == "RequestID" and field.octets in _STAND_INS:
        return "a GUID that no event had before"
    return _value(field)


def _value(field: Field) -> str:
    return guid_text(field.value) if isinstance(field.value, bytes) else f"{field.value}"


SHORTEST: Final = 3
"""Characters of a name that tell that one name was made of another."""


def names_heard(event: Event) -> frozenset[str]:
    """Return the names of servers in a reply; none in any other event."""
    reply = read_reply(event.datagram) if isinstance(event, DatagramReceived) else None
    return frozenset(names_in(reply, LITERAL)) if reply else frozenset()


def holds_names_from_elsewhere(listed: Sequence[str], expected: Sequence[str], heard: Collection[str]) -> bool:
    """Return whether a list, or what it has beyond the expected one, came from no reply: another protocol's (SD-75).

    ``heard`` has the names of replies and of the start. A name that is part of one of these, or has one as its part,
    is not a stranger but a reply read wrongly.
    """
    names = {*heard, *expected}
    strangers = [name for name in listed if name not in names]
    rest = [name for name in listed if name in names]
    pairs = [sorted((name.casefold(), other.casefold()), key=len) for name in strangers for other in names]
    related = any(len(shorter) >= SHORTEST and shorter in longer for shorter, longer in pairs)
    return bool(strangers) and not related and (not rest or Counter(rest) == Counter(expected))


def state_differences(state: ClientState, snapshot: ShownState) -> Iterator[Difference]:
    """Yield where what is shown is not what it should be."""
    yield from _lists(state, snapshot)
    yield from _last_successful_network(state, snapshot)
    if state.waiting_on is not None:
        yield from _request_under_way(state, snapshot)


def _lists(state: ClientState, snapshot: ShownState) -> Iterator[Difference]:
    servers = snapshot.get("directory_servers")
    if servers is not None and Counter(servers) != Counter(state.directory_server_list):
        as_many = len(servers) == len(state.directory_server_list)  # each item was read, and something else remained
        broken = _REMAINDERS if as_many else _SERVERS
        yield Difference("DirectoryServerList", _names(state.directory_server_list), _names(servers), broken)
    networks, expected = snapshot.get("connected_networks"), state.connected_network_identifier_list
    if networks is not None and Counter(networks) != Counter(expected):
        yield Difference("ConnectedNetworkIdentifierList", _guids(expected), _guids(networks), _NETWORKS)


def _last_successful_network(state: ClientState, snapshot: ShownState) -> Iterator[Difference]:
    expected = state.valid_last_successful_network_address
    valid = snapshot.get("valid_last_successful_network_address", expected)
    if valid != expected:
        yield Difference("ValidLastSuccessfulNetworkAddress", f"{expected}", f"{valid}", _VALID)
    expected_address = state.last_successful_network_address
    address = snapshot.get("last_successful_network_address", expected_address)
    if expected and address != expected_address:
        yield Difference("LastSuccessfulNetworkAddress", f"{expected_address}", f"{address}", _ADDRESS)


def _request_under_way(state: ClientState, snapshot: ShownState) -> Iterator[Difference]:
    request_id = snapshot.get("request_id", state.request_id)
    if request_id != state.request_id:
        yield Difference("RequestID", _guids((state.request_id,)), _guids((request_id,)), _REQUEST_ID)
    expected = state.current_network_index
    index = snapshot.get("current_network_index", expected)
    if index not in (expected, expected - 1):  # positions may count from 0 or from 1 (register SD-68)
        yield Difference("CurrentNetworkIndex", f"{expected}", f"{index}", _INDEX)


def _names(names: tuple[str, ...]) -> str:
    return ", ".join(map(ascii, sorted(names))) or "no name"


def _guids(guids: tuple[Guid | None, ...]) -> str:
    return ", ".join(sorted("none" if guid is None else guid_text(guid) for guid in guids)) or "none"
