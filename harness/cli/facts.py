"""``mqconform facts``: draft a facts file from what a server answers, or check one against it."""

from dataclasses import replace
from pathlib import Path
from uuid import UUID, uuid4

import click

from mqconform.harness.cli.options import reply_timeout_option
from mqconform.harness.cli.paths import FilePath
from mqconform.harness.iut.connect import open_iut
from mqconform.harness.iut.facts import load_facts
from mqconform.harness.iut.interface import (
    AdapterOptions,
    ConfigurationError,
    DatagramCarrier,
    ServerFacts,
    Unreachable,
)
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.tools.diagnostics.learned_facts import facts_in, facts_text
from mqconform.harness.tools.diagnostics.reply_check import (
    SAME_IN_BOTH_ORDERS,
    differences,
    hidden_octet_orders,
    plain_request,
)

UNKNOWN = "00000000-0000-0000-0000-000000000000"
iut_argument = click.argument("iut", metavar="udp:HOST:PORT")


@click.group()
def command() -> None:
    """Draft the facts file of a discovery server from its reply, or compare the two."""


@command.command()
@iut_argument
@click.option("--enterprise", type=click.UUID, help="GUID of the server's enterprise; a random one unless given.")
@click.option("--out", type=FilePath(), help="Write there instead of to standard output.")
@reply_timeout_option
def learn(iut: str, enterprise: UUID | None, out: Path | None, reply_timeout: float) -> None:
    """Ask a server once, and draft the facts file that fits its reply.

    A draft repeats what the server does wrong: compare it with how the server is configured.
    """
    asked = ServerFacts(str(enterprise or uuid4()), UNKNOWN, (UNKNOWN,), ())
    try:
        _, reply = asked_once(iut, asked, reply_timeout)
    except Unreachable as problem:
        if enterprise:
            raise
        raise Unreachable(f"{problem}; it may answer its own enterprise alone: give --enterprise GUID") from problem
    facts = facts_in(reply, asked.enterprise)
    text = "".join(f"{line}\n" for line in facts_text(facts, asked=enterprise is None))
    if out:
        _write(out, text)
        click.echo(
            f"{out} is drafted; compare it with the server, then: mqconform run --iut {iut} --facts {out}", err=True
        )
    else:
        click.echo(text, nl=False)
    warn_of_hidden_orders(facts if enterprise else replace(facts, enterprise=str(uuid4())))


@command.command()
@iut_argument
@click.option("--facts", type=FilePath(), required=True, help="The facts file, TOML.")
@reply_timeout_option
@click.pass_context
def check(ctx: click.Context, iut: str, facts: Path, reply_timeout: float) -> None:
    """Ask a server once, and name each field of the reply that is not as the facts have it.

    Exit status: 0 the reply fits; 1 it does not; 2 the server does not answer; 4 wrong usage or configuration.
    """
    stated = load_facts(facts)
    request, reply = asked_once(iut, stated, reply_timeout)
    wrong = differences(reply, request, stated)
    for difference in wrong:
        click.echo(f"differs     {difference.field}: {difference.text}")
    click.echo(f"{facts}: " + (f"{len(wrong)} fields differ" if wrong else "the reply is as the facts have it"))
    warn_of_hidden_orders(stated)
    ctx.exit(ExitCode.FAIL if wrong else ExitCode.OK)


def asked_once(iut: str, facts: ServerFacts, reply_timeout: float) -> tuple[bytes, bytes]:
    """Return a request and the reply to it.

    Raises:
        ConfigurationError: no server that is reached by datagrams is named.
        Unreachable: no reply came.
    """
    if not iut.startswith("udp:"):
        raise ConfigurationError(f"{iut}: facts are for servers that are reached as udp:HOST:PORT")
    opened = open_iut(iut, AdapterOptions(reply_timeout=reply_timeout, facts=facts))
    try:
        if not isinstance(opened, DatagramCarrier):
            raise ConfigurationError(f"{iut}: facts are for servers that are reached as udp:HOST:PORT")
        request = plain_request(facts, 0)
        got = opened.exchange((request,), plain_request(facts, 1), expected=1)
    finally:
        opened.close()
    if not got.replies:
        raise Unreachable(f"{iut}: no reply within {reply_timeout:g} s; see that the server runs and listens there")
    return request, got.replies[0].octets


def warn_of_hidden_orders(facts: ServerFacts) -> None:
    """Name the GUIDs that cannot show whether a server swaps their octets."""
    for hidden in hidden_octet_orders(facts):
        click.echo(f"warning     {hidden} {SAME_IN_BOTH_ORDERS}", err=True)


def _write(out: Path, text: str) -> None:
    try:
        with out.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError as exists:
        raise ConfigurationError(f"--out {out}: is there already; name another file, or remove it") from exists
    except OSError as error:
        raise ConfigurationError(f"--out {out}: {error.strerror}; name a file that can be written") from error
