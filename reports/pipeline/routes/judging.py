"""One batch of decisions, judged: from columns to a verdict and a rule for each row.

A row carries two small numbers until it is written: its verdict and its rule. Beyond the rules of the oracle there are
reasons why a row was not judged at all; such a row is inconclusive and has no requirement.
"""

from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from mqconform.reference.mqbr import bulk_rules
from mqconform.reference.mqbr.bulk import ABSENT, NOTHING, OUTCOMES
from mqconform.reference.mqbr.bulk_compiled import Int32s, Octets
from mqconform.reference.mqbr.judgement import Outcome
from mqconform.reports.pipeline.problems import UnusableInput, without_columns
from mqconform.reports.pipeline.routes.enterprise import CompiledEnterprise, CompiledVersion
from mqconform.reports.pipeline.routes.machine_columns import INVALID, check_form, unnamed

VERDICTS: Final = ("pass", "fail", "inconclusive")
PASS, FAIL, INCONCLUSIVE = range(3)

VERDICT_OF_OUTCOME: Final = np.array(
    [FAIL if outcome is Outcome.NOT_ALLOWED else PASS for outcome in OUTCOMES], dtype=np.uint8
)
"""By outcome code of the oracle: the place in ``VERDICTS``; what the register permits passes, as in a run."""

BY_REGISTER: Final = OUTCOMES.index(Outcome.BY_REGISTER)

UNREADABLE_SOURCE: Final = len(bulk_rules.RULES)
UNREADABLE_DESTINATION, UNREADABLE_HOPS, UNREADABLE_TIME, NO_DIRECTORY, NO_DECISION = range(
    UNREADABLE_SOURCE + 1, UNREADABLE_SOURCE + 6
)

MEANINGS: Final = {
    "unreadable-source": "the source is missing, or names no machine in a form that can be read",
    "unreadable-destination": "the destination is missing, or names no machine in a form that can be read",
    "unreadable-hops": "a next hop names no machine in a form that can be read",
    "unreadable-time": "the time is missing or cannot be read, and the directory has several versions",
    "no-directory": "the time lies before the first version of the directory",
    "no-decision": "the outcome is neither next-hops nor no-route, or contradicts the hops",
}
"""What the reasons mean for which a row is not judged, in the order of their codes."""

RULES: Final = (*(name.lower().replace("_", "-") for name in bulk_rules.NAMES), *MEANINGS)
"""By rule code: the branch of MS-MQBR 3.1.5.1 to 3.1.5.3 that decided, or why the row was not judged."""

REQUIREMENTS: Final = (*bulk_rules.RULES, *(None for _ in MEANINGS))
"""By rule code: the requirement, None where nothing was judged."""

ADDED: Final = pa.schema([pa.field(name, pa.string()) for name in ("verdict", "rule", "requirement")])
"""The columns that an audit appends."""

_VERDICTS = pa.array(VERDICTS)
_RULES = pa.array(RULES)
_IDS = pa.array(sorted(set(bulk_rules.RULES)))
_ID_OF_RULE = np.array([_IDS.index(rule).as_py() for rule in bulk_rules.RULES] + [-1] * len(MEANINGS), dtype=np.int8)


def added_columns(verdict: Octets, rule: Octets) -> tuple[pa.Array, pa.Array, pa.Array]:
    """Return the columns ``verdict``, ``rule`` and ``requirement`` of places in ``VERDICTS`` and ``RULES``."""
    ids = _ID_OF_RULE[rule]
    unjudged = ids < 0 if rule.max(initial=0) >= UNREADABLE_SOURCE else None
    return (
        pa.DictionaryArray.from_arrays(pa.array(verdict.view(np.int8)), _VERDICTS),
        pa.DictionaryArray.from_arrays(pa.array(rule.view(np.int8)), _RULES),
        pa.DictionaryArray.from_arrays(pa.array(ids, mask=unjudged), _IDS),
    )


ISO = r"^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$"
"""What is read as a time; one without a zone counts as UTC."""


def microseconds_of(column: pa.Array) -> tuple[Any, Any]:
    """Return the time of each row, and which rows have one that can be read.

    Raises:
        UnusableInput: the column holds neither times nor text.
    """
    kind = column.type
    if pa.types.is_null(kind):
        return np.zeros(len(column), dtype=np.int64), np.zeros(len(column), dtype=np.bool_)
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        column = _from_text(column)
    elif not (pa.types.is_timestamp(kind) or pa.types.is_date(kind)):
        raise UnusableInput(f"column time holds {kind}; it must hold timestamps, or text such as 2026-01-31T12:00:00Z")
    times = column.cast(pa.timestamp("us"), safe=False).cast(pa.int64())
    return np.asarray(pc.fill_null(times, 0)), np.asarray(times.is_valid())


def _from_text(column: pa.Array) -> pa.Array:
    """Return text as times, null where it is none."""
    text = column.cast(pa.string())
    formed = pc.if_else(pc.match_substring_regex(text, ISO), text, pa.scalar(None, pa.string()))
    only_date = pc.match_substring_regex(formed, r"^\d{4}-\d\d-\d\d$")
    formed = pc.if_else(only_date, pc.binary_join_element_wise(formed, "T00:00:00", ""), formed)
    zoned = pc.match_substring_regex(formed, r"(Z|[+-]\d\d:?\d\d)$")
    complete = pc.if_else(zoned, formed, pc.binary_join_element_wise(formed, "Z", ""))
    try:
        return complete.cast(pa.timestamp("us", "UTC"))
    except pa.ArrowInvalid:  # a day that no month has, say: one by one, so that the others count
        return pa.array([_time_or_none(text) for text in complete.to_pylist()], pa.timestamp("us", "UTC"))


def _time_or_none(text: str | None) -> Any:
    try:
        return pa.scalar(text).cast(pa.timestamp("us", "UTC")).as_py()
    except pa.ArrowInvalid:
        return None


NEEDED: Final = ("source", "destination", "next_hops")
READ: Final = (*NEEDED, "outcome", "time")
"""What a verdict may depend on."""
ANSWERED: Final = "next-hops"
NO_ROUTE: Final = "no-route"

SEPARATORS: Final = "[;| ]+"
"""What stands between several hops in one text."""

LABELS: Final = (
    *(pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view),
    *(pa.types.is_integer, pa.types.is_null),
)
"""What the columns ``outcome`` and ``router`` may hold."""

NO_VERSION: Final = -1
CLOCKS: Final = 60_000_000
"""Microseconds by which the clock of a router may be behind that of the directory."""


class Judged(NamedTuple):
    """What was found about each row of a batch."""

    verdict: Octets
    """Place in ``VERDICTS``."""
    rule: Octets
    """Place in ``RULES``."""
    by_register: Any
    """Whether only a reading that the register permits explains the answer."""
    version: Int32s
    """Which version of the directory was in force, ``NO_VERSION`` where none is known."""
    source: Int32s
    destination: Int32s
    """Numbers in that version."""


def judge_batch(enterprise: CompiledEnterprise, batch: pa.RecordBatch) -> Judged:
    """Judge the rows of a batch with the columns ``source``, ``destination``, ``next_hops`` and optional ones.

    Raises:
        UnusableInput: a column is missing or has a type that cannot be read.
    """
    check_columns(batch.schema, "the decisions")
    columns = {name: _plain(batch.column(name)) for name in batch.schema.names if name in READ}
    decided, contradiction = _observed(columns)
    columns["next_hops"] = decided
    if not enterprise.dated:
        judged = _judge_version(enterprise.versions[0], columns, 0)
    else:
        judged = _judge_versions(enterprise, columns)
    if contradiction is not None:
        _set_apart(judged, contradiction, NO_DECISION)
    return judged


def check_columns(schema: pa.Schema, where: str) -> None:
    """Refuse a schema that lacks a column which every decision has, or holds one that an audit appends.

    Raises:
        UnusableInput: naming the columns.
    """
    missing = [name for name in NEEDED if name not in schema.names]
    if missing:
        raise without_columns(where, missing, "", schema.names[:20])
    taken = [name for name in ADDED.names if name in schema.names]
    if taken:
        raise UnusableInput(
            f"{where}: column {', '.join(taken)} is there already; an audit appends it: rename or drop it"
        )
    twice = sorted({name for name in schema.names if schema.names.count(name) > 1})
    if twice:
        raise UnusableInput(f"{where}: column {', '.join(twice)} is there twice; rename one")
    for name in ("outcome", "router"):
        kind = schema.field(name).type if name in schema.names else pa.null()
        value_kind = kind.value_type if pa.types.is_dictionary(kind) else kind
        if not any(is_kind(value_kind) for is_kind in LABELS):
            raise UnusableInput(f"{where}: column {name} holds {kind}; it must hold text or whole numbers")


def check_forms(schema: pa.Schema) -> None:
    """Refuse a schema of which no row can be read; files are refused when the first of their rows is read.

    Raises:
        UnusableInput: naming the column and what it may hold.
    """
    for name in NEEDED:
        kind = schema.field(name).type
        listed = name == "next_hops" and (pa.types.is_list(kind) or pa.types.is_large_list(kind))
        check_form(name, kind.value_type if listed else kind)


def _observed(columns: dict[str, pa.Array]) -> tuple[pa.Array, Any]:
    """Return the hops, null where the outcome says that the attempt failed, and which rows hold no decision."""
    hops = columns["next_hops"]
    outcome = columns.get("outcome")
    if outcome is None or pa.types.is_null(outcome.type):
        return hops, None
    outcome_text = outcome.cast(pa.string())
    failed = pc.fill_null(pc.equal(outcome_text, NO_ROUTE), fill_value=False)
    recognized = pc.fill_null(
        pc.or_(pc.equal(outcome_text, ANSWERED), pc.equal(outcome_text, NO_ROUTE)), fill_value=True
    )
    answered = (
        pc.fill_null(pc.greater(pc.list_value_length(hops), 0), fill_value=False) if _is_list(hops) else hops.is_valid()
    )
    apart = np.asarray(pc.or_(pc.invert(recognized), pc.and_(failed, answered)))
    if pc.any(pc.and_(failed, hops.is_valid())).as_py():
        hops = pc.if_else(failed, pa.scalar(None, hops.type), hops)
    return hops, apart if apart.any() else None


def _judge_versions(enterprise: CompiledEnterprise, columns: dict[str, pa.Array]) -> Judged:
    """Judge each row by the version that was in force at its time."""
    if "time" not in columns:
        raise UnusableInput("the directory has validity times, so the decisions need a column time; there is none")
    times, readable = microseconds_of(columns["time"])
    version = np.searchsorted(enterprise.starts, times, side="right").astype(np.int32) - 1
    version[~readable] = NO_VERSION
    rows, absent = len(version), np.full(len(version), ABSENT, dtype=np.int32)
    rule = np.where(readable, NO_DIRECTORY, UNREADABLE_TIME).astype(np.uint8)
    undecided = np.full(rows, INCONCLUSIVE, dtype=np.uint8)
    whole = Judged(undecided, rule, np.zeros(rows, dtype=np.bool_), version, absent, absent.copy())
    for place, compiled_version in enumerate(enterprise.versions):
        chosen = np.flatnonzero(version == place)
        if not len(chosen):
            continue
        judged = _judge_version(
            compiled_version, {name: column.take(chosen) for name, column in columns.items()}, place
        )
        if place > 0:
            _settle(judged, times[chosen] - enterprise.starts[place] < enterprise.settling_microseconds)
        if place + 1 < len(enterprise.versions):
            until = min(enterprise.settling_microseconds, CLOCKS)
            _settle(judged, enterprise.starts[place + 1] - times[chosen] <= until)
        for all_rows, of_version in zip(whole, judged, strict=True):
            all_rows[chosen] = of_version
    return whole


def _settle(judged: Judged, settling: Any) -> None:
    """Make failures inconclusive while the router may go by another version.

    It may still have the table of the one before (3.1.6), or read the next one already, by a clock that is behind.
    """
    judged.verdict[settling & (judged.verdict == FAIL)] = INCONCLUSIVE


def _judge_version(version: CompiledVersion, columns: dict[str, pa.Array], place: int) -> Judged:
    source = version.machines.of("source", columns["source"])
    destination = version.machines.of("destination", columns["destination"])
    hops = columns["next_hops"]
    bad_source, bad_destination = unnamed(source), unnamed(destination)
    asked = _readable(source, bad_source), _readable(destination, bad_destination)
    if _is_list(hops):
        outcome, rule, bad_hops = _judge_lists(version, asked, hops)
    else:
        single = version.machines.of("next_hops", hops)
        bad_hops = single == INVALID
        is_text = pa.types.is_string(hops.type)
        if bad_hops.any() and is_text and pc.any(pc.match_substring_regex(hops, SEPARATORS)).as_py():
            outcome, rule, bad_hops = _judge_lists(version, asked, pc.split_pattern_regex(hops, SEPARATORS))
        else:
            outcome, rule = version.oracle.judge_single(*asked, _readable(single, bad_hops))
    judged = Judged(
        VERDICT_OF_OUTCOME[outcome],
        rule,
        outcome == BY_REGISTER,
        np.full(len(outcome), place, dtype=np.int32),
        *asked,
    )
    _set_apart(judged, bad_hops, UNREADABLE_HOPS)
    _set_apart(judged, bad_destination, UNREADABLE_DESTINATION)
    _set_apart(judged, bad_source, UNREADABLE_SOURCE)
    return judged


def _judge_lists(version: CompiledVersion, asked: tuple[Int32s, Int32s], hops: pa.Array) -> tuple[Octets, Octets, Any]:
    """Judge answers that are lists; a null is a failed attempt."""
    offsets = hops.offsets.to_numpy().astype(np.int64)
    numbers = version.machines.of("next_hops", hops.values)
    wrong = numbers == INVALID
    missing = np.asarray(hops.is_null())
    bad = np.zeros(len(missing), dtype=np.bool_)
    if wrong.any():
        so_far = np.concatenate([[0], np.cumsum(wrong)])
        bad = (so_far[offsets[1:]] > so_far[offsets[:-1]]) & ~missing
        numbers = _readable(numbers, wrong)
    outcome, rule = version.oracle.judge_lists(*asked, offsets, numbers)
    failed = np.flatnonzero(missing)
    ends = asked[0][failed], asked[1][failed]
    outcome[failed], rule[failed] = version.oracle.judge_single(*ends, np.full(len(failed), NOTHING, dtype=np.int32))
    return outcome, rule, bad


def _readable(numbers: Int32s, bad: Any) -> Int32s:
    return np.where(bad, ABSENT, numbers).astype(np.int32) if bad.any() else numbers


def _set_apart(judged: Judged, rows: Any, reason: int) -> None:
    """Say of rows that they could not be judged, and why."""
    if rows.any():
        judged.verdict[rows] = INCONCLUSIVE
        judged.rule[rows] = reason
        judged.by_register[rows] = False


def _plain(column: pa.Array) -> pa.Array:
    """Return text in the one layout for which Arrow has all its functions, dictionaries of it spelled out."""
    kind = column.type
    if pa.types.is_dictionary(kind) and not pa.types.is_fixed_size_binary(kind.value_type):
        return _plain(column.dictionary_decode())
    return column.cast(pa.string()) if pa.types.is_string_view(kind) or pa.types.is_large_string(kind) else column


def _is_list(column: pa.Array) -> bool:
    return bool(pa.types.is_list(column.type) or pa.types.is_large_list(column.type))
