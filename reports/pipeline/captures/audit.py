"""``mqconform audit captures``: captures in, verdicts on packets and conversations, sums and examples out."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

import numpy as np

from mqconform.reference.mqsd.audit.bulk_conversation_rows import WAIT
from mqconform.reference.mqsd.specification import FACTS
from mqconform.reports.pipeline.captures.auditing import FragmentJob, SplitAudit, audit_fragments, audit_split
from mqconform.reports.pipeline.captures.conversing import (
    Bucket,
    BucketAudit,
    Context,
    ConversationTally,
    audit_bucket,
)
from mqconform.reports.pipeline.captures.exchange import Batch, Handed, together
from mqconform.reports.pipeline.captures.fragments import BUCKETS as FRAGMENT_BUCKETS
from mqconform.reports.pipeline.captures.histograms import no_histograms
from mqconform.reports.pipeline.captures.host_counts import MOST_HOSTS_OF_ALL, HostCounts
from mqconform.reports.pipeline.captures.page import page_of
from mqconform.reports.pipeline.captures.planning import HUGE, Piece, captures_in, divided, grouped
from mqconform.reports.pipeline.captures.settings import AuditSettings, HostFacts
from mqconform.reports.pipeline.captures.strays import audit_strays, keys_of
from mqconform.reports.pipeline.captures.summary import Figures, summary_of
from mqconform.reports.pipeline.captures.tally import SEEN, Tally
from mqconform.reports.pipeline.captures.weights import conversation_weights, wire_weights
from mqconform.reports.pipeline.captures.witnesses import Witnesses, joined, witnesses_in
from mqconform.reports.pipeline.commit import mark_whole, new_output, publish, read_sums, write_json, write_text
from mqconform.reports.pipeline.problems import UnusableInput
from mqconform.reports.pipeline.storage import Place, place_of
from mqconform.reports.pipeline.watching import watched
from mqconform.reports.pipeline.workers import run_tasks

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

OCTETS_OF_BUCKET: Final = 2**26
"""Octets of captures whose packets one task of conversations gets, about: 500,000 packets."""
MOST_BUCKETS: Final = 4_096
MOST_STRAYS: Final = 2_000_000
"""Stray replies that are matched with open requests of their clients; beyond, they stay inconclusive."""

T = TypeVar("T")
U = TypeVar("U")


class Order(NamedTuple):
    """What a user asks for."""

    captures: str
    out: str
    ports: tuple[int, ...] = (FACTS.udp_port,)
    profile: str = "default"
    facts: tuple[HostFacts, ...] = ()


def audit_captures(spark: "SparkSession", order: Order) -> dict[str, Any]:
    """Judge captured packets of discovery and the conversations in them (MS-MQSD); return the summary that was written.

    Tasks read their part of the captures and write verdicts themselves. Packets of one identifier come together in
    files that tasks of conversations read. Spark divides, schedules, retries and, through what tasks return, decides
    which attempts count.

    Args:
        spark: the session.
        order: what to audit, and how.

    Raises:
        UnusableInput: there is no capture, or the folder cannot be written.
    """
    asked, place = place_of(order.captures), place_of(order.out)
    captures = captures_in(asked)
    with new_output(place) as staging:
        job = _Job(spark, order, captures, staging)
        with watched(spark, "auditing captures"):
            job.run()
        job.publish(place)
        figures = Figures(asked.text, order.profile, order.ports, job.tally, job.conversations, order.facts)
        summary = summary_of(figures)
        write_json(place / "summary.json", summary)
        write_text(place / "index.html", page_of(summary))
        mark_whole(place)
    return summary


class _Job:
    """The stages of an audit, and what each left behind."""

    def __init__(self, spark: "SparkSession", order: Order, captures: Sequence[Piece], staging: Place) -> None:
        self._spark, self._order, self._captures = spark, order, captures
        self._cores = max(1, spark.sparkContext.defaultParallelism)
        octets = sum(piece.octets for piece in captures)
        buckets = min(MOST_BUCKETS, max(self._cores, octets // OCTETS_OF_BUCKET))
        severities = wire_weights(order.profile)
        self._settings = AuditSettings(staging, order.ports, severities.tobytes(), order.facts, buckets)
        self._staging = staging
        self._splits: list[SplitAudit] = []
        self._buckets: list[BucketAudit] = []
        self._answered: list[Any] = [np.empty(0, np.uint64)]
        self.tally = Tally(messages=HostCounts(SEEN, MOST_HOSTS_OF_ALL))
        self.conversations = ConversationTally(times=no_histograms(MOST_HOSTS_OF_ALL))

    def run(self) -> None:
        """Do one stage after the other."""
        settings = self._settings
        splits = grouped(self._divided(), self._cores)
        self._splits = self._tasks(splits, lambda split: audit_split(settings, split))
        fragments = [split.fragments for split in self._splits if split.fragments]
        if fragments:
            self._splits += self._tasks(self._fragment_jobs(fragments), lambda job: audit_fragments(settings, job))
        for split_audit in self._splits:
            tally, answered = read_sums(self._staging / split_audit.sums)
            self.tally.add(tally)
            self._answered.append(answered)
            if sum(map(len, self._answered[1:])) > len(self._answered[0]):  # seldom, as what is there grows
                self._answered = [np.unique(np.concatenate(self._answered))]
        self._refuse_nothing()
        self._judge_conversations()

    def publish(self, place: Place) -> None:
        """Move what was written to where it belongs."""
        numbered = list(enumerate(self._splits))
        for folder in ("packets", "quarantine"):
            files = {f"part-{number:05d}.parquet": getattr(split, folder) for number, split in numbered}
            publish(self._staging, {name: file for name, file in files.items() if file}, place / folder)
        conversations = {
            f"part-{number:05d}.parquet": bucket.conversations
            for number, bucket in enumerate(self._buckets)
            if bucket.conversations
        }
        publish(self._staging, conversations, place / "conversations")

    def _divided(self) -> list[Piece]:
        """Return the captures, huge ones divided by tasks of their own."""
        huge = [piece for piece in self._captures if piece.octets > HUGE]
        parts = {pieces[0].number: pieces for pieces in self._tasks(huge, divided)}
        return [part for piece in self._captures for part in parts.get(piece.number, [piece])]

    def _fragment_jobs(self, names: Sequence[str]) -> list[FragmentJob]:
        first = len(self._splits)
        files = tuple(self._staging / name for name in names)
        return [
            FragmentJob(first + core, tuple(range(core, FRAGMENT_BUCKETS, self._cores)), files)
            for core in range(min(self._cores, FRAGMENT_BUCKETS))
        ]

    def _refuse_nothing(self) -> None:
        """Refuse an audit that read no frame, which would be green after having judged nothing."""
        if not sum(self.tally.frames.values()):
            reasons = "; ".join(f"{reason} ({count})" for reason, count in self.tally.quarantined.most_common(3))
            raise UnusableInput(
                f"{self._order.captures}: no frame could be read{f': {reasons}' if reasons else ''}; "
                "name captures in the form of pcap or pcapng"
            )

    def _judge_conversations(self) -> None:
        context, by_bucket = self._context(), dict[int, list[Batch]]()
        for batch in (batch for split in self._splits for batch in split.batches):
            by_bucket.setdefault(batch.bucket, []).append(batch)
        buckets = [Bucket(number, tuple(batches)) for number, batches in sorted(by_bucket.items())]
        self._buckets = self._tasks(buckets, lambda bucket: audit_bucket(context, bucket))
        strays = together([bucket.strays for bucket in self._buckets])
        if strays.packets:
            self._buckets.append(self._judge_strays(context, strays, buckets))
        for bucket_audit in self._buckets:
            self.conversations.add(bucket_audit.tally)

    def _judge_strays(self, context: Context, strays: Handed, buckets: Sequence[Bucket]) -> BucketAudit:
        clients, settings = np.unique(keys_of(strays)), self._settings
        witnesses: list[Witnesses] = []
        if strays.packets <= MOST_STRAYS:
            witnesses += self._tasks(buckets, lambda bucket: witnesses_in(settings, bucket, clients))
        return audit_strays(context, len(self._buckets), strays, joined(witnesses))

    def _context(self) -> Context:
        severities = conversation_weights(self._order.profile)
        last = self.tally.last_time if self.tally.last_time is not None else WAIT
        first = self.tally.first_time if self.tally.first_time is not None else 0
        names, answered = tuple(piece.name for piece in self._captures), np.unique(np.concatenate(self._answered))
        return Context(self._settings, severities.tobytes(), names, answered, last, first)

    def _tasks(self, inputs: Sequence[T], task: Callable[[T], U]) -> list[U]:
        """Return what a task makes of each input, in their order; each input is a task of Spark's."""
        return run_tasks(self._spark, inputs, task)
