"""What the commands that run on Spark have in common: their options, and the errors that they end with."""

from collections.abc import Iterator
from contextlib import contextmanager

from mqconform.harness.cli.echo import needing, refusals_shown
from mqconform.harness.cli.parameters import option, stacked
from mqconform.reference.errors import ModelError

spark_options = stacked(
    option("--master", "Master of Spark, such as spark://HOST:7077 or yarn; by default this machine.", metavar="URL"),
    option("--conf", "Configuration of Spark; repeatable.", metavar="KEY=VALUE", multiple=True),
)
"""The parameters are ``master`` and ``conf``."""


@contextmanager
def on_spark() -> Iterator[None]:
    """Name the extra ``spark`` where a library is not installed, and what the pipeline refuses."""
    with needing("spark"), refusals_shown(ModelError):
        yield
