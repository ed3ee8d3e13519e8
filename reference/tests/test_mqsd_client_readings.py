"""The readings of the client against the register, and what each of them changes."""

import re
import tomllib
from dataclasses import fields, replace
from importlib.resources import files
from typing import Any

from mqconform.reference.allowed import Standing
from mqconform.reference.choice import Choice
from mqconform.reference.mqsd import client
from mqconform.reference.mqsd.client import (
    EVERY_READING,
    LITERAL,
    PERMITTED,
    SECOND,
    SENSIBLE,
    UNDISPUTED,
    ClockAdvanced,
    DatagramReceived,
    GetDirectoryServerList,
    NetworkAddress,
    NetworksChanged,
    Readings,
    SendFailed,
    initialize,
    show,
    step,
)
from mqconform.reference.mqsd.client.readings_of_events import (
    CompletionAtOnce,
    EventWhileRunning,
    FailedSend,
    LaterEvent,
    ListBetweenEvents,
    ListsAfterFailure,
    NetworkAddresses,
    NoNetwork,
    OwnSite,
    RemoteAccess,
    RequestIds,
    Requests,
)
from mqconform.reference.mqsd.client.readings_of_replies import (
    CopiedReply,
    EarlierNetworks,
    ForeignReplyStored,
    ForeignThenLocal,
    GrossError,
    HeaderNotZero,
    LateReply,
    LesserError,
    LocalReplyAlone,
    LocalReplyOnLastNetwork,
    NothingStored,
    ProtocolFlags,
    RequestAsReply,
    ShortItem,
    WaitAfterForeignReply,
)
from mqconform.reference.mqsd.guid import Guid

CHOICES = [choice for field in fields(LITERAL) for choice in type(getattr(LITERAL, field.name))]
NOT_MODELLED = {
    "SD-42": "one reading, which the model follows",
    "SD-48": "one reading, which the model follows",
    "SD-49": "told apart by the tolerance of a clock",
    "SD-67": "told apart by the tolerance of a clock",
}


def requirements_folder():
    return files("mqconform.features") / "requirements"


def register():
    folder = requirements_folder() / "ambiguities"
    texts = [file.read_text(encoding="utf-8") for file in folder.iterdir() if file.name.endswith(".toml")]
    return {entry["id"]: entry for text in texts for entry in tomllib.loads(text)["ambiguity"]}


def test_every_testable_entry_of_the_client_has_its_readings_here():
    ours = {str(choice.reading) for choice in CHOICES}
    of_the_client = {
        f"{entry['id']}/{reading['id']}"
        for entry in register().values()
        if 40 <= int(entry["id"][3:]) <= 68 and entry["id"].startswith("SD") and entry["id"] not in NOT_MODELLED
        for reading in entry.get("reading", ())
    }
    assert {one for one in of_the_client if not one.startswith("SD-64/list-")} - ours == set()


def test_the_literal_readings_of_the_register_are_the_literal_ones_here():
    entries = register()
    for field in fields(LITERAL):
        choice = getattr(LITERAL, field.name)
        readings = {one["id"]: one for one in entries[choice.reading.register]["reading"]}
        situation = readings[choice.reading.name].get("situation")
        marked = [name for name, one in readings.items() if one.get("literal") and one.get("situation") == situation]
        assert marked in ([], [choice.reading.name])


def test_no_reading_stands_above_an_undisputed_one():
    for field in fields(UNDISPUTED):
        chosen = getattr(UNDISPUTED, field.name)
        assert chosen.reading.standing == min(choice.reading.standing for choice in type(chosen))


def test_the_presets_are_permitted():
    for readings in (LITERAL, UNDISPUTED, SENSIBLE):
        assert all(getattr(readings, field.name).reading.standing < Standing.REFUSED for field in fields(readings))


def test_the_permitted_space_lacks_the_refused_readings_only():
    refused = {str(one) for place, choices in EVERY_READING.items() for one in choices if one not in PERMITTED[place]}
    assert refused == {
        "SD-12/client-acts-on-requests",
        "SD-52/success (after 15 s)",
        "SD-52/success (at once)",
        "SD-54/remote-access-unknown",
        "SD-58/lists-cleared",
        "SD-59/gross-error-accepted",
        "SD-62/unreachable-names-left-out",
        "SD-64/site-unset",
    }


def test_every_requirement_that_a_rule_names_is_in_the_catalogue():
    catalogue = tomllib.loads((requirements_folder() / "mqsd.toml").read_text(encoding="utf-8"))
    known = {entry["id"] for entry in catalogue["requirement"]}
    folder = files(client.__name__)
    sources = [*folder.iterdir(), *(folder / "explain").iterdir()]
    named = {
        requirement
        for source in sources
        if source.name.endswith(".py")
        for requirement in re.findall(r"MQSD-[0-9.]+-[0-9]+", source.read_text(encoding="utf-8"))
    }
    assert len(named) > 60
    assert named - known == set()


IDS = [Guid(bytes([number]) * 16) for number in range(1, 9)]
SITE_ID, NETWORK_A, NETWORK_B = Guid(b"S" * 16), Guid(b"A" * 16), Guid(b"B" * 16)
ONE, TWO = ("10.0.1.0",), ("10.0.1.0", "10.0.2.0")
START, T, HALF, SEND_FAILED = "start", "15 s", "7.5 s", "send failed"


def local(network: int, request: int = 0, **changes: int):
    return "reply", network, request, "", NETWORK_A, changes


def foreign(network: int, request: int = 0, servers: str = "10oslo\0", **changes: int):
    return "reply", network, request, servers, NETWORK_B, changes


def octets(request: int, servers: str, listed: Guid, changes: dict[str, int]) -> bytes:
    array = servers.encode("utf-16-le")
    head = bytes([changes.get("version", 0), changes.get("type", 2), 0, 0]) + IDS[request]
    numbers = (1).to_bytes(4, "little") + bytes([changes.get("mask", 0), 0, 0, 0]) + len(array).to_bytes(4, "little")
    whole = head + numbers + listed + (b"O" * 16 + array if array else b"")
    return whole[: changes.get("cut")]


def seen(readings: Readings, networks: tuple[str, ...], script: list[Any]):
    """Return everything outward about a client that follows ``readings``."""
    state = initialize(Guid(b"E" * 16), SITE_ID, tuple(map(NetworkAddress, networks)), ("old",), (Guid(b"O" * 16),))
    now, outward = 0, []
    for planned in script:
        match planned:
            case "start":
                event = GetDirectoryServerList()
            case "send failed":
                event = SendFailed()
            case ("reply", network, request, servers, listed, changes):
                event = DatagramReceived(TWO[network - 1], octets(request, servers, listed, changes))
            case ("networks", *addresses):
                event = NetworksChanged(tuple(NetworkAddress(one, remote_access=one == "ras") for one in addresses))
            case _:
                event, now = ClockAdvanced(), now + (15 if planned == T else 7.5) * SECOND
        state, effects = step(state, event, int(now), IDS.__getitem__, readings)
        outward.append((effects, show(state)))
    return outward


RAS = ("networks", "ras")
# For each choice that is not the literal one, a run in which it shows.
SHOWS = {
    Requests.REPEATED: (ONE, [START]),
    RequestIds.NEW_PER_PACKET: (TWO, [START, T]),
    NetworkAddresses.LIST_REBUILT: (ONE, [START, T, START, T]),
    NetworkAddresses.NEW_ONES_ADDED: (ONE, [START, T, START, T]),
    NoNetwork.FAILURE_AT_ONCE: ((), [START]),
    NoNetwork.FAILURE_AFTER_WAIT: ((), [START, T]),
    NoNetwork.SUCCESS_AT_ONCE: ((), [START]),
    NoNetwork.SUCCESS_AFTER_WAIT: ((), [START, T]),
    LaterEvent.NEW_DISCOVERY: (ONE, [START, local(1), START]),
    RemoteAccess.UNKNOWN: (ONE, [START, local(1), RAS, START]),
    CompletionAtOnce.FAILURE: (ONE, [START, local(1), START]),
    EventWhileRunning.IGNORED: (ONE, [START, START]),
    EventWhileRunning.REFUSED: (ONE, [START, START]),
    EventWhileRunning.QUEUED: (ONE, [START, START, T]),
    EventWhileRunning.ENDS_BOTH: (ONE, [START, foreign(1), START, T]),
    ListsAfterFailure.CLEARED: (ONE, [START, T]),
    OwnSite.UNSET: (ONE, [START]),
    FailedSend.GOES_ON: (ONE, [START, SEND_FAILED]),
    HeaderNotZero.DISCARDED: (ONE, [START, local(1, version=1)]),
    RequestAsReply.ACTED_UPON: (ONE, [START, local(1, type=1)]),
    LocalReplyOnLastNetwork.LOCAL_REPLY_USED: (ONE, [START, local(1)]),
    LocalReplyOnLastNetwork.LISTS_UNCHANGED: (ONE, [START, local(1)]),
    EarlierNetworks.KEPT_ASIDE: (TWO, [START, foreign(1), T, T]),
    EarlierNetworks.KEPT_IN_PLACE: (TWO, [START, foreign(1), T, foreign(2)]),
    NothingStored.NETWORKS_UNCHANGED: (TWO, [START, local(1), T]),
    NothingStored.FAILURE: (TWO, [START, local(1), T]),
    LateReply.IGNORED: (ONE, [START, local(1), foreign(1), T]),
    ForeignThenLocal.LIST_UNCHANGED: (ONE, [START, foreign(1), local(1)]),
    ForeignReplyStored.LAST: (ONE, [START, foreign(1), foreign(1, servers="10voss\0")]),
    CopiedReply.IGNORED: (ONE, [START, foreign(1), foreign(1)]),
    WaitAfterForeignReply.IN_ALL: (ONE, [START, HALF, foreign(1), HALF]),
    LocalReplyAlone.FAILURE: (ONE, [START, local(1)]),
    LocalReplyAlone.FAILURE_FORGETTING: (ONE, [START, local(1)]),
    GrossError.ACCEPTED: (ONE, [START, local(1, cut=40)]),
    LesserError.ACCEPTED: (ONE, [START, local(1, mask=1)]),
    ShortItem.LISTED: (ONE, [START, foreign(1), T]),
    ProtocolFlags.REACHABLE_NAMES: (ONE, [START, foreign(1, servers="01bergen,10oslo\0"), T]),
}


def place_of(choice: Choice) -> str:
    return next(field.name for field in fields(LITERAL) if type(getattr(LITERAL, field.name)) is type(choice))


def test_a_choice_other_than_the_literal_one_shows():
    for choice, (networks, script) in SHOWS.items():
        readings = replace(LITERAL, **{place_of(choice): choice})
        assert seen(readings, networks, script) != seen(LITERAL, networks, script), f"{choice}"


def test_ways_of_one_reading_differ_from_each_other_as_well():
    accepting = replace(LITERAL, lesser_error=LesserError.ACCEPTED)
    short = (ONE, [START, foreign(1, servers="10,10oslo\0"), T])
    changed = (ONE, [START, T, ("networks", TWO[1]), START, T, T])
    assert seen(accepting, *short) != seen(replace(accepting, short_item=ShortItem.LISTED_BEFORE_END), *short)
    rebuilt = replace(LITERAL, network_addresses=NetworkAddresses.LIST_REBUILT)
    added = replace(LITERAL, network_addresses=NetworkAddresses.NEW_ONES_ADDED)
    assert seen(rebuilt, *changed) != seen(added, *changed)


def test_each_choice_other_than_the_literal_one_has_its_run():
    literal = {getattr(LITERAL, field.name) for field in fields(LITERAL)}
    assert set(CHOICES) - literal - set(SHOWS) == {ShortItem.LISTED_BEFORE_END, ListBetweenEvents.CHANGED}
