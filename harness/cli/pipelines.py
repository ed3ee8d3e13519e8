"""What the commands that run on Spark have in common: their options, and how they meet the pipeline."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import entry_points
from typing import Any

import click

from mqconform.harness.iut import ConfigurationError
from mqconform.reference.errors import ModelError

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

GROUP = "mqconform.pipelines"
"""Entry points: the name of a pipeline, and the function that runs it."""


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


def pipeline(name: str) -> Callable[..., Any]:
    """Return the function of a pipeline.

    Raises:
        ConfigurationError: it is not there, or needs what is not installed.
    """
    found = [point for point in entry_points(group=GROUP) if point.name == name]
    if not found:
        raise ConfigurationError(f"the pipeline {name} is not installed; install mqconform anew")
    try:
        loaded: Callable[..., Any] = found[0].load()
    except ImportError as absent:
        raise ConfigurationError(
            f"this needs {absent.name or absent}; install it with: pip install 'mqconform[spark]'"
        ) from absent
    return loaded


@contextmanager
def refusals_shown() -> Iterator[None]:
    """Turn what the pipeline refuses into the error that ends a command with exit code 4."""
    try:
        yield
    except ModelError as refused:
        raise ConfigurationError(str(refused)) from refused
