"""What the commands that run on Spark have in common: their options, and the errors that they end with."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from mqconform.harness.iut.interface import ConfigurationError
from mqconform.reference.errors import ModelError

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def spark_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--master`` and ``--conf`` to a command; the parameters are ``master`` and ``conf``."""
    options: tuple[Decorator, ...] = (
        click.option(
            "--conf", metavar="KEY=VALUE", multiple=True, help="Configuration of Spark; as often as there is any."
        ),
        click.option(
            "--master",
            metavar="URL",
            help="Master of Spark, such as spark://HOST:7077 or yarn; by default all cores of this machine.",
        ),
    )
    for option in options:
        function = option(function)
    return function


@contextmanager
def spark_extra() -> Iterator[None]:
    """Name the extra ``spark`` where what is imported here needs a library that is not installed."""
    try:
        yield
    except ImportError as absent:
        raise ConfigurationError(
            f"this needs {absent.name or absent}; run in a checkout of mqconform: pip install '.[spark]'"
        ) from absent


@contextmanager
def refusals_shown() -> Iterator[None]:
    """Turn what the pipeline refuses into the error that ends a command with exit code 4."""
    try:
        yield
    except ModelError as refused:
        raise ConfigurationError(str(refused)) from refused
