"""What an audit adds up to, as JSON for machines (audit_routes.schema.json) and as tables for further questions."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from mqconform.reference.directory import Directory, DirectoryView, QueueManagerId
from mqconform.reference.mqbr.bulk_compiled import Int64s
from mqconform.reference.mqbr.clock import initialize
from mqconform.reference.mqbr.decision import NextHopsDecision, decide_next_hops
from mqconform.reference.mqbr.next_hops_judgement import judge_next_hops
from mqconform.reports.pipeline.routes import judging
from mqconform.reports.pipeline.routes.counts import PAIRS, ROUTERS, RULES, SOURCES, Counts, place_in
from mqconform.reports.pipeline.routes.enterprise import Enterprise
from mqconform.reports.pipeline.routes.machine_columns import identifier_of
from mqconform.reports.pipeline.storage import Place

SCHEMA_VERSION: Final = 1
WORST: Final = 10
"""How many offenders the summary names; the tables hold all."""
MOST_SITES: Final = 24
"""Sites on either side of the map."""
UNKNOWN_ROUTER: Final = "(unknown)"
NO_SITE: Final = "(no site)"
ENDS: Final = ("source_site", "destination_site")


class Tables(NamedTuple):
    """Counts by name: rows of each of ``VERDICTS``, and the place of the ``first`` that failed, null without."""

    routers: pa.Table
    """By ``router``: the column ``router`` where there is one, else the source."""
    pairs: pa.Table
    """By ``ENDS``: sites between which some row did not pass."""


def tables_of(enterprise: Enterprise, counts: Counts) -> Tables:
    """Return the counts of all routers and pairs of sites."""
    routers, pairs = [counts.tables[ROUTERS]] if ROUTERS in counts.tables else [], []
    for version, (_, directory) in enumerate(enterprise.versions):
        machines, of_version = len(directory.queue_managers), pc.field("version") == version
        if SOURCES in counts.tables:
            sources = counts.tables[SOURCES].filter(of_version)
            names = [*enterprise.identifiers[version][:machines], UNKNOWN_ROUTER]
            numbers = np.asarray(sources["source"])
            known = np.where((numbers < 0) | (numbers > machines), machines, numbers)
            routers.append(_under(sources, router=_texts(names, known)))
        sites, apart = (
            [*(site.identifier for site in directory.sites), NO_SITE],
            counts.tables[PAIRS].filter(of_version),
        )
        if version in counts.rows:
            apart = pa.concat_tables([apart, _passed(apart, counts.rows[version])])
        ends = (_texts(sites, numbers) for numbers in np.divmod(np.asarray(apart["pair"]), len(sites)))
        pairs.append(_under(apart, **dict(zip(ENDS, ends, strict=True))))
    return Tables(_by_verdict(pa.concat_tables(routers)), _by_verdict(pa.concat_tables(pairs)))


def _passed(apart: pa.Table, rows: Int64s) -> pa.Table:
    """Return how many rows passed between pairs of sites of which some did not."""
    pairs, which = np.unique(np.asarray(apart["pair"]), return_inverse=True)
    passed = rows[pairs] - np.bincount(which, np.asarray(apart["count"]), len(pairs)).astype(np.int64)
    constant = {"version": 0, "verdict": judging.PASS, "first": 0}
    columns = {name: np.full(len(pairs), value) for name, value in constant.items()} | {"pair": pairs, "count": passed}
    return pa.table([columns[name] for name in apart.column_names], apart.column_names).cast(apart.schema)


def _under(counts: pa.Table, **names: pa.Array) -> pa.Table:
    return pa.table(names | {name: counts[name] for name in ("verdict", "count", "first")})


def _by_verdict(counts: pa.Table) -> pa.Table:
    """Return the rows of each verdict, and the first that failed, by the columns that name things."""
    keys = [name for name in counts.column_names if name not in ("verdict", "count", "first")]
    columns = {name: counts[name] for name in keys}
    for place, verdict in enumerate(judging.VERDICTS):
        columns[verdict] = pc.if_else(pc.equal(counts["verdict"], place), counts["count"], 0)
    columns["first"] = pc.if_else(pc.equal(counts["verdict"], judging.FAIL), counts["first"], None)
    grouped = pa.table(columns).group_by(keys, use_threads=False)
    sums = grouped.aggregate([*((name, "sum") for name in judging.VERDICTS), ("first", "min")])
    return sums.rename_columns([*keys, *judging.VERDICTS, "first"])


def _texts(texts: Sequence[str], places: Any) -> pa.Array:
    return pa.array(texts, pa.string()).take(pa.array(places, pa.int64()))


def summary_of(enterprise: Enterprise, counts: Counts, tables: Tables, parts: Place) -> dict[str, Any]:
    """Return the summary of an audit but for its input; ``parts`` are the verdicts, from which examples are taken."""
    rules = np.zeros((len(judging.RULES), len(judging.VERDICTS)), np.int64)
    found = counts.tables[RULES]
    np.add.at(rules, (found["rule"], found["verdict"]), found["count"])
    by_register = found.filter(pc.field("by_register") & (pc.field("verdict") == judging.PASS))
    return {
        "enterprise": _enterprise(enterprise),
        "rows": int(rules.sum()),
        "verdicts": _counts(rules.sum(axis=0)),
        "by_register": sum(by_register["count"].to_pylist()),
        "requirements": [*_requirements(rules)],
        "branches": [
            {"rule": rule, "requirement": judging.REQUIREMENTS[place]} | _counts(rules[place])
            for place, rule in enumerate(judging.RULES)
            if rules[place].any() and judging.REQUIREMENTS[place]
        ],
        "not_judged": {
            rule: {"rows": int(rules[place].sum()), "meaning": judging.MEANINGS[rule]}
            for place, rule in enumerate(judging.RULES)
            if rules[place].any() and rule in judging.MEANINGS
        },
        "routers": {"different": len(tables.routers), "worst": _worst_routers(enterprise, tables.routers, parts)},
        "site_pairs": {
            "different": len(tables.pairs),
            "worst": _worst(tables.pairs, *ENDS).select([*ENDS, *judging.VERDICTS]).to_pylist(),
            "map": site_map(tables.pairs, _site_names(enterprise)),
        },
    }


def _enterprise(enterprise: Enterprise) -> dict[str, Any]:
    identity = enterprise.versions[0].directory.enterprise
    versions = [
        {
            "valid_from": version.valid_from.isoformat() if version.valid_from else None,
            "sites": len(version.directory.sites),
            "queue_managers": len(version.directory.queue_managers),
        }
        for version in enterprise.versions
    ]
    return {"id": identity.identifier, "name": identity.name, "versions": versions}


def _counts(counts: Any) -> dict[str, int]:
    return {verdict: int(count) for verdict, count in zip(judging.VERDICTS, counts, strict=True)}


def _requirements(rules: Any) -> Iterator[dict[str, Any]]:
    for requirement in sorted({name for name in judging.REQUIREMENTS if name}):
        places = [place for place, other in enumerate(judging.REQUIREMENTS) if other == requirement]
        counts = rules[places].sum(axis=0)
        if counts.any():
            yield {"requirement": requirement} | _counts(counts)


def _worst(table: pa.Table, *keys: str) -> pa.Table:
    """Return the rows with most failures, without those that have none."""
    failing = table.filter(pc.greater(table.column("fail"), 0))
    return failing.sort_by([("fail", "descending"), *((key, "ascending") for key in keys)]).slice(0, WORST)


def _worst_routers(enterprise: Enterprise, routers: pa.Table, parts: Place) -> list[dict[str, Any]]:
    worst: list[dict[str, Any]] = _worst(routers, "router").to_pylist()
    for router in worst:
        place = router.pop("first")
        router["name"] = _name_of(enterprise, router["router"])
        router["example"] = _explained(enterprise, place, _row_at(parts, place))
    return worst


def _name_of(enterprise: Enterprise, router: str) -> str:
    machines = [
        machine
        for version in enterprise.versions
        for machine in version.directory.queue_managers_by_identifier.get(QueueManagerId(router), ())
    ]
    return machines[-1].name if machines else ""


def _site_names(enterprise: Enterprise) -> Mapping[str, str]:
    return {
        site.identifier: site.name for version in enterprise.versions for site in version.directory.sites if site.name
    }


def site_map(pairs: pa.Table, names: Mapping[str, str]) -> dict[str, Any]:
    """Return the pairs of sites with most decisions that did not pass, as a map of sites by sites."""
    bad = pc.add(pairs.column("fail"), pairs.column("inconclusive"))
    ends = [_worst_sites(pairs.column(end), bad) for end in ENDS]
    here, there = (
        pc.is_in(pairs.column(end), pa.array(sites, pa.string())) for end, sites in zip(ENDS, ends, strict=True)
    )
    places = [{site: place for place, site in enumerate(sites)} for sites in ends]
    cells = [
        {"source": places[0][row["source_site"]], "destination": places[1][row["destination_site"]]}
        | {name: row[name] for name in judging.VERDICTS}
        for row in pairs.filter(pc.and_(here, there)).to_pylist()
    ]
    return {
        "sources": [names.get(site, site) for site in ends[0]],
        "destinations": [names.get(site, site) for site in ends[1]],
        "cells": sorted(cells, key=lambda cell: (cell["source"], cell["destination"])),
    }


def _worst_sites(sites: Any, bad: Any) -> list[str]:
    """Return the sites with most decisions that did not pass, in the order of their names."""
    sums = pa.table({"site": sites, "bad": bad}).group_by("site").aggregate([("bad", "sum")])
    ranked = sums.sort_by([("bad_sum", "descending"), ("site", "ascending")])
    return sorted(ranked.column("site")[:MOST_SITES].to_pylist())


def write_tables(tables: Tables, out: Place) -> None:
    """Write ``routers.parquet`` and ``site_pairs.parquet``: all counts, not only the worst."""
    files = ("routers.parquet", False), ("site_pairs.parquet", True)  # each router occurs once, so that none is a word
    for (name, words), table in zip(files, tables, strict=True):
        system, path = (out / name).resolve()
        with system.open_output_stream(path) as stream:
            pq.write_table(table.drop_columns(["first"]), stream, use_dictionary=words)


MOST_ALLOWED: Final = 10
"""Allowed answers that are shown of one question."""
VERDICTS_FOLDER: Final = "verdicts"


def part_name(split: int) -> str:
    """Return the name of the file of verdicts of a split."""
    return f"part-{split:05d}.parquet"


def _row_at(parts: Place, place: int) -> dict[str, Any]:
    """Return the columns of a row that a verdict may depend on."""
    _, split, row = place_in(place)
    system, path = (parts / part_name(split)).resolve()
    file, group = pq.ParquetFile(path, filesystem=system), 0
    while row >= (size := file.metadata.row_group(group).num_rows):
        row, group = row - size, group + 1
    columns = [name for name in file.schema_arrow.names if name in judging.READ]
    found: dict[str, Any] = file.read_row_group(group, columns).slice(row, 1).to_pylist()[0]
    return found


def _hops(hops: Any, outcome: Any) -> list[Any] | None:
    if hops is None or outcome == judging.NO_ROUTE:
        return None
    return hops if isinstance(hops, list) else re.split(judging.SEPARATORS, hops) if isinstance(hops, str) else [hops]


def _explained(enterprise: Enterprise, place: int, columns: Mapping[str, Any]) -> dict[str, Any]:
    """Return the readable model's account of a row (MS-MQBR 3.1.5.1)."""
    version, split, row = place_in(place)
    directory, identifiers = enterprise.versions[version].directory, enterprise.identifiers[version]

    def named(value: Any) -> str:
        return identifier_of(value, identifiers, windows_octets=enterprise.windows_octets)

    listed = _hops(columns["next_hops"], columns.get("outcome"))
    hops = None if listed is None else tuple(None if hop is None else named(hop) for hop in listed)
    source, destination, time = named(columns["source"]), named(columns["destination"]), columns.get("time")
    decision = decide_next_hops(
        initialize(DirectoryView(directory), QueueManagerId(source)), QueueManagerId(destination)
    )
    judgement = judge_next_hops(decision, hops)
    return {
        "source": _named(directory, source),
        "destination": _named(directory, destination),
        "next_hops": None if hops is None else [hop and _named(directory, hop) for hop in hops],
        "time": None if time is None else str(time),
        "file": f"{VERDICTS_FOLDER}/{part_name(split)}",
        "row": row,
        "explanation": judgement.explanation,
        "ambiguities": sorted(judgement.ambiguities),
        "allowed": _allowed(directory, decision),
    }


def _allowed(directory: Directory, decision: NextHopsDecision) -> list[dict[str, Any]]:
    """Return the allowed answers, those that need the least from the register first."""
    permitted = [answer for answer in decision.allowed if answer.outcome in decision.allowed.outcomes()]
    return [
        {
            "next_hops": [_named(directory, hop) for hop in answer.outcome],
            "derivation": [str(step) for step in answer.derivation],
            "requirements": list(answer.requirements),
            "readings": sorted(map(str, answer.readings)),
        }
        for answer in permitted[:MOST_ALLOWED]
    ]


def _named(directory: Directory, identifier: str) -> dict[str, str]:
    machines = directory.queue_managers_by_identifier.get(QueueManagerId(identifier), ())
    return {"id": identifier, "name": machines[0].name if machines else ""}
