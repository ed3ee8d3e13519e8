"""Options that several commands have in common: how to reach an implementation."""

from collections.abc import Callable
from pathlib import Path

import click

from mqconform.harness.facts import load_facts
from mqconform.harness.iut import AdapterOptions

FORMS = "ref:, mutant:NAME, api:module:callable, stdio:COMMAND or udp:HOST:PORT"


def connection_options(default: str | None = None) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return a decorator that adds --iut, --facts, --deadline and --reply-timeout."""

    def add(function: Callable[..., None]) -> Callable[..., None]:
        for option in (
            click.option(
                "--reply-timeout",
                type=click.FloatRange(min=0.01),
                default=15.0,
                show_default=True,
                help="Seconds to wait for a datagram; the text gives a client 15.",
            ),
            click.option(
                "--deadline",
                type=click.FloatRange(min=0.01),
                default=5.0,
                show_default=True,
                help="Seconds that one call to the implementation may take.",
            ),
            click.option(
                "--facts", type=click.Path(path_type=Path), help="TOML: what a udp: server is configured with."
            ),
            click.option(
                "--iut",
                default=default,
                required=default is None,
                show_default=True,
                metavar="KIND:ID",
                help=f"The implementation under test: {FORMS}.",
            ),
        ):
            function = option(function)
        return function

    return add


def options_from(facts: Path | None, deadline: float, reply_timeout: float) -> AdapterOptions:
    """Return the adapter options, the facts file read and checked.

    Raises:
        ConfigurationError: the facts file is missing or wrong; the message names the field.
    """
    return AdapterOptions(deadline, reply_timeout, load_facts(facts) if facts else None)
