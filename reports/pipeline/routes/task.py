"""What one Spark task does: it reads its split, judges it, and writes verdicts and counts under names of its own.

Executors import this module and what it needs, and nothing of what the driver makes of their work.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import pyarrow as pa

from mqconform.reports.pipeline.commit import attempt_name, write_sums, write_text
from mqconform.reports.pipeline.problems import UnusableInput
from mqconform.reports.pipeline.routes.counts import counts_for
from mqconform.reports.pipeline.routes.enterprise import compiled_octets
from mqconform.reports.pipeline.routes.judging import judge_batch
from mqconform.reports.pipeline.routes.writing import verdict_file
from mqconform.reports.pipeline.row_files.reading import BadLine, batches_of
from mqconform.reports.pipeline.row_files.splits import Split
from mqconform.reports.pipeline.storage import Place

if TYPE_CHECKING:
    from pyspark import Broadcast


@dataclass(frozen=True)
class TaskOrder:
    """What every task of a job needs to know, apart from its split."""

    form: str
    schema: pa.Schema
    staging: Place
    enterprise: "Broadcast[bytes]"
    """What ``Enterprise.packed`` gives."""


class Attempt(NamedTuple):
    """What one attempt of a task leaves: names in the staging folder, or why the split cannot be audited."""

    split: int
    verdicts: str = ""
    counts: str = ""
    quarantine: str = ""
    """Empty where every line could be read."""
    bad_lines: int = 0
    problem: str = ""
    """Not empty if the input is at fault, which no further attempt would change."""


def audit_split(order: TaskOrder, split: Split) -> Attempt:
    """Audit one split, in a task, and return what was left in the staging folder."""
    enterprise = compiled_octets(order.enterprise.value)
    counts, bad = counts_for(enterprise), list[BadLine]()
    identifiers = None if enterprise.dated else pa.array(enterprise.versions[0].oracle.identifiers, pa.string())
    names = [attempt_name(split.number, suffix) for suffix in (".parquet", ".counts", ".ndjson")]
    try:
        with verdict_file(order.staging / names[0], order.schema, identifiers) as writer:
            for piece in split.pieces:
                for batch in batches_of(piece, order.form, order.schema, bad):
                    judged = judge_batch(enterprise, batch)
                    writer.add(batch, judged)
                    counts.add(enterprise, batch, judged, split.number)
    except UnusableInput as refused:
        return Attempt(split.number, problem=str(refused))
    except OSError as refused:
        return Attempt(split.number, problem=f"{order.staging.text}: cannot be written: {refused}")
    write_sums(order.staging / names[1], counts)
    if bad:
        write_text(order.staging / names[2], "".join(f"{line.record()}\n" for line in bad))
    return Attempt(split.number, names[0], names[1], names[2] if bad else "", len(bad))
