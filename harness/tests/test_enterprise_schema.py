"""The published schema of enterprise files and the reader agree on what such a file is."""

import copy
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from mqconform.harness.records.schema_text import complaint, published, validator
from mqconform.harness.tools.enterprise.file import read_enterprise
from mqconform.reference.directory import UnreadableDocument, directory_from_document, document_from_directory

EXAMPLES = sorted((Path(__file__).parents[2] / "examples" / "enterprises").iterdir())

SOUND: dict[str, Any] = {
    "enterprise": {"id": "e6eaba61-d1c6-11db-baac-0003ff4e2d22", "name": "E"},
    "sites": [{"name": "A", "site_gates": ["m"], "foreign_site": False}],
    "routing_links": [{"id": "x", "site1": "A", "site2": "A", "cost": 1}],
    "queue_managers": [{"name": "m", "sites": ["A"], "routing_server": True, "in_routing_servers": ["m"]}],
}


def fits(document: object) -> bool:
    judge = validator("enterprise")
    assert judge is not None
    return complaint(judge, document, "") == ""


def readable(document: object) -> bool:
    try:
        directory_from_document(document)
    except UnreadableDocument:
        return False
    return True


def test_the_schema_is_one_and_examples_fit_it(subtests: pytest.Subtests):
    for name in ["enterprise", "next_hops"]:
        Draft202012Validator.check_schema(published(name))
    for path in EXAMPLES:
        with subtests.test(path=path):
            file = read_enterprise(str(path))
            assert fits(file.document)
            assert fits(document_from_directory(file.directory))


def test_schema_and_reader_agree(subtests: pytest.Subtests):
    for place, value, sound in [
        (("routing_links", 0, "cost"), 999_999, True),
        (("routing_links", 0, "cost"), -1, False),
        (("routing_links", 0, "cost"), "three", False),
        (("routing_links", 0, "site1"), "", False),
        (("routing_links", 0, "colour"), "red", False),
        (("sites", 0, "site_gates"), [], True),
        (("sites", 0, "site_gates"), [3], False),
        (("sites", 0, "foreign_site"), "no", False),
        (("queue_managers", 0, "routing_server"), 1, False),
        (("queue_managers", 0, "connected_networks"), ["any"], True),
        (("queue_managers", 0, "sites"), None, False),
        (("more",), 1, False),
    ]:
        with subtests.test(place=place):
            document = copy.deepcopy(SOUND)
            held: Any = document
            for step in place[:-1]:
                held = held[step]
            held[place[-1]] = value
            assert fits(document) is sound
            assert readable(document) is (sound or value is None)  # which is left out
