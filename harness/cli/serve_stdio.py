"""``mqconform serve stdio``: a Python object, or the reference, as an IUT on standard input and output."""

import sys

import click

from mqconform.harness.cli.numbers import A_DAY, Number
from mqconform.harness.iut.connect import open_iut
from mqconform.harness.iut.interface import AdapterOptions, ConfigurationError, IutProblem
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.tools.serve.stdio_server import answers_apart_from_prints, serve


@click.command("stdio")
@click.option("--iut", "spec", default="ref:", show_default=True, metavar="KIND:ID", help="What to serve.")
@click.option(
    "--deadline",
    default=60.0,
    show_default=True,
    type=Number(min=0, max=A_DAY, min_open=True),
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
            code = ExitCode.USAGE if isinstance(problem, ConfigurationError) else ExitCode.FAIL
            raise click.exceptions.Exit(code) from problem
        try:
            serve(iut, sys.stdin.buffer, answers)
        except BrokenPipeError:
            click.echo("serve stdio: nobody reads the answers any more", err=True)
        finally:
            iut.close()
