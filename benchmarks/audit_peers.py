"""Other ways to audit decisions: one pyarrow process, joins in polars and duckdb, the readable model row by row.

Each reads the Parquet file, judges every row and writes rows and verdicts as Parquet. What the joins need of the
enterprise is worked out beforehand and not measured; they know the branches that these decisions take and no more.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from next_hop_tables import members_of

from mqconform.reference.directory import Directory, DirectoryView, QueueManagerId
from mqconform.reference.mqbr.bulk_arrays import GATE, OUT_LIST, ROUTER, enterprise_arrays
from mqconform.reference.mqbr.bulk_tables import allowed_table
from mqconform.reference.mqbr.clock import initialize
from mqconform.reference.mqbr.decision import decide_next_hops
from mqconform.reference.mqbr.next_hops_judgement import judge_next_hops
from mqconform.reports.pipeline.routes.enterprise import CompiledEnterprise
from mqconform.reports.pipeline.routes.judging import added_columns, judge_batch

Auditor = Callable[[Path, Path], object]


def one_process(enterprise: CompiledEnterprise) -> Auditor:
    """Return the same oracle called from one pyarrow process, which may use all cores for reading and writing."""

    def audit(file: Path, out: Path) -> None:
        held = pq.ParquetFile(file)
        added = [pa.field(name, pa.string()) for name in ("verdict", "rule", "requirement")]
        with pq.ParquetWriter(out, pa.schema([*held.schema_arrow, *added])) as writer:
            for group in range(held.num_row_groups):
                table = held.read_row_group(group).combine_chunks()
                judged = judge_batch(enterprise, table.to_batches()[0])
                for field, column in zip(added, added_columns(judged.verdict, judged.rule), strict=True):
                    table = table.append_column(field, column.cast(pa.string()))
                writer.write_table(table)

    return audit


class JoinTables:
    """What joins need: each machine, and each next site that is allowed from gate to destination.

    Attributes:
        machines: ``machine`` (as the decisions name it), ``site``, ``kind`` and ``out``, the machine of its Out list.
        allowed: ``root``, ``target`` and ``next_site``.
    """

    def __init__(self, directory: Directory, names: pa.Array) -> None:
        arrays = enterprise_arrays(directory)
        packed = arrays.machines.packed
        out = arrays.machines.out_servers
        listed = np.where((packed & OUT_LIST) != 0, out.values[np.minimum(out.offsets[:-1], len(out.values) - 1)], -1)
        kind = np.where(packed & GATE, 2, np.where(packed & ROUTER, 1, 0)).astype(np.int8)
        self.machines = pa.table(
            {
                "machine": names,
                "site": ((packed >> 16) & 0xFFFFFF).astype(np.int32),
                "kind": kind,
                "out": names.take(pa.array(listed, mask=listed < 0)),
            }
        )
        rows = []
        for root in range(arrays.graph.sites):
            row = allowed_table(arrays.graph, root)
            for target in range(arrays.graph.sites):
                nexts = members_of(arrays.graph, root, row, target).tolist() or [-1]
                rows += [(root, target, one) for one in nexts]
        held = np.array(rows, dtype=np.int32)
        self.allowed = pa.table({"root": held[:, 0], "target": held[:, 1], "next_site": held[:, 2]})


JOINS = """
copy (
  select d.*, case
    when s.out is not null then if(d.next_hops = s.out, 'pass', 'fail')
    when s.kind < 2 then if(h.kind > 0 and h.site = s.site, 'pass', 'fail')
    else if(a.next_site is not null and h.kind = 2, 'pass', 'fail') end as verdict
  from read_parquet('{file}') d
  join machines s on d.source = s.machine
  join machines t on d.destination = t.machine
  left join machines h on d.next_hops = h.machine
  left join allowed a on a.root = s.site and a.target = t.site and a.next_site = h.site
) to '{out}' (format parquet)
"""


def with_duckdb(tables: JoinTables) -> Auditor:
    """Return four joins in duckdb, on all cores."""
    import duckdb  # noqa: PLC0415 - missing peers are named, not fatal

    connection = duckdb.connect()
    connection.register("machines_of_arrow", tables.machines)
    connection.register("allowed_of_arrow", tables.allowed)
    connection.execute("create table machines as from machines_of_arrow; create table allowed as from allowed_of_arrow")
    return lambda file, out: connection.execute(JOINS.format(file=file, out=out))


def with_polars(tables: JoinTables) -> Auditor:
    """Return the same joins in polars, streaming, on all cores."""
    import polars as pl  # noqa: PLC0415

    machines: Any = pl.from_arrow(tables.machines)
    allowed: Any = pl.from_arrow(tables.allowed)

    def side(of: str) -> Any:
        return machines.rename({name: f"{of}_{name}" for name in machines.columns}).lazy()

    def audit(file: Path, out: Path) -> None:
        verdict = (
            pl.when(pl.col("s_out").is_not_null())
            .then(pl.col("next_hops") == pl.col("s_out"))
            .when(pl.col("s_kind") < 2)
            .then((pl.col("h_kind") > 0) & (pl.col("h_site") == pl.col("s_site")))
            .otherwise(pl.col("found").is_not_null() & (pl.col("h_kind") == 2))
        )
        frame = (
            pl.scan_parquet(file)
            .join(side("s"), left_on="source", right_on="s_machine", maintain_order="none")
            .join(side("t"), left_on="destination", right_on="t_machine", maintain_order="none")
            .join(side("h"), left_on="next_hops", right_on="h_machine", how="left", maintain_order="none")
            .join(
                allowed.lazy().with_columns(found=pl.lit(1)),
                left_on=["s_site", "t_site", "h_site"],
                right_on=["root", "target", "next_site"],
                how="left",
                maintain_order="none",
            )
        )
        said = pl.when(verdict).then(pl.lit("pass")).otherwise(pl.lit("fail")).alias("verdict")
        frame.select("source", "destination", "next_hops", said).sink_parquet(out)

    return audit


def with_readable_model(directory: Directory, rows: int) -> Auditor:
    """Return the readable model on the first rows of a file; what it takes for all has to be extrapolated."""
    identifiers = [one.identifier for one in directory.queue_managers]
    view = DirectoryView(directory)

    def audit(file: Path, out: Path) -> None:
        held = next(pq.ParquetFile(file).iter_batches(rows)).to_pylist()
        for row in held:
            source, destination, hop = (
                _identifier(identifiers, row[name]) for name in ("source", "destination", "next_hops")
            )
            decision = decide_next_hops(initialize(view, QueueManagerId(source)), QueueManagerId(destination))
            row["verdict"] = judge_next_hops(decision, [hop]).outcome
        pq.write_table(pa.Table.from_pylist(held), out)

    return audit


def _identifier(identifiers: list[QueueManagerId], value: Any) -> str:
    if isinstance(value, int):
        return identifiers[value]
    if isinstance(value, bytes):
        text = value.hex()
        return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"
    return str(value)


def failures(file: Path) -> int:
    """Return how many rows a file, or a folder of files, says fail."""
    column = pq.read_table(file, columns=["verdict"]).column("verdict")
    return int(pa.compute.sum(pa.compute.equal(column.cast(pa.string()), "fail")).as_py())
