"""Diagrams of an enterprise as text for Graphviz and Mermaid: sites, routing links, and the allowed paths over them.

No layout here: Graphviz and Mermaid make the picture. Names come from files and stay inert in both languages.
"""

import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mqconform.harness.iut.interface import ConfigurationError
from mqconform.harness.records.printable import shortened, visible
from mqconform.harness.tools.enterprise.machine_names import machine_label
from mqconform.harness.tools.enterprise.routes import Routes
from mqconform.reference.directory import Directory, SiteId

MOST_LABEL_TEXT: Final = 80
"""Characters of a line in a box; the rest of a longer one is left out."""


@dataclass(frozen=True, slots=True)
class Line:
    """A routing link between two boxes, or a hop that crosses without one; each flag is a way that a path takes."""

    first: str
    second: str
    label: str
    there: bool
    back: bool


def dot_of(directory: Directory, routes: Routes | None = None) -> str:
    """Return an enterprise in the language of Graphviz, the allowed paths in green."""
    rows = ["digraph enterprise {", f'  graph [label="{_in_dot(_title(directory))}", labelloc=t]']
    rows += ["  node [shape=box]", "  edge [dir=none]"]
    for key, (texts, on_path) in _boxes(directory, routes).items():
        label = "\\n".join(map(_in_dot, texts))
        rows.append(f'  {key} [label="{label}"{", color=darkgreen, penwidth=2" if on_path else ""}]')
    directions = {(True, False): "forward", (False, True): "back", (True, True): "both"}
    for line in _lines(directory, routes):
        direction = directions.get((line.there, line.back))
        used = f", dir={direction}, color=darkgreen, penwidth=2" if direction else ""
        rows.append(f'  {line.first} -> {line.second} [label="{line.label}"{used}]')
    return "\n".join([*rows, "}", ""])


def mermaid_of(directory: Directory, routes: Routes | None = None) -> str:
    """Return an enterprise in the language of Mermaid, the allowed paths as thick arrows."""
    rows = ["flowchart LR", f'  title["{_in_mermaid(_title(directory))}"]']
    for key, (texts, on_path) in _boxes(directory, routes).items():
        rows.append(f'  {key}["{"<br/>".join(map(_in_mermaid, texts))}"]{":::path" if on_path else ""}')
    for line in _lines(directory, routes):
        first, second = (line.second, line.first) if line.back and not line.there else (line.first, line.second)
        arrow = "<==>" if line.there and line.back else "==>" if line.there or line.back else "---"
        rows.append(f"  {first} {arrow}|{line.label}| {second}")
    return "\n".join([*rows, "  style title fill:none,stroke:none", "  classDef path stroke:green", ""])


def svg_of(directory: Directory, routes: Routes | None = None) -> str:
    """Return the picture that Graphviz makes of an enterprise.

    Raises:
        ConfigurationError: Graphviz is not installed, or cannot draw this.
    """
    program = shutil.which("dot")
    if program is None:
        raise ConfigurationError("SVG needs Graphviz, which is not installed; install it, or write DOT or Mermaid")
    done = subprocess.run(  # noqa: S603 - Graphviz, which reads no file and names none
        [program, "-Tsvg"], input=dot_of(directory, routes), capture_output=True, encoding="utf-8", check=False
    )
    if done.returncode:
        raise ConfigurationError(f"Graphviz cannot draw this: {visible(done.stderr[:500])}; write DOT or Mermaid")
    return done.stdout


def _title(directory: Directory) -> str:
    sites, links, machines = map(len, (directory.sites, directory.routing_links, directory.queue_managers))
    name = directory.enterprise.name or f"Enterprise {directory.enterprise.identifier}"
    return f"{shortened(name, MOST_LABEL_TEXT)} (sites: {sites}, routing links: {links}, queue managers: {machines})"


def _keys(directory: Directory) -> dict[SiteId, str]:
    return {identifier: f"s{number}" for number, identifier in enumerate(directory.sites_by_identifier)}


def _boxes(directory: Directory, routes: Routes | None) -> dict[str, tuple[list[str], bool]]:
    """Return the texts of each site, and whether a path passes it; sites that repeat an id are one box."""
    members = Counter(site for machine in directory.queue_managers for site in set(machine.site_identifier_list))
    crossings = [routes.crossings.between(*hop) for hop in routes.hops()] if routes else []
    on_path = {site for crossing in crossings for site in (crossing.from_site, crossing.to_site)}
    boxes = {}
    for identifier, key in _keys(directory).items():
        site = directory.sites_by_identifier[identifier][0]
        gates = ", ".join(machine_label(directory, gate) for gate in dict.fromkeys(site.site_gate_collection))
        texts = [site.name or identifier, f"gates: {gates or 'none'}", f"queue managers: {members[identifier]}"]
        texts += ["foreign site"] if site.foreign_site else []
        texts += _ends(directory, identifier, routes) if routes else []
        boxes[key] = ([shortened(text, MOST_LABEL_TEXT) for text in texts], identifier in on_path)
    return boxes


def _ends(directory: Directory, site: SiteId, routes: Routes) -> Iterator[str]:
    for word, end in (("from", routes.source), ("to", routes.destination)):
        for machine in directory.queue_managers_by_identifier.get(end, ())[:1]:
            if site in machine.site_identifier_list:
                yield f"{word} {machine_label(directory, end)}"


def _lines(directory: Directory, routes: Routes | None) -> Iterator[Line]:
    """Yield the routing links between two sites of the enterprise, then the hops of paths that cross without one."""
    keys = _keys(directory)
    crossings = [routes.crossings.between(*hop) for hop in routes.hops()] if routes else []
    left_by = {(crossing.link.identifier, crossing.from_site) for crossing in crossings if crossing.link}
    for link in directory.routing_links:
        first, second = link.site1_identifier, link.site2_identifier
        if first != second and first in keys and second in keys:
            used = ((link.identifier, first) in left_by, (link.identifier, second) in left_by)
            yield Line(keys[first], keys[second], str(link.actual_cost), *used)
    hops = {(hop.from_site, hop.to_site) for hop in crossings if hop.link is None and not hop.within_a_site}
    for one_end, other_end in sorted(
        (keys[here], keys[there]) for here, there in hops if here in keys and there in keys
    ):
        yield Line(one_end, other_end, "no link", there=True, back=False)


def _in_dot(text: str) -> str:
    return visible(text).replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;")


def _in_mermaid(text: str) -> str:
    return "".join(
        letter if letter.isalnum() or letter in " .,:-_()" else f"#{ord(letter)};" for letter in visible(text)
    )


LANGUAGES: Final = {"dot": dot_of, "mermaid": mermaid_of, "svg": svg_of}
ENDINGS: Final = {".dot": "dot", ".gv": "dot", "": "dot", ".mmd": "mermaid", ".mermaid": "mermaid", ".svg": "svg"}


def picture_for(language: str | None, out: Path | None) -> Callable[[Directory, Routes | None], str]:
    """Return what draws in a language, or in that of the file that is written; DOT where there is neither.

    Raises:
        ConfigurationError: no language is known by the ending of the file.
    """
    language = language or ("dot" if out is None else ENDINGS.get(out.suffix.lower()))
    if language is None:
        raise ConfigurationError(
            f"--out {out}: no picture is known by this ending; use .dot, .mmd or .svg, or give --format"
        )
    return LANGUAGES[language]
