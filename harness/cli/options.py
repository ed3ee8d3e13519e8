"""Options that several commands have in common: how to reach an implementation, and the consent to start commands.

A facts file, a matrix, a bundle and a saved question may come from someone else, and the commands in them run with the
rights of the user who replays them: they are shown before they are started, and started only if the user allows it.
What is typed on the command line is the user's own and is not asked about.
"""

import sys
from collections.abc import Callable, Iterable
from functools import wraps
from pathlib import Path
from typing import Any, Final

import click

from mqconform.harness.cli.echo import echo
from mqconform.harness.cli.parameters import A_DAY, FILE, Decorator, Number, option, stacked
from mqconform.harness.iut.connect import commands_of
from mqconform.harness.iut.facts import load_all_facts
from mqconform.harness.iut.interface import AdapterOptions, ConfigurationError
from mqconform.harness.iut.roles import ROLES, mutants_of
from mqconform.harness.records.printable import visible
from mqconform.harness.records.profile import Profile
from mqconform.reference.mqsd.specification import FACTS

FORMS = "ref:, mutant:NAME, api:module:callable, stdio:COMMAND, image:NAME, udp:HOST:PORT or udp:discovery-client"
NO_FACTS = ("ref:", "mutant:", "api:", "stdio:")
"""How targets begin that are not told in a file how they are configured."""

VARIABLE: Final = "MQCONFORM_ALLOW_COMMANDS"
_KEY: Final = "mqconform.allow-commands"


def _keep(ctx: click.Context, _: click.Parameter, allowed: bool) -> None:  # noqa: FBT001 - as click calls it
    ctx.meta[_KEY] = allowed


allow_commands_option = option(
    "--allow-commands",
    f"Start the commands that a file names; without it they are shown and asked about.  [env var: {VARIABLE}]",
    is_flag=True,
    envvar=VARIABLE,
    expose_value=False,
    callback=_keep,
)
reply_timeout_option = option(
    "--reply-timeout",
    "Seconds to wait for a datagram; the text gives a client 15.",
    Number(min=0.01, max=A_DAY),
    default=float(FACTS.response_timeout),
)
deadline_option = option(
    "--deadline", "Time limit in seconds for one call to the implementation.", Number(min=0.01, max=A_DAY), default=5.0
)
profile_option = option(
    "--profile",
    "How strictly to judge.",
    [profile.value for profile in Profile],
    default=Profile.DEFAULT.value,
    callback=lambda _context, _option, value: Profile.of(value),
)


def out_option(default: str, text: str = "Where the results go.") -> Decorator:
    """Return the option of the folder that a command writes."""
    return option("--out", text, FILE, default=default)


def seed_option(text: str) -> Decorator:
    """Return the option that makes a command do the same again."""
    return option("--seed", text, int, default=0)


def written_options(*formats: str) -> Decorator:
    """Return a decorator that adds --format and --out to a command that writes one document."""
    return stacked(
        click.option("--format", "form", type=click.Choice(formats), default=formats[0]),
        option("--out", "Write there instead of to the terminal.", FILE),
    )


requirements_option = option(
    "--req requirements", "Only this requirement, section or specification; repeatable.", multiple=True, metavar="ID"
)


def require_consent(file: Path, commands: Iterable[str]) -> None:
    """Show the commands that a file names, and return if the user allows them.

    Raises:
        ConfigurationError: the user does not, or there is no terminal to ask at.
    """
    named = [f"  {visible(command)}" for command in dict.fromkeys(commands)]
    if not named or click.get_current_context().meta.get(_KEY):
        return
    warning = "\n".join((f"{visible(str(file))} names commands that would run with your rights:", *named))
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise ConfigurationError(f"{warning}\nread them, then allow them with --allow-commands or {VARIABLE}=1")
    echo(warning, err=True)
    if not click.confirm("Start them?", err=True):
        raise ConfigurationError(f"{visible(str(file))}: its commands were not allowed; nothing was started")


def reaching(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add --facts, --allow-commands, --deadline and --reply-timeout; the command gets them as ``options``."""

    @wraps(function)
    def command(*, facts: Path | None, deadline: float, reply_timeout: float, **others: Any) -> Any:
        options = _options_from(facts, deadline, reply_timeout, others.get("iut") or "")
        return function(options=options, **others)

    facts_option = option("--facts", "TOML: how a udp: server is configured, or a udp: client made to search.", FILE)
    return stacked(facts_option, allow_commands_option, deadline_option, reply_timeout_option)(command)


def connection_options(default: str | None = None) -> Decorator:
    """Return a decorator that adds --iut, and the options of ``reaching``."""
    text = f"The implementation under test: {FORMS}."
    return stacked(option("--iut", text, callback=_named_mutants, default=default, metavar="KIND:ID"), reaching)


def _named_mutants(ctx: click.Context, _: click.Parameter, value: str | None) -> str | None:
    if value == "mutant:?":
        for role in ROLES.values():
            echo(f"{role.name}:\n" + "".join(f"  {mutant.name:<60} {mutant.says}\n" for mutant in mutants_of(role)))
        ctx.exit()
    return value


def _options_from(facts: Path | None, deadline: float, reply_timeout: float, iut: str) -> AdapterOptions:
    """Return the adapter options, the facts file read and checked.

    Raises:
        ConfigurationError: the facts file is missing or wrong, or its commands are not allowed; the message names the
            field, or the commands.
    """
    server, client = load_all_facts(facts) if facts else (None, None)
    if facts and iut.startswith(NO_FACTS):
        echo(f"--facts: not used, {iut.partition(':')[0]}: is configured by the harness", err=True)
    if facts:
        require_consent(facts, commands_of("", client))
    return AdapterOptions(deadline, reply_timeout, server, client)
