"""What the rules of MS-MQSD 3.1 come to word by word, sequence by sequence, and where sensible readings differ."""

from mqconform.reference.mqsd.client import (
    LITERAL,
    SECOND,
    ClockAdvanced,
    Complete,
    DatagramReceived,
    GetDirectoryServerList,
    NetworkAddress,
    Readings,
    Send,
    initialize,
    step,
)
from mqconform.reference.mqsd.guid import Guid

REQUEST_ID = Guid(b"R" * 16)
OLD_NETWORK = Guid(b"0" * 16)
ADDRESSES = ("10.0.1.0", "10.0.2.0", "10.0.3.0")

# The server lists of three replies, and the one connected network of each.
LOCAL, FOREIGN, OTHER_FOREIGN = "", "10oslo\0", "11bergen,10voss\0"
NETWORK_OF = {LOCAL: Guid(b"L" * 16), FOREIGN: Guid(b"F" * 16), OTHER_FOREIGN: Guid(b"G" * 16)}
TIMEOUT = None
Planned = tuple[int, str] | None


def reply(servers: str) -> bytes:
    array = servers.encode("utf-16-le")
    foreign_site = b"X" * 16 + array if array else b""
    numbers = (1).to_bytes(4, "little") + bytes(4) + len(array).to_bytes(4, "little")
    return b"\0\2\0\0" + REQUEST_ID + numbers + NETWORK_OF[servers] + foreign_site


def local(network: int) -> Planned:
    return network, LOCAL


def foreign(network: int) -> Planned:
    return network, FOREIGN


def other_foreign(network: int) -> Planned:
    return network, OTHER_FOREIGN


T = TIMEOUT


def run(networks: int, events: list[Planned], readings: Readings):
    """Return what a client does from its first request on; between two events there are 15 s or a moment."""
    connected = tuple(NetworkAddress(address) for address in ADDRESSES[:networks])
    state = initialize(Guid(b"E" * 16), Guid(b"S" * 16), connected, ("old",), (OLD_NETWORK,))
    now = 0
    state, done = step(state, GetDirectoryServerList(), now, lambda _: REQUEST_ID, readings)
    for event in events:
        if event is TIMEOUT:
            now += 15 * SECOND
            happens = ClockAdvanced()
        else:
            network, servers = event
            happens = DatagramReceived(ADDRESSES[network - 1], reply(servers))
        state, effects = step(state, happens, now, lambda _: REQUEST_ID, readings)
        done += effects
    requests = [effect.network for effect in done if isinstance(effect, Send)]
    results = [effect.result.value for effect in done if isinstance(effect, Complete)]
    return requests, results, state.directory_server_list, state.connected_network_identifier_list


OLD, OSLO = ("old",), ("oslo",)
LAST_LOCAL, EMPTIED, OLD_NETWORKS, OF_F = (NETWORK_OF[LOCAL],), (), (OLD_NETWORK,), (NETWORK_OF[FOREIGN],)

LITERAL_TABLE = {
    "a local reply": (1, [local(1)], ["success"], OLD, EMPTIED),
    "a foreign reply, then a local one": (1, [foreign(1), local(1)], ["success"], OSLO, OF_F),
    "two foreign replies": (1, [foreign(1), other_foreign(1)], ["success"], OSLO, OF_F),
    "a foreign reply and its copy": (1, [foreign(1), foreign(1)], ["success"], OSLO, OF_F),
    "a foreign reply only": (1, [foreign(1), T], ["success"], OSLO, OF_F),
    "no reply": (1, [T], ["failure"], OLD, OLD_NETWORKS),
    "a foreign reply after completion": (1, [local(1), foreign(1), T], ["success", "success"], OSLO, OF_F),
    "local on the first network": (2, [local(1), T], ["success"], OLD, EMPTIED),
    "foreign on the first network": (2, [foreign(1), T, T], ["success"], OLD, EMPTIED),
    "two foreign on the first network": (2, [foreign(1), other_foreign(1), T], ["success"], OLD, EMPTIED),
    "local on both networks": (2, [local(1), local(2)], ["success"], OLD, EMPTIED),
    "local, then foreign on the second network": (2, [local(1), foreign(2), T], ["success"], OSLO, OF_F),
    "foreign and local on the second network": (2, [T, foreign(2), local(2)], ["success"], OSLO, OF_F),
    "a reply of the first network comes late": (2, [T, foreign(1), T], ["failure"], OLD, OLD_NETWORKS),
    "no network": (0, [T, T, T, T], [], OLD, OLD_NETWORKS),
}


def test_the_text_word_by_word():
    for name, (networks, events, *expected) in LITERAL_TABLE.items():
        requests, *outcome = run(networks, events, LITERAL)
        assert outcome == expected, name
        assert requests == list(ADDRESSES[:networks]), name
