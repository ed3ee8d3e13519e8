"""Enterprise documents to and from the model: names for GUIDs, and complaints that name the place and a remedy."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mqconform.reference.directory import UnreadableDocument, directory_from_document, document_from_directory
from mqconform.reference.errors import ModelError

A, B = "aaaaaaaa-0000-4000-8000-00000000000a", "bbbbbbbb-0000-4000-8000-00000000000b"
G, C = "cccccccc-0000-4000-8000-00000000000c", "dddddddd-0000-4000-8000-00000000000d"
NET, LINK, E = ("eeeeeeee-0000-4000-8000-00000000000" + digit for digit in "123")

DOCUMENT: dict[str, Any] = {
    "enterprise": {"id": E, "name": "Contoso"},
    "sites": [{"id": A, "name": "Oslo", "site_gates": [G]}, {"id": B, "site_gates": []}],
    "routing_links": [{"id": LINK, "site1": A, "site2": B, "cost": 7}],
    "queue_managers": [
        {"id": G, "name": "gate", "sites": [A, B], "routing_server": True},
        {
            "id": C,
            "sites": [A],
            "routing_server": False,
            "in_routing_servers": [G],
            "out_routing_servers": [G, C],
            "connected_networks": [NET],
        },
    ],
}


def problems(document: object) -> dict[str, str]:
    with pytest.raises(UnreadableDocument) as caught:
        directory_from_document(document)
    return {problem.path: problem.text for problem in caught.value.problems}


def changed(**keys: Any) -> dict[str, Any]:
    return DOCUMENT | keys


def test_a_document_survives_the_way_to_the_model_and_back():
    assert document_from_directory(directory_from_document(DOCUMENT)) == DOCUMENT


def test_names_stand_for_guids_and_ids_may_be_left_out():
    named = {
        "enterprise": {"name": "Contoso"},
        "sites": [{"name": "Oslo", "site_gates": ["gate"]}, {"id": "Bergen"}],
        "routing_links": [{"site1": "Oslo", "site2": "Bergen", "cost": 1}],
        "queue_managers": [{"id": G, "name": "gate", "sites": ["Oslo", B], "connected_networks": ["lan"]}],
    }
    directory = directory_from_document(named)
    oslo, bergen = directory.sites
    assert oslo.site_gate_collection == (G,)
    assert bergen.name == "Bergen"
    assert directory.routing_links[0].site2_identifier == bergen.identifier
    assert directory.queue_managers[0].site_identifier_list == (oslo.identifier, B)
    assert directory == directory_from_document(named)
    assert directory_from_document(document_from_directory(directory)) == directory


def test_a_complaint_names_place_and_remedy():
    for document, path, words in (
        (3, "", "must be an object with the keys enterprise, sites"),
        ({}, "enterprise", "is missing; give an object"),
        (changed(enterprise=[]), "enterprise", "is a list; give an object"),
        (changed(sites=[3]), "sites[0]", "must be an object with keys, not 3"),
        (changed(site=[]), "site", "did you mean sites?"),
        (changed(sites=[{"id": A, "gates": []}]), "sites[0].gates", "did you mean site_gates?"),
        (changed(sites=[{}]), "sites[0].id", "is missing; give the site a GUID, or a name instead"),
        (changed(sites=[{"id": 7}]), "sites[0].id", "must be text, not 7; put it in quotes"),
        (changed(sites=[{"id": A, "site_gates": "gate"}]), "sites[0].site_gates", "is 'gate'; give a list"),
        (changed(sites=[{"id": A, "site_gates": ["gat"]}]), "sites[0].site_gates[0]", "did you mean 'gate'?"),
        (changed(routing_links=[{"site1": A, "cost": 1}]), "routing_links[0].site2", "the name of a site, not None"),
        (changed(routing_links=[{"site1": A, "site2": B}]), "routing_links[0].cost", "is missing; give an integer"),
        (changed(routing_links=[{"site1": A, "site2": B, "cost": 2**31}]), "routing_links[0].cost", "is 2147483648"),
        (changed(routing_links=[{"site1": A, "site2": B, "cost": True}]), "routing_links[0].cost", "is True; give"),
        (
            changed(queue_managers=[{"id": C, "routing_server": "yes"}]),
            "queue_managers[0].routing_server",
            "must be true or false, not 'yes'",
        ),
        (
            changed(
                queue_managers=[{"name": "two"}, {"id": C, "name": "two"}, {"id": G, "in_routing_servers": ["two"]}]
            ),
            "queue_managers[2].in_routing_servers[0]",
            "2 objects of kind queue manager have the name 'two'; write the GUID",
        ),
    ):
        assert words in problems(document)[path], path


def test_all_complaints_come_at_once():
    broken = changed(sites=[{}], routing_links=[{}])
    assert {"sites[0].id", "routing_links[0].site1", "routing_links[0].cost"} <= problems(broken).keys()


def test_the_message_stays_short():
    many = changed(queue_managers=[{"id": C, "routing_server": "x" * 1_000}] * 50)
    with pytest.raises(UnreadableDocument) as caught:
        directory_from_document(many)
    assert "and 40 more" in str(caught.value)
    assert len(str(caught.value)) < 5_000


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["id", "name", "sites", "x"]), inner),
    max_leaves=8,
)


def complaint(document: object) -> str | None:
    try:
        directory_from_document(document)
    except ModelError as error:
        return str(error)
    return None


@settings(max_examples=40)
@given(st.dictionaries(st.sampled_from([*DOCUMENT, "other"]), JSON) | JSON)
def test_no_document_breaks_the_reader(document: object):
    assert complaint(document) != ""


@settings(max_examples=60)
@given(
    st.sampled_from(["sites", "routing_links", "queue_managers"]),
    st.sampled_from(["id", "name", "sites", "site1", "cost"]),
    JSON,
)
def test_no_field_breaks_the_reader(array: str, key: str, value: object):
    text = complaint(changed(**{array: [{**DOCUMENT[array][0], key: value}]}))
    assert text is None or array in text
