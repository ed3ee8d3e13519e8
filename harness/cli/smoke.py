"""``mqconform smoke``: is an implementation connected rightly? Says which field is wrong and what to do."""

from pathlib import Path

import click

from mqconform.harness.cli.options import connection_options, options_from
from mqconform.harness.iut.connect import open_iut
from mqconform.harness.iut.interface import AdapterOptions, IutFault
from mqconform.harness.iut.protocol import CheckedIut, checked
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.printable import visible
from mqconform.harness.run.declaration.assembly import declared_by
from mqconform.harness.tools.diagnostics.smoke import Check, Result, faulty, smoke

EVIDENCE_SHOWN = 4_000


@click.command("smoke")
@connection_options(default="ref:")
def command(iut: str, facts: Path | None, deadline: float, reply_timeout: float) -> None:
    """Check the connection to an implementation: each cheap operation once, one line per check.

    Where all is right, the declaration is reviewed, and what is not declared is tried once over another connection;
    what that finds is a notice.

    Exit status: 0 the connection is right; 1 the implementation breaks the protocol; 2 it cannot be reached;
    4 wrong usage or configuration.
    """
    options = options_from(facts, deadline, reply_timeout)
    try:
        opened = open_iut(iut, options)
    except IutFault as fault:
        click.echo(faulty("start", fault).line())
        raise click.exceptions.Exit(ExitCode.FAIL) from fault
    code = reported(checked(opened))
    if code == ExitCode.OK:
        print_remarks(iut, options)
    raise click.exceptions.Exit(code)


def print_remarks(target: str, options: AdapterOptions) -> None:
    """Print what a review of the declaration says, and probes over another connection; none of it is a fault."""
    declaration = declared_by(target, options)
    for remark in declaration.remarks if declaration else ():
        click.echo(Check(remark.subject, Result.NOTICE, visible(f"{remark.kind}, {remark.text}")).line())


def indented(evidence: str) -> str:
    """Return the end of a piece of evidence, control characters escaped: an implementation wrote it."""
    lines = evidence[-EVIDENCE_SHOWN:].expandtabs().split("\n")
    return "\n".join(
        "  " + "".join(character if character.isprintable() else ascii(character)[1:-1] for character in line)
        for line in lines
    )


def reported(iut: CheckedIut) -> ExitCode:
    """Print the checks as they are made, then the evidence if one failed; return the exit status."""
    results = set()
    try:
        for check in smoke(iut):
            results.add(check.result)
            click.echo(check.line())
    finally:
        iut.close()
    if Result.FAULT in results or Result.UNREACHABLE in results:
        for evidence in iut.evidence():
            click.echo(indented(evidence))
    if Result.UNREACHABLE in results:
        return ExitCode.INCONCLUSIVE
    return ExitCode.FAIL if Result.FAULT in results else ExitCode.OK
