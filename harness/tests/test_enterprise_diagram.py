"""Diagrams of enterprises: nothing is lost, and no name does any harm."""

import shutil
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from mqconform.harness.iut.interface import ConfigurationError
from mqconform.harness.tools.enterprise.diagram import dot_of, mermaid_of, svg_of
from mqconform.harness.tools.enterprise.file import read_enterprise
from mqconform.harness.tools.enterprise.machine_names import find_machine
from mqconform.harness.tools.enterprise.routes import Routes, find_routes
from mqconform.reference.directory import Directory, directory_from_document

EXAMPLES = Path(__file__).parents[2] / "examples" / "enterprises"


def example(name: str) -> Directory:
    return read_enterprise(str(EXAMPLES / name)).directory


def routes(directory: Directory, source: str, destination: str) -> Routes:
    return find_routes(directory, find_machine(directory, source), find_machine(directory, destination))


def test_dot_shows_sites_gates_costs_and_the_allowed_path():
    directory = example("section_4_second_costs.yaml")
    assert dot_of(directory, routes(directory, "client-a", "client-c")).splitlines() == [
        "digraph enterprise {",
        '  graph [label="Section 4 (sites: 4, routing links: 4, queue managers: 8)", labelloc=t]',
        "  node [shape=box]",
        "  edge [dir=none]",
        '  s0 [label="A\\ngates: gate-a\\nqueue managers: 2\\nfrom client-a", color=darkgreen, penwidth=2]',
        '  s1 [label="B\\ngates: gate-b\\nqueue managers: 2", color=darkgreen, penwidth=2]',
        '  s2 [label="C\\ngates: gate-c\\nqueue managers: 2\\nto client-c", color=darkgreen, penwidth=2]',
        '  s3 [label="D\\ngates: gate-d\\nqueue managers: 2", color=darkgreen, penwidth=2]',
        '  s0 -> s1 [label="3", dir=forward, color=darkgreen, penwidth=2]',
        '  s1 -> s2 [label="3"]',
        '  s1 -> s3 [label="1", dir=forward, color=darkgreen, penwidth=2]',
        '  s2 -> s3 [label="1", dir=back, color=darkgreen, penwidth=2]',
        "}",
    ]


def test_mermaid_shows_the_same_with_thick_arrows_in_their_direction():
    directory = example("section_4_second_costs.yaml")
    lines = mermaid_of(directory, routes(directory, "client-a", "client-c")).splitlines()
    assert '  s2["C<br/>gates: gate-c<br/>queue managers: 2<br/>to client-c"]:::path' in lines
    assert [line for line in lines if "|" in line] == [
        "  s0 ==>|3| s1", "  s1 ---|3| s2", "  s1 ==>|1| s3", "  s3 ==>|1| s2"
    ]  # fmt: skip


def test_a_hop_without_a_link_is_shown():
    document = {
        "enterprise": {"name": "E"},
        "sites": [{"name": "A", "site_gates": ["gate"]}, {"name": "B", "foreign_site": True}],
        "routing_links": [],
        "queue_managers": [
            {"name": "gate", "sites": ["A"], "routing_server": True},
            {"name": "m", "sites": ["B"], "in_routing_servers": ["gate"]},
        ],
    }
    directory = directory_from_document(document)
    text = dot_of(directory, routes(directory, "gate", "m"))
    assert '  s0 -> s1 [label="no link", dir=forward, color=darkgreen, penwidth=2]' in text
    assert "B\\ngates: none\\nqueue managers: 1\\nforeign site" in text


def test_no_name_breaks_out_of_a_diagram():
    for name in ("<script>", "&amp;\"'", 'a"]; b', "a\\", "\x00\x1b[31m", "e\u202evil", '"]-->x["', "x" * 300):
        document = {"enterprise": {"name": name}, "sites": [{"name": name}], "routing_links": [], "queue_managers": []}
        directory = directory_from_document(document)
        assert [line[:4] for line in mermaid_of(directory).splitlines()] == ["flow", "  ti", "  s0", "  st", "  cl"]
        assert '"]' not in mermaid_of(directory).replace('"]\n', "")
        if shutil.which("dot"):
            root = ET.fromstring(svg_of(directory))  # noqa: S314 - of Graphviz; that it parses is what is tested
            assert {one.tag.rpartition("}")[2] for one in root.iter()} == {"svg", "g", "title", "polygon", "text"}


def test_svg_without_graphviz_is_refused_with_a_remedy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ConfigurationError, match="install it, or write DOT or Mermaid"):
        svg_of(example("hub_and_spoke.yaml"))
