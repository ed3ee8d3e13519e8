"""What one task writes into the staging folder, each file made when there is something to write."""

from contextlib import ExitStack
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from mqconform.reports.pipeline.captures.bulk_addresses import AddressBook
from mqconform.reports.pipeline.captures.columns import HOSTS, PACKETS, QUARANTINE, with_texts
from mqconform.reports.pipeline.captures.exchange import ExchangeWriter
from mqconform.reports.pipeline.captures.fragments import FragmentWriter
from mqconform.reports.pipeline.captures.settings import AuditSettings
from mqconform.reports.pipeline.commit import attempt_name
from mqconform.reports.pipeline.storage import Place

ROWS_TOGETHER: Final = 2**19
"""Packets that are gathered before a row group is written."""
MOST_QUARANTINED: Final = 100_000
"""Rows of quarantine that are held before they are written."""

_CODED: Final = [field.name for field in PACKETS if pa.types.is_dictionary(field.type)]
_PARQUET: Final[dict[str, Any]] = {
    "use_dictionary": [*_CODED, "source_port", "destination_port", "length", "rules"],
    "compression": {name: "none" if name == "id" else "lz4" for name in PACKETS.names},  # identifiers are random
    "write_statistics": [name for name in PACKETS.names if name not in {"id", "site", *HOSTS}],  # tell no range
    "column_encoding": dict.fromkeys(("frame", "offset", "time"), "DELTA_BINARY_PACKED"),
}

Quarantined = tuple[str, int, int, int | None, str]


class Outputs:
    """The files of one attempt of a task."""

    def __init__(self, settings: AuditSettings, number: int, open_files: ExitStack) -> None:
        self._staging, self._number = settings.staging, number
        self.names = {"packets": "", "quarantine": "", "fragments": ""}
        """Names in the staging folder, empty for what there is none of."""
        self._writers: dict[str, Any] = {}
        self.book = AddressBook()
        """Hosts of the packets that were not written yet."""
        self._files: dict[str, int] = {}
        self._packets: list[pa.RecordBatch] = []
        self._quarantined: list[Quarantined] = []
        self.exchange = ExchangeWriter(settings.staging / attempt_name(number, ".arrow"), settings.buckets)
        open_files.callback(self.exchange.close)

    def file_number(self, name: str) -> int:
        """Return the number of a capture for the packets that are added next."""
        return self._files.setdefault(name, len(self._files))

    def packets(self, batch: pa.RecordBatch) -> None:
        """Add packets, whose hosts are numbers in ``book`` and whose capture is one of ``file_number``."""
        self._packets.append(batch)
        if sum(len(rows) for rows in self._packets) >= ROWS_TOGETHER:
            self._write_packets()

    def quarantine(self, row: Quarantined) -> None:
        """Add octets that could not be read."""
        self._quarantined.append(row)
        if len(self._quarantined) >= MOST_QUARANTINED:
            self._write_quarantine()

    def fragments(self) -> FragmentWriter:
        """Return the writer of fragments."""
        if "fragments" not in self._writers:
            self._writers["fragments"] = FragmentWriter(self._new("fragments"))
        writer: FragmentWriter = self._writers["fragments"]
        return writer

    def close(self) -> None:
        """End all files."""
        self._write_packets()
        self._write_quarantine()
        for writer in self._writers.values():
            writer.close()
        self.exchange.close()

    def _write_packets(self) -> None:
        if self._packets:
            table = with_texts(self._packets, self.book, list(self._files))
            self._packets, self.book, self._files = [], AddressBook(), {}
            self._writer("packets", PACKETS, _PARQUET).write_table(table, row_group_size=2 * ROWS_TOGETHER)

    def _write_quarantine(self) -> None:
        if self._quarantined:
            columns = [list(column) for column in zip(*self._quarantined, strict=True)]
            self._quarantined = []
            self._writer("quarantine", QUARANTINE, {}).write_table(pa.table(columns, schema=QUARANTINE))

    def _writer(self, what: str, schema: pa.Schema, options: dict[str, Any]) -> Any:
        if what not in self._writers:
            system, path = self._new(what).resolve()
            self._writers[what] = pq.ParquetWriter(path, schema, filesystem=system, **options)
        return self._writers[what]

    def _new(self, what: str) -> Place:
        self.names[what] = attempt_name(self._number, ".parquet")
        return self._staging / self.names[what]
