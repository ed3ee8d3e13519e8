"""What is written reads back as the same enterprise, whatever the names, in either format and with either naming."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mqconform.harness.judge.mqbr.named_enterprise import guid_of
from mqconform.harness.tools.enterprise.file import Format, parsed, read_enterprise
from mqconform.harness.tools.enterprise.writing import Naming, converted, named_document, written
from mqconform.reference.directory import directory_from_document

EXAMPLES = Path(__file__).parents[2] / "examples" / "enterprises"

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.sampled_from(
    ["NO", "null", "~", "1", "1.0", "0o7", "1e3", ".inf", "=", "<<", "a: b", "- x", "#", "'", '"', "\\", "2001-01-01"]
)


def enterprise(names: list[str]) -> dict[str, Any]:
    sites = [{"name": name, "site_gates": [name]} for name in names]
    links = [{"site1": names[0], "site2": name, "cost": 1} for name in names[1:]]
    machines = [{"name": name, "sites": [name], "routing_server": True} for name in names]
    return {"enterprise": {"name": "E"}, "sites": sites, "routing_links": links, "queue_managers": machines}


def read_back(text: str, form: Format) -> object:
    return parsed(text, form, len(text))


@settings(max_examples=60)
@given(st.lists(TEXTS.filter(bool), min_size=1, max_size=4, unique=True), st.sampled_from(Format))
def test_any_names_survive_a_round_trip(names: list[str], form: Format):
    document = enterprise(names)
    text = written(document, form)
    assert read_back(text, form) == document
    assert text.replace("\n", "").isprintable()


def test_a_name_that_says_not_the_same_as_the_guid_does_not_take_its_place():
    document = enterprise(["A", "B"])
    first, second = "11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"
    machines = [
        {"id": first, "name": "twin", "sites": ["A"], "routing_server": True},
        {"id": second, "name": "twin", "sites": ["B"], "routing_server": True},
        {"name": "m", "sites": ["A"], "routing_server": False, "out_routing_servers": [first, "guid"]},
        {"name": "guid", "sites": ["A"], "routing_server": True},
    ]
    document["queue_managers"] = machines
    document["sites"] = [{"name": "A", "site_gates": [first]}, {"name": "B", "site_gates": [second]}]
    named = named_document(directory_from_document(document))
    assert named["sites"][0]["site_gates"] == [first]
    assert named["queue_managers"][0]["id"] == first
    assert named["queue_managers"][2]["out_routing_servers"] == [first, "guid"]
    assert directory_from_document(named) == directory_from_document(document)


def test_examples_survive_every_conversion(subtests: pytest.Subtests):
    for name in sorted(path.name for path in EXAMPLES.iterdir()):
        for naming in Naming:
            for form in Format:
                with subtests.test(name=name, naming=naming, form=form):
                    file = read_enterprise(str(EXAMPLES / name))
                    text = converted(file, form, naming)
                    document = read_back(text, form)
                    assert directory_from_document(document) == file.directory
                    if naming is Naming.AS_WRITTEN:
                        assert document == file.document


def test_one_object_stands_on_one_line():
    text = written(enterprise(["A", "B", "C"]), Format.JSON)
    assert text.splitlines()[2:6] == [
        '  "sites": [',
        '    {"name": "A", "site_gates": ["A"]},',
        '    {"name": "B", "site_gates": ["B"]},',
        '    {"name": "C", "site_gates": ["C"]}',
    ]


def test_letters_stay_and_what_does_not_show_is_escaped():
    document = enterprise(["Göteborg", "a\u202eb\x9b\x7f\U000e0001"])
    text = written(document, Format.JSON)
    assert '"Göteborg"' in text
    assert "a\\u202eb\\u009b\\u007f\\udb40\\udc01" in text
    assert "Göteborg" in written(enterprise(["Göteborg"]), Format.YAML)


def test_half_characters_have_identifiers_of_their_own():
    assert len({guid_of("Site", name) for name in ("\ud800", "\udfff", "\\ud800")}) == 3
