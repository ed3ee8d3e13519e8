"""``mqconform smoke``: is an implementation connected rightly? Names the wrong field and what to do."""

from dataclasses import replace
from pathlib import Path
from uuid import UUID, uuid4

import click

from mqconform.harness.cli.echo import echo, say, say_apart
from mqconform.harness.cli.options import connection_options
from mqconform.harness.cli.parameters import FILE, UsualFirst, flag, option
from mqconform.harness.iut.connect import open_iut
from mqconform.harness.iut.interface import AdapterOptions
from mqconform.harness.iut.protocol import checked
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.printable import visible
from mqconform.harness.run.declaration import declared_by
from mqconform.harness.tools.diagnostics.server_facts import differing_lines, drafted, warn_of_hidden_orders
from mqconform.harness.tools.diagnostics.smoke import Check, Result, checked_connection

EVIDENCE_SHOWN = 4_000


@click.command("smoke", cls=UsualFirst, rare="allow_commands enterprise")
@connection_options(default="ref:")
@option("--write-facts", "Only ask a udp: server once; draft its facts.", FILE, metavar="FILE")
@option("--enterprise", "With --write-facts: the server's enterprise, else one is made up.", click.UUID)
@flag("--check-facts", "Only ask a udp: server once; list the differences from --facts.")
def command(
    *, iut: str, options: AdapterOptions, write_facts: Path | None, enterprise: UUID | None, check_facts: bool
) -> ExitCode:
    """Check the connection to an implementation: each cheap operation once, one line per check.

    Where all is right, the declaration is reviewed, and what is not declared is tried once: notices. A draft of facts
    repeats what the server does wrong: compare it with how the server is configured.

    Exit status: 0 the connection is right; 1 the implementation breaks the protocol, or its reply differs from the
    facts; 2 it cannot be reached; 4 wrong usage or configuration.
    """
    if (write_facts and (check_facts or options.facts or options.client)) or (enterprise and not write_facts):
        raise click.UsageError("--write-facts goes with --enterprise alone, and neither with --facts nor --check-facts")
    if write_facts:
        facts = drafted(iut, write_facts, enterprise, options.reply_timeout)
        then = f"compare it with the server, then: mqconform run --iut {iut} --facts {write_facts}"
        say_apart(f"{write_facts} is drafted; {then}")
        warn_of_hidden_orders(facts if enterprise else replace(facts, enterprise=str(uuid4())), say_apart)
        return ExitCode.OK
    if check_facts:
        if options.facts is None:
            raise click.UsageError("--check-facts compares a reply with the facts of a server; give --facts FILE")
        wrong = [*differing_lines(iut, options.facts, options.reply_timeout)]
        say((*wrong, f"{len(wrong)} fields differ from the facts" if wrong else "the reply is as the facts have it"))
        warn_of_hidden_orders(options.facts, say_apart)
        return ExitCode.FAIL if wrong else ExitCode.OK
    code = checked_connection(lambda: checked(open_iut(iut, options)), echo)
    declaration = declared_by(iut, options) if code == ExitCode.OK else None
    for remark in declaration.remarks if declaration else ():  # of a review and of probes; none of it is a fault
        echo(Check(remark.subject, Result.NOTICE, visible(f"{remark.kind}, {remark.text}")).line())
    return code
