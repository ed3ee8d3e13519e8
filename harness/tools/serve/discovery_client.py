"""The reference client on real networks: the pure client of MS-MQSD 3.1, driven by sockets and a clock.

Sockets come in as arguments; lines of JSON go out.
"""

import secrets
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from mqconform.harness.iut.drivers.discovery_client.calls import Networks
from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.reference_iut.discovery_client import effect_record, state_of
from mqconform.harness.records.problem import ConfigurationError
from mqconform.reference.errors import MalformedGuid
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
    NetworkAddress,
    NetworksChanged,
    NewGuid,
    Result,
    Send,
    SendFailed,
    initialize,
    step,
)
from mqconform.reference.mqsd.guid import GUID_SIZE, Guid, guid_from_text

READINGS: Final = {"undisputed": UNDISPUTED, "literal": LITERAL, "sensible": SENSIBLE}
NAMES: Final[dict[type[Event], str]] = {
    GetDirectoryServerList: "start",
    DatagramReceived: "datagram",
    ClockAdvanced: "wait ended",
    SendFailed: "send failed",
    NetworksChanged: "networks changed",
}
SHOWN: Final = (
    "directory_servers",
    "connected_networks",
    "valid_last_successful_network_address",
    "last_successful_network_address",
)


def searched(enterprise: str, site: str, addresses: Sequence[str], networks: Networks, readings: str) -> Iterator[Json]:
    """Search once as a client with these GUIDs and own addresses, by the clock of this machine; see ``search``.

    Raises:
        ConfigurationError: the enterprise or the site is no GUID.
    """
    own = tuple(map(NetworkAddress, addresses))
    client = initialize(_guid("--enterprise", enterprise), _guid("--site", site), own)
    return search(client, networks, time.monotonic_ns, lambda _: Guid(secrets.token_bytes(GUID_SIZE)), readings)


def _guid(option: str, text: str) -> Guid:
    try:
        return guid_from_text(text)
    except MalformedGuid as error:
        raise ConfigurationError(f"{option}: {error}") from error


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
    yield {"result": result.value, **{name: value for name, value in state_of(client).items() if name in SHOWN}}


def _sent(networks: Networks, request: Send) -> bool:
    try:
        networks.send(request.network, request.datagram)
    except OSError:
        return False
    return True
