"""``mqconform smoke``: is an implementation connected rightly? Says which field is wrong and what to do."""

import sys
from pathlib import Path

import click
from mqconform.harness.connect import open_iut
from mqconform.harness.facts import load_facts
from mqconform.harness.iut import AdapterOptions, ConfigurationError, IutFault, Unreachable
from mqconform.harness.protocol import CheckedIut, checked
from mqconform.harness.smoke import Result, faulty, smoke

GOOD, FAULT, UNREACHABLE, CONFIGURATION = 0, 1, 2, 4
EVIDENCE_SHOWN = 4_000
POSITIVE = click.FloatRange(min=0, min_open=True)


@click.command("smoke")
@click.option("--iut", "spec", default="ref:", show_default=True, metavar="KIND:ID", help="What to connect to.")
@click.option("--facts", type=click.Path(path_type=Path), help="How a server without control is configured (TOML).")
@click.option("--deadline", default=5.0, show_default=True, type=POSITIVE, help="Seconds that a call may take.")
@click.option("--reply-timeout", default=15.0, show_default=True, type=POSITIVE, help="Seconds to wait for datagrams.")
def command(spec: str, facts: Path | None, deadline: float, reply_timeout: float) -> None:
    """Check the connection to an implementation: each cheap operation once, one line per check.

    Exit status: 0 the connection is right; 1 the implementation breaks the protocol; 2 it cannot be reached;
    4 wrong usage or configuration.
    """
    try:
        known = load_facts(facts) if facts else None
        iut = checked(open_iut(spec, AdapterOptions(deadline, reply_timeout, known)))
    except ConfigurationError as problem:
        click.echo(f"smoke: {problem}", err=True)
        sys.exit(CONFIGURATION)
    except Unreachable as problem:
        click.echo(f"smoke: {problem}", err=True)
        sys.exit(UNREACHABLE)
    except IutFault as fault:
        click.echo(faulty("start", fault).line())
        sys.exit(FAULT)
    sys.exit(reported(iut))


def indented(evidence: str) -> str:
    """Return the end of a piece of evidence, control characters escaped: an implementation wrote it."""
    lines = evidence[-EVIDENCE_SHOWN:].expandtabs().split("\n")
    return "\n".join("  " + "".join(one if one.isprintable() else ascii(one)[1:-1] for one in line) for line in lines)


def reported(iut: CheckedIut) -> int:
    """Print the checks as they are made, then the evidence if one failed; return the exit status."""
    results = set()
    try:
        for check in smoke(iut):
            results.add(check.result)
            click.echo(check.line())
    finally:
        iut.close()
    if Result.FAULT in results or Result.UNREACHABLE in results:
        for seen in iut.evidence():
            click.echo(indented(seen))
    if Result.UNREACHABLE in results:
        return UNREACHABLE
    return FAULT if Result.FAULT in results else GOOD
