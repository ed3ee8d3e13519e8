"""A declaration on the terminal: declared, probed, and the requirements not judged without it."""

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


def declaration_lines(declaration: Declaration, *, one_role: bool = False) -> Iterator[Text | Padding]:
    """Yield the table of what is not declared or not as declared, then every remark; nothing where all is.

    Roles that are not declared are left out where the connection is one to a single role.
    """
    features = [
        feature for feature in declaration.features if feature.declared or feature.kind != "role" or not one_role
    ]
    notable = [feature for feature in features if _matters(feature)]
    if notable:
        yield Padding(_table(notable), (1, 0, 0, 2))
    for remark in declaration.remarks:
        style = STYLES.get(remark.kind, "dim")
        yield Text(f"  {remark.kind}: {visible(remark.subject)} {visible(remark.text)}", style)


def _matters(feature: Feature) -> bool:
    if feature.declared:
        return feature.probe in (Probe.REFUSED, Probe.BROKEN)
    return bool(feature.requirements) or feature.probe is Probe.ANSWERS


def _table(features: list[Feature]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim", style="dim")
    for name in ("", "declared", "probed"):
        table.add_column(name, no_wrap=True)
    table.add_column("not judged without it", justify="right", no_wrap=True)
    for feature in features:
        lost = f"{feature.requirements} requirements" if not feature.declared and feature.requirements else "-"
        table.add_row(
            f"{feature.kind} {feature.name}", "yes" if feature.declared else "no", PROBES[feature.probe], lost
        )
    return table
