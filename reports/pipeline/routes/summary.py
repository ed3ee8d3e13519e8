"""What an audit adds up to, as JSON for machines (audit_routes.schema.json) and as tables for further questions."""

from collections.abc import Iterable, Iterator, Mapping
from heapq import nsmallest
from operator import itemgetter
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from mqconform.reports.pipeline.routes import verdicts
from mqconform.reports.pipeline.routes.enterprise import Enterprise
from mqconform.reports.pipeline.routes.explaining import Example, explained
from mqconform.reports.pipeline.routes.site_map import site_map
from mqconform.reports.pipeline.routes.tallies import Tally, VersionTally
from mqconform.reports.pipeline.storage import Place

SCHEMA_VERSION: Final = 1
WORST: Final = 10
"""How many offenders the summary names; the tables hold all."""
UNKNOWN_ROUTER: Final = "(unknown)"
NO_SITE: Final = "(no site)"


def summary_of(
    enterprise: Enterprise, tally: Tally, counts: "Counts", bad_lines: int, decisions: str
) -> dict[str, Any]:
    """Return the summary of an audit."""
    routers, pairs = counts
    rules = sum((one.rules for one in (*tally.versions, tally.undated)), np.zeros((len(verdicts.RULES), 3), dtype=int))
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
        "routers": {"different": len(routers), "worst": [*_worst_routers(enterprise, tally, routers)]},
        "site_pairs": {
            "different": len(pairs),
            "worst": [*_worst_pairs(pairs)],
            "map": site_map(pairs, _site_names(enterprise)),
        },
    }


def _enterprise(enterprise: Enterprise) -> dict[str, Any]:
    held = enterprise.versions[0].directory.enterprise
    versions = [
        {
            "valid_from": one.valid_from.isoformat() if one.valid_from else None,
            "sites": len(one.directory.sites),
            "queue_managers": len(one.directory.queue_managers),
        }
        for one in enterprise.versions
    ]
    return {"id": held.identifier, "name": held.name, "versions": versions}


def _counts(counts: Any) -> dict[str, int]:
    return {verdict: int(count) for verdict, count in zip(verdicts.VERDICTS, counts, strict=True)}


def _requirements(rules: Any) -> Iterator[dict[str, Any]]:
    for requirement in sorted({one for one in verdicts.REQUIREMENTS if one}):
        places = [place for place, one in enumerate(verdicts.REQUIREMENTS) if one == requirement]
        counts = rules[places].sum(axis=0)
        if counts.any():
            yield {"requirement": requirement} | _counts(counts)


class Ranked(dict[Any, Any]):
    """Counts by what they are counted for."""

    def worst(self) -> list[Any]:
        """Return the keys with failures, most failures first."""
        failing = [
            (-int(counts[verdicts.FAIL]), str(key), key) for key, counts in self.items() if counts[verdicts.FAIL]
        ]
        return [key for _, _, key in nsmallest(WORST, failing, itemgetter(0, 1))]


class Counts(NamedTuple):
    """What is counted for whom."""

    routers: Ranked
    pairs: Ranked


def counts_of(enterprise: Enterprise, tally: Tally) -> Counts:
    """Return the counts of all routers and pairs of sites."""
    return Counts(routers_of(enterprise, tally), pairs_of(enterprise, tally))


def routers_of(enterprise: Enterprise, tally: Tally) -> Ranked:
    """Return the counts of each router: of the column ``router`` where there is one, else of the source."""
    if tally.routers:
        return Ranked(tally.routers)
    found = Ranked()
    for version, one in zip(enterprise.versions, tally.versions, strict=True):
        names = [machine.identifier for machine in version.directory.queue_managers]
        seen = np.flatnonzero(one.routers[:, 0] | one.routers[:, 1] | one.routers[:, 2])
        for number, counts in zip(seen.tolist(), one.routers[seen], strict=True):
            name = names[number] if number < len(names) else UNKNOWN_ROUTER
            found[name] = found[name] + counts if name in found else counts
    return found


def pairs_of(enterprise: Enterprise, tally: Tally) -> Ranked:
    """Return the counts of each pair of sites that occurs; of too many sites, of those with rows that did not pass."""
    found = Ranked()
    for version, one in zip(enterprise.versions, tally.versions, strict=True):
        names = [*(site.identifier for site in version.directory.sites), NO_SITE]
        for key, counts in _pairs(one):
            pair = names[key // len(names)], names[key % len(names)]
            found[pair] = found[pair] + counts if pair in found else counts
    return found


def _pairs(tally: VersionTally) -> Iterable[tuple[int, Any]]:
    if not tally.dense:
        return tally.sparse.items()
    seen = np.flatnonzero(tally.pairs[:, verdicts.FAIL] | tally.pairs[:, verdicts.INCONCLUSIVE])
    return zip(seen.tolist(), tally.pairs[seen], strict=True)


def _worst_routers(enterprise: Enterprise, tally: Tally, routers: Ranked) -> Iterator[dict[str, Any]]:
    worst = routers.worst()
    names, examples = _names(enterprise), _examples(enterprise, tally, set(worst))
    for router in worst:
        example = examples.get(router)
        yield {
            "router": router,
            "name": names.get(router, ""),
            **_counts(routers[router]),
            "example": explained(enterprise, example) if example else None,
        }


def _examples(enterprise: Enterprise, tally: Tally, wanted: set[str]) -> dict[str, Example]:
    """Return the first failing row that was kept of each router."""
    found: dict[str, Example] = {}
    for (place, key), kept in sorted(tally.examples.items(), key=lambda one: one[0][0]):
        router = key
        if not tally.routers:
            machines = enterprise.versions[place].directory.queue_managers
            router = machines[int(key)].identifier if 0 <= int(key) < len(machines) else UNKNOWN_ROUTER
        if router in wanted:
            found.setdefault(router, Example(place, *kept))
    return found


def _worst_pairs(pairs: Ranked) -> Iterator[dict[str, Any]]:
    for source, destination in pairs.worst():
        yield {"source_site": source, "destination_site": destination, **_counts(pairs[source, destination])}


def _names(enterprise: Enterprise) -> Mapping[str, str]:
    return {one.identifier: one.name for version in enterprise.versions for one in version.directory.queue_managers}


def _site_names(enterprise: Enterprise) -> Mapping[str, str]:
    return {one.identifier: one.name for version in enterprise.versions for one in version.directory.sites if one.name}


def write_tables(counts: Counts, out: Place) -> None:
    """Write ``routers.parquet`` and ``site_pairs.parquet``: all counts, not only the worst."""
    routers, pairs = counts
    _write_table(out / "routers.parquet", {"router": [*routers]}, routers)
    sites = {"source_site": [one for one, _ in pairs], "destination_site": [other for _, other in pairs]}
    _write_table(out / "site_pairs.parquet", sites, pairs)


def _write_table(place: Place, keys: Mapping[str, list[str]], counts: Ranked) -> None:
    held = np.array([*counts.values()], dtype=np.int64).reshape(-1, 3)
    columns = {name: pa.array(values, pa.string()) for name, values in keys.items()}
    columns |= {verdict: pa.array(held[:, at]) for at, verdict in enumerate(verdicts.VERDICTS)}
    system, path = place.resolve()
    with system.open_output_stream(path) as stream:
        pq.write_table(pa.table(columns), stream)
