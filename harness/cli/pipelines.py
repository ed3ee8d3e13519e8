"""What the commands that run on Spark have in common: their options, and the errors that they end with."""

from collections.abc import Iterator
from contextlib import contextmanager

import click

from mqconform.harness.cli.stacked import stacked
from mqconform.harness.iut.interface import ConfigurationError
from mqconform.reference.errors import ModelError

spark_options = stacked(
    click.option(
        "--master",
        metavar="URL",
        help="Master of Spark, such as spark://HOST:7077 or yarn; by default all cores of this machine.",
    ),
    click.option("--conf", metavar="KEY=VALUE", multiple=True, help="Configuration of Spark; repeatable."),
)
"""The parameters are ``master`` and ``conf``."""


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
