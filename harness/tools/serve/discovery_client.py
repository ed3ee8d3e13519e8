"""The reference client on real networks: the pure client of MS-MQSD 3.1, driven by sockets and a clock.

Sockets, clock and randomness come in as arguments; lines of JSON go out.
"""

from collections import deque
from collections.abc import Callable, Iterator
from typing import Final

from mqconform.harness.iut.drivers.discovery_client.calls import Networks
from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.reference_iut.discovery_client import effect_record, state_of
from mqconform.reference.mqsd.client import (
    LITERAL,
    SECOND,
    SENSIBLE,
    UNDISPUTED,
    ClientState,
    ClockAdvanced,
    Complete,
    DatagramReceived,
    Event,
    GetDirectoryServerList,
    NetworksChanged,
    NewGuid,
    Result,
    Send,
    SendFailed,
    step,
)

READINGS: Final = {"undisputed": UNDISPUTED, "literal": LITERAL, "sensible": SENSIBLE}
NAMES: Final[dict[type[Event], str]] = {
    GetDirectoryServerList: "start",
    DatagramReceived: "datagram",
    ClockAdvanced: "wait ended",
    SendFailed: "send failed",
    NetworksChanged: "networks changed",
}
RESULT_FIELDS: Final = (
    "directory_servers",
    "connected_networks",
    "valid_last_successful_network_address",
    "last_successful_network_address",
)


def search(
    client: ClientState, networks: Networks, clock: Callable[[], int], new_guid: NewGuid, readings: str = "undisputed"
) -> Iterator[Json]:
    """Yield each event of one Get Directory Server List (MS-MQSD 3.1.4.1) as it happens, and last the result.

    Nothing happens between two calls of next.

    Args:
        client: a client that is initialised.
        networks: where requests go and datagrams come from.
        clock: nanoseconds from any beginning.
        new_guid: makes the id of a request.
        readings: what the client follows where the text is ambiguous, by its name in ``READINGS``.
    """
    began, result = clock(), Result.FAILURE
    pending: deque[tuple[Event, str]] = deque([(GetDirectoryServerList(), "")])
    while pending or (client.in_progress and client.wait_for_response_timer is not None):
        if not pending:
            assert client.wait_for_response_timer is not None, "the loop goes on for it"
            received = networks.receive((client.wait_for_response_timer - (clock() - began)) / SECOND)
            if received is not None:
                pending.append((DatagramReceived(received[0], received[1]), received[2]))
            elif clock() - began >= client.wait_for_response_timer:
                pending.append((ClockAdvanced(), ""))
            continue
        event, source = pending.popleft()
        at = clock() - began
        client, effects = step(client, event, at, new_guid, READINGS[readings])
        for effect in effects:
            if isinstance(effect, Send) and not _sent(networks, effect):
                pending.append((SendFailed(), ""))
            elif isinstance(effect, Complete):
                result = effect.result
        line: Json = {"at": at / SECOND, "event": NAMES[type(event)]}
        if isinstance(event, DatagramReceived):
            line = {**line, "network": event.network, "source": source, "datagram": event.datagram.hex()}
        yield {**line, "effects": [effect_record(effect) for effect in effects]}
    yield {"result": result.value, **{name: value for name, value in state_of(client).items() if name in RESULT_FIELDS}}


def _sent(networks: Networks, request: Send) -> bool:
    try:
        networks.send(request.network, request.datagram)
    except OSError:
        return False
    return True
