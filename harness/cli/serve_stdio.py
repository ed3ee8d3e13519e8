"""``mqconform serve stdio``: a Python object, or the reference, as an IUT on standard input and output."""

import sys

import click

from mqconform.harness.iut import AdapterOptions, ConfigurationError, IutProblem
from mqconform.harness.peers.stdio_server import answers_apart_from_prints, serve
from mqconform.harness.running.connect import open_iut

FAULT = 1
CONFIGURATION = 4


@click.command("stdio")
@click.option("--iut", "spec", default="ref:", show_default=True, metavar="KIND:ID", help="What to serve.")
@click.option(
    "--deadline",
    default=60.0,
    show_default=True,
    type=click.FloatRange(min=0, min_open=True),
    help="Seconds that a call may take.",
)
def command(spec: str, deadline: float) -> None:
    """Serve an implementation as an IUT that speaks the IUT protocol on standard input and output.

    What the implementation prints goes to standard error. Ends with status 0 after a shutdown or the end of input.
    """
    with answers_apart_from_prints() as answers:
        try:
            iut = open_iut(spec, AdapterOptions(deadline=deadline))
        except IutProblem as problem:
            click.echo(f"serve stdio: {problem}", err=True)
            sys.exit(CONFIGURATION if isinstance(problem, ConfigurationError) else FAULT)
        try:
            serve(iut, sys.stdin.buffer, answers)
        except BrokenPipeError:
            click.echo("serve stdio: nobody reads the answers any more", err=True)
        finally:
            iut.close()
