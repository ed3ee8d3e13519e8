"""What one Spark task does: it reads its split, judges it, and writes verdicts and sums under names of its own.

Through Spark's reader and writer, as ``judge_routes`` does it, 2 M rows with numbers take 4.0 s of processors once all
is warm, here 1.1 s (benchmarks/README.md): every row would pass through the JVM twice.
"""

import pickle
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import pyarrow as pa

from mqconform.reports.pipeline.commit import attempt_name
from mqconform.reports.pipeline.problems import UnusableInput
from mqconform.reports.pipeline.routes.enterprise import compiled_octets
from mqconform.reports.pipeline.routes.judging import judge_batch
from mqconform.reports.pipeline.routes.tallies import Tally, tally_for
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


class TaskReport(NamedTuple):
    """What one attempt of a task leaves: names in the staging folder, or why the split cannot be audited."""

    split: int
    rows: int
    verdicts: str
    tally: str
    quarantine: str
    """Empty where every line could be read."""
    bad_lines: int
    problem: str
    """Not empty if the input is at fault, which no further attempt would change."""


def audit_split(order: TaskOrder, split: Split) -> TaskReport:
    """Audit one split and return what it left in the staging folder."""
    enterprise = compiled_octets(order.enterprise.value)
    verdicts = attempt_name(split.number, ".parquet")
    tally, bad = tally_for(enterprise), list[BadLine]()
    identifiers = None if enterprise.dated else pa.array(enterprise.versions[0].oracle.identifiers, pa.string())
    try:
        with verdict_file(order.staging / verdicts, order.schema, identifiers) as writer:
            for piece in split.pieces:
                for batch in batches_of(piece, order.form, order.schema, bad):
                    judged = judge_batch(enterprise, batch)
                    writer.add(batch, judged)
                    tally.add(enterprise, batch, judged)
    except (UnusableInput, OSError) as refused:
        problem = (
            f"{order.staging.text}: cannot be written: {refused}" if isinstance(refused, OSError) else str(refused)
        )
        return TaskReport(split.number, 0, "", "", "", 0, problem)
    tallied, quarantine = attempt_name(split.number, ".tally"), attempt_name(split.number, ".ndjson") if bad else ""
    _write(order.staging / tallied, pickle.dumps(tally, protocol=pickle.HIGHEST_PROTOCOL))
    if bad:
        _write(order.staging / quarantine, "".join(f"{line.record()}\n" for line in bad).encode("utf-8"))
    return TaskReport(split.number, tally.rows, verdicts, tallied, quarantine, len(bad), "")


def read_tally(place: Place) -> Tally:
    """Return the tally that an attempt of this job wrote."""
    system, path = place.resolve()
    with system.open_input_file(path) as stream:
        tally: Any = pickle.loads(stream.read())  # noqa: S301 - written by a task of this very job
    assert isinstance(tally, Tally), "the name came from the task that wrote the file"
    return tally


def _write(place: Place, octets: bytes) -> None:
    system, path = place.resolve()
    with system.open_output_stream(path) as stream:
        stream.write(octets)
