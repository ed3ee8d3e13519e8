"""``mqconform smoke``: is an implementation connected rightly? Names the wrong field and what to do."""

from dataclasses import replace
from pathlib import Path
from uuid import UUID, uuid4

import click

from mqconform.harness.cli.echo import echo
from mqconform.harness.cli.options import connection_options, options_from
from mqconform.harness.cli.parameters import FilePath
from mqconform.harness.iut.connect import open_iut
from mqconform.harness.iut.interface import IutFault, ServerFacts
from mqconform.harness.iut.protocol import CheckedIut, checked
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.printable import quoted_lines, visible
from mqconform.harness.run.declaration import declared_by
from mqconform.harness.tools.diagnostics.server_facts import (
    SAME_IN_BOTH_ORDERS,
    asked_once,
    differences,
    drafted,
    hidden_octet_orders,
)
from mqconform.harness.tools.diagnostics.smoke import Check, Result, faulty, smoke

EVIDENCE_SHOWN = 4_000


@click.command("smoke")
@connection_options(default="ref:")
@click.option("--write-facts", type=FilePath(), metavar="FILE", help="Only ask a udp: server once; draft its facts.")
@click.option("--enterprise", type=click.UUID, help="With --write-facts: the server's enterprise, else one is made up.")
@click.option("--check-facts", is_flag=True, help="Only ask a udp: server once; list the differences from --facts.")
def command(  # noqa: PLR0913, PLR0917 - one parameter for each option
    iut: str,
    facts: Path | None,
    deadline: float,
    reply_timeout: float,
    write_facts: Path | None,
    enterprise: UUID | None,
    *,
    check_facts: bool,
) -> ExitCode:
    """Check the connection to an implementation: each cheap operation once, one line per check.

    Where all is right, the declaration is reviewed, and what is not declared is tried once over another connection;
    what that finds is a notice. A draft of facts repeats what the server does wrong: compare it with how the server is
    configured.

    Exit status: 0 the connection is right; 1 the implementation breaks the protocol, or its reply differs from the
    facts; 2 it cannot be reached; 4 wrong usage or configuration.
    """
    if (write_facts and (check_facts or facts)) or (enterprise and not write_facts):
        raise click.UsageError("--write-facts goes with --enterprise alone, and neither with --facts nor --check-facts")
    if write_facts:
        return draft(iut, write_facts, enterprise, reply_timeout)
    options = options_from(facts, deadline, reply_timeout)
    if check_facts:
        return compare(iut, options.facts, reply_timeout)
    try:
        opened = open_iut(iut, options)
    except IutFault as fault:
        echo(faulty("start", fault).line())
        return ExitCode.FAIL
    code = reported(checked(opened))
    declaration = declared_by(iut, options) if code == ExitCode.OK else None
    for remark in declaration.remarks if declaration else ():  # of a review and of probes; none of it is a fault
        echo(Check(remark.subject, Result.NOTICE, visible(f"{remark.kind}, {remark.text}")).line())
    return code


def draft(iut: str, out: Path, enterprise: UUID | None, reply_timeout: float) -> ExitCode:
    """Write the facts that fit the reply of a server."""
    facts = drafted(iut, out, enterprise, reply_timeout)
    echo(f"{out} is drafted; compare it with the server, then: mqconform run --iut {iut} --facts {out}", err=True)
    warn_of_hidden_orders(facts if enterprise else replace(facts, enterprise=str(uuid4())))
    return ExitCode.OK


def compare(iut: str, facts: ServerFacts | None, reply_timeout: float) -> ExitCode:
    """Name each field of a server's reply that is not as its facts have it."""
    if facts is None:
        raise click.UsageError("--check-facts compares a reply with the facts of a server; give --facts FILE")
    request, reply = asked_once(iut, facts, reply_timeout)
    wrong = differences(reply, request, facts)
    for difference in wrong:
        echo(f"differs     {difference.field}: {difference.text}")
    echo(f"{len(wrong)} fields differ from the facts" if wrong else "the reply is as the facts have it")
    warn_of_hidden_orders(facts)
    return ExitCode.FAIL if wrong else ExitCode.OK


def warn_of_hidden_orders(facts: ServerFacts) -> None:
    """Name the GUIDs that cannot show whether a server swaps their octets."""
    for hidden in hidden_octet_orders(facts):
        echo(f"warning     {hidden} {SAME_IN_BOTH_ORDERS}", err=True)


def reported(iut: CheckedIut) -> ExitCode:
    """Print the checks as they are made, then the evidence if one failed; return the exit status."""
    results = set()
    try:
        for check in smoke(iut):
            results.add(check.result)
            echo(check.line())
    finally:
        iut.close()
    if Result.FAULT in results or Result.UNREACHABLE in results:
        for evidence in iut.evidence():
            echo("  " + quoted_lines(evidence[-EVIDENCE_SHOWN:].expandtabs(), "  "))
    if Result.UNREACHABLE in results:
        return ExitCode.INCONCLUSIVE
    return ExitCode.FAIL if Result.FAULT in results else ExitCode.OK
