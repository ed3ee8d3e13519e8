"""``mqconform serve discovery-client``: the reference client on real networks, for servers of others to answer."""

import json
import secrets
import sys
import time

import click

from mqconform.adapters.networks.broadcast import BroadcastNetworks
from mqconform.harness.iut.interface import ConfigurationError, Json
from mqconform.harness.iut.reference_iut.discovery_client import effect_record, state_of
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.tools.serve.discovery_client import DiscoveryClientPeer, Happening
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
    GetDirectoryServerList,
    NetworkAddress,
    NetworksChanged,
    Result,
    SendFailed,
    initialize,
)
from mqconform.reference.mqsd.guid import GUID_SIZE, Guid, guid_from_text
from mqconform.reference.mqsd.specification import FACTS

READINGS = {"undisputed": UNDISPUTED, "literal": LITERAL, "sensible": SENSIBLE}
SHOWN = (
    "directory_servers",
    "connected_networks",
    "valid_last_successful_network_address",
    "last_successful_network_address",
)
NAMES = {
    GetDirectoryServerList: "start",
    DatagramReceived: "datagram",
    ClockAdvanced: "wait ended",
    SendFailed: "send failed",
    NetworksChanged: "networks changed",
}


@click.command("discovery-client")
@click.option("--enterprise", required=True, metavar="GUID", help="Enterprise of the client.")
@click.option("--site", required=True, metavar="GUID", help="Site of the client.")
@click.option(
    "--network",
    "networks",
    multiple=True,
    required=True,
    metavar="ADDRESS[/PREFIX]",
    help="This machine's own IPv4 address on a network; repeat it for further networks, in the order of the search.",
)
@click.option(
    "--port", type=click.IntRange(1, 65535), default=FACTS.udp_port, show_default=True, help="UDP port of the servers."
)
@click.option(
    "--broadcast",
    type=click.Choice(["limited", "directed"]),
    default="limited",
    show_default=True,
    help="To 255.255.255.255, or to the broadcast address of the subnet.",
)
@click.option(
    "--readings",
    type=click.Choice(list(READINGS)),
    default="undisputed",
    show_default=True,
    help="What the client follows where the text is ambiguous.",
)
@click.option("--allow-broadcast", is_flag=True, help="Broadcast to every host of the networks.")
def command(  # noqa: PLR0913 - one parameter for each documented option
    enterprise: str,
    site: str,
    networks: tuple[str, ...],
    port: int,
    *,
    broadcast: str,
    readings: str,
    allow_broadcast: bool,
) -> None:
    """Search for directory servers once, as MS-MQSD 3.1 has it, with its waits of 15 seconds.

    Prints one JSON object for each event with what the client did, and last what it has found. Broadcasts nothing
    outside loopback and a network namespace of its own unless that is allowed.

    Exit code 0 when the search succeeds, 1 when it fails, 4 when a network cannot be used as given.
    """
    client = initialize(_guid("--enterprise", enterprise), _guid("--site", site), _addresses(networks))
    opened = BroadcastNetworks(networks, port, directed=broadcast == "directed", allowed=allow_broadcast)
    try:
        peer = DiscoveryClientPeer(client, opened, time.monotonic_ns, _random_guid, READINGS[readings])
        result = _search(peer)
    finally:
        opened.close()
    _print({"result": result.value, **_lists(peer.client)})
    raise click.exceptions.Exit(ExitCode.OK if result is Result.SUCCESS else ExitCode.FAIL)


def _search(peer: DiscoveryClientPeer) -> Result:
    result = Result.FAILURE
    for happening in peer.discover():
        _print(_line(happening))
        for effect in happening.effects:
            if isinstance(effect, Complete):
                result = effect.result
    return result


def _guid(option: str, text: str) -> Guid:
    try:
        return guid_from_text(text)
    except MalformedGuid as error:
        raise ConfigurationError(f"{option}: {error}") from error


def _addresses(networks: tuple[str, ...]) -> tuple[NetworkAddress, ...]:
    return tuple(NetworkAddress(network) for network in networks)


def _random_guid(request: int) -> Guid:
    del request
    return Guid(secrets.token_bytes(GUID_SIZE))


def _line(happening: Happening) -> Json:
    """Return an event as JSON: when (seconds since the start), what, and the effects."""
    line: Json = {"at": happening.at / SECOND, "event": NAMES[type(happening.event)]}
    if isinstance(happening.event, DatagramReceived):
        line |= {"network": happening.event.network, "source": happening.source}
        line["datagram"] = happening.event.datagram.hex()
    return {**line, "effects": [effect_record(effect) for effect in happening.effects]}


def _lists(client: ClientState) -> Json:
    state = state_of(client)
    return {name: value for name, value in state.items() if name in SHOWN}


def _print(line: Json) -> None:
    """Print and flush, so that a reader sees each event when it happens."""
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()
