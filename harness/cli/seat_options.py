"""The option ``--seat``: who takes which seat of the built-in system of queue managers."""

from collections.abc import Iterable, Mapping

import click

from mqconform.harness.cli.options import FORMS
from mqconform.harness.iut.interface import ConfigurationError
from mqconform.harness.iut.seats.hooks_of_seats import SEATS
from mqconform.harness.records.printable import visible

seat_option = click.option(
    "--seat",
    "seats",
    multiple=True,
    metavar="SEAT=KIND:ID",
    help=f"Who takes a seat of the built-in queue managers, {', '.join(SEATS)}: {FORMS}; repeatable.",
)


def seats_of(texts: Iterable[str]) -> dict[str, str]:
    """Return seat -> ``KIND:ID``.

    Raises:
        ConfigurationError: naming the option that is wrong and what is expected.
    """
    specs: dict[str, str] = {}
    for text in texts:
        seat, equals, spec = text.partition("=")
        if seat not in SEATS or not equals or not spec:
            raise ConfigurationError(f"--seat {text}: expected SEAT=KIND:ID; the seats are {', '.join(SEATS)}")
        if seat in specs:
            raise ConfigurationError(f"--seat {text}: the {seat} is named twice; give each seat once")
        specs[seat] = spec
    return specs


def seat_words(seats: Iterable[str], specs: Mapping[str, str]) -> str:
    """Return seats with what takes them, as a list in words."""
    return " and ".join(f"the {seat} {visible(specs[seat])}" for seat in seats)
