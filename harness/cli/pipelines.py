"""What the commands that run on Spark have in common: their options, and the errors that they end with."""

from collections.abc import Iterator
from contextlib import contextmanager

import click

from mqconform.harness.cli.echo import refusals_shown
from mqconform.harness.cli.parameters import stacked
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
def on_spark() -> Iterator[None]:
    """Name the extra ``spark`` where a library is not installed, and what the pipeline refuses."""
    try:
        with refusals_shown(ModelError):
            yield
    except ImportError as absent:
        raise ConfigurationError(
            f"this needs {absent.name or absent}; run in a checkout of mqconform: pip install '.[spark]'"
        ) from absent
