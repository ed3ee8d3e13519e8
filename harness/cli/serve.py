"""``mqconform serve``: the reference, or any implementation, as a peer for the tests of others."""

import click

from mqconform.harness.cli.serve_discovery_client import command as discovery_client
from mqconform.harness.cli.serve_discovery_server import command as discovery_server
from mqconform.harness.cli.serve_queue_manager import command as queue_manager
from mqconform.harness.cli.serve_stdio import command as stdio


@click.group("serve")
def command() -> None:
    """Serve the reference as a peer, so that implementations can be tested against it."""


command.add_command(discovery_client)
command.add_command(discovery_server)
command.add_command(queue_manager)
command.add_command(stdio)
