"""Histories of systems from DataFrame to DataFrame: Spark brings together what belongs to a message, then to a way."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import reduce
from operator import and_
from typing import Any, Final

import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812 - the name that all of Spark's own documents give it
from pyspark.sql.pandas.types import from_arrow_schema

from mqconform.reference.history.breach import Breach
from mqconform.reference.history.system import ENDLESS, NEVER, EventWord, Fate, Outages, Sent, broken_by, disordered
from mqconform.reference.mqso.elements import Assurance, MachineName
from mqconform.reference.mqso.routes import HOP_BY_HOP, Topology, strays_in
from mqconform.reports.pipeline.deliveries.frames import FAIL, INCONCLUSIVE, PASS
from mqconform.reports.pipeline.entry import (
    MOMENT,
    NUMBER,
    VALUE,
    Kind,
    check_entry,
    column_of,
    judge_groups,
    refuse_stream,
)
from mqconform.reports.shapes import columns

PROMISE: Final = pa.struct(
    columns(
        "requirement! requirements! says! positions!",
        requirements=pa.list_(pa.string()),
        positions=pa.list_(pa.int64()),
    )
)
"""A broken promise: the requirement that it breaks most plainly, all that it breaks, and the entries that show it."""
MESSAGES: Final = columns(
    "history! message! source to queue received:int64! unusable:int64! verdict! broken!", broken=pa.list_(PROMISE)
)
"""One message: how often it was received, entries of it that could not be used, and what is broken for it."""
HOPS: Final = columns(
    "history! machine! to! next_hops hop times:int64! position:int64! verdict! requirement says",
    next_hops=pa.list_(pa.string()),
)
"""One answer of a router: how often it was given, the first entry that has it, and what is wrong with it."""

Row = dict[str, Any]


def judge_fates(fates: pa.Table, *, complete: bool) -> pa.Table:
    """Return a row of ``MESSAGES`` for each message of some ways; in a complete log, what it lacks did not happen."""
    rows = fates.to_pylist()
    broken: list[list[Breach]] = [[] for _ in rows]
    ways: defaultdict[tuple[str, ...], list[Fate]] = defaultdict(list)
    places: dict[int, int] = {}
    for place, row in enumerate(rows):
        if row["unusable"]:
            continue
        fate = _fate(row, complete=complete and not row["unattributed"])
        broken[place] += broken_by(fate)
        places[id(fate)] = place
        ways[row["history"], row["source"], row["to"], row["queue"]].append(fate)
    for way in ways.values():
        for fate, violation in disordered(way):
            broken[places[id(fate)]].append(violation)
    judged = [_message(row, own) for row, own in zip(rows, broken, strict=True)]
    return pa.Table.from_pylist(judged, schema=MESSAGES)


def _fate(row: Row, *, complete: bool) -> Fate:
    sent = None
    if row["source"] is not None:
        rest = {name: row[name] for name in ("committed", "timer", "dead_letter")} | {"queue": row["queue"] or ""}
        sent = Sent(row["message"], row["source"], row["to"], Assurance(row["assurance"]), **rest)
    begun, put_back, of_source, of_destination, anywhere = (
        NEVER if row[name] is None else row[name]
        for name in ("begun", "put_back", "of_source", "of_destination", "anywhere")
    )
    received, again, waits = (
        [(entry["position"], entry["machine"]) for entry in row[name]] for name in ("received", "sent_again", "waits")
    )
    outages = Outages(max(of_source, of_destination), anywhere, tuple(row["places"] or ()))
    told = row["dead_lettered"], row["acknowledged"]
    return Fate(row["message"], sent, begun, received, put_back, *told, again, waits, outages, complete)


def _message(row: Row, broken: list[Breach]) -> Row:
    verdict = FAIL if broken else PASS
    if row["unusable"] or (row["source"] is None and not broken):  # where it was sent may be told elsewhere
        verdict = INCONCLUSIVE
    named = {name: row[name] for name in ("history", "message", "source", "to", "queue", "unusable")}
    promises = [
        {
            "requirement": breach.requirements[0],
            "requirements": [*breach.requirements],
            "says": breach.says,
            "positions": [*breach.places],
        }
        for breach in broken
    ]
    return named | {"received": len(row["received"]), "verdict": verdict, "broken": promises}


def _judged_hop(row: Row, topology: Topology, stray: Any) -> Row:
    """Return an answer of a router, judged by the directory of its enterprise (MS-MQBR 3.1.5.1)."""
    hops = row["next_hops"]
    ends = [row["machine"], row["to"], *([row["hop"]] if hops is None and row["hop"] else [])]
    if strangers := [name for name in ends if name not in topology.identifiers]:
        says = f"{strangers[0]} is not a machine of the enterprise"
        return row | {"verdict": INCONCLUSIVE, "requirement": None, "says": says}
    # a machine may be named by its identifier as well; no name is Nothing
    answer = (
        None if hops is None else tuple(str(topology.identifiers.get(name, name)) if name else None for name in hops)
    )
    hop = MachineName(row["hop"] or "") if hops is None else MachineName("")
    says = stray(MachineName(row["machine"]), MachineName(row["to"]), answer, hop)
    broken = HOP_BY_HOP[0] if says else None
    return row | {"verdict": FAIL if says else PASS, "requirement": broken, "says": says or None}


_NEEDED: Final = dict.fromkeys(("event", "message", "machine", "to"), VALUE)
_HOPS: Final = Kind(("string", "void", "array<string>"), "give a list of texts, or a text with blanks between them")
_OPTIONAL: Final = dict.fromkeys(("history", "queue", "assurance", "hop", "committed", "dead_letter"), VALUE) | {
    "timer": NUMBER, "position": NUMBER, "time": MOMENT, "next_hops": _HOPS,
}  # fmt: skip
MESSAGE_VERDICTS: Final = from_arrow_schema(MESSAGES)
"""One message with its verdict, and each promise that is broken for it."""
HOP_VERDICTS: Final = from_arrow_schema(HOPS)
"""One answer of a router with its verdict."""
_WAY: Final = ("history", "source", "to", "queue")
_NAMELESS: Final = (EventWord.ROUTED, EventWord.VANISHED, EventWord.FAILED, EventWord.RECOVERED)
"""Events that may be of an acknowledgment, or of no message."""
_DECIDING: Final = (
    *(EventWord.SENT, EventWord.RECEIVED, EventWord.PUT_BACK, EventWord.DEAD_LETTERED),
    *(EventWord.ACKNOWLEDGED, EventWord.SENT_AGAIN, EventWord.WAITS),
)
"""Events on which a promise depends."""


def judge_messages(log: DataFrame, *, complete: bool = False) -> DataFrame:
    """Return a row of ``MESSAGE_VERDICTS`` for each message (docs/how-to/audit-a-system.md).

    A task holds all messages that one machine sent to one queue, as their order is judged.

    Args:
        log: a row for each event, with the columns of that page.
        complete: whether each history goes from its beginning until all failures were over and all queues were empty:
            what never arrived is lost then.

    Raises:
        UnusableInput: a column is missing or of a wrong type, or the log is a stream of Spark's.
    """

    def judge(fates: pa.Table) -> pa.Table:
        return judge_fates(fates, complete=complete)

    return judge_groups(fates_of(shaped_log(log)), _WAY, judge, MESSAGE_VERDICTS)


def broken_promises_of(messages: DataFrame) -> DataFrame:
    """Return a row for each broken promise in what ``judge_messages`` gives: history, message, and what is broken."""
    return messages.select("history", "message", "source", "to", F.inline("broken"))


def judge_hops(log: DataFrame, topology: Topology) -> DataFrame:
    """Return a row of ``HOP_VERDICTS`` for each answer that a router gave, and each hop where only that is known.

    Args:
        log: as in ``judge_messages``.
        topology: the enterprise; what names no machine of it is inconclusive.

    Raises:
        UnusableInput: as in ``judge_messages``.
    """
    routed = shaped_log(log).where(F.col("usable") & (F.col("event") == EventWord.ROUTED))
    hop = F.when(F.col("next_hops").isNull(), F.col("hop")).alias("hop")
    answers = routed.groupBy("history", "machine", "to", "next_hops", hop).agg(
        F.count("*").alias("times"), F.min("position").alias("position")
    )

    def judge(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        stray = strays_in(topology)
        for batch in batches:
            yield pa.RecordBatch.from_pylist([_judged_hop(row, topology, stray) for row in batch.to_pylist()], HOPS)

    return answers.mapInArrow(judge, HOP_VERDICTS)


def shaped_log(log: DataFrame) -> DataFrame:
    """Return a log with all its columns in their types, and ``usable``: whether an entry has what its event needs.

    Raises:
        UnusableInput: a column is missing or of a wrong type.
    """
    refuse_stream(log)
    check_entry(log, "the log of a system", _NEEDED, _OPTIONAL, either=("position", "time"))
    kinds = {"position": "bigint", "committed": "boolean", "timer": "bigint", "dead_letter": "boolean"}
    position, *typed = (_text(log, name).try_cast(kind) for name, kind in kinds.items())
    if "position" not in log.columns:
        position = F.unix_micros(F.col("time").try_cast("timestamp"))
    named = [*kinds][1:]
    readable = [column.isNotNull() | _text(log, name).isNull() for name, column in zip(named, typed, strict=True)]
    committed, timer, dead_letter = typed
    hops = F.split(F.trim(column_of(log, "next_hops", "string")), " +")
    listed = "next_hops" in log.columns and log.schema["next_hops"].dataType.typeName() == "array"
    typed_columns = {
        "history": F.coalesce(_text(log, "history"), F.lit("")),
        "position": position,
        **{name: _text(log, name) for name in ("event", "message", "machine", "to", "queue", "assurance", "hop")},
        "committed": F.coalesce(committed, F.lit(True)),
        "timer": timer,
        "dead_letter": F.coalesce(dead_letter, F.lit(False)),
        "next_hops": F.col("next_hops") if listed else hops,
        "readable": reduce(and_, readable),
    }
    shaped = log.select(*(column.alias(name) for name, column in typed_columns.items()))
    return shaped.withColumn("usable", F.coalesce(_usable(), F.lit(False)))


def fates_of(entries: DataFrame) -> DataFrame:
    """Return a row for each message of a shaped log: what became of it, and the outages that may excuse it."""
    ok, event = F.col("usable"), F.col("event")

    def those(word: EventWord) -> Column:
        return ok & (event == word)

    def places(word: EventWord) -> Column:
        return F.sort_array(F.collect_list(F.when(those(word), F.struct("position", "machine")))).alias(word)

    sent = F.struct(
        F.col("position").alias("begun"),
        F.col("machine").alias("source"),
        *(F.col(name) for name in ("to", "queue", "assurance", "committed", "timer", "dead_letter")),
    )
    sends = F.count_if(those(EventWord.SENT))
    deciding = entries.where(F.col("message").isNotNull() & (~ok | event.isin(*map(str, _DECIDING))))
    fates = deciding.groupBy("history", "message").agg(
        F.min(F.when(those(EventWord.SENT), sent)).alias("sent"),
        places(EventWord.RECEIVED),
        F.max(F.when(those(EventWord.PUT_BACK), F.col("position"))).alias("put_back"),
        F.bool_or(those(EventWord.DEAD_LETTERED)).alias("dead_lettered"),
        F.bool_or(those(EventWord.ACKNOWLEDGED)).alias("acknowledged"),
        places(EventWord.SENT_AGAIN),
        places(EventWord.WAITS),
        (F.count_if(~ok) + F.greatest(sends - 1, F.lit(0))).alias("unusable"),  # sent twice: which of them came?
    )
    return _with_outages(fates.select("*", "sent.*").drop("sent"), entries)


def _with_outages(fates: DataFrame, entries: DataFrame) -> DataFrame:
    """Add the outages at both ends and anywhere, and the number of entries that nobody knows what they are of.

    These tables have a row for each machine or history with outages: they fit everywhere.
    """
    outages = _outages(entries)
    touched = outages.select("history", F.explode(F.array("machine", "to")).alias("touched"), "alone", "at", "until")
    by_machine = touched.where(F.col("touched").isNotNull()).groupBy("history", "touched")
    known_ends = F.when(F.col("until") < ENDLESS, F.col("until"))
    latest = by_machine.agg(
        F.max(F.when(F.col("alone"), F.col("at")).otherwise(F.col("until"))).alias("of_source"),
        F.max("until").alias("of_destination"),
        F.concat(F.collect_list("at"), F.collect_list(known_ends)).alias("places"),
    )
    at_source = latest.select("history", F.col("touched").alias("source"), "of_source")
    at_destination = latest.select("history", F.col("touched").alias("to"), "of_destination", "places")
    fates = fates.join(F.broadcast(at_source), ["history", "source"], "left")
    fates = fates.join(F.broadcast(at_destination), ["history", "to"], "left")
    fates = fates.withColumn("places", F.when(F.size("received") > 1, F.col("places")))  # all that they decide
    anywhere = outages.groupBy("history").agg(F.max("until").alias("anywhere"))
    nameless = entries.where(~F.col("usable") & F.col("message").isNull())
    unknown = nameless.groupBy("history").agg(F.count("*").alias("unattributed"))
    fates = fates.join(F.broadcast(anywhere), "history", "left").join(F.broadcast(unknown), "history", "left")
    return fates.fillna(0, ["unattributed"])


def _outages(entries: DataFrame) -> DataFrame:
    """Return outages: what failed, from which place, until which; ``ENDLESS`` where no end of it is in the log."""
    to = F.when(F.col("to").isNotNull(), F.greatest("machine", "to")).alias("to")
    words = str(EventWord.FAILED), str(EventWord.RECOVERED)
    marks = entries.where(F.col("usable") & F.col("event").isin(*words))
    of_each = marks.groupBy("history", F.least("machine", "to").alias("machine"), to).agg(
        *(F.collect_list(F.when(F.col("event") == word, F.col("position"))).alias(word) for word in words)
    )
    over = F.array_min(F.filter(words[1], lambda place: place >= F.col("at")))
    until, alone = F.coalesce(over, F.lit(ENDLESS)).alias("until"), F.col("to").isNull().alias("alone")
    failures = of_each.select("*", F.explode(words[0]).alias("at"))
    return failures.select("history", "machine", "to", alone, "at", until)


def _usable() -> Column:
    event = F.col("event")
    named = F.col("message").isNotNull() | event.isin(*map(str, _NAMELESS))
    addressed = F.col("to").isNotNull() | ~event.isin(str(EventWord.SENT), str(EventWord.ROUTED))
    assured = F.col("assurance").isin(*map(str, Assurance)) | (event != EventWord.SENT)
    placed = event.isin(*map(str, EventWord)) & F.col("position").isNotNull() & F.col("machine").isNotNull()
    return placed & named & addressed & assured & F.col("readable")


def _text(log: DataFrame, name: str) -> Column:
    text = column_of(log, name, "string")
    return F.when(text != "", text)  # of nullif Spark makes conditions without number, which took seconds to plan
