"""The summary of an audit as one HTML page that needs nothing else."""

from collections.abc import Iterable, Mapping
from html import escape
from importlib.resources import files
from typing import Any

from mqconform.harness.records.printable import shortened, visible
from mqconform.reports.pipeline.routes.verdicts import VERDICTS

LONGEST = 200
"""Characters that are shown of any text from the decisions or the directory."""


def page_of(summary: Mapping[str, Any]) -> str:
    """Return the page."""
    style = files("mqconform.reports.pipeline.routes").joinpath("page.css").read_text(encoding="utf-8")
    parts = [
        _headline(summary),
        _section("By requirement", _counted(summary["requirements"], ("requirement",))),
        _section("By branch", _counted(summary["branches"], ("rule", "requirement"))),
        _section("Not judged", _not_judged(summary["not_judged"])),
        _section("Routers with the most failures", _routers(summary["routers"])),
        _section("Pairs of sites with the most failures", _pairs(summary["site_pairs"])),
    ]
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Audit of routing decisions</title><style>{style}</style></head><body><main>{''.join(parts)}</main>"
        "</body></html>\n"
    )


def _text(value: Any) -> str:
    return escape(shortened(visible(str(value)), LONGEST))


def _headline(summary: Mapping[str, Any]) -> str:
    counts = summary["verdicts"]
    enterprise = summary["enterprise"]
    versions = "; ".join(
        f"{version['sites']:,} sites and {version['queue_managers']:,} queue managers"
        + (f" from {_text(version['valid_from'])}" if version["valid_from"] else "")
        for version in enterprise["versions"]
    )
    figures = ((verdict, counts[verdict], _share(counts[verdict], summary["rows"])) for verdict in VERDICTS)
    tiles = "".join(f'<div class="tile {name}"><b>{count:,}</b> {name}{share}</div>' for name, count, share in figures)
    unreadable = summary["unreadable_lines"]
    more = f" {unreadable:,} lines could not be read; see the folder quarantine." if unreadable else ""
    return (
        f"<h1>Audit of routing decisions</h1><p>{summary['rows']:,} decisions from <code>{_text(summary['decisions'])}"
        f"</code>, against the enterprise {_text(enterprise['name'] or enterprise['id'])} ({versions}).{more}</p>"
        f'<div class="tiles">{tiles}</div>'
        f"<p>{summary['by_register']:,} of those that pass rest on a reading that the ambiguity register permits.</p>"
    )


def _share(count: int, rows: int) -> str:
    return f" <small>{count / rows:.4%}</small>" if rows else ""


def _section(title: str, content: str) -> str:
    return f"<section><h2>{title}</h2>{content}</section>" if content else ""


def _table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    body = "".join(f"<tr>{''.join(rows_cells)}</tr>" for rows_cells in rows)
    head = "".join(f"<th>{title}</th>" for title in heads)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>" if body else ""


def _counts(counts: Mapping[str, Any]) -> list[str]:
    return [f'<td class="n {verdict if counts[verdict] else "none"}">{counts[verdict]:,}</td>' for verdict in VERDICTS]


def _counted(entries: Iterable[Mapping[str, Any]], keys: tuple[str, ...]) -> str:
    rows = ([*(f"<td><code>{_text(entry[key])}</code></td>" for key in keys), *_counts(entry)] for entry in entries)
    return _table((*keys, *VERDICTS), rows)


def _not_judged(reasons: Mapping[str, Mapping[str, Any]]) -> str:
    rows = (
        [
            f"<td><code>{_text(name)}</code></td>",
            f"<td>{_text(reason['meaning'])}</td>",
            f'<td class="n">{reason["rows"]:,}</td>',
        ]
        for name, reason in reasons.items()
    )
    return _table(("reason", "meaning", "rows"), rows)


def _routers(routers: Mapping[str, Any]) -> str:
    if not routers["worst"]:
        return ""
    details = "".join(
        f"<details{'' if place else ' open'}><summary>{_router_line(router)}</summary>"
        f"{_example(router['example'])}</details>"
        for place, router in enumerate(routers["worst"])
    )
    return f"<p>{routers['different']:,} routers; all of them in <code>routers.parquet</code>.</p>{details}"


def _router_line(router: Mapping[str, Any]) -> str:
    name = f" {_text(router['name'])}" if router["name"] else ""
    return (
        f"<code>{_text(router['router'])}</code>{name}: <span class=fail>{router['fail']:,} fail</span>, "
        f"{router['inconclusive']:,} inconclusive, {router['pass']:,} pass"
    )


def _machine(machine: Mapping[str, str] | None) -> str:
    if machine is None:
        return "Nothing"
    name = f"{_text(machine['name'])} " if machine["name"] else ""
    return f"{name}<code>{_text(machine['id'])}</code>"


def _machines(machines: Iterable[Mapping[str, str] | None] | None) -> str:
    return "no route" if machines is None else ", ".join(map(_machine, machines)) or "an empty list"


def _example(example: Mapping[str, Any] | None) -> str:
    if example is None:
        return "<p>No row was kept as an example.</p>"
    when = f" at {_text(example['time'])}" if example["time"] else ""
    allowed = "".join(
        f"<li>{_machines(answer['next_hops']) if answer['next_hops'] else 'no route'}<ol>"
        + "".join(f"<li>{_text(step)}</li>" for step in answer["derivation"])
        + "</ol></li>"
        for answer in example["allowed"]
    )
    return (
        f"<p>From {_machine(example['source'])} to {_machine(example['destination'])}{when}, the answer was "
        f"<b>{_machines(example['next_hops'])}</b> (row {example['row']} of <code>{example['file']}</code>).</p>"
        f"<p>Allowed is:</p><ul>{allowed}</ul>"
    )


def _pairs(pairs: Mapping[str, Any]) -> str:
    rows = (
        [f"<td><code>{_text(pair[key])}</code></td>" for key in ("source_site", "destination_site")] + _counts(pair)
        for pair in pairs["worst"]
    )
    table = _table(("source site", "destination site", *VERDICTS), rows)
    return table and f"<p>All pairs with rows that did not pass: <code>site_pairs.parquet</code>.</p>{table}"
