"""``mqconform serve ROLE``: the reference, or any implementation, as a peer for the tests of others."""

import json
import secrets
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from mqconform.adapters.networks.broadcast import BroadcastNetworks
from mqconform.harness.cli.echo import echo
from mqconform.harness.cli.parameters import A_DAY, FilePath, Number
from mqconform.harness.iut.connect import open_iut
from mqconform.harness.iut.facts import load_facts
from mqconform.harness.iut.interface import AdapterOptions, ConfigurationError, Iut, IutProblem
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.tools.serve.discovery_peers import READINGS, search, serve_discovery
from mqconform.harness.tools.serve.queue_manager import QueueManagerPeer
from mqconform.harness.tools.serve.stdio_server import answers_apart_from_prints, serve
from mqconform.reference.errors import MalformedGuid
from mqconform.reference.mqsd.client import NetworkAddress, initialize
from mqconform.reference.mqsd.guid import GUID_SIZE, Guid, guid_from_text
from mqconform.reference.mqsd.specification import FACTS


def _stdio(iut: str, deadline: float) -> ExitCode:
    with answers_apart_from_prints() as answers:
        try:
            opened = open_iut(iut, AdapterOptions(deadline=deadline))
        except IutProblem as problem:
            echo(f"serve stdio: {problem}", err=True)
            return ExitCode.USAGE if isinstance(problem, ConfigurationError) else ExitCode.FAIL
        return _answered(opened, answers)


def _queue_manager(*, least_convenient: bool, seed: int | None) -> ExitCode:
    if seed is not None and not least_convenient:
        raise click.UsageError("--seed draws the least convenient outcomes; give --least-convenient as well")
    with answers_apart_from_prints() as answers:
        return _answered(QueueManagerPeer((seed or 0) if least_convenient else None), answers)


def _answered(iut: Iut, answers: Any) -> ExitCode:
    try:
        serve(iut, sys.stdin.buffer, answers)
    except BrokenPipeError:
        echo("serve: the reader of the answers is gone", err=True)
    finally:
        iut.close()
    return ExitCode.OK


def _discovery_server(facts: Path, *, fail_send_every: int | None, fail_reopen: bool, **how: Any) -> ExitCode:
    if fail_reopen and not fail_send_every:
        raise click.UsageError("--fail-reopen takes effect after a failed send; give --fail-send-every as well")
    faults: dict[str, Any] = {"fail_send_every": fail_send_every or 0, "fail_reopening": fail_reopen}
    lost = serve_discovery(load_facts(facts), str(facts), note=lambda line: echo(line, err=True), **faults, **how)
    return ExitCode.FAIL if lost else ExitCode.OK


def _discovery_client(  # noqa: PLR0913 - one parameter for each documented option
    enterprise: str,
    site: str,
    networks: tuple[str, ...],
    port: int,
    *,
    broadcast: str,
    readings: str,
    allow_broadcast: bool,
) -> ExitCode:
    if port == 0:
        raise click.UsageError("--port: a client asks servers at a port; give 1 to 65535")
    addresses = tuple(map(NetworkAddress, networks))
    client = initialize(_guid("--enterprise", enterprise), _guid("--site", site), addresses)
    opened = BroadcastNetworks(networks, port, directed=broadcast == "directed", allowed=allow_broadcast)
    success = False
    try:
        lines = search(client, opened, time.monotonic_ns, lambda _: Guid(secrets.token_bytes(GUID_SIZE)), readings)
        for line in lines:
            echo(json.dumps(line))
            success = line.get("result") == "success"
    finally:
        opened.close()
    return ExitCode.OK if success else ExitCode.FAIL


def _guid(option: str, text: str) -> Guid:
    try:
        return guid_from_text(text)
    except MalformedGuid as error:
        raise ConfigurationError(f"{option}: {error}") from error


@dataclass(frozen=True, slots=True)
class Role:
    """What is served: the function, the parameters that it takes, and those that have to be given."""

    serve: Callable[..., ExitCode]
    takes: tuple[str, ...]
    needs: tuple[str, ...] = ()


ROLES = {
    "stdio": Role(_stdio, ("iut", "deadline")),
    "queue-manager": Role(_queue_manager, ("least_convenient", "seed")),
    "discovery-server": Role(
        _discovery_server, ("facts", "host", "port", "verbose", "fail_send_every", "fail_reopen"), ("facts",)
    ),
    "discovery-client": Role(
        _discovery_client,
        ("enterprise", "site", "networks", "port", "broadcast", "readings", "allow_broadcast"),
        ("enterprise", "site", "networks"),
    ),
}
_GIVEN = (ParameterSource.COMMANDLINE, ParameterSource.ENVIRONMENT)


@click.command("serve")
@click.argument("role", type=click.Choice(list(ROLES)))
@click.option("--iut", default="ref:", metavar="KIND:ID", help="stdio: what to serve.")
@click.option(
    "--deadline",
    default=60.0,
    type=Number(min=0, max=A_DAY, min_open=True),
    help="stdio: seconds that a call may take.",
)
@click.option(
    "--least-convenient",
    is_flag=True,
    help="queue-manager: among the allowed outcomes, choose the one that programs handle worst.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    metavar="N",
    help="queue-manager: draw the outcomes that may differ each time; with --least-convenient.  [default: 0]",
)
@click.option("--facts", type=FilePath(), help="discovery-server: its configuration (TOML); required.")
@click.option("--host", default="127.0.0.1", help="discovery-server: address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=FACTS.udp_port,
    help="discovery-*: UDP port of the server; a server takes any for 0.",
)
@click.option("--verbose", is_flag=True, help="discovery-server: one line for each request and each reply.")
@click.option(
    "--fail-send-every",
    type=click.IntRange(min=1),
    metavar="N",
    help="discovery-server: each Nth reply meets a network error and is lost; a new socket follows (MS-MQSD 3.2.5).",
)
@click.option("--fail-reopen", is_flag=True, help="discovery-server: let that opening fail as well; it stops then.")
@click.option("--enterprise", metavar="GUID", help="discovery-client: its enterprise; required.")
@click.option("--site", metavar="GUID", help="discovery-client: its site; required.")
@click.option(
    "--network",
    "networks",
    multiple=True,
    metavar="ADDRESS[/PREFIX]",
    help="discovery-client: own IPv4 address on a network; repeat it in the order of the search; required.",
)
@click.option(
    "--broadcast",
    type=click.Choice(["limited", "directed"]),
    default="limited",
    help="discovery-client: to 255.255.255.255, or to the broadcast address of the subnet.",
)
@click.option(
    "--readings",
    type=click.Choice(list(READINGS)),
    default="undisputed",
    help="discovery-client: the readings that it follows where the specification is ambiguous.",
)
@click.option("--allow-broadcast", is_flag=True, help="discovery-client: broadcast beyond loopback and namespaces.")
def command(role: str, **options: Any) -> ExitCode:
    """Serve the reference as a peer, so that implementations and programs can be tested against it.

    \b
    stdio             an implementation, by the IUT protocol on standard input and output
    queue-manager     a test double of one machine (MS-MQSO), by the same protocol
    discovery-server  answers topology requests (MS-MQSD 3.2) until SIGINT or SIGTERM
    discovery-client  searches once (MS-MQSD 3.1), one JSON object for each event

    With --least-convenient sends succeed whose message is refused later, an expired message stays until its queue is
    looked at, another reader than the first gets the message; the same seed and requests have the same answers. Time
    passes by queue_manager.advance_clock alone. What the implementation of stdio prints goes to standard error.

    Exit code 0: ended after shutdown, end of input or a signal, or the search succeeded; 1: the socket could not be
    opened again, or the search failed; 4: wrong usage, or an address cannot be used.
    """  # noqa: D301 - click takes the backspace for a paragraph that keeps its lines
    context, served = click.get_current_context(), ROLES[role]
    for option in context.command.params:
        if option.name not in {"role", *served.takes} and context.get_parameter_source(option.name or "") in _GIVEN:
            raise click.UsageError(f"{option.opts[0]} does not go with {role}")
        if option.name in served.needs and not options[option.name]:
            raise click.UsageError(f"Missing option '{option.opts[0]}': {role} needs it")
    return served.serve(**{name: options[name] for name in served.takes})
