"""``mqconform vectors``: questions and packets with what they deserve, to test against offline in any language."""

from pathlib import Path

import click

from mqconform.harness.cli.echo import echo
from mqconform.harness.cli.parameters import FilePath, UsualFirst, option
from mqconform.harness.cli.pipelines import on_spark, spark_options
from mqconform.harness.records.profile import Profile
from mqconform.harness.suite.ambiguity import load_register
from mqconform.reference.mqsd.audit.wire_rules import WIRE_RULES

MOST_VECTORS = 10**9


@click.command("vectors", cls=UsualFirst, rare="pairs sites")
@option("--out", "New folder for the vectors, shared by all machines.", FilePath(file_okay=False), required=True)
@option(
    "--enterprises", "How many enterprises to generate.", click.IntRange(0, MOST_VECTORS), required=True, metavar="N"
)
@option("--pairs", "Questions for each enterprise.", click.IntRange(1, 10_000), default=20)
@option("--sites", "Sites of the largest enterprises.", click.IntRange(2, 100), default=8)
@option("--packets", "How many packets to generate.", click.IntRange(0, MOST_VECTORS), default=1000)
@option("--seed", "The same seed gives the same vectors anywhere.", int, default=0)
@spark_options
def command(out: Path, master: str | None, conf: tuple[str, ...], **numbers: int) -> None:
    """Generate test vectors: routing questions with all allowed answers, packets with their verdicts.

    They come as Parquet and as JSON Lines; docs/vectors.md tells how to compare an implementation with them.
    """
    readings = {rule.reading for rule in WIRE_RULES if rule.reading}
    weights = load_register().words_of(readings, Profile.DEFAULT)
    with on_spark():
        from mqconform.reports.pipeline.vectors import run  # noqa: PLC0415 - loads the libraries of the extra

        manifest = run(master, conf, str(out), numbers, weights)
    counts = ", ".join(f"{manifest['rows'][what]} {what}" for what in ("enterprises", "decisions", "packets"))
    echo(f"{counts} (seed {numbers['seed']}) in {out}")
