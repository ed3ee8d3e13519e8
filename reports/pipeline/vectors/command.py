"""The pipeline behind ``mqconform vectors``."""

import errno
import json
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from mqconform.reports.pipeline.commit import new_output
from mqconform.reports.pipeline.problems import UnusableInput
from mqconform.reports.pipeline.session import SessionSettings, settings_of, spark_session
from mqconform.reports.pipeline.storage import place_of
from mqconform.reports.pipeline.vectors.generation import FORMATS, generated
from mqconform.reports.pipeline.watching import watched
from mqconform.reports.vectors.plan import Plan

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

MANIFEST: Final = "vectors.json"
FORMAT: Final = 1
MOST_TASKS: Final = 4_096
FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})
"""What the system says where the folder was right and cannot take any more."""


def run(
    master: str | None, conf: tuple[str, ...], out: Path, numbers: Mapping[str, int], weights: Mapping[str, str]
) -> dict[str, Any]:
    """Write vectors as the command line asks for them and return their manifest; see ``generate``.

    Args:
        master: Spark's master, None for all cores of this machine.
        conf: entries ``KEY=VALUE`` of Spark's configuration.
        out: where to.
        numbers: the numbers of the plan by name.
        weights: verdict on each reading that packets may rest on.
    """
    return generate(settings_of(master, conf), Plan(**numbers, weights=dict(weights)), out)


def generate(settings: SessionSettings, plan: Plan, out: Path) -> dict[str, Any]:
    """Write the vectors of a plan and return their manifest.

    Args:
        settings: the Spark session.
        plan: what to generate.
        out: a new or empty folder; on a cluster, one that all machines share under this name.

    Raises:
        UnusableInput: the folder is not empty, cannot be written, or is another one for the executors.
        NoSpark: Spark does not start.
    """
    with new_output(place_of(str(out))) as attempts:
        staged, place = Path(attempts.text), Path(place_of(str(out)).text)
        with spark_session(settings, "mqconform vectors") as spark, watched(spark, "generating vectors"):
            partitions = max(1, min(plan.chunks, MOST_TASKS))
            chunks = spark.range(0, plan.chunks, 1, partitions).withColumnRenamed("id", "chunk")
            files = collected(generated(chunks, plan, str(staged)), out)
        files.sort(key=lambda row: row["file"])
        check_seen(staged, files)
        manifest = manifest_of(plan, files)
        (staged / MANIFEST).write_text(json.dumps(manifest, indent=1, sort_keys=True) + "\n", encoding="ascii")
        for name in (*FORMATS, MANIFEST):  # the manifest says that the rest is whole
            if (staged / name).exists():
                (staged / name).rename(place / name)
    return manifest


def collected(files: "DataFrame", out: Path) -> list[dict[str, Any]]:
    """Return the rows of ``FILES``, which writes the files.

    Raises:
        UnusableInput: an executor cannot write into the folder.
        OSError: the disk is full or broken.
    """
    from mqconform.reports.pipeline.failed_jobs import JOB_FAILURES, system_error  # noqa: PLC0415 - needs Spark

    try:
        return [row.asDict() for row in files.collect()]
    except JOB_FAILURES as error:
        refused = system_error(error)
        if refused is None:
            raise
        if refused.errno in FULL:
            raise refused from error
        raise UnusableInput(f"--out {out}: an executor cannot write there ({refused}); name another folder") from error


def check_seen(out: Path, files: list[dict[str, Any]]) -> None:
    """Refuse a folder in which what the executors wrote is not there.

    Raises:
        UnusableInput: naming the first file that is missing or another.
    """
    for row in files:
        file = out / row["file"]
        if not file.is_file() or file.stat().st_size != row["octets"]:
            raise UnusableInput(
                f"--out {out}: executors wrote {row['file']}, and it is not here; name a folder that all machines share"
            )


def manifest_of(plan: Plan, files: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the manifest of a plan and the files that hold it."""
    return {
        "format": FORMAT,
        "harness": f"mqconform {version('mqconform')}",
        "profile": "default",
        "seed": plan.seed,
        "enterprises": plan.enterprises,
        "pairs": plan.pairs,
        "sites": plan.sites,
        "packets": plan.packets,
        "rows": {table: _rows(files, table) for table in ("enterprises", "decisions", "packets")},
        "files": files,
    }


def _rows(files: list[dict[str, Any]], table: str) -> int:
    return sum(row["rows"] for row in files if row["table"] == table and row["format"] == "jsonl")
