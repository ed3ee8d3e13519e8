"""``mqconform serve discovery-server``: the reference on a UDP port, for clients of others to ask."""

import errno
import os
import signal
import sys
import threading
from ipaddress import ip_address
from pathlib import Path

import click

from mqconform.harness.cli.paths import FilePath
from mqconform.harness.iut.facts import load_facts
from mqconform.harness.iut.interface import ConfigurationError
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.printable import visible
from mqconform.harness.tools.serve.discovery_server import DiscoveryPeer, Faults, servable
from mqconform.reference.mqsd.specification import FACTS

LOOK_AGAIN = 0.2
"""Seconds between two looks at whether the service still runs; signals end the wait at once."""
REASONS = {
    errno.EADDRINUSE: "is in use; stop what listens there, or give another --port (0 for any)",
    errno.EACCES: "may not be opened by this user; give a --port above 1023",
    errno.EADDRNOTAVAIL: "is no address of this machine; give one of its own with --host",
}


@click.command("discovery-server")
@click.option("--facts", type=FilePath(), required=True, help="What the server is configured with (TOML).")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on; others reach no loopback.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=FACTS.udp_port, show_default=True, help="UDP port; 0 for any."
)
@click.option("--verbose", is_flag=True, help="One line for each request and each reply.")
@click.option(
    "--fail-send-every",
    type=click.IntRange(min=1),
    metavar="N",
    help="Let each Nth reply meet a network error: it is lost and the socket opened anew (MS-MQSD 3.2.5).",
)
@click.option("--fail-reopen", is_flag=True, help="Then let that opening fail as well: the server stops.")
def command(  # noqa: PLR0913 - one parameter for each documented option
    facts: Path, host: str, port: int, fail_send_every: int | None, *, verbose: bool, fail_reopen: bool
) -> None:
    """Answer topology requests as MS-MQSD 3.2 has it, until SIGINT or SIGTERM.

    Exit code 0 after a signal, 1 when the socket could not be opened again, 4 when the port cannot be opened or the
    facts are wrong.
    """
    if fail_reopen and not fail_send_every:
        raise click.UsageError("--fail-reopen takes effect after a failed send; give --fail-send-every as well")
    server_facts = load_facts(facts)
    remarkable = servable(server_facts, str(facts))
    log = Log()
    peer = DiscoveryPeer(server_facts, Faults(fail_send_every or 0, fail_reopen), log if verbose else None)
    stopping = stop_on_signals()
    own_host, own_port = listening(peer, host, port)
    if remarkable:
        click.echo(f"note: {visible(remarkable)}", err=True)
    if not ip_address(own_host.partition("%")[0]).is_loopback:
        click.echo(f"note: {own_host} is no loopback address: everyone who reaches it is answered", err=True)
    log(f"listening on {f'[{own_host}]' if ':' in own_host else own_host}:{own_port}")
    peer.begin()
    raise click.exceptions.Exit(served(peer, stopping, log))


class Log:
    """Prints lines at once, until the reader has closed the pipe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._read = True

    def __call__(self, line: str) -> None:
        """Print a line; a reader who went away does not end the service."""
        with self._lock:
            if not self._read:
                return
            try:
                click.echo(line)
            except OSError as error:
                self._read = False
                # What is left in the buffer would fail once more when Python ends.
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
                click.echo(f"note: the reader of the log is gone ({error.strerror})", err=True)


def stop_on_signals() -> threading.Event:
    """Return an event that SIGINT and SIGTERM set from now on."""
    stopping = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopping.set())
    return stopping


def listening(peer: DiscoveryPeer, host: str, port: int) -> tuple[str, int]:
    """Open the port; return the address.

    Raises:
        ConfigurationError: it cannot be opened; the message says what to change.
    """
    try:
        return peer.listen(host, port)
    except (OSError, UnicodeError) as error:
        reason = REASONS.get(error.errno or 0) if isinstance(error, OSError) else None
        explanation = reason or f"cannot be opened: {getattr(error, 'strerror', None) or error}; see --host and --port"
        raise ConfigurationError(f"{visible(host)} port {port}: {explanation}") from error


def served(peer: DiscoveryPeer, stopping: threading.Event, log: Log) -> ExitCode:
    """Wait until the service is over; print what it did and return the exit status."""
    while peer.serving and not stopping.wait(LOOK_AGAIN):
        pass
    stopped_itself = not peer.serving
    peer.stop()
    if peer.defect:
        raise peer.defect
    sent = peer.replies - peer.lost
    log(f"requests {peer.requests}, replies {sent}, lost on purpose {peer.lost}, sockets opened {peer.sockets_opened}")
    if not stopped_itself:
        return ExitCode.OK
    click.echo("the socket could not be opened again after a network error: stopped (MS-MQSD 3.2.5)", err=True)
    return ExitCode.FAIL
