"""A declaration on the terminal: what is declared, what probes found, what is not judged for want of it."""

from collections.abc import Iterator

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from mqconform.harness.records.printable import visible
from mqconform.harness.records.results import Declaration, Feature, Probe

PROBES = {
    Probe.ANSWERS: "answers",
    Probe.REFUSED: "refused",
    Probe.BROKEN: "broken",
    Probe.NOT_PROBED: "-",
}
STYLES = {"contradiction": "yellow", "undeclared": "yellow", "probe": "yellow"}


def declaration_lines(declaration: Declaration) -> Iterator[Text | Padding]:
    """Yield the table of what is not declared or not as declared, then every remark; nothing where all is."""
    shown = [one for one in declaration.features if _matters(one)]
    if shown:
        yield Padding(_table(shown), (1, 0, 0, 2))
    for one in declaration.remarks:
        style = STYLES.get(one.kind, "dim")
        yield Text(f"  {one.kind}: {visible(one.subject)} {visible(one.text)}", style)


def _matters(one: Feature) -> bool:
    if one.declared:
        return one.probe in (Probe.REFUSED, Probe.BROKEN)
    return bool(one.requirements) or one.probe is Probe.ANSWERS


def _table(features: list[Feature]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim", style="dim")
    for name in ("", "declared", "probed"):
        table.add_column(name, no_wrap=True)
    table.add_column("not judged without it", justify="right", no_wrap=True)
    for one in features:
        lost = f"{one.requirements} requirements" if not one.declared and one.requirements else "-"
        table.add_row(f"{one.kind} {one.name}", "yes" if one.declared else "no", PROBES[one.probe], lost)
    return table
