"""What an audit adds up to, as JSON for machines (audit_routes.schema.json) and as tables for further questions."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from mqconform.reference.directory import QueueManagerId
from mqconform.reference.mqbr.bulk_compiled import Int64s
from mqconform.reports.pipeline.routes import verdicts
from mqconform.reports.pipeline.routes.enterprise import Enterprise
from mqconform.reports.pipeline.routes.explaining import Example, example_of, explained
from mqconform.reports.pipeline.routes.machine_columns import ABSENT
from mqconform.reports.pipeline.routes.ranking import UNKNOWN_ROUTER, Pair, Ranked, pairs_of, routers_of
from mqconform.reports.pipeline.routes.site_map import site_map
from mqconform.reports.pipeline.routes.tallies import Tally
from mqconform.reports.pipeline.storage import Place

SCHEMA_VERSION: Final = 1


def summary_of(
    enterprise: Enterprise, tally: Tally, counts: "Counts", bad_lines: int, decisions: str
) -> dict[str, Any]:
    """Return the summary of an audit."""
    routers, pairs = counts
    rules = sum(
        (version.rules for version in (*tally.versions, tally.undated)), np.zeros((len(verdicts.RULES), 3), dtype=int)
    )
    return {
        "schema_version": SCHEMA_VERSION,
        "decisions": decisions,
        "enterprise": _enterprise(enterprise),
        "rows": tally.rows,
        "unreadable_lines": bad_lines,
        "verdicts": _counts(rules.sum(axis=0)),
        "by_register": tally.by_register,
        "requirements": [*_requirements(rules)],
        "branches": [
            {"rule": rule, "requirement": verdicts.REQUIREMENTS[place]} | _counts(rules[place])
            for place, rule in enumerate(verdicts.RULES)
            if rules[place].any() and verdicts.REQUIREMENTS[place]
        ],
        "not_judged": {
            rule: {"rows": int(rules[place].sum()), "meaning": verdicts.MEANINGS[rule]}
            for place, rule in enumerate(verdicts.RULES)
            if rules[place].any() and rule in verdicts.MEANINGS
        },
        "routers": {"different": len(routers.keys), "worst": [*_worst_routers(enterprise, tally, routers)]},
        "site_pairs": {
            "different": len(pairs.keys),
            "worst": [*_worst_pairs(pairs)],
            "map": site_map(dict(zip(pairs.keys, pairs.counts, strict=True)), _site_names(enterprise)),
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
    return {verdict: int(count) for verdict, count in zip(verdicts.VERDICTS, counts, strict=True)}


def _requirements(rules: Any) -> Iterator[dict[str, Any]]:
    for requirement in sorted({name for name in verdicts.REQUIREMENTS if name}):
        places = [place for place, other in enumerate(verdicts.REQUIREMENTS) if other == requirement]
        counts = rules[places].sum(axis=0)
        if counts.any():
            yield {"requirement": requirement} | _counts(counts)


class Counts(NamedTuple):
    """What is counted for whom."""

    routers: Ranked[str]
    pairs: Ranked[Pair]


def counts_of(enterprise: Enterprise, tally: Tally) -> Counts:
    """Return the counts of all routers and pairs of sites."""
    return Counts(routers_of(enterprise, tally), pairs_of(enterprise, tally))


def _worst_routers(enterprise: Enterprise, tally: Tally, routers: Ranked[str]) -> Iterator[dict[str, Any]]:
    worst = routers.worst()
    examples = _examples(enterprise, tally, {router for router, _ in worst})
    for router, counts in worst:
        example = examples.get(router)
        yield {
            "router": router,
            "name": _name_of(enterprise, router),
            **_counts(counts),
            "example": explained(enterprise, example) if example else None,
        }


def _examples(enterprise: Enterprise, tally: Tally, routers: set[str]) -> dict[str, Example]:
    """Return the first failing row that was kept of each router."""
    called: dict[tuple[int | None, Any], str] = {(None, router): router for router in routers}
    if not tally.routers:
        called = dict(_numbers(enterprise, routers))
    rows = tally.examples.of({*called})
    examples: dict[str, Example] = {}
    for key, row in sorted(rows, key=lambda pair: pair[1].version):
        router = called.get((row.version, key)) or called[None, key]
        examples.setdefault(router, example_of(enterprise, row))
    return examples


def _numbers(enterprise: Enterprise, routers: set[str]) -> Iterator[tuple[tuple[int, int], str]]:
    """Yield version and number of each of these routers, with its identifier."""
    for place, version in enumerate(enterprise.versions):
        machines = version.directory.queue_managers
        yield from (
            ((place, number), machine.identifier)
            for number, machine in enumerate(machines)
            if machine.identifier in routers
        )
        if UNKNOWN_ROUTER in routers:
            others = range(len(machines), len(enterprise.identifiers[place]))
            yield from (((place, number), UNKNOWN_ROUTER) for number in (ABSENT, *others))


def _name_of(enterprise: Enterprise, router: str) -> str:
    machines = [
        machine
        for version in enterprise.versions
        for machine in version.directory.queue_managers_by_identifier.get(QueueManagerId(router), ())
    ]
    return machines[-1].name if machines else ""


def _worst_pairs(pairs: Ranked[Pair]) -> Iterator[dict[str, Any]]:
    for (source, destination), counts in pairs.worst():
        yield {"source_site": source, "destination_site": destination, **_counts(counts)}


def _site_names(enterprise: Enterprise) -> Mapping[str, str]:
    return {
        site.identifier: site.name for version in enterprise.versions for site in version.directory.sites if site.name
    }


def write_tables(counts: Counts, out: Place) -> None:
    """Write ``routers.parquet`` and ``site_pairs.parquet``: all counts, not only the worst."""
    routers, pairs = counts
    _write_table(out / "routers.parquet", {"router": routers.keys}, routers.counts)
    sites = {
        "source_site": [source for source, _ in pairs.keys],
        "destination_site": [destination for _, destination in pairs.keys],
    }
    _write_table(out / "site_pairs.parquet", sites, pairs.counts)


def _write_table(place: Place, keys: Mapping[str, Sequence[str]], counts: Int64s) -> None:
    columns = {name: pa.array(values, pa.string()) for name, values in keys.items()}
    columns |= {verdict: pa.array(counts[:, at]) for at, verdict in enumerate(verdicts.VERDICTS)}
    system, path = place.resolve()
    with system.open_output_stream(path) as stream:
        pq.write_table(pa.table(columns), stream, use_dictionary=len(keys) > 1)  # each router occurs once
