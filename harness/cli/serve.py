"""``mqconform serve ROLE``: the reference, or any implementation, as a peer for the tests of others."""

import json
from collections.abc import Callable
from contextlib import closing
from inspect import signature
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from mqconform.adapters.networks.broadcast import BroadcastNetworks
from mqconform.harness.cli.echo import echo, say_apart
from mqconform.harness.cli.parameters import A_DAY, FILE, Number, UsualFirst, flag, option
from mqconform.harness.iut.connect import open_iut
from mqconform.harness.iut.facts import load_facts
from mqconform.harness.iut.interface import AdapterOptions
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.tools.serve.discovery_peers import READINGS, searched, serve_discovery
from mqconform.harness.tools.serve.queue_manager import QueueManagerPeer
from mqconform.harness.tools.serve.stdio_server import serve_on_standard_streams
from mqconform.reference.mqsd.specification import FACTS


def _stdio(iut: str, deadline: float) -> ExitCode:
    return serve_on_standard_streams(lambda: open_iut(iut, AdapterOptions(deadline=deadline)), say_apart)


def _queue_manager(*, least_convenient: bool, seed: int | None) -> ExitCode:
    if seed is not None and not least_convenient:
        raise click.UsageError("--seed draws the least convenient outcomes; give --least-convenient as well")
    drawn = (seed or 0) if least_convenient else None
    return serve_on_standard_streams(lambda: QueueManagerPeer(drawn), say_apart)


def _discovery_server(  # noqa: PLR0913 - one parameter for each option
    *, facts: Path, host: str, port: int, verbose: bool, fail_send_every: int | None, fail_reopen: bool
) -> ExitCode:
    if fail_reopen and not fail_send_every:
        raise click.UsageError("--fail-reopen takes effect after a failed send; give --fail-send-every as well")
    how: dict[str, Any] = {"host": host, "port": port, "verbose": verbose, "fail_reopening": fail_reopen}
    lost = serve_discovery(load_facts(facts), str(facts), fail_send_every=fail_send_every or 0, note=say_apart, **how)
    return ExitCode.FAIL if lost else ExitCode.OK


def _discovery_client(  # noqa: PLR0913 - one parameter for each option
    *,
    enterprise: str,
    site: str,
    networks: tuple[str, ...],
    port: int,
    broadcast: str,
    readings: str,
    allow_broadcast: bool,
) -> ExitCode:
    if port == 0:
        raise click.UsageError("--port: a client asks servers at a port; give 1 to 65535")
    line: dict[str, Any] = {}
    with closing(
        BroadcastNetworks(networks, port, directed=broadcast == "directed", allowed=allow_broadcast)
    ) as opened:
        for line in searched(enterprise, site, networks, opened, readings):
            echo(json.dumps(line))
    return ExitCode.OK if line.get("result") == "success" else ExitCode.FAIL


SERVED: dict[str, Callable[..., ExitCode]] = {
    "stdio": _stdio,
    "queue-manager": _queue_manager,
    "discovery-server": _discovery_server,
    "discovery-client": _discovery_client,
}
"""What serves each role; its parameters are the options that the role takes."""
NEEDS = {"discovery-server": ("facts",), "discovery-client": ("enterprise", "site", "networks")}
_EXPLICIT_SOURCES = (ParameterSource.COMMANDLINE, ParameterSource.ENVIRONMENT)
JOBS = {
    "stdio": ("iut", "deadline"),
    "queue-manager": ("least_convenient", "seed"),
    "discovery-server": ("facts", "host", "port", "verbose"),
    "discovery-client": ("enterprise", "site", "networks", "broadcast"),
}


@click.command("serve", cls=UsualFirst, jobs=JOBS, rare="fail_send_every fail_reopen readings allow_broadcast")
@click.argument("role", type=click.Choice([*SERVED]))
@option("--iut", "stdio: what to serve.", default="ref:", metavar="KIND:ID")
@option("--deadline", "stdio: seconds that a call may take.", Number(min=0, max=A_DAY, min_open=True), default=60.0)
@flag("--least-convenient", "queue-manager: among the allowed outcomes, choose the one that programs handle worst.")
@option(
    "--seed", "queue-manager: draws the least convenient outcomes.  [default: 0]", click.IntRange(min=0), metavar="N"
)
@option("--facts", "discovery-server: its configuration (TOML); required.", FILE)
@option("--host", "discovery-server: address to listen on.", default="127.0.0.1")
@option("--port", "discovery-*: UDP port of the server, any for 0.", click.IntRange(0, 65535), default=FACTS.udp_port)
@flag("--verbose", "discovery-server: one line for each request and each reply.")
@option("--fail-send-every", "discovery-server: each Nth reply meets an error.", click.IntRange(min=1), metavar="N")
@flag("--fail-reopen", "discovery-server: let that opening fail as well; it stops then.")
@option("--enterprise", "discovery-client: its enterprise; required.", metavar="GUID")
@option("--site", "discovery-client: its site; required.", metavar="GUID")
@option("--network networks", "discovery-client: own addresses, in order.", multiple=True, metavar="ADDRESS[/PREFIX]")
@option(
    "--broadcast", "discovery-client: 255.255.255.255, or the subnet's.", ["limited", "directed"], default="limited"
)
@option("--readings", "discovery-client: its readings where the text is ambiguous.", [*READINGS], default="undisputed")
@flag("--allow-broadcast", "discovery-client: broadcast beyond loopback and namespaces.")
def command(role: str, **options: Any) -> ExitCode:
    """Serve the reference as a peer, so that implementations and programs can be tested against it.

    \b
    stdio             an implementation, by the IUT protocol on standard input and output
    queue-manager     a test double of one machine (MS-MQSO), by the same protocol
    discovery-server  answers topology requests (MS-MQSD 3.2) until SIGINT or SIGTERM
    discovery-client  searches once (MS-MQSD 3.1), one JSON object for each event

    The same seed and requests have the same answers. Time passes by queue_manager.advance_clock alone. What the
    implementation of stdio prints goes to standard error.

    Exit code 0: ended after shutdown, end of input or a signal, or the search succeeded; 1: the socket could not be
    opened again, or the search failed; 4: wrong usage, or an address cannot be used.
    """  # noqa: D301 - click takes the backspace for a paragraph that keeps its lines
    context, served = click.get_current_context(), SERVED[role]
    takes = signature(served).parameters
    for given in context.command.params:
        if given.name not in {"role", *takes} and context.get_parameter_source(given.name or "") in _EXPLICIT_SOURCES:
            raise click.UsageError(f"{given.opts[0]} does not go with {role}")
        if given.name in NEEDS.get(role, ()) and not options[given.name]:
            raise click.UsageError(f"Missing option '{given.opts[0]}': {role} needs it")
    return served(**{name: options[name] for name in takes})
