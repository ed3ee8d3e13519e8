"""Pictures of enterprises: nothing overlaps, nothing is lost, and no name does any harm."""

from collections.abc import Mapping
from itertools import combinations
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mqconform.harness.tools.enterprise import picture as pictures
from mqconform.harness.tools.enterprise.drawing import COLOURS, box_size, svg_of
from mqconform.harness.tools.enterprise.file import read_enterprise
from mqconform.harness.tools.enterprise.layout import Box, courses, site_boxes
from mqconform.harness.tools.enterprise.machine_names import find_machine
from mqconform.harness.tools.enterprise.picture import Picture, TooManySites, picture_of
from mqconform.harness.tools.enterprise.routes import Routes, find_routes
from mqconform.reference.directory import Directory, SiteId, directory_from_document

EXAMPLES = Path(__file__).parents[2] / "examples" / "enterprises"
SVG = "{http://www.w3.org/2000/svg}"


def example(name: str) -> Directory:
    return read_enterprise(str(EXAMPLES / name)).directory


def enterprise(names: list[str], links: list[tuple[int, int, int]], **more: Any) -> Directory:
    sites = [{"name": name, "site_gates": [f"gate of {name}"]} for name in names]
    machines = [{"name": f"gate of {name}", "sites": [name], "routing_server": True} for name in names]
    return directory_from_document(
        {
            "enterprise": {"name": "E"},
            "sites": sites,
            "routing_links": [{"site1": names[a], "site2": names[b], "cost": cost} for a, b, cost in links],
            "queue_managers": machines,
        }
        | more
    )


def tree(size: int, branches: int) -> Directory:
    names = [f"Site {place}" for place in range(size)]
    return enterprise(names, [((place - 1) // branches, place, place) for place in range(1, size)])


def routes(directory: Directory, source: str, destination: str) -> Routes:
    return find_routes(directory, find_machine(directory, source), find_machine(directory, destination))


def parsed(text: str) -> ET.Element:
    return ET.fromstring(text.encode())  # noqa: S314 - of our own making; that it parses is what is tested


def drawing(picture: Picture) -> ET.Element:
    return parsed(svg_of(picture))


def boxes_of(picture: Picture) -> Mapping[SiteId, Box]:
    return site_boxes(picture, [box_size(one) for one in picture.sites])


def texts(root: ET.Element, tag: str = "text") -> list[str]:
    return [one.text or "" for one in root.iter(f"{SVG}{tag}")]


@pytest.mark.parametrize(
    "directory",
    [
        pytest.param(example("section_4_first_costs.yaml"), id="section-4"),
        pytest.param(example("hub_and_spoke.yaml"), id="hub-and-spoke"),
        pytest.param(tree(60, 59), id="star-of-60"),
        pytest.param(tree(60, 4), id="tree-of-60"),
        pytest.param(enterprise([f"Lonely {place}" for place in range(30)], []), id="no-links"),
    ],
)
def test_no_two_boxes_overlap(directory: Directory):
    picture = picture_of(directory)
    boxes = boxes_of(picture)
    assert len(boxes) == len(directory.sites)
    assert [pair for pair in combinations(boxes.values(), 2) if pair[0].overlaps(pair[1])] == []


@pytest.mark.parametrize(
    "directory", [example("section_4_first_costs.yaml"), example("hub_and_spoke.yaml"), tree(60, 4)]
)
def test_no_cost_stands_on_a_box_or_on_another_cost(directory: Directory):
    picture = picture_of(directory)
    boxes = boxes_of(picture)
    numbers = [one.number for one in courses(picture.lines, boxes, [30.0] * len(picture.lines))]
    assert len(numbers) == len(directory.routing_links)
    assert [pair for pair in combinations(numbers, 2) if pair[0].overlaps(pair[1])] == []
    assert [box for box in boxes.values() if any(box.overlaps(number) for number in numbers)] == []


def test_a_line_passes_other_boxes_instead_of_crossing_them():
    directory = enterprise(["A", "B", "C"], [(0, 1, 1), (1, 2, 1), (0, 2, 1)])
    ids = [site.identifier for site in directory.sites]
    boxes = {one: Box(200.0 * place, 0.0, 100.0, 60.0) for place, one in enumerate(ids)}
    straight, _, around = courses(picture_of(directory).lines, boxes, [30.0] * 3)
    assert [point.imag for point in straight.points] == pytest.approx([30.0] * len(straight.points))
    assert boxes[ids[1]].held(around.points) == []


def test_parallel_links_are_lines_of_their_own():
    directory = enterprise(["A", "B"], [(0, 1, 5), (1, 0, 7), (0, 1, 9)])
    picture = picture_of(directory)
    boxes = boxes_of(picture)
    middles = {round(one.number.y) for one in courses(picture.lines, boxes, [30.0] * len(picture.lines))}
    assert len(middles) == 3
    assert {"5", "7", "9"} <= set(texts(drawing(picture)))


def test_the_picture_tells_sites_gates_costs_and_numbers_of_queue_managers():
    shown = texts(drawing(picture_of(example("hub_and_spoke.yaml"))))
    assert {"Nordwind Trading", "Göteborg", "HAM-GW1, HAM-GW2", "6 queue managers", "25", "foreign site"} <= set(shown)
    assert "11 sites, 12 routing links, 27 queue managers" in shown


def test_the_allowed_paths_are_told_and_marked():
    directory = example("section_4_second_costs.yaml")
    picture = picture_of(directory, routes(directory, "client-a", "client-c"))
    assert picture.paths == ("From client-a to client-c:", "A → B → D → C (cost 5)")
    assert [one.cost for one in picture.lines if one.left_from] == [3, 1, 1]
    assert [one.name for one in picture.sites if one.on_path] == ["A", "B", "C", "D"]
    root = drawing(picture)
    assert (
        len([line for line in root.iter(f"{SVG}polyline") if line.get("marker-end") or line.get("marker-start")])
        == 3 + 1
    )
    assert {"from client-a", "to client-c"} <= set(texts(root))


def test_an_answer_is_marked_where_it_leads():
    directory = example("section_4_second_costs.yaml")
    gates = [one.identifier for one in directory.queue_managers if one.name == "gate-c"]
    picture = picture_of(directory, routes(directory, "client-a", "client-c"), tuple(gates))
    assert [(one.name, one.answered) for one in picture.sites if one.answered] == [("C", ("gate-c",))]
    assert {"answered: gate-c", "where the answer leads"} <= set(texts(drawing(picture)))


def test_a_hop_that_no_path_takes_is_drawn_in_the_colour_of_alarm_and_moves_no_box():
    directory = example("section_4_second_costs.yaml")
    asked = routes(directory, "client-a", "client-c")
    gates = {machine.name: machine.identifier for machine in directory.queue_managers}
    right, wrong = (picture_of(directory, asked, (gates[name],)) for name in ("gate-b", "gate-c"))
    assert [line for line in right.lines if line.wrong] == []
    (hop,) = (line for line in wrong.lines if line.wrong)
    assert tuple(picture_name(wrong, end) for end in hop.ends) == ("A", "C")
    drawn = [line for line in drawing(wrong).iter(f"{SVG}polyline") if line.get("stroke") == COLOURS["alarm"]]
    assert [line.get("marker-end") for line in drawn] == ["url(#alarm)", "url(#alarm)"]  # the hop, and its legend
    assert "The answer, on no allowed path: A to C" in texts(drawing(wrong), "title")
    middles = [[box.middle for box in site_boxes(one, [(120.0, 80.0)] * 4).values()] for one in (right, wrong)]
    assert middles[0] == middles[1]


def test_ties_show_several_paths():
    directory = example("hub_and_spoke.yaml")
    picture = picture_of(directory, routes(directory, "OSL-SHOP", "HAM-STOCK"))
    assert set(picture.paths[1:]) == {"Oslo → Hamburg (cost 20)", "Oslo → Göteborg → Hamburg (cost 20)"}
    used = [sorted(picture_name(picture, end) for end in one.ends) for one in picture.lines if one.left_from]
    assert used == [["Hamburg", "Oslo"], ["Göteborg", "Hamburg"], ["Göteborg", "Oslo"]]


def picture_name(picture: Picture, site: SiteId) -> str:
    return next(one.name for one in picture.sites if one.identifier == site)


def test_a_hop_without_a_link_is_drawn_and_called_so():
    machines = [
        {"name": "gate of A", "sites": ["A"], "routing_server": True},
        {"name": "m", "sites": ["B"], "in_routing_servers": ["gate of A"]},
    ]
    sites = [{"name": "A", "site_gates": ["gate of A"]}, {"name": "B"}]
    directory = enterprise(["A", "B"], [], sites=sites, queue_managers=machines)
    picture = picture_of(directory, routes(directory, "gate of A", "m"))
    assert picture.paths[1] == "A → B (without a routing link)"
    assert {"no link", "hop without a routing link", "no gate"} <= set(texts(drawing(picture)))


def test_no_route_is_told():
    directory = enterprise(["A", "B"], [])
    picture = picture_of(directory, routes(directory, "gate of A", "gate of B"))
    assert picture.paths == ("From gate of A to gate of B:", "no route")
    assert not any(one.left_from for one in picture.lines)


@pytest.mark.parametrize(
    "name", ["<script>alert(1)</script>", "&amp;\"'", "a]]>b", "\x00\x1b[31m", "\ufffe", "e\u202evil"]
)
def test_no_name_breaks_out_of_the_picture(name: str):
    directory = enterprise([name, "B"], [(0, 1, 1)], enterprise={"name": name})
    text = svg_of(picture_of(directory, routes(directory, f"gate of {name}", "gate of B")))
    root = parsed(text)
    assert {one.tag.removeprefix(SVG) for one in root.iter()} == {
        "svg", "title", "desc", "defs", "marker", "g", "rect", "text", "path", "polygon", "polyline"
    }  # fmt: skip
    assert text.replace("\n", "").isprintable()


@settings(max_examples=15, deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=300))
def test_any_name_gives_a_picture_that_parses(name: str):
    directory = enterprise([name], [])
    root = drawing(picture_of(directory))
    assert all(text.isprintable() for text in [*texts(root), *texts(root, "title"), *texts(root, "desc")])


def test_those_who_do_not_see_the_picture_are_told_what_is_on_it():
    directory = example("section_4_first_costs.yaml")
    root = drawing(picture_of(directory, routes(directory, "client-a", "client-c")))
    assert root.get("role") == "img"
    assert root.get("aria-label") == "Section 4: 4 sites, 4 routing links, 8 queue managers"
    assert root[0].text == "Section 4"
    assert "A to B at cost 3; B to C at cost 1" in (root[1].text or "")
    assert "A → B → C (cost 4)" in (root[1].text or "")
    assert "Site B: 2 queue managers; gates: gate-b; on an allowed path" in texts(root, "title")
    assert "Routing link at cost 3: A - B; on an allowed path from A" in texts(root, "title")


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_letters_and_lines_stand_out_from_their_ground():
    grounds = [COLOURS[name] for name in ("ground", "site", "path_site", "sender", "receiver")]
    assert min(contrast(COLOURS[letters], ground) for letters in ("letters", "faint") for ground in grounds) >= 7
    assert contrast(COLOURS["ground"], COLOURS["path"]) >= 7, "the cost of a link on a path"
    assert min(contrast(COLOURS[line], COLOURS["ground"]) for line in ("line", "alarm")) >= 4.5
    assert contrast(COLOURS["alarm"], COLOURS["ground"]) >= 7, "what stands on a wrong hop"


def test_of_a_large_enterprise_the_paths_and_their_neighbours_are_shown(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(pictures, "MOST_SITES", 8)
    directory = tree(20, 3)
    picture = picture_of(directory, routes(directory, "gate of Site 1", "gate of Site 5"))
    near = ["Site 0", "Site 1", "Site 4", "Site 5", "Site 6", "Site 16", "Site 17", "Site 18"]
    assert [one.name for one in picture.sites] == near
    assert picture.notes == ("Shown are the sites on the paths and their neighbours: 8 of 20 sites.",)
    monkeypatch.setattr(pictures, "MOST_SITES", 5)
    alone = picture_of(directory, routes(directory, "gate of Site 1", "gate of Site 5"))
    assert [one.name for one in alone.sites] == ["Site 1", "Site 5"]


def test_a_large_enterprise_without_paths_is_refused_with_a_remedy(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(pictures, "MOST_SITES", 8)
    with pytest.raises(TooManySites, match=r"20 sites do not fit .* name two queue managers with --from and --to"):
        picture_of(tree(20, 3))


def test_what_cannot_be_drawn_is_noted():
    notes = picture_of(example("faulty.json")).notes
    assert notes == (
        "Sites that repeat the id of another one are drawn as that one: 1.",
        "Not drawn, as they join no two sites of the enterprise: 2 of the routing links.",
    )


def test_an_empty_enterprise_has_a_picture():
    directory = enterprise([], [])
    assert "0 sites, 0 routing links, 0 queue managers" in texts(drawing(picture_of(directory)))


def test_the_same_enterprise_gives_the_same_picture():
    assert svg_of(picture_of(tree(12, 3))) == svg_of(picture_of(tree(12, 3)))
