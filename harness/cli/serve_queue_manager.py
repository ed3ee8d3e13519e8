"""``mqconform serve queue-manager``: the reference queue manager, for programs that use message queues to be tested."""

import sys

import click

from mqconform.harness.tools.serve.queue_manager import QueueManagerPeer
from mqconform.harness.tools.serve.stdio_server import answers_apart_from_prints, serve


@click.command("queue-manager")
@click.option(
    "--least-convenient",
    is_flag=True,
    help="Do what programs are least prepared for, wherever the text and the register allow several outcomes.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    metavar="N",
    help="Draw the outcomes that may differ each time by this number; with --least-convenient.  [default: 0]",
)
def command(*, least_convenient: bool, seed: int | None) -> None:
    """Be a queue manager of one machine (MS-MQSO) on standard input and output: a test double.

    Takes one JSON-RPC request a line: the operations queue_manager.* of the IUT protocol, from queue_manager.configure
    on. Nothing is on a disk or a network, and time passes by queue_manager.advance_clock alone, so that expiry,
    restarts and full stores are tried in a moment.

    With --least-convenient sends succeed whose message is refused later, purges spare what a transaction has received,
    an expired message stays until its queue is looked at, another reader than the first gets the message: a program
    that works with this one relies on nothing that another queue manager need not do. The same seed and the same
    requests have the same answers.

    Ends with exit code 0 after a shutdown or the end of input.
    """
    if seed is not None and not least_convenient:
        raise click.UsageError("--seed draws the least convenient outcomes; give --least-convenient as well")
    peer = QueueManagerPeer((seed or 0) if least_convenient else None)
    with answers_apart_from_prints() as answers:
        try:
            serve(peer, sys.stdin.buffer, answers)
        except BrokenPipeError:
            click.echo("serve queue-manager: nobody reads the answers any more", err=True)
