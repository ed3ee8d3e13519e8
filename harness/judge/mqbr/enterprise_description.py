"""Enterprises as features describe them: the Given steps, and their words read and written.

They are written where a counterexample becomes a scenario that a later run reads again.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from mqconform.harness.judge.mqbr.named_enterprise import Link, Machine, NamedEnterprise
from mqconform.harness.judge.mqbr.routing_scene import RoutingScene
from mqconform.harness.judge.mqbr.routing_scene import routing as routing  # noqa: PLC0414 - pytest finds the fixture by this name
from mqconform.harness.suite.steps import given

COLUMNS = ("name", "sites", "routing server", "out", "in", "networks")
_LINK = re.compile(r"(?P<site1>\S+)-(?P<site2>\S+) (?P<cost>\d+)")
_SEPARATOR = re.compile(r"\s*,\s*|\s+and\s+")
_SERIES = re.compile(r"(?P<stem>[A-Za-z]+)(?P<first>\d+) to (?P=stem)(?P<last>\d+)")
UPPER_CASE = "a directory that refers to identifiers in upper case"


@given(r"sites? (?P<names>[A-Z].*)")
def sites(routing: RoutingScene, names: str) -> None:
    routing.enterprise = replace(routing.enterprise, sites=named(names))


@given("no sites")
def no_sites(routing: RoutingScene) -> None:
    routing.enterprise = replace(routing.enterprise, sites=())


@given(r"routing links? (?P<links>.+)")
def routing_links(routing: RoutingScene, links: str) -> None:
    """Let the directory hold these links, ``A-B 3`` being one of cost 3."""
    routing.enterprise = replace(routing.enterprise, links=links_of(links))


@given("queue managers")
def queue_managers(routing: RoutingScene, datatable: list[list[str]]) -> None:
    routing.enterprise = replace(routing.enterprise, machines=machines_of(datatable))


@given(r"site gates (?P<gates>.+)")
def site_gates(routing: RoutingScene, gates: str) -> None:
    """Let sites have these gates, ``A: ga; B: gb1, gb2``."""
    routing.enterprise = replace(routing.enterprise, gates=gates_of(gates))


@given(UPPER_CASE)
def upper_case_references(routing: RoutingScene) -> None:
    """Let each GUID stand in upper case where something refers to it, as the protocol allows."""
    routing.enterprise = replace(routing.enterprise, upper_case_references=True)


@given(
    r"two ways of (?P<links>\d+) links from site A to site Z, each link at cost (?P<cost>\d+), "
    r"the last one by Q at (?P<last>\d+)"
)
def two_long_ways(routing: RoutingScene, links: str, cost: str, last: str) -> None:
    """Let the directory hold sites A and Z, P1, P2 ... and Q1, Q2 ... between them, each with a gate of its name."""
    inner = range(1, int(links))
    paths = [("A", *(f"{letter}{number}" for number in inner), "Z") for letter in "PQ"]
    joined = [Link(*ends, int(cost)) for path in paths for ends in pairwise(path)]
    joined[-1] = replace(joined[-1], cost=int(last))
    sites = tuple(dict.fromkeys(site for path in paths for site in path))
    machines = tuple(Machine(f"g{site}", (site,), routing_server=True) for site in sites)
    gates = tuple((site, (f"g{site}",)) for site in sites)
    routing.enterprise = NamedEnterprise(sites, tuple(joined), (*machines, Machine("z", ("Z",))), gates)


@given(r"readings of (?P<object_type>Site|RoutingLink|QueueManager) fail at (?P<at>begin|next)")
def readings_fail(routing: RoutingScene, object_type: str, at: str) -> None:
    routing.fail(object_type, at)


def named(text: str) -> tuple[str, ...]:
    """Return the names of an enumeration such as ``A, B and S1 to S9``; none of an empty one."""
    parts = _SEPARATOR.split(text.strip()) if text.strip() else []
    return tuple(name for part in parts for name in _series(part))


def _series(part: str) -> list[str]:
    """Return the names of ``S1 to S9``, or of ``S9 to S1`` the other way round; the part itself if it is a name."""
    series = _SERIES.fullmatch(part)
    if series is None:
        return [part]
    first, last = int(series["first"]), int(series["last"])
    step = 1 if first <= last else -1
    return [f"{series['stem']}{number}" for number in range(first, last + step, step)]


def links_of(text: str) -> tuple[Link, ...]:
    """Return the links of ``A-B 3, B-C 1``.

    Raises:
        ValueError: something in it is not a link.
    """
    links = []
    for part in named(text):
        match = _LINK.fullmatch(part)
        if match is None:
            raise ValueError(f"{part!r} is not a routing link; write SITE-SITE COST, such as A-B 3")
        links.append(Link(match["site1"], match["site2"], int(match["cost"])))
    return tuple(links)


def gates_of(text: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the gates of ``A: ga; B: gb1, gb2``; a site without any may be left out."""
    pairs = (part.partition(":") for part in text.split(";") if part.strip())
    return tuple((site.strip(), named(gates)) for site, _, gates in pairs)


def machines_of(table: Sequence[Sequence[str]]) -> tuple[Machine, ...]:
    """Return the queue managers of a data table; only ``name``, one or a series, and ``sites`` are needed.

    Raises:
        ValueError: a column has another name.
    """
    head, *rows = table
    unknown = set(head) - set(COLUMNS)
    if unknown:
        raise ValueError(f"no column is called {', '.join(sorted(unknown))}; the columns are {', '.join(COLUMNS)}")
    described = (dict(zip(head, row, strict=True)) for row in rows)
    return tuple(_machine(name, row) for row in described for name in named(row["name"]))


def _machine(name: str, row: dict[str, str]) -> Machine:
    return Machine(
        name,
        named(row["sites"]),
        row.get("routing server", "") == "yes",
        out_servers=named(row.get("out", "")),
        in_servers=named(row.get("in", "")),
        networks=named(row.get("networks", "")),
    )


def givens(enterprise: NamedEnterprise) -> list[str]:
    """Return the Given lines that describe an enterprise, without indentation."""
    lines = [f"Given sites {listed(enterprise.sites)}"]
    if enterprise.links:
        lines.append(
            f"And routing links {', '.join(f'{link.one}-{link.other} {link.cost}' for link in enterprise.links)}"
        )
    lines.append("And queue managers")
    lines += [f"  | {' | '.join(row)} |" for row in _table(enterprise.machines)]
    gates = "; ".join(f"{site}: {', '.join(names)}" for site, names in enterprise.gates if names)
    if gates:
        lines.append(f"And site gates {gates}")
    return [*lines, f"And {UPPER_CASE}"] if enterprise.upper_case_references else lines


def listed(names: Sequence[str]) -> str:
    """Return names as an enumeration: ``A, B and C``."""
    return " and ".join(part for part in (", ".join(names[:-1]), *names[-1:]) if part)


def _table(machines: Sequence[Machine]) -> Sequence[tuple[str, ...]]:
    return [COLUMNS] + [
        (
            machine.name,
            ", ".join(machine.sites),
            "yes" if machine.routing_server else "no",
            ", ".join(machine.out_servers),
            ", ".join(machine.in_servers),
            ", ".join(machine.networks),
        )
        for machine in machines
    ]
